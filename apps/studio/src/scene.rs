//! The others and the things of a tracked motion, frame by frame of the motion that is shown.

use crate::packet::Packet;
use crate::poses::{figure, pose_numbers};
use aplomb_editing::track::PropTrack;
use aplomb_editing::track::scene_file::PropShape;
use aplomb_motion::{FrameIndex, WorldPose};
use aplomb_project::edit::{Partner, TrackRecord};
use serde_json::{Map, Value, json};

/// Adds partners and things to a packet of so many frames; what its header says of them.
pub fn write_scene(packet: &mut Packet, scene: &TrackRecord, frames: usize) -> Map<String, Value> {
    let partners: Vec<Value> = scene
        .partners
        .iter()
        .enumerate()
        .map(|(index, partner)| told_partner(packet, &format!("partner_{index}"), partner, scene.lead_frames, frames))
        .collect();
    let things: Vec<Value> = scene
        .things
        .iter()
        .enumerate()
        .map(|(index, thing)| told_thing(packet, &format!("thing_{index}"), thing, scene.lead_frames, frames))
        .collect();
    Map::from_iter([("partners".to_owned(), json!(partners)), ("things".to_owned(), json!(things))])
}

/// Which frame of something that begins `lead` frames later, and stays where it ends.
fn frame_of(frame: usize, lead: usize, count: usize) -> usize {
    frame.saturating_sub(lead).min(count.saturating_sub(1))
}

fn told_partner(packet: &mut Packet, array: &str, partner: &Partner, lead: usize, frames: usize) -> Value {
    let Partner { name, take } = partner;
    let clip = take.clip();
    let drawn = figure(clip, take.roles(), take.body().ok());
    let mut pose = WorldPose::for_skeleton(clip.skeleton());
    let mut numbers = Vec::new();
    for frame in (0..frames).filter(|_| clip.frame_count() > 0) {
        let own = FrameIndex(frame_of(frame, lead, clip.frame_count()));
        pose_numbers(&mut pose, clip, own, &drawn.joints, &mut numbers);
    }
    packet.array(array, numbers);
    let links: Vec<&str> = drawn.joints.iter().map(|joint| clip.skeleton().joint(*joint).name.as_str()).collect();
    json!({ "name": name, "array": array, "figure": drawn, "links": links })
}

fn told_thing(packet: &mut Packet, array: &str, thing: &PropTrack, lead: usize, frames: usize) -> Value {
    // What stands still is written once.
    let shown = if thing.poses.len() > 1 { frames } else { 1 };
    let poses = (0..shown).filter_map(|frame| thing.poses.get(frame_of(frame, lead, thing.poses.len())));
    packet.array(array, poses.flat_map(|(place, turn)| [place.x, place.y, place.z, turn.x, turn.y, turn.z, turn.w]));
    let form = match thing.shape {
        PropShape::Ball { radius_m } => json!({ "kind": "ball", "radius_m": radius_m }),
        PropShape::Box { half_m } => json!({ "kind": "box", "half_m": half_m.to_array() }),
        PropShape::Cylinder { radius_m, height_m } => {
            json!({ "kind": "cylinder", "radius_m": radius_m, "height_m": height_m })
        }
        PropShape::Staff { length_m, radius_m } => {
            json!({ "kind": "staff", "length_m": length_m, "radius_m": radius_m })
        }
    };
    json!({ "name": thing.name, "array": array, "form": form })
}

#[cfg(test)]
mod tests {
    use super::frame_of;

    #[test]
    fn what_begins_later_waits_and_what_ends_stays() {
        let frames: Vec<usize> = (0..6).map(|frame| frame_of(frame, 2, 3)).collect();
        assert_eq!(frames, [0, 0, 0, 1, 2, 2]);
        assert_eq!(frame_of(4, 0, 0), 0);
    }
}

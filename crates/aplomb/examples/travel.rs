//! A walk on the spot, as on a treadmill, carried on over the ground. The walk on the spot is made by code.

use aplomb::edits::Travel;
use aplomb::glam::DVec3;
use aplomb::{Clip, Edit, Motion};

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    let treadmill = Motion::of_clip("treadmill", on_the_spot(Motion::load("builtin:walk")?.clip())?)?;
    let walk = treadmill.edit(Edit::Travel(Travel { speed: None, cycles: 2 }))?;
    println!("{}", walk.receipt().steps[0].notes.join("\n"));
    walk.save_with_receipt(folder.path().join("walk.bvh"), folder.path().join("walk.json"))?;
    Ok(())
}

/// Without its way: the root goes back as fast as it went ahead.
fn on_the_spot(clip: &Clip) -> Result<Clip, aplomb::ClipError> {
    let last = clip.frame_count().saturating_sub(1);
    let (skeleton, timeline, frames, rotations, mut tracks) = clip.clone().into_parts();
    for track in &mut tracks {
        let way_m = (track.positions_m[last] - track.positions_m[0]) * DVec3::new(1.0, 0.0, 1.0);
        for (frame, position_m) in track.positions_m.iter_mut().enumerate() {
            *position_m -= way_m * (frame as f64 / last as f64);
        }
    }
    Clip::new(skeleton, timeline, frames, rotations, tracks)
}

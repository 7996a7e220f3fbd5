use super::*;
use aplomb_analysis::Take;
use aplomb_motion::Roles;
use aplomb_motion::{Axis, Channels, FrameTime, JointId, Skeleton, Timeline, TranslationTrack};
use aplomb_physics::Body;
use aplomb_physics::BodyOptions;
use std::sync::Arc;

const HZ: f64 = 60.0;

/// A person whose hips and feet move, on the spot: each foot goes back at `speed` while it is down, for 0.5 s, and
/// forward in the air for as long.
fn on_the_spot(speed: f64) -> Clip {
    let mut builder = Skeleton::builder();
    let hips = builder.add(None, "Hips", DVec3::Y * 0.9, Channels::rotating([Axis::Z, Axis::X, Axis::Y], true));
    let mut add =
        |parent, name: String, x, y, z| builder.add(Some(parent), name, DVec3::new(x, y, z), Channels::default());
    let spine = add(hips, "Spine".into(), 0.0, 0.3, 0.0);
    let neck = add(spine, "Neck".into(), 0.0, 0.3, 0.0);
    add(neck, "Head".into(), 0.0, 0.1, 0.0);
    let mut legs = Vec::new();
    for (side, s) in [("Left", 1.0), ("Right", -1.0)] {
        let arm = add(spine, format!("{side}Arm"), s * 0.2, 0.2, 0.0);
        let forearm = add(arm, format!("{side}ForeArm"), s * 0.3, 0.0, 0.0);
        add(forearm, format!("{side}Hand"), s * 0.25, 0.0, 0.0);
        let thigh = add(hips, format!("{side}UpLeg"), s * 0.1, 0.0, 0.0);
        let shank = add(thigh, format!("{side}Leg"), 0.0, -0.42, 0.0);
        let foot = add(shank, format!("{side}Foot"), 0.0, -0.42, 0.0);
        add(foot, format!("{side}ToeBase"), 0.0, -0.05, 0.14);
        legs.push((thigh, s));
    }
    let skeleton = Arc::new(builder.build().unwrap());
    let frames = 61;
    let mut rotations = vec![DQuat::IDENTITY; frames * skeleton.len()];
    let mut tracks = Vec::new();
    let track = |joint: JointId, at: &dyn Fn(f64) -> DVec3| TranslationTrack {
        joint,
        positions_m: (0..frames).map(|frame| at((frame as f64 / (frames - 1) as f64).fract())).collect(),
    };
    for &(thigh, s) in &legs {
        // Whole legs slide: what feet do is all that counts.
        tracks.push(track(thigh, &|phase: f64| {
            let phase = (phase + if s > 0.0 { 0.0 } else { 0.5 }).fract();
            let (along, up) =
                if phase < 0.5 { (0.25 - phase, 0.0) } else { (phase - 0.75, (TAU * (phase - 0.5)).sin()) };
            DVec3::new(s * 0.1, 0.1 * up, speed * along)
        }));
    }
    rotations.iter_mut().for_each(|it| *it = it.normalize());
    let timeline = Timeline::Uniform(FrameTime::from_hz(HZ).unwrap());
    Clip::new(skeleton, timeline, frames, rotations, tracks).unwrap()
}

const TAU: f64 = std::f64::consts::TAU;

fn travelled(clip: &Clip, travel: Travel) -> Result<Travelled, EditingError> {
    let roles = Roles::detect(clip);
    let body = Body::of_clip(clip, &roles, &BodyOptions::default()).unwrap();
    travel.apply(&Take::new(clip.clone(), roles.clone(), body.clone()))
}

#[test]
fn the_body_goes_on_as_fast_as_feet_go_back() {
    let clip = on_the_spot(1.2);
    let made = travelled(&clip, Travel::default()).unwrap();
    assert!((made.velocity - DVec3::Z * 1.2).length() < 1e-9 && made.slide < 1e-9, "{made:?}");
    // Feet that are down stand.
    let foot = clip.skeleton().find("LeftFoot").unwrap();
    let mut pose = WorldPose::for_skeleton(clip.skeleton());
    let mut at = |clip: &Clip, frame: usize| {
        pose.pose(clip, FrameIndex(frame));
        pose.joint_in_world_m[foot.index()]
    };
    assert!((at(&made.clip, 2) - at(&made.clip, 27)).length() < 1e-9);
    assert!((at(&clip, 2) - at(&clip, 27)).length() > 0.4);
}

#[test]
fn cycles_follow_each_other_without_a_pose_twice() {
    let clip = on_the_spot(1.2);
    let made = travelled(&clip, Travel { speed: Some(1.5), cycles: 3 }).unwrap().clip;
    assert_eq!(made.frame_count(), 3 * 60 + 1);
    let hips = made.skeleton().roots().next().unwrap();
    let way_m = made.track(hips).unwrap();
    assert!((way_m[180] - way_m[0] - DVec3::Z * 4.5).length() < 1e-9, "{}", way_m[180]);
}

#[test]
fn what_travels_already_and_wrong_settings_are_refused() {
    let clip = on_the_spot(1.2);
    let going = travelled(&clip, Travel::default()).unwrap().clip;
    assert!(matches!(travelled(&going, Travel::default()), Err(EditingError::FeetStand { .. })));
    for wrong in [
        Travel { cycles: 0, ..Travel::default() },
        Travel { cycles: 5000, ..Travel::default() },
        Travel { speed: Some(f64::NAN), ..Travel::default() },
        Travel { speed: Some(-1.0), ..Travel::default() },
    ] {
        assert!(matches!(travelled(&clip, wrong), Err(EditingError::Setting { .. })), "{wrong:?}");
    }
}

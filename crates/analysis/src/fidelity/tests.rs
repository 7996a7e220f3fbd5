//! Built-in walks that are changed by hand, so that every figure is known.

use super::*;
use aplomb_motion::{FrameIndex, TranslationTrack};
use glam::{DQuat, DVec3};

fn walk() -> Take {
    Take::of_clip(aplomb_builtins::clip("walk").unwrap())
}

fn changed(take: &Take, change: impl FnOnce(&mut Clip)) -> Take {
    let mut clip = take.clip().clone();
    change(&mut clip);
    take.with_clip(clip, crate::take::Keeps::Time)
}

fn hips(take: &Take) -> JointId {
    take.roles().joint(Role::Hips).unwrap()
}

#[test]
fn the_same_motion_changed_nothing() {
    let walk = walk();
    let same = Fidelity::of(&walk, &walk).unwrap();
    assert!(same.same_frames && same.moved.len() == BodyPart::ALL.len());
    assert!(same.moved.iter().all(|moved| moved.held_m == 0.0) && same.worst_joint.is_none());
    assert_eq!((same.joints_rms_deg, same.lowered_m), (Some(0.0), Some(0.0)));
    assert!(same.speed_peaks.iter().chain(&same.acceleration_peaks).all(|peak| peak.before == peak.after));
    let knee = same.knee_back.unwrap();
    assert_eq!(knee.before_deg, knee.after_deg);
}

#[test]
fn a_body_that_is_lowered_moves_its_pelvis_and_not_its_hands() {
    let walk = walk();
    let root = walk.clip().skeleton().roots().next().unwrap();
    let lower = changed(&walk, |clip| {
        let positions_m: Vec<DVec3> =
            clip.track_mut(root).unwrap().iter().map(|place_m| *place_m - DVec3::Y * 0.05).collect();
        clip.track_mut(root).unwrap().copy_from_slice(&positions_m);
    });
    let told = Fidelity::of(&walk, &lower).unwrap();
    assert!((told.moved_m(BodyPart::Pelvis).unwrap() - 0.05).abs() < 1e-9);
    assert!((told.lowered_m.unwrap() - 0.05).abs() < 1e-9);
    assert!(told.moved_m(BodyPart::LeftHand).unwrap() < 1e-9 && told.worst_joint.is_none());
}

#[test]
fn one_frame_is_a_jump_and_a_tenth_of_a_second_a_pose() {
    let walk = walk();
    let hz = walk.clip().timeline().uniform().unwrap().hz();
    let arm = walk.roles().joint(Role::UpperArm(Side::Left)).unwrap();
    let turned = |frames: usize| {
        changed(&walk, |clip| {
            for frame in 50..50 + frames {
                let rotation = clip.rotation(FrameIndex(frame), arm);
                clip.set_rotation(FrameIndex(frame), arm, rotation * DQuat::from_rotation_x(0.5));
            }
        })
    };
    let one = Fidelity::of(&walk, &turned(1)).unwrap();
    assert!(one.worst_joint.is_none_or(|joint| joint.held_deg < 1e-6));
    let many = Fidelity::of(&walk, &turned((0.1 * hz) as usize)).unwrap();
    let worst = many.worst_joint.unwrap();
    assert_eq!(worst.joint, walk.clip().skeleton().joint(arm).name);
    assert!((worst.held_deg - 0.5f64.to_degrees()).abs() < 1e-6, "{worst:?}");
    assert!((worst.at_secs - 50.0 / hz).abs() < 0.11, "{worst:?}");
}

#[test]
fn played_twice_as_fast_only_peaks_are_compared() {
    let walk = walk();
    let fast = walk.with_clip(aplomb_motion::edit::with_speed(walk.clip(), 2.0).unwrap(), crate::take::Keeps::Nothing);
    let told = Fidelity::of(&walk, &fast).unwrap();
    assert!(!told.same_frames && told.moved.is_empty() && told.joints_rms_deg.is_none());
    for peak in &told.speed_peaks {
        assert!((peak.after / peak.before - 2.0).abs() < 0.1, "{peak:?}");
    }
}

#[test]
fn another_skeleton_is_not_compared() {
    let walk = walk();
    assert_eq!(Fidelity::of(&walk, &Take::of_clip(aplomb_builtins::clip("ball").unwrap())), None);
    let still = Clip::new(
        walk.clip().skeleton().clone(),
        walk.clip().timeline().clone(),
        0,
        Vec::new(),
        Vec::<TranslationTrack>::new(),
    );
    assert!(
        still.is_err() || Fidelity::of(&walk, &walk.with_clip(still.unwrap(), crate::take::Keeps::Nothing)).is_none()
    );
    assert!(hips(&walk).index() < walk.clip().skeleton().len());
}

#[test]
fn events_are_those_of_contacts_that_both_have() {
    let contact = |effector: &str, start_secs: f64, end_secs: f64| Contact {
        effector: effector.to_owned(),
        start_secs,
        end_secs,
        raised_m: None,
        source: crate::contacts::ContactSource::Auto,
    };
    let before = [contact("left_ball", 1.0, 1.5), contact("right_ball", 2.0, 2.5)];
    let after = [contact("left_ball", 1.02, 1.46), contact("right_ball", 4.0, 4.5)];
    let moved_secs = events_moved_secs(&before, &after);
    assert_eq!(moved_secs.len(), 2);
    assert!((moved_secs[0] - 0.02).abs() < 1e-12 && (moved_secs[1] - 0.04).abs() < 1e-12);
}

#[test]
fn a_wrist_is_turned_beyond_all_that_the_clip_shows() {
    let walk = walk();
    let hand = walk.roles().joint(Role::Hand(Side::Left)).unwrap();
    let turned = |frames: usize, rad: f64| {
        changed(&walk, |clip| {
            for frame in 50..50 + frames {
                let rotation = clip.rotation(FrameIndex(frame), hand);
                clip.set_rotation(FrameIndex(frame), hand, rotation * DQuat::from_rotation_x(rad));
            }
        })
    };
    let told = Fidelity::of(&walk, &turned(30, 2.0)).unwrap().wrist_turned.unwrap();
    // The clip's own swing of the wrist takes a part of it.
    assert!(
        told.joint == walk.clip().skeleton().joint(hand).name && (85.0..115.0).contains(&told.held_deg),
        "{told:?}"
    );
    assert!(Fidelity::of(&walk, &turned(1, 2.0)).unwrap().wrist_turned.is_none_or(|it| it.held_deg < 10.0));
}

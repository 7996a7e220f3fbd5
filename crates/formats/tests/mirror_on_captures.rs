//! Mirrored captures: every joint where its partner's mirror image is, and no joint twisted by half a turn.

mod capture_support;

use aplomb_motion::edit::{Join, MirrorPlane, body_joint, concatenate, mirror, mirror_partners, partners_from_names};
use aplomb_motion::kinematics::joint_positions_m;
use aplomb_motion::roles::Roles;
use aplomb_motion::{Clip, FrameIndex, JointId, so3};
use capture_support::{BANDAI_METRES_PER_UNIT, CMU_METRES_PER_UNIT, capture};
use glam::DVec3;

/// Path, unit, and whether one side does what the other does not.
const CAPTURES: [(&str, f64, bool); 8] = [
    ("cmu-bvh/walk-straight/16_15.bvh", CMU_METRES_PER_UNIT, false),
    ("cmu-bvh/walk-turn/16_11.bvh", CMU_METRES_PER_UNIT, false),
    ("cmu-bvh/walk-straight/02_01.bvh", CMU_METRES_PER_UNIT, false),
    ("bandai-bvh/dataset-1_walk_normal_001.bvh", BANDAI_METRES_PER_UNIT, false),
    ("bandai-bvh/dataset-2_run_normal_001.bvh", BANDAI_METRES_PER_UNIT, false),
    ("bandai-bvh/dataset-1_kick_normal_001.bvh", BANDAI_METRES_PER_UNIT, true),
    ("bandai-bvh/dataset-2_wave-right-hand_normal_001.bvh", BANDAI_METRES_PER_UNIT, true),
    ("bvh-dialects/geno_stance_lafan1_resolved.bvh", 0.01, false),
];

fn reflected(p: DVec3) -> DVec3 {
    DVec3::new(-p.x, p.y, p.z)
}

/// For each joint, the sum over its chain of what remains between each bone and its partner's after the reflection that
/// suits all bones of their parent best: the skeleton's own asymmetry, which no mirroring of its motion can remove.
/// CMU's rest axes are the world's, and only x → −x comes into question there (the crooked spine of subject 16 would
/// suit z → −z better).
fn asymmetry_m(clip: &Clip, partners: &[JointId], is_cmu: bool) -> Vec<f64> {
    let skeleton = clip.skeleton();
    let signs = [DVec3::new(-1.0, 1.0, 1.0), DVec3::new(1.0, -1.0, 1.0), DVec3::new(1.0, 1.0, -1.0), DVec3::NEG_ONE];
    let signs = if is_cmu { &signs[..1] } else { &signs[..] };
    let bone_m = |joint: JointId| match clip.track(joint) {
        Some(track) => track[0],
        None => skeleton.joint(joint).offset_m,
    };
    let difference_m = |joint: JointId, sign: DVec3| (sign * bone_m(joint) - bone_m(partners[joint.index()])).length();
    let mut sums: Vec<f64> = Vec::new();
    for joint in skeleton.ids() {
        let Some(parent) = skeleton.parent(joint) else {
            sums.push(0.0);
            continue;
        };
        let misfit =
            |sign: &DVec3| skeleton.children(parent).iter().map(|&c| difference_m(c, *sign).powi(2)).sum::<f64>();
        let best = signs.iter().copied().min_by(|a, b| misfit(a).total_cmp(&misfit(b))).unwrap();
        // A track moves over with its joint.
        let own = if clip.track(joint).is_some() { 0.0 } else { difference_m(joint, best) };
        sums.push(sums[parent.index()] + own);
    }
    sums
}

/// How far each joint's mirrored rotations are from any rotation it had in the capture, at most.
fn departures_rad(clip: &Clip, mirrored: &Clip) -> Vec<f64> {
    let some = |clip: &Clip| {
        (0..clip.frame_count()).step_by(clip.frame_count().div_ceil(60)).map(FrameIndex).collect::<Vec<_>>()
    };
    let frames = some(clip);
    let departure = |joint: JointId| {
        let nearest = |now: &FrameIndex| {
            let rotation = mirrored.rotation(*now, joint);
            frames
                .iter()
                .map(|&then| so3::angle_between(clip.rotation(then, joint), rotation))
                .fold(f64::INFINITY, f64::min)
        };
        frames.iter().map(nearest).fold(0.0, f64::max)
    };
    clip.skeleton().ids().map(departure).collect()
}

#[test]
fn captures_are_mirrored() {
    for (name, metres_per_unit, one_sided) in CAPTURES {
        let Some(clip) = capture(name, metres_per_unit) else { return };
        let roles = Roles::detect(&clip);
        let partners = mirror_partners(clip.skeleton(), |joint| roles.mirror_partner(joint)).unwrap();
        assert_eq!(partners, partners_from_names(clip.skeleton()).unwrap(), "{name}");
        let mirrored = mirror(&clip, &partners, MirrorPlane::AcrossX).unwrap();
        let (before, after) = (joint_positions_m(&clip), joint_positions_m(&mirrored));
        let joints = partners.len();
        let mut worst_m = vec![0.0_f64; joints];
        for (index, found) in after.iter().enumerate() {
            let partner = before[index / joints * joints + partners[index % joints].index()];
            let error_m = (*found - reflected(partner)).length();
            worst_m[index % joints] = worst_m[index % joints].max(error_m);
        }
        let asymmetry_m = asymmetry_m(&clip, &partners, name.starts_with("cmu"));
        let departures_rad = departures_rad(&clip, &mirrored);
        let pelvis = body_joint(clip.skeleton());
        let largest = |values: &[f64]| values.iter().copied().fold(0.0, f64::max);
        println!(
            "{name}: worst position {:.2} mm, bones differ by up to {:.2} mm along a chain, largest departure {:.0}°",
            largest(&worst_m) * 1e3,
            largest(&asymmetry_m) * 1e3,
            largest(&departures_rad[pelvis.index() + 1..]).to_degrees()
        );
        for joint in clip.skeleton().ids() {
            let label = &clip.skeleton().joint(joint).name;
            let (worst_m, bound_m) = (worst_m[joint.index()], asymmetry_m[joint.index()]);
            // Files hold six digits: tracks wander by 1e-7 m about the bone they repeat.
            assert!(worst_m <= bound_m + 1e-6, "{name}, {label}: {worst_m} m off, asymmetry {bound_m} m");
            // Strides show both sides the same poses. CMU's thumbs, not captured, have one constant angle a
            // side, 46° apart.
            let departure_rad = departures_rad[joint.index()];
            assert!(joint <= pelvis || one_sided || departure_rad < 0.9, "{name}, {label}: {departure_rad} rad");
        }
        let twice = mirror(&mirrored, &partners, MirrorPlane::AcrossX).unwrap();
        for (found, original) in twice.rotations().iter().zip(clip.rotations()) {
            assert!(so3::angle_between(*found, *original) < 1e-12, "{name}");
        }
    }
}

/// The twist of a straight bone is chosen from the motion: a one-sided motion must not choose otherwise than a walk
/// does.
#[test]
fn one_sided_motions_are_mirrored_as_walks_are() {
    let Some(walk) = capture("bandai-bvh/dataset-1_walk_normal_001.bvh", BANDAI_METRES_PER_UNIT) else { return };
    let partners = partners_from_names(walk.skeleton()).unwrap();
    let folder =
        ["dataset-1_kick", "dataset-1_punch", "dataset-1_slash", "dataset-1_byebye", "dataset-2_wave-right-hand"];
    for name in folder {
        let path = format!("bandai-bvh/{name}_normal_001.bvh");
        let Some(clip) = capture(&path, BANDAI_METRES_PER_UNIT) else { return };
        let alone = mirror(&clip, &partners, MirrorPlane::AcrossX).unwrap();
        let walks = concatenate(&[&walk, &walk, &walk, &walk, &clip], Join::AsIs).unwrap();
        let together = mirror(&walks, &partners, MirrorPlane::AcrossX).unwrap();
        let joints = partners.len();
        let tail = &together.rotations()[together.rotations().len() - clip.rotations().len()..];
        for (index, (a, b)) in alone.rotations().iter().zip(tail).enumerate() {
            let joint = &clip.skeleton().joints()[index % joints].name;
            assert!(so3::angle_between(*a, *b) < 1e-9, "{name}: {joint} in frame {}", index / joints);
        }
    }
}

/// Every skeleton of the data folder: partners are found, and mirroring is accepted and undone by itself. Unit and up
/// axis do not matter here; 3 cm a unit is between all of them.
#[test]
fn every_capture_is_mirrored() {
    for path in capture_support::bvh_files() {
        let Some(clip) = capture(&path, 0.03) else { return };
        let roles = Roles::detect(&clip);
        let partners = mirror_partners(clip.skeleton(), |joint| roles.mirror_partner(joint));
        let partners = partners.unwrap_or_else(|error| panic!("{path}: {error}"));
        let mirrored = mirror(&clip, &partners, MirrorPlane::AcrossX).unwrap_or_else(|error| panic!("{path}: {error}"));
        let twice = mirror(&mirrored, &partners, MirrorPlane::AcrossX).unwrap();
        for (found, original) in twice.rotations().iter().zip(clip.rotations()) {
            assert!(so3::angle_between(*found, *original) < 1e-12, "{path}");
        }
    }
}

//! Joint limits, jitter and self-intersection on real captures: clean clips are hardly ever accused, broken ones are
//! found.

mod common;

use aplomb_analysis::Take;
use aplomb_analysis::report::Checks;
use aplomb_formats::{ReadOptions, read_file};
use aplomb_motion::{Clip, JointId, Role, Roles, Side, WorldPose};
use aplomb_physics::{Body, BodyOptions};
use common::{captures, files_below};
use glam::{DQuat, DVec3};
use rayon::prelude::*;
use std::path::{Path, PathBuf};

fn checked(clip: &Clip, roles: &Roles) -> Checks {
    let body = Body::of_clip(clip, roles, &BodyOptions::default()).unwrap();
    Take::new(clip.clone(), roles.clone(), body.clone()).into_inspection().unwrap().checks
}

fn read(path: &Path) -> (Clip, Roles) {
    let import = read_file(path, &ReadOptions::default()).unwrap();
    (import.clip, import.roles)
}

/// Clips of a folder, and those with findings about limits, jitter and intersections.
fn accused(folder: &Path, kind: &str) -> [usize; 4] {
    let files = files_below(&folder.join(kind), "bvh");
    let found: Vec<(PathBuf, Checks)> = files
        .par_iter()
        .map(|path| {
            let (clip, roles) = read(path);
            (path.clone(), checked(&clip, &roles))
        })
        .collect();
    let count = |of: &dyn Fn(&Checks) -> usize| found.iter().filter(|(_, checks)| of(checks) > 0).count();
    for (path, checks) in &found {
        let name = path.file_stem().unwrap().to_str().unwrap();
        for it in &checks.joint_limits {
            let (joint, motion, beyond_deg) = (&it.joint, &it.motion, it.beyond_deg);
            eprintln!("  {name}: {joint} {motion}, {beyond_deg:.0}° at {:.2} s, {:.0} %", it.secs, 100.0 * it.share);
        }
        for it in &checks.intersections {
            eprintln!("  {name}: {} in {}, {:.3} m at {:.2} s", it.joint_a, it.joint_b, it.depth_m, it.secs);
        }
        let numbers = checks.joint_limits.iter().flat_map(|it| [it.beyond_deg, it.secs, it.share]);
        assert!(numbers.chain(checks.jitter.iter().map(|it| it.noise_mm)).all(f64::is_finite), "{name}");
    }
    let of_kind = [
        files.len(),
        count(&|it| it.joint_limits.len()),
        count(&|it| it.jitter.len()),
        count(&|it| it.intersections.len()),
    ];
    eprintln!("{kind}: clips, with limits, jitter, intersections: {of_kind:?}");
    of_kind
}

/// Most findings in clean captures are true: feet that flip for some frames (83_57, 104_06), hands that pop (16_15).
#[test]
fn clean_captures_are_hardly_ever_accused() {
    let Some(folder) = captures("checks on captures") else { return };
    let sum = |kinds: &[&str]| {
        let counts = kinds.iter().map(|kind| accused(&folder, kind));
        counts.fold([0; 4], |sum, counts| std::array::from_fn(|index| sum[index] + counts[index]))
    };
    let gaits =
        sum(&["cmu-bvh/walk-straight", "cmu-bvh/walk-turn", "cmu-bvh/run", "cmu-bvh/jump-vertical", "cmu-bvh/hop"]);
    assert!(gaits[0] == 50 && gaits[1] == 0 && gaits[3] <= 4, "{gaits:?}");
    let bandai = sum(&["bandai-bvh"]);
    assert!(bandai[0] == 19 && bandai[1] <= 1 && bandai[3] <= 4, "{bandai:?}");
    let rest = [
        "cmu-bvh/jump-forward",
        "cmu-bvh/jump-turn",
        "cmu-bvh/transition",
        "cmu-bvh/gesture-upper",
        "cmu-bvh/dance",
        "cmu-bvh/sit",
        "cmu-bvh/acrobatics",
        "cmu-bvh/obstacle",
        "cmu-bvh/stairs-terrain",
        "cmu-bvh/swing-carry",
        "other-bvh",
        "bvh-dialects",
    ];
    let rest = sum(&rest);
    assert!(rest[1] * 4 < rest[0] && rest[3] * 4 < rest[0], "{rest:?}");
}

/// Turns the bone below `joint` about a world axis, in the middle third of the clip.
fn turned(clip: &Clip, joint: JointId, angle_deg: f64, axis: impl Fn(&WorldPose) -> DVec3) -> Clip {
    let mut broken = clip.clone();
    let mut pose = WorldPose::for_skeleton(clip.skeleton());
    let frames = clip.frame_count();
    for frame in clip.frames().filter(|frame| (frames / 3..2 * frames / 3).contains(&frame.0)) {
        pose.pose(clip, frame);
        let world_from_joint = pose.world_from_joint[joint.index()];
        let in_joint = world_from_joint.conjugate() * axis(&pose).normalize();
        let local = clip.rotation(frame, joint) * DQuat::from_axis_angle(in_joint, angle_deg.to_radians());
        broken.set_rotation(frame, joint, local.normalize());
    }
    broken
}

/// The axis that straightens a bent limb, and overextends it beyond.
fn straightening(roles: &Roles, upper: Role, middle: Role, end: Role) -> impl Fn(&WorldPose) -> DVec3 + use<> {
    let [upper, middle, end] = [upper, middle, end].map(|role| roles.joint(role).unwrap());
    move |pose| {
        let at = |joint: JointId| pose.joint_in_world_m[joint.index()];
        let (above, below) = (at(middle) - at(upper), at(end) - at(middle));
        below.cross(above)
    }
}

fn bend_deg(pose: &WorldPose, roles: &Roles, roles3: [Role; 3]) -> f64 {
    let [upper, middle, end] = roles3.map(|role| pose.joint_in_world_m[roles.joint(role).unwrap().index()]);
    (middle - upper).angle_between(end - middle).to_degrees()
}

/// Bends a limb backward: from every frame's own bend to `beyond_deg` the other way.
fn overextended(clip: &Clip, roles: &Roles, limb: [Role; 3], beyond_deg: f64) -> Clip {
    let joint = roles.joint(limb[1]).unwrap();
    let mut broken = clip.clone();
    let mut pose = WorldPose::for_skeleton(clip.skeleton());
    let axis = straightening(roles, limb[0], limb[1], limb[2]);
    let frames = clip.frame_count();
    for frame in clip.frames().filter(|frame| (frames / 3..2 * frames / 3).contains(&frame.0)) {
        pose.pose(clip, frame);
        let in_joint = pose.world_from_joint[joint.index()].conjugate() * axis(&pose).normalize();
        let angle_deg = bend_deg(&pose, roles, limb) + beyond_deg;
        let local = clip.rotation(frame, joint) * DQuat::from_axis_angle(in_joint, angle_deg.to_radians());
        broken.set_rotation(frame, joint, local.normalize());
    }
    broken
}

#[test]
fn broken_poses_are_found() {
    let Some(folder) = captures("checks on captures") else { return };
    let leg = [Role::Thigh(Side::Left), Role::Shank(Side::Left), Role::Foot(Side::Left)];
    let arm = [Role::UpperArm(Side::Right), Role::Forearm(Side::Right), Role::Hand(Side::Right)];
    for file in [
        "cmu-bvh/walk-straight/16_15.bvh",
        "cmu-bvh/run/09_01.bvh",
        "cmu-bvh/jump-forward/83_49.bvh",
        "bandai-bvh/dataset-1_walk_normal_001.bvh",
    ] {
        let (clip, roles) = read(&folder.join(file));
        let finds = |broken: &Clip, motion: &str| {
            let checks = checked(broken, &roles);
            eprintln!("{file}: {:?}", checks.joint_limits);
            checks.joint_limits.iter().any(|it| it.motion == motion && (0.2..0.4).contains(&it.share))
        };
        assert!(finds(&overextended(&clip, &roles, leg, 30.0), "knee bends backward"), "{file}");
        assert!(finds(&overextended(&clip, &roles, arm, 40.0), "elbow overextended"), "{file}");
        let head = roles.joint(Role::Head).unwrap();
        assert!(finds(&turned(&clip, head, 150.0, |_| DVec3::Y), "head turned too far"), "{file}");
        // The right hand into the belly: the arm is folded through the trunk.
        let upper = roles.joint(Role::UpperArm(Side::Right)).unwrap();
        let chest = roles.joint(Role::Spine(0)).unwrap();
        let hand = roles.joint(Role::Hand(Side::Right)).unwrap();
        let inward = turned_onto(&clip, upper, hand, chest);
        let checks = checked(&inward, &roles);
        eprintln!("{file}: {:?}", checks.intersections);
        assert!(!checks.intersections.is_empty(), "{file}");
    }
}

/// Points the bone from `joint` to `end` at `target`, in the middle third.
fn turned_onto(clip: &Clip, joint: JointId, end: JointId, target: JointId) -> Clip {
    let mut broken = clip.clone();
    let mut pose = WorldPose::for_skeleton(clip.skeleton());
    let frames = clip.frame_count();
    for frame in clip.frames().filter(|frame| (frames / 3..2 * frames / 3).contains(&frame.0)) {
        pose.pose(clip, frame);
        let at = |joint: JointId| pose.joint_in_world_m[joint.index()];
        let (from, to) = ((at(end) - at(joint)).normalize(), (at(target) - at(joint)).normalize());
        let world_from_joint = pose.world_from_joint[joint.index()];
        let local = clip.rotation(frame, joint)
            * world_from_joint.conjugate()
            * DQuat::from_rotation_arc(from, to)
            * world_from_joint;
        broken.set_rotation(frame, joint, local.normalize());
    }
    broken
}

//! Joints that are not simulated: legs under a held pelvis, collar bones, fingers.

use aplomb_motion::{Clip, FrameIndex, JointId, LimbKind, Role, Roles, Side, WorldPose, so3};
use aplomb_physics::dynamics::{DynamicSkeleton, JointKind};
use aplomb_physics::simulation::ServoGains;
use glam::{DQuat, DVec3};
use serde::{Deserialize, Serialize};

/// What pelvis and legs do while the upper body is simulated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Lower {
    /// They follow the capture as late and as smoothly as a servo would, so that the body stays in step with itself.
    #[default]
    Follow,
    /// As captured: feet stay as they were, and what shakes in the pelvis shakes the hands.
    Captured,
    /// They stand still where the simulation holds the pelvis, as in Zordan & Hodgins 1999: things that hands strike
    /// are where they are drawn.
    Held,
}

/// The frames that simulated links are put into.
pub(super) fn filled_in(
    clip: &Clip,
    roles: &Roles,
    skeleton: &DynamicSkeleton,
    gains: ServoGains,
    lower: Lower,
) -> Clip {
    match lower {
        Lower::Captured => clip.clone(),
        Lower::Follow => following(clip, gains),
        Lower::Held => held(&following(clip, gains), roles, skeleton),
    }
}

/// Every joint behind a servo of its own, q̈ = s (q_d − q) − c q̇: what the simulation does to a joint that nothing
/// else disturbs.
fn following(clip: &Clip, gains: ServoGains) -> Clip {
    let (stiffness, time_secs) = (gains.stiffness_per_s2, gains.damping_time_secs());
    let mut out = clip.clone();
    let frames = clip.frame_count();
    let secs = |frame: usize| clip.time_secs(FrameIndex(frame));
    // Implicit, as the simulation's own steps: (1 + h c + h² s) a = s (e − h v) − c v.
    let rate = |error: DVec3, rate: DVec3, step_secs: f64| {
        let damping = stiffness * time_secs;
        let pull = (error - rate * step_secs) * stiffness - rate * damping;
        rate + pull * (step_secs / (1.0 + step_secs * damping + step_secs * step_secs * stiffness))
    };
    const STEPS: usize = 4;
    for joint in clip.skeleton().ids() {
        let (mut q, mut spin) = (clip.rotation(FrameIndex(0), joint), DVec3::ZERO);
        for frame in 1..frames {
            let (from, to) = (clip.rotation(FrameIndex(frame - 1), joint), clip.rotation(FrameIndex(frame), joint));
            let step_secs = (secs(frame) - secs(frame - 1)) / STEPS as f64;
            for step in 1..=STEPS {
                let wanted = so3::slerp(from, to, step as f64 / STEPS as f64);
                spin = rate(so3::log(q.conjugate() * wanted), spin, step_secs);
                q = (q * so3::exp(spin * step_secs)).normalize();
            }
            out.set_rotation(FrameIndex(frame), joint, q);
        }
    }
    for track in out.tracks_mut() {
        let wanted = track.positions_m.clone();
        let (mut at, mut velocity) = (wanted.first().copied().unwrap_or_default(), DVec3::ZERO);
        for frame in 1..frames {
            let step_secs = (secs(frame) - secs(frame - 1)) / STEPS as f64;
            for step in 1..=STEPS {
                let goal = wanted[frame - 1].lerp(wanted[frame], step as f64 / STEPS as f64);
                velocity = rate(goal - at, velocity, step_secs);
                at += velocity * step_secs;
            }
            track.positions_m[frame] = at;
        }
    }
    out
}

/// Every joint that is no link at its mean, links as wanted: the clip as a model that folds those joints sees it, so
/// that points of the clip are points of the simulation.
pub(super) fn settled(clip: &Clip, roles: &Roles, skeleton: &DynamicSkeleton) -> Clip {
    let mut out = held(clip, roles, skeleton);
    let links = &skeleton.links;
    for joint in clip.skeleton().ids().filter(|&joint| links.link_of(joint).is_none()) {
        let all: Vec<DQuat> = clip.frames().map(|frame| clip.rotation(frame, joint)).collect();
        let mean = so3::weighted_mean(&all, &vec![1.0; all.len()]).unwrap_or(all[0]);
        clip.frames().for_each(|frame| out.set_rotation(frame, joint, mean));
    }
    let mut pose = WorldPose::for_skeleton(clip.skeleton());
    let mut q = links.model.neutral();
    for frame in clip.frames() {
        pose.pose(clip, frame);
        links.configuration(&pose, &mut q);
        skeleton.put(&q, &mut out, frame, &mut pose);
    }
    out
}

/// Pelvis where the model holds it, legs as they are on average.
fn held(clip: &Clip, roles: &Roles, skeleton: &DynamicSkeleton) -> Clip {
    let model = &skeleton.links.model;
    let mut out = clip.clone();
    let Some(root) = model.links().find(|&link| model.kind(link) == JointKind::Fixed) else { return out };
    let hips = skeleton.links.joints[root.index()];
    let bones = clip.skeleton();
    let legs = Side::BOTH.into_iter().filter_map(|side| roles.limb(side, LimbKind::Leg));
    let legs: Vec<JointId> = legs
        .flat_map(|limb| bones.ids().filter(move |&id| bones.is_in_subtree(id, limb.root)).collect::<Vec<_>>())
        .collect();
    for &joint in &legs {
        let all: Vec<DQuat> = clip.frames().map(|frame| clip.rotation(frame, joint)).collect();
        let mean = so3::weighted_mean(&all, &vec![1.0; all.len()]).unwrap_or(all[0]);
        clip.frames().for_each(|frame| out.set_rotation(frame, joint, mean));
    }
    let mut pose = WorldPose::for_skeleton(bones);
    for frame in clip.frames() {
        pose.pose(clip, frame);
        let (world_from_parent, parent_m) = match bones.parent(hips) {
            Some(parent) => (pose.world_from_joint[parent.index()], pose.joint_in_world_m[parent.index()]),
            None => (DQuat::IDENTITY, DVec3::ZERO),
        };
        let back = world_from_parent.conjugate();
        out.set_rotation(frame, hips, (back * model.rest(root)).normalize());
        if let Some(track) = out.track_mut(hips) {
            track[frame.0] = back * (model.offset_m(root) - parent_m);
        }
    }
    debug_assert!(roles.joint(Role::Hips).is_none_or(|role| role == hips));
    out
}

//! Hands against their forearms: wrists have no range in captures (clean ones reach 100°), but a clip shows its own.

use super::{JointTurned, sustained, sustained_rows};
use aplomb_motion::{Clip, FrameIndex, Role, Roles, Side, so3};
use glam::DQuat;

/// Poses of the clip that are looked at: hands that move on go from one to the next by less than is asked about.
const MOST_POSES: usize = 240;

/// The hand that is held farthest from every pose that it has in the first clip.
pub(super) fn farthest(roles: &Roles, clips: [&Clip; 2], skipped: usize, after_hz: f64) -> Option<JointTurned> {
    let hands = Side::BOTH.into_iter().filter_map(|side| roles.joint(Role::Hand(side)));
    let turned = hands.filter_map(|hand| {
        let known = skipped..clips[0].frame_count();
        let every = known.len().div_ceil(MOST_POSES).max(1);
        let poses: Vec<DQuat> = known.step_by(every).map(|frame| clips[0].rotation(FrameIndex(frame), hand)).collect();
        let beyond_deg = |frame: usize| {
            let own = clips[1].rotation(FrameIndex(frame), hand);
            let nearest = poses.iter().copied().max_by(|a, b| a.dot(own).abs().total_cmp(&b.dot(own).abs()));
            nearest.map_or(f64::NAN, |pose| so3::angle_between(pose, own).to_degrees())
        };
        let angles_deg: Vec<f64> = (0..clips[1].frame_count()).map(beyond_deg).collect();
        let (held_deg, frame) = sustained(&angles_deg, sustained_rows(after_hz), 0.0)?;
        let joint = clips[1].skeleton().joint(hand).name.clone();
        Some(JointTurned { joint, held_deg, at_secs: clips[1].time_secs(FrameIndex(frame)) })
    });
    turned.max_by(|a, b| a.held_deg.total_cmp(&b.held_deg))
}

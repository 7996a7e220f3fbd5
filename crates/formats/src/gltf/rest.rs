//! The rest pose of the nodes: no joint turned, every joint at its usual place in its parent.

use aplomb_motion::Clip;
use glam::DVec3;

/// Local translation of every joint at rest: its offset; where the translation is animated the first frame's for a root
/// (so that a viewer without animation shows the figure where the motion begins), and the mean for an inner joint,
/// whose offset may be a placeholder that the file's channels replace.
pub(super) fn translations_m(clip: &Clip) -> Vec<DVec3> {
    let skeleton = clip.skeleton();
    let mut rest_m: Vec<DVec3> = skeleton.joints().iter().map(|joint| joint.offset_m).collect();
    for track in clip.tracks() {
        let positions_m = &track.positions_m;
        let Some(&first_m) = positions_m.first() else { continue };
        let is_root = skeleton.parent(track.joint).is_none();
        rest_m[track.joint.index()] = if is_root { first_m } else { mean_m(positions_m) };
    }
    rest_m
}

/// Exact where nothing moves: a translation that is animated and still must not change by the rounding of a sum.
fn mean_m(positions_m: &[DVec3]) -> DVec3 {
    let first_m = positions_m[0];
    // Divided before the sum: a file may hold lengths whose sum overflows.
    let share = 1.0 / positions_m.len() as f64;
    first_m + positions_m.iter().map(|&position_m| (position_m - first_m) * share).sum::<DVec3>()
}

/// Where every joint stands in the world at rest.
pub(super) fn positions_m(clip: &Clip, rest_m: &[DVec3]) -> Vec<DVec3> {
    let mut positions_m: Vec<DVec3> = Vec::with_capacity(rest_m.len());
    for (joint, &local_m) in clip.skeleton().joints().iter().zip(rest_m) {
        let parent_m = joint.parent.map_or(DVec3::ZERO, |parent| positions_m[parent.index()]);
        positions_m.push(parent_m + local_m);
    }
    positions_m
}

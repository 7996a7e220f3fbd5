//! Results put back: clips on the whole skeleton, and forces and torques as a table.

use crate::EditingError;
use crate::adapt::problem::{Evaluator, Problem};
use crate::adapt::start::StagedTrajectory;
use crate::adapt::subject::{BodyChanges, Subject};
use aplomb_motion::edit::{LocalPose, sample_at};
use aplomb_motion::{Clip, FrameIndex, JointId, Skeleton, TranslationTrack, WorldPose};
use std::sync::Arc;

/// A motion on the whole skeleton of the clip it was made from, whose times `old_secs` finds; folded joints keep their
/// own motion.
pub fn on_skeleton(
    subject: &Subject,
    source: &Clip,
    staged: &StagedTrajectory,
    old_secs: &dyn Fn(f64) -> f64,
    changes: &BodyChanges,
) -> Result<Clip, EditingError> {
    let step_secs = source.timeline().uniform().ok_or(EditingError::UnevenFrames)?.secs();
    let skeleton = changed_skeleton(subject, source.skeleton(), changes)?;
    let frames = (staged.end_secs / step_secs + 1e-6).floor() as usize + 1;
    let mut rotations = Vec::with_capacity(frames * skeleton.len());
    let mut tracks: Vec<TranslationTrack> = source
        .tracks()
        .iter()
        .map(|track| TranslationTrack { joint: track.joint, positions_m: Vec::with_capacity(frames) })
        .collect();
    let mut local = LocalPose::for_skeleton(source.skeleton());
    for frame in 0..frames {
        sample_at(source, old_secs(frame as f64 * step_secs), &mut local);
        rotations.extend_from_slice(&local.rotations);
        for track in &mut tracks {
            track.positions_m.push(local.translations_m[track.joint.index()]);
        }
    }
    let clip = Clip::new(skeleton, source.timeline().clone(), frames, rotations, tracks)?;
    let mut clip = subject.skeleton.ready(clip)?;
    let mut pose = WorldPose::for_skeleton(clip.skeleton());
    let mut q = subject.tree().model.neutral();
    for frame in 0..frames {
        let x = staged.trajectory.coordinates_at(frame as f64 * step_secs);
        subject.coordinates.configuration(&x, &mut q);
        subject.skeleton.put(&q, &mut clip, FrameIndex(frame), &mut pose);
    }
    Ok(clip)
}

/// The skeleton with bones of other lengths.
fn changed_skeleton(
    subject: &Subject,
    skeleton: &Arc<Skeleton>,
    changes: &BodyChanges,
) -> Result<Arc<Skeleton>, EditingError> {
    if changes.scaled.is_empty() {
        return Ok(Arc::clone(skeleton));
    }
    let tree = subject.tree();
    let factor_of = |joint: JointId| tree.link_of(joint).map_or(1.0, |link| changes.factor(link));
    // A bone belongs to the nearest link above it; end sites to their own joint.
    let carrier: Vec<_> =
        skeleton.ids().map(|id| skeleton.ancestors(id).find(|joint| tree.link_of(*joint).is_some())).collect();
    let parents: Vec<_> = skeleton.ids().map(|id| skeleton.parent(id)).collect();
    let changed = skeleton.map_joints(|id, joint| {
        let above = parents[id.index()].and_then(|parent| carrier[parent.index()]);
        joint.offset_m *= above.map_or(1.0, factor_of);
        let own = carrier[id.index()].map_or(1.0, factor_of);
        joint.end_sites.iter_mut().for_each(|end| end.offset_m *= own);
    });
    Ok(Arc::new(changed.map_err(|error| EditingError::Goals { problem: error.to_string() })?))
}

/// Forces and torques over time, one row a sample.
#[derive(Clone, Debug, PartialEq)]
pub struct ForceTable {
    /// Names with units: `time_secs`, `left_ball_x_n` …, `left_shank_nm` …
    pub columns: Vec<String>,
    /// As many numbers as columns.
    pub rows: Vec<Vec<f64>>,
    /// What the body weighs, with what it carries, N.
    pub weight_n: f64,
}

/// Contact forces (N, world axes), and for each link the largest torque of its joint about its own axes (N·m), at the
/// source's frames. What the root would need besides, which nothing gives, is `unexplained_n`.
pub fn force_table(
    problem: &Problem<'_>,
    staged: &StagedTrajectory,
    source: &Clip,
) -> Result<ForceTable, EditingError> {
    let step_secs = source.timeline().uniform().ok_or(EditingError::UnevenFrames)?.secs();
    let mut evaluator = Evaluator::new(problem);
    let model = &problem.tree.model;
    let mut columns = vec!["time_secs".to_owned()];
    for touch in &problem.constraints.touches {
        columns.extend(["x", "y", "z"].map(|axis| format!("{}_{axis}_n", touch.name)));
    }
    columns.extend(model.links().skip(1).map(|link| format!("{}_nm", model.name(link))));
    columns.extend(["unexplained_n".to_owned(), "unexplained_nm".to_owned()]);
    let frames = (staged.end_secs / step_secs + 1e-6).floor() as usize + 1;
    let mut rows = Vec::with_capacity(frames);
    for frame in 0..frames {
        let secs = frame as f64 * step_secs;
        let tau = evaluator.inverse_dynamics(&staged.trajectory, secs);
        let mut row = vec![secs];
        for touch in 0..problem.constraints.touches.len() {
            let force = staged.trajectory.force_at(touch, secs) * problem.body_weight_n;
            row.extend(force.to_array());
        }
        row.extend(
            model.links().skip(1).map(|link| problem.coordinates.largest_torque(link, &tau[model.v_range(link)])),
        );
        row.extend([&tau[3..6], &tau[..3]].map(|part| part.iter().map(|value| value * value).sum::<f64>().sqrt()));
        rows.push(row);
    }
    Ok(ForceTable { columns, rows, weight_n: problem.body_weight_n })
}

//! Results put back: clips on the whole skeleton, and forces and torques as a table.

use super::adaptation::{Adapted, Initialised};
use super::figure::Figure;
use super::problem::Problem;
use super::settings::Settings;
use super::stages::Staged;
use crate::EditingError;
use aplomb_motion::edit::{LocalPose, sample_at};
use aplomb_motion::{Clip, FrameIndex, TranslationTrack, WorldPose};
use std::sync::Arc;

impl Initialised {
    /// The fitted motion on the whole skeleton; folded joints keep their own motion.
    pub fn clip(&self, source: &Clip) -> Result<Clip, EditingError> {
        put(&self.figure, source, &self.staged, &|secs| secs, &[])
    }

    /// An adapted motion on the whole skeleton.
    pub fn adapted_clip(&self, source: &Clip, adapted: &Adapted) -> Result<Clip, EditingError> {
        let old_secs = |secs: f64| adapted.maps.iter().rev().fold(secs, |secs, map| map.old_secs(secs));
        put(&adapted.figure, source, &adapted.staged, &old_secs, &adapted.scaled)
    }
}

fn put(
    figure: &Figure,
    source: &Clip,
    staged: &Staged,
    old_secs: &dyn Fn(f64) -> f64,
    scaled: &[super::body::Scaled],
) -> Result<Clip, EditingError> {
    let step_secs = source.timeline().uniform().ok_or(EditingError::UnevenFrames)?.secs();
    let tree = figure.tree();
    let mut skeleton = Arc::clone(source.skeleton());
    if !scaled.is_empty() {
        let factor_of = |joint: aplomb_motion::JointId| {
            let own = scaled.iter().filter(|own| tree.joints[own.link.index()] == joint);
            own.map(|own| own.factor).product::<f64>()
        };
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
        let changed = changed.map_err(|error| EditingError::Goals { problem: error.to_string() })?;
        skeleton = Arc::new(changed);
    }
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
    let mut clip = figure.skeleton.ready(clip)?;
    let mut pose = WorldPose::for_skeleton(clip.skeleton());
    let mut q = tree.model.neutral();
    for frame in 0..frames {
        let x = staged.trajectory.coordinates_at(frame as f64 * step_secs);
        figure.coordinates.configuration(&x, &mut q);
        figure.skeleton.put(&q, &mut clip, FrameIndex(frame), &mut pose);
    }
    Ok(clip)
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

impl Initialised {
    /// Contact forces (N, world axes), and for each link the largest torque of its joint about its own axes (N·m), of an adapted motion at the
    /// source's frames. What the root would need besides, which nothing gives, is `unexplained_n`.
    pub fn forces(&self, source: &Clip, adapted: &Adapted) -> Result<ForceTable, EditingError> {
        let problem = adapted.settings.problem(&adapted.figure, &adapted.tree, &adapted.staged, 1.0);
        table(&problem, &adapted.staged, source)
    }

    /// The same of the fitted motion.
    pub fn fitted_forces(&self, source: &Clip) -> Result<ForceTable, EditingError> {
        let settings = Settings::of_figure(&self.figure);
        table(&settings.problem(&self.figure, self.figure.tree(), &self.staged, 1.0), &self.staged, source)
    }
}

fn table(problem: &Problem<'_>, staged: &Staged, source: &Clip) -> Result<ForceTable, EditingError> {
    let step_secs = source.timeline().uniform().ok_or(EditingError::UnevenFrames)?.secs();
    let mut evaluator = super::rows::Evaluator::new(problem);
    let model = &problem.tree.model;
    let mut columns = vec!["time_secs".to_owned()];
    for touch in &problem.touches {
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
        for touch in 0..problem.touches.len() {
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

//! Results put back: clips on the whole skeleton, and forces and torques as a table.

use super::adaptation::{Adapted, Initialised};
use super::stages::Staged;
use crate::EditingError;
use aplomb_motion::edit::{LocalPose, sample_at};
use aplomb_motion::{Clip, FrameIndex, TranslationTrack, WorldPose};
use std::sync::Arc;

impl Initialised {
    /// The fitted motion on the whole skeleton; folded joints keep their own motion.
    pub fn clip(&self, source: &Clip) -> Result<Clip, EditingError> {
        self.put(source, &self.staged, &|secs| secs, &[])
    }

    /// An adapted motion on the whole skeleton.
    pub fn adapted_clip(&self, source: &Clip, adapted: &Adapted) -> Result<Clip, EditingError> {
        let old_secs = |secs: f64| adapted.maps.iter().rev().fold(secs, |secs, map| map.old_secs(secs));
        self.put(source, &adapted.staged, &old_secs, &adapted.scaled)
    }

    fn put(
        &self,
        source: &Clip,
        staged: &Staged,
        old_secs: &dyn Fn(f64) -> f64,
        scaled: &[super::body::Scaled],
    ) -> Result<Clip, EditingError> {
        let step_secs = source.timeline().uniform().ok_or(EditingError::UnevenFrames)?.secs();
        let tree = self.figure.tree();
        let mut skeleton = Arc::clone(source.skeleton());
        if !scaled.is_empty() {
            let factor_of = |joint: aplomb_motion::JointId| {
                let own = scaled.iter().filter(|own| tree.joints[own.link.index()] == joint);
                own.map(|own| own.factor).product::<f64>()
            };
            // A bone belongs to the nearest link above it; end sites to their own joint.
            let carrier: Vec<_> = skeleton
                .ids()
                .map(|id| skeleton.ancestors(id).find(|joint| tree.link_of(*joint).is_some()))
                .collect();
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
        let mut clip = self.figure.skeleton.ready(clip)?;
        let mut pose = WorldPose::for_skeleton(clip.skeleton());
        let mut q = tree.model.neutral();
        for frame in 0..frames {
            let x = staged.trajectory.coordinates_at(frame as f64 * step_secs);
            self.figure.coordinates.configuration(&x, &mut q);
            self.figure.skeleton.put(&q, &mut clip, FrameIndex(frame), &mut pose);
        }
        Ok(clip)
    }
}

//! From joints back to the values of bones, and what the bones could not hold.

use super::AsfAmcDocument;
use super::clip::{RotationMap, TranslationMap};
use crate::angle_path::{AnglePaths, Edit, same_rotation};
use crate::diagnostic::Diagnostic;
use crate::row_match::{match_rows, pose_key};
use aplomb_motion::{Clip, FrameIndex, FrameOfReference, JointId, euler};
use glam::DVec3;

/// Angles and lengths that differ by less were not edited: solving back from a quaternion of unit length rounds around
/// 1e-13°, next to a singularity around 1e-10°.
const UNCHANGED: f64 = 1e-9;

/// Whether a value solved for is the one it was: many turns and far places round in their own last digits on top.
fn is_same(value: f64, before: f64, magnitude: f64) -> bool {
    (value - before).abs() <= UNCHANGED + 8.0 * f64::EPSILON * magnitude
}

/// A loss below this is rounding: six printed digits of 100° are worth 9e-6 rad.
pub(crate) const REPORTED_LOSS_RAD: f64 = 1e-6;

/// Likewise for lengths in file units (some 6 cm each): six digits of 10 are worth 5e-5.
pub(crate) const REPORTED_LOSS_UNITS: f64 = 1e-6;

/// The largest of something, and where.
#[derive(Clone, Copy, Default)]
struct Worst {
    amount: f64,
    joint: usize,
    frame: usize,
    count: usize,
}

impl Worst {
    fn add(&mut self, amount: f64, threshold: f64, joint: usize, frame: usize) {
        if amount <= threshold {
            return;
        }
        self.count += 1;
        if amount > self.amount {
            *self = Self { amount, joint, frame, count: self.count };
        }
    }
}

/// Solves frames of a clip for the values of the document's bones.
pub(super) struct Solver<'a> {
    document: &'a AsfAmcDocument,
    frame_of_reference: FrameOfReference,
    rotations: Vec<RotationMap>,
    translations: Vec<TranslationMap>,
    /// The source's frame that each frame of the clip is, or is an edit of.
    rows: Vec<Option<usize>>,
    /// Found at the first edit.
    paths: Option<AnglePaths>,
    turned: Worst,
    shifted: Worst,
    beyond: Worst,
    beyond_text: String,
}

impl<'a> Solver<'a> {
    pub fn new(document: &'a AsfAmcDocument, clip: &Clip, frame_of_reference: FrameOfReference) -> Self {
        let (rotations, translations) = (document.rotation_maps(), document.translation_maps());
        let rows = rows_of_frames(document, clip, frame_of_reference, &rotations, &translations);
        Self {
            document,
            frame_of_reference,
            rotations,
            translations,
            rows,
            paths: None,
            turned: Worst::default(),
            shifted: Worst::default(),
            beyond: Worst::default(),
            beyond_text: String::new(),
        }
    }

    /// The source's frame that a frame of the clip is, or is an edit of.
    pub fn source_frame(&self, frame: FrameIndex) -> Option<usize> {
        self.rows.get(frame.0).copied().flatten()
    }

    /// The source's first frame that is in the clip: where a clip with frames of its own begins.
    pub fn first_source_frame(&self) -> usize {
        self.rows.iter().flatten().next().copied().unwrap_or(0)
    }

    /// Turns `row` into the values of one frame. `row` holds the frame as it was read (then joints that are the same to
    /// the bit keep their values to the bit) or a frame near it (then it only picks among equivalent angles).
    /// `previous` is what was written for the frame before.
    pub fn solve(
        &mut self,
        clip: &Clip,
        frame: FrameIndex,
        previous: Option<&[f64]>,
        row: &mut [f64],
    ) -> Result<(), Box<Diagnostic>> {
        for joint in 0..self.rotations.len() {
            self.solve_rotation(clip, frame, joint, previous, row);
        }
        let mut solved = Vec::new();
        for joint in 0..self.translations.len() {
            self.solve_translation(clip, frame, joint, row, &mut solved)?;
        }
        Ok(())
    }

    fn solve_rotation(
        &mut self,
        clip: &Clip,
        frame: FrameIndex,
        joint: usize,
        previous: Option<&[f64]>,
        row: &mut [f64],
    ) {
        let wanted = clip.rotation(frame, JointId::new(joint));
        let axes = self.frame_of_reference.internal_from_file;
        if same_rotation(axes.rotation(self.rotations[joint].local(row)), wanted) {
            return;
        }
        if self.paths.is_none() {
            self.paths = Some(self.decide_paths(clip));
        }
        let map = &self.rotations[joint];
        // M = C⁻¹·R·C, split in dof order; the same turn for bones without C.
        let motion = map.motion(axes.inverse().rotation(wanted));
        let is_near_source = self.paths.as_ref().is_some_and(|paths| paths.is_near_source(frame.0, joint));
        let reference_deg = match previous {
            Some(previous) if !is_near_source => map.angles_deg(previous),
            _ => map.angles_deg(row),
        };
        let found = euler::deg_near(motion, &map.axes, &reference_deg);
        let reference_deg = map.angles_deg(row);
        self.turned.add(found.loss_rad, REPORTED_LOSS_RAD, joint, frame.0);
        let angle = self.document.amc.angle_unit();
        let columns = map.columns.clone();
        for ((column, angle_deg), reference_deg) in columns.into_iter().zip(found.angles_deg).zip(reference_deg) {
            if !is_same(angle_deg, reference_deg, reference_deg.abs()) {
                // Adding 0 turns the −0 of some solutions into a plain 0.
                row[column] = angle.from_deg(angle_deg) + 0.0;
                self.check_limit(joint, frame, column, angle_deg);
            }
        }
    }

    /// One look at all frames, to find the runs of edited ones.
    fn decide_paths(&self, clip: &Clip) -> AnglePaths {
        let axes = self.frame_of_reference.internal_from_file;
        AnglePaths::decide(clip.frame_count(), self.rotations.len(), |frame, edits| {
            let Some(source) = self.source_frame(FrameIndex(frame)) else { return edits.fill(Edit::Large) };
            let values = self.document.amc.frame(source);
            let rotations = clip.rotations_at(FrameIndex(frame));
            for ((edit, &rotation), map) in edits.iter_mut().zip(rotations).zip(&self.rotations) {
                *edit = Edit::between(axes.rotation(map.local(values)), rotation);
            }
        })
    }

    fn solve_translation(
        &mut self,
        clip: &Clip,
        frame: FrameIndex,
        joint: usize,
        row: &mut [f64],
        solved: &mut Vec<usize>,
    ) -> Result<(), Box<Diagnostic>> {
        let map = &self.translations[joint];
        let wanted_m = clip.translation_m(frame, JointId::new(joint));
        if self.frame_of_reference.position_from_file(map.position(row)) == wanted_m {
            return Ok(());
        }
        let wanted = self.frame_of_reference.position_to_file(wanted_m);
        let mut changed = Vec::new();
        match map.stretch {
            // Children of one bone share its length: the first of them decides, and own shifts come before it.
            Some((direction, column)) if map.shifts.is_empty() && !solved.contains(&column) => {
                let along = direction.dot(wanted - map.rest) / direction.length_squared().max(f64::MIN_POSITIVE);
                solved.push(column);
                changed.push((column, along));
            }
            _ => {
                let stretched = map.position(row) - map.shift(row);
                let shift: DVec3 = map.frame.conjugate() * (wanted - stretched);
                changed.extend(map.shifts.iter().map(|&(axis, column)| (column, shift[axis.index()])));
            }
        }
        for &(column, value) in &changed {
            if !is_same(value, row[column], wanted.length() + map.rest.length()) {
                row[column] = value;
            }
        }
        let lost = (map.position(row) - wanted).length();
        if !map.moves() && lost > REPORTED_LOSS_UNITS {
            let name = &clip.skeleton().joint(JointId::new(joint)).name;
            let found = format!("{name:?} {lost:.6} file units away from its place in frame {}", frame.0);
            let expected = "bones that keep their length: this skeleton gives the joint no translation";
            return Err(Box::new(Diagnostic::error("AMC-E015", expected, found)));
        }
        self.shifted.add(lost, REPORTED_LOSS_UNITS, joint, frame.0);
        for (column, value) in changed {
            self.check_limit(joint, frame, column, value);
        }
        Ok(())
    }

    /// Values beyond their limits are written all the same: limits describe, they do not clamp.
    fn check_limit(&mut self, joint: usize, frame: FrameIndex, column: usize, value: f64) {
        let bones = self.document.asf.bones();
        let bone = self.document.asf.order().get(joint).map(|&bone| &bones[bone]);
        let Some(bone) = bone.filter(|bone| bone.columns.contains(&column)) else { return };
        let slot = column - bone.columns.start;
        let Some(&(low, high)) = bone.limits.get(slot) else { return };
        let beyond = (low.min(high) - value).max(value - high.max(low));
        let before = self.beyond.amount;
        self.beyond.add(beyond, UNCHANGED, joint, frame.0);
        if self.beyond.amount > before {
            let dof = bone.dof.get(slot).map_or("", |dof| dof.token());
            self.beyond_text = format!("{dof} = {value:.6} outside ({low} {high})");
        }
    }

    /// What could not be held, one line a kind.
    pub fn report(&self, clip: &Clip, notes: &mut Vec<Diagnostic>) {
        let name = |worst: &Worst| clip.skeleton().joint(JointId::new(worst.joint)).name.clone();
        if self.turned.count > 0 {
            let worst = &self.turned;
            let found = format!(
                "{} rotations that their bones cannot hold; the largest loss is {:.4}° at {:?} in frame {}",
                worst.count,
                worst.amount.to_degrees(),
                name(worst),
                worst.frame
            );
            notes.push(Diagnostic::warning("AMC-W011", "rotations within each bone's dof", found));
        }
        if self.shifted.count > 0 {
            let worst = &self.shifted;
            let found = format!(
                "{} translations that their bones cannot hold; the largest loss is {:.6} file units at {:?} in frame {}",
                worst.count,
                worst.amount,
                name(worst),
                worst.frame
            );
            notes.push(Diagnostic::warning("AMC-W012", "translations within each bone's dof", found));
        }
        if self.beyond.count > 0 {
            let worst = &self.beyond;
            let found = format!(
                "{} written as they are; the farthest is {:?} in frame {}: {}",
                worst.count,
                name(worst),
                worst.frame,
                self.beyond_text
            );
            notes.push(Diagnostic::warning("AMC-W013", "edited values within the skeleton's limits", found));
        }
    }
}

/// The source's frame of each frame: one to one if there are as many, else those with the same pose.
fn rows_of_frames(
    document: &AsfAmcDocument,
    clip: &Clip,
    frame: FrameOfReference,
    rotations: &[RotationMap],
    translations: &[TranslationMap],
) -> Vec<Option<usize>> {
    let rows = document.amc.frame_count();
    if rows == clip.frame_count() {
        return (0..rows).map(Some).collect();
    }
    let moving = || translations.iter().enumerate().filter(|(_, map)| map.moves());
    let key_of_frame = |index: usize| {
        let index = FrameIndex(index);
        let positions = moving().map(|(joint, _)| clip.translation_m(index, JointId::new(joint)));
        pose_key(clip.rotations_at(index).iter().copied(), positions)
    };
    let key_of_row = |index: usize| {
        let values = document.amc.frame(index);
        let locals = rotations.iter().map(|map| frame.internal_from_file.rotation(map.local(values)));
        pose_key(locals, moving().map(|(_, map)| frame.position_from_file(map.position(values))))
    };
    match_rows(clip.frame_count(), rows, key_of_frame, key_of_row)
}

//! Blends of clips, as data.

use super::verb::{Context, Made, Verb, VerbError, blamed_on};
use crate::codes;
use crate::error::ProjectError;
use aplomb_analysis::report::IntersectionFinding;
use aplomb_analysis::{Inspection, Keeps, Take};
use aplomb_editing::EditingError;
use aplomb_editing::blend::{
    Blend, BlendOptions, BlendReport, BlendSpace, ManualPhases, Parameter, PhaseTiming, Scheme, check_skeletons,
};
use aplomb_editing::finding::Finding;
use aplomb_editing::footplant::{PlantOptions, plant};
use aplomb_editing::mirror::mirror;
use aplomb_editing::solver_status::SolverStatus;
use aplomb_motion::edit::MirrorPlane;
use aplomb_motion::{Clip, LimbKind, Side, TranslationTrack};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

/// Which motions, and how much of each.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BlendEdit {
    /// The other motions; relative to the project file.
    #[serde(serialize_with = "crate::lossy_path::many")]
    pub clips: Vec<PathBuf>,
    /// One a motion, the first one's first; not negative, summing to 1.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub weights: Vec<f64>,
    /// Instead of weights: what the result shall measure.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub at: BTreeMap<Parameter, f64>,
    /// What is interpolated.
    #[serde(default)]
    pub scheme: Scheme,
    /// How long phases last.
    #[serde(default)]
    pub timing: PhaseTiming,
    /// Rates change smoothly inside contacts.
    #[serde(default)]
    pub smooth_timing: bool,
    /// The velocity that turning takes at landings is made up for inside the contact.
    #[serde(default)]
    pub smooth_facing: bool,
    /// Crouches are keys, too.
    #[serde(default)]
    pub contact_keys: bool,
    /// The other motions are mirrored first.
    #[serde(default)]
    pub mirror: bool,
    /// The other motions are put on the first one's skeleton, and their feet planted.
    #[serde(default)]
    pub first_skeleton: bool,
    /// Phases by hand; relative to the project file.
    #[serde(default, skip_serializing_if = "Option::is_none", serialize_with = "crate::lossy_path::maybe")]
    pub phases: Option<PathBuf>,
}

impl BlendEdit {
    /// These clips in these parts, in the usual way.
    pub fn new(clips: Vec<PathBuf>, weights: Vec<f64>) -> Self {
        Self {
            clips,
            weights,
            at: BTreeMap::new(),
            scheme: Scheme::default(),
            timing: PhaseTiming::default(),
            smooth_timing: false,
            smooth_facing: false,
            contact_keys: false,
            mirror: false,
            first_skeleton: false,
            phases: None,
        }
    }
}

/// How a blend went, for receipts.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BlendRecord {
    /// What it keeps of physics, measured.
    pub guarantees: BlendReport,
    /// Which weights were found for what was asked.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parameters: Vec<ParameterRecord>,
    /// Centre of pressure against the support polygon; `null` where it is not known.
    pub pressure: PressureRecord,
    /// Parts of the body that are inside each other in the blend and in none of the clips.
    pub intersections: Vec<IntersectionFinding>,
}

/// What a blend was asked to measure.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ParameterRecord {
    /// Which measure.
    pub name: &'static str,
    /// Its unit.
    pub unit: &'static str,
    /// Of each clip.
    pub clips: Vec<f64>,
    /// What was asked for.
    pub asked: Option<f64>,
    /// What the blend has.
    pub achieved: f64,
}

/// Mean distance of the zero-moment point from the support polygon, m: where it is outside, the centre of pressure
/// cannot follow.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PressureRecord {
    /// Of each clip.
    pub clips_m: Vec<Option<f64>>,
    /// Of the blend.
    pub blend_m: Option<f64>,
}

/// Motions that were looked at, ready for any number of blends.
pub struct BlendFamily {
    space: BlendSpace,
    takes: Vec<Take>,
}

/// Joints whose acceleration grows by more pop: turning pairs, the worst that blend well, stay below it
/// (docs/algorithms/blend.md).
const MOST_ACCELERATION: f64 = 1.5;

/// Lower than the clips by more shows, m.
const DEEPER_M: f64 = 0.01;

/// Legs that miss their foot by more are too short, m.
const MISSED_M: f64 = 5e-3;

impl BlendEdit {
    /// Looks at the motions.
    pub(crate) fn family(&self, take: &Take, context: &mut Context<'_>) -> Result<BlendFamily, VerbError> {
        take.body()?;
        let mut takes = vec![take.clone()];
        for (index, name) in self.clips.iter().enumerate() {
            let other = context.sources.take(name, take)?;
            takes.push(self.as_first(&other, take).map_err(|source| self.blamed(index + 1, source, context))?);
        }
        // Contacts ask for the body's own joints; blending says better what is wrong.
        check_skeletons(&takes.iter().map(Take::clip).collect::<Vec<_>>())
            .map_err(|source| self.blamed(0, source, context))?;
        let space = BlendSpace::new(&takes, self.options(context)?);
        let space = space.map_err(|source| match (source, &self.phases) {
            (source @ EditingError::ManualPhases { .. }, Some(path)) => context.bad_file(path, source).into(),
            (source, _) => self.blamed(0, source, context),
        })?;
        Ok(BlendFamily { space, takes })
    }

    /// Another motion as one of the first one's body: on its bones and mirrored, where that is asked for.
    fn as_first(&self, other: &Take, first: &Take) -> Result<Take, EditingError> {
        let mut clip = other.clip().clone();
        if self.first_skeleton {
            clip = on_skeleton(&clip, first)?;
        }
        if self.mirror {
            clip = mirror(&clip, first.roles(), MirrorPlane::AcrossX)?.clip;
        }
        let take = first.with_clip(clip, Keeps::Nothing);
        // What is known of its contacts holds, but not for the other foot.
        Ok(match other.inherited_contacts().filter(|_| !self.mirror) {
            Some(known) => take.with_known_contacts(known.clone(), None),
            None => take,
        })
    }

    /// The error with the file of the clip that it is about: the one it names itself, or else this one, counted from 0.
    fn blamed(&self, clip: usize, error: EditingError, context: &Context<'_>) -> VerbError {
        let named = |clip: usize, source: EditingError| match clip.checked_sub(1).and_then(|at| self.clips.get(at)) {
            Some(other) => match source {
                EditingError::Analysis(source) => {
                    ProjectError::Analysis { path: context.sources.place(other), source }.into()
                }
                source => blamed_on(context.sources.place(other), source),
            },
            None => match source {
                EditingError::Analysis(source) => VerbError::Analysis(source),
                source => source.into(),
            },
        };
        match error {
            // A check of two clips knows the second only as the second.
            EditingError::InClip { clip: own, source } => named(if clip > 0 { clip } else { own }, *source),
            source => named(clip, source),
        }
    }

    fn options(&self, context: &mut Context<'_>) -> Result<BlendOptions, ProjectError> {
        let phases = match &self.phases {
            None => None,
            Some(path) => {
                let given = ManualPhases::from_toml(&context.sources.text(path)?);
                Some(given.map_err(|error| context.bad_file(path, error))?)
            }
        };
        Ok(BlendOptions {
            scheme: self.scheme,
            timing: self.timing,
            smooth_timing: self.smooth_timing,
            smooth_facing: self.smooth_facing,
            contact_keys: self.contact_keys,
            is_mirrored: self.mirror,
            phases,
            ..BlendOptions::default()
        })
    }
}

impl Verb for BlendEdit {
    type Record = BlendRecord;

    fn apply(&self, take: &Take, context: &mut Context<'_>) -> Result<Made<BlendRecord>, VerbError> {
        let family = self.family(take, context)?;
        let asked: Vec<(Parameter, f64)> = self.at.iter().map(|(parameter, value)| (*parameter, *value)).collect();
        let weights = match (self.weights.is_empty(), asked.is_empty()) {
            (false, false) => return Err(EditingError::Conflict { a: "weights", b: "at" }.into()),
            (true, false) => family.space.weights_at(&asked)?,
            _ => self.weights.clone(),
        };
        let blend = family.space.blend(&weights)?;
        let record = family.record(&blend, &asked)?;
        let mut findings = family.space.findings().to_vec();
        let unmet = record.guarantees.conditions.iter().filter(|condition| !condition.holds);
        findings.extend(unmet.map(|it| it.finding.clone()));
        let lost = record.guarantees.balance;
        if lost.lost_frames > 0 {
            let finding = Finding::of(codes::BALANCE_LOST).value("frames", lost.lost_frames);
            findings.push(finding.value("worst_m", lost.worst_m));
        }
        let popped = &record.guarantees.acceleration;
        if popped.ratio > MOST_ACCELERATION {
            let finding =
                Finding::of(codes::JOINT_ACCELERATED).joint(popped.joint.as_str()).at(popped.secs, popped.secs);
            findings.push(finding.value("acceleration", popped.peak).value("ratio", popped.ratio));
        }
        let deep_m = record.guarantees.feet.lowest_joint_m;
        if deep_m < -DEEPER_M {
            findings.push(Finding::of(codes::JOINT_TOO_LOW).value("depth_m", -deep_m));
        }
        let mut is_reached = true;
        for (parameter, value) in &asked {
            let achieved = family.space.measure(&blend, *parameter)?;
            if (achieved - value).abs() > parameter.tolerance(*value) {
                is_reached = false;
                let finding = Finding::of(codes::ASKED_NOT_REACHED).value("parameter", parameter.name());
                let finding = finding.value("unit", parameter.unit());
                findings.push(finding.value("asked", *value).value("achieved", achieved));
            }
        }
        let miss_m = blend.solving.worst_miss_m;
        if miss_m > MISSED_M {
            findings.push(Finding::of(codes::CLIPS_STAND_APART).value("miss_m", miss_m));
        }
        for found in &record.intersections {
            let finding = Finding::of(codes::LIMBS_INTERSECT).joint(found.joint_a.as_str()).at(found.secs, found.secs);
            findings.push(finding.value("other", found.joint_b.as_str()).value("depth_m", found.depth_m));
        }
        let is_met = miss_m <= MISSED_M && is_reached;
        let others = family.takes[1..].to_vec();
        Ok(Made { findings, status: SolverStatus::met_or_stalled(is_met), others, ..Made::new(blend.clip, record) })
    }
}

impl BlendFamily {
    /// The space itself.
    pub fn space(&self) -> &BlendSpace {
        &self.space
    }

    fn record(&self, blend: &Blend, asked: &[(Parameter, f64)]) -> Result<BlendRecord, EditingError> {
        let guarantees = self.space.report(blend)?;
        let mut parameters = Vec::new();
        let achieved = self.space.measure_all(blend, &Parameter::ALL)?;
        for (parameter, achieved) in Parameter::ALL.into_iter().zip(achieved) {
            parameters.push(ParameterRecord {
                name: parameter.name(),
                unit: parameter.unit(),
                clips: self.space.measures(parameter),
                asked: asked.iter().find(|it| it.0 == parameter).map(|it| it.1),
                achieved,
            });
        }
        let own = self.takes[0].with_clip(blend.clip.clone(), Keeps::Nothing).into_inspection()?;
        let inputs = self.takes.iter().map(|take| take.inspection().cloned());
        let inputs: Vec<Arc<Inspection>> = inputs.collect::<Result<_, _>>()?;
        let is_new = |found: &&IntersectionFinding| {
            let mut known = inputs.iter().flat_map(|input| &input.checks.intersections);
            !known.any(|it| it.joint_a == found.joint_a && it.joint_b == found.joint_b)
        };
        Ok(BlendRecord {
            guarantees,
            parameters,
            pressure: PressureRecord {
                clips_m: inputs.iter().map(|input| input.zmp.mean_m).collect(),
                blend_m: own.zmp.mean_m,
            },
            intersections: own.checks.intersections.iter().filter(is_new).cloned().collect(),
        })
    }
}

/// The motion of another person with bones of the first: rotations stay, the way of the body is scaled by the length of
/// the legs, and feet that stood are planted again.
fn on_skeleton(clip: &Clip, first: &Take) -> Result<Clip, EditingError> {
    let skeleton = first.clip().skeleton();
    let names = |clip: &Clip| -> Vec<String> { clip.skeleton().joints().iter().map(|it| it.name.clone()).collect() };
    if names(clip) != names(first.clip()) {
        // The usual check says which joint differs.
        check_skeletons(&[first.clip(), clip])?;
    }
    let leg_m = |clip: &Clip| -> f64 {
        let leg = |side| first.roles().limb(side, LimbKind::Leg);
        let legs = Side::BOTH.into_iter().filter_map(leg);
        legs.flat_map(|leg| leg.chain[1..].to_vec()).map(|joint| clip.skeleton().joint(joint).offset_m.length()).sum()
    };
    let (own_m, their_m) = (leg_m(first.clip()), leg_m(clip));
    let scale = if own_m > 0.0 && their_m > 0.0 { own_m / their_m } else { 1.0 };
    let (_, timeline, frames, rotations, tracks) = clip.clone().into_parts();
    let scaled = |track: TranslationTrack| {
        let positions_m = track.positions_m.iter().map(|position_m| *position_m * scale).collect();
        TranslationTrack { joint: track.joint, positions_m }
    };
    let is_root = |track: &TranslationTrack| skeleton.parent(track.joint).is_none();
    let tracks = tracks.into_iter().filter(is_root).map(scaled).collect();
    let moved = Clip::new(skeleton.clone(), timeline, frames, rotations, tracks)?;
    let moved = first.with_clip(moved, Keeps::Nothing);
    let contacts = moved.contacts().map_err(|_| EditingError::NoContact { verb: "plant" })?.clone();
    if contacts.contacts.is_empty() {
        return Ok(moved.clip().clone());
    }
    Ok(plant(&moved.with_known_contacts(contacts, None), &PlantOptions::default())?.clip)
}

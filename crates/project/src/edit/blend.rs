//! Blends of clips, as data.

use super::physical::Repaired;
use super::work::Work;
use crate::error::ProjectError;
use crate::inspect::side_file_text;
use crate::source::built_in_name;
use aplomb_analysis::Take;
use aplomb_analysis::report::IntersectionFinding;
use aplomb_analysis::{ContactAnalysis, Inspection};
use aplomb_editing::EditingError;
use aplomb_editing::blend::{
    Blend, BlendClip, BlendOptions, BlendReport, BlendSpace, GivenPhases, Parameter, PhaseTiming, Scheme,
    check_skeletons,
};
use aplomb_editing::footplant::{PlantOptions, plant};
use aplomb_motion::edit::{MirrorPlane, mirror, mirror_partners};
use aplomb_motion::{Clip, LimbKind, Roles, Side, TranslationTrack};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

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
    /// Centre of pressure against the support polygon; `null` where it cannot be told.
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

/// Mean distance of the zero-moment point from the support polygon, m: where it is outside, the centre of pressure cannot follow.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PressureRecord {
    /// Of each clip.
    pub clips_m: Vec<Option<f64>>,
    /// Of the blend.
    pub blend_m: Option<f64>,
}

/// Clips that were looked at, ready for any number of blends.
pub struct BlendFamily {
    space: BlendSpace,
    clips: Vec<Clip>,
    roles: Roles,
}

/// Joints whose acceleration grows by more pop: turning pairs, the worst that blend well, stay below it (docs/algorithms/blend.md).
const MOST_ACCELERATION: f64 = 1.5;

/// Lower than the clips by more shows, m.
const DEEPER_M: f64 = 0.01;

/// Legs that miss their foot by more are too short, m.
const MISSED_M: f64 = 5e-3;

impl BlendEdit {
    /// Looks at the clips.
    pub(super) fn family(&self, work: &Work, others: &[Clip], folder: &Path) -> Result<BlendFamily, ProjectError> {
        let body = work.body()?.clone();
        let mut clips = vec![work.clip.clone()];
        for (index, other) in others.iter().enumerate() {
            let failed = |source: EditingError| self.blamed(index + 1, work.failed(source), folder);
            let mut clip = other.clone();
            if self.first_skeleton {
                clip = on_skeleton(&clip, work).map_err(failed)?;
            }
            if self.mirror {
                let partners = mirror_partners(clip.skeleton(), |joint| work.roles.mirror_partner(joint));
                let partners = partners.map_err(|source| failed(source.into()))?;
                clip = mirror(&clip, &partners, MirrorPlane::AcrossX).map_err(|source| failed(source.into()))?;
            }
            clips.push(clip);
        }
        // Contacts ask for the body's own joints; blending says better what is wrong.
        check_skeletons(&clips.iter().collect::<Vec<_>>())
            .map_err(|source| self.blamed(0, work.failed(source), folder))?;
        let contacts = clips.iter().enumerate();
        let contacts =
            contacts.map(|(index, clip)| work.contacts_of(clip).map_err(|error| self.blamed(index, error, folder)));
        let contacts: Vec<ContactAnalysis> = contacts.collect::<Result<_, _>>()?;
        let inputs: Vec<BlendClip<'_>> =
            clips.iter().zip(&contacts).map(|(clip, contacts)| BlendClip { clip, contacts }).collect();
        let space = BlendSpace::new(&inputs, &work.roles, &body, self.options(folder)?);
        let space = space.map_err(|source| match (source, &self.phases) {
            (source @ EditingError::GivenPhases { .. }, Some(path)) => {
                ProjectError::ProjectFile { path: folder.join(path), detail: source.to_string() }
            }
            (source, _) => self.blamed(0, work.failed(source), folder),
        })?;
        Ok(BlendFamily { space, clips, roles: work.roles.clone() })
    }

    /// The error with the file of the clip that it is about: the one it names itself, or else this one, counted from 0.
    fn blamed(&self, clip: usize, error: ProjectError, folder: &Path) -> ProjectError {
        let named = |clip: usize, first: PathBuf| match clip.checked_sub(1).and_then(|other| self.clips.get(other)) {
            Some(other) if built_in_name(other).is_some() => other.clone(),
            Some(other) => folder.join(other),
            None => first,
        };
        match error {
            ProjectError::Edit { path, edit, verb, source } => match *source {
                // A check of two clips knows the second only as the second.
                EditingError::InClip { clip: own, source } => {
                    let clip = if clip > 0 { clip } else { own };
                    ProjectError::Edit { path: named(clip, path), edit, verb, source }
                }
                source => ProjectError::Edit { path: named(clip, path), edit, verb, source: Box::new(source) },
            },
            ProjectError::Analysis { path, source } => ProjectError::Analysis { path: named(clip, path), source },
            other => other,
        }
    }

    fn options(&self, folder: &Path) -> Result<BlendOptions, ProjectError> {
        let phases = match &self.phases {
            None => None,
            Some(path) => {
                let path = folder.join(path);
                let given = GivenPhases::from_toml(&side_file_text(&path)?);
                Some(given.map_err(|error| ProjectError::ProjectFile { path, detail: error.to_string() })?)
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

    pub(super) fn apply(&self, work: &mut Work, others: &[Clip], folder: &Path) -> Result<Repaired, ProjectError> {
        let family = self.family(work, others, folder)?;
        let asked: Vec<(Parameter, f64)> = self.at.iter().map(|(parameter, value)| (*parameter, *value)).collect();
        let failed = |source: EditingError| work.failed(source);
        let weights = match (self.weights.is_empty(), asked.is_empty()) {
            (false, false) => return Err(failed(EditingError::Conflict { a: "weights", b: "at" })),
            (true, false) => family.space.weights_at(&asked).map_err(failed)?,
            _ => self.weights.clone(),
        };
        let blend = family.space.blend(&weights).map_err(failed)?;
        let record = family.record(&blend, &asked, work)?;
        let mut notes: Vec<String> = family.space.notes().to_vec();
        let unmet = record.guarantees.conditions.iter().filter(|condition| !condition.holds);
        notes.extend(unmet.map(|condition| condition.detail.clone()));
        let mut warnings = Vec::new();
        let lost = record.guarantees.balance;
        if lost.lost_frames > 0 {
            let worst = 1e2 * lost.worst_m;
            warnings.push(format!(
                "balance is lost in {} frames that the clips have it in, by {worst:.1} cm",
                lost.lost_frames
            ));
        }
        let popped = &record.guarantees.acceleration;
        if popped.ratio > MOST_ACCELERATION {
            warnings.push(format!(
                "{} is accelerated by {:.0} m/s² at {:.2} s, {:.1} times what it is in any of the clips: look there; a joint that spins in one clip pops in \
                 the blend",
                popped.joint, popped.peak, popped.secs, popped.ratio
            ));
        }
        let deep_m = record.guarantees.feet.lowest_joint_m;
        if deep_m < -DEEPER_M {
            warnings.push(format!(
                "a joint is {:.1} cm lower than any joint of the clips: look at the ground",
                -1e2 * deep_m
            ));
        }
        let mut is_reached = true;
        for (parameter, value) in &asked {
            let achieved = family.space.measure(&blend, *parameter).map_err(failed)?;
            if (achieved - value).abs() > parameter.tolerance(*value) {
                is_reached = false;
                let (name, unit) = (parameter.name(), parameter.unit());
                warnings
                    .push(format!("{name} {value} {unit} is asked for, the nearest blend has {achieved:.3} {unit}"));
            }
        }
        let miss_m = blend.solving.worst_miss_m;
        if miss_m > MISSED_M {
            warnings.push(format!(
                "legs are too short for the feet by up to {:.1} cm: the clips stand too differently",
                1e2 * miss_m
            ));
        }
        for found in &record.intersections {
            warnings.push(format!(
                "{} is inside {} by {:.1} cm at {:.2} s, which no clip has",
                found.joint_a,
                found.joint_b,
                1e2 * found.depth_m,
                found.secs
            ));
        }
        Ok(Repaired {
            clip: blend.clip,
            warnings,
            notes,
            layers: Vec::new(),
            touchup: None,
            plant: None,
            adapt: None,
            path: None,
            blend: Some(Box::new(record)),
            track: None,
            reach: None,
            is_met: miss_m <= MISSED_M && is_reached,
        })
    }
}

impl BlendFamily {
    /// The space itself.
    pub fn space(&self) -> &BlendSpace {
        &self.space
    }

    fn record(&self, blend: &Blend, asked: &[(Parameter, f64)], work: &Work) -> Result<BlendRecord, ProjectError> {
        let failed = |source: EditingError| work.failed(source);
        let guarantees = self.space.report(blend).map_err(failed)?;
        let mut parameters = Vec::new();
        let achieved = self.space.measure_all(blend, &Parameter::ALL).map_err(failed)?;
        for (parameter, achieved) in Parameter::ALL.into_iter().zip(achieved) {
            parameters.push(ParameterRecord {
                name: parameter.name(),
                unit: parameter.unit(),
                clips: self.space.measures(parameter),
                asked: asked.iter().find(|it| it.0 == parameter).map(|it| it.1),
                achieved,
            });
        }
        let options = work.inspect_options();
        let look = |clip: &Clip| -> Result<Inspection, ProjectError> {
            Take::new(clip.clone(), self.roles.clone(), work.body()?.clone())
                .with_options(options.clone())
                .into_inspection()
                .map_err(|source| work.failed(source.into()))
        };
        let own = look(&blend.clip)?;
        let inputs: Vec<Inspection> = self.clips.iter().map(look).collect::<Result<_, _>>()?;
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

/// The motion of another person with bones of the first: rotations stay, the way of the body is scaled by the length of the legs, and feet that
/// stood are planted again.
fn on_skeleton(clip: &Clip, work: &Work) -> Result<Clip, EditingError> {
    let skeleton = work.clip.skeleton();
    let names = |clip: &Clip| -> Vec<String> { clip.skeleton().joints().iter().map(|it| it.name.clone()).collect() };
    if names(clip) != names(&work.clip) {
        // The usual check says which joint differs.
        check_skeletons(&[&work.clip, clip])?;
    }
    let leg_m = |clip: &Clip| -> f64 {
        let leg = |side| work.roles.limb(side, LimbKind::Leg);
        let legs = Side::BOTH.into_iter().filter_map(leg);
        legs.flat_map(|leg| leg.chain[1..].to_vec()).map(|joint| clip.skeleton().joint(joint).offset_m.length()).sum()
    };
    let (own_m, their_m) = (leg_m(&work.clip), leg_m(clip));
    let scale = if own_m > 0.0 && their_m > 0.0 { own_m / their_m } else { 1.0 };
    let (_, timeline, frames, rotations, tracks) = clip.clone().into_parts();
    let scaled = |track: TranslationTrack| {
        let positions_m = track.positions_m.iter().map(|position_m| *position_m * scale).collect();
        TranslationTrack { joint: track.joint, positions_m }
    };
    let is_root = |track: &TranslationTrack| skeleton.parent(track.joint).is_none();
    let tracks = tracks.into_iter().filter(is_root).map(scaled).collect();
    let moved = Clip::new(skeleton.clone(), timeline, frames, rotations, tracks)?;
    let body = work.body().map_err(|_| EditingError::NoRoot)?;
    let contacts = work.contacts_of(&moved).map_err(|_| EditingError::NoContact { verb: "plant" })?;
    if contacts.contacts.is_empty() {
        return Ok(moved);
    }
    Ok(plant(&moved, &work.roles, body, &contacts, &PlantOptions::default())?.clip)
}

//! Physically right interpolation (Safonova & Hodgins 2005, "Analyzing the Physical Correctness of Interpolated Human
//! Motion").
//!
//! A [`BlendSpace`] looks at two or more clips of one skeleton once: phases that correspond, centre of mass, feet,
//! headings. Then [`BlendSpace::blend`] makes the motion between them for any weights ≥ 0 that sum to 1: every phase
//! lasts √(Σ wT²), the centre of mass is interpolated and not the root, feet stay where they stand, and what follows a
//! flight faces where the flight ended.
//!
//! docs/algorithms/blend.md has the equations, what was changed from the paper, and what was measured.

mod acceleration;
mod balance;
mod compared;
mod conditions;
mod curve;
mod facing;
mod family;
mod feet;
mod figure;
mod flights;
mod gait;
mod goal;
mod guarantees;
mod heights;
mod manual_phases;
mod matching;
mod mean;
mod phases;
mod placing;
mod report;
mod solve;
mod source;
mod timing;
mod weights;

pub use conditions::Condition;
pub use family::Parameter;
pub use guarantees::{
    AccelerationGuarantee, BalanceGuarantee, FeetGuarantee, FlightGuarantee, ForceGuarantee, TransitionGuarantee,
};
pub use manual_phases::{ManualKeys, ManualPhases};
pub use phases::{PhaseEvent, PhaseKind};
pub use report::{BlendReport, PhaseReport};
pub use timing::PhaseTiming;
pub(crate) use weights::check_weights;
pub use weights::normalized_weights;

use crate::EditingError;
use crate::finding::Finding;
use aplomb_analysis::ContactAnalysis;
use aplomb_analysis::Take;
use aplomb_motion::edit::{EditError, Join, concatenate, cut_frames};
use aplomb_motion::{Clip, ClipError, FrameIndex, FrameTime, JointId, Timeline, TranslationTrack};
use facing::ComShifts;
use figure::BlendFigure;
use phases::Matched;
use placing::Placing;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use solve::{FootOffset, Solved, Solver, fade, faded};
use source::{BlendSource, agree_on_signs, nearest_turn};
use timing::{Instant, Timing};

/// One motion to blend, with what it touches.
#[derive(Clone, Copy)]
struct Input<'a> {
    clip: &'a Clip,
    contacts: &'a ContactAnalysis,
}

/// What is interpolated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scheme {
    /// Centre of mass, feet, and all rotations but the legs': the paper's.
    #[default]
    Com,
    /// Root and rotations: the usual way (equation 2).
    Root,
    /// Rotations, on one foot that stands; the centre of mass in flight: the usual repair (section 8).
    Foot,
}

/// How clips are blended.
#[derive(Clone, Debug, PartialEq)]
pub struct BlendOptions {
    /// What is interpolated.
    pub scheme: Scheme,
    /// How long phases last.
    pub timing: PhaseTiming,
    /// Rates change smoothly inside contacts: no jump of speed from timing, at a cost in equation 14.
    pub smooth_timing: bool,
    /// The centre of mass makes up for the jump of its velocity at landings, which turning the clips makes, inside the
    /// contact.
    pub smooth_facing: bool,
    /// Crouches are keys, too.
    pub contact_keys: bool,
    /// All clips but the first were mirrored already: that is not what helps where feet do not match.
    pub is_mirrored: bool,
    /// Phases by hand.
    pub phases: Option<ManualPhases>,
    /// What feet have at take-off and landing fades out over this long in flight, s; 0 lets legs jump.
    pub fade_secs: f64,
}

impl Default for BlendOptions {
    fn default() -> Self {
        Self {
            scheme: Scheme::Com,
            timing: PhaseTiming::Sqrt,
            smooth_timing: false,
            smooth_facing: false,
            contact_keys: false,
            is_mirrored: false,
            phases: None,
            // 0.06 s is too short for runs: accelerations at their transitions double.
            fade_secs: 0.2,
        }
    }
}

/// Rates are eased over this long, s.
const EASE_SECS: f64 = 0.3;

/// In gaits, whose contacts are short, rates are eased over this long, s.
const GAIT_EASE_SECS: f64 = 0.1;

/// Clips that were looked at, ready to be blended.
#[derive(Clone, Debug)]
pub struct BlendSpace {
    figure: BlendFigure,
    sources: Vec<BlendSource>,
    /// Joints with a translation of their own, but the root.
    tracks: Vec<JointId>,
    matched: Matched,
    /// The key at which clips are laid over each other.
    align: usize,
    options: BlendOptions,
}

/// A blended motion.
#[derive(Clone, Debug)]
pub struct Blend {
    /// The motion.
    pub clip: Clip,
    /// One a clip.
    pub weights: Vec<f64>,
    /// How the poses were found.
    pub solving: Solving,
    timing: Timing,
    placing: Placing,
}

/// How the poses of a blend were found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Solving {
    /// Most steps of Newton's method in a frame.
    pub most_steps: usize,
    /// Worst distance of the centre of mass from where it should be, m.
    pub worst_residual_m: f64,
    /// Farthest that a foot stays from its place because a leg is too short, m.
    pub worst_miss_m: f64,
}

impl BlendSpace {
    /// Looks at the motions: two or more, of one skeleton. Rates may differ; a blend has the first's.
    pub fn new(takes: &[Take], options: BlendOptions) -> Result<Self, EditingError> {
        let [first, _, ..] = takes else { return Err(EditingError::OneClip { found: takes.len() }) };
        if !(options.fade_secs.is_finite() && options.fade_secs >= 0.0) {
            let (what, expected) = ("the time over which feet fade into flight", "0 s or more");
            return Err(EditingError::Setting { what, expected, found: options.fade_secs });
        }
        check_skeletons(&takes.iter().map(Take::clip).collect::<Vec<_>>())?;
        let mut clips = Vec::with_capacity(takes.len());
        for (clip, take) in takes.iter().enumerate() {
            let contacts = take.contacts().map_err(|source| in_clip(clip)(source.into()))?;
            clips.push(Input { clip: take.clip(), contacts });
        }
        let figure = BlendFigure::new(&clips, first.roles(), first.body()?)?;
        let has_track = |joint: &JointId| clips.iter().any(|it| it.clip.track(*joint).is_some());
        let tracks: Vec<JointId> =
            figure.skeleton.ids().filter(|joint| *joint != figure.root.joint).filter(has_track).collect();
        let looked = clips.iter().enumerate();
        let looked = looked.map(|(clip, input)| BlendSource::of(&figure, &tracks, input).map_err(in_clip(clip)));
        let mut sources: Vec<BlendSource> = looked.collect::<Result<_, _>>()?;
        let mut matched = match &options.phases {
            Some(given) => given.matched(&sources)?,
            None => matching::matched(&sources, options.is_mirrored)?,
        };
        if options.contact_keys {
            manual_phases::split_at_lowest(&mut matched, &sources);
        }
        check_lengths(&matched)?;
        let align = first_key(&matched);
        let headings =
            |sources: &[BlendSource], clip: usize| sources[clip].heading_at_rad(matched.keys_secs[clip][align]);
        for clip in 1..sources.len() {
            let (first_rad, own_rad) = (headings(&sources, 0), headings(&sources, clip));
            let turns = (nearest_turn(own_rad, first_rad) - own_rad) / std::f64::consts::TAU;
            sources[clip].turn_heading(turns.round());
        }
        agree_on_signs(&mut sources, &instants(&matched));
        Ok(Self { figure, sources, tracks, matched, align, options })
    }

    /// How many clips there are.
    pub fn clips(&self) -> usize {
        self.sources.len()
    }

    /// Phases that correspond.
    pub fn kinds(&self) -> &[PhaseKind] {
        &self.matched.kinds
    }

    /// What ends each phase but the last.
    pub fn events(&self) -> &[PhaseEvent] {
        &self.matched.events
    }

    /// Start and end of the phases, clip by clip, s from each file's first frame.
    pub fn keys_secs(&self) -> &[Vec<f64>] {
        &self.matched.keys_secs
    }

    /// Whether phases are the steps of a gait.
    pub fn is_gait(&self) -> bool {
        self.matched.is_gait
    }

    /// What people should know about the phases.
    pub fn findings(&self) -> &[Finding] {
        &self.matched.findings
    }

    /// The options.
    pub fn options(&self) -> &BlendOptions {
        &self.options
    }

    /// The same clips, blended in another way. Phases stay.
    pub fn with_options(&self, options: BlendOptions) -> Self {
        Self { options, ..self.clone() }
    }

    /// The motion with these weights: one a clip, none negative, summing to 1.
    pub fn blend(&self, weights: &[f64]) -> Result<Blend, EditingError> {
        check_weights(weights, self.sources.len())?;
        let (timing, placing) = self.plan(weights);
        let step_secs = self.sources[0].frame_time.secs();
        // A millionth of a frame is rounding.
        let frames = (timing.total_secs() / step_secs + 1e-6).floor() as usize + 1;
        let shifts = ComShifts::new(self, weights, &timing, &placing);
        let mut solver = Solver::new(self, weights);
        let fades = self.fades(&timing, &placing, &shifts, &mut solver);
        let joints = self.figure.skeleton.len();
        let moving: Vec<JointId> = {
            let mut moving = self.tracks.clone();
            moving.push(self.figure.root.joint);
            moving.sort();
            moving
        };
        let mut rotations = Vec::with_capacity(frames * joints);
        let track = |joint: &JointId| TranslationTrack { joint: *joint, positions_m: Vec::with_capacity(frames) };
        let mut tracks: Vec<TranslationTrack> = moving.iter().map(track).collect();
        let mut solving = Solving::default();
        for frame in 0..frames {
            let instant = timing.at(frame as f64 * step_secs);
            let solved = self.pose_instant(&instant, &timing, &placing, &shifts, &fades, &mut solver);
            solving.count(&solved);
            rotations.extend_from_slice(&solver.pose.rotations);
            for track in &mut tracks {
                track.positions_m.push(solver.pose.translations_m[track.joint.index()]);
            }
        }
        let timeline = Timeline::Uniform(self.sources[0].frame_time);
        let clip = Clip::new(self.figure.skeleton.clone(), timeline, frames, rotations, tracks)?;
        Ok(Blend { clip, weights: weights.to_vec(), solving, timing, placing })
    }

    /// Many blends at once, over all cores, in order; each is the same to the bit as if it were made alone.
    pub fn sweep(&self, weights: &[Vec<f64>]) -> Vec<Result<Blend, EditingError>> {
        weights.par_iter().map(|weights| self.blend(weights)).collect()
    }

    fn plan(&self, weights: &[f64]) -> (Timing, Placing) {
        let Matched { kinds, keys_secs, is_gait, .. } = &self.matched;
        let ease_secs = if *is_gait { GAIT_EASE_SECS } else { EASE_SECS };
        let ease_secs = self.options.smooth_timing.then_some(ease_secs);
        let timing = Timing::new(kinds, keys_secs, weights, self.options.timing, ease_secs);
        let placing = Placing::new(&self.sources, kinds, keys_secs, self.align, weights);
        (timing, placing)
    }

    fn pose_instant(
        &self,
        instant: &Instant,
        timing: &Timing,
        placing: &Placing,
        shifts: &ComShifts,
        fades: &[Option<Fades>],
        solver: &mut Solver<'_>,
    ) -> Solved {
        let moves = &placing.moves[instant.phase];
        match &fades[instant.phase] {
            None => solver.contact(instant, moves, shifts.at(instant.phase, instant.into_secs)),
            Some(fades) => {
                let lasts_secs = timing.durations_secs[instant.phase];
                let over_secs = self.options.fade_secs.min(lasts_secs);
                let shares = match over_secs > 0.0 {
                    true => [instant.into_secs, lasts_secs - instant.into_secs].map(|secs| fade(secs / over_secs)),
                    false => [0.0; 2],
                };
                let both = fades.start.iter().zip(&fades.end);
                let offsets: Vec<FootOffset> =
                    both.map(|(start, end)| faded(start, shares[0], end, shares[1])).collect();
                solver.flight(instant, moves, &offsets)
            }
        }
    }

    /// What the contact scheme has of the feet at the ends of each flight, in the pelvis' frame; `None` for contacts.
    fn fades(
        &self,
        timing: &Timing,
        placing: &Placing,
        shifts: &ComShifts,
        solver: &mut Solver<'_>,
    ) -> Vec<Option<Fades>> {
        let kinds = &self.matched.kinds;
        let none = || vec![FootOffset::default(); self.figure.legs.len()];
        let mut fades = Vec::with_capacity(kinds.len());
        for (phase, kind) in kinds.iter().enumerate() {
            if *kind == PhaseKind::Contact {
                fades.push(None);
                continue;
            }
            let is_contact = |phase: usize| kinds.get(phase) == Some(&PhaseKind::Contact);
            let mut offsets = |phase: usize, into_secs: f64| {
                let instant = timing.within(phase, into_secs);
                solver.offsets(&instant, &placing.moves[phase], shifts.at(phase, into_secs))
            };
            let start = match phase.checked_sub(1).filter(|before| is_contact(*before)) {
                Some(before) => offsets(before, timing.durations_secs[before]),
                None => none(),
            };
            let end = if is_contact(phase + 1) { offsets(phase + 1, 0.0) } else { none() };
            fades.push(Some(Fades { start, end }));
        }
        fades
    }

    /// The foot that moves least during a phase.
    fn stance_foot(&self, phase: usize) -> usize {
        let way_m = |foot: usize| -> f64 {
            let of_clip = |(source, keys_secs): (&BlendSource, &Vec<f64>)| {
                let frame = |secs: f64| (source.position(secs).round().max(0.0) as usize).min(source.frames() - 1);
                let range = frame(keys_secs[phase])..=frame(keys_secs[phase + 1]);
                let ball_m = &source.feet[foot].ball_m[range];
                ball_m.windows(2).map(|pair| pair[0].distance(pair[1])).sum::<f64>()
            };
            self.sources.iter().zip(&self.matched.keys_secs).map(of_clip).sum()
        };
        (0..self.figure.legs.len()).min_by(|&a, &b| way_m(a).total_cmp(&way_m(b))).unwrap_or(0)
    }
}

/// Offsets of the feet at both ends of a flight.
struct Fades {
    start: Vec<FootOffset>,
    end: Vec<FootOffset>,
}

impl Solving {
    fn count(&mut self, solved: &Solved) {
        self.most_steps = self.most_steps.max(solved.steps);
        self.worst_residual_m = self.worst_residual_m.max(solved.residual_m);
        self.worst_miss_m = self.worst_miss_m.max(solved.miss_m);
    }
}

/// Whether all clips have the first one's skeleton; the error tells which has not.
pub fn check_skeletons(clips: &[&Clip]) -> Result<(), EditingError> {
    // Joining knows what makes two skeletons the same; rates may differ here, so all first frames get one clock.
    let clock = Timeline::Uniform(FrameTime::from_secs(0.01).map_err(ClipError::from)?);
    let head = |clip: &Clip| match clip.frame_count() {
        0 => Err(EditingError::TooFewFrames { frames: 0, needs: "blending", least: source::LEAST_FRAMES }),
        _ => Ok(cut_frames(clip, FrameIndex(0)..FrameIndex(1))?.with_timeline(clock.clone())?),
    };
    let heads = clips.iter().enumerate().map(|(clip, it)| head(it).map_err(in_clip(clip)));
    let heads: Vec<Clip> = heads.collect::<Result<_, _>>()?;
    concatenate(&heads.iter().collect::<Vec<_>>(), Join::AsIs).map(|_| ()).map_err(differing)
}

fn in_clip(clip: usize) -> impl Fn(EditingError) -> EditingError {
    move |source| EditingError::InClip { clip, source: Box::new(source) }
}

/// What joining says, in words of blending.
fn differing(source: EditError) -> EditingError {
    let below = |joint: &str, parent: &Option<String>| match parent {
        Some(parent) => format!("{joint:?} below {parent:?}"),
        None => format!("{joint:?} at the root"),
    };
    match source {
        EditError::JointCount { clip, expected, found } => {
            let problem = format!("it has {found} joints, the first clip has {expected}");
            in_clip(clip)(EditingError::OtherSkeleton { problem })
        }
        EditError::JointDiffers { clip, index, expected, expected_parent, found, found_parent } => {
            let (own, first) = (below(&found, &found_parent), below(&expected, &expected_parent));
            let problem = format!("joint {index} is {own}, the first clip has {first}");
            in_clip(clip)(EditingError::OtherSkeleton { problem })
        }
        EditError::BoneDiffers { clip, joint, expected_m, found_m, difference_m } => {
            let problem = format!(
                "the bone to joint {joint:?} is {found_m:.5} m long, in the first clip {expected_m:.5} m (the offsets differ by \
                 {difference_m:.5} m)"
            );
            in_clip(clip)(EditingError::OtherBones { problem })
        }
        other => other.into(),
    }
}

/// Time maps divide by the length of phases.
fn check_lengths(matched: &Matched) -> Result<(), EditingError> {
    for (clip, keys_secs) in matched.keys_secs.iter().enumerate() {
        if let Some(pair) = keys_secs.windows(2).find(|pair| pair[1] - pair[0] <= 1e-6 || pair[1].is_nan()) {
            let listing = format!("a phase of clip {} at {:.3} s has no length", clip + 1, pair[0]);
            return Err(EditingError::NoCommonPhases { listing, mirror_helps: false });
        }
    }
    Ok(())
}

/// The first take-off; without one, the first key; without any, the start.
fn first_key(matched: &Matched) -> usize {
    let take_off = matched.events.iter().position(|event| matches!(event, PhaseEvent::TakeOff(_)));
    match (take_off, matched.events.is_empty()) {
        (Some(event), _) => event + 1,
        (None, false) => 1,
        (None, true) => 0,
    }
}

/// Moments that correspond, spread over all phases.
fn instants(matched: &Matched) -> Vec<Vec<f64>> {
    const PER_PHASE: usize = 24;
    let mut instants = Vec::new();
    for phase in 0..matched.kinds.len() {
        for step in 0..PER_PHASE {
            let share = (step as f64 + 0.5) / PER_PHASE as f64;
            let of_clip = |keys: &Vec<f64>| keys[phase] + share * (keys[phase + 1] - keys[phase]);
            instants.push(matched.keys_secs.iter().map(of_clip).collect());
        }
    }
    instants
}

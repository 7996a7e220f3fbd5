//! Path editing with automatic timing (Lockwood & Singh 2011, "Biomechanically-Inspired Motion Path Editing").
//!
//! A [`PathEditor`] looks at a motion once: contacts become [`Handle`]s, and everything that depends on the original
//! alone is factored. Then handles are moved, again and again, and [`PathEditor::solve`] gives the motion along the new
//! path: the ground path as rigid as possible, heights sheared, flights kept ballistic, feet planted, legs solved, and
//! times that fit the new stride, turn and fall. Every result is made from the original, never from the last result:
//! edits can be taken back and their order does not matter.
//!
//! docs/algorithms/path.md has the equations, what was changed from the paper, and what was measured.

mod align;
mod flight_and_speed_report;
mod follow;
mod ground_plane;
mod handles;
mod horizontal;
mod keys;
mod limbs;
mod output;
mod people;
mod reach;
mod source;
mod spine;
mod timing;
mod vertical;

pub use align::{Alignment, align};
pub use flight_and_speed_report::{FlightChange, PathSpeed};
pub use follow::GroundCurve;
pub use handles::{Handle, HandleKind, PathFlight};

use crate::EditingError;
use crate::finding::{Finding, codes};
use crate::footplant::planting_contacts;
use crate::span::smoothstep;
use aplomb_analysis::Take;
use aplomb_motion::{BodyPlan, Clip, FrameIndex, JointId, WorldPose};
use aplomb_physics::Body;
use glam::DVec3;
use ground_plane::{in_world, length, on_plane};
use horizontal::{Deformed, Horizontal};
use keys::SolvedKeys;
use limbs::PathLimb;
use num_complex::Complex64;
use output::{Buffers, PathRenderer, SourcePoses};
use reach::{Easing, Needs, NewPath};
use serde::{Deserialize, Serialize};
use source::PathSource;
use spine::Spine;
use timing::{NewTimes, PathClock};
use vertical::{Rises, Vertical};

/// What becomes of the times.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Timing {
    /// By stride, turn and fall, each where it counts.
    #[default]
    Auto,
    /// By the paper's constant exponents: β = ½.
    Paper,
    /// As they were.
    Keep,
    /// All of it takes so many times as long.
    Scale(f64),
}

/// How lengths are kept (section 3.2.1). Only the first is for use; the others show what it does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ScaleFactors {
    /// One scale factor between each two handles.
    #[default]
    PerSegment,
    /// One for the whole path.
    Single,
    /// Original lengths: figure 3, top.
    One,
}

/// How a motion is edited. The default is the paper's, with the timing of docs/algorithms/path.md.
#[derive(Clone, Debug, PartialEq)]
pub struct PathOptions {
    /// Times of the result.
    pub timing: Timing,
    /// Planted feet rise with the path: stairs, ledges.
    pub stairs: bool,
    /// The displacement of heights is level at handles, which keeps them the lowest places. Without it, it runs
    /// smoothly through them.
    pub level_handles: bool,
    /// The result keeps its keys, at uneven times, instead of being resampled.
    pub keep_keys: bool,
    /// Lengths.
    pub scale_factors: ScaleFactors,
    /// Spines of four-legged bodies bend along the path.
    pub bend_spine: bool,
    /// Handles at these frames (and at the ends), not where contacts say. Frames are counted without an artificial
    /// first one.
    pub handles: Option<Vec<FrameIndex>>,
}

impl Default for PathOptions {
    fn default() -> Self {
        Self {
            timing: Timing::Auto,
            stairs: false,
            level_handles: true,
            keep_keys: false,
            scale_factors: ScaleFactors::PerSegment,
            bend_spine: true,
            handles: None,
        }
    }
}

/// How high a flight shall be.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum JumpHeight {
    /// Over the line from take-off to landing, m.
    Metres(f64),
    /// Times what it is.
    Times(f64),
}

/// Between two handles, before and after.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SegmentReport {
    /// Scale factor.
    pub scale: f64,
    /// Way along the ground, m.
    pub length_m: [f64; 2],
    /// Time it takes, s.
    pub secs: [f64; 2],
}

impl SegmentReport {
    /// Mean speed after over before; 1 where nothing moves.
    pub fn speed_change(&self) -> f64 {
        let [before, after] = [0, 1].map(|i| self.length_m[i] / self.secs[i]);
        if before > 0.0 { after / before } else { 1.0 }
    }
}

/// What was done, and what could not be.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct PathReport {
    /// Between handles.
    pub segments: Vec<SegmentReport>,
    /// Duration before and after, s.
    pub secs: [f64; 2],
    /// New time of each key of the original, s from the result's start.
    pub key_secs: Vec<f64>,
    /// Root of each key on the new path, m, before it is lowered for reach.
    #[serde(skip)]
    pub path_m: Vec<DVec3>,
    /// Deepest that the root was lowered, m.
    pub deepest_drop_m: f64,
    /// Farthest that a heel was raised, rad.
    pub largest_lift_rad: f64,
    /// Keys in contact whose foot cannot be where it should: legs are too short.
    pub unreached_keys: usize,
    /// Farthest of them, m.
    pub worst_miss_m: f64,
    /// Fastest that the edit turns the body, over a tenth of a second, rad/s.
    pub fastest_turn: f64,
    /// When it does so, s of the result.
    pub fastest_turn_secs: f64,
    /// What people should know.
    #[serde(skip)]
    pub findings: Vec<Finding>,
}

/// Faster than this no edit that people can follow turns a body, rad/s: two turns a second. Nine of ten arcs, stretches
/// and small moves of captures stay below 5, half of those with handles put on each other are beyond 25
/// (docs/algorithms/path.md).
const MOST_TURN: f64 = 2.0 * std::f64::consts::TAU;

impl PathReport {
    /// Whether the body is whirled round faster than people turn.
    pub fn is_spun(&self) -> bool {
        self.fastest_turn > MOST_TURN
    }
}

/// An edited motion.
#[derive(Clone, Debug)]
pub struct PathEdited {
    /// The result.
    pub clip: Clip,
    /// What was done.
    pub report: PathReport,
}

/// What went wrong with handles in a solve.
#[derive(Clone, Copy, Debug, PartialEq)]
enum HandleIssue {
    Clamped { segment: usize, scale: f64 },
}

/// A motion ready to have its path edited.
#[derive(Clone, Debug)]
pub struct PathEditor {
    source: PathSource,
    body: Body,
    options: PathOptions,
    /// Whether what people can do is a limit.
    is_person: bool,
    handles: Vec<Handle>,
    flights: Vec<PathFlight>,
    horizontal: Horizontal,
    vertical: Vertical,
    limbs: Vec<PathLimb>,
    spine: Option<Spine>,
    /// Joints that are looked at for jumps.
    watched: Vec<JointId>,
    poses: SourcePoses,
    clock: PathClock,
    easings: (Easing, Easing),
    /// 1 where the body stands still.
    still: Vec<f64>,
    original_handles_m: Vec<Complex64>,
    /// Where handles shall be.
    goals_m: Vec<DVec3>,
    /// New height over old.
    heights: Vec<f64>,
    work: Work,
}

/// Buffers of a solve.
#[derive(Clone, Debug, Default)]
struct Work {
    goals_m: Vec<Complex64>,
    rises_m: Vec<f64>,
    deformed: Deformed,
    rise_m: Vec<f64>,
    bend_rad: Vec<f64>,
    needs: Needs,
    times: NewTimes,
    buffers: Buffers,
}

/// Times that the root makes up for the legs in flights: each leaves some per cent of what was there before.
const SETTLING_STEPS: usize = 3;

/// A body is still below this speed, m/s, and fully so at rest: keys are then nearer to each other than those that are
/// solved for, and the heading between them runs straight, with corners.
const STILL: f64 = 1.0;

impl PathEditor {
    /// Looks at a motion.
    pub fn new(take: &Take, options: PathOptions) -> Result<Self, EditingError> {
        let (roles, body, contacts) = (take.roles(), take.body()?, planting_contacts(take)?);
        check_timing(options.timing)?;
        let source = PathSource::of(take)?;
        let (handles, flights) = handles::find(&source, contacts, options.handles.as_deref())?;
        let solved = SolvedKeys::of(&source.ground_m, &handles, &flights);
        let horizontal = Horizontal::new(solved, &source.ground_m)?;
        let limbs = limbs::limbs(&source, roles)?;
        Ok(Self {
            vertical: Vertical::new(&source, &handles, &flights),
            spine: Spine::of(&source, &limbs).filter(|_| options.bend_spine),
            limbs,
            watched: crate::pops::watched(roles),
            poses: SourcePoses::of(&source),
            clock: PathClock::new(&source, &handles, &flights),
            easings: (Easing::lift(&source)?, Easing::drop(&source)?),
            still: source.speed.iter().map(|speed| 1.0 - smoothstep(speed / STILL)).collect(),
            original_handles_m: handles.iter().map(|handle| on_plane(handle.position_m)).collect(),
            goals_m: handles.iter().map(|handle| handle.position_m).collect(),
            heights: vec![1.0; flights.len()],
            work: Work::default(),
            body: body.clone(),
            is_person: roles.plan() == BodyPlan::Biped,
            source,
            options,
            handles,
            flights,
            horizontal,
        })
    }

    /// The points that may be moved, by time.
    pub fn handles(&self) -> &[Handle] {
        &self.handles
    }

    /// The flights whose height may be changed, by time.
    pub fn flights(&self) -> &[PathFlight] {
        &self.flights
    }

    /// The motion that is edited, without an artificial first frame.
    pub fn original(&self) -> &Clip {
        &self.source.clip
    }

    /// The root of each key of the original, m.
    pub fn original_path_m(&self) -> &[DVec3] {
        &self.source.root_m
    }

    /// Where handles shall be, m.
    pub fn goals_m(&self) -> &[DVec3] {
        &self.goals_m
    }

    /// Puts a handle somewhere, m.
    pub fn set_handle(&mut self, handle: usize, to_m: DVec3) -> Result<(), EditingError> {
        let handles = self.handles.len();
        let goal_m = self.goals_m.get_mut(handle).ok_or(EditingError::UnknownHandle { handle, handles })?;
        if !(to_m.is_finite() && to_m.abs().max_element() <= FARTHEST_HANDLE_M) {
            let [x, y, z] = to_m.to_array().map(crate::short_number);
            return Err(EditingError::HandleGoal { handle, found: format!("({x}, {y}, {z})") });
        }
        *goal_m = to_m;
        Ok(())
    }

    /// Puts a handle so far from where it is in the original, m.
    pub fn move_handle(&mut self, handle: usize, by_m: DVec3) -> Result<(), EditingError> {
        let handles = self.handles.len();
        let from_m = self.handles.get(handle).ok_or(EditingError::UnknownHandle { handle, handles })?.position_m;
        self.set_handle(handle, from_m + by_m)
    }

    /// Makes a flight higher or lower.
    pub fn set_jump_height(&mut self, flight: usize, height: JumpHeight) -> Result<(), EditingError> {
        let flights = self.flights.len();
        let own_m = self.flights.get(flight).ok_or(EditingError::UnknownFlight { flight, flights })?.height_m;
        let times = match height {
            JumpHeight::Times(times) => times,
            JumpHeight::Metres(height_m) => height_m / own_m,
        };
        if !(HEIGHT_BOUNDS.0..=HEIGHT_BOUNDS.1).contains(&times) {
            let (what, expected) = ("the height of a flight", "0.05 to 20 times what it is");
            return Err(EditingError::Setting { what, expected, found: times });
        }
        self.heights[flight] = times;
        Ok(())
    }

    /// Everything as it was.
    pub fn reset(&mut self) {
        for (goal_m, handle) in self.goals_m.iter_mut().zip(&self.handles) {
            *goal_m = handle.position_m;
        }
        self.heights.fill(1.0);
    }

    /// What becomes of the times from now on.
    pub fn set_timing(&mut self, timing: Timing) -> Result<(), EditingError> {
        check_timing(timing)?;
        self.options.timing = timing;
        Ok(())
    }

    /// Whether planted feet rise with the path from now on.
    pub fn set_stairs(&mut self, stairs: bool) {
        self.options.stairs = stairs;
    }

    /// The options.
    pub fn options(&self) -> &PathOptions {
        &self.options
    }

    /// The motion along the path through the handles as they are now.
    pub fn solve(&mut self) -> Result<PathEdited, EditingError> {
        self.deform()?;
        self.reach();
        self.settle_flights()?;
        let mut buffers = std::mem::take(&mut self.work.buffers);
        let clip = self.scene().render(self.options.keep_keys, &mut buffers);
        self.work.buffers = buffers;
        Ok(PathEdited { clip: clip?, report: self.report() })
    }

    fn new_path(&self) -> NewPath<'_> {
        NewPath {
            original_m: &self.source.ground_m,
            points_m: &self.work.deformed.points_m,
            turn_rad: &self.work.deformed.turn_rad,
            rise_m: &self.work.rise_m,
            stairs: self.options.stairs,
            spine: self.spine.as_ref().map(|spine| (spine, self.work.bend_rad.as_slice())),
        }
    }

    fn reach(&mut self) {
        let mut needs = std::mem::take(&mut self.work.needs);
        let path = self.new_path();
        reach::needs(&path, &self.source.times_secs, &self.limbs, &self.flights, &self.easings, &mut needs);
        self.work.needs = needs;
    }

    fn scene(&self) -> PathRenderer<'_> {
        let Work { needs, times, .. } = &self.work;
        PathRenderer {
            source: &self.source,
            poses: &self.poses,
            limbs: &self.limbs,
            path: self.new_path(),
            needs,
            times,
        }
    }

    /// Legs that leave the ground at another time, place or height than the body would take them move the centre of
    /// mass against the root: a longer jump would fall by up to 4 % faster or slower. The root makes up for it, so that
    /// it is the centre of mass that falls as it did.
    fn settle_flights(&mut self) -> Result<(), EditingError> {
        if self.limbs.is_empty() {
            return Ok(());
        }
        let scene = self.scene();
        let flights = self.flights.iter().map(|flight| flight.start.0..flight.end.0 + 1);
        let changed: Vec<std::ops::Range<usize>> =
            flights.filter(|keys| keys.clone().any(|key| !scene.is_carried(key))).collect();
        if changed.is_empty() {
            return Ok(());
        }
        let planned_m = self.work.rise_m.clone();
        let mut pose = WorldPose::for_skeleton(self.source.clip.skeleton());
        for _ in 0..SETTLING_STEPS {
            for keys in &changed {
                let flight = self.scene().render_keys(keys.clone())?;
                let beyond = |(frame, key): (FrameIndex, usize), pose: &mut WorldPose| {
                    pose.pose(&flight, frame);
                    let wanted_m = self.source.com_height_m[key] + planned_m[key] - self.work.needs.drop_m[key];
                    self.body.com_in_world_m(pose).y - wanted_m
                };
                let beyond_m: Vec<f64> =
                    flight.frames().zip(keys.clone()).map(|place| beyond(place, &mut pose)).collect();
                let (first_m, last_m) = (beyond_m[0], beyond_m[beyond_m.len() - 1]);
                let secs = &self.source.times_secs[keys.clone()];
                for ((key, at_secs), beyond_m) in keys.clone().zip(secs).zip(&beyond_m) {
                    let share = (at_secs - secs[0]) / (secs[secs.len() - 1] - secs[0]);
                    // Take-off and landing stay where legs put them: a line is no acceleration.
                    self.work.rise_m[key] -= beyond_m - (first_m + share * (last_m - first_m));
                }
            }
            self.reach();
        }
        Ok(())
    }

    /// The same into a result of this editor that is no longer needed: its memory is used again.
    pub fn solve_into(&mut self, edited: &mut PathEdited) -> Result<(), EditingError> {
        let skeleton = std::sync::Arc::clone(edited.clip.skeleton());
        let empty = Clip::new(skeleton, edited.clip.timeline().clone(), 0, Vec::new(), Vec::new());
        if let Ok(empty) = empty {
            let (_, _, _, rotations, tracks) = std::mem::replace(&mut edited.clip, empty).into_parts();
            (self.work.buffers.rotations, self.work.buffers.tracks) = (rotations, tracks);
        }
        *edited = self.solve()?;
        Ok(())
    }

    /// Path and times, without poses.
    fn deform(&mut self) -> Result<(), EditingError> {
        let Work { goals_m, rises_m, deformed, rise_m, bend_rad, times, .. } = &mut self.work;
        goals_m.clear();
        goals_m.extend(self.goals_m.iter().copied().map(on_plane));
        rises_m.clear();
        rises_m.extend(self.goals_m.iter().zip(&self.handles).map(|(goal, handle)| goal.y - handle.position_m.y));
        let (from_m, scale) = (&self.original_handles_m, self.options.scale_factors);
        self.horizontal.deform(from_m, goals_m, scale, &self.still, deformed)?;
        if let Some(spine) = &self.spine {
            spine.bend(&deformed.turn_rad, bend_rad);
        }
        let (stairs, level_handles) = (self.options.stairs, self.options.level_handles);
        let rises = Rises { handles_m: rises_m, heights: &self.heights, stairs, level_handles };
        self.vertical.displace(&rises, &self.flights, rise_m)?;
        self.clock.retime(self.options.timing, &deformed.scales, goals_m, &self.heights, &self.flights, times);
        Ok(())
    }

    fn report(&self) -> PathReport {
        let Work { deformed, rise_m, needs, times, .. } = &self.work;
        let way_m = |points_m: &[Complex64]| points_m.windows(2).map(|pair| length(pair[1] - pair[0])).sum();
        let segments = self.handles.windows(2).zip(&deformed.scales).map(|(pair, &scale)| {
            let (start, end) = (pair[0].key.0, pair[1].key.0);
            let length_m = [&self.source.ground_m, &deformed.points_m].map(|points_m| way_m(&points_m[start..=end]));
            let secs = [&self.source.times_secs, &times.secs].map(|secs| secs[end] - secs[start]);
            SegmentReport { scale, length_m, secs }
        });
        let last = self.source.keys() - 1;
        let root = |key: usize| in_world(deformed.points_m[key], self.source.root_m[key].y + rise_m[key]);
        let (turn, turn_secs) = fastest_turn(&deformed.turn_rad, &times.secs);
        let mut report = PathReport {
            segments: segments.collect(),
            secs: [self.source.times_secs[last] - self.source.times_secs[0], times.secs[last]],
            key_secs: times.secs.clone(),
            path_m: (0..=last).map(root).collect(),
            deepest_drop_m: needs.deepest_drop_m,
            largest_lift_rad: needs.largest_lift_rad,
            unreached_keys: needs.unreached_keys,
            worst_miss_m: needs.worst_miss_m,
            fastest_turn: turn,
            fastest_turn_secs: turn_secs,
            findings: Vec::new(),
        };
        report.findings = self.findings(&report);
        report
    }

    fn findings(&self, report: &PathReport) -> Vec<Finding> {
        let mut findings = Vec::new();
        let between = |code, segment: usize| Finding::of(code).value("handle", segment).value("next", segment + 1);
        for issue in &self.work.deformed.issues {
            let HandleIssue::Clamped { segment, scale } = issue;
            findings.push(between(codes::HANDLES_CLAMPED, *segment).value("scale", *scale));
        }
        findings.extend(self.reversed().into_iter().map(|segment| between(codes::HANDLES_CROSSED, segment)));
        if report.unreached_keys > 0 {
            let finding = Finding::of(codes::LEGS_TOO_SHORT).value("frames", report.unreached_keys);
            findings.push(finding.value("miss_m", report.worst_miss_m));
        } else if report.deepest_drop_m > WARN_DROP_M {
            findings.push(Finding::of(codes::BODY_LOWERED).value("drop_m", report.deepest_drop_m));
        }
        if report.is_spun() {
            let finding = Finding::of(codes::BODY_SPUN).at(report.fastest_turn_secs, report.fastest_turn_secs);
            findings.push(finding.value("turn_rad_per_sec", report.fastest_turn));
        }
        findings
    }
}

impl PathEditor {
    /// Segments that run against both their neighbours, where they did not in the original: handles that cross.
    fn reversed(&self) -> Vec<usize> {
        let turns: Vec<Option<Complex64>> = (0..self.handles.len() - 1)
            .map(|segment| {
                let way = |points_m: &[Complex64]| points_m[segment + 1] - points_m[segment];
                let (old, new) = (way(&self.original_handles_m), way(&self.work.goals_m));
                let is_apart = length(old) > CROSSED_M && length(new) > CROSSED_M;
                is_apart.then(|| new * old.conj() / (length(new) * length(old)))
            })
            .collect();
        // Beyond 120° from how either neighbour turned.
        let is_against =
            |a: Complex64, b: Option<&Option<Complex64>>| b.copied().flatten().is_none_or(|b| (a * b.conj()).re < -0.5);
        let has = |index: Option<usize>| index.and_then(|index| turns.get(index)).is_some_and(Option::is_some);
        (0..turns.len())
            .filter(|&segment| {
                let (before, after) = (segment.checked_sub(1), Some(segment + 1));
                let Some(own) = turns[segment] else { return false };
                (has(before) || has(after))
                    && is_against(own, before.and_then(|index| turns.get(index)))
                    && is_against(own, after.and_then(|index| turns.get(index)))
            })
            .collect()
    }
}

/// Handles nearer to each other than this have no direction between them, m.
const CROSSED_M: f64 = 0.05;
/// Farther away than this nothing walks, m.
const FARTHEST_HANDLE_M: f64 = 1e6;
const HEIGHT_BOUNDS: (f64, f64) = (0.05, 20.0);
/// A walk stretched by 1.3 is lowered by as much: beyond, it shows (docs/algorithms/path.md), m.
const WARN_DROP_M: f64 = 0.05;

/// The largest turn over this time counts, s: one of a single key is a matter of the path's sampling.
const TURN_WINDOW_SECS: f64 = 0.1;

/// rad/s, and the middle of that time, s.
fn fastest_turn(turn_rad: &[f64], times_secs: &[f64]) -> (f64, f64) {
    let (mut fastest, mut at_secs, mut from) = (0.0, 0.0, 0);
    for to in 1..turn_rad.len() {
        while from + 1 < to && times_secs[to] - times_secs[from + 1] >= TURN_WINDOW_SECS {
            from += 1;
        }
        let lasts_secs = (times_secs[to] - times_secs[from]).max(TURN_WINDOW_SECS);
        let turn = (turn_rad[to] - turn_rad[from]).abs() / lasts_secs;
        if turn > fastest {
            (fastest, at_secs) = (turn, 0.5 * (times_secs[to] + times_secs[from]));
        }
    }
    (fastest, at_secs)
}

fn check_timing(timing: Timing) -> Result<(), EditingError> {
    match timing {
        Timing::Scale(found) if !(0.05..=20.0).contains(&found) => {
            Err(EditingError::Setting { what: "the scale of time", expected: "0.05 to 20", found })
        }
        _ => Ok(()),
    }
}

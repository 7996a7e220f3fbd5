//! Legs are as long as they are. Where an edited path asks for more, a heel that does not stand comes up about the ball
//! (at most 40°, smoothed), then the root is lowered by the most that is still needed nearby, smoothed, so that nothing
//! pops. Over a flight the root is lowered evenly in time: its parabola stays one.

use super::ground_plane::{in_world, on_plane};
use super::handles::PathFlight;
use super::limbs::{FootKey, Move, PathLimb, Plant, smootherstep};
use super::source::PathSource;
use super::spine::Spine;
use crate::EditingError;
use crate::limb_ik::{DROP_WINDOW_SECS, MOST_DROP_SHARE};
use crate::span::smoothstep;
use aplomb_motion::Timeline;
use aplomb_motion::signal::SampleTimes;
use aplomb_motion::signal::gaussian::{Gaussian, smooth_at_times_into};
use glam::{DQuat, DVec3};
use num_complex::Complex64;
use std::collections::VecDeque;

/// Farthest that a heel is raised, rad.
const MOST_LIFT_RAD: f64 = 0.698;
/// Raised heels are smoothed over this time to either side, s.
const LIFT_WINDOW_SECS: f64 = 0.2;
/// A foot takes on the rate at which the edit has its body rise or sink over this time after it leaves a contact, and
/// loses it as long before the next, s. Longer, and a higher jump straightens legs that have nothing left to give at
/// take-off; shorter, and ankles kink there.
const LAG_SECS: f64 = 0.1;
/// A foot that stays behind by less is within reach, m.
const FOOT_REACHED_M: f64 = 1e-4;

/// The path of one drag, a value a key.
#[derive(Clone, Copy)]
pub(super) struct NewPath<'a> {
    pub original_m: &'a [Complex64],
    pub points_m: &'a [Complex64],
    pub turn_rad: &'a [f64],
    /// Rise of the root, m.
    pub rise_m: &'a [f64],
    pub stairs: bool,
    /// Of four-legged bodies, and how far it bends at each key.
    pub spine: Option<(&'a Spine, &'a [f64])>,
}

impl NewPath<'_> {
    /// Where the top of a limb is, in the frame of the original: at the end of a bent spine if it hangs there.
    fn hip_m(&self, limb: &PathLimb, key: usize) -> DVec3 {
        match self.spine.filter(|_| limb.is_paw) {
            Some((spine, bend_rad)) => spine.carried_m(key, bend_rad[key], limb.hip_m[key]),
            None => limb.hip_m[key],
        }
    }

    /// The transform of a key.
    pub fn at(&self, key: usize) -> Move {
        Move::new(self.original_m[key], self.points_m[key], self.turn_rad[key])
    }

    /// The transform between keys.
    pub fn between(&self, key: f64) -> Move {
        let last = self.original_m.len() - 1;
        let low = (key as usize).min(last);
        let high = (low + 1).min(last);
        let share = key - low as f64;
        let mix = |values: &[Complex64]| values[low] + (values[high] - values[low]) * share;
        let turn_rad = self.turn_rad[low] + (self.turn_rad[high] - self.turn_rad[low]) * share;
        Move::new(mix(self.original_m), mix(self.points_m), turn_rad)
    }
}

/// What legs need, a value a key.
#[derive(Clone, Debug, Default)]
pub(super) struct Needs {
    /// Per limb: rise of the foot, m, and of the heel about the ball, rad.
    pub feet: Vec<FootNeeds>,
    /// The root is lowered by this, m.
    pub drop_m: Vec<f64>,
    pub deepest_drop_m: f64,
    pub largest_lift_rad: f64,
    /// Keys in contact whose foot cannot be where it should.
    pub unreached_keys: usize,
    pub worst_miss_m: f64,
    /// The move of every root key.
    pub roots: Vec<Move>,
    buffer: Vec<f64>,
    queue: VecDeque<usize>,
}

#[derive(Clone, Debug, Default)]
pub(super) struct FootNeeds {
    pub rise_m: Vec<f64>,
    pub lift_rad: Vec<f64>,
    pub is_lifted: bool,
    /// Of each contact, the move of its root key.
    pub plants: Vec<Move>,
    /// Keys at which the leg is too short.
    short: Vec<usize>,
}

impl FootNeeds {
    /// How the foot moves at a key. In contact as its contact does; in the air as the body does, and what it is away
    /// from there as it leaves or comes to a contact is eased. Blending keys instead of places would run through all
    /// keys between in that time, a second of standing perhaps.
    pub fn by(&self, path: &NewPath<'_>, roots: &[Move], carried: &FootKey, ankle: Complex64) -> Move {
        match carried.plant().and_then(|plant| self.plants.get(plant)) {
            Some(by) => *by,
            None => {
                let (to_m, turn_rad) = self.place(path, roots, carried, ankle);
                Move::new(ankle, to_m, turn_rad)
            }
        }
    }

    /// Where that puts the ankle on the ground, and how far it turns the foot: most of a drag asks for no more, and
    /// saves the sine.
    pub fn place(&self, path: &NewPath<'_>, roots: &[Move], carried: &FootKey, ankle: Complex64) -> (Complex64, f64) {
        if let Some(by) = carried.plant().and_then(|plant| self.plants.get(plant)) {
            return (by.ground(ankle), by.turn_rad);
        }
        let own = match carried.at.fract() == 0.0 {
            true => roots[carried.at as usize],
            false => path.between(carried.at),
        };
        let (own_m, own_rad) = (own.ground(ankle), own.turn_rad);
        let (mut to_m, mut turn_rad) = (own_m, own_rad);
        for (plant, share) in [carried.before, carried.after] {
            if let Some(by) = self.plants.get(plant as usize).filter(|_| share > 0.0) {
                to_m += (by.ground(ankle) - own_m) * share;
                turn_rad += (by.turn_rad - own_rad) * share;
            }
        }
        (to_m, turn_rad)
    }
}

/// Widest need within a window, then a Gaussian inside that window: never below what is needed, and smooth. For heels
/// the Gaussian alone: a heel held up by the widest need nearby comes up by 40° where a few degrees are asked for, and
/// what it leaves the root makes up for.
#[derive(Clone, Debug)]
pub(super) struct Easing {
    window_secs: f64,
    /// Whether the widest need nearby is taken first.
    is_widest: bool,
    /// For even keys.
    even: Option<Gaussian>,
}

impl Easing {
    pub fn new(source: &PathSource, window_secs: f64) -> Result<Self, EditingError> {
        let even = match source.clip.timeline() {
            // The kernel is cut at four standard deviations.
            Timeline::Uniform(step) => Some(Gaussian::from_sigma_secs(0.25 * window_secs, step.secs())?),
            Timeline::Keyed(_) => None,
        };
        Ok(Self { window_secs, even, is_widest: true })
    }

    pub fn lift(source: &PathSource) -> Result<Self, EditingError> {
        Ok(Self { is_widest: false, ..Self::new(source, LIFT_WINDOW_SECS)? })
    }

    pub fn drop(source: &PathSource) -> Result<Self, EditingError> {
        Self::new(source, DROP_WINDOW_SECS)
    }

    fn apply(&self, times_secs: &[f64], values: &mut [f64], buffer: &mut Vec<f64>, queue: &mut VecDeque<usize>) {
        buffer.resize(values.len(), 0.0);
        match self.is_widest {
            true => widest(values, times_secs, self.window_secs, queue, buffer),
            false => buffer.copy_from_slice(values),
        }
        let is_smooth = match &self.even {
            Some(gaussian) => {
                gaussian.smooth_into(buffer, values);
                true
            }
            None => SampleTimes::keyed(times_secs)
                .and_then(|times| smooth_at_times_into(0.25 * self.window_secs, times, buffer, values))
                .is_ok(),
        };
        if !is_smooth {
            values.copy_from_slice(buffer);
        }
        values.iter_mut().for_each(|value| *value = value.max(0.0));
    }
}

/// The largest value within a time to either side.
fn widest(values: &[f64], times_secs: &[f64], secs: f64, queue: &mut VecDeque<usize>, out: &mut [f64]) {
    queue.clear();
    let mut next = 0;
    for (centre, largest) in out.iter_mut().enumerate() {
        while next < values.len() && times_secs[next] <= times_secs[centre] + secs + 1e-9 {
            while queue.back().is_some_and(|&last| values[next] >= values[last]) {
                queue.pop_back();
            }
            queue.push_back(next);
            next += 1;
        }
        while queue.front().is_some_and(|&first| times_secs[first] < times_secs[centre] - secs - 1e-9) {
            queue.pop_front();
        }
        *largest = queue.front().map_or(values[centre], |&best| values[best]);
    }
}

/// Everything that legs need along a new path.
pub(super) fn needs(
    path: &NewPath<'_>,
    times_secs: &[f64],
    limbs: &[PathLimb],
    flights: &[PathFlight],
    easings: &(Easing, Easing),
    out: &mut Needs,
) {
    let keys = path.points_m.len();
    (out.deepest_drop_m, out.largest_lift_rad, out.unreached_keys, out.worst_miss_m) = (0.0, 0.0, 0, 0.0);
    out.drop_m.clear();
    out.drop_m.resize(keys, 0.0);
    out.feet.resize_with(limbs.len(), FootNeeds::default);
    let Needs { feet, drop_m, buffer, queue, roots, .. } = out;
    let mut any_drop = false;
    roots.clear();
    roots.extend((0..keys).map(|key| path.at(key)));
    for (limb, foot) in limbs.iter().zip(feet.iter_mut()) {
        rises(path, times_secs, limb, &mut foot.rise_m);
        foot.plants.clear();
        foot.plants.extend(limb.plants.iter().map(|plant| roots[plant.key]));
        foot.is_lifted = false;
        find_short(path, roots, limb, foot, &limb.farthest_m);
        foot.is_lifted = lifts(path, roots, limb, foot);
        if foot.is_lifted {
            easings.0.apply(times_secs, &mut foot.lift_rad, buffer, queue);
            if let Some(heel) = &limb.heel {
                foot.lift_rad.iter_mut().zip(&heel.free).for_each(|(lift_rad, free)| *lift_rad *= free);
            }
        }
        // A raised heel is felt beside the keys that need it; and the body sinks before a leg is quite straight.
        find_short(path, roots, limb, foot, &limb.reach_m);
        any_drop |= drops(path, roots, limb, foot, drop_m);
    }
    if any_drop {
        for flight in flights {
            ask_at_ends(flight, times_secs, drop_m);
        }
        easings.1.apply(times_secs, drop_m, buffer, queue);
        for flight in flights {
            let (start, end) = (flight.start.0, flight.end.0);
            let (from_m, to_m) = (drop_m[start], drop_m[end]);
            for key in start..=end {
                let share = (times_secs[key] - times_secs[start]) / (times_secs[end] - times_secs[start]);
                drop_m[key] = from_m + share * (to_m - from_m);
            }
        }
    }
    out.deepest_drop_m = out.drop_m.iter().copied().fold(0.0, f64::max);
    for (limb, foot) in limbs.iter().zip(&out.feet) {
        if foot.is_lifted {
            out.largest_lift_rad = foot.lift_rad.iter().copied().fold(out.largest_lift_rad, f64::max);
        }
        if !(any_drop || foot.is_lifted) {
            continue;
        }
        for key in (0..keys).filter(|&key| limb.carried[key].held() >= 1.0) {
            let away_m = leg(path, &out.roots, limb, foot, key) - DVec3::Y * out.drop_m[key];
            let miss_m = away_m.length() - limb.longest_m[key];
            if miss_m > FOOT_REACHED_M {
                out.unreached_keys += 1;
                out.worst_miss_m = out.worst_miss_m.max(miss_m);
            }
        }
    }
}

/// Over a flight the root is lowered along a line in time: what a leg needs shortly after take-off or before landing is
/// asked of the line's nearer end.
fn ask_at_ends(flight: &PathFlight, times_secs: &[f64], drop_m: &mut [f64]) {
    let (start, end) = (flight.start.0, flight.end.0);
    for key in start..=end {
        let share = (times_secs[key] - times_secs[start]) / (times_secs[end] - times_secs[start]);
        let (asked, share) = if share < 0.5 { (start, 1.0 - share) } else { (end, share) };
        drop_m[asked] = drop_m[asked].max(drop_m[key] / share);
    }
}

/// Planted feet stay at their height, or rise with the path on stairs. Feet in the air rise with the root, and what a
/// contact put them over or under it as they left, or will as they come, fades.
///
/// It is that which fades, not the root's own rise: a body that leaves the ground 1 m/s faster than it did would
/// straighten a leg that stays behind for 0.2 s by 5 cm, which no leg has left at take-off, and knees of jumps half as
/// high again kinked by 34 mm in a frame.
fn rises(path: &NewPath<'_>, times_secs: &[f64], limb: &PathLimb, rise_m: &mut Vec<f64>) {
    rise_m.clear();
    let plant_m = |plant: &Plant| if path.stairs { path.rise_m[plant.key] } else { 0.0 };
    let last = path.rise_m.len() - 1;
    let beside_m = |key: usize, (plant, share): (u32, f64), is_before: bool| match limb.plants.get(plant as usize) {
        Some(plant) if share > 0.0 => {
            let (at, next) = match is_before {
                true => (plant.keys.end - 1, plant.keys.end.min(last)),
                false => (plant.keys.start, plant.keys.start.saturating_sub(1)),
            };
            let since_secs = times_secs[key] - times_secs[at];
            let step_secs = times_secs[next] - times_secs[at];
            let rate = if step_secs == 0.0 { 0.0 } else { (path.rise_m[next] - path.rise_m[at]) / step_secs };
            // The foot is at rest against its contact as it leaves it, and takes on the body's rate from there.
            let lag_m = -rate * since_secs * (1.0 - smootherstep(since_secs.abs() / LAG_SECS));
            share * (plant_m(plant) - path.rise_m[at] + lag_m)
        }
        _ => 0.0,
    };
    rise_m.extend(limb.carried.iter().zip(path.rise_m).enumerate().map(|(key, (carried, &root_m))| {
        match carried.plant().and_then(|plant| limb.plants.get(plant)) {
            Some(plant) => plant_m(plant),
            None => root_m + beside_m(key, carried.before, true) + beside_m(key, carried.after, false),
        }
    }));
}

/// From ankle to hip on the new path, before the root is lowered.
fn leg(path: &NewPath<'_>, roots: &[Move], limb: &PathLimb, foot: &FootNeeds, key: usize) -> DVec3 {
    let hip_m = roots[key].point_m(path.hip_m(limb, key), path.rise_m[key]);
    let ankle = on_plane(limb.ankle_m[key]);
    if let (Some(heel), true) = (&limb.heel, foot.is_lifted)
        && foot.lift_rad[key] > 0.0
    {
        let by = foot.by(path, roots, &limb.carried[key], ankle);
        let ankle_m = by.point_m(limb.ankle_m[key], foot.rise_m[key]);
        let ball_m = by.point_m(heel.ball_m[key], foot.rise_m[key]);
        return hip_m - lifted(ankle_m, ball_m, by.rotation() * heel.across[key], foot.lift_rad[key]).0;
    }
    let (to_m, _) = foot.place(path, roots, &limb.carried[key], ankle);
    hip_m - in_world(to_m, limb.ankle_m[key].y + foot.rise_m[key])
}

/// How far heels must come up; false if nowhere.
///
/// With r from ball to ankle, h from ball to hip and a the axis across the foot, |h − R(a, φ) r| = reach is A cos φ + B
/// sin φ = C.
fn lifts(path: &NewPath<'_>, roots: &[Move], limb: &PathLimb, foot: &mut FootNeeds) -> bool {
    let Some(heel) = limb.heel.as_ref().filter(|_| !foot.short.is_empty()) else { return false };
    foot.lift_rad.clear();
    foot.lift_rad.resize(limb.carried.len(), 0.0);
    let mut any = false;
    for index in 0..foot.short.len() {
        let key = foot.short[index];
        if !heel.is_down[key] || heel.free[key] <= 0.0 {
            continue;
        }
        let away_m = leg(path, roots, limb, foot, key);
        let by = foot.by(path, roots, &limb.carried[key], on_plane(limb.ankle_m[key]));
        let (ankle_m, ball_m) =
            (by.point_m(limb.ankle_m[key], foot.rise_m[key]), by.point_m(heel.ball_m[key], foot.rise_m[key]));
        let axis = by.rotation() * heel.across[key];
        let (r, h) = (ankle_m - ball_m, away_m + ankle_m - ball_m);
        let along = axis.dot(r) * axis.dot(h);
        let (a, b) = (h.dot(r) - along, h.dot(axis.cross(r)));
        let c = 0.5 * (h.length_squared() + r.length_squared() - limb.farthest_m[key].powi(2)) - along;
        if b <= 0.0 {
            // The hip is behind: raising the heel would take the ankle away from it.
            continue;
        }
        let most = a.hypot(b);
        let best_rad = b.atan2(a);
        let lift_rad = if c >= most { best_rad } else { best_rad - (c / most).acos() };
        foot.lift_rad[key] = lift_rad.clamp(0.0, MOST_LIFT_RAD);
        any |= foot.lift_rad[key] > 0.0;
    }
    any
}

/// The ankle with the heel raised about an axis through the ball, and the turn of the foot.
pub(super) fn lifted(ankle_m: DVec3, ball_m: DVec3, axis: DVec3, lift_rad: f64) -> (DVec3, DQuat) {
    let turn = DQuat::from_axis_angle(axis, lift_rad);
    (ball_m + turn * (ankle_m - ball_m), turn)
}

/// Keys at which the foot is held and the leg too short for it.
fn find_short(path: &NewPath<'_>, roots: &[Move], limb: &PathLimb, foot: &mut FootNeeds, reach_m: &[f64]) {
    let mut short = std::mem::take(&mut foot.short);
    short.clear();
    short.extend((0..limb.carried.len()).filter(|&key| {
        let reach_m = reach_m[key];
        limb.carried[key].held() > 0.0 && leg(path, roots, limb, foot, key).length_squared() > reach_m * reach_m + 1e-12
    }));
    foot.short = short;
}

/// How far the root must sink: |h − δ·up − a| = reach, for the smaller δ; false if it need not.
fn drops(path: &NewPath<'_>, roots: &[Move], limb: &PathLimb, foot: &FootNeeds, drop_m: &mut [f64]) -> bool {
    let mut any = false;
    for &key in &foot.short {
        let away_m = leg(path, roots, limb, foot, key);
        let reach_m = limb.reach_m[key];
        let beside_m2 = away_m.x * away_m.x + away_m.z * away_m.z;
        let height_m = (reach_m * reach_m - beside_m2).max(0.0).sqrt();
        // A foot in the air asks for less, and far from its contacts for nothing: the body does not sink for a foot
        // that swings.
        let counts = smoothstep(2.0 * limb.carried[key].held() - 1.0);
        let drop = (away_m.y - height_m).clamp(0.0, MOST_DROP_SHARE * reach_m) * counts;
        drop_m[key] = drop_m[key].max(drop);
        any |= drop > 0.0;
    }
    any
}

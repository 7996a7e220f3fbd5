//! When the edited keys come (Lockwood & Singh 2011, sections 3.4, 4.2 and 4.3).
//!
//! Each key has a rate dt'/dt = λ/(v'/v), with λ the change of the stride and
//!
//! ```text
//!   v'/v = λ^{(5/3)(1−β)} · ((ε + κ)/(ε + κ'))^{β/3}                                    (eq. 15–17)
//! ```
//!
//! Equation 8 of the text prints 10/3 for 5/3; that is v², equation 15 is right. The paper's β is ½ everywhere, which
//! makes a straight stretch λ^{5/6}: a longer walk would take longer. Here β grows with the change of curvature in
//! units of the stride, |λκ' − κ|, so that stretches follow the stride law alone: the sway of a straight walk that is
//! only larger is no bend. Solving for t from central differences (eq. 9) leaves odd and even keys free of each other;
//! adding up rates does not, and always rises.
//!
//! A flight has one rate, √height: it keeps g. From the flight to the handle beside it the rate runs linearly.

use super::Timing;
use super::ground_plane::in_world;
use super::handles::{Handle, PathFlight};
use super::source::PathSource;
use crate::span::smoothstep;
use aplomb_motion::spline::NaturalSpline;
use glam::DVec3;
use num_complex::Complex64;

/// Of the stride law: λ/L = 2.3 (v²/gL)^0.3 (eq. 7).
const STRIDE_EXPONENT: f64 = 5.0 / 3.0;
/// ε, 1/m: straight ways have no radius.
const EPSILON: f64 = 1.0;
/// A change of curvature by this much makes both laws count alike, 1/m.
const HALF_BENT: f64 = 0.1;
/// People turn no tighter than this on the way, 1/m.
const MOST_CURVATURE: f64 = 3.0;
/// Handles nearer than this say nothing about the curve that is followed, m.
const CURVE_STEP_M: f64 = 0.3;
/// Nothing is played faster or slower than this by the two laws.
const RATE_BOUNDS: (f64, f64) = (0.4, 2.5);
/// Both laws fade in between these speeds of the root: a standing body has no stride and follows no curve, m/s.
const STANDS: f64 = 0.1;
const WALKS: f64 = 0.4;

/// What timing needs to know of the original.
#[derive(Clone, Debug)]
pub(super) struct PathClock {
    /// How much the laws count at each key, 0 standing to 1 walking: an exponent.
    strides: Vec<f64>,
    /// Middle of each segment, and each key, along the path, m.
    middles_m: Vec<f64>,
    along_m: Vec<f64>,
    /// Handles that the followed curve runs through.
    curve_handles: Vec<usize>,
    /// Per key: which span of that curve, and where in it, 0 to 1.
    on_curve: Vec<(usize, f64)>,
    curvature: Vec<f64>,
    /// Keys that do not follow the laws: between the handles around a flight.
    transitions: Vec<FlightPassage>,
    times_secs: Vec<f64>,
}

/// From a handle over one or more flights to the next handle.
#[derive(Clone, Debug)]
struct FlightPassage {
    start: usize,
    end: usize,
    flights: Vec<usize>,
}

/// New times of keys, and the rate at either end of each interval between keys.
#[derive(Clone, Debug, Default)]
pub(super) struct NewTimes {
    pub secs: Vec<f64>,
    pub rates: Vec<[f64; 2]>,
    key_rates: Vec<f64>,
}

impl PathClock {
    pub fn new(source: &PathSource, handles: &[Handle], flights: &[PathFlight]) -> Self {
        let mut along_m = vec![0.0; source.keys()];
        for key in 1..along_m.len() {
            along_m[key] = along_m[key - 1] + (source.ground_m[key] - source.ground_m[key - 1]).norm();
        }
        let middle = |pair: &[Handle]| 0.5 * (along_m[pair[0].key.0] + along_m[pair[1].key.0]);
        let curve_handles = curve_handles(source, handles);
        let on_curve = on_curve(&along_m, handles, &curve_handles);
        let transitions = handles.windows(2).filter_map(|pair| {
            let (start, end) = (pair[0].key.0, pair[1].key.0);
            let inside = |flight: &PathFlight| flight.start.0 >= start && flight.end.0 <= end;
            let flights: Vec<usize> = (0..flights.len()).filter(|&index| inside(&flights[index])).collect();
            (!flights.is_empty()).then_some(FlightPassage { start, end, flights })
        });
        let mut clock = Self {
            strides: source.speed.iter().map(|speed| smoothstep((speed - STANDS) / (WALKS - STANDS))).collect(),
            middles_m: handles.windows(2).map(middle).collect(),
            curve_handles,
            on_curve,
            curvature: Vec::new(),
            transitions: transitions.collect(),
            times_secs: source.times_secs.clone(),
            along_m,
        };
        let places: Vec<Complex64> = handles.iter().map(|handle| source.ground_m[handle.key.0]).collect();
        clock.curvature = clock.curvatures(&places);
        clock
    }

    /// New times of all keys, from 0.
    pub fn retime(
        &self,
        timing: Timing,
        scales: &[f64],
        handles_m: &[Complex64],
        heights: &[f64],
        flights: &[PathFlight],
        out: &mut NewTimes,
    ) {
        let keys = self.times_secs.len();
        out.key_rates.clear();
        match timing {
            Timing::Keep => out.key_rates.resize(keys, 1.0),
            Timing::Scale(factor) => out.key_rates.resize(keys, factor),
            Timing::Auto | Timing::Paper => self.law_rates(timing, scales, handles_m, &mut out.key_rates),
        }
        out.rates.clear();
        out.rates.extend(out.key_rates.windows(2).map(|pair| [pair[0], pair[1]]));
        if matches!(timing, Timing::Auto | Timing::Paper) {
            for transition in &self.transitions {
                self.join(transition, heights, flights, out);
            }
        }
        out.secs.clear();
        out.secs.push(0.0);
        let mut now_secs = 0.0;
        for (key, rates) in out.rates.iter().enumerate() {
            let old_secs = self.times_secs[key + 1] - self.times_secs[key];
            now_secs += 0.5 * (rates[0] + rates[1]) * old_secs;
            out.secs.push(now_secs);
        }
    }

    /// dt'/dt by the two laws.
    fn law_rates(&self, timing: Timing, scales: &[f64], handles_m: &[Complex64], rates: &mut Vec<f64>) {
        let strides = MonotoneCubic::new(&self.middles_m, scales);
        let new = Curve::new(&self.curve_handles, handles_m);
        let mut piece = 0;
        for key in 0..self.times_secs.len() {
            let stride = strides.value(self.along_m[key], &mut piece).ln();
            let (old_curvature, curvature) = (self.curvature[key], new.curvature(self.on_curve[key]));
            // In units of the stride: a path that is only larger is not bent.
            let change = (curvature * stride.exp() - old_curvature).abs();
            let bent = if timing == Timing::Paper { 0.5 } else { change / (change + HALF_BENT) };
            // Logarithms: products of powers become sums, and one exponential is left.
            let tightening = ((EPSILON + old_curvature) / (EPSILON + curvature)).ln();
            let speed = STRIDE_EXPONENT * (1.0 - bent) * stride + bent / 3.0 * tightening;
            let rate = (self.strides[key] * (stride - speed)).exp();
            rates.push(rate.clamp(RATE_BOUNDS.0, RATE_BOUNDS.1));
        }
    }

    /// Flights at √height; rates beside them run to those of the handles.
    fn join(&self, transition: &FlightPassage, heights: &[f64], flights: &[PathFlight], out: &mut NewTimes) {
        let ends = [transition.start, transition.end].map(|key| out.key_rates[key]);
        let mut from = (transition.start, ends[0]);
        let stops =
            transition.flights.iter().map(|&index| (Some(index), flights[index].start.0, heights[index].sqrt()));
        for (flight, key, rate) in stops.chain([(None, transition.end, ends[1])]) {
            let secs = self.times_secs[key] - self.times_secs[from.0];
            let at = |other: usize| match secs > 0.0 {
                true => from.1 + (rate - from.1) * (self.times_secs[other] - self.times_secs[from.0]) / secs,
                false => rate,
            };
            for interval in from.0..key {
                out.rates[interval] = [at(interval), at(interval + 1)];
            }
            if let Some(index) = flight {
                let end = flights[index].end.0;
                out.rates[key..end].fill([rate, rate]);
                from = (end, rate);
            }
        }
    }

    fn curvatures(&self, handles_m: &[Complex64]) -> Vec<f64> {
        let curve = Curve::new(&self.curve_handles, handles_m);
        self.on_curve.iter().map(|&place| curve.curvature(place)).collect()
    }
}

impl NewTimes {
    /// The key before a new time and the old time since that key, s. Within an interval the rate runs linearly, so new
    /// time is a parabola of old time x: T = r₀x + (r₁ − r₀)x²/(2h), solved without cancellation.
    pub fn locate(&self, old_secs: &[f64], new_secs: f64, from: &mut usize) -> (usize, f64) {
        let last = self.secs.len() - 1;
        while *from + 1 < last && self.secs[*from + 1] <= new_secs {
            *from += 1;
        }
        let key = *from;
        let beyond_secs = (new_secs - self.secs[key]).clamp(0.0, self.secs[key + 1] - self.secs[key]);
        let [r0, r1] = self.rates[key];
        let step_secs = old_secs[key + 1] - old_secs[key];
        let root = (r0 * r0 + 2.0 * beyond_secs * (r1 - r0) / step_secs).max(0.0).sqrt();
        (key, (2.0 * beyond_secs / (r0 + root)).min(step_secs))
    }
}

/// First and last handle, and between them those far enough from the one before.
fn curve_handles(source: &PathSource, handles: &[Handle]) -> Vec<usize> {
    let at = |index: usize| source.ground_m[handles[index].key.0];
    let last = handles.len() - 1;
    let mut chosen = vec![0];
    for index in 1..last {
        let from = chosen[chosen.len() - 1];
        if (at(index) - at(from)).norm() >= CURVE_STEP_M && (at(index) - at(last)).norm() >= CURVE_STEP_M {
            chosen.push(index);
        }
    }
    chosen.push(last);
    chosen
}

/// Each key's place between the handles of the curve, by its share of the way.
fn on_curve(along_m: &[f64], handles: &[Handle], curve_handles: &[usize]) -> Vec<(usize, f64)> {
    let mut span = 0;
    let key_of = |index: usize| handles[curve_handles[index]].key.0;
    (0..along_m.len())
        .map(|key| {
            while span + 2 < curve_handles.len() && key >= key_of(span + 1) {
                span += 1;
            }
            let (start_m, end_m) = (along_m[key_of(span)], along_m[key_of(span + 1)]);
            let share = if end_m > start_m { (along_m[key] - start_m) / (end_m - start_m) } else { 0.0 };
            (span, share)
        })
        .collect()
}

/// The curve that is followed: a natural cubic spline through handles (section 4.3), by chord lengths.
struct Curve {
    spline: Option<NaturalSpline<DVec3>>,
}

impl Curve {
    fn new(chosen: &[usize], handles_m: &[Complex64]) -> Self {
        if chosen.len() < 3 {
            return Self { spline: None };
        }
        let points_m: Vec<DVec3> = chosen.iter().map(|&index| in_world(handles_m[index], 0.0)).collect();
        let mut knots_m = vec![0.0];
        for pair in points_m.windows(2) {
            // Handles dragged onto each other: the clamp of the curvature does the rest.
            let chord_m = pair[0].distance(pair[1]).max(0.05);
            knots_m.push(knots_m[knots_m.len() - 1] + chord_m);
        }
        Self { spline: NaturalSpline::new(&knots_m, &points_m).ok() }
    }

    fn curvature(&self, (span, share): (usize, f64)) -> f64 {
        let Some(spline) = &self.spline else { return 0.0 };
        let knots_m = spline.knots_secs();
        let at = spline.sample(knots_m[span] + share * (knots_m[span + 1] - knots_m[span]));
        let (way, bend) = (at.first_derivative, at.second_derivative);
        let speed = way.length();
        let curvature = way.cross(bend).length() / (speed * speed * speed);
        if curvature.is_finite() { curvature.min(MOST_CURVATURE) } else { MOST_CURVATURE }
    }
}

/// Cubic interpolation that does not overshoot (Fritsch & Butland 1984), constant beyond its ends.
struct MonotoneCubic<'a> {
    at: &'a [f64],
    values: &'a [f64],
    slopes: Vec<f64>,
}

impl<'a> MonotoneCubic<'a> {
    fn new(at: &'a [f64], values: &'a [f64]) -> Self {
        let chord = |i: usize| {
            let width: f64 = at[i + 1] - at[i];
            if width > 0.0 { (values[i + 1] - values[i]) / width } else { 0.0 }
        };
        let slope = |i: usize| {
            if i == 0 || i + 1 == at.len() {
                return 0.0;
            }
            let (before, after) = (chord(i - 1), chord(i));
            if before * after <= 0.0 {
                return 0.0;
            }
            let (h0, h1) = (at[i] - at[i - 1], at[i + 1] - at[i]);
            let (w0, w1) = (2.0 * h1 + h0, h1 + 2.0 * h0);
            (w0 + w1) / (w0 / before + w1 / after)
        };
        Self { at, values, slopes: (0..at.len()).map(slope).collect() }
    }

    /// The value; `piece` remembers where the last one was.
    fn value(&self, at: f64, piece: &mut usize) -> f64 {
        let last = self.at.len() - 1;
        while *piece < last && self.at[*piece + 1] <= at {
            *piece += 1;
        }
        let i = *piece;
        if i == last || at <= self.at[i] {
            return self.values[i];
        }
        let width = self.at[i + 1] - self.at[i];
        let u = (at - self.at[i]) / width;
        let (a, b) = (self.values[i], self.values[i + 1]);
        a + (b - a) * (u * u * (3.0 - 2.0 * u))
            + width * u * (1.0 - u) * (self.slopes[i] * (1.0 - u) - self.slopes[i + 1] * u)
    }
}

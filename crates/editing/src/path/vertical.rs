//! Heights of the path (Lockwood & Singh 2011, sections 4.1 and 4.2).
//!
//! The shear frame of eq. 10 makes the displacement d of the height, not the height itself, as straight as possible
//! along the path: it is a cubic between handles, level at each of them (the hard tangent constraint), so that handles
//! stay the lowest places they are. Solving for d alone makes the identity exact.
//!
//! Take-off and landing are pinned, because legs are as long as they are; a flight is one shear, and its bump is
//! scaled. Both are linear in *time*: then a parabola stays one, and with flight times as √height its g is the
//! original's. On the ground d leaves the flight with the flight's own rate, so that a higher jump is prepared by a
//! deeper crouch.

use super::handles::{Handle, PathFlight};
use super::source::PathSource;
use crate::EditingError;
use aplomb_motion::spline::NaturalSpline;

/// Where nothing travels, height changes with time; this much time counts as a metre of way, m/s.
const TIME_AS_WAY: f64 = 0.1;

/// A jump is prepared, and landed, in this time, s: from the deepest crouch to take-off people take 0.25 to 0.4 s.
/// Where the handle beside a flight is farther away, a displacement over all of the way to it grows with that way: a
/// jump half as high had its body raised, then lowered for its legs, by 26 cm (CMU 141_06).
const PREPARED_SECS: f64 = 0.4;

/// A stretch of keys from `start` to `end`, both included.
#[derive(Clone, Debug)]
struct HeightStretch {
    start: HeightNode,
    end: HeightNode,
    flight: Option<usize>,
}

/// Where a stretch begins or ends.
#[derive(Clone, Copy, Debug)]
struct HeightNode {
    key: usize,
    /// Handles at or before, and at or after.
    before: usize,
    after: usize,
    /// The flight that begins or ends here.
    flight: Option<usize>,
    /// How much of the rise of the handle after it a take-off or landing takes on stairs.
    after_share: f64,
}

/// The stretches of one clip.
#[derive(Clone, Debug)]
pub(super) struct Vertical {
    stretches: Vec<HeightStretch>,
    times_secs: Vec<f64>,
    /// Way along the ground plus a little time: rises strictly.
    way_m: Vec<f64>,
    handle_way_m: Vec<f64>,
}

/// What is wanted of the heights.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rises<'a> {
    /// Of each handle, m.
    pub handles_m: &'a [f64],
    /// Of each flight: new height over old.
    pub heights: &'a [f64],
    /// Feet rise with the path.
    pub stairs: bool,
    /// Level at handles.
    pub level_handles: bool,
}

impl Vertical {
    pub fn new(source: &PathSource, handles: &[Handle], flights: &[PathFlight]) -> Self {
        let mut keys: Vec<usize> = handles.iter().map(|handle| handle.key.0).collect();
        keys.extend(flights.iter().flat_map(|flight| [flight.start.0, flight.end.0]));
        keys.sort_unstable();
        keys.dedup();
        let node = |key: usize| {
            let before = handles.partition_point(|handle| handle.key.0 <= key).saturating_sub(1);
            let after = handles.partition_point(|handle| handle.key.0 < key).min(handles.len() - 1);
            let flight = flights.iter().position(|flight| flight.start.0 == key || flight.end.0 == key);
            let after_share =
                flight.map_or(0.0, |flight| after_share(&handles[before], &handles[after], flights, flight, key));
            HeightNode { key, before, after, flight, after_share }
        };
        let stretches = keys.windows(2).map(|pair| HeightStretch {
            start: node(pair[0]),
            end: node(pair[1]),
            flight: flights.iter().position(|flight| flight.start.0 == pair[0] && flight.end.0 == pair[1]),
        });
        let stretches = stretches.collect();
        let mut way_m = vec![0.0; source.keys()];
        for key in 1..way_m.len() {
            let step_m = (source.ground_m[key] - source.ground_m[key - 1]).norm();
            let secs = source.times_secs[key] - source.times_secs[key - 1];
            way_m[key] = way_m[key - 1] + step_m + TIME_AS_WAY * secs;
        }
        let handle_way_m = handles.iter().map(|handle| way_m[handle.key.0]).collect();
        Self { stretches, times_secs: source.times_secs.clone(), way_m, handle_way_m }
    }

    /// Displacement of the height at each key, m.
    pub fn displace(&self, rises: &Rises<'_>, flights: &[PathFlight], out: &mut Vec<f64>) -> Result<(), EditingError> {
        out.resize(self.times_secs.len(), 0.0);
        let is_flat = rises.handles_m.iter().all(|&rise_m| rise_m == 0.0) && rises.heights.iter().all(|&it| it == 1.0);
        if is_flat {
            out.fill(0.0);
            return Ok(());
        }
        let spline = match rises.level_handles {
            true => None,
            false => NaturalSpline::new(&self.handle_way_m, rises.handles_m).ok(),
        };
        let value_m = |node: &HeightNode| Self::value_m(node, rises);
        for stretch in &self.stretches {
            let (start, end) = (stretch.start.key, stretch.end.key);
            let (start_m, end_m) = (value_m(&stretch.start), value_m(&stretch.end));
            if let Some(index) = stretch.flight {
                let secs = self.times_secs[end] - self.times_secs[start];
                for (offset, bump_m) in flights[index].bump_m.iter().enumerate() {
                    let share = (self.times_secs[start + offset] - self.times_secs[start]) / secs;
                    out[start + offset] = start_m + share * (end_m - start_m) + (rises.heights[index] - 1.0) * bump_m;
                }
                continue;
            }
            let beside_flight = stretch.start.flight.is_some() || stretch.end.flight.is_some();
            let along = if beside_flight { &self.times_secs } else { &self.way_m };
            let length = along[end] - along[start];
            let slope_of = |node: &HeightNode, is_end: bool| match (node.flight, &spline) {
                (Some(flight), _) if beside_flight => self.flight_rate(flight, !is_end, rises, flights),
                (None, Some(spline)) if !beside_flight => spline.sample(along[node.key]).first_derivative,
                _ => 0.0,
            };
            let slopes = [slope_of(&stretch.start, false), slope_of(&stretch.end, true)];
            for key in start..=end {
                let u = (along[key] - along[start]) / length;
                out[key] = match beside_flight {
                    true => {
                        let [since, until] = [along[key] - along[start], along[end] - along[key]];
                        hermite(u, [start_m, end_m], [0.0; 2]) + lead(slopes[0], since, length)
                            - lead(slopes[1], until, length)
                    }
                    false => hermite(u, [start_m, end_m], slopes.map(|slope| slope * length)),
                };
            }
        }
        Ok(())
    }

    /// Handles rise as asked. Take-offs and landings stay where legs put them, or on stairs where their handles go.
    fn value_m(node: &HeightNode, rises: &Rises<'_>) -> f64 {
        let (before_m, after_m) = (rises.handles_m[node.before], rises.handles_m[node.after]);
        if node.before == node.after {
            return before_m;
        }
        match (node.flight, rises.stairs) {
            (Some(_), false) => 0.0,
            (Some(_), true) => before_m + node.after_share * (after_m - before_m),
            (None, _) => before_m,
        }
    }

    /// Rate of d at the take-off (`at_end` false … of the flight) or landing, m/s.
    fn flight_rate(&self, index: usize, at_end: bool, rises: &Rises<'_>, flights: &[PathFlight]) -> f64 {
        let Some(stretch) = self.stretches.iter().find(|stretch| stretch.flight == Some(index)) else { return 0.0 };
        let secs = self.times_secs[stretch.end.key] - self.times_secs[stretch.start.key];
        let shear = (Self::value_m(&stretch.end, rises) - Self::value_m(&stretch.start, rises)) / secs;
        shear + (rises.heights[index] - 1.0) * flights[index].bump_rate[usize::from(at_end)]
    }
}

/// A take-off belongs to the handle before it, a landing to the one after it; between two flights without a handle, to
/// both by time.
fn after_share(before: &Handle, after: &Handle, flights: &[PathFlight], flight: usize, key: usize) -> f64 {
    let is_landing = flights[flight].end.0 == key;
    let between = before.key.0..after.key.0;
    let has_other = flights.iter().enumerate().any(|(other, it)| {
        let there = if is_landing { it.start.0 >= key } else { it.end.0 <= key };
        other != flight && there && between.contains(&it.start.0) && it.end.0 <= after.key.0
    });
    let here_secs = if is_landing { flights[flight].end_secs } else { flights[flight].start_secs };
    match (has_other, is_landing) {
        (true, _) => (here_secs - before.time_secs) / (after.time_secs - before.time_secs),
        (false, is_landing) => f64::from(u8::from(is_landing)),
    }
}

/// The cubic that leaves a flight at its rate and comes to rest, so long after it as jumps are prepared or landed.
fn lead(rate: f64, secs: f64, length_secs: f64) -> f64 {
    let lasts_secs = length_secs.min(PREPARED_SECS);
    let v = (1.0 - secs / lasts_secs).max(0.0);
    rate * secs * v * v
}

/// The cubic with these values and slopes (per whole stretch) at 0 and 1.
fn hermite(u: f64, [a, b]: [f64; 2], [va, vb]: [f64; 2]) -> f64 {
    let v = 1.0 - u;
    // Written from the nearer end, so that equal ends without slopes stay what they are to the bit.
    a + (b - a) * (u * u * (3.0 - 2.0 * u)) + va * (u * v * v) - vb * (u * u * v)
}

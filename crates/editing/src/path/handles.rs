//! The few points of a path that people may move: where a step could change it (Lockwood & Singh 2011, section 3.1).
//!
//! Where the number of feet on the ground is largest for a while – double stance of a walk, the landing of a run – the
//! body can change its way, and it does so where the root is lowest. The first and the last key are handles always.

use super::flight_and_speed_report::fall;
use super::source::PathSource;
use crate::EditingError;
use aplomb_analysis::ContactAnalysis;
use aplomb_analysis::contacts::Verdict;
use aplomb_motion::signal::{SampleTimes, derivative};
use aplomb_motion::{FrameIndex, Side};
use glam::DVec3;
use serde::Serialize;
use std::ops::Range;

/// Contacts are widened by this much for voting where a walk hands over from foot to foot without double stance, s.
const WIDEN_SECS: f64 = 0.02;
/// "Low" at a hand-over is below the mean within this time to either side, s.
const LOW_AROUND_SECS: f64 = 0.3;
/// The root is smoothed over this time before its lowest key is looked for, s.
const ROOT_SMOOTHING_SECS: f64 = 0.04;
/// It is looked for this far beyond the plateau of contacts, s.
const BEYOND_PLATEAU_SECS: f64 = 0.03;
/// Handles nearer in time than this are one, s.
const LEAST_APART_SECS: f64 = 0.12;
/// Steps that go no farther than this go nowhere, m. The pelvis sways by 2–5 cm to either side as people walk, so where
/// a walk begins or ends by standing the way from one handle to the next is sway: it has no direction that a body could
/// be turned by, and one of them moved by 5 cm spun it at 680° a second.
const LEAST_STEP_M: f64 = 0.1;
/// A ball that comes up again by less than this has not bounced, m.
const LEAST_BOUNCE_M: f64 = 0.005;
/// Feet nearer than this to being abreast: none leads, m.
const ABREAST_M: f64 = 0.02;

/// Why a handle is where it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum HandleKind {
    /// First or last key.
    End,
    /// Most feet on the ground.
    Step,
    /// The same after a flight; each impact of a ball.
    Landing,
}

/// A point of the path that may be moved.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Handle {
    /// Key of the path: the clip's frame, counted without an artificial first one.
    #[serde(skip)]
    pub key: FrameIndex,
    /// Seconds from the clip's first frame.
    pub time_secs: f64,
    /// The root there, in the world.
    pub position_m: DVec3,
    /// Why.
    pub kind: HandleKind,
    /// The foot in front; the standing one where only one stands.
    pub lead: Option<Side>,
}

/// A span in which the body flies, from its first airborne key to its last.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PathFlight {
    /// First airborne key.
    #[serde(skip)]
    pub start: FrameIndex,
    /// Last airborne key.
    #[serde(skip)]
    pub end: FrameIndex,
    /// Seconds from the clip's first frame.
    pub start_secs: f64,
    /// Seconds from the clip's first frame.
    pub end_secs: f64,
    /// How high the centre of mass goes over the line from take-off to landing, m.
    pub height_m: f64,
    /// Downward acceleration of the parabola that fits the centre of mass best, m/s²; absent below four keys.
    pub g: Option<f64>,
    /// Height of the centre of mass over that line, a value a key, m.
    #[serde(skip)]
    pub(super) bump_m: Vec<f64>,
    /// Its rate at take-off and landing, m/s.
    #[serde(skip)]
    pub(super) bump_rate: [f64; 2],
}

/// Handles and flights of a motion.
pub(super) fn find(
    source: &PathSource,
    contacts: &ContactAnalysis,
    given: Option<&[FrameIndex]>,
) -> Result<(Vec<Handle>, Vec<PathFlight>), EditingError> {
    let last = source.keys() - 1;
    let spans: Vec<Range<usize>> = match source.has_effectors {
        true => flight_spans(source, contacts),
        false => Vec::new(),
    };
    let mut inner: Vec<usize> = match given {
        Some(keys) => keys.iter().map(|key| key.0).filter(|&key| key > 0 && key < last).collect(),
        None if source.has_effectors => steps(source, &spans)?,
        None => impacts(source),
    };
    inner.sort_unstable();
    inner.dedup();
    if given.is_none() {
        merge(&mut inner, source, last);
        // A ball that bounces once is a path; a person with one step is not.
        let least = if source.has_effectors { 2 } else { 1 };
        if inner.len() < least {
            return Err(EditingError::TooFewHandles { steps: inner.len() });
        }
        if source.has_effectors {
            stay(&mut inner, source, &spans, last);
            let way_m = (source.ground_m[last] - source.ground_m[0]).norm();
            if inner.is_empty() && way_m < LEAST_STEP_M {
                return Err(EditingError::TooFewHandles { steps: 0 });
            }
        }
    }
    let keys: Vec<usize> = std::iter::once(0).chain(inner).chain([last]).collect();
    let mut flights: Vec<PathFlight> = Vec::new();
    match source.has_effectors {
        true => {
            for span in spans {
                flights.push(flight(source, span)?);
            }
        }
        false => {
            for pair in keys.windows(2) {
                flights.extend(bounce(source, pair[0]..pair[1] + 1)?);
            }
        }
    }
    let is_landing = |index: usize| {
        let landed = |flight: &PathFlight| flight.end.0 <= keys[index] && flight.end.0 > keys[index - 1];
        flights.iter().any(landed)
    };
    let handles = keys.iter().enumerate().map(|(index, &key)| Handle {
        key: FrameIndex(key),
        time_secs: source.times_secs[key],
        position_m: source.root_m[key],
        kind: match key {
            _ if key == 0 || key == last => HandleKind::End,
            _ if is_landing(index) => HandleKind::Landing,
            _ => HandleKind::Step,
        },
        lead: lead(source, key),
    });
    let handles = handles.collect();
    Ok((handles, flights))
}

/// Keys of the flights that gravity does not contradict (contacts.md 9); others are plain path.
fn flight_spans(source: &PathSource, contacts: &ContactAnalysis) -> Vec<Range<usize>> {
    let usable = contacts.flights.iter().filter(|flight| flight.verdict != Verdict::Doubtful);
    let spans = usable.map(|flight| source.keys_between(flight.start_secs, flight.end_secs));
    // A flight of two keys has no shape that could be kept.
    spans.filter(|span| span.len() >= 3 && span.start > 0 && span.end < source.keys()).collect()
}

fn flight(source: &PathSource, span: Range<usize>) -> Result<PathFlight, EditingError> {
    let (start, end) = (span.start, span.end - 1);
    let times_secs = &source.times_secs[span.clone()];
    let heights_m = &source.com_height_m[span];
    let secs = times_secs[times_secs.len() - 1] - times_secs[0];
    let (first_m, last_m) = (heights_m[0], heights_m[heights_m.len() - 1]);
    let line_m = |at_secs: f64| first_m + (last_m - first_m) * (at_secs - times_secs[0]) / secs;
    let bump_m: Vec<f64> = times_secs.iter().zip(heights_m).map(|(&at, height_m)| height_m - line_m(at)).collect();
    let rates = derivative::first(&bump_m, SampleTimes::keyed(times_secs)?);
    Ok(PathFlight {
        start: FrameIndex(start),
        end: FrameIndex(end),
        start_secs: source.times_secs[start],
        end_secs: source.times_secs[end],
        height_m: bump_m.iter().copied().fold(0.0, f64::max),
        g: fall(times_secs, heights_m),
        bump_rate: [rates[0], rates[rates.len() - 1]],
        bump_m,
    })
}

/// From impact to impact a ball flies, unless it rolls. A parabola of height H over its chord that lasts T has g =
/// 8H/T², sheared or not.
fn bounce(source: &PathSource, span: Range<usize>) -> Result<Option<PathFlight>, EditingError> {
    if span.len() < 3 {
        return Ok(None);
    }
    let found = flight(source, span)?;
    let secs = found.end_secs - found.start_secs;
    let g = 8.0 * found.height_m / (secs * secs);
    // The impact itself is part of the span: wide bounds.
    Ok((found.height_m > LEAST_BOUNCE_M && (4.0..20.0).contains(&g)).then_some(found))
}

/// The lowest key of every period with locally most feet down.
fn steps(source: &PathSource, flights: &[Range<usize>]) -> Result<Vec<usize>, EditingError> {
    let heights_m: Vec<f64> = source.root_m.iter().map(|point_m| point_m.y).collect();
    let heights_m = source.smooth(&heights_m, ROOT_SMOOTHING_SECS)?;
    // Of four feet those nearest the root vote: the hind ones.
    let mut spans: Vec<Vec<(f64, f64)>> =
        source.feet.iter().filter(|foot| !foot.is_front).map(|foot| foot.stances.clone()).collect();
    if spans.iter().all(Vec::is_empty) {
        return Err(EditingError::NoStance);
    }
    widen(source, &heights_m, &mut spans);
    let is_flying = |key: usize| flights.iter().any(|flight| flight.contains(&key));
    let lowest = plateaus(&spans).into_iter().filter_map(|(start_secs, end_secs)| {
        let keys = source.keys_between(start_secs - BEYOND_PLATEAU_SECS, end_secs + BEYOND_PLATEAU_SECS);
        keys.filter(|&key| !is_flying(key)).min_by(|&a, &b| heights_m[a].total_cmp(&heights_m[b]))
    });
    Ok(lowest.collect())
}

/// A quick walk may show no double stance at all. Where the root is low while one foot hands over to the other it is a
/// walk, and the two contacts are made to meet; where it is high it is a run, whose steps are single.
fn widen(source: &PathSource, heights_m: &[f64], spans: &mut [Vec<(f64, f64)>]) {
    let touchdowns: Vec<(usize, f64)> =
        spans.iter().enumerate().flat_map(|(foot, spans)| spans.iter().map(move |span| (foot, span.0))).collect();
    for (foot, on_secs) in touchdowns {
        let Some(off_secs) = (0..spans.len())
            .filter(|&other| other != foot)
            .flat_map(|other| spans[other].iter().map(|span| span.1))
            .find(|off_secs| (-1e-9..=2.0 * WIDEN_SECS).contains(&(on_secs - off_secs)))
        else {
            continue;
        };
        let middle_secs = 0.5 * (on_secs + off_secs);
        let around = source.keys_between(middle_secs - LOW_AROUND_SECS, middle_secs + LOW_AROUND_SECS);
        let mean_m = heights_m[around.clone()].iter().sum::<f64>() / around.len().max(1) as f64;
        if heights_m[source.key_at(middle_secs)] >= mean_m {
            continue;
        }
        for span in spans.iter_mut().flatten() {
            if span.0 == on_secs {
                span.0 -= WIDEN_SECS;
            }
            if span.1 == off_secs {
                span.1 += WIDEN_SECS;
            }
        }
    }
}

/// Periods in which more feet are down than just before and just after.
fn plateaus(spans: &[Vec<(f64, f64)>]) -> Vec<(f64, f64)> {
    let mut edges_secs: Vec<f64> = spans.iter().flatten().flat_map(|&(start, end)| [start, end]).collect();
    edges_secs.sort_by(f64::total_cmp);
    edges_secs.dedup();
    // Levels between edges, equal neighbours joined.
    let mut levels: Vec<(f64, f64, usize)> = Vec::new();
    for pair in edges_secs.windows(2) {
        let middle_secs = 0.5 * (pair[0] + pair[1]);
        let down = spans.iter().flatten().filter(|span| (span.0..span.1).contains(&middle_secs)).count();
        match levels.last_mut().filter(|level| level.2 == down) {
            Some(level) => level.1 = pair[1],
            None => levels.push((pair[0], pair[1], down)),
        }
    }
    let level = |index: Option<usize>| index.and_then(|index| levels.get(index)).map_or(0, |level| level.2);
    let is_peak = |index: usize| {
        let own = levels[index].2;
        own > level(index.checked_sub(1)) && own > level(Some(index + 1))
    };
    (0..levels.len()).filter(|&index| is_peak(index)).map(|index| (levels[index].0, levels[index].1)).collect()
}

/// Where something that does not stand on feet comes down: every local minimum of its height.
fn impacts(source: &PathSource) -> Vec<usize> {
    let height_m = |key: usize| source.root_m[key].y;
    let (mut found, mut extreme, mut is_falling) = (Vec::new(), 0, true);
    for key in 1..source.keys() {
        let beyond_m = height_m(key) - height_m(extreme);
        if (is_falling && beyond_m < 0.0) || (!is_falling && beyond_m > 0.0) {
            extreme = key;
        } else if beyond_m.abs() > LEAST_BOUNCE_M {
            if is_falling && extreme > 0 {
                found.push(extreme);
            }
            (is_falling, extreme) = (!is_falling, key);
        }
    }
    found
}

/// Handles that are too near to each other in time: the ends stay, else the lower one does.
fn merge(keys: &mut Vec<usize>, source: &PathSource, last: usize) {
    let secs = |key: usize| source.times_secs[key];
    keys.retain(|&key| secs(key) - secs(0) >= LEAST_APART_SECS && secs(last) - secs(key) >= LEAST_APART_SECS);
    keys.dedup_by(|next, key| {
        let is_near = secs(*next) - secs(*key) < LEAST_APART_SECS;
        if is_near && source.root_m[*next].y < source.root_m[*key].y {
            *key = *next;
        }
        is_near
    });
}

/// Steps on the spot are one: handles stay only where they are away from the one before and from the end, or where a
/// flight begins or ends beside them – a jump on the spot is prepared and landed.
fn stay(keys: &mut Vec<usize>, source: &PathSource, flights: &[Range<usize>], last: usize) {
    let all: Vec<usize> = std::iter::once(0).chain(keys.iter().copied()).chain([last]).collect();
    let flies = |a: usize, b: usize| flights.iter().any(|flight| flight.start >= a && flight.end <= b + 1);
    let is_apart = |a: usize, b: usize| (source.ground_m[a] - source.ground_m[b]).norm() >= LEAST_STEP_M;
    // Whether a flight is beside it, too.
    let mut kept: Vec<(usize, bool)> = Vec::new();
    for three in all.windows(3) {
        let key = three[1];
        let is_beside_flight = flies(three[0], key) || flies(key, three[2]);
        let from = kept.last().map_or(0, |it| it.0);
        if is_beside_flight || is_apart(from, key) {
            kept.push((key, is_beside_flight));
        }
    }
    while kept.last().is_some_and(|&(key, is_beside_flight)| !is_beside_flight && !is_apart(key, last)) {
        kept.pop();
    }
    *keys = kept.into_iter().map(|it| it.0).collect();
}

/// The foot in front along the way, of those that stand; the only one that stands. In flight and abreast no foot leads.
fn lead(source: &PathSource, key: usize) -> Option<Side> {
    let at_secs = source.times_secs[key];
    let is_down = |stances: &[(f64, f64)]| {
        stances.iter().any(|span| (span.0 - BEYOND_PLATEAU_SECS..=span.1 + BEYOND_PLATEAU_SECS).contains(&at_secs))
    };
    let standing: Vec<_> = source.feet.iter().filter(|foot| !foot.is_front && is_down(&foot.stances)).collect();
    let way_m = {
        let around = source.keys_between(at_secs - LOW_AROUND_SECS, at_secs + LOW_AROUND_SECS);
        source.root_m[around.end - 1] - source.root_m[around.start]
    };
    let ahead = way_m.with_y(0.0).normalize_or_zero();
    match standing[..] {
        [] => None,
        [only] => Some(only.side),
        [a, b, ..] => {
            let by_m = (a.centre_m[key] - b.centre_m[key]).dot(ahead);
            (by_m.abs() > ABREAST_M).then_some(if by_m > 0.0 { a.side } else { b.side })
        }
    }
}

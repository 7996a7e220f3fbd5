//! When points stand, and where: from contacts and the force-trimmed flights of the analysis to intervals whose ends
//! are events.

use super::paths::Paths;
use super::touch::Touch;
use crate::EditingError;
use aplomb_analysis::ContactAnalysis;
use aplomb_analysis::contacts::{Flight, Part, Verdict};
use glam::DVec3;

/// Events nearer than this are one: splines between them would have to jump.
const MERGE_SECS: f64 = 0.021;
/// Points that left no longer than this before the last one of a take-off leave with it.
const TOGETHER_SECS: f64 = 0.1;
/// A flight edge is moved to a point no farther than this, s.
const EDGE_REACH_SECS: f64 = 0.25;
/// Shorter gaps without anything down that are no flight are bridged, s.
const GAP_SECS: f64 = 0.1;
/// Between steps of a run nothing unknown carries the body: flights as short as this are flights even where
/// masses and capture leave doubt about their g, and the fit shows whether dynamics agrees, s.
const BRIEF_SECS: f64 = 0.25;
/// Shorter footholds say nothing of forces and are dropped, s.
const LEAST_FOOTHOLD_SECS: f64 = 0.042;
/// A point rests that is no higher over the floor than this, m.
const REST_HEIGHT_M: f64 = 0.03;
/// A point that rests is no faster than this, m/s.
const POINT_REST_SPEED: f64 = 0.5;
/// A time during which a point stays where it is and carries.
#[derive(Clone, Debug, PartialEq)]
pub struct Foothold {
    pub touch: usize,
    pub start_secs: f64,
    pub end_secs: f64,
    pub place_m: DVec3,
    /// Across the foot, level.
    pub lateral: DVec3,
    /// Whether it already carries at its start, or still at its end: those of the clip.
    pub is_loaded_at_start: bool,
    pub is_loaded_at_end: bool,
    /// Hands on a bar may pull as well as push.
    pub is_bilateral: bool,
}

/// A point's time on the ground.
#[derive(Clone, Debug)]
pub struct FootholdSpan {
    pub touch: usize,
    pub start_secs: f64,
    pub end_secs: f64,
    pub raised_m: f64,
}

/// Between which times a flight begins and ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FlightEdges {
    /// From where nothing rests any more to where nothing pushes any more, s.
    pub takeoff_secs: [f64; 2],
    /// From where something pushes to where something rests, s.
    pub landing_secs: [f64; 2],
}

/// Flights that count, by force, s: something carries the others.
pub fn counted_flights(contacts: &ContactAnalysis) -> Vec<(f64, f64)> {
    real_flights(contacts).map(|flight| (flight.start_secs, flight.end_secs)).collect()
}

fn real_flights(contacts: &ContactAnalysis) -> impl Iterator<Item = &Flight> {
    let is_brief = |flight: &Flight| flight.kinematic_end_secs - flight.kinematic_start_secs < BRIEF_SECS;
    contacts.flights.iter().filter(move |flight| flight.verdict != Verdict::Doubtful || is_brief(flight))
}

/// Edges of flights by force, but no longer in contact than a point is near the ground, and by height and speed.
/// Smoothing spreads force over thirty milliseconds, which makes flights too short; thresholds of height and speed make
/// them up to a tenth of a second too long.
pub fn flights(
    contacts: &ContactAnalysis,
    touches: &[Touch],
    paths: &mut Paths<'_>,
    ground_m: f64,
) -> Vec<FlightEdges> {
    let is_near = |paths: &mut Paths<'_>, frame: usize| {
        let feet = touches.iter().filter(|touch| touch.part != Part::Hand);
        feet.map(|touch| paths.point_m(frame, touch).y - ground_m).fold(f64::INFINITY, f64::min) < REST_HEIGHT_M
    };
    let mut found = Vec::new();
    for flight in real_flights(contacts) {
        let takeoff =
            paths.frames(flight.kinematic_start_secs, flight.start_secs).rev().find(|&frame| is_near(paths, frame));
        let landing = paths.frames(flight.end_secs, flight.kinematic_end_secs).find(|&frame| is_near(paths, frame));
        // Supports that lie higher have no height to judge by.
        let start_secs = takeoff.map_or(flight.start_secs, |frame| paths.times_secs[frame]);
        let end_secs = landing.map_or(flight.end_secs, |frame| paths.times_secs[frame]);
        found.push(FlightEdges {
            takeoff_secs: [flight.kinematic_start_secs.min(start_secs), start_secs],
            landing_secs: [end_secs, flight.kinematic_end_secs.max(end_secs)],
        });
    }
    found
}

/// Contacts as the analysis found them.
pub fn spans(contacts: &ContactAnalysis, touches: &[Touch], duration_secs: f64) -> Vec<FootholdSpan> {
    let mut spans = Vec::new();
    for (touch, own) in touches.iter().enumerate().filter(|(_, own)| own.part != Part::Hand) {
        for contact in contacts.contacts_of(&own.name) {
            let raised_m = contact.raised_m.unwrap_or(0.0);
            let (start_secs, end_secs) = (contact.start_secs.max(0.0), contact.end_secs.min(duration_secs));
            spans.push(FootholdSpan { touch, start_secs, end_secs, raised_m });
        }
    }
    spans
}

/// Puts the ends of contacts on events: where a point really rests, flights by force, near ones merged, and nothing
/// left in the air.
pub fn settle(
    mut spans: Vec<FootholdSpan>,
    touches: &[Touch],
    flights: &[(f64, f64)],
    paths: &mut Paths<'_>,
    ground_m: f64,
) -> Result<Vec<FootholdSpan>, EditingError> {
    let duration_secs = paths.times_secs.last().copied().unwrap_or(0.0);
    for span in &mut spans {
        shrink(span, &touches[span.touch], paths, ground_m, duration_secs);
    }
    spans.retain(|span| span.end_secs > span.start_secs);
    for &(from, to) in flights {
        let middle = 0.5 * (from + to);
        spans.iter_mut().for_each(|span| trim(span, middle, from, to));
        extend_to_liftoff(&mut spans, touches, from, paths);
        extend_to_touchdown(&mut spans, touches, to, paths);
    }
    bridge(&mut spans, flights, duration_secs)?;
    merge_events(&mut spans, flights, duration_secs);
    spans.retain(|span| span.end_secs - span.start_secs >= LEAST_FOOTHOLD_SECS);
    if spans.is_empty() {
        return Err(EditingError::NoContact { verb: "adapt" });
    }
    Ok(spans)
}

/// A held point must rest: contacts of the analysis end at twice its threshold of height, which is right for
/// finding what carries, but would bend the foot by centimetres here.
fn shrink(span: &mut FootholdSpan, touch: &Touch, paths: &mut Paths<'_>, ground_m: f64, duration_secs: f64) {
    let floor_m = ground_m + span.raised_m;
    let frames = paths.frames(span.start_secs, span.end_secs);
    let mut rests = |frame: usize| {
        paths.point_m(frame, touch).y - floor_m < REST_HEIGHT_M && paths.speed(frame, touch) < POINT_REST_SPEED
    };
    let first = frames.clone().find(|&frame| rests(frame));
    let last = frames.rev().find(|&frame| rests(frame));
    let (Some(first), Some(last)) = (first, last) else {
        span.end_secs = span.start_secs;
        return;
    };
    if span.start_secs > 1e-9 {
        span.start_secs = paths.times_secs[first];
    }
    if span.end_secs < duration_secs - 1e-9 {
        span.end_secs = paths.times_secs[last];
    }
}

/// Nothing stands inside a flight.
fn trim(span: &mut FootholdSpan, middle: f64, from: f64, to: f64) {
    if span.start_secs < middle && span.end_secs > from && span.end_secs < to + MERGE_SECS {
        span.end_secs = span.end_secs.min(from.max(span.start_secs));
    } else if span.end_secs > middle && span.start_secs < to && span.start_secs > from - MERGE_SECS {
        span.start_secs = span.start_secs.max(to.min(span.end_secs));
    }
}

/// Force lasts some sixty milliseconds longer than the ball stays near the ground: of each foot the lowest point
/// carries it.
fn extend_to_liftoff(spans: &mut [FootholdSpan], touches: &[Touch], liftoff: f64, paths: &mut Paths<'_>) {
    let frame = paths.frames(liftoff, f64::INFINITY).start.min(paths.len() - 1);
    let mut last: Vec<usize> = Vec::new();
    for group in 0..2 {
        let is_late =
            |span: &FootholdSpan| span.end_secs <= liftoff + MERGE_SECS && span.end_secs > liftoff - EDGE_REACH_SECS;
        let own = (0..spans.len()).filter(|&i| touches[spans[i].touch].group == group && is_late(&spans[i]));
        last.extend(own.min_by(|&a, &b| {
            let height_m = [a, b].map(|i| paths.point_m(frame, &touches[spans[i].touch]).y);
            height_m[0].total_cmp(&height_m[1])
        }));
    }
    let latest = last.iter().map(|index| spans[*index].end_secs).fold(f64::NEG_INFINITY, f64::max);
    for index in last {
        if spans[index].end_secs > latest - TOGETHER_SECS {
            spans[index].end_secs = liftoff;
        }
    }
}

fn extend_to_touchdown(spans: &mut [FootholdSpan], touches: &[Touch], touchdown: f64, paths: &mut Paths<'_>) {
    let frame = paths.frames(touchdown, f64::INFINITY).start.min(paths.len() - 1);
    let mut first: Vec<usize> = Vec::new();
    for group in 0..2 {
        let is_early = |span: &FootholdSpan| {
            span.start_secs >= touchdown - MERGE_SECS && span.start_secs < touchdown + EDGE_REACH_SECS
        };
        let own = (0..spans.len()).filter(|&i| touches[spans[i].touch].group == group && is_early(&spans[i]));
        first.extend(own.min_by(|&a, &b| {
            let height_m = [a, b].map(|i| paths.point_m(frame, &touches[spans[i].touch]).y);
            height_m[0].total_cmp(&height_m[1])
        }));
    }
    let earliest = first.iter().map(|index| spans[*index].start_secs).fold(f64::INFINITY, f64::min);
    for index in first {
        if spans[index].start_secs < earliest + TOGETHER_SECS {
            spans[index].start_secs = touchdown;
        }
    }
}

/// Something carries the body whenever it does not fly.
fn bridge(spans: &mut [FootholdSpan], flights: &[(f64, f64)], duration_secs: f64) -> Result<(), EditingError> {
    let is_free = |secs: f64| flights.iter().any(|(from, to)| (from - 1e-9..=to + 1e-9).contains(&secs));
    // Ends of the clip, as far as contacts do not reach them.
    let earliest = spans.iter().map(|span| span.start_secs).fold(f64::INFINITY, f64::min);
    let latest = spans.iter().map(|span| span.end_secs).fold(f64::NEG_INFINITY, f64::max);
    for span in spans.iter_mut() {
        if !is_free(0.0) && span.start_secs <= earliest + MERGE_SECS && earliest < GAP_SECS {
            span.start_secs = 0.0;
        }
        if !is_free(duration_secs) && span.end_secs >= latest - MERGE_SECS && latest > duration_secs - GAP_SECS {
            span.end_secs = duration_secs;
        }
    }
    let mut ends: Vec<f64> = spans.iter().map(|span| span.end_secs).filter(|end| *end < duration_secs).collect();
    ends.sort_by(f64::total_cmp);
    for end in ends {
        let covered = |span: &FootholdSpan| span.start_secs <= end && span.end_secs > end;
        if is_free(end) || spans.iter().any(covered) {
            continue;
        }
        let next = spans.iter().map(|span| span.start_secs).filter(|start| *start > end);
        let next = next
            .chain(flights.iter().map(|flight| flight.0).filter(|start| *start > end))
            .fold(duration_secs, f64::min);
        // A clip that ends in the air: nothing stands any more, and the body falls.
        if next >= duration_secs && next - end < BRIEF_SECS {
            continue;
        }
        if next - end > GAP_SECS {
            let problem = format!(
                "between {} s and {} s nothing touches the ground and the body does not fall: what carries it is \
                 unknown; cut the clip, or \
                 correct its contacts",
                crate::short_number(end),
                crate::short_number(next)
            );
            return Err(EditingError::Goals { problem });
        }
        for span in spans.iter_mut().filter(|span| span.end_secs == end) {
            span.end_secs = next;
        }
    }
    Ok(())
}

/// Moves ends that nearly coincide onto one another; edges of flights and the clip's ends stay.
fn merge_events(spans: &mut [FootholdSpan], flights: &[(f64, f64)], duration_secs: f64) {
    let mut anchors = vec![0.0, duration_secs];
    anchors.extend(flights.iter().flat_map(|(from, to)| [*from, *to]));
    let mut events: Vec<f64> = spans.iter().flat_map(|span| [span.start_secs, span.end_secs]).collect();
    events.sort_by(f64::total_cmp);
    for event in events {
        if anchors.iter().all(|anchor| (anchor - event).abs() >= MERGE_SECS) {
            anchors.push(event);
        }
    }
    let nearest = |secs: f64| {
        let apart = |anchor: &f64| (anchor - secs).abs();
        anchors.iter().copied().min_by(|a, b| apart(a).total_cmp(&apart(b))).unwrap_or(secs)
    };
    for span in spans {
        span.start_secs = nearest(span.start_secs);
        span.end_secs = nearest(span.end_secs);
    }
}

/// Drops each point along the sole's normal to one floor, whose height it gives: joint centres and corners of boxes lie
/// anywhere around the sole.
pub fn level_soles(touches: &mut [Touch], spans: &[FootholdSpan], paths: &mut Paths<'_>) -> f64 {
    let mut found: Vec<Option<(f64, DVec3)>> = Vec::new();
    for (index, touch) in touches.iter().enumerate() {
        let (mut weight, mut height_m, mut up) = (0.0, 0.0, DVec3::ZERO);
        for span in spans.iter().filter(|span| span.touch == index) {
            for frame in paths.frames(span.start_secs, span.end_secs) {
                let trust = paths.trust(frame, touch);
                weight += trust;
                height_m += trust * (paths.point_m(frame, touch).y - span.raised_m);
                up += paths.up_in_link(frame, touch) * trust;
            }
        }
        found.push((weight > 0.0).then(|| (height_m / weight, up.normalize_or(DVec3::Y))));
    }
    let ground_m = found.iter().flatten().map(|(height_m, _)| *height_m).fold(f64::INFINITY, f64::min);
    let ground_m = if ground_m.is_finite() { ground_m } else { 0.0 };
    for (touch, found) in touches.iter_mut().zip(&found) {
        if let Some((height_m, up)) = found {
            touch.point_in_link_m -= *up * (height_m - ground_m);
        }
    }
    ground_m
}

/// Where each point stands: where it rests, on the floor.
pub fn place(touches: &[Touch], spans: &[FootholdSpan], paths: &mut Paths<'_>, ground_m: f64) -> Vec<Foothold> {
    let duration_secs = paths.times_secs.last().copied().unwrap_or(0.0);
    let mut footholds: Vec<Foothold> = Vec::new();
    for span in spans {
        let touch = &touches[span.touch];
        let (mut weight, mut sum_m) = (0.0, DVec3::ZERO);
        for frame in paths.frames(span.start_secs, span.end_secs) {
            let trust = paths.trust(frame, touch);
            weight += trust;
            sum_m += paths.point_m(frame, touch) * trust;
        }
        let mut place_m = if weight > 0.0 { sum_m / weight } else { DVec3::ZERO };
        place_m.y = ground_m + span.raised_m;
        footholds.push(Foothold {
            touch: span.touch,
            start_secs: span.start_secs,
            end_secs: span.end_secs,
            place_m,
            lateral: DVec3::X,
            is_loaded_at_start: span.start_secs <= 1e-9,
            is_loaded_at_end: span.end_secs >= duration_secs - 1e-9,
            is_bilateral: false,
        });
    }
    for index in 0..footholds.len() {
        footholds[index].lateral = lateral(&footholds, index, touches);
    }
    keep_feet_as_long(&mut footholds, touches, paths);
    footholds
}

/// A heel that comes down alone and slides until its ball is down stands where both say: feet do not get longer, and
/// what is left of the slide would be its drift. How much either counts is how long it rests.
fn keep_feet_as_long(footholds: &mut [Foothold], touches: &[Touch], paths: &mut Paths<'_>) {
    for index in 0..footholds.len() {
        let heel = footholds[index].clone();
        if touches[heel.touch].part != Part::Heel {
            continue;
        }
        let is_own_ball = |foothold: &&Foothold| {
            let touch = &touches[foothold.touch];
            touch.part == Part::Ball && touch.group == touches[heel.touch].group
        };
        let overlap_secs =
            |foothold: &Foothold| foothold.end_secs.min(heel.end_secs) - foothold.start_secs.max(heel.start_secs);
        let ball = footholds.iter().filter(is_own_ball).max_by(|a, b| overlap_secs(a).total_cmp(&overlap_secs(b)));
        let Some(ball) = ball.filter(|ball| overlap_secs(ball) > 0.0).cloned() else { continue };
        let along = heel.lateral.cross(DVec3::Y);
        let (mut weight, mut sum_m, mut own) = (0.0, 0.0, 0.0);
        for frame in paths.frames(heel.start_secs, heel.end_secs) {
            own += paths.trust(frame, &touches[heel.touch]);
        }
        for frame in paths.frames(ball.start_secs.max(heel.start_secs), ball.end_secs.min(heel.end_secs)) {
            let trust = paths.trust(frame, &touches[heel.touch]).min(paths.trust(frame, &touches[ball.touch]));
            let apart_m = paths.point_m(frame, &touches[ball.touch]) - paths.point_m(frame, &touches[heel.touch]);
            weight += trust;
            sum_m += trust * along.dot(apart_m);
        }
        if weight > 0.0 {
            let off_m = along.dot(ball.place_m - heel.place_m) - sum_m / weight;
            footholds[index].place_m += along * (off_m * weight / (weight + own));
        }
    }
}

/// Across the line from heel to ball, as they stand at about the same time.
pub fn lateral(footholds: &[Foothold], index: usize, touches: &[Touch]) -> DVec3 {
    let own = &footholds[index];
    let group = touches[own.touch].group;
    let beside = |part: Part| {
        let same =
            |foothold: &&Foothold| touches[foothold.touch].group == group && touches[foothold.touch].part == part;
        let overlap =
            |foothold: &Foothold| foothold.end_secs.min(own.end_secs) - foothold.start_secs.max(own.start_secs);
        footholds.iter().filter(same).max_by(|a, b| overlap(a).total_cmp(&overlap(b)))
    };
    match (beside(Part::Heel), beside(Part::Ball)) {
        (Some(heel), Some(ball)) => DVec3::Y.cross(ball.place_m - heel.place_m).normalize_or(DVec3::X),
        _ => DVec3::X,
    }
}

/// Ends of stands and of the clip, rising.
pub fn events_secs(footholds: &[Foothold], duration_secs: f64) -> Vec<f64> {
    let mut events = vec![0.0, duration_secs];
    events.extend(footholds.iter().flat_map(|foothold| [foothold.start_secs, foothold.end_secs]));
    events.sort_by(f64::total_cmp);
    events.dedup_by(|a, b| (*a - *b).abs() < 1e-6);
    // A stand without a knot inside would carry nothing.
    for foothold in footholds {
        let inside = |secs: &&f64| **secs > foothold.start_secs + 1e-6 && **secs < foothold.end_secs - 1e-6;
        let length = foothold.end_secs - foothold.start_secs;
        if events.iter().find(inside).is_none() && length <= 0.05 {
            events.push(0.5 * (foothold.start_secs + foothold.end_secs));
            events.sort_by(f64::total_cmp);
        }
    }
    events
}

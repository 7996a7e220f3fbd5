//! Which flights are repaired, and between which frames.
//!
//! Inside a flight the centre of mass is put on a parabola, so a label that reaches into the landing lifts the whole
//! landing (83_43: by 20 cm). Take-off and landing have to agree with the heights between them: where the body leaves
//! its own parabola by more than bodies and labels err, the label is taken back to the longest part that falls; if that
//! is too little of it, the flight is left alone. Either is told.

use super::observed_motion::{Label, ObservedMotion};
use crate::finding::{Finding, codes};
use aplomb_physics::GRAVITY_IN_WORLD;
use glam::DVec3;
use std::ops::Range;

/// Heights of a flight that leave its parabola by more than this are no fall, m: g of 8.5 or 12.7 m/s², the limits of a
/// flight that is believed, over half a second come to 6 cm.
const MOST_OFF_M: f64 = 0.06;
/// The part that falls leaves its parabola by no more than this, m.
const FALLS_M: f64 = 0.01;
/// A flight of which less falls is left alone.
const LEAST_SHARE: f64 = 0.6;
/// A fall takes three frames.
const LEAST_FALL_FRAMES: usize = 3;

/// Takes labels back to what falls, and says so. The motion has been looked at.
pub(super) fn check(motion: &mut ObservedMotion) -> Vec<Finding> {
    let mut findings = Vec::new();
    let labelled = std::mem::take(&mut motion.flights);
    for flight in labelled {
        let off_m = heights_off_m(motion, &flight);
        if off_m <= MOST_OFF_M {
            motion.flights.push(flight);
            continue;
        }
        let secs = |index: usize| (motion.frames.first + index) as f64 * motion.frames.step_secs;
        let told = |code| Finding::of(code).at(secs(flight.start), secs(flight.end - 1));
        let fall = longest_fall(motion, &flight).filter(|fall| fall.len() as f64 >= LEAST_SHARE * flight.len() as f64);
        let kept = match fall {
            Some(fall) => {
                let shortened = told(codes::FLIGHT_SHORTENED).value("fall_start_secs", secs(fall.start));
                findings.push(shortened.value("fall_end_secs", secs(fall.end - 1)));
                fall
            }
            None => {
                findings.push(told(codes::FLIGHT_UNBELIEVED).value("off_m", off_m));
                flight.end..flight.end
            }
        };
        // What does not fall is carried by something, and it is not known by what.
        for frame in flight.filter(|frame| !kept.contains(frame)) {
            motion.labels[frame] = Label::None;
        }
        if !kept.is_empty() {
            motion.flights.push(kept);
        }
    }
    findings
}

/// Farthest that the centre of mass is from the parabola with g that is nearest to it, m.
pub(super) fn off_m(motion: &ObservedMotion, flight: &Range<usize>) -> f64 {
    farthest_m(motion, flight, |off_m| off_m.length())
}

fn heights_off_m(motion: &ObservedMotion, flight: &Range<usize>) -> f64 {
    farthest_m(motion, flight, |off_m| off_m.y.abs())
}

fn farthest_m(motion: &ObservedMotion, flight: &Range<usize>, size: impl Fn(DVec3) -> f64) -> f64 {
    let count = flight.len() as f64;
    if flight.len() < LEAST_FALL_FRAMES {
        return 0.0;
    }
    let at = |frame: usize| ((frame - flight.start) as f64 - 0.5 * (count - 1.0)) * motion.frames.step_secs;
    // Without gravity a body flies straight on.
    let straight_m = |frame: usize| motion.com_m(frame) - GRAVITY_IN_WORLD * (0.5 * at(frame) * at(frame));
    let mean_m = flight.clone().map(straight_m).sum::<DVec3>() / count;
    let squares: f64 = flight.clone().map(|frame| at(frame) * at(frame)).sum();
    let velocity = flight.clone().map(|frame| straight_m(frame) * at(frame)).sum::<DVec3>() / squares;
    flight.clone().map(|frame| size(straight_m(frame) - mean_m - velocity * at(frame))).fold(0.0, f64::max)
}

/// The longest part of a flight that falls.
fn longest_fall(motion: &ObservedMotion, flight: &Range<usize>) -> Option<Range<usize>> {
    let parts = |length: usize| (flight.start..=flight.end - length).map(move |start| start..start + length);
    let nearest = |length: usize| {
        let falls = parts(length).map(|part| (heights_off_m(motion, &part), part));
        falls.min_by(|a, b| a.0.total_cmp(&b.0)).filter(|(off_m, _)| *off_m <= FALLS_M).map(|(_, part)| part)
    };
    (LEAST_FALL_FRAMES..=flight.len()).rev().find_map(nearest)
}

//! Where planted points may be held still (contacts.md 8).

use super::effectors::{Effector, Part};
use super::options::ContactOptions;
use super::touch::{ROUNDING_SECS, runs_of};
use std::ops::Range;

/// A planted stretch of one effector, in samples, and the load interval it lies in.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct PinSpan {
    pub effector: usize,
    pub pinned: Range<usize>,
    pub load: Range<usize>,
}

/// Pins of all effectors. Toe tips have none where the foot has a ball: heel, then ball only.
pub(super) fn pins(
    effectors: &[Effector],
    loads: &[Vec<Range<usize>>],
    speeds: &[Vec<f64>],
    step_secs: f64,
    options: &ContactOptions,
) -> Vec<PinSpan> {
    let has_ball = |side| effectors.iter().any(|effector| effector.part == Part::Ball && effector.side == side);
    let mut found = Vec::new();
    for (index, effector) in effectors.iter().enumerate() {
        if effector.part == Part::Toe && has_ball(effector.side) {
            continue;
        }
        for load in &loads[index] {
            let spans = planted(&speeds[index], load, step_secs, options).into_iter();
            found.extend(spans.map(|pinned| PinSpan { effector: index, pinned, load: load.clone() }));
        }
    }
    hand_over(effectors, &mut found, step_secs, options);
    found
}

/// The still parts of a load interval, or its slowest stretch.
fn planted(speed: &[f64], load: &Range<usize>, step_secs: f64, options: &ContactOptions) -> Vec<Range<usize>> {
    let is_still: Vec<bool> = speed[load.clone()].iter().map(|&speed| speed < options.pin_speed).collect();
    let still = runs_of(&is_still).into_iter().map(|run| run.start + load.start..run.end + load.start);
    let long: Vec<Range<usize>> =
        still.filter(|run| run.len() as f64 * step_secs >= options.least_pin_secs - ROUNDING_SECS).collect();
    if !long.is_empty() {
        return long;
    }
    let width = ((options.slowest_pin_secs / step_secs).round() as usize).clamp(1, load.len());
    let mean = |start: usize| speed[start..start + width].iter().sum::<f64>();
    let slowest = (load.start..=load.end - width).min_by(|a, b| mean(*a).total_cmp(&mean(*b)));
    slowest.map(|start| start..start + width).into_iter().collect()
}

/// Heel to ball: once the ball has been held for a moment, the heel is let go until the ball is.
fn hand_over(effectors: &[Effector], pins: &mut Vec<PinSpan>, step_secs: f64, options: &ContactOptions) {
    let moment = (options.hand_over_secs / step_secs).round() as usize;
    let part_of = |pin: &PinSpan| (effectors[pin.effector].part, effectors[pin.effector].side);
    let balls: Vec<PinSpan> = pins.iter().filter(|pin| part_of(pin).0 == Part::Ball).cloned().collect();
    for pin in pins.iter_mut() {
        let (part, side) = part_of(pin);
        if part != Part::Heel {
            continue;
        }
        for ball in balls.iter().filter(|ball| part_of(ball).1 == side) {
            let held = ball.pinned.start + moment..ball.pinned.end;
            if held.contains(&pin.pinned.start) {
                pin.pinned.start = held.end.min(pin.pinned.end);
            } else if pin.pinned.contains(&held.start) {
                pin.pinned.end = held.start;
            }
        }
    }
    pins.retain(|pin| !pin.pinned.is_empty());
}

#[cfg(test)]
mod tests {
    use super::*;
    use aplomb_motion::{JointId, Side};
    use glam::DVec3;

    fn foot() -> Vec<Effector> {
        [("left_heel", Part::Heel), ("left_ball", Part::Ball), ("left_toe", Part::Toe)]
            .map(|(name, part)| Effector {
                name: name.into(),
                part,
                side: Some(Side::Left),
                joint: JointId::new(0),
                point_in_joint_m: DVec3::ZERO,
                may_be_raised: true,
            })
            .to_vec()
    }

    #[test]
    fn heel_hands_over_to_the_ball_and_the_tip_is_left_alone() {
        // 100 Hz. Heel down 0..50, ball 20..80, all still.
        let loads = vec![vec![0..50], vec![20..80], vec![20..82]];
        let speeds = vec![vec![0.0; 100]; 3];
        let pins = pins(&foot(), &loads, &speeds, 0.01, &ContactOptions::default());
        let spans: Vec<_> = pins.iter().map(|pin| (pin.effector, pin.pinned.clone())).collect();
        assert_eq!(spans, vec![(0, 0..25), (1, 20..80)]);
        assert_eq!(pins[0].load, 0..50);
    }

    #[test]
    fn a_sliding_contact_is_pinned_where_it_slides_least() {
        let speed: Vec<f64> = (0..100).map(|i| 0.2 + f64::from((i - 40i32).abs()) * 0.01).collect();
        let loads = vec![vec![], vec![10..90], vec![]];
        let speeds = vec![speed.clone(), speed.clone(), speed];
        let pins = pins(&foot(), &loads, &speeds, 0.01, &ContactOptions::default());
        assert_eq!(pins[0].pinned, 38..43);
    }
}

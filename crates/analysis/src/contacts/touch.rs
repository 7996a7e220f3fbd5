//! When one point is down: hysteresis on speed and height, run forward and backward (contacts.md 4).

use super::options::ContactOptions;
use std::ops::Range;

/// What one point does, sample by sample.
pub(super) struct PointMotion {
    /// m/s.
    pub speed: Vec<f64>,
    /// Over the ground, m.
    pub height_m: Vec<f64>,
    /// Over the ground, m: what is below it around this time.
    pub floor_m: Vec<f64>,
    /// Whether the point may touch here at all.
    pub possible: Vec<bool>,
}

/// Thresholds: V for each sample, and H.
pub(super) struct Thresholds {
    /// m/s.
    pub speed: Vec<f64>,
    pub height_m: f64,
}

/// Sample ranges in which the point is down.
///
/// A point comes down on the floor of its surroundings, and stays down on the floor that it came down on: on stairs the
/// lower step that is stepped on next belongs to the surroundings, and the foot that still stands on the upper one is
/// no higher for it.
pub(super) fn contacts_of_point(
    point: &PointMotion,
    thresholds: &Thresholds,
    options: &ContactOptions,
    step_secs: f64,
) -> Vec<Range<usize>> {
    let samples = point.speed.len();
    let is_on = |i: usize| {
        let over_m = point.height_m[i] - point.floor_m[i];
        point.possible[i] && point.speed[i] < thresholds.speed[i] && over_m < thresholds.height_m
    };
    let is_off = |i: usize, off_speed: f64, own_floor_m: f64| {
        let most_m = options.off_height * thresholds.height_m;
        let has_left =
            point.height_m[i] - point.floor_m[i] > most_m && (point.height_m[i] - own_floor_m).abs() > most_m;
        !point.possible[i] || has_left || point.speed[i] > off_speed * thresholds.speed[i]
    };
    let mut down = vec![false; samples];
    let mut run = |order: &mut dyn Iterator<Item = usize>, off_speed: f64| {
        let mut own_floor_m: Option<f64> = None;
        for i in order {
            own_floor_m = match own_floor_m {
                Some(own_m) => Some(own_m).filter(|own_m| !is_off(i, off_speed, *own_m)),
                None => is_on(i).then(|| point.floor_m[i]),
            };
            down[i] |= own_floor_m.is_some();
        }
    };
    run(&mut (0..samples), options.off_speed_forward);
    run(&mut (0..samples).rev(), options.off_speed_backward);
    let mut runs = runs_of(&down);
    close_gaps(&mut runs, options.least_gap_secs, step_secs);
    runs.retain(|run| {
        let at_an_end = run.start == 0 || run.end == samples;
        at_an_end || run.len() as f64 * step_secs >= options.least_contact_secs - ROUNDING_SECS
    });
    runs
}

/// Lengths are whole samples, so comparisons with seconds must not hang on the last bit.
pub(super) const ROUNDING_SECS: f64 = 1e-9;

/// Ranges of `true`.
pub(crate) fn runs_of(flags: &[bool]) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    for (i, _) in flags.iter().enumerate().filter(|(_, flag)| **flag) {
        match runs.last_mut() {
            Some(last) if last.end == i => last.end += 1,
            _ => runs.push(i..i + 1),
        }
    }
    runs
}

/// Joins runs that lie less than the given time apart.
pub(super) fn close_gaps(runs: &mut Vec<Range<usize>>, least_gap_secs: f64, step_secs: f64) {
    runs.dedup_by(|next, kept| {
        let is_short = (next.start - kept.end) as f64 * step_secs < least_gap_secs - ROUNDING_SECS;
        if is_short {
            kept.end = next.end;
        }
        is_short
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    const STEP_SECS: f64 = 0.01;

    fn contacts(speed: &[f64], height_m: &[f64]) -> Vec<Range<usize>> {
        let samples = speed.len();
        contacts_over(speed, height_m, &vec![0.0; samples])
    }

    fn contacts_over(speed: &[f64], height_m: &[f64], floor_m: &[f64]) -> Vec<Range<usize>> {
        let samples = speed.len();
        let (speed, height_m, floor_m) = (speed.to_vec(), height_m.to_vec(), floor_m.to_vec());
        let point = PointMotion { speed, height_m, floor_m, possible: vec![true; samples] };
        let thresholds = Thresholds { speed: vec![0.45; samples], height_m: 0.05 };
        contacts_of_point(&point, &thresholds, &ContactOptions::default(), STEP_SECS)
    }

    #[test]
    fn lift_off_is_late_and_touchdown_early_by_their_own_factors() {
        // Speed falls and rises by 0.05 m/s a sample: 2.0 … 0.0 … 2.0.
        let speed: Vec<f64> = (0..81).map(|i| f64::from((i - 40i32).abs()) * 0.05).collect();
        // Backward 1.3 × 0.45 = 0.585: 11 samples before the middle. Forward 1.8 × 0.45 = 0.81: 16 samples after it.
        assert_eq!(contacts(&speed, &[0.0; 81]), vec![29..57]);
    }

    #[test]
    fn height_ends_a_contact_at_once() {
        let mut height_m = vec![0.0; 60];
        height_m[30..].fill(0.08);
        assert_eq!(contacts(&[0.0; 60], &height_m), vec![0..30]);
    }

    #[test]
    fn a_foot_stays_on_its_step_while_the_next_one_comes_into_sight() {
        // It stands still on a step of 0.2 m, and from sample 40 on the surroundings know the floor below.
        let mut floor_m = vec![0.2; 60];
        floor_m[40..].fill(0.0);
        assert_eq!(contacts_over(&[0.0; 60], &[0.2; 60], &floor_m), vec![0..60]);
        // What is lifted slowly, and put onto a step, has left the floor.
        let mut lifted_m = vec![0.0; 60];
        (20..40).for_each(|i| lifted_m[i] = 0.3 * (i as f64 - 19.0) / 20.0);
        lifted_m[40..].fill(0.3);
        let mut known_m = vec![0.0; 60];
        known_m[50..].fill(0.3);
        assert_eq!(contacts_over(&[0.3; 60], &lifted_m, &known_m), vec![0..24, 35..60]);
        // The other way round, up the stairs: the first samples still know the floor below.
        floor_m.reverse();
        assert_eq!(contacts_over(&[0.0; 60], &[0.2; 60], &floor_m), vec![0..60]);
    }

    #[test]
    fn short_gaps_close_and_short_contacts_go_but_not_at_ends() {
        let mut speed = vec![0.0; 100];
        speed[0..3].fill(0.0);
        speed[3..40].fill(3.0);
        speed[45..60].fill(3.0);
        speed[80..85].fill(3.0);
        // 0..3 touches the start and stays; 40..45 is 0.05 s and goes; the gap 80..85 closes.
        assert_eq!(contacts(&speed, &[0.0; 100]), vec![0..3, 60..100]);
        speed[80..86].fill(3.0);
        assert_eq!(contacts(&speed, &[0.0; 100]), vec![0..3, 60..80, 86..100]);
    }
}

//! A line on the ground that goes straight, bends and goes straight again, by arc length.

/// A place on the line, in the axes of its start: ahead and to the left.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct OnLine {
    pub ahead_m: f64,
    pub left_m: f64,
    /// Counter-clockwise seen from above.
    pub heading_rad: f64,
}

/// A stretch whose curvature runs linearly.
#[derive(Clone, Copy, Debug)]
struct LineStretch {
    start_m: f64,
    start: OnLine,
    curvature: f64,
    /// Curvature per metre.
    slope: f64,
}

#[derive(Clone, Debug)]
pub(crate) struct Centreline {
    /// By `start_m`; the first also holds before its start, the last beyond its end.
    stretches: Vec<LineStretch>,
}

impl Centreline {
    /// `curvature` (positive to the left) from `start_m` on (`None`: everywhere) for `length_m` (`None`: to the end),
    /// rising and falling over `ease_m` about either end.
    pub fn new(curvature: f64, start_m: Option<f64>, length_m: Option<f64>, ease_m: f64) -> Self {
        let origin = OnLine { ahead_m: 0.0, left_m: 0.0, heading_rad: 0.0 };
        let first = if start_m.is_none() { curvature } else { 0.0 };
        let mut stretches = vec![LineStretch { start_m: 0.0, start: origin, curvature: first, slope: 0.0 }];
        let mut then = |from_m: f64, curvature: f64, slope: f64| {
            if let Some(last) = stretches.last() {
                let start = last.at(from_m);
                stretches.push(LineStretch { start_m: from_m, start, curvature, slope });
            }
        };
        let half_m = 0.5 * ease_m;
        if let Some(start_m) = start_m {
            // A ramp that would begin behind the start begins at it: the line is straight before.
            let ramp_m = (start_m - half_m).max(0.0);
            if ease_m > 0.0 {
                then(ramp_m, 0.0, curvature / ease_m);
            }
            then(ramp_m + ease_m, curvature, 0.0);
            if let Some(length_m) = length_m {
                let end_m = ramp_m + length_m;
                if ease_m > 0.0 {
                    then(end_m, curvature, -curvature / ease_m);
                }
                then(end_m + ease_m, 0.0, 0.0);
            }
        }
        Self { stretches }
    }

    /// Whether it does not bend anywhere.
    pub fn is_straight(&self) -> bool {
        self.stretches.iter().all(|stretch| stretch.curvature == 0.0 && stretch.slope == 0.0)
    }

    pub fn at(&self, along_m: f64) -> OnLine {
        let after = self.stretches.partition_point(|stretch| stretch.start_m <= along_m);
        let stretch = &self.stretches[after.saturating_sub(1)];
        stretch.at(along_m)
    }
}

impl LineStretch {
    fn at(&self, along_m: f64) -> OnLine {
        let length_m = along_m - self.start_m;
        let turn_rad = |s: f64| s * (self.curvature + 0.5 * self.slope * s);
        let heading_rad = self.start.heading_rad + turn_rad(length_m);
        let (ahead_m, left_m) = match self.slope {
            0.0 => {
                // The chord of an arc: length·sinc(turn/2), at half the turn.
                let half_rad = 0.5 * self.curvature * length_m;
                let chord_m = length_m * sinc(half_rad);
                let (sin, cos) = (self.start.heading_rad + half_rad).sin_cos();
                (chord_m * cos, chord_m * sin)
            }
            _ => integrate(length_m, |s| (self.start.heading_rad + turn_rad(s)).sin_cos()),
        };
        OnLine { ahead_m: self.start.ahead_m + ahead_m, left_m: self.start.left_m + left_m, heading_rad }
    }
}

fn sinc(x: f64) -> f64 {
    // Below this x²/6 is lost beside 1.
    if x.abs() < 1e-8 { 1.0 } else { x.sin() / x }
}

/// (∫ cos θ, ∫ sin θ) over a clothoid, which has no elementary form: Gauss–Legendre with five points on pieces of the
/// ramp. A ramp turns by ease/(2·radius), a radian or two at most, so sixteen pieces of at most 0.1 rad are exact to
/// rounding (error ∝ 0.1¹⁰).
fn integrate(length_m: f64, sin_cos_of_heading: impl Fn(f64) -> (f64, f64)) -> (f64, f64) {
    const PIECES: usize = 16;
    const NODES: [(f64, f64); 5] = [
        (-0.906_179_845_938_664, 0.236_926_885_056_189_08),
        (-0.538_469_310_105_683_1, 0.478_628_670_499_366_47),
        (0.0, 0.568_888_888_888_888_9),
        (0.538_469_310_105_683_1, 0.478_628_670_499_366_47),
        (0.906_179_845_938_664, 0.236_926_885_056_189_08),
    ];
    let half_m = 0.5 * length_m / PIECES as f64;
    let (mut ahead_m, mut left_m) = (0.0, 0.0);
    for piece in 0..PIECES {
        let middle_m = (2 * piece + 1) as f64 * half_m;
        for (node, weight) in NODES {
            let (sin, cos) = sin_cos_of_heading(middle_m + half_m * node);
            ahead_m += half_m * weight * cos;
            left_m += half_m * weight * sin;
        }
    }
    (ahead_m, left_m)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// |dC/ds| = 1 and dC/ds points along the heading, on every stretch and across their ends.
        #[test]
        fn the_line_is_measured_by_its_own_length(
            radius_m in 0.5..50.0f64, start_m in 0.0..3.0f64, length_m in 1.0..6.0f64, ease_m in 0.0..1.0f64, s in -1.0..12.0f64,
        ) {
            let line = Centreline::new(-1.0 / radius_m, Some(start_m), Some(length_m), ease_m);
            let step_m = 1e-4;
            let (a, b) = (line.at(s), line.at(s + step_m));
            let chord_m = (b.ahead_m - a.ahead_m).hypot(b.left_m - a.left_m);
            // A chord is shorter than its arc by step³κ²/24 < 2e-13.
            prop_assert!((chord_m - step_m).abs() < 1e-12, "{chord_m}");
            let direction_rad = (b.left_m - a.left_m).atan2(b.ahead_m - a.ahead_m);
            let middle_rad = 0.5 * (a.heading_rad + b.heading_rad);
            // Headings count full turns.
            let apart_rad = (direction_rad - middle_rad).sin().abs();
            // Where curvature jumps within the step: κ·step/2.
            prop_assert!(apart_rad < 2e-4, "{apart_rad}");
        }

        #[test]
        fn an_eased_bend_turns_as_far_as_a_sharp_one(length_m in 1.0..6.0f64, ease_m in 0.0..1.0f64) {
            let line = Centreline::new(0.5, Some(2.0), Some(length_m), ease_m);
            prop_assert!((line.at(20.0).heading_rad - 0.5 * length_m).abs() < 1e-12);
        }
    }

    #[test]
    fn a_full_circle_comes_back() {
        let line = Centreline::new(1.0 / 3.0, None, None, 0.0);
        let round = line.at(6.0 * std::f64::consts::PI);
        assert!(round.ahead_m.hypot(round.left_m) < 1e-14);
        let quarter = line.at(1.5 * std::f64::consts::PI);
        assert!((quarter.ahead_m - 3.0).abs() < 1e-14 && (quarter.left_m - 3.0).abs() < 1e-14);
        // Backwards too.
        assert!((line.at(-1.5 * std::f64::consts::PI).ahead_m + 3.0).abs() < 1e-14);
    }
}

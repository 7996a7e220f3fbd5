//! How the zero-moment point answers a turn that changes over time, and which turn it therefore takes.
//!
//! Equation 7 finds the turn e of a single frame, with accelerations frozen. A turn θ(t) has an acceleration of its
//! own: what turns pushes back at its height h over the ground, and the moment that the ground feels is
//!
//! ```text
//!   f θ − (h/g) θ̈ = f e           f: force into the ground over the body's weight
//! ```
//!
//! instead of f θ. So a turn at the frequency ω moves the point 1 + ω²h/(f g) times as far as a frozen one, 40 times at
//! 3 Hz. Put on frame by frame and only smoothed, as the paper has it, corrections overshoot wherever they are quick,
//! and grow with every iteration; how far depends on chance. Solving for θ gives each iteration the same gain at all
//! frequencies. In flights f is zero and the turn goes on as it went: θ̈ = 0, as nothing could stop it.
//!
//! Where only some frames may change, θ is zero in the others, and the equation is solved by least squares of all
//! moments, those beside a stretch that may change included: they feel how the turn begins.

use crate::EditingError;
use aplomb_numerics::{BandCholesky, SymmetricBand};
use glam::DVec3;

/// The heaviest frames are landings, body weights; beyond, something is wrong with the acceleration.
const MOST_LOAD: f64 = 3.0;
/// Share of a squared body weight that holds a turn to zero where it is eased: it begins slower, and throws the
/// zero-moment point less far out the other way. 0.02 to 2 differ by a fifth of that.
const EASE_HOLD: f64 = 0.5;
/// The same everywhere, so that a clip without any weight has an answer.
const LEAST_HOLD: f64 = 1e-6;

/// The equation for one clip and one part of the body.
pub(super) struct TurnSolver {
    factor: BandCholesky,
    equations: Equations,
    is_least_squares: bool,
}

impl TurnSolver {
    /// `load` a frame in body weights, zero in flights; `share` of a correction that each frame may take;
    /// `height_over_g` of what turns, s².
    pub fn new(load: &[f64], share: &[f64], height_over_g: f64, step_secs: f64) -> Result<Self, EditingError> {
        let equations = Equations::new(load, share, height_over_g.max(0.0) / (step_secs * step_secs));
        // One equation a frame is enough where every frame may change, and keeps its digits at any rate.
        let is_least_squares = equations.unknowns < load.len();
        let matrix = match is_least_squares {
            true => equations.squares(share),
            false => equations.plain(),
        };
        Ok(Self { factor: BandCholesky::factor(matrix)?, equations, is_least_squares })
    }

    /// The turn that answers as `moments` ask, which are f e, in their place.
    pub fn solve(&self, moments: &mut [DVec3]) -> Result<(), EditingError> {
        let mut side = vec![0.0; self.equations.unknowns];
        for axis in 0..3 {
            side.fill(0.0);
            for (frame, moment) in moments.iter().enumerate() {
                let weight = self.equations.weight(frame);
                if self.is_least_squares {
                    for (unknown, factor) in self.equations.terms(frame).into_iter().flatten() {
                        side[unknown] += weight * factor * moment[axis];
                    }
                } else {
                    side[frame] = weight * moment[axis];
                }
            }
            self.factor.solve(&mut side)?;
            for (unknown, moment) in self.equations.unknown_of.iter().zip(moments.iter_mut()) {
                moment[axis] = unknown.map_or(0.0, |unknown| side[unknown]);
            }
        }
        Ok(())
    }
}

/// f θ − (h/g) θ̈, a row a frame.
struct Equations {
    load: Vec<f64>,
    /// (h/g) / step².
    inertia: f64,
    /// Which unknown a frame that may change is.
    unknown_of: Vec<Option<usize>>,
    unknowns: usize,
}

impl Equations {
    fn new(load: &[f64], share: &[f64], inertia: f64) -> Self {
        let load = load.iter().map(|load| load.clamp(0.0, MOST_LOAD)).collect();
        let mut unknowns = 0;
        let mut next = |share: &f64| {
            (*share > 0.0).then(|| {
                unknowns += 1;
                unknowns - 1
            })
        };
        let unknown_of = share.iter().map(&mut next).collect();
        Self { load, inertia, unknown_of, unknowns }
    }

    /// Factors of the unknowns in one frame's row. Beyond the ends turns are mirrored, so that they neither stop nor
    /// kick there.
    fn terms(&self, frame: usize) -> [Option<(usize, f64)>; 3] {
        let last = self.load.len() - 1;
        let term = |frame: usize, factor: f64| self.unknown_of[frame].map(|unknown| (unknown, factor));
        let (own, beside) = (self.load[frame] + 2.0 * self.inertia, -self.inertia);
        match frame {
            _ if last == 0 => [term(0, self.load[0]), None, None],
            0 => [term(0, own), term(1, 2.0 * beside), None],
            _ if frame == last => [term(last - 1, 2.0 * beside), term(last, own), None],
            _ => [term(frame - 1, beside), term(frame, own), term(frame + 1, beside)],
        }
    }

    /// A half for the mirrors at the ends makes the rows a symmetric matrix.
    fn weight(&self, frame: usize) -> f64 {
        if frame == 0 || frame + 1 == self.load.len() { 0.5 } else { 1.0 }
    }

    fn plain(&self) -> SymmetricBand {
        let mut matrix = SymmetricBand::zero(self.unknowns, 1);
        for frame in 0..self.load.len() {
            matrix.add(frame, frame, LEAST_HOLD);
            for (unknown, factor) in self.terms(frame).into_iter().flatten().filter(|(unknown, _)| *unknown <= frame) {
                matrix.add(frame, unknown, self.weight(frame) * factor);
            }
        }
        matrix
    }

    fn squares(&self, share: &[f64]) -> SymmetricBand {
        let mut matrix = SymmetricBand::zero(self.unknowns, 2);
        for (unknown, share) in self.unknown_of.iter().zip(share) {
            if let Some(unknown) = *unknown {
                matrix.add(unknown, unknown, LEAST_HOLD + EASE_HOLD * (1.0 / (share * share) - 1.0));
            }
        }
        for frame in 0..self.load.len() {
            let terms = self.terms(frame);
            for (index, (row, a)) in terms.iter().flatten().enumerate() {
                for (column, b) in terms.iter().flatten().take(index + 1) {
                    matrix.add(*row, *column, self.weight(frame) * a * b);
                }
            }
        }
        matrix
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STEP_SECS: f64 = 1.0 / 120.0;
    /// A person's 1 m over g.
    const HEIGHT_OVER_G: f64 = 0.1;

    /// f θ − (h/g) θ̈ by differences, inside.
    fn moments(turn: &[DVec3], load: &[f64]) -> Vec<DVec3> {
        let second = |i: usize| (turn[i - 1] - turn[i] * 2.0 + turn[i + 1]) / (STEP_SECS * STEP_SECS);
        (1..turn.len() - 1).map(|i| turn[i] * load[i] - second(i) * HEIGHT_OVER_G).collect()
    }

    #[test]
    fn the_ground_feels_the_moments_that_were_asked_for() {
        let load: Vec<f64> = (0..400).map(|i| 1.0 + 0.5 * (f64::from(i) * 0.15).sin()).collect();
        let asked: Vec<DVec3> = (0..400).map(|i| DVec3::new(f64::from(i % 50) * 1e-3, 0.02, -0.01)).collect();
        let mut turn = asked.clone();
        TurnSolver::new(&load, &[1.0; 400], HEIGHT_OVER_G, STEP_SECS).unwrap().solve(&mut turn).unwrap();
        for (felt, asked) in moments(&turn, &load).iter().zip(&asked[1..]) {
            // LEAST_HOLD times the turn.
            assert!(felt.distance(*asked) < 1e-6, "{felt} {asked}");
        }
        // A steady moment under a steady force is a steady turn, to the very ends.
        let mut steady = vec![DVec3::X * 0.1; 200];
        TurnSolver::new(&[1.0; 200], &[1.0; 200], HEIGHT_OVER_G, STEP_SECS).unwrap().solve(&mut steady).unwrap();
        assert!(steady.iter().all(|turn| turn.distance(DVec3::X * 0.1) < 1e-6));
    }

    #[test]
    fn turns_go_on_through_flights() {
        let load: Vec<f64> = (0..300).map(|i| if (100..150).contains(&i) { 0.0 } else { 1.2 }).collect();
        let mut turn: Vec<DVec3> = (0..300).map(|i| DVec3::Z * if i < 100 { 0.1 } else { 0.0 }).collect();
        TurnSolver::new(&load, &[1.0; 300], HEIGHT_OVER_G, STEP_SECS).unwrap().solve(&mut turn).unwrap();
        let change = turn[101] - turn[100];
        assert!(change.z < -1e-4, "{change}");
        assert!((100..150).all(|i| (turn[i] - turn[i - 1]).distance(change) < 1e-6));
    }

    #[test]
    fn turns_begin_gently_and_stay_within_their_stretch() {
        let share: Vec<f64> = (0..400).map(|i: i32| crate::span::smoothstep(f64::from(i - 100) / 72.0)).collect();
        let mut turn = vec![DVec3::X * 0.1; 400];
        TurnSolver::new(&[1.0; 400], &share, HEIGHT_OVER_G, STEP_SECS).unwrap().solve(&mut turn).unwrap();
        assert!(turn[..=100].iter().all(|turn| *turn == DVec3::ZERO));
        assert!((turn[399].x - 0.1).abs() < 1e-3, "{}", turn[399]);
        // No kink at the seam, which would be an acceleration of slope/step (30 rad/s²), and less than the smoothstep
        // itself has: 6 · 0.1 rad / (0.6 s)².
        let second = |i: usize| (turn[i - 1].x - 2.0 * turn[i].x + turn[i + 1].x) / (STEP_SECS * STEP_SECS);
        let most = (1..399).map(|i| second(i).abs()).fold(0.0, f64::max);
        assert!(most < 0.6 * 6.0 * 0.1 / 0.36, "{most}");
    }

    #[test]
    fn nothing_to_stand_on_and_nothing_to_change_have_answers() {
        let mut turn = vec![DVec3::X; 5];
        TurnSolver::new(&[0.0; 5], &[1.0; 5], HEIGHT_OVER_G, STEP_SECS).unwrap().solve(&mut turn).unwrap();
        assert!(turn.iter().all(|turn| turn.is_finite()));
        let mut turn = vec![DVec3::X; 5];
        TurnSolver::new(&[1.0; 5], &[0.0; 5], HEIGHT_OVER_G, STEP_SECS).unwrap().solve(&mut turn).unwrap();
        assert_eq!(turn, [DVec3::ZERO; 5]);
        let mut one = [DVec3::X];
        TurnSolver::new(&[1.0], &[1.0], HEIGHT_OVER_G, STEP_SECS).unwrap().solve(&mut one).unwrap();
        assert!((one[0].x - 1.0).abs() < 1e-5, "{}", one[0]);
    }
}

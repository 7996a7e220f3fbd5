//! The search for the turns of shoulder, elbow and wrist.

use super::Arm;
use crate::EditingError;
use aplomb_motion::edit::LocalPose;
use aplomb_motion::{WorldPose, so3};
use argmin::core::{CostFunction, Executor, Gradient, State};
use argmin::solver::linesearch::MoreThuenteLineSearch;
use argmin::solver::quasinewton::LBFGS;
use glam::{DMat3, DQuat, DVec3};

/// Turns after which arms are where they should be, rad, each in its joint's own axes.
pub(super) struct Found {
    pub turns: [DVec3; 3],
    pub error_m: f64,
    pub turned_rad: f64,
    pub iterations: u64,
}

/// A centimetre off counts as much as three degrees: both vanish where the arm reaches, so only what it gives up beyond
/// depends on it.
const SCALE_M: f64 = 0.01;
const SCALE_RAD: f64 = 0.05;
/// Turns cost so little that they decide only what position and orientation leave open, but enough to keep the search
/// well posed.
const TURN_WEIGHT: f64 = 1e-2;
/// An elbow bends about one axis and twists about the forearm; the third way costs this much more.
const ELBOW_ASIDE: f64 = 30.0;
const ITERATIONS: u64 = 200;
/// The hand is led to its place in stages of so much, m, each searched from where the last one ended. In one leap BFGS
/// may land beyond a half turn of the shoulder, where the hand is right too, and the arm whirls there and back: goals a
/// millimetre apart had arms 10 cm apart.
const STAGE_M: f64 = 0.03;
/// Steps of a stage that is passed through: near its end is near enough.
const ON_THE_WAY: u64 = 8;
const MOST_STAGES: f64 = 20.0;

struct ArmSearch<'a> {
    arm: &'a Arm,
    local: &'a LocalPose,
    pose: &'a WorldPose,
    to_m: DVec3,
    /// Orientation that the hand keeps.
    world_from_hand: DQuat,
    /// Weights of turns: shoulder, elbow, wrist, each a matrix in its joint's axes.
    weights: [DMat3; 3],
}

pub(super) fn solve(arm: &Arm, local: &LocalPose, pose: &WorldPose, to_m: DVec3) -> Result<Found, EditingError> {
    let world_from_hand = pose.world_from_joint[arm.joints[2].index()];
    let mut problem = ArmSearch { arm, local, pose, to_m, world_from_hand, weights: weights(arm, pose) };
    let from_m = arm.point_m(pose);
    let stages = (from_m.distance(to_m) / STAGE_M).ceil().clamp(1.0, MOST_STAGES) as usize;
    let (mut turns, mut iterations) = (vec![0.0; 9], 0);
    for stage in 1..=stages {
        problem.to_m = from_m.lerp(to_m, stage as f64 / stages as f64);
        let taken;
        (turns, taken) = problem.search(turns, if stage < stages { ON_THE_WAY } else { ITERATIONS })?;
        iterations += taken;
    }
    let turns = [0, 3, 6].map(|at| DVec3::from_slice(&turns[at..at + 3]));
    let (error, turned) = problem.errors(&turns);
    Ok(Found { turns, error_m: error.length(), turned_rad: turned.length(), iterations })
}

fn weights(arm: &Arm, pose: &WorldPose) -> [DMat3; 3] {
    let [shoulder_m, elbow_m, wrist_m] = arm.joints.map(|joint| pose.joint_in_world_m[joint.index()]);
    let elbow_from_world = pose.world_from_joint[arm.joints[1].index()].conjugate();
    let (upper, lower) = ((elbow_m - shoulder_m).normalize_or_zero(), (wrist_m - elbow_m).normalize_or_zero());
    let hinge = upper.cross(lower);
    let mut elbow = DMat3::IDENTITY;
    // A straight arm does not show its hinge.
    if hinge.length() > 0.05 {
        let aside = elbow_from_world * hinge.normalize().cross(lower);
        elbow += DMat3::from_cols(aside * aside.x, aside * aside.y, aside * aside.z) * (ELBOW_ASIDE - 1.0);
    }
    [DMat3::IDENTITY, elbow, DMat3::IDENTITY]
}

impl ArmSearch<'_> {
    /// The turns of least cost that lie downhill of some, and how many steps it took.
    fn search(&self, start: Vec<f64>, most: u64) -> Result<(Vec<f64>, u64), EditingError> {
        let fail = |error: argmin::core::Error| EditingError::Search { detail: error.to_string() };
        // Nine numbers: with as many remembered steps as there are unknowns, L-BFGS is BFGS.
        let solver = LBFGS::new(MoreThuenteLineSearch::new(), 12).with_tolerance_grad(1e-9).map_err(fail)?;
        let run = Executor::new(self, solver).configure(|state| state.param(start.clone()).max_iters(most)).run();
        Ok(match &run {
            Ok(done) => (done.state().get_best_param().cloned().unwrap_or(start), done.state().get_iter()),
            // No descent along the last direction: nothing there to gain.
            Err(_) => (start, 0),
        })
    }

    /// Where the hand is off, and how it is turned, in its own axes.
    fn errors(&self, turns: &[DVec3; 3]) -> (DVec3, DVec3) {
        let (mut error, mut turned) = (DVec3::ZERO, DVec3::ZERO);
        self.arm.place(self.local, self.pose, &self.turned(turns), |which, world, at_m| {
            if which == 2 {
                error = at_m + world * self.arm.point_in_hand_m - self.to_m;
                turned = so3::log(self.world_from_hand.conjugate() * world);
            }
        });
        (error, turned)
    }

    fn turned(&self, turns: &[DVec3; 3]) -> [DQuat; 3] {
        [0, 1, 2].map(|which| self.local.rotations[self.arm.joints[which].index()] * so3::exp(turns[which]))
    }

    fn turns(x: &[f64]) -> [DVec3; 3] {
        [0, 3, 6].map(|at| DVec3::from_slice(&x[at..at + 3]))
    }
}

impl CostFunction for &ArmSearch<'_> {
    type Param = Vec<f64>;
    type Output = f64;

    fn cost(&self, x: &Vec<f64>) -> Result<f64, argmin::core::Error> {
        let turns = ArmSearch::turns(x);
        let (error, turned) = self.errors(&turns);
        let effort: f64 = turns.iter().zip(&self.weights).map(|(turn, weight)| turn.dot(*weight * *turn)).sum();
        Ok(error.length_squared() / (SCALE_M * SCALE_M)
            + turned.length_squared() / (SCALE_RAD * SCALE_RAD)
            + TURN_WEIGHT * effort)
    }
}

impl Gradient for &ArmSearch<'_> {
    type Param = Vec<f64>;
    type Gradient = Vec<f64>;

    /// A joint at p_j that turns by ω moves the hand by ω × (p − p_j), so ∂|e|²/∂ω = 2 (p − p_j) × e; the hand's own
    /// turn φ = log(R₀ᵀ R) has ∂|φ|²/∂ω = 2 R φ; and ω = W J_r(δ) dδ.
    fn gradient(&self, x: &Vec<f64>) -> Result<Vec<f64>, argmin::core::Error> {
        let turns = ArmSearch::turns(x);
        let mut placed = [(DQuat::IDENTITY, DVec3::ZERO); 3];
        let turned = self.turned(&turns);
        self.arm.place(self.local, self.pose, &turned, |which, world, at_m| placed[which] = (world, at_m));
        let (hand, wrist_m) = placed[2];
        let point_m = wrist_m + hand * self.arm.point_in_hand_m;
        let error = point_m - self.to_m;
        let by_turn = hand * so3::log(self.world_from_hand.conjugate() * hand) * (2.0 / (SCALE_RAD * SCALE_RAD));
        let mut gradient = Vec::with_capacity(9);
        for which in 0..3 {
            let (world, at_m) = placed[which];
            let in_world = (point_m - at_m).cross(error) * (2.0 / (SCALE_M * SCALE_M)) + by_turn;
            let own = so3::right_jacobian(turns[which]).transpose() * (world.conjugate() * in_world);
            gradient.extend((own + self.weights[which] * turns[which] * (2.0 * TURN_WEIGHT)).to_array());
        }
        Ok(gradient)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use aplomb_motion::edit::sample_at;
    use aplomb_motion::{Roles, Side};

    #[test]
    fn the_gradient_is_the_differences() {
        let clip = aplomb_builtins::clip("drum").unwrap();
        let arm = Arm::of(clip.skeleton(), &Roles::detect(&clip), Side::Left, super::super::HandPoint::Palm).unwrap();
        let mut local = LocalPose::for_skeleton(clip.skeleton());
        sample_at(&clip, 2.0, &mut local);
        let mut pose = WorldPose::for_skeleton(clip.skeleton());
        pose.pose_local(clip.skeleton(), &local);
        let world_from_hand = pose.world_from_joint[arm.joints[2].index()];
        let problem = ArmSearch {
            arm: &arm,
            local: &local,
            pose: &pose,
            to_m: arm.point_m(&pose) + DVec3::new(0.1, 0.05, -0.04),
            world_from_hand,
            weights: weights(&arm, &pose),
        };
        let x: Vec<f64> = (0..9).map(|index| 0.3 * (1.7 * index as f64).sin()).collect();
        let gradient = (&&problem).gradient(&x).unwrap();
        for (index, slope) in gradient.iter().enumerate() {
            let cost = |by: f64| {
                let mut moved = x.clone();
                moved[index] += by;
                (&&problem).cost(&moved).unwrap()
            };
            let difference = (cost(1e-6) - cost(-1e-6)) / 2e-6;
            assert!((difference - slope).abs() < 1e-5 * slope.abs().max(1.0), "{index}: {difference} {slope}");
        }
    }
}

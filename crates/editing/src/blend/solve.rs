//! One pose of a blend (Safonova & Hodgins 2005, equations 4 and 10, appendices A and C).
//!
//! In flight: rotations and the centre of mass are interpolated, and the root follows. In contact: centre of mass,
//! balls and orientations of the feet and all rotations but the legs' are interpolated; the root is the one from which
//! legs that reach those feet give that centre of mass. Appendix C's equation 19 is garbled; the three unknowns are
//! found by Newton's method around the inverse kinematics.

use super::figure::{BlendFigure, BlendLeg};
use super::mean::{long_log, mean};
use super::timing::Instant;
use super::{BlendSpace, Scheme};
use crate::limb_ik::{EndRotation, LimbGoal, Swivel};
use aplomb_motion::edit::{GroundMove, LocalPose};
use aplomb_motion::{WorldPose, so3};
use glam::{DMat3, DQuat, DVec3};

/// The centre of mass is where it should be to this, m.
const COM_TOLERANCE_M: f64 = 1e-7;

/// Most steps to bring it there; two are usual.
const MOST_COM_STEPS: usize = 12;

/// Step of the finite differences, m: legs bend over centimetres.
const PROBE_M: f64 = 1e-4;

/// What a pose is made from at one instant.
#[derive(Clone, Debug, Default)]
pub(super) struct Goals {
    pub com_m: DVec3,
    root_m: DVec3,
    feet: Vec<FootGoal>,
}

#[derive(Clone, Copy, Debug)]
struct FootGoal {
    ball_m: DVec3,
    world_from_foot: DQuat,
}

/// How far contact and flight disagree about a foot, in the pelvis' frame: faded out in flight.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct FootOffset {
    pub shift_m: DVec3,
    pub turn_rad: DVec3,
}

/// How a pose came out.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Solved {
    pub steps: usize,
    pub residual_m: f64,
    /// Farthest that a foot stays from its place because the leg is too short.
    pub miss_m: f64,
}

/// Poses one blend, instant by instant.
pub(super) struct Solver<'a> {
    space: &'a BlendSpace,
    /// Clips that count, and how much.
    clips: Vec<usize>,
    weights: Vec<f64>,
    pub pose: LocalPose,
    pub world: WorldPose,
    goals: Goals,
    scratch: Vec<DQuat>,
    legs: Vec<DQuat>,
}

impl<'a> Solver<'a> {
    pub fn new(space: &'a BlendSpace, weights: &[f64]) -> Self {
        // A clip that does not count must not cost digits either.
        let clips: Vec<usize> = (0..weights.len()).filter(|&clip| weights[clip] > 0.0).collect();
        let skeleton = &space.figure.skeleton;
        Self {
            weights: clips.iter().map(|&clip| weights[clip]).collect(),
            clips,
            pose: LocalPose::for_skeleton(skeleton),
            world: WorldPose::for_skeleton(skeleton),
            goals: Goals::default(),
            scratch: Vec::new(),
            legs: Vec::new(),
            space,
        }
    }

    /// Contact: eq. 10. `com_shift_m` is added to the centre of mass.
    pub fn contact(&mut self, instant: &Instant, moves: &[GroundMove], com_shift_m: DVec3) -> Solved {
        self.blend(instant, moves);
        self.goals.com_m += com_shift_m;
        match self.space.options.scheme {
            Scheme::Com => self.balance_on_feet(),
            Scheme::Root => self.put_root(self.goals.root_m),
            Scheme::Foot => self.hang_on_foot(self.space.stance_foot(instant.phase)),
        }
    }

    /// Flight: eq. 4, with what the feet had at the ends faded out.
    pub fn flight(&mut self, instant: &Instant, moves: &[GroundMove], offsets: &[FootOffset]) -> Solved {
        self.blend(instant, moves);
        if self.space.options.scheme == Scheme::Root {
            return self.put_root(self.goals.root_m);
        }
        let mut miss_m = 0.0_f64;
        if offsets.iter().any(|offset| *offset != FootOffset::default()) {
            let figure = &self.space.figure;
            for (leg, offset) in figure.legs.iter().zip(offsets) {
                let (from_pelvis, foot_in_pelvis, foot_m) = foot_in_pelvis(leg, &self.world);
                let goal = LimbGoal {
                    end_in_world_m: from_pelvis.1 + from_pelvis.0 * (foot_m + offset.shift_m),
                    end_rotation: EndRotation::World(from_pelvis.0 * so3::exp(offset.turn_rad) * foot_in_pelvis),
                    swivel: Swivel::Kept { turn_rad: 0.0 },
                };
                miss_m = miss_m.max(reach(leg, figure, DVec3::ZERO, &mut self.pose, &mut self.world, &goal));
            }
        }
        self.put_root_below_com();
        Solved { steps: 0, residual_m: 0.0, miss_m }
    }

    /// How far the contact scheme and rotations alone disagree about the feet at an instant.
    pub fn offsets(&mut self, instant: &Instant, moves: &[GroundMove], com_shift_m: DVec3) -> Vec<FootOffset> {
        let figure = &self.space.figure;
        self.blend(instant, moves);
        let free: Vec<_> = figure.legs.iter().map(|leg| foot_in_pelvis(leg, &self.world)).collect();
        self.contact(instant, moves, com_shift_m);
        let both = figure.legs.iter().zip(&free);
        both.map(|(leg, (_, free_rotation, free_m))| {
            let (_, rotation, place_m) = foot_in_pelvis(leg, &self.world);
            FootOffset { shift_m: place_m - *free_m, turn_rad: so3::log(rotation * free_rotation.conjugate()) }
        })
        .collect()
    }

    /// Interpolates everything, and poses it with the root at the origin.
    fn blend(&mut self, instant: &Instant, moves: &[GroundMove]) {
        let Self { space, clips, weights, pose, scratch, goals, .. } = self;
        let figure = &space.figure;
        let joints = figure.skeleton.len();
        let places: Vec<_> = clips.iter().map(|&clip| space.sources[clip].at(instant.times_secs[clip])).collect();
        let each = || clips.iter().zip(&places).map(|(&clip, at)| (&space.sources[clip], at, &moves[clip]));
        for joint in 0..joints {
            scratch.clear();
            scratch.extend(each().map(|(source, at, _)| at.rotation(|frame| source.rotations[frame * joints + joint])));
            pose.rotations[joint] = mean(scratch, weights);
        }
        for (index, joint) in space.tracks.iter().enumerate() {
            let all = each().zip(weights.iter());
            let sum = all.map(|((source, at, _), weight)| at.sum(|i| source.translations_m[index][i]) * *weight);
            pose.translations_m[joint.index()] = sum.sum();
        }
        let mut heading_rad = 0.0;
        (goals.com_m, goals.root_m) = (DVec3::ZERO, DVec3::ZERO);
        for ((source, at, by), &weight) in each().zip(weights.iter()) {
            heading_rad += weight * (at.sum(|frame| source.heading_rad[frame]) + by.yaw_rad);
            goals.com_m += by.point_m(at.sum(|frame| source.com_m[frame])) * weight;
            goals.root_m += by.point_m(at.sum(|frame| source.root_m[frame])) * weight;
        }
        scratch.clear();
        scratch.extend(each().map(|(source, at, _)| at.rotation(|frame| source.lean[frame])));
        let world_from_root = DQuat::from_rotation_y(heading_rad) * mean(scratch, weights);
        goals.feet.clear();
        for foot in 0..figure.legs.len() {
            let balls = each().zip(weights.iter()).map(|((source, at, by), weight)| {
                by.point_m(at.sum(|frame| source.feet[foot].ball_m[frame])) * *weight
            });
            let ball_m = balls.sum();
            scratch.clear();
            scratch.extend(
                each().map(|(source, at, by)| {
                    by.rotation() * at.rotation(|frame| source.feet[foot].world_from_foot[frame])
                }),
            );
            goals.feet.push(FootGoal { ball_m, world_from_foot: mean(scratch, weights) });
        }
        self.turn_root(world_from_root);
        self.put_root(DVec3::ZERO);
    }

    fn turn_root(&mut self, world_from_root: DQuat) {
        let root = &self.space.figure.root;
        let world_from_parent = root.world_from_parent(&self.pose.rotations);
        self.pose.rotations[root.joint.index()] = (world_from_parent.conjugate() * world_from_root).normalize();
    }

    /// Puts the root somewhere, and poses everything.
    fn put_root(&mut self, root_m: DVec3) -> Solved {
        let figure = &self.space.figure;
        let root = figure.root.joint;
        let parent_m = match figure.skeleton.parent(root) {
            None => DVec3::ZERO,
            Some(parent) => {
                self.world.pose_local(&figure.skeleton, &self.pose);
                self.world.joint_in_world_m[parent.index()]
            }
        };
        self.pose.translations_m[root.index()] = figure.root.in_parent(&self.pose.rotations, root_m - parent_m);
        self.world.pose_local(&figure.skeleton, &self.pose);
        Solved::default()
    }

    /// Appendix A: the root is where the centre of mass comes to lie right. The pose has its root at the origin.
    fn put_root_below_com(&mut self) {
        let com_m = self.space.figure.body.com_in_world_m(&self.world);
        self.put_root(self.goals.com_m - com_m);
    }

    /// Appendix C: the root from which legs on their feet give the centre of mass.
    fn balance_on_feet(&mut self) -> Solved {
        let figure = &self.space.figure;
        let mass_kg = figure.body.total_mass_kg();
        let upper_kg = mass_kg - figure.legs.iter().map(BlendLeg::mass_kg).sum::<f64>();
        let upper_moment = figure.upper_moment(&self.world);
        self.legs.clear();
        for leg in &figure.legs {
            self.legs.extend(leg.ik.chain().iter().map(|joint| self.pose.rotations[joint.index()]));
        }
        // Start: as if the legs were what rotations alone make them.
        let mut root_m = self.goals.com_m - figure.body.com_in_world_m(&self.world);
        let mut miss_m = 0.0;
        let mut error = |this: &mut Self, root_m: DVec3| {
            let (legs_moment, farthest_m) = this.legs_from(root_m);
            miss_m = farthest_m;
            (upper_moment + root_m * upper_kg + legs_moment) / mass_kg - this.goals.com_m
        };
        let mut off_m = error(self, root_m);
        let mut steps = 0;
        let mut inverse: Option<DMat3> = None;
        while off_m.length() > COM_TOLERANCE_M && steps < MOST_COM_STEPS {
            let by = match inverse {
                Some(inverse) => inverse,
                None => {
                    let column = |this: &mut Self, axis: DVec3, error: &mut dyn FnMut(&mut Self, DVec3) -> DVec3| {
                        (error(this, root_m + axis * PROBE_M) - off_m) / PROBE_M
                    };
                    let columns = DVec3::AXES.map(|axis| column(self, axis, &mut error));
                    DMat3::from_cols(columns[0], columns[1], columns[2]).inverse()
                }
            };
            let step_m = -(by * off_m);
            // Legs at the end of their reach make the slope useless: go on by the share of the mass that moves with the
            // root.
            let step_m = if step_m.is_finite() { step_m } else { -off_m * (mass_kg / upper_kg) };
            let next_m = error(self, root_m + step_m);
            inverse = Some(broyden(by, step_m, next_m - off_m));
            (root_m, off_m) = (root_m + step_m, next_m);
            steps += 1;
        }
        // The last solution is in the pose already, but for a probe.
        off_m = error(self, root_m);
        self.put_root(root_m);
        Solved { steps, residual_m: off_m.length(), miss_m }
    }

    /// Legs from a root at `root_m` to their feet: their moment in the world, and the farthest miss.
    fn legs_from(&mut self, root_m: DVec3) -> (DVec3, f64) {
        let Self { space, pose, world, goals, legs, .. } = self;
        let figure = &space.figure;
        let (mut moment, mut miss_m, mut used) = (DVec3::ZERO, 0.0_f64, 0);
        for (leg, goal) in figure.legs.iter().zip(&goals.feet) {
            for joint in leg.ik.chain() {
                pose.rotations[joint.index()] = legs[used];
                used += 1;
            }
            // The ball is what is put on the ground; blending ankles would move it where heels rise differently.
            let ankle_m = goal.ball_m - goal.world_from_foot * leg.ball_in_foot_m(pose);
            let goal = LimbGoal {
                end_in_world_m: ankle_m - root_m,
                end_rotation: EndRotation::World(goal.world_from_foot),
                swivel: Swivel::Kept { turn_rad: 0.0 },
            };
            miss_m = miss_m.max(reach(leg, figure, DVec3::ZERO, pose, world, &goal));
            moment += leg.moment(world) + root_m * leg.mass_kg();
        }
        (moment, miss_m)
    }

    /// The common fix (section 8): the whole figure hangs on one foot.
    fn hang_on_foot(&mut self, foot: usize) -> Solved {
        let figure = &self.space.figure;
        let (Some(leg), Some(goal)) = (figure.legs.get(foot), self.goals.feet.get(foot).copied()) else {
            self.put_root_below_com();
            return Solved::default();
        };
        let root = figure.root.joint.index();
        let foot_from_root =
            self.world.world_from_joint[leg.foot.index()].conjugate() * self.world.world_from_joint[root];
        self.turn_root(goal.world_from_foot * foot_from_root);
        self.put_root(DVec3::ZERO);
        let ball_m = figure.legs[foot].ball_in_world_m(&self.world);
        self.put_root(goal.ball_m - ball_m)
    }
}

/// Rank-one correction of an inverse Jacobian from what a step did (Broyden 1965).
fn broyden(inverse: DMat3, step_m: DVec3, change_m: DVec3) -> DMat3 {
    let mapped = inverse * change_m;
    let along = step_m.dot(mapped);
    if along.abs() < 1e-24 {
        return inverse;
    }
    let difference = (step_m - mapped) / along;
    let row = inverse.transpose() * step_m;
    inverse + DMat3::from_cols(difference * row.x, difference * row.y, difference * row.z)
}

/// Pelvis in the world, and the foot in the pelvis.
fn foot_in_pelvis(leg: &BlendLeg, world: &WorldPose) -> ((DQuat, DVec3), DQuat, DVec3) {
    let from_pelvis = leg.pelvis.map_or((DQuat::IDENTITY, DVec3::ZERO), |pelvis| {
        (world.world_from_joint[pelvis.index()], world.joint_in_world_m[pelvis.index()])
    });
    let pelvis_from_world = from_pelvis.0.conjugate();
    let foot = leg.foot.index();
    let place_m = pelvis_from_world * (world.joint_in_world_m[foot] - from_pelvis.1);
    (from_pelvis, (pelvis_from_world * world.world_from_joint[foot]).normalize(), place_m)
}

/// Solves a leg in a pose whose pelvis is posed, and poses it; gives how far the foot stays from its goal.
fn reach(
    leg: &BlendLeg,
    figure: &BlendFigure,
    root_m: DVec3,
    pose: &mut LocalPose,
    world: &mut WorldPose,
    goal: &LimbGoal,
) -> f64 {
    let world_from_pelvis = leg.pelvis.map_or(DQuat::IDENTITY, |pelvis| world.world_from_joint[pelvis.index()]);
    let hip_m = world.joint_in_world_m[leg.ik.root().index()] + root_m;
    let translations_m = &pose.translations_m;
    let chain = leg.ik.chain();
    let offset_m = |index: usize| translations_m[chain[index].index()];
    let solution = leg.ik.solve_with(offset_m, (world_from_pelvis, hip_m), &mut pose.rotations, goal);
    leg.pose_below(&figure.skeleton, pose, world);
    solution.miss_m
}

/// One quintic, 1 → 0, level and without bend at both ends.
pub(super) fn fade(x: f64) -> f64 {
    let x = x.clamp(0.0, 1.0);
    1.0 - x * x * x * (10.0 + x * (6.0 * x - 15.0))
}

/// Sum of two faded offsets.
pub(super) fn faded(a: &FootOffset, of_a: f64, b: &FootOffset, of_b: f64) -> FootOffset {
    let turn = so3::exp(a.turn_rad * of_a) * so3::exp(b.turn_rad * of_b);
    FootOffset { shift_m: a.shift_m * of_a + b.shift_m * of_b, turn_rad: long_log(turn) }
}

//! A plan carried out on a motion that is close to the one it was made for.

use super::extremes::running_extreme_into;
use super::plan::{FootPlan, LimbPlan, Toe};
use crate::limb_ik::{EndRotation, LimbGoal, MOST_DROP_SHARE, Reach, Swivel};
use crate::span::{Frames, smoothstep};
use aplomb_motion::{Clip, WorldPose, so3};
use glam::{DQuat, DVec3};
use std::collections::VecDeque;

/// Toes bend no farther than this to stay above the floor.
const MOST_TOE_RAD: f64 = 0.8;

/// Toes of a foot that is free bend by this at most, and the foot is lifted for the rest: toes that point down after
/// take-off would have to bend by 30° for what a centimetre does.
const GENTLE_TOE_RAD: f64 = 0.1;

/// Toes whose tip is this far above the floor have let go of their bend, m: about as far as a runner's are 0.04 s after
/// take-off.
const TOE_RELEASE_M: f64 = 0.05;

/// Less than this below the floor is rounding, m.
const LEAST_LIFT_M: f64 = 1e-6;

/// What an application did.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PlantOutcome {
    /// Deepest that the root was lowered, m.
    pub deepest_drop_m: f64,
    /// Farthest that a pinned foot stays from its place, m.
    pub worst_miss_m: f64,
}

/// Buffers; keep one and use it again.
#[derive(Clone, Debug, Default)]
pub struct PlantWorkspace {
    pose: WorldPose,
    limbs: Vec<LimbTrack>,
    /// How far the motion in hand has been lowered by earlier applications.
    dropped: RootDrop,
    drop_m: Vec<f64>,
    widened_m: Vec<f64>,
    candidates: VecDeque<usize>,
}

/// How far the root of a motion has been lowered, a value a frame, m: each application starts from the height that the
/// motion has without it. Empty: as the plan's own motion was when it was settled.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RootDrop(Vec<f64>);

impl PlantWorkspace {
    /// The drop of the motion in hand. Going back to an earlier state of the motion means going back to its drop, too.
    pub(crate) fn root_drop(&self) -> &RootDrop {
        &self.dropped
    }

    /// Returns to an earlier state; without allocation.
    pub(crate) fn set_root_drop(&mut self, drop: &RootDrop) {
        self.dropped.0.clone_from(&drop.0);
    }
}

/// One limb over all frames.
#[derive(Clone, Debug, Default)]
struct LimbTrack {
    root_in_world_m: Vec<DVec3>,
    world_from_parent: Vec<DQuat>,
    /// As it is, then as it shall be.
    ankle_m: Vec<DVec3>,
    world_from_foot: Vec<DQuat>,
    /// Distance from the plan, m, and the turn onto it, as rotation vectors in the world.
    off_m: Vec<DVec3>,
    off_rad: Vec<DVec3>,
    /// The same before gaps are filled.
    drawn_m: Vec<DVec3>,
    drawn_rad: Vec<DVec3>,
    lift_m: Vec<f64>,
    /// How far the toes are bent up, rad.
    toe_rad: Vec<f64>,
    /// The limb stretched out, m.
    longest_m: Vec<f64>,
}

impl FootPlan {
    /// Puts the feet where they belong. The clip must have the frames and the skeleton of the one the plan was made
    /// for, and a translation track of its root. Allocates only when the workspace has never seen so long a clip.
    pub fn apply(&self, clip: &mut Clip, workspace: &mut PlantWorkspace) -> PlantOutcome {
        self.carry_out(clip, workspace, false)
    }

    fn carry_out(&self, clip: &mut Clip, workspace: &mut PlantWorkspace, is_planned_motion: bool) -> PlantOutcome {
        let PlantWorkspace { pose, limbs, dropped: RootDrop(dropped_m), drop_m, widened_m, candidates } = workspace;
        limbs.resize_with(self.limbs.len(), LimbTrack::default);
        let count = self.frames.len();
        for track in limbs.iter_mut() {
            track.resize(count);
        }
        widened_m.resize(count, 0.0);
        if dropped_m.len() != count {
            dropped_m.clone_from(&self.settled_drop_m);
        }
        drop_m.clear();
        drop_m.resize(count, 0.0);
        self.look(clip, pose, limbs);
        for (limb, track) in self.limbs.iter().zip(limbs.iter_mut()) {
            aim(limb, track, &self.frames.share, is_planned_motion);
            self.lift(limb, track, widened_m, candidates);
            self.raise_toes(limb, track, widened_m, candidates);
            if limb.carries {
                need_of(limb, track, &self.frames, dropped_m, drop_m);
            }
        }
        running_extreme_into(drop_m, self.drop_radius, |a, b| a >= b, candidates, widened_m);
        self.drop_filter.smooth_into(widened_m, drop_m);
        let mut outcome = PlantOutcome::default();
        for (index, (drop, share)) in drop_m.iter().zip(&self.frames.share).enumerate() {
            let drop = drop.max(0.0) * share;
            outcome.deepest_drop_m = outcome.deepest_drop_m.max(drop);
            self.solve(clip, index, DVec3::Y * (dropped_m[index] - drop), limbs, &mut outcome);
            dropped_m[index] = drop;
        }
        outcome
    }

    /// Applies the plan for the first time, to the motion it was made for, and takes the eased stretches around pins as
    /// they come out as planned: a share w of the way to the plan, gone again and again, would end on the plan and let
    /// go of it all at once.
    pub fn settle(&mut self, clip: &mut Clip, workspace: &mut PlantWorkspace) -> PlantOutcome {
        self.settled_drop_m.fill(0.0);
        workspace.dropped.0.clear();
        for (index, &shift_m) in self.settled_shift_m.iter().enumerate().filter(|(_, shift_m)| **shift_m != DVec3::ZERO)
        {
            self.shift_root(clip, index, shift_m * self.frames.share[index]);
        }
        let outcome = self.carry_out(clip, workspace, true);
        self.settled_drop_m.clone_from(&workspace.dropped.0);
        self.look(clip, &mut workspace.pose, &mut workspace.limbs);
        for (limb, track) in self.limbs.iter_mut().zip(&workspace.limbs) {
            let held = &mut limb.held;
            for (index, &share) in self.frames.share.iter().enumerate() {
                if held.weight[index] >= 1.0 && share >= 1.0 {
                    continue;
                }
                held.ankle_m[index] = track.ankle_m[index];
                held.world_from_foot[index] = track.world_from_foot[index];
            }
        }
        outcome
    }

    /// Where limbs are.
    fn look(&self, clip: &Clip, pose: &mut WorldPose, limbs: &mut [LimbTrack]) {
        let skeleton = clip.skeleton();
        for index in 0..self.frames.len() {
            pose.pose_joints(clip, self.frames.frame(index), &self.posed);
            for (limb, track) in self.limbs.iter().zip(limbs.iter_mut()) {
                let (root, end) = (limb.ik.root(), limb.ik.end().index());
                track.root_in_world_m[index] = pose.joint_in_world_m[root.index()];
                track.world_from_parent[index] =
                    skeleton.parent(root).map_or(DQuat::IDENTITY, |parent| pose.world_from_joint[parent.index()]);
                track.ankle_m[index] = pose.joint_in_world_m[end];
                track.world_from_foot[index] = pose.world_from_joint[end];
                track.longest_m[index] = limb.ik.longest_m(skeleton, clip.rotations_at(self.frames.frame(index)));
            }
        }
    }

    /// Raises feet whose points would go below the floor. The need is widened by a running maximum and then smoothed
    /// within that width, so that it is met everywhere and comes and goes gently.
    fn lift(&self, limb: &LimbPlan, track: &mut LimbTrack, widened_m: &mut [f64], candidates: &mut VecDeque<usize>) {
        let mut any = false;
        for index in 0..self.frames.len() {
            let need_m = self.lift_needed_m(limb, track, index);
            any |= need_m > LEAST_LIFT_M;
            track.lift_m[index] = if need_m > LEAST_LIFT_M { need_m } else { 0.0 };
        }
        if !any {
            return;
        }
        running_extreme_into(&track.lift_m, self.lift_radius, |a, b| a >= b, candidates, widened_m);
        self.lift_filter.smooth_into(widened_m, &mut track.lift_m);
        // Pinned feet stay, and no lift is widened into them; beside a pin there is the frame's own need at once, and
        // what comes from farther off over the time that it was widened by. Put there at once, a need of later made
        // ankles of bent runs jump by 3 cm in two frames (16_45).
        let wide = self.lift_radius as f64 + 1.0;
        for gap in &limb.held.gaps {
            for index in gap.free.clone() {
                if track.lift_m[index] <= 0.0 {
                    continue;
                }
                let free = smoothstep(4.0 * (1.0 - limb.held.weight[index]));
                let away = smoothstep(gap.frames_from_pin(index) / wide);
                let own_m = if away < 1.0 { self.lift_needed_m(limb, track, index) } else { 0.0 };
                let lift_m = (track.lift_m[index] * away).max(own_m.min(track.lift_m[index]));
                track.ankle_m[index] += self.ground.normal() * (lift_m * free);
            }
        }
    }

    /// How far the foot must rise in this frame, m; none where it is pinned.
    fn lift_needed_m(&self, limb: &LimbPlan, track: &LimbTrack, index: usize) -> f64 {
        if limb.held.weight[index] >= 1.0 {
            return 0.0;
        }
        let below = |point: &super::plan::FloorPoint| {
            let point_m = track.ankle_m[index] + track.world_from_foot[index] * point.in_foot_m[index];
            point.lowest_m[index] - self.ground.height_m(point_m)
        };
        let toe_m = limb.toe.as_ref().map_or(0.0, |toe| {
            let tip = self.tip_of(toe, track, index);
            tip.below_m - tip.gain_m(GENTLE_TOE_RAD)
        });
        limb.points.iter().map(below).fold(toe_m.max(0.0), f64::max) * self.frames.share[index]
    }

    /// How far toes must bend for their tips to stay where the motion had them at the lowest, widened and smoothed as
    /// the lift is: a tip that dips below for three frames would otherwise flick. Angles and not heights: those are
    /// steep where toes point down. In the air toes are as they were: what widening carries there goes as the tip
    /// rises.
    fn raise_toes(
        &self,
        limb: &LimbPlan,
        track: &mut LimbTrack,
        widened: &mut [f64],
        candidates: &mut VecDeque<usize>,
    ) {
        let Some(toe) = &limb.toe else { return };
        for index in 0..self.frames.len() {
            let tip = self.tip_of(toe, track, index);
            let bend_rad = tip.bend_rad(tip.below_m * self.frames.share[index]).min(MOST_TOE_RAD);
            track.toe_rad[index] = if tip.below_m > LEAST_LIFT_M { bend_rad } else { 0.0 };
        }
        if track.toe_rad.iter().all(|bend_rad| *bend_rad == 0.0) {
            return;
        }
        running_extreme_into(&track.toe_rad, self.toe_radius, |a, b| a >= b, candidates, widened);
        self.toe_filter.smooth_into(widened, &mut track.toe_rad);
        for index in 0..self.frames.len() {
            let above_m = -self.tip_of(toe, track, index).below_m;
            let held = 1.0 - smoothstep(above_m / TOE_RELEASE_M);
            track.toe_rad[index] = track.toe_rad[index].max(0.0) * held * self.frames.share[index];
        }
    }

    /// Where the tip of the toes is if they do not bend.
    fn tip_of(&self, toe: &Toe, track: &LimbTrack, index: usize) -> Tip {
        let tip_m = track.ankle_m[index] + track.world_from_foot[index] * toe.tip_in_foot_m[index];
        let toe_m = toe_in_world_m(toe, track, index);
        let length_m = toe_m.length().max(1e-9);
        Tip {
            below_m: toe.lowest_m[index] - self.ground.height_m(tip_m),
            length_m,
            slope: (toe_m.dot(self.ground.normal()) / length_m).clamp(-1.0, 1.0),
        }
    }

    fn shift_root(&self, clip: &mut Clip, index: usize, shift_m: DVec3) {
        let frame = self.frames.frame(index);
        let shift_m = self.root.in_parent(clip.rotations_at(frame), shift_m);
        if let Some(track) = clip.track_mut(self.root.joint) {
            track[frame.0] += shift_m;
        }
    }

    fn solve(&self, clip: &mut Clip, index: usize, shift_m: DVec3, limbs: &[LimbTrack], outcome: &mut PlantOutcome) {
        let frame = self.frames.frame(index);
        if shift_m != DVec3::ZERO {
            self.shift_root(clip, index, shift_m);
        }
        if self.frames.share[index] == 0.0 {
            return;
        }
        let skeleton = std::sync::Arc::clone(clip.skeleton());
        for (limb, track) in self.limbs.iter().zip(limbs) {
            // Feet stay when the root sinks; hands go with the body except where they stand.
            let stays = if limb.carries { 1.0 } else { limb.held.reach[index] };
            let is_off = track.off_m[index] != DVec3::ZERO || track.off_rad[index] != DVec3::ZERO;
            let is_held = is_off && limb.held.reach[index] > 0.0;
            let moved = is_held || track.lift_m[index] > 0.0 || track.toe_rad[index] > 0.0;
            if !moved && (stays == 0.0 || shift_m == DVec3::ZERO) {
                if let Some(toe) = &limb.toe {
                    clip.rotations_at_mut(frame)[toe.joint.index()] = toe.local[index];
                }
                continue;
            }
            let root_m = track.root_in_world_m[index] + shift_m;
            let ankle_m = track.ankle_m[index] + shift_m * (1.0 - stays);
            let goal = LimbGoal {
                end_in_world_m: within_reach(root_m, ankle_m, limb.reach_share[index], track.longest_m[index]),
                end_rotation: EndRotation::World(track.world_from_foot[index]),
                swivel: Swivel::Kept { turn_rad: 0.0 },
            };
            let place = (track.world_from_parent[index], root_m);
            let solution = if limb.stretches {
                limb.ik.solve_placed(clip, frame, place, &goal)
            } else {
                limb.ik.solve(&skeleton, place, clip.rotations_at_mut(frame), &goal)
            };
            if let Some(toe) = &limb.toe {
                bend_toes(toe, clip.rotations_at_mut(frame), index, track);
            }
            if limb.held.weight[index] >= 1.0 {
                let short_m = goal.end_in_world_m.distance(ankle_m);
                outcome.worst_miss_m = outcome.worst_miss_m.max(solution.miss_m + short_m);
            }
        }
    }
}

/// The tip of toes that do not bend.
struct Tip {
    /// Below where it may be, m; negative above.
    below_m: f64,
    length_m: f64,
    /// Sine of the toes' angle with the ground.
    slope: f64,
}

impl Tip {
    /// The bend that raises the tip by this much.
    fn bend_rad(&self, by_m: f64) -> f64 {
        (self.slope + by_m / self.length_m).clamp(-1.0, 1.0).asin() - self.slope.asin()
    }

    /// How much a bend raises the tip, m.
    fn gain_m(&self, bend_rad: f64) -> f64 {
        let bent_rad = (self.slope.asin() + bend_rad).min(std::f64::consts::FRAC_PI_2);
        (bent_rad.sin() - self.slope) * self.length_m
    }
}

/// Raises the tip of the toes. The bend is put on the motion's own rotation, so that doing it again changes nothing.
fn bend_toes(toe: &Toe, rotations: &mut [DQuat], index: usize, track: &LimbTrack) {
    let bend_rad = track.toe_rad[index];
    rotations[toe.joint.index()] = toe.local[index];
    if bend_rad <= 0.0 {
        return;
    }
    let foot_from_parent = toe.between.iter().fold(DQuat::IDENTITY, |turn, joint| turn * rotations[joint.index()]);
    let bend = so3::exp(foot_from_parent.conjugate() * toe.axis_in_foot * bend_rad);
    rotations[toe.joint.index()] = (bend * toe.local[index]).normalize();
}

/// From the hinge of the toes to their tip.
fn toe_in_world_m(toe: &Toe, track: &LimbTrack, index: usize) -> DVec3 {
    track.world_from_foot[index] * (toe.tip_in_foot_m[index] - toe.hinge_in_foot_m[index])
}

/// From where a foot is to where it shall be. The planned motion itself goes as planned in all frames; of other motions
/// pinned frames do, and the rest rides along.
fn aim(limb: &LimbPlan, track: &mut LimbTrack, share: &[f64], is_planned_motion: bool) {
    let held = &limb.held;
    for index in 0..held.weight.len() {
        if is_planned_motion || held.weight[index] > 0.0 {
            track.off_m[index] = held.ankle_m[index] - track.ankle_m[index];
            // Exactly nothing where nothing is to be done: what stays shall stay to the bit.
            track.off_rad[index] = match held.world_from_foot[index] == track.world_from_foot[index] {
                true => DVec3::ZERO,
                false => so3::log(held.world_from_foot[index] * track.world_from_foot[index].conjugate()),
            };
        }
    }
    if !is_planned_motion {
        for (offsets, drawn) in [(&mut track.off_m, &mut track.drawn_m), (&mut track.off_rad, &mut track.drawn_rad)] {
            drawn.copy_from_slice(offsets);
            for gap in &held.gaps {
                gap.fill(offsets);
                for index in gap.free.clone() {
                    let weight = held.weight[index];
                    if weight > 0.0 {
                        offsets[index] = offsets[index].lerp(drawn[index], weight);
                    }
                }
            }
        }
    }
    for (index, share) in share.iter().enumerate() {
        // What the plan took as it came out is eased already.
        let share = if is_planned_motion { *share } else { share.ceil() };
        track.ankle_m[index] += track.off_m[index] * share;
        let turn = so3::exp(track.off_rad[index] * share);
        track.world_from_foot[index] = (turn * track.world_from_foot[index]).normalize();
    }
}

/// The goal, or as near to it as a leg comes that may be stretched to `share` of its length exactly and eases to all of
/// it.
fn within_reach(root_m: DVec3, goal_m: DVec3, share: f64, longest_m: f64) -> DVec3 {
    let away_m = goal_m - root_m;
    let distance_m = away_m.length();
    if distance_m <= share * longest_m {
        return goal_m;
    }
    let eased_m = Reach { exact_share: share }.ease(distance_m, (0.0, longest_m));
    root_m + away_m * (eased_m / distance_m)
}

/// How far the root must sink for a planted foot to be within reach: |h − δ·up − a| = r, for the smaller δ.
fn need_of(limb: &LimbPlan, track: &LimbTrack, frames: &Frames, raise_m: &[f64], drop_m: &mut [f64]) {
    for (index, need_m) in drop_m.iter_mut().enumerate() {
        let weight = limb.held.weight[index] * frames.share[index];
        // A foot that is where it shall be needs no drop, however long its leg is.
        if weight <= 0.0 || (track.off_m[index] == DVec3::ZERO && raise_m[index] == 0.0) {
            continue;
        }
        let longest_m = track.longest_m[index];
        let reach_m = limb.reach_share[index] * longest_m;
        let away_m = track.root_in_world_m[index] + DVec3::Y * raise_m[index] - track.ankle_m[index];
        if away_m.length_squared() <= reach_m * reach_m {
            continue;
        }
        let beside_m2 = away_m.x * away_m.x + away_m.z * away_m.z;
        let height_m = (reach_m * reach_m - beside_m2).max(0.0).sqrt();
        let drop = (away_m.y - height_m).clamp(0.0, MOST_DROP_SHARE * longest_m);
        *need_m = need_m.max(drop * weight);
    }
}

impl LimbTrack {
    fn resize(&mut self, count: usize) {
        for buffer in [&mut self.root_in_world_m, &mut self.ankle_m] {
            buffer.resize(count, DVec3::ZERO);
        }
        for buffer in [&mut self.off_m, &mut self.off_rad, &mut self.drawn_m, &mut self.drawn_rad] {
            buffer.resize(count, DVec3::ZERO);
        }
        for buffer in [&mut self.world_from_parent, &mut self.world_from_foot] {
            buffer.resize(count, DQuat::IDENTITY);
        }
        self.lift_m.resize(count, 0.0);
        self.toe_rad.resize(count, 0.0);
        self.longest_m.resize(count, 0.0);
    }
}

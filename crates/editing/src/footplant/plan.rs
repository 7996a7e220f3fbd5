//! From contacts to places: made once, applied often.

use super::PlantOptions;
use super::ancestry::closed_upward;
use super::anchors::{FootMotion, HeldFoot, HoldRules, Pinned, give_way, hold, stances};
use super::extremes::running_extreme;
use super::steady::{path_m, steadied_m};
use super::still::{Stance, keep_still};
use crate::EditingError;
use crate::body_root::BodyRoot;
use crate::finding::{Finding, codes};
use crate::limb_ik::{EndRotation, LimbGoal, LimbIk, Reach, Swivel};
use crate::span::Frames;
use aplomb_analysis::contacts::{ContactSource, Effector, Part, Pin};
use aplomb_analysis::{ContactAnalysis, ContactOptions, Ground};
use aplomb_motion::signal::gaussian::Gaussian;
use aplomb_motion::{BodyPlan, Clip, JointId, LimbKind, Role, Roles, Side, WorldPose, so3};
use glam::{DMat3, DQuat, DVec3};
use std::ops::Range;

/// Points may go as low as the motion had them within this time, s: up and down stairs each step has a height of its
/// own.
const FLOOR_WINDOW_SECS: f64 = 0.5;

/// No leg is planned straighter than this, whatever the motion did: 3° of flexion are left.
const MOST_REACH_SHARE: f64 = 0.9995;

/// 1 − (d/L)² of a leg that counts as straight (3° of flexion).
const STRAIGHT_LEG: f64 = 0.001;
/// 1 − (d/L)² of a leg that is bent enough for the root to stay where it is (37°).
const BENT: f64 = 0.1;

/// Sideways the root gives way with this standard deviation, s: √(h/g), the time in which a body falls from its feet.
/// What is slower moves the zero-moment point no farther than the body, x − (h/g)ẍ; what is quicker costs balance, 9 cm
/// for 1 m/s².
const SIDEWAYS_SIGMA_SECS: f64 = 0.3;

/// Pins of one point that are no farther apart are one, s.
const JOIN_SECS: f64 = 0.06;
/// Within one load, which the point spends on the ground, pins that are no farther apart than this are one, s.
const SAME_LOAD_SECS: f64 = 0.25;
/// They are one only if the point went no farther between them, m: it trembled and did not step. Held at two places it
/// would be drawn from one to the other in a few frames, and the knee with it.
const SAME_PLACE_M: f64 = 0.02;

/// Speeds are taken over pins that are no shorter than this, s.
pub(super) const LEAST_STANDING_PIN_SECS: f64 = 0.1;

/// A foot that has been down for this long has come to rest, or never will, s.
const LANDING_SECS: f64 = 0.2;

/// Arms are turned no farther than this for a hand to stand, rad: a palm rolls over while a body turns over it, and a
/// hand held through that would wring the forearm.
const MOST_HAND_TURN_RAD: f64 = 0.44;

/// Where and when the feet of a clip stand.
#[derive(Clone, Debug)]
pub struct FootPlan {
    pub(crate) root: BodyRoot,
    pub(crate) frames: Frames,
    pub(super) limbs: Vec<LimbPlan>,
    /// Joints that the limbs hang on, sorted, each with its parents.
    pub(super) posed: Vec<JointId>,
    pub(super) ground: Ground,
    /// In frames to either side.
    pub(super) drop_radius: usize,
    pub(super) drop_filter: Gaussian,
    pub(super) lift_radius: usize,
    pub(super) lift_filter: Gaussian,
    pub(super) toe_radius: usize,
    pub(super) toe_filter: Gaussian,
    /// How far the root of the planned motion was lowered when it was settled, a value a frame, m.
    pub(super) settled_drop_m: Vec<f64>,
    /// What is put onto the root of the planned motion before anything else, in the world, a value a frame, m.
    pub(super) settled_shift_m: Vec<DVec3>,
    pins: usize,
    stances: Vec<Stance>,
    pub(super) findings: Vec<Finding>,
}

/// One limb and its places.
#[derive(Clone, Debug)]
pub(super) struct LimbPlan {
    pub ik: LimbIk,
    pub held: HeldFoot,
    /// Whether the root sinks for it.
    pub carries: bool,
    /// How far the leg may be stretched, as a share of its length: what is planned for, or what the motion itself did.
    pub reach_share: Vec<f64>,
    /// Whether bones of the limb change length.
    pub stretches: bool,
    pub points: Vec<FloorPoint>,
    pub toe: Option<Toe>,
}

/// Toes that bend: their tip stays on the ground while the foot rolls over the ball.
#[derive(Clone, Debug)]
pub(super) struct Toe {
    pub joint: JointId,
    /// Joints between foot and toe.
    pub between: Vec<JointId>,
    /// Where the motion had it, a value a frame: local rotation, …
    pub local: Vec<glam::DQuat>,
    /// The axis about which they bend up, in the frame of the foot: across the toes of feet that stand. One for all
    /// frames, since it would turn round where toes point straight down.
    pub axis_in_foot: glam::DVec3,
    /// Hinge and tip in the frame of the foot, m.
    pub hinge_in_foot_m: Vec<glam::DVec3>,
    pub tip_in_foot_m: Vec<glam::DVec3>,
    /// How low the tip may go, m.
    pub lowest_m: Vec<f64>,
}

/// A point of a foot that must not go through the floor.
#[derive(Clone, Debug)]
pub(super) struct FloorPoint {
    /// In the frame of the limb's end, a value a frame, m.
    pub in_foot_m: Vec<glam::DVec3>,
    /// Lowest height over the ground, a value a frame, m.
    pub lowest_m: Vec<f64>,
}

impl FootPlan {
    /// Plans the feet of a clip as its contacts say.
    pub fn new(
        clip: &Clip,
        roles: &Roles,
        contacts: &ContactAnalysis,
        options: &PlantOptions,
    ) -> Result<Self, EditingError> {
        options.check()?;
        let frames = Frames::of(clip, contacts, &options.span, 2, "planting")?;
        check_effectors(clip, contacts)?;
        let no_contact = EditingError::NoContact { verb: "plant" };
        let root = BodyRoot::of(clip, roles).ok_or(no_contact.clone())?;
        let mut plan = Self {
            root,
            limbs: Vec::new(),
            posed: Vec::new(),
            ground: options.ground,
            drop_radius: (options.drop_window_secs / frames.step_secs).round() as usize,
            drop_filter: Gaussian::from_sigma_secs(options.drop_sigma_secs, frames.step_secs)?,
            // A filter no wider than the running maximum never falls below what is needed.
            lift_radius: (0.08 / frames.step_secs).ceil() as usize,
            lift_filter: Gaussian::from_sigma_secs(0.02, frames.step_secs)?,
            toe_radius: (0.12 / frames.step_secs).ceil() as usize,
            toe_filter: Gaussian::from_sigma_secs(0.03, frames.step_secs)?,
            pins: 0,
            stances: Vec::new(),
            findings: Vec::new(),
            settled_drop_m: vec![0.0; frames.len()],
            settled_shift_m: Vec::new(),
            frames,
        };
        let indices = 0..plan.frames.len();
        // The hips themselves: joints above them may turn, too.
        let hips = roles.joint(Role::Hips).unwrap_or(plan.root.joint);
        let hips_m = path_m(clip, hips, indices.map(|index| plan.frames.frame(index)));
        plan.settled_shift_m = steadied_m(&hips_m, plan.frames.step_secs)?;
        let wants_arms = roles.plan() == BodyPlan::Quadruped || options.hands;
        let kinds = [LimbKind::Leg, LimbKind::Arm].into_iter().filter(|kind| *kind == LimbKind::Leg || wants_arms);
        for (kind, side) in kinds.flat_map(|kind| Side::BOTH.map(|side| (kind, side))) {
            plan.add_limb(clip, roles, contacts, (side, kind), options)?;
        }
        if plan.pins == 0 {
            return Err(no_contact);
        }
        if plan.is_still() {
            plan.settled_shift_m.fill(DVec3::ZERO);
        } else {
            plan.keep_lengths(clip)?;
        }
        plan.posed = closed_upward(clip.skeleton(), plan.limbs.iter().map(|limb| limb.ik.end()));
        Ok(plan)
    }

    /// Pins that are held.
    pub fn pin_count(&self) -> usize {
        self.pins
    }

    /// Whether everything stays as the motion has it.
    pub fn is_still(&self) -> bool {
        self.stances.iter().all(|stance| stance.is_kept)
    }

    /// Every stance of feet and hands.
    pub fn stances(&self) -> &[Stance] {
        &self.stances
    }

    /// Pins that were left alone, and why.
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    pub(crate) fn add_first(&mut self, findings: Vec<Finding>) {
        self.findings.splice(0..0, findings);
    }

    fn add_limb(
        &mut self,
        clip: &Clip,
        roles: &Roles,
        contacts: &ContactAnalysis,
        (side, kind): (Side, LimbKind),
        options: &PlantOptions,
    ) -> Result<(), EditingError> {
        let Some(limb) = roles.limb(side, kind) else {
            // Feet that stand but hang on no leg that could be solved.
            let stands = |effector: &&Effector| effector.side == Some(side) && (kind == kind_of(effector.part));
            let has_pins = |effector: &Effector| contacts.pins.iter().any(|pin| pin.effector == effector.name);
            return match contacts.effectors.iter().filter(stands).any(has_pins) {
                true => Err(EditingError::no_limb(roles, side, kind)),
                false => Ok(()),
            };
        };
        let below = |effector: &&Effector| clip.skeleton().is_in_subtree(effector.joint, limb.end);
        let effectors: Vec<&Effector> = contacts.effectors.iter().filter(below).collect();
        let mut pins = self.pins_of(clip, &effectors, &contacts.pins, options);
        // Hands that never stand are not touched at all; legs are, since they hang on a root that may sink.
        if effectors.is_empty() || (pins.is_empty() && kind == LimbKind::Arm) {
            return Ok(());
        }
        self.drop_travelling(clip, &effectors, &mut pins, options)?;
        let foot = self.motion_of(clip, limb.end, &effectors, &pins);
        let mut stances = keep_still(&foot, &mut pins, (side, self.frames.step_secs, options.still_m));
        let is_foot = kind == LimbKind::Leg && roles.plan() != BodyPlan::Quadruped;
        let tip = effectors.iter().position(|it| it.part == Part::Toe && it.joint != limb.end);
        let calm = Gaussian::from_sigma_secs(options.calm_sigma_secs, self.frames.step_secs)?;
        let (frames, ground, ride_secs) = (&self.frames, &self.ground, options.ride_secs);
        let carries = kind == LimbKind::Leg || roles.plan() == BodyPlan::Quadruped;
        let most_ride_secs = if carries { options.most_ride_secs } else { options.most_hand_ride_secs };
        let how = HoldRules { frames, ground, yaw: is_foot, tip, calm: &calm, ride_secs, most_ride_secs };
        // Eased by the plan's own reach, which changes from frame to frame.
        let ik = LimbIk::for_role(clip, roles, side, kind, Reach::HARD)?;
        let mut held = hold(&foot, &pins, &how);
        let mut left_alone = Vec::new();
        while let Some((pin, turn_rad)) = self.unnatural(clip, &ik, &held, &pins).filter(|_| !carries) {
            left_alone.push(self.left_alone(effectors[pins[pin].point], &pins[pin], turn_rad));
            let first = pins.remove(pin).core.start;
            stances.retain(|stance| !stance.frames.contains(&first));
            held = hold(&foot, &pins, &how);
        }
        if pins.is_empty() && kind == LimbKind::Arm {
            self.findings.extend(left_alone);
            return Ok(());
        }
        let toe = tip.map(|tip| self.toe_of(clip, limb.end, effectors[tip].joint, &foot, tip));
        // Bending toes keep their tip up; everything else lifts the foot.
        let stands = |index: &usize| effectors[*index].part.stands() && Some(*index) != tip;
        let points = (0..effectors.len()).filter(stands).map(|point| FloorPoint {
            in_foot_m: foot.points_in_foot_m[point].clone(),
            lowest_m: foot.lowest_m[point].clone(),
        });
        let points = points.collect();
        let reach_share = self.reach_of(clip, &ik, (&held.reach, &pins), &calm, options);
        let stretches = clip.tracks().iter().any(|track| ik.chain()[1..].contains(&track.joint));
        self.pins += pins.len();
        self.stances.extend(stances);
        self.findings.extend(left_alone);
        self.limbs.push(LimbPlan { ik, held, carries, reach_share, stretches, points, toe });
        Ok(())
    }

    /// The pin that turns a joint of the arm the farthest, if that is farther than an arm is turned by capture's
    /// errors.
    fn unnatural(&self, clip: &Clip, ik: &LimbIk, held: &HeldFoot, pins: &[Pinned]) -> Option<(usize, f64)> {
        let turns = pins.iter().enumerate().map(|(index, pin)| (index, self.turn_rad(clip, ik, held, pin)));
        turns.max_by(|a, b| a.1.total_cmp(&b.1)).filter(|(_, turn_rad)| *turn_rad > MOST_HAND_TURN_RAD)
    }

    /// How far holding a pin turns any joint of the limb.
    fn turn_rad(&self, clip: &Clip, ik: &LimbIk, held: &HeldFoot, pin: &Pinned) -> f64 {
        let skeleton = clip.skeleton();
        let posed = closed_upward(skeleton, [ik.end()].into_iter());
        let mut pose = WorldPose::for_skeleton(skeleton);
        let mut most_rad = 0.0_f64;
        for index in pin.core.clone() {
            let frame = self.frames.frame(index);
            pose.pose_joints(clip, frame, &posed);
            let parent = skeleton.parent(ik.root());
            let world_from_parent = parent.map_or(DQuat::IDENTITY, |parent| pose.world_from_joint[parent.index()]);
            let root_m = pose.joint_in_world_m[ik.root().index()] + self.settled_shift_m[index];
            let mut rotations = clip.rotations_at(frame).to_vec();
            let goal = LimbGoal {
                end_in_world_m: held.ankle_m[index],
                end_rotation: EndRotation::World(held.world_from_foot[index]),
                swivel: Swivel::Kept { turn_rad: 0.0 },
            };
            ik.solve(skeleton, (world_from_parent, root_m), &mut rotations, &goal);
            let turn = |joint: &JointId| so3::angle_between(rotations[joint.index()], clip.rotation(frame, *joint));
            most_rad = ik.chain().iter().map(turn).fold(most_rad, f64::max);
        }
        most_rad
    }

    fn left_alone(&self, effector: &Effector, pin: &Pinned, turn_rad: f64) -> Finding {
        let at_secs = |index: usize| (self.frames.first + index) as f64 * self.frames.step_secs;
        Finding::of(codes::HAND_NOT_HELD)
            .value("point", effector.name.as_str())
            .at(at_secs(pin.core.start), at_secs(pin.core.end - 1))
            .value("turn_rad", turn_rad)
    }

    /// Lets the root keep the lengths that legs had. A body that floats by a millimetre over sliding feet bends its
    /// knees by degrees when they are held, if they are nearly straight. The shift δ of the root keeps the lengths d of
    /// legs that stand, or ride from stance to stance, by least squares of their knees' angles: flexion has dφ/dd ∝
    /// 1/√(1 − (d/L)²), so with u the direction of a leg from foot to hip
    ///
    /// (Σ k u uᵀ + k₀) δ = Σ k (d − d*) u,   k = w / (1 − (d/L)²),
    ///
    /// and k₀ that of a leg which is bent enough not to mind. Upwards δ follows in every frame: what it follows is the
    /// motion's own tremor over feet that do not tremble any more, and what it does not follow bends knees. Sideways it
    /// costs balance, and legs that are nearly parallel ask for centimetres: both sums are smoothed, and heights are
    /// found after that.
    fn keep_lengths(&mut self, clip: &Clip) -> Result<(), EditingError> {
        let gentle = Gaussian::from_sigma_secs(SIDEWAYS_SIGMA_SECS, self.frames.step_secs)?;
        let (holds, pulls_m) = self.lengths_kept(clip);
        let pulls_m = gentle.smooth(&pulls_m);
        let [x, y, z] =
            [0, 1, 2].map(|axis| gentle.smooth(&holds.iter().map(|hold| hold.col(axis)).collect::<Vec<_>>()));
        let own = DMat3::from_diagonal(DVec3::splat(1.0 / BENT));
        for (index, shift_m) in self.settled_shift_m.iter_mut().enumerate() {
            let hold = DMat3::from_cols(x[index], y[index], z[index]) + own;
            *shift_m += (hold.inverse() * pulls_m[index]).with_y(0.0);
        }
        let (holds, pulls_m) = self.lengths_kept(clip);
        for (shift_m, (hold, pull_m)) in self.settled_shift_m.iter_mut().zip(holds.iter().zip(pulls_m)) {
            shift_m.y += pull_m.y / (hold.y_axis.y + 1.0 / BENT);
        }
        Ok(())
    }

    /// Σ k u uᵀ and Σ k (d − d*) u of each frame, with the root shifted as far as that is planned.
    fn lengths_kept(&self, clip: &Clip) -> (Vec<DMat3>, Vec<DVec3>) {
        let ends = self.limbs.iter().map(|limb| limb.ik.end());
        let posed = closed_upward(clip.skeleton(), ends);
        let mut pose = WorldPose::for_skeleton(clip.skeleton());
        let of_frame = |index: usize| {
            let frame = self.frames.frame(index);
            pose.pose_joints(clip, frame, &posed);
            let (mut hold, mut pull_m) = (DMat3::ZERO, DVec3::ZERO);
            for limb in self.limbs.iter().filter(|limb| limb.carries) {
                let [root_m, end_m] = [limb.ik.root(), limb.ik.end()].map(|joint| pose.joint_in_world_m[joint.index()]);
                let away_m = root_m + self.settled_shift_m[index] - limb.held.ankle_m[index];
                let (length_m, planned_m) = (root_m.distance(end_m), away_m.length());
                let longest_m = limb.ik.longest_m(clip.skeleton(), clip.rotations_at(frame));
                let k = limb.held.reach[index] / (1.0 - (length_m / longest_m).powi(2)).max(STRAIGHT_LEG);
                let along = away_m / planned_m.max(1e-9);
                hold += DMat3::from_cols(along * along.x, along * along.y, along * along.z) * k;
                pull_m += along * (k * (length_m - planned_m));
            }
            (hold, pull_m)
        };
        (0..self.frames.len()).map(of_frame).unzip()
    }

    /// A leg that was straight may be as straight again: planning for less would make standing people crouch. `reach`:
    /// how much of a place a foot has.
    fn reach_of(
        &self,
        clip: &Clip,
        ik: &LimbIk,
        (reach, pins): (&[f64], &[Pinned]),
        calm: &Gaussian,
        options: &PlantOptions,
    ) -> Vec<f64> {
        let posed = closed_upward(clip.skeleton(), [ik.end()].into_iter());
        let mut pose = WorldPose::for_skeleton(clip.skeleton());
        let share = |index: usize| {
            let frame = self.frames.frame(index);
            pose.pose_joints(clip, frame, &posed);
            let [root_m, end_m] = [ik.root(), ik.end()].map(|joint| pose.joint_in_world_m[joint.index()]);
            let longest_m = ik.longest_m(clip.skeleton(), clip.rotations_at(frame));
            root_m.distance(end_m) / longest_m.max(1e-9)
        };
        let shares: Vec<f64> = (0..self.frames.len()).map(share).collect();
        let most = MOST_REACH_SHARE.max(options.reach_share);
        // Where nothing of a place is left the leg is as it was, locked or not: what was kept of a locked one goes
        // before that.
        let most = reach.iter().map(|reach| 1.0 - (1.0 - most) * reach * reach);
        let planned = calm.smooth(&shares).into_iter().zip(most);
        let planned = planned.map(|(share, most)| share.clamp(options.reach_share, most));
        // Where stances stay as they are legs do, too.
        let mut planned: Vec<f64> = planned.collect();
        let all = 0..planned.len();
        let stretch = |pin: &Pinned| pin.ease_from.max(0.0) as usize..(pin.ease_to.max(0.0) as usize + 1).min(all.end);
        let kept = pins.iter().filter(|pin| pin.is_kept).flat_map(stretch);
        for frame in kept.chain(all.clone().filter(|_| options.still_m > 0.0)) {
            planned[frame] = planned[frame].max(shares[frame]);
        }
        planned
    }

    /// Pins of a limb's points by time, with the stretches over which they are eased.
    fn pins_of(&self, clip: &Clip, effectors: &[&Effector], pins: &[Pin], options: &PlantOptions) -> Vec<Pinned> {
        let mut found: Vec<Pinned> = Vec::new();
        for (point, effector) in effectors.iter().enumerate() {
            let mut own: Vec<Pinned> = Vec::new();
            for pin in pins.iter().filter(|pin| pin.effector == effector.name) {
                let core = self.frames.range(pin.start_secs, pin.end_secs);
                if core.is_empty() || self.is_landing(clip, effector, pin, &core) {
                    continue;
                }
                let least = options.least_ease_secs / self.frames.step_secs;
                let ease_from = self.frames.position(pin.load_start_secs).min(core.start as f64 - least);
                let ease_to = self.frames.position(pin.load_end_secs).max(core.end as f64 - 1.0 + least);
                own.push(Pinned {
                    point,
                    is_heel: effector.part == Part::Heel,
                    core,
                    ease_from,
                    ease_to,
                    load_secs: pin.load_end_secs - pin.load_start_secs,
                    is_stated: pin.source == ContactSource::Hand,
                    is_kept: false,
                });
            }
            own.sort_by_key(|pin| pin.core.start);
            let is_other =
                |pin: &&Pin| pin.effector != effector.name && effectors.iter().any(|other| other.name == pin.effector);
            let others: Vec<_> =
                pins.iter().filter(is_other).map(|pin| self.frames.range(pin.start_secs, pin.end_secs)).collect();
            self.join(clip, effector, &others, &mut own);
            // Two pins of one point share the time between them.
            for index in 1..own.len() {
                let middle = 0.5 * (own[index - 1].core.end as f64 - 1.0 + own[index].core.start as f64);
                own[index - 1].ease_to = own[index - 1].ease_to.min(middle);
                own[index].ease_from = own[index].ease_from.max(middle);
            }
            found.extend(own);
        }
        give_way(&mut found, self.frames.step_secs);
        found.sort_by_key(|pin| pin.core.start);
        found
    }

    /// Whether a pin is only the slowest moment of a load that an end of the clip cuts off: the foot may not have come
    /// to rest, and where it would is not known. Held there it would stop within two frames.
    fn is_landing(&self, clip: &Clip, effector: &Effector, pin: &Pin, core: &Range<usize>) -> bool {
        let secs = core.len() as f64 * self.frames.step_secs;
        let last = self.frames.len() as f64 - 1.0;
        let is_cut =
            self.frames.position(pin.load_start_secs) < 0.5 || self.frames.position(pin.load_end_secs) > last - 0.5;
        let is_brief = pin.load_end_secs - pin.load_start_secs < LANDING_SECS;
        if !is_cut || !is_brief || secs >= LEAST_STANDING_PIN_SECS || core.len() < 2 {
            return false;
        }
        let mut pose = WorldPose::for_skeleton(clip.skeleton());
        let mut at_m = |index: usize| {
            pose.pose(clip, self.frames.frame(index));
            pose.point_in_world_m(effector.joint, effector.point_in_joint_m)
        };
        let way_secs = (core.len() - 1) as f64 * self.frames.step_secs;
        at_m(core.start).distance(at_m(core.end - 1)) > ContactOptions::PIN_SPEED * way_secs
    }

    /// Joins pins of one point that follow each other at once: a foot is not put down elsewhere within three frames.
    /// Those of one load are joined across longer gaps if the point hardly moved and no other point of the foot takes
    /// over in between.
    fn join(&self, clip: &Clip, effector: &Effector, others: &[Range<usize>], pins: &mut Vec<Pinned>) {
        let [at_once, same_load] =
            [JOIN_SECS, SAME_LOAD_SECS].map(|secs| (secs / self.frames.step_secs).round() as usize);
        let mut pose = WorldPose::for_skeleton(clip.skeleton());
        let mut at_m = |index: usize| {
            pose.pose(clip, self.frames.frame(index));
            pose.point_in_world_m(effector.joint, effector.point_in_joint_m)
        };
        pins.dedup_by(|next, pin| {
            let is_same_load = pin.ease_to > next.core.start as f64 && next.ease_from < pin.core.end as f64 - 1.0;
            let joins = next.core.start <= pin.core.end + at_once
                || (is_same_load
                    && !others.iter().any(|other| other.start < next.core.start && other.end > pin.core.end)
                    && next.core.start <= pin.core.end + same_load
                    && at_m(pin.core.end - 1).distance(at_m(next.core.start)) <= SAME_PLACE_M);
            if joins {
                pin.core.end = pin.core.end.max(next.core.end);
                pin.ease_to = pin.ease_to.max(next.ease_to);
                pin.load_secs = pin.load_secs.max(next.load_secs);
            }
            joins
        });
    }

    fn toe_of(&self, clip: &Clip, end: JointId, joint: JointId, foot: &FootMotion, tip: usize) -> Toe {
        let mut between: Vec<JointId> =
            clip.skeleton().ancestors(joint).skip(1).take_while(|&above| above != end).collect();
        between.reverse();
        let posed = closed_upward(clip.skeleton(), [joint].into_iter());
        let mut pose = WorldPose::for_skeleton(clip.skeleton());
        let (mut local, mut hinge_in_foot_m) = (Vec::new(), Vec::new());
        for index in 0..self.frames.len() {
            let frame = self.frames.frame(index);
            pose.pose_joints(clip, frame, &posed);
            local.push(clip.rotation(frame, joint));
            let away_m = pose.joint_in_world_m[joint.index()] - pose.joint_in_world_m[end.index()];
            hinge_in_foot_m.push(foot.world_from_foot[index].conjugate() * away_m);
        }
        let across = |index: usize| {
            let normal_in_foot = foot.world_from_foot[index].conjugate() * self.ground.normal();
            (foot.points_in_foot_m[tip][index] - hinge_in_foot_m[index]).cross(normal_in_foot)
        };
        let axis_in_foot = (0..self.frames.len()).map(across).sum::<DVec3>().normalize_or_zero();
        let (tip_in_foot_m, lowest_m) = (foot.points_in_foot_m[tip].clone(), foot.lowest_m[tip].clone());
        Toe { joint, between, local, axis_in_foot, hinge_in_foot_m, tip_in_foot_m, lowest_m }
    }

    fn motion_of(&self, clip: &Clip, end: JointId, effectors: &[&Effector], pins: &[Pinned]) -> FootMotion {
        let wanted = effectors.iter().map(|effector| effector.joint).chain([end]);
        let posed = closed_upward(clip.skeleton(), wanted);
        let mut pose = WorldPose::for_skeleton(clip.skeleton());
        let count = self.frames.len();
        let mut foot = FootMotion {
            ankle_m: Vec::with_capacity(count),
            world_from_foot: Vec::with_capacity(count),
            points_in_foot_m: vec![Vec::with_capacity(count); effectors.len()],
            lowest_m: Vec::new(),
        };
        for index in 0..count {
            pose.pose_joints(clip, self.frames.frame(index), &posed);
            let (ankle_m, turn) = (pose.joint_in_world_m[end.index()], pose.world_from_joint[end.index()]);
            foot.ankle_m.push(ankle_m + self.settled_shift_m[index]);
            foot.world_from_foot.push(turn);
            for (path, effector) in foot.points_in_foot_m.iter_mut().zip(effectors) {
                let point_m = pose.point_in_world_m(effector.joint, effector.point_in_joint_m);
                path.push(turn.conjugate() * (point_m - ankle_m));
            }
        }
        let window = (FLOOR_WINDOW_SECS / self.frames.step_secs).round() as usize;
        let stances = stances(pins, self.frames.step_secs);
        for path in &foot.points_in_foot_m {
            let in_world_m = |frame: usize| foot.ankle_m[frame] + foot.world_from_foot[frame] * path[frame];
            let mut heights_m: Vec<f64> = (0..count).map(|frame| self.ground.height_m(in_world_m(frame))).collect();
            // A stance has one floor: a foot that floats up by centimetres over seconds would otherwise be held at the
            // highest of them.
            for pins in stances.iter().map(|stance| &pins[stance.clone()]) {
                let stance = || pins.iter().flat_map(|pin| pin.core.clone());
                let floor_m = stance().map(|frame| heights_m[frame]).fold(f64::INFINITY, f64::min);
                stance().for_each(|frame| heights_m[frame] = floor_m);
            }
            foot.lowest_m.push(running_extreme(&heights_m, window, |a, b| a <= b));
        }
        foot
    }
}

fn kind_of(part: Part) -> LimbKind {
    match part {
        Part::Hand | Part::FrontPaw => LimbKind::Arm,
        _ => LimbKind::Leg,
    }
}

fn check_effectors(clip: &Clip, contacts: &ContactAnalysis) -> Result<(), EditingError> {
    let joints = clip.skeleton().len();
    if let Some(effector) = contacts.effectors.iter().find(|effector| effector.joint.index() >= joints) {
        let detail = format!("{} belongs to {}, the skeleton has {joints} joints", effector.name, effector.joint);
        return Err(EditingError::OtherContacts { detail });
    }
    let last_secs = clip.duration_secs() + 1.0;
    if let Some(pin) = contacts.pins.iter().find(|pin| pin.start_secs > last_secs) {
        let detail = format!("{} is pinned at {:.2} s, the clip ends before", pin.effector, pin.start_secs);
        return Err(EditingError::OtherContacts { detail });
    }
    Ok(())
}

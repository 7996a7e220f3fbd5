//! Joints beyond what people can do.
//!
//! Limits are gross: 10° to 25° beyond the textbook's ranges (Norkin & White 2016; Kapandji 2007), because joint
//! centres of captures are off by centimetres and a check that accuses clean captures is soon ignored. Only two-legged
//! bodies are judged.

use super::{Pose, Posed};
use crate::report::JointLimitFinding;
use aplomb_motion::{BodyPlan, JointId, Role, Roles, Side, Skeleton, so3};
use aplomb_physics::{Body, Shape};
use glam::{DQuat, DVec3};

/// Knee: 0–10° backward is common.
const KNEE_BACKWARD_DEG: f64 = 18.0;
/// Knee: 150° folded.
const KNEE_FOLD_DEG: f64 = 168.0;
/// Knee: captures show up to 25° to the side where it is bent.
const KNEE_SIDEWAYS_DEG: f64 = 40.0;
/// Elbow: 0–15° beyond straight.
const ELBOW_BACKWARD_DEG: f64 = 22.0;
/// Elbow: 150° folded.
const ELBOW_FOLD_DEG: f64 = 168.0;
/// Thigh behind the pelvis: 30°, with the pelvis tilted along 60°.
const HIP_BACKWARD_DEG: f64 = 80.0;
/// Thigh before the pelvis: 130°, of dancers 150°.
const HIP_FORWARD_DEG: f64 = 165.0;
/// Foot against shank, from pointing along it (0) over a right angle to folded up: 120° at most.
const ANKLE_FOLD_DEG: f64 = 150.0;
/// Foot against knee, about the shank: 40° with the ankle and the turn of a bent knee together.
const FOOT_TURN_DEG: f64 = 110.0;
/// Only where the foot is this far off the shank's line, 45°: a toe pointed a little past straight (dancers,
/// sloppy ankle joints) points backward by the letter, but looks right. Sine of the angle between.
const FOOT_TURN_ACROSS: f64 = 0.7;
/// Head against chest: 80° turned, 70° bent.
const NECK_TURN_DEG: f64 = 105.0;
const NECK_BEND_DEG: f64 = 110.0;
/// Chest against pelvis: 45° turned, 110° bent.
const SPINE_TURN_DEG: f64 = 90.0;
const SPINE_BEND_DEG: f64 = 140.0;

/// Shorter than this is a pop, which the jitter check tells, s.
const LEAST_BEYOND_LIMIT_SECS: f64 = 0.05;

/// A foot that points along its shank does not tell what is ahead: sine of the angle between.
const LEAST_ACROSS: f64 = 0.35;

/// Worst first.
pub(super) fn findings(
    skeleton: &Skeleton,
    roles: &Roles,
    body: &Body,
    posed: &Posed,
    times_secs: &[f64],
) -> Vec<JointLimitFinding> {
    if roles.plan() != BodyPlan::Biped {
        return Vec::new();
    }
    let rest_stands = rest_stands(skeleton, roles);
    let mut watch = LimitWatch { skeleton, posed, times_secs, rest_stands, found: Vec::new() };
    let pelvis = Pelvis::of(roles, posed);
    for side in Side::BOTH {
        let joint = |role: fn(Side) -> Role| roles.joint(role(side));
        let (thigh, shank, foot) = (joint(Role::Thigh), joint(Role::Shank), joint(Role::Foot));
        if let (Some(pelvis), Some(thigh), Some(shank)) = (&pelvis, thigh, shank) {
            watch.hip(pelvis, thigh, shank);
        }
        if let (Some(thigh), Some(shank), Some(foot)) = (thigh, shank, foot) {
            let ahead = FootAhead { foot, toe: joint(Role::Toe), in_foot: sole_ahead(body, foot) };
            watch.knee_and_ankle(pelvis.as_ref(), thigh, shank, &ahead);
        }
        if let (Some(upper), Some(fore), Some(hand)) = (joint(Role::UpperArm), joint(Role::Forearm), joint(Role::Hand))
        {
            watch.elbow(upper, fore, hand);
        }
    }
    let chest = (0..u16::MAX).map_while(|number| roles.joint(Role::Spine(number))).last();
    let hips = roles.joint(Role::Hips);
    if let Some((chest, head)) = chest.or(hips).zip(roles.joint(Role::Head)) {
        watch.turn_and_bend(
            chest,
            head,
            head,
            ["head turned too far", "neck bent too far"],
            [NECK_TURN_DEG, NECK_BEND_DEG],
        );
    }
    if let Some((hips, chest)) = hips.zip(chest) {
        let limits_deg = [SPINE_TURN_DEG, SPINE_BEND_DEG];
        watch.turn_and_bend(hips, chest, chest, ["trunk twisted too far", "trunk bent too far"], limits_deg);
    }
    watch.found.sort_by(|a, b| b.beyond_deg.total_cmp(&a.beyond_deg));
    watch.found
}

/// Forward of a foot's box: the body lays it with z ahead.
fn sole_ahead(body: &Body, foot: JointId) -> Option<DVec3> {
    body.link(foot)?.shapes.iter().find_map(|shape| match shape {
        Shape::Box { rotation, .. } => Some(*rotation * DVec3::Z),
        _ => None,
    })
}

/// Where a foot points.
struct FootAhead {
    foot: JointId,
    toe: Option<JointId>,
    in_foot: Option<DVec3>,
}

impl FootAhead {
    fn in_world(&self, pose: Pose<'_>) -> Option<DVec3> {
        let by_toe = self.toe.map(|toe| pose.joints_m[toe.index()] - pose.joints_m[self.foot.index()]);
        let by_box = || self.in_foot.map(|ahead| pose.world_from_joint[self.foot.index()] * ahead);
        by_toe.and_then(DVec3::try_normalize).or_else(|| by_box().and_then(DVec3::try_normalize))
    }
}

/// The pelvis's own axes in the hips' frame: left from hip to hip, up from the mean direction of the trunk.
struct Pelvis {
    hips: JointId,
    /// Rows: left, up, ahead.
    axes_in_hips: [DVec3; 3],
}

impl Pelvis {
    fn of(roles: &Roles, posed: &Posed) -> Option<Self> {
        let hips = roles.joint(Role::Hips)?;
        let top = roles.joint(Role::Neck(0)).or_else(|| roles.joint(Role::Head))?;
        let (left, right) = (roles.joint(Role::Thigh(Side::Left))?, roles.joint(Role::Thigh(Side::Right))?);
        let (mut leftward, mut upward) = (DVec3::ZERO, DVec3::ZERO);
        for row in 0..posed.rows() {
            let pose = posed.row(row);
            let hips_from_world = pose.world_from_joint[hips.index()].conjugate();
            let middle_m = pose.joints_m[left.index()].midpoint(pose.joints_m[right.index()]);
            leftward += hips_from_world * (pose.joints_m[left.index()] - pose.joints_m[right.index()]);
            upward += hips_from_world * (pose.joints_m[top.index()] - middle_m).normalize_or_zero();
        }
        let left = leftward.try_normalize()?;
        let up = upward.reject_from_normalized(left).try_normalize()?;
        Some(Self { hips, axes_in_hips: [left, up, left.cross(up)] })
    }
}

struct LimitWatch<'a> {
    skeleton: &'a Skeleton,
    posed: &'a Posed,
    times_secs: &'a [f64],
    /// Whether no joint turned is a person standing and looking ahead.
    rest_stands: bool,
    found: Vec<JointLimitFinding>,
}

impl LimitWatch<'_> {
    /// A knee is a hinge of the thigh. Its axis is the clip's; its sign is the pelvis's: whatever legs do, over a clip
    /// the hinge points from right to left. (How a knee bends must not vote here, for that is what is judged; people
    /// sitting for most of a clip outvote their feet.) Without a pelvis feet tell it: with s along the shank, t along
    /// the thigh and a the foot's ahead at right angles to s, t·a is positive in a leg that bends as legs do.
    fn knee_and_ankle(&mut self, pelvis: Option<&Pelvis>, thigh: JointId, shank: JointId, ahead: &FootAhead) {
        let foot_angles = self.each(|pose| {
            let (along, down) = (bone(pose, thigh, shank)?, bone(pose, shank, ahead.foot)?);
            let foot = ahead.in_world(pose)?;
            let across = Some(foot.reject_from_normalized(down)).filter(|across| across.length() > LEAST_ACROSS);
            // Where t points across s: ahead, if the knee is bent.
            let bent = Some(along.reject_from_normalized(down)).filter(|bent| bent.length() > LEAST_ACROSS);
            let turned = across.filter(|across| across.length() > FOOT_TURN_ACROSS);
            let turn_deg = turned.zip(bent).map(|(across, bent)| across.angle_between(bent).to_degrees());
            // Feet tucked under a seat may point anywhere.
            let vote = across.filter(|_| along.dot(down) > 0.5).map_or(0.0, |across| along.dot(across));
            Some((vote, foot.angle_between(down).to_degrees(), turn_deg))
        });
        let bends = self.bends(thigh, shank, ahead.foot);
        let fold_deg: Vec<Option<f64>> = bends.iter().map(|it| it.map(Bend::angle_deg)).collect();
        self.judge(shank, "knee folds too far", beyond(&fold_deg, KNEE_FOLD_DEG));
        if let Some(hinge) = Hinge::of(&bends) {
            let by_feet = || {
                let said = bends.iter().zip(&foot_angles);
                let said = said.filter_map(|(bend, foot)| bend.zip(foot.map(|(vote, ..)| vote)));
                said.map(|(bend, vote)| bend.cross.dot(hinge.axis) * vote).sum::<f64>()
            };
            let sign = pelvis.map_or_else(by_feet, |pelvis| self.leftward(pelvis, thigh, hinge.axis)).signum();
            let mut back_deg: Vec<Option<f64>> =
                bends.iter().map(|it| it.map(|it| -it.about_deg(hinge.axis * sign))).collect();
            // A leg that stays folded backward has its foot turned instead: no knee does that.
            let usual_deg = crate::report::score::median(&mut back_deg.iter().flatten().copied().collect::<Vec<_>>());
            if usual_deg.is_some_and(|usual_deg| usual_deg > 45.0) {
                back_deg.iter_mut().flatten().for_each(|back_deg| *back_deg = -*back_deg);
            }
            self.judge(shank, "knee bends backward", beyond(&back_deg, KNEE_BACKWARD_DEG));
            let sideways_deg: Vec<Option<f64>> = bends.iter().map(|it| it.map(|it| it.off_deg(hinge.axis))).collect();
            self.judge(shank, "knee bends sideways", beyond(&sideways_deg, KNEE_SIDEWAYS_DEG));
            // A knee that bends backward has its foot behind it: one fault, one finding.
            let turn_deg = foot_angles.iter().zip(&back_deg).map(|(it, back_deg)| {
                it.and_then(|(_, _, turn_deg)| turn_deg).filter(|_| back_deg.is_some_and(|back_deg| back_deg < 0.0))
            });
            self.judge(ahead.foot, "foot turned too far", beyond(&turn_deg.collect::<Vec<_>>(), FOOT_TURN_DEG));
        }
        let ankle_deg: Vec<Option<f64>> = foot_angles.iter().map(|it| it.map(|(_, fold_deg, _)| fold_deg)).collect();
        self.judge(ahead.foot, "ankle bends up too far", beyond(&ankle_deg, ANKLE_FOLD_DEG));
    }

    /// How far a direction in the thigh points to the pelvis's left, summed over the clip.
    fn leftward(&self, pelvis: &Pelvis, thigh: JointId, axis_in_thigh: DVec3) -> f64 {
        let along = |row: usize| {
            let turned = self.posed.row(row).world_from_joint;
            let left = turned[pelvis.hips.index()] * pelvis.axes_in_hips[0];
            left.dot(turned[thigh.index()] * axis_in_thigh)
        };
        (0..self.posed.rows()).map(along).sum()
    }

    /// An elbow is a hinge of the upper arm, and it bends the way it does in most frames. Where bends have no common
    /// axis (rolls kept in other bones), nothing is said.
    fn elbow(&mut self, upper: JointId, fore: JointId, hand: JointId) {
        let bends = self.bends(upper, fore, hand);
        let fold_deg: Vec<Option<f64>> = bends.iter().map(|it| it.map(Bend::angle_deg)).collect();
        self.judge(fore, "elbow folds too far", beyond(&fold_deg, ELBOW_FOLD_DEG));
        let Some(hinge) = Hinge::of(&bends).filter(|hinge| hinge.votes != 0) else { return };
        let sign = f64::from(hinge.votes.signum());
        let back_deg: Vec<Option<f64>> = bends.iter().map(|it| it.map(|it| -it.about_deg(hinge.axis * sign))).collect();
        self.judge(fore, "elbow overextended", beyond(&back_deg, ELBOW_BACKWARD_DEG));
    }

    fn bends(&self, upper: JointId, middle: JointId, end: JointId) -> Vec<Option<Bend>> {
        self.each(|pose| {
            let (above, below) = (bone(pose, upper, middle)?, bone(pose, middle, end)?);
            let upper_from_world = pose.world_from_joint[upper.index()].conjugate();
            Some(Bend { cross: upper_from_world * above.cross(below), dot: above.dot(below) })
        })
    }

    /// Where the thigh points in the pelvis.
    fn hip(&mut self, pelvis: &Pelvis, thigh: JointId, shank: JointId) {
        let flexion_deg = self.each(|pose| {
            let in_hips = pose.world_from_joint[pelvis.hips.index()].conjugate() * bone(pose, thigh, shank)?;
            let [left, up, ahead] = pelvis.axes_in_hips.map(|axis| in_hips.dot(axis));
            // A leg spread to the side has no flexion.
            (left.abs() < 0.8).then(|| ahead.atan2(-up).to_degrees())
        });
        let back_deg: Vec<Option<f64>> = flexion_deg.iter().map(|it| it.map(|flexion_deg| -flexion_deg)).collect();
        self.judge(thigh, "thigh bends backward too far", beyond(&back_deg, HIP_BACKWARD_DEG));
        self.judge(thigh, "thigh bends forward too far", beyond(&flexion_deg, HIP_FORWARD_DEG));
    }

    /// Turn about the trunk's axis and bend away from it, of `upper` in `lower`, against their rest pose where that
    /// stands, else against their mean over the clip.
    fn turn_and_bend(
        &mut self,
        lower: JointId,
        upper: JointId,
        name: JointId,
        what: [&'static str; 2],
        limits_deg: [f64; 2],
    ) {
        let relative =
            |pose: Pose<'_>| pose.world_from_joint[lower.index()].conjugate() * pose.world_from_joint[upper.index()];
        let Some((neutral, axis)) = self.neutral(lower, upper) else { return };
        let angles = self.each(|pose| {
            let split = so3::swing_twist(relative(pose) * neutral.conjugate(), axis);
            Some([split.twist, split.swing].map(|turn| so3::log(turn).length().to_degrees()))
        });
        for index in 0..2 {
            let of_kind: Vec<Option<f64>> = angles.iter().map(|it| it.map(|angles_deg| angles_deg[index])).collect();
            self.judge(name, what[index], beyond(&of_kind, limits_deg[index]));
        }
    }

    /// The rotation of `upper` in `lower` that is neither turned nor bent, and the trunk's axis in `lower`.
    fn neutral(&self, lower: JointId, upper: JointId) -> Option<(DQuat, DVec3)> {
        let up = |pose: Pose<'_>| {
            let upward_m = pose.joints_m[upper.index()] - pose.joints_m[lower.index()];
            pose.world_from_joint[lower.index()].conjugate() * upward_m
        };
        let mean_up: DVec3 = (0..self.posed.rows()).map(|row| up(self.posed.row(row)).normalize_or_zero()).sum();
        let axis = mean_up.try_normalize()?;
        if self.rest_stands {
            return Some((DQuat::IDENTITY, axis));
        }
        // The pose nearest to all others, not their mean: a head turned for a third of the time does not move it.
        let step = (self.posed.rows() / 60).max(1);
        let rows = (0..self.posed.rows()).step_by(step).map(|row| self.posed.row(row));
        let turns: Vec<DQuat> = rows
            .map(|pose| pose.world_from_joint[lower.index()].conjugate() * pose.world_from_joint[upper.index()])
            .collect();
        let from_all = |turn: &DQuat| turns.iter().map(|other| so3::angle_between(*turn, *other)).sum::<f64>();
        let nearest = turns.iter().min_by(|a, b| from_all(a).total_cmp(&from_all(b)))?;
        Some((*nearest, axis))
    }

    fn each<T>(&self, look: impl Fn(Pose<'_>) -> Option<T>) -> Vec<Option<T>> {
        (0..self.posed.rows()).map(|row| look(self.posed.row(row))).collect()
    }

    /// A finding, if the joint is beyond for long enough.
    fn judge(&mut self, joint: JointId, motion: &str, beyond_deg: Vec<Option<f64>>) {
        let is_beyond = |it: &&Option<f64>| it.is_some_and(|beyond_deg| beyond_deg > 0.0);
        let count = beyond_deg.iter().filter(is_beyond).count();
        let rows = beyond_deg.len();
        let span_secs = self.times_secs.last().zip(self.times_secs.first()).map_or(0.0, |(last, first)| last - first);
        let secs = count as f64 * span_secs / (rows.max(2) - 1) as f64;
        if count == 0 || (secs < LEAST_BEYOND_LIMIT_SECS && count < rows) {
            return;
        }
        let known = beyond_deg.iter().enumerate().filter_map(|(row, it)| it.map(|beyond_deg| (row, beyond_deg)));
        let Some((row, worst_deg)) = known.max_by(|a, b| a.1.total_cmp(&b.1)) else { return };
        self.found.push(JointLimitFinding {
            joint: self.skeleton.joint(joint).name.clone(),
            motion: motion.to_owned(),
            beyond_deg: worst_deg,
            secs: self.times_secs.get(row).copied().unwrap_or(0.0),
            share: count as f64 / rows as f64,
        });
    }
}

fn beyond(angles_deg: &[Option<f64>], limit_deg: f64) -> Vec<Option<f64>> {
    angles_deg.iter().map(|it| it.map(|angle_deg| angle_deg - limit_deg)).collect()
}

/// Unit vector from one joint to the other.
fn bone(pose: Pose<'_>, from: JointId, to: JointId) -> Option<DVec3> {
    (pose.joints_m[to.index()] - pose.joints_m[from.index()]).try_normalize()
}

/// Whether the rest pose is a standing person: feet below, head above, shoulders over hips. Only then is "no joint
/// turned" straight; in some files rest is just where numbers begin.
fn rest_stands(skeleton: &Skeleton, roles: &Roles) -> bool {
    let rest_m = rest_pose_m(skeleton);
    let at = |role: Role| roles.joint(role).map(|joint| rest_m[joint.index()]);
    let both = |role: fn(Side) -> Role| at(role(Side::Left)).zip(at(role(Side::Right)));
    let (Some(hips), Some(head), Some(feet), Some(thighs), Some(arms)) =
        (at(Role::Hips), at(Role::Head), both(Role::Foot), both(Role::Thigh), both(Role::UpperArm))
    else {
        return false;
    };
    let are_alike = |a: DVec3, b: DVec3| a.normalize_or_zero().dot(b.normalize_or_zero()) > 0.85;
    are_alike(head - hips, hips - feet.0.midpoint(feet.1)) && are_alike(thighs.0 - thighs.1, arms.0 - arms.1)
}

/// No joint turned, every joint at its offset.
fn rest_pose_m(skeleton: &Skeleton) -> Vec<DVec3> {
    let mut rest_m: Vec<DVec3> = Vec::with_capacity(skeleton.len());
    for joint in skeleton.joints() {
        let parent_m = joint.parent.and_then(|parent| rest_m.get(parent.index()).copied());
        rest_m.push(parent_m.unwrap_or(DVec3::ZERO) + joint.offset_m);
    }
    rest_m
}

/// How a limb is bent: cross (in the upper bone's frame) and dot product of its two bones.
#[derive(Clone, Copy)]
struct Bend {
    cross: DVec3,
    dot: f64,
}

impl Bend {
    fn angle_deg(self) -> f64 {
        self.cross.length().atan2(self.dot).to_degrees()
    }

    /// The part of the bend about an axis.
    fn about_deg(self, axis: DVec3) -> f64 {
        self.cross.dot(axis).atan2(self.dot).to_degrees()
    }

    /// The part that is not.
    fn off_deg(self, axis: DVec3) -> f64 {
        self.cross.reject_from_normalized(axis).length().clamp(0.0, 1.0).asin().to_degrees()
    }
}

/// The axis that a clip's bends share.
struct Hinge {
    axis: DVec3,
    /// Frames that bend one way less those that bend the other.
    votes: i32,
}

impl Hinge {
    /// The principal axis of all bends, if they have one: nearly all their squares along it.
    fn of(bends: &[Option<Bend>]) -> Option<Self> {
        let crosses = || bends.iter().flatten().map(|bend| bend.cross);
        let times = |axis: DVec3| crosses().map(|cross| cross * cross.dot(axis)).sum::<DVec3>();
        let total: f64 = crosses().map(|cross| cross.length_squared()).sum();
        let mut axis = crosses().max_by(|a, b| a.length_squared().total_cmp(&b.length_squared()))?.try_normalize()?;
        // Power iteration; bends that share an axis to 0.7 converge by 0.4 a step.
        for _ in 0..8 {
            axis = times(axis).try_normalize()?;
        }
        let share = times(axis).dot(axis) / total.max(1e-12);
        // Bends of a few degrees are noise about any axis.
        let bent = crosses().map(|cross| cross.dot(axis)).filter(|bend| bend.abs() > 0.05);
        let votes = bent.map(|bend| if bend > 0.0 { 1 } else { -1 }).sum();
        (share > 0.7).then_some(Self { axis, votes })
    }
}

//! The middle joint of a limb: its axis, its limits, and the law of cosines about it.

use crate::EditingError;
use crate::span::smoothstep;
use aplomb_motion::{BodyPlan, Clip, FrameIndex, JointId, LimbKind, Roles, Side, WorldPose};
use glam::{DQuat, DVec3};
use std::f64::consts::PI;

/// A limb bent past straight stays on that side while its bend is at most this times what it was, and is on its own
/// side from the second number on; between the two it goes round. The first pair is for limbs just past straight, which
/// is noise (touch-up asks them for a few degrees on their own side), the second for limbs that stand so.
const KEPT_SIDE: [f64; 2] = [1.05, 1.5];
const OWN_SIDE: [f64; 2] = [2.0, 3.0];
/// Farther past straight than this is how a skeleton was fitted, no noise, rad: 10°.
const DEEP_RAD: f64 = 0.175;

/// Cosine of the angle between the plane that a limb is bent in and its hinge's, from which on the first counts: 60°.
const SURE_PLANE: f64 = 0.5;

/// A limb past straight bends no farther that way than this, rad: 1.1°. From 3° on an edit has done harm
/// (docs/analysis/harm.md), which measures by an axis of its own.
const MOST_FARTHER_BACK_RAD: f64 = 0.02;

/// Elbow or knee.
///
/// Captured knees may stand past straight: by noise, by a degree or two, or all the time, by 14° (CMU 141, 90), where
/// the skeleton was fitted badly. A limb that is asked for about the bend it has stays on the side it is on, or it
/// would flip where nothing is edited; one that is asked for far more is bent the way that limbs bend.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hinge {
    /// In the frame of the middle joint's *parent*; turning the lower part about it by the right hand flexes the limb.
    pub axis_in_parent: DVec3,
    /// Least flexion, 0 = straight; not negative, since a limb does not bend past straight.
    pub min_rad: f64,
    /// Greatest flexion, at most π.
    pub max_rad: f64,
    /// Weight of `axis_in_parent` against the plane the limb is bent in, which wins as soon as sin(flexion) is well
    /// above it. At 0 a straight limb has no plane; large values hold the axis whatever the pose says.
    pub axis_weight: f64,
}

impl Hinge {
    /// A hinge about this axis without limits but straight and folded. The pose's own plane of bend counts from about
    /// 10° on: captured knees are no perfect hinges, and bending them about a foreign axis would twist the foot.
    pub fn about(axis_in_parent: DVec3) -> Self {
        Self { axis_in_parent, min_rad: 0.0, max_rad: PI, axis_weight: 0.05 }
    }

    /// The same with the axis held in every pose: for skeletons whose middle joint is a true hinge.
    pub fn held(self) -> Self {
        Self { axis_weight: f64::INFINITY, ..self }
    }

    pub(super) fn checked(self) -> Result<Self, EditingError> {
        let setting = |what, expected, found| Err(EditingError::Setting { what, expected, found });
        if !self.axis_in_parent.is_finite() || self.axis_in_parent.length() < 1e-12 {
            return setting("the length of a hinge axis", "finite and not zero", self.axis_in_parent.length());
        }
        if !(0.0..PI).contains(&self.min_rad) {
            return setting("the least flexion of a hinge", "0 to π", self.min_rad);
        }
        if self.max_rad.is_nan() || self.max_rad <= self.min_rad || self.max_rad > PI {
            return setting("the greatest flexion of a hinge", "above the least and at most π", self.max_rad);
        }
        if self.axis_weight.is_nan() || self.axis_weight <= 0.0 {
            return setting("the weight of a hinge axis", "above 0", self.axis_weight);
        }
        Ok(Self { axis_in_parent: self.axis_in_parent.normalize(), ..self })
    }

    /// The flexion that gives a distance, and the turn of the lower bone (in the frame of the middle's parent) that
    /// makes it.
    ///
    /// A pose past straight has two sides to choose from, as far from the root both. From the one to the other the axis
    /// turns by half a turn about the upper bone: the end stays where it shall be, and nothing jumps.
    pub(super) fn bent_to(&self, bend: &Bend, distance_m: f64, (upper, lower): (DVec3, DVec3)) -> (f64, DQuat) {
        let flexion_rad = bend.flexion_at(distance_m, self);
        let past_rad = -bend.flexion_rad;
        let kept = match past_rad > 0.0 {
            true => {
                let deep = smoothstep(past_rad / DEEP_RAD);
                let [from, to] = [KEPT_SIDE, OWN_SIDE].map(|[noise, stands]| noise + deep * (stands - noise));
                let kept = 1.0 - smoothstep((flexion_rad / past_rad - from) / (to - from));
                // What goes farther goes round, as far as it takes: −φ cos(kept π) is how far back that is.
                let farther = ((flexion_rad - past_rad).max(0.0) / MOST_FARTHER_BACK_RAD).tanh();
                let most_rad = past_rad + MOST_FARTHER_BACK_RAD * farther;
                let round = (-most_rad / flexion_rad.max(1e-9)).clamp(-1.0, 1.0).acos() / PI;
                if flexion_rad > past_rad { kept.min(round) } else { kept }
            }
            false => 0.0,
        };
        if kept == 0.0 {
            return (flexion_rad, DQuat::from_axis_angle(bend.axis, flexion_rad - bend.flexion_rad));
        }
        if kept == 1.0 {
            return (-flexion_rad, DQuat::from_axis_angle(bend.axis, -flexion_rad - bend.flexion_rad));
        }
        let straight = DQuat::from_axis_angle(bend.axis, -bend.flexion_rad);
        let round = DQuat::from_axis_angle(upper.normalize_or(DVec3::Y), kept * PI);
        let between = Bend::about(round * bend.axis, upper, straight * lower);
        let flexion_rad = between.flexion_at(distance_m, self);
        let turn = DQuat::from_axis_angle(between.axis, flexion_rad - between.flexion_rad) * straight;
        (flexion_rad * (1.0 - 2.0 * kept), turn)
    }

    /// The bend of the pose given, both bones in the frame of the middle's parent.
    pub(super) fn measure(&self, upper: DVec3, lower: DVec3) -> Bend {
        let normal = upper.normalize_or_zero().cross(lower.normalize_or_zero());
        // A plane far from the hinge's is no plane of bending: next to straight, and past it, a little bend sideways
        // would become the axis.
        let along = normal.dot(self.axis_in_parent) / normal.length().max(1e-9);
        let normal = normal * smoothstep(along / SURE_PLANE);
        let axis = if self.axis_weight.is_finite() {
            (normal + self.axis_in_parent * self.axis_weight).normalize_or(self.axis_in_parent)
        } else {
            self.axis_in_parent
        };
        Bend::about(axis, upper, lower)
    }
}

/// One pose's hinge: D² = constant + amplitude · cos φ.
pub(super) struct Bend {
    pub axis: DVec3,
    pub flexion_rad: f64,
    constant_m2: f64,
    amplitude_m2: f64,
}

impl Bend {
    fn about(axis: DVec3, upper: DVec3, lower: DVec3) -> Self {
        let (upper_along, lower_along) = (upper.dot(axis), lower.dot(axis));
        let (upper_across, lower_across) = (upper - axis * upper_along, lower - axis * lower_along);
        Self {
            axis,
            flexion_rad: axis.dot(upper_across.cross(lower_across)).atan2(upper_across.dot(lower_across)),
            constant_m2: upper.length_squared() + lower.length_squared() + 2.0 * upper_along * lower_along,
            amplitude_m2: 2.0 * upper_across.length() * lower_across.length(),
        }
    }

    /// Shortest and longest distance from root to end within the hinge's limits.
    pub fn distance_range_m(&self, hinge: &Hinge) -> (f64, f64) {
        // Straight and folded, the usual limits, need no cosine.
        let cosine = |flexion_rad: f64| match flexion_rad {
            0.0 => 1.0,
            PI => -1.0,
            _ => flexion_rad.cos(),
        };
        let at = |flexion_rad: f64| (self.constant_m2 + self.amplitude_m2 * cosine(flexion_rad)).max(0.0).sqrt();
        (at(hinge.max_rad), at(hinge.min_rad))
    }

    /// The flexion that gives a distance, clamped to the limits.
    pub fn flexion_at(&self, distance_m: f64, hinge: &Hinge) -> f64 {
        if self.amplitude_m2 <= 0.0 {
            // A bone along the hinge axis: flexion changes nothing.
            return self.flexion_rad.clamp(hinge.min_rad, hinge.max_rad);
        }
        let cosine = (distance_m * distance_m - self.constant_m2) / self.amplitude_m2;
        cosine.clamp(-1.0, 1.0).acos().clamp(hinge.min_rad, hinge.max_rad)
    }
}

/// The axis about which `middle` flexes over a clip, in its parent's frame: the mean normal of the plane
/// root–middle–end, each frame weighted by the sine of its bend, so that straight frames do not vote. `None` if the
/// limb is never bent by more than about 2°, or if the votes cancel: then only anatomy can tell.
pub(crate) fn hinge_axis_from_motion(clip: &Clip, [root, middle, end]: [JointId; 3]) -> Option<DVec3> {
    let parent = clip.skeleton().parent(middle)?;
    let mut pose = WorldPose::for_skeleton(clip.skeleton());
    let (mut sum, mut weight, mut most) = (DVec3::ZERO, 0.0, 0.0_f64);
    for frame in clip.frames() {
        pose.pose(clip, frame);
        let at = |joint: JointId| pose.joint_in_world_m[joint.index()];
        let upper = (at(middle) - at(root)).normalize_or_zero();
        let lower = (at(end) - at(middle)).normalize_or_zero();
        let normal = upper.cross(lower);
        sum += pose.world_from_joint[parent.index()].conjugate() * normal;
        weight += normal.length();
        most = most.max(normal.length());
    }
    // sin 2°; and at least a third of the votes must agree.
    (most > 0.035 && sum.length() > 0.33 * weight).then(|| sum.normalize())
}

/// Frames that the pelvis's left is taken from.
const MOST_LOOKS: usize = 200;
/// Cosine of the angle to the pelvis's left beyond which the bends of a clip do not tell a knee's axis: 60°, as the
/// score has it (docs/analysis/anatomy.md).
const LEAST_LEFTWARD: f64 = 0.5;

/// A person's knee flexes about the pelvis's left: the clip's own axis, on that side; the left itself where the clip's
/// is far from it or not known.
pub(super) fn knee_axis(clip: &Clip, roles: &Roles, joints: [JointId; 3], axis: Option<DVec3>) -> Option<DVec3> {
    let [left, right] = [roles.limb(Side::Left, LimbKind::Leg)?, roles.limb(Side::Right, LimbKind::Leg)?];
    let parent = clip.skeleton().parent(joints[1])?;
    let mut pose = WorldPose::for_skeleton(clip.skeleton());
    let step = clip.frame_count().div_ceil(MOST_LOOKS).max(1);
    let mut sum = DVec3::ZERO;
    for frame in clip.frames().step_by(step) {
        pose.pose(clip, frame);
        let at = |joint: JointId| pose.joint_in_world_m[joint.index()];
        let leftward = (at(left.root) - at(right.root)).normalize_or_zero();
        sum += pose.world_from_joint[parent.index()].conjugate() * leftward;
    }
    let leftward = sum.try_normalize()?;
    match axis {
        Some(axis) if axis.dot(leftward).abs() >= LEAST_LEFTWARD => Some(axis * axis.dot(leftward).signum()),
        _ => Some(leftward),
    }
}

/// The same axis from anatomy, for limbs that a clip never bends: legs flex about the body's left, elbows bring the
/// forearm to the front, front legs of a quadruped flex the other way. Read off the first frame; `None` without a pair
/// of limbs to tell left by.
pub(super) fn hinge_axis_from_anatomy(clip: &Clip, roles: &Roles, side: Side, kind: LimbKind) -> Option<DVec3> {
    let limb = roles.limb(side, kind)?;
    let [left, right] = [roles.limb(Side::Left, kind)?, roles.limb(Side::Right, kind)?];
    if clip.frame_count() == 0 {
        return None;
    }
    let mut pose = WorldPose::for_skeleton(clip.skeleton());
    pose.pose(clip, FrameIndex(0));
    let at = |joint: JointId| pose.joint_in_world_m[joint.index()];
    let leftward = (at(left.root) - at(right.root)).try_normalize()?;
    let axis_in_world = match (kind, roles.plan()) {
        (LimbKind::Leg, _) => leftward,
        (LimbKind::Arm, BodyPlan::Quadruped) => -leftward,
        (LimbKind::Arm, _) => (at(limb.middle) - at(limb.root)).cross(leftward.cross(DVec3::Y)).try_normalize()?,
    };
    let parent = clip.skeleton().parent(limb.middle)?;
    Some(pose.world_from_joint[parent.index()].conjugate() * axis_in_world)
}

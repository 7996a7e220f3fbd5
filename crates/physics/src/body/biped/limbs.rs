//! Arms, legs and feet.

use super::super::Shape;
use super::super::reference::{Point, ends_below};
use super::super::solid::{Along, DENSITY_KG_M3, axes_from};
use super::super::tables::{FootSpan, Segment};
use super::trunk::Trunk;
use super::{C7_ABOVE_SHOULDERS, Maker};
use aplomb_motion::stature::ratio;
use aplomb_motion::{JointId, Role, Side, WorldPose};
use glam::{DMat3, DQuat, DVec3};

/// The heel is this part of the foot behind the ankle.
const HEEL_BEHIND_ANKLE: f64 = 0.25;

/// Where the next segment of a limb goes on, if it has no joint of its own.
#[derive(Clone, Copy)]
struct Carrier {
    joint: JointId,
    start_m: DVec3,
    direction: DVec3,
}

impl Maker<'_, '_> {
    pub(super) fn arms(&mut self, trunk: &Trunk, c7_height_m: f64) {
        let shoulder_height_m = c7_height_m - C7_ABOVE_SHOULDERS * self.stature_m;
        for (side, sign) in [(Side::Left, 1.0), (Side::Right, -1.0)] {
            let chest = trunk.chest();
            let girdle = self.joint(Role::Clavicle(side)).unwrap_or(chest.joint);
            let shoulder_m = chest.at_m(trunk.length_m - C7_ABOVE_SHOULDERS * self.stature_m)
                + chest.axes.y_axis * (sign * ratio::SHOULDER_HALF_WIDTH * self.stature_m);
            let shoulder = Point { joint: chest.joint, in_joint_m: shoulder_m };
            let chest_joint = chest.joint;
            let down = -chest.axes.z_axis;
            let start = Carrier {
                joint: girdle,
                start_m: self.draft.reference.point_in_m(girdle, shoulder),
                direction: self
                    .draft
                    .reference
                    .direction_in(girdle, |pose| pose.world_from_joint[chest_joint.index()] * down)
                    .unwrap_or(down),
            };
            let (upper, fore, hand) = (self.segments.upper_arm, self.segments.forearm, self.segments.hand);
            let [at_elbow, at_wrist] = [Role::Forearm(side), Role::Hand(side)].map(|role| self.joint(role));
            let (arm, arm_m) =
                self.limb_segment(start, self.joint(Role::UpperArm(side)), at_elbow, ratio::UPPER_ARM, upper, false);
            let (forearm, forearm_m) = self.limb_segment(arm, at_elbow, at_wrist, ratio::FOREARM, fore, false);
            let (_, hand_m) = self.limb_segment(forearm, at_wrist, None, ratio::HAND, hand, false);
            let mut top_m = shoulder_height_m;
            for (segment, length_m) in [(upper, arm_m), (fore, forearm_m), (hand, hand_m)] {
                self.standing.add(segment.mass * self.mass_kg, top_m - segment.com * length_m);
                top_m -= length_m;
            }
            if at_wrist.is_none() || at_elbow.is_none() {
                let missing = if at_elbow.is_none() { "elbow" } else { "wrist" };
                self.draft.warnings.push(format!("no {side} {missing}: what lies beyond moves with the joint above"));
            }
        }
    }

    /// Thigh, shank and foot of both sides; gives the height of the hip joints over the floor.
    pub(super) fn legs(&mut self, trunk: &Trunk) -> f64 {
        let mut hip_height_m = 0.0;
        for side in Side::BOTH {
            let hips = trunk.hips();
            let sign = if side == Side::Left { 1.0 } else { -1.0 };
            let start = Carrier {
                joint: hips.joint,
                start_m: hips.start_in_joint_m + hips.axes.y_axis * (sign * ratio::HIP_HALF_WIDTH * self.stature_m),
                direction: -hips.axes.z_axis,
            };
            let (thigh, shank) = (self.segments.thigh, self.segments.shank);
            let [at_hip, at_knee, at_ankle] =
                [Role::Thigh(side), Role::Shank(side), Role::Foot(side)].map(|role| self.joint(role));
            let knee_to_hip = ratio::HIP_HEIGHT - ratio::KNEE_HEIGHT;
            let ankle_to_knee = ratio::KNEE_HEIGHT - ratio::ANKLE_HEIGHT;
            let (upper, thigh_m) = self.limb_segment(start, at_hip, at_knee, knee_to_hip, thigh, true);
            let (lower, shank_m) = self.limb_segment(upper, at_knee, at_ankle, ankle_to_knee, shank, true);
            let ankle_m = ratio::ANKLE_HEIGHT * self.stature_m;
            self.foot(side, lower, at_ankle, ankle_m);
            self.standing.add(shank.mass * self.mass_kg, ankle_m + (1.0 - shank.com) * shank_m);
            self.standing.add(thigh.mass * self.mass_kg, ankle_m + shank_m + (1.0 - thigh.com) * thigh_m);
            self.standing.add(self.segments.foot.mass * self.mass_kg, 0.5 * ankle_m);
            hip_height_m += 0.5 * (ankle_m + shank_m + thigh_m);
        }
        hip_height_m
    }

    /// One segment of an arm or leg. It starts at its joint, or, if the skeleton has none, where the segment above
    /// ended; it ends at the next joint, else at the skeleton's own tip if that fits the stature, else at the usual
    /// length.
    fn limb_segment(
        &mut self,
        above: Carrier,
        joint: Option<JointId>,
        next: Option<JointId>,
        usual_ratio: f64,
        segment: Segment,
        is_leg: bool,
    ) -> (Carrier, f64) {
        let usual_m = usual_ratio * self.stature_m;
        let (carrier, start_m) = match joint {
            Some(joint) => (joint, DVec3::ZERO),
            None => (above.joint, above.start_m),
        };
        // Where a straight limb would go on: in the carrier's own frame.
        let ahead = match joint {
            None => above.direction,
            Some(_) => self.carried_direction(above, carrier),
        };
        let next_m = next.map(|next| self.in_m(carrier, next)).filter(|end_m| end_m.distance(start_m) > 1e-3);
        let tip_m = || {
            let ends = ends_below(self.draft.skeleton, carrier).into_iter();
            let ends_m = ends.map(|end| self.draft.reference.point_in_m(carrier, end));
            ends_m.max_by(|a, b| a.distance(start_m).total_cmp(&b.distance(start_m)))
        };
        let end_m = match next_m {
            Some(end_m) => end_m,
            None => {
                let tip_m = tip_m().filter(|tip_m| tip_m.distance(start_m) > 0.15 * usual_m);
                let direction = tip_m.and_then(|tip_m| (tip_m - start_m).try_normalize()).unwrap_or(ahead);
                // Fists, mitten rigs and props end elsewhere than fingertips do.
                match tip_m.filter(|tip_m| (0.6..1.5).contains(&(tip_m.distance(start_m) / usual_m))) {
                    Some(tip_m) => tip_m,
                    None => start_m + direction * usual_m,
                }
            }
        };
        let length_m = start_m.distance(end_m);
        let left = if is_leg { self.left_in(carrier) } else { None };
        // Segments run from their first endpoint down, so the long axis points back up.
        let axes = axes_from(start_m - end_m, left);
        let com_m = start_m.lerp(end_m, segment.com);
        let solid = self.solid(segment, com_m, axes, length_m);
        let solid = if left.is_some() { solid } else { solid.round() };
        // r = sqrt(m/(ρ π L)), within 0.15 to 0.45 of the length (formats.md 11.4).
        let radius_m = (solid.mass_kg / (DENSITY_KG_M3 * std::f64::consts::PI * length_m)).sqrt();
        let radius_m = radius_m.clamp(0.15 * length_m, 0.45 * length_m);
        self.push(carrier, solid, Shape::Capsule { start_m, end_m, radius_m });
        let direction = (end_m - start_m).try_normalize().unwrap_or(ahead);
        (Carrier { joint: carrier, start_m: end_m, direction }, length_m)
    }

    fn carried_direction(&self, from: Carrier, into: JointId) -> DVec3 {
        let in_world = |pose: &WorldPose| pose.world_from_joint[from.joint.index()] * from.direction;
        self.draft.reference.direction_in(into, in_world).unwrap_or(from.direction)
    }

    /// The foot, from the heel behind the ankle to the tip of the toes, cut at the ball if there is a joint.
    fn foot(&mut self, side: Side, shank: Carrier, at_ankle: Option<JointId>, ankle_height_m: f64) {
        let (carrier, ankle_m) = match at_ankle {
            Some(foot) => (foot, DVec3::ZERO),
            None => (shank.joint, shank.start_m),
        };
        let toe = self.joint(Role::Toe(side)).filter(|_| at_ankle.is_some());
        let up = self.draft.reference.up_when_low(carrier);
        let level = |point_m: DVec3| (point_m - ankle_m).reject_from_normalized(up);
        let ends = ends_below(self.draft.skeleton, carrier).into_iter().filter(|_| at_ankle.is_some());
        let ends_m = ends.map(|end| self.draft.reference.point_in_m(carrier, end));
        let tip_m = ends_m.max_by(|a, b| level(*a).length().total_cmp(&level(*b).length()));
        let ball_m = toe.map(|toe| self.in_m(carrier, toe));
        let by_left = self.left_in(carrier).map(|left| left.cross(up));
        let forward = [ball_m, tip_m]
            .into_iter()
            .flatten()
            .map(level)
            .find(|forward_m| forward_m.length() > 0.02 * self.stature_m)
            .or(by_left)
            .and_then(|forward| forward.reject_from_normalized(up).try_normalize())
            .unwrap_or_else(|| up.any_orthonormal_vector());
        let usual_m = ratio::FOOT * self.stature_m;
        let own_m = tip_m.map(|tip_m| level(tip_m).dot(forward) / (1.0 - HEEL_BEHIND_ANKLE));
        let length_m = own_m.filter(|own_m| (0.7..1.4).contains(&(own_m / usual_m))).unwrap_or(usual_m);
        let left = up.cross(forward);
        // In the table's words a foot's length is its long axis; "sagittal" then is the upright axis, "transverse"
        // still the left.
        let axes = DMat3::from_cols(left.cross(forward), left, forward);
        let sole_m = ankle_m - up * ankle_height_m;
        let heel_m = sole_m - forward * (HEEL_BEHIND_ANKLE * length_m);
        let segment = self.segments.foot;
        let middle_m = up * (0.5 * ankle_height_m);
        let whole = match self.segments.foot_span {
            FootSpan::HeelToTip => {
                self.solid(segment, heel_m + middle_m + forward * (segment.com * length_m), axes, length_m)
            }
            FootSpan::AnkleToBall => {
                // The ball is where the tip is, less the toes: 0.27 of a foot (contacts.md's 7 cm of 26).
                let ball_m = (1.0 - HEEL_BEHIND_ANKLE - 0.27) * length_m;
                self.solid(segment, sole_m + middle_m + forward * (segment.com * ball_m), axes, ball_m)
            }
        };
        let cut_m = ball_m.map_or(f64::INFINITY, |ball_m| (ball_m - whole.com_m).dot(forward));
        let half_width_m = 0.2 * length_m;
        let rotation = DQuat::from_mat3(&axes);
        let boxed = |from_m: f64, to_m: f64| Shape::Box {
            centre_m: sole_m + middle_m + forward * (0.5 * (from_m + to_m)),
            rotation,
            half_m: DVec3::new(0.5 * ankle_height_m, half_width_m, 0.5 * (to_m - from_m)),
        };
        let (heel_arc_m, tip_arc_m) = (-HEEL_BEHIND_ANKLE * length_m, (1.0 - HEEL_BEHIND_ANKLE) * length_m);
        let ball_arc_m = ball_m.map_or(tip_arc_m, |ball_m| level(ball_m).dot(forward)).clamp(heel_arc_m, tip_arc_m);
        let toes = toe.and_then(|toe| Some((toe, whole.slice(Along::Up, cut_m, f64::INFINITY)?)));
        let Some((toe, mut part)) = toes else {
            return self.push(carrier, whole, boxed(heel_arc_m, tip_arc_m));
        };
        let rest = whole.slice(Along::Up, f64::NEG_INFINITY, cut_m).unwrap_or(whole);
        self.push(carrier, rest, boxed(heel_arc_m, ball_arc_m));
        let toe_from_carrier = self.draft.reference.axes_in(toe, carrier, axes) * axes.transpose();
        let carrier_in_toe_m = self.in_m(toe, carrier);
        part.com_m = carrier_in_toe_m + toe_from_carrier * part.com_m;
        part.axes = toe_from_carrier * part.axes;
        let shape =
            super::super::moved(&boxed(ball_arc_m, tip_arc_m), DQuat::from_mat3(&toe_from_carrier), carrier_in_toe_m);
        self.push(toe, part, shape);
    }
}

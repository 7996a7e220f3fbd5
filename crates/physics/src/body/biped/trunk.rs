//! Trunk, shoulder girdles, neck and head.

use super::super::Shape;
use super::super::reference::{Point, ends_below};
use super::super::solid::{Along, DENSITY_KG_M3, Solid, axes_from};
use super::super::tables::Segment;
use super::{C7_ABOVE_SHOULDERS, Maker};
use aplomb_motion::{JointId, Role, Side, WorldPose};
use glam::{DMat3, DQuat, DVec3};

/// Mid-hip to C7 over stature: 603.3/1741 and 614.8/1735.
const TRUNK_OVER_STATURE: f64 = 0.350;
/// C7 to vertex over stature: 242.9/1741 and 243.7/1735.
const HEAD_OVER_STATURE: f64 = 0.140;
/// A shoulder girdle takes at most this part of the upper trunk to each side.
const MOST_GIRDLE: f64 = 0.25;

/// Cuts smaller than this part of a segment are not made.
const LEAST_CUT: f64 = 0.05;

/// The line that carries the trunk: mid-hip, hips' bone, spine bones, C7.
pub(super) struct Trunk {
    /// Hips, then spine joints from below; never empty.
    bones: Vec<TrunkBone>,
    /// Mid-hip to C7 along the line.
    pub length_m: f64,
}

/// One joint of the trunk and the bone above it. The hips' bone starts at mid-hip, the others' at their joint.
pub(super) struct TrunkBone {
    pub joint: JointId,
    pub start_in_joint_m: DVec3,
    /// Forward, left, up.
    pub axes: DMat3,
    /// Arc length at the start.
    from_m: f64,
    to_m: f64,
}

impl TrunkBone {
    pub(super) fn at_m(&self, arc_m: f64) -> DVec3 {
        self.start_in_joint_m + self.axes.z_axis * (arc_m - self.from_m)
    }
}

impl Trunk {
    pub(super) fn hips(&self) -> &TrunkBone {
        &self.bones[0]
    }

    pub(super) fn chest(&self) -> &TrunkBone {
        &self.bones[self.bones.len() - 1]
    }

    pub(super) fn c7(&self) -> Point {
        let chest = self.chest();
        Point { joint: chest.joint, in_joint_m: chest.at_m(self.length_m) }
    }
}

impl Maker<'_, '_> {
    pub(super) fn measure_trunk(&self, hips: JointId) -> Trunk {
        let spine: Vec<JointId> = (0..u16::MAX).map_while(|number| self.joint(Role::Spine(number))).collect();
        let joints: Vec<JointId> = std::iter::once(hips).chain(spine).collect();
        let mid_hip_m = self.middle_in_m(hips, Role::Thigh).unwrap_or(DVec3::ZERO);
        let mid_hip = Point { joint: hips, in_joint_m: mid_hip_m };
        let mut bones: Vec<TrunkBone> = Vec::with_capacity(joints.len());
        let mut arc_m = 0.0;
        for (index, &joint) in joints.iter().enumerate() {
            let start_in_joint_m = if index == 0 { mid_hip_m } else { DVec3::ZERO };
            let end_m = match joints.get(index + 1) {
                Some(&next) => self.in_m(joint, next),
                None => self.c7_in_m(joint, mid_hip, arc_m),
            };
            let bone_m = end_m - start_in_joint_m;
            let length_m = bone_m.length();
            // Joints on top of each other have no direction of their own: take that of the whole trunk.
            let up = match length_m > 1e-3 {
                true => bone_m,
                false => self.trunk_direction_in(joint, hips),
            };
            let axes = axes_from(up, self.left_in(joint));
            bones.push(TrunkBone { joint, start_in_joint_m, axes, from_m: arc_m, to_m: arc_m + length_m });
            arc_m += length_m;
        }
        Trunk { bones, length_m: arc_m }
    }

    fn trunk_direction_in(&self, frame: JointId, hips: JointId) -> DVec3 {
        let top = [Role::Neck(0), Role::Head].into_iter().find_map(|role| self.joint(role));
        let upward = |pose: &WorldPose| match top {
            Some(top) => pose.joint_in_world_m[top.index()] - pose.joint_in_world_m[hips.index()],
            None => DVec3::Y,
        };
        self.draft.reference.direction_in(frame, |pose| upward(pose).normalize_or_zero()).unwrap_or(DVec3::Y)
    }

    /// C7 in the frame of the last spine joint, which lies `arc_m` above mid-hip: a little above the shoulders, or at
    /// the root of the neck if that is higher. Skeletons put their neck joint anywhere between shoulder height and the
    /// skull.
    fn c7_in_m(&self, chest: JointId, mid_hip: Point, arc_m: f64) -> DVec3 {
        let neck_m = self.joint(Role::Neck(0)).or_else(|| self.joint(Role::Head)).map(|neck| self.in_m(chest, neck));
        let shoulders_m = self.middle_in_m(chest, Role::UpperArm);
        let mid_hip_m = self.draft.reference.point_in_m(chest, mid_hip);
        let Some(toward_m) = shoulders_m.or(neck_m) else {
            let rest_m = (TRUNK_OVER_STATURE * self.stature_m - arc_m).max(0.1 * self.stature_m);
            return (DVec3::ZERO - mid_hip_m).try_normalize().unwrap_or(DVec3::Y) * rest_m;
        };
        let up = (toward_m - mid_hip_m).try_normalize().unwrap_or(DVec3::Y);
        let by_shoulders_m = shoulders_m.map(|shoulders_m| {
            // Arms that point up at rest would carry the shoulders along: no trunk is longer than this.
            let limit_m = 1.1 * TRUNK_OVER_STATURE * self.stature_m - arc_m;
            (shoulders_m.dot(up) + C7_ABOVE_SHOULDERS * self.stature_m).min(limit_m)
        });
        let by_neck_m = neck_m.map(|neck_m| neck_m.dot(up));
        let height_m = by_shoulders_m.unwrap_or(f64::MIN).max(by_neck_m.unwrap_or(f64::MIN)).max(0.0);
        let beside_m = neck_m.unwrap_or(toward_m).reject_from_normalized(up);
        beside_m + up * height_m
    }

    pub(super) fn trunk(&mut self, trunk: &Trunk, hip_height_m: f64) {
        let (chest_m, waist_m) =
            (self.segments.chest_level * trunk.length_m, self.segments.waist_level * trunk.length_m);
        let count = trunk.bones.len();
        // Lumbar: bones whose middle is below the chest level; at least the lowest of two, never the highest.
        let is_lumbar = |index: usize| {
            let bone = &trunk.bones[index];
            index == 1 || 0.5 * (bone.from_m + bone.to_m) < chest_m
        };
        let lumbar: Vec<usize> = match count {
            1 | 2 => vec![count - 1],
            _ => (1..count - 1).filter(|&index| is_lumbar(index)).collect(),
        };
        let thoracic: Vec<usize> = match count {
            1 | 2 => vec![count - 1],
            _ => (1..count).filter(|index| !lumbar.contains(index)).collect(),
        };
        let segments = self.segments;
        self.trunk_segment(trunk, segments.lower_trunk, (waist_m, 0.0), &[0], hip_height_m);
        self.trunk_segment(trunk, segments.middle_trunk, (chest_m, waist_m), &lumbar, hip_height_m);
        self.trunk_segment(trunk, segments.upper_trunk, (trunk.length_m, chest_m), &thoracic, hip_height_m);
    }

    /// One segment of the trunk between two heights, shared out over bones by their lengths, lowest part to the lowest
    /// bone.
    fn trunk_segment(
        &mut self,
        trunk: &Trunk,
        segment: Segment,
        (top_m, bottom_m): (f64, f64),
        carriers: &[usize],
        hip_height_m: f64,
    ) {
        let length_m = top_m - bottom_m;
        let com_arc_m = top_m - segment.com * length_m;
        self.standing.add(segment.mass * self.mass_kg, hip_height_m + com_arc_m);
        // A trunk that lacks a bone is short, not thin: widths come from a length that fits the stature.
        let usual_m = length_m / trunk.length_m * TRUNK_OVER_STATURE * self.stature_m;
        let width_m = length_m.clamp(0.85 * usual_m, 1.15 * usual_m);
        let bone_m = |index: usize| trunk.bones[index].to_m - trunk.bones[index].from_m;
        let all_m: f64 = carriers.iter().map(|&index| bone_m(index)).sum();
        let mut from_share = 0.0;
        for (position, &index) in carriers.iter().enumerate() {
            let last = position + 1 == carriers.len();
            let to_share = match (last, all_m > 1e-3) {
                (true, _) => 1.0,
                (false, true) => from_share + bone_m(index) / all_m,
                (false, false) => 0.0,
            };
            let bone = &trunk.bones[index];
            let mut whole = self.solid(segment, bone.at_m(com_arc_m), bone.axes, width_m);
            whole.variance_m2.z *= (length_m / width_m).powi(2);
            let half_m = whole.half_width_m(Along::Up);
            let at_m = |share: f64| (2.0 * share - 1.0) * half_m;
            if let Some(part) = whole.slice(Along::Up, at_m(from_share), at_m(to_share)) {
                let is_chest = last && index + 1 == trunk.bones.len() && trunk.bones.len() > 1;
                let middle = if is_chest && top_m == trunk.length_m { self.girdles(bone, part) } else { part };
                self.push(bone.joint, middle, wide_capsule(&middle));
            }
            from_share = to_share;
        }
    }

    /// Cuts the sides of the upper trunk off for the clavicles: what lies beyond the middle of each. Gives what is
    /// left.
    fn girdles(&mut self, chest: &TrunkBone, upper: Solid) -> Solid {
        let half_m = upper.half_width_m(Along::Left);
        let mut bounds_m = [f64::INFINITY, f64::NEG_INFINITY];
        for (side, sign) in [(Side::Left, 1.0), (Side::Right, -1.0)] {
            let (Some(clavicle), Some(shoulder)) = (self.joint(Role::Clavicle(side)), self.joint(Role::UpperArm(side)))
            else {
                continue;
            };
            if !self.draft.skeleton.is_in_subtree(clavicle, chest.joint) {
                continue;
            }
            let middle_m = 0.5 * (self.in_m(chest.joint, clavicle) + self.in_m(chest.joint, shoulder));
            let outward_m = sign * (middle_m - upper.com_m).dot(upper.axes.y_axis);
            let cut_m = outward_m.max(half_m * (1.0 - 2.0 * MOST_GIRDLE));
            let (from_m, to_m) = if sign > 0.0 { (cut_m, half_m) } else { (-half_m, -cut_m) };
            let Some(mut part) = upper.slice(Along::Left, from_m, to_m) else { continue };
            if part.mass_kg < LEAST_CUT * upper.mass_kg {
                continue;
            }
            bounds_m[usize::from(sign < 0.0)] = sign * cut_m;
            let com = Point { joint: chest.joint, in_joint_m: part.com_m };
            part.com_m = self.draft.reference.point_in_m(clavicle, com);
            part.axes = self.draft.reference.axes_in(clavicle, chest.joint, part.axes);
            let shape = girdle_capsule(&part, self.in_m(clavicle, shoulder));
            self.push(clavicle, part, shape);
        }
        upper.slice(Along::Left, bounds_m[1], bounds_m[0]).unwrap_or(upper)
    }

    /// Head and neck: one segment from C7 to the vertex, cut at the joints between.
    pub(super) fn head(&mut self, trunk: &Trunk, c7_height_m: f64) {
        let neck = (0..u16::MAX).map_while(|number| self.joint(Role::Neck(number)));
        let carriers: Vec<JointId> = neck.chain(self.joint(Role::Head)).collect();
        let (frame, on_chest) = match carriers.last() {
            Some(&top) => (top, false),
            None => (trunk.chest().joint, true),
        };
        if on_chest {
            self.draft.warnings.push("no head or neck joint: the head's mass moves with the chest".to_owned());
        }
        let c7_m = self.draft.reference.point_in_m(frame, trunk.c7());
        let chest_up = trunk.chest().axes.z_axis;
        let chest = trunk.chest().joint;
        let up = self
            .draft
            .reference
            .direction_in(frame, |pose| pose.world_from_joint[chest.index()] * chest_up)
            .unwrap_or(chest_up);
        let vertex_m = self.vertex_in_m(frame, c7_m, up, on_chest);
        let length_m = c7_m.distance(vertex_m);
        let axes = axes_from(vertex_m - c7_m, self.left_in(frame));
        let segment = self.segments.head;
        let com_m = vertex_m.lerp(c7_m, segment.com);
        let whole = self.solid(segment, com_m, axes, length_m);
        self.standing.add(whole.mass_kg, c7_height_m + (1.0 - segment.com) * length_m);
        let above_com_m = |joint: JointId| (self.in_m(frame, joint) - com_m).dot(axes.z_axis);
        let mut cuts_m: Vec<f64> = carriers.iter().map(|&joint| above_com_m(joint)).collect();
        cuts_m.push(f64::INFINITY);
        if on_chest {
            self.push(frame, whole, ellipsoid(&whole));
        }
        let mut from_m = f64::NEG_INFINITY;
        for (index, &joint) in carriers.iter().enumerate() {
            let to_m = cuts_m[index + 1].max(from_m);
            let Some(mut part) = whole.slice(Along::Up, from_m, to_m) else { continue };
            // A sliver is no link: it goes to the next joint up.
            if joint != frame && part.mass_kg < LEAST_CUT * whole.mass_kg {
                continue;
            }
            let com = Point { joint: frame, in_joint_m: part.com_m };
            part.com_m = self.draft.reference.point_in_m(joint, com);
            part.axes = self.draft.reference.axes_in(joint, frame, axes);
            let shape = if joint == frame { ellipsoid(&part) } else { long_capsule(&part) };
            self.push(joint, part, shape);
            from_m = to_m;
        }
    }

    /// Top of the skull in the frame of head, neck or chest: the skeleton's own, if a head fits below it.
    fn vertex_in_m(&self, frame: JointId, c7_m: DVec3, up: DVec3, on_chest: bool) -> DVec3 {
        let usual_m = HEAD_OVER_STATURE * self.stature_m;
        if !on_chest {
            let ends = ends_below(self.draft.skeleton, frame);
            let ends_m = ends.into_iter().map(|end| self.draft.reference.point_in_m(frame, end));
            let above_m = |end_m: &DVec3| (*end_m - c7_m).dot(up);
            let top_m = ends_m.max_by(|a, b| above_m(a).total_cmp(&above_m(b)));
            // Adults' heads differ by 10 %; skeletons end anywhere between the forehead and a hat.
            if let Some(top_m) = top_m.filter(|top_m| (0.8..1.35).contains(&(top_m.distance(c7_m) / usual_m))) {
                return top_m;
            }
        }
        // The skull alone, above its joint, is never lower than two thirds of it all.
        let joint_above_c7_m = if on_chest { 0.0 } else { (-c7_m).dot(up).max(0.0) };
        c7_m + up * usual_m.max(joint_above_c7_m + 0.66 * usual_m)
    }
}

/// A capsule from the clavicle's joint to the shoulder, as thick as a limb of its mass.
fn girdle_capsule(solid: &Solid, shoulder_m: DVec3) -> Shape {
    let length_m = shoulder_m.length();
    if length_m < 1e-3 {
        return wide_capsule(solid);
    }
    let radius_m = (solid.mass_kg / (DENSITY_KG_M3 * std::f64::consts::PI * length_m)).sqrt();
    let radius_m = radius_m.clamp(0.15 * length_m, 0.45 * length_m);
    Shape::Capsule { start_m: DVec3::ZERO, end_m: shoulder_m, radius_m }
}

/// A capsule from side to side: a slice of the trunk.
fn wide_capsule(solid: &Solid) -> Shape {
    let half_m = (solid.variance_m2 * 3.0).map(f64::sqrt);
    let radius_m = half_m.x.max(0.5 * (half_m.x + half_m.z)).min(half_m.y.max(1e-3));
    let reach_m = solid.axes.y_axis * (half_m.y - radius_m).max(0.0);
    Shape::Capsule { start_m: solid.com_m + reach_m, end_m: solid.com_m - reach_m, radius_m }
}

/// A capsule along the part: a neck.
fn long_capsule(solid: &Solid) -> Shape {
    let half_m = (solid.variance_m2 * 3.0).map(f64::sqrt);
    let reach_m = solid.axes.z_axis * half_m.z;
    // Half as thick as the head above it, of which it was cut.
    let radius_m = 0.25 * (half_m.x + half_m.y);
    Shape::Capsule { start_m: solid.com_m - reach_m, end_m: solid.com_m + reach_m, radius_m: radius_m * 1.2 }
}

/// The solid ellipsoid with this spread: a semi-axis is √5 σ.
fn ellipsoid(solid: &Solid) -> Shape {
    let half_m = (solid.variance_m2 * 5.0).map(f64::sqrt);
    Shape::Ellipsoid { centre_m: solid.com_m, rotation: DQuat::from_mat3(&solid.axes), half_m }
}

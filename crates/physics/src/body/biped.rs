//! People: the segments of a table laid along the bones of a skeleton (formats.md 11.3).
//!
//! The trunk is a line from the middle of the hip joints along the spine to C7; heights on it are arc lengths, so that
//! a bent spine counts as a straight one. Each segment is made once, with the table's mass, centre and radii, and then
//! cut where the skeleton has joints: glued together again in the reference pose, the cuts are the tabled segment.

mod limbs;
mod trunk;

use super::reference::Point;
use super::solid::Solid;
use super::tables::{MassTable, Segment, Segments, Spin};
use super::{Draft, Part, Shape};
use aplomb_motion::{JointId, Role, Side, WorldPose};
use glam::{DMat3, DVec3};

/// C7 above the middle of the shoulder joints, over stature: de Leva's lengths to mid-hip, (603.3 − 515.5)/1741 male,
/// (614.8 − 497.9)/1735 female.
const C7_ABOVE_SHOULDERS: f64 = 0.059;
/// Centre of mass over stature when standing: people have it at 0.53 to 0.58 (formats.md 11.3). An estimated stature
/// may be off by 3 %, which is 0.015 here; captured people lie between 0.53 and 0.588.
const STANDING_COM: std::ops::RangeInclusive<f64> = 0.515..=0.595;

/// Makes all parts of a biped.
pub(super) fn assemble(draft: &mut Draft<'_>, table: MassTable, stature_m: f64, total_mass_kg: f64) {
    let segments = Segments::of(table);
    // The published columns sum to 1 within a rounding; the body's mass is exactly the given one.
    let mass_kg = total_mass_kg / segments.total();
    let Some(hips) = draft.roles.joint(Role::Hips) else { return };
    let mut maker = Maker { draft, segments, mass_kg, stature_m, standing: Standing::default() };
    let trunk = maker.measure_trunk(hips);
    let hip_height_m = maker.legs(&trunk);
    maker.trunk(&trunk, hip_height_m);
    maker.head(&trunk, hip_height_m + trunk.length_m);
    maker.arms(&trunk, hip_height_m + trunk.length_m);
    let com_ratio = maker.standing.moment_kg_m / (maker.standing.mass_kg * stature_m);
    if !STANDING_COM.contains(&com_ratio) {
        draft.warnings.push(format!(
            "standing, the centre of mass is at {com_ratio:.3} of the stature; people have it at 0.53 to 0.58: check stature and roles"
        ));
    }
}

/// Heights of all parts in a body that stands straight with hanging arms, whatever the poses are.
#[derive(Default)]
struct Standing {
    mass_kg: f64,
    moment_kg_m: f64,
}

impl Standing {
    fn add(&mut self, mass_kg: f64, height_m: f64) {
        self.mass_kg += mass_kg;
        self.moment_kg_m += mass_kg * height_m;
    }
}

struct Maker<'a, 'b> {
    draft: &'a mut Draft<'b>,
    segments: Segments,
    /// Of a whole body of table mass 1.
    mass_kg: f64,
    stature_m: f64,
    standing: Standing,
}

impl Maker<'_, '_> {
    fn joint(&self, role: Role) -> Option<JointId> {
        self.draft.roles.joint(role)
    }

    fn in_m(&self, frame: JointId, joint: JointId) -> DVec3 {
        self.draft.reference.point_in_m(frame, Point::of(joint))
    }

    /// Midpoint of a left and a right joint in some frame.
    fn middle_in_m(&self, frame: JointId, role: fn(Side) -> Role) -> Option<DVec3> {
        let (left, right) = (self.joint(role(Side::Left))?, self.joint(role(Side::Right))?);
        Some(0.5 * (self.in_m(frame, left) + self.in_m(frame, right)))
    }

    /// The body's left in a joint's frame: from right to left hip.
    fn left_in(&self, frame: JointId) -> Option<DVec3> {
        let (left, right) = (self.joint(Role::Thigh(Side::Left))?, self.joint(Role::Thigh(Side::Right))?);
        let leftward = |pose: &WorldPose| {
            let across_m = pose.joint_in_world_m[left.index()] - pose.joint_in_world_m[right.index()];
            across_m.normalize_or_zero()
        };
        self.draft.reference.direction_in(frame, leftward)
    }

    fn push(&mut self, joint: JointId, solid: Solid, shape: Shape) {
        self.draft.parts.push(Part { joint, solid, shape });
    }

    fn solid(&self, segment: Segment, com_m: DVec3, axes: DMat3, length_m: f64) -> Solid {
        let mass_kg = segment.mass * self.mass_kg;
        match segment.spin {
            Spin::Tabled(radii) => Solid::from_radii(mass_kg, com_m, axes, length_m, radii),
            Spin::Across(radius) => Solid::cylinder(mass_kg, com_m, axes, length_m, Some(radius)),
            Spin::Cylinder => Solid::cylinder(mass_kg, com_m, axes, length_m, None),
        }
    }
}

//! The body that a viewer sees: capsules along the bones, as thick as that part of a person or an animal is.

mod anatomy;
mod person;

use anatomy::{Anatomy, Part};
use aplomb_motion::{BodyPlan, Clip, JointId, Roles};
use glam::DVec3;

/// A tapered capsule with an elliptic section, fixed in a joint's frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Capsule {
    /// The joint it moves with.
    pub joint: JointId,
    /// Centre of the first cap, in the joint's frame.
    pub start_m: DVec3,
    /// Centre of the other cap.
    pub end_m: DVec3,
    /// Half axes of the section at the start: along the wide side, and across it.
    pub start_half_m: [f64; 2],
    /// Half axes at the end.
    pub end_half_m: [f64; 2],
    /// Direction of the wide side in the joint's frame; any for round sections.
    pub wide_along: DVec3,
}

impl Capsule {
    fn round(joint: JointId, start_m: DVec3, end_m: DVec3, radii_m: (f64, f64)) -> Self {
        let (start_half_m, end_half_m) = ([radii_m.0; 2], [radii_m.1; 2]);
        Self { joint, start_m, end_m, start_half_m, end_half_m, wide_along: DVec3::X }
    }

    fn ball(joint: JointId, centre_m: DVec3, radius_m: f64) -> Self {
        Self::round(joint, centre_m, centre_m, (radius_m, radius_m))
    }
}

/// Radius over length of a bone of which nothing is known.
const PLAIN: f64 = 0.12;
/// The built-in ball's, for balls that do not say how large they are.
const BALL_RADIUS_M: f64 = 0.12;
/// Bones shorter than this part of the body are joints on top of each other.
const LEAST_MESHED_BONE: f64 = 2e-3;

/// The capsules of a clip's skeleton; at least one, so that there is something to see.
pub fn capsules(clip: &Clip, roles: &Roles) -> Vec<Capsule> {
    let anatomy = Anatomy::new(clip, roles);
    let mut capsules = match roles.plan() {
        BodyPlan::Biped => person::capsules(&anatomy),
        BodyPlan::Single => vec![ball(&anatomy)],
        BodyPlan::Quadruped | BodyPlan::Unknown => creature(&anatomy),
    };
    // The tables are for bodies that are what they seem: whatever numbers a file has, what is drawn is finite.
    capsules.retain(|capsule| {
        let half_m = capsule.start_half_m.iter().chain(&capsule.end_half_m);
        capsule.start_m.is_finite()
            && capsule.end_m.is_finite()
            && half_m.clone().all(|half| half.is_finite() && *half > 0.0)
    });
    if capsules.is_empty() {
        let radius_m = if anatomy.size_m > 0.0 { 0.05 * anatomy.size_m } else { BALL_RADIUS_M };
        let radius_m = if radius_m.is_finite() { radius_m } else { BALL_RADIUS_M };
        capsules.push(Capsule::ball(anatomy.centre, DVec3::ZERO, radius_m));
    }
    capsules
}

/// One joint: as large as its end site is far.
fn ball(anatomy: &Anatomy) -> Capsule {
    let joint = JointId::new(0);
    let reach_m = anatomy.bones.iter().map(|bone| bone.end_m.length()).fold(0.0, f64::max);
    Capsule::ball(joint, DVec3::ZERO, if reach_m > 1e-3 { reach_m } else { BALL_RADIUS_M })
}

/// Animals differ too much for a table: thickness goes by length, by eye on dogs and horses. The trunk's goes by the
/// whole trunk.
fn creature(anatomy: &Anatomy) -> Vec<Capsule> {
    let trunk_m = anatomy.trunk_m();
    let bones = anatomy.bones.iter().filter(|bone| bone.length_m() > LEAST_MESHED_BONE * anatomy.size_m);
    let capsule = |bone: &anatomy::Bone| {
        let length_m = bone.length_m();
        let of_length = |start: f64, end: f64| (start * length_m, end * length_m);
        let of_trunk = |start: f64, end: f64| (start * trunk_m, end * trunk_m);
        let (start_m, end_m) = match bone.part {
            // Towards its limbs the trunk has flanks; a tail or an ear begins thin.
            Part::Trunk if trunk_m > 0.0 => match bone.to_part {
                Part::Trunk | Part::Neck | Part::Head => of_trunk(0.2, 0.2),
                Part::Small => of_trunk(0.05, 0.04),
                _ => of_trunk(0.15, 0.12),
            },
            Part::Neck if trunk_m > 0.0 => of_trunk(0.14, 0.1),
            Part::Head if bone.to_part == Part::Small => of_length(0.2, 0.12),
            Part::Head => of_length(0.34, 0.2),
            Part::Clavicle | Part::UpperArm | Part::Thigh => of_length(0.24, 0.15),
            Part::Forearm | Part::Shank => of_length(0.14, 0.09),
            Part::Hand | Part::Foot | Part::Toe => of_length(0.14, 0.12),
            Part::Small => of_length(0.08, 0.06),
            _ => of_length(PLAIN, 0.75 * PLAIN),
        };
        // No part is thicker than a fifth of the creature, nor too thin to be seen.
        let bounded = |radius_m: f64| radius_m.clamp(4e-3 * anatomy.size_m, 0.2 * anatomy.size_m);
        Capsule::round(bone.joint, DVec3::ZERO, bone.end_m, (bounded(start_m), bounded(end_m)))
    };
    bones.map(capsule).collect()
}

#[cfg(test)]
mod tests;

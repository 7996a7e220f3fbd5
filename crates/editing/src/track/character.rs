//! Other bodies for the same motion: segments that are longer, shorter, heavier.
//!
//! A character is a table over a skeleton. Lengths of a segment are scaled, and with them its mass by the third and its
//! inertia by the fifth power: the same flesh in another size. Densities and shapes may be given instead.

use crate::EditingError;
use aplomb_analysis::{Keeps, Take};
use aplomb_motion::{Clip, FrameIndex, JointId, Role, Roles, Side, Skeleton, WorldPose, stature};
use aplomb_physics::Body;
use aplomb_physics::body::{BodySource, Link, Shape};
use aplomb_physics::spatial::{SpatialInertia, Symmetric3};
use glam::{DMat3, DVec3};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A part of the body that is scaled as one; both sides alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Segment {
    /// Between the hip joints and the lowest of the spine.
    Pelvis,
    /// Spine and collar bones.
    Trunk,
    /// Neck and head.
    Head,
    /// Shoulder to elbow.
    UpperArm,
    /// Elbow to wrist.
    Forearm,
    /// Hand and fingers.
    Hand,
    /// Hip to knee.
    Thigh,
    /// Knee to ankle.
    Shank,
    /// Foot and toes.
    Foot,
}

/// What becomes of a segment. What is absent stays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SegmentChange {
    /// Times its lengths.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scale: Option<f64>,
    /// Its mass is this times the volume of its shapes, kg/m³.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub density_kg_m3: Option<f64>,
    /// Another shape, in the joint's own axes, which then says mass and inertia.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shape: Option<Shape>,
}

/// Tables that the program brings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BuiltInCharacter {
    /// The person that was captured.
    #[default]
    Adult,
    /// Of about six years: two thirds of the height, with a head that is hardly smaller.
    Child,
    /// Long arms, large head, short legs.
    Alien,
}

impl BuiltInCharacter {
    /// All, for messages.
    pub const NAMES: [(&'static str, Self); 3] =
        [("adult", Self::Adult), ("child", Self::Child), ("alien", Self::Alien)];

    fn scale(self, segment: Segment) -> f64 {
        use Segment::*;
        match (self, segment) {
            (Self::Adult, _) => 1.0,
            (Self::Child, Head) => 0.88,
            (Self::Child, Pelvis | Trunk) => 0.66,
            (Self::Child, UpperArm | Forearm) => 0.62,
            (Self::Child, Hand) => 0.66,
            (Self::Child, Thigh | Shank) => 0.60,
            (Self::Child, Foot) => 0.66,
            (Self::Alien, Head) => 1.25,
            (Self::Alien, Pelvis) => 0.85,
            (Self::Alien, Trunk) => 0.9,
            (Self::Alien, UpperArm) => 1.45,
            (Self::Alien, Forearm) => 1.6,
            (Self::Alien, Hand) => 1.5,
            (Self::Alien, Thigh | Shank) => 0.8,
            (Self::Alien, Foot) => 1.0,
        }
    }
}

/// Another body for the motion.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Character {
    /// What the table starts from.
    pub base: BuiltInCharacter,
    /// Changes on top, by segment.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub segments: BTreeMap<Segment, SegmentChange>,
}

impl Character {
    /// A table that the program brings, by its name.
    pub fn built_in(name: &str) -> Option<Self> {
        let found = BuiltInCharacter::NAMES.into_iter().find(|(own, _)| *own == name);
        found.map(|(_, base)| Self { base, ..Self::default() })
    }

    /// Whether it is the captured body, unchanged.
    pub(crate) fn is_captured(&self) -> bool {
        self.base == BuiltInCharacter::Adult && self.segments.is_empty()
    }

    fn check(&self) -> Result<(), EditingError> {
        for change in self.segments.values() {
            for (what, expected, given, range) in [
                ("a segment's scale", "from 0.05 to 20", change.scale, 0.05..=20.0),
                ("a segment's density", "from 1 to 30000 kg/m³", change.density_kg_m3, 1.0..=30_000.0),
            ] {
                if let Some(found) = given.filter(|value| !range.contains(value)) {
                    return Err(EditingError::Setting { what, expected, found });
                }
            }
            if let Some(found) =
                change.shape.map(|shape| shape.volume_m3()).filter(|volume| !(1e-9..=1e3).contains(volume))
            {
                let (what, expected) = ("the volume of a segment's shape", "a positive number of m³");
                return Err(EditingError::Setting { what, expected, found });
            }
        }
        Ok(())
    }

    fn change(&self, segment: Option<Segment>) -> (f64, SegmentChange) {
        let Some(segment) = segment else { return (1.0, SegmentChange::default()) };
        let change = self.segments.get(&segment).copied().unwrap_or_default();
        (change.scale.unwrap_or_else(|| self.base.scale(segment)), change)
    }

    /// Puts a motion on this character. Rotations stay; the root travels in proportion to the legs, and feet keep to
    /// their ground.
    pub fn cast(&self, take: &Take) -> Result<Take, EditingError> {
        let (clip, roles, body) = (take.clip(), take.roles(), take.body()?);
        self.check()?;
        body.check_skeleton(clip.skeleton())?;
        let old = clip.skeleton();
        let segments: Vec<Option<Segment>> = segments(old, roles);
        let scale = |joint: JointId| self.change(segments[joint.index()]).0;
        // An offset is given in the parent's frame: it is a length of the parent's segment.
        let of_offset = |joint: JointId| old.parent(joint).map_or(1.0, scale);
        let new = old
            .map_joints(|id, joint| {
                joint.offset_m *= of_offset(id);
                joint.end_sites.iter_mut().for_each(|end| end.offset_m *= scale(id));
            })
            .map_err(|error| EditingError::OtherSkeleton { problem: error.to_string() })?;
        let new = std::sync::Arc::new(new);
        let legs = leg_length_m(&new, roles) / leg_length_m(old, roles).max(1e-9);
        let legs = if legs > 0.0 { legs } else { 1.0 };
        let (_, timeline, frames, rotations, mut tracks) = clip.clone().into_parts();
        for track in &mut tracks {
            let factor = if old.parent(track.joint).is_some() && roles.role(track.joint) != Some(Role::Hips) {
                of_offset(track.joint)
            } else {
                legs
            };
            track.positions_m.iter_mut().for_each(|position_m| *position_m *= factor);
        }
        let mut cast = Clip::new(new.clone(), timeline, frames, rotations, tracks)?;
        keep_to_the_ground(clip, &mut cast, roles, self.change(Some(Segment::Foot)).0);
        let links = body.links().iter().map(|link| self.link(link, segments[link.joint.index()])).collect();
        // As much taller as its bones say by the one rule, so that a reader of the result finds the same.
        let by_bones_m = |clip: &Clip| stature::of_clip(clip, roles).map(|stature| stature.metres);
        let taller = by_bones_m(&cast).zip(by_bones_m(clip)).map_or(legs, |(new_m, old_m)| new_m / old_m);
        let stature_m = body.stature_m().map(|stature_m| stature_m * taller);
        let source = match self.is_captured() {
            true => body.source().clone(),
            false => BodySource::Given(format!("{}, scaled to another character", body.source().title())),
        };
        let body = Body::from_links(new, links, stature_m, source, body.warnings().to_vec())?;
        Ok(take.with_clip(cast, Keeps::Nothing).with_body(body))
    }

    fn link(&self, link: &Link, segment: Option<Segment>) -> Link {
        let (scale, change) = self.change(segment);
        let old_volume_m3: f64 = link.shapes.iter().map(Shape::volume_m3).sum();
        let density = change.density_kg_m3;
        if let Some(shape) = change.shape {
            let density = density.unwrap_or(link.inertia.mass_kg / old_volume_m3.max(1e-9));
            return Link { joint: link.joint, inertia: solid(&shape, density), shapes: vec![shape] };
        }
        let heavier = density.map_or(1.0, |density| density * old_volume_m3 / link.inertia.mass_kg.max(1e-12));
        let SpatialInertia { mass_kg, com_m, about_com } = link.inertia;
        let inertia = SpatialInertia {
            mass_kg: mass_kg * heavier * scale.powi(3),
            com_m: com_m * scale,
            about_com: about_com * (heavier * scale.powi(5)),
        };
        Link { joint: link.joint, inertia, shapes: link.shapes.iter().map(|shape| scaled(shape, scale)).collect() }
    }
}

fn scaled(shape: &Shape, scale: f64) -> Shape {
    match *shape {
        Shape::Capsule { start_m, end_m, radius_m } => {
            Shape::Capsule { start_m: start_m * scale, end_m: end_m * scale, radius_m: radius_m * scale }
        }
        Shape::Box { centre_m, rotation, half_m } => {
            Shape::Box { centre_m: centre_m * scale, rotation, half_m: half_m * scale }
        }
        Shape::Ellipsoid { centre_m, rotation, half_m } => {
            Shape::Ellipsoid { centre_m: centre_m * scale, rotation, half_m: half_m * scale }
        }
    }
}

/// Mass and inertia of a solid shape of even density.
pub fn solid(shape: &Shape, density_kg_m3: f64) -> SpatialInertia {
    let mass_kg = density_kg_m3 * shape.volume_m3();
    let (com_m, axes, moments) = match *shape {
        Shape::Box { centre_m, rotation, half_m } => {
            let s = half_m * half_m;
            (centre_m, DMat3::from_quat(rotation), DVec3::new(s.y + s.z, s.x + s.z, s.x + s.y) * (mass_kg / 3.0))
        }
        Shape::Ellipsoid { centre_m, rotation, half_m } => {
            let s = half_m * half_m;
            (centre_m, DMat3::from_quat(rotation), DVec3::new(s.y + s.z, s.x + s.z, s.x + s.y) * (mass_kg / 5.0))
        }
        Shape::Capsule { start_m, end_m, radius_m } => {
            let (length_m, r2) = (start_m.distance(end_m), radius_m * radius_m);
            let along = (end_m - start_m).normalize_or(DVec3::Y);
            let side = along.any_orthonormal_vector();
            let pipe_kg = mass_kg * length_m / (length_m + 4.0 / 3.0 * radius_m).max(1e-12);
            let caps_kg = mass_kg - pipe_kg;
            let lengthwise = pipe_kg * 0.5 * r2 + caps_kg * 0.4 * r2;
            // Halves of a ball have their centres 3/8 r beyond the ends.
            let apart_m = 0.5 * length_m + 0.375 * radius_m;
            let across = pipe_kg * (length_m * length_m / 12.0 + 0.25 * r2)
                + caps_kg * (0.4 * r2 - (0.375 * radius_m).powi(2) + apart_m * apart_m);
            let axes = DMat3::from_cols(along, side, along.cross(side));
            (start_m.midpoint(end_m), axes, DVec3::new(lengthwise, across, across))
        }
    };
    let turned = axes * DMat3::from_diagonal(moments) * axes.transpose();
    let about_com = Symmetric3 {
        xx: turned.x_axis.x,
        yy: turned.y_axis.y,
        zz: turned.z_axis.z,
        xy: turned.y_axis.x,
        xz: turned.z_axis.x,
        yz: turned.z_axis.y,
    };
    SpatialInertia { mass_kg, com_m, about_com }
}

/// The segment of each joint; what has no role belongs to what carries it.
fn segments(skeleton: &Skeleton, roles: &Roles) -> Vec<Option<Segment>> {
    let mut segments: Vec<Option<Segment>> = Vec::with_capacity(skeleton.len());
    for id in skeleton.ids() {
        let above = skeleton.parent(id).and_then(|parent| segments[parent.index()]);
        let own = match roles.role(id) {
            Some(Role::Hips) => Some(Segment::Pelvis),
            Some(Role::Spine(_) | Role::Clavicle(_)) => Some(Segment::Trunk),
            Some(Role::Neck(_) | Role::Head | Role::Jaw | Role::Eye(_) | Role::Ear(_)) => Some(Segment::Head),
            Some(Role::UpperArm(_)) => Some(Segment::UpperArm),
            Some(Role::Forearm(_)) => Some(Segment::Forearm),
            Some(Role::Hand(_) | Role::Finger(..)) => Some(Segment::Hand),
            Some(Role::Thigh(_)) => Some(Segment::Thigh),
            Some(Role::Shank(_)) => Some(Segment::Shank),
            Some(Role::Foot(_) | Role::Toe(_)) => Some(Segment::Foot),
            _ => above,
        };
        segments.push(own);
    }
    segments
}

/// Hips to ankle along the bones, mean over the legs that are there; 0 without any.
fn leg_length_m(skeleton: &Skeleton, roles: &Roles) -> f64 {
    let leg_m = |side| {
        let chain = roles.chain(roles.joint(Role::Hips)?, roles.joint(Role::Foot(side))?)?;
        Some(chain.iter().skip(1).map(|&joint| skeleton.joint(joint).offset_m.length()).sum::<f64>())
    };
    let legs_m: Vec<f64> = Side::BOTH.into_iter().filter_map(leg_m).collect();
    legs_m.iter().sum::<f64>() / legs_m.len().max(1) as f64
}

/// Shifts the root so that the lowest joint of the feet in the first frame is as far above the ground as its segment's
/// scale says.
fn keep_to_the_ground(old: &Clip, new: &mut Clip, roles: &Roles, foot_scale: f64) {
    let feet: Vec<JointId> = Side::BOTH
        .into_iter()
        .flat_map(|side| [Role::Foot(side), Role::Toe(side)])
        .filter_map(|role| roles.joint(role))
        .collect();
    if feet.is_empty() || old.frame_count() == 0 {
        return;
    }
    let lowest_m = |clip: &Clip| {
        let mut pose = WorldPose::for_skeleton(clip.skeleton());
        pose.pose(clip, FrameIndex(0));
        feet.iter().map(|foot| pose.joint_in_world_m[foot.index()].y).fold(f64::INFINITY, f64::min)
    };
    let shift_m = lowest_m(old) * foot_scale - lowest_m(new);
    let roots: Vec<JointId> = new.skeleton().roots().collect();
    for root in roots {
        if let Some(track) = new.track_mut(root) {
            track.iter_mut().for_each(|position_m| position_m.y += shift_m);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use aplomb_physics::BodyOptions;

    fn person() -> (Clip, Roles, Body) {
        let clip = aplomb_builtins::clip("wave").unwrap();
        let roles = Roles::detect(&clip);
        let body = Body::of_clip(&clip, &roles, &BodyOptions::default()).unwrap();
        (clip, roles, body)
    }

    #[test]
    fn a_child_is_two_thirds_as_tall_and_a_third_as_heavy() {
        let (clip, roles, body) = person();
        let cast =
            Character::built_in("child").unwrap().cast(&Take::new(clip.clone(), roles.clone(), body.clone())).unwrap();
        let share = cast.body().unwrap().stature_m().unwrap() / body.stature_m().unwrap();
        assert!((0.6..0.72).contains(&share), "{share}");
        let mass_kg = cast.body().unwrap().total_mass_kg();
        // A six-year-old of 1.1–1.2 m has some 18–24 kg.
        assert!((16.0..26.0).contains(&mass_kg), "{mass_kg} kg");
        let ankle_m = |clip: &Clip| {
            let mut pose = WorldPose::for_skeleton(clip.skeleton());
            pose.pose(clip, FrameIndex(200));
            pose.joint_in_world_m[roles.joint(Role::Toe(Side::Left)).unwrap().index()].y
        };
        assert!(
            (ankle_m(cast.clip()) - 0.66 * ankle_m(&clip)).abs() < 0.01,
            "{} {}",
            ankle_m(cast.clip()),
            ankle_m(&clip)
        );
        assert_eq!(cast.clip().rotations(), clip.rotations());
    }

    #[test]
    fn an_adult_is_who_was_captured() {
        let (clip, roles, body) = person();
        let cast = Character::default().cast(&Take::new(clip.clone(), roles.clone(), body.clone())).unwrap();
        assert_eq!(cast.body().unwrap().links(), body.links());
        assert_eq!(
            aplomb_motion::kinematics::joint_positions_m(cast.clip()),
            aplomb_motion::kinematics::joint_positions_m(&clip)
        );
    }

    #[test]
    fn tables_that_make_no_body_are_refused() {
        let (clip, roles, body) = person();
        for text in [
            "[segments.hand]\nscale = 0.0",
            "[segments.hand]\nscale = -1.0",
            "[segments.trunk]\ndensity_kg_m3 = -5.0",
            "[segments.trunk]\ndensity_kg_m3 = nan",
            "[segments.hand.shape.box]\ncentre_m = [0.0, 0.0, 0.0]\nrotation = [0.0, 0.0, 0.0, 1.0]\nhalf_m = [0.0, 0.1, 0.1]",
        ] {
            let character: Character = toml::from_str(text).unwrap();
            assert!(character.cast(&Take::new(clip.clone(), roles.clone(), body.clone())).is_err(), "{text}");
        }
        assert!(toml::from_str::<Character>("[segments.tail]\nscale = 2.0").is_err());
    }

    #[test]
    fn solids_have_the_inertia_of_their_shape() {
        let box_ =
            Shape::Box { centre_m: DVec3::X, rotation: glam::DQuat::IDENTITY, half_m: DVec3::new(0.1, 0.2, 0.3) };
        let inertia = solid(&box_, 1000.0);
        assert!((inertia.mass_kg - 48.0).abs() < 1e-9 && inertia.com_m == DVec3::X);
        assert!((inertia.about_com.xx - 48.0 / 12.0 * (0.16 + 0.36)).abs() < 1e-9);
        // A capsule without length is a ball, and a thin one a rod.
        let ball = solid(&Shape::Capsule { start_m: DVec3::ZERO, end_m: DVec3::ZERO, radius_m: 0.1 }, 1000.0);
        assert!((ball.about_com.xx - 0.4 * ball.mass_kg * 0.01).abs() < 1e-12, "{ball:?}");
        let rod = solid(&Shape::Capsule { start_m: DVec3::ZERO, end_m: DVec3::Z, radius_m: 1e-3 }, 1000.0);
        assert!((rod.about_com.xx / rod.mass_kg - 1.0 / 12.0).abs() < 1e-3, "{rod:?}");
    }
}

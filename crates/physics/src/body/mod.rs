//! A skeleton with mass: one rigid link for every joint that carries some.
//!
//! People get the segments of a published table laid along their own bones; creatures and unknown skeletons get
//! capsules of water, and the body says that this is a guess. Everything is built in joint frames from poses of the
//! clip, so neither a T-pose nor any particular direction of bones is assumed. The rules and their sources are in
//! `docs/physics/body.md`.

mod biped;
mod density;
mod file;
mod reference;
mod solid;
mod tables;

pub use tables::MassTable;

use crate::anatomy::JointRanges;
use crate::error::PhysicsError;
use crate::spatial::SpatialInertia;
use aplomb_motion::stature::{self, Stature, StatureRule};
use aplomb_motion::{BodyPlan, Clip, JointId, Roles, Skeleton, WorldPose};
use glam::{DMat3, DQuat, DVec3};
use reference::Reference;
use serde::{Deserialize, Serialize};
use solid::Solid;
use std::sync::Arc;

/// Body mass index of an unknown person: kg/m² (formats.md 11.3).
pub const USUAL_BMI: f64 = 22.0;

/// What a body is made from, where it is not measured.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BodyOptions {
    /// For bipeds.
    pub table: MassTable,
    /// kg. Without it, [`USUAL_BMI`] × stature² for people, water for everything else.
    pub total_mass_kg: Option<f64>,
    /// m. Without it, estimated from the bones ([`aplomb_motion::stature`]).
    pub stature_m: Option<f64>,
    /// m, of a clip of one joint. Without it, its end site's distance, else 0.12 m.
    pub ball_radius_m: Option<f64>,
}

/// A convex shape in a joint's frame: for drawing, volume and self-intersection.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Shape {
    /// All points within `radius_m` of the line from start to end.
    Capsule {
        /// Centre of one cap.
        start_m: DVec3,
        /// Centre of the other.
        end_m: DVec3,
        /// Of tube and caps.
        radius_m: f64,
    },
    /// A box.
    Box {
        /// Middle.
        centre_m: DVec3,
        /// `joint_from_box`.
        rotation: DQuat,
        /// Half its sides.
        half_m: DVec3,
    },
    /// An ellipsoid; a ball if all semi-axes are equal.
    Ellipsoid {
        /// Middle.
        centre_m: DVec3,
        /// `joint_from_ellipsoid`.
        rotation: DQuat,
        /// Semi-axes.
        half_m: DVec3,
    },
}

impl Shape {
    /// How far it reaches in a direction of length one, from the frame's origin, m.
    pub fn support_m(&self, direction: DVec3) -> f64 {
        match *self {
            Shape::Capsule { start_m, end_m, radius_m } => start_m.dot(direction).max(end_m.dot(direction)) + radius_m,
            Shape::Box { centre_m, rotation, half_m } => {
                centre_m.dot(direction) + half_m.dot((rotation.conjugate() * direction).abs())
            }
            Shape::Ellipsoid { centre_m, rotation, half_m } => {
                centre_m.dot(direction) + (half_m * (rotation.conjugate() * direction)).length()
            }
        }
    }

    /// m³.
    pub fn volume_m3(&self) -> f64 {
        use std::f64::consts::PI;
        match *self {
            Shape::Capsule { start_m, end_m, radius_m } => {
                PI * radius_m * radius_m * (start_m.distance(end_m) + 4.0 / 3.0 * radius_m)
            }
            Shape::Box { half_m, .. } => 8.0 * half_m.element_product(),
            Shape::Ellipsoid { half_m, .. } => 4.0 / 3.0 * PI * half_m.element_product(),
        }
    }
}

/// What moves rigidly with one joint.
#[derive(Clone, Debug, PartialEq)]
pub struct Link {
    /// The joint it moves with.
    pub joint: JointId,
    /// Mass, centre and inertia, in the joint's frame about the joint's centre.
    pub inertia: SpatialInertia,
    /// What it looks like.
    pub shapes: Vec<Shape>,
}

/// How a body came to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BodySource {
    /// A published table.
    Table(MassTable),
    /// Capsules of water along the bones: a guess.
    Water,
    /// A body file, or links made by other code; the text says which.
    Given(String),
}

impl BodySource {
    /// Whether nothing measured on any body stands behind it.
    pub fn is_guess(&self) -> bool {
        matches!(self, BodySource::Water)
    }

    /// For people.
    pub fn title(&self) -> String {
        match self {
            BodySource::Table(table) => table.title().to_owned(),
            BodySource::Water => "a guess: capsules of 1000 kg/m³ along the bones".to_owned(),
            BodySource::Given(text) => text.clone(),
        }
    }
}

/// A skeleton's masses; immutable and checked.
#[derive(Clone, Debug, PartialEq)]
pub struct Body {
    skeleton: Arc<Skeleton>,
    /// Sorted by joint.
    links: Vec<Link>,
    total_mass_kg: f64,
    is_mass_told: bool,
    stature_m: Option<f64>,
    source: BodySource,
    warnings: Vec<String>,
    ranges: JointRanges,
}

impl Body {
    /// The body of a clip: bone lengths that are animated count with their mean, and directions come from its poses.
    pub fn of_clip(clip: &Clip, roles: &Roles, options: &BodyOptions) -> Result<Self, PhysicsError> {
        let estimate = stature::of_clip(clip, roles);
        Self::assemble(clip.skeleton(), roles, options, estimate, &Reference::of_clip(clip))
    }

    /// The body of a skeleton alone. Its rest pose must make sense: arms that point up at rest raise the shoulders.
    pub fn of_skeleton(skeleton: &Arc<Skeleton>, roles: &Roles, options: &BodyOptions) -> Result<Self, PhysicsError> {
        let estimate = stature::of_skeleton(skeleton, roles);
        Self::assemble(skeleton, roles, options, estimate, &Reference::rest(skeleton))
    }

    fn assemble(
        skeleton: &Arc<Skeleton>,
        roles: &Roles,
        options: &BodyOptions,
        estimate: Option<Stature>,
        reference: &Reference,
    ) -> Result<Self, PhysicsError> {
        // From a doll to an elephant; beyond, a unit is wrong.
        check_option("total mass (kg)", options.total_mass_kg, 1e-3..=1e5)?;
        check_option("stature (m)", options.stature_m, 0.2..=5.0)?;
        check_option("ball radius (m)", options.ball_radius_m, 1e-3..=1e2)?;
        let mut draft = Draft { reference, skeleton, roles, parts: Vec::new(), warnings: Vec::new() };
        let stature_m = options.stature_m.or(estimate.map(|estimate| estimate.metres)).filter(|&m| m > 0.0);
        let source = match (roles.plan(), stature_m) {
            (BodyPlan::Biped, Some(stature_m)) => {
                warn_about_stature(options, estimate, &mut draft.warnings);
                let total_mass_kg = options.total_mass_kg.unwrap_or(USUAL_BMI * stature_m * stature_m);
                biped::assemble(&mut draft, options.table, stature_m, total_mass_kg);
                BodySource::Table(options.table)
            }
            (BodyPlan::Single, _) => {
                density::ball(&mut draft, options);
                BodySource::Water
            }
            _ => {
                density::creature(&mut draft, options.total_mass_kg);
                BodySource::Water
            }
        };
        let Draft { parts, warnings, .. } = draft;
        let stature_m = stature_m.filter(|_| roles.plan() == BodyPlan::Biped);
        let made = Self::from_links(Arc::clone(skeleton), glue(parts), stature_m, source, warnings)?;
        let is_mass_told = roles.plan() != BodyPlan::Unknown || options.total_mass_kg.is_some();
        Ok(Self { is_mass_told, ..made })
    }

    /// Checks links and makes a body of them.
    pub fn from_links(
        skeleton: Arc<Skeleton>,
        mut links: Vec<Link>,
        stature_m: Option<f64>,
        source: BodySource,
        warnings: Vec<String>,
    ) -> Result<Self, PhysicsError> {
        links.sort_by_key(|link| link.joint);
        if let Some(link) = links.iter().find(|link| link.joint.index() >= skeleton.len()) {
            let detail = format!("it has a link for {}, the skeleton {} joints", link.joint, skeleton.len());
            return Err(PhysicsError::OtherSkeleton { detail });
        }
        let name = |link: &Link| skeleton.joint(link.joint).name.clone();
        if let Some(pair) = links.windows(2).find(|pair| pair[0].joint == pair[1].joint) {
            return Err(PhysicsError::RepeatedLink { joint: name(&pair[0]) });
        }
        for link in &links {
            check_inertia(&link.inertia, || name(link))?;
        }
        if links.is_empty() {
            return Err(PhysicsError::NoMass);
        }
        let total_mass_kg = links.iter().map(|link| link.inertia.mass_kg).sum();
        let ranges = JointRanges::default();
        Ok(Self { skeleton, links, total_mass_kg, is_mass_told: true, stature_m, source, warnings, ranges })
    }

    /// The skeleton it belongs to.
    pub fn skeleton(&self) -> &Arc<Skeleton> {
        &self.skeleton
    }

    /// How far this person's joints go.
    pub fn ranges(&self) -> &JointRanges {
        &self.ranges
    }

    /// The same body with joints that go this far.
    #[must_use]
    pub fn with_ranges(self, ranges: JointRanges) -> Self {
        Self { ranges, ..self }
    }

    /// All links, by joint.
    pub fn links(&self) -> &[Link] {
        &self.links
    }

    /// The link of a joint, if it carries mass.
    pub fn link(&self, joint: JointId) -> Option<&Link> {
        let slot = self.links.binary_search_by_key(&joint, |link| link.joint).ok()?;
        Some(&self.links[slot])
    }

    /// Sum of the links.
    pub fn total_mass_kg(&self) -> f64 {
        self.total_mass_kg
    }

    /// [`Body::total_mass_kg`], unless it is made up: a skeleton that is no known animal may be a hand or a dragon, and
    /// water along its bones says nothing about either. Forces in body weights are right whatever it is.
    pub fn told_mass_kg(&self) -> Option<f64> {
        self.is_mass_told.then_some(self.total_mass_kg)
    }

    /// Of people: given or estimated.
    pub fn stature_m(&self) -> Option<f64> {
        self.stature_m
    }

    /// Where the numbers come from.
    pub fn source(&self) -> &BodySource {
        &self.source
    }

    /// What should be looked at.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// Centre of mass of a pose of this skeleton.
    pub fn com_in_world_m(&self, pose: &WorldPose) -> DVec3 {
        let moment = |link: &Link| pose.point_in_world_m(link.joint, link.inertia.com_m) * link.inertia.mass_kg;
        self.links.iter().map(moment).sum::<DVec3>() / self.total_mass_kg
    }

    /// Whether the body fits a skeleton: the same one, or one with the same joints in the same tree (bones may differ,
    /// as between an edited clip and its original).
    pub fn check_skeleton(&self, skeleton: &Arc<Skeleton>) -> Result<(), PhysicsError> {
        if Arc::ptr_eq(&self.skeleton, skeleton) {
            return Ok(());
        }
        let (own, other) = (self.skeleton.joints(), skeleton.joints());
        let detail = match own.iter().zip(other).position(|(a, b)| a.name != b.name || a.parent != b.parent) {
            Some(index) => {
                format!("joint {index} is {:?} for the body and {:?} here", own[index].name, other[index].name)
            }
            None if own.len() != other.len() => {
                format!("{} joints for the body and {} here", own.len(), other.len())
            }
            None => return Ok(()),
        };
        Err(PhysicsError::OtherSkeleton { detail })
    }

    /// The same body less the links of some joints.
    pub fn without(&self, is_left_out: impl Fn(JointId) -> bool) -> Result<Self, PhysicsError> {
        let links = self.links.iter().filter(|link| !is_left_out(link.joint)).cloned().collect();
        let skeleton = Arc::clone(&self.skeleton);
        Self::from_links(skeleton, links, self.stature_m, self.source.clone(), self.warnings.clone())
    }

    /// The same body with fewer links: each link is frozen onto the joint `carrier` names for its own, as the two lie
    /// in `pose`. Mass, centre and inertia in that pose stay exactly; `carrier` must name the joint itself or one above
    /// it.
    pub fn folded(&self, pose: &WorldPose, carrier: impl Fn(JointId) -> JointId) -> Result<Self, PhysicsError> {
        let mut folded: Vec<Link> = Vec::new();
        for link in &self.links {
            let onto = carrier(link.joint);
            if !self.skeleton.is_in_subtree(link.joint, onto) {
                let detail = format!("{onto} does not carry {}, so it cannot take its mass", link.joint);
                return Err(PhysicsError::OtherSkeleton { detail });
            }
            let onto_from_world = pose.world_from_joint[onto.index()].conjugate();
            let onto_from_link = onto_from_world * pose.world_from_joint[link.joint.index()];
            let apart_m = pose.joint_in_world_m[link.joint.index()] - pose.joint_in_world_m[onto.index()];
            let link_in_onto_m = onto_from_world * apart_m;
            let inertia = link.inertia.transformed(DMat3::from_quat(onto_from_link), link_in_onto_m);
            let shapes = link.shapes.iter().map(|shape| moved(shape, onto_from_link, link_in_onto_m));
            match folded.iter_mut().find(|other| other.joint == onto) {
                Some(other) => {
                    other.inertia = other.inertia + inertia;
                    other.shapes.extend(shapes);
                }
                None => folded.push(Link { joint: onto, inertia, shapes: shapes.collect() }),
            }
        }
        let skeleton = Arc::clone(&self.skeleton);
        Self::from_links(skeleton, folded, self.stature_m, self.source.clone(), self.warnings.clone())
    }
}

/// A piece of a body on its way to a link.
struct Part {
    joint: JointId,
    solid: Solid,
    shape: Shape,
}

/// A body while it is being made.
struct Draft<'a> {
    reference: &'a Reference,
    skeleton: &'a Skeleton,
    roles: &'a Roles,
    parts: Vec<Part>,
    warnings: Vec<String>,
}

fn check_option(
    what: &'static str,
    given: Option<f64>,
    range: std::ops::RangeInclusive<f64>,
) -> Result<(), PhysicsError> {
    match given.filter(|value| !range.contains(value)) {
        Some(found) => Err(PhysicsError::Option { what, least: *range.start(), most: *range.end(), found }),
        None => Ok(()),
    }
}

fn warn_about_stature(options: &BodyOptions, estimate: Option<Stature>, warnings: &mut Vec<String>) {
    let Some(estimate) = estimate else { return };
    if estimate.rule == StatureRule::LegsAgainstPath {
        warnings.push(
            "hips to head does not fit the legs (a bone may be missing): stature and widths are taken from the legs"
                .to_owned(),
        );
    }
    match options.stature_m {
        // A stature off by more than this is another person, or another unit.
        Some(given) if (given / estimate.metres - 1.0).abs() > 0.15 => warnings.push(format!(
            "the given stature of {given:.2} m is far from the {:.2} m that the bones suggest",
            estimate.metres
        )),
        None if !(0.5..2.5).contains(&estimate.metres) => warnings.push(format!(
            "the bones suggest a stature of {:.2} m; check the unit of lengths, or give stature and mass",
            estimate.metres
        )),
        _ => {}
    }
}

/// One link per joint from all its parts.
fn glue(parts: Vec<Part>) -> Vec<Link> {
    let mut links: Vec<Link> = Vec::new();
    for part in parts {
        let inertia = part.solid.inertia();
        match links.iter_mut().find(|link| link.joint == part.joint) {
            Some(link) => {
                link.inertia = link.inertia + inertia;
                link.shapes.push(part.shape);
            }
            None => links.push(Link { joint: part.joint, inertia, shapes: vec![part.shape] }),
        }
    }
    links
}

fn check_inertia(inertia: &SpatialInertia, joint: impl Fn() -> String) -> Result<(), PhysicsError> {
    if !(inertia.mass_kg > 0.0 && inertia.mass_kg.is_finite()) {
        return Err(PhysicsError::LinkMass { joint: joint(), found_kg: inertia.mass_kg });
    }
    if !inertia.com_m.is_finite() {
        return Err(PhysicsError::LinkCom { joint: joint() });
    }
    let about = inertia.about_com;
    if !about.is_finite() || !about.is_positive_definite() {
        return Err(PhysicsError::LinkInertia { joint: joint(), why: "it must be positive definite" });
    }
    // The triangle inequality of principal moments is that second moments Σ m r rᵀ = ½ tr(I)·1 − I are not negative
    // (Wensing, Kim & Slotine 2018). A flat or thin link has zeros there, which six printed digits may turn into a
    // little less: 1e-5 of the trace.
    let slack = crate::spatial::Symmetric3::diagonal(DVec3::splat(1e-5 * about.trace()));
    if !(about.second_moments() + slack).is_positive_definite() {
        let why = "its largest principal moment exceeds the sum of the other two";
        return Err(PhysicsError::LinkInertia { joint: joint(), why });
    }
    Ok(())
}

fn moved(shape: &Shape, b_from_a: DQuat, a_in_b_m: DVec3) -> Shape {
    let point = |a_m: DVec3| a_in_b_m + b_from_a * a_m;
    match *shape {
        Shape::Capsule { start_m, end_m, radius_m } => {
            Shape::Capsule { start_m: point(start_m), end_m: point(end_m), radius_m }
        }
        Shape::Box { centre_m, rotation, half_m } => {
            Shape::Box { centre_m: point(centre_m), rotation: b_from_a * rotation, half_m }
        }
        Shape::Ellipsoid { centre_m, rotation, half_m } => {
            Shape::Ellipsoid { centre_m: point(centre_m), rotation: b_from_a * rotation, half_m }
        }
    }
}

#[cfg(test)]
mod tests;

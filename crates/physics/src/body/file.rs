//! `body.toml`: a body as text that people can edit. Units are in the names of the keys.

use super::{Body, BodySource, Link, Shape};
use crate::anatomy::JointRanges;
use crate::error::PhysicsError;
use crate::spatial::{SpatialInertia, Symmetric3};
use aplomb_motion::{JointId, Skeleton};
use glam::DVec3;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Version of the file's layout.
const SCHEMA: u32 = 1;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct BodyFile {
    schema: u32,
    /// Checked against the links if present; people who change a mass may drop it.
    #[serde(skip_serializing_if = "Option::is_none")]
    total_mass_kg: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stature_m: Option<f64>,
    /// For people.
    #[serde(default)]
    source: String,
    /// Joint motions in which this person goes farther than most, degrees.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    range_deg: BTreeMap<String, f64>,
    link: Vec<LinkFile>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct LinkFile {
    joint: String,
    /// Only where several joints have this name.
    #[serde(skip_serializing_if = "Option::is_none")]
    joint_index: Option<usize>,
    /// From the joint above it to this one, of the skeleton that the body was made for: bones of another person are
    /// longer or shorter.
    #[serde(skip_serializing_if = "Option::is_none")]
    bone_m: Option<f64>,
    mass_kg: f64,
    /// In the joint's frame.
    com_in_joint_m: DVec3,
    /// About the centre of mass, in the joint's axes.
    inertia_kg_m2: InertiaFile,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    shape: Vec<Shape>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct InertiaFile {
    xx: f64,
    yy: f64,
    zz: f64,
    #[serde(default)]
    xy: f64,
    #[serde(default)]
    xz: f64,
    #[serde(default)]
    yz: f64,
}

const HEADER: &str = "\
# Masses of a body, link by link. Lengths in metres, masses in kilograms, inertias in kg·m²; all in the frame of the link's joint.
# inertia_kg_m2 is about the link's own centre of mass; xy, xz, yz are entries of the matrix (−Σ m x y, …).
# bone_m is how far the joint is from the one above it: a body that is used for somebody with other bones is told.
# Joints that are not named here have no mass. If you change a mass, correct total_mass_kg or delete that line.

";

impl Body {
    /// The text of a body file. Reading it back gives the same numbers to the last bit.
    pub fn to_toml(&self) -> Result<String, PhysicsError> {
        let names = self.skeleton.joints();
        let repeats = |name: &str| names.iter().filter(|joint| joint.name == name).count() > 1;
        let link = |link: &Link| {
            let SpatialInertia { mass_kg, com_m, about_com } = link.inertia;
            let Symmetric3 { xx, yy, zz, xy, xz, yz } = about_com;
            let joint = self.skeleton.joint(link.joint).name.clone();
            let joint_index = repeats(&joint).then(|| link.joint.index());
            let inertia_kg_m2 = InertiaFile { xx, yy, zz, xy, xz, yz };
            let bone_m = Some(bone_m(&self.skeleton, link.joint)).filter(|length_m| *length_m > 0.0);
            let shape = link.shapes.clone();
            LinkFile { joint, joint_index, bone_m, mass_kg, com_in_joint_m: com_m, inertia_kg_m2, shape }
        };
        let file = BodyFile {
            schema: SCHEMA,
            total_mass_kg: Some(self.total_mass_kg),
            stature_m: self.stature_m,
            source: self.source.title(),
            range_deg: self.ranges.to_table(),
            link: self.links.iter().map(link).collect(),
        };
        let text = toml::to_string(&file).map_err(|error| PhysicsError::BodyFile(error.to_string()))?;
        Ok(format!("{HEADER}{text}"))
    }

    /// Reads a body file for this skeleton.
    pub fn from_toml(text: &str, skeleton: &Arc<Skeleton>) -> Result<Self, PhysicsError> {
        let file: BodyFile = toml::from_str(text).map_err(|error| PhysicsError::BodyFile(error.to_string()))?;
        if file.schema != SCHEMA {
            return Err(PhysicsError::Schema { found: file.schema, known: SCHEMA });
        }
        let unknown: Vec<&str> =
            file.link.iter().map(|link| link.joint.as_str()).filter(|name| skeleton.find(name).is_none()).collect();
        if !unknown.is_empty() {
            let known: Vec<&str> = skeleton.joints().iter().map(|joint| joint.name.as_str()).collect();
            return Err(PhysicsError::UnknownJoints { names: listed(&unknown), known: listed(&known) });
        }
        let mut links = Vec::with_capacity(file.link.len());
        let mut bones = Bones::default();
        for link in file.link {
            let InertiaFile { xx, yy, zz, xy, xz, yz } = link.inertia_kg_m2;
            let joint = find_joint(skeleton, &link.joint, link.joint_index)?;
            if let Some(stated_m) = link.bone_m {
                bones.add(&link.joint, stated_m, bone_m(skeleton, joint));
            }
            links.push(Link {
                joint,
                inertia: SpatialInertia {
                    mass_kg: link.mass_kg,
                    com_m: link.com_in_joint_m,
                    about_com: Symmetric3 { xx, yy, zz, xy, xz, yz },
                },
                shapes: link.shape,
            });
        }
        let source = match file.source.is_empty() {
            true => "body file".to_owned(),
            false => format!("body file ({})", file.source.trim_start_matches("body file (").trim_end_matches(')')),
        };
        let ranges = JointRanges::from_table(&file.range_deg)?;
        let warnings = bones.warning()?.into_iter().collect();
        let body = Self::from_links(Arc::clone(skeleton), links, file.stature_m, BodySource::Given(source), warnings)?
            .with_ranges(ranges);
        // Masses typed with four digits add up to within this.
        let fits = |stated: &f64| (stated / body.total_mass_kg - 1.0).abs() < 2e-3;
        match file.total_mass_kg.filter(|stated| !fits(stated)) {
            Some(stated_kg) => Err(PhysicsError::TotalMass { stated_kg, sum_kg: body.total_mass_kg }),
            None => Ok(body),
        }
    }
}

fn bone_m(skeleton: &Skeleton, joint: JointId) -> f64 {
    skeleton.parent(joint).map_or(0.0, |_| skeleton.joint(joint).offset_m.length())
}

/// Bones of a file beside those of a skeleton.
#[derive(Default)]
struct Bones {
    stated_m: f64,
    found_m: f64,
    /// Sum of what they differ by.
    apart_m: f64,
    worst: Option<(String, f64, f64)>,
}

/// Bones that differ by less, all in all, are one person's: skeletons of one person fitted to two recordings differ by
/// so much.
const SAME_BONES: f64 = 0.02;
/// Longer or shorter by more than so many times is no other person but another unit.
const OTHER_UNIT: f64 = 1.8;

impl Bones {
    fn add(&mut self, joint: &str, stated_m: f64, found_m: f64) {
        (self.stated_m, self.found_m) = (self.stated_m + stated_m, self.found_m + found_m);
        let apart_m = (stated_m - found_m).abs();
        self.apart_m += apart_m;
        if self.worst.as_ref().is_none_or(|(_, a, b)| (a - b).abs() < apart_m) {
            self.worst = Some((joint.to_owned(), stated_m, found_m));
        }
    }

    /// What people should know; an error where the two cannot be one kind of body.
    fn warning(self) -> Result<Option<String>, PhysicsError> {
        let Some((joint, stated_m, found_m)) = self.worst else { return Ok(None) };
        // Not a number is no length either.
        let share = self.apart_m / self.found_m.max(1e-9);
        if share <= SAME_BONES {
            return Ok(None);
        }
        let times = self.stated_m / self.found_m.max(1e-9);
        let detail = format!(
            "bones of the body file are {times:.2} times as long as those of this skeleton ({joint}: {stated_m:.3} m there, {found_m:.3} m here)"
        );
        if !(1.0 / OTHER_UNIT..=OTHER_UNIT).contains(&times) {
            return Err(PhysicsError::OtherSkeleton { detail });
        }
        Ok(Some(format!(
            "{detail}; they differ by {:.0} % all in all, so its masses are somebody else's: make a body from this clip if it is not meant",
            100.0 * share
        )))
    }
}

fn find_joint(skeleton: &Skeleton, name: &str, index: Option<usize>) -> Result<JointId, PhysicsError> {
    let holders: Vec<JointId> = skeleton.ids().filter(|&id| skeleton.joint(id).name == name).collect();
    let indices = || holders.iter().map(|id| id.index().to_string()).collect::<Vec<_>>().join(", ");
    match (index, holders.as_slice()) {
        (None, [only]) => Ok(*only),
        (Some(index), _) => holders
            .iter()
            .copied()
            .find(|id| id.index() == index)
            .ok_or_else(|| PhysicsError::JointIndex { joint: name.to_owned(), index, indices: indices() }),
        (None, _) => {
            let count = holders.len();
            Err(PhysicsError::AmbiguousJoint { joint: name.to_owned(), count, indices: indices() })
        }
    }
}

/// Quoted names, at most a dozen.
fn listed(names: &[&str]) -> String {
    const MOST: usize = 12;
    let shown: Vec<String> = names.iter().take(MOST).map(|name| format!("{name:?}")).collect();
    match names.len().checked_sub(MOST).filter(|&more| more > 0) {
        Some(more) => format!("{} and {more} more", shown.join(", ")),
        None => shown.join(", "),
    }
}

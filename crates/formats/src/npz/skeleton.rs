//! SMPL's tree without the licensed body model: names and parents are public, lengths are a template of human
//! proportions or the user's own.

use crate::diagnostic::{Diagnostic, printable};
use aplomb_motion::{Axis, Channels, EndSite, Joint, JointId, Skeleton};
use glam::DVec3;
use std::collections::BTreeMap;

/// The first 22 joints of SMPL, SMPL-H and SMPL-X: name and parent.
pub(super) const BODY: [(&str, Option<usize>); 22] = [
    ("pelvis", None),
    ("left_hip", Some(0)),
    ("right_hip", Some(0)),
    ("spine1", Some(0)),
    ("left_knee", Some(1)),
    ("right_knee", Some(2)),
    ("spine2", Some(3)),
    ("left_ankle", Some(4)),
    ("right_ankle", Some(5)),
    ("spine3", Some(6)),
    ("left_foot", Some(7)),
    ("right_foot", Some(8)),
    ("neck", Some(9)),
    ("left_collar", Some(9)),
    ("right_collar", Some(9)),
    ("head", Some(12)),
    ("left_shoulder", Some(13)),
    ("right_shoulder", Some(14)),
    ("left_elbow", Some(16)),
    ("right_elbow", Some(17)),
    ("left_wrist", Some(18)),
    ("right_wrist", Some(19)),
];

/// Fingers in the order of SMPL-H, three joints each.
const FINGERS: [&str; 5] = ["index", "middle", "pinky", "ring", "thumb"];

/// Where the poses of a joint stand in a row, in joints; and its name and parent.
pub(super) struct Slot {
    pub name: String,
    pub parent: Option<usize>,
    pub column: usize,
}

/// Which model a row of so many numbers belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Model {
    /// 22 joints alone.
    Body,
    /// 24 joints.
    Smpl,
    /// 52 joints.
    SmplH,
    /// 55 joints.
    SmplX,
}

impl Model {
    pub fn of_width(width: usize) -> Option<Self> {
        match width {
            66 => Some(Self::Body),
            72 => Some(Self::Smpl),
            156 => Some(Self::SmplH),
            165 => Some(Self::SmplX),
            _ => None,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Body => "SMPL without hands",
            Self::Smpl => "SMPL",
            Self::SmplH => "SMPL-H",
            Self::SmplX => "SMPL-X",
        }
    }

    /// Joints of a clip; parents by their index in this list. Jaw and eyes of SMPL-X are no part of the body's motion.
    pub fn slots(self) -> Vec<Slot> {
        let mut slots: Vec<Slot> = BODY
            .iter()
            .enumerate()
            .map(|(column, &(name, parent))| Slot { name: name.to_owned(), parent, column })
            .collect();
        match self {
            Self::Body => {}
            Self::Smpl => {
                for (side, wrist, column) in [("left", 20, 22), ("right", 21, 23)] {
                    slots.push(Slot { name: format!("{side}_hand"), parent: Some(wrist), column });
                }
            }
            Self::SmplH | Self::SmplX => {
                let first = if self == Self::SmplH { 22 } else { 25 };
                for (hand, (side, wrist)) in [("left", 20), ("right", 21)].into_iter().enumerate() {
                    for (finger, name) in FINGERS.iter().enumerate() {
                        for segment in 0..3 {
                            let parent = if segment == 0 { wrist } else { slots.len() - 1 };
                            let column = first + 15 * hand + 3 * finger + segment;
                            slots.push(Slot {
                                name: format!("{side}_{name}{}", segment + 1),
                                parent: Some(parent),
                                column,
                            });
                        }
                    }
                }
            }
        }
        slots
    }
}

/// A joint from its parent in a T-pose: Y up, facing Z, left is X; as shares of stature.
///
/// Drillis and Contini's segment lengths as printed in Winter (Biomechanics and Motor Control of Human Movement): hip
/// .530, knee .285, ankle .039, shoulder .818, chin .870; upper arm .186, forearm .146, hand .108; shoulder half-width
/// .129, foot .152. Hip joints lie half-way from the midline to the trochanters (.0955).
fn share(name: &str) -> DVec3 {
    let (side, part) = match name.split_once('_') {
        Some(("left", part)) => (1.0, part),
        Some(("right", part)) => (-1.0, part),
        _ => (1.0, name),
    };
    let at = |x: f64, y: f64, z: f64| DVec3::new(side * x, y, z);
    match part {
        "pelvis" => at(0.0, 0.545, 0.0),
        "hip" => at(0.048, -0.015, 0.0),
        "knee" => at(0.0, -0.245, 0.0),
        "ankle" => at(0.0, -0.246, 0.0),
        "foot" => at(0.0, -0.030, 0.080),
        "spine1" => at(0.0, 0.060, 0.0),
        "spine2" => at(0.0, 0.075, 0.0),
        "spine3" => at(0.0, 0.040, 0.0),
        "neck" => at(0.0, 0.125, 0.0),
        "head" => at(0.0, 0.050, 0.0),
        "collar" => at(0.040, 0.090, 0.0),
        "shoulder" => at(0.065, 0.008, 0.0),
        "elbow" => at(0.186, 0.0, 0.0),
        "wrist" => at(0.146, 0.0, 0.0),
        "hand" => at(0.054, 0.0, 0.0),
        "index1" => at(0.055, 0.0, 0.014),
        "middle1" => at(0.056, 0.0, 0.0),
        "ring1" => at(0.054, 0.0, -0.012),
        "pinky1" => at(0.050, 0.0, -0.024),
        "thumb1" => at(0.015, -0.006, 0.018),
        // The other two joints of every finger.
        _ => at(0.016, 0.0, 0.0),
    }
}

/// What the ends of chains need to have a size: crown, toe tips, finger tips.
fn end_share(name: &str) -> Option<DVec3> {
    let side = if name.starts_with("right") { -1.0 } else { 1.0 };
    match name {
        "head" => Some(DVec3::new(0.0, 0.105, 0.0)),
        "left_foot" | "right_foot" => Some(DVec3::new(0.0, -0.004, 0.040)),
        "left_wrist" | "right_wrist" => Some(DVec3::new(0.108 * side, 0.0, 0.0)),
        _ => None,
    }
}

/// Stature of the template.
pub(super) const TEMPLATE_STATURE_M: f64 = 1.70;

/// The tree of a model: by the user's offsets, else by the template.
pub(super) fn skeleton(slots: &[Slot], given_m: Option<&BTreeMap<String, DVec3>>) -> Result<Skeleton, Box<Diagnostic>> {
    let fault = |found: String| Box::new(Diagnostic::error("NPZ-E011", "an offset in metres for every joint", found));
    let mut joints = Vec::with_capacity(slots.len());
    for slot in slots {
        let offset_m = match given_m {
            Some(given) => *given.get(&slot.name).ok_or_else(|| fault(format!("none for {}", slot.name)))?,
            None => TEMPLATE_STATURE_M * share(&slot.name),
        };
        let ends = end_share(&slot.name)
            .filter(|_| slots.len() < 30 || slot.name.starts_with(['h']) || slot.name.ends_with("foot"));
        joints.push(Joint {
            name: slot.name.clone(),
            parent: slot.parent.map(JointId::new),
            offset_m,
            channels: Channels::rotating([Axis::Z, Axis::X, Axis::Y], slot.parent.is_none()),
            end_sites: ends
                .map(|share| EndSite { name: None, offset_m: TEMPLATE_STATURE_M * share })
                .into_iter()
                .collect(),
        });
    }
    Skeleton::new(joints).map_err(|error| fault(printable(&error.to_string())))
}

/// A user's own table: JSON of joint → offset from its parent in metres, T-pose, Y up, facing Z.
pub(super) fn given_offsets(bytes: &[u8]) -> Result<BTreeMap<String, DVec3>, Box<Diagnostic>> {
    let read: Result<BTreeMap<String, [f64; 3]>, _> = serde_json::from_slice(bytes);
    let read = read.map_err(|error| {
        let found = printable(&error.to_string());
        Box::new(Diagnostic::error("NPZ-E011", "JSON of joint: [x, y, z] in metres", found))
    })?;
    Ok(read.into_iter().map(|(name, offset_m)| (name, DVec3::from(offset_m))).collect())
}

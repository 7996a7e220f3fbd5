//! What a project says of its clips before anything is edited: rate, reading, body.

use aplomb_formats::{Mode, NanRepair, PositionSemantics, ReadOptions};
use aplomb_motion::Axis;
use aplomb_physics::{BodyOptions, MassTable};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// A rate, or what to make of the header's.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged, expecting = "expected frames a second, \"auto\" or \"header\"")]
pub enum Fps {
    /// Frames a second, whatever headers say.
    Hz(f64),
    /// By the header, or by gravity.
    Word(FpsWord),
}

/// See [`crate::RateChoice`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FpsWord {
    /// The header's, unless gravity proves it wrong.
    Auto,
    /// The header's, whatever gravity says.
    Header,
}

/// How clips are read, where it shall not be found out. What is absent is.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct InputChoice {
    /// Length unit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metres_per_unit: Option<f64>,
    /// Up axis.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub up: Option<UpAxis>,
    /// Side file with joint roles; relative to the project file.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "crate::lossy_path::maybe")]
    pub roles: Option<PathBuf>,
    /// ASF of AMC files; relative to the project file.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "crate::lossy_path::maybe")]
    pub skeleton: Option<PathBuf>,
    /// Meaning of BVH position channels.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bvh_position: Option<BvhPosition>,
    /// How values that are not numbers are filled.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repair_nan: Option<RepairNan>,
    /// How much damage is borne.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mode: Option<ReadMode>,
}

/// An axis that can point up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum UpAxis {
    /// X.
    X,
    /// Y.
    Y,
    /// Z.
    Z,
}

/// See [`PositionSemantics`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BvhPosition {
    /// The channel replaces the OFFSET.
    Replace,
    /// The channel is added to it.
    Add,
}

/// See [`NanRepair`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RepairNan {
    /// Straight lines.
    Interpolate,
    /// The last good value.
    Hold,
}

/// See [`Mode`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ReadMode {
    /// The grammar and nothing else.
    Strict,
    /// The good part of a damaged file.
    Salvage,
}

impl InputChoice {
    pub(super) fn is_default(&self) -> bool {
        *self == Self::default()
    }

    /// The options of readers, as data. Limits are no part of it: they guard a machine and change no motion.
    pub fn of(options: &ReadOptions) -> Self {
        Self {
            metres_per_unit: options.metres_per_unit,
            up: options.up.map(|axis| match axis {
                Axis::X => UpAxis::X,
                Axis::Y => UpAxis::Y,
                Axis::Z => UpAxis::Z,
            }),
            roles: options.roles_file.clone(),
            skeleton: options.skeleton_file.clone(),
            bvh_position: match options.position_semantics {
                PositionSemantics::Detect => None,
                PositionSemantics::Replace => Some(BvhPosition::Replace),
                PositionSemantics::Add => Some(BvhPosition::Add),
            },
            repair_nan: options.repair_nan.map(|repair| match repair {
                NanRepair::Interpolate => RepairNan::Interpolate,
                NanRepair::Hold => RepairNan::Hold,
            }),
            mode: match options.mode {
                Mode::Tolerant => None,
                Mode::Strict => Some(ReadMode::Strict),
                Mode::Salvage => Some(ReadMode::Salvage),
            },
        }
    }

    pub(super) fn over(&self, usual: &ReadOptions, folder: &Path) -> ReadOptions {
        let mut options = usual.clone();
        if self.metres_per_unit.is_some() {
            options.metres_per_unit = self.metres_per_unit;
        }
        if let Some(up) = self.up {
            options.up = Some(match up {
                UpAxis::X => Axis::X,
                UpAxis::Y => Axis::Y,
                UpAxis::Z => Axis::Z,
            });
        }
        if let Some(roles) = &self.roles {
            options.roles_file = Some(folder.join(roles));
        }
        if let Some(skeleton) = &self.skeleton {
            options.skeleton_file = Some(folder.join(skeleton));
        }
        match self.bvh_position {
            Some(BvhPosition::Replace) => options.position_semantics = PositionSemantics::Replace,
            Some(BvhPosition::Add) => options.position_semantics = PositionSemantics::Add,
            None => {}
        }
        match self.repair_nan {
            Some(RepairNan::Interpolate) => options.repair_nan = Some(NanRepair::Interpolate),
            Some(RepairNan::Hold) => options.repair_nan = Some(NanRepair::Hold),
            None => {}
        }
        match self.mode {
            Some(ReadMode::Strict) => options.mode = Mode::Strict,
            Some(ReadMode::Salvage) => options.mode = Mode::Salvage,
            None => {}
        }
        options
    }
}

/// Whose body it is. What is absent is estimated from the bones.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BodyChoice {
    /// A body file, relative to the project file; it says everything.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "crate::lossy_path::maybe")]
    pub file: Option<PathBuf>,
    /// Total mass.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mass_kg: Option<f64>,
    /// Height of the person.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stature_m: Option<f64>,
    /// Table of segment masses.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub table: Option<MassTable>,
}

impl BodyChoice {
    pub(super) fn is_default(&self) -> bool {
        *self == Self::default()
    }

    /// What bodies are made from, as data.
    pub fn of(options: &BodyOptions) -> Self {
        Self {
            file: None,
            mass_kg: options.total_mass_kg,
            stature_m: options.stature_m,
            table: Some(options.table).filter(|table| *table != MassTable::default()),
        }
    }

    pub(super) fn options(&self) -> BodyOptions {
        BodyOptions {
            table: self.table.unwrap_or_default(),
            total_mass_kg: self.mass_kg,
            stature_m: self.stature_m,
            ..BodyOptions::default()
        }
    }
}

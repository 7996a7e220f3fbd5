//! How to read and write: strictness, limits, and what the user knows better than the file.

use aplomb_motion::{Axis, FrameTime};
use std::path::PathBuf;

/// How much deviation from the grammar is accepted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// The grammar and nothing else.
    Strict,
    /// Known dialects, each deviation recorded as a warning.
    #[default]
    Tolerant,
    /// Keep the good part of a damaged file and say exactly what was dropped.
    Salvage,
}

/// Bounds that keep hostile files from costing more than they weigh. All can be raised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Largest file; an hour at 120 Hz with 60 joints is about 0.7 GB of BVH.
    pub file_bytes: u64,
    /// Joints or nodes.
    pub joints: usize,
    /// Nesting of joints: a sanity check, no reader recurses.
    pub depth: usize,
    /// Channels of one joint, tolerated ones included.
    pub channels_per_joint: usize,
    /// Longest name.
    pub name_bytes: usize,
    /// Longest number: stops megabyte "numbers".
    pub token_bytes: usize,
}

impl Limits {
    /// For files of our own making.
    pub fn unlimited() -> Self {
        Self {
            file_bytes: u64::MAX,
            joints: usize::MAX,
            depth: usize::MAX,
            channels_per_joint: usize::MAX,
            name_bytes: usize::MAX,
            token_bytes: usize::MAX,
        }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            file_bytes: 2 << 30,
            joints: 65_536,
            depth: 4_096,
            channels_per_joint: 32,
            name_bytes: 1_024,
            token_bytes: 256,
        }
    }
}

/// What BVH position channels of a joint mean.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PositionSemantics {
    /// Replace, unless the file shows that it adds.
    #[default]
    Detect,
    /// The channel replaces the OFFSET (Blender, assimp, real data).
    Replace,
    /// The channel is added to the OFFSET (three.js).
    Add,
}

/// How to fill values that are not numbers, when asked to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NanRepair {
    /// Linear between the neighbours that are numbers.
    Interpolate,
    /// The last value that was a number (the first one, at the start).
    Hold,
}

/// Options of every reader. `None` means: find out, and say what was found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReadOptions {
    /// Strictness.
    pub mode: Mode,
    /// Bounds.
    pub limits: Limits,
    /// BVH position channels.
    pub position_semantics: PositionSemantics,
    /// Length of a file unit.
    pub metres_per_unit: Option<f64>,
    /// The file's up axis.
    pub up: Option<Axis>,
    /// The true frame time; replaces a missing, broken or lying header.
    pub frame_time: Option<FrameTime>,
    /// Fill values that are not numbers; without it they are an error.
    pub repair_nan: Option<NanRepair>,
    /// The ASF of an AMC; without it the folder of the AMC is searched.
    pub skeleton_file: Option<PathBuf>,
    /// Which animation of a file that holds several: its name, or its number from 0; without it the first.
    pub animation: Option<String>,
    /// A side file that names joint roles; it wins over what is detected.
    pub roles_file: Option<PathBuf>,
}

/// Options of every writer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WriteOptions {
    /// Write every digit needed to read back the same `f64`, instead of as many as the file used (at least 6 decimals).
    pub full_precision: bool,
    /// Drop position channels of inner joints that are constant and equal to the OFFSET (many research parsers need
    /// it).
    pub root_positions_only: bool,
    /// Ignore the source document: write in canonical form.
    pub canonical: bool,
}

//! Options that every verb with an input shares, and the small languages they are written in.

use aplomb_formats::{Limits, Mode, NanRepair, PositionSemantics, ReadOptions};
use aplomb_motion::{Axis, FrameTime};
use clap::ValueEnum;
use std::path::PathBuf;

/// What the user knows about the input files.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "About the input")]
pub struct InputArgs {
    /// True frame rate of the input; replaces a missing or wrong header
    #[arg(long, value_name = "HZ", value_parser = frame_time)]
    pub fps: Option<FrameTime>,
    /// Length unit of the input: m, dm, cm, mm, inch, foot, cmu, or metres per unit
    #[arg(long, value_name = "UNIT", value_parser = metres_per_unit)]
    pub unit: Option<f64>,
    /// Up axis of the input
    #[arg(long, value_name = "AXIS", ignore_case = true)]
    pub up: Option<UpAxis>,
    /// Side file with joint roles; it wins over what is detected
    #[arg(long, value_name = "FILE.toml")]
    pub roles: Option<PathBuf>,
    /// Skeleton (ASF) of AMC inputs; else the folder of the AMC is searched
    #[arg(long, value_name = "FILE.asf")]
    pub skeleton: Option<PathBuf>,
    /// Meaning of BVH position channels; found out if not given
    #[arg(long, value_name = "HOW")]
    pub bvh_position: Option<BvhPosition>,
    /// Fill values that are not numbers, instead of refusing the file
    #[arg(long, value_name = "HOW")]
    pub repair_nan: Option<Repair>,
    /// Accept the grammar and nothing else
    #[arg(long, conflicts_with = "salvage")]
    pub strict: bool,
    /// Keep the good part of a damaged file, and say what was dropped
    #[arg(long)]
    pub salvage: bool,
    /// Raise a limit: file-bytes, joints, depth, channels, name-bytes or token-bytes
    #[arg(long = "limit", value_name = "NAME=N", value_parser = limit)]
    pub limits: Vec<(LimitName, u64)>,
}

impl InputArgs {
    /// As the readers want it.
    pub fn read_options(&self) -> ReadOptions {
        let mut limits = Limits::default();
        for &(name, value) in &self.limits {
            let count = usize::try_from(value).unwrap_or(usize::MAX);
            match name {
                LimitName::FileBytes => limits.file_bytes = value,
                LimitName::Joints => limits.joints = count,
                LimitName::Depth => limits.depth = count,
                LimitName::Channels => limits.channels_per_joint = count,
                LimitName::NameBytes => limits.name_bytes = count,
                LimitName::TokenBytes => limits.token_bytes = count,
            }
        }
        ReadOptions {
            mode: match (self.strict, self.salvage) {
                (true, _) => Mode::Strict,
                (_, true) => Mode::Salvage,
                _ => Mode::Tolerant,
            },
            limits,
            position_semantics: match self.bvh_position {
                None => PositionSemantics::Detect,
                Some(BvhPosition::Replace) => PositionSemantics::Replace,
                Some(BvhPosition::Add) => PositionSemantics::Add,
            },
            metres_per_unit: self.unit,
            up: self.up.map(Axis::from),
            frame_time: self.fps,
            repair_nan: self.repair_nan.map(|repair| match repair {
                Repair::Interpolate => NanRepair::Interpolate,
                Repair::Hold => NanRepair::Hold,
            }),
            skeleton_file: self.skeleton.clone(),
            roles_file: self.roles.clone(),
        }
    }
}

/// An axis that can point up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum UpAxis {
    /// X up
    X,
    /// Y up
    Y,
    /// Z up
    Z,
}

impl From<UpAxis> for Axis {
    fn from(up: UpAxis) -> Self {
        match up {
            UpAxis::X => Axis::X,
            UpAxis::Y => Axis::Y,
            UpAxis::Z => Axis::Z,
        }
    }
}

/// Meaning of BVH position channels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum BvhPosition {
    /// The channel replaces the OFFSET (Blender, most tools, real data)
    Replace,
    /// The channel is added to the OFFSET (three.js)
    Add,
}

/// How to fill values that are not numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Repair {
    /// Straight line between the neighbours
    Interpolate,
    /// The last value that was a number
    Hold,
}

/// A limit by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LimitName {
    /// Largest file
    FileBytes,
    /// Joints
    Joints,
    /// Nesting
    Depth,
    /// Channels of a joint
    Channels,
    /// Longest name
    NameBytes,
    /// Longest number
    TokenBytes,
}

/// `120`, `29.97`, `30000/1001`.
pub fn frame_time(text: &str) -> Result<FrameTime, String> {
    let hz = match text.split_once('/') {
        Some((numerator, denominator)) => number(numerator)? / number(denominator)?,
        None => number(text)?,
    };
    FrameTime::from_hz(hz).map_err(|_| format!("a frame rate lies between 0.0001 and 1000000 Hz, found {text}"))
}

/// `cm`, `inch`, `0.01`, …
pub fn metres_per_unit(text: &str) -> Result<f64, String> {
    let metres = match text.to_ascii_lowercase().as_str() {
        "m" | "metre" | "meter" | "metres" | "meters" => 1.0,
        "dm" => 0.1,
        "cm" => 0.01,
        "mm" => 0.001,
        "in" | "inch" | "inches" => 0.0254,
        "ft" | "foot" | "feet" => 0.3048,
        // CMU's ASF files state lengths in inches times 0.45.
        "cmu" => 0.0254 / 0.45,
        other => number(other)?,
    };
    if metres > 0.0 && metres.is_finite() {
        Ok(metres)
    } else {
        Err(format!("a unit is a positive length, found {text}"))
    }
}

fn limit(text: &str) -> Result<(LimitName, u64), String> {
    let (name, value) = text.split_once('=').ok_or_else(|| format!("expected NAME=N, found {text}"))?;
    let name = LimitName::from_str(name, true).map_err(|_| {
        let names: Vec<String> = LimitName::value_variants()
            .iter()
            .filter_map(|limit| Some(limit.to_possible_value()?.get_name().to_owned()))
            .collect();
        format!("expected one of {}, found {name}", names.join(", "))
    })?;
    let value = value.parse().map_err(|_| format!("expected a whole number after =, found {value}"))?;
    Ok((name, value))
}

/// A span of time in seconds, `a:b`, either end optional.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimeSpan {
    /// From the first frame if absent.
    pub start_secs: Option<f64>,
    /// To the last frame if absent.
    pub end_secs: Option<f64>,
}

/// `1.5:3`, `:3`, `1.5:`.
pub fn time_span(text: &str) -> Result<TimeSpan, String> {
    let (start, end) = text.split_once(':').ok_or_else(|| format!("expected START:END in seconds, found {text}"))?;
    let side = |side: &str| if side.trim().is_empty() { Ok(None) } else { number(side).map(Some) };
    let span = TimeSpan { start_secs: side(start)?, end_secs: side(end)? };
    match (span.start_secs, span.end_secs) {
        (Some(start), _) if start < 0.0 => Err(format!("the clip begins at 0 s, found {text}")),
        (Some(start), Some(end)) if end <= start => Err(format!("the end must come after the start, found {text}")),
        _ => Ok(span),
    }
}

/// A finite number.
pub fn number(text: &str) -> Result<f64, String> {
    match text.trim().parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(value),
        _ => Err(format!("expected a number, found {text}")),
    }
}

/// A number above zero, within reason: a factor of a million either way is a slip of the keyboard.
pub fn positive(text: &str) -> Result<f64, String> {
    match number(text)? {
        value if (1e-6..=1e6).contains(&value) => Ok(value),
        _ => Err(format!("expected a number from 0.000001 to 1000000, found {text}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_as_people_type_them() {
        assert_eq!(frame_time("29.97").unwrap().nominal().unwrap().fraction(), (30000, 1001));
        assert_eq!(frame_time("30000/1001"), frame_time("29.97"));
        assert_eq!(frame_time("120").unwrap().hz(), 120.0);
        for bad in ["0", "-30", "fast", "1/0", "nan"] {
            assert!(frame_time(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn spans_and_units() {
        assert_eq!(time_span("1.5:"), Ok(TimeSpan { start_secs: Some(1.5), end_secs: None }));
        assert!(time_span("3:1").is_err() && time_span("3").is_err() && time_span("-1:").is_err());
        assert_eq!(metres_per_unit("cm"), Ok(0.01));
        assert!((metres_per_unit("cmu").unwrap() - 0.056444).abs() < 1e-6);
        assert!(metres_per_unit("-1").is_err());
    }
}

//! Options that every verb with an input shares, and the small languages they are written in.

use aplomb_analysis::InspectOptions;
use aplomb_formats::{FileKind, Import, Limits, Mode, NanRepair, PositionSemantics, ReadOptions};
use aplomb_motion::{Axis, FrameTime};
use aplomb_physics::{BodyOptions, MassTable};
pub use aplomb_project::verbs::{number, positive};
use aplomb_project::{InspectRequest, PointRequest, ProjectError, RateChoice};
use clap::ValueEnum;
use glam::DVec3;
use std::path::{Path, PathBuf};

/// What the user knows about the input files.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "About the input")]
pub struct InputArgs {
    /// True frame rate of the input, which replaces a missing or wrong header; `auto` corrects a header that gravity
    /// proves wrong
    #[arg(long, value_name = "HZ|auto", value_parser = fps, allow_hyphen_values = true)]
    pub fps: Option<RateChoice>,
    /// Length unit of the input: m, dm, cm, mm, inch, foot, cmu, or metres per unit
    #[arg(long, value_name = "UNIT", value_parser = metres_per_unit)]
    pub unit: Option<f64>,
    /// Up axis of the input
    #[arg(long, value_name = "AXIS", ignore_case = true)]
    pub up: Option<UpAxis>,
    /// Side file with joint roles; it wins over what is detected
    #[arg(long, value_name = "FILE.toml")]
    pub roles: Option<PathBuf>,
    /// Skeleton of AMC inputs (ASF; else the folder of the AMC is searched) or of npz inputs (JSON of offsets)
    #[arg(long, value_name = "FILE")]
    pub skeleton: Option<PathBuf>,
    /// Animation of a file that holds several (glTF, FBX): its name, or its number from 0
    #[arg(long, value_name = "NAME")]
    pub animation: Option<String>,
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
    /// Side files that are read.
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        self.roles.iter().chain(&self.skeleton).map(PathBuf::as_path)
    }

    /// What was said about the rate; nothing is the header's.
    pub fn rate(&self) -> RateChoice {
        self.fps.unwrap_or(RateChoice::Header)
    }

    /// Reads a clip as the options say.
    pub fn load(&self, path: &Path) -> Result<Import, ProjectError> {
        let options = self.read_options();
        let mut import = aplomb_project::load(path, &options, self.rate())?;
        tell_unused_skeleton(&options, &mut import);
        Ok(import)
    }

    /// Reads a clip that is going to be changed: a rate that gravity proves wrong is refused until one is chosen.
    pub fn load_for_edit(&self, path: &Path) -> Result<Import, ProjectError> {
        let options = self.read_options();
        let mut import = aplomb_project::load_for_edit(path, &options, self.fps)?;
        tell_unused_skeleton(&options, &mut import);
        Ok(import)
    }

    /// What to say when gravity was asked about the rate and gave no reason to change it.
    pub fn kept_rate(&self, import: &Import) -> Option<String> {
        let is_corrected = import.diagnostics.iter().any(|diagnostic| diagnostic.code == "IMP-W002");
        let hz = import.clip.timeline().uniform()?.hz();
        let shown = crate::number_format::rate(Some(hz));
        (self.fps == Some(RateChoice::Auto) && !is_corrected)
            .then(|| format!("gravity gives no proof of another rate: {shown} fps kept"))
    }

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
            // The rate goes its own way: `rate`.
            frame_time: None,
            repair_nan: self.repair_nan.map(|repair| match repair {
                Repair::Interpolate => NanRepair::Interpolate,
                Repair::Hold => NanRepair::Hold,
            }),
            skeleton_file: self.skeleton.clone(),
            animation: self.animation.clone(),
            roles_file: self.roles.clone(),
        }
    }
}

/// An ASF that was given and not used is worth a word.
pub fn tell_unused_skeleton(options: &ReadOptions, import: &mut Import) {
    if options.skeleton_file.is_some() && !matches!(import.kind, FileKind::Amc | FileKind::Asf | FileKind::Npz) {
        import.tell_unused_skeleton("--skeleton");
    }
}

/// What the user knows about the body and what it touches.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "About the body")]
pub struct PhysicsArgs {
    /// Contact file; it wins over what is found
    #[arg(long, value_name = "FILE.toml")]
    pub contacts: Option<PathBuf>,
    #[command(flatten)]
    pub body: BodyArgs,
}

/// Whose body it is, and where it may touch something.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "About the body")]
pub struct BodyArgs {
    /// Body file with masses, instead of masses estimated from the bones
    #[arg(long, value_name = "FILE.toml", conflicts_with_all = ["mass", "stature", "table"])]
    pub body: Option<PathBuf>,
    /// Total mass; 22 kg/m² × stature² if not given
    #[arg(long, value_name = "KG", value_parser = positive, allow_negative_numbers = true)]
    pub mass: Option<f64>,
    /// Height of the person; estimated from the bones if not given
    #[arg(long, value_name = "M", value_parser = positive, allow_negative_numbers = true)]
    pub stature: Option<f64>,
    /// Table of segment masses
    #[arg(long, value_name = "NAME", default_value = "de-leva")]
    pub table: Table,
    /// Watch one more point: a joint, or a place in its frame in metres
    #[arg(long = "point", value_name = "NAME=JOINT[@X,Y,Z]", value_parser = point)]
    pub points: Vec<PointRequest>,
    /// The same, for a point that may rest above the floor (on a seat, a bar)
    #[arg(long = "raised-point", value_name = "NAME=JOINT[@X,Y,Z]", value_parser = raised_point)]
    pub raised_points: Vec<PointRequest>,
}

impl PhysicsArgs {
    /// As the library wants it. Looking at a clip corrects a rate that gravity proves wrong, and says so.
    pub fn request(&self, input: &InputArgs) -> InspectRequest {
        InspectRequest {
            read: input.read_options(),
            rate: input.fps.unwrap_or(RateChoice::Auto),
            body_file: self.body.body.clone(),
            body: self.body.options(),
            contacts_file: self.contacts.clone(),
            contacts: None,
            points: self.body.all_points(),
            options: InspectOptions::default(),
            words: Some(aplomb_words::sentence),
        }
    }

    /// Side files that are read.
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        self.contacts.iter().chain(&self.body.body).map(PathBuf::as_path)
    }
}

impl BodyArgs {
    /// What a body is made from, without a file.
    pub fn options(&self) -> BodyOptions {
        BodyOptions {
            table: match self.table {
                Table::DeLeva => MassTable::DeLeva,
                Table::Winter => MassTable::Winter,
            },
            total_mass_kg: self.mass,
            stature_m: self.stature,
            ball_radius_m: None,
        }
    }

    /// Both kinds.
    pub fn all_points(&self) -> Vec<PointRequest> {
        self.points.iter().chain(&self.raised_points).cloned().collect()
    }
}

/// Where segment masses come from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Table {
    /// de Leva 1996, after Zatsiorsky
    #[default]
    DeLeva,
    /// Winter 2009, after Dempster
    Winter,
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

/// `auto`, or a rate.
pub fn fps(text: &str) -> Result<RateChoice, String> {
    if text.eq_ignore_ascii_case("auto") {
        return Ok(RateChoice::Auto);
    }
    let given = frame_time(text).map_err(|error| format!("{error}; or give `auto`"))?;
    Ok(RateChoice::Given(given))
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

fn raised_point(text: &str) -> Result<PointRequest, String> {
    Ok(PointRequest { may_be_raised: true, ..point(text)? })
}

/// `seat=Hips`, `toe_cap=LeftToe@0,0,0.05`.
fn point(text: &str) -> Result<PointRequest, String> {
    let expected = || format!("expected NAME=JOINT or NAME=JOINT@X,Y,Z in metres, found {text}");
    let (name, place) = text.split_once('=').filter(|(name, _)| !name.is_empty()).ok_or_else(expected)?;
    // Names of joints may hold an @; numbers do not.
    let (joint, point_in_joint_m) = match place.rsplit_once('@') {
        Some((joint, numbers)) => {
            let numbers: Vec<f64> = numbers.split(',').map(number).collect::<Result<_, _>>()?;
            let [x, y, z] = numbers[..] else { return Err(expected()) };
            (joint, DVec3::new(x, y, z))
        }
        None => (place, DVec3::ZERO),
    };
    let (name, joint) = (name.to_owned(), joint.to_owned());
    Ok(PointRequest { name, joint, point_in_joint_m, may_be_raised: false })
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
    fn auto_is_a_rate_and_nothing_else_is() {
        assert_eq!(fps("auto"), Ok(RateChoice::Auto));
        assert!(matches!(fps("60"), Ok(RateChoice::Given(time)) if time.hz() == 60.0));
        assert!(fps("automatic").unwrap_err().contains("auto"));
    }

    #[test]
    fn points_as_people_type_them() {
        let seat = raised_point("seat=Hips").unwrap();
        assert_eq!((seat.name.as_str(), seat.joint.as_str(), seat.may_be_raised), ("seat", "Hips", true));
        assert_eq!(point("a=b@c@0,-0.1,2").unwrap().point_in_joint_m, DVec3::new(0.0, -0.1, 2.0));
        for bad in ["Hips", "=Hips", "a=b@1,2", "a=b@x,y,z"] {
            assert!(point(bad).is_err(), "{bad}");
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

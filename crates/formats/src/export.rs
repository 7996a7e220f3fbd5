//! A clip out: through the document it came from where that is possible, verified before it replaces anything.

use crate::asf_amc::{self, AmcDocument, AsfAmcDocument, AsfDocument};
use crate::atomic;
use crate::bvh::{self, BvhDocument, BvhStyle};
use crate::diagnostic::Diagnostic;
use crate::error::FormatError;
use crate::import::{Document, FileKind, Import};
use crate::options::{ReadOptions, WriteOptions};
use aplomb_motion::{Clip, FrameOfReference, FrameTime, JointId, WorldPose};
use std::path::{Path, PathBuf};

/// Files ready to be written, already read back and compared.
#[derive(Clone, Debug)]
pub struct Encoded {
    /// Path and contents; an AMC that did not come from one brings its ASF.
    pub files: Vec<(PathBuf, Vec<u8>)>,
    /// What the writer had to round, project or rename.
    pub notes: Vec<Diagnostic>,
    /// The output is the source, byte for byte.
    pub identical: bool,
}

/// Encodes `clip` for `path`; the ending of its name says how.
///
/// With a `source` of the same kind and frame only the tokens of channels that changed are replaced. `frame` gives unit and
/// axes of the new file: usually the source's own.
pub fn encode(
    path: &Path,
    clip: &Clip,
    source: Option<&Import>,
    frame: FrameOfReference,
    options: &WriteOptions,
) -> Result<Encoded, FormatError> {
    let kind = FileKind::from_path(path).ok_or_else(|| FormatError::Unsupported {
        path: path.to_owned(),
        reason: "cannot tell the format to write: name the output .bvh or .amc".to_owned(),
    })?;
    if clip.timeline().uniform().is_none() {
        // BVH and AMC know one frame time only.
        let reason = "this format has one frame time, and the clip has uneven key times; resample it first".to_owned();
        return Err(FormatError::CannotHold { path: path.to_owned(), reason });
    }
    let invalid = |diagnostic| FormatError::Invalid { path: path.to_owned(), diagnostic, warnings: vec![] };
    let mut notes = Vec::new();
    let options = &fitting_precision(clip, frame, options, &mut notes);
    let same_frame = source.is_some_and(|source| source.frame() == frame) && !options.canonical;
    let files = match (kind, source.map(|source| &source.document)) {
        (FileKind::Bvh, Some(Document::Bvh(document))) if same_frame => {
            let bytes = document.write(clip, frame, options, &mut notes).map_err(invalid)?;
            vec![(path.to_owned(), bytes)]
        }
        (FileKind::Bvh, document) => {
            let style = match document {
                Some(Document::Bvh(document)) => BvhStyle::of(document),
                _ => BvhStyle::default(),
            };
            let bytes = bvh::write_canonical(clip, frame, &style, options, &mut notes).map_err(invalid)?;
            vec![(path.to_owned(), bytes)]
        }
        (FileKind::Amc, Some(Document::AsfAmc(document))) if same_frame => {
            let bytes = document.write(clip, frame, options, &mut notes).map_err(invalid)?;
            vec![(path.to_owned(), bytes)]
        }
        (FileKind::Amc, _) => {
            let pair = asf_amc::write_asf(clip, frame, options, &mut notes).map_err(invalid)?;
            vec![(path.with_extension("asf"), pair.asf), (path.to_owned(), pair.amc)]
        }
        (FileKind::Asf, _) => {
            let reason = "an ASF holds no motion: name the output .amc, and its .asf is written beside it".to_owned();
            return Err(FormatError::Unsupported { path: path.to_owned(), reason });
        }
    };
    let identical = matches!((source, files.as_slice()), (Some(source), [(_, bytes)]) if source_bytes(source) == bytes);
    // The source's own bytes were read moments ago: what they mean is known.
    if !identical {
        verify(path, kind, clip, source, frame, &files, &notes)?;
    }
    Ok(Encoded { files, notes, identical })
}

/// Six decimals are too few for a body smaller than a unit (metres per unit of 1000, a scale of 1e-6): then every digit is written.
fn fitting_precision(
    clip: &Clip,
    frame: FrameOfReference,
    options: &WriteOptions,
    notes: &mut Vec<Diagnostic>,
) -> WriteOptions {
    let longest_m = clip.skeleton().joints().iter().map(|joint| joint.offset_m.length()).fold(0.0, f64::max);
    let longest = longest_m / frame.metres_per_unit;
    // 1e-6 of 0.02 is 0.05 mm on a thigh of a metre.
    if options.full_precision || longest == 0.0 || longest >= 0.02 {
        return options.clone();
    }
    let found = format!("the longest bone is {longest:.1e} units: numbers are written with all their digits");
    notes.push(Diagnostic::note("EXP-N001", "", found));
    WriteOptions { full_precision: true, ..options.clone() }
}

/// Writes what was encoded; all targets are checked before the first is touched.
pub fn save(encoded: &Encoded, force: bool) -> Result<(), FormatError> {
    for (path, _) in &encoded.files {
        atomic::refuse_existing(path, force)?;
    }
    encoded.files.iter().try_for_each(|(path, bytes)| atomic::write(path, bytes, force))
}

fn source_bytes(source: &Import) -> &[u8] {
    match &source.document {
        Document::Bvh(document) => document.bytes(),
        Document::AsfAmc(document) => document.amc.bytes(),
    }
}

/// Reads the new files and compares them with the clip that was meant.
fn verify(
    path: &Path,
    kind: FileKind,
    clip: &Clip,
    source: Option<&Import>,
    frame: FrameOfReference,
    files: &[(PathBuf, Vec<u8>)],
    notes: &[Diagnostic],
) -> Result<(), FormatError> {
    let failed = |reason: String| FormatError::Verification { path: path.to_owned(), reason };
    let written = reread(clip, source, frame, files).map_err(|diagnostic| failed(diagnostic.to_string()))?;
    // Rounding of what was written: BVH has at least 6 decimals, AMC 6 significant digits of up to 360 degrees.
    let rounding = match kind {
        FileKind::Bvh => Rounding { angle_rad: 2e-7, length_units: 2e-6, relative: 1e-12 },
        _ => Rounding { angle_rad: 6e-5, length_units: 1e-5, relative: 2e-5 },
    };
    let loss_reported = notes.iter().any(|note| LOSSES.contains(&note.code));
    let difference = match files {
        // A new ASF may have bones between the joints: only what both have can be compared, and only in the world.
        [_, _] => first_difference_in_world(clip, &written),
        _ => first_difference(clip, &written, rounding, frame.metres_per_unit, loss_reported),
    };
    difference.map_or(Ok(()), |reason| Err(failed(reason)))
}

fn reread(
    clip: &Clip,
    source: Option<&Import>,
    frame: FrameOfReference,
    files: &[(PathBuf, Vec<u8>)],
) -> Result<Clip, Box<Diagnostic>> {
    // What the source was allowed to be, its rewritten form is too; what was repaired in it stands as plain numbers now.
    let options = ReadOptions { limits: crate::Limits::unlimited(), ..ReadOptions::default() };
    let mut notes = Vec::new();
    let frame_time = clip.timeline().uniform();
    match files {
        [(_, asf), (_, amc)] => {
            let asf = AsfDocument::parse(asf.clone(), &options, &mut notes)?;
            let amc = AmcDocument::parse(amc.clone(), &asf, &options, &mut notes)?;
            read_amc(AsfAmcDocument { asf, amc }, frame, frame_time)
        }
        [(path, bytes)] if FileKind::from_path(path) == Some(FileKind::Amc) => {
            let Some(Document::AsfAmc(document)) = source.map(|source| &source.document) else {
                return Err(Box::new(Diagnostic::error("EXP-E001", "an AMC with its ASF", "an AMC alone")));
            };
            let amc = AmcDocument::parse(bytes.clone(), &document.asf, &options, &mut notes)?;
            read_amc(AsfAmcDocument { asf: document.asf.clone(), amc }, frame, frame_time)
        }
        [(_, bytes)] => {
            let semantics = match source.map(|source| &source.document) {
                Some(Document::Bvh(document)) if document.dialect().positions_add => crate::PositionSemantics::Add,
                _ => crate::PositionSemantics::Replace,
            };
            let options = ReadOptions { position_semantics: semantics, ..options };
            BvhDocument::parse(bytes.clone(), &options, &mut notes)?.to_clip(frame)
        }
        _ => Err(Box::new(Diagnostic::error("EXP-E002", "one or two files", format!("{} files", files.len())))),
    }
}

fn read_amc(
    document: AsfAmcDocument,
    frame: FrameOfReference,
    frame_time: Option<FrameTime>,
) -> Result<Clip, Box<Diagnostic>> {
    let frame_time =
        frame_time.ok_or_else(|| Box::new(Diagnostic::error("EXP-E003", "an even frame time", "uneven key times")))?;
    document.to_clip(frame, frame_time)
}

/// Codes under which writers tell that a joint's channels could not hold a rotation.
const LOSSES: [&str; 2] = [bvh::codes::ROTATION_LOST, "AMC-W011"];

#[derive(Clone, Copy)]
struct Rounding {
    angle_rad: f64,
    length_units: f64,
    relative: f64,
}

/// The first thing in which what was written differs from what was meant, beyond rounding.
fn first_difference(
    meant: &Clip,
    written: &Clip,
    rounding: Rounding,
    metres_per_unit: f64,
    loss_reported: bool,
) -> Option<String> {
    let (frames, joints) = (meant.frame_count(), meant.skeleton().len());
    if (written.frame_count(), written.skeleton().len()) != (frames, joints) {
        let found = format!("{} frames of {} joints", written.frame_count(), written.skeleton().len());
        return Some(format!("meant {frames} frames of {joints} joints, read back {found}"));
    }
    let rates = (meant.timeline().uniform(), written.timeline().uniform());
    if let (Some(meant_time), Some(written_time)) = rates
        && (meant_time.secs() / written_time.secs() - 1.0).abs() > 1e-4
    {
        return Some(format!("meant {} Hz, read back {} Hz", meant_time.hz(), written_time.hz()));
    }
    // A joint with fewer than three rotation channels cannot hold every rotation; what it lost was told by its writer.
    let excused = |joint: JointId| loss_reported && written.skeleton().joint(joint).channels.rotation_axes().len() < 3;
    for joint in meant.skeleton().ids() {
        for frame in meant.frames() {
            let angle_rad = meant.rotation(frame, joint).angle_between(written.rotation(frame, joint));
            // angle_between goes through acos, which resolves no less than 2e-8 next to 0.
            if angle_rad > rounding.angle_rad && !excused(joint) {
                let name = &meant.skeleton().joint(joint).name;
                return Some(format!("{frame}, joint {name:?}: rotation off by {angle_rad:.1e} rad"));
            }
            let (meant_m, written_m) = (meant.translation_m(frame, joint), written.translation_m(frame, joint));
            let allowed_m = rounding.length_units * metres_per_unit + rounding.relative * meant_m.length();
            if meant_m.distance(written_m) > allowed_m {
                let name = &meant.skeleton().joint(joint).name;
                let off_m = meant_m.distance(written_m);
                return Some(format!("{frame}, joint {name:?}: position off by {off_m:.1e} m"));
            }
        }
    }
    None
}

/// Joints of the same name must stand at the same place: 6 digits of an angle of up to 360° are 1e-5 rad, and a body has up
/// to ten joints in a row and two metres of bones.
fn first_difference_in_world(meant: &Clip, written: &Clip) -> Option<String> {
    if written.frame_count() != meant.frame_count() {
        return Some(format!("meant {} frames, read back {}", meant.frame_count(), written.frame_count()));
    }
    let same_name = |joint: JointId| Some((joint, written.skeleton().find(&meant.skeleton().joint(joint).name)?));
    let pairs: Vec<(JointId, JointId)> = meant.skeleton().ids().filter_map(same_name).collect();
    let (mut meant_pose, mut written_pose) = (WorldPose::default(), WorldPose::default());
    for frame in meant.frames() {
        meant_pose.pose(meant, frame);
        written_pose.pose(written, frame);
        for &(joint, twin) in &pairs {
            let meant_m = meant_pose.joint_in_world_m[joint.index()];
            let off_m = meant_m.distance(written_pose.joint_in_world_m[twin.index()]);
            if off_m > 5e-4 + 1e-5 * meant_m.length() {
                let name = &meant.skeleton().joint(joint).name;
                return Some(format!("{frame}, joint {name:?}: position off by {off_m:.1e} m"));
            }
        }
    }
    None
}

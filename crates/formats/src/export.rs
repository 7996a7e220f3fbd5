//! A clip out: through the document it came from where that is possible, verified before it replaces anything.

use crate::asf_amc::{self, AmcDocument, AsfAmcDocument, AsfDocument};
use crate::atomic;
use crate::bvh::{self, BvhDocument, BvhStyle};
use crate::diagnostic::Diagnostic;
use crate::error::FormatError;
use crate::gltf;
use crate::import::{self, Document, FileKind, Import};
use crate::npz;
use crate::options::{ReadOptions, WriteOptions};
use crate::tree_order::depth_first;
use crate::usda;
use aplomb_motion::{Clip, FrameOfReference, FrameTime, JointId, Roles, WorldPose};
use glam::DVec3;
use std::borrow::Cow;
use std::path::{Path, PathBuf};

/// Files ready to be written, already read back and compared.
#[derive(Clone, Debug)]
pub struct Encoded {
    /// Path and contents, the motion last. An AMC brings its ASF, unless the same one already stands where readers look
    /// for it.
    pub files: Vec<(PathBuf, Vec<u8>)>,
    /// What the writer had to round, project or rename.
    pub notes: Vec<Diagnostic>,
    /// The output is the source, byte for byte.
    pub identical: bool,
}

/// Encodes `clip` for `path`; the ending of its name says how.
///
/// With a `source` of the same kind and frame only the tokens of channels that changed are replaced. `frame` gives unit
/// and axes of the new file: usually the source's own.
pub fn encode(
    path: &Path,
    clip: &Clip,
    source: Option<&Import>,
    frame: FrameOfReference,
    options: &WriteOptions,
) -> Result<Encoded, FormatError> {
    let unsupported = |reason: String| FormatError::Unsupported { path: path.to_owned(), reason };
    if let Some(reason) = FileKind::refusal_to_write(path) {
        return Err(unsupported(reason));
    }
    let kind = FileKind::from_path(path).ok_or_else(|| unsupported("cannot tell the format to write".to_owned()))?;
    if kind == FileKind::Npz {
        return encode_npz(path, clip, source, options);
    }
    if kind == FileKind::Usda {
        let mut notes = Vec::new();
        let name = source.and_then(|source| source.path.file_name()).map(|name| name.to_string_lossy());
        let text = usda::write(clip, name.as_deref(), &mut notes).map_err(|diagnostic| FormatError::Invalid {
            path: path.to_owned(),
            diagnostic,
            warnings: vec![],
        })?;
        return Ok(Encoded { files: vec![(path.to_owned(), text.into_bytes())], notes, identical: false });
    }
    // Nodes of a GLB stand in any order, so it keeps the clip's.
    if kind == FileKind::Glb {
        return encode_glb(path, clip, source, frame, options);
    }
    let nested = depth_first(clip);
    let clip = nested.as_ref().unwrap_or(clip);
    if clip.timeline().uniform().is_none() {
        // BVH and AMC know one frame time only.
        let reason = "this format has one frame time, and the clip has uneven key times; resample it first".to_owned();
        return Err(FormatError::CannotHold { path: path.to_owned(), reason });
    }
    let invalid = |diagnostic| FormatError::Invalid { path: path.to_owned(), diagnostic, warnings: vec![] };
    let mut notes = Vec::new();
    let options = &fitting_precision(clip, frame, options, &mut notes);
    let same_frame = source.is_some_and(|source| source.frame() == frame) && !options.canonical;
    let mut new_names = None;
    let files = match (kind, source.map(|source| &source.document)) {
        (FileKind::Bvh, Some(Document::Bvh(document))) => {
            let source_frame = source.map_or(frame, Import::frame);
            let bytes = document.write_in(clip, source_frame, frame, options, &mut notes).map_err(invalid)?;
            vec![(path.to_owned(), bytes)]
        }
        (FileKind::Bvh, _) => {
            let style = BvhStyle::default();
            let bytes = bvh::write_canonical(clip, frame, &style, options, &mut notes).map_err(invalid)?;
            vec![(path.to_owned(), bytes)]
        }
        (FileKind::Amc, Some(Document::AsfAmc(document)))
            if same_frame && has_its_skeleton(document, clip, frame, &mut notes) =>
        {
            let amc = document.write(clip, frame, options, &mut notes).map_err(invalid)?;
            let asf = document.asf.bytes();
            let place = import::place_for_skeleton(path, document.asf_path_hint(), asf);
            place.map(|place| (place, asf.to_vec())).into_iter().chain([(path.to_owned(), amc)]).collect()
        }
        (FileKind::Amc, _) => {
            let pair = asf_amc::write_asf(clip, frame, options, &mut notes).map_err(invalid)?;
            new_names = Some(pair.names);
            vec![(path.with_extension("asf"), pair.asf), (path.to_owned(), pair.amc)]
        }
        (FileKind::Glb, _) => return encode_glb(path, clip, source, frame, options),
        (other, _) => return Err(unsupported(format!("{} is not written here", other.name()))),
    };
    notes.extend((kind == FileKind::Amc).then(|| rate_in_doubt(clip, new_names.is_some())).flatten());
    let identical =
        matches!((source, files.last()), (Some(source), Some((_, bytes))) if is_source_file(source, kind, bytes));
    // The source's own bytes were read moments ago: what they mean is known.
    if !identical {
        let written = reread(clip, source, frame, &files, &notes).map_err(|diagnostic| FormatError::Verification {
            path: path.to_owned(),
            reason: diagnostic.to_string(),
        })?;
        let rounding = Rounding::of(kind);
        let difference = match &new_names {
            // A new ASF may have bones between the joints: only what both have can be compared, and only in the world.
            Some(names) => first_difference_in_world(clip, &written, names, rounding, frame.metres_per_unit),
            None => first_difference(clip, &written, rounding, frame.metres_per_unit, &Losses::told_in(&notes)),
        };
        if let Some(reason) = difference {
            return Err(FormatError::Verification { path: path.to_owned(), reason });
        }
    }
    Ok(Encoded { files, notes, identical })
}

/// AMC has no field for the rate, and readers take 120 Hz: another one has to be given to them.
fn rate_in_doubt(clip: &Clip, is_stated: bool) -> Option<Diagnostic> {
    let hz = clip.timeline().uniform().map(FrameTime::hz).filter(|hz| !asf_amc::is_amc_default(*hz))?;
    let found = match is_stated {
        true => format!("{hz:.6} Hz are stated as :SAMPLES-PER-SECOND, which not every program reads"),
        false => format!("the AMC does not say that it is of {hz:.6} Hz"),
    };
    Some(Diagnostic::warning("EXP-W002", "", found).hint("most programs take 120 Hz for an AMC: tell them the rate"))
}

/// What goes with a model of MuJoCo, which has a body and no motion.
pub fn motion_left_out(clip: &Clip) -> Diagnostic {
    let found =
        format!("the body alone: a model of MuJoCo holds no motion, {} frames are left out", clip.frame_count());
    Diagnostic::note("EXP-N003", "", found)
}

/// Whether the bytes that a clip came from say it without further words: a rate, a unit or one of several animations
/// that the user chose stands in no file.
fn says_the_same(source: &Import, bytes: &[u8], clip: &Clip) -> bool {
    let options = ReadOptions { limits: crate::Limits::unlimited(), ..ReadOptions::default() };
    let plain = |again: Import| {
        // Offsets of an SMPL skeleton are the user's; the file has none.
        let is_same_tree = source.kind == FileKind::Npz || again.clip.skeleton() == clip.skeleton();
        let again = &again.clip;
        is_same_tree
            && again.timeline() == clip.timeline()
            && again.rotations() == clip.rotations()
            && again.tracks() == clip.tracks()
    };
    source.clip == *clip && import::read_bytes(&source.path, bytes.to_vec(), &options).is_ok_and(plain)
}

/// SMPL poses are metres and Z up; read back and compared rotation by rotation.
fn encode_npz(
    path: &Path,
    clip: &Clip,
    source: Option<&Import>,
    options: &WriteOptions,
) -> Result<Encoded, FormatError> {
    let mut notes = Vec::new();
    let invalid = |diagnostic| FormatError::Invalid { path: path.to_owned(), diagnostic, warnings: vec![] };
    let archive = match source.map(|source| (source, &source.document)) {
        Some((source, Document::Arrays { npz_bytes: Some(bytes), .. })) => Some((source, bytes)),
        _ => None,
    };
    if let Some((_, bytes)) = archive.filter(|(source, bytes)| !options.canonical && says_the_same(source, bytes, clip))
    {
        return Ok(Encoded { files: vec![(path.to_owned(), bytes.clone())], notes, identical: true });
    }
    let bytes = match archive {
        Some((_, bytes)) => npz::write_like(clip, bytes, &mut notes),
        None => npz::write(clip, &mut notes),
    };
    let bytes = bytes.map_err(invalid)?;
    let options = ReadOptions { limits: crate::Limits::unlimited(), ..ReadOptions::default() };
    let failed = |reason: String| FormatError::Verification { path: path.to_owned(), reason };
    let again = npz::read(&bytes, None, &options, &mut Vec::new()).map_err(|fault| failed(fault.to_string()))?.clip;
    for joint in clip.skeleton().ids() {
        let Some(twin) = again.skeleton().find(&clip.skeleton().joint(joint).name) else { continue };
        for frame in clip.frames() {
            let off_rad = clip.rotation(frame, joint).angle_between(again.rotation(frame, twin));
            // Numbers are whole: only `angle_between`, which resolves 2e-8 near zero, and a logarithm stand between.
            if off_rad > 1e-6 {
                return Err(failed(format!("{frame}: a rotation is off by {off_rad:.1e} rad")));
            }
        }
    }
    Ok(Encoded { files: vec![(path.to_owned(), bytes)], notes, identical: false })
}

/// A GLB is metres and Y up whatever the source was; `frame` is only told in it.
fn encode_glb(
    path: &Path,
    clip: &Clip,
    source: Option<&Import>,
    frame: FrameOfReference,
    options: &WriteOptions,
) -> Result<Encoded, FormatError> {
    let mut notes = Vec::new();
    if let Some((source, Document::Gltf(document))) = source.map(|source| (source, &source.document)) {
        if source.kind == FileKind::Glb && !options.canonical && says_the_same(source, &document.bytes, clip) {
            return Ok(Encoded { files: vec![(path.to_owned(), document.bytes.clone())], notes, identical: true });
        }
        if !document.is_ours {
            let found = "meshes, materials, cameras and other animations of the source are not kept: the motion gets a body of capsules";
            notes.push(Diagnostic::warning("EXP-W001", "", found));
        }
    }
    // Edits keep the joints they were given; where they do not, the roles of the source say nothing.
    let known = source.filter(|source| source.clip.skeleton().len() == clip.skeleton().len());
    let roles = known.map_or_else(|| Cow::Owned(Roles::detect(clip)), |source| Cow::Borrowed(&source.roles));
    let about = gltf::About {
        source: source.map(|source| (source.kind.name(), source.path.as_path())),
        frame,
        ..gltf::About::default()
    };
    let bytes = gltf::write(clip, &roles, &about, &mut notes).map_err(|diagnostic| FormatError::Invalid {
        path: path.to_owned(),
        diagnostic,
        warnings: vec![],
    })?;
    gltf::check(&bytes, clip).map_err(|reason| FormatError::Verification { path: path.to_owned(), reason })?;
    Ok(Encoded { files: vec![(path.to_owned(), bytes)], notes, identical: false })
}

/// Six decimals are too few for a body smaller than a unit (metres per unit of 1000, a scale of 1e-6): then every digit
/// is written.
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

/// Whether the clip still has the skeleton of its ASF, so that only the motion need be written; else says so.
fn has_its_skeleton(
    document: &AsfAmcDocument,
    clip: &Clip,
    frame: FrameOfReference,
    notes: &mut Vec<Diagnostic>,
) -> bool {
    let Err(other) = document.refuse_other_skeleton(clip, frame) else { return true };
    let found =
        format!("the skeleton is not the ASF's any more ({}): a new ASF is written with the motion", other.found);
    notes.push(Diagnostic::note("EXP-N002", "", found));
    false
}

/// Writes what was encoded; all targets are checked before the first is touched.
pub fn save(encoded: &Encoded, force: bool) -> Result<(), FormatError> {
    for (path, _) in encoded.files.iter().filter(|file| !is_shared_skeleton(file)) {
        atomic::refuse_existing(path, force)?;
    }
    encoded.files.iter().try_for_each(|file @ (path, bytes)| match atomic::write(path, bytes, force) {
        // Another take of the same subject, converted at the same time, may have brought it.
        Err(FormatError::Exists { .. }) if is_shared_skeleton(file) => Ok(()),
        written => written,
    })
}

/// Writes them together with other files, whole or not at all: see [`atomic::write_all`].
pub fn save_with(encoded: Option<&Encoded>, others: &[(&Path, &[u8])], force: bool) -> Result<(), FormatError> {
    let own = encoded.into_iter().flat_map(|encoded| &encoded.files);
    let new = own.filter(|file| !is_shared_skeleton(file)).map(|(path, bytes)| (path.as_path(), bytes.as_slice()));
    let files: Vec<(&Path, &[u8])> = new.chain(others.iter().copied()).collect();
    atomic::write_all(&files, force)
}

/// A skeleton that stands there already, to the byte.
fn is_shared_skeleton((path, bytes): &(PathBuf, Vec<u8>)) -> bool {
    FileKind::from_path(path) == Some(FileKind::Asf) && std::fs::read(path).is_ok_and(|there| there == *bytes)
}

/// Whether an output is the file that was read, all of it: a salvaged document is only its good part.
fn is_source_file(source: &Import, kind: FileKind, bytes: &[u8]) -> bool {
    let read = match &source.document {
        Document::Bvh(document) => document.bytes(),
        Document::AsfAmc(document) => document.amc.bytes(),
        Document::Gltf(document) => &document.bytes,
        Document::Markers { .. } | Document::Arrays { .. } => return false,
    };
    source.kind == kind && source.file_bytes == bytes.len() && read == bytes
}

/// What the new files say.
fn reread(
    clip: &Clip,
    source: Option<&Import>,
    frame: FrameOfReference,
    files: &[(PathBuf, Vec<u8>)],
    written_with: &[Diagnostic],
) -> Result<Clip, Box<Diagnostic>> {
    // What the source was allowed to be, its rewritten form is too; what was repaired in it stands as plain numbers
    // now.
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
            // A file written anew has channels that replace the OFFSET; a patched one goes on adding them.
            let is_anew = written_with.iter().any(|note| note.code == bvh::codes::REWRITTEN);
            let semantics = match source.map(|source| &source.document) {
                Some(Document::Bvh(document)) if document.dialect().positions_add && !is_anew => {
                    crate::PositionSemantics::Add
                }
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

/// Kinds of loss that a writer has told of, and that are therefore no fault of what was written.
struct Losses {
    rotations: bool,
    positions: bool,
}

impl Losses {
    fn told_in(notes: &[Diagnostic]) -> Self {
        let told = |codes: &[&str]| notes.iter().any(|note| codes.contains(&note.code));
        Self { rotations: told(&[bvh::codes::ROTATION_LOST, "AMC-W011"]), positions: told(&["AMC-W012"]) }
    }
}

/// What the digits of a file leave of a joint's rotation and of its place in its parent.
#[derive(Clone, Copy)]
struct Rounding {
    angle_rad: f64,
    length_units: f64,
    relative: f64,
}

impl Rounding {
    fn of(kind: FileKind) -> Self {
        match kind {
            // At least 6 decimals: three angles of 5e-7° are 2.6e-8 rad together, three lengths of 5e-7 are 9e-7 units
            // long.
            FileKind::Bvh => Self { angle_rad: 2e-7, length_units: 2e-6, relative: 1e-12 },
            // A product of turns is off by no more than the sum of what each is off by: three printed angles, and a
            // misfit to the bone's axes too small to be told. 1e-7 covers how `angle_between` resolves small angles.
            // Lengths are rounded by a share of what is printed, which is the place against rest.
            _ => Self {
                angle_rad: 3.0 * asf_amc::ANGLE_ROUNDING_RAD + asf_amc::REPORTED_LOSS_RAD + 1e-7,
                length_units: asf_amc::REPORTED_LOSS_UNITS,
                relative: asf_amc::LENGTH_ROUNDING,
            },
        }
    }

    /// For a joint that should be at `meant_m` in its parent, and is at `rest_m` if nothing moves it.
    fn position_m(self, meant_m: DVec3, rest_m: DVec3, metres_per_unit: f64) -> f64 {
        self.length_units * metres_per_unit + self.relative * (meant_m.length() + rest_m.length())
    }
}

/// The first thing in which what was written differs from what was meant, beyond rounding.
fn first_difference(
    meant: &Clip,
    written: &Clip,
    rounding: Rounding,
    metres_per_unit: f64,
    losses: &Losses,
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
    let excused =
        |joint: JointId| losses.rotations && written.skeleton().joint(joint).channels.rotation_axes().len() < 3;
    for joint in meant.skeleton().ids() {
        for frame in meant.frames() {
            let angle_rad = meant.rotation(frame, joint).angle_between(written.rotation(frame, joint));
            // angle_between goes through acos, which resolves no less than 2e-8 next to 0.
            if angle_rad > rounding.angle_rad && !excused(joint) {
                let name = &meant.skeleton().joint(joint).name;
                return Some(format!("{frame}, joint {name:?}: rotation off by {angle_rad:.1e} rad"));
            }
            let (meant_m, written_m) = (meant.translation_m(frame, joint), written.translation_m(frame, joint));
            let allowed_m = rounding.position_m(meant_m, meant.skeleton().joint(joint).offset_m, metres_per_unit);
            if meant_m.distance(written_m) > allowed_m && !losses.positions {
                let name = &meant.skeleton().joint(joint).name;
                let off_m = meant_m.distance(written_m);
                return Some(format!("{frame}, joint {name:?}: position off by {off_m:.1e} m"));
            }
        }
    }
    None
}

/// Every joint must stand at the same place, whatever it is called now.
///
/// Each joint of a chain may be turned by the rounding of its own angles and of all above it, and so moves what hangs
/// on it by that times the bone: e(joint) = e(parent) + (turn of parent)·|bone|, turn(joint) = turn(parent) + rounding.
fn first_difference_in_world(
    meant: &Clip,
    written: &Clip,
    written_names: &[String],
    rounding: Rounding,
    metres_per_unit: f64,
) -> Option<String> {
    if written.frame_count() != meant.frame_count() {
        return Some(format!("meant {} frames, read back {}", meant.frame_count(), written.frame_count()));
    }
    let skeleton = meant.skeleton();
    let twins: Vec<Option<JointId>> = written_names.iter().map(|name| written.skeleton().find(name)).collect();
    let (mut meant_pose, mut written_pose) = (WorldPose::default(), WorldPose::default());
    let (mut turn_rad, mut allowed_m) = (vec![0.0; skeleton.len()], vec![0.0; skeleton.len()]);
    for frame in meant.frames() {
        meant_pose.pose(meant, frame);
        written_pose.pose(written, frame);
        for (joint, twin) in skeleton.ids().zip(&twins) {
            let bone_m = meant.translation_m(frame, joint);
            let (above_rad, above_m) = match skeleton.parent(joint) {
                Some(parent) => (turn_rad[parent.index()], allowed_m[parent.index()]),
                None => (0.0, 0.0),
            };
            turn_rad[joint.index()] = above_rad + rounding.angle_rad;
            // A joint that creeps by a micrometre is written as if it stood still (ASF cannot hold more).
            let own_m = rounding.position_m(bone_m, DVec3::ZERO, metres_per_unit) + 1e-6;
            allowed_m[joint.index()] = above_m + above_rad * bone_m.length() + own_m;
            let Some(twin) = twin else { return Some(format!("joint {:?} is missing", skeleton.joint(joint).name)) };
            let off_m =
                meant_pose.joint_in_world_m[joint.index()].distance(written_pose.joint_in_world_m[twin.index()]);
            if off_m > allowed_m[joint.index()] {
                let name = &skeleton.joint(joint).name;
                return Some(format!("{frame}, joint {name:?}: position off by {off_m:.1e} m"));
            }
        }
    }
    None
}

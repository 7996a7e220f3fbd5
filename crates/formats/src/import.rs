//! A file in, a clip out: finds the reader, the skeleton of an AMC, the unit and up axis, and the roles of the joints.

use crate::absurd::Absurd;
use crate::asf_amc::{self, AMC_DEFAULT_HZ, AmcDocument, AsfAmcDocument, AsfDocument};
use crate::bvh::BvhDocument;
use crate::c3d;
use crate::diagnostic::{Diagnostic, shown};
use crate::error::FormatError;
use crate::fbx::{self, FbxFile};
pub use crate::file_kind::FileKind;
use crate::file_kind::{kind_of, not_read};
use crate::frame_guess::{self, FrameGuess, Known};
use crate::gltf::{self, read::GltfFile};
pub use crate::limited::read_limited;
use crate::npz::{self, NpzFile};
use crate::opensim::trc::{self, TrcFile};
use crate::options::ReadOptions;
use crate::reframe::reframe;
use crate::roles_file;
use aplomb_motion::markers::{MarkerSet, MarkersError, person_clip};
use aplomb_motion::roles::{Role, Roles};
use aplomb_motion::{Axis, Clip, FrameOfReference, FrameTime, JointId, SignedPermutation, TimeError, stature};
use std::path::{Path, PathBuf};

/// The lossless layer of what was read.
#[derive(Clone, Debug)]
pub enum Document {
    /// From a BVH.
    Bvh(Box<BvhDocument>),
    /// From an AMC and its ASF, or from an ASF alone (then without motion).
    AsfAmc(Box<AsfAmcDocument>),
    /// From a glTF: its bytes, which an unedited clip gives back.
    Gltf(Box<GltfDocument>),
    /// From a format of plain arrays, with the rate that the file states.
    Arrays {
        /// Where it is even.
        frame_time: Option<FrameTime>,
        /// An npz, which an unedited clip gives back, and which says who moves; FBX is not written, and not kept.
        npz_bytes: Option<Vec<u8>>,
    },
    /// From markers: a person was made of them, so there is nothing to write back.
    Markers {
        /// Frames a second, as the file has them.
        rate_hz: f64,
    },
}

/// A glTF as it was read.
#[derive(Clone, Debug)]
pub struct GltfDocument {
    /// The file.
    pub bytes: Vec<u8>,
    /// The rate, where it is even.
    pub frame_time: Option<FrameTime>,
    /// Made by Aplomb: what is written anew holds as much as the file did.
    pub is_ours: bool,
}

/// A clip with everything known about where it came from.
#[derive(Clone, Debug)]
pub struct Import {
    /// The file.
    pub path: PathBuf,
    /// What kind it is.
    pub kind: FileKind,
    /// The motion in metres, Y up.
    pub clip: Clip,
    /// What its joints are.
    pub roles: Roles,
    /// Unit and up axis of the file, and how they were found.
    pub guess: FrameGuess,
    /// Length of the file. A salvaged document holds less of it, a lone ASF brings no motion at all: only an output of
    /// this length can be the file again.
    pub file_bytes: usize,
    /// The lossless layer, for writing back.
    pub document: Document,
    /// Everything guessed, tolerated or dropped.
    pub diagnostics: Vec<Diagnostic>,
}

impl Import {
    /// A motion that code made, in metres and Y up; `name` is for messages, and its ending says how it is written.
    pub fn of_clip(name: &Path, clip: Clip) -> Self {
        let roles = Roles::detect(&clip);
        let known = Known { given_unit_m: Some(1.0), stated_unit_m: None, given_up: Some(Axis::Y) };
        let guess = frame_guess::guess_frame(&clip, &roles, known);
        let frame_time = clip.timeline().uniform();
        Self {
            path: name.to_owned(),
            kind: FileKind::from_path(name).unwrap_or(FileKind::Bvh),
            document: Document::Arrays { frame_time, npz_bytes: None },
            diagnostics: guess.diagnostics.clone(),
            file_bytes: 0,
            clip,
            roles,
            guess,
        }
    }

    /// The file's own unit and axes.
    pub fn frame(&self) -> FrameOfReference {
        self.guess.frame
    }

    /// Says that the clip is at another rate than its header's, because `evidence` shows that the header is wrong.
    pub fn tell_corrected_rate(&mut self, evidence: &str) {
        self.diagnostics.push(Diagnostic::warning("IMP-W002", "", format!("{evidence}; corrected")));
    }

    /// Says that the clip keeps a rate that `evidence` shows to be wrong, and that the option `auto` corrects it.
    pub fn tell_doubtful_rate(&mut self, evidence: &str, auto: &str) {
        let found = format!("{evidence}; passed on as it is, {auto} corrects it");
        self.diagnostics.push(Diagnostic::warning("IMP-W004", "", found));
    }

    /// Says that unit and axes were not guessed: they lie beside the file.
    pub fn tell_stated_frame(&mut self, beside: &str) {
        self.diagnostics.push(Diagnostic::note("IMP-N003", "", format!("unit and up axis: from {beside}")));
    }

    /// Says that the rate was not assumed: it lies beside the file.
    pub fn tell_stated_rate(&mut self, hz: f64, beside: &str) {
        self.diagnostics.push(Diagnostic::note("IMP-N004", "", format!("frame rate: {hz} Hz, from {beside}")));
    }

    /// Says that a skeleton was given, by this `option`, to a file that brings its own.
    pub fn tell_unused_skeleton(&mut self, option: &str) {
        let found = format!("a {} brings its own skeleton: {option} is not used", self.kind.name());
        self.diagnostics.push(Diagnostic::warning("IMP-W003", "", found));
    }
}

/// Reads a motion file. Everything guessed is in the result's diagnostics.
pub fn read_file(path: &Path, options: &ReadOptions) -> Result<Import, FormatError> {
    read_bytes(path, read_limited(path, options)?, options)
}

/// Reads a motion file that is in memory; `path` names it in messages, and says what kind it is.
pub fn read_bytes(path: &Path, bytes: Vec<u8>, options: &ReadOptions) -> Result<Import, FormatError> {
    let file_bytes = bytes.len();
    let kind = kind_of(path, &bytes)?
        .ok_or_else(|| FormatError::Unsupported { path: path.to_owned(), reason: not_read(path, &bytes) })?;
    let mut notes = Vec::new();
    let invalid =
        |path: &Path, diagnostic, warnings| FormatError::Invalid { path: path.to_owned(), diagnostic, warnings };
    let stated = match kind {
        FileKind::Trc => Some(trc_file(&bytes, options, &mut notes)),
        FileKind::C3d => Some(c3d_file(&bytes, options, &mut notes)),
        FileKind::Npz => {
            // A table of offsets takes the place of the skeleton that the file does not have.
            let offsets = options.skeleton_file.as_ref().map(|path| read_limited(path, options)).transpose()?;
            Some(npz_file(&bytes, offsets.as_deref(), options, &mut notes))
        }
        FileKind::Fbx => Some(fbx_file(&bytes, options, &mut notes)),
        FileKind::Glb | FileKind::Gltf => Some(gltf_file(path, &bytes, options, &mut notes)),
        FileKind::Usda => {
            let reason = "USD is written and not read; export it as GLB or BVH (Blender does both)".to_owned();
            return Err(FormatError::Unsupported { path: path.to_owned(), reason });
        }
        FileKind::Bvh | FileKind::Asf | FileKind::Amc => None,
    };
    if let Some(read) = stated {
        let (document, Understood { clip, roles, guess }) = match read.and_then(without_absurd_places) {
            Ok(read) => read,
            Err(diagnostic) => return Err(invalid(path, diagnostic, notes)),
        };
        let (clip, roles) = apply_roles_file(clip, roles, options)?;
        return Ok(Import {
            path: path.to_owned(),
            kind,
            clip,
            roles,
            guess,
            file_bytes,
            document,
            diagnostics: notes,
        });
    }
    let parsed = match kind {
        FileKind::Bvh => parse_bvh(bytes, options, &mut notes),
        FileKind::Asf => parse_asf(bytes, options, &mut notes),
        // The others state their frame and were read above.
        _ => {
            let (asf_path, asf_bytes) = find_skeleton(path, &bytes, options)?;
            match AsfDocument::parse(asf_bytes, options, &mut notes) {
                Ok(asf) => parse_amc(bytes, asf, options, &mut notes),
                Err(diagnostic) => return Err(invalid(&asf_path, diagnostic, notes)),
            }
        }
    };
    let understood = parsed.and_then(|(document, clip)| {
        refuse_absurd(absurd_number(&document), &document)?;
        let understood = understand(clip, &document, options, &mut notes)?;
        without_absurd_places((document, understood))
    });
    match understood {
        Ok((document, Understood { clip, roles, guess })) => {
            let (clip, roles) = apply_roles_file(clip, roles, options)?;
            Ok(Import { path: path.to_owned(), kind, clip, roles, guess, file_bytes, document, diagnostics: notes })
        }
        Err(diagnostic) => Err(invalid(path, diagnostic, notes)),
    }
}

type Parsed = Result<(Document, Clip), Box<Diagnostic>>;

fn parse_bvh(bytes: Vec<u8>, options: &ReadOptions, notes: &mut Vec<Diagnostic>) -> Parsed {
    let document = BvhDocument::parse(bytes, options, notes)?;
    let clip = document.to_clip(FrameOfReference::INTERNAL)?;
    Ok((Document::Bvh(Box::new(document)), clip))
}

fn parse_amc(bytes: Vec<u8>, asf: AsfDocument, options: &ReadOptions, notes: &mut Vec<Diagnostic>) -> Parsed {
    let amc = AmcDocument::parse(bytes, &asf, options, notes)?;
    let frame_time = amc_frame_time(&amc, options, notes)?;
    let document = AsfAmcDocument { asf, amc };
    let clip = document.to_clip(FrameOfReference::INTERNAL, frame_time)?;
    Ok((Document::AsfAmc(Box::new(document)), clip))
}

fn parse_asf(bytes: Vec<u8>, options: &ReadOptions, notes: &mut Vec<Diagnostic>) -> Parsed {
    let asf = AsfDocument::parse(bytes, options, notes)?;
    notes.push(Diagnostic::note("IMP-N001", "", "a skeleton without motion: shown as one frame at rest"));
    let amc = AmcDocument::parse(rest_frame(&asf), &asf, options, &mut Vec::new())?;
    let document = AsfAmcDocument { asf, amc };
    let frame_time = options.frame_time.map_or_else(default_amc_frame_time, Ok)?;
    let clip = document.to_clip(FrameOfReference::INTERNAL, frame_time)?;
    Ok((Document::AsfAmc(Box::new(document)), clip))
}

fn without_absurd_places(read: (Document, Understood)) -> Result<(Document, Understood), Box<Diagnostic>> {
    refuse_absurd(Absurd::in_clip(&read.1.clip), &read.0)?;
    Ok(read)
}

/// The first number of a file of text that is too large for an angle or a length; other formats hold none but places
/// and unit quaternions.
fn absurd_number(document: &Document) -> Option<Absurd> {
    match document {
        Document::Bvh(bvh) => {
            let rows = (0..bvh.frame_count()).filter_map(|frame| bvh.row(frame));
            Absurd::in_rows(rows, |column| bvh.channel_name(column))
        }
        Document::AsfAmc(both) => {
            let AsfAmcDocument { asf, amc } = &**both;
            let bone = |column: usize| asf.bones().iter().find(|bone| bone.columns.contains(&column));
            let whose = |column| format!("bone {}", shown(bone(column).map_or(b"", |bone| bone.raw_name())));
            Absurd::in_rows((0..amc.frame_count()).map(|frame| amc.frame(frame)), whose)
        }
        Document::Gltf(_) | Document::Arrays { .. } | Document::Markers { .. } => None,
    }
}

/// Says where it stands, as far as the file has lines.
fn refuse_absurd(absurd: Option<Absurd>, document: &Document) -> Result<(), Box<Diagnostic>> {
    let Some(absurd) = absurd else { return Ok(()) };
    let line = absurd.frame.and_then(|frame| match document {
        Document::Bvh(bvh) => Some((bvh.bytes(), bvh.row_offset(frame)?)),
        Document::AsfAmc(both) => Some((both.amc.bytes(), both.amc.frame_offset(frame)?)),
        Document::Gltf(_) | Document::Arrays { .. } | Document::Markers { .. } => None,
    });
    let diagnostic = absurd.diagnostic();
    Err(Box::new(match line {
        Some((bytes, offset)) => diagnostic.at(bytes, offset),
        None => diagnostic,
    }))
}

/// TRC states its unit and is Y up unless the user says otherwise: nothing is guessed.
fn trc_file(
    bytes: &[u8],
    options: &ReadOptions,
    notes: &mut Vec<Diagnostic>,
) -> Result<(Document, Understood), Box<Diagnostic>> {
    let TrcFile { markers, metres_per_unit } = trc::parse(bytes, options, notes)?;
    person(&markers, metres_per_unit, options.up.unwrap_or(Axis::Y), notes)
}

/// C3D states its unit; which axis is up was found by its reader.
fn c3d_file(
    bytes: &[u8],
    options: &ReadOptions,
    notes: &mut Vec<Diagnostic>,
) -> Result<(Document, Understood), Box<Diagnostic>> {
    let file = c3d::parse(bytes, options, notes)?;
    person(&file.markers, file.metres_per_unit, file.up, notes)
}

/// A person made of markers.
fn person(
    markers: &MarkerSet,
    metres_per_unit: f64,
    up: Axis,
    notes: &mut Vec<Diagnostic>,
) -> Result<(Document, Understood), Box<Diagnostic>> {
    let person = person_clip(markers).map_err(|error| {
        let fault = Diagnostic::error("IMP-E004", "markers that make a person", error.to_string());
        let rate_helps = matches!(error, MarkersError::Time(TimeError::FrameTime { .. }));
        Box::new(if rate_helps { fault.hint("give the true rate with {fps}") } else { fault })
    })?;
    notes.extend(person.warnings.iter().map(|warning| Diagnostic::warning("IMP-W005", "", warning.clone())));
    notes.push(Diagnostic::note("IMP-N002", "", format!("a person was made of {} markers", markers.names.len())));
    let stature = stature::of_clip(&person.clip, &person.roles);
    let guess = FrameGuess {
        frame: FrameOfReference { internal_from_file: SignedPermutation::lifting(up), metres_per_unit },
        unit_name: format!("{metres_per_unit} m"),
        stature_file_units: stature.map(|stature| stature.metres / metres_per_unit),
        up,
        confidence: 1.0,
        diagnostics: Vec::new(),
    };
    let understood = Understood { clip: person.clip, roles: person.roles, guess };
    Ok((Document::Markers { rate_hz: markers.rate_hz }, understood))
}

/// SMPL poses are in metres and Z up; the reader has turned them.
fn npz_file(
    bytes: &[u8],
    offsets: Option<&[u8]>,
    options: &ReadOptions,
    notes: &mut Vec<Diagnostic>,
) -> Result<(Document, Understood), Box<Diagnostic>> {
    let NpzFile { clip, frame_time } = npz::read(bytes, offsets, options, notes)?;
    let understood = understand_stated(clip, &[], options, notes)?;
    Ok((Document::Arrays { frame_time, npz_bytes: Some(bytes.to_vec()) }, understood))
}

/// A glTF is in metres and Y up by definition. One that was made from a file in another unit goes back to that unit.
fn gltf_file(
    path: &Path,
    bytes: &[u8],
    options: &ReadOptions,
    notes: &mut Vec<Diagnostic>,
) -> Result<(Document, Understood), Box<Diagnostic>> {
    let folder = path.parent().map(|folder| if folder.as_os_str().is_empty() { Path::new(".") } else { folder });
    let GltfFile { clip, roles: given, source_frame, frame_time } = gltf::read::read(bytes, folder, options, notes)?;
    let mut understood = understand_stated(clip, &given, options, notes)?;
    go_back_to(source_frame, &mut understood);
    let document = GltfDocument { bytes: bytes.to_vec(), frame_time, is_ours: source_frame.is_some() };
    Ok((Document::Gltf(Box::new(document)), understood))
}

/// FBX states its unit and axes, and its reader has turned it. Outputs in other formats go back to them.
fn fbx_file(
    bytes: &[u8],
    options: &ReadOptions,
    notes: &mut Vec<Diagnostic>,
) -> Result<(Document, Understood), Box<Diagnostic>> {
    let FbxFile { clip, source_frame, frame_time } = fbx::read(bytes, options, notes)?;
    let mut understood = understand_stated(clip, &[], options, notes)?;
    go_back_to(source_frame, &mut understood);
    Ok((Document::Arrays { frame_time, npz_bytes: None }, understood))
}

/// The unit and axes that a file was made in, unless the user says otherwise.
fn go_back_to(source_frame: Option<FrameOfReference>, understood: &mut Understood) {
    if let Some(frame) = source_frame.filter(|_| understood.guess.frame == FrameOfReference::INTERNAL) {
        let stature_m = understood.guess.stature_m();
        understood.guess.frame = frame;
        understood.guess.stature_file_units = stature_m.map(|stature_m| stature_m / frame.metres_per_unit);
        understood.guess.unit_name = frame_guess::name_of(frame.metres_per_unit);
        (understood.guess.up, _) = frame.internal_from_file.up();
    }
}

/// A clip of a format that states metres and Y up; what the user says wins.
fn understand_stated(
    clip: Clip,
    given: &[(JointId, Option<Role>)],
    options: &ReadOptions,
    notes: &mut Vec<Diagnostic>,
) -> Result<Understood, Box<Diagnostic>> {
    let roles = Roles::detect(&clip).with_overrides(given);
    let known = Known {
        given_unit_m: options.metres_per_unit,
        stated_unit_m: Some(1.0),
        given_up: options.up.or(Some(Axis::Y)),
    };
    let guess = frame_guess::guess_frame(&clip, &roles, known);
    notes.extend(guess.diagnostics.iter().cloned());
    let clip = reframe(clip, guess.frame)
        .map_err(|error| Box::new(Diagnostic::error("IMP-E003", "lengths that fit in metres", error.to_string())))?;
    Ok(Understood { clip, roles, guess })
}

/// An AMC of one frame with every value zero.
fn rest_frame(asf: &AsfDocument) -> Vec<u8> {
    let mut text = b":FULLY-SPECIFIED\n:DEGREES\n1\n".to_vec();
    for bone in asf.bones().iter().filter(|bone| !bone.dof.is_empty()) {
        text.extend_from_slice(bone.raw_name());
        text.extend(bone.dof.iter().flat_map(|_| *b" 0"));
        text.push(b'\n');
    }
    text
}

fn amc_frame_time(
    amc: &AmcDocument,
    options: &ReadOptions,
    notes: &mut Vec<Diagnostic>,
) -> Result<FrameTime, Box<Diagnostic>> {
    if let Some(frame_time) = options.frame_time {
        return Ok(frame_time);
    }
    // A vendor extension that few files have; where it stands it is the recording's own word.
    if let Some(frame_time) = amc.samples_per_second().and_then(|hz| FrameTime::from_hz(hz).ok()) {
        return Ok(frame_time);
    }
    let found = format!("AMC files store no frame rate: {AMC_DEFAULT_HZ} Hz assumed");
    notes.push(Diagnostic::warning("IMP-W001", "", found).hint("give the true rate with {fps}"));
    default_amc_frame_time()
}

fn default_amc_frame_time() -> Result<FrameTime, Box<Diagnostic>> {
    FrameTime::from_hz(AMC_DEFAULT_HZ)
        .map_err(|error| Box::new(Diagnostic::error("IMP-E002", "a usable frame rate", error.to_string())))
}

/// The ASF of an AMC: as given, else beside it: named in its header, by its own name, by its subject's number, or the
/// only one.
fn find_skeleton(amc_path: &Path, amc_bytes: &[u8], options: &ReadOptions) -> Result<(PathBuf, Vec<u8>), FormatError> {
    let named = asf_amc::asf_path_hint(amc_bytes);
    let path = match &options.skeleton_file {
        Some(path) => path.clone(),
        None => skeleton_beside(amc_path, named.as_deref()).ok_or_else(|| FormatError::NoSkeleton {
            path: amc_path.to_owned(),
            named: named.map_or(String::new(), |name| format!(" (the file names {})", shown(name.as_bytes()))),
        })?,
    };
    let bytes = read_limited(&path, options)?;
    Ok((path, bytes))
}

/// Which ASF belongs to an AMC of this name whose header names another.
fn skeleton_beside(amc_path: &Path, named: Option<&str>) -> Option<PathBuf> {
    let beside = SkeletonsBeside::look(amc_path, named)?;
    beside.by_own_name.or(beside.by_subject).or(beside.only_one)
}

/// Where a copy of a skeleton must stand so that the AMC written to `amc_path` finds it; `None` if it finds the same
/// already.
pub(crate) fn place_for_skeleton(amc_path: &Path, named: Option<&str>, asf_bytes: &[u8]) -> Option<PathBuf> {
    let beside = SkeletonsBeside::look(amc_path, named).unwrap_or_default();
    let is_same = |path: &PathBuf| std::fs::read(path).is_ok_and(|bytes| bytes == asf_bytes);
    // What goes by the motion's own name comes first in every search: if it differs, only replacing it helps.
    if let Some(path) = beside.by_own_name {
        return (!is_same(&path)).then_some(path);
    }
    let found = beside.by_subject.as_ref().or(beside.only_one.as_ref());
    if found.is_some_and(is_same) {
        return None;
    }
    // All takes of a subject share its skeleton, as CMU has it: `02_01.amc` and `02_02.amc` beside `02.asf`.
    let subject = subject(amc_path).filter(|subject| subject.bytes().all(|byte| byte.is_ascii_digit()));
    match subject.filter(|_| beside.by_subject.is_none()) {
        Some(subject) => Some(amc_path.with_file_name(format!("{subject}.asf"))),
        None => Some(amc_path.with_extension("asf")),
    }
}

/// `02` of `02_01.amc`.
fn subject(amc_path: &Path) -> Option<&str> {
    let (subject, _) = amc_path.file_stem()?.to_str()?.split_once('_')?;
    (!subject.is_empty()).then_some(subject)
}

/// The ASF files in the folder of an AMC, by what speaks for them.
#[derive(Default)]
struct SkeletonsBeside {
    /// Named in the header, else of the motion's own name.
    by_own_name: Option<PathBuf>,
    by_subject: Option<PathBuf>,
    only_one: Option<PathBuf>,
}

impl SkeletonsBeside {
    fn look(amc_path: &Path, named: Option<&str>) -> Option<Self> {
        let folder = match amc_path.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        };
        let mut skeletons: Vec<PathBuf> = std::fs::read_dir(folder)
            .ok()?
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|path| FileKind::from_path(path) == Some(FileKind::Asf))
            .collect();
        skeletons.sort();
        let stem_is = |wanted: &str| {
            let matches = |path: &&PathBuf| path.file_stem().is_some_and(|stem| stem.eq_ignore_ascii_case(wanted));
            skeletons.iter().find(matches).cloned()
        };
        // The header holds a path of another machine, often with backslashes: only its last name is used.
        let named_stem = named.and_then(|path| path.rsplit(['/', '\\']).next()).and_then(|name| name.rsplit_once('.'));
        let own_stem = amc_path.file_stem().and_then(|stem| stem.to_str());
        Some(Self {
            by_own_name: named_stem.and_then(|(stem, _)| stem_is(stem)).or_else(|| own_stem.and_then(stem_is)),
            by_subject: subject(amc_path).and_then(stem_is),
            only_one: (skeletons.len() == 1).then(|| skeletons[0].clone()),
        })
    }
}

struct Understood {
    clip: Clip,
    roles: Roles,
    guess: FrameGuess,
}

/// From a clip in file units to metres and Y up, with the roles of its joints. What the user says wins over what the
/// file states, and that over what is guessed.
fn understand(
    in_file_units: Clip,
    document: &Document,
    options: &ReadOptions,
    notes: &mut Vec<Diagnostic>,
) -> Result<Understood, Box<Diagnostic>> {
    let rough_roles = Roles::detect(&in_file_units);
    let stated = match document {
        Document::AsfAmc(document) => Some(document.metres_per_unit()),
        _ => None,
    };
    let known = Known { given_unit_m: options.metres_per_unit, stated_unit_m: stated, given_up: options.up };
    let guess = frame_guess::guess_frame(&in_file_units, &rough_roles, known);
    notes.extend(guess.diagnostics.iter().cloned());
    let clip = reframe(in_file_units, guess.frame)
        .map_err(|error| Box::new(Diagnostic::error("IMP-E003", "lengths that fit in metres", error.to_string())))?;
    // Names do not change with the frame, but which joints are lowest does.
    let roles =
        if guess.frame.internal_from_file == SignedPermutation::IDENTITY { rough_roles } else { Roles::detect(&clip) };
    Ok(Understood { clip, roles, guess })
}

fn apply_roles_file(clip: Clip, roles: Roles, options: &ReadOptions) -> Result<(Clip, Roles), FormatError> {
    let Some(path) = &options.roles_file else { return Ok((clip, roles)) };
    let bytes = read_limited(path, options)?;
    let overrides = roles_file::parse(&bytes, clip.skeleton()).map_err(|diagnostic| FormatError::Invalid {
        path: path.clone(),
        diagnostic,
        warnings: vec![],
    })?;
    let roles = roles.with_overrides(&overrides);
    Ok((clip, roles))
}

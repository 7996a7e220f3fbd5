//! The save protocol: a motion is encoded, what its format cannot hold goes beside it, and all files appear together or
//! not at all.
//!
//! Every program of ours saves through here, so that the next one knows as much as the last: contacts from before an
//! edit, the ground, the unit, the axes and the rate.

use crate::codes;
use crate::contact_sidecar;
use crate::error::ProjectError;
use crate::files::Outcome;
use aplomb_analysis::contacts::{ContactFile, ContactHistory, FileAxes, side_file};
use aplomb_editing::finding::{Code, Finding};
use aplomb_formats::asf_amc::amc_rate_hz;
use aplomb_formats::export::{self, Encoded};
use aplomb_formats::{FileKind, Import, ReadOptions, WriteOptions, read_bytes};
use aplomb_motion::{Axis, Clip, FrameOfReference};
use std::path::{Path, PathBuf};

/// A motion that is ready to be written.
pub struct Publication {
    /// The motion itself.
    pub encoded: Encoded,
    /// What is known of it and its format cannot hold.
    beside: Option<(PathBuf, Vec<u8>)>,
    /// What that file is for.
    code: Code,
}

impl Publication {
    /// The result of a project. A motion that the edits made worse is refused, unless a person accepts it.
    pub fn of_outcome(out: &Path, outcome: &Outcome) -> Result<Self, ProjectError> {
        outcome.refuse_harm(out)?;
        Self::of_accepted(out, outcome)
    }

    /// The result of a project, which a person wants even if it is worse than what came in.
    pub fn of_accepted(out: &Path, outcome: &Outcome) -> Result<Self, ProjectError> {
        let original = &outcome.original;
        let options = WriteOptions::default();
        Self::new(out, &outcome.clip, Some(original), original.frame(), &options, outcome.carried.as_ref())
    }

    /// A motion in this unit and these axes; `original` is the file that it came from, `carried` what is known of its
    /// contacts.
    pub fn new(
        out: &Path,
        clip: &Clip,
        original: Option<&Import>,
        frame: FrameOfReference,
        options: &WriteOptions,
        carried: Option<&ContactFile>,
    ) -> Result<Self, ProjectError> {
        let encoded = export::encode(out, clip, original, frame, options)?;
        let frame = if may_be_misread(out, clip, original) { misread_frame(&encoded, frame) } else { None };
        let rate_hz = misread_rate(&encoded, clip);
        let plain = || ContactFile {
            schema: side_file::SCHEMA,
            frame_rate_hz: clip.timeline().uniform().map(|frame_time| frame_time.hz()),
            frames: Some(clip.frame_count()),
            carried: Some(ContactHistory::default()),
            contacts: Vec::new(),
        };
        let code = match carried {
            Some(file) if file.carried.as_ref().is_some_and(ContactHistory::knows_edits) => codes::CONTACTS_GO_ALONG,
            _ if frame.is_some() => codes::FRAME_GOES_ALONG,
            _ => codes::RATE_GOES_ALONG,
        };
        let mut file = carried.cloned().unwrap_or_else(plain);
        if let Some(carried) = &mut file.carried {
            (carried.frame, carried.rate_hz) = (frame, rate_hz);
        }
        // A format that holds everything itself needs no file beside it.
        let file = Some(file).filter(|file| file.carried.as_ref().is_some_and(|carried| !carried.is_empty()));
        let beside = contact_sidecar::file_for(&encoded, file.as_ref())?;
        Ok(Self { encoded, beside, code })
    }

    /// A file that is written in another format without an edit: what lies beside it goes along, for the new bytes.
    pub fn converted(
        input: &Path,
        out: &Path,
        clip: &Clip,
        original: &Import,
        frame: FrameOfReference,
        options: &WriteOptions,
    ) -> Result<Self, ProjectError> {
        let known = contact_sidecar::beside_file(input)?.fitting();
        Self::new(out, clip, Some(original), frame, options, known.as_ref())
    }

    /// The file beside the clip, if there is one.
    pub fn beside(&self) -> Option<&Path> {
        self.beside.as_ref().map(|(path, _)| path.as_path())
    }

    /// What the file beside the clip is for.
    pub fn finding(&self) -> Option<Finding> {
        let name = self.beside()?.file_name().unwrap_or_default().to_string_lossy();
        Some(Finding::of(self.code).value("file", name.as_ref()))
    }

    /// Every file that will be written, the one beside the clip last.
    pub fn files(&self) -> impl Iterator<Item = &(PathBuf, Vec<u8>)> {
        self.encoded.files.iter().chain(&self.beside)
    }

    /// Writes everything together with `others`, whole or not at all. What was corrected by hand is never replaced.
    pub fn save(&self, others: &[(&Path, &[u8])], force: bool) -> Result<(), ProjectError> {
        let clip = self.encoded.files.last().map(|(path, _)| path.as_path());
        if let (Some(clip), true) = (clip, self.beside.is_some()) {
            contact_sidecar::refuse_existing(clip, force)?;
        }
        let beside = self.beside.iter().map(|(path, bytes)| (path.as_path(), bytes.as_slice()));
        let all: Vec<(&Path, &[u8])> = others.iter().copied().chain(beside).collect();
        match all.is_empty() {
            // Two clips that are written at once may share a skeleton.
            true => export::save(&self.encoded, force)?,
            false => export::save_with(Some(&self.encoded), &all, force)?,
        }
        if let (Some(clip), None, true) = (clip, &self.beside, force) {
            contact_sidecar::remove_stale(clip);
        }
        Ok(())
    }
}

/// Whether a reader may take another unit or other axes than these. A BVH states neither, and readers guess by the
/// body: they guess right again if bones and file are as before.
fn may_be_misread(out: &Path, clip: &Clip, original: Option<&Import>) -> bool {
    let is_same = |original: &Import| {
        let guessed = original.guess.diagnostics.iter().any(|it| it.code.starts_with("FRM-"));
        original.kind == FileKind::Bvh && guessed && original.clip.skeleton() == clip.skeleton()
    };
    FileKind::from_path(out) == Some(FileKind::Bvh) && !original.is_some_and(is_same)
}

/// The rate, where a reader that knows nothing else takes another. Only an AMC need not state it.
fn misread_rate(encoded: &Encoded, clip: &Clip) -> Option<f64> {
    let (_, bytes) = encoded.files.last().filter(|(path, _)| FileKind::from_path(path) == Some(FileKind::Amc))?;
    let hz = clip.timeline().uniform()?.hz();
    ((amc_rate_hz(bytes) / hz - 1.0).abs() > 1e-6).then_some(hz)
}

/// Unit and up axis, where a reader that knows nothing else takes others.
fn misread_frame(encoded: &Encoded, frame: FrameOfReference) -> Option<FileAxes> {
    let (path, bytes) = encoded.files.last()?;
    let guessed = read_bytes(path, bytes.clone(), &ReadOptions::default()).ok()?.frame();
    let is_same_unit = (guessed.metres_per_unit / frame.metres_per_unit - 1.0).abs() < 1e-9;
    if is_same_unit && guessed.internal_from_file == frame.internal_from_file {
        return None;
    }
    let (up, _) = frame.internal_from_file.up();
    let up = match up {
        Axis::X => "x",
        Axis::Y => "y",
        Axis::Z => "z",
    };
    Some(FileAxes { unit_m: frame.metres_per_unit, up: up.to_owned() })
}

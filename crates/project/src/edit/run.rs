//! Replays a project: reads its clip, makes its edits one after the other, judges what came in and what came out, and says how.

use super::adapt::AdaptRecord;
use super::advance::Advance;
use super::blend::{BlendFamily, BlendRecord};
use super::file::Project;
use super::judge::{both_judged, clearly_worse, judged};
use super::make::make_next;
use super::path_record::PathRecord;
use super::physical::{PlantRecord, TouchupRecord};
use super::prefix::{Key, PrefixCache, State};
use super::reader::Reader;
use super::record::Edit;
use super::work::Work;
use crate::error::ProjectError;
use crate::inspect::{InspectRequest, Inspected};
use crate::load::RateChoice;
use crate::source;
use aplomb_analysis::contacts::ContactFile;
use aplomb_editing::displacement::{JointChange, Layer, RootChange, joint_changes, root_change_m};
use aplomb_formats::{Import, ReadOptions};
use aplomb_motion::Clip;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// How a project is replayed.
pub struct RunRequest<'a> {
    /// Paths of the project are relative to it.
    pub folder: &'a Path,
    /// Limits of the readers, and whatever the project leaves open.
    pub read: ReadOptions,
    /// As the user called it, word by word.
    pub command: &'a [String],
    /// Name of the file that will be written, for the report.
    pub out: &'a Path,
    /// Told before each edit: its number from 0, and the edit.
    pub told: &'a dyn Fn(usize, &Edit),
    /// Told while something long is under way; by saying `false` it is stopped, where it can be: the replay then ends with
    /// [`ProjectError::Cancelled`].
    pub advance: &'a dyn Fn(&Advance<'_>) -> bool,
    /// The user's cache folder, for what takes long to find and is the same the next time; see [`crate::session::cache_folder`].
    pub cache: Option<&'a Path>,
    /// What was read when a receipt's edits were made, files must still hold the same. Empty where anything goes.
    pub receipt_inputs: &'a [InputFile],
}

/// What a project made.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// What it started from, with the document that it can be written back through.
    pub original: Import,
    /// The motion after all edits.
    pub clip: Clip,
    /// The original with its physics report; `None` where no body can be made.
    pub before: Option<Inspected>,
    /// What the last edit without physics made, where edits with physics came after it: what those started from.
    pub edited: Option<Inspected>,
    /// The result, with the same body.
    pub after: Option<Inspected>,
    /// Edit by edit.
    pub steps: Vec<StepRecord>,
    /// Whether every edit that solves for something came nearer to it.
    pub is_met: bool,
    /// How far the edits with physics turned each joint, counted from what the last edit without made; without any such edit, how far
    /// the edits turned it, if every frame kept its time.
    pub joints: Vec<JointChange>,
    /// How far the body was moved, likewise.
    pub root: Option<RootChange>,
    /// What is known of the result's contacts, for [`crate::carried::file_for`]; `None` where they are found in the motion as well.
    pub carried: Option<ContactFile>,
    /// What made it.
    pub provenance: Provenance,
}

/// One edit that was made.
#[derive(Clone, Debug, Serialize)]
pub struct StepRecord {
    /// From 1.
    pub edit: usize,
    /// Which verb.
    pub verb: &'static str,
    /// Frames afterwards.
    pub frames: usize,
    /// Seconds afterwards.
    pub duration_secs: f64,
    /// What the edit decided by itself.
    pub notes: Vec<String>,
    /// What people should look at.
    pub warnings: Vec<String>,
    /// The motion afterwards, in a few figures; `null` where it cannot be judged.
    pub stage: Option<Stage>,
    /// How a touch-up went.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub touchup: Option<TouchupRecord>,
    /// How planting went.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plant: Option<PlantRecord>,
    /// How a path edit went.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<Box<PathRecord>>,
    /// How tracking went.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub track: Option<Box<super::track::TrackRecord>>,
    /// Where a hand was put.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reach: Option<aplomb_editing::reach::Reached>,
    /// What a blend keeps of physics.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub blend: Option<Box<BlendRecord>>,
    /// How an adaptation went.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub adapt: Option<Box<AdaptRecord>>,
    /// The corrections of a touch-up themselves, for whoever draws them.
    #[serde(skip)]
    pub layers: Vec<Layer>,
}

/// A motion between two edits, in a few figures.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Stage {
    /// Plausibility, 0–100.
    pub score_all: Option<f64>,
    /// Zero-moment point outside the support, mean, m.
    pub zmp_mean_m: Option<f64>,
    /// Slide of a contact, mean, m.
    pub skate_mean_m: Option<f64>,
}

/// What made a file, so that it can be made again.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Provenance {
    /// The program.
    pub program: &'static str,
    /// Its version.
    pub version: &'static str,
    /// As it was called, word by word; empty where nobody typed anything.
    pub command: Vec<String>,
    /// Files that were read, the clip first.
    pub inputs: Vec<InputFile>,
    /// The edits as data, with every default that counted.
    pub project: Project,
}

/// A file that was read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct InputFile {
    /// As it was found.
    #[serde(serialize_with = "crate::lossy_path::one")]
    pub path: PathBuf,
    /// Of its bytes; `null` for built-in clips.
    pub sha256: Option<String>,
}

/// Replays the edits.
///
/// Clips whose clock gravity proves wrong are refused by name, unless the project chooses a rate.
pub fn run(project: &Project, request: &RunRequest<'_>) -> Result<Outcome, ProjectError> {
    run_cached(project, request, &mut PrefixCache::off())
}

/// The same, from the longest prefix of the edits that `cache` knows; what is made is kept there.
pub fn run_cached(
    project: &Project,
    request: &RunRequest<'_>,
    cache: &mut PrefixCache,
) -> Result<Outcome, ProjectError> {
    let RunRequest { folder, command, out, .. } = *request;
    let read = project.read_options(&request.read, folder);
    let (reader, started, judge, state) = up_to(project, project.edits.len(), request, &read, cache)?;
    let original = started.original;
    let State { work, mut steps, mut is_met, base, edited } = state;
    let is_for_files = project.input.metres_per_unit.is_some() || project.input.up.is_some();
    if let (true, Some(name), Some(first)) = (is_for_files, source::built_in_name(&project.clip), steps.first_mut()) {
        first.notes.push(format!(
            "builtin:{name} is in metres and Y up: what the project says of units and axes is for files"
        ));
    }
    let edited = edited.filter(|_| base.is_some()).map(|edited| Inspected::clone(&edited));
    let keys = (&started.keys[0], &started.keys[project.edits.len()]);
    let (before, after) = both_judged(project, &work, &original, out, &judge, folder, keys, cache)?;
    if let (Some(last), Some(after)) = (steps.last_mut(), &after) {
        last.stage = Some(Stage::of(&after.report()));
    }
    if let (true, Some(last), Some(first), Some(after)) =
        (base.is_some(), steps.last_mut(), edited.as_ref().or(before.as_ref()), &after)
    {
        let worse = clearly_worse(first, after);
        is_met &= worse.is_empty();
        last.warnings.extend(worse);
    }
    let keeps_time = project.edits.iter().all(Edit::keeps_time);
    let (joints, root) = match base.as_deref().or(Some(&original.clip).filter(|_| keeps_time)) {
        Some(base) => {
            let joints = joint_changes(base, &work.clip).map_err(|source| work.failed(source))?;
            (joints, Some(root_change_m(base, &work.clip).map_err(|source| work.failed(source))?))
        }
        None => (Vec::new(), None),
    };
    let provenance = Provenance {
        program: "aplomb",
        version: env!("CARGO_PKG_VERSION"),
        command: command.to_vec(),
        inputs: reader.inputs,
        project: project.clone(),
    };
    let original = Arc::unwrap_or_clone(original);
    let carried = work.carried();
    Ok(Outcome { original, clip: work.clip, before, edited, after, steps, is_met, joints, root, carried, provenance })
}

/// The clips of a project whose only edit is a blend, ready for many blends.
pub fn blend_family(project: &Project, request: &RunRequest<'_>) -> Result<(Import, BlendFamily), ProjectError> {
    let [edit @ Edit::Blend(blend)] = &project.edits[..] else {
        let detail = "many blends at once are for projects whose only edit is a blend".to_owned();
        return Err(ProjectError::ProjectFile { path: project.clip.clone(), detail });
    };
    let folder = request.folder;
    let read = project.read_options(&request.read, folder);
    let (mut reader, started, _, State { mut work, .. }) = up_to(project, 0, request, &read, &mut PrefixCache::off())?;
    (request.told)(0, edit);
    work.begin(0, edit);
    let mut others = Vec::new();
    for path in edit.clips() {
        others.push(reader.clip(path)?.clip);
    }
    Ok((Arc::unwrap_or_clone(started.original), blend.family(&work, &others, folder)?))
}

/// A project whose clip is read.
pub(super) struct Started {
    pub original: Arc<Import>,
    /// After 0, 1, 2 … edits.
    pub keys: Vec<Key>,
}

/// Reads the clip and makes the first `count` edits, as many of them as `cache` does not know.
pub(super) fn up_to<'a>(
    project: &Project,
    count: usize,
    request: &RunRequest<'a>,
    read: &'a ReadOptions,
    cache: &mut PrefixCache,
) -> Result<(Reader<'a>, Started, InspectRequest, State), ProjectError> {
    let folder = request.folder;
    let known = request.receipt_inputs;
    let (rate, detect_contacts) = (project.rate()?, project.detect_contacts);
    let mut reader = Reader { folder, read, rate, inputs: Vec::new(), detect_contacts, known };
    let judge = InspectRequest {
        read: read.clone(),
        rate: RateChoice::Header,
        body_file: project.body.file.as_ref().map(|file| folder.join(file)),
        body: project.body_options(),
        points: project.points.clone(),
        contacts: project.given_contacts(),
        ..InspectRequest::default()
    };
    reader.noted(vec![&project.clip])?;
    let beside = reader.beside(&project.clip)?;
    for file in judge.body_file.iter().chain(&read.roles_file) {
        reader.note(file)?;
    }
    let head = Project { edits: Vec::new(), output: Default::default(), ..project.clone() };
    let mut keys = vec![Key::start(&(head, folder.to_string_lossy()), &reader.inputs)?];
    let original = match cache.import(&keys[0]) {
        Some(import) => import,
        None => Arc::new(reader.clip(&project.clip)?),
    };
    cache.keep_import(&keys[0], &original);
    for edit in project.edits.iter().take(count) {
        let inputs = reader.noted(edit.clips().into_iter().chain(edit.side_files()).collect())?;
        let key = keys[keys.len() - 1].then(edit, &inputs)?;
        keys.push(key);
    }
    let (made, mut state) = match cache.longest(&keys) {
        Some(known) => known,
        None => {
            let mut work = Work::start(&original, project, &judge)?;
            work.take_beside(beside);
            if let Some(given) = project.given_contacts() {
                work.state_contacts(given)?;
            }
            (0, State { work, steps: Vec::with_capacity(count), is_met: true, base: None, edited: None })
        }
    };
    state.work.expect_edits(project.edits.len());
    cache.keep(&keys[made], &state);
    for (index, edit) in project.edits.iter().enumerate().take(count).skip(made) {
        cache.refuse_cancelled()?;
        (request.told)(index, edit);
        let before = index.checked_sub(1).and_then(|before| project.edits.get(before));
        if let (Some(before), Some(last)) = (before, state.steps.last_mut()) {
            // What came of the edit before, now that it is not the last: the result is judged by whoever asked for it.
            let question = (keys[index].clone(), before.verb().to_owned());
            let work = &state.work;
            let stage = cache.judgement(question, || judged(work, &original, Path::new(before.verb()), &judge))?;
            last.stage = stage.as_ref().map(|inspected| Stage::of(&inspected.report()));
            if edit.has_physics() && !before.has_physics() {
                state.edited = stage;
            }
        }
        make_next(project, index, &mut state, &mut reader, &original, &judge, request)?;
        cache.keep(&keys[index + 1], &state);
    }
    cache.refuse_cancelled()?;
    Ok((reader, Started { original, keys }, judge, state))
}

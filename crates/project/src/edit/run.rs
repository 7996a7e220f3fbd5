//! Replays a project: reads its clip, makes its edits one after the other, judges what came in and what came out, and says how.

use super::adapt::AdaptRecord;
use super::advance::Advance;
use super::blend::{BlendFamily, BlendRecord};
use super::file::Project;
use super::path::Target;
use super::path_record::PathRecord;
use super::physical::{PlantRecord, Repaired, TouchupEdit, TouchupRecord};
use super::prefix::{Key, PrefixCache, State};
use super::reader::Reader;
use super::record::Edit;
use super::work::Work;
use crate::error::ProjectError;
use crate::inspect::{InspectRequest, Inspected, inspect_edited};
use crate::load::RateChoice;
use crate::receipt::compare;
use crate::report::ClipReport;
use crate::source;
use aplomb_analysis::contacts::ContactFile;
use aplomb_editing::displacement::{JointChange, Layer, RootChange, joint_changes, root_change_m};
use aplomb_formats::{Import, ReadOptions};
use aplomb_motion::Clip;
use aplomb_physics::BodyOptions;
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

/// Makes one edit.
fn make_next(
    project: &Project,
    index: usize,
    state: &mut State,
    reader: &mut Reader<'_>,
    original: &Import,
    judge: &InspectRequest,
    request: &RunRequest<'_>,
) -> Result<(), ProjectError> {
    let Some(edit) = project.edits.get(index) else { return Ok(()) };
    let work = &mut state.work;
    work.begin(index, edit);
    let mut others = Vec::new();
    for path in edit.clips() {
        others.push(reader.clip(path)?);
    }
    match edit.has_physics() {
        true if state.base.is_none() => state.base = Some(Arc::new(work.clip.clone())),
        true => {}
        false => state.base = None,
    }
    if let Edit::Touchup(touchup) = edit {
        touchup.state_slope(work)?;
        refuse_unjudged(touchup, work, original, judge)?;
    }
    let target = match (edit, others.first()) {
        (Edit::Path(_), Some(import)) => Some(target(import, reader, project, work, judge, index, edit)?),
        _ => None,
    };
    let mut guests = Vec::new();
    if let Edit::Track(_) = edit {
        for import in &others {
            guests.push(self::target(import, reader, project, work, judge, index, edit)?.work);
        }
    }
    let others: Vec<Clip> = others.into_iter().map(|import| import.clip).collect();
    let given = Given {
        others: &others,
        target,
        guests,
        marks: marks_of(project, index),
        advance: request.advance,
        cache: request.cache,
    };
    let mut step = make(edit, work, given, request.folder)?;
    state.is_met &= step.is_met;
    step.record.edit = index + 1;
    state.steps.push(step.record);
    Ok(())
}

struct Made {
    record: StepRecord,
    is_met: bool,
}

/// Another motion whose path is taken. It may be somebody else's: then neither body file nor named points of this one fit.
pub(super) fn target(
    import: &Import,
    reader: &mut Reader<'_>,
    project: &Project,
    work: &Work,
    judge: &InspectRequest,
    index: usize,
    edit: &Edit,
) -> Result<Target, ProjectError> {
    let is_same_body = work.body()?.check_skeleton(import.clip.skeleton()).is_ok();
    let judge = match is_same_body {
        true => InspectRequest { contacts: None, ..judge.clone() },
        false => InspectRequest {
            body_file: None,
            body: BodyOptions::default(),
            points: Vec::new(),
            contacts: None,
            ..judge.clone()
        },
    };
    let mut work = Work::start(import, project, &judge)?;
    work.take_beside(reader.beside_place(&import.path)?);
    work.begin(index, edit);
    Ok(Target { work, is_same_body })
}

/// What an edit may need besides the motion in hand.
struct Given<'a> {
    others: &'a [Clip],
    target: Option<Target>,
    guests: Vec<Work>,
    marks: Vec<(f64, String)>,
    advance: &'a dyn Fn(&Advance<'_>) -> bool,
    cache: Option<&'a Path>,
}

/// Where the edit before began and ended a transition.
fn marks_of(project: &Project, index: usize) -> Vec<(f64, String)> {
    match index.checked_sub(1).and_then(|before| project.edits.get(before)) {
        Some(Edit::Transition(it)) => vec![(it.from_secs, "t₀".to_owned()), (it.to_secs, "t₁".to_owned())],
        _ => Vec::new(),
    }
}

fn make(edit: &Edit, work: &mut Work, given: Given<'_>, folder: &Path) -> Result<Made, ProjectError> {
    let Given { others, target, guests, marks, advance, cache } = given;
    let mut record = StepRecord {
        edit: 0,
        verb: edit.verb(),
        frames: 0,
        duration_secs: 0.0,
        notes: Vec::new(),
        warnings: Vec::new(),
        stage: None,
        touchup: None,
        plant: None,
        path: None,
        blend: None,
        adapt: None,
        track: None,
        reach: None,
        layers: Vec::new(),
    };
    let kinematic = edit.apply(&work.clip, others).map_err(|source| work.failed(source))?;
    let repaired = match (kinematic, edit) {
        (Some(edited), _) => {
            record.notes = edited.notes;
            work.take(edited.clip, edit)?;
            None
        }
        (None, Edit::Travel(travel)) => {
            let made = travel.apply(&work.clip, &work.roles, work.body()?).map_err(|source| work.failed(source))?;
            let (speed, heading) = (made.velocity.length(), made.velocity.x.atan2(made.velocity.z).to_degrees());
            record.notes.push(format!(
                "carried on at {speed:.2} m/s, heading {heading:.0}° (0 is +Z, 90 is +X); half of the time feet that are down still slide by up to {:.2} m/s",
                made.slide
            ));
            work.take(made.clip, edit)?;
            None
        }
        (None, Edit::Touchup(touchup)) => Some(touchup.apply(work, folder)?),
        (None, Edit::Plant(plant)) => Some(plant.apply(work, folder)?),
        (None, Edit::Path(path)) => Some(path.apply(work, target, folder)?),
        (None, Edit::Blend(blend)) => Some(blend.apply(work, others, folder)?),
        (None, Edit::Adapt(adapt)) => Some(adapt.apply(work, folder, cache, advance)?),
        (None, Edit::Track(track)) => Some(track.apply(work, guests, folder, &marks, advance)?),
        (None, Edit::Reach(reach)) => Some(reach.apply(work)?),
        (None, _) => None,
    };
    let mut is_met = true;
    if let Some(Repaired {
        clip,
        warnings,
        notes,
        layers,
        touchup,
        plant,
        path,
        blend,
        adapt,
        track,
        reach,
        is_met: met,
    }) = repaired
    {
        work.take(clip, edit)?;
        record.notes = notes;
        (record.warnings, record.layers) = (warnings, layers);
        (record.touchup, record.plant, record.path, record.blend) = (touchup, plant, path, blend);
        record.adapt = adapt;
        (record.track, record.reach) = (track, reach);
        is_met = met;
    }
    record.notes.extend(work.take_notes());
    record.warnings.extend(work.take_warnings());
    (record.frames, record.duration_secs) = (work.clip.frame_count(), work.clip.duration_secs());
    Ok(Made { record, is_met })
}

/// The motion as it is now, judged; `None` where no body can be made.
fn judged(
    work: &Work,
    original: &Import,
    name: &Path,
    judge: &InspectRequest,
) -> Result<Option<Inspected>, ProjectError> {
    let Ok(body) = work.body() else { return Ok(None) };
    let judge = InspectRequest { contacts: work.stated_contacts().cloned(), ..judge.clone() };
    inspect_edited(original, &work.clip, name, body, work.ground(), &judge).map(Some)
}

/// A motion of which physics judges nothing, all flight or carried by something unknown, has no balance that could be mended. Whoever knows
/// better has a contact file.
fn refuse_unjudged(
    touchup: &TouchupEdit,
    work: &Work,
    original: &Import,
    judge: &InspectRequest,
) -> Result<(), ProjectError> {
    if touchup.contacts.is_some() || work.clip.frame_count() < LEAST_JUDGED {
        return Ok(());
    }
    let Some(inspected) = judged(work, original, &original.path, judge)? else { return Ok(()) };
    let report = inspected.report();
    let frames = (report.judged_share * report.frames as f64).round() as usize;
    match frames < LEAST_JUDGED {
        true => Err(ProjectError::NotJudged { path: original.path.clone(), frames, all: report.frames }),
        false => Ok(()),
    }
}

/// As many frames as touch-up needs for accelerations.
const LEAST_JUDGED: usize = 5;

/// What touch-up and planting spoiled, in words. They aim at balance and feet, and may cost a little elsewhere; beyond this, people should look
/// before they use the result.
fn clearly_worse(first: &Inspected, after: &Inspected) -> Vec<String> {
    const POINTS: f64 = 5.0;
    const LENGTH_M: f64 = 0.01;
    let lengths = |title: &str, before_m: f64, after_m: f64| {
        let (before, after) = (1e2 * before_m, 1e2 * after_m);
        format!("the result is worse than what came in: {title} {before:.1} cm before, {after:.1} cm now")
    };
    let changes = compare(first.report(), after.report()).changes;
    let mut worse = Vec::new();
    for change in &changes {
        let (Some(before), Some(after)) = (change.before, change.after) else { continue };
        let (title, by) = (&change.title, after - before);
        match change.measure.as_str() {
            "score_all" | "score" if by < -POINTS => {
                worse
                    .push(format!("the result is worse than what came in: {title} {before:.0} before, {after:.0} now"));
            }
            // A share as well, since figures that were large scatter more; one foot scatters more than the mean of all.
            "zmp.mean_m" | "skate.mean_m" if by > LENGTH_M && after > 1.25 * before => {
                worse.push(lengths(title, before, after));
            }
            "skate.max_m" if by > 3.0 * LENGTH_M && after > 1.5 * before => worse.push(lengths(title, before, after)),
            _ => {}
        }
    }
    worse
}

/// Both ends with one body. A contact file of an edit holds for every motion of the same timing.
#[allow(clippy::too_many_arguments)] // the walk's own values, each used once
fn both_judged(
    project: &Project,
    work: &Work,
    original: &Import,
    out: &Path,
    judge: &InspectRequest,
    folder: &Path,
    (first_key, last_key): (&Key, &Key),
    cache: &mut PrefixCache,
) -> Result<(Option<Inspected>, Option<Inspected>), ProjectError> {
    let Ok(body) = work.body() else { return Ok((None, None)) };
    let file = |edits: Vec<&Edit>| -> Option<PathBuf> {
        let given = |edit: &Edit| match edit {
            Edit::Touchup(touchup) => touchup.contacts.clone(),
            Edit::Plant(plant) => plant.contacts.clone(),
            Edit::Path(path) => path.contacts.clone(),
            Edit::Adapt(adapt) => adapt.contacts.clone(),
            _ => None,
        };
        edits.iter().copied().find_map(given).map(|path| folder.join(path))
    };
    let kept = project.edits.iter().take_while(|edit| edit.keeps_time()).count();
    // The first edit that changes time still starts from the timing of the original.
    let until = project.edits.len().min(kept + 1);
    let of_first = InspectRequest { contacts_file: file(project.edits[..until].iter().collect()), ..judge.clone() };
    let unchanged: Vec<&Edit> = project.edits.iter().rev().take_while(|edit| edit.keeps_time()).collect();
    let of_last =
        InspectRequest { contacts_file: file(unchanged), contacts: work.stated_contacts().cloned(), ..judge.clone() };
    let first_body = work.first_body()?;
    // The first is judged with whatever the edits said of it, the ground of a slope among it.
    let told =
        |which: &str, file: &Option<PathBuf>, ground: aplomb_analysis::Ground| format!("{which} {file:?} {ground:?}");
    let question = (first_key.clone(), told("before", &of_first.contacts_file, work.first_ground()));
    let before = cache.judgement(question, || {
        let mut before =
            inspect_edited(original, &original.clip, &original.path, first_body, work.first_ground(), &of_first)?;
        before.import.diagnostics = original.diagnostics.clone();
        Ok(Some(before))
    })?;
    let question = (last_key.clone(), told(&format!("after {out:?}"), &of_last.contacts_file, work.ground()));
    let after = cache
        .judgement(question, || inspect_edited(original, &work.clip, out, body, work.ground(), &of_last).map(Some))?;
    let own = |judged: Option<Arc<Inspected>>| judged.map(Arc::unwrap_or_clone);
    Ok((own(before), own(after)))
}

impl Stage {
    fn of(report: &ClipReport) -> Self {
        Self { score_all: report.score_all, zmp_mean_m: report.zmp.mean_m, skate_mean_m: report.skate.mean_m }
    }
}

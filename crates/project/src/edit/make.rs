//! Makes one edit: what it needs besides the motion in hand, what it made of it, and what it says of that.

use super::advance::Advance;
use super::file::Project;
use super::judge::refuse_unjudged;
use super::path::Target;
use super::physical::Repaired;
use super::prefix::State;
use super::reader::Reader;
use super::record::Edit;
use super::run::{RunRequest, StepRecord};
use super::work::Work;
use crate::error::ProjectError;
use crate::inspect::InspectRequest;
use aplomb_formats::Import;
use aplomb_motion::Clip;
use aplomb_physics::BodyOptions;
use std::path::Path;
use std::sync::Arc;

/// Makes one edit.
pub(super) fn make_next(
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

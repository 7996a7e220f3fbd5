//! Judges motions on their way through the edits: the first, the last, and what lies between.

use super::file::Project;
use super::physical::TouchupEdit;
use super::prefix::{Key, PrefixCache};
use super::record::Edit;
use super::run::Stage;
use super::work::Work;
use crate::error::ProjectError;
use crate::inspect::{InspectRequest, Inspected, inspect_edited};
use crate::receipt::compare;
use crate::report::ClipReport;
use aplomb_formats::Import;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The motion as it is now, judged; `None` where no body can be made.
pub(super) fn judged(
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
pub(super) fn refuse_unjudged(
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
pub(super) fn clearly_worse(first: &Inspected, after: &Inspected) -> Vec<String> {
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
pub(super) fn both_judged(
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
    pub(super) fn of(report: &ClipReport) -> Self {
        Self { score_all: report.score_all, zmp_mean_m: report.zmp.mean_m, skate_mean_m: report.skate.mean_m }
    }
}

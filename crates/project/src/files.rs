//! Runs projects that lie in files: reads the clip, makes the edits, judges what came in and what came out.
//!
//! This and [`crate::publish`] are the only places where edits meet paths. [`Walk`] replays from the longest prefix
//! that a cache knows.

use crate::codes;
use crate::edit_result::{EditResult, Harm};
use crate::edits::verb::{Context, VerbError};
use crate::edits::{BlendFamily, Edit, MotionFigures, Project, Provenance, StepRecord};
use crate::error::ProjectError;
use crate::harm::{self, Judged, Motions};
use crate::inspect::{InspectRequest, Inspected, contact_file};
use crate::load::RateChoice;
use crate::prefix::{Key, PrefixCache};
use crate::reader::Reader;
use crate::request::RunRequest;
use crate::run::Journey;
use crate::source;
use aplomb_analysis::Take;
use aplomb_analysis::contacts::ContactFile;
use aplomb_editing::displacement::{JointChange, RootChange, joint_changes, root_change_m};
use aplomb_editing::finding::Finding;
use aplomb_editing::solver_status::SolverStatus;
use aplomb_formats::{Import, ReadOptions};
use aplomb_motion::Clip;
use std::path::Path;
use std::sync::Arc;

/// What a project made.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// What it started from, with the document that it can be written back through.
    pub original: Import,
    /// The motion after all edits.
    pub clip: Clip,
    /// The same with all that is known of it: body, ground, contacts.
    pub take: Take,
    /// The original with its physics report; `None` where no body can be made.
    pub before: Option<Inspected>,
    /// What the last edit without physics made, where edits with physics came after it: what those started from.
    pub edited: Option<Inspected>,
    /// The result, with the same body.
    pub after: Option<Inspected>,
    /// Edit by edit.
    pub steps: Vec<StepRecord>,
    /// Whether every edit that solves for something reached it.
    pub status: SolverStatus,
    /// Whether the motion is better or worse; `None` where it cannot be judged.
    pub harm: Option<Harm>,
    /// A person wants the motion even where it is worse.
    pub is_harm_accepted: bool,
    /// How far the edits with physics turned each joint, counted from what the last edit without made. Without any such
    /// edit: how far the edits turned it, if every frame kept its time.
    pub joints: Vec<JointChange>,
    /// How far the body was moved, counted in the same way.
    pub root: Option<RootChange>,
    /// What is known of the result's contacts, for [`crate::publish`]; `None` where they are found in the motion as
    /// well.
    pub carried: Option<ContactFile>,
    /// What made it.
    pub provenance: Provenance,
}

impl Outcome {
    /// Whether the edits made the motion worse: then it is not written unless a person accepts it.
    pub fn is_harmed(&self) -> bool {
        self.harm.as_ref().is_some_and(|harm| harm.result == EditResult::Harmed)
    }

    /// What was made worse is not written to `out`, unless a person accepts it.
    pub fn refuse_harm(&self, out: &Path) -> Result<(), ProjectError> {
        match &self.harm {
            Some(harm) if self.is_harmed() && !self.is_harm_accepted => {
                Err(ProjectError::Harmed { path: out.to_owned(), harm: Box::new(harm.clone()) })
            }
            _ => Ok(()),
        }
    }
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
    let read = project.read_options(&request.read, request.folder);
    let mut walk = Walk::start(project, request, &read, cache)?;
    walk.make(project.edits.len(), cache)?;
    walk.outcome()
}

/// The clips of a project whose only edit is a blend, ready for many blends.
pub fn blend_family(project: &Project, request: &RunRequest<'_>) -> Result<(Import, BlendFamily), ProjectError> {
    let [Edit::Blend(blend)] = &project.edits[..] else {
        let detail = "many blends at once are for projects whose only edit is a blend".to_owned();
        return Err(ProjectError::ProjectFile { path: project.clip.clone(), detail });
    };
    let read = project.read_options(&request.read, request.folder);
    let mut walk = Walk::start(project, request, &read, &mut PrefixCache::off())?;
    let family = walk.with_edit(0, |take, context| blend.family(take, context))?;
    Ok((Arc::unwrap_or_clone(walk.original), family))
}

/// A project on its way.
pub(crate) struct Walk<'a> {
    project: &'a Project,
    request: &'a RunRequest<'a>,
    reader: Reader<'a>,
    original: Arc<Import>,
    /// After 0, 1, 2 … edits.
    keys: Vec<Key>,
    journey: Journey,
    made: usize,
}

impl<'a> Walk<'a> {
    /// Reads the clip, and takes up the longest prefix of the edits that `cache` knows.
    pub fn start(
        project: &'a Project,
        request: &'a RunRequest<'a>,
        read: &'a ReadOptions,
        cache: &mut PrefixCache,
    ) -> Result<Self, ProjectError> {
        let folder = request.folder;
        let judge = InspectRequest {
            read: read.clone(),
            rate: RateChoice::Header,
            body_file: project.body.file.as_ref().map(|file| folder.join(file)),
            body: project.body_options(),
            points: project.points.clone(),
            ..InspectRequest::default()
        };
        let mut reader = Reader::new(project, request, read, judge)?;
        reader.noted(vec![&project.clip])?;
        let beside = reader.beside(&project.clip)?;
        for file in reader.judge.body_file.clone().iter().chain(&read.roles_file) {
            reader.note(file)?;
        }
        let head = Project { edits: Vec::new(), output: Default::default(), ..project.clone() };
        let mut keys = vec![Key::start(&(head, folder.to_string_lossy()), &reader.inputs)?];
        for edit in &project.edits {
            let inputs = reader.noted(edit.clips().into_iter().chain(edit.side_files()).collect())?;
            let key = keys[keys.len() - 1].then(edit, &inputs)?;
            keys.push(key);
        }
        let known = cache.longest(&keys).zip(cache.import(&keys[0]));
        let (original, made, mut journey) = match known {
            Some(((made, journey), original)) => (original, made, journey),
            None => {
                let (original, take) = reader.first(&project.clip)?;
                let mut journey = Journey::new(take, &original.path, project.edits.len());
                journey.say(reader.body_findings(journey.take.body().ok()));
                journey.take_beside(beside);
                if let Some(stated) = project.given_contacts() {
                    journey.state_contacts(stated)?;
                }
                (Arc::new(original), 0, journey)
            }
        };
        cache.keep_import(&keys[0], &original);
        journey.edits = project.edits.len();
        cache.keep(&keys[made], &journey);
        Ok(Self { project, request, reader, original, keys, journey, made })
    }

    /// Makes the first `count` edits, as many of them as are not made.
    pub fn make(&mut self, count: usize, cache: &mut PrefixCache) -> Result<(), ProjectError> {
        for index in self.made..count {
            cache.refuse_cancelled()?;
            let edit = &self.project.edits[index];
            (self.request.on_edit)(index, edit);
            let (marks, was_edited) = (self.marks(index), self.was_edited(index));
            let Self { reader, request, journey, .. } = self;
            let (advance, cache_folder) = (request.advance, request.cache);
            let mut context = Context { sources: reader, advance, cache: cache_folder, marks, was_edited };
            journey.make(index, edit, &mut context)?;
            self.made = index + 1;
            cache.keep(&self.keys[index + 1], &self.journey);
        }
        cache.refuse_cancelled()
    }

    /// Does something else with the motion than the edit in its place would.
    pub fn with_edit<T>(
        &mut self,
        index: usize,
        work: impl FnOnce(&Take, &mut Context<'_>) -> Result<T, VerbError>,
    ) -> Result<T, ProjectError> {
        let edit = &self.project.edits[index];
        (self.request.on_edit)(index, edit);
        let (marks, was_edited) = (self.marks(index), self.was_edited(index));
        let Self { reader, request, journey, .. } = self;
        let (advance, cache) = (request.advance, request.cache);
        let mut context = Context { sources: reader, advance, cache, marks, was_edited };
        journey.with_edit(index, edit, &mut context, work)
    }

    fn was_edited(&self, index: usize) -> bool {
        self.project.edits[..index].iter().any(Edit::makes_other_poses)
    }

    /// Where the edit before began and ended a transition.
    fn marks(&self, index: usize) -> Vec<(f64, String)> {
        match index.checked_sub(1).and_then(|before| self.project.edits.get(before)) {
            Some(Edit::Transition(it)) => vec![(it.from_secs, "t₀".to_owned()), (it.to_secs, "t₁".to_owned())],
            _ => Vec::new(),
        }
    }

    /// Judges both ends and gathers everything.
    fn outcome(self) -> Result<Outcome, ProjectError> {
        let (before, after) = self.both_judged()?;
        let Self { project, request, reader, original, journey, .. } = self;
        let carried = journey.carried();
        let keeps_time = project.edits.iter().all(Edit::keeps_time);
        let clip = journey.take.clip();
        let base = journey.base.as_deref().or(Some(&original.clip).filter(|_| keeps_time));
        let failed = |source: aplomb_editing::EditingError| journey.failed(source.into());
        let joints = base.map(|base| joint_changes(base, clip)).transpose().map_err(failed)?.unwrap_or_default();
        let root = base.map(|base| root_change_m(base, clip)).transpose().map_err(failed)?;
        let edited = match journey.edited.as_ref().filter(|_| journey.base.is_some()) {
            Some((take, verb)) => Some(inspected(take, &original, Path::new(verb))?),
            None => None,
        };
        let (mut steps, status) = (journey.steps.clone(), journey.status.clone());
        let is_for_files = project.input.metres_per_unit.is_some() || project.input.up.is_some();
        if let (true, Some(name), Some(first)) = (is_for_files, source::built_in_name(&project.clip), steps.first_mut())
        {
            first.findings.push(Finding::of(codes::FRAME_IS_KNOWN).value("name", name));
        }
        if let (Some(last), Some(after)) = (steps.last_mut(), &after) {
            last.stage = Some(MotionFigures::of(&after.inspection));
        }
        let harm = match (&before, &after) {
            (Some(before), Some(after)) => {
                let edited = edited.as_ref().zip(journey.edited.as_ref());
                // A clip that cannot be judged says nothing of the result.
                let others = journey.others.iter();
                let others = others.filter_map(|take| Some(Judged { take, inspection: take.inspection().ok()? }));
                Some(harm::judge(
                    &project.edits,
                    &steps,
                    &Motions {
                        first: Judged { take: &journey.first, inspection: &before.inspection },
                        edited: edited.map(|(it, (take, _))| Judged { take, inspection: &it.inspection }),
                        others: others.collect(),
                        after: Judged { take: &journey.take, inspection: &after.inspection },
                    },
                ))
            }
            _ => None,
        };
        let harm = harm.map(|harm| if status.is_met() { harm } else { harm.with_goal_missed() });
        let provenance = Provenance {
            program: "aplomb",
            version: env!("CARGO_PKG_VERSION"),
            command: request.command.to_vec(),
            inputs: reader.inputs,
            project: project.clone(),
        };
        let (clip, take) = (clip.clone(), journey.take.clone());
        drop(journey);
        let original = Arc::unwrap_or_clone(original);
        Ok(Outcome {
            original,
            clip,
            take,
            before,
            edited,
            after,
            steps,
            status,
            harm,
            is_harm_accepted: project.output.accept_harm,
            joints,
            root,
            carried,
            provenance,
        })
    }

    /// Both ends with one body. A contact file of an edit holds for every motion of the same timing.
    fn both_judged(&self) -> Result<(Option<Inspected>, Option<Inspected>), ProjectError> {
        let Journey { first, take, .. } = &self.journey;
        if take.body().is_err() {
            return Ok((None, None));
        }
        let edits = &self.project.edits;
        let kept = edits.iter().take_while(|edit| edit.keeps_time()).count();
        // The first edit that changes time still starts from the timing of the original.
        let of_first = edits[..edits.len().min(kept + 1)].iter().find_map(Edit::contacts_file);
        let unchanged = edits.iter().rev().take_while(|edit| edit.keeps_time());
        let of_last = unchanged.filter_map(Edit::contacts_file).next();
        let with_file = |take: &Take, file: Option<&Path>| -> Result<Take, ProjectError> {
            let Some(file) = file else { return Ok(take.clone()) };
            let file = contact_file(&self.request.folder.join(file), take.clip())?;
            Ok(take.with_stated_contacts(file))
        };
        let mut before = inspected(&with_file(first, of_first)?, &self.original, &self.original.path)?;
        before.import.diagnostics = self.original.diagnostics.clone();
        let after = inspected(&with_file(take, of_last)?, &self.original, self.request.out)?;
        Ok((Some(before), Some(after)))
    }
}

/// The report of a motion, as of the file it will be written to.
fn inspected(take: &Take, original: &Import, path: &Path) -> Result<Inspected, ProjectError> {
    let (path, clip) = (path.to_owned(), take.clip().clone());
    let failed = |source| ProjectError::Analysis { path: path.clone(), source };
    take.inspection().map_err(failed)?;
    let import = Import { path: path.clone(), clip, diagnostics: Vec::new(), ..original.clone() };
    Inspected::of(take, import).map_err(failed)
}

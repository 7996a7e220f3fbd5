//! The composer: edits one after the other, in memory.
//!
//! A [`Journey`] is a motion on its way: the take as the edits made so far left it, and what they did to ground, pace
//! and feet. Each step hands the take to a verb and keeps what it made.

use crate::codes;
use crate::contact_sidecar::{self, Beside};
use crate::edits::step::{StepRecord, VerbRecord};
use crate::edits::verb::{Context, Made, Verb, VerbError};
use crate::edits::{Edit, MotionFigures, Slope};
use crate::error::ProjectError;
use crate::inspect::checked_contacts;
use aplomb_analysis::contacts::{ContactFile, ContactHistory, StatedGround, side_file};
use aplomb_analysis::{AnalysisError, ContactAnalysis, Ground, Keeps, Take};
use aplomb_editing::EditingError;
use aplomb_editing::finding::Finding;
use aplomb_editing::footplant::planting_contacts;
use aplomb_editing::solver_status::SolverStatus;
use aplomb_motion::Clip;
use glam::DVec3;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Contacts are found at 100 Hz or more.
const LEAST_STEP_SECS: f64 = 0.01;

/// Verbs that contacts went through are named up to this number; longer lists say no more.
const MOST_THROUGH: usize = 16;

/// Normals that are nearer to each other mean one ground: half a degree, as people round them.
const SAME_GROUND: f64 = 0.0087;

/// As many frames as touch-up needs for accelerations.
const LEAST_JUDGED: usize = 5;

/// A motion on its way through the edits.
#[derive(Clone)]
pub(crate) struct Journey {
    /// As it came in, with everything that is said about it.
    pub first: Take,
    /// As the edits made so far left it.
    pub take: Take,
    /// Edit by edit.
    pub steps: Vec<StepRecord>,
    /// Whether every edit that solves for something reached it.
    pub status: SolverStatus,
    /// What the last edit without physics made, where edits with physics came after it: joint changes are counted from
    /// here.
    pub base: Option<Arc<Clip>>,
    /// The same, to be judged, and the verb that made it.
    pub edited: Option<(Take, &'static str)>,
    /// Other motions that went into it.
    pub others: Vec<Take>,
    /// Of the clip, for messages.
    path: PathBuf,
    /// How many edits there are, for messages.
    pub edits: usize,
    /// The verb in hand and its number, from 1.
    verb: (&'static str, usize),
    /// Whether an edit, or what lies beside the clip, tilted the ground.
    is_tilted: bool,
    /// The verb that last changed what time shows, and the one that last changed how fast things fall.
    retimed_by: Option<&'static str>,
    paced_by: Option<&'static str>,
    /// What moved feet since contacts were found, and what came after that.
    through: Vec<String>,
    /// What the next step has to say besides its own findings.
    pending: Vec<Finding>,
}

impl Journey {
    /// A motion that no edit has touched. `path` is for messages.
    pub fn new(take: Take, path: &Path, edits: usize) -> Self {
        Self {
            first: take.clone(),
            take,
            steps: Vec::with_capacity(edits),
            status: SolverStatus::Met,
            base: None,
            edited: None,
            others: Vec::new(),
            path: path.to_owned(),
            edits,
            verb: ("", 0),
            is_tilted: false,
            retimed_by: None,
            paced_by: None,
            through: Vec::new(),
            pending: Vec::new(),
        }
    }

    /// Something that the next step has to say.
    pub fn say(&mut self, findings: impl IntoIterator<Item = Finding>) {
        self.pending.extend(findings);
    }

    /// What the clip touches is stated for all verbs, for as long as frames keep their times.
    pub fn state_contacts(&mut self, stated: ContactFile) -> Result<(), ProjectError> {
        self.take = self.take.with_stated_contacts(stated);
        self.first = self.take.clone();
        // Without a body nothing asks for contacts.
        if self.take.body().is_ok() {
            self.contacts_of(&self.take, &self.path)?;
        }
        Ok(())
    }

    /// Contacts, ground and clock that lie beside the clip: everything goes on as if the edits before were of this run.
    pub fn take_beside(&mut self, beside: Beside) {
        let file = match beside {
            Beside::Nothing => return,
            Beside::Unfit(why) => return self.pending.push(*why),
            Beside::Fits(file) => *file,
        };
        if let Err(why) = self.take_carried(file) {
            self.pending.push(Finding::of(codes::FILE_BESIDE_BROKEN).value("why", why.to_string()));
        }
    }

    fn take_carried(&mut self, file: ContactFile) -> Result<(), ProjectError> {
        let place = contact_sidecar::place_beside(&self.path);
        let name = place.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let file = checked_contacts(file, &place, self.take.clip())?;
        let Some(known) = file.carried.clone() else { return Ok(()) };
        if let Some(StatedGround { point_m, normal }) = known.ground {
            self.take = self.take.with_ground(self.plane(point_m, normal)?);
            (self.first, self.is_tilted) = (self.take.clone(), true);
            let degrees = normal.angle_between(DVec3::Y).to_degrees();
            let finding = Finding::of(codes::GROUND_FROM_FILE).value("tilt_deg", degrees);
            self.pending.push(finding.value("file", name.as_str()));
        }
        self.paced_by = known.retimed_by.as_ref().map(|verb| if verb == "path" { "path" } else { "speed" });
        self.retimed_by = self.paced_by;
        if self.retimed_by.is_some() {
            self.take = self.take.retimed();
        }
        if known.through.is_empty() || self.take.body().is_err() {
            return Ok(());
        }
        let found = self.contacts_of(&self.take.with_stated_contacts(file), &place)?;
        self.note_excused_fall(&found);
        let step_secs = self.take.clip().timeline().uniform().map_or(0.0, |frame_time| frame_time.secs());
        // Spans go with the contacts: where those were corrected by hand, they are found anew.
        let unexplained = known.fits(&found, step_secs.max(LEAST_STEP_SECS)).then(|| known.left_alone.clone());
        self.take = self.take.with_known_contacts(found, unexplained);
        let finding = Finding::of(codes::CONTACTS_FROM_FILE).value("file", name);
        self.pending.push(finding.value("verbs", &known.through[..]));
        self.through = known.through;
        Ok(())
    }

    /// What should travel with the motion, where it could not be found in it as well; the hash is its file's, once
    /// there is one.
    pub fn carried(&self) -> Option<ContactFile> {
        let contacts = self.take.held_contacts().filter(|_| !self.through.is_empty());
        if contacts.is_none() && !self.is_tilted && self.paced_by.is_none() {
            return None;
        }
        let unexplained = self.take.known_unexplained().filter(|_| contacts.is_some());
        let carried = ContactHistory {
            clip_sha256: String::new(),
            through: if contacts.is_some() { self.through.clone() } else { Vec::new() },
            retimed_by: self.paced_by.map(str::to_owned),
            ground: self.is_tilted.then(|| {
                let ground = self.take.ground();
                StatedGround { point_m: point_of_m(&ground), normal: ground.normal() }
            }),
            flights: contacts.map(|it| it.flights.clone()).unwrap_or_default(),
            other: contacts.map(|it| it.other.clone()).unwrap_or_default(),
            left_alone: unexplained.map(<[_]>::to_vec).unwrap_or_default(),
            frame: None,
            rate_hz: None,
        };
        let clip = self.take.clip();
        let plain = ContactFile {
            schema: side_file::SCHEMA,
            frame_rate_hz: clip.timeline().uniform().map(|frame_time| frame_time.hz()),
            frames: None,
            carried: None,
            contacts: Vec::new(),
        };
        let file = contacts.map_or(plain, ContactAnalysis::to_file);
        Some(ContactFile { frames: Some(clip.frame_count()), carried: Some(carried), ..file })
    }

    /// Makes one more edit. `index` counts from 0.
    pub fn make(&mut self, index: usize, edit: &Edit, context: &mut Context<'_>) -> Result<(), ProjectError> {
        self.close_last(edit)?;
        self.prepare(index, edit)?;
        let had_contacts = self.take.held_contacts().is_some();
        let used = self.take_for(edit, context)?;
        let made = edit.apply(&used, context).map_err(|error| self.failed(error))?;
        let is_stated = edit.contacts_file().is_some();
        if let Some(held) = used.held_contacts().filter(|_| is_stated || !had_contacts).cloned() {
            self.note_excused_fall(&held);
        }
        if let (true, false, Some(held)) = (is_stated, self.through.is_empty(), used.held_contacts()) {
            // What an edit was given holds for as long as the timing stays.
            let unexplained = self.take.known_unexplained().map(<[_]>::to_vec);
            self.take = self.take.with_known_contacts(held.clone(), unexplained);
        }
        self.accept(index, edit, made);
        Ok(())
    }

    /// Does something else with the motion than the edit in its place would.
    pub fn with_edit<T>(
        &mut self,
        index: usize,
        edit: &Edit,
        context: &mut Context<'_>,
        work: impl FnOnce(&Take, &mut Context<'_>) -> Result<T, VerbError>,
    ) -> Result<T, ProjectError> {
        self.prepare(index, edit)?;
        let used = self.take_for(edit, context)?;
        work(&used, context).map_err(|error| self.failed(error))
    }

    /// The motion with the contacts that the edit names a file for.
    fn take_for(&self, edit: &Edit, context: &mut Context<'_>) -> Result<Take, ProjectError> {
        let Some(name) = edit.contacts_file() else { return Ok(self.take.clone()) };
        let used = self.take.with_stated_contacts(context.contacts(name, self.take.clip())?);
        self.contacts_of(&used, &context.sources.place(name))?;
        Ok(used)
    }

    /// The step before is not the last one: it gets the figures of what came of it.
    fn close_last(&mut self, edit: &Edit) -> Result<(), ProjectError> {
        let Some(last) = self.steps.last_mut() else { return Ok(()) };
        if self.take.body().is_err() {
            return Ok(());
        }
        let path = PathBuf::from(last.verb);
        let inspection = self.take.inspection().map_err(|source| ProjectError::Analysis { path, source })?;
        last.stage = Some(MotionFigures::of(inspection));
        if edit.has_physics() && self.base.is_none() {
            self.edited = Some((self.take.clone(), last.verb));
        }
        Ok(())
    }

    /// What has to be known before the verb works: contacts from before feet are moved, the ground, and whether
    /// anything can be judged.
    fn prepare(&mut self, index: usize, edit: &Edit) -> Result<(), ProjectError> {
        self.verb = (edit.verb(), index + 1);
        // Contacts of the straight, level motion are those of the bent or tilted one, and are found better there:
        // bending slides feet.
        if edit.moves_feet() && self.take.held_contacts().is_none() && self.take.body().is_ok() {
            // What cannot be found now is reported by the edit that needs it.
            if let Ok(found) = planting_contacts(&self.take).cloned() {
                self.note_excused_fall(&found);
            }
            let _ = self.take.unexplained();
        }
        match edit.has_physics() {
            true if self.base.is_none() => self.base = Some(self.take.shared_clip()),
            true => {}
            false => (self.base, self.edited) = (None, None),
        }
        if let Some(slope) = edit.slope() {
            self.state_slope(slope)?;
        }
        if matches!(edit, Edit::Touchup(_)) && edit.contacts_file().is_none() {
            self.refuse_unjudged()?;
        }
        Ok(())
    }

    /// The ground has this normal: a word on the world, which does not change the motion. Its height is that of what
    /// stands on it.
    fn state_slope(&mut self, slope: Slope) -> Result<(), ProjectError> {
        let normal = slope.normal(self.take.clip()).map_err(|error| self.failed(error.into()))?;
        let through_origin = self.plane(DVec3::ZERO, normal)?;
        // The tilt that lies beside the clip, given once more in rounded degrees, is the same ground.
        let same = if self.is_tilted { SAME_GROUND } else { 1e-9 };
        if (through_origin.normal() - self.take.ground().normal()).length() < same {
            return Ok(());
        }
        let on_plane = self.take.with_ground(through_origin);
        let found = self.contacts_of(&on_plane, &self.path)?;
        self.note_excused_fall(&found);
        let height_m = found.floor_height_m.unwrap_or(0.0);
        let ground = self.plane(through_origin.normal() * height_m, normal)?;
        self.take = self.take.with_ground(ground);
        if !self.is_tilted {
            self.first = self.first.with_ground(ground);
        }
        Ok(())
    }

    /// A motion of which physics judges nothing, all flight or carried by something unknown, has no balance that could
    /// be mended.
    fn refuse_unjudged(&self) -> Result<(), ProjectError> {
        let frames = self.take.clip().frame_count();
        if frames < LEAST_JUDGED || self.take.body().is_err() {
            return Ok(());
        }
        let inspection = self.take.inspection().map_err(|source| self.analysis(source))?;
        let judged = (inspection.score.judged_share * frames as f64).round() as usize;
        match (judged < LEAST_JUDGED, self.take.roles().missing_foot()) {
            (true, Some(foot)) => Err(self.failed(EditingError::no_role(foot, self.take.clip().skeleton()).into())),
            (true, None) => Err(ProjectError::NotJudged { path: self.path.clone(), frames: judged, all: frames }),
            (false, _) => Ok(()),
        }
    }

    /// Goes on with what a verb made.
    fn accept(&mut self, index: usize, edit: &Edit, made: Made<Option<VerbRecord>>) {
        let Made { clip, record, findings, status, body, ground, others } = made;
        self.others.extend(others);
        if edit.keeps_time() {
            let is_known = self.take.held_contacts().is_some();
            self.take = self.take.with_clip(clip, Keeps::Time);
            if is_known && (edit.moves_feet() || !self.through.is_empty()) {
                self.went_through(edit.verb());
            }
        } else {
            self.take = self.take.with_clip(clip, Keeps::Nothing);
            self.retimed_by = Some(edit.verb());
            self.through.clear();
        }
        if let Some(ground) = ground {
            (self.take, self.is_tilted) = (self.take.on_moved_ground(ground), true);
        }
        if let Some(body) = body {
            self.take = self.take.with_body(body);
        }
        if edit.changes_pace() {
            self.paced_by = Some(edit.verb());
        }
        if !status.is_met() && self.status.is_met() {
            self.status = status;
        }
        let findings = findings.into_iter().chain(std::mem::take(&mut self.pending)).collect();
        self.steps.push(StepRecord {
            edit: index + 1,
            verb: edit.verb(),
            frames: self.take.clip().frame_count(),
            duration_secs: self.take.clip().duration_secs(),
            findings,
            notes: Vec::new(),
            warnings: Vec::new(),
            stage: None,
            record,
        });
    }

    fn went_through(&mut self, verb: &str) {
        if self.through.last().is_none_or(|last| last != verb) && self.through.len() < MOST_THROUGH {
            self.through.push(verb.to_owned());
        }
    }

    /// Flights that fall wrongly since an edit changed the pace are left alone, and that is said once.
    fn note_excused_fall(&mut self, found: &ContactAnalysis) {
        if let (Some(g), Some(verb)) = (found.clock.excused_g, self.retimed_by) {
            self.pending.push(Finding::of(codes::FALL_EXCUSED).value("verb", verb).value("g", g));
        }
    }

    /// Contacts to hold feet by, with the file that is to blame if they make no sense.
    fn contacts_of(&self, take: &Take, place: &Path) -> Result<ContactAnalysis, ProjectError> {
        planting_contacts(take).cloned().map_err(|error| match error {
            EditingError::Analysis(source) if take.stated_contacts().is_some() => {
                ProjectError::Contacts { path: place.to_owned(), source }
            }
            error => self.failed(error.into()),
        })
    }

    /// A verb's error, with the clip and the edit it happened in.
    pub fn failed(&self, error: VerbError) -> ProjectError {
        let (verb, number) = self.verb;
        let edit = |path: PathBuf, source: Box<EditingError>| ProjectError::Edit {
            path,
            edit: (self.edits > 1).then_some(number),
            verb,
            source,
        };
        match error {
            VerbError::Editing(source) => {
                let (roles, skeleton) = (self.take.roles(), self.take.clip().skeleton());
                edit(self.path.clone(), Box::new(source.or_missing_foot(roles, skeleton)))
            }
            VerbError::Elsewhere { place, source } => edit(place, source),
            VerbError::Analysis(source) => self.analysis(source),
            VerbError::Body(source) => ProjectError::Body { path: self.path.clone(), source },
            VerbError::Project(error) => error,
        }
    }

    fn analysis(&self, source: AnalysisError) -> ProjectError {
        ProjectError::Analysis { path: self.path.clone(), source }
    }

    fn plane(&self, point_m: DVec3, normal: DVec3) -> Result<Ground, ProjectError> {
        Ground::new(point_m, normal).map_err(|source| self.failed(EditingError::from(source).into()))
    }
}

/// A plane's height is counted along its normal.
fn point_of_m(ground: &Ground) -> DVec3 {
    ground.normal() * -ground.height_m(DVec3::ZERO)
}

//! A motion on its way through the edits, and what edits with physics must know of it: whose body, what it touches, on what ground.

use super::file::Project;
use super::record::Edit;
use crate::carried::{self, Beside};
use crate::error::ProjectError;
use crate::inspect::{InspectRequest, body_of, checked_contacts, options_for};
use aplomb_analysis::Take;
use aplomb_analysis::contacts::{Carried, CarriedGround, ClockFinding, ContactFile, OtherSpan, side_file};
use aplomb_analysis::report::unexplained_support;
use aplomb_analysis::{ContactAnalysis, Ground, InspectOptions};
use aplomb_editing::EditingError;
use aplomb_editing::footplant::contacts_to_plant;
use aplomb_formats::Import;
use aplomb_motion::{Clip, Roles};
use aplomb_physics::{Body, PhysicsError};
use glam::DVec3;
use std::path::{Path, PathBuf};

/// Contacts are found at 100 Hz or more.
const LEAST_STEP_SECS: f64 = 0.01;

/// Longer lists tell nobody anything.
const MOST_THROUGH: usize = 16;

/// Normals that are nearer to each other mean one ground: half a degree, as people round them.
const SAME_GROUND: f64 = 0.0087;

/// The motion as the edits made so far left it.
#[derive(Clone)]
pub(super) struct Work {
    pub clip: Clip,
    pub roles: Roles,
    path: PathBuf,
    /// Not every motion has a body that weighs something, and not every edit asks.
    body: Result<Body, PhysicsError>,
    /// Whose motion it was, where an edit gave it to somebody else.
    first_body: Option<Body>,
    /// Contact rule with the points to watch; its ground is `ground`.
    options: InspectOptions,
    ground: Ground,
    /// The ground that the motion started on, and whether an edit tilted it since.
    first_ground: Ground,
    is_tilted: bool,
    /// Of the motion's present timing; carried over edits that keep it, as these move feet that stand.
    contacts: Option<ContactAnalysis>,
    /// What the project says of the contacts, for as long as the timing stays.
    given: Option<ContactFile>,
    /// Where something else carries the body, carried over likewise.
    unexplained: Option<Vec<OtherSpan>>,
    /// The verb that last changed what time shows.
    retimed_by: Option<&'static str>,
    /// The one that last changed how fast things fall.
    paced_by: Option<&'static str>,
    /// What moved feet since contacts were found, and what came after that.
    through: Vec<String>,
    notes: Vec<String>,
    /// Likewise, if people should look at it.
    warnings: Vec<String>,
    /// In hand.
    edit: usize,
    edits: usize,
    verb: &'static str,
}

impl Work {
    pub fn start(import: &Import, project: &Project, request: &InspectRequest) -> Result<Self, ProjectError> {
        let body = match (body_of(import, request), &request.body_file) {
            (Ok(body), _) => Ok(body),
            (Err(ProjectError::Body { source, .. }), None) => Err(source),
            (Err(error), _) => return Err(error),
        };
        // Those of a body made from the clip are told by its report.
        let of_file = body.as_ref().ok().filter(|_| request.body_file.is_some());
        let warnings = of_file.map(|body| body.warnings().to_vec()).unwrap_or_default();
        Ok(Self {
            warnings,
            clip: import.clip.clone(),
            roles: import.roles.clone(),
            path: import.path.clone(),
            body,
            first_body: None,
            options: options_for(import, request)?,
            ground: Ground::default(),
            first_ground: Ground::default(),
            is_tilted: false,
            contacts: None,
            given: None,
            unexplained: None,
            retimed_by: None,
            paced_by: None,
            through: Vec::new(),
            notes: Vec::new(),
            edit: 0,
            edits: project.edits.len(),
            verb: "",
        })
    }

    /// How many edits there are, for messages.
    pub fn expect_edits(&mut self, edits: usize) {
        self.edits = edits;
    }

    /// The edit that is made next, for messages.
    pub fn begin(&mut self, index: usize, edit: &Edit) {
        (self.edit, self.verb) = (index + 1, edit.verb());
        // Contacts of the straight, level motion are those of the bent or tilted one, and are found better there: bending slides feet.
        if edit.moves_feet() && self.contacts.is_none() && self.body.is_ok() {
            // What cannot be found now will be said by the edit that needs it.
            let _ = self.contacts();
            let _ = self.unexplained();
        }
    }

    /// What the motion is after a kinematic edit.
    pub fn take(&mut self, clip: Clip, edit: &Edit) -> Result<(), ProjectError> {
        if let Edit::Tilt(tilt) = edit {
            let slope = tilt.slope(&self.clip).map_err(|source| self.failed(source))?;
            let turn = slope.tilted_from_level;
            let point_m = slope.point_m + turn * (self.point_of_ground_m() - slope.point_m);
            self.ground = self.plane(point_m, turn * self.ground.normal())?;
            self.is_tilted = true;
        }
        if !edit.keeps_time() {
            (self.contacts, self.unexplained, self.retimed_by) = (None, None, Some(edit.verb()));
            self.given = None;
            self.through.clear();
        } else if self.contacts.is_some() && (edit.moves_feet() || !self.through.is_empty()) {
            self.went_through(edit.verb());
        }
        if edit.changes_pace() {
            self.paced_by = Some(edit.verb());
        }
        self.clip = clip;
        Ok(())
    }

    /// Contacts, ground and clock that travelled with the clip: everything goes on as if the edits before were of this project.
    pub fn take_beside(&mut self, beside: Beside) {
        let file = match beside {
            Beside::Nothing => return,
            Beside::Unfit(why) => return self.warnings.push(why),
            Beside::Fits(file) => *file,
        };
        if let Err(why) = self.take_carried(file) {
            self.warnings.push(format!("{why}; contacts are looked for in the motion instead"));
        }
    }

    fn take_carried(&mut self, file: ContactFile) -> Result<(), ProjectError> {
        let place = carried::place_beside(&self.path);
        let file = checked_contacts(file, &place, &self.clip)?;
        let Some(known) = file.carried.clone() else { return Ok(()) };
        if let Some(CarriedGround { point_m, normal }) = known.ground {
            self.ground = self.plane(point_m, normal)?;
            (self.first_ground, self.is_tilted) = (self.ground, true);
            self.notes.push(format!(
                "ground: inclined by {:.1}\u{b0}, from {}",
                normal.angle_between(DVec3::Y).to_degrees(),
                file_name(&place)
            ));
        }
        self.paced_by = known.retimed_by.as_ref().map(|verb| if verb == "path" { "path" } else { "speed" });
        self.retimed_by = self.paced_by;
        if known.through.is_empty() || self.body.is_err() {
            return Ok(());
        }
        let found = self.given_contacts(&file, &place)?;
        let step_secs = self.clip.timeline().uniform().map_or(0.0, |frame_time| frame_time.secs());
        // Spans go with the contacts: where somebody corrected those, they are told anew.
        self.unexplained = known.fits(&found, step_secs.max(LEAST_STEP_SECS)).then(|| known.left_alone.clone());
        self.contacts = Some(found);
        self.notes.push(format!("contacts: from {}, carried through {}", file_name(&place), carried::in_words(&known)));
        self.through = known.through;
        Ok(())
    }

    /// What should travel with the motion, where it could not be found in it as well; the hash is its file's, once there is one.
    pub fn carried(&self) -> Option<ContactFile> {
        let contacts = self.contacts.as_ref().filter(|_| !self.through.is_empty());
        if contacts.is_none() && !self.is_tilted && self.paced_by.is_none() {
            return None;
        }
        let carried = Carried {
            clip_sha256: String::new(),
            through: if contacts.is_some() { self.through.clone() } else { Vec::new() },
            retimed_by: self.paced_by.map(str::to_owned),
            ground: self
                .is_tilted
                .then(|| CarriedGround { point_m: self.point_of_ground_m(), normal: self.ground.normal() }),
            flights: contacts.map(|it| it.flights.clone()).unwrap_or_default(),
            other: contacts.map(|it| it.other.clone()).unwrap_or_default(),
            left_alone: self.unexplained.clone().filter(|_| contacts.is_some()).unwrap_or_default(),
        };
        let rate_hz = self.clip.timeline().uniform().map(|frame_time| frame_time.hz());
        let plain = ContactFile {
            schema: side_file::SCHEMA,
            frame_rate_hz: rate_hz,
            frames: None,
            carried: None,
            contacts: Vec::new(),
        };
        let file = contacts.map_or(plain, ContactAnalysis::to_file);
        Some(ContactFile { frames: Some(self.clip.frame_count()), carried: Some(carried), ..file })
    }

    fn went_through(&mut self, verb: &str) {
        if self.through.last().is_none_or(|last| last != verb) && self.through.len() < MOST_THROUGH {
            self.through.push(verb.to_owned());
        }
    }

    pub fn body(&self) -> Result<&Body, ProjectError> {
        self.body.as_ref().map_err(|source| ProjectError::Body { path: self.path.clone(), source: source.clone() })
    }

    /// Of the motion as it came in.
    pub fn first_body(&self) -> Result<&Body, ProjectError> {
        self.first_body.as_ref().map_or_else(|| self.body(), Ok)
    }

    /// The motion is somebody else's from here on.
    pub fn recast(&mut self, body: Body) {
        let before = std::mem::replace(&mut self.body, Ok(body));
        self.first_body = self.first_body.take().or(before.ok());
    }

    pub fn ground(&self) -> Ground {
        self.ground
    }

    pub fn first_ground(&self) -> Ground {
        self.first_ground
    }

    /// What people should look at before anything else.
    pub fn take_warnings(&mut self) -> Vec<String> {
        std::mem::take(&mut self.warnings)
    }

    /// What the edit in hand should tell.
    pub fn take_notes(&mut self) -> Vec<String> {
        std::mem::take(&mut self.notes)
    }

    /// The ground has this normal: a word on the world, which does not change the motion. Its height is that of what stands on it.
    pub fn state_ground(&mut self, normal: DVec3) -> Result<(), ProjectError> {
        let through_origin = self.plane(DVec3::ZERO, normal)?;
        // The tilt that travelled with the clip, said once more in rounded degrees, is the same ground.
        let same = if self.is_tilted { SAME_GROUND } else { 1e-9 };
        if (through_origin.normal() - self.ground.normal()).length() < same {
            return Ok(());
        }
        self.ground = through_origin;
        (self.contacts, self.unexplained) = (None, None);
        let height_m = self.contacts()?.floor_height_m.unwrap_or(0.0);
        self.ground = self.plane(through_origin.normal() * height_m, normal)?;
        self.contacts = None;
        if !self.is_tilted {
            self.first_ground = self.ground;
        }
        Ok(())
    }

    /// What an edit was told of the contacts holds for as long as the timing stays, as in receipts.
    pub fn learn_contacts(&mut self, contacts: &ContactAnalysis) {
        if !self.through.is_empty() {
            self.contacts = Some(contacts.clone());
        }
    }

    /// What the clip touches is known.
    pub fn state_contacts(&mut self, given: ContactFile) -> Result<(), ProjectError> {
        let path = self.path.clone();
        // Without a body nothing asks for contacts.
        if self.body.is_ok() {
            self.contacts = Some(self.given_contacts(&given, &path)?);
        }
        self.given = Some(given);
        Ok(())
    }

    /// What the project says of the contacts of the motion as it is now.
    pub fn stated_contacts(&self) -> Option<&ContactFile> {
        self.given.as_ref()
    }

    /// What touches the ground, found once for as long as the timing stays.
    pub fn contacts(&mut self) -> Result<&ContactAnalysis, ProjectError> {
        if self.contacts.is_none() {
            let options = self.contact_options();
            let found =
                contacts_to_plant(&self.clip, &self.roles, self.body()?, &options).map_err(|source| match source {
                    EditingError::Analysis(source) => ProjectError::Analysis { path: self.path.clone(), source },
                    source => self.failed(source),
                })?;
            let found = self.with_known_clock(found);
            self.contacts = Some(found);
        }
        self.contacts.as_ref().ok_or_else(|| self.failed(EditingError::NoContact { verb: self.verb }))
    }

    /// Where something that is not modelled carries the body, so that its balance is nobody's to mend.
    pub fn unexplained(&mut self) -> Result<&[OtherSpan], ProjectError> {
        if self.unexplained.is_none() {
            self.unexplained = Some(self.unexplained_by(self.given.as_ref())?);
        }
        Ok(self.unexplained.as_deref().unwrap_or_default())
    }

    /// The same with the contacts of a file.
    pub fn unexplained_by(&self, given: Option<&ContactFile>) -> Result<Vec<OtherSpan>, ProjectError> {
        let options = InspectOptions { contacts: self.contact_options(), ..self.options.clone() };
        unexplained_support(&self.clip, &self.roles, self.body()?, given, &options)
            .map_err(|source| ProjectError::Analysis { path: self.path.clone(), source })
    }

    /// Contacts as a file has them.
    pub fn given_contacts(&mut self, given: &ContactFile, path: &Path) -> Result<ContactAnalysis, ProjectError> {
        let options = self.contact_options();
        let found = Take::new(self.clip.clone(), self.roles.clone(), self.body()?.clone())
            .with_stated_contacts(given.clone())
            .with_contact_options(options.clone())
            .into_contacts()
            .map_err(|source| ProjectError::Contacts { path: path.to_owned(), source })?;
        Ok(self.with_known_clock(found))
    }

    /// What a motion of this skeleton touches.
    pub fn contacts_of(&self, clip: &Clip) -> Result<ContactAnalysis, ProjectError> {
        Take::new(clip.clone(), self.roles.clone(), self.body()?.clone())
            .with_contact_options(self.contact_options().clone())
            .into_contacts()
            .map_err(|source| ProjectError::Analysis { path: self.path.clone(), source })
    }

    /// How motions on this ground are judged.
    pub fn inspect_options(&self) -> InspectOptions {
        InspectOptions { contacts: self.contact_options(), ..self.options.clone() }
    }

    fn contact_options(&self) -> aplomb_analysis::ContactOptions {
        let mut options = self.options.contacts.clone();
        options.ground = self.ground;
        options.correct_rate = false;
        options
    }

    /// The clock of the clip was judged when it was read. If an edit has changed the pace since, flights fall wrongly by its doing, and no
    /// header lies.
    fn with_known_clock(&mut self, mut found: ContactAnalysis) -> ContactAnalysis {
        let is_wrong = matches!(found.clock.finding, ClockFinding::WrongRate { .. } | ClockFinding::WrongUnit { .. });
        if let (true, Some(verb)) = (is_wrong, self.retimed_by) {
            let g = found.clock.median_g.unwrap_or_default();
            self.notes.push(format!("since {verb}, flights fall at {g:.1} m/s²; those are left alone"));
            found.clock.finding = ClockFinding::NoEvidence;
        }
        found
    }

    /// An edit's error, with the clip and the edit it happened in.
    pub fn failed(&self, source: EditingError) -> ProjectError {
        ProjectError::Edit {
            path: self.path.clone(),
            edit: (self.edits > 1).then_some(self.edit),
            verb: self.verb,
            source: Box::new(source),
        }
    }

    fn point_of_ground_m(&self) -> DVec3 {
        // A plane's height is told along its normal.
        self.ground.normal() * -self.ground.height_m(DVec3::ZERO)
    }

    fn plane(&self, point_m: DVec3, normal: DVec3) -> Result<Ground, ProjectError> {
        Ground::new(point_m, normal).map_err(|source| self.failed(source.into()))
    }
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

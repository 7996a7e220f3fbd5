//! Analyse: a clip, its body and its contacts become a physics report.

use crate::contact_sidecar::finding_for_lookers;
use crate::error::ProjectError;
use crate::load::{RateChoice, corrected_time, header_hz, rate_source, read_at};
pub(crate) use crate::side_text::side_file_text;
use aplomb_analysis::contacts::{ContactAnalysis, ContactFile, NamedPoint, Rewritten};
use aplomb_analysis::{AnalysisError, InspectOptions, Inspection, Take};
use aplomb_editing::finding::{Wording, by_meaning};
use aplomb_formats::{Import, ReadOptions};
use aplomb_motion::{Clip, JointId, Timeline};
use aplomb_physics::{Body, BodyOptions, PhysicsError};
use glam::DVec3;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A point to watch, by the name of its joint.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PointRequest {
    /// As it will be reported.
    pub name: String,
    /// Name in the file of the joint it moves with.
    pub joint: String,
    /// In that joint's frame, m.
    #[serde(default)]
    pub point_in_joint_m: DVec3,
    /// Whether it may rest above the floor (a seat, a bar).
    #[serde(default)]
    pub may_be_raised: bool,
}

/// How a file is to be inspected. The default finds everything out by itself.
#[derive(Clone, Debug, Default)]
pub struct InspectRequest {
    /// How it is read.
    pub read: ReadOptions,
    /// At which rate.
    pub rate: RateChoice,
    /// A body file, instead of a body made from the clip.
    pub body_file: Option<PathBuf>,
    /// What the body is made from, without a file.
    pub body: BodyOptions,
    /// A contact file, which wins over what is found.
    pub contacts_file: Option<PathBuf>,
    /// The same in hand; a file wins over it.
    pub contacts: Option<ContactFile>,
    /// More points to watch.
    pub points: Vec<PointRequest>,
    /// The analysis itself; its named points and rate correction are set from the fields above.
    pub options: InspectOptions,
    /// Puts findings in words, for the warnings of the report; by the meaning of their codes without it.
    pub words: Option<Wording>,
}

/// A file with its physics report.
#[derive(Clone, Debug)]
pub struct Inspected {
    /// What was read, as the file has it.
    pub import: Import,
    /// The body it was judged with.
    pub body: Arc<Body>,
    /// The report.
    pub inspection: Arc<Inspection>,
    /// The clip by the clock that was used, where that is another than the one it was read by.
    retimed: Option<Clip>,
}

impl Inspected {
    /// The report of a motion, as of the file that it came from or goes to.
    pub(crate) fn of(take: &Take, import: Import) -> Result<Self, AnalysisError> {
        let inspection = take.inspection()?.clone();
        let clock = &inspection.contacts.clock;
        let is_corrected = clock.used_hz != clock.header_hz;
        let frame_time = corrected_time(clock).filter(|_| is_corrected);
        // A uniform time line fits every clip, so this cannot fail; without it the clip stays as it was read.
        let retimed = frame_time.and_then(|time| import.clip.clone().with_timeline(Timeline::Uniform(time)).ok());
        Ok(Self { body: take.shared_body()?, import, inspection, retimed })
    }

    /// The clip by the clock of the report.
    pub fn clip(&self) -> &Clip {
        self.retimed.as_ref().unwrap_or(&self.import.clip)
    }

    /// Rate that the file itself states, Hz.
    pub fn header_hz(&self) -> Option<f64> {
        header_hz(&self.import)
    }
}

/// Reads and judges one file.
pub fn inspect_file(path: &Path, request: &InspectRequest) -> Result<Inspected, ProjectError> {
    let import = read_at(path, &request.read, request.rate)?;
    let body = body_of(&import, request)?;
    let mut inspected = inspect_import(import, body, request)?;
    if let Some(finding) = looked_beside(path, request)? {
        Arc::make_mut(&mut inspected.inspection).warnings.push(finding);
    }
    Ok(inspected)
}

/// Finds contacts and flights of one file, without judging them.
pub fn contacts_of_file(path: &Path, request: &InspectRequest) -> Result<(Import, ContactAnalysis), ProjectError> {
    let import = read_at(path, &request.read, request.rate)?;
    let body = body_of(&import, request)?;
    let take = take_of(&import, Ok(Arc::new(body)), request)?;
    let mut found = take.into_contacts().map_err(|source| blamed(source, &import, request))?;
    found.warnings.extend(looked_beside(path, request)?);
    Ok((import, found))
}

/// What should be known of contacts beside a clip that is judged without them.
fn looked_beside(path: &Path, request: &InspectRequest) -> Result<Option<String>, ProjectError> {
    match request.contacts_file {
        Some(_) => Ok(None),
        None => Ok(finding_for_lookers(path)?.as_ref().map(request.words.unwrap_or(by_meaning))),
    }
}

/// Judges what was read, with this body.
pub fn inspect_import(
    import: Import,
    body: impl Into<Arc<Body>>,
    request: &InspectRequest,
) -> Result<Inspected, ProjectError> {
    let take = take_of(&import, Ok(body.into()), request)?;
    take.inspection().map_err(|source| blamed(source, &import, request))?;
    let path = import.path.clone();
    Inspected::of(&take, import).map_err(|source| ProjectError::Analysis { path, source })
}

/// A file's motion with what is asked and said about it.
pub(crate) fn take_of(
    import: &Import,
    body: Result<Arc<Body>, PhysicsError>,
    request: &InspectRequest,
) -> Result<Take, ProjectError> {
    let mut options = options_for(import, request)?;
    options.contacts.rate_source = rate_source(import, &request.read, request.rate);
    let take = Take::with_or_without_body(import.clip.clone(), import.roles.clone(), body).with_options(options);
    Ok(match given_contacts(import, request)? {
        Some(given) => take.with_stated_contacts(given),
        None => take,
    })
}

fn given_contacts(import: &Import, request: &InspectRequest) -> Result<Option<ContactFile>, ProjectError> {
    match &request.contacts_file {
        Some(path) => contact_file(path, &import.clip).map(Some),
        None => Ok(request.contacts.clone()),
    }
}

/// The file that an error is about.
fn blamed(source: AnalysisError, import: &Import, request: &InspectRequest) -> ProjectError {
    match (&source, &request.contacts_file) {
        (
            AnalysisError::SideFile { .. } | AnalysisError::SideEntry { .. } | AnalysisError::OtherClip { .. },
            Some(path),
        ) => ProjectError::Contacts { path: path.clone(), source },
        _ => ProjectError::Analysis { path: import.path.clone(), source },
    }
}

/// From the body file if there is one, else from the clip.
pub fn body_of(import: &Import, request: &InspectRequest) -> Result<Body, ProjectError> {
    match &request.body_file {
        Some(path) => {
            let text = side_file_text(path)?;
            let body = Body::from_toml(&text, import.clip.skeleton())
                .map_err(|source| ProjectError::Body { path: path.clone(), source })?;
            check_parts(&body, import, path)?;
            Ok(body)
        }
        None => Body::of_clip(&import.clip, &import.roles, &request.body)
            .map_err(|source| ProjectError::Body { path: import.path.clone(), source }),
    }
}

/// A file may join parts (a hand to its arm, the trunk to one link), but one that leaves most of a body without mass is
/// another body's.
const LEAST_MASS_SHARE: f64 = 0.5;

fn check_parts(body: &Body, import: &Import, path: &Path) -> Result<(), ProjectError> {
    // What no body can be made for cannot be compared with one.
    let Ok(made) = Body::of_clip(&import.clip, &import.roles, &BodyOptions::default()) else { return Ok(()) };
    let has = |joint: JointId| body.links().iter().any(|link| link.joint == joint);
    let with_mass = made.links().iter().filter(|link| has(link.joint));
    let share = with_mass.map(|link| link.inertia.mass_kg).sum::<f64>() / made.total_mass_kg();
    if share >= LEAST_MASS_SHARE {
        return Ok(());
    }
    let name = |joint: JointId| made.skeleton().joint(joint).name.as_str();
    let missing: Vec<&str> =
        made.links().iter().filter(|link| !has(link.joint)).map(|link| name(link.joint)).take(8).collect();
    Err(ProjectError::PartOfABody {
        path: path.to_owned(),
        links: body.links().len(),
        expected: made.links().len(),
        missing: missing.join(", "),
    })
}

/// Reads a contact file and checks it against the length of the clip it is for; the analysis then holds it against the
/// motion.
pub fn contact_file(path: &Path, clip: &Clip) -> Result<ContactFile, ProjectError> {
    let fail = |source| ProjectError::Contacts { path: path.to_owned(), source };
    // A file that is named counts for whatever clip; what binds it to another one does not.
    let file = ContactFile { carried: None, ..ContactFile::from_toml(&side_file_text(path)?).map_err(fail)? };
    checked_contacts(file, path, clip)
}

/// Refuses contacts of a clip that is longer or shorter.
pub(crate) fn checked_contacts(file: ContactFile, path: &Path, clip: &Clip) -> Result<ContactFile, ProjectError> {
    let fail = |source| ProjectError::Contacts { path: path.to_owned(), source };
    if let Some(frames) = file.frames.filter(|frames| *frames != clip.frame_count()) {
        let detail = format!(
            "it is of a clip of {frames} frames, and this one has {} ({:.3} s); find the contacts of this clip, or delete the line frames if they were \
             made for it",
            clip.frame_count(),
            clip.duration_secs()
        );
        return Err(fail(AnalysisError::OtherClip { detail }));
    }
    let frame_time = clip.timeline().uniform();
    let in_clip_time = file.in_clock_of(frame_time.map(|time| time.hz()));
    // The last frame is shown for a frame, and its time is rounded in files that people write.
    let end_secs = clip.duration_secs() + 2.0 * frame_time.map_or(0.0, |time| time.secs()) + 0.01;
    let is_outside = |index: usize| {
        let entry = &in_clip_time.contacts[index];
        entry.start_secs < -1e-9 || entry.end_secs > end_secs
    };
    match (0..file.contacts.len()).find(|&index| is_outside(index)) {
        None => Ok(file),
        Some(index) => {
            let entry = &file.contacts[index];
            let problem = format!(
                "expected times within the clip, 0 to {:.3} s, found {} to {} s; is the file of another clip, \
                 or does it lack frame_rate_hz?",
                clip.duration_secs(),
                entry.start_secs,
                entry.end_secs
            );
            Err(fail(AnalysisError::SideEntry { entry: index + 1, effector: entry.effector.clone(), problem }))
        }
    }
}

/// What replaces a contact file that stands at `path`: contacts found anew, with the entries and comments that people
/// wrote into it. A file that cannot be read is an error: there may be an hour of work in it, and one typing error.
pub fn contact_file_anew(path: &Path, clip: &Clip, found: &ContactFile) -> Result<Rewritten, ProjectError> {
    contact_file(path, clip)?;
    let fail = |source| ProjectError::Contacts { path: path.to_owned(), source };
    found.replacing(&side_file_text(path)?).map_err(fail)
}

pub(crate) fn options_for(import: &Import, request: &InspectRequest) -> Result<InspectOptions, ProjectError> {
    let mut options = request.options.clone();
    options.contacts.correct_rate = request.rate == RateChoice::Auto && request.read.frame_time.is_none();
    for point in &request.points {
        let skeleton = import.clip.skeleton();
        let Some(joint) = skeleton.find(&point.joint) else {
            let known: Vec<&str> = skeleton.joints().iter().take(60).map(|joint| joint.name.as_str()).collect();
            return Err(ProjectError::PointJoint {
                path: import.path.clone(),
                point: point.name.clone(),
                joint: point.joint.clone(),
                known: known.join(", "),
            });
        };
        let (name, joint): (String, JointId) = (point.name.clone(), joint);
        let (point_in_joint_m, may_be_raised) = (point.point_in_joint_m, point.may_be_raised);
        options.contacts.named_points.push(NamedPoint { name, joint, point_in_joint_m, may_be_raised });
    }
    Ok(options)
}

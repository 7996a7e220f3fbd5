//! Contacts and flights: one rule for every feature.
//!
//! The rule is `docs/analysis/contacts.md`; its points are numbered there, and the modules here follow them:
//! [`effectors`] which points are watched (1), `paths` their paths at 100 Hz or more (0), `floor` (2), `touch` the
//! thresholds and hysteresis (3, 4), `flights` (5–7), [`clock`] whether gravity agrees with the header (7), `pins` (8),
//! [`side_file`] what people correct by hand (10).
//!
//! All times are seconds from the file's first frame, by the clock that was used ([`Clock::used_hz`]).

pub mod clock;
mod contact_history;
mod detect;
pub mod effectors;
pub mod flights;
pub(crate) mod floor;
mod load_bearing;
mod manual_contacts;
pub mod options;
mod paths;
mod pins;
mod rate_source;
pub mod side_file;
mod side_text;
mod subject;
mod touch;
mod watched;

pub use clock::{Clock, ClockFinding};
pub use contact_history::{ContactHistory, FileAxes, StatedGround};
pub use effectors::{Effector, Part};
pub use flights::{Fall, Verdict};
pub use options::{ContactOptions, NamedPoint};
pub use paths::Spike;
pub use rate_source::RateSource;
pub use side_file::{ContactEntry, ContactFile, ContactKind, ContactSource};
pub use side_text::Rewritten;

use crate::error::AnalysisError;
use aplomb_motion::BodyPlan;
use detect::Detection;
use glam::DVec3;
use paths::Recorded;
pub(crate) use paths::{Paths, cubic_weights};
use serde::{Deserialize, Serialize};
pub(crate) use subject::{Seen, Subject};
pub(crate) use touch::runs_of;

/// A point that carries weight for a while.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Contact {
    /// Name of the effector.
    pub effector: String,
    /// Touchdown.
    pub start_secs: f64,
    /// Lift-off.
    pub end_secs: f64,
    /// Height of the support over the usual one, if far from it: a step, a ledge.
    pub raised_m: Option<f64>,
    /// Found or given.
    pub source: ContactSource,
}

/// A point that may be held still for a while.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Pin {
    /// Name of the effector.
    pub effector: String,
    /// The foot is held, with its yaw, from this time, s.
    pub start_secs: f64,
    /// It is held up to this time, s.
    pub end_secs: f64,
    /// Start of the load, where easing in begins, s.
    pub load_start_secs: f64,
    /// End of the load, where easing out ends, s.
    pub load_end_secs: f64,
    /// Found or given.
    pub source: ContactSource,
}

/// A span without contact.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Flight {
    /// Start of the time without force, s.
    pub start_secs: f64,
    /// End of it, s.
    pub end_secs: f64,
    /// Start of the time with no point down, s.
    pub kinematic_start_secs: f64,
    /// End of it, s.
    pub kinematic_end_secs: f64,
    /// Fitted to the flight.
    pub fall: Option<Fall>,
    /// Fitted to the kinematic interval. Trimming selects frames of low force, so the other alone proves little.
    pub kinematic_fall: Option<Fall>,
    /// What is to be made of it.
    pub verdict: Verdict,
}

impl Flight {
    /// Length, s.
    pub fn secs(&self) -> f64 {
        self.end_secs - self.start_secs
    }
}

/// Why a span is said to be carried by something we do not model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OtherReason {
    /// No point is down, and gravity does not explain the motion.
    DoubtfulFall,
    /// The force that the motion needs acts far from every contact (needs forces: [`crate::Take::inspection`]).
    FarSupport,
    /// Points are down, and something pulls the body to the ground (needs forces, too).
    Pull,
}

/// A span in which the body is carried by something we do not model.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct OtherSpan {
    /// How we know.
    pub reason: OtherReason,
    /// Start, s.
    pub start_secs: f64,
    /// End, s.
    pub end_secs: f64,
}

/// What a clip touches, and when it flies.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ContactAnalysis {
    /// The points that were watched.
    pub effectors: Vec<Effector>,
    /// By effector, then time.
    pub contacts: Vec<Contact>,
    /// By effector, then time.
    pub pins: Vec<Pin>,
    /// By time.
    pub flights: Vec<Flight>,
    /// Carried by something we do not model, by time: airborne with doubtful gravity, and, in a report, by the forces.
    pub other: Vec<OtherSpan>,
    /// Densest height of slow standing points over [`ContactOptions::ground`], m.
    pub floor_height_m: Option<f64>,
    /// Gravity against the header.
    pub clock: Clock,
    /// Whether the first frame does not belong to the motion; it was left out.
    pub stray_first_frame: bool,
    /// Jumps that were bridged.
    pub spikes: Vec<Spike>,
    /// What people should know.
    pub warnings: Vec<String>,
}

/// What the analysis looked at, for further analysis: paths without stray first frame and spikes, by the clock that
/// was used.
#[derive(Clone, Debug)]
pub(crate) struct Traces {
    /// Of the frames, from the file's first frame.
    pub times_secs: Vec<f64>,
    /// Per effector, at those times.
    pub points_m: Vec<Vec<DVec3>>,
    /// At those times.
    pub com_m: Vec<DVec3>,
    /// Where points of each effector's kind stand most of the time, over the ground; `None` for hands, named points and
    /// what never stands.
    pub standing_m: Vec<Option<f64>>,
    /// The same paths at 100 Hz or more; `None` for fewer than two frames.
    pub even: Option<Paths>,
}

/// Frames farther apart than a fifth of a second say nothing about contacts of a tenth; and the samples between them,
/// which a file may claim to be days apart, would fill any memory.
const LEAST_HZ: f64 = 5.0;

/// Finds contacts, flights and pins of a motion, and gives the paths they were found on.
///
/// Contacts that are stated win: loads (and pins, if there are any) are taken from them, and flights follow. Stated
/// contacts of points that swing meanwhile are refused.
pub(crate) fn analyse(subject: &Subject<'_>) -> Result<Seen, AnalysisError> {
    let Subject { clip, roles, body, stated: given, options } = *subject;
    options.check()?;
    body.check_skeleton(clip.skeleton())?;
    let effectors = effectors::effectors(clip.skeleton(), roles, body, options)?;
    if let Some(given) = given {
        manual_contacts::check_effectors(given, &effectors)?;
    }
    let recorded = Recorded::of(subject, &effectors);
    if recorded.frames() < 2 || recorded.hz < LEAST_HZ {
        let standing_m = vec![None; effectors.len()];
        let analysis = nothing_to_say(effectors, &recorded, options);
        return Ok(Seen { contacts: analysis, traces: recorded.into_traces(1.0, standing_m, None) });
    }
    let is_quadruped = roles.plan() == BodyPlan::Quadruped;
    let header_hz = recorded.hz;
    let given = given.map(|file| file.in_clock_of(Some(header_hz)));
    let run = |factor: f64| {
        let paths = recorded.at_rate(factor, options)?;
        let given = given.as_ref().map(|file| file.in_clock_of(Some(header_hz * factor)));
        let loads = given.as_ref().map(|file| manual_contacts::ranges_of(file, ContactKind::Load, &effectors, &paths));
        let mut found = Detection::run(&paths, &effectors, is_quadruped, loads, options)?;
        // Contacts that were carried along come with their pins, even if there are none.
        let has_pins = |file: &ContactFile| file.contacts.iter().any(|entry| entry.kind == ContactKind::Pin);
        if let Some(file) = given.filter(|file| file.carried.is_some() || has_pins(file)) {
            found.pins = manual_contacts::given_pins(
                &manual_contacts::ranges_of(&file, ContactKind::Pin, &effectors, &paths),
                &found.loads,
            );
        }
        Ok::<_, AnalysisError>((found, paths))
    };
    let (mut found, mut paths) = run(1.0)?;
    let mut clock = clock::judge(header_hz, &found.evidence, body.stature_m(), options);
    if matches!(clock.finding, ClockFinding::Agrees | ClockFinding::NoEvidence) && found.has_unclear_flights_only() {
        for factor in clock::SLOWER {
            if let Some(g) = run(factor)?.0.clear_fall_g(options) {
                // By the header's clock, as the median is.
                clock.median_g = Some(g / (factor * factor));
                clock.finding = ClockFinding::WrongRate { factor };
                break;
            }
        }
    }
    if let ClockFinding::WrongRate { factor } = clock.finding {
        let (found_then, paths_then) = run(factor)?;
        match found_then.disputed_g(options) {
            Some(g) => clock.finding = ClockFinding::DisputedRate { factor, g },
            None if options.correct_rate => {
                (found, paths) = (found_then, paths_then);
                clock.used_hz = header_hz * factor;
            }
            None => {}
        }
    }
    // Bending slides feet as fast as it likes: contacts that went through it belong to the clip all the same.
    if let Some(file) = given.as_ref().filter(|file| file.carried.is_none()) {
        manual_contacts::check_motion(&file.in_clock_of(Some(clock.used_hz)), &effectors, &paths, &found)?;
    }
    let standing_m = found.standing_m();
    let mut analysis = report(effectors, &recorded, &found, clock, given.as_ref(), options);
    if let Some(carried) = given.as_ref().and_then(|file| file.carried.as_ref()) {
        analysis.carry(carried, found.step_secs);
    }
    let traces = recorded.into_traces(clock.used_hz / header_hz, standing_m, Some(paths));
    Ok(Seen { contacts: analysis, traces })
}

fn nothing_to_say(effectors: Vec<Effector>, recorded: &Recorded, options: &ContactOptions) -> ContactAnalysis {
    let clock = clock::judge(recorded.hz, &[], None, options);
    ContactAnalysis {
        effectors,
        contacts: Vec::new(),
        pins: Vec::new(),
        flights: Vec::new(),
        other: Vec::new(),
        floor_height_m: None,
        clock,
        stray_first_frame: recorded.stray_first_frame,
        spikes: Vec::new(),
        warnings: vec![match recorded.frames() {
            0 | 1 => "fewer than two frames: nothing moves, so contacts and flights cannot be told".to_owned(),
            _ => format!("frames are too far apart ({:.3} Hz): contacts and flights cannot be told", recorded.hz),
        }],
    }
}

fn report(
    effectors: Vec<Effector>,
    recorded: &Recorded,
    found: &Detection,
    clock: Clock,
    given: Option<&ContactFile>,
    options: &ContactOptions,
) -> ContactAnalysis {
    let source_of = |kind: ContactKind, effector: &str, secs: (f64, f64)| {
        let entries = given.map_or(&[][..], |file| &file.contacts).iter();
        let middle_secs = 0.5 * (secs.0 + secs.1) * (clock.used_hz / clock.header_hz);
        let mut same = entries.filter(|entry| entry.kind == kind && entry.effector == effector);
        same.find(|entry| (entry.start_secs..entry.end_secs).contains(&middle_secs))
            .map_or(ContactSource::Auto, |it| it.source)
    };
    let mut contacts = Vec::new();
    for (index, effector) in effectors.iter().enumerate() {
        contacts.extend(found.loads[index].iter().map(|load| {
            let (start_secs, end_secs) = found.secs_of(load);
            let source = source_of(ContactKind::Load, &effector.name, (start_secs, end_secs));
            let raised_m = found.raised_m(index, load, options);
            Contact { effector: effector.name.clone(), start_secs, end_secs, raised_m, source }
        }));
    }
    let pins = found.pins.iter().map(|pin| {
        let effector = effectors[pin.effector].name.clone();
        let ((start_secs, end_secs), (load_start_secs, load_end_secs)) =
            (found.secs_of(&pin.pinned), found.secs_of(&pin.load));
        let source = source_of(ContactKind::Pin, &effector, (start_secs, end_secs));
        Pin { effector, start_secs, end_secs, load_start_secs, load_end_secs, source }
    });
    let flights: Vec<Flight> = found
        .flights
        .iter()
        .map(|flight| {
            let (start_secs, end_secs) = found.secs_of(&flight.span.trimmed);
            let (kinematic_start_secs, kinematic_end_secs) = found.secs_of(&flight.span.kinematic);
            let (fall, kinematic_fall, verdict) = (flight.fall, flight.kinematic_fall, flight.verdict);
            Flight { start_secs, end_secs, kinematic_start_secs, kinematic_end_secs, fall, kinematic_fall, verdict }
        })
        .collect();
    let doubtful = found.flights.iter().filter(|flight| flight.verdict == Verdict::Doubtful);
    let mut other: Vec<OtherSpan> = doubtful
        .map(|flight| &flight.span.trimmed)
        .chain(&found.doubtful_airborne)
        .map(|range| found.secs_of(range))
        .map(|(start_secs, end_secs)| OtherSpan { reason: OtherReason::DoubtfulFall, start_secs, end_secs })
        .collect();
    other.sort_by(|a, b| a.start_secs.total_cmp(&b.start_secs));
    let warnings = warnings(&effectors, recorded, &contacts, &clock);
    ContactAnalysis {
        pins: pins.collect(),
        contacts,
        flights,
        other,
        floor_height_m: found.floor_m,
        clock,
        stray_first_frame: recorded.stray_first_frame,
        spikes: recorded.spikes.clone(),
        warnings,
        effectors,
    }
}

fn warnings(effectors: &[Effector], recorded: &Recorded, contacts: &[Contact], clock: &Clock) -> Vec<String> {
    let mut warnings: Vec<String> = clock.warning().into_iter().collect();
    if recorded.stray_first_frame {
        warnings.push("the first frame is a pose that does not belong to the motion; it is left out".to_owned());
    }
    if !recorded.spikes.is_empty() {
        let frames: std::collections::BTreeSet<usize> = recorded.spikes.iter().map(|spike| spike.frame.0).collect();
        let shown: Vec<String> = frames.iter().take(5).map(usize::to_string).collect();
        let more = if frames.len() > shown.len() { ", …" } else { "" };
        warnings.push(format!("points jump away for one or two frames (at frame {}{more}); bridged", shown.join(", ")));
    }
    if effectors.is_empty() {
        warnings.push("no feet are known and no points were named: contacts and flights cannot be told".to_owned());
    } else if contacts.is_empty() {
        warnings.push("no point ever stands still near a floor: no contact, so no flight either".to_owned());
    }
    warnings
}

impl ContactAnalysis {
    /// As a contact file: loads and pins by time.
    pub fn to_file(&self) -> ContactFile {
        let entry = |effector: &String, start_secs, end_secs, kind, source| ContactEntry {
            effector: effector.clone(),
            start_secs,
            end_secs,
            kind,
            source,
        };
        let loads = self
            .contacts
            .iter()
            .map(|it| entry(&it.effector, it.start_secs, it.end_secs, ContactKind::Load, it.source));
        let pins =
            self.pins.iter().map(|it| entry(&it.effector, it.start_secs, it.end_secs, ContactKind::Pin, it.source));
        let mut contacts: Vec<ContactEntry> = loads.chain(pins).collect();
        contacts.sort_by(|a, b| a.start_secs.total_cmp(&b.start_secs));
        let frame_rate_hz = Some(self.clock.used_hz).filter(|hz| *hz > 0.0);
        ContactFile { schema: side_file::SCHEMA, frame_rate_hz, frames: None, carried: None, contacts }
    }

    /// Contacts of one effector, by time.
    pub fn contacts_of<'a>(&'a self, effector: &'a str) -> impl Iterator<Item = &'a Contact> {
        self.contacts.iter().filter(move |contact| contact.effector == effector)
    }
}

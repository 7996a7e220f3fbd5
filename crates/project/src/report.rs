//! What `inspect --json` says of a clip (`docs/schemas/inspect.schema.json`). Names stay; what cannot be said is
//! `null`.

use crate::inspect::Inspected;
use crate::judgement::Judgement;
use aplomb_analysis::contacts::{ClockFinding, ContactSource, Verdict};
use aplomb_analysis::report::{
    BalanceSummary, Checks, FrictionSummary, PenetrationSummary, PhaseKind, ScorePart, SkateSummary, Transition,
    ZmpSummary,
};
use aplomb_editing::finding::Wording;
use aplomb_formats::{Diagnostic, Severity};
use serde::Serialize;
use std::collections::BTreeMap;

/// One clip. All times are seconds from the file's first frame at `fps`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ClipReport {
    /// As it was given.
    pub file: String,
    /// Frames of the file, a stray first one included.
    pub frames: usize,
    /// From the first frame to the last, s.
    pub duration_secs: f64,
    /// Rate that was used, Hz.
    pub fps: Option<f64>,
    /// Rate that the file states, Hz; AMC files state none.
    pub fps_header: Option<f64>,
    /// Metres per unit of the file.
    pub unit_m: f64,
    /// Of people, m.
    pub stature_m: Option<f64>,
    /// How many joints.
    pub joints: usize,
    /// Headline, the three things that a clip is judged by, and what is wrong when.
    #[serde(flatten)]
    pub judgement: Judgement,
    /// 0–100, of all three, without what is carried by something unmodelled; `null` where less than half of the clip is
    /// judged.
    pub score: Option<f64>,
    /// 0–100 with it: what two versions of a clip are compared by.
    pub score_all: Option<f64>,
    /// The measures of `score`, by name.
    pub score_parts: BTreeMap<&'static str, PartReport>,
    /// The measures of `score_all`, by name.
    pub score_all_parts: BTreeMap<&'static str, PartReport>,
    /// The measure that costs most.
    pub score_worst: Option<&'static str>,
    /// False without a score, and where more than 0.3 of the time is carried by something unmodelled.
    pub judged: bool,
    /// Share of frames that physics judges.
    pub judged_share: f64,
    /// Share of time carried by something unmodelled; `null` where that is not known.
    pub other_share: Option<f64>,
    /// What people should know.
    pub warnings: Vec<String>,
    /// What carries the body, by time.
    pub phases: Vec<PhaseReport>,
    /// Points that carry weight, by effector, then time.
    pub contacts: Vec<ContactReport>,
    /// By time.
    pub flights: Vec<FlightReport>,
    /// At each change of phase.
    pub transitions: Vec<Transition>,
    /// Zero-moment point.
    pub zmp: ZmpSummary,
    /// Sliding.
    pub skate: SkateSummary,
    /// Under the floor.
    pub penetration: PenetrationSummary,
    /// Friction.
    pub friction: FrictionSummary,
    /// Static balance.
    pub balance: BalanceSummary,
    /// Joint limits, jitter, self-intersection.
    pub checks: Checks,
    /// Gravity against the header.
    pub clock: ClockReport,
    /// The body that forces are for.
    pub body: BodyReport,
    /// Whether the first frame does not belong to the motion; it is left out of the physics and stays in the file.
    pub stray_first_frame: bool,
    /// Height that the clip stands on, m.
    pub floor_height_m: Option<f64>,
    /// What the reader noticed.
    pub diagnostics: Vec<Diagnostic>,
}

/// One measure of the score.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PartReport {
    /// In `unit`; `null` where it does not apply.
    pub value: Option<f64>,
    /// m, g, mm, mm/s or 1.
    pub unit: &'static str,
    /// 1 is faultless; `null` where it does not apply.
    pub quality: Option<f64>,
}

/// A span in which the same side carries the body.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PhaseReport {
    /// What carries the body.
    pub kind: PhaseKind,
    /// Start, s.
    pub start_secs: f64,
    /// End, s.
    pub end_secs: f64,
}

/// A point that carries weight for a while.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ContactReport {
    /// Which point.
    pub effector: String,
    /// Touchdown.
    pub start_secs: f64,
    /// Lift-off.
    pub end_secs: f64,
    /// How far it slides.
    pub drift_m: Option<f64>,
    /// How deep it goes under the floor.
    pub penetration_m: Option<f64>,
    /// Height of the support over the usual one, if it is another.
    pub raised_m: Option<f64>,
    /// Found or given.
    pub source: ContactSource,
}

/// A span without contact.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct FlightReport {
    /// Start of the time without force, s.
    pub start_secs: f64,
    /// End of it, s.
    pub end_secs: f64,
    /// Start of the time with no point down, s.
    pub kinematic_start_secs: f64,
    /// End of it, s.
    pub kinematic_end_secs: f64,
    /// Fitted downward acceleration, m/s².
    pub g: Option<f64>,
    /// Distance from the parabola, m.
    pub residual_m: Option<f64>,
    /// Largest sideways distance from a straight line, m.
    pub bend_m: Option<f64>,
    /// Change of the horizontal velocity, m/s.
    pub speed_drift: Option<f64>,
    /// Spread of the angular momentum over mass × stature², 1/s.
    pub momentum_spread: Option<f64>,
    /// Height of the apex over take-off, m.
    pub rise_m: Option<f64>,
    /// Whether people would not notice its g.
    pub looks_right: Option<bool>,
    /// Verified, short or doubtful.
    pub verdict: Verdict,
}

/// Gravity against the header.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ClockReport {
    /// `no_evidence`, `agrees`, `wrong_rate`, `disputed_rate` or `wrong_unit`.
    pub finding: &'static str,
    /// Whether `fps` is another rate than the one the file was read with.
    pub corrected: bool,
    /// True rate over the one it was read with, if that is wrong.
    pub rate_factor: Option<f64>,
    /// What lengths must be multiplied with, if the unit is wrong.
    pub unit_factor: Option<f64>,
    /// Median g of the flights by the rate it was read with, m/s².
    pub median_g: Option<f64>,
    /// How many flights that is.
    pub flights: usize,
}

/// The body that forces are for.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BodyReport {
    /// kg; `null` where it is not known: a skeleton that is no known animal, and no mass given.
    pub total_mass_kg: Option<f64>,
    /// Links with mass.
    pub links: usize,
    /// Table, guess or file.
    pub source: String,
    /// Biped, quadruped, single or unknown.
    pub plan: aplomb_motion::roles::BodyPlan,
}

impl Inspected {
    /// As `inspect --json` shows it, in these words.
    pub fn report(&self, words: Wording) -> ClipReport {
        ClipReport::new(self, words)
    }
}

impl ClipReport {
    /// Collects what was found.
    pub fn new(inspected: &Inspected, words: Wording) -> Self {
        let Inspected { import, body, inspection, .. } = inspected;
        let found = &inspection.contacts;
        let phases = inspection.phases.iter();
        let contacts = found.contacts.iter().zip(&inspection.contact_reports);
        let flights = found.flights.iter().zip(&inspection.flight_reports);
        Self {
            file: import.path.display().to_string(),
            frames: import.clip.frame_count(),
            duration_secs: inspected.clip().duration_secs(),
            fps: Some(found.clock.used_hz).filter(|hz| *hz > 0.0),
            fps_header: inspected.header_hz(),
            unit_m: import.frame().metres_per_unit,
            stature_m: body.stature_m(),
            joints: import.clip.skeleton().len(),
            judgement: Judgement::of(inspection, words),
            score: inspection.score.score,
            score_all: inspection.score.score_all,
            score_parts: by_name(&inspection.score.parts),
            score_all_parts: by_name(&inspection.score.parts_all),
            score_worst: inspection.score.worst,
            judged: inspection.score.judged,
            judged_share: inspection.score.judged_share,
            other_share: inspection.other_share,
            warnings: warnings(inspected),
            phases: phases
                .map(|it| PhaseReport { kind: it.kind, start_secs: it.start_secs, end_secs: it.end_secs })
                .collect(),
            contacts: contacts
                .map(|(contact, report)| ContactReport {
                    effector: contact.effector.clone(),
                    start_secs: contact.start_secs,
                    end_secs: contact.end_secs,
                    drift_m: report.drift_m,
                    penetration_m: report.penetration_m,
                    raised_m: contact.raised_m,
                    source: contact.source,
                })
                .collect(),
            flights: flights
                .map(|(flight, report)| FlightReport {
                    start_secs: flight.start_secs,
                    end_secs: flight.end_secs,
                    kinematic_start_secs: flight.kinematic_start_secs,
                    kinematic_end_secs: flight.kinematic_end_secs,
                    g: report.g,
                    residual_m: report.residual_m,
                    bend_m: report.bend_m,
                    speed_drift: report.speed_drift,
                    momentum_spread: report.momentum_spread,
                    rise_m: report.rise_m,
                    looks_right: report.looks_right,
                    verdict: report.verdict,
                })
                .collect(),
            transitions: inspection.transitions.clone(),
            zmp: inspection.zmp,
            skate: inspection.skate,
            penetration: inspection.penetration,
            friction: inspection.friction,
            balance: inspection.balance,
            checks: inspection.checks.clone(),
            clock: clock(inspected),
            body: BodyReport {
                total_mass_kg: body.told_mass_kg(),
                links: body.links().len(),
                source: body.source().title(),
                plan: import.roles.plan(),
            },
            stray_first_frame: found.stray_first_frame,
            floor_height_m: found.floor_height_m,
            diagnostics: import.diagnostics.clone(),
        }
    }
}

fn by_name(parts: &[ScorePart]) -> BTreeMap<&'static str, PartReport> {
    let report = |part: &ScorePart| PartReport {
        value: part.value,
        unit: part.unit,
        // What does not apply costs nothing, which is not the same as being faultless.
        quality: part.value.map(|_| part.quality),
    };
    parts.iter().map(|part| (part.name, report(part))).collect()
}

/// The report's own, and what the reader warned of: filters of datasets read one list.
fn warnings(inspected: &Inspected) -> Vec<String> {
    let of_reader = inspected.import.diagnostics.iter().filter(|it| it.severity == Severity::Warning);
    inspected.inspection.warnings.iter().cloned().chain(of_reader.map(ToString::to_string)).collect()
}

fn clock(inspected: &Inspected) -> ClockReport {
    let clock = &inspected.inspection.contacts.clock;
    let (finding, rate_factor, unit_factor) = match clock.finding {
        ClockFinding::NoEvidence => ("no_evidence", None, None),
        ClockFinding::Agrees => ("agrees", None, None),
        ClockFinding::WrongRate { factor } => ("wrong_rate", Some(factor), None),
        ClockFinding::DisputedRate { factor, .. } => ("disputed_rate", Some(factor), None),
        ClockFinding::WrongUnit { scale } => ("wrong_unit", None, Some(scale)),
    };
    let corrected = clock.used_hz != clock.header_hz;
    let (median_g, flights) = (clock.median_g, clock.flights);
    ClockReport { finding, corrected, rate_factor, unit_factor, median_g, flights }
}

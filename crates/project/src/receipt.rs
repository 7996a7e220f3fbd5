//! The receipt of a change: the same measures of a clip before and after it. Every verb that edits prints one.
//!
//! Both versions are judged alike, or a change would gain by changing the judge: one body, made from the first; one
//! contact file, if there is one; and one clock. The second clip never gets a rate correction of its own: played at
//! double speed it falls at 4 g, and correcting that would make the damage vanish.

use crate::error::ProjectError;
use crate::inspect::{InspectRequest, Inspected, inspect_file, inspect_import};
use crate::load::{RateChoice, header_hz, read_at};
use crate::report::ClipReport;
use aplomb_editing::finding::by_meaning;
use aplomb_editing::footplant::Drift;
use aplomb_motion::{FrameTime, Skeleton};
use aplomb_physics::GRAVITY;
use serde::Serialize;
use std::path::Path;

/// What a measure did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Change {
    /// It improved by more than the least change that counts.
    Better,
    /// It got worse by more than the least change that counts.
    Worse,
    /// It moved by less than that.
    Same,
    /// It moved, and neither way is better.
    Different,
    /// It can be said of one of the two clips only, or of none.
    Unknown,
}

/// One measure before and after.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Measure {
    /// Path in the JSON report: `score_all`, `zmp.mean_m`, `parts.drift` …
    pub measure: String,
    /// For people.
    pub title: String,
    /// m, g, mm, mm/s, s, points, 1, share or count.
    pub unit: &'static str,
    /// Of the first clip.
    pub before: Option<f64>,
    /// Of the second.
    pub after: Option<f64>,
    /// What that means.
    pub change: Change,
}

/// Two versions of a clip, measure by measure.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Receipt {
    /// 1.
    pub schema: u32,
    /// The first clip.
    pub before: ClipReport,
    /// The second.
    pub after: ClipReport,
    /// All measures, the score first.
    pub changes: Vec<Measure>,
}

impl Receipt {
    /// How many measures became better, and worse.
    pub fn counts(&self) -> (usize, usize) {
        let count = |change: Change| self.changes.iter().filter(|measure| measure.change == change).count();
        (count(Change::Better), count(Change::Worse))
    }
}

/// Reads and judges two versions of a clip with the body, the contacts and the clock of the first.
pub fn compare_files(
    before: &Path,
    after: &Path,
    request: &InspectRequest,
) -> Result<(Inspected, Inspected, Receipt), ProjectError> {
    let before = inspect_file(before, request)?;
    let after = read_at(after, &request.read, rate_of_second(after, &before, request)?)?;
    let body = before.body.clone();
    let skeletons = [before.import.clip.skeleton(), after.clip.skeleton()];
    body.check_skeleton(skeletons[1]).map_err(|_| ProjectError::DifferentSkeletons {
        before: before.import.path.clone(),
        after: after.path.clone(),
        detail: difference(skeletons[0], skeletons[1]),
    })?;
    // Not `Auto`: see the module's words on the clock.
    let second = InspectRequest { rate: RateChoice::Header, ..request.clone() };
    let after = inspect_import(after, body, &second)?;
    let words = request.words.unwrap_or(by_meaning);
    let receipt = compare(before.report(words), after.report(words));
    Ok((before, after, receipt))
}

/// The first thing that two skeletons differ in.
pub(crate) fn difference(before: &Skeleton, after: &Skeleton) -> String {
    let (first, second) = (before.joints(), after.joints());
    match first.iter().zip(second).enumerate().find(|(_, (a, b))| a.name != b.name) {
        Some((index, (a, b))) => {
            format!("joint {} is {:?} in the first and {:?} in the second", index + 1, a.name, b.name)
        }
        None if first.len() != second.len() => {
            format!("{} joints in the first and {} in the second", first.len(), second.len())
        }
        None => "the same names, joined in another way".to_owned(),
    }
}

/// The second clip is read by the first's clock if their headers say the same, else by its own header: that is then
/// what was corrected.
fn rate_of_second(after: &Path, before: &Inspected, request: &InspectRequest) -> Result<RateChoice, ProjectError> {
    let clock = &before.inspection.contacts.clock;
    if clock.used_hz == clock.header_hz {
        return Ok(if request.rate == RateChoice::Auto { RateChoice::Header } else { request.rate });
    }
    let header = header_hz(&read_at(after, &request.read, RateChoice::Header)?);
    match (header == before.header_hz(), FrameTime::from_hz(clock.used_hz)) {
        (true, Ok(frame_time)) => Ok(RateChoice::Given(frame_time)),
        _ => Ok(RateChoice::Header),
    }
}

/// Compares two reports that were made alike.
pub fn compare(before: ClipReport, after: ClipReport) -> Receipt {
    let mut changes: Vec<Measure> = MEASURES.iter().map(|rule| rule.compare(&before, &after)).collect();
    for (&name, part) in &before.score_all_parts {
        let values = [part.value, after.score_all_parts.get(name).and_then(|part| part.value)];
        // A measure is what the score sees: below a hundredth of the allowance of any part a change means nothing.
        let (title, least) = part_words(name);
        changes.push(measure(format!("parts.{name}"), title, part.unit, Good::Low, least, values));
    }
    Receipt { schema: 1, before, after, changes }
}

/// How far planted points drift: the frames in which a point is held, where the slides of the report are of whole
/// stances, with feet that roll on and push off. In millimetres, as that is what planting is judged by.
pub(crate) fn planted_measures(before: Option<Drift>, after: Drift) -> [Measure; 2] {
    let row = |name: &str, title: &str, value: fn(&Drift) -> f64, least: f64| {
        let values = [before.as_ref().map(value), Some(value(&after))].map(|metres| metres.map(|metres| 1e3 * metres));
        measure(name.to_owned(), title, "mm", Good::Low, least, values)
    };
    [
        row("planted.worst_mm", "drift of planted points, worst", |it| it.worst_m, 0.5),
        row("planted.mean_mm", "drift of planted points, mean", |it| it.mean_m, 0.1),
    ]
}

/// Which way is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Good {
    High,
    Low,
    Neither,
}

/// A measure of a whole clip, and the smallest change of it that means something.
struct Rule {
    name: &'static str,
    title: &'static str,
    unit: &'static str,
    good: Good,
    least: f64,
    value: fn(&ClipReport) -> Option<f64>,
}

impl Rule {
    fn compare(&self, before: &ClipReport, after: &ClipReport) -> Measure {
        let values = [(self.value)(before), (self.value)(after)];
        measure(self.name.to_owned(), self.title, self.unit, self.good, self.least, values)
    }
}

fn measure(
    measure: String,
    title: &str,
    unit: &'static str,
    good: Good,
    least: f64,
    [before, after]: [Option<f64>; 2],
) -> Measure {
    let change = match (before, after) {
        (Some(before), Some(after)) if (after - before).abs() < least => Change::Same,
        (Some(_), Some(_)) if good == Good::Neither => Change::Different,
        (Some(before), Some(after)) if (after > before) == (good == Good::High) => Change::Better,
        (Some(_), Some(_)) => Change::Worse,
        _ => Change::Unknown,
    };
    Measure { measure, title: title.to_owned(), unit, before, after, change }
}

/// Least changes: half a millimetre is what captures repeat to, half a point and half a per cent what is shown.
const MEASURES: &[Rule] = &[
    Rule {
        name: "score_all",
        title: "score, all frames",
        unit: "points",
        good: Good::High,
        least: 0.05,
        value: |it| it.score_all,
    },
    Rule { name: "score", title: "score", unit: "points", good: Good::High, least: 0.05, value: |it| it.score },
    Rule {
        name: "aspects.physics_all",
        title: "physics, all frames",
        unit: "points",
        good: Good::High,
        least: 0.05,
        value: |it| it.judgement.aspects.physics_all,
    },
    Rule {
        name: "aspects.body",
        title: "body",
        unit: "points",
        good: Good::High,
        least: 0.05,
        value: |it| it.judgement.aspects.body,
    },
    Rule {
        name: "aspects.recording",
        title: "recording",
        unit: "points",
        good: Good::High,
        least: 0.05,
        value: |it| it.judgement.aspects.recording,
    },
    Rule {
        name: "other_share",
        title: "carried by something unknown",
        unit: "share",
        good: Good::Low,
        least: 0.005,
        value: |it| it.other_share,
    },
    Rule {
        name: "zmp.mean_m",
        title: "ZMP outside the support, mean",
        unit: "m",
        good: Good::Low,
        least: 5e-4,
        value: |it| it.zmp.mean_m,
    },
    Rule {
        name: "zmp.p95_m",
        title: "ZMP outside the support, 95 % of time",
        unit: "m",
        good: Good::Low,
        least: 5e-4,
        value: |it| it.zmp.p95_m,
    },
    Rule {
        name: "skate.mean_m",
        title: "slide of a contact, mean",
        unit: "m",
        good: Good::Low,
        least: 5e-4,
        value: |it| it.skate.mean_m,
    },
    Rule {
        name: "skate.max_m",
        title: "slide of a contact, worst",
        unit: "m",
        good: Good::Low,
        least: 5e-4,
        value: |it| it.skate.max_m,
    },
    Rule {
        name: "penetration.max_m",
        title: "deepest under the floor",
        unit: "m",
        good: Good::Low,
        least: 5e-4,
        value: |it| it.penetration.max_m,
    },
    Rule {
        name: "friction.p95",
        title: "friction needed, 95 % of time",
        unit: "1",
        good: Good::Low,
        least: 5e-3,
        value: |it| it.friction.p95,
    },
    Rule {
        name: "friction.outside_share",
        title: "beyond the friction cone",
        unit: "share",
        good: Good::Low,
        least: 0.005,
        value: |it| it.friction.outside_share,
    },
    Rule {
        name: "balance.outside_share",
        title: "out of static balance",
        unit: "share",
        good: Good::Neither,
        least: 0.005,
        value: |it| it.balance.outside_share,
    },
    Rule {
        name: "flights.count",
        title: "flights",
        unit: "count",
        good: Good::Neither,
        least: 0.5,
        value: |it| Some(it.flights.len() as f64),
    },
    Rule {
        name: "flights.g_error",
        title: "g of flights, worst error",
        unit: "g",
        good: Good::Low,
        least: 5e-3,
        value: |it| worst(it, |flight| flight.g.map(|g| (g / GRAVITY - 1.0).abs())),
    },
    Rule {
        name: "flights.residual_m",
        title: "off the parabola, worst flight",
        unit: "m",
        good: Good::Low,
        least: 5e-4,
        value: |it| worst(it, |flight| flight.residual_m),
    },
    Rule {
        name: "flights.bend_m",
        title: "bend of a flight, worst",
        unit: "m",
        good: Good::Low,
        least: 5e-4,
        value: |it| worst(it, |flight| flight.bend_m),
    },
    Rule {
        name: "checks.count",
        title: "findings of joints and limbs",
        unit: "count",
        good: Good::Low,
        least: 0.5,
        value: |it| {
            Some((it.checks.joint_limits.len() + it.checks.jitter.len() + it.checks.intersections.len()) as f64)
        },
    },
    Rule {
        name: "duration_secs",
        title: "length",
        unit: "s",
        good: Good::Neither,
        least: 5e-3,
        value: |it| Some(it.duration_secs),
    },
];

/// Over flights that can be judged: short ones have no g worth the name.
fn worst(report: &ClipReport, value: fn(&crate::report::FlightReport) -> Option<f64>) -> Option<f64> {
    let judged = report.flights.iter().filter(|flight| flight.verdict != aplomb_analysis::contacts::Verdict::Short);
    judged.filter_map(value).max_by(f64::total_cmp)
}

/// Words for a measure of the score, and the least change of it that means something: a hundredth of what halves the
/// score.
fn part_words(name: &str) -> (&'static str, f64) {
    match name {
        "support" => ("missing support", 4e-4),
        "drift" => ("drift of the feet", 6e-4),
        "fall" => ("error of falling", 4e-3),
        "tremor" => ("tremor", 1.5e-2),
        "pops" => ("jumps of the whole body", 0.6),
        "friction" => ("friction of the score", 9e-3),
        "floor" => ("floor away from zero", 1.2e-3),
        "hover" => ("feet over or under the floor", 3e-4),
        _ => ("another measure", 1e-6),
    }
}

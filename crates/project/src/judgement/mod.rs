//! What a clip is judged to be, in words: the headline, the three things that it is judged by, and the moments at which
//! something is wrong. Terminal, JSON, pages, tables and studio show this and nothing of their own.
//!
//! A fault is told from [`LEAST_TOLD_COST`] on. Green is for clips without any: a number alone never makes it.

mod faults;

pub use faults::{code_of, finding_of, is_of_whole_clip};

use crate::codes;
use aplomb_analysis::Inspection;
use aplomb_analysis::report::{Aspect, Fault, Moment, Score};
use aplomb_analysis::score::JUDGED_OTHER_SHARE;
use aplomb_editing::finding::{Finding, Wording};
use serde::Serialize;

/// A moment that costs less is within what captures do: it takes fewer than five points of a hundred.
pub const LEAST_TOLD_COST: f64 = 0.05;

/// A moment that costs this much takes half of its aspect, so the clip is poor whatever else it does.
const GROSS_COST: f64 = 1.0;

/// Moments that are listed; the JSON says how many more there are.
const MOST_TOLD_MOMENTS: usize = 30;

/// Below this something is wrong, if only a little everywhere: clean captures keep a median of 90.
const LEAST_RIGHT_POINTS: f64 = 90.0;

/// Half of what can be reached is lost.
const LEAST_FAIR_POINTS: f64 = 50.0;

/// As lights show it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Grade {
    /// Nothing is wrong. Green.
    Good,
    /// Something is wrong. Amber.
    Fair,
    /// Something is badly wrong. Red.
    Poor,
    /// Nothing is wrong that can be judged, but physics cannot be. Grey.
    NotJudged,
}

impl Grade {
    /// By points of a hundred and the worst fault, if any.
    fn of(points: f64, worst: Option<&Moment>) -> Self {
        match worst {
            _ if points < LEAST_FAIR_POINTS => Self::Poor,
            Some(worst) if worst.cost >= GROSS_COST => Self::Poor,
            None if points >= LEAST_RIGHT_POINTS => Self::Good,
            _ => Self::Fair,
        }
    }
}

/// The three things that a motion is judged by, 0–100 each; `null` for what cannot be judged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Aspects {
    /// Balance, weight, flight and feet.
    pub physics: Option<f64>,
    /// The same with frames carried by something unmodelled: what two versions of a clip are compared by.
    pub physics_all: Option<f64>,
    /// Poses and how they follow each other.
    pub body: Option<f64>,
    /// Rate, unit, gaps and labels.
    pub recording: Option<f64>,
}

/// Something wrong, where and when, in words.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MomentReport {
    /// Stable, for programs.
    pub code: &'static str,
    /// What is wrong, by its name.
    pub fault: Fault,
    /// What it is about.
    pub aspect: Aspect,
    /// A joint as the file names it, or a contact point (`left_ball`); `null` for the whole body.
    pub joint: Option<String>,
    /// The other part of the body, of two that are inside each other.
    pub other: Option<String>,
    /// When it begins, s.
    pub start_secs: f64,
    /// When it ends, s.
    pub end_secs: f64,
    /// When it is worst, s.
    pub secs: f64,
    /// How much, in `unit`.
    pub size: f64,
    /// m, mm, g, °, s and what they are divided by; 1 for a ratio.
    pub unit: &'static str,
    /// No loss up to this, in `unit`.
    pub allowance: f64,
    /// What it costs: 1 takes half of its aspect.
    pub cost: f64,
    /// A sentence without its full stop.
    pub text: String,
}

impl MomentReport {
    fn new(moment: &Moment, words: Wording) -> Self {
        Self {
            code: code_of(moment.fault).id,
            fault: moment.fault,
            aspect: moment.fault.aspect(),
            joint: moment.joint.clone(),
            other: moment.other.clone(),
            start_secs: moment.start_secs,
            end_secs: moment.end_secs,
            secs: moment.secs,
            size: moment.size,
            unit: moment.fault.unit(),
            allowance: moment.allowance,
            cost: moment.cost,
            text: capitalized(&words(&finding_of(moment))),
        }
    }

    /// Whether it has no time of its own.
    pub fn is_of_whole_clip(&self) -> bool {
        is_of_whole_clip(self.fault)
    }
}

/// A clip's verdict.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Judgement {
    /// Scores of different versions do not compare.
    pub score_version: u32,
    /// As lights show it.
    pub grade: Grade,
    /// Whether the motion is good, and if not what is worst, in a sentence.
    pub headline: String,
    /// Stable, for programs.
    pub headline_code: &'static str,
    /// Why physics is not judged, in a sentence; `null` where it is.
    pub not_judged: Option<String>,
    /// The three things that it is judged by.
    pub aspects: Aspects,
    /// Which of them is worst; `null` where nothing is wrong.
    pub worst_aspect: Option<Aspect>,
    /// What is wrong, the costliest first.
    pub moments: Vec<MomentReport>,
    /// How many more there are.
    pub more_moments: usize,
    /// The number that is shown large; none where physics is not judged, since it would stand for something else.
    #[serde(skip)]
    pub shown_score: Option<f64>,
    /// Grade of each aspect by itself, in the order physics, body, recording.
    #[serde(skip)]
    pub aspect_grades: [Grade; 3],
    /// The same by all frames, which two versions of a clip are compared by.
    #[serde(skip)]
    by_all: ByAllFrames,
}

/// Number, grades and headline of a clip with all its frames, those that something unrecorded carries among them.
#[derive(Clone, Debug, PartialEq)]
struct ByAllFrames {
    score: Option<f64>,
    grade: Grade,
    physics_grade: Grade,
    headline: String,
}

impl Judgement {
    /// Of a report.
    pub fn of(inspection: &Inspection, words: Wording) -> Self {
        let score = &inspection.score;
        let not_judged = why_not_judged(inspection);
        let is_told = |moment: &&Moment| {
            let is_judged = score.judged || moment.fault.aspect() != Aspect::Physics;
            is_judged && moment.cost > LEAST_TOLD_COST
        };
        let mut told: Vec<&Moment> = score.moments.iter().filter(is_told).collect();
        told.sort_by(|a, b| b.cost.total_cmp(&a.cost));
        let of_worst = told.iter().find(|moment| Some(moment.fault.aspect()) == score.worst_aspect);
        let worst = of_worst.or(told.first()).copied();
        let shown_score = score.score.filter(|score_points| score.judged && score_points.is_finite());
        let headline = match (worst, shown_score) {
            (Some(worst), _) => finding_of(worst),
            (None, Some(points)) if points < LEAST_RIGHT_POINTS => {
                Finding::of(codes::SMALL_FAULTS).value("part", costliest(score))
            }
            (None, Some(_)) => Finding::of(codes::LOOKS_RIGHT),
            (None, None) => Finding::of(codes::REST_LOOKS_RIGHT),
        };
        let by_all = ByAllFrames::of(inspection, (&headline, worst), words);
        let (not_judged, others) = (not_judged.map(|finding| as_sentence(&words(&finding))), told.len());
        Self {
            score_version: score.version,
            grade: grade(score, shown_score, worst),
            headline: as_sentence(&words(&headline)),
            headline_code: headline.code.id,
            not_judged,
            aspects: Aspects {
                physics: score.physics,
                physics_all: score.physics_all,
                body: score.body,
                recording: score.recording,
            },
            worst_aspect: match worst {
                Some(moment) => Some(moment.fault.aspect()),
                None => score.worst_aspect.filter(|_| headline.code == codes::SMALL_FAULTS),
            },
            moments: told.iter().take(MOST_TOLD_MOMENTS).map(|moment| MomentReport::new(moment, words)).collect(),
            more_moments: others.saturating_sub(MOST_TOLD_MOMENTS),
            shown_score,
            aspect_grades: aspect_grades(score, &told),
            by_all,
        }
    }

    /// As two versions of a clip are compared: by all frames, so that none looks better for what nothing carries.
    #[must_use]
    pub fn by_all_frames(&self) -> Self {
        let mut all = self.clone();
        all.aspects.physics = self.aspects.physics_all;
        all.shown_score = self.by_all.score;
        all.grade = self.by_all.grade;
        all.aspect_grades[0] = self.by_all.physics_grade;
        all.headline.clone_from(&self.by_all.headline);
        all.not_judged = None;
        all
    }

    /// Headline and, where physics is not judged, why.
    pub fn sentences(&self) -> String {
        self.not_judged.iter().fold(self.headline.clone(), |text, why| format!("{text} {why}"))
    }

    /// When the worst moment is, if it has a time of its own.
    pub fn worst_moment_secs(&self) -> Option<f64> {
        let worst = self.moments.iter().find(|moment| moment.code == self.headline_code);
        worst.filter(|moment| !moment.is_of_whole_clip()).map(|moment| moment.secs)
    }
}

impl ByAllFrames {
    fn of(inspection: &Inspection, (headline, worst): (&Finding, Option<&Moment>), words: Wording) -> Self {
        let score = &inspection.score;
        let is_short = |points: Option<f64>| points.is_some_and(|points| points < LEAST_RIGHT_POINTS);
        let unsupported = Finding::of(codes::UNSUPPORTED).value("share", inspection.other_share.unwrap_or(0.0));
        let is_unsupported = !score.judged && is_short(score.physics_all);
        let headline = match is_unsupported {
            true => &unsupported,
            false => headline,
        };
        let physics = score.physics_all.unwrap_or(0.0);
        let of_physics = worst.filter(|moment| moment.fault.aspect() == Aspect::Physics);
        Self {
            score: score.score_all.filter(|points| points.is_finite()),
            grade: Grade::of(score.score_all.unwrap_or(0.0), worst),
            physics_grade: Grade::of(physics, of_physics),
            headline: as_sentence(&words(headline)),
        }
    }
}

/// Of the whole, by what is shown of it: a clip that physics cannot judge has its body and its recording.
fn grade(score: &Score, shown: Option<f64>, worst: Option<&Moment>) -> Grade {
    let rest = || [score.body, score.recording].into_iter().flatten().fold(100.0, f64::min);
    match Grade::of(shown.unwrap_or_else(rest), worst) {
        Grade::Good if shown.is_none() => Grade::NotJudged,
        grade => grade,
    }
}

/// What costs most where no moment stands out: an aspect, or a measure of physics.
fn costliest(score: &Score) -> &'static str {
    match score.worst_aspect {
        Some(Aspect::Body) => "body",
        Some(Aspect::Recording) => "recording",
        Some(Aspect::Physics) | None => score.worst.unwrap_or_default(),
    }
}

fn aspect_grades(score: &Score, told: &[&Moment]) -> [Grade; 3] {
    let judged_physics = score.physics.filter(|_| score.judged);
    let of = |aspect: Aspect, points: Option<f64>| {
        let worst = told.iter().find(|moment| moment.fault.aspect() == aspect).copied();
        points.map_or(Grade::NotJudged, |points| Grade::of(points, worst))
    };
    [of(Aspect::Physics, judged_physics), of(Aspect::Body, score.body), of(Aspect::Recording, score.recording)]
}

fn why_not_judged(inspection: &Inspection) -> Option<Finding> {
    let score = &inspection.score;
    let share = inspection.other_share.unwrap_or(0.0);
    match () {
        () if score.judged => None,
        () if share > JUDGED_OTHER_SHARE => Some(Finding::of(codes::CARRIED_BY_UNKNOWN).value("share", share)),
        () if inspection.contacts.contacts.is_empty() => Some(Finding::of(codes::TOUCHES_NOTHING)),
        () => Some(Finding::of(codes::HARDLY_JUDGED).value("share", score.judged_share)),
    }
}

pub(crate) fn as_sentence(text: &str) -> String {
    format!("{}.", capitalized(text))
}

fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

#[cfg(test)]
mod tests;

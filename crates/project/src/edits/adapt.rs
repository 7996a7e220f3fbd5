//! Adaptation with full dynamics, as data.

use super::adapt_figures::figures;
use super::advance::Advance;
use super::curve_figure::CurveFigure;
use super::fit_cache::FitCache;
use super::verb::{Context, Made, Verb, VerbError};
use crate::codes;
use crate::error::ProjectError;
use crate::inspect::side_file_text;
use aplomb_analysis::{Keeps, Take};
use aplomb_editing::adapt::{
    AdaptReport, FitReport, ForceTable, Goals, Initialised, Progress, Subject, beyond_people, contacts_of,
};
use aplomb_editing::finding::Finding;
use aplomb_editing::solver_status::SolverStatus;
use aplomb_editing::{EditingError, short_number};
use aplomb_motion::first_frame;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// What a jump or a run is adapted to.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AdaptEdit {
    /// The goals.
    pub goals: Goals,
    /// Or a file with them, relative to the project file.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "crate::lossy_path::maybe")]
    pub goals_file: Option<PathBuf>,
    /// A contact file of the motion as it is before this edit; relative to the project file.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "crate::lossy_path::maybe")]
    pub contacts: Option<PathBuf>,
    /// Goals that cannot be met: take what comes nearest.
    pub best: bool,
    /// Goals that no person can meet: go on all the same.
    pub superhuman: bool,
}

/// How an adaptation went, for receipts.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AdaptRecord {
    /// Of the motion as it came: how near to dynamics it was brought.
    pub fit: FitReport,
    /// What the goals took, and what the result is worth.
    pub adapted: AdaptReport,
    /// Forces and torques over time, to be written.
    #[serde(skip)]
    pub forces: ForceTable,
    /// Curves, for drawing.
    #[serde(skip)]
    pub figures: Vec<CurveFigure>,
}

/// Reads a goals file.
pub fn read_goals(path: &Path) -> Result<Goals, ProjectError> {
    Goals::from_toml(&side_file_text(path)?)
        .map_err(|source| ProjectError::StepFile { path: path.to_owned(), source: Box::new(source) })
}

impl Verb for AdaptEdit {
    type Record = AdaptRecord;

    fn apply(&self, take: &Take, context: &mut Context<'_>) -> Result<Made<AdaptRecord>, VerbError> {
        let goals = self.all_goals(context)?;
        if goals.is_empty() {
            let problem = "no goals are given: say what should change, such as jump_length_m = 0.5".to_owned();
            return Err(EditingError::Goals { problem }.into());
        }
        let mut findings = Vec::new();
        // Contacts that are stated or known count from the first frame of the clip.
        let stray = first_frame::without_stray(take.clip())?.filter(|_| !take.has_known_contacts());
        let take = match stray {
            Some(rest) => {
                findings.push(Finding::of(codes::FIRST_FRAME_LEFT_OUT));
                take.with_clip(rest, Keeps::Nothing)
            }
            None => take.clone(),
        };
        if let Some(beyond) = beyond_people(&take, &goals)? {
            if !self.superhuman {
                return Err(EditingError::BeyondPeople(Box::new(beyond)).into());
            }
            findings.push(beyond.finding());
        }
        let fit = fitted(&take, context)?;
        if let (false, Some(left)) = (fit.report.status.is_met(), fit.report.at_points.unmet()) {
            let problem = format!("this motion cannot be brought to obey dynamics: {left}; look at its contacts");
            return Err(EditingError::Goals { problem }.into());
        }
        let done = fit.adapt(&goals, &mut |progress| (context.advance)(&Advance::Adapted(progress)))?;
        let mut status = SolverStatus::Met;
        if let (false, Some(left)) = (done.report.status.is_met(), done.report.at_points.unmet()) {
            if !self.best {
                return Err(EditingError::Unmet { left }.into());
            }
            findings.push(Finding::of(codes::GOALS_UNMET).value("left", left.as_str()));
            status = SolverStatus::Infeasible { goals: vec![left] };
        }
        if !goals.carry.is_empty() || !goals.scale.is_empty() {
            findings.push(Finding::of(codes::OTHER_BODY_UNKNOWN));
        }
        let clip = fit.adapted_clip(take.clip(), &done)?;
        let forces = fit.forces(take.clip(), &done)?;
        let figures = figures(&fit.fitted_forces(take.clip())?, &forces, &done.report);
        let record = AdaptRecord { fit: fit.report.clone(), adapted: done.report, forces, figures };
        Ok(Made { findings, status, ..Made::new(clip, record) })
    }
}

/// The motion brought to obey dynamics, from the cache where it was done before.
fn fitted(take: &Take, context: &Context<'_>) -> Result<Initialised, VerbError> {
    let mut watch = |progress: &Progress| (context.advance)(&Advance::Adapted(progress));
    take.body()?;
    let contacts = contacts_of(take)?;
    let cache = context.cache.map(|cache| FitCache::of(cache, take, contacts)).transpose()?;
    let stored = cache.as_ref().and_then(FitCache::load);
    let (fit, was_stored) = Initialised::restored_or_new(Subject::new(take)?, stored.as_deref(), &mut watch)?;
    if let Some(cache) = cache.filter(|_| !was_stored && fit.report.status.is_met()) {
        cache.store(&fit.stored());
    }
    Ok(fit)
}

impl AdaptEdit {
    fn all_goals(&self, context: &mut Context<'_>) -> Result<Goals, ProjectError> {
        let Some(file) = &self.goals_file else { return Ok(self.goals.clone()) };
        let read = match self.goals.is_empty() {
            true => Goals::from_toml(&context.sources.text(file)?),
            false => Err(EditingError::Conflict { a: "goals", b: "goals_file" }),
        };
        read.map_err(|source| ProjectError::StepFile { path: context.sources.place(file), source: Box::new(source) })
    }

    pub(super) fn in_words(&self) -> String {
        let goals = &self.goals;
        let mut parts = Vec::new();
        parts.extend(goals.jump_length_m.map(|metres| format!("to jump {} m farther", short_number(metres))));
        parts.extend(goals.jump_height.map(|times| format!("to jump {} times as high", short_number(times))));
        parts.extend(goals.flight_time.map(|times| format!("to fly {} times as long", short_number(times))));
        parts.extend(goals.twist.map(|twist| format!("to turn by {}\u{b0} in the air", short_number(twist.deg))));
        parts.extend(
            goals.carry.iter().map(|carry| format!("to carry {} kg ({})", short_number(carry.mass_kg), carry.part)),
        );
        parts.extend(
            goals.scale.iter().map(|scale| format!("to {} {} times as long", scale.part, short_number(scale.factor))),
        );
        parts.extend(goals.torque.iter().map(|torque| format!("to a weak {}", torque.part)));
        parts.extend(goals.fixed.iter().map(|fixed| format!("to a stiff {}", fixed.part)));
        parts.extend(goals.hop.map(|_| "to hop on one leg".to_owned()));
        parts.extend(goals.hurdle.map(|hurdle| format!("to clear {} m", short_number(hurdle.height_m))));
        parts.extend(goals.grab.map(|_| "to swing from a bar".to_owned()));
        parts.extend(
            goals.landing_load_bw.map(|load| format!("to land with {} body weights at most", short_number(load))),
        );
        if !goals.footprints.is_empty() {
            parts.push("to other footprints".to_owned());
        }
        match (&self.goals_file, parts.is_empty()) {
            (Some(file), _) => format!("adapted to the goals of {}", file.display()),
            (None, true) => "adapted".to_owned(),
            (None, false) => format!("adapted {}", parts.join(", ")),
        }
    }
}

/// Forces and torques as a table for spreadsheets.
pub fn forces_csv(table: &ForceTable) -> Result<Vec<u8>, ProjectError> {
    let failed = |error: csv::Error| ProjectError::Table { what: "forces", detail: error.to_string() };
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(&table.columns).map_err(failed)?;
    for row in &table.rows {
        writer.write_record(row.iter().map(|value| format!("{value:.6}"))).map_err(failed)?;
    }
    writer.into_inner().map_err(|error| ProjectError::Table { what: "forces", detail: error.to_string() })
}

//! Adaptation with full dynamics, as data.

use super::CurveFigure;
use super::adapt_figures::figures;
use super::advance::Advance;
use super::fit_cache::FitCache;
use super::physical::Repaired;
use super::work::Work;
use crate::error::ProjectError;
use crate::inspect::{contact_file, side_file_text};
use aplomb_analysis::inspect;
use aplomb_editing::EditingError;
use aplomb_editing::adapt::{AdaptReport, FitReport, ForceTable, Goals, Initialised, Progress, Subject};
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
}

/// How an adaptation went, for receipts.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AdaptRecord {
    /// Of the motion as it came: how near to dynamics it was brought.
    pub fit: FitReport,
    /// What the goals took, and what the result is worth.
    pub adapted: AdaptReport,
    /// Forces and torques over time, for whoever writes them.
    #[serde(skip)]
    pub forces: ForceTable,
    /// Curves, for whoever draws them.
    #[serde(skip)]
    pub figures: Vec<CurveFigure>,
}

/// Reads a goals file.
pub fn read_goals(path: &Path) -> Result<Goals, ProjectError> {
    Goals::from_toml(&side_file_text(path)?)
        .map_err(|source| ProjectError::StepFile { path: path.to_owned(), source: Box::new(source) })
}

impl AdaptEdit {
    pub(super) fn apply(
        &self,
        work: &mut Work,
        folder: &Path,
        cache: Option<&Path>,
        advance: &dyn Fn(&Advance<'_>) -> bool,
    ) -> Result<Repaired, ProjectError> {
        let goals = self.all_goals(folder)?;
        if goals.is_empty() {
            let problem = "no goals are given: say what should change, such as jump_length_m = 0.5".to_owned();
            return Err(work.failed(EditingError::Goals { problem }));
        }
        let mut notes = Vec::new();
        let mut source = work.clip.clone();
        let rest = first_frame::without_stray(&source).map_err(|error| work.failed(error.into()))?;
        if let Some(rest) = rest.filter(|_| self.contacts.is_none()) {
            source = rest;
            notes.push("the first frame is no part of the motion and was left out".to_owned());
        }
        let given = match &self.contacts {
            Some(file) => Some(contact_file(&folder.join(file), &source)?),
            None => None,
        };
        let body = work.body()?.clone();
        let contacts = inspect(&source, &work.roles, &body, given.as_ref(), &work.inspect_options())
            .map_err(|source| match &self.contacts {
                Some(file) => ProjectError::Contacts { path: folder.join(file), source },
                None => work.failed(source.into()),
            })?
            .contacts;
        let failed = |error: EditingError| match error {
            EditingError::Cancelled => ProjectError::Cancelled,
            error => work.failed(error),
        };
        let mut watch = |progress: &Progress| advance(&Advance::Adapted(progress));
        let cache = cache.map(|cache| FitCache::of(cache, &source, &work.roles, &body, &contacts));
        let stored = cache.as_ref().and_then(FitCache::load);
        let (fit, was_stored) = Subject::new(&source, &work.roles, &body, &contacts)
            .and_then(|subject| Initialised::restored_or_new(subject, stored.as_deref(), &mut watch))
            .map_err(failed)?;
        if let Some(cache) = cache.filter(|_| !was_stored && fit.report.status.is_met()) {
            cache.store(&fit.stored());
        }
        if let (false, Some(left)) = (fit.report.status.is_met(), fit.report.at_points.unmet()) {
            let problem = format!("this motion cannot be brought to obey dynamics: {left}; look at its contacts");
            return Err(failed(EditingError::Goals { problem }));
        }
        let done = fit.adapt(&goals, &mut watch).map_err(failed)?;
        let mut warnings = Vec::new();
        let is_met = done.report.status.is_met();
        if let (false, Some(left)) = (is_met, done.report.at_points.unmet()) {
            if !self.best {
                return Err(failed(EditingError::Unmet { left }));
            }
            warnings.push(format!("the goals are not met: {left}"));
        }
        if !goals.carry.is_empty() || !goals.scale.is_empty() {
            notes.push(
                "the report judges by the body as it was: it knows nothing of what is carried or of other lengths"
                    .to_owned(),
            );
        }
        let clip = fit.adapted_clip(&source, &done).map_err(failed)?;
        let forces = fit.forces(&source, &done).map_err(failed)?;
        let fitted = fit.fitted_forces(&source).map_err(failed)?;
        let figures = figures(&fitted, &forces, &done.report);
        let adapt = AdaptRecord { fit: fit.report.clone(), adapted: done.report.clone(), forces, figures };
        Ok(Repaired {
            clip,
            warnings,
            notes,
            layers: Vec::new(),
            touchup: None,
            plant: None,
            path: None,
            blend: None,
            track: None,
            reach: None,
            adapt: Some(Box::new(adapt)),
            is_met,
        })
    }

    fn all_goals(&self, folder: &Path) -> Result<Goals, ProjectError> {
        match &self.goals_file {
            None => Ok(self.goals.clone()),
            Some(file) if self.goals.is_empty() => read_goals(&folder.join(file)),
            Some(file) => {
                let source = EditingError::Conflict { a: "goals", b: "goals_file" };
                Err(ProjectError::StepFile { path: folder.join(file), source: Box::new(source) })
            }
        }
    }

    pub(super) fn in_words(&self) -> String {
        let goals = &self.goals;
        let mut parts = Vec::new();
        let told = aplomb_editing::told;
        parts.extend(goals.jump_length_m.map(|metres| format!("to jump {} m farther", told(metres))));
        parts.extend(goals.jump_height.map(|times| format!("to jump {} times as high", told(times))));
        parts.extend(goals.flight_time.map(|times| format!("to fly {} times as long", told(times))));
        parts.extend(goals.twist.map(|twist| format!("to turn by {}\u{b0} in the air", told(twist.deg))));
        parts.extend(goals.carry.iter().map(|carry| format!("to carry {} kg ({})", told(carry.mass_kg), carry.part)));
        parts.extend(goals.scale.iter().map(|scale| format!("to {} {} times as long", scale.part, told(scale.factor))));
        parts.extend(goals.torque.iter().map(|torque| format!("to a weak {}", torque.part)));
        parts.extend(goals.fixed.iter().map(|fixed| format!("to a stiff {}", fixed.part)));
        parts.extend(goals.hop.map(|_| "to hop on one leg".to_owned()));
        parts.extend(goals.hurdle.map(|hurdle| format!("to clear {} m", told(hurdle.height_m))));
        parts.extend(goals.grab.map(|_| "to swing from a bar".to_owned()));
        parts.extend(goals.landing_load_bw.map(|load| format!("to land with {} body weights at most", told(load))));
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

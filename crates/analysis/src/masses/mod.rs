//! Masses of a body from motions that are known to be right: those that put the zero-moment point where the feet are.
//!
//! Equation 5 of Shin, Kovar & Gleicher 2003: min over m of Σ f(m, t), f the distance of the zero-moment point from the
//! support polygon in frame t. Many mass sets fit about equally well and the best ones are no bodies, so the masses are
//! symmetric, sum to what they summed to, and are held to the table they start from by λ·mean(ln m/m₀)².
//! `docs/algorithms/masses.md` has the derivation and figures.

mod fit;
mod groups;
mod rows;

pub use groups::MassGroup;

use crate::contacts::ClockFinding;
use crate::error::AnalysisError;
use crate::report::Inspection;
use aplomb_motion::{Clip, Roles};
use aplomb_physics::body::BodySource;
use aplomb_physics::centroidal::MassModel;
use aplomb_physics::spatial::SpatialInertia;
use aplomb_physics::{Body, Link};
use fit::{Fit, Problem};
use groups::groups;
use rows::Rows;
use std::sync::Arc;

/// How masses are found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MassOptions {
    /// Weight λ of staying near the table, m: a body whose masses are all a factor e off costs as much as λ of mean
    /// distance. Below 0.003 fits run into impossible bodies.
    pub lambda_m: f64,
    /// Rigid links, or points as in the paper.
    pub model: MassModel,
    /// Smoothing time of the links before they are differentiated, s.
    pub smoothing_secs: f64,
    /// Frames that carry less than this share of the weight are left out: a small force points anywhere.
    pub least_load: f64,
    /// Most iterations of L-BFGS.
    pub iterations: u64,
}

impl Default for MassOptions {
    fn default() -> Self {
        Self { lambda_m: 0.01, model: MassModel::Rigid, smoothing_secs: 0.167, least_load: 0.15, iterations: 100 }
    }
}

/// A motion to learn from, with its report (made with any plausible body: it is asked for contacts, polygons and the
/// clock).
#[derive(Clone, Copy, Debug)]
pub struct ReferenceClip<'a> {
    /// For messages.
    pub name: &'a str,
    /// Of the body's skeleton.
    pub clip: &'a Clip,
    /// Of this clip.
    pub inspection: &'a Inspection,
}

/// What a clip's zero-moment point does with the old and the new masses.
#[derive(Clone, Debug, PartialEq)]
pub struct ClipFit {
    /// As given.
    pub name: String,
    /// Frames that were judged.
    pub frames: usize,
    /// Mean distance from the support polygon with the masses it started from, m.
    pub before_m: f64,
    /// The same with the new masses, m.
    pub after_m: f64,
}

/// Masses that fit.
#[derive(Clone, Debug, PartialEq)]
pub struct MassFit {
    /// The body with the new masses; centres and shapes of links stay, inertias go with the masses.
    pub body: Body,
    /// Old and new masses.
    pub groups: Vec<MassGroup>,
    /// Clip by clip.
    pub clips: Vec<ClipFit>,
    /// Mean over all frames, m.
    pub before_m: f64,
    /// Mean with the new masses, m.
    pub after_m: f64,
    /// Iterations taken.
    pub iterations: u64,
    /// Whether the search ended by itself.
    pub converged: bool,
    /// What people should look at.
    pub warnings: Vec<String>,
}

/// Finds masses that lower the distance of the zero-moment point over all clips.
pub fn estimate(
    start: &Body,
    roles: &Roles,
    references: &[ReferenceClip<'_>],
    options: &MassOptions,
) -> Result<MassFit, AnalysisError> {
    let study = Study::prepare(start, roles, references, options)?;
    let all: Vec<usize> = (0..references.len()).collect();
    let fit = study.fit(&all)?;
    let clips = study.errors(&fit, &all);
    let (before_m, after_m) = mean_of(&clips);
    let (body, groups) = study.body(&fit, references.len())?;
    let mut warnings: Vec<String> = groups.iter().filter_map(MassGroup::warning).collect();
    if !fit.converged {
        warnings.push(format!("the search for masses was stopped after {} iterations", fit.iterations));
    }
    let Fit { iterations, converged, .. } = fit;
    Ok(MassFit { body, groups, clips, before_m, after_m, iterations, converged, warnings })
}

/// Fits without one clip after the other, each time judging the clip that was left out: whether the masses say
/// something about the body, or only about the clips they were fitted to.
pub fn cross_validate(
    start: &Body,
    roles: &Roles,
    references: &[ReferenceClip<'_>],
    options: &MassOptions,
) -> Result<Vec<ClipFit>, AnalysisError> {
    if references.len() < 2 {
        return Err(AnalysisError::TooFewReferences { found: references.len(), least: 2 });
    }
    let study = Study::prepare(start, roles, references, options)?;
    let mut folds = Vec::with_capacity(references.len());
    for left_out in 0..references.len() {
        let others: Vec<usize> = (0..references.len()).filter(|&index| index != left_out).collect();
        let fit = study.fit(&others)?;
        folds.extend(study.errors(&fit, &[left_out]));
    }
    Ok(folds)
}

/// Fits to `references` and judges clips that the fit never saw.
pub fn hold_out(
    start: &Body,
    roles: &Roles,
    references: &[ReferenceClip<'_>],
    held_out: &[ReferenceClip<'_>],
    options: &MassOptions,
) -> Result<Vec<ClipFit>, AnalysisError> {
    let all: Vec<ReferenceClip<'_>> = references.iter().chain(held_out).copied().collect();
    let study = Study::prepare(start, roles, &all, options)?;
    let (seen, unseen): (Vec<usize>, Vec<usize>) = (0..all.len()).partition(|&index| index < references.len());
    let fit = study.fit(&seen)?;
    Ok(study.errors(&fit, &unseen))
}

/// Means over frames, before and after.
pub fn mean_of(clips: &[ClipFit]) -> (f64, f64) {
    let frames: usize = clips.iter().map(|clip| clip.frames).sum();
    let mean = |value: fn(&ClipFit) -> f64| {
        clips.iter().map(|clip| value(clip) * clip.frames as f64).sum::<f64>() / frames.max(1) as f64
    };
    (mean(|clip| clip.before_m), mean(|clip| clip.after_m))
}

/// Everything about the clips that does not change while masses do.
struct Study<'a> {
    start: &'a Body,
    options: &'a MassOptions,
    names: Vec<&'a str>,
    groups: Vec<MassGroup>,
    rows: Vec<Rows>,
}

impl<'a> Study<'a> {
    fn prepare(
        start: &'a Body,
        roles: &Roles,
        references: &[ReferenceClip<'a>],
        options: &'a MassOptions,
    ) -> Result<Self, AnalysisError> {
        options.check()?;
        if references.is_empty() {
            return Err(AnalysisError::TooFewReferences { found: 0, least: 1 });
        }
        let groups = groups(start, roles);
        let mut rows = Vec::with_capacity(references.len());
        for reference in references {
            check_clock(reference)?;
            let found = Rows::of(reference, start, &groups, options)?;
            if found.is_empty() {
                let clip = reference.name.to_owned();
                return Err(match roles.missing_foot() {
                    Some(role) => AnalysisError::NoFoot { clip, role },
                    None => AnalysisError::NoReferenceFrames { clip },
                });
            }
            rows.push(found);
        }
        let names = references.iter().map(|reference| reference.name).collect();
        Ok(Self { start, options, names, groups, rows })
    }

    fn fit(&self, clips: &[usize]) -> Result<Fit, AnalysisError> {
        let rows: Vec<&Rows> = clips.iter().map(|&clip| &self.rows[clip]).collect();
        Problem::new(&rows, &self.shares(), self.options.lambda_m).solve(self.options.iterations)
    }

    /// Of each group in the whole body.
    fn shares(&self) -> Vec<f64> {
        self.groups.iter().map(|group| group.before_kg / self.start.total_mass_kg()).collect()
    }

    fn errors(&self, fit: &Fit, clips: &[usize]) -> Vec<ClipFit> {
        let same = vec![1.0; self.groups.len()];
        let error = |&clip: &usize| {
            let rows = &self.rows[clip];
            let name = self.names[clip].to_owned();
            ClipFit { name, frames: rows.len(), before_m: rows.mean_m(&same), after_m: rows.mean_m(&fit.factors) }
        };
        clips.iter().map(error).collect()
    }

    fn body(&self, fit: &Fit, clips: usize) -> Result<(Body, Vec<MassGroup>), AnalysisError> {
        let mut groups = self.groups.clone();
        let mut factor_of = vec![1.0; self.start.skeleton().len()];
        for (group, factor) in groups.iter_mut().zip(&fit.factors) {
            group.after_kg = group.before_kg * factor;
            group.joints.iter().for_each(|joint| factor_of[joint.index()] = *factor);
        }
        let scaled = |link: &Link| {
            let factor = factor_of[link.joint.index()];
            let SpatialInertia { mass_kg, com_m, about_com } = link.inertia;
            let inertia = SpatialInertia { mass_kg: mass_kg * factor, com_m, about_com: about_com * factor };
            Link { inertia, ..link.clone() }
        };
        let links = self.start.links().iter().map(scaled).collect();
        let source = format!("masses fitted to {clips} clips, from {}", self.start.source().title());
        let (skeleton, warnings) = (Arc::clone(self.start.skeleton()), self.start.warnings().to_vec());
        let body = Body::from_links(skeleton, links, self.start.stature_m(), BodySource::Given(source), warnings)?;
        Ok((body, groups))
    }
}

impl MassOptions {
    fn check(&self) -> Result<(), AnalysisError> {
        let check = |name, value: f64, range: std::ops::RangeInclusive<f64>, expected| match range.contains(&value) {
            true => Ok(()),
            false => Err(AnalysisError::Option { name, expected, found: value }),
        };
        check("lambda_m", self.lambda_m, 0.0..=10.0, "between 0 and 10 m")?;
        check("smoothing_secs", self.smoothing_secs, 0.0..=2.0, "between 0 and 2 s")?;
        check("least_load", self.least_load, 0.01..=1.0, "between 0.01 and 1 body weights")
    }
}

/// A wrong clock makes accelerations wrong by its square, and masses that soak it up would be no person's.
fn check_clock(reference: &ReferenceClip<'_>) -> Result<(), AnalysisError> {
    let clock = &reference.inspection.contacts.clock;
    match clock.finding {
        ClockFinding::Agrees | ClockFinding::NoEvidence => Ok(()),
        ClockFinding::WrongRate { .. } | ClockFinding::DisputedRate { .. } | ClockFinding::WrongUnit { .. } => {
            Err(AnalysisError::WrongClock {
                clip: reference.name.to_owned(),
                warning: clock.warning().unwrap_or_else(|| "its clock disagrees with gravity".to_owned()),
            })
        }
    }
}

#[cfg(test)]
mod tests;

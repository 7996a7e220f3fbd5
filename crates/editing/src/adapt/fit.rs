//! A captured motion that obeys dynamics (equation 8): made once for a clip, adapted as often as wanted.

use super::problem::{Constraints, FIT_SMOOTHNESS, Problem, between};
use super::result::{
    AtPoints, FitReport, ForceTable, Progress, StoredFit, apart, ballistics, force_table, on_skeleton, peak_torques,
};
use super::solve::{Iteration, Solved, solve, solve_refined, timed};
use super::start::{StagedTrajectory, captured};
use super::subject::{BodyChanges, FORCE_WEIGHT, Subject};
use crate::EditingError;
use aplomb_motion::Clip;
use std::collections::HashSet;
use std::time::Instant;

/// Iterations at most, a step.
pub(super) const MOST_FIT_ITERATIONS: usize = 15;
/// Rounds of refinement at most.
const FIT_ROUNDS: usize = 4;

/// Called with every iteration; `false` stops the work.
pub type Watcher<'w> = dyn FnMut(&Progress) -> bool + 'w;

/// Finds a fit to a problem, whose grid it may refine: the solution, and iterations of each round.
type Find<'f> = dyn FnMut(&mut Problem<'_>, &StagedTrajectory) -> Result<(Solved, Vec<usize>), EditingError> + 'f;

/// A captured motion that obeys dynamics, with its forces: made once for a clip, adapted as often as wanted.
#[derive(Clone, Debug)]
pub struct Initialised {
    pub(super) subject: Subject,
    pub(super) staged: StagedTrajectory,
    /// Largest torque of each link about any of its axes, N·m.
    pub(super) peak_torques_nm: Vec<f64>,
    pub(super) jerk_rms: f64,
    /// Rows that were active in the end.
    pub(super) active: HashSet<u64>,
    /// What it took and what it is worth.
    pub report: FitReport,
}

impl Initialised {
    /// Fits a clip (equation 8).
    pub fn new(subject: Subject, watch: &mut Watcher<'_>) -> Result<Self, EditingError> {
        Self::weighing_forces(subject, FORCE_WEIGHT, watch)
    }

    /// The same with another weight of forces (in body weights) against joints (in radians) in the norm, for the study
    /// of what that does (section 4.2): [`FORCE_WEIGHT`] is what fits go by.
    pub fn weighing_forces(subject: Subject, force_weight: f64, watch: &mut Watcher<'_>) -> Result<Self, EditingError> {
        let started = Instant::now();
        let mut subject = timed(subject, &mut in_phase(watch, "flights"))?;
        subject.force_weight = force_weight;
        let mut watch = in_phase(watch, "fit");
        Self::judged(subject, started, &mut |problem, captured| {
            let start = captured.trajectory.clone();
            problem.origin = Some(start.clone());
            let refined = solve_refined(problem, start, MOST_FIT_ITERATIONS, FIT_ROUNDS, &HashSet::new(), &mut watch)?;
            Ok((refined.solved, refined.rounds.iter().map(Vec::len).collect()))
        })
    }

    /// The fit of a clip from bytes of [`Initialised::stored`]; `None` if they are not of this clip, this program, or
    /// not a fit.
    pub(crate) fn restored(subject: &Subject, bytes: &[u8]) -> Result<Option<Self>, EditingError> {
        let started = Instant::now();
        let Some(stored) = StoredFit::from_bytes(bytes) else { return Ok(None) };
        let Some(subject) = stored.subject(subject) else { return Ok(None) };
        let Some((trajectory, active)) = stored.trajectory(&subject) else { return Ok(None) };
        let fit = Self::judged(subject, started, &mut |problem, _| {
            problem.refresh(trajectory.grid.clone());
            // No step at all: whether everything is met as it is.
            let solved = solve(problem, trajectory.clone(), 0, &active, &mut |_: &_| true)?;
            Ok((solved, stored.rounds.clone()))
        })?;
        Ok(Some(fit).filter(|fit| fit.report.status.is_met()))
    }

    /// A stored fit, if there is one and it holds; else a new one.
    pub fn restored_or_new(
        subject: Subject,
        bytes: Option<&[u8]>,
        watch: &mut Watcher<'_>,
    ) -> Result<(Self, bool), EditingError> {
        if let Some(bytes) = bytes
            && let Some(fit) = Self::restored(&subject, bytes)?
        {
            return Ok((fit, true));
        }
        Ok((Self::new(subject, watch)?, false))
    }

    /// What it took long to find, as bytes.
    pub fn stored(&self) -> Vec<u8> {
        StoredFit::of(&self.subject.flights, &self.staged.trajectory, &self.active, &self.report.iterations).to_bytes()
    }

    /// The fitted motion on the whole skeleton; folded joints keep their own motion.
    pub fn clip(&self, source: &Clip) -> Result<Clip, EditingError> {
        on_skeleton(&self.subject, source, &self.staged, &|secs| secs, &BodyChanges::default())
    }

    /// Forces and torques of the fitted motion, as [`Initialised::forces`] has them of an adapted one.
    pub fn fitted_forces(&self, source: &Clip) -> Result<ForceTable, EditingError> {
        let constraints = Constraints::of_subject(&self.subject);
        let problem = self.staged.problem(&self.subject, self.subject.tree(), &constraints, 1.0);
        force_table(&problem, &self.staged, source)
    }

    /// The fit that `find` finds for the problem of a subject, whose grid it may refine, with what it is worth.
    fn judged(subject: Subject, started: Instant, find: &mut Find<'_>) -> Result<Self, EditingError> {
        let start = captured(&subject)?;
        let tree = subject.tree();
        let constraints = Constraints::of_subject(&subject);
        let mut problem = start.problem(&subject, tree, &constraints, FIT_SMOOTHNESS);
        let (solved, iterations) = find(&mut problem, &start)?;
        let trajectory = solved.trajectory;
        let (between, _) = between(&problem, &trajectory);
        let change = apart(&subject, &trajectory, &start.trajectory, start.end_secs);
        let peak_torques_nm = peak_torques(&problem, &trajectory);
        let staged = StagedTrajectory { trajectory, ..start.clone() };
        let jerk_rms = between.jerk_rms;
        let report = FitReport {
            status: solved.status,
            links: tree.model.link_count(),
            dofs: subject.coordinates.count,
            hinges: subject.hinges(),
            folded: subject.folded.clone(),
            fold_shift_m: subject.skeleton.shift_m,
            gimbal_margin_deg: subject.coordinates.margin_rad.to_degrees(),
            knots: staged.trajectory.grid.len(),
            sizes: solved.sizes,
            iterations,
            at_points: AtPoints::of(&solved.residuals),
            between,
            change,
            flights: staged.flights.clone(),
            ballistics: ballistics(&subject, tree, &staged, staged.longest_flight()),
            secs: started.elapsed().as_secs_f64(),
        };
        Ok(Self { staged, peak_torques_nm, jerk_rms, active: solved.active, report, subject })
    }
}

/// Iterations of one phase, counted, as progress.
pub(super) fn in_phase<'t>(watch: &'t mut Watcher<'_>, phase: &str) -> impl FnMut(&Iteration) -> bool + 't {
    let phase = phase.to_owned();
    let mut count = 0;
    move |iteration| {
        count += 1;
        watch(&Progress::of(&phase, count, iteration))
    }
}

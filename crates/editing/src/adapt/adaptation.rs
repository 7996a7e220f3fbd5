//! From goals to a motion: changed bodies and footprints, a displaced start, continuation, refinement.

use super::fit::{Initialised, MOST_FIT_ITERATIONS, Watcher, in_phase};
use super::goals::{ContinuationStep, Done, Goal, Goals, LastStep, Preparation, Reaching, root_lift_m};
use super::problem::{ADAPT_SMOOTHNESS, BEYOND_SECS, Constraints, Demands, Evaluator, LinkPair, between, pairs};
use super::result::{
    AdaptReport, AtPoints, Ballistics, Cleared, DynamicStates, ForceTable, apart, ballistics, force_table,
    limbs_deeper, on_skeleton, states, torques_over,
};
use super::solve::{Objective, Optimum, Refined, optimise, solve, solve_refined};
use super::start::{Plan, PlanBuilder, StagedTrajectory, TimeMap, on_footprints};
use super::subject::{BodyChanges, ChangedBody, Subject};
use crate::EditingError;
use aplomb_motion::Clip;
use glam::DVec3;
use std::collections::HashSet;
use std::time::Instant;

/// The body stands at an end of the clip if its root is slower there than this, m/s: changes go on beyond such an end.
/// A body that runs in or out may do so otherwise.
const ROOT_REST_SPEED: f64 = 0.2;
/// Rounds of refinement at most.
const ADAPT_ROUNDS: usize = 2;
/// A motion that jerks by more than this, of what the clip does, is not what a person would do.
const SMOOTH_JERK: f64 = 1.25;

/// An adapted motion.
#[derive(Clone, Debug)]
pub struct Adapted {
    /// The person in whose charts the motion is written.
    subject: Subject,
    body: ChangedBody,
    staged: StagedTrajectory,
    maps: Vec<TimeMap>,
    constraints: Constraints,
    /// What it took and what it is worth.
    pub report: AdaptReport,
}

impl Initialised {
    /// Adapts to goals. The report's status says whether they could be met, and `at_points` by how much they were
    /// missed.
    pub fn adapt(&self, goals: &Goals, watch: &mut Watcher<'_>) -> Result<Adapted, EditingError> {
        let started = Instant::now();
        goals.check()?;
        let (mut found, reached) = Adaptation::of(self, goals, &Reaching::ALL, watch)?;
        // Arms that went through the head on their way, or were flung about to miss it, may get there on another one.
        if let Some(reached) = reached
            && !(found.report.status.is_met() && found.report.jerk_ratio <= SMOOTH_JERK)
        {
            let others: Vec<Reaching> = Reaching::ALL.into_iter().filter(|own| *own != reached).collect();
            let (other, _) = Adaptation::of(self, goals, &others, watch)?;
            let is_smoother = other.report.jerk_ratio < found.report.jerk_ratio;
            if other.report.status.is_met() && (is_smoother || !found.report.status.is_met()) {
                found = other;
            }
        }
        found.report.secs = started.elapsed().as_secs_f64();
        Ok(found)
    }

    /// An adapted motion on the whole skeleton; folded joints keep their own motion.
    pub fn adapted_clip(&self, source: &Clip, adapted: &Adapted) -> Result<Clip, EditingError> {
        let old_secs = |secs: f64| adapted.maps.iter().rev().fold(secs, |secs, map| map.old_secs(secs));
        on_skeleton(&adapted.subject, source, &adapted.staged, &old_secs, &adapted.body.changes)
    }

    /// Contact forces (N, world axes), and for each link the largest torque of its joint about its own axes (N·m), of
    /// an adapted motion at the source's frames. What the root would need besides, which nothing gives, is
    /// `unexplained_n`.
    pub fn forces(&self, source: &Clip, adapted: &Adapted) -> Result<ForceTable, EditingError> {
        let Adapted { subject, body, staged, constraints, .. } = adapted;
        force_table(&staged.problem(subject, &body.tree, constraints, 1.0), staged, source)
    }

    /// States of an adapted motion, so many a second.
    pub fn states(&self, adapted: &Adapted, hz: f64) -> DynamicStates {
        let Adapted { subject, body, staged, constraints, .. } = adapted;
        states(&staged.problem(subject, &body.tree, constraints, 1.0), staged, hz)
    }

    /// Whether the body stands still at the start and at the end.
    fn rests(&self) -> [bool; 2] {
        let grid = &self.staged.trajectory.grid;
        let mut sample = Default::default();
        [0, grid.len() - 1].map(|knot| {
            self.staged.trajectory.sample(&grid.at_knots[knot], &mut sample);
            DVec3::from_slice(&sample[1][3..6]).length() < ROOT_REST_SPEED
        })
    }
}

/// An adaptation on its way.
struct Adaptation<'a> {
    fit: &'a Initialised,
    goals: Vec<Box<dyn Goal>>,
    /// The flight that is meant.
    flight: Option<usize>,
    body: ChangedBody,
    /// Around that flight in the clip.
    before: Ballistics,
    /// Limbs that could meet.
    pairs: Vec<LinkPair>,
    /// The start of the step that comes next, then its solution.
    staged: StagedTrajectory,
    constraints: Constraints,
    /// Demands that hold in every step.
    lasting: Demands,
    maps: Vec<TimeMap>,
    /// A person with other charts, and the fitted motion in them, where a goal needed some.
    charted: Option<(Subject, StagedTrajectory)>,
    /// How arms reached for what they hold on to.
    reached: Option<Reaching>,
    /// Rows that were active in the last step.
    active: HashSet<u64>,
    /// Of each step.
    iterations: Vec<usize>,
}

impl<'a> Adaptation<'a> {
    /// The motion, and on which of these ways arms reached for what they hold on to.
    fn of(
        fit: &'a Initialised,
        goals: &Goals,
        ways: &[Reaching],
        watch: &mut Watcher<'_>,
    ) -> Result<(Adapted, Option<Reaching>), EditingError> {
        let mut adaptation = Self::prepared(fit, goals)?;
        let plan = adaptation.plan();
        for step in 1..plan.steps {
            adaptation.displace(&plan, step)?;
            adaptation.demand(&plan, step)?;
            adaptation.solve(&plan, step, watch)?;
        }
        adaptation.displace(&plan, plan.steps)?;
        adaptation.restart(ways)?;
        adaptation.demand(&plan, plan.steps)?;
        let start = adaptation.staged.clone();
        let (refined, optimum) = adaptation.solve_last(&plan, goals.objective, watch)?;
        let report = adaptation.report(&start, refined, optimum);
        let Self { fit, body, staged, maps, constraints, charted, reached, .. } = adaptation;
        let subject = charted.map_or_else(|| fit.subject.clone(), |(subject, _)| subject);
        Ok((Adapted { subject, body, staged, maps, constraints, report }, reached))
    }

    /// The start before the first step: changed body, bounds, unknown torques, and what goals change in it.
    fn prepared(fit: &'a Initialised, goals: &Goals) -> Result<Self, EditingError> {
        let subject = &fit.subject;
        let flight = goals.flight_of(&fit.staged)?;
        let asked = goals.asked();
        let mut changes = BodyChanges::default();
        asked.iter().try_for_each(|goal| goal.change_body(subject, &mut changes))?;
        let body = ChangedBody::new(subject.tree(), changes)?;
        let mut staged = fit.staged.clone();
        staged.lift_root(root_lift_m(subject, &body.changes));
        let pairs = pairs(subject, &body, &staged.trajectory, staged.end_secs);
        let mut constraints = Self::bounded(fit, goals, &body);
        if goals.limb_distance != Some(false) {
            constraints.demands.pairs = pairs.clone();
        }
        let mut own = Constraints::of_subject(subject);
        own.actuate(subject, goals.unknown_torques(subject)?);
        let problem = fit.staged.problem(subject, subject.tree(), &own, ADAPT_SMOOTHNESS);
        staged.trajectory.torques = Evaluator::new(&problem).torques(&fit.staged.trajectory);
        constraints.actuated.clone_from(&own.actuated);
        for goal in &asked {
            goal.prepare(&mut Preparation {
                subject,
                body: &body,
                peak_torques_nm: &fit.peak_torques_nm,
                staged: &mut staged,
                constraints: &mut constraints,
            })?;
        }
        let around = flight.or(fit.staged.longest_flight());
        Ok(Self {
            fit,
            goals: asked,
            flight,
            body,
            before: ballistics(subject, subject.tree(), &fit.staged, around),
            pairs,
            staged,
            lasting: constraints.demands.clone(),
            constraints,
            maps: Vec::new(),
            charted: None,
            reached: None,
            active: fit.active.clone(),
            iterations: Vec::new(),
        })
    }

    /// Friction, bounds of torque, points on changed links, and what lies beyond the ends.
    fn bounded(fit: &Initialised, goals: &Goals, body: &ChangedBody) -> Constraints {
        let mut constraints = Constraints::of_subject(&fit.subject);
        for touch in &mut constraints.touches {
            touch.point_in_link_m *= body.changes.factor(touch.link);
        }
        if let Some(friction) = goals.friction {
            constraints.friction = friction;
        }
        if goals.torque_bounds != Some(false) {
            constraints.bound_torques(&fit.subject, &fit.peak_torques_nm);
        }
        constraints.ends_secs = fit.rests().map(|rests| if rests { BEYOND_SECS } else { 0.0 });
        constraints
    }

    fn plan(&self) -> Plan {
        let mut plan = PlanBuilder::new(&self.staged, self.flight);
        self.goals.iter().for_each(|goal| goal.plan(&mut plan));
        plan.plan()
    }

    /// The person in the charts of this step, and the fitted motion in them.
    fn charted(&self) -> (&Subject, &StagedTrajectory) {
        let fit = self.fit;
        self.charted.as_ref().map_or((&fit.subject, &fit.staged), |(subject, clip)| (subject, clip))
    }

    /// Stretches flights and moves stages by a step's share.
    fn displace(&mut self, plan: &Plan, step: usize) -> Result<(), EditingError> {
        if let Some(map) = plan.map(step, &self.staged) {
            self.staged = self.staged.retimed(&map)?;
            self.maps.push(map);
        }
        if let Some(moves) = plan.moves(step) {
            let moved = self.staged.moved(&moves, &self.constraints.touches)?;
            self.staged = on_footprints(&self.fit.subject, &self.body.tree, &moved, &moves)?;
        }
        Ok(())
    }

    /// Another start for the last step, where a goal makes one.
    fn restart(&mut self, ways: &[Reaching]) -> Result<(), EditingError> {
        let (subject, body, flight) = (&self.fit.subject, &self.body, self.flight);
        for goal in &self.goals {
            let before = LastStep { subject, body, staged: &self.staged, flight, constraints: &self.constraints, ways };
            let Some(restart) = goal.restart(&before)? else { continue };
            self.reached = Some(restart.way);
            // The end of such a motion was not performed: nothing goes on behind it.
            self.constraints.ends_secs[1] = 0.0;
            self.staged = restart.staged;
            self.maps.push(restart.map);
            let clip = self.fit.staged.recharted(subject, &restart.subject)?;
            self.charted = Some((restart.subject, clip));
        }
        Ok(())
    }

    /// What goals ask for in a step.
    fn demand(&mut self, plan: &Plan, step: usize) -> Result<(), EditingError> {
        let mut constraints = Constraints { demands: self.lasting.clone(), ..self.constraints.clone() };
        let (subject, clip) = self.charted();
        let asked = ContinuationStep {
            subject,
            body: &self.body,
            clip,
            staged: &self.staged,
            maps: &self.maps,
            flight: self.flight,
            forward: plan.forward,
            share: step as f64 / plan.steps as f64,
            lean_deg: self.before.lean_after_deg,
        };
        self.goals.iter().try_for_each(|goal| goal.demand(&asked, &mut constraints))?;
        self.constraints = constraints;
        Ok(())
    }

    /// Solves a step that others follow.
    fn solve(&mut self, plan: &Plan, step: usize, watch: &mut Watcher<'_>) -> Result<(), EditingError> {
        let problem = self.staged.problem(self.charted().0, &self.body.tree, &self.constraints, ADAPT_SMOOTHNESS);
        let mut watch = in_phase(watch, &phase(plan, step));
        let start = self.staged.trajectory.clone();
        let solved = solve(&problem, start, MOST_FIT_ITERATIONS, &self.active, &mut watch)?;
        self.iterations.push(solved.iterations.len());
        (self.active, self.staged.trajectory) = (solved.active, solved.trajectory);
        Ok(())
    }

    /// Solves the last step on knots that are refined; by another objective first, if one is asked.
    fn solve_last(
        &mut self,
        plan: &Plan,
        objective: Option<Objective>,
        watch: &mut Watcher<'_>,
    ) -> Result<(Refined, Option<Optimum>), EditingError> {
        let mut problem = self.staged.problem(self.charted().0, &self.body.tree, &self.constraints, ADAPT_SMOOTHNESS);
        let mut watch = in_phase(watch, &phase(plan, plan.steps));
        let (mut trajectory, mut active) = (self.staged.trajectory.clone(), self.active.clone());
        let mut optimum = None;
        if let Some(objective) = objective.filter(|objective| *objective != Objective::Adaptation) {
            let (solved, done) = optimise(&problem, trajectory, objective, &active, &mut watch)?;
            (trajectory, active, optimum) = (solved.trajectory, solved.active, Some(done));
            trajectory.torques = Evaluator::new(&problem).torques(&trajectory);
        }
        let refined = solve_refined(&mut problem, trajectory, MOST_FIT_ITERATIONS, ADAPT_ROUNDS, &active, &mut watch)?;
        self.iterations.push(refined.rounds[0].len());
        self.staged.trajectory = refined.solved.trajectory.clone();
        Ok((refined, optimum))
    }

    /// What it took and what it is worth.
    fn report(&self, start: &StagedTrajectory, refined: Refined, optimum: Option<Optimum>) -> AdaptReport {
        let (subject, _) = self.charted();
        let Self { body, staged, constraints, flight, .. } = self;
        let (tree, solution) = (&body.tree, &staged.trajectory);
        let problem = staged.problem(subject, tree, constraints, ADAPT_SMOOTHNESS);
        let (between, _) = between(&problem, solution);
        let (limbs_deeper_m, limbs_deepest) = limbs_deeper(subject, tree, staged, &self.pairs);
        let mut cleared = Cleared::default();
        let done = Done { subject, body, staged, constraints, flight: *flight };
        self.goals.iter().for_each(|goal| goal.measure(&done, &mut cleared));
        AdaptReport {
            status: refined.solved.status,
            iterations: self.iterations.clone(),
            refinements: refined.rounds[1..].iter().map(Vec::len).collect(),
            knots: solution.grid.len(),
            sizes: refined.solved.sizes,
            at_points: AtPoints::of(&refined.solved.residuals),
            jerk_ratio: between.jerk_rms / self.fit.jerk_rms,
            torques_over: torques_over(&problem, solution),
            limbs_deeper_m,
            limbs_deepest,
            cleared,
            between,
            change_from_start: apart(subject, solution, &start.trajectory, staged.end_secs),
            before: self.before.clone(),
            after: ballistics(subject, tree, staged, flight.or(staged.longest_flight())),
            optimum,
            secs: 0.0,
        }
    }
}

fn phase(plan: &Plan, step: usize) -> String {
    if plan.steps > 1 { format!("step {step} of {}", plan.steps) } else { "adapt".to_owned() }
}

//! From goals to a motion: changed bodies and footprints, a displaced start, continuation, refinement.

use super::body::{Carried, Scaled, changed};
use super::check::{apart, between};
use super::cleared::cleared;
use super::demands::bent;
use super::events::timed;
use super::figure::{FORCE_WEIGHT, Figure};
use super::goal_parts::{Dynamics, Objective};
use super::goals::{Goals, WhichSide};
use super::grab::{Grabbed, Reaching, grabbed};
use super::hurdle::{hump, over};
use super::initialise::{FIT_SMOOTHNESS, captured, grid_of, solve_refined};
use super::legs::on_footprints;
use super::limbs;
use super::optimal::optimise;
use super::pins::{limb_above, pin_goals, stay_upright};
use super::plan::{Plan, lower_root, pin};
use super::problem::{LoadBound, Problem};
use super::report::{AdaptReport, AtPoints, FitReport, Optimum, Progress, TorqueOver, ballistics};
use super::rows::Evaluator;
use super::settings::{FRICTION, Settings, usual_bound_nm};
use super::solve::{Iteration, Solved, merit, solve};
use super::stages::{StageMove, Staged, TimeMap};
use crate::EditingError;
use aplomb_analysis::ContactAnalysis;
use aplomb_motion::{Clip, Role, Roles};
use aplomb_physics::Body;
use aplomb_physics::dynamics::BodyModel;
use glam::DVec3;
use std::collections::HashSet;
use std::time::Instant;

/// β of adaptations, s⁴: changes are spread over a tenth of a second, which is what makes anticipation.
const ADAPT_SMOOTHNESS: f64 = 1e-4;
/// Changes go on so long beyond the ends of a clip at which somebody stands, s: the root moves slower there than the second, m/s. Who runs in or out
/// may do so otherwise.
const BEYOND_SECS: f64 = 1.0;
const REST_SPEED: f64 = 0.2;
/// Iterations at most, a step.
const MOST_ITERATIONS: usize = 15;
/// Rounds of refinement at most.
const FIT_ROUNDS: usize = 4;
const ADAPT_ROUNDS: usize = 2;
/// Bounds of torque are raised to this much of what the clip itself needs.
const OWN_TORQUE: f64 = 1.15;
/// A motion that jerks by more than this, of what the clip does, is not what a person would do.
const SMOOTH_JERK: f64 = 1.25;
/// The lifted foot of a hop stays above this, m: 30 mm are promised, rows are met to a fraction of the other one.
const LIFTED_M: f64 = 0.031;

/// Told of every iteration; `false` stops the work.
pub type Watcher<'w> = dyn FnMut(&Progress) -> bool + 'w;

/// Finds a fit to a problem, whose grid it may refine: the solution, and iterations of each round.
pub(super) type Find<'f> = dyn FnMut(&mut Problem<'_>) -> Result<(Solved, Vec<usize>), EditingError> + 'f;

/// A captured motion that obeys dynamics, with its forces: made once for a clip, adapted as often as wanted.
#[derive(Clone, Debug)]
pub struct Initialised {
    pub(super) figure: Figure,
    pub(super) staged: Staged,
    /// Largest torque of each link about any of its axes, N·m.
    peak_torques: Vec<f64>,
    jerk_rms: f64,
    /// Rows that were active in the end.
    pub(super) active: HashSet<u64>,
    /// What it took and what it is worth.
    pub report: FitReport,
}

/// An adapted motion.
#[derive(Clone, Debug)]
pub struct Adapted {
    /// Whose charts the motion is told in.
    pub(super) figure: Figure,
    pub(super) tree: BodyModel,
    pub(super) staged: Staged,
    pub(super) maps: Vec<TimeMap>,
    pub(super) scaled: Vec<Scaled>,
    pub(super) settings: Settings,
    /// What it took and what it is worth.
    pub report: AdaptReport,
}

impl Initialised {
    /// Fits a clip (equation 8).
    pub fn new(
        clip: &Clip,
        roles: &Roles,
        body: &Body,
        contacts: &ContactAnalysis,
        watch: &mut Watcher<'_>,
    ) -> Result<Self, EditingError> {
        Self::weighing_forces(clip, roles, body, contacts, FORCE_WEIGHT, watch)
    }

    /// The same with another weight of forces (in body weights) against joints (in radians) in the norm, for the study of what that does
    /// (section 4.2): [`FORCE_WEIGHT`] is what fits go by.
    pub fn weighing_forces(
        clip: &Clip,
        roles: &Roles,
        body: &Body,
        contacts: &ContactAnalysis,
        force_weight: f64,
        watch: &mut Watcher<'_>,
    ) -> Result<Self, EditingError> {
        let started = Instant::now();
        let mut figure = timed(Figure::new(clip, roles, body, contacts)?, &mut told_to(watch, "flights"))?;
        figure.force_weight = force_weight;
        let parts = figure.clone();
        let mut told = told_to(watch, "fit");
        Self::judged(figure, clip, started, &mut |problem| {
            let start = captured(&parts, problem.grid.clone())?;
            problem.origin = Some(start.clone());
            let nothing = HashSet::new();
            let refined = solve_refined(problem, &parts, start, MOST_ITERATIONS, FIT_ROUNDS, &nothing, &mut told)?;
            Ok((refined.solved, refined.rounds.iter().map(Vec::len).collect()))
        })
    }

    /// The fit that `find` finds for the problem of a figure, whose grid it may refine, with what it is worth.
    pub(super) fn judged(
        figure: Figure,
        clip: &Clip,
        started: Instant,
        find: &mut Find<'_>,
    ) -> Result<Self, EditingError> {
        let end_secs = figure.times_secs.last().copied().unwrap_or(0.0);
        let grid = grid_of(&figure.stands, end_secs)?;
        let start = captured(&figure, grid)?;
        let staged = Staged {
            trajectory: start.clone(),
            stands: figure.stands.clone(),
            flights: figure.flights.clone(),
            end_secs,
        };
        let settings = Settings::of_figure(&figure);
        let mut problem = settings.problem(&figure, figure.tree(), &staged, FIT_SMOOTHNESS);
        let (solved, iterations) = find(&mut problem)?;
        let trajectory = solved.trajectory;
        let (between, _) = between(&problem, &figure, &trajectory);
        let change =
            apart(&figure, &|secs| trajectory.coordinates_at(secs), &|secs| start.coordinates_at(secs), end_secs);
        let peak_torques = peak_torques(&problem, &trajectory);
        let staged = Staged { trajectory, ..staged };
        let tree = figure.tree();
        let report = FitReport {
            is_converged: solved.is_converged,
            links: tree.model.link_count(),
            dofs: figure.coordinates.count,
            hinges: figure.hinges(),
            folded: figure.skeleton.folded.iter().map(|joint| clip.skeleton().joint(*joint).name.clone()).collect(),
            fold_shift_m: figure.skeleton.shift_m,
            gimbal_margin_deg: figure.coordinates.margin_rad.to_degrees(),
            knots: staged.trajectory.grid.len(),
            sizes: solved.sizes,
            iterations,
            at_points: AtPoints::of(&solved.residuals),
            between: between.clone(),
            change,
            flights: staged.flights.clone(),
            ballistics: ballistics(&figure, tree, &staged, longest(&staged.flights)),
            secs: started.elapsed().as_secs_f64(),
        };
        Ok(Self { staged, peak_torques, jerk_rms: between.jerk_rms, active: solved.active, report, figure })
    }

    /// Adapts to goals. Goals that could not be met leave `is_converged` false, and `at_points` tells by how much.
    pub fn adapt(&self, goals: &Goals, watch: &mut Watcher<'_>) -> Result<Adapted, EditingError> {
        let started = Instant::now();
        goals.check()?;
        let (mut found, reached) = self.adapt_from(goals, &Reaching::ALL, watch)?;
        // Arms that went through the head on their way, or were flung about to miss it, may get there on another one.
        if let Some(reached) = reached
            && !(found.report.is_converged && found.report.jerk_ratio <= SMOOTH_JERK)
        {
            let others: Vec<Reaching> = Reaching::ALL.into_iter().filter(|own| *own != reached).collect();
            let (other, _) = self.adapt_from(goals, &others, watch)?;
            let is_smoother = other.report.jerk_ratio < found.report.jerk_ratio;
            if other.report.is_converged && (is_smoother || !found.report.is_converged) {
                found = other;
            }
        }
        found.report.secs = started.elapsed().as_secs_f64();
        Ok(found)
    }

    /// The motion, and on which of these ways arms reached for what they hold on to.
    fn adapt_from(
        &self,
        goals: &Goals,
        ways: &[Reaching],
        watch: &mut Watcher<'_>,
    ) -> Result<(Adapted, Option<Reaching>), EditingError> {
        let figure = &self.figure;
        let flight = self.flight_of(goals)?;
        let mut scaled = Vec::new();
        for scale in &goals.scale {
            scaled.push(Scaled { link: figure.part(&scale.part)?, factor: scale.factor });
        }
        let mut carried = Vec::new();
        for carry in &goals.carry {
            let link = figure.part(&carry.part)?;
            let at_m = figure.tree().model.inertia(link).com_m;
            carried.push(Carried { link, at_m, mass_kg: carry.mass_kg });
        }
        let tree = changed(figure.tree(), &carried, &scaled)?;
        let mut settings = Settings::of_figure(figure);
        for touch in &mut settings.touches {
            let factors = scaled.iter().filter(|own| own.link == touch.link).map(|own| own.factor);
            touch.point_in_link_m *= factors.product::<f64>();
        }
        self.set_bounds(goals, &mut settings)?;
        settings.ends_secs = self.rests().map(|rests| if rests { BEYOND_SECS } else { 0.0 });
        if goals.hurdle.is_some() {
            // Who clears a hurdle runs on: a clip that ends with the landing would end in a fall.
            settings.ends_secs[1] = BEYOND_SECS;
        }
        let mut staged = self.staged.clone();
        lower_root(&mut staged, figure, &scaled);
        let pairs = limbs::pairs(figure, &tree, &staged, &scaled);
        if goals.limb_distance != Some(false) {
            settings.demands.pairs = pairs.clone();
        }
        self.actuate(goals, &mut staged, &mut settings)?;
        for fixed in &goals.fixed {
            let pinned = bent(figure, &tree, figure.part(&fixed.part)?, fixed.bent_deg.to_radians())?;
            pin(&mut staged, &pinned);
            settings.demands.pinned.extend(pinned);
        }
        self.hop(goals, &tree, &mut staged, &mut settings)?;
        let plan = Plan::of(goals, &staged, flight)?;
        let before = ballistics(figure, figure.tree(), &self.staged, flight.or(longest(&self.staged.flights)));
        let mut maps = Vec::new();
        let (mut iterations, mut start) = (Vec::new(), staged.clone());
        let (mut refined, mut optimum) = (None, None);
        let mut active = self.active.clone();
        // Who holds on to something gets charts for it.
        let mut charted: Option<(Figure, Staged)> = None;
        let mut reached = None;
        for step in 1..=plan.steps {
            if let Some(map) = plan.map(step, &staged) {
                staged = staged.retimed(&map)?;
                maps.push(map);
            }
            if let Some(moves) = plan.moves(step) {
                staged = staged.moved(&moves, &settings.touches)?;
                staged = on_footprints(figure, &tree, &staged, &moves)?;
            }
            if let (Some(grab), Some(flight), true) = (&goals.grab, flight, step == plan.steps) {
                let mut best: Option<(f64, Reaching, Grabbed)> = None;
                for &way in ways {
                    let held = grabbed(figure, &tree, &staged, flight, grab, &settings.touches, way)?;
                    let problem = settings.problem(&held.figure, &tree, &held.staged, ADAPT_SMOOTHNESS);
                    let left = merit(&mut Evaluator::new(&problem), &held.staged.trajectory);
                    if best.as_ref().is_none_or(|best| left < best.0 || best.0.is_nan()) {
                        best = Some((left, way, held));
                    }
                }
                let Some((_, way, held)) = best else { return Err(EditingError::NoRoot) };
                reached = Some(way);
                // Nobody performed the swing's end.
                settings.ends_secs[1] = 0.0;
                let Grabbed { staged: start, map, figure: other } = held;
                staged = start;
                maps.push(map);
                let clip = self.staged.recharted(figure, &other)?;
                charted = Some((other, clip));
            }
            let (figure, clip) = charted.as_ref().map_or((figure, &self.staged), |(figure, clip)| (figure, clip));
            let new_secs = |secs: f64| maps.iter().fold(secs, |secs, map: &TimeMap| map.new_secs(secs));
            (settings.demands.cones, settings.demands.timed) = (Vec::new(), Vec::new());
            pin_goals(goals, figure, clip, &new_secs, plan.forward, &mut settings.demands)?;
            if let (Some(_), Some(flight)) = (&goals.twist, flight) {
                let until = staged.flights.get(flight + 1).map_or(staged.end_secs, |next| next.0);
                let own_deg = before.lean_after_deg;
                stay_upright(figure, own_deg, staged.flights[flight].1, until, &mut settings.demands);
            }
            if let (Some(hurdle), Some(flight)) = (&goals.hurdle, flight) {
                let share = step as f64 / plan.steps as f64;
                settings.demands.hump = hump(figure, &staged, flight, hurdle.height_m, share);
                settings.demands.over = over(figure, &tree, &scaled);
            }
            start = staged.clone();
            settings.load_bound = goals.landing_load_bw.and_then(|most_bw| {
                let (_, to) = *staged.flights.get(flight?)?;
                Some(LoadBound { start_secs: to, end_secs: to + 0.5, most_bw })
            });
            let mut problem = settings.problem(figure, &tree, &staged, ADAPT_SMOOTHNESS);
            let phase = if plan.steps > 1 { format!("step {step} of {}", plan.steps) } else { "adapt".to_owned() };
            let mut told = told_to(watch, &phase);
            let trajectory = staged.trajectory.clone();
            let is_last = step == plan.steps;
            if is_last {
                let mut trajectory = trajectory;
                if let Some(objective) = goals.objective.filter(|objective| *objective != Objective::Adaptation) {
                    let (solved, done) = optimise(&problem, trajectory, objective, &active, &mut told)?;
                    (trajectory, active, optimum) = (solved.trajectory, solved.active, Some(done));
                    trajectory.torques = Evaluator::new(&problem).torques(&trajectory);
                }
                let found =
                    solve_refined(&mut problem, figure, trajectory, MOST_ITERATIONS, ADAPT_ROUNDS, &active, &mut told)?;
                iterations.push(found.rounds[0].len());
                staged.trajectory = found.solved.trajectory.clone();
                refined = Some(found);
            } else {
                let found = solve(&problem, trajectory, MOST_ITERATIONS, &active, &mut told)?;
                iterations.push(found.iterations.len());
                active = found.active;
                staged.trajectory = found.trajectory;
            }
        }
        let Some(refined) = refined else {
            return Err(EditingError::Goals { problem: "nothing was asked".to_owned() });
        };
        let figure = charted.as_ref().map_or(figure, |(figure, _)| figure);
        let mut problem = settings.problem(figure, &tree, &staged, ADAPT_SMOOTHNESS);
        problem.refresh(staged.trajectory.grid.clone());
        let (between, _) = between(&problem, figure, &staged.trajectory);
        let solution = &staged.trajectory;
        let (end_secs, started_from) = (staged.end_secs, &start.trajectory);
        let change =
            apart(figure, &|secs| solution.coordinates_at(secs), &|secs| started_from.coordinates_at(secs), end_secs);
        let limbs = limbs_told(figure, &tree, &staged, &pairs);
        let report = AdaptReport {
            is_converged: refined.solved.is_converged,
            iterations,
            refinements: refined.rounds[1..].iter().map(Vec::len).collect(),
            knots: staged.trajectory.grid.len(),
            sizes: refined.solved.sizes,
            at_points: AtPoints::of(&refined.solved.residuals),
            jerk_ratio: between.jerk_rms / self.jerk_rms,
            torques_over: torques_over(&problem, solution),
            limbs_deeper_m: limbs.0,
            limbs_deepest: limbs.1,
            cleared: cleared(figure, &tree, &staged, &settings, &scaled, goals.hurdle.map(|own| own.height_m)),
            between,
            change_from_start: change,
            before,
            after: ballistics(figure, &tree, &staged, flight.or(longest(&staged.flights))),
            optimum: optimum.map(|done| Optimum { share_of_start: done.share, iterations: done.iterations }),
            secs: 0.0,
        };
        Ok((Adapted { figure: figure.clone(), tree, staged, maps, scaled, settings, report }, reached))
    }

    /// Whether the body stands still at the start and at the end.
    fn rests(&self) -> [bool; 2] {
        let grid = &self.staged.trajectory.grid;
        let mut sample = Default::default();
        [0, grid.len() - 1].map(|knot| {
            self.staged.trajectory.sample(&grid.at_knots[knot], &mut sample);
            DVec3::from_slice(&sample[1][3..6]).length() < REST_SPEED
        })
    }

    fn flight_of(&self, goals: &Goals) -> Result<Option<usize>, EditingError> {
        let flights = &self.staged.flights;
        if let Some(flight) = goals.flight {
            if flight >= flights.len() {
                return Err(EditingError::UnknownFlight { flight, flights: flights.len() });
            }
            return Ok(Some(flight));
        }
        let found = longest(flights);
        let needs_flight = goals.jump_length_m.is_some()
            || goals.jump_height.is_some()
            || goals.flight_time.is_some()
            || goals.twist.is_some()
            || goals.hurdle.is_some()
            || goals.grab.is_some();
        if needs_flight && found.is_none() {
            let problem = "the goals are about a flight, and this clip has none".to_owned();
            return Err(EditingError::Goals { problem });
        }
        Ok(found)
    }

    fn set_bounds(&self, goals: &Goals, settings: &mut Settings) -> Result<(), EditingError> {
        let figure = &self.figure;
        settings.friction = goals.friction.unwrap_or(FRICTION);
        if goals.torque_bounds != Some(false) {
            for (link, bound) in figure.tree().model.links().zip(&mut settings.torque_bounds).skip(1) {
                let usual = figure.roles.role(link).and_then(usual_bound_nm);
                *bound = usual.map(|usual| usual.max(OWN_TORQUE * self.peak_torques[link.index()]));
            }
        }
        for torque in &goals.torque {
            let link = figure.part(&torque.part)?;
            let of_peak = torque.share_of_peak.map(|share| share * self.peak_torques[link.index()]);
            settings.torque_bounds[link.index()] = torque.most_nm.or(of_peak);
        }
        Ok(())
    }

    /// Makes torques unknowns: all in full dynamics, those that are named, or those of limbs that carry something or are weak.
    fn actuate(&self, goals: &Goals, staged: &mut Staged, settings: &mut Settings) -> Result<(), EditingError> {
        let figure = &self.figure;
        let mut links = Vec::new();
        let by_torque =
            matches!(goals.objective, Some(Objective::TorqueSmoothness | Objective::Torque | Objective::Power));
        let dynamics = if by_torque { Some(Dynamics::Full) } else { goals.dynamics };
        match (dynamics, &goals.torques) {
            (Some(Dynamics::Full), _) => links.extend(figure.tree().model.links().skip(1)),
            (_, Some(parts)) => {
                for part in parts {
                    links.push(figure.part(part)?);
                }
            }
            (_, None) => {
                // A loaded arm swings lower because it is pulled as hard as before; a leg that spares its ankle does not push harder with the
                // knee, though forces that cost nothing would have its heel do so.
                let changed = goals.carry.iter().map(|carry| &carry.part);
                for part in changed.chain(goals.torque.iter().map(|torque| &torque.part)) {
                    links.extend(limb_above(figure, figure.part(part)?));
                }
            }
        }
        links.sort_by_key(|link| link.index());
        links.dedup();
        settings.actuate(figure, links.into_iter());
        let own = Settings { actuated: settings.actuated.clone(), ..Settings::of_figure(figure) };
        let problem = own.problem(figure, figure.tree(), &self.staged, ADAPT_SMOOTHNESS);
        staged.trajectory.torques = Evaluator::new(&problem).torques(&self.staged.trajectory);
        Ok(())
    }

    /// Drops the other foot's contacts, lets the kept one carry everything, and shifts the root over it.
    fn hop(
        &self,
        goals: &Goals,
        tree: &BodyModel,
        staged: &mut Staged,
        settings: &mut Settings,
    ) -> Result<(), EditingError> {
        let Some(hop) = &goals.hop else { return Ok(()) };
        let figure = &self.figure;
        let kept = usize::from(hop.on == WhichSide::Right);
        let both: Vec<Option<DVec3>> = (0..=staged.flights.len()).map(|stage| staged.middle_m(stage)).collect();
        staged.stands.retain(|stand| settings.touches[stand.touch].group == kept);
        for (touch, forces) in settings.touches.iter().zip(&mut staged.trajectory.forces) {
            let factor = if touch.group == kept { 2.0 } else { 0.0 };
            forces.iter_mut().for_each(|force| *force *= factor);
        }
        let mut moves = vec![StageMove::default(); staged.flights.len() + 1];
        for (stage, own) in moves.iter_mut().enumerate() {
            let (Some(both_m), Some(kept_m)) = (both[stage], staged.middle_m(stage)) else {
                let problem = "the leg that should hop does not stand before and after every flight".to_owned();
                return Err(EditingError::Goals { problem });
            };
            own.root_shift_m = DVec3::new(kept_m.x - both_m.x, 0.0, kept_m.z - both_m.z);
        }
        *staged = staged.moved(&moves, &settings.touches)?;
        let other = if kept == 1 { aplomb_motion::Side::Left } else { aplomb_motion::Side::Right };
        let shank = figure.roles.link(Role::Shank(other), tree).ok_or(EditingError::NoRoot)?;
        let pinned = bent(figure, tree, shank, hop.other_knee_deg.to_radians())?;
        pin(staged, &pinned);
        settings.demands.pinned.extend(pinned);
        let lifted = (0..settings.touches.len()).filter(|&touch| settings.touches[touch].group == 1 - kept);
        settings.demands.lifted = lifted.map(|touch| (touch, figure.ground_m + LIFTED_M)).collect();
        // One leg gives what two gave: torques that are part of the norm are told from what it has to give, or the body would sway to spare it.
        let problem = settings.problem(figure, tree, staged, ADAPT_SMOOTHNESS);
        staged.trajectory.torques = Evaluator::new(&problem).torques(&staged.trajectory);
        Ok(())
    }
}

fn longest(flights: &[(f64, f64)]) -> Option<usize> {
    (0..flights.len()).max_by(|&a, &b| (flights[a].1 - flights[a].0).total_cmp(&(flights[b].1 - flights[b].0)))
}

fn told_to<'t>(watch: &'t mut Watcher<'_>, phase: &str) -> impl FnMut(&Iteration) -> bool + 't {
    let phase = phase.to_owned();
    let mut count = 0;
    move |iteration| {
        count += 1;
        watch(&Progress::of(&phase, count, iteration))
    }
}

fn peak_torques(problem: &Problem<'_>, trajectory: &super::motion::Trajectory) -> Vec<f64> {
    let model = &problem.tree.model;
    let mut evaluator = Evaluator::new(problem);
    let mut peaks = vec![0.0_f64; model.link_count()];
    each_time(&trajectory.grid.knots_secs, |secs| {
        let tau = evaluator.inverse_dynamics(trajectory, secs);
        for link in model.links().skip(1) {
            let own = problem.coordinates.largest_torque(link, &tau[model.v_range(link)]);
            peaks[link.index()] = peaks[link.index()].max(own);
        }
    });
    peaks
}

/// Joints whose torque exceeds its bound at any time.
fn torques_over(problem: &Problem<'_>, trajectory: &super::motion::Trajectory) -> Vec<TorqueOver> {
    let model = &problem.tree.model;
    let peaks = peak_torques(problem, trajectory);
    let over = model.links().zip(peaks).zip(&problem.torque_bounds).filter_map(|((link, peak_nm), bound)| {
        let bound_nm = (*bound)?;
        (peak_nm > bound_nm).then(|| TorqueOver { link: model.name(link).to_owned(), bound_nm, peak_nm })
    });
    over.collect()
}

/// How much deeper than in the clip limbs get into each other at worst, and which.
fn limbs_told(figure: &Figure, tree: &BodyModel, staged: &Staged, pairs: &[limbs::Pair]) -> (f64, String) {
    let found = limbs::nearest_m(figure, tree, staged, pairs, 0.0);
    let model = &tree.model;
    let mut worst = (0.0, String::new());
    for (pair, found_m) in pairs.iter().zip(found) {
        let deeper_m = pair.own_overlap_m() - found_m;
        if deeper_m > worst.0 {
            worst = (deeper_m, format!("{} and {}", model.name(pair.a), model.name(pair.b)));
        }
    }
    worst
}

fn each_time(knots_secs: &[f64], mut look: impl FnMut(f64)) {
    for pair in knots_secs.windows(2) {
        (0..4).for_each(|part| look(pair[0] + (pair[1] - pair[0]) * f64::from(part) / 4.0));
    }
}

//! A step on the ground: turns of single frames, made into one that the body can do, again and again.

use super::dead_zones::balance_weights;
use super::filter::CorrectionFilter;
use super::ground::{Axes, Coefficients, Point};
use super::observed_motion::ObservedMotion;
use super::steps::{Compiled, Set};
use super::turn_over_time::TurnSolver;
use super::{Balance, BalanceSums, IterationRecord, LEAST_REPAIRED_LOAD, Run, copy_poses, layer_of};
use crate::EditingError;
use aplomb_motion::{Clip, so3};
use aplomb_physics::GRAVITY_IN_WORLD;
use glam::{DVec2, DVec3};

/// No frame is turned farther at once: on about one frame in twenty the goal is out of reach.
const MOST_TURN_RAD: f64 = std::f64::consts::FRAC_PI_6;
/// A step ends when the error has not fallen so many times in a row, and the best state is kept.
const MOST_SETBACKS: usize = 2;
/// Nearer than this a goal is reached.
const GOAL_REACHED_M: f64 = 1e-6;

impl Run<'_> {
    pub(super) fn ground_step(
        &mut self,
        index: usize,
        step: &Compiled,
        motion: &mut ObservedMotion,
    ) -> Result<(), EditingError> {
        let mut filter = CorrectionFilter::new(step.width_secs, motion.frames.step_secs, motion.count())?;
        let skeleton = std::sync::Arc::clone(self.clip.skeleton());
        let sets: Vec<Set> = motion.links.iter().map(|link| step.set_of(&skeleton, link.joint)).collect();
        let mut asked_m = vec![DVec2::ZERO; motion.count()];
        let mut height_m = 0.0;
        let mut best = Best::of(self);
        for iteration in 0..=step.repeat {
            // Planted feet stay where they are, so their support is looked at once a step.
            motion.look(&self.clip, self.options.margin, iteration == 0);
            motion.accelerate()?;
            if iteration == 0 {
                self.count_more(motion)?;
            }
            let frames = FrameByFrame { step, sets: &sets, motion };
            if iteration == 0 {
                height_m = frames.height_m();
            }
            let found = frames.corrections(&mut asked_m);
            if best.is_beaten_by(found.goal_m) {
                best.renew(found.goal_m, self);
            } else if best.setbacks >= MOST_SETBACKS {
                break;
            }
            if iteration == step.repeat {
                break;
            }
            let balance = found.balance;
            if found.is_nothing() {
                break;
            }
            self.iterations.push(IterationRecord { step: index, name: step.name.clone(), iteration, balance });
            let (turns_rad, shifts_m) = found.over_time(height_m, &mut filter, motion)?;
            self.put_on(layer_of(index, iteration, step, Some(balance.mean_m), turns_rad, shifts_m));
        }
        best.restore(self);
        Ok(())
    }

    /// What earlier steps threw out of balance is put right by later ones, too, where frames may change at all.
    fn count_more(&self, motion: &mut ObservedMotion) -> Result<(), EditingError> {
        let Some(zones) = self.options.dead_zones.as_ref().filter(|_| !self.needs.everything) else { return Ok(()) };
        let weights = balance_weights(motion, zones)?;
        for ((counts, weight), share) in motion.counts.iter_mut().zip(weights).zip(&motion.frames.share) {
            *counts = counts.max(if *share > 0.0 { weight } else { 0.0 });
        }
        Ok(())
    }
}

/// One iteration of a step, each frame by itself.
struct FrameByFrame<'a> {
    step: &'a Compiled,
    sets: &'a [Set],
    motion: &'a ObservedMotion,
}

/// What it finds: moments, which are turns times the force that carries the frame. Zeros where no step is taken.
struct Corrections {
    turn_moments: Vec<DVec3>,
    /// Of the root's shift; empty if it stays.
    shift_moments: Vec<DVec3>,
    balance: Balance,
    /// Force-weighted distance from the goals, which lie inside the support by the margin.
    goal_m: f64,
}

impl FrameByFrame<'_> {
    /// `asked_m`: how far each frame was asked to move its zero-moment point by this step so far, along the ground.
    ///
    /// The goal is the point of the support nearest to where the zero-moment point would be without that: neighbours
    /// share a turn, and a frame that their turns carry farther than it needs takes back what was asked for its sake
    /// (Boyle & Dykstra 1986). Without it leans only ever grow, to 110 % of what a bend needs.
    fn corrections(&self, asked_m: &mut [DVec2]) -> Corrections {
        let Self { step, motion, .. } = *self;
        let is_whole = step.regions.iter().any(|region| region.is_whole);
        let mut turn_moments = vec![DVec3::ZERO; motion.count()];
        let mut shift_moments = if is_whole { turn_moments.clone() } else { Vec::new() };
        let (mut sums, mut goals) = (BalanceSums::default(), BalanceSums::default());
        for frame in 0..motion.count() {
            let Some((pressure, plane)) = motion.pressure(frame, LEAST_REPAIRED_LOAD) else { continue };
            sums.add(motion.distance_m(frame, &pressure), pressure.load);
            let counts = motion.counts[frame];
            goals.add(motion.goal_m(frame, pressure.flat_m).distance(pressure.flat_m), pressure.load * counts);
            if counts == 0.0 {
                continue;
            }
            let towards_m = motion.goal_m(frame, pressure.flat_m - asked_m[frame]) - pressure.flat_m;
            let distance_m = towards_m.length();
            if distance_m < GOAL_REACHED_M {
                continue;
            }
            asked_m[frame] += towards_m * step.rho;
            let (x, y) = (plane.direction(towards_m / distance_m), plane.normal());
            let axes = Axes { x, y, z: x.cross(y), origin_m: pressure.zmp_m };
            let below_m = motion.below_root_m(frame, &plane);
            let (centre, top) = (|region| self.centre_m(frame, below_m, region), |top| self.top_m(frame, top));
            let coefficients = Coefficients::of(self.points(frame), &axes, centre, top);
            let turn_rad = coefficients.turn_rad(distance_m).clamp(-MOST_TURN_RAD, MOST_TURN_RAD) * step.rho;
            let turn_rad = axes.z * (turn_rad * counts);
            turn_moments[frame] = turn_rad * pressure.load;
            if is_whole {
                let arm_m = motion.root_m(frame) - below_m;
                shift_moments[frame] = (so3::exp(turn_rad) * arm_m - arm_m) * pressure.load;
            }
        }
        let (balance, goal_m) = (sums.finish(), goals.finish().weighted_m);
        Corrections { turn_moments, shift_moments, balance, goal_m }
    }

    fn points(&self, frame: usize) -> impl Iterator<Item = Point> + Clone {
        (0..self.motion.links.len()).map(move |link| Point {
            set: self.sets[link],
            at_m: self.motion.smooth_m[link * self.motion.count() + frame],
            push: self.motion.push(link, frame),
        })
    }

    /// A whole body turns about the ground below its root, a part about the joint it hangs on.
    fn centre_m(&self, frame: usize, below_root_m: DVec3, region: usize) -> DVec3 {
        match self.step.regions[region].is_whole {
            true => below_root_m,
            false => self.motion.centre_m(self.step.regions[region].joint, frame),
        }
    }

    /// All of S3 hangs in the first region that it is below; with one region, in that.
    fn top_m(&self, frame: usize, top: usize) -> (DVec3, usize) {
        (self.motion.centre_m(self.step.carried[top], frame), 0)
    }

    /// Σ m k h / Σ m k over carried frames, k the lever of what turns: the height at which it pushes back.
    fn height_m(&self) -> f64 {
        let (mut levers, mut by_height) = (0.0, 0.0);
        for (frame, plane) in
            self.motion.planes.iter().enumerate().filter_map(|(frame, it)| Some((frame, it.as_ref()?)))
        {
            let (up, below_m) = (plane.normal(), self.motion.below_root_m(frame, plane));
            for (index, link) in self.motion.links.iter().enumerate() {
                let at_m = self.motion.smooth_m[index * self.motion.count() + frame];
                let arm_m = match self.sets[index] {
                    Set::Fixed => continue,
                    Set::Turned(region) => at_m - self.centre_m(frame, below_m, region),
                    Set::Carried(top) => self.top_m(frame, top).0 - self.centre_m(frame, below_m, 0),
                };
                let lever = link.mass_kg * arm_m.dot(up).abs();
                levers += lever;
                by_height += lever * (at_m - below_m).dot(up).max(0.0);
            }
        }
        if levers > 0.0 { by_height / levers } else { 0.0 }
    }
}

impl Corrections {
    /// Whether no frame asks for anything.
    fn is_nothing(&self) -> bool {
        self.turn_moments.iter().all(|moment| *moment == DVec3::ZERO)
    }

    /// Turns and shifts that the body can do, in the frames that may change.
    fn over_time(
        self,
        height_m: f64,
        filter: &mut CorrectionFilter,
        motion: &ObservedMotion,
    ) -> Result<(Vec<DVec3>, Vec<DVec3>), EditingError> {
        let Self { mut turn_moments, mut shift_moments, .. } = self;
        let (loads, step_secs) = (motion.loads(), motion.frames.step_secs);
        let answer = TurnSolver::new(&loads, &motion.frames.share, height_m / GRAVITY_IN_WORLD.length(), step_secs)?;
        for moments in [&mut turn_moments, &mut shift_moments] {
            if moments.is_empty() {
                continue;
            }
            filter.smooth(moments, &motion.known);
            for ((moment, load), trust) in moments.iter_mut().zip(&loads).zip(&motion.trust) {
                // There is nothing to push against in flights.
                *moment *= if *load == 0.0 { 0.0 } else { *trust };
            }
            answer.solve(moments)?;
        }
        Ok((turn_moments, shift_moments))
    }
}

/// The best state within a step, in case the last is not.
struct Best {
    goal_m: f64,
    free: Clip,
    layers: usize,
    iterations: usize,
    setbacks: usize,
}

impl Best {
    fn of(run: &Run<'_>) -> Self {
        let (layers, iterations) = (run.layers.len(), run.iterations.len());
        Self { goal_m: f64::INFINITY, free: run.free.clone(), layers, iterations, setbacks: 0 }
    }

    fn is_beaten_by(&mut self, goal_m: f64) -> bool {
        let is_better = goal_m < self.goal_m;
        self.setbacks = if is_better { 0 } else { self.setbacks + 1 };
        is_better
    }

    fn renew(&mut self, goal_m: f64, run: &Run<'_>) {
        (self.goal_m, self.layers, self.iterations) = (goal_m, run.layers.len(), run.iterations.len());
        copy_poses(&run.free, &mut self.free);
    }

    fn restore(self, run: &mut Run<'_>) {
        if self.setbacks > 0 {
            copy_poses(&self.free, &mut run.free);
            run.plant();
        }
        run.layers.truncate(self.layers);
        run.iterations.truncate(self.iterations);
    }
}

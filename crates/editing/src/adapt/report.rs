//! What an initialisation or an adaptation did, in numbers people can judge.

use super::check::{Apart, Between};
use super::cleared::Cleared;
use super::figure::Figure;
use super::rows::Group;
use super::solve::{Iteration, Residuals};
use super::stages::Staged;
use aplomb_physics::dynamics::{BodyModel, CentroidDerivatives, Workspace};
use serde::Serialize;

/// How far the worst row of each kind is from being met at the points.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct AtPoints {
    /// Unexplained force, share of body weight.
    pub force: f64,
    /// Unexplained moment, share of body weight times metres.
    pub moment: f64,
    /// Standing points and goals of place, m.
    pub place_m: f64,
    /// Angles that were asked for, degrees.
    pub angle_deg: f64,
    /// Outside the friction pyramid, body weights.
    pub friction: f64,
    /// Below the ground or an obstacle, m.
    pub ground_m: f64,
    /// Over a torque's bound, N·m.
    pub torque_nm: f64,
    /// Limbs too near, m.
    pub limbs_m: f64,
    /// Over the bound of the load, body weights.
    pub load: f64,
}

impl AtPoints {
    pub(super) fn of(residuals: &Residuals) -> Self {
        let get = |group: Group| residuals.get(&group).copied().unwrap_or(0.0);
        Self {
            force: get(Group::Force),
            moment: get(Group::Moment),
            place_m: get(Group::Place),
            angle_deg: get(Group::Angle).to_degrees(),
            friction: get(Group::Friction),
            ground_m: get(Group::Ground),
            torque_nm: get(Group::Torque),
            limbs_m: get(Group::Distance),
            load: get(Group::Load),
        }
    }

    /// What is not met, in words; `None` if everything is.
    pub fn unmet(&self) -> Option<String> {
        let mut told = Vec::new();
        let mut check = |value: f64, group: Group, what: String| {
            if value.is_nan() || value > group.tolerance() {
                told.push(what);
            }
        };
        check(self.force, Group::Force, format!("force off by {:.1} % of body weight", self.force * 100.0));
        check(self.moment, Group::Moment, format!("moment off by {:.3} body weights times metres", self.moment));
        check(self.place_m, Group::Place, format!("places off by {:.1} mm", self.place_m * 1e3));
        check(self.angle_deg.to_radians(), Group::Angle, format!("angles off by {:.1}°", self.angle_deg));
        check(self.friction, Group::Friction, format!("friction exceeded by {:.3} body weights", self.friction));
        check(self.ground_m, Group::Ground, format!("{:.1} mm below the ground or an obstacle", self.ground_m * 1e3));
        check(self.torque_nm, Group::Torque, format!("torques {:.1} N·m over their bounds", self.torque_nm));
        check(self.limbs_m, Group::Distance, format!("limbs {:.1} mm too near", self.limbs_m * 1e3));
        check(self.load, Group::Load, format!("load {:.2} body weights over its bound", self.load));
        (!told.is_empty()).then(|| told.join(", "))
    }
}

/// One step of the solver, for those who wait.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Progress {
    /// What is being done.
    pub phase: String,
    /// From 1.
    pub iteration: usize,
    /// Before the step.
    pub at_points: AtPoints,
    /// Of a whole step.
    pub step: f64,
    /// Of the saddle-point system.
    pub factorisations: usize,
    /// Whether the interior point method had to help.
    pub by_interior_point: bool,
}

impl Progress {
    pub(super) fn of(phase: &str, iteration: usize, it: &Iteration) -> Self {
        Self {
            phase: phase.to_owned(),
            iteration,
            at_points: AtPoints::of(&it.residuals),
            step: it.step,
            factorisations: it.factorisations,
            by_interior_point: it.by_interior_point,
        }
    }
}

/// What the whole body does.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Ballistics {
    /// Lowest centre of mass before the flight that is meant, m over the ground.
    pub lowest_before_takeoff_m: f64,
    /// Highest in that flight, over where it left the ground, m.
    pub rise_m: f64,
    /// Downward acceleration of the centre of mass in flight, m/s².
    pub g: f64,
    /// Angular momentum about the vertical, 0.3 s before lift-off, N·m·s …
    pub spin_before: f64,
    /// … at lift-off …
    pub spin_at_liftoff: f64,
    /// … and how much it changes in flight.
    pub spin_change: f64,
    /// Likewise about level axes.
    pub tumble_change: f64,
    /// Peak vertical load of the left and the right foot from the bottom of the crouch to lift-off, body weights.
    pub push_off_bw: [f64; 2],
    /// Likewise behind it.
    pub landing_bw: [f64; 2],
    /// How far trunk or head lean at most behind the flight, degrees.
    pub lean_after_deg: f64,
    /// Mean height of the left and the right hand in flight, m over the ground.
    pub hands_in_flight_m: [f64; 2],
    /// Length of the flight, s.
    pub flight_secs: f64,
}

/// Looks at a motion as a whole around one flight.
pub(super) fn ballistics(figure: &Figure, tree: &BodyModel, staged: &Staged, flight: Option<usize>) -> Ballistics {
    let mut found = Ballistics::default();
    let Some(&(from, to)) = flight.and_then(|flight| staged.flights.get(flight)) else { return found };
    found.flight_secs = to - from;
    let mut whole = CentroidDerivatives::new(&tree.model);
    let mut work = Workspace::new(&tree.model);
    let nv = tree.model.nv();
    let (mut q, mut v, mut a) = (tree.model.neutral(), vec![0.0; nv], vec![0.0; nv]);
    let mut sample = Default::default();
    let mut look = |secs: f64, work: &mut Workspace| {
        let point = staged.trajectory.grid.at(secs);
        staged.trajectory.sample(&point, &mut sample);
        figure.coordinates.state([&sample[0], &sample[1], &sample[2]], &mut q, &mut v, &mut a, None);
        whole.evaluate(&tree.model, &q, &v, work);
        (whole.at.com_in_world_m, whole.momentum)
    };
    let before = flight.and_then(|flight| flight.checked_sub(1)).map_or(0.0, |before| staged.flights[before].1);
    let steps = 60;
    let part = |from: f64, to: f64, step: i32| from + (to - from) * f64::from(step) / f64::from(steps);
    // The push-off begins where the centre of mass is lowest: what is before brakes the fall into the crouch, on heels that need no ankle.
    let (mut lowest_m, mut push_secs) = (f64::INFINITY, from);
    for step in 0..=steps {
        let secs = part(before.max(from - 1.0), from, step);
        let height_m = look(secs, &mut work).0.y;
        if height_m < lowest_m {
            (lowest_m, push_secs) = (height_m, secs);
        }
    }
    found.lowest_before_takeoff_m = lowest_m - figure.ground_m;
    let (left, spin) = look(from, &mut work);
    found.spin_at_liftoff = spin.angular.y;
    found.spin_before = look((from - 0.3).max(0.0), &mut work).1.angular.y;
    let hands = aplomb_motion::Side::BOTH.map(|side| figure.roles.link(aplomb_motion::Role::Hand(side), tree));
    let (mut low, mut high) = (spin.angular, spin.angular);
    let mut fall = Vec::new();
    for step in 0..=steps {
        let secs = part(from, to, step);
        let (com_m, momentum) = look(secs, &mut work);
        found.rise_m = found.rise_m.max(com_m.y - left.y);
        (low, high) = (low.min(momentum.angular), high.max(momentum.angular));
        fall.push((secs, com_m.y));
        for (height_m, hand) in found.hands_in_flight_m.iter_mut().zip(hands) {
            if let Some(hand) = hand {
                *height_m += (work.link(hand).joint_in_world_m.y - figure.ground_m) / f64::from(steps + 1);
            }
        }
    }
    found.spin_change = high.y - low.y;
    found.tumble_change = (high.x - low.x).max(high.z - low.z);
    found.g = fitted_g(&fall);
    let peak = |group: usize, from: f64, to: f64| {
        let load = |secs: f64| -> f64 {
            let own = figure.touches.iter().enumerate().filter(|(_, touch)| touch.group == group);
            own.map(|(touch, _)| staged.trajectory.force_at(touch, secs).y).sum()
        };
        (0..=200).map(|step| load(from + (to - from) * f64::from(step) / 200.0)).fold(0.0, f64::max)
    };
    let after = staged.flights.get(flight.unwrap_or(0) + 1).map_or(staged.end_secs, |next| next.0);
    found.push_off_bw = [0, 1].map(|group| peak(group, push_secs, from));
    found.landing_bw = [0, 1].map(|group| peak(group, to, after.min(to + 0.6)));
    let chest = figure.roles.trunk(tree);
    for step in 0..=steps {
        look(part(to, after.min(to + 0.8), step), &mut work);
        let head = figure.roles.head(tree);
        if let Some(head) = head {
            let along = work.link(head).world_from_link * tree.model.inertia(head).com_m;
            found.lean_after_deg = found.lean_after_deg.max(along.angle_between(glam::DVec3::Y).to_degrees());
        }
        if let Some(chest) = chest {
            let along = work.link(chest).joint_in_world_m
                - work.link(tree.model.links().next().unwrap_or(chest)).joint_in_world_m;
            let lean = along.angle_between(glam::DVec3::Y).to_degrees();
            found.lean_after_deg = found.lean_after_deg.max(lean);
        }
    }
    found
}

/// Twice the quadratic coefficient of a parabola by least squares.
fn fitted_g(samples: &[(f64, f64)]) -> f64 {
    let count = samples.len() as f64;
    let middle = samples.iter().map(|sample| sample.0).sum::<f64>() / count;
    let (mut s2, mut s4, mut sy, mut s2y) = (0.0, 0.0, 0.0, 0.0);
    for (secs, y) in samples {
        let t2 = (secs - middle).powi(2);
        s2 += t2;
        s4 += t2 * t2;
        sy += y;
        s2y += t2 * y;
    }
    // Samples are even: odd powers fall out.
    -2.0 * (count * s2y - s2 * sy) / (count * s4 - s2 * s2)
}

/// The initialisation of a clip.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FitReport {
    /// Whether every row is met.
    pub is_converged: bool,
    /// Links and degrees of freedom of the solve.
    pub links: usize,
    /// Degrees of freedom.
    pub dofs: usize,
    /// Joints with one axis.
    pub hinges: usize,
    /// Joints that were folded onto others, by name.
    pub folded: Vec<String>,
    /// The farthest folding moves a joint, m.
    pub fold_shift_m: f64,
    /// How far all joints stay from gimbal lock, degrees.
    pub gimbal_margin_deg: f64,
    /// Knots.
    pub knots: usize,
    /// Unknowns, equalities, inequalities.
    pub sizes: [usize; 3],
    /// Iterations of the first grid, then of each refinement.
    pub iterations: Vec<usize>,
    /// Rows at the points.
    pub at_points: AtPoints,
    /// Between them.
    pub between: Between,
    /// From the capture.
    pub change: Apart,
    /// Flights, s.
    pub flights: Vec<(f64, f64)>,
    /// Of the longest flight.
    pub ballistics: Ballistics,
    /// Computing time, s; no part of a record, which is the same every time.
    #[serde(skip)]
    pub secs: f64,
}

/// An optimum by an objective.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Optimum {
    /// The objective over that of the displaced start; displaced mass over that of everything a centimetre away.
    pub share_of_start: f64,
    /// Quadratic programmes it took.
    pub iterations: usize,
}

/// A torque beyond its bound.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TorqueOver {
    /// The joint of this link.
    pub link: String,
    /// N·m.
    pub bound_nm: f64,
    /// Its largest, N·m.
    pub peak_nm: f64,
}

impl TorqueOver {
    /// What is allowed between points: 2 % or 2 N·m, whichever is more.
    pub fn allowed_nm(&self) -> f64 {
        2.0_f64.max(0.02 * self.bound_nm)
    }

    /// How much it exceeds even that; negative if it does not.
    pub fn beyond_nm(&self) -> f64 {
        self.peak_nm - self.bound_nm - self.allowed_nm()
    }
}

/// An adaptation.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct AdaptReport {
    /// Whether every goal is met.
    pub is_converged: bool,
    /// Iterations of each continuation step.
    pub iterations: Vec<usize>,
    /// And of each refinement.
    pub refinements: Vec<usize>,
    /// Knots.
    pub knots: usize,
    /// Unknowns, equalities, inequalities.
    pub sizes: [usize; 3],
    /// Rows at the points.
    pub at_points: AtPoints,
    /// Between them.
    pub between: Between,
    /// From the displaced start of the last step.
    pub change_from_start: Apart,
    /// Of the flight that is meant, before …
    pub before: Ballistics,
    /// … and after.
    pub after: Ballistics,
    /// Jerk over that of the initialised motion.
    pub jerk_ratio: f64,
    /// Bounded torques that exceed their bounds between points.
    pub torques_over: Vec<TorqueOver>,
    /// How much deeper than in the clip limbs get into each other, by their collision shapes, m: zero if none does.
    pub limbs_deeper_m: f64,
    /// Which; empty if none.
    pub limbs_deepest: String,
    /// How far above it is what had to stay above something.
    pub cleared: Cleared,
    /// Where another objective was minimised than the change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub optimum: Option<Optimum>,
    /// Computing time, s; no part of a record, which is the same every time.
    #[serde(skip)]
    pub secs: f64,
}

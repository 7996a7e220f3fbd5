//! What the whole body does around one flight: height, fall, spin, loads and lean.

use crate::adapt::start::StagedTrajectory;
use crate::adapt::subject::Subject;
use aplomb_motion::{Role, Side};
use aplomb_physics::dynamics::{BodyModel, CentroidDerivatives, Workspace};
use glam::DVec3;
use serde::Serialize;

/// What the whole body does.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Ballistics {
    /// Lowest centre of mass before the flight that is meant, m over the ground.
    pub lowest_before_takeoff_m: f64,
    /// Highest in that flight, over where it left the ground, m.
    pub rise_m: f64,
    /// Downward acceleration of the centre of mass in flight, m/s².
    pub g: f64,
    /// Angular momentum about the vertical, 0.3 s before lift-off, N·m·s.
    pub spin_before: f64,
    /// The same at lift-off.
    pub spin_at_liftoff: f64,
    /// How much it changes in flight.
    pub spin_change: f64,
    /// The same about level axes.
    pub tumble_change: f64,
    /// Peak vertical load of the left and the right foot from the bottom of the crouch to lift-off, body weights.
    pub push_off_bw: [f64; 2],
    /// The same behind the flight.
    pub landing_bw: [f64; 2],
    /// How far trunk or head lean at most behind the flight, degrees.
    pub lean_after_deg: f64,
    /// Mean height of the left and the right hand in flight, m over the ground.
    pub hands_in_flight_m: [f64; 2],
    /// Length of the flight, s.
    pub flight_secs: f64,
}

/// Looks at a motion as a whole around one flight.
pub fn ballistics(subject: &Subject, tree: &BodyModel, staged: &StagedTrajectory, flight: Option<usize>) -> Ballistics {
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
        subject.coordinates.state([&sample[0], &sample[1], &sample[2]], &mut q, &mut v, &mut a, None);
        whole.evaluate(&tree.model, &q, &v, work);
        (whole.at.com_in_world_m, whole.momentum)
    };
    let before = flight.and_then(|flight| flight.checked_sub(1)).map_or(0.0, |before| staged.flights[before].1);
    let steps = 60;
    let part = |from: f64, to: f64, step: i32| from + (to - from) * f64::from(step) / f64::from(steps);
    // The push-off begins where the centre of mass is lowest: what is before brakes the fall into the crouch, on heels
    // that need no ankle.
    let (mut lowest_m, mut push_secs) = (f64::INFINITY, from);
    for step in 0..=steps {
        let secs = part(before.max(from - 1.0), from, step);
        let height_m = look(secs, &mut work).0.y;
        if height_m < lowest_m {
            (lowest_m, push_secs) = (height_m, secs);
        }
    }
    found.lowest_before_takeoff_m = lowest_m - subject.ground_m;
    let (left, spin) = look(from, &mut work);
    found.spin_at_liftoff = spin.angular.y;
    found.spin_before = look((from - 0.3).max(0.0), &mut work).1.angular.y;
    let hands = Side::BOTH.map(|side| subject.roles.link(Role::Hand(side), tree));
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
                *height_m += (work.link(hand).joint_in_world_m.y - subject.ground_m) / f64::from(steps + 1);
            }
        }
    }
    found.spin_change = high.y - low.y;
    found.tumble_change = (high.x - low.x).max(high.z - low.z);
    found.g = fitted_g(&fall);
    let after = staged.flights.get(flight.unwrap_or(0) + 1).map_or(staged.end_secs, |next| next.0);
    found.push_off_bw = [0, 1].map(|group| peak_load_bw(subject, staged, group, push_secs, from));
    found.landing_bw = [0, 1].map(|group| peak_load_bw(subject, staged, group, to, after.min(to + 0.6)));
    for step in 0..=steps {
        look(part(to, after.min(to + 0.8), step), &mut work);
        found.lean_after_deg = lean_deg(subject, tree, &work).fold(found.lean_after_deg, f64::max);
    }
    found
}

/// Largest vertical load of a foot in a span, body weights.
fn peak_load_bw(subject: &Subject, staged: &StagedTrajectory, group: usize, from: f64, to: f64) -> f64 {
    let load = |secs: f64| -> f64 {
        let own = subject.touches.iter().enumerate().filter(|(_, touch)| touch.group == group);
        own.map(|(touch, _)| staged.trajectory.force_at(touch, secs).y).sum()
    };
    (0..=200).map(|step| load(from + (to - from) * f64::from(step) / 200.0)).fold(0.0, f64::max)
}

/// How far head and trunk lean, degrees.
fn lean_deg(subject: &Subject, tree: &BodyModel, work: &Workspace) -> impl Iterator<Item = f64> {
    let head = subject.roles.head(tree);
    let head = head.map(|head| work.link(head).world_from_link * tree.model.inertia(head).com_m);
    let trunk = subject.roles.trunk(tree).map(|chest| {
        let root = tree.model.links().next().unwrap_or(chest);
        work.link(chest).joint_in_world_m - work.link(root).joint_in_world_m
    });
    [head, trunk].into_iter().flatten().map(|along| along.angle_between(DVec3::Y).to_degrees())
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

//! How far two motions are apart, which torques exceed their bounds, and which limbs meet.

use crate::adapt::problem::{Evaluator, LinkPair, Problem, TorqueOver, Trajectory, nearest_m};
use crate::adapt::start::StagedTrajectory;
use crate::adapt::subject::Subject;
use aplomb_motion::{Role, so3};
use aplomb_physics::dynamics::BodyModel;
use glam::DVec3;
use serde::Serialize;

/// How far two trajectories of one subject are apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Apart {
    /// Turns of all joints, rms, degrees.
    pub joints_rms_deg: f64,
    /// Without feet and toes.
    pub without_feet_rms_deg: f64,
    /// Single angles instead of whole joints, rms, degrees: ‖q − q̄‖ of equation 8 without weights, as design studies
    /// give it.
    pub angles_rms_deg: f64,
    /// Place of the root, rms, m.
    pub root_rms_m: f64,
}

pub fn apart(subject: &Subject, a: &Trajectory, b: &Trajectory, end_secs: f64) -> Apart {
    let tree = subject.tree();
    let (mut q_a, mut q_b) = (tree.model.neutral(), tree.model.neutral());
    let (mut joints, mut body, mut root, mut angles) = ((0.0, 0), (0.0, 0), (0.0, 0), (0.0, 0));
    let steps = 200;
    for step in 0..=steps {
        let secs = end_secs * f64::from(step) / f64::from(steps);
        let (x_a, x_b) = (a.coordinates_at(secs), b.coordinates_at(secs));
        subject.coordinates.configuration(&x_a, &mut q_a);
        subject.coordinates.configuration(&x_b, &mut q_b);
        for (a, b) in x_a.iter().zip(&x_b).skip(6) {
            angles.0 += (a - b).to_degrees().powi(2);
            angles.1 += 1;
        }
        root.0 += (DVec3::from_slice(&q_a[4..7]) - DVec3::from_slice(&q_b[4..7])).length_squared();
        root.1 += 1;
        for link in tree.model.links().skip(1) {
            let angle = so3::angle_between(tree.rotation(link, &q_a), tree.rotation(link, &q_b)).to_degrees();
            joints.0 += angle * angle;
            joints.1 += 1;
            if !matches!(subject.roles.role(link), Some(Role::Foot(_) | Role::Toe(_))) {
                body.0 += angle * angle;
                body.1 += 1;
            }
        }
    }
    let rms = |(sum, count): (f64, i32)| (sum / f64::from(count.max(1))).sqrt();
    Apart {
        joints_rms_deg: rms(joints),
        without_feet_rms_deg: rms(body),
        angles_rms_deg: rms(angles),
        root_rms_m: rms(root),
    }
}

/// Largest torque of each link about any of its axes, N·m.
pub fn peak_torques(problem: &Problem<'_>, trajectory: &Trajectory) -> Vec<f64> {
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
pub fn torques_over(problem: &Problem<'_>, trajectory: &Trajectory) -> Vec<TorqueOver> {
    let model = &problem.tree.model;
    let peaks = peak_torques(problem, trajectory);
    let over =
        model.links().zip(peaks).zip(&problem.constraints.torque_bounds).filter_map(|((link, peak_nm), bound)| {
            let bound_nm = (*bound)?;
            (peak_nm > bound_nm).then(|| TorqueOver { link: model.name(link).to_owned(), bound_nm, peak_nm })
        });
    over.collect()
}

/// How much deeper than in the clip limbs get into each other at worst, and which.
pub fn limbs_deeper(
    subject: &Subject,
    tree: &BodyModel,
    staged: &StagedTrajectory,
    pairs: &[LinkPair],
) -> (f64, String) {
    let found = nearest_m(subject, tree, (&staged.trajectory, staged.end_secs), pairs, 0.0);
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

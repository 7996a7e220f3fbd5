//! What stays the same over the steps of a solve: points that touch, bounds, demands, and which torques are unknowns.

use super::demands::Demands;
use crate::adapt::subject::{Subject, Touch};
use aplomb_motion::Role;
use aplomb_physics::dynamics::LinkId;
use glam::DVec3;

/// Coulomb's coefficient, unless something else is asked.
const FRICTION: f64 = 0.8;
/// Bounds of torque are raised to this much of what the clip itself needs.
const OWN_TORQUE: f64 = 1.15;
/// One unit of a torque whose joint has no usual bound, N·m.
const UNIT_NM: f64 = 100.0;

/// A torque with a spline of its own: full dynamics, or a mixture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Actuated {
    pub link: LinkId,
    /// In the link's frame.
    pub axis: DVec3,
    /// One of the unknown, N·m.
    pub unit_nm: f64,
}

/// The ground pushes no harder than this in a span.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LoadBound {
    pub start_secs: f64,
    pub end_secs: f64,
    pub most_bw: f64,
}

/// What a motion is held to besides its footholds.
#[derive(Clone, Debug)]
pub struct Constraints {
    pub touches: Vec<Touch>,
    pub demands: Demands,
    /// Coulomb's μ.
    pub friction: f64,
    /// For each link the largest torque about each of its axes, N·m.
    pub torque_bounds: Vec<Option<f64>>,
    /// Torques that are unknowns, with a row of inverse dynamics each; the others follow.
    pub actuated: Vec<Actuated>,
    /// Largest sum of upward forces at times, body weights.
    pub load_bound: Option<LoadBound>,
    /// How long changes go on beyond both ends of the clip, s.
    pub ends_secs: [f64; 2],
}

impl Constraints {
    /// None but friction and footholds.
    pub fn of_subject(subject: &Subject) -> Self {
        Self {
            touches: subject.touches.clone(),
            demands: Demands::default(),
            friction: FRICTION,
            torque_bounds: vec![None; subject.tree().model.link_count()],
            actuated: Vec::new(),
            load_bound: None,
            ends_secs: [0.0; 2],
        }
    }

    /// Bounds torques as people's are, but not below what the clip itself needs.
    pub fn bound_torques(&mut self, subject: &Subject, peaks_nm: &[f64]) {
        for (link, bound) in subject.tree().model.links().zip(&mut self.torque_bounds).skip(1) {
            let usual = subject.roles.role(link).and_then(usual_bound_nm);
            *bound = usual.map(|usual| usual.max(OWN_TORQUE * peaks_nm[link.index()]));
        }
    }

    /// Makes the torques of links unknowns.
    pub fn actuate(&mut self, subject: &Subject, links: Vec<LinkId>) {
        for link in links {
            let unit_nm = subject.roles.role(link).and_then(usual_bound_nm).unwrap_or(UNIT_NM);
            let axes = subject.coordinates.torque_axes(link);
            self.actuated.extend(axes.into_iter().map(|axis| Actuated { link, axis, unit_nm }));
        }
    }
}

/// What people's joints give, N·m about each axis.
fn usual_bound_nm(role: Role) -> Option<f64> {
    match role {
        Role::Thigh(_) | Role::Shank(_) => Some(300.0),
        Role::Spine(_) => Some(250.0),
        Role::Foot(_) => Some(230.0),
        Role::Clavicle(_) => Some(120.0),
        Role::UpperArm(_) | Role::Toe(_) => Some(100.0),
        Role::Forearm(_) | Role::Hand(_) => Some(60.0),
        Role::Neck(_) | Role::Head => Some(50.0),
        _ => None,
    }
}

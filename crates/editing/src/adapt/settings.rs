//! What stays the same over the steps of a solve: bodies' points, bounds, demands, and which torques are unknowns.

use super::demands::Demands;
use super::figure::Figure;
use super::problem::{Actuated, LoadBound, Metric, Problem, Touch};
use super::stages::Staged;
use aplomb_motion::Role;
use aplomb_physics::dynamics::{BodyModel, LinkId};

/// Coulomb's coefficient, unless something else is asked.
pub(super) const FRICTION: f64 = 0.8;

#[derive(Clone, Debug)]
pub(super) struct Settings {
    pub touches: Vec<Touch>,
    pub demands: Demands,
    pub friction: f64,
    pub torque_bounds: Vec<Option<f64>>,
    pub actuated: Vec<Actuated>,
    pub load_bound: Option<LoadBound>,
    /// See [`Metric`].
    pub ends_secs: [f64; 2],
}

impl Settings {
    pub fn of_figure(figure: &Figure) -> Self {
        Self {
            touches: figure.touches.clone(),
            demands: Demands::default(),
            friction: FRICTION,
            torque_bounds: vec![None; figure.tree().model.link_count()],
            actuated: Vec::new(),
            load_bound: None,
            ends_secs: [0.0; 2],
        }
    }

    /// Makes the torques of links unknowns.
    pub fn actuate(&mut self, figure: &Figure, links: impl Iterator<Item = LinkId>) {
        for link in links {
            let unit_nm = figure.roles.role(link).and_then(usual_bound_nm).unwrap_or(100.0);
            let axes = figure.coordinates.torque_axes(link);
            self.actuated.extend(axes.into_iter().map(|axis| Actuated { link, axis, unit_nm }));
        }
    }

    pub fn problem<'a>(
        &self,
        figure: &'a Figure,
        tree: &'a BodyModel,
        staged: &Staged,
        smoothness: f64,
    ) -> Problem<'a> {
        let grid = staged.trajectory.grid.clone();
        let mut problem = Problem {
            tree,
            coordinates: &figure.coordinates,
            grid: grid.clone(),
            touches: self.touches.clone(),
            stands: staged.stands.clone(),
            demands: self.demands.clone(),
            asked: Vec::new(),
            friction: self.friction,
            ground_m: Some(figure.ground_m),
            torque_bounds: self.torque_bounds.clone(),
            actuated: self.actuated.clone(),
            load_bound: self.load_bound,
            metric: Metric { ends_secs: self.ends_secs, ..figure.metric(smoothness) },
            origin: None,
            body_weight_n: tree.model.total_mass_kg() * tree.model.gravity.length(),
        };
        problem.refresh(grid);
        problem
    }
}

/// What people's joints give, N·m about each axis.
pub(super) fn usual_bound_nm(role: Role) -> Option<f64> {
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

//! A floor that pushes back at points of links: a spring and a damper along its normal, and Coulomb friction by a
//! spring whose anchor slides when the force reaches μ times the normal one.

use crate::dynamics::{LinkId, Matrix, Model, Workspace};
use glam::DVec3;

/// A point of a link that may touch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactPoint {
    /// Which link.
    pub link: LinkId,
    /// Where on it, m.
    pub in_link_m: DVec3,
}

/// A plane with springs.
#[derive(Clone, Debug)]
pub struct Ground {
    /// A point of it, m.
    pub point_m: DVec3,
    /// Away from it, of length one.
    pub normal: DVec3,
    /// N/m at each point.
    pub stiffness: f64,
    /// N·s/m at each point.
    pub damping: f64,
    /// μ.
    pub friction: f64,
    points: Vec<ContactPoint>,
    /// Where each point's friction holds, while it touches.
    anchors: Vec<Option<DVec3>>,
    /// How fast each point slid in the last step, if it did.
    slips: Vec<Option<DVec3>>,
    /// Force on each point in the last step, N.
    forces: Vec<DVec3>,
    /// Columns of one point's Jacobian, with their degrees of freedom.
    columns: Vec<(usize, DVec3)>,
}

impl Ground {
    /// Level ground at a height. Stiff enough that a sole's corners hold a standing person upright, ΣC x² ≫ m g h.
    pub fn level(height_m: f64, points: Vec<ContactPoint>) -> Self {
        let count = points.len();
        Self {
            point_m: DVec3::Y * height_m,
            normal: DVec3::Y,
            stiffness: 2e5,
            damping: 1000.0,
            friction: 0.8,
            points,
            anchors: vec![None; count],
            slips: vec![None; count],
            forces: vec![DVec3::ZERO; count],
            columns: Vec::new(),
        }
    }

    /// What may touch.
    pub fn points(&self) -> &[ContactPoint] {
        &self.points
    }

    /// Force of the ground on each point in the last step, N, world axes.
    pub fn forces(&self) -> &[DVec3] {
        &self.forces
    }

    /// How deep a point of the world is in the ground, m; negative above it.
    pub fn depth_m(&self, point_m: DVec3) -> f64 {
        (self.point_m - point_m).dot(self.normal)
    }

    /// Whether a point is in the ground; the workspace must hold the links' places.
    pub(super) fn is_touched(&self, work: &Workspace) -> bool {
        self.points.iter().any(|point| self.depth_m(work.link(point.link).point_in_world_m(point.in_link_m)) > 0.0)
    }

    /// No point touches.
    pub(super) fn let_go(&mut self) {
        self.anchors.fill(None);
        self.slips.fill(None);
        self.forces.fill(DVec3::ZERO);
    }

    /// Adds Jᵀ f to `tau` and Jᵀ (h D + h² C) J to the lower triangle of `mass` for the points that touch. The
    /// workspace must hold the links' places and velocities.
    pub(super) fn act(
        &mut self,
        model: &Model,
        work: &Workspace,
        step_secs: f64,
        tau: &mut [f64],
        mut mass: Option<&mut Matrix>,
    ) {
        let soft = step_secs * self.damping + step_secs * step_secs * self.stiffness;
        for index in 0..self.points.len() {
            let ContactPoint { link, in_link_m } = self.points[index];
            let motion = work.link(link);
            let (at_m, velocity) = (motion.point_in_world_m(in_link_m), motion.point_velocity(in_link_m));
            let depth_m = self.depth_m(at_m);
            let rising = velocity.dot(self.normal);
            // With an implicit step the spring is told where it will be if nothing accelerates; the matrix does the
            // rest.
            let ahead_secs = if mass.is_some() { step_secs } else { 0.0 };
            let pressing = self.stiffness * (depth_m - ahead_secs * rising) - self.damping * rising;
            if depth_m <= 0.0 || pressing <= 0.0 {
                (self.anchors[index], self.slips[index]) = (None, None);
                self.forces[index] = DVec3::ZERO;
                continue;
            }
            let flat = |v: DVec3| v - self.normal * v.dot(self.normal);
            let anchor_m = self.anchors[index].unwrap_or(at_m);
            let slip = flat(velocity);
            let held = flat(anchor_m - at_m) * self.stiffness - slip * (self.damping + ahead_secs * self.stiffness);
            let most = self.friction * pressing;
            let is_sliding = held.length_squared() > most * most;
            // A foot that slides is held by a weaker spring and damper, which exert just μ N now. Were their resistance
            // to acceleration left out of the matrix, friction would turn a light foot's slip round in every step,
            // harder each time.
            let grip = if is_sliding { most / held.length() } else { 1.0 };
            let shear = held * grip;
            // What the matrix will take back from a steady acceleration is given beforehand, by the acceleration of the
            // last step.
            let quickened = self.slips[index].map_or(DVec3::ZERO, |before| slip - before);
            let given = if is_sliding { quickened * (grip * soft / step_secs) } else { DVec3::ZERO };
            self.slips[index] = is_sliding.then_some(slip);
            // A sliding anchor trails so that the spring alone holds what friction can.
            self.anchors[index] = Some(if is_sliding { at_m + shear / self.stiffness } else { anchor_m });
            let force = self.normal * pressing + shear;
            self.forces[index] = force;
            jacobian_columns(model, work, link, at_m, &mut self.columns);
            let asked = if mass.is_some() { force + given } else { force };
            for &(dof, column) in &self.columns {
                tau[dof] += column.dot(asked);
            }
            let Some(mass) = mass.as_deref_mut() else { continue };
            for (later, &(row, a)) in self.columns.iter().enumerate() {
                let a = a * grip + self.normal * (a.dot(self.normal) * (1.0 - grip));
                for &(column, b) in &self.columns[later..] {
                    // Columns come from the link to the root, so `row` is the larger number.
                    mass[(row, column)] += soft * a.dot(b);
                }
            }
        }
    }
}

/// How a world point of a link moves with each degree of freedom, from the link to the root, numbers falling.
pub(super) fn jacobian_columns(
    model: &Model,
    work: &Workspace,
    link: LinkId,
    at_m: DVec3,
    columns: &mut Vec<(usize, DVec3)>,
) {
    columns.clear();
    let mut above = Some(link);
    while let Some(link) = above {
        let arm_m = at_m - work.link(link).joint_in_world_m;
        for (slot, dof) in model.v_range(link).enumerate().rev() {
            columns.push((dof, model.axis_motion(link, slot, work).at(arm_m).linear));
        }
        above = model.parent(link);
    }
}

//! Centre of mass and momentum of the whole tree, with their matrices and derivatives (Orin, Goswami & Lee 2013).

use super::crba::{axis_motion, composites};
use super::kinematics;
use super::matrix::Matrix;
use super::model::Model;
use super::workspace::Workspace;
use crate::spatial::{SpatialForce, SpatialMotion};
use glam::DVec3;

/// Centre of mass with its Jacobian, and the matrix that makes momentum of velocities. Keep and refill it.
#[derive(Clone, Debug)]
pub struct CentroidJacobian {
    /// m.
    pub com_in_world_m: DVec3,
    /// 3 × nv: velocity of the centre.
    pub com: Matrix,
    /// 6 × nv: angular momentum about the centre, then linear momentum.
    pub momentum: Matrix,
}

impl CentroidJacobian {
    /// Room for a model.
    pub fn new(model: &Model) -> Self {
        let nv = model.nv();
        Self { com_in_world_m: DVec3::ZERO, com: Matrix::zeros(3, nv), momentum: Matrix::zeros(6, nv) }
    }

    /// At a configuration.
    pub fn evaluate(&mut self, model: &Model, q: &[f64], work: &mut Workspace) {
        kinematics::positions(model, q, work);
        composites(model, work);
        self.com_in_world_m = centre_m(model, work);
        let mass_kg = model.total_mass_kg();
        for (index, node) in model.nodes.iter().enumerate() {
            let motion = &work.motion[index];
            for (slot, dof) in node.dofs().enumerate() {
                let force = work.composite[index].times(axis_motion(node, motion, slot));
                let force = force.about(self.com_in_world_m - motion.joint_in_world_m);
                for axis in 0..3 {
                    self.momentum[(axis, dof)] = force.angular[axis];
                    self.momentum[(axis + 3, dof)] = force.linear[axis];
                    self.com[(axis, dof)] = force.linear[axis] / mass_kg;
                }
            }
        }
    }
}

fn centre_m(model: &Model, work: &Workspace) -> DVec3 {
    let (mut moment, mut mass_kg) = (DVec3::ZERO, 0.0);
    let origin_m = work.motion[0].joint_in_world_m;
    for (index, _) in model.nodes.iter().enumerate().filter(|(_, node)| node.parent.is_none()) {
        let composite = &work.composite[index];
        moment += composite.moment + (work.motion[index].joint_in_world_m - origin_m) * composite.mass_kg;
        mass_kg += composite.mass_kg;
    }
    origin_m + moment / mass_kg
}

/// Momentum of a state, and how it changes with q; with v it changes by [`CentroidJacobian::momentum`].
#[derive(Clone, Debug)]
pub struct CentroidDerivatives {
    /// Of the centre and about it.
    pub at: CentroidJacobian,
    /// Angular about the centre, and linear.
    pub momentum: SpatialForce,
    /// 6 × nv: ∂h/∂q.
    pub momentum_by_q: Matrix,
    below: Vec<SpatialForce>,
}

impl CentroidDerivatives {
    /// Room for a model.
    pub fn new(model: &Model) -> Self {
        Self {
            at: CentroidJacobian::new(model),
            momentum: SpatialForce::ZERO,
            momentum_by_q: Matrix::zeros(6, model.nv()),
            below: vec![SpatialForce::ZERO; model.link_count()],
        }
    }

    /// At a configuration and velocity. Moving along S carries the momentum below rigidly, S ×* H, and adds I (v_λ ×
    /// S), because the parent stays behind; then the centre moves too: ∂L = ∂n − ∂c × P − c × ∂P.
    pub fn evaluate(&mut self, model: &Model, q: &[f64], v: &[f64], work: &mut Workspace) {
        self.at.evaluate(model, q, work);
        kinematics::velocities(model, q, v, work);
        let centre_m = self.at.com_in_world_m;
        // About the centre as a fixed point of the world; sums towards the roots need no shifting.
        self.below.fill(SpatialForce::ZERO);
        for (index, node) in model.nodes.iter().enumerate() {
            let motion = &work.motion[index];
            let own = super::crba::world_inertia(node, motion).times(motion.velocity);
            self.below[index] = own.about(centre_m - motion.joint_in_world_m);
        }
        self.momentum = SpatialForce::ZERO;
        for (index, node) in model.nodes.iter().enumerate().rev() {
            match node.parent {
                Some(parent) => {
                    let below = self.below[index];
                    self.below[parent] += below;
                }
                None => self.momentum += self.below[index],
            }
        }
        for (index, node) in model.nodes.iter().enumerate() {
            let motion = &work.motion[index];
            let from_centre_m = motion.joint_in_world_m - centre_m;
            let above = match node.parent {
                // The parent's velocity at this joint: the joint's point belongs to both.
                Some(parent) => {
                    SpatialMotion { angular: work.motion[parent].velocity.angular, linear: motion.velocity.linear }
                }
                None => SpatialMotion::ZERO,
            };
            for (slot, dof) in node.dofs().enumerate() {
                let s = axis_motion(node, motion, slot);
                let extra = work.composite[index].times(above.cross_motion(s)).about(-from_centre_m);
                let change = s.at(-from_centre_m).cross_force(self.below[index]) + extra;
                let centre_moves = DVec3::new(self.at.com[(0, dof)], self.at.com[(1, dof)], self.at.com[(2, dof)]);
                let angular = change.angular - centre_moves.cross(self.momentum.linear);
                for axis in 0..3 {
                    self.momentum_by_q[(axis, dof)] = angular[axis];
                    self.momentum_by_q[(axis + 3, dof)] = change.linear[axis];
                }
            }
        }
    }
}

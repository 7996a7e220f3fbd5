//! Derivatives of inverse dynamics in closed form (Singh, Russell & Wensing 2022, "Efficient analytical derivatives of rigid-body
//! dynamics using spatial vector algebra"; Carpentier & Mansard 2018).
//!
//! Moving along degree of freedom j carries everything below it rigidly, and besides changes velocities by Ψ̇ = v_λ × S and
//! accelerations by Ψ̈ = a_λ × S + v_λ × Ψ̇, because the parent λ does not come along. For i above or equal j (about one origin O):
//!
//! ```text
//!   ∂τ_i/∂q_j = S_iᵀ (2B_j Ψ̇_j + I_j Ψ̈_j + S_j ×* f_j)  (i ≠ j)      ∂τ_i/∂v_j = S_iᵀ (2B_j S_j + I_j (Ψ̇_j + Ṡ_j))
//!   ∂τ_j/∂q_i = S_jᵀ (2B_j Ψ̇_i + I_j Ψ̈_i)                          ∂τ_j/∂v_i = S_jᵀ (2B_j S_i + I_j (Ψ̇_i + Ṡ_i))
//! ```
//!
//! with I_j, B_j and f_j summed over all below j. B is small: for masses m at r with velocity u, 2B (α, ·) = (Σ m r × 2(α × u), Σ 2m α × u), so
//! 2B = [2 (tr K·1 − K), 0; −2 [p], 0] with K = Σ m u rᵀ and p = Σ m u: twelve numbers instead of thirty-six, and only angular parts
//! count. Loads keep their direction while their points are carried: f_j turns less by (x × (f × α), f × α), again twelve numbers.

use super::kinematics;
use super::lanes::{Lanes, Lanes3, Lanes6, put, sum};
use super::loads::{Loads, outer};
use super::matrix::Matrix;
use super::model::{Model, Node};
use super::rnea::needed_force;
use super::vectors::with_wide_vectors;
use super::workspace::{LinkMotion, Workspace, WorldInertia};
use crate::spatial::{SpatialForce, SpatialMotion};
use aplomb_motion::so3::cross_matrix;
use glam::{DMat3, DVec3};

/// ∂τ/∂q, ∂τ/∂v and ∂τ/∂a = M, nv × nv each; keep and refill it. Entries between branches are zero and never written.
#[derive(Clone, Debug)]
pub struct InverseDerivatives {
    /// Row i: how τ_i changes when q moves along each degree of freedom.
    pub by_q: Matrix,
    /// With the velocity.
    pub by_v: Matrix,
    /// With the acceleration: the mass matrix.
    pub mass: Matrix,
}

impl InverseDerivatives {
    /// Room for a model's derivatives.
    pub fn new(model: &Model) -> Self {
        let square = Matrix::zeros(model.nv(), model.nv());
        Self { by_q: square.clone(), by_v: square.clone(), mass: square }
    }
}

/// Sums over a link and all below it, world axes, about O.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sweep {
    velocity: SpatialMotion,
    /// Spatial: of the components of `velocity`, not of a point.
    acceleration: SpatialMotion,
    inertia: WorldInertia,
    /// K = Σ m u rᵀ.
    spread: DMat3,
    momentum: DVec3,
    force: SpatialForce,
    load: DVec3,
    load_outer: DMat3,
}

/// One degree of freedom: S, Ψ̇, Ψ̈ and Ψ̇ + Ṡ, angular before linear.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Column {
    s: [f64; 6],
    psi: [f64; 6],
    psi_rate: [f64; 6],
    psi_and_s_rate: [f64; 6],
}

/// What the degrees of freedom of one joint do to all above them.
#[derive(Clone, Copy, Debug, Default)]
struct Effect {
    by_q: Lanes6,
    by_v: Lanes6,
    mass: Lanes6,
    /// (2B)ᵀ S, angular.
    back: Lanes3,
    /// What loads add to rows of this joint, angular.
    back_load: Lanes3,
}

/// Inverse dynamics at (q, v, a) under loads, and its derivatives. τ is written too.
#[allow(clippy::too_many_arguments, reason = "a state is three slices; a struct for one call would only rename them")]
pub fn rnea_derivatives(
    model: &Model,
    q: &[f64],
    v: &[f64],
    a: &[f64],
    loads: &Loads,
    tau: &mut [f64],
    derivatives: &mut InverseDerivatives,
    work: &mut Workspace,
) {
    kinematics::accelerations(model, q, v, a, work);
    with_wide_vectors(
        #[inline(always)]
        || differentiate(model, loads, tau, derivatives, work),
    );
}

#[inline(always)]
fn differentiate(
    model: &Model,
    loads: &Loads,
    tau: &mut [f64],
    derivatives: &mut InverseDerivatives,
    work: &mut Workspace,
) {
    let origin_m = work.motion[0].joint_in_world_m;
    gather(model, loads, origin_m, work);
    for (index, node) in model.nodes.iter().enumerate() {
        let sweep = &work.sweep[index];
        let own_joint_m = work.motion[index].joint_in_world_m - origin_m;
        let force = sweep.force.about(own_joint_m);
        super::rnea::project(node, &work.motion[index], force, tau);
        work.force[index] = force;
        fill_columns(model, index, origin_m, work);
    }
    for (index, node) in model.nodes.iter().enumerate() {
        let dofs = node.dofs();
        for first in dofs.clone().step_by(3) {
            let group = first..dofs.end.min(first + 3);
            let effect = Effect::of(&work.columns[group.clone()], &work.sweep[index]);
            spread(model, dofs.clone(), group, &effect, &work.columns, derivatives);
        }
    }
}

/// Each link's own numbers about O, then sums towards the roots: about one origin they are plain sums.
#[inline(always)]
fn gather(model: &Model, loads: &Loads, origin_m: DVec3, work: &mut Workspace) {
    let Workspace { motion, sweep, .. } = work;
    for ((node, motion), sweep) in model.nodes.iter().zip(motion.iter()).zip(sweep.iter_mut()) {
        *sweep = own_sweep(node, motion, origin_m);
    }
    loads.each(motion, |link, load| {
        let x = motion[link].joint_in_world_m - origin_m;
        let own = &mut sweep[link];
        own.force = own.force - load.force.about(-x);
        own.load += load.force.linear;
        own.load_outer += load.outer + outer(load.force.linear, x);
    });
    for (index, node) in model.nodes.iter().enumerate().rev() {
        if let Some(parent) = node.parent {
            let below = sweep[index];
            let above = &mut sweep[parent];
            above.inertia.add(&below.inertia);
            above.spread += below.spread;
            above.momentum += below.momentum;
            above.force += below.force;
            above.load += below.load;
            above.load_outer += below.load_outer;
        }
    }
}

#[inline(always)]
fn own_sweep(node: &Node, motion: &LinkMotion, origin_m: DVec3) -> Sweep {
    let x = motion.joint_in_world_m - origin_m;
    let inertia = super::crba::world_inertia(node, motion).seen_from(x);
    let spin = motion.velocity.angular;
    let velocity = motion.velocity.at(-x);
    // d/dt of the velocity of whatever point of the link passes O: the point's acceleration less ω × its velocity.
    let spatial_linear =
        motion.acceleration.linear - motion.acceleration.angular.cross(x) - spin.cross(motion.velocity.linear);
    let moments = inertia.inertia.second_moments();
    Sweep {
        velocity,
        acceleration: SpatialMotion { angular: motion.acceleration.angular, linear: spatial_linear },
        inertia,
        spread: outer(velocity.linear, inertia.moment) + moments.left_times(cross_matrix(spin)),
        momentum: velocity.linear * inertia.mass_kg + spin.cross(inertia.moment),
        force: needed_force(node, motion).about(-x),
        load: DVec3::ZERO,
        load_outer: DMat3::ZERO,
    }
}

#[inline(always)]
fn fill_columns(model: &Model, index: usize, origin_m: DVec3, work: &mut Workspace) {
    let node = &model.nodes[index];
    let (above, above_rate) = match node.parent {
        Some(parent) => (work.sweep[parent].velocity, work.sweep[parent].acceleration),
        None => (SpatialMotion::ZERO, SpatialMotion { angular: DVec3::ZERO, linear: -model.gravity }),
    };
    let own = work.sweep[index].velocity;
    let motion = &work.motion[index];
    let to_origin_m = origin_m - motion.joint_in_world_m;
    for (slot, dof) in node.dofs().enumerate() {
        let s = super::crba::axis_motion(node, motion, slot).at(to_origin_m);
        let psi = above.cross_motion(s);
        let psi_rate = above_rate.cross_motion(s) + above.cross_motion(psi);
        work.columns[dof] = Column {
            s: flat(s),
            psi: flat(psi),
            psi_rate: flat(psi_rate),
            psi_and_s_rate: flat(psi + own.cross_motion(s)),
        };
    }
}

impl Effect {
    #[inline(always)]
    fn of(columns: &[Column], below: &Sweep) -> Self {
        let lanes = |part: fn(&Column) -> &[f64; 6]| Lanes6 {
            angular: Lanes3::of(columns.len(), |lane| DVec3::from_slice(&part(&columns[lane])[..3])),
            linear: Lanes3::of(columns.len(), |lane| DVec3::from_slice(&part(&columns[lane])[3..])),
        };
        let (s, psi) = (lanes(|column| &column.s), lanes(|column| &column.psi));
        let (psi_rate, both_rates) = (lanes(|column| &column.psi_rate), lanes(|column| &column.psi_and_s_rate));
        let twice = (DMat3::from_diagonal(DVec3::splat(trace(&below.spread))) - below.spread) * 2.0;
        let twice_momentum = below.momentum * 2.0;
        let coriolis = |angular: &Lanes3| Lanes6 {
            angular: angular.turned_by(&twice),
            linear: angular.crossed_by(-twice_momentum),
        };
        // S ×* f, with a × b = −b × a so that lanes stand on the right.
        let (n, f) = (below.force.angular, below.force.linear);
        let carried =
            Lanes6 { angular: s.angular.crossed_by(-n) + s.linear.crossed_by(-f), linear: s.angular.crossed_by(-f) };
        let mut effect = Self {
            by_q: coriolis(&psi.angular) + below.inertia.times_lanes(&psi_rate) + carried,
            by_v: coriolis(&s.angular) + below.inertia.times_lanes(&both_rates),
            mass: below.inertia.times_lanes(&s),
            back: s.angular.turned_back_by(&twice) + s.linear.crossed_by(twice_momentum),
            back_load: Lanes3::default(),
        };
        if below.load != DVec3::ZERO || below.load_outer != DMat3::ZERO {
            let turning = below.load_outer - DMat3::from_diagonal(DVec3::splat(trace(&below.load_outer)));
            effect.by_q.angular = effect.by_q.angular - s.angular.turned_by(&turning);
            effect.by_q.linear = effect.by_q.linear - s.angular.crossed_by(below.load);
            effect.back_load = s.linear.crossed_by(below.load) - s.angular.turned_back_by(&turning);
        }
        effect
    }
}

/// Rows and columns of one group of degrees of freedom against all above it.
#[inline(always)]
fn spread(
    model: &Model,
    own: std::ops::Range<usize>,
    group: std::ops::Range<usize>,
    effect: &Effect,
    columns: &[Column],
    out: &mut InverseDerivatives,
) {
    // The joint's own block: what lies above and below is the same joint, which carries its own axes along.
    for dof in own.clone() {
        let pair = Pair::of(&columns[dof], effect);
        for (lane, row) in group.clone().enumerate() {
            out.by_q[(row, dof)] = pair.by_q_back[lane];
            out.by_v[(row, dof)] = pair.by_v_back[lane];
            out.mass[(row, dof)] = pair.mass[lane];
        }
    }
    let mut above = model.dof_parent[own.start];
    while let Some(dof) = above {
        let pair = Pair::of(&columns[dof], effect);
        let count = group.len();
        put(&pair.by_q, count, &mut out.by_q.row_mut(dof)[group.start..]);
        put(&pair.by_v, count, &mut out.by_v.row_mut(dof)[group.start..]);
        put(&pair.mass, count, &mut out.mass.row_mut(dof)[group.start..]);
        for (lane, row) in group.clone().enumerate() {
            out.by_q[(row, dof)] = pair.by_q_back[lane];
            out.by_v[(row, dof)] = pair.by_v_back[lane];
            out.mass[(row, dof)] = pair.mass[lane];
        }
        above = model.dof_parent[dof];
    }
}

/// One degree of freedom above against a group below.
struct Pair {
    by_q: Lanes,
    by_v: Lanes,
    mass: Lanes,
    by_q_back: Lanes,
    by_v_back: Lanes,
}

impl Pair {
    #[inline(always)]
    fn of(above: &Column, effect: &Effect) -> Self {
        let angular = |numbers: &[f64; 6]| DVec3::new(numbers[0], numbers[1], numbers[2]);
        let (s, psi) = (angular(&above.s), angular(&above.psi));
        let from_psi = sum(effect.back.dot(psi), effect.back_load.dot(s));
        Pair {
            by_q: effect.by_q.dot(&above.s),
            by_v: effect.by_v.dot(&above.s),
            mass: effect.mass.dot(&above.s),
            by_q_back: sum(effect.mass.dot(&above.psi_rate), from_psi),
            by_v_back: sum(effect.mass.dot(&above.psi_and_s_rate), effect.back.dot(s)),
        }
    }
}

#[inline(always)]
fn flat(motion: SpatialMotion) -> [f64; 6] {
    let ([a, b, c], [d, e, f]) = (motion.angular.to_array(), motion.linear.to_array());
    [a, b, c, d, e, f]
}

#[inline(always)]
fn trace(m: &DMat3) -> f64 {
    m.x_axis.x + m.y_axis.y + m.z_axis.z
}

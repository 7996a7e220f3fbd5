//! Derivatives of inverse dynamics in closed form (Singh, Russell & Wensing 2022, "Efficient analytical derivatives of
//! rigid-body dynamics using spatial vector algebra"; Carpentier & Mansard 2018).
//!
//! Moving along degree of freedom j carries everything below it rigidly, and besides changes velocities by Ψ̇ = v_λ × S
//! and accelerations by Ψ̈ = a_λ × S + v_λ × Ψ̇, because the parent λ does not come along. For i above or equal j
//! (about one origin O):
//!
//! ```text
//!   ∂τ_i/∂q_j = S_iᵀ (2B_j Ψ̇_j + I_j Ψ̈_j + S_j ×* f_j)  (i ≠ j)      ∂τ_i/∂v_j = S_iᵀ (2B_j S_j + I_j (Ψ̇_j + Ṡ_j))
//!   ∂τ_j/∂q_i = S_jᵀ (2B_j Ψ̇_i + I_j Ψ̈_i)                          ∂τ_j/∂v_i = S_jᵀ (2B_j S_i + I_j (Ψ̇_i + Ṡ_i))
//! ```
//!
//! with I_j, B_j and f_j summed over all below j. B is small: for masses m at r with velocity u, 2B (α, ·) = (Σ m r ×
//! 2(α × u), Σ 2m α × u), so 2B = [2 (tr K·1 − K), 0; −2 [p], 0] with K = Σ m u rᵀ and p = Σ m u: twelve numbers
//! instead of thirty-six, and only angular parts count. Loads keep their direction while their points are carried: f_j
//! turns less by (x × (f × α), f × α), again twelve numbers.

use super::kinematics;
use super::lanes::{Lanes, Lanes3, Lanes6, put};
use super::loads::{Loads, outer};
use super::matrix::{Matrix, Rows};
use super::model::{Model, Node};
use super::rnea::needed_force;
use super::workspace::{Column, LinkMotion, Sweep, Workspace};
use crate::spatial::SpatialMotion;
use aplomb_motion::so3::cross_matrix;
use aplomb_numerics::simd4::{Four, FourWork, with_fours};
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

/// What the degrees of freedom of one joint do to all above them.
#[derive(Clone, Copy)]
struct Effect<F: Four> {
    by_q: Lanes6<F>,
    by_v: Lanes6<F>,
    mass: Lanes6<F>,
    /// (2B)ᵀ S, angular.
    back: Lanes3<F>,
    /// What loads add to rows of this joint, angular, if there are any.
    back_load: Option<Lanes3<F>>,
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
    rnea_derivatives_in_place(model, loads, tau, derivatives, work);
}

/// [`rnea_derivatives`] of links whose motion, accelerations among it, the workspace holds.
pub(super) fn rnea_derivatives_in_place(
    model: &Model,
    loads: &Loads,
    tau: &mut [f64],
    derivatives: &mut InverseDerivatives,
    work: &mut Workspace,
) {
    with_fours(Differentiation { model, loads, tau, derivatives, work });
}

struct Differentiation<'a> {
    model: &'a Model,
    loads: &'a Loads,
    tau: &'a mut [f64],
    derivatives: &'a mut InverseDerivatives,
    work: &'a mut Workspace,
}

impl FourWork for Differentiation<'_> {
    type Output = ();

    #[inline(always)]
    fn run<F: Four>(self, four: F) {
        let Self { model, loads, tau, derivatives, work } = self;
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
                let effect = Effect::of(four, &work.columns[group.clone()], &work.sweep[index]);
                spread(four, model, dofs.clone(), group, &effect, &work.columns, derivatives);
            }
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

impl<F: Four> Effect<F> {
    #[inline(always)]
    fn of(four: F, columns: &[Column], below: &Sweep) -> Self {
        let mut own = [Column::default(); 3];
        for (lane, column) in columns.iter().enumerate().take(3) {
            own[lane] = *column;
        }
        let [a, b, c] = &own;
        let s = lanes(four, &a.s, &b.s, &c.s);
        let psi = angular_lanes(four, &a.psi, &b.psi, &c.psi);
        let psi_rate = lanes(four, &a.psi_rate, &b.psi_rate, &c.psi_rate);
        let both_rates = lanes(four, &a.psi_and_s_rate, &b.psi_and_s_rate, &c.psi_and_s_rate);
        let twice = (DMat3::from_diagonal(DVec3::splat(trace(&below.spread))) - below.spread) * 2.0;
        let (twice_back, twice_momentum) = (twice.transpose(), below.momentum * 2.0);
        // S ×* f, with a × b = −b × a so that lanes stand on the right.
        let (n, f) = (below.force.angular, below.force.linear);
        let carried = Lanes6 {
            angular: s.angular.crossed_by(four, -n).plus_cross(four, -f, &s.linear),
            linear: s.angular.crossed_by(four, -f),
        };
        let by_q = below.inertia.times_lanes_onto(four, &psi_rate, &carried);
        let by_v = below.inertia.times_lanes(four, &both_rates);
        let mut effect = Self {
            by_q: plus_coriolis(four, &by_q, &twice_back, twice_momentum, &psi),
            by_v: plus_coriolis(four, &by_v, &twice_back, twice_momentum, &s.angular),
            mass: below.inertia.times_lanes(four, &s),
            back: s.angular.turned_back_by(four, &twice).plus_cross(four, twice_momentum, &s.linear),
            back_load: None,
        };
        if below.load != DVec3::ZERO || below.load_outer != DMat3::ZERO {
            let against = DMat3::from_diagonal(DVec3::splat(trace(&below.load_outer))) - below.load_outer;
            let Lanes6 { angular, linear } = &mut effect.by_q;
            *angular = angular.plus_turned_back(four, &against.transpose(), &s.angular);
            *linear = linear.plus_cross(four, -below.load, &s.angular);
            let crossed = s.linear.crossed_by(four, below.load);
            effect.back_load = Some(crossed.plus_turned_back(four, &against, &s.angular));
        }
        effect
    }
}

/// `sum` + 2B of what turns.
#[inline(always)]
fn plus_coriolis<F: Four>(
    four: F,
    sum: &Lanes6<F>,
    twice_back: &DMat3,
    twice_momentum: DVec3,
    angular: &Lanes3<F>,
) -> Lanes6<F> {
    Lanes6 {
        angular: sum.angular.plus_turned_back(four, twice_back, angular),
        linear: sum.linear.plus_cross(four, -twice_momentum, angular),
    }
}

#[inline(always)]
fn lanes<F: Four>(four: F, a: &[f64; 6], b: &[f64; 6], c: &[f64; 6]) -> Lanes6<F> {
    Lanes6 { angular: angular_lanes(four, a, b, c), linear: Lanes3::of(four, [linear(a), linear(b), linear(c)]) }
}

#[inline(always)]
fn angular_lanes<F: Four>(four: F, a: &[f64; 6], b: &[f64; 6], c: &[f64; 6]) -> Lanes3<F> {
    Lanes3::of(four, [angular(a), angular(b), angular(c)])
}

#[inline(always)]
fn angular(numbers: &[f64; 6]) -> DVec3 {
    DVec3::new(numbers[0], numbers[1], numbers[2])
}

#[inline(always)]
fn linear(numbers: &[f64; 6]) -> DVec3 {
    DVec3::new(numbers[3], numbers[4], numbers[5])
}

/// Rows and columns of one group of degrees of freedom against all above it.
#[inline(always)]
fn spread<F: Four>(
    four: F,
    model: &Model,
    own: std::ops::Range<usize>,
    group: std::ops::Range<usize>,
    effect: &Effect<F>,
    columns: &[Column],
    out: &mut InverseDerivatives,
) {
    let (nv, count) = (model.nv(), group.len());
    let (above_q, mut rows_q) = out.by_q.rows_and_above_mut(group.start);
    let (above_v, mut rows_v) = out.by_v.rows_and_above_mut(group.start);
    let (above_mass, mut rows_mass) = out.mass.rows_and_above_mut(group.start);
    // The joint's own block: what lies above and below is the same joint, which carries its own axes along.
    for dof in own.clone() {
        let pair = Pair::of(four, &columns[dof], effect);
        write_column(&mut rows_q, dof, count, &pair.by_q_back);
        write_column(&mut rows_v, dof, count, &pair.by_v_back);
        write_column(&mut rows_mass, dof, count, &pair.mass);
    }
    let mut above = model.dof_parent[own.start];
    while let Some(dof) = above {
        let pair = Pair::of(four, &columns[dof], effect);
        let place = dof * nv + group.start..dof * nv + group.end;
        put(&pair.by_q, count, &mut above_q[place.clone()]);
        put(&pair.by_v, count, &mut above_v[place.clone()]);
        put(&pair.mass, count, &mut above_mass[place]);
        write_column(&mut rows_q, dof, count, &pair.by_q_back);
        write_column(&mut rows_v, dof, count, &pair.by_v_back);
        write_column(&mut rows_mass, dof, count, &pair.mass);
        above = model.dof_parent[dof];
    }
}

#[inline(always)]
fn write_column(rows: &mut Rows<'_>, column: usize, count: usize, lanes: &Lanes) {
    for (lane, value) in lanes.iter().enumerate().take(count) {
        rows.row(lane)[column] = *value;
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
    fn of<F: Four>(four: F, above: &Column, effect: &Effect<F>) -> Self {
        let (s, psi) = (angular(&above.s), angular(&above.psi));
        let mut from_psi = effect.back.dot(four, psi);
        if let Some(load) = &effect.back_load {
            from_psi = load.dot_onto(four, s, from_psi);
        }
        Pair {
            by_q: four.store(effect.by_q.dot(four, &above.s)),
            by_v: four.store(effect.by_v.dot(four, &above.s)),
            mass: four.store(effect.mass.dot(four, &above.s)),
            by_q_back: four.store(effect.mass.dot_onto(four, &above.psi_rate, from_psi)),
            by_v_back: four.store(effect.mass.dot_onto(four, &above.psi_and_s_rate, effect.back.dot(four, s))),
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

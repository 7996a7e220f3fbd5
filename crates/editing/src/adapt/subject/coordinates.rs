//! Coordinates for splines: plain numbers x per degree of freedom, and how (x, ẋ, ẍ) become a state (q, v, a) of the
//! tree with all first derivatives.
//!
//! Balls turn by three angles about axes whose order is chosen for each joint to stay far from gimbal lock over this
//! clip; the root by yaw, pitch and roll, so that it may turn round and round. A joint that turns about one axis in the
//! capture stays a hinge. With body axes A_i, ω = Σ A_i ẋ_i and, because an angle turns only the axes before it,
//!
//! ```text
//!   ∂A_i/∂x_j = A_i × A_j (j > i), else 0        α = Σ A_i ẍ_i + Σ_{i<j} (A_i × A_j) ẋ_i ẋ_j
//! ```
//!
//! A free joint's linear velocity is in its own axes: u = Rᵀ ṗ and u̇ = Rᵀ p̈ − ω × u.

use crate::EditingError;
use aplomb_motion::{Axis, euler, so3};
use aplomb_physics::dynamics::{BodyModel, JointKind, LinkId};
use glam::{DMat3, DQuat, DVec3};

/// A hinge leaves the other two directions at less than this, rms (skeletons whose knees have one angle: 1e-6; captured
/// freely: 0.02).
const HINGE_OFF_AXIS_RAD: f64 = 0.004;
/// A hinge itself moves by more than this, rms: a joint that does not move shows no axis.
const HINGE_MOVES_RAD: f64 = 0.04;

const ORDERS: [[Axis; 3]; 6] = [
    [Axis::X, Axis::Y, Axis::Z],
    [Axis::X, Axis::Z, Axis::Y],
    [Axis::Y, Axis::X, Axis::Z],
    [Axis::Y, Axis::Z, Axis::X],
    [Axis::Z, Axis::X, Axis::Y],
    [Axis::Z, Axis::Y, Axis::X],
];

/// How one link's coordinates turn it.
#[derive(Clone, Debug, PartialEq)]
pub enum Chart {
    /// `before` · R₁ R₂ R₃.
    Angles { before: DQuat, axes: [Axis; 3] },
    /// R₁ R₂ R₃ · `after`, then x y z of the joint, m.
    Root { axes: [Axis; 3], after: DQuat },
    /// `before` · exp(axis x).
    Hinge { before: DQuat, axis: DVec3 },
}

impl Chart {
    pub fn count(&self) -> usize {
        match self {
            Chart::Angles { .. } => 3,
            Chart::Root { .. } => 6,
            Chart::Hinge { .. } => 1,
        }
    }
}

/// One link's place among coordinates.
#[derive(Clone, Debug)]
pub struct LinkChart {
    pub link: LinkId,
    pub chart: Chart,
    /// First coordinate.
    pub start: usize,
    /// First number of the link in a configuration and in a velocity.
    q_start: usize,
    v_start: usize,
}

/// First derivatives of one link's (q, v, a) by its (x, ẋ, ẍ). ∂v/∂ẋ and ∂a/∂ẍ are ∂q/∂x. Row: number of the velocity.
#[derive(Clone, Copy, Debug, Default)]
pub struct Block {
    pub q_by_x: [[f64; 6]; 6],
    pub v_by_x: [[f64; 6]; 6],
    pub a_by_x: [[f64; 6]; 6],
    pub a_by_rate: [[f64; 6]; 6],
}

/// All links' charts.
#[derive(Clone, Debug)]
pub struct Coordinates {
    pub links: Vec<LinkChart>,
    /// Degrees of freedom.
    pub count: usize,
    /// Nearest to gimbal lock over the clip, rad.
    pub margin_rad: f64,
}

impl Coordinates {
    /// Chooses charts for configurations over time; `hinge_axis` tells links that must be hinges (toes) about which
    /// axis of theirs.
    pub fn choose(
        tree: &BodyModel,
        configurations: &[Vec<f64>],
        hinge_axis: impl Fn(LinkId) -> Option<DVec3>,
    ) -> Result<Self, EditingError> {
        let model = &tree.model;
        let mut found = Self { links: Vec::new(), count: 0, margin_rad: std::f64::consts::FRAC_PI_2 };
        for link in model.links() {
            let rotations: Vec<DQuat> = configurations.iter().map(|q| tree.rotation(link, q)).collect();
            let (chart, margin_rad) = match model.kind(link) {
                JointKind::Free if model.parent(link).is_none() && link.index() == 0 => root_chart(&rotations),
                JointKind::Ball => ball_chart(&rotations, hinge_axis(link)),
                _ => {
                    let problem = format!("{} is neither a free root nor a ball joint", model.name(link));
                    return Err(EditingError::Goals { problem });
                }
            };
            found.margin_rad = found.margin_rad.min(margin_rad);
            let start = found.count;
            found.count += chart.count();
            let (q_start, v_start) = (model.q_range(link).start, model.v_range(link).start);
            found.links.push(LinkChart { link, chart, start, q_start, v_start });
        }
        Ok(found)
    }

    /// The same, with the axes of some links chosen again for other configurations: a start may turn an arm to where it
    /// never was in the clip. Hinges stay hinges, so that every coordinate keeps its place.
    pub fn rechosen(&self, tree: &BodyModel, links: &[LinkId], configurations: &[Vec<f64>]) -> Self {
        let mut found = self.clone();
        for own in found.links.iter_mut().filter(|own| links.contains(&own.link)) {
            if let Chart::Angles { .. } = own.chart {
                let rotations: Vec<DQuat> = configurations.iter().map(|q| tree.rotation(own.link, q)).collect();
                let (chart, margin_rad) = three_angles(&rotations);
                own.chart = chart;
                found.margin_rad = found.margin_rad.min(margin_rad);
            }
        }
        found
    }

    /// Coordinates of a configuration, angles nearest to `near`.
    pub fn of_configuration(&self, tree: &BodyModel, q: &[f64], near: &[f64], x: &mut [f64]) {
        for own in &self.links {
            let rotation = tree.rotation(own.link, q);
            let at = own.start;
            match &own.chart {
                Chart::Angles { before, axes } => {
                    angles_near(before.conjugate() * rotation, *axes, &near[at..at + 3], &mut x[at..at + 3]);
                }
                Chart::Root { axes, after } => {
                    angles_near(rotation * after.conjugate(), *axes, &near[at..at + 3], &mut x[at..at + 3]);
                    x[at + 3..at + 6].copy_from_slice(&q[own.q_start + 4..own.q_start + 7]);
                }
                Chart::Hinge { before, axis } => {
                    let twist = so3::swing_twist(before.conjugate() * rotation, *axis).twist;
                    let angle = 2.0 * DVec3::new(twist.x, twist.y, twist.z).dot(*axis).atan2(twist.w);
                    x[at] = euler::unwrap_deg(angle.to_degrees(), near[at].to_degrees()).to_radians();
                }
            }
        }
    }

    /// The configuration of coordinates.
    pub fn configuration(&self, x: &[f64], q: &mut [f64]) {
        for own in &self.links {
            let at = own.start;
            let rotation = match &own.chart {
                Chart::Angles { before, axes } => *before * turned(*axes, &x[at..at + 3]),
                Chart::Root { axes, after } => {
                    q[own.q_start + 4..own.q_start + 7].copy_from_slice(&x[at + 3..at + 6]);
                    turned(*axes, &x[at..at + 3]) * *after
                }
                Chart::Hinge { before, axis } => *before * so3::exp(*axis * x[at]),
            };
            q[own.q_start..own.q_start + 4].copy_from_slice(&rotation.normalize().to_array());
        }
    }

    /// The whole state; `blocks`, if wanted, get the derivatives, one a link.
    pub fn state(
        &self,
        [x, rate, second]: [&[f64]; 3],
        q: &mut [f64],
        v: &mut [f64],
        a: &mut [f64],
        blocks: Option<&mut Vec<Block>>,
    ) {
        self.configuration(x, q);
        let mut all = blocks;
        if let Some(blocks) = all.as_deref_mut() {
            blocks.clear();
        }
        for own in &self.links {
            let at = own.start;
            let count = own.chart.count();
            let part = [&x[at..at + count], &rate[at..at + count], &second[at..at + count]];
            let block = link_state(own, part, &q[own.q_start..], &mut v[own.v_start..], &mut a[own.v_start..]);
            if let Some(blocks) = all.as_deref_mut() {
                blocks.push(block);
            }
        }
    }

    /// A row by (q, v, a) as a row by (x, ẋ, ẍ).
    pub fn pull_back(
        &self,
        blocks: &[Block],
        [by_q, by_v, by_a]: [&[f64]; 3],
        [by_x, by_rate, by_second]: [&mut [f64]; 3],
    ) {
        for (own, block) in self.links.iter().zip(blocks) {
            let (count, numbers) = (own.chart.count(), velocity_count(&own.chart));
            for slot in 0..count {
                let (mut x, mut rate, mut second) = (0.0, 0.0, 0.0);
                for number in 0..numbers {
                    let at = own.v_start + number;
                    let (dq, dv, da) = (by_q[at], by_v[at], by_a[at]);
                    let turn = block.q_by_x[number][slot];
                    x += dq * turn + dv * block.v_by_x[number][slot] + da * block.a_by_x[number][slot];
                    rate += dv * turn + da * block.a_by_rate[number][slot];
                    second += da * turn;
                }
                by_x[own.start + slot] = x;
                by_rate[own.start + slot] = rate;
                by_second[own.start + slot] = second;
            }
        }
    }

    /// A row by q alone, as a row by x.
    pub fn pull_back_position(&self, blocks: &[Block], by_q: &[f64], by_x: &mut [f64]) {
        for (own, block) in self.links.iter().zip(blocks) {
            for slot in 0..own.chart.count() {
                let numbers = 0..velocity_count(&own.chart);
                by_x[own.start + slot] =
                    numbers.map(|number| by_q[own.v_start + number] * block.q_by_x[number][slot]).sum();
            }
        }
    }

    /// Axes of a link about which its joint has a torque of its own: a hinge's one, all three of a ball.
    pub fn torque_axes(&self, link: LinkId) -> arrayvec::ArrayVec<DVec3, 3> {
        match &self.of_link(link).chart {
            Chart::Hinge { axis, .. } => [*axis].into_iter().collect(),
            _ => DVec3::AXES.into_iter().collect(),
        }
    }

    /// The largest torque of a link about any of those axes.
    pub fn largest_torque(&self, link: LinkId, of_link: &[f64]) -> f64 {
        let torque = DVec3::from_slice(of_link);
        self.torque_axes(link).iter().map(|axis| axis.dot(torque).abs()).fold(0.0, f64::max)
    }

    /// The chart of a link.
    pub fn of_link(&self, link: LinkId) -> &LinkChart {
        &self.links[link.index()]
    }
}

/// Coordinates of a sequence of configurations, unwrapped.
pub fn unwrapped(coordinates: &Coordinates, tree: &BodyModel, configurations: &[Vec<f64>]) -> Vec<f64> {
    let dofs = coordinates.count;
    let mut near = vec![0.0; dofs];
    let mut x = vec![0.0; dofs];
    let mut all = Vec::with_capacity(dofs * configurations.len());
    for q in configurations {
        coordinates.of_configuration(tree, q, &near, &mut x);
        all.extend_from_slice(&x);
        near.copy_from_slice(&x);
    }
    all
}

fn velocity_count(chart: &Chart) -> usize {
    if matches!(chart, Chart::Root { .. }) { 6 } else { 3 }
}

fn link_state(own: &LinkChart, [x, rate, second]: [&[f64]; 3], q: &[f64], v: &mut [f64], a: &mut [f64]) -> Block {
    let mut block = Block::default();
    let axes = body_axes(&own.chart, x);
    let count = axes.len().min(3);
    let (mut spin, mut spin_rate) = (DVec3::ZERO, DVec3::ZERO);
    for i in 0..count {
        spin += axes[i] * rate[i];
        spin_rate += axes[i] * second[i];
        for j in i + 1..count {
            spin_rate += axes[i].cross(axes[j]) * (rate[i] * rate[j]);
        }
    }
    // ∂A_i/∂x_j.
    let moved = |i: usize, j: usize| if j > i { axes[i].cross(axes[j]) } else { DVec3::ZERO };
    let mut spin_by_x = [DVec3::ZERO; 3];
    for k in 0..count {
        let (mut spin_k, mut rate_k, mut rate_by_rate) = (DVec3::ZERO, DVec3::ZERO, DVec3::ZERO);
        for i in 0..count {
            spin_k += moved(i, k) * rate[i];
            rate_k += moved(i, k) * second[i];
            rate_by_rate += (moved(i, k) + moved(k, i)) * rate[i];
            for j in i + 1..count {
                let both = moved(i, k).cross(axes[j]) + axes[i].cross(moved(j, k));
                rate_k += both * (rate[i] * rate[j]);
            }
        }
        spin_by_x[k] = spin_k;
        put(&mut block.q_by_x, 0, k, axes[k]);
        put(&mut block.v_by_x, 0, k, spin_k);
        put(&mut block.a_by_x, 0, k, rate_k);
        put(&mut block.a_by_rate, 0, k, rate_by_rate);
    }
    v[..3].copy_from_slice(&spin.to_array());
    a[..3].copy_from_slice(&spin_rate.to_array());
    if matches!(own.chart, Chart::Root { .. }) {
        let rotation = DQuat::from_xyzw(q[0], q[1], q[2], q[3]);
        let link_from_world = DMat3::from_quat(rotation.conjugate());
        let along = link_from_world * DVec3::from_slice(&rate[3..6]);
        let pushed = link_from_world * DVec3::from_slice(&second[3..6]);
        v[3..6].copy_from_slice(&along.to_array());
        a[3..6].copy_from_slice(&(pushed - spin.cross(along)).to_array());
        for k in 0..3 {
            let along_by_x = along.cross(axes[k]);
            put(&mut block.v_by_x, 3, k, along_by_x);
            put(&mut block.a_by_x, 3, k, pushed.cross(axes[k]) - spin_by_x[k].cross(along) - spin.cross(along_by_x));
            put(&mut block.a_by_rate, 3, k, -axes[k].cross(along));
            put(&mut block.q_by_x, 3, 3 + k, link_from_world.col(k));
            put(&mut block.a_by_rate, 3, 3 + k, -spin.cross(link_from_world.col(k)));
        }
    }
    block
}

fn put(block: &mut [[f64; 6]; 6], row: usize, column: usize, vector: DVec3) {
    for axis in 0..3 {
        block[row + axis][column] = vector[axis];
    }
}

/// A_i: how each angle turns the link, in the link's own axes.
fn body_axes(chart: &Chart, x: &[f64]) -> arrayvec::ArrayVec<DVec3, 3> {
    let (axes, after) = match chart {
        Chart::Hinge { axis, .. } => return [*axis].into_iter().collect(),
        Chart::Angles { axes, .. } => (axes, DQuat::IDENTITY),
        Chart::Root { axes, after } => (axes, *after),
    };
    let [_, second, third] = [0, 1, 2].map(|i| about(axes[i], x[i]));
    let back = after.conjugate();
    let third_back = back * third.conjugate();
    [third_back * (second.conjugate() * unit(axes[0])), third_back * unit(axes[1]), back * unit(axes[2])]
        .into_iter()
        .collect()
}

fn unit(axis: Axis) -> DVec3 {
    DVec3::AXES[axis.index()]
}

fn about(axis: Axis, angle: f64) -> DQuat {
    let (sin, cos) = (0.5 * angle).sin_cos();
    euler::about(axis, sin, cos)
}

fn turned(axes: [Axis; 3], x: &[f64]) -> DQuat {
    about(axes[0], x[0]) * about(axes[1], x[1]) * about(axes[2], x[2])
}

fn angles_near(rotation: DQuat, axes: [Axis; 3], near: &[f64], x: &mut [f64]) {
    let near_deg = [near[0], near[1], near[2]].map(f64::to_degrees);
    let found = euler::three_deg_near(rotation, axes, near_deg).map(f64::to_radians);
    x.copy_from_slice(&found);
}

/// Yaw first; what remains of the link's axes when it stands upright goes behind.
fn root_chart(rotations: &[DQuat]) -> (Chart, f64) {
    let levelled: Vec<DQuat> =
        rotations.iter().map(|rotation| so3::swing_twist(*rotation, DVec3::Y).twist.conjugate() * *rotation).collect();
    let after = mean(&levelled);
    let axes = [Axis::Y, Axis::X, Axis::Z];
    (Chart::Root { axes, after }, margin_rad(rotations.iter().map(|rotation| *rotation * after.conjugate()), axes))
}

fn ball_chart(rotations: &[DQuat], hinge_axis: Option<DVec3>) -> (Chart, f64) {
    let before = mean(rotations);
    let vectors: Vec<DVec3> = rotations.iter().map(|rotation| so3::log(before.conjugate() * *rotation)).collect();
    let (axis, along, off) = principal_axis(&vectors);
    let shows_hinge = along > HINGE_MOVES_RAD && off < HINGE_OFF_AXIS_RAD;
    if let Some(axis) = if shows_hinge { Some(axis) } else { hinge_axis } {
        return (Chart::Hinge { before, axis }, std::f64::consts::FRAC_PI_2);
    }
    three_angles(rotations)
}

/// Angles about a middle, in the order that stays farthest from gimbal lock.
fn three_angles(rotations: &[DQuat]) -> (Chart, f64) {
    let before = mean(rotations);
    let margin = |axes: &[Axis; 3]| margin_rad(rotations.iter().map(|rotation| before.conjugate() * *rotation), *axes);
    let axes = ORDERS.into_iter().max_by(|a, b| margin(a).total_cmp(&margin(b))).unwrap_or(ORDERS[0]);
    (Chart::Angles { before, axes }, margin(&axes))
}

fn mean(rotations: &[DQuat]) -> DQuat {
    let weights = vec![1.0; rotations.len()];
    so3::weighted_mean(rotations, &weights).or_else(|| rotations.first().copied()).unwrap_or(DQuat::IDENTITY)
}

/// How far the middle angle stays from ±90°.
fn margin_rad(rotations: impl Iterator<Item = DQuat>, axes: [Axis; 3]) -> f64 {
    let mut near = [0.0; 3];
    let mut margin: f64 = std::f64::consts::FRAC_PI_2;
    for rotation in rotations {
        let mut x = [0.0; 3];
        angles_near(rotation, axes, &near, &mut x);
        margin = margin.min(std::f64::consts::FRAC_PI_2 - x[1].abs());
        near = x;
    }
    margin
}

/// The direction most of the vectors' squares lie along, its rms, and the rms of the rest: power iteration on Σ v vᵀ.
fn principal_axis(vectors: &[DVec3]) -> (DVec3, f64, f64) {
    let count = vectors.len().max(1) as f64;
    let mut scatter = DMat3::ZERO;
    for v in vectors {
        scatter += DMat3::from_cols(*v * v.x, *v * v.y, *v * v.z) * (1.0 / count);
    }
    let columns = [scatter.x_axis, scatter.y_axis, scatter.z_axis];
    let longest = columns.into_iter().max_by(|a, b| a.length().total_cmp(&b.length())).unwrap_or(DVec3::X);
    let mut axis = longest.normalize_or(DVec3::X);
    for _ in 0..60 {
        axis = (scatter * axis).normalize_or(axis);
    }
    let along = axis.dot(scatter * axis).max(0.0);
    let whole = scatter.x_axis.x + scatter.y_axis.y + scatter.z_axis.z;
    (axis, along.sqrt(), (whole - along).max(0.0).sqrt())
}

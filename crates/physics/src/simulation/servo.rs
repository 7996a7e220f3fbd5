//! Servos: springs and dampers between where a joint is and where it should be.

use crate::dynamics::{JointKind, LinkId, Matrix, Model, Workspace, crba};
use crate::spatial::Symmetric3;
use aplomb_motion::so3;
use glam::{DQuat, DVec3};

/// How a servo is damped.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Damping {
    /// Share of critical damping: K_d = 2ζ/√s · K.
    Ratio(f64),
    /// K_d = K/10 s (Zordan & Hodgins 1999): a delay of a tenth of a second at any stiffness.
    Paper,
}

/// Gains of all joints by one number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ServoGains {
    /// K of a joint over the inertia that it moves, s⁻².
    pub stiffness_per_s2: f64,
    /// And how it comes to rest.
    pub damping: Damping,
}

impl Default for ServoGains {
    /// Measured on captured gestures: hands lag by some 40 ms and peaks of speed stay within some per cent.
    fn default() -> Self {
        Self { stiffness_per_s2: 4000.0, damping: Damping::Ratio(1.0) }
    }
}

impl ServoGains {
    /// K_d over K, s.
    pub fn damping_time_secs(&self) -> f64 {
        match self.damping {
            Damping::Ratio(ratio) => 2.0 * ratio / self.stiffness_per_s2.sqrt(),
            Damping::Paper => 0.1,
        }
    }
}

/// Stiffness and damping of one joint, in its own axes: N·m/rad and N·m·s/rad.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Servo {
    stiffness: Symmetric3,
    damping: Symmetric3,
}

/// One servo a joint; free and fixed joints have none.
#[derive(Clone, Debug)]
pub struct Servos {
    servos: Vec<Servo>,
}

impl Servos {
    /// K = s × the joint's own block of the mass matrix at `q`: the inertia of everything outboard about it, twist and
    /// bending apart.
    pub fn from_inertia(model: &Model, q: &[f64], gains: ServoGains) -> Self {
        let mut mass = Matrix::zeros(model.nv(), model.nv());
        crba(model, q, &mut mass, &mut Workspace::new(model));
        let time_secs = gains.damping_time_secs();
        let servos = model
            .links()
            .map(|link| {
                let at = model.v_range(link).start;
                let inertia = match model.kind(link) {
                    JointKind::Ball => Symmetric3 {
                        xx: mass[(at, at)],
                        yy: mass[(at + 1, at + 1)],
                        zz: mass[(at + 2, at + 2)],
                        xy: mass[(at + 1, at)],
                        xz: mass[(at + 2, at)],
                        yz: mass[(at + 2, at + 1)],
                    },
                    JointKind::Revolute { .. } => Symmetric3 { xx: mass[(at, at)], ..Symmetric3::ZERO },
                    JointKind::Free | JointKind::Fixed => Symmetric3::ZERO,
                };
                let stiffness = inertia * gains.stiffness_per_s2;
                Servo { stiffness, damping: stiffness * time_secs }
            })
            .collect();
        Self { servos }
    }

    /// The same with the mean of the blocks over several poses. One pose is no measure of a motion: hanging arms have a
    /// third of the inertia about the shoulder that raised ones have. Without poses, servos that do nothing.
    pub fn from_inertia_over<'a>(model: &Model, poses: impl IntoIterator<Item = &'a [f64]>, gains: ServoGains) -> Self {
        let mut servos = vec![Servo::default(); model.link_count()];
        let mut count = 0.0;
        for q in poses {
            count += 1.0;
            for (sum, own) in servos.iter_mut().zip(Self::from_inertia(model, q, gains).servos) {
                sum.stiffness = sum.stiffness + own.stiffness;
                sum.damping = sum.damping + own.damping;
            }
        }
        let share = 1.0 / f64::max(count, 1.0);
        for servo in &mut servos {
            (servo.stiffness, servo.damping) = (servo.stiffness * share, servo.damping * share);
        }
        Self { servos }
    }

    /// Joints that move freely.
    pub fn none(model: &Model) -> Self {
        Self { servos: vec![Servo::default(); model.link_count()] }
    }

    /// Gains of one joint by hand, the same about all axes: N·m/rad and N·m·s/rad.
    pub fn set(&mut self, link: LinkId, stiffness: f64, damping: f64) {
        let diagonal = |value: f64| Symmetric3::diagonal(DVec3::splat(value));
        self.servos[link.index()] = Servo { stiffness: diagonal(stiffness), damping: diagonal(damping) };
    }

    /// Adds what the servos exert to `tau`: towards `target`, `ahead_secs` from now if nothing accelerates, damped
    /// towards `rate`.
    pub(super) fn add_torques(
        &self,
        model: &Model,
        (q, v): (&[f64], &[f64]),
        target: &[f64],
        rate: Option<&[f64]>,
        ahead_secs: f64,
        tau: &mut [f64],
    ) {
        for (link, servo) in model.links().zip(&self.servos) {
            let (at, from) = (model.v_range(link).start, model.q_range(link).start);
            let rate = rate.map(|rate| &rate[at..]);
            match model.kind(link) {
                JointKind::Ball => {
                    let rotation = |q: &[f64]| DQuat::from_slice(&q[from..from + 4]);
                    let spin = DVec3::from_slice(&v[at..at + 3]);
                    let error = so3::log(rotation(q).conjugate() * rotation(target)) - spin * ahead_secs;
                    let rate = rate.map_or(DVec3::ZERO, DVec3::from_slice);
                    let torque = servo.stiffness * error - servo.damping * (spin - rate);
                    for axis in 0..3 {
                        tau[at + axis] += torque[axis];
                    }
                }
                JointKind::Revolute { .. } => {
                    let error = target[from] - q[from] - v[at] * ahead_secs;
                    tau[at] +=
                        servo.stiffness.xx * error - servo.damping.xx * (v[at] - rate.map_or(0.0, |rate| rate[0]));
                }
                JointKind::Free | JointKind::Fixed => {}
            }
        }
    }

    /// h K_d + h² K of each joint, in its own axes.
    pub(super) fn resistance(&self, step_secs: f64, resists: &mut [Symmetric3]) {
        for (servo, resists) in self.servos.iter().zip(resists) {
            *resists = servo.damping * step_secs + servo.stiffness * (step_secs * step_secs);
        }
    }

    /// Adds h K_d + h² K to the lower triangle of a mass matrix.
    pub(super) fn add_to_mass(&self, model: &Model, step_secs: f64, mass: &mut Matrix) {
        for (link, servo) in model.links().zip(&self.servos) {
            let at = model.v_range(link).start;
            let block = servo.damping * step_secs + servo.stiffness * (step_secs * step_secs);
            match model.kind(link) {
                JointKind::Ball => {
                    mass[(at, at)] += block.xx;
                    mass[(at + 1, at + 1)] += block.yy;
                    mass[(at + 2, at + 2)] += block.zz;
                    mass[(at + 1, at)] += block.xy;
                    mass[(at + 2, at)] += block.xz;
                    mass[(at + 2, at + 1)] += block.yz;
                }
                JointKind::Revolute { .. } => mass[(at, at)] += block.xx,
                JointKind::Free | JointKind::Fixed => {}
            }
        }
    }
}

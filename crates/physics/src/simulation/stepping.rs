//! The step itself.

use super::ground::Ground;
use super::servo::Servos;
use crate::dynamics::{
    JointKind, Loads, MassFactor, Matrix, Model, Workspace, aba_resisting, bias_in_place, crba_in_place,
};
use crate::spatial::Symmetric3;

/// How time is stepped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Scheme {
    /// Implicit in servos and contacts: the module's text.
    #[default]
    Implicit,
    /// Plain forces at the present state, then v, then q: right for steps short enough, and unstable beyond. It shows
    /// what the implicit one converges to.
    Explicit,
}

/// A simulation that left the world of finite, reasonable numbers.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error(
    "the simulation diverged at {time_secs:.3} s: {link:?} turns or moves at {speed:.0} rad/s or m/s; take a shorter step, or softer servos or contacts"
)]
pub struct Diverged {
    /// Simulated time.
    pub time_secs: f64,
    /// The fastest link.
    pub link: String,
    /// Its largest number, rad/s or m/s; infinite if it is no number.
    pub speed: f64,
}

/// What drives a tree through one step.
#[derive(Clone, Copy, Debug)]
pub struct Drive<'a> {
    /// Springs at the joints.
    pub servos: &'a Servos,
    /// The configuration wanted at the step's end.
    pub target: &'a [f64],
    /// The velocity that damping pulls towards; none is rest, which holds back what moves.
    pub rate: Option<&'a [f64]>,
    /// Further joint forces, as they are at the start.
    pub push: Option<&'a [f64]>,
    /// Forces from outside, as they are at the start.
    pub loads: &'a Loads,
}

/// Faster than any part of a person or what it strikes; a stroke's fastest joint turns at some 40 rad/s.
const FASTEST: f64 = 1e3;

/// One tree in motion.
#[derive(Clone, Debug)]
pub struct Simulation {
    /// Configuration.
    pub q: Vec<f64>,
    /// Velocity.
    pub v: Vec<f64>,
    /// Simulated time.
    pub time_secs: f64,
    /// Accelerations of the last step.
    pub a: Vec<f64>,
    /// How time is stepped.
    pub scheme: Scheme,
    work: Workspace,
    mass: Matrix,
    factor: MassFactor,
    bias: Vec<f64>,
    resists: Vec<Symmetric3>,
    step: Vec<f64>,
    moved: Vec<f64>,
}

impl Simulation {
    /// Starts at a state.
    pub fn new(model: &Model, q: Vec<f64>, v: Vec<f64>) -> Self {
        let nv = model.nv();
        Self {
            moved: q.clone(),
            q,
            v,
            time_secs: 0.0,
            a: vec![0.0; nv],
            scheme: Scheme::Implicit,
            work: Workspace::new(model),
            mass: Matrix::zeros(nv, nv),
            factor: MassFactor::new(model),
            bias: vec![0.0; nv],
            resists: vec![Symmetric3::ZERO; model.link_count()],
            step: vec![0.0; nv],
        }
    }

    /// Where links were at the start of the last step, and how they moved.
    pub fn workspace(&self) -> &Workspace {
        &self.work
    }

    /// One step of `step_secs`.
    pub fn step(
        &mut self,
        model: &Model,
        drive: Drive<'_>,
        ground: Option<&mut Ground>,
        step_secs: f64,
    ) -> Result<(), Diverged> {
        self.begin(model);
        self.drive(model, drive, ground, step_secs, false);
        self.finish(model, step_secs)
    }

    /// Where links are and how they move now: after this tasks may look.
    pub(super) fn begin(&mut self, model: &Model) {
        self.place(model);
    }

    /// Accelerations of the tree by itself and, if another tree may touch it, the factor of what it moves
    /// ([`Simulation::factor`]).
    pub(super) fn drive(
        &mut self,
        model: &Model,
        drive: Drive<'_>,
        mut ground: Option<&mut Ground>,
        step_secs: f64,
        needs_factor: bool,
    ) {
        let Drive { servos, target, rate, push, loads } = drive;
        let Self { q, v, a, work, mass, factor, bias, resists, .. } = self;
        let is_implicit = self.scheme == Scheme::Implicit;
        let ahead_secs = if is_implicit { step_secs } else { 0.0 };
        let is_touched = ground.as_ref().is_some_and(|ground| ground.is_touched(work));
        if is_implicit && !is_touched && !needs_factor {
            // In the air servos are all that stiffens the tree, each within its own joint: articulated bodies need no
            // matrix.
            if let Some(ground) = &mut ground {
                ground.let_go();
            }
            let tau = bias;
            tau.fill(0.0);
            if let Some(push) = push {
                tau.copy_from_slice(push);
            }
            servos.add_torques(model, (q, v), target, rate, ahead_secs, tau);
            servos.resistance(step_secs, resists);
            aba_resisting(model, v, tau, resists, loads, a, work);
            return;
        }
        bias_in_place(model, loads, bias, work);
        for (force, bias) in a.iter_mut().zip(bias.iter()) {
            *force = -bias;
        }
        if let Some(push) = push {
            a.iter_mut().zip(push).for_each(|(force, push)| *force += push);
        }
        servos.add_torques(model, (q, v), target, rate, ahead_secs, a);
        crba_in_place(model, mass, work);
        if is_implicit {
            servos.add_to_mass(model, step_secs, mass);
        }
        if let Some(ground) = ground {
            ground.act(model, work, step_secs, a, is_implicit.then_some(mass));
        }
        if factor.factor(mass) {
            factor.solve(a);
        } else {
            a.fill(f64::NAN);
        }
    }

    /// Of M + h K_d + h² K and the ground's part: after [`Simulation::drive`].
    pub(super) fn factor(&self) -> &MassFactor {
        &self.factor
    }

    /// v from a, then q from v.
    pub(super) fn finish(&mut self, model: &Model, step_secs: f64) -> Result<(), Diverged> {
        let Self { q, v, a, step, moved, .. } = self;
        for ((v, a), step) in v.iter_mut().zip(a.iter()).zip(step.iter_mut()) {
            *v += step_secs * a;
            *step = step_secs * *v;
        }
        self.time_secs += step_secs;
        check(model, v, self.time_secs)?;
        model.integrate(q, step, moved);
        std::mem::swap(q, moved);
        Ok(())
    }

    /// Puts the links where `q` has them, without moving time.
    pub(super) fn place(&mut self, model: &Model) {
        self.work.move_links(model, &self.q, &self.v);
    }
}

fn check(model: &Model, v: &[f64], time_secs: f64) -> Result<(), Diverged> {
    let speed_of = |numbers: &[f64]| {
        // NaN compares with nothing, so it is looked for by itself.
        let is_lost = numbers.iter().any(|number| number.is_nan());
        if is_lost { f64::INFINITY } else { numbers.iter().fold(0.0, |most: f64, number| most.max(number.abs())) }
    };
    if speed_of(v) <= FASTEST {
        return Ok(());
    }
    let links = model.links().filter(|&link| model.kind(link) != JointKind::Fixed);
    let fastest = links.map(|link| (link, speed_of(&v[model.v_range(link)]))).max_by(|a, b| a.1.total_cmp(&b.1));
    let (link, speed) =
        fastest.map_or((String::new(), f64::INFINITY), |(link, speed)| (model.name(link).to_owned(), speed));
    Err(Diverged { time_secs, link, speed })
}

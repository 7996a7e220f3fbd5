//! Tasks: controllers that replace part of the captured motion by a goal (Zordan & Hodgins 1999, section 4).
//!
//! A task looks at the state and changes what is asked of the servos, or pushes by itself. One of your own is a struct
//! and one function:
//!
//! ```
//! use aplomb_physics::simulation::{Command, Task, View};
//! use aplomb_physics::dynamics::LinkId;
//!
//! /// Lets a joint go limp between two times.
//! #[derive(Debug)]
//! struct Limp { link: LinkId, from_secs: f64, to_secs: f64 }
//!
//! impl Task for Limp {
//!     fn act(&mut self, view: &View<'_>, command: &mut Command) {
//!         if (self.from_secs..self.to_secs).contains(&view.time_secs) {
//!             // A servo that is asked for what already is exerts nothing but damping.
//!             let numbers = view.model.q_range(self.link);
//!             command.target[numbers.clone()].copy_from_slice(&view.q[numbers]);
//!         }
//!     }
//! }
//! ```

use super::ground::Ground;
use crate::dynamics::{JointKind, LinkId, Model, Workspace};
use aplomb_motion::so3;
use glam::{DMat3, DQuat, DVec3};

/// What is asked of a tree in one step.
#[derive(Clone, Debug, PartialEq)]
pub struct Command {
    /// The configuration that servos pull to.
    pub target: Vec<f64>,
    /// The velocity that dampers pull to; zero unless more is asked for.
    pub rate: Vec<f64>,
    /// Further joint forces.
    pub push: Vec<f64>,
}

/// What a task sees: the state at the start of a step.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    /// The tree.
    pub model: &'a Model,
    /// Its configuration.
    pub q: &'a [f64],
    /// Its velocity.
    pub v: &'a [f64],
    /// Where links are and how they move.
    pub links: &'a Workspace,
    /// The floor, with the forces of the last step.
    pub ground: Option<&'a Ground>,
    /// Now.
    pub time_secs: f64,
    /// And until when.
    pub step_secs: f64,
}

impl View<'_> {
    /// Centre of mass and its velocity, m and m/s.
    pub fn centre_of_mass(&self) -> (DVec3, DVec3) {
        let (mut moment, mut momentum, mut mass_kg) = (DVec3::ZERO, DVec3::ZERO, 0.0);
        for link in self.model.links() {
            let (inertia, motion) = (self.model.inertia(link), self.links.link(link));
            moment += motion.point_in_world_m(inertia.com_m) * inertia.mass_kg;
            momentum += motion.point_velocity(inertia.com_m) * inertia.mass_kg;
            mass_kg += inertia.mass_kg;
        }
        (moment / mass_kg, momentum / mass_kg)
    }
}

/// A controller.
pub trait Task: std::fmt::Debug + Send {
    /// Changes the command of one step; called once a step, in the order of [`super::Actor::tasks`].
    fn act(&mut self, view: &View<'_>, command: &mut Command);
}

/// Keeps an axis of a link upright, whatever carries it: a wrist that holds a staff.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Upright {
    /// A link with a ball joint; its servo's gains should know what it holds.
    pub link: LinkId,
    /// Which of its directions is kept upright.
    pub axis_in_link: DVec3,
    /// Where to.
    pub up: DVec3,
}

impl Task for Upright {
    /// The captured turn about the axis stays. Damping acts on the link's rate in the *world*: against the joint's own
    /// rate it would drag the staff along with the forearm (3–33° instead of ≤ 1.5° on captures). Servos pull to where
    /// they should be at the step's end, so the forearm is taken where it will be then: a forearm at 10 rad/s would
    /// tilt the staff by 1.2° in a step of 1/480 s.
    fn act(&mut self, view: &View<'_>, command: &mut Command) {
        if view.model.kind(self.link) != JointKind::Ball {
            return;
        }
        let at = view.model.q_range(self.link).start;
        let captured = DQuat::from_slice(&command.target[at..at + 4]);
        let (carrier, spin) = carrier(view, self.link);
        let carrier = so3::exp(spin * view.step_secs) * carrier;
        let world = carrier * captured;
        let leans = world * self.axis_in_link.normalize_or_zero();
        let upright = DQuat::from_rotation_arc(leans, self.up.normalize_or_zero()) * world;
        command.target[at..at + 4].copy_from_slice(&(carrier.conjugate() * upright).normalize().to_array());
        let against = -(view.links.link(self.link).world_from_link.transpose() * spin);
        let rates = view.model.v_range(self.link);
        command.rate[rates].copy_from_slice(&against.to_array());
    }
}

/// The frame that a joint's own rotation starts from, in the world, and its angular velocity.
fn carrier(view: &View<'_>, link: LinkId) -> (DQuat, DVec3) {
    let rest = view.model.rest(link);
    match view.model.parent(link) {
        Some(parent) => {
            let motion = view.links.link(parent);
            (DQuat::from_mat3(&motion.world_from_link) * rest, motion.velocity.angular)
        }
        None => (rest, DVec3::ZERO),
    }
}

/// A leg that stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StanceLeg {
    /// Links whose joints are hip, knee and ankle.
    pub joints: [LinkId; 3],
}

/// Holds the centre of mass over a point of the ground by the legs while the upper body plays.
///
/// A horizontal force f = −k e − d ċ is wanted at the centre of mass c. Legs whose feet stand can exert it: seen from a
/// foot, the body above a joint at p turns against the joint's own turn, so that the joint's torque is −(c − p) × f,
/// shared by the legs.
#[derive(Clone, Debug, PartialEq)]
pub struct Balance {
    /// Who shares the load.
    pub legs: Vec<StanceLeg>,
    /// Where the centre of mass should be, m; its height does not count.
    pub over_m: DVec3,
    /// k, N/m.
    pub stiffness: f64,
    /// d, N·s/m.
    pub damping: f64,
}

impl Balance {
    /// With gains that hold a bow of 56° on soft legs (`docs/algorithms/track.md`).
    pub fn over(over_m: DVec3, legs: Vec<StanceLeg>) -> Self {
        Self { legs, over_m, stiffness: 8000.0, damping: 1500.0 }
    }
}

impl Task for Balance {
    fn act(&mut self, view: &View<'_>, command: &mut Command) {
        let up = view.ground.map_or(DVec3::Y, |ground| ground.normal);
        let flat = |vector: DVec3| vector - up * vector.dot(up);
        let (centre_m, velocity) = view.centre_of_mass();
        let force = flat(self.over_m - centre_m) * self.stiffness - flat(velocity) * self.damping;
        let share = force / self.legs.len().max(1) as f64;
        for leg in &self.legs {
            for joint in leg.joints {
                let motion = view.links.link(joint);
                let torque = -(centre_m - motion.joint_in_world_m).cross(share);
                push_joint(view.model, joint, motion.world_from_link, torque, &mut command.push);
            }
        }
    }
}

/// Adds a torque in world axes to a joint's own forces.
fn push_joint(model: &Model, link: LinkId, world_from_link: DMat3, torque: DVec3, push: &mut [f64]) {
    let at = model.v_range(link).start;
    let own = world_from_link.transpose() * torque;
    match model.kind(link) {
        JointKind::Ball => {
            for axis in 0..3 {
                push[at + axis] += own[axis];
            }
        }
        JointKind::Revolute { axis } => push[at] += axis.dot(own),
        JointKind::Free | JointKind::Fixed => {}
    }
}

/// Holds a point of a link at a place of the world, whatever the body does.
///
/// The joints of a chain get offsets to their targets that grow with the error: δ ← δ + h r J⁺ e, where e is where the
/// point should be less where it is, so that at rest no error stays, whatever gravity or a slack servo would leave.
/// Where it should be moves from where it was when the task began to its place as hands of people do (Flash & Hogan
/// 1985), and offsets fade the same way afterwards: an error of half a metre at once would throw the hand at 7 m/s.
#[derive(Clone, Debug)]
pub struct Hold {
    link: LinkId,
    point_in_link_m: DVec3,
    /// Where it should be, m.
    pub at_m: DVec3,
    /// From when on, s.
    pub from_secs: f64,
    /// Until when, s; then the offsets fade.
    pub to_secs: f64,
    /// r: how fast errors go, s⁻¹. A body that moves its shoulder at v leaves the hand v/r behind; well below the
    /// servos' own √s.
    pub rate_per_s: f64,
    /// Where and when the task began.
    began: Option<(DVec3, f64)>,
    /// Joints that help, from the link towards the root, with their offsets in their own axes, rad.
    chain: Vec<(LinkId, DVec3)>,
    /// The offsets as the task left them.
    left: Vec<DVec3>,
}

impl Hold {
    /// With the joints that carry the link, `chain_length` of them at most, free ones left out.
    pub fn new(model: &Model, link: LinkId, point_in_link_m: DVec3, at_m: DVec3, chain_length: usize) -> Self {
        let carriers = std::iter::successors(Some(link), |&link| model.parent(link));
        let driven = carriers.filter(|&link| model.kind(link) == JointKind::Ball);
        let chain = driven.take(chain_length).map(|link| (link, DVec3::ZERO)).collect();
        let always = (f64::NEG_INFINITY, f64::INFINITY);
        let (from_secs, to_secs) = always;
        let (began, left) = (None, Vec::new());
        Self { link, point_in_link_m, at_m, from_secs, to_secs, rate_per_s: 25.0, began, chain, left }
    }

    /// How long a hand takes for a way, s.
    pub fn way_secs(way_m: f64) -> f64 {
        // The fastest moment of a minimum-jerk way has 15/8 of its mean speed.
        (1.875 * way_m / REACHING_SPEED).max(LEAST_WAY_SECS)
    }
}

/// 2/√s of the usual servos, s.
const SERVO_LAG_SECS: f64 = 0.03;

/// Hands that reach for something at their own pace are no faster, m/s.
const REACHING_SPEED: f64 = 1.25;

/// Even a short way takes as long, s.
const LEAST_WAY_SECS: f64 = 0.2;

/// The share of a way of minimum jerk after a share of its time: 10 τ³ − 15 τ⁴ + 6 τ⁵ (Flash & Hogan 1985, eq. 3).
fn least_jerk(share: f64) -> f64 {
    let t = share.clamp(0.0, 1.0);
    t * t * t * (10.0 + t * (6.0 * t - 15.0))
}

/// Keeps J⁺ finite where a chain is stretched, m²/rad²: a chain that moves its end by 5 cm a radian answers half as
/// far.
const STRETCHED: f64 = 0.05 * 0.05;

impl Task for Hold {
    fn act(&mut self, view: &View<'_>, command: &mut Command) {
        let point_m = view.links.link(self.link).point_in_world_m(self.point_in_link_m);
        let is_on = (self.from_secs..self.to_secs).contains(&view.time_secs);
        let step = view.step_secs * self.rate_per_s;
        let way_secs = |from_m: DVec3| Self::way_secs(from_m.distance(self.at_m));
        if is_on {
            let (from_m, since_secs) = *self.began.get_or_insert((point_m, view.time_secs));
            let there = least_jerk((view.time_secs + view.step_secs - since_secs) / way_secs(from_m));
            let goal_m = from_m.lerp(self.at_m, there);
            // J of joint i is ω ↦ ω × (p − pᵢ), and J Jᵀ the sum of |r|² 1 − r rᵀ.
            let mut reach = DMat3::from_diagonal(DVec3::splat(STRETCHED));
            for &(joint, _) in &self.chain {
                let arm_m = point_m - view.links.link(joint).joint_in_world_m;
                reach += DMat3::from_diagonal(DVec3::splat(arm_m.length_squared()))
                    - DMat3::from_cols(arm_m * arm_m.x, arm_m * arm_m.y, arm_m * arm_m.z);
            }
            // Servos answer late: what counts is where the point will be by then, or the loop swings.
            let later_m = point_m + view.links.link(self.link).point_velocity(self.point_in_link_m) * SERVO_LAG_SECS;
            let pull = reach.inverse() * (goal_m - later_m);
            for (joint, offset) in &mut self.chain {
                let motion = view.links.link(*joint);
                let turn = (point_m - motion.joint_in_world_m).cross(pull);
                *offset += motion.world_from_link.transpose() * turn * step;
                // Half a turn is more than any joint helps.
                *offset = offset.clamp_length_max(std::f64::consts::FRAC_PI_2);
            }
            self.left.clear();
            self.left.extend(self.chain.iter().map(|(_, offset)| *offset));
        } else if let Some((from_m, _)) = self.began {
            // It goes as it came.
            let stays = 1.0 - least_jerk((view.time_secs + view.step_secs - self.to_secs) / way_secs(from_m));
            for ((_, offset), left) in self.chain.iter_mut().zip(&self.left) {
                *offset = *left * stays;
            }
        }
        for &(joint, offset) in &self.chain {
            let at = view.model.q_range(joint).start;
            let target = DQuat::from_slice(&command.target[at..at + 4]) * so3::exp(offset);
            command.target[at..at + 4].copy_from_slice(&target.normalize().to_array());
        }
    }
}

//! Built-in clips, computed from closed-form curves, one band solve and two-bone inverse kinematics. No recorded motion
//! is used; gait timings and ranges of angles are ordinary textbook figures.
//!
//! 120 Hz, metres, Y up, Z forward, X left. People are 22 joints and 1.75 m tall. Every clip is made in the same order:
//! feet first (`feet`), then trunk, head and arms (`posture`), then the centre of mass so that the body balances over a
//! planned pressure point and falls freely in flight (`balance`), then the root, and the legs by inverse kinematics
//! (`draft`).

mod balance;
mod ball;
mod body;
mod curves;
mod draft;
mod feet;
mod gait;
mod gestures;
mod human;
mod jump;
mod masses;
pub mod measure;
mod posture;
mod quadruped;
mod sit;
mod spin;
mod stand;

use aplomb_motion::{Clip, ClipError, JointId};
use glam::DVec3;

/// Name and description of every built-in clip.
pub const NAMES: [(&str, &str); 16] = [
    ("walk", "a straight walk, three cycles that loop"),
    ("turning-walk", "a walk on a circle to the left"),
    ("run", "a run at 2.9 m/s, four cycles that loop"),
    ("short-jump", "half a metre forward, landing on the balls of the feet"),
    ("long-jump", "a standing long jump of 1.3 m, landing on the heels"),
    ("half-turn-jump", "up, half round to the left, and down"),
    ("wave", "a greeting with the right hand"),
    ("drum", "drumming with alternate hands at 104 beats a minute"),
    ("bow", "a bow from the hips"),
    ("pump", "the right hand up and down before the chest, as if it pumped a staff"),
    ("patty-cake", "hands together and out to a partner: right, left, both, right"),
    ("slap", "the right hand swung across at the height of a head"),
    ("sit-low", "sitting down on a seat of 0.45 m"),
    ("sit-high", "sitting down on a seat of 0.58 m"),
    ("quadruped-walk", "a dog-sized walk in lateral sequence, four cycles that loop"),
    ("ball", "a ball that bounces and rolls out"),
];

/// An unknown name; or, which the tests exclude, a broken constant in this crate.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum BuiltError {
    /// Not one of [`NAMES`].
    #[error("there is no built-in clip {found:?}; there are {}", NAMES.map(|(name, _)| name).join(", "))]
    UnknownName {
        /// The name asked for.
        found: String,
    },
    /// The skeleton could not be built.
    #[error(transparent)]
    Skeleton(#[from] aplomb_motion::SkeletonError),
    /// A leg could not be built.
    #[error(transparent)]
    Limb(#[from] aplomb_editing::EditingError),
    /// The figure has no body.
    #[error(transparent)]
    Body(#[from] aplomb_physics::PhysicsError),
    /// The clip could not be built.
    #[error(transparent)]
    Clip(#[from] ClipError),
}

/// A contact that a clip was planned with.
#[derive(Clone, Debug, PartialEq)]
pub struct PlannedContact {
    /// `left_heel`, `right_ball`, `left_toe`, `hips`, `left_front_paw`, `ball` …
    pub effector: String,
    /// The joint it moves with.
    pub joint: JointId,
    /// The point that touches, in that joint's frame.
    pub point_in_joint_m: DVec3,
    /// From the first frame; a contact that began before the clip starts at 0.
    pub start_secs: f64,
    /// From the first frame; a contact that lasts beyond the clip ends with it.
    pub end_secs: f64,
}

/// A share of the body's mass, fixed in a joint's frame.
#[derive(Clone, Debug, PartialEq)]
pub struct MassPoint {
    /// Index of the joint.
    pub joint: usize,
    /// Of the whole body.
    pub share: f64,
    /// In the joint's frame.
    pub at_m: DVec3,
}

/// A finished clip and what is known about it.
#[derive(Clone, Debug)]
pub struct BuiltMotion {
    /// The motion.
    pub clip: Clip,
    /// What it was planned to touch, and when.
    pub contacts: Vec<PlannedContact>,
    /// The masses it was balanced with: the physics crate's body of the figure, each rigid link as six points.
    pub masses: Vec<MassPoint>,
}

/// A built-in clip by its name.
pub fn clip(name: &str) -> Result<Clip, BuiltError> {
    Ok(make(name)?.clip)
}

/// The contacts a built-in clip was planned with.
pub fn planned_contacts(name: &str) -> Result<Vec<PlannedContact>, BuiltError> {
    Ok(make(name)?.contacts)
}

/// A built-in clip with its contacts and masses. The same name always gives the same bits.
pub fn make(name: &str) -> Result<BuiltMotion, BuiltError> {
    match name {
        "walk" => gait::walk(),
        "turning-walk" => gait::turning_walk(),
        "run" => gait::run(),
        "short-jump" => jump::make(&jump::SHORT),
        "long-jump" => jump::make(&jump::LONG),
        "half-turn-jump" => jump::make(&jump::HALF_TURN),
        "wave" => stand::wave(),
        "drum" => stand::drum(),
        "bow" => stand::bow(),
        "pump" => gestures::pump(),
        "patty-cake" => gestures::patty_cake(),
        "slap" => gestures::slap(),
        "sit-low" => sit::make(0.45),
        "sit-high" => sit::make(0.58),
        "quadruped-walk" => quadruped::walk(),
        "ball" => ball::bounce(),
        _ => Err(BuiltError::UnknownName { found: name.to_owned() }),
    }
}

impl BuiltMotion {
    /// Frames `kept` of a draft, whose first and last are at `from_secs` and `to_secs` of the plans.
    fn from_draft(
        draft: &draft::Draft<'_>,
        kept: std::ops::Range<usize>,
        plans: &[feet::FootPlan],
        (from_secs, to_secs): (f64, f64),
    ) -> Result<Self, BuiltError> {
        let mut contacts = Vec::new();
        for ((side, name), plan) in ["left", "right"].iter().enumerate().zip(plans) {
            for (point, start_secs, end_secs) in plan.contacts(from_secs, to_secs) {
                let (joint, point_in_joint_m) = match point {
                    feet::SolePoint::Heel => (human::FOOT[side], human::HEEL),
                    feet::SolePoint::Ball => (human::TOES[side], DVec3::ZERO),
                    feet::SolePoint::Toe => (human::TOES[side], human::TOE_TIP),
                };
                let effector = format!("{name}_{}", point.name());
                let joint = JointId::new(joint);
                contacts.push(PlannedContact { effector, joint, point_in_joint_m, start_secs, end_secs });
            }
        }
        Ok(Self { clip: draft.clip(kept)?, contacts, masses: draft.body.masses.points.clone() })
    }
}

#[cfg(test)]
mod tests;

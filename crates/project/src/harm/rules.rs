//! From which change on an edit costs something, and from which it does harm (docs/analysis/harm.md).
//!
//! Scores alone are not enough: of poses that were spoiled on purpose they find few, so the way of pelvis, hands and
//! joints counts, less what the edit has to do for what is asked.

use aplomb_analysis::fidelity::BodyPart;

/// Where a cost begins, and where harm.
#[derive(Clone, Copy)]
pub(super) struct Limits {
    pub cost: f64,
    pub harm: f64,
}

/// Points of body and of recording that are lost.
pub(super) const POINTS: Limits = Limits { cost: 1.0, harm: 3.0 };
/// Points of physics that are lost.
pub(super) const PHYSICS_POINTS: Limits = Limits { cost: 0.5, harm: 3.0 };
/// A knee farther back than the clip's, and beyond straight, by more than this is harm, degrees.
pub(super) const KNEE_BACK_DEG: f64 = 3.0;
/// The pelvis's way, m.
pub(super) const PELVIS_M: Limits = Limits { cost: 0.02, harm: 0.05 };
/// The hands' ways against the pelvis, m.
pub(super) const HANDS_M: Limits = Limits { cost: 0.04, harm: 0.10 };
/// Of what the edit has to do, so many times is granted to the ways.
pub(super) const NEED_GRANTED: f64 = 3.0;
/// One joint's turn, degrees.
pub(super) const JOINT_DEG: Limits = Limits { cost: 12.0, harm: 30.0 };
/// Granted to it for each metre of need: 2° a centimetre.
pub(super) const JOINT_DEG_PER_M: f64 = 200.0;
/// All main joints, root of the mean square, from which an edit costs something, degrees.
pub(super) const JOINTS_RMS_DEG: f64 = 1.0;
/// Share of the peaks of speed that is lost.
pub(super) const SPEED_LOST: Limits = Limits { cost: 0.10, harm: 0.20 };
/// Slower peaks are not compared, m/s.
pub(super) const LEAST_SPEED_M_PER_S: f64 = 0.3;
/// Peaks of acceleration, times those before.
pub(super) const ACCELERATION: Limits = Limits { cost: 1.2, harm: 1.5 };
/// Gentler peaks than this look alike: people who walk reach it with every step, m/s².
pub(super) const LEAST_ACCELERATION_M_PER_S2: f64 = 10.0;
/// Balance and slides that are better by less are not worth a word, m.
pub(super) const LEAST_GAIN_M: f64 = 0.002;
/// A hand against its forearm, beyond every pose that it has in the clip, degrees: wrists bend by 70° to 80°, and
/// forearms turn by as much.
pub(super) const WRIST_DEG: Limits = Limits { cost: 45.0, harm: 75.0 };

/// Peaks of acceleration that three of four captured jumps, hops and runs stay below (55 clips of 13 people; without
/// any one of them within a seventh, hands within a quarter), m/s². Who is asked to jump may reach them.
pub(super) const fn jumping_acceleration(part: BodyPart) -> f64 {
    match part {
        BodyPart::Pelvis => 42.0,
        BodyPart::Head => 46.0,
        BodyPart::LeftHand | BodyPart::RightHand => 80.0,
        BodyPart::LeftFoot | BodyPart::RightFoot => 97.0,
    }
}

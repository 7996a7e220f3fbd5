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
/// Points that are lost without any one fault that would be named, which costs five points.
pub(super) const UNNAMED_POINTS: f64 = 6.0;
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
/// The pelvis of half of 21 captured walks reaches this, m/s²: gentler peaks look alike.
const WALKING_M_PER_S2: f64 = 25.0;
/// Accelerations of captures are second differences over this step, s. Longer steps see less of what is short.
const USUAL_STEP_SECS: f64 = 1.0 / 60.0;
/// What steps of 1/30 s see of it: the pelvis of seven walks that were captured at 30 Hz reaches 7 to 12 m/s².
const LEAST_SEEN: f64 = 0.4;
/// The middle of a standing body, of its stature (de Leva 1996).
pub(super) const MIDDLE_OF_STATURE: f64 = 0.56;

/// Gentler peaks than this look alike, m/s².
pub(super) fn gentle_m_per_s2(step_secs: f64) -> f64 {
    WALKING_M_PER_S2 * seen(step_secs)
}

/// Nine of ten of 164 captures (walks, runs, jumps, dances, kicks, flips) stay below this, m/s²: an edit that asks for
/// another motion may be as vigorous before it does harm.
pub(super) fn vigorous_m_per_s2(part: BodyPart, step_secs: f64) -> f64 {
    let captured = match part {
        BodyPart::Pelvis => 56.0,
        BodyPart::Head => 69.0,
        BodyPart::LeftHand | BodyPart::RightHand => 174.0,
        BodyPart::LeftFoot | BodyPart::RightFoot => 210.0,
    };
    captured / ACCELERATION.harm * seen(step_secs)
}

fn seen(step_secs: f64) -> f64 {
    (USUAL_STEP_SECS / step_secs.max(USUAL_STEP_SECS)).powi(2).max(LEAST_SEEN)
}

/// Balance and slides that are better by less are not worth a word, m.
pub(super) const LEAST_GAIN_M: f64 = 0.002;
/// A hand against its forearm, beyond every pose that it has in the clip, degrees: wrists bend by 70° to 80°, and
/// forearms turn by as much.
pub(super) const WRIST_DEG: Limits = Limits { cost: 45.0, harm: 75.0 };

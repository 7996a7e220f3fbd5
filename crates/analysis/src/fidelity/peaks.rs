//! Peaks of speed and acceleration of hands, feet, head and pelvis.

use super::{BodyPart, Fidelity, PartPeak};
use crate::posed::Posed;
use aplomb_motion::{JointId, Roles};

/// Speed that is reached in 2 % of the time, acceleration in 0.5 %.
const SPEED_SHARE: f64 = 0.98;
const ACCELERATION_SHARE: f64 = 0.995;

/// Accelerations are second differences over so long a step, s, or a frame where that is longer: shorter ones of 120 Hz
/// captures are noise of markers.
const ACCELERATION_STEP_SECS: f64 = 1.0 / 60.0;

pub(super) fn compare(roles: &Roles, posed: &[Posed; 2], hz: [f64; 2], fidelity: &mut Fidelity) {
    for part in BodyPart::ALL {
        let Some(joint) = part.joint(roles) else { continue };
        let peak = |of: fn(&Posed, JointId, f64) -> Option<f64>| {
            Some(PartPeak { part, before: of(&posed[0], joint, hz[0])?, after: of(&posed[1], joint, hz[1])? })
        };
        fidelity.speed_peaks.extend(peak(speed_m_per_s));
        fidelity.acceleration_peaks.extend(peak(acceleration_m_per_s2));
    }
    let longest = hz.into_iter().filter(|hz| *hz > 0.0).map(|hz| step_frames(hz) as f64 / hz).fold(0.0, f64::max);
    fidelity.acceleration_step_secs = longest;
}

fn step_frames(hz: f64) -> usize {
    ((ACCELERATION_STEP_SECS * hz).round() as usize).max(1)
}

fn speed_m_per_s(posed: &Posed, joint: JointId, hz: f64) -> Option<f64> {
    let paths = posed.paths();
    let speeds = (1..paths.frames()).map(|row| paths.at(row, joint).distance(paths.at(row - 1, joint)) * hz);
    share(speeds.collect(), SPEED_SHARE)
}

fn acceleration_m_per_s2(posed: &Posed, joint: JointId, hz: f64) -> Option<f64> {
    let paths = posed.paths();
    let step = step_frames(hz);
    let rate = hz / step as f64;
    let second = |row: usize| paths.at(row - step, joint) + paths.at(row + step, joint) - paths.at(row, joint) * 2.0;
    let rows = step..paths.frames().saturating_sub(step);
    share(rows.map(|row| second(row).length() * rate * rate).collect(), ACCELERATION_SHARE)
}

/// The value that this share of all is below.
fn share(mut values: Vec<f64>, share: f64) -> Option<f64> {
    let rank = (share * values.len() as f64) as usize;
    let rank = rank.min(values.len().checked_sub(1)?);
    let (_, value, _) = values.select_nth_unstable_by(rank, f64::total_cmp);
    Some(*value)
}

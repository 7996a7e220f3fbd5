//! What is wrong with the recording itself: rate, unit, frames that were lost, labels that flicker (score.md,
//! recording).

use super::body_limits::cost;
use super::evidence::Evidence;
use super::moments::{Fault, Moment};
use crate::contacts::{ClockFinding, ContactSource};
use crate::median::median;
use crate::posed::JointPaths;
use aplomb_motion::{JointId, Role};

/// A rate or a unit that gravity proves wrong; what was judged is the corrected motion, so this costs points, and not
/// the whole score.
const PROVEN_WRONG_COST: f64 = 0.5;
/// A rate that flights dispute, without agreeing on another.
const DISPUTED_COST: f64 = 0.1;
/// A step from frame to frame that no person makes, m: 36 m/s at 120 Hz.
const LEAST_LEAP_M: f64 = 0.3;
/// It is so many times what the clip usually shows.
const STEP_RATIO: f64 = 8.0;
/// A body that stays at one point to within this is not there, m.
const STAYING_M: f64 = 1e-6;
/// Lost frames: no loss up to this, s.
const DROPOUT_ALLOWANCE_SECS: f64 = 0.0;
/// Half of the score is lost here, s.
const DROPOUT_HALF_SECS: f64 = 0.05;
/// Gaps between stated contacts of one point that are shorter flicker, s. (Contacts may be short: a ball bounces.)
const FLICKER_SECS: f64 = 0.05;
/// No loss up to so many of them, 1/s.
const FLICKER_ALLOWANCE: f64 = 0.5;
/// Half of the score is lost here, 1/s.
const FLICKER_HALF: f64 = 3.0;

/// All of them, the costliest first.
pub(super) fn recording_moments(evidence: &Evidence<'_>, paths: &JointPaths<'_>) -> Vec<Moment> {
    let mut found: Vec<Moment> = Vec::new();
    found.extend(clock(evidence));
    found.extend(dropouts(evidence, paths));
    found.extend(flicker(evidence));
    found.sort_by(|a, b| b.cost.total_cmp(&a.cost));
    found
}

fn whole(evidence: &Evidence<'_>, fault: Fault, size: f64, allowance: f64, cost: f64) -> Moment {
    let secs = |it: Option<&f64>| it.copied().unwrap_or(0.0);
    let (start_secs, end_secs) = (secs(evidence.times_secs.first()), secs(evidence.times_secs.last()));
    let secs = start_secs;
    Moment { fault, joint: None, other: None, start_secs, end_secs, secs, size, allowance, cost }
}

fn clock(evidence: &Evidence<'_>) -> Option<Moment> {
    let (fault, factor, cost) = match evidence.contacts.clock.finding {
        ClockFinding::WrongRate { factor } => (Fault::RateWrong, factor, PROVEN_WRONG_COST),
        ClockFinding::WrongUnit { scale } => (Fault::UnitWrong, scale, PROVEN_WRONG_COST),
        ClockFinding::DisputedRate { factor, .. } => (Fault::RateDisputed, factor, DISPUTED_COST),
        ClockFinding::Agrees | ClockFinding::NoEvidence => return None,
    };
    Some(whole(evidence, fault, factor, 1.0, cost))
}

/// Stretches in which the body stays at one point that it jumped to.
fn dropouts(evidence: &Evidence<'_>, paths: &JointPaths<'_>) -> Vec<Moment> {
    let hips = evidence.roles.joint(Role::Hips).unwrap_or(JointId::new(0));
    let rows = paths.frames();
    if paths.joint_count == 0 || rows < 2 {
        return Vec::new();
    }
    let step_m: Vec<f64> = (1..rows).map(|row| (paths.at(row, hips) - paths.at(row - 1, hips)).length()).collect();
    let usual_m = median(&mut step_m.clone()).unwrap_or(0.0);
    let is_step = |row: usize| step_m[row - 1] > LEAST_LEAP_M.max(STEP_RATIO * usual_m);
    let secs = |row: usize| evidence.times_secs.get(row).copied().unwrap_or(0.0);
    let mut found = Vec::new();
    let mut row = 1;
    while row < rows {
        let still = (row + 1..rows).take_while(|next| step_m[next - 1] < STAYING_M).count();
        let end = row + still;
        let leaves = end + 1 < rows && is_step(end + 1);
        if still > 0 && (is_step(row) || leaves) {
            let size = if is_step(row) { step_m[row - 1] } else { step_m[end] };
            let lost_secs = secs(end) - secs(row);
            found.push(Moment {
                fault: Fault::Dropout,
                joint: Some(evidence.clip.skeleton().joint(hips).name.clone()),
                other: None,
                start_secs: secs(row),
                end_secs: secs(end),
                secs: secs(row),
                size,
                allowance: LEAST_LEAP_M,
                cost: cost(lost_secs, DROPOUT_ALLOWANCE_SECS, DROPOUT_HALF_SECS),
            });
        }
        row = end + 1;
    }
    found
}

/// Contacts that a file or a person states, and that come and go faster than feet do.
fn flicker(evidence: &Evidence<'_>) -> Option<Moment> {
    let contacts = &evidence.contacts.contacts;
    let stated = |index: usize| contacts[index].source != ContactSource::Auto;
    let is_short = |index: &usize| {
        let contact = &contacts[*index];
        let next = contacts.get(index + 1).filter(|next| next.effector == contact.effector);
        let gap_secs = next.map_or(f64::INFINITY, |next| next.start_secs - contact.end_secs);
        stated(*index) && gap_secs < FLICKER_SECS
    };
    let count = (0..contacts.len()).filter(is_short).count();
    let span_secs = evidence.times_secs.last()? - evidence.times_secs.first()?;
    let rate = count as f64 / span_secs.max(1.0);
    let cost = cost(rate, FLICKER_ALLOWANCE, FLICKER_HALF);
    (cost > 0.0).then(|| whole(evidence, Fault::LabelsFlicker, rate, FLICKER_ALLOWANCE, cost))
}

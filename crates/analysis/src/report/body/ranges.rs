//! Joints beyond what people can do, for a while.

use super::BodyFaults;
use super::feet::PlantedBalls;
use crate::anatomy::{AngleTrack, joint_angles, sustained, sustained_rows};
use crate::posed::Posed;
use crate::report::body_limits::cost;
use crate::report::evidence::Evidence;
use crate::report::moments::{Fault, Moment};
use aplomb_physics::JointMotion;

/// One moment a joint and motion: the worst.
pub(super) fn find(evidence: &Evidence<'_>, posed: &Posed, stands: &PlantedBalls, hz: f64, faults: &mut BodyFaults) {
    let mut tracks = joint_angles(evidence.roles, evidence.body, posed);
    tracks.extend(stands.turns(evidence, posed));
    let rows = sustained_rows(hz);
    for track in &tracks {
        let Some(moment) = worst(evidence, track, rows) else { continue };
        let beyond = track.angles_deg.iter().filter(|angle| **angle > moment.allowance).count();
        let joint = moment.joint.clone().unwrap_or_default();
        faults.shares.push((moment.fault, joint, beyond as f64 / track.angles_deg.len() as f64));
        faults.moments.push(moment);
    }
}

fn worst(evidence: &Evidence<'_>, track: &AngleTrack, rows: usize) -> Option<Moment> {
    let range = evidence.body.ranges().of(track.motion);
    let factor = evidence.options.body_limits.ranges;
    let (allowance, half) = (range.allowance_deg * factor, range.half_deg * factor);
    let (size, row) = sustained(&track.angles_deg, rows, allowance)?;
    let is_beyond = |row: &usize| track.angles_deg[*row] > allowance;
    let first = (0..=row).rev().take_while(is_beyond).last().unwrap_or(row);
    let last = (row..track.angles_deg.len()).take_while(is_beyond).last().unwrap_or(row);
    let secs = |row: usize| evidence.times_secs.get(row).copied().unwrap_or(0.0);
    Some(Moment {
        fault: fault_of(track.motion),
        joint: Some(evidence.clip.skeleton().joint(track.joint).name.clone()),
        other: None,
        start_secs: secs(first),
        end_secs: secs(last),
        secs: secs(row),
        size,
        allowance,
        cost: cost(size, allowance, half),
    })
}

/// A joint beyond the range of a motion.
fn fault_of(motion: JointMotion) -> Fault {
    match motion {
        JointMotion::KneeBackward => Fault::KneeBackward,
        JointMotion::KneeFold => Fault::KneeFolds,
        JointMotion::KneeSideways => Fault::KneeSideways,
        JointMotion::FootTurn => Fault::FootTurned,
        JointMotion::FootFold => Fault::FootFolded,
        JointMotion::ElbowBackward => Fault::ElbowBackward,
        JointMotion::ElbowFold => Fault::ElbowFolds,
        JointMotion::SpineJoint => Fault::SpineBent,
        JointMotion::NeckJoint => Fault::NeckBent,
        JointMotion::TrunkTurn => Fault::TrunkTurned,
        JointMotion::TrunkBend => Fault::TrunkBent,
        JointMotion::HeadTurn => Fault::HeadTurned,
        JointMotion::HeadBend => Fault::HeadBent,
        JointMotion::HipBackward => Fault::HipBackward,
        JointMotion::HipForward => Fault::HipForward,
        JointMotion::HipOutward => Fault::HipOutward,
        JointMotion::HipInward => Fault::HipInward,
        JointMotion::PlantedFootTurn => Fault::PlantedFootTurned,
    }
}

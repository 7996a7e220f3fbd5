//! Whether limbs jerk or tear: the way of each knee, ankle, elbow and wrist from one frame to the next, against the
//! original's. Every verb that moves limbs is judged by this one rule.
//!
//! A joint that moves with acceleration a bends its way by a·h² in a frame of h seconds; one that jumps by d bends it
//! by d, however short the frame. The second difference is therefore given in metres, next to the largest of the same
//! joint near the same instant of the original.

use crate::EditingError;
use aplomb_motion::kinematics::joint_positions_m;
use aplomb_motion::signal::{SampleTimes, derivative};
use aplomb_motion::{Clip, JointId, LimbKind, Roles, Side, first_frame};
use glam::DVec3;
use serde::Serialize;

/// What a joint does within this time of an instant is its own there, s: about what contacts are moved by when a motion
/// is retimed.
const NEAR_POP_SECS: f64 = 0.25;
/// Edits that people make bend the way of a joint by no more than this times the original's.
const TIMES: f64 = 2.5;
/// They bend it by no more than this beyond the original's, m.
const BEYOND_M: f64 = 0.02;
/// They add no more than this acceleration, m/s², which counts in long frames (measured in docs/algorithms/path.md).
const BEYOND: f64 = 50.0;

/// A joint jerks if its way bends by more than this in a frame, m, or than the acceleration above does in frames that
/// are longer.
const JERK_M: f64 = 0.015;
/// Its way must also bend by so many times what it did in the motion nearby.
const JERK_TIMES: f64 = 1.5;

/// Where the way of a joint bends most from one frame to the next.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LimbPop {
    /// Its name.
    pub joint: String,
    /// When in the result, s.
    pub secs: f64,
    /// Largest second difference of its places, m: near that instant of the original, as fast as it is played now, and
    /// there in the result.
    pub second_difference_m: [f64; 2],
    /// Beyond this, m, the limb tears: no edit of a path that legs can follow does that.
    pub limit_m: f64,
}

impl LimbPop {
    fn new(joint: &str, secs: f64, second_difference_m: [f64; 2], step_secs: f64) -> Self {
        let limit_m = TIMES * second_difference_m[0] + BEYOND_M + BEYOND * step_secs * step_secs;
        Self { joint: joint.to_owned(), secs, second_difference_m, limit_m }
    }

    /// How far it is over the limit, m; negative within.
    pub fn beyond_m(&self) -> f64 {
        self.second_difference_m[1] - self.limit_m
    }

    /// How much farther the way bends than it did, allowing for one and a half times that, m.
    pub fn jerk_m(&self) -> f64 {
        self.second_difference_m[1] - JERK_TIMES * self.second_difference_m[0]
    }

    /// Whether the joint jerks where it did not, visibly: by centimetres in a frame.
    pub fn is_jerk(&self, step_secs: f64) -> bool {
        self.jerk_m() > 0.0 && self.second_difference_m[1] > JERK_M.max(BEYOND * step_secs * step_secs)
    }

    /// Whether the limb tears.
    pub fn is_torn(&self) -> bool {
        self.beyond_m() > 0.0
    }

    /// By which is worse: torn ones by how far they are over the limit, others by how much they jerk.
    pub fn compare(&self, other: &Self) -> std::cmp::Ordering {
        let size_m = |pop: &Self| if pop.is_torn() { pop.beyond_m() } else { pop.jerk_m() };
        self.is_torn().cmp(&other.is_torn()).then(size_m(self).total_cmp(&size_m(other)))
    }
}

/// Knees, ankles, elbows and wrists.
pub(crate) fn watched(roles: &Roles) -> Vec<JointId> {
    let limbs = [LimbKind::Leg, LimbKind::Arm].into_iter().flat_map(|kind| Side::BOTH.map(|side| (side, kind)));
    limbs.filter_map(|(side, kind)| roles.limb(side, kind)).flat_map(|limb| [limb.middle, limb.end]).collect()
}

/// The instant at which every knee, ankle, elbow and wrist jerks most in an edit that leaves every frame at its time. A
/// stray first frame is left out.
pub fn limb_pops(original: &Clip, edited: &Clip, roles: &Roles) -> Result<Vec<LimbPop>, EditingError> {
    let (without, made) = (first_frame::without_stray(original)?, first_frame::without_stray(edited)?);
    let (original, edited, skipped) = match (&without, &made) {
        (Some(original), Some(edited)) => (original, edited, 1.0),
        _ => (original, edited, 0.0),
    };
    let mut pops = retimed_pops(original, edited, &watched(roles), |secs| (secs, 1.0))?;
    let start_secs = skipped * step_secs(&Bends::times_secs(edited));
    pops.iter_mut().for_each(|pop| pop.secs += start_secs);
    Ok(pops)
}

/// The same where instants of the result show other instants of the original: `original_at` has when that is, s from
/// the first frame of each, and how many times as fast it is played there, r. What is played faster bends by r² as much
/// in a frame, and that is no jerk.
pub(crate) fn retimed_pops(
    original: &Clip,
    edited: &Clip,
    joints: &[JointId],
    original_at: impl Fn(f64) -> (f64, f64),
) -> Result<Vec<LimbPop>, EditingError> {
    let (old, new) = (Bends::of(original), Bends::of(edited));
    let step_secs = step_secs(&new.secs);
    let mut found = Vec::with_capacity(joints.len());
    for &joint in joints {
        let (old_m, new_m) = (old.of_joint(joint)?, new.of_joint(joint)?);
        let name = &original.skeleton().joint(joint).name;
        let pop = |(&secs, &after_m): (&f64, &f64)| {
            let (there_secs, faster) = original_at(secs);
            let from = old.secs.partition_point(|&it| it < there_secs - NEAR_POP_SECS);
            let to = old.secs.partition_point(|&it| it <= there_secs + NEAR_POP_SECS);
            let before_m = old_m[from..to].iter().copied().fold(0.0, f64::max) * (faster * faster).max(1.0);
            LimbPop::new(name, secs, [before_m, after_m], step_secs)
        };
        let pops = new.secs.iter().zip(&new_m).map(pop);
        found.extend(pops.max_by(LimbPop::compare));
    }
    Ok(found)
}

fn step_secs(secs: &[f64]) -> f64 {
    secs.last().map_or(0.0, |end_secs| end_secs / secs.len().saturating_sub(1).max(1) as f64)
}

/// Second differences of joints, m.
struct Bends {
    secs: Vec<f64>,
    joints: usize,
    places_m: Vec<DVec3>,
}

impl Bends {
    fn of(clip: &Clip) -> Self {
        Self { secs: Self::times_secs(clip), joints: clip.skeleton().len(), places_m: joint_positions_m(clip) }
    }

    fn times_secs(clip: &Clip) -> Vec<f64> {
        let start_secs = clip.frames().next().map_or(0.0, |frame| clip.time_secs(frame));
        clip.frames().map(|frame| clip.time_secs(frame) - start_secs).collect()
    }

    fn of_joint(&self, joint: JointId) -> Result<Vec<f64>, EditingError> {
        let way_m: Vec<DVec3> = self.places_m.iter().skip(joint.index()).step_by(self.joints).copied().collect();
        let acceleration = derivative::second(&way_m, SampleTimes::keyed(&self.secs)?);
        let last = self.secs.len().saturating_sub(1);
        let bend_m = |(frame, acceleration): (usize, &DVec3)| {
            // Ends repeat what is beside them.
            let (before, after) = (frame.saturating_sub(1), (frame + 1).min(last));
            let step_secs = (self.secs[after] - self.secs[before]) / (after - before).max(1) as f64;
            acceleration.length() * step_secs * step_secs
        };
        Ok(acceleration.iter().enumerate().map(bend_m).collect())
    }
}

//! Knees and elbows: how two bones bend, and the axis that a clip's bends share.

use crate::posed::Posed;
use aplomb_motion::JointId;
use glam::DVec3;

/// An axis is shared if so much of the squares of all bends lies along it.
const LEAST_AXIS_SHARE: f64 = 0.7;

/// Bends below this are noise about any axis: the sine of 6°.
const LEAST_VOTING_SINE: f64 = 0.104;

/// How a limb is bent: cross (in the upper bone's frame) and dot product of its two bones.
#[derive(Clone, Copy)]
pub(super) struct Bend {
    pub cross: DVec3,
    pub dot: f64,
}

impl Bend {
    /// Of the angle between the bones, degrees.
    pub fn angle_deg(self) -> f64 {
        self.cross.length().atan2(self.dot).to_degrees()
    }

    /// The part of the bend about an axis, degrees.
    pub fn about_deg(self, axis: DVec3) -> f64 {
        self.cross.dot(axis).atan2(self.dot).to_degrees()
    }

    /// The part that is not, degrees.
    pub fn off_deg(self, axis: DVec3) -> f64 {
        self.cross.reject_from_normalized(axis).length().clamp(0.0, 1.0).asin().to_degrees()
    }
}

/// Bends of the limb upper–middle–end, one a row.
pub(super) fn bends(posed: &Posed, upper: JointId, middle: JointId, end: JointId) -> Vec<Option<Bend>> {
    let bend = |row: usize| {
        let pose = posed.row(row);
        let (above, below) = (pose.bone(upper, middle)?, pose.bone(middle, end)?);
        Some(Bend { cross: pose.in_joint(upper, above.cross(below)), dot: above.dot(below) })
    };
    (0..posed.rows()).map(bend).collect()
}

/// The axis that a clip's bends share.
pub(super) struct Hinge {
    pub axis: DVec3,
    /// Frames that bend one way less those that bend the other.
    pub votes: i32,
}

impl Hinge {
    /// The principal axis of all bends, if they have one: nearly all their squares along it.
    pub fn of(bends: &[Option<Bend>]) -> Option<Self> {
        let crosses = || bends.iter().flatten().map(|bend| bend.cross);
        let (mut xx, mut total) = ([DVec3::ZERO; 3], 0.0);
        for cross in crosses() {
            xx[0] += cross * cross.x;
            xx[1] += cross * cross.y;
            xx[2] += cross * cross.z;
            total += cross.length_squared();
        }
        let times = |axis: DVec3| xx[0] * axis.x + xx[1] * axis.y + xx[2] * axis.z;
        let mut axis = crosses().max_by(|a, b| a.length_squared().total_cmp(&b.length_squared()))?.try_normalize()?;
        // Power iteration; bends that share an axis to 0.7 converge by 0.4 a step.
        for _ in 0..12 {
            axis = times(axis).try_normalize()?;
        }
        let share = times(axis).dot(axis) / total.max(1e-12);
        let bent = crosses().map(|cross| cross.dot(axis)).filter(|bend| bend.abs() > LEAST_VOTING_SINE);
        let votes = bent.map(|bend| if bend > 0.0 { 1 } else { -1 }).sum();
        (share > LEAST_AXIS_SHARE).then_some(Self { axis, votes })
    }
}

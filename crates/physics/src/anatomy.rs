//! How far people's joints go: one table for the score, for edits and for inverse kinematics.
//!
//! Ranges are wider than the textbooks' (Norkin & White 2016, Measurement of Joint Motion; Kapandji 2007, The
//! Physiology of the Joints), by 10° to 30°: joint centres of captures lie centimetres from the true ones, skeletons
//! keep turns in other joints than people do, and a check that accuses clean captures is soon ignored. The textbook's
//! range stands beside each. `docs/analysis/anatomy.md` says how each angle is measured, on any skeleton and without
//! its rest pose, and what captured people show.

use crate::error::PhysicsError;
use serde::Serialize;
use std::collections::BTreeMap;

/// A motion of a joint that has an end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum JointMotion {
    /// The knee beyond straight: 0–10°, as genu recurvatum up to 15°.
    KneeBackward,
    /// The knee folded: 135–150° by itself, 160° when sat upon.
    KneeFold,
    /// The knee off its hinge's plane: 0–12° (valgus with load), and what joint centres err.
    KneeSideways,
    /// The foot about the shank, against the knee: 30° by the ankle, 40° by the bent knee.
    FootTurn,
    /// The foot against the shank, 90° at rest: 20–30° up; up to 45° in deep squats.
    FootFold,
    /// The elbow beyond straight: 0–10°, 15° in children.
    ElbowBackward,
    /// The elbow folded: 140–150°.
    ElbowFold,
    /// One joint of the spine against its usual pose. Skeletons have two to five for the 25 of people.
    SpineJoint,
    /// One joint of the neck against its usual pose. Skeletons have one or two.
    NeckJoint,
    /// The chest about the spine, against the pelvis: 45°, and 10° of shoulders that count as chest.
    TrunkTurn,
    /// The chest bent against the pelvis: 80–85° forward, 25–30° back, 35° sideways.
    TrunkBend,
    /// The head about the neck, against the chest: 70–80°.
    HeadTurn,
    /// The head bent against the chest: 45–60°.
    HeadBend,
    /// The thigh behind the trunk's line: 20–30°, and the pelvis tips along.
    HipBackward,
    /// The thigh ahead of it: 120–135°, of dancers 150°.
    HipForward,
    /// The thigh out: 45–50°, with the hip turned and bent 80°.
    HipOutward,
    /// The thigh in, across the other: 20–30°, with the hip bent 40°.
    HipInward,
    /// A planted foot about the vertical, against the pelvis: 45° by the hip, 30° by ankle and knee.
    PlantedFootTurn,
}

/// How far a motion may go.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct JointRange {
    /// No fault up to here, degrees.
    pub allowance_deg: f64,
    /// Here half of the score is lost, degrees.
    pub half_deg: f64,
}

const fn range(allowance_deg: f64, half_deg: f64) -> JointRange {
    JointRange { allowance_deg, half_deg }
}

impl JointMotion {
    /// All of them.
    pub const ALL: [JointMotion; 18] = [
        JointMotion::KneeBackward,
        JointMotion::KneeFold,
        JointMotion::KneeSideways,
        JointMotion::FootTurn,
        JointMotion::FootFold,
        JointMotion::ElbowBackward,
        JointMotion::ElbowFold,
        JointMotion::SpineJoint,
        JointMotion::NeckJoint,
        JointMotion::TrunkTurn,
        JointMotion::TrunkBend,
        JointMotion::HeadTurn,
        JointMotion::HeadBend,
        JointMotion::HipBackward,
        JointMotion::HipForward,
        JointMotion::HipOutward,
        JointMotion::HipInward,
        JointMotion::PlantedFootTurn,
    ];

    /// The name in a body file.
    pub const fn key(self) -> &'static str {
        match self {
            JointMotion::KneeBackward => "knee_backward",
            JointMotion::KneeFold => "knee_fold",
            JointMotion::KneeSideways => "knee_sideways",
            JointMotion::FootTurn => "foot_turn",
            JointMotion::FootFold => "foot_fold",
            JointMotion::ElbowBackward => "elbow_backward",
            JointMotion::ElbowFold => "elbow_fold",
            JointMotion::SpineJoint => "spine_joint",
            JointMotion::NeckJoint => "neck_joint",
            JointMotion::TrunkTurn => "trunk_turn",
            JointMotion::TrunkBend => "trunk_bend",
            JointMotion::HeadTurn => "head_turn",
            JointMotion::HeadBend => "head_bend",
            JointMotion::HipBackward => "hip_backward",
            JointMotion::HipForward => "hip_forward",
            JointMotion::HipOutward => "hip_outward",
            JointMotion::HipInward => "hip_inward",
            JointMotion::PlantedFootTurn => "planted_foot_turn",
        }
    }

    /// Of people in general.
    pub const fn usual(self) -> JointRange {
        match self {
            JointMotion::KneeBackward => range(15.0, 25.0),
            JointMotion::KneeFold => range(160.0, 175.0),
            JointMotion::KneeSideways => range(20.0, 40.0),
            JointMotion::FootTurn => range(85.0, 120.0),
            JointMotion::FootFold => range(145.0, 165.0),
            JointMotion::ElbowBackward => range(15.0, 30.0),
            JointMotion::ElbowFold => range(160.0, 172.0),
            JointMotion::SpineJoint => range(50.0, 75.0),
            JointMotion::NeckJoint => range(70.0, 95.0),
            JointMotion::TrunkTurn => range(55.0, 80.0),
            JointMotion::TrunkBend => range(80.0, 115.0),
            JointMotion::HeadTurn => range(95.0, 120.0),
            JointMotion::HeadBend => range(75.0, 95.0),
            JointMotion::HipBackward => range(55.0, 75.0),
            JointMotion::HipForward => range(160.0, 172.0),
            JointMotion::HipOutward => range(80.0, 100.0),
            JointMotion::HipInward => range(40.0, 60.0),
            // Five of 170 clean captures go beyond 75°: a kick, a batter, dances.
            JointMotion::PlantedFootTurn => range(75.0, 130.0),
        }
    }
}

/// Ranges of one person: everyone's, widened by what was captured of this one.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct JointRanges {
    /// What this person does beyond the usual allowance, degrees.
    widened_deg: BTreeMap<JointMotion, f64>,
}

impl JointRanges {
    /// How far this person's joint goes. Half of the score is lost as far beyond as for everyone.
    pub fn of(&self, motion: JointMotion) -> JointRange {
        let usual = motion.usual();
        match self.widened_deg.get(&motion) {
            Some(&allowance_deg) => JointRange {
                allowance_deg: usual.allowance_deg.max(allowance_deg),
                half_deg: usual.half_deg.max(usual.half_deg - usual.allowance_deg + allowance_deg),
            },
            None => usual,
        }
    }

    /// The same for a person who was captured going this far.
    #[must_use]
    pub fn widened(mut self, motion: JointMotion, seen_deg: f64) -> Self {
        if seen_deg.is_finite() && seen_deg > self.of(motion).allowance_deg {
            self.widened_deg.insert(motion, seen_deg);
        }
        self
    }

    /// As a table of a body file: name and degrees.
    pub(crate) fn to_table(&self) -> BTreeMap<String, f64> {
        self.widened_deg.iter().map(|(motion, deg)| (motion.key().to_owned(), *deg)).collect()
    }

    /// From a table of a body file.
    pub(crate) fn from_table(table: &BTreeMap<String, f64>) -> Result<Self, PhysicsError> {
        let mut ranges = Self::default();
        for (key, &deg) in table {
            let Some(motion) = JointMotion::ALL.into_iter().find(|motion| motion.key() == key) else {
                let known = JointMotion::ALL.map(JointMotion::key).join(", ");
                return Err(PhysicsError::UnknownRange { key: key.clone(), known });
            };
            if !(deg.is_finite() && (0.0..=180.0).contains(&deg)) {
                return Err(PhysicsError::RangeOfJoint { key: key.clone(), found_deg: deg });
            }
            ranges = ranges.widened(motion, deg);
        }
        Ok(ranges)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_range_is_one_and_every_name_another() {
        let keys: std::collections::BTreeSet<&str> = JointMotion::ALL.map(JointMotion::key).into();
        assert_eq!(keys.len(), JointMotion::ALL.len());
        for motion in JointMotion::ALL {
            let JointRange { allowance_deg, half_deg } = motion.usual();
            assert!(0.0 < allowance_deg && allowance_deg < half_deg && half_deg <= 180.0, "{motion:?}");
        }
    }

    #[test]
    fn a_person_widens_and_never_narrows() {
        let usual = JointMotion::HipForward.usual();
        let narrow = JointRanges::default().widened(JointMotion::HipForward, 100.0);
        assert_eq!(narrow.of(JointMotion::HipForward), usual);
        let wide = JointRanges::default().widened(JointMotion::HipForward, 170.0);
        assert_eq!(wide.of(JointMotion::HipForward), range(170.0, 182.0));
        assert_eq!(wide.of(JointMotion::KneeFold), JointMotion::KneeFold.usual());
        assert_eq!(JointRanges::from_table(&wide.to_table()), Ok(wide));
    }

    #[test]
    fn tables_that_make_no_sense_are_refused_by_name() {
        let table = |key: &str, deg: f64| BTreeMap::from([(key.to_owned(), deg)]);
        let message = JointRanges::from_table(&table("knee_sidewise", 30.0)).unwrap_err().to_string();
        assert!(message.contains("knee_sidewise") && message.contains("knee_sideways"), "{message}");
        for deg in [f64::NAN, f64::INFINITY, -1.0, 181.0] {
            let message = JointRanges::from_table(&table("knee_fold", deg)).unwrap_err().to_string();
            assert!(message.contains("knee_fold"), "{message}");
        }
    }
}

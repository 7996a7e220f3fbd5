//! Parts that stay within cones.

use super::goal::{ContinuationStep, Goal, check_secs, within};
use crate::EditingError;
use crate::adapt::problem::{Cone, Constraints};
use crate::adapt::start::StagedTrajectory;
use crate::adapt::subject::{PosedBody, Subject};
use aplomb_physics::dynamics::LinkId;
use glam::DVec3;
use serde::{Deserialize, Serialize};

/// A part that stays within a cone (paper, section 5.2: joint limits, and limbs that would meet).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ConeGoal {
    /// A role (`left_thigh`) or a joint's name.
    pub part: String,
    /// Half the cone's opening, degrees.
    pub within_deg: f64,
    /// Its middle.
    #[serde(default)]
    pub of: ConeOf,
    /// From when, s of the clip; without it from the start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from_secs: Option<f64>,
    /// Until when; without it to the end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to_secs: Option<f64>,
}

/// The middle of a cone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ConeOf {
    /// Where the part points on average in the clip, seen from the part above it: a limit of the joint.
    #[default]
    Joint,
    /// Straight up.
    Up,
}

impl Goal for ConeGoal {
    fn check(&self) -> Result<(), EditingError> {
        within("cone.within_deg", "between 1 and 179", self.within_deg, [1.0, 179.0])?;
        check_secs(self.from_secs)?;
        check_secs(self.to_secs)
    }

    fn demand(&self, step: &ContinuationStep<'_>, constraints: &mut Constraints) -> Result<(), EditingError> {
        let (subject, clip) = (step.subject, step.clip);
        let link = subject.part(&self.part)?;
        let from = step.clip_secs(self.from_secs.unwrap_or(0.0))?;
        let to = step.clip_secs(self.to_secs.unwrap_or(clip.end_secs))?;
        let cone = match self.of {
            ConeOf::Up => along(subject, link),
            ConeOf::Joint => about_mean(subject, clip, along(subject, link), subject.tree().model.parent(link)),
        };
        let cone = Cone { most_rad: self.within_deg.to_radians(), ..cone };
        constraints.demands.cones.push((cone, step.new_secs(from), step.new_secs(to)));
        Ok(())
    }
}

/// The direction of a part: to the joint below it, or through its mass.
fn along(subject: &Subject, link: LinkId) -> Cone {
    let model = &subject.tree().model;
    let below = model.links().find(|&other| model.parent(other) == Some(link));
    let to_m = below.map_or(model.inertia(link).com_m, |below| model.offset_m(below));
    Cone { from: (link, DVec3::ZERO), to: (link, to_m), middle: DVec3::Y, middle_link: None, most_rad: 0.0 }
}

/// A cone about where a direction points on average over a motion, seen from a link.
fn about_mean(subject: &Subject, motion: &StagedTrajectory, cone: Cone, seen_from: Option<LinkId>) -> Cone {
    let mut posed = PosedBody::new(subject, subject.tree());
    let mut sum = DVec3::ZERO;
    let steps = 100;
    for step in 0..=steps {
        let secs = motion.end_secs * f64::from(step) / f64::from(steps);
        posed.go(&motion.trajectory.coordinates_at(secs));
        let at = |(link, point_m): (LinkId, DVec3)| posed.work.link(link).point_in_world_m(point_m);
        let direction = (at(cone.to) - at(cone.from)).normalize_or_zero();
        sum += seen_from.map_or(direction, |link| posed.work.link(link).world_from_link.transpose() * direction);
    }
    Cone { middle: sum.normalize_or(DVec3::Y), middle_link: seen_from, ..cone }
}

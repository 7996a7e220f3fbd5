//! Pins whose point travels.

use super::PlantOptions;
use super::anchors::Pinned;
use super::plan::{FootPlan, LEAST_STANDING_PIN_SECS};
use crate::EditingError;
use crate::finding::{Finding, codes};
use aplomb_analysis::contacts::Effector;
use aplomb_motion::{Clip, WorldPose};
use glam::DVec3;
use std::ops::Range;

/// A point that stands goes no faster than this, m/s: five times what contacts call still (contacts.md 8), for slides
/// that bad capture and edits make (a run bent so that it must lean by 20°: 0.6). Heels and toes that swing have 1 m/s
/// and more.
const MOST_STAND_SPEED: f64 = 0.8;

impl FootPlan {
    /// Pins of points that travel are contradictions: to hold them would bend the leg after a foot that swings. Those
    /// that a person or a file states are refused; what was only found in the motion is left out, and told.
    pub(super) fn drop_travelling(
        &mut self,
        clip: &Clip,
        effectors: &[&Effector],
        pins: &mut Vec<Pinned>,
        options: &PlantOptions,
    ) -> Result<(), EditingError> {
        let speeds: Vec<f64> = pins.iter().map(|pin| self.speed(clip, effectors[pin.point], pin)).collect();
        for (pin, speed) in pins.iter().zip(&speeds).filter(|(_, speed)| **speed > MOST_STAND_SPEED) {
            let name = &effectors[pin.point].name;
            let [from_secs, to_secs] = [pin.core.start, pin.core.end - 1]
                .map(|index| (self.frames.first + index) as f64 * self.frames.step_secs);
            if pin.is_stated || !options.drops_doubtful {
                let detail = format!(
                    "{name} is pinned from {from_secs:.2} to {to_secs:.2} s, but travels at {speed:.2} m/s meanwhile (a \
                     point that stands: at most {MOST_STAND_SPEED} m/s); take the pin out of the contacts or move its \
                     times",
                );
                return Err(EditingError::OtherContacts { detail });
            }
            let finding = Finding::of(codes::CONTACT_DROPPED).value("point", name.as_str()).at(from_secs, to_secs);
            self.findings.push(finding.value("speed", *speed));
        }
        let mut stands = speeds.iter().map(|speed| *speed <= MOST_STAND_SPEED);
        pins.retain(|_| stands.next().unwrap_or(true));
        Ok(())
    }

    /// How fast a pinned point travels, m/s; 0 for pins that are too short to say.
    fn speed(&self, clip: &Clip, effector: &Effector, pin: &Pinned) -> f64 {
        let half = pin.core.len() / 2;
        let half_secs = half as f64 * self.frames.step_secs;
        // Runners' feet are held for a moment and never stand.
        if half_secs < 0.5 * LEAST_STANDING_PIN_SECS {
            return 0.0;
        }
        let mut pose = WorldPose::for_skeleton(clip.skeleton());
        let mut mean_m = |frames: Range<usize>| {
            let place_m = |index: usize| {
                pose.pose(clip, self.frames.frame(index));
                pose.point_in_world_m(effector.joint, effector.point_in_joint_m)
            };
            frames.map(place_m).sum::<DVec3>() / half as f64
        };
        // From one half to the other: white noise of a standing point averages out, which it does not from frame to
        // frame.
        let (from, to) = (pin.core.start, pin.core.end);
        mean_m(to - half..to).distance(mean_m(from..from + half)) / half_secs
    }
}

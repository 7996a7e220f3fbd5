//! Gives a motion on the spot its way over the ground: cycles made by hand, and captures from treadmills.
//!
//! Feet that stand on the ground stand still; in a motion on the spot they run backwards instead, and the body's way is
//! what is missing. A treadmill has one speed, and a cycle that is repeated must have one, so the way is straight and
//! even: the median velocity of all points of feet while they are down, turned round.

use crate::EditingError;
use crate::rigid_moves::move_rigidly;
use aplomb_analysis::ContactOptions;
use aplomb_analysis::Take;
use aplomb_analysis::contacts::effectors::effectors;
use aplomb_motion::edit::{Join, concatenate, cut_frames};
use aplomb_motion::{Clip, FrameIndex, WorldPose, first_frame, so3};
use glam::{DQuat, DVec3};
use serde::{Deserialize, Serialize};

/// A point of a foot is down within this of the lowest that it comes, m.
const DOWN_M: f64 = 0.02;
/// It is also down within this share of how far it goes up and down: hooves of hand-made cycles dip.
const DOWN_SHARE: f64 = 0.1;
/// Slower feet stand, m/s: contacts of captures slide by as much.
const STANDS: f64 = 0.1;
/// Fewer moments in which a foot is down say nothing.
const LEAST_MOMENTS: usize = 4;
/// More repetitions than make sense.
const MOST_CYCLES: usize = 1000;
/// A cycle whose last pose is its first holds it once too often: no joint differs by more than this, rad.
const SAME_POSE_RAD: f64 = 0.02;

/// How the motion is carried on. The default is as fast as its feet go back, once.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Travel {
    /// m/s; without it, as fast as feet go back.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub speed: Option<f64>,
    /// How often the motion is played, one after the other.
    pub cycles: usize,
}

impl Default for Travel {
    fn default() -> Self {
        Self { speed: None, cycles: 1 }
    }
}

/// A motion that travels.
#[derive(Clone, Debug, PartialEq)]
pub struct Travelled {
    /// The motion.
    pub clip: Clip,
    /// Of the body over the ground, m/s.
    pub velocity: DVec3,
    /// Half of all moments of feet that are down differ by no more than this from it, m/s: what will still slide.
    pub slide: f64,
}

impl Travel {
    /// The motion carried on.
    pub fn apply(&self, take: &Take) -> Result<Travelled, EditingError> {
        let clip = take.clip();
        if let Some(found) = self.speed.filter(|speed| !(*speed > 0.0 && *speed <= 100.0)) {
            return Err(EditingError::Setting { what: "the speed of travel", expected: "0 to 100 m/s", found });
        }
        if !(1..=MOST_CYCLES).contains(&self.cycles) {
            let (what, expected) = ("the number of cycles", "1 to 1000");
            return Err(EditingError::Setting { what, expected, found: self.cycles as f64 });
        }
        let first = usize::from(first_frame::is_stray(clip));
        let clip = cut_frames(clip, FrameIndex(first)..FrameIndex(clip.frame_count()))?;
        let (feet, slide) = velocity_of_feet(&clip, take)?;
        let speed = feet.length();
        if speed < STANDS {
            return Err(EditingError::FeetStand { speed });
        }
        let velocity = -feet * self.speed.map_or(1.0, |wanted| wanted / speed);
        let repeated = repeated(&clip, self.cycles)?;
        let start_secs = repeated.time_secs(FrameIndex(0));
        let way_m = |frame: FrameIndex| velocity * (repeated.time_secs(frame) - start_secs);
        let carried = move_rigidly(&repeated, |frame| (DQuat::IDENTITY, way_m(frame)))?;
        Ok(Travelled { clip: carried, velocity, slide })
    }
}

/// The median velocity over the ground of points of feet that are down, and the median distance from it, m/s.
fn velocity_of_feet(clip: &Clip, take: &Take) -> Result<(DVec3, f64), EditingError> {
    let points = effectors(clip.skeleton(), take.roles(), take.body()?, &ContactOptions::default())?;
    let points: Vec<_> = points.into_iter().filter(|point| point.part.stands()).collect();
    let mut pose = WorldPose::for_skeleton(clip.skeleton());
    let mut ways_m = vec![Vec::with_capacity(clip.frame_count()); points.len()];
    for frame in clip.frames() {
        pose.pose(clip, frame);
        for (way_m, point) in ways_m.iter_mut().zip(&points) {
            way_m.push(pose.point_in_world_m(point.joint, point.point_in_joint_m));
        }
    }
    let times_secs: Vec<f64> = clip.frames().map(|frame| clip.time_secs(frame)).collect();
    let mut velocities: Vec<DVec3> = Vec::new();
    for way_m in &ways_m {
        let heights_m = || way_m.iter().map(|place_m: &DVec3| place_m.y);
        let (lowest_m, highest_m) = (heights_m().fold(f64::INFINITY, f64::min), heights_m().fold(0.0, f64::max));
        let down_m = lowest_m + DOWN_M.max(DOWN_SHARE * (highest_m - lowest_m));
        for (pair, secs) in way_m.windows(2).zip(times_secs.windows(2)) {
            if pair.iter().all(|place_m| place_m.y <= down_m) {
                velocities.push((pair[1] - pair[0]).with_y(0.0) / (secs[1] - secs[0]));
            }
        }
    }
    if velocities.len() < LEAST_MOMENTS {
        return Err(EditingError::NoContact { verb: "carry on" });
    }
    let middle = |part: fn(&DVec3) -> f64| median(velocities.iter().map(part).collect());
    let velocity = DVec3::new(middle(|it| it.x), 0.0, middle(|it| it.z));
    let slide = median(velocities.iter().map(|it| it.distance(velocity)).collect());
    Ok((velocity, slide))
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(0.0)
}

/// The motion so many times; a last pose that is the first again is shown once.
fn repeated(clip: &Clip, cycles: usize) -> Result<Clip, EditingError> {
    let last = clip.frame_count().saturating_sub(1);
    let is_closed = last > 1
        && clip.skeleton().ids().all(|joint| {
            let at = |frame| clip.rotation(FrameIndex(frame), joint);
            so3::angle_between(at(0), at(last)) <= SAME_POSE_RAD
        });
    let end = if is_closed { last } else { last + 1 };
    let cycle = cut_frames(clip, FrameIndex(0)..FrameIndex(end))?;
    let mut parts = vec![&cycle; cycles - 1];
    parts.push(clip);
    Ok(concatenate(&parts, Join::AsIs)?)
}

#[cfg(test)]
mod tests;

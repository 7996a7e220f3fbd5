//! Bends a whole motion onto an arc on the ground, by geometry alone.
//!
//! The body does not lean, and planted feet turn and slide a little: this makes the input for physical touch-up (Shin,
//! Kovar & Gleicher 2003, section 4.3), and the path that later verbs follow. Nothing else about the motion changes:
//! heights, poses and times stay.

pub use crate::ground_arc::Arc;
pub use crate::travel_line::TravelLine;

use crate::EditingError;
use crate::beyond_people::{BeyondPeople, largest_share, rounded_up};
use crate::level_push::{GroundWay, JUMP_FLIGHT_SECS, LevelPush, ground_speeds, pushing};
use crate::rigid_moves::move_roots;
use aplomb_analysis::Take;
use aplomb_motion::edit::body_joint;
use aplomb_motion::{BodyPlan, Clip, FrameIndex, WorldPose, first_frame};
use aplomb_physics::HumanLimit;
use aplomb_physics::human_limits::{Pushing, lean_rad, widened};
use glam::DVec3;

impl Arc {
    /// The bent motion.
    ///
    /// The way is the straight line of [`TravelLine`]. In each frame the body stands at s along it and w beside it; it
    /// is put at s along the arc (by arc length) and w beside that, turned by the arc's heading there, and carried
    /// along as it is. So the line itself keeps its length and speeds, what swings out beside it is stretched by 1 ∓
    /// w/r, and the first frame stays where it was (up to its sway).
    pub fn apply(&self, clip: &Clip) -> Result<Clip, EditingError> {
        let line = TravelLine::of(clip)?;
        let centreline = self.centreline()?;
        if centreline.is_straight() {
            return Ok(clip.clone());
        }
        self.check_sway(&line)?;
        move_roots(clip, |frame| self.move_at(&line, &centreline, frame))
    }

    /// What no person can do of this arc at the clip's pace, if anything, and the tightest that people can. Bodies that
    /// are no people have no such limits.
    pub fn beyond_people(&self, take: &Take) -> Result<Option<BeyondPeople>, EditingError> {
        if take.roles().plan() != BodyPlan::Biped || self.centreline()?.is_straight() {
            return Ok(None);
        }
        let way = BodyWay::of(take)?;
        let own = LevelPush::of(&way.ground_way(&way.places_m))?;
        let most = widened(1.0, own.ratio);
        let push = self.push(take.clip(), &way)?;
        if push.ratio <= most {
            return Ok(None);
        }
        let wider = |share: f64| Self { radius_m: self.radius_m / share, ..*self };
        let is_within = |arc: Self| Ok::<_, EditingError>(arc.push(take.clip(), &way)?.ratio <= most);
        let share = largest_share(|share| is_within(wider(share)))?;
        let nearest = share.map(|share| format!("a circle of {} m", rounded_up(wider(share).radius_m)));
        let degrees = |share: f64| lean_rad(share).to_degrees();
        Ok(Some(BeyondPeople {
            goal: format!("a circle of {} m", crate::short_number(self.radius_m)),
            limit: HumanLimit::Lean,
            asked: degrees(push.share),
            most: degrees(push.most * most),
            when: push.in_words(),
            nearest,
        }))
    }

    /// The hardest push of the bent way.
    fn push(&self, clip: &Clip, way: &BodyWay) -> Result<LevelPush, EditingError> {
        let moves = self.moves(clip)?;
        let bent = way.places_m.iter().zip(&moves[way.first..]).map(|(place_m, by)| by.point_m(*place_m));
        LevelPush::of(&way.ground_way(&bent.collect::<Vec<_>>()))
    }
}

/// Where the body of a clip goes over the ground, without an artificial first frame.
struct BodyWay {
    first: usize,
    secs: Vec<f64>,
    places_m: Vec<DVec3>,
    pushing: Vec<Pushing>,
}

impl BodyWay {
    fn of(take: &Take) -> Result<Self, EditingError> {
        let clip = take.clip();
        let (joint, first) = (body_joint(clip.skeleton()).index(), usize::from(first_frame::is_stray(clip)));
        let mut pose = WorldPose::for_skeleton(clip.skeleton());
        let place_m = |frame| {
            pose.pose(clip, frame);
            pose.joint_in_world_m[joint].with_y(0.0)
        };
        let places_m: Vec<DVec3> = clip.frames().skip(first).map(place_m).collect();
        let start_secs = clip.time_secs(FrameIndex(0));
        let secs: Vec<f64> = clip.frames().skip(first).map(|frame| clip.time_secs(frame) - start_secs).collect();
        let flights = take.contacts().map(|contacts| contacts.flights.as_slice()).unwrap_or_default();
        let jumps = flights.iter().filter(|flight| flight.secs() >= JUMP_FLIGHT_SECS);
        let jumps_secs: Vec<(f64, f64)> = jumps.map(|flight| (flight.start_secs, flight.end_secs)).collect();
        let pushing = pushing(&secs, &ground_speeds(&secs, &places_m)?, &jumps_secs);
        Ok(Self { first, secs, places_m, pushing })
    }

    fn ground_way<'a>(&'a self, places_m: &'a [DVec3]) -> GroundWay<'a> {
        GroundWay { secs: &self.secs, places_m, pushing: &self.pushing }
    }
}

#[cfg(test)]
mod tests;

//! What planted feet say: of the floor they stand on, of a drift that all share, and how they are turned.

use super::{BodyFaults, MOST_FEET_COST};
use crate::anatomy::AngleTrack;
use crate::anatomy::{FootAhead, PelvisAxes};
use crate::contacts::Part;
use crate::contacts::floor::densest_height_m;
use crate::posed::Posed;
use crate::report::body_limits::cost;
use crate::report::evidence::Evidence;
use crate::report::moments::{Fault, Moment};
use crate::report::rows::{is_flight, rows_within};
use aplomb_motion::{BodyPlan, Side};
use aplomb_physics::JointMotion;
use glam::DVec3;
use std::ops::Range;

/// Slower than this along the ground a ball of the foot is planted, m/s; drifting feet are, too.
const PLANTED_M_PER_SEC: f64 = 0.25;
/// Slower than this upward or downward, m/s: at the top of a jump feet hang nearly still.
const PLANTED_CLIMB_M_PER_SEC: f64 = 0.15;
/// Climbs are taken over so many samples on each side: 40 ms at 100 Hz.
const CLIMB_SAMPLES: usize = 2;
/// For so long at least, s.
const LEAST_PLANTED_SECS: f64 = 0.1;
/// Longer stands are cut into equal parts: a foot may float or drift for a part of one, s.
const LONGEST_STAND_SECS: f64 = 0.3;
/// So many stands are half a minute of walking: runs of them are looked for no farther, so that the search is linear in
/// the length of a clip.
pub(super) const LONGEST_RUN: usize = 60;
/// Standing heights within so much are one, m.
const HEIGHT_KERNEL_M: f64 = 0.008;
/// Floors of which so much of the standing time is this near to the usual height are level enough to judge by.
const LEVEL_SHARE: f64 = 0.9;
pub(super) const LEVEL_WITHIN_M: f64 = 0.08;
/// Under the floor: no loss up to this, m.
const UNDER_ALLOWANCE_M: f64 = 0.07;
/// Half of the score is lost here, m.
const UNDER_HALF_M: f64 = 0.13;
/// A foot that stands so much lower at the start or the end of a clip came up a step, or went down one, m. Nothing is
/// said of what comes before it stands and after.
const STEP_DOWN_M: f64 = 0.15;
/// Shorter dips are touchdowns of a rigid sole, s.
const LEAST_UNDER_SECS: f64 = 0.1;
/// A foot whose direction lies in the ground with so much of its length stands flat (within 37°). On its toes it turns
/// freely, and behind the body it points backward.
const FLAT_FOOT: f64 = 0.8;
/// A pelvis that lies down faces no way, in the same measure.
const LEVEL_PELVIS: f64 = 0.5;
/// A stretch in which a ball of the foot is planted.
pub(super) struct Stand {
    pub side: Side,
    /// Samples of the even paths.
    pub samples: Range<usize>,
}

/// All planted balls of the feet, at the samples of [`Evidence::even`].
pub(super) struct PlantedBalls {
    /// By time.
    pub stands: Vec<Stand>,
    /// Per side: height of the ball over the ground, m.
    pub heights_m: [Vec<f64>; 2],
    /// Per side: where the ball is, m.
    pub places_m: [Vec<DVec3>; 2],
    pub step_secs: f64,
    start_secs: f64,
}

impl PlantedBalls {
    pub fn of(evidence: &Evidence<'_>, speeds: &[Vec<f64>]) -> Self {
        let (heights_m, places_m) = ([Vec::new(), Vec::new()], [Vec::new(), Vec::new()]);
        let mut balls = Self { stands: Vec::new(), heights_m, places_m, step_secs: 0.0, start_secs: 0.0 };
        let Some(even) = evidence.even.as_ref().filter(|_| evidence.roles.plan() == BodyPlan::Biped) else {
            return balls;
        };
        (balls.step_secs, balls.start_secs) = (even.step_secs, even.start_secs);
        let ground = &evidence.options.contacts.ground;
        let is_flight = is_flight(evidence.contacts, &even.times_secs());
        for (index, effector) in evidence.contacts.effectors.iter().enumerate() {
            let Some(side) = effector.side.filter(|_| effector.part == Part::Ball) else { continue };
            let path_m = &even.points_m[index];
            balls.heights_m[slot(side)] = path_m.iter().map(|point_m| ground.height_m(*point_m)).collect();
            balls.places_m[slot(side)] = path_m.clone();
            let heights_m = &balls.heights_m[slot(side)];
            let slow: Vec<bool> = (0..heights_m.len())
                .map(|sample| {
                    let is_slow = speeds[index][sample] < PLANTED_M_PER_SEC;
                    is_slow && climb(heights_m, sample, even.step_secs) < PLANTED_CLIMB_M_PER_SEC && !is_flight[sample]
                })
                .collect();
            let least = (LEAST_PLANTED_SECS / even.step_secs).round().max(1.0) as usize;
            let most = (LONGEST_STAND_SECS / even.step_secs).round().max(1.0) as usize;
            let parts = runs(&slow, least).into_iter().flat_map(|run| parts_of(run, most));
            balls.stands.extend(parts.map(|samples| Stand { side, samples }));
        }
        balls.stands.sort_by_key(|stand| (stand.samples.start, stand.side));
        balls
    }

    pub fn secs(&self, sample: usize) -> f64 {
        self.start_secs + sample as f64 * self.step_secs
    }

    /// Feet under the floor.
    pub fn find(&self, evidence: &Evidence<'_>, faults: &mut BodyFaults) {
        for side in Side::BOTH {
            faults.moments.extend(self.under_floor(evidence, side));
        }
    }

    /// The lowest that a ball is for a while under its own usual height.
    fn under_floor(&self, evidence: &Evidence<'_>, side: Side) -> Option<Moment> {
        let heights_m = &self.heights_m[slot(side)];
        let standing_m = self.standing_heights_m(side);
        let own_m = densest_height_m(standing_m.clone(), HEIGHT_KERNEL_M)?;
        if !is_level(&standing_m, own_m) {
            return None;
        }
        // A foot that is held up and hardly moves seems to stand: the floor is where the other one stands.
        let other_m = densest_height_m(self.standing_heights_m(side.other()), HEIGHT_KERNEL_M);
        let usual_m = other_m.filter(|other_m| own_m - other_m > LEVEL_WITHIN_M).unwrap_or(own_m);
        let rows = (LEAST_UNDER_SECS / self.step_secs).round() as usize;
        let mut depths_m: Vec<f64> = heights_m.iter().map(|height_m| usual_m - height_m).collect();
        let stands: Vec<&Range<usize>> = self.stands_of(side).map(|stand| &stand.samples).collect();
        let is_lower = |stand: &&&Range<usize>| depths_m[stand.start.midpoint(stand.end)] > STEP_DOWN_M;
        let (first, last) = (stands.first()?.start, stands.last()?.end);
        let came_up = stands.iter().take_while(is_lower).last().map_or(first, |stand| stand.end);
        let went_down = stands.iter().rev().take_while(is_lower).last().map_or(last, |stand| stand.start);
        depths_m[..came_up].fill(0.0);
        depths_m[went_down.max(came_up)..].fill(0.0);
        let (size, sample) = crate::anatomy::sustained(&depths_m, rows, UNDER_ALLOWANCE_M)?;
        let is_under = |sample: &usize| depths_m[*sample] > UNDER_ALLOWANCE_M;
        let first = (0..=sample).rev().take_while(is_under).last().unwrap_or(sample);
        let last = (sample..depths_m.len()).take_while(is_under).last().unwrap_or(sample);
        let ball = |it: &&crate::contacts::Effector| it.part == Part::Ball && it.side == Some(side);
        Some(Moment {
            fault: Fault::UnderFloor,
            joint: evidence.contacts.effectors.iter().find(ball).map(|it| it.name.clone()),
            other: None,
            start_secs: self.secs(first),
            end_secs: self.secs(last),
            secs: self.secs(sample),
            size,
            allowance: UNDER_ALLOWANCE_M,
            cost: cost(size, UNDER_ALLOWANCE_M, UNDER_HALF_M).min(MOST_FEET_COST),
        })
    }

    fn standing_heights_m(&self, side: Side) -> Vec<f64> {
        let heights_m = &self.heights_m[slot(side)];
        self.stands_of(side).flat_map(|stand| heights_m[stand.samples.clone()].to_vec()).collect()
    }

    /// Way and time of the slower half of a stand, along the ground.
    pub fn slower_half(&self, stand: &Stand, normal: DVec3) -> (DVec3, f64) {
        let places_m = &self.places_m[slot(stand.side)];
        let samples = stand.samples.start + 1..stand.samples.end;
        let mut steps: Vec<DVec3> =
            samples.map(|sample| (places_m[sample] - places_m[sample - 1]).reject_from_normalized(normal)).collect();
        steps.sort_by(|a, b| a.length_squared().total_cmp(&b.length_squared()));
        let half = steps.len().div_ceil(2);
        (steps[..half].iter().sum(), half as f64 * self.step_secs)
    }

    fn stands_of(&self, side: Side) -> impl Iterator<Item = &Stand> {
        self.stands.iter().filter(move |stand| stand.side == side)
    }

    /// How planted feet are turned about the vertical, against the pelvis.
    pub fn turns(&self, evidence: &Evidence<'_>, posed: &Posed) -> Vec<AngleTrack> {
        let Some(pelvis) = PelvisAxes::of(evidence.roles, posed) else { return Vec::new() };
        let normal = evidence.options.contacts.ground.normal();
        let of_side = |side: Side| {
            let ahead = FootAhead::of(evidence.roles, evidence.body, side)?;
            let mut angles_deg = vec![f64::NAN; posed.rows()];
            for stand in self.stands_of(side) {
                let (start, end) = (self.secs(stand.samples.start), self.secs(stand.samples.end - 1));
                for row in rows_within(&evidence.times_secs, start, end) {
                    let pose = posed.row(row);
                    let pelvis_ahead = pose.world_from_joint[pelvis.hips.index()] * pelvis.axes_in_hips[2];
                    let level = |it: DVec3, least: f64| {
                        Some(it.reject_from_normalized(normal)).filter(|it| it.length() > least)
                    };
                    let foot = ahead.in_world(pose).and_then(|foot| level(foot, FLAT_FOOT));
                    if let (Some(foot), Some(pelvis)) = (foot, level(pelvis_ahead, LEVEL_PELVIS)) {
                        angles_deg[row] = foot.angle_between(pelvis).to_degrees();
                    }
                }
            }
            Some(AngleTrack { motion: JointMotion::PlantedFootTurn, joint: ahead.joint(), angles_deg })
        };
        Side::BOTH.into_iter().filter_map(of_side).collect()
    }
}

/// How fast a height changes, m/s.
fn climb(heights_m: &[f64], sample: usize, step_secs: f64) -> f64 {
    let (first, last) = (sample.saturating_sub(CLIMB_SAMPLES), (sample + CLIMB_SAMPLES).min(heights_m.len() - 1));
    (heights_m[last] - heights_m[first]).abs() / ((last - first).max(1) as f64 * step_secs)
}

/// Whether nearly all heights are near the usual one: on stairs and rough ground it is not known where the floor is.
pub(super) fn is_level(heights_m: &[f64], usual_m: f64) -> bool {
    let near = heights_m.iter().filter(|height_m| (*height_m - usual_m).abs() < LEVEL_WITHIN_M).count();
    near as f64 >= LEVEL_SHARE * heights_m.len() as f64
}

pub(super) fn slot(side: Side) -> usize {
    match side {
        Side::Left => 0,
        Side::Right => 1,
    }
}

/// Stretches of `true` of at least so many.
fn runs(is: &[bool], least: usize) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    for (index, _) in is.iter().enumerate().filter(|(_, is)| **is) {
        match found.last_mut() {
            Some(last) if last.end == index => last.end += 1,
            _ => found.push(index..index + 1),
        }
    }
    found.retain(|run| run.len() >= least);
    found
}

/// Equal parts no longer than so many samples.
fn parts_of(run: Range<usize>, most: usize) -> impl Iterator<Item = Range<usize>> {
    let parts = run.len().div_ceil(most).max(1);
    let (start, length) = (run.start, run.len());
    let edge = move |part: usize| start + part * length / parts;
    (0..parts).map(move |part| edge(part)..edge(part + 1))
}

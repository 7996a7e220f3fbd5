//! Claps: where hands meet, and rehearsals until they do.

use super::TrackOptions;
use super::props::Grip;
use super::scene_file::{Clap, Scene};
use super::scene_setup::{Guest, hand_of, put_hand};
use super::scene_simulation::SceneSimulation;
use super::servo_targets::ServoTargets;
use crate::EditingError;
use crate::hand_goal::{Arm, EASY_REACH, HandGoal, HandPoint};
use aplomb_motion::edit::{LocalPose, sample_at};
use aplomb_motion::{FrameIndex, Side, WorldPose};
use aplomb_physics::body::Shape;
use glam::{DQuat, DVec3};

/// How often claps are played without touch before they are played: the first finds misses of a centimetre, the second
/// of a millimetre.
const REHEARSALS: usize = 2;

/// So much farther at once, m: an arm that cannot get there must not be sent ever farther away.
const MOST_CORRECTION_M: f64 = 0.1;

/// One hand of a clap.
#[derive(Clone, Debug)]
pub(super) struct Meeting {
    pub who: usize,
    pub goal: HandGoal,
    /// From the palm to where the other hand should touch it, m, in the world.
    outward_m: DVec3,
    /// The same in the hand's own frame.
    outward_in_hand_m: DVec3,
}

impl Scene {
    /// Where all performers aim their hands for the claps: what [`Scene::rehearse`] found to be missed is added.
    pub(super) fn rehearsed(
        &self,
        guests: &[Guest],
        options: &TrackOptions,
    ) -> Result<Vec<(usize, HandGoal)>, EditingError> {
        let meetings = self.meetings(guests)?;
        let mut aims: Vec<(usize, HandGoal)> = meetings.iter().map(|it| (it.who, it.goal)).collect();
        if meetings.is_empty() {
            return Ok(aims);
        }
        for _ in 0..REHEARSALS {
            let (cast, grips, _) = self.prepared(guests, &aims)?;
            let missed_m = self.rehearse(&cast, &grips, &meetings, options)?;
            for ((_, aim), missed_m) in aims.iter_mut().zip(missed_m) {
                aim.to_m += missed_m.clamp_length_max(MOST_CORRECTION_M);
            }
        }
        Ok(aims)
    }

    /// Where hands should be at each clap, by the clock of the input.
    fn meetings(&self, guests: &[Guest]) -> Result<Vec<Meeting>, EditingError> {
        let mut guests = guests.to_vec();
        let mut meetings = Vec::new();
        for clap in &self.claps {
            let ((a, hand_a), (b, hand_b)) = (hand_of(&clap.a, &guests)?, hand_of(&clap.b, &guests)?);
            for &at_secs in &clap.at_secs {
                for it in meeting(clap, at_secs, (a, hand_a), (b, hand_b), &guests)? {
                    // Windows of claps may overlap: the next one starts from what this one leaves.
                    put_hand(&mut guests[it.who], &it.goal, &mut Vec::new())?;
                    meetings.push(it);
                }
            }
        }
        Ok(meetings)
    }

    /// By how much the points of hands that should touch miss each other when nothing touches: seen when a servo is
    /// where it was asked to be, K_d/K later. Servos round off the end of a quick reach, by centimetres in a punch; a
    /// hand that is aimed farther by what was missed arrives.
    fn rehearse(
        &self,
        cast: &[Guest],
        grips: &[Grip],
        meetings: &[Meeting],
        options: &TrackOptions,
    ) -> Result<Vec<DVec3>, EditingError> {
        let targets: Vec<ServoTargets<'_>> =
            cast.iter().map(|guest| ServoTargets::of_take(&guest.take, options)).collect::<Result<_, _>>()?;
        let stage = SceneSimulation { pairs: Vec::new(), ..self.stage(cast, &targets, grips)? };
        let played = stage.play(options, &|_, _| {})?;
        let missed = |meeting: &Meeting| -> Result<DVec3, EditingError> {
            let Meeting { who, goal, outward_m, outward_in_hand_m } = meeting;
            let clip = &played.tracked[*who].clip;
            let arm = Arm::of(clip.skeleton(), cast[*who].take.roles(), goal.hand, goal.point)?;
            let mut local = LocalPose::for_skeleton(clip.skeleton());
            let start_secs = clip.time_secs(FrameIndex(0));
            sample_at(clip, start_secs + goal.at_secs / self.speed + options.gains.damping_time_secs(), &mut local);
            let mut pose = WorldPose::for_skeleton(clip.skeleton());
            pose.pose_local(clip.skeleton(), &local);
            let touching_m = arm.point_m(&pose) + pose.world_from_joint[arm.joints[2].index()] * *outward_in_hand_m;
            Ok(goal.to_m + *outward_m - touching_m)
        };
        meetings.iter().map(missed).collect()
    }
}

/// Where two palms meet: half way between them, within easy reach of both.
fn meeting(
    clap: &Clap,
    at_secs: f64,
    (who_a, hand_a): (usize, Side),
    (who_b, hand_b): (usize, Side),
    guests: &[Guest],
) -> Result<[Meeting; 2], EditingError> {
    let (a, b) = (&guests[who_a], &guests[who_b]);
    let see = |guest: &Guest, hand: Side| -> Result<_, EditingError> {
        let arm = Arm::of(guest.take.clip().skeleton(), guest.take.roles(), hand, HandPoint::Palm)?;
        let mut local = LocalPose::for_skeleton(guest.take.clip().skeleton());
        sample_at(guest.take.clip(), at_secs, &mut local);
        let mut pose = WorldPose::for_skeleton(guest.take.clip().skeleton());
        pose.pose_local(guest.take.clip().skeleton(), &local);
        let shoulder_m = pose.joint_in_world_m[arm.joints[0].index()];
        Ok((arm.point_m(&pose), pose.world_from_joint[arm.joints[2].index()], shoulder_m, arm.length_m(&local), arm))
    };
    let (a_m, a_turn, a_shoulder_m, a_length_m, arm_a) = see(a, hand_a)?;
    let (b_m, b_turn, b_shoulder_m, b_length_m, arm_b) = see(b, hand_b)?;
    let mut meet_m = a_m.midpoint(b_m);
    // Into both balls of easy reach, by turns.
    for _ in 0..20 {
        for (shoulder_m, length_m) in [(a_shoulder_m, a_length_m), (b_shoulder_m, b_length_m)] {
            let most_m = (EASY_REACH - 0.03) * length_m;
            meet_m = shoulder_m + (meet_m - shoulder_m).clamp_length_max(most_m);
        }
    }
    let ahead = (b_shoulder_m - a_shoulder_m).with_y(0.0).normalize_or(DVec3::Z);
    let thick = |guest: &Guest, arm: &Arm, turn: DQuat, towards: DVec3| {
        let own = turn.conjugate() * towards;
        let shapes = guest
            .take
            .body()
            .ok()
            .and_then(|body| body.link(arm.joints[2]))
            .map(|link| link.shapes.as_slice())
            .unwrap_or_default();
        shapes.iter().map(|shape| way_out_m(shape, arm.point_in_hand_m, own)).fold(0.0, f64::max)
    };
    let half_m = 0.5 * clap.depth_m;
    let one = |who, hand, turn: DQuat, outward_m: DVec3, deeper_m: DVec3| {
        let to_m = meet_m + deeper_m - outward_m;
        let goal = HandGoal { hand, at_secs, to_m, window_secs: clap.window_secs, point: HandPoint::Palm };
        Meeting { who, goal, outward_m, outward_in_hand_m: turn.conjugate() * outward_m }
    };
    Ok([
        one(who_a, hand_a, a_turn, ahead * thick(a, &arm_a, a_turn, ahead), ahead * half_m),
        one(who_b, hand_b, b_turn, -ahead * thick(b, &arm_b, b_turn, -ahead), -ahead * half_m),
    ])
}

/// How far it is from a point inside a shape to its surface, m; nothing from outside. Hands meet on one line: what a
/// tilted hand reaches beside it does not count.
fn way_out_m(shape: &Shape, from_m: DVec3, direction: DVec3) -> f64 {
    let is_inside = |way_m: f64| {
        let at_m = from_m + direction * way_m;
        match *shape {
            Shape::Capsule { start_m, end_m, radius_m } => {
                let along = end_m - start_m;
                let share = (at_m - start_m).dot(along) / along.length_squared().max(1e-12);
                at_m.distance(start_m + along * share.clamp(0.0, 1.0)) <= radius_m
            }
            Shape::Box { centre_m, rotation, half_m } => {
                (rotation.conjugate() * (at_m - centre_m)).abs().cmple(half_m).all()
            }
            Shape::Ellipsoid { centre_m, rotation, half_m } => {
                (rotation.conjugate() * (at_m - centre_m) / half_m).length() <= 1.0
            }
        }
    };
    // No hand is longer than half a metre; halving it 20 times leaves a micrometre.
    let (mut inside_m, mut outside_m) = (0.0, 0.5);
    for _ in 0..20 {
        let middle_m = 0.5 * (inside_m + outside_m);
        if is_inside(middle_m) { inside_m = middle_m } else { outside_m = middle_m }
    }
    if is_inside(0.0) { inside_m } else { 0.0 }
}

//! What a blend guarantees, measured: on the motion as it was written, not on the curves it was made from.

use super::conditions::{Condition, conditions};
use super::phases::{PhaseEvent, PhaseKind};
use super::source::Source;
use super::{Blend, BlendSpace, Input, Solving};
use crate::EditingError;
use aplomb_analysis::ContactAnalysis;
use aplomb_motion::{FrameIndex, WorldPose};
use glam::DVec3;
use serde::Serialize;

/// What a blend keeps of physics, and what not.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BlendReport {
    /// One a clip.
    pub weights: Vec<f64>,
    /// By time.
    pub phases: Vec<PhaseReport>,
    /// One a flight.
    pub flights: Vec<FlightGuarantee>,
    /// One at the end of each phase but the last.
    pub transitions: Vec<TransitionGuarantee>,
    /// Feet that stand.
    pub feet: FeetGuarantee,
    /// Static balance.
    pub balance: BalanceGuarantee,
    /// Forces and friction.
    pub forces: ForceGuarantee,
    /// The joint whose acceleration is farthest above the clips'.
    pub acceleration: AccelerationGuarantee,
    /// How poses were found.
    pub solving: Solving,
    /// What the paper's proofs ask of the clips, and whether they have it.
    pub conditions: Vec<Condition>,
}

/// One phase.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PhaseReport {
    /// Flight or contact.
    pub kind: PhaseKind,
    /// In each clip, s.
    pub input_secs: Vec<f64>,
    /// In the blend, s.
    pub secs: f64,
}

/// One flight.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FlightGuarantee {
    /// Gravity that was fitted to each clip, over the middle of the phase, m/s².
    pub input_g: Vec<f64>,
    /// What it must be in the blend: Σ w(Tᵢ/T)²gᵢ (equation 6; with linear timing off by equation 8), m/s².
    pub predicted_g: f64,
    /// What it is, fitted to poses of the blend at the same shares of the flight, m/s².
    pub g: f64,
    /// What frames that were written must have: the same fit to the clips at the instants of those frames, m/s². Absent below four frames.
    pub written_predicted_g: Option<f64>,
    /// What they have, m/s².
    pub written_g: Option<f64>,
    /// Largest horizontal distance of each clip's centre of mass from a straight line in time (constant velocity), m.
    pub input_bend_m: Vec<f64>,
    /// Σ w of that, m.
    pub allowed_bend_m: f64,
    /// Of the blend, m.
    pub bend_m: f64,
    /// Largest distance of each clip's path from the best straight line *on the ground*, over all of the flight, m.
    pub input_ground_bend_m: Vec<f64>,
    /// Of the blend, m. It is no linear measure: where ways cross, speeding up along one is sideways to the other, and it may be more than Σ w.
    pub ground_bend_m: f64,
    /// The same over the middle of the flight, m.
    pub input_sideways_m: Vec<f64>,
    /// Of the blend, m.
    pub sideways_m: f64,
    /// How far each clip turns about the vertical in the air, degrees.
    pub input_turn_deg: Vec<f64>,
    /// How far the blend does, degrees.
    pub turn_deg: f64,
    /// How far each clip turns from take-off's to landing's side of the ground: the part of its turn that is pivoted, degrees.
    pub input_pivot_deg: Vec<f64>,
    /// Standard deviation of the angular momentum about the centre of mass by axis, kg·m²/s; of each clip.
    pub input_momentum_deviation: Vec<DVec3>,
    /// Of the blend.
    pub momentum_deviation: DVec3,
}

/// From one phase to the next.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct TransitionGuarantee {
    /// When, s.
    pub secs: f64,
    /// What happens.
    pub event: PhaseEvent,
    /// Jump of the centre of mass's velocity from different time scales, m/s.
    pub timing_jump: f64,
    /// … and with what turning the clips to the blended facing adds, m/s.
    pub velocity_jump: f64,
    /// What is left of that after [`super::BlendOptions::smooth_facing`] took its share, m/s.
    pub left_jump: f64,
    /// Farthest that a clip is turned here, degrees.
    pub turned_deg: f64,
    /// Largest second difference of a leg's joint at the frames about the change, as seen from the pelvis, m …
    pub leg_bend_m: f64,
    /// … and beyond what the clips have there, m.
    pub leg_jump_m: f64,
}

/// Feet that stand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct FeetGuarantee {
    /// Farthest that the ball of a foot that stands in all clips is from its interpolated place, m.
    pub off_track_m: f64,
    /// Farthest that such a ball moves while it stands, m.
    pub drift_m: f64,
    /// The same beyond the clip whose foot moves more at that time, m; not more than zero if feet slide no more than they did.
    pub drift_excess_m: f64,
    /// Lowest ball against the lowest of the clips, m; negative is deeper.
    pub lowest_m: f64,
    /// The same of any joint: knees and hands may touch the ground, too.
    pub lowest_joint_m: f64,
}

/// Static balance.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct BalanceGuarantee {
    /// Frames in which all clips have their centre of mass over their feet.
    pub frames: usize,
    /// Of these, frames in which the blend does not: equation 11 says none.
    pub lost_frames: usize,
    /// Farthest outside, m.
    pub worst_m: f64,
}

/// Forces and friction, 0.1 s or more from any change of phase.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct ForceGuarantee {
    /// Frames that were judged.
    pub frames: usize,
    /// Largest friction that the blend needs.
    pub friction: f64,
    /// Farthest that it is above what a clip needs at that time.
    pub friction_excess: f64,
    /// Share of frames in which it is more than 0.01 above.
    pub excess_share: f64,
    /// Largest difference of the force from Σ w(Tᵢ/T)²Fᵢ (equation 14), in body weights.
    pub equation_14_g: f64,
}

/// Peak acceleration of a joint, smoothed over 50 ms, against the larger of the clips': where it is much larger, something pops.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct AccelerationGuarantee {
    /// The joint whose ratio is worst.
    pub joint: String,
    /// When it peaks, s.
    pub secs: f64,
    /// m/s².
    pub peak: f64,
    /// The largest of the same joint in any clip, m/s².
    pub input_peak: f64,
    /// One over the other; 0 for clips that are too short to tell.
    pub ratio: f64,
}

/// A blend next to what it was made from.
pub(super) struct Compared<'a> {
    pub space: &'a BlendSpace,
    pub blend: &'a Blend,
    /// The blend as it was written, read again.
    pub written: Source,
}

impl BlendSpace {
    /// Measures what a blend of this space keeps.
    pub fn report(&self, blend: &Blend) -> Result<BlendReport, EditingError> {
        let contacts = ContactAnalysis { stray_first_frame: false, ..self.sources[0].contacts.clone() };
        let input = Input { clip: &blend.clip, contacts: &contacts };
        let written = Source::read(&self.figure, &self.tracks, &input)?;
        let compared = Compared { space: self, blend, written };
        let flights = compared.flights()?;
        let transitions = compared.transitions();
        let phase = |(index, kind): (usize, &PhaseKind)| PhaseReport {
            kind: *kind,
            input_secs: self.matched.keys_secs.iter().map(|keys| keys[index + 1] - keys[index]).collect(),
            secs: blend.timing.durations_secs[index],
        };
        Ok(BlendReport {
            weights: blend.weights.clone(),
            phases: self.matched.kinds.iter().enumerate().map(phase).collect(),
            conditions: conditions(&compared, &flights, &transitions),
            feet: compared.feet(),
            balance: compared.balance(),
            forces: compared.forces()?,
            acceleration: compared.acceleration()?,
            solving: blend.solving,
            flights,
            transitions,
        })
    }
}

impl Compared<'_> {
    /// Clips that count, and how much.
    pub fn counted(&self) -> impl Iterator<Item = (usize, &Source, f64)> + '_ {
        let all = self.space.sources.iter().zip(&self.blend.weights).enumerate();
        all.filter(|(_, (_, weight))| **weight > 0.0).map(|(clip, (source, weight))| (clip, source, *weight))
    }

    pub fn secs_of(&self, frame: usize) -> f64 {
        frame as f64 * self.written.frame_time.secs()
    }

    fn transitions(&self) -> Vec<TransitionGuarantee> {
        let Blend { weights, timing, placing, .. } = self.blend;
        let legs = self.leg_paths();
        let transition = |(index, event): (usize, &PhaseEvent)| {
            let phase = index + 1;
            let (whole, of_timing) = self.space.velocity_jump(phase, weights, timing, placing);
            let landing = placing.landings.iter().find(|landing| landing.phase == phase);
            let turned = self.counted().filter_map(|(clip, ..)| Some(landing?.turned_rad[clip].abs()));
            TransitionGuarantee {
                secs: timing.starts_secs[phase],
                event: *event,
                timing_jump: of_timing.length(),
                velocity_jump: whole.length(),
                left_jump: match (self.space.options.smooth_facing, landing) {
                    (true, Some(_)) => 0.0,
                    _ => whole.length(),
                },
                turned_deg: turned.fold(0.0, f64::max).to_degrees(),
                leg_bend_m: self.leg_bends_m(phase, &legs).0,
                leg_jump_m: self.leg_bends_m(phase, &legs).1,
            }
        };
        self.space.matched.events.iter().enumerate().map(transition).collect()
    }

    /// Joints of the legs in the pelvis' frame, frame by frame: of the blend, then of each clip.
    fn leg_paths(&self) -> Vec<Vec<Vec<DVec3>>> {
        let clips = std::iter::once(&self.written).chain(&self.space.sources);
        clips.map(|source| leg_path(self.space, source)).collect()
    }

    /// Largest second difference of a leg at the frames about a change, and that less the clips' own at theirs.
    fn leg_bends_m(&self, phase: usize, legs: &[Vec<Vec<DVec3>>]) -> (f64, f64) {
        let largest = |path: &[Vec<DVec3>], position: f64, around: usize| {
            let middle = position.floor() as usize;
            let frames = middle.saturating_sub(around).max(1)..(middle + around + 2).min(path.len().saturating_sub(1));
            let mut largest_m = 0.0_f64;
            for frame in frames {
                let joints = path[frame - 1].iter().zip(&path[frame]).zip(&path[frame + 1]);
                largest_m = joints.map(|((a, b), c)| (*a - *b * 2.0 + *c).length()).fold(largest_m, f64::max);
            }
            largest_m
        };
        let own_m = largest(&legs[0], self.written.position(self.blend.timing.starts_secs[phase]), 1);
        let theirs = self.counted().map(|(clip, source, _)| {
            // A frame of the blend lies between others of a clip: what is just outside its window there may be inside here.
            largest(&legs[clip + 1], source.position(self.space.matched.keys_secs[clip][phase]), 4)
        });
        (own_m, (own_m - theirs.fold(0.0, f64::max)).max(0.0))
    }
}

fn leg_path(space: &BlendSpace, source: &Source) -> Vec<Vec<DVec3>> {
    let mut pose = WorldPose::for_skeleton(source.clip.skeleton());
    let frames = 0..source.frames();
    let row = |frame: usize| {
        pose.pose(&source.clip, FrameIndex(frame));
        let mut row = Vec::new();
        for leg in &space.figure.legs {
            let Some(pelvis) = leg.pelvis.map(|pelvis| pelvis.index()) else { continue };
            let pelvis_from_world = pose.world_from_joint[pelvis].conjugate();
            let place_m =
                |joint: usize| pelvis_from_world * (pose.joint_in_world_m[joint] - pose.joint_in_world_m[pelvis]);
            row.extend(leg.ik.chain().iter().skip(1).map(|joint| place_m(joint.index())));
            row.push(pelvis_from_world * (leg.ball_in_world_m(&pose) - pose.joint_in_world_m[pelvis]));
        }
        row
    };
    frames.map(row).collect()
}

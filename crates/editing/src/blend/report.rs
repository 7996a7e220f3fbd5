//! What a blend guarantees, measured: on the motion as it was written, not on the curves it was made from.

use super::compared::Compared;
use super::conditions::{Condition, conditions};
use super::guarantees::{
    AccelerationGuarantee, BalanceGuarantee, FeetGuarantee, FlightGuarantee, ForceGuarantee, TransitionGuarantee,
};
use super::phases::{PhaseEvent, PhaseKind};
use super::source::BlendSource;
use super::{Blend, BlendSpace, Input, Solving};
use crate::EditingError;
use crate::finding::Wording;
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

impl BlendReport {
    /// Puts what its conditions found in words.
    pub fn put_in_words(&mut self, words: Wording) {
        self.conditions.iter_mut().for_each(|it| it.detail = words(&it.finding));
    }
}

impl BlendSpace {
    /// Measures what a blend of this space keeps.
    pub fn report(&self, blend: &Blend) -> Result<BlendReport, EditingError> {
        let contacts = ContactAnalysis { stray_first_frame: false, ..self.sources[0].contacts.clone() };
        let input = Input { clip: &blend.clip, contacts: &contacts };
        let written = BlendSource::read(&self.figure, &self.tracks, &input)?;
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
            // A frame of the blend lies between others of a clip: what is just outside its window there may be inside
            // here.
            largest(&legs[clip + 1], source.position(self.space.matched.keys_secs[clip][phase]), 4)
        });
        (own_m, (own_m - theirs.fold(0.0, f64::max)).max(0.0))
    }
}

fn leg_path(space: &BlendSpace, source: &BlendSource) -> Vec<Vec<DVec3>> {
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

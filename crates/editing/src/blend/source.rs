//! What is read off each clip once: centre of mass, heading, balls and feet at every frame, and rotations whose signs
//! run on.

use super::Input;
use super::curve::Cubic;
use super::figure::{BlendFigure, with_root_track};
use crate::EditingError;
use crate::span::check_clock;
use aplomb_analysis::ContactAnalysis;
use aplomb_motion::signal::SampleTimes;
use aplomb_motion::signal::gaussian::Gaussian;
use aplomb_motion::{Clip, FrameIndex, FrameTime, JointId, WorldPose, edit, so3};
use glam::{DQuat, DVec3};
use std::f64::consts::TAU;

/// Cubics and second differences need some frames.
pub(super) const LEAST_FRAMES: usize = 5;

/// One clip, without an artificial first frame.
#[derive(Clone, Debug)]
pub(super) struct BlendSource {
    pub clip: Clip,
    pub contacts: ContactAnalysis,
    pub frame_time: FrameTime,
    /// Of the first frame that is used, by the clock of the analysis.
    pub first_secs: f64,
    /// Local, frame-major; signs run on in time, and agree with the first clip's over the overlap.
    pub rotations: Vec<DQuat>,
    /// Translations of all joints that have any, but the root's; frame by frame in the order of the space's list.
    pub translations_m: Vec<Vec<DVec3>>,
    /// Of the joint that carries the body.
    pub root_m: Vec<DVec3>,
    pub com_m: Vec<DVec3>,
    /// The same, smoothed as forces want it.
    pub smooth_com_m: Vec<DVec3>,
    /// Unwrapped.
    pub heading_rad: Vec<f64>,
    /// Root without its heading: world-from-root = R_y(heading) · lean.
    pub lean: Vec<DQuat>,
    pub feet: Vec<FootPath>,
    /// Height of the joint that is lowest, m.
    pub lowest_joint_m: Vec<f64>,
}

/// A foot over time.
#[derive(Clone, Debug)]
pub(super) struct FootPath {
    pub ball_m: Vec<DVec3>,
    pub world_from_foot: Vec<DQuat>,
}

/// Smoothing of the centre of mass before it is differenced twice (blend.md 9).
const FORCE_SMOOTHING_SECS: f64 = 0.1;

impl BlendSource {
    pub fn of(figure: &BlendFigure, tracks: &[JointId], input: &Input<'_>) -> Result<Self, EditingError> {
        check_clock(input.contacts)?;
        Self::read(figure, tracks, input)
    }

    /// The same of a motion that we made ourselves.
    pub fn read(figure: &BlendFigure, tracks: &[JointId], input: &Input<'_>) -> Result<Self, EditingError> {
        let contacts = input.contacts;
        let frame_time = input.clip.timeline().uniform().ok_or(EditingError::UnevenFrames)?;
        let first = usize::from(contacts.stray_first_frame);
        let frames = input.clip.frame_count().saturating_sub(first);
        if frames < LEAST_FRAMES {
            return Err(EditingError::TooFewFrames { frames, needs: "blending", least: LEAST_FRAMES });
        }
        let clip = match first {
            0 => input.clip.clone(),
            _ => edit::cut_frames(input.clip, FrameIndex(first)..FrameIndex(input.clip.frame_count()))?,
        };
        let clip = with_root_track(figure, &clip)?;
        let translations = |&joint: &JointId| clip.frames().map(|frame| clip.translation_m(frame, joint)).collect();
        let feet = figure
            .legs
            .iter()
            .map(|_| FootPath { ball_m: Vec::with_capacity(frames), world_from_foot: Vec::with_capacity(frames) });
        let mut source = Self {
            contacts: contacts.clone(),
            frame_time,
            first_secs: first as f64 * frame_time.secs(),
            rotations: clip.rotations().to_vec(),
            translations_m: tracks.iter().map(translations).collect(),
            root_m: Vec::with_capacity(frames),
            com_m: Vec::with_capacity(frames),
            smooth_com_m: Vec::new(),
            heading_rad: Vec::with_capacity(frames),
            lean: Vec::with_capacity(frames),
            feet: feet.collect(),
            lowest_joint_m: Vec::with_capacity(frames),
            clip,
        };
        source.look(figure);
        source.smooth_com_m =
            Gaussian::from_window_secs(FORCE_SMOOTHING_SECS, frame_time.secs())?.smooth(&source.com_m);
        Ok(source)
    }

    fn look(&mut self, figure: &BlendFigure) {
        let joints = self.clip.skeleton().len();
        for index in joints..self.rotations.len() {
            if self.rotations[index].dot(self.rotations[index - joints]) < 0.0 {
                self.rotations[index] = -self.rotations[index];
            }
        }
        let mut pose = WorldPose::for_skeleton(self.clip.skeleton());
        for frame in self.clip.frames() {
            pose.pose(&self.clip, frame);
            let root = figure.root.joint.index();
            let world_from_root = pose.world_from_joint[root];
            let heading_rad = figure.heading_rad(world_from_root);
            let before_rad = self.heading_rad.last().copied().unwrap_or(heading_rad);
            let heading_rad = nearest_turn(heading_rad, before_rad);
            self.heading_rad.push(heading_rad);
            self.lean.push((DQuat::from_rotation_y(-heading_rad) * world_from_root).normalize());
            self.root_m.push(pose.joint_in_world_m[root]);
            self.com_m.push(figure.body.com_in_world_m(&pose));
            let heights = pose.joint_in_world_m.iter().map(|place_m| place_m.y);
            self.lowest_joint_m.push(heights.fold(f64::INFINITY, f64::min));
            for (foot, leg) in self.feet.iter_mut().zip(&figure.legs) {
                foot.ball_m.push(leg.ball_in_world_m(&pose));
                foot.world_from_foot.push(pose.world_from_joint[leg.foot.index()]);
            }
        }
        so3::align_hemispheres(&mut self.lean);
        for foot in &mut self.feet {
            so3::align_hemispheres(&mut foot.world_from_foot);
        }
    }

    pub fn frames(&self) -> usize {
        self.com_m.len()
    }

    /// Of the last frame, by the clock of the analysis.
    pub fn last_secs(&self) -> f64 {
        self.first_secs + (self.frames() - 1) as f64 * self.frame_time.secs()
    }

    /// Place in frames of a time of the analysis.
    pub fn position(&self, secs: f64) -> f64 {
        (secs - self.first_secs) / self.frame_time.secs()
    }

    pub fn at(&self, secs: f64) -> Cubic {
        Cubic::value(self.position(secs), self.frames())
    }

    pub fn com_at_m(&self, secs: f64) -> DVec3 {
        self.at(secs).sum(|frame| self.com_m[frame])
    }

    /// m/s.
    pub fn com_velocity(&self, secs: f64) -> DVec3 {
        let slope = Cubic::slope(self.position(secs), self.frames());
        slope.sum(|frame| self.com_m[frame]) / self.frame_time.secs()
    }

    pub fn heading_at_rad(&self, secs: f64) -> f64 {
        self.at(secs).sum(|frame| self.heading_rad[frame])
    }

    /// Middle of the balls; without feet, the centre of mass.
    pub fn stance_at_m(&self, secs: f64) -> DVec3 {
        let at = self.at(secs);
        let balls = self.feet.iter().map(|foot| at.sum(|frame| foot.ball_m[frame]));
        match self.feet.len() {
            0 => self.com_at_m(secs),
            count => balls.sum::<DVec3>() / count as f64,
        }
    }

    /// Heading by so many full turns more.
    pub fn turn_heading(&mut self, turns: f64) {
        for heading_rad in &mut self.heading_rad {
            *heading_rad += turns * TAU;
        }
        if turns.rem_euclid(2.0) == 1.0 {
            // R_y(ψ + 2π) = −R_y(ψ) as a quaternion.
            self.lean.iter_mut().for_each(|lean| *lean = -*lean);
        }
    }

    pub fn times(&self) -> Result<SampleTimes<'_>, EditingError> {
        Ok(SampleTimes::of(self.clip.timeline())?)
    }
}

/// The angle that differs from `angle_rad` by full turns and lies nearest to another.
pub(super) fn nearest_turn(angle_rad: f64, to_rad: f64) -> f64 {
    angle_rad - ((angle_rad - to_rad) / TAU).round() * TAU
}

/// Gives each later clip, joint by joint, the sign that lies nearer to the first clip's over the whole of what is
/// blended: choosing frame by frame makes joints flip where they are far apart.
pub(super) fn agree_on_signs(sources: &mut [BlendSource], instants: &[Vec<f64>]) {
    let Some((first, others)) = sources.split_first_mut() else { return };
    let joints = first.clip.skeleton().len();
    for (index, other) in others.iter_mut().enumerate() {
        let places: Vec<(Cubic, Cubic)> =
            instants.iter().map(|times| (first.at(times[0]), other.at(times[index + 1]))).collect();
        for joint in 0..joints {
            let own = |frame: usize| first.rotations[frame * joints + joint];
            let theirs = |frame: usize| other.rotations[frame * joints + joint];
            let agreement: f64 = places.iter().map(|(a, b)| a.rotation(own).dot(b.rotation(theirs))).sum();
            if agreement < 0.0 {
                let of_joint = other.rotations.iter_mut().skip(joint).step_by(joints);
                of_joint.for_each(|rotation| *rotation = -*rotation);
            }
        }
        let lean: f64 =
            places.iter().map(|(a, b)| a.rotation(|i| first.lean[i]).dot(b.rotation(|i| other.lean[i]))).sum();
        if lean < 0.0 {
            other.lean.iter_mut().for_each(|lean| *lean = -*lean);
        }
        // Feet are compared as the body sees them, since clips are turned about the vertical before they are blended.
        for foot in 0..first.feet.len() {
            let facing = |source: &BlendSource, at: &Cubic| {
                let world_from_foot = at.rotation(|frame| source.feet[foot].world_from_foot[frame]);
                DQuat::from_rotation_y(-at.sum(|frame| source.heading_rad[frame])) * world_from_foot
            };
            let agreement: f64 = places.iter().map(|(a, b)| facing(first, a).dot(facing(other, b))).sum();
            if agreement < 0.0 {
                other.feet[foot].world_from_foot.iter_mut().for_each(|rotation| *rotation = -*rotation);
            }
        }
    }
}

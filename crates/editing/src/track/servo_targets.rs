//! A motion as servos read it: links, what they should do, gains.

use super::desired::{Desired, Orientations};
use super::feet::{self, Footing};
use super::measure::HandPaths;
use super::{Figure, LegGains, Stance, TrackOptions};
use crate::EditingError;
use crate::span::MOST_FRAMES;
use aplomb_analysis::Take;
use aplomb_motion::{Clip, FrameIndex, LimbKind, Roles, Side, Timeline, WorldPose};
use aplomb_physics::dynamics::{DynamicSkeleton, FoldOptions, LinkId, Workspace};
use aplomb_physics::simulation::Servos;

/// Poses of a motion whose inertia its gains are the mean of.
const GAIN_POSES: usize = 64;

/// A motion ready to be played, as often as needed.
pub struct ServoTargets<'a> {
    /// The links.
    pub skeleton: DynamicSkeleton,
    /// What they should do.
    pub desired: Desired,
    /// Frames of the result; its joints that are no links keep their rotations.
    pub(super) frames: Clip,
    pub(super) roles: &'a Roles,
    /// The same frames as wanted.
    pub(super) wanted: Clip,
    pub(super) footing: Option<Footing>,
}

impl<'a> ServoTargets<'a> {
    /// Of a motion.
    pub fn of_take(take: &'a Take, options: &TrackOptions) -> Result<Self, EditingError> {
        let (clip, roles, body) = (take.clip(), take.roles(), take.body()?);
        Self::checked(clip, options)?;
        let skeleton = DynamicSkeleton::new(clip, roles, body, fold(options.figure))?;
        let desired = Desired::of_clip(clip, &skeleton, options.interpolation);
        Self::new(clip.clone(), skeleton, desired, take, options)
    }

    /// Of world orientations of segments; the motion gives the skeleton, its first pose what has no tracker, and its
    /// rate that of the result.
    pub fn of_orientations(given: &Orientations, take: &'a Take, options: &TrackOptions) -> Result<Self, EditingError> {
        let (clip, roles, body) = (take.clip(), take.roles(), take.body()?);
        let Timeline::Uniform(frame_time) = *clip.timeline() else { return Err(EditingError::UnevenFrames) };
        let span_secs = given.times_secs.last().zip(given.times_secs.first()).map_or(0.0, |(last, first)| last - first);
        // A longer one is a wrong column.
        if !(span_secs.is_finite() && span_secs / frame_time.secs() < MOST_FRAMES) {
            return Err(EditingError::Orientations { problem: format!("they last {span_secs} s") });
        }
        let frames = (span_secs / frame_time.secs() + 1e-6).floor() as usize + 1;
        let first = clip.rotations_at(FrameIndex(0));
        let mut rotations = Vec::with_capacity(frames * first.len());
        (0..frames).for_each(|_| rotations.extend_from_slice(first));
        let mut tracks = clip.tracks().to_vec();
        for track in &mut tracks {
            track.positions_m = vec![track.positions_m[0]; frames];
        }
        let still = Clip::new(clip.skeleton().clone(), Timeline::Uniform(frame_time), frames, rotations, tracks)?;
        Self::checked(&still, options)?;
        let skeleton = DynamicSkeleton::new(&still, roles, body, fold(options.figure))?;
        let mut pose = WorldPose::for_skeleton(clip.skeleton());
        pose.pose(&still, FrameIndex(0));
        let shifted = Orientations {
            times_secs: given.times_secs.iter().map(|secs| secs - given.times_secs[0]).collect(),
            ..given.clone()
        };
        let desired = Desired::of_orientations(&shifted, &skeleton, &pose, options.interpolation)?;
        Self::new(still, skeleton, desired, take, options)
    }

    fn checked(clip: &Clip, options: &TrackOptions) -> Result<(), EditingError> {
        options.check()?;
        match clip.frame_count() {
            frames if frames < 2 => Err(EditingError::TooFewFrames { frames, needs: "tracking", least: 2 }),
            _ => Ok(()),
        }
    }

    fn new(
        frames: Clip,
        skeleton: DynamicSkeleton,
        desired: Desired,
        take: &'a Take,
        options: &TrackOptions,
    ) -> Result<Self, EditingError> {
        let roles = take.roles();
        if roles.limb(Side::Left, LimbKind::Arm).is_none() && roles.limb(Side::Right, LimbKind::Arm).is_none() {
            return Err(EditingError::no_limb(roles, Side::Right, LimbKind::Arm));
        }
        let frames = skeleton.ready(frames)?;
        let model = &skeleton.links.model;
        let desired = match (options.figure, options.stance) {
            (Figure::Full, Stance::Hold) => {
                let legs = feet::leg_links(roles, &skeleton);
                desired.standing(&skeleton, |link| legs.contains(&link))
            }
            _ => desired,
        };
        let (mut target, mut rate) = (model.neutral(), vec![0.0; model.nv()]);
        let mut wanted = frames.clone();
        let mut pose = WorldPose::for_skeleton(frames.skeleton());
        for frame in frames.frames() {
            desired.at(model, frames.time_secs(frame) - frames.time_secs(FrameIndex(0)), &mut target, &mut rate);
            skeleton.put(&target, &mut wanted, frame, &mut pose);
        }
        let footing = match options.figure {
            Figure::Full => Some(Footing::new(&frames, take, &skeleton)?),
            Figure::Upper | Figure::UpperStiffBack => None,
        };
        Ok(Self { skeleton, desired, frames, roles, wanted, footing })
    }

    /// Gains of all joints; of legs that stand, their own.
    pub fn servos(&self, options: &TrackOptions) -> Servos {
        let model = &self.skeleton.links.model;
        let samples = self.desired.times_secs().len();
        let poses = (0..GAIN_POSES.min(samples)).map(|pose| self.desired.row(pose * samples / GAIN_POSES.min(samples)));
        let mut servos = Servos::from_inertia_over(model, poses, options.gains);
        if options.figure == Figure::Full {
            let mass_kg = model.total_mass_kg();
            let stature_m = self.skeleton.body.stature_m().unwrap_or(1.75);
            let legs = options.legs.unwrap_or(LegGains::ADULT.scaled(mass_kg, stature_m));
            feet::stiffen_legs(&mut servos, self.roles, &self.skeleton, legs);
        }
        servos
    }

    /// Hands that are links, at the start.
    pub(super) fn hand_paths(&self, work: &Workspace) -> Vec<(LinkId, HandPaths)> {
        let link = |side| self.roles.limb(side, LimbKind::Arm).and_then(|limb| self.skeleton.links.link_of(limb.end));
        let both = Side::BOTH.into_iter().filter_map(|side| link(side).map(|link| (side, link)));
        both.map(|(side, link)| {
            let start = vec![work.link(link).joint_in_world_m];
            (link, HandPaths { side, paths_m: [start.clone(), start] })
        })
        .collect()
    }
}

pub(super) fn fold(figure: Figure) -> FoldOptions {
    FoldOptions {
        upper_body: figure != Figure::Full,
        stiff_back: figure == Figure::UpperStiffBack,
        neck: figure == Figure::Full,
        ..FoldOptions::default()
    }
}

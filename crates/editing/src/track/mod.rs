//! Tracking: captured motion played by a simulated body whose joints are driven by servos (Zordan & Hodgins 1999).
//!
//! A clip becomes desired rotations of sixteen links (or of the upper body on a held pelvis), a servo at each joint pulls towards them,
//! and what physics makes of it is the result: spikes go, peaks and timing stay, and things that push can push.
//! `docs/algorithms/track.md` has the equations and the measurements.

mod desired;
pub mod feet;
pub mod measure;
mod search;

pub use desired::{Desired, Interpolation, Orientations};
pub use search::{MOST_STIFFNESS, StiffnessSearch, find_stiffness};

use crate::EditingError;
use aplomb_motion::{Clip, FrameIndex, LimbKind, Roles, Side, Timeline, WorldPose};
use aplomb_physics::Body;
use aplomb_physics::dynamics::{DynamicSkeleton, FoldOptions, LinkId, Loads, Workspace};
use aplomb_physics::simulation::{Drive, Scheme, ServoGains, Servos, Simulation};
use feet::{Footing, Standing};
use measure::{HandMeasure, HandPaths};
use serde::{Deserialize, Serialize};

/// Which joints are driven.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Figure {
    /// Waist, chest, head and arms on a held pelvis, legs as captured: 27 degrees of freedom.
    #[default]
    Upper,
    /// The same with a back of one piece: 24.
    UpperStiffBack,
    /// All of the body, 48 and a free pelvis, standing on its feet.
    Full,
}

/// Stiffness of legs that carry, N·m/rad. Inertia of what hangs below a joint says nothing about holding up what stands on it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LegGains {
    /// Of each hip.
    pub hip: f64,
    /// Of each knee.
    pub knee: f64,
    /// Of each ankle.
    pub ankle: f64,
}

impl LegGains {
    /// For an adult of 75 kg and 1.75 m.
    pub const ADULT: Self = Self { hip: 1500.0, knee: 1500.0, ankle: 1200.0 };

    /// What tips a standing body is m g h: gains of a smaller body are smaller by that.
    pub fn scaled(self, mass_kg: f64, stature_m: f64) -> Self {
        let share = mass_kg / 75.0 * stature_m / 1.75;
        Self { hip: self.hip * share, knee: self.knee * share, ankle: self.ankle * share }
    }
}

/// How a clip is tracked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrackOptions {
    /// Of all joints.
    pub gains: ServoGains,
    /// Steps a second.
    pub hz: f64,
    /// Implicit unless convergence is to be shown.
    pub scheme: Scheme,
    /// Which joints.
    pub figure: Figure,
    /// Between samples.
    pub interpolation: Interpolation,
    /// Of legs that stand; without, by the body's weight from [`LegGains::ADULT`]. Only for [`Figure::Full`].
    pub legs: Option<LegGains>,
}

impl Default for TrackOptions {
    fn default() -> Self {
        Self {
            gains: ServoGains::default(),
            hz: 480.0,
            scheme: Scheme::Implicit,
            figure: Figure::Upper,
            interpolation: Interpolation::Cubic,
            legs: None,
        }
    }
}

impl TrackOptions {
    fn check(&self) -> Result<(), EditingError> {
        let setting = |what, expected, found: f64, is_right: bool| match is_right {
            true => Ok(()),
            false => Err(EditingError::Setting { what, expected, found }),
        };
        let ServoGains { stiffness_per_s2, .. } = self.gains;
        let time_secs = self.gains.damping_time_secs();
        setting("the stiffness", "from 1 to 1000000 s⁻²", stiffness_per_s2, (1.0..=1e6).contains(&stiffness_per_s2))?;
        setting("damping over stiffness", "from 0 to 10 s", time_secs, (0.0..=10.0).contains(&time_secs))?;
        setting("the step rate", "from 24 to 1000000 Hz", self.hz, (24.0..=1e6).contains(&self.hz))?;
        for gain in self.legs.iter().flat_map(|legs| [legs.hip, legs.knee, legs.ankle]) {
            setting("a leg's stiffness", "from 0 to 1000000 N·m/rad", gain, (0.0..=1e6).contains(&gain))?;
        }
        Ok(())
    }
}

/// A clip that was played, with what came of it.
#[derive(Clone, Debug)]
pub struct Tracked {
    /// The whole skeleton, links as simulated.
    pub clip: Clip,
    /// What the servos were told to follow, at the same frames.
    pub wanted: Clip,
    /// How it went.
    pub report: TrackReport,
}

/// How tracking went.
#[derive(Clone, Debug, Serialize)]
pub struct TrackReport {
    /// Stiffness that was used, s⁻².
    pub stiffness_per_s2: f64,
    /// Degrees of freedom that were simulated.
    pub degrees_of_freedom: usize,
    /// Root mean square of the angle between wanted and played rotations over joints and frames, without the first half second.
    pub rms_error_deg: f64,
    /// Mean of the same, which Zordan & Hodgins call ε.
    pub mean_error_deg: f64,
    /// Hands that move.
    pub hands: Vec<HandMeasure>,
    /// Played over wanted acceleration above 10 Hz.
    pub shaking_ratio: Option<f64>,
    /// Longest step taken.
    pub step_secs: f64,
    /// How often the step was halved because a longer one diverged.
    pub halvings: usize,
    /// Steps taken.
    pub steps: usize,
    /// Of somebody who stands.
    pub standing: Option<Standing>,
}

/// Told on the way: simulated seconds, and all of them.
pub type Advance<'a> = &'a dyn Fn(f64, f64);

/// A step is halved this often before giving up: 480 Hz becomes 15 360, where even explicit servos of 10 000 s⁻² converge.
const MOST_HALVINGS: usize = 5;

/// Poses of a motion whose inertia its gains are the mean of.
const POSES: usize = 64;

/// A motion ready to be played, as often as needed.
pub struct Score<'a> {
    /// The links.
    pub skeleton: DynamicSkeleton,
    /// What they should do.
    pub desired: Desired,
    /// Frames of the result; its joints that are no links keep their rotations.
    frames: Clip,
    roles: &'a Roles,
    /// The same frames as wanted.
    wanted: Clip,
    footing: Option<Footing>,
}

impl<'a> Score<'a> {
    /// Of a clip.
    pub fn of_clip(clip: &Clip, roles: &'a Roles, body: &Body, options: &TrackOptions) -> Result<Self, EditingError> {
        Self::checked(clip, options)?;
        let skeleton = DynamicSkeleton::new(clip, roles, body, fold(options.figure))?;
        let desired = Desired::of_clip(clip, &skeleton, options.interpolation);
        Self::new(clip.clone(), skeleton, desired, roles, body, options)
    }

    /// Of world orientations of segments; `clip` gives the skeleton, its first pose what has no tracker, and its rate that of the result.
    pub fn of_orientations(
        given: &Orientations,
        clip: &Clip,
        roles: &'a Roles,
        body: &Body,
        options: &TrackOptions,
    ) -> Result<Self, EditingError> {
        let Timeline::Uniform(frame_time) = *clip.timeline() else { return Err(EditingError::UnevenFrames) };
        let span_secs = given.times_secs.last().zip(given.times_secs.first()).map_or(0.0, |(last, first)| last - first);
        // A day at a thousand frames a second; a longer one is a wrong column.
        if !(span_secs.is_finite() && span_secs / frame_time.secs() < 1e8) {
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
        Self::new(still, skeleton, desired, roles, body, options)
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
        roles: &'a Roles,
        body: &Body,
        options: &TrackOptions,
    ) -> Result<Self, EditingError> {
        if roles.limb(Side::Left, LimbKind::Arm).is_none() && roles.limb(Side::Right, LimbKind::Arm).is_none() {
            return Err(EditingError::NoLimb { side: Side::Right, kind: LimbKind::Arm });
        }
        let frames = skeleton.ready(frames)?;
        let model = &skeleton.links.model;
        let (mut target, mut rate) = (model.neutral(), vec![0.0; model.nv()]);
        let mut wanted = frames.clone();
        let mut pose = WorldPose::for_skeleton(frames.skeleton());
        for frame in frames.frames() {
            desired.at(model, frames.time_secs(frame) - frames.time_secs(FrameIndex(0)), &mut target, &mut rate);
            skeleton.put(&target, &mut wanted, frame, &mut pose);
        }
        let footing = match options.figure {
            Figure::Full => Some(Footing::new(&frames, roles, body, &skeleton)?),
            Figure::Upper | Figure::UpperStiffBack => None,
        };
        Ok(Self { skeleton, desired, frames, roles, wanted, footing })
    }

    /// Gains of all joints; of legs that stand, their own.
    pub fn servos(&self, options: &TrackOptions) -> Servos {
        let model = &self.skeleton.links.model;
        let samples = self.desired.times_secs().len();
        let poses = (0..POSES.min(samples)).map(|pose| self.desired.row(pose * samples / POSES.min(samples)));
        let mut servos = Servos::from_inertia_over(model, poses, options.gains);
        if options.figure == Figure::Full {
            let mass_kg = model.total_mass_kg();
            let stature_m = self.skeleton.body.stature_m().unwrap_or(1.75);
            let legs = options.legs.unwrap_or(LegGains::ADULT.scaled(mass_kg, stature_m));
            feet::stiffen_legs(&mut servos, self.roles, &self.skeleton, legs);
        }
        servos
    }

    /// Plays it; a step that diverges is halved, and the report says so.
    pub fn play(&self, options: &TrackOptions, advance: Advance<'_>) -> Result<Tracked, EditingError> {
        options.check()?;
        let mut halvings = 0;
        loop {
            let hz = options.hz * f64::from(1u32 << halvings);
            match self.play_at(hz, options, advance) {
                Err(EditingError::Diverged(_)) if halvings < MOST_HALVINGS => halvings += 1,
                Err(error) => return Err(error),
                Ok(mut tracked) => {
                    tracked.report.halvings = halvings;
                    return Ok(tracked);
                }
            }
        }
    }

    fn play_at(&self, hz: f64, options: &TrackOptions, advance: Advance<'_>) -> Result<Tracked, EditingError> {
        let Self { skeleton, desired, frames: clip, .. } = self;
        let model = &skeleton.links.model;
        let (mut target, mut rate) = (desired.row(0).to_vec(), vec![0.0; model.nv()]);
        desired.at(model, 0.0, &mut target, &mut rate);
        let servos = self.servos(options);
        let mut simulation = Simulation::new(model, target.clone(), rate.clone());
        simulation.scheme = options.scheme;
        let mut footing = self.footing.clone();
        let mut out = clip.clone();
        let mut pose = WorldPose::for_skeleton(clip.skeleton());
        let mut work = Workspace::new(model);
        work.place(model, &target);
        let mut hands = self.hand_paths(&work);
        let (mut steps, mut longest_secs) = (0, 0.0f64);
        let (mut sum, mut sum_of_squares, mut count) = (0.0, 0.0, 0.0);
        let all_secs = clip.duration_secs();
        for frame in 1..clip.frame_count() {
            let since = |frame| clip.time_secs(FrameIndex(frame)) - clip.time_secs(FrameIndex(0));
            let (from_secs, to_secs) = (since(frame - 1), since(frame));
            // A whole number of steps between frames, none longer than asked for.
            let parts = ((to_secs - from_secs) * hz - 1e-6).ceil().max(1.0) as usize;
            let step_secs = (to_secs - from_secs) / parts as f64;
            for step in 1..=parts {
                desired.at(model, from_secs + step as f64 * step_secs, &mut target, &mut rate);
                let drive = Drive { servos: &servos, target: &target, rate: None, push: None, loads: &Loads::NONE };
                simulation.step(model, drive, footing.as_mut().map(|it| &mut it.ground), step_secs)?;
            }
            (steps, longest_secs) = (steps + parts, longest_secs.max(step_secs));
            skeleton.put(&simulation.q, &mut out, FrameIndex(frame), &mut pose);
            work.place(model, &target);
            hands.iter_mut().for_each(|(link, hand)| hand.paths_m[0].push(work.link(*link).joint_in_world_m));
            work.place(model, &simulation.q);
            hands.iter_mut().for_each(|(link, hand)| hand.paths_m[1].push(work.link(*link).joint_in_world_m));
            if let Some(footing) = &mut footing {
                footing.note(model, &work, to_secs);
            }
            if to_secs >= measure::SETTLING_SECS {
                for (_, angle_rad) in desired::angles_rad(model, &target, &simulation.q) {
                    (sum, sum_of_squares, count) = (sum + angle_rad, sum_of_squares + angle_rad.powi(2), count + 1.0);
                }
            }
            advance(to_secs, all_secs);
        }
        let share = |sum: f64| if count > 0.0 { sum / count } else { 0.0 };
        let hands: Vec<HandPaths> = hands.into_iter().map(|(_, hand)| hand).collect();
        let hands = measure::hands(&hands, measure::mean_step_secs(clip))?;
        let report = TrackReport {
            stiffness_per_s2: options.gains.stiffness_per_s2,
            degrees_of_freedom: model.nv(),
            rms_error_deg: share(sum_of_squares).sqrt().to_degrees(),
            mean_error_deg: share(sum).to_degrees(),
            shaking_ratio: measure::shaking_ratio(&hands),
            hands,
            step_secs: longest_secs,
            halvings: 0,
            steps,
            standing: footing.map(|footing| footing.standing()),
        };
        Ok(Tracked { clip: out, wanted: self.wanted.clone(), report })
    }
}

impl Score<'_> {
    /// Hands that are links, at the start.
    fn hand_paths(&self, work: &Workspace) -> Vec<(LinkId, HandPaths)> {
        let link = |side| self.roles.limb(side, LimbKind::Arm).and_then(|limb| self.skeleton.links.link_of(limb.end));
        let both = Side::BOTH.into_iter().filter_map(|side| link(side).map(|link| (side, link)));
        both.map(|(side, link)| {
            let start = vec![work.link(link).joint_in_world_m];
            (link, HandPaths { side, paths_m: [start.clone(), start] })
        })
        .collect()
    }
}

/// Plays a clip in free space (or standing, if all of the body is driven).
pub fn track(clip: &Clip, roles: &Roles, body: &Body, options: &TrackOptions) -> Result<Tracked, EditingError> {
    Score::of_clip(clip, roles, body, options)?.play(options, &|_, _| {})
}

fn fold(figure: Figure) -> FoldOptions {
    FoldOptions {
        upper_body: figure != Figure::Full,
        stiff_back: figure == Figure::UpperStiffBack,
        neck: figure == Figure::Full,
        ..FoldOptions::default()
    }
}

#[cfg(test)]
mod tests;

//! What is read off the original motion once: where root, centre of mass and feet are at every key.

use crate::EditingError;
use crate::body_root::{BodyRoot, carriers};
use crate::footplant::planting_contacts;
use crate::path::ground_plane::on_plane;
use crate::span::{HAND_OVER_SECS, check_clock, unite};
use aplomb_analysis::ContactAnalysis;
use aplomb_analysis::Take;
use aplomb_analysis::contacts::{Effector, Part};
use aplomb_motion::signal::{SampleTimes, derivative, gaussian};
use aplomb_motion::{Clip, FrameIndex, JointId, Role, Side, WorldPose, edit};
use aplomb_physics::Body;
use glam::DVec3;
use num_complex::Complex64;

/// The motion that is edited, without an artificial first frame.
#[derive(Clone, Debug)]
pub(super) struct PathSource {
    pub clip: Clip,
    /// The joint whose way is the path.
    pub hips: JointId,
    /// The joint that carries the hips, then roots of whatever else is in the clip.
    pub carriers: Vec<BodyRoot>,
    /// Of the keys, by the clock of the analysis.
    pub times_secs: Vec<f64>,
    /// Hips in the world.
    pub root_m: Vec<DVec3>,
    /// The same on the ground.
    pub ground_m: Vec<Complex64>,
    /// Horizontal speed of the root, smoothed, m/s.
    pub speed: Vec<f64>,
    pub com_height_m: Vec<f64>,
    pub feet: Vec<Foot>,
    /// Whether there is anything that could stand.
    pub has_effectors: bool,
}

/// A foot, paw or hand that stands now and then.
#[derive(Clone, Debug)]
pub(super) struct Foot {
    pub side: Side,
    pub is_front: bool,
    pub effectors: Vec<Effector>,
    /// When any of its points is down: start and end, s.
    pub stances: Vec<(f64, f64)>,
    /// When its ball, toes or the whole paw is down, s.
    pub front_down: Vec<(f64, f64)>,
    /// When its heel is down, s.
    pub heel_down: Vec<(f64, f64)>,
    /// Middle of its points, in the world, at every key.
    pub centre_m: Vec<DVec3>,
}

impl PathSource {
    pub fn of(take: &Take) -> Result<Self, EditingError> {
        let (clip, roles, body, contacts) = (take.clip(), take.roles(), take.body()?, planting_contacts(take)?);
        body.check_skeleton(clip.skeleton())?;
        check_clock(contacts)?;
        let first = usize::from(contacts.stray_first_frame);
        let frames = clip.frame_count().saturating_sub(first);
        if frames < 3 {
            return Err(EditingError::TooFewFrames { frames, needs: "path editing", least: 3 });
        }
        let joints = clip.skeleton().len();
        if let Some(effector) = contacts.effectors.iter().find(|effector| effector.joint.index() >= joints) {
            let detail = format!("{} belongs to {}, the skeleton has {joints} joints", effector.name, effector.joint);
            return Err(EditingError::OtherContacts { detail });
        }
        let start_secs = clip.time_secs(FrameIndex(0));
        let times_secs: Vec<f64> = clip.frames().skip(first).map(|frame| clip.time_secs(frame) - start_secs).collect();
        let clip = match first {
            0 => clip.clone(),
            _ => edit::cut_frames(clip, FrameIndex(first)..FrameIndex(clip.frame_count()))?,
        };
        let hips = roles.joint(Role::Hips).unwrap_or_else(|| edit::body_joint(clip.skeleton()));
        let carriers = carriers(&clip, hips);
        // Those that stood still get a track, so that they can be moved.
        let clip = carriers.iter().try_fold(clip, |clip, carrier| carrier.with_track(clip))?;
        let mut source = Self {
            hips,
            carriers,
            times_secs,
            root_m: Vec::with_capacity(frames),
            ground_m: Vec::with_capacity(frames),
            speed: Vec::new(),
            com_height_m: Vec::with_capacity(frames),
            feet: feet(contacts, frames),
            has_effectors: !contacts.effectors.is_empty(),
            clip,
        };
        source.look(body);
        source.speed = source.smooth_speed()?;
        Ok(source)
    }

    fn look(&mut self, body: &Body) {
        let mut pose = WorldPose::for_skeleton(self.clip.skeleton());
        for frame in self.clip.frames() {
            pose.pose(&self.clip, frame);
            let root_m = pose.joint_in_world_m[self.hips.index()];
            self.root_m.push(root_m);
            self.ground_m.push(on_plane(root_m));
            self.com_height_m.push(body.com_in_world_m(&pose).y);
            for foot in &mut self.feet {
                let points = foot.effectors.iter().map(|it| pose.point_in_world_m(it.joint, it.point_in_joint_m));
                let sum_m: DVec3 = points.sum();
                foot.centre_m.push(sum_m / foot.effectors.len().max(1) as f64);
            }
        }
    }

    fn smooth_speed(&self) -> Result<Vec<f64>, EditingError> {
        let flat: Vec<DVec3> = self.root_m.iter().map(|point_m| point_m.with_y(0.0)).collect();
        let velocity = derivative::first(&self.smooth(&flat, 0.2)?, self.sample_times()?);
        Ok(velocity.iter().map(|velocity| velocity.length()).collect())
    }

    pub fn keys(&self) -> usize {
        self.times_secs.len()
    }

    pub fn sample_times(&self) -> Result<SampleTimes<'_>, EditingError> {
        Ok(SampleTimes::of(self.clip.timeline())?)
    }

    /// Smooths a value a key over a window.
    pub fn smooth<T: aplomb_motion::signal::Linear>(&self, values: &[T], secs: f64) -> Result<Vec<T>, EditingError> {
        let mut smoothed = values.to_vec();
        gaussian::smooth_at_times_into(0.25 * secs, self.sample_times()?, values, &mut smoothed)?;
        Ok(smoothed)
    }

    /// Keys from one time up to another, both included.
    pub fn keys_between(&self, start_secs: f64, end_secs: f64) -> std::ops::Range<usize> {
        let start = self.times_secs.partition_point(|&secs| secs < start_secs - 1e-6);
        let end = self.times_secs.partition_point(|&secs| secs <= end_secs + 1e-6);
        start..end.max(start)
    }

    /// The key nearest in time.
    pub fn key_at(&self, secs: f64) -> usize {
        let after = self.times_secs.partition_point(|&key_secs| key_secs < secs).min(self.keys() - 1);
        let before = after.saturating_sub(1);
        if (self.times_secs[after] - secs).abs() < (secs - self.times_secs[before]).abs() { after } else { before }
    }
}

/// Points grouped to feet, and when each foot is down. Hands count only where they stand.
fn feet(contacts: &ContactAnalysis, frames: usize) -> Vec<Foot> {
    let mut feet: Vec<Foot> = Vec::new();
    let is_used = |effector: &&Effector| {
        effector.part != Part::Named
            && (effector.part != Part::Hand || contacts.contacts.iter().any(|it| it.effector == effector.name))
    };
    for effector in contacts.effectors.iter().filter(is_used) {
        let Some(side) = effector.side else { continue };
        let is_front = matches!(effector.part, Part::Hand | Part::FrontPaw);
        let down = contacts.contacts.iter().filter(|contact| contact.effector == effector.name);
        let down: Vec<(f64, f64)> = down.map(|contact| (contact.start_secs, contact.end_secs)).collect();
        let slot = feet.iter().position(|foot| foot.side == side && foot.is_front == is_front);
        let slot = slot.unwrap_or_else(|| {
            let centre_m = Vec::with_capacity(frames);
            feet.push(Foot {
                side,
                is_front,
                effectors: vec![],
                stances: vec![],
                front_down: vec![],
                heel_down: vec![],
                centre_m,
            });
            feet.len() - 1
        });
        let foot = &mut feet[slot];
        foot.effectors.push(effector.clone());
        foot.stances.extend(&down);
        match effector.part {
            Part::Heel => foot.heel_down.extend(&down),
            _ => foot.front_down.extend(&down),
        }
    }
    for foot in &mut feet {
        unite(&mut foot.stances, HAND_OVER_SECS);
        unite(&mut foot.front_down, HAND_OVER_SECS);
        unite(&mut foot.heel_down, HAND_OVER_SECS);
    }
    feet
}

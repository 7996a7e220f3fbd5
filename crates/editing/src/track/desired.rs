//! The motion that servos have to follow: a configuration of the links at each sample, and between samples.

use crate::EditingError;
use aplomb_motion::{Clip, JointId, WorldPose};
use aplomb_physics::dynamics::{DynamicSkeleton, JointKind, LinkId, Model};
use glam::{DQuat, DVec3};
use serde::{Deserialize, Serialize};

/// How a motion goes on between its samples.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Interpolation {
    /// Third degree, with the chord through the neighbours as slope: rates have no jumps.
    #[default]
    Cubic,
    /// Along great circles: rates jump at every sample.
    Slerp,
}

/// Samples of the links' configurations; quaternions of a joint have no jumps of sign.
#[derive(Clone, Debug)]
pub struct Desired {
    times_secs: Vec<f64>,
    rows: Vec<f64>,
    width: usize,
    interpolation: Interpolation,
}

/// World orientations of segments over time, as trackers give them: some tens a second, each sample complete.
#[derive(Clone, Debug, PartialEq)]
pub struct Orientations {
    /// Rising.
    pub times_secs: Vec<f64>,
    /// Which joints' segments.
    pub joints: Vec<JointId>,
    /// `world_from_joint`, sample by sample, in the order of `joints`.
    pub rotations: Vec<DQuat>,
}

impl Orientations {
    /// What trackers on the segments of a played clip would say at `hz`.
    pub fn of_clip(clip: &Clip, joints: Vec<JointId>, hz: f64) -> Self {
        let mut local = aplomb_motion::edit::LocalPose::for_skeleton(clip.skeleton());
        let mut pose = WorldPose::for_skeleton(clip.skeleton());
        let count = (clip.duration_secs() * hz + 1e-9).floor() as usize + 1;
        let times_secs: Vec<f64> = (0..count).map(|sample| sample as f64 / hz).collect();
        let mut rotations = Vec::with_capacity(count * joints.len());
        for &at_secs in &times_secs {
            aplomb_motion::edit::sample_at(clip, at_secs, &mut local);
            pose.pose_local(clip.skeleton(), &local);
            rotations.extend(joints.iter().map(|joint| pose.world_from_joint[joint.index()]));
        }
        Self { times_secs, joints, rotations }
    }
}

impl Desired {
    /// Rotations of links relative to the links above them.
    pub fn of_clip(clip: &Clip, skeleton: &DynamicSkeleton, interpolation: Interpolation) -> Self {
        let mut pose = WorldPose::for_skeleton(clip.skeleton());
        let mut desired = Self::empty(skeleton, interpolation);
        for frame in clip.frames() {
            pose.pose(clip, frame);
            desired.push(clip.time_secs(frame), &pose, skeleton);
        }
        desired
    }

    /// The included orientation of each joint, θ_d = R_inᵀ R_out (Zordan & Hodgins 1999, eq. 1). Segments without a
    /// tracker turn with what carries them as they do in `pose`; a held pelvis without one is where the model has it.
    pub fn of_orientations(
        given: &Orientations,
        skeleton: &DynamicSkeleton,
        pose: &WorldPose,
        interpolation: Interpolation,
    ) -> Result<Self, EditingError> {
        let Orientations { times_secs, joints, rotations } = given;
        let is_rising =
            times_secs.windows(2).all(|pair| pair[0] < pair[1]) && times_secs.iter().all(|it| it.is_finite());
        if times_secs.len() < 2 || !is_rising || rotations.len() != times_secs.len() * joints.len() {
            return Err(EditingError::Orientations {
                problem: "expected two samples or more at rising times".to_owned(),
            });
        }
        let bones = skeleton.body.skeleton();
        let mut world = pose.clone();
        let mut desired = Self::empty(skeleton, interpolation);
        for (&at_secs, sample) in times_secs.iter().zip(rotations.chunks_exact(joints.len().max(1))) {
            for id in bones.ids() {
                let slot = joints.iter().position(|&joint| joint == id);
                world.world_from_joint[id.index()] = match (slot, bones.parent(id)) {
                    (Some(slot), _) => sample[slot].normalize(),
                    (None, Some(parent)) => {
                        let local =
                            pose.world_from_joint[parent.index()].conjugate() * pose.world_from_joint[id.index()];
                        world.world_from_joint[parent.index()] * local
                    }
                    (None, None) => pose.world_from_joint[id.index()],
                };
            }
            desired.push(at_secs, &world, skeleton);
        }
        Ok(desired)
    }

    fn empty(skeleton: &DynamicSkeleton, interpolation: Interpolation) -> Self {
        Self { times_secs: Vec::new(), rows: Vec::new(), width: skeleton.links.model.nq(), interpolation }
    }

    fn push(&mut self, at_secs: f64, pose: &WorldPose, skeleton: &DynamicSkeleton) {
        let start = self.rows.len();
        self.times_secs.push(at_secs);
        self.rows.resize(start + self.width, 0.0);
        let (before, own) = self.rows.split_at_mut(start);
        skeleton.links.configuration(pose, own);
        if start > 0 {
            keep_signs(&skeleton.links.model, &before[start - self.width..], own);
        }
    }

    /// The same for a standing body: legs keep the pose they start with, and what the pelvis leaned goes into the
    /// joints that it carries, so that the trunk is turned as it was.
    pub fn standing(mut self, skeleton: &DynamicSkeleton, is_leg: impl Fn(LinkId) -> bool) -> Self {
        let model = &skeleton.links.model;
        let turn = |row: &[f64], link: LinkId| DQuat::from_slice(&row[model.q_range(link).start..][..4]);
        let first = self.rows[..self.width].to_vec();
        for sample in 0..self.times_secs.len() {
            let row = &mut self.rows[sample * self.width..(sample + 1) * self.width];
            for link in model.links() {
                if is_leg(link) {
                    row[model.q_range(link)].copy_from_slice(&first[model.q_range(link)]);
                } else if let Some(root) = model.parent(link).filter(|&root| model.kind(root) == JointKind::Free) {
                    let carried = turn(&first, root).conjugate() * turn(row, root) * turn(row, link);
                    row[model.q_range(link)][..4].copy_from_slice(&carried.normalize().to_array());
                }
            }
        }
        for sample in 1..self.times_secs.len() {
            let (before, own) = self.rows.split_at_mut(sample * self.width);
            keep_signs(model, &before[before.len() - self.width..], &mut own[..self.width]);
        }
        for sample in 0..self.times_secs.len() {
            let row = &mut self.rows[sample * self.width..(sample + 1) * self.width];
            for link in model.links().filter(|&link| model.kind(link) == JointKind::Free) {
                row[model.q_range(link)].copy_from_slice(&first[model.q_range(link)]);
            }
        }
        self
    }

    /// The same motion, so many times as fast.
    pub fn faster(mut self, factor: f64) -> Self {
        self.times_secs.iter_mut().for_each(|secs| *secs /= factor);
        self
    }

    /// When it begins and ends.
    pub fn span_secs(&self) -> (f64, f64) {
        let ends = self.times_secs.first().zip(self.times_secs.last());
        ends.map_or((0.0, 0.0), |(first, last)| (*first, *last))
    }

    /// One sample.
    pub fn row(&self, sample: usize) -> &[f64] {
        &self.rows[sample * self.width..(sample + 1) * self.width]
    }

    /// One sample, to be changed; rotations stay of unit length and near their neighbours.
    pub fn row_mut(&mut self, sample: usize) -> &mut [f64] {
        &mut self.rows[sample * self.width..(sample + 1) * self.width]
    }

    /// When samples were taken.
    pub fn times_secs(&self) -> &[f64] {
        &self.times_secs
    }

    /// The configuration wanted at a time, and the velocity; beyond the ends it stands still.
    pub fn at(&self, model: &Model, time_secs: f64, target: &mut [f64], rate: &mut [f64]) {
        let last = self.times_secs.len().saturating_sub(2);
        let sample = self.times_secs.partition_point(|&secs| secs <= time_secs).saturating_sub(1).min(last);
        let next = (sample + 1).min(self.times_secs.len() - 1);
        let length_secs = (self.times_secs[next] - self.times_secs[sample]).max(1e-9);
        let share = (time_secs - self.times_secs[sample]) / length_secs;
        let is_outside = !(0.0..=1.0).contains(&share);
        let share = share.clamp(0.0, 1.0);
        for link in model.links() {
            let (q, v) = (model.q_range(link), model.v_range(link));
            match model.kind(link) {
                JointKind::Fixed => {}
                JointKind::Revolute { .. } => {
                    let (value, slope) = self.number(q.start, sample, next, share);
                    (target[q.start], rate[v.start]) = (value, slope);
                }
                JointKind::Ball => self.turn(q.start, v.start, (sample, next), share, target, rate),
                JointKind::Free => {
                    self.turn(q.start, v.start, (sample, next), share, target, rate);
                    let rotation = DQuat::from_slice(&target[q.start..q.start + 4]);
                    let mut velocity = DVec3::ZERO;
                    for axis in 0..3 {
                        let (value, slope) = self.number(q.start + 4 + axis, sample, next, share);
                        (target[q.start + 4 + axis], velocity[axis]) = (value, slope);
                    }
                    rate[v.start + 3..v.start + 6].copy_from_slice(&(rotation.conjugate() * velocity).to_array());
                }
            }
            if is_outside {
                rate[v].fill(0.0);
            }
        }
    }

    fn turn(
        &self,
        q: usize,
        v: usize,
        (sample, next): (usize, usize),
        share: f64,
        target: &mut [f64],
        rate: &mut [f64],
    ) {
        let (rotation, spin) = match self.interpolation {
            Interpolation::Slerp => {
                let turn = |row: &[f64]| DQuat::from_slice(&row[q..q + 4]);
                let (a, b) = (turn(self.row(sample)), turn(self.row(next)));
                let way = aplomb_motion::so3::log(a.conjugate() * b);
                let length_secs = (self.times_secs[next] - self.times_secs[sample]).max(1e-9);
                (a * aplomb_motion::so3::exp(way * share), way / length_secs)
            }
            Interpolation::Cubic => {
                let (mut value, mut slope) = ([0.0; 4], [0.0; 4]);
                for part in 0..4 {
                    (value[part], slope[part]) = self.number(q + part, sample, next, share);
                }
                let (value, slope) = (DQuat::from_array(value), DQuat::from_array(slope));
                // ω = 2 vec(q̄ q̇); what changes the length has no vector part.
                let spin = value.conjugate() * slope;
                let length_squared = value.length_squared();
                (value.normalize(), 2.0 * DVec3::new(spin.x, spin.y, spin.z) / length_squared)
            }
        };
        target[q..q + 4].copy_from_slice(&rotation.to_array());
        rate[v..v + 3].copy_from_slice(&spin.to_array());
    }

    /// Hermite's cubic through two samples with Catmull and Rom's slopes, or a straight line; the value and its rate.
    fn number(&self, at: usize, sample: usize, next: usize, share: f64) -> (f64, f64) {
        let value = |index: usize| self.rows[index * self.width + at];
        let (a, b) = (value(sample), value(next));
        let length_secs = (self.times_secs[next] - self.times_secs[sample]).max(1e-9);
        if self.interpolation == Interpolation::Slerp {
            return (a + (b - a) * share, (b - a) / length_secs);
        }
        let slope = |index: usize| {
            let (from, to) = (index.saturating_sub(1), (index + 1).min(self.times_secs.len() - 1));
            (value(to) - value(from)) / (self.times_secs[to] - self.times_secs[from]).max(1e-9)
        };
        let (m, n) = (slope(sample) * length_secs, slope(next) * length_secs);
        let (u, uu) = (share, share * share);
        let (c3, c2) = (2.0 * (a - b) + m + n, 3.0 * (b - a) - 2.0 * m - n);
        (a + u * m + uu * c2 + uu * u * c3, (m + 2.0 * u * c2 + 3.0 * uu * c3) / length_secs)
    }
}

/// The angle from one configuration to another at each ball joint, rad.
pub(super) fn angles_rad<'a>(model: &'a Model, a: &'a [f64], b: &'a [f64]) -> impl Iterator<Item = (LinkId, f64)> + 'a {
    model.links().filter(|&link| model.kind(link) == JointKind::Ball).map(move |link| {
        let at = model.q_range(link).start;
        let turn = |row: &[f64]| DQuat::from_slice(&row[at..at + 4]);
        (link, aplomb_motion::so3::angle_between(turn(a), turn(b)))
    })
}

fn keep_signs(model: &Model, before: &[f64], own: &mut [f64]) {
    for link in model.links() {
        if matches!(model.kind(link), JointKind::Free | JointKind::Ball) {
            let at = model.q_range(link).start;
            let dot: f64 = before[at..at + 4].iter().zip(&own[at..at + 4]).map(|(a, b)| a * b).sum();
            if dot < 0.0 {
                own[at..at + 4].iter_mut().for_each(|number| *number = -*number);
            }
        }
    }
}

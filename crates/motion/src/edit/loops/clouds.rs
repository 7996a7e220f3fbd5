//! The frames as weighted clouds of joint positions and velocities.

use super::VELOCITY_TIME_SECS;
use crate::clip::Clip;
use crate::edit::align::{GroundMove, align_yaw};
use crate::edit::place::body_joint;
use crate::kinematics::joint_positions_m;
use crate::signal::SampleTimes;
use crate::signal::derivative;
use crate::skeleton::Skeleton;
use crate::time::FrameTime;
use glam::DVec3;

/// Positions and velocities of the joints that count, frame-major.
pub(super) struct Clouds {
    frames: usize,
    weights: Vec<f64>,
    total_weight: f64,
    positions_m: Vec<DVec3>,
    velocities_m_per_s: Vec<DVec3>,
    frame_secs: f64,
}

/// How well a frame matches another one.
pub(super) struct Match {
    pub pose_error_m: f64,
    pub velocity_error_m_per_s: f64,
    /// Takes the second frame onto the first.
    pub onto: GroundMove,
}

impl Match {
    pub(super) fn score_m(&self) -> f64 {
        self.pose_error_m.hypot(VELOCITY_TIME_SECS * self.velocity_error_m_per_s)
    }
}

impl Clouds {
    /// `None` with fewer than three frames: there is no velocity to compare.
    pub(super) fn of(clip: &Clip, frame_time: FrameTime) -> Option<Self> {
        let (frames, joints) = (clip.frame_count(), clip.skeleton().len());
        let times = SampleTimes::of(clip.timeline()).ok()?;
        if frames < 3 {
            return None;
        }
        let all_m = joint_positions_m(clip);
        let weights = joint_weights(clip.skeleton(), &all_m[..joints]);
        let counting: Vec<usize> = (0..joints).filter(|&joint| weights[joint] > 0.0).collect();
        let count = counting.len();
        let mut positions_m = vec![DVec3::ZERO; frames * count];
        let mut velocities_m_per_s = vec![DVec3::ZERO; frames * count];
        let mut path_m = vec![DVec3::ZERO; frames];
        let mut velocity = vec![DVec3::ZERO; frames];
        for (slot, &joint) in counting.iter().enumerate() {
            for frame in 0..frames {
                path_m[frame] = all_m[frame * joints + joint];
            }
            derivative::first_into(&path_m, times, &mut velocity);
            for frame in 0..frames {
                positions_m[frame * count + slot] = path_m[frame];
                velocities_m_per_s[frame * count + slot] = velocity[frame];
            }
        }
        let weights: Vec<f64> = counting.iter().map(|&joint| weights[joint]).collect();
        let total_weight = weights.iter().sum();
        Some(Self { frames, weights, total_weight, positions_m, velocities_m_per_s, frame_secs: frame_time.secs() })
    }

    pub(super) fn frame_count(&self) -> usize {
        self.frames
    }

    pub(super) fn frame_secs(&self) -> f64 {
        self.frame_secs
    }

    /// The median over the frames of the joints' RMS speed: a pop in the data does not show.
    pub(super) fn typical_speed_m_per_s(&self) -> f64 {
        let squares = |frame| self.velocities(frame).iter().zip(&self.weights).map(|(v, w)| w * v.length_squared());
        let speed = |frame: usize| (squares(frame).sum::<f64>() / self.total_weight).sqrt();
        let mut speeds: Vec<f64> = (0..self.frames).map(speed).collect();
        let middle = speeds.len() / 2;
        *speeds.select_nth_unstable_by(middle, f64::total_cmp).1
    }

    fn positions(&self, frame: usize) -> &[DVec3] {
        &self.positions_m[frame * self.weights.len()..][..self.weights.len()]
    }

    fn velocities(&self, frame: usize) -> &[DVec3] {
        &self.velocities_m_per_s[frame * self.weights.len()..][..self.weights.len()]
    }

    /// How well frame `b`, moved on the ground, matches frame `a`.
    pub(super) fn compare(&self, a: usize, b: usize) -> Match {
        self.match_clouds(self.positions(a), self.velocities(a), b)
    }

    /// How well the first frame matches the one that would come after the last, going on as it does there.
    pub(super) fn compare_next_with_first(&self) -> Match {
        let last = self.frames - 1;
        let speeding = self.velocities(last).iter().zip(self.velocities(last - 1));
        let velocities: Vec<DVec3> = speeding.map(|(&now, &before)| now * 2.0 - before).collect();
        let moving = self.positions(last).iter().zip(self.velocities(last).iter().zip(&velocities));
        let positions: Vec<DVec3> =
            moving.map(|(&p, (&now, &next))| p + (now + next) * (0.5 * self.frame_secs)).collect();
        self.match_clouds(&positions, &velocities, 0)
    }

    fn match_clouds(&self, positions_m: &[DVec3], velocities_m_per_s: &[DVec3], b: usize) -> Match {
        // Weights are positive and counts equal, so the alignment exists.
        let onto = align_yaw(positions_m, self.positions(b), &self.weights).unwrap_or(GroundMove::IDENTITY);
        let turn = onto.rotation();
        let (mut pose, mut velocity) = (0.0, 0.0);
        for (slot, &weight) in self.weights.iter().enumerate() {
            let moved_m = turn * self.positions(b)[slot] + onto.shift_m;
            pose += weight * (positions_m[slot] - moved_m).length_squared();
            velocity += weight * (velocities_m_per_s[slot] - turn * self.velocities(b)[slot]).length_squared();
        }
        let rms = |sum: f64| (sum / self.total_weight).sqrt();
        Match { pose_error_m: rms(pose), velocity_error_m_per_s: rms(velocity), onto }
    }

    /// Whether some frame between the two is further than `distance_m` from the first of them.
    pub(super) fn moves_between(&self, start: usize, end: usize, distance_m: f64) -> bool {
        // A cycle spends most of its time away from its start: a few looks are enough.
        let step = ((end - start) / 32).max(1);
        (start..end).step_by(step).any(|frame| self.compare(frame, start).pose_error_m >= distance_m)
    }

    /// Every `stride`-th frame as one row of numbers, for comparing many pairs fast.
    pub(super) fn rows(&self, stride: usize) -> Rows {
        let frames: Vec<usize> = (0..self.frames).step_by(stride).collect();
        let points = 2 * self.weights.len();
        let mut rows = Rows { points, values: Vec::with_capacity(frames.len() * 3 * points), norms: Vec::new() };
        let mut cloud = Vec::with_capacity(points);
        for &frame in &frames {
            let weighted = self.positions(frame).iter().zip(&self.weights);
            let centre_m = weighted.map(|(&p, &w)| p * w).sum::<DVec3>() / self.total_weight;
            let ground_centre_m = DVec3::new(centre_m.x, 0.0, centre_m.z);
            let scales = self.weights.iter().map(|weight| (weight / self.total_weight).sqrt());
            cloud.clear();
            cloud.extend(self.positions(frame).iter().zip(scales.clone()).map(|(&p, s)| (p - ground_centre_m) * s));
            let timed = self.velocities(frame).iter().zip(scales);
            cloud.extend(timed.map(|(&v, s)| v * (s * VELOCITY_TIME_SECS)));
            for axis in 0..3 {
                rows.values.extend(cloud.iter().map(|point| point[axis]));
            }
            rows.norms.push(cloud.iter().map(|point| point.length_squared()).sum());
        }
        rows
    }
}

/// Bones that meet at a joint share their length with it, so that a hand full of short bones does not outvote the legs.
/// What carries the body from above (scene roots on the floor) does not count.
fn joint_weights(skeleton: &Skeleton, positions_m: &[DVec3]) -> Vec<f64> {
    let body = body_joint(skeleton);
    let counts =
        |joint: usize| skeleton.ids().nth(joint).is_some_and(|id| id == body || !skeleton.is_in_subtree(body, id));
    let mut weights = vec![0.0; skeleton.len()];
    for joint in skeleton.ids() {
        if let Some(parent) = skeleton.parent(joint)
            && counts(parent.index())
        {
            let length_m = (positions_m[joint.index()] - positions_m[parent.index()]).length();
            weights[joint.index()] += 0.5 * length_m;
            weights[parent.index()] += 0.5 * length_m;
        }
    }
    if weights.iter().all(|weight| *weight == 0.0) {
        weights = (0..skeleton.len()).map(|joint| f64::from(counts(joint))).collect();
    }
    weights
}

/// Clouds of positions (about their centre on the ground) and velocities (times the velocity time), weighted, as rows
/// x…, y…, z… of one frame after the other.
pub(super) struct Rows {
    points: usize,
    values: Vec<f64>,
    norms: Vec<f64>,
}

impl Rows {
    pub(super) fn len(&self) -> usize {
        self.norms.len()
    }

    /// The squared distance of two rows under the best turn about the vertical:
    /// |a|² + |b|² − 2·(a_y·b_y + max_θ (cos θ·C + sin θ·S)), and the maximum is √(C² + S²); see `align_yaw`.
    pub(super) fn squared_distance(&self, a: usize, b: usize) -> f64 {
        let (row_a, row_b) = (self.row(a), self.row(b));
        let (ax, ay, az) = (row_a[0], row_a[1], row_a[2]);
        let (bx, by, bz) = (row_b[0], row_b[1], row_b[2]);
        let along = dot(ax, bx) + dot(az, bz);
        let across = dot(ax, bz) - dot(az, bx);
        (self.norms[a] + self.norms[b] - 2.0 * (dot(ay, by) + along.hypot(across))).max(0.0)
    }

    fn row(&self, index: usize) -> [&[f64]; 3] {
        let row = &self.values[index * 3 * self.points..][..3 * self.points];
        let (x, rest) = row.split_at(self.points);
        let (y, z) = rest.split_at(self.points);
        [x, y, z]
    }
}

/// Four sums side by side, which the compiler turns into vector instructions; one running sum it may not reorder.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut sums = [0.0; 4];
    let (a_fours, b_fours) = (a.chunks_exact(4), b.chunks_exact(4));
    let rest: f64 = a_fours.remainder().iter().zip(b_fours.remainder()).map(|(x, y)| x * y).sum();
    for (x, y) in a_fours.zip(b_fours) {
        for lane in 0..4 {
            sums[lane] += x[lane] * y[lane];
        }
    }
    sums.iter().sum::<f64>() + rest
}

//! Where parts of the body lie in each other's frames: averaged over poses of the clip, so that no rest pose need make
//! sense.

use super::solid::axes_from;
use aplomb_motion::{Clip, FrameIndex, JointId, Skeleton, WorldPose};
use glam::{DMat3, DVec3};

/// Enough poses to average a spare joint or a clavicle over; more only cost time.
const MOST_REFERENCE_POSES: usize = 24;

/// A point that moves with a joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Point {
    pub joint: JointId,
    pub in_joint_m: DVec3,
}

impl Point {
    pub fn of(joint: JointId) -> Self {
        Self { joint, in_joint_m: DVec3::ZERO }
    }
}

pub(super) struct Reference {
    poses: Vec<WorldPose>,
}

impl Reference {
    /// Poses spread over the clip, without its first frame (often an added T-pose) when there are others.
    pub fn of_clip(clip: &Clip) -> Self {
        let frames = clip.frame_count();
        if frames == 0 {
            return Self::rest(clip.skeleton());
        }
        let first = usize::from(frames > 1);
        let count = (frames - first).min(MOST_REFERENCE_POSES);
        let pose = |step: usize| {
            let mut pose = WorldPose::for_skeleton(clip.skeleton());
            pose.pose(clip, FrameIndex(first + step * (frames - first) / count));
            pose
        };
        Self { poses: (0..count).map(pose).collect() }
    }

    /// The rest pose alone.
    pub fn rest(skeleton: &Skeleton) -> Self {
        let mut pose = WorldPose::for_skeleton(skeleton);
        pose.joint_in_world_m = skeleton.rest_positions_m();
        Self { poses: vec![pose] }
    }

    /// Mean place of a point in a joint's frame. Exact where nothing between them turns.
    pub fn point_in_m(&self, frame: JointId, point: Point) -> DVec3 {
        if frame == point.joint {
            return point.in_joint_m;
        }
        self.mean(|pose| {
            let from_m = pose.point_in_world_m(point.joint, point.in_joint_m) - pose.joint_in_world_m[frame.index()];
            pose.world_from_joint[frame.index()].conjugate() * from_m
        })
    }

    /// Mean direction, told in the world for each pose, in a joint's frame. `None` where it averages out.
    pub fn direction_in(&self, frame: JointId, direction_in_world: impl Fn(&WorldPose) -> DVec3) -> Option<DVec3> {
        let mean = self.mean(|pose| pose.world_from_joint[frame.index()].conjugate() * direction_in_world(pose));
        (mean.length() > 0.2).then(|| mean.normalize())
    }

    /// The world's up in a joint's frame over those poses in which the joint is low: a foot is flat when it stands.
    pub fn up_when_low(&self, joint: JointId) -> DVec3 {
        let height_m = |pose: &WorldPose| pose.joint_in_world_m[joint.index()].y;
        let mut heights_m: Vec<f64> = self.poses.iter().map(height_m).collect();
        heights_m.sort_by(f64::total_cmp);
        let limit_m = heights_m.get(heights_m.len() / 2).copied().unwrap_or(0.0);
        let mut sum = DVec3::ZERO;
        for pose in self.poses.iter().filter(|pose| height_m(pose) <= limit_m) {
            sum += pose.world_from_joint[joint.index()].conjugate() * DVec3::Y;
        }
        sum.try_normalize().unwrap_or(DVec3::Y)
    }

    /// Axes fixed in one joint's frame, as they lie in another's on average.
    pub fn axes_in(&self, frame: JointId, of: JointId, axes: DMat3) -> DMat3 {
        if frame == of {
            return axes;
        }
        let carried = |axis: DVec3| self.direction_in(frame, |pose| pose.world_from_joint[of.index()] * axis);
        axes_from(carried(axes.z_axis).unwrap_or(axes.z_axis), carried(axes.y_axis))
    }

    fn mean(&self, value: impl Fn(&WorldPose) -> DVec3) -> DVec3 {
        self.poses.iter().map(value).sum::<DVec3>() / self.poses.len().max(1) as f64
    }
}

/// Every end of the skeleton below `joint`: end sites, and leaf joints without one.
pub(super) fn ends_below(skeleton: &Skeleton, joint: JointId) -> Vec<Point> {
    let mut ends = Vec::new();
    for id in skeleton.ids().filter(|&id| id >= joint && skeleton.is_in_subtree(id, joint)) {
        let sites = &skeleton.joint(id).end_sites;
        ends.extend(sites.iter().map(|site| Point { joint: id, in_joint_m: site.offset_m }));
        if sites.is_empty() && skeleton.children(id).is_empty() && id != joint {
            ends.push(Point::of(id));
        }
    }
    ends
}

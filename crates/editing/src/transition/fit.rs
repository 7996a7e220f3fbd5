//! Which part of the second motion lies best over the first, and how it must be moved for it.

use aplomb_motion::edit::{GroundMove, align_yaw, body_joint};
use aplomb_motion::kinematics::joint_positions_m;
use aplomb_motion::{Clip, JointId};
use glam::DVec3;

pub(super) struct Fit {
    /// Frame of the second motion that meets the start of the window.
    pub into: usize,
    pub by: GroundMove,
    /// Root mean square distance of joints, each motion seen from its own body's place on the ground, m.
    pub apart_m: f64,
}

impl Fit {
    /// With the frame given.
    pub fn at(a: &Clip, b: &Clip, start: usize, into: usize, window: usize) -> Self {
        Cloud::of(a).fit(start, &Cloud::of(b), into, window)
    }

    /// The best frame; the earliest among equals. Only the first half of the frames that leave room for the window is
    /// looked at: a meeting at the very end fits as well as any other and leaves nothing of the second motion.
    pub fn best(a: &Clip, b: &Clip, start: usize, window: usize) -> Self {
        let (cloud_a, cloud_b) = (Cloud::of(a), Cloud::of(b));
        let last = b.frame_count().saturating_sub(1 + window) / 2;
        let candidates = (0..=last).map(|into| cloud_a.fit(start, &cloud_b, into, window));
        let first = cloud_a.fit(start, &cloud_b, 0, window);
        candidates.fold(first, |best, next| if next.apart_m < best.apart_m { next } else { best })
    }
}

/// Joints of every frame, and the body's place on the ground.
struct Cloud {
    joints: usize,
    points_m: Vec<DVec3>,
    body: usize,
}

impl Cloud {
    fn of(clip: &Clip) -> Self {
        let body: JointId = body_joint(clip.skeleton());
        Self { joints: clip.skeleton().len(), points_m: joint_positions_m(clip), body: body.index() }
    }

    fn fit(&self, start: usize, other: &Self, into: usize, window: usize) -> Fit {
        // Seen from the body's own place, since a faster motion leaves the slower behind whatever the pose; about ten
        // frames of the window say as much as all of them.
        let stride = (window / 10).max(1);
        let frames: Vec<usize> = (0..=window).step_by(stride).collect();
        let (mut a_m, mut b_m) = (Vec::new(), Vec::new());
        for &frame in &frames {
            a_m.extend(self.around_body(start + frame));
            b_m.extend(other.around_body(into + frame));
        }
        let weights = vec![1.0; a_m.len()];
        let turn = align_yaw(&a_m, &b_m, &weights).map_or(0.0, |found| found.yaw_rad);
        let turned = GroundMove { yaw_rad: turn, shift_m: DVec3::ZERO };
        let squares: f64 = a_m.iter().zip(&b_m).map(|(a, b)| a.distance_squared(turned.point_m(*b))).sum();
        let apart_m = (squares / a_m.len().max(1) as f64).sqrt();
        // The body goes on from where it is.
        let by = GroundMove::turning_onto(turn, other.body_m(into), self.body_m(start));
        Fit { into, by, apart_m }
    }

    fn around_body(&self, frame: usize) -> impl Iterator<Item = DVec3> + '_ {
        let body_m = self.body_m(frame).with_y(0.0);
        self.points_m[frame * self.joints..(frame + 1) * self.joints].iter().map(move |point_m| *point_m - body_m)
    }

    fn body_m(&self, frame: usize) -> DVec3 {
        self.points_m[frame * self.joints + self.body]
    }
}

//! Where links and their points are in the frames of the clip.

use super::touch::Touch;
use aplomb_physics::dynamics::{BodyModel, LinkId, Workspace};
use glam::{DMat3, DVec3};

/// Where a point moves faster than this it says little about where it stands, m/s.
const SLOW: f64 = 0.1;

/// Links of all frames.
#[derive(Clone)]
pub struct Paths<'a> {
    tree: &'a BodyModel,
    pub times_secs: &'a [f64],
    configurations: &'a [Vec<f64>],
    work: Workspace,
    at: Option<usize>,
}

impl<'a> Paths<'a> {
    pub fn of(tree: &'a BodyModel, times_secs: &'a [f64], configurations: &'a [Vec<f64>]) -> Self {
        Self { tree, times_secs, configurations, work: Workspace::new(&tree.model), at: None }
    }

    pub fn len(&self) -> usize {
        self.times_secs.len()
    }

    fn go(&mut self, frame: usize) {
        if self.at != Some(frame) {
            self.work.place(&self.tree.model, &self.configurations[frame]);
            self.at = Some(frame);
        }
    }

    pub fn point_m(&mut self, frame: usize, touch: &Touch) -> DVec3 {
        self.go(frame);
        self.work.link(touch.link).point_in_world_m(touch.point_in_link_m)
    }

    pub fn world_from_link(&mut self, frame: usize, link: LinkId) -> DMat3 {
        self.go(frame);
        self.work.link(link).world_from_link
    }

    pub fn up_in_link(&mut self, frame: usize, touch: &Touch) -> DVec3 {
        self.world_from_link(frame, touch.link).transpose() * DVec3::Y
    }

    pub fn frames(&self, start_secs: f64, end_secs: f64) -> std::ops::Range<usize> {
        let first = self.times_secs.partition_point(|secs| *secs < start_secs);
        let end = self.times_secs.partition_point(|secs| *secs <= end_secs);
        first..end.max(first)
    }

    /// Of a point, m/s.
    pub fn speed(&mut self, frame: usize, touch: &Touch) -> f64 {
        let (before, after) = (frame.saturating_sub(1), (frame + 1).min(self.len() - 1));
        let way_m = self.point_m(after, touch) - self.point_m(before, touch);
        way_m.length() / (self.times_secs[after] - self.times_secs[before]).max(1e-6)
    }

    /// 1 for a frame in which a point rests, less where it moves.
    pub fn trust(&mut self, frame: usize, touch: &Touch) -> f64 {
        1.0 / (1.0 + (self.speed(frame, touch) / SLOW).powi(2))
    }
}

//! A body that is put into poses, one after the other.

use super::subject::Subject;
use super::touch::Touch;
use aplomb_physics::dynamics::{BodyModel, Workspace};
use glam::DVec3;

/// A body whose links are where the last pose put them.
pub struct PosedBody<'f> {
    pub subject: &'f Subject,
    pub tree: &'f BodyModel,
    pub work: Workspace,
    /// The pose as the tree's configuration.
    pub q: Vec<f64>,
}

impl<'f> PosedBody<'f> {
    /// `tree` is the subject's own, or one with other lengths and masses.
    pub fn new(subject: &'f Subject, tree: &'f BodyModel) -> Self {
        Self { subject, tree, work: Workspace::new(&tree.model), q: tree.model.neutral() }
    }

    /// Places all links by coordinates.
    pub fn go(&mut self, x: &[f64]) {
        self.subject.coordinates.configuration(x, &mut self.q);
        self.work.place(&self.tree.model, &self.q);
    }

    /// A point in the pose last gone to.
    pub fn touch_m(&self, touch: &Touch) -> DVec3 {
        self.work.link(touch.link).point_in_world_m(touch.point_in_link_m)
    }

    /// Centre of mass of the pose last gone to.
    pub fn com_m(&self) -> DVec3 {
        let model = &self.tree.model;
        let moment = model.links().map(|link| {
            let inertia = model.inertia(link);
            self.work.link(link).point_in_world_m(inertia.com_m) * inertia.mass_kg
        });
        moment.sum::<DVec3>() / model.total_mass_kg()
    }
}

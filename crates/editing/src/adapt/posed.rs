//! A body that is put into poses, one after the other.

use super::figure::Figure;
use aplomb_physics::dynamics::{BodyModel, Workspace};

/// Whose links are where the last pose put them.
pub(super) struct Posed<'f> {
    pub figure: &'f Figure,
    pub tree: &'f BodyModel,
    pub work: Workspace,
    /// The pose as the tree's configuration.
    pub q: Vec<f64>,
}

impl<'f> Posed<'f> {
    /// `tree` is the figure's own, or one with other lengths and masses.
    pub fn new(figure: &'f Figure, tree: &'f BodyModel) -> Self {
        Self { figure, tree, work: Workspace::new(&tree.model), q: tree.model.neutral() }
    }

    /// Places all links by coordinates.
    pub fn go(&mut self, x: &[f64]) {
        self.figure.coordinates.configuration(x, &mut self.q);
        self.work.place(&self.tree.model, &self.q);
    }
}

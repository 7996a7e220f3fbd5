//! Which of many shapes can be near each other: a hierarchy of boxes around them.

use super::Convex;
use crate::dynamics::LinkMotion;
use parry3d_f64::bounding_volume::Aabb;
use parry3d_f64::partitioning::Bvh;

/// A hierarchy of boxes around shapes that move; keep and refit it.
#[derive(Clone, Debug, Default)]
pub struct Broad {
    tree: Bvh,
    boxes: Vec<Aabb>,
}

impl Broad {
    /// Around shapes on their links, each with a margin; the same number in the same order as last time.
    pub fn fit<'a>(&mut self, shapes: impl Iterator<Item = (&'a Convex, &'a LinkMotion)>, margin_m: f64) {
        self.boxes.clear();
        self.boxes.extend(shapes.map(|(shape, link)| shape.aabb(link, margin_m)));
        for (index, aabb) in self.boxes.iter().enumerate() {
            self.tree.insert_or_update_partially(*aabb, index as u32, 0.0);
        }
        self.tree.refit_without_opt();
    }

    /// Calls `take` with the shapes whose boxes overlap that of one shape, in no order, itself included.
    pub fn near(&self, shape: usize, mut take: impl FnMut(usize)) {
        for other in self.tree.intersect_aabb(&self.boxes[shape]) {
            take(other as usize);
        }
    }
}

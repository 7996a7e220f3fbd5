//! Forces from outside: contacts, hands that push, wind.

use super::model::{LinkId, Model};
use super::workspace::LinkMotion;
use crate::spatial::SpatialForce;
use glam::{DMat3, DVec3};

/// A force on a point of a link. The point moves with the link, the force keeps its direction in the world: derivatives
/// with respect to q know both.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PointForce {
    /// On which link.
    pub link: LinkId,
    /// Where, in its frame, m.
    pub point_in_link_m: DVec3,
    /// N, world axes.
    pub force: DVec3,
}

/// All forces from outside in one state; keep and refill it.
#[derive(Clone, Debug, Default)]
pub struct Loads {
    /// In any order, any number a link.
    pub forces: Vec<PointForce>,
}

/// Loads of one link in world axes, about its joint.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct LinkLoad {
    pub force: SpatialForce,
    /// Σ f rᵀ, r from the joint: how the moment changes when the link turns and the forces do not.
    pub outer: DMat3,
}

impl Loads {
    /// None.
    pub const NONE: Self = Self { forces: Vec::new() };

    /// Calls `take` with each link that is loaded, once a force.
    #[inline(always)]
    pub(super) fn each(&self, motions: &[LinkMotion], mut take: impl FnMut(usize, LinkLoad)) {
        for load in &self.forces {
            let link = load.link.index();
            let arm = motions[link].world_from_link * load.point_in_link_m;
            let force = SpatialForce { angular: arm.cross(load.force), linear: load.force };
            take(link, LinkLoad { force, outer: outer(load.force, arm) });
        }
    }

    /// Whether every force names a link of the model and is finite.
    pub fn fits(&self, model: &Model) -> bool {
        self.forces.iter().all(|load| {
            load.link.index() < model.link_count() && load.force.is_finite() && load.point_in_link_m.is_finite()
        })
    }
}

/// a bᵀ.
#[inline(always)]
pub(super) fn outer(a: DVec3, b: DVec3) -> DMat3 {
    DMat3::from_cols(a * b.x, a * b.y, a * b.z)
}

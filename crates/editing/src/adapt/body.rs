//! Changed bodies: something carried, longer or shorter limbs.

use crate::EditingError;
use aplomb_physics::dynamics::{BodyModel, LinkId, Model};
use aplomb_physics::spatial::{SpatialInertia, Symmetric3};
use glam::DVec3;

/// Something heavy that moves with a link.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Carried {
    pub link: LinkId,
    pub at_m: DVec3,
    pub mass_kg: f64,
}

/// A link that is longer by a factor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Scaled {
    pub link: LinkId,
    pub factor: f64,
}

/// A ball of this radius stands for what is carried, m: a briefcase turns with the hand.
const CARRIED_RADIUS_M: f64 = 0.15;

/// The tree with other masses and lengths. A link that grows by s keeps its thickness: mass grows by s, inertia by s³.
pub(super) fn changed(tree: &BodyModel, carried: &[Carried], scaled: &[Scaled]) -> Result<BodyModel, EditingError> {
    let model = &tree.model;
    let mut builder = Model::builder().gravity(model.gravity);
    let factor = |link: LinkId| scaled.iter().filter(|own| own.link == link).map(|own| own.factor).product::<f64>();
    for link in model.links() {
        let parent = model.parent(link);
        let offset_m = model.offset_m(link) * parent.map_or(1.0, factor);
        let s = factor(link);
        let own = model.inertia(link);
        let mut inertia =
            SpatialInertia { mass_kg: own.mass_kg * s, com_m: own.com_m * s, about_com: own.about_com * (s * s * s) };
        for load in carried.iter().filter(|load| load.link == link) {
            let ball = 0.4 * load.mass_kg * CARRIED_RADIUS_M * CARRIED_RADIUS_M;
            let about_com = Symmetric3::diagonal(DVec3::splat(ball));
            inertia = inertia + SpatialInertia { mass_kg: load.mass_kg, com_m: load.at_m * s, about_com };
        }
        builder.add(parent, model.name(link), model.kind(link), offset_m, model.rest(link), inertia);
    }
    Ok(BodyModel { model: builder.build()?, joints: tree.joints.clone() })
}

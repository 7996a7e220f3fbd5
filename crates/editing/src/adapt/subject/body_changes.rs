//! Changed bodies: something carried, longer or shorter limbs.

use crate::EditingError;
use aplomb_physics::dynamics::{BodyModel, LinkId, Model};
use aplomb_physics::spatial::{SpatialInertia, Symmetric3};
use glam::DVec3;

/// Something heavy that moves with a link.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CarriedLoad {
    pub link: LinkId,
    pub at_m: DVec3,
    pub mass_kg: f64,
}

/// A link that is longer by a factor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scaled {
    pub link: LinkId,
    pub factor: f64,
}

/// What is different from the captured body.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BodyChanges {
    pub carried: Vec<CarriedLoad>,
    pub scaled: Vec<Scaled>,
}

impl BodyChanges {
    /// How many times as long a link is.
    pub fn factor(&self, link: LinkId) -> f64 {
        self.scaled.iter().filter(|own| own.link == link).map(|own| own.factor).product()
    }
}

/// The body that an adapted motion is made for.
#[derive(Clone, Debug)]
pub struct ChangedBody {
    pub tree: BodyModel,
    pub changes: BodyChanges,
}

/// A ball of this radius stands for what is carried, m: a briefcase turns with the hand.
const CARRIED_RADIUS_M: f64 = 0.15;

impl ChangedBody {
    /// The tree with other masses and lengths. A link that grows by s keeps its thickness: mass grows by s, inertia by
    /// s³.
    pub fn new(tree: &BodyModel, changes: BodyChanges) -> Result<Self, EditingError> {
        let model = &tree.model;
        let mut builder = Model::builder().gravity(model.gravity);
        for link in model.links() {
            let parent = model.parent(link);
            let offset_m = model.offset_m(link) * parent.map_or(1.0, |parent| changes.factor(parent));
            let s = changes.factor(link);
            let own = model.inertia(link);
            let about_com = own.about_com * (s * s * s);
            let mut inertia = SpatialInertia { mass_kg: own.mass_kg * s, com_m: own.com_m * s, about_com };
            for load in changes.carried.iter().filter(|load| load.link == link) {
                let ball = 0.4 * load.mass_kg * CARRIED_RADIUS_M * CARRIED_RADIUS_M;
                let about_com = Symmetric3::diagonal(DVec3::splat(ball));
                inertia = inertia + SpatialInertia { mass_kg: load.mass_kg, com_m: load.at_m * s, about_com };
            }
            builder.add(parent, model.name(link), model.kind(link), offset_m, model.rest(link), inertia);
        }
        let tree = BodyModel { model: builder.build()?, joints: tree.joints.clone() };
        Ok(Self { tree, changes })
    }
}

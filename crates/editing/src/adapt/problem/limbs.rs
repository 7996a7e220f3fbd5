//! Limbs that must not pass through each other: shapes of the body's links, which pairs of them are watched, and how
//! near they come.

use super::trajectory::Trajectory;
use crate::adapt::subject::{ChangedBody, PosedBody, Subject};
use aplomb_motion::Role;
use aplomb_physics::body::Shape;
use aplomb_physics::collision::{Convex, nearest};
use aplomb_physics::dynamics::{BodyModel, LinkId};

/// Limbs of runners pass each other at five metres a second: a centimetre between two looks, s.
pub const LIMBS_SECS: f64 = 0.0025;
/// Limbs that are apart in the clip keep at least this, m: rows stand every few milliseconds only.
const LIMBS_SPARE_M: f64 = 0.006;
/// Those that overlap in the clip (shapes are rounder than people) get no deeper than there; the solver's own tolerance
/// and what happens between rows come on top, m.
const TOLERANCE_M: f64 = 0.002;
/// Pairs that stay farther apart than this in the clip are not watched, m: no adaptation brings them together.
const PAIRS_FAR_M: f64 = 0.45;

/// Two shapes on different links.
#[derive(Clone, Debug, PartialEq)]
pub struct LinkPair {
    pub a: LinkId,
    pub b: LinkId,
    pub shape_a: Convex,
    pub shape_b: Convex,
    /// They come no nearer, m; negative for shapes that overlap in the clip.
    pub least_m: f64,
}

impl LinkPair {
    /// How near they may come, m: surfaces touch, or overlap as they do in the clip.
    pub fn own_overlap_m(&self) -> f64 {
        (self.least_m - TOLERANCE_M).min(0.0)
    }
}

/// Pairs to watch: arms and legs with each other from three joints apart on, and forearms and hands with trunk and head
/// where the clip shows that they need not overlap. Trunk and thighs bend into each other as soft parts do.
pub fn pairs(subject: &Subject, body: &ChangedBody, motion: &Trajectory, end_secs: f64) -> Vec<LinkPair> {
    let (tree, shapes) = (&body.tree, shapes(subject, body));
    let mut pairs = Vec::new();
    for (index, (a, shape_a)) in shapes.iter().enumerate() {
        for (b, shape_b) in &shapes[index + 1..] {
            if is_watched(subject, tree, *a, *b) {
                pairs.push(LinkPair { a: *a, b: *b, shape_a: *shape_a, shape_b: *shape_b, least_m: f64::INFINITY });
            }
        }
    }
    let found = nearest_m(subject, tree, (motion, end_secs), &pairs, PAIRS_FAR_M);
    let is_limb = |link: LinkId| is_part(subject, link, LinkKind::of).is_some_and(|kind| kind != LinkKind::Trunk);
    let watched = pairs.into_iter().zip(found);
    let watched =
        watched.filter(|(pair, own_m)| own_m.is_finite() && (*own_m > 0.0 || is_limb(pair.a) && is_limb(pair.b)));
    watched.map(|(pair, own_m)| LinkPair { least_m: LIMBS_SPARE_M.min(own_m + TOLERANCE_M), ..pair }).collect()
}

/// Everything a body is made of.
pub fn shapes(subject: &Subject, body: &ChangedBody) -> Vec<(LinkId, Convex)> {
    let tree = &body.tree;
    let of_link = |link: LinkId| {
        let own = subject.skeleton.body.link(tree.joints[link.index()]);
        let factor = body.changes.factor(link);
        let shapes = own.map(|own| own.shapes.as_slice()).unwrap_or_default();
        shapes.iter().map(move |shape| (link, Convex::from(&longer(shape, factor))))
    };
    tree.model.links().flat_map(of_link).collect()
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LinkKind {
    Trunk,
    UpperArm,
    LowerArm,
    Leg,
}

impl LinkKind {
    fn of(role: Role) -> Option<Self> {
        match role {
            Role::Hips | Role::Spine(_) | Role::Neck(_) | Role::Head => Some(Self::Trunk),
            Role::UpperArm(_) => Some(Self::UpperArm),
            Role::Forearm(_) | Role::Hand(_) => Some(Self::LowerArm),
            Role::Thigh(_) | Role::Shank(_) | Role::Foot(_) | Role::Toe(_) => Some(Self::Leg),
            _ => None,
        }
    }
}

fn is_part<T>(subject: &Subject, link: LinkId, read: impl Fn(Role) -> Option<T>) -> Option<T> {
    subject.roles.role(link).and_then(read)
}

fn is_watched(subject: &Subject, tree: &BodyModel, a: LinkId, b: LinkId) -> bool {
    let [Some(kind_a), Some(kind_b)] = [a, b].map(|link| is_part(subject, link, LinkKind::of)) else { return false };
    match (kind_a, kind_b) {
        (LinkKind::Trunk, LinkKind::LowerArm) | (LinkKind::LowerArm, LinkKind::Trunk) => {
            joints_between(tree, a, b) >= 2
        }
        (LinkKind::Trunk, _) | (_, LinkKind::Trunk) => false,
        _ => joints_between(tree, a, b) >= 3,
    }
}

/// A link that grows by s keeps its thickness.
fn longer(shape: &Shape, s: f64) -> Shape {
    match *shape {
        Shape::Capsule { start_m, end_m, radius_m } => {
            Shape::Capsule { start_m: start_m * s, end_m: end_m * s, radius_m }
        }
        Shape::Box { centre_m, rotation, half_m } => Shape::Box { centre_m: centre_m * s, rotation, half_m },
        Shape::Ellipsoid { centre_m, rotation, half_m } => {
            Shape::Ellipsoid { centre_m: centre_m * s, rotation, half_m }
        }
    }
}

fn joints_between(tree: &BodyModel, a: LinkId, b: LinkId) -> usize {
    let above = |link: LinkId| std::iter::successors(Some(link), |link| tree.model.parent(*link));
    let of_a: Vec<LinkId> = above(a).collect();
    let meet = above(b).enumerate().find_map(|(up_b, link)| Some(up_b + of_a.iter().position(|own| *own == link)?));
    meet.unwrap_or(usize::MAX)
}

/// How near pairs come over a motion that lasts so long, m; infinite for those that stay farther apart than `within_m`.
pub fn nearest_m(
    subject: &Subject,
    tree: &BodyModel,
    (motion, end_secs): (&Trajectory, f64),
    pairs: &[LinkPair],
    within_m: f64,
) -> Vec<f64> {
    let mut posed = PosedBody::new(subject, tree);
    let mut found = vec![f64::INFINITY; pairs.len()];
    // Twice as often as rows stand: what happens between them counts, too.
    let steps = (end_secs / (0.5 * LIMBS_SECS)).ceil().max(1.0) as usize;
    for step in 0..=steps {
        let secs = end_secs * step as f64 / steps as f64;
        posed.go(&motion.coordinates_at(secs));
        let work = &posed.work;
        for (pair, least_m) in pairs.iter().zip(&mut found) {
            // Nothing beyond what was found already is of interest.
            let within_m = within_m.min(*least_m);
            let near = nearest(&pair.shape_a, work.link(pair.a), &pair.shape_b, work.link(pair.b), within_m);
            *least_m = least_m.min(near.map_or(f64::INFINITY, |near| near.distance_m));
        }
    }
    found
}

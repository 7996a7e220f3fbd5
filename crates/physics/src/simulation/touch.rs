//! Forces between shapes of a scene: springs and dampers with Coulomb friction, implicit in both bodies at once.
//!
//! With A the matrix of each tree's own step and a⁰ what it accelerates by itself, a touch with Jacobian J (of the
//! relative velocity u of its point) exerts λ = f⁰ − S J a with S = h D + h² C, and a = a⁰ + A⁻¹ Jᵀ λ. Hence
//!
//! ```text
//!   (S⁻¹ + J A⁻¹ Jᵀ) λ = S⁻¹ f⁰ − J a⁰,     λₙ ≥ 0,  |λₜ| ≤ μ λₙ
//! ```
//!
//! Blocks of three are solved in turn, each inside its cone, until nothing changes: with one touch, which is the rule,
//! at once.

use super::actor::{Actor, SolidId};
use super::stepping::Scheme;
use crate::collision::{Broad, Nearest, nearest};
use crate::dynamics::LinkMotion;
use glam::{DMat3, DVec3};

/// Two shapes that push each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pair {
    /// One.
    pub a: SolidId,
    /// The other.
    pub b: SolidId,
    /// C, N/m.
    pub stiffness: f64,
    /// What a blow loses.
    pub loss: Loss,
    /// μ.
    pub friction: f64,
    /// Nothing happens between them before, s.
    pub from_secs: f64,
}

/// What a touch takes of the speed that two bodies meet with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Loss {
    /// D, N·s/m, whatever strikes.
    Damping(f64),
    /// The share of it that they part with if nothing else acts on them, from [`Loss::LEAST_RESTITUTION`] to 1.
    ///
    /// D = 2ζ √(C m) with m = 1/(n·J A⁻¹ Jᵀ n), the inertia that the touch itself feels. Materials have a restitution,
    /// not a damper: one that suits a hand of half a kilogram takes three quarters of the bounce of a fingertip, which
    /// feels like fifty grams.
    Restitution(f64),
}

impl Loss {
    /// Flesh on wood: what 60 N·s/m with 10⁵ N/m leave to a hand of 0.46 kg.
    pub const FLESH: Self = Self::Restitution(0.67);

    /// A critically damped touch: e⁻².
    pub const LEAST_RESTITUTION: f64 = 0.14;

    /// ζ of a restitution e. A spring and a damper that push and do not pull let go when their force is nothing, before
    /// the spring is at rest: e = exp(−2ζ/√(1−ζ²) · atan(√(1−ζ²)/ζ)) (Schwager & Pöschel 2007, eq. 22), which falls
    /// with ζ and is halved into.
    fn ratio(restitution: f64) -> f64 {
        let left = |ratio: f64| {
            let rest = (1.0 - ratio * ratio).sqrt();
            (-2.0 * ratio / rest * rest.atan2(ratio)).exp()
        };
        let (mut low, mut high) = (0.0, 1.0 - 1e-9);
        for _ in 0..50 {
            let middle = 0.5 * (low + high);
            if left(middle) > restitution { low = middle } else { high = middle }
        }
        low
    }
}

impl Pair {
    /// Flesh on wood: stiff enough that a drum stroke stays within 5 mm.
    pub fn new(a: SolidId, b: SolidId) -> Self {
        Self { a, b, stiffness: 1e5, loss: Loss::FLESH, friction: 0.6, from_secs: f64::NEG_INFINITY }
    }
}

/// A pair in touch at one moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Touch {
    /// Start of the (divided) step.
    pub time_secs: f64,
    /// Position in [`super::World::pairs`].
    pub pair: usize,
    /// Between the two surfaces, m.
    pub point_m: DVec3,
    /// From b to a.
    pub normal: DVec3,
    /// How deep they are in each other, m.
    pub depth_m: f64,
    /// On a, N; b feels the opposite.
    pub force: DVec3,
}

/// One side's part in a touch's Jacobian.
#[derive(Clone, Debug, Default)]
struct Part {
    actor: usize,
    /// Degrees of freedom with the velocity that each gives to the point, signed.
    columns: Vec<(usize, DVec3)>,
    /// A⁻¹ Jᵀ, a column for each axis.
    response: [Vec<f64>; 3],
}

#[derive(Clone, Debug, Default)]
struct Active {
    pair: usize,
    near: Option<Nearest>,
    parts: [Part; 2],
    /// D, N·s/m.
    damping: f64,
    /// Force if nothing accelerates.
    start: DVec3,
    /// Right side of the module's equation.
    asked: DVec3,
    force: DVec3,
}

/// All pairs, what friction remembers of them, and scratch.
#[derive(Debug)]
pub(super) struct Touches {
    pairs: Vec<Pair>,
    /// ζ of those that are told by a restitution.
    ratios: Vec<Option<f64>>,
    /// Where friction holds, in the frame of b's link, while a pair touches.
    anchors: Vec<Option<DVec3>>,
    seen: Vec<Touch>,
    active: Vec<Active>,
    count: usize,
    blocks: Vec<DMat3>,
    broad: Broad,
    candidates: Vec<usize>,
}

/// From this many pairs on a hierarchy of boxes is quicker than asking each pair for the distance of its middles.
const MANY_PAIRS: usize = 64;

impl Touches {
    pub fn new(pairs: Vec<Pair>) -> Self {
        let ratio = |pair: &Pair| match pair.loss {
            Loss::Damping(_) => None,
            Loss::Restitution(restitution) => Some(Loss::ratio(restitution)),
        };
        Self {
            ratios: pairs.iter().map(ratio).collect(),
            anchors: vec![None; pairs.len()],
            pairs,
            seen: Vec::new(),
            active: Vec::new(),
            count: 0,
            blocks: Vec::new(),
            broad: Broad::default(),
            candidates: Vec::new(),
        }
    }

    pub fn pairs(&self) -> &[Pair] {
        &self.pairs
    }

    pub fn seen(&self) -> &[Touch] {
        &self.seen
    }

    pub fn forget(&mut self) {
        self.seen.clear();
    }

    /// No pair touches: friction forgets where it held.
    pub fn let_go(&mut self) {
        self.anchors.fill(None);
    }

    pub fn is_any_armed(&self, time_secs: f64) -> bool {
        self.pairs.iter().any(|pair| pair.from_secs <= time_secs)
    }

    /// The deepest overlap of pairs that are armed from the start.
    pub fn first_overlap(&self, actors: &[Actor]) -> Option<(Pair, f64)> {
        let from_start = self.pairs.iter().filter(|pair| pair.from_secs <= 0.0);
        let depths = from_start.filter_map(|pair| Some((*pair, -distance(actors, pair, 0.0)?.distance_m)));
        depths.filter(|(_, depth_m)| *depth_m > 0.0).max_by(|a, b| a.1.total_cmp(&b.1))
    }

    /// Whether a pair is nearer than `close_m` and what it can travel in a step.
    pub fn is_any_close(&mut self, actors: &[Actor], close_m: f64, step_secs: f64) -> bool {
        self.find_candidates(actors, close_m);
        let Self { pairs, candidates, .. } = self;
        candidates.iter().any(|&index| {
            let pair = &pairs[index];
            let (a, b) = (solid_motion(actors, pair.a), solid_motion(actors, pair.b));
            let speed = (a.1.velocity.linear - b.1.velocity.linear).length();
            distance(actors, pair, close_m + speed * step_secs).is_some()
        })
    }

    /// Pairs that may be near, in their own order.
    fn find_candidates(&mut self, actors: &[Actor], close_m: f64) {
        self.candidates.clear();
        if self.pairs.len() < MANY_PAIRS {
            self.candidates.extend(0..self.pairs.len());
            return;
        }
        let mut starts = Vec::with_capacity(actors.len());
        let mut count = 0;
        for actor in actors {
            starts.push(count);
            count += actor.solids.len();
        }
        let solids = actors.iter().flat_map(|actor| {
            actor.solids.iter().map(|solid| (&solid.shape, actor.simulation.workspace().link(solid.link)))
        });
        // What the fastest hand (10 m/s) travels in a step of 1/120 s comes on top.
        self.broad.fit(solids, 0.5 * close_m + 0.08);
        let mut is_near = vec![false; count];
        let mut last = None;
        for (index, pair) in self.pairs.iter().enumerate() {
            let (a, b) = (starts[pair.a.actor] + pair.a.solid, starts[pair.b.actor] + pair.b.solid);
            // Pairs of one shape usually stand together.
            if last != Some(a) {
                is_near.fill(false);
                self.broad.near(a, |other| is_near[other] = true);
                last = Some(a);
            }
            if is_near[b] {
                self.candidates.push(index);
            }
        }
    }

    /// Adds what the pairs do to the accelerations of the trees.
    pub fn act(&mut self, actors: &mut [Actor], time_secs: f64, step_secs: f64) {
        if self.pairs.is_empty() {
            return;
        }
        self.gather(actors, time_secs, step_secs);
        self.solve(actors, step_secs);
        for index in 0..self.count {
            let Active { pair, near, parts, force, .. } = &self.active[index];
            let Some(near) = near else { continue };
            for part in parts {
                let a = &mut actors[part.actor].simulation.a;
                for (axis, response) in part.response.iter().enumerate() {
                    a.iter_mut().zip(response).for_each(|(a, share)| *a += share * force[axis]);
                }
            }
            let (point_m, depth_m) = (near.on_a_m.midpoint(near.on_b_m), -near.distance_m);
            self.seen.push(Touch { time_secs, pair: *pair, point_m, normal: near.normal, depth_m, force: *force });
        }
    }

    /// Which pairs touch, with their Jacobians and the force that each would exert if nothing accelerated.
    fn gather(&mut self, actors: &[Actor], time_secs: f64, step_secs: f64) {
        self.count = 0;
        for index in 0..self.pairs.len() {
            let pair = self.pairs[index];
            let near = if pair.from_secs <= time_secs { distance(actors, &pair, 0.0) } else { None };
            let Some(near) = near.filter(|near| near.distance_m < 0.0) else {
                self.anchors[index] = None;
                continue;
            };
            if self.count == self.active.len() {
                self.active.push(Active::default());
            }
            let active = &mut self.active[self.count];
            let point_m = near.on_a_m.midpoint(near.on_b_m);
            let mut velocity = DVec3::ZERO;
            for (part, (id, sign)) in active.parts.iter_mut().zip([(pair.a, 1.0), (pair.b, -1.0)]) {
                velocity += part.fill(actors, id, point_m, sign);
            }
            let gives = near.normal.dot(coupling(active, active) * near.normal);
            active.damping = match (pair.loss, self.ratios[index]) {
                (Loss::Damping(damping), _) => damping,
                (_, Some(ratio)) if gives > 0.0 => 2.0 * ratio * (pair.stiffness / gives).sqrt(),
                _ => 0.0,
            };
            let damping = active.damping;
            let ahead_secs = if is_implicit(actors, &pair) { step_secs } else { 0.0 };
            let rising = velocity.dot(near.normal);
            let pressing = pair.stiffness * (-near.distance_m - ahead_secs * rising) - damping * rising;
            let link_b = solid_motion(actors, pair.b).1;
            let here = link_b.world_from_link.transpose() * (point_m - link_b.joint_in_world_m);
            let anchor_m = link_b.point_in_world_m(*self.anchors[index].get_or_insert(here));
            let slip = velocity - near.normal * rising;
            let away_m = anchor_m - point_m;
            let away_m = away_m - near.normal * away_m.dot(near.normal);
            let shear = away_m * pair.stiffness - slip * (damping + ahead_secs * pair.stiffness);
            active.start = near.normal * pressing + shear;
            (active.pair, active.near) = (index, Some(near));
            self.count += 1;
        }
    }

    /// λ of all touches.
    fn solve(&mut self, actors: &[Actor], step_secs: f64) {
        let Self { pairs, active, count, blocks, anchors, .. } = self;
        let active = &mut active[..*count];
        blocks.clear();
        for one in active.iter() {
            blocks.extend(active.iter().map(|other| coupling(one, other)));
        }
        for one in active.iter_mut() {
            let soft = softness(actors, &pairs[one.pair], one.damping, step_secs);
            one.asked = if soft > 0.0 { one.start / soft - free_acceleration(one, actors) } else { one.start };
            one.force = DVec3::ZERO;
        }
        // A few touches couple weakly; a dozen rounds leave nothing to change.
        for _ in 0..50 {
            let mut change: f64 = 0.0;
            for row in 0..*count {
                let pair = &pairs[active[row].pair];
                let soft = softness(actors, pair, active[row].damping, step_secs);
                let mut asked = active[row].asked;
                let own = if soft > 0.0 {
                    for column in (0..*count).filter(|&column| column != row) {
                        asked -= blocks[row * *count + column] * active[column].force;
                    }
                    blocks[row * *count + row] + DMat3::from_diagonal(DVec3::splat(1.0 / soft))
                } else {
                    DMat3::IDENTITY
                };
                let normal = active[row].near.map_or(DVec3::Y, |near| near.normal);
                let force = in_cone(own, asked, normal, pair.friction);
                change = change.max(force.distance(active[row].force) / (1.0 + force.length()));
                active[row].force = force;
            }
            if change < 1e-10 {
                break;
            }
        }
        for one in active.iter() {
            trail(&mut anchors[one.pair], one, &pairs[one.pair], actors);
        }
    }
}

/// Solves K λ = b for a force that presses and whose shear stays within friction.
fn in_cone(k: DMat3, asked: DVec3, normal: DVec3, friction: f64) -> DVec3 {
    let held = k.inverse() * asked;
    let pressing = held.dot(normal);
    let shear = held - normal * pressing;
    if pressing > 0.0 && shear.length() <= friction * pressing {
        return held;
    }
    // It slides: the direction of shear is kept, its size is μ times what presses, and the normal row alone decides how
    // much that is.
    let along = normal + shear.normalize_or_zero() * friction;
    let resists = normal.dot(k * along);
    let pressing = if resists > 0.0 { normal.dot(asked) / resists } else { 0.0 };
    along * pressing.max(0.0)
}

/// A touch that slid drags its anchor, so that the spring alone holds what friction can.
fn trail(anchor: &mut Option<DVec3>, touch: &Active, pair: &Pair, actors: &[Actor]) {
    let Some(near) = touch.near else { return };
    let pressing = touch.force.dot(near.normal);
    let shear = touch.force - near.normal * pressing;
    if pressing <= 0.0 || shear.length() >= friction_limit(pair, pressing) {
        let link_b = solid_motion(actors, pair.b).1;
        let held_m = near.on_a_m.midpoint(near.on_b_m) + shear / pair.stiffness;
        *anchor = Some(link_b.world_from_link.transpose() * (held_m - link_b.joint_in_world_m));
    }
}

/// A hair below μ N, so that rounding does not decide what slides.
fn friction_limit(pair: &Pair, pressing: f64) -> f64 {
    pair.friction * pressing * (1.0 - 1e-9)
}

fn is_implicit(actors: &[Actor], pair: &Pair) -> bool {
    [pair.a, pair.b].iter().all(|id| actors[id.actor].simulation.scheme == Scheme::Implicit)
}

/// S: how much a touch gives way to an acceleration, N·s²/m; zero in explicit steps.
fn softness(actors: &[Actor], pair: &Pair, damping: f64, step_secs: f64) -> f64 {
    if is_implicit(actors, pair) { step_secs * damping + step_secs * step_secs * pair.stiffness } else { 0.0 }
}

fn solid_motion(actors: &[Actor], id: SolidId) -> (&crate::collision::Convex, &LinkMotion) {
    let actor = &actors[id.actor];
    let solid = &actor.solids[id.solid];
    (&solid.shape, actor.simulation.workspace().link(solid.link))
}

fn distance(actors: &[Actor], pair: &Pair, within_m: f64) -> Option<Nearest> {
    let (a, b) = (solid_motion(actors, pair.a), solid_motion(actors, pair.b));
    nearest(a.0, a.1, b.0, b.1, within_m)
}

/// J A⁻¹ Jᵀ between two touches.
fn coupling(one: &Active, other: &Active) -> DMat3 {
    let mut block = DMat3::ZERO;
    for part in &one.parts {
        for answer in other.parts.iter().filter(|answer| answer.actor == part.actor) {
            for &(dof, column) in &part.columns {
                let [x, y, z] = &answer.response;
                block += DMat3::from_cols(column * x[dof], column * y[dof], column * z[dof]);
            }
        }
    }
    block
}

/// J a⁰.
fn free_acceleration(one: &Active, actors: &[Actor]) -> DVec3 {
    let of = |part: &Part| -> DVec3 {
        let a = &actors[part.actor].simulation.a;
        part.columns.iter().map(|&(dof, column)| column * a[dof]).sum()
    };
    one.parts.iter().map(of).sum()
}

impl Part {
    /// Jacobian and response of a point of a shape's link; gives the point's signed velocity.
    fn fill(&mut self, actors: &[Actor], id: SolidId, point_m: DVec3, sign: f64) -> DVec3 {
        let actor = &actors[id.actor];
        let (model, work) = (&actor.model, actor.simulation.workspace());
        self.actor = id.actor;
        let link = actor.solids[id.solid].link;
        super::ground::jacobian_columns(model, work, link, point_m, &mut self.columns);
        self.columns.iter_mut().for_each(|(_, column)| *column *= sign);
        for (axis, response) in self.response.iter_mut().enumerate() {
            response.clear();
            response.resize(model.nv(), 0.0);
            for &(dof, column) in &self.columns {
                response[dof] = column[axis];
            }
            actor.simulation.factor().solve(response);
        }
        let motion = work.link(link);
        motion.velocity.at(point_m - motion.joint_in_world_m).linear * sign
    }
}

//! What a trajectory has to satisfy, as data.

use super::coordinates::Coordinates;
use super::demands::Demands;
use super::grid::Grid;
use super::motion::Trajectory;
use aplomb_analysis::contacts::Part;
use aplomb_physics::dynamics::{BodyModel, LinkId};
use glam::DVec3;

/// A point of a link that may touch the world.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Touch {
    /// `left_heel` …
    pub name: String,
    pub link: LinkId,
    pub point_in_link_m: DVec3,
    /// Points of one foot (or hand) share it: they hold one rigid thing together.
    pub group: usize,
    pub part: Part,
}

/// A time during which a point stays where it is and carries.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Stand {
    pub touch: usize,
    pub start_secs: f64,
    pub end_secs: f64,
    pub place_m: DVec3,
    /// Across the foot, level.
    pub lateral: DVec3,
    /// Whether it already carries at its start, or still at its end: those of the clip.
    pub is_loaded_at_start: bool,
    pub is_loaded_at_end: bool,
    /// Hands on a bar may pull as well as push.
    pub is_bilateral: bool,
}

/// A demand besides dynamics and stands, at one time.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Demand {
    /// direction · p = value, or ≥ value.
    Point { link: LinkId, point_in_link_m: DVec3, direction: DVec3, value_m: f64 },
    /// sign · x = sign · value, or ≥.
    Coordinate { index: usize, sign: f64, value: f64 },
    /// A point stays above a smooth hump across its way: y ≥ floor + height · h(s), s = direction · (p − middle) / half.
    Above { link: LinkId, point_in_link_m: DVec3, hump: Hump },
    /// Two shapes keep apart: a pair of [`Demands::pairs`].
    Apart { pair: usize },
    /// From one point to another leads no farther than this off a direction.
    Cone(Cone),
}

/// A direction of the body that stays within a cone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Cone {
    /// From this point …
    pub from: (LinkId, DVec3),
    /// … to this one.
    pub to: (LinkId, DVec3),
    /// The middle of the cone, of length one: in the world, or fixed to a link.
    pub middle: DVec3,
    pub middle_link: Option<LinkId>,
    pub most_rad: f64,
}

/// An obstacle that is as high as `height_m` in the middle and falls off smoothly to the floor at `half_m` on both sides.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Hump {
    pub middle_m: DVec3,
    /// Level, along the way.
    pub direction: DVec3,
    pub half_m: f64,
    pub floor_m: f64,
    pub height_m: f64,
}

impl Hump {
    /// Height at a point, and its slope along the way: a cosine bell whose top is flat over the middle third.
    pub fn at(&self, point_m: DVec3) -> (f64, f64) {
        let s = self.direction.dot(point_m - self.middle_m) / self.half_m;
        let beyond = (s.abs() - 1.0 / 3.0) * 1.5;
        if beyond <= 0.0 {
            return (self.floor_m + self.height_m, 0.0);
        }
        if beyond >= 1.0 {
            return (self.floor_m, 0.0);
        }
        let (sin, cos) = (beyond * std::f64::consts::PI).sin_cos();
        let slope = -0.5 * self.height_m * sin * std::f64::consts::PI * 1.5 / self.half_m * s.signum();
        (self.floor_m + 0.5 * self.height_m * (1.0 + cos), slope)
    }
}

/// A demand with its time.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Asked {
    pub time_secs: f64,
    pub demand: Demand,
    pub is_equal: bool,
    /// Tells one row from another between iterations.
    pub id: u64,
    /// The same thing at other times: of such demands only the worst moments become rows.
    pub series: Option<u64>,
}

/// The size of a change: ‖δ‖² = Σ w_i ∫ (δx_i² + β δẍ_i²) dt + ∫ a λ² dt + b Σ (Δλ)², λ in body weights.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Metric {
    /// w_i.
    pub weights: Vec<f64>,
    /// β, s⁴: changes are spread over β^¼.
    pub smoothness: f64,
    /// How long changes go on beyond the start and the end, as fast as they are there, s: a clip is a piece of a longer motion. Who stands on one
    /// leg in it stood so before, and does not begin with a sway that only its first frame allows.
    pub ends_secs: [f64; 2],
    /// a.
    pub force: f64,
    /// b.
    pub force_change: f64,
    /// c ∫ δf² dt of torques that are unknowns, f in units of what people's joints give.
    pub torque: f64,
}

/// A torque with a spline of its own: full dynamics, or a mixture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Actuated {
    pub link: LinkId,
    /// In the link's frame.
    pub axis: DVec3,
    /// One of the unknown, N·m.
    pub unit_nm: f64,
}

/// Everything a trajectory is held to.
pub(super) struct Problem<'a> {
    pub tree: &'a BodyModel,
    pub coordinates: &'a Coordinates,
    pub grid: Grid,
    pub touches: Vec<Touch>,
    pub stands: Vec<Stand>,
    pub demands: Demands,
    /// The demands on this grid; see [`Problem::refresh`].
    pub asked: Vec<Asked>,
    /// Coulomb's μ.
    pub friction: f64,
    /// Height of the ground, m; points that swing stay above it.
    pub ground_m: Option<f64>,
    /// For each link the largest torque about each of its axes, N·m.
    pub torque_bounds: Vec<Option<f64>>,
    /// Torques that are unknowns, with a row of inverse dynamics each; the others follow.
    pub actuated: Vec<Actuated>,
    /// Largest sum of upward forces at times, body weights.
    pub load_bound: Option<LoadBound>,
    pub metric: Metric,
    /// What changes are measured from: a motion to stay near (equation 8), or every step's own start (equation 4).
    pub origin: Option<Trajectory>,
    /// Of the whole body.
    pub body_weight_n: f64,
}

/// The ground pushes no harder than this in a span.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct LoadBound {
    pub start_secs: f64,
    pub end_secs: f64,
    pub most_bw: f64,
}

/// One direction in which a stand holds its point.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hold {
    pub stand: usize,
    pub direction: DVec3,
}

/// What happens at one knot.
#[derive(Clone, Debug, Default)]
pub(super) struct KnotPlan {
    /// Touching points whose force is unknown here, with the stand each belongs to.
    pub forces: Vec<(usize, usize)>,
    pub holds: Vec<Hold>,
    /// Points that are free.
    pub free: Vec<usize>,
}

/// Events are met by knots within this.
const SAME_SECS: f64 = 1e-6;

impl Problem<'_> {
    /// Puts the problem on a grid.
    pub fn refresh(&mut self, grid: Grid) {
        self.asked = self.demands.rows(&grid, &self.touches, &self.stands, self.ground_m);
        self.grid = grid;
    }

    /// What happens at each knot.
    pub fn plan(&self) -> Vec<KnotPlan> {
        self.grid.knots_secs.iter().map(|&secs| self.plan_at(secs)).collect()
    }

    /// What happens at a time.
    pub fn plan_at(&self, secs: f64) -> KnotPlan {
        let mut plan = KnotPlan::default();
        let mut down: Vec<(usize, usize)> = Vec::new();
        for (index, stand) in self.stands.iter().enumerate() {
            if secs < stand.start_secs - SAME_SECS || secs > stand.end_secs + SAME_SECS {
                continue;
            }
            // A point that comes down where it stood before is down once.
            if down.iter().all(|(touch, _)| *touch != stand.touch) {
                down.push((stand.touch, index));
            }
            // Force rises from zero at a touchdown and falls to zero at a lift-off.
            let is_at_start = secs < stand.start_secs + SAME_SECS && !stand.is_loaded_at_start;
            let is_at_end = secs > stand.end_secs - SAME_SECS && !stand.is_loaded_at_end;
            if !is_at_start && !is_at_end {
                plan.forces.push((stand.touch, index));
            }
        }
        for &(touch, stand) in &down {
            plan.holds.extend(self.holds(touch, stand, &down));
        }
        plan.free = (0..self.touches.len()).filter(|touch| down.iter().all(|(other, _)| other != touch)).collect();
        plan
    }

    /// Rows that hold a point without saying what others of its foot already say: the ball in all directions, the heel up and across, the toe
    /// up, and across where no heel says which way the foot points. Who is alone is held in all.
    fn holds(&self, touch: usize, stand: usize, down: &[(usize, usize)]) -> Vec<Hold> {
        let own = &self.touches[touch];
        let has = |part: Part| {
            down.iter().any(|(other, _)| self.touches[*other].group == own.group && self.touches[*other].part == part)
        };
        let hold = |direction: DVec3| Hold { stand, direction };
        let all = [DVec3::X, DVec3::Y, DVec3::Z].map(hold).to_vec();
        let across = vec![hold(DVec3::Y), hold(self.stands[stand].lateral)];
        match own.part {
            Part::Heel if has(Part::Ball) => across,
            Part::Toe if has(Part::Ball) && has(Part::Heel) => vec![hold(DVec3::Y)],
            Part::Toe if has(Part::Ball) || has(Part::Heel) => across,
            _ => all,
        }
    }
}

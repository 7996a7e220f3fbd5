//! Demands that hold over time, and the moments on a grid at which they are asked.

use super::grid::Grid;
use super::limbs::{LIMBS_SECS, LinkPair};
use crate::adapt::subject::{Foothold, Touch};
use aplomb_physics::dynamics::LinkId;
use glam::DVec3;

/// Feet pass obstacles and the ground fast: they are watched this often, s.
pub const WATCH_SECS: f64 = 0.01;

/// A demand besides dynamics and stands, at one time.
#[derive(Clone, Debug, PartialEq)]
pub enum Demand {
    /// direction · p = value, or ≥ value.
    Point { link: LinkId, point_in_link_m: DVec3, direction: DVec3, value_m: f64 },
    /// sign · x = sign · value, or ≥.
    Coordinate { index: usize, sign: f64, value: f64 },
    /// A point stays above a smooth hump across its way: y ≥ floor + height · h(s),
    /// s = direction · (p − middle) / half.
    Above { link: LinkId, point_in_link_m: DVec3, hump: Hump },
    /// Two shapes keep apart: a pair of [`Demands::pairs`].
    Apart { pair: usize },
    /// From one point to another leads no farther than this off a direction.
    Cone(Cone),
}

/// A direction of the body that stays within a cone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cone {
    /// The point that the direction starts at.
    pub from: (LinkId, DVec3),
    /// The point that it leads to.
    pub to: (LinkId, DVec3),
    /// The middle of the cone, of length one: in the world, or fixed to a link.
    pub middle: DVec3,
    pub middle_link: Option<LinkId>,
    pub most_rad: f64,
}

/// An obstacle that is as high as `height_m` in the middle and falls off smoothly to the floor at `half_m` on both
/// sides.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hump {
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
pub struct DemandAtTime {
    pub time_secs: f64,
    pub demand: Demand,
    pub is_equal: bool,
    /// Tells one row from another between iterations.
    pub id: u64,
    /// The same thing at other times: of such demands only the worst moments become rows.
    pub series: Option<u64>,
}

/// What is asked of a body every [`WATCH_SECS`].
#[derive(Clone, Debug, PartialEq)]
pub struct Watched {
    pub demand: Demand,
    /// From and to when, s.
    pub span_secs: (f64, f64),
    /// Not while this point stands: it is held on the floor already, and two rows would have to agree to the last bit.
    pub unless_down: Option<usize>,
}

/// What has to hold besides dynamics and footholds.
#[derive(Clone, Debug, Default)]
pub struct Demands {
    /// Coordinates that keep a value.
    pub pinned: Vec<(usize, f64)>,
    /// Limbs that keep apart.
    pub pairs: Vec<LinkPair>,
    /// Points that stay above something.
    pub watched: Vec<Watched>,
    /// Directions that stay within cones, from and to when.
    pub cones: Vec<(Cone, f64, f64)>,
    /// What is asked at one time, and whether exactly.
    pub timed: Vec<(f64, Demand, bool)>,
}

/// Kinds of rows, so that one is known again in the next iteration and on the next grid.
const PINNED: u64 = 1;
const APART: u64 = 2;
const CONES: u64 = 3;
const WATCHED: u64 = 5;
const TIMED: u64 = 6;
const GROUND: u64 = 7;

impl Demands {
    /// As moments on a grid, in the order of time.
    pub fn on_grid(
        &self,
        grid: &Grid,
        touches: &[Touch],
        footholds: &[Foothold],
        ground_m: Option<f64>,
    ) -> Vec<DemandAtTime> {
        let mut asked: Vec<DemandAtTime> = Vec::new();
        let mut push = |kind: u64, index: usize, time_secs: f64, demand: Demand, is_equal: bool| {
            let id = kind << 56 | ((time_secs * 1e4).round() as u64) << 20 | index as u64;
            let series = matches!(kind, APART | WATCHED | GROUND).then_some(kind << 56 | index as u64);
            asked.push(DemandAtTime { time_secs, demand, is_equal, id, series });
        };
        for &secs in &grid.knots_secs {
            for (slot, &(index, value)) in self.pinned.iter().enumerate() {
                push(PINNED, slot, secs, Demand::Coordinate { index, sign: 1.0, value }, true);
            }
            for (slot, &(cone, from, to)) in self.cones.iter().enumerate() {
                if (from - 1e-6..=to + 1e-6).contains(&secs) {
                    push(CONES, slot, secs, Demand::Cone(cone), false);
                }
            }
        }
        for secs in watch_times(grid, LIMBS_SECS) {
            for pair in 0..self.pairs.len() {
                push(APART, pair, secs, Demand::Apart { pair }, false);
            }
        }
        let is_down = |touch: usize, secs: f64| {
            footholds.iter().any(|own| own.touch == touch && (own.start_secs..=own.end_secs).contains(&secs))
        };
        for secs in watch_times(grid, WATCH_SECS) {
            // At the knots themselves every free point near the ground has its row.
            let is_knot = grid.knots_secs.binary_search_by(|knot| knot.total_cmp(&secs)).is_ok();
            if let Some(value_m) = ground_m.filter(|_| !is_knot) {
                let is_free = |(index, own): &(usize, &Touch)| own.is_foot() && !is_down(*index, secs);
                for (index, &Touch { link, point_in_link_m, .. }) in touches.iter().enumerate().filter(is_free) {
                    let demand = Demand::Point { link, point_in_link_m, direction: DVec3::Y, value_m };
                    push(GROUND, index, secs, demand, false);
                }
            }
            for (index, own) in self.watched.iter().enumerate() {
                let (from, to) = own.span_secs;
                if (from..=to).contains(&secs) && !own.unless_down.is_some_and(|touch| is_down(touch, secs)) {
                    push(WATCHED, index, secs, own.demand.clone(), false);
                }
            }
        }
        for (slot, (secs, demand, is_equal)) in self.timed.iter().enumerate() {
            push(TIMED, slot, *secs, demand.clone(), *is_equal);
        }
        asked.sort_by(|a, b| a.time_secs.total_cmp(&b.time_secs));
        asked
    }
}

/// All knots, and as many times between them as leave no gap longer than this.
fn watch_times(grid: &Grid, every_secs: f64) -> Vec<f64> {
    let mut times_secs = Vec::new();
    for pair in grid.knots_secs.windows(2) {
        let pieces = ((pair[1] - pair[0]) / every_secs - 1e-9).ceil().max(1.0) as usize;
        times_secs.extend((0..pieces).map(|piece| pair[0] + (pair[1] - pair[0]) * piece as f64 / pieces as f64));
    }
    times_secs.extend(grid.knots_secs.last());
    times_secs
}

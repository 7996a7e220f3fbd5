//! Demands that hold over time, and the rows they become on a grid.

use super::figure::Figure;
use super::grid::Grid;
use super::hurdle::Over;
use super::limbs::Pair;
use super::problem::{Asked, Cone, Demand, Hump, Stand, Touch};
use crate::EditingError;
use aplomb_physics::dynamics::{BodyModel, LinkId};
use glam::{DQuat, DVec3};

/// Feet pass obstacles and limbs each other fast: they are watched this often, s.
pub(super) const WATCH_SECS: f64 = 0.01;
/// Limbs of runners pass each other at five metres a second: a centimetre between two looks, s.
pub(super) const LIMBS_SECS: f64 = 0.0025;

/// What has to hold besides dynamics and stands.
#[derive(Clone, Debug, Default)]
pub(super) struct Demands {
    /// Coordinates that keep a value.
    pub pinned: Vec<(usize, f64)>,
    /// Limbs that keep apart.
    pub pairs: Vec<Pair>,
    /// Points that stay above a height always.
    pub lifted: Vec<(usize, f64)>,
    /// An obstacle, and when it is passed.
    pub hump: Option<(Hump, f64, f64)>,
    /// What else than feet passes over it.
    pub over: Vec<Over>,
    /// Directions that stay within cones, from and to when.
    pub cones: Vec<(Cone, f64, f64)>,
    /// What is asked at one time, and whether exactly.
    pub timed: Vec<(f64, Demand, bool)>,
}

/// Kinds of rows, so that one is known again in the next iteration and on the next grid.
const PINNED: u64 = 1;
const APART: u64 = 2;
const CONES: u64 = 3;
const LIFTED: u64 = 4;
const HUMP: u64 = 5;
const TIMED: u64 = 6;
const GROUND: u64 = 7;

impl Demands {
    /// As rows on a grid.
    pub fn rows(&self, grid: &Grid, touches: &[Touch], stands: &[Stand], ground_m: Option<f64>) -> Vec<Asked> {
        let mut asked: Vec<Asked> = Vec::new();
        let mut push = |kind: u64, index: usize, time_secs: f64, demand: Demand, is_equal: bool| {
            let id = kind << 56 | ((time_secs * 1e4).round() as u64) << 20 | index as u64;
            let series = matches!(kind, APART | LIFTED | HUMP | GROUND).then_some(kind << 56 | index as u64);
            asked.push(Asked { time_secs, demand, is_equal, id, series });
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
        for secs in watched(grid, LIMBS_SECS) {
            for pair in 0..self.pairs.len() {
                push(APART, pair, secs, Demand::Apart { pair }, false);
            }
        }
        let is_down = |touch: usize, secs: f64| {
            stands.iter().any(|own| own.touch == touch && (own.start_secs..=own.end_secs).contains(&secs))
        };
        for secs in watched(grid, WATCH_SECS) {
            // A point that stands is held on the floor already: asked twice, the two would have to agree to the last bit.
            let feet = touches.iter().enumerate().filter(|(index, own)| own.group < 2 && !is_down(*index, secs));
            let feet = feet.map(|(index, own)| (index, own.link, own.point_in_link_m));
            // At the knots themselves every free point near the ground has its row.
            let is_knot = grid.knots_secs.binary_search_by(|knot| knot.total_cmp(&secs)).is_ok();
            if let Some(value_m) = ground_m.filter(|_| !is_knot) {
                for (index, link, point_in_link_m) in feet.clone() {
                    let demand = Demand::Point { link, point_in_link_m, direction: DVec3::Y, value_m };
                    push(GROUND, index, secs, demand, false);
                }
            }
            for &(touch, value_m) in &self.lifted {
                let Touch { link, point_in_link_m, .. } = touches[touch];
                push(LIFTED, touch, secs, Demand::Point { link, point_in_link_m, direction: DVec3::Y, value_m }, false);
            }
            if let Some((hump, from, to)) = self.hump
                && (from..=to).contains(&secs)
            {
                for (index, link, point_in_link_m) in feet {
                    push(HUMP, index, secs, Demand::Above { link, point_in_link_m, hump }, false);
                }
                for (index, own) in self.over.iter().enumerate() {
                    let Over { link, point_in_link_m, .. } = *own;
                    let demand = Demand::Above { link, point_in_link_m, hump: own.hump(hump) };
                    push(HUMP, touches.len() + index, secs, demand, false);
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
fn watched(grid: &Grid, every_secs: f64) -> Vec<f64> {
    let mut times_secs = Vec::new();
    for pair in grid.knots_secs.windows(2) {
        let pieces = ((pair[1] - pair[0]) / every_secs - 1e-9).ceil().max(1.0) as usize;
        times_secs.extend((0..pieces).map(|piece| pair[0] + (pair[1] - pair[0]) * piece as f64 / pieces as f64));
    }
    times_secs.extend(grid.knots_secs.last());
    times_secs
}

/// Coordinates of a link that is bent by an angle against the one above it, near how it bends in the clip.
pub(super) fn bent(
    figure: &Figure,
    tree: &BodyModel,
    link: LinkId,
    bent_rad: f64,
) -> Result<Vec<(usize, f64)>, EditingError> {
    let model = &tree.model;
    let name = model.name(link).to_owned();
    let below = model.links().find(|&other| model.parent(other) == Some(link));
    let (Some(below), Some(_)) = (below, model.parent(link)) else {
        let problem = format!("{name} has nothing below it that could be bent: name a shank or a forearm");
        return Err(EditingError::Goals { problem });
    };
    let (upper, lower) = (model.offset_m(link).normalize_or(DVec3::Y), model.offset_m(below).normalize_or(DVec3::Y));
    let dofs = figure.coordinates.count;
    let mut q = model.neutral();
    let mut best: Option<(f64, Vec<f64>, DQuat)> = None;
    for x in figure.samples.chunks_exact(dofs) {
        figure.coordinates.configuration(x, &mut q);
        let rotation = tree.rotation(link, &q);
        let found = upper.angle_between(rotation * lower);
        if best.as_ref().is_none_or(|best| (found - bent_rad).abs() < (best.0 - bent_rad).abs()) {
            best = Some((found, x.to_vec(), rotation));
        }
    }
    let Some((found, x, rotation)) = best else { return Err(EditingError::NoRoot) };
    let axis = upper.cross(rotation * lower).normalize_or(DVec3::X);
    let turned = DQuat::from_axis_angle(axis, bent_rad - found) * rotation;
    figure.coordinates.configuration(&x, &mut q);
    let at = model.q_range(link).start;
    q[at..at + 4].copy_from_slice(&turned.normalize().to_array());
    let mut bent = vec![0.0; dofs];
    figure.coordinates.of_configuration(tree, &q, &x, &mut bent);
    let own = figure.coordinates.of_link(link);
    Ok((own.start..own.start + own.chart.count()).map(|index| (index, bent[index])).collect())
}

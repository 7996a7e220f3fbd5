//! Demands that hold over time, and the rows they become on a grid.

use super::figure::Figure;
use super::grid::Grid;
use super::problem::{Asked, Demand, Hump, Segment, Touch};
use super::rows::nearest;
use super::stages::Staged;
use crate::EditingError;
use aplomb_motion::{Role, Side};
use aplomb_physics::dynamics::{BodyModel, LinkId, Workspace};
use glam::{DQuat, DVec3};

/// Feet pass obstacles fast: they are watched this often, s.
const WATCH_SECS: f64 = 0.01;
/// Limbs are as thick as this on average, m, measured from axis to axis of the two.
const LIMBS_APART_M: f64 = 0.09;

/// What has to hold besides dynamics and stands.
#[derive(Clone, Debug, Default)]
pub(super) struct Demands {
    /// Coordinates that keep a value.
    pub pinned: Vec<(usize, f64)>,
    /// Limbs that keep apart.
    pub pairs: Vec<(Segment, Segment, f64)>,
    /// Points that stay above a height always.
    pub lifted: Vec<(usize, f64)>,
    /// An obstacle, and when it is passed.
    pub hump: Option<(Hump, f64, f64)>,
}

impl Demands {
    /// As rows on a grid.
    pub fn rows(&self, grid: &Grid, touches: &[Touch]) -> Vec<Asked> {
        let mut asked: Vec<Asked> = Vec::new();
        let mut push = |time_secs: f64, demand: Demand, is_equal: bool| {
            let id = asked.len() as u64;
            asked.push(Asked { time_secs, demand, is_equal, id });
        };
        for &secs in &grid.knots_secs {
            for &(index, value) in &self.pinned {
                push(secs, Demand::Coordinate { index, sign: 1.0, value }, true);
            }
            for &(a, b, least_m) in &self.pairs {
                push(secs, Demand::Distance { a, b, least_m }, false);
            }
        }
        let (start, end) = (grid.knots_secs[0], grid.knots_secs[grid.len() - 1]);
        for &(touch, value_m) in &self.lifted {
            let Touch { link, point_in_link_m, .. } = touches[touch];
            for secs in times(start, end) {
                push(secs, Demand::Point { link, point_in_link_m, direction: DVec3::Y, value_m }, false);
            }
        }
        if let Some((hump, from, to)) = self.hump {
            for touch in touches.iter().filter(|touch| touch.group < 2) {
                for secs in times(from, to) {
                    let (link, point_in_link_m) = (touch.link, touch.point_in_link_m);
                    push(secs, Demand::Above { link, point_in_link_m, hump }, false);
                }
            }
        }
        asked.sort_by(|a, b| a.time_secs.total_cmp(&b.time_secs));
        asked
    }
}

fn times(from: f64, to: f64) -> impl Iterator<Item = f64> {
    let count = ((to - from) / WATCH_SECS).ceil().max(1.0) as usize;
    (0..=count).map(move |index| from + (to - from) * index as f64 / count as f64)
}

/// Limbs that might meet: forearms and hands with thighs, shanks and feet with those of the other side. They come no nearer than limbs are
/// thick, or than they do in the clip.
pub(super) fn limb_pairs(figure: &Figure, staged: &Staged) -> Vec<(Segment, Segment, f64)> {
    let tree = figure.tree();
    let segment = |role: Role| {
        let link = figure.roles.link(role, tree)?;
        let below = tree.model.links().find(|&other| tree.model.parent(other) == Some(link));
        let end_m = below.map_or(tree.model.inertia(link).com_m * 2.0, |below| tree.model.offset_m(below));
        Some(Segment { link, start_m: DVec3::ZERO, end_m })
    };
    use Side::{Left, Right};
    let mut wanted = vec![
        (Role::Shank(Left), Role::Shank(Right)),
        (Role::Foot(Left), Role::Foot(Right)),
        (Role::Shank(Left), Role::Foot(Right)),
        (Role::Foot(Left), Role::Shank(Right)),
        (Role::Forearm(Left), Role::Forearm(Right)),
    ];
    for arm in [Left, Right] {
        for leg in [Left, Right] {
            wanted.push((Role::Forearm(arm), Role::Thigh(leg)));
            wanted.push((Role::Hand(arm), Role::Thigh(leg)));
        }
    }
    let mut pairs: Vec<(Segment, Segment, f64)> =
        wanted.into_iter().filter_map(|(a, b)| Some((segment(a)?, segment(b)?, LIMBS_APART_M))).collect();
    let apart = nearest_m(figure, staged, &pairs);
    for (pair, apart_m) in pairs.iter_mut().zip(apart) {
        pair.2 = pair.2.min(0.95 * apart_m);
    }
    pairs
}

/// How near pairs of segments come over a motion, m.
pub(super) fn nearest_m(figure: &Figure, staged: &Staged, pairs: &[(Segment, Segment, f64)]) -> Vec<f64> {
    let tree = figure.tree();
    let mut work = Workspace::new(&tree.model);
    let mut q = tree.model.neutral();
    let mut found = vec![f64::INFINITY; pairs.len()];
    for secs in times(0.0, staged.end_secs) {
        figure.coordinates.configuration(&staged.trajectory.coordinates_at(secs), &mut q);
        work.place(&tree.model, &q);
        for ((a, b, _), least_m) in pairs.iter().zip(&mut found) {
            let (at_a, at_b) = nearest(a, b, &work);
            let apart_m = work.link(a.link).point_in_world_m(at_a) - work.link(b.link).point_in_world_m(at_b);
            *least_m = least_m.min(apart_m.length());
        }
    }
    found
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

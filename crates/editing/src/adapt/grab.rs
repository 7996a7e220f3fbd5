//! A start for hands that catch a bar or a rim: the clip to the top of its flight, arms that reach for it, and the body held as it is then,
//! swinging from it as a pendulum (paper, sections 5.3 and 5.4, where the last frame stands still instead).

use super::figure::Figure;
use super::goal_parts::Grab;
use super::goals::WhichSide;
use super::grid::Grid;
use super::motion::Trajectory;
use super::pins::limb_above;
use super::posed::Posed;
use super::problem::{Stand, Touch};
use super::stages::{Staged, TimeMap};
use crate::EditingError;
use aplomb_analysis::contacts::Part;
use aplomb_motion::{Role, so3};
use aplomb_physics::dynamics::{BodyModel, LinkId, Matrix, point_jacobian};
use glam::{DMat3, DQuat, DVec3};
use std::cell::RefCell;

/// Arms leave the clip so long before they hold, s.
const REACH_SECS: f64 = 0.45;
/// A bar that is put within reach is reached by arms as straight as this.
const STRAIGHT: f64 = 0.97;
/// Spans between knots while swinging, s.
const SWING_SPAN_SECS: f64 = 0.025;
/// Charts are chosen from a pose every so often, s.
const SAMPLE_SECS: f64 = 0.01;
/// What a hand carries in the start, body weights; the first step finds the rest.
const START_BW: f64 = 0.6;

/// How arms go from where they are in the clip to where they hold on. Which of them passes no trunk and no head depends on where hands come from:
/// the one from
/// which less is left to mend is taken, and followed by the other if it fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reaching {
    /// Every joint by the shortest turn.
    Shortest,
    /// Every angle of every joint on its own.
    ByAngles,
}

impl Reaching {
    pub const ALL: [Self; 2] = [Self::Shortest, Self::ByAngles];
}

/// What a grab starts from.
pub(super) struct Grabbed {
    pub staged: Staged,
    /// Where its times come from in the motion that it was made of.
    pub map: TimeMap,
    /// The person with arms' angles about other axes: arms go where they never were in the clip, and gimbal lock may wait there.
    pub figure: Figure,
}

/// The start.
pub(super) fn grabbed(
    figure: &Figure,
    tree: &BodyModel,
    staged: &Staged,
    flight: usize,
    grab: &Grab,
    touches: &[Touch],
    reaching: Reaching,
) -> Result<Grabbed, EditingError> {
    let hands: Vec<usize> = (0..touches.len())
        .filter(|&touch| touches[touch].part == Part::Hand)
        .filter(|&touch| match grab.hands {
            WhichSide::Both => true,
            WhichSide::Left => touches[touch].group == 2,
            WhichSide::Right => touches[touch].group == 3,
        })
        .collect();
    if hands.is_empty() {
        let problem = "this skeleton has no hand that could hold anything".to_owned();
        return Err(EditingError::Goals { problem });
    }
    let mut body = Posed::new(figure, tree);
    let (from, to) = staged.flights[flight];
    let top = body.top_secs(staged, from, to);
    let forward = staged.way_over(flight).unwrap_or(DVec3::Z);
    let mut x_top = staged.trajectory.coordinates_at(top);
    let targets = body.targets(&x_top, forward, grab, &hands, touches);
    let mut arms = Vec::new();
    for (&hand, target_m) in hands.iter().zip(&targets) {
        body.swing_up(&mut x_top, &touches[hand], *target_m);
        body.reach(&mut x_top, &touches[hand], *target_m);
        arms.extend(limb_above(figure, touches[hand].link));
    }
    let end_secs = top + grab.swing_secs;
    let swing =
        Pendulum::new(&mut body, &x_top, &targets, level_velocity(&staged.trajectory, top), forward, grab.swing_secs);
    let mut knots: Vec<f64> =
        staged.trajectory.grid.knots_secs.iter().copied().filter(|secs| *secs < top - 0.01).collect();
    let spans = (grab.swing_secs / SWING_SPAN_SECS).ceil().max(2.0) as usize;
    let knot = |span: f64| top + grab.swing_secs * span / spans as f64;
    // Hands come with a speed that the first span takes away.
    knots.extend([knot(0.0), knot(0.5)]);
    knots.extend((1..=spans).map(|span| knot(span as f64)));
    let from_top = staged.trajectory.coordinates_at(top);
    let way = ArmsWay { figure, tree, arms: &arms, x_top: &x_top, from_top, reaching };
    let configuration = |secs: f64| match secs > top {
        true => swing.configuration(figure, tree, &x_top, secs - top),
        false => {
            let share = ((secs - top + REACH_SECS) / REACH_SECS).clamp(0.0, 1.0);
            way.configuration(&staged.trajectory.coordinates_at(secs), share * share * (3.0 - 2.0 * share))
        }
    };
    let figure = figure.rechosen(tree, &arms, &sampled(&configuration, end_secs));
    // Angles go on from those of the moment before: arms turn far.
    let last = RefCell::new(staged.trajectory.coordinates_at(0.0));
    let path = |secs: f64| {
        let q = configuration(secs);
        let mut near = last.borrow_mut();
        let mut x = near.clone();
        figure.coordinates.of_configuration(tree, &q, &near, &mut x);
        near.copy_from_slice(&x);
        x
    };
    let trajectory = staged.resampled(Grid::new(knots)?, &path)?;
    let grid = &trajectory.grid;
    let mut forces: Vec<Vec<DVec3>> = (0..touches.len())
        .map(|touch| {
            let force = |secs: &f64| if *secs < from { staged.trajectory.force_at(touch, *secs) } else { DVec3::ZERO };
            grid.knots_secs.iter().map(force).collect()
        })
        .collect();
    let mut stands: Vec<Stand> = staged.stands.iter().filter(|stand| stand.end_secs <= from + 1e-6).cloned().collect();
    for (&touch, &place_m) in hands.iter().zip(&targets) {
        stands.push(Stand {
            touch,
            start_secs: top,
            end_secs,
            place_m,
            lateral: DVec3::Y.cross(forward),
            is_loaded_at_start: false,
            is_loaded_at_end: true,
            is_bilateral: true,
        });
        for (force, secs) in forces[touch].iter_mut().zip(&grid.knots_secs) {
            if *secs > top + 1e-6 {
                *force = DVec3::Y * START_BW;
            }
        }
    }
    let mut flights = staged.flights[..flight].to_vec();
    flights.push((from, top));
    let torques = staged.trajectory.torques_on(&grid.knots_secs);
    let trajectory = Trajectory { forces, torques, ..trajectory };
    let staged = Staged { trajectory, stands, flights, end_secs };
    Ok(Grabbed { staged, map: TimeMap::holding(top, grab.swing_secs), figure })
}

/// Configurations of a motion, so often that arms turn by a few degrees only in between.
fn sampled(configuration: &dyn Fn(f64) -> Vec<f64>, end_secs: f64) -> Vec<Vec<f64>> {
    let steps = (end_secs / SAMPLE_SECS).ceil().max(1.0) as usize;
    (0..=steps).map(|step| configuration(end_secs * step as f64 / steps as f64)).collect()
}

/// Arms on their way from the clip's pose to the one that holds on.
struct ArmsWay<'a> {
    figure: &'a Figure,
    tree: &'a BodyModel,
    arms: &'a [LinkId],
    x_top: &'a [f64],
    /// The clip's own pose at the top.
    from_top: Vec<f64>,
    reaching: Reaching,
}

impl ArmsWay<'_> {
    fn configuration(&self, x: &[f64], share: f64) -> Vec<f64> {
        let Self { figure, tree, arms, .. } = *self;
        let mut q = tree.model.neutral();
        match self.reaching {
            Reaching::Shortest => {
                let mut goal = tree.model.neutral();
                figure.coordinates.configuration(x, &mut q);
                figure.coordinates.configuration(self.x_top, &mut goal);
                for &link in arms {
                    let at = tree.model.q_range(link).start;
                    let turned = so3::slerp(tree.rotation(link, &q), tree.rotation(link, &goal), share);
                    q[at..at + 4].copy_from_slice(&turned.normalize().to_array());
                }
            }
            Reaching::ByAngles => {
                let mut x = x.to_vec();
                for &link in arms {
                    let own = figure.coordinates.of_link(link);
                    let range = own.start..own.start + own.chart.count();
                    let way = self.x_top[range.clone()].iter().zip(&self.from_top[range.clone()]);
                    x[range].iter_mut().zip(way).for_each(|(x, (to, from))| *x += share * (to - from));
                }
                figure.coordinates.configuration(&x, &mut q);
            }
        }
        q
    }
}

/// Velocity of the root over the ground.
fn level_velocity(trajectory: &Trajectory, secs: f64) -> DVec3 {
    let at = |secs: f64| DVec3::from_slice(&trajectory.coordinates_at(secs)[3..6]);
    let velocity = (at(secs) - at(secs - 0.04)) / 0.04;
    DVec3::new(velocity.x, 0.0, velocity.z)
}

impl Posed<'_> {
    fn com_m(&self) -> DVec3 {
        let model = &self.tree.model;
        let moment = model.links().map(|link| {
            let inertia = model.inertia(link);
            self.work.link(link).point_in_world_m(inertia.com_m) * inertia.mass_kg
        });
        moment.sum::<DVec3>() / model.total_mass_kg()
    }

    /// When the centre of mass is highest in a flight.
    fn top_secs(&mut self, staged: &Staged, from: f64, to: f64) -> f64 {
        let mut best = (f64::NEG_INFINITY, 0.5 * (from + to));
        // Not before the first third, nor in the last one: a body that falls all the way is caught on its way.
        for step in 20..=40 {
            let secs = from + (to - from) * f64::from(step) / 60.0;
            self.go(&staged.trajectory.coordinates_at(secs));
            let height_m = self.com_m().y;
            if height_m > best.0 {
                best = (height_m, secs);
            }
        }
        best.1
    }

    /// Where hands go: on one line across the way, as far apart as the shoulders.
    fn targets(&mut self, x: &[f64], forward: DVec3, grab: &Grab, hands: &[usize], touches: &[Touch]) -> Vec<DVec3> {
        self.go(x);
        let model = &self.tree.model;
        let mut shoulders = Vec::new();
        let mut length_m = f64::INFINITY;
        for &hand in hands {
            let touch = &touches[hand];
            let mut own_m = touch.point_in_link_m.length();
            let mut link = touch.link;
            while let Some(above) = model.parent(link) {
                if matches!(self.figure.roles.role(link), Some(Role::UpperArm(_))) {
                    break;
                }
                own_m += model.offset_m(link).length();
                link = above;
            }
            shoulders.push(self.work.link(link).joint_in_world_m);
            length_m = length_m.min(own_m);
        }
        let middle_m = shoulders.iter().sum::<DVec3>() / shoulders.len().max(1) as f64;
        let straight_m = STRAIGHT * length_m;
        let up_m = (straight_m * straight_m - grab.ahead_m * grab.ahead_m).max(0.0).sqrt();
        let height_m = grab.height_m.map_or(middle_m.y + up_m, |height_m| self.figure.ground_m + height_m);
        let left = DVec3::Y.cross(forward);
        let on_line = |shoulder_m: &DVec3| {
            let across = left * left.dot(*shoulder_m - middle_m);
            DVec3::new(middle_m.x, height_m, middle_m.z) + forward * grab.ahead_m + across
        };
        shoulders.iter().map(on_line).collect()
    }

    /// Turns a whole arm about its shoulder until it points to where the hand goes.
    fn swing_up(&mut self, x: &mut [f64], hand: &Touch, target_m: DVec3) {
        let Some(&upper) = limb_above(self.figure, hand.link).last() else { return };
        self.go(x);
        let shoulder_m = self.work.link(upper).joint_in_world_m;
        let hand_m = self.work.link(hand.link).point_in_world_m(hand.point_in_link_m);
        let (Some(now), Some(then)) = ((hand_m - shoulder_m).try_normalize(), (target_m - shoulder_m).try_normalize())
        else {
            return;
        };
        let above = self.tree.model.parent(upper).map_or(DMat3::IDENTITY, |link| self.work.link(link).world_from_link);
        let above_from_world = DQuat::from_mat3(&above).conjugate();
        let world_from_upper = DQuat::from_mat3(&self.work.link(upper).world_from_link);
        let turned = above_from_world * DQuat::from_rotation_arc(now, then) * world_from_upper;
        let at = self.tree.model.q_range(upper).start;
        self.q[at..at + 4].copy_from_slice(&turned.normalize().to_array());
        let near = x.to_vec();
        self.figure.coordinates.of_configuration(self.tree, &self.q, &near, x);
    }

    /// Turns an arm's joints by damped least squares until its hand is there, or as near as it gets. The folded links have coordinates of their
    /// own, which `limb_ik`, made for joints of skeletons, does not know.
    fn reach(&mut self, x: &mut [f64], hand: &Touch, target_m: DVec3) {
        let model = &self.tree.model;
        let coordinates = &self.figure.coordinates;
        let chain: Vec<LinkId> = limb_above(self.figure, hand.link);
        let free: Vec<usize> = chain
            .iter()
            .flat_map(|link| {
                let own = coordinates.of_link(*link);
                own.start..own.start + own.chart.count()
            })
            .collect();
        let mut jacobian = Matrix::zeros(6, model.nv());
        let (mut v, mut a, mut blocks) = (vec![0.0; model.nv()], vec![0.0; model.nv()], Vec::new());
        let still = vec![0.0; x.len()];
        let mut by = vec![0.0; x.len()];
        for _ in 0..60 {
            coordinates.state([x, &still, &still], &mut self.q, &mut v, &mut a, Some(&mut blocks));
            self.work.place(model, &self.q);
            let left_m = target_m - self.work.link(hand.link).point_in_world_m(hand.point_in_link_m);
            if left_m.length() < 1e-4 {
                break;
            }
            // No more than a hand's breadth at a time: the arm turns far.
            let wanted_m = left_m.clamp_length_max(0.1);
            point_jacobian(model, hand.link, hand.point_in_link_m, &mut jacobian, &self.work);
            let mut rows = [const { Vec::new() }; 3];
            for (axis, row) in rows.iter_mut().enumerate() {
                coordinates.pull_back_position(&blocks, jacobian.row(3 + axis), &mut by);
                *row = free.iter().map(|&index| by[index]).collect::<Vec<f64>>();
            }
            let dot = |i: usize, j: usize| rows[i].iter().zip(&rows[j]).map(|(a, b)| a * b).sum::<f64>();
            let column = |j: usize| DVec3::new(dot(0, j), dot(1, j), dot(2, j));
            let damped = DMat3::from_cols(column(0), column(1), column(2)) + DMat3::from_diagonal(DVec3::splat(1e-4));
            let y = damped.inverse() * wanted_m;
            for (slot, &index) in free.iter().enumerate() {
                let step = rows[0][slot] * y.x + rows[1][slot] * y.y + rows[2][slot] * y.z;
                x[index] += step;
            }
        }
    }
}

/// The body as one rigid piece on the bar: θ̈ = (r × m g) · axis / I.
struct Pendulum {
    bar_m: DVec3,
    axis: DVec3,
    /// θ every millisecond.
    angles: Vec<f64>,
}

const PENDULUM_STEP_SECS: f64 = 1e-3;

impl Pendulum {
    fn new(
        body: &mut Posed<'_>,
        x: &[f64],
        hands_m: &[DVec3],
        velocity: DVec3,
        forward: DVec3,
        swing_secs: f64,
    ) -> Self {
        body.go(x);
        let bar_m = hands_m.iter().sum::<DVec3>() / hands_m.len().max(1) as f64;
        let axis = DVec3::Y.cross(forward);
        let model = &body.tree.model;
        let mut inertia = 0.0;
        for link in model.links() {
            let own = model.inertia(link);
            let motion = body.work.link(link);
            let from_bar_m = motion.point_in_world_m(own.com_m) - bar_m;
            let axis_in_link = motion.world_from_link.transpose() * axis;
            inertia += own.mass_kg * (from_bar_m - axis * axis.dot(from_bar_m)).length_squared()
                + axis_in_link.dot(own.about_com * axis_in_link);
        }
        let (mass_kg, hangs_m) = (model.total_mass_kg(), body.com_m() - bar_m);
        let pull = |angle: f64| {
            let r = DQuat::from_axis_angle(axis, angle) * hangs_m;
            r.cross(DVec3::Y * (-9.81 * mass_kg)).dot(axis) / inertia
        };
        let (mut angle, mut rate) = (0.0, mass_kg * hangs_m.cross(velocity).dot(axis) / inertia);
        let mut angles = vec![angle];
        for _ in 0..=(swing_secs / PENDULUM_STEP_SECS).ceil() as usize {
            let h = PENDULUM_STEP_SECS;
            let middle = (angle + 0.5 * h * rate, rate + 0.5 * h * pull(angle));
            (angle, rate) = (angle + h * middle.1, rate + h * pull(middle.0));
            angles.push(angle);
        }
        Self { bar_m, axis, angles }
    }

    fn configuration(&self, figure: &Figure, tree: &BodyModel, x: &[f64], secs: f64) -> Vec<f64> {
        let at = secs / PENDULUM_STEP_SECS;
        let index = (at as usize).min(self.angles.len() - 2);
        let angle = self.angles[index] + (self.angles[index + 1] - self.angles[index]) * (at - index as f64).min(1.0);
        let turn = DQuat::from_axis_angle(self.axis, angle);
        let mut q = tree.model.neutral();
        figure.coordinates.configuration(x, &mut q);
        let rotation = turn * DQuat::from_slice(&q[..4]);
        let place_m = self.bar_m + turn * (DVec3::from_slice(&q[4..7]) - self.bar_m);
        q[..4].copy_from_slice(&rotation.normalize().to_array());
        q[4..7].copy_from_slice(&place_m.to_array());
        q
    }
}

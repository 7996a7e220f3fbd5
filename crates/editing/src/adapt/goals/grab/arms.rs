//! Arms that reach: where hands go, and how arms get there.

use crate::adapt::goals::side::Reaching;
use crate::adapt::subject::{PosedBody, Subject, Touch};
use aplomb_motion::{Role, so3};
use aplomb_physics::dynamics::{BodyModel, LinkId, Matrix, point_jacobian};
use glam::{DMat3, DQuat, DVec3};

/// A bar that is put within reach is reached by arms as straight as this.
const STRAIGHT: f64 = 0.97;

/// Arms on their way from the clip's pose to the one that holds on.
pub struct ArmsWay<'a> {
    pub subject: &'a Subject,
    pub tree: &'a BodyModel,
    pub arms: &'a [LinkId],
    pub x_top: &'a [f64],
    /// The clip's own pose at the top.
    pub from_top: Vec<f64>,
    pub reaching: Reaching,
}

impl ArmsWay<'_> {
    pub fn configuration(&self, x: &[f64], share: f64) -> Vec<f64> {
        let Self { subject, tree, arms, .. } = *self;
        let mut q = tree.model.neutral();
        match self.reaching {
            Reaching::Shortest => {
                let mut goal = tree.model.neutral();
                subject.coordinates.configuration(x, &mut q);
                subject.coordinates.configuration(self.x_top, &mut goal);
                for &link in arms {
                    let at = tree.model.q_range(link).start;
                    let turned = so3::slerp(tree.rotation(link, &q), tree.rotation(link, &goal), share);
                    q[at..at + 4].copy_from_slice(&turned.normalize().to_array());
                }
            }
            Reaching::ByAngles => {
                let mut x = x.to_vec();
                for &link in arms {
                    let own = subject.coordinates.of_link(link);
                    let range = own.start..own.start + own.chart.count();
                    let way = self.x_top[range.clone()].iter().zip(&self.from_top[range.clone()]);
                    x[range].iter_mut().zip(way).for_each(|(x, (to, from))| *x += share * (to - from));
                }
                subject.coordinates.configuration(&x, &mut q);
            }
        }
        q
    }
}

/// Where hands go: on one line across the way, as far apart as the shoulders, so far ahead of them, at a height over
/// the ground or as high as straight arms reach.
pub fn targets(
    body: &mut PosedBody<'_>,
    x: &[f64],
    forward: DVec3,
    (ahead_m, height_m): (f64, Option<f64>),
    hands: &[&Touch],
) -> Vec<DVec3> {
    body.go(x);
    let model = &body.tree.model;
    let mut shoulders = Vec::new();
    let mut length_m = f64::INFINITY;
    for touch in hands {
        let mut own_m = touch.point_in_link_m.length();
        let mut link = touch.link;
        while let Some(above) = model.parent(link) {
            if matches!(body.subject.roles.role(link), Some(Role::UpperArm(_))) {
                break;
            }
            own_m += model.offset_m(link).length();
            link = above;
        }
        shoulders.push(body.work.link(link).joint_in_world_m);
        length_m = length_m.min(own_m);
    }
    let middle_m = shoulders.iter().sum::<DVec3>() / shoulders.len().max(1) as f64;
    let straight_m = STRAIGHT * length_m;
    let up_m = (straight_m * straight_m - ahead_m * ahead_m).max(0.0).sqrt();
    let height_m = height_m.map_or(middle_m.y + up_m, |height_m| body.subject.ground_m + height_m);
    let left = DVec3::Y.cross(forward);
    let on_line = |shoulder_m: &DVec3| {
        let across = left * left.dot(*shoulder_m - middle_m);
        DVec3::new(middle_m.x, height_m, middle_m.z) + forward * ahead_m + across
    };
    shoulders.iter().map(on_line).collect()
}

/// Turns a whole arm about its shoulder until it points to where the hand goes.
pub fn swing_up(body: &mut PosedBody<'_>, x: &mut [f64], hand: &Touch, target_m: DVec3) {
    let Some(&upper) = body.subject.limb_above(hand.link).last() else { return };
    body.go(x);
    let shoulder_m = body.work.link(upper).joint_in_world_m;
    let hand_m = body.work.link(hand.link).point_in_world_m(hand.point_in_link_m);
    let (Some(now), Some(then)) = ((hand_m - shoulder_m).try_normalize(), (target_m - shoulder_m).try_normalize())
    else {
        return;
    };
    let above = body.tree.model.parent(upper).map_or(DMat3::IDENTITY, |link| body.work.link(link).world_from_link);
    let above_from_world = DQuat::from_mat3(&above).conjugate();
    let world_from_upper = DQuat::from_mat3(&body.work.link(upper).world_from_link);
    let turned = above_from_world * DQuat::from_rotation_arc(now, then) * world_from_upper;
    let at = body.tree.model.q_range(upper).start;
    body.q[at..at + 4].copy_from_slice(&turned.normalize().to_array());
    let near = x.to_vec();
    body.subject.coordinates.of_configuration(body.tree, &body.q, &near, x);
}

/// Turns an arm's joints by damped least squares until its hand is there, or as near as it gets. The folded links have
/// coordinates of their own, which `limb_ik`, made for joints of skeletons, does not know.
pub fn reach(body: &mut PosedBody<'_>, x: &mut [f64], hand: &Touch, target_m: DVec3) {
    let model = &body.tree.model;
    let coordinates = &body.subject.coordinates;
    let chain: Vec<LinkId> = body.subject.limb_above(hand.link);
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
        coordinates.state([x, &still, &still], &mut body.q, &mut v, &mut a, Some(&mut blocks));
        body.work.place(model, &body.q);
        let left_m = target_m - body.work.link(hand.link).point_in_world_m(hand.point_in_link_m);
        if left_m.length() < 1e-4 {
            break;
        }
        // No more than a hand's breadth at a time: the arm turns far.
        let wanted_m = left_m.clamp_length_max(0.1);
        point_jacobian(model, hand.link, hand.point_in_link_m, &mut jacobian, &body.work);
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

//! Feet that are moved against each other: a start whose legs are put on their footprints.
//!
//! Steps of minimum norm see only how places change to first order. A straight leg gets no longer or shorter that way
//! by bending its knee, so that feet that were put one before the other rolled the pelvis instead: 12° for a second and
//! a half of quiet standing, where a person bends the knee of the front leg. So the start does what a person does: the
//! body sinks until the leg that is farther off reaches, and both legs follow by inverse kinematics.

use super::stages::{StageMove, StagedTrajectory};
use super::time_map::smooth_step;
use crate::EditingError;
use crate::adapt::problem::Trajectory;
use crate::adapt::subject::{Chart, PosedBody, Subject};
use crate::footplant::running_extreme;
use crate::limb_ik::{
    DROP_WINDOW_SECS, EndRotation, Hinge, LimbGoal, LimbIk, MOST_DROP_SHARE, Reach, Swivel, hinge_axis_from_motion,
};
use aplomb_analysis::contacts::Part;
use aplomb_motion::signal::gaussian::Gaussian;
use aplomb_motion::{Channels, Clip, FrameTime, JointId, Role, Side, Skeleton, Timeline};
use aplomb_physics::dynamics::{BodyModel, LinkId};
use glam::{DQuat, DVec3};
use std::cell::RefCell;
use std::sync::Arc;

/// What the body sinks is found this often, s.
const LEGS_LOOK_SECS: f64 = 0.01;
/// It is smoothed by this, s, as it is where feet are planted.
const DROP_SIGMA_SECS: f64 = 0.12;
/// Legs are as long as their footprints ask while both feet stand flat, but for so long beside that, s.
const BESIDE_SECS: f64 = 0.2;
/// They fade back over about twice this, s.
const FADE_SIGMA_SECS: f64 = 0.05;
/// Feet that are moved against each other by less than this are left to the solver, m.
const LEAST_M: f64 = 1e-4;

/// A leg of the folded links as inverse kinematics wants it: hips, thigh, shank, foot.
struct StartLeg {
    side: usize,
    /// Thigh, shank, foot.
    links: [LinkId; 3],
    hips: LinkId,
    skeleton: Skeleton,
    ik: LimbIk,
}

/// Where a leg is.
struct PlacedLeg {
    /// World from hips, and the hip joint, m.
    place: (DQuat, DVec3),
    ankle_m: DVec3,
    rotations: [DQuat; 4],
}

/// Puts the legs of a motion that was moved on their footprints, as far as sides were moved against each other, in
/// stages in which the body stands on both feet. Runs are left to the solver: legs that swing past each other would be
/// put through each other.
pub fn on_footprints(
    subject: &Subject,
    tree: &BodyModel,
    staged: &StagedTrajectory,
    moves: &[StageMove],
) -> Result<StagedTrajectory, EditingError> {
    let flat =
        looks(staged, |secs| f64::from(u8::from([0, 1].iter().all(|side| stands_flat(subject, staged, *side, secs)))));
    let mut is_stood = vec![false; moves.len()];
    for (index, _) in flat.iter().enumerate().filter(|(_, flat)| **flat > 0.0) {
        is_stood[staged.stage_of(index as f64 * LEGS_LOOK_SECS)] = true;
    }
    let of_stage = |stage: usize, side: usize| if is_stood[stage] { moves[stage].apart_m(side) } else { DVec3::ZERO };
    if (0..moves.len()).all(|stage| of_stage(stage, 0).length() < LEAST_M) {
        return Ok(staged.clone());
    }
    let apart_m = |side: usize, secs: f64| over_stages(staged, secs, |stage| of_stage(stage, side));
    let sides = Side::BOTH.iter().enumerate();
    let legs: Vec<StartLeg> = sides.filter_map(|(index, side)| leg(subject, tree, index, *side)).collect();
    let mut body = PosedBody::new(subject, tree);
    let drops_m = drops(&mut body, &legs, staged, &apart_m)?;
    let exact = smoothed(&flat, BESIDE_SECS, |a, b| a <= b, FADE_SIGMA_SECS)?;
    let body = RefCell::new(body);
    let trajectory = staged.resampled(staged.trajectory.grid.clone(), &|secs| {
        let mut x = staged.trajectory.coordinates_at(secs);
        let drop_m = at(&drops_m, secs);
        x[4] -= drop_m;
        // Feet stay where they are as the body sinks.
        let by_m = |side: usize| apart_m(side, secs) + DVec3::Y * drop_m;
        body.borrow_mut().put(&legs, by_m, at(&exact, secs), &mut x);
        x
    })?;
    let Trajectory { forces, torques, .. } = staged.trajectory.clone();
    Ok(StagedTrajectory { trajectory: Trajectory { forces, torques, ..trajectory }, ..staged.clone() })
}

impl StageMove {
    /// How far a side is moved beyond both together.
    fn apart_m(&self, side: usize) -> DVec3 {
        let mean_m = self.of_side_m[0].midpoint(self.of_side_m[1]);
        DQuat::from_rotation_y(self.yaw_rad) * (self.of_side_m[side] - mean_m)
    }
}

/// What belongs to stages: from one to the next within the flight between them, when nothing stands.
fn over_stages(staged: &StagedTrajectory, secs: f64, of_stage: impl Fn(usize) -> DVec3) -> DVec3 {
    let mut found = of_stage(0);
    for (flight, &(from, to)) in staged.flights.iter().enumerate() {
        let share = ((secs - from) / (to - from).max(1e-6)).clamp(0.0, 1.0);
        found += (of_stage(flight + 1) - of_stage(flight)) * smooth_step(share);
    }
    found
}

/// `None` for legs that have no knee, or one that never bends in the clip.
fn leg(subject: &Subject, tree: &BodyModel, index: usize, side: Side) -> Option<StartLeg> {
    let model = &tree.model;
    let [thigh, shank, foot] =
        [Role::Thigh(side), Role::Shank(side), Role::Foot(side)].map(|role| subject.roles.link(role, tree));
    let (thigh, shank, foot) = (thigh?, shank?, foot?);
    let hips = model.parent(thigh)?;
    if model.parent(shank) != Some(thigh) || model.parent(foot) != Some(shank) {
        return None;
    }
    let mut builder = Skeleton::builder();
    let mut above: Option<JointId> = None;
    let links = [thigh, shank, foot];
    for (name, offset_m) in
        std::iter::once(("hips", DVec3::ZERO)).chain(links.map(|link| (model.name(link), model.offset_m(link))))
    {
        above = Some(builder.add(above, name, offset_m, Channels::default()));
    }
    let skeleton = builder.build().ok()?;
    let joints = [1, 2, 3].map(JointId::new);
    let mut rotations = Vec::new();
    let mut q = model.neutral();
    for x in subject.samples.chunks_exact(subject.coordinates.count) {
        subject.coordinates.configuration(x, &mut q);
        rotations.push(DQuat::IDENTITY);
        rotations.extend(links.map(|link| tree.rotation(link, &q)));
    }
    let timeline = Timeline::Uniform(FrameTime::from_hz(100.0).ok()?);
    let clip = Clip::new(Arc::new(skeleton.clone()), timeline, rotations.len() / 4, rotations, Vec::new()).ok()?;
    let seen = hinge_axis_from_motion(&clip, joints)?;
    let hinge = match &subject.coordinates.of_link(shank).chart {
        Chart::Hinge { before, axis } => {
            let own = *before * *axis;
            Hinge::about(if own.dot(seen) < 0.0 { -own } else { own }).held()
        }
        _ => Hinge::about(seen),
    };
    let ik = LimbIk::new(&skeleton, joints, hinge, Reach::default()).ok()?;
    Some(StartLeg { side: index, links, hips, skeleton, ik })
}

/// How far the body has to sink, every [`LEGS_LOOK_SECS`], for legs that stand flat to reach.
fn drops(
    body: &mut PosedBody<'_>,
    legs: &[StartLeg],
    staged: &StagedTrajectory,
    apart_m: &dyn Fn(usize, f64) -> DVec3,
) -> Result<Vec<f64>, EditingError> {
    let needs_m = looks(staged, |secs| {
        body.go(&staged.trajectory.coordinates_at(secs));
        let mut need_m = 0.0_f64;
        for leg in legs.iter().filter(|leg| stands_flat(body.subject, staged, leg.side, secs)) {
            let placed = body.placed(leg);
            let longest_m = leg.ik.longest_m(&leg.skeleton, &placed.rotations);
            let reach_m = Reach::default().exact_share * longest_m;
            let away_m = placed.ankle_m - placed.place.1 + apart_m(leg.side, secs);
            // Legs that were stretched farther in the clip, and are asked for no more, stay as they are.
            if away_m.length() > reach_m && apart_m(leg.side, secs).length() > LEAST_M {
                let height_m = (reach_m * reach_m - away_m.with_y(0.0).length_squared()).max(0.0).sqrt();
                need_m = need_m.max((-away_m.y - height_m).clamp(0.0, MOST_DROP_SHARE * longest_m));
            }
        }
        need_m
    });
    smoothed(&needs_m, DROP_WINDOW_SECS, |a, b| a >= b, DROP_SIGMA_SECS)
}

/// Something at every look.
fn looks(staged: &StagedTrajectory, mut look: impl FnMut(f64) -> f64) -> Vec<f64> {
    let count = (staged.end_secs / LEGS_LOOK_SECS).ceil() as usize + 1;
    (0..count).map(|index| look((index as f64 * LEGS_LOOK_SECS).min(staged.end_secs))).collect()
}

/// The extreme around every look, without corners.
fn smoothed(
    values: &[f64],
    window_secs: f64,
    wins: fn(f64, f64) -> bool,
    sigma_secs: f64,
) -> Result<Vec<f64>, EditingError> {
    let widened = running_extreme(values, (window_secs / LEGS_LOOK_SECS).round() as usize, wins);
    Ok(Gaussian::from_sigma_secs(sigma_secs, LEGS_LOOK_SECS)?.smooth(&widened))
}

/// Between two looks.
fn at(values: &[f64], secs: f64) -> f64 {
    let last = values.len() - 1;
    let place = (secs / LEGS_LOOK_SECS).clamp(0.0, last as f64);
    let index = place as usize;
    values[index] + (values[(index + 1).min(last)] - values[index]) * (place - index as f64)
}

/// Whether heel and ball of a side are down.
fn stands_flat(subject: &Subject, staged: &StagedTrajectory, side: usize, secs: f64) -> bool {
    [Part::Heel, Part::Ball].into_iter().all(|part| {
        staged.footholds.iter().any(|foothold| {
            let touch = &subject.touches[foothold.touch];
            touch.group == side && touch.part == part && (foothold.start_secs..=foothold.end_secs).contains(&secs)
        })
    })
}

impl PosedBody<'_> {
    /// Of the pose last gone to.
    fn placed(&self, leg: &StartLeg) -> PlacedLeg {
        let [thigh, shank, foot] = leg.links;
        let world_from_hips = DQuat::from_mat3(&self.work.link(leg.hips).world_from_link);
        let local = |link: LinkId| self.tree.rotation(link, &self.q);
        PlacedLeg {
            place: (world_from_hips, self.work.link(thigh).joint_in_world_m),
            ankle_m: self.work.link(foot).joint_in_world_m,
            rotations: [DQuat::IDENTITY, local(thigh), local(shank), local(foot)],
        }
    }

    /// Moves feet by so much, their soles turned as before. Legs get as long as that asks by a share: around flights,
    /// when they are stretched out, they only swing to where the feet go, and how long they get is for the solver to
    /// find (put there by force, knees snapped straight, and jerk doubled).
    fn put(&mut self, legs: &[StartLeg], by_m: impl Fn(usize) -> DVec3, exact: f64, x: &mut [f64]) {
        self.go(x);
        for leg in legs {
            let mut placed = self.placed(leg);
            let own_m = placed.ankle_m - placed.place.1;
            let wanted_m = own_m + by_m(leg.side);
            let length_m = own_m.length() + exact * (wanted_m.length() - own_m.length());
            let goal = LimbGoal {
                end_in_world_m: placed.place.1 + wanted_m.normalize_or(DVec3::NEG_Y) * length_m,
                end_rotation: EndRotation::KeptInWorld,
                swivel: Swivel::Kept { turn_rad: 0.0 },
            };
            leg.ik.solve(&leg.skeleton, placed.place, &mut placed.rotations, &goal);
            for (link, rotation) in leg.links.iter().zip(&placed.rotations[1..]) {
                let start = self.tree.model.q_range(*link).start;
                self.q[start..start + 4].copy_from_slice(&rotation.normalize().to_array());
            }
        }
        let near = x.to_vec();
        self.subject.coordinates.of_configuration(self.tree, &self.q, &near, x);
    }
}

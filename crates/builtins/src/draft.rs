//! A clip in the making: postures and feet are given; the root follows from where the centre of mass has to be.

use crate::body::{Body, Leg};
use crate::feet::FootPose;
use crate::posture::Posture;
use crate::{BuiltError, MassPoint};
use aplomb_editing::limb_ik::{EndRotation, LimbGoal, Swivel};
use aplomb_motion::{Clip, FrameTime, JointId, Timeline, TranslationTrack};
use aplomb_physics::GRAVITY;
use glam::{DQuat, DVec3};

pub const RATE_HZ: f64 = 120.0;
pub const STEP_SECS: f64 = 1.0 / RATE_HZ;

/// Rotations of trunk, arms and head, feet, and the pose solved so far.
pub struct Draft<'a> {
    pub body: &'a Body,
    /// One list a leg.
    pub feet: Vec<Vec<FootPose>>,
    pub root_m: Vec<DVec3>,
    /// Local, frame-major; the legs' are solved for.
    pub rotations: Vec<DQuat>,
    joints: usize,
    frames: usize,
}

/// World pose of one frame.
pub struct WorldFrame {
    pub rotation: Vec<DQuat>,
    pub position_m: Vec<DVec3>,
}

impl<'a> Draft<'a> {
    /// `root_m` is a first guess; every frame has rotations of all joints.
    pub fn new(body: &'a Body, rotations: Vec<DQuat>, feet: Vec<Vec<FootPose>>, root_m: Vec<DVec3>) -> Self {
        let joints = body.skeleton.len();
        Self { body, feet, frames: root_m.len(), root_m, rotations, joints }
    }

    /// A human figure with the pelvis at about standing height over its feet.
    pub fn human(body: &'a Body, postures: &[Posture], feet: Vec<Vec<FootPose>>) -> Self {
        let mut rotations = vec![DQuat::IDENTITY; postures.len() * body.skeleton.len()];
        for (posture, rotations) in postures.iter().zip(rotations.chunks_exact_mut(body.skeleton.len())) {
            posture.write(rotations);
        }
        let over = |i: usize| 0.5 * (feet[0][i].ankle_m + feet[1][i].ankle_m) + DVec3::Y * 0.87;
        let root_m = (0..postures.len()).map(over).collect();
        Self::new(body, rotations, feet, root_m)
    }

    pub fn frames(&self) -> usize {
        self.frames
    }

    /// Again after a change of postures.
    pub fn write_postures(&mut self, postures: &[Posture]) {
        for (posture, rotations) in postures.iter().zip(self.rotations.chunks_exact_mut(self.joints)) {
            posture.write(rotations);
        }
    }

    /// Sets all leg joints of one frame for the present root; `world` must hold the pose of the joints above the legs.
    fn solve_legs(&mut self, frame: usize, world: &WorldFrame) {
        let rotations = &mut self.rotations[frame * self.joints..(frame + 1) * self.joints];
        for (leg, feet) in self.body.legs.iter().zip(&self.feet) {
            let foot = &feet[frame];
            let world_from_parent = world.rotation[leg.parent];
            let hip_m = world.position_m[leg.ik.root().index()];
            let aim = (foot.ankle_m - hip_m).normalize_or(DVec3::NEG_Y);
            // The knee's axis: halfway between the pelvis's own and the foot's.
            let axis = world_from_parent * leg.axis + foot.world_from_foot * leg.axis;
            let goal = LimbGoal {
                end_in_world_m: foot.ankle_m,
                end_rotation: EndRotation::World(foot.world_from_foot),
                swivel: Swivel::About { reference_in_world: aim.cross(axis), angle_rad: 0.0 },
            };
            leg.ik.solve(&self.body.skeleton, (world_from_parent, hip_m), rotations, &goal);
            rotations[leg.toes] = foot.toes;
        }
    }

    /// Forward kinematics of one frame into `world`.
    pub fn pose(&self, frame: usize, world: &mut WorldFrame) {
        let rotations = &self.rotations[frame * self.joints..(frame + 1) * self.joints];
        for (index, joint) in self.body.skeleton.joints().iter().enumerate() {
            let (rotation, position_m) = match joint.parent {
                None => (rotations[index], self.root_m[frame]),
                Some(parent) => {
                    let (r, p) = (world.rotation[parent.index()], world.position_m[parent.index()]);
                    (r * rotations[index], p + r * joint.offset_m)
                }
            };
            world.rotation[index] = rotation;
            world.position_m[index] = position_m;
        }
    }

    /// Room for one pose.
    pub fn world_frame(&self) -> WorldFrame {
        WorldFrame { rotation: vec![DQuat::IDENTITY; self.joints], position_m: vec![DVec3::ZERO; self.joints] }
    }

    fn com_of(&self, world: &WorldFrame) -> DVec3 {
        let mass = |m: &MassPoint| (world.position_m[m.joint] + world.rotation[m.joint] * m.at_m) * m.share;
        self.body.masses.centres.iter().map(mass).sum()
    }

    /// Moves the root until the centre of mass is at its goal in every frame, legs solved again each time.
    ///
    /// Moving the root by δ moves the centre of mass by about 0.85 δ, the rest being in legs that stay with their feet;
    /// hence the step of 1.15 errors.
    pub fn put_com_at(&mut self, goal_m: &[DVec3]) {
        self.move_roots(goal_m, DVec3::ONE);
    }

    /// The same with the roots' heights kept.
    pub fn put_com_over(&mut self, goal_m: &[DVec3]) {
        self.move_roots(goal_m, DVec3::new(1.0, 0.0, 1.0));
    }

    fn move_roots(&mut self, goal_m: &[DVec3], directions: DVec3) {
        let mut world = self.world_frame();
        for (frame, goal_m) in goal_m.iter().enumerate() {
            self.pose(frame, &mut world);
            for _ in 0..25 {
                self.solve_legs(frame, &world);
                self.pose(frame, &mut world);
                let error_m = (*goal_m - self.com_of(&world)) * directions;
                // A hundredth of a micrometre: at 120 Hz that is 0.3 mm/s², far below what contacts and flights are
                // judged by.
                if error_m.length() < 1e-8 {
                    break;
                }
                let shift_m = error_m * 1.15;
                self.root_m[frame] += shift_m;
                // Only hips are read before the next pose, and they move with the root.
                self.body.legs.iter().for_each(|leg| world.position_m[leg.ik.root().index()] += shift_m);
            }
        }
    }

    /// Solves the legs of every frame for the roots as they are.
    pub fn solve_all_legs(&mut self) {
        let mut world = self.world_frame();
        for frame in 0..self.frames() {
            self.pose(frame, &mut world);
            self.solve_legs(frame, &world);
        }
    }

    /// Centre of mass, frame by frame.
    pub fn com_m(&self) -> Vec<DVec3> {
        let mut world = self.world_frame();
        let com = |frame| {
            self.pose(frame, &mut world);
            self.com_of(&world)
        };
        (0..self.frames()).map(com).collect()
    }

    /// Mass points, frame by frame.
    pub fn mass_points_m(&self) -> Vec<DVec3> {
        let mut world = self.world_frame();
        let mut points = Vec::with_capacity(self.frames() * self.body.masses.points.len());
        for frame in 0..self.frames() {
            self.pose(frame, &mut world);
            points.extend(
                self.body.masses.points.iter().map(|m| world.position_m[m.joint] + world.rotation[m.joint] * m.at_m),
            );
        }
        points
    }

    /// Σ m[(y″ + g)x − x″y] and the same in z, and Σ m(y″ + g): moment about the origin and vertical force, for a body
    /// of 1 kg.
    pub fn ground_moment(&self) -> Vec<(DVec3, f64)> {
        let points = self.mass_points_m();
        let count = self.body.masses.points.len();
        let last = self.frames() - 1;
        let mut moments = vec![(DVec3::ZERO, GRAVITY); self.frames()];
        for (frame, out) in moments.iter_mut().enumerate().take(last).skip(1) {
            let (mut moment, mut force) = (DVec3::ZERO, 0.0);
            for (k, mass) in self.body.masses.points.iter().enumerate() {
                let at = |f: usize| points[f * count + k];
                let x = at(frame);
                let acceleration = (at(frame + 1) - 2.0 * x + at(frame - 1)) * (RATE_HZ * RATE_HZ);
                let load = acceleration.y + GRAVITY;
                moment += (x * load - acceleration * x.y) * mass.share;
                force += load * mass.share;
            }
            *out = (moment, force);
        }
        moments
    }

    /// How far the body stands too high for `reach` of its legs, frame by frame; negative where it could rise. Over the
    /// legs, the greatest.
    pub fn excess_height_m(&self, reach: f64) -> Vec<f64> {
        let mut world = self.world_frame();
        let excess = |frame: usize| {
            self.pose(frame, &mut world);
            let of_leg = |(leg, feet): (&Leg, &Vec<FootPose>)| {
                let vector = world.position_m[leg.ik.root().index()] - feet[frame].ankle_m;
                let highest = ((reach * leg.length_m).powi(2) - vector.x.powi(2) - vector.z.powi(2)).max(0.0).sqrt();
                vector.y - highest
            };
            self.body.legs.iter().zip(&self.feet).map(of_leg).fold(f64::NEG_INFINITY, f64::max)
        };
        (0..self.frames()).map(excess).collect()
    }

    /// Longest hip-to-ankle distance asked of any leg, as a share of the leg.
    pub fn reach(&self) -> Vec<f64> {
        let mut world = self.world_frame();
        let longest = |frame: usize| {
            self.pose(frame, &mut world);
            let legs = self.body.legs.iter().zip(&self.feet);
            let share = |(leg, feet): (&Leg, &Vec<FootPose>)| {
                (world.position_m[leg.ik.root().index()] - feet[frame].ankle_m).length() / leg.length_m
            };
            legs.map(share).fold(0.0, f64::max)
        };
        (0..self.frames()).map(longest).collect()
    }

    /// Frames `range` as a clip.
    pub fn clip(&self, range: std::ops::Range<usize>) -> Result<Clip, BuiltError> {
        let rotations = self.rotations[range.start * self.joints..range.end * self.joints].to_vec();
        let positions_m = self.root_m[range.clone()].to_vec();
        let track = TranslationTrack { joint: JointId::new(0), positions_m };
        let timeline = Timeline::Uniform(FrameTime::from_hz(RATE_HZ).map_err(aplomb_motion::ClipError::from)?);
        Ok(Clip::new(self.body.skeleton.clone(), timeline, range.len(), rotations, vec![track])?)
    }
}

//! Props: their shapes, masses and ways.

use super::character::solid;
use super::scene_file::{Prop, PropShape};
use super::scene_simulation::{Performance, StageProp};
use aplomb_motion::{JointId, WorldPose};
use aplomb_physics::body::Shape;
use aplomb_physics::collision::Convex;
use aplomb_physics::spatial::SpatialInertia;
use glam::{DQuat, DVec3};

/// A thing of a scene as it was played, for drawing.
#[derive(Clone, Debug, PartialEq)]
pub struct PropTrack {
    /// As the scene calls it.
    pub name: String,
    /// About its middle.
    pub shape: PropShape,
    /// Its middle, m, and how it is turned, frame by frame; what stands still has one.
    pub poses: Vec<(DVec3, DQuat)>,
}

/// What a held prop is to its hand.
pub(super) struct Grip {
    pub who: usize,
    pub joint: JointId,
    /// The prop's long axis in the hand's frame.
    pub axis: DVec3,
    /// Where it is in the hand's frame.
    pub at_m: DVec3,
    pub turn: DQuat,
    pub shape: Convex,
    pub name: String,
}

impl Prop {
    fn shape(&self) -> (Shape, f64) {
        let (centre_m, rotation) = (DVec3::ZERO, DQuat::IDENTITY);
        let shape = match self.shape {
            PropShape::Ball { radius_m } => Shape::Ellipsoid { centre_m, rotation, half_m: DVec3::splat(radius_m) },
            PropShape::Box { half_m } => Shape::Box { centre_m, rotation, half_m },
            // As heavy and as slow to turn as a box that it fits in, nearly.
            PropShape::Cylinder { radius_m, height_m } => {
                let half_m = DVec3::new(0.87 * radius_m, 0.5 * height_m, 0.87 * radius_m);
                Shape::Box { centre_m, rotation, half_m }
            }
            PropShape::Staff { length_m, radius_m } => {
                let end_m = DVec3::Y * (0.5 * length_m - radius_m).max(0.0);
                Shape::Capsule { start_m: -end_m, end_m, radius_m }
            }
        };
        (shape, shape.volume_m3())
    }

    pub(super) fn track(&self, played: &Performance, grips: &[Grip]) -> PropTrack {
        let held = grips.iter().find(|grip| grip.name == self.name);
        let moved = played.props.iter().find(|path| path.name == self.name);
        let poses = match (held, moved) {
            (Some(grip), _) => played.tracked.get(grip.who).map_or_else(Vec::new, |tracked| {
                let mut pose = WorldPose::for_skeleton(tracked.clip.skeleton());
                let mut of_frame = |frame| {
                    pose.pose(&tracked.clip, frame);
                    let turn = pose.world_from_joint[grip.joint.index()] * grip.turn;
                    (pose.point_in_world_m(grip.joint, grip.at_m), turn)
                };
                tracked.clip.frames().map(&mut of_frame).collect()
            }),
            (None, Some(path)) => path.poses.clone(),
            (None, None) => vec![(self.at_m, DQuat::IDENTITY)],
        };
        PropTrack { name: self.name.clone(), shape: self.shape, poses }
    }

    /// About its middle; of a prop without mass nothing.
    pub(super) fn inertia(&self) -> SpatialInertia {
        let (shape, volume_m3) = self.shape();
        solid(&shape, self.mass_kg.unwrap_or(0.0) / volume_m3.max(1e-12))
    }

    pub(super) fn convex(&self, at_m: DVec3, turn: DQuat) -> Convex {
        match self.shape {
            PropShape::Ball { radius_m } => Convex::ball(at_m, radius_m),
            PropShape::Box { half_m } => Convex::cuboid(at_m, turn, half_m),
            PropShape::Cylinder { radius_m, height_m } => Convex::cylinder(at_m, turn, 0.5 * height_m, radius_m),
            PropShape::Staff { length_m, radius_m } => {
                let end_m = turn * DVec3::Y * (0.5 * length_m - radius_m).max(0.0);
                Convex::capsule(at_m - end_m, at_m + end_m, radius_m)
            }
        }
    }

    pub(super) fn staged(&self) -> StageProp {
        StageProp {
            name: self.name.clone(),
            shape: self.convex(DVec3::ZERO, DQuat::IDENTITY),
            inertia: self.mass_kg.map(|_| self.inertia()),
            at_m: self.at_m,
            rotation: DQuat::IDENTITY,
        }
    }
}

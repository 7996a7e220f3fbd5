//! The kernel for dynamics: joint rotations with their velocities and accelerations in, momentum and its rate out, in
//! one pass from the root outward.
//!
//! With r the offset of a joint from its parent in world axes and ω_l, ω̇_l its own turning relative to the parent (in
//! its own axes),
//!
//! ```text
//!   p = p_p + r          ω = ω_p + R ω_l                       ω̇ = ω̇_p + R ω̇_l + ω_p × R ω_l
//!   v = v_p + ω_p × r     a = a_p + ω̇_p × r + ω_p × (ω_p × r)
//! ```
//!
//! (Featherstone 2008, table 5.1, in world axes with classical accelerations: nothing has to be turned back for the
//! sums.)

use super::{Centroidal, LinkState, MassModel, Sums};
use crate::body::Body;
use crate::error::PhysicsError;
use crate::spatial::{SpatialInertia, SpatialMotion};
use aplomb_motion::JointId;
use glam::{DMat3, DQuat, DVec3};

/// Motion of a root in the world.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RootMotion {
    /// m.
    pub position_m: DVec3,
    /// m/s.
    pub velocity: DVec3,
    /// m/s².
    pub acceleration: DVec3,
}

/// Motion of all joints at one instant, in skeleton order. Bones keep their offsets.
#[derive(Clone, Copy, Debug)]
pub struct JointMotion<'a> {
    /// One per root, in order.
    pub roots: &'a [RootMotion],
    /// Parent-from-joint rotations.
    pub local_rotations: &'a [DQuat],
    /// rad/s relative to the parent, in the joint's own axes.
    pub angular_velocities_in_joint: &'a [DVec3],
    /// rad/s² relative to the parent: the derivatives of the components above.
    pub angular_accelerations_in_joint: &'a [DVec3],
}

/// A body laid out for the pass, and its scratch. Make it once; evaluating allocates nothing.
#[derive(Clone, Debug)]
pub struct CentroidalKernel {
    nodes: Vec<Node>,
    states: Vec<NodeState>,
    joint_count: usize,
    root_count: usize,
}

/// A joint that carries mass or has one below it that does; the others (fingers, helpers) are not visited.
#[derive(Clone, Debug)]
struct Node {
    joint: usize,
    place: NodeParent,
    /// Without mass for joints that only carry others.
    inertia: SpatialInertia,
}

#[derive(Clone, Copy, Debug)]
enum NodeParent {
    /// Index among the roots.
    Root(usize),
    /// Index of the parent's node, and the offset in its frame.
    Below(usize, DVec3),
}

#[derive(Clone, Copy, Debug, Default)]
struct NodeState {
    world_from_joint: DQuat,
    position_m: DVec3,
    velocity: SpatialMotion,
    acceleration: SpatialMotion,
}

impl CentroidalKernel {
    /// Lays out a body whose bones have their skeleton's offsets.
    pub fn new(body: &Body) -> Self {
        let skeleton = body.skeleton();
        Self::with_offsets(body, |joint| skeleton.joint(joint).offset_m)
    }

    /// Lays out a body with other offsets from the parents: files whose offsets are placeholders that tracks replace
    /// need them.
    pub fn with_offsets(body: &Body, offset_m: impl Fn(JointId) -> DVec3) -> Self {
        let skeleton = body.skeleton();
        let mut is_needed = vec![false; skeleton.len()];
        for link in body.links() {
            for joint in skeleton.ancestors(link.joint) {
                is_needed[joint.index()] = true;
            }
        }
        let roots: Vec<_> = skeleton.roots().collect();
        let mut node_of = vec![0; skeleton.len()];
        let mut nodes = Vec::new();
        for id in skeleton.ids().filter(|id| is_needed[id.index()]) {
            node_of[id.index()] = nodes.len();
            let place = match skeleton.parent(id) {
                Some(parent) => NodeParent::Below(node_of[parent.index()], offset_m(id)),
                None => NodeParent::Root(roots.iter().position(|&root| root == id).unwrap_or(0)),
            };
            let inertia = body.link(id).map_or(SpatialInertia::ZERO, |link| link.inertia);
            nodes.push(Node { joint: id.index(), place, inertia });
        }
        let states = vec![NodeState::default(); nodes.len()];
        Self { nodes, states, joint_count: skeleton.len(), root_count: roots.len() }
    }

    /// Momentum of this instant, and its rate.
    pub fn evaluate(&mut self, motion: &JointMotion<'_>, model: MassModel) -> Result<Centroidal, PhysicsError> {
        self.check(motion)?;
        let origin_m = motion.roots.first().map_or(DVec3::ZERO, |root| root.position_m);
        let mut sums = Sums::about(origin_m);
        for (index, node) in self.nodes.iter().enumerate() {
            let local = motion.local_rotations[node.joint];
            let own_velocity = motion.angular_velocities_in_joint[node.joint];
            let own_acceleration = motion.angular_accelerations_in_joint[node.joint];
            let state = match node.place {
                NodeParent::Root(root) => {
                    let RootMotion { position_m, velocity, acceleration } = motion.roots[root];
                    NodeState {
                        world_from_joint: local,
                        position_m,
                        velocity: SpatialMotion { angular: local * own_velocity, linear: velocity },
                        acceleration: SpatialMotion { angular: local * own_acceleration, linear: acceleration },
                    }
                }
                NodeParent::Below(parent, offset_m) => {
                    self.states[parent].child(local, offset_m, own_velocity, own_acceleration)
                }
            };
            self.states[index] = state;
            if node.inertia.mass_kg > 0.0 {
                sums.add(&node.inertia, &state.link(node.inertia.com_m), model);
            }
        }
        Ok(sums.finish())
    }

    /// World rotation and position of a joint as of the last evaluation; `None` for joints below which nothing has
    /// mass.
    pub fn joint_in_world(&self, joint: JointId) -> Option<(DQuat, DVec3)> {
        let index = self.nodes.binary_search_by_key(&joint.index(), |node| node.joint).ok()?;
        Some((self.states[index].world_from_joint, self.states[index].position_m))
    }

    fn check(&self, motion: &JointMotion<'_>) -> Result<(), PhysicsError> {
        let counts = [
            ("local rotations", self.joint_count, motion.local_rotations.len()),
            ("angular velocities", self.joint_count, motion.angular_velocities_in_joint.len()),
            ("angular accelerations", self.joint_count, motion.angular_accelerations_in_joint.len()),
            ("root motions", self.root_count, motion.roots.len()),
        ];
        match counts.into_iter().find(|(_, expected, found)| expected != found) {
            Some((what, expected, found)) => Err(PhysicsError::Count { what, expected, found }),
            None => Ok(()),
        }
    }
}

impl NodeState {
    #[inline]
    fn child(&self, local: DQuat, offset_m: DVec3, own_velocity: DVec3, own_acceleration: DVec3) -> Self {
        let world_from_joint = self.world_from_joint * local;
        let turn = DMat3::from_quat(world_from_joint);
        let offset_m = self.world_from_joint * offset_m;
        let (own_velocity, own_acceleration) = (turn * own_velocity, turn * own_acceleration);
        let parent_spin = self.velocity.angular;
        NodeState {
            world_from_joint,
            position_m: self.position_m + offset_m,
            velocity: SpatialMotion {
                angular: parent_spin + own_velocity,
                linear: self.velocity.linear + parent_spin.cross(offset_m),
            },
            acceleration: SpatialMotion {
                angular: self.acceleration.angular + own_acceleration + parent_spin.cross(own_velocity),
                linear: self.acceleration.point_acceleration(parent_spin, offset_m),
            },
        }
    }

    #[inline]
    fn link(&self, com_in_joint_m: DVec3) -> LinkState {
        let com_m = self.world_from_joint * com_in_joint_m;
        LinkState {
            com_in_world_m: self.position_m + com_m,
            velocity: self.velocity.at(com_m).linear,
            acceleration: self.acceleration.point_acceleration(self.velocity.angular, com_m),
            world_from_link: self.world_from_joint,
            angular_velocity: self.velocity.angular,
            angular_acceleration: self.acceleration.angular,
        }
    }
}

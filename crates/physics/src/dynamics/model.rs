//! The tree itself: links, joints between them, and where their numbers stand in a state.

use crate::error::PhysicsError;
use crate::gravity::GRAVITY_IN_WORLD;
use crate::spatial::SpatialInertia;
use glam::{DQuat, DVec3};

/// Index of a link; parents come before children.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LinkId(usize);

impl LinkId {
    /// Position in the model's order.
    pub fn index(self) -> usize {
        self.0
    }
}

/// How a link may move relative to its parent (the world, for a root).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum JointKind {
    /// Turns and moves freely.
    Free,
    /// Turns about one point.
    Ball,
    /// Turns about an axis, which is told in the link's own axes.
    Revolute {
        /// Of length one.
        axis: DVec3,
    },
    /// Does not move.
    Fixed,
}

impl JointKind {
    /// Numbers in a velocity.
    pub const fn velocity_count(&self) -> usize {
        match self {
            JointKind::Free => 6,
            JointKind::Ball => 3,
            JointKind::Revolute { .. } => 1,
            JointKind::Fixed => 0,
        }
    }

    /// Numbers in a configuration.
    pub const fn configuration_count(&self) -> usize {
        match self {
            JointKind::Free => 7,
            JointKind::Ball => 4,
            JointKind::Revolute { .. } => 1,
            JointKind::Fixed => 0,
        }
    }
}

/// A link with the joint that carries it.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub name: String,
    pub parent: Option<usize>,
    pub kind: JointKind,
    /// Where the joint is in the parent's frame, m.
    pub offset_m: DVec3,
    /// `parent_from_link` at rest, if it is not the identity.
    pub rest: Option<DQuat>,
    /// About the joint, in the link's axes.
    pub inertia: SpatialInertia,
    /// First number in a configuration, and in a velocity.
    pub q_start: usize,
    pub v_start: usize,
}

/// Links, joints and masses; immutable and checked.
#[derive(Clone, Debug)]
pub struct Model {
    pub(super) nodes: Vec<Node>,
    nq: usize,
    nv: usize,
    /// For each velocity number the one before it on the way to the root: the λ of Featherstone's branch-induced
    /// sparsity.
    pub(super) dof_parent: Vec<Option<usize>>,
    /// World gravity, m/s².
    pub gravity: DVec3,
}

impl Model {
    /// An empty tree under [`GRAVITY_IN_WORLD`].
    pub fn builder() -> ModelBuilder {
        ModelBuilder { nodes: Vec::new(), gravity: GRAVITY_IN_WORLD }
    }

    /// Count of links.
    pub fn link_count(&self) -> usize {
        self.nodes.len()
    }

    /// All links, parents first.
    pub fn links(&self) -> impl DoubleEndedIterator<Item = LinkId> + ExactSizeIterator + use<> {
        (0..self.nodes.len()).map(LinkId)
    }

    /// Numbers in a configuration.
    pub fn nq(&self) -> usize {
        self.nq
    }

    /// Numbers in a velocity: degrees of freedom.
    pub fn nv(&self) -> usize {
        self.nv
    }

    /// A link's name.
    pub fn name(&self, link: LinkId) -> &str {
        &self.nodes[link.0].name
    }

    /// The link of a name.
    pub fn link(&self, name: &str) -> Option<LinkId> {
        self.nodes.iter().position(|node| node.name == name).map(LinkId)
    }

    /// What carries a link, unless the world does.
    pub fn parent(&self, link: LinkId) -> Option<LinkId> {
        self.nodes[link.0].parent.map(LinkId)
    }

    /// How a link moves.
    pub fn kind(&self, link: LinkId) -> JointKind {
        self.nodes[link.0].kind
    }

    /// Where a link's joint is in its parent's frame, m.
    pub fn offset_m(&self, link: LinkId) -> DVec3 {
        self.nodes[link.0].offset_m
    }

    /// `parent_from_link` at rest.
    pub fn rest(&self, link: LinkId) -> DQuat {
        self.nodes[link.0].rest.unwrap_or(DQuat::IDENTITY)
    }

    /// Mass, centre and inertia of a link, about its joint in its own axes.
    pub fn inertia(&self, link: LinkId) -> &SpatialInertia {
        &self.nodes[link.0].inertia
    }

    /// Where a link's numbers stand in a configuration.
    pub fn q_range(&self, link: LinkId) -> std::ops::Range<usize> {
        let node = &self.nodes[link.0];
        node.q_start..node.q_start + node.kind.configuration_count()
    }

    /// Where a link's numbers stand in a velocity, an acceleration, a force.
    pub fn v_range(&self, link: LinkId) -> std::ops::Range<usize> {
        self.nodes[link.0].dofs()
    }

    /// Sum of the links.
    pub fn total_mass_kg(&self) -> f64 {
        self.nodes.iter().map(|node| node.inertia.mass_kg).sum()
    }
}

impl Node {
    pub fn dofs(&self) -> std::ops::Range<usize> {
        self.v_start..self.v_start + self.kind.velocity_count()
    }
}

/// Adds links; [`ModelBuilder::build`] checks them.
#[derive(Clone, Debug)]
pub struct ModelBuilder {
    nodes: Vec<Node>,
    gravity: DVec3,
}

impl ModelBuilder {
    /// Other gravity, m/s².
    pub fn gravity(mut self, gravity: DVec3) -> Self {
        self.gravity = gravity;
        self
    }

    /// A link below another one, or below the world. Its joint lies at `offset_m` in the parent's frame, turned by
    /// `rest`.
    pub fn add(
        &mut self,
        parent: Option<LinkId>,
        name: impl Into<String>,
        kind: JointKind,
        offset_m: DVec3,
        rest: DQuat,
        inertia: SpatialInertia,
    ) -> LinkId {
        let rest = (rest != DQuat::IDENTITY).then(|| rest.normalize());
        let kind = match kind {
            JointKind::Revolute { axis } => JointKind::Revolute { axis: axis.normalize_or_zero() },
            other => other,
        };
        let (parent, name) = (parent.map(LinkId::index), name.into());
        self.nodes.push(Node { name, parent, kind, offset_m, rest, inertia, q_start: 0, v_start: 0 });
        LinkId(self.nodes.len() - 1)
    }

    /// Checks the tree and numbers its degrees of freedom.
    pub fn build(self) -> Result<Model, PhysicsError> {
        let Self { mut nodes, gravity } = self;
        if nodes.is_empty() {
            return Err(PhysicsError::NoMass);
        }
        if !gravity.is_finite() {
            return Err(PhysicsError::Model { link: nodes[0].name.clone(), why: "gravity is not finite" });
        }
        let (mut nq, mut nv) = (0, 0);
        let mut dof_parent = Vec::new();
        for index in 0..nodes.len() {
            check(&nodes[index], index)?;
            let mut above = last_dof(&nodes, nodes[index].parent);
            let node = &mut nodes[index];
            (node.q_start, node.v_start) = (nq, nv);
            nq += node.kind.configuration_count();
            for dof in node.dofs() {
                dof_parent.push(above);
                above = Some(dof);
            }
            nv = node.dofs().end;
        }
        let model = Model { nodes, nq, nv, dof_parent, gravity };
        model.check_masses()?;
        Ok(model)
    }
}

/// The degree of freedom nearest to a link's frame on the way to the root.
fn last_dof(nodes: &[Node], mut link: Option<usize>) -> Option<usize> {
    while let Some(index) = link {
        let dofs = nodes[index].dofs();
        if !dofs.is_empty() {
            return Some(dofs.end - 1);
        }
        link = nodes[index].parent;
    }
    None
}

fn check(node: &Node, index: usize) -> Result<(), PhysicsError> {
    let bad = |why| Err(PhysicsError::Model { link: node.name.clone(), why });
    if node.parent.is_some_and(|parent| parent >= index) {
        return bad("its parent must be added before it");
    }
    if !node.offset_m.is_finite() || node.rest.is_some_and(|rest| !rest.is_finite()) {
        return bad("its place below the parent is not finite");
    }
    if matches!(node.kind, JointKind::Revolute { axis } if !axis.is_normalized()) {
        return bad("its axis has no direction");
    }
    if node.kind == JointKind::Free && node.parent.is_some() {
        return bad("a free joint can only hang below the world");
    }
    let SpatialInertia { mass_kg, com_m, about_com } = node.inertia;
    // Links without mass may carry others; the tree below them is checked as a whole.
    if !(mass_kg >= 0.0 && mass_kg.is_finite() && com_m.is_finite() && about_com.is_finite()) {
        return bad("its mass must be finite and not negative, and its centre and inertia finite");
    }
    Ok(())
}

impl Model {
    /// A joint that moves nothing heavy has a mass matrix without an inverse.
    fn check_masses(&self) -> Result<(), PhysicsError> {
        let mut below = vec![SpatialInertia::ZERO; self.nodes.len()];
        for (index, node) in self.nodes.iter().enumerate().rev() {
            below[index] = below[index] + node.inertia;
            let whole = below[index];
            let is_solid = whole.mass_kg > 0.0 && whole.about_reference_point().is_positive_definite();
            if node.kind != JointKind::Fixed && !is_solid {
                let why = "it and what hangs below it have no mass or no inertia, so its joint cannot be driven";
                return Err(PhysicsError::Model { link: node.name.clone(), why });
            }
            if let Some(parent) = node.parent {
                let rest = glam::DMat3::from_quat(node.rest.unwrap_or(DQuat::IDENTITY));
                let carried = whole.transformed(rest, node.offset_m);
                below[parent] = below[parent] + carried;
            }
        }
        Ok(())
    }
}

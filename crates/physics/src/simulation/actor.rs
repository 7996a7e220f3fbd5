//! What a scene is made of: a tree with what drives it, and the shapes of it that may strike something.

use super::ground::Ground;
use super::servo::Servos;
use super::stepping::Simulation;
use super::task::{Command, Task};
use crate::collision::Convex;
use crate::dynamics::{LinkId, Loads, Model};

/// A shape of a link that may strike something.
#[derive(Clone, Debug, PartialEq)]
pub struct Solid {
    /// For messages and scenes.
    pub name: String,
    /// Which link carries it.
    pub link: LinkId,
    /// In the link's frame.
    pub shape: Convex,
}

/// A tree, what drives it, and what of it may strike.
#[derive(Debug)]
pub struct Actor {
    /// For messages and scenes.
    pub name: String,
    /// The tree.
    pub model: Model,
    /// Its state.
    pub simulation: Simulation,
    /// Springs at its joints.
    pub servos: Servos,
    /// The floor under it, if it may touch one.
    pub ground: Option<Ground>,
    /// Forces from outside.
    pub loads: Loads,
    /// What of it may strike.
    pub solids: Vec<Solid>,
    /// Controllers that look at the state and change what is asked of the servos, in this order.
    pub tasks: Vec<Box<dyn Task>>,
    pub(super) command: Command,
}

impl Actor {
    /// A tree at a state with its servos; everything else empty.
    pub fn new(name: impl Into<String>, model: Model, servos: Servos, q: Vec<f64>, v: Vec<f64>) -> Self {
        let command = Command { target: q.clone(), rate: vec![0.0; model.nv()], push: vec![0.0; model.nv()] };
        Self {
            name: name.into(),
            simulation: Simulation::new(&model, q, v),
            model,
            servos,
            ground: None,
            loads: Loads::default(),
            solids: Vec::new(),
            tasks: Vec::new(),
            command,
        }
    }

    /// Something that stands still: a table, a drum on its stand.
    pub fn fixed(name: impl Into<String>, model: Model) -> Self {
        let (q, v) = (model.neutral(), vec![0.0; model.nv()]);
        let servos = Servos::none(&model);
        Self::new(name, model, servos, q, v)
    }

    /// What was asked of the servos in the last step.
    pub fn command(&self) -> &Command {
        &self.command
    }
}

/// A shape of the scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SolidId {
    /// Position in [`super::World::actors`].
    pub actor: usize,
    /// Position in [`Actor::solids`].
    pub solid: usize,
}

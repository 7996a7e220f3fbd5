//! A motion as other engines want it: the tree of links, and states with forces, evenly in time.

use crate::adapt::problem::{Evaluator, Problem};
use crate::adapt::start::StagedTrajectory;
use aplomb_physics::dynamics::{JointKind, LinkId};
use serde::Serialize;

/// A tree and its states over time.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DynamicStates {
    /// Degrees of freedom of the velocities.
    pub nv: usize,
    /// N, with everything that is carried.
    pub body_weight_n: f64,
    /// Parents first.
    pub links: Vec<LinkData>,
    /// Evenly spaced in time.
    pub states: Vec<DynamicState>,
}

/// One link.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LinkData {
    /// As in the clip.
    pub name: String,
    /// Which link carries it.
    pub parent: Option<usize>,
    /// `free` or `ball`.
    pub kind: &'static str,
    /// From the parent's joint, m.
    pub offset: [f64; 3],
    /// x y z w.
    pub rest: [f64; 4],
    /// kg.
    pub mass: f64,
    /// In the link's frame, m.
    pub com: [f64; 3],
    /// xx yy zz xy xz yz about the centre of mass, kg·m².
    pub inertia: [f64; 6],
}

/// One moment.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DynamicState {
    /// When.
    pub time_secs: f64,
    /// Quaternions x y z w; the root's with its place behind, m.
    pub q: Vec<f64>,
    /// Angular, then the root's linear, in the links' own axes.
    pub v: Vec<f64>,
    /// Its derivative.
    pub a: Vec<f64>,
    /// Forces of the world on the body.
    pub forces: Vec<PointLoad>,
}

/// A force at a point.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PointLoad {
    /// On which link.
    pub link: usize,
    /// In the link's frame, m.
    pub point: [f64; 3],
    /// World axes, N.
    pub force: [f64; 3],
}

/// States of a motion, so many a second.
pub fn states(problem: &Problem<'_>, staged: &StagedTrajectory, hz: f64) -> DynamicStates {
    let mut evaluator = Evaluator::new(problem);
    let model = &problem.tree.model;
    let links = model.links().map(|link| {
        let inertia = model.inertia(link);
        let about = inertia.about_com;
        LinkData {
            name: model.name(link).to_owned(),
            parent: model.parent(link).map(LinkId::index),
            kind: if model.kind(link) == JointKind::Free { "free" } else { "ball" },
            offset: model.offset_m(link).to_array(),
            rest: model.rest(link).to_array(),
            mass: inertia.mass_kg,
            com: inertia.com_m.to_array(),
            inertia: [about.xx, about.yy, about.zz, about.xy, about.xz, about.yz],
        }
    });
    let count = (staged.end_secs * hz).floor() as usize;
    let states = (0..=count).map(|index| {
        let time_secs = index as f64 / hz;
        let [q, v, a] = evaluator.state_at(&staged.trajectory, time_secs);
        let forces = problem.constraints.touches.iter().enumerate().filter_map(|(touch, own)| {
            let force = staged.trajectory.force_at(touch, time_secs) * problem.body_weight_n;
            let point = own.point_in_link_m.to_array();
            (force.length() > 0.0).then(|| PointLoad { link: own.link.index(), point, force: force.to_array() })
        });
        DynamicState { time_secs, q, v, a, forces: forces.collect() }
    });
    let (links, states) = (links.collect(), states.collect());
    DynamicStates { nv: model.nv(), body_weight_n: problem.body_weight_n, links, states }
}

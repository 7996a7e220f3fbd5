//! A skeleton with its masses as a model file of MuJoCo.

use crate::error::ProjectError;
use aplomb_formats::Import;
use aplomb_formats::mjcf::{MjcfBody, MjcfJoint, MjcfModel, MjcfPosition, MjcfShape};
use aplomb_motion::{FrameIndex, WorldPose};
use aplomb_physics::dynamics::{BodyModel, JointKind, LinkId};
use aplomb_physics::{Body, Shape};
use glam::DVec3;
use std::collections::HashSet;

/// Every joint with mass as a body with a ball joint, the topmost ones free, standing as in the first frame. Joints
/// between that carry none keep the bend they have there.
pub fn mjcf(import: &Import, body: &Body) -> Result<MjcfModel, ProjectError> {
    let fail = |source| ProjectError::Body { path: import.path.clone(), source };
    let clip = &import.clip;
    let mut pose = WorldPose::for_skeleton(clip.skeleton());
    pose.pose(clip, FrameIndex(0));
    let links = BodyModel::new(body, &pose).map_err(fail)?;
    let model = &links.model;
    let mut q = model.neutral();
    links.configuration(&pose, &mut q);
    let mut taken = HashSet::new();
    let mut bodies = Vec::with_capacity(model.link_count());
    let mut start = Vec::with_capacity(model.link_count());
    for link in model.links() {
        let own = body.link(links.joints[link.index()]);
        let inertia = model.inertia(link);
        let i = inertia.about_com;
        bodies.push(MjcfBody {
            name: unique(model.name(link), &mut taken),
            parent: model.parent(link).map(LinkId::index),
            offset_m: model.offset_m(link),
            rest: model.rest(link),
            joint: match model.kind(link) {
                JointKind::Free => MjcfJoint::Free,
                JointKind::Ball => MjcfJoint::Ball,
                JointKind::Revolute { axis } => MjcfJoint::Hinge(axis),
                JointKind::Fixed => MjcfJoint::Fixed,
            },
            mass_kg: inertia.mass_kg,
            com_m: inertia.com_m,
            inertia: [i.xx, i.yy, i.zz, i.xy, i.xz, i.yz],
            shapes: own.map_or_else(Vec::new, |own| own.shapes.iter().map(shape).collect()),
        });
        let at = model.q_range(link).start;
        match model.kind(link) {
            JointKind::Free => {
                start.push(MjcfPosition::Free(DVec3::from_slice(&q[at + 4..at + 7]), links.rotation(link, &q)));
            }
            JointKind::Ball => start.push(MjcfPosition::Ball(links.rotation(link, &q))),
            JointKind::Revolute { .. } => start.push(MjcfPosition::Hinge(q[at])),
            JointKind::Fixed => {}
        }
    }
    let name = import.path.file_stem().map_or_else(|| "body".to_owned(), |stem| stem.to_string_lossy().into_owned());
    Ok(MjcfModel { name, gravity: -model.gravity.y, bodies, start })
}

/// MuJoCo wants each name once; files of motion do not always.
fn unique(name: &str, taken: &mut HashSet<String>) -> String {
    let mut own = name.to_owned();
    let mut count = 1;
    while !taken.insert(own.clone()) {
        count += 1;
        own = format!("{name} {count}");
    }
    own
}

fn shape(shape: &Shape) -> MjcfShape {
    match *shape {
        Shape::Capsule { start_m, end_m, radius_m } => MjcfShape::Capsule { start_m, end_m, radius_m },
        Shape::Box { centre_m, rotation, half_m } => MjcfShape::Box { centre_m, rotation, half_m },
        Shape::Ellipsoid { centre_m, rotation, half_m } => MjcfShape::Ellipsoid { centre_m, rotation, half_m },
    }
}

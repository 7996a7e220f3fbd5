//! Which nodes are joints, in which order, and what stands still above them.

use super::document::{Node, Root};
use crate::diagnostic::{Diagnostic, printable};
use crate::options::Limits;
use glam::{DMat4, DQuat, DVec3};

/// A node's place in its parent: translation, then rotation, then scale.
#[derive(Clone, Copy, Debug)]
pub(super) struct Local {
    pub translation: DVec3,
    pub rotation: DQuat,
    pub scale: DVec3,
}

/// The nodes of a file as a forest.
pub(super) struct Tree {
    pub parents: Vec<Option<usize>>,
    /// Every node after its parent, depth first, children in the order of the file.
    pub order: Vec<usize>,
    pub locals: Vec<Local>,
}

/// Checks indices and that nodes make a forest; nothing recurses.
pub(super) fn tree(root: &Root, limits: &Limits) -> Result<Tree, Box<Diagnostic>> {
    let nodes = &root.nodes;
    if nodes.len() > limits.joints {
        let fault = Diagnostic::error("GLB-E013", format!("at most {} nodes", limits.joints), nodes.len().to_string());
        return Err(Box::new(fault.hint("raise the limit with {limit joints=N}")));
    }
    let fault = |found: String| Box::new(Diagnostic::error("GLB-E015", "nodes that make a tree", found));
    let mut parents = vec![None; nodes.len()];
    for (index, node) in nodes.iter().enumerate() {
        for &child in &node.children {
            let slot = parents
                .get_mut(child)
                .ok_or_else(|| fault(format!("node {} has child {child} of {}", shown(root, index), nodes.len())))?;
            if slot.replace(index).is_some() {
                return Err(fault(format!("node {} has two parents", shown(root, child))));
            }
        }
    }
    let mut order = Vec::with_capacity(nodes.len());
    let mut open: Vec<(usize, usize)> =
        (0..nodes.len()).rev().filter(|&node| parents[node].is_none()).map(|node| (node, 1)).collect();
    while let Some((node, depth)) = open.pop() {
        if depth > limits.depth {
            let fault = Diagnostic::error("GLB-E013", format!("at most {} nodes deep", limits.depth), "deeper nodes");
            return Err(Box::new(fault.hint("raise the limit with {limit depth=N}")));
        }
        order.push(node);
        open.extend(nodes[node].children.iter().rev().map(|&child| (child, depth + 1)));
    }
    if order.len() < nodes.len() {
        let mut reached = vec![false; nodes.len()];
        order.iter().for_each(|&node| reached[node] = true);
        let lost = reached.iter().position(|reached| !reached).unwrap_or(0);
        return Err(fault(format!("node {} is below itself", shown(root, lost))));
    }
    let locals = nodes.iter().enumerate().map(|(index, node)| local(root, index, node));
    Ok(Tree { parents, order, locals: locals.collect::<Result<_, _>>()? })
}

/// `"Hips" (3)`.
pub(super) fn shown(root: &Root, node: usize) -> String {
    let name = root.nodes.get(node).map_or("", |node| node.name.as_str());
    let cut: String = printable(name).chars().take(80).collect();
    format!("{cut:?} ({node})")
}

fn local(root: &Root, index: usize, node: &Node) -> Result<Local, Box<Diagnostic>> {
    let fault = |expected: &str, found: String| {
        let found = format!("{found} at node {}", shown(root, index));
        Box::new(Diagnostic::error("GLB-E019", expected, found))
    };
    let local = match node.matrix {
        Some(columns) => {
            let matrix = DMat4::from_cols_array(&columns);
            let determinant = matrix.determinant();
            // A mirror turns left into right; singular matrices and NaN fail here too.
            let is_finite = determinant.is_finite() && columns.iter().all(|number| number.is_finite());
            if !is_finite || determinant <= 0.0 {
                return Err(fault("a matrix that can be undone", format!("determinant {determinant}")));
            }
            let (scale, rotation, translation) = matrix.to_scale_rotation_translation();
            let again = DMat4::from_scale_rotation_translation(scale, rotation, translation);
            // Files hold single precision, 6e-8 of the largest; a shear that anybody meant is a thousand times that.
            if !matrix.abs_diff_eq(again, 1e-4 * (1.0 + scale.max_element())) {
                return Err(fault("turn, shift and scale", "a matrix that shears".to_owned()));
            }
            Local { translation, rotation, scale }
        }
        None => Local {
            translation: node.translation.map_or(DVec3::ZERO, DVec3::from),
            rotation: DQuat::from_array(node.rotation.unwrap_or([0.0, 0.0, 0.0, 1.0])),
            scale: node.scale.map_or(DVec3::ONE, DVec3::from),
        },
    };
    if !local.translation.is_finite() {
        return Err(fault("a finite translation", local.translation.to_string()));
    }
    let rotation = unit(local.rotation).ok_or_else(|| fault("a rotation", local.rotation.to_string()))?;
    if !local.scale.is_finite() || local.scale.min_element() <= 0.0 {
        return Err(fault("a scale above zero", local.scale.to_string()));
    }
    Ok(Local { rotation, ..local })
}

/// A quaternion of unit length; `None` if it says no direction. Quantised ones are a few thousandths off.
pub(super) fn unit(rotation: DQuat) -> Option<DQuat> {
    let length = rotation.length();
    (length.is_finite() && length > 1e-3).then(|| (rotation / length).normalize())
}

/// One scale for all directions, or `None`. Single precision and exporters leave a few millionths.
pub(super) fn uniform(scale: DVec3) -> Option<f64> {
    let mean = (scale.x + scale.y + scale.z) / 3.0;
    ((scale - DVec3::splat(mean)).abs().max_element() <= 1e-4 * mean).then_some(mean)
}

/// The joints among the nodes, parents first.
pub(super) struct Joints {
    pub nodes: Vec<usize>,
    /// For every node, its place in `nodes`.
    pub of_node: Vec<Option<usize>>,
    /// Leaves that are no joints and carry nothing: end sites of the joint above.
    pub ends: Vec<usize>,
    /// Animated nodes that hang on nothing of the body.
    pub left_out: usize,
}

/// `seeds` are joints by the file's own word (skins, VRM); without any, what is animated is the body. Nodes between
/// joints are joints, and so is what is animated above or below one. `own_order` is kept where it is whole and sorted:
/// files of ours come back as they were.
pub(super) fn joints(root: &Root, tree: &Tree, seeds: &[usize], animated: &[bool], own_order: bool) -> Joints {
    let mut is_joint = vec![false; root.nodes.len()];
    seeds.iter().for_each(|&node| is_joint[node] = true);
    if seeds.is_empty() {
        is_joint.copy_from_slice(animated);
    }
    for pass in 0..2 {
        let (above, below) = reach(tree, &is_joint);
        for node in 0..is_joint.len() {
            let joins = animated[node] && (above[node] || below[node]);
            is_joint[node] |= if pass == 0 { joins } else { above[node] && below[node] };
        }
    }
    let left_out = (0..is_joint.len()).filter(|&node| animated[node] && !is_joint[node]).count();
    let sorted = |list: &[usize]| {
        let mut place = vec![None; root.nodes.len()];
        list.iter().enumerate().for_each(|(index, &node)| place[node] = Some(index));
        let count = is_joint.iter().filter(|&&joint| joint).count();
        let is_after_parent = |(index, &node): (usize, &usize)| {
            tree.parents[node].and_then(|parent| place[parent]).is_none_or(|parent| parent < index)
        };
        list.len() == count && list.iter().enumerate().all(is_after_parent)
    };
    let nodes: Vec<usize> = match own_order && sorted(seeds) {
        true => seeds.to_vec(),
        false => tree.order.iter().copied().filter(|&node| is_joint[node]).collect(),
    };
    let mut of_node = vec![None; root.nodes.len()];
    nodes.iter().enumerate().for_each(|(index, &node)| of_node[node] = Some(index));
    let is_end = |&node: &usize| {
        let entry = &root.nodes[node];
        let is_bare = entry.children.is_empty() && entry.mesh.is_none() && entry.camera.is_none();
        is_bare && of_node[node].is_none() && tree.parents[node].is_some_and(|parent| of_node[parent].is_some())
    };
    let ends = (0..root.nodes.len()).filter(is_end).collect();
    Joints { nodes, of_node, ends, left_out }
}

/// For every node: is there a joint among its ancestors, and one among its descendants?
fn reach(tree: &Tree, is_joint: &[bool]) -> (Vec<bool>, Vec<bool>) {
    let (mut above, mut below) = (vec![false; is_joint.len()], vec![false; is_joint.len()]);
    for &node in &tree.order {
        above[node] = tree.parents[node].is_some_and(|parent| is_joint[parent] || above[parent]);
    }
    for &node in tree.order.iter().rev() {
        if let Some(parent) = tree.parents[node] {
            below[parent] |= is_joint[node] || below[node];
        }
    }
    (above, below)
}

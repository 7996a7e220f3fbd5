//! Scenes of other formats (FBX) in the terms of glTF: what is a joint, what stands above it and at which instants it
//! is sampled are the same questions there.

use super::curve::Curve;
use super::document::{Node, Root};
use super::{Moves, NodeMoves, sampled, tree};
use crate::diagnostic::Diagnostic;
use crate::options::ReadOptions;
use aplomb_motion::Clip;
use glam::{DQuat, DVec3};

/// A node, in metres and Y up, and its keys with straight lines between them.
#[derive(Clone, Debug, Default)]
pub(crate) struct SceneNode {
    pub name: String,
    pub children: Vec<usize>,
    pub translation: DVec3,
    pub rotation: DQuat,
    pub scale: DVec3,
    /// A joint by the file's own word.
    pub is_bone: bool,
    /// It carries a mesh, a camera or the like: no end site.
    pub carries_something: bool,
    pub translation_keys: Vec<(f64, DVec3)>,
    pub rotation_keys: Vec<(f64, DQuat)>,
    pub scale_keys: Vec<(f64, DVec3)>,
}

/// The motion of a scene. Key times must be finite and rise.
pub(crate) fn clip_of_scene(
    nodes: Vec<SceneNode>,
    file_bytes: usize,
    options: &ReadOptions,
    notes: &mut Vec<Diagnostic>,
) -> Result<Clip, Box<Diagnostic>> {
    let seeds: Vec<usize> = (0..nodes.len()).filter(|&node| nodes[node].is_bone).collect();
    let (entries, moves): (Vec<Node>, Vec<NodeMoves<'static>>) = nodes.into_iter().map(parted).unzip();
    let root = Root { nodes: entries, ..Root::default() };
    let tree = tree::tree(&root, &options.limits)?;
    let (clip, _) = sampled(&root, tree, &Moves { nodes: moves }, &seeds, None, file_bytes, options, notes)?;
    Ok(clip)
}

fn parted(node: SceneNode) -> (Node, NodeMoves<'static>) {
    let vectors =
        |keys: Vec<(f64, DVec3)>| Curve::own(keys.into_iter().map(|(time_secs, value)| (time_secs, value.to_array())));
    let rotations = node.rotation_keys.into_iter().map(|(time_secs, turn)| (time_secs, turn.to_array()));
    let moves = NodeMoves {
        translation: vectors(node.translation_keys),
        rotation: Curve::own(rotations),
        scale: vectors(node.scale_keys),
    };
    let entry = Node {
        name: node.name,
        children: node.children,
        translation: Some(node.translation.to_array()),
        rotation: Some(node.rotation.to_array()),
        scale: Some(node.scale.to_array()),
        mesh: node.carries_something.then_some(0),
        ..Node::default()
    };
    (entry, moves)
}

//! Skeletal animation out of a glTF of anybody's making: `.glb`, `.gltf`, `.vrm`, `.vrma`.
//!
//! bytes → container → document (checked indices) → tree of nodes → curves over time → a clip at an even rate, in
//! metres and Y up. Rest rotations of nodes are part of the frames: joints of a clip have none of their own. What our
//! writer put into `extras` (exact rate, channels, offsets, source unit) is taken back, so that a BVH that went through
//! a GLB comes back as it was, to single precision. The `gltf` crate is not used: it trusts indices and lengths of a
//! file (`gltf::read::tests` has the cases).

mod accessor;
mod bake;
mod container;
mod curve;
mod document;
#[cfg(feature = "fbx")]
pub(crate) mod scene;
mod times;
mod tree;
mod vrm;

#[cfg(test)]
mod hostile;
#[cfg(test)]
mod tests;

use super::extras::{AnimationExtras, AssetExtras};
use crate::diagnostic::{Diagnostic, printable};
use crate::options::ReadOptions;
use accessor::{Buffers, OpenBuffer};
use aplomb_motion::roles::Role;
use aplomb_motion::{Axis, Clip, FrameOfReference, FrameTime, JointId, SignedPermutation};
use bake::{Bake, Places};
use container::Container;
use curve::{Curve, KeyTimes};
use document::{Animation, Root};
use glam::DVec3;
use std::path::Path;
use tree::{Joints, Tree};

/// What a glTF says about motion.
#[derive(Clone, Debug)]
pub struct GltfFile {
    /// Metres, Y up.
    pub clip: Clip,
    /// Roles by the file's own word (VRM).
    pub roles: Vec<(JointId, Option<Role>)>,
    /// Unit and axes of the file that the glTF was made from, where it says so.
    pub source_frame: Option<FrameOfReference>,
    /// The rate, where it is even.
    pub frame_time: Option<FrameTime>,
}

/// Reads the bytes of a glTF; `folder` is where buffers beside it are looked for.
pub fn read(
    bytes: &[u8],
    folder: Option<&Path>,
    options: &ReadOptions,
    notes: &mut Vec<Diagnostic>,
) -> Result<GltfFile, Box<Diagnostic>> {
    let Container { json, bin } = container::open(bytes)?;
    let root: Root = serde_json::from_slice(json).map_err(|error| {
        let found = printable(&error.to_string());
        Box::new(Diagnostic::error("GLB-E012", "JSON of a glTF", found))
    })?;
    if !root.asset.version.starts_with("2.") {
        let found = format!("version {:?}", printable(&root.asset.version));
        return Err(Box::new(Diagnostic::error("GLB-E010", "glTF of version 2", found).hint("export it as glTF 2.0")));
    }
    let tree = tree::tree(&root, &options.limits)?;
    let animation = chosen(&root, options, notes)?;
    let buffers = needed_buffers(&root, animation, bin, folder, options)?;
    let moves = Moves::open(&root, animation, &buffers, notes)?;
    let bones = vrm::bones(&root.extensions);
    let seeds = seeds(&root, &bones)?;
    let own: Option<AnimationExtras> = serde_json::from_value(animation.extras.clone()).ok();
    let (clip, joints) = sampled(&root, tree, &moves, &seeds, own, bytes.len(), options, notes)?;
    let roles = bones.iter().filter_map(|&(node, role)| Some((JointId::new(joints.of_node[node]?), Some(role))));
    let roles: Vec<_> = roles.collect();
    if !roles.is_empty() {
        notes.push(Diagnostic::note("GLB-N013", "", format!("VRM names {} bones", roles.len())));
    }
    let frame_time = clip.timeline().uniform();
    Ok(GltfFile { clip, roles, source_frame: source_frame(&root), frame_time })
}

/// From nodes and curves to a clip; `own` is what our writer said of the frames.
#[allow(clippy::too_many_arguments, reason = "everything that a file says about motion, once each")]
fn sampled(
    root: &Root,
    mut tree: Tree,
    moves: &Moves<'_>,
    seeds: &[usize],
    own: Option<AnimationExtras>,
    file_bytes: usize,
    options: &ReadOptions,
    notes: &mut Vec<Diagnostic>,
) -> Result<(Clip, Joints), Box<Diagnostic>> {
    let animated: Vec<bool> =
        moves.nodes.iter().map(|node| node.translation.is_some() || node.rotation.is_some()).collect();
    let joints = tree::joints(root, &tree, seeds, &animated, own.is_some());
    if joints.nodes.iter().all(|&node| !animated[node]) {
        let fault = Diagnostic::error("GLB-E023", "an animation of nodes", "one that moves none");
        return Err(Box::new(fault.hint("export it with its animation")));
    }
    if joints.left_out > 0 {
        let found = format!("{} animated nodes that belong to no skeleton were left out", joints.left_out);
        notes.push(Diagnostic::warning("GLB-W011", "", found));
    }
    let own = own.filter(|own| own.joints.len() == joints.nodes.len());
    moves.apply_still_scales(root, &joints, &mut tree)?;
    let curves: Vec<&Curve<'_>> = joints.nodes.iter().flat_map(|&node| moves.nodes[node].of_motion()).collect();
    let instants = times::instants(&curves, joints.nodes.len(), file_bytes, own.as_ref(), options, notes)?;
    let places = Places::of(root, &tree, &joints, notes)?;
    let clip = Bake { root, tree: &tree, joints: &joints, moves, places: &places, instants: &instants }.clip(
        own.as_ref(),
        options,
        notes,
    )?;
    Ok((clip, joints))
}

/// The animation that was asked for by name or number, else the first that there is.
fn chosen<'a>(
    root: &'a Root,
    options: &ReadOptions,
    notes: &mut Vec<Diagnostic>,
) -> Result<&'a Animation, Box<Diagnostic>> {
    let listed = || {
        let names = root.animations.iter().enumerate().take(20);
        let names = names.map(|(index, animation)| format!("{index} {:?}", printable(&animation.name)));
        names.collect::<Vec<_>>().join(", ")
    };
    if let Some(wanted) = &options.animation {
        let by_name = root.animations.iter().find(|animation| animation.name == *wanted);
        let by_number = || root.animations.get(wanted.parse::<usize>().ok()?);
        return by_name.or_else(by_number).ok_or_else(|| {
            let expected = format!("an animation {:?}", printable(wanted));
            Box::new(Diagnostic::error(
                "GLB-E027",
                expected,
                format!("{} animations: {}", root.animations.len(), listed()),
            ))
        });
    }
    let Some(first) = root.animations.first() else {
        let fault = Diagnostic::error("GLB-E023", "an animation", "none");
        return Err(Box::new(fault.hint("this file holds no motion: export it with its animation")));
    };
    if root.animations.len() > 1 {
        let found = format!("{} animations: {}; the first is read", root.animations.len(), listed());
        notes.push(Diagnostic::warning("GLB-W010", "", found).hint("choose with {animation NAME}"));
    }
    Ok(first)
}

/// Joints by the file's own word: of all skins, and what VRM names. In the order of the first skin.
fn seeds(root: &Root, bones: &[(usize, Role)]) -> Result<Vec<usize>, Box<Diagnostic>> {
    let mut is_seed = vec![false; root.nodes.len()];
    let mut seeds = Vec::new();
    let of_skins = root.skins.iter().flat_map(|skin| &skin.joints).copied();
    for node in of_skins.chain(bones.iter().map(|&(node, _)| node)) {
        let slot = is_seed.get_mut(node).ok_or_else(|| {
            let found = format!("node {node} of {}", root.nodes.len());
            Box::new(Diagnostic::error("GLB-E016", "joints that are nodes of the file", found))
        })?;
        if !std::mem::replace(slot, true) {
            seeds.push(node);
        }
    }
    Ok(seeds)
}

/// Only what the animation needs is opened: textures and meshes stay where they are.
fn needed_buffers<'a>(
    root: &Root,
    animation: &Animation,
    bin: Option<&'a [u8]>,
    folder: Option<&Path>,
    options: &ReadOptions,
) -> Result<Vec<OpenBuffer<'a>>, Box<Diagnostic>> {
    let mut buffers = vec![None; root.buffers.len()];
    let accessors = animation.samplers.iter().flat_map(|sampler| [sampler.input, sampler.output]);
    for accessor in accessors.filter_map(|index| root.accessors.get(index)) {
        let sparse = accessor.sparse.as_ref();
        let views = [accessor.buffer_view, sparse.map(|s| s.indices.buffer_view), sparse.map(|s| s.values.buffer_view)];
        for view in views.into_iter().flatten().filter_map(|view| root.buffer_views.get(view)) {
            if let Some(name) = view.extensions.keys().find(|name| name.contains("meshopt")) {
                let fault = Diagnostic::error("GLB-E025", "keys that are not compressed", printable(name));
                return Err(Box::new(fault.hint("export it without meshopt compression")));
            }
            let Some((slot, buffer)) = buffers.get_mut(view.buffer).zip(root.buffers.get(view.buffer)) else {
                continue;
            };
            if slot.is_none() {
                *slot = Some(container::buffer(view.buffer, buffer, bin, folder, options)?);
            }
        }
    }
    Ok(buffers)
}

/// What moves, by node.
struct Moves<'a> {
    nodes: Vec<NodeMoves<'a>>,
}

#[derive(Default)]
struct NodeMoves<'a> {
    translation: Option<Curve<'a>>,
    rotation: Option<Curve<'a>>,
    scale: Option<Curve<'a>>,
}

impl<'a> NodeMoves<'a> {
    fn of_motion(&self) -> impl Iterator<Item = &Curve<'a>> {
        self.translation.iter().chain(&self.rotation)
    }
}

impl<'a> Moves<'a> {
    fn open(
        root: &Root,
        animation: &Animation,
        buffers: &'a Buffers<'_>,
        notes: &mut Vec<Diagnostic>,
    ) -> Result<Self, Box<Diagnostic>> {
        let mut nodes: Vec<NodeMoves<'a>> = root.nodes.iter().map(|_| NodeMoves::default()).collect();
        let mut times = KeyTimes::default();
        let mut passed_over = 0;
        for channel in &animation.channels {
            let Some(node) = channel.target.node else {
                passed_over += 1;
                continue;
            };
            let moves = nodes.get_mut(node).ok_or_else(|| {
                let found = format!("node {node} of {}", root.nodes.len());
                Box::new(Diagnostic::error("GLB-E016", "channels that move nodes of the file", found))
            })?;
            let (slot, width) = match channel.target.path.as_str() {
                "translation" => (&mut moves.translation, 3),
                "rotation" => (&mut moves.rotation, 4),
                "scale" => (&mut moves.scale, 3),
                _ => {
                    passed_over += 1;
                    continue;
                }
            };
            let curve = Curve::open(root, buffers, animation, channel.sampler, width, &mut times)?;
            if slot.replace(curve).is_some() {
                let found = format!("two for the {} of {}", channel.target.path, tree::shown(root, node));
                return Err(Box::new(Diagnostic::error("GLB-E016", "one channel for each quantity", found)));
            }
        }
        if passed_over > 0 {
            let found = format!("{passed_over} channels move no joint (faces, materials) and are not read");
            notes.push(Diagnostic::warning("GLB-W011", "", found));
        }
        Ok(Self { nodes })
    }

    /// Exporters animate scales that never change: they are the node's own. Others would stretch bones.
    fn apply_still_scales(&self, root: &Root, joints: &Joints, tree: &mut Tree) -> Result<(), Box<Diagnostic>> {
        for (node, moves) in self.nodes.iter().enumerate() {
            let Some(curve) = &moves.scale else { continue };
            let has_joints_below = root.nodes[node].children.iter().any(|&child| joints.of_node[child].is_some());
            if !has_joints_below {
                continue;
            }
            let mut hint = 0;
            let mut still: Option<DVec3> = None;
            for &time_secs in &*curve.times_secs {
                let scale = curve.vector(time_secs, 0.0, &mut hint).filter(|scale| scale.min_element() > 0.0);
                let first = *still.get_or_insert(scale.unwrap_or(DVec3::NAN));
                // A thousandth is half a millimetre on a thigh: less than skin slides.
                if !scale.is_some_and(|scale| (scale / first - DVec3::ONE).abs().max_element() < 1e-3) {
                    let found = format!("{} changes its size at {time_secs} s", tree::shown(root, node));
                    let fault = Diagnostic::error("GLB-E020", "bones of constant length", found);
                    return Err(Box::new(fault.hint("bake the animation without scales")));
                }
            }
            if let Some(scale) = still {
                tree.locals[node].scale = scale;
            }
        }
        Ok(())
    }
}

/// Unit and axes of the source of a file of ours: outputs in other formats go back to them.
fn source_frame(root: &Root) -> Option<FrameOfReference> {
    let extras: AssetExtras = serde_json::from_value(root.asset.extras.clone()).ok()?;
    let up = match extras.source_up.as_str() {
        "X" => Axis::X,
        "Y" => Axis::Y,
        "Z" => Axis::Z,
        _ => return None,
    };
    let metres_per_unit = extras.source_unit_m;
    (1e-9..1e9)
        .contains(&metres_per_unit)
        .then_some(FrameOfReference { internal_from_file: SignedPermutation::lifting(up), metres_per_unit })
}

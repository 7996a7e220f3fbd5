//! The scene that ufbx reads, as nodes and keys.

use super::FbxFile;
use crate::diagnostic::{Diagnostic, printable};
use crate::gltf::read::scene::{SceneNode, clip_of_scene};
use crate::options::ReadOptions;
use aplomb_motion::{Axis, FrameOfReference, SignedPermutation};
use glam::{DQuat, DVec3};
use ufbx::{
    AllocatorOpts, AnimStack, BakeOpts, CoordinateAxes, CoordinateAxis, ErrorType, FileFormat, InheritModeHandling,
    LoadOpts, Scene, SpaceConversion,
};

pub(super) fn read(
    bytes: &[u8],
    options: &ReadOptions,
    notes: &mut Vec<Diagnostic>,
) -> Result<FbxFile, Box<Diagnostic>> {
    let scene = ufbx::load_memory(bytes, load_options(bytes.len(), options)).map_err(refused)?;
    let stack = chosen(&scene, options, notes)?;
    let baked = ufbx::bake_anim(&scene, &stack.anim, bake_options(bytes.len(), &scene)).map_err(refused)?;
    let mut nodes: Vec<SceneNode> = scene.nodes.iter().map(|node| scene_node(node)).collect();
    for moved in &baked.nodes {
        let Some(node) = usize::try_from(moved.typed_id).ok().and_then(|index| nodes.get_mut(index)) else { continue };
        let vector = |key: &ufbx::BakedVec3| (key.time, vector(key.value));
        node.translation_keys = rising(moved.translation_keys.iter().map(vector));
        node.rotation_keys = rising(moved.rotation_keys.iter().map(|key| (key.time, quaternion(key.value))));
        node.scale_keys = rising(moved.scale_keys.iter().map(vector));
        // Exporters key everything: what never changes is no motion.
        match moved.constant_translation.then(|| node.translation_keys.first()).flatten() {
            Some(&(_, still)) if !node.is_bone => (node.translation, node.translation_keys) = (still, Vec::new()),
            _ => {}
        }
        match moved.constant_rotation.then(|| node.rotation_keys.first()).flatten() {
            Some(&(_, still)) if !node.is_bone => (node.rotation, node.rotation_keys) = (still, Vec::new()),
            _ => {}
        }
    }
    let clip = clip_of_scene(nodes, bytes.len(), options, notes)?;
    let frame_time = clip.timeline().uniform();
    Ok(FbxFile { clip, source_frame: source_frame(&scene), frame_time })
}

/// Memory is bounded by the file: a few bytes of deflate can claim a thousand times as much. Nothing beside the file is
/// opened.
fn load_options(file_bytes: usize, options: &ReadOptions) -> LoadOpts<'static> {
    LoadOpts {
        temp_allocator: bounded(file_bytes),
        result_allocator: bounded(file_bytes),
        ignore_geometry: true,
        ignore_embedded: true,
        load_external_files: false,
        node_depth_limit: u32::try_from(options.limits.depth).unwrap_or(u32::MAX),
        file_format: FileFormat::Fbx,
        target_axes: CoordinateAxes::right_handed_y_up(),
        target_unit_meters: 1.0,
        // Lengths of bones come out in metres, without a scale above them.
        space_conversion: SpaceConversion::AdjustTransforms,
        // FBX has three ways to pass scales down; nodes here have the usual one.
        inherit_mode_handling: InheritModeHandling::Compensate,
        ..LoadOpts::default()
    }
}

/// 20 bytes for each of the file, and 64 MiB, for what is kept and what is needed meanwhile together.
fn bounded(file_bytes: usize) -> AllocatorOpts {
    AllocatorOpts { memory_limit: (32 << 20) + file_bytes.saturating_mul(10), ..AllocatorOpts::default() }
}

fn bake_options(file_bytes: usize, scene: &Scene) -> BakeOpts {
    let stated_hz = scene.settings.frames_per_second;
    BakeOpts {
        temp_allocator: bounded(file_bytes),
        result_allocator: bounded(file_bytes),
        // Curves of an animator are sampled at the scene's own rate; keys that are dense already stay as they are.
        resample_rate: if (12.0..=480.0).contains(&stated_hz) { stated_hz } else { 30.0 },
        ..BakeOpts::default()
    }
}

/// ufbx's words; its further information may be cut within a letter and is left out.
fn refused(error: ufbx::Error) -> Box<Diagnostic> {
    let found = printable(&error.description);
    let fault = match error.type_ {
        ErrorType::MemoryLimit | ErrorType::AllocationLimit | ErrorType::NodeDepthLimit | ErrorType::OutOfMemory => {
            Diagnostic::error("FBX-E002", "a file within its limits", found)
        }
        ErrorType::UnsupportedVersion => Diagnostic::error("FBX-E001", "FBX of a version that is read", found)
            .hint("export it as FBX 2010 or newer, or as GLB"),
        _ => Diagnostic::error("FBX-E001", "a whole FBX", found),
    };
    Box::new(fault)
}

/// The animation that was asked for by name or number, else the first that there is.
fn chosen<'a>(
    scene: &'a Scene,
    options: &ReadOptions,
    notes: &mut Vec<Diagnostic>,
) -> Result<&'a AnimStack, Box<Diagnostic>> {
    let stacks: Vec<&AnimStack> = (&scene.anim_stacks).into_iter().collect();
    let listed = || {
        let names = stacks.iter().enumerate().take(20);
        names
            .map(|(index, stack)| format!("{index} {:?}", printable(&stack.element.name)))
            .collect::<Vec<_>>()
            .join(", ")
    };
    if let Some(wanted) = &options.animation {
        let by_name = stacks.iter().find(|stack| *stack.element.name == **wanted);
        let by_number = || stacks.get(wanted.parse::<usize>().ok()?);
        return by_name.or_else(by_number).copied().ok_or_else(|| {
            let expected = format!("an animation {:?}", printable(wanted));
            Box::new(Diagnostic::error("FBX-E004", expected, format!("{} animations: {}", stacks.len(), listed())))
        });
    }
    let Some(&first) = stacks.first() else {
        let fault = Diagnostic::error("FBX-E003", "an animation", "none");
        return Err(Box::new(fault.hint("this file holds no motion: export it with its animation")));
    };
    if stacks.len() > 1 {
        let found = format!("{} animations: {}; the first is read", stacks.len(), listed());
        notes.push(Diagnostic::warning("FBX-W001", "", found).hint("choose with {animation NAME}"));
    }
    Ok(first)
}

fn scene_node(node: &ufbx::Node) -> SceneNode {
    let index = |child: &ufbx::Node| usize::try_from(child.element.typed_id).unwrap_or(usize::MAX);
    SceneNode {
        name: node.element.name.to_string(),
        children: (&node.children).into_iter().map(index).collect(),
        translation: vector(node.local_transform.translation),
        rotation: quaternion(node.local_transform.rotation),
        scale: vector(node.local_transform.scale),
        is_bone: node.bone.is_some(),
        carries_something: node.mesh.is_some() || node.camera.is_some() || node.light.is_some(),
        ..SceneNode::default()
    }
}

/// Keys of steps come in pairs that may fall together.
fn rising<T>(keys: impl Iterator<Item = (f64, T)>) -> Vec<(f64, T)> {
    let mut kept: Vec<(f64, T)> = Vec::new();
    for key in keys.filter(|(time_secs, _)| time_secs.is_finite()) {
        if kept.last().is_none_or(|(last_secs, _)| key.0 > *last_secs) {
            kept.push(key);
        }
    }
    kept
}

fn vector(vector: ufbx::Vec3) -> DVec3 {
    DVec3::new(vector.x, vector.y, vector.z)
}

fn quaternion(rotation: ufbx::Quat) -> DQuat {
    DQuat::from_xyzw(rotation.x, rotation.y, rotation.z, rotation.w)
}

/// Outputs in other formats go back to the unit and axes of the file.
fn source_frame(scene: &Scene) -> Option<FrameOfReference> {
    let up = match scene.settings.axes.up {
        CoordinateAxis::PositiveX => Axis::X,
        CoordinateAxis::PositiveY => Axis::Y,
        CoordinateAxis::PositiveZ => Axis::Z,
        _ => return None,
    };
    let metres_per_unit = scene.settings.unit_meters;
    (1e-9..1e9)
        .contains(&metres_per_unit)
        .then_some(FrameOfReference { internal_from_file: SignedPermutation::lifting(up), metres_per_unit })
}

//! Where everything stands in the file: 12 bytes of header, the JSON chunk, the binary chunk.

use super::About;
use super::extras;
use super::json::{self, Path, Shape, component, target};
use super::keys::Keys;
use super::mesh::Mesh;
use super::names::NodeNames;
use crate::diagnostic::Diagnostic;
use aplomb_motion::{Clip, JointId};
use glam::{DQuat, DVec3};

/// Name of the node that carries the mesh.
pub(super) const BODY: &str = "body";
/// Name of the node above several roots.
pub(super) const ROOTS: &str = "roots";

/// Start and length of one block of the binary chunk.
#[derive(Clone, Copy)]
struct Block {
    start: usize,
    bytes: usize,
}

/// The blocks in order. Every block begins at a multiple of four, as accessors of numbers of four bytes must.
pub(super) struct Layout {
    positions: Block,
    normals: Block,
    weights: Block,
    vertex_joints: Block,
    indices: Block,
    inverse_binds: Block,
    keys: Block,
    wide_joints: bool,
    wide_indices: bool,
}

impl Layout {
    pub fn new(clip: &Clip, keys: &Keys, mesh: &Mesh) -> Self {
        let vertices = mesh.positions_m.len();
        let wide_joints = clip.skeleton().len() > 256;
        // 65,535 itself is kept free: it restarts a primitive.
        let wide_indices = vertices > usize::from(u16::MAX);
        let mut start = 0;
        let mut block = |bytes: usize| {
            let block = Block { start, bytes };
            start += bytes.next_multiple_of(4);
            block
        };
        let frames = keys.times.len();
        Self {
            positions: block(12 * vertices),
            normals: block(12 * vertices),
            weights: block(16 * vertices),
            vertex_joints: block(if wide_joints { 8 } else { 4 } * vertices),
            indices: block(if wide_indices { 4 } else { 2 } * mesh.indices.len()),
            inverse_binds: block(64 * clip.skeleton().len()),
            keys: block((4 + 16 * keys.turning.len() + 12 * clip.tracks().len()) * frames),
            wide_joints,
            wide_indices,
        }
    }

    /// Length of the binary chunk.
    pub fn bin_bytes(&self) -> usize {
        (self.keys.start + self.keys.bytes).next_multiple_of(4)
    }

    /// The JSON chunk's contents.
    pub fn document(
        &self,
        clip: &Clip,
        about: &About<'_>,
        names: &NodeNames,
        rest_m: &[DVec3],
        keys: &Keys,
        mesh: &Mesh,
    ) -> json::Root {
        let views = self.buffer_views(!keys.times.is_empty());
        let mut accessors = self.mesh_accessors(clip, mesh);
        let animations = match keys.times.is_empty() {
            true => Vec::new(),
            false => vec![self.animation(clip, about, names, rest_m, keys, &mut accessors)],
        };
        let (nodes, scene_nodes, skeleton) = nodes(clip, names, rest_m);
        let attributes = json::Attributes { position: 0, normal: 1, weights: 2, joints: 3 };
        json::Root {
            asset: json::Asset {
                version: "2.0".to_owned(),
                generator: concat!("Aplomb ", env!("CARGO_PKG_VERSION")).to_owned(),
                extras: extras::of_asset(about.source, about.frame),
            },
            scene: 0,
            scenes: vec![json::Scene { nodes: scene_nodes }],
            nodes,
            meshes: vec![json::Mesh {
                name: BODY.to_owned(),
                primitives: vec![json::Primitive { attributes, indices: 4, material: 0 }],
            }],
            materials: vec![json::Material {
                name: "clay".to_owned(),
                surface: json::Surface {
                    base_color_factor: [0.72, 0.7, 0.67, 1.0],
                    metallic_factor: 0.0,
                    roughness_factor: 0.85,
                },
            }],
            skins: vec![json::Skin {
                inverse_bind_matrices: 5,
                skeleton,
                joints: (0..clip.skeleton().len()).collect(),
            }],
            animations,
            accessors,
            buffer_views: views,
            buffers: vec![json::Buffer { byte_length: self.bin_bytes() }],
        }
    }

    fn buffer_views(&self, animated: bool) -> Vec<json::BufferView> {
        let view = |block: Block, target| json::BufferView {
            buffer: 0,
            byte_offset: block.start,
            byte_length: block.bytes,
            target,
        };
        let vertices = [self.positions, self.normals, self.weights, self.vertex_joints];
        let mut views: Vec<_> = vertices.map(|block| view(block, Some(target::ARRAY_BUFFER))).into();
        views.push(view(self.indices, Some(target::ELEMENT_ARRAY_BUFFER)));
        views.push(view(self.inverse_binds, None));
        views.extend(animated.then(|| view(self.keys, None)));
        views
    }

    /// One for each view of the mesh and the skin, in the order of the views.
    fn mesh_accessors(&self, clip: &Clip, mesh: &Mesh) -> Vec<json::Accessor> {
        let vertices = mesh.positions_m.len();
        let bound = |pick: fn(f32, f32) -> f32| {
            let corner = |axis: usize| mesh.positions_m.iter().map(|at| at[axis]).reduce(pick);
            (0..3).map(corner).collect::<Option<Vec<f32>>>()
        };
        let joint_type = if self.wide_joints { component::UNSIGNED_SHORT } else { component::UNSIGNED_BYTE };
        let index_type = if self.wide_indices { component::UNSIGNED_INT } else { component::UNSIGNED_SHORT };
        let mut accessors = vec![
            accessor(0, 0, component::FLOAT, vertices, Shape::Vec3),
            accessor(1, 0, component::FLOAT, vertices, Shape::Vec3),
            accessor(2, 0, component::FLOAT, vertices, Shape::Vec4),
            accessor(3, 0, joint_type, vertices, Shape::Vec4),
            accessor(4, 0, index_type, mesh.indices.len(), Shape::Scalar),
            accessor(5, 0, component::FLOAT, clip.skeleton().len(), Shape::Mat4),
        ];
        accessors[0].min = bound(f32::min);
        accessors[0].max = bound(f32::max);
        accessors
    }

    /// Key times first, then the rotations of every joint that turns, then the translations that are animated.
    fn animation(
        &self,
        clip: &Clip,
        about: &About<'_>,
        names: &NodeNames,
        rest_m: &[DVec3],
        keys: &Keys,
        accessors: &mut Vec<json::Accessor>,
    ) -> json::Animation {
        const KEYS_VIEW: usize = 6;
        let frames = keys.times.len();
        let input = accessors.len();
        let mut times = accessor(KEYS_VIEW, 0, component::FLOAT, frames, Shape::Scalar);
        times.min = keys.times.first().map(|&time| vec![time]);
        times.max = keys.times.last().map(|&time| vec![time]);
        accessors.push(times);
        let (mut channels, mut samplers) = (Vec::new(), Vec::new());
        let mut offset = 4 * frames;
        let mut add = |joint: JointId, path: Path, shape: Shape| {
            channels
                .push(json::Channel { sampler: samplers.len(), target: json::Target { node: joint.index(), path } });
            let interpolation = json::Interpolation::Linear;
            samplers.push(json::Sampler { input, output: accessors.len(), interpolation });
            accessors.push(accessor(KEYS_VIEW, offset, component::FLOAT, frames, shape));
            offset += 4 * shape.components() * frames;
        };
        keys.turning.iter().for_each(|&joint| add(joint, Path::Rotation, Shape::Vec4));
        clip.tracks().iter().for_each(|track| add(track.joint, Path::Translation, Shape::Vec3));
        let name = about.source.and_then(|(_, path)| Some(path.file_stem()?.to_string_lossy().into_owned()));
        json::Animation {
            name: name.unwrap_or_else(|| "motion".to_owned()),
            channels,
            samplers,
            extras: extras::of_animation(clip, &names.joints, rest_m, keys.start_secs, about.contacts),
        }
    }

    /// Header, JSON chunk, and a binary chunk of zeros.
    pub fn container(&self, json: &[u8]) -> Result<Vec<u8>, Box<Diagnostic>> {
        let json_bytes = json.len().next_multiple_of(4);
        let total = 12 + 8 + json_bytes + 8 + self.bin_bytes();
        let Ok(total_u32) = u32::try_from(total) else {
            let error = Diagnostic::error("GLB-E002", "at most 4 GiB", format!("{total} bytes"));
            return Err(Box::new(error.hint("cut the clip into parts ({cut}), or make fewer frames ({resample})")));
        };
        let mut bytes = Vec::with_capacity(total);
        bytes.extend_from_slice(b"glTF");
        bytes.extend_from_slice(&2u32.to_le_bytes());
        bytes.extend_from_slice(&total_u32.to_le_bytes());
        // Both lengths are below the total, which fits.
        bytes.extend_from_slice(&(json_bytes as u32).to_le_bytes());
        bytes.extend_from_slice(b"JSON");
        bytes.extend_from_slice(json);
        bytes.resize(20 + json_bytes, b' ');
        bytes.extend_from_slice(&(self.bin_bytes() as u32).to_le_bytes());
        bytes.extend_from_slice(b"BIN\0");
        bytes.resize(total, 0);
        Ok(bytes)
    }

    /// The binary chunk.
    pub fn fill(&self, bin: &mut [u8], clip: &Clip, bind_m: &[DVec3], keys: &Keys, mesh: &Mesh) {
        put_floats(self.positions.of(bin), mesh.positions_m.iter().flatten().copied());
        put_floats(self.normals.of(bin), mesh.normals.iter().flatten().copied());
        put_floats(self.weights.of(bin), mesh.joints.iter().flat_map(|_| [1.0, 0.0, 0.0, 0.0]));
        let joint_bytes = if self.wide_joints { 8 } else { 4 };
        for (four, &joint) in self.vertex_joints.of(bin).chunks_exact_mut(joint_bytes).zip(&mesh.joints) {
            match self.wide_joints {
                true => four[..2].copy_from_slice(&joint.to_le_bytes()),
                false => four[0] = joint as u8,
            }
        }
        let index_bytes = if self.wide_indices { 4 } else { 2 };
        for (one, index) in self.indices.of(bin).chunks_exact_mut(index_bytes).zip(&mesh.indices) {
            one.copy_from_slice(&index.to_le_bytes()[..index_bytes]);
        }
        let inverse_binds = bind_m.iter().flat_map(|&at_m| inverse_bind(at_m));
        put_floats(self.inverse_binds.of(bin), inverse_binds);
        let (times, rest) = self.keys.of(bin).split_at_mut(4 * keys.times.len());
        put_floats(times, keys.times.iter().copied());
        let (rotations, translations) = rest.split_at_mut(16 * keys.turning.len() * keys.times.len());
        put_rotations(rotations, clip, &keys.turning);
        let positions = clip.tracks().iter().flat_map(|track| &track.positions_m);
        put_floats(translations, positions.flat_map(|position_m| position_m.as_vec3().to_array()));
    }
}

impl Block {
    fn of(self, bin: &mut [u8]) -> &mut [u8] {
        &mut bin[self.start..self.start + self.bytes]
    }
}

fn accessor(buffer_view: usize, byte_offset: usize, component_type: u32, count: usize, shape: Shape) -> json::Accessor {
    json::Accessor { buffer_view, byte_offset, component_type, count, shape, min: None, max: None }
}

/// Joints first, so that a joint's node has its number; then end sites, the node above several roots, and the body.
fn nodes(clip: &Clip, names: &NodeNames, rest_m: &[DVec3]) -> (Vec<json::Node>, Vec<usize>, usize) {
    let skeleton = clip.skeleton();
    let place = |at_m: DVec3| (at_m != DVec3::ZERO).then(|| at_m.as_vec3().to_array());
    let mut nodes: Vec<json::Node> = Vec::with_capacity(2 * skeleton.len() + 2);
    for ((joint, name), &at_m) in skeleton.ids().zip(&names.joints).zip(rest_m) {
        let children = skeleton.children(joint).iter().map(|child| child.index()).collect();
        nodes.push(json::Node { name: name.clone(), children, translation: place(at_m), ..json::Node::default() });
    }
    for (joint, end_names) in skeleton.ids().zip(&names.ends) {
        for (site, name) in skeleton.joint(joint).end_sites.iter().zip(end_names) {
            let node = nodes.len();
            nodes[joint.index()].children.push(node);
            nodes.push(json::Node { name: name.clone(), translation: place(site.offset_m), ..json::Node::default() });
        }
    }
    let roots: Vec<usize> = skeleton.roots().map(JointId::index).collect();
    // Joints of a skin have a common root.
    let top = match roots.as_slice() {
        [only] => *only,
        _ => {
            nodes.push(json::Node { name: ROOTS.to_owned(), children: roots, ..json::Node::default() });
            nodes.len() - 1
        }
    };
    // At the root of the scene: where a skinned mesh hangs in the tree means nothing, and validators warn of it
    // elsewhere.
    nodes.push(json::Node { name: BODY.to_owned(), mesh: Some(0), skin: Some(0), ..json::Node::default() });
    let body = nodes.len() - 1;
    (nodes, vec![top, body], top)
}

fn put_floats(to: &mut [u8], numbers: impl Iterator<Item = f32>) {
    for (four, number) in to.as_chunks_mut::<4>().0.iter_mut().zip(numbers) {
        *four = number.to_le_bytes();
    }
}

/// Column-major; no joint is turned in bind pose, so the inverse only moves it back.
fn inverse_bind(at_m: DVec3) -> [f32; 16] {
    let [x, y, z] = (DVec3::ZERO - at_m).as_vec3().to_array();
    [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, x, y, z, 1.0]
}

/// From frame by frame to joint by joint, in blocks of frames that stay in the cache.
///
/// q and −q are the same turn; the one nearer to the frame before is written, because some viewers go from key to key
/// without looking for the short way.
fn put_rotations(to: &mut [u8], clip: &Clip, turning: &[JointId]) {
    const FRAMES: usize = 64;
    let (frames, joints) = (clip.frame_count(), clip.skeleton().len());
    let mut before = vec![DQuat::IDENTITY; turning.len()];
    for first in (0..frames).step_by(FRAMES) {
        let block = first..(first + FRAMES).min(frames);
        for (slot, joint) in turning.iter().enumerate() {
            let track = &mut to[16 * (slot * frames + block.start)..16 * (slot * frames + block.end)];
            let rotations = clip.rotations()[block.start * joints..block.end * joints].iter();
            let rotations = rotations.skip(joint.index()).step_by(joints);
            for (key, &rotation) in track.as_chunks_mut::<16>().0.iter_mut().zip(rotations) {
                let unit = rotation.normalize();
                let near = if unit.dot(before[slot]) < 0.0 { -unit } else { unit };
                before[slot] = near;
                put_floats(key, near.to_array().into_iter().map(|number| number as f32));
            }
        }
    }
}

//! Reads a GLB of ours back and lays it beside the clip it was made from, before it replaces anything.
//!
//! No reader for files of others: it knows the shape that this writer gives, and calls everything else a fault. Nothing
//! in it trusts an index or a length.

use super::json::{Accessor, Path, Root, Shape, component};
use aplomb_motion::{Clip, FrameIndex, JointId};
use glam::{DQuat, Quat, Vec3};

/// The first thing that is wrong with a GLB made from `clip`.
pub fn check(bytes: &[u8], clip: &Clip) -> Result<(), String> {
    let file = File::read(bytes)?;
    file.check_accessors()?;
    let parents = file.parents()?;
    file.check_nodes(clip, &parents)?;
    file.check_skin(clip, &parents)?;
    file.check_mesh(clip)?;
    match clip.frame_count() {
        0 => (file.root.animations.is_empty()).then_some(()).ok_or("an animation of a clip without frames".to_owned()),
        _ => file.check_animation(clip),
    }
}

/// Both chunks.
struct File<'a> {
    root: Root,
    bin: &'a [u8],
}

impl<'a> File<'a> {
    /// glTF 2.0, section 4.4: 12 bytes of header, then chunks of length, type and contents, each a multiple of four
    /// bytes.
    fn read(bytes: &'a [u8]) -> Result<Self, String> {
        let (header, rest) = bytes.split_at_checked(12).ok_or("shorter than its header")?;
        if header[..8] != *b"glTF\x02\0\0\0" || word(header, 8) != Some(bytes.len()) {
            return Err("the header is not that of a GLB of this length".to_owned());
        }
        let (json, rest) = chunk(rest, b"JSON")?;
        let (bin, rest) = chunk(rest, b"BIN\0")?;
        if !rest.is_empty() {
            return Err(format!("{} bytes behind the last chunk", rest.len()));
        }
        let root: Root = serde_json::from_slice(json).map_err(|error| format!("the JSON chunk: {error}"))?;
        match root.buffers.as_slice() {
            [buffer] if buffer.byte_length == bin.len() => Ok(Self { root, bin }),
            _ => Err("not one buffer of the length of the binary chunk".to_owned()),
        }
    }

    /// Bytes of an accessor's elements, which lie without gaps.
    fn bytes_of(&self, accessor: &Accessor) -> Result<&'a [u8], String> {
        let number_bytes = component::bytes(accessor.component_type).ok_or("an accessor of an unknown type")?;
        let element_bytes = number_bytes * accessor.shape.components();
        let view = self.root.buffer_views.get(accessor.buffer_view).ok_or("an accessor without a view")?;
        let view_end = view.byte_offset.checked_add(view.byte_length).ok_or("a view that overflows")?;
        let viewed = self.bin.get(view.byte_offset..view_end).ok_or("a view outside of the buffer")?;
        let length = accessor.count.checked_mul(element_bytes).ok_or("an accessor that overflows")?;
        let end = accessor.byte_offset.checked_add(length).ok_or("an accessor that overflows")?;
        if !(view.byte_offset + accessor.byte_offset).is_multiple_of(number_bytes) || accessor.count == 0 {
            return Err("an accessor that is empty or not aligned".to_owned());
        }
        viewed.get(accessor.byte_offset..end).ok_or_else(|| "an accessor outside of its view".to_owned())
    }

    fn accessor(&self, index: usize, component_type: u32, shape: Shape) -> Result<&Accessor, String> {
        let accessor = self.root.accessors.get(index).ok_or_else(|| format!("accessor {index} is missing"))?;
        match (accessor.component_type, accessor.shape) == (component_type, shape) {
            true => Ok(accessor),
            false => Err(format!("accessor {index} is of another type")),
        }
    }

    fn floats(&self, index: usize, shape: Shape) -> Result<impl Iterator<Item = f32> + Clone + use<'a>, String> {
        let bytes = self.bytes_of(self.accessor(index, component::FLOAT, shape)?)?;
        Ok(bytes.as_chunks::<4>().0.iter().map(|&four| f32::from_le_bytes(four)))
    }

    /// Elements of up to four numbers, as many as `N`.
    fn elements<const N: usize>(&self, index: usize, shape: Shape) -> Result<Vec<[f32; N]>, String> {
        let floats: Vec<f32> = self.floats(index, shape)?.collect();
        Ok(floats.as_chunks::<N>().0.to_vec())
    }

    /// Every accessor lies in its view and is finite, and bounds are what the numbers say.
    fn check_accessors(&self) -> Result<(), String> {
        for (index, accessor) in self.root.accessors.iter().enumerate() {
            self.bytes_of(accessor).map_err(|why| format!("accessor {index}: {why}"))?;
            if accessor.component_type != component::FLOAT {
                continue;
            }
            let width = accessor.shape.components();
            let floats = self.floats(index, accessor.shape)?;
            if !floats.clone().all(f32::is_finite) {
                return Err(format!("accessor {index} holds a number that is not finite"));
            }
            for (bound, pick) in [(&accessor.min, f32::min as fn(f32, f32) -> f32), (&accessor.max, f32::max)] {
                let Some(bound) = bound else { continue };
                let found = (0..width).map(|axis| floats.clone().skip(axis).step_by(width).reduce(pick));
                if found.collect::<Option<Vec<f32>>>().as_ref() != Some(bound) {
                    return Err(format!("accessor {index}: the bounds are not those of its numbers"));
                }
            }
        }
        Ok(())
    }

    /// Parent of every node; every node hangs on the scene by exactly one way.
    fn parents(&self) -> Result<Vec<Option<usize>>, String> {
        let nodes = &self.root.nodes;
        let mut parents = vec![None; nodes.len()];
        let mut seen = vec![false; nodes.len()];
        let scene = self.root.scenes.get(self.root.scene).ok_or("there is no scene")?;
        let mut open: Vec<(usize, Option<usize>)> = scene.nodes.iter().map(|&node| (node, None)).collect();
        while let Some((node, parent)) = open.pop() {
            let entry = nodes.get(node).ok_or_else(|| format!("node {node} is missing"))?;
            if std::mem::replace(&mut seen[node], true) {
                return Err(format!("node {node} is reached twice"));
            }
            parents[node] = parent;
            open.extend(entry.children.iter().map(|&child| (child, Some(node))));
        }
        match seen.iter().position(|seen| !seen) {
            Some(node) => Err(format!("node {node} is not part of the scene")),
            None => Ok(parents),
        }
    }

    /// Joints in order, below their parents; every name once.
    fn check_nodes(&self, clip: &Clip, parents: &[Option<usize>]) -> Result<(), String> {
        let nodes = &self.root.nodes;
        let mut names = std::collections::HashSet::new();
        if let Some(node) = nodes.iter().find(|node| node.name.is_empty() || !names.insert(&node.name)) {
            return Err(format!("two nodes are called {:?}", node.name));
        }
        let skeleton = clip.skeleton();
        let ends: usize = skeleton.joints().iter().map(|joint| joint.end_sites.len()).sum();
        if nodes.len() < skeleton.len() + ends + 1 {
            return Err(format!("{} nodes for {} joints and {ends} end sites", nodes.len(), skeleton.len()));
        }
        for joint in skeleton.ids() {
            let parent = parents[joint.index()].filter(|&parent| parent < skeleton.len()).map(JointId::new);
            if parent != skeleton.parent(joint) {
                return Err(format!("node {} hangs on another joint", joint.index()));
            }
        }
        Ok(())
    }

    /// The inverse of each joint's place at rest.
    fn check_skin(&self, clip: &Clip, parents: &[Option<usize>]) -> Result<(), String> {
        let [skin] = self.root.skins.as_slice() else { return Err("not exactly one skin".to_owned()) };
        let joints = clip.skeleton().len();
        if !skin.joints.iter().copied().eq(0..joints) {
            return Err("the joints of the skin are not the joints of the clip".to_owned());
        }
        let matrices: Vec<[f32; 16]> = self.elements(skin.inverse_bind_matrices, Shape::Mat4)?;
        if matrices.len() != joints {
            return Err(format!("{} inverse bind matrices for {joints} joints", matrices.len()));
        }
        let mut at_rest_m = vec![glam::DVec3::ZERO; joints];
        for (joint, matrix) in matrices.iter().enumerate() {
            let local_m = Vec3::from(self.root.nodes[joint].translation.unwrap_or_default()).as_dvec3();
            let parent_m = parents[joint].and_then(|parent| at_rest_m.get(parent)).copied().unwrap_or_default();
            at_rest_m[joint] = parent_m + local_m;
            let moved_m = glam::Mat4::from_cols_array(matrix).as_dmat4().transform_point3(at_rest_m[joint]);
            // Each of the nodes above rounds its translation to single precision, 6e-8 of it.
            let allowed_m = 1e-6 * (1.0 + at_rest_m[..=joint].iter().map(|at| at.length()).fold(0.0, f64::max));
            let turned =
                matrix[..12] != [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0] || matrix[15] != 1.0;
            if turned || moved_m.length() > allowed_m {
                return Err(format!("the inverse bind matrix of joint {joint} does not bring it back to the origin"));
            }
        }
        Ok(())
    }

    fn check_mesh(&self, clip: &Clip) -> Result<(), String> {
        let [mesh] = self.root.meshes.as_slice() else { return Err("not exactly one mesh".to_owned()) };
        let [primitive] = mesh.primitives.as_slice() else { return Err("not exactly one primitive".to_owned()) };
        let attributes = &primitive.attributes;
        let vertices = self.accessor(attributes.position, component::FLOAT, Shape::Vec3)?.count;
        let normals: Vec<[f32; 3]> = self.elements(attributes.normal, Shape::Vec3)?;
        let weights: Vec<[f32; 4]> = self.elements(attributes.weights, Shape::Vec4)?;
        let joints = self.integers(attributes.joints, Shape::Vec4)?;
        let indices = self.integers(primitive.indices, Shape::Scalar)?;
        if [normals.len(), weights.len(), joints.len() / 4] != [vertices; 3] {
            return Err("vertices lack normals, weights or joints".to_owned());
        }
        if !normals.iter().all(|&normal| (Vec3::from(normal).length() - 1.0).abs() < 1e-5) {
            return Err("a normal is not of unit length".to_owned());
        }
        if !weights.iter().all(|&weights| weights == [1.0, 0.0, 0.0, 0.0]) {
            return Err("a vertex is not moved by one joint alone".to_owned());
        }
        if !joints.iter().all(|&joint| (joint as usize) < clip.skeleton().len()) {
            return Err("a vertex is moved by a joint that is not there".to_owned());
        }
        match !indices.is_empty()
            && indices.len().is_multiple_of(3)
            && indices.iter().all(|&index| (index as usize) < vertices)
        {
            true => Ok(()),
            false => Err("the triangles of the mesh are not whole".to_owned()),
        }
    }

    fn integers(&self, index: usize, shape: Shape) -> Result<Vec<u32>, String> {
        let accessor = self.root.accessors.get(index).ok_or_else(|| format!("accessor {index} is missing"))?;
        let accessor = self.accessor(index, accessor.component_type, shape)?;
        let bytes = self.bytes_of(accessor)?;
        match accessor.component_type {
            component::UNSIGNED_BYTE => Ok(bytes.iter().map(|&byte| byte.into()).collect()),
            component::UNSIGNED_SHORT => {
                Ok(bytes.as_chunks::<2>().0.iter().map(|&two| u16::from_le_bytes(two).into()).collect())
            }
            component::UNSIGNED_INT => {
                Ok(bytes.as_chunks::<4>().0.iter().map(|&four| u32::from_le_bytes(four)).collect())
            }
            _ => Err(format!("accessor {index} holds no whole numbers")),
        }
    }

    /// Every channel says what the clip does, and what has no channel does not move.
    fn check_animation(&self, clip: &Clip) -> Result<(), String> {
        let [animation] = self.root.animations.as_slice() else { return Err("not exactly one animation".to_owned()) };
        let skeleton = clip.skeleton();
        let (mut turned, mut moved) = (vec![false; skeleton.len()], vec![false; skeleton.len()]);
        let mut inputs: Vec<usize> = Vec::new();
        for channel in &animation.channels {
            let sampler = animation.samplers.get(channel.sampler).ok_or("a channel without a sampler")?;
            inputs.push(sampler.input);
            let node = channel.target.node;
            let done = match channel.target.path {
                Path::Rotation => turned.get_mut(node),
                Path::Translation => moved.get_mut(node),
            };
            match done {
                Some(done @ false) => *done = true,
                _ => return Err(format!("a channel moves node {node}, which is no joint or has one already")),
            }
            let joint = JointId::new(node);
            match channel.target.path {
                Path::Rotation => self.check_rotations(clip, joint, sampler.output)?,
                Path::Translation => self.check_translations(clip, joint, sampler.output)?,
            }
        }
        for joint in skeleton.ids() {
            let name = &skeleton.joint(joint).name;
            let turns = || clip.frames().any(|frame| clip.rotation(frame, joint) != DQuat::IDENTITY);
            if !turned[joint.index()] && turns() {
                return Err(format!("the rotations of joint {name:?} are missing"));
            }
            let rest_m = self.root.nodes[joint.index()].translation.unwrap_or_default();
            let offset_m = skeleton.joint(joint).offset_m.as_vec3().to_array();
            if moved[joint.index()] != clip.track(joint).is_some() || (!moved[joint.index()] && rest_m != offset_m) {
                return Err(format!("the translation of joint {name:?} is missing"));
            }
        }
        inputs.dedup();
        match inputs.as_slice() {
            [input] => self.check_times(clip, *input),
            _ => Err("channels do not share their key times".to_owned()),
        }
    }

    fn check_times(&self, clip: &Clip, input: usize) -> Result<(), String> {
        let times: Vec<f32> = self.floats(input, Shape::Scalar)?.collect();
        let start_secs = clip.time_secs(FrameIndex(0)).min(0.0);
        if times.len() != clip.frame_count() || times.windows(2).any(|pair| pair[1] <= pair[0]) || times[0] < 0.0 {
            return Err(format!("{} key times for {} frames, or they do not rise", times.len(), clip.frame_count()));
        }
        let off = |(frame, &time): (FrameIndex, &f32)| time != (clip.time_secs(frame) - start_secs) as f32;
        match clip.frames().zip(&times).any(off) {
            true => Err("a key time is not that of its frame".to_owned()),
            false => Ok(()),
        }
    }

    fn check_rotations(&self, clip: &Clip, joint: JointId, output: usize) -> Result<(), String> {
        let keys: Vec<[f32; 4]> = self.elements(output, Shape::Vec4)?;
        let name = &clip.skeleton().joint(joint).name;
        if keys.len() != clip.frame_count() {
            return Err(format!("{} rotations of joint {name:?} for {} frames", keys.len(), clip.frame_count()));
        }
        let mut before = None;
        for (frame, &key) in clip.frames().zip(&keys) {
            let written = Quat::from_array(key);
            let meant = clip.rotation(frame, joint).normalize();
            let (written_f64, meant) =
                (written.as_dquat(), if written.as_dquat().dot(meant) < 0.0 { -meant } else { meant });
            // Four numbers rounded by up to 3e-8 each are up to 6e-8 away together.
            let off = (written_f64 - meant).length();
            if off > 1e-7 || off.is_nan() {
                return Err(format!("{frame}, joint {name:?}: rotation off by {off:.1e}"));
            }
            // Half a turn between two frames has no nearer side: rounding alone decides.
            if before.is_some_and(|before: Quat| before.dot(written) < -1e-6) {
                return Err(format!("{frame}, joint {name:?}: the rotation goes the long way"));
            }
            before = Some(written);
        }
        Ok(())
    }

    fn check_translations(&self, clip: &Clip, joint: JointId, output: usize) -> Result<(), String> {
        let keys: Vec<[f32; 3]> = self.elements(output, Shape::Vec3)?;
        let name = &clip.skeleton().joint(joint).name;
        let track = clip.track(joint).ok_or_else(|| format!("joint {name:?} moves, and should not"))?;
        let off = |(key, meant_m): (&[f32; 3], &glam::DVec3)| *key != meant_m.as_vec3().to_array();
        match keys.len() == track.len() && !keys.iter().zip(track).any(off) {
            true => Ok(()),
            false => Err(format!("the translation of joint {name:?} is not the clip's")),
        }
    }
}

fn word(bytes: &[u8], at: usize) -> Option<usize> {
    let four: [u8; 4] = bytes.get(at..at + 4)?.try_into().ok()?;
    usize::try_from(u32::from_le_bytes(four)).ok()
}

/// The contents of the chunk that comes next, and what follows it.
fn chunk<'a>(bytes: &'a [u8], kind: &[u8; 4]) -> Result<(&'a [u8], &'a [u8]), String> {
    let shown = String::from_utf8_lossy(&kind[..3]).into_owned();
    let length = word(bytes, 0).filter(|length| length.is_multiple_of(4));
    let (length, found) = length.zip(bytes.get(4..8)).ok_or_else(|| format!("the {shown} chunk is cut"))?;
    if found != kind {
        return Err(format!("expected the {shown} chunk"));
    }
    bytes[8..].split_at_checked(length).ok_or_else(|| format!("the {shown} chunk is cut"))
}

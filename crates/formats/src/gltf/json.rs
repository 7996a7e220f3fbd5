//! The part of glTF 2.0 that a skinned, animated figure needs (Khronos specification, chapter 5), as it stands in the
//! JSON chunk.
//!
//! Own structures: the types of the `gltf-json` crate cover all of glTF and bring wrappers for validation that has to
//! be done again anyway (`check`), because the crate trusts indices and lengths of a file.

use super::extras::{AnimationExtras, AssetExtras};
use serde::{Deserialize, Serialize};

/// The whole document.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Root {
    pub asset: Asset,
    pub scene: usize,
    pub scenes: Vec<Scene>,
    pub nodes: Vec<Node>,
    pub meshes: Vec<Mesh>,
    pub materials: Vec<Material>,
    pub skins: Vec<Skin>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub animations: Vec<Animation>,
    pub accessors: Vec<Accessor>,
    #[serde(rename = "bufferViews")]
    pub buffer_views: Vec<BufferView>,
    pub buffers: Vec<Buffer>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Asset {
    pub version: String,
    pub generator: String,
    pub extras: AssetExtras,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Scene {
    pub nodes: Vec<usize>,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Node {
    pub name: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub children: Vec<usize>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub translation: Option<[f32; 3]>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mesh: Option<usize>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub skin: Option<usize>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Mesh {
    pub name: String,
    pub primitives: Vec<Primitive>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Primitive {
    pub attributes: Attributes,
    pub indices: usize,
    pub material: usize,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Attributes {
    #[serde(rename = "POSITION")]
    pub position: usize,
    #[serde(rename = "NORMAL")]
    pub normal: usize,
    #[serde(rename = "JOINTS_0")]
    pub joints: usize,
    #[serde(rename = "WEIGHTS_0")]
    pub weights: usize,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Material {
    pub name: String,
    #[serde(rename = "pbrMetallicRoughness")]
    pub surface: Surface,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Surface {
    pub base_color_factor: [f32; 4],
    pub metallic_factor: f32,
    pub roughness_factor: f32,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Skin {
    pub inverse_bind_matrices: usize,
    pub skeleton: usize,
    pub joints: Vec<usize>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Animation {
    pub name: String,
    pub channels: Vec<Channel>,
    pub samplers: Vec<Sampler>,
    pub extras: AnimationExtras,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Channel {
    pub sampler: usize,
    pub target: Target,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Target {
    pub node: usize,
    pub path: Path,
}

/// What of a node is animated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Path {
    Translation,
    Rotation,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Sampler {
    pub input: usize,
    pub output: usize,
    pub interpolation: Interpolation,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Interpolation {
    Linear,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Accessor {
    pub buffer_view: usize,
    pub byte_offset: usize,
    pub component_type: u32,
    pub count: usize,
    #[serde(rename = "type")]
    pub shape: Shape,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min: Option<Vec<f32>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max: Option<Vec<f32>>,
}

/// Numbers in one element of an accessor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Shape {
    Scalar,
    Vec3,
    Vec4,
    Mat4,
}

impl Shape {
    pub fn components(self) -> usize {
        match self {
            Self::Scalar => 1,
            Self::Vec3 => 3,
            Self::Vec4 => 4,
            Self::Mat4 => 16,
        }
    }
}

/// `componentType` of accessors, by the names of the specification.
pub mod component {
    pub const UNSIGNED_BYTE: u32 = 5121;
    pub const UNSIGNED_SHORT: u32 = 5123;
    pub const UNSIGNED_INT: u32 = 5125;
    pub const FLOAT: u32 = 5126;

    /// Bytes of one number; `None` for types that are never written.
    pub fn bytes(component_type: u32) -> Option<usize> {
        match component_type {
            UNSIGNED_BYTE => Some(1),
            UNSIGNED_SHORT => Some(2),
            UNSIGNED_INT | FLOAT => Some(4),
            _ => None,
        }
    }
}

/// `target` of buffer views: vertices and indices say what they are, the rest must not.
pub mod target {
    pub const ARRAY_BUFFER: u32 = 34962;
    pub const ELEMENT_ARRAY_BUFFER: u32 = 34963;
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BufferView {
    pub buffer: usize,
    pub byte_offset: usize,
    pub byte_length: usize,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<u32>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Buffer {
    pub byte_length: usize,
}

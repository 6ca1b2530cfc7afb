//! The JSON of a glTF 2.0 file, as far as it is used.

use serde::Serialize;
use serde_json::Value;

/// The numbers that glTF takes from OpenGL.
pub(crate) mod gl {
    pub(crate) const UNSIGNED_INT: u32 = 5125;
    pub(crate) const FLOAT: u32 = 5126;
    pub(crate) const ARRAY_BUFFER: u32 = 34962;
    pub(crate) const ELEMENT_ARRAY_BUFFER: u32 = 34963;
    pub(crate) const REPEAT: u32 = 10497;
    pub(crate) const LINEAR: u32 = 9729;
    pub(crate) const LINEAR_MIPMAP_LINEAR: u32 = 9987;
}

#[derive(Serialize, Default)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Document {
    pub(crate) asset: Asset,
    pub(crate) scene: usize,
    pub(crate) scenes: Vec<Scene>,
    pub(crate) nodes: Vec<Node>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) meshes: Vec<Mesh>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) materials: Vec<Material>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) textures: Vec<Texture>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) images: Vec<Image>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) samplers: Vec<Sampler>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) animations: Vec<Animation>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) accessors: Vec<Accessor>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) buffer_views: Vec<BufferView>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) buffers: Vec<Buffer>,
    #[serde(skip_serializing_if = "Value::is_null")]
    pub(crate) extras: Value,
}

#[derive(Serialize)]
pub(crate) struct Asset {
    pub(crate) version: &'static str,
    pub(crate) generator: &'static str,
}

impl Default for Asset {
    fn default() -> Self {
        Self { version: "2.0", generator: concat!("acmotion ", env!("CARGO_PKG_VERSION")) }
    }
}

#[derive(Serialize, Default)]
pub(crate) struct Scene {
    pub(crate) name: String,
    pub(crate) nodes: Vec<usize>,
}

#[derive(Serialize, Default)]
pub(crate) struct Node {
    pub(crate) name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) translation: Option<[f32; 3]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) rotation: Option<[f32; 4]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) scale: Option<[f32; 3]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) mesh: Option<usize>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) children: Vec<usize>,
    #[serde(skip_serializing_if = "Value::is_null")]
    pub(crate) extras: Value,
}

#[derive(Serialize)]
pub(crate) struct Mesh {
    pub(crate) name: String,
    pub(crate) primitives: Vec<Primitive>,
}

#[derive(Serialize)]
pub(crate) struct Primitive {
    pub(crate) attributes: Attributes,
    pub(crate) indices: usize,
    pub(crate) material: usize,
}

#[derive(Clone, Copy, Serialize)]
pub(crate) struct Attributes {
    #[serde(rename = "POSITION")]
    pub(crate) position: usize,
    #[serde(rename = "NORMAL")]
    pub(crate) normal: usize,
    #[serde(rename = "TEXCOORD_0", skip_serializing_if = "Option::is_none")]
    pub(crate) texture_coordinates: Option<usize>,
    #[serde(rename = "COLOR_0", skip_serializing_if = "Option::is_none")]
    pub(crate) colours: Option<usize>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Material {
    pub(crate) name: String,
    pub(crate) pbr_metallic_roughness: Roughness,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) emissive_factor: Option<[f32; 3]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) emissive_texture: Option<TextureInfo>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) alpha_mode: Option<&'static str>,
    #[serde(skip_serializing_if = "Value::is_null")]
    pub(crate) extras: Value,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Roughness {
    pub(crate) base_color_factor: [f32; 4],
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) base_color_texture: Option<TextureInfo>,
    pub(crate) metallic_factor: f32,
    pub(crate) roughness_factor: f32,
}

#[derive(Serialize)]
pub(crate) struct TextureInfo {
    pub(crate) index: usize,
}

#[derive(Serialize)]
pub(crate) struct Texture {
    pub(crate) source: usize,
    pub(crate) sampler: usize,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Image {
    pub(crate) name: String,
    pub(crate) buffer_view: usize,
    pub(crate) mime_type: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Sampler {
    pub(crate) mag_filter: u32,
    pub(crate) min_filter: u32,
    pub(crate) wrap_s: u32,
    pub(crate) wrap_t: u32,
}

#[derive(Serialize)]
pub(crate) struct Animation {
    pub(crate) name: String,
    pub(crate) channels: Vec<Channel>,
    pub(crate) samplers: Vec<AnimationSampler>,
    pub(crate) extras: Value,
}

#[derive(Serialize)]
pub(crate) struct Channel {
    pub(crate) sampler: usize,
    pub(crate) target: Target,
}

#[derive(Serialize)]
pub(crate) struct Target {
    pub(crate) node: usize,
    pub(crate) path: &'static str,
}

#[derive(Serialize)]
pub(crate) struct AnimationSampler {
    pub(crate) input: usize,
    pub(crate) output: usize,
    pub(crate) interpolation: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Accessor {
    pub(crate) buffer_view: usize,
    pub(crate) component_type: u32,
    pub(crate) count: usize,
    #[serde(rename = "type")]
    pub(crate) kind: &'static str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) min: Vec<f32>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) max: Vec<f32>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct BufferView {
    pub(crate) buffer: usize,
    pub(crate) byte_offset: usize,
    pub(crate) byte_length: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) target: Option<u32>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Buffer {
    pub(crate) byte_length: usize,
}

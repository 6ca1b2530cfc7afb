//! Puts a .glb file together: the JSON document, and the binary data that it refers to.

use acmotion::types::{Frame, Quat, Vec3};
use serde_json::Value;

use crate::GltfError;
use crate::document::{Accessor, Buffer, BufferView, Document, Node, Scene, gl};

/// The maximum size of the binary data of a file, in bytes.
pub const MAX_BYTES: usize = 256 << 20;
/// The maximum number of accessors of a file: each attribute of a mesh has one, and each channel of an animation.
pub const MAX_ACCESSORS: usize = 1 << 20;
/// The maximum number of nodes of a file.
pub const MAX_NODES: usize = 65_536;

const GLB_MAGIC: [u8; 4] = *b"glTF";
const GLB_VERSION: u32 = 2;
const JSON_CHUNK: [u8; 4] = *b"JSON";
const BINARY_CHUNK: [u8; 4] = *b"BIN\0";

/// A file that is being put together.
#[derive(Default)]
pub(crate) struct Builder {
    pub(crate) document: Document,
    binary: Vec<u8>,
}

impl Builder {
    /// Creates a file with a scene of one node, which turns the game's axes (z is up) to those of glTF (y is up). Below it,
    /// all figures are those of the game.
    pub(crate) fn new(name: String) -> Self {
        let half = std::f32::consts::FRAC_1_SQRT_2;
        let root = Node { name: name.clone(), rotation: Some([-half, 0.0, 0.0, half]), ..Node::default() };
        let mut builder = Self::default();
        builder.document.nodes.push(root);
        builder.document.scenes.push(Scene { name, nodes: vec![Self::ROOT] });
        builder
    }

    /// The node of the scene.
    pub(crate) const ROOT: usize = 0;

    /// Adds a node below another.
    pub(crate) fn add_node(&mut self, parent: usize, node: Node) -> Result<usize, GltfError> {
        let index = self.document.nodes.len();
        if index >= MAX_NODES {
            return Err(GltfError::TooLarge { what: "nodes", max: MAX_NODES });
        }
        self.document.nodes.push(node);
        self.document.nodes[parent].children.push(index);
        Ok(index)
    }

    /// Checks that `bytes` more bytes of binary data may be added.
    pub(crate) fn check_room(&self, bytes: usize) -> Result<(), GltfError> {
        if bytes > MAX_BYTES - self.binary.len().min(MAX_BYTES) {
            return Err(GltfError::TooLarge { what: "bytes", max: MAX_BYTES });
        }
        Ok(())
    }

    /// Adds binary data. Returns the index of its buffer view.
    pub(crate) fn add_bytes(&mut self, bytes: &[u8], target: Option<u32>) -> Result<usize, GltfError> {
        self.check_room(bytes.len() + 3)?;
        let byte_offset = self.binary.len();
        self.binary.extend_from_slice(bytes);
        self.binary.resize(self.binary.len().next_multiple_of(4), 0);
        let view = BufferView { buffer: 0, byte_offset, byte_length: bytes.len(), target };
        self.document.buffer_views.push(view);
        Ok(self.document.buffer_views.len() - 1)
    }

    fn add_accessor(
        &mut self,
        bytes: &[u8],
        target: Option<u32>,
        accessor: impl FnOnce(usize) -> Accessor,
    ) -> Result<usize, GltfError> {
        if self.document.accessors.len() >= MAX_ACCESSORS {
            return Err(GltfError::TooLarge { what: "accessors", max: MAX_ACCESSORS });
        }
        let view = self.add_bytes(bytes, target)?;
        self.document.accessors.push(accessor(view));
        Ok(self.document.accessors.len() - 1)
    }

    fn add_floats<const N: usize>(
        &mut self,
        values: &[[f32; N]],
        kind: &'static str,
        target: Option<u32>,
        has_bounds: bool,
    ) -> Result<usize, GltfError> {
        let bytes: Vec<u8> = values.iter().flatten().flat_map(|value| value.to_le_bytes()).collect();
        let bound = |start: f32, pick: fn(f32, f32) -> f32| -> Vec<f32> {
            (0..N).map(|axis| values.iter().map(|value| value[axis]).fold(start, pick)).collect()
        };
        let (min, max) = if has_bounds {
            (bound(f32::INFINITY, f32::min), bound(f32::NEG_INFINITY, f32::max))
        } else {
            (Vec::new(), Vec::new())
        };
        let count = values.len();
        self.add_accessor(&bytes, target, |buffer_view| Accessor {
            buffer_view,
            component_type: gl::FLOAT,
            count,
            kind,
            min,
            max,
        })
    }

    /// Adds the positions of vertices.
    pub(crate) fn add_positions(&mut self, positions: &[[f32; 3]]) -> Result<usize, GltfError> {
        self.add_floats(positions, "VEC3", Some(gl::ARRAY_BUFFER), true)
    }

    /// Adds another attribute of vertices.
    pub(crate) fn add_attribute<const N: usize>(&mut self, values: &[[f32; N]]) -> Result<usize, GltfError> {
        let kind = if N == 2 { "VEC2" } else { "VEC3" };
        self.add_floats(values, kind, Some(gl::ARRAY_BUFFER), false)
    }

    /// Adds the indices of triangles.
    pub(crate) fn add_indices(&mut self, indices: &[u32]) -> Result<usize, GltfError> {
        let bytes: Vec<u8> = indices.iter().flat_map(|index| index.to_le_bytes()).collect();
        let count = indices.len();
        self.add_accessor(&bytes, Some(gl::ELEMENT_ARRAY_BUFFER), |buffer_view| Accessor {
            buffer_view,
            component_type: gl::UNSIGNED_INT,
            count,
            kind: "SCALAR",
            min: Vec::new(),
            max: Vec::new(),
        })
    }

    /// Adds the times of key frames.
    pub(crate) fn add_times(&mut self, times: &[f32]) -> Result<usize, GltfError> {
        let times: Vec<[f32; 1]> = times.iter().map(|time| [*time]).collect();
        self.add_floats(&times, "SCALAR", None, true)
    }

    /// Adds the translations of key frames.
    pub(crate) fn add_translations(&mut self, values: &[[f32; 3]]) -> Result<usize, GltfError> {
        self.add_floats(values, "VEC3", None, false)
    }

    /// Adds the rotations of key frames.
    pub(crate) fn add_rotations(&mut self, values: &[[f32; 4]]) -> Result<usize, GltfError> {
        self.add_floats(values, "VEC4", None, false)
    }

    /// Returns the file.
    pub(crate) fn finish(mut self, extras: Value) -> Vec<u8> {
        self.document.extras = extras;
        if !self.binary.is_empty() {
            self.document.buffers.push(Buffer { byte_length: self.binary.len() });
        }
        // Strings, numbers and lists always have a JSON form.
        let mut json = serde_json::to_vec(&self.document).unwrap_or_default();
        json.resize(json.len().next_multiple_of(4), b' ');
        let chunks = [(JSON_CHUNK, json), (BINARY_CHUNK, self.binary)];
        let chunks = chunks.iter().filter(|(_, bytes)| !bytes.is_empty());
        let length = 12 + chunks.clone().map(|(_, bytes)| 8 + bytes.len()).sum::<usize>();
        let mut glb = Vec::with_capacity(length);
        glb.extend(GLB_MAGIC);
        glb.extend(GLB_VERSION.to_le_bytes());
        glb.extend((length as u32).to_le_bytes());
        for (kind, bytes) in chunks {
            glb.extend((bytes.len() as u32).to_le_bytes());
            glb.extend(kind);
            glb.extend(bytes);
        }
        glb
    }
}

/// Returns a node at a frame.
pub(crate) fn node_at(name: String, frame: &Frame) -> Node {
    let (translation, rotation) = (translation(frame.origin), rotation(frame.rotation));
    Node {
        name,
        translation: (translation != [0.0; 3]).then_some(translation),
        rotation: (rotation != [0.0, 0.0, 0.0, 1.0]).then_some(rotation),
        ..Node::default()
    }
}

/// Returns an origin as glTF has it; 0 for numbers that are not finite, which JSON does not have.
pub(crate) fn translation(origin: Vec3) -> [f32; 3] {
    <[f32; 3]>::from(origin).map(|value| if value.is_finite() { value } else { 0.0 })
}

/// Returns a rotation as glTF has it: x, y, z, w, of length 1. What cannot be normalised is no rotation.
pub(crate) fn rotation(rotation: Quat) -> [f32; 4] {
    let Quat { w, x, y, z } = rotation;
    let values = [x, y, z, w].map(f64::from);
    let length = values.iter().map(|value| value * value).sum::<f64>().sqrt();
    if length.is_finite() && length > f64::from(f32::MIN_POSITIVE) {
        values.map(|value| (value / length) as f32)
    } else {
        [0.0, 0.0, 0.0, 1.0]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_and_bytes_are_limited() {
        let mut builder = Builder::new(String::from("x"));
        let node = |number: usize| Node { name: number.to_string(), ..Node::default() };
        for number in 1..MAX_NODES {
            builder.add_node(Builder::ROOT, node(number)).unwrap();
        }
        let error = builder.add_node(Builder::ROOT, node(0)).unwrap_err();
        assert_eq!(error, GltfError::TooLarge { what: "nodes", max: MAX_NODES });
        builder.add_bytes(&[0; 8], None).unwrap();
        assert!(builder.check_room(MAX_BYTES - 8).is_ok());
        let error = builder.check_room(MAX_BYTES - 7).unwrap_err();
        assert_eq!(error, GltfError::TooLarge { what: "bytes", max: MAX_BYTES });
        assert!(builder.check_room(usize::MAX).is_err());
    }

    #[test]
    fn accessors_are_limited() {
        let mut builder = Builder::new(String::from("x"));
        for _ in 0..MAX_ACCESSORS {
            builder.add_times(&[0.0]).unwrap();
        }
        let error = builder.add_times(&[0.0]).unwrap_err();
        assert_eq!(error, GltfError::TooLarge { what: "accessors", max: MAX_ACCESSORS });
    }

    #[test]
    fn what_is_not_finite_or_not_a_rotation_is_none() {
        assert_eq!(translation(Vec3::new(f32::NAN, 1.0, f32::INFINITY)), [0.0, 1.0, 0.0]);
        assert_eq!(rotation(Quat::new(0.0, 0.0, 0.0, 0.0)), [0.0, 0.0, 0.0, 1.0]);
        assert_eq!(rotation(Quat::new(f32::NAN, 0.0, 0.0, 0.0)), [0.0, 0.0, 0.0, 1.0]);
        assert_eq!(rotation(Quat::new(0.0, 0.0, 2.0, 0.0)), [0.0, 1.0, 0.0, 0.0]);
    }
}

//! The binary answers of the HTTP API, all little-endian.
//!
//! `/api/mesh/ID`: `u32` vertices, indices, groups and 0; for each group `u32` first index, count and colour
//! (0xAARRGGBB); three `f32` for each vertex's position, then three for each normal; `u32` for each index.
//!
//! `/api/frames/ID`: `u32` frames, parts, roots and 0; for each frame and part a row of seven `f32` (x y z, w x y z) in
//! the body's axes; for each root a row that says how far that frame moves the body. There are no roots or as many as
//! frames.

/// The size of the header of a mesh or of frames, in bytes.
pub(crate) const HEADER_SIZE: usize = 16;
/// The size of a group of a mesh, in bytes.
#[cfg(test)]
pub(crate) const MESH_GROUP_SIZE: usize = 12;
/// The number of `f32` in a row of a position and a rotation.
pub(crate) const ROW_LENGTH: usize = 7;

/// Little-endian values, one after the other.
#[derive(Default)]
pub(crate) struct Writer(Vec<u8>);

impl Writer {
    /// Starts with a header of three counts and a 0.
    pub(crate) fn with_header(counts: [usize; 3]) -> Self {
        let mut writer = Self(Vec::with_capacity(HEADER_SIZE));
        writer.u32s(counts.map(|count| count as u32));
        writer.u32s([0]);
        writer
    }

    pub(crate) fn u32s(&mut self, values: impl IntoIterator<Item = u32>) {
        values.into_iter().for_each(|value| self.0.extend(value.to_le_bytes()));
    }

    pub(crate) fn f32s(&mut self, values: impl IntoIterator<Item = f32>) {
        values.into_iter().for_each(|value| self.0.extend(value.to_le_bytes()));
    }

    pub(crate) fn into_bytes(self) -> Vec<u8> {
        self.0
    }
}

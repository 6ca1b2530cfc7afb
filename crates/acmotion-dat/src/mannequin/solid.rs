//! Meshes in the making: convex pieces with cut edges, as if carved from wood.

use acmotion_types::{Frame, Vec3};

use crate::builder::{Body, Face, gfx_obj};
use crate::id::DataId;
use crate::objects::GfxObj;

/// A cross-section of a piece: how high it is, half its width and depth, and how far its centre is forward.
#[derive(Clone, Copy)]
pub(super) struct Ring {
    z: f32,
    half: [f32; 2],
    forward: f32,
}

/// A cross-section at a height, by half its width (x) and half its depth (y).
pub(super) const fn ring(z: f32, half_width: f32, half_depth: f32) -> Ring {
    Ring { z, half: [half_width, half_depth], forward: 0.0 }
}

impl Ring {
    /// The same, with its centre so far forward.
    pub(super) const fn forward(self, forward: f32) -> Self {
        Self { forward, ..self }
    }

    /// The corners, counter-clockwise from above: a rectangle whose corners are cut.
    fn corners(&self) -> [Vec3; 8] {
        let [x, y] = self.half;
        // Cut as deep along both sides, so that the faces between two rings are flat.
        let cut = 0.4 * x.min(y);
        let (inner_x, inner_y) = (x - cut, y - cut);
        let corners = [
            [x, -inner_y],
            [x, inner_y],
            [inner_x, y],
            [-inner_x, y],
            [-x, inner_y],
            [-x, -inner_y],
            [-inner_x, -y],
            [inner_x, -y],
        ];
        corners.map(|[x, y]| Vec3::new(x, self.forward + y, self.z))
    }
}

/// The faces of a convex piece through cross-sections, the lowest first.
pub(super) fn carved(surface: DataId, rings: &[Ring]) -> Vec<Face> {
    let corners: Vec<_> = rings.iter().map(Ring::corners).collect();
    let mut faces = Vec::new();
    for pair in corners.windows(2) {
        for at in 0..8 {
            let next = (at + 1) % 8;
            faces.push(Face::new(surface, [pair[0][at], pair[0][next], pair[1][next], pair[1][at]]));
        }
    }
    if let (Some(bottom), Some(top)) = (corners.first(), corners.last()) {
        faces.push(Face::new(surface, *bottom).flipped());
        faces.push(Face::new(surface, *top));
    }
    faces
}

/// A piece moved and turned.
pub(super) fn placed(faces: Vec<Face>, frame: Frame) -> Vec<Face> {
    faces.into_iter().map(|face| face.placed(&frame)).collect()
}

/// The mesh of some pieces.
pub(super) fn mesh(id: DataId, faces: &[Face]) -> GfxObj {
    gfx_obj(id, faces, Body::Closed)
}

/// A surface of one colour (`docs/dat.md` §5): red, green and blue, opaque, lit by the scene alone.
pub(super) fn colour(red: u8, green: u8, blue: u8) -> Vec<u8> {
    const SOLID_COLOUR: u32 = 1;
    let mut bytes = SOLID_COLOUR.to_le_bytes().to_vec();
    bytes.extend([blue, green, red, 0xFF]);
    for value in [0.0f32, 0.0, 1.0] {
        bytes.extend(value.to_le_bytes());
    }
    bytes
}

//! Construction of meshes from convex solids with chamfered edges.

use acmotion_types::{Frame, Vec3};

use crate::builder::{MeshFace, MeshKind, gfx_obj};
use crate::id::DataId;
use crate::objects::{DatObject as _, GfxObj, Surface, SurfaceFill, SurfaceFlags};

/// A cross-section of a solid: its height, its half width and depth, and how far forward its centre is.
#[derive(Clone, Copy)]
pub(super) struct CrossSection {
    z: f32,
    half: [f32; 2],
    forward: f32,
}

/// Creates a cross-section at height `z` from its half width (x) and half depth (y).
pub(super) const fn section(z: f32, half_width: f32, half_depth: f32) -> CrossSection {
    CrossSection { z, half: [half_width, half_depth], forward: 0.0 }
}

impl CrossSection {
    /// Returns the cross-section with its centre moved forward to `forward`.
    pub(super) const fn forward(self, forward: f32) -> Self {
        Self { forward, ..self }
    }

    /// Returns the corners of a rectangle with chamfered corners, counter-clockwise as seen from above.
    fn corners(&self) -> [Vec3; 8] {
        let [x, y] = self.half;
        // The cut is equally deep along both sides, so that the faces between two cross-sections are flat.
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

/// Returns the faces of a convex solid through cross-sections, given from the lowest to the highest.
pub(super) fn convex_solid(surface: DataId, sections: &[CrossSection]) -> Vec<MeshFace> {
    let corners: Vec<_> = sections.iter().map(CrossSection::corners).collect();
    let mut faces = Vec::new();
    for pair in corners.windows(2) {
        for index in 0..8 {
            let next = (index + 1) % 8;
            faces
                .push(MeshFace::new(surface, [pair[0][index], pair[0][next], pair[1][next], pair[1][index]]));
        }
    }
    if let (Some(bottom), Some(top)) = (corners.first(), corners.last()) {
        faces.push(MeshFace::new(surface, *bottom).flipped());
        faces.push(MeshFace::new(surface, *top));
    }
    faces
}

/// Transforms a solid by a frame.
pub(super) fn transformed(faces: Vec<MeshFace>, frame: Frame) -> Vec<MeshFace> {
    faces.into_iter().map(|face| face.transformed(&frame)).collect()
}

/// Builds the mesh of some solids.
pub(super) fn closed_mesh(id: DataId, faces: &[MeshFace]) -> GfxObj {
    gfx_obj(id, faces, MeshKind::Closed)
}

/// Returns the bytes of an opaque, non-luminous surface of one colour (`docs/dat.md` §5).
pub(super) fn surface_of_colour(red: u8, green: u8, blue: u8) -> Vec<u8> {
    let fill = SurfaceFill::Colour(u32::from_be_bytes([0xFF, red, green, blue]));
    Surface { flags: SurfaceFlags::SOLID, fill, translucency: 0.0, luminosity: 0.0, diffuse: 1.0 }.encode()
}

//! `/api/mesh/ID`: the triangles of a mesh.

use std::collections::{BTreeMap, HashMap};

use acmotion::dat::{Assets, DataId, GfxObj, Polygon, Vertex};
use acmotion::types::Vec3;

use super::colour::colour;
use super::{ApiError, ApiResult};
use crate::protocol::binary::Writer;
use crate::values::vector;

/// The maximum number of indices of a mesh.
const MAX_INDICES: usize = 1 << 20;

pub(super) fn mesh(assets: &Assets, id: DataId) -> ApiResult<Vec<u8>> {
    let mesh = assets.gfx_obj(id)?;
    let triangles = Triangles::of(&mesh)?;
    Ok(triangles.encode(|surface| {
        let id = usize::try_from(surface).ok().and_then(|index| mesh.surfaces.get(index));
        colour(assets, id.copied().unwrap_or_default())
    }))
}

/// Vertices with their normals, and the triangles of each surface.
#[derive(Default)]
struct Triangles {
    positions: Vec<Vec3>,
    normals: Vec<Vec3>,
    indices: BTreeMap<i16, Vec<u32>>,
}

impl Triangles {
    /// Triangulates the polygons that are drawn, or those that collide if none are drawn.
    fn of(mesh: &GfxObj) -> ApiResult<Self> {
        let by_id: HashMap<i16, &Vertex> =
            mesh.vertices.iter().map(|vertex| (vertex.id.cast_signed(), vertex)).collect();
        let mut triangles = Self::default();
        let Some(faces) = mesh.drawing.as_ref().or(mesh.physics.as_ref()) else { return Ok(triangles) };
        let mut corners = 0;
        for (_, face) in faces.polygons.iter() {
            corners += face.vertices.len();
            // Each corner makes at most three indices, on up to two sides.
            if corners > MAX_INDICES / 6 {
                return Err(ApiError::bad_request("the mesh has too many faces to show"));
            }
            triangles.add(face, &by_id);
        }
        Ok(triangles)
    }

    fn add(&mut self, face: &Polygon, by_id: &HashMap<i16, &Vertex>) {
        let corners: Vec<&Vertex> = face.vertices.iter().filter_map(|id| by_id.get(id).copied()).collect();
        if corners.len() < 3 {
            return;
        }
        self.add_fan(face.positive_surface, &corners, 1.0);
        if matches!(face.sides, 1 | 2) {
            let back = if face.sides == 2 { face.negative_surface } else { face.positive_surface };
            let corners: Vec<&Vertex> = corners.into_iter().rev().collect();
            self.add_fan(back, &corners, -1.0);
        }
    }

    fn add_fan(&mut self, surface: i16, corners: &[&Vertex], side: f32) {
        let first = self.positions.len() as u32;
        let flat = flat_normal(corners);
        for corner in corners {
            let own = corner.normal * side;
            self.positions.push(corner.position);
            self.normals.push(if own.length() > 0.5 { own } else { flat });
        }
        let indices = self.indices.entry(surface).or_default();
        (1..corners.len() as u32 - 1).for_each(|at| indices.extend([first, first + at, first + at + 1]));
    }

    fn encode(&self, colour: impl Fn(i16) -> u32) -> Vec<u8> {
        let indices: usize = self.indices.values().map(Vec::len).sum();
        let mut out = Writer::with_header([self.positions.len(), indices, self.indices.len()]);
        let mut first = 0;
        for (surface, indices) in &self.indices {
            out.u32s([first, indices.len() as u32, colour(*surface)]);
            first += indices.len() as u32;
        }
        out.f32s(self.positions.iter().flat_map(|position| vector(*position)));
        out.f32s(self.normals.iter().flat_map(|normal| vector(*normal)));
        self.indices.values().for_each(|indices| out.u32s(indices.iter().copied()));
        out.into_bytes()
    }
}

/// The normal of a face by its corners, for vertices without a normal.
fn flat_normal(corners: &[&Vertex]) -> Vec3 {
    let [a, b, c] = [0, 1, 2].map(|index| corners[index].position);
    (b - a).cross(c - a).normalized().unwrap_or(Vec3::new(0.0, 0.0, 1.0))
}

#[cfg(test)]
mod tests {
    use acmotion::dat::mannequin;

    use super::*;

    #[test]
    fn a_mesh_with_too_many_corners_is_an_error() {
        let assets = Assets::mannequin();
        let setup = assets.setup(mannequin::HUMAN_SETUP).unwrap();
        let mut mesh = (*assets.gfx_obj(setup.parts[0]).unwrap()).clone();
        let face = mesh.drawing.as_ref().unwrap().polygons.iter().next().unwrap().1.clone();
        let corners = face.vertices.len();
        let with_faces = |mesh: &mut GfxObj, count: usize| {
            let faces = (0..count as u32).map(|key| (key, face.clone())).collect();
            mesh.drawing.as_mut().unwrap().polygons = faces;
            Triangles::of(mesh).map(|triangles| triangles.indices.values().map(Vec::len).sum::<usize>())
        };
        let most = MAX_INDICES / 6 / corners;
        assert!(with_faces(&mut mesh, most).is_ok_and(|indices| indices <= MAX_INDICES));
        assert!(with_faces(&mut mesh, most + 1).is_err());
    }
}

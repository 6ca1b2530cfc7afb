//! The triangles of a mesh.

use std::collections::{BTreeMap, HashMap};

use acmotion::dat::{Assets, DataId, GfxObj, Polygon, Vertex};
use acmotion::types::Vec3;

use super::colour::colour;
use super::{Answer, ApiError, Packed};

/// More corners than this are not sent.
const MOST_INDICES: usize = 1 << 20;

pub(super) fn mesh(assets: &Assets, id: DataId) -> Answer<Vec<u8>> {
    let mesh = assets.gfx_obj(id)?;
    let triangles = Triangles::of(&mesh)?;
    Ok(triangles.pack(|surface| {
        let id = usize::try_from(surface).ok().and_then(|at| mesh.surfaces.get(at));
        colour(assets, id.copied().unwrap_or_default())
    }))
}

/// Corners with their normals, and for each surface which three make a triangle.
#[derive(Default)]
struct Triangles {
    positions: Vec<Vec3>,
    normals: Vec<Vec3>,
    by_surface: BTreeMap<i16, Vec<u32>>,
}

impl Triangles {
    /// What is drawn of a mesh; what collides if nothing is drawn.
    fn of(mesh: &GfxObj) -> Answer<Self> {
        let by_id: HashMap<i16, &Vertex> =
            mesh.vertices.iter().map(|vertex| (vertex.id.cast_signed(), vertex)).collect();
        let mut triangles = Self::default();
        let Some(faces) = mesh.drawing.as_ref().or(mesh.physics.as_ref()) else { return Ok(triangles) };
        let mut corners = 0;
        for (_, face) in faces.polygons.iter() {
            corners += face.vertices.len();
            if corners > MOST_INDICES / 6 {
                return Err(ApiError::bad("the mesh has too many faces to be shown"));
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
        self.fan(face.positive_surface, &corners, 1.0);
        if matches!(face.sides, 1 | 2) {
            let behind = if face.sides == 2 { face.negative_surface } else { face.positive_surface };
            let corners: Vec<&Vertex> = corners.into_iter().rev().collect();
            self.fan(behind, &corners, -1.0);
        }
    }

    fn fan(&mut self, surface: i16, corners: &[&Vertex], side: f32) {
        let first = self.positions.len() as u32;
        let flat = flat_normal(corners);
        for corner in corners {
            let own = corner.normal * side;
            self.positions.push(corner.position);
            self.normals.push(if own.length() > 0.5 { own } else { flat });
        }
        let indices = self.by_surface.entry(surface).or_default();
        (1..corners.len() as u32 - 1).for_each(|at| indices.extend([first, first + at, first + at + 1]));
    }

    fn pack(&self, colour: impl Fn(i16) -> u32) -> Vec<u8> {
        let indices: usize = self.by_surface.values().map(Vec::len).sum();
        let mut out = Packed::default();
        out.words([self.positions.len() as u32, indices as u32, self.by_surface.len() as u32, 0]);
        let mut first = 0;
        for (surface, indices) in &self.by_surface {
            out.words([first, indices.len() as u32, colour(*surface)]);
            first += indices.len() as u32;
        }
        out.floats(self.positions.iter().flat_map(|at| <[f32; 3]>::from(*at)));
        out.floats(self.normals.iter().flat_map(|at| <[f32; 3]>::from(*at)));
        self.by_surface.values().for_each(|indices| out.words(indices.iter().copied()));
        out.0
    }
}

/// Where a face looks by its corners, for corners that do not say.
fn flat_normal(corners: &[&Vertex]) -> Vec3 {
    let [a, b, c] = [0, 1, 2].map(|at| corners[at].position);
    (b - a).cross(c - a).normalized().unwrap_or(Vec3::new(0.0, 0.0, 1.0))
}

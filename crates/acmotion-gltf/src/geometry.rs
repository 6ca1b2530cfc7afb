//! The triangles of meshes, rooms and terrain, for everything that draws them: glTF files and the lab's page.

use std::collections::{BTreeMap, HashMap};

use acmotion::dat::{
    Assets, CellStruct, DataId, GfxObj, LandBlock, Polygon, Region, SurfaceFill, Terrain, Vertex,
};
use acmotion::scene::is_cut_from_south_west;
use acmotion::types::{CELL_LENGTH, Vec3};
use thiserror::Error;

/// The maximum number of indices of a mesh or a room.
pub const MAX_INDICES: usize = 1 << 20;
/// The number of cells along a side of a landblock.
const SIDE: usize = 8;

/// The error for a mesh or a room with more triangles than [`MAX_INDICES`] allow.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("the mesh has too many faces: its triangles have more than {MAX_INDICES} corners")]
pub struct TooManyFaces;

/// Vertices with their normals and texture coordinates, and the triangles of each surface.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Triangles {
    /// The positions of the vertices, in the axes of the mesh or room.
    pub positions: Vec<Vec3>,
    /// The normals of the vertices, of length 1.
    pub normals: Vec<Vec3>,
    /// The texture coordinates of the vertices; 0 where a polygon has none.
    pub texture_coordinates: Vec<[f32; 2]>,
    /// The indices of the triangles, by the index of their surface.
    pub indices: BTreeMap<i16, Vec<u32>>,
}

impl Triangles {
    /// Triangulates the polygons of a mesh that are drawn, or those that collide if none are drawn.
    ///
    /// # Errors
    /// If there are too many.
    pub fn of_mesh(mesh: &GfxObj) -> Result<Self, TooManyFaces> {
        match mesh.drawing.as_ref().or(mesh.physics.as_ref()) {
            Some(faces) => Self::new(&mesh.vertices, faces.polygons.iter().map(|(_, face)| face)),
            None => Ok(Self::default()),
        }
    }

    /// Triangulates the polygons of a room without those of its portals.
    ///
    /// # Errors
    /// If there are too many.
    pub fn of_room(room: &CellStruct) -> Result<Self, TooManyFaces> {
        let is_portal = |key: u32| room.portals.iter().any(|portal| u32::from(*portal) == key);
        let faces = room.polygons.iter().filter(|(key, _)| !is_portal(*key)).map(|(_, face)| face);
        Self::new(&room.vertices, faces)
    }

    fn new<'a>(vertices: &[Vertex], faces: impl Iterator<Item = &'a Polygon>) -> Result<Self, TooManyFaces> {
        let by_id: HashMap<i16, &Vertex> =
            vertices.iter().map(|vertex| (vertex.id.cast_signed(), vertex)).collect();
        let mut triangles = Self::default();
        let mut corners = 0;
        for face in faces {
            corners += face.vertices.len();
            // Each corner makes at most three indices, on up to two sides.
            if corners > MAX_INDICES / 6 {
                return Err(TooManyFaces);
            }
            triangles.add(face, &by_id);
        }
        Ok(triangles)
    }

    fn add(&mut self, face: &Polygon, by_id: &HashMap<i16, &Vertex>) {
        let corners = |choices: &[u8]| -> Vec<Corner<'_>> {
            let corner = |(index, id): (usize, &i16)| {
                let vertex = *by_id.get(id)?;
                let choice = choices.get(index).and_then(|choice| vertex.uvs.get(usize::from(*choice)));
                Some(Corner { vertex, texture: choice.copied().unwrap_or_default() })
            };
            face.vertices.iter().enumerate().filter_map(corner).collect()
        };
        self.add_fan(face.positive_surface, &corners(&face.positive_uvs), 1.0);
        if matches!(face.sides, 1 | 2) {
            let (back, choices) = if face.sides == 2 {
                (face.negative_surface, &face.negative_uvs)
            } else {
                (face.positive_surface, &face.positive_uvs)
            };
            let mut corners = corners(choices);
            corners.reverse();
            self.add_fan(back, &corners, -1.0);
        }
    }

    fn add_fan(&mut self, surface: i16, corners: &[Corner<'_>], side: f32) {
        if corners.len() < 3 {
            return;
        }
        let first = self.positions.len() as u32;
        let flat = flat_normal(&[0, 1, 2].map(|index| corners[index].vertex.position));
        for corner in corners {
            let own = corner.vertex.normal * side;
            let own = if own.length() > 0.5 { own.normalized() } else { None };
            self.positions.push(corner.vertex.position);
            self.normals.push(own.filter(|normal| normal.is_finite()).unwrap_or(flat));
            self.texture_coordinates
                .push(corner.texture.map(|value| if value.is_finite() { value } else { 0.0 }));
        }
        let indices = self.indices.entry(surface).or_default();
        (1..corners.len() as u32 - 1).for_each(|at| indices.extend([first, first + at, first + at + 1]));
    }
}

/// The colour of a surface that is textured or missing.
const UNKNOWN_COLOUR: u32 = 0xFFB8_B0A4;

/// Returns the colour of a surface (0x08…) as 0xAARRGGBB, opaque.
pub fn surface_colour(assets: &Assets, surface: DataId) -> u32 {
    match assets.surface(surface).map(|surface| surface.fill) {
        Ok(SurfaceFill::Colour(colour)) => colour | 0xFF00_0000,
        _ => UNKNOWN_COLOUR,
    }
}

/// A corner of a polygon, with its texture coordinates.
struct Corner<'a> {
    vertex: &'a Vertex,
    texture: [f32; 2],
}

/// Returns the normal of a triangle by its corners; up if it has none.
fn flat_normal([a, b, c]: &[Vec3; 3]) -> Vec3 {
    (*b - *a).cross(*c - *a).normalized().unwrap_or(Vec3::new(0.0, 0.0, 1.0))
}

/// A triangle of a landblock's terrain.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TerrainTriangle {
    /// The indices of its corners among the [`terrain_positions`].
    pub indices: [u32; 3],
    /// The terrain at its corners.
    pub terrain: [Terrain; 3],
}

impl TerrainTriangle {
    /// Returns `true` if there is water at all corners.
    pub fn is_water(&self) -> bool {
        self.terrain.iter().all(|terrain| terrain.is_water())
    }
}

/// Iterates over the vertices of a landblock's terrain, column by column.
pub fn terrain_vertices() -> impl Iterator<Item = (usize, usize)> {
    (0..=SIDE).flat_map(|x| (0..=SIDE).map(move |y| (x, y)))
}

/// Returns the positions of a landblock's [`terrain_vertices`], from its south-west corner, in metres.
pub fn terrain_positions(region: &Region, land: &LandBlock) -> Vec<Vec3> {
    terrain_vertices()
        .map(|(x, y)| {
            let height = region.height(land.height_at(x, y).unwrap_or_default());
            Vec3::new(CELL_LENGTH * x as f32, CELL_LENGTH * y as f32, height)
        })
        .collect()
}

/// Iterates over the triangles of a landblock's terrain. Its number decides along which diagonal each cell is cut
/// (`docs/dat.md` §6.4).
pub fn terrain_triangles(land: &LandBlock, block: u16) -> impl Iterator<Item = TerrainTriangle> {
    let [block_x, block_y] = block.to_be_bytes().map(u32::from);
    let cells = (0..SIDE).flat_map(|x| (0..SIDE).map(move |y| (x, y)));
    cells.flat_map(move |(x, y)| {
        let (sw, se, ne, nw) = ((x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1));
        let is_cut = is_cut_from_south_west(block_x * 8 + x as u32, block_y * 8 + y as u32);
        let halves = if is_cut { [[sw, se, ne], [sw, ne, nw]] } else { [[sw, se, nw], [ne, nw, se]] };
        halves.map(|half| TerrainTriangle {
            indices: half.map(|(x, y)| (x * (SIDE + 1) + y) as u32),
            terrain: half.map(|(x, y)| land.terrain_at(x, y).unwrap_or_default()),
        })
    })
}

/// Returns the normals of vertices by the triangles around them.
pub(crate) fn smooth_normals(positions: &[Vec3], triangles: &[u32]) -> Vec<Vec3> {
    let mut normals = vec![Vec3::ZERO; positions.len()];
    for triangle in triangles.chunks_exact(3) {
        let [a, b, c] = [0, 1, 2].map(|corner| positions[triangle[corner] as usize]);
        let normal = (b - a).cross(c - a);
        triangle.iter().for_each(|corner| normals[*corner as usize] += normal);
    }
    normals.iter().map(|normal| normal.normalized().unwrap_or(Vec3::new(0.0, 0.0, 1.0))).collect()
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
            Triangles::of_mesh(mesh).map(|triangles| triangles.indices.values().map(Vec::len).sum::<usize>())
        };
        let most = MAX_INDICES / 6 / corners;
        assert!(with_faces(&mut mesh, most).is_ok_and(|indices| indices <= MAX_INDICES));
        assert!(with_faces(&mut mesh, most + 1).is_err());
    }

    fn vertex(id: u16, position: [f32; 3], normal: Vec3) -> Vertex {
        Vertex { id, position: position.into(), normal, uvs: vec![[0.0, 1.0], [f32::from(id), f32::NAN]] }
    }

    #[test]
    fn both_sides_of_a_polygon_have_their_own_winding_normals_and_texture_coordinates() {
        let up = Vec3::new(0.0, 0.0, 2.0);
        // The last vertex has no usable normal, and one corner does not exist.
        let vertices = [
            vertex(7, [0.0, 0.0, 0.0], up),
            vertex(8, [1.0, 0.0, 0.0], up),
            vertex(9, [1.0, 1.0, 0.0], up),
            vertex(3, [0.0, 1.0, 0.0], Vec3::new(f32::NAN, 0.0, 0.0)),
        ];
        let face = Polygon {
            sides: 2,
            positive_surface: 4,
            negative_surface: 5,
            vertices: vec![7, 8, 100, 9, 3],
            positive_uvs: vec![1, 0, 0, 1, 9],
            negative_uvs: vec![0, 0, 0, 0, 0],
            ..Polygon::default()
        };
        let triangles = Triangles::new(&vertices, [&face].into_iter()).unwrap();
        assert_eq!(triangles.indices[&4], [0, 1, 2, 0, 2, 3]);
        assert_eq!(triangles.indices[&5], [4, 5, 6, 4, 6, 7]);
        assert_eq!(triangles.positions[4], vertices[3].position, "the back is wound the other way");
        assert!(triangles.normals[..4].iter().all(|normal| *normal == Vec3::new(0.0, 0.0, 1.0)));
        assert!(triangles.normals[4..].iter().all(|normal| *normal == Vec3::new(0.0, 0.0, -1.0)));
        let front = [[7.0, 0.0], [0.0, 1.0], [9.0, 0.0], [0.0, 0.0]];
        assert_eq!(triangles.texture_coordinates[..4], front, "what is missing or not finite is 0");
        assert_eq!(triangles.texture_coordinates[4..], [[0.0, 1.0]; 4]);
    }
}

//! Meshes, 0x01 (`docs/dat.md` §5).

use acmotion_types::Vec3;
use bitflags::bitflags;

use crate::cursor::{ByteWriter, Reader};
use crate::error::ParseError;
use crate::id::{DataId, ObjectKind};
use crate::objects::bsp::{BspKind, BspTree};
use crate::objects::{DatObject, KeyedList, decode_whole};

/// A mesh: the polygons that are drawn and those that collide.
#[derive(Clone, PartialEq, Debug, Default)]
#[doc(alias = "CGfxObj")]
pub struct GfxObj {
    /// The id.
    pub id: DataId,
    /// The flags; they indicate which optional fields are present.
    pub flags: GfxFlags,
    /// The surfaces of its polygons, 0x08.
    pub surfaces: Vec<DataId>,
    /// The vertex type, 1 in every known file.
    pub vertex_type: i32,
    /// The vertices.
    pub vertices: Vec<Vertex>,
    /// The polygons that collide; present if flagged.
    pub physics: Option<PolygonTree>,
    /// The centre used for depth sorting.
    pub sort_centre: Vec3,
    /// The polygons that are drawn; present if flagged.
    pub drawing: Option<PolygonTree>,
    /// The table of lower levels of detail, 0x11; present if flagged.
    pub degrade: Option<DataId>,
}

bitflags! {
    /// The flags of a mesh.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
    pub struct GfxFlags: u32 {
        /// Collision polygons and their tree follow.
        const PHYSICS = 1;
        /// Drawn polygons and their tree follow.
        const DRAWING = 2;
        /// A degrade table follows.
        const DEGRADE = 8;
        /// Unknown bits are kept.
        const _ = !0;
    }
}

/// Polygons and the BSP tree over them.
#[derive(Clone, PartialEq, Debug)]
pub struct PolygonTree {
    /// The polygons, by key.
    pub polygons: KeyedList<Polygon>,
    /// The BSP tree. It refers to the polygons by key.
    pub bsp: BspTree,
}

/// A vertex.
#[derive(Clone, PartialEq, Debug)]
pub struct Vertex {
    /// The id that polygons refer to. It need not be the vertex's index.
    pub id: u16,
    /// The position, in the mesh's own axes.
    pub position: Vec3,
    /// The normal.
    pub normal: Vec3,
    /// The texture coordinates. Polygons choose one of them by index.
    pub uvs: Vec<[f32; 2]>,
}

/// A flat polygon, to be drawn as a triangle fan.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Polygon {
    /// The stippling bits: 4 no texture coordinates in front, 8 none behind.
    pub stippling: u8,
    /// The visible sides: 0 the front, 1 both with the same surface, 2 both with their own.
    pub sides: i32,
    /// The surface of the front, an index into the surface list.
    pub positive_surface: i16,
    /// The surface of the back, an index into the surface list.
    pub negative_surface: i16,
    /// The vertex ids of the corners.
    pub vertices: Vec<i16>,
    /// For each corner, the index of its texture coordinates in front; empty if there are none.
    pub positive_uvs: Vec<u8>,
    /// For each corner, the index of its texture coordinates behind; empty if there are none.
    pub negative_uvs: Vec<u8>,
}

const NO_POSITIVE_UVS: u8 = 4;
const NO_NEGATIVE_UVS: u8 = 8;
const TWO_SURFACES: i32 = 2;
/// The minimum size of a polygon with its key, in bytes.
pub(super) const POLYGON_SIZE: usize = 12;
/// The minimum size of a vertex, in bytes.
const VERTEX_SIZE: usize = 28;

impl GfxObj {
    fn read(reader: &mut Reader<'_>) -> Result<Self, ParseError> {
        let id = reader.id("id")?;
        let flags = GfxFlags::from_bits_retain(reader.u32("flags")?);
        let count = reader.compressed_count("surface count", 4)?;
        let mut surfaces = Vec::with_capacity(count);
        for _ in 0..count {
            surfaces.push(reader.id("surface")?);
        }
        let vertex_type = reader.i32("vertex type")?;
        let vertices = read_vertices(reader)?;
        let mesh = |flag, kind| flags.contains(flag).then_some(kind);
        let physics = mesh(GfxFlags::PHYSICS, BspKind::Physics);
        let drawing = mesh(GfxFlags::DRAWING, BspKind::Drawing);
        let physics = physics.map(|kind| read_mesh(reader, kind)).transpose()?;
        let sort_centre = reader.vec3("sort centre")?;
        let drawing = drawing.map(|kind| read_mesh(reader, kind)).transpose()?;
        let degrade = flags.contains(GfxFlags::DEGRADE).then(|| reader.id("degrade table")).transpose()?;
        Ok(Self { id, flags, surfaces, vertex_type, vertices, physics, sort_centre, drawing, degrade })
    }
}

impl DatObject for GfxObj {
    const KIND: ObjectKind = ObjectKind::GfxObj;

    fn decode(bytes: &[u8]) -> Result<Self, ParseError> {
        decode_whole(bytes, Self::read)
    }

    fn encode_into(&self, out: &mut Vec<u8>) {
        out.id(self.id);
        out.u32(self.flags.bits());
        out.compressed_count(self.surfaces.len());
        self.surfaces.iter().for_each(|surface| out.id(*surface));
        out.i32(self.vertex_type);
        write_vertices(out, &self.vertices);
        if let Some(mesh) = &self.physics {
            write_mesh(out, mesh);
        }
        out.vec3(self.sort_centre);
        if let Some(mesh) = &self.drawing {
            write_mesh(out, mesh);
        }
        if let Some(degrade) = self.degrade {
            out.id(degrade);
        }
    }

    fn own_id(&self) -> Option<DataId> {
        Some(self.id)
    }
}

pub(super) fn read_vertices(reader: &mut Reader<'_>) -> Result<Vec<Vertex>, ParseError> {
    let count = reader.count("vertex count", VERTEX_SIZE)?;
    let mut vertices = Vec::with_capacity(count);
    for _ in 0..count {
        let id = reader.u16("vertex id")?;
        let offset = reader.offset();
        let uv_count = reader.u16("uv count")?;
        let position = reader.vec3("vertex position")?;
        let normal = reader.vec3_raw("vertex normal")?;
        let uv_count = reader.checked_count(offset, u64::from(uv_count), "uv count", 8)?;
        let mut uvs = Vec::with_capacity(uv_count);
        for _ in 0..uv_count {
            uvs.push([reader.f32_raw("u")?, reader.f32_raw("v")?]);
        }
        vertices.push(Vertex { id, position, normal, uvs });
    }
    Ok(vertices)
}

pub(super) fn write_vertices(out: &mut Vec<u8>, vertices: &[Vertex]) {
    out.count(vertices.len());
    for vertex in vertices {
        out.u16(vertex.id);
        out.u16(vertex.uvs.len() as u16);
        out.vec3(vertex.position);
        out.vec3(vertex.normal);
        vertex.uvs.iter().flatten().for_each(|value| out.f32(*value));
    }
}

fn read_mesh(reader: &mut Reader<'_>, kind: BspKind) -> Result<PolygonTree, ParseError> {
    let count = reader.compressed_count("polygon count", POLYGON_SIZE)?;
    Ok(PolygonTree { polygons: read_polygons(reader, count)?, bsp: BspTree::read(reader, kind)? })
}

/// Reads `count` polygons, each preceded by its key.
pub(super) fn read_polygons(reader: &mut Reader<'_>, count: usize) -> Result<KeyedList<Polygon>, ParseError> {
    let mut polygons = Vec::with_capacity(count);
    for _ in 0..count {
        polygons.push((u32::from(reader.u16("polygon key")?), read_polygon(reader)?));
    }
    Ok(polygons.into_iter().collect())
}

fn write_mesh(out: &mut Vec<u8>, mesh: &PolygonTree) {
    out.compressed_count(mesh.polygons.len());
    write_polygons(out, &mesh.polygons);
    mesh.bsp.write(out);
}

pub(super) fn write_polygons(out: &mut Vec<u8>, polygons: &KeyedList<Polygon>) {
    for (key, polygon) in polygons.iter() {
        out.u16(key as u16);
        write_polygon(out, polygon);
    }
}

fn read_polygon(reader: &mut Reader<'_>) -> Result<Polygon, ParseError> {
    let count = usize::from(reader.u8("corner count")?);
    let stippling = reader.u8("stippling")?;
    let sides = reader.i32("sides")?;
    let positive_surface = reader.i16("positive surface")?;
    let negative_surface = reader.i16("negative surface")?;
    let mut vertices = Vec::with_capacity(count);
    for _ in 0..count {
        vertices.push(reader.i16("corner")?);
    }
    let mut uvs = |present: bool, field| -> Result<Vec<u8>, ParseError> {
        if present { Ok(reader.take(count, field)?.to_vec()) } else { Ok(Vec::new()) }
    };
    let positive_uvs = uvs(stippling & NO_POSITIVE_UVS == 0, "positive uvs")?;
    let negative_uvs = uvs(sides == TWO_SURFACES && stippling & NO_NEGATIVE_UVS == 0, "negative uvs")?;
    Ok(Polygon { stippling, sides, positive_surface, negative_surface, vertices, positive_uvs, negative_uvs })
}

fn write_polygon(out: &mut Vec<u8>, polygon: &Polygon) {
    out.u8(polygon.vertices.len() as u8);
    out.u8(polygon.stippling);
    out.i32(polygon.sides);
    out.i16(polygon.positive_surface);
    out.i16(polygon.negative_surface);
    polygon.vertices.iter().for_each(|vertex| out.i16(*vertex));
    out.bytes(&polygon.positive_uvs);
    out.bytes(&polygon.negative_uvs);
}

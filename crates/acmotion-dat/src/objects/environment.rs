//! Environments, 0x0D: the shapes of rooms (`docs/dat.md` §7.1).

use crate::cursor::{ByteWriter, Reader};
use crate::error::ParseError;
use crate::id::{DataId, ObjectKind};
use crate::objects::bsp::{BspKind, BspTree};
use crate::objects::gfx_obj::{
    POLYGON_SIZE, Polygon, Vertex, read_polygons, read_vertices, write_polygons, write_vertices,
};
use crate::objects::hook::Bool32;
use crate::objects::{DatObject, KeyedList, decode_whole};

/// A set of room shapes.
#[derive(Clone, PartialEq, Debug, Default)]
#[doc(alias = "CEnvironment")]
pub struct Environment {
    /// The id.
    pub id: DataId,
    /// The shapes, by key.
    pub structures: KeyedList<CellStruct>,
}

/// The shape of a room: the polygons that are drawn, those that collide, and the extent of the interior.
#[derive(Clone, PartialEq, Debug)]
#[doc(alias = "CCellStruct")]
pub struct CellStruct {
    /// The vertex type, 1 in every known file.
    pub vertex_type: i32,
    /// The vertices.
    pub vertices: Vec<Vertex>,
    /// The polygons that are drawn, and the portal polygons.
    pub polygons: KeyedList<Polygon>,
    /// The keys of the portal polygons, in the order of a room's portals.
    pub portals: Vec<u16>,
    /// The padding before the first tree, up to a multiple of four bytes; unused bytes are ignored.
    pub padding: [u8; 3],
    /// The interior of the room: a chain of planes, each the front child of the previous one.
    pub cell_bsp: BspTree,
    /// The polygons that collide.
    pub physics_polygons: KeyedList<Polygon>,
    /// The BSP tree over the polygons that collide.
    pub physics_bsp: BspTree,
    /// Whether a drawing tree follows.
    pub has_drawing: Bool32,
    /// The BSP tree over the drawn polygons, if present.
    pub drawing_bsp: Option<BspTree>,
    /// The padding after the last tree, up to a multiple of four bytes; unused bytes are ignored.
    pub end_padding: [u8; 3],
}

/// The minimum size of a shape, in bytes: key, three counts, no vertices, the smallest trees.
const STRUCT_SIZE: usize = 4 + 12 + 8 + 8 + 32 + 4;

impl Environment {
    fn read(reader: &mut Reader<'_>) -> Result<Self, ParseError> {
        let id = reader.id("id")?;
        let count = reader.count("cell structure count", STRUCT_SIZE)?;
        let mut structures = Vec::with_capacity(count);
        for _ in 0..count {
            structures.push((reader.u32("cell structure key")?, CellStruct::read(reader)?));
        }
        Ok(Self { id, structures: structures.into_iter().collect() })
    }
}

impl CellStruct {
    fn read(reader: &mut Reader<'_>) -> Result<Self, ParseError> {
        let polygon_count = reader.count("polygon count", POLYGON_SIZE)?;
        let physics_count = reader.count("physics polygon count", POLYGON_SIZE)?;
        let portal_count = reader.count("portal count", 2)?;
        let vertex_type = reader.i32("vertex type")?;
        let vertices = read_vertices(reader)?;
        let polygons = read_polygons(reader, polygon_count)?;
        let portals = (0..portal_count).map(|_| reader.u16("portal polygon")).collect::<Result<_, _>>()?;
        let padding = reader.align4("padding before the trees")?;
        let cell_bsp = BspTree::read(reader, BspKind::Cell)?;
        let physics_polygons = read_polygons(reader, physics_count)?;
        let physics_bsp = BspTree::read(reader, BspKind::Physics)?;
        let has_drawing = Bool32(reader.u32("has drawing BSP")?);
        let drawing = has_drawing.get().then(|| BspTree::read(reader, BspKind::Drawing));
        Ok(Self {
            vertex_type,
            vertices,
            polygons,
            portals,
            padding,
            cell_bsp,
            physics_polygons,
            physics_bsp,
            has_drawing,
            drawing_bsp: drawing.transpose()?,
            end_padding: reader.align4("padding after the trees")?,
        })
    }

    /// Appends the shape to an object that begins at `start` in `out`.
    fn write(&self, out: &mut Vec<u8>, start: usize) {
        out.count(self.polygons.len());
        out.count(self.physics_polygons.len());
        out.count(self.portals.len());
        out.i32(self.vertex_type);
        write_vertices(out, &self.vertices);
        write_polygons(out, &self.polygons);
        self.portals.iter().for_each(|portal| out.u16(*portal));
        out.align4(start, self.padding);
        self.cell_bsp.write(out);
        write_polygons(out, &self.physics_polygons);
        self.physics_bsp.write(out);
        out.u32(self.has_drawing.0);
        if let Some(drawing) = &self.drawing_bsp {
            drawing.write(out);
        }
        out.align4(start, self.end_padding);
    }
}

impl DatObject for Environment {
    const KIND: ObjectKind = ObjectKind::Environment;

    fn decode(bytes: &[u8]) -> Result<Self, ParseError> {
        decode_whole(bytes, Self::read)
    }

    fn encode_into(&self, out: &mut Vec<u8>) {
        let start = out.len();
        out.id(self.id);
        out.count(self.structures.len());
        for (key, structure) in self.structures.iter() {
            out.u32(key);
            structure.write(out, start);
        }
    }

    fn own_id(&self) -> Option<DataId> {
        Some(self.id)
    }
}

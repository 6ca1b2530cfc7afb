//! Environments, 0x0D: the shapes of rooms (`docs/dat.md` §7.1).

use crate::cursor::{Put, Reader};
use crate::error::ParseError;
use crate::id::{DataId, ObjectKind};
use crate::objects::bsp::{BspKind, BspTree};
use crate::objects::gfx_obj::{
    POLYGON_SIZE, Polygon, Vertex, read_polygons, read_vertices, write_polygons, write_vertices,
};
use crate::objects::hook::Bool32;
use crate::objects::{DatObject, KeyedList, decode_whole};

/// Shapes of rooms, by key.
#[derive(Clone, PartialEq, Debug, Default)]
#[doc(alias = "CEnvironment")]
pub struct Environment {
    /// Its id.
    pub id: DataId,
    /// The shapes.
    pub structures: KeyedList<CellStruct>,
}

/// The shape of a room: what is seen, what collides, and what is inside.
#[derive(Clone, PartialEq, Debug)]
#[doc(alias = "CCellStruct")]
pub struct CellStruct {
    /// The type of the vertices, 1 in every known file.
    pub vertex_type: i32,
    /// Its corners.
    pub vertices: Vec<Vertex>,
    /// The polygons that are drawn, and those that fill the openings.
    pub polygons: KeyedList<Polygon>,
    /// Keys of the polygons that fill the openings, in the order of a cell's portals.
    pub portals: Vec<u16>,
    /// What fills up to a multiple of four bytes before the first tree; as many count as are needed.
    pub padding: [u8; 3],
    /// What is inside: a chain of planes, each behind the front of the one before.
    pub cell_bsp: BspTree,
    /// The polygons that collide.
    pub physics_polygons: KeyedList<Polygon>,
    /// The tree that sorts them.
    pub physics_bsp: BspTree,
    /// Does a drawing tree follow?
    pub has_drawing: Bool32,
    /// The tree that sorts what is drawn, if it follows.
    pub drawing_bsp: Option<BspTree>,
    /// What fills up to a multiple of four bytes behind the last tree; as many count as are needed.
    pub end_padding: [u8; 3],
}

/// Key, three counts, an empty list of vertices and the smallest trees of a shape.
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
            end_padding: reader.align4("padding behind the trees")?,
        })
    }

    /// Appends its bytes to those of an object that starts at `start`.
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

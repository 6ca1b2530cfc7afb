//! Landblocks, ids `XXYYFFFF` of a cell file: the terrain of 192 by 192 metres (`docs/dat.md` §6.2).

use std::fmt;

use crate::cursor::{ByteWriter, Reader};
use crate::error::ParseError;
use crate::id::{DataId, ObjectKind};
use crate::objects::hook::Bool32;
use crate::objects::{DatObject, decode_whole};

/// The terrain of a landblock: 9 by 9 vertices, 24 m apart.
#[derive(Clone, PartialEq, Debug)]
#[doc(alias = "CLandBlockStruct")]
pub struct LandBlock {
    /// The id.
    pub id: DataId,
    /// Whether the landblock has a [`LandBlockInfo`](crate::LandBlockInfo).
    pub has_objects: Bool32,
    /// The terrain at each vertex, indexed by [`LandBlock::vertex_index`].
    pub terrain: [Terrain; 81],
    /// The height byte of each vertex, an index into [`Region::heights`](crate::Region::heights).
    pub heights: [u8; 81],
    /// The byte that pads the object to a multiple of four bytes.
    pub padding: u8,
}

/// The terrain at a vertex: road, type and scenery.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct Terrain(pub u16);

impl Terrain {
    /// Creates terrain of a type, without road and scenery.
    pub const fn from_kind(kind: u8) -> Self {
        Self((kind as u16 & 0x1F) << 2)
    }

    /// Returns the road, 0 for none.
    pub const fn road(self) -> u8 {
        (self.0 & 3) as u8
    }

    /// Returns the terrain type, 0 to 31.
    pub const fn kind(self) -> u8 {
        (self.0 >> 2 & 0x1F) as u8
    }

    /// Returns the scenery that may be generated at the vertex.
    pub const fn scenery(self) -> u8 {
        (self.0 >> 11) as u8
    }

    /// Returns `true` if the terrain is water (`docs/collision.md` 6.4).
    pub const fn is_water(self) -> bool {
        matches!(self.kind(), 16..=20)
    }
}

impl fmt::Debug for Terrain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Terrain(0x{:04X})", self.0)
    }
}

/// The number of vertices along a side.
const SIDE: usize = 9;

impl LandBlock {
    /// Returns the index of a vertex in [`LandBlock::terrain`] and [`LandBlock::heights`]. `x` counts from the west
    /// and `y` from the south, 0 to 8; beyond that, the result is `None`.
    pub const fn vertex_index(x: usize, y: usize) -> Option<usize> {
        if x < SIDE && y < SIDE { Some(x * SIDE + y) } else { None }
    }

    /// Returns the height byte of a vertex, or `None` outside the block.
    pub fn height_at(&self, x: usize, y: usize) -> Option<u8> {
        Self::vertex_index(x, y).map(|index| self.heights[index])
    }

    /// Returns the terrain at a vertex, or `None` outside the block.
    pub fn terrain_at(&self, x: usize, y: usize) -> Option<Terrain> {
        Self::vertex_index(x, y).map(|index| self.terrain[index])
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, ParseError> {
        let id = reader.id("id")?;
        let has_objects = Bool32(reader.u32("has objects")?);
        let mut terrain = [Terrain::default(); 81];
        for word in &mut terrain {
            *word = Terrain(reader.u16("terrain")?);
        }
        let mut heights = [0; 81];
        heights.copy_from_slice(reader.take(81, "heights")?);
        Ok(Self { id, has_objects, terrain, heights, padding: reader.u8("padding")? })
    }
}

impl DatObject for LandBlock {
    const KIND: ObjectKind = ObjectKind::LandBlock;

    fn decode(bytes: &[u8]) -> Result<Self, ParseError> {
        decode_whole(bytes, Self::read)
    }

    fn encode_into(&self, out: &mut Vec<u8>) {
        out.id(self.id);
        out.u32(self.has_objects.0);
        self.terrain.iter().for_each(|word| out.u16(word.0));
        out.bytes(&self.heights);
        out.u8(self.padding);
    }

    fn own_id(&self) -> Option<DataId> {
        Some(self.id)
    }
}

//! Regions, 0x13: the height table and the dimensions of the land (`docs/dat.md` §6.1).

use crate::cursor::{ByteWriter, Reader};
use crate::error::{ParseError, Problem};
use crate::id::{DataId, ObjectKind};
use crate::objects::{DatObject, decode_whole};

/// The land of a region. The data after the height table (sky, sounds, scenery, textures) is kept as bytes.
#[derive(Clone, PartialEq, Debug)]
#[doc(alias = "CRegionDesc")]
pub struct Region {
    /// The id.
    pub id: DataId,
    /// The number of the region.
    pub number: u32,
    /// The version of the data.
    pub version: u32,
    /// The name, encoded in code page 1252.
    pub name: Vec<u8>,
    /// The padding after the name, up to a multiple of four bytes; unused bytes are ignored.
    pub padding: [u8; 3],
    /// The number of landblocks from west to east, 255.
    pub blocks_long: i32,
    /// The number of landblocks from south to north, 255.
    pub blocks_wide: i32,
    /// The side length of a land cell, 24 m.
    pub square_length: f32,
    /// The number of land cells along a side of a landblock, 8.
    pub squares_per_side: i32,
    /// The number of vertices per land cell, 1.
    pub vertices_per_cell: i32,
    /// The maximum height of an object, in metres.
    pub max_object_height: f32,
    /// The height of the sky, in metres.
    pub sky_height: f32,
    /// The width of a road, in metres.
    pub road_width: f32,
    /// The height table: the height in metres for each of the 256 height bytes of a landblock.
    #[doc(alias = "Land_Height_Table")]
    pub heights: Box<[f32; 256]>,
    /// The bytes after the height table.
    pub rest: Vec<u8>,
}

/// The 16-bit length that announces a 32-bit length.
const LONG_LENGTH: u16 = 0xFFFF;

impl Region {
    /// Returns the height in metres for a height byte of a landblock.
    pub fn height(&self, index: u8) -> f32 {
        self.heights[usize::from(index)]
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, ParseError> {
        Ok(Self {
            id: reader.id("id")?,
            number: reader.u32("region number")?,
            version: reader.u32("version")?,
            name: read_string(reader)?,
            padding: reader.align4("padding of the name")?,
            blocks_long: reader.i32("blocks long")?,
            blocks_wide: reader.i32("blocks wide")?,
            square_length: reader.f32("square length")?,
            squares_per_side: reader.i32("squares per block side")?,
            vertices_per_cell: reader.i32("vertices per cell")?,
            max_object_height: reader.f32("max object height")?,
            sky_height: reader.f32("sky height")?,
            road_width: reader.f32("road width")?,
            heights: read_heights(reader)?,
            rest: reader.take(reader.remaining(), "rest")?.to_vec(),
        })
    }
}

impl DatObject for Region {
    const KIND: ObjectKind = ObjectKind::Region;

    fn decode(bytes: &[u8]) -> Result<Self, ParseError> {
        decode_whole(bytes, Self::read)
    }

    fn encode_into(&self, out: &mut Vec<u8>) {
        let start = out.len();
        out.id(self.id);
        out.u32(self.number);
        out.u32(self.version);
        match u16::try_from(self.name.len()) {
            Ok(length) if length != LONG_LENGTH => out.u16(length),
            _ => {
                out.u16(LONG_LENGTH);
                out.count(self.name.len());
            }
        }
        out.bytes(&self.name);
        out.align4(start, self.padding);
        out.i32(self.blocks_long);
        out.i32(self.blocks_wide);
        out.f32(self.square_length);
        out.i32(self.squares_per_side);
        out.i32(self.vertices_per_cell);
        for value in [self.max_object_height, self.sky_height, self.road_width] {
            out.f32(value);
        }
        self.heights.iter().for_each(|height| out.f32(*height));
        out.bytes(&self.rest);
    }

    fn own_id(&self) -> Option<DataId> {
        Some(self.id)
    }
}

/// Reads a string preceded by its length in 16 bits or, if that does not suffice, in a further 32 bits.
fn read_string(reader: &mut Reader<'_>) -> Result<Vec<u8>, ParseError> {
    let offset = reader.offset();
    let short = reader.u16("name length")?;
    let length = if short == LONG_LENGTH { reader.u32("name length")? } else { u32::from(short) };
    if short == LONG_LENGTH && length < u32::from(LONG_LENGTH) {
        return reader.error_at(offset, "name length", Problem::NotShortest { value: length });
    }
    let length = reader.checked_count(offset, u64::from(length), "name length", 1)?;
    Ok(reader.take(length, "name")?.to_vec())
}

fn read_heights(reader: &mut Reader<'_>) -> Result<Box<[f32; 256]>, ParseError> {
    let mut heights = Box::new([0.0; 256]);
    for height in heights.iter_mut() {
        *height = reader.f32("land height table")?;
    }
    Ok(heights)
}

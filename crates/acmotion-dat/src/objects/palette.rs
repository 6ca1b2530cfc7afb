//! Palettes, 0x04 (`docs/dat.md` §5).

use crate::cursor::{ByteWriter, Reader};
use crate::error::ParseError;
use crate::id::{DataId, ObjectKind};
use crate::objects::{DatObject, decode_whole};

/// A palette: the colours of images that hold indices.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Palette {
    /// The id.
    pub id: DataId,
    /// The colours, with alpha in the upper byte.
    pub colours: Vec<u32>,
}

impl Palette {
    fn read(reader: &mut Reader<'_>) -> Result<Self, ParseError> {
        let id = reader.id("id")?;
        let count = reader.count("colour count", 4)?;
        let mut colours = Vec::with_capacity(count);
        for _ in 0..count {
            colours.push(reader.u32("colour")?);
        }
        Ok(Self { id, colours })
    }
}

impl DatObject for Palette {
    const KIND: ObjectKind = ObjectKind::Palette;

    fn decode(bytes: &[u8]) -> Result<Self, ParseError> {
        decode_whole(bytes, Self::read)
    }

    fn encode_into(&self, out: &mut Vec<u8>) {
        out.id(self.id);
        out.count(self.colours.len());
        self.colours.iter().for_each(|colour| out.u32(*colour));
    }

    fn own_id(&self) -> Option<DataId> {
        Some(self.id)
    }
}

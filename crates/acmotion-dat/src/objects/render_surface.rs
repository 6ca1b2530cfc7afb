//! Images, 0x06 and 0x07 (`docs/dat.md` §5).

use crate::cursor::{ByteWriter, Reader};
use crate::error::ParseError;
use crate::id::{DataId, ObjectKind};
use crate::objects::{DatObject, decode_whole};

/// An image: its size, its format and its bytes.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[doc(alias = "Texture")]
pub struct RenderSurface {
    /// The id.
    pub id: DataId,
    /// A number whose meaning is not known; it is kept.
    pub category: u32,
    /// The width in pixels.
    pub width: u32,
    /// The height in pixels.
    pub height: u32,
    /// The format of the bytes.
    pub format: PixelFormat,
    /// The bytes, row by row from the top.
    pub data: Vec<u8>,
    /// The palette, 0x04; present if the format has one.
    pub palette: Option<DataId>,
}

/// The format of an image. Numbers that have no name here are kept.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct PixelFormat(pub u32);

impl PixelFormat {
    /// Three bytes a pixel: blue, green, red.
    pub const R8G8B8: Self = Self(20);
    /// Four bytes a pixel: blue, green, red, alpha.
    pub const A8R8G8B8: Self = Self(21);
    /// Two bytes a pixel: five bits of red, six of green, five of blue.
    pub const R5G6B5: Self = Self(23);
    /// Two bytes a pixel: four bits each of alpha, red, green and blue.
    pub const A4R4G4B4: Self = Self(26);
    /// One byte a pixel, the alpha; drawn as grey.
    pub const A8: Self = Self(28);
    /// One byte a pixel: an index into the palette.
    pub const P8: Self = Self(41);
    /// Two bytes a pixel: an index into the palette.
    pub const INDEX16: Self = Self(101);
    /// Terrain: three bytes a pixel: red, green, blue.
    pub const LANDSCAPE_R8G8B8: Self = Self(243);
    /// Terrain: one byte a pixel, the alpha.
    pub const LANDSCAPE_ALPHA: Self = Self(244);
    /// A JPEG file.
    pub const JPEG: Self = Self(500);
    /// Compressed in blocks of four by four pixels, with one bit of alpha.
    pub const DXT1: Self = Self(u32::from_le_bytes(*b"DXT1"));
    /// Compressed in blocks of four by four pixels, with four bits of alpha.
    pub const DXT3: Self = Self(u32::from_le_bytes(*b"DXT3"));
    /// Compressed in blocks of four by four pixels, with interpolated alpha.
    pub const DXT5: Self = Self(u32::from_le_bytes(*b"DXT5"));

    /// Returns `true` if the pixels are indices into a palette.
    pub const fn has_palette(self) -> bool {
        self.0 == Self::P8.0 || self.0 == Self::INDEX16.0
    }
}

impl RenderSurface {
    fn read(reader: &mut Reader<'_>) -> Result<Self, ParseError> {
        let id = reader.id("id")?;
        let category = reader.u32("category")?;
        let width = reader.u32("width")?;
        let height = reader.u32("height")?;
        let format = PixelFormat(reader.u32("format")?);
        let length = reader.count("length", 1)?;
        let data = reader.take(length, "data")?.to_vec();
        let palette = format.has_palette().then(|| reader.id("palette")).transpose()?;
        Ok(Self { id, category, width, height, format, data, palette })
    }
}

impl DatObject for RenderSurface {
    const KIND: ObjectKind = ObjectKind::RenderSurface;

    fn decode(bytes: &[u8]) -> Result<Self, ParseError> {
        decode_whole(bytes, Self::read)
    }

    fn encode_into(&self, out: &mut Vec<u8>) {
        out.id(self.id);
        out.u32(self.category);
        out.u32(self.width);
        out.u32(self.height);
        out.u32(self.format.0);
        out.count(self.data.len());
        out.bytes(&self.data);
        if let Some(palette) = self.palette {
            out.id(palette);
        }
    }

    fn own_id(&self) -> Option<DataId> {
        Some(self.id)
    }
}

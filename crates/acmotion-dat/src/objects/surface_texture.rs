//! Surface textures, 0x05: the images of a texture (`docs/dat.md` §5).

use crate::cursor::{ByteWriter, Reader};
use crate::error::ParseError;
use crate::id::{DataId, ObjectKind};
use crate::objects::{DatObject, decode_whole};

/// A texture: its images, the most detailed first.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[doc(alias = "ImgTex")]
pub struct SurfaceTexture {
    /// The id.
    pub id: DataId,
    /// A number whose meaning is not known; it is kept.
    pub category: u32,
    /// The kind of texture, 2 in the game's files.
    pub kind: u8,
    /// The images, 0x06.
    pub images: Vec<DataId>,
}

impl SurfaceTexture {
    fn read(reader: &mut Reader<'_>) -> Result<Self, ParseError> {
        let id = reader.id("id")?;
        let category = reader.u32("category")?;
        let kind = reader.u8("kind")?;
        let count = reader.count("image count", 4)?;
        let mut images = Vec::with_capacity(count);
        for _ in 0..count {
            images.push(reader.id("image")?);
        }
        Ok(Self { id, category, kind, images })
    }
}

impl DatObject for SurfaceTexture {
    const KIND: ObjectKind = ObjectKind::SurfaceTexture;

    fn decode(bytes: &[u8]) -> Result<Self, ParseError> {
        decode_whole(bytes, Self::read)
    }

    fn encode_into(&self, out: &mut Vec<u8>) {
        out.id(self.id);
        out.u32(self.category);
        out.u8(self.kind);
        out.count(self.images.len());
        self.images.iter().for_each(|image| out.id(*image));
    }

    fn own_id(&self) -> Option<DataId> {
        Some(self.id)
    }
}

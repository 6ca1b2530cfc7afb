//! The appearance of an object: palettes, textures and parts that differ from its setup.

use acmotion_types::Era;

use super::text::read_packed_id;
use crate::cursor::{ReadResult, Reader, Writer};
use crate::error::DecodeErrorKind;

/// The appearance of an object where it differs from its setup (`docs/wire.md` §2.6).
///
/// A view of validated bytes. Movement does not need their contents, so they are parsed on access.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[doc(alias = "ObjDesc")]
pub struct ModelData<'a> {
    bytes: &'a [u8],
}

/// A replaced range of the palette.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SubPalette {
    /// The palette the colours come from (0x04…).
    pub palette: u32,
    /// The start of the range, in the units of the wire.
    pub offset: u8,
    /// The length of the range, in the units of the wire.
    pub count: u8,
}

/// A replaced texture.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[doc(alias = "TextureMapChange")]
pub struct TextureChange {
    /// The index of the part.
    pub part: u8,
    /// The texture it replaces (0x05…).
    pub old: u32,
    /// The new texture (0x05…).
    pub new: u32,
}

/// A replaced part.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[doc(alias = "AnimPartChange")]
pub struct PartChange {
    /// The index of the part.
    pub part: u8,
    /// The new graphics object (0x01…).
    pub gfx_obj: u32,
}

const MODEL_MARKER: u8 = 0x11;
const PALETTE: u32 = 0x0400_0000;
const TEXTURE: u32 = 0x0500_0000;
const GFX_OBJ: u32 = 0x0100_0000;

impl ModelData<'static> {
    /// The appearance that does not differ from the setup.
    pub const PLAIN: Self = Self { bytes: &[MODEL_MARKER, 0, 0, 0] };
}

impl<'a> ModelData<'a> {
    /// Returns the palette in which ranges are replaced, or `None` if no range is.
    pub fn base_palette(&self) -> Option<u32> {
        self.lists().ok()?.base_palette
    }

    /// Iterates over the replaced ranges of the palette.
    pub fn sub_palettes(&self) -> impl Iterator<Item = SubPalette> + use<'a> {
        self.lists().ok().into_iter().flat_map(|lists| iterate(lists.sub_palettes, read_sub_palette))
    }

    /// Iterates over the replaced textures.
    pub fn texture_changes(&self) -> impl Iterator<Item = TextureChange> + use<'a> {
        self.lists().ok().into_iter().flat_map(|lists| iterate(lists.textures, read_texture))
    }

    /// Iterates over the replaced parts.
    pub fn part_changes(&self) -> impl Iterator<Item = PartChange> + use<'a> {
        self.lists().ok().into_iter().flat_map(|lists| iterate(lists.parts, read_part))
    }

    /// Returns all bytes on the wire, including the padding.
    pub fn as_bytes(&self) -> &'a [u8] {
        self.bytes
    }

    pub(crate) fn read(reader: &mut Reader<'a>) -> ReadResult<Self> {
        let bytes = reader.remaining();
        let start = reader.offset();
        read_lists(reader)?;
        Ok(Self { bytes: &bytes[..reader.offset() - start] })
    }

    pub(crate) fn write(&self, writer: &mut Writer<'_>) {
        writer.bytes(self.bytes);
    }

    fn lists(&self) -> ReadResult<ModelLists<'a>> {
        read_lists(&mut Reader::new(self.bytes, 0, Era::default()))
    }
}

/// A reader at the start of each list, and the number of items in it.
struct ModelLists<'a> {
    base_palette: Option<u32>,
    sub_palettes: (Reader<'a>, u8),
    textures: (Reader<'a>, u8),
    parts: (Reader<'a>, u8),
}

fn read_lists<'a>(reader: &mut Reader<'a>) -> ReadResult<ModelLists<'a>> {
    let [marker, sub_palettes, textures, parts] = *reader.chunk("model")?;
    if marker != MODEL_MARKER {
        return Err(reader.field_error("model", 4, 1, DecodeErrorKind::NotAllowed { value: marker.into() }));
    }
    let base_palette = match sub_palettes {
        0 => None,
        _ => Some(read_packed_id(reader, PALETTE, "model.base_palette")?),
    };
    let lists = ModelLists {
        base_palette,
        sub_palettes: skip_items(reader, sub_palettes, read_sub_palette)?,
        textures: skip_items(reader, textures, read_texture)?,
        parts: skip_items(reader, parts, read_part)?,
    };
    reader.align()?;
    Ok(lists)
}

type ReadItem<'a, T> = fn(&mut Reader<'a>) -> ReadResult<T>;

fn skip_items<'a, T>(
    reader: &mut Reader<'a>,
    count: u8,
    read: ReadItem<'a, T>,
) -> ReadResult<(Reader<'a>, u8)> {
    let start = reader.clone();
    (0..count).try_for_each(|_| read(reader).map(drop))?;
    Ok((start, count))
}

fn iterate<'a, T>((mut reader, count): (Reader<'a>, u8), read: ReadItem<'a, T>) -> impl Iterator<Item = T> {
    (0..count).map_while(move |_| read(&mut reader).ok())
}

fn read_sub_palette(reader: &mut Reader<'_>) -> ReadResult<SubPalette> {
    let field = "model.sub_palettes";
    let palette = read_packed_id(reader, PALETTE, field)?;
    Ok(SubPalette { palette, offset: reader.u8(field)?, count: reader.u8(field)? })
}

fn read_texture(reader: &mut Reader<'_>) -> ReadResult<TextureChange> {
    let field = "model.texture_changes";
    let part = reader.u8(field)?;
    let mut texture = || read_packed_id(reader, TEXTURE, field);
    Ok(TextureChange { part, old: texture()?, new: texture()? })
}

fn read_part(reader: &mut Reader<'_>) -> ReadResult<PartChange> {
    let field = "model.part_changes";
    Ok(PartChange { part: reader.u8(field)?, gfx_obj: read_packed_id(reader, GFX_OBJ, field)? })
}

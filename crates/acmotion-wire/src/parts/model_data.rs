//! How an object looks: palettes, textures and parts that differ from its setup.

use acmotion_types::Era;

use super::text::read_packed_id;
use crate::cursor::{Read, Reader, Writer};
use crate::error::Problem;

/// How an object looks where it differs from its setup (`docs/wire.md` §2.6).
///
/// A view of checked bytes: movement does not need what is in them, so they are read when asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[doc(alias = "ObjDesc")]
pub struct ModelData<'a> {
    bytes: &'a [u8],
}

/// A stretch of the palette that is replaced.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SubPalette {
    /// The palette to take from.
    pub palette: u32,
    /// Where it begins, as the wire counts.
    pub offset: u8,
    /// How long it is, as the wire counts.
    pub count: u8,
}

/// A texture that is replaced.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[doc(alias = "TextureMapChange")]
pub struct TextureChange {
    /// On which part.
    pub part: u8,
    /// Instead of which.
    pub old: u32,
    /// By which.
    pub new: u32,
}

/// A part that is replaced.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[doc(alias = "AnimPartChange")]
pub struct PartChange {
    /// Which part.
    pub part: u8,
    /// By which object.
    pub gfx_obj: u32,
}

const MARK: u8 = 0x11;
const PALETTE: u32 = 0x0400_0000;
const TEXTURE: u32 = 0x0500_0000;
const GFX_OBJ: u32 = 0x0100_0000;

impl ModelData<'static> {
    /// Nothing differs from the setup.
    pub const PLAIN: Self = Self { bytes: &[MARK, 0, 0, 0] };
}

impl<'a> ModelData<'a> {
    /// The palette that stretches are replaced in, if any are.
    pub fn base_palette(&self) -> Option<u32> {
        self.walk().ok()?.base_palette
    }

    /// The stretches of palette.
    pub fn sub_palettes(&self) -> impl Iterator<Item = SubPalette> + use<'a> {
        self.walk().ok().into_iter().flat_map(|walk| iterate(walk.sub_palettes, read_sub_palette))
    }

    /// The textures.
    pub fn texture_changes(&self) -> impl Iterator<Item = TextureChange> + use<'a> {
        self.walk().ok().into_iter().flat_map(|walk| iterate(walk.textures, read_texture))
    }

    /// The parts.
    pub fn part_changes(&self) -> impl Iterator<Item = PartChange> + use<'a> {
        self.walk().ok().into_iter().flat_map(|walk| iterate(walk.parts, read_part))
    }

    /// Everything on the wire, padding and all.
    pub fn as_bytes(&self) -> &'a [u8] {
        self.bytes
    }

    pub(crate) fn read(reader: &mut Reader<'a>) -> Read<Self> {
        let bytes = reader.remaining();
        let start = reader.offset();
        walk(reader)?;
        Ok(Self { bytes: &bytes[..reader.offset() - start] })
    }

    pub(crate) fn write(&self, writer: &mut Writer<'_>) {
        writer.bytes(self.bytes);
    }

    fn walk(&self) -> Read<Walk<'a>> {
        walk(&mut Reader::new(self.bytes, 0, Era::default()))
    }
}

/// Where each list begins, and how long it is.
struct Walk<'a> {
    base_palette: Option<u32>,
    sub_palettes: (Reader<'a>, u8),
    textures: (Reader<'a>, u8),
    parts: (Reader<'a>, u8),
}

fn walk<'a>(reader: &mut Reader<'a>) -> Read<Walk<'a>> {
    let [mark, sub_palettes, textures, parts] = *reader.chunk("model")?;
    if mark != MARK {
        return Err(reader.refuse("model", 4, 1, Problem::NotAllowed { value: mark.into() }));
    }
    let base_palette = match sub_palettes {
        0 => None,
        _ => Some(read_packed_id(reader, PALETTE, "model.base_palette")?),
    };
    let walk = Walk {
        base_palette,
        sub_palettes: pass(reader, sub_palettes, read_sub_palette)?,
        textures: pass(reader, textures, read_texture)?,
        parts: pass(reader, parts, read_part)?,
    };
    reader.align()?;
    Ok(walk)
}

type ReadItem<'a, T> = fn(&mut Reader<'a>) -> Read<T>;

fn pass<'a, T>(reader: &mut Reader<'a>, count: u8, read: ReadItem<'a, T>) -> Read<(Reader<'a>, u8)> {
    let start = reader.clone();
    (0..count).try_for_each(|_| read(reader).map(drop))?;
    Ok((start, count))
}

fn iterate<'a, T>((mut reader, count): (Reader<'a>, u8), read: ReadItem<'a, T>) -> impl Iterator<Item = T> {
    (0..count).map_while(move |_| read(&mut reader).ok())
}

fn read_sub_palette(reader: &mut Reader<'_>) -> Read<SubPalette> {
    let field = "model.sub_palettes";
    let palette = read_packed_id(reader, PALETTE, field)?;
    Ok(SubPalette { palette, offset: reader.u8(field)?, count: reader.u8(field)? })
}

fn read_texture(reader: &mut Reader<'_>) -> Read<TextureChange> {
    let field = "model.texture_changes";
    let part = reader.u8(field)?;
    let mut texture = || read_packed_id(reader, TEXTURE, field);
    Ok(TextureChange { part, old: texture()?, new: texture()? })
}

fn read_part(reader: &mut Reader<'_>) -> Read<PartChange> {
    let field = "model.part_changes";
    Ok(PartChange { part: reader.u8(field)?, gfx_obj: read_packed_id(reader, GFX_OBJ, field)? })
}

//! Surfaces, 0x08 (`docs/dat.md` §5).

use bitflags::bitflags;

use crate::cursor::{ByteWriter, Reader};
use crate::error::ParseError;
use crate::id::{DataId, ObjectKind};
use crate::objects::{DatObject, decode_whole};

/// A surface: the colour or the texture of polygons. It does not store its own id.
#[derive(Clone, PartialEq, Debug)]
#[doc(alias = "CSurface")]
pub struct Surface {
    /// The flags; they indicate whether a texture or a colour follows.
    pub flags: SurfaceFlags,
    /// The colour or texture.
    pub fill: SurfaceFill,
    /// How far light shines through: 0 opaque, 1 invisible.
    pub translucency: f32,
    /// How much it shines by itself, 0 to 1.
    pub luminosity: f32,
    /// How much of the light it scatters, 0 to 1.
    pub diffuse: f32,
}

/// What a surface is drawn with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SurfaceFill {
    /// A single colour, with alpha in the upper byte.
    Colour(u32),
    /// A texture.
    Texture {
        /// The [`SurfaceTexture`](crate::SurfaceTexture), 0x05.
        texture: DataId,
        /// The palette, 0x04, in place of the texture's own; 0 for none.
        palette: DataId,
    },
}

bitflags! {
    /// The flags of a surface.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
    pub struct SurfaceFlags: u32 {
        /// It has a single colour.
        const SOLID = 1;
        /// It has a texture.
        const IMAGE = 2;
        /// It has a texture with holes: the first eight colours of its palette are not drawn.
        const CLIP_MAP = 4;
        /// Unknown bits are kept.
        const _ = !0;
    }
}

impl SurfaceFlags {
    /// Returns `true` if a texture follows, `false` if a colour does.
    pub const fn has_texture(self) -> bool {
        self.intersects(Self::IMAGE.union(Self::CLIP_MAP))
    }
}

impl Surface {
    fn read(reader: &mut Reader<'_>) -> Result<Self, ParseError> {
        let flags = SurfaceFlags::from_bits_retain(reader.u32("type")?);
        let fill = if flags.has_texture() {
            SurfaceFill::Texture { texture: reader.id("texture")?, palette: reader.id("palette")? }
        } else {
            SurfaceFill::Colour(reader.u32("colour")?)
        };
        let translucency = reader.f32("translucency")?;
        let luminosity = reader.f32("luminosity")?;
        let diffuse = reader.f32("diffuse")?;
        Ok(Self { flags, fill, translucency, luminosity, diffuse })
    }
}

impl DatObject for Surface {
    const KIND: ObjectKind = ObjectKind::Surface;

    fn decode(bytes: &[u8]) -> Result<Self, ParseError> {
        decode_whole(bytes, Self::read)
    }

    fn encode_into(&self, out: &mut Vec<u8>) {
        out.u32(self.flags.bits());
        match self.fill {
            SurfaceFill::Colour(colour) => out.u32(colour),
            SurfaceFill::Texture { texture, palette } => {
                out.id(texture);
                out.id(palette);
            }
        }
        out.f32(self.translucency);
        out.f32(self.luminosity);
        out.f32(self.diffuse);
    }

    fn own_id(&self) -> Option<DataId> {
        None
    }
}

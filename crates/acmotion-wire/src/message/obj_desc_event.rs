//! 0xF625: an object changes its appearance.

use acmotion_types::{Guid, Stamp};

use super::Message;
use crate::cursor::{ReadResult, Reader, Writer};
use crate::parts::ModelData;

/// An object changes its appearance (rule D4).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[doc(alias = "F625")]
pub struct ObjDescEvent<'a> {
    /// The object.
    pub guid: Guid,
    /// Its new appearance.
    pub model: ModelData<'a>,
    /// The instance stamp of the object.
    pub instance: Stamp,
    /// The appearance stamp of the object.
    pub visual_desc: Stamp,
}

impl<'a> Message<'a> for ObjDescEvent<'a> {
    const OPCODE: u32 = 0xF625;
    const NAME: &'static str = "ObjDescEvent";

    fn read(reader: &mut Reader<'a>) -> ReadResult<Self> {
        Ok(Self {
            guid: reader.guid("guid")?,
            model: ModelData::read(reader)?,
            instance: reader.stamp("instance_seq")?,
            visual_desc: reader.stamp("visual_desc_seq")?,
        })
    }

    fn write(&self, writer: &mut Writer<'_>) {
        writer.guid(self.guid);
        self.model.write(writer);
        writer.stamp(self.instance);
        writer.stamp(self.visual_desc);
    }

    fn guid(&self) -> Option<Guid> {
        Some(self.guid)
    }
}

#[cfg(test)]
mod tests {
    use acmotion_types::{Era, Guid, Stamp};

    use super::ObjDescEvent;
    use crate::testing::{assert_s2c, hex};
    use crate::{DecodeErrorKind, ModelData, PartChange, S2C, SubPalette, TextureChange, decode_s2c};

    #[test]
    fn an_appearance_without_changes_round_trips() {
        let message = ObjDescEvent {
            guid: Guid(0x8000_1234),
            model: ModelData::PLAIN,
            instance: Stamp(5),
            visual_desc: Stamp(6),
        };
        assert_s2c(&hex("25f60000 34120080 11000000 0500 0600"), message);
    }

    #[test]
    fn palettes_textures_and_parts_round_trip() {
        // The id of the second texture needs four bytes. One byte of padding follows the parts.
        let bytes = hex("25f60000 34120080 11 01 01 02  7e00  da1f 18 08
             10 9800 0180 2301  00 4800  10 7704  00  0500 0600");
        let Ok(S2C::ObjDescEvent(message)) = decode_s2c(&bytes, Era::default()) else { panic!() };
        let model = message.model;
        assert_eq!(model.base_palette(), Some(0x0400_007E));
        let palette = SubPalette { palette: 0x0400_1FDA, offset: 0x18, count: 8 };
        assert!(model.sub_palettes().eq([palette]));
        let texture = TextureChange { part: 0x10, old: 0x0500_0098, new: 0x0501_0123 };
        assert!(model.texture_changes().eq([texture]));
        let parts =
            [PartChange { part: 0, gfx_obj: 0x0100_0048 }, PartChange { part: 0x10, gfx_obj: 0x0100_0477 }];
        assert!(model.part_changes().eq(parts));
        assert_s2c(&bytes, message);
    }

    #[test]
    fn a_wrong_marker_is_an_error() {
        let error = decode_s2c(&hex("25f60000 34120080 12000000 0500 0600"), Era::default()).unwrap_err();
        assert_eq!(error.kind, DecodeErrorKind::NotAllowed { value: 0x12 });
        assert_eq!((error.offset, error.had), (8, 8));
    }
}

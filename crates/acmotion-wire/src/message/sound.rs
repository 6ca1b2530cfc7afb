//! 0xF750: an object makes a sound.

use acmotion_types::Guid;

use super::Message;
use crate::cursor::{ReadResult, Reader, Writer};

/// An object makes a sound.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[doc(alias = "F750")]
pub struct Sound {
    /// The object.
    pub guid: Guid,
    /// The sound: the key in the object's sound table.
    pub sound: u32,
    /// The volume.
    pub volume: f32,
}

impl<'a> Message<'a> for Sound {
    const OPCODE: u32 = 0xF750;
    const NAME: &'static str = "Sound";

    fn read(reader: &mut Reader<'a>) -> ReadResult<Self> {
        Ok(Self { guid: reader.guid("guid")?, sound: reader.u32("sound")?, volume: reader.f32("volume")? })
    }

    fn write(&self, writer: &mut Writer<'_>) {
        writer.guid(self.guid);
        writer.u32(self.sound);
        writer.f32(self.volume);
    }

    fn guid(&self) -> Option<Guid> {
        Some(self.guid)
    }
}

#[cfg(test)]
mod tests {
    use acmotion_types::Guid;

    use super::Sound;
    use crate::testing::{assert_s2c, hex};

    #[test]
    fn a_sound_round_trips() {
        let message = Sound { guid: Guid(0x8000_1234), sound: 0x76, volume: 0.5 };
        assert_s2c(&hex("50f70000 34120080 76000000 0000003f"), message);
    }
}

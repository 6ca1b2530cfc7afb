//! 0xF755: an object plays a script of its table.

use acmotion_types::Guid;

use super::Message;
use crate::cursor::{Read, Reader, Writer};

/// An object plays a script of its physics script table.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[doc(alias = "F755")]
pub struct PlayScriptType {
    /// Which object.
    pub guid: Guid,
    /// Which kind of script.
    pub script_type: u32,
    /// How fast, or how intensely.
    pub speed: f32,
}

impl<'a> Message<'a> for PlayScriptType {
    const OPCODE: u32 = 0xF755;
    const NAME: &'static str = "PlayScriptType";

    fn read(reader: &mut Reader<'a>) -> Read<Self> {
        Ok(Self {
            guid: reader.guid("guid")?,
            script_type: reader.u32("script_type")?,
            speed: reader.f32("speed")?,
        })
    }

    fn write(&self, writer: &mut Writer<'_>) {
        writer.guid(self.guid);
        writer.u32(self.script_type);
        writer.f32(self.speed);
    }

    fn guid(&self) -> Option<Guid> {
        Some(self.guid)
    }
}

#[cfg(test)]
mod tests {
    use acmotion_types::Guid;

    use super::PlayScriptType;
    use crate::testing::{assert_s2c, hex};

    #[test]
    fn golden() {
        let message = PlayScriptType { guid: Guid(0x8000_1234), script_type: 0x1D, speed: 0.75 };
        assert_s2c(&hex("55f70000 34120080 1d000000 0000403f"), message);
    }
}

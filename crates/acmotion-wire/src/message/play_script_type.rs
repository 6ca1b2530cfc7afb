//! 0xF755: an object plays a script from its table, by script type.

use acmotion_types::Guid;

use super::Message;
use crate::cursor::{ReadResult, Reader, Writer};

/// An object plays a script from its physics script table, by script type.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[doc(alias = "F755")]
pub struct PlayScriptType {
    /// The object.
    pub guid: Guid,
    /// The script type: the key in the object's physics script table.
    pub script_type: u32,
    /// The speed or intensity.
    pub speed: f32,
}

impl<'a> Message<'a> for PlayScriptType {
    const OPCODE: u32 = 0xF755;
    const NAME: &'static str = "PlayScriptType";

    fn read(reader: &mut Reader<'a>) -> ReadResult<Self> {
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
    fn a_script_by_type_round_trips() {
        let message = PlayScriptType { guid: Guid(0x8000_1234), script_type: 0x1D, speed: 0.75 };
        assert_s2c(&hex("55f70000 34120080 1d000000 0000403f"), message);
    }
}

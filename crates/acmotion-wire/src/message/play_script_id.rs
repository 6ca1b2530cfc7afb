//! 0xF754: an object plays a script given by its id.

use acmotion_types::Guid;

use super::Message;
use crate::cursor::{Read, Reader, Writer};

/// An object plays a script given by its id.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[doc(alias = "F754")]
pub struct PlayScriptId {
    /// Which object.
    pub guid: Guid,
    /// Which script (0x33…).
    pub script: u32,
}

impl<'a> Message<'a> for PlayScriptId {
    const OPCODE: u32 = 0xF754;
    const NAME: &'static str = "PlayScriptId";

    fn read(reader: &mut Reader<'a>) -> Read<Self> {
        Ok(Self { guid: reader.guid("guid")?, script: reader.u32("script")? })
    }

    fn write(&self, writer: &mut Writer<'_>) {
        writer.guid(self.guid);
        writer.u32(self.script);
    }

    fn guid(&self) -> Option<Guid> {
        Some(self.guid)
    }
}

#[cfg(test)]
mod tests {
    use acmotion_types::Guid;

    use super::PlayScriptId;
    use crate::testing::{assert_s2c, hex};

    #[test]
    fn golden() {
        let message = PlayScriptId { guid: Guid(0x8000_1234), script: 0x3300_0010 };
        assert_s2c(&hex("54f70000 34120080 10000033"), message);
    }
}

//! 0xF754: an object plays a script, by script id.

use acmotion_types::Guid;

use super::Message;
use crate::cursor::{ReadResult, Reader, Writer};

/// An object plays a script, by script id.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[doc(alias = "F754")]
pub struct PlayScriptId {
    /// The object.
    pub guid: Guid,
    /// The script (0x33…).
    pub script: u32,
}

impl<'a> Message<'a> for PlayScriptId {
    const OPCODE: u32 = 0xF754;
    const NAME: &'static str = "PlayScriptId";

    fn read(reader: &mut Reader<'a>) -> ReadResult<Self> {
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
    fn a_script_by_id_round_trips() {
        let message = PlayScriptId { guid: Guid(0x8000_1234), script: 0x3300_0010 };
        assert_s2c(&hex("54f70000 34120080 10000033"), message);
    }
}

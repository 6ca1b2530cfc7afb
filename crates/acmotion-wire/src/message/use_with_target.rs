//! 0x0035: the player uses a tool on a target.

use acmotion_types::Guid;

use super::Message;
use crate::cursor::{ReadResult, Reader, Writer};

/// The player uses a tool on a target, such as a key on a lock (`docs/wire.md` §6).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[doc(alias = "0035")]
pub struct UseWithTarget {
    /// The tool.
    pub tool: Guid,
    /// The target.
    pub target: Guid,
}

impl<'a> Message<'a> for UseWithTarget {
    const OPCODE: u32 = 0x0035;
    const NAME: &'static str = "UseWithTarget";
    const IS_MOVEMENT: bool = false;

    fn read(reader: &mut Reader<'a>) -> ReadResult<Self> {
        Ok(Self { tool: reader.guid("tool")?, target: reader.guid("target")? })
    }

    fn write(&self, writer: &mut Writer<'_>) {
        writer.guid(self.tool);
        writer.guid(self.target);
    }

    fn guid(&self) -> Option<Guid> {
        Some(self.target)
    }
}

#[cfg(test)]
mod tests {
    use acmotion_types::Guid;

    use super::UseWithTarget;
    use crate::testing::{assert_c2s, hex};

    #[test]
    fn the_use_of_a_tool_round_trips() {
        let bytes = hex("b1f70000 07000000 35000000 34120080 78560080");
        assert_eq!(bytes.len(), 20);
        assert_c2s(&bytes, UseWithTarget { tool: Guid(0x8000_1234), target: Guid(0x8000_5678) });
    }
}

//! 0xF752: how much of its motion the client controls.

use super::Message;
use crate::cursor::{ReadResult, Reader, Writer};

/// How much of its motion the client controls, from 0 (nothing) to 2 (everything) (rule K8).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[doc(alias = "F752")]
#[doc(alias = "SetAutonomyLevel")]
pub struct AutonomyLevel {
    /// The level.
    pub level: u32,
}

impl<'a> Message<'a> for AutonomyLevel {
    const OPCODE: u32 = 0xF752;
    const NAME: &'static str = "AutonomyLevel";

    fn read(reader: &mut Reader<'a>) -> ReadResult<Self> {
        Ok(Self { level: reader.u32("level")? })
    }

    fn write(&self, writer: &mut Writer<'_>) {
        writer.u32(self.level);
    }
}

#[cfg(test)]
mod tests {
    use super::AutonomyLevel;
    use crate::testing::{assert_c2s, hex};

    #[test]
    fn an_autonomy_level_round_trips() {
        assert_c2s(&hex("b1f70000 07000000 52f70000 02000000"), AutonomyLevel { level: 2 });
    }
}

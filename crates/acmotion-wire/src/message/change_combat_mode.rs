//! 0x0053: the player changes the combat mode.

use super::Message;
use crate::cursor::{ReadResult, Reader, Writer};
use crate::flags::CombatMode;

/// The player changes the combat mode.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[doc(alias = "0053")]
pub struct ChangeCombatMode {
    /// The new mode.
    pub mode: CombatMode,
}

impl<'a> Message<'a> for ChangeCombatMode {
    const OPCODE: u32 = 0x0053;
    const NAME: &'static str = "ChangeCombatMode";

    fn read(reader: &mut Reader<'a>) -> ReadResult<Self> {
        Ok(Self { mode: CombatMode(reader.u32("mode")?) })
    }

    fn write(&self, writer: &mut Writer<'_>) {
        writer.u32(self.mode.0);
    }
}

#[cfg(test)]
mod tests {
    use super::ChangeCombatMode;
    use crate::CombatMode;
    use crate::testing::{assert_c2s, hex};

    #[test]
    fn a_combat_mode_change_round_trips() {
        let message = ChangeCombatMode { mode: CombatMode::MELEE };
        assert_c2s(&hex("b1f70000 07000000 53000000 02000000"), message);
    }
}

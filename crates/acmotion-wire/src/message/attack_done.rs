//! 0xF7B0/0x01A7: an attack is over.

use super::Message;
use crate::cursor::{ReadResult, Reader, Writer};

/// An attack of the player is over (`docs/wire.md` §6).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[doc(alias = "01A7")]
pub struct AttackDone {
    /// The error, 0 if there is none.
    pub error: u32,
}

impl<'a> Message<'a> for AttackDone {
    const OPCODE: u32 = 0x01A7;
    const NAME: &'static str = "AttackDone";
    const IS_MOVEMENT: bool = false;

    fn read(reader: &mut Reader<'a>) -> ReadResult<Self> {
        Ok(Self { error: reader.u32("error")? })
    }

    fn write(&self, writer: &mut Writer<'_>) {
        writer.u32(self.error);
    }
}

#[cfg(test)]
mod tests {
    use super::AttackDone;
    use crate::testing::{assert_event, hex};

    #[test]
    fn an_attack_with_an_error_round_trips() {
        let bytes = hex("b0f70000 01000050 09000000 a7010000 36000000");
        assert_eq!(bytes.len(), 20);
        assert_event(&bytes, AttackDone { error: 0x36 });
    }
}

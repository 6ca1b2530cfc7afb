//! 0xF7B0/0x01B8: an attack begins.

use super::Message;
use crate::cursor::{ReadResult, Reader, Writer};

/// The server begins an attack of the player (`docs/wire.md` §6). It has no body.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[doc(alias = "01B8")]
pub struct CombatCommenceAttack;

impl<'a> Message<'a> for CombatCommenceAttack {
    const OPCODE: u32 = 0x01B8;
    const NAME: &'static str = "CombatCommenceAttack";
    const IS_MOVEMENT: bool = false;

    fn read(_: &mut Reader<'a>) -> ReadResult<Self> {
        Ok(Self)
    }

    fn write(&self, _: &mut Writer<'_>) {}
}

#[cfg(test)]
mod tests {
    use super::CombatCommenceAttack;
    use crate::testing::{assert_event, hex};

    #[test]
    fn an_event_without_a_body_round_trips() {
        let bytes = hex("b0f70000 01000050 09000000 b8010000");
        assert_eq!(bytes.len(), 16);
        assert_event(&bytes, CombatCommenceAttack);
    }
}

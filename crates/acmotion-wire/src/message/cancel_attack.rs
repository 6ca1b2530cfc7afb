//! 0x01B7: the player stops attacking.

use super::Message;
use crate::cursor::{ReadResult, Reader, Writer};

/// The player stops attacking (`docs/wire.md` §6). It has no body.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[doc(alias = "01B7")]
pub struct CancelAttack;

impl<'a> Message<'a> for CancelAttack {
    const OPCODE: u32 = 0x01B7;
    const NAME: &'static str = "CancelAttack";
    const IS_MOVEMENT: bool = false;

    fn read(_: &mut Reader<'a>) -> ReadResult<Self> {
        Ok(Self)
    }

    fn write(&self, _: &mut Writer<'_>) {}
}

#[cfg(test)]
mod tests {
    use super::CancelAttack;
    use crate::testing::{assert_c2s, hex};

    #[test]
    fn an_action_without_a_body_round_trips() {
        let bytes = hex("b1f70000 07000000 b7010000");
        assert_eq!(bytes.len(), 12);
        assert_c2s(&bytes, CancelAttack);
    }
}

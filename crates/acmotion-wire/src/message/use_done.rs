//! 0xF7B0/0x01C7: a use is over.

use super::Message;
use crate::cursor::{ReadResult, Reader, Writer};

/// The use of an object is over (`docs/wire.md` §6).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[doc(alias = "01C7")]
pub struct UseDone {
    /// The error, 0 if there is none.
    pub error: u32,
}

impl<'a> Message<'a> for UseDone {
    const OPCODE: u32 = 0x01C7;
    const NAME: &'static str = "UseDone";
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
    use super::UseDone;
    use crate::testing::{assert_event, hex};

    #[test]
    fn a_use_without_an_error_round_trips() {
        let bytes = hex("b0f70000 01000050 09000000 c7010000 00000000");
        assert_eq!(bytes.len(), 20);
        assert_event(&bytes, UseDone { error: 0 });
    }
}

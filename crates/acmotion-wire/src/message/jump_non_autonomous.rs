//! 0xF7C9: a non-autonomous client requests a jump.

use super::Message;
use crate::cursor::{ReadResult, Reader, Writer};

/// A client that does not control its own motion requests a jump (rule K9).
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[doc(alias = "F7C9")]
pub struct JumpNonAutonomous {
    /// The charge of the jump, 0 to 1.
    pub extent: f32,
}

impl<'a> Message<'a> for JumpNonAutonomous {
    const OPCODE: u32 = 0xF7C9;
    const NAME: &'static str = "JumpNonAutonomous";

    fn read(reader: &mut Reader<'a>) -> ReadResult<Self> {
        Ok(Self { extent: reader.f32("extent")? })
    }

    fn write(&self, writer: &mut Writer<'_>) {
        writer.f32(self.extent);
    }
}

#[cfg(test)]
mod tests {
    use super::JumpNonAutonomous;
    use crate::testing::{assert_c2s, hex};

    #[test]
    fn a_jump_request_round_trips() {
        assert_c2s(&hex("b1f70000 07000000 c9f70000 0000403f"), JumpNonAutonomous { extent: 0.75 });
    }
}

//! 0xF7C9: a client that does not decide its motion asks to jump.

use super::Message;
use crate::cursor::{Read, Reader, Writer};

/// A client that does not decide its motion asks to jump (rule K9).
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[doc(alias = "F7C9")]
pub struct JumpNonAutonomous {
    /// How far the jump was charged, 0 to 1.
    pub extent: f32,
}

impl<'a> Message<'a> for JumpNonAutonomous {
    const OPCODE: u32 = 0xF7C9;
    const NAME: &'static str = "JumpNonAutonomous";

    fn read(reader: &mut Reader<'a>) -> Read<Self> {
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
    fn golden() {
        assert_c2s(&hex("b1f70000 07000000 c9f70000 0000403f"), JumpNonAutonomous { extent: 0.75 });
    }
}

//! 0xF649: the player turns to a heading.

use super::Message;
use crate::cursor::{ReadResult, Reader, WireBool, Writer};

/// The player turns to a heading. The layout is that of the client's memory; the message has not been seen on the wire
/// (`docs/wire.md` §3).
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[doc(alias = "F649")]
#[doc(alias = "TurnToEvent")]
pub struct TurnTo {
    /// The heading, in degrees.
    pub heading: f32,
    /// Whether to turn at running speed.
    pub run: WireBool<u32>,
}

impl<'a> Message<'a> for TurnTo {
    const OPCODE: u32 = 0xF649;
    const NAME: &'static str = "TurnTo";

    fn read(reader: &mut Reader<'a>) -> ReadResult<Self> {
        Ok(Self { heading: reader.f32("heading")?, run: WireBool(reader.u32("run")?) })
    }

    fn write(&self, writer: &mut Writer<'_>) {
        writer.f32(self.heading);
        writer.u32(self.run.0);
    }
}

#[cfg(test)]
mod tests {
    use super::TurnTo;
    use crate::testing::{assert_c2s, hex};

    #[test]
    fn a_turn_round_trips() {
        let message = TurnTo { heading: 90.0, run: true.into() };
        assert_c2s(&hex("b1f70000 07000000 49f60000 0000b442 01000000"), message);
    }
}

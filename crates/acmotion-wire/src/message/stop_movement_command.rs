//! 0xF661: a non-autonomous client requests the end of a motion.

use acmotion_types::MotionCommand;

use super::Message;
use crate::cursor::{ReadResult, Reader, Writer};
use crate::flags::HoldKey;

/// A client that does not control its own motion requests the end of one (rule K9).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[doc(alias = "F661")]
#[doc(alias = "StopMovement")]
pub struct StopMovementCommand {
    /// The motion.
    pub motion: MotionCommand,
    /// The key held.
    pub hold_key: HoldKey,
}

impl<'a> Message<'a> for StopMovementCommand {
    const OPCODE: u32 = 0xF661;
    const NAME: &'static str = "StopMovementCommand";

    fn read(reader: &mut Reader<'a>) -> ReadResult<Self> {
        Ok(Self { motion: reader.command("motion")?, hold_key: HoldKey(reader.u32("hold_key")?) })
    }

    fn write(&self, writer: &mut Writer<'_>) {
        writer.command(self.motion);
        writer.u32(self.hold_key.0);
    }
}

#[cfg(test)]
mod tests {
    use acmotion_types::MotionCommand;

    use super::StopMovementCommand;
    use crate::HoldKey;
    use crate::testing::{assert_c2s, hex};

    #[test]
    fn a_stop_request_round_trips() {
        let message = StopMovementCommand { motion: MotionCommand::WALK_FORWARD, hold_key: HoldKey::RUN };
        assert_c2s(&hex("b1f70000 07000000 61f60000 05000045 02000000"), message);
    }
}

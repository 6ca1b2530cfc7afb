//! 0xF61E: a non-autonomous client requests a motion.

use acmotion_types::MotionCommand;

use super::Message;
use crate::cursor::{ReadResult, Reader, Writer};
use crate::flags::HoldKey;

/// A client that does not control its own motion requests the start of one (rule K9).
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[doc(alias = "F61E")]
#[doc(alias = "DoMovement")]
pub struct DoMovementCommand {
    /// The motion.
    pub motion: MotionCommand,
    /// The speed factor.
    pub speed: f32,
    /// The key held.
    pub hold_key: HoldKey,
}

impl<'a> Message<'a> for DoMovementCommand {
    const OPCODE: u32 = 0xF61E;
    const NAME: &'static str = "DoMovementCommand";

    fn read(reader: &mut Reader<'a>) -> ReadResult<Self> {
        Ok(Self {
            motion: reader.command("motion")?,
            speed: reader.f32("speed")?,
            hold_key: HoldKey(reader.u32("hold_key")?),
        })
    }

    fn write(&self, writer: &mut Writer<'_>) {
        writer.command(self.motion);
        writer.f32(self.speed);
        writer.u32(self.hold_key.0);
    }
}

#[cfg(test)]
mod tests {
    use acmotion_types::MotionCommand;

    use super::DoMovementCommand;
    use crate::HoldKey;
    use crate::testing::{assert_c2s, hex};

    #[test]
    fn a_movement_request_round_trips() {
        let message =
            DoMovementCommand { motion: MotionCommand::WALK_FORWARD, speed: 0.5, hold_key: HoldKey::RUN };
        assert_c2s(&hex("b1f70000 07000000 1ef60000 05000045 0000003f 02000000"), message);
    }
}

//! 0xF74B: the physics state of a body.

use acmotion_types::{Guid, Stamp};

use super::Message;
use crate::cursor::{ReadResult, Reader, Writer};
use crate::flags::PhysicsState;

/// The new physics state of a body (rule D11).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[doc(alias = "F74B")]
pub struct SetState {
    /// The object.
    pub guid: Guid,
    /// The physics state.
    pub state: PhysicsState,
    /// The instance stamp of the object.
    pub instance: Stamp,
    /// The state stamp of the object.
    pub state_stamp: Stamp,
}

impl<'a> Message<'a> for SetState {
    const OPCODE: u32 = 0xF74B;
    const NAME: &'static str = "SetState";

    #[inline(always)]
    fn read(reader: &mut Reader<'a>) -> ReadResult<Self> {
        let (guid, state, instance, state_stamp) =
            reader.group(&["guid", "state", "instance_seq", "state_seq"])?;
        Ok(Self { guid, state: PhysicsState::from_bits_retain(state), instance, state_stamp })
    }

    #[inline]
    fn write(&self, writer: &mut Writer<'_>) {
        writer.fixed((self.guid, self.state.bits(), self.instance, self.state_stamp));
    }

    fn guid(&self) -> Option<Guid> {
        Some(self.guid)
    }
}

#[cfg(test)]
mod tests {
    use acmotion_types::{Guid, Stamp};

    use super::SetState;
    use crate::PhysicsState;
    use crate::testing::{assert_s2c, hex};

    #[test]
    fn a_state_with_an_unknown_bit_round_trips() {
        let bytes = hex("4bf70000 01000050 08044080 0900 0300");
        let known = PhysicsState::EDGE_SLIDE | PhysicsState::GRAVITY | PhysicsState::REPORT_COLLISIONS;
        let state = known | PhysicsState::from_bits_retain(0x8000_0000);
        let message = SetState { guid: Guid(0x5000_0001), state, instance: Stamp(9), state_stamp: Stamp(3) };
        assert_s2c(&bytes, message);
    }
}

//! 0xF74B: what a body is physically now.

use acmotion_types::{Guid, Stamp};

use super::Message;
use crate::cursor::{Read, Reader, Writer};
use crate::flags::PhysicsState;

/// What a body is physically now (rule D11).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[doc(alias = "F74B")]
pub struct SetState {
    /// Who.
    pub guid: Guid,
    /// The physics state.
    pub state: PhysicsState,
    /// The object's life.
    pub instance: Stamp,
    /// The count of states.
    pub state_stamp: Stamp,
}

impl<'a> Message<'a> for SetState {
    const OPCODE: u32 = 0xF74B;
    const NAME: &'static str = "SetState";

    #[inline(always)]
    fn read(reader: &mut Reader<'a>) -> Read<Self> {
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
    fn golden_with_an_unknown_bit() {
        let bytes = hex("4bf70000 01000050 08044080 0900 0300");
        let known = PhysicsState::EDGE_SLIDE | PhysicsState::GRAVITY | PhysicsState::REPORT_COLLISIONS;
        let state = known | PhysicsState::from_bits_retain(0x8000_0000);
        let message = SetState { guid: Guid(0x5000_0001), state, instance: Stamp(9), state_stamp: Stamp(3) };
        assert_s2c(&bytes, message);
    }
}

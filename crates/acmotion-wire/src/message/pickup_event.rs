//! 0xF74A: an object is picked up.

use acmotion_types::{Guid, Stamp};

use super::Message;
use crate::cursor::{ReadResult, Reader, Writer};

/// An object leaves the world for an inventory (rule D11).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[doc(alias = "F74A")]
pub struct PickupEvent {
    /// The object.
    pub guid: Guid,
    /// The instance stamp of the object.
    pub instance: Stamp,
    /// The position stamp of the object.
    pub position: Stamp,
}

impl<'a> Message<'a> for PickupEvent {
    const OPCODE: u32 = 0xF74A;
    const NAME: &'static str = "PickupEvent";

    fn read(reader: &mut Reader<'a>) -> ReadResult<Self> {
        Ok(Self {
            guid: reader.guid("guid")?,
            instance: reader.stamp("instance_seq")?,
            position: reader.stamp("position_seq")?,
        })
    }

    fn write(&self, writer: &mut Writer<'_>) {
        writer.guid(self.guid);
        writer.stamp(self.instance);
        writer.stamp(self.position);
    }

    fn guid(&self) -> Option<Guid> {
        Some(self.guid)
    }
}

#[cfg(test)]
mod tests {
    use acmotion_types::{Guid, Stamp};

    use super::PickupEvent;
    use crate::testing::{assert_s2c, hex};

    #[test]
    fn a_pickup_round_trips() {
        let message = PickupEvent { guid: Guid(0x8000_1234), instance: Stamp(5), position: Stamp(6) };
        assert_s2c(&hex("4af70000 34120080 0500 0600"), message);
    }
}

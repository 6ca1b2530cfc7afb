//! 0xF749: an object is attached to another object.

use acmotion_types::{Guid, Stamp};

use super::Message;
use crate::cursor::{ReadResult, Reader, Writer};

/// An object is attached to another object, such as a weapon to a hand (rules D4 and D11).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[doc(alias = "F749")]
pub struct ParentEvent {
    /// The object it is attached to.
    pub parent: Guid,
    /// The object that is attached.
    pub child: Guid,
    /// The attachment point on the parent.
    #[doc(alias = "parent_location")]
    pub location: u32,
    /// The placement frame of the child.
    pub placement: u32,
    /// The instance stamp of the parent.
    pub parent_instance: Stamp,
    /// The position stamp of the child.
    pub child_position: Stamp,
}

impl<'a> Message<'a> for ParentEvent {
    const OPCODE: u32 = 0xF749;
    const NAME: &'static str = "ParentEvent";

    fn read(reader: &mut Reader<'a>) -> ReadResult<Self> {
        Ok(Self {
            parent: reader.guid("guid")?,
            child: reader.guid("child")?,
            location: reader.u32("location")?,
            placement: reader.u32("placement")?,
            parent_instance: reader.stamp("parent_instance_seq")?,
            child_position: reader.stamp("child_position_seq")?,
        })
    }

    fn write(&self, writer: &mut Writer<'_>) {
        writer.guid(self.parent);
        writer.guid(self.child);
        writer.u32(self.location);
        writer.u32(self.placement);
        writer.stamp(self.parent_instance);
        writer.stamp(self.child_position);
    }

    fn guid(&self) -> Option<Guid> {
        Some(self.parent)
    }
}

#[cfg(test)]
mod tests {
    use acmotion_types::{Guid, Stamp};

    use super::ParentEvent;
    use crate::testing::{assert_s2c, hex};

    #[test]
    fn an_attachment_round_trips() {
        let bytes = hex("49f70000 01000050 34120080 01000000 65000000 0900 1600");
        let message = ParentEvent {
            parent: Guid(0x5000_0001),
            child: Guid(0x8000_1234),
            location: 1,
            placement: 0x65,
            parent_instance: Stamp(9),
            child_position: Stamp(0x16),
        };
        assert_s2c(&bytes, message);
    }
}

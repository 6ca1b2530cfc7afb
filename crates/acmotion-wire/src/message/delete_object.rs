//! 0xF747: an object is deleted.

use acmotion_types::{Guid, Stamp};

use super::Message;
use crate::cursor::{Pad, ReadResult, Reader, Writer};

/// An object is deleted. Receivers ignore it if the instance differs or the object is the player (rule D11).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[doc(alias = "F747")]
pub struct DeleteObject {
    /// The object.
    pub guid: Guid,
    /// The instance stamp of the object.
    pub instance: Stamp,
    /// The two padding bytes at the end.
    pub pad: Pad,
}

impl<'a> Message<'a> for DeleteObject {
    const OPCODE: u32 = 0xF747;
    const NAME: &'static str = "DeleteObject";

    fn read(reader: &mut Reader<'a>) -> ReadResult<Self> {
        Ok(Self { guid: reader.guid("guid")?, instance: reader.stamp("instance_seq")?, pad: reader.align()? })
    }

    fn write(&self, writer: &mut Writer<'_>) {
        writer.guid(self.guid);
        writer.stamp(self.instance);
        writer.align(self.pad);
    }

    fn guid(&self) -> Option<Guid> {
        Some(self.guid)
    }
}

#[cfg(test)]
mod tests {
    use acmotion_types::{Guid, Stamp};

    use super::DeleteObject;
    use crate::Pad;
    use crate::testing::{assert_s2c, hex};

    #[test]
    fn a_deletion_round_trips_with_any_padding() {
        let guid = Guid(0x8000_1234);
        let plain = DeleteObject { guid, instance: Stamp(5), pad: Pad::ZERO };
        assert_s2c(&hex("47f70000 34120080 0500 0000"), plain);
        let padded = DeleteObject { pad: Pad([1, 2, 0]), ..plain };
        assert_s2c(&hex("47f70000 34120080 0500 0102"), padded);
    }
}

//! 0xF7DB: an object is created again.

use acmotion_types::Guid;

use super::{Message, ObjectDesc};
use crate::cursor::{ReadResult, Reader, Writer};

/// An object is created again, and replaces what was known about it (rule D12).
#[derive(Clone, Copy, PartialEq, Debug)]
#[doc(alias = "F7DB")]
pub struct UpdateObject<'a>(pub ObjectDesc<'a>);

impl<'a> Message<'a> for UpdateObject<'a> {
    const OPCODE: u32 = 0xF7DB;
    const NAME: &'static str = "UpdateObject";

    fn read(reader: &mut Reader<'a>) -> ReadResult<Self> {
        ObjectDesc::read(reader).map(Self)
    }

    fn write(&self, writer: &mut Writer<'_>) {
        self.0.write(writer);
    }

    fn guid(&self) -> Option<Guid> {
        Some(self.0.guid)
    }
}

#[cfg(test)]
mod tests {
    use super::UpdateObject;
    use crate::WeenieDesc;
    use crate::message::create_object::tests::{CREATURE, creature};
    use crate::testing::{assert_s2c, hex};

    #[test]
    fn an_object_update_round_trips() {
        let bytes = hex(&format!("dbf70000 {CREATURE}"));
        let weenie = WeenieDesc::decode(&bytes[bytes.len() - 24..]).unwrap();
        assert_s2c(&bytes, UpdateObject(creature(weenie)));
    }
}

//! 0x004A: the player casts a spell on a target.

use acmotion_types::Guid;

use super::Message;
use crate::cursor::{ReadResult, Reader, Writer};

/// The player casts a spell on a target (`docs/wire.md` §6).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[doc(alias = "004A")]
pub struct CastTargetedSpell {
    /// The target.
    pub target: Guid,
    /// The spell.
    pub spell: u32,
}

impl<'a> Message<'a> for CastTargetedSpell {
    const OPCODE: u32 = 0x004A;
    const NAME: &'static str = "CastTargetedSpell";
    const IS_MOVEMENT: bool = false;

    fn read(reader: &mut Reader<'a>) -> ReadResult<Self> {
        Ok(Self { target: reader.guid("target")?, spell: reader.u32("spell")? })
    }

    fn write(&self, writer: &mut Writer<'_>) {
        writer.guid(self.target);
        writer.u32(self.spell);
    }

    fn guid(&self) -> Option<Guid> {
        Some(self.target)
    }
}

#[cfg(test)]
mod tests {
    use acmotion_types::Guid;

    use super::CastTargetedSpell;
    use crate::testing::{assert_c2s, hex};

    #[test]
    fn a_spell_on_a_target_round_trips() {
        let bytes = hex("b1f70000 07000000 4a000000 34120080 34120000");
        assert_eq!(bytes.len(), 20);
        assert_c2s(&bytes, CastTargetedSpell { target: Guid(0x8000_1234), spell: 0x1234 });
    }
}

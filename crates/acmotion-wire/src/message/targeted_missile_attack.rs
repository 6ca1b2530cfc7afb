//! 0x000A: the player attacks with a missile weapon.

use acmotion_types::Guid;

use super::Message;
use crate::cursor::{ReadResult, Reader, Writer};
use crate::flags::AttackHeight;

/// The player attacks a target with a missile weapon.
///
/// The layout is unproven: it is assumed by analogy with [`TargetedMeleeAttack`](crate::TargetedMeleeAttack), as no
/// recording contains this action.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[doc(alias = "000A")]
pub struct TargetedMissileAttack {
    /// The target.
    pub target: Guid,
    /// The height at which the attack is aimed.
    pub height: AttackHeight,
    /// The accuracy, 0 to 1.
    pub accuracy: f32,
}

impl<'a> Message<'a> for TargetedMissileAttack {
    const OPCODE: u32 = 0x000A;
    const NAME: &'static str = "TargetedMissileAttack";
    const IS_MOVEMENT: bool = false;

    fn read(reader: &mut Reader<'a>) -> ReadResult<Self> {
        Ok(Self {
            target: reader.guid("target")?,
            height: AttackHeight(reader.u32("height")?),
            accuracy: reader.f32("accuracy")?,
        })
    }

    fn write(&self, writer: &mut Writer<'_>) {
        writer.guid(self.target);
        writer.u32(self.height.0);
        writer.f32(self.accuracy);
    }

    fn guid(&self) -> Option<Guid> {
        Some(self.target)
    }
}

#[cfg(test)]
mod tests {
    use acmotion_types::Guid;

    use super::TargetedMissileAttack;
    use crate::AttackHeight;
    use crate::testing::{assert_c2s, hex};

    #[test]
    fn a_missile_attack_round_trips() {
        let bytes = hex("b1f70000 07000000 0a000000 34120080 01000000 0000803e");
        assert_eq!(bytes.len(), 24);
        assert_c2s(
            &bytes,
            TargetedMissileAttack { target: Guid(0x8000_1234), height: AttackHeight::HIGH, accuracy: 0.25 },
        );
    }
}

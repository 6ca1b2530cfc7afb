//! 0x0008: the player attacks with a melee weapon.

use acmotion_types::Guid;

use super::Message;
use crate::cursor::{ReadResult, Reader, Writer};
use crate::flags::AttackHeight;

/// The player attacks a target with a melee weapon or unarmed (`docs/wire.md` §6).
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[doc(alias = "0008")]
pub struct TargetedMeleeAttack {
    /// The target.
    pub target: Guid,
    /// The height at which the attack is aimed.
    pub height: AttackHeight,
    /// The power, 0 to 1.
    pub power: f32,
}

impl<'a> Message<'a> for TargetedMeleeAttack {
    const OPCODE: u32 = 0x0008;
    const NAME: &'static str = "TargetedMeleeAttack";
    const IS_MOVEMENT: bool = false;

    fn read(reader: &mut Reader<'a>) -> ReadResult<Self> {
        Ok(Self {
            target: reader.guid("target")?,
            height: AttackHeight(reader.u32("height")?),
            power: reader.f32("power")?,
        })
    }

    fn write(&self, writer: &mut Writer<'_>) {
        writer.guid(self.target);
        writer.u32(self.height.0);
        writer.f32(self.power);
    }

    fn guid(&self) -> Option<Guid> {
        Some(self.target)
    }
}

#[cfg(test)]
mod tests {
    use acmotion_types::Guid;

    use super::TargetedMeleeAttack;
    use crate::AttackHeight;
    use crate::testing::{assert_c2s, hex};

    #[test]
    fn a_melee_attack_round_trips() {
        let bytes = hex("b1f70000 07000000 08000000 34120080 02000000 0000403f");
        assert_eq!(bytes.len(), 24);
        assert_c2s(
            &bytes,
            TargetedMeleeAttack { target: Guid(0x8000_1234), height: AttackHeight::MEDIUM, power: 0.75 },
        );
    }
}

//! 0xF7B0/0x02C2: an enchantment starts or changes.

use super::Message;
use crate::cursor::{ReadResult, Reader, Writer};
use crate::parts::Enchantment;

/// An enchantment of the player starts or changes (`docs/wire.md` §6).
///
/// The events about several enchantments at once, 0x02C4 to 0x02C8, have no proven layout and stay raw bytes.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[doc(alias = "02C2")]
pub struct MagicUpdateEnchantment {
    /// The enchantment.
    pub enchantment: Enchantment,
}

impl<'a> Message<'a> for MagicUpdateEnchantment {
    const OPCODE: u32 = 0x02C2;
    const NAME: &'static str = "MagicUpdateEnchantment";
    const IS_MOVEMENT: bool = false;

    fn read(reader: &mut Reader<'a>) -> ReadResult<Self> {
        Ok(Self { enchantment: Enchantment::read(reader)? })
    }

    fn write(&self, writer: &mut Writer<'_>) {
        self.enchantment.write(writer);
    }
}

#[cfg(test)]
mod tests {
    use acmotion_types::Guid;

    use super::MagicUpdateEnchantment;
    use crate::testing::{assert_event, hex};
    use crate::{Enchantment, StatModFlags, WireBool};

    const BYTES: &str = "
        b0f70000 01000050 09000000 c2020000
        3412 0100 1300 0100 64000000 0000000000408fc0 0000000000209c40 34120080
        0000003f 008026c4 0000000000000840 10900002 18000000 0000a041";

    fn enchantment() -> Enchantment {
        Enchantment {
            spell: 0x1234,
            layer: 1,
            category: 0x13,
            has_spell_set: WireBool(1),
            power: 100,
            start: -1000.0,
            duration: 1800.0,
            caster: Guid(0x8000_1234),
            degrade_modifier: 0.5,
            degrade_limit: -666.0,
            last_degraded: 3.0,
            stat_mod: StatModFlags::SKILL
                | StatModFlags::SINGLE_STAT
                | StatModFlags::ADDITIVE
                | StatModFlags::BENEFICIAL,
            stat_key: 24,
            stat_value: 20.0,
            spell_set: 7,
        }
    }

    #[test]
    fn an_enchantment_with_a_spell_set_round_trips() {
        let bytes = hex(&format!("{BYTES} 07000000"));
        assert_eq!(bytes.len(), 80);
        assert_event(&bytes, MagicUpdateEnchantment { enchantment: enchantment() });
    }

    #[test]
    fn an_enchantment_without_a_spell_set_is_four_bytes_shorter() {
        let mut bytes = hex(BYTES);
        bytes[22] = 0;
        assert_eq!(bytes.len(), 76);
        let enchantment = Enchantment { has_spell_set: WireBool(0), spell_set: 0, ..enchantment() };
        assert_event(&bytes, MagicUpdateEnchantment { enchantment });
    }

    /// The flag is a 16-bit boolean, and any value but zero announces the set. The value itself is kept.
    #[test]
    fn an_unusual_flag_announces_a_spell_set_and_is_kept() {
        let mut bytes = hex(&format!("{BYTES} 07000000"));
        bytes[22..24].copy_from_slice(&[0, 2]);
        let enchantment = Enchantment { has_spell_set: WireBool(0x200), ..enchantment() };
        assert_event(&bytes, MagicUpdateEnchantment { enchantment });
    }
}

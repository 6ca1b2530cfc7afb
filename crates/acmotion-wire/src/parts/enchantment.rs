//! An enchantment, and the enchantments of a character.

use std::fmt;

use acmotion_types::{Era, Guid};

use crate::cursor::{ReadResult, Reader, WireBool, Writer};
use crate::flags::StatModFlags;

/// One enchantment: a spell that is active on a character, 60 or 64 bytes (`docs/wire.md` §6).
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Enchantment {
    /// The spell.
    pub spell: u16,
    /// The layer of the spell: the same spell can be active more than once.
    pub layer: u16,
    /// The category. Of several spells of one category, the most powerful counts.
    pub category: u16,
    /// Whether the enchantment has a spell set.
    pub has_spell_set: WireBool<u16>,
    /// The power of the spell.
    pub power: u32,
    /// When the enchantment started, in seconds relative to the time of the message: 0 or negative.
    pub start: f64,
    /// The duration, in seconds. -1 if it has no end.
    pub duration: f64,
    /// The object that cast the spell.
    pub caster: Guid,
    /// The factor by which the enchantment degrades.
    pub degrade_modifier: f32,
    /// The value below which the enchantment does not degrade. -666 in all recorded enchantments.
    pub degrade_limit: f32,
    /// The time at which the enchantment last degraded.
    pub last_degraded: f64,
    /// The kind of value that is modified, and how.
    pub stat_mod: StatModFlags,
    /// Which value is modified, such as [`Skill::RUN`](crate::Skill::RUN).
    pub stat_key: u32,
    /// The number that is added, or the factor.
    pub stat_value: f32,
    /// The spell set. It is on the wire only if [`has_spell_set`](Self::has_spell_set) is true, and 0 otherwise.
    pub spell_set: u32,
}

impl Enchantment {
    /// The minimum size in bytes: without a spell set.
    const MIN_SIZE: usize = 60;

    pub(crate) fn read(reader: &mut Reader<'_>) -> ReadResult<Self> {
        let mut enchantment = Self {
            spell: reader.u16("spell")?,
            layer: reader.u16("layer")?,
            category: reader.u16("category")?,
            has_spell_set: WireBool(reader.u16("has_spell_set")?),
            power: reader.u32("power")?,
            start: reader.f64("start")?,
            duration: reader.f64("duration")?,
            caster: reader.guid("caster")?,
            degrade_modifier: reader.f32("degrade_modifier")?,
            degrade_limit: reader.f32("degrade_limit")?,
            last_degraded: reader.f64("last_degraded")?,
            stat_mod: StatModFlags::from_bits_retain(reader.u32("stat_mod")?),
            stat_key: reader.u32("stat_key")?,
            stat_value: reader.f32("stat_value")?,
            spell_set: 0,
        };
        if enchantment.has_spell_set.get() {
            enchantment.spell_set = reader.u32("spell_set")?;
        }
        Ok(enchantment)
    }

    pub(crate) fn write(&self, writer: &mut Writer<'_>) {
        writer.u16(self.spell);
        writer.u16(self.layer);
        writer.u16(self.category);
        writer.u16(self.has_spell_set.0);
        writer.u32(self.power);
        writer.f64(self.start);
        writer.f64(self.duration);
        writer.guid(self.caster);
        writer.f32(self.degrade_modifier);
        writer.f32(self.degrade_limit);
        writer.f64(self.last_degraded);
        writer.u32(self.stat_mod.bits());
        writer.u32(self.stat_key);
        writer.f32(self.stat_value);
        if self.has_spell_set.get() {
            writer.u32(self.spell_set);
        }
    }
}

/// A list of enchantments in a received message: validated bytes, parsed on access.
#[derive(Clone, Copy, Default)]
pub struct Enchantments<'a> {
    bytes: &'a [u8],
    count: u32,
}

impl<'a> Enchantments<'a> {
    /// Returns the number of enchantments.
    pub const fn len(&self) -> usize {
        self.count as usize
    }

    /// Returns `true` if there are no enchantments.
    pub const fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Iterates over the enchantments in order.
    pub fn iter(&self) -> impl Iterator<Item = Enchantment> + use<'a> {
        let mut reader = Reader::new(self.bytes, 0, Era::default());
        (0..self.count).map_while(move |_| Enchantment::read(&mut reader).ok())
    }

    fn read(reader: &mut Reader<'a>, field: &'static str) -> ReadResult<Self> {
        let count = reader.u32(field)?;
        let (bytes, start) = (reader.remaining(), reader.offset());
        // A count that the bytes cannot hold is an error at once, not after the last enchantment that fits.
        reader.clone().bytes((count as usize).saturating_mul(Enchantment::MIN_SIZE), field)?;
        for _ in 0..count {
            Enchantment::read(reader)?;
        }
        Ok(Self { bytes: &bytes[..reader.offset() - start], count })
    }
}

impl PartialEq for Enchantments<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl fmt::Debug for Enchantments<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// All enchantments of a character, as listed in a [`PlayerDescription`](crate::PlayerDescription) (`docs/wire.md`
/// §2.7).
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct EnchantmentRegistry<'a> {
    /// The enchantments that multiply a value.
    pub multiplicative: Enchantments<'a>,
    /// The enchantments that add to a value.
    pub additive: Enchantments<'a>,
    /// The items that cannot be used again yet.
    pub cooldowns: Enchantments<'a>,
    /// The penalty after a death.
    pub vitae: Option<Enchantment>,
}

const MULTIPLICATIVE: u32 = 0x1;
const ADDITIVE: u32 = 0x2;
const VITAE: u32 = 0x4;
const COOLDOWNS: u32 = 0x8;

impl<'a> EnchantmentRegistry<'a> {
    /// Iterates over the enchantments that modify a value: the multiplicative ones, then the additive ones, then the
    /// vitae.
    pub fn modifiers(&self) -> impl Iterator<Item = Enchantment> + use<'a> {
        self.multiplicative.iter().chain(self.additive.iter()).chain(self.vitae)
    }

    /// Reads the mask of the lists, and those present. The wire order differs from the bit order.
    pub(crate) fn read(reader: &mut Reader<'a>) -> ReadResult<Self> {
        let mask = reader.u32("enchantments")?;
        let mut list = |bit: u32, field| match mask & bit {
            0 => Ok(Enchantments::default()),
            _ => Enchantments::read(reader, field),
        };
        Ok(Self {
            multiplicative: list(MULTIPLICATIVE, "enchantments.multiplicative")?,
            additive: list(ADDITIVE, "enchantments.additive")?,
            cooldowns: list(COOLDOWNS, "enchantments.cooldowns")?,
            vitae: (mask & VITAE != 0).then(|| Enchantment::read(reader)).transpose()?,
        })
    }
}

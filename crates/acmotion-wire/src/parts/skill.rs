//! A skill of a character.

use crate::cursor::{ReadResult, Reader, Writer};

/// The values of one skill of a character, 28 bytes (`docs/wire.md` §2.7).
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Skill {
    /// The points bought with experience.
    pub ranks: u16,
    /// Always 1 in the recordings.
    pub adjust_pp: u16,
    /// The training: 0 inactive, 1 untrained, 2 trained, 3 specialised.
    #[doc(alias = "SkillAdvancementClass")]
    pub advancement_class: u32,
    /// The experience spent on it.
    pub xp_spent: u32,
    /// The points the character started with.
    pub init_level: u32,
    /// The difficulty of the last use.
    pub resistance_at_last_check: u32,
    /// The time of the last use.
    pub last_used_time: f64,
}

impl Skill {
    /// The id of the Jump skill.
    pub const JUMP: u32 = 22;
    /// The id of the Run skill.
    pub const RUN: u32 = 24;
    pub(crate) const SIZE: usize = 28;

    pub(crate) fn read(reader: &mut Reader<'_>) -> ReadResult<Self> {
        Ok(Self {
            ranks: reader.u16("ranks")?,
            adjust_pp: reader.u16("adjust_pp")?,
            advancement_class: reader.u32("advancement_class")?,
            xp_spent: reader.u32("xp_spent")?,
            init_level: reader.u32("init_level")?,
            resistance_at_last_check: reader.u32("resistance_at_last_check")?,
            last_used_time: reader.f64("last_used_time")?,
        })
    }

    pub(crate) fn write(&self, writer: &mut Writer<'_>) {
        writer.u16(self.ranks);
        writer.u16(self.adjust_pp);
        writer.u32(self.advancement_class);
        writer.u32(self.xp_spent);
        writer.u32(self.init_level);
        writer.u32(self.resistance_at_last_check);
        writer.f64(self.last_used_time);
    }
}

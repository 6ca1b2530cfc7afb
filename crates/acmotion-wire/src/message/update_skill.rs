//! 0x02DD and 0x02DE: a skill changes.

use acmotion_types::Guid;

use super::Message;
use crate::cursor::{ReadResult, Reader, Writer};
use crate::parts::Skill;

/// A skill of the player changes. All fields after the first byte are unaligned.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[doc(alias = "02DD")]
pub struct PrivateUpdateSkill {
    /// The sequence number of the update.
    pub sequence: u8,
    /// The id of the skill.
    pub skill: u32,
    /// The new values of the skill.
    pub value: Skill,
}

impl<'a> Message<'a> for PrivateUpdateSkill {
    const OPCODE: u32 = 0x02DD;
    const NAME: &'static str = "PrivateUpdateSkill";

    fn read(reader: &mut Reader<'a>) -> ReadResult<Self> {
        Ok(Self { sequence: reader.u8("seq")?, skill: reader.u32("skill")?, value: Skill::read(reader)? })
    }

    fn write(&self, writer: &mut Writer<'_>) {
        writer.u8(self.sequence);
        writer.u32(self.skill);
        self.value.write(writer);
    }
}

/// A skill of any object changes. All fields after the first byte are unaligned.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[doc(alias = "02DE")]
pub struct PublicUpdateSkill {
    /// The sequence number of the update.
    pub sequence: u8,
    /// The object.
    pub guid: Guid,
    /// The id of the skill.
    pub skill: u32,
    /// The new values of the skill.
    pub value: Skill,
}

impl<'a> Message<'a> for PublicUpdateSkill {
    const OPCODE: u32 = 0x02DE;
    const NAME: &'static str = "PublicUpdateSkill";

    fn read(reader: &mut Reader<'a>) -> ReadResult<Self> {
        Ok(Self {
            sequence: reader.u8("seq")?,
            guid: reader.guid("guid")?,
            skill: reader.u32("skill")?,
            value: Skill::read(reader)?,
        })
    }

    fn write(&self, writer: &mut Writer<'_>) {
        writer.u8(self.sequence);
        writer.guid(self.guid);
        writer.u32(self.skill);
        self.value.write(writer);
    }

    fn guid(&self) -> Option<Guid> {
        Some(self.guid)
    }
}

#[cfg(test)]
mod tests {
    use acmotion_types::Guid;

    use super::{PrivateUpdateSkill, PublicUpdateSkill};
    use crate::Skill;
    use crate::testing::{assert_s2c, hex};

    #[test]
    fn private_and_public_skill_updates_round_trip() {
        let skill = "7800 0100 03000000 40e20100 0a000000 05000000 000000000000f83f";
        let value = Skill {
            ranks: 120,
            adjust_pp: 1,
            advancement_class: 3,
            xp_spent: 123_456,
            init_level: 10,
            resistance_at_last_check: 5,
            last_used_time: 1.5,
        };
        let private = hex(&format!("dd020000 09 18000000 {skill}"));
        assert_eq!(private.len(), 37);
        assert_s2c(&private, PrivateUpdateSkill { sequence: 9, skill: Skill::RUN, value });
        let public = hex(&format!("de020000 09 34120080 16000000 {skill}"));
        let guid = Guid(0x8000_1234);
        assert_s2c(&public, PublicUpdateSkill { sequence: 9, guid, skill: Skill::JUMP, value });
    }
}

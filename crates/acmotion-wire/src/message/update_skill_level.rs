//! 0x02DF and 0x02E0: the ranks of a skill change.

use acmotion_types::Guid;

use super::Message;
use crate::cursor::{ReadResult, Reader, Writer};

/// The ranks of one of the player's skills change.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[doc(alias = "02DF")]
pub struct PrivateUpdateSkillLevel {
    /// The sequence number of the update.
    pub sequence: u8,
    /// The id of the skill.
    pub skill: u32,
    /// The new ranks.
    #[doc(alias = "level")]
    pub ranks: u32,
}

impl<'a> Message<'a> for PrivateUpdateSkillLevel {
    const OPCODE: u32 = 0x02DF;
    const NAME: &'static str = "PrivateUpdateSkillLevel";

    fn read(reader: &mut Reader<'a>) -> ReadResult<Self> {
        Ok(Self { sequence: reader.u8("seq")?, skill: reader.u32("skill")?, ranks: reader.u32("level")? })
    }

    fn write(&self, writer: &mut Writer<'_>) {
        writer.u8(self.sequence);
        writer.u32(self.skill);
        writer.u32(self.ranks);
    }
}

/// The ranks of a skill of any object change.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[doc(alias = "02E0")]
pub struct PublicUpdateSkillLevel {
    /// The sequence number of the update.
    pub sequence: u8,
    /// The object.
    pub guid: Guid,
    /// The id of the skill.
    pub skill: u32,
    /// The new ranks.
    #[doc(alias = "level")]
    pub ranks: u32,
}

impl<'a> Message<'a> for PublicUpdateSkillLevel {
    const OPCODE: u32 = 0x02E0;
    const NAME: &'static str = "PublicUpdateSkillLevel";

    fn read(reader: &mut Reader<'a>) -> ReadResult<Self> {
        Ok(Self {
            sequence: reader.u8("seq")?,
            guid: reader.guid("guid")?,
            skill: reader.u32("skill")?,
            ranks: reader.u32("level")?,
        })
    }

    fn write(&self, writer: &mut Writer<'_>) {
        writer.u8(self.sequence);
        writer.guid(self.guid);
        writer.u32(self.skill);
        writer.u32(self.ranks);
    }

    fn guid(&self) -> Option<Guid> {
        Some(self.guid)
    }
}

#[cfg(test)]
mod tests {
    use acmotion_types::Guid;

    use super::{PrivateUpdateSkillLevel, PublicUpdateSkillLevel};
    use crate::Skill;
    use crate::testing::{assert_s2c, hex};

    #[test]
    fn private_and_public_rank_updates_round_trip() {
        let private = PrivateUpdateSkillLevel { sequence: 2, skill: Skill::JUMP, ranks: 75 };
        assert_s2c(&hex("df020000 02 16000000 4b000000"), private);
        let guid = Guid(0x8000_1234);
        let public = PublicUpdateSkillLevel { sequence: 2, guid, skill: Skill::RUN, ranks: 75 };
        assert_s2c(&hex("e0020000 02 34120080 18000000 4b000000"), public);
    }
}

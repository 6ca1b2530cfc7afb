//! 0xF746: the id of the client's own player.

use acmotion_types::Guid;

use super::Message;
use crate::cursor::{ReadResult, Reader, Writer};

/// The id of the client's own player (rule D3).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[doc(alias = "F746")]
#[doc(alias = "CreatePlayer")]
pub struct PlayerCreate {
    /// The player.
    pub guid: Guid,
}

impl<'a> Message<'a> for PlayerCreate {
    const OPCODE: u32 = 0xF746;
    const NAME: &'static str = "PlayerCreate";

    fn read(reader: &mut Reader<'a>) -> ReadResult<Self> {
        Ok(Self { guid: reader.guid("guid")? })
    }

    fn write(&self, writer: &mut Writer<'_>) {
        writer.guid(self.guid);
    }

    fn guid(&self) -> Option<Guid> {
        Some(self.guid)
    }
}

#[cfg(test)]
mod tests {
    use acmotion_types::Guid;

    use super::PlayerCreate;
    use crate::testing::{assert_s2c, hex};

    #[test]
    fn a_player_id_round_trips() {
        assert_s2c(&hex("46f70000 01000050"), PlayerCreate { guid: Guid(0x5000_0001) });
    }
}

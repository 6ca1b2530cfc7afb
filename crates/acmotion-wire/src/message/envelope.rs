//! The numbered envelopes: game events from the server and game actions from the client.

use acmotion_types::Guid;

use super::{GameActionBody, GameEventBody, Message};
use crate::cursor::{ReadResult, Reader, Writer};

/// 0xF7B0: an envelope for events that concern one player (`docs/wire.md` §1.4).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct GameEvent<'a> {
    /// The player.
    pub guid: Guid,
    /// The sequence number of the event.
    pub sequence: u32,
    /// The event.
    pub event: GameEventBody<'a>,
}

impl<'a> Message<'a> for GameEvent<'a> {
    const OPCODE: u32 = 0xF7B0;
    const NAME: &'static str = "GameEvent";

    fn read(reader: &mut Reader<'a>) -> ReadResult<Self> {
        Ok(Self {
            guid: reader.guid("guid")?,
            sequence: reader.u32("event_sequence")?,
            event: GameEventBody::read_whole(reader)?,
        })
    }

    fn write(&self, writer: &mut Writer<'_>) {
        writer.guid(self.guid);
        writer.u32(self.sequence);
        self.event.write(writer);
    }

    fn guid(&self) -> Option<Guid> {
        Some(self.guid)
    }

    fn name(&self) -> &'static str {
        self.event.name()
    }

    fn sub_opcode(&self) -> Option<u32> {
        Some(self.event.opcode())
    }

    fn is_movement(&self) -> bool {
        self.event.is_movement()
    }
}

/// 0xF7B1: an envelope for the actions of a player (`docs/wire.md` §1.4).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct GameAction<'a> {
    /// The client's sequence number of the action.
    pub sequence: u32,
    /// The action.
    pub action: GameActionBody<'a>,
}

impl<'a> Message<'a> for GameAction<'a> {
    const OPCODE: u32 = 0xF7B1;
    const NAME: &'static str = "GameAction";

    fn read(reader: &mut Reader<'a>) -> ReadResult<Self> {
        Ok(Self { sequence: reader.u32("action_sequence")?, action: GameActionBody::read_whole(reader)? })
    }

    fn write(&self, writer: &mut Writer<'_>) {
        writer.u32(self.sequence);
        self.action.write(writer);
    }

    fn guid(&self) -> Option<Guid> {
        self.action.guid()
    }

    fn name(&self) -> &'static str {
        self.action.name()
    }

    fn sub_opcode(&self) -> Option<u32> {
        Some(self.action.opcode())
    }

    fn is_movement(&self) -> bool {
        self.action.is_movement()
    }
}

#[cfg(test)]
mod tests {
    use acmotion_types::{Era, Guid};

    use crate::testing::hex;
    use crate::{C2S, GameAction, GameActionBody, GameEvent, GameEventBody, S2C, decode_c2s, decode_s2c};

    #[test]
    fn unknown_contents_are_kept_as_bytes() {
        let bytes = hex("b0f70000 672f0050 01000000 8b020000 0102");
        let message = decode_s2c(&bytes, Era::default()).unwrap();
        let event = GameEventBody::Unknown { opcode: 0x28B, body: &[1, 2] };
        assert_eq!(message, S2C::GameEvent(GameEvent { guid: Guid(0x5000_2F67), sequence: 1, event }));
        assert_eq!((message.name(), message.sub_opcode()), ("Unknown", Some(0x28B)));

        let bytes = hex("b1f70000 11000000 1f000000 07");
        let message = decode_c2s(&bytes, Era::default()).unwrap();
        let action = GameActionBody::Unknown { opcode: 0x1F, body: &[7] };
        assert_eq!(message, C2S::GameAction(GameAction { sequence: 0x11, action }));
    }

    #[test]
    fn a_message_shorter_than_its_opcode_is_an_error() {
        for length in 0..4 {
            assert_eq!(
                decode_s2c(&[0x4C, 0xF7, 0][..length.min(3)], Era::default()).unwrap_err().field,
                "opcode"
            );
        }
        let cut = decode_c2s(&[0xB1, 0xF7, 0, 0, 1, 0, 0, 0, 0x1C], Era::default()).unwrap_err();
        assert_eq!((cut.field, cut.offset, cut.needed, cut.had), ("opcode", 8, 4, 1));
    }
}

//! The messages, one a file, fields in the order of the wire.

mod autonomous_position;
mod autonomy_level;
mod change_combat_mode;
mod create_object;
mod delete_object;
mod do_movement_command;
mod envelope;
mod jump;
mod jump_non_autonomous;
mod move_to_state;
mod obj_desc_event;
mod parent_event;
mod pickup_event;
mod play_script_id;
mod play_script_type;
mod player_create;
mod player_description;
mod player_teleport;
mod position_and_movement;
mod set_state;
mod sets;
mod sound;
mod stop_movement_command;
mod turn_to;
mod update_motion;
mod update_object;
mod update_position;
mod update_skill;
mod update_skill_level;
mod vector_update;

use acmotion_types::{Era, Guid};

pub use autonomous_position::AutonomousPosition;
pub use autonomy_level::AutonomyLevel;
pub use change_combat_mode::ChangeCombatMode;
pub use create_object::{CreateObject, ObjectDesc};
pub use delete_object::DeleteObject;
pub use do_movement_command::DoMovementCommand;
pub use envelope::{GameAction, GameEvent};
pub use jump::{Jump, JumpForm};
pub use jump_non_autonomous::JumpNonAutonomous;
pub use move_to_state::MoveToState;
pub use obj_desc_event::ObjDescEvent;
pub use parent_event::ParentEvent;
pub use pickup_event::PickupEvent;
pub use play_script_id::PlayScriptId;
pub use play_script_type::PlayScriptType;
pub use player_create::PlayerCreate;
pub use player_description::{Attribute, Attributes, PlayerDescription, Vital};
pub use player_teleport::PlayerTeleport;
pub use position_and_movement::PositionAndMovement;
pub use set_state::SetState;
pub use sets::{Action, C2S, Event, S2C, decode_c2s, decode_s2c};
pub use sound::Sound;
pub use stop_movement_command::StopMovementCommand;
pub use turn_to::TurnTo;
pub use update_motion::UpdateMotion;
pub use update_object::UpdateObject;
pub use update_position::UpdatePosition;
pub use update_skill::{PrivateUpdateSkill, PublicUpdateSkill};
pub use update_skill_level::{PrivateUpdateSkillLevel, PublicUpdateSkillLevel};
pub use vector_update::VectorUpdate;

use crate::cursor::{Read, Reader, Writer};
use crate::error::DecodeError;

/// One kind of message: its number, its name, and its bytes behind the number. Only this crate can add to the kinds.
pub trait Message<'a>: Sized {
    /// The number: of the message, of the game event, or of the game action.
    const OPCODE: u32;
    /// The name.
    const NAME: &'static str;

    /// Reads the bytes behind the number.
    #[doc(hidden)]
    fn read(reader: &mut Reader<'a>) -> Read<Self>;

    /// Writes the bytes behind the number.
    #[doc(hidden)]
    fn write(&self, writer: &mut Writer<'_>);

    /// The object that the message is about.
    fn guid(&self) -> Option<Guid> {
        None
    }

    /// The name of what is in it: that of the event or action if there is one, else its own.
    fn name(&self) -> &'static str {
        Self::NAME
    }

    /// The number of the event or action in it.
    fn sub_opcode(&self) -> Option<u32> {
        None
    }

    /// Reads the bytes behind the number to the end.
    #[doc(hidden)]
    #[inline(always)]
    fn read_whole(mut reader: Reader<'a>) -> Read<Self> {
        let message = Self::read(&mut reader)?;
        reader.finish(Self::NAME)?;
        Ok(message)
    }

    /// Decodes the bytes behind the number, all of them.
    #[inline]
    fn decode_body(body: &'a [u8], era: Era) -> Result<Self, DecodeError> {
        Self::read_whole(Reader::new(body, Self::OPCODE, era)).map_err(DecodeError::from)
    }

    /// Appends the bytes behind the number.
    #[inline]
    fn encode_body(&self, out: &mut Vec<u8>) {
        self.write(&mut Writer::new(out));
    }
}

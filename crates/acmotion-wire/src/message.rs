//! The messages. Each has its own file, with the fields in wire order.

mod attack_done;
mod autonomous_position;
mod autonomy_level;
mod cancel_attack;
mod cast_targeted_spell;
mod cast_untargeted_spell;
mod change_combat_mode;
mod combat_commence_attack;
mod create_object;
mod delete_object;
mod do_movement_command;
mod drop_item;
mod envelope;
mod get_and_wield_item;
mod inventory_put_obj_in_3d;
mod inventory_put_obj_in_container;
mod jump;
mod jump_non_autonomous;
mod magic_remove_enchantment;
mod magic_update_enchantment;
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
mod put_item_in_container;
mod set_state;
mod sets;
mod sound;
mod stop_movement_command;
mod targeted_melee_attack;
mod targeted_missile_attack;
mod turn_to;
mod update_attribute;
mod update_attribute_2nd_level;
mod update_motion;
mod update_object;
mod update_position;
mod update_property_int;
mod update_skill;
mod update_skill_level;
mod use_done;
mod use_object;
mod use_with_target;
mod vector_update;
mod wield_item;

use acmotion_types::{Era, Guid};

pub use attack_done::AttackDone;
pub use autonomous_position::AutonomousPosition;
pub use autonomy_level::AutonomyLevel;
pub use cancel_attack::CancelAttack;
pub use cast_targeted_spell::CastTargetedSpell;
pub use cast_untargeted_spell::CastUntargetedSpell;
pub use change_combat_mode::ChangeCombatMode;
pub use combat_commence_attack::CombatCommenceAttack;
pub use create_object::{CreateObject, ObjectDesc};
pub use delete_object::DeleteObject;
pub use do_movement_command::DoMovementCommand;
pub use drop_item::DropItem;
pub use envelope::{GameAction, GameEvent};
pub use get_and_wield_item::GetAndWieldItem;
pub use inventory_put_obj_in_3d::InventoryPutObjIn3D;
pub use inventory_put_obj_in_container::InventoryPutObjInContainer;
pub use jump::{Jump, JumpForm};
pub use jump_non_autonomous::JumpNonAutonomous;
pub use magic_remove_enchantment::MagicRemoveEnchantment;
pub use magic_update_enchantment::MagicUpdateEnchantment;
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
pub use put_item_in_container::PutItemInContainer;
pub use set_state::SetState;
pub use sets::{C2S, GameActionBody, GameEventBody, S2C, decode_c2s, decode_s2c, is_movement};
pub use sound::Sound;
pub use stop_movement_command::StopMovementCommand;
pub use targeted_melee_attack::TargetedMeleeAttack;
pub use targeted_missile_attack::TargetedMissileAttack;
pub use turn_to::TurnTo;
pub use update_attribute::PrivateUpdateAttribute;
pub use update_attribute_2nd_level::PrivateUpdateAttribute2ndLevel;
pub use update_motion::UpdateMotion;
pub use update_object::UpdateObject;
pub use update_position::UpdatePosition;
pub use update_property_int::{PrivateUpdatePropertyInt, PublicUpdatePropertyInt};
pub use update_skill::{PrivateUpdateSkill, PublicUpdateSkill};
pub use update_skill_level::{PrivateUpdateSkillLevel, PublicUpdateSkillLevel};
pub use use_done::UseDone;
pub use use_object::Use;
pub use use_with_target::UseWithTarget;
pub use vector_update::VectorUpdate;
pub use wield_item::WieldItem;

use crate::cursor::{ReadResult, Reader, Writer};
use crate::error::DecodeError;

/// A type of message: its opcode, its name, and the encoding of its body. The trait can only be implemented in this
/// crate.
pub trait Message<'a>: Sized {
    /// The opcode of the message, game event or game action.
    const OPCODE: u32;
    /// The name of the message, game event or game action.
    const NAME: &'static str;
    /// Whether the message is about movement. The others are those that movement depends on (`docs/wire.md` §6).
    const IS_MOVEMENT: bool = true;

    /// Reads the body.
    #[doc(hidden)]
    fn read(reader: &mut Reader<'a>) -> ReadResult<Self>;

    /// Writes the body.
    #[doc(hidden)]
    fn write(&self, writer: &mut Writer<'_>);

    /// Returns the object the message is about, or `None` if it names no object.
    fn guid(&self) -> Option<Guid> {
        None
    }

    /// Returns the name of the event or action the message contains, or else its own name.
    fn name(&self) -> &'static str {
        Self::NAME
    }

    /// Returns the opcode of the event or action the message contains, or `None` if it is not an envelope.
    fn sub_opcode(&self) -> Option<u32> {
        None
    }

    /// Returns `true` if the message, or the event or action it contains, is about movement.
    fn is_movement(&self) -> bool {
        Self::IS_MOVEMENT
    }

    /// Reads the body and checks that nothing follows it.
    #[doc(hidden)]
    #[inline(always)]
    fn read_whole(mut reader: Reader<'a>) -> ReadResult<Self> {
        let message = Self::read(&mut reader)?;
        reader.finish(Self::NAME)?;
        Ok(message)
    }

    /// Decodes a body: all bytes after the opcode.
    ///
    /// # Errors
    /// Returns an error if bytes are missing or left over, or a field has an invalid value.
    #[inline]
    fn decode_body(body: &'a [u8], era: Era) -> Result<Self, DecodeError> {
        Self::read_whole(Reader::new(body, Self::OPCODE, era)).map_err(DecodeError::from)
    }

    /// Appends the body: all bytes after the opcode.
    #[inline]
    fn encode_body(&self, out: &mut Vec<u8>) {
        self.write(&mut Writer::new(out));
    }
}

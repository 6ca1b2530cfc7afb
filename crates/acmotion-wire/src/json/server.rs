//! The JSON forms of server messages about existing objects.

use serde_json::Value;

use super::DecodedJson;
use super::value::*;
use crate::flags::MotionFlags;
use crate::message::*;
use crate::parts::{InterpretedState, Movement, MovementBody, MovementData, PositionPack, Skill};

impl DecodedJson for UpdateMotion<'_> {
    fn decoded_json(&self) -> Value {
        let object =
            ObjectBuilder::default().put("guid", guid(self.guid)).put("instance_seq", stamp(self.instance));
        put_movement_data(object, &self.data).into()
    }
}

impl DecodedJson for UpdatePosition {
    fn decoded_json(&self) -> Value {
        put_pack(ObjectBuilder::default().put("guid", guid(self.guid)), &self.pack).into()
    }
}

impl DecodedJson for PositionAndMovement<'_> {
    fn decoded_json(&self) -> Value {
        let object = put_pack(ObjectBuilder::default().put("guid", guid(self.guid)), &self.pack);
        put_movement_data(object, &self.data).into()
    }
}

fn put_pack(object: ObjectBuilder, pack: &PositionPack) -> ObjectBuilder {
    object
        .put("flags", hex32(pack.flags.bits()))
        .put("position", position(&pack.position))
        .put_some("velocity", pack.velocity.map(vector))
        .put_some("placement", pack.placement)
        .put("grounded", pack.is_grounded())
        .put("instance_seq", stamp(pack.instance))
        .put("position_seq", stamp(pack.position_stamp))
        .put("teleport_seq", stamp(pack.teleport))
        .put("force_position_seq", stamp(pack.force_position))
}

fn put_movement_data(object: ObjectBuilder, data: &MovementData<'_>) -> ObjectBuilder {
    object
        .put("movement_seq", stamp(data.movement_stamp))
        .put("server_control_seq", stamp(data.server_control))
        .put("autonomous", data.autonomous.get())
        .put("movement", movement(&data.movement))
}

pub(super) fn movement(movement: &Movement<'_>) -> Value {
    let object = ObjectBuilder::default()
        .put("type", movement.body.movement_type())
        .put("standing_long_jump", movement.is_standing_long_jump())
        .put("style", style(movement.style));
    let object = match &movement.body {
        MovementBody::Interpreted { state, sticky } => {
            return object
                .put("state", interpreted_state(state))
                .put_some("sticky_object", sticky.map(guid))
                .into();
        }
        MovementBody::MoveToObject { target, origin, params, run_rate } => object
            .put("target", guid(*target))
            .put("run_rate", float(*run_rate))
            .put("origin", origin_json(origin))
            .put("params", move_to_params(params)),
        MovementBody::MoveToPosition { origin, params, run_rate } => object
            .put("run_rate", float(*run_rate))
            .put("origin", origin_json(origin))
            .put("params", move_to_params(params)),
        MovementBody::TurnToObject { target, heading, params } => object
            .put("target", guid(*target))
            .put("heading", float(*heading))
            .put("params", turn_to_params(params)),
        MovementBody::TurnToHeading { params } => object.put("params", turn_to_params(params)),
    };
    let sticks = movement.flags.contains(MotionFlags::STICK_TO_OBJECT);
    object.put_some("sticky_flag", sticks.then_some(true)).into()
}

fn interpreted_state(state: &InterpretedState<'_>) -> Value {
    ObjectBuilder::default()
        .put_some("current_style", state.current_style.map(style))
        .put_some("forward_command", state.forward_command.map(command))
        .put_some("sidestep_command", state.sidestep_command.map(command))
        .put_some("turn_command", state.turn_command.map(command))
        .put_some("forward_speed", state.forward_speed.map(float))
        .put_some("sidestep_speed", state.sidestep_speed.map(float))
        .put_some("turn_speed", state.turn_speed.map(float))
        .put("actions", actions(&state.actions))
        .into()
}

impl DecodedJson for VectorUpdate {
    fn decoded_json(&self) -> Value {
        ObjectBuilder::default()
            .put("guid", guid(self.guid))
            .put("velocity", vector(self.velocity))
            .put("omega", vector(self.omega))
            .put("instance_seq", stamp(self.instance))
            .put("vector_seq", stamp(self.vector))
            .into()
    }
}

impl DecodedJson for SetState {
    fn decoded_json(&self) -> Value {
        ObjectBuilder::default()
            .put("guid", guid(self.guid))
            .put("state", hex32(self.state.bits()))
            .put("instance_seq", stamp(self.instance))
            .put("state_seq", stamp(self.state_stamp))
            .into()
    }
}

impl DecodedJson for PlayerCreate {
    fn decoded_json(&self) -> Value {
        ObjectBuilder::default().put("guid", guid(self.guid)).into()
    }
}

impl DecodedJson for DeleteObject {
    fn decoded_json(&self) -> Value {
        ObjectBuilder::default().put("guid", guid(self.guid)).put("instance_seq", stamp(self.instance)).into()
    }
}

impl DecodedJson for ParentEvent {
    fn decoded_json(&self) -> Value {
        ObjectBuilder::default()
            .put("guid", guid(self.parent))
            .put("child", guid(self.child))
            .put("location", self.location)
            .put("placement", self.placement)
            .put("parent_instance_seq", stamp(self.parent_instance))
            .put("child_position_seq", stamp(self.child_position))
            .into()
    }
}

impl DecodedJson for PickupEvent {
    fn decoded_json(&self) -> Value {
        ObjectBuilder::default()
            .put("guid", guid(self.guid))
            .put("instance_seq", stamp(self.instance))
            .put("position_seq", stamp(self.position))
            .into()
    }
}

impl DecodedJson for ObjDescEvent<'_> {
    fn decoded_json(&self) -> Value {
        ObjectBuilder::default()
            .put("guid", guid(self.guid))
            .put("instance_seq", stamp(self.instance))
            .put("visual_desc_seq", stamp(self.visual_desc))
            .into()
    }
}

impl DecodedJson for Sound {
    fn decoded_json(&self) -> Value {
        ObjectBuilder::default()
            .put("guid", guid(self.guid))
            .put("sound", self.sound)
            .put("volume", float(self.volume))
            .into()
    }
}

impl DecodedJson for PlayerTeleport {
    fn decoded_json(&self) -> Value {
        ObjectBuilder::default().put("teleport_seq", stamp(self.teleport)).into()
    }
}

impl DecodedJson for PlayScriptId {
    fn decoded_json(&self) -> Value {
        ObjectBuilder::default().put("guid", guid(self.guid)).put("script", hex32(self.script)).into()
    }
}

impl DecodedJson for PlayScriptType {
    fn decoded_json(&self) -> Value {
        ObjectBuilder::default()
            .put("guid", guid(self.guid))
            .put("script_type", self.script_type)
            .put("speed", float(self.speed))
            .into()
    }
}

impl DecodedJson for PrivateUpdateSkill {
    fn decoded_json(&self) -> Value {
        let object = ObjectBuilder::default().put("seq", self.sequence).put("skill", self.skill);
        put_skill(object, &self.value).into()
    }
}

impl DecodedJson for PublicUpdateSkill {
    fn decoded_json(&self) -> Value {
        let object = ObjectBuilder::default()
            .put("seq", self.sequence)
            .put("guid", guid(self.guid))
            .put("skill", self.skill);
        put_skill(object, &self.value).into()
    }
}

fn put_skill(object: ObjectBuilder, skill: &Skill) -> ObjectBuilder {
    object
        .put("ranks", skill.ranks)
        .put("adjust_pp", skill.adjust_pp)
        .put("advancement_class", skill.advancement_class)
        .put("xp_spent", skill.xp_spent)
        .put("init_level", skill.init_level)
        .put("resistance_at_last_check", skill.resistance_at_last_check)
        .put("last_used_time", double(skill.last_used_time))
}

impl DecodedJson for PrivateUpdateSkillLevel {
    fn decoded_json(&self) -> Value {
        ObjectBuilder::default()
            .put("seq", self.sequence)
            .put("skill", self.skill)
            .put("level", self.ranks)
            .into()
    }
}

impl DecodedJson for PublicUpdateSkillLevel {
    fn decoded_json(&self) -> Value {
        ObjectBuilder::default()
            .put("seq", self.sequence)
            .put("guid", guid(self.guid))
            .put("skill", self.skill)
            .put("level", self.ranks)
            .into()
    }
}

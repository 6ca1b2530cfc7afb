//! The JSON forms of server messages about existing objects.

use super::DecodedJson;
use super::value::*;
use super::writer::{JsonWriter, ToJson, object};
use crate::flags::MotionFlags;
use crate::message::*;
use crate::parts::{InterpretedState, Movement, MovementBody, MovementData, PositionPack, Skill};

impl DecodedJson for UpdateMotion<'_> {
    fn put_fields(&self, json: &mut JsonWriter<'_>) {
        json.put("guid", guid(self.guid)).put("instance_seq", stamp(self.instance));
        put_movement_data(json, &self.data);
    }
}

impl DecodedJson for UpdatePosition {
    fn put_fields(&self, json: &mut JsonWriter<'_>) {
        put_pack(json.put("guid", guid(self.guid)), &self.pack);
    }
}

impl DecodedJson for PositionAndMovement<'_> {
    fn put_fields(&self, json: &mut JsonWriter<'_>) {
        put_pack(json.put("guid", guid(self.guid)), &self.pack);
        put_movement_data(json, &self.data);
    }
}

fn put_pack(json: &mut JsonWriter<'_>, pack: &PositionPack) {
    json.put("flags", hex32(pack.flags.bits()))
        .put("position", position(&pack.position))
        .put_some("velocity", pack.velocity.map(vector))
        .put_some("placement", pack.placement)
        .put("grounded", pack.is_grounded())
        .put("instance_seq", stamp(pack.instance))
        .put("position_seq", stamp(pack.position_stamp))
        .put("teleport_seq", stamp(pack.teleport))
        .put("force_position_seq", stamp(pack.force_position));
}

fn put_movement_data(json: &mut JsonWriter<'_>, data: &MovementData<'_>) {
    json.put("movement_seq", stamp(data.movement_stamp))
        .put("server_control_seq", stamp(data.server_control))
        .put("autonomous", data.autonomous.get())
        .put("movement", movement(&data.movement));
}

pub(super) fn movement(movement: &Movement<'_>) -> impl ToJson {
    object(move |json| put_movement(json, movement))
}

fn put_movement(json: &mut JsonWriter<'_>, movement: &Movement<'_>) {
    json.put("type", movement.body.movement_type())
        .put("standing_long_jump", movement.is_standing_long_jump())
        .put("style", style(movement.style));
    match &movement.body {
        MovementBody::Interpreted { state, sticky } => {
            json.put("state", interpreted_state(state)).put_some("sticky_object", sticky.map(guid));
            return;
        }
        MovementBody::MoveToObject { target, origin, params, run_rate } => json
            .put("target", guid(*target))
            .put("run_rate", float(*run_rate))
            .put("origin", origin_json(origin))
            .put("params", move_to_params(params)),
        MovementBody::MoveToPosition { origin, params, run_rate } => json
            .put("run_rate", float(*run_rate))
            .put("origin", origin_json(origin))
            .put("params", move_to_params(params)),
        MovementBody::TurnToObject { target, heading, params } => json
            .put("target", guid(*target))
            .put("heading", float(*heading))
            .put("params", turn_to_params(params)),
        MovementBody::TurnToHeading { params } => json.put("params", turn_to_params(params)),
    };
    let sticks = movement.flags.contains(MotionFlags::STICK_TO_OBJECT);
    json.put_some("sticky_flag", sticks.then_some(true));
}

fn interpreted_state(state: &InterpretedState<'_>) -> impl ToJson {
    object(move |json| {
        json.put_some("current_style", state.current_style.map(style))
            .put_some("forward_command", state.forward_command.map(command))
            .put_some("sidestep_command", state.sidestep_command.map(command))
            .put_some("turn_command", state.turn_command.map(command))
            .put_some("forward_speed", state.forward_speed.map(float))
            .put_some("sidestep_speed", state.sidestep_speed.map(float))
            .put_some("turn_speed", state.turn_speed.map(float))
            .put("actions", actions(&state.actions));
    })
}

impl DecodedJson for VectorUpdate {
    fn put_fields(&self, json: &mut JsonWriter<'_>) {
        json.put("guid", guid(self.guid))
            .put("velocity", vector(self.velocity))
            .put("omega", vector(self.omega))
            .put("instance_seq", stamp(self.instance))
            .put("vector_seq", stamp(self.vector));
    }
}

impl DecodedJson for SetState {
    fn put_fields(&self, json: &mut JsonWriter<'_>) {
        json.put("guid", guid(self.guid))
            .put("state", hex32(self.state.bits()))
            .put("instance_seq", stamp(self.instance))
            .put("state_seq", stamp(self.state_stamp));
    }
}

impl DecodedJson for PlayerCreate {
    fn put_fields(&self, json: &mut JsonWriter<'_>) {
        json.put("guid", guid(self.guid));
    }
}

impl DecodedJson for DeleteObject {
    fn put_fields(&self, json: &mut JsonWriter<'_>) {
        json.put("guid", guid(self.guid)).put("instance_seq", stamp(self.instance));
    }
}

impl DecodedJson for ParentEvent {
    fn put_fields(&self, json: &mut JsonWriter<'_>) {
        json.put("guid", guid(self.parent))
            .put("child", guid(self.child))
            .put("location", self.location)
            .put("placement", self.placement)
            .put("parent_instance_seq", stamp(self.parent_instance))
            .put("child_position_seq", stamp(self.child_position));
    }
}

impl DecodedJson for PickupEvent {
    fn put_fields(&self, json: &mut JsonWriter<'_>) {
        json.put("guid", guid(self.guid))
            .put("instance_seq", stamp(self.instance))
            .put("position_seq", stamp(self.position));
    }
}

impl DecodedJson for ObjDescEvent<'_> {
    fn put_fields(&self, json: &mut JsonWriter<'_>) {
        json.put("guid", guid(self.guid))
            .put("instance_seq", stamp(self.instance))
            .put("visual_desc_seq", stamp(self.visual_desc));
    }
}

impl DecodedJson for Sound {
    fn put_fields(&self, json: &mut JsonWriter<'_>) {
        json.put("guid", guid(self.guid)).put("sound", self.sound).put("volume", float(self.volume));
    }
}

impl DecodedJson for PlayerTeleport {
    fn put_fields(&self, json: &mut JsonWriter<'_>) {
        json.put("teleport_seq", stamp(self.teleport));
    }
}

impl DecodedJson for PlayScriptId {
    fn put_fields(&self, json: &mut JsonWriter<'_>) {
        json.put("guid", guid(self.guid)).put("script", hex32(self.script));
    }
}

impl DecodedJson for PlayScriptType {
    fn put_fields(&self, json: &mut JsonWriter<'_>) {
        json.put("guid", guid(self.guid))
            .put("script_type", self.script_type)
            .put("speed", float(self.speed));
    }
}

impl DecodedJson for PrivateUpdateSkill {
    fn put_fields(&self, json: &mut JsonWriter<'_>) {
        json.put("seq", self.sequence).put("skill", self.skill);
        put_skill(json, &self.value);
    }
}

impl DecodedJson for PublicUpdateSkill {
    fn put_fields(&self, json: &mut JsonWriter<'_>) {
        json.put("seq", self.sequence).put("guid", guid(self.guid)).put("skill", self.skill);
        put_skill(json, &self.value);
    }
}

fn put_skill(json: &mut JsonWriter<'_>, skill: &Skill) {
    json.put("ranks", skill.ranks)
        .put("adjust_pp", skill.adjust_pp)
        .put("advancement_class", skill.advancement_class)
        .put("xp_spent", skill.xp_spent)
        .put("init_level", skill.init_level)
        .put("resistance_at_last_check", skill.resistance_at_last_check)
        .put("last_used_time", double(skill.last_used_time));
}

impl DecodedJson for PrivateUpdateSkillLevel {
    fn put_fields(&self, json: &mut JsonWriter<'_>) {
        json.put("seq", self.sequence).put("skill", self.skill).put("level", self.ranks);
    }
}

impl DecodedJson for PublicUpdateSkillLevel {
    fn put_fields(&self, json: &mut JsonWriter<'_>) {
        json.put("seq", self.sequence)
            .put("guid", guid(self.guid))
            .put("skill", self.skill)
            .put("level", self.ranks);
    }
}

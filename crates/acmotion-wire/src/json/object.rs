//! The JSON forms of new objects and of the player description.

use super::DecodedJson;
use super::character::enchantment_registry;
use super::server::movement;
use super::value::{float, guid, hex32, position, stamp, vector};
use super::writer::{Hex, JsonWriter, ToJson, list, object};
use crate::message::{Attribute, Attributes, ObjectDesc, PlayerDescription, Vital};
use crate::parts::{Attachment, InitialMovement, ObjectStamps, PhysicsDesc, Skill};

impl DecodedJson for ObjectDesc<'_> {
    fn put_fields(&self, json: &mut JsonWriter<'_>) {
        json.put("guid", guid(self.guid))
            .put("name", self.weenie.name().chars().collect::<String>())
            .put("wcid", self.weenie.class_id());
        put_physics(json, &self.physics);
    }
}

fn put_physics(json: &mut JsonWriter<'_>, physics: &PhysicsDesc<'_>) {
    json.put("physics_flags", hex32(physics.flags.bits())).put("physics_state", hex32(physics.state.bits()));
    put_movement(json, physics.movement.as_ref());
    json.put_some("position", physics.position.as_ref().map(position))
        .put_some("placement", physics.placement)
        .put_some("motion_table", physics.motion_table.map(hex32))
        .put_some("sound_table", physics.sound_table.map(hex32))
        .put_some("physics_script_table", physics.physics_script_table.map(hex32))
        .put_some("setup", physics.setup.map(hex32))
        .put_some("parent", physics.parent.map(attachment))
        .put_some("children", physics.children.map(|children| list(children.iter().map(attachment))))
        .put_some("scale", physics.scale.map(float))
        .put_some("friction", physics.friction.map(float))
        .put_some("elasticity", physics.elasticity.map(float))
        .put_some("translucency", physics.translucency.map(float))
        .put_some("velocity", physics.velocity.map(vector))
        .put_some("acceleration", physics.acceleration.map(vector))
        .put_some("omega", physics.omega.map(vector))
        .put_some("default_script", physics.default_script.map(hex32))
        .put_some("default_script_intensity", physics.default_script_intensity.map(float))
        .put("timestamps", timestamps(&physics.stamps));
}

fn put_movement(json: &mut JsonWriter<'_>, initial: Option<&InitialMovement<'_>>) {
    match initial {
        None => {}
        Some(InitialMovement::Empty) => {
            json.put("movement", None::<Hex>);
        }
        Some(InitialMovement::Movement { movement: body, autonomous }) => {
            json.put("movement", movement(body)).put("movement_autonomous", autonomous.get());
        }
    }
}

fn attachment(attachment: Attachment) -> impl ToJson {
    object(move |json| {
        json.put("guid", guid(attachment.guid)).put("location", attachment.location);
    })
}

fn timestamps(stamps: &ObjectStamps) -> impl ToJson {
    object(move |json| {
        json.put("position", stamp(stamps.position))
            .put("movement", stamp(stamps.movement))
            .put("state", stamp(stamps.state))
            .put("vector", stamp(stamps.vector))
            .put("teleport", stamp(stamps.teleport))
            .put("server_control", stamp(stamps.server_control))
            .put("force_position", stamp(stamps.force_position))
            .put("visual_desc", stamp(stamps.visual_desc))
            .put("instance", stamp(stamps.instance));
    })
}

impl DecodedJson for PlayerDescription<'_> {
    fn put_fields(&self, json: &mut JsonWriter<'_>) {
        json.put_some("attributes", self.attributes().as_ref().map(attributes))
            .put_some("run", self.run().as_ref().map(skill))
            .put_some("jump", self.jump().as_ref().map(skill))
            .put_some("burden", self.burden());
    }
}

/// Adds the fields of a player description, and its enchantments.
pub(super) fn put_full_description(json: &mut JsonWriter<'_>, player: &PlayerDescription<'_>) {
    player.put_fields(json);
    json.put("enchantments", enchantment_registry(&player.enchantments()));
}

fn attributes(attributes: &Attributes) -> impl ToJson {
    object(move |json| {
        json.put_some("strength", attributes.strength.map(attribute))
            .put_some("endurance", attributes.endurance.map(attribute))
            .put_some("quickness", attributes.quickness.map(attribute))
            .put_some("coordination", attributes.coordination.map(attribute))
            .put_some("focus", attributes.focus.map(attribute))
            .put_some("self", attributes.self_.map(attribute))
            .put_some("health", attributes.health.map(vital))
            .put_some("stamina", attributes.stamina.map(vital))
            .put_some("mana", attributes.mana.map(vital));
    })
}

fn attribute(attribute: Attribute) -> impl ToJson {
    object(move |json| {
        json.put("ranks", attribute.ranks).put("start", attribute.start);
    })
}

fn vital(vital: Vital) -> impl ToJson {
    object(move |json| {
        json.put("ranks", vital.ranks).put("start", vital.start).put("current", vital.current);
    })
}

fn skill(skill: &Skill) -> impl ToJson {
    object(move |json| {
        json.put("ranks", skill.ranks)
            .put("init_level", skill.init_level)
            .put("advancement_class", skill.advancement_class);
    })
}

//! The JSON forms of new objects and of the player description.

use serde_json::Value;

use super::DecodedJson;
use super::character::enchantment_registry;
use super::server::movement;
use super::value::{ObjectBuilder, float, guid, hex32, position, stamp, vector};
use crate::message::{Attribute, Attributes, ObjectDesc, PlayerDescription, Vital};
use crate::parts::{Attachment, InitialMovement, ObjectStamps, PhysicsDesc, Skill};

impl DecodedJson for ObjectDesc<'_> {
    fn decoded_json(&self) -> Value {
        let object = ObjectBuilder::default()
            .put("guid", guid(self.guid))
            .put("name", self.weenie.name().to_string())
            .put("wcid", self.weenie.class_id());
        put_physics(object, &self.physics).into()
    }
}

fn put_physics(object: ObjectBuilder, physics: &PhysicsDesc<'_>) -> ObjectBuilder {
    let object = object
        .put("physics_flags", hex32(physics.flags.bits()))
        .put("physics_state", hex32(physics.state.bits()));
    put_movement(object, physics.movement.as_ref())
        .put_some("position", physics.position.as_ref().map(position))
        .put_some("placement", physics.placement)
        .put_some("motion_table", physics.motion_table.map(hex32))
        .put_some("sound_table", physics.sound_table.map(hex32))
        .put_some("physics_script_table", physics.physics_script_table.map(hex32))
        .put_some("setup", physics.setup.map(hex32))
        .put_some("parent", physics.parent.map(attachment))
        .put_some(
            "children",
            physics.children.map(|children| children.iter().map(attachment).collect::<Vec<_>>()),
        )
        .put_some("scale", physics.scale.map(float))
        .put_some("friction", physics.friction.map(float))
        .put_some("elasticity", physics.elasticity.map(float))
        .put_some("translucency", physics.translucency.map(float))
        .put_some("velocity", physics.velocity.map(vector))
        .put_some("acceleration", physics.acceleration.map(vector))
        .put_some("omega", physics.omega.map(vector))
        .put_some("default_script", physics.default_script.map(hex32))
        .put_some("default_script_intensity", physics.default_script_intensity.map(float))
        .put("timestamps", timestamps(&physics.stamps))
}

fn put_movement(object: ObjectBuilder, initial: Option<&InitialMovement<'_>>) -> ObjectBuilder {
    match initial {
        None => object,
        Some(InitialMovement::Empty) => object.put("movement", Value::Null),
        Some(InitialMovement::Movement { movement: body, autonomous }) => {
            object.put("movement", movement(body)).put("movement_autonomous", autonomous.get())
        }
    }
}

fn attachment(attachment: Attachment) -> Value {
    ObjectBuilder::default().put("guid", guid(attachment.guid)).put("location", attachment.location).into()
}

fn timestamps(stamps: &ObjectStamps) -> Value {
    ObjectBuilder::default()
        .put("position", stamp(stamps.position))
        .put("movement", stamp(stamps.movement))
        .put("state", stamp(stamps.state))
        .put("vector", stamp(stamps.vector))
        .put("teleport", stamp(stamps.teleport))
        .put("server_control", stamp(stamps.server_control))
        .put("force_position", stamp(stamps.force_position))
        .put("visual_desc", stamp(stamps.visual_desc))
        .put("instance", stamp(stamps.instance))
        .into()
}

impl DecodedJson for PlayerDescription<'_> {
    fn decoded_json(&self) -> Value {
        description(self).into()
    }
}

/// Returns the form of a player description that includes the enchantments.
pub(super) fn full_description(player: &PlayerDescription<'_>) -> Value {
    description(player).put("enchantments", enchantment_registry(&player.enchantments())).into()
}

fn description(player: &PlayerDescription<'_>) -> ObjectBuilder {
    ObjectBuilder::default()
        .put_some("attributes", player.attributes().as_ref().map(attributes))
        .put_some("run", player.run().as_ref().map(skill))
        .put_some("jump", player.jump().as_ref().map(skill))
        .put_some("burden", player.burden())
}

fn attributes(attributes: &Attributes) -> Value {
    ObjectBuilder::default()
        .put_some("strength", attributes.strength.map(attribute))
        .put_some("endurance", attributes.endurance.map(attribute))
        .put_some("quickness", attributes.quickness.map(attribute))
        .put_some("coordination", attributes.coordination.map(attribute))
        .put_some("focus", attributes.focus.map(attribute))
        .put_some("self", attributes.self_.map(attribute))
        .put_some("health", attributes.health.map(vital))
        .put_some("stamina", attributes.stamina.map(vital))
        .put_some("mana", attributes.mana.map(vital))
        .into()
}

fn attribute(attribute: Attribute) -> Value {
    ObjectBuilder::default().put("ranks", attribute.ranks).put("start", attribute.start).into()
}

fn vital(vital: Vital) -> Value {
    ObjectBuilder::default()
        .put("ranks", vital.ranks)
        .put("start", vital.start)
        .put("current", vital.current)
        .into()
}

fn skill(skill: &Skill) -> Value {
    ObjectBuilder::default()
        .put("ranks", skill.ranks)
        .put("init_level", skill.init_level)
        .put("advancement_class", skill.advancement_class)
        .into()
}

//! Describes messages that movement depends on: properties, attributes, enchantments, combat and items.

use std::borrow::Cow;
use std::fmt::Write as _;

use acmotion_types::Guid;
use acmotion_wire::{
    AttackHeight, Attribute, Enchantment, GameActionBody, GameEventBody, PrivateUpdatePropertyInt,
    StatModFlags, Vital,
};

use super::describe::{Names, put, put_number};
use crate::numbers::{Line, push_rounded};

/// Appends the new value of an integer property.
pub(super) fn put_property(out: &mut Line, property: u32, value: i32) {
    match property {
        PrivateUpdatePropertyInt::BURDEN => put!(out, "burden {value}"),
        _ => put!(out, "property {property}: {value}"),
    }
}

/// Appends the new values of an attribute.
pub(super) fn put_attribute(out: &mut Line, id: u32, attribute: &Attribute) {
    let Attribute { ranks, start, .. } = attribute;
    put!(out, "{}: {start} + {ranks} ranks", attribute_name(id));
}

fn attribute_name(id: u32) -> Cow<'static, str> {
    Cow::Borrowed(match id {
        Attribute::STRENGTH => "strength",
        Attribute::ENDURANCE => "endurance",
        Attribute::QUICKNESS => "quickness",
        Attribute::COORDINATION => "coordination",
        Attribute::FOCUS => "focus",
        Attribute::SELF => "self",
        _ => return Cow::Owned(format!("attribute {id}")),
    })
}

/// Appends the new current value of a vital.
pub(super) fn put_vital(out: &mut Line, id: u32, current: u32) {
    match id {
        Vital::HEALTH => put!(out, "health {current}"),
        Vital::STAMINA => put!(out, "stamina {current}"),
        Vital::MANA => put!(out, "mana {current}"),
        _ => put!(out, "vital {id}: {current}"),
    }
}

/// Appends the description of a game event; nothing if the event is of an unknown type.
pub(super) fn put_event(out: &mut Line, event: &GameEventBody<'_>, names: &Names) {
    match event {
        GameEventBody::MagicUpdateEnchantment(event) => put_enchantment(out, &event.enchantment, names),
        GameEventBody::MagicRemoveEnchantment(event) => {
            put!(out, "spell {} (layer {}) ends", event.spell, event.layer);
        }
        GameEventBody::UseDone(event) => put_done(out, "the use is over", event.error),
        GameEventBody::AttackDone(event) => put_done(out, "the attack is over", event.error),
        GameEventBody::CombatCommenceAttack(_) => out.push_str("an attack begins"),
        GameEventBody::InventoryPutObjInContainer(event) => {
            names.put_label(out, Some(event.item));
            put_target(out, " moves into ", event.container, names);
            put!(out, ", slot {}", event.slot);
        }
        GameEventBody::WieldItem(event) => {
            put_target(out, "wields ", event.item, names);
            put!(out, " at location 0x{:X}", event.location);
        }
        GameEventBody::InventoryPutObjIn3D(event) => put_target(out, "drops ", event.item, names),
        _ => {}
    }
}

/// Appends what happens to an object.
fn put_target(out: &mut Line, what: &str, target: Guid, names: &Names) {
    out.push_str(what);
    names.put_label(out, Some(target));
}

fn put_done(out: &mut Line, what: &str, error: u32) {
    out.push_str(what);
    if error != 0 {
        put!(out, ": error 0x{error:X}");
    }
}

fn put_enchantment(out: &mut Line, enchantment: &Enchantment, names: &Names) {
    let Enchantment { spell, layer, duration, stat_value, .. } = *enchantment;
    put!(out, "spell {spell} (layer {layer}): ");
    match enchantment.stat_mod {
        kind if kind.contains(StatModFlags::COOLDOWN) => out.push_str("cooldown"),
        kind if kind.contains(StatModFlags::MULTIPLICATIVE) => {
            put!(out, "{} ×", modified(enchantment));
            put_number(out, stat_value);
        }
        kind if kind.contains(StatModFlags::ADDITIVE) => {
            put!(out, "{} {}", modified(enchantment), if stat_value < 0.0 { "" } else { "+" });
            put_number(out, stat_value);
        }
        kind => put!(out, "effect 0x{:08X}", kind.bits()),
    }
    if duration < 0.0 {
        out.push_str(" without end");
    } else {
        out.push_str(" for ");
        push_rounded(out, duration, 2);
        out.push_str(" s");
    }
    put_target(out, ", cast by ", enchantment.caster, names);
}

/// Returns the name of the value that an enchantment modifies.
fn modified(enchantment: &Enchantment) -> Cow<'static, str> {
    let (kind, key) = (enchantment.stat_mod, enchantment.stat_key);
    if kind.contains(StatModFlags::MULTIPLE_STAT) {
        return Cow::Borrowed("several values");
    }
    Cow::Owned(match kind {
        kind if kind.contains(StatModFlags::ATTRIBUTE) => return attribute_name(key),
        kind if kind.contains(StatModFlags::VITAL) => format!("vital {key}"),
        kind if kind.contains(StatModFlags::SKILL) => format!("skill {key}"),
        kind if kind.intersects(StatModFlags::INT | StatModFlags::FLOAT) => format!("property {key}"),
        _ => format!("value {key}"),
    })
}

/// Appends the description of a client action on the object that the action names; nothing if the action is of an unknown
/// type.
pub(super) fn put_action(out: &mut Line, action: &GameActionBody<'_>, names: &Names) {
    match action {
        GameActionBody::TargetedMeleeAttack(action) => {
            out.push_str("is attacked ");
            put_height(out, action.height);
            out.push_str(", power ");
            put_number(out, action.power);
        }
        GameActionBody::TargetedMissileAttack(action) => {
            out.push_str("is the target of a missile ");
            put_height(out, action.height);
            out.push_str(", accuracy ");
            put_number(out, action.accuracy);
        }
        GameActionBody::CastUntargetedSpell(action) => put!(out, "casts spell {}", action.spell),
        GameActionBody::CastTargetedSpell(action) => put!(out, "is the target of spell {}", action.spell),
        GameActionBody::Use(_) => out.push_str("is used"),
        GameActionBody::UseWithTarget(action) => put_target(out, "is the target of ", action.tool, names),
        GameActionBody::PutItemInContainer(action) => {
            put_target(out, "is put into ", action.container, names);
            put!(out, ", slot {}", action.slot);
        }
        GameActionBody::GetAndWieldItem(action) => {
            put!(out, "is wielded at location 0x{:X}", action.location);
        }
        GameActionBody::DropItem(_) => out.push_str("is dropped"),
        GameActionBody::CancelAttack(_) => out.push_str("stops attacking"),
        _ => {}
    }
}

fn put_height(out: &mut Line, height: AttackHeight) {
    match height.name() {
        "unknown" => put!(out, "at height {}", height.0),
        name => put!(out, "at {name} height"),
    }
}

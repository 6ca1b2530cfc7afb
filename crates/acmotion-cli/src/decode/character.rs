//! Describes messages that movement depends on: properties, attributes, enchantments, combat and items.

use acmotion_wire::{
    AttackHeight, Attribute, Enchantment, GameActionBody, GameEventBody, PrivateUpdatePropertyInt,
    StatModFlags, Vital,
};

use super::describe::{Names, number};
use crate::numbers::rounded;

/// Describes the new value of an integer property.
pub(super) fn property(property: u32, value: i32) -> String {
    match property {
        PrivateUpdatePropertyInt::BURDEN => format!("burden {value}"),
        _ => format!("property {property}: {value}"),
    }
}

/// Describes the new values of an attribute.
pub(super) fn attribute(id: u32, attribute: &Attribute) -> String {
    let Attribute { ranks, start, .. } = attribute;
    format!("{}: {start} + {ranks} ranks", attribute_name(id))
}

fn attribute_name(id: u32) -> String {
    String::from(match id {
        Attribute::STRENGTH => "strength",
        Attribute::ENDURANCE => "endurance",
        Attribute::QUICKNESS => "quickness",
        Attribute::COORDINATION => "coordination",
        Attribute::FOCUS => "focus",
        Attribute::SELF => "self",
        _ => return format!("attribute {id}"),
    })
}

/// Describes the new current value of a vital.
pub(super) fn vital(id: u32, current: u32) -> String {
    match id {
        Vital::HEALTH => format!("health {current}"),
        Vital::STAMINA => format!("stamina {current}"),
        Vital::MANA => format!("mana {current}"),
        _ => format!("vital {id}: {current}"),
    }
}

/// Describes a game event. The text is empty if the event is of an unknown type.
pub(super) fn event(event: &GameEventBody<'_>, names: &Names) -> String {
    match event {
        GameEventBody::MagicUpdateEnchantment(event) => enchantment(&event.enchantment, names),
        GameEventBody::MagicRemoveEnchantment(event) => {
            format!("spell {} (layer {}) ends", event.spell, event.layer)
        }
        GameEventBody::UseDone(event) => done("the use is over", event.error),
        GameEventBody::AttackDone(event) => done("the attack is over", event.error),
        GameEventBody::CombatCommenceAttack(_) => String::from("an attack begins"),
        GameEventBody::InventoryPutObjInContainer(event) => {
            let [item, container] = [event.item, event.container].map(|guid| names.label(Some(guid)));
            format!("{item} moves into {container}, slot {}", event.slot)
        }
        GameEventBody::WieldItem(event) => {
            format!("wields {} at location 0x{:X}", names.label(Some(event.item)), event.location)
        }
        GameEventBody::InventoryPutObjIn3D(event) => format!("drops {}", names.label(Some(event.item))),
        _ => String::new(),
    }
}

fn done(what: &str, error: u32) -> String {
    if error == 0 { String::from(what) } else { format!("{what}: error 0x{error:X}") }
}

fn enchantment(enchantment: &Enchantment, names: &Names) -> String {
    let Enchantment { spell, layer, duration, stat_value, .. } = *enchantment;
    let effect = match enchantment.stat_mod {
        kind if kind.contains(StatModFlags::COOLDOWN) => String::from("cooldown"),
        kind if kind.contains(StatModFlags::MULTIPLICATIVE) => {
            format!("{} ×{}", modified(enchantment), number(stat_value))
        }
        kind if kind.contains(StatModFlags::ADDITIVE) => {
            let sign = if stat_value < 0.0 { "" } else { "+" };
            format!("{} {sign}{}", modified(enchantment), number(stat_value))
        }
        kind => format!("effect 0x{:08X}", kind.bits()),
    };
    let time =
        if duration < 0.0 { String::from("without end") } else { format!("for {} s", rounded(duration, 2)) };
    let caster = names.label(Some(enchantment.caster));
    format!("spell {spell} (layer {layer}): {effect} {time}, cast by {caster}")
}

/// Returns the name of the value that an enchantment modifies.
fn modified(enchantment: &Enchantment) -> String {
    let (kind, key) = (enchantment.stat_mod, enchantment.stat_key);
    if kind.contains(StatModFlags::MULTIPLE_STAT) {
        return String::from("several values");
    }
    match kind {
        kind if kind.contains(StatModFlags::ATTRIBUTE) => attribute_name(key),
        kind if kind.contains(StatModFlags::VITAL) => format!("vital {key}"),
        kind if kind.contains(StatModFlags::SKILL) => format!("skill {key}"),
        kind if kind.intersects(StatModFlags::INT | StatModFlags::FLOAT) => format!("property {key}"),
        _ => format!("value {key}"),
    }
}

/// Describes a client action on the object that the action names. The text is empty if the action is of an unknown type.
pub(super) fn action(action: &GameActionBody<'_>, names: &Names) -> String {
    match action {
        GameActionBody::TargetedMeleeAttack(action) => {
            format!("is attacked {}, power {}", at_height(action.height), number(action.power))
        }
        GameActionBody::TargetedMissileAttack(action) => {
            format!(
                "is the target of a missile {}, accuracy {}",
                at_height(action.height),
                number(action.accuracy)
            )
        }
        GameActionBody::CastUntargetedSpell(action) => format!("casts spell {}", action.spell),
        GameActionBody::CastTargetedSpell(action) => format!("is the target of spell {}", action.spell),
        GameActionBody::Use(_) => String::from("is used"),
        GameActionBody::UseWithTarget(action) => {
            format!("is the target of {}", names.label(Some(action.tool)))
        }
        GameActionBody::PutItemInContainer(action) => {
            format!("is put into {}, slot {}", names.label(Some(action.container)), action.slot)
        }
        GameActionBody::GetAndWieldItem(action) => format!("is wielded at location 0x{:X}", action.location),
        GameActionBody::DropItem(_) => String::from("is dropped"),
        GameActionBody::CancelAttack(_) => String::from("stops attacking"),
        _ => String::new(),
    }
}

fn at_height(height: AttackHeight) -> String {
    match height.name() {
        "unknown" => format!("at height {}", height.0),
        name => format!("at {name} height"),
    }
}

//! The JSON forms of messages that movement depends on: properties, attributes, enchantments, combat and items.

use serde_json::Value;

use super::DecodedJson;
use super::value::{ObjectBuilder, double, float, guid, hex32};
use crate::message::*;
use crate::parts::{Enchantment, EnchantmentRegistry, Enchantments};

impl DecodedJson for PrivateUpdatePropertyInt {
    fn decoded_json(&self) -> Value {
        ObjectBuilder::default()
            .put("seq", self.sequence)
            .put("property", self.property)
            .put("value", self.value)
            .into()
    }
}

impl DecodedJson for PublicUpdatePropertyInt {
    fn decoded_json(&self) -> Value {
        ObjectBuilder::default()
            .put("seq", self.sequence)
            .put("guid", guid(self.guid))
            .put("property", self.property)
            .put("value", self.value)
            .into()
    }
}

impl DecodedJson for PrivateUpdateAttribute {
    fn decoded_json(&self) -> Value {
        ObjectBuilder::default()
            .put("seq", self.sequence)
            .put("attribute", self.attribute)
            .put("ranks", self.value.ranks)
            .put("start", self.value.start)
            .put("xp_spent", self.value.xp_spent)
            .into()
    }
}

impl DecodedJson for PrivateUpdateAttribute2ndLevel {
    fn decoded_json(&self) -> Value {
        ObjectBuilder::default()
            .put("seq", self.sequence)
            .put("vital", self.vital)
            .put("current", self.current)
            .into()
    }
}

impl DecodedJson for MagicUpdateEnchantment {
    fn decoded_json(&self) -> Value {
        enchantment(&self.enchantment)
    }
}

impl DecodedJson for MagicRemoveEnchantment {
    fn decoded_json(&self) -> Value {
        ObjectBuilder::default().put("spell", self.spell).put("layer", self.layer).into()
    }
}

pub(super) fn enchantment_registry(registry: &EnchantmentRegistry<'_>) -> Value {
    let list = |list: Enchantments<'_>| list.iter().map(|item| enchantment(&item)).collect::<Vec<_>>();
    ObjectBuilder::default()
        .put("multiplicative", list(registry.multiplicative))
        .put("additive", list(registry.additive))
        .put("cooldowns", list(registry.cooldowns))
        .put_some("vitae", registry.vitae.as_ref().map(enchantment))
        .into()
}

fn enchantment(enchantment: &Enchantment) -> Value {
    let spell_set = enchantment.has_spell_set.get().then_some(enchantment.spell_set);
    ObjectBuilder::default()
        .put("spell", enchantment.spell)
        .put("layer", enchantment.layer)
        .put("category", enchantment.category)
        .put("power", enchantment.power)
        .put("start", double(enchantment.start))
        .put("duration", double(enchantment.duration))
        .put("caster", guid(enchantment.caster))
        .put("degrade_modifier", float(enchantment.degrade_modifier))
        .put("degrade_limit", float(enchantment.degrade_limit))
        .put("last_degraded", double(enchantment.last_degraded))
        .put("stat_mod", hex32(enchantment.stat_mod.bits()))
        .put("stat_key", enchantment.stat_key)
        .put("stat_value", float(enchantment.stat_value))
        .put_some("spell_set", spell_set)
        .into()
}

impl DecodedJson for UseDone {
    fn decoded_json(&self) -> Value {
        ObjectBuilder::default().put("error", self.error).into()
    }
}

impl DecodedJson for AttackDone {
    fn decoded_json(&self) -> Value {
        ObjectBuilder::default().put("error", self.error).into()
    }
}

impl DecodedJson for CombatCommenceAttack {
    fn decoded_json(&self) -> Value {
        ObjectBuilder::default().into()
    }
}

impl DecodedJson for InventoryPutObjInContainer {
    fn decoded_json(&self) -> Value {
        ObjectBuilder::default()
            .put("item", guid(self.item))
            .put("container", guid(self.container))
            .put("slot", self.slot)
            .put("kind", self.kind)
            .into()
    }
}

impl DecodedJson for WieldItem {
    fn decoded_json(&self) -> Value {
        ObjectBuilder::default().put("item", guid(self.item)).put("location", hex32(self.location)).into()
    }
}

impl DecodedJson for InventoryPutObjIn3D {
    fn decoded_json(&self) -> Value {
        ObjectBuilder::default().put("item", guid(self.item)).into()
    }
}

impl DecodedJson for TargetedMeleeAttack {
    fn decoded_json(&self) -> Value {
        ObjectBuilder::default()
            .put("target", guid(self.target))
            .put("height", self.height.0)
            .put("power", float(self.power))
            .into()
    }
}

impl DecodedJson for TargetedMissileAttack {
    fn decoded_json(&self) -> Value {
        ObjectBuilder::default()
            .put("target", guid(self.target))
            .put("height", self.height.0)
            .put("accuracy", float(self.accuracy))
            .into()
    }
}

impl DecodedJson for CastUntargetedSpell {
    fn decoded_json(&self) -> Value {
        ObjectBuilder::default().put("spell", self.spell).into()
    }
}

impl DecodedJson for CastTargetedSpell {
    fn decoded_json(&self) -> Value {
        ObjectBuilder::default().put("target", guid(self.target)).put("spell", self.spell).into()
    }
}

impl DecodedJson for Use {
    fn decoded_json(&self) -> Value {
        ObjectBuilder::default().put("object", guid(self.object)).into()
    }
}

impl DecodedJson for UseWithTarget {
    fn decoded_json(&self) -> Value {
        ObjectBuilder::default().put("tool", guid(self.tool)).put("target", guid(self.target)).into()
    }
}

impl DecodedJson for PutItemInContainer {
    fn decoded_json(&self) -> Value {
        ObjectBuilder::default()
            .put("item", guid(self.item))
            .put("container", guid(self.container))
            .put("slot", self.slot)
            .into()
    }
}

impl DecodedJson for GetAndWieldItem {
    fn decoded_json(&self) -> Value {
        ObjectBuilder::default().put("item", guid(self.item)).put("location", hex32(self.location)).into()
    }
}

impl DecodedJson for DropItem {
    fn decoded_json(&self) -> Value {
        ObjectBuilder::default().put("item", guid(self.item)).into()
    }
}

impl DecodedJson for CancelAttack {
    fn decoded_json(&self) -> Value {
        ObjectBuilder::default().into()
    }
}

//! The JSON forms of messages that movement depends on: properties, attributes, enchantments, combat and items.

use super::DecodedJson;
use super::value::{double, float, guid, hex32};
use super::writer::{JsonWriter, ToJson, list, object};
use crate::message::*;
use crate::parts::{Enchantment, EnchantmentRegistry, Enchantments};

impl DecodedJson for PrivateUpdatePropertyInt {
    fn put_fields(&self, json: &mut JsonWriter<'_>) {
        json.put("seq", self.sequence).put("property", self.property).put("value", self.value);
    }
}

impl DecodedJson for PublicUpdatePropertyInt {
    fn put_fields(&self, json: &mut JsonWriter<'_>) {
        json.put("seq", self.sequence)
            .put("guid", guid(self.guid))
            .put("property", self.property)
            .put("value", self.value);
    }
}

impl DecodedJson for PrivateUpdateAttribute {
    fn put_fields(&self, json: &mut JsonWriter<'_>) {
        json.put("seq", self.sequence)
            .put("attribute", self.attribute)
            .put("ranks", self.value.ranks)
            .put("start", self.value.start)
            .put("xp_spent", self.value.xp_spent);
    }
}

impl DecodedJson for PrivateUpdateAttribute2ndLevel {
    fn put_fields(&self, json: &mut JsonWriter<'_>) {
        json.put("seq", self.sequence).put("vital", self.vital).put("current", self.current);
    }
}

impl DecodedJson for MagicUpdateEnchantment {
    fn put_fields(&self, json: &mut JsonWriter<'_>) {
        put_enchantment(json, &self.enchantment);
    }
}

impl DecodedJson for MagicRemoveEnchantment {
    fn put_fields(&self, json: &mut JsonWriter<'_>) {
        json.put("spell", self.spell).put("layer", self.layer);
    }
}

pub(super) fn enchantment_registry(registry: &EnchantmentRegistry<'_>) -> impl ToJson {
    object(move |json| {
        json.put("multiplicative", enchantments(registry.multiplicative))
            .put("additive", enchantments(registry.additive))
            .put("cooldowns", enchantments(registry.cooldowns))
            .put_some("vitae", registry.vitae.as_ref().map(enchantment));
    })
}

fn enchantments(items: Enchantments<'_>) -> impl ToJson {
    list(items.iter().map(|item| enchantment(&item)))
}

fn enchantment(enchantment: &Enchantment) -> impl ToJson + use<> {
    let enchantment = *enchantment;
    object(move |json| put_enchantment(json, &enchantment))
}

fn put_enchantment(json: &mut JsonWriter<'_>, enchantment: &Enchantment) {
    let spell_set = enchantment.has_spell_set.get().then_some(enchantment.spell_set);
    json.put("spell", enchantment.spell)
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
        .put_some("spell_set", spell_set);
}

impl DecodedJson for UseDone {
    fn put_fields(&self, json: &mut JsonWriter<'_>) {
        json.put("error", self.error);
    }
}

impl DecodedJson for AttackDone {
    fn put_fields(&self, json: &mut JsonWriter<'_>) {
        json.put("error", self.error);
    }
}

impl DecodedJson for CombatCommenceAttack {
    fn put_fields(&self, _: &mut JsonWriter<'_>) {}
}

impl DecodedJson for InventoryPutObjInContainer {
    fn put_fields(&self, json: &mut JsonWriter<'_>) {
        json.put("item", guid(self.item))
            .put("container", guid(self.container))
            .put("slot", self.slot)
            .put("kind", self.kind);
    }
}

impl DecodedJson for WieldItem {
    fn put_fields(&self, json: &mut JsonWriter<'_>) {
        json.put("item", guid(self.item)).put("location", hex32(self.location));
    }
}

impl DecodedJson for InventoryPutObjIn3D {
    fn put_fields(&self, json: &mut JsonWriter<'_>) {
        json.put("item", guid(self.item));
    }
}

impl DecodedJson for TargetedMeleeAttack {
    fn put_fields(&self, json: &mut JsonWriter<'_>) {
        json.put("target", guid(self.target)).put("height", self.height.0).put("power", float(self.power));
    }
}

impl DecodedJson for TargetedMissileAttack {
    fn put_fields(&self, json: &mut JsonWriter<'_>) {
        json.put("target", guid(self.target))
            .put("height", self.height.0)
            .put("accuracy", float(self.accuracy));
    }
}

impl DecodedJson for CastUntargetedSpell {
    fn put_fields(&self, json: &mut JsonWriter<'_>) {
        json.put("spell", self.spell);
    }
}

impl DecodedJson for CastTargetedSpell {
    fn put_fields(&self, json: &mut JsonWriter<'_>) {
        json.put("target", guid(self.target)).put("spell", self.spell);
    }
}

impl DecodedJson for Use {
    fn put_fields(&self, json: &mut JsonWriter<'_>) {
        json.put("object", guid(self.object));
    }
}

impl DecodedJson for UseWithTarget {
    fn put_fields(&self, json: &mut JsonWriter<'_>) {
        json.put("tool", guid(self.tool)).put("target", guid(self.target));
    }
}

impl DecodedJson for PutItemInContainer {
    fn put_fields(&self, json: &mut JsonWriter<'_>) {
        json.put("item", guid(self.item)).put("container", guid(self.container)).put("slot", self.slot);
    }
}

impl DecodedJson for GetAndWieldItem {
    fn put_fields(&self, json: &mut JsonWriter<'_>) {
        json.put("item", guid(self.item)).put("location", hex32(self.location));
    }
}

impl DecodedJson for DropItem {
    fn put_fields(&self, json: &mut JsonWriter<'_>) {
        json.put("item", guid(self.item));
    }
}

impl DecodedJson for CancelAttack {
    fn put_fields(&self, _: &mut JsonWriter<'_>) {}
}

//! The enchantments of the player, as far as they change how it moves (rule K10, `docs/wire.md` 6).
//!
//! # What is proven and what is not
//!
//! The layout of an enchantment is recorded. That it names one value by a key, and adds to it or multiplies it, follows
//! from the flags ([`StatModFlags`]). Three points are interpretations that no recording proves: of several
//! enchantments of one category the most powerful counts (the newest of equals); factors apply before additions; and an
//! enchanted attribute counts wherever the attribute does, in skills and in the carrying capacity. Enchantments of
//! several values at once ([`StatModFlags::MULTIPLE_STAT`]), the penalty after a death included, have no proven
//! meaning: they are kept and have no effect. Those that arrive in the events 0x02C4 to 0x02C8, whose layout is not
//! proven, have no effect either.

use acmotion_wire::{Enchantment, EnchantmentRegistry, StatModFlags};

/// The maximum number of enchantments that are kept.
const MAX_ENCHANTMENTS: usize = 1024;

/// The enchantments of the player.
#[derive(Clone, PartialEq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[doc(alias = "CEnchantmentRegistry")]
pub(super) struct ActiveEnchantments {
    list: Vec<Enchantment>,
}

impl ActiveEnchantments {
    /// Replaces all enchantments with those of a description.
    pub(super) fn describe(&mut self, registry: &EnchantmentRegistry<'_>) {
        self.list.clear();
        self.list.extend(registry.modifiers().take(MAX_ENCHANTMENTS));
    }

    /// Adds an enchantment, or replaces the one with the same spell and layer.
    #[doc(alias = "MagicUpdateEnchantment")]
    pub(super) fn update(&mut self, enchantment: Enchantment) {
        self.remove(enchantment.spell, enchantment.layer);
        if self.list.len() < MAX_ENCHANTMENTS {
            self.list.push(enchantment);
        }
    }

    /// Removes the enchantment of a spell and layer.
    #[doc(alias = "MagicRemoveEnchantment")]
    pub(super) fn remove(&mut self, spell: u16, layer: u16) {
        self.list.retain(|active| (active.spell, active.layer) != (spell, layer));
    }

    /// Returns an attribute or skill as the enchantments change it: times all factors, plus all additions, rounded to the
    /// nearest whole number and never negative. `kind` is [`StatModFlags::ATTRIBUTE`] or [`StatModFlags::SKILL`].
    pub(super) fn apply(&self, kind: StatModFlags, key: u32, value: i64) -> i64 {
        let is_meant = |active: &&Enchantment| {
            active.stat_mod.contains(kind | StatModFlags::SINGLE_STAT)
                && active.stat_key == key
                && active.stat_value.is_finite()
                && !self.is_surpassed(active)
        };
        let mut result = None;
        for active in self.list.iter().filter(is_meant) {
            let (factor, addition) = result.get_or_insert((1.0, 0.0));
            if active.stat_mod.contains(StatModFlags::MULTIPLICATIVE) {
                *factor *= f64::from(active.stat_value);
            } else if active.stat_mod.contains(StatModFlags::ADDITIVE) {
                *addition += f64::from(active.stat_value);
            }
        }
        result.map_or(value, |(factor, addition)| (value as f64 * factor + addition).round().max(0.0) as i64)
    }

    /// Returns `true` if a more powerful enchantment of the same category is active, or a newer one of the same power.
    fn is_surpassed(&self, enchantment: &Enchantment) -> bool {
        let rivals = self.list.iter().filter(|active| active.category == enchantment.category);
        let id = |active: &Enchantment| (active.spell, active.layer);
        rivals.max_by_key(|active| active.power).is_some_and(|best| id(best) != id(enchantment))
    }
}

#[cfg(test)]
mod tests {
    use acmotion_wire::Skill;

    use super::*;

    fn enchantment(spell: u16, category: u16, power: u32, flags: StatModFlags, value: f32) -> Enchantment {
        Enchantment {
            spell,
            layer: 1,
            category,
            power,
            stat_mod: flags | StatModFlags::SKILL | StatModFlags::SINGLE_STAT,
            stat_key: Skill::RUN,
            stat_value: value,
            ..Enchantment::default()
        }
    }

    fn run(active: &ActiveEnchantments, value: i64) -> i64 {
        active.apply(StatModFlags::SKILL, Skill::RUN, value)
    }

    #[test]
    fn factors_apply_before_additions() {
        let mut active = ActiveEnchantments::default();
        active.update(enchantment(1, 1, 10, StatModFlags::ADDITIVE, 20.0));
        active.update(enchantment(2, 2, 10, StatModFlags::MULTIPLICATIVE, 0.5));
        assert_eq!(run(&active, 101), 71, "50.5 + 20, rounded");
        assert_eq!(active.apply(StatModFlags::SKILL, Skill::JUMP, 101), 101, "another skill");
        assert_eq!(
            active.apply(StatModFlags::ATTRIBUTE, Skill::RUN, 101),
            101,
            "an attribute of that number"
        );
        active.remove(1, 2);
        assert_eq!(run(&active, 101), 71, "another layer");
        active.remove(1, 1);
        active.update(enchantment(2, 2, 10, StatModFlags::MULTIPLICATIVE, 2.0));
        assert_eq!(run(&active, 101), 202, "the same spell and layer is replaced");
    }

    #[test]
    fn the_most_powerful_of_a_category_counts() {
        let mut active = ActiveEnchantments::default();
        active.update(enchantment(1, 7, 50, StatModFlags::ADDITIVE, 30.0));
        active.update(enchantment(2, 7, 10, StatModFlags::ADDITIVE, 10.0));
        assert_eq!(run(&active, 100), 130);
        active.update(enchantment(3, 7, 50, StatModFlags::ADDITIVE, -200.0));
        assert_eq!(run(&active, 100), 0, "the newer of two equals, and never below 0");
        active.remove(3, 1);
        active.remove(1, 1);
        assert_eq!(run(&active, 100), 110);
    }

    #[test]
    fn enchantments_without_a_proven_meaning_have_no_effect() {
        let mut active = ActiveEnchantments::default();
        let mut several = enchantment(1, 1, 10, StatModFlags::MULTIPLE_STAT | StatModFlags::ADDITIVE, 5.0);
        several.stat_mod.remove(StatModFlags::SINGLE_STAT);
        active.update(several);
        active.update(enchantment(2, 2, 10, StatModFlags::ADDITIVE, f32::NAN));
        assert_eq!(run(&active, 100), 100);
        assert_eq!(active.list.len(), 2, "they are kept all the same");
    }

    #[test]
    fn the_number_of_enchantments_is_limited() {
        let mut active = ActiveEnchantments::default();
        for spell in 0..2000 {
            active.update(enchantment(spell, spell, 1, StatModFlags::ADDITIVE, 1.0));
        }
        assert_eq!(active.list.len(), MAX_ENCHANTMENTS);
    }

    /// What is not in a description any longer has ended.
    #[test]
    fn a_description_replaces_all_enchantments() {
        let mut active = ActiveEnchantments::default();
        active.update(enchantment(1, 1, 10, StatModFlags::ADDITIVE, 20.0));
        let described = enchantment(2, 2, 10, StatModFlags::ADDITIVE, 5.0);
        active.describe(&EnchantmentRegistry { vitae: Some(described), ..EnchantmentRegistry::default() });
        assert_eq!((active.list.len(), run(&active, 100)), (1, 105));
        active.describe(&EnchantmentRegistry::default());
        assert_eq!((active.list.len(), run(&active, 100)), (0, 100));
    }
}

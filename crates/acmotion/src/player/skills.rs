//! The player's skills, attributes, burden, stamina and enchantments, as the server sends them, which decide how fast it
//! runs and how high it jumps (rules C25, K10).

use acmotion_types::Guid;
use acmotion_wire::{
    Attribute, Attributes, GameEventBody, PlayerDescription, PrivateUpdatePropertyInt, S2C, Skill,
    StatModFlags, Vital,
};

use super::enchantments::ActiveEnchantments;
use crate::interp::{PlayerWeenie, carrying_capacity, load};

/// The integer property with the points that augmentations add to every skill.
const ALL_SKILLS_PROPERTY: u32 = 0x16D;
/// The integer property that adds five points to every skill if it is above zero.
const FIVE_POINTS_PROPERTY: u32 = 0x146;
/// The integer property that adds twice its value to every specialised skill.
const SPECIALISED_PROPERTY: u32 = 0x158;
/// The advancement class of a specialised skill.
const SPECIALISED_CLASS: u32 = 3;

/// The qualities of the player that movement depends on, as sent by the server.
///
/// They are not known until a `PlayerDescription` has arrived; updates before that are recorded, but are not enough.
/// The augmentation of the carrying capacity is not included, because the property that holds it is not known. A caller
/// that knows the totals can set them with [`Controls::set_weenie`](super::Controls::set_weenie).
#[derive(Clone, PartialEq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[doc(alias = "CACQualities")]
pub(super) struct Qualities {
    is_described: bool,
    run: Option<Skill>,
    jump: Option<Skill>,
    attributes: Attributes,
    augmentations: Augmentations,
    burden: i32,
    enchantments: ActiveEnchantments,
}

/// The augmentations that add to skills (rule K10).
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Augmentations {
    all_skills: i32,
    five_points: i32,
    specialised: i32,
}

impl Augmentations {
    /// Returns the points that they add to a skill. The sum may be negative.
    fn points(self, skill: Skill) -> i64 {
        let five = if self.five_points > 0 { 5 } else { 0 };
        let doubled =
            if skill.advancement_class == SPECIALISED_CLASS { 2 * i64::from(self.specialised) } else { 0 };
        i64::from(self.all_skills) + five + doubled
    }
}

impl Qualities {
    /// Takes qualities from a message. Returns `true` if it carried any that movement depends on. `player` is the local
    /// player: updates of other objects are ignored.
    pub(super) fn update(&mut self, message: &S2C<'_>, player: Option<Guid>) -> bool {
        match message {
            S2C::GameEvent(event) => match &event.event {
                GameEventBody::PlayerDescription(description) => self.describe(description),
                GameEventBody::MagicUpdateEnchantment(update) => self.enchantments.update(update.enchantment),
                GameEventBody::MagicRemoveEnchantment(ended) => {
                    self.enchantments.remove(ended.spell, ended.layer);
                }
                _ => return false,
            },
            S2C::PrivateUpdateSkill(update) => return self.update_skill(update.skill, update.value),
            S2C::PublicUpdateSkill(update) if Some(update.guid) == player => {
                return self.update_skill(update.skill, update.value);
            }
            S2C::PrivateUpdateSkillLevel(update) => return self.update_ranks(update.skill, update.ranks),
            S2C::PublicUpdateSkillLevel(update) if Some(update.guid) == player => {
                return self.update_ranks(update.skill, update.ranks);
            }
            S2C::PrivateUpdatePropertyInt(update) => return self.update_int(update.property, update.value),
            S2C::PublicUpdatePropertyInt(update) if Some(update.guid) == player => {
                return self.update_int(update.property, update.value);
            }
            S2C::PrivateUpdateAttribute(update) => match update.attribute {
                Attribute::STRENGTH => self.attributes.strength = Some(update.value),
                Attribute::QUICKNESS => self.attributes.quickness = Some(update.value),
                Attribute::COORDINATION => self.attributes.coordination = Some(update.value),
                _ => return false,
            },
            S2C::PrivateUpdateAttribute2ndLevel(update) if update.vital == Vital::STAMINA => {
                self.attributes.stamina.get_or_insert_default().current = update.current;
            }
            _ => return false,
        }
        true
    }

    /// Returns the values that movement depends on (rule K10), or `None` if the server has not described the player. The
    /// run skill is based on quickness, the jump skill on half the sum of strength and coordination.
    pub(super) fn weenie(&self) -> Option<PlayerWeenie> {
        if !self.is_described {
            return None;
        }
        let Attributes { strength, quickness, coordination, stamina, .. } = self.attributes;
        let enchanted =
            |key, attribute| self.enchantments.apply(StatModFlags::ATTRIBUTE, key, points(attribute));
        let quick = enchanted(Attribute::QUICKNESS, quickness);
        let strong = enchanted(Attribute::STRENGTH, strength);
        let half = (strong.saturating_add(enchanted(Attribute::COORDINATION, coordination)) + 1) / 2;
        let carried = || load(self.burden, carrying_capacity(i32::try_from(strong).unwrap_or(i32::MAX), 0));
        Some(PlayerWeenie {
            run_skill: self.level(Skill::RUN, self.run, quick),
            jump_skill: self.level(Skill::JUMP, self.jump, half),
            load: strength.map_or(0.0, |_| carried()),
            stamina: stamina.map_or_else(|| PlayerWeenie::default().stamina, |vital| vital.current),
            fights_players: false,
        })
    }

    /// Returns the value of a skill, which is never negative.
    fn level(&self, id: u32, skill: Option<Skill>, base: i64) -> u32 {
        let skill = skill.unwrap_or_default();
        let bare = base.saturating_add(i64::from(skill.init_level) + i64::from(skill.ranks));
        let level = bare.saturating_add(self.augmentations.points(skill));
        let level = self.enchantments.apply(StatModFlags::SKILL, id, level);
        u32::try_from(level.max(0)).unwrap_or(u32::MAX)
    }

    fn skill_mut(&mut self, id: u32) -> Option<&mut Option<Skill>> {
        match id {
            Skill::RUN => Some(&mut self.run),
            Skill::JUMP => Some(&mut self.jump),
            _ => None,
        }
    }

    fn update_skill(&mut self, id: u32, value: Skill) -> bool {
        self.skill_mut(id).map(|skill| *skill = Some(value)).is_some()
    }

    fn update_ranks(&mut self, id: u32, ranks: u32) -> bool {
        let ranks = u16::try_from(ranks).unwrap_or(u16::MAX);
        self.skill_mut(id).map(|skill| skill.get_or_insert_default().ranks = ranks).is_some()
    }

    fn update_int(&mut self, property: u32, value: i32) -> bool {
        let changed = match property {
            PrivateUpdatePropertyInt::BURDEN => &mut self.burden,
            ALL_SKILLS_PROPERTY => &mut self.augmentations.all_skills,
            FIVE_POINTS_PROPERTY => &mut self.augmentations.five_points,
            SPECIALISED_PROPERTY => &mut self.augmentations.specialised,
            _ => return false,
        };
        *changed = value;
        true
    }

    fn describe(&mut self, description: &PlayerDescription<'_>) {
        let int = |key| description.int_property(key).unwrap_or(0);
        self.enchantments.describe(&description.enchantments());
        *self = Self {
            is_described: true,
            run: description.run(),
            jump: description.jump(),
            attributes: description.attributes().unwrap_or_default(),
            augmentations: Augmentations {
                all_skills: int(ALL_SKILLS_PROPERTY),
                five_points: int(FIVE_POINTS_PROPERTY),
                specialised: int(SPECIALISED_PROPERTY),
            },
            burden: description.burden().unwrap_or(0),
            enchantments: std::mem::take(&mut self.enchantments),
        };
    }
}

fn points(attribute: Option<Attribute>) -> i64 {
    attribute.map_or(0, |attribute| i64::from(attribute.ranks) + i64::from(attribute.start))
}

#[cfg(test)]
mod tests {
    use acmotion_wire::{PrivateUpdateSkill, PrivateUpdateSkillLevel};

    use super::*;

    #[test]
    fn a_skill_is_the_sum_of_its_base_and_ranks() {
        let mut qualities = Qualities { is_described: true, ..Qualities::default() };
        let quickness = Attribute { ranks: 10, start: 90, ..Attribute::default() };
        qualities.attributes = Attributes {
            quickness: Some(quickness),
            strength: Some(quickness),
            coordination: Some(Attribute { start: 51, ..Attribute::default() }),
            ..Attributes::default()
        };
        qualities.burden = 22_500;
        let value = Skill { ranks: 6, init_level: 5, ..Skill::default() };
        let update = PrivateUpdateSkill { skill: Skill::RUN, value, ..PrivateUpdateSkill::default() };
        assert!(qualities.update(&S2C::PrivateUpdateSkill(update), None));
        let ranks = PrivateUpdateSkillLevel { skill: Skill::JUMP, ranks: 7, sequence: 0 };
        assert!(qualities.update(&S2C::PrivateUpdateSkillLevel(ranks), None));
        let other = PrivateUpdateSkillLevel { skill: 1, ranks: 7, sequence: 0 };
        assert!(!qualities.update(&S2C::PrivateUpdateSkillLevel(other), None));
        let weenie = qualities.weenie().unwrap();
        assert_eq!((weenie.run_skill, weenie.jump_skill, weenie.load), (111, 83, 1.5));
    }

    /// K10: ints 0x16D, 0x146 and 0x158.
    #[test]
    fn augmentations_add_to_skills() {
        let mut qualities = Qualities {
            is_described: true,
            run: Some(Skill { ranks: 100, advancement_class: 3, ..Skill::default() }),
            jump: Some(Skill { ranks: 100, advancement_class: 2, ..Skill::default() }),
            augmentations: Augmentations { all_skills: 3, five_points: 0, specialised: 10 },
            ..Qualities::default()
        };
        let skills = |weenie: PlayerWeenie| (weenie.run_skill, weenie.jump_skill);
        assert_eq!(skills(qualities.weenie().unwrap()), (123, 103));
        qualities.augmentations.five_points = 2;
        assert_eq!(skills(qualities.weenie().unwrap()), (128, 108));
        qualities.augmentations.all_skills = -1000;
        assert_eq!(skills(qualities.weenie().unwrap()), (0, 0));
    }

    /// The bytes of a description with the three integers and one skill, without attributes.
    #[test]
    fn a_player_description_sets_the_qualities() {
        let mut bytes = vec![0xB0, 0xF7, 0, 0, 1, 0, 0, 0x50, 1, 0, 0, 0, 0x13, 0, 0, 0];
        let mut words = |list: &[u32]| list.iter().for_each(|word| bytes.extend(word.to_le_bytes()));
        words(&[1, 10, 0x0040_0003]);
        words(&[ALL_SKILLS_PROPERTY, 4, FIVE_POINTS_PROPERTY, 1, SPECIALISED_PROPERTY, 3]);
        words(&[3, 1, 0x1, 0, 0, 0]);
        words(&[0x0020_0001, Skill::RUN, 0x0001_0064, SPECIALISED_CLASS, 0, 10, 0, 0, 0]);
        let message = acmotion_wire::decode_s2c(&bytes, acmotion_types::Era::default()).unwrap();
        let mut qualities = Qualities::default();
        assert!(qualities.update(&message, None));
        assert_eq!(qualities.weenie().unwrap().run_skill, 100 + 10 + 4 + 5 + 6);
        assert_eq!(qualities.weenie().unwrap().load, 3.0, "without strength nothing can be carried");
    }
}

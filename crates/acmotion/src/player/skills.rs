//! The player's skills, attributes and burden, as the server sends them, which decide how fast it runs and how high it
//! jumps (rules C25, K10).

use acmotion_wire::{Attribute, Attributes, GameEventBody, PlayerDescription, S2C, Skill};

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
/// Two that count are not included, because no known message carries them: enchantments, and the augmentation of the
/// carrying capacity. A caller that knows them can set the totals with
/// [`Controls::set_weenie`](super::Controls::set_weenie).
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[doc(alias = "CACQualities")]
pub struct Qualities {
    run: Option<Skill>,
    jump: Option<Skill>,
    attributes: Attributes,
    augmentations: Augmentations,
    burden: i32,
}

/// The augmentations that add to skills (rule K10).
#[derive(Clone, Copy, PartialEq, Debug, Default)]
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
    /// Takes qualities from a message. Returns `true` if it carried any.
    pub fn update(&mut self, message: &S2C<'_>) -> bool {
        match message {
            S2C::GameEvent(event) => match &event.event {
                GameEventBody::PlayerDescription(description) => self.describe(description),
                _ => return false,
            },
            S2C::PrivateUpdateSkill(update) => match update.skill {
                Skill::RUN => self.run = Some(update.value),
                Skill::JUMP => self.jump = Some(update.value),
                _ => return false,
            },
            S2C::PrivateUpdateSkillLevel(update) => {
                let skill = match update.skill {
                    Skill::RUN => &mut self.run,
                    Skill::JUMP => &mut self.jump,
                    _ => return false,
                };
                skill.get_or_insert_default().ranks = u16::try_from(update.ranks).unwrap_or(u16::MAX);
            }
            _ => return false,
        }
        true
    }

    /// Returns the values that movement depends on (rule K10). The run skill is based on quickness, the jump skill on half
    /// the sum of strength and coordination.
    pub fn weenie(&self) -> PlayerWeenie {
        let Attributes { strength, quickness, coordination, stamina, .. } = self.attributes;
        let half = points(strength).saturating_add(points(coordination)).div_ceil(2);
        let carried = |strength| {
            let strength = i32::try_from(points(Some(strength))).unwrap_or(i32::MAX);
            load(self.burden, carrying_capacity(strength, 0))
        };
        PlayerWeenie {
            run_skill: self.level(self.run, points(quickness)),
            jump_skill: self.level(self.jump, half),
            load: strength.map_or(0.0, carried),
            stamina: stamina.map_or_else(|| PlayerWeenie::default().stamina, |vital| vital.current),
            fights_players: false,
        }
    }

    /// Returns the value of a skill, which is never negative.
    fn level(&self, skill: Option<Skill>, base: u32) -> u32 {
        let skill = skill.unwrap_or_default();
        let bare = i64::from(base) + i64::from(skill.init_level) + i64::from(skill.ranks);
        let level = bare + self.augmentations.points(skill);
        u32::try_from(level.max(0)).unwrap_or(u32::MAX)
    }

    fn describe(&mut self, description: &PlayerDescription<'_>) {
        let int = |key| description.int_property(key).unwrap_or(0);
        *self = Self {
            run: description.run(),
            jump: description.jump(),
            attributes: description.attributes().unwrap_or_default(),
            augmentations: Augmentations {
                all_skills: int(ALL_SKILLS_PROPERTY),
                five_points: int(FIVE_POINTS_PROPERTY),
                specialised: int(SPECIALISED_PROPERTY),
            },
            burden: description.burden().unwrap_or(0),
        };
    }
}

fn points(attribute: Option<Attribute>) -> u32 {
    attribute.map_or(0, |attribute| attribute.ranks.saturating_add(attribute.start))
}

#[cfg(test)]
mod tests {
    use acmotion_wire::{PrivateUpdateSkill, PrivateUpdateSkillLevel};

    use super::*;

    #[test]
    fn a_skill_is_the_sum_of_its_base_and_ranks() {
        let mut qualities = Qualities::default();
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
        assert!(qualities.update(&S2C::PrivateUpdateSkill(update)));
        let ranks = PrivateUpdateSkillLevel { skill: Skill::JUMP, ranks: 7, sequence: 0 };
        assert!(qualities.update(&S2C::PrivateUpdateSkillLevel(ranks)));
        let other = PrivateUpdateSkillLevel { skill: 1, ranks: 7, sequence: 0 };
        assert!(!qualities.update(&S2C::PrivateUpdateSkillLevel(other)));
        let weenie = qualities.weenie();
        assert_eq!((weenie.run_skill, weenie.jump_skill, weenie.load), (111, 83, 1.5));
    }

    /// K10: ints 0x16D, 0x146 and 0x158.
    #[test]
    fn augmentations_add_to_skills() {
        let mut qualities = Qualities {
            run: Some(Skill { ranks: 100, advancement_class: 3, ..Skill::default() }),
            jump: Some(Skill { ranks: 100, advancement_class: 2, ..Skill::default() }),
            augmentations: Augmentations { all_skills: 3, five_points: 0, specialised: 10 },
            ..Qualities::default()
        };
        let skills = |weenie: PlayerWeenie| (weenie.run_skill, weenie.jump_skill);
        assert_eq!(skills(qualities.weenie()), (123, 103));
        qualities.augmentations.five_points = 2;
        assert_eq!(skills(qualities.weenie()), (128, 108));
        qualities.augmentations.all_skills = -1000;
        assert_eq!(skills(qualities.weenie()), (0, 0));
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
        assert!(qualities.update(&message));
        assert_eq!(qualities.weenie().run_skill, 100 + 10 + 4 + 5 + 6);
        assert_eq!(qualities.weenie().load, 3.0, "without strength nothing can be carried");
    }
}

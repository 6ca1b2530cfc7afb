//! How fast the player runs and how high he jumps, from what the server tells of him (rules C25, K10).

use acmotion_wire::{Attribute, Attributes, Event, PlayerDescription, S2C, Skill};

use crate::interp::{PlayerWeenie, carrying_capacity, load};

/// What the server told of the player that movement depends on. Enchantments and augmentations are not in it: who knows
/// them sets the sum by hand.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[doc(alias = "CACQualities")]
pub struct Qualities {
    run: Option<Skill>,
    jump: Option<Skill>,
    attributes: Attributes,
    burden: i32,
}

impl Qualities {
    /// Takes over what a message tells; says whether that was anything.
    pub fn learn(&mut self, message: &S2C<'_>) -> bool {
        match message {
            S2C::GameEvent(event) => match &event.event {
                Event::PlayerDescription(description) => self.describe(description),
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

    /// The numbers that movement goes by (rule K10). Run rests on quickness, jump on half of strength and coordination.
    pub fn weenie(&self) -> PlayerWeenie {
        let Attributes { strength, quickness, coordination, stamina, .. } = self.attributes;
        let half = points(strength).saturating_add(points(coordination)).div_ceil(2);
        let strength = i32::try_from(points(strength)).unwrap_or(i32::MAX);
        PlayerWeenie {
            run_skill: level(self.run, points(quickness)),
            jump_skill: level(self.jump, half),
            load: if strength > 0 { load(self.burden, carrying_capacity(strength, 0)) } else { 0.0 },
            stamina: stamina.map_or_else(|| PlayerWeenie::default().stamina, |vital| vital.current),
            fights_players: false,
        }
    }

    fn describe(&mut self, description: &PlayerDescription<'_>) {
        *self = Self {
            run: description.run(),
            jump: description.jump(),
            attributes: description.attributes().unwrap_or_default(),
            burden: description.burden().unwrap_or(0),
        };
    }
}

fn points(attribute: Option<Attribute>) -> u32 {
    attribute.map_or(0, |attribute| attribute.ranks.saturating_add(attribute.start))
}

fn level(skill: Option<Skill>, base: u32) -> u32 {
    let skill = skill.unwrap_or_default();
    base.saturating_add(skill.init_level).saturating_add(u32::from(skill.ranks))
}

#[cfg(test)]
mod tests {
    use acmotion_wire::{PrivateUpdateSkill, PrivateUpdateSkillLevel};

    use super::*;

    #[test]
    fn skills_add_up() {
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
        assert!(qualities.learn(&S2C::PrivateUpdateSkill(update)));
        let ranks = PrivateUpdateSkillLevel { skill: Skill::JUMP, ranks: 7, sequence: 0 };
        assert!(qualities.learn(&S2C::PrivateUpdateSkillLevel(ranks)));
        let other = PrivateUpdateSkillLevel { skill: 1, ranks: 7, sequence: 0 };
        assert!(!qualities.learn(&S2C::PrivateUpdateSkillLevel(other)));
        let weenie = qualities.weenie();
        assert_eq!((weenie.run_skill, weenie.jump_skill, weenie.load), (111, 83, 1.5));
    }
}

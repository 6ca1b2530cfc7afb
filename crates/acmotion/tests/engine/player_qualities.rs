//! What the player's run rate and jump depend on, and how it follows the server's messages (rules C25, F3, F13, F20, K10;
//! `docs/wire.md` 6).

use crate::player_support;
use crate::world_support;

use acmotion::formulas::{jump_speed, run_rate};
use acmotion::types::Guid;
use acmotion::wire::{
    Attribute, Enchantment, GameEvent, GameEventBody, MagicRemoveEnchantment, MagicUpdateEnchantment,
    MoveToParams, MovementBody, ObjectStamps, Origin, PrivateUpdateAttribute, PrivateUpdateAttribute2ndLevel,
    PrivateUpdatePropertyInt, PrivateUpdateSkill, PrivateUpdateSkillLevel, PublicUpdatePropertyInt,
    PublicUpdateSkill, PublicUpdateSkillLevel, Skill, StatModFlags, Vital,
};
use acmotion::{Identity, MotionError, PlayerWeenie, RequestError};
use player_support::{W, description, event, frames, press, server_movement, states};
use world_support::{PLAYER, TestWorld, at, create, encode, settings};

/// Strength, burden and the run rate that a retail server sent with run skill 105 (`docs/recorded.md`), in their order.
const RECORDED: [(u32, i32, f32); 21] = [
    (10, 2075, 1.583_811_5),
    (10, 2070, 1.586_967_2),
    (10, 2125, 1.552_254_1),
    (10, 2120, 1.555_409_9),
    (10, 2170, 1.523_852_5),
    (10, 2220, 1.492_295),
    (10, 2225, 1.489_139_3),
    (10, 2230, 1.485_983_6),
    (10, 2275, 1.457_582),
    (14, 2275, 1.867_827_8),
    (14, 2285, 1.863_319_8),
    (14, 2325, 1.845_287),
    (14, 2375, 1.822_745_9),
    (14, 2425, 1.800_204_9),
    (14, 2390, 1.815_983_5),
    (14, 2440, 1.793_442_6),
    (14, 2515, 1.759_631_2),
    (14, 2565, 1.737_090_2),
    (14, 2615, 1.714_549_2),
    (14, 2605, 1.719_057_4),
    (39, 9115, 1.418_337_6),
];

/// A standing player that runs by default and that no message and no caller has described.
fn undescribed() -> TestWorld {
    let mut scene = TestWorld::with(settings(|settings| settings.player = Identity::Known(PLAYER)));
    scene.send(&create(PLAYER, &at(96.5, 96.5), ObjectStamps::default(), None));
    let now = scene.now;
    scene.world.player_mut().set_run_by_default(true, now);
    frames(&mut scene, 2);
    scene
}

fn described() -> TestWorld {
    let mut scene = undescribed();
    scene.send(&description(105, 10, 0));
    scene
}

fn rate(scene: &TestWorld) -> Option<f32> {
    scene.world.find(PLAYER).unwrap().entity().weenie().unwrap().run_rate()
}

fn full_jump(scene: &TestWorld) -> Option<f32> {
    scene.world.find(PLAYER).unwrap().entity().weenie().unwrap().jump_speed(1.0)
}

fn set_burden(scene: &mut TestWorld, value: i32) {
    let property = PrivateUpdatePropertyInt::BURDEN;
    scene.send(&encode(PrivateUpdatePropertyInt { sequence: 0, property, value }));
}

fn set_attribute(scene: &mut TestWorld, attribute: u32, points: u32) {
    let value = Attribute { ranks: points - 5, start: 5, xp_spent: 1000 };
    scene.send(&encode(PrivateUpdateAttribute { sequence: 0, attribute, value }));
}

fn set_stamina(scene: &mut TestWorld, current: u32) {
    scene.send(&encode(PrivateUpdateAttribute2ndLevel { sequence: 0, vital: Vital::STAMINA, current }));
}

/// K10: burden and strength change during play, and the rate with them, to the bit.
#[test]
fn the_run_rate_follows_strength_and_burden() {
    let mut scene = undescribed();
    scene.send(&description(105, 10, 2075));
    let mut strength = 10;
    for (points, burden, expected) in RECORDED {
        set_burden(&mut scene, burden);
        if points != strength {
            strength = points;
            set_attribute(&mut scene, Attribute::STRENGTH, points);
        }
        let rate = rate(&scene).unwrap();
        assert_eq!(rate.to_bits(), expected.to_bits(), "{rate} with strength {points} and burden {burden}");
    }
    press(&mut scene, W);
    assert_eq!(states(&scene).1.forward.speed.to_bits(), 1.418_337_6_f32.to_bits());
}

/// K10: every message about a skill of the player counts, and none about that of another object. Augmentations add to all
/// skills: their points, five if there are any, and twice their number to a specialised skill.
#[test]
fn the_run_rate_follows_ranks_and_augmentations() {
    let mut scene = described();
    let other = Guid(0x5000_0001);
    let skill =
        |ranks, advancement_class| Skill { ranks, init_level: 5, advancement_class, ..Skill::default() };
    let (sequence, run) = (0, Skill::RUN);
    let augmentation = |property, value| encode(PrivateUpdatePropertyInt { sequence, property, value });
    let steps = [
        (encode(PrivateUpdateSkillLevel { sequence, skill: run, ranks: 20 }), 125),
        (encode(PrivateUpdateSkillLevel { sequence, skill: Skill::JUMP, ranks: 90 }), 125),
        (encode(PublicUpdateSkillLevel { sequence, guid: other, skill: run, ranks: 50 }), 125),
        (encode(PublicUpdateSkillLevel { sequence, guid: PLAYER, skill: run, ranks: 30 }), 135),
        (encode(PublicUpdateSkill { sequence, guid: other, skill: run, value: skill(90, 2) }), 135),
        (encode(PublicUpdateSkill { sequence, guid: PLAYER, skill: run, value: skill(40, 2) }), 145),
        (augmentation(0x16D, 3), 148),
        (augmentation(0x146, 1), 153),
        (augmentation(0x146, 2), 153),
        (augmentation(0x158, 4), 153),
        (encode(PrivateUpdateSkill { sequence, skill: run, value: skill(40, 3) }), 161),
        (augmentation(0x146, 0), 156),
    ];
    for (step, (message, level)) in steps.iter().enumerate() {
        scene.send(message);
        assert_eq!(rate(&scene), Some(run_rate(0.0, *level) as f32), "step {step}: a run skill of {level}");
    }
}

/// F3: without an answer of `InqRunRate` the rate of the server's order counts, as for any other body.
#[test]
fn an_undescribed_player_runs_at_the_ordered_rate() {
    let mut scene = undescribed();
    assert_eq!((rate(&scene), full_jump(&scene)), (None, None));
    let target = at(120.0, 120.0);
    let origin = Origin { cell: target.cell, point: target.frame.origin };
    let params = MoveToParams { speed: 1.5, ..MoveToParams::default() };
    let body = MovementBody::MoveToPosition { origin, params, run_rate: 1.458_333_3 };
    let style = states(&scene).1.style;
    scene.send(&server_movement(body, style, 1));
    frames(&mut scene, 60);
    assert_eq!(states(&scene).1.forward.speed, 1.5 * 1.458_333_3);
    // From now on the skill of the description counts, in the next motion.
    scene.send(&description(105, 10, 0));
    press(&mut scene, W);
    assert_eq!(states(&scene).1.forward.speed, run_rate(0.0, 105) as f32);
}

/// C25, F13: the load query fails, and with it the cost of a jump.
#[test]
fn an_undescribed_player_cannot_jump() {
    let mut scene = undescribed();
    let now = scene.now;
    let refused = RequestError::Motion(MotionError::Failed);
    assert!(scene.world.player_mut().jump(1.0, now).is_err_and(|error| error == refused));
    scene.world.player_mut().set_weenie(PlayerWeenie::default(), now);
    assert!(scene.world.player_mut().jump(1.0, now).is_ok());
}

#[test]
fn updates_without_a_description_do_not_suffice() {
    let mut scene = undescribed();
    set_burden(&mut scene, 100);
    set_attribute(&mut scene, Attribute::QUICKNESS, 200);
    assert_eq!(rate(&scene), None);
    let now = scene.now;
    scene.world.player_mut().set_weenie(PlayerWeenie { run_skill: 200, ..PlayerWeenie::default() }, now);
    set_burden(&mut scene, 100_000);
    assert_eq!(rate(&scene), Some(2.375), "the caller's values are kept");
}

/// K10: the run skill is based on quickness, the jump skill on strength and coordination.
#[test]
fn attributes_change_the_skills() {
    let mut scene = described();
    set_attribute(&mut scene, Attribute::QUICKNESS, 195);
    assert_eq!(rate(&scene), Some(2.375), "195 + 5");
    set_attribute(&mut scene, Attribute::COORDINATION, 90);
    assert_eq!(full_jump(&scene), Some(jump_speed(0.0, 50, 1.0)), "half of 10 + 90");
    set_attribute(&mut scene, Attribute::FOCUS, 290);
    assert_eq!(rate(&scene), Some(2.375));
}

/// F20: a running player slows down in the same moment. When it has recovered, the next motion is faster.
#[test]
fn lost_stamina_slows_a_running_player_at_once() {
    let mut scene = described();
    press(&mut scene, W);
    let full = run_rate(0.0, 105) as f32;
    set_stamina(&mut scene, 1);
    assert_eq!(states(&scene).1.forward.speed, full);
    set_stamina(&mut scene, 0);
    assert_eq!((states(&scene).1.forward.speed, rate(&scene)), (1.0, Some(1.0)));
    set_stamina(&mut scene, 5);
    assert_eq!((states(&scene).1.forward.speed, rate(&scene)), (1.0, Some(full)));
}

/// The public form of an update counts only for the local player.
#[test]
fn public_updates_count_for_the_player_alone() {
    let mut scene = described();
    let before = rate(&scene);
    let mut update = PublicUpdatePropertyInt {
        sequence: 0,
        guid: Guid(0x8000_0001),
        property: PrivateUpdatePropertyInt::BURDEN,
        value: 2250,
    };
    scene.send(&encode(update));
    assert_eq!(rate(&scene), before);
    update.guid = PLAYER;
    scene.send(&encode(update));
    assert_eq!(rate(&scene), Some(run_rate(1.5, 105) as f32));
    let augmented = PublicUpdatePropertyInt { property: 0x16D, value: 95, ..update };
    scene.send(&encode(augmented));
    assert_eq!(rate(&scene), Some(run_rate(1.5, 200) as f32), "augmentation points (K10)");
}

#[test]
fn enchantments_change_skills_and_attributes_while_they_last() {
    let mut scene = described();
    let mut enchantment = Enchantment {
        spell: 1,
        layer: 1,
        category: 1,
        power: 10,
        stat_mod: StatModFlags::SKILL | StatModFlags::SINGLE_STAT | StatModFlags::ADDITIVE,
        stat_key: Skill::RUN,
        stat_value: 95.0,
        ..Enchantment::default()
    };
    event(&mut scene, GameEventBody::MagicUpdateEnchantment(MagicUpdateEnchantment { enchantment }));
    assert_eq!(rate(&scene), Some(2.375));
    enchantment.spell = 2;
    enchantment.category = 2;
    enchantment.stat_mod = StatModFlags::ATTRIBUTE | StatModFlags::SINGLE_STAT | StatModFlags::MULTIPLICATIVE;
    enchantment.stat_key = Attribute::STRENGTH;
    enchantment.stat_value = 0.5;
    set_burden(&mut scene, 1125);
    event(&mut scene, GameEventBody::MagicUpdateEnchantment(MagicUpdateEnchantment { enchantment }));
    assert_eq!(rate(&scene), Some(run_rate(1.5, 200) as f32), "strength 5 carries 750");
    event(&mut scene, GameEventBody::MagicRemoveEnchantment(MagicRemoveEnchantment { spell: 1, layer: 1 }));
    event(&mut scene, GameEventBody::MagicRemoveEnchantment(MagicRemoveEnchantment { spell: 2, layer: 1 }));
    assert_eq!(rate(&scene), Some(run_rate(0.75, 105) as f32));
}

/// A description lists the enchantments as well; the next one replaces them.
#[test]
fn a_description_brings_its_enchantments() {
    let enchantment = Enchantment {
        spell: 1,
        layer: 1,
        category: 1,
        power: 10,
        stat_mod: StatModFlags::SKILL | StatModFlags::SINGLE_STAT | StatModFlags::ADDITIVE,
        stat_key: Skill::RUN,
        stat_value: 95.0,
        ..Enchantment::default()
    };
    let update = GameEventBody::MagicUpdateEnchantment(MagicUpdateEnchantment { enchantment });
    let update = encode(GameEvent { guid: PLAYER, sequence: 2, event: update });
    let mut bytes = description(105, 10, 0);
    // The flags of what follows the burden: attributes, skills, and now enchantments, of which there is one that adds.
    bytes[36..40].copy_from_slice(&0x203_u32.to_le_bytes());
    bytes.extend([2_u32, 1].map(u32::to_le_bytes).concat());
    bytes.extend(&update[16..]);
    let mut scene = undescribed();
    scene.send(&bytes);
    assert_eq!(rate(&scene), Some(2.375), "105 + 95");
    scene.send(&description(105, 10, 0));
    assert_eq!(rate(&scene), Some(run_rate(0.0, 105) as f32));
}

/// A message that says nothing about movement leaves the values of the caller alone, even after a description.
#[test]
fn other_messages_do_not_undo_what_the_caller_has_set() {
    let mut scene = described();
    let now = scene.now;
    scene.world.player_mut().set_weenie(PlayerWeenie { run_skill: 200, ..PlayerWeenie::default() }, now);
    let (sequence, value) = (0, 7);
    set_attribute(&mut scene, Attribute::FOCUS, 50);
    scene.send(&encode(PrivateUpdateSkillLevel { sequence, skill: 1, ranks: 7 }));
    scene.send(&encode(PrivateUpdateSkill { sequence, skill: 1, value: Skill::default() }));
    scene.send(&encode(PrivateUpdatePropertyInt { sequence, property: 0x99, value }));
    scene.send(&encode(PrivateUpdateAttribute2ndLevel { sequence, vital: Vital::HEALTH, current: 0 }));
    assert_eq!(rate(&scene), Some(2.375));
}

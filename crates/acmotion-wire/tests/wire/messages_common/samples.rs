//! Sample messages: at least one of every type.

use acmotion_wire::*;

use super::{golden_cases, golden_message};

/// Returns the messages of the vectors, and one of every type the vectors lack.
pub(crate) fn samples() -> Vec<(Direction, Vec<u8>)> {
    let mut samples: Vec<_> = golden_cases().iter().map(golden_message).collect();
    samples.extend(extra_samples());
    samples
}

/// Returns one message of every type the vectors lack, and several forms of the long ones.
pub(crate) fn extra_samples() -> Vec<(Direction, Vec<u8>)> {
    let mut weenie = Vec::new();
    WeenieDesc::encode_plain(b"Drudge Prowler", 35, &mut weenie);
    let weenie = WeenieDesc::decode(&weenie).unwrap();
    let guid = Guid(0x8000_1234);
    let value =
        Skill { ranks: 120, adjust_pp: 1, advancement_class: 3, last_used_time: 1.5, ..Skill::default() };
    let model = ModelData::PLAIN;
    let [creature, attached] =
        [creature(), attached_object()].map(|physics| ObjectDesc { guid, model, physics, weenie });
    let strength_and_stamina = [0x81, 10, 30, 3746, 4, 5, 6, 30];
    let all_attributes: Vec<u32> = (0x1FF..=0x1FF).chain(1..=6 * 3 + 3 * 4).collect();
    let descriptions = [&strength_and_stamina[..], &all_attributes].map(player_description);
    let [description, full_description] = [0, 1]
        .map(|number: usize| PlayerDescription::decode_body(&descriptions[number], Era::default()).unwrap());
    let item = Guid(0x8000_5678);
    let events: Vec<GameEventBody<'_>> = vec![
        description.into(),
        full_description.into(),
        MagicUpdateEnchantment { enchantment: enchantment() }.into(),
        MagicUpdateEnchantment {
            enchantment: Enchantment { has_spell_set: false.into(), spell_set: 0, ..enchantment() },
        }
        .into(),
        MagicRemoveEnchantment { spell: 2, layer: 1 }.into(),
        UseDone { error: 0 }.into(),
        AttackDone { error: 0x36 }.into(),
        CombatCommenceAttack.into(),
        InventoryPutObjInContainer { item, container: guid, slot: 2, kind: 0 }.into(),
        WieldItem { item, location: 0x0010_0000 }.into(),
        InventoryPutObjIn3D { item }.into(),
    ];
    let attribute = Attribute { ranks: 10, start: 100, xp_spent: 3746 };
    let server: Vec<S2C<'_>> = vec![
        CreateObject(creature).into(),
        CreateObject(attached).into(),
        UpdateObject(creature).into(),
        UpdateObject(attached).into(),
        PositionAndMovement { guid, pack: position_pack(), data: movement_data() }.into(),
        SetState { guid, state: PhysicsState::GRAVITY, ..SetState::default() }.into(),
        PlayerCreate { guid }.into(),
        DeleteObject { guid, ..DeleteObject::default() }.into(),
        ParentEvent { parent: guid, child: Guid(0x8000_5678), location: 1, ..ParentEvent::default() }.into(),
        PickupEvent { guid, ..PickupEvent::default() }.into(),
        ObjDescEvent { guid, model, instance: Stamp(1), visual_desc: Stamp(2) }.into(),
        Sound { guid, sound: 0x76, volume: 0.5 }.into(),
        PlayerTeleport { teleport: Stamp(4), pad: Pad::ZERO }.into(),
        PlayScriptId { guid, script: 0x3300_0010 }.into(),
        PlayScriptType { guid, script_type: 0x1D, speed: 0.75 }.into(),
        PrivateUpdateSkill { sequence: 9, skill: Skill::RUN, value }.into(),
        PublicUpdateSkill { sequence: 9, guid, skill: Skill::JUMP, value }.into(),
        PrivateUpdateSkillLevel { sequence: 2, skill: Skill::JUMP, ranks: 75 }.into(),
        PublicUpdateSkillLevel { sequence: 2, guid, skill: Skill::RUN, ranks: 75 }.into(),
        PrivateUpdatePropertyInt { sequence: 3, property: PrivateUpdatePropertyInt::BURDEN, value: 30_517 }
            .into(),
        PublicUpdatePropertyInt { sequence: 3, guid, property: 25, value: -2 }.into(),
        PrivateUpdateAttribute { sequence: 4, attribute: Attribute::QUICKNESS, value: attribute }.into(),
        PrivateUpdateAttribute2ndLevel { sequence: 5, vital: Vital::STAMINA, current: 19 }.into(),
    ];
    let events = events.into_iter().map(|event| S2C::from(GameEvent { guid, sequence: 1, event }));
    let server = server.into_iter().chain(events);
    let client: Vec<GameActionBody<'_>> = vec![
        Jump { extent: 0.5, ..Jump::default() }.into(),
        Jump { extent: 0.5, tail: Some([0x8000_1234, 7]), ..Jump::default() }.into(),
        AutonomyLevel { level: 2 }.into(),
        DoMovementCommand { motion: MotionCommand::WALK_FORWARD, speed: 1.0, hold_key: HoldKey::RUN }.into(),
        StopMovementCommand { motion: MotionCommand::WALK_FORWARD, hold_key: HoldKey::RUN }.into(),
        TurnTo { heading: 90.0, run: true.into() }.into(),
        JumpNonAutonomous { extent: 0.75 }.into(),
        ChangeCombatMode { mode: CombatMode::MELEE }.into(),
        TargetedMeleeAttack { target: guid, height: AttackHeight::MEDIUM, power: 0.75 }.into(),
        TargetedMissileAttack { target: guid, height: AttackHeight::HIGH, accuracy: 0.25 }.into(),
        CastUntargetedSpell { spell: 0x1234 }.into(),
        CastTargetedSpell { target: guid, spell: 0x1234 }.into(),
        Use { object: guid }.into(),
        UseWithTarget { tool: item, target: guid }.into(),
        PutItemInContainer { item, container: guid, slot: 2 }.into(),
        GetAndWieldItem { item, location: 0x0010_0000 }.into(),
        DropItem { item }.into(),
        CancelAttack.into(),
    ];
    let client = client.into_iter().map(|action| C2S::from(GameAction { sequence: 7, action }));
    let mut samples: Vec<_> =
        server.map(|message| (Direction::S2C, bytes(|out| message.encode(out)))).collect();
    samples.extend(client.map(|message| (Direction::C2S, bytes(|out| message.encode(out)))));
    samples
}

fn bytes(encode: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
    let mut out = Vec::new();
    encode(&mut out);
    out
}

fn position() -> CellPosition {
    CellPosition::at(CellId(0xA9B4_0015), Vec3::new(10.0, 20.0, 94.0))
}

fn position_pack() -> PositionPack {
    let pack = PositionPack {
        flags: PositionFlags::GROUNDED,
        position: position(),
        velocity: None,
        placement: Some(0x65),
        instance: Stamp(1),
        position_stamp: Stamp(2),
        teleport: Stamp(3),
        force_position: Stamp(4),
    };
    pack.compact()
}

fn movement() -> Movement<'static> {
    let state =
        InterpretedState { forward_command: Some(MotionCommand::READY), ..InterpretedState::default() };
    Movement {
        flags: MotionFlags::empty(),
        style: MotionCommand::NON_COMBAT,
        body: MovementBody::Interpreted { state, sticky: None },
    }
}

fn movement_data() -> MovementData<'static> {
    MovementData {
        movement_stamp: Stamp(5),
        server_control: Stamp(6),
        autonomous: false.into(),
        pad: Pad::ZERO,
        movement: movement(),
    }
}

/// The physics of a creature standing in the world.
fn creature() -> PhysicsDesc<'static> {
    PhysicsDesc {
        state: PhysicsState::GRAVITY,
        movement: Some(InitialMovement::Movement { movement: movement(), autonomous: false.into() }),
        position: Some(position()),
        motion_table: Some(0x0900_0001),
        setup: Some(0x0200_0001),
        scale: Some(1.5),
        ..PhysicsDesc::default()
    }
}

/// The physics of an attached object, with every field that the creature lacks.
fn attached_object() -> PhysicsDesc<'static> {
    const CHILDREN: [Attachment; 2] = [
        Attachment { guid: Guid(0x8000_1111), location: 1 },
        Attachment { guid: Guid(0x8000_2222), location: 3 },
    ];
    PhysicsDesc {
        placement: Some(0x65),
        sound_table: Some(0x2000_0005),
        physics_script_table: Some(0x3400_0017),
        parent: Some(Attachment { guid: Guid(0x5000_0001), location: 2 }),
        children: Some(Children::new(&CHILDREN)),
        friction: Some(0.75),
        elasticity: Some(0.05),
        translucency: Some(0.5),
        velocity: Some(Vec3::new(1.0, 0.0, 0.0)),
        acceleration: Some(Vec3::ZERO),
        omega: Some(Vec3::new(0.0, 0.0, 1.0)),
        default_script: Some(0x3300_0010),
        default_script_intensity: Some(2.0),
        ..PhysicsDesc::default()
    }
}

fn enchantment() -> Enchantment {
    Enchantment {
        spell: 2,
        layer: 1,
        category: 0x13,
        has_spell_set: true.into(),
        power: 100,
        start: -1000.0,
        duration: 1800.0,
        caster: Guid(0x8000_1234),
        degrade_limit: -666.0,
        stat_mod: StatModFlags::SKILL | StatModFlags::SINGLE_STAT | StatModFlags::ADDITIVE,
        stat_key: Skill::RUN,
        stat_value: 20.0,
        spell_set: 7,
        ..Enchantment::default()
    }
}

/// A table of integers, a table of strings, attributes, two skills, a spell, enchantments, and a tail.
/// Returns a player description with these attributes and vitals, after their flags.
fn player_description(attributes: &[u32]) -> Vec<u8> {
    let enchantment = bytes(|out| MagicUpdateEnchantment { enchantment: enchantment() }.encode_body(out));
    let words = |words: &[u32]| words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<_>>();
    [
        words(&[0x11, 10, 0x0040_0002, 5, 30_517, 25, 6]),
        [words(&[0x0020_0001, 1]), b"\x06\x00Drudge".to_vec()].concat(),
        words(&[0x303, 1]),
        words(attributes),
        words(&[0x0020_0002, Skill::RUN, 0x0001_0078, 3, 0, 10, 0, 0, 0]),
        words(&[Skill::JUMP, 0x0001_004B, 2, 0, 5, 0, 0, 0]),
        words(&[0x0020_0001, 35, 0x4000_0000]),
        [words(&[6, 1]), enchantment.clone(), enchantment].concat(),
        words(&[0xDEAD_BEEF]),
    ]
    .concat()
}

//! Every message round-trips through its encoding, and any bytes result in a message or an error.

use acmotion_wire::*;
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

/// Any float but NaN, which is not equal to itself.
fn float() -> impl Strategy<Value = f32> {
    use proptest::num::f32::{INFINITE, NEGATIVE, NORMAL, POSITIVE, SUBNORMAL, ZERO};
    POSITIVE | NEGATIVE | NORMAL | SUBNORMAL | ZERO | INFINITE
}

fn command() -> impl Strategy<Value = MotionCommand> {
    (0..Era::default().count() as u16).prop_map(|index| Era::default().expand(index).unwrap())
}

fn stamp() -> impl Strategy<Value = Stamp> {
    any::<u16>().prop_map(Stamp)
}

fn guid() -> impl Strategy<Value = Guid> {
    any::<u32>().prop_map(Guid)
}

prop_compose! {
    fn vector()(x in float(), y in float(), z in float()) -> Vec3 {
        Vec3::new(x, y, z)
    }
}

prop_compose! {
    fn position()(cell: u32, origin in vector(), w in float(), v in vector()) -> CellPosition {
        CellPosition::new(CellId(cell), Frame::new(origin, Quat::new(w, v.x, v.y, v.z)))
    }
}

prop_compose! {
    fn origin()(cell: u32, point in vector()) -> Origin {
        Origin { cell: CellId(cell), point }
    }
}

prop_compose! {
    fn pack()(
        bits: u32, position in position(), zeros: u8, velocity in option::of(vector()),
        placement: Option<u32>, stamps in [stamp(), stamp(), stamp(), stamp()]
    ) -> PositionPack {
        let [instance, position_stamp, teleport, force_position] = stamps;
        let flags = PositionFlags::from_bits_retain(bits);
        let mut pack = PositionPack {
            flags, position, velocity, placement, instance, position_stamp, teleport, force_position,
        };
        let rotation = &mut pack.position.frame.rotation;
        let parts = [&mut rotation.w, &mut rotation.x, &mut rotation.y, &mut rotation.z];
        for (bit, part) in parts.into_iter().enumerate().filter(|(bit, _)| zeros & 1 << bit != 0) {
            *part = if bit == 0 { 0.0 } else { -0.0 };
        }
        pack.flags = pack.wire_flags();
        pack
    }
}

prop_compose! {
    fn action()(command in command(), stamp: u16, autonomous: bool, speed in float()) -> ActionItem {
        ActionItem { command, stamp: ActionStamp::new(stamp), autonomous, speed }
    }
}

prop_compose! {
    fn state()(
        commands in [(); 4].map(|()| option::of(command())), speeds in [(); 3].map(|()| option::of(float())),
        unknown: u32
    ) -> InterpretedState<'static> {
        let [current_style, forward_command, sidestep_command, turn_command] = commands;
        let [forward_speed, sidestep_speed, turn_speed] = speeds;
        InterpretedState {
            current_style, forward_command, sidestep_command, turn_command, forward_speed, sidestep_speed,
            turn_speed, unknown_bits: unknown & 0xFFFF_F000, ..InterpretedState::default()
        }
    }
}

prop_compose! {
    fn move_to_params()(flags: u32, floats in [(); 6].map(|()| float())) -> MoveToParams {
        let [distance_to_object, min_distance, fail_distance, speed, walk_run_threshold, desired_heading] = floats;
        MoveToParams {
            flags: MoveFlags::from_bits_retain(flags), distance_to_object, min_distance, fail_distance, speed,
            walk_run_threshold, desired_heading,
        }
    }
}

prop_compose! {
    fn turn_to_params()(flags: u32, speed in float(), desired_heading in float()) -> TurnToParams {
        TurnToParams { flags: MoveFlags::from_bits_retain(flags), speed, desired_heading }
    }
}

fn body() -> impl Strategy<Value = MovementBody<'static>> {
    prop_oneof![
        3 => (state(), option::of(guid())).prop_map(|(state, sticky)| MovementBody::Interpreted { state, sticky }),
        1 => (guid(), origin(), move_to_params(), float()).prop_map(|(target, origin, params, run_rate)| {
            MovementBody::MoveToObject { target, origin, params, run_rate }
        }),
        1 => (origin(), move_to_params(), float()).prop_map(|(origin, params, run_rate)| {
            MovementBody::MoveToPosition { origin, params, run_rate }
        }),
        1 => (guid(), float(), turn_to_params()).prop_map(|(target, heading, params)| {
            MovementBody::TurnToObject { target, heading, params }
        }),
        1 => turn_to_params().prop_map(|params| MovementBody::TurnToHeading { params }),
    ]
}

prop_compose! {
    fn movement()(flags: u8, style in command(), body in body()) -> Movement<'static> {
        let mut movement = Movement { flags: MotionFlags::from_bits_retain(flags), style, body };
        movement.flags = movement.wire_flags();
        movement
    }
}

/// Adds actions to the movement's state, if it has one.
fn with_actions<'a>(mut movement: Movement<'a>, actions: &'a [ActionItem]) -> Movement<'a> {
    if let MovementBody::Interpreted { state, .. } = &mut movement.body {
        state.actions = Actions::new(actions);
    }
    movement
}

prop_compose! {
    fn movement_data()(movement_stamp in stamp(), server_control in stamp(), autonomous: u8, movement in movement())
    -> MovementData<'static> {
        MovementData { movement_stamp, server_control, autonomous: WireBool(autonomous), pad: Pad::ZERO, movement }
    }
}

prop_compose! {
    fn echoed()(stamps in [stamp(), stamp(), stamp(), stamp()]) -> EchoedStamps {
        let [instance, server_control, teleport, force_position] = stamps;
        EchoedStamps { instance, server_control, teleport, force_position }
    }
}

prop_compose! {
    fn raw()(
        commands in [(); 4].map(|()| option::of(any::<u32>().prop_map(MotionCommand))),
        keys in [(); 4].map(|()| option::of(any::<u32>().prop_map(HoldKey))),
        speeds in [(); 3].map(|()| option::of(float())), unknown: u32
    ) -> RawMotionState<'static> {
        let [current_style, forward_command, sidestep_command, turn_command] = commands;
        let [current_hold_key, forward_hold_key, sidestep_hold_key, turn_hold_key] = keys;
        let [forward_speed, sidestep_speed, turn_speed] = speeds;
        RawMotionState {
            current_hold_key, current_style, forward_command, forward_hold_key, forward_speed, sidestep_command,
            sidestep_hold_key, sidestep_speed, turn_command, turn_hold_key, turn_speed, actions: Actions::EMPTY,
            unknown_bits: unknown & 0xFFFF_0000,
        }
    }
}

fn attachment() -> impl Strategy<Value = Attachment> {
    (guid(), any::<u32>()).prop_map(|(guid, location)| Attachment { guid, location })
}

prop_compose! {
    fn object_stamps()(stamps in [(); 9].map(|()| stamp())) -> ObjectStamps {
        let [position, movement, state, vector, teleport, server_control, force_position, visual_desc, instance] =
            stamps;
        ObjectStamps {
            position, movement, state, vector, teleport, server_control, force_position, visual_desc, instance,
        }
    }
}

fn initial_movement() -> impl Strategy<Value = InitialMovement<'static>> {
    prop_oneof![
        1 => Just(InitialMovement::Empty),
        4 => (movement(), any::<u32>()).prop_map(|(movement, autonomous)| {
            InitialMovement::Movement { movement, autonomous: WireBool(autonomous) }
        }),
    ]
}

prop_compose! {
    fn physics()(
        words in any::<(u32, u32)>(), movement in option::of(initial_movement()), placement: Option<u32>,
        position in option::of(position()), ids in any::<[Option<u32>; 5]>(), parent in option::of(attachment()),
        floats in [(); 5].map(|()| option::of(float())), vectors in [(); 3].map(|()| option::of(vector())),
        stamps in object_stamps()
    ) -> PhysicsDesc<'static> {
        let [motion_table, sound_table, physics_script_table, setup, default_script] = ids;
        let [scale, friction, elasticity, translucency, default_script_intensity] = floats;
        let [velocity, acceleration, omega] = vectors;
        PhysicsDesc {
            flags: PhysicsDescFlags::from_bits_retain(words.0), state: PhysicsState::from_bits_retain(words.1),
            placement: if movement.is_some() { None } else { placement }, movement, position, motion_table,
            sound_table, physics_script_table, setup, parent, children: None, scale, friction, elasticity,
            translucency, velocity, acceleration, omega, default_script, default_script_intensity, stamps,
            pad: Pad::ZERO,
        }
    }
}

prop_compose! {
    fn enchantment()(
        (spell, layer, category, has_spell_set) in any::<(u16, u16, u16, bool)>(),
        (power, stat_key, bits, spell_set) in any::<(u32, u32, u32, u32)>(), caster in guid(),
        floats in [(); 3].map(|()| float()), times in [-1e9..1e9, -1e9..1e9, -1e9..1e9]
    ) -> Enchantment {
        let [degrade_modifier, degrade_limit, stat_value] = floats;
        let [start, duration, last_degraded] = times;
        Enchantment {
            spell, layer, category, has_spell_set: has_spell_set.into(), power, start, duration, caster,
            degrade_modifier, degrade_limit, last_degraded, stat_mod: StatModFlags::from_bits_retain(bits), stat_key,
            stat_value, spell_set: if has_spell_set { spell_set } else { 0 },
        }
    }
}

/// Asserts that a message round-trips when it is appended to other bytes.
#[track_caller]
fn assert_s2c<'a>(message: impl Into<S2C<'a>>) {
    let message = message.into();
    let mut bytes = vec![0xAA; 3];
    message.encode(&mut bytes);
    assert_eq!(decode_s2c(&bytes[3..], Era::default()), Ok(message));
}

#[track_caller]
fn assert_event<'a>(guid: Guid, sequence: u32, event: impl Into<GameEventBody<'a>>) {
    assert_s2c(GameEvent { guid, sequence, event: event.into() });
}

#[track_caller]
fn assert_c2s<'a>(sequence: u32, action: impl Into<GameActionBody<'a>>) {
    let message = C2S::from(GameAction { sequence, action: action.into() });
    let mut bytes = vec![0xAA; 3];
    message.encode(&mut bytes);
    assert_eq!(decode_c2s(&bytes[3..], Era::default()), Ok(message));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn motions_round_trip(
        guid in guid(), instance in stamp(), mut data in movement_data(), actions in vec(action(), 0..=31)
    ) {
        data.movement = with_actions(data.movement, &actions);
        assert_s2c(UpdateMotion { guid, instance, data });
    }

    #[test]
    fn positions_round_trip(
        guid in guid(), pack in pack(), mut data in movement_data(), actions in vec(action(), 0..=4)
    ) {
        assert_s2c(UpdatePosition { guid, pack });
        data.movement = with_actions(data.movement, &actions);
        assert_s2c(PositionAndMovement { guid, pack, data });
    }

    #[test]
    fn objects_round_trip(
        guid in guid(), mut physics in physics(), children in option::of(vec(attachment(), 0..6)),
        name in vec(any::<u8>(), 0..40), class: u32
    ) {
        let mut weenie = Vec::new();
        WeenieDesc::encode_plain(&name, class & 0x7FFF_FFFF, &mut weenie);
        let weenie = WeenieDesc::decode(&weenie).unwrap();
        prop_assert_eq!(weenie.class_id(), class & 0x7FFF_FFFF);
        prop_assert_eq!(weenie.name(), WireStr(&name));
        physics.children = children.as_deref().map(Children::new);
        physics.flags = physics.wire_flags();
        let object = ObjectDesc { guid, model: ModelData::PLAIN, physics, weenie };
        assert_s2c(CreateObject(object));
        assert_s2c(UpdateObject(object));
    }

    #[test]
    fn fields_of_descriptions_round_trip(
        name in vec(any::<u8>(), 0..40), (class_id, item_type, object_flags) in any::<(u32, u32, u32)>(),
        house_owner in option::of(guid()), rules in option::of((any::<bool>(), guid(), vec((guid(), any::<u32>()), 0..5))),
        hook_item_types in option::of(0u32..3), monarch in option::of(guid()), hook_type in option::of(0u16..3)
    ) {
        let mut bytes = Vec::new();
        if let Some((open, monarch, guests)) = &rules {
            HouseRestrictions::encode(*open, *monarch, guests, &mut bytes);
        }
        let house_restrictions = rules.as_ref().map(|_| HouseRestrictions::decode(&bytes).unwrap());
        let mut weenie = Vec::new();
        let class_id = class_id & 0x7FFF_FFFF;
        let fields = WeenieFields {
            name: &name, class_id, item_type, object_flags, house_owner, house_restrictions, hook_item_types, monarch,
            hook_type,
        };
        fields.encode(&mut weenie);
        let weenie = WeenieDesc::decode(&weenie).unwrap();
        prop_assert_eq!((weenie.name(), weenie.class_id()), (WireStr(&name), class_id));
        prop_assert_eq!((weenie.item_type(), weenie.object_flags()), (item_type, object_flags & !0x400_0000));
        prop_assert_eq!((weenie.house_owner(), weenie.monarch()), (house_owner, monarch));
        let is_hook = hook_type.unwrap_or(0) != 0 && hook_item_types.unwrap_or(0) != 0;
        prop_assert_eq!(weenie.is_hook(), is_hook);
        let read = weenie.house_restrictions().map(|rules| {
            (rules.is_open(), rules.monarch().unwrap_or(Guid::NONE), rules.guests().collect::<Vec<_>>())
        });
        prop_assert_eq!(read, rules);
    }

    #[test]
    fn small_server_messages_round_trip(
        guid in guid(), child in guid(), (a, b, c) in any::<(u32, u32, u32)>(), sequence: u8, x in float(),
        velocity in vector(), omega in vector(), instance in stamp(), stamp in stamp(), ranks: u16, time in 0.0..1e9
    ) {
        assert_s2c(VectorUpdate { guid, velocity, omega, instance, vector: stamp });
        let state = PhysicsState::from_bits_retain(a);
        assert_s2c(SetState { guid, state, instance, state_stamp: stamp });
        assert_s2c(PlayerCreate { guid });
        assert_s2c(DeleteObject { guid, instance, pad: Pad([sequence, 1, 0]) });
        assert_s2c(ParentEvent {
            parent: guid, child, location: a, placement: b, parent_instance: instance, child_position: stamp,
        });
        assert_s2c(PickupEvent { guid, instance, position: stamp });
        assert_s2c(ObjDescEvent { guid, model: ModelData::PLAIN, instance, visual_desc: stamp });
        assert_s2c(Sound { guid, sound: a, volume: x });
        assert_s2c(PlayerTeleport { teleport: stamp, pad: Pad::ZERO });
        assert_s2c(PlayScriptId { guid, script: a });
        assert_s2c(PlayScriptType { guid, script_type: a, speed: x });
        let value = Skill {
            ranks, adjust_pp: 1, advancement_class: a, xp_spent: b, init_level: c, resistance_at_last_check: a ^ b,
            last_used_time: time,
        };
        assert_s2c(PrivateUpdateSkill { sequence, skill: c, value });
        assert_s2c(PublicUpdateSkill { sequence, guid, skill: c, value });
        assert_s2c(PrivateUpdateSkillLevel { sequence, skill: c, ranks: a });
        assert_s2c(PublicUpdateSkillLevel { sequence, guid, skill: c, ranks: a });
    }

    #[test]
    fn character_updates_and_events_round_trip(
        guid in guid(), item in guid(), (a, b, c) in any::<(u32, u32, u32)>(), sequence: u8, value: i32,
        enchantment in enchantment()
    ) {
        assert_s2c(PrivateUpdatePropertyInt { sequence, property: a, value });
        assert_s2c(PublicUpdatePropertyInt { sequence, guid, property: a, value });
        let value = Attribute { ranks: a, start: b, xp_spent: c };
        assert_s2c(PrivateUpdateAttribute { sequence, attribute: c, value });
        assert_s2c(PrivateUpdateAttribute2ndLevel { sequence, vital: a, current: b });
        assert_event(guid, b, MagicUpdateEnchantment { enchantment });
        assert_event(guid, b, MagicRemoveEnchantment { spell: enchantment.spell, layer: enchantment.layer });
        assert_event(guid, b, UseDone { error: a });
        assert_event(guid, b, AttackDone { error: a });
        assert_event(guid, b, CombatCommenceAttack);
        assert_event(guid, b, InventoryPutObjInContainer { item, container: guid, slot: a, kind: c });
        assert_event(guid, b, WieldItem { item, location: a });
        assert_event(guid, b, InventoryPutObjIn3D { item });
    }

    #[test]
    fn combat_and_item_actions_round_trip(
        sequence: u32, target in guid(), item in guid(), (a, b) in any::<(u32, u32)>(), power in float()
    ) {
        let height = AttackHeight(a);
        assert_c2s(sequence, TargetedMeleeAttack { target, height, power });
        assert_c2s(sequence, TargetedMissileAttack { target, height, accuracy: power });
        assert_c2s(sequence, CastUntargetedSpell { spell: a });
        assert_c2s(sequence, CastTargetedSpell { target, spell: a });
        assert_c2s(sequence, Use { object: target });
        assert_c2s(sequence, UseWithTarget { tool: item, target });
        assert_c2s(sequence, PutItemInContainer { item, container: target, slot: b });
        assert_c2s(sequence, GetAndWieldItem { item, location: b });
        assert_c2s(sequence, DropItem { item });
        assert_c2s(sequence, CancelAttack);
    }

    #[test]
    fn client_actions_round_trip(
        sequence: u32, mut raw in raw(), actions in vec(action(), 0..=31), position in position(),
        stamps in echoed(), bits: u8, pad: [u8; 3], extent in float(), velocity in vector(), number: u32
    ) {
        raw.actions = Actions::new(&actions);
        let pad = Pad(pad);
        let contact = ContactFlags::from_bits_retain(bits);
        assert_c2s(sequence, MoveToState { raw, position, stamps, contact, pad });
        assert_c2s(sequence, AutonomousPosition { position, stamps, contact: WireBool(bits), pad });
        let short = Jump { extent, velocity, position: None, stamps, tail: None };
        assert_c2s(sequence, short);
        assert_c2s(sequence, Jump { position: Some(position), ..short });
        assert_c2s(sequence, Jump { tail: Some([number, sequence]), ..short });
        assert_c2s(sequence, AutonomyLevel { level: number });
        let (motion, hold_key) = (MotionCommand(number), HoldKey(sequence));
        assert_c2s(sequence, DoMovementCommand { motion, speed: extent, hold_key });
        assert_c2s(sequence, StopMovementCommand { motion, hold_key });
        assert_c2s(sequence, TurnTo { heading: extent, run: WireBool(number) });
        assert_c2s(sequence, JumpNonAutonomous { extent });
        assert_c2s(sequence, ChangeCombatMode { mode: CombatMode(number) });
    }

    #[test]
    fn any_bytes_that_decode_encode_to_themselves(
        bytes in vec(any::<u8>(), 0..200), server in select(SERVER_OPCODES.as_slice()),
        client in select(CLIENT_OPCODES.as_slice()), event in select(EVENT_OPCODES.as_slice())
    ) {
        let mut again = Vec::new();
        let from_server = [&server.to_le_bytes(), &bytes[..]].concat();
        if let Ok(message) = decode_s2c(&from_server, Era::default()) {
            message.encode(&mut again);
            prop_assert_eq!(&again, &from_server);
        }
        let envelope = [0xF7B0, 0x5000_0001, 9, event].map(u32::to_le_bytes).concat();
        let from_server = [&envelope, &bytes[..]].concat();
        if let Ok(message) = decode_s2c(&from_server, Era::default()) {
            again.clear();
            message.encode(&mut again);
            prop_assert_eq!(&again, &from_server);
        }
        let from_client = [&0xF7B1_u32.to_le_bytes(), &[1, 0, 0, 0], &u32::to_le_bytes(client)[..], &bytes].concat();
        if let Ok(message) = decode_c2s(&from_client, Era::default()) {
            again.clear();
            message.encode(&mut again);
            prop_assert_eq!(&again, &from_client);
        }
    }
}

const SERVER_OPCODES: [u32; 26] = [
    0xF74C, 0xF748, 0xF74E, 0xF619, 0xF74B, 0xF745, 0xF7DB, 0xF746, 0xF747, 0xF749, 0xF74A, 0xF625, 0xF750,
    0xF751, 0xF754, 0xF755, 0x02DD, 0x02DE, 0x02DF, 0x02E0, 0x02CD, 0x02CE, 0x02E3, 0x02E9, 0xF7B0, 0x1234,
];
const EVENT_OPCODES: [u32; 10] =
    [0x0013, 0x02C2, 0x02C3, 0x01C7, 0x01A7, 0x01B8, 0x0022, 0x0023, 0x019A, 0x1234];
const CLIENT_OPCODES: [u32; 20] = [
    0xF61C, 0xF753, 0xF61B, 0xF752, 0xF61E, 0xF661, 0xF649, 0xF7C9, 0x0053, 0x0008, 0x000A, 0x0048, 0x004A,
    0x0036, 0x0035, 0x0019, 0x001A, 0x001B, 0x01B7, 0x1234,
];

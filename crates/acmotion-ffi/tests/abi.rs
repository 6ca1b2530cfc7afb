//! The interface as a caller in another language sees it: what works, and what is refused.
#![allow(unsafe_code, reason = "the functions under test take raw pointers")]
#![allow(clippy::undocumented_unsafe_blocks, reason = "all memory in these tests is real, or refused")]

use std::ptr::{null, null_mut};
use std::sync::atomic::{AtomicBool, Ordering};

use acmotion_ffi::*;

const GUID: u32 = 0x8000_0001;
const PLAYER: u32 = 0x5000_0001;
const RUN_FORWARD: u32 = 0x4400_0007;

fn last_error() -> String {
    let (mut text, mut length) = ([0_u8; 256], 0);
    let status = unsafe { acm_last_error(text.as_mut_ptr().cast(), text.len(), &mut length) };
    assert_eq!(status, AcmStatus::Ok);
    String::from_utf8(text[..length].to_vec()).unwrap()
}

fn ok(status: AcmStatus) {
    assert_eq!(status, AcmStatus::Ok, "{}", last_error());
}

fn place(y: f32) -> AcmPosition {
    AcmPosition {
        cell: 0xA9B4_0001,
        origin: AcmVec3 { x: 12.0, y, z: 94.0 },
        rotation: AcmQuat { w: 1.0, ..AcmQuat::default() },
    }
}

fn mannequin() -> AcmAssets {
    let mut assets = 0;
    ok(unsafe { acm_assets_mannequin(&mut assets) });
    assets
}

fn settings(player: u32) -> AcmWorldSettings {
    let mut settings = AcmWorldSettings::default();
    ok(unsafe { acm_world_settings_init(&mut settings) });
    settings.player = player;
    settings
}

fn world(player: u32) -> AcmWorld {
    let (assets, mut world) = (mannequin(), 0);
    ok(unsafe { acm_world_new(assets, 0, &settings(player), &mut world) });
    ok(acm_free(assets));
    world
}

fn spec(guid: u32, y: f32) -> AcmEntitySpec {
    let mut spec = AcmEntitySpec::default();
    ok(unsafe { acm_entity_spec_init(&mut spec) });
    (spec.guid, spec.position) = (guid, place(y));
    spec.flags |= ACM_SPEC_POSITION;
    spec
}

fn entity(world: AcmWorld, guid: u32) -> AcmEntityState {
    let mut state = AcmEntityState::default();
    ok(unsafe { acm_world_entity(world, guid, &mut state) });
    state
}

/// Takes all messages to clients.
fn broadcasts(world: AcmWorld) -> Vec<Vec<u8>> {
    let (mut bytes, mut spans) = ([0; 4096], [AcmSpan::default(); 32]);
    let mut batch = AcmBatch::default();
    ok(unsafe { acm_world_broadcasts(world, bytes.as_mut_ptr(), 4096, spans.as_mut_ptr(), 32, &mut batch) });
    assert_eq!(batch.left, 0);
    let span = |span: &AcmSpan| bytes[span.offset as usize..][..span.length as usize].to_vec();
    spans[..batch.count as usize].iter().map(span).collect()
}

#[test]
fn a_client_shows_what_a_server_orders() {
    let (server, client) = (world(0), world(0));
    ok(unsafe { acm_world_spawn(server, &spec(GUID, 12.0), 0.0) });
    let (mut message, mut length) = ([0; 512], 0);
    ok(unsafe {
        acm_world_describe(
            server,
            GUID,
            ACM_DESCRIBE_OBJECT,
            c"Drudge".as_ptr(),
            6,
            message.as_mut_ptr(),
            512,
            &mut length,
        )
    });
    ok(unsafe { acm_world_queue(client, message.as_ptr(), length) });
    let mut order = AcmOrder::default();
    ok(unsafe { acm_order_init(&mut order) });
    order.position = place(20.0);
    ok(unsafe { acm_world_order(server, GUID, &order, 0.0) });
    let mut arrived = 0;
    for frame in 1..300 {
        let now = f64::from(frame) / 30.0;
        ok(unsafe { acm_world_advance(server, now, null_mut()) });
        for message in broadcasts(server) {
            ok(unsafe { acm_world_queue(client, message.as_ptr(), message.len()) });
        }
        ok(unsafe { acm_world_advance(client, now, null_mut()) });
        let (mut events, mut batch) = ([AcmEvent::default(); 4], AcmBatch { left: 1, ..AcmBatch::default() });
        while batch.left > 0 {
            ok(unsafe { acm_world_events(client, events.as_mut_ptr(), 4, &mut batch) });
            let is_arrival =
                |event: &&AcmEvent| (event.kind, event.detail) == (ACM_EVENT_MOVE_TO, ACM_MOVE_TO_ARRIVED);
            arrived += events[..batch.count as usize].iter().filter(is_arrival).count();
        }
    }
    assert_eq!(arrived, 1);
    let (there, shown) = (entity(server, GUID).position, entity(client, GUID).position);
    assert!((there.origin.y - 20.0).abs() < 1.5 && (there.origin.y - shown.origin.y).abs() < 0.1);

    // Poses of all bodies in one call.
    let mut matrices = vec![AcmMatrix::default(); 64];
    let (mut bodies, mut presented) = ([AcmBody::default(); 2], AcmPresented::default());
    let view = AcmView {
        struct_size: size_of::<AcmView>() as u32,
        origin: shown.cell,
        share: 1.0,
        ..AcmView::default()
    };
    let mut present = |capacity, bodies: &mut [AcmBody]| unsafe {
        let count = bodies.len();
        acm_world_present(
            client,
            &view,
            matrices.as_mut_ptr(),
            capacity,
            bodies.as_mut_ptr(),
            count,
            &mut presented,
        )
    };
    ok(present(64, &mut bodies));
    assert_eq!((bodies[0].guid, bodies[0].first, bodies[0].position), (GUID, 0, shown));
    assert_eq!(present(3, &mut bodies), AcmStatus::BufferTooSmall);
    assert_eq!(present(64, &mut []), AcmStatus::BufferTooSmall);
    assert_eq!((presented.bodies, presented.matrices), (1, u64::from(bodies[0].count)));
    let head = matrices[bodies[0].count as usize - 1].m;
    assert!((head[7] - shown.origin.y).abs() < 2.0, "the translation is the last column: {head:?}");
    for world in [server, client] {
        ok(acm_free(world));
    }
}

#[test]
fn a_player_walks_and_its_messages_are_followed_and_checked() {
    let (client, server, assets) = (world(PLAYER), world(0), mannequin());
    let (mut check, mut checker) = (AcmCheckSettings::default(), 0);
    ok(unsafe { acm_check_settings_init(&mut check) });
    ok(unsafe { acm_checker_new(assets, 0, PLAYER, &check, &mut checker) });
    let mut player = spec(PLAYER, 4.0);
    (player.run_skill, player.flags) = (200, player.flags | ACM_SPEC_SKILLS);
    for world in [client, server] {
        ok(unsafe { acm_world_spawn(world, &player, 0.0) });
    }
    let mut request = AcmRequest::default();
    ok(unsafe { acm_request_init(&mut request) });
    (request.position, request.pace) = (place(30.0), ACM_PACE_RUN);
    let mut id = 0;
    ok(unsafe { acm_player_request(client, &request, 0.0, &mut id) });
    let (mut ended, mut judged) = (Vec::new(), 0);
    for frame in 1..300 {
        let now = f64::from(frame) / 30.0;
        ok(unsafe { acm_world_advance(client, now, null_mut()) });
        let (mut bytes, mut spans) = ([0; 2048], [AcmSpan::default(); 16]);
        let mut batch = AcmBatch::default();
        ok(unsafe {
            acm_world_outbound(client, bytes.as_mut_ptr(), 2048, spans.as_mut_ptr(), 16, &mut batch)
        });
        for span in &spans[..batch.count as usize] {
            let message = &bytes[span.offset as usize..][..span.length as usize];
            let mut verdict = AcmVerdict::default();
            let status =
                unsafe { acm_checker_receive(checker, message.as_ptr(), message.len(), now, &mut verdict) };
            assert!(status == AcmStatus::Nothing || verdict.is_alarm == 0, "{verdict:?}");
            judged += u32::from(status == AcmStatus::Ok);
            let status =
                unsafe { acm_world_follow_client(server, PLAYER, message.as_ptr(), message.len(), 0, now) };
            assert!(matches!(status, AcmStatus::Ok | AcmStatus::Nothing), "{}", last_error());
        }
        ok(unsafe { acm_world_advance(server, now, null_mut()) });
        let mut events = [AcmEvent::default(); 64];
        ok(unsafe { acm_world_events(client, events.as_mut_ptr(), 64, &mut batch) });
        let is_last = |event: &&AcmEvent| event.kind == ACM_EVENT_REQUEST && event.flag == 1;
        let events = events[..batch.count as usize].iter().filter(is_last);
        ended.extend(events.map(|event| (event.number, event.detail, event.reason)));
    }
    assert_eq!(ended, [(id, ACM_REQUEST_WALK_TO, ACM_PROGRESS_DONE)]);
    let (own, followed) = (entity(client, PLAYER), entity(server, PLAYER));
    assert!((own.position.origin.y - 30.0).abs() < 1.5, "{own:?}");
    assert!((own.position.origin.y - followed.position.origin.y).abs() < 1.0, "{followed:?}");
    assert!(judged > 3 && !broadcasts(server).is_empty());
    for handle in [client, server, assets, checker] {
        ok(acm_free(handle));
    }
}

#[test]
fn a_table_tells_how_long_a_swing_is_and_when_it_hits() {
    let (assets, mut table) = (mannequin(), 0);
    ok(unsafe { acm_table_load(assets, 0x0900_0001, &mut table) });
    let (mut slash, mut sword) = (0, 0);
    ok(unsafe { acm_command_find(c"SlashHigh".as_ptr(), 9, 0, &mut slash) });
    ok(unsafe { acm_command_find(c"SwordCombat".as_ptr(), 11, 0, &mut sword) });
    let size = size_of::<AcmMotionQuery>() as u32;
    let mut query = AcmMotionQuery { struct_size: size, style: sword, motion: slash, from: 0, speed: 1.0 };
    let mut timing = AcmTiming::default();
    ok(unsafe { acm_table_timing(table, &query, &mut timing) });
    assert!(timing.first_attack > 0.0 && timing.first_attack < timing.link_seconds, "{timing:?}");
    let (mut hooks, mut count) = (vec![AcmTimedHook::default(); timing.hooks as usize], 0);
    ok(unsafe { acm_table_hooks(table, &query, hooks.as_mut_ptr(), hooks.len(), &mut count) });
    let hit = hooks.iter().find(|hook| hook.hook == ACM_HOOK_ATTACK).unwrap();
    assert!(hit.time == timing.first_attack && hit.radius > 0.0);
    query.speed = 2.0;
    let mut faster = AcmTiming::default();
    ok(unsafe { acm_table_timing(table, &query, &mut faster) });
    assert!((faster.link_seconds * 2.0 - timing.link_seconds).abs() < 1e-6);
    query.motion = 0x1000_FFFF;
    assert_eq!(unsafe { acm_table_timing(table, &query, &mut timing) }, AcmStatus::NotFound);
    assert!(last_error().contains("there is no"), "{}", last_error());
    query.struct_size = 4;
    assert_eq!(unsafe { acm_table_timing(table, &query, &mut timing) }, AcmStatus::StructSize);
    for handle in [table, assets] {
        ok(acm_free(handle));
    }
}

#[test]
fn a_scene_answers_questions() {
    let (portal, mut cells, mut scene) = (mannequin(), 0, 0);
    ok(unsafe { acm_assets_town(&mut cells) });
    ok(unsafe { acm_scene_load(portal, cells, &mut scene) });
    let landmark = |name: &str| {
        let mut position = AcmPosition::default();
        ok(unsafe { acm_town_landmark(name.as_ptr().cast(), name.len(), &mut position) });
        position.origin.z += 1.5;
        position
    };
    let (yard, hall, cellar) = (landmark("spawn"), landmark("hall"), landmark("cellar"));
    let (mut height, mut ground) = (0.0, AcmGround::default());
    ok(unsafe { acm_scene_height(scene, &yard, &mut height) });
    assert!((yard.origin.z - 1.5 - height).abs() < 0.1);
    assert_eq!(unsafe { acm_scene_height(scene, &cellar, &mut height) }, AcmStatus::Nothing);
    ok(unsafe { acm_scene_ground(scene, &hall, &mut ground) });
    assert_eq!((ground.surface, ground.is_walkable), (ACM_SURFACE_ROOM, 1));
    let mut sight = AcmSight::default();
    ok(unsafe { acm_scene_line_of_sight(scene, &yard, &hall, &mut sight) });
    assert_eq!(sight.surface, ACM_SURFACE_NONE);
    ok(unsafe { acm_scene_line_of_sight(scene, &yard, &cellar, &mut sight) });
    assert_ne!(sight.surface, ACM_SURFACE_NONE);
    let (mut shape, mut sweep) = (AcmShape::default(), AcmSweep::default());
    ok(unsafe { acm_shape_human(&mut shape) });
    let (mut from, mut to) = (landmark("wall"), landmark("wall"));
    (from.origin.z, to.origin.z, to.origin.y) = (from.origin.z - 1.5, to.origin.z - 1.5, to.origin.y + 4.0);
    ok(unsafe { acm_scene_sweep(scene, &shape, &from, &to, ACM_SWEEP_WALK, &mut sweep) });
    assert!(sweep.arrived == 1 && sweep.position.origin.y < to.origin.y - 1.0, "{sweep:?}");
    let mut stands = AcmPosition::default();
    ok(unsafe { acm_scene_can_stand(scene, &shape, &landmark("hall"), &mut stands) });
    assert_eq!(unsafe { acm_scene_sweep(scene, &shape, &from, &to, 9, &mut sweep) }, AcmStatus::BadArgument);
    for handle in [scene, cells, portal] {
        ok(acm_free(handle));
    }
}

#[test]
fn messages_decode_to_structures_and_encode_to_the_same_bytes() {
    // A position report with a turned body, and a motion with two actions.
    for hex in [
        "48f70000010000500c00000015 00b4a9 0000204100 00a0410000bc42 0000803f 00000000 00000000 09000201 0300 0400",
        "4cf7000030030080217a21d69fdd010000000000800100005e00c5800000c0bf7100c6809c717b404501c7809ee02840",
    ] {
        let digits: String = hex.split_whitespace().collect();
        let bytes: Vec<u8> =
            (0..digits.len() / 2).map(|at| u8::from_str_radix(&digits[2 * at..][..2], 16).unwrap()).collect();
        let (mut message, mut actions, mut count) = (AcmMessage::default(), [AcmAction::default(); 31], 0);
        ok(unsafe {
            acm_wire_decode(
                0,
                0,
                bytes.as_ptr(),
                bytes.len(),
                &mut message,
                actions.as_mut_ptr(),
                31,
                &mut count,
            )
        });
        let (mut again, mut length) = ([0; 256], 0);
        ok(unsafe {
            acm_wire_encode(&message, actions.as_ptr(), count, again.as_mut_ptr(), 256, &mut length)
        });
        assert_eq!(again[..length], bytes);
        let small =
            unsafe { acm_wire_encode(&message, actions.as_ptr(), count, again.as_mut_ptr(), 4, &mut length) };
        assert_eq!((small, length), (AcmStatus::BufferTooSmall, bytes.len()));
    }
}

#[test]
fn bad_pointers_are_refused() {
    let world = world(0);
    let mut count = 0_usize;
    let states = [0_u64; 64];
    let misaligned: *mut AcmEntityState = states.as_ptr().wrapping_byte_add(1).cast_mut().cast();
    unsafe {
        assert_eq!(acm_assets_mannequin(null_mut()), AcmStatus::NullPointer);
        assert_eq!(acm_world_entities(world, null_mut(), 3, &mut count), AcmStatus::NullPointer);
        assert_eq!(acm_world_entities(world, misaligned, 1, &mut count), AcmStatus::Misaligned);
        assert_eq!(last_error(), "states is not aligned");
        assert_eq!(acm_world_entities(world, null_mut(), 0, null_mut()), AcmStatus::NullPointer);
        assert_eq!(acm_world_entities(world, null_mut(), 0, &mut count), AcmStatus::Ok);
        assert_eq!(acm_world_queue(world, null(), 5), AcmStatus::NullPointer);
        assert_eq!(acm_world_queue(world, states.as_ptr().cast(), usize::MAX), AcmStatus::BadArgument);
        assert_eq!(acm_world_spawn(world, null(), 0.0), AcmStatus::NullPointer);
        assert_eq!(acm_command_find([0xFF_u8].as_ptr().cast(), 1, 0, &mut 0), AcmStatus::BadArgument);
        assert_eq!(acm_abi_check(null()), AcmStatus::NullPointer);
    }
    ok(acm_free(world));
}

#[test]
fn bad_handles_are_refused() {
    let (assets, world) = (mannequin(), world(0));
    let (mut out, mut state) = (0, AcmEntityState::default());
    for bad in [0, 1, u64::MAX, 0x0400_0000_0000_0000, world ^ (1 << 40)] {
        assert_eq!(unsafe { acm_world_entity(bad, GUID, &mut state) }, AcmStatus::BadHandle);
        assert_eq!(acm_free(bad), AcmStatus::BadHandle);
    }
    assert_eq!(unsafe { acm_world_entity(assets, GUID, &mut state) }, AcmStatus::WrongKind);
    assert_eq!(last_error(), "the handle is not that of a world");
    assert_eq!(unsafe { acm_world_new(world, 0, null(), &mut out) }, AcmStatus::WrongKind);
    assert_eq!(unsafe { acm_world_new(assets, assets, null(), &mut out) }, AcmStatus::WrongKind);
    ok(acm_free(world));
    assert_eq!(acm_free(world), AcmStatus::BadHandle);
    assert_eq!(unsafe { acm_world_advance(world, 1.0, null_mut()) }, AcmStatus::BadHandle);
    assert_eq!(out, 0, "a failed call writes nothing");
    ok(acm_free(assets));
}

#[test]
fn small_buffers_change_nothing() {
    let server = world(0);
    ok(unsafe { acm_world_spawn(server, &spec(GUID, 12.0), 0.0) });
    ok(acm_world_report_position(server, GUID));
    let (mut bytes, mut spans) = ([0; 64], [AcmSpan::default(); 4]);
    let mut batch = AcmBatch::default();
    let mut take = |capacity, count| unsafe {
        acm_world_broadcasts(server, bytes.as_mut_ptr(), capacity, spans.as_mut_ptr(), count, &mut batch)
    };
    assert_eq!(take(8, 4), AcmStatus::BufferTooSmall);
    assert_eq!(take(64, 0), AcmStatus::BufferTooSmall);
    ok(take(64, 4));
    ok(take(0, 0));
    assert_eq!((batch.count, batch.left), (0, 0), "it was taken once");

    let (mut count, mut states) = (0, [AcmEntityState::default(); 1]);
    let status = unsafe { acm_world_entities(server, states.as_mut_ptr(), 0, &mut count) };
    assert_eq!((status, count, states[0].guid), (AcmStatus::BufferTooSmall, 1, 0));
    ok(unsafe { acm_world_entities(server, states.as_mut_ptr(), count, &mut count) });
    assert_eq!(states[0], entity(server, GUID));

    let (mut length, mut snapshot) = (0, Vec::new());
    let status = unsafe { acm_world_snapshot(server, null_mut(), 0, &mut length) };
    assert_eq!(status, AcmStatus::BufferTooSmall);
    snapshot.resize(length, 0_u8);
    ok(unsafe { acm_world_snapshot(server, snapshot.as_mut_ptr(), length, &mut length) });
    let (assets, mut restored) = (mannequin(), 0);
    ok(unsafe { acm_world_restore(snapshot.as_ptr(), length, assets, 0, &mut restored) });
    assert_eq!(entity(restored, GUID), entity(server, GUID));
    snapshot[length / 2] ^= 1;
    let status = unsafe { acm_world_restore(snapshot.as_ptr(), length, assets, 0, &mut restored) };
    assert_eq!(status, AcmStatus::BadData);
    for handle in [server, restored, assets] {
        ok(acm_free(handle));
    }
}

#[test]
fn partial_drains_give_every_message_once() {
    let server = world(0);
    ok(unsafe { acm_world_spawn(server, &spec(GUID, 12.0), 0.0) });
    let (mut taken, mut queued) = (Vec::new(), 0);
    for round in 0..50 {
        for _ in 0..3 {
            ok(acm_world_report_position(server, GUID));
            queued += 1;
        }
        let (mut bytes, mut spans, mut batch) = ([0; 256], [AcmSpan::default(); 2], AcmBatch::default());
        ok(unsafe {
            acm_world_broadcasts(server, bytes.as_mut_ptr(), 256, spans.as_mut_ptr(), 2, &mut batch)
        });
        assert_eq!((batch.count, batch.left), (2, round + 1));
        for span in spans {
            let message = &bytes[span.offset as usize..][..span.length as usize];
            // The position stamp is the third but last number.
            taken.push(u16::from_le_bytes([message[message.len() - 6], message[message.len() - 5]]));
        }
    }
    for message in broadcasts_all(server) {
        taken.push(u16::from_le_bytes([message[message.len() - 6], message[message.len() - 5]]));
    }
    assert_eq!(taken, (1..=queued).collect::<Vec<u16>>());
    ok(acm_free(server));
}

#[test]
fn messages_to_clients_that_nothing_takes_are_bounded() {
    let server = world(0);
    ok(unsafe { acm_world_spawn(server, &spec(GUID, 12.0), 0.0) });
    for _ in 0..ACM_MAX_BROADCASTS {
        ok(acm_world_report_position(server, GUID));
    }
    assert_eq!(acm_world_report_position(server, GUID), AcmStatus::Full);
    assert_eq!(acm_world_set_state(server, GUID, 0x400, 0.1), AcmStatus::Full);
    assert_eq!(broadcasts_all(server).len(), ACM_MAX_BROADCASTS as usize);
    ok(acm_world_report_position(server, GUID));
    ok(acm_free(server));
}

#[test]
fn more_actions_than_a_message_has_room_for_are_refused() {
    let message = AcmMessage {
        struct_size: size_of::<AcmMessage>() as u32,
        opcode: ACM_MESSAGE_UPDATE_MOTION,
        guid: GUID,
        ..AcmMessage::default()
    };
    let (actions, mut bytes, mut length) = ([AcmAction::default(); 32], [0; 512], 0);
    let mut encode = |count| unsafe {
        acm_wire_encode(&message, actions.as_ptr(), count, bytes.as_mut_ptr(), 512, &mut length)
    };
    ok(encode(31));
    assert_eq!(encode(32), AcmStatus::BadArgument);
}

fn broadcasts_all(world: AcmWorld) -> Vec<Vec<u8>> {
    let mut all = Vec::new();
    loop {
        let (mut bytes, mut spans, mut batch) = ([0; 1024], [AcmSpan::default(); 8], AcmBatch::default());
        ok(unsafe {
            acm_world_broadcasts(world, bytes.as_mut_ptr(), 1024, spans.as_mut_ptr(), 8, &mut batch)
        });
        let span = |span: &AcmSpan| bytes[span.offset as usize..][..span.length as usize].to_vec();
        all.extend(spans[..batch.count as usize].iter().map(span));
        if batch.left == 0 {
            return all;
        }
    }
}

#[test]
fn two_threads_share_a_world_and_a_third_frees_it() {
    let shared = world(0);
    ok(unsafe { acm_world_spawn(shared, &spec(GUID, 12.0), 0.0) });
    let is_freed = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for thread in 0..2_u32 {
            let is_freed = &is_freed;
            scope.spawn(move || {
                for frame in 1..2000 {
                    let now = f64::from(frame + thread) / 30.0;
                    let was_freed = is_freed.load(Ordering::SeqCst);
                    let mut state = AcmEntityState::default();
                    let advanced = unsafe { acm_world_advance(shared, now, null_mut()) };
                    let seen = unsafe { acm_world_entity(shared, GUID, &mut state) };
                    for status in [advanced, seen] {
                        assert!(matches!(status, AcmStatus::Ok | AcmStatus::BadHandle), "{status:?}");
                        assert!(!was_freed || status == AcmStatus::BadHandle);
                    }
                }
            });
        }
        scope.spawn(|| {
            std::thread::yield_now();
            ok(acm_free(shared));
            is_freed.store(true, Ordering::SeqCst);
        });
    });
}

#[test]
fn errors_belong_to_their_thread() {
    assert_eq!(acm_free(0), AcmStatus::BadHandle);
    let other = std::thread::spawn(last_error).join().unwrap();
    assert_eq!((last_error().as_str(), other.as_str()), ("not a handle", ""));
    let mut length = 0;
    let status = unsafe { acm_last_error(null_mut(), 0, &mut length) };
    assert_eq!((status, length), (AcmStatus::BufferTooSmall, 12));
    assert_eq!(last_error(), "not a handle", "asking does not replace it");
}

#[test]
fn hostile_bytes_are_bad_data() {
    let (world, mut out) = (world(0), 0);
    let garbage = [0x4C, 0xF7, 0, 0, 1];
    unsafe {
        assert_eq!(acm_world_receive(world, garbage.as_ptr(), 5, 0.0), AcmStatus::BadData);
        assert_eq!(acm_world_queue(world, garbage.as_ptr(), 5), AcmStatus::BadData);
        assert_eq!(acm_assets_from_bytes(garbage.as_ptr(), 5, &mut out), AcmStatus::BadData);
        let assets = mannequin();
        assert_eq!(acm_world_restore(garbage.as_ptr(), 5, assets, 0, &mut out), AcmStatus::BadData);
        ok(acm_free(assets));
        let missing = "no such folder/file.dat";
        let status = acm_assets_open(missing.as_ptr().cast(), missing.len(), &mut out);
        assert_eq!(status, AcmStatus::NotFound);
        let mut bad = spec(GUID, f32::NAN);
        assert_eq!(acm_world_spawn(world, &bad, 0.0), AcmStatus::Refused);
        (bad.position, bad.scale) = (place(1.0), f32::NAN);
        assert_eq!(acm_world_spawn(world, &bad, 0.0), AcmStatus::BadArgument);
        let mut limits = settings(0);
        limits.era = 7;
        let assets = mannequin();
        assert_eq!(acm_world_new(assets, 0, &limits, &mut out), AcmStatus::BadArgument);
        (limits.era, limits.entities) = (0, 1);
        ok(acm_world_new(assets, 0, &limits, &mut out));
        ok(acm_world_spawn(out, &spec(1, 12.0), 0.0));
        assert_eq!(acm_world_spawn(out, &spec(2, 14.0), 0.0), AcmStatus::Full);
        ok(acm_free(assets));
    }
    for handle in [world, out] {
        ok(acm_free(handle));
    }
}

#[test]
fn a_steady_tick_with_events_and_poses_allocates_nothing() {
    let world = world(0);
    for number in 0..20 {
        let mut spec = spec(GUID + number, 4.0 + 2.0 * number as f32);
        spec.flags |= ACM_SPEC_MOTION;
        (spec.style, spec.forward) = (0x8000_003D, RUN_FORWARD);
        ok(unsafe { acm_world_spawn(world, &spec, 0.0) });
    }
    let mut matrices = vec![AcmMatrix::default(); 2000];
    let mut bodies = vec![AcmBody::default(); 20];
    let mut events = vec![AcmEvent::default(); 256];
    let size = size_of::<AcmView>() as u32;
    let view = AcmView { struct_size: size, origin: 0xA9B4_0001, share: 1.0, ..AcmView::default() };
    let mut tick = |frame: u32| {
        let (mut batch, mut presented) = (AcmBatch::default(), AcmPresented::default());
        ok(unsafe { acm_world_advance(world, f64::from(frame) / 30.0, null_mut()) });
        ok(unsafe { acm_world_events(world, events.as_mut_ptr(), 256, &mut batch) });
        let (matrices, bodies) = (matrices.as_mut_ptr(), bodies.as_mut_ptr());
        ok(unsafe { acm_world_present(world, &view, matrices, 2000, bodies, 20, &mut presented) });
        assert_eq!(presented.bodies, 20);
    };
    (1..200).for_each(&mut tick);
    let counted = allocation_counter::measure(|| (200..300).for_each(&mut tick));
    assert_eq!(counted.count_total, 0);
    ok(acm_free(world));
}

#[test]
fn another_layout_is_refused() {
    let size = size_of::<AcmLayout>();
    let mut words = vec![0_u32; size / 4];
    words[0] = size as u32;
    let layout: *const AcmLayout = words.as_ptr().cast();
    assert_eq!(unsafe { acm_abi_check(layout) }, AcmStatus::StructSize);
    assert_eq!(last_error(), "the version of the interface is 1 in the library, 0 in the caller");
    assert_eq!(acm_version(), 0x000100);
}

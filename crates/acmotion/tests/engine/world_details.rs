//! Details of what messages and calls do to the entities of a world: descriptions of known objects, forced positions,
//! teleports, stand-ins and held objects (`docs/behaviour.md` B1, C14, C18, C19, D3–D13, N1).

use crate::player_support;
use crate::town_support;
use crate::world_support;

use acmotion::components::{MovementParams, Order};
use acmotion::dat::mannequin::{self, town::landmarks};
use acmotion::dat::{
    AnimationFrame, Assets, BlockSize, Dat, DatWriter, DataId, DataSet, PartLocation, Setup,
};
use acmotion::internals::body::BodyFlags;
use acmotion::scene::MoverFlags;
use acmotion::types::{CellId, CellPosition, Era, Frame, Guid, MotionCommand, Quat, Stamp, Vec3};
use acmotion::wire::{
    Attachment, EchoedStamps, InitialMovement, MotionFlags, MoveToParams, Movement, MovementBody,
    ObjectStamps, Origin, Pad, ParentEvent, PhysicsState, PlayerTeleport, PositionAndMovement, PositionFlags,
    PositionPack, UpdateMotion, WeenieDesc, WeenieFields, WireBool,
};
use acmotion::{
    EntitySpec, EventKind, HeldBy, Identity, MotionError, MotionEvent, MoveToEvent, OrderLimits,
    PlacementFailure, Resident, Settings, StandIn, Unreachable, World,
};
use town_support::*;
use world_support::*;

const OTHER: Guid = Guid(0x5000_0002);
const SWORD: Guid = Guid(0x8000_0001);
const RUN: MotionCommand = MotionCommand::RUN_FORWARD;
const READY: MotionCommand = MotionCommand::READY;

fn resident(scene: &TestWorld, guid: Guid) -> &Resident {
    scene.world.find(guid).unwrap()
}

fn forward(scene: &TestWorld, guid: Guid) -> MotionCommand {
    scene.entity(guid).interp.interpreted.forward.command
}

/// A position some metres above the ground.
fn above(mut position: CellPosition, height: f32) -> CellPosition {
    position.frame.origin.z += height;
    position
}

/// The description of a creature with object flags, completed by stamps.
fn flagged(guid: Guid, object_flags: u32, stamps: ObjectStamps) -> Vec<u8> {
    let mut weenie = Vec::new();
    WeenieDesc::encode_typed(b"Somebody", 1, 0x10, object_flags, &mut weenie);
    world_support::describe(guid, WeenieDesc::decode(&weenie).unwrap(), |physics| {
        physics.state = SOLID;
        physics.setup = Some(mannequin::HUMAN_SETUP.0);
        physics.motion_table = Some(mannequin::HUMAN_TABLE.0);
        physics.position = Some(at(96.0, 96.0));
        physics.stamps = stamps;
    })
}

/// A description of a known object carries a run: it starts if the stamp of movements is newer, and the message says whether
/// it is the object's own (rule D12).
#[test]
fn d12_the_movement_of_a_description_has_its_own_stamp() {
    for (stamp, autonomous) in [(1, true), (1, false), (0, true)] {
        let mut scene = TestWorld::with_remote();
        scene.ticks(60);
        scene.send(&create_with(REMOTE, ObjectStamps::default(), |physics| {
            physics.position = Some(at(96.0, 96.0));
            physics.stamps.movement = Stamp(stamp);
            physics.movement = Some(InitialMovement::Movement {
                movement: Movement {
                    flags: MotionFlags::empty(),
                    style: MotionCommand::NON_COMBAT,
                    body: MovementBody::Interpreted { state: running(1.5), sticky: None },
                },
                autonomous: WireBool::from(autonomous),
            });
        }));
        let is_newer = stamp == 1;
        assert_eq!(forward(&scene, REMOTE) == RUN, is_newer, "stamp {stamp}");
        assert_eq!(resident(&scene, REMOTE).stamps().movement, Stamp(stamp));
        let is_autonomous = scene.body(REMOTE).flags.contains(BodyFlags::AUTONOMOUS);
        assert_eq!(is_autonomous, is_newer && autonomous, "stamp {stamp}, autonomous {autonomous}");
    }
}

/// A known player is described again after it has become a killer: the flags are those of the new description, and the stamp
/// of its appearance advances (rule D12).
#[test]
fn d12_a_known_object_takes_the_flags_and_the_appearance_of_its_description() {
    let mut scene = TestWorld::new();
    scene.send(&flagged(REMOTE, 0x8, ObjectStamps::default()));
    assert_eq!(scene.entity(REMOTE).mover_flags, MoverFlags::IS_PLAYER);
    let stamps = ObjectStamps { visual_desc: Stamp(4), ..ObjectStamps::default() };
    scene.send(&flagged(REMOTE, 0x28, stamps));
    assert_eq!(scene.count_events(|kind| *kind == EventKind::Created), 1, "it is the same object");
    assert_eq!(scene.entity(REMOTE).mover_flags, MoverFlags::IS_PLAYER | MoverFlags::IS_PK);
    assert_eq!(resident(&scene, REMOTE).stamps().visual_desc, Stamp(4));
    scene.send(&flagged(REMOTE, 0, ObjectStamps::default()));
    assert_eq!(scene.entity(REMOTE).mover_flags, MoverFlags::empty(), "the flags have no stamp");
    assert_eq!(resident(&scene, REMOTE).stamps().visual_desc, Stamp(4), "the appearance has");
}

/// A description that names a holder attaches the known object, with the placement of the description (rules D11, D12).
#[test]
fn d12_a_known_object_is_attached_to_the_parent_of_its_description() {
    let mut scene = TestWorld::with_remote();
    scene.send(&item(SWORD, |physics| physics.position = Some(at(97.0, 96.0))));
    for (stamp, is_held) in [(0, false), (1, true)] {
        scene.send(&item(SWORD, |physics| {
            physics.parent = Some(Attachment { guid: REMOTE, location: 2 });
            physics.placement = Some(1);
            physics.stamps.position = Stamp(stamp);
        }));
        let held_by = is_held.then_some(HeldBy { parent: REMOTE, location: 2 });
        assert_eq!(resident(&scene, SWORD).held_by(), held_by, "stamp {stamp}");
        assert_eq!(resident(&scene, SWORD).placement(), u32::from(is_held), "stamp {stamp}");
    }
}

fn run_of_instance(guid: Guid, instance: u16) -> Vec<u8> {
    let body = MovementBody::Interpreted { state: running(1.0), sticky: None };
    encode(UpdateMotion { guid, instance: Stamp(instance), data: movement_data(body, 1, |_| {}) })
}

/// A movement of the next instance waits for it (rule D3). If the object is deleted first, the movement is dropped with
/// everything else that waits, and the next instance stands.
#[test]
fn d11_what_waits_for_an_object_is_dropped_with_it() {
    for is_deleted in [true, false] {
        let mut scene = TestWorld::with_remote();
        scene.send(&run_of_instance(REMOTE, 1));
        assert_eq!(scene.world.waiting_messages(), 1);
        if is_deleted {
            scene.send(&delete(REMOTE, 0));
            assert_eq!(scene.world.waiting_messages(), 0);
        }
        let stamps = ObjectStamps { instance: Stamp(1), ..ObjectStamps::default() };
        scene.send(&create(REMOTE, &at(96.0, 96.0), stamps, None));
        assert_eq!(forward(&scene, REMOTE), if is_deleted { READY } else { RUN });
    }
}

/// A body that others watch is created anew: the old one leaves the world for good, and they are told (rules C16, D12).
#[test]
fn d12_a_replaced_object_leaves_the_world_first() {
    let mut scene = TestWorld::with_remote();
    scene.send(&create(OTHER, &at(96.0, 120.0), ObjectStamps::default(), None));
    scene.ticks(30);
    scene.world.act(REMOTE, scene.now, |actor, _| actor.order(&Order::chase(OTHER)));
    scene.ticks(30);
    assert!(scene.entity(REMOTE).is_moving_to());
    scene.events.clear();
    let stamps = ObjectStamps { instance: Stamp(1), ..ObjectStamps::default() };
    scene.send(&create(OTHER, &at(96.0, 120.0), stamps, None));
    assert!(!scene.entity(REMOTE).is_moving_to(), "what it chased is gone");
    assert!(scene.order_events(REMOTE).contains(&MoveToEvent::Failed(MotionError::ObjectGone)));
}

/// Commands are numbered as in the era of the world, whoever creates the entity (rule D9).
#[test]
fn every_entity_reads_commands_of_the_worlds_era() {
    let mut scene = TestWorld::with(settings(|settings| {
        settings.era = Era::September2013;
        settings.stand_ins_for_unknown = true;
    }));
    scene.world.spawn(&EntitySpec::new(REMOTE, at(96.0, 96.0)), scene.now).unwrap();
    scene.world.add_stand_in(OTHER, &at(90.0, 96.0), scene.now);
    for guid in [REMOTE, OTHER] {
        assert_eq!(scene.entity(guid).interp.era, Era::September2013, "{guid}");
    }
}

/// A position that is forced on the player moves its ground, too, where no land is known: it stands there at once, keeps its
/// heading, and tells the server where it is (rule D6.1).
#[test]
fn d6_1_a_forced_position_at_another_height_is_stood_on() {
    let mut scene = player_support::player();
    scene.turn(PLAYER, 120.0);
    player_support::sent(&mut scene);
    scene.events.clear();
    for (stamp, height) in [(1, 6.0), (2, -4.0)] {
        let forced = above(facing(at(100.0, 96.0), 10.0), height);
        scene.send(&position_with(PLAYER, &forced, stamp, |pack| pack.force_position = Stamp(stamp)));
        let own = scene.body(PLAYER).position;
        assert!((own.frame.origin - forced.frame.origin).length() < 0.01, "{own:?}");
        assert!((own.frame.heading() - 120.0).abs() < 0.01, "it keeps its heading");
        scene.ticks(10);
        assert!(scene.body(PLAYER).is_standing(), "{height} m: {:?}", scene.body(PLAYER).position);
        assert!((scene.origin(PLAYER).z - forced.frame.origin.z).abs() < 0.01, "{height} m");
        assert_eq!(player_support::sent(&mut scene), ["AutonomousPosition"], "{height} m");
    }
    assert_eq!(scene.count_events(|kind| *kind == EventKind::PositionRequested), 2);
}

/// A teleport that was not announced: the player arrives at once, but counts as teleporting until the next frame begins,
/// and as having been teleported from then on (rules B1, D6.5).
#[test]
fn d6_5_an_unannounced_teleport_is_complete_with_the_next_frame() {
    let mut scene = player_support::player();
    let state = |scene: &TestWorld| {
        let player = scene.world.player();
        (player.is_teleporting(), player.has_been_teleported(), player.is_waiting_for_teleport())
    };
    assert_eq!(state(&scene), (false, true, false), "it entered the world");
    scene.send(&position_with(PLAYER, &at(20.0, 20.0), 1, |pack| pack.teleport = Stamp(1)));
    assert_eq!(state(&scene), (true, false, false));
    assert_eq!(scene.count_events(|kind| matches!(kind, EventKind::PortalSpace(_))), 0, "no portal space");
    scene.tick();
    assert_eq!(state(&scene), (false, true, false));

    scene.send(&encode(PlayerTeleport { teleport: Stamp(2), pad: Pad::ZERO }));
    assert_eq!(state(&scene), (true, false, true), "announced");
    scene.tick();
    assert_eq!(state(&scene), (true, false, true), "it waits");
    scene.send(&encode(PlayerTeleport { teleport: Stamp(1), pad: Pad::ZERO }));
    scene.send(&position_with(PLAYER, &at(30.0, 20.0), 2, |pack| pack.teleport = Stamp(2)));
    assert_eq!(state(&scene), (true, false, false));
    scene.tick();
    assert_eq!(state(&scene), (false, true, false));
}

/// A player that walks under an order of the server is teleported: the order ends, and so does the run (rules C15, D6.5).
#[test]
fn d6_5_a_teleport_ends_the_order_of_the_player() {
    let mut scene = player_support::player();
    let goal = at(96.5, 150.0);
    let order = MovementBody::MoveToPosition {
        origin: Origin { cell: goal.cell, point: goal.frame.origin },
        params: MoveToParams::default(),
        run_rate: 1.0,
    };
    scene.send(&player_support::server_movement(order, MotionCommand::NON_COMBAT, 1));
    scene.ticks(60);
    assert!(scene.entity(PLAYER).is_moving_to() && scene.origin(PLAYER).y > 98.0);
    scene.events.clear();
    scene.send(&position_with(PLAYER, &at(20.0, 20.0), 1, |pack| pack.teleport = Stamp(1)));
    assert_eq!(scene.order_events(PLAYER), [MoveToEvent::Failed(MotionError::Teleported)]);
    assert!(!scene.entity(PLAYER).is_moving_to());
}

/// The caller teleports the local player while its client is in portal space: that ends, as with a message.
#[test]
fn p7_a_player_that_is_dropped_leaves_portal_space() {
    let mut scene = player_support::player();
    scene.send(&encode(PlayerTeleport { teleport: Stamp(1), pad: Pad::ZERO }));
    scene.events.clear();
    let id = resident(&scene, PLAYER).id();
    scene.world.end_teleport(id, &at(20.0, 20.0), scene.now).unwrap();
    scene.events.extend(scene.world.drain_events());
    assert!(!scene.world.player().is_waiting_for_teleport());
    assert_eq!(scene.count_events(|kind| *kind == EventKind::PortalSpace(false)), 1);
    let teleported = |kind: &EventKind| matches!(kind, EventKind::Motion(MotionEvent::Teleported { .. }));
    assert_eq!(scene.count_events(teleported), 1);
    scene.world.end_teleport(id, &at(30.0, 20.0), scene.now).unwrap();
    scene.events.extend(scene.world.drain_events());
    assert_eq!(scene.count_events(|kind| *kind == EventKind::PortalSpace(false)), 1, "only once");
}

/// At full autonomy the player ignores velocities of the server. Below, it takes them, but is not thrown as a remote is: when it
/// leaves the ground, its own motion decides, as in the original. One that stands has none, and rises all the same (rules
/// D10, N1).
#[test]
fn d10_a_velocity_throws_remotes_and_not_the_player() {
    let highest = |guid: Guid, autonomy: u32| {
        let mut scene = player_support::player();
        scene.send(&create(REMOTE, &at(90.0, 96.0), ObjectStamps::default(), None));
        scene.world.player_mut().set_autonomy(autonomy);
        scene.ticks(10);
        scene.send(&vector(guid, Vec3::new(0.0, 0.0, 4.9), 1));
        let is_thrown = scene.body(guid).flags.contains(BodyFlags::THROWN);
        let heights = (0..40).map(|_| {
            scene.tick();
            scene.origin(guid).z - GROUND
        });
        (heights.fold(f32::MIN, f32::max), is_thrown)
    };
    let (height, is_thrown) = highest(REMOTE, 2);
    assert!(is_thrown && (height - 1.225 - 4.9 / 30.0).abs() < 0.01, "a remote: {height} m");
    let (height, is_thrown) = highest(PLAYER, 2);
    assert!(!is_thrown && height.abs() < 0.01, "the player of its own client: {height} m");
    let (height, is_thrown) = highest(PLAYER, 0);
    assert!(!is_thrown && (height - 1.225 - 4.9 / 30.0).abs() < 0.01, "the player of the server: {height} m");
}

/// A report whose rotation is none turns nothing: a teleported body keeps its heading, and one that is created so faces north
/// (rule A3).
#[test]
fn a3_a_rotation_that_is_none_leaves_the_heading() {
    let mut scene = TestWorld::new();
    scene.send(&create(REMOTE, &facing(at(96.0, 96.0), 90.0), ObjectStamps::default(), None));
    let mut broken = at(20.0, 20.0);
    for (stamp, rotation) in [(1, Quat::new(0.0, 0.0, 0.0, 0.0)), (2, Quat::new(f32::NAN, 0.0, 0.0, 1.0))] {
        broken.frame.rotation = rotation;
        scene.send(&position_with(REMOTE, &broken, stamp, |pack| pack.teleport = Stamp(stamp)));
        let own = scene.body(REMOTE).position;
        assert!((own.frame.heading() - 90.0).abs() < 0.01, "{own:?}");
        assert!((own.frame.origin.x - 20.0).abs() < 0.01, "but it is moved");
    }
    scene.send(&position_with(REMOTE, &facing(at(20.0, 20.0), 200.0), 3, |pack| pack.teleport = Stamp(3)));
    assert!((scene.body(REMOTE).position.frame.heading() - 200.0).abs() < 0.01, "a valid rotation counts");
    scene.send(&create(OTHER, &broken, ObjectStamps::default(), None));
    assert!(scene.body(OTHER).position.frame.heading().abs() < 0.01);
}

/// A remote that holds a sword is reported standing 2 m higher, where no land is known: it is set there at once, and the
/// sword with it (rules C13, D7).
#[test]
fn c13_a_held_object_follows_a_report_at_another_height_at_once() {
    let mut scene = TestWorld::with_remote();
    scene.send(&held_item(SWORD, REMOTE));
    scene.ticks(3);
    let before = scene.origin(SWORD).z - scene.origin(REMOTE).z;
    scene.send(&position(REMOTE, &above(at(96.0, 96.0), 2.0), 1));
    assert!((scene.origin(REMOTE).z - GROUND - 2.0).abs() < 1e-3);
    assert!(
        (scene.origin(SWORD).z - scene.origin(REMOTE).z - before).abs() < 1e-4,
        "the sword is in the hand"
    );
}

/// A holder is hidden when it takes a sword: the sword is not drawn. Then the server draws the sword, and that counts, for
/// only being hidden and being shown change what is held (rule C19).
#[test]
fn c19_what_a_hidden_body_holds_can_be_drawn_by_the_server() {
    let drawn = |scene: &TestWorld| !scene.body(SWORD).state.contains(PhysicsState::NO_DRAW);
    let hidden = SOLID | PhysicsState::HIDDEN;
    // Taken by a hidden body, and hidden with the body.
    for is_hidden_before in [true, false] {
        let mut scene = TestWorld::with_remote();
        if is_hidden_before {
            scene.send(&set_state(REMOTE, hidden, 1));
        }
        scene.send(&held_item(SWORD, REMOTE));
        if !is_hidden_before {
            scene.send(&set_state(REMOTE, hidden, 1));
        }
        scene.ticks(2);
        assert!(!drawn(&scene), "hidden before: {is_hidden_before}");
        scene.send(&set_state(SWORD, SOLID, 1));
        for tick in 0..3 {
            assert!(drawn(&scene), "hidden before: {is_hidden_before}, tick {tick}");
            scene.tick();
        }
        scene.send(&set_state(REMOTE, SOLID, 2));
        scene.send(&set_state(REMOTE, hidden, 3));
        assert!(!drawn(&scene), "hidden again");
    }
}

/// A sword that is not drawn by itself stays so when it is taken by a body that was hidden once, and is shown by then.
#[test]
fn c19_a_shown_body_does_not_draw_what_it_takes() {
    let mut scene = TestWorld::new();
    // A setup that is missing keeps the links of the holder from being dropped.
    scene.send(&create_with(REMOTE, ObjectStamps::default(), |physics| {
        physics.position = Some(at(96.0, 96.0));
        physics.setup = Some(0x0200_BEEF);
    }));
    scene.send(&held_item(OTHER, REMOTE));
    scene.send(&set_state(REMOTE, SOLID | PhysicsState::HIDDEN, 1));
    scene.send(&pickup(OTHER, 1));
    scene.send(&set_state(REMOTE, SOLID, 2));
    scene.send(&item(SWORD, |physics| {
        physics.state = PhysicsState::NO_DRAW;
        physics.parent = Some(Attachment { guid: REMOTE, location: 1 });
    }));
    scene.ticks(3);
    assert_eq!(resident(&scene, SWORD).parent(), Some(REMOTE));
    assert!(scene.body(SWORD).state.contains(PhysicsState::NO_DRAW));
}

/// What an entity was described with is described to others, although the assets lack it, and whatever it held or does.
#[test]
fn what_is_missing_is_remembered_until_the_entity_is_gone() {
    let (setup, table) = (DataId(0x0200_BEEF), DataId(0x0900_BEEF));
    let specs = [
        (Some(setup), Some(mannequin::HUMAN_TABLE)),
        (Some(mannequin::HUMAN_SETUP), Some(table)),
        (Some(setup), Some(table)),
    ];
    for (setup, motion_table) in specs {
        let mut scene = TestWorld::new();
        let spec = EntitySpec { setup, motion_table, ..EntitySpec::new(REMOTE, at(96.0, 96.0)) };
        let id = scene.world.spawn(&spec, scene.now).unwrap();
        let described = |scene: &TestWorld| {
            let spec = scene.world.spec_of(id).unwrap();
            (spec.setup, spec.motion_table)
        };
        assert_eq!(described(&scene), (setup, motion_table), "new");
        scene.send(&held_item(SWORD, REMOTE));
        assert_eq!(described(&scene), (setup, motion_table), "with a sword");
        scene.send(&pickup(SWORD, 1));
        assert_eq!(described(&scene), (setup, motion_table), "without the sword again");
        assert_eq!(resident(&scene, REMOTE).children(), []);
    }
}

/// Links, placements and children take memory only while there are any.
#[test]
fn what_is_no_longer_held_takes_no_memory() {
    let mut scene = TestWorld::with_remote();
    let holder = resident(&scene, REMOTE).id();
    let spec =
        EntitySpec { position: Some(at(97.0, 96.0)), ..EntitySpec::item(SWORD, mannequin::SWORD_SETUP) };
    let sword = scene.world.spawn(&spec, scene.now).unwrap();
    let sizes = |scene: &TestWorld| [holder, sword].map(|id| scene.world.get(id).unwrap().size_in_memory());
    let before = sizes(&scene);
    scene.world.set_parent(sword, HeldBy { parent: REMOTE, location: 1 }, 1, scene.now).unwrap();
    let held = sizes(&scene);
    assert!(held[0] > before[0] && held[1] > before[1], "{held:?}, {before:?}");
    scene.world.drop_at(sword, &at(97.0, 96.0), 1, scene.now).unwrap();
    assert_eq!(resident(&scene, SWORD).placement(), 1);
    let dropped = sizes(&scene);
    assert_eq!(dropped[0], before[0], "the hand is empty");
    assert!(dropped[1] > before[1], "the placement is kept");
    scene.world.drop_at(sword, &at(97.0, 96.0), 0, scene.now).unwrap();
    assert_eq!(sizes(&scene), before);
    scene.world.set_parent(sword, HeldBy { parent: REMOTE, location: 1 }, 0, scene.now).unwrap();
    scene.world.pick_up(sword, scene.now);
    assert_eq!(sizes(&scene), before, "nor for what was held without a placement");
}

const STAND: DataId = DataId(0x0200_F0A1);

/// A stand whose arm is at two heights, by its placement, and holds things.
fn stand_assets() -> Assets {
    let frame = |z: f32| AnimationFrame {
        parts: vec![Frame::from_origin(Vec3::new(0.0, 0.0, z))],
        ..AnimationFrame::default()
    };
    let mut writer = DatWriter::new(BlockSize::Large, DataSet::Portal);
    writer.add_object(&Setup {
        id: STAND,
        parts: vec![DataId(0x0100_0001)],
        placements: vec![(0, frame(0.5)), (1, frame(2.0))],
        holding_locations: vec![PartLocation { key: 1, part: 0, frame: Frame::IDENTITY }],
        ..Setup::default()
    });
    Assets::new(Dat::from_bytes(writer.finish().unwrap()).unwrap())
}

/// A stand that holds a sword is itself taken in hand, with another placement: what it holds follows its arm at once (rules
/// C13, D11, H15).
#[test]
fn h15_what_a_body_holds_follows_its_placement() {
    let world = World::with_settings(stand_assets(), Settings::default());
    let mut scene = TestWorld { world, now: 10.0, events: Vec::new() };
    scene.send(&create(REMOTE, &at(96.0, 96.0), ObjectStamps::default(), None));
    let spec = EntitySpec { position: Some(at(90.0, 96.0)), ..EntitySpec::item(OTHER, STAND) };
    scene.world.spawn(&spec, scene.now).unwrap();
    scene.send(&held_item(SWORD, OTHER));
    let height = |scene: &TestWorld| scene.origin(SWORD).z - scene.origin(OTHER).z;
    assert!((height(&scene) - 0.5).abs() < 1e-4, "{}", height(&scene));
    scene.send(&encode(ParentEvent {
        parent: REMOTE,
        child: OTHER,
        location: 1,
        placement: 1,
        parent_instance: Stamp(0),
        child_position: Stamp(1),
    }));
    let stand = resident(&scene, OTHER);
    assert_eq!((stand.parent(), stand.placement()), (Some(REMOTE), 1));
    let expected = stand.holding_frame(scene.world.library(), 1);
    assert_eq!(resident(&scene, SWORD).position().frame, expected, "to the bit");
    let arm = (scene.origin(SWORD) - scene.origin(OTHER)).length();
    assert!((arm - 2.0).abs() < 1e-3, "{arm} m");
}

/// A message about an object that was never created makes a stand-in of it, in its first report and in a combined message.
/// What waited is handled after it, and its first stamps count whatever they are.
#[test]
fn a_reported_object_that_was_never_created_gets_a_stand_in() {
    let pack = |instance: u16| PositionPack {
        flags: PositionFlags::GROUNDED,
        position: at(90.0, 90.0),
        velocity: None,
        placement: None,
        instance: Stamp(instance),
        position_stamp: Stamp(0x8000),
        teleport: Stamp(7),
        force_position: Stamp(8),
    };
    let combined = encode(PositionAndMovement {
        guid: OTHER,
        pack: pack(5),
        data: movement_data(
            MovementBody::Interpreted { state: running(2.0), sticky: None },
            0x9000,
            |data| data.server_control = Stamp(0xA000),
        ),
    });
    for is_wanted in [true, false] {
        let mut scene = TestWorld::with(settings(|settings| settings.stand_ins_for_unknown = is_wanted));
        scene.send(&set_state_of(OTHER, SOLID | PhysicsState::ETHEREAL, 5, 0xB000));
        scene.send(&combined);
        assert_eq!(scene.world.find(OTHER).is_some(), is_wanted);
        assert_eq!(scene.world.waiting_messages(), if is_wanted { 0 } else { 2 });
        if !is_wanted {
            continue;
        }
        let stand_in = resident(&scene, OTHER);
        assert_eq!(stand_in.stand_in(), StandIn::all());
        let stamps = ObjectStamps {
            position: Stamp(0x8000),
            movement: Stamp(0x9000),
            state: Stamp(0xB000),
            teleport: Stamp(7),
            force_position: Stamp(8),
            server_control: Stamp(0xA000),
            instance: Stamp(5),
            ..ObjectStamps::default()
        };
        assert_eq!(*stand_in.stamps(), stamps);
        assert_eq!(forward(&scene, OTHER), RUN);
        assert!(scene.body(OTHER).state.contains(PhysicsState::ETHEREAL), "it waited for the object");
        scene.send(&encode(acmotion::wire::VectorUpdate {
            guid: OTHER,
            velocity: Vec3::new(0.0, 0.0, 3.0),
            omega: Vec3::ZERO,
            instance: Stamp(5),
            vector: Stamp(0xC000),
        }));
        assert_eq!(scene.body(OTHER).velocity.z, 3.0, "the first of its kind");
    }
}

fn set_state_of(guid: Guid, state: PhysicsState, instance: u16, stamp: u16) -> Vec<u8> {
    encode(acmotion::wire::SetState { guid, state, instance: Stamp(instance), state_stamp: Stamp(stamp) })
}

/// A recording that begins late shows the player by what its own client sends. The stamps are those that the client echoes;
/// what waited for the player is handled, and a player that exists is left alone.
#[test]
fn a_stand_in_for_the_player_has_the_stamps_that_its_client_echoes() {
    let echoed = EchoedStamps {
        instance: Stamp(3),
        server_control: Stamp(4),
        teleport: Stamp(5),
        force_position: Stamp(6),
    };
    for is_wanted in [false, true] {
        let mut scene = TestWorld::with(settings(|settings| {
            settings.player = Identity::Known(PLAYER);
            settings.stand_ins_for_unknown = is_wanted;
        }));
        scene.send(&run_of_instance(PLAYER, 3));
        assert_eq!(scene.world.waiting_messages(), 1);
        scene.world.add_player_stand_in(&at(40.0, 40.0), &echoed, scene.now);
        assert_eq!(scene.world.find(PLAYER).is_some(), is_wanted);
        if !is_wanted {
            continue;
        }
        let stamps = resident(&scene, PLAYER).stamps();
        assert_eq!(
            (stamps.instance, stamps.server_control, stamps.teleport, stamps.force_position),
            (Stamp(3), Stamp(4), Stamp(5), Stamp(6))
        );
        // The waiting messages are handled with the next one.
        scene.send(&create(REMOTE, &at(50.0, 50.0), ObjectStamps::default(), None));
        assert_eq!(scene.world.waiting_messages(), 0);
        let first = resident(&scene, PLAYER).id();
        scene.world.add_player_stand_in(&at(60.0, 60.0), &echoed, scene.now);
        assert_eq!(resident(&scene, PLAYER).id(), first);
        assert!((scene.origin(PLAYER).x - 40.0).abs() < 0.01);
    }
}

/// Without a body the position of the player is only remembered, and counts for what is near (rule B3).
#[test]
fn a_player_without_a_body_has_the_position_it_was_given() {
    let mut scene = TestWorld::with(settings(|settings| settings.player = Identity::Known(PLAYER)));
    assert_eq!(scene.world.player_position(), None);
    scene.world.set_player_position(&at(20.0, 20.0), true, scene.now);
    assert_eq!(scene.world.player_position(), Some(at(20.0, 20.0)));
    scene.send(&create(PLAYER, &at(96.0, 96.0), ObjectStamps::default(), None));
    assert!(scene.world.player_position().unwrap().distance_to(&at(96.0, 96.0)) < 0.01, "its body's");
    scene.send(&pickup(PLAYER, 1));
    assert_eq!(scene.world.player_position(), Some(at(20.0, 20.0)), "its body is in no cell");
    scene.world.set_player_position(&at(30.0, 20.0), false, scene.now);
    assert!(scene.body(PLAYER).is_in_cell(), "it is placed, whatever its contact");
    assert!(scene.world.player_position().unwrap().distance_to(&at(30.0, 20.0)) < 0.01);
    assert!(!scene.world.explain(OTHER, true) && scene.world.explain(PLAYER, true));
}

/// A player that waits for an unknown house is put somewhere else by its own client: when the house becomes known, it stays
/// there (`docs/collision.md` 8.7).
#[test]
fn a_player_that_its_client_moves_no_longer_waits_for_a_house() {
    let settings = Settings {
        player: Identity::Known(PLAYER),
        surroundings: Some(std::sync::Arc::new(guarded_town())),
        ..Settings::default()
    };
    let mut scene = TestWorld::with(settings);
    let town = landmarks();
    scene.add(PLAYER, &town.spawn, &CHARACTER);
    scene.ticks(2);
    scene.send(&position_with(PLAYER, &town.hall, 1, |pack| pack.teleport = Stamp(1)));
    assert_eq!(scene.body(PLAYER).position.cell, town.spawn.cell, "refused");
    scene.world.set_player_position(&beside(town.spawn, 1.0, 0.0, 0.0), true, scene.now);
    scene.world.set_house(HOUSE, acmotion::House::default(), scene.now);
    assert_eq!(scene.body(PLAYER).position.cell, town.spawn.cell);
}

/// A corpse is forced into a cell wherever it is put, also where another body stands; without a cell it is not moved
/// (`docs/collision.md` 10.2).
#[test]
fn a_forced_object_is_dropped_where_there_is_no_room() {
    let mut scene = in_town();
    let spawn = landmarks().spawn;
    scene.add(OTHER, &spawn, &CREATURE);
    let mut weenie = Vec::new();
    WeenieFields { object_flags: 0x2000, ..WeenieFields::default() }.encode(&mut weenie);
    let away = beside(spawn, 12.0, 0.0, 0.0);
    scene.send(&world_support::describe(REMOTE, WeenieDesc::decode(&weenie).unwrap(), |physics| {
        physics.state = SOLID;
        physics.setup = Some(CREATURE.setup.0);
        physics.position = Some(away);
    }));
    let corpse = resident(&scene, REMOTE).id();
    scene.world.teleport(corpse, &spawn, scene.now).unwrap();
    assert!(scene.body(REMOTE).position.distance_to(&spawn) < 1e-3, "on the spot");
    let stamps = *resident(&scene, REMOTE).stamps();
    let nowhere = CellPosition::at(CellId(0x1010_0025), Vec3::new(100.0, 100.0, 5.0));
    assert_eq!(scene.world.teleport(corpse, &nowhere, scene.now), Err(PlacementFailure::NoCell));
    assert_eq!(*resident(&scene, REMOTE).stamps(), stamps);
    assert!(scene.body(REMOTE).is_in_cell());
}

/// What is held is described by its holder, what is away as picked up, and what lies in a cell by its position (rule D11).
#[test]
fn an_object_is_described_as_held_away_or_in_its_cell() {
    let mut scene = TestWorld::with_remote();
    scene.send(&held_item(SWORD, REMOTE));
    let id = resident(&scene, SWORD).id();
    let described = |scene: &TestWorld| {
        let world = &scene.world;
        [
            world.describe_parent(id).is_some(),
            world.describe_pickup(id).is_some(),
            world.describe_position(id).is_some(),
        ]
    };
    assert_eq!(described(&scene), [true, false, false], "in the hand");
    scene.world.pick_up(id, scene.now);
    assert_eq!(described(&scene), [false, true, false], "away");
    scene.world.drop_at(id, &at(97.0, 96.0), 0, scene.now).unwrap();
    assert_eq!(described(&scene), [false, false, true], "in a cell");
}

/// A server's order has limits of its own: the server gives up, and the clients, which got the order without them, go on
/// (rule E5).
#[test]
fn the_limits_of_a_servers_order_are_its_own() {
    let [mut server, mut client] = [TestWorld::with_remote(), TestWorld::with_remote()];
    let limits = OrderLimits { timeout: Some(1.0), ..OrderLimits::NONE };
    let params = MovementParams { limits, ..MovementParams::default() };
    let id = resident(&server, REMOTE).id();
    let order = Order::MoveToPosition { position: at(96.0, 180.0), params };
    let message = server.world.order(id, &order, server.now).unwrap();
    client.send(&encode(message));
    server.ticks(45);
    client.ticks(45);
    let gave_up = MoveToEvent::GaveUp(Unreachable::TimedOut);
    assert!(server.order_events(REMOTE).contains(&gave_up), "{:?}", server.order_events(REMOTE));
    assert!(!server.entity(REMOTE).is_moving_to() && client.entity(REMOTE).is_moving_to());
}

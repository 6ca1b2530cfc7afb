//! Details of what a world shows, answers and saves: remotes with comfort in the town, questions without surroundings, and
//! snapshots of states that are about to change.

use crate::town_support;
use crate::world_support;

use std::cell::Cell;
use std::ops::ControlFlow;
use std::sync::Arc;

use acmotion::components::Order;
use acmotion::dat::mannequin::{self, town::landmarks};
use acmotion::dat::{AnimationFrame, Assets, BlockSize, Dat, DatWriter, DataId, DataSet, Setup};
use acmotion::internals::collide::SearchCylinder;
use acmotion::scene::{InfinitePlane, MoverFlags, Obstacles, Shape, StandError, Surroundings};
use acmotion::types::{CellId, CellPosition, Frame, Guid, MotionCommand, Quat, Stamp, Vec3};
use acmotion::wire::{Attachment, ObjectStamps, WeenieDesc};
use acmotion::{
    ComfortSettings, Description, EntityFilter, EntitySpec, EventKind, HeldBy, MotionEvent, PartPoses,
    Presentation, Rejection, RestoreError, Settings, World,
};
use town_support::*;
use world_support::*;

const OTHER: Guid = Guid(0x5000_0002);

fn restored(world: &World, surroundings: Option<Arc<dyn Surroundings + Send + Sync>>) -> World {
    World::restore(&world.snapshot(), Assets::mannequin(), surroundings).expect("the snapshot is valid")
}

fn comfortable(settings: Settings) -> Settings {
    Settings { presentation: Presentation::Comfort(ComfortSettings::default()), ..settings }
}

/// Where comfort shows the remote.
fn shown(scene: &TestWorld) -> CellPosition {
    scene.world.comfort(scene.world.id_of(REMOTE).unwrap()).expect("it is shown by comfort").position
}

/// A wall is between a remote and where it is reported, again and again. The body gives up and is put there (rule I8); what is
/// shown follows it at once, for it could not get there either.
#[test]
fn a_remote_that_something_is_in_the_way_of_is_shown_where_its_body_is() {
    let mut scene = TestWorld::with(comfortable(town_settings()));
    let wall = landmarks().wall;
    scene.send(&create(REMOTE, &facing(wall, 0.0), ObjectStamps::default(), None));
    scene.ticks(5);
    let behind = beside(wall, 0.0, 6.0, 0.0);
    for stamp in 1..=20 {
        scene.send(&position(REMOTE, &behind, stamp));
        scene.ticks(6);
    }
    assert!(scene.body(REMOTE).position.distance_to(&behind) < 0.5, "{:?}", scene.body(REMOTE).position);
    assert!(shown(&scene).distance_to(&behind) < 0.5, "{:?}", shown(&scene));
}

/// In the town a runner is shown ahead of its body, on the ground, and a hidden one where it is.
#[test]
fn a_runner_in_the_town_is_shown_ahead_on_the_ground() {
    let mut scene = TestWorld::with(comfortable(town_settings()));
    scene.world.set_round_trip(Some(0.4));
    let start = facing(beside(landmarks().spawn, 0.0, -10.0, 0.0), 270.0);
    scene.send(&create(REMOTE, &start, ObjectStamps::default(), None));
    scene.ticks(5);
    scene.send(&motion(REMOTE, running(1.0), 1));
    scene.ticks(60);
    let offset = scene.body(REMOTE).position.offset_to(&shown(&scene));
    assert!((-2.0..-0.5).contains(&offset.x), "to the west: {offset:?}");
    assert!(offset.z.abs() < 0.1 && offset.y.abs() < 0.1, "{offset:?}");
    let hidden = scene.body(REMOTE).state | acmotion::wire::PhysicsState::HIDDEN;
    scene.send(&set_state(REMOTE, hidden, 1));
    scene.tick();
    assert!(scene.body(REMOTE).position.distance_to(&shown(&scene)) < 0.01);
}

/// A world without surroundings knows no obstacles: a shape can stand on any valid position of the map, outdoors or in a room.
#[test]
fn without_surroundings_a_shape_stands_wherever_there_is_a_map() {
    let world = TestWorld::new().world;
    let touched_before = touch();
    let stand = |position: &CellPosition| {
        let mut touched = vec![touched_before];
        let stood = world.can_stand_at(&Shape::human(), position, EntityFilter::ALL, &mut touched);
        assert!(touched.is_empty(), "nothing is touched");
        stood
    };
    assert_eq!(stand(&at(10.0, 10.0)), Ok(at(10.0, 10.0)));
    let room = CellPosition::at(CellId(0xA9B4_0100), Vec3::new(-500.0, 10.0, 94.0));
    assert_eq!(stand(&room), Ok(room), "a room may be anywhere");
    let broken = CellPosition::new(CELL, Frame::new(Vec3::ZERO, Quat::new(0.0, 0.0, 0.0, 0.0)));
    assert_eq!(stand(&broken), Err(StandError::NoCell), "no rotation");
    let no_cell = CellPosition::at(CellId(0xA9B4_0050), Vec3::new(10.0, 10.0, 94.0));
    assert_eq!(stand(&no_cell), Err(StandError::NoCell), "neither land nor a room");
}

fn touch() -> acmotion::scene::Touch {
    let mut scene = in_town();
    let spawn = landmarks().spawn;
    scene.add(OTHER, &spawn, &CREATURE);
    let mut touched = Vec::new();
    let refused = scene.world.can_stand_at(&Shape::human(), &spawn, EntityFilter::ALL, &mut touched);
    assert_eq!(refused, Err(StandError::NoRoom));
    touched[0]
}

/// A creature in someone's hand is put down by a report, although it plays an animation (rule D6.4).
#[test]
fn d6_4_a_held_creature_is_put_down() {
    let mut scene = TestWorld::with_remote();
    scene.send(&create(OTHER, &at(90.0, 96.0), ObjectStamps::default(), None));
    let (id, in_hand) = (scene.world.id_of(OTHER).unwrap(), HeldBy { parent: REMOTE, location: 1 });
    scene.world.set_parent(id, in_hand, 0, scene.now).unwrap();
    let stamp = scene.world.get(id).unwrap().stamps().position;
    scene.send(&position(OTHER, &at(92.0, 96.0), stamp.0 + 1));
    let body = scene.body(OTHER);
    assert!(body.is_in_cell() && body.position.distance_to(&at(92.0, 96.0)) < 0.01, "{:?}", body.position);
    assert_eq!(scene.world.get(id).unwrap().parent(), None);
    scene.ticks(5);
    assert!(scene.body(OTHER).is_standing());
}

/// The surroundings are taken away: entities collide no more, and the world is saved as one without obstacles. Given back, they
/// collide again.
#[test]
fn a_world_whose_surroundings_are_taken_away_has_no_obstacles() {
    let mut scene = in_town();
    let spawn = landmarks().spawn;
    scene.add(OTHER, &spawn, &CREATURE);
    scene.add(REMOTE, &facing(beside(spawn, 0.0, -2.0, 0.0), 0.0), &CREATURE);
    scene.ticks(3);
    scene.world.set_surroundings(None);
    let mut copy = restored(&scene.world, None);
    assert!(copy.snapshot() == scene.world.snapshot());
    // Reported standing, they have ground again.
    for guid in [OTHER, REMOTE] {
        let own = scene.body(guid).position;
        scene.send(&position(guid, &own, 1));
    }
    scene.start(REMOTE, MotionCommand::WALK_FORWARD);
    scene.ticks(60);
    assert!(
        scene.origin(REMOTE).y > spawn.frame.origin.y + 1.0,
        "it walks through: {:?}",
        scene.origin(REMOTE)
    );
    let surroundings = town_settings().surroundings;
    copy.set_surroundings(surroundings.clone());
    assert!(restored(&copy, surroundings).snapshot() == copy.snapshot());
    let mut scene = TestWorld { world: copy, now: scene.now, events: Vec::new() };
    scene.ticks(2);
    scene.start(REMOTE, MotionCommand::WALK_FORWARD);
    scene.ticks(60);
    assert!(
        scene.origin(REMOTE).y < spawn.frame.origin.y - 0.9,
        "it is in the way: {:?}",
        scene.origin(REMOTE)
    );
}

/// A report has set a body on another height, and a description has made a player impenetrable. Others see either only with the
/// next tick, so a snapshot in between keeps what they still see.
#[test]
fn a_snapshot_keeps_what_others_see_until_the_next_tick() {
    let mut scene = TestWorld::with_remote();
    scene.send(&create(OTHER, &at(96.0, 110.0), ObjectStamps::default(), None));
    scene.ticks(30);
    scene.world.act(OTHER, scene.now, |actor, _| actor.order(&Order::chase(REMOTE)));
    scene.ticks(10);
    let mut higher = at(96.0, 96.0);
    higher.frame.origin.z += 3.0;
    scene.send(&position(REMOTE, &higher, 1));
    let mut copy = restored(&scene.world, None);
    assert!(copy.snapshot() == scene.world.snapshot());
    for _ in 0..30 {
        scene.now += TICK;
        scene.world.tick(scene.now);
        copy.tick(scene.now);
        assert_eq!(digest(&copy, 0), digest(&scene.world, 0));
    }

    let mut scene = in_town();
    let surroundings = town_settings().surroundings;
    let spawn = landmarks().spawn;
    scene.add(OTHER, &spawn, &CHARACTER);
    scene.add(REMOTE, &facing(beside(spawn, 0.0, -2.0, 0.0), 0.0), &CHARACTER);
    scene.ticks(3);
    scene.add(OTHER, &spawn, &ObjectKind { object_flags: 0x20_0008, ..CHARACTER });
    let mut copy = restored(&scene.world, surroundings);
    assert!(copy.snapshot() == scene.world.snapshot());
    for world in [&mut scene.world, &mut copy] {
        world.tick(scene.now + TICK);
    }
    assert!(copy.snapshot() == scene.world.snapshot());
}

const CHEST: DataId = DataId(0x0200_F0B1);

/// A chest of some parts.
fn chest_assets(parts: usize) -> Assets {
    let mut writer = DatWriter::new(BlockSize::Large, DataSet::Portal);
    let frame = AnimationFrame { parts: vec![Frame::IDENTITY; parts], ..AnimationFrame::default() };
    let parts = vec![DataId(0x0100_0001); parts];
    writer.add_object(&Setup { id: CHEST, parts, placements: vec![(0, frame)], ..Setup::default() });
    Assets::new(Dat::from_bytes(writer.finish().unwrap()).unwrap())
}

/// The assets have an object of the same id that is another: handles would mean something else.
#[test]
fn assets_with_another_object_of_the_same_id_are_refused() {
    let mut world = World::with_settings(chest_assets(1), Settings::default());
    let spec = EntitySpec { position: Some(at(96.0, 96.0)), ..EntitySpec::item(OTHER, CHEST) };
    world.spawn(&spec, 0.0).unwrap();
    let bytes = world.snapshot();
    assert!(World::restore(&bytes, chest_assets(1), None).is_ok());
    let other = World::restore(&bytes, chest_assets(2), None).map(drop);
    assert!(matches!(other, Err(RestoreError::OtherAssets)), "{other:?}");
}

/// Each of the settings that the original does not have is saved by itself.
#[test]
fn every_setting_beyond_the_original_is_saved_by_itself() {
    let changes: [fn(&mut World); 3] = [
        |world| world.set_slope_from_reports(true),
        |world| world.set_speeds_from_reports(true),
        |world| world.player_mut().set_announces_resumed_keys(true),
    ];
    let plain = World::new(Assets::mannequin());
    let mut sizes = Vec::new();
    for change in changes {
        let mut world = plain.clone();
        world.add_stand_in(OTHER, &at(96.0, 96.0), 0.0);
        let before = world.snapshot();
        change(&mut world);
        let bytes = world.snapshot();
        assert!(bytes.len() > before.len(), "it is written");
        assert!(restored(&world, None).snapshot() == bytes);
        sizes.push(bytes.len());
    }
    assert_eq!(sizes[0], sizes[1]);
}

/// Every stand-in for an unknown object takes room, so a full world makes no more of them (`Capacity`).
#[test]
fn a_full_world_makes_no_stand_ins() {
    let mut scene = TestWorld::with(settings(|settings| {
        settings.stand_ins_for_unknown = true;
        settings.capacity.entities = 1;
    }));
    scene.send(&position(REMOTE, &at(90.0, 96.0), 1));
    scene.send(&position(OTHER, &at(92.0, 96.0), 1));
    assert!(scene.world.find(REMOTE).is_some() && scene.world.find(OTHER).is_none());
    assert_eq!(scene.world.waiting_messages(), 1, "the report waits");
    scene.send(&create(OTHER, &at(92.0, 96.0), ObjectStamps::default(), None));
    assert_eq!(scene.count_events(|kind| *kind == EventKind::Rejected(Rejection::TooManyEntities)), 1);
    scene.send(&position(REMOTE, &at(91.0, 96.0), 2));
    assert_eq!(scene.world.find(REMOTE).unwrap().stamps().position, Stamp(2), "known ones are told");
}

/// A missile that is described with the velocity of its flight, and a creature that falls: neither stands, and neither has ground
/// below it, though only the missile is said to fly (rule D13).
#[test]
fn d13_only_what_rises_or_flies_is_created_in_the_air() {
    let falls = |velocity: Vec3, movement: bool, table: bool| {
        let mut scene = TestWorld::new();
        let mut weenie = Vec::new();
        WeenieDesc::encode_typed(b"Creature", 1, 0x10, 0, &mut weenie);
        scene.send(&world_support::describe(REMOTE, WeenieDesc::decode(&weenie).unwrap(), |physics| {
            physics.state = SOLID;
            physics.setup = Some(mannequin::HUMAN_SETUP.0);
            physics.motion_table = table.then_some(mannequin::HUMAN_TABLE.0);
            physics.position = Some(at(96.0, 96.0));
            physics.velocity = Some(velocity);
            physics.movement = movement.then_some(acmotion::wire::InitialMovement::Empty);
        }));
        scene.ticks(90);
        scene.origin(REMOTE).z < GROUND - 5.0
    };
    assert!(falls(Vec3::new(0.0, 0.0, 3.0), true, true), "it rises and can move");
    assert!(!falls(Vec3::new(0.0, 0.0, 0.2), true, true), "hardly");
    assert!(!falls(Vec3::new(0.0, 0.0, -3.0), true, true), "it comes down, on the ground");
    assert!(!falls(Vec3::new(0.0, 0.0, 3.0), false, true), "it cannot move by itself");
}

/// A frame with messages, of which the memory is kept for the next frame.
#[test]
fn frames_with_messages_keep_their_memory() {
    let mut scene = TestWorld::with_remote();
    let stale = position(REMOTE, &at(96.0, 96.0), 0);
    let mut frame = |events: &mut Vec<acmotion::Event>| {
        for _ in 0..10 {
            scene.world.queue_message(&stale).unwrap();
        }
        scene.now += TICK;
        scene.world.advance(scene.now);
        scene.world.swap_events(events);
        events.iter().filter(|event| matches!(event.kind, EventKind::Rejected(Rejection::Stale(_)))).count()
    };
    let mut events = Vec::new();
    for _ in 0..5 {
        assert_eq!(frame(&mut events), 10, "each message once");
    }
    let allocations = allocation_counter::measure(|| {
        for _ in 0..5 {
            frame(&mut events);
        }
    });
    assert_eq!(allocations.count_total, 0);
}

/// A remote that was teleported is shown there, also between ticks, and in the presentation of what it holds.
#[test]
fn what_is_shown_of_a_placed_body_does_not_come_from_before() {
    let mut scene = TestWorld::with(settings(|settings| settings.presents_between_ticks = true));
    scene.send(&create(REMOTE, &at(96.0, 96.0), ObjectStamps::default(), None));
    scene.send(&held_item(OTHER, REMOTE));
    scene.ticks(3);
    let to = at(30.0, 30.0);
    scene.send(&position_with(REMOTE, &to, 1, |pack| pack.teleport = Stamp(1)));
    for guid in [REMOTE, OTHER] {
        let id = scene.world.id_of(guid).unwrap();
        for share in [0.0, 0.5, 1.0] {
            let presented = scene.world.present(id, share, PartPoses::Retail).unwrap();
            assert!(presented.position().distance_to(&to) < 2.0, "{guid} at {share}: {presented:?}");
            assert!(presented.is_drawn(&scene.world), "{guid}");
        }
    }
    scene.send(&pickup(REMOTE, 2));
    for guid in [REMOTE, OTHER] {
        let presented = scene.world.find(guid).unwrap().present(&scene.world, 0.5).unwrap();
        assert!(!presented.is_drawn(&scene.world), "{guid}: its holder is in no cell");
    }
    let teleports =
        scene.count_events(|kind| matches!(kind, EventKind::Motion(MotionEvent::Teleported { .. })));
    assert_eq!(teleports, 1);
}

/// Level ground that is known gives no obstacles; bodies pass through each other there.
#[test]
fn bodies_do_not_collide_on_a_plane() {
    let plane = Arc::new(InfinitePlane::level(GROUND));
    let mut scene = TestWorld::with(settings(|settings| settings.surroundings = Some(plane)));
    scene.send(&create(REMOTE, &at(96.0, 94.0), ObjectStamps::default(), None));
    scene.send(&create(OTHER, &at(96.0, 96.0), ObjectStamps::default(), None));
    scene.start(REMOTE, MotionCommand::WALK_FORWARD);
    scene.ticks(60);
    assert!(scene.origin(REMOTE).y > 98.0, "{:?}", scene.origin(REMOTE));
    let who: Vec<Guid> = scene.world.who_is_within(&at(96.0, 96.0), 0.5).map(|found| found.guid()).collect();
    assert_eq!(who, [OTHER]);
}

/// The obstacles of a question are the entities of a cell that pass its filter, whether all are visited or those within reach.
#[test]
fn the_obstacles_of_a_question_pass_its_filter() {
    const DOOR_GUID: Guid = Guid(0x7A9B_4001);
    let mut scene = in_town();
    let spawn = landmarks().spawn;
    scene.add(OTHER, &spawn, &CREATURE);
    scene.add(DOOR_GUID, &beside(spawn, 3.0, 0.0, 0.0), &DOOR);
    let reach =
        SearchCylinder { cell: spawn.cell, centre: spawn.frame.origin, radius: 9.0, half_height: 9.0 };
    let visited = |filter: EntityFilter<'_>| {
        let (mut all, mut near) = (Vec::new(), Vec::new());
        let obstacles = scene.world.obstacles(filter);
        obstacles.visit(spawn.cell, &mut |obstacle| {
            all.push(obstacle.guid);
            ControlFlow::Continue(())
        });
        obstacles.visit_near(spawn.cell, &Cell::new(reach), &mut |obstacle| {
            near.push(obstacle.guid);
            ControlFlow::Continue(())
        });
        assert_eq!(all, near);
        all
    };
    assert_eq!(visited(EntityFilter::ALL), [OTHER, DOOR_GUID]);
    assert_eq!(visited(EntityFilter::ALL.except(&[OTHER])), [DOOR_GUID]);
    assert_eq!(visited(EntityFilter::OBJECTS), [DOOR_GUID]);
    assert_eq!(visited(EntityFilter { creatures: true, ..EntityFilter::NONE }), [OTHER]);
    assert_eq!(visited(EntityFilter::NONE), []);
}

/// A description carries a movement or a placement frame, and only what is not the default (rule D13).
#[test]
fn d13_a_description_leaves_out_what_is_the_default() {
    let physics = |spec: &EntitySpec, children: Vec<Attachment>| {
        let description = Description { children, ..Description::of_spec(spec.clone()) };
        description
            .with_message(|message| {
                let physics = &message.0.physics;
                let numbers = [physics.scale, physics.friction, physics.elasticity];
                (physics.placement, numbers, physics.omega, physics.velocity, physics.children.is_some())
            })
            .unwrap()
    };
    let plain = EntitySpec::item(OTHER, mannequin::SWORD_SETUP);
    assert_eq!(physics(&plain, Vec::new()), (None, [None; 3], None, None, false));
    let omega = Vec3::new(0.0, 0.0, 1.0);
    let other = EntitySpec {
        placement: 5,
        scale: 2.0,
        friction: 0.5,
        elasticity: 0.1,
        omega,
        velocity: Some(omega),
        ..plain.clone()
    };
    let held = vec![Attachment { guid: REMOTE, location: 1 }];
    let numbers = [Some(2.0), Some(0.5), Some(0.1)];
    assert_eq!(physics(&other, held), (Some(5), numbers, Some(omega), Some(omega), true));
    let moving = EntitySpec { motion: Some(Default::default()), placement: 5, ..plain };
    assert_eq!(physics(&moving, Vec::new()).0, None, "it moves");
    let flags = MoverFlags::IS_PLAYER | MoverFlags::IS_PK;
    let description = Description::of_spec(EntitySpec { mover_flags: flags, ..EntitySpec::default() });
    assert_eq!((description.object_flags, description.item_type), (0x28, 0x10));
}

/// The client of the player puts it on a hill of which nothing is known: it stands there (rule C27).
#[test]
fn c27_a_player_that_its_client_moves_stands_at_that_height() {
    let mut scene = crate::player_support::player();
    for height in [5.0, -3.0] {
        let mut hill = at(90.0, 90.0);
        hill.frame.origin.z += height;
        scene.world.set_player_position(&hill, true, scene.now);
        scene.ticks(10);
        assert!(scene.body(PLAYER).is_standing(), "{height} m");
        assert!(scene.body(PLAYER).position.distance_to(&hill) < 0.01, "{height} m");
    }
}

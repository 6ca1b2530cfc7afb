//! The life of entities without messages: spawned, teleported, held, dropped and despawned. What cannot be placed is an
//! error for the caller and an event for the receiver of a message, never silence (rules C14, C17, C18, D6, D11, D13).

use crate::town_support;
use crate::world_support;

use std::sync::Arc;

use acmotion::components::{Axis, InterpretedState};
use acmotion::dat::mannequin;
use acmotion::dat::mannequin::town::landmarks;
use acmotion::scene::{
    Arrival, Contact, InfinitePlane, Mover, Obstacles, PlacementError, Surroundings, SweepResult, Touch,
};
use acmotion::types::{CellId, CellPosition, Guid, MotionCommand, Vec3};
use acmotion::wire::{ObjectStamps, PhysicsState};
use acmotion::{
    AttachmentError, DeleteReason, EntitySpec, EventKind, HeldBy, Identity, MotionEvent, PlacementFailure,
    SpawnError, StampKind,
};
use town_support::{CREATURE, describe, facing, in_town, town_scene};
use world_support::*;

const SWORD: Guid = Guid(0x8000_0001);
const OTHER: Guid = Guid(0x5000_0002);
const RIGHT_HAND: u32 = 1;
const IN_HAND: u32 = 1;
const RESTING: u32 = 0x65;

fn creature(guid: Guid, position: &CellPosition) -> EntitySpec {
    EntitySpec::new(guid, *position)
}

fn sword() -> EntitySpec {
    EntitySpec { placement: IN_HAND, ..EntitySpec::item(SWORD, mannequin::SWORD_SETUP) }
}

impl TestWorld {
    fn spawn(&mut self, spec: &EntitySpec) -> acmotion::EntityId {
        let id = self.world.spawn(spec, self.now).unwrap();
        self.events.extend(self.world.drain_events());
        id
    }

    fn kinds(&mut self) -> Vec<(Guid, EventKind)> {
        self.world.drain_events().map(|event| (event.guid, event.kind)).collect()
    }
}

/// Points on the land of the town and, one in five, on the sea around it and beyond, on the ground where there is any.
fn points() -> Vec<CellPosition> {
    let scene = town_scene();
    let mut state = 1_u64;
    let mut random = |low: f32, high: f32| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        low + (state >> 40) as f32 / (1 << 24) as f32 * (high - low)
    };
    let point = |number: usize| {
        let (low, high) = if is_outside(number) { (-250.0, 600.0) } else { (0.0, 384.0) };
        let origin = Vec3::new(random(low, high), random(low, high), 0.0);
        let mut position = CellPosition::at(CellId(0xA9B4_0001), origin).adjusted_to_outside().unwrap();
        let Vec3 { x, y, .. } = position.frame.origin;
        if let Some(ground) = scene.ground(&position) {
            let plane = ground.plane;
            position.frame.origin.z = -(plane.normal.x * x + plane.normal.y * y + plane.d) / plane.normal.z;
        }
        position
    };
    (0..1000).map(point).collect()
}

/// Whether a point may lie outside of the town's land.
fn is_outside(number: usize) -> bool {
    number.is_multiple_of(5)
}

fn guid(number: usize) -> Guid {
    Guid(0x8000_0100 + number as u32)
}

#[test]
fn every_spawn_in_the_town_is_in_a_cell_or_an_error() {
    let mut spawned = in_town();
    let mut received = in_town();
    let (mut placed, mut no_room, mut no_cell) = (0, 0, 0);
    let mut refused_on_land = 0;
    for (number, position) in points().iter().enumerate() {
        received.send(&describe(guid(number), position, &CREATURE));
        let failures = received.count_events(|kind| matches!(kind, EventKind::NotPlaced(_)));
        received.events.clear();
        let result = spawned.world.spawn(&creature(guid(number), position), spawned.now);
        match result {
            Ok(id) => {
                placed += 1;
                let body = spawned.world.get(id).unwrap().body();
                assert!(body.is_in_cell(), "silently in no cell at {position:?}");
                assert_eq!(failures, 0, "the message places it, too: {position:?}");
            }
            Err(SpawnError::NotPlaced(failure)) => {
                match failure {
                    PlacementFailure::NoRoom => no_room += 1,
                    PlacementFailure::NoCell => no_cell += 1,
                    other => panic!("{other} at {position:?}"),
                }
                refused_on_land += usize::from(!is_outside(number));
                assert!(spawned.world.find(guid(number)).is_none());
                assert_eq!(failures, 1, "{failure} at {position:?}");
            }
            Err(other) => panic!("{other} at {position:?}"),
        }
    }
    println!("{placed} placed, {no_room} without room, {no_cell} without a cell; {refused_on_land} on land");
    // The open sea blocks bodies, and beyond it there are no cells. On land, two points are in the floor of the house.
    assert_eq!((placed, no_room, no_cell, refused_on_land), (828, 126, 46, 2));
    assert_eq!(spawned.world.entities().len(), placed);
    // A body that could not be placed is reported once, not each tick.
    received.ticks(30);
    assert_eq!(received.count_events(|kind| matches!(kind, EventKind::NotPlaced(_))), 0);
}

#[test]
fn a_giant_has_no_room_in_the_shed_and_leaves_nothing_behind() {
    let mut scene = in_town();
    let shed = landmarks().shed;
    scene.spawn(&creature(OTHER, &shed));
    let giant = EntitySpec { scale: 6.0, ..creature(REMOTE, &shed) };
    for _ in 0..3 {
        let error = scene.world.spawn(&giant, scene.now).unwrap_err();
        assert_eq!(error, SpawnError::NotPlaced(PlacementFailure::NoRoom));
    }
    assert!(scene.world.find(REMOTE).is_none() && scene.world.id_of(REMOTE).is_none());
    assert_eq!(scene.world.entities().len(), 1);
    assert_eq!(scene.kinds(), [], "no events of what did not happen");
    scene.ticks(5);
    // As a message it exists, but in no cell, and that is reported once.
    scene.send(&create_with(REMOTE, ObjectStamps::default(), |physics| {
        physics.position = Some(shed);
        physics.scale = Some(6.0);
    }));
    let failed = EventKind::NotPlaced(PlacementFailure::NoRoom);
    assert_eq!(scene.count_events(|kind| *kind == failed), 1);
    scene.ticks(10);
    assert_eq!(scene.count_events(|kind| *kind == failed), 1);
    assert!(!scene.world.find(REMOTE).unwrap().body().is_in_cell());
}

#[test]
fn a_creature_spawned_on_another_is_placed_beside_it_and_an_ethereal_one_at_the_same_point() {
    let mut scene = in_town();
    let square = landmarks().spawn;
    let first = scene.spawn(&creature(REMOTE, &square));
    let second = scene.spawn(&creature(OTHER, &square));
    let ghost = EntitySpec {
        state: PhysicsState::GRAVITY | PhysicsState::ETHEREAL | PhysicsState::IGNORE_COLLISIONS,
        ..creature(Guid(3), &square)
    };
    let ghost = scene.spawn(&ghost);
    let at = |id| scene.world.get(id).unwrap().position();
    let apart = at(first).distance_to(&at(second));
    assert!((0.5..=4.5).contains(&apart), "{apart} m apart");
    assert!(at(first).distance_to(&at(ghost)) < 0.01);
}

#[test]
fn specs_that_are_not_valid_are_refused() {
    let mut scene = TestWorld::new();
    let good = creature(REMOTE, &at(96.0, 96.0));
    let number = |field| SpawnError::InvalidNumber { field };
    let invalid = SpawnError::NotPlaced(PlacementFailure::InvalidPosition);
    let far = CellPosition::at(CELL, Vec3::new(1e9, 0.0, 0.0));
    let off_the_map = CellPosition::at(CellId(0x0000_0001), Vec3::new(-500.0, 0.0, 0.0));
    let no_cell = SpawnError::NotPlaced(PlacementFailure::NoCell);
    let nan = Vec3::new(f32::NAN, 0.0, 0.0);
    let mut motion = InterpretedState::new(MotionCommand::NON_COMBAT, Axis::new(MotionCommand::RUN_FORWARD));
    motion.turn.speed = f32::INFINITY;
    let cases = [
        (EntitySpec { guid: Guid::NONE, ..good.clone() }, SpawnError::NoGuid),
        (EntitySpec { scale: 0.0, ..good.clone() }, number("scale")),
        (EntitySpec { scale: f32::NAN, ..good.clone() }, number("scale")),
        (EntitySpec { friction: 1.5, ..good.clone() }, number("friction")),
        (EntitySpec { elasticity: -0.1, ..good.clone() }, number("elasticity")),
        (EntitySpec { translucency: Some(2.0), ..good.clone() }, number("translucency")),
        (EntitySpec { velocity: Some(nan), ..good.clone() }, number("velocity")),
        (EntitySpec { omega: nan, ..good.clone() }, number("omega")),
        (EntitySpec { motion: Some(motion), ..good.clone() }, number("motion")),
        (creature(REMOTE, &far), invalid),
        (creature(REMOTE, &CellPosition::at(CELL, nan)), invalid),
        (creature(REMOTE, &CellPosition::at(CellId(0xA9B4_0000), Vec3::ZERO)), invalid),
        (creature(REMOTE, &off_the_map), no_cell),
        (good.clone().held_by(OTHER, RIGHT_HAND), SpawnError::NotAttached(AttachmentError::UnknownParent)),
        (good.clone().held_by(REMOTE, RIGHT_HAND), SpawnError::NotAttached(AttachmentError::Itself)),
    ];
    for (spec, expected) in cases {
        assert_eq!(scene.world.spawn(&spec, scene.now), Err(expected), "{spec:?}");
        assert_eq!(scene.world.entities().len(), 0);
        assert_eq!(scene.kinds(), []);
    }
    assert_eq!(scene.world.spawn(&good, f64::NAN), Err(number("now")));
    let id = scene.world.spawn(&good, scene.now).unwrap();
    assert_eq!(scene.world.spawn(&good, scene.now), Err(SpawnError::AlreadyExists(REMOTE)));
    assert_eq!(scene.world.id_of(REMOTE), Some(id));
}

#[test]
fn a_spawned_runner_runs_as_one_created_by_a_message() {
    let mut spawned = TestWorld::new();
    let mut received = TestWorld::new();
    let motion = InterpretedState::new(MotionCommand::NON_COMBAT, Axis::new(MotionCommand::RUN_FORWARD));
    let state = PhysicsState::GRAVITY | PhysicsState::REPORT_COLLISIONS | PhysicsState::EDGE_SLIDE;
    spawned.spawn(&EntitySpec { motion: Some(motion), state, ..creature(REMOTE, &at(96.0, 96.0)) });
    received.send(&create(REMOTE, &at(96.0, 96.0), ObjectStamps::default(), Some(running(1.0))));
    for tick in 0..90 {
        spawned.tick();
        received.tick();
        let (own, other) = (spawned.origin(REMOTE), received.origin(REMOTE));
        assert_eq!(own, other, "tick {tick}");
    }
    assert_eq!(spawned.events, received.events);
    assert!(spawned.origin(REMOTE).y > 105.0, "it runs north");
}

/// Messages that came before the object wait for it, whether a message or a spec creates it (rule D3).
#[test]
fn messages_that_waited_are_handled_after_a_spawn() {
    let mut scene = TestWorld::new();
    scene.send(&motion(REMOTE, running(1.0), 1));
    assert_eq!(scene.world.waiting_messages(), 1);
    scene.spawn(&creature(REMOTE, &at(96.0, 96.0)));
    assert_eq!(scene.world.waiting_messages(), 0);
    let entity = scene.world.find(REMOTE).unwrap().entity();
    assert_eq!(entity.interp.interpreted.forward.command, MotionCommand::RUN_FORWARD);
}

#[test]
fn a_despawned_holder_lets_go_and_its_handle_finds_nothing() {
    let mut scene = TestWorld::new();
    let holder = scene.spawn(&creature(REMOTE, &at(96.0, 96.0)));
    let sword = scene.spawn(&sword().held_by(REMOTE, RIGHT_HAND));
    assert_eq!(scene.world.get(sword).unwrap().parent(), Some(REMOTE));
    assert!(scene.world.despawn(holder, scene.now));
    let kinds = scene.kinds();
    assert!(kinds.contains(&(SWORD, EventKind::Motion(MotionEvent::Unparented { parent: REMOTE }))));
    assert_eq!(kinds.last(), Some(&(REMOTE, EventKind::Deleted(DeleteReason::Despawned))));
    assert!(scene.world.get(holder).is_none() && !scene.world.despawn(holder, scene.now));
    assert!(!scene.world.get(sword).unwrap().body().is_in_cell());
    let again = scene.spawn(&creature(REMOTE, &at(96.0, 96.0)));
    assert_ne!(again, holder);
    assert!(scene.world.get(holder).is_none(), "the old handle does not find the new entity");
}

#[test]
fn a_teleport_leads_into_a_room_and_out_of_it() {
    let mut scene = in_town();
    let (hall, square) = (landmarks().hall, landmarks().spawn);
    let id = scene.spawn(&creature(REMOTE, &square));
    let before = *scene.world.get(id).unwrap().stamps();
    scene.ticks(3);
    for (number, target) in [hall, square, hall].into_iter().enumerate() {
        scene.world.teleport(id, &target, scene.now).unwrap();
        scene.ticks(10);
        let resident = scene.world.get(id).unwrap();
        assert!(resident.body().is_standing(), "at {:?}", resident.position());
        assert!(resident.position().distance_to(&target) < 0.1, "at {:?}", resident.position());
        assert_eq!(resident.position().cell.is_outdoor(), target.cell.is_outdoor());
        assert_eq!(resident.stamps().teleport.0, before.teleport.0 + 1 + number as u16);
        assert_eq!(resident.stamps().position.0, before.position.0 + 1 + number as u16);
    }
    let teleports =
        scene.count_events(|kind| matches!(kind, EventKind::Motion(MotionEvent::Teleported { .. })));
    assert_eq!(teleports, 3);
}

#[test]
fn a_teleport_that_fails_changes_nothing() {
    let mut scene = in_town();
    let (square, shed) = (landmarks().spawn, landmarks().shed);
    let giant = scene.spawn(&EntitySpec { scale: 6.0, ..creature(REMOTE, &square) });
    scene.ticks(30);
    scene.events.clear();
    let before = scene.world.spec_of(giant).unwrap();
    let nowhere = CellPosition::at(CellId(0x1234_0001), Vec3::new(5.0, 5.0, 0.0));
    let no_such_room = CellPosition::at(CellId(0xA9B4_0FFF), square.frame.origin);
    let cases = [
        (shed, PlacementFailure::NoRoom),
        (nowhere, PlacementFailure::NoCell),
        (no_such_room, PlacementFailure::NoCell),
        (CellPosition::at(CELL, Vec3::new(0.0, f32::NAN, 0.0)), PlacementFailure::InvalidPosition),
    ];
    for (target, expected) in cases {
        assert_eq!(scene.world.teleport(giant, &target, scene.now), Err(expected));
        assert_eq!(scene.world.drop_at(giant, &target, 0, scene.now), Err(expected));
        let after = scene.world.spec_of(giant).unwrap();
        assert_eq!(format!("{after:?}"), format!("{before:?}"));
        assert_eq!(scene.kinds(), []);
    }
    scene.world.despawn(giant, scene.now);
    assert_eq!(scene.world.teleport(giant, &square, scene.now), Err(PlacementFailure::Unknown));
}

/// A sword lies on the ground, is taken in hand, carried, dropped elsewhere and put into a pack (rules D6, D11, H15).
#[test]
fn a_sword_is_picked_up_carried_and_dropped() {
    let mut scene = TestWorld::new();
    let holder = scene.spawn(&creature(REMOTE, &at(96.0, 96.0)));
    let lies = EntitySpec { position: Some(at(97.0, 96.0)), placement: RESTING, ..sword() };
    let sword = scene.spawn(&lies);
    assert!(scene.world.get(sword).unwrap().body().is_in_cell());
    let in_hand = HeldBy { parent: REMOTE, location: RIGHT_HAND };
    scene.world.set_parent(sword, in_hand, IN_HAND, scene.now).unwrap();
    let held = scene.world.get(sword).unwrap();
    assert_eq!((held.held_by(), held.placement(), held.stamps().position.0), (Some(in_hand), IN_HAND, 1));
    assert!(!held.body().is_in_cell());
    // It follows the hand.
    scene.world.teleport(holder, &at(120.0, 96.0), scene.now).unwrap();
    scene.ticks(2);
    assert!((scene.origin(SWORD) - scene.origin(REMOTE)).length() < 1.5);
    // It cannot be dropped into nothing, and stays in the hand.
    let off_the_map = CellPosition::at(CellId(0x0000_0001), Vec3::new(-500.0, 0.0, 0.0));
    assert_eq!(scene.world.drop_at(sword, &off_the_map, RESTING, scene.now), Err(PlacementFailure::NoCell));
    assert_eq!(scene.world.get(sword).unwrap().held_by(), Some(in_hand));
    scene.world.drop_at(sword, &at(121.0, 96.0), RESTING, scene.now).unwrap();
    let lies = scene.world.get(sword).unwrap();
    assert_eq!((lies.parent(), lies.placement(), lies.stamps().position.0), (None, RESTING, 2));
    assert!(lies.body().is_in_cell());
    assert_eq!(scene.world.get(holder).unwrap().children(), []);
    assert!(scene.world.pick_up(sword, scene.now));
    let away = scene.world.get(sword).unwrap();
    assert!(!away.body().is_in_cell() && away.parent().is_none());
    assert_eq!(away.stamps().position.0, 3);
    // What cannot be attached stays as it is, and its stamp does not advance.
    let unknown = HeldBy { parent: OTHER, location: RIGHT_HAND };
    let error = scene.world.set_parent(sword, unknown, IN_HAND, scene.now);
    assert_eq!(error, Err(AttachmentError::UnknownParent));
    let nowhere = HeldBy { parent: REMOTE, location: 77 };
    assert_eq!(scene.world.set_parent(sword, nowhere, IN_HAND, scene.now), Err(AttachmentError::NoLocation));
    let itself = HeldBy { parent: REMOTE, location: RIGHT_HAND };
    assert_eq!(scene.world.set_parent(holder, itself, 0, scene.now), Err(AttachmentError::Itself));
    assert_eq!(scene.world.get(sword).unwrap().stamps().position.0, 3);
    scene.world.despawn(sword, scene.now);
    assert_eq!(
        scene.world.set_parent(sword, in_hand, IN_HAND, scene.now),
        Err(AttachmentError::UnknownChild)
    );
    assert!(!scene.world.pick_up(sword, scene.now));
    assert_eq!(scene.world.next_stamp(sword, StampKind::Position), None);
}

/// A report without room or cell is an event, once for each message (rules D6, D7).
#[test]
fn a_report_that_cannot_be_followed_is_an_event() {
    let mut scene = in_town();
    let square = landmarks().spawn;
    scene.add(REMOTE, &square, &CREATURE);
    scene.events.clear();
    let lost = |scene: &TestWorld| {
        scene.count_events(|kind| *kind == EventKind::NotPlaced(PlacementFailure::NoCell))
    };
    let no_such_room = CellPosition::at(CellId(0xA9B4_0FFF), square.frame.origin);
    let teleport = |stamp, to: &CellPosition| {
        position_with(REMOTE, to, stamp, |pack| pack.teleport = acmotion::types::Stamp(stamp))
    };
    scene.send(&teleport(1, &no_such_room));
    assert_eq!(lost(&scene), 1);
    scene.ticks(10);
    assert_eq!(lost(&scene), 1, "once, not each tick");
    assert!(!scene.world.find(REMOTE).unwrap().body().is_in_cell());
    scene.send(&teleport(2, &square));
    assert_eq!(lost(&scene), 1);
    assert!(scene.world.find(REMOTE).unwrap().body().is_in_cell());
}

/// Level ground that ends in the east, at 100 m.
struct Edge(InfinitePlane);

impl Surroundings for Edge {
    fn sweep(
        &self,
        mover: &Mover<'_>,
        from: &CellPosition,
        to: &CellPosition,
        obstacles: &dyn Obstacles,
        touched: &mut Vec<Touch>,
    ) -> SweepResult {
        let mut sweep = self.0.sweep(mover, from, to, obstacles, touched);
        if let Some(arrival) = &mut sweep.arrival {
            arrival.in_cell = arrival.position.frame.origin.x < 100.0;
        }
        sweep
    }

    fn place(
        &self,
        mover: &Mover<'_>,
        at: &CellPosition,
        slide: bool,
        obstacles: &dyn Obstacles,
        touched: &mut Vec<Touch>,
    ) -> Result<Arrival, PlacementError> {
        self.0.place(mover, at, slide, obstacles, touched)
    }

    fn is_free(&self, body: Guid, at: &CellPosition, obstacles: &dyn Obstacles) -> bool {
        self.0.is_free(body, at, obstacles)
    }

    fn ground(&self, at: &CellPosition) -> Option<Contact> {
        self.0.ground(at)
    }
}

#[test]
fn a_body_that_moves_out_of_all_cells_is_reported_once() {
    let edge = Arc::new(Edge(InfinitePlane::level(GROUND)));
    let mut scene = TestWorld::with(settings(|settings| settings.surroundings = Some(edge)));
    let run = InterpretedState::new(MotionCommand::NON_COMBAT, Axis::new(MotionCommand::RUN_FORWARD));
    let runs_east = EntitySpec { motion: Some(run), ..creature(REMOTE, &facing(at(97.0, 96.0), 90.0)) };
    let id = scene.spawn(&runs_east);
    scene.ticks(60);
    let body = scene.world.find(REMOTE).unwrap().body();
    assert!(!body.is_in_cell(), "at {:?}", body.position);
    assert_eq!(scene.count_events(|kind| *kind == EventKind::Motion(MotionEvent::Lost)), 1);
    scene.world.teleport(id, &at(90.0, 96.0), scene.now).unwrap();
    assert!(scene.world.find(REMOTE).unwrap().body().is_in_cell(), "a placement brings it back");
}

#[test]
fn the_local_player_can_be_spawned_and_teleported() {
    let mut scene = TestWorld::with(settings(|settings| settings.player = Identity::Known(PLAYER)));
    let id = scene.spawn(&creature(PLAYER, &at(96.0, 96.0)));
    let entity = scene.world.get(id).unwrap().entity();
    assert!(entity.weenie().is_some_and(|weenie| weenie.is_local_player()));
    scene.world.teleport(id, &at(20.0, 20.0), scene.now).unwrap();
    assert!(scene.world.player_position().unwrap().distance_to(&at(20.0, 20.0)) < 0.01);
    assert!(!scene.world.player().is_waiting_for_teleport());
}

/// On unknown terrain the ground goes where the entity is put (no surroundings, or a plane).
#[test]
fn a_teleport_to_another_height_stands_there_without_surroundings() {
    let mut scene = TestWorld::new();
    let id = scene.spawn(&creature(REMOTE, &at(96.0, 96.0)));
    let mut higher = at(90.0, 90.0);
    higher.frame.origin.z = GROUND + 30.0;
    scene.world.teleport(id, &higher, scene.now).unwrap();
    scene.ticks(30);
    assert!(scene.world.get(id).unwrap().body().is_standing());
    assert!((scene.origin(REMOTE).z - higher.frame.origin.z).abs() < 0.01);
    let plane: Arc<dyn Surroundings + Send + Sync> = Arc::new(InfinitePlane::level(GROUND));
    let mut scene = TestWorld::with(settings(|settings| settings.surroundings = Some(plane)));
    let id = scene.spawn(&creature(REMOTE, &at(96.0, 96.0)));
    scene.world.teleport(id, &higher, scene.now).unwrap();
    scene.ticks(5);
    assert!(!scene.world.get(id).unwrap().body().is_standing(), "30 m above a known ground it falls");
}

/// A teleport of a player takes two steps: its client is sent into portal space, and it is moved when the client is back
/// (rule P7). The first advances the stamp of teleports alone, the second that of positions.
#[test]
fn p7_a_teleport_begins_with_its_stamp_and_ends_with_a_position() {
    let mut scene = TestWorld::new();
    let id = scene.spawn(&creature(REMOTE, &at(96.0, 96.0)));
    let stamps = |scene: &TestWorld| *scene.world.find(REMOTE).unwrap().stamps();
    let before = stamps(&scene);
    let message = scene.world.begin_teleport(id).unwrap();
    let begun = stamps(&scene);
    assert_eq!(begun, ObjectStamps { teleport: before.teleport.next(), ..before });
    assert_eq!(message.teleport, begun.teleport);
    assert!((scene.origin(REMOTE).x - 96.0).abs() < 0.01, "it has not moved");
    scene.world.end_teleport(id, &at(120.0, 96.0), scene.now).unwrap();
    assert_eq!(stamps(&scene), ObjectStamps { position: begun.position.next(), ..begun });
    assert!((scene.origin(REMOTE).x - 120.0).abs() < 0.01);
    scene.world.despawn(id, scene.now);
    assert!(scene.world.begin_teleport(id).is_none());
}

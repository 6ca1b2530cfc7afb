//! Collisions between creatures, players, ethereal bodies, missiles and doors (`docs/collision.md` 8 and 9), and placement
//! where there is no room (10).

use crate::town_support;
use crate::world_support;

use acmotion::components::TransientState;
use acmotion::dat::mannequin::town::landmarks;
use acmotion::scene::MoverFlags;
use acmotion::types::{CellId, CellPosition, Guid, MotionCommand, Quat, Stamp, Vec3};
use acmotion::wire::{InterpretedState, ParentEvent, PhysicsState, SetState};
use acmotion::{EventKind, MotionEvent};
use town_support::*;
use world_support::{PLAYER, REMOTE, TestWorld, encode, motion, position_with, vector};

const OTHER: Guid = Guid(0x5000_0002);
const DOOR_GUID: Guid = Guid(0x7A9B_4001);

/// A body walks towards another one that stands, for three seconds.
fn walk_into(walker: &ObjectKind, target: &ObjectKind) -> TestWorld {
    let mut scene = in_town();
    let spawn = landmarks().spawn;
    scene.add(REMOTE, &facing(beside(spawn, 0.0, -3.0, 0.0), 0.0), walker);
    scene.add(OTHER, &spawn, target);
    scene.ticks(2);
    scene.events.clear();
    scene.start(REMOTE, MotionCommand::WALK_FORWARD);
    scene.ticks(90);
    scene
}

fn passes(walker: &ObjectKind, target: &ObjectKind) -> bool {
    let scene = walk_into(walker, target);
    let (walker, target) = (scene.origin(REMOTE), scene.origin(OTHER));
    if walker.y > target.y + 1.0 {
        return true;
    }
    assert!((walker - target).length() > 0.95, "spheres overlap: {walker:?} {target:?}");
    false
}

#[test]
fn creatures_block_and_players_pass_through_players() {
    let killer = ObjectKind { object_flags: 0x28, ..CHARACTER };
    let pk_lite = ObjectKind { object_flags: 0x200_0008, ..CHARACTER };
    let impenetrable = ObjectKind { object_flags: 0x20_0008, ..CHARACTER };
    assert!(!passes(&CREATURE, &CREATURE));
    assert!(!passes(&CHARACTER, &CREATURE) && !passes(&CREATURE, &CHARACTER));
    assert!(passes(&CHARACTER, &CHARACTER) && passes(&CHARACTER, &killer) && passes(&killer, &pk_lite));
    assert!(!passes(&killer, &killer) && !passes(&pk_lite, &pk_lite));
    assert!(!passes(&CHARACTER, &impenetrable) && !passes(&impenetrable, &CHARACTER));
}

/// A player that has not moved since it became impenetrable blocks other players all the same.
#[test]
fn a_standing_player_that_becomes_impenetrable_blocks() {
    let mut scene = in_town();
    let spawn = landmarks().spawn;
    scene.add(REMOTE, &facing(beside(spawn, 0.0, -3.0, 0.0), 0.0), &CHARACTER);
    scene.add(OTHER, &spawn, &CHARACTER);
    scene.ticks(30);
    let impenetrable = MoverFlags::IS_IMPENETRABLE;
    scene.world.act(OTHER, scene.now, |actor, _| actor.entity.mover_flags.insert(impenetrable));
    scene.start(REMOTE, MotionCommand::WALK_FORWARD);
    scene.ticks(90);
    assert!(scene.origin(REMOTE).y < scene.origin(OTHER).y, "{:?}", scene.origin(REMOTE));
}

/// Whether the walker or the target is ethereal.
#[test]
fn ethereal_bodies_are_passed_through_but_touched() {
    let ethereal = ObjectKind { state: SOLID | PhysicsState::ETHEREAL, ..CREATURE };
    let ignoring = ObjectKind { state: ethereal.state | PhysicsState::IGNORE_COLLISIONS, ..CREATURE };
    for (walker, target, touches) in
        [(&CREATURE, &ethereal, 1), (&ethereal, &CREATURE, 1), (&CREATURE, &ignoring, 0)]
    {
        let scene = walk_into(walker, target);
        assert!(scene.origin(REMOTE).y > scene.origin(OTHER).y + 1.0);
        assert_eq!(scene.touches(REMOTE, OTHER), touches);
        assert_eq!(scene.touches(OTHER, REMOTE), touches, "reported for both sides");
    }
}

/// A creature lies on its side, 0.9 m above the ground. It is in the way where its head is, 1.35 m to the east of its
/// origin: bodies are looked for as far as they reach at their rotation.
#[test]
fn a_tilted_body_blocks_where_its_head_is() {
    let walk = |degrees: f32| {
        let mut scene = in_town();
        let spawn = landmarks().spawn;
        scene.add(REMOTE, &facing(beside(spawn, 1.35, -3.0, 0.0), 0.0), &CREATURE);
        scene.add(OTHER, &spawn, &CREATURE);
        scene.ticks(2);
        scene.world.act(OTHER, scene.now, |actor, _| {
            let frame = &mut actor.entity.body.position.frame;
            frame.origin.z += 0.9;
            frame.set_rotation(Quat::from_axis_angle(Vec3::new(0.0, 1.0, 0.0), degrees.to_radians()));
        });
        scene.start(REMOTE, MotionCommand::WALK_FORWARD);
        scene.ticks(90);
        (scene.touches(REMOTE, OTHER), scene.origin(REMOTE).y > spawn.frame.origin.y)
    };
    assert_eq!(walk(0.0), (0, true), "upright, it is passed by");
    assert_eq!(walk(90.0), (1, false));
}

/// A body that another one holds blocks nothing, and is listed nowhere (8.2); put down, it blocks again.
#[test]
fn a_held_body_is_no_obstacle() {
    const HOLDER: Guid = Guid(0x5000_0003);
    let walk = |held: bool| {
        let mut scene = in_town();
        let spawn = landmarks().spawn;
        scene.add(REMOTE, &facing(beside(spawn, 0.0, -3.0, 0.0), 0.0), &CREATURE);
        scene.add(OTHER, &spawn, &CREATURE);
        scene.add(HOLDER, &beside(spawn, 1.6, 0.0, 0.0), &CREATURE);
        let event = ParentEvent {
            parent: HOLDER,
            child: OTHER,
            location: 1,
            placement: 0,
            parent_instance: Stamp(0),
            child_position: Stamp(1),
        };
        scene.send(&encode(event));
        if !held {
            scene.send(&position_with(OTHER, &spawn, 2, |_| {}));
        }
        scene.ticks(2);
        scene.start(REMOTE, MotionCommand::WALK_FORWARD);
        scene.ticks(90);
        scene.origin(REMOTE).y - spawn.frame.origin.y
    };
    assert!(walk(true) > 1.0, "it walks past: {}", walk(true));
    assert!(walk(false) < -0.9, "it is blocked: {}", walk(false));
}

/// A body that ignores creatures is pushed along them all the same and then goes on (8.3). It is thrown to the north, 0.4 m a
/// tick, past a creature on its left, which pushes it 0.2 m to the right, onto a creature that was out of reach before. Both
/// are touched in the same tick: the search for obstacles follows the body (8.2).
#[test]
fn obstacles_are_found_where_another_one_pushes_the_body() {
    const BESIDE: Guid = Guid(0x5000_0003);
    let throw = |ignores: bool| {
        let mut scene = in_town();
        let spawn = landmarks().spawn;
        scene.add(OTHER, &beside(spawn, -0.7, 0.75, 0.0), &CREATURE);
        scene.add(BESIDE, &beside(spawn, 1.09, -0.05, 0.0), &CREATURE);
        scene.add(REMOTE, &facing(spawn, 0.0), &CREATURE);
        scene.ticks(2);
        if ignores {
            let flags = MoverFlags::IGNORE_CREATURES;
            scene.world.act(REMOTE, scene.now, |actor, _| actor.entity.mover_flags.insert(flags));
        }
        let start = scene.origin(REMOTE);
        assert!((start - spawn.frame.origin).length() < 0.01, "nothing pushes it yet: {start:?}");
        scene.send(&vector(REMOTE, Vec3::new(0.0, 12.0, 0.0), 1));
        scene.tick();
        let moved = scene.origin(REMOTE) - start;
        (scene.touches(REMOTE, OTHER), scene.touches(REMOTE, BESIDE), moved)
    };
    let (pushing, reached, moved) = throw(true);
    assert_eq!((pushing, reached), (1, 1), "{moved:?}");
    let (pushing, _, moved) = throw(false);
    assert_eq!(pushing, 1, "{moved:?}");
}

/// Its end is reported when there has been no collision for a second.
#[test]
fn a_touch_is_reported_once_however_long_it_lasts() {
    let mut scene = in_town();
    let spawn = landmarks().spawn;
    scene.add(REMOTE, &facing(beside(spawn, 0.0, -1.5, 0.0), 0.0), &CREATURE);
    scene.add(OTHER, &spawn, &CREATURE);
    scene.start(REMOTE, MotionCommand::WALK_FORWARD);
    let parted = EventKind::Motion(MotionEvent::Parted(OTHER));
    while scene.touches(REMOTE, OTHER) == 0 && scene.now < 12.0 {
        scene.tick();
    }
    scene.turn(REMOTE, 180.0);
    scene.ticks(25);
    assert_eq!(scene.count_events(|kind| *kind == parted), 0, "less than a second");
    scene.ticks(10);
    assert_eq!(scene.count_events(|kind| *kind == parted), 1);

    // A body that keeps pushing head-on does not move, so nothing is swept; the end is reported when it moves again.
    let mut scene = walk_into(&CREATURE, &CREATURE);
    assert_eq!((scene.touches(REMOTE, OTHER), scene.touches(OTHER, REMOTE)), (1, 1));
    assert_eq!(scene.count_events(|kind| *kind == parted), 0);
    scene.turn(REMOTE, 180.0);
    scene.ticks(5);
    assert_eq!(scene.count_events(|kind| *kind == parted), 1);
    assert_eq!(scene.touches(REMOTE, OTHER), 1);
    let quiet = ObjectKind { state: SOLID - PhysicsState::REPORT_COLLISIONS, ..CREATURE };
    let scene = walk_into(&quiet, &CREATURE);
    assert_eq!(
        (scene.touches(REMOTE, OTHER), scene.touches(OTHER, REMOTE)),
        (0, 1),
        "only the side that reports collisions"
    );
}

/// They lose their missile flags, touch creatures, and fly through ethereal bodies.
#[test]
fn missiles_stop_at_walls_and_creatures() {
    let town = landmarks();
    let throw = |scene: &mut TestWorld, from: CellPosition| {
        scene.add(REMOTE, &beside(from, 0.0, 0.0, 1.5), &MISSILE);
        scene.send(&vector(REMOTE, Vec3::new(0.0, 20.0, 0.0), 1));
        assert!(scene.body(REMOTE).state.contains(PhysicsState::MISSILE));
    };
    let mut scene = in_town();
    throw(&mut scene, beside(town.wall, 0.0, -8.0, 0.0));
    let hit = EventKind::Motion(MotionEvent::HitEnvironment);
    while scene.count_events(|kind| *kind == hit) == 0 && scene.now < 12.0 {
        scene.tick();
    }
    let at = scene.origin(REMOTE);
    assert!(at.z > town.wall.frame.origin.z + 0.5, "it fell down: {at:?}");
    assert!(
        at.y > town.wall.frame.origin.y && at.y < town.wall.frame.origin.y + 2.0,
        "not in front of the wall: {at:?}"
    );
    assert!(!scene.body(REMOTE).state.contains(PhysicsState::MISSILE));

    let mut scene = in_town();
    let ethereal = ObjectKind { state: SOLID | PhysicsState::ETHEREAL, ..CREATURE };
    let bystander = Guid(0x5000_0003);
    scene.add(bystander, &beside(town.spawn, 0.0, -4.0, 0.0), &ethereal);
    scene.add(OTHER, &town.spawn, &CREATURE);
    throw(&mut scene, beside(town.spawn, 0.0, -8.0, 0.0));
    scene.ticks(15);
    assert_eq!((scene.touches(REMOTE, OTHER), scene.touches(REMOTE, bystander)), (1, 0));
    assert!(scene.origin(REMOTE).y < scene.origin(OTHER).y - 0.9);
    assert!(!scene.body(REMOTE).state.contains(PhysicsState::MISSILE));
}

fn swing(scene: &mut TestWorld, to: MotionCommand, stamp: u16) {
    let state = InterpretedState { forward_command: Some(to), ..InterpretedState::default() };
    scene.send(&motion(DOOR_GUID, state, stamp));
}

/// A player in front of a closed door.
fn at_the_door() -> TestWorld {
    let mut scene = in_town();
    let town = landmarks();
    scene.add(DOOR_GUID, &town.door, &DOOR);
    scene.add(PLAYER, &town.doorstep, &CHARACTER);
    scene.ticks(5);
    scene
}

#[test]
fn a_closed_door_blocks_until_the_server_makes_it_ethereal() {
    let mut scene = at_the_door();
    let town = landmarks();
    assert!(!scene.walk(PLAYER, &town.hall, 60), "closed");
    assert!(scene.origin(PLAYER).y < town.door.frame.origin.y);
    let open = DOOR.state | PhysicsState::ETHEREAL;
    scene.send(&encode(SetState { guid: DOOR_GUID, state: open, instance: Stamp(0), state_stamp: Stamp(1) }));
    assert!(!scene.walk(PLAYER, &town.hall, 30), "a body that keeps pushing head-on stays blocked (rule S5)");
    assert!(scene.walk(PLAYER, &beside(town.hall, 0.3, 0.0, 0.0), 90), "open");
}

/// Whether the door waits to become solid.
fn waits(scene: &TestWorld) -> bool {
    let door = scene.body(DOOR_GUID);
    let waits = door.transient.contains(TransientState::CHECK_ETHEREAL);
    assert!(!waits || door.state.contains(PhysicsState::ETHEREAL));
    waits
}

/// An open door is ethereal, and its leaf moves with the animation. When it closes, it becomes solid as soon as no body
/// overlaps the leaf, and not before (rule C20).
#[test]
fn a_closing_door_becomes_solid_once_no_body_overlaps_its_leaf() {
    let mut scene = at_the_door();
    let town = landmarks();
    swing(&mut scene, MotionCommand::ON, 1);
    scene.ticks(40);
    assert!(scene.body(DOOR_GUID).state.contains(PhysicsState::ETHEREAL), "opened by its own animation");
    let in_the_leaf = beside(town.hall, -0.8, -1.3, 0.0);
    scene.walk_all(PLAYER, &[town.door, in_the_leaf]);
    scene.start(PLAYER, MotionCommand::READY);
    swing(&mut scene, MotionCommand::OFF, 2);
    scene.ticks(5);
    assert!(waits(&scene));
    scene.ticks(40);
    assert!(
        !waits(&scene) && !scene.body(DOOR_GUID).state.contains(PhysicsState::ETHEREAL),
        "the leaf has swung past the player"
    );
    assert!(!scene.walk(PLAYER, &town.doorstep, 90), "the door is closed");
}

/// Rule C20.
#[test]
fn a_door_does_not_become_solid_around_a_body() {
    let mut scene = at_the_door();
    let town = landmarks();
    scene.world.act(DOOR_GUID, scene.now, |actor, around| actor.set_ethereal(true, around));
    assert!(scene.walk(PLAYER, &town.door, 90));
    scene.world.act(DOOR_GUID, scene.now, |actor, around| actor.set_ethereal(false, around));
    assert!(waits(&scene));
    assert!(scene.walk(PLAYER, &town.hall, 90));
    scene.ticks(2);
    assert!(!waits(&scene));
    assert!(!scene.walk(PLAYER, &town.doorstep, 90));
}

/// Without sliding there is no room for it.
#[test]
fn a_second_body_at_the_same_position_is_placed_beside_the_first() {
    let mut scene = in_town();
    let spawn = landmarks().spawn;
    scene.add(REMOTE, &spawn, &CREATURE);
    scene.add(OTHER, &spawn, &CREATURE);
    let apart = (scene.origin(REMOTE) - scene.origin(OTHER)).length();
    assert!((0.95..2.0).contains(&apart), "{apart}");
    let before = scene.body(OTHER).position;
    let placed = scene.world.act(OTHER, scene.now, |actor, around| actor.set_position(&spawn, false, around));
    assert_eq!(placed, Some(false));
    assert_eq!(scene.body(OTHER).position, before, "it stays where it was");
    let moved = beside(spawn, 5.0, 0.0, 0.0);
    assert_eq!(
        scene.world.act(OTHER, scene.now, |actor, around| actor.set_position(&moved, false, around)),
        Some(true)
    );
    scene.add(Guid(3), &spawn, &CHARACTER);
    assert!(
        (scene.origin(Guid(3)) - scene.origin(REMOTE)).length() > 0.9,
        "a player is placed beside a creature"
    );
    scene.add(Guid(4), &beside(spawn, 0.0, -10.0, 0.0), &CHARACTER);
    scene.add(Guid(5), &beside(spawn, 0.0, -10.0, 0.0), &CHARACTER);
    assert!((scene.origin(Guid(4)) - scene.origin(Guid(5))).length() < 1e-3, "players may share a position");
}

/// While it is lost, other bodies do not collide with it.
#[test]
fn a_body_moved_to_unknown_land_is_lost_until_it_is_moved_back() {
    let mut scene = in_town();
    let spawn = landmarks().spawn;
    scene.add(REMOTE, &spawn, &CREATURE);
    let nowhere = CellPosition::at(CellId(0x1010_0001), Vec3::new(12.0, 12.0, 10.0));
    let teleport = |position: &CellPosition, stamp: u16| {
        position_with(REMOTE, position, stamp, |pack| pack.teleport = Stamp(stamp))
    };
    scene.send(&teleport(&nowhere, 1));
    let body = scene.body(REMOTE);
    assert!(!body.is_in_cell() && body.position.cell == nowhere.cell);
    scene.add(OTHER, &spawn, &CREATURE);
    assert!((scene.origin(OTHER) - spawn.frame.origin).length() < 0.01, "its old position is free");
    scene.ticks(10);
    scene.send(&teleport(&beside(spawn, 0.0, 5.0, 0.0), 2));
    scene.ticks(2);
    assert!(scene.body(REMOTE).is_standing());
}

#[test]
fn a_deleted_entity_is_no_longer_an_obstacle() {
    let mut scene = walk_into(&CREATURE, &CREATURE);
    scene.send(&world_support::delete(OTHER, 0));
    scene.turn(REMOTE, 5.0);
    scene.ticks(60);
    assert!(scene.origin(REMOTE).y > landmarks().spawn.frame.origin.y + 1.0);
}

/// Extreme scales, positions off the map and extreme velocities. A regular body among them stays in its cell.
#[test]
fn bodies_with_extreme_values_do_no_harm() {
    let mut scene = in_town();
    let spawn = landmarks().spawn;
    scene.add(PLAYER, &beside(spawn, -20.0, 0.0, 0.0), &CHARACTER);
    let scales = [1e-30, 1e-3, 0.3, 20.0, 1e6, 1e30, f32::MAX];
    let far = [0.0, 1e-20, 191.999, 192.0, -1e4, 9.9e4];
    for (number, scale) in (0..).zip(scales) {
        for (step, shift) in (0..).zip(far) {
            let guid = Guid(0x6000_0000 + number * 16 + step);
            let mut position = spawn;
            position.frame.origin += Vec3::new(shift, shift * 0.5, if step % 2 == 0 { shift } else { 0.1 });
            let kind = [&CREATURE, &DOOR, &MISSILE, &CHARACTER][(number + step) as usize % 4];
            scene.send(&describe_scaled(guid, &position, kind, scale));
            scene.send(&vector(guid, Vec3::new(1e30, -1e30, 40.0), 1));
        }
    }
    for _ in 0..60 {
        scene.tick();
        scene.events.clear();
    }
    let body = scene.body(PLAYER);
    assert!(body.position.frame.origin.is_finite() && body.is_in_cell());
    assert!(scene.world.entities().all(|resident| resident.position().frame.origin.is_finite()));
}

//! Who is in whose way: creatures, players, ghosts, missiles and doors (`docs/collision.md` 8 and 9), and where those are
//! put for whom there is no room (10).

mod town_support;
mod world_support;

use acmotion::body::TransientState;
use acmotion::dat::mannequin::town::places;
use acmotion::entity::MotionEvent;
use acmotion::types::{CellId, CellPosition, Guid, MotionCommand, Stamp, Vec3};
use acmotion::wire::{InterpretedState, PhysicsState, SetState};
use acmotion::world::EventKind;
use town_support::*;
use world_support::{PLAYER, REMOTE, Scene, motion, of, position_with, vector};

const OTHER: Guid = Guid(0x5000_0002);
const GATE: Guid = Guid(0x7A9B_4001);

/// Somebody stands before somebody else and walks at him, for three seconds.
fn walk_into(walker: &Thing, target: &Thing) -> Scene {
    let mut scene = in_town();
    let spawn = places().spawn;
    scene.add(REMOTE, &facing(beside(spawn, 0.0, -3.0, 0.0), 0.0), walker);
    scene.add(OTHER, &spawn, target);
    scene.ticks(2);
    scene.events.clear();
    scene.start(REMOTE, MotionCommand::WALK_FORWARD);
    scene.ticks(90);
    scene
}

fn passes(walker: &Thing, target: &Thing) -> bool {
    let scene = walk_into(walker, target);
    let (walker, target) = (scene.place(REMOTE), scene.place(OTHER));
    if walker.y > target.y + 1.0 {
        return true;
    }
    assert!((walker - target).length() > 0.95, "spheres do not overlap: {walker:?} {target:?}");
    false
}

#[test]
fn creatures_block_and_players_pass_players() {
    let killer = Thing { object_flags: 0x28, ..PERSON };
    let lite = Thing { object_flags: 0x200_0008, ..PERSON };
    let free = Thing { object_flags: 0x20_0008, ..PERSON };
    assert!(!passes(&CREATURE, &CREATURE));
    assert!(!passes(&PERSON, &CREATURE) && !passes(&CREATURE, &PERSON));
    assert!(passes(&PERSON, &PERSON) && passes(&PERSON, &killer) && passes(&killer, &lite));
    assert!(!passes(&killer, &killer) && !passes(&lite, &lite));
    assert!(!passes(&PERSON, &free) && !passes(&free, &PERSON));
}

/// Who lets things through is touched, and in nobody's way; who is a ghost himself passes too.
#[test]
fn ghosts_are_passed_and_felt() {
    let ghost = Thing { state: SOLID | PhysicsState::ETHEREAL, ..CREATURE };
    let nothing = Thing { state: ghost.state | PhysicsState::IGNORE_COLLISIONS, ..CREATURE };
    for (walker, target, touches) in
        [(&CREATURE, &ghost, 1), (&ghost, &CREATURE, 1), (&CREATURE, &nothing, 0)]
    {
        let scene = walk_into(walker, target);
        assert!(scene.place(REMOTE).y > scene.place(OTHER).y + 1.0);
        assert_eq!(scene.touches(REMOTE, OTHER), touches);
        assert_eq!(scene.touches(OTHER, REMOTE), touches, "both sides are told");
    }
}

/// A touch is told when it begins, once however long it lasts, and when it has not been felt for a second.
#[test]
fn a_touch_is_told_once() {
    let mut scene = in_town();
    let spawn = places().spawn;
    scene.add(REMOTE, &facing(beside(spawn, 0.0, -1.5, 0.0), 0.0), &CREATURE);
    scene.add(OTHER, &spawn, &CREATURE);
    scene.start(REMOTE, MotionCommand::WALK_FORWARD);
    let parted = EventKind::Motion(MotionEvent::Parted(OTHER));
    while scene.touches(REMOTE, OTHER) == 0 && scene.now < 12.0 {
        scene.tick();
    }
    scene.turn(REMOTE, 180.0);
    scene.ticks(25);
    assert_eq!(scene.happened(|what| *what == parted), 0, "less than a second");
    scene.ticks(10);
    assert_eq!(scene.happened(|what| *what == parted), 1);

    // Who pushes on head on gets nowhere, and so feels nothing any more; that is noticed when he gets on again.
    let mut scene = walk_into(&CREATURE, &CREATURE);
    assert_eq!((scene.touches(REMOTE, OTHER), scene.touches(OTHER, REMOTE)), (1, 1));
    assert_eq!(scene.happened(|what| *what == parted), 0);
    scene.turn(REMOTE, 180.0);
    scene.ticks(5);
    assert_eq!(scene.happened(|what| *what == parted), 1);
    assert_eq!(scene.touches(REMOTE, OTHER), 1);
    let quiet = Thing { state: SOLID - PhysicsState::REPORT_COLLISIONS, ..CREATURE };
    let scene = walk_into(&quiet, &CREATURE);
    assert_eq!((scene.touches(REMOTE, OTHER), scene.touches(OTHER, REMOTE)), (0, 1), "who wants to know");
}

/// A missile stops at the wall, and is none from then on; one that meets a creature tells so, and flies past ghosts.
#[test]
fn missiles_stop_at_what_they_hit() {
    let town = places();
    let throw = |scene: &mut Scene, from: CellPosition| {
        scene.add(REMOTE, &beside(from, 0.0, 0.0, 1.5), &MISSILE);
        scene.send(&vector(REMOTE, Vec3::new(0.0, 20.0, 0.0), 1));
        assert!(scene.body(REMOTE).state.contains(PhysicsState::MISSILE));
    };
    let mut scene = in_town();
    throw(&mut scene, beside(town.wall, 0.0, -8.0, 0.0));
    let hit = EventKind::Motion(MotionEvent::HitEnvironment);
    while scene.happened(|what| *what == hit) == 0 && scene.now < 12.0 {
        scene.tick();
    }
    let at = scene.place(REMOTE);
    assert!(at.z > town.wall.frame.origin.z + 0.5, "it has not come down: {at:?}");
    assert!(
        at.y > town.wall.frame.origin.y && at.y < town.wall.frame.origin.y + 2.0,
        "before the wall: {at:?}"
    );
    assert!(!scene.body(REMOTE).state.contains(PhysicsState::MISSILE));

    let mut scene = in_town();
    let ghost = Thing { state: SOLID | PhysicsState::ETHEREAL, ..CREATURE };
    scene.add(GATE, &beside(town.spawn, 0.0, -4.0, 0.0), &ghost);
    scene.add(OTHER, &town.spawn, &CREATURE);
    throw(&mut scene, beside(town.spawn, 0.0, -8.0, 0.0));
    scene.ticks(15);
    assert_eq!((scene.touches(REMOTE, OTHER), scene.touches(REMOTE, GATE)), (1, 0));
    assert!(scene.place(REMOTE).y < scene.place(OTHER).y - 0.9);
    assert!(!scene.body(REMOTE).state.contains(PhysicsState::MISSILE));
}

fn swing(scene: &mut Scene, to: MotionCommand, stamp: u16) {
    let state = InterpretedState { forward_command: Some(to), ..InterpretedState::default() };
    scene.send(&motion(GATE, state, stamp));
}

/// Somebody before a closed door, and the door.
fn at_the_door() -> Scene {
    let mut scene = in_town();
    let town = places();
    scene.add(GATE, &town.door, &DOOR);
    scene.add(PLAYER, &town.doorstep, &PERSON);
    scene.ticks(5);
    scene
}

#[test]
fn a_closed_door_is_a_wall_until_the_server_says_otherwise() {
    let mut scene = at_the_door();
    let town = places();
    assert!(!scene.walk(PLAYER, &town.hall, 60), "closed");
    assert!(scene.place(PLAYER).y < town.door.frame.origin.y);
    let open = DOOR.state | PhysicsState::ETHEREAL;
    scene.send(&of(SetState { guid: GATE, state: open, instance: Stamp(0), state_stamp: Stamp(1) }));
    assert!(!scene.walk(PLAYER, &town.hall, 30), "who pushes straight on does not notice (rule S5)");
    assert!(scene.walk(PLAYER, &beside(town.hall, 0.3, 0.0, 0.0), 90), "open");
}

fn waits(scene: &Scene) -> bool {
    let gate = scene.body(GATE);
    let waits = gate.transient.contains(TransientState::CHECK_ETHEREAL);
    assert!(!waits || gate.state.contains(PhysicsState::ETHEREAL));
    waits
}

/// A door that swings open lets people through, and its leaf goes with it. When it closes, the leaf is solid again as soon as
/// nobody is in it, not before (rule C20).
#[test]
fn a_closing_door_waits_for_who_stands_in_its_leaf() {
    let mut scene = at_the_door();
    let town = places();
    swing(&mut scene, MotionCommand::ON, 1);
    scene.ticks(40);
    assert!(scene.body(GATE).state.contains(PhysicsState::ETHEREAL), "opened by its own animation");
    let in_the_leaf = beside(town.hall, -0.8, -1.3, 0.0);
    scene.walk_all(PLAYER, &[town.door, in_the_leaf]);
    scene.start(PLAYER, MotionCommand::READY);
    swing(&mut scene, MotionCommand::OFF, 2);
    scene.ticks(5);
    assert!(waits(&scene));
    scene.ticks(40);
    assert!(!waits(&scene) && !scene.body(GATE).state.contains(PhysicsState::ETHEREAL), "it has swung past");
    assert!(!scene.walk(PLAYER, &town.doorstep, 90), "and now it is shut");
}

/// The same for one that is closed and was let open by the server's word: it holds nobody who stands in it.
#[test]
fn a_door_holds_nobody() {
    let mut scene = at_the_door();
    let town = places();
    scene.world.act(GATE, scene.now, |actor, around| actor.set_ethereal(true, around));
    assert!(scene.walk(PLAYER, &town.door, 90));
    scene.world.act(GATE, scene.now, |actor, around| actor.set_ethereal(false, around));
    assert!(waits(&scene));
    assert!(scene.walk(PLAYER, &town.hall, 90));
    scene.ticks(2);
    assert!(!waits(&scene));
    assert!(!scene.walk(PLAYER, &town.doorstep, 90));
}

/// Two bodies at one place: the second is put beside the first. Where no sliding is allowed there is no room.
#[test]
fn there_is_room_for_one_at_a_place() {
    let mut scene = in_town();
    let spawn = places().spawn;
    scene.add(REMOTE, &spawn, &CREATURE);
    scene.add(OTHER, &spawn, &CREATURE);
    let apart = (scene.place(REMOTE) - scene.place(OTHER)).length();
    assert!((0.95..2.0).contains(&apart), "{apart}");
    let before = scene.body(OTHER).position;
    let placed = scene.world.act(OTHER, scene.now, |actor, around| actor.set_position(&spawn, false, around));
    assert_eq!(placed, Some(false));
    assert_eq!(scene.body(OTHER).position, before, "it stays");
    let moved = beside(spawn, 5.0, 0.0, 0.0);
    assert_eq!(
        scene.world.act(OTHER, scene.now, |actor, around| actor.set_position(&moved, false, around)),
        Some(true)
    );
    scene.add(Guid(3), &spawn, &PERSON);
    assert!((scene.place(Guid(3)) - scene.place(REMOTE)).length() > 0.9, "also for a player");
    scene.add(Guid(4), &beside(spawn, 0.0, -10.0, 0.0), &PERSON);
    scene.add(Guid(5), &beside(spawn, 0.0, -10.0, 0.0), &PERSON);
    assert!(
        (scene.place(Guid(4)) - scene.place(Guid(5))).length() < 1e-3,
        "players need no room of their own"
    );
}

/// Who is put where there is no land is lost until he is put somewhere else; nobody bumps into him meanwhile.
#[test]
fn the_lost_are_found_again() {
    let mut scene = in_town();
    let spawn = places().spawn;
    scene.add(REMOTE, &spawn, &CREATURE);
    let nowhere = CellPosition::at(CellId(0x1010_0001), Vec3::new(12.0, 12.0, 10.0));
    let teleport = |place: &CellPosition, stamp: u16| {
        position_with(REMOTE, place, stamp, |pack| pack.teleport = Stamp(stamp))
    };
    scene.send(&teleport(&nowhere, 1));
    let body = scene.body(REMOTE);
    assert!(!body.is_in_cell() && body.position.cell == nowhere.cell);
    scene.add(OTHER, &spawn, &CREATURE);
    assert!((scene.place(OTHER) - spawn.frame.origin).length() < 0.01, "its old place is free");
    scene.ticks(10);
    scene.send(&teleport(&beside(spawn, 0.0, 5.0, 0.0), 2));
    scene.ticks(2);
    assert!(scene.body(REMOTE).is_standing());
}

/// What is deleted, picked up or hung on something is in nobody's way any more.
#[test]
fn who_is_gone_is_not_bumped_into() {
    let mut scene = walk_into(&CREATURE, &CREATURE);
    scene.send(&world_support::delete(OTHER, 0));
    scene.turn(REMOTE, 5.0);
    scene.ticks(60);
    assert!(scene.place(REMOTE).y > places().spawn.frame.origin.y + 1.0);
}

/// Numbers that nobody should send: giants and dwarfs, places off the map, speeds beyond measure. The world goes on, and a
/// sound body among them still stands on the ground.
#[test]
fn hostile_bodies_do_no_harm() {
    let mut scene = in_town();
    let spawn = places().spawn;
    scene.add(PLAYER, &beside(spawn, -20.0, 0.0, 0.0), &PERSON);
    let scales = [1e-30, 1e-3, 0.3, 20.0, 1e6, 1e30, f32::MAX];
    let far = [0.0, 1e-20, 191.999, 192.0, -1e4, 9.9e4];
    for (number, scale) in (0..).zip(scales) {
        for (step, shift) in (0..).zip(far) {
            let guid = Guid(0x6000_0000 + number * 16 + step);
            let mut place = spawn;
            place.frame.origin += Vec3::new(shift, shift * 0.5, if step % 2 == 0 { shift } else { 0.1 });
            let thing = [&CREATURE, &DOOR, &MISSILE, &PERSON][(number + step) as usize % 4];
            scene.send(&describe_sized(guid, &place, thing, scale));
            scene.send(&vector(guid, Vec3::new(1e30, -1e30, 40.0), 1));
        }
    }
    for _ in 0..60 {
        scene.tick();
        scene.events.clear();
    }
    let body = scene.body(PLAYER);
    assert!(body.position.frame.origin.is_finite() && body.is_in_cell());
    let all_finite = scene.world.entities().all(|one| one.position().frame.origin.is_finite());
    assert!(all_finite);
}

//! Bodies in the mannequin's town: they walk in at the door, up the stairs and down to the cellar, along walls and off
//! ledges.

mod town_support;
mod world_support;

use acmotion::dat::mannequin::town::places;
use acmotion::types::{CellId, CellPosition, Guid, MotionCommand, Vec3};
use acmotion::world::Settings;
use town_support::*;
use world_support::{PLAYER, REMOTE, Scene, motion, running};

/// In at the door, up to the loft, down again and on to the cellar, each time standing on the floor.
#[test]
fn somebody_walks_through_the_house() {
    let mut scene = in_town();
    let town = places();
    scene.add(PLAYER, &town.doorstep, &PERSON);
    scene.walk_all(PLAYER, &[town.door, town.hall]);
    assert_eq!(scene.body(PLAYER).position.cell, town.hall.cell, "the room is known");
    scene
        .walk_all(PLAYER, &[beside(town.hall, 3.0, -1.1, 0.0), town.stairs_foot, town.stairs_top, town.loft]);
    assert_eq!(scene.body(PLAYER).position.cell, town.loft.cell);
    scene.walk_all(PLAYER, &[town.stairs_top, town.stairs_foot, beside(town.hall, 2.0, -1.1, 0.0)]);
    let below_loft = beside(town.hall, 2.0, 5.7, 0.0);
    scene.walk_all(PLAYER, &[below_loft, town.cellar_stairs_top, town.cellar_stairs_foot, town.cellar]);
    assert_eq!(scene.body(PLAYER).position.cell, town.cellar.cell);
    assert!(scene.body(PLAYER).is_standing());
    scene.walk_all(PLAYER, &[town.cellar_stairs_foot, town.cellar_stairs_top, below_loft, town.hall]);
    scene.walk_all(PLAYER, &[town.door, town.doorstep, town.spawn]);
    assert_eq!(scene.body(PLAYER).position.cell, town.spawn.cell, "out on the land again");
}

/// A wall stops who runs straight into it; who comes at an angle slides along it and around its end.
#[test]
fn a_wall_is_slid_along() {
    let mut scene = in_town();
    let town = places();
    scene.add(PLAYER, &facing(town.wall, 0.0), &PERSON);
    scene.start(PLAYER, MotionCommand::WALK_FORWARD);
    scene.ticks(90);
    let stopped = scene.place(PLAYER);
    assert!((stopped.x - town.wall.frame.origin.x).abs() < 0.01, "straight on: {stopped:?}");
    scene.turn(PLAYER, 60.0);
    scene.ticks(36);
    let slid = scene.place(PLAYER);
    // Head on a step that does not fit is not taken at all, so the way was not closed before.
    assert!(slid.x - stopped.x > 2.0 && slid.y - stopped.y < 0.3, "{stopped:?} to {slid:?}");
    scene.ticks(1);
    assert!((scene.place(PLAYER).y - slid.y).abs() < 1e-3, "along it");
    scene.ticks(110);
    assert!(scene.place(PLAYER).y > stopped.y + 1.0, "past its end: {:?}", scene.place(PLAYER));
}

/// Off the ledge one falls and lands; up the ramp one walks, up the steep one nobody does.
#[test]
fn ledges_are_fallen_from_and_ramps_walked_up() {
    let mut scene = in_town();
    let town = places();
    scene.add(PLAYER, &facing(town.ledge, 180.0), &PERSON);
    // Who slides along edges does not walk off them.
    scene.world.act(PLAYER, scene.now, |actor, _| {
        actor.entity.body.state.remove(acmotion::wire::PhysicsState::EDGE_SLIDE);
    });
    scene.start(PLAYER, MotionCommand::WALK_FORWARD);
    let mut fell = false;
    for _ in 0..90 {
        scene.tick();
        fell |= !scene.body(PLAYER).has_contact();
    }
    let landed = scene.place(PLAYER);
    assert!(
        landed.z - town.ledge_foot.frame.origin.z < 0.01 && scene.body(PLAYER).is_standing(),
        "{landed:?}"
    );
    assert!(fell, "through the air");
    let mut scene = in_town();
    scene.add(PLAYER, &town.ramp_foot, &PERSON);
    assert!(scene.walk(PLAYER, &town.ramp_top, 300));
    scene.add(REMOTE, &town.steep_ramp_foot, &PERSON);
    assert!(!scene.walk(REMOTE, &town.steep_ramp_top, 300), "nobody walks up there");
    assert!(scene.place(REMOTE).z < town.steep_ramp_foot.frame.origin.z + 0.8);
}

/// A remote that the server lets run goes through the doorway in its own time, and not through the wall beside it.
#[test]
fn a_remote_runs_in_at_the_door() {
    let mut scene = in_town();
    let town = places();
    let beside_door = Guid(0x5000_0002);
    scene.add(REMOTE, &town.doorstep, &CREATURE);
    scene.add(beside_door, &beside(town.doorstep, 3.0, 0.0, 0.0), &CREATURE);
    for guid in [REMOTE, beside_door] {
        scene.send(&motion(guid, running(1.0), 1));
    }
    scene.ticks(45);
    assert_eq!(scene.body(REMOTE).position.cell.0 & 0xFFFF, town.hall.cell.0 & 0xFFFF);
    let outside = scene.place(beside_door);
    assert!(scene.body(beside_door).position.cell.is_outdoor(), "{outside:?}");
    assert!(outside.y < town.door.frame.origin.y, "the wall holds: {outside:?}");
    assert_eq!(scene.body(REMOTE).velocity, Vec3::ZERO);
}

/// The island lies in the open sea, which lets nobody in.
#[test]
fn nobody_leaves_the_island() {
    let mut scene = in_town();
    let town = places();
    scene.add(REMOTE, &town.beach, &CREATURE);
    scene.send(&motion(REMOTE, running(4.0), 1));
    scene.ticks(300);
    let body = scene.body(REMOTE);
    assert!(body.is_in_cell() && body.position.cell.block() == 0xA9B4, "{:?}", body.position);
}

/// Every place with a name is one where a body can stand.
#[test]
fn every_place_has_room() {
    for (name, place) in places().all() {
        let mut scene = in_town();
        scene.add(REMOTE, &place, &CREATURE);
        scene.ticks(3);
        let body = scene.body(REMOTE);
        assert!(body.is_standing(), "{name}: {body:?}");
        assert!(body.position.distance_to(&place) < 0.15, "{name}: {:?}", body.position);
    }
}

/// Land that is not there, or cannot be what somebody stands on, is level if one wants it so; otherwise he is lost, or
/// falls.
#[test]
fn unknown_land_is_level_if_wanted() {
    let town = places();
    let beyond = CellPosition::at(CellId(0x1010_0001), Vec3::new(12.0, 12.0, 50.0));
    let above = beside(town.spawn, 0.0, 0.0, 60.0);
    for wanted in [true, false] {
        let settings = Settings { level_where_unknown: wanted, ..town_settings() };
        let mut scene = Scene::with(settings);
        scene.add(REMOTE, &beyond, &CREATURE);
        scene.add(PLAYER, &above, &CREATURE);
        scene.add(Guid(3), &town.wall, &CREATURE);
        for guid in [REMOTE, PLAYER, Guid(3)] {
            scene.send(&motion(guid, running(1.0), 1));
        }
        scene.ticks(45);
        let (lost, high) = (scene.body(REMOTE), scene.body(PLAYER));
        assert_eq!((lost.is_in_cell(), lost.is_standing(), high.is_standing()), (wanted, wanted, wanted));
        let walls_hold = scene.place(Guid(3)).y < town.wall.frame.origin.y + 2.0;
        assert!(walls_hold, "the rest is as ever: {:?}", scene.place(Guid(3)));
        if wanted {
            assert!(lost.position.frame.origin.y > 15.0 && high.position.frame.origin.z > 69.0);
        }
    }
}

/// More of the land comes while the world goes on: who was lost stays so until he is put somewhere, the others walk on, and
/// they still bump into each other.
#[test]
fn a_world_takes_over_more_land() {
    let town = places();
    let mut scene = Scene::new();
    scene.add(REMOTE, &town.wall, &CREATURE);
    scene.send(&motion(REMOTE, running(1.0), 1));
    scene.ticks(5);
    scene.world.set_surroundings(town_settings().surroundings);
    scene.add(PLAYER, &town.wall, &CREATURE);
    scene.send(&motion(PLAYER, running(1.0), 1));
    scene.ticks(45);
    let (first, second) = (scene.place(REMOTE), scene.place(PLAYER));
    assert!(first.y < town.wall.frame.origin.y + 2.0, "the wall is there now: {first:?}");
    assert!((first - second).length() > 0.95, "one beside the other: {second:?}");
}

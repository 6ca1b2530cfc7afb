//! Bodies in the mannequin's town: through the door, up the stairs, down to the cellar, along walls and off ledges.

use crate::town_support;
use crate::world_support;

use acmotion::Settings;
use acmotion::dat::mannequin::town::landmarks;
use acmotion::types::{CellId, CellPosition, Guid, MotionCommand, Vec3};
use town_support::*;
use world_support::{PLAYER, REMOTE, TestWorld, motion, running};

/// In through the door, up to the loft, down to the cellar, and out again.
#[test]
fn a_player_walks_through_the_house() {
    let mut scene = in_town();
    let town = landmarks();
    scene.add(PLAYER, &town.doorstep, &CHARACTER);
    scene.walk_all(PLAYER, &[town.door, town.hall]);
    assert_eq!(scene.body(PLAYER).position.cell, town.hall.cell, "in the hall");
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
    assert_eq!(scene.body(PLAYER).position.cell, town.spawn.cell, "outdoors again");
}

#[test]
fn a_wall_stops_a_body_head_on_and_lets_it_slide_at_an_angle() {
    let mut scene = in_town();
    let town = landmarks();
    scene.add(PLAYER, &facing(town.wall, 0.0), &CHARACTER);
    scene.start(PLAYER, MotionCommand::WALK_FORWARD);
    scene.ticks(90);
    let stopped = scene.origin(PLAYER);
    assert!((stopped.x - town.wall.frame.origin.x).abs() < 0.01, "straight on: {stopped:?}");
    scene.turn(PLAYER, 60.0);
    scene.ticks(36);
    let slid = scene.origin(PLAYER);
    // A step head-on that does not fit is not taken at all, so there was a gap to the wall.
    assert!(slid.x - stopped.x > 2.0 && slid.y - stopped.y < 0.3, "{stopped:?} to {slid:?}");
    scene.ticks(1);
    assert!((scene.origin(PLAYER).y - slid.y).abs() < 1e-3, "along the wall");
    scene.ticks(110);
    assert!(
        scene.origin(PLAYER).y > stopped.y + 1.0,
        "not past the end of the wall: {:?}",
        scene.origin(PLAYER)
    );
}

#[test]
fn a_body_falls_off_a_ledge_and_walks_up_only_gentle_ramps() {
    let mut scene = in_town();
    let town = landmarks();
    scene.add(PLAYER, &facing(town.ledge, 180.0), &CHARACTER);
    // A body with EDGE_SLIDE does not walk off ledges.
    scene.world.act(PLAYER, scene.now, |actor, _| {
        actor.entity.body.state.remove(acmotion::wire::PhysicsState::EDGE_SLIDE);
    });
    scene.start(PLAYER, MotionCommand::WALK_FORWARD);
    let mut fell = false;
    for _ in 0..90 {
        scene.tick();
        fell |= !scene.body(PLAYER).has_contact();
    }
    let landed = scene.origin(PLAYER);
    assert!(
        landed.z - town.ledge_foot.frame.origin.z < 0.01 && scene.body(PLAYER).is_standing(),
        "{landed:?}"
    );
    assert!(fell, "it never lost contact");
    let mut scene = in_town();
    scene.add(PLAYER, &town.ramp_foot, &CHARACTER);
    assert!(scene.walk(PLAYER, &town.ramp_top, 300));
    scene.add(REMOTE, &town.steep_ramp_foot, &CHARACTER);
    assert!(!scene.walk(REMOTE, &town.steep_ramp_top, 300), "too steep");
    assert!(scene.origin(REMOTE).z < town.steep_ramp_foot.frame.origin.z + 0.8);
}

#[test]
fn a_remote_runs_through_the_doorway_but_not_through_the_wall_beside_it() {
    let mut scene = in_town();
    let town = landmarks();
    let beside_door = Guid(0x5000_0002);
    scene.add(REMOTE, &town.doorstep, &CREATURE);
    scene.add(beside_door, &beside(town.doorstep, 3.0, 0.0, 0.0), &CREATURE);
    for guid in [REMOTE, beside_door] {
        scene.send(&motion(guid, running(1.0), 1));
    }
    scene.ticks(45);
    assert_eq!(scene.body(REMOTE).position.cell.0 & 0xFFFF, town.hall.cell.0 & 0xFFFF);
    let outside = scene.origin(beside_door);
    assert!(scene.body(beside_door).position.cell.is_outdoor(), "{outside:?}");
    assert!(outside.y < town.door.frame.origin.y, "through the wall: {outside:?}");
    assert_eq!(scene.body(REMOTE).velocity, Vec3::ZERO);
}

#[test]
fn the_open_sea_around_the_island_cannot_be_entered() {
    let mut scene = in_town();
    let town = landmarks();
    scene.add(REMOTE, &town.beach, &CREATURE);
    scene.send(&motion(REMOTE, running(4.0), 1));
    scene.ticks(300);
    let body = scene.body(REMOTE);
    assert!(body.is_in_cell() && body.position.cell.block() == 0xA9B4, "{:?}", body.position);
}

#[test]
fn a_body_can_stand_at_every_named_position() {
    for (name, position) in landmarks().iter() {
        let mut scene = in_town();
        scene.add(REMOTE, &position, &CREATURE);
        scene.ticks(3);
        let body = scene.body(REMOTE);
        assert!(body.is_standing(), "{name}: {body:?}");
        assert!(body.position.distance_to(&position) < 0.15, "{name}: {:?}", body.position);
    }
}

/// Also land that cannot be what a body stands on. Otherwise the body is lost, or falls.
#[test]
fn unknown_land_is_level_if_the_setting_is_on() {
    let town = landmarks();
    let beyond = CellPosition::at(CellId(0x1010_0001), Vec3::new(12.0, 12.0, 50.0));
    let above = beside(town.spawn, 0.0, 0.0, 60.0);
    for level in [true, false] {
        let settings = Settings { level_where_unknown: level, ..town_settings() };
        let mut scene = TestWorld::with(settings);
        scene.add(REMOTE, &beyond, &CREATURE);
        scene.add(PLAYER, &above, &CREATURE);
        scene.add(Guid(3), &town.wall, &CREATURE);
        for guid in [REMOTE, PLAYER, Guid(3)] {
            scene.send(&motion(guid, running(1.0), 1));
        }
        scene.ticks(45);
        let (lost, high) = (scene.body(REMOTE), scene.body(PLAYER));
        assert_eq!((lost.is_in_cell(), lost.is_standing(), high.is_standing()), (level, level, level));
        let is_stopped = scene.origin(Guid(3)).y < town.wall.frame.origin.y + 2.0;
        assert!(is_stopped, "through a known wall: {:?}", scene.origin(Guid(3)));
        if level {
            assert!(lost.position.frame.origin.y > 15.0 && high.position.frame.origin.z > 69.0);
        }
    }
}

/// Bodies collide with the new surroundings and with each other.
#[test]
fn surroundings_can_be_replaced_while_bodies_move() {
    let town = landmarks();
    let mut scene = TestWorld::new();
    scene.add(REMOTE, &town.wall, &CREATURE);
    scene.send(&motion(REMOTE, running(1.0), 1));
    scene.ticks(5);
    scene.world.set_surroundings(town_settings().surroundings);
    scene.add(PLAYER, &town.wall, &CREATURE);
    scene.send(&motion(PLAYER, running(1.0), 1));
    scene.ticks(45);
    let (first, second) = (scene.origin(REMOTE), scene.origin(PLAYER));
    assert!(first.y < town.wall.frame.origin.y + 2.0, "through the wall: {first:?}");
    assert!((first - second).length() > 0.95, "they overlap: {second:?}");
}

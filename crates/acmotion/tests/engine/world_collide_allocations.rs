//! A steady tick in the town allocates nothing, with bodies that walk and collide and a door that closes.

use crate::town_support;
use crate::world_support;

use acmotion::components::TransientState;
use acmotion::dat::mannequin::town::landmarks;
use acmotion::types::{Guid, MotionCommand};
use acmotion::wire::PhysicsState;
use town_support::*;
use world_support::{TICK, TestWorld};

const WALKERS: u32 = 60;
const DOOR_GUID: Guid = Guid(1);
const DOORKEEPER: Guid = Guid(0x100);

/// Every walker walks in a circle of its own, through the town and the house and into others. The door waits to become
/// solid, because the doorkeeper stands in it.
fn town_life() -> TestWorld {
    let mut scene = in_town();
    let town = landmarks();
    scene.add(DOORKEEPER, &town.door, &CHARACTER);
    scene.add(DOOR_GUID, &town.door, &ObjectKind { state: DOOR.state | PhysicsState::ETHEREAL, ..DOOR });
    scene.world.act(DOOR_GUID, scene.now, |actor, around| actor.set_ethereal(false, around));
    for number in 0..WALKERS {
        let centre = [town.spawn, town.hall, town.ramp_foot, town.outdoor_stairs_foot][number as usize % 4];
        let kind = if number % 3 == 0 { CHARACTER } else { CREATURE };
        scene.add(Guid(2 + number), &centre, &kind);
        scene.start(Guid(2 + number), MotionCommand::WALK_FORWARD);
    }
    scene
}

fn run(scene: &mut TestWorld, ticks: u32) {
    for tick in 0..ticks {
        for number in 0..WALKERS {
            let heading = ((tick / 10 + number * 7) * 24 % 360) as f32;
            scene.turn(Guid(2 + number), heading);
        }
        scene.now += TICK;
        scene.world.tick(scene.now);
        scene.world.drain_events().for_each(drop);
    }
}

#[test]
fn a_steady_town_allocates_nothing() {
    let mut scene = town_life();
    // Long enough for every walker to have collided once.
    run(&mut scene, 2400);
    let before = scene.origin(Guid(2));
    let allocations = allocation_counter::measure(|| run(&mut scene, 300));
    assert_eq!(allocations.count_total, 0);
    assert_ne!(scene.origin(Guid(2)), before, "the walkers move");
    assert!(scene.body(DOOR_GUID).transient.contains(TransientState::CHECK_ETHEREAL), "the door still waits");
}

/// A body that is explained has a record. The others, and that one afterwards, allocate nothing.
#[test]
fn only_what_is_explained_allocates() {
    let mut scene = town_life();
    run(&mut scene, 2400);
    let mut allocations = |explained: bool| {
        let explain_and_run = || {
            assert!(scene.world.explain(Guid(2), explained));
            run(&mut scene, 300);
        };
        allocation_counter::measure(explain_and_run).count_total
    };
    assert!(allocations(true) > 0);
    assert_eq!(allocations(false), 0);
}

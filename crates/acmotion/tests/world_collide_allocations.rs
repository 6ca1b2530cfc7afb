//! A steady tick in the town allocates nothing, whoever walks, bumps and opens doors there.

mod town_support;
mod world_support;

use acmotion::body::TransientState;
use acmotion::dat::mannequin::town::places;
use acmotion::types::{Guid, MotionCommand};
use acmotion::wire::PhysicsState;
use town_support::*;
use world_support::{Scene, TICK};

const WALKERS: u32 = 60;
const GATE: Guid = Guid(1);
const DOORKEEPER: Guid = Guid(0x100);

/// Everybody walks in a circle of his own, through the town and the house and into each other; the door waits for somebody
/// who stands in it to go away.
fn town_life() -> Scene {
    let mut scene = in_town();
    let town = places();
    scene.add(DOORKEEPER, &town.door, &PERSON);
    scene.add(GATE, &town.door, &Thing { state: DOOR.state | PhysicsState::ETHEREAL, ..DOOR });
    scene.world.act(GATE, scene.now, |actor, around| actor.set_ethereal(false, around));
    for number in 0..WALKERS {
        let around = [town.spawn, town.hall, town.ramp_foot, town.outdoor_stairs_foot][number as usize % 4];
        let thing = if number % 3 == 0 { PERSON } else { CREATURE };
        scene.add(Guid(2 + number), &around, &thing);
        scene.start(Guid(2 + number), MotionCommand::WALK_FORWARD);
    }
    scene
}

fn run(scene: &mut Scene, ticks: u32) {
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
    // Until everybody has run into somebody once.
    run(&mut scene, 2400);
    let before = scene.place(Guid(2));
    let asked = allocation_counter::measure(|| run(&mut scene, 300));
    assert_eq!(asked.count_total, 0);
    assert_ne!(scene.place(Guid(2)), before, "they walk");
    assert!(scene.body(GATE).transient.contains(TransientState::CHECK_ETHEREAL), "the door still waits");
}

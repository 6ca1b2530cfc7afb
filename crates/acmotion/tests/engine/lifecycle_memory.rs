//! 10,000 spawns and despawns leave memory where it was.

use crate::town_support;
use crate::world_support;

use acmotion::EntitySpec;
use acmotion::dat::mannequin;
use acmotion::dat::mannequin::town::landmarks;
use acmotion::effects::ScriptType;
use acmotion::types::{CellPosition, Guid};
use acmotion::wire::PhysicsState;
use town_support::{beside, in_town};
use world_support::*;

/// The number of entities that exist at the same time: creatures with swords, and static objects.
const AT_ONCE: u32 = 50;
/// Creatures, swords and static objects in each of these rounds: 10,000 entities and a few.
const ROUNDS: u32 = 67;

/// Spawns creatures with swords, static objects and objects that find no room, lets them live for some ticks, and removes
/// them all.
fn round(scene: &mut TestWorld, number: u32, start: &CellPosition) {
    let mut ids = Vec::new();
    for index in 0..AT_ONCE {
        let position = beside(*start, 1.2 * (index % 7) as f32, 1.2 * (index / 7) as f32, 0.0);
        let guid = Guid(0x5000_0000 + number * 1000 + index);
        let sword = Guid(guid.0 + 0x1000_0000);
        let lamp = Guid(guid.0 + 0x2000_0000);
        ids.push(scene.world.spawn(&EntitySpec::new(guid, position), scene.now).unwrap());
        let item = EntitySpec { placement: 1, ..EntitySpec::item(sword, mannequin::SWORD_SETUP) };
        ids.push(scene.world.spawn(&item.held_by(guid, 1), scene.now).unwrap());
        let fixed = EntitySpec {
            state: PhysicsState::STATIC | PhysicsState::ETHEREAL,
            translucency: Some(0.5),
            default_script: Some((ScriptType(1), 1.0)),
            ..EntitySpec::new(lamp, position)
        };
        ids.push(scene.world.spawn(&fixed, scene.now).unwrap());
        let refused = EntitySpec::item(Guid(1), mannequin::SWORD_SETUP).held_by(Guid(2), 1);
        assert!(scene.world.spawn(&refused, scene.now).is_err());
    }
    for _ in 0..3 {
        scene.now += TICK;
        scene.world.tick(scene.now);
        scene.world.drain_events().for_each(drop);
    }
    for id in ids {
        assert!(scene.world.despawn(id, scene.now));
    }
    scene.world.drain_events().for_each(drop);
    assert_eq!(scene.world.entities().len(), 0);
}

fn assert_no_growth(mut scene: TestWorld, start: &CellPosition) {
    // Caches, free lists and buffers grow to their size once.
    for number in 0..2 {
        round(&mut scene, number, start);
    }
    let mut spawned = 0;
    let memory = allocation_counter::measure(|| {
        for number in 2..2 + ROUNDS {
            round(&mut scene, number, start);
            spawned += 3 * AT_ONCE;
        }
    });
    assert!(spawned >= 10_000);
    println!("{spawned} entities, {} bytes and {} blocks more", memory.bytes_current, memory.count_current);
    assert_eq!((memory.bytes_current, memory.count_current), (0, 0));
}

#[test]
fn ten_thousand_lives_on_level_ground_leave_no_memory_behind() {
    assert_no_growth(TestWorld::new(), &at(50.0, 50.0));
}

#[test]
fn ten_thousand_lives_in_the_town_leave_no_memory_behind() {
    assert_no_growth(in_town(), &landmarks().spawn);
}

/// Without a tick in between, too: nothing waits for one.
#[test]
fn lives_without_a_tick_leave_no_memory_behind() {
    let mut scene = TestWorld::new();
    let lamp = |number: u32| EntitySpec {
        state: PhysicsState::STATIC,
        default_script: Some((ScriptType(1), 1.0)),
        ..EntitySpec::new(Guid(1 + number), at(50.0, 50.0))
    };
    let mut live = |numbers: std::ops::Range<u32>| {
        for number in numbers {
            let id = scene.world.spawn(&lamp(number), scene.now).unwrap();
            scene.world.despawn(id, scene.now);
            scene.world.drain_events().for_each(drop);
        }
    };
    live(0..10);
    let memory = allocation_counter::measure(|| live(10..10_010));
    assert_eq!((memory.bytes_current, memory.count_current), (0, 0));
}

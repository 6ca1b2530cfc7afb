//! Many cores give the same bits as one also where bodies bump into each other.

mod town_support;
mod world_support;

use acmotion::World;
use acmotion::dat::Assets;
use acmotion::dat::mannequin::town::places;
use acmotion::types::{CellPosition, Guid, Vec3};
use acmotion::world::Event;
use town_support::*;
use world_support::{TICK, motion, position, running};

const CROWD: u32 = 300;

fn guid(number: u32) -> Guid {
    Guid(0x5000_0100 + number)
}

/// On the town's level ground, closer and closer together; some by themselves on the hill.
fn place(number: u32) -> CellPosition {
    let town = places();
    if number % 10 == 9 {
        let (x, y) = ((number / 100) as f32 * 14.0, (number / 10 % 10) as f32 * 14.0);
        let mut place = beside(town.hill_top, x - 60.0, y - 60.0, 0.0);
        place.frame.origin.z = 40.0;
        return place;
    }
    let (x, y) = ((number % 20) as f32 * 2.2, (number / 20) as f32 * 2.2);
    facing(beside(town.spawn, x - 60.0, y - 30.0, 0.0), (number * 37 % 360) as f32)
}

/// A crowd in the town that runs to and fro, is reported here and there, and cannot help bumping into each other.
fn play(tick: fn(&mut World, f64) -> bool) -> (Vec<[u32; 8]>, Vec<Event>) {
    let mut world = World::with_settings(Assets::mannequin(), town_settings());
    let (mut now, mut events) = (10.0, Vec::new());
    for number in 0..CROWD {
        let thing = if number % 3 == 0 { PERSON } else { CREATURE };
        world.receive(&describe(guid(number), &place(number), &thing), now).unwrap();
        world.receive(&motion(guid(number), running(1.0), 1), now).unwrap();
    }
    for step in 0..120u32 {
        now += TICK;
        assert!(tick(&mut world, now));
        for number in (step % 4 * 3..CROWD).step_by(40) {
            let stamp = step as u16 + 2;
            let message = match (step + number) % 3 {
                0 | 1 => motion(guid(number), running(1.5), stamp),
                _ => position(guid(number), &beside(place(number), 1.0, 2.0, 0.0), stamp),
            };
            world.receive(&message, now).unwrap();
        }
        events.extend(world.drain_events());
    }
    let bits = world.entities().map(|resident| {
        let CellPosition { cell, frame } = resident.position();
        let (Vec3 { x, y, z }, q) = (frame.origin, frame.rotation);
        let [x, y, z, w, qx, qy, qz] = [x, y, z, q.w, q.x, q.y, q.z].map(f32::to_bits);
        [cell.0, x, y, z, w, qx, qy, qz]
    });
    (bits.collect(), events)
}

#[test]
fn many_cores_give_the_same_bits_in_a_crowd() {
    let (alone, alone_events) = play(World::tick);
    let touches = alone_events.iter().filter(|event| format!("{:?}", event.kind).contains("Touched")).count();
    assert!(touches > 100, "they do bump: {touches}");
    for threads in [1, 2, 5] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let (together, together_events) = pool.install(|| play(World::tick_parallel));
        assert_eq!(together, alone, "{threads} threads");
        assert_eq!(together_events, alone_events, "{threads} threads");
    }
}

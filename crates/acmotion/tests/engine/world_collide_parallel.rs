//! The parallel tick gives the same bits as the serial one where bodies collide.

use crate::town_support;
use crate::world_support;

use acmotion::dat::Assets;
use acmotion::dat::mannequin::town::landmarks;
use acmotion::types::{CellPosition, Guid, Vec3};
use acmotion::{Event, EventKind, MotionEvent, World};
use town_support::*;
use world_support::{TICK, motion, position, running};

const CROWD: u32 = 300;

fn guid(number: u32) -> Guid {
    Guid(0x5000_0100 + number)
}

/// Close together on the town's level ground; every tenth farther apart on the hill.
fn start(number: u32) -> CellPosition {
    let town = landmarks();
    if number % 10 == 9 {
        let (x, y) = ((number / 100) as f32 * 14.0, (number / 10 % 10) as f32 * 14.0);
        let mut position = beside(town.hill_top, x - 60.0, y - 60.0, 0.0);
        position.frame.origin.z = 40.0;
        return position;
    }
    let (x, y) = ((number % 20) as f32 * 2.2, (number / 20) as f32 * 2.2);
    facing(beside(town.spawn, x - 60.0, y - 30.0, 0.0), (number * 37 % 360) as f32)
}

/// On the hill, 14 m apart, but every fifteenth 0.8 m beside another: few enough of them depend on each other that the
/// tick uses several cores.
fn start_apart(number: u32) -> CellPosition {
    let (pair, beside_other) = if number % 15 == 14 { (number - 1, 0.8) } else { (number, 0.0) };
    let (x, y) = ((pair % 9) as f32 * 14.0, (pair / 9 % 9) as f32 * 14.0);
    let mut position = beside(landmarks().hill_top, x - 60.0 + beside_other, y - 60.0, 0.0);
    position.frame.origin.z = 40.0;
    facing(position, (number * 37 % 360) as f32)
}

/// A crowd in the town that runs, is reported at positions beside its start, and collides. Returns the final positions as
/// bits, and all events.
fn play(
    tick: fn(&mut World, f64) -> bool,
    count: u32,
    start: fn(u32) -> CellPosition,
) -> (Vec<[u32; 8]>, Vec<Event>) {
    let mut world = World::with_settings(Assets::mannequin(), town_settings());
    let (mut now, mut events) = (10.0, Vec::new());
    for number in 0..count {
        let kind = if number % 3 == 0 { CHARACTER } else { CREATURE };
        world.receive(&describe(guid(number), &start(number), &kind), now).unwrap();
        world.receive(&motion(guid(number), running(1.0), 1), now).unwrap();
    }
    for step in 0..120u32 {
        now += TICK;
        assert!(tick(&mut world, now));
        for number in (step % 4 * 3..count).step_by(40) {
            let stamp = step as u16 + 2;
            let message = match (step + number) % 3 {
                0 | 1 => motion(guid(number), running(1.5), stamp),
                _ => position(guid(number), &beside(start(number), 1.0, 2.0, 0.0), stamp),
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

/// Compares the parallel tick with the serial one, in which there must be some touches.
fn assert_same_bits(count: u32, start: fn(u32) -> CellPosition, min_touches: usize) {
    let (serial, serial_events) = play(World::tick, count, start);
    let is_touch = |event: &&Event| matches!(event.kind, EventKind::Motion(MotionEvent::Touched(_)));
    let touches = serial_events.iter().filter(is_touch).count();
    assert!(touches > min_touches, "only {touches} touches");
    for threads in [1, 2, 5] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let (parallel, parallel_events) = pool.install(|| play(World::tick_parallel, count, start));
        assert_eq!(parallel, serial, "{threads} threads");
        assert_eq!(parallel_events, serial_events, "{threads} threads");
    }
}

#[test]
fn the_parallel_tick_gives_the_same_bits_in_a_crowd() {
    assert_same_bits(CROWD, start, 100);
}

#[test]
fn the_parallel_tick_gives_the_same_bits_where_most_are_apart() {
    assert_same_bits(81, start_apart, 1);
}

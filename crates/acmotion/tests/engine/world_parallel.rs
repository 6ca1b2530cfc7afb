//! The parallel tick gives the same bits as the serial one, and the same events in the same order.

use crate::world_support;

use acmotion::dat::Assets;
use acmotion::types::{Guid, MotionCommand, Stamp};
use acmotion::wire::{
    MotionFlags, MoveFlags, MoveToParams, Movement, MovementBody, MovementData, ObjectStamps, Origin, Pad,
    UpdateMotion, WireBool,
};
use acmotion::{Event, Settings, World};
use world_support::{CELL, TICK, at, create, encode, held_item, motion, position, running};

const CROWD: u32 = 700;

fn guid(number: u32) -> Guid {
    Guid(0x5000_0100 + number)
}

/// The sword in the hand of every tenth body.
fn sword(number: u32) -> Guid {
    Guid(0x8000_0100 + number)
}

fn chase(number: u32, target: Guid, sticky: bool, stamp: u16) -> Vec<u8> {
    let mut params = MoveToParams::default();
    params.flags.set(MoveFlags::STICKY, sticky);
    encode(UpdateMotion {
        guid: guid(number),
        instance: Stamp(0),
        data: MovementData {
            movement_stamp: Stamp(stamp),
            server_control: Stamp(stamp),
            autonomous: WireBool::from(false),
            pad: Pad::ZERO,
            movement: Movement {
                flags: MotionFlags::empty(),
                style: MotionCommand::NON_COMBAT,
                body: MovementBody::MoveToObject {
                    target,
                    origin: Origin { cell: CELL, point: at(96.0, 96.0).frame.origin },
                    params,
                    run_rate: 1.5,
                },
            },
        },
    })
}

/// A crowd that runs and is reported, in which some hold swords and some chase others or their swords. Returns the
/// final frames as bits, and all events.
fn play(tick: fn(&mut World, f64) -> bool) -> (Vec<[u32; 7]>, Vec<Event>) {
    let mut world = World::with_settings(Assets::mannequin(), Settings::default());
    let (mut now, mut events) = (10.0, Vec::new());
    for number in 0..CROWD {
        let (x, y) = ((number % 30) as f32 * 6.0, (number / 30) as f32 * 6.0);
        world.receive(&create(guid(number), &at(x, y), ObjectStamps::default(), None), now).unwrap();
    }
    for number in (0..CROWD).step_by(10) {
        world.receive(&held_item(sword(number), guid(number)), now).unwrap();
    }
    for step in 0..150u32 {
        now += TICK;
        assert!(tick(&mut world, now));
        let number = (step * 37) % CROWD;
        let stamp = step as u16 + 1;
        let message = match step % 7 {
            0 if step % 3 == 0 => chase(number, sword(number / 10 * 10), step % 2 == 0, stamp),
            0 => chase(number, guid((number * 13 + 5) % CROWD), step % 2 == 0, stamp),
            1..=4 => motion(guid(number), running(1.5), stamp),
            _ => position(guid(number), &at((step % 90) as f32, 50.0), stamp),
        };
        world.receive(&message, now).unwrap();
        events.extend(world.drain_events());
    }
    let bits = world.entities().map(|resident| {
        let frame = resident.position().frame;
        let (o, q) = (frame.origin, frame.rotation);
        [o.x, o.y, o.z, q.w, q.x, q.y, q.z].map(f32::to_bits)
    });
    (bits.collect(), events)
}

#[test]
fn the_parallel_tick_gives_the_same_bits_and_events() {
    let (serial, serial_events) = play(World::tick);
    assert!(serial_events.len() > 200, "only {} events", serial_events.len());
    for threads in [1, 2, 5] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let (parallel, parallel_events) = pool.install(|| play(World::tick_parallel));
        assert_eq!(parallel, serial, "{threads} threads");
        assert_eq!(parallel_events, serial_events, "{threads} threads");
    }
}

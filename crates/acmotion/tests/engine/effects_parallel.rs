//! The parallel tick gives the same bits as the serial one where bodies change their size and static objects are animated.

use crate::town_support;
use crate::world_support;

use acmotion::Event;
use acmotion::World;
use acmotion::dat::mannequin::town::landmarks;
use acmotion::dat::{
    Animation, AnimationFrame, Assets, BlockSize, Dat, DatWriter, DataId, DataSet, Hook, HookDirection,
    HookEffect, PhysicsScript, ScriptHook, Setup, Sphere,
};
use acmotion::types::{CellPosition, Frame, Guid, Vec3};
use acmotion::wire::{PhysicsDesc, PhysicsState, PlayScriptId, WeenieDesc};
use town_support::*;
use world_support::{TICK, encode, motion, running};

const CROWD: u32 = 36;
const GROW: DataId = DataId(0x3300_F001);
const MILL: DataId = DataId(0x0200_F001);
const BALLOON: DataId = DataId(0x0200_F002);

fn guid(number: u32) -> Guid {
    Guid(0x5000_0100 + number)
}

fn hook(effect: HookEffect) -> Hook {
    Hook { direction: HookDirection::BOTH, effect }
}

/// A script that makes a body nine hundred times as large within three ticks, a mill, and a balloon that a hook of its
/// animation makes as large at once.
fn assets() -> Assets {
    let mut writer = DatWriter::new(BlockSize::Large, DataSet::Portal);
    let grow = ScriptHook { start: 0.0, hook: hook(HookEffect::Scale { end: 900.0, time: 0.08 }) };
    writer.add_object(&PhysicsScript { id: GROW, hooks: vec![grow] });
    let frame = AnimationFrame {
        parts: vec![Frame::IDENTITY],
        hooks: vec![hook(HookEffect::SoundTable(1)), hook(HookEffect::SetOmega(Vec3::new(0.0, 0.0, 0.1)))],
    };
    writer.add_object(&Animation::new(DataId(0x0300_F001), None, vec![frame; 10]));
    let parts = vec![DataId(0x0100_F001)];
    let mill = Setup { id: MILL, parts, default_animation: DataId(0x0300_F001), ..Setup::default() };
    let mut frames = vec![AnimationFrame { parts: vec![Frame::IDENTITY], hooks: Vec::new() }; 100];
    frames[3].hooks.push(hook(HookEffect::Scale { end: 900.0, time: 0.0 }));
    writer.add_object(&Animation::new(DataId(0x0300_F002), None, frames));
    let spheres = vec![Sphere { origin: Vec3::new(0.0, 0.0, 0.5), radius: 0.5 }];
    writer.add_object(&Setup {
        id: BALLOON,
        default_animation: DataId(0x0300_F002),
        spheres,
        ..mill.clone()
    });
    writer.add_object(&mill);
    Assets::new(Dat::from_bytes(writer.finish().unwrap()).unwrap())
}

/// So far apart that bodies of ordinary size cannot meet in a tick.
fn start(number: u32) -> CellPosition {
    let (x, y) = ((number % 6) as f32 * 14.0, (number / 6) as f32 * 14.0);
    facing(beside(landmarks().spawn, x - 60.0, y - 30.0, 0.0), (number * 37 % 360) as f32)
}

fn object(number: u32, setup: DataId, state: PhysicsState) -> Vec<u8> {
    let mut weenie = Vec::new();
    WeenieDesc::encode_typed(b"Mill", 1, 0x80, 0, &mut weenie);
    world_support::describe(Guid(0x7000_0000 + number), WeenieDesc::decode(&weenie).unwrap(), |physics| {
        *physics = PhysicsDesc {
            state,
            setup: Some(setup.0),
            position: Some(beside(start(number % 1000), 2.0, 2.0, 0.0)),
            ..PhysicsDesc::default()
        };
    })
}

/// Returns positions and scales after every tick as bits, and all events.
fn play(tick: fn(&mut World, f64) -> bool, balloons: bool) -> (Vec<[u32; 9]>, Vec<Event>) {
    let mut world = World::with_settings(assets(), town_settings());
    let (mut now, mut events, mut bits) = (10.0, Vec::new(), Vec::new());
    for number in 0..CROWD {
        world.receive(&describe(guid(number), &start(number), &CREATURE), now).unwrap();
        world.receive(&motion(guid(number), running(1.0), 1), now).unwrap();
        world.receive(&object(number, MILL, PhysicsState::STATIC), now).unwrap();
        if balloons && number % 10 == 5 {
            world.receive(&object(1000 + number, BALLOON, SOLID), now).unwrap();
        }
    }
    for step in 0..40u32 {
        now += TICK;
        assert!(tick(&mut world, now));
        if step == 10 && !balloons {
            for number in (0..CROWD).step_by(9) {
                world.receive(&encode(PlayScriptId { guid: guid(number), script: GROW.0 }), now).unwrap();
            }
        }
        events.extend(world.drain_events());
        bits.extend(world.entities().map(|resident| {
            let CellPosition { cell, frame } = resident.position();
            let (Vec3 { x, y, z }, q) = (frame.origin, frame.rotation);
            let [x, y, z, w, qx, qy, qz, scale] =
                [x, y, z, q.w, q.x, q.y, q.z, resident.body().scale].map(f32::to_bits);
            [cell.0, x, y, z, w, qx, qy, qz, scale]
        }));
    }
    (bits, events)
}

#[test]
fn growing_bodies_and_static_objects_move_the_same_in_parallel() {
    for balloons in [false, true] {
        let (serial, serial_events) = play(World::tick, balloons);
        assert!(serial.iter().any(|bits| bits[8] == 900.0_f32.to_bits()), "some have grown");
        let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
        let (parallel, parallel_events) = pool.install(|| play(World::tick_parallel, balloons));
        assert!(parallel == serial, "the positions differ");
        assert!(parallel_events == serial_events, "the events differ");
    }
}

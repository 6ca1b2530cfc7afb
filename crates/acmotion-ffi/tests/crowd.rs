//! A crowd of remotes whose state after 300 ticks is known to the byte. The programs in C and C# make the same world through
//! the interface and compare its digest with the same file, `bindings/crowd.digest`. Here the engine makes it, without the
//! interface; `ACMOTION_WRITE_BINDINGS=1` writes the file.

use std::path::Path;

use acmotion::components::Order;
use acmotion::dat::Assets;
use acmotion::types::{CellId, CellPosition, Guid, MotionCommand, Stamp, Vec3};
use acmotion::wire::{
    InterpretedState, MotionFlags, Movement, MovementBody, MovementData, Pad, PositionPack, S2C,
    UpdateMotion, UpdatePosition, VectorUpdate, WireBool,
};
use acmotion::{EntitySpec, World};

const COUNT: u32 = 40;
const TICKS: u32 = 300;
/// A little more than a thirtieth of a second, so that the physics gate opens at each tick.
const TICK: f64 = 0.033_334;

fn guid(number: u32) -> Guid {
    Guid(0x5000_0100 + number)
}

fn start(number: u32) -> CellPosition {
    let origin = Vec3::new(20.0 + 6.0 * (number % 8) as f32, 20.0 + 5.0 * (number / 8) as f32, 94.0);
    let mut position = CellPosition::at(CellId(0xA9B4_0001), origin);
    position.frame.set_heading((number * 67 % 360) as f32);
    position
}

fn receive<'a>(world: &mut World, message: impl Into<S2C<'a>>, now: f64) {
    let mut bytes = Vec::new();
    message.into().encode(&mut bytes);
    world.receive(&bytes, now).unwrap();
}

/// What the server says of one remote, once a second.
fn report(world: &mut World, number: u32, second: u16, now: f64) {
    let (guid, stamp) = (guid(number), Stamp(1 + second));
    if number % 5 != 4 {
        let mut position = start(number);
        position.frame.origin.x += 0.7 * f32::from(second);
        position.frame.origin.y += 0.35 * f32::from(second);
        let pack = PositionPack { position_stamp: stamp, ..PositionPack::grounded(position) };
        receive(world, UpdatePosition { guid, pack }, now);
    }
    let sidesteps = number % 3 == 1;
    let state = InterpretedState {
        forward_command: (!sidesteps).then_some(MotionCommand::RUN_FORWARD),
        forward_speed: Some(0.5 + number as f32 / 64.0),
        sidestep_command: sidesteps.then_some(MotionCommand::SIDE_STEP_RIGHT),
        turn_command: (number % 4 == 1).then_some(MotionCommand::TURN_RIGHT),
        ..InterpretedState::default()
    };
    let body = MovementBody::Interpreted { state, sticky: None };
    let data = MovementData {
        movement_stamp: stamp,
        server_control: Stamp(0),
        autonomous: WireBool(0),
        pad: Pad::ZERO,
        movement: Movement { flags: MotionFlags::empty(), style: MotionCommand::NON_COMBAT, body },
    };
    receive(world, UpdateMotion { guid, instance: Stamp(0), data }, now);
    if number % 7 == 3 {
        let velocity = Vec3::new(1.5, 3.0, 8.0);
        let message = VectorUpdate { guid, velocity, omega: Vec3::ZERO, instance: Stamp(0), vector: stamp };
        receive(world, message, now);
    }
}

#[test]
fn the_crowd_is_the_same_in_every_language() {
    let mut world = World::new(Assets::mannequin());
    for number in 0..COUNT {
        world.spawn(&EntitySpec::new(guid(number), start(number)), 10.0).unwrap();
    }
    for tick in 0..TICKS {
        let now = 10.0 + f64::from(tick) * TICK;
        for number in (tick % 30..COUNT).step_by(30) {
            report(&mut world, number, (tick / 30) as u16, now);
        }
        if tick == 100 {
            let id = world.id_of(guid(2)).unwrap();
            world.order(id, &Order::chase(guid(9)), now).unwrap();
        }
        world.tick(now);
        world.drain_events().for_each(drop);
    }
    let snapshot = world.snapshot();
    let hash = snapshot.iter().fold(0xCBF2_9CE4_8422_2325, |hash: u64, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01B3)
    });
    let digest = format!("{} {hash:016x}\n", snapshot.len());
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bindings/crowd.digest");
    if std::env::var_os("ACMOTION_WRITE_BINDINGS").is_some() {
        std::fs::write(path, digest).unwrap();
    } else {
        assert_eq!(std::fs::read_to_string(path).unwrap(), digest);
    }
}

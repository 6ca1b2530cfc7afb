//! A crowd on level ground.

use acmotion::dat::Assets;
use acmotion::types::{CellId, CellPosition, Guid, MotionCommand, Vec3};
use acmotion::{EntitySpec, World};

use crate::Story;
use crate::messages::{motion, move_to_object, position, running, velocity};

const COUNT: u32 = 150;
const CELL: CellId = CellId(0xA9B4_0001);

fn guid(number: u32) -> Guid {
    Guid(0x5000_0100 + number)
}

fn at(x: f32, y: f32) -> CellPosition {
    let position = CellPosition::at(CELL, Vec3::new(x, y, 94.0));
    position.adjusted_to_outside().unwrap_or(position)
}

/// Returns a crowd that is reported and changes its motion once a second. Some jump, some sidestep and turn, and some chase
/// and stick to others. It does nothing but receive messages, as the npm package can as well, whose tests run it too.
pub(crate) fn story() -> Story {
    let mut world = World::new(Assets::mannequin());
    for number in 0..COUNT {
        // Every guid and position is valid; an entity that is missing changes the digest.
        let _ = world.spawn(&EntitySpec::new(guid(number), start(number)), 10.0);
    }
    Story { world, before: Box::new(before) }
}

fn start(number: u32) -> CellPosition {
    let mut position = at(20.0 + 6.0 * (number % 15) as f32, 20.0 + 5.0 * (number / 15) as f32);
    position.frame.set_heading((number * 67 % 360) as f32);
    position
}

fn before(world: &mut World, tick: u32, now: f64) {
    let second = (tick / 30) as u16;
    for number in (tick % 30..COUNT).step_by(30) {
        let guid = guid(number);
        let mut reported = start(number);
        reported.frame.origin += Vec3::new(0.7, 0.35, 0.0) * f32::from(second);
        if number % 5 != 4 {
            receive(world, &position(guid, &reported, 1 + second), now);
        }
        let mut state = running(0.5 + number as f32 / 100.0);
        if number % 3 == 1 {
            state.sidestep_command = Some(MotionCommand::SIDE_STEP_RIGHT);
            state.forward_command = None;
        }
        if number % 4 == 1 {
            state.turn_command = Some(MotionCommand::TURN_RIGHT);
        }
        // Between the movements of two seconds there is a stamp for an order.
        receive(world, &motion(guid, state, 2 + 2 * second), now);
        if number % 7 == 3 {
            receive(world, &velocity(guid, Vec3::new(1.5, 3.0, 8.0), 1 + second), now);
        }
    }
    if tick % 90 == 20 {
        for (number, target) in [(48, 38), (49, 47), (99, 12)] {
            let order = move_to_object(guid(number), guid(target), number == 49, 3 + 2 * second);
            receive(world, &order, now);
        }
    }
}

/// Receives a message that was just encoded, and can therefore be decoded.
fn receive(world: &mut World, bytes: &[u8], now: f64) {
    let _ = world.receive(bytes, now);
}

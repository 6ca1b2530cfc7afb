//! The cost of a tick of 1,000 remotes with poses in Rust: see `bindings/cost`. Prints the median time of a tick in
//! nanoseconds, and a hash of the last matrices.

use std::error::Error;
use std::time::Instant;

use acmotion::components::{Axis, InterpretedState};
use acmotion::dat::Assets;
use acmotion::types::{CellId, CellPosition, Guid, MotionCommand, Vec3};
use acmotion::{EntitySpec, Matrix, PartPoses, View, World};

const COUNT: u32 = 1000;
const WARM_UP: u32 = 200;
const TICKS: u32 = 1000;
const CELL: CellId = CellId(0xA9B4_0001);

fn main() -> Result<(), Box<dyn Error>> {
    let mut world = World::new(Assets::mannequin());
    for number in 0..COUNT {
        let origin = Vec3::new(2.0 + 4.0 * (number % 40) as f32, 2.0 + 4.0 * (number / 40) as f32, 94.0);
        let mut position = CellPosition::at(CELL, origin);
        position.frame.set_heading((number * 67 % 360) as f32);
        let motion = InterpretedState::new(MotionCommand::NON_COMBAT, Axis::new(MotionCommand::RUN_FORWARD));
        let spec =
            EntitySpec { motion: Some(motion), ..EntitySpec::new(Guid(0x5000_0100 + number), position) };
        world.spawn(&spec, 0.0)?;
    }
    let mut matrices = vec![Matrix::IDENTITY; 32 * COUNT as usize];
    let (mut bodies, mut events, mut times) = (Vec::new(), Vec::new(), Vec::new());
    let view = View { poses: PartPoses::Retail, ..View::new(CELL, 1.0) };
    let mut written = 0;
    for tick in 1..=WARM_UP + TICKS {
        let before = Instant::now();
        world.advance(f64::from(tick) * 0.033_334);
        world.swap_events(&mut events);
        written = world.present_all(&view, &mut matrices, &mut bodies).written;
        let time = before.elapsed();
        if tick > WARM_UP {
            times.push(time.as_nanos());
        }
    }
    let numbers = matrices[..written].iter().flat_map(|matrix| matrix.rows.as_flattened());
    let hash =
        numbers.fold(0x811C_9DC5_u32, |hash, number| (hash ^ number.to_bits()).wrapping_mul(0x0100_0193));
    times.sort_unstable();
    println!("{} {hash:08x}", times[times.len() / 2]);
    Ok(())
}

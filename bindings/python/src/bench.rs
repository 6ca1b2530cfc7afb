//! The loop that `bench.py` runs through Python, in Rust.

use std::hint::black_box;
use std::time::Instant;

use acmotion::types::CellId;
use acmotion::{Matrix, PartPoses, View};
use pyo3::prelude::*;

use crate::world::World;

/// The time from tick to tick, in seconds: a little more than a thirtieth, so that the physics gate opens at each one.
const TICK: f64 = 0.033_334;

/// Advances a copy of a world by a number of ticks and computes the matrices of all parts after each. Returns the seconds that
/// it took, and the sum of the last matrices' origins.
#[pyfunction]
pub(crate) fn _bench_crowd(
    py: Python<'_>,
    world: &World,
    origin: u32,
    start: f64,
    ticks: u32,
    matrices: usize,
) -> PyResult<(f64, f64)> {
    let mut world = world.inner.with(py, |inner| inner.world.clone())?;
    Ok(py.detach(|| {
        let (mut matrices, mut bodies) = (vec![Matrix::IDENTITY; matrices], Vec::new());
        let view = View { share: 1.0, origin: CellId(origin), poses: PartPoses::Retail, within: None };
        world.present_all(&view, &mut matrices, &mut bodies);
        let begun = Instant::now();
        for tick in 1..=ticks {
            world.advance(start + f64::from(tick) * TICK);
            black_box(world.present_all(&view, &mut matrices, &mut bodies));
        }
        let seconds = begun.elapsed().as_secs_f64();
        (seconds, matrices.iter().map(|matrix| f64::from(matrix.origin().x)).sum())
    }))
}

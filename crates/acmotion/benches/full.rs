//! The *full* mode of the crowd workload: the whole tick of entities that walk, run, turn and act on level ground, each
//! reported once a second. Prints nanoseconds per entity and tick (median of the runs) and bytes per entity.
//!
//! `cargo bench -p acmotion --bench full`

#[path = "support/commanded.rs"]
mod commanded;

use std::hint::black_box;
use std::time::Instant;

use acmotion::components::Entity;
use commanded::Crowd;

const RUNS: usize = 101;
/// The number of entity-ticks of a run.
const TICKS_PER_RUN: usize = 10_000;

/// Returns nanoseconds per entity and call: the median of the runs, and the minimum. Runs are short, so that on a busy
/// machine most of them are not interrupted.
fn measure(crowd: &mut Crowd, mut work: impl FnMut(&mut Crowd)) -> (f64, f64) {
    let count = crowd.entities.len();
    let ticks = (TICKS_PER_RUN / count).max(1);
    let mut nanoseconds: Vec<f64> = (0..RUNS)
        .map(|_| {
            let begun = Instant::now();
            for _ in 0..ticks {
                work(crowd);
            }
            begun.elapsed().as_nanos() as f64 / (ticks * count) as f64
        })
        .collect();
    nanoseconds.sort_by(f64::total_cmp);
    (nanoseconds[RUNS / 2], nanoseconds[0])
}

fn main() {
    for count in [1_000, 10_000] {
        let mut crowd = Crowd::new(count);
        for _ in 0..60 {
            crowd.tick();
        }
        let (full, best) = measure(&mut crowd, Crowd::tick);
        let bytes = crowd.entities.iter().map(Entity::size_in_memory).sum::<usize>() / count;
        let (sequence, best_sequence) = measure(&mut crowd, Crowd::only_play);
        black_box(&crowd.entities);
        println!(
            "full, {count} entities: {full:.1} ns per entity-tick (best {best:.1}), of which the sequence {sequence:.1} \
             (best {best_sequence:.1}); {bytes} bytes each, {} of them inline",
            size_of::<Entity>()
        );
    }
}

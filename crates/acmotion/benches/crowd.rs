//! The crowd workload, modes *sequence* and *pose*. Targets: 18 ns and 120 ns per entity-tick; a pose alone 150 ns one at a
//! time and 75 ns batched.
//!
//! `cargo bench -p acmotion --bench crowd`

use std::time::Duration;

use acmotion::crowd::Crowd;
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};

/// The number of ticks before the measurement: 20 s, after which the mix of motions is steady.
const WARM_UP_TICKS: usize = 600;

fn crowd(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("crowd");
    group.warm_up_time(Duration::from_secs(1)).measurement_time(Duration::from_secs(3));
    for count in [1_000, 10_000] {
        let mut crowd = Crowd::new(count);
        for _ in 0..WARM_UP_TICKS {
            crowd.tick();
        }
        group.throughput(Throughput::Elements(count as u64));
        group.bench_function(BenchmarkId::new("sequence", count), |bencher| bencher.iter(|| crowd.tick()));
        group.bench_function(BenchmarkId::new("pose", count), |bencher| {
            bencher.iter(|| crowd.tick_and_pose())
        });
        group.bench_function(BenchmarkId::new("pose alone, batched", count), |bencher| {
            bencher.iter(|| crowd.pose());
        });
        group.bench_function(BenchmarkId::new("pose alone, one at a time", count), |bencher| {
            bencher.iter(|| crowd.pose_one_at_a_time());
        });
        println!("{} bytes per entity, checksum {}", crowd.bytes_per_entity(), crowd.checksum());
    }
    group.finish();
}

criterion_group!(benches, crowd);
criterion_main!(benches);

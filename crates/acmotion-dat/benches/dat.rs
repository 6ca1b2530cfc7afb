//! Benchmarks of opening, lookup and decoding. Budgets: at most 5 ms to open a file of 1 GB (mapped, nothing read
//! ahead), at most 2 µs per warm lookup.

use std::hint::black_box;
use std::io::Write as _;

use acmotion_dat::{
    Animation, BlockSize, Dat, DatObject, DatWriter, DataId, DataSet, MotionTable, ObjectKind, mannequin,
};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

/// The number of objects, in the order of magnitude of the game's large cell file.
const OBJECTS: u32 = 200_000;

fn large_file(block_size: BlockSize) -> Vec<u8> {
    let mut writer = DatWriter::new(block_size, DataSet::Portal);
    for index in 0..OBJECTS {
        writer.add(DataId(0x0A00_0000 + index), vec![0; 100]);
    }
    writer.finish().expect("the file is small enough")
}

/// Opens a sparse file of 1 GB. The time must not depend on the size.
fn open(bench: &mut Criterion) {
    let mut file = tempfile::NamedTempFile::new().expect("a temporary file");
    file.write_all(&mannequin::dat_file()).expect("the file can be written");
    file.as_file().set_len(1 << 30).expect("the file can be extended");
    bench.bench_function("open 1 GB (budget 5 ms)", |b| {
        b.iter(|| Dat::open(black_box(file.path())).expect("opens"))
    });
}

fn look_up(bench: &mut Criterion) {
    for (name, block_size) in [("256", BlockSize::Small), ("1024", BlockSize::Large)] {
        let dat = Dat::from_bytes(large_file(block_size)).expect("opens");
        let mut index = 0u32;
        bench.bench_function(&format!("look up 1 of 200,000, blocks of {name} (budget 2 µs)"), |b| {
            b.iter(|| {
                index = (index + 77_777) % OBJECTS;
                dat.find(black_box(DataId(0x0A00_0000 + index))).expect("valid directory").expect("found")
            });
        });
    }
}

fn parse<T: DatObject>(bench: &mut Criterion, kind: ObjectKind) {
    let dat = Dat::from_bytes(mannequin::dat_file()).expect("opens");
    let of_kind = |id| dat.kind_of(id) == kind;
    let objects: Vec<Vec<u8>> = dat
        .entries()
        .filter_map(Result::ok)
        .filter(|entry| of_kind(entry.id))
        .filter_map(|entry| dat.read(&entry).ok().map(|bytes| bytes.into_owned()))
        .collect();
    let bytes: usize = objects.iter().map(Vec::len).sum();
    let mut group = bench.benchmark_group("parse");
    group.throughput(Throughput::Bytes(bytes as u64));
    group.bench_function(kind.name(), |b| {
        b.iter(|| {
            for object in &objects {
                black_box(T::decode(black_box(object)).expect("valid object"));
            }
        });
    });
    group.finish();
}

fn parse_all(bench: &mut Criterion) {
    parse::<Animation>(bench, ObjectKind::Animation);
    parse::<MotionTable>(bench, ObjectKind::MotionTable);
}

criterion_group!(benches, open, look_up, parse_all);
criterion_main!(benches);

//! Reads the messages of a 100 MB capture. The throughput is that of the file.

use std::hint::black_box;

use acmotion_wire::Direction;
use acmotion_wire::capture::{CaptureReader, CaptureSource, CaptureWriter};
use acmotion_wire::packet::{Fragment, FragmentHeader, PacketHeader, encode, seal};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};

const SIZE: usize = 100_000_000;
/// The traffic near a crowd: motions and positions, an occasional object or long message, and the client's reports.
const MESSAGES: [(Direction, usize); 12] = [
    (Direction::S2C, 28),
    (Direction::S2C, 48),
    (Direction::S2C, 60),
    (Direction::S2C, 48),
    (Direction::C2S, 68),
    (Direction::S2C, 72),
    (Direction::S2C, 48),
    (Direction::S2C, 280),
    (Direction::C2S, 56),
    (Direction::S2C, 48),
    (Direction::S2C, 16),
    (Direction::S2C, 1200),
];

/// Writes each message as a packet of its own.
fn one_message_per_packet() -> Vec<u8> {
    let mut writer = CaptureWriter::new(Vec::with_capacity(SIZE + 4096)).unwrap();
    let message = [0x4C; 1200];
    let mut time = 1_700_000_000.0;
    let mut written = 0;
    while written < SIZE {
        for (direction, len) in MESSAGES {
            writer.message(time, direction, &message[..len]).unwrap();
            time += 0.01;
            written += len + (16 + 14 + 28 + 36) * len.div_ceil(448);
        }
    }
    writer.into_inner()
}

/// Writes packets that carry several messages, as servers do.
fn several_messages_per_packet() -> Vec<u8> {
    let mut writer = CaptureWriter::new(Vec::with_capacity(SIZE + 4096)).unwrap();
    let message = [0x4C; 72];
    let mut sequence = 0;
    for number in 0..(SIZE / 516) as u32 {
        let fragments = [72, 48, 60, 48, 28, 48].map(|len| {
            sequence += 1;
            let header = FragmentHeader { sequence, id: 0x8000_0000, count: 1, index: 0, queue: 10 };
            Fragment { header, data: &message[..len] }
        });
        let mut packet = Vec::new();
        encode(PacketHeader { sequence: number, ..PacketHeader::default() }, [], fragments, &mut packet)
            .unwrap();
        seal(&mut packet).unwrap();
        writer.datagram(1.7e9 + f64::from(number) / 100.0, Direction::S2C, &packet).unwrap();
    }
    writer.into_inner()
}

fn read_all<S: CaptureSource>(mut reader: CaptureReader<S>) -> u64 {
    let mut bytes = 0;
    while let Some(message) = reader.next_message() {
        bytes += black_box(message.unwrap()).bytes.len() as u64;
    }
    bytes
}

fn capture(c: &mut Criterion) {
    let captures = [
        ("one message a packet", one_message_per_packet()),
        ("filled packets", several_messages_per_packet()),
    ];
    for (name, file) in captures {
        let mut group = c.benchmark_group("capture of 100 MB");
        group.sample_size(10).throughput(Throughput::BytesDecimal(file.len() as u64));
        group.bench_with_input(BenchmarkId::new("slice", name), &file[..], |b, file| {
            b.iter(|| read_all(CaptureReader::from_slice(file)));
        });
        group.bench_with_input(BenchmarkId::new("stream", name), &file[..], |b, file| {
            b.iter(|| read_all(CaptureReader::new(file)));
        });
        group.finish();
    }
}

criterion_group!(benches, capture);
criterion_main!(benches);

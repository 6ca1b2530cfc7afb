//! Decodes and encodes the most frequent messages. Budget: 15 ns each, without allocation.
//!
//! The bytes and the whole decoded message go through `black_box`, so that the compiler cannot leave anything out.

use std::hint::black_box;

use acmotion_wire::{Era, decode_s2c};
use criterion::{Criterion, criterion_group, criterion_main};

/// The name and the bytes, in hexadecimal, of each message.
const MESSAGES: [(&str, &str); 4] = [
    (
        "UpdateMotion 28 bytes (style and forward command)",
        "4cf70000 01000050 0900 0201 0300 00 00   00 00 3d00  03000000 3d00 0500",
    ),
    (
        "UpdateMotion 60 bytes (every field, two actions)",
        "4cf70000 01000050 0900 0201 0300 00 00   00 00 3d00  7f010000
         3d00 0700 0f00 0d00  00000040 0000003f 0000c0bf  8700 0580 0000803f  7d00 0600 0000c03f",
    ),
    (
        "UpdateMotion 72 bytes (move to an object)",
        "4cf70000 01000050 0900 0201 0300 00 00   06 00 3d00  34120080
         1500b4a9 00002041 0000a041 0000bc42
         0fee0100 9a99193f 00000000 ffff7f7f 0000803f 00007041 0000b442  0000c03f",
    ),
    (
        "UpdatePosition 48 bytes (two quaternion parts, placement)",
        "48f70000 34120080 36000000 1500b4a9 00002041 0000a041 0000bc42 0000003f 0000c0bf 65000000
         0100 ffff 0200 0300",
    ),
];

fn hex(digits: &str) -> Vec<u8> {
    let digits: Vec<u32> = digits.chars().filter_map(|c| c.to_digit(16)).collect();
    digits.chunks(2).map(|pair| (pair[0] << 4 | pair[1]) as u8).collect()
}

fn decode(criterion: &mut Criterion) {
    for (name, digits) in MESSAGES {
        let bytes = hex(digits);
        criterion.bench_function(&format!("decode {name}"), |bencher| {
            bencher.iter(|| {
                let message = decode_s2c(black_box(&bytes), Era::default());
                black_box(&message).is_ok()
            });
        });
    }
}

fn encode(criterion: &mut Criterion) {
    for (name, digits) in MESSAGES {
        let bytes = hex(digits);
        let message = decode_s2c(&bytes, Era::default()).expect("the message is valid");
        let mut out = Vec::with_capacity(128);
        criterion.bench_function(&format!("encode {name}"), |bencher| {
            bencher.iter(|| {
                out.clear();
                black_box(&message).encode(&mut out);
                black_box(&out).len()
            });
        });
        assert_eq!(out, bytes);
    }
}

criterion_group! {
    name = messages;
    config = Criterion::default().sample_size(50);
    targets = decode, encode
}
criterion_main!(messages);

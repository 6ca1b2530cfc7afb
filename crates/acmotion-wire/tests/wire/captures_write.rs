//! Written captures: their lengths and checksums are correct, and they read back as the same messages.

use crate::captures_support::{TimedMessage, read};
use acmotion_wire::Direction;
use acmotion_wire::capture::{CaptureReader, CaptureWriter, Endpoints, TimeUnit, WriteError, WriteOptions};
use acmotion_wire::packet::Packet;
use proptest::collection::vec;
use proptest::prelude::*;

fn write(options: WriteOptions, messages: &[TimedMessage]) -> Vec<u8> {
    let mut writer = CaptureWriter::with_options(Vec::new(), options).unwrap();
    for (time, direction, bytes) in messages {
        writer.message(*time, *direction, bytes).unwrap();
    }
    writer.into_inner()
}

/// The ones' complement sum of 16-bit words. It is 0xFFFF over anything with a correct checksum.
fn sum(parts: &[&[u8]]) -> u32 {
    let mut bytes = parts.concat();
    bytes.resize(bytes.len().next_multiple_of(2), 0);
    let words = bytes.chunks(2).map(|pair| u32::from(pair[0]) << 8 | u32::from(pair[1]));
    words.fold(0, |sum, word| (sum + word) % 0x1_0000 + (sum + word) / 0x1_0000)
}

#[test]
fn every_length_and_checksum_is_correct() {
    let messages: Vec<_> = (0..1000).map(|len| (1.0, Direction::S2C, vec![len as u8; len])).collect();
    let file = write(WriteOptions::default(), &messages);
    let mut at = 24;
    let mut packets = 0;
    while at < file.len() {
        let len = u32::from_le_bytes(file[at + 8..at + 12].try_into().unwrap()) as usize;
        assert_eq!(file[at + 12..at + 16], file[at + 8..at + 12]);
        let ip = &file[at + 16 + 14..at + 16 + len];
        let (header, udp) = ip.split_at(20);
        assert_eq!(usize::from(u16::from_be_bytes([header[2], header[3]])), ip.len());
        assert_eq!(sum(&[header]), 0xFFFF);
        assert_eq!(usize::from(u16::from_be_bytes([udp[4], udp[5]])), udp.len());
        assert_eq!(sum(&[&header[12..20], &[0, 17], &udp[4..6], udp]), 0xFFFF);
        let packet = Packet::decode(&udp[8..]).unwrap();
        assert_eq!(packet.checksum_matches(), Some(true));
        assert_eq!(packet.header.sequence, packets + 1);
        at += 16 + len;
        packets += 1;
    }
    assert_eq!(packets, 449 + 2 * 448 + 3 * 103);
}

#[test]
fn times_are_rounded_to_the_unit() {
    let cases = [
        (TimeUnit::Microseconds, 1_766_693_906.388_087, 1_766_693_906.388_087),
        (TimeUnit::Microseconds, 0.000_000_4, 0.0),
        (TimeUnit::Microseconds, 0.999_999_6, 1.0),
        (TimeUnit::Nanoseconds, 12.000_000_001, 12.000_000_001),
    ];
    for (unit, time, expected) in cases {
        let file =
            write(WriteOptions { unit, ..WriteOptions::default() }, &[(time, Direction::C2S, vec![1])]);
        assert_eq!(read(CaptureReader::from_slice(&file)).messages[0].0, expected);
    }
}

#[test]
fn values_out_of_range_are_rejected() {
    let mut writer = CaptureWriter::new(Vec::new()).unwrap();
    for time in [-1.0, f64::NAN, f64::INFINITY, 4_294_967_296.0] {
        assert!(matches!(writer.message(time, Direction::S2C, b""), Err(WriteError::Time { .. })));
    }
    let long = vec![0; 4096 * 448 + 1];
    assert!(matches!(writer.message(0.0, Direction::S2C, &long), Err(WriteError::MessageTooLong { .. })));
    assert!(matches!(writer.datagram(0.0, Direction::S2C, &long), Err(WriteError::DatagramTooLong { .. })));
    assert_eq!(writer.into_inner().len(), 24);
}

#[test]
fn a_message_of_maximum_length_round_trips() {
    let long: Vec<u8> = (0..4096 * 448).map(|i| (i / 7) as u8).collect();
    let messages = [(1.0, Direction::S2C, long), (2.0, Direction::C2S, vec![])];
    let file = write(WriteOptions::default(), &messages);
    assert_eq!(read(CaptureReader::from_slice(&file)).messages, messages);
}

#[test]
fn messages_of_a_server_on_another_port_round_trip() {
    let mut endpoints = Endpoints::default();
    endpoints.server.set_port(4000);
    let messages = [
        (1.0, Direction::S2C, vec![0x46, 0xF7, 0, 0]),
        (2.0, Direction::C2S, vec![1, 2, 3, 4]),
        (3.0, Direction::S2C, vec![5, 6]),
    ];
    let file = write(WriteOptions { endpoints, ..WriteOptions::default() }, &messages);
    assert_eq!(read(CaptureReader::from_slice(&file)).messages, messages);
}

proptest! {
    #[test]
    fn any_messages_round_trip(
    messages in vec((0_u32..=u32::MAX - 1, 0_u32..1_000_000, any::<bool>(), vec(any::<u8>(), 0..2000)), 0..30)
    ) {
        let messages: Vec<TimedMessage> = messages
            .into_iter()
            .map(|(seconds, part, server, bytes)| {
                let time = (f64::from(seconds) * 1e6 + f64::from(part)) / 1e6;
                (time, if server { Direction::S2C } else { Direction::C2S }, bytes)
            })
            .collect();
        let file = write(WriteOptions::default(), &messages);
        let all = read(CaptureReader::new(&file[..]));
        prop_assert_eq!(all.messages, messages);
        prop_assert_eq!(all.errors, vec![]);
    }
}

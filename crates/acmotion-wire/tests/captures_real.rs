//! Tests with a real capture.

use std::path::Path;

use acmotion_test_recordings::recording_tests;
use acmotion_wire::Direction;
use acmotion_wire::capture::{CaptureError, CaptureReader, CaptureSource, CaptureWriter};
use acmotion_wire::packet::Packet;
use serde_json::Value;

recording_tests! {
    the_capture_contains_every_published_message,
    every_packet_of_the_capture_is_counted,
    unmasked_checksums_match,
    recordings_and_their_decodings_hold_the_same_messages,
    the_published_decoding_can_be_read_as_a_capture,
    a_rewritten_capture_holds_the_same_messages,
    a_truncated_capture_returns_the_messages_before_the_cut_and_one_error,
    a_flipped_bit_results_in_messages_or_errors;
    slow: every_flipped_bit_results_in_messages_or_errors,
}

/// The time, direction and bytes of a message.
type Message = (f64, Direction, Vec<u8>);

fn file(folder: &Path, name: &str) -> Vec<u8> {
    std::fs::read(folder.join(name)).unwrap()
}

/// Returns all messages and all errors.
fn read<S: CaptureSource>(mut reader: CaptureReader<S>) -> (Vec<Message>, Vec<CaptureError>) {
    let (mut messages, mut errors) = (Vec::new(), Vec::new());
    while let Some(item) = reader.next_message() {
        match item {
            Ok(message) => messages.push((message.time, message.direction, message.bytes.to_vec())),
            Err(error) => errors.push(error),
        }
    }
    (messages, errors)
}

fn unhex(text: &str) -> Vec<u8> {
    (0..text.len()).step_by(2).map(|i| u8::from_str_radix(&text[i..i + 2], 16).unwrap()).collect()
}

fn expected(jsonl: &[u8]) -> Vec<Message> {
    let lines = std::str::from_utf8(jsonl).unwrap().lines();
    lines
        .map(|line| {
            let line: Value = serde_json::from_str(line).unwrap();
            let direction = match line["direction"].as_str().unwrap() {
                "S2C" => Direction::S2C,
                _ => Direction::C2S,
            };
            (line["time"].as_f64().unwrap(), direction, unhex(line["raw_hex"].as_str().unwrap()))
        })
        .collect()
}

fn the_capture_contains_every_published_message(folder: &Path) {
    let [pcap, jsonl] = ["entergameworld.pcap", "entergameworld.jsonl"].map(|name| file(folder, name));
    let expected = expected(&jsonl);
    assert_eq!(expected.len(), 142);
    let (messages, errors) = read(CaptureReader::from_slice(&pcap));
    assert_eq!(errors, []);
    let movement: Vec<_> = messages.iter().filter(|message| expected.contains(message)).cloned().collect();
    assert_eq!(movement, expected);
    assert_eq!(read(CaptureReader::new(&pcap[..])), (messages, errors));
}

fn every_packet_of_the_capture_is_counted(folder: &Path) {
    let pcap = file(folder, "entergameworld.pcap");
    let mut reader = CaptureReader::from_slice(&pcap);
    while reader.next_message().is_some() {}
    let summary = reader.summary();
    assert_eq!((summary.records, summary.packets), (89, 89));
    assert_eq!((summary.fragments, summary.messages_s2c, summary.messages_c2s), (181, 164, 8));
    assert_eq!((summary.incomplete_messages, summary.repeated_fragments, summary.damaged), (0, 0, 0));
}

/// The checksums of all packets with fragments are masked, so only the others can be checked.
fn unmasked_checksums_match(folder: &Path) {
    let pcap = file(folder, "entergameworld.pcap");
    let mut at = 24;
    let (mut matching, mut masked) = (0, 0);
    while at < pcap.len() {
        let len = u32::from_le_bytes(pcap[at + 8..at + 12].try_into().unwrap()) as usize;
        let payload = &pcap[at + 16 + 14 + 20 + 8..at + 16 + len];
        match Packet::decode(payload).unwrap().checksum_matches() {
            Some(matches) => {
                assert!(matches);
                matching += 1;
            }
            None => masked += 1,
        }
        at += 16 + len;
    }
    assert_eq!((matching, masked), (6, 83));
}

fn recordings_and_their_decodings_hold_the_same_messages(folder: &Path) {
    let recordings = [
        ("retail_player", 29),
        ("synthetic", 26),
        ("melee_chickens", 265),
        ("banderling_chase", 168),
        ("player_runs_house", 155),
        ("player_jumps_remote_view", 33),
    ];
    for (name, count) in recordings {
        let jsonl = std::fs::read(folder.join(format!("{name}.jsonl"))).unwrap();
        let decoded = std::fs::read(folder.join(format!("{name}.decoded.jsonl"))).unwrap();
        let (messages, errors) = read(CaptureReader::from_slice(&jsonl));
        assert_eq!(errors, []);
        assert_eq!(messages.len(), count, "{name}");
        assert_eq!(messages, expected(&decoded), "{name}");
    }
}

fn the_published_decoding_can_be_read_as_a_capture(folder: &Path) {
    let jsonl = file(folder, "entergameworld.jsonl");
    let (messages, errors) = read(CaptureReader::new(&jsonl[..]));
    assert_eq!(errors, []);
    assert_eq!(messages, expected(&jsonl));
}

fn a_rewritten_capture_holds_the_same_messages(folder: &Path) {
    let pcap = file(folder, "entergameworld.pcap");
    let (messages, _) = read(CaptureReader::from_slice(&pcap));
    let mut writer = CaptureWriter::new(Vec::new()).unwrap();
    for (time, direction, bytes) in &messages {
        writer.message(*time, *direction, bytes).unwrap();
    }
    let written = writer.into_inner();
    assert_eq!(read(CaptureReader::from_slice(&written)), (messages, vec![]));
}

/// The messages before the cut are returned, followed by one error unless the cut is between two records.
fn a_truncated_capture_returns_the_messages_before_the_cut_and_one_error(folder: &Path) {
    let pcap = file(folder, "entergameworld.pcap");
    let (messages, _) = read(CaptureReader::from_slice(&pcap));
    let (mut clean, mut max_count) = (0, 0);
    for end in 0..pcap.len() {
        let mut reader = CaptureReader::from_slice(&pcap[..end]);
        let mut count = 0;
        let mut error = None;
        while let Some(item) = reader.next_message() {
            match item {
                Ok(message) => {
                    assert_eq!((message.time, message.bytes), (messages[count].0, &messages[count].2[..]));
                    count += 1;
                }
                Err(found) => assert!(error.replace(found).is_none()),
            }
        }
        assert!(count >= max_count);
        max_count = count;
        match error {
            None => clean += 1,
            Some(CaptureError::Empty) => assert_eq!(end, 0),
            Some(CaptureError::Truncated { offset, needed, had }) => {
                assert_eq!(offset + had, end as u64);
                assert!(needed > had);
            }
            Some(other) => panic!("{other}"),
        }
    }
    assert_eq!(clean, 89, "number of cuts between two records or before the first");
}

/// Flips every bit of the first packets, and one bit of every byte after them. The slow test flips all.
fn a_flipped_bit_results_in_messages_or_errors(folder: &Path) {
    let pcap = file(folder, "entergameworld.pcap");
    let mut random = 0x2545_F491_u64;
    let sample = (4000..pcap.len()).map(|byte| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        byte * 8 + (random >> 61) as usize
    });
    flip_each(&pcap, (0..4000 * 8).chain(sample));
}

fn every_flipped_bit_results_in_messages_or_errors(folder: &Path) {
    let pcap = file(folder, "entergameworld.pcap");
    flip_each(&pcap, 0..pcap.len() * 8);
}

/// A flipped bit may hide the messages after it, but reading ends and every error has a text.
fn flip_each(pcap: &[u8], bits: impl Iterator<Item = usize>) {
    let all = count_messages(pcap);
    let mut pcap = pcap.to_vec();
    for bit in bits {
        pcap[bit / 8] ^= 1 << (bit % 8);
        assert!(count_messages(&pcap) <= all + 1, "bit {bit}");
        pcap[bit / 8] ^= 1 << (bit % 8);
    }
}

fn count_messages(capture: &[u8]) -> usize {
    let mut reader = CaptureReader::from_slice(capture);
    let mut count = 0;
    while let Some(item) = reader.next_message() {
        match item {
            Ok(_) => count += 1,
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
    count
}

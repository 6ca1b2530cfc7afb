//! Damaged and malicious captures: they result in errors, never in panics, endless loops or unbounded memory.

use std::io::{self, Read};

use crate::captures_support::*;
use acmotion_wire::capture::{CaptureError, CaptureReader};
use proptest::collection::vec;
use proptest::prelude::*;

const RAW: u32 = 101;
const LITTLE: Order = Order::Little;

fn ng(blocks: &[Vec<u8>]) -> Vec<u8> {
    let start = [section(LITTLE), interface(LITTLE, 101, 0, &[]), enhanced(LITTLE, 0, 0, &from_server(1))];
    [start.concat(), blocks.concat()].concat()
}

/// Returns the only error, which follows the first packet.
fn error_after_first(file: &[u8]) -> CaptureError {
    let all = read_both(file);
    assert_eq!(numbers(&all), [1]);
    assert_eq!(all.errors.len(), 1, "{:?}", all.errors);
    all.errors[0].clone()
}

/// Builds a block with the given length at its start and its end.
fn block_with_length(kind: u32, len: u32, body: &[u8]) -> Vec<u8> {
    [&kind.to_le_bytes()[..], &len.to_le_bytes(), body, &len.to_le_bytes()].concat()
}

#[test]
fn blocks_with_impossible_lengths_are_errors() {
    for kind in [1, 2, 3, 6, 0x0BAD, 0x0A0D_0D0A] {
        let magic = 0x1A2B_3C4D_u32.to_le_bytes();
        let body = [&magic[..], &[0; 40]].concat();
        for len in [0, 4, 11, 13, 31, 57] {
            let error = error_after_first(&ng(&[block_with_length(kind, len, &body)]));
            assert!(
                matches!(error, CaptureError::InvalidBlock { len: found, .. } if found == len),
                "{error}"
            );
        }
        let error = error_after_first(&ng(&[block_with_length(kind, 0xFFFF_FFFC, &body)]));
        // Blocks of other types are passed over, however long they are.
        let expected = match kind {
            1 | 2 | 3 | 6 => matches!(error, CaptureError::InvalidBlock { what: TOO_LONG, .. }),
            _ => matches!(error, CaptureError::Truncated { needed: 0xFFFF_FFFC, .. }),
        };
        assert!(expected, "{kind}: {error}");
    }
}

const TOO_LONG: &str = "longer than the maximum of 524288 bytes";

#[test]
fn a_block_that_is_longer_than_a_packet_and_its_options_is_an_error() {
    let packet = enhanced(LITTLE, 0, 0, &from_server(2));
    let options = 524_288 - packet.len();
    let padded = |options: usize| {
        let body = [&packet[8..packet.len() - 4], &vec![0; options]].concat();
        block(LITTLE, 6, &body)
    };
    assert_eq!(numbers(&read(CaptureReader::from_slice(&ng(&[padded(options)])))), [1, 2]);
    let error = error_after_first(&ng(&[padded(options + 4)]));
    assert!(matches!(error, CaptureError::InvalidBlock { what: TOO_LONG, len: 524_292, .. }), "{error}");
}

#[test]
fn inconsistent_blocks_are_errors() {
    let good = enhanced(LITTLE, 0, 0, &from_server(2));
    let mut other_end = good.clone();
    *other_end.last_mut().unwrap() = 1;
    let mut long_packet = good.clone();
    long_packet[20..24].copy_from_slice(&1000_u32.to_le_bytes());
    let mut no_magic = section(LITTLE);
    no_magic[8] = 0;
    let cases = [
        (other_end, "the length at its end differs"),
        (long_packet, "the packet is longer than its block"),
        (block(LITTLE, 6, &[0; 16]), "too short for a block of this type"),
        (block(LITTLE, 3, &[]), "too short for a block of this type"),
        (block(LITTLE, 1, &[0; 4]), "too short for a block of this type"),
        (no_magic, "missing byte-order magic"),
        (interface(LITTLE, 1, 0, &[9, 0, 200, 0, 6, 0, 0, 0]), "an option is longer than its block"),
        (interface(LITTLE, 1, 0, &option(LITTLE, 9, &[20])), "the time resolution is too fine"),
        (interface(LITTLE, 1, 0, &option(LITTLE, 9, &[0xFF])), "the time resolution is too fine"),
        (interface(LITTLE, 1, 0, &option(LITTLE, 14, &[1; 4])), "the time offset is shorter than 8 bytes"),
    ];
    for (block, expected) in cases {
        let error = error_after_first(&ng(&[block]));
        assert!(
            matches!(error, CaptureError::InvalidBlock { what, .. } if what == expected),
            "{expected}: {error}"
        );
    }
}

#[test]
fn too_many_interfaces_are_an_error() {
    let error = error_after_first(&ng(&vec![interface(LITTLE, 101, 0, &[]); 4096]));
    assert!(
        matches!(error, CaptureError::InvalidBlock { what: "more than 4096 interfaces in one section", .. }),
        "{error}"
    );
}

#[test]
fn a_record_larger_than_any_packet_is_an_error() {
    let mut file = pcap(RAW, &[from_server(1)]);
    file.extend([0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0]);
    let offset = file.len() as u64 - 16;
    let expected = CaptureError::RecordTooLong { offset, len: 0xFFFF_FFFF, limit: 262_144 };
    assert_eq!(error_after_first(&file), expected);
}

#[test]
fn an_endless_line_is_an_error() {
    let mut all = read(CaptureReader::new(b"{".chain(io::repeat(b' '))));
    let Some(CaptureError::RecordTooLong { len, limit, .. }) = all.errors.pop() else { panic!() };
    // As much as the buffer holds when the limit is found to be exceeded.
    assert!(limit == 4 << 20 && (limit + 1..=8 << 20).contains(&len), "{len} bytes were read");
    assert!(all.errors.is_empty());
}

#[test]
fn an_overlong_extension_chain_is_skipped() {
    // Each extension names the next header, the last of them UDP.
    let chain = |len: usize| {
        let mut extensions = [0; 8].repeat(len);
        extensions[8 * (len - 1)] = 17;
        ipv6(0, &[extensions, udp(9000, 5000, &server_packet(2))].concat())
    };
    let all = read_both(&pcap(RAW, &[chain(7), from_server(1)]));
    assert_eq!((numbers(&all), all.summary.not_udp), (vec![2, 1], 0));
    let all = read_both(&pcap(RAW, &[chain(8), from_server(1)]));
    assert_eq!((numbers(&all), all.summary.not_udp), (vec![1], 1));
}

/// There are more conversations than are remembered. Old ones are forgotten without any other effect.
#[test]
fn too_many_conversations_do_no_harm() {
    let packets: Vec<_> = (0..20_000_u32)
        .map(|client| {
            let mut ip = from_server(1);
            ip[16..20].copy_from_slice(&client.to_be_bytes());
            ip
        })
        .collect();
    let again = packets[0].clone();
    let file = pcap(RAW, &[packets, vec![again]].concat());
    let (mut reader, mut sessions) = (CaptureReader::from_slice(&file), Vec::new());
    while let Some(message) = reader.next_message() {
        sessions.push(message.unwrap().session);
    }
    assert_eq!(sessions, (1..=20_001).collect::<Vec<_>>(), "the first one has been forgotten");
}

/// The captures that are damaged below.
fn samples() -> Vec<Vec<u8>> {
    let line = b"{\"t\": 1.5, \"dir\": \"s2c\", \"hex\": \"46f7000001000050\"}\n";
    let ethernet: Vec<_> =
        (1..4).map(|n| ethernet(0x8100, &[&[0, 1, 8, 0][..], &from_server(n)].concat())).collect();
    let ip6 = ipv6(60, &[&[17, 0, 0, 0, 0, 0, 0, 0][..], &udp(9000, 5000, &server_packet(2))].concat());
    let simple = block(LITTLE, 3, &[&200_u32.to_le_bytes()[..], &from_server(3)].concat());
    vec![
        pcap(1, &ethernet),
        pcap(RAW, &[from_server(1), ip6, from_server(2)]),
        ng(&[simple, section(Order::Big), interface(Order::Big, 101, 0, &option(Order::Big, 9, &[9]))]),
        line.repeat(3),
    ]
}

/// Reads 100,000 damaged captures from slices, and every tenth also from a stream.
#[test]
fn damaged_captures_result_in_messages_or_errors() {
    let samples = samples();
    let mut random = 7_u64;
    let mut below = move |limit: usize| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) as usize % limit
    };
    for round in 0..100_000 {
        let mut file = samples[round % samples.len()].clone();
        for _ in 0..=below(4) {
            let at = below(file.len());
            file[at] = [0, 0xFF, file[at] ^ 1 << below(8), below(256) as u8][below(4)];
        }
        if below(4) == 0 {
            file.truncate(below(file.len()));
        }
        let all = read(CaptureReader::from_slice(&file));
        assert!(all.messages.len() <= 6 && all.errors.len() <= 12);
        assert!(all.errors.iter().all(|error| !error.to_string().is_empty()));
        if round % 10 == 0 {
            let stream = read(CaptureReader::new(Chunks::new(&file, 1 + below(40))));
            assert_eq!((stream.messages, stream.errors), (all.messages, all.errors));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn any_bytes_result_in_messages_or_errors(bytes in vec(any::<u8>(), 0..400)) {
        read_both(&bytes);
    }

    #[test]
    fn any_bytes_after_a_file_header_result_in_messages_or_errors(
        format in 0_usize..4,
        link in prop::sample::select(vec![0_u32, 1, 101, 108, 113, 276]),
        bytes in vec(any::<u8>(), 0..400),
    ) {
        let start = match format {
            0 => pcap_header(LITTLE, 0xA1B2_C3D4, link),
            1 => pcap_header(Order::Big, 0xA1B2_3C4D, link),
            2 => section(Order::Big),
            _ => b"{\"t\":".to_vec(),
        };
        read_both(&[start, bytes].concat());
    }

    #[test]
    fn any_packet_on_any_link_results_in_messages_or_errors(
        link in prop::sample::select(vec![0_u32, 1, 101, 108, 113, 276]),
        frames in vec(vec(any::<u8>(), 0..120), 1..4),
    ) {
        let all = read_both(&pcap(link, &frames));
        prop_assert_eq!(all.summary.records, frames.len() as u64);
        prop_assert_eq!(all.errors.len() as u64, all.summary.damaged);
    }

    #[test]
    fn any_pcapng_block_results_in_messages_or_errors(
        blocks in vec((prop::sample::select(vec![1_u32, 2, 3, 6, 0x0BAD]), vec(any::<u8>(), 0..80)), 0..6),
    ) {
        let blocks: Vec<_> = blocks.iter().map(|(kind, body)| block(LITTLE, *kind, body)).collect();
        prop_assert_eq!(numbers(&read_both(&ng(&blocks)))[0], 1);
    }

    #[test]
    fn any_payload_from_a_server_results_in_messages_or_errors(payloads in vec(vec(any::<u8>(), 0..200), 1..4)) {
    let packets: Vec<_> = payloads.iter().map(|payload| ipv4(17, &[], &udp(9000, 5000, payload))).collect();
        read_both(&pcap(RAW, &packets));
    }
}

#[test]
fn more_whitespace_than_a_file_can_begin_with_is_an_error() {
    let line = br#"{"t":1,"dir":"s2c","hex":"46f7000001000050"}"#;
    let file = |blank: usize| [&vec![b' '; blank][..], line].concat();
    assert!(read_both(&file(4096)).errors.is_empty());
    let errors = read_both(&file(4097)).errors;
    assert!(matches!(errors[..], [CaptureError::NotACapture { .. }]), "{errors:?}");
    let endless = read(CaptureReader::new(io::repeat(b'\n'))).errors;
    assert!(matches!(endless[..], [CaptureError::NotACapture { .. }]), "{endless:?}");
}

#[test]
fn a_packet_with_too_many_vlan_tags_is_skipped() {
    let packet = from_server(7);
    let tagged = |tags: usize| [&[0; 12][..], &[0x81, 0, 0, 1].repeat(tags), &[8, 0], &packet].concat();
    for (tags, is_read) in [(0, true), (2, true), (3, false), (1_000, false)] {
        let all = read_both(&pcap(1, &[tagged(tags)]));
        assert_eq!(numbers(&all).len(), usize::from(is_read), "{tags} tags");
        assert!(all.errors.is_empty(), "{:?}", all.errors);
    }
}

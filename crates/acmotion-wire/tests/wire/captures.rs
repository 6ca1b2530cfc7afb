//! Captures of every kind: file formats, link types, directions, streams.

use std::io::{self, Read};

use crate::captures_support::*;
use acmotion_wire::Direction;
use acmotion_wire::capture::{CaptureError, CaptureReader};
use acmotion_wire::packet::{OptionalHeader, PacketError, PacketHeader, encode};

const ETHERNET: u32 = 1;
const RAW: u32 = 101;

#[test]
fn pcap_is_read_in_both_byte_orders_and_time_units() {
    for order in [Order::Little, Order::Big] {
        let units = [
            (0xA1B2_C3D4, 1_766_693_906, 388_087, 1_766_693_906.388_087),
            (0xA1B2_3C4D, 12, 388_087_001, 12.388_087_001),
        ];
        for (magic, seconds, part, time) in units {
            let mut file = pcap_header(order, magic, RAW);
            file.extend(pcap_record(order, seconds, part, &from_server(1)));
            assert_eq!(read_both(&file).messages, [(time, Direction::S2C, message(1))]);
        }
    }
}

#[test]
fn every_supported_link_type_is_read() {
    let ip = from_server(7);
    let tag = |inner: u16| [&[0, 5][..], &inner.to_be_bytes()].concat();
    let cooked = [&[0; 14][..], &[8, 0], &ip].concat();
    let cooked2 = [&[8, 0][..], &[0; 18], &ip].concat();
    let cooked2_tagged = [&[0x81, 0][..], &[0; 18], &tag(0x0800), &ip].concat();
    let cases = [
        ("Ethernet", ETHERNET, ethernet(0x0800, &ip)),
        ("one tag", ETHERNET, ethernet(0x8100, &[tag(0x0800), ip.clone()].concat())),
        ("two tags", ETHERNET, ethernet(0x88A8, &[tag(0x8100), tag(0x0800), ip.clone()].concat())),
        ("frame check sequence length in the header", 0x2400_0001, ethernet(0x0800, &ip)),
        ("cooked", 113, cooked),
        ("cooked 2", 276, cooked2),
        ("cooked 2, one tag", 276, cooked2_tagged),
        ("raw", RAW, ip.clone()),
        ("raw IPv4", 228, ip.clone()),
        ("old raw", 12, ip.clone()),
        ("null", 0, [&[2, 0, 0, 0][..], &ip].concat()),
        ("loop", 108, [&[0, 0, 0, 2][..], &ip].concat()),
    ];
    for (name, link, packet) in cases {
        let all = read_both(&pcap(link, &[packet]));
        assert_eq!(all.messages, [(1.5, Direction::S2C, message(7))], "{name}");
    }
}

#[test]
fn ip_options_extension_headers_and_missing_lengths_are_handled() {
    let datagram = udp(9000, 5000, &server_packet(3));
    let padded = [&ethernet(0x0800, &from_server(3))[..], &[0; 9]].concat();
    let mut no_ip_length = from_server(3);
    no_ip_length[2..4].fill(0);
    let mut no_udp_length = from_server(3);
    no_udp_length[24..26].fill(0);
    let extensions = [&[60, 0, 1, 4, 0, 0, 0, 0][..], &[17, 1], &[0; 14], &datagram].concat();
    let cases = [
        ("options", RAW, ipv4(17, &[1; 8], &datagram)),
        ("padding", ETHERNET, padded),
        ("no IP length", RAW, no_ip_length),
        ("no UDP length", RAW, no_udp_length),
        ("IPv6", RAW, ipv6(17, &datagram)),
        ("IPv6 by Ethernet", ETHERNET, ethernet(0x86DD, &ipv6(17, &datagram))),
        ("IPv6 by loopback", 0, [&[30, 0, 0, 0][..], &ipv6(17, &datagram)].concat()),
        ("extensions", 229, ipv6(0, &extensions)),
    ];
    for (name, link, packet) in cases {
        assert_eq!(numbers(&read_both(&pcap(link, &[packet]))), [3], "{name}");
    }
}

#[test]
fn packets_of_other_protocols_are_counted_and_skipped() {
    let mut first_fragment = from_server(1);
    first_fragment[6] = 0x20;
    let mut later_fragment = from_server(1);
    later_fragment[7] = 5;
    let datagram = udp(9000, 5000, &server_packet(1));
    let ipv6_fragment = ipv6(44, &[&[17, 0, 0, 0, 0, 0, 0, 0][..], &datagram].concat());
    let arp = ethernet(0x0806, &[0; 28]);
    let tags = [0, 1, 0x81, 0, 0, 1, 0x81, 0, 0, 1, 8, 0];
    let three_tags = ethernet(0x8100, &[&tags[..], &from_server(1)].concat());
    let eth = |ip: &[u8]| ethernet(if ip[0] >> 4 == 4 { 0x0800 } else { 0x86DD }, ip);
    let file = pcap(
        ETHERNET,
        &[
            arp,
            three_tags,
            eth(&ipv4(6, &[], &datagram)),
            eth(&first_fragment),
            eth(&later_fragment),
            eth(&ipv6_fragment),
            eth(&ipv4(17, &[], &udp(53, 5000, b"a name"))),
            eth(&ipv4(17, &[], &udp(9000, 5000, &[0xFF; 100]))),
            eth(&from_server(2)),
            vec![],
        ],
    );
    let all = read_both(&file);
    assert_eq!((numbers(&all), all.errors), (vec![2], vec![]));
    let summary = all.summary;
    assert_eq!((summary.records, summary.packets, summary.not_udp), (10, 1, 4));
    assert_eq!((summary.ip_fragments, summary.not_ours), (3, 2));
    assert_eq!((summary.first_time, summary.last_time), (Some(1.5), Some(10.5)));
    assert_eq!(
        summary.to_string(),
        "10 records, 1 packet, 1 message (1 S2C, 0 C2S), 4 not UDP, 2 of other protocols, 3 IP fragments"
    );
}

#[test]
fn pcapng_is_read_in_both_byte_orders_with_every_kind_of_packet_block() {
    for order in [Order::Little, Order::Big] {
        let old = {
            let packet = from_server(2);
            let len = order.u32(packet.len() as u32);
            let head = [order.u16(1), order.u16(0)].concat();
            block(order, 2, &[&head[..], &order.u32(0), &order.u32(2_500_000), &len, &len, &packet].concat())
        };
        let simple = {
            let packet = ethernet(0x0800, &from_server(3));
            block(order, 3, &[&order.u32(packet.len() as u32)[..], &packet].concat())
        };
        let offset = match order {
            Order::Little => 100_i64.to_le_bytes(),
            Order::Big => 100_i64.to_be_bytes(),
        };
        let nanoseconds = option(order, 9, &[9]);
        let halves =
            [option(order, 2, b"lo"), option(order, 9, &[0x81]), option(order, 14, &offset)].concat();
        let file = [
            section(order),
            interface(order, 1, 0, &nanoseconds),
            interface(order, 101, 0, &[]),
            interface(order, 101, 0, &halves),
            block(order, 0x0BAD, b"unknown"),
            enhanced(order, 0, 1_500_000_000, &ethernet(0x0800, &from_server(1))),
            old,
            simple,
            block(order, 5, &[0; 20]),
            enhanced(order, 2, 7, &from_server(4)),
        ]
        .concat();
        let all = read_both(&file);
        assert_eq!(numbers(&all), [1, 2, 3, 4]);
        assert!(all.messages.iter().map(|one| one.0).eq([1.5, 2.5, 2.5, 103.5]));
        assert_eq!(all.errors, []);
    }
}

#[test]
fn a_pcapng_section_resets_byte_order_and_interfaces() {
    let (little, big) = (Order::Little, Order::Big);
    let file = [
        section(little),
        interface(little, 101, 0, &[]),
        enhanced(little, 0, 1_000_000, &from_server(1)),
        section(big),
        enhanced(big, 0, 2_000_000, &from_server(2)),
        interface(big, 101, 0, &[]),
        enhanced(big, 0, 3_000_000, &from_server(3)),
        section(little),
        interface(little, 147, 0, &[]),
        interface(little, 101, 0, &[]),
        enhanced(little, 0, 4_000_000, &from_server(4)),
        enhanced(little, 1, 5_000_000, &from_server(5)),
    ]
    .concat();
    let all = read_both(&file);
    assert_eq!(numbers(&all), [1, 3, 5]);
    let [unknown, unsupported] = &all.errors[..] else { panic!("{:?}", all.errors) };
    assert!(matches!(unknown, CaptureError::UnknownInterface { interface: 0, .. }));
    assert_eq!(*unsupported, CaptureError::UnsupportedInterface { interface: 0, link_type: 147 });
    assert_eq!((all.summary.records, all.summary.not_udp), (4, 1));
}

/// The first packet of a client.
fn login() -> Vec<u8> {
    let mut out = Vec::new();
    encode(PacketHeader::default(), [OptionalHeader::LoginRequest(b"1802")], [], &mut out).unwrap();
    out
}

fn ack() -> Vec<u8> {
    let mut out = Vec::new();
    encode(PacketHeader::default(), [OptionalHeader::AckSequence(1)], [], &mut out).unwrap();
    out
}

/// A packet of the client whose contents do not show the direction.
fn client_packet(number: u8) -> Vec<u8> {
    game_packet(u32::from(number), 0x0300_0000, &message(number))
}

/// An IPv4 packet in the opposite direction, from 10.0.0.2 to 10.0.0.1.
fn to_server(datagram: &[u8]) -> Vec<u8> {
    let mut ip = ipv4(17, &[], datagram);
    ip[12..20].copy_from_slice(&[10, 0, 0, 2, 10, 0, 0, 1]);
    ip
}

fn directions(all: &CaptureContents) -> Vec<Direction> {
    all.messages.iter().map(|one| one.1).collect()
}

#[test]
fn a_server_port_determines_the_direction() {
    use Direction::{C2S, S2C};
    let packets = [
        ipv4(17, &[], &udp(9001, 12345, &server_packet(1))),
        to_server(&udp(12345, 9000, &client_packet(1))),
        ipv4(17, &[], &udp(10013, 5000, &server_packet(2))),
    ];
    assert_eq!(directions(&read_both(&pcap(RAW, &packets))), [S2C, C2S, S2C]);
}

#[test]
fn on_other_ports_the_direction_is_known_once_a_packet_has_shown_it() {
    use Direction::{C2S, S2C};
    let packets = [
        ipv4(17, &[], &udp(4000, 5000, &client_packet(9))),
        to_server(&udp(5000, 4000, &login())),
        to_server(&udp(5000, 4000, &client_packet(1))),
        ipv4(17, &[], &udp(4001, 5000, &client_packet(2))),
        ipv4(17, &[], &udp(4000, 5000, &server_packet(3))),
        ipv4(17, &[], &udp(4000, 5000, &ack())),
    ];
    let all = read_both(&pcap(RAW, &packets));
    assert_eq!((numbers(&all), directions(&all)), (vec![1, 2, 3], vec![C2S, S2C, S2C]));
    assert_eq!((all.summary.undecided, all.summary.packets), (1, 5));
}

#[test]
fn with_two_server_ports_the_contents_determine_the_direction() {
    use Direction::{C2S, S2C};
    let action = game_packet(1, 0x0300_0000, &[0xB1, 0xF7, 0, 0]);
    let packets = [
        ipv4(17, &[], &udp(9000, 9100, &client_packet(1))),
        to_server(&udp(9100, 9000, &action)),
        to_server(&udp(9100, 9000, &client_packet(2))),
        ipv4(17, &[], &udp(9000, 9100, &client_packet(3))),
    ];
    assert_eq!(directions(&read_both(&pcap(RAW, &packets))), [S2C, C2S, C2S, S2C]);
}

/// The sequence numbers of a client start again with a new login, so the messages are not repeats.
#[test]
fn a_new_login_is_a_new_session() {
    let login = to_server(&udp(5000, 9000, &login()));
    let packets = [login.clone(), login.clone(), from_server(1), from_server(1), login, from_server(1)];
    let file = pcap(RAW, &packets);
    let all = read_both(&file);
    assert_eq!((numbers(&all), all.summary.repeated_fragments), (vec![1, 1], 1));
    let mut reader = CaptureReader::from_slice(&file);
    assert_eq!(reader.next_message().unwrap().unwrap().session, 1);
    assert_eq!(reader.next_message().unwrap().unwrap().session, 2);
}

#[test]
fn reading_continues_after_damaged_and_truncated_packets() {
    let mut damaged = from_server(2);
    damaged[28 + 20 + 8] = 0;
    let whole = from_server(3);
    let packets = [from_server(1), damaged, whole[..whole.len() - 3].to_vec(), from_server(4)];
    let all = read_both(&pcap(RAW, &packets));
    assert_eq!((numbers(&all), all.summary.damaged), (vec![1, 4], 2));
    let index = PacketError::FragmentIndex { offset: 20, index: 0, count: 0 };
    assert_eq!(all.errors[0], CaptureError::InvalidPacket { record: 2, time: 2.5, error: index });
    let cut = PacketError::SizeMismatch { claimed: 24, had: 21 };
    assert_eq!(all.errors[1], CaptureError::InvalidPacket { record: 3, time: 3.5, error: cut });
    assert!(all.errors.iter().all(|error| !error.is_fatal()));
}

#[test]
fn files_that_are_not_captures_are_rejected() {
    assert_eq!(read_both(b"").errors, [CaptureError::Empty]);
    assert_eq!(read_both(b"PK\x03\x04....").errors, [CaptureError::NotACapture { found: *b"PK\x03\x04" }]);
    assert_eq!(read_both(&pcap(147, &[])).errors, [CaptureError::UnsupportedLinkType { link_type: 147 }]);
    let short = CaptureError::Truncated { offset: 0, needed: 4, had: 3 };
    assert_eq!(read_both(&[0xD4, 0xC3, 0xB2]).errors, [short]);
}

#[test]
fn a_truncated_last_record_is_an_error_after_all_complete_messages() {
    let file = pcap(RAW, &[from_server(1), from_server(2)]);
    let all = read_both(&file[..file.len() - 1]);
    assert_eq!(numbers(&all), [1]);
    let record = 16 + from_server(1).len() as u64;
    let cut = CaptureError::Truncated { offset: 24 + record, needed: record, had: record - 1 };
    assert_eq!((all.errors, all.summary.truncated), (vec![cut], true));
}

#[test]
fn json_lines_are_read_with_short_and_long_field_names() {
    let text = "\n{\"t\": 56.801316, \"dir\": \"c2s\", \"hex\": \"B1f7\"}\r\n\n\
        {\"note\":{\"a\":[1,\"}\\\"\"]},\"time\":-1e3,\"direction\":\"S2C\",\"raw_hex\":\"\",\"x\":null}\n\
        {\"t\":1,\"dir\":\"S2C\",\"hex\":\"00\"}";
    let all = read_both(text.as_bytes());
    assert_eq!(all.errors, []);
    assert_eq!(
        all.messages,
        [
            (56.801_316, Direction::C2S, vec![0xB1, 0xF7]),
            (-1000.0, Direction::S2C, vec![]),
            (1.0, Direction::S2C, vec![0])
        ]
    );
    assert_eq!((all.summary.records, all.summary.packets), (3, 3));
}

#[test]
fn an_invalid_line_is_an_error_with_line_and_column() {
    let cases = [
        ("{\"t\":1,\"dir\":\"s2c\"}", 1, "missing field \"hex\""),
        ("{\"t\":\"1\",\"dir\":\"s2c\",\"hex\":\"\"}", 6, "the time is not a number"),
        ("{\"t\":inf,\"dir\":\"s2c\",\"hex\":\"\"}", 6, "the time is not a number"),
        ("{\"t\":1e999,\"dir\":\"s2c\",\"hex\":\"\"}", 6, "the time is not a number"),
        ("{\"t\":1,\"dir\":\"up\",\"hex\":\"\"}", 14, "the direction is neither s2c nor c2s"),
        ("{\"t\":1,\"dir\":\"s2c\",\"hex\":\"0\"}", 27, "an odd number of hex digits"),
        ("{\"t\":1,\"dir\":\"s2c\",\"hex\":\"0g\"}", 27, "expected hexadecimal digits"),
        ("{\"t\":1,\"dir\":\"s2c\",\"hex\":7}", 26, "the bytes are not a string"),
        ("{\"x\":1]}", 7, "expected a comma or the end of the object"),
        ("{\"t\":1,\"dir\":\"s2", 14, "the string is not closed"),
        ("{\"t\":1,\"x\":[2", 12, "the value is incomplete"),
        ("{\"t\":1} x", 9, "unexpected text after the object"),
        ("[1]", 1, "expected an object"),
    ];
    for (line, column, what) in cases {
        let text = format!(
            "{{\"t\":0,\"dir\":\"s2c\",\"hex\":\"\"}}\n{line}\n{{\"t\":2,\"dir\":\"c2s\",\"hex\":\"\"}}\n"
        );
        let all = read_both(text.as_bytes());
        assert_eq!(all.messages.len(), 2, "{line}");
        let [CaptureError::InvalidLine { line: 2, what: found, column: found_column }] = all.errors[..]
        else {
            panic!("{line}: {:?}", all.errors)
        };
        assert_eq!((found, found_column), (what, column), "{line}");
    }
}

/// Returns one part per call, and fails the test if it is asked for more than has been written.
struct Live {
    parts: std::vec::IntoIter<Vec<u8>>,
}

impl Read for Live {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let part = self.parts.next().expect("the reader must not wait for bytes it does not need");
        buffer[..part.len()].copy_from_slice(&part);
        Ok(part.len())
    }
}

#[test]
fn each_message_is_returned_before_the_next_record_exists() {
    let pcap_parts = (1..=3).map(|n| pcap_record(Order::Little, 1, 0, &from_server(n)));
    let ng_parts = (1..=3).map(|n| enhanced(Order::Little, 0, 0, &from_server(n)));
    let hex: String = message(0).iter().map(|byte| format!("{byte:02x}")).collect();
    let line = format!("{{\"t\":1,\"dir\":\"s2c\",\"hex\":\"{hex}\"}}\n").into_bytes();
    let ng_header = [section(Order::Little), interface(Order::Little, 101, 0, &[])].concat();
    let forms: [Vec<Vec<u8>>; 3] = [
        std::iter::once(pcap_header(Order::Little, 0xA1B2_C3D4, RAW)).chain(pcap_parts).collect(),
        std::iter::once(ng_header).chain(ng_parts).collect(),
        vec![line; 3],
    ];
    for parts in forms {
        let mut reader = CaptureReader::new(Live { parts: parts.into_iter() });
        for _ in 0..3 {
            assert_eq!(reader.next_message().unwrap().unwrap().bytes.len(), 8);
        }
    }
}

/// Returns `WouldBlock` on every other call.
struct NonBlocking<'a>(Chunks<'a>, bool);

impl Read for NonBlocking<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.1 = !self.1;
        if self.1 { Err(io::ErrorKind::WouldBlock.into()) } else { self.0.read(buffer) }
    }
}

#[test]
fn reading_continues_after_a_source_would_block() {
    let ng = [
        section(Order::Little),
        interface(Order::Little, 101, 0, &[]),
        block(Order::Little, 0x0BAD, &[0; 100]),
        enhanced(Order::Little, 0, 0, &from_server(1)),
        enhanced(Order::Little, 0, 0, &from_server(2)),
    ];
    for file in [pcap(RAW, &[from_server(1), from_server(2)]), ng.concat()] {
        let all = read(CaptureReader::new(NonBlocking(Chunks::new(&file, 5), false)));
        assert_eq!(numbers(&all), [1, 2]);
        assert!(all.errors.len() > 10 && all.errors.iter().all(|error| !error.is_fatal()));
    }
}

/// The file is larger than the buffer of a stream.
#[test]
fn a_stream_returns_the_same_messages_for_any_chunk_size() {
    let records: Vec<_> =
        (0..5000_u32).map(|n| ipv4(17, &[], &udp(9000, 5000, &server_packet(n as u8)))).collect();
    let file = pcap(RAW, &records);
    let whole = read(CaptureReader::from_slice(&file));
    for chunk in [7, 1000, 65536, usize::MAX] {
        let stream = read(CaptureReader::new(Chunks::new(&file, chunk)));
        assert_eq!((&stream.messages, stream.summary), (&whole.messages, whole.summary));
    }
}

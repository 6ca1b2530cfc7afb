//! Packets and fragments: every optional header, every error, and reassembly step by step.

use acmotion_wire::Direction;
use acmotion_wire::packet::{
    EncodeError, Fragment, FragmentHeader, OptionalHeader, Packet, PacketError, PacketFlags, PacketHeader,
    PushResult, Reassembler, ReassemblyLimits, SequenceList, StreamId, encode, hash32, seal,
};

const SERVER: StreamId = StreamId { session: 1, direction: Direction::S2C };
const CLIENT: StreamId = StreamId { session: 1, direction: Direction::C2S };

/// Every optional header with its length in bytes (`docs/wire.md` §1.2).
fn every_optional() -> [(OptionalHeader<'static>, usize); 17] {
    let seeds = [0x1122_3344, 0x5566_7788];
    let missing = SequenceList::from_le_bytes(&[[7, 0, 0, 0], [9, 0, 0, 0]]);
    [
        (OptionalHeader::ServerSwitch { sequence: 1, kind: 2 }, 8),
        (OptionalHeader::LogonServerAddress([3; 16]), 16),
        (OptionalHeader::Referral { cookie: 4, address: [5; 16], server_id: 6, padding: 7, tail: 8 }, 32),
        (OptionalHeader::RequestRetransmit(missing), 12),
        (OptionalHeader::RejectRetransmit(SequenceList::default()), 4),
        (OptionalHeader::AckSequence(9), 4),
        (OptionalHeader::WorldLogin([10; 8]), 8),
        (OptionalHeader::ConnectRequest { time: 1.5, cookie: 11, net_id: 12, seeds, padding: 13 }, 32),
        (OptionalHeader::ConnectResponse([14; 8]), 8),
        (OptionalHeader::NetError([15; 8]), 8),
        (OptionalHeader::NetErrorDisconnect([16; 8]), 8),
        (OptionalHeader::IcmdCommand([17; 8]), 8),
        (OptionalHeader::TimeSync(2.5), 8),
        (OptionalHeader::EchoRequest(3.5), 4),
        (OptionalHeader::EchoResponse(4.5, 5.5), 8),
        (OptionalHeader::Flow { bytes: 18, interval: 19 }, 6),
        (OptionalHeader::LoginRequest(b"1802"), 4),
    ]
}

fn fragment(sequence: u32, index: u16, count: u16, data: &[u8]) -> Fragment<'_> {
    Fragment { header: FragmentHeader { sequence, id: 0x8000_0000, count, index, queue: 10 }, data }
}

fn packet(optional: &[OptionalHeader<'_>], fragments: &[Fragment<'_>]) -> Vec<u8> {
    let header = PacketHeader { sequence: 5, recipient: 6, time: 7, iteration: 8, ..PacketHeader::default() };
    let mut out = Vec::new();
    encode(header, optional.iter().copied(), fragments.iter().copied(), &mut out).unwrap();
    out
}

#[test]
fn header_fields_are_encoded_in_wire_order() {
    let header = PacketHeader {
        sequence: 0x0403_0201,
        flags: PacketFlags::from_bits_retain(0x0807_0605),
        checksum: 0x0C0B_0A09,
        recipient: 0x0E0D,
        time: 0x100F,
        size: 0x1211,
        iteration: 0x1413,
    };
    let bytes: Vec<u8> = (1..=20).collect();
    assert_eq!(header.encode()[..], bytes[..]);
    assert_eq!(PacketHeader::decode(&bytes), Ok(header));
}

#[test]
fn fragment_fields_are_encoded_in_wire_order() {
    let header =
        FragmentHeader { sequence: 0x0403_0201, id: 0x0807_0605, count: 0x0A09, index: 1, queue: 10 };
    let mut out = Vec::new();
    Fragment { header, data: b"ab" }.encode(&mut out).unwrap();
    assert_eq!(out, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 18, 0, 1, 0, 10, 0, b'a', b'b']);
}

#[test]
fn every_optional_header_has_its_length_and_round_trips() {
    for (header, len) in every_optional() {
        let bytes = packet(&[header], &[]);
        assert_eq!(bytes.len(), 20 + len, "{header:?}");
        let decoded = Packet::decode(&bytes).unwrap();
        assert_eq!(decoded.header.flags, header.flag());
        assert_eq!(decoded.optional().collect::<Vec<_>>(), [header]);
    }
}

#[test]
fn all_optional_headers_together_are_in_bit_order_and_leave_fragments_unaligned() {
    let all = every_optional().map(|(header, _)| header);
    let bytes = packet(&all[..16], &[fragment(1, 0, 1, b"one"), fragment(2, 0, 1, b"two")]);
    let decoded = Packet::decode(&bytes).unwrap();
    assert!(decoded.optional().eq(all[..16].iter().copied()));
    assert!(decoded.fragments().map(|fragment| fragment.data).eq([b"one", b"two"]));
    assert_eq!((bytes.len() - decoded.body().len()) % 4, 2);
}

#[test]
fn a_sequence_list_iterates_over_its_numbers() {
    let list = SequenceList::from_le_bytes(&[[7, 0, 0, 0], [0, 1, 0, 0]]);
    assert!(list.iter().eq([7, 256]));
    assert_eq!((list.len(), list.is_empty()), (2, false));
}

#[test]
fn flags_without_an_optional_header_are_kept() {
    let flags = PacketFlags::RETRANSMISSION
        | PacketFlags::ENCRYPTED_CHECKSUM
        | PacketFlags::EMPTY_HEADER_1
        | PacketFlags::DISCONNECT
        | PacketFlags::FRAGMENTS;
    let header = PacketHeader { flags, ..PacketHeader::default() };
    let mut bytes = Vec::new();
    encode(header, [], [], &mut bytes).unwrap();
    let decoded = Packet::decode(&bytes).unwrap();
    assert_eq!(decoded.header, header);
    assert_eq!(decoded.checksum_matches(), None);
}

#[test]
fn the_checksum_is_the_sum_of_words_and_lengths() {
    assert_eq!(hash32(&[]), 0);
    assert_eq!(hash32(&[1, 0, 0, 0]), 0x0004_0001);
    assert_eq!(hash32(&[1, 0, 0, 0, 2, 3, 4]), 0x0007_0001 + 0x0203_0400);
    let mut bytes = Vec::new();
    encode(
        PacketHeader { sequence: 1, ..PacketHeader::default() },
        [OptionalHeader::AckSequence(9)],
        [],
        &mut bytes,
    )
    .unwrap();
    seal(&mut bytes).unwrap();
    // The lengths 20 and 4, the placeholder 0xBADD70DD, sequence 1, flags 0x4000, size 4, and acknowledged packet 9.
    assert_eq!(bytes[8..12], 0xBAF5_B0EB_u32.to_le_bytes());
    assert_eq!(Packet::decode(&bytes).unwrap().checksum_matches(), Some(true));
    bytes[20] ^= 1;
    assert_eq!(Packet::decode(&bytes).unwrap().checksum_matches(), Some(false));
}

#[test]
fn errors_name_the_item_its_offset_and_the_bytes_needed() {
    assert_eq!(
        Packet::decode(&[0; 19]).unwrap_err().to_string(),
        "packet header at offset 0 needs 20 bytes, 19 are left"
    );
    let mut bytes = packet(&[OptionalHeader::AckSequence(1)], &[]);
    bytes.push(0);
    assert_eq!(Packet::decode(&bytes).unwrap_err(), PacketError::SizeMismatch { claimed: 4, had: 5 });
    bytes[16] = 5;
    assert_eq!(Packet::decode(&bytes).unwrap_err(), PacketError::TrailingBytes { offset: 24, had: 1 });
    bytes[7] = 0x80;
    let unknown = PacketError::UnknownFlags { flags: 0x8000_4000, unknown: 0x8000_0000 };
    assert_eq!(Packet::decode(&bytes).unwrap_err(), unknown);
}

#[test]
fn a_sequence_list_with_a_huge_count_is_an_error() {
    let mut bytes = packet(&[OptionalHeader::RequestRetransmit(SequenceList::default())], &[]);
    bytes[20..24].fill(0xFF);
    assert!(matches!(
        Packet::decode(&bytes).unwrap_err(),
        PacketError::TooShort { what: "request retransmit", offset: 24, had: 0, .. }
    ));
}

#[test]
fn invalid_fragment_headers_are_errors() {
    let valid = packet(&[], &[fragment(1, 0, 1, b"data")]);
    let with = |offset: usize, value: u16| {
        let mut bytes = valid.clone();
        bytes[offset..offset + 2].copy_from_slice(&value.to_le_bytes());
        Packet::decode(&bytes).map(|_| ()).unwrap_err()
    };
    assert_eq!(with(30, 15), PacketError::FragmentSize { offset: 20, size: 15 });
    assert_eq!(with(30, 465), PacketError::FragmentSize { offset: 20, size: 465 });
    let short = PacketError::TooShort { what: "fragment data", offset: 36, needed: 5, had: 4 };
    assert_eq!(with(30, 21), short);
    assert_eq!(with(28, 0), PacketError::FragmentIndex { offset: 20, index: 0, count: 0 });
    assert_eq!(with(32, 1), PacketError::FragmentIndex { offset: 20, index: 1, count: 1 });
    let cut = PacketError::TooShort { what: "fragment header", offset: 39, needed: 16, had: 1 };
    assert_eq!(with(30, 19), cut);
}

#[test]
fn packets_that_could_not_be_decoded_are_not_encoded() {
    let mut out = vec![1, 2, 3];
    let mut encode_error = |optional: &[OptionalHeader<'_>], fragments: &[Fragment<'_>]| {
        let header = PacketHeader::default();
        let error =
            encode(header, optional.iter().copied(), fragments.iter().copied(), &mut out).unwrap_err();
        assert_eq!(out, [1, 2, 3]);
        error
    };
    let (ack, flow) = (OptionalHeader::AckSequence(1), OptionalHeader::Flow { bytes: 0, interval: 0 });
    let order = |before, after| EncodeError::OptionalOrder { before, after };
    assert_eq!(encode_error(&[flow, ack], &[]), order(0x800_0000, 0x4000));
    assert_eq!(encode_error(&[ack, ack], &[]), order(0x4000, 0x4000));
    let login = OptionalHeader::LoginRequest(b"x");
    assert_eq!(encode_error(&[login, flow], &[]), EncodeError::AfterLoginRequest);
    assert_eq!(encode_error(&[login], &[fragment(1, 0, 1, b"")]), EncodeError::AfterLoginRequest);
    assert_eq!(encode_error(&[], &[fragment(1, 0, 1, &[0; 449])]), EncodeError::FragmentTooLong { len: 449 });
    assert_eq!(
        encode_error(&[], &[fragment(1, 2, 2, b"")]),
        EncodeError::FragmentIndex { index: 2, count: 2 }
    );
    assert_eq!(
        encode_error(&[], &[fragment(1, 0, 1, &[0; 448]); 142]),
        EncodeError::PacketTooLong { size: 65888 }
    );
}

#[test]
fn a_message_of_one_fragment_borrows_from_it() {
    let mut reassembler = Reassembler::default();
    let data = [1, 2, 3, 4];
    let PushResult::Message(message) = reassembler.push(SERVER, &fragment(1, 0, 1, &data)) else { panic!() };
    assert!(std::ptr::eq(message, &data[..]));
}

#[test]
fn fragments_may_arrive_out_of_order_and_interleaved() {
    let mut reassembler = Reassembler::default();
    assert_eq!(reassembler.push(SERVER, &fragment(1, 2, 3, b"c")), PushResult::Waiting);
    assert_eq!(reassembler.push(SERVER, &fragment(2, 0, 2, b"x")), PushResult::Waiting);
    assert_eq!(reassembler.push(SERVER, &fragment(1, 0, 3, b"a")), PushResult::Waiting);
    assert_eq!(reassembler.push(SERVER, &fragment(3, 0, 1, b"single")), PushResult::Message(b"single"));
    assert_eq!((reassembler.pending_messages(), reassembler.missing_fragments()), (2, 2));
    assert_eq!(reassembler.push(SERVER, &fragment(2, 1, 2, b"y")), PushResult::Message(b"xy"));
    assert_eq!(reassembler.push(SERVER, &fragment(1, 1, 3, b"b")), PushResult::Message(b"abc"));
    assert_eq!((reassembler.pending_messages(), reassembler.pending_bytes()), (0, 0));
}

#[test]
fn repeats_are_ignored_before_and_after_the_message_is_complete() {
    let mut reassembler = Reassembler::default();
    assert_eq!(reassembler.push(SERVER, &fragment(1, 0, 2, b"a")), PushResult::Waiting);
    assert_eq!(reassembler.push(SERVER, &fragment(1, 0, 2, b"a")), PushResult::Repeated);
    assert_eq!(reassembler.push(SERVER, &fragment(1, 1, 2, b"b")), PushResult::Message(b"ab"));
    assert_eq!(reassembler.push(SERVER, &fragment(1, 1, 2, b"b")), PushResult::Repeated);
    assert_eq!(reassembler.push(SERVER, &fragment(2, 0, 1, b"c")), PushResult::Message(b"c"));
    assert_eq!(reassembler.push(SERVER, &fragment(2, 0, 1, b"c")), PushResult::Repeated);
    assert_eq!(reassembler.stats().repeated, 3);
}

#[test]
fn messages_of_other_directions_sessions_and_ids_are_distinct() {
    let mut reassembler = Reassembler::default();
    let other_session = StreamId { session: 2, ..SERVER };
    let mut other_id = fragment(1, 0, 1, b"id");
    other_id.header.id = 1;
    assert_eq!(reassembler.push(SERVER, &fragment(1, 0, 1, b"s")), PushResult::Message(b"s"));
    assert_eq!(reassembler.push(CLIENT, &fragment(1, 0, 1, b"c")), PushResult::Message(b"c"));
    assert_eq!(reassembler.push(other_session, &fragment(1, 0, 1, b"o")), PushResult::Message(b"o"));
    assert_eq!(reassembler.push(SERVER, &other_id), PushResult::Message(b"id"));
}

#[test]
fn contradicting_and_excessive_fragment_counts_are_refused() {
    let mut reassembler = Reassembler::default();
    assert_eq!(reassembler.push(SERVER, &fragment(1, 0, 2, b"a")), PushResult::Waiting);
    assert_eq!(reassembler.push(SERVER, &fragment(1, 1, 3, b"?")), PushResult::Refused);
    assert_eq!(reassembler.push(SERVER, &fragment(2, 0, 65535, b"?")), PushResult::Refused);
    assert_eq!(reassembler.push(SERVER, &fragment(1, 1, 2, b"b")), PushResult::Message(b"ab"));
    assert_eq!(reassembler.stats().refused, 2);
}

#[test]
fn the_oldest_message_is_dropped_when_a_limit_is_exceeded() {
    let mut reassembler =
        Reassembler::new(ReassemblyLimits { max_messages: 2, max_bytes: 1000, max_fragments: 10 });
    for sequence in 1..=3 {
        assert_eq!(reassembler.push(SERVER, &fragment(sequence, 0, 2, b"a")), PushResult::Waiting);
    }
    assert_eq!(reassembler.stats().dropped_messages, 1);
    assert_eq!(reassembler.push(SERVER, &fragment(2, 1, 2, b"b")), PushResult::Message(b"ab"));
    assert_eq!(reassembler.push(SERVER, &fragment(1, 1, 2, b"b")), PushResult::Waiting);
    assert_eq!(reassembler.push(SERVER, &fragment(4, 0, 9, &[0; 448])), PushResult::Waiting);
    assert_eq!(reassembler.push(SERVER, &fragment(4, 1, 9, &[0; 448])), PushResult::Waiting);
    assert_eq!(reassembler.push(SERVER, &fragment(4, 2, 9, &[0; 448])), PushResult::Waiting);
    assert!(reassembler.pending_bytes() <= 1000);
    assert_eq!(reassembler.pending_messages(), 0);
}

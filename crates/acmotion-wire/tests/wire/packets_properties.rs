//! Packets and fragments with arbitrary and damaged bytes.

use acmotion_wire::Direction;
use acmotion_wire::packet::{
    Fragment, FragmentHeader, OptionalHeader, Packet, PacketFlags, PacketHeader, PushResult, Reassembler,
    ReassemblyLimits, SequenceList, StreamId, encode, seal,
};
use proptest::collection::vec;
use proptest::prelude::*;

const SERVER: StreamId = StreamId { session: 1, direction: Direction::S2C };

fn reencode(packet: &Packet<'_>) -> Vec<u8> {
    let mut out = Vec::new();
    encode(packet.header, packet.optional(), packet.fragments(), &mut out).unwrap();
    out
}

prop_compose! {
    fn fragment_header()(
        sequence: u32, id: u32, count in 1..=u16::MAX, pick: u16, queue: u16
    ) -> FragmentHeader {
        FragmentHeader { sequence, id, count, index: pick % count, queue }
    }
}

prop_compose! {
    fn packet_header()(
        sequence: u32, bare in 0_u32..8, checksum: u32, recipient: u16, time: u16, iteration: u16
    ) -> PacketHeader {
        let flags = PacketFlags::from_bits_retain(bare);
        PacketHeader { sequence, flags, checksum, recipient, time, size: 0, iteration }
    }
}

/// Returns one optional header for each bit of `mask`.
fn optional<'a>(mask: u16, raw: &'a [u8; 32], list: &'a [[u8; 4]]) -> Vec<OptionalHeader<'a>> {
    let word = |at: usize| u32::from_le_bytes(raw[at..at + 4].try_into().unwrap());
    let long = |at: usize| u64::from_le_bytes(raw[at..at + 8].try_into().unwrap());
    let eight: [u8; 8] = raw[..8].try_into().unwrap();
    let address: [u8; 16] = raw[8..24].try_into().unwrap();
    let half = word(24) as u16;
    let all = [
        OptionalHeader::ServerSwitch { sequence: word(0), kind: word(4) },
        OptionalHeader::LogonServerAddress(address),
        OptionalHeader::Referral { cookie: long(0), address, server_id: half, padding: half, tail: word(28) },
        OptionalHeader::RequestRetransmit(SequenceList::from_le_bytes(list)),
        OptionalHeader::RejectRetransmit(SequenceList::from_le_bytes(list)),
        OptionalHeader::AckSequence(word(0)),
        OptionalHeader::WorldLogin(eight),
        OptionalHeader::ConnectRequest {
            time: f64::from_bits(long(0)),
            cookie: long(8),
            net_id: word(16),
            seeds: [word(20), word(24)],
            padding: word(28),
        },
        OptionalHeader::ConnectResponse(eight),
        OptionalHeader::NetError(eight),
        OptionalHeader::NetErrorDisconnect(eight),
        OptionalHeader::IcmdCommand(eight),
        OptionalHeader::TimeSync(f64::from_bits(long(0))),
        OptionalHeader::EchoRequest(f32::from_bits(word(0))),
        OptionalHeader::EchoResponse(f32::from_bits(word(0)), f32::from_bits(word(4))),
        OptionalHeader::Flow { bytes: word(0), interval: half },
    ];
    all.into_iter().enumerate().filter(|(i, _)| mask >> i & 1 == 1).map(|(_, header)| header).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn any_bytes_that_decode_encode_to_themselves(bytes in vec(any::<u8>(), 0..600)) {
        if let Ok(packet) = Packet::decode(&bytes) {
            prop_assert_eq!(reencode(&packet), bytes);
        }
    }

    #[test]
    fn bytes_after_a_plausible_header_that_decode_encode_to_themselves(
        flags: u32, header in packet_header(), rest in vec(any::<u8>(), 0..200)
    ) {
        let flags = PacketFlags::from_bits_truncate(flags);
        let header = PacketHeader { flags, size: rest.len() as u16, ..header };
        let bytes = [&header.encode()[..], &rest].concat();
        if let Ok(packet) = Packet::decode(&bytes) {
            prop_assert_eq!(reencode(&packet), bytes);
        }
    }

    #[test]
    fn any_packet_round_trips(
    header in packet_header(),
        mask: u16,
        raw: [u8; 32],
        list in vec(any::<[u8; 4]>(), 0..5),
        parts in vec((fragment_header(), vec(any::<u8>(), 0..=448)), 0..5),
    ) {
        let optional = optional(mask, &raw, &list);
        let fragments: Vec<_> = parts.iter().map(|(header, data)| Fragment { header: *header, data }).collect();
        let mut bytes = Vec::new();
        encode(header, optional.iter().copied(), fragments.iter().copied(), &mut bytes).unwrap();
        let packet = Packet::decode(&bytes).unwrap();
        prop_assert!(packet.fragments().eq(fragments));
        prop_assert_eq!(packet.optional().count(), optional.len());
        prop_assert_eq!(reencode(&packet), &bytes[..]);
        seal(&mut bytes).unwrap();
        prop_assert_ne!(Packet::decode(&bytes).unwrap().checksum_matches(), Some(false));
    }

    /// A message is returned exactly once if all of its fragments arrive, and never if one is lost.
    #[test]
    fn exactly_the_complete_messages_are_returned(
        messages in vec(vec(vec(any::<u8>(), 0..=40), 1..12), 1..20),
        losses in vec((any::<prop::sample::Index>(), any::<prop::sample::Index>()), 0..4),
        repeats in vec(any::<prop::sample::Index>(), 0..30),
        seed: u64,
    ) {
        let lost: Vec<_> = losses
            .iter()
            .map(|(message, part)| {
                let message = message.index(messages.len());
                (message, part.index(messages[message].len()))
            })
            .collect();
        let mut sent: Vec<_> = (0..messages.len())
            .flat_map(|message| (0..messages[message].len()).map(move |part| (message, part)))
            .filter(|fragment| !lost.contains(fragment))
            .collect();
        if !sent.is_empty() {
            let again: Vec<_> = repeats.iter().map(|index| *index.get(&sent)).collect();
            sent.extend(again);
        }
        shuffle(&mut sent, seed);

        let mut reassembler = Reassembler::default();
        let mut got = vec![None; messages.len()];
        for (message, index) in sent {
            let parts = &messages[message];
            let header = FragmentHeader {
                sequence: message as u32, id: 0x8000_0000, count: parts.len() as u16, index: index as u16, queue: 10,
            };
            if let PushResult::Message(bytes) = reassembler.push(SERVER, &Fragment { header, data: &parts[index] }) {
                prop_assert!(got[message].replace(bytes.to_vec()).is_none());
            }
        }
        for (message, parts) in messages.iter().enumerate() {
            let whole = !lost.iter().any(|(other, _)| *other == message);
            prop_assert_eq!(&got[message], &whole.then(|| parts.concat()));
        }
    }

    #[test]
    fn incomplete_messages_stay_within_the_limits(
        fragments in vec((0_u32..40, 2_u16..40, any::<u16>(), 0_usize..=448), 0..300),
        messages in 0_usize..10,
        bytes in 0_usize..4000,
    ) {
        let data = [0; 448];
        let limits = ReassemblyLimits { max_messages: messages, max_bytes: bytes, max_fragments: 30 };
        let mut reassembler = Reassembler::new(limits);
        let mut whole = 0;
        for (sequence, count, pick, len) in fragments {
            let header = FragmentHeader { sequence, id: 0, count, index: pick % count, queue: 0 };
            let pushed = reassembler.push(SERVER, &Fragment { header, data: &data[..len] });
            whole += u64::from(matches!(pushed, PushResult::Message(_)));
            prop_assert!(reassembler.pending_messages() <= messages);
            prop_assert!(reassembler.pending_bytes() <= bytes);
        }
        prop_assert_eq!(reassembler.stats().messages, whole);
    }
}

fn shuffle<T>(items: &mut [T], seed: u64) {
    let mut random = Random(seed);
    for i in (1..items.len()).rev() {
        items.swap(i, random.below(i + 1));
    }
}

struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }
}

/// Decodes 400,000 damaged packets. Each encodes to itself or is an error with a text.
#[test]
fn damaged_packets_decode_or_fail_cleanly() {
    let raw: [u8; 32] = std::array::from_fn(|i| i as u8);
    let data = [7; 448];
    let mut random = Random(1);
    let mut reassembler =
        Reassembler::new(ReassemblyLimits { max_messages: 16, max_bytes: 10_000, max_fragments: 64 });
    let (mut packets, mut errors) = (0, 0);
    for round in 0..400_000_u32 {
        let mask = if round % 3 == 0 { 0 } else { random.below(65536) as u16 };
        let headers = optional(mask, &raw, &[[1; 4], [2; 4]]);
        let fragments: Vec<_> = (0..random.below(4) as u16)
            .map(|index| {
                let header = FragmentHeader { sequence: round / 7, id: 9, count: 4, index, queue: 10 };
                Fragment { header, data: &data[..random.below(60)] }
            })
            .collect();
        let mut bytes = Vec::new();
        encode(PacketHeader::default(), headers, fragments, &mut bytes).unwrap();
        damage(&mut bytes, &mut random);
        match Packet::decode(&bytes) {
            Ok(packet) => {
                packets += 1;
                assert_eq!(reencode(&packet), bytes);
                for fragment in packet.fragments() {
                    reassembler.push(SERVER, &fragment);
                }
                assert!(reassembler.pending_bytes() <= 10_000);
            }
            Err(error) => {
                errors += 1;
                assert!(!error.to_string().is_empty());
            }
        }
    }
    assert!(packets > 20_000 && errors > 20_000, "{packets} packets, {errors} errors");
}

fn damage(bytes: &mut Vec<u8>, random: &mut Random) {
    for _ in 0..random.below(4) {
        let at = random.below(bytes.len());
        bytes[at] = match random.below(4) {
            0 => 0,
            1 => 0xFF,
            2 => bytes[at] ^ 1 << random.below(8),
            _ => random.below(256) as u8,
        };
    }
    if random.below(4) == 0 {
        bytes.truncate(20 + random.below(bytes.len()));
        if random.below(2) == 0 {
            let size = (bytes.len() - 20) as u16;
            bytes[16..18].copy_from_slice(&size.to_le_bytes());
        }
    }
}

//! Builders for captures, and helpers to read them.
#![allow(dead_code, unreachable_pub, reason = "each test file uses only a part")]

use std::io::{self, Read};

use acmotion_wire::Direction;
use acmotion_wire::capture::{CaptureError, CaptureReader, CaptureSource, CaptureSummary};
use acmotion_wire::packet::{Fragment, FragmentHeader, PacketHeader, encode, seal};

/// A server message that carries `number`.
pub fn message(number: u8) -> Vec<u8> {
    vec![0x46, 0xF7, 0, 0, number, 0, 0, 0x50]
}

/// A packet with one message in a single fragment.
pub fn game_packet(sequence: u32, id: u32, message: &[u8]) -> Vec<u8> {
    let header = FragmentHeader { sequence, id, count: 1, index: 0, queue: 10 };
    let mut out = Vec::new();
    encode(PacketHeader::default(), [], [Fragment { header, data: message }], &mut out).unwrap();
    seal(&mut out).unwrap();
    out
}

/// A packet of the server with sequence number `number`, and [`message`] with the same number.
pub fn server_packet(number: u8) -> Vec<u8> {
    game_packet(u32::from(number), 0x8000_0000, &message(number))
}

pub fn udp(from: u16, to: u16, payload: &[u8]) -> Vec<u8> {
    let len = payload.len() as u16 + 8;
    let header = [from, to, len, 0].map(u16::to_be_bytes);
    [header.as_flattened(), payload].concat()
}

pub fn ipv4(protocol: u8, options: &[u8], payload: &[u8]) -> Vec<u8> {
    let total = (20 + options.len() + payload.len()) as u16;
    let mut header = [0; 20];
    header[0] = 0x45 + (options.len() / 4) as u8;
    header[2..4].copy_from_slice(&total.to_be_bytes());
    header[9] = protocol;
    header[12..20].copy_from_slice(&[10, 0, 0, 1, 10, 0, 0, 2]);
    [&header, options, payload].concat()
}

pub fn ipv6(next: u8, payload: &[u8]) -> Vec<u8> {
    let mut header = [0; 40];
    header[0] = 0x60;
    header[4..6].copy_from_slice(&(payload.len() as u16).to_be_bytes());
    header[6] = next;
    header[23] = 1;
    header[39] = 2;
    [&header, payload].concat()
}

/// [`server_packet`] from port 9000, as an IPv4 packet.
pub fn from_server(number: u8) -> Vec<u8> {
    ipv4(17, &[], &udp(9000, 5000, &server_packet(number)))
}

pub fn ethernet(kind: u16, payload: &[u8]) -> Vec<u8> {
    [&[0xAA; 12][..], &kind.to_be_bytes(), payload].concat()
}

/// The byte order of a capture.
#[derive(Clone, Copy, PartialEq)]
pub enum Order {
    Little,
    Big,
}

impl Order {
    pub fn u32(self, value: u32) -> [u8; 4] {
        match self {
            Self::Little => value.to_le_bytes(),
            Self::Big => value.to_be_bytes(),
        }
    }

    pub fn u16(self, value: u16) -> [u8; 2] {
        match self {
            Self::Little => value.to_le_bytes(),
            Self::Big => value.to_be_bytes(),
        }
    }
}

pub fn pcap_header(order: Order, magic: u32, link: u32) -> Vec<u8> {
    let version = [order.u16(2), order.u16(4)];
    [&order.u32(magic)[..], version.as_flattened(), &[0; 8], &order.u32(65535), &order.u32(link)].concat()
}

/// A pcap record. Its original length is garbage, as in a real capture.
pub fn pcap_record(order: Order, seconds: u32, part: u32, packet: &[u8]) -> Vec<u8> {
    let fields = [seconds, part, packet.len() as u32, 0xDEAD_BEEF].map(|field| order.u32(field));
    [fields.as_flattened(), packet].concat()
}

/// A little-endian pcap file with microseconds and one record per second.
pub fn pcap(link: u32, packets: &[Vec<u8>]) -> Vec<u8> {
    let mut file = pcap_header(Order::Little, 0xA1B2_C3D4, link);
    for (second, packet) in (1..).zip(packets) {
        file.extend(pcap_record(Order::Little, second, 500_000, packet));
    }
    file
}

pub fn block(order: Order, kind: u32, body: &[u8]) -> Vec<u8> {
    let padded = body.len().next_multiple_of(4);
    let len = order.u32(padded as u32 + 12);
    let padding = vec![0; padded - body.len()];
    [&order.u32(kind)[..], &len, body, &padding, &len].concat()
}

pub fn section(order: Order) -> Vec<u8> {
    let version = [order.u16(1), order.u16(0)];
    block(order, 0x0A0D_0D0A, &[&order.u32(0x1A2B_3C4D)[..], version.as_flattened(), &[0xFF; 8]].concat())
}

pub fn interface(order: Order, link: u16, snap_len: u32, options: &[u8]) -> Vec<u8> {
    block(order, 1, &[&order.u16(link)[..], &[0; 2], &order.u32(snap_len), options].concat())
}

pub fn option(order: Order, code: u16, value: &[u8]) -> Vec<u8> {
    let padding = vec![0; value.len().next_multiple_of(4) - value.len()];
    [&order.u16(code)[..], &order.u16(value.len() as u16), value, &padding].concat()
}

pub fn enhanced(order: Order, interface: u32, ticks: u64, packet: &[u8]) -> Vec<u8> {
    let len = packet.len() as u32;
    let fields = [interface, (ticks >> 32) as u32, ticks as u32, len, len].map(|field| order.u32(field));
    block(order, 6, &[fields.as_flattened(), packet].concat())
}

/// The time, direction and bytes of a message.
pub type TimedMessage = (f64, Direction, Vec<u8>);

/// All messages, errors and counters of a capture.
pub struct CaptureContents {
    pub messages: Vec<TimedMessage>,
    pub errors: Vec<CaptureError>,
    pub summary: CaptureSummary,
}

pub fn read<S: CaptureSource>(mut reader: CaptureReader<S>) -> CaptureContents {
    let (mut messages, mut errors) = (Vec::new(), Vec::new());
    while let Some(item) = reader.next_message() {
        match item {
            Ok(message) => messages.push((message.time, message.direction, message.bytes.to_vec())),
            Err(error) => errors.push(error),
        }
    }
    assert!(reader.next_message().is_none());
    CaptureContents { messages, errors, summary: reader.summary() }
}

/// Reads a capture from a slice and from a stream of single bytes, and asserts that the results are equal.
pub fn read_both(file: &[u8]) -> CaptureContents {
    let slice = read(CaptureReader::from_slice(file));
    let stream = read(CaptureReader::new(Chunks::new(file, 1)));
    assert_eq!(slice.messages, stream.messages);
    assert_eq!(slice.errors, stream.errors);
    assert_eq!(slice.summary, stream.summary);
    slice
}

/// Returns the numbers of the messages, which must all come from [`message`].
pub fn numbers(all: &CaptureContents) -> Vec<u8> {
    all.messages
        .iter()
        .map(|(_, _, bytes)| {
            assert_eq!(*bytes, message(bytes[4]));
            bytes[4]
        })
        .collect()
}

/// Delivers `chunk` bytes per call, and is interrupted on every seventh call.
pub struct Chunks<'a> {
    bytes: &'a [u8],
    chunk: usize,
    calls: usize,
}

impl<'a> Chunks<'a> {
    pub fn new(bytes: &'a [u8], chunk: usize) -> Self {
        Self { bytes, chunk, calls: 0 }
    }
}

impl Read for Chunks<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.calls += 1;
        if self.calls.is_multiple_of(7) {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let len = self.chunk.min(self.bytes.len()).min(buffer.len());
        let (chunk, rest) = self.bytes.split_at(len);
        buffer[..len].copy_from_slice(chunk);
        self.bytes = rest;
        Ok(len)
    }
}

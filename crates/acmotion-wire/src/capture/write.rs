//! Writes messages to a pcap file.

use std::io::{self, Write};
use std::net::{Ipv4Addr, SocketAddrV4};

use thiserror::Error;

use crate::Direction;
use crate::packet::{
    EncodeError, Fragment, FragmentHeader, MAX_FRAGMENT_DATA, PacketError, PacketHeader, ReassemblyLimits,
    encode, seal,
};

const ETHERNET_LEN: usize = 14;
const IPV4_LEN: usize = 20;
const UDP_LEN: usize = 8;
/// The maximum payload of a UDP datagram over IPv4, in bytes.
const MAX_PAYLOAD: usize = 0xFFFF - IPV4_LEN - UDP_LEN;
// Locally administered addresses.
const SERVER_MAC: [u8; 6] = [0x02, 0, 0, 0, 0, 1];
const CLIENT_MAC: [u8; 6] = [0x02, 0, 0, 0, 0, 2];

/// An error while writing to a [`CaptureWriter`].
#[derive(Debug, Error)]
pub enum WriteError {
    /// The output could not be written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The time does not fit the 32-bit seconds of pcap.
    #[error("the time {time} is out of range, expected 0 to 2^32 seconds")]
    Time {
        /// The time, in seconds.
        time: f64,
    },
    /// The message has more fragments than a reader accepts.
    #[error("the message has {len} bytes, expected at most {limit}")]
    MessageTooLong {
        /// The length of the message in bytes.
        len: usize,
        /// The maximum length.
        limit: usize,
    },
    /// The payload does not fit a UDP datagram.
    #[error("the datagram has {len} bytes, expected at most 65507")]
    DatagramTooLong {
        /// The length of the payload in bytes.
        len: usize,
    },
    /// The packet could not be encoded.
    #[error(transparent)]
    Encode(#[from] EncodeError),
    /// The encoded packet could not be decoded.
    #[error(transparent)]
    Packet(#[from] PacketError),
}

/// The resolution of times in a written capture.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum TimeUnit {
    /// Microseconds, which every tool can read.
    #[default]
    Microseconds,
    /// Nanoseconds.
    Nanoseconds,
}

impl TimeUnit {
    const fn per_second(self) -> u32 {
        match self {
            Self::Microseconds => 1_000_000,
            Self::Nanoseconds => 1_000_000_000,
        }
    }

    const fn magic(self) -> u32 {
        match self {
            Self::Microseconds => 0xA1B2_C3D4,
            Self::Nanoseconds => 0xA1B2_3C4D,
        }
    }

    /// Splits a time into seconds and the fraction of a second, rounded to the nearest unit.
    pub(super) fn split(self, time: f64) -> Result<[u32; 2], WriteError> {
        if !(0.0..f64::from(u32::MAX)).contains(&time) {
            return Err(WriteError::Time { time });
        }
        let whole = time.trunc();
        let part = ((time - whole) * f64::from(self.per_second())).round() as u32;
        let carry = u32::from(part == self.per_second());
        Ok([whole as u32 + carry, if carry == 1 { 0 } else { part }])
    }
}

/// The addresses in a written capture.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Endpoints {
    /// The server. Its port should be in the range that readers recognise, 9000 to 10013.
    pub server: SocketAddrV4,
    /// The client.
    pub client: SocketAddrV4,
}

/// Addresses reserved for documentation, and port 9000 for the server.
impl Default for Endpoints {
    fn default() -> Self {
        Self {
            server: SocketAddrV4::new(Ipv4Addr::new(192, 0, 2, 1), 9000),
            client: SocketAddrV4::new(Ipv4Addr::new(192, 0, 2, 2), 12345),
        }
    }
}

/// The options of a [`CaptureWriter`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct WriteOptions {
    /// The resolution of times.
    pub unit: TimeUnit,
    /// The addresses of server and client.
    pub endpoints: Endpoints,
}

/// The sequence numbers of one direction.
#[derive(Clone, Copy, Debug, Default)]
struct Counters {
    packet: u32,
    message: u32,
}

/// Writes messages to a pcap file: Ethernet, IPv4 and UDP with correct lengths and checksums. Each fragment of at most
/// 448 bytes (`docs/wire.md` §1.3) becomes one packet, with an unmasked checksum (see [`seal`]).
#[derive(Debug)]
pub struct CaptureWriter<W> {
    out: W,
    options: WriteOptions,
    s2c: Counters,
    c2s: Counters,
    datagrams: u16,
    packet: Vec<u8>,
    record: Vec<u8>,
}

impl<W: Write> CaptureWriter<W> {
    /// Starts a file with the default options: times in microseconds.
    ///
    /// # Errors
    /// Returns an error if the file header cannot be written.
    pub fn new(out: W) -> io::Result<Self> {
        Self::with_options(out, WriteOptions::default())
    }

    /// Starts a file with the given options.
    ///
    /// # Errors
    /// Returns an error if the file header cannot be written.
    pub fn with_options(mut out: W, options: WriteOptions) -> io::Result<Self> {
        let mut header = Vec::with_capacity(24);
        header.extend_from_slice(&options.unit.magic().to_le_bytes());
        header.extend_from_slice(&[2, 0, 4, 0]);
        header.extend_from_slice(&[0; 8]);
        header.extend_from_slice(&0x4_0000_u32.to_le_bytes());
        header.extend_from_slice(&1_u32.to_le_bytes());
        out.write_all(&header)?;
        let (s2c, c2s) = (Counters::default(), Counters::default());
        Ok(Self { out, options, s2c, c2s, datagrams: 0, packet: Vec::new(), record: Vec::new() })
    }

    /// Writes a message, starting with its opcode, as one or more packets. `time` is in seconds.
    ///
    /// # Errors
    /// Returns an error if the time or the length is out of range, or the output cannot be written.
    pub fn message(&mut self, time: f64, direction: Direction, message: &[u8]) -> Result<(), WriteError> {
        let limit = usize::from(ReassemblyLimits::default().max_fragments) * MAX_FRAGMENT_DATA;
        if message.len() > limit {
            return Err(WriteError::MessageTooLong { len: message.len(), limit });
        }
        self.options.unit.split(time)?;
        let count = message.len().div_ceil(MAX_FRAGMENT_DATA).max(1) as u16;
        self.counters(direction).message += 1;
        for index in 0..count {
            let start = usize::from(index) * MAX_FRAGMENT_DATA;
            let end = message.len().min(start + MAX_FRAGMENT_DATA);
            let header = FragmentHeader { count, index, ..self.message_header(direction, message) };
            self.write_fragment(time, direction, Fragment { header, data: &message[start..end] })?;
        }
        Ok(())
    }

    /// Writes a UDP datagram with the given payload. `time` is in seconds.
    ///
    /// # Errors
    /// Returns an error if the time or the length is out of range, or the output cannot be written.
    pub fn datagram(&mut self, time: f64, direction: Direction, payload: &[u8]) -> Result<(), WriteError> {
        if payload.len() > MAX_PAYLOAD {
            return Err(WriteError::DatagramTooLong { len: payload.len() });
        }
        let stamp = self.options.unit.split(time)?;
        let len = (ETHERNET_LEN + IPV4_LEN + UDP_LEN + payload.len()) as u32;
        self.record.clear();
        for field in [stamp[0], stamp[1], len, len] {
            self.record.extend_from_slice(&field.to_le_bytes());
        }
        self.datagrams = self.datagrams.wrapping_add(1);
        push_frame(&mut self.record, direction, &self.options.endpoints, self.datagrams, payload);
        Ok(self.out.write_all(&self.record)?)
    }

    /// Flushes the output.
    ///
    /// # Errors
    /// Returns an error if the output cannot be flushed.
    pub fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }

    /// Returns the output.
    pub fn into_inner(self) -> W {
        self.out
    }

    pub(super) fn get_mut(&mut self) -> &mut W {
        &mut self.out
    }

    fn counters(&mut self, direction: Direction) -> &mut Counters {
        match direction {
            Direction::S2C => &mut self.s2c,
            Direction::C2S => &mut self.c2s,
        }
    }

    /// Returns a fragment header with the sequence number, id and queue that real servers and clients use
    /// (`docs/wire.md` §1.3).
    fn message_header(&mut self, direction: Direction, message: &[u8]) -> FragmentHeader {
        let sequence = self.counters(direction).message;
        let id = match direction {
            Direction::S2C => 0x8000_0000,
            Direction::C2S => 0x0300_0000 | sequence & 0xFFFF,
        };
        FragmentHeader { sequence, id, queue: message_queue(direction, message), ..FragmentHeader::default() }
    }

    fn write_fragment(
        &mut self,
        time: f64,
        direction: Direction,
        fragment: Fragment<'_>,
    ) -> Result<(), WriteError> {
        let counters = self.counters(direction);
        counters.packet += 1;
        let header = PacketHeader {
            sequence: counters.packet,
            recipient: 1,
            time: time as u32 as u16,
            iteration: 1,
            ..PacketHeader::default()
        };
        let mut packet = std::mem::take(&mut self.packet);
        packet.clear();
        encode(header, [], [fragment], &mut packet)?;
        seal(&mut packet)?;
        let result = self.datagram(time, direction, &packet);
        self.packet = packet;
        result
    }
}

/// Returns the queue of a message: 3 for actions, 9 for game events and quality updates, 10 for everything else
/// (`docs/wire.md` §1.3).
fn message_queue(direction: Direction, message: &[u8]) -> u16 {
    let opcode = message.first_chunk().map_or(0, |raw| u32::from_le_bytes(*raw));
    match (direction, opcode) {
        (Direction::C2S, _) => 3,
        (Direction::S2C, 0xF7B0 | 0..0x1000) => 9,
        (Direction::S2C, _) => 10,
    }
}

fn push_frame(out: &mut Vec<u8>, direction: Direction, ends: &Endpoints, number: u16, payload: &[u8]) {
    let (from, to, macs) = match direction {
        Direction::S2C => (ends.server, ends.client, [CLIENT_MAC, SERVER_MAC]),
        Direction::C2S => (ends.client, ends.server, [SERVER_MAC, CLIENT_MAC]),
    };
    out.extend_from_slice(macs.as_flattened());
    out.extend_from_slice(&0x0800_u16.to_be_bytes());
    out.extend_from_slice(&ipv4_header(from, to, number, payload.len()));
    out.extend_from_slice(&udp_header(from, to, payload));
    out.extend_from_slice(payload);
}

fn ipv4_header(from: SocketAddrV4, to: SocketAddrV4, number: u16, payload: usize) -> [u8; IPV4_LEN] {
    let mut header = [0; IPV4_LEN];
    header[0] = 0x45;
    header[2..4].copy_from_slice(&((IPV4_LEN + UDP_LEN + payload) as u16).to_be_bytes());
    header[4..6].copy_from_slice(&number.to_be_bytes());
    header[6] = 0x40;
    header[8] = 64;
    header[9] = 17;
    header[12..16].copy_from_slice(&from.ip().octets());
    header[16..20].copy_from_slice(&to.ip().octets());
    let sum = internet_checksum(0, &header);
    header[10..12].copy_from_slice(&sum.to_be_bytes());
    header
}

fn udp_header(from: SocketAddrV4, to: SocketAddrV4, payload: &[u8]) -> [u8; UDP_LEN] {
    let len = (UDP_LEN + payload.len()) as u16;
    let mut header = [0; UDP_LEN];
    header[0..2].copy_from_slice(&from.port().to_be_bytes());
    header[2..4].copy_from_slice(&to.port().to_be_bytes());
    header[4..6].copy_from_slice(&len.to_be_bytes());
    let mut pseudo = [0; 20];
    pseudo[0..4].copy_from_slice(&from.ip().octets());
    pseudo[4..8].copy_from_slice(&to.ip().octets());
    pseudo[9] = 17;
    pseudo[10..12].copy_from_slice(&len.to_be_bytes());
    pseudo[12..20].copy_from_slice(&header);
    let sum = internet_checksum(word_sum(&pseudo), payload);
    // A checksum of 0 would mean that there is none.
    let sum = if sum == 0 { 0xFFFF } else { sum };
    header[6..8].copy_from_slice(&sum.to_be_bytes());
    header
}

/// Computes the checksum of IP and UDP: the ones' complement of the ones' complement sum of 16-bit words.
fn internet_checksum(start: u32, bytes: &[u8]) -> u16 {
    let mut sum = start + word_sum(bytes);
    while sum > 0xFFFF {
        sum = (sum & 0xFFFF) + (sum >> 16);
    }
    !(sum as u16)
}

fn word_sum(bytes: &[u8]) -> u32 {
    let (pairs, odd) = bytes.as_chunks::<2>();
    let sum: u32 = pairs.iter().map(|pair| u32::from(u16::from_be_bytes(*pair))).sum();
    sum + odd.first().map_or(0, |&byte| u32::from(byte) << 8)
}

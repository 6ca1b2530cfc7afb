//! What can be wrong with a capture.

use std::io;

use thiserror::Error;

use crate::packet::PacketError;

/// Why a capture, or one record of it, cannot be read. Offsets count from the start of the capture.
#[derive(Clone, PartialEq, Debug, Error)]
pub enum CaptureError {
    /// There is nothing at all.
    #[error("the capture is empty")]
    Empty,
    /// Neither pcap nor pcapng nor JSON Lines.
    #[error("not a capture: it begins with {found:02X?}; expected pcap, pcapng or JSON Lines")]
    NotACapture {
        /// The first bytes.
        found: [u8; 4],
    },
    /// The capture ends inside a record. Everything before it was handed out.
    #[error("the capture ends inside the record at offset {offset}: {needed} bytes needed, {had} there")]
    Truncated {
        /// Where the record starts.
        offset: u64,
        /// Bytes that it has, as far as is known.
        needed: u64,
        /// Bytes that are there.
        had: u64,
    },
    /// Packets of a network that is not understood.
    #[error(
        "link type {link_type} is not supported (Ethernet, Linux cooked, raw IP and BSD loopback are): capture on another interface"
    )]
    LinkType {
        /// Its number in the capture.
        link_type: u16,
    },
    /// One interface of a pcapng capture has packets of a network that is not understood; they are passed over.
    #[error(
        "interface {interface} has link type {link_type}, which is not supported: its packets are passed over"
    )]
    Interface {
        /// The interface's number in its section.
        interface: usize,
        /// Its link type.
        link_type: u16,
    },
    /// A record with more bytes than any packet.
    #[error("the record at offset {offset} says it has {len} bytes, at most {limit} are possible")]
    RecordTooLong {
        /// Where the record starts.
        offset: u64,
        /// The bytes it claims.
        len: u64,
        /// The most that is accepted.
        limit: u64,
    },
    /// A pcapng block that contradicts itself.
    #[error("the block of type {kind:#010X} at offset {offset}, {len} bytes long: {what}")]
    Block {
        /// Where the block starts.
        offset: u64,
        /// Its type.
        kind: u32,
        /// The length it claims.
        len: u32,
        /// What is wrong.
        what: &'static str,
    },
    /// A packet of a pcapng interface that was not described.
    #[error(
        "the packet at offset {offset} belongs to interface {interface}, which the capture does not describe"
    )]
    UnknownInterface {
        /// Where the block starts.
        offset: u64,
        /// The interface's number.
        interface: u32,
    },
    /// A packet of this protocol that cannot be decoded.
    #[error("packet {record}: {error}")]
    Packet {
        /// Number of the record in the capture, from 1.
        record: u64,
        /// Its time.
        time: f64,
        /// What is wrong.
        error: PacketError,
    },
    /// A line of JSON Lines that is not a message.
    #[error("line {line}, column {column}: {what}")]
    Line {
        /// Number of the line, from 1.
        line: u64,
        /// Number of the byte in it, from 1.
        column: usize,
        /// What is wrong.
        what: &'static str,
    },
    /// The source could not be read.
    #[error("{message}")]
    Io {
        /// What kind of failure.
        kind: io::ErrorKind,
        /// The system's words.
        message: String,
    },
}

impl CaptureError {
    /// Is the capture at its end with this? Otherwise only one record is passed over and the next can be read.
    pub fn is_fatal(&self) -> bool {
        match self {
            Self::Packet { .. }
            | Self::Line { .. }
            | Self::Interface { .. }
            | Self::UnknownInterface { .. } => false,
            Self::Io { kind, .. } => *kind != io::ErrorKind::WouldBlock,
            _ => true,
        }
    }
}

impl From<io::Error> for CaptureError {
    fn from(error: io::Error) -> Self {
        Self::Io { kind: error.kind(), message: error.to_string() }
    }
}

//! Capture reading errors.

use std::io;

use thiserror::Error;

use crate::packet::PacketError;

/// An error in a capture or in one of its records. Offsets are counted from the start of the capture.
#[derive(Clone, PartialEq, Debug, Error)]
pub enum CaptureError {
    /// The capture has no bytes.
    #[error("the capture is empty")]
    Empty,
    /// The capture is neither pcap nor pcapng nor JSON Lines.
    #[error("not a capture: it begins with {found:02X?}; expected pcap, pcapng or JSON Lines")]
    NotACapture {
        /// The first four bytes.
        found: [u8; 4],
    },
    /// The capture ends inside a record. All messages before it have been returned.
    #[error("the capture ends inside the record at offset {offset}: {needed} bytes needed, {had} present")]
    Truncated {
        /// The offset of the record.
        offset: u64,
        /// The number of bytes the record needs, as far as is known.
        needed: u64,
        /// The number of bytes available.
        had: u64,
    },
    /// The link type of the capture is not supported.
    #[error(
        "link type {link_type} is not supported, expected Ethernet, Linux cooked, raw IP or BSD loopback: capture on another interface"
    )]
    UnsupportedLinkType {
        /// The number of the link type.
        link_type: u16,
    },
    /// The link type of a pcapng interface is not supported. The packets of the interface are skipped.
    #[error(
        "interface {interface} has link type {link_type}, which is not supported: its packets are skipped"
    )]
    UnsupportedInterface {
        /// The index of the interface in its section.
        interface: usize,
        /// The number of the link type.
        link_type: u16,
    },
    /// A record is longer than any packet.
    #[error("the record at offset {offset} has a length of {len} bytes, expected at most {limit}")]
    RecordTooLong {
        /// The offset of the record.
        offset: u64,
        /// The length of the record in bytes.
        len: u64,
        /// The maximum length that is accepted.
        limit: u64,
    },
    /// A pcapng block is inconsistent.
    #[error("the block of type {kind:#010X} at offset {offset}, {len} bytes long: {what}")]
    InvalidBlock {
        /// The offset of the block.
        offset: u64,
        /// The type of the block.
        kind: u32,
        /// The length of the block in bytes.
        len: u32,
        /// What is wrong.
        what: &'static str,
    },
    /// A pcapng packet refers to an interface that is not described.
    #[error(
        "the packet at offset {offset} belongs to interface {interface}, which the capture does not describe"
    )]
    UnknownInterface {
        /// The offset of the block.
        offset: u64,
        /// The index of the interface.
        interface: u32,
    },
    /// A packet of this protocol cannot be decoded.
    #[error("packet {record}: {error}")]
    InvalidPacket {
        /// The number of the record in the capture, from 1.
        record: u64,
        /// The time of the record, in the capture's seconds.
        time: f64,
        /// What is wrong.
        error: PacketError,
    },
    /// A line of JSON Lines is not a message.
    #[error("line {line}, column {column}: {what}")]
    InvalidLine {
        /// The number of the line, from 1.
        line: u64,
        /// The number of the byte in the line, from 1.
        column: usize,
        /// What is wrong.
        what: &'static str,
    },
    /// The source could not be read.
    #[error("{message}")]
    Io {
        /// The kind of the I/O error.
        kind: io::ErrorKind,
        /// The message of the I/O error.
        message: String,
    },
}

impl CaptureError {
    /// Returns `true` if reading cannot continue. After any other error the next record can be read.
    pub fn is_fatal(&self) -> bool {
        match self {
            Self::InvalidPacket { .. }
            | Self::InvalidLine { .. }
            | Self::UnsupportedInterface { .. }
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

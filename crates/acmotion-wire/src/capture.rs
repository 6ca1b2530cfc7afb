//! Reads game messages from captures (pcap, pcapng, JSON Lines; a slice or a stream), writes them to pcap, and writes packets
//! with comments to pcapng.
//!
//! [`CaptureReader`] returns each [`GameMessage`] as soon as its last byte is available, so that a capture can be read
//! while it is still being written.
//!
//! ```
//! use acmotion_wire::Direction;
//! use acmotion_wire::capture::{CaptureReader, CaptureWriter};
//!
//! let mut writer = CaptureWriter::new(Vec::new())?;
//! writer.message(12.5, Direction::S2C, &[0x46, 0xF7, 0, 0, 1, 0, 0, 0x50])?;
//! let file = writer.into_inner();
//!
//! let mut reader = CaptureReader::from_slice(&file);
//! while let Some(message) = reader.next_message() {
//!     let message = message?;
//!     assert_eq!((message.time, message.bytes.len()), (12.5, 8));
//! }
//! assert_eq!(reader.summary().messages_s2c, 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Supported captures
//! - **Files**: pcap in both byte orders with micro- or nanoseconds; pcapng with any number of sections and interfaces;
//!   JSON Lines of `{t, dir, hex}`, or of `{time, direction, raw_hex}` as written by `acmotion decode --json`, in UTF-8
//!   with or without a byte order mark. The format is detected from the first bytes.
//! - **Links**: Ethernet with up to two VLAN tags, Linux cooked (both versions), raw IP, BSD loopback. IPv4 and IPv6.
//!   IP fragments are skipped and counted: the packets of this protocol are never large enough to be fragmented.
//! - **Time** is that of the capture, in seconds; for pcap, in seconds since 1970. A message has the time of the packet
//!   that completes it.
//!
//! # Direction of a packet
//! Servers use ports 9000 to 10013 (`docs/wire.md` §1). If exactly one of the two ports is in that range, it determines
//! the direction. Otherwise the packet must decode without bytes left over, and the direction is the first of these
//! that applies:
//! 1. The contents of the packet. A login request, a connect response or a message 0xF7B1 comes from the client. A
//!    connect request, a referral, a message 0xF7B0 or a fragment id of 0x80000000 or above comes from the server.
//! 2. The direction known from earlier packets of the conversation.
//! 3. Server to client, if both ports are in the range.
//!
//! All other packets are skipped and counted.

mod error;
mod framing;
mod jsonl;
mod network;
mod pcap;
mod pcapng;
mod pcapng_write;
mod reader;
mod session;
mod source;
mod summary;
mod write;

pub use error::CaptureError;
pub use framing::CaptureFormat;
pub use pcapng_write::PcapngWriter;
pub use reader::{CaptureItem, CaptureReader, CapturedPacket, GameMessage};
pub use source::{CaptureSource, SliceSource, StreamSource};
pub use summary::CaptureSummary;
pub use write::{CaptureWriter, Endpoints, TimeUnit, WriteError, WriteOptions};

/// The least time, in seconds, that counts as one of the calendar, since 1970: March 1973. The clock of a recording that
/// starts at 0 takes three years to get there.
pub const MIN_CALENDAR_TIME: f64 = 1e8;

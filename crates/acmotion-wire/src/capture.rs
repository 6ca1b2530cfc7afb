//! Captures: pcap, pcapng and JSON Lines, from a slice or as a stream, down to whole game messages; and pcap written
//! from messages.
//!
//! [`CaptureReader`] hands out one [`GameMessage`] after the other, each as soon as its last byte is there, so that a
//! capture can be read while it is still being written.
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
//! # What is read
//! - **Files**: pcap in both byte orders with micro- or nanoseconds; pcapng with any number of sections and interfaces;
//!   JSON Lines of `{t, dir, hex}`, or of `{time, direction, raw_hex}` as `acmotion decode --json` writes them. The first
//!   bytes tell which.
//! - **Links**: Ethernet with up to two VLAN tags, Linux cooked (both versions), raw IP, BSD loopback. IPv4 and IPv6.
//!   IP fragments are passed over and counted: this protocol never makes packets that large.
//! - **Time** is what the capture says, in seconds; for pcap that is seconds since 1970. A message has the time of the
//!   packet that completes it.
//!
//! # Which way a packet goes
//! A server's port is 9000 to 10013 (wire.md §1). When exactly one port is in that range, it tells the direction.
//! Otherwise the packet must decode without a byte left over, and the direction is, in this order: what the packet itself
//! shows (a login request or connect response is the client's, a connect request or referral the server's; a message
//! 0xF7B1 is the client's, 0xF7B0 and any fragment id from 0x80000000 on the server's); that of its conversation, if
//! that is known; if both ports are in the range, server to client. Anything else is passed over and counted.

mod error;
mod frame;
mod jsonl;
mod network;
mod pcap;
mod pcapng;
mod reader;
mod session;
mod source;
mod summary;
mod write;

pub use error::CaptureError;
pub use reader::{CaptureReader, GameMessage};
pub use source::{SliceSource, Source, StreamSource};
pub use summary::Summary;
pub use write::{CaptureWriter, Endpoints, TimeUnit, WriteError, WriteOptions};

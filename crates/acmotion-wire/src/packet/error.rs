//! Packet decoding and encoding errors.

use thiserror::Error;

/// An error in the bytes of a packet. Offsets are counted from the start of the datagram.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum PacketError {
    /// The datagram ends inside an item.
    #[error("{what} at offset {offset} needs {needed} bytes, {had} are left")]
    TooShort {
        /// The item being read.
        what: &'static str,
        /// The offset of the item.
        offset: usize,
        /// The size of the item in bytes.
        needed: usize,
        /// The number of bytes left.
        had: usize,
    },
    /// The size in the header differs from that of the datagram.
    #[error("the packet header announces {claimed} bytes, but {had} follow it")]
    SizeMismatch {
        /// The size in the header.
        claimed: usize,
        /// The number of bytes after the header.
        had: usize,
    },
    /// Unknown flags are set, so that the length of the optional headers is not known.
    #[error("flags {flags:#010X} at offset 4 contain the unknown bits {unknown:#010X}")]
    UnknownFlags {
        /// All flags of the packet.
        flags: u32,
        /// The flags that `docs/wire.md` §1.2 does not list.
        unknown: u32,
    },
    /// The size of a fragment is out of range.
    #[error("the fragment at offset {offset} has a size of {size} bytes, expected 16 to 464")]
    FragmentSize {
        /// The offset of the fragment.
        offset: usize,
        /// The size in its header.
        size: u16,
    },
    /// The index of a fragment is not below the fragment count.
    #[error(
        "the fragment at offset {offset} has index {index}, expected an index below its count of {count}"
    )]
    FragmentIndex {
        /// The offset of the fragment.
        offset: usize,
        /// The index.
        index: u16,
        /// The number of fragments of the message.
        count: u16,
    },
    /// Bytes follow the optional headers, but [`PacketFlags::FRAGMENTS`](super::PacketFlags::FRAGMENTS) is not set.
    #[error("{had} bytes are left over at offset {offset}, and the flag for fragments is not set")]
    TrailingBytes {
        /// The offset of the bytes.
        offset: usize,
        /// The number of bytes.
        had: usize,
    },
}

/// An error in the contents of a packet to be encoded.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum EncodeError {
    /// The packet is longer than its 16-bit size field can express.
    #[error("the packet has {size} bytes after its header, expected at most 65535")]
    PacketTooLong {
        /// The number of bytes after the header.
        size: usize,
    },
    /// A fragment has too much data.
    #[error("a fragment has {len} bytes of data, expected at most 448")]
    FragmentTooLong {
        /// The number of bytes.
        len: usize,
    },
    /// The index of a fragment is not below the fragment count.
    #[error("a fragment has index {index}, expected an index below its count of {count}")]
    FragmentIndex {
        /// The index.
        index: u16,
        /// The number of fragments of the message.
        count: u16,
    },
    /// The optional headers are not in ascending order of their flags, or one occurs twice.
    #[error("optional header {after:#X} follows {before:#X}, expected ascending order without repeats")]
    OptionalOrder {
        /// The flag of the preceding header.
        before: u32,
        /// The flag of the header that is out of order.
        after: u32,
    },
    /// Something follows a login request, which extends to the end of the packet.
    #[error("a login request must be the last item of a packet")]
    AfterLoginRequest,
}

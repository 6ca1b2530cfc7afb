//! What can be wrong with a packet.

use thiserror::Error;

/// Why a datagram is not a packet. Offsets count from the first byte of the datagram.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum PacketError {
    /// The datagram ends inside something.
    #[error("{what} at offset {offset} needs {needed} bytes, {had} are left")]
    TooShort {
        /// What was being read.
        what: &'static str,
        /// Where it starts.
        offset: usize,
        /// How many bytes it has.
        needed: usize,
        /// How many bytes are left.
        had: usize,
    },
    /// The size in the header is not that of the datagram.
    #[error("the header says that {claimed} bytes follow it, the datagram has {had}")]
    Size {
        /// The size in the header.
        claimed: usize,
        /// The bytes after the header.
        had: usize,
    },
    /// Flags whose optional headers have no known length.
    #[error("flags {flags:#010X} at offset 4: nothing is known of {unknown:#010X}")]
    UnknownFlags {
        /// All flags of the packet.
        flags: u32,
        /// Those that wire.md §1.2 does not list.
        unknown: u32,
    },
    /// A fragment's size is out of range.
    #[error("the fragment at offset {offset} says it has {size} bytes, 16 to 464 are possible")]
    FragmentSize {
        /// Where the fragment starts.
        offset: usize,
        /// The size in its header.
        size: u16,
    },
    /// A fragment's index is not below its count.
    #[error("the fragment at offset {offset} is number {index} of {count}, counted from 0")]
    FragmentIndex {
        /// Where the fragment starts.
        offset: usize,
        /// Its index.
        index: u16,
        /// Its count.
        count: u16,
    },
    /// Bytes follow the optional headers, but the flag for fragments is not set.
    #[error("{had} bytes are left over at offset {offset}")]
    LeftOver {
        /// Where they start.
        offset: usize,
        /// How many they are.
        had: usize,
    },
}

/// Why a packet cannot be written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum EncodeError {
    /// More than the 16-bit size in the header can say.
    #[error("{size} bytes follow the header, at most 65535 can")]
    PacketTooLong {
        /// The bytes after the header.
        size: usize,
    },
    /// More data than one fragment may carry.
    #[error("{len} bytes of data in one fragment, at most 448 are possible")]
    FragmentTooLong {
        /// The bytes of data.
        len: usize,
    },
    /// A fragment's index is not below its count.
    #[error("fragment number {index} of {count}, counted from 0")]
    FragmentIndex {
        /// Its index.
        index: u16,
        /// Its count.
        count: u16,
    },
    /// Optional headers that are not in ascending order of their flags, or one that is there twice.
    #[error("optional header {after:#X} cannot follow {before:#X}: they go in ascending order")]
    OptionalOrder {
        /// The flag of the one before.
        before: u32,
        /// The flag of the one that cannot follow.
        after: u32,
    },
    /// Something after a login request, which takes the rest of the packet.
    #[error("a login request takes the rest of the packet, nothing can follow it")]
    AfterLoginRequest,
}

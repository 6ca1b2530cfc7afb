//! Packets and fragments (wire.md §1.1–1.3): the 20-byte header, every optional header in bit order, body fragments,
//! and the way back from fragments to whole messages.
//!
//! [`Packet::decode`] borrows from the datagram and allocates nothing. It checks everything at once, so that walking
//! the optional headers and the fragments afterwards cannot fail. [`Reassembler`] turns fragments into messages.
//!
//! ```
//! use acmotion_wire::packet::{Fragment, FragmentHeader, Packet, PacketHeader, encode, seal};
//!
//! let header = FragmentHeader { sequence: 7, id: 0x8000_0000, count: 1, index: 0, queue: 10 };
//! let mut bytes = Vec::new();
//! encode(PacketHeader::default(), [], [Fragment { header, data: &[0x46, 0xF7, 0, 0] }], &mut bytes)?;
//! seal(&mut bytes)?;
//!
//! let packet = Packet::decode(&bytes)?;
//! assert_eq!(packet.checksum_matches(), Some(true));
//! assert_eq!(packet.fragments().next().map(|f| f.data), Some(&[0x46, 0xF7, 0, 0][..]));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod bytes;
mod checksum;
mod encode;
mod error;
mod flags;
mod fragment;
mod header;
mod optional;
mod pending;
mod reassembly;
mod recent;

pub use checksum::{hash32, seal};
pub use encode::encode;
pub use error::{EncodeError, PacketError};
pub use flags::PacketFlags;
pub use fragment::{
    FRAGMENT_HEADER_SIZE, Fragment, FragmentHeader, Fragments, MAX_FRAGMENT_DATA, MAX_FRAGMENT_SIZE,
};
pub use header::{PACKET_HEADER_SIZE, PacketHeader};
pub use optional::{OptionalHeader, OptionalHeaders, Sequences};
pub use reassembly::{Limits, Pushed, Reassembler, ReassemblyResult, ReassemblyStats, Stream};

use bytes::Bytes;

/// One packet, borrowed from its datagram: the payload of one UDP datagram (wire.md §1.1).
#[derive(Clone, Copy, Debug)]
pub struct Packet<'a> {
    /// The 20 bytes at the start.
    pub header: PacketHeader,
    optional: &'a [u8],
    body: &'a [u8],
}

impl<'a> Packet<'a> {
    /// Reads one datagram, which must be this packet and nothing else.
    ///
    /// # Errors
    /// When a header or fragment does not fit, the size in the header differs from the datagram's, a flag has no
    /// known length, or bytes are left over.
    pub fn decode(datagram: &'a [u8]) -> Result<Self, PacketError> {
        let mut bytes = Bytes::new(datagram);
        let header = PacketHeader::read(&mut bytes)?;
        header.check_size(bytes.rest().len())?;
        header.flags.check_known()?;
        for flag in header.flags.optional() {
            OptionalHeader::read(flag, &mut bytes)?;
        }
        let (optional, body) = (bytes.since(PACKET_HEADER_SIZE), bytes.rest());
        if header.flags.contains(PacketFlags::FRAGMENTS) {
            fragment::check(bytes)?;
        } else if !body.is_empty() {
            return Err(PacketError::LeftOver { offset: bytes.offset(), had: body.len() });
        }
        Ok(Self { header, optional, body })
    }

    /// The optional headers, in the order of the wire (wire.md §1.2).
    pub fn optional(&self) -> OptionalHeaders<'a> {
        OptionalHeaders::new(self.header.flags, self.optional)
    }

    /// The fragments, in the order of the wire (wire.md §1.3).
    pub fn fragments(&self) -> Fragments<'a> {
        Fragments::new(self.body)
    }

    /// The bytes of all fragments, headers included.
    pub fn body(&self) -> &'a [u8] {
        self.body
    }

    /// The checksum that the packet would carry unmasked: see [`seal`].
    pub fn plain_checksum(&self) -> u32 {
        checksum::plain(&self.header, self.optional, self.fragments())
    }

    /// Does the checksum fit the contents? `None` when it is masked with a key stream, which only the two ends know.
    pub fn checksum_matches(&self) -> Option<bool> {
        let masked = self.header.flags.contains(PacketFlags::ENCRYPTED_CHECKSUM);
        (!masked).then(|| self.plain_checksum() == self.header.checksum)
    }
}

//! Packets and fragments (`docs/wire.md` §1.1–1.3): the 20-byte header, the optional headers in bit order, the
//! fragments, and the reassembly of fragments into messages.
//!
//! [`Packet::decode`] borrows from the datagram and does not allocate. It validates the whole datagram, so that
//! iterating over the optional headers and the fragments cannot fail. [`Reassembler`] turns fragments into messages.
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

mod byte_reader;
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
pub use optional::{OptionalHeader, OptionalHeaders, SequenceList};
pub use reassembly::{
    PushResult, Reassembler, ReassemblyLimits, ReassemblyResult, ReassemblyStats, StreamId,
};

use byte_reader::ByteReader;

/// A packet: the payload of one UDP datagram, from which it borrows (`docs/wire.md` §1.1).
#[derive(Clone, Copy, Debug)]
pub struct Packet<'a> {
    /// The 20-byte header.
    pub header: PacketHeader,
    optional: &'a [u8],
    body: &'a [u8],
}

impl<'a> Packet<'a> {
    /// Decodes the payload of a datagram, which must be exactly one packet.
    ///
    /// # Errors
    /// Returns an error if a header or fragment is incomplete, the size in the header differs from that of the
    /// datagram, a flag is unknown, or bytes are left over.
    pub fn decode(datagram: &'a [u8]) -> Result<Self, PacketError> {
        let mut bytes = ByteReader::new(datagram);
        let header = PacketHeader::read(&mut bytes)?;
        header.check_size(bytes.rest().len())?;
        header.flags.check_known()?;
        for flag in header.flags.optional_flags() {
            OptionalHeader::read(flag, &mut bytes)?;
        }
        let (optional, body) = (bytes.consumed_from(PACKET_HEADER_SIZE), bytes.rest());
        if header.flags.contains(PacketFlags::FRAGMENTS) {
            fragment::check_all(bytes)?;
        } else if !body.is_empty() {
            return Err(PacketError::TrailingBytes { offset: bytes.offset(), had: body.len() });
        }
        Ok(Self { header, optional, body })
    }

    /// Iterates over the optional headers in wire order (`docs/wire.md` §1.2).
    pub fn optional(&self) -> OptionalHeaders<'a> {
        OptionalHeaders::new(self.header.flags, self.optional)
    }

    /// Iterates over the fragments in wire order (`docs/wire.md` §1.3).
    pub fn fragments(&self) -> Fragments<'a> {
        Fragments::new(self.body)
    }

    /// Returns the bytes of all fragments, including their headers.
    pub fn body(&self) -> &'a [u8] {
        self.body
    }

    /// Computes the unmasked checksum of the packet, as written by [`seal`].
    pub fn unmasked_checksum(&self) -> u32 {
        checksum::unmasked(&self.header, self.optional, self.fragments())
    }

    /// Returns whether the checksum matches the contents, or `None` if it is masked with a key stream that only the two
    /// ends know.
    pub fn checksum_matches(&self) -> Option<bool> {
        let masked = self.header.flags.contains(PacketFlags::ENCRYPTED_CHECKSUM);
        (!masked).then(|| self.unmasked_checksum() == self.header.checksum)
    }
}

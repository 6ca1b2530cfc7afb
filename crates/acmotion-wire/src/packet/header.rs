//! The header of a packet.

use super::byte_reader::ByteReader;
use super::{PacketError, PacketFlags};

/// The size of a packet header, in bytes.
pub const PACKET_HEADER_SIZE: usize = 20;

/// The header of a packet, with the fields in wire order (`docs/wire.md` §1.1).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct PacketHeader {
    /// The sequence number of the packet in its direction.
    pub sequence: u32,
    /// The flags. Unknown bits are kept.
    pub flags: PacketFlags,
    /// The checksum. It is masked if [`PacketFlags::ENCRYPTED_CHECKSUM`] is set.
    pub checksum: u32,
    /// The recipient or session id.
    pub recipient: u16,
    /// The sender's time or interval.
    pub time: u16,
    /// The number of bytes after the header.
    pub size: u16,
    /// The iteration.
    pub iteration: u16,
}

impl PacketHeader {
    /// Decodes the first 20 bytes. Whether the rest of the datagram matches is checked by [`super::Packet::decode`].
    ///
    /// # Errors
    /// Returns an error if there are fewer than 20 bytes.
    pub fn decode(datagram: &[u8]) -> Result<Self, PacketError> {
        Self::read(&mut ByteReader::new(datagram))
    }

    pub(super) fn read(bytes: &mut ByteReader<'_>) -> Result<Self, PacketError> {
        let all: [u8; PACKET_HEADER_SIZE] = bytes.array("packet header")?;
        let long = |at: usize| u32::from_le_bytes([all[at], all[at + 1], all[at + 2], all[at + 3]]);
        let short = |at: usize| u16::from_le_bytes([all[at], all[at + 1]]);
        Ok(Self {
            sequence: long(0),
            flags: PacketFlags::from_bits_retain(long(4)),
            checksum: long(8),
            recipient: short(12),
            time: short(14),
            size: short(16),
            iteration: short(18),
        })
    }

    pub(super) fn check_size(&self, had: usize) -> Result<(), PacketError> {
        let claimed = usize::from(self.size);
        if claimed == had { Ok(()) } else { Err(PacketError::SizeMismatch { claimed, had }) }
    }

    /// Encodes the header.
    pub fn encode(&self) -> [u8; PACKET_HEADER_SIZE] {
        let mut out = [0; PACKET_HEADER_SIZE];
        out[0..4].copy_from_slice(&self.sequence.to_le_bytes());
        out[4..8].copy_from_slice(&self.flags.bits().to_le_bytes());
        out[8..12].copy_from_slice(&self.checksum.to_le_bytes());
        out[12..14].copy_from_slice(&self.recipient.to_le_bytes());
        out[14..16].copy_from_slice(&self.time.to_le_bytes());
        out[16..18].copy_from_slice(&self.size.to_le_bytes());
        out[18..20].copy_from_slice(&self.iteration.to_le_bytes());
        out
    }
}

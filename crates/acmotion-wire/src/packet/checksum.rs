//! The checksum of a packet.
//!
//! `docs/wire.md` names the field but not how it is computed. The rule here holds for every packet of the real capture
//! whose checksum is not masked: 6 of 6, all of them with optional headers only. That the header and the data of each
//! fragment are summed separately follows what servers of this protocol do; the capture has no unmasked packet with
//! fragments to confirm it.

use super::{Fragments, Packet, PacketError, PacketHeader};

/// The value of the checksum field while the header is summed.
const CHECKSUM_PLACEHOLDER: u32 = 0xBADD_70DD;
/// The offset of the checksum in a packet.
const CHECKSUM_OFFSET: usize = 8;

/// Computes the sum that checksums are built from: the length in the upper half, plus every little-endian 32-bit word,
/// plus the remaining bytes as the top bytes of a last word, the first one highest.
pub fn hash32(bytes: &[u8]) -> u32 {
    let (words, tail) = bytes.as_chunks::<4>();
    let length = (bytes.len() as u32) << 16;
    let sum = words.iter().fold(length, |sum, word| sum.wrapping_add(u32::from_le_bytes(*word)));
    tail.iter().zip([24, 16, 8]).fold(sum, |sum, (&byte, shift)| sum.wrapping_add(u32::from(byte) << shift))
}

/// Computes the sum of the header, the optional headers as one block, and the header and data of each fragment.
pub(super) fn unmasked(header: &PacketHeader, optional: &[u8], fragments: Fragments<'_>) -> u32 {
    let header = PacketHeader { checksum: CHECKSUM_PLACEHOLDER, ..*header };
    let start = hash32(&header.encode()).wrapping_add(hash32(optional));
    fragments.fold(start, |sum, fragment| {
        let header = fragment.header.encode(fragment.data.len());
        sum.wrapping_add(hash32(&header)).wrapping_add(hash32(fragment.data))
    })
}

/// Writes the unmasked checksum into an encoded packet. [`PacketFlags::ENCRYPTED_CHECKSUM`](super::PacketFlags) should
/// not be set.
///
/// # Errors
/// Returns an error if the bytes are not exactly one packet.
pub fn seal(packet: &mut [u8]) -> Result<(), PacketError> {
    let checksum = Packet::decode(packet)?.unmasked_checksum();
    if let Some(field) = packet.get_mut(CHECKSUM_OFFSET..CHECKSUM_OFFSET + 4) {
        field.copy_from_slice(&checksum.to_le_bytes());
    }
    Ok(())
}

//! The checksum of a packet.
//!
//! wire.md names the field but not how it is made. The rule here holds for every packet of the real capture whose
//! checksum is not masked (6 of 6, all of them optional headers only); that each fragment's header and data are summed
//! apart is what servers of this protocol do, and no unmasked packet with fragments was there to confirm it.

use super::{Fragments, Packet, PacketError, PacketHeader};

/// Stands in the place of the checksum while the header is summed.
const PLACEHOLDER: u32 = 0xBADD_70DD;
/// Where the checksum is in a packet.
const CHECKSUM_AT: usize = 8;

/// The sum under all checksums: the length in the upper half, plus every little-endian word, plus the left-over bytes
/// from the top of a word down.
pub fn hash32(bytes: &[u8]) -> u32 {
    let (words, tail) = bytes.as_chunks::<4>();
    let length = (bytes.len() as u32) << 16;
    let sum = words.iter().fold(length, |sum, word| sum.wrapping_add(u32::from_le_bytes(*word)));
    tail.iter().zip([24, 16, 8]).fold(sum, |sum, (&byte, shift)| sum.wrapping_add(u32::from(byte) << shift))
}

/// Sum of the header, the optional headers as one block, and each fragment's header and data.
pub(super) fn plain(header: &PacketHeader, optional: &[u8], fragments: Fragments<'_>) -> u32 {
    let header = PacketHeader { checksum: PLACEHOLDER, ..*header };
    let start = hash32(&header.encode()).wrapping_add(hash32(optional));
    fragments.fold(start, |sum, fragment| {
        let header = fragment.header.encode(fragment.data.len());
        sum.wrapping_add(hash32(&header)).wrapping_add(hash32(fragment.data))
    })
}

/// Writes the unmasked checksum into a whole encoded packet. The flag for a masked checksum should not be set.
///
/// # Errors
/// When the bytes are not one packet.
pub fn seal(packet: &mut [u8]) -> Result<(), PacketError> {
    let checksum = Packet::decode(packet)?.plain_checksum();
    if let Some(place) = packet.get_mut(CHECKSUM_AT..CHECKSUM_AT + 4) {
        place.copy_from_slice(&checksum.to_le_bytes());
    }
    Ok(())
}

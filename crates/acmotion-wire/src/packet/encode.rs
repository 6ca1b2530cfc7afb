//! Packet encoding.

use super::{EncodeError, Fragment, OptionalHeader, PACKET_HEADER_SIZE, PacketFlags, PacketHeader};

/// Appends one packet. The size and the flags are derived from the contents: of the flags in `header`, only those
/// without an optional header are used. The checksum is copied from `header`; use [`super::seal`] to compute it.
///
/// # Errors
/// Returns an error, and leaves `out` unchanged, if the contents do not fit a packet or the optional headers are not in
/// ascending order.
pub fn encode<'a>(
    header: PacketHeader,
    optional: impl IntoIterator<Item = OptionalHeader<'a>>,
    fragments: impl IntoIterator<Item = Fragment<'a>>,
    out: &mut Vec<u8>,
) -> Result<(), EncodeError> {
    let start = out.len();
    let result = write(header, optional, fragments, out, start);
    if result.is_err() {
        out.truncate(start);
    }
    result
}

fn write<'a>(
    mut header: PacketHeader,
    optional: impl IntoIterator<Item = OptionalHeader<'a>>,
    fragments: impl IntoIterator<Item = Fragment<'a>>,
    out: &mut Vec<u8>,
    start: usize,
) -> Result<(), EncodeError> {
    out.extend_from_slice(&[0; PACKET_HEADER_SIZE]);
    header.flags &= PacketFlags::WITHOUT_DATA;
    header.flags |= write_optional(optional, out)?;
    for fragment in fragments {
        if header.flags.contains(PacketFlags::LOGIN_REQUEST) {
            return Err(EncodeError::AfterLoginRequest);
        }
        header.flags |= PacketFlags::FRAGMENTS;
        fragment.encode(out)?;
    }
    let size = out.len() - start - PACKET_HEADER_SIZE;
    header.size = u16::try_from(size).map_err(|_| EncodeError::PacketTooLong { size })?;
    if let Some(bytes) = out.get_mut(start..start + PACKET_HEADER_SIZE) {
        bytes.copy_from_slice(&header.encode());
    }
    Ok(())
}

fn write_optional<'a>(
    optional: impl IntoIterator<Item = OptionalHeader<'a>>,
    out: &mut Vec<u8>,
) -> Result<PacketFlags, EncodeError> {
    let mut flags = PacketFlags::empty();
    let mut before = 0;
    for header in optional {
        let after = header.flag().bits();
        if flags.contains(PacketFlags::LOGIN_REQUEST) {
            return Err(EncodeError::AfterLoginRequest);
        }
        if after <= before {
            return Err(EncodeError::OptionalOrder { before, after });
        }
        header.encode(out);
        flags |= header.flag();
        before = after;
    }
    Ok(flags)
}

//! Fragments: the parts of messages that a packet carries.

use super::byte_reader::ByteReader;
use super::{EncodeError, PacketError};

/// The size of a fragment header, in bytes.
pub const FRAGMENT_HEADER_SIZE: usize = 16;
/// The maximum size of a fragment, in bytes, including its header (`docs/wire.md` §1.3).
pub const MAX_FRAGMENT_SIZE: usize = 464;
/// The maximum amount of data in a fragment, in bytes.
pub const MAX_FRAGMENT_DATA: usize = MAX_FRAGMENT_SIZE - FRAGMENT_HEADER_SIZE;

/// The header of a fragment, with the fields in wire order (`docs/wire.md` §1.3). The size, which precedes the index on
/// the wire, follows from the data.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct FragmentHeader {
    /// The sequence number of the message ("blob").
    pub sequence: u32,
    /// The id of the message. Together with the sequence number it identifies the message.
    pub id: u32,
    /// The number of fragments of the message, at least 1.
    pub count: u16,
    /// The index of this fragment, from 0.
    pub index: u16,
    /// The queue of the message: 10 for movement from the server, 3 for actions of the client.
    pub queue: u16,
}

impl FragmentHeader {
    /// Encodes the header of a fragment with `len` bytes of data.
    pub(super) fn encode(&self, len: usize) -> [u8; FRAGMENT_HEADER_SIZE] {
        let size = (len + FRAGMENT_HEADER_SIZE) as u16;
        let mut out = [0; FRAGMENT_HEADER_SIZE];
        out[0..4].copy_from_slice(&self.sequence.to_le_bytes());
        out[4..8].copy_from_slice(&self.id.to_le_bytes());
        out[8..10].copy_from_slice(&self.count.to_le_bytes());
        out[10..12].copy_from_slice(&size.to_le_bytes());
        out[12..14].copy_from_slice(&self.index.to_le_bytes());
        out[14..16].copy_from_slice(&self.queue.to_le_bytes());
        out
    }
}

/// A fragment, which borrows from its packet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fragment<'a> {
    /// The header.
    pub header: FragmentHeader,
    /// The part of the message, at most [`MAX_FRAGMENT_DATA`] bytes.
    pub data: &'a [u8],
}

impl<'a> Fragment<'a> {
    #[inline]
    fn read(bytes: &mut ByteReader<'a>) -> Result<Self, PacketError> {
        let offset = bytes.offset();
        let all: [u8; FRAGMENT_HEADER_SIZE] = bytes.array("fragment header")?;
        let long = |at: usize| u32::from_le_bytes([all[at], all[at + 1], all[at + 2], all[at + 3]]);
        let short = |at: usize| u16::from_le_bytes([all[at], all[at + 1]]);
        let (sequence, id, count, size) = (long(0), long(4), short(8), short(10));
        let (index, queue) = (short(12), short(14));
        let len = match usize::from(size).checked_sub(FRAGMENT_HEADER_SIZE) {
            Some(len) if len <= MAX_FRAGMENT_DATA => len,
            _ => return Err(PacketError::FragmentSize { offset, size }),
        };
        if index >= count {
            return Err(PacketError::FragmentIndex { offset, index, count });
        }
        let data = bytes.take("fragment data", len)?;
        Ok(Self { header: FragmentHeader { sequence, id, count, index, queue }, data })
    }

    /// Appends the header and the data.
    ///
    /// # Errors
    /// Returns an error if the data is too long or the index is not below the count.
    pub fn encode(&self, out: &mut Vec<u8>) -> Result<(), EncodeError> {
        let FragmentHeader { count, index, .. } = self.header;
        if self.data.len() > MAX_FRAGMENT_DATA {
            return Err(EncodeError::FragmentTooLong { len: self.data.len() });
        }
        if index >= count {
            return Err(EncodeError::FragmentIndex { index, count });
        }
        out.extend_from_slice(&self.header.encode(self.data.len()));
        out.extend_from_slice(self.data);
        Ok(())
    }
}

/// Checks that the rest of the packet consists of valid fragments.
#[inline]
pub(super) fn check_all(mut bytes: ByteReader<'_>) -> Result<(), PacketError> {
    while !bytes.rest().is_empty() {
        Fragment::read(&mut bytes)?;
    }
    Ok(())
}

/// An iterator over the fragments of a packet, in wire order.
#[derive(Clone, Copy)]
pub struct Fragments<'a>(ByteReader<'a>);

impl<'a> Fragments<'a> {
    pub(crate) const fn new(body: &'a [u8]) -> Self {
        Self(ByteReader::new(body))
    }

    /// Returns the number of bytes of the body that the iterator has passed.
    pub(crate) const fn consumed(&self) -> usize {
        self.0.offset()
    }
}

impl<'a> Iterator for Fragments<'a> {
    type Item = Fragment<'a>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        if self.0.rest().is_empty() {
            return None;
        }
        Fragment::read(&mut self.0).ok()
    }
}

//! Fragments: the pieces of messages in a packet.

use super::bytes::Bytes;
use super::{EncodeError, PacketError};

/// The bytes of a fragment header.
pub const FRAGMENT_HEADER_SIZE: usize = 16;
/// The most that a fragment can have, header included (wire.md §1.3).
pub const MAX_FRAGMENT_SIZE: usize = 464;
/// The most data that a fragment can carry.
pub const MAX_FRAGMENT_DATA: usize = MAX_FRAGMENT_SIZE - FRAGMENT_HEADER_SIZE;

/// The header of a fragment (wire.md §1.3), fields in wire order; the size, third from the end on the wire, is that of
/// the data.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct FragmentHeader {
    /// Number of the message ("blob").
    pub sequence: u32,
    /// With the sequence this names the message.
    pub id: u32,
    /// How many fragments the message has; not 0.
    pub count: u16,
    /// Which of them this is, from 0.
    pub index: u16,
    /// The queue of the message: 10 for movement from the server, 3 for actions of the client.
    pub queue: u16,
}

impl FragmentHeader {
    /// The 16 bytes, for a fragment with `len` bytes of data.
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

/// One fragment, borrowed from its packet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fragment<'a> {
    /// Whose piece it is, and which.
    pub header: FragmentHeader,
    /// The piece of the message, at most [`MAX_FRAGMENT_DATA`] bytes.
    pub data: &'a [u8],
}

impl<'a> Fragment<'a> {
    #[inline]
    fn read(bytes: &mut Bytes<'a>) -> Result<Self, PacketError> {
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

    /// Appends its bytes.
    ///
    /// # Errors
    /// When the data is too long or the index not below the count.
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

/// Reads all fragments to the end, for their errors.
#[inline]
pub(super) fn check(mut bytes: Bytes<'_>) -> Result<(), PacketError> {
    while !bytes.rest().is_empty() {
        Fragment::read(&mut bytes)?;
    }
    Ok(())
}

/// The fragments of one packet, in wire order.
#[derive(Clone, Copy)]
pub struct Fragments<'a>(Bytes<'a>);

impl<'a> Fragments<'a> {
    pub(crate) const fn new(body: &'a [u8]) -> Self {
        Self(Bytes::new(body))
    }

    /// How many bytes of the body the fragments handed out so far took.
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

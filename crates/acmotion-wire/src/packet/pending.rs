//! Messages that wait for more fragments.

use super::Fragment;
use super::reassembly::MessageKey;

/// The maximum capacity, in bytes, that a buffer keeps when it is recycled.
const MAX_SPARE_CAPACITY: usize = 64 * 1024;

/// The location of a fragment in the received data.
#[derive(Clone, Copy)]
struct StoredFragment {
    index: u16,
    len: u16,
    start: u32,
}

/// An incomplete message.
pub(super) struct PendingMessage {
    pub(super) key: MessageKey,
    pub(super) count: u16,
    /// Sorted by index.
    fragments: Vec<StoredFragment>,
    /// The data of the fragments in the order of arrival.
    data: Vec<u8>,
}

/// The result of adding a fragment.
#[derive(PartialEq, Eq)]
pub(super) enum AddResult {
    /// The fragment was new.
    New,
    /// The fragment had been received before.
    Repeated,
}

impl PendingMessage {
    pub(super) const fn new(key: MessageKey, count: u16) -> Self {
        Self { key, count, fragments: Vec::new(), data: Vec::new() }
    }

    /// Reuses the buffers for another message.
    pub(super) fn reuse(&mut self, key: MessageKey, count: u16) {
        self.clear();
        self.key = key;
        self.count = count;
    }

    /// Discards the contents and shrinks large buffers.
    pub(super) fn clear(&mut self) {
        self.fragments.clear();
        self.data.clear();
        self.data.shrink_to(MAX_SPARE_CAPACITY);
        self.fragments.shrink_to(MAX_SPARE_CAPACITY / size_of::<StoredFragment>());
    }

    pub(super) fn add(&mut self, fragment: &Fragment<'_>) -> AddResult {
        let index = fragment.header.index;
        let at = match self.fragments.last() {
            Some(last) if last.index >= index => {
                match self.fragments.binary_search_by_key(&index, |stored| stored.index) {
                    Ok(_) => return AddResult::Repeated,
                    Err(at) => at,
                }
            }
            _ => self.fragments.len(),
        };
        let start = self.data.len() as u32;
        self.fragments.insert(at, StoredFragment { index, len: fragment.data.len() as u16, start });
        self.data.extend_from_slice(fragment.data);
        AddResult::New
    }

    pub(super) fn is_complete(&self) -> bool {
        self.fragments.len() == usize::from(self.count)
    }

    /// Returns the number of fragments received.
    pub(super) fn received(&self) -> usize {
        self.fragments.len()
    }

    /// Returns the number of bytes that count against [`ReassemblyLimits::max_bytes`](super::ReassemblyLimits).
    pub(super) fn bytes_held(&self) -> usize {
        self.data.len() + self.fragments.len() * size_of::<StoredFragment>()
    }

    /// Replaces the contents of `out` with the message.
    pub(super) fn assemble_into(&mut self, out: &mut Vec<u8>) {
        out.clear();
        if self.fragments.is_sorted_by_key(|stored| stored.start) {
            std::mem::swap(out, &mut self.data);
            return;
        }
        for stored in &self.fragments {
            let start = stored.start as usize;
            out.extend_from_slice(self.data.get(start..start + usize::from(stored.len)).unwrap_or_default());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Direction;
    use crate::packet::{FragmentHeader, StreamId};

    #[test]
    fn a_large_buffer_is_given_back() {
        let header = |index| FragmentHeader { sequence: 1, id: 0x8000_0000, count: 4_000, index, queue: 10 };
        let stream = StreamId { session: 1, direction: Direction::S2C };
        let mut message = PendingMessage::new(MessageKey::new(stream, &header(0)), 4_000);
        for header in (0..4_000).map(header) {
            message.add(&Fragment { header, data: &[1; 448] });
        }
        assert!(message.data.capacity() > 20 * MAX_SPARE_CAPACITY);
        message.clear();
        assert!(message.data.capacity() <= MAX_SPARE_CAPACITY);
    }
}

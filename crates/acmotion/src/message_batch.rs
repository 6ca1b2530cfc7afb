//! Messages stored back to back, so that a queue of them takes two allocations and, once it has grown, none.

#[cfg(feature = "serde")]
use crate::restore::{Checked, require};

/// Whole messages in one buffer, oldest first.
///
/// [`World::swap_outbound`](crate::World::swap_outbound) fills one. If the same batch is passed again and again, it stops
/// allocating once it has grown to its size.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct MessageBatch {
    bytes: Vec<u8>,
    /// The offset at which each message ends, in bytes.
    ends: Vec<usize>,
}

impl MessageBatch {
    /// Creates an empty batch.
    pub fn new() -> Self {
        Self::default()
    }

    /// Iterates over the messages, oldest first.
    pub fn iter(&self) -> Messages<'_> {
        Messages { batch: self, next: 0 }
    }

    /// Returns the message at an index, `None` if there are not so many.
    pub fn get(&self, index: usize) -> Option<&[u8]> {
        let end = *self.ends.get(index)?;
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        self.bytes.get(start..end)
    }

    /// The number of messages.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns `true` if there are no messages.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The size of all messages, in bytes.
    pub fn size(&self) -> usize {
        self.bytes.len()
    }

    /// Removes all messages; keeps the allocations.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.ends.clear();
    }

    /// Adds a message.
    pub(crate) fn push(&mut self, message: &[u8]) {
        self.push_with(|bytes| bytes.extend_from_slice(message));
    }

    /// Adds the message that `write` appends to the buffer.
    pub(crate) fn push_with(&mut self, write: impl FnOnce(&mut Vec<u8>)) {
        write(&mut self.bytes);
        self.ends.push(self.bytes.len());
    }

    /// Removes the oldest messages, at most `count`. The others are moved, so remove many at a time.
    pub(crate) fn remove_oldest(&mut self, count: usize) {
        let count = count.min(self.len());
        let size = count.checked_sub(1).map_or(0, |last| self.ends[last]);
        self.bytes.drain(..size);
        self.ends.drain(..count);
        for end in &mut self.ends {
            *end -= size;
        }
    }

    /// Removes and returns all messages, each as a vector of its own.
    pub(crate) fn drain(&mut self) -> impl Iterator<Item = Vec<u8>> {
        Drain { next: 0, batch: self }
    }
}

#[cfg(feature = "serde")]
impl MessageBatch {
    /// Checks a batch that was read from a snapshot.
    pub(crate) fn check(&self) -> Checked {
        let is_whole = self.ends.is_sorted() && self.ends.last().is_none_or(|end| *end == self.bytes.len());
        require(is_whole && (self.is_empty() <= self.bytes.is_empty()), "messages without a border")
    }
}

impl<'a> IntoIterator for &'a MessageBatch {
    type Item = &'a [u8];
    type IntoIter = Messages<'a>;

    fn into_iter(self) -> Messages<'a> {
        self.iter()
    }
}

/// Iterates over the messages of a [`MessageBatch`], oldest first.
#[derive(Clone, Debug)]
pub struct Messages<'a> {
    batch: &'a MessageBatch,
    next: usize,
}

impl<'a> Iterator for Messages<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        let message = self.batch.get(self.next)?;
        self.next += 1;
        Some(message)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.batch.len() - self.next;
        (left, Some(left))
    }
}

impl ExactSizeIterator for Messages<'_> {}

/// Returns the messages of a batch as vectors, and empties it when dropped.
struct Drain<'a> {
    batch: &'a mut MessageBatch,
    next: usize,
}

impl Iterator for Drain<'_> {
    type Item = Vec<u8>;

    fn next(&mut self) -> Option<Vec<u8>> {
        let message = self.batch.get(self.next)?.to_vec();
        self.next += 1;
        Some(message)
    }
}

impl Drop for Drain<'_> {
    fn drop(&mut self) {
        self.batch.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn batch(messages: &[&[u8]]) -> MessageBatch {
        let mut batch = MessageBatch::new();
        messages.iter().for_each(|message| batch.push(message));
        batch
    }

    #[test]
    fn messages_come_back_in_order_and_empty_ones_too() {
        let batch = batch(&[b"ab", b"", b"c"]);
        assert_eq!(batch.iter().collect::<Vec<_>>(), [&b"ab"[..], b"", b"c"]);
        assert_eq!((batch.len(), batch.size(), batch.get(3)), (3, 3, None));
    }

    #[test]
    fn the_oldest_messages_are_removed_first() {
        let mut batch = batch(&[b"ab", b"", b"cde", b"f"]);
        batch.remove_oldest(0);
        assert_eq!(batch.len(), 4);
        batch.remove_oldest(2);
        assert_eq!(batch.iter().collect::<Vec<_>>(), [&b"cde"[..], b"f"]);
        batch.remove_oldest(5);
        assert!(batch.is_empty() && batch.size() == 0);
    }

    #[test]
    fn a_drain_that_is_dropped_half_way_removes_all_messages() {
        let mut batch = batch(&[b"ab", b"c"]);
        assert_eq!(batch.drain().next().as_deref(), Some(&b"ab"[..]));
        assert!(batch.is_empty());
    }

    #[test]
    fn an_iterator_knows_how_many_messages_are_left() {
        let batch = batch(&[b"ab", b"c", b"d"]);
        let mut messages = batch.iter();
        assert_eq!(messages.len(), 3);
        assert_eq!(messages.next(), Some(&b"ab"[..]));
        assert_eq!((messages.len(), messages.size_hint()), (2, (2, Some(2))));
        assert_eq!(messages.by_ref().count(), 2);
        assert_eq!((&batch).into_iter().len(), 3);
        assert!(!batch.is_empty() && MessageBatch::new().is_empty());
    }

    #[test]
    fn a_cleared_batch_begins_anew() {
        let mut batch = batch(&[b"ab", b"c"]);
        batch.clear();
        batch.push(b"xyz");
        assert_eq!((batch.get(0), batch.len(), batch.size()), (Some(&b"xyz"[..]), 1, 3));
    }

    /// The borders must be in order, and the last of them must be the end of the bytes.
    #[cfg(feature = "serde")]
    #[test]
    fn a_batch_with_wrong_borders_is_refused() {
        let batch = |bytes: &[u8], ends: &[usize]| MessageBatch { bytes: bytes.into(), ends: ends.into() };
        let is_whole = |bytes: &[u8], ends: &[usize]| batch(bytes, ends).check().is_ok();
        assert!(is_whole(b"", &[]) && is_whole(b"", &[0, 0]) && is_whole(b"abc", &[1, 1, 3]));
        assert!(!is_whole(b"abc", &[2, 1, 3]), "out of order");
        assert!(!is_whole(b"abc", &[1, 2]), "bytes after the last border");
        assert!(!is_whole(b"abc", &[1, 4]), "a border after the bytes");
        assert!(!is_whole(b"abc", &[]), "bytes without a border");
    }
}

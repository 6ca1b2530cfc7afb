//! Lists of fixed-size items, read where they lie.

use std::fmt;

use acmotion_types::Era;

use crate::cursor::{Read, Reader, Writer};

/// Something that stands in a list on the wire, always in the same number of bytes.
pub(crate) trait Item: Copy {
    /// How many bytes.
    const SIZE: usize;
    /// Reads one; the only trouble can be a value that is not allowed, never a lack of bytes.
    fn read(reader: &mut Reader<'_>) -> Read<Self>;
    /// Writes one.
    fn write(&self, writer: &mut Writer<'_>);
}

/// A list inside a message: either the bytes of a received message, read when asked, or a slice of the caller's.
///
/// ```
/// use acmotion_wire::{ActionItem, Actions, ActionStamp, MotionCommand};
///
/// let bow = ActionItem { command: MotionCommand::BOW_DEEP, stamp: ActionStamp::new(2), autonomous: false, speed: 1.0 };
/// let own = [bow];
/// let actions = Actions::new(&own);
/// assert_eq!(actions.len(), 1);
/// assert_eq!(actions.iter().next(), Some(bow));
/// ```
#[derive(Clone, Copy)]
pub struct Items<'a, T> {
    source: Source<'a, T>,
    era: Era,
}

#[derive(Clone, Copy)]
enum Source<'a, T> {
    /// Bytes that have been checked: each item in them reads without an error.
    Wire(&'a [u8]),
    Own(&'a [T]),
}

#[expect(private_bounds, reason = "what can stand in a list is decided here")]
impl<'a, T: Item> Items<'a, T> {
    /// No item.
    pub const EMPTY: Self = Self::new(&[]);

    /// The caller's own items.
    pub const fn new(items: &'a [T]) -> Self {
        Self { source: Source::Own(items), era: Era::EndOfRetail }
    }

    /// How many items.
    pub const fn len(&self) -> usize {
        match self.source {
            Source::Wire(bytes) => bytes.len() / T::SIZE,
            Source::Own(items) => items.len(),
        }
    }

    /// Is there none?
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The items in order.
    pub fn iter(&self) -> ItemsIter<'a, T> {
        ItemsIter { rest: *self }
    }

    /// Takes `count` items from the message and looks through them once.
    #[inline(always)]
    pub(crate) fn read(reader: &mut Reader<'a>, count: usize, field: &'static str) -> Read<Self> {
        if count == 0 {
            return Ok(Self::EMPTY);
        }
        let mut items = reader.limited(count.saturating_mul(T::SIZE), field)?;
        let source = Source::Wire(items.remaining());
        for _ in 0..count {
            T::read(&mut items)?;
        }
        Ok(Self { source, era: reader.era() })
    }

    /// Appends the first `limit` items.
    #[inline]
    pub(crate) fn write(&self, writer: &mut Writer<'_>, limit: usize) {
        match self.source {
            Source::Wire(bytes) => writer.bytes(bytes),
            Source::Own(items) => items.iter().take(limit).for_each(|item| item.write(writer)),
        }
    }
}

impl<T: Item> Default for Items<'_, T> {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl<T: Item + PartialEq> PartialEq for Items<'_, T> {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl<T: Item + fmt::Debug> fmt::Debug for Items<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl<'a, T: Item> IntoIterator for Items<'a, T> {
    type Item = T;
    type IntoIter = ItemsIter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// Goes through [`Items`].
#[derive(Clone)]
pub struct ItemsIter<'a, T> {
    rest: Items<'a, T>,
}

impl<T: Item> Iterator for ItemsIter<'_, T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        match &mut self.rest.source {
            Source::Wire(bytes) => {
                let mut reader = Reader::new(bytes, 0, self.rest.era);
                let item = T::read(&mut reader).ok()?;
                *bytes = reader.remaining();
                Some(item)
            }
            Source::Own(items) => {
                let (first, rest) = items.split_first()?;
                *items = rest;
                Some(*first)
            }
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.rest.len(), Some(self.rest.len()))
    }
}

impl<T: Item> ExactSizeIterator for ItemsIter<'_, T> {}

impl<T: Item + fmt::Debug> fmt::Debug for ItemsIter<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.rest.fmt(f)
    }
}

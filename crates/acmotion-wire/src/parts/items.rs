//! Lists of fixed-size items that are parsed in place.

use std::fmt;

use acmotion_types::Era;

use crate::cursor::{ReadResult, Reader, Writer};

/// An item of fixed size in a list on the wire.
pub(crate) trait WireItem: Copy {
    /// The size in bytes.
    const SIZE: usize;
    /// Reads an item. `reader` has at least `SIZE` bytes, so only an invalid value can be an error.
    fn read(reader: &mut Reader<'_>) -> ReadResult<Self>;
    /// Writes the item.
    fn write(&self, writer: &mut Writer<'_>);
}

/// A list in a message: either bytes of a received message, parsed on access, or a slice provided by the caller.
///
/// ```
/// use acmotion_wire::{ActionItem, Actions, ActionStamp, MotionCommand};
///
/// let bow = ActionItem { command: MotionCommand::BOW_DEEP, stamp: ActionStamp::new(2), autonomous: false, speed: 1.0 };
/// let items = [bow];
/// let actions = Actions::new(&items);
/// assert_eq!(actions.len(), 1);
/// assert_eq!(actions.iter().next(), Some(bow));
/// ```
#[derive(Clone, Copy)]
pub struct Items<'a, T> {
    storage: Storage<'a, T>,
    era: Era,
}

#[derive(Clone, Copy)]
enum Storage<'a, T> {
    /// Validated bytes: every item in them parses without an error.
    Encoded(&'a [u8]),
    Decoded(&'a [T]),
}

#[expect(private_bounds, reason = "only this crate defines items")]
impl<'a, T: WireItem> Items<'a, T> {
    /// The empty list.
    pub const EMPTY: Self = Self::new(&[]);

    /// Creates a list from a slice.
    pub const fn new(items: &'a [T]) -> Self {
        Self { storage: Storage::Decoded(items), era: Era::EndOfRetail }
    }

    /// Returns the number of items.
    pub const fn len(&self) -> usize {
        match self.storage {
            Storage::Encoded(bytes) => bytes.len() / T::SIZE,
            Storage::Decoded(items) => items.len(),
        }
    }

    /// Returns `true` if the list has no items.
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Iterates over the items in order.
    pub fn iter(&self) -> ItemsIter<'a, T> {
        ItemsIter { rest: *self }
    }

    /// Reads `count` items and validates each of them.
    #[inline(always)]
    pub(crate) fn read(reader: &mut Reader<'a>, count: usize, field: &'static str) -> ReadResult<Self> {
        if count == 0 {
            return Ok(Self::EMPTY);
        }
        let mut items = reader.sub_reader(count.saturating_mul(T::SIZE), field)?;
        let source = Storage::Encoded(items.remaining());
        for _ in 0..count {
            T::read(&mut items)?;
        }
        Ok(Self { storage: source, era: reader.era() })
    }

    /// Appends the first `limit` items.
    #[inline]
    pub(crate) fn write(&self, writer: &mut Writer<'_>, limit: usize) {
        match self.storage {
            Storage::Encoded(bytes) => writer.bytes(bytes),
            Storage::Decoded(items) => items.iter().take(limit).for_each(|item| item.write(writer)),
        }
    }
}

impl<T: WireItem> Default for Items<'_, T> {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl<T: WireItem + PartialEq> PartialEq for Items<'_, T> {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl<T: WireItem + fmt::Debug> fmt::Debug for Items<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl<'a, T: WireItem> IntoIterator for Items<'a, T> {
    type Item = T;
    type IntoIter = ItemsIter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// An iterator over [`Items`].
#[derive(Clone)]
pub struct ItemsIter<'a, T> {
    rest: Items<'a, T>,
}

impl<T: WireItem> Iterator for ItemsIter<'_, T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        match &mut self.rest.storage {
            Storage::Encoded(bytes) => {
                let mut reader = Reader::new(bytes, 0, self.rest.era);
                let item = T::read(&mut reader).ok()?;
                *bytes = reader.remaining();
                Some(item)
            }
            Storage::Decoded(items) => {
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

impl<T: WireItem> ExactSizeIterator for ItemsIter<'_, T> {}

impl<T: WireItem + fmt::Debug> fmt::Debug for ItemsIter<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.rest.fmt(f)
    }
}

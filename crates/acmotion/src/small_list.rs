//! Short lists that live inside their owner.

use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A list whose first `N` elements lie in place and the others, of which there are seldom any, in side storage. Side
/// storage once taken is kept until it is asked for, so that a list that has found its length allocates no more.
#[derive(Clone)]
#[repr(C)]
pub(crate) struct SmallList<T, const N: usize> {
    len: u32,
    inline: [T; N],
    side: Option<Box<Side<T>>>,
}

/// Behind a pointer of its own, so that a list without side storage is eight bytes longer and not twenty-four.
#[derive(Clone, Debug)]
pub(crate) struct Side<T>(Vec<T>);

/// How many elements the side storage first has room for.
const SIDE_ROOM: usize = 20;

impl<T> Side<T> {
    fn new() -> Box<Self> {
        Box::new(Self(Vec::with_capacity(SIDE_ROOM)))
    }
}

/// Side storage that lists give back and take again, so that it is made only when more lists than ever before need it at
/// a time.
#[derive(Debug)]
pub(crate) struct Pool<T> {
    spare: Mutex<Spare<T>>,
}

/// Boxed as the lists hold it, so that it changes hands without being moved.
type Spare<T> = Vec<Box<Side<T>>>;

/// How many are made at a time.
const BATCH: usize = 32;

impl<T> Default for Pool<T> {
    fn default() -> Self {
        Self { spare: Mutex::new(Vec::new()) }
    }
}

impl<T> Pool<T> {
    fn take(&self) -> Box<Side<T>> {
        let mut spare = self.lock();
        if spare.is_empty() {
            spare.extend((0..BATCH).map(|_| Side::new()));
        }
        spare.pop().unwrap_or_else(Side::new)
    }

    fn lock(&self) -> MutexGuard<'_, Spare<T>> {
        self.spare.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T: Copy + Default, const N: usize> SmallList<T, N> {
    pub(crate) fn new() -> Self {
        Self { len: 0, inline: [T::default(); N], side: None }
    }

    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.len as usize
    }

    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.len == 0
    }

    #[inline]
    pub(crate) fn get(&self, index: usize) -> Option<T> {
        if index >= self.len() {
            return None;
        }
        match self.inline.get(index) {
            Some(element) => Some(*element),
            None => self.side.as_ref()?.0.get(index - N).copied(),
        }
    }

    #[inline]
    pub(crate) fn get_mut(&mut self, index: usize) -> Option<&mut T> {
        if index >= self.len() {
            return None;
        }
        match self.inline.get_mut(index) {
            Some(element) => Some(element),
            None => self.side.as_mut()?.0.get_mut(index - N),
        }
    }

    pub(crate) fn first(&self) -> Option<T> {
        self.get(0)
    }

    pub(crate) fn push(&mut self, element: T) {
        match self.inline.get_mut(self.len as usize) {
            Some(place) => *place = element,
            None => self.side.get_or_insert_with(Side::new).0.push(element),
        }
        self.len += 1;
    }

    /// As [`push`](Self::push), with side storage from a pool.
    #[inline]
    pub(crate) fn push_pooled(&mut self, element: T, pool: &Pool<T>) {
        if self.len() == N && self.side.is_none() {
            self.side = Some(pool.take());
        }
        self.push(element);
    }

    /// Gives side storage that is no longer needed to a pool.
    #[inline]
    pub(crate) fn tidy(&mut self, pool: &Pool<T>) {
        if self.side.is_some() && self.len() <= N {
            pool.lock().extend(self.side.take());
        }
    }

    pub(crate) fn push_front(&mut self, element: T) {
        self.push(element);
        let mut carried = element;
        for index in 0..self.len() {
            if let Some(place) = self.get_mut(index) {
                carried = std::mem::replace(place, carried);
            }
        }
    }

    pub(crate) fn remove(&mut self, index: usize) -> Option<T> {
        let removed = self.get(index)?;
        self.remove_range(index, index + 1);
        Some(removed)
    }

    pub(crate) fn remove_first(&mut self) -> Option<T> {
        self.remove(0)
    }

    /// Removes the elements from `start` to before `end`.
    pub(crate) fn remove_range(&mut self, start: usize, end: usize) {
        let end = end.min(self.len());
        let Some(count) = end.checked_sub(start).filter(|count| *count > 0) else { return };
        for index in end..self.len() {
            if let (Some(element), Some(place)) = (self.get(index), self.get_mut(index - count)) {
                *place = element;
            }
        }
        self.truncate(self.len() - count);
    }

    /// Keeps the first `len` elements.
    pub(crate) fn truncate(&mut self, len: usize) {
        if len >= self.len() {
            return;
        }
        if let Some(side) = &mut self.side {
            side.0.truncate(len.saturating_sub(N));
        }
        self.len = len as u32;
    }

    pub(crate) fn clear(&mut self) {
        self.truncate(0);
    }

    pub(crate) fn iter(&self) -> impl ExactSizeIterator<Item = T> + DoubleEndedIterator {
        (0..self.len()).map(|index| self.get(index).unwrap_or_default())
    }

    /// How many bytes it takes outside of its owner.
    pub(crate) fn side_bytes(&self) -> usize {
        self.side.as_ref().map_or(0, |side| size_of::<Side<T>>() + side.0.capacity() * size_of::<T>())
    }
}

impl<T: Copy + Default + fmt::Debug, const N: usize> fmt::Debug for SmallList<T, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl<T: Copy + Default + PartialEq, const N: usize> PartialEq for SmallList<T, N> {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;

    use proptest::prelude::*;

    use super::*;

    #[derive(Clone, Debug)]
    enum Edit {
        Push(u8),
        PushPooled(u8),
        Tidy,
        PushFront(u8),
        Remove(usize),
        RemoveRange(usize, usize),
        Truncate(usize),
    }

    fn edit() -> impl Strategy<Value = Edit> {
        prop_oneof![
            2 => any::<u8>().prop_map(Edit::Push),
            2 => any::<u8>().prop_map(Edit::PushPooled),
            1 => Just(Edit::Tidy),
            2 => any::<u8>().prop_map(Edit::PushFront),
            1 => (0..12usize).prop_map(Edit::Remove),
            1 => (0..12usize, 0..12usize).prop_map(|(a, b)| Edit::RemoveRange(a, b)),
            1 => (0..12usize).prop_map(Edit::Truncate),
        ]
    }

    proptest! {
        /// Whatever is done to it, it holds what a plain list would hold, in place or not.
        #[test]
        fn behaves_like_a_plain_list(edits in proptest::collection::vec(edit(), 0..60)) {
            let (mut list, pool) = (SmallList::<u8, 3>::new(), Pool::default());
            let mut plain = VecDeque::new();
            for edit in edits {
                match edit {
                    Edit::Push(value) => { list.push(value); plain.push_back(value); }
                    Edit::PushPooled(value) => { list.push_pooled(value, &pool); plain.push_back(value); }
                    Edit::Tidy => list.tidy(&pool),
                    Edit::PushFront(value) => { list.push_front(value); plain.push_front(value); }
                    Edit::Remove(index) => prop_assert_eq!(list.remove(index), plain.remove(index)),
                    Edit::RemoveRange(start, end) => {
                        list.remove_range(start, end);
                        let end = end.min(plain.len());
                        if start < end { plain.drain(start..end); }
                    }
                    Edit::Truncate(len) => { list.truncate(len); plain.truncate(len); }
                }
                prop_assert_eq!(list.iter().collect::<Vec<_>>(), plain.iter().copied().collect::<Vec<_>>());
                prop_assert_eq!((list.len(), list.get(plain.len())), (plain.len(), None));
            }
        }
    }
}

//! Keyed lists that keep their file order.

/// A list of values with 32-bit keys.
///
/// The entries keep the order of the file, so that they encode to the same bytes. A sorted index makes each lookup a
/// binary search without allocation. If a key occurs more than once, lookups return the first entry.
#[derive(Clone, PartialEq, Debug)]
pub struct KeyedList<T> {
    entries: Vec<(u32, T)>,
    /// Indices into `entries`, sorted by key.
    order: Vec<u32>,
}

impl<T> Default for KeyedList<T> {
    fn default() -> Self {
        Self { entries: Vec::new(), order: Vec::new() }
    }
}

impl<T> KeyedList<T> {
    /// Returns the value of a key, or `None` if the list does not contain the key.
    pub fn get(&self, key: u32) -> Option<&T> {
        let rank = self.order.partition_point(|&index| self.entries[index as usize].0 < key);
        let (found, value) = &self.entries[*self.order.get(rank)? as usize];
        (*found == key).then_some(value)
    }

    /// Iterates over all entries in file order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (u32, &T)> {
        self.entries.iter().map(|(key, value)| (*key, value))
    }

    /// Returns the number of entries.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Returns `true` if the list is empty.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
}

impl<T> FromIterator<(u32, T)> for KeyedList<T> {
    fn from_iter<I: IntoIterator<Item = (u32, T)>>(entries: I) -> Self {
        let entries: Vec<_> = entries.into_iter().collect();
        let mut order: Vec<u32> = (0..entries.len() as u32).collect();
        order.sort_by_key(|&index| entries[index as usize].0);
        Self { entries, order }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lookups_find_keys_and_iteration_keeps_the_order() {
        let list: KeyedList<_> = [(7, 'a'), (3, 'b'), (9, 'c'), (3, 'd')].into_iter().collect();
        assert_eq!(
            (list.get(7), list.get(9), list.get(4), list.get(10)),
            (Some(&'a'), Some(&'c'), None, None)
        );
        assert_eq!(list.get(3), Some(&'b'), "the first of two entries with the same key");
        assert_eq!(list.iter().map(|(_, value)| *value).collect::<String>(), "abcd");
        assert_eq!(KeyedList::<u8>::default().get(0), None);
    }
}

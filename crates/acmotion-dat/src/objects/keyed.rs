//! Lists with keys, in file order and yet quickly searched.

/// Values by 32-bit key: kept in the order of the file, so that writing gives the same bytes, and indexed, so that
/// looking up takes a binary search and no allocation. Of a key that stands twice the first counts.
#[derive(Clone, PartialEq, Debug)]
pub struct KeyedList<T> {
    entries: Vec<(u32, T)>,
    /// Places in `entries`, sorted by key.
    order: Vec<u32>,
}

impl<T> Default for KeyedList<T> {
    fn default() -> Self {
        Self { entries: Vec::new(), order: Vec::new() }
    }
}

impl<T> KeyedList<T> {
    /// The value of a key.
    pub fn get(&self, key: u32) -> Option<&T> {
        let at = self.order.partition_point(|&place| self.entries[place as usize].0 < key);
        let (found, value) = &self.entries[*self.order.get(at)? as usize];
        (*found == key).then_some(value)
    }

    /// All entries, in file order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (u32, &T)> {
        self.entries.iter().map(|(key, value)| (*key, value))
    }

    /// How many entries there are.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Is it empty?
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
}

impl<T> FromIterator<(u32, T)> for KeyedList<T> {
    fn from_iter<I: IntoIterator<Item = (u32, T)>>(entries: I) -> Self {
        let entries: Vec<_> = entries.into_iter().collect();
        let mut order: Vec<u32> = (0..entries.len() as u32).collect();
        order.sort_by_key(|&place| entries[place as usize].0);
        Self { entries, order }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_by_key_and_keeps_the_order() {
        let list: KeyedList<_> = [(7, 'a'), (3, 'b'), (9, 'c'), (3, 'd')].into_iter().collect();
        assert_eq!(
            (list.get(7), list.get(9), list.get(4), list.get(10)),
            (Some(&'a'), Some(&'c'), None, None)
        );
        assert_eq!(list.get(3), Some(&'b'), "the first of two");
        assert_eq!(list.iter().map(|(_, value)| *value).collect::<String>(), "abcd");
        assert_eq!(KeyedList::<u8>::default().get(0), None);
    }
}

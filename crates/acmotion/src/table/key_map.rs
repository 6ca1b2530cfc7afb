//! Values by key, found in a few instructions.

/// Values by number. Of a key that stands twice the first counts. Goes through its entries in the order in which they
/// were given.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct KeyMap<V> {
    entries: Vec<(u64, V)>,
    /// Places in `entries` plus one, where the key's hash puts them or in the next free slot; 0 is free. At most half
    /// of them are taken.
    slots: Vec<u32>,
    /// How far the hash is shifted to be an index of `slots`.
    shift: u32,
}

/// 2⁶⁴ by the golden ratio: spreads numbers that differ in their lower bits over the upper ones.
const SPREAD: u64 = 0x9E37_79B9_7F4A_7C15;

impl<V> KeyMap<V> {
    pub(super) fn get(&self, key: u64) -> Option<&V> {
        let mut index = (key.wrapping_mul(SPREAD) >> self.shift) as usize;
        loop {
            let place = self.slots[index].checked_sub(1)?;
            let (found, value) = &self.entries[place as usize];
            if *found == key {
                return Some(value);
            }
            index = (index + 1) % self.slots.len();
        }
    }

    pub(super) fn iter(&self) -> impl ExactSizeIterator<Item = (u64, &V)> {
        self.entries.iter().map(|(key, value)| (*key, value))
    }
}

impl<V> FromIterator<(u64, V)> for KeyMap<V> {
    fn from_iter<I: IntoIterator<Item = (u64, V)>>(entries: I) -> Self {
        let entries: Vec<_> = entries.into_iter().collect();
        let size = (entries.len() * 2 + 2).next_power_of_two();
        let mut map = Self { entries: Vec::new(), slots: vec![0; size], shift: 64 - size.ilog2() };
        for (key, value) in entries {
            let mut index = (key.wrapping_mul(SPREAD) >> map.shift) as usize;
            while map.slots[index] != 0 && map.entries[map.slots[index] as usize - 1].0 != key {
                index = (index + 1) % size;
            }
            if map.slots[index] == 0 {
                map.entries.push((key, value));
                map.slots[index] = map.entries.len() as u32;
            }
        }
        map
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn finds_what_a_sorted_map_finds(entries in proptest::collection::vec((0u64..200, 0u8..255), 0..120)) {
            let map: KeyMap<u8> = entries.iter().copied().collect();
            let mut sorted = BTreeMap::new();
            for (key, value) in &entries {
                sorted.entry(*key).or_insert(*value);
            }
            for key in 0..220 {
                prop_assert_eq!(map.get(key), sorted.get(&key));
            }
            prop_assert_eq!(map.iter().len(), sorted.len());
        }
    }

    #[test]
    fn an_empty_map_has_nothing() {
        assert_eq!(KeyMap::<u8>::from_iter([]).get(0), None);
    }
}

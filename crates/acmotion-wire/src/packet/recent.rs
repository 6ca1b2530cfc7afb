//! Which messages were complete a short while ago.

use super::reassembly::MessageKey;

/// Sets of two keys. The sequence picks the set, so that the last 2,048 messages of one stream are surely remembered.
const SETS: usize = 2048;

/// A memory of fixed size for the messages that were handed out, so that repeats are known as such.
pub(super) struct Recent(Box<[[Option<MessageKey>; 2]]>);

impl Recent {
    pub(super) fn new() -> Self {
        Self(vec![[None; 2]; SETS].into_boxed_slice())
    }

    /// Was this message handed out a short while ago?
    #[inline]
    pub(super) fn contains(&self, key: &MessageKey) -> bool {
        self.0.get(set_of(key)).is_some_and(|set| set.contains(&Some(*key)))
    }

    /// Remembers it, and forgets the older of the two in its place.
    #[inline]
    pub(super) fn insert(&mut self, key: MessageKey) {
        if let Some(set) = self.0.get_mut(set_of(&key)) {
            *set = [Some(key), set[0]];
        }
    }
}

/// Neighbours of one stream fall into neighbouring sets; different streams start far apart.
#[inline]
fn set_of(key: &MessageKey) -> usize {
    let stream = key.stream.session.wrapping_mul(2).wrapping_add(key.stream.direction as u32);
    (key.sequence.wrapping_add(stream.wrapping_mul(0x9E37)) as usize) % SETS
}

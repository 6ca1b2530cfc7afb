//! The messages that were completed recently.

use super::reassembly::MessageKey;

/// The number of sets of two keys. The sequence number selects the set, which guarantees that the last 2,048 messages
/// of a stream are remembered.
const SETS: usize = 2048;

/// A fixed-size cache of the messages that were returned, to recognise repeats.
pub(super) struct RecentMessages(Box<[[Option<MessageKey>; 2]]>);

impl RecentMessages {
    pub(super) fn new() -> Self {
        Self(vec![[None; 2]; SETS].into_boxed_slice())
    }

    /// Returns `true` if the message was returned recently.
    #[inline]
    pub(super) fn contains(&self, key: &MessageKey) -> bool {
        self.0.get(set_of(key)).is_some_and(|set| set.contains(&Some(*key)))
    }

    /// Adds a message and evicts the older of the two in its set.
    #[inline]
    pub(super) fn insert(&mut self, key: MessageKey) {
        if let Some(set) = self.0.get_mut(set_of(&key)) {
            *set = [Some(key), set[0]];
        }
    }
}

/// Returns the set of a message. Consecutive messages of a stream fall into consecutive sets, and different streams
/// start far apart.
#[inline]
fn set_of(key: &MessageKey) -> usize {
    let stream = key.stream.session.wrapping_mul(2).wrapping_add(key.stream.direction as u32);
    (key.sequence.wrapping_add(stream.wrapping_mul(0x9E37)) as usize) % SETS
}

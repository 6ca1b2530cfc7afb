//! Messages that wait until their object is created (rule D3).

use std::collections::{BTreeMap, VecDeque};

use acmotion_types::Guid;

use crate::limits::MAX_WAITING_FOR_ONE;
use crate::message_batch::MessageBatch;
#[cfg(feature = "serde")]
use crate::restore::{Checked, require};

/// The limits on waiting messages.
///
/// The time limit is the original's; the other two are guards that it lacks.
///
/// ```
/// use acmotion::{PendingLimits, Settings};
///
/// // A small client that gives up sooner.
/// let limits = PendingLimits { seconds: 10.0, messages: 1_000, ..PendingLimits::default() };
/// let settings = Settings { limits, ..Settings::default() };
/// # let _ = settings;
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PendingLimits {
    /// The time, in seconds, after which messages for an unknown object are dropped (rule D3).
    pub seconds: f64,
    /// The maximum number of messages that wait.
    pub messages: usize,
    /// The maximum size of all waiting messages, in bytes.
    pub bytes: usize,
}

impl Default for PendingLimits {
    fn default() -> Self {
        Self { seconds: 25.0, messages: 1 << 16, bytes: 1 << 24 }
    }
}

/// Waiting messages, by the object they wait for.
///
/// When a limit is reached, the queue that was started first is dropped; queues of unknown objects before those of known
/// ones.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PendingMessages {
    limits: PendingLimits,
    queues: BTreeMap<Guid, Queue>,
    /// The queues of objects that do not exist, oldest first.
    unknown: VecDeque<(Guid, u64)>,
    /// The queues of objects that wait for their next instance, oldest first.
    known: VecDeque<(Guid, u64)>,
    /// The number of queues started so far.
    started: u64,
    messages: usize,
    bytes: usize,
}

#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Queue {
    /// Distinguishes this queue from earlier ones of the same object.
    number: u64,
    since: f64,
    messages: MessageBatch,
}

impl PendingMessages {
    /// Creates an empty set of queues.
    pub fn new(limits: PendingLimits) -> Self {
        Self { limits, ..Self::default() }
    }

    /// Queues a message for `object`. The queue of an unknown object expires; that of an object that `is_known` under
    /// another instance does not. Returns the number of messages dropped to make room, including this one if it is too
    /// long itself.
    pub fn push(&mut self, object: Guid, is_known: bool, message: &[u8], now: f64) -> usize {
        if message.len() > self.limits.bytes || self.limits.messages == 0 {
            return 1;
        }
        let mut dropped = 0;
        while self.messages >= self.limits.messages || self.bytes + message.len() > self.limits.bytes {
            dropped += self.drop_oldest();
        }
        let messages = &mut self.queue_of(object, is_known, now).messages;
        let before = (messages.len(), messages.size());
        if messages.len() >= MAX_WAITING_FOR_ONE && !object.is_none() {
            messages.remove_oldest(MAX_WAITING_FOR_ONE / 2);
            dropped += MAX_WAITING_FOR_ONE / 2;
        }
        messages.push(message);
        let after = (messages.len(), messages.size());
        self.messages = self.messages - before.0 + after.0;
        self.bytes = self.bytes - before.1 + after.1;
        dropped
    }

    fn queue_of(&mut self, object: Guid, is_known: bool, now: f64) -> &mut Queue {
        let order = if is_known { &mut self.known } else { &mut self.unknown };
        if order.len() > 2 * self.queues.len() + 64 {
            order.retain(|entry| self.queues.get(&entry.0).is_some_and(|queue| queue.number == entry.1));
        }
        let started = &mut self.started;
        self.queues.entry(object).or_insert_with(|| {
            *started += 1;
            order.push_back((object, *started));
            Queue { number: *started, since: now, messages: MessageBatch::default() }
        })
    }

    fn drop_oldest(&mut self) -> usize {
        while let Some((object, number)) = self.unknown.pop_front().or_else(|| self.known.pop_front()) {
            if self.queues.get(&object).is_some_and(|queue| queue.number == number) {
                return self.take(object).len();
            }
        }
        0
    }

    /// Removes and returns the messages that wait for an object.
    pub fn take(&mut self, object: Guid) -> MessageBatch {
        let Some(queue) = self.queues.remove(&object) else { return MessageBatch::default() };
        self.messages -= queue.messages.len();
        self.bytes -= queue.messages.size();
        queue.messages
    }

    /// Drops the queues of unknown objects that have waited too long. Calls `dropped` with each object and the number
    /// of its messages.
    pub fn expire(&mut self, now: f64, mut dropped: impl FnMut(Guid, usize)) {
        while let Some((object, number)) = self.unknown.front().copied() {
            if let Some(queue) = self.queues.get(&object).filter(|queue| queue.number == number) {
                if now - queue.since <= self.limits.seconds {
                    break;
                }
                dropped(object, self.take(object).len());
            }
            self.unknown.pop_front();
        }
    }

    /// Moves the times at which the queues started by a number of seconds.
    pub(crate) fn shift_times(&mut self, by: f64) {
        self.queues.values_mut().for_each(|queue| queue.since += by);
    }

    /// The number of waiting messages.
    pub fn messages(&self) -> usize {
        self.messages
    }

    /// The size of all waiting messages, in bytes.
    pub fn bytes(&self) -> usize {
        self.bytes
    }
}

#[cfg(feature = "serde")]
impl PendingMessages {
    /// Checks queues that were read from a snapshot.
    pub(crate) fn check(&self) -> Checked {
        use std::collections::BTreeSet;

        let queues = || self.queues.values();
        queues().try_for_each(|queue| queue.messages.check())?;
        let counted =
            |count: fn(&MessageBatch) -> usize| queues().map(|queue| count(&queue.messages)).sum::<usize>();
        require(counted(MessageBatch::len) == self.messages, "a wrong number of waiting messages")?;
        require(counted(MessageBatch::size) == self.bytes, "a wrong size of waiting messages")?;
        // Every queue must be found when the oldest is to be dropped.
        let turns: BTreeSet<_> = self.unknown.iter().chain(&self.known).collect();
        let has_turn = |(guid, queue): (&Guid, &Queue)| turns.contains(&(*guid, queue.number));
        require(self.queues.iter().all(has_turn), "a queue of messages without a turn")?;
        require(queues().all(|queue| queue.number <= self.started), "a queue of messages from the future")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(messages: &MessageBatch) -> Vec<&[u8]> {
        messages.iter().collect()
    }

    #[test]
    fn messages_are_kept_by_object_in_order_of_arrival() {
        let mut waiting = PendingMessages::default();
        for (object, text) in [(1, "a"), (2, "b"), (1, ""), (1, "cd")] {
            assert_eq!(waiting.push(Guid(object), false, text.as_bytes(), 0.0), 0);
        }
        assert_eq!((waiting.messages(), waiting.bytes()), (4, 4));
        assert_eq!(texts(&waiting.take(Guid(1))), [&b"a"[..], b"", b"cd"]);
        assert!(waiting.take(Guid(1)).is_empty());
        assert_eq!((waiting.messages(), waiting.bytes()), (1, 1));
    }

    #[test]
    fn queues_of_unknown_objects_expire_25_seconds_after_their_first_message() {
        let mut waiting = PendingMessages::default();
        waiting.push(Guid(1), false, b"a", 0.0);
        waiting.push(Guid(9), true, b"x", 0.0);
        waiting.push(Guid(2), false, b"b", 10.0);
        waiting.push(Guid(1), false, b"c", 24.0);
        let mut gone = Vec::new();
        waiting.expire(25.0, |object, count| gone.push((object, count)));
        assert!(gone.is_empty());
        waiting.expire(25.1, |object, count| gone.push((object, count)));
        assert_eq!(gone, [(Guid(1), 2)]);
        waiting.expire(100.0, |object, count| gone.push((object, count)));
        assert_eq!(gone[1..], [(Guid(2), 1)]);
        assert_eq!(waiting.take(Guid(9)).len(), 1, "the queue of a known object does not expire");
    }

    #[test]
    fn a_new_queue_of_the_same_object_starts_its_time_anew() {
        let mut waiting = PendingMessages::default();
        waiting.push(Guid(1), false, b"a", 0.0);
        waiting.take(Guid(1));
        waiting.push(Guid(1), false, b"b", 20.0);
        waiting.expire(26.0, |_, _| panic!("too early"));
        assert_eq!(waiting.take(Guid(1)).len(), 1);
    }

    #[test]
    fn a_flood_is_bounded_and_keeps_the_newest_messages() {
        let limits = PendingLimits { messages: 100, bytes: 1000, ..PendingLimits::default() };
        let mut waiting = PendingMessages::new(limits);
        let mut dropped = 0;
        for number in 0..100_000u32 {
            dropped += waiting.push(Guid(number), false, &[0; 20], f64::from(number) * 1e-5);
            assert!(waiting.messages() <= 100 && waiting.bytes() <= 1000);
            assert!(waiting.unknown.len() <= 200);
        }
        assert_eq!(dropped, 100_000 - 50);
        assert_eq!(waiting.take(Guid(99_999)).len(), 1);
        assert_eq!(waiting.push(Guid(1), false, &[0; 1001], 0.0), 1, "longer than the limit");
        for number in 0..100_000u32 {
            waiting.push(Guid(7), false, &number.to_le_bytes(), 0.0);
            waiting.take(Guid(7));
            assert!(waiting.unknown.len() <= 400);
        }
    }
}

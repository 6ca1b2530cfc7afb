//! Messages that wait for their object to be created (rule D3).

use std::collections::{HashMap, VecDeque};

use acmotion_types::Guid;

/// How much may wait, and how long.
///
/// The time is the original's; the other two are guards that it lacks.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PendingLimits {
    /// For how many seconds an object that was never created is waited for (rule D3).
    pub seconds: f64,
    /// How many messages wait at most.
    pub messages: usize,
    /// How many bytes these messages have at most.
    pub bytes: usize,
}

impl Default for PendingLimits {
    fn default() -> Self {
        Self { seconds: 25.0, messages: 1 << 16, bytes: 1 << 24 }
    }
}

/// Messages that wait, by the object they wait for.
///
/// When there is no more room, the object that has been waited for longest is given up with all its messages.
#[derive(Clone, Debug, Default)]
pub struct PendingMessages {
    limits: PendingLimits,
    queues: HashMap<Guid, Queue>,
    /// Objects that were never created, in the order in which they were first heard of.
    unknown: VecDeque<(Guid, u64)>,
    /// Objects of which another life is to come, likewise.
    known: VecDeque<(Guid, u64)>,
    begun: u64,
    messages: usize,
    bytes: usize,
}

#[derive(Clone, Debug)]
struct Queue {
    number: u64,
    since: f64,
    messages: MessageList,
}

/// The messages that waited for an object, in order of arrival.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MessageList {
    bytes: Vec<u8>,
    ends: Vec<usize>,
}

impl MessageList {
    /// The messages, oldest first.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[u8]> {
        (0..self.len()).map(|index| self.get(index).unwrap_or_default())
    }

    /// One of the messages.
    pub fn get(&self, index: usize) -> Option<&[u8]> {
        let end = *self.ends.get(index)?;
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        self.bytes.get(start..end)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Are there none?
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    fn push(&mut self, message: &[u8]) {
        self.bytes.extend_from_slice(message);
        self.ends.push(self.bytes.len());
    }
}

impl PendingMessages {
    /// Nothing waits, and never more than `limits` will.
    pub fn new(limits: PendingLimits) -> Self {
        Self { limits, ..Self::default() }
    }

    /// A message waits for `object`. One that is not known is given up after its time; one that `is_known` under another
    /// instance stays. Answers how many messages were given up to make room, this one counted if it is too long.
    pub fn push(&mut self, object: Guid, is_known: bool, message: &[u8], now: f64) -> usize {
        if message.len() > self.limits.bytes || self.limits.messages == 0 {
            return 1;
        }
        let mut given_up = 0;
        while self.messages >= self.limits.messages || self.bytes + message.len() > self.limits.bytes {
            given_up += self.give_up_oldest();
        }
        self.queue_of(object, is_known, now).messages.push(message);
        self.messages += 1;
        self.bytes += message.len();
        given_up
    }

    fn queue_of(&mut self, object: Guid, is_known: bool, now: f64) -> &mut Queue {
        let order = if is_known { &mut self.known } else { &mut self.unknown };
        if order.len() > 2 * self.queues.len() + 64 {
            order.retain(|entry| self.queues.get(&entry.0).is_some_and(|queue| queue.number == entry.1));
        }
        let begun = &mut self.begun;
        self.queues.entry(object).or_insert_with(|| {
            *begun += 1;
            order.push_back((object, *begun));
            Queue { number: *begun, since: now, messages: MessageList::default() }
        })
    }

    fn give_up_oldest(&mut self) -> usize {
        while let Some((object, number)) = self.unknown.pop_front().or_else(|| self.known.pop_front()) {
            if self.queues.get(&object).is_some_and(|queue| queue.number == number) {
                return self.take(object).len();
            }
        }
        0
    }

    /// Takes what waits for an object, because it is created now or never will be.
    pub fn take(&mut self, object: Guid) -> MessageList {
        let Some(queue) = self.queues.remove(&object) else { return MessageList::default() };
        self.messages -= queue.messages.len();
        self.bytes -= queue.messages.bytes.len();
        queue.messages
    }

    /// Gives up every object that was waited for too long, and answers which and how many messages they had, through
    /// `given_up`.
    pub fn expire(&mut self, now: f64, mut given_up: impl FnMut(Guid, usize)) {
        while let Some((object, number)) = self.unknown.front().copied() {
            if let Some(queue) = self.queues.get(&object).filter(|queue| queue.number == number) {
                if now - queue.since <= self.limits.seconds {
                    break;
                }
                given_up(object, self.take(object).len());
            }
            self.unknown.pop_front();
        }
    }

    /// How many messages wait.
    pub fn messages(&self) -> usize {
        self.messages
    }

    /// How many bytes these messages have.
    pub fn bytes(&self) -> usize {
        self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(messages: &MessageList) -> Vec<&[u8]> {
        messages.iter().collect()
    }

    #[test]
    fn in_order_of_arrival_and_by_object() {
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
    fn unknown_objects_are_given_up_after_25_seconds_from_the_first_word() {
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
        assert_eq!(waiting.take(Guid(9)).len(), 1, "a known object is not given up");
    }

    #[test]
    fn taken_and_heard_of_again_counts_anew() {
        let mut waiting = PendingMessages::default();
        waiting.push(Guid(1), false, b"a", 0.0);
        waiting.take(Guid(1));
        waiting.push(Guid(1), false, b"b", 20.0);
        waiting.expire(26.0, |_, _| panic!("too early"));
        assert_eq!(waiting.take(Guid(1)).len(), 1);
    }

    #[test]
    fn a_flood_is_bounded_and_the_newest_stay() {
        let limits = PendingLimits { messages: 100, bytes: 1000, ..PendingLimits::default() };
        let mut waiting = PendingMessages::new(limits);
        let mut given_up = 0;
        for number in 0..100_000u32 {
            given_up += waiting.push(Guid(number), false, &[0; 20], f64::from(number) * 1e-5);
            assert!(waiting.messages() <= 100 && waiting.bytes() <= 1000);
            assert!(waiting.unknown.len() <= 200);
        }
        assert_eq!(given_up, 100_000 - 50);
        assert_eq!(waiting.take(Guid(99_999)).len(), 1);
        assert_eq!(waiting.push(Guid(1), false, &[0; 1001], 0.0), 1, "too long to wait at all");
        for number in 0..100_000u32 {
            waiting.push(Guid(7), false, &number.to_le_bytes(), 0.0);
            waiting.take(Guid(7));
            assert!(waiting.unknown.len() <= 400);
        }
    }
}

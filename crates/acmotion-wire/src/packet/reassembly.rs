//! Reassembles fragments into messages.

use super::pending::{AddResult, PendingMessage};
use super::recent::RecentMessages;
use super::{Fragment, FragmentHeader};
use crate::Direction;

/// The maximum number of buffers kept for later messages.
const MAX_SPARE_BUFFERS: usize = 8;

/// The stream a fragment belongs to. The same sequence number and id in another session or direction identify another
/// message.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct StreamId {
    /// The session: a number chosen by the caller for one connection of one client.
    pub session: u32,
    /// The direction.
    pub direction: Direction,
}

/// The identity of a message. `docs/wire.md` §1.3 uses direction, sequence number and id; here the session is added.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct MessageKey {
    pub(super) stream: StreamId,
    pub(super) sequence: u32,
    id: u32,
}

impl MessageKey {
    pub(super) const fn new(stream: StreamId, header: &FragmentHeader) -> Self {
        Self { stream, sequence: header.sequence, id: header.id }
    }
}

/// The limits on what a [`Reassembler`] keeps of incomplete messages. When one is exceeded, the oldest message is
/// dropped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ReassemblyLimits {
    /// The maximum number of incomplete messages.
    pub max_messages: usize,
    /// The maximum number of bytes held for all incomplete messages together.
    pub max_bytes: usize,
    /// The maximum number of fragments of one message. Fragments that announce more are refused.
    pub max_fragments: u16,
}

/// 256 messages, 4 MiB, and 4096 fragments (1.8 MB) per message.
impl Default for ReassemblyLimits {
    fn default() -> Self {
        Self { max_messages: 256, max_bytes: 4 << 20, max_fragments: 4096 }
    }
}

/// The counters of a [`Reassembler`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ReassemblyStats {
    /// The number of fragments received.
    pub fragments: u64,
    /// The number of messages completed.
    pub messages: u64,
    /// The number of fragments that were received before, or whose message was already complete.
    pub repeated: u64,
    /// The number of fragments whose count differs from that of earlier fragments of the message, or exceeds
    /// [`ReassemblyLimits::max_fragments`].
    pub refused: u64,
    /// The number of messages dropped because of the limits.
    pub dropped_messages: u64,
    /// The number of fragments dropped with them.
    pub dropped_fragments: u64,
}

/// The result of [`Reassembler::accept`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReassemblyResult {
    /// The fragment is a whole message: its data is the message.
    Single,
    /// The fragment completes a message, which [`Reassembler::message`] returns.
    Complete,
    /// Other fragments of the message are missing.
    Waiting,
    /// The fragment was received before, or its message was already complete.
    Repeated,
    /// The fragment contradicts earlier fragments of the message, or exceeds a limit.
    Refused,
}

/// The result of [`Reassembler::push`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PushResult<'a> {
    /// The fragment completes this message.
    Message(&'a [u8]),
    /// Other fragments of the message are missing.
    Waiting,
    /// The fragment was received before, or its message was already complete.
    Repeated,
    /// The fragment contradicts earlier fragments of the message, or exceeds a limit.
    Refused,
}

/// Reassembles fragments into messages (`docs/wire.md` §1.3). Fragments may arrive in any order, repeatedly, and from
/// any number of streams at once. Messages are returned in the order in which they become complete. Memory is bounded
/// by [`ReassemblyLimits`].
///
/// A message that is repeated after 2,048 or more other messages of its stream can be returned a second time.
pub struct Reassembler {
    limits: ReassemblyLimits,
    /// Oldest first.
    pending: Vec<PendingMessage>,
    spare: Vec<PendingMessage>,
    recent: RecentMessages,
    message: Vec<u8>,
    pending_bytes: usize,
    stats: ReassemblyStats,
}

impl Default for Reassembler {
    fn default() -> Self {
        Self::new(ReassemblyLimits::default())
    }
}

impl Reassembler {
    /// Creates an empty reassembler.
    pub fn new(limits: ReassemblyLimits) -> Self {
        Self {
            limits,
            pending: Vec::new(),
            spare: Vec::new(),
            recent: RecentMessages::new(),
            message: Vec::new(),
            pending_bytes: 0,
            stats: ReassemblyStats::default(),
        }
    }

    /// Adds a fragment and returns the message if it is now complete. A message of one fragment borrows from the
    /// fragment.
    pub fn push<'a>(&'a mut self, stream: StreamId, fragment: &Fragment<'a>) -> PushResult<'a> {
        match self.accept(stream, fragment) {
            ReassemblyResult::Single => PushResult::Message(fragment.data),
            ReassemblyResult::Complete => PushResult::Message(&self.message),
            ReassemblyResult::Waiting => PushResult::Waiting,
            ReassemblyResult::Repeated => PushResult::Repeated,
            ReassemblyResult::Refused => PushResult::Refused,
        }
    }

    /// Like [`Self::push`], but leaves a completed message to be fetched with [`Self::message`].
    #[inline]
    pub fn accept(&mut self, stream: StreamId, fragment: &Fragment<'_>) -> ReassemblyResult {
        let key = MessageKey::new(stream, &fragment.header);
        self.stats.fragments += 1;
        let result = if self.recent.contains(&key) {
            ReassemblyResult::Repeated
        } else if fragment.header.count == 1 {
            self.recent.insert(key);
            ReassemblyResult::Single
        } else {
            self.accept_part(key, fragment)
        };
        match result {
            ReassemblyResult::Single | ReassemblyResult::Complete => self.stats.messages += 1,
            ReassemblyResult::Repeated => self.stats.repeated += 1,
            ReassemblyResult::Refused => self.stats.refused += 1,
            ReassemblyResult::Waiting => {}
        }
        result
    }

    /// Returns the message announced by the last [`ReassemblyResult::Complete`].
    pub fn message(&self) -> &[u8] {
        &self.message
    }

    /// Returns the counters.
    pub const fn stats(&self) -> ReassemblyStats {
        self.stats
    }

    /// Returns the number of incomplete messages.
    pub const fn pending_messages(&self) -> usize {
        self.pending.len()
    }

    /// Returns the number of fragments that the incomplete messages are missing.
    pub fn missing_fragments(&self) -> usize {
        self.pending.iter().map(|message| usize::from(message.count) - message.received()).sum()
    }

    /// Returns the number of bytes held for incomplete messages.
    pub const fn pending_bytes(&self) -> usize {
        self.pending_bytes
    }

    fn accept_part(&mut self, key: MessageKey, fragment: &Fragment<'_>) -> ReassemblyResult {
        let FragmentHeader { count, index, .. } = fragment.header;
        if count > self.limits.max_fragments || index >= count {
            return ReassemblyResult::Refused;
        }
        let slot = match self.pending.iter().rposition(|message| message.key == key) {
            Some(slot) => slot,
            None => self.start_message(key, count),
        };
        let Some(message) = self.pending.get_mut(slot) else { return ReassemblyResult::Refused };
        if message.count != count {
            return ReassemblyResult::Refused;
        }
        let before = message.bytes_held();
        if message.add(fragment) == AddResult::Repeated {
            return ReassemblyResult::Repeated;
        }
        self.pending_bytes += message.bytes_held() - before;
        if message.is_complete() {
            self.finish_message(slot);
            return ReassemblyResult::Complete;
        }
        self.enforce_limits();
        ReassemblyResult::Waiting
    }

    fn start_message(&mut self, key: MessageKey, count: u16) -> usize {
        let fresh = match self.spare.pop() {
            Some(mut spare) => {
                spare.reuse(key, count);
                spare
            }
            None => PendingMessage::new(key, count),
        };
        self.pending.push(fresh);
        self.pending.len() - 1
    }

    fn finish_message(&mut self, slot: usize) {
        let mut done = self.pending.remove(slot);
        self.pending_bytes -= done.bytes_held();
        self.recent.insert(done.key);
        done.assemble_into(&mut self.message);
        self.recycle(done);
    }

    fn enforce_limits(&mut self) {
        while self.pending.len() > self.limits.max_messages || self.pending_bytes > self.limits.max_bytes {
            let oldest = self.pending.remove(0);
            self.pending_bytes -= oldest.bytes_held();
            self.stats.dropped_messages += 1;
            self.stats.dropped_fragments += oldest.received() as u64;
            self.recycle(oldest);
        }
    }

    fn recycle(&mut self, mut done: PendingMessage) {
        if self.spare.len() < MAX_SPARE_BUFFERS {
            done.clear();
            self.spare.push(done);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packet::FragmentHeader;

    #[test]
    fn few_buffers_are_kept_for_later_messages() {
        let stream = StreamId { session: 1, direction: Direction::S2C };
        let mut reassembler = Reassembler::new(ReassemblyLimits::default());
        for index in 0..2 {
            for sequence in 0..100 {
                let header = FragmentHeader { sequence, id: 0x8000_0000, count: 2, index, queue: 10 };
                reassembler.accept(stream, &Fragment { header, data: &[1; 100] });
            }
        }
        assert_eq!((reassembler.pending.len(), reassembler.spare.len()), (0, MAX_SPARE_BUFFERS));
    }
}

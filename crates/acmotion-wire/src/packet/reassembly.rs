//! From fragments to messages.

use super::pending::{Added, Pending};
use super::recent::Recent;
use super::{Fragment, FragmentHeader};
use crate::Direction;

/// How many buffers are kept for the next messages.
const SPARE_BUFFERS: usize = 8;

/// Whose fragments these are: the same sequence and id in another session or direction are another message.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Stream {
    /// A number for one connection of one client, chosen by the caller.
    pub session: u32,
    /// Which way.
    pub direction: Direction,
}

/// What names a message: wire.md §1.3 by direction, sequence and id; here also by session.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct MessageKey {
    pub(super) stream: Stream,
    pub(super) sequence: u32,
    id: u32,
}

impl MessageKey {
    const fn new(stream: Stream, header: &FragmentHeader) -> Self {
        Self { stream, sequence: header.sequence, id: header.id }
    }
}

/// How much a [`Reassembler`] keeps of messages that are not complete. When one is reached, the oldest message goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Messages at the same time.
    pub messages: usize,
    /// Bytes of all of them together.
    pub bytes: usize,
    /// Fragments of one message; one that says it has more is refused.
    pub fragments: u16,
}

/// 256 messages, 4 MiB, 4096 fragments (1.8 MB) in one message.
impl Default for Limits {
    fn default() -> Self {
        Self { messages: 256, bytes: 4 << 20, fragments: 4096 }
    }
}

/// What a [`Reassembler`] has seen.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ReassemblyStats {
    /// Fragments pushed.
    pub fragments: u64,
    /// Messages that became complete.
    pub messages: u64,
    /// Fragments that were there already, or whose message was complete already.
    pub repeated: u64,
    /// Fragments that say another count than the ones before them, or more than [`Limits::fragments`].
    pub refused: u64,
    /// Messages given up to keep within the limits.
    pub dropped_messages: u64,
    /// Fragments that were given up with them.
    pub dropped_fragments: u64,
}

/// What became of one fragment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReassemblyResult {
    /// It is a whole message by itself: its data is the message.
    Single,
    /// It completes a message: [`Reassembler::message`] has it.
    Complete,
    /// Others are missing.
    Waiting,
    /// It was there already.
    Repeated,
    /// It contradicts the fragments before it, or a limit.
    Refused,
}

/// What became of one fragment, with the message when there is one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pushed<'a> {
    /// A whole message.
    Message(&'a [u8]),
    /// Others are missing.
    Waiting,
    /// It was there already.
    Repeated,
    /// It contradicts the fragments before it, or a limit.
    Refused,
}

/// Puts fragments together (wire.md §1.3), in whatever order and however often they come, of any number of streams at
/// once. Messages come out in the order in which they become complete. Memory is bounded by [`Limits`].
///
/// A repeat of a message that was complete long ago (2,048 messages of its stream and more) can come out once more.
pub struct Reassembler {
    limits: Limits,
    /// Oldest first.
    pending: Vec<Pending>,
    spare: Vec<Pending>,
    recent: Recent,
    message: Vec<u8>,
    weight: usize,
    stats: ReassemblyStats,
}

impl Default for Reassembler {
    fn default() -> Self {
        Self::new(Limits::default())
    }
}

impl Reassembler {
    /// An empty one.
    pub fn new(limits: Limits) -> Self {
        Self {
            limits,
            pending: Vec::new(),
            spare: Vec::new(),
            recent: Recent::new(),
            message: Vec::new(),
            weight: 0,
            stats: ReassemblyStats::default(),
        }
    }

    /// Takes one fragment and gives the message if it is now complete. A message of one fragment is borrowed from it.
    pub fn push<'a>(&'a mut self, stream: Stream, fragment: &Fragment<'a>) -> Pushed<'a> {
        match self.accept(stream, fragment) {
            ReassemblyResult::Single => Pushed::Message(fragment.data),
            ReassemblyResult::Complete => Pushed::Message(&self.message),
            ReassemblyResult::Waiting => Pushed::Waiting,
            ReassemblyResult::Repeated => Pushed::Repeated,
            ReassemblyResult::Refused => Pushed::Refused,
        }
    }

    /// As [`Self::push`], without the message.
    #[inline]
    pub fn accept(&mut self, stream: Stream, fragment: &Fragment<'_>) -> ReassemblyResult {
        let key = MessageKey::new(stream, &fragment.header);
        self.stats.fragments += 1;
        let outcome = if self.recent.contains(&key) {
            ReassemblyResult::Repeated
        } else if fragment.header.count == 1 {
            self.recent.insert(key);
            ReassemblyResult::Single
        } else {
            self.accept_piece(key, fragment)
        };
        match outcome {
            ReassemblyResult::Single | ReassemblyResult::Complete => self.stats.messages += 1,
            ReassemblyResult::Repeated => self.stats.repeated += 1,
            ReassemblyResult::Refused => self.stats.refused += 1,
            ReassemblyResult::Waiting => {}
        }
        outcome
    }

    /// The message that the last [`ReassemblyResult::Complete`] announced.
    pub fn message(&self) -> &[u8] {
        &self.message
    }

    /// What it has seen so far.
    pub const fn stats(&self) -> ReassemblyStats {
        self.stats
    }

    /// Messages that are not complete.
    pub const fn pending_messages(&self) -> usize {
        self.pending.len()
    }

    /// Fragments that those messages still miss.
    pub fn missing_fragments(&self) -> usize {
        self.pending.iter().map(|one| usize::from(one.count) - one.present()).sum()
    }

    /// Bytes kept for messages that are not complete.
    pub const fn pending_bytes(&self) -> usize {
        self.weight
    }

    fn accept_piece(&mut self, key: MessageKey, fragment: &Fragment<'_>) -> ReassemblyResult {
        let FragmentHeader { count, index, .. } = fragment.header;
        if count > self.limits.fragments || index >= count {
            return ReassemblyResult::Refused;
        }
        let at = match self.pending.iter().rposition(|one| one.key == key) {
            Some(at) => at,
            None => self.begin(key, count),
        };
        let Some(one) = self.pending.get_mut(at) else { return ReassemblyResult::Refused };
        if one.count != count {
            return ReassemblyResult::Refused;
        }
        let before = one.weight();
        if one.add(fragment) == Added::Repeated {
            return ReassemblyResult::Repeated;
        }
        self.weight += one.weight() - before;
        if one.is_complete() {
            self.finish(at);
            return ReassemblyResult::Complete;
        }
        self.keep_within_limits();
        ReassemblyResult::Waiting
    }

    fn begin(&mut self, key: MessageKey, count: u16) -> usize {
        let fresh = match self.spare.pop() {
            Some(mut spare) => {
                spare.reuse(key, count);
                spare
            }
            None => Pending::new(key, count),
        };
        self.pending.push(fresh);
        self.pending.len() - 1
    }

    fn finish(&mut self, at: usize) {
        let mut done = self.pending.remove(at);
        self.weight -= done.weight();
        self.recent.insert(done.key);
        done.finish(&mut self.message);
        self.put_aside(done);
    }

    fn keep_within_limits(&mut self) {
        while self.pending.len() > self.limits.messages || self.weight > self.limits.bytes {
            let oldest = self.pending.remove(0);
            self.weight -= oldest.weight();
            self.stats.dropped_messages += 1;
            self.stats.dropped_fragments += oldest.present() as u64;
            self.put_aside(oldest);
        }
    }

    fn put_aside(&mut self, mut done: Pending) {
        if self.spare.len() < SPARE_BUFFERS {
            done.clear();
            self.spare.push(done);
        }
    }
}

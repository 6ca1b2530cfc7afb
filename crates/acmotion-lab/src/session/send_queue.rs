//! The messages that wait to be sent to a page. Their number is limited, however slowly the page reads.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::protocol::{
    EventBatch, EventRecord, ExplanationUpdate, MessageList, MessageSummary, ServerMessage, SessionState,
};

/// The maximum number of events, and of messages, that wait.
const MAX_WAITING: usize = 2000;

/// A queue from a session to its socket. Clones share the queue.
#[derive(Clone)]
pub(crate) struct SendQueue {
    waiting: Arc<Mutex<Waiting>>,
    /// Called when there is something to send.
    wake: Arc<dyn Fn() + Send + Sync>,
}

#[derive(Default)]
struct Waiting {
    /// Answers and changed entities, in order. There are at most as many as waiting commands, plus two for each tick.
    messages: VecDeque<ServerMessage>,
    /// Of ticks, states and explanations, only the newest is kept.
    tick: Option<Vec<u8>>,
    state: Option<SessionState>,
    explanation: Option<ExplanationUpdate>,
    events: Limited<EventRecord>,
    /// The time and number of the newest tick with events.
    events_tick: (f64, u32),
    game_messages: Limited<MessageSummary>,
    /// The reason why the session ended.
    end: Option<String>,
}

/// The newest [`MAX_WAITING`] items, and how many older ones were dropped.
struct Limited<T> {
    items: VecDeque<T>,
    dropped: usize,
}

impl<T> Default for Limited<T> {
    fn default() -> Self {
        Self { items: VecDeque::new(), dropped: 0 }
    }
}

impl<T> Limited<T> {
    fn push(&mut self, item: T) {
        if self.items.len() >= MAX_WAITING {
            self.items.pop_front();
            self.dropped += 1;
        }
        self.items.push_back(item);
    }

    /// Takes all items and the number of dropped ones. Returns `None` if there are neither.
    fn take(&mut self) -> Option<(Vec<T>, usize)> {
        if self.items.is_empty() && self.dropped == 0 {
            return None;
        }
        Some((self.items.drain(..).collect(), std::mem::take(&mut self.dropped)))
    }
}

/// A frame for the socket.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Outgoing {
    Text(String),
    /// A whole tick frame.
    Tick(Vec<u8>),
}

impl SendQueue {
    /// Creates a queue. `wake` is called whenever something has been added to it.
    pub(crate) fn new(wake: impl Fn() + Send + Sync + 'static) -> Self {
        Self { waiting: Arc::default(), wake: Arc::new(wake) }
    }

    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn update(&self, update: impl FnOnce(&mut Waiting)) {
        update(&mut self.lock());
        (self.wake)();
    }

    /// Queues a message that must not be dropped.
    pub(crate) fn send(&self, message: ServerMessage) {
        self.update(|waiting| waiting.messages.push_back(message));
    }

    /// Queues a tick frame in place of the one that waits.
    pub(crate) fn send_tick(&self, frame: Vec<u8>) {
        self.update(|waiting| waiting.tick = Some(frame));
    }

    /// Queues a state in place of the one that waits.
    pub(crate) fn send_state(&self, state: SessionState) {
        self.update(|waiting| waiting.state = Some(state));
    }

    /// Queues an explanation in place of the one that waits.
    pub(crate) fn send_explanation(&self, explanation: ExplanationUpdate) {
        self.update(|waiting| waiting.explanation = Some(explanation));
    }

    /// Queues the events of a tick.
    pub(crate) fn send_events(&self, t: f64, tick: u32, events: impl Iterator<Item = EventRecord>) {
        let mut events = events.peekable();
        if events.peek().is_some() {
            self.update(|waiting| {
                waiting.events_tick = (t, tick);
                events.for_each(|event| waiting.events.push(event));
            });
        }
    }

    /// Queues messages of the simulated network or of a capture.
    pub(crate) fn send_messages(&self, messages: impl Iterator<Item = MessageSummary>) {
        let mut messages = messages.peekable();
        if messages.peek().is_some() {
            self.update(|waiting| messages.for_each(|message| waiting.game_messages.push(message)));
        }
    }

    /// Drops the events and messages after a tick.
    pub(crate) fn drop_after(&self, tick: u32) {
        self.update(|waiting| {
            waiting.events.items.retain(|event| event.tick <= tick);
            waiting.game_messages.items.retain(|message| message.tick <= tick);
        });
    }

    /// Ends the session after everything that waits.
    #[cfg(feature = "server")]
    pub(crate) fn end(&self, reason: &str) {
        self.update(|waiting| waiting.end = Some(reason.into()));
    }

    /// Takes everything that waits, in the order in which the page expects it, and the reason if the session has ended.
    pub(crate) fn take(&self) -> (Vec<Outgoing>, Option<String>) {
        let (mut before, tick, after, end) = {
            let mut waiting = self.lock();
            let mut before: Vec<ServerMessage> = waiting.messages.drain(..).collect();
            before.extend(waiting.state.take().map(ServerMessage::State));
            let mut after = Vec::new();
            let (t, newest) = waiting.events_tick;
            after.extend(waiting.events.take().map(|(events, dropped)| {
                ServerMessage::Events(EventBatch { t, tick: newest, dropped, events })
            }));
            after.extend(waiting.game_messages.take().map(|(messages, dropped)| {
                ServerMessage::Messages(MessageList { request_id: None, dropped, messages })
            }));
            after.extend(waiting.explanation.take().map(ServerMessage::Explanation));
            (before, waiting.tick.take(), after, waiting.end.take())
        };
        // Serialised without the lock, so that the session does not wait.
        let text = |message: ServerMessage| Outgoing::Text(message.to_json());
        let mut outgoing: Vec<Outgoing> = before.drain(..).map(text).collect();
        outgoing.extend(tick.map(Outgoing::Tick));
        outgoing.extend(after.into_iter().map(text));
        (outgoing, end)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;
    use crate::protocol::{EventDetail, HexId};

    #[test]
    fn a_slow_page_gets_the_newest_tick_and_the_newest_events() {
        let queue = SendQueue::new(|| ());
        for tick in 0..5000u32 {
            queue.send_tick(tick.to_le_bytes().to_vec());
            let event = EventRecord {
                t: 0.0,
                tick,
                view: 0,
                guid: HexId(1),
                message: None,
                detail: EventDetail::Created,
            };
            queue.send_events(0.0, tick, std::iter::once(event));
        }
        let (outgoing, end) = queue.take();
        assert_eq!((outgoing.len(), end), (2, None));
        assert_eq!(outgoing[0], Outgoing::Tick(4999u32.to_le_bytes().to_vec()));
        let Outgoing::Text(text) = &outgoing[1] else { panic!("events are text") };
        let batch: Value = serde_json::from_str(text).unwrap();
        assert_eq!(batch["dropped"], 3000);
        assert_eq!(batch["events"].as_array().map(Vec::len), Some(2000));
        assert_eq!(batch["tick"], 4999);
        assert_eq!(queue.take(), (Vec::new(), None), "nothing is sent twice");
    }
}

//! Messages that were sent or received.

use std::collections::VecDeque;
use std::sync::Arc;

use acmotion::types::{Era, Guid};
use acmotion::wire::json::message_json;
use acmotion::wire::{C2S, Direction, S2C, decode_c2s, decode_s2c};
use serde_json::Value;

use crate::protocol::{Delivery, MessageSummary};

/// A message on its way, arrived or lost.
#[derive(Clone, Debug)]
pub(crate) struct MessageRecord {
    /// When it was sent; in Replay, the client frame in which it was handled.
    pub(crate) t: f64,
    pub(crate) tick: u32,
    pub(crate) direction: Direction,
    /// The client whose connection it used: `player` or `observer`.
    pub(crate) connection: &'static str,
    pub(crate) bytes: Arc<[u8]>,
    /// The client version whose numbering its motion commands follow.
    pub(crate) era: Era,
    pub(crate) delivery: Delivery,
    /// When it arrives; in Replay, its time in the capture. `None` if it is lost.
    pub(crate) arrives: Option<f64>,
}

/// Messages by number. The oldest are dropped when they occupy more than [`MAX_BYTES`].
#[derive(Debug, Default)]
pub(crate) struct MessageHistory {
    messages: VecDeque<MessageRecord>,
    /// The number of the oldest message kept.
    first: u64,
    bytes: usize,
}

/// The maximum number of bytes of messages that are kept.
const MAX_BYTES: usize = 64 << 20;

impl MessageHistory {
    pub(crate) fn push(&mut self, message: MessageRecord) {
        self.bytes += message.size();
        self.messages.push_back(message);
        while self.bytes > MAX_BYTES
            && let Some(oldest) = self.messages.pop_front()
        {
            self.bytes -= oldest.size();
            self.first += 1;
        }
    }

    /// Drops the messages from a number on. The next message gets that number.
    pub(crate) fn truncate(&mut self, end: u64) {
        while self.end() > end
            && let Some(newest) = self.messages.pop_back()
        {
            self.bytes -= newest.size();
        }
        self.first = self.first.min(end);
    }

    /// Returns the number of the next message.
    pub(crate) fn end(&self) -> u64 {
        self.first + self.messages.len() as u64
    }

    /// Returns a message, or `None` if it was dropped or does not exist yet.
    pub(crate) fn get(&self, number: u64) -> Option<&MessageRecord> {
        self.messages.get(usize::try_from(number.checked_sub(self.first)?).ok()?)
    }

    /// Iterates over the kept messages from a number on, each with its number.
    pub(crate) fn since(&self, number: u64) -> impl Iterator<Item = (u64, &MessageRecord)> {
        let start = number.max(self.first);
        let skip = usize::try_from(start - self.first).unwrap_or(usize::MAX);
        (start..).zip(self.messages.iter().skip(skip))
    }

    /// Iterates over the messages sent between two times, inclusive.
    pub(crate) fn between(&self, from: f64, to: f64) -> impl Iterator<Item = (u64, &MessageRecord)> {
        let start = self.messages.partition_point(|message| message.t < from);
        let inside = self.messages.iter().skip(start).take_while(move |message| message.t <= to);
        (self.first + start as u64..).zip(inside)
    }
}

/// The name, opcode and subject of a message.
pub(crate) struct MessageHead {
    pub(crate) name: &'static str,
    /// The opcode; of a game action, that of the action.
    pub(crate) opcode: u32,
    pub(crate) guid: Option<Guid>,
}

impl MessageRecord {
    fn size(&self) -> usize {
        size_of::<Self>() + self.bytes.len()
    }

    pub(crate) fn head(&self) -> MessageHead {
        let opcode = self.bytes.first_chunk().map_or(0, |chunk| u32::from_le_bytes(*chunk));
        let decoded = match self.direction {
            Direction::S2C => decode_s2c(&self.bytes, self.era)
                .map(|message| (message.name(), message.sub_opcode(), message.guid())),
            Direction::C2S => decode_c2s(&self.bytes, self.era)
                .map(|message| (message.name(), message.sub_opcode(), message.guid())),
        };
        let (name, sub_opcode, guid) = decoded.unwrap_or_else(|_| {
            let name = match self.direction {
                Direction::S2C => S2C::name_of(opcode),
                Direction::C2S => C2S::name_of(opcode),
            };
            (name.unwrap_or("Unknown"), None, None)
        });
        MessageHead { name, opcode: sub_opcode.unwrap_or(opcode), guid }
    }

    pub(crate) fn summary(&self, number: u64, head: &MessageHead) -> MessageSummary {
        MessageSummary {
            number,
            t: self.t,
            tick: self.tick,
            direction: self.direction.to_string(),
            connection: self.connection,
            name: head.name,
            opcode: format!("0x{:04X}", head.opcode),
            guid: head.guid.map(Into::into),
            bytes: self.bytes.len(),
            delivery: self.delivery,
            arrives: self.arrives,
        }
    }

    /// Returns the message in the form of `decode --json`, or `None` if that form has no line for it.
    pub(crate) fn decoded(&self) -> Option<Value> {
        message_json(self.t, self.direction, &self.bytes, self.era, true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(t: f64) -> MessageRecord {
        let bytes = [0x46, 0xF7, 0, 0, 1, 0, 0, 0x50].as_slice().into();
        MessageRecord {
            t,
            tick: 0,
            direction: Direction::S2C,
            connection: "player",
            bytes,
            era: Era::default(),
            delivery: Delivery::Arrived,
            arrives: None,
        }
    }

    #[test]
    fn messages_keep_their_numbers() {
        let mut history = MessageHistory::default();
        (0..10).for_each(|t| history.push(message(f64::from(t))));
        assert_eq!(history.end(), 10);
        let numbers = |iter: &mut dyn Iterator<Item = (u64, &MessageRecord)>| {
            iter.map(|(number, _)| number).collect::<Vec<_>>()
        };
        assert_eq!(numbers(&mut history.between(2.5, 5.0)), [3, 4, 5]);
        assert_eq!(numbers(&mut history.since(8)), [8, 9]);
        assert_eq!(history.since(99).count(), 0);
        assert_eq!(history.get(3).map(|message| message.head().name), Some("PlayerCreate"));
        assert!(history.get(10).is_none());
    }

    #[test]
    fn the_oldest_messages_are_dropped_when_there_are_too_many() {
        let mut history = MessageHistory::default();
        let large: Arc<[u8]> = vec![0; 1 << 20].into();
        (0..100).for_each(|_| history.push(MessageRecord { bytes: Arc::clone(&large), ..message(0.0) }));
        assert_eq!(history.end(), 100);
        assert!(history.get(0).is_none() && history.get(99).is_some() && history.bytes <= MAX_BYTES);
    }
}

//! Messages that were sent or came.

use std::collections::VecDeque;
use std::sync::Arc;

use acmotion::types::{Era, Guid};
use acmotion::wire::json::message_json;
use acmotion::wire::{C2S, Direction, S2C, decode_c2s, decode_s2c};
use serde_json::{Value, json};

/// A message on its way, or arrived.
#[derive(Clone, Debug)]
pub(crate) struct Letter {
    pub(crate) t: f64,
    pub(crate) tick: u32,
    pub(crate) direction: Direction,
    /// Whose connection it went over.
    pub(crate) link: &'static str,
    pub(crate) bytes: Arc<[u8]>,
    /// `sent`, `arrived` or `lost`.
    pub(crate) fate: &'static str,
    pub(crate) arrives: Option<f64>,
}

/// Messages by number, the oldest given up when they become too many.
#[derive(Debug, Default)]
pub(crate) struct Mail {
    letters: VecDeque<Letter>,
    first: u64,
    bytes: usize,
}

/// How many bytes of messages are kept.
const MOST_BYTES: usize = 64 << 20;

impl Mail {
    pub(crate) fn push(&mut self, letter: Letter) {
        self.bytes += letter.size();
        self.letters.push_back(letter);
        while self.bytes > MOST_BYTES
            && let Some(oldest) = self.letters.pop_front()
        {
            self.bytes -= oldest.size();
            self.first += 1;
        }
    }

    /// The number that the next message will have.
    pub(crate) fn end(&self) -> u64 {
        self.first + self.letters.len() as u64
    }

    pub(crate) fn get(&self, number: u64) -> Option<&Letter> {
        self.letters.get(usize::try_from(number.checked_sub(self.first)?).ok()?)
    }

    /// Messages from a number on, those still kept, each with its number.
    pub(crate) fn since(&self, number: u64) -> impl Iterator<Item = (u64, &Letter)> {
        let start = number.max(self.first);
        let skip = usize::try_from(start - self.first).unwrap_or(usize::MAX);
        (start..).zip(self.letters.iter().skip(skip))
    }

    /// Messages sent between two times.
    pub(crate) fn between(&self, from: f64, to: f64) -> impl Iterator<Item = (u64, &Letter)> {
        let start = self.letters.partition_point(|letter| letter.t < from);
        let inside = self.letters.iter().skip(start).take_while(move |letter| letter.t <= to);
        (self.first + start as u64..).zip(inside)
    }
}

/// What a message is called and whom it is about.
pub(crate) struct Head {
    pub(crate) name: &'static str,
    pub(crate) opcode: u32,
    pub(crate) guid: Option<Guid>,
}

impl Letter {
    fn size(&self) -> usize {
        size_of::<Self>() + self.bytes.len()
    }

    pub(crate) fn head(&self) -> Head {
        let opcode = self.bytes.first_chunk().map_or(0, |chunk| u32::from_le_bytes(*chunk));
        let decoded = match self.direction {
            Direction::S2C => decode_s2c(&self.bytes, Era::default())
                .map(|message| (message.name(), message.sub_opcode(), message.guid())),
            Direction::C2S => decode_c2s(&self.bytes, Era::default())
                .map(|message| (message.name(), message.sub_opcode(), message.guid())),
        };
        let (name, sub_opcode, guid) = decoded.unwrap_or_else(|_| {
            let name = match self.direction {
                Direction::S2C => S2C::name_of(opcode),
                Direction::C2S => C2S::name_of(opcode),
            };
            (name.unwrap_or("Unknown"), None, None)
        });
        Head { name, opcode: sub_opcode.unwrap_or(opcode), guid }
    }

    /// A line of the list.
    pub(crate) fn line(&self, number: u64, head: &Head) -> Value {
        json!({
            "number": number, "t": self.t, "tick": self.tick, "direction": self.direction.to_string(),
            "link": self.link, "name": head.name, "opcode": format!("0x{:04X}", head.opcode),
            "guid": head.guid.map(|guid| guid.to_string()), "bytes": self.bytes.len(), "fate": self.fate,
            "arrives": self.arrives,
        })
    }

    /// All of it, as `decode --json` has it.
    pub(crate) fn decoded(&self) -> Option<Value> {
        message_json(self.t, self.direction, &self.bytes, Era::default(), true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn letter(t: f64) -> Letter {
        let bytes = [0x46, 0xF7, 0, 0, 1, 0, 0, 0x50].as_slice().into();
        Letter {
            t,
            tick: 0,
            direction: Direction::S2C,
            link: "player",
            bytes,
            fate: "arrived",
            arrives: None,
        }
    }

    #[test]
    fn messages_keep_their_numbers() {
        let mut mail = Mail::default();
        (0..10).for_each(|at| mail.push(letter(f64::from(at))));
        assert_eq!(mail.end(), 10);
        let numbers =
            |iter: &mut dyn Iterator<Item = (u64, &Letter)>| iter.map(|(at, _)| at).collect::<Vec<_>>();
        assert_eq!(numbers(&mut mail.between(2.5, 5.0)), [3, 4, 5]);
        assert_eq!(numbers(&mut mail.since(8)), [8, 9]);
        assert_eq!(mail.since(99).count(), 0);
        assert_eq!(mail.get(3).map(|letter| letter.head().name), Some("PlayerCreate"));
        assert!(mail.get(10).is_none());
    }

    #[test]
    fn messages_are_bounded() {
        let mut mail = Mail::default();
        let large: Arc<[u8]> = vec![0; 1 << 20].into();
        (0..100).for_each(|_| mail.push(Letter { bytes: Arc::clone(&large), ..letter(0.0) }));
        assert_eq!(mail.end(), 100);
        assert!(mail.get(0).is_none() && mail.get(99).is_some() && mail.bytes <= MOST_BYTES);
    }
}

//! What is kept of a tick, and the tape of ticks that can be wound back.

mod body;
mod mail;
mod roster;
mod tape;
mod watch;
mod why;

use acmotion::types::Guid;

pub(crate) use body::{Body, BodyFlags};
pub(crate) use mail::{Head, Letter, Mail};
pub(crate) use roster::{Kind, Person, Roster};
pub(crate) use tape::{Limits, Tape};
pub(crate) use watch::{Watcher, told};
pub(crate) use why::why;

/// Through whose eyes a body is seen: 0 is the truth.
pub(crate) type View = u8;

/// A body in a view.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Key {
    pub(crate) guid: Guid,
    pub(crate) view: View,
}

/// Something that happened, ready to be told.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Event {
    pub(crate) key: Key,
    /// The name under `event`.
    pub(crate) name: &'static str,
    /// All of it, as JSON.
    pub(crate) text: Box<str>,
}

/// One tick: where everybody was, and what had happened since the one before.
#[derive(Clone, Default, PartialEq, Debug)]
pub(crate) struct Tick {
    pub(crate) number: u32,
    pub(crate) t: f64,
    /// How far the jump was charged; below zero if none was.
    pub(crate) charge: f32,
    pub(crate) bodies: Box<[Body]>,
    pub(crate) events: Box<[Event]>,
    /// Why bodies moved as they did, of those for whom that is kept: as JSON.
    pub(crate) why: Box<[(Key, Box<str>)]>,
    /// The number of the first message after this tick.
    pub(crate) mail_end: u64,
}

/// What a tick's frame says beside the tick itself.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(crate) struct Shown {
    pub(crate) is_newest: bool,
    pub(crate) is_still: bool,
    pub(crate) is_leap: bool,
    /// Seconds until the next one.
    pub(crate) next_in: f32,
}

/// How many bodies a frame can hold.
const MOST_BODIES: usize = u16::MAX as usize;

impl Tick {
    pub(crate) fn body(&self, key: Key) -> Option<&Body> {
        self.bodies.iter().find(|body| body.key == key)
    }

    pub(crate) fn why(&self, key: Key) -> Option<&str> {
        self.why.iter().find(|(of, _)| *of == key).map(|(_, text)| &**text)
    }

    /// How many bytes it takes.
    pub(crate) fn size(&self) -> usize {
        let events: usize = self.events.iter().map(|event| event.text.len()).sum();
        let why: usize = self.why.iter().map(|(_, text)| text.len() + size_of::<(Key, Box<str>)>()).sum();
        size_of::<Self>() + size_of_val(&*self.bodies) + size_of_val(&*self.events) + events + why
    }

    /// The binary frame of `docs/lab.md`.
    pub(crate) fn frame(&self, shown: Shown) -> Vec<u8> {
        let bodies = &self.bodies[..self.bodies.len().min(MOST_BODIES)];
        let bit = |set: bool, bit: u8| if set { bit } else { 0 };
        let flags = bit(shown.is_newest, 1)
            | bit(shown.is_still, 2)
            | bit(shown.is_leap, 4)
            | bit(bodies.len() < self.bodies.len(), 8);
        let mut out = Vec::with_capacity(24 + bodies.len() * Body::BYTES);
        out.extend([1, flags]);
        out.extend((bodies.len() as u16).to_le_bytes());
        out.extend(self.number.to_le_bytes());
        out.extend(self.t.to_le_bytes());
        out.extend(shown.next_in.to_le_bytes());
        out.extend(self.charge.to_le_bytes());
        bodies.iter().for_each(|body| body.write(&mut out));
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_is_a_header_and_a_record_for_each_body() {
        let tick =
            Tick { number: 7, t: 1.5, charge: -1.0, bodies: [Body::default(); 3].into(), ..Tick::default() };
        let frame = tick.frame(Shown { is_still: true, is_leap: true, next_in: 0.25, ..Shown::default() });
        assert_eq!(frame.len(), 24 + 3 * 80);
        assert_eq!(frame[..8], [1, 6, 3, 0, 7, 0, 0, 0]);
        assert_eq!(frame[8..16], 1.5f64.to_le_bytes());
        assert_eq!(frame[16..20], 0.25f32.to_le_bytes());
    }
}

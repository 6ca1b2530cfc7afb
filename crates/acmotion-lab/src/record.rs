//! What is recorded of each tick, and the timeline of ticks that can be played back.

mod body;
mod entities;
mod explanation;
mod messages;
mod observe;
mod reports;
mod sentences;
mod timeline;

use acmotion::types::Guid;

pub(crate) use body::{Body, Pose};
pub(crate) use entities::{EntityInfo, EntityList};
pub(crate) use explanation::{Surroundings, Witness, explanation_json, to_json};
pub(crate) use messages::{MessageHead, MessageHistory, MessageRecord};
pub(crate) use observe::{BodyObserver, event_record};
pub(crate) use reports::{NewReport, RecentReports, ReportHistory};
pub(crate) use sentences::decision_text;
pub(crate) use timeline::{Limits, SharedTimeline, Timeline, read, write};

pub(crate) use crate::protocol::{BodyFlags, EntityKind, EventRecord};
use crate::protocol::{BodyRecord, EntityKey, TickFlags, TickHeader};

/// A view of the entities; 0 is the truth.
pub(crate) type View = u8;

/// An entity's body in a view.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct BodyKey {
    pub(crate) guid: Guid,
    pub(crate) view: View,
}

impl From<BodyKey> for EntityKey {
    fn from(key: BodyKey) -> Self {
        Self { guid: key.guid.into(), view: key.view }
    }
}

impl EventRecord {
    pub(crate) fn key(&self) -> BodyKey {
        BodyKey { guid: self.guid.guid(), view: self.view }
    }

    /// Sets the tick and the view in which the event happened.
    pub(crate) fn stamp(self, tick: u32, view: View) -> Self {
        Self { tick, view, ..self }
    }
}

/// One tick: where every body was, and what happened since the tick before.
#[derive(Clone, Default, PartialEq, Debug)]
pub(crate) struct Tick {
    pub(crate) number: u32,
    /// Seconds.
    pub(crate) t: f64,
    /// How far a jump was charged, 0–1; negative if none was.
    pub(crate) charge: f32,
    pub(crate) bodies: Box<[Body]>,
    pub(crate) events: Box<[EventRecord]>,
    /// Explanations of some bodies, serialised: most of them are never looked at.
    pub(crate) explanations: Box<[(BodyKey, Box<str>)]>,
    /// The number of the first message after this tick.
    pub(crate) messages_end: u64,
}

/// How a tick is presented to the page.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(crate) struct Presentation {
    pub(crate) flags: TickFlags,
    /// Seconds until the next tick; 0 if the clock is paused.
    pub(crate) next_in: f32,
}

/// The maximum number of bodies in a tick frame.
const MAX_BODIES: usize = u16::MAX as usize;
/// The estimated number of bytes that an event keeps on the heap.
const EVENT_HEAP_BYTES: usize = 64;

impl Tick {
    pub(crate) fn body(&self, key: BodyKey) -> Option<&Body> {
        self.bodies.iter().find(|body| body.key == key)
    }

    /// Returns the serialised explanation of a body, or `None` if none was recorded.
    pub(crate) fn explanation(&self, key: BodyKey) -> Option<&str> {
        self.explanations.iter().find(|(of, _)| *of == key).map(|(_, text)| &**text)
    }

    /// Returns the approximate number of bytes that the tick occupies.
    pub(crate) fn size(&self) -> usize {
        let events = size_of_val(&*self.events) + EVENT_HEAP_BYTES * self.events.len();
        let explanations: usize = self.explanations.iter().map(|(_, text)| text.len()).sum();
        size_of::<Self>()
            + size_of_val(&*self.bodies)
            + events
            + size_of_val(&*self.explanations)
            + explanations
    }

    /// Returns the binary frame for the page, with further bodies that are shown beside those of the tick.
    pub(crate) fn frame(&self, presentation: Presentation, beside: &[Body]) -> Vec<u8> {
        let all = self.bodies.len() + beside.len();
        let bodies = self.bodies.iter().chain(beside).take(MAX_BODIES);
        let mut flags = presentation.flags;
        flags.set(TickFlags::TRUNCATED, all > MAX_BODIES);
        let header = TickHeader {
            kind: TickHeader::KIND,
            flags: flags.bits(),
            bodies: all.min(MAX_BODIES) as u16,
            tick: self.number,
            t: self.t,
            next_in: presentation.next_in,
            charge: self.charge,
        };
        let mut out = Vec::with_capacity(TickHeader::SIZE + all.min(MAX_BODIES) * BodyRecord::SIZE);
        header.write(&mut out);
        bodies.for_each(|body| BodyRecord::from(body).write(&mut out));
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_with_too_many_bodies_is_cut_and_flagged() {
        let frame = |count: usize| {
            let tick = Tick { bodies: vec![Body::default(); count].into(), ..Tick::default() };
            tick.frame(Presentation::default(), &[])
        };
        for (count, is_cut) in [(MAX_BODIES, false), (MAX_BODIES + 1, true)] {
            let bytes = frame(count);
            assert_eq!(bytes.len(), TickHeader::SIZE + MAX_BODIES * BodyRecord::SIZE);
            assert_eq!(TickFlags::from_bits_retain(bytes[1]).contains(TickFlags::TRUNCATED), is_cut);
        }
    }

    #[test]
    fn a_frame_is_a_header_and_a_record_for_each_body() {
        let tick =
            Tick { number: 7, t: 1.5, charge: -1.0, bodies: [Body::default(); 3].into(), ..Tick::default() };
        let flags = TickFlags::PAUSED | TickFlags::DISCONTINUOUS;
        let presentation = Presentation { flags, next_in: 0.25 };
        let frame = tick.frame(presentation, &[]);
        assert_eq!(tick.frame(presentation, &[Body::default()]).len(), frame.len() + 80);
        assert_eq!(frame.len(), 24 + 3 * 80);
        assert_eq!(frame[..8], [1, 6, 3, 0, 7, 0, 0, 0]);
        assert_eq!(frame[8..16], 1.5f64.to_le_bytes());
        assert_eq!(frame[16..20], 0.25f32.to_le_bytes());
    }
}

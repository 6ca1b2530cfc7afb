//! What happens in a world.

use std::fmt;

use acmotion_types::Guid;

use crate::entity::{Events, MotionEvent};
use crate::gate::Stale;
use crate::player::RequestEvent;

/// How many events wait at most to be taken out.
const MAX_EVENTS: usize = 1 << 20;
/// How much of what happens to one body is kept for who follows it.
const MOST_HEARD: usize = 256;

/// Something that happened.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Event {
    /// When, in seconds of the world's clock.
    pub time: f64,
    /// To whom.
    pub guid: Guid,
    /// What.
    pub kind: EventKind,
}

/// What can happen to an entity of a world.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub enum EventKind {
    /// Something about its motion: a hook, a motion that is over, ground, a snap, a teleport.
    Motion(MotionEvent),
    /// It is there now.
    Created,
    /// It is gone.
    Deleted(DeleteReason),
    /// A message about it was not taken.
    Rejected(Rejection),
    /// The player is in portal space, or out of it again (rule D11).
    PortalSpace(bool),
    /// The server moves the player now (rule D9).
    ControlLost,
    /// The player's place must be told to the server at once (rule D6).
    PositionWanted,
    /// What was [asked of the player](crate::player::Controls) got a step further, or is over.
    Request(RequestEvent),
}

/// How an entity went.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DeleteReason {
    /// The server deleted it.
    Deleted,
    /// Another life of it began (rule D12).
    Replaced,
}

/// Why a message was not taken.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Rejection {
    /// A stamp was not fresh.
    Stale(Stale),
    /// Its position is none.
    BadPosition,
    /// It was to delete the player (rule D11).
    IsPlayer,
    /// It was about an object that is not there.
    Unknown,
    /// The object was waited for, and never created (rule D3).
    NeverCreated {
        /// How many messages had waited.
        messages: usize,
    },
    /// Too much was waiting.
    TooManyWaiting {
        /// How many messages were given up.
        messages: usize,
    },
    /// A message that had waited could not be read.
    Unreadable,
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stale(stale) => stale.fmt(f),
            Self::BadPosition => f.write_str("not a position"),
            Self::IsPlayer => f.write_str("the player is never deleted"),
            Self::Unknown => f.write_str("no such object"),
            Self::NeverCreated { messages } => write!(f, "never created, {messages} messages given up"),
            Self::TooManyWaiting { messages } => write!(f, "too many waiting, {messages} messages given up"),
            Self::Unreadable => f.write_str("not readable"),
        }
    }
}

/// What happened and was not taken out yet.
#[derive(Default)]
pub(super) struct EventLog {
    list: Vec<Event>,
    lost: u64,
    /// Whose ends of motions and orders are heard, by whom his requests are followed.
    pub(super) heard: Option<Guid>,
    ends: Vec<MotionEvent>,
}

impl EventLog {
    pub(super) fn push(&mut self, time: f64, guid: Guid, what: EventKind) {
        if let (true, EventKind::Motion(kind)) = (self.heard == Some(guid), what) {
            self.hear(kind);
        }
        if self.list.len() < MAX_EVENTS {
            self.list.push(Event { time, guid, kind: what });
        } else {
            self.lost += 1;
        }
    }

    #[cold]
    fn hear(&mut self, kind: MotionEvent) {
        let is_end = !matches!(
            kind,
            MotionEvent::Hook(_)
                | MotionEvent::HitEnvironment
                | MotionEvent::Touched(_)
                | MotionEvent::Parted(_)
        );
        if is_end && self.ends.len() < MOST_HEARD {
            self.ends.push(kind);
        }
    }

    /// Takes out what was heard, in order.
    pub(super) fn take_heard(&mut self) -> Vec<MotionEvent> {
        std::mem::take(&mut self.ends)
    }

    /// Takes over what entities did.
    #[inline]
    pub(super) fn take(&mut self, events: &mut Events, time: f64) {
        if events.list().is_empty() {
            return;
        }
        for event in events.drain() {
            self.push(time, event.guid, EventKind::Motion(event.kind));
        }
    }

    pub(super) fn drain(&mut self) -> impl Iterator<Item = Event> {
        self.list.drain(..)
    }

    pub(super) fn lost(&self) -> u64 {
        self.lost
    }
}

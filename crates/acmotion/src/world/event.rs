//! The events that a world reports.

use std::fmt;

use acmotion_types::Guid;

use super::{AttachmentError, ClockFault, PlacementFailure};
use crate::entity::{Events, MotionEvent};
use crate::gate::Stale;
use crate::player::RequestEvent;
#[cfg(feature = "serde")]
use crate::{
    library::Library,
    restore::{Checked, require},
};

/// The maximum number of events that are kept until they are drained.
const MAX_EVENTS: usize = 1 << 20;
/// The maximum number of motion events kept for the player's requests.
const MAX_PLAYER_EVENTS: usize = 256;

/// An event of an entity.
///
/// ```
/// use acmotion::dat::Assets;
/// use acmotion::types::{CellId, CellPosition, Guid, Vec3};
/// use acmotion::{DeleteReason, EntitySpec, Event, EventKind, Rejection, World};
///
/// /// Returns the line of a client's log for an event, if it is worth one.
/// fn line(event: &Event) -> Option<String> {
///     let Event { guid, time, kind } = event;
///     let text = match kind {
///         EventKind::Created => format!("{guid} appears"),
///         // Its newer instance has appeared already.
///         EventKind::Deleted(DeleteReason::Replaced) => return None,
///         EventKind::Deleted(_) => format!("{guid} is gone"),
///         EventKind::NotPlaced(failure) => format!("{guid} is nowhere: {failure}"),
///         EventKind::Rejected(Rejection::Stale(_)) => return None,
///         EventKind::Rejected(why) => format!("a message about {guid} was dropped: {why}"),
///         _ => return None,
///     };
///     Some(format!("{time:.1} s: {text}"))
/// }
///
/// # fn main() -> Result<(), acmotion::SpawnError> {
/// let mut world = World::new(Assets::mannequin());
/// let position = CellPosition::at(CellId(0xA9B4_0001), Vec3::new(12.0, 12.0, 94.0));
/// let id = world.spawn(&EntitySpec::new(Guid(0x5000_0001), position), 0.0)?;
/// world.despawn(id, 1.5);
/// let log: Vec<String> = world.drain_events().filter_map(|event| line(&event)).collect();
/// assert_eq!(log, ["0.0 s: 0x50000001 appears", "1.5 s: 0x50000001 is gone"]);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Event {
    /// The time, in seconds of the caller's clock; that of the last tick if the caller's was [invalid](ClockFault).
    pub time: f64,
    /// The entity. [`Guid::NONE`] if a message could not be read, or the clock is wrong.
    pub guid: Guid,
    /// What happened.
    pub kind: EventKind,
}

/// What happened to an entity of a world.
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum EventKind {
    /// An event of its motion, such as a hook, a completed motion, a landing, a snap or a teleport.
    Motion(MotionEvent),
    /// The entity was added.
    Created,
    /// The entity was removed.
    Deleted(DeleteReason),
    /// It could not be placed: it is in no cell, or still where it was before. Reported once for each attempt.
    NotPlaced(PlacementFailure),
    /// A message about it was dropped.
    Rejected(Rejection),
    /// The player entered portal space (`true`) or left it (rule D11).
    PortalSpace(bool),
    /// The server took control of the player (rule D9).
    ControlLost,
    /// The server requested the player's position at once (rule D6).
    PositionRequested,
    /// A [request to the player](crate::player::Controls) made progress or ended.
    Request(RequestEvent),
    /// The caller's clock is wrong. The event has no entity.
    Clock(ClockFault),
}

/// Why an entity was removed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum DeleteReason {
    /// The server deleted it.
    Deleted,
    /// A newer instance replaced it (rule D12).
    Replaced,
    /// The caller [despawned](super::World::despawn) it.
    Despawned,
}

/// Why a message was dropped.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Rejection {
    /// A stamp was stale.
    Stale(Stale),
    /// The position was not finite, too far off, or in no cell.
    BadPosition,
    /// The message would have deleted the local player (rule D11).
    IsPlayer,
    /// The object does not exist.
    Unknown,
    /// The object was never created while messages waited for it (rule D3).
    NeverCreated {
        /// The number of messages dropped.
        messages: usize,
    },
    /// Too many messages were waiting.
    TooManyWaiting {
        /// The number of messages dropped.
        messages: usize,
    },
    /// The world has [as many entities](super::Capacity::entities) as it may have, so the object was not created.
    TooManyEntities,
    /// A message that had waited could not be decoded.
    Unreadable,
    /// The object could not be attached to another. The rest of the message was processed.
    NotAttached(AttachmentError),
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
            Self::TooManyEntities => f.write_str("too many objects"),
            Self::Unreadable => f.write_str("not readable"),
            Self::NotAttached(error) => error.fmt(f),
        }
    }
}

/// Events that have not been drained yet.
#[derive(Clone, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct EventLog {
    list: Vec<Event>,
    lost: u64,
    /// The last finite time at which an event was pushed.
    last_time: f64,
    /// The local player, while its requests depend on its motion events.
    pub(super) tracked: Option<Guid>,
    player_events: Vec<MotionEvent>,
}

/// The length of an [`EventLog`] at some time.
#[derive(Clone, Copy)]
pub(super) struct EventMark {
    events: usize,
    player_events: usize,
    lost: u64,
}

impl EventLog {
    pub(super) fn push(&mut self, time: f64, guid: Guid, kind: EventKind) {
        if let (true, EventKind::Motion(motion)) = (self.tracked == Some(guid), kind) {
            self.track(motion);
        }
        if time.is_finite() {
            self.last_time = time;
        }
        if self.list.len() < MAX_EVENTS {
            self.list.push(Event { time: self.last_time, guid, kind });
        } else {
            self.lost += 1;
        }
    }

    /// Keeps a motion event for the player's requests, if it can be a step of one.
    #[cold]
    fn track(&mut self, kind: MotionEvent) {
        let can_be_a_step = match kind {
            // Hooks must not displace the events that end requests.
            MotionEvent::Hook(hook) => {
                !hook.is_node_end() && self.player_events.len() < MAX_PLAYER_EVENTS / 2
            }
            MotionEvent::Effect(_)
            | MotionEvent::HitEnvironment
            | MotionEvent::Touched(_)
            | MotionEvent::Parted(_)
            | MotionEvent::Parented { .. }
            | MotionEvent::Unparented { .. } => false,
            _ => true,
        };
        if can_be_a_step && self.player_events.len() < MAX_PLAYER_EVENTS {
            self.player_events.push(kind);
        }
    }

    /// Removes and returns the events kept for the player's requests, oldest first.
    pub(super) fn take_player_events(&mut self) -> Vec<MotionEvent> {
        std::mem::take(&mut self.player_events)
    }

    /// Returns a mark to which the log can be [rolled back](Self::roll_back).
    pub(super) fn mark(&self) -> EventMark {
        EventMark { events: self.list.len(), player_events: self.player_events.len(), lost: self.lost }
    }

    /// Forgets everything since a mark, if nothing has been drained since.
    pub(super) fn roll_back(&mut self, mark: EventMark) {
        self.list.truncate(mark.events);
        self.player_events.truncate(mark.player_events);
        self.lost = mark.lost;
    }

    /// Moves the events of entities into the log.
    #[inline]
    pub(super) fn append(&mut self, events: &mut Events, time: f64) {
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

    pub(super) fn swap(&mut self, events: &mut Vec<Event>) {
        events.clear();
        std::mem::swap(&mut self.list, events);
    }

    pub(super) fn lost(&self) -> u64 {
        self.lost
    }
}

#[cfg(feature = "serde")]
impl EventLog {
    /// Finds the hooks of events that were read from a snapshot, and checks the list.
    pub(super) fn resolve(&mut self, library: &Library) -> Checked {
        require(self.list.len() <= MAX_EVENTS, "too many events")?;
        require(self.player_events.len() <= MAX_PLAYER_EVENTS, "too many events of the player")?;
        let times = self.list.iter().map(|event| event.time).chain([self.last_time]);
        require(times.into_iter().all(f64::is_finite), "an event at a time that is not finite")?;
        let events = self.list.iter_mut().filter_map(|event| match &mut event.kind {
            EventKind::Motion(motion) => Some(motion),
            _ => None,
        });
        for event in events.chain(&mut self.player_events) {
            if let MotionEvent::Hook(hook) = event {
                require(hook.resolve(library), "an event of a hook that does not exist")?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_that_is_not_drained_is_bounded_and_counts_what_is_lost() {
        let mut log = EventLog::default();
        for _ in 0..MAX_EVENTS + 10 {
            log.push(1.0, Guid(1), EventKind::Created);
        }
        assert_eq!((log.list.len(), log.lost()), (MAX_EVENTS, 10));
        assert_eq!(log.drain().count(), MAX_EVENTS);
        log.push(2.0, Guid(1), EventKind::Created);
        assert_eq!(log.list.len(), 1);
    }

    /// What happened since a mark never happened: the events, those kept for requests, and the count of what was lost.
    #[test]
    fn a_log_that_is_rolled_back_is_as_it_was() {
        let motion = EventKind::Motion(MotionEvent::HitGround);
        let mut log = EventLog { tracked: Some(Guid(1)), ..EventLog::default() };
        log.push(1.0, Guid(1), motion);
        let mark = log.mark();
        log.push(2.0, Guid(1), motion);
        log.push(2.0, Guid(2), EventKind::Created);
        log.lost += 3;
        log.roll_back(mark);
        assert_eq!((log.list.len(), log.player_events.len(), log.lost()), (1, 1, 0));
        assert_eq!(log.list[0].time, 1.0);
    }

    /// Times that are not finite are replaced by the last one that was.
    #[test]
    fn an_event_has_the_last_time_that_was_one() {
        let mut log = EventLog::default();
        for time in [1.0, f64::NAN, 2.0, f64::INFINITY] {
            log.push(time, Guid(1), EventKind::Created);
        }
        let times: Vec<f64> = log.drain().map(|event| event.time).collect();
        assert_eq!(times, [1.0, 1.0, 2.0, 2.0]);
        let mut given = vec![Event { time: 9.0, guid: Guid(9), kind: EventKind::Created }];
        log.push(3.0, Guid(1), EventKind::Created);
        log.swap(&mut given);
        assert_eq!(given.iter().map(|event| event.time).collect::<Vec<_>>(), [3.0]);
        assert!(log.list.is_empty(), "what the caller had is dropped");
    }

    /// Only the player's own events are kept for its requests, and only those that can be a step of one. Hooks take at most
    /// half of the room.
    #[test]
    fn events_that_end_no_request_are_not_kept() {
        let mut log = EventLog { tracked: Some(Guid(1)), ..EventLog::default() };
        let kept = |log: &mut EventLog, kind: MotionEvent| {
            log.push(1.0, Guid(1), EventKind::Motion(kind));
            log.take_player_events().len()
        };
        assert_eq!(kept(&mut log, MotionEvent::HitGround), 1);
        let (parent, location) = (Guid(2), 1);
        for kind in [
            MotionEvent::HitEnvironment,
            MotionEvent::Touched(Guid(2)),
            MotionEvent::Parted(Guid(2)),
            MotionEvent::Parented { parent, location },
            MotionEvent::Unparented { parent },
        ] {
            assert_eq!(kept(&mut log, kind), 0, "{kind:?}");
        }
        log.push(1.0, Guid(2), EventKind::Motion(MotionEvent::HitGround));
        log.push(1.0, Guid(1), EventKind::Created);
        assert!(log.take_player_events().is_empty(), "of another, and not of motion");
        log.tracked = None;
        assert_eq!(kept(&mut log, MotionEvent::HitGround), 0, "of nobody");
    }

    /// Hooks must not displace the events that end requests, and the end of a node is none.
    #[test]
    #[cfg(feature = "serde")]
    fn hooks_take_at_most_half_of_the_room() {
        // A clip, a frame, and the index of the hook; the last index stands for the end of a node.
        let hook = |bytes: &[u8]| MotionEvent::Hook(postcard::from_bytes(bytes).expect("a hook"));
        let (hook, end) = (hook(&[0, 0, 0]), hook(&[0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F]));
        let mut log = EventLog { tracked: Some(Guid(1)), ..EventLog::default() };
        let mut push = |kind: MotionEvent, count: usize| {
            (0..count).for_each(|_| log.push(1.0, Guid(1), EventKind::Motion(kind)));
            log.player_events.len()
        };
        assert_eq!(push(end, 3), 0);
        assert_eq!(push(hook, 3), 3);
        assert_eq!(push(hook, MAX_PLAYER_EVENTS), MAX_PLAYER_EVENTS / 2);
        assert_eq!(push(MotionEvent::HitGround, 1), MAX_PLAYER_EVENTS / 2 + 1);
    }

    #[test]
    fn the_events_kept_for_requests_are_bounded() {
        let mut log = EventLog { tracked: Some(Guid(1)), ..EventLog::default() };
        for _ in 0..2 * MAX_PLAYER_EVENTS {
            log.push(1.0, Guid(1), EventKind::Motion(MotionEvent::HitGround));
        }
        assert_eq!(log.take_player_events().len(), MAX_PLAYER_EVENTS);
    }
}

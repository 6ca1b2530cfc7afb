//! What happens to entities, for the caller to look at.

use std::collections::VecDeque;

use acmotion_types::{Guid, MotionCommand};

use crate::collide::Touch;
use crate::sequence::{HookBuffer, HookEvent};
use crate::steer::{MoveToEvent, Notice};

/// Something that happened to an entity.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct EntityEvent {
    /// The entity.
    pub guid: Guid,
    /// What happened.
    pub kind: MotionEvent,
}

/// What can happen to an entity.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub enum MotionEvent {
    /// An animation's hook fired.
    Hook(HookEvent),
    /// A motion is over.
    MotionDone {
        /// The motion.
        motion: MotionCommand,
        /// Did it play to its end?
        success: bool,
    },
    /// It stands on ground that it can walk on.
    HitGround,
    /// It stands no more.
    LeaveGround,
    /// It hit the surroundings.
    HitEnvironment,
    /// It touched another entity, or was touched; told once while the touch lasts (`docs/collision.md` 9.2).
    Touched(Guid),
    /// It does not touch another entity any more that it had run into (`docs/collision.md` 9.3).
    Parted(Guid),
    /// It was hidden, or shows again (rule C19).
    Hidden(bool),
    /// It follows an order to go or turn somewhere (rules J6–J20).
    MoveTo(MoveToEvent),
    /// It was put where the server says it is, because it could not catch up or was too far off (rules D7, I8).
    #[doc(alias = "blip")]
    Snapped {
        /// How far that was, in metres.
        distance: f32,
    },
    /// It was put where a teleport led (rules D6, D7).
    Teleported {
        /// How far that was, in metres.
        distance: f32,
    },
}

/// What happened, in order. It is the caller's: kept and cleared from tick to tick it allocates no more once it has found
/// its size.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Events {
    list: Vec<EntityEvent>,
    pub(super) hooks: HookBuffer,
    pub(super) touched: Vec<Touch>,
    notices: VecDeque<Notice>,
}

impl Events {
    /// Nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Nothing yet, with room for so many.
    pub fn with_capacity(events: usize) -> Self {
        Self {
            list: Vec::with_capacity(events),
            hooks: HookBuffer::with_capacity(64),
            touched: Vec::with_capacity(16),
            notices: VecDeque::with_capacity(16),
        }
    }

    /// What has happened, in order.
    pub fn list(&self) -> &[EntityEvent] {
        &self.list
    }

    /// Takes everything out; the room is kept.
    pub fn drain(&mut self) -> impl Iterator<Item = EntityEvent> {
        self.list.drain(..)
    }

    /// Forgets everything; the room is kept.
    pub fn clear(&mut self) {
        self.list.clear();
    }

    /// Takes out the oldest mail of bodies to each other, for the owner of all bodies to deliver by
    /// [`Actor::receive_notice`](super::Actor::receive_notice), right after each act of a body and until there is none.
    pub fn take_notice(&mut self) -> Option<Notice> {
        self.notices.pop_front()
    }

    pub(crate) fn push_notice(&mut self, mail: Notice) {
        self.notices.push_back(mail);
    }

    pub(super) fn push(&mut self, event: EntityEvent) {
        self.list.push(event);
    }
}

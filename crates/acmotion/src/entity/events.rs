//! The events of entities, and the notices they send each other.

use std::collections::VecDeque;

use acmotion_types::{Guid, MotionCommand};

use crate::collide::Touch;
use crate::effects::EffectEvent;
use crate::sequence::{HookBuffer, HookEvent};
use crate::steer::{MoveToEvent, Notice};

/// An event of an entity that is updated without a world: see [`Events`].
///
/// ```
/// use acmotion::dat::HookEffect;
/// use acmotion::types::Guid;
/// use acmotion::components::Events;
/// use acmotion::{ClipId, EntityEvent, HookEvent, MotionEvent};
///
/// /// Returns the entities whose attack hit in a tick, and the frames of the clips in which they did.
/// fn hits(events: &Events) -> Vec<(Guid, ClipId, u32)> {
///     let hit = |event: &EntityEvent| match event.kind {
///         MotionEvent::Hook(hook @ HookEvent { clip, frame, .. }) => {
///             matches!(hook.effect(), HookEffect::Attack(_)).then_some((event.guid, clip, frame))
///         }
///         _ => None,
///     };
///     events.list().iter().filter_map(hit).collect()
/// }
/// # assert!(hits(&Events::new()).is_empty());
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct EntityEvent {
    /// The entity.
    pub guid: Guid,
    /// What happened.
    pub kind: MotionEvent,
}

/// What happened to an entity.
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum MotionEvent {
    /// A hook of its animation fired.
    Hook(HookEvent),
    /// A hook, a script or the server changed how it looks or sounds, its scale or its angular velocity.
    Effect(EffectEvent),
    /// A motion ended.
    MotionDone {
        /// The motion.
        motion: MotionCommand,
        /// Whether it played to its end.
        success: bool,
    },
    /// It came to stand on walkable ground.
    HitGround,
    /// It left the ground.
    LeaveGround,
    /// It collided with the surroundings.
    HitEnvironment,
    /// It collided with another entity, or another with it. Reported once while the contact lasts (`docs/collision.md`
    /// 9.2).
    Touched(Guid),
    /// Its contact with an entity that it had collided with ended (`docs/collision.md` 9.3).
    Parted(Guid),
    /// It was hidden (`true`), or shown again (rule C19).
    Hidden(bool),
    /// Its order to go or turn somewhere made progress or ended (rules J6–J20).
    MoveTo(MoveToEvent),
    /// It was moved to the server's position at once, because interpolation failed or the position was too far away
    /// (rules D7, I8).
    #[doc(alias = "blip")]
    Snapped {
        /// The distance, in metres.
        distance: f32,
    },
    /// It was teleported (rules D6, D7).
    Teleported {
        /// The distance, in metres; 0 if it was not in a cell before.
        distance: f32,
    },
    /// It moved to where the surroundings have no cell. It is not updated until it is placed in one. Reported once.
    Lost,
    /// It was asked for a motion while too many were pending. All of them end without success, so that it catches up with
    /// the newest (see [`MAX_PENDING_MOTIONS`](crate::limits::MAX_PENDING_MOTIONS)). Reported once until the queue has been
    /// empty.
    QueueOverflow {
        /// The number of motions that were pending.
        motions: u32,
    },
    /// It was attached to another entity, or to another location of the same one (rules D11, D13).
    Parented {
        /// The entity it is attached to.
        parent: Guid,
        /// The holding location of the parent's setup: 1 right hand, 2 left hand, 3 shield and so on (`docs/dat.md` §4).
        location: u32,
    },
    /// It was detached from another entity, by a message or because the other was removed (rules D6, D11).
    Unparented {
        /// The entity it was attached to.
        parent: Guid,
    },
}

/// A list of events, oldest first, and a queue of notices. It belongs to the caller: if it is kept and cleared from tick to
/// tick, it stops allocating once it has grown to its size.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Events {
    list: Vec<EntityEvent>,
    pub(super) hooks: HookBuffer,
    pub(super) touched: Vec<Touch>,
    notices: VecDeque<Notice>,
}

impl Events {
    /// Creates an empty list.
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates an empty list with room for a number of events.
    pub fn with_capacity(events: usize) -> Self {
        Self {
            list: Vec::with_capacity(events),
            hooks: HookBuffer::with_capacity(64),
            touched: Vec::with_capacity(16),
            notices: VecDeque::with_capacity(16),
        }
    }

    /// The events, oldest first.
    pub fn list(&self) -> &[EntityEvent] {
        &self.list
    }

    /// Removes and returns all events; keeps the allocation.
    pub fn drain(&mut self) -> impl Iterator<Item = EntityEvent> {
        self.list.drain(..)
    }

    /// Removes all events; keeps the allocation.
    pub fn clear(&mut self) {
        self.list.clear();
    }

    /// Removes and returns the oldest notice between entities. The owner of the entities delivers each by
    /// [`Actor::receive_notice`](super::Actor::receive_notice), right after every act of an entity, until none is left.
    pub fn take_notice(&mut self) -> Option<Notice> {
        self.notices.pop_front()
    }

    pub(crate) fn push_notice(&mut self, notice: Notice) {
        self.notices.push_back(notice);
    }

    /// What the last sweep touched.
    pub(crate) fn touched(&self) -> &[Touch] {
        &self.touched
    }

    /// Returns `true` if there is neither an event nor a notice.
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.list.is_empty() && self.notices.is_empty()
    }

    pub(super) fn push(&mut self, event: EntityEvent) {
        self.list.push(event);
    }
}

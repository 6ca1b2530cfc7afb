//! How much a world holds, whatever a server sends.

use acmotion_types::Guid;
use acmotion_wire::DecodeError;
use thiserror::Error;

use super::World;

/// How many entities and queued messages a [`World`] holds. The original has no such limits.
///
/// ```
/// use acmotion::dat::Assets;
/// use acmotion::wire::{PlayerTeleport, S2C};
/// use acmotion::{Capacity, QueueError, Settings, World};
///
/// // A small bot that does not let a server fill its memory.
/// let capacity = Capacity { entities: 500, queued_messages: 1, ..Capacity::default() };
/// let mut world = World::with_settings(Assets::mannequin(), Settings { capacity, ..Settings::default() });
/// let mut teleport = Vec::new();
/// S2C::from(PlayerTeleport::default()).encode(&mut teleport);
/// assert_eq!(world.queue_message(&teleport), Ok(()));
/// assert!(matches!(world.queue_message(&teleport), Err(QueueError::Full { messages: 1, .. })));
/// world.advance(0.1);
/// assert_eq!(world.queue_message(&teleport), Ok(()), "the frame made room");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Capacity {
    /// The maximum number of entities that messages and [`spawn`](World::spawn) create. An entity takes about 2 kB. Creating
    /// another is refused with an event or an error. The local player is always created.
    pub entities: usize,
    /// The maximum number of messages [queued](World::queue_message) for the next frame.
    pub queued_messages: usize,
    /// The maximum size of all messages queued for the next frame, in bytes.
    pub queued_bytes: usize,
}

/// 131,072 entities, 65,536 messages and 16 MiB.
impl Default for Capacity {
    fn default() -> Self {
        Self { entities: 1 << 17, queued_messages: 1 << 16, queued_bytes: 1 << 24 }
    }
}

/// Why a message was not [queued](World::queue_message).
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum QueueError {
    /// The bytes are not a valid message.
    #[error(transparent)]
    Decode(#[from] DecodeError),
    /// The queue is full. It is emptied by [`World::advance`].
    #[error("{messages} messages of {bytes} bytes are queued, which is the maximum: call World::advance")]
    Full {
        /// The number of messages in the queue.
        messages: usize,
        /// Their size, in bytes.
        bytes: usize,
    },
}

impl Capacity {
    /// Checks whether a message fits into a queue.
    pub(super) fn check_queue(&self, messages: usize, bytes: usize, added: usize) -> Result<(), QueueError> {
        let fits = messages < self.queued_messages && bytes.saturating_add(added) <= self.queued_bytes;
        if fits { Ok(()) } else { Err(QueueError::Full { messages, bytes }) }
    }
}

impl World {
    /// Returns `true` if there is room for an object, or it exists already.
    pub(super) fn has_room_for(&self, guid: Guid) -> bool {
        self.store.len() < self.settings.capacity.entities
            || self.is_player(guid)
            || self.store.index_of(guid).is_some()
    }
}

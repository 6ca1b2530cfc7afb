//! Requests about objects: use, pick up, drop, wield.
//!
//! They are sent at once. Recorded: the player does not stop for them (10 of 63 uses and 2 of 20 items picked up were
//! requested in the middle of a run or turn), and they do not wait for its motions. The server then moves the player
//! into range, turns it or makes it bend down, and finally confirms that the request is done.

use acmotion_types::Guid;
use acmotion_wire::{DropItem, GameActionBody, GetAndWieldItem, PutItemInContainer, Use, UseWithTarget};

use super::{Controls, RequestError, RequestId, RequestKind};

/// The maximum number of requests that wait for an answer from the server.
const MAX_UNANSWERED: usize = 64;

impl Controls<'_> {
    /// Uses an object, such as a door, a corpse or a potion.
    ///
    /// # Errors
    /// The reason why the server is not asked.
    pub fn use_object(&mut self, object: Guid, now: f64) -> Result<RequestId, RequestError> {
        let now = self.world.accept_time(now);
        self.ask(RequestKind::Use(object), GameActionBody::Use(Use { object }), now)
    }

    /// Uses a tool on a target, such as a key on a door or a healing kit on a player.
    ///
    /// # Errors
    /// The reason why the server is not asked.
    pub fn use_with(&mut self, tool: Guid, target: Guid, now: f64) -> Result<RequestId, RequestError> {
        let now = self.world.accept_time(now);
        let message = UseWithTarget { tool, target };
        self.ask(RequestKind::UseWith { tool, target }, GameActionBody::UseWithTarget(message), now)
    }

    /// Drops an item.
    ///
    /// # Errors
    /// The reason why the server is not asked.
    pub fn drop_item(&mut self, item: Guid, now: f64) -> Result<RequestId, RequestError> {
        let now = self.world.accept_time(now);
        self.ask(RequestKind::Drop(item), GameActionBody::DropItem(DropItem { item }), now)
    }

    /// Puts an item into a container at a slot. To pick it up from the ground, the container is the player itself.
    ///
    /// # Errors
    /// The reason why the server is not asked.
    pub fn pick_up(
        &mut self,
        item: Guid,
        container: Guid,
        slot: u32,
        now: f64,
    ) -> Result<RequestId, RequestError> {
        let now = self.world.accept_time(now);
        let message = PutItemInContainer { item, container, slot };
        self.ask(RequestKind::PickUp(item), GameActionBody::PutItemInContainer(message), now)
    }

    /// Wields or wears an item at a location.
    ///
    /// # Errors
    /// The reason why the server is not asked.
    pub fn wield(&mut self, item: Guid, location: u32, now: f64) -> Result<RequestId, RequestError> {
        let now = self.world.accept_time(now);
        let message = GetAndWieldItem { item, location };
        self.ask(RequestKind::Wield(item), GameActionBody::GetAndWieldItem(message), now)
    }

    /// Sends a request at once and tracks it.
    fn ask(
        &mut self,
        kind: RequestKind,
        message: GameActionBody<'static>,
        now: f64,
    ) -> Result<RequestId, RequestError> {
        let id = self.local().requests.next_id();
        let checked = self.check_free().and_then(|()| self.check_unanswered());
        if let Err(error) = checked {
            return self.refuse(id, kind, error, now);
        }
        self.local().send(message);
        self.on_started(id, kind, now);
        Ok(id)
    }

    /// Returns an error if too many requests wait for an answer.
    pub(super) fn check_unanswered(&self) -> Result<(), RequestError> {
        if self.world.local.requests.unanswered() < MAX_UNANSWERED {
            Ok(())
        } else {
            Err(RequestError::TooManyUnanswered)
        }
    }
}

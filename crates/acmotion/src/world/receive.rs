//! Messages from the server: decoding, dispatching to their handlers, and waiting for unknown objects (rules B1, D3).

use acmotion_types::Guid;
use acmotion_wire::{DecodeError, GameEvent, GameEventBody, S2C, decode_s2c};

use super::handlers::{Handled, Unhandled};
use super::{Identity, Rejection, World};

/// The number of messages whose objects are fetched together.
const STAGED_MESSAGES: usize = 16;

impl World {
    /// Handles one message from the server, given as bytes that start with the opcode. Messages that do not concern motion
    /// are ignored.
    ///
    /// # Errors
    /// Returns the decoding error if the bytes are not a valid message. The world is then unchanged.
    pub fn receive(&mut self, bytes: &[u8], now: f64) -> Result<(), DecodeError> {
        // Borrowed from the result: a message is large, and moving it out would copy it.
        match &decode_s2c(bytes, self.settings.era) {
            Ok(message) => self.receive_decoded(message, Some(bytes), now),
            Err(error) => return Err(*error),
        }
        Ok(())
    }

    /// Handles messages from the server in order, each like [`receive`](Self::receive). In a large world this is faster than
    /// one call for each, because the memory that a few messages need is fetched at the same time.
    ///
    /// ```
    /// # use acmotion::{World, dat::Assets};
    /// # let mut world = World::new(Assets::mannequin());
    /// # let arrived: Vec<Vec<u8>> = Vec::new();
    /// world.receive_all(arrived.iter().map(Vec::as_slice), 10.0)?;
    /// # Ok::<(), acmotion::wire::DecodeError>(())
    /// ```
    ///
    /// # Errors
    /// Returns the first decoding error. The messages that are valid are handled all the same.
    pub fn receive_all<'m>(
        &mut self,
        messages: impl IntoIterator<Item = &'m [u8], IntoIter: Clone>,
        now: f64,
    ) -> Result<(), DecodeError> {
        let mut messages = messages.into_iter();
        let mut result = Ok(());
        loop {
            let staged = self.fetch_objects_of(messages.clone().take(STAGED_MESSAGES));
            let mut count = 0;
            for (message, index) in messages.by_ref().take(STAGED_MESSAGES).zip(staged) {
                self.store.expect(index);
                let received = self.receive(message, now);
                result = result.and(received);
                count += 1;
            }
            self.store.expect(None);
            if count < STAGED_MESSAGES {
                return result;
            }
        }
    }

    /// Reads a little of the objects that messages are about, so that what their handlers need is in the cache: first all
    /// look-ups, then all objects, so that the processor waits for many reads at a time. Returns the indices of the objects
    /// of the first [`STAGED_MESSAGES`] messages, as far as they are known.
    fn fetch_objects_of<'m>(
        &self,
        messages: impl Iterator<Item = &'m [u8]>,
    ) -> [Option<usize>; STAGED_MESSAGES] {
        let mut indices = [None; STAGED_MESSAGES];
        for (index, message) in indices.iter_mut().zip(messages) {
            // The object of nearly every message about motion follows the opcode. For others this finds nothing.
            let guid = message.get(4..8).and_then(|bytes| bytes.try_into().ok()).map(u32::from_le_bytes);
            *index = guid.and_then(|guid| self.store.index_of(Guid(guid)));
        }
        let found = indices.into_iter().flatten().filter_map(|index| self.store.at(index));
        std::hint::black_box(found.fold(0, |read, resident| read ^ resident.fetch()));
        indices
    }

    /// Handles one message that has been decoded already; otherwise like [`receive`](Self::receive).
    pub fn receive_message(&mut self, message: &S2C<'_>, now: f64) {
        self.receive_decoded(message, None, now);
    }

    #[inline]
    fn receive_decoded(&mut self, message: &S2C<'_>, bytes: Option<&[u8]>, now: f64) {
        let now = self.accept_time(now);
        self.handle(message, bytes, now);
        if !self.replaying.is_empty() {
            self.replay(now);
        }
    }

    /// Handles one message, and queues or rejects it if its handler did not process it. `bytes` is its encoded form, if
    /// the caller has it.
    #[inline]
    fn handle(&mut self, message: &S2C<'_>, bytes: Option<&[u8]>, now: f64) {
        match (self.dispatch(message, now), bytes) {
            (Ok(()), _) => {}
            (Err(Unhandled::Rejected { guid, reason }), _) => self.reject(guid, reason, now),
            (Err(Unhandled::WaitFor(guid)), Some(bytes)) => self.wait_for(guid, bytes, now),
            (Err(Unhandled::WaitFor(guid)), None) => {
                let mut bytes = Vec::new();
                message.encode(&mut bytes);
                self.wait_for(guid, &bytes, now);
            }
        }
    }

    /// Passes a message to its handler. Until the local player is known, everything but `PlayerCreate` waits (rule D3).
    #[inline]
    fn dispatch(&mut self, message: &S2C<'_>, now: f64) -> Handled {
        if let S2C::PlayerCreate(created) = message {
            self.on_player_create(created);
            return Ok(());
        }
        if self.player.identity == Identity::Awaited {
            return Err(Unhandled::WaitFor(Guid::NONE));
        }
        match message {
            S2C::UpdateMotion(update) => self.on_update_motion(update, now),
            S2C::UpdatePosition(update) => self.on_update_position(update, now),
            S2C::PositionAndMovement(update) => self.on_position_and_movement(update, now),
            S2C::VectorUpdate(update) => self.on_vector_update(update, now),
            S2C::SetState(update) => self.on_set_state(update, now),
            S2C::CreateObject(object) => self.on_create_object(object, now),
            S2C::UpdateObject(object) => self.on_update_object(object, now),
            S2C::DeleteObject(object) => self.on_delete_object(object, now),
            S2C::ParentEvent(event) => self.on_parent_event(event, now),
            S2C::PickupEvent(event) => self.on_pickup_event(event, now),
            S2C::ObjDescEvent(event) => self.on_obj_desc_event(event, now),
            S2C::PlayScriptId(message) => {
                self.on_play_script_id(message, now);
                Ok(())
            }
            S2C::PlayScriptType(message) => {
                self.on_play_script_type(message, now);
                Ok(())
            }
            S2C::PlayerTeleport(teleport) => self.on_player_teleport(teleport, now),
            S2C::GameEvent(event) => self.dispatch_event(message, event, now),
            S2C::PrivateUpdateSkill(_) => self.on_private_update_skill(message, now),
            S2C::PrivateUpdateSkillLevel(_) => self.on_private_update_skill_level(message, now),
            S2C::PublicUpdateSkill(_) => self.on_public_update_skill(message, now),
            S2C::PublicUpdateSkillLevel(_) => self.on_public_update_skill_level(message, now),
            S2C::PrivateUpdatePropertyInt(_) => self.on_private_update_property_int(message, now),
            S2C::PublicUpdatePropertyInt(_) => self.on_public_update_property_int(message, now),
            S2C::PrivateUpdateAttribute(_) => self.on_private_update_attribute(message, now),
            S2C::PrivateUpdateAttribute2ndLevel(_) => {
                self.on_private_update_attribute_2nd_level(message, now)
            }
            _ => Ok(()),
        }
    }

    /// Passes a game event to its handler.
    fn dispatch_event(&mut self, message: &S2C<'_>, event: &GameEvent<'_>, now: f64) -> Handled {
        match &event.event {
            GameEventBody::PlayerDescription(_) => self.on_player_description(message, now),
            GameEventBody::MagicUpdateEnchantment(_) => self.on_magic_update_enchantment(message, now),
            GameEventBody::MagicRemoveEnchantment(_) => self.on_magic_remove_enchantment(message, now),
            body @ GameEventBody::AttackDone(_) => self.on_attack_done(body, now),
            body @ GameEventBody::CombatCommenceAttack(_) => self.on_combat_commence_attack(body, now),
            body @ GameEventBody::UseDone(_) => self.on_use_done(body, now),
            body @ GameEventBody::InventoryPutObjInContainer(_) => {
                self.on_inventory_put_obj_in_container(body, now)
            }
            body @ GameEventBody::InventoryPutObjIn3D(_) => self.on_inventory_put_obj_in_3d(body, now),
            body @ GameEventBody::WieldItem(_) => self.on_wield_item(body, now),
            _ => Ok(()),
        }
    }

    /// Queues a message until the object `guid`, or its next instance, is created (rule D3). [`Guid::NONE`] stands for the
    /// local player not being known yet.
    fn wait_for(&mut self, guid: Guid, bytes: &[u8], now: f64) {
        let is_known = guid.is_none() || self.store.index_of(guid).is_some();
        let messages = self.waiting.push(guid, is_known, bytes, now);
        if messages > 0 {
            self.reject(guid, Rejection::TooManyWaiting { messages }, now);
        }
    }

    /// Schedules the messages that waited for an object; [`replay`](Self::replay) handles them.
    pub(super) fn replay_waiting(&mut self, guid: Guid) {
        let messages = self.waiting.take(guid);
        if !messages.is_empty() {
            self.replaying.push((messages, 0));
        }
    }

    /// Handles the scheduled messages, in the order of arrival for each object. An object that one of them creates has its
    /// own messages handled before the rest.
    pub(super) fn replay(&mut self, now: f64) {
        while let Some((messages, next)) = self.replaying.pop() {
            let Some(bytes) = messages.get(next).map(<[u8]>::to_vec) else { continue };
            self.replaying.push((messages, next + 1));
            match decode_s2c(&bytes, self.settings.era) {
                Ok(message) => self.handle(&message, Some(&bytes), now),
                Err(_) => self.reject(Guid::NONE, Rejection::Unreadable, now),
            }
        }
    }
}

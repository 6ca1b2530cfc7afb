//! Messages come in (rules B1, D3, D4).

use acmotion_types::{Guid, Stamp};
use acmotion_wire::{DecodeError, ObjectStamps, PositionPack, S2C, decode_s2c};

use super::{EventKind, Identity, Rejection, World};
use crate::gate::{self, Action, Actions, InstanceVerdict, MotionReport, PositionReport, Situation};
use crate::world::resident::Resident;

impl World {
    /// A message of the server, number first. What is not about motion is passed over.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn receive(&mut self, bytes: &[u8], now: f64) -> Result<(), DecodeError> {
        let message = decode_s2c(bytes, self.settings.era)?;
        self.take(&message, bytes, now);
        self.replay(now);
        Ok(())
    }

    /// As [`receive`](Self::receive), of a message that has been read already.
    pub fn receive_message(&mut self, message: &S2C<'_>, now: f64) {
        let mut bytes = Vec::new();
        message.encode(&mut bytes);
        self.take(message, &bytes, now);
        self.replay(now);
    }

    /// What waited for objects that have appeared.
    fn replay(&mut self, now: f64) {
        while let Some((messages, next)) = self.replaying.pop() {
            let Some(bytes) = messages.get(next).map(<[u8]>::to_vec) else { continue };
            self.replaying.push((messages, next + 1));
            match decode_s2c(&bytes, self.settings.era) {
                Ok(message) => self.take(&message, &bytes, now),
                Err(_) => self.reject(Guid::NONE, Rejection::Unreadable, now),
            }
        }
    }

    pub(super) fn replay_waiting(&mut self, guid: Guid) {
        let messages = self.waiting.take(guid);
        if !messages.is_empty() {
            self.replaying.push((messages, 0));
        }
    }

    fn take(&mut self, message: &S2C<'_>, bytes: &[u8], now: f64) {
        if let S2C::PlayerCreate(created) = message {
            return self.player_is(created.guid);
        }
        if self.player.identity == Identity::Awaited {
            return self.wait_for(Guid::NONE, bytes, now);
        }
        match message {
            S2C::CreateObject(object) => self.described(&object.0, false, bytes, now),
            S2C::UpdateObject(object) => self.described(&object.0, true, bytes, now),
            S2C::DeleteObject(object) => self.deleted(object.guid, object.instance, now),
            S2C::PlayerTeleport(teleport) => self.teleport_announced(teleport.teleport, now),
            S2C::ParentEvent(event) => {
                if self.is_for_now(event.parent, event.parent_instance, bytes, now) {
                    if self.store.find(event.child).is_none() {
                        return self.wait_for(event.child, bytes, now);
                    }
                    self.attach(event.parent, event.child, event.child_position, now);
                }
            }
            other => self.take_simple(other, bytes, now),
        }
    }

    /// Messages about one object, under the instance rule.
    fn take_simple(&mut self, message: &S2C<'_>, bytes: &[u8], now: f64) {
        match message {
            S2C::UpdatePosition(update) => {
                self.take_position(update.guid, &update.pack, bytes, now);
            }
            S2C::PositionAndMovement(update) if self.take_position(update.guid, &update.pack, bytes, now) => {
                let report = MotionReport::from(&update.data);
                self.ordered(update.guid, &update.data.movement, report, now);
            }
            S2C::UpdateMotion(update) if self.is_for_now(update.guid, update.instance, bytes, now) => {
                self.ordered(update.guid, &update.data.movement, MotionReport::from(&update.data), now);
            }
            S2C::VectorUpdate(update) if self.is_for_now(update.guid, update.instance, bytes, now) => {
                self.thrown(update.guid, update.velocity, update.omega, update.vector, now);
            }
            S2C::SetState(update) if self.is_for_now(update.guid, update.instance, bytes, now) => {
                self.state_set(update.guid, update.state, update.state_stamp, now);
            }
            S2C::PickupEvent(event) if self.is_for_now(event.guid, event.instance, bytes, now) => {
                self.picked_up(event.guid, event.position, now);
            }
            S2C::ObjDescEvent(event) if self.is_for_now(event.guid, event.instance, bytes, now) => {
                let stamp = event.visual_desc;
                self.decide(event.guid, now, |resident, _| gate::obj_desc(&mut resident.stamps, stamp));
            }
            _ => self.player_described(message, now),
        }
    }

    /// A position under the instance rule. Says whether it was taken.
    fn take_position(&mut self, guid: Guid, pack: &PositionPack, bytes: &[u8], now: f64) -> bool {
        self.is_position_for_now(guid, pack, bytes, now)
            && self.reported(guid, &pack.position, PositionReport::from(pack), now)
    }

    /// Who the player is (rule D3): what waited for that follows.
    fn player_is(&mut self, guid: Guid) {
        self.player.identity = Identity::Known(guid);
        self.replay_waiting(Guid::NONE);
    }

    /// The instance rule: is the message for the object as it is known (rule D3)? If not, it waits or is dropped.
    fn is_for_now(&mut self, guid: Guid, instance: Stamp, bytes: &[u8], now: f64) -> bool {
        let known = self.store.find(guid).map(|resident| resident.stamps.instance);
        match gate::check_instance(known, instance) {
            InstanceVerdict::Process => return true,
            InstanceVerdict::Queue => self.wait_for(guid, bytes, now),
            InstanceVerdict::Drop => self.reject(guid, Rejection::Stale(gate::Stale::Instance), now),
        }
        false
    }

    /// The same for a position, which may call for a stand-in.
    fn is_position_for_now(&mut self, guid: Guid, pack: &PositionPack, bytes: &[u8], now: f64) -> bool {
        if self.settings.stand_ins_for_unknown && self.store.find(guid).is_none() {
            let stamps = ObjectStamps {
                position: pack.position_stamp,
                teleport: pack.teleport,
                force_position: pack.force_position,
                instance: pack.instance,
                ..ObjectStamps::default()
            };
            self.stand_in_for(guid, &pack.position, stamps, now);
        }
        self.is_for_now(guid, pack.instance, bytes, now)
    }

    /// A message waits for an object that is still to come (rule D3).
    pub(super) fn wait_for(&mut self, guid: Guid, bytes: &[u8], now: f64) {
        let is_known = guid.is_none() || self.store.find(guid).is_some();
        let messages = self.waiting.push(guid, is_known, bytes, now);
        if messages > 0 {
            self.reject(guid, Rejection::TooManyWaiting { messages }, now);
        }
    }

    pub(super) fn reject(&mut self, guid: Guid, why: Rejection, now: f64) {
        self.events.push(now, guid, EventKind::Rejected(why));
    }

    /// Decides about a known object, notes it for who wants an explanation, and tells if the message was stale.
    pub(super) fn decide(
        &mut self,
        guid: Guid,
        now: f64,
        decide: impl FnOnce(&mut Resident, Situation) -> Actions,
    ) -> Option<Actions> {
        self.decide_at(self.store.place_of(guid)?, now, decide)
    }

    /// The same, for the object at a place of the list.
    pub(super) fn decide_at(
        &mut self,
        place: usize,
        now: f64,
        decide: impl FnOnce(&mut Resident, Situation) -> Actions,
    ) -> Option<Actions> {
        let situation = self.situation(place)?;
        let resident = self.store.at_mut(place)?;
        let guid = resident.guid();
        let actions = decide(resident, situation);
        if let Some(explanation) = resident.entity.correction.explanation_mut() {
            explanation.note(&actions);
        }
        if let Some(stale) = actions.stale() {
            self.reject(guid, Rejection::Stale(stale), now);
        }
        Some(actions)
    }

    /// Without a player everything counts as near, so that a world that only watches shows how things move.
    fn situation(&self, place: usize) -> Option<Situation> {
        let entity = self.store.at(place)?.entity();
        let body = &entity.body;
        let has_player = self.player_position().is_some();
        Some(Situation {
            is_player: self.player.guid() == Some(entity.guid),
            autonomy: self.player.autonomy,
            has_cell: body.is_in_cell(),
            is_moving_to: entity.is_moving_to(),
            player_distance: if has_player { body.player_distance } else { 0.0 },
        })
    }

    /// The player is about to be teleported (rules D11, P7).
    fn teleport_announced(&mut self, teleport: Stamp, now: f64) {
        let Some(guid) = self.player.guid() else { return };
        let actions = self.decide(guid, now, |resident, _| gate::player_teleport(&resident.stamps, teleport));
        if actions.is_some_and(|actions| actions.contains(&Action::EnterPortalSpace)) {
            self.player.enter_portal_space();
            self.events.push(now, guid, EventKind::PortalSpace(true));
        }
    }
}

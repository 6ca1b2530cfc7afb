//! Cancelling requests.

use super::{CancelReason, Controls, RequestError, RequestId, RequestKind, RequestProgress};
use crate::table::MotionError;

impl Controls<'_> {
    /// Cancels a request that is queued or under way. Its last event is
    /// [`Cancelled`](RequestProgress::Cancelled) with [`CancelReason::Caller`]. A request may be cancelled again until that
    /// event, to no effect.
    ///
    /// What that means depends on the request:
    ///
    /// - A queued request, including an attack whose key is held, does not start. The server never hears of it.
    /// - A walk, a turn and the following of an entity end, and the player stops.
    /// - A jump, an emote and a stance cannot be undone: the player lands, plays the action to its end and changes the stance
    ///   when the server answers. Only the request ends.
    /// - An attack is cancelled by asking the server, as [`cancel_attack`](Self::cancel_attack) does. The swing under way is
    ///   finished, and then the event follows.
    /// - A spell, a use and the move of an item have been requested from the server, and no message takes that back. If the
    ///   server is walking the player to the object, the player stops, as it does for a key; servers then give up the
    ///   request. The event follows when the server answers, or after ten seconds without an answer. If the server carries
    ///   out the request anyway, the last event is [`Done`](RequestProgress::Done).
    ///
    /// ```
    /// # use acmotion::dat::Assets;
    /// # use acmotion::types::{CellId, CellPosition, Guid, Vec3};
    /// # use acmotion::{EventKind, Identity, Settings, World};
    /// use acmotion::{CancelReason, RequestError, RequestProgress};
    /// # let player = Guid(0x5000_0001);
    /// # let settings = Settings { player: Identity::Known(player), ..Settings::default() };
    /// # let mut world = World::with_settings(Assets::mannequin(), settings);
    /// # let position = |x, y| CellPosition::at(CellId(0xA9B4_0001), Vec3::new(x, y, 94.0));
    /// # world.add_stand_in(player, &position(6.0, 6.0), 0.0);
    ///
    /// let walk = world.player_mut().walk_to(position(12.0, 12.0), 0.0)?;
    /// world.advance(0.1);
    /// world.player_mut().cancel(walk, 0.1)?;
    /// let requests = world.drain_events().filter_map(|event| match event.kind {
    ///     EventKind::Request(step) => Some(step.progress),
    ///     _ => None,
    /// });
    /// assert_eq!(requests.last(), Some(RequestProgress::Cancelled(CancelReason::Caller)));
    /// assert_eq!(world.player_mut().cancel(walk, 0.1), Err(RequestError::NotUnderWay));
    /// # Ok::<(), RequestError>(())
    /// ```
    ///
    /// # Errors
    /// [`RequestError::NotUnderWay`] if the request is over or there never was one with that number.
    pub fn cancel(&mut self, id: RequestId, now: f64) -> Result<(), RequestError> {
        let now = self.world.accept_time(now);
        self.poll_requests(now);
        let cancelled = RequestProgress::Cancelled(CancelReason::Caller);
        if let Some(index) = self.local().queued.iter().position(|request| request.id == id) {
            if let Some(request) = self.local().queued.remove(index) {
                self.emit(id, request.kind, cancelled, now);
            }
            return Ok(());
        }
        if self.local().combat.held_key() == Some(id) {
            self.drop_attack_key(CancelReason::Caller, now);
            return Ok(());
        }
        let kind = self.local().requests.kind_of(id).ok_or(RequestError::NotUnderWay)?;
        if kind.is_answered() {
            self.cancel_answered(id, kind, now);
            return Ok(());
        }
        if kind.is_order() {
            self.stop_order(now);
        }
        let ended = self.local().requests.end(|request| request.id == id, cancelled);
        self.emit_step(ended, now);
        Ok(())
    }

    /// Cancels all requests that are queued or under way, oldest first. Returns how many there were.
    pub fn cancel_all(&mut self, now: f64) -> usize {
        let now = self.world.accept_time(now);
        self.poll_requests(now);
        let local = &self.world.local;
        let tracked = local.requests.tracked.iter().map(|request| request.id);
        let queued = local.queued.iter().map(|request| request.id);
        let mut ids: Vec<RequestId> = tracked.chain(queued).chain(local.combat.held_key()).collect();
        ids.sort_unstable();
        ids.into_iter().filter(|id| self.cancel(*id, now).is_ok()).count()
    }

    /// Cancels a request that the server decides, once. Its answer, or the lack of one, ends the request.
    fn cancel_answered(&mut self, id: RequestId, kind: RequestKind, now: f64) {
        if self.local().requests.is_cancelled(id) {
            return;
        }
        match kind {
            RequestKind::Attack(_) => drop(self.abort_attack(CancelReason::Caller, now)),
            _ => self.stop_server_walk(now),
        }
        self.local().requests.set_cancelled(id, CancelReason::Caller);
    }

    /// Ends the order that the player's own request gave, and sends that the player stands.
    fn stop_order(&mut self, now: f64) {
        let Some(guid) = self.guid() else { return };
        self.with_cause(CancelReason::Caller, now, |player| {
            if player.local().requests.is_ordered() {
                player.world.act(guid, now, |actor, _| actor.cancel_move_to(MotionError::ActionCancelled));
            }
        });
        self.send_ordered_movement(now);
    }

    /// Takes control from a server that is moving the player, as a key would (rule K8).
    fn stop_server_walk(&mut self, now: f64) {
        let is_moving = self.own().is_some_and(|own| own.entity().is_moving_to());
        if is_moving && self.keyboard().controlled_by_server {
            self.with_cause(CancelReason::Caller, now, |player| player.take_control(now));
            self.send_movement(now);
        }
    }
}

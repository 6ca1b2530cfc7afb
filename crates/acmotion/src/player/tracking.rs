//! Tracks requests by the events and the state of the body.

use acmotion_dat::HookEffect;

use super::progress::{BodyStatus, RequestEvent};
use super::{CancelReason, Controls, RequestError, RequestId, RequestKind, RequestProgress};
use crate::body::Body;
use crate::entity::MotionEvent;
use crate::world::Resident;

/// Returns `true` if the body stands and does not bounce off the ground again (rules C8, C12).
pub(super) fn stands_firmly(body: &Body) -> bool {
    body.is_standing() && body.check_contact(true)
}

impl Controls<'_> {
    /// Returns the number of the newest request, refused or not, or `None` if there has been none. The
    /// [events](crate::world::EventKind::Request) of the request carry it.
    ///
    /// ```
    /// use acmotion::dat::Assets;
    /// use acmotion::types::{CellId, CellPosition, Guid, Vec3};
    /// use acmotion::{EventKind, Identity, PlayerWeenie, RequestEvent, RequestProgress, Settings, World};
    ///
    /// let player = Guid(0x5000_0001);
    /// let settings = Settings { player: Identity::Known(player), ..Settings::default() };
    /// let mut world = World::with_settings(Assets::mannequin(), settings);
    /// let position = |x, y| CellPosition::at(CellId(0xA9B4_0001), Vec3::new(x, y, 94.0));
    /// world.add_stand_in(player, &position(6.0, 6.0), 0.0);
    /// world.player_mut().set_weenie(PlayerWeenie::default(), 0.0);
    ///
    /// // A bot that walks to a position and jumps there.
    /// let mut awaited = world.player_mut().walk_to(position(12.0, 12.0), 0.0)?;
    /// let (mut now, mut done) = (0.0, 0);
    /// while done < 2 && now < 60.0 {
    ///     now += 1.0 / 30.0 + 1e-6;
    ///     world.tick(now);
    ///     world.player_mut().use_time(now);
    ///     let events: Vec<_> = world.drain_events().collect();
    ///     for event in events {
    ///         let EventKind::Request(RequestEvent { id, progress, .. }) = event.kind else { continue };
    ///         if awaited == id && progress == RequestProgress::Done {
    ///             done += 1;
    ///             awaited = world.player_mut().jump(0.5, now)?;
    ///         }
    ///     }
    /// }
    /// assert_eq!(done, 2, "the walk and the jump");
    /// # Ok::<(), acmotion::RequestError>(())
    /// ```
    pub fn last_request(&self) -> Option<RequestId> {
        self.world.local.requests.last_id()
    }

    /// Calls `act`. Requests that end during the call are cancelled with the reason `cause`, or with that of an
    /// enclosing call.
    pub(super) fn with_cause<R>(
        &mut self,
        cause: CancelReason,
        now: f64,
        act: impl FnOnce(&mut Self) -> R,
    ) -> R {
        if self.local().requests.cause.is_some() {
            return act(self);
        }
        self.poll_requests(now);
        let ended = self.local().requests.end_paused(cause);
        self.emit_step(ended, now);
        self.local().requests.cause = Some(cause);
        let result = act(self);
        self.poll_requests(now);
        self.local().requests.cause = None;
        result
    }

    /// Starts to track a request and to collect the events of the body.
    pub(super) fn track(&mut self, id: RequestId, kind: RequestKind, now: f64) {
        let style = self.own().map(|own| own.entity().interp.interpreted.style).unwrap_or_default();
        self.local().requests.add(id, kind, style, now);
        self.world.track_player_events(true);
    }

    /// Emits an event about a request.
    pub(super) fn emit(&mut self, id: RequestId, kind: RequestKind, progress: RequestProgress, now: f64) {
        self.world.emit_request(RequestEvent { id, kind, progress }, now);
    }

    /// Refuses a request: emits the event and returns the error.
    pub(super) fn refuse<R>(
        &mut self,
        id: RequestId,
        kind: RequestKind,
        error: RequestError,
        now: f64,
    ) -> Result<R, RequestError> {
        self.emit(id, kind, RequestProgress::Refused(error), now);
        Err(error)
    }

    /// Handles the events of the body since the last call.
    pub(super) fn poll_requests(&mut self, now: f64) {
        self.local().requests.last_update = now;
        if self.local().requests.is_empty() {
            return;
        }
        for kind in self.world.take_player_events() {
            let event = match kind {
                MotionEvent::Hook(hook) => {
                    let is_attack = matches!(hook.effect(), HookEffect::Attack(_));
                    self.local().requests.on_attack_frame().filter(|_| is_attack)
                }
                kind => self.local().requests.on_motion_event(kind),
            };
            self.emit_step(event, now);
        }
        self.world.track_player_events(!self.world.local.requests.is_empty());
    }

    /// Handles the events of the body and then its state, once every client frame.
    pub(super) fn update_requests(&mut self, now: f64) {
        if let Some(guid) = self.guid().filter(|_| self.world.local.requests.is_ordered()) {
            // A body that is not stepped, because it is in no cell or inactive, must not keep its order either.
            self.world.act(guid, now, |actor, _| actor.check_order_limits());
        }
        self.poll_requests(now);
        self.update_follow(now);
        let is_dead = self.is_dead();
        let status = |own: &Resident| BodyStatus {
            style: own.entity().interp.interpreted.style,
            is_dead,
            is_steered: own.entity().is_moving_to(),
            is_standing: stands_firmly(own.body()),
            has_pending: own.entity().interp.has_pending(),
        };
        let Some(status) = self.own().map(status) else { return };
        while let Some(event) = self.local().requests.take_ended(&status, now) {
            if matches!(event.kind, RequestKind::Attack(_)) {
                self.local().combat.on_request_end(event.progress);
            }
            self.world.emit_request(event, now);
        }
    }
}

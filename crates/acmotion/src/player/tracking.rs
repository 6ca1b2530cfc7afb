//! Requests are followed: what happens to the body tells how they go.

use super::progress::{Doing, RequestEvent};
use super::{CancelReason, Controls, RequestError, RequestId, RequestKind, RequestProgress};
use crate::body::Body;
use crate::world::Resident;

/// Does he stand, and not bounce off the ground again (rules C8, C12)?
pub(super) fn stands_firmly(body: &Body) -> bool {
    body.is_standing() && body.check_contact(true)
}

impl Controls<'_> {
    /// The number of the newest request, refused or not, by which its [events](crate::world::EventKind::Request) are
    /// known.
    ///
    /// ```
    /// use acmotion::World;
    /// use acmotion::dat::Assets;
    /// use acmotion::player::{Progress, RequestEvent};
    /// use acmotion::types::{CellId, CellPosition, Guid, Vec3};
    /// use acmotion::world::{EventKind, Identity, Settings};
    ///
    /// let player = Guid(0x5000_0001);
    /// let settings = Settings { player: Identity::Known(player), ..Settings::default() };
    /// let mut world = World::with_settings(Assets::mannequin(), settings);
    /// let place = |x, y| CellPosition::at(CellId(0xA9B4_0001), Vec3::new(x, y, 94.0));
    /// world.add_stand_in(player, &place(6.0, 6.0), 0.0);
    ///
    /// // A bot: it walks to a place, and jumps when it is there.
    /// world.player_mut().walk_to(&place(12.0, 12.0), 0.0)?;
    /// let (mut now, mut waits_for, mut done) = (0.0, world.player_mut().last_request(), 0);
    /// while done < 2 && now < 60.0 {
    ///     now += 1.0 / 30.0 + 1e-6;
    ///     world.tick(now);
    ///     world.player_mut().use_time(now);
    ///     let events: Vec<_> = world.drain_events().collect();
    ///     for event in events {
    ///         let EventKind::Request(RequestEvent { id, progress: Progress::Done, .. }) = event.what else { continue };
    ///         if waits_for == Some(id) {
    ///             done += 1;
    ///             world.player_mut().jump(0.5, now)?;
    ///             waits_for = world.player_mut().last_request();
    ///         }
    ///     }
    /// }
    /// assert_eq!(done, 2, "he is there, and has jumped");
    /// # Ok::<(), acmotion::player::Refusal>(())
    /// ```
    pub fn last_request(&self) -> Option<RequestId> {
        self.world.local.tasks.newest()
    }

    /// Does something for a reason: what ends by it ends for that reason.
    pub(super) fn because<R>(
        &mut self,
        cause: CancelReason,
        now: f64,
        act: impl FnOnce(&mut Self) -> R,
    ) -> R {
        if self.local().tasks.cause.is_some() {
            return act(self);
        }
        self.heed(now);
        self.local().tasks.cause = Some(cause);
        let result = act(self);
        self.heed(now);
        self.local().tasks.cause = None;
        result
    }

    /// A request is begun, for the body to be followed.
    pub(super) fn follow(&mut self, id: RequestId, kind: RequestKind) {
        let style = self.own().map(|own| own.entity().interp.interpreted.style).unwrap_or_default();
        self.local().tasks.begin(id, kind, style);
        self.world.listen_to_player(true);
    }

    /// Tells of a request what is known at once.
    pub(super) fn tell(&mut self, id: RequestId, kind: RequestKind, progress: RequestProgress, now: f64) {
        self.world.tell_request(RequestEvent { id, kind, progress }, now);
    }

    /// A request that cannot be.
    pub(super) fn refuse<R>(
        &mut self,
        id: RequestId,
        kind: RequestKind,
        why: RequestError,
        now: f64,
    ) -> Result<R, RequestError> {
        self.tell(id, kind, RequestProgress::Refused(why), now);
        Err(why)
    }

    /// What happened to the body since, for the requests that were begun.
    pub(super) fn heed(&mut self, now: f64) {
        self.local().tasks.clock = now;
        if self.local().tasks.is_empty() {
            return;
        }
        for kind in self.world.heard_of_player() {
            if let Some(event) = self.local().tasks.hear(kind) {
                self.world.tell_request(event, now);
            }
        }
        self.world.listen_to_player(!self.world.local.tasks.is_empty());
    }

    /// The same once a frame, when also what the body does is looked at.
    pub(super) fn look_after_requests(&mut self, now: f64) {
        self.heed(now);
        let is_dead = self.is_dead();
        let doing = |own: &Resident| Doing {
            style: own.entity().interp.interpreted.style,
            is_dead,
            is_steered: own.entity().is_moving_to(),
            is_standing: stands_firmly(own.body()),
            has_pending: own.entity().interp.has_pending(),
        };
        let Some(doing) = self.own().map(doing) else { return };
        while let Some(event) = self.local().tasks.look(&doing) {
            self.world.tell_request(event, now);
        }
    }
}

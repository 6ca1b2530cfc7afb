//! What the world asks of its player: every frame, and when messages move him (rules B1, D6, D9, K7, K8, P7).

use acmotion_types::Guid;
use acmotion_wire::S2C;

use super::Controls;
use super::local::LocalPlayer;
use super::self_steering::OwnWay;
use crate::World;
use crate::world::{PlayerState, Resident};

impl World {
    /// The local player, to be moved. From the first call on the world sends what the original client would: nothing is
    /// sent for a player whom nobody moves.
    ///
    /// ```
    /// use acmotion::World;
    /// use acmotion::dat::Assets;
    /// use acmotion::types::{CellId, CellPosition, Guid, MotionCommand, Vec3};
    /// use acmotion::world::{Identity, Settings};
    ///
    /// let player = Guid(0x5000_0001);
    /// let settings = Settings { player: Identity::Known(player), ..Settings::default() };
    /// let mut world = World::with_settings(Assets::mannequin(), settings);
    /// let place = CellPosition::at(CellId(0xA9B4_0001), Vec3::new(12.0, 12.0, 94.0));
    /// world.add_stand_in(player, &place, 0.0);
    ///
    /// // Each frame: the tick, the server's messages, the player.
    /// world.tick(0.1);
    /// world.player_mut().use_time(0.1);
    /// world.player_mut().press(MotionCommand::WALK_FORWARD, 0.1)?;
    /// assert_eq!(world.drain_outbound().count(), 3, "there he is, standing here, and walking");
    /// # Ok::<(), acmotion::player::Refusal>(())
    /// ```
    pub fn player_mut(&mut self) -> Controls<'_> {
        self.local.is_played = true;
        Controls { world: self }
    }

    /// Takes out what is to be sent to the server, in order: whole messages, number first.
    pub fn drain_outbound(&mut self) -> impl Iterator<Item = Vec<u8>> {
        self.local.outbound.drain(..)
    }

    /// Lets the player tell something about himself.
    pub(super) fn tell_as_player(&mut self, guid: Guid, tell: impl FnOnce(&mut LocalPlayer, &Resident)) {
        let mut local = std::mem::take(&mut self.local);
        if let Some(own) = self.find(guid) {
            tell(&mut local, own);
        }
        self.local = local;
    }

    /// The server put the player somewhere and wants to hear where he is (rules D6, R7).
    pub(crate) fn player_position_wanted(&mut self, now: f64) {
        if let Some(guid) = (Controls { world: self }).guid() {
            self.tell_as_player(guid, |local, own| local.send_position(own, now));
        }
    }

    /// The player is where a teleport led: he stops running by himself, and says so (rules D6, P7).
    #[doc(alias = "PlayerTeleported")]
    pub(crate) fn player_teleported(&mut self, now: f64) {
        let mut controls = Controls { world: self };
        controls.end_auto_run(now);
        controls.send_movement(now);
    }

    /// The server moves the player now (rule K8).
    #[doc(alias = "LoseControlToServer")]
    pub(crate) fn player_lost_control(&mut self, now: f64) {
        let mut controls = Controls { world: self };
        if controls.autonomy() == 0 {
            return;
        }
        let keyboard = &mut controls.local().keyboard;
        keyboard.controlled_by_server = true;
        keyboard.auto_run = false;
        controls.local().own_way = OwnWay::NONE;
        controls.finish_jump(now);
    }

    /// The server tells what the player can do (rule K10).
    pub(crate) fn player_described(&mut self, message: &S2C<'_>, now: f64) {
        if self.local.qualities.learn(message) {
            let numbers = self.local.qualities.weenie();
            Controls { world: self }.set_weenie(numbers, now);
        }
    }

    pub(super) fn player_state_mut(&mut self) -> &mut PlayerState {
        &mut self.player
    }
}

impl Controls<'_> {
    /// The player's part of a frame, after the tick and the messages (rule B1): says that he is there, tells where he
    /// is when that is due, takes control back when keys are held and the server's movement is over, and does what had
    /// to wait.
    #[doc(alias = "UseTime")]
    pub fn use_time(&mut self, now: f64) {
        let Some(guid) = self.guid() else { return };
        self.meet_body();
        if !self.local().has_entered && self.own().is_some_and(|own| own.body().is_in_cell()) {
            self.local().has_entered = true;
            self.send_movement(now);
        }
        if self.should_send_position(now) {
            self.world.tell_as_player(guid, |local, own| local.send_position(own, now));
        }
        self.look_after_requests(now);
        self.tell_own_way(now);
        if self.may_retake_control() {
            self.take_control(now);
        }
        self.unpark(now);
    }

    /// Returns `true` if the next [`use_time`](Self::use_time) has to report the position (rule K7). It then does so if
    /// the player stands at a valid position.
    #[doc(alias = "ShouldSendPositionEvent")]
    pub fn should_send_position(&self, now: f64) -> bool {
        let is_due = |own: &Resident| self.heartbeat().is_due(now, &own.body().into(), self.autonomy());
        self.check_active().is_ok() && self.own().is_some_and(is_due)
    }

    /// A new body begins as the first did: the server moves it, until what is held takes it back (rules D12, K1).
    fn meet_body(&mut self) {
        let body = self.own().map(Resident::id);
        if self.local().body != body {
            self.local().body = body;
            self.local().keyboard.controlled_by_server = true;
            self.local().jump_since = None;
            self.local().own_way = OwnWay::NONE;
        }
    }

    /// Once nothing of the server's movement is left, and only if something is held (rules K8, Q9).
    fn may_retake_control(&self) -> bool {
        let keys = self.keyboard();
        let is_idle = |own: &Resident| !own.entity().interp.has_pending() && !own.entity().is_moving_to();
        keys.controlled_by_server
            && self.world.local.is_enabled
            && keys.is_held()
            && self.own().is_some_and(is_idle)
    }

    fn end_auto_run(&mut self, now: f64) {
        if std::mem::take(&mut self.local().keyboard.auto_run) && !self.keyboard().controlled_by_server {
            self.apply_current_movement(now);
        }
    }
}

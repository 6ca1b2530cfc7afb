//! The player's part of a client frame, and what the world calls when messages concern the player (rules B1, D6, D9, K7,
//! K8, P7).

use acmotion_types::Guid;
use acmotion_wire::S2C;

use super::Controls;
use super::local::LocalPlayer;
use super::ordered_movement::OrderedMovement;
use crate::World;
use crate::message_batch::MessageBatch;
use crate::world::{PlayerState, Resident};

impl World {
    /// Returns the controls of the local player. From the first call on, the world queues the messages that the original
    /// client would send; nothing is sent for a player that is only watched.
    ///
    /// ```
    /// use acmotion::dat::Assets;
    /// use acmotion::types::{CellId, CellPosition, Guid, MotionCommand, Vec3};
    /// use acmotion::{Identity, Settings, World};
    ///
    /// let player = Guid(0x5000_0001);
    /// let settings = Settings { player: Identity::Known(player), ..Settings::default() };
    /// let mut world = World::with_settings(Assets::mannequin(), settings);
    /// let position = CellPosition::at(CellId(0xA9B4_0001), Vec3::new(12.0, 12.0, 94.0));
    /// world.add_stand_in(player, &position, 0.0);
    ///
    /// world.player_mut();
    /// world.advance(0.1);
    /// world.player_mut().press(MotionCommand::WALK_FORWARD, 0.1)?;
    /// assert_eq!(world.drain_outbound().count(), 3, "the entry, the position, and the walk");
    /// # Ok::<(), acmotion::RequestError>(())
    /// ```
    pub fn player_mut(&mut self) -> Controls<'_> {
        self.local.is_played = true;
        let mut controls = Controls { world: self };
        // What is asked of a new body before its first frame must not be undone in that frame.
        controls.check_body();
        controls
    }

    /// Runs the local player's part of a client frame, if the player is played and not only watched (rule B1).
    pub(crate) fn use_player_time(&mut self, now: f64) {
        if self.local.is_played {
            self.player_mut().use_time(now);
        }
    }

    /// Removes and returns the messages to be sent to the server, oldest first: whole messages, opcode first.
    pub fn drain_outbound(&mut self) -> impl Iterator<Item = Vec<u8>> {
        self.local.outbound.drain()
    }

    /// Replaces the contents of `batch` with the messages to be sent to the server, oldest first. Unlike
    /// [`drain_outbound`](Self::drain_outbound) it does not borrow the world while they are sent, and if the same batch is
    /// passed every time, it allocates nothing once the batches have grown to their size.
    ///
    /// ```
    /// use acmotion::dat::Assets;
    /// use acmotion::{MessageBatch, World};
    ///
    /// let (mut world, mut outbound) = (World::new(Assets::mannequin()), MessageBatch::new());
    /// for frame in 1..30 {
    ///     world.advance(f64::from(frame) / 30.0);
    ///     world.swap_outbound(&mut outbound);
    ///     for message in &outbound {
    ///         // socket.send(message)?;
    /// #       let _: &[u8] = message;
    ///     }
    /// }
    /// ```
    pub fn swap_outbound(&mut self, batch: &mut MessageBatch) {
        batch.clear();
        std::mem::swap(&mut self.local.outbound, batch);
    }

    /// Calls `send` with the local player's state and its entity, if the entity exists.
    pub(super) fn send_as_player(&mut self, guid: Guid, send: impl FnOnce(&mut LocalPlayer, &Resident)) {
        let mut local = std::mem::take(&mut self.local);
        if let Some(own) = self.find(guid) {
            send(&mut local, own);
        }
        self.local = local;
    }

    /// Reports the player's position at once, after the server has forced it (rules D6, R7).
    pub(crate) fn send_player_position(&mut self, now: f64) {
        if let Some(guid) = (Controls { world: self }).guid() {
            self.send_as_player(guid, |local, own| local.send_position(own, now));
        }
    }

    /// Ends autorun and sends a `MoveToState` after a teleport (rules D6, P7).
    #[doc(alias = "PlayerTeleported")]
    pub(crate) fn player_teleported(&mut self, now: f64) {
        let mut controls = Controls { world: self };
        controls.end_auto_run(now);
        controls.send_movement(now);
    }

    /// Gives control of the player to the server (rule K8).
    #[doc(alias = "LoseControlToServer")]
    pub(crate) fn lose_control_to_server(&mut self, now: f64) {
        let mut controls = Controls { world: self };
        if controls.autonomy() == 0 {
            return;
        }
        let keyboard = &mut controls.local().keyboard;
        keyboard.controlled_by_server = true;
        keyboard.auto_run = false;
        controls.local().ordered_movement = OrderedMovement::NONE;
        controls.finish_jump(now);
    }

    /// Takes skills, attributes, burden, stamina and enchantments from a message (rule K10).
    pub(crate) fn update_player_qualities(&mut self, message: &S2C<'_>, now: f64) {
        let player = self.player.guid();
        if !self.local.qualities.update(message, player) {
            return;
        }
        if let Some(weenie) = self.local.qualities.weenie() {
            Controls { world: self }.set_weenie(weenie, now);
        }
    }

    pub(super) fn player_state_mut(&mut self) -> &mut PlayerState {
        &mut self.player
    }
}

impl Controls<'_> {
    /// Runs the player's part of a client frame, after the tick and the messages (rule B1): announces the player's entry,
    /// reports its position when that is due, takes control back when keys are held and the server's movement is over, and
    /// starts queued requests.
    #[doc(alias = "UseTime")]
    pub fn use_time(&mut self, now: f64) {
        let now = self.world.accept_time(now);
        let Some(guid) = self.guid() else { return };
        self.check_body();
        if !self.local().has_entered && self.own().is_some_and(|own| own.body().is_in_cell()) {
            self.local().has_entered = true;
            self.send_movement(now);
        }
        if self.should_send_position(now) {
            self.world.send_as_player(guid, |local, own| local.send_position(own, now));
        }
        self.update_requests(now);
        self.send_ordered_movement(now);
        if self.may_retake_control() {
            self.take_control(now);
            // The original does not say so (rule K8).
            if self.world.announces_resumed_keys() {
                self.send_movement(now);
            }
        }
        // The result is reported by an event.
        let _ = self.send_held_attack(now);
        self.start_queued(now);
    }

    /// Returns `true` if the next [`use_time`](Self::use_time) has to report the position (rule K7). It then does so if
    /// the player stands at a valid position.
    #[doc(alias = "ShouldSendPositionEvent")]
    pub fn should_send_position(&self, now: f64) -> bool {
        let now = self.world.valid_time(now);
        let is_due = |own: &Resident| self.heartbeat().is_due(now, &own.body().into(), self.autonomy());
        self.check_active().is_ok() && self.own().is_some_and(is_due)
    }

    /// Starts a new body as the first one started: under the server's control, until held keys take it back (rules D12,
    /// K1).
    fn check_body(&mut self) {
        let body = self.own().map(Resident::id);
        if self.local().body != body {
            self.local().body = body;
            self.local().keyboard.controlled_by_server = true;
            self.local().jump_start = None;
            self.local().ordered_movement = OrderedMovement::NONE;
        }
    }

    /// Returns `true` once the server's movement is over, if any command is held (rules K8, Q9).
    fn may_retake_control(&self) -> bool {
        let keys = self.keyboard();
        let is_idle = |own: &Resident| !own.entity().interp.has_pending() && !own.entity().is_moving_to();
        keys.controlled_by_server
            && self.world.local.is_enabled
            && keys.is_any_held()
            && self.own().is_some_and(is_idle)
    }

    fn end_auto_run(&mut self, now: f64) {
        if std::mem::take(&mut self.local().keyboard.auto_run) && !self.keyboard().controlled_by_server {
            self.apply_current_movement(now);
        }
    }
}

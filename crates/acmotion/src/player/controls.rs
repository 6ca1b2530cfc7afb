//! Key events, and control taken from and lost to the server (rules K2–K6, K8, Q9).

use acmotion_types::{Guid, MotionCommand};
use acmotion_wire::{
    AutonomyLevel, DoMovementCommand, GameActionBody, HoldKey, MoveFlags, StopMovementCommand,
};

use super::keyboard::Bookkeeping;
use super::local::LocalPlayer;
use super::{CancelReason, Heartbeat, HeldCommand, KeyEffect, Keyboard, ListKind, RequestError};
use crate::World;
use crate::body::BodyFlags;
use crate::entity::Entity;
use crate::interp::{MovementParams, MovementRequest};
use crate::table::MotionError;
use crate::world::Resident;

/// The controls of the local player: see [`World::player_mut`].
///
/// Keys do what the keys of the original do: [`press`](Self::press), [`release`](Self::release), [`tap`](Self::tap),
/// the dedicated [run key](Self::set_hold_run), the [attack key](Self::begin_attack) and the [mouse](Self::mouse_turn).
/// Programs without keys make requests: [`walk_to`](Self::walk_to), [`turn_to`](Self::turn_to), [`follow`](Self::follow),
/// [`jump`](Self::jump), [`emote`](Self::emote), [`set_stance`](Self::set_stance), [`attack`](Self::attack),
/// [`cast`](Self::cast), [`use_object`](Self::use_object), [`use_with`](Self::use_with), [`drop_item`](Self::drop_item),
/// [`pick_up`](Self::pick_up), [`wield`](Self::wield). Each returns the [`RequestId`](super::RequestId) under which
/// [events](crate::world::EventKind::Request) report its progress, the last of them exactly once, and by which it can be
/// [cancelled](Self::cancel). Keys take precedence over requests to walk, turn and follow, and cancel attacks.
///
/// A user interface can read the [held commands](Self::keyboard) and the [jump power bar](Self::jump_power):
///
/// ```
/// # use acmotion::World;
/// # use acmotion::dat::Assets;
/// # use acmotion::types::{CellId, CellPosition, Guid, MotionCommand, Vec3};
/// # use acmotion::{Identity, Settings};
/// use acmotion::PlayerWeenie;
/// use acmotion::components::ListKind;
/// # let player = Guid(0x5000_0001);
/// # let settings = Settings { player: Identity::Known(player), ..Settings::default() };
/// # let mut world = World::with_settings(Assets::mannequin(), settings);
/// # world.add_stand_in(player, &CellPosition::at(CellId(0xA9B4_0001), Vec3::new(12.0, 12.0, 94.0)), 0.0);
///
/// let mut player = world.player_mut();
/// player.set_weenie(PlayerWeenie { jump_skill: 300, ..PlayerWeenie::default() }, 1.0);
/// player.press(MotionCommand::JUMP, 1.0)?;
/// player.press(MotionCommand::WALK_FORWARD, 1.2)?;
/// assert_eq!(player.jump_power(1.5), Some(0.5));
/// let held = player.keyboard().list(ListKind::Substate).head().unwrap();
/// assert_eq!(held.command, MotionCommand::WALK_FORWARD);
/// player.release(MotionCommand::JUMP, 1.6)?;
/// assert_eq!(player.jump_power(1.6), None, "the player has jumped");
/// # Ok::<(), acmotion::RequestError>(())
/// ```
pub struct Controls<'w> {
    pub(super) world: &'w mut World,
}

type RequestResult = Result<(), RequestError>;

/// What [`Controls::handle_key`] did.
///
/// ```
/// use acmotion::components::KeyEffect;
/// use acmotion::types::MotionCommand;
/// use acmotion::{Controls, KeyResponse};
///
/// /// Handles a key event of the window. Returns `true` if the user interface is to handle it instead.
/// fn on_key(mut player: Controls<'_>, command: MotionCommand, is_down: bool, now: f64) -> bool {
///     let KeyResponse { effect, result } = player.handle_key(command, is_down, now);
///     if let Err(why) = result {
///         println!("{command}: {why}");
///     }
///     effect == KeyEffect::Ignored
/// }
/// # use acmotion::{World, dat::Assets};
/// # let mut world = World::new(Assets::mannequin());
/// # assert!(on_key(world.player_mut(), MotionCommand::WALK_FORWARD, true, 0.0), "there is no player");
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct KeyResponse {
    /// The effect of the key event.
    pub effect: KeyEffect,
    /// Whether the motion was accepted, or why it was not.
    pub result: Result<(), RequestError>,
}

impl KeyResponse {
    fn ignored(error: RequestError) -> Self {
        Self { effect: KeyEffect::Ignored, result: Err(error) }
    }
}

impl Controls<'_> {
    /// Presses a key (rule K2).
    ///
    /// # Errors
    /// The reason why the motion was refused. The key is recorded and a `MoveToState` is sent all the same.
    pub fn press(&mut self, command: MotionCommand, now: f64) -> RequestResult {
        self.handle_key(command, true, now).result
    }

    /// Releases a key (rule K2).
    ///
    /// # Errors
    /// As [`press`](Self::press).
    pub fn release(&mut self, command: MotionCommand, now: f64) -> RequestResult {
        self.handle_key(command, false, now).result
    }

    /// Presses and releases a key.
    ///
    /// # Errors
    /// As [`press`](Self::press).
    pub fn tap(&mut self, command: MotionCommand, now: f64) -> RequestResult {
        let pressed = self.press(command, now);
        let released = self.release(command, now);
        pressed.and(released)
    }

    /// Handles a key event as the original's command interpreter does (rules K2, K3, R8): takes control from the server
    /// where that is due and possible, records the key, starts or stops a motion, and sends a `MoveToState`.
    pub fn handle_key(&mut self, command: MotionCommand, is_down: bool, now: f64) -> KeyResponse {
        let now = self.world.accept_time(now);
        match command {
            _ if !self.local().is_enabled => KeyResponse::ignored(RequestError::Disabled),
            MotionCommand::JUMP => {
                let result = if is_down { self.begin_jump(now) } else { self.end_jump(now) };
                KeyResponse { effect: KeyEffect::Jump, result }
            }
            _ => self.with_cause(CancelReason::Keys, now, |player| player.command(command, is_down, now)),
        }
    }

    /// Enables or disables the command interpreter (rule K1), which starts enabled. While it is disabled, keys and mouse
    /// turns are ignored, positions are not reported, and control is not taken back from the server (rules K2, K7, K8).
    /// Requests and `MoveToState` do not depend on it (rule K6).
    pub fn set_enabled(&mut self, is_enabled: bool) {
        self.local().is_enabled = is_enabled;
    }

    /// Presses or releases the dedicated run key, which sends nothing: the server learns of it with the next `MoveToState`
    /// (rule K2).
    #[doc(alias = "SetHoldRun")]
    pub fn set_hold_run(&mut self, is_held: bool, now: f64) {
        let now = self.world.accept_time(now);
        self.local().keyboard.hold_run = is_held;
        self.apply_hold_run(now);
    }

    /// Sets whether the player runs without the run key and walks with it (rule K5).
    pub fn set_run_by_default(&mut self, runs: bool, now: f64) {
        let now = self.world.accept_time(now);
        self.local().keyboard.run_by_default = runs;
        self.apply_hold_run(now);
    }

    /// Sets whether a key that is held while the server moves the player is announced when the player resumes it, such as after a
    /// stance change. The original does not announce it (rule K8), so that others learn of the motion only from positions
    /// until the next key. See [`Settings::announces_resumed_keys`](crate::Settings::announces_resumed_keys).
    pub fn set_announces_resumed_keys(&mut self, announces: bool) {
        self.world.set_announces_resumed_keys(announces);
    }

    /// Releases all keys, for when another window gets the keyboard: held commands, the run and sidestep keys, and the charge
    /// of a jump, which ends without a jump. A `MoveToState` reports it, unless the server controls the player (rule K6).
    /// Autorun continues (rule K5).
    #[doc(alias = "LoseKeyboardFocus")]
    #[doc(alias = "OnLoseFocus")]
    pub fn lose_focus(&mut self, now: f64) {
        let now = self.world.accept_time(now);
        if self.guid().is_none() {
            return;
        }
        self.with_cause(CancelReason::Keys, now, |player| {
            player.local().keyboard.release_all();
            player.apply_hold_run(now);
            player.finish_jump(now);
            if player.autonomy() != 0 && !player.keyboard().controlled_by_server {
                player.apply_current_movement(now);
                player.send_movement(now);
            }
        });
    }

    /// Sets the autonomy level, from 0 (only the server moves the player) to 2 (full autonomy), and sends it to the server
    /// (rules K1, K8).
    #[doc(alias = "SetAutonomyLevel")]
    pub fn set_autonomy(&mut self, level: u32) {
        let level = level.min(crate::gate::FULL_AUTONOMY);
        self.world.player_state_mut().autonomy = level;
        self.local().send(GameActionBody::AutonomyLevel(AutonomyLevel { level }));
    }

    /// Returns the held commands and switches.
    pub fn keyboard(&self) -> &Keyboard {
        &self.world.local.keyboard
    }

    /// Returns what the server was last sent about the player's position, and when.
    pub fn heartbeat(&self) -> &Heartbeat {
        &self.world.local.heartbeat
    }

    /// Returns the player's id if it has a body and [`World::player_mut`] has been called.
    pub(super) fn guid(&self) -> Option<Guid> {
        let guid = self.world.player().guid()?;
        (self.world.local.is_played && self.world.find(guid).is_some()).then_some(guid)
    }

    /// Returns an error unless there is a player and the command interpreter is enabled (rule K2).
    pub(super) fn check_active(&self) -> RequestResult {
        self.guid().ok_or(RequestError::NoPlayer)?;
        if self.world.local.is_enabled { Ok(()) } else { Err(RequestError::Disabled) }
    }

    pub(super) fn local(&mut self) -> &mut LocalPlayer {
        &mut self.world.local
    }

    pub(super) fn own(&self) -> Option<&Resident> {
        self.world.find(self.guid()?)
    }

    pub(super) fn is_dead(&self) -> bool {
        let dead = |entity: &Entity| entity.interp.interpreted.forward.command == MotionCommand::DEAD;
        self.own().is_some_and(|own| dead(own.entity()))
    }

    pub(super) fn autonomy(&self) -> u32 {
        self.world.player().autonomy
    }

    fn command(&mut self, command: MotionCommand, is_down: bool, now: f64) -> KeyResponse {
        if self.guid().is_none() {
            return KeyResponse::ignored(RequestError::NoPlayer);
        }
        if command == MotionCommand::AUTO_RUN || !command.is_ui() {
            self.abort_attack(CancelReason::Keys, now);
        }
        if self.keyboard().takes_control_on(command, is_down) {
            self.take_control(now);
        }
        let was_transient = self.keyboard().is_transient;
        let Bookkeeping { ends_auto_run, effect } = self.local().keyboard.command(command, is_down);
        if ends_auto_run {
            self.reapply_without_auto_run(command, was_transient, now);
        }
        let result = match effect {
            KeyEffect::Start(held) => self.start_motion(held, now),
            KeyEffect::Stop(command) => self.stop_motion(command, false, now),
            other => {
                self.apply_switch(other, now);
                Ok(())
            }
        };
        if effect.is_sent(self.is_standing_still()) {
            self.send_movement(now);
        }
        KeyResponse { effect, result }
    }

    /// Applies the held commands after a new forward command has ended autorun (rules K3, R8). A substate that no list
    /// keeps counts only afterwards.
    #[doc(alias = "HandleNewForwardMovement")]
    fn reapply_without_auto_run(&mut self, command: MotionCommand, was_transient: bool, now: f64) {
        let is_transient = self.keyboard().is_transient;
        if ListKind::of(command).is_none() {
            self.local().keyboard.is_transient = was_transient;
        }
        self.apply_current_movement(now);
        self.local().keyboard.is_transient = is_transient;
    }

    /// Applies the key effects that are switches.
    fn apply_switch(&mut self, effect: KeyEffect, now: f64) {
        match effect {
            KeyEffect::HoldRun => self.apply_hold_run(now),
            KeyEffect::HoldSidestep => self.apply_turns_and_sidesteps(now),
            KeyEffect::AutoRun => self.apply_auto_run(now),
            _ => {}
        }
    }

    fn is_standing_still(&self) -> bool {
        self.own().is_some_and(|own| own.entity().interp.is_standing_still(own.body()))
    }

    /// Sends a `MoveToState` with the raw state, changed or not (rule K6), and the movement of a request to walk or turn.
    /// Nothing is sent at autonomy level 0 or without a player.
    #[doc(alias = "SendMovementEvent")]
    pub fn send_movement(&mut self, now: f64) {
        let now = self.world.accept_time(now);
        self.local().ordered_movement = self.ordered_movement();
        if self.autonomy() == 0 {
            return;
        }
        let Some(guid) = self.guid() else { return };
        self.world.send_as_player(guid, |local, own| local.send_movement(own, now));
    }

    pub(super) fn apply_hold_run(&mut self, now: f64) {
        let runs = self.keyboard().is_running();
        if let Some(guid) = self.guid() {
            self.world.act(guid, now, |actor, _| actor.set_hold_run(runs, true));
        }
    }

    fn apply_auto_run(&mut self, now: f64) {
        let Keyboard { auto_run, auto_run_speed, .. } = *self.keyboard();
        let head = self.keyboard().list(ListKind::Substate).head();
        let forward = MotionCommand::WALK_FORWARD;
        let _ = match head {
            _ if auto_run => self
                .start_motion(HeldCommand { command: forward, speed: auto_run_speed, by_mouse: true }, now),
            Some(held) => self.start_motion(held, now),
            None => self.stop_motion(forward, true, now),
        };
    }

    /// Starts a motion (rule K4). An action first stops every other motion.
    #[doc(alias = "MovePlayer")]
    pub(super) fn start_motion(&mut self, held: HeldCommand, now: f64) -> RequestResult {
        let guid = self.guid().ok_or(RequestError::NoPlayer)?;
        if self.is_dead() {
            self.local().keyboard.clear();
            return Err(RequestError::Dead);
        }
        let HeldCommand { command, speed, by_mouse } = held;
        let hold_key = if by_mouse { HoldKey::RUN } else { HoldKey::INVALID };
        if self.autonomy() == 0 {
            let message = DoMovementCommand { motion: command, speed, hold_key };
            self.local().send(GameActionBody::DoMovementCommand(message));
            return Ok(());
        }
        if command.is_action() {
            self.stop_completely(now);
        }
        let mut params = MovementParams { speed, hold_key, ..MovementParams::default() };
        params.action_stamp = self.local().action_stamp;
        params.flags.insert(MoveFlags::AUTONOMOUS);
        params.flags.set(MoveFlags::SET_HOLD_KEY, !by_mouse);
        self.perform(guid, &MovementRequest::Do(command, params), now)?;
        if command.is_action() {
            let local = self.local();
            local.action_stamp = local.action_stamp.next();
        }
        Ok(())
    }

    /// Stops a motion (rule K4). It is not an error if the motion is not under way.
    pub(super) fn stop_motion(&mut self, command: MotionCommand, by_mouse: bool, now: f64) -> RequestResult {
        let guid = self.guid().ok_or(RequestError::NoPlayer)?;
        if self.is_dead() {
            self.local().keyboard.clear();
            return Err(RequestError::Dead);
        }
        let hold_key = if by_mouse { HoldKey::RUN } else { HoldKey::INVALID };
        if self.autonomy() == 0 {
            let message = StopMovementCommand { motion: command, hold_key };
            self.local().send(GameActionBody::StopMovementCommand(message));
            return Ok(());
        }
        let mut params = MovementParams { hold_key, ..MovementParams::default() };
        params.flags.set(MoveFlags::SET_HOLD_KEY, !by_mouse);
        match self.perform(guid, &MovementRequest::Stop(command, params), now) {
            Err(RequestError::Motion(MotionError::NoMotionData)) => Ok(()),
            result => result,
        }
    }

    /// Performs a request of the local command path, which makes the last movement autonomous (rule F8).
    fn perform(&mut self, guid: Guid, request: &MovementRequest, now: f64) -> RequestResult {
        let result = self.world.act(guid, now, |actor, _| {
            actor.entity.body.flags.insert(BodyFlags::AUTONOMOUS);
            actor.perform(request)
        });
        result.ok_or(RequestError::NoPlayer)?.map_err(RequestError::Motion)
    }

    /// Clears the held commands, stops every motion and sends a `MoveToState` (rule K4).
    #[doc(alias = "StopCompletely")]
    pub fn stop_completely(&mut self, now: f64) {
        let now = self.world.accept_time(now);
        self.with_cause(CancelReason::Keys, now, |player| {
            player.local().keyboard.clear();
            if let Some(guid) = player.guid() {
                let _ = player.perform(guid, &MovementRequest::StopCompletely, now);
                player.send_movement(now);
            }
        });
    }

    /// Takes control back from the server and applies the held commands (rule K8). Nothing happens if the player has
    /// control, is dead, or has no autonomy.
    #[doc(alias = "TakeControlFromServer")]
    pub fn take_control(&mut self, now: f64) {
        let now = self.world.accept_time(now);
        let Some(guid) = self.guid() else { return };
        if !self.keyboard().controlled_by_server || self.autonomy() == 0 || self.is_dead() {
            return;
        }
        self.with_cause(CancelReason::Keys, now, |player| {
            player.local().keyboard.controlled_by_server = false;
            let _ = player.perform(guid, &MovementRequest::StopCompletely, now);
            player.world.act(guid, now, |actor, _| actor.entity.correction.interpolation.stop());
            player.apply_hold_run(now);
            player.apply_current_movement(now);
        });
    }

    /// Applies the newest held command of each list, or stops that axis (rule K8).
    #[doc(alias = "ApplyCurrentMovement")]
    pub(super) fn apply_current_movement(&mut self, now: f64) {
        let keys = self.keyboard();
        let key = |command| HeldCommand { command, speed: 1.0, by_mouse: false };
        let auto_run =
            HeldCommand { speed: keys.auto_run_speed, by_mouse: true, ..key(MotionCommand::WALK_FORWARD) };
        let head = keys.list(ListKind::Substate).head();
        let moving = if keys.auto_run { Some(auto_run) } else { head };
        let ready = (!keys.is_transient).then_some(key(MotionCommand::READY));
        if let Some(held) = moving.or(ready) {
            let _ = self.start_motion(held, now);
        }
        self.apply_turns_and_sidesteps(now);
    }

    /// Applies the newest held turn and sidestep (rule K8). Turn keys that sidestep now stop turning.
    pub(super) fn apply_turns_and_sidesteps(&mut self, now: f64) {
        let keys = self.keyboard();
        let swaps = keys.swaps_turns();
        let substitute = |held: HeldCommand| match held.by_mouse {
            true => held,
            false => HeldCommand { command: keys.substituted(held.command), ..held },
        };
        let turn = keys.list(ListKind::Turn).head().map(substitute);
        let sidestep = keys.list(ListKind::Sidestep).head();
        let turns = turn.is_some_and(|held| held.by_mouse || !swaps);
        if !turns {
            let _ = self.stop_motion(MotionCommand::TURN_RIGHT, false, now);
        }
        if sidestep.is_none() && (turns || turn.is_none()) {
            let _ = self.stop_motion(MotionCommand::SIDE_STEP_RIGHT, false, now);
        }
        for held in [turn, sidestep].into_iter().flatten() {
            let _ = self.start_motion(held, now);
        }
    }
}

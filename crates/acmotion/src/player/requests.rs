//! Requests for programs without keys, such as bots: emotes, stances, walking and turning; and the mouse (rules K4, K5, K9,
//! P4). Each request has a [number](Controls::last_request), and [events](crate::world::EventKind::Request) report its
//! progress.

use std::sync::Arc;

use acmotion_types::MotionCommand;
use acmotion_wire::{ChangeCombatMode, CombatMode, GameActionBody};
use thiserror::Error;

use super::local::QueuedRequest;
use super::tracking::stands_firmly;
use super::{CancelReason, Controls, HeldCommand, ListKind, RequestId, RequestKind, RequestProgress};
use crate::collide::Surroundings;
use crate::entity::Actor;
use crate::interp::{PlayerWeenie, Weenie as _, mouse_turn};
use crate::steer::{Order, WalkGoal};
use crate::table::MotionError;
use crate::world::Resident;

/// The minimum time, in seconds, between two `MoveToState` messages of a mouse turn (rule K5).
const MIN_MOUSE_INTERVAL: f64 = 0.5;
/// The maximum number of requests that wait for the body.
const MAX_QUEUED: usize = 16;

/// Why a key press or a request was refused.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Error)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum RequestError {
    /// There is no local player, or it has no body.
    #[error("there is no player")]
    NoPlayer,
    /// The command interpreter is disabled: see [`Controls::set_enabled`].
    #[error("the controls are disabled")]
    Disabled,
    /// The player is dead.
    #[error("the player is dead")]
    Dead,
    /// The player is in portal space.
    #[error("the player is in portal space")]
    PortalSpace,
    /// Keys are held, and keys take precedence over requests to walk and turn.
    #[error("keys are held, and keys take precedence")]
    KeysHeld,
    /// The autonomy level is 0: the server moves the player (rule K1).
    #[error("the player has no autonomy: only the server moves it")]
    NoAutonomy,
    /// The command is not an action.
    #[error("the command is not an action")]
    NotAnAction,
    /// No jump is being charged.
    #[error("no jump is being charged")]
    NotCharged,
    /// The stance does not allow the attack or spell.
    #[error("the stance does not allow it")]
    WrongStance,
    /// There is no attack to cancel, and no attack key is held.
    #[error("there is no attack")]
    NotAttacking,
    /// The maximum number of requests is waiting for an answer from the server.
    #[error("too many requests are waiting for an answer from the server")]
    TooManyUnanswered,
    /// The maximum number of requests is waiting for the body.
    #[error("{MAX_QUEUED} requests are waiting for the body to be ready")]
    TooManyQueued,
    /// A position, heading, distance or time is not finite or negative, or there is no target.
    #[error("the target or one of the options is not valid")]
    InvalidTarget,
    /// There is no such entity.
    #[error("there is no such entity")]
    UnknownTarget,
    /// The request to be cancelled is over, or there never was one with that number.
    #[error("no such request is under way")]
    NotUnderWay,
    /// The body refused the motion.
    #[error(transparent)]
    Motion(MotionError),
}

impl Controls<'_> {
    /// Requests an action, such as an emote. Every other motion stops for it (rules K4, P4). In the air it waits until the
    /// player stands.
    ///
    /// # Errors
    /// The reason why the action is not played.
    pub fn emote(&mut self, action: MotionCommand, now: f64) -> Result<RequestId, RequestError> {
        let now = self.world.accept_time(now);
        let (id, kind) = (self.local().requests.next_id(), RequestKind::Emote(action));
        if !action.is_action() {
            return self.refuse(id, kind, RequestError::NotAnAction, now);
        }
        self.start_or_queue(QueuedRequest { id, kind, message: None }, now)
    }

    /// Asks the server for a stance, once no motion is pending and no swing of an attack is under way. The body changes
    /// when the answer arrives, and then the request is [done](super::RequestProgress::Done).
    ///
    /// # Errors
    /// The reason why the server is not asked.
    pub fn set_stance(&mut self, mode: CombatMode) -> Result<RequestId, RequestError> {
        let (id, kind) = (self.local().requests.next_id(), RequestKind::Stance(mode));
        let now = self.local().requests.last_update;
        self.start_or_queue(QueuedRequest { id, kind, message: None }, now)
    }

    /// Walks straight to a goal: to the ground under a position, up to the original's distance of 0.6 m, or as a
    /// [`WalkGoal`] says. [Events](crate::world::EventKind::Request) report the progress of the request, and
    /// [others](crate::entity::MotionEvent::MoveTo) report the stages of the walk. Any key ends it.
    ///
    /// A player that does not come half a metre nearer within five seconds, or within the goal's
    /// [patience](WalkGoal::patience), gives up: the last event is
    /// [`Cancelled`](RequestProgress::Cancelled) with [`CancelReason::Unreachable`], which says what was in the way.
    /// There is no search for a path around it.
    ///
    /// ```
    /// # use acmotion::dat::Assets;
    /// # use acmotion::types::{CellId, CellPosition, Guid, Vec3};
    /// # use acmotion::{Identity, Settings, World};
    /// use acmotion::{CancelReason, EventKind, RequestProgress, Unreachable, WalkGoal};
    /// # let player = Guid(0x5000_0001);
    /// # let settings = Settings { player: Identity::Known(player), ..Settings::default() };
    /// # let mut world = World::with_settings(Assets::mannequin(), settings);
    /// # let position = |x, y, z| CellPosition::at(CellId(0xA9B4_0001), Vec3::new(x, y, z));
    /// # world.add_stand_in(player, &position(6.0, 6.0, 94.0), 0.0);
    ///
    /// // The ground is at 94 m. Such a point cannot be reached unless the ground under it will do.
    /// let goal = WalkGoal::new(position(12.0, 12.0, 97.0)).at_exact_height();
    /// let walk = world.player_mut().walk_to(goal, 0.0)?;
    /// let mut end = None;
    /// for frame in 1..600 {
    ///     world.advance(f64::from(frame) / 30.0);
    ///     for event in world.drain_events() {
    ///         let EventKind::Request(step) = event.kind else { continue };
    ///         if step.id == walk && step.progress.is_last() {
    ///             end = Some(step.progress);
    ///         }
    ///     }
    /// }
    /// let no_progress = CancelReason::Unreachable(Unreachable::NoProgress);
    /// assert_eq!(end, Some(RequestProgress::Cancelled(no_progress)));
    /// # Ok::<(), acmotion::RequestError>(())
    /// ```
    ///
    /// The original has no such request. The server is sent what keys would have sent (rule K6): that the player turns,
    /// walks, runs or stands, whenever that changes, and its position as usual. Other clients therefore show it
    /// walking.
    ///
    /// # Errors
    /// The reason why the player does not walk.
    pub fn walk_to(&mut self, goal: impl Into<WalkGoal>, now: f64) -> Result<RequestId, RequestError> {
        let now = self.world.accept_time(now);
        let goal = goal.into();
        let checked = if goal.is_valid() { Ok(()) } else { Err(RequestError::InvalidTarget) };
        self.order(RequestKind::WalkTo, checked, now, |actor, surroundings| actor.walk_to(goal, surroundings))
    }

    /// Turns to a heading in degrees. Any key ends it. A player that cannot turn gives up after five seconds.
    ///
    /// # Errors
    /// The reason why the player does not turn.
    pub fn turn_to(&mut self, heading: f32, now: f64) -> Result<RequestId, RequestError> {
        let now = self.world.accept_time(now);
        let checked = if heading.is_finite() { Ok(()) } else { Err(RequestError::InvalidTarget) };
        let order = Order::turn_to_heading(heading);
        self.order(RequestKind::TurnTo, checked, now, |actor, _| actor.order(&order))
    }

    /// Switches mouse look on or off. While it is on, the mouse turns the player and turn keys sidestep (rule K4).
    pub fn set_mouse_look(&mut self, is_on: bool, now: f64) {
        let now = self.world.accept_time(now);
        if self.keyboard().mouse_look == is_on || self.check_active().is_err() {
            return;
        }
        if !is_on {
            self.mouse_turn(0.0, now);
        }
        self.local().keyboard.mouse_look = is_on;
        if self.keyboard().controlled_by_server {
            return;
        }
        self.with_cause(CancelReason::Keys, now, |player| {
            player.apply_turns_and_sidesteps(now);
            player.send_movement(now);
        });
    }

    /// Turns the player by a movement of the mouse: to the right, or to the left if it is negative (rule K5). The turn is a
    /// motion, and ends when the movement is too small.
    pub fn mouse_turn(&mut self, movement: f32, now: f64) {
        let now = self.world.accept_time(now);
        if self.check_active().is_err() || !self.keyboard().mouse_look {
            return;
        }
        let Some((command, speed)) = mouse_turn(movement) else { return self.end_mouse_turn(now) };
        let held = HeldCommand { command, speed, by_mouse: true };
        self.with_cause(CancelReason::Keys, now, |player| {
            player.take_control(now);
            player.local().keyboard.list_mut(ListKind::Turn).add(held);
            let _ = player.start_motion(held, now);
        });
        if now >= self.local().mouse_sent + MIN_MOUSE_INTERVAL {
            self.local().mouse_sent = now;
            self.send_movement(now);
        }
    }

    fn end_mouse_turn(&mut self, now: f64) {
        let turns = self.local().keyboard.list_mut(ListKind::Turn);
        let was_turning = turns.iter().any(|held| held.by_mouse);
        turns.remove_mouse();
        if was_turning && !self.keyboard().controlled_by_server {
            let _ = self.stop_motion(MotionCommand::TURN_RIGHT, true, now);
            self.send_movement(now);
        }
    }

    /// Sets the skills, load and stamina that running and jumping depend on (rule K10). Without stamina the player no
    /// longer runs faster than at skill 0 (rule F20).
    pub fn set_weenie(&mut self, player: PlayerWeenie, now: f64) {
        let now = self.world.accept_time(now);
        let rate = |weenie: Option<&dyn crate::interp::Weenie>| weenie.and_then(|weenie| weenie.run_rate());
        let before = self.own().and_then(|own| rate(own.entity().weenie()));
        self.world.set_player_weenie(Arc::new(player));
        let is_exhausted = player.stamina == 0 && before != player.run_rate();
        if let Some(guid) = self.guid().filter(|_| is_exhausted) {
            self.world.act(guid, now, |actor, _| actor.report_exhaustion());
        }
    }

    /// Starts the queued requests that the body is ready for, in order.
    pub(super) fn start_queued(&mut self, now: f64) {
        for _ in 0..self.local().queued.len() {
            let Some(request) = self.local().queued.pop_front() else { return };
            // The result is reported by an event.
            let _ = match self.check_free() {
                Ok(()) if !self.is_ready_for(request.kind) => return self.local().queued.push_front(request),
                Ok(()) => self.start(request, now),
                Err(error) => self.refuse(request.id, request.kind, error, now),
            };
        }
    }

    /// Starts a request now, or queues it until the body is ready.
    pub(super) fn start_or_queue(
        &mut self,
        request: QueuedRequest,
        now: f64,
    ) -> Result<RequestId, RequestError> {
        let QueuedRequest { id, kind, .. } = request;
        if let Err(error) = self.check_free() {
            return self.refuse(id, kind, error, now);
        }
        if self.is_ready_for(kind) && self.local().queued.is_empty() {
            return self.start(request, now).map(|()| id);
        }
        if self.local().queued.len() >= MAX_QUEUED {
            return self.refuse(id, kind, RequestError::TooManyQueued, now);
        }
        self.local().queued.push_back(request);
        self.emit(id, kind, RequestProgress::Queued, now);
        Ok(id)
    }

    /// Returns `true` if a request can start. The body must stand firmly, since a bounce off the ground would cut an
    /// action short. For a stance, no motion may be pending and no swing under way. An attack or a spell waits for a
    /// stance that was requested before it. If the server controls the player, which is then not stopped, an attack or
    /// a spell also waits until the player is idle, unless a swing is under way.
    fn is_ready_for(&self, kind: RequestKind) -> bool {
        let local = &self.world.local;
        let is_attacking = local.combat.is_in_progress();
        let is_ready = |own: &Resident| {
            let entity = own.entity();
            stands_firmly(own.body())
                && match kind {
                    RequestKind::Stance(_) => !entity.interp.has_pending() && !is_attacking,
                    RequestKind::Attack(_) | RequestKind::Cast { .. } => {
                        let is_idle = !entity.interp.has_pending() && !entity.is_moving_to();
                        let may_start = is_idle || is_attacking || !local.keyboard.controlled_by_server;
                        may_start && !local.requests.has_stance()
                    }
                    _ => true,
                }
        };
        self.own().is_some_and(is_ready)
    }

    fn start(&mut self, request: QueuedRequest, now: f64) -> Result<(), RequestError> {
        let QueuedRequest { id, kind, .. } = request;
        match kind {
            RequestKind::Attack(_) | RequestKind::Cast { .. } => {
                let started = self.check_unanswered().and_then(|()| self.start_attack(&request, now));
                if let Err(error) = started {
                    return self.refuse(id, kind, error, now);
                }
            }
            RequestKind::Stance(mode) => {
                if let Some(event) = self.local().requests.cancel_stance() {
                    self.world.emit_request(event, now);
                }
                self.local().send(GameActionBody::ChangeCombatMode(ChangeCombatMode { mode }));
            }
            RequestKind::Emote(action) => {
                let pressed = self.with_cause(CancelReason::Request, now, |player| player.press(action, now));
                if let Err(error) = pressed {
                    return self.refuse(id, kind, error, now);
                }
            }
            _ => {}
        }
        self.on_started(id, kind, now);
        Ok(())
    }

    /// Reports a request as started and tracks it. At autonomy level 0, a request that the server does not answer is
    /// done at once: asking the server is all that the client can do.
    pub(super) fn on_started(&mut self, id: RequestId, kind: RequestKind, now: f64) {
        self.emit(id, kind, RequestProgress::Started, now);
        if self.autonomy() == 0 && !matches!(kind, RequestKind::Stance(_)) && !kind.is_answered() {
            return self.emit(id, kind, RequestProgress::Done, now);
        }
        self.track(id, kind, now);
    }

    /// Returns an error if the player cannot act at all.
    pub(super) fn check_free(&self) -> Result<(), RequestError> {
        self.guid().ok_or(RequestError::NoPlayer)?;
        if self.is_dead() {
            return Err(RequestError::Dead);
        }
        if self.world.player().is_waiting_for_teleport() { Err(RequestError::PortalSpace) } else { Ok(()) }
    }

    /// Gives the body an order by `order`, unless the target is not `checked` or keys are held. The body reports when it has
    /// started.
    pub(super) fn order(
        &mut self,
        kind: RequestKind,
        checked: Result<(), RequestError>,
        now: f64,
        order: impl FnOnce(&mut Actor<'_>, &dyn Surroundings),
    ) -> Result<RequestId, RequestError> {
        let id = self.local().requests.next_id();
        let is_held = self.keyboard().is_any_held();
        let checked = match self.check_free().and(checked) {
            Err(error) => Err(error),
            Ok(()) if self.autonomy() == 0 => Err(RequestError::NoAutonomy),
            Ok(()) if is_held => Err(RequestError::KeysHeld),
            Ok(()) => self.guid().ok_or(RequestError::NoPlayer),
        };
        let guid = match checked {
            Ok(guid) => guid,
            Err(error) => return self.refuse(id, kind, error, now),
        };
        self.with_cause(CancelReason::Request, now, |player| {
            player.take_control(now);
            player.track(id, kind, now);
            player.world.act(guid, now, order);
        });
        self.send_ordered_movement(now);
        match self.local().requests.refuse_unstarted() {
            Some(event) => {
                self.world.emit_request(event, now);
                Err(RequestError::Motion(MotionError::Failed))
            }
            None => Ok(id),
        }
    }
}

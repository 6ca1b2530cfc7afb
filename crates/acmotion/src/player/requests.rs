//! What a bot asks for: emotes, stances, going and turning somewhere (rules K4, K9, P4). Each request has a
//! [number](Controls::last_request), and [events](crate::world::EventKind::Request) tell what becomes of it.

use std::sync::Arc;

use acmotion_types::{CellPosition, MotionCommand};
use acmotion_wire::{Action, ChangeCombatMode, CombatMode};
use thiserror::Error;

use super::local::Parked;
use super::tracking::stands_firmly;
use super::{CancelReason, Controls, Held, ListKind, RequestId, RequestKind, RequestProgress};
use crate::interp::{MovementParams, PlayerWeenie, Weenie as _, mouse_turn};
use crate::steer::Order;
use crate::table::MotionError;
use crate::world::Resident;

/// Turns by mouse are told at most so often, in seconds (rule K5).
const MOUSE_INTERVAL: f64 = 0.5;
/// How many requests may wait for the body.
const MAX_PARKED: usize = 16;

/// Why the player does not do what was asked.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Error)]
#[non_exhaustive]
pub enum RequestError {
    /// Nobody is there to do it.
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
    /// Keys are held, and keys win over orders.
    #[error("keys are held")]
    KeysHeld,
    /// The server drives the player: he may only ask (rule K1).
    #[error("the player has no autonomy")]
    NoAutonomy,
    /// It is no action.
    #[error("it is no action")]
    NotAnAction,
    /// No jump was being charged.
    #[error("no jump is being charged")]
    NotCharged,
    /// Too much waits for the body.
    #[error("too much waits for the body to be ready")]
    TooManyParked,
    /// The place or heading is none.
    #[error("that is nowhere")]
    Nowhere,
    /// The body refuses.
    #[error(transparent)]
    Motion(MotionError),
}

/// What became of a request that was not refused.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum RequestStatus {
    /// It is under way.
    Now,
    /// It waits until the body is ready.
    Parked,
}

impl Controls<'_> {
    /// An action, such as an emote: everything else stops for it (rules K4, P4). In the air it waits for the ground.
    ///
    /// # Errors
    /// Why it is not done.
    pub fn emote(&mut self, action: MotionCommand, now: f64) -> Result<RequestStatus, RequestError> {
        let (id, kind) = (self.local().tasks.number(), RequestKind::Emote(action));
        if !action.is_action() {
            return self.refuse(id, kind, RequestError::NotAnAction, now);
        }
        self.ask(Parked { id, kind }, now)
    }

    /// Asks the server for a stance; the body follows when the answer comes, and then it is
    /// [done](super::RequestProgress::Done). It waits until no motion is under way.
    ///
    /// # Errors
    /// Why it is not asked for.
    pub fn set_stance(&mut self, mode: CombatMode) -> Result<RequestStatus, RequestError> {
        let (id, kind) = (self.local().tasks.number(), RequestKind::Stance(mode));
        let now = self.local().tasks.clock;
        self.ask(Parked { id, kind }, now)
    }

    /// Goes to a place by himself; [events](crate::world::EventKind::Request) tell how it goes, the steps on the way
    /// [too](crate::entity::MotionEvent::MoveTo). Any key ends it.
    ///
    /// The original has no such request. The server is told what keys would have told it (rule K6): that he turns, walks
    /// or runs, and that he stands, each when it changes; and where he is, as always. So others see him walk.
    ///
    /// # Errors
    /// Why he does not go.
    pub fn walk_to(&mut self, place: &CellPosition, now: f64) -> Result<(), RequestError> {
        let order = Order::MoveToPosition { place: *place, params: MovementParams::default() };
        let is_place = place.frame.is_valid() && place.frame.origin.is_finite();
        self.order(RequestKind::WalkTo, is_place.then_some(order), now)
    }

    /// Turns to a heading in degrees by himself. Any key ends it.
    ///
    /// # Errors
    /// Why he does not turn.
    pub fn turn_to(&mut self, heading: f32, now: f64) -> Result<(), RequestError> {
        let desired_heading = heading.rem_euclid(360.0);
        let params = MovementParams { desired_heading, ..MovementParams::default() };
        let order = Order::TurnToHeading { params };
        self.order(RequestKind::TurnTo, heading.is_finite().then_some(order), now)
    }

    /// The mouse turns the player, or does not any more; turn keys are sidesteps meanwhile (rule K4).
    pub fn set_mouse_look(&mut self, turns: bool, now: f64) {
        if self.keyboard().mouse_look == turns || self.check_active().is_err() {
            return;
        }
        if !turns {
            self.mouse_turn(0.0, now);
        }
        self.local().keyboard.mouse_look = turns;
        if self.keyboard().controlled_by_server {
            return;
        }
        self.because(CancelReason::Keys, now, |player| {
            player.apply_turns_and_sidesteps(now);
            player.send_movement(now);
        });
    }

    /// A movement of the mouse to the right, or below zero to the left, turns the player by a motion (rule K5).
    pub fn mouse_turn(&mut self, movement: f32, now: f64) {
        if self.check_active().is_err() || !self.keyboard().mouse_look {
            return;
        }
        let Some((command, speed)) = mouse_turn(movement) else { return self.end_mouse_turn(now) };
        let held = Held { command, speed, by_mouse: true };
        self.because(CancelReason::Keys, now, |player| {
            player.take_control(now);
            player.local().keyboard.list_mut(ListKind::Turn).add(held);
            let _ = player.begin_motion(held, now);
        });
        if now >= self.local().mouse_told + MOUSE_INTERVAL {
            self.local().mouse_told = now;
            self.send_movement(now);
        }
    }

    fn end_mouse_turn(&mut self, now: f64) {
        let turns = self.local().keyboard.list_mut(ListKind::Turn);
        let was_turning = turns.iter().any(|held| held.by_mouse);
        turns.remove_mouse();
        if was_turning && !self.keyboard().controlled_by_server {
            let _ = self.end_motion(MotionCommand::TURN_RIGHT, true, now);
            self.send_movement(now);
        }
    }

    /// The numbers that running and jumping go by, set by hand (rule K10). With the last stamina goes the run (rule F20).
    pub fn set_weenie(&mut self, numbers: PlayerWeenie, now: f64) {
        let rate = |weenie: Option<&dyn crate::interp::Weenie>| weenie.and_then(|weenie| weenie.run_rate());
        let before = self.own().and_then(|own| rate(own.entity().weenie()));
        self.world.set_player_weenie(Arc::new(numbers));
        let is_tired = numbers.stamina == 0 && before != numbers.run_rate();
        if let Some(guid) = self.guid().filter(|_| is_tired) {
            self.world.act(guid, now, |actor, _| actor.report_exhaustion());
        }
    }

    /// What waited for the body is done once it is ready.
    pub(super) fn unpark(&mut self, now: f64) {
        for _ in 0..self.local().parked.len() {
            let Some(parked) = self.local().parked.pop_front() else { return };
            // The event tells what became of it.
            let _ = match self.is_free() {
                Ok(()) if !self.is_ready_for(parked.kind) => return self.local().parked.push_front(parked),
                Ok(()) => self.start(parked, now),
                Err(why) => self.refuse(parked.id, parked.kind, why, now),
            };
        }
    }

    /// An action or a stance is asked for: now, or when the body is ready.
    fn ask(&mut self, parked: Parked, now: f64) -> Result<RequestStatus, RequestError> {
        let Parked { id, kind } = parked;
        if let Err(why) = self.is_free() {
            return self.refuse(id, kind, why, now);
        }
        if self.is_ready_for(kind) && self.local().parked.is_empty() {
            return self.start(parked, now).map(|()| RequestStatus::Now);
        }
        if self.local().parked.len() >= MAX_PARKED {
            return self.refuse(id, kind, RequestError::TooManyParked, now);
        }
        self.local().parked.push_back(parked);
        self.tell(id, kind, RequestProgress::Parked, now);
        Ok(RequestStatus::Parked)
    }

    /// Actions need ground under a body that does not bounce off it again, which would cut them short; stances also that
    /// no motion is under way.
    fn is_ready_for(&self, kind: RequestKind) -> bool {
        let is_stance = matches!(kind, RequestKind::Stance(_));
        let is_ready =
            |own: &Resident| stands_firmly(own.body()) && !(is_stance && own.entity().interp.has_pending());
        self.own().is_some_and(is_ready)
    }

    fn start(&mut self, Parked { id, kind }: Parked, now: f64) -> Result<(), RequestError> {
        match kind {
            RequestKind::Stance(mode) => {
                if let Some(event) = self.local().tasks.supersede_stance() {
                    self.world.tell_request(event, now);
                }
                self.local().send(Action::ChangeCombatMode(ChangeCombatMode { mode }));
            }
            RequestKind::Emote(action) => {
                let pressed = self.because(CancelReason::Request, now, |player| player.press(action, now));
                if let Err(why) = pressed {
                    return self.refuse(id, kind, why, now);
                }
            }
            _ => {}
        }
        self.begun(id, kind, now);
        Ok(())
    }

    /// A request is under way. Without autonomy the server was asked, and that is all.
    pub(super) fn begun(&mut self, id: RequestId, kind: RequestKind, now: f64) {
        self.tell(id, kind, RequestProgress::Started, now);
        if self.autonomy() == 0 && !matches!(kind, RequestKind::Stance(_)) {
            return self.tell(id, kind, RequestProgress::Done, now);
        }
        self.follow(id, kind);
    }

    fn is_free(&self) -> Result<(), RequestError> {
        self.guid().ok_or(RequestError::NoPlayer)?;
        if self.is_dead() {
            return Err(RequestError::Dead);
        }
        if self.world.player().is_waiting_for_teleport() { Err(RequestError::PortalSpace) } else { Ok(()) }
    }

    /// Keys win over orders. That it was started is heard from the body.
    fn order(&mut self, kind: RequestKind, order: Option<Order>, now: f64) -> Result<(), RequestError> {
        let id = self.local().tasks.number();
        let is_held = self.keyboard().is_held();
        let checked = match (self.is_free(), order) {
            (Err(why), _) => Err(why),
            (Ok(()), None) => Err(RequestError::Nowhere),
            (Ok(()), Some(_)) if self.autonomy() == 0 => Err(RequestError::NoAutonomy),
            (Ok(()), Some(_)) if is_held => Err(RequestError::KeysHeld),
            (Ok(()), Some(order)) => self.guid().map(|guid| (guid, order)).ok_or(RequestError::NoPlayer),
        };
        let (guid, order) = match checked {
            Ok(order) => order,
            Err(why) => return self.refuse(id, kind, why, now),
        };
        self.because(CancelReason::Request, now, |player| {
            player.take_control(now);
            player.follow(id, kind);
            player.world.act(guid, now, |actor, _| actor.order(&order));
        });
        self.tell_own_way(now);
        match self.local().tasks.forget_unheard() {
            Some(event) => {
                self.world.tell_request(event, now);
                Err(RequestError::Motion(MotionError::Failed))
            }
            None => Ok(()),
        }
    }
}

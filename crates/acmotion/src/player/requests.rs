//! What a bot asks for: emotes, stances, going and turning somewhere (rules K4, K9, P4).

use std::sync::Arc;

use acmotion_types::{CellPosition, MotionCommand};
use acmotion_wire::{Action, ChangeCombatMode, CombatMode};
use thiserror::Error;

use super::local::Parked;
use super::{Controls, Held, ListKind};
use crate::interp::{MovementParams, PlayerWeenie, Weenie as _, mouse_turn};
use crate::steer::Order;
use crate::table::MotionError;

/// Turns by mouse are told at most so often, in seconds (rule K5).
const MOUSE_INTERVAL: f64 = 0.5;
/// How many requests may wait for the body.
const MOST_PARKED: usize = 16;

/// Why the player does not do what was asked.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Error)]
#[non_exhaustive]
pub enum Refusal {
    /// Nobody is there to do it.
    #[error("there is no player")]
    NoPlayer,
    /// The player is dead.
    #[error("the player is dead")]
    Dead,
    /// The player is in portal space.
    #[error("the player is in portal space")]
    PortalSpace,
    /// Keys are held, and keys win over orders.
    #[error("keys are held")]
    KeysHeld,
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
pub enum Taken {
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
    pub fn emote(&mut self, action: MotionCommand, now: f64) -> Result<Taken, Refusal> {
        if !action.is_action() {
            return Err(Refusal::NotAnAction);
        }
        self.is_free()?;
        if !self.own().is_some_and(|own| own.body().is_standing()) {
            return self.park(Parked::Emote(action));
        }
        self.press(action, now).map(|()| Taken::Now)
    }

    /// Asks the server for a stance; the body follows when the answer comes. It waits until no motion is under way.
    ///
    /// # Errors
    /// Why it is not asked for.
    pub fn set_stance(&mut self, mode: CombatMode) -> Result<Taken, Refusal> {
        self.is_free()?;
        if self.own().is_some_and(|own| own.entity().interp.has_pending() || !own.body().is_standing()) {
            return self.park(Parked::Stance(mode));
        }
        self.local().send(Action::ChangeCombatMode(ChangeCombatMode { mode }));
        Ok(Taken::Now)
    }

    /// Goes to a place by himself; the [events](crate::entity::EventKind::Steering) tell how it goes. Any key ends it.
    ///
    /// # Errors
    /// Why he does not go.
    pub fn walk_to(&mut self, place: &CellPosition, now: f64) -> Result<(), Refusal> {
        if !place.frame.is_valid() || !place.frame.origin.is_finite() {
            return Err(Refusal::Nowhere);
        }
        self.order(&Order::MoveToPosition { place: *place, params: MovementParams::default() }, now)
    }

    /// Turns to a heading in degrees by himself. Any key ends it.
    ///
    /// # Errors
    /// Why he does not turn.
    pub fn turn_to(&mut self, heading: f32, now: f64) -> Result<(), Refusal> {
        if !heading.is_finite() {
            return Err(Refusal::Nowhere);
        }
        let desired_heading = heading.rem_euclid(360.0);
        let params = MovementParams { desired_heading, ..MovementParams::default() };
        self.order(&Order::TurnToHeading { params }, now)
    }

    /// The mouse turns the player, or does not any more; turn keys are sidesteps meanwhile (rule K4).
    pub fn set_mouse_look(&mut self, turns: bool, now: f64) {
        if self.keyboard().mouse_look == turns || self.guid().is_none() {
            return;
        }
        if !turns {
            self.mouse_turn(0.0, now);
        }
        self.local().keyboard.mouse_look = turns;
        if self.keyboard().controlled_by_server {
            return;
        }
        self.apply_turns_and_sidesteps(now);
        self.send_movement(now);
    }

    /// A movement of the mouse to the right, or below zero to the left, turns the player by a motion (rule K5).
    pub fn mouse_turn(&mut self, movement: f32, now: f64) {
        if self.guid().is_none() || !self.keyboard().mouse_look {
            return;
        }
        let Some((command, speed)) = mouse_turn(movement) else { return self.end_mouse_turn(now) };
        self.take_control(now);
        let held = Held { command, speed, by_mouse: true };
        self.local().keyboard.list_mut(ListKind::Turn).add(held);
        let _ = self.begin_motion(held, now);
        if now >= self.local().mouse_told + MOUSE_INTERVAL {
            self.local().mouse_told = now;
            self.send_movement(now);
        }
    }

    fn end_mouse_turn(&mut self, now: f64) {
        let turns = self.local().keyboard.list_mut(ListKind::Turn);
        let was_turning = turns.iter().any(|held| held.by_mouse);
        turns.remove_mouse();
        if was_turning {
            let _ = self.end_motion(MotionCommand::TURN_RIGHT, true, now);
            self.send_movement(now);
        }
    }

    /// The numbers that running and jumping go by, set by hand (rule K10). With the last stamina goes the run (rule F20).
    pub fn set_numbers(&mut self, numbers: PlayerWeenie, now: f64) {
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
            let _ = match parked {
                Parked::Emote(action) => self.emote(action, now),
                Parked::Stance(mode) => self.set_stance(mode),
            };
        }
    }

    fn park(&mut self, parked: Parked) -> Result<Taken, Refusal> {
        let waiting = &mut self.local().parked;
        if waiting.len() >= MOST_PARKED {
            return Err(Refusal::TooManyParked);
        }
        waiting.push_back(parked);
        Ok(Taken::Parked)
    }

    fn is_free(&self) -> Result<(), Refusal> {
        self.guid().ok_or(Refusal::NoPlayer)?;
        if self.is_dead() {
            return Err(Refusal::Dead);
        }
        if self.world.player().is_waiting_for_teleport() { Err(Refusal::PortalSpace) } else { Ok(()) }
    }

    /// Keys win over orders.
    fn order(&mut self, order: &Order, now: f64) -> Result<(), Refusal> {
        self.is_free()?;
        if self.keyboard().is_held() {
            return Err(Refusal::KeysHeld);
        }
        self.take_control(now);
        let guid = self.guid().ok_or(Refusal::NoPlayer)?;
        self.world.act(guid, now, |actor, _| actor.order(order));
        Ok(())
    }
}

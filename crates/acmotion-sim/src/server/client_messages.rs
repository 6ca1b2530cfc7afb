//! What players tell the server (rules K6–K9), and what it makes of it.

use acmotion::interp::{self, Interpreter, RawState, Weenie};
use acmotion::types::{CellPosition, Era, Guid, MotionCommand};
use acmotion::wire::{
    self, Action, C2S, ContactFlags, EchoedStamps, Jump, MotionFlags, MoveToState, PhysicsState, decode_c2s,
};

use super::{Server, messages};
use crate::scenario::style_of;
use crate::view::ClientId;

/// Faster than this nobody jumps, in metres a second (rule C6).
const FASTEST: f32 = 50.0;

impl Server {
    /// A client tells something.
    pub(crate) fn hear(&mut self, client: ClientId, bytes: &[u8], now: f64) {
        let seat = self.seats.get(client.0).filter(|seat| seat.has_entered);
        let (Some(seat), Ok(C2S::GameAction(message))) = (seat, decode_c2s(bytes, Era::default())) else {
            self.ignored += 1;
            return;
        };
        let guid = seat.guid;
        if self.thing(guid).is_none_or(|thing| thing.is_dead) {
            self.ignored += 1;
            return;
        }
        match &message.action {
            Action::MoveToState(message) => self.hear_movement(guid, message, now),
            Action::AutonomousPosition(message) => {
                let stands = message.contact.get();
                if !self.is_stale(guid, &message.stamps) {
                    self.believe(guid, &message.position, stands, now);
                }
            }
            Action::Jump(message) => self.hear_jump(guid, message, now),
            Action::ChangeCombatMode(message) => self.impose_style(guid, style_of(message.mode), now),
            _ => self.ignored += 1,
        }
    }

    /// Was it sent before the client knew of its last teleport, or in another life? Then it does not count
    /// (`docs/wire.md` 5).
    fn is_stale(&mut self, guid: Guid, echoed: &EchoedStamps) -> bool {
        let is_stale = self.thing(guid).is_none_or(|thing| {
            let stamps = &thing.stamps;
            echoed.instance != stamps.instance
                || stamps.teleport.is_newer_than(echoed.teleport)
                || thing.is_between_places()
        });
        self.ignored += u64::from(is_stale);
        is_stale
    }

    /// Places are believed; one in the air is left to the server's own world.
    fn believe(&mut self, guid: Guid, place: &CellPosition, stands: bool, now: f64) {
        if stands {
            self.put(guid, place, now);
        }
    }

    /// Keys: what they ask for becomes what is done, and everybody is told at once (rules F2, F3).
    fn hear_movement(&mut self, guid: Guid, message: &MoveToState<'_>, now: f64) {
        if self.is_stale(guid, &message.stamps) {
            return;
        }
        self.believe(guid, &message.position, message.contact.contains(ContactFlags::CONTACT), now);
        let raw = RawState::from(&message.raw);
        let is_long_jump = message.contact.contains(ContactFlags::STANDING_LONG_JUMP);
        self.relay(guid, raw, is_long_jump, now);
    }

    /// Tells everybody what a player does by himself.
    fn relay(&mut self, guid: Guid, raw: RawState, is_long_jump: bool, now: f64) {
        let Some(seat) = self.seats.iter_mut().find(|seat| seat.guid == guid) else { return };
        let weenie = seat.weenie;
        seat.raw = raw.clone();
        let Some(thing) = self.thing(guid) else { return };
        let state = interpreted(raw, &weenie, thing.style);
        let mut actions = Vec::new();
        let mut movement = messages::interpreted(thing.style, state.to_wire(&mut actions), None);
        movement.flags.set(MotionFlags::STANDING_LONG_JUMP, is_long_jump);
        self.move_thing(guid, movement, true, now);
    }

    /// A jump: what he does is told again, and the velocity (rule K9), as in the recordings.
    fn hear_jump(&mut self, guid: Guid, jump: &Jump, now: f64) {
        if self.is_stale(guid, &jump.stamps) || !jump.velocity.is_finite() {
            return;
        }
        if let Some(place) = &jump.position {
            self.believe(guid, place, true, now);
        }
        let Some(raw) = self.seats.iter().find(|seat| seat.guid == guid).map(|seat| seat.raw.clone()) else {
            return;
        };
        self.relay(guid, raw, false, now);
        let Some(resident) = self.world.find(guid) else { return };
        let frame = jump.position.unwrap_or_else(|| resident.position()).frame;
        let velocity = frame.local_to_global_vec(jump.velocity);
        let speed = velocity.length();
        let most = if speed > FASTEST { FASTEST / speed } else { 1.0 };
        self.throw(guid, velocity * most, now);
    }

    /// The server changes a stance: that is its own movement, and whoever was running stands (recorded).
    pub(super) fn impose_style(&mut self, guid: Guid, style: MotionCommand, now: f64) {
        let Some(thing) = self.thing_mut(guid) else { return };
        thing.style = style;
        let state = wire::InterpretedState::default();
        self.move_thing(guid, messages::interpreted(style, state, None), false, now);
    }

    /// Kills somebody.
    pub(crate) fn kill(&mut self, guid: Guid, now: f64) {
        let Some(thing) = self.thing_mut(guid) else { return };
        thing.is_dead = true;
        let style = thing.style;
        let state = wire::InterpretedState {
            forward_command: Some(MotionCommand::DEAD),
            ..wire::InterpretedState::default()
        };
        self.move_thing(guid, messages::interpreted(style, state, None), false, now);
    }

    /// A teleport begins: the player is told that he is in portal space, everybody that he is hidden (rules D11, P7).
    pub(crate) fn teleport(&mut self, guid: Guid, to: CellPosition, now: f64) {
        let arrives = now + self.settings.portal_seconds;
        let Some(thing) = self.thing_mut(guid) else { return };
        thing.stamps.teleport = thing.stamps.teleport.next();
        thing.portal = Some((to, arrives));
        let (client, bytes) = (thing.client(), messages::player_teleport(thing));
        self.set_hidden(guid, true, now);
        if let Some(client) = client {
            self.write(client, &bytes.into(), true);
        }
    }

    /// Whoever has been in portal space long enough is where it leads.
    pub(super) fn end_portals(&mut self, now: f64) {
        for index in 0..self.things.len() {
            let thing = &mut self.things[index];
            let Some((place, _)) = thing.portal.take_if(|(_, arrives)| *arrives <= now) else { continue };
            let guid = thing.guid;
            self.put(guid, &place, now);
            self.tell_position(guid, now);
            self.set_hidden(guid, false, now);
        }
    }

    fn set_hidden(&mut self, guid: Guid, hidden: bool, now: f64) {
        self.change_state(guid, now, |state| state.set(PhysicsState::HIDDEN, hidden));
    }

    /// Changes what a thing is physically, and tells everybody (rule D11).
    pub(super) fn change_state(&mut self, guid: Guid, now: f64, change: impl FnOnce(&mut PhysicsState)) {
        let Some(thing) = self.thing_mut(guid) else { return };
        change(&mut thing.state);
        thing.stamps.state = thing.stamps.state.next();
        let message = messages::set_state(thing);
        let bytes = self.broadcast(guid, message);
        let _ = self.world.receive(&bytes, now);
    }
}

/// What is done for what keys ask for: each axis by its own hold key (rules F2, F8). The style is the server's.
fn interpreted(raw: RawState, weenie: &dyn Weenie, style: MotionCommand) -> interp::InterpretedState {
    let mut interpreter = Interpreter::default();
    interpreter.raw = raw;
    let axis = |axis: &interp::RawAxis| {
        if axis.command == MotionCommand::NONE {
            return interp::Axis { command: axis.command, speed: 1.0 };
        }
        let (command, speed) =
            interpreter.adjust_motion(Some(weenie), axis.command, axis.speed, axis.hold_key);
        interp::Axis { command, speed }
    };
    let raw = &interpreter.raw;
    let mut state = interp::InterpretedState::default();
    state.style = style;
    state.forward = axis(&raw.forward);
    state.sidestep = axis(&raw.sidestep);
    state.turn = axis(&raw.turn);
    raw.actions().for_each(|action| state.push_action(action));
    state
}

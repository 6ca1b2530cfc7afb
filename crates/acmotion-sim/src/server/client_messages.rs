//! Handles the messages of clients (rules K6–K9), and what the server does to players.

use acmotion::StampKind;
use acmotion::check::{ClientMotion, ClientMotionKind, interpreted, launch_velocity};
use acmotion::components::RawState;
use acmotion::types::{CellPosition, Era, Guid, MotionCommand, Vec3};
use acmotion::wire::{self, C2S, EchoedStamps, GameActionBody, MotionFlags, PhysicsState, decode_c2s};

use super::{Server, messages};
use crate::view::ClientId;

impl Server {
    /// Handles a message of a client.
    pub(crate) fn receive(&mut self, client: ClientId, bytes: &[u8], now: f64) {
        let connection = self.connections.get(client.0).filter(|connection| connection.has_entered);
        let message = decode_c2s(bytes, Era::default());
        let (Some(connection), Ok(C2S::GameAction(message))) = (connection, message) else {
            self.ignored += 1;
            return;
        };
        let guid = connection.guid;
        if self.object(guid).is_none_or(|object| object.is_dead) {
            self.ignored += 1;
            return;
        }
        match ClientMotion::new(&message.action) {
            Some(motion) if self.is_stale(guid, &motion.stamps) => {}
            Some(motion) => self.on_client_motion(guid, motion, now),
            None => match &message.action {
                GameActionBody::ChangeCombatMode(message) => {
                    self.set_style(guid, self.style_of(guid, message.mode), now);
                }
                GameActionBody::TargetedMeleeAttack(message) => {
                    self.on_attack(guid, message.target, message.height, message.power, now);
                }
                GameActionBody::TargetedMissileAttack(message) => {
                    self.on_attack(guid, message.target, message.height, message.accuracy, now);
                }
                GameActionBody::CancelAttack(_) => self.on_cancel_attack(guid),
                GameActionBody::CastTargetedSpell(message) => self.on_cast(guid, Some(message.target), now),
                GameActionBody::CastUntargetedSpell(_) => self.on_cast(guid, None, now),
                GameActionBody::Use(message) => self.on_use(guid, message.object, now),
                GameActionBody::PutItemInContainer(message) => self.on_pick_up(guid, message.item, now),
                GameActionBody::DropItem(message) => self.on_drop(guid, message.item, now),
                GameActionBody::GetAndWieldItem(message) => {
                    self.on_wield(guid, message.item, message.location, now);
                }
                _ => self.ignored += 1,
            },
        }
    }

    /// Moves a player as its client does.
    fn on_client_motion(&mut self, guid: Guid, motion: ClientMotion, now: f64) {
        let ClientMotion { position, has_contact, kind, .. } = motion;
        match kind {
            ClientMotionKind::Jump { velocity, .. } => self.on_jump(guid, velocity, position, now),
            ClientMotionKind::Position => self.accept_position(guid, position, has_contact, now),
            // Keys: the raw state becomes an interpreted one and is sent to all clients immediately (rules F2, F3).
            ClientMotionKind::State { raw, is_long_jump } => {
                self.accept_position(guid, position, has_contact, now);
                self.relay_motion(guid, raw, is_long_jump, now);
            }
        }
    }

    /// Returns `true`, and counts the message as ignored, if it was sent before the client received its last teleport, or
    /// for another instance of the player (`docs/wire.md` 5).
    fn is_stale(&mut self, guid: Guid, echoed: &EchoedStamps) -> bool {
        let known = self.object(guid).zip(self.world.find(guid));
        let is_stale = known.is_none_or(|(object, resident)| {
            let stamps = resident.stamps();
            echoed.instance != stamps.instance
                || stamps.teleport.is_newer_than(echoed.teleport)
                || object.is_in_portal_space()
        });
        self.ignored += u64::from(is_stale);
        is_stale
    }

    /// Moves a player to the position that its client reports. In the air the server's own world moves it instead.
    fn accept_position(&mut self, guid: Guid, position: Option<CellPosition>, has_contact: bool, now: f64) {
        if let Some(position) = position.filter(|_| has_contact) {
            self.set_position(guid, &position, now);
        }
    }

    /// Sends the motion of a player to all clients, as the player's own (autonomous).
    fn relay_motion(&mut self, guid: Guid, raw: RawState, is_long_jump: bool, now: f64) {
        let connection = self.connections.iter_mut().find(|connection| connection.guid == guid);
        let Some(connection) = connection else { return };
        let weenie = connection.weenie;
        connection.raw = raw.clone();
        let Some(object) = self.object(guid) else { return };
        let state = interpreted(raw, &weenie, object.style);
        let mut actions = Vec::new();
        let mut movement = messages::interpreted(object.style, state.to_wire(&mut actions), None);
        movement.flags.set(MotionFlags::STANDING_LONG_JUMP, is_long_jump);
        self.set_movement(guid, movement, true, now);
    }

    /// Handles a jump: sends the player's motion again, then its velocity (rule K9), as in the recordings.
    fn on_jump(&mut self, guid: Guid, velocity: Vec3, position: Option<CellPosition>, now: f64) {
        let Some(resident) = self.world.find(guid) else { return };
        let frame = position.unwrap_or_else(|| resident.position()).frame;
        let Some(velocity) = launch_velocity(velocity, &frame) else { return };
        self.accept_position(guid, position, true, now);
        let connection = self.connections.iter().find(|connection| connection.guid == guid);
        let Some(raw) = connection.map(|connection| connection.raw.clone()) else { return };
        self.relay_motion(guid, raw, false, now);
        self.set_velocity(guid, velocity, now);
    }

    /// Sets a stance. This is a movement of the server itself, so that a running player stops (recorded).
    pub(super) fn set_style(&mut self, guid: Guid, style: MotionCommand, now: f64) {
        let Some(object) = self.object_mut(guid) else { return };
        object.style = style;
        let state = wire::InterpretedState::default();
        self.set_movement(guid, messages::interpreted(style, state, None), false, now);
        self.update_items(guid, now);
    }

    /// Kills a player or a creature.
    pub(crate) fn kill(&mut self, guid: Guid, now: f64) {
        let Some(object) = self.object_mut(guid) else { return };
        object.is_dead = true;
        let style = object.style;
        let state = wire::InterpretedState {
            forward_command: Some(MotionCommand::DEAD),
            ..wire::InterpretedState::default()
        };
        self.set_movement(guid, messages::interpreted(style, state, None), false, now);
    }

    /// Starts a teleport: the player's client is notified, and the player is hidden for all clients until it arrives
    /// (rules D11, P7).
    pub(crate) fn teleport(&mut self, guid: Guid, to: CellPosition, now: f64) {
        let arrives = now + self.settings.portal_seconds;
        let message = self.world.id_of(guid).and_then(|id| self.world.begin_teleport(id));
        let (Some(object), Some(message)) = (self.object_mut(guid), message) else { return };
        object.portal = Some((to, arrives));
        let client = object.client();
        self.set_hidden(guid, true, now);
        if let Some(client) = client {
            self.send(client, &messages::encoded(message).into(), true);
        }
    }

    /// Ends the teleports that are due: places the players at their destinations.
    pub(super) fn end_portals(&mut self, now: f64) {
        for index in 0..self.objects.len() {
            let object = &mut self.objects[index];
            let Some((position, _)) = object.portal.take_if(|(_, arrives)| *arrives <= now) else { continue };
            let guid = object.guid;
            let Some(id) = self.world.id_of(guid) else { continue };
            if self.world.end_teleport(id, &position, now).is_err() {
                // It stays where it was, and its client must know.
                self.world.next_stamp(id, StampKind::Position);
            }
            self.send_described_position(guid, now);
            self.set_hidden(guid, false, now);
        }
    }

    /// Hides an object or shows it again. One that is shown collides again (rule C19).
    fn set_hidden(&mut self, guid: Guid, hidden: bool, now: f64) {
        self.change_state(guid, now, |state| {
            state.set(PhysicsState::HIDDEN, hidden);
            if !hidden {
                state.remove(PhysicsState::IGNORE_COLLISIONS);
                state.insert(PhysicsState::REPORT_COLLISIONS);
            }
        });
    }

    /// Changes the physics state of an object, in the server's own world and for all clients (rule D11).
    pub(super) fn change_state(&mut self, guid: Guid, now: f64, change: impl FnOnce(&mut PhysicsState)) {
        let Some(resident) = self.world.find(guid) else { return };
        let (id, mut state) = (resident.id(), resident.body().state);
        change(&mut state);
        if let Some(message) = self.world.set_state(id, state, now) {
            self.broadcast(guid, message);
        }
    }
}

//! Changes to the population of a running simulation, and messages that nothing in it has sent.

use std::sync::Arc;

use acmotion::types::Guid;
use acmotion::wire::Direction;

use crate::scenario::{CreatureSpec, LocalPosition};
use crate::server::creature_guid;
use crate::simulation::Simulation;
use crate::view::ClientId;

impl Simulation {
    /// Lets the player of a client enter the world at a position, if it is not there: before its time in the scenario, or
    /// after it has [left](Self::leave). It is then another instance of the player. Returns `false` if it cannot.
    pub fn enter(&mut self, client: ClientId, position: LocalPosition) -> bool {
        let now = self.now();
        let Some(entering) = self.clients.get_mut(client.0) else { return false };
        if entering.has_entered && !entering.has_left {
            return false;
        }
        entering.spec.position = position;
        if !self.server.enter(client, &entering.spec, now) {
            return false;
        }
        (entering.has_entered, entering.has_left) = (true, false);
        true
    }

    /// Removes the player of a client from the world. The client loses its world and all messages in flight, and runs no
    /// frames until its player [enters](Self::enter) again. Returns `false` if its player is not in the world.
    pub fn leave(&mut self, client: ClientId) -> bool {
        let now = self.now();
        if !self.server.leave(client, now) {
            return false;
        }
        if let Some(leaving) = self.clients.get_mut(client.0) {
            leaving.leave(self.new_world.clone());
        }
        true
    }

    /// Adds a creature, and returns its id; `None` if it cannot be placed. The orders of the specification are not used:
    /// give them with [`order`](Self::order).
    pub fn add_creature(&mut self, spec: &CreatureSpec) -> Option<Guid> {
        let guid = creature_guid(self.next_creature);
        let now = self.now();
        if !self.server.add_creature(spec, guid, now) {
            return None;
        }
        self.next_creature += 1;
        self.new_world.preload(spec.kind.setup(), Some(spec.kind.motion_table()));
        Some(guid)
    }

    /// Removes a creature. Returns `false` if there is no such creature.
    pub fn remove_creature(&mut self, guid: Guid) -> bool {
        let now = self.now();
        let is_creature = self.server.object(guid).is_some_and(|object| object.client().is_none());
        is_creature && self.server.remove(guid, now)
    }

    /// Adds a message to a client's connection that neither end has sent: it comes from the client or, with
    /// [`Direction::S2C`], goes to it. Returns `false` if there is no such client.
    pub fn inject(&mut self, client: ClientId, direction: Direction, bytes: Arc<[u8]>) -> bool {
        let now = self.now();
        let Some(client) = self.clients.get_mut(client.0) else { return false };
        let link = match direction {
            Direction::S2C => &mut client.down,
            Direction::C2S => &mut client.up,
        };
        link.inject(bytes, now);
        true
    }
}

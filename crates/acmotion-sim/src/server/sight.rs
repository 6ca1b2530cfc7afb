//! Which objects a client is sent, and the removal of objects.

use acmotion::components::RawState;
use acmotion::types::{CellPosition, Guid};

use super::{Server, messages};
use crate::view::ClientId;

/// The time, in seconds, from one look at what is near the clients to the next.
const SIGHT_INTERVAL: f64 = 0.5;
/// The factor by which an object must be farther away than the view distance to be deleted from a client.
const FORGET_FACTOR: f32 = 1.2;

impl Server {
    /// Sends each client the objects that have come near it, and deletes those that are far away, if the view distance is
    /// limited.
    pub(super) fn update_sight(&mut self, now: f64) {
        let Some(view_distance) = self.settings.view_distance else { return };
        if now < self.sight_due {
            return;
        }
        self.sight_due = now + SIGHT_INTERVAL;
        let seen = self.objects.iter().filter(|object| object.is_seen());
        let seen: Vec<(Guid, CellPosition)> =
            seen.filter_map(|object| Some((object.guid, self.world.find(object.guid)?.position()))).collect();
        for index in 0..self.connections.len() {
            let own = self.connections[index].guid;
            let position = self.world.find(own).map(|resident| resident.position());
            let Some(position) = position.filter(|_| self.connections[index].has_entered) else { continue };
            for (guid, other) in seen.iter().filter(|(guid, _)| *guid != own) {
                let distance = position.distance_to(other);
                let is_known = self.connections[index].known.contains(guid);
                if !is_known && distance <= view_distance {
                    self.connections[index].known.insert(*guid);
                    self.send_create(ClientId(index), *guid);
                } else if is_known && distance > view_distance * FORGET_FACTOR {
                    self.connections[index].known.remove(guid);
                    self.send_delete(ClientId(index), *guid);
                }
            }
        }
    }

    /// Removes the player of a client, which is sent nothing more. Returns `false` if it is not in the world.
    pub(crate) fn leave(&mut self, client: ClientId, now: f64) -> bool {
        let connection = self.connections.get_mut(client.0).filter(|connection| connection.has_entered);
        let Some(connection) = connection else { return false };
        connection.has_entered = false;
        connection.raw = RawState::default();
        connection.known.clear();
        let guid = connection.guid;
        self.send_queue.retain(|message| message.to != client);
        self.remove(guid, now)
    }

    /// Removes an object and what it has, here and from the clients that have it. Returns `false` if there is none.
    pub(crate) fn remove(&mut self, guid: Guid, now: f64) -> bool {
        let Some(index) = self.indices.get(&guid).copied() else { return false };
        for client in self.recipients(guid).collect::<Vec<_>>() {
            self.send_delete(client, guid);
        }
        for connection in &mut self.connections {
            connection.known.remove(&guid);
        }
        let items = self.items_of(Some(guid));
        for item in &items {
            self.items.remove(item);
        }
        for guid in items.into_iter().chain([guid]) {
            if let Some(id) = self.world.id_of(guid) {
                self.world.despawn(id, now);
            }
        }
        self.objects.remove(index);
        self.indices = self.objects.iter().enumerate().map(|(index, object)| (object.guid, index)).collect();
        true
    }

    /// Deletes an object and what it has from a client.
    fn send_delete(&mut self, client: ClientId, guid: Guid) {
        for guid in self.items_of(Some(guid)).into_iter().chain([guid]) {
            let id = self.world.id_of(guid);
            if let Some(message) = id.and_then(|id| self.world.describe_delete(id)) {
                self.send(client, &messages::encoded(message).into(), true);
            }
        }
    }
}

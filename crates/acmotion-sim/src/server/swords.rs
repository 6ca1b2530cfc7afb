//! The swords of players: in the hand in `SwordCombat`, put away otherwise (rule D11).

use std::sync::Arc;

use acmotion::dat::mannequin;
use acmotion::types::{Guid, MotionCommand};
use acmotion::wire::PhysicsState;
use acmotion::{Description, EntitySpec, HeldBy};

use super::object::FIRST_STAMPS;
use super::{FIRST_SWORD, Server, messages, player_guid};
use crate::view::ClientId;

/// The holding location of the right hand, and the placement of a weapon in it in combat (`docs/dat.md` §4).
const RIGHT_HAND: u32 = 1;
const RIGHT_HAND_COMBAT: u32 = 1;
/// The item type of melee weapons.
const MELEE_WEAPON: u32 = 1;

/// The sword of a player.
#[derive(Clone)]
pub(super) struct Sword {
    guid: Guid,
    is_in_hand: bool,
}

impl Sword {
    const NAME: &str = "Sword";

    pub(super) fn guid(&self) -> Guid {
        self.guid
    }

    /// What the sword is made of: put away, but placed for the hand.
    fn spec(&self) -> EntitySpec {
        EntitySpec {
            state: PhysicsState::GRAVITY | PhysicsState::ETHEREAL | PhysicsState::IGNORE_COLLISIONS,
            placement: RIGHT_HAND_COMBAT,
            stamps: FIRST_STAMPS,
            ..EntitySpec::item(self.guid, mannequin::SWORD_SETUP)
        }
    }
}

impl Server {
    /// Returns the entity that an item belongs to; `None` if it is not an item.
    pub fn owner_of(&self, item: Guid) -> Option<Guid> {
        let index = item.0.checked_sub(FIRST_SWORD)?;
        let owner = player_guid(index as usize);
        self.swords.contains_key(&owner).then_some(owner)
    }

    /// Returns the name of an item; `None` if it is not one.
    pub fn item_name(&self, item: Guid) -> Option<&str> {
        self.owner_of(item).map(|_| Sword::NAME)
    }

    /// Gives a player of the server's world a sword, which is put away. Clients are not notified.
    pub(super) fn add_sword(&mut self, owner: Guid, guid: Guid, now: f64) {
        let sword = Sword { guid, is_in_hand: false };
        if self.world.spawn(&sword.spec(), now).is_ok() {
            self.swords.insert(owner, sword);
        }
    }

    /// Sends a client the sword of a player, if it has one.
    pub(super) fn send_create_sword(&mut self, client: ClientId, owner: Guid) {
        let sword = self.swords.get(&owner);
        let id = sword.and_then(|sword| self.world.id_of(sword.guid));
        let Some(description) = id.and_then(|id| self.world.describe(id)) else { return };
        self.send_description(
            client,
            &Description { item_type: MELEE_WEAPON, ..description.named(Sword::NAME) },
        );
    }

    /// Returns `true` if a player has a sword.
    pub(super) fn has_sword(&self, owner: Guid) -> bool {
        self.swords.contains_key(&owner)
    }

    /// Puts the sword of a player into its hand or away, as its stance requires, in the server's own world and for all
    /// clients.
    pub(super) fn update_sword(&mut self, owner: Guid, now: f64) {
        let Some(object) = self.object(owner) else { return };
        let is_needed = object.style == MotionCommand::SWORD_COMBAT;
        let sword = self.swords.get_mut(&owner);
        let Some(sword) = sword.filter(|sword| sword.is_in_hand != is_needed) else { return };
        let Some(id) = self.world.id_of(sword.guid) else { return };
        let in_hand = HeldBy { parent: owner, location: RIGHT_HAND };
        let bytes = if is_needed {
            let held = self.world.set_parent(id, in_hand, RIGHT_HAND_COMBAT, now);
            held.ok().and_then(|()| self.world.describe_parent(id)).map(messages::encoded)
        } else {
            self.world.pick_up(id, now);
            self.world.describe_pickup(id).map(messages::encoded)
        };
        let Some(bytes) = bytes else { return };
        sword.is_in_hand = is_needed;
        let bytes: Arc<[u8]> = bytes.into();
        for client in self.recipients(owner).collect::<Vec<_>>() {
            self.send(client, &bytes, true);
        }
    }
}

//! The swords of players: in the hand in `SwordCombat`, put away otherwise (rule D11).

use std::sync::Arc;

use acmotion::dat::mannequin;
use acmotion::types::{Guid, MotionCommand, Stamp};
use acmotion::wire::{Attachment, ObjectStamps, ParentEvent, PhysicsDesc, PhysicsState, PickupEvent};

use super::{Server, messages};
use crate::view::ClientId;

/// The holding location of the right hand, and the placement of a weapon in it in combat (`docs/dat.md` §4).
const RIGHT_HAND: u32 = 1;
const RIGHT_HAND_COMBAT: u32 = 1;
/// The item type of melee weapons.
const MELEE_WEAPON: u32 = 1;

/// The sword of a player.
pub(super) struct Sword {
    guid: Guid,
    owner: Guid,
    stamps: ObjectStamps,
    is_in_hand: bool,
}

impl Sword {
    const NAME: &str = "Sword";

    /// Builds the `CreateObject` of the sword: in the hand of its owner, or nowhere.
    fn create(&self) -> Vec<u8> {
        let hand = Attachment { guid: self.owner, location: RIGHT_HAND };
        let physics = PhysicsDesc {
            state: PhysicsState::GRAVITY | PhysicsState::ETHEREAL | PhysicsState::IGNORE_COLLISIONS,
            setup: Some(mannequin::SWORD_SETUP.0),
            parent: self.is_in_hand.then_some(hand),
            placement: Some(RIGHT_HAND_COMBAT),
            stamps: self.stamps,
            ..PhysicsDesc::default()
        };
        messages::create_item(self.guid, Self::NAME, MELEE_WEAPON, physics)
    }
}

impl Server {
    /// Returns the entity that an item belongs to; `None` if it is not an item.
    pub fn owner_of(&self, item: Guid) -> Option<Guid> {
        self.swords.iter().find(|sword| sword.guid == item).map(|sword| sword.owner)
    }

    /// Returns the name of an item; `None` if it is not one.
    pub fn item_name(&self, item: Guid) -> Option<&str> {
        self.owner_of(item).map(|_| Sword::NAME)
    }

    /// Gives a player of the server's world a sword, which is put away. Clients are not notified.
    pub(super) fn add_sword(&mut self, owner: Guid, guid: Guid, now: f64) {
        let stamps = ObjectStamps { instance: Stamp(1), ..ObjectStamps::default() };
        let sword = Sword { guid, owner, stamps, is_in_hand: false };
        // What was just encoded can be decoded.
        let _ = self.world.receive(&sword.create(), now);
        self.swords.push(sword);
    }

    /// Sends a client the sword of a player, if it has one.
    pub(super) fn send_create_sword(&mut self, client: ClientId, owner: Guid) {
        if let Some(sword) = self.swords.iter().find(|sword| sword.owner == owner) {
            let bytes: Arc<[u8]> = sword.create().into();
            self.send(client, &bytes, true);
        }
    }

    /// Returns `true` if a player has a sword.
    pub(super) fn has_sword(&self, owner: Guid) -> bool {
        self.swords.iter().any(|sword| sword.owner == owner)
    }

    /// Puts the sword of a player into its hand or away, as its stance requires, in the server's own world and for all
    /// clients.
    pub(super) fn update_sword(&mut self, owner: Guid, now: f64) {
        let Some(object) = self.object(owner) else { return };
        let (parent_instance, is_needed) =
            (object.stamps.instance, object.style == MotionCommand::SWORD_COMBAT);
        let sword = self.swords.iter_mut().find(|sword| sword.owner == owner);
        let Some(sword) = sword.filter(|sword| sword.is_in_hand != is_needed) else { return };
        sword.is_in_hand = is_needed;
        sword.stamps.position = sword.stamps.position.next();
        let (guid, position) = (sword.guid, sword.stamps.position);
        let bytes: Arc<[u8]> = if is_needed {
            messages::encoded(ParentEvent {
                parent: owner,
                child: guid,
                location: RIGHT_HAND,
                placement: RIGHT_HAND_COMBAT,
                parent_instance,
                child_position: position,
            })
        } else {
            messages::encoded(PickupEvent { guid, instance: sword.stamps.instance, position })
        }
        .into();
        let _ = self.world.receive(&bytes, now);
        for client in self.recipients(owner).collect::<Vec<_>>() {
            self.send(client, &bytes, true);
        }
    }
}

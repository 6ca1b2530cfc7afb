//! Items: on the ground, in the packs of players, or wielded and in the hand if the stance uses them (rule D11).

use std::sync::Arc;

use acmotion::types::{CellPosition, Guid, MotionCommand};
use acmotion::wire::{
    CombatMode, GameEventBody, InventoryPutObjIn3D, InventoryPutObjInContainer, PhysicsState, WieldItem,
};
use acmotion::{Description, EntitySpec, HeldBy};

use super::combat::PlayerAction;
use super::object::FIRST_STAMPS;
use super::{Server, messages};
use crate::scenario::{ItemKind, ItemSpec, style_of};
use crate::view::ClientId;

/// The placement of an item on the ground (`docs/dat.md` §4).
const RESTING: u32 = 0x65;
/// The distance from the centre of an item, in metres, up to which it can be picked up.
const PICK_UP_RANGE: f32 = 1.3;
/// How far in front of a player an item is dropped, in metres.
const DROP_DISTANCE: f32 = 0.7;

/// An item.
#[derive(Clone, PartialEq, Debug)]
pub struct Item {
    /// Its id.
    pub guid: Guid,
    /// Its name.
    pub name: String,
    /// Its kind.
    pub kind: ItemKind,
    /// The player that has it; `None` on the ground.
    pub owner: Option<Guid>,
    /// Whether its owner wields it.
    pub is_wielded: bool,
    /// Whether it is in the hand or on the arm.
    is_in_hand: bool,
}

impl Item {
    /// An item that a player wields, but does not hold yet.
    pub(super) fn wielded(guid: Guid, kind: ItemKind, owner: Guid) -> Self {
        let name = String::from(kind.name());
        Self { guid, name, kind, owner: Some(owner), is_wielded: true, is_in_hand: false }
    }

    /// What the item is made of. In a pack, it is placed for the hand.
    fn spec(&self, position: Option<CellPosition>) -> EntitySpec {
        EntitySpec {
            state: PhysicsState::GRAVITY | PhysicsState::ETHEREAL | PhysicsState::IGNORE_COLLISIONS,
            placement: if position.is_some() { RESTING } else { self.kind.placement() },
            position,
            stamps: FIRST_STAMPS,
            ..EntitySpec::item(self.guid, self.kind.setup())
        }
    }
}

impl Server {
    /// Returns all items, in the order of their ids.
    pub fn items(&self) -> impl Iterator<Item = &Item> {
        self.items.values()
    }

    /// Returns the player that has an item; `None` if it is on the ground, or not an item.
    pub fn owner_of(&self, item: Guid) -> Option<Guid> {
        self.items.get(&item)?.owner
    }

    /// Returns the name of an item or a missile; `None` if it is neither.
    pub fn item_name(&self, guid: Guid) -> Option<&str> {
        let item = self.items.get(&guid).map(|item| item.name.as_str());
        item.or_else(|| self.missile_name(guid))
    }

    /// Adds an item to the server's world. Clients are not notified. Returns `false` if it cannot be placed.
    pub(super) fn add_item(&mut self, item: Item, position: Option<CellPosition>, now: f64) -> bool {
        let is_placed = self.world.spawn(&item.spec(position), now).is_ok();
        if is_placed {
            self.items.insert(item.guid, item);
        }
        is_placed
    }

    /// Adds an item on the ground. Returns `false` if it cannot be placed.
    pub(crate) fn add_ground_item(&mut self, spec: &ItemSpec, guid: Guid, now: f64) -> bool {
        let item = Item {
            guid,
            name: spec.name.clone(),
            kind: spec.kind,
            owner: None,
            is_wielded: false,
            is_in_hand: false,
        };
        let position = self.resolve(&spec.position);
        position.is_some() && self.add_item(item, position, now)
    }

    /// Returns the ids of the items that a player has, or of those on the ground.
    pub(super) fn items_of(&self, owner: Option<Guid>) -> Vec<Guid> {
        self.items.values().filter(|item| item.owner == owner).map(|item| item.guid).collect()
    }

    /// Sends a client an item as it is now.
    pub(super) fn send_create_item(&mut self, client: ClientId, item: Guid) {
        let description = self.world.id_of(item).and_then(|id| self.world.describe(id));
        let (Some(item), Some(description)) = (self.items.get(&item), description) else { return };
        let description =
            Description { item_type: item.kind.item_type(), ..description.named(item.name.as_str()) };
        self.send_description(client, &description);
    }

    /// Returns `true` if a player wields an item of a kind.
    fn wields(&self, owner: Guid, kind: ItemKind) -> bool {
        self.items.values().any(|item| item.owner == Some(owner) && item.is_wielded && item.kind == kind)
    }

    /// Returns the style of a combat mode, which depends on what a player wields.
    pub(super) fn style_of(&self, owner: Guid, mode: CombatMode) -> MotionCommand {
        style_of(mode, self.wields(owner, ItemKind::Sword))
    }

    /// Puts the items of a player into its hands or away, as its stance requires, in the server's own world and for all
    /// clients.
    pub(super) fn update_items(&mut self, owner: Guid, now: f64) {
        let Some(style) = self.object(owner).map(|object| object.style) else { return };
        for item in self.items_of(Some(owner)) {
            let (Some(id), Some(item)) = (self.world.id_of(item), self.items.get_mut(&item)) else {
                continue;
            };
            let is_needed = item.is_wielded && item.kind.is_held_in(style);
            if item.is_in_hand == is_needed {
                continue;
            }
            let kind = item.kind;
            let bytes = if is_needed {
                let in_hand = HeldBy { parent: owner, location: kind.location() };
                let held = self.world.set_parent(id, in_hand, kind.placement(), now);
                held.ok().and_then(|()| self.world.describe_parent(id)).map(messages::encoded)
            } else {
                self.world.pick_up(id, now);
                self.world.describe_pickup(id).map(messages::encoded)
            };
            let Some(bytes) = bytes else { continue };
            item.is_in_hand = is_needed;
            let bytes: Arc<[u8]> = bytes.into();
            for client in self.recipients(owner).collect::<Vec<_>>() {
                self.send(client, &bytes, true);
            }
        }
    }

    /// Changes between fists and sword if what the player wields requires it, and takes up what it wields.
    fn refresh_stance(&mut self, owner: Guid, now: f64) {
        let Some(style) = self.object(owner).map(|object| object.style) else { return };
        let melee = self.style_of(owner, CombatMode::MELEE);
        let is_melee = matches!(style, MotionCommand::SWORD_COMBAT | MotionCommand::HAND_COMBAT);
        if is_melee && style != melee {
            self.set_style(owner, melee, now);
        } else {
            self.update_items(owner, now);
        }
    }

    /// Moves a player to an item on the ground, to pick it up.
    pub(super) fn on_pick_up(&mut self, guid: Guid, item: Guid, now: f64) {
        let is_on_ground = self.items.get(&item).is_some_and(|item| item.owner.is_none());
        let Some(distance) = self.distance(guid, item).filter(|_| is_on_ground) else {
            self.ignored += 1;
            return;
        };
        self.set_action(guid, Some(PlayerAction::PickUp { item, is_bending: false }));
        if distance > PICK_UP_RANGE {
            self.move_player_to(guid, item, now);
        } else {
            self.turn_to_object(guid, item, now);
        }
    }

    /// Lets a player bend down to an item that it has reached, or takes it if the player has done so. Only out of combat
    /// is there a motion for it.
    pub(super) fn continue_pick_up(&mut self, guid: Guid, item: Guid, is_bending: bool, now: f64) {
        let is_near = self.distance(guid, item).is_some_and(|distance| distance <= PICK_UP_RANGE);
        let is_there = is_near && self.items.get(&item).is_some_and(|item| item.owner.is_none());
        if !is_there {
            return self.set_action(guid, None);
        }
        let Some(style) = self.object(guid).map(|object| object.style) else { return };
        if !is_bending && style == MotionCommand::NON_COMBAT {
            self.set_action(guid, Some(PlayerAction::PickUp { item, is_bending: true }));
            return self.set_forward(guid, MotionCommand::PICKUP, now);
        }
        self.set_action(guid, None);
        self.take(guid, item, now);
        if is_bending {
            self.stop(guid, None, now);
        }
    }

    /// Puts an item into the pack of a player.
    fn take(&mut self, guid: Guid, item: Guid, now: f64) {
        let Some(id) = self.world.id_of(item) else { return };
        self.world.pick_up(id, now);
        if let Some(taken) = self.items.get_mut(&item) {
            taken.owner = Some(guid);
        }
        if let Some(message) = self.world.describe_pickup(id) {
            self.send_to_all(messages::encoded(message));
        }
        let put = InventoryPutObjInContainer { item, container: guid, slot: 0, kind: 0 };
        self.answer(guid, GameEventBody::InventoryPutObjInContainer(put));
    }

    /// Puts an item of a player on the ground in front of it.
    pub(super) fn on_drop(&mut self, guid: Guid, item: Guid, now: f64) {
        let owned = self.items.get(&item).filter(|item| item.owner == Some(guid));
        let (Some(_), Some(id), Some(player)) = (owned, self.world.id_of(item), self.world.find(guid)) else {
            self.ignored += 1;
            return;
        };
        let here = player.position();
        let mut ahead = here;
        ahead.frame.origin += here.frame.forward() * DROP_DISTANCE;
        let ahead = if here.cell.is_room() { ahead } else { ahead.adjusted_to_outside().unwrap_or(here) };
        let is_placed = self.world.drop_at(id, &ahead, RESTING, now).is_ok()
            || self.world.drop_at(id, &here, RESTING, now).is_ok();
        if !is_placed {
            self.ignored += 1;
            return;
        }
        let known: Vec<ClientId> = self.recipients(guid).collect();
        if let Some(dropped) = self.items.get_mut(&item) {
            (dropped.owner, dropped.is_wielded, dropped.is_in_hand) = (None, false, false);
        }
        if let Some(message) = self.world.describe_position(id) {
            let bytes: Arc<[u8]> = messages::encoded(message).into();
            for client in self.entered().collect::<Vec<_>>() {
                match known.contains(&client) {
                    true => self.send(client, &bytes, true),
                    false => self.send_create_item(client, item),
                }
            }
        }
        self.answer(guid, GameEventBody::InventoryPutObjIn3D(InventoryPutObjIn3D { item }));
        self.refresh_stance(guid, now);
    }

    /// Lets a player wield an item that it has.
    pub(super) fn on_wield(&mut self, guid: Guid, item: Guid, location: u32, now: f64) {
        let Some(wielded) = self.items.get_mut(&item).filter(|item| item.owner == Some(guid)) else {
            self.ignored += 1;
            return;
        };
        wielded.is_wielded = true;
        self.answer(guid, GameEventBody::WieldItem(WieldItem { item, location }));
        self.refresh_stance(guid, now);
    }

    /// Iterates over the clients that are in the world.
    pub(super) fn entered(&self) -> impl Iterator<Item = ClientId> {
        let connections = self.connections.iter().enumerate();
        connections.filter(|(_, connection)| connection.has_entered).map(|(id, _)| ClientId(id))
    }

    /// Sends a message to every client that is in the world. It is sent again until it arrives.
    pub(super) fn send_to_all(&mut self, bytes: Vec<u8>) {
        let bytes: Arc<[u8]> = bytes.into();
        for client in self.entered().collect::<Vec<_>>() {
            self.send(client, &bytes, true);
        }
    }
}

//! The handlers of the server's messages: `on_<message>`, each in a file named after its message (rules D3–D13).
//!
//! A handler has three steps. It gates: [`check_instance`](World::check_instance) finds the object, or returns why the
//! message is not processed. It decides: [`decide`](World::decide) compares stamps by the rules in [`gate`],
//! which change nothing but stamps. It applies the resulting actions to the object.
//!
//! What `CreateObject` has in common with another message (rule D12) is a function beside that message's handler, named
//! as in the original.

mod attack_done;
mod combat_commence_attack;
mod create_object;
mod delete_object;
mod inventory_put_obj_in_3d;
mod inventory_put_obj_in_container;
mod magic_remove_enchantment;
mod magic_update_enchantment;
mod obj_desc_event;
mod parent_event;
mod pickup_event;
mod play_script_id;
mod play_script_type;
mod player_create;
mod player_description;
mod player_teleport;
mod position_and_movement;
mod private_update_attribute;
mod private_update_attribute_2nd_level;
mod private_update_property_int;
mod private_update_skill;
mod private_update_skill_level;
mod public_update_property_int;
mod public_update_skill;
mod public_update_skill_level;
mod set_state;
mod update_motion;
mod update_object;
mod update_position;
mod use_done;
mod vector_update;
mod wield_item;

use acmotion_types::{Guid, Stamp};

pub(super) use update_position::usable_position;

use super::{EventKind, Rejection, Resident, World};
use crate::gate::{self, Actions, InstanceVerdict, Situation, Stale};

/// The result of a handler: `Ok` if the message was processed, stale stamps included.
pub(super) type Handled<T = ()> = Result<T, Unhandled>;

/// Why a handler did not process its message.
pub(super) enum Unhandled {
    /// The message waits until this object, or its next instance, is created (rule D3).
    WaitFor(Guid),
    /// The message is dropped.
    Rejected { guid: Guid, reason: Rejection },
}

impl World {
    /// Applies the instance rule (rule D3). Returns the object's index in the store if the message is for its current
    /// instance.
    #[inline]
    fn check_instance(&self, guid: Guid, instance: Stamp) -> Handled<usize> {
        let index = self.store.index_of(guid);
        match (index, gate::check_instance(self.instance_at(index), instance)) {
            (Some(index), InstanceVerdict::Process) => Ok(index),
            (_, InstanceVerdict::Drop) => {
                Err(Unhandled::Rejected { guid, reason: Rejection::Stale(Stale::Instance) })
            }
            _ => Err(Unhandled::WaitFor(guid)),
        }
    }

    /// The instance stamp of the object at an index, `None` if there is no object.
    #[inline]
    fn instance_at(&self, index: Option<usize>) -> Option<Stamp> {
        Some(self.store.at(index?)?.stamps.instance)
    }

    /// Decides what a message does to the object at `index`, and records the decision if the object is being
    /// [explained](World::explain). Returns `None` if a stamp is stale, which is reported as a rejection.
    fn decide(
        &mut self,
        index: usize,
        now: f64,
        decide: impl FnOnce(&mut Resident, Situation) -> Actions,
    ) -> Option<Actions> {
        let situation = self.situation(index)?;
        let resident = self.store.at_mut(index)?;
        let guid = resident.guid();
        let actions = decide(resident, situation);
        if let Some(explanation) = resident.entity.correction.explanation_mut() {
            explanation.record(&actions);
        }
        if let Some(stale) = actions.stale() {
            self.reject(guid, Rejection::Stale(stale), now);
            return None;
        }
        Some(actions)
    }

    /// What decisions depend on besides stamps. Without a local player every object counts as near, so that a world that
    /// only observes shows interpolation.
    fn situation(&self, index: usize) -> Option<Situation> {
        let entity = self.store.at(index)?.entity();
        let body = &entity.body;
        let has_player = self.player_position().is_some();
        Some(Situation {
            is_player: self.is_player(entity.guid),
            autonomy: self.player.autonomy,
            has_cell: body.is_in_cell(),
            is_moving_to: entity.is_moving_to(),
            player_distance: if has_player { body.player_distance } else { 0.0 },
        })
    }

    /// Returns `true` if `guid` is the local player.
    pub(super) fn is_player(&self, guid: Guid) -> bool {
        self.player.guid() == Some(guid)
    }

    /// Reports that a message was dropped.
    pub(super) fn reject(&mut self, guid: Guid, reason: Rejection, now: f64) {
        self.emit(guid, EventKind::Rejected(reason), now);
    }

    /// Reports an event.
    pub(super) fn emit(&mut self, guid: Guid, kind: EventKind, now: f64) {
        self.events.push(now, guid, kind);
    }
}

//! The messages that report the player to the server (rules K6, K7, K9).

use acmotion_types::Vec3;
use acmotion_wire::{
    ActionItem, AutonomousPosition, ContactFlags, EchoedStamps, Jump, MoveToState, ObjectStamps, Pad,
};

use crate::entity::Entity;
use crate::interp::RawState;

/// Returns the stamps that are sent back to the server (rule K6).
pub(super) fn echoed(stamps: &ObjectStamps) -> EchoedStamps {
    EchoedStamps {
        instance: stamps.instance,
        server_control: stamps.server_control,
        teleport: stamps.teleport,
        force_position: stamps.force_position,
    }
}

/// Builds a `MoveToState` from a raw state and the player's position (rule K6). `actions` receives the actions.
pub(super) fn move_to_state<'a>(
    raw: &RawState,
    entity: &Entity,
    stamps: EchoedStamps,
    actions: &'a mut Vec<ActionItem>,
) -> MoveToState<'a> {
    let mut contact = ContactFlags::empty();
    contact.set(ContactFlags::CONTACT, entity.body.is_standing());
    contact.set(ContactFlags::STANDING_LONG_JUMP, entity.interp.standing_long_jump);
    MoveToState { raw: raw.to_wire(actions), position: entity.body.position, stamps, contact, pad: Pad::ZERO }
}

/// Builds an `AutonomousPosition` (rule K7).
pub(super) fn autonomous_position(entity: &Entity, stamps: EchoedStamps) -> AutonomousPosition {
    AutonomousPosition {
        position: entity.body.position,
        stamps,
        contact: entity.body.is_standing().into(),
        pad: Pad::ZERO,
    }
}

/// Builds a `Jump` with the launch velocity in the player's own axes (rule K9).
pub(super) fn jump(entity: &Entity, stamps: EchoedStamps, extent: f32, velocity: Vec3) -> Jump {
    Jump { extent, velocity, position: Some(entity.body.position), stamps, tail: None }
}

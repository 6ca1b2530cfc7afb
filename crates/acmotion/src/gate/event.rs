//! Everything about a known object that is not a position (rules D4, D9–D11). The instance must be right already.

use acmotion_types::Stamp;
use acmotion_wire::{MovementData, ObjectStamps};

use super::{Action, Actions, Situation, Stale, advance};

/// What a movement carries besides the movement.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MotionReport {
    /// The count of movements.
    pub movement: Stamp,
    /// The count of movements that the server imposed.
    pub server_control: Stamp,
    /// Was it its own client's doing?
    pub autonomous: bool,
}

impl From<&MovementData<'_>> for MotionReport {
    fn from(data: &MovementData<'_>) -> Self {
        Self {
            movement: data.movement_stamp,
            server_control: data.server_control,
            autonomous: data.autonomous.get(),
        }
    }
}

/// Decides on a movement (rule D9). The movement's own stamp stays moved even if the server's control is older.
#[doc(alias = "SetObjectMovement")]
pub fn motion(stamps: &mut ObjectStamps, report: MotionReport, situation: Situation) -> Actions {
    use Action::{LastMoveAutonomous, LoseControlToServer, UnpackMovement};
    if !advance(&mut stamps.movement, report.movement) {
        return Actions::dropped(Stale::Movement);
    }
    if stamps.server_control.is_newer_than(report.server_control) {
        return Actions::dropped(Stale::ServerControl);
    }
    stamps.server_control = report.server_control;
    match (situation.is_player, report.autonomous) {
        (true, true) => Actions::of(&[Action::IgnoreOwnEcho]),
        (true, false) => Actions::of(&[LastMoveAutonomous(false), UnpackMovement, LoseControlToServer]),
        (false, autonomous) => Actions::of(&[LastMoveAutonomous(autonomous), UnpackMovement]),
    }
}

/// Decides on a velocity (rule D10).
#[doc(alias = "VectorUpdate")]
pub fn vector(stamps: &mut ObjectStamps, stamp: Stamp, situation: Situation) -> Actions {
    if !advance(&mut stamps.vector, stamp) {
        return Actions::dropped(Stale::Vector);
    }
    if situation.is_player && !situation.uses_position_from_server() {
        return Actions::of(&[Action::IgnoreOwn]);
    }
    Actions::of(&[Action::SetVelocity, Action::SetOmega])
}

/// What a new physics state carries.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct StateReport {
    /// The count of states.
    pub state: Stamp,
    /// Does it hide the object?
    pub hidden: bool,
}

/// Decides on a physics state (rule D11).
pub fn state(
    stamps: &mut ObjectStamps,
    report: StateReport,
    is_player: bool,
    waiting_for_teleport: bool,
) -> Actions {
    if !advance(&mut stamps.state, report.state) {
        return Actions::dropped(Stale::State);
    }
    if is_player && waiting_for_teleport && !report.hidden {
        return Actions::of(&[Action::SetState, Action::ClearWaitingForTeleport]);
    }
    Actions::of(&[Action::SetState])
}

/// Decides on the word that the player is about to be teleported; no stamp moves (rules D4, D11).
#[doc(alias = "PlayerTeleport")]
pub fn player_teleport(stamps: &ObjectStamps, teleport: Stamp) -> Actions {
    if stamps.teleport.is_newer_than(teleport) {
        return Actions::dropped(Stale::Teleport);
    }
    Actions::of(&[Action::EnterPortalSpace])
}

/// Decides on the word that the object hangs on another now; the stamp is the object's own (rules D4, D11).
#[doc(alias = "ParentEvent")]
pub fn parent_event(stamps: &mut ObjectStamps, position: Stamp) -> Actions {
    if !advance(&mut stamps.position, position) {
        return Actions::dropped(Stale::Position);
    }
    Actions::of(&[Action::SetParent])
}

/// Decides on the word that somebody has picked the object up (rules D4, D11).
#[doc(alias = "PickupEvent")]
pub fn pickup_event(stamps: &mut ObjectStamps, position: Stamp) -> Actions {
    if !advance(&mut stamps.position, position) {
        return Actions::dropped(Stale::Position);
    }
    Actions::of(&[Action::Unparent, Action::LeaveWorld])
}

/// Decides on new looks (rule D4).
#[doc(alias = "ObjDescEvent")]
pub fn obj_desc(stamps: &mut ObjectStamps, visual_desc: Stamp) -> Actions {
    if !advance(&mut stamps.visual_desc, visual_desc) {
        return Actions::dropped(Stale::VisualDesc);
    }
    Actions::of(&[Action::SetLooks])
}

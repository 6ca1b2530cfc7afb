//! Decisions on all messages about a known object but positions (rules D4, D9–D11). The instance has been checked before.

use acmotion_types::Stamp;
use acmotion_wire::{MovementData, ObjectStamps};

use super::{Action, Actions, Situation, Stale, advance};

/// The stamps and the autonomy of a movement.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MotionReport {
    /// The movement stamp.
    pub movement: Stamp,
    /// The server-controlled-move stamp.
    pub server_control: Stamp,
    /// Whether the object's own client started the movement.
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

/// Decides on a movement (rule D9). The movement stamp stays advanced even if the server-controlled-move stamp is older.
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
        (false, true) => Actions::of(&[LastMoveAutonomous(true), UnpackMovement]),
        (false, false) => Actions::of(&[LastMoveAutonomous(false), UnpackMovement]),
    }
}

/// Decides on a velocity and an angular velocity (rule D10).
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

/// What the decision on a physics state depends on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct StateReport {
    /// The state stamp.
    pub state: Stamp,
    /// Whether the new state hides the object.
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

/// Decides on the announcement of a teleport of the player. No stamp advances (rules D4, D11).
#[doc(alias = "PlayerTeleport")]
pub fn player_teleport(stamps: &ObjectStamps, teleport: Stamp) -> Actions {
    if stamps.teleport.is_newer_than(teleport) {
        return Actions::dropped(Stale::Teleport);
    }
    Actions::of(&[Action::EnterPortalSpace])
}

/// Decides on attaching an object to a parent. The stamp is the child's (rules D4, D11).
#[doc(alias = "ParentEvent")]
pub fn parent_event(stamps: &mut ObjectStamps, position: Stamp) -> Actions {
    if !advance(&mut stamps.position, position) {
        return Actions::dropped(Stale::Position);
    }
    Actions::of(&[Action::SetParent])
}

/// Decides on an object being picked up (rules D4, D11).
#[doc(alias = "PickupEvent")]
pub fn pickup_event(stamps: &mut ObjectStamps, position: Stamp) -> Actions {
    if !advance(&mut stamps.position, position) {
        return Actions::dropped(Stale::Position);
    }
    Actions::of(&[Action::Unparent, Action::LeaveWorld])
}

/// Decides on a new appearance (rule D4).
#[doc(alias = "ObjDescEvent")]
pub fn obj_desc(stamps: &mut ObjectStamps, visual_desc: Stamp) -> Actions {
    if !advance(&mut stamps.visual_desc, visual_desc) {
        return Actions::dropped(Stale::VisualDesc);
    }
    Actions::of(&[Action::SetVisualDesc])
}

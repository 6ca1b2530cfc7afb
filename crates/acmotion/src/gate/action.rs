//! The actions that a message performs on an object.

use std::fmt;
use std::ops::Deref;

/// One action of a message.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Action {
    /// Do nothing, because a stamp is stale. Other stamps may have advanced all the same.
    Drop(Stale),
    /// Detach the object from its parent (rule D6).
    Unparent,
    /// End everything that a teleport ends (rules C15, D7).
    TeleportHook,
    /// Move the object to the position, flags 0x1012 (rules C18, D7).
    SetPositionTeleport,
    /// Drop all interpolation nodes (rules D7, I5).
    StopInterpolating,
    /// Move the object to the position, sliding (rules C18, D7).
    SetPositionSimple,
    /// Interpolate to the position (rules D7, I4).
    Interpolate,
    /// Interpolate to the position, and keep the heading (rules D6, D7, I4).
    InterpolateKeepHeading,
    /// Constrain the object to its own position (rules D6, I9).
    ConstrainToOwn,
    /// Constrain the object to the message's position (rules D6, I9).
    ConstrainToMessage,
    /// Move the player to the position, and keep the heading (rule D6).
    #[doc(alias = "BlipPlayer")]
    BlipKeepHeading,
    /// Send the player's position to the server at once (rule D6).
    SendAutonomousPosition,
    /// Move the player to the position, out of portal space (rules D6, P7).
    TeleportPlayer,
    /// Set the player's velocity to zero (rule D6).
    ZeroVelocity,
    /// Record whether the movement was autonomous, that is, started by the object's own client (rule D9).
    LastMoveAutonomous(bool),
    /// Perform the movement (rules D9, E2).
    UnpackMovement,
    /// Give control of the player to the server (rule D9).
    LoseControlToServer,
    /// Do nothing, because the movement is an echo of the player's own (rule D9).
    IgnoreOwnEcho,
    /// Set the velocity (rules C6, D10).
    SetVelocity,
    /// Set the angular velocity (rules C6, D10).
    SetOmega,
    /// Do nothing, because the player's velocity is not taken from the server (rule D10).
    IgnoreOwn,
    /// Set the physics state (rules C19, D11).
    SetState,
    /// Take the player out of portal space (rule D11).
    ClearWaitingForTeleport,
    /// Put the player into portal space (rule D11).
    EnterPortalSpace,
    /// Attach the object to a parent (rule D11).
    SetParent,
    /// Take the object out of the world (rules C14, D11).
    LeaveWorld,
    /// Change the object's appearance (rule D4).
    SetVisualDesc,
}

/// The stamp that was stale (rule D1).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Stale {
    /// The position stamp.
    Position,
    /// The movement stamp.
    Movement,
    /// The state stamp.
    State,
    /// The vector stamp.
    Vector,
    /// The teleport stamp.
    Teleport,
    /// The server-controlled-move stamp.
    ServerControl,
    /// The visual description stamp (retail's OBJDESC).
    VisualDesc,
    /// The instance stamp.
    Instance,
}

impl Action {
    /// The action's name in conformance vectors and traces.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Drop(_) => "drop",
            Self::Unparent => "unparent",
            Self::TeleportHook => "teleport_hook",
            Self::SetPositionTeleport => "set_position_0x1012",
            Self::StopInterpolating => "stop_interpolating",
            Self::SetPositionSimple => "set_position_simple",
            Self::Interpolate => "interpolate",
            Self::InterpolateKeepHeading => "interpolate_keep_heading",
            Self::ConstrainToOwn => "constrain_to_own",
            Self::ConstrainToMessage => "constrain_to_message",
            Self::BlipKeepHeading => "blip_keep_heading",
            Self::SendAutonomousPosition => "send_autonomous_position",
            Self::TeleportPlayer => "teleport_player",
            Self::ZeroVelocity => "zero_velocity",
            Self::LastMoveAutonomous(false) => "last_move_autonomous_0",
            Self::LastMoveAutonomous(true) => "last_move_autonomous_1",
            Self::UnpackMovement => "unpack_movement",
            Self::LoseControlToServer => "lose_control_to_server",
            Self::IgnoreOwnEcho => "ignore_own_echo",
            Self::SetVelocity => "set_velocity",
            Self::SetOmega => "set_omega",
            Self::IgnoreOwn => "ignore_own",
            Self::SetState => "set_state",
            Self::ClearWaitingForTeleport => "clear_waiting_for_teleport",
            Self::EnterPortalSpace => "enter_portal_space",
            Self::SetParent => "set_parent",
            Self::LeaveWorld => "leave_world",
            Self::SetVisualDesc => "set_looks",
        }
    }
}

impl Stale {
    /// The stamp's name in messages to users.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Position => "position",
            Self::Movement => "movement",
            Self::State => "state",
            Self::Vector => "vector",
            Self::Teleport => "teleport",
            Self::ServerControl => "server control",
            Self::VisualDesc => "visual description",
            Self::Instance => "instance",
        }
    }
}

impl fmt::Display for Stale {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "stale {} stamp", self.name())
    }
}

/// The actions of a message, in order.
#[derive(Clone, Copy)]
pub struct Actions(&'static [Action]);

impl Actions {
    #[inline]
    pub(super) const fn of(actions: &'static [Action]) -> Self {
        Self(actions)
    }

    pub(super) const fn dropped(stale: Stale) -> Self {
        Self(match stale {
            Stale::Position => &[Action::Drop(Stale::Position)],
            Stale::Movement => &[Action::Drop(Stale::Movement)],
            Stale::State => &[Action::Drop(Stale::State)],
            Stale::Vector => &[Action::Drop(Stale::Vector)],
            Stale::Teleport => &[Action::Drop(Stale::Teleport)],
            Stale::ServerControl => &[Action::Drop(Stale::ServerControl)],
            Stale::VisualDesc => &[Action::Drop(Stale::VisualDesc)],
            Stale::Instance => &[Action::Drop(Stale::Instance)],
        })
    }

    /// Returns the stale stamp if the message was dropped for it.
    #[inline]
    pub fn stale(&self) -> Option<Stale> {
        match *self.0 {
            [Action::Drop(stale)] => Some(stale),
            _ => None,
        }
    }
}

impl Deref for Actions {
    type Target = [Action];

    #[inline]
    fn deref(&self) -> &[Action] {
        self.0
    }
}

impl fmt::Debug for Actions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

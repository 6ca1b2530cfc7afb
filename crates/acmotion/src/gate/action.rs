//! What a message does to an object.

use std::fmt;
use std::ops::Deref;

/// One thing that a message does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Action {
    /// Nothing further: a stamp is not fresh (stamps may have moved all the same).
    Drop(Stale),
    /// Take the object off what it hangs on (rule D6).
    Unparent,
    /// Let go of everything that a teleport ends (rules C15, D7).
    TeleportHook,
    /// Put the object there, flags 0x1012 (rules C18, D7).
    SetPositionTeleport,
    /// Forget what is still to be caught up with (rules D7, I5).
    StopInterpolating,
    /// Put the object there, sliding (rules C18, D7).
    SetPositionSimple,
    /// Catch up with the reported position (rules D7, I4).
    Interpolate,
    /// Catch up with the reported place, and keep the heading (rules D6, D7, I4).
    InterpolateKeepHeading,
    /// Tie the leash where the object is (rules D6, I9).
    ConstrainToOwn,
    /// Tie the leash where the message says (rules D6, I9).
    ConstrainToMessage,
    /// Put the player there with the heading he has (rule D6).
    #[doc(alias = "BlipPlayer")]
    BlipKeepHeading,
    /// Tell the server at once where the player is (rule D6).
    SendAutonomousPosition,
    /// Put the player there, out of portal space (rules D6, P7).
    TeleportPlayer,
    /// Stop the player's own velocity (rule D6).
    ZeroVelocity,
    /// Remember whether the movement was its own client's doing (rule D9).
    LastMoveAutonomous(bool),
    /// Do the movement (rules D9, E2).
    UnpackMovement,
    /// The server moves the player now (rule D9).
    LoseControlToServer,
    /// It was the player's own movement come back (rule D9).
    IgnoreOwnEcho,
    /// Take the velocity (rules C6, D10).
    SetVelocity,
    /// Take the spin (rules C6, D10).
    SetOmega,
    /// The player's velocity is his own (rule D10).
    IgnoreOwn,
    /// Take the physics state (rules C19, D11).
    SetState,
    /// The player is out of portal space (rule D11).
    ClearWaitingForTeleport,
    /// The player is in portal space (rule D11).
    EnterPortalSpace,
    /// Hang the object on another (rule D11).
    SetParent,
    /// Take the object out of the world (rules C14, D11).
    LeaveWorld,
    /// Take the new looks (rule D4).
    SetLooks,
}

/// Which stamp was not fresh.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Stale {
    /// That of positions.
    Position,
    /// That of movements.
    Movement,
    /// That of physics states.
    State,
    /// That of velocities.
    Vector,
    /// That of teleports.
    Teleport,
    /// That of movements that the server imposed.
    ServerControl,
    /// That of looks.
    VisualDesc,
    /// That of the object's lives.
    Instance,
}

impl Action {
    /// The name it has in conformance vectors and traces.
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
            Self::SetLooks => "set_looks",
        }
    }
}

impl Stale {
    /// Which stamp it is, in words.
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

/// How many things a message does at most.
const MAX_ACTIONS: usize = 6;

/// What a message does, in order.
#[derive(Clone, Copy)]
pub struct Actions {
    len: u8,
    list: [Action; MAX_ACTIONS],
}

impl Actions {
    pub(super) fn of(actions: &[Action]) -> Self {
        let mut list = [Action::Drop(Stale::Instance); MAX_ACTIONS];
        let len = actions.len().min(MAX_ACTIONS);
        list[..len].copy_from_slice(&actions[..len]);
        Self { len: len as u8, list }
    }

    pub(super) fn dropped(stale: Stale) -> Self {
        Self::of(&[Action::Drop(stale)])
    }

    /// Which stamp was not fresh, if that is why nothing is done.
    pub fn stale(&self) -> Option<Stale> {
        match **self {
            [Action::Drop(stale)] => Some(stale),
            _ => None,
        }
    }
}

impl Deref for Actions {
    type Target = [Action];

    fn deref(&self) -> &[Action] {
        &self.list[..usize::from(self.len)]
    }
}

impl fmt::Debug for Actions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

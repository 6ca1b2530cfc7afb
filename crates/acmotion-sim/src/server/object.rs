//! The objects of the server's world.

use acmotion::types::{ActionStamp, CellPosition, Guid, MotionCommand, Stamp};
use acmotion::wire::{ObjectStamps, PhysicsState};

use super::combat::PlayerAction;
use super::creatures::Task;
use crate::scenario::CreatureKind;
use crate::view::ClientId;

/// An object of the server's world.
#[derive(Clone, PartialEq, Debug)]
pub struct ServerObject {
    /// Its id.
    pub guid: Guid,
    /// Its name.
    pub name: String,
    /// Its kind, which determines its setup and motion table.
    pub kind: CreatureKind,
    /// The newest stamps that were sent.
    pub stamps: ObjectStamps,
    /// Its stance.
    pub style: MotionCommand,
    /// Its physics state.
    pub state: PhysicsState,
    /// Its forward command when it is created: a door is on or off.
    pub(super) forward: MotionCommand,
    pub(super) role: Role,
    /// The position that was last sent.
    pub(super) reported: CellPosition,
    /// The time at which it was last sent, in seconds.
    pub(super) reported_at: f64,
    /// The stamp of its last action that the server started.
    pub(super) action_stamp: ActionStamp,
    /// Whether it is dead. Messages of dead players are ignored.
    pub(super) is_dead: bool,
    /// The destination of its teleport and the time of arrival; `None` outside of portal space.
    pub(super) portal: Option<(CellPosition, f64)>,
    /// What its player has requested and is not done.
    pub(super) action: Option<PlayerAction>,
}

/// What moves an object.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Role {
    Player { client: ClientId, is_seen: bool },
    Creature(Creature),
}

#[derive(Clone, PartialEq, Debug)]
pub(super) struct Creature {
    pub(super) run_rate: f32,
    pub(super) task: Task,
    /// Whether it was moving to something in the last frame.
    pub(super) was_moving: bool,
}

impl Role {
    pub(super) fn creature(run_rate: f32) -> Self {
        Self::Creature(Creature { run_rate, task: Task::Idle, was_moving: false })
    }
}

impl ServerObject {
    pub(super) fn new(guid: Guid, name: &str, kind: CreatureKind, role: Role) -> Self {
        let mut state = PhysicsState::GRAVITY | PhysicsState::REPORT_COLLISIONS | PhysicsState::EDGE_SLIDE;
        match role {
            // A door does not fall, and its leaf is an obstacle.
            Role::Creature(_) if kind == CreatureKind::Door => {
                state = PhysicsState::REPORT_COLLISIONS | PhysicsState::HAS_PHYSICS_BSP;
            }
            // An observer is not an obstacle.
            Role::Player { is_seen: false, .. } => {
                state |= PhysicsState::ETHEREAL | PhysicsState::IGNORE_COLLISIONS
            }
            _ => {}
        }
        Self {
            guid,
            name: String::from(name),
            kind,
            stamps: ObjectStamps { instance: Stamp(1), ..ObjectStamps::default() },
            style: MotionCommand::NON_COMBAT,
            state,
            forward: MotionCommand::READY,
            role,
            reported: CellPosition::default(),
            reported_at: f64::NEG_INFINITY,
            action_stamp: ActionStamp::new(0),
            is_dead: false,
            portal: None,
            action: None,
        }
    }

    /// Returns `true` if it is shown to other clients. Observers are not.
    pub fn is_seen(&self) -> bool {
        !matches!(self.role, Role::Player { is_seen: false, .. })
    }

    /// Returns the client that moves it; `None` for a creature.
    pub fn client(&self) -> Option<ClientId> {
        match self.role {
            Role::Player { client, .. } => Some(client),
            Role::Creature(_) => None,
        }
    }

    /// Returns `true` if it is in portal space.
    pub fn is_in_portal_space(&self) -> bool {
        self.portal.is_some()
    }
}

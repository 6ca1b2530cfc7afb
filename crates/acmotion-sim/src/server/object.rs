//! What the server knows about one thing of its world.

use acmotion::types::{ActionStamp, CellPosition, Guid, MotionCommand, Stamp};
use acmotion::wire::{ObjectStamps, PhysicsState};

use super::creatures::Task;
use crate::scenario::CreatureKind;
use crate::view::ClientId;

/// One thing of the server's world.
#[derive(Clone, PartialEq, Debug)]
pub struct ServerObject {
    /// Its id.
    pub guid: Guid,
    /// Its name.
    pub name: String,
    /// What it is made of.
    pub kind: CreatureKind,
    /// The newest stamps that were sent.
    pub stamps: ObjectStamps,
    /// Its stance.
    pub style: MotionCommand,
    /// Its physics state.
    pub state: PhysicsState,
    /// What it does by itself when it stands: a door is on or off.
    pub(super) forward: MotionCommand,
    pub(super) role: Role,
    /// Where everybody was last told it is, and when.
    pub(super) reported: CellPosition,
    pub(super) reported_at: f64,
    /// Its count of actions that the server imposed.
    pub(super) action_stamp: ActionStamp,
    /// The dead are not heard.
    pub(super) is_dead: bool,
    /// Where a teleport leads, and when.
    pub(super) portal: Option<(CellPosition, f64)>,
}

/// Who moves a thing.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Role {
    Player { client: ClientId, is_seen: bool },
    Creature(Creature),
}

#[derive(Clone, PartialEq, Debug)]
pub(super) struct Creature {
    pub(super) run_rate: f32,
    pub(super) task: Task,
    /// Was it on its way at the last look?
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
            // A door is where it is, and its leaf is in the way.
            Role::Creature(_) if kind == CreatureKind::Door => {
                state = PhysicsState::REPORT_COLLISIONS | PhysicsState::HAS_PHYSICS_BSP;
            }
            // Who only watches is in nobody's way.
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
        }
    }

    /// Is it shown to others?
    pub fn is_seen(&self) -> bool {
        !matches!(self.role, Role::Player { is_seen: false, .. })
    }

    /// The client that moves it; none of a creature.
    pub fn client(&self) -> Option<ClientId> {
        match self.role {
            Role::Player { client, .. } => Some(client),
            Role::Creature(_) => None,
        }
    }

    /// Is it in portal space?
    pub fn is_between_places(&self) -> bool {
        self.portal.is_some()
    }
}

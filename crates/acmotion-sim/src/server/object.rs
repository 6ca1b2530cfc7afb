//! The objects of the server's world.

use acmotion::EntitySpec;
use acmotion::components::{Axis, InterpretedState};
use acmotion::scene::MoverFlags;
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
    /// Its stance.
    pub style: MotionCommand,
    /// Its forward command when it is created: a door is on or off.
    pub(super) forward: MotionCommand,
    /// Its instance: a player that enters the world again is another one (rule D12).
    pub(super) instance: Stamp,
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

/// The stamps of a new object: the first instance.
pub(super) const FIRST_STAMPS: ObjectStamps = ObjectStamps {
    position: Stamp(0),
    movement: Stamp(0),
    state: Stamp(0),
    vector: Stamp(0),
    teleport: Stamp(0),
    server_control: Stamp(0),
    force_position: Stamp(0),
    visual_desc: Stamp(0),
    instance: Stamp(1),
};

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
        Self {
            guid,
            name: String::from(name),
            kind,
            style: MotionCommand::NON_COMBAT,
            forward: MotionCommand::READY,
            instance: FIRST_STAMPS.instance,
            role,
            reported: CellPosition::default(),
            reported_at: f64::NEG_INFINITY,
            action_stamp: ActionStamp::new(0),
            is_dead: false,
            portal: None,
            action: None,
        }
    }

    /// What it is made of in the server's world.
    pub(super) fn spec(&self, position: CellPosition) -> EntitySpec {
        let solid = PhysicsState::GRAVITY | PhysicsState::REPORT_COLLISIONS | PhysicsState::EDGE_SLIDE;
        let state = match self.role {
            // A door does not fall, and its leaf is an obstacle.
            Role::Creature(_) if self.kind == CreatureKind::Door => {
                PhysicsState::REPORT_COLLISIONS | PhysicsState::HAS_PHYSICS_BSP
            }
            // An observer is not an obstacle.
            Role::Player { is_seen: false, .. } => {
                solid | PhysicsState::ETHEREAL | PhysicsState::IGNORE_COLLISIONS
            }
            _ => solid,
        };
        let mut mover_flags = MoverFlags::empty();
        mover_flags.set(MoverFlags::IS_PLAYER, self.client().is_some());
        EntitySpec {
            setup: Some(self.kind.setup()),
            motion_table: Some(self.kind.motion_table()),
            motion: Some(InterpretedState::new(self.style, Axis::new(self.forward))),
            state,
            is_creature: self.kind != CreatureKind::Door,
            mover_flags,
            stamps: ObjectStamps { instance: self.instance, ..FIRST_STAMPS },
            ..EntitySpec::new(self.guid, position)
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

    /// Returns `true` if it is an open door.
    pub fn is_open(&self) -> bool {
        self.kind == CreatureKind::Door && self.forward == MotionCommand::ON
    }

    /// Returns `true` if it is in portal space.
    pub fn is_in_portal_space(&self) -> bool {
        self.portal.is_some()
    }
}

//! The components of an entity, for tools that look inside one and for servers that steer it.
//!
//! [`Resident::entity`](crate::Resident::entity) returns the [`Entity`]; [`World::act`](crate::World::act) passes an
//! [`Actor`], which can also change it.
//!
//! ```
//! use acmotion::World;
//! use acmotion::dat::Assets;
//! use acmotion::types::{CellId, CellPosition, Guid, MotionCommand, Vec3};
//!
//! let mut world = World::new(Assets::mannequin());
//! let guid = Guid(0x5000_0001);
//! world.add_stand_in(guid, &CellPosition::at(CellId(0xA9B4_0001), Vec3::new(12.0, 12.0, 94.0)), 0.0);
//! let entity = world.find(guid).expect("it was just added").entity();
//! assert_eq!(entity.interp.interpreted.forward.command, MotionCommand::READY);
//! println!("{} moves at {:?} m/s", entity.guid, entity.body.velocity);
//! ```

// The body: position, velocity, flags, and the time that it takes part in.
pub use crate::body::{
    Body, GRAVITY, HUGE_QUANTUM, MAX_QUANTUM, MAX_VELOCITY, MIN_QUANTUM, ObjectClock, PhysicsGate,
    PhysicsState, Quanta, Quantum, TransientState,
};
pub use crate::entity::{Actor, Entity, Events, Scatter};

// The interpreter: what was asked for, and what plays.
pub use crate::interp::{
    Action, Axis, InterpretedState, Interpreter, MovementParams, MovementRequest, PendingCommand, RawAxis,
    RawState,
};
pub use crate::library::{Clip, Model, Placement, Span, SpanId};
pub use crate::sequence::PlayingNode;
pub use crate::table::{Anim, Motion, MotionSpeed, PendingMotion};

// Corrections towards reported positions, and sticking to another entity.
pub use crate::correction::{
    Adjustment, Constraint, CorrectionInput, Interpolation, PositionManager, QueueResult, Sticky,
};

// Orders to move and turn, and targets.
pub use crate::steer::{
    Choice, Gait, MoveKind, MoveTo, MoveToNode, Neighbour, Neighbours, NoNeighbours, Notice, NoticeKind,
    Order, TargetInfo, TargetManager, TargetStatus, TargetUpdate, Voyeur,
};

// The local player's keys.
pub use crate::player::{CommandList, Heartbeat, HeldCommand, KeyEffect, Keyboard, ListKind};

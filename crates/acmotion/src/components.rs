//! The components of an entity, for tools that look inside one and for servers that steer it.
//!
//! [`Resident::entity`](crate::Resident::entity) returns the [`Entity`], whose components a debugger can show:
//!
//! ```
//! use acmotion::components::{
//!     Entity, Interpreter, MotionSpeed, MoveKind, MoveToNode, Order, PendingCommand, PendingMotion, PlayingNode,
//!     RawAxis,
//! };
//! use acmotion::dat::Assets;
//! use acmotion::types::{CellId, CellPosition, Guid, MotionCommand, Vec3};
//! use acmotion::{EntitySpec, Library, World};
//!
//! /// Describes what an entity was asked to do and what it plays.
//! fn describe(entity: &Entity, library: &Library) -> Vec<String> {
//!     let Interpreter { raw, interpreted, .. } = &entity.interp;
//!     let RawAxis { command, speed, .. } = raw.forward;
//!     let mut lines =
//!         vec![format!("asked for {command} at speed {speed}, performs {}", interpreted.forward.command)];
//!     for PendingCommand { motion, jump_error, .. } in entity.interp.pending() {
//!         let can_jump = jump_error.is_none();
//!         lines.push(format!("{motion} is not done, can jump: {can_jump}"));
//!     }
//!     for PendingMotion { motion, num_anims } in entity.animator.pending() {
//!         lines.push(format!("{motion} ends after {num_anims} animations"));
//!     }
//!     for MotionSpeed { motion, speed } in entity.animator.state().modifiers() {
//!         lines.push(format!("{motion} is added at speed {speed}"));
//!     }
//!     for PlayingNode { animation, low, high, .. } in entity.animator.sequence().nodes(library) {
//!         lines.push(format!("plays frames {low} to {high} of {}", animation.id()));
//!     }
//!     lines
//! }
//!
//! /// Describes the order of an entity.
//! fn describe_order(entity: &Entity) -> String {
//!     let Some(order) = entity.move_to() else { return String::from("no order") };
//!     let goal = match (order.kind(), order.object()) {
//!         (MoveKind::TurnToHeading, _) => String::from("heading"),
//!         (_, Some(object)) => object.to_string(),
//!         (_, None) => order.target_position().cell.to_string(),
//!     };
//!     match order.nodes().next() {
//!         Some(MoveToNode::Turn(heading)) => format!("{goal}: turns to {heading} degrees"),
//!         Some(MoveToNode::Move) => format!("{goal}: moves"),
//!         None => format!("{goal}: has yet to start"),
//!     }
//! }
//!
//! # fn main() -> Result<(), acmotion::SpawnError> {
//! let mut world = World::new(Assets::mannequin());
//! let at = |y| CellPosition::at(CellId(0xA9B4_0001), Vec3::new(12.0, y, 94.0));
//! let id = world.spawn(&EntitySpec::new(Guid(0x8000_0001), at(4.0)), 0.0)?;
//! world.order(id, &Order::walk_to(at(20.0)), 0.0);
//! world.tick(0.1);
//! let entity = world.get(id).expect("it was just spawned").entity();
//! assert_eq!(entity.interp.interpreted.forward.command, MotionCommand::WALK_FORWARD);
//! assert_eq!(describe_order(entity), "0xA9B40001: moves");
//! for line in describe(entity, world.library()) {
//!     println!("{line}");
//! }
//! # assert!(describe(entity, world.library()).iter().any(|line| line.starts_with("plays frames")));
//! # Ok(())
//! # }
//! ```
//!
//! [`World::act`](crate::World::act) passes an [`Actor`], which can also change the entity. What it is asked to do may be
//! refused:
//!
//! ```
//! use acmotion::components::{Actor, MovementParams, MovementRequest};
//! use acmotion::dat::Assets;
//! use acmotion::types::{CellId, CellPosition, Guid, MotionCommand, Vec3};
//! use acmotion::{EntitySpec, MotionError, World};
//!
//! /// Makes an entity stop and sit down.
//! fn sit(actor: &mut Actor<'_>) -> Result<(), MotionError> {
//!     actor.perform(&MovementRequest::StopCompletely)?;
//!     actor.perform(&MovementRequest::Do(MotionCommand::SITTING, MovementParams::default()))
//! }
//!
//! # fn main() -> Result<(), acmotion::SpawnError> {
//! let mut world = World::new(Assets::mannequin());
//! let guid = Guid(0x8000_0001);
//! let position = CellPosition::at(CellId(0xA9B4_0001), Vec3::new(12.0, 12.0, 94.0));
//! world.spawn(&EntitySpec::new(guid, position), 0.0)?;
//! assert_eq!(world.act(guid, 0.1, |actor, _| sit(actor)), Some(Ok(())));
//! let entity = world.find(guid).expect("it was just spawned").entity();
//! assert_eq!(entity.interp.interpreted.forward.command, MotionCommand::SITTING);
//! assert_eq!(world.act(Guid(0x8000_0002), 0.1, |actor, _| sit(actor)), None, "there is no such entity");
//! # Ok(())
//! # }
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

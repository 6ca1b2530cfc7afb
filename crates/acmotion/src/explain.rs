//! Why a body moved as it did, tick by tick: for debuggers and tools.
//!
//! ```
//! use acmotion::components::Order;
//! use acmotion::dat::Assets;
//! use acmotion::explain::{
//!     Action, Blip, ConstraintRange, ConstraintStep, DistanceMeasure, InterpolationStep, MoveToExplanation,
//!     Stale, StepExplanation, SweepNote, SweepTrace, WaitReason,
//! };
//! use acmotion::types::{CellId, CellPosition, Guid, Vec3};
//! use acmotion::{EntitySpec, World};
//!
//! /// Why a body moved as it did in its last step.
//! fn step(step: &StepExplanation, cell: CellId) -> String {
//!     if step.decisions().iter().any(|action| matches!(action, Action::Drop(Stale::Movement))) {
//!         return String::from("an old movement was ignored");
//!     }
//!     if let Some(Blip { target, .. }) = step.blip {
//!         return format!("it could not get to {:?} and was put there", target.frame.origin);
//!     }
//!     match (step.adjustment.interpolation, step.adjustment.constraint) {
//!         (InterpolationStep::Toward { distance, .. }, _) => format!("it is {distance:.1} m behind the server"),
//!         (_, ConstraintStep::Scaled(factor)) => {
//!             let ConstraintRange { max, .. } = ConstraintRange::of(cell);
//!             format!("it is slowed down to {factor}, and stops {max} m from the server's position")
//!         }
//!         _ => String::from("its animation moved it"),
//!     }
//! }
//!
//! /// What was in the way of its last step, and whether it could step onto that.
//! fn obstacle(sweep: &SweepTrace) -> Option<String> {
//!     sweep.notes().iter().find_map(|note| match note {
//!         SweepNote::Contact { barrier, slid, .. } => Some(format!("stopped by {barrier}; it slid {slid:.2} m")),
//!         SweepNote::StepUp { climbed: false, rise: Some(rise), limit, .. } => {
//!             Some(format!("{rise:.2} m is higher than {limit:.2}"))
//!         }
//!         _ => None,
//!     })
//! }
//!
//! /// What its order does.
//! fn order(order: &MoveToExplanation) -> String {
//!     let between = if order.measure == DistanceMeasure::Hulls { " between the hulls" } else { "" };
//!     match order.waits {
//!         Some(WaitReason::Motion(motion)) => format!("{motion} has to end first"),
//!         Some(other) => format!("waits: {other:?}"),
//!         None => format!("{:.1} m to go{between}", order.distance),
//!     }
//! }
//!
//! # fn main() -> Result<(), acmotion::SpawnError> {
//! let mut world = World::new(Assets::mannequin());
//! let place = |y| CellPosition::at(CellId(0xA9B4_0001), Vec3::new(12.0, y, 94.0));
//! let (guid, cell) = (Guid(0x8000_0001), place(4.0).cell);
//! let id = world.spawn(&EntitySpec::new(guid, place(4.0)), 0.0)?;
//! world.order(id, &Order::walk_to(place(20.0)), 0.0);
//! world.explain(guid, true);
//! world.tick(0.1);
//! if let (Some(why), Some(entity)) = (world.explanation(guid), world.get(id)) {
//!     println!("{}", step(why, cell));
//!     println!("{:?}", why.sweep.as_ref().and_then(obstacle));
//!     println!("{}", entity.entity().explain_move_to().as_ref().map_or_else(String::new, order));
//! }
//! # assert!(world.get(id).is_some_and(|entity| entity.entity().explain_move_to().is_some()));
//! # assert_eq!(world.explanation(guid).map(|why| step(why, cell)).as_deref(), Some("its animation moved it"));
//! # Ok(())
//! # }
//! ```

pub use crate::collide::{SweepNote, SweepTrace};
pub use crate::correction::{Blip, ConstraintRange, ConstraintStep, InterpolationStep, StepExplanation};
pub use crate::gate::{Action, Stale};
pub use crate::steer::{DistanceMeasure, MoveToExplanation, WaitReason};

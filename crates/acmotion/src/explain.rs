//! Why a body moved as it did, tick by tick: for debuggers and tools.
//!
//! ```
//! use acmotion::World;
//! use acmotion::dat::Assets;
//! use acmotion::types::{CellId, CellPosition, Guid, Vec3};
//!
//! let mut world = World::new(Assets::mannequin());
//! let guid = Guid(0x5000_0001);
//! world.add_stand_in(guid, &CellPosition::at(CellId(0xA9B4_0001), Vec3::new(12.0, 12.0, 94.0)), 0.0);
//! world.explain(guid, true);
//! world.tick(0.1);
//! let explanation = world.explanation(guid).expect("it was asked for");
//! println!("{explanation:?}");
//! ```

pub use crate::correction::{ConstraintRange, ConstraintStep, InterpolationStep, StepExplanation};
pub use crate::gate::{Action, Stale};
pub use crate::steer::{DistanceMeasure, MoveToExplanation, WaitReason};

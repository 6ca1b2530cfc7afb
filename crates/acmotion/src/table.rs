//! Motion tables: which animations play for a motion, the motion state, and the queue of pending motions (rules G1–G17).

mod animator;
mod completion;
mod driver;
mod error;
mod resolved;
mod state;
mod stop;

pub use animator::{Animator, PendingMotion};
pub use completion::{MotionHost, animation_done, check_for_completed_motions, enter_world, exit_world};
pub use driver::TableDriver;
pub use error::MotionError;
pub use resolved::{Anim, Motion, Table};
pub use state::{MotionSpeed, MotionState};

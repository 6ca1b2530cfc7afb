//! Comfort: a second position for each remote, for the eye and for aiming.
//!
//! The original follows the server's reports (rules D7, I1–I10): a remote is shown where it was one message delay ago, is
//! pulled back and forth by every report, and goes astray where a message does not say what its player does. Comfort uses
//! the same messages and the same motion to show more:
//!
//! 1. **Estimate.** From each report on, the announced motion (root motion of the sequence, turn rate, order, jump) leads to
//!    where the remote was one delay ago. A report that is a little early or late along the way is jitter, of which half is
//!    taken over; anything else is corrected in full. Where reports contradict the announced motion, they count.
//! 2. **Lead.** The remote is shown ahead of the estimate, by a share of the delay: the sequence is
//!    [looked ahead](crate::sequence::Ahead), and so is a jump. It gets there by playing its motion faster or slower,
//!    within limits, so that feet do not slide.
//! 3. **Blending.** What is left of the error is blended away by a critically damped spring with a limited speed and
//!    acceleration. A remote never steps against its motion, nor at once against its last step.
//! 4. **Feet.** Where the body moves otherwise than its motion, such as back to where it really stopped, the legs show
//!    steps of that speed.
//!
//! It is swept through the same surroundings, and it snaps only where the original would. The simulated bodies are not
//! touched: a world with comfort has the same state as one without, to the bit.

mod estimate;
mod flat;
mod gait;
mod remote;
mod settings;
mod step;

pub(crate) use flat::{Flat, Yaw};
pub(crate) use gait::GaitPose;
pub(crate) use remote::{Announced, Goal, Remote};
pub use settings::{ComfortSettings, Presentation};

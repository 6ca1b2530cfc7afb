//! The local player: keys become motion, motion becomes messages (rules C21–C30, K, Q8, Q9, R8).
//!
//! [`World::player_mut`](crate::World::player_mut) gives the [`Controls`]; what goes to the server comes out of
//! [`World::drain_outbound`](crate::World::drain_outbound).

mod controls;
mod frame;
mod heartbeat;
mod jump;
mod keyboard;
mod lists;
mod local;
mod message;
mod requests;
mod skills;

pub use controls::Controls;
pub use heartbeat::{Heartbeat, Stand};
pub use keyboard::{Keyboard, Outcome, Response};
pub use lists::{CommandList, Held, ListKind};
pub(crate) use local::LocalPlayer;
pub use message::{autonomous_position, echoed, jump, move_to_state};
pub use requests::{Refusal, Taken};
pub use skills::Qualities;

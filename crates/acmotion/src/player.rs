//! The local player: keys become motion, motion becomes messages (rules C21–C30, K, Q8, Q9, R8).
//!
//! [`World::player_mut`](crate::World::player_mut) gives the [`Controls`]; what goes to the server comes out of
//! [`World::drain_outbound`](crate::World::drain_outbound), what becomes of requests out of
//! [`World::drain_events`](crate::World::drain_events).
//!
//! # When a key outlasts itself
//!
//! A key that is let go leaves its list, always. But in three cases the original goes on as if it were held, until the
//! next key of that kind; what the rules say is kept, for the server and other players see the same of an original:
//!
//! - What no list keeps, such as crouching, is noted before it is tried (rules K2, K3). If the body refuses it, as in a
//!   combat stance, the next release finds the note, applies nothing, and whoever walked walks on. The same if control
//!   came back from the server while crouching, and the key of a walk is let go then (rule K8).
//! - A motion that was pressed while a long jump was charged, and so never played, cannot be stopped if the jump is refused:
//!   the table has nothing to stop, and the state is changed only by a stop that succeeds (rules F5, F6, C27). It stays in
//!   the raw state and begins with the next movement that is applied as a whole.
//! - A release of [`HOLD_RUN`](crate::types::MotionCommand::HOLD_RUN) or
//!   [`HOLD_SIDESTEP`](crate::types::MotionCommand::HOLD_SIDESTEP) while the server moves the player only looks for a list,
//!   and these have none (rule K2). The run key of clients is [`set_hold_run`](Controls::set_hold_run), which has no such
//!   gap.
//!
//! # Going by himself
//!
//! The original's player walks by keys, or because the server sent him. [`walk_to`](Controls::walk_to) and
//! [`turn_to`](Controls::turn_to) are neither: the body follows the rules of an order (rule J), and the server is told what
//! keys would have told it whenever what the body does changes, so that others see him walk. What the server orders is not
//! told back, as recorded.
//!
//! # Where the rules are silent
//!
//! That `HOLD_SIDESTEP` makes sidesteps of turns which are under way; that a key which repeats is held once; that the
//! server hears of the player in the first frame in which he is in a cell; and that a stance is only asked for, the body
//! following when the server answers, are readings: the vectors and recordings agree with them and do not prove them. Left
//! out for want of figures: walking by the left mouse button and turning by eight degrees in first person (rules K4, K5).

mod controls;
mod frame;
mod heartbeat;
mod jump;
mod keyboard;
mod lists;
mod local;
mod message;
mod progress;
mod requests;
mod self_steering;
mod skills;
mod tracking;

pub use controls::{Controls, KeyResponse};
pub use heartbeat::Heartbeat;
pub use keyboard::{KeyEffect, Keyboard};
pub use lists::{CommandList, Held, ListKind};
pub(crate) use local::LocalPlayer;
pub use progress::{CancelReason, RequestEvent, RequestId, RequestKind, RequestProgress};
pub use requests::{RequestError, RequestStatus};
pub use skills::Qualities;

//! The local player: keys and requests in, motion and messages to the server out (rules C21–C30, K, Q8, Q9, R8).
//!
//! [`World::player_mut`](crate::World::player_mut) returns the [`Controls`]. Messages for the server come out of
//! [`World::drain_outbound`](crate::World::drain_outbound), the progress of requests out of
//! [`World::drain_events`](crate::World::drain_events).
//!
//! # When a key outlasts its release
//!
//! A released key always leaves its list. In three cases, however, the original behaves as if the key were still held,
//! until the next key of that kind. The rules are followed here, because the server and other players see the same of an
//! original client:
//!
//! - A substate that no list keeps, such as crouching, is recorded before it is tried (rules K2, K3). If the body refuses
//!   it, as in a combat stance, the next release finds that record and applies nothing, and a walking player walks on. The
//!   same happens if control came back from the server while the player crouched and a walk key is released then
//!   (rule K8).
//! - A motion that was pressed while a standing long jump was charged, and so never played, cannot be stopped if the jump
//!   is refused: the table has nothing to stop, and only a successful stop changes the state (rules F5, F6, C27). The
//!   motion stays in the raw state and starts with the next movement that is applied as a whole.
//! - A release of [`HOLD_RUN`](crate::types::MotionCommand::HOLD_RUN) or
//!   [`HOLD_SIDESTEP`](crate::types::MotionCommand::HOLD_SIDESTEP) while the server controls the player only looks for the
//!   command's list, and these have none (rule K2). The run key of clients is [`set_hold_run`](Controls::set_hold_run),
//!   which does not have this problem.
//!
//! # Requests to walk and turn
//!
//! The original's player walks by keys, or because the server ordered it. [`walk_to`](Controls::walk_to),
//! [`turn_to`](Controls::turn_to) and [`follow`](Controls::follow) are neither: the body follows the rules of an order
//! (rule J), and whenever its movement changes, the server is sent what keys would have sent, so that other clients show the
//! player walking. Movement that the server ordered is not sent back, as recorded. Unlike the original's orders, these
//! requests end if they make no progress.
//!
//! # Requests that the server decides about
//!
//! [`attack`](Controls::attack), [`cast`](Controls::cast), [`use_object`](Controls::use_object) and the others are
//! messages to the server, which then moves the player and says how it ended. The client only prepares them: for an
//! attack or a spell the player stops, and keys cancel an attack. What is known about this, and from how many recorded
//! cases, is written down in the modules `combat`, `items` and `answers`. The server's messages do not say which
//! request they answer: a motion counts for the oldest request, `UseDone` for the oldest use or spell. The server alone
//! decides about burden and the cost in stamina and mana; its messages about them are followed (rules F13, K10).
//!
//! # Where the rules are silent
//!
//! Four points are interpretations, which the vectors and recordings agree with but do not prove: `HOLD_SIDESTEP` turns
//! turns that are under way into sidesteps; a repeating key is held once; the server is sent a first `MoveToState` in
//! the first client frame in which the player is in a cell; and a stance is only requested, the body following when the
//! server answers. Walking by the left mouse button and turning by eight degrees in first person (rules K4, K5) are
//! left out: the rules do not say when the button's walk ends and which key repeats the turn, and what either sends was
//! not recorded. [Losing the focus](Controls::lose_focus) sends a `MoveToState` (rule K6); that autorun goes on and
//! that the charge of a jump ends are interpretations.

mod answers;
mod cancel;
mod combat;
mod controls;
mod enchantments;
mod follow;
mod heartbeat;
mod items;
mod jump;
mod keyboard;
mod lists;
mod local;
mod message;
mod ordered_movement;
mod progress;
mod requests;
mod skills;
mod tracking;
mod update;

pub use controls::{Controls, KeyResponse};
pub use heartbeat::Heartbeat;
pub use keyboard::{KeyEffect, Keyboard};
pub use lists::{CommandList, HeldCommand, ListKind};
pub(crate) use local::LocalPlayer;
pub use progress::{CancelReason, RequestEvent, RequestId, RequestKind, RequestProgress};
pub use requests::RequestError;

//! Limits that the original does not have. They bound the memory and the time that one body can take, whatever a server
//! sends and whatever the tables contain (in the spirit of rule R1).
//!
//! Nothing that a real server sends comes near them: in the recordings of the game no body ever has more than eight motions
//! pending, and scales lie between 0.5 and 5.
//!
//! | limit | value | when it is reached |
//! |---|---|---|
//! | [`MAX_PENDING_MOTIONS`] | 1,024 for each body | all pending motions end without success, the newest is played |
//! | [`MAX_SEQUENCE_NODES`] | 4,096 for each body | the same at half of it; at the limit a new node replaces the last |
//! | [`MAX_MODIFIERS`] | 64 for each body | the oldest modifier is dropped |
//! | [`MAX_HOOKS`] | 4,096 for each body and step | further hooks do not fire |
//! | [`MAX_MOTION_SPEED`] | 1,000 times the normal speed, either way | the motion is played at that speed |
//! | [`MAX_TOUCHES`] | 128 for each body | further touches are neither recorded nor reported |
//! | [`MAX_WAITING_FOR_ONE`] | 1,024 messages for each object | the older half is dropped |
//! | [`MAX_TIME`] | 10¹² s before and after 0 | the time counts as that of the last tick, see [`ClockFault`](crate::ClockFault) |
//! | [`MIN_SCALE`], [`MAX_SCALE`] | 0.001 to 1,000 | the scale is clamped |

/// The maximum number of motions of one body that wait to end, both in the interpreter and in the animator, and of
/// actions in each of its lists.
///
/// An entity that is asked for another motion when this many are pending catches up first: its link animations are
/// removed and all pending motions end without success, as when it lands or is hidden (rule G17). The newest motion,
/// which is the state that the server wants now, is therefore always played.
/// [`MotionEvent::QueueOverflow`](crate::MotionEvent::QueueOverflow) reports this, and again only after the queue has
/// been empty.
///
/// An [`Interpreter`](crate::components::Interpreter) or [`Animator`](crate::Animator) that is used on its own drops
/// its oldest entry instead.
pub const MAX_PENDING_MOTIONS: usize = 1024;

/// The maximum number of nodes in the sequence of one body.
///
/// An entity catches up (see [`MAX_PENDING_MOTIONS`]) if at least half as many are queued when it is asked for a
/// motion. Only a table that plays more than 2,048 animations for one motion reaches the limit itself; each further
/// animation then replaces the last node, so the last one appended loops as usual.
pub const MAX_SEQUENCE_NODES: usize = 4096;

/// The maximum number of modifiers in the motion state of one body. A table has few; the same modifier can be listed
/// several times only if the table also has it as a substate.
pub const MAX_MODIFIERS: usize = 64;

/// The maximum number of hooks that fire in one step of one body; the ends of nodes fire beyond it. Only a table that plays
/// thousands of frames in a tick, or an animation with thousands of hooks, has more.
pub const MAX_HOOKS: usize = 4096;

/// The maximum speed at which a motion is played, relative to its normal speed, forwards or backwards. NaN counts as 1.
///
/// A higher speed would cross thousands of animation frames in every tick, or make velocities overflow.
pub const MAX_MOTION_SPEED: f32 = 1e3;

/// The maximum number of objects that one body touches at a time, and in one sweep (`docs/collision.md` 9.2).
pub const MAX_TOUCHES: usize = 128;

/// The minimum scale of a body that a server can set.
pub const MIN_SCALE: f32 = 1e-3;

/// The maximum scale of a body that a server can set.
pub const MAX_SCALE: f32 = 1e3;

/// The maximum distance of a time from 0, in seconds: 31,700 years. Up to here a step of 1/30 s is represented within
/// 0.2 ms.
pub const MAX_TIME: f64 = 1e12;

/// The maximum number of messages that wait for one object. All of them are handled when an instance of it is created, and
/// may have to wait again. Half of them, the oldest, are dropped for the next. While the local player is not known, all
/// messages wait for it, and only the other limits count.
pub const MAX_WAITING_FOR_ONE: usize = 1024;

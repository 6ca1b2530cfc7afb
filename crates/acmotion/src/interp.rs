//! The motion interpreter: decides which of the requested motions are allowed, and plays them (rules C21–C30, E, F, K10).
//!
//! There are two states: the [`RawState`] holds what keys or a script requested, the [`InterpretedState`] what the body
//! does. The [`Interpreter`] translates one into the other and requests the motions from the motion table. The functions
//! that move the body are methods of [`Actor`](crate::entity::Actor), which has access to the whole body.

mod adjust;
mod allow;
mod apply;
mod backlog;
mod client_state;
mod convert;
mod formulas;
mod ground;
mod jump;
mod params;
mod perform;
mod state;
mod turning;
mod weenie;

use acmotion_types::{ActionStamp, Era, MotionCommand};
pub use acmotion_wire::{HoldKey, MoveFlags};

pub use allow::motion_allows_jump;
pub use formulas::{
    carrying_capacity, jump_height, jump_level, jump_speed, jump_stamina_cost, load, load_modifier, run_rate,
};
pub use params::{MovementParams, MovementRequest};
pub use state::{Action, Axis, InterpretedState, RawAxis, RawState};
pub use turning::{heading_diff, heading_is_past, mouse_turn};
pub use weenie::{PlayerWeenie, RemoteWeenie, UndescribedPlayer, Weenie};

use crate::limits::MAX_PENDING_MOTIONS;
use crate::small_list::SmallList;
use crate::table::MotionError;

/// The velocity of the walk animation at speed 1, in metres a second (rule F9).
pub const WALK_SPEED: f32 = 3.12;
/// The velocity of the run animation at speed 1, in metres a second (rule F9).
pub const RUN_SPEED: f32 = 4.0;
/// The velocity of the sidestep animation at speed 1, in metres a second (rule F9).
pub const SIDESTEP_SPEED: f32 = 1.25;

/// The number of pending motions stored inline.
const INLINE_PENDING: usize = 5;

/// A motion that was accepted and is not done yet (rule F1).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[doc(alias = "MotionNode")]
pub struct PendingCommand {
    /// The context id of the order; 0 except for the server's orders.
    pub context: u32,
    /// The motion; Ready after a stop.
    pub motion: MotionCommand,
    /// Why the body cannot jump while this motion is the oldest; `None` if it can.
    #[doc(alias = "jump_error_code")]
    pub jump_error: Option<MotionError>,
}

/// The requested and the actual movement of one body (rule F1).
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[doc(alias = "CMotionInterp")]
pub struct Interpreter {
    /// The requested movement.
    pub raw: RawState,
    /// The movement that the body performs.
    pub interpreted: InterpretedState,
    /// The run rate that counts if the weenie has none (rule F3).
    pub my_run_rate: f32,
    /// Divides the run speed for interpolation. The original never changes it from 1.
    pub current_speed_factor: f32,
    /// The extent of the jump under way, 0 to 1.
    pub jump_extent: f32,
    /// The stamp of the newest action of the server that was played (rule E8).
    pub server_action_stamp: ActionStamp,
    /// Whether a standing long jump is being charged (rule C27).
    #[doc(alias = "standing_longjump")]
    pub standing_long_jump: bool,
    /// Whether the default state has been entered (rule F16).
    #[doc(alias = "initted")]
    pub is_initialised: bool,
    /// The client version whose numbering the commands follow (rule F11).
    pub era: Era,
    pub(crate) pending: SmallList<PendingCommand, INLINE_PENDING>,
    /// Whether the queue has overflowed and not been empty since.
    pub(crate) is_overflowing: bool,
}

impl Default for Interpreter {
    fn default() -> Self {
        Self::new(Era::EndOfRetail)
    }
}

impl Interpreter {
    /// Creates an interpreter that has not entered the default state.
    pub fn new(era: Era) -> Self {
        Self {
            raw: RawState::default(),
            interpreted: InterpretedState::default(),
            my_run_rate: 1.0,
            current_speed_factor: 1.0,
            jump_extent: 0.0,
            server_action_stamp: ActionStamp::default(),
            standing_long_jump: false,
            is_initialised: false,
            era,
            pending: SmallList::new(),
            is_overflowing: false,
        }
    }

    /// Iterates over the motions that were accepted and are not done yet, oldest first.
    #[doc(alias = "pending_motions")]
    pub fn pending(&self) -> impl ExactSizeIterator<Item = PendingCommand> {
        self.pending.iter()
    }

    /// Returns `true` if any motion is pending (rule F17).
    #[doc(alias = "motions_pending")]
    pub fn has_pending(&self) -> bool {
        !self.pending.is_empty()
    }

    /// Returns the memory use in bytes, heap included.
    pub fn size_in_memory(&self) -> usize {
        size_of::<Self>()
            + self.pending.side_bytes()
            + self.raw.actions.side_bytes()
            + self.interpreted.actions.side_bytes()
    }

    /// Appends a motion that was accepted to the queue. If [`MAX_PENDING_MOTIONS`] are pending, the oldest is forgotten; an
    /// [`Actor`](crate::components::Actor) makes room before that.
    #[doc(alias = "add_to_queue")]
    pub fn enqueue(&mut self, context: u32, motion: MotionCommand, no_jump: Option<MotionError>) {
        let command = PendingCommand { context, motion, jump_error: no_jump };
        self.pending.push_bounded(command, MAX_PENDING_MOTIONS);
    }
}

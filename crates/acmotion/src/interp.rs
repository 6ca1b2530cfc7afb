//! What was asked of a body, and what of it is allowed and played (rules C21–C30, E, F, K10).
//!
//! Two states stand side by side: the [`RawState`] is what keys or a script asked for, the [`InterpretedState`] is what
//! the body does. The [`Interpreter`] turns one into the other and asks the motion table for it; its verbs are methods of
//! [`Actor`](crate::entity::Actor), which has the whole body at hand.

mod adjust;
mod allow;
mod apply;
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
pub use weenie::{PlayerWeenie, RemoteWeenie, Weenie};

use crate::small_list::SmallList;
use crate::table::MotionError;

/// How fast the walk animation carries a body, in metres a second at speed 1 (rule F9).
pub const WALK_SPEED: f32 = 3.12;
/// How fast the run animation carries a body at speed 1.
pub const RUN_SPEED: f32 = 4.0;
/// How fast the sidestep animation carries a body at speed 1.
pub const SIDESTEP_SPEED: f32 = 1.25;

/// How many waiting motions lie in the interpreter itself.
const INLINE_PENDING: usize = 6;

/// A motion that was accepted and is not over yet (rule F1).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[doc(alias = "MotionNode")]
pub struct PendingCommand {
    /// Whose it is; 0 for all but the server's own.
    pub context: u32,
    /// The motion; Ready for whatever was stopped.
    pub motion: MotionCommand,
    /// Why there is no jumping while it is the oldest.
    #[doc(alias = "jump_error_code")]
    pub no_jump: Option<MotionError>,
}

/// What one body was asked to do and is doing (rule F1).
#[derive(Clone, PartialEq, Debug)]
#[doc(alias = "CMotionInterp")]
pub struct Interpreter {
    /// What was asked.
    pub raw: RawState,
    /// What is done.
    pub interpreted: InterpretedState,
    /// How fast it runs when nobody else says (rule F3).
    pub my_run_rate: f32,
    /// Divides the run speed for interpolation; the original never changes it from 1.
    pub current_speed_factor: f32,
    /// How strong the jump under way is.
    pub jump_extent: f32,
    /// The newest action of the server that was taken up.
    pub server_action_stamp: ActionStamp,
    /// Is it preparing a long jump from standing (rule C27)?
    #[doc(alias = "standing_longjump")]
    pub standing_long_jump: bool,
    /// Has it entered its default state?
    #[doc(alias = "initted")]
    pub is_ready: bool,
    /// Which client's numbering its commands follow (rule F11).
    pub era: Era,
    pub(crate) pending: SmallList<PendingCommand, INLINE_PENDING>,
}

impl Default for Interpreter {
    fn default() -> Self {
        Self::new(Era::EndOfRetail)
    }
}

impl Interpreter {
    /// Before the default state has been entered.
    pub fn new(era: Era) -> Self {
        Self {
            raw: RawState::default(),
            interpreted: InterpretedState::default(),
            my_run_rate: 1.0,
            current_speed_factor: 1.0,
            jump_extent: 0.0,
            server_action_stamp: ActionStamp::default(),
            standing_long_jump: false,
            is_ready: false,
            era,
            pending: SmallList::new(),
        }
    }

    /// Motions that were accepted and are not over yet, oldest first.
    #[doc(alias = "pending_motions")]
    pub fn pending(&self) -> impl ExactSizeIterator<Item = PendingCommand> {
        self.pending.iter()
    }

    /// Is any motion not over yet (rule F17)?
    #[doc(alias = "motions_pending")]
    pub fn has_pending(&self) -> bool {
        !self.pending.is_empty()
    }

    /// How many bytes it takes, side storage included.
    pub fn size_in_memory(&self) -> usize {
        size_of::<Self>()
            + self.pending.side_bytes()
            + self.raw.actions.side_bytes()
            + self.interpreted.actions.side_bytes()
    }

    /// Notes a motion that was accepted.
    #[doc(alias = "add_to_queue")]
    pub fn enqueue(&mut self, context: u32, motion: MotionCommand, no_jump: Option<MotionError>) {
        self.pending.push(PendingCommand { context, motion, no_jump });
    }
}

//! What is fresh: which message of the server is taken, which waits, which is dropped, and what it does (rules D1–D12).
//!
//! Everything here is a plain decision: the stamps of an object, what a message carries and the situation go in; a list
//! of [`Action`]s comes out and the stamps are moved. Nothing is done to a body; so it can be tried without a world.
//!
//! ```
//! use acmotion::gate::{self, Action, PositionReport, Situation};
//! use acmotion::types::Stamp;
//! use acmotion::wire::ObjectStamps;
//!
//! let mut stamps = ObjectStamps::default();
//! let report = PositionReport { position: Stamp(1), has_contact: true, ..Default::default() };
//! let remote = Situation { has_cell: true, player_distance: 40.0, ..Default::default() };
//! let actions = gate::position(&mut stamps, report, remote);
//! assert_eq!(*actions, [Action::Unparent, Action::Interpolate, Action::ConstrainToOwn]);
//! assert_eq!(stamps.position, Stamp(1));
//! ```

mod action;
mod event;
mod instance;
mod pending;
mod position;

use acmotion_types::Stamp;

pub use action::{Action, Actions, Stale};
pub use event::{
    MotionReport, StateReport, motion, obj_desc, parent_event, pickup_event, player_teleport, state, vector,
};
pub use instance::{CreateVerdict, InstanceVerdict, check_create, check_instance, may_delete};
pub use pending::{MessageList, PendingLimits, PendingMessages};
pub use position::{PositionReport, position};

/// What a decision needs to know besides stamps and message.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Situation {
    /// Is the object the local player?
    pub is_player: bool,
    /// How freely the local player moves: 2 in normal play (rule D6).
    #[doc(alias = "autonomy_level")]
    pub autonomy: u32,
    /// Is the object in a cell?
    pub has_cell: bool,
    /// Does it steer itself somewhere?
    #[doc(alias = "IsMovingTo")]
    pub is_moving_to: bool,
    /// How far from the player it was when last looked at (rules B3, D7).
    pub player_distance: f32,
}

/// The autonomy level of normal play, at which the client alone moves the player.
pub const FULL_AUTONOMY: u32 = 2;

impl Default for Situation {
    /// A remote object that is nowhere yet.
    fn default() -> Self {
        Self {
            is_player: false,
            autonomy: FULL_AUTONOMY,
            has_cell: false,
            is_moving_to: false,
            player_distance: f32::MAX,
        }
    }
}

impl Situation {
    /// Does the player take positions and velocities from the server (rules D6, D10)?
    #[doc(alias = "UsePositionFromServer")]
    pub fn uses_position_from_server(&self) -> bool {
        self.autonomy != FULL_AUTONOMY
    }
}

/// Moves a stamp on if the message's is newer (rule D2).
#[doc(alias = "newer_event")]
fn advance(stamp: &mut Stamp, message: Stamp) -> bool {
    let newer = message.is_newer_than(*stamp);
    if newer {
        *stamp = message;
    }
    newer
}

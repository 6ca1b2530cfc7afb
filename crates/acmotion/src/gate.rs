//! The network gates: which messages are processed, which wait, which are dropped, and what they do (rules D1–D12).
//!
//! Every function here only decides. It takes the stamps of an object, what the message carries and the [`Situation`];
//! it advances the stamps and returns a list of [`Action`]s. Bodies are left alone, so the gates work without a world.
//!
//! ```
//! use acmotion::explain::Action;
//! use acmotion::internals::gate::{PositionReport, Situation, self};
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
pub use pending::{PendingLimits, PendingMessages};
pub use position::{PositionReport, position};

/// What a decision depends on besides the stamps and the message.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Situation {
    /// Whether the object is the local player.
    pub is_player: bool,
    /// The autonomy level of the local player: 2 in normal play (rule D6).
    #[doc(alias = "autonomy_level")]
    pub autonomy: u32,
    /// Whether the object is in a cell.
    pub has_cell: bool,
    /// Whether the object follows an [`Order`](crate::steer::Order).
    #[doc(alias = "IsMovingTo")]
    pub is_moving_to: bool,
    /// The distance from the player, in metres, cached by the object's last update (rules B3, D7).
    pub player_distance: f32,
}

/// The autonomy level of normal play, at which only the client moves the player.
pub const FULL_AUTONOMY: u32 = 2;

impl Default for Situation {
    /// A remote object that is not in a cell.
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
    /// Returns `true` if the player takes positions and velocities from the server (rules D6, D10).
    #[doc(alias = "UsePositionFromServer")]
    pub fn uses_position_from_server(&self) -> bool {
        self.autonomy != FULL_AUTONOMY
    }
}

/// Stores the message's stamp if it is newer (rule D2). Returns `true` if it was.
#[doc(alias = "newer_event")]
fn advance(stamp: &mut Stamp, message: Stamp) -> bool {
    let newer = message.is_newer_than(*stamp);
    if newer {
        *stamp = message;
    }
    newer
}

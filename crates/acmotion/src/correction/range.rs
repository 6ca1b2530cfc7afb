//! The distances at which the corrections act (rule D8).

use acmotion_types::CellId;

/// The path lengths between which the constraint slows a body down, in metres (rule D8).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ConstraintRange {
    /// The path length beyond which the body is slowed down.
    #[doc(alias = "GetStartConstraintDistance")]
    pub start: f32,
    /// The path length at which the body stops.
    #[doc(alias = "GetMaxConstraintDistance")]
    pub max: f32,
}

impl ConstraintRange {
    /// Returns the range for a body in `cell`: 10 to 50 metres outdoors, 5 to 20 in a room. It is the same for the player.
    pub const fn of(cell: CellId) -> Self {
        if cell.is_indoor() { Self { start: 5.0, max: 20.0 } } else { Self { start: 10.0, max: 50.0 } }
    }
}

/// The maximum distance, in metres, of a reported position from the one before. A body that is reported farther away is
/// moved at once instead of interpolating. 100 outdoors; in a room 25 for the player and 20 for others (rule D8).
#[doc(alias = "GetAutonomyBlipDistance")]
pub const fn blip_distance(cell: CellId, is_player: bool) -> f32 {
    match (cell.is_indoor(), is_player) {
        (false, _) => 100.0,
        (true, true) => 25.0,
        (true, false) => 20.0,
    }
}

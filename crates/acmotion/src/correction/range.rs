//! From which distances the corrections act (rule D8).

use acmotion_types::CellId;

/// Between which path lengths the leash slows a body down (rule D8).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ConstraintRange {
    /// From here on it slows the body.
    #[doc(alias = "GetStartConstraintDistance")]
    pub start: f32,
    /// Here the body stands.
    #[doc(alias = "GetMaxConstraintDistance")]
    pub max: f32,
}

impl ConstraintRange {
    /// That of a body in `cell`: 10 to 50 metres outdoors, 5 to 20 in a room, the same for the player.
    pub const fn of(cell: CellId) -> Self {
        if cell.is_indoor() { Self { start: 5.0, max: 20.0 } } else { Self { start: 10.0, max: 50.0 } }
    }
}

/// How far a report may lie from what was reported before until the body is put there instead of walking: 100 metres
/// outdoors; in a room 25 for the player and 20 for others (rule D8).
#[doc(alias = "GetAutonomyBlipDistance")]
pub const fn blip_distance(cell: CellId, is_player: bool) -> f32 {
    match (cell.is_indoor(), is_player) {
        (false, _) => 100.0,
        (true, true) => 25.0,
        (true, false) => 20.0,
    }
}

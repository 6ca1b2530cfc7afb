//! Random positions near a given one, for bodies that are set down together (`docs/collision.md` 10.7).

use acmotion_types::Vec3;

use crate::random::signed_unit;

/// How far, and how often, a body is placed at random near a position
/// ([`set_position_scattered`](super::Actor::set_position_scattered)).
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Scatter {
    /// The maximum distance along x from the given position, in metres, either way.
    #[doc(alias = "xrad")]
    pub x_radius: f32,
    /// The maximum distance along y from the given position, in metres, either way.
    #[doc(alias = "yrad")]
    pub y_radius: f32,
    /// The maximum number of random positions that are tried.
    #[doc(alias = "num_tries")]
    pub tries: u32,
    /// Whether the given position itself is left out. Otherwise it is tried first.
    #[doc(alias = "RANDOMSCATTER")]
    pub always: bool,
    /// Determines the random positions: equal seeds give equal positions.
    pub seed: u64,
}

impl Scatter {
    /// Returns the offset of an attempt, counted from 0.
    pub(super) fn offset(&self, attempt: u32) -> Vec3 {
        let draw = |axis| signed_unit(self.seed, 2 * u64::from(attempt) + axis);
        Vec3::new(draw(0) * self.x_radius, draw(1) * self.y_radius, 0.0)
    }
}

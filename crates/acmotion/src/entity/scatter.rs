//! Random positions near a given one, for bodies that are set down together (`docs/collision.md` 10.7).

use acmotion_types::Vec3;

use crate::random::signed_unit;

/// How far, and how often, a body is placed at random near a position
/// ([`set_position_scattered`](super::Actor::set_position_scattered)).
///
/// ```
/// use acmotion::components::Scatter;
/// use acmotion::dat::Assets;
/// use acmotion::types::{CellId, CellPosition, Guid, Vec3};
/// use acmotion::{EntitySpec, World};
///
/// # fn main() -> Result<(), acmotion::SpawnError> {
/// // A pack of beasts around a position, each at one of its own.
/// let mut world = World::new(Assets::mannequin());
/// let lair = CellPosition::at(CellId(0xA9B4_0001), Vec3::new(12.0, 12.0, 94.0));
/// for number in 0..3 {
///     let guid = Guid(0x8000_0001 + number);
///     world.spawn(&EntitySpec::new(guid, lair), 0.0)?;
///     let scatter =
///         Scatter { x_radius: 5.0, y_radius: 5.0, tries: 20, always: true, seed: u64::from(number) };
///     let has_room =
///         world.act(guid, 0.0, |actor, around| actor.set_position_scattered(&lair, true, &scatter, around));
///     assert_eq!(has_room, Some(true));
/// }
/// let place = |guid| world.find(Guid(guid)).map(|beast| beast.position());
/// assert_ne!(place(0x8000_0001), place(0x8000_0002));
/// assert!(place(0x8000_0001).is_some_and(|place| place.distance_to(&lair) < 8.0));
/// # Ok(())
/// # }
/// ```
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

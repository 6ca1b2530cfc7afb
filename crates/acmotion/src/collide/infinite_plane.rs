//! An infinite plane as the ground of all cells.

mod stride;

use acmotion_types::{CellId, CellPosition, EPS, Guid, Vec3};

pub(crate) use stride::{SteadyStride, Stride};

use super::landscape::Landscape;
use super::surroundings::adjusted_to_cell;
use super::trace::trace;
use super::{
    Arrival, Contact, Mover, NoObstacles, Obstacles, PlacementError, Plane, Surroundings, SweepResult,
    SweepTrace, Touch, Transition,
};

/// An infinite plane that is the ground of every cell: enough for open land, for tests, and for bodies whose terrain is not
/// loaded.
///
/// A body stands on it with the lowest point of its foot sphere, as on terrain (`docs/collision.md` 5.1). There are no
/// obstacles: bodies pass through each other.
///
/// ```
/// use acmotion::scene::{InfinitePlane, Surroundings};
/// use acmotion::types::{CellId, CellPosition, Vec3};
///
/// let ground = InfinitePlane::level(94.0);
/// let contact = ground.ground(&CellPosition::at(CellId(0xA9B4_0001), Vec3::ZERO)).unwrap();
/// assert!(contact.plane.is_walkable());
/// assert_eq!(contact.plane.d, -94.0);
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct InfinitePlane {
    plane: Plane,
    /// The cell in whose landblock's axes `plane` is given, or [`CellId::NONE`] if it is the same in all.
    anchor: CellId,
}

impl InfinitePlane {
    /// Creates level ground at a height in metres.
    pub const fn level(z: f32) -> Self {
        Self { plane: Plane::new(Vec3::new(0.0, 0.0, 1.0), -z), anchor: CellId::NONE }
    }

    /// Creates ground through a position with an upward normal of any length. `None` if the normal is not finite or does
    /// not point up.
    pub fn through(position: &CellPosition, normal: Vec3) -> Option<Self> {
        let normal = normal.normalized().filter(|normal| normal.is_finite() && normal.z > EPS)?;
        let plane = Plane::through(position.frame.origin, normal);
        plane.d.is_finite().then_some(Self { plane, anchor: position.cell })
    }

    /// Returns the plane in the axes of a cell's landblock.
    #[inline]
    pub(crate) fn seen_from(&self, cell: CellId) -> Plane {
        if self.anchor == CellId::NONE {
            return self.plane;
        }
        let Plane { normal, d } = self.plane;
        Plane::new(normal, d + normal.dot(self.anchor.block_offset(cell)))
    }

    /// Sweeps a mover by the general rules. Kept out of [`sweep`](Surroundings::sweep), which is nearly always a stride.
    #[inline(never)]
    fn full_sweep(&self, mover: &Mover<'_>, from: &CellPosition, to: &CellPosition) -> SweepResult {
        let (landscape, path) = (Landscape::Plane(self), (Some(*from), *to));
        let mut touched = Vec::new();
        let mut transition =
            Transition::through(landscape, &NoObstacles, mover, path, Some(from.cell), &mut touched);
        let found = transition.sweep();
        let arrival = found.then(|| transition.arrival());
        SweepResult { arrival, kills_velocity: transition.info.kills_velocity, barrier: transition.barrier() }
    }
}

impl Surroundings for InfinitePlane {
    fn sweep(
        &self,
        mover: &Mover<'_>,
        from: &CellPosition,
        to: &CellPosition,
        _obstacles: &dyn Obstacles,
        _touched: &mut Vec<Touch>,
    ) -> SweepResult {
        match self.stride(mover, from, to) {
            Some(arrival) => SweepResult { arrival: Some(arrival), kills_velocity: false, barrier: None },
            None => self.full_sweep(mover, from, to),
        }
    }

    fn trace_sweep(
        &self,
        mover: &Mover<'_>,
        from: &CellPosition,
        to: &CellPosition,
        _obstacles: &dyn Obstacles,
    ) -> Option<SweepTrace> {
        Some(trace(Landscape::Plane(self), mover, from, to, &NoObstacles))
    }

    fn place(
        &self,
        mover: &Mover<'_>,
        at: &CellPosition,
        slide: bool,
        _obstacles: &dyn Obstacles,
        _touched: &mut Vec<Touch>,
    ) -> Result<Arrival, PlacementError> {
        let at = adjusted_to_cell(at).ok_or(PlacementError::NoCell)?;
        let (landscape, path) = (Landscape::Plane(self), (None, at));
        let mut touched = Vec::new();
        let mut transition =
            Transition::through(landscape, &NoObstacles, mover, path, Some(at.cell), &mut touched);
        transition.path.placement_allows_sliding = slide;
        let has_room = transition.place();
        let arrival = transition.arrival();
        if has_room { Ok(arrival) } else { Err(PlacementError::NoRoom(arrival)) }
    }

    fn is_free(&self, _body: Guid, _at: &CellPosition, _obstacles: &dyn Obstacles) -> bool {
        true
    }

    fn ground(&self, at: &CellPosition) -> Option<Contact> {
        Some(Contact { plane: self.seen_from(at.cell), cell: at.cell, is_water: false })
    }

    fn has_obstacles(&self) -> bool {
        false
    }
}

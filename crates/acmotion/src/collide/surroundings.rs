//! What a body asks of the world around it.

use acmotion_types::{CellId, CellPosition, Guid, Vec3};

use super::scene::CellArray;
use super::{Mover, Obstacle, Obstacles, Plane, Touch};

/// The world around a body, through which all collision goes: the engine's own, or a client's.
///
/// A sweep takes a body's spheres from one place to another, sub-step by sub-step, past everything that is in the way, and
/// says where they end, what they stand on and what they slide along (`docs/collision.md` 2, 3 and 9). What a body knew
/// about its contact before goes in with the [`Mover`], what it knows afterwards comes out with the [`Arrival`].
///
/// It is asked by many bodies and perhaps many threads at a time, and answers the same for the same question.
pub trait Surroundings {
    /// Sweeps a body from one place to another, past what it knows itself and past `obstacles`: other bodies, doors, and
    /// whatever else comes and goes. Those that it touches are put into `touched`, each once, in order.
    #[doc(alias = "transition")]
    #[doc(alias = "find_valid_position")]
    fn sweep(
        &self,
        mover: &Mover<'_>,
        from: &CellPosition,
        to: &CellPosition,
        obstacles: &dyn Obstacles,
        touched: &mut Vec<Touch>,
    ) -> SweepResult;

    /// Finds room for a body at a place, with nothing before (`docs/collision.md` 10); `slide` lets it be a little way
    /// off.
    ///
    /// # Errors
    ///
    /// Where there is no room.
    #[doc(alias = "SetPosition")]
    fn place(
        &self,
        mover: &Mover<'_>,
        at: &CellPosition,
        slide: bool,
        obstacles: &dyn Obstacles,
        touched: &mut Vec<Touch>,
    ) -> Result<Arrival, PlacementError>;

    /// Is none of the obstacles inside the body, which is one of them (rule C20, `docs/collision.md` 8.6)?
    #[doc(alias = "ethereal_check_for_collisions")]
    fn is_free(&self, body: Guid, at: &CellPosition, obstacles: &dyn Obstacles) -> bool;

    /// The ground at or below a place.
    fn ground(&self, at: &CellPosition) -> Option<Contact>;

    /// Is a cell there? A body in one that is not cannot be swept.
    fn knows(&self, cell: CellId) -> bool {
        let _ = cell;
        true
    }

    /// Are obstacles in the way of bodies here? Where they are not, nobody keeps a list of them.
    fn has_obstacles(&self) -> bool {
        true
    }

    /// The cells in which an obstacle is to be found by bodies that are swept through them (`docs/collision.md` 8.1).
    #[doc(alias = "calc_cross_cells")]
    fn cells_of(&self, obstacle: &Obstacle<'_>, cells: &mut CellArray) {
        cells.clear();
        cells.add(obstacle.position.cell);
    }
}

/// Something stood on.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Contact {
    /// Its plane, in the axes of the cell's landblock.
    pub plane: Plane,
    /// The cell it is in.
    pub cell: CellId,
    /// Does it count as water? The tops of spheres and cylinders do too (rule S2).
    pub is_water: bool,
}

/// How a sweep went.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SweepResult {
    /// Where it ended; `None` if it could not be done at all, and the body keeps its place and its contact
    /// (`docs/collision.md` 2.10).
    pub arrival: Option<Arrival>,
    /// Did it take the body's velocity on the way (`docs/collision.md` 3.9)?
    pub kills_velocity: bool,
}

/// A body could not be placed (rule C18, `docs/collision.md` 9.4, 10.2).
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum PlacementError {
    /// There is no room. What was found on the way still counts: the body may have touched something.
    NoRoom(Arrival),
    /// There is room, but no cell.
    NoCell,
}

/// Where a body ends, and what it knows about its contact then (`docs/collision.md` 9).
#[derive(Clone, Copy, PartialEq, Debug)]
#[doc(alias = "CTransition")]
pub struct Arrival {
    /// The place.
    pub position: CellPosition,
    /// Is there a cell there?
    pub in_cell: bool,
    /// What it stands on; counts if `has_contact`, but is taken over in any case (rule S2).
    pub contact: Contact,
    /// Does it stand on something?
    pub has_contact: bool,
    /// What it slides along; counts if `is_sliding`.
    pub sliding_normal: Vec3,
    /// Does it slide?
    pub is_sliding: bool,
    /// What it hit.
    pub collision_normal: Option<Vec3>,
    /// How often its fall has been stopped.
    pub frames_stationary_fall: u8,
    /// Did it hit the surroundings, not an object?
    pub collided_with_environment: bool,
}

impl Arrival {
    /// In the open: nothing touched.
    pub const fn in_the_open(position: CellPosition) -> Self {
        Self {
            position,
            in_cell: true,
            contact: Contact { plane: Plane::new(Vec3::ZERO, 0.0), cell: CellId::NONE, is_water: false },
            has_contact: false,
            sliding_normal: Vec3::ZERO,
            is_sliding: false,
            collision_normal: None,
            frames_stationary_fall: 0,
            collided_with_environment: false,
        }
    }
}

/// Nothing anywhere: bodies fall for ever, and one that stood stands no more.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct OpenAir;

impl Surroundings for OpenAir {
    fn sweep(
        &self,
        _mover: &Mover<'_>,
        _from: &CellPosition,
        to: &CellPosition,
        _obstacles: &dyn Obstacles,
        _touched: &mut Vec<Touch>,
    ) -> SweepResult {
        let arrival = adjusted_to_cell(to).map(Arrival::in_the_open);
        SweepResult { arrival, kills_velocity: false }
    }

    fn place(
        &self,
        _mover: &Mover<'_>,
        at: &CellPosition,
        _slide: bool,
        _obstacles: &dyn Obstacles,
        _touched: &mut Vec<Touch>,
    ) -> Result<Arrival, PlacementError> {
        adjusted_to_cell(at).map(Arrival::in_the_open).ok_or(PlacementError::NoCell)
    }

    fn is_free(&self, _body: Guid, _at: &CellPosition, _obstacles: &dyn Obstacles) -> bool {
        true
    }

    fn ground(&self, _at: &CellPosition) -> Option<Contact> {
        None
    }

    fn has_obstacles(&self) -> bool {
        false
    }
}

/// Returns a position in the outdoor cell under it, or unchanged if it is not outdoors (rule A13). `None` off the map.
pub(super) fn adjusted_to_cell(position: &CellPosition) -> Option<CellPosition> {
    if position.cell.is_outdoor() { position.adjusted_to_outside() } else { Some(*position) }
}

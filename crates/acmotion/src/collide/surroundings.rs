//! The interface between bodies and the world around them.

use acmotion_types::{CellId, CellPosition, Guid, Vec3};

use super::question::{GroundHit, NO_CELLS, Obstruction, ground_of_plane, obstruction_of_plane};
use super::scene::CellArray;
use super::{Barrier, Mover, Obstacle, Obstacles, Plane, SweepTrace, Touch};

/// The world around a body. All collision goes through this trait; a client that has its own collision implements it.
///
/// A sweep moves the spheres of a body from one position to another in sub-steps and finds where they end, what they stand
/// on and what they slide along (`docs/collision.md` 2, 3 and 9). What the body knew about its contact goes in with the
/// [`Mover`]; what it knows afterwards comes out with the [`Arrival`].
///
/// The methods are called for many bodies, possibly from several threads at once, and must return the same result for the
/// same arguments.
///
/// ```
/// use std::sync::Arc;
///
/// use acmotion::dat::Assets;
/// use acmotion::scene::{
///     Arrival, Contact, InfinitePlane, Mover, Obstacles, PlacementError, Surroundings, SweepResult, Touch,
/// };
/// use acmotion::types::{CellPosition, Guid};
/// use acmotion::{Barrier, Settings, World};
///
/// /// Level ground with a fence across the landblock.
/// struct Paddock {
///     ground: InfinitePlane,
///     /// The y coordinate of the fence, in metres.
///     fence: f32,
/// }
///
/// impl Surroundings for Paddock {
///     fn sweep(
///         &self,
///         mover: &Mover<'_>,
///         from: &CellPosition,
///         to: &CellPosition,
///         obstacles: &dyn Obstacles,
///         touched: &mut Vec<Touch>,
///     ) -> SweepResult {
///         let [before, after] = [from, to].map(|position| position.frame.origin.y < self.fence);
///         if before != after {
///             let barrier = Some(Barrier::Surroundings);
///             return SweepResult { arrival: None, kills_velocity: true, barrier };
///         }
///         self.ground.sweep(mover, from, to, obstacles, touched)
///     }
///
///     fn place(
///         &self,
///         mover: &Mover<'_>,
///         at: &CellPosition,
///         slide: bool,
///         obstacles: &dyn Obstacles,
///         touched: &mut Vec<Touch>,
///     ) -> Result<Arrival, PlacementError> {
///         self.ground.place(mover, at, slide, obstacles, touched)
///     }
///
///     fn is_free(&self, body: Guid, at: &CellPosition, obstacles: &dyn Obstacles) -> bool {
///         self.ground.is_free(body, at, obstacles)
///     }
///
///     fn ground(&self, at: &CellPosition) -> Option<Contact> {
///         self.ground.ground(at)
///     }
/// }
///
/// let paddock = Paddock { ground: InfinitePlane::level(94.0), fence: 100.0 };
/// let settings = Settings { surroundings: Some(Arc::new(paddock)), ..Settings::default() };
/// let world = World::with_settings(Assets::mannequin(), settings);
/// # let _ = world;
/// ```
pub trait Surroundings {
    /// Sweeps a body from one position to another through the static world and `obstacles`: other bodies, doors, and
    /// whatever else comes and goes. The obstacles it touches are put into `touched`, each once, in order.
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

    /// Runs a [`sweep`](Self::sweep) and records what happens in it. `None` if these surroundings do not record that.
    fn trace_sweep(
        &self,
        mover: &Mover<'_>,
        from: &CellPosition,
        to: &CellPosition,
        obstacles: &dyn Obstacles,
    ) -> Option<SweepTrace> {
        let _ = (mover, from, to, obstacles);
        None
    }

    /// Finds a free position for a body at or near `at`, regardless of where it was before (`docs/collision.md` 10). With
    /// `slide` it may end up to 4 m away.
    ///
    /// # Errors
    ///
    /// Returns [`PlacementError`] if there is no free position, or no cell at it.
    #[doc(alias = "SetPosition")]
    fn place(
        &self,
        mover: &Mover<'_>,
        at: &CellPosition,
        slide: bool,
        obstacles: &dyn Obstacles,
        touched: &mut Vec<Touch>,
    ) -> Result<Arrival, PlacementError>;

    /// Returns `true` if no other obstacle overlaps the body, which is an obstacle itself (rule C20,
    /// `docs/collision.md` 8.6).
    #[doc(alias = "ethereal_check_for_collisions")]
    fn is_free(&self, body: Guid, at: &CellPosition, obstacles: &dyn Obstacles) -> bool;

    /// Returns the ground above or below a position; `None` if there is none.
    fn ground(&self, at: &CellPosition) -> Option<Contact>;

    /// Returns what is below a position: the surface that a body dropped there would land on. `None` if there is none.
    /// By default it is the [`ground`](Self::ground), whether it is above or below.
    fn find_ground(&self, at: &CellPosition, obstacles: &dyn Obstacles) -> Option<GroundHit> {
        let _ = obstacles;
        ground_of_plane(at, self.ground(at)?)
    }

    /// Returns the first thing on a straight line between two positions; `None` if one is visible from the other. By
    /// default only the [`ground`](Self::ground) at `from` counts, as an endless plane.
    fn find_obstruction(
        &self,
        from: &CellPosition,
        to: &CellPosition,
        obstacles: &dyn Obstacles,
    ) -> Option<Obstruction> {
        let _ = obstacles;
        obstruction_of_plane(from, to, self.ground(from)?)
    }

    /// Returns the height of the land at a position, in metres; `None` if there is none. By default it is that of the
    /// [`ground`](Self::ground).
    fn land_height(&self, at: &CellPosition) -> Option<f32> {
        ground_of_plane(at, self.ground(at)?).map(|ground| ground.height())
    }

    /// Returns the rooms that are visible from a cell. None are known by default.
    fn visible_rooms(&self, cell: CellId) -> &[CellId] {
        let _ = cell;
        NO_CELLS
    }

    /// Returns `true` if a cell exists. A body in a cell that does not exist cannot be swept.
    fn has_cell(&self, cell: CellId) -> bool {
        let _ = cell;
        true
    }

    /// Returns a position in the cell that it is actually in; `None` if there is none (`docs/collision.md` 7.7).
    #[doc(alias = "AdjustPosition")]
    fn adjust_to_cell(&self, mover: &Mover<'_>, at: &CellPosition) -> Option<CellPosition> {
        let _ = mover;
        adjusted_to_cell(at).filter(|found| self.has_cell(found.cell))
    }

    /// Returns the restriction object of a cell, which decides which players may enter it; `None` if all may
    /// (`docs/collision.md` 8.7).
    #[doc(alias = "restriction_obj")]
    fn restriction(&self, cell: CellId) -> Option<Guid> {
        let _ = cell;
        None
    }

    /// Returns `true` if obstacles block bodies here. If they do not, the world keeps no lists of them.
    fn has_obstacles(&self) -> bool {
        true
    }

    /// Finds the cells in which an obstacle is listed, so that bodies swept through them meet it (`docs/collision.md` 8.1).
    #[doc(alias = "calc_cross_cells")]
    fn find_obstacle_cells(&self, obstacle: &Obstacle<'_>, cells: &mut CellArray) {
        cells.clear();
        cells.add(obstacle.position.cell);
    }
}

/// A surface that a body stands on.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Contact {
    /// The plane, in the axes of the cell's landblock.
    pub plane: Plane,
    /// The cell of the surface.
    pub cell: CellId,
    /// Whether the surface counts as water. The tops of spheres and cylinders do too (rule S2).
    pub is_water: bool,
}

/// The result of a sweep.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SweepResult {
    /// Where the body ended; `None` if the sweep failed and the body keeps its origin and its contact
    /// (`docs/collision.md` 2.10).
    pub arrival: Option<Arrival>,
    /// Whether the sweep stopped the body's velocity, even if it failed (`docs/collision.md` 3.9).
    pub kills_velocity: bool,
    /// What was in the way; `None` if nothing was, or if it is not known.
    pub barrier: Option<Barrier>,
}

/// Why a body could not be placed (rule C18, `docs/collision.md` 9.4, 10.2).
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum PlacementError {
    /// There is no free position. The collisions found while searching still count.
    NoRoom(Arrival),
    /// There is no cell at the position.
    NoCell,
}

/// Where a sweep or placement ended, and the contact found there (`docs/collision.md` 9).
#[derive(Clone, Copy, PartialEq, Debug)]
#[doc(alias = "CTransition")]
pub struct Arrival {
    /// The final position.
    pub position: CellPosition,
    /// Whether there is a cell at the position. A body without one is lost.
    pub in_cell: bool,
    /// The surface the body stands on. Only valid if `has_contact`, but copied to the body in any case (rule S2).
    pub contact: Contact,
    /// Whether the body stands on `contact`.
    pub has_contact: bool,
    /// The horizontal normal of the surface the body slides along. Only valid if `is_sliding`, but copied to the body
    /// in any case (rule S2).
    pub sliding_normal: Vec3,
    /// Whether the body slides along `sliding_normal`.
    pub is_sliding: bool,
    /// The normal of what the body hit, if it hit anything.
    pub collision_normal: Option<Vec3>,
    /// How many sub-steps in a row its fall has been stopped: 0 to 3.
    pub frames_stationary_fall: u8,
    /// Whether the body hit the environment rather than an object.
    pub collided_with_environment: bool,
}

impl Arrival {
    /// Creates an arrival at a position in a cell, with no contact and no collision.
    pub const fn without_contact(position: CellPosition) -> Self {
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

/// Surroundings without any geometry: bodies fall for ever, and a body that stood loses contact.
///
/// ```
/// use std::sync::Arc;
///
/// use acmotion::dat::Assets;
/// use acmotion::scene::OpenAir;
/// use acmotion::types::{CellId, CellPosition, Guid, Vec3};
/// use acmotion::{EntitySpec, Settings, World};
///
/// # fn main() -> Result<(), acmotion::SpawnError> {
/// let settings = Settings { surroundings: Some(Arc::new(OpenAir)), ..Settings::default() };
/// let mut world = World::with_settings(Assets::mannequin(), settings);
/// let high = CellPosition::at(CellId(0xA9B4_0001), Vec3::new(12.0, 12.0, 94.0));
/// let id = world.spawn(&EntitySpec::new(Guid(0x8000_0001), high), 0.0)?;
/// for tick in 1..=30 {
///     world.tick(f64::from(tick) / 30.0);
/// }
/// let body = &world.get(id).expect("it was just spawned").entity().body;
/// assert!(body.position.frame.origin.z < 91.0 && !body.is_standing(), "it falls");
/// # Ok(())
/// # }
/// ```
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
        let arrival = adjusted_to_cell(to).map(Arrival::without_contact);
        SweepResult { arrival, kills_velocity: false, barrier: None }
    }

    fn place(
        &self,
        _mover: &Mover<'_>,
        at: &CellPosition,
        _slide: bool,
        _obstacles: &dyn Obstacles,
        _touched: &mut Vec<Touch>,
    ) -> Result<Arrival, PlacementError> {
        adjusted_to_cell(at).map(Arrival::without_contact).ok_or(PlacementError::NoCell)
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

//! Questions to a scene: what is below a point, what lies between two, which cells are visible, where a shape can stand
//! and how it would move. None of them allocates.

use acmotion_dat::Sphere;
use acmotion_types::{CellId, CellPosition, EPS, Vec3};

use super::line_query::{Counted, LineHit, LineQuery};
use super::{Cell, CellArray, RoomSearch, Scene};
use crate::collide::geometry::{Line, Span};
use crate::collide::question::{END_MARGIN, NO_CELLS, can_stand_at, sweep_shape};
use crate::collide::{
    GroundHit, LANDING_Z, NoObstacles, Obstacles, Obstruction, Plane, Shape, StandError, Surface, SurfaceHit,
    SweepKind, SweepResult,
};

/// The height above a point, in metres, up to which ground counts as below it.
const GROUND_TOLERANCE: f32 = 0.05;
/// The maximum depth at which ground is searched for, in metres. The land is less than 600 m high.
const MAX_DROP: f32 = 1_000.0;
/// The maximum height, in metres, by which land above the floor of a room is taken to be the same surface.
const SAME_SURFACE: f32 = 0.001;

impl Scene {
    /// Returns the height of the land at a position outdoors, in metres, whatever is built on it. `None` for a position
    /// in a room, and where there is no land.
    ///
    /// ```
    /// # use acmotion::{dat::{Assets, mannequin::town::landmarks}, scene::Scene};
    /// # fn main() -> Result<(), acmotion::scene::LoadError> {
    /// let scene = Scene::load(&Assets::mannequin(), &Assets::town())?;
    /// let town = landmarks();
    /// let height = scene.height_at(&town.hill_top).expect("the hill is outdoors");
    /// assert!((height - town.hill_top.frame.origin.z).abs() < 0.01);
    /// assert_eq!(scene.height_at(&town.cellar), None);
    /// # Ok(())
    /// # }
    /// ```
    pub fn height_at(&self, position: &CellPosition) -> Option<f32> {
        if position.cell.is_indoor() {
            return None;
        }
        let position = position.adjusted_to_outside()?;
        self.land(position.cell)?.height_at(position.frame.origin)
    }

    /// Returns what is below a position: the first surface that faces up, land, floor, building or scenery, and at most
    /// 5 cm above it. This is what a point dropped there lands on; a body, which is wider, may land on the edge of something
    /// higher. `None` if there is nothing below, or no cell at the position.
    ///
    /// The search goes by cells. In a room it leads through portals to rooms below, and to the land if a portal leads
    /// outside; on land it leads into the building of the cell. Outdoors, land counts even if the position is below it,
    /// because nothing else is there. The surface may be too steep to stand on; see
    /// [`is_walkable`](GroundHit::is_walkable).
    ///
    /// ```
    /// # use acmotion::{dat::{Assets, mannequin::town::landmarks}, scene::{Scene, Surface}};
    /// # fn main() -> Result<(), acmotion::scene::LoadError> {
    /// let scene = Scene::load(&Assets::mannequin(), &Assets::town())?;
    /// let mut above = landmarks().cellar;
    /// above.frame.origin.z += 1.5;
    /// let floor = scene.ground_at(&above).expect("the cellar has a floor");
    /// assert_eq!(floor.surface, Surface::Room);
    /// assert!((floor.height() - landmarks().cellar.frame.origin.z).abs() < 0.01);
    /// # Ok(())
    /// # }
    /// ```
    pub fn ground_at(&self, position: &CellPosition) -> Option<GroundHit> {
        self.ground_among(position, &NoObstacles)
    }

    /// Returns what is below a position, as [`ground_at`](Self::ground_at) does, obstacles included.
    pub(super) fn ground_among(
        &self,
        position: &CellPosition,
        obstacles: &dyn Obstacles,
    ) -> Option<GroundHit> {
        let lifted = |by: f32| {
            let mut lifted = *position;
            lifted.frame.origin.z += by;
            lifted
        };
        let start = self.find_cell(&lifted(GROUND_TOLERANCE)).or_else(|| {
            let found = self.find_cell(position)?;
            Some(CellPosition::new(found.cell, {
                let mut frame = found.frame;
                frame.origin.z += GROUND_TOLERANCE;
                frame
            }))
        })?;
        let line = Line { from: start.frame.origin, along: Vec3::new(0.0, 0.0, -MAX_DROP) };
        let span = Span { from: 0.0, to: 1.0 };
        let mut query = LineQuery::new(self, obstacles, start.cell, line, span, Counted::Ground);
        query.start_in(start.cell);
        query.test_rooms();
        query.test_land();
        let solid = query.found.map(|hit| self.ground_hit(&query, &hit, position));
        let land = self.land_below(&start, &query);
        match (solid, land) {
            (Some(solid), Some(land)) => {
                let is_land = land.height() <= start.frame.origin.z + land.depth
                    && land.standing_height() > solid.height() + SAME_SURFACE;
                Some(if is_land { land } else { solid })
            }
            (solid, land) => solid.or(land),
        }
    }

    /// Returns the land at the foot of a query that leads straight down, if that is outdoors.
    fn land_below(&self, start: &CellPosition, query: &LineQuery<'_>) -> Option<GroundHit> {
        if !query.is_outdoors {
            return None;
        }
        let mut position = start.adjusted_to_outside()?;
        let land = self.land(position.cell)?;
        let ground = land.ground_at(position.frame.origin)?;
        let height = height_on(&ground.plane, position.frame.origin);
        let share = (start.frame.origin.z - height) / MAX_DROP;
        let is_below = share >= 0.0;
        // Seen from a room, only land below counts; and land inside of a room is not there at all.
        let counts = if is_below { query.is_outdoors_at(share) } else { start.cell.is_outdoor() };
        position.frame.origin.z = height;
        (counts && ground.plane.normal.z > LANDING_Z).then_some(GroundHit {
            position,
            plane: ground.plane,
            surface: Surface::Land,
            depth: ground.depth,
        })
    }

    fn ground_hit(&self, query: &LineQuery<'_>, hit: &LineHit, asked: &CellPosition) -> GroundHit {
        let mut position = query.position(hit.share, hit.cell);
        position.frame.rotation = asked.frame.rotation;
        let plane = Plane::through(position.frame.origin, hit.normal);
        GroundHit { position, plane, surface: hit.surface, depth: 0.0 }
    }

    /// Checks whether one position is visible from another: nothing of the land, buildings, rooms or scenery is on the
    /// straight line between them. The line goes through portals, which are open. It has no width, and surfaces obstruct it
    /// from both sides, so that the answer is the same in both directions. Surfaces within 1 cm of either end do not count.
    /// Give the height of the eyes, not of the feet.
    ///
    /// Only the cells along the line are looked at, and at most 256 rooms.
    ///
    /// # Errors
    /// Returns the first thing in the way, or [`Obstruction::Unconnected`] if no cells lead from one position to the other.
    ///
    /// ```
    /// # use acmotion::{dat::{Assets, mannequin::town::landmarks}, scene::{Scene, Surface}};
    /// # use acmotion::types::CellPosition;
    /// # fn main() -> Result<(), acmotion::scene::LoadError> {
    /// let scene = Scene::load(&Assets::mannequin(), &Assets::town())?;
    /// let eyes = |mut position: CellPosition| {
    ///     position.frame.origin.z += 1.5;
    ///     position
    /// };
    /// let town = landmarks();
    /// let (outside, hall, cellar) = (eyes(town.spawn), eyes(town.hall), eyes(town.cellar));
    /// assert!(scene.line_of_sight(&hall, &hall).is_ok());
    /// assert!(scene.line_of_sight(&outside, &cellar).is_err());
    /// # Ok(())
    /// # }
    /// ```
    pub fn line_of_sight(&self, from: &CellPosition, to: &CellPosition) -> Result<(), Obstruction> {
        self.obstruction_among(from, to, &NoObstacles).map_or(Ok(()), Err)
    }

    /// Returns what is between two positions, as [`line_of_sight`](Self::line_of_sight) does, obstacles included.
    pub(super) fn obstruction_among(
        &self,
        from: &CellPosition,
        to: &CellPosition,
        obstacles: &dyn Obstacles,
    ) -> Option<Obstruction> {
        let (Some(from), Some(to)) = (self.find_cell(from), self.find_cell(to)) else {
            return Some(Obstruction::Unconnected);
        };
        let line = Line { from: from.frame.origin, along: from.offset_to(&to) };
        let length = line.along.length();
        let margin = if length > 2.0 * END_MARGIN { END_MARGIN / length } else { 0.5 };
        let span = Span { from: margin, to: 1.0 - margin };
        let mut query = LineQuery::new(self, obstacles, from.cell, line, span, Counted::All);
        let ends = [query.start_in(from.cell), query.start_in(to.cell)];
        if length > 2.0 * END_MARGIN {
            query.test_rooms();
            query.test_land();
        }
        if let Some(LineHit { share, normal, cell, surface }) = query.found {
            let position = query.position(share, cell);
            let normal = if normal.dot(line.along) > 0.0 { -normal } else { normal };
            return Some(Obstruction::Surface(SurfaceHit { position, normal, share, surface }));
        }
        let [Some(start), Some(end)] = ends else { return Some(Obstruction::Unconnected) };
        let is_connected =
            !query.rooms.is_full && (length <= 2.0 * END_MARGIN || query.rooms.are_connected(start, end));
        (!is_connected).then_some(Obstruction::Unconnected)
    }

    /// Sweeps a shape from one position to another through the scene, past nothing else, as a body with that shape would
    /// move (`docs/collision.md` 2 and 3). The positions are those of the origin of the shape: for the shape of a creature,
    /// its feet. The result says where it ends, and what it stands on and hit there.
    ///
    /// ```
    /// # use acmotion::{dat::{Assets, mannequin::town::landmarks}, scene::{Scene, Shape, SweepKind}};
    /// # fn main() -> Result<(), acmotion::scene::LoadError> {
    /// let scene = Scene::load(&Assets::mannequin(), &Assets::town())?;
    /// let from = landmarks().spawn;
    /// let mut to = from;
    /// to.frame.origin.x += 1.0;
    /// let swept = scene.sweep_shape(&Shape::human(), &from, &to, SweepKind::Walk);
    /// let arrival = swept.arrival.expect("nothing is in the way");
    /// assert!(arrival.has_contact && arrival.position.distance_to(&to) < 0.01);
    /// # Ok(())
    /// # }
    /// ```
    pub fn sweep_shape(
        &self,
        shape: &Shape,
        from: &CellPosition,
        to: &CellPosition,
        kind: SweepKind,
    ) -> SweepResult {
        sweep_shape(self, shape, [from, to], kind, &NoObstacles, &mut Vec::new())
    }

    /// Checks whether a body with a shape could stand at a position, by the rules of placement (`docs/collision.md` 10):
    /// the space is free, and there is walkable ground within a step below. Returns the position at which it would stand.
    ///
    /// # Errors
    /// Returns an error if there is no cell, no room or no such ground.
    pub fn can_stand_at(&self, shape: &Shape, position: &CellPosition) -> Result<CellPosition, StandError> {
        can_stand_at(self, shape, position, &NoObstacles, &mut Vec::new())
    }

    /// Returns the rooms that are visible from a cell: for a room those listed in the dat file, in that order; for a land
    /// cell those visible through the portals of its building. Land is visible from every land cell, and from rooms for
    /// which [`sees_outside`](Self::sees_outside) returns `true`. Empty if the cell is not in the scene.
    #[doc(alias = "stab_list")]
    pub fn visible_cells(&self, cell: CellId) -> &[CellId] {
        match self.cell(cell) {
            Some(Cell::Room(room)) => &room.visible,
            Some(Cell::Land(land)) => land.building().map_or(NO_CELLS, |building| &building.visible),
            None => NO_CELLS,
        }
    }

    /// Returns `true` if the outdoors are visible from a cell.
    #[doc(alias = "seen_outside")]
    pub fn sees_outside(&self, cell: CellId) -> bool {
        self.cell(cell).is_some_and(|cell| match cell {
            Cell::Room(room) => room.seen_outside,
            Cell::Land(_) => true,
        })
    }

    /// Returns a position in the cell that its origin is actually in. A room takes precedence over land. It is found if it
    /// is connected to the cell named by the position, or visible from it or from its building (`docs/collision.md` 7.1,
    /// 7.7). `None` if there is no such cell.
    pub fn find_cell(&self, position: &CellPosition) -> Option<CellPosition> {
        let mut position = *position;
        if !position.frame.origin.is_finite() {
            return None;
        }
        if !position.cell.is_room() {
            position = position.adjusted_to_outside()?;
        }
        let point = Sphere { origin: position.frame.origin, radius: EPS };
        let mut cells = CellArray::default();
        let mut found = self.find_cell_list(&position, &[point], &mut cells).cell;
        if found.is_none_or(CellId::is_outdoor) {
            let contains = |id: &&CellId| {
                let room = self.room(**id);
                room.is_some_and(|room| room.contains(point.origin - position.cell.block_offset(**id)))
            };
            found = self.visible_cells(position.cell).iter().find(contains).copied().or(found);
        }
        match found {
            Some(cell) => {
                position.frame.origin -= position.cell.block_offset(cell);
                position.cell = cell;
            }
            None => {
                self.adjust_position(&mut position, Vec3::ZERO, RoomSearch::Visible)?;
            }
        }
        Some(position)
    }
}

/// Returns the height of a plane that is not vertical at a point's x and y.
pub(super) fn height_on(plane: &Plane, Vec3 { x, y, .. }: Vec3) -> f32 {
    -(plane.normal.x * x + plane.normal.y * y + plane.d) / plane.normal.z
}

//! The ground of a body on unknown terrain: level, at the height at which the body was last reported standing. Missiles and
//! bodies reported in the air have none.

use acmotion_types::{CellId, CellPosition, Guid, Vec3};

use super::{Resident, Settings};
use crate::collide::scene::CellArray;
use crate::collide::{
    Arrival, Contact, GroundHit, InfinitePlane, Mover, Obstacle, Obstacles, Obstruction, OpenAir,
    PlacementError, Plane, Surroundings, SweepResult, SweepTrace, Touch,
};

impl Settings {
    /// Returns the surroundings of a body with that fallback ground. `partial` is storage for surroundings that combine
    /// the known ones with that ground.
    #[inline]
    pub(super) fn surroundings_of<'a>(
        &'a self,
        ground: &'a FallbackGround,
        partial: &'a mut Option<PartialSurroundings<'a>>,
    ) -> &'a dyn Surroundings {
        match &self.surroundings {
            Some(known) if !self.level_where_unknown => &**known,
            Some(known) if !ground.replaces_surroundings => {
                partial.insert(PartialSurroundings { known: &**known, ground: ground.as_surroundings() })
            }
            _ => ground.as_surroundings(),
        }
    }

    /// Returns the ground of a body with that fallback ground, if that is level and there is nothing else around it.
    #[inline]
    pub(super) fn level_ground_of<'a>(&self, ground: &'a FallbackGround) -> Option<&'a InfinitePlane> {
        let replaces = match &self.surroundings {
            None => true,
            Some(_) => self.level_where_unknown && ground.replaces_surroundings,
        };
        (replaces && !ground.is_open).then_some(&ground.level)
    }

    /// Returns `true` if a body reported standing at a position stands on level ground, because the surroundings do not
    /// know its cell or their ground is too far away to be what it stands on.
    fn is_level_at(&self, position: &CellPosition) -> bool {
        let Some(known) = &self.surroundings else { return true };
        if !self.level_where_unknown {
            return false;
        }
        let Vec3 { x, y, z } = position.frame.origin;
        let is_far = |contact: Contact| {
            let Plane { normal, d } = contact.plane;
            (z + (normal.x * x + normal.y * y + d) / normal.z).abs() > MAX_HEIGHT_ABOVE_LAND
        };
        !known.has_cell(position.cell)
            || (position.cell.is_outdoor() && known.ground(position).is_none_or(is_far))
    }
}

/// The maximum distance, in metres, above or below the land at which a body is taken to stand on it, or on a building:
/// no building is higher. Farther away, the body stands on land that is not available.
const MAX_HEIGHT_ABOVE_LAND: f32 = 20.0;

/// The level ground of a body, or none.
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct FallbackGround {
    level: InfinitePlane,
    /// Whether the level ground is used instead of the surroundings.
    replaces_surroundings: bool,
    /// Whether there is no ground, because the body is in the air and its height is no hint of where the ground is.
    is_open: bool,
}

impl FallbackGround {
    #[inline]
    fn as_surroundings(&self) -> &dyn Surroundings {
        if self.is_open { &OpenAir } else { &self.level }
    }
}

impl Default for FallbackGround {
    fn default() -> Self {
        Self { level: InfinitePlane::level(0.0), replaces_surroundings: false, is_open: false }
    }
}

impl Resident {
    /// Returns the fallback ground for a position at which the body is reported standing.
    #[inline]
    pub(super) fn ground_reported_at(&self, position: &CellPosition, settings: &Settings) -> FallbackGround {
        if !settings.is_level_at(position) {
            return FallbackGround { replaces_surroundings: false, is_open: false, ..self.ground };
        }
        let foot = self.entity.shape.foot() * self.entity.body.scale;
        let level = InfinitePlane::level(position.frame.origin.z + foot);
        FallbackGround { level, replaces_surroundings: true, is_open: false }
    }

    /// Adjusts the fallback ground to a position at which the body is reported standing. If that ground is used, a body
    /// that stands, or would be below it, is set on it at once; one in the air will land on it.
    #[inline]
    pub(super) fn set_reported(&mut self, position: &CellPosition, settings: &Settings) {
        self.set_reported_on(position, None, settings);
    }

    /// Does what [`set_reported`](Self::set_reported) does. The fallback ground is not level, but rises by a `slope` towards
    /// east and north, in metres a metre.
    #[inline]
    pub(super) fn set_reported_on(
        &mut self,
        position: &CellPosition,
        slope: Option<[f32; 2]>,
        settings: &Settings,
    ) {
        self.ground = self.ground_reported_at(position, settings);
        if !self.ground.replaces_surroundings {
            return;
        }
        if let Some([east, north]) = slope {
            let mut foot = *position;
            foot.frame.origin.z = -self.ground.level.seen_from(position.cell).d;
            let tilted = InfinitePlane::through(&foot, Vec3::new(-east, -north, 1.0));
            self.ground.level = tilted.unwrap_or(self.ground.level);
        }
        let reported_z = position.frame.origin.z;
        let body = &mut self.entity.body;
        if !body.is_in_cell() || !(body.is_standing() || body.position.frame.origin.z < reported_z) {
            return;
        }
        body.position.frame.origin.z = reported_z;
        if let Some(contact) = self.ground.level.ground(&body.position).filter(|_| body.has_contact()) {
            body.contact_plane = contact.plane;
        }
    }

    /// Removes the fallback ground of a body that is in the air. Known surroundings still apply to it.
    pub(super) fn set_airborne(&mut self, settings: &Settings) {
        self.ground.is_open = true;
        self.ground.replaces_surroundings = settings.surroundings.is_none();
    }

    /// Puts fallback ground under a missile that has hit something, because nothing else would support it.
    pub(super) fn end_flight(&mut self, settings: &Settings) {
        if self.ground.is_open {
            let position = self.position();
            self.set_reported(&position, settings);
        }
    }
}

impl Resident {
    /// Returns `true` if a position is below the fallback ground, and that ground is used.
    pub(super) fn is_below_ground(&self, position: &CellPosition) -> bool {
        let Vec3 { x, y, z } = position.frame.origin;
        let is_below = |Contact { plane: Plane { normal, d }, .. }: Contact| {
            normal.x * x + normal.y * y + normal.z * z + d < 0.0
        };
        self.ground.replaces_surroundings
            && !self.ground.is_open
            && self.ground.level.ground(position).is_some_and(is_below)
    }
}

/// Surroundings that know only part of the map; elsewhere the ground is level, or there is none.
pub(super) struct PartialSurroundings<'a> {
    known: &'a dyn Surroundings,
    ground: &'a dyn Surroundings,
}

impl Surroundings for PartialSurroundings<'_> {
    fn sweep(
        &self,
        mover: &Mover<'_>,
        from: &CellPosition,
        to: &CellPosition,
        obstacles: &dyn Obstacles,
        touched: &mut Vec<Touch>,
    ) -> SweepResult {
        if self.known.has_cell(from.cell) {
            let sweep = self.known.sweep(mover, from, to, obstacles, touched);
            if sweep.arrival.is_none_or(|arrival| arrival.in_cell) {
                return sweep;
            }
        }
        self.ground.sweep(mover, from, to, obstacles, touched)
    }

    fn trace_sweep(
        &self,
        mover: &Mover<'_>,
        from: &CellPosition,
        to: &CellPosition,
        obstacles: &dyn Obstacles,
    ) -> Option<SweepTrace> {
        if self.known.has_cell(from.cell) {
            let trace = self.known.trace_sweep(mover, from, to, obstacles)?;
            if trace.result.arrival.is_none_or(|arrival| arrival.in_cell) {
                return Some(trace);
            }
        }
        self.ground.trace_sweep(mover, from, to, obstacles)
    }

    fn place(
        &self,
        mover: &Mover<'_>,
        at: &CellPosition,
        slide: bool,
        obstacles: &dyn Obstacles,
        touched: &mut Vec<Touch>,
    ) -> Result<Arrival, PlacementError> {
        match self.known.place(mover, at, slide, obstacles, touched) {
            Ok(Arrival { in_cell: false, .. }) => self.ground.place(mover, at, slide, obstacles, touched),
            placed => placed,
        }
    }

    fn is_free(&self, body: Guid, at: &CellPosition, obstacles: &dyn Obstacles) -> bool {
        self.known.is_free(body, at, obstacles)
    }

    fn ground(&self, at: &CellPosition) -> Option<Contact> {
        if self.known.has_cell(at.cell) { self.known.ground(at) } else { self.ground.ground(at) }
    }

    fn find_ground(&self, at: &CellPosition, obstacles: &dyn Obstacles) -> Option<GroundHit> {
        let ground = if self.known.has_cell(at.cell) { self.known } else { self.ground };
        ground.find_ground(at, obstacles)
    }

    fn find_obstruction(
        &self,
        from: &CellPosition,
        to: &CellPosition,
        obstacles: &dyn Obstacles,
    ) -> Option<Obstruction> {
        let is_known = self.known.has_cell(from.cell) && self.known.has_cell(to.cell);
        let surroundings = if is_known { self.known } else { self.ground };
        surroundings.find_obstruction(from, to, obstacles)
    }

    fn land_height(&self, at: &CellPosition) -> Option<f32> {
        let ground = if self.known.has_cell(at.cell) { self.known } else { self.ground };
        ground.land_height(at)
    }

    fn visible_rooms(&self, cell: CellId) -> &[CellId] {
        self.known.visible_rooms(cell)
    }

    fn has_cell(&self, cell: CellId) -> bool {
        self.known.has_cell(cell) || self.ground.has_cell(cell)
    }

    fn adjust_to_cell(&self, mover: &Mover<'_>, at: &CellPosition) -> Option<CellPosition> {
        self.known.adjust_to_cell(mover, at).or_else(|| self.ground.adjust_to_cell(mover, at))
    }

    fn restriction(&self, cell: CellId) -> Option<Guid> {
        self.known.restriction(cell)
    }

    fn has_obstacles(&self) -> bool {
        self.known.has_obstacles()
    }

    fn find_obstacle_cells(&self, obstacle: &Obstacle<'_>, cells: &mut CellArray) {
        self.known.find_obstacle_cells(obstacle, cells);
    }
}

//! The ground of a body whose terrain is not at hand: level, at the height at which it was last reported standing.

use acmotion_types::{CellId, CellPosition, Guid, Vec3};

use super::{Resident, Settings};
use crate::body::{Arrival, Contact, InfinitePlane, Mover, PlacementError, Plane, Surroundings, SweepResult};
use crate::collide::scene::CellArray;
use crate::collide::{Obstacle, Obstacles, Touch};

impl Settings {
    /// What is around a body that otherwise has that ground.
    #[inline]
    pub(super) fn surroundings_of<'a>(
        &'a self,
        ground: &'a FallbackGround,
        partly: &'a mut Option<PartialSurroundings<'a>>,
    ) -> &'a dyn Surroundings {
        match &self.surroundings {
            Some(known) if !self.level_where_unknown => &**known,
            Some(known) if !ground.is_alone => {
                partly.insert(PartialSurroundings { known: &**known, ground: &ground.level })
            }
            _ => &ground.level,
        }
    }

    /// Has a body that was reported standing there level ground, because nothing else is known of the place, or what is
    /// known cannot be what it stands on?
    fn is_level_at(&self, place: &CellPosition) -> bool {
        let Some(known) = &self.surroundings else { return true };
        if !self.level_where_unknown {
            return false;
        }
        let Vec3 { x, y, z } = place.frame.origin;
        let is_far = |contact: Contact| {
            let Plane { normal, d } = contact.plane;
            (z + (normal.x * x + normal.y * y + d) / normal.z).abs() > FAR_ABOVE
        };
        !known.knows(place.cell) || (place.cell.is_outdoor() && known.ground(place).is_none_or(is_far))
    }
}

/// Who is reported standing so far above or below the land, in metres, stands on other land: no house is so high.
const FAR_ABOVE: f32 = 20.0;

/// The level ground of one body.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct FallbackGround {
    level: InfinitePlane,
    /// Is it all there is, whatever the surroundings?
    is_alone: bool,
}

impl Default for FallbackGround {
    fn default() -> Self {
        Self { level: InfinitePlane::level(0.0), is_alone: false }
    }
}

impl Resident {
    /// It was reported standing there. Where the ground is level, a body that stands, or would be below ground, is set on
    /// the new ground at once; one in the air will land on it.
    pub(super) fn set_reported(&mut self, place: &CellPosition, settings: &Settings) {
        self.ground.is_alone = settings.is_level_at(place);
        if !self.ground.is_alone {
            return;
        }
        let shape = &self.entity.shape;
        let body = &mut self.entity.body;
        // The lowest point of the foot's sphere touches the ground, a little below or above the origin.
        let foot = shape.spheres().first().map_or(0.0, |sphere| sphere.origin.z - sphere.radius) * body.scale;
        self.ground.level = InfinitePlane::level(place.frame.origin.z + foot);
        if !body.is_in_cell() || !(body.is_standing() || body.position.frame.origin.z < place.frame.origin.z)
        {
            return;
        }
        body.position.frame.origin.z = place.frame.origin.z;
        if let Some(contact) = self.ground.level.ground(&body.position).filter(|_| body.has_contact()) {
            body.contact_plane = contact.plane;
        }
    }
}

/// Surroundings of which only a part is known; beyond it the ground is level.
pub(super) struct PartialSurroundings<'a> {
    known: &'a dyn Surroundings,
    ground: &'a InfinitePlane,
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
        if self.known.knows(from.cell) {
            let sweep = self.known.sweep(mover, from, to, obstacles, touched);
            if sweep.arrival.is_none_or(|arrival| arrival.in_cell) {
                return sweep;
            }
        }
        self.ground.sweep(mover, from, to, obstacles, touched)
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
        if self.known.knows(at.cell) { self.known.ground(at) } else { self.ground.ground(at) }
    }

    fn knows(&self, cell: CellId) -> bool {
        self.known.knows(cell) || self.ground.knows(cell)
    }

    fn has_obstacles(&self) -> bool {
        self.known.has_obstacles()
    }

    fn cells_of(&self, obstacle: &Obstacle<'_>, cells: &mut CellArray) {
        self.known.cells_of(obstacle, cells);
    }
}

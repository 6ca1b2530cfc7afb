//! The land under a body (`docs/collision.md` 5.1).

use acmotion_types::{CellId, EPS, Vec3};

use super::transition::{Transition, TransitionState};
use super::{MoverFlags, Plane};

/// A piece of land, in the axes of its landblock.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Land {
    /// Its plane.
    pub plane: Plane,
    /// Is it water?
    pub is_water: bool,
    /// How deep bodies sink in.
    pub depth: f32,
    /// The cell that it is in.
    pub cell: CellId,
}

impl Transition<'_> {
    /// Tests the foot sphere, with its centre in the axes of the land's landblock, against a piece of land. Land counts for
    /// the lowest point of the sphere and pushes straight up.
    #[doc(alias = "validate_walkable")]
    pub fn test_land(&mut self, centre: Vec3, land: &Land) -> TransitionState {
        if self.is(MoverFlags::IS_VIEWER) {
            return self.test_land_for_viewer(centre, land);
        }
        let low = centre - Vec3::new(0.0, 0.0, self.path.radius());
        let distance = land.plane.distance(low) + land.depth;
        if distance > EPS {
            return TransitionState::Ok;
        }
        let is_below = distance < -EPS;
        if is_below && self.path.check_walkable {
            return TransitionState::Collided;
        }
        let is_stepping = self.path.step_down;
        let counts = is_stepping || !self.is(MoverFlags::ON_WALKABLE) || land.plane.is_walkable();
        if counts {
            self.info.set_contact(land.plane, land.is_water, land.cell);
        }
        let mut outcome = TransitionState::Ok;
        if is_below && counts {
            let lift = -distance / land.plane.normal.z;
            if is_stepping && !self.use_step(lift) {
                return TransitionState::Collided;
            }
            self.path.add_offset(Vec3::new(0.0, 0.0, lift));
            outcome = TransitionState::Adjusted;
        }
        if !self.is(MoverFlags::CONTACT) && !is_stepping {
            self.info.set_unit_collision_normal(land.plane.normal);
            self.info.collided_with_environment = true;
        }
        outcome
    }

    /// The camera is put back along its way to where its sphere touches the land.
    fn test_land_for_viewer(&mut self, centre: Vec3, land: &Land) -> TransitionState {
        let distance = land.plane.distance(centre) - self.path.radius();
        if distance > -EPS {
            return TransitionState::Ok;
        }
        let way = centre - self.path.current_centre[0];
        let time = distance / way.dot(land.plane.normal);
        let is_indoors = self.path.begin.is_some_and(|begin| begin.cell.is_indoor());
        if is_indoors && !(time > 0.0 && time <= 1.0) {
            return TransitionState::Ok;
        }
        // A way along the land gives no number, as in the original; then the place is in no cell, and is refused.
        self.path.add_offset(way * -time);
        self.info.set_collision_normal(land.plane.normal);
        self.info.collided_with_environment = true;
        TransitionState::Adjusted
    }

    /// A lift uses up the step that is under way; says whether there was enough of it (`docs/collision.md` 4.3).
    fn use_step(&mut self, lift: f32) -> bool {
        let left = self.path.shrunk_step(lift / self.path.step_left());
        self.path.walk_interp = left.unwrap_or(self.path.walk_interp);
        left.is_some()
    }
}

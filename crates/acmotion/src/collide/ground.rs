//! The test against land (`docs/collision.md` 5.1).

use acmotion_types::{CellId, EPS, Vec3};

use super::transition::{Transition, TransitionState};
use super::{MoverFlags, Plane};

/// A plane of land, in the axes of its landblock.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Land {
    /// The plane.
    pub plane: Plane,
    /// Whether the land counts as water.
    pub is_water: bool,
    /// How deep bodies sink in, in metres.
    pub depth: f32,
    /// The cell of the land.
    pub cell: CellId,
}

impl Transition<'_> {
    /// Tests the foot sphere against land; `centre` is in the axes of the land's landblock. The lowest point of the sphere
    /// counts, and land pushes straight up.
    #[doc(alias = "validate_walkable")]
    pub fn test_land(&mut self, centre: Vec3, land: &Land) -> TransitionState {
        if self.has(MoverFlags::IS_VIEWER) {
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
        let is_contact = is_stepping || !self.has(MoverFlags::ON_WALKABLE) || land.plane.is_walkable();
        if is_contact {
            self.info.set_contact(land.plane, land.is_water, land.cell);
        }
        let mut outcome = TransitionState::Ok;
        if is_below && is_contact {
            let lift = -distance / land.plane.normal.z;
            if is_stepping && !self.consume_step(lift) {
                return TransitionState::Collided;
            }
            self.path.add_offset(Vec3::new(0.0, 0.0, lift));
            outcome = TransitionState::Adjusted;
        }
        if !self.has(MoverFlags::CONTACT) && !is_stepping {
            self.info.set_unit_collision_normal(land.plane.normal);
            self.info.collided_with_environment = true;
        }
        outcome
    }

    /// Moves the camera back along its path to where its sphere touches the land.
    fn test_land_for_viewer(&mut self, centre: Vec3, land: &Land) -> TransitionState {
        let distance = land.plane.distance(centre) - self.path.radius();
        if distance > -EPS {
            return TransitionState::Ok;
        }
        let movement = centre - self.path.current_centre[0];
        let time = distance / movement.dot(land.plane.normal);
        let is_indoors = self.path.begin.is_some_and(|begin| begin.cell.is_indoor());
        if is_indoors && !(time > 0.0 && time <= 1.0) {
            return TransitionState::Ok;
        }
        // A movement along the land gives NaN or infinity, as in the original. The position is then in no cell and is
        // refused.
        self.path.add_offset(movement * -time);
        self.info.set_collision_normal(land.plane.normal);
        self.info.collided_with_environment = true;
        TransitionState::Adjusted
    }

    /// Uses up part of the step in progress for a lift. Returns `false` if that is too much (`docs/collision.md` 4.3).
    fn consume_step(&mut self, lift: f32) -> bool {
        let interp = self.path.step_after(lift / self.path.remaining_step());
        self.path.walk_interp = interp.unwrap_or(self.path.walk_interp);
        interp.is_some()
    }
}

//! The end of a sub-step (`docs/collision.md` 3.9).

use acmotion_types::EPS;
use acmotion_wire::PhysicsState;

use super::transition::{Transition, TransitionState, UP};
use super::{MoverFlags, Plane};

/// The number of stopped sub-steps in a row after which a falling body counts as standing.
const MAX_STATIONARY_FRAMES: u8 = 3;

impl Transition<'_> {
    /// Accepts the check position or reverts to the current one, then records what the body stands on and slides along.
    pub(super) fn validate_transition(&mut self, outcome: TransitionState) -> TransitionState {
        let mut result = outcome;
        let moved = match outcome {
            TransitionState::Ok => self.accept_check(),
            TransitionState::Invalid => true,
            _ => {
                result = TransitionState::Ok;
                self.revert()
            }
        };
        if self.info.collision_valid {
            self.info.set_sliding_normal(self.info.collision_normal);
        }
        if !self.has(MoverFlags::IS_VIEWER) && self.mover.state.contains(PhysicsState::GRAVITY) {
            self.count_stationary_fall(moved);
        }
        self.info.last_known_valid = self.info.contact_valid;
        self.info.last_known = self.info.contact;
        self.flags.set(MoverFlags::CONTACT, self.info.contact_valid);
        let walkable = self.info.contact_valid && self.info.contact.plane.is_walkable();
        self.flags.set(MoverFlags::ON_WALKABLE, walkable);
        result
    }

    /// Accepts the check position. Returns `true` if the body has moved.
    fn accept_check(&mut self) -> bool {
        let (check, current) = (&self.path.check, &self.path.current);
        let is_same = check.cell == current.cell && check.frame.is_close_to(&current.frame);
        self.path.accept_check();
        !is_same
    }

    /// Reverts a sub-step that was refused. A body that stood on something still does. Returns `true` if that counts as
    /// moved.
    fn revert(&mut self) -> bool {
        let mut moved = false;
        if self.info.last_known_valid {
            self.kill_velocity();
            let last = self.info.last_known;
            // Without the offset between landblocks, as in the original.
            let distance = last.plane.distance(self.path.current_centre[0]);
            if distance.abs() < self.path.radius() + EPS {
                self.info.contact_valid = true;
                self.info.contact = last;
                moved = self.has(MoverFlags::ON_WALKABLE);
            }
        }
        if !self.info.collision_valid {
            self.info.set_collision_normal(UP);
        }
        self.path.check_current();
        self.build_cell_array();
        moved
    }

    /// Counts the sub-steps in which a falling body did not move. At the third it is given a floor to stand on.
    fn count_stationary_fall(&mut self, moved: bool) {
        let count = &mut self.info.frames_stationary_fall;
        *count = if moved { 0 } else { (*count + 1).min(MAX_STATIONARY_FRAMES) };
        if *count != MAX_STATIONARY_FRAMES {
            return;
        }
        let floor = Plane::new(UP, self.path.radius() - self.path.global[0].origin.z);
        self.info.set_contact(floor, false, self.path.check.cell);
        if !self.has(MoverFlags::CONTACT) {
            self.info.set_collision_normal(UP);
            self.info.collided_with_environment = true;
        }
    }
}

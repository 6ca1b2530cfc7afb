//! What a sub-step leaves behind (`docs/collision.md` 3.9).

use acmotion_types::EPS;
use acmotion_wire::PhysicsState;

use super::transition::{Transition, TransitionState, UP};
use super::{MoverFlags, Plane};

/// How often a fall is stopped before the body counts as standing.
const STUCK: u8 = 3;

impl Transition<'_> {
    /// Takes over the place that was tried, or goes back; then notes what the body stands on and slides along.
    pub(super) fn validate_transition(&mut self, outcome: TransitionState) -> TransitionState {
        let mut result = outcome;
        let moved = match outcome {
            TransitionState::Ok => self.accept(),
            TransitionState::Invalid => true,
            _ => {
                result = TransitionState::Ok;
                self.go_back()
            }
        };
        if self.info.collision_valid {
            self.info.set_sliding_normal(self.info.collision_normal);
        }
        if !self.is(MoverFlags::IS_VIEWER) && self.mover.state.contains(PhysicsState::GRAVITY) {
            self.count_stationary_fall(moved);
        }
        self.info.last_known_valid = self.info.contact_valid;
        self.info.last_known = self.info.contact;
        self.flags.set(MoverFlags::CONTACT, self.info.contact_valid);
        let walkable = self.info.contact_valid && self.info.contact.plane.is_walkable();
        self.flags.set(MoverFlags::ON_WALKABLE, walkable);
        result
    }

    /// Says whether the place is another one.
    fn accept(&mut self) -> bool {
        let (check, current) = (&self.path.check, &self.path.current);
        let stays = check.cell == current.cell && check.frame.is_close_to(&current.frame);
        self.path.accept_check();
        !stays
    }

    /// A sub-step that was refused: a body that stood on something still does. Says whether that counts as moved.
    fn go_back(&mut self) -> bool {
        let mut moved = false;
        if self.info.last_known_valid {
            self.kill_velocity();
            let last = self.info.last_known;
            // Not brought into the axes of one landblock, as in the original.
            let distance = last.plane.distance(self.path.current_centre[0]);
            if distance.abs() < self.path.radius() + EPS {
                self.info.contact_valid = true;
                self.info.contact = last;
                moved = self.is(MoverFlags::ON_WALKABLE);
            }
        }
        if !self.info.collision_valid {
            self.info.set_collision_normal(UP);
        }
        self.path.check_current();
        self.build_cell_array();
        moved
    }

    /// A body that falls and does not get on is declared to stand in the end.
    fn count_stationary_fall(&mut self, moved: bool) {
        let count = &mut self.info.frames_stationary_fall;
        *count = if moved { 0 } else { (*count + 1).min(STUCK) };
        if *count != STUCK {
            return;
        }
        let floor = Plane::new(UP, self.path.radius() - self.path.global[0].origin.z);
        self.info.set_contact(floor, false, self.path.check.cell);
        if !self.is(MoverFlags::CONTACT) {
            self.info.set_collision_normal(UP);
            self.info.collided_with_environment = true;
        }
    }
}

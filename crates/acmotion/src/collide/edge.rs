//! Edges, cliffs and precipices (`docs/collision.md` 4.5–4.7).

use acmotion_types::Vec3;

use super::transition::{Transition, TransitionState};
use super::{Barrier, MoverFlags};

impl Transition<'_> {
    /// Handles a step down that found no ground: the body walks off the edge or slides along it. Returns the outcome and
    /// whether the insertion ends with it (`docs/collision.md` 4.5).
    pub(super) fn edge_slide(&mut self, height: f32, steepest: f32) -> (TransitionState, bool) {
        let is_too_steep = self.info.contact_valid && self.info.contact.plane.normal.z < steepest;
        if !self.flags.contains(MoverFlags::ON_WALKABLE | MoverFlags::EDGE_SLIDE) {
            self.revert_to_saved();
            return (TransitionState::Ok, true);
        }
        if is_too_steep {
            let steep = self.info.contact.plane.normal;
            self.record_barrier(Barrier::Slope(self.info.contact.cell));
            self.path.walkable = None;
            self.path.restore_check();
            let outcome = self.cliff_slide(steep);
            self.info.clear_contact();
            return (outcome, false);
        }
        if self.path.walkable.is_some() {
            self.path.restore_check();
            self.info.clear_contact();
            self.record_barrier(Barrier::Drop(self.path.current.cell));
            return self.slide_or_stop();
        }
        if self.info.contact_valid {
            self.revert_to_saved();
            return (TransitionState::Ok, true);
        }
        self.find_own_edge(height, steepest);
        self.record_barrier(Barrier::Drop(self.path.current.cell));
        if self.path.walkable.is_some() { self.slide_or_stop() } else { (TransitionState::Collided, true) }
    }

    /// Restores the saved check position without contact.
    fn revert_to_saved(&mut self) {
        self.path.walkable = None;
        self.path.restore_check();
        self.info.clear_contact();
    }

    /// Searches for the polygon that the body stood on, from where it was, and expresses the wanted position in that
    /// polygon's space.
    fn find_own_edge(&mut self, height: f32, steepest: f32) {
        // Without the offset between landblocks, as in the original.
        let back = self.path.current_centre[0] - self.path.global[0].origin;
        self.path.add_offset(back);
        self.step_down(height, steepest);
        self.info.clear_contact();
        self.path.restore_check();
        if let Some(mut walkable) = self.path.walkable {
            let space = self.path.in_space_of(&walkable.position, walkable.scale);
            walkable.sphere = space.spheres[0];
            self.path.walkable = Some(walkable);
        }
    }

    /// Slides along the edge of the walkable polygon. The insertion ends if that is not possible.
    fn slide_or_stop(&mut self) -> (TransitionState, bool) {
        let outcome = self.precipice_slide();
        (outcome, outcome == TransitionState::Collided)
    }

    /// Moves a walker along the edge of ground that is too steep (`docs/collision.md` 4.6). `steep` is the normal of that
    /// ground.
    pub fn cliff_slide(&mut self, steep: Vec3) -> TransitionState {
        let across = steep.cross(self.info.last_known.plane.normal);
        let Some(down) = Vec3::new(-across.y, across.x, 0.0).normalized() else { return TransitionState::Ok };
        let along = self.path.moved(0).dot(down);
        self.note_slide(0, steep, (self.path.moved(0) - down * along).length());
        self.path.add_offset(down * -along.abs());
        self.info.set_collision_normal(if along <= 0.0 { down } else { -down });
        TransitionState::Adjusted
    }

    /// Slides a walker that is past the edge of the polygon it stands on along that edge (`docs/collision.md` 4.7).
    fn precipice_slide(&mut self) -> TransitionState {
        let Some(walkable) = self.path.walkable.take() else { return TransitionState::Collided };
        let Some(edge) = walkable.polygon.crossed_edge(walkable.sphere.origin, walkable.up) else {
            return TransitionState::Collided;
        };
        self.path.step_up = false;
        let edge = walkable.position.frame.local_to_global_vec(edge);
        let against = if self.path.moved(0).dot(edge) > 0.0 { -edge } else { edge };
        self.slide(0, against)
    }
}

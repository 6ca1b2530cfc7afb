//! Edges, cliffs and precipices (`docs/collision.md` 4.5–4.7).

use acmotion_types::Vec3;

use super::MoverFlags;
use super::transition::{Transition, TransitionState};

impl Transition<'_> {
    /// After a step down that found no ground: the body walks off, or glides along the edge. Says also whether the insertion
    /// ends with that (`docs/collision.md` 4.5).
    pub(super) fn edge_slide(&mut self, height: f32, steepest: f32) -> (TransitionState, bool) {
        let is_too_steep = self.info.contact_valid && self.info.contact.plane.normal.z < steepest;
        if !self.flags.contains(MoverFlags::ON_WALKABLE | MoverFlags::EDGE_SLIDE) {
            self.forget_edge();
            return (TransitionState::Ok, true);
        }
        if is_too_steep {
            let steep = self.info.contact.plane.normal;
            self.path.walkable = None;
            self.path.restore_check();
            let outcome = self.cliff_slide(steep);
            self.info.clear_contact();
            return (outcome, false);
        }
        if self.path.walkable.is_some() {
            self.path.restore_check();
            self.info.clear_contact();
            return self.precipice();
        }
        if self.info.contact_valid {
            self.forget_edge();
            return (TransitionState::Ok, true);
        }
        self.find_own_edge(height, steepest);
        if self.path.walkable.is_some() { self.precipice() } else { (TransitionState::Collided, true) }
    }

    fn forget_edge(&mut self) {
        self.path.walkable = None;
        self.path.restore_check();
        self.info.clear_contact();
    }

    /// Goes back to look for the polygon that the body stood on, and sets the place that it wanted against that.
    fn find_own_edge(&mut self, height: f32, steepest: f32) {
        // Not brought into the axes of one landblock, as in the original.
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

    fn precipice(&mut self) -> (TransitionState, bool) {
        let outcome = self.precipice_slide();
        (outcome, outcome == TransitionState::Collided)
    }

    /// A walker on the brink of ground that is too steep glides along it (`docs/collision.md` 4.6).
    pub fn cliff_slide(&mut self, steep: Vec3) -> TransitionState {
        let across = steep.cross(self.info.last_known.plane.normal);
        let Some(down) = Vec3::new(-across.y, across.x, 0.0).normalized() else { return TransitionState::Ok };
        let along = self.path.moved(0).dot(down);
        self.path.add_offset(down * -along.abs());
        self.info.set_collision_normal(if along <= 0.0 { down } else { -down });
        TransitionState::Adjusted
    }

    /// A walker past the edge of what it stands on glides along the edge (`docs/collision.md` 4.7).
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

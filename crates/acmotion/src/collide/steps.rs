//! Steps up and down (`docs/collision.md` 3.6, 4.1–4.4).

use acmotion_types::Vec3;

use super::insert::SMALL_STEP;
use super::transition::{Transition, TransitionState};
use super::{FLOOR_Z, InsertType, LANDING_Z, MoverFlags};

const STEP_DOWN_ATTEMPTS: u32 = 5;

impl Transition<'_> {
    /// Tries to get over something with that normal, of any length: a step down that does not go down first, since the body
    /// overlaps what it climbs already (`docs/collision.md` 4.1).
    pub(super) fn step_up(&mut self, normal: Vec3) -> bool {
        self.info.clear_contact();
        self.path.step_up = true;
        self.path.step_up_normal = normal;
        let (height, steepest) = if self.is(MoverFlags::ON_WALKABLE) {
            (self.step_up_height, FLOOR_Z)
        } else {
            (SMALL_STEP, LANDING_Z)
        };
        self.path.walkable_allowance = steepest;
        self.path.save_check();
        let done = self.step_down(height, steepest);
        self.path.step_up = false;
        self.path.walkable = None;
        if !done {
            self.path.restore_check();
        }
        done
    }

    /// Looks for something to stand on within a height. Where there is nothing the place stays lowered
    /// (`docs/collision.md` 4.2).
    pub(super) fn step_down(&mut self, height: f32, steepest: f32) -> bool {
        self.path.struck_behind = None;
        self.path.step_down = true;
        self.path.step_down_amount = height;
        self.path.walk_interp = 1.0;
        if !self.path.step_up {
            self.path.add_offset(Vec3::new(0.0, 0.0, -height));
        }
        let outcome = self.transitional_insert(STEP_DOWN_ATTEMPTS);
        self.path.step_down = false;
        let stands = outcome == TransitionState::Ok
            && self.info.contact_valid
            && self.info.contact.plane.normal.z >= steepest
            && (!self.is(MoverFlags::EDGE_SLIDE) || self.path.step_up || self.check_walkable(steepest));
        stands && self.insert_as(InsertType::Placement, 1) == TransitionState::Ok
    }

    /// How deep one probe of a step goes, and whether that is all of it (`docs/collision.md` 3.6).
    fn clamped_step(&self, height: f32) -> (f32, bool) {
        let radius = self.path.radius();
        let height = if !self.path.has_head() && 2.0 * radius < height { radius * 0.5 } else { height };
        if 2.0 * radius >= height { (height, true) } else { (height * 0.5, false) }
    }

    /// A step deeper than the foot is taken in two halves, the second from where the first ends. Returns how deep each was,
    /// and whether something to stand on was found.
    pub(super) fn step_down_in_parts(&mut self, height: f32, steepest: f32) -> (f32, bool) {
        let (height, is_whole) = self.clamped_step(height);
        let found = self.step_down(height, steepest) || (!is_whole && self.step_down(height, steepest));
        (height, found)
    }

    /// Is there ground here? A walker may stand out over an edge by half its radius, and farther where there is ground
    /// within a step below (`docs/collision.md` 4.4).
    pub(super) fn check_walkable(&mut self, steepest: f32) -> bool {
        if !self.is(MoverFlags::ON_WALKABLE) {
            return true;
        }
        let Some(walkable) = &mut self.path.walkable else { return true };
        // In place: every question halves again.
        walkable.sphere.radius *= 0.5;
        if walkable.polygon.supports(&walkable.sphere, walkable.up) {
            return true;
        }
        let (place, cell) = (self.path.check, self.path.check_cell);
        self.path.walkable_allowance = steepest;
        self.path.check_walkable = true;
        let (height, _) = self.clamped_step(self.step_down_height);
        self.path.add_offset(Vec3::new(0.0, 0.0, -height));
        let outcome = self.transitional_insert(1);
        self.path.check_walkable = false;
        self.path.set_check(place, cell);
        outcome != TransitionState::Ok
    }
}

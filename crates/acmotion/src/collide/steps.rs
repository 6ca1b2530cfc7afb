//! Steps up and down (`docs/collision.md` 3.6, 4.1–4.4).

use acmotion_types::Vec3;

use super::insert::SMALL_STEP;
use super::transition::{Transition, TransitionState};
use super::{FLOOR_Z, InsertType, LANDING_Z, MoverFlags};

/// The maximum number of attempts at an insertion within a step down.
pub(super) const STEP_DOWN_ATTEMPTS: u32 = 5;

impl Transition<'_> {
    /// Tries to climb an obstacle with a normal of any length. This is a step down without going down first, because
    /// the body already overlaps what it climbs. Returns `true` if it succeeded (`docs/collision.md` 4.1).
    pub(super) fn step_up(&mut self, normal: Vec3) -> bool {
        self.info.clear_contact();
        self.path.step_up = true;
        self.path.step_up_normal = normal;
        let (height, steepest) = if self.has(MoverFlags::ON_WALKABLE) {
            (self.step_up_height, FLOOR_Z)
        } else {
            (SMALL_STEP, LANDING_Z)
        };
        self.path.walkable_allowance = steepest;
        self.path.save_check();
        let before = self.path.check.frame.origin.z;
        let is_climbed = self.step_down(height, steepest);
        self.path.step_up = false;
        self.path.walkable = None;
        let rise = is_climbed.then_some(self.path.check.frame.origin.z - before);
        self.note_step_up(rise, height);
        if !is_climbed {
            self.path.restore_check();
        }
        is_climbed
    }

    /// Searches for a surface to stand on within a height, whose normal has at least the z `steepest`. Returns `false` if
    /// there is none; the check position then stays lowered (`docs/collision.md` 4.2).
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
            && (!self.has(MoverFlags::EDGE_SLIDE) || self.path.step_up || self.check_walkable(steepest));
        stands && self.insert_as(InsertType::Placement, 1) == TransitionState::Ok
    }

    fn clamped_step(&self, height: f32) -> (f32, bool) {
        clamped_step(height, self.path.radius(), self.path.has_head())
    }

    /// Steps down in one probe, or in two halves if the step is higher than the foot sphere; the second half starts
    /// where the first ended. Returns the height of a probe, and whether a surface was found.
    pub(super) fn step_down_clamped(&mut self, height: f32, steepest: f32) -> (f32, bool) {
        let (height, is_whole) = self.clamped_step(height);
        let found = self.step_down(height, steepest) || (!is_whole && self.step_down(height, steepest));
        (height, found)
    }

    /// Returns `true` if there is ground under a walker. It may overhang an edge by half its radius, and farther if
    /// there is ground within a step below (`docs/collision.md` 4.4).
    pub(super) fn check_walkable(&mut self, steepest: f32) -> bool {
        if !self.has(MoverFlags::ON_WALKABLE) {
            return true;
        }
        let Some(walkable) = &mut self.path.walkable else { return true };
        // In place, so that each call halves the radius again, as in the original.
        walkable.sphere.radius *= 0.5;
        if walkable.polygon.supports(&walkable.sphere, walkable.up) {
            return true;
        }
        let (position, cell) = (self.path.check, self.path.check_cell);
        self.path.walkable_allowance = steepest;
        self.path.check_walkable = true;
        let (height, _) = self.clamped_step(self.step_down_height);
        self.path.add_offset(Vec3::new(0.0, 0.0, -height));
        let outcome = self.transitional_insert(1);
        self.path.check_walkable = false;
        self.path.set_check(position, cell);
        outcome != TransitionState::Ok
    }
}

/// Returns the height of one probe of a step, and whether that is the whole step (`docs/collision.md` 3.6).
pub(super) fn clamped_step(height: f32, radius: f32, has_head: bool) -> (f32, bool) {
    let height = if !has_head && 2.0 * radius < height { radius * 0.5 } else { height };
    if 2.0 * radius >= height { (height, true) } else { (height * 0.5, false) }
}

//! Inserting a body into one plane: the plane's own test, the step down that keeps a walker on the ground, and what
//! happens where the ground is too steep (`docs/collision.md` 3.5, 3.6, 4, 5.1, 10.4).

use acmotion_types::{EPS, Vec3};

use super::super::surroundings::settled;
use super::super::{Contact, FLOOR_Z, LANDING_Z, MoverFlags};
use super::path::{Outcome, Path, StepDown};

/// The step height of a body that touches ground on which it cannot walk.
const SMALL_STEP: f32 = 0.04;
/// How far below zero a step parameter on terrain may fall.
const WALK_FLOOR_STEP: f32 = -0.1;
const STEP_DOWN_ATTEMPTS: u32 = 5;
const PLACEMENT_ATTEMPTS: u32 = 3;

impl Path<'_> {
    /// Rule 3.5.
    pub(super) fn transitional_insert(&mut self, attempts: u32) -> Outcome {
        let mut outcome = Outcome::Ok;
        for _ in 0..attempts {
            outcome = self.insert_into_cell(attempts);
            match outcome {
                Outcome::Collided => return outcome,
                Outcome::Adjusted => continue,
                Outcome::Ok => {}
            }
            let glued = self.flags.contains(MoverFlags::CONTACT) && self.mover.steps_down();
            if self.contact.is_some() || self.step_down.is_some() || !glued {
                return outcome;
            }
            match self.automatic_step_down() {
                (after, true) => return after,
                (after, false) => outcome = after,
            }
        }
        outcome
    }

    /// The plane's test until it has nothing to say, and then the cell that the place is in (rules 3.5, 3.7).
    fn insert_into_cell(&mut self, attempts: u32) -> Outcome {
        for _ in 0..attempts {
            match self.validate_walkable() {
                Outcome::Adjusted => {}
                Outcome::Collided => return Outcome::Collided,
                Outcome::Ok => {
                    let Some(place) = settled(&self.check) else { return Outcome::Collided };
                    self.check = place;
                    return Outcome::Ok;
                }
            }
        }
        Outcome::Adjusted
    }

    /// Rule 5.1: the lowest point of the foot sphere against the plane.
    fn validate_walkable(&mut self) -> Outcome {
        let plane = self.ground.seen_from(self.check.cell);
        let low = self.centre_at(&self.check) - Vec3::new(0.0, 0.0, self.radius);
        let distance = plane.distance(low);
        if distance > EPS {
            return Outcome::Ok;
        }
        let stands = self.flags.contains(MoverFlags::ON_WALKABLE);
        let counts = self.step_down.is_some() || !stands || plane.is_walkable();
        if counts {
            self.contact = Some(Contact { plane, cell: self.check.cell, is_water: false });
        }
        let mut outcome = Outcome::Ok;
        if distance < -EPS && counts {
            let lift = -distance / plane.normal.z;
            if !self.shrink_step(lift) {
                return Outcome::Collided;
            }
            self.check.frame.origin.z += lift;
            outcome = Outcome::Adjusted;
        }
        if !self.flags.contains(MoverFlags::CONTACT) && self.step_down.is_none() {
            self.collision_normal = Some(plane.normal);
            self.collided_with_environment = true;
        }
        outcome
    }

    /// Rule 4.3: a lift uses up the step that is under way. Says whether there was enough of it.
    fn shrink_step(&mut self, lift: f32) -> bool {
        let Some(step) = &mut self.step_down else { return true };
        let interp = (1.0 - lift / (step.amount * step.interp)) * step.interp;
        let fits = interp < step.interp && interp >= WALK_FLOOR_STEP;
        if fits {
            step.interp = interp;
        }
        fits
    }

    /// Rule 3.5.8: looks for ground below, so that walkers stay on it. Says also whether the insertion ends with that.
    fn automatic_step_down(&mut self) -> (Outcome, bool) {
        let stands = self.flags.contains(MoverFlags::ON_WALKABLE);
        let (height, steepest) =
            if stands { (self.step_down_height(), FLOOR_Z) } else { (SMALL_STEP, LANDING_Z) };
        let saved = self.check;
        if self.step_down_in_parts(height, steepest) {
            return (Outcome::Ok, true);
        }
        let found = self.contact.take();
        self.check = saved;
        if !(stands && self.flags.contains(MoverFlags::EDGE_SLIDE)) {
            return (Outcome::Ok, true);
        }
        match found {
            Some(contact) if contact.plane.normal.z < steepest => (self.cliff_slide(&contact), false),
            Some(_) => (Outcome::Ok, true),
            None => (Outcome::Collided, true),
        }
    }

    fn step_down_height(&self) -> f32 {
        self.mover.shape.step_down * self.mover.scale
    }

    /// Rule 3.6: a step deeper than the sphere is taken in two halves, the second from where the first ends.
    fn step_down_in_parts(&mut self, height: f32, steepest: f32) -> bool {
        let across = 2.0 * self.radius;
        let single = self.mover.shape.spheres().len() < 2;
        let height = if single && across < height { self.radius / 2.0 } else { height };
        if across >= height {
            return self.step_down(height, steepest);
        }
        self.step_down(height / 2.0, steepest) || self.step_down(height / 2.0, steepest)
    }

    /// Rule 4.2. Where it finds nothing the place stays lowered.
    fn step_down(&mut self, amount: f32, steepest: f32) -> bool {
        self.step_down = Some(StepDown { amount, interp: 1.0 });
        self.check.frame.origin.z -= amount;
        let outcome = self.transitional_insert(STEP_DOWN_ATTEMPTS);
        self.step_down = None;
        outcome == Outcome::Ok && self.contact.is_some_and(|contact| contact.plane.normal.z >= steepest)
    }

    /// Rule 4.6: a walker on the brink of ground that is too steep glides along it.
    fn cliff_slide(&mut self, steep: &Contact) -> Outcome {
        let last = self.last_known.map_or(Vec3::ZERO, |contact| contact.plane.normal);
        let across = steep.plane.normal.cross(last);
        let Some(down) = Vec3::new(-across.y, across.x, 0.0).normalized() else { return Outcome::Ok };
        let between = self.current.cell.block_offset(self.check.cell);
        let moved = between + self.centre_at(&self.check) - self.centre_at(&self.current);
        let along = moved.dot(down);
        self.check.frame.origin += down * -along.abs();
        self.collision_normal = Some(if along <= 0.0 { down } else { -down });
        Outcome::Adjusted
    }

    /// Rule 10.4: lifted out of the ground, or set down on it if it is within a step.
    pub(super) fn find_placement_position(&mut self) -> bool {
        if self.insert_into_cell(PLACEMENT_ATTEMPTS) != Outcome::Ok {
            return false;
        }
        self.current = self.check;
        self.contact = None;
        if self.insert_into_cell(PLACEMENT_ATTEMPTS) != Outcome::Ok {
            return false;
        }
        self.current = self.check;
        if self.mover.steps_down() {
            if !self.step_down_in_parts(self.step_down_height(), LANDING_Z) {
                self.check = self.current;
                self.contact = None;
            }
            self.current = self.check;
        }
        true
    }
}

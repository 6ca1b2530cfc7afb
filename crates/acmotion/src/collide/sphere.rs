//! The test against a sphere of an obstacle (`docs/collision.md` 5.3).

use acmotion_dat::Sphere;
use acmotion_types::{EPS, Vec3};

use super::slide::slid_by;
use super::transition::{Transition, TransitionState, UP};
use super::{InsertType, LANDING_Z, MoverFlags, Plane};

/// Returns the time, as a fraction of `movement`, at which a point that starts at `offset` comes within `radius` of the
/// origin. `None` if it does not, or is within it already (`docs/collision.md` 5.3.9).
#[doc(alias = "FindTimeOfCollision")]
pub fn time_of_collision(movement: Vec3, offset: Vec3, radius: f32) -> Option<f32> {
    let square = movement.length_squared();
    let towards = -offset.dot(movement);
    let gap = offset.length_squared() - radius * radius;
    let discriminant = towards * towards - gap * square;
    if gap < EPS || square < EPS || discriminant < 0.0 {
        return None;
    }
    let root = discriminant.sqrt();
    Some(if towards - root < 0.0 { (towards + root) / square } else { (towards - root) / square })
}

/// The sphere being tested, in the axes of the check position's landblock, and the mover's spheres relative to it.
struct SphereTest {
    target: Sphere,
    /// The offsets of the mover's sphere centres from the target's centre.
    offsets: [Vec3; 2],
    /// The sum of the radii less EPS. The foot's radius counts for the head too.
    reach: f32,
    has_head: bool,
}

impl SphereTest {
    /// Returns `true` if a sphere of the mover overlaps the target.
    fn hits(&self, index: usize) -> bool {
        (index == 0 || self.has_head) && self.offsets[index].length_squared() <= self.reach * self.reach
    }

    /// Returns the sum of the radii.
    fn touch_distance(&self) -> f32 {
        self.reach + EPS
    }
}

impl Transition<'_> {
    /// Tests a sphere, given in the axes of the check position's landblock. Spheres of creatures and missiles cannot be
    /// stood on.
    #[doc(alias = "CSphere::intersects_sphere")]
    pub fn test_sphere(&mut self, target: &Sphere, is_creature: bool) -> TransitionState {
        let [foot, head] = self.path.global;
        let test = SphereTest {
            target: *target,
            offsets: [foot.origin - target.origin, head.origin - target.origin],
            reach: target.radius + foot.radius - EPS,
            has_head: self.path.has_head(),
        };
        let (foot, head) = (test.hits(0), test.hits(1));
        let tests_overlap = self.path.obstruction_ethereal || self.path.insert_type == InsertType::Placement;
        if tests_overlap || (self.path.check_walkable && !self.path.step_down) {
            return if foot || head { TransitionState::Collided } else { TransitionState::Ok };
        }
        if !(foot || head) {
            return TransitionState::Ok;
        }
        if self.path.step_down {
            return if is_creature { TransitionState::Ok } else { self.step_down_onto_sphere(&test) };
        }
        if self.path.collide {
            return if is_creature { TransitionState::Ok } else { self.landing_sweep_onto_sphere(&test) };
        }
        if self.flags.intersects(MoverFlags::CONTACT | MoverFlags::ON_WALKABLE) {
            return if foot { self.step_up_sphere(&test) } else { self.slide_head_along_sphere(&test) };
        }
        if self.has(MoverFlags::PATH_CLIPPED) {
            return if foot { self.stop_at_sphere(&test, 0) } else { TransitionState::Ok };
        }
        if foot { self.land_on_sphere(&test) } else { self.stop_at_sphere(&test, 1) }
    }

    /// Returns the offset of a sphere at the current position from the target's centre, without the offset between
    /// landblocks, as in the original.
    fn previous_offset_from_centre(&self, test: &SphereTest, index: usize) -> Vec3 {
        self.path.current_centre[index] - test.target.origin
    }

    /// Steps over the sphere, or slides along it (5.3.2).
    fn step_up_sphere(&mut self, test: &SphereTest) -> TransitionState {
        let lift = test.touch_distance() - test.offsets[0].z;
        if self.step_up_height < lift {
            self.note_refused_step(lift);
            return self.slide_along_sphere(test);
        }
        let normal = self.previous_offset_from_centre(test, 0);
        if self.step_up(normal) { TransitionState::Ok } else { self.step_up_slide() }
    }

    /// Slides along the tangent at the current position of the foot (5.3.3).
    fn slide_along_sphere(&mut self, test: &SphereTest) -> TransitionState {
        let Some(normal) = self.previous_offset_from_centre(test, 0).normalized() else {
            return TransitionState::Collided;
        };
        self.info.set_collision_normal(normal);
        let ground = self.info.ground_normal();
        let wanted = self.path.moved(0);
        let crease = normal.cross(ground);
        if crease.length_squared() >= EPS {
            let outcome = self.slide_along(crease, wanted);
            self.note_slide(0, normal, slid_by(outcome, crease, wanted));
            return outcome;
        }
        if ground.dot(test.offsets[0]) < 0.0 {
            return TransitionState::Collided;
        }
        self.path.add_offset(normal * -wanted.dot(normal));
        TransitionState::Slid
    }

    /// Slides with the head along the sphere (5.3.4).
    fn slide_head_along_sphere(&mut self, test: &SphereTest) -> TransitionState {
        match self.previous_offset_from_centre(test, 1).normalized() {
            Some(normal) => self.slide(1, normal),
            None => TransitionState::Collided,
        }
    }

    /// Lifts the foot onto the sphere during a step down (5.3.5).
    fn step_down_onto_sphere(&mut self, test: &SphereTest) -> TransitionState {
        let left = self.path.remaining_step();
        if left.abs() < EPS {
            return TransitionState::Collided;
        }
        let (touching, offset) = (test.touch_distance(), test.offsets[0]);
        let above = touching * touching - offset.x * offset.x - offset.y * offset.y;
        let fraction = (above.max(0.0).sqrt() - offset.z) / left;
        let Some(interp) = self.path.step_after(fraction) else { return TransitionState::Collided };
        let lift = UP * (left * fraction);
        let normal = (offset + lift) * (1.0 / touching);
        if normal.z <= self.path.walkable_allowance {
            return TransitionState::Ok;
        }
        let top = test.target.origin + normal * test.target.radius;
        self.info.set_contact(Plane::through(top, normal), true, self.path.check.cell);
        self.path.walk_interp = interp;
        self.path.add_offset(lift);
        TransitionState::Adjusted
    }

    /// Stops at the sphere; the camera moves to where it touches (5.3.6).
    fn stop_at_sphere(&mut self, test: &SphereTest, index: usize) -> TransitionState {
        let offset = self.previous_offset_from_centre(test, index);
        if !self.has(MoverFlags::PERFECT_CLIP) {
            if let Some(normal) = offset.normalized() {
                self.info.set_collision_normal(normal);
            }
            return TransitionState::Collided;
        }
        let movement = self.path.moved(index);
        let time = time_of_collision(movement, offset, test.touch_distance());
        let Some(time) = time.filter(|time| (EPS..=1.0).contains(time)) else {
            return TransitionState::Collided;
        };
        let back = movement * time - movement;
        self.info.set_collision_normal((test.offsets[index] + back) * (1.0 / test.touch_distance()));
        self.path.add_offset(back);
        TransitionState::Adjusted
    }

    /// Lets an airborne mover that touches the sphere try to land (5.3.7).
    fn land_on_sphere(&mut self, test: &SphereTest) -> TransitionState {
        let Some(normal) = self.previous_offset_from_centre(test, 0).normalized() else {
            return TransitionState::Collided;
        };
        self.path.set_collide(normal);
        self.path.walkable_allowance = LANDING_Z;
        TransitionState::Adjusted
    }

    /// Moves back along the path until the foot touches the sphere (5.3.8).
    fn landing_sweep_onto_sphere(&mut self, test: &SphereTest) -> TransitionState {
        let back = -self.path.moved(0);
        let (touching, offset) = (test.touch_distance(), test.offsets[0]);
        let square = back.length_squared();
        if square < EPS {
            return TransitionState::Collided;
        }
        let towards = -back.dot(offset);
        let gap = offset.length_squared() - touching * touching;
        let mut root = (towards * towards - gap * square).max(0.0).sqrt() + towards;
        if root > 1.0 {
            // Compared before the division, as in the original.
            root = towards * 2.0 - root;
        }
        let fraction = root / square;
        let Some(interp) = self.path.step_after(fraction) else { return TransitionState::Collided };
        let moved = back * fraction;
        let normal = (offset + moved) * (1.0 / touching);
        if normal.z <= self.path.walkable_allowance {
            return TransitionState::Ok;
        }
        let foot = self.path.global[0];
        let plane = Plane::through(foot.origin - normal * foot.radius, normal);
        self.info.set_contact(plane, true, self.path.check.cell);
        self.path.walk_interp = interp;
        self.path.add_offset(moved);
        TransitionState::Adjusted
    }
}

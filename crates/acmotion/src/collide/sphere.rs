//! A body against a sphere of an obstacle (`docs/collision.md` 5.3).

use acmotion_dat::Sphere;
use acmotion_types::{EPS, Vec3};

use super::transition::{Transition, TransitionState, UP};
use super::{InsertType, LANDING_Z, MoverFlags, Plane};

/// When a point that moves by `movement` from `offset` on comes as near to the origin as `radius`
/// (`docs/collision.md` 5.3.9).
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

/// A sphere in the way, in the axes of the place that is tried, and the body's spheres as seen from it.
struct Meeting {
    target: Sphere,
    /// From its centre to those of the body's spheres.
    apart: [Vec3; 2],
    /// The sum of the radii, less EPS; the foot's radius counts for the head too.
    reach: f32,
    has_head: bool,
}

impl Meeting {
    fn hits(&self, index: usize) -> bool {
        (index == 0 || self.has_head) && self.apart[index].length_squared() <= self.reach * self.reach
    }

    /// The sum of the radii.
    fn touching(&self) -> f32 {
        self.reach + EPS
    }
}

impl Transition<'_> {
    /// Tests the body against a sphere in the axes of the place that is tried. Nobody stands on spheres of creatures, or of
    /// missiles.
    #[doc(alias = "CSphere::intersects_sphere")]
    pub fn test_sphere(&mut self, target: &Sphere, of_creature: bool) -> TransitionState {
        let [foot, head] = self.path.global;
        let meeting = Meeting {
            target: *target,
            apart: [foot.origin - target.origin, head.origin - target.origin],
            reach: target.radius + foot.radius - EPS,
            has_head: self.path.has_head(),
        };
        let (foot, head) = (meeting.hits(0), meeting.hits(1));
        let only_overlap = self.path.obstruction_ethereal || self.path.insert_type == InsertType::Placement;
        if only_overlap || (self.path.check_walkable && !self.path.step_down) {
            return if foot || head { TransitionState::Collided } else { TransitionState::Ok };
        }
        if !(foot || head) {
            return TransitionState::Ok;
        }
        if self.path.step_down {
            return if of_creature { TransitionState::Ok } else { self.step_down_onto_sphere(&meeting) };
        }
        if self.path.collide {
            return if of_creature { TransitionState::Ok } else { self.land_back_on_sphere(&meeting) };
        }
        if self.flags.intersects(MoverFlags::CONTACT | MoverFlags::ON_WALKABLE) {
            return if foot { self.step_up_sphere(&meeting) } else { self.slide_head_along_sphere(&meeting) };
        }
        if self.is(MoverFlags::PATH_CLIPPED) {
            return if foot { self.stop_at_sphere(&meeting, 0) } else { TransitionState::Ok };
        }
        if foot { self.touch_sphere_in_the_air(&meeting) } else { self.stop_at_sphere(&meeting, 1) }
    }

    /// From the target's centre to where a sphere of the body was last. Not brought into the axes of one landblock, as in the
    /// original.
    fn before_from_centre(&self, meeting: &Meeting, index: usize) -> Vec3 {
        self.path.current_centre[index] - meeting.target.origin
    }

    /// 5.3.2.
    fn step_up_sphere(&mut self, meeting: &Meeting) -> TransitionState {
        if self.step_up_height < meeting.touching() - meeting.apart[0].z {
            return self.slide_along_sphere(meeting);
        }
        let normal = self.before_from_centre(meeting, 0);
        if self.step_up(normal) { TransitionState::Ok } else { self.step_up_slide() }
    }

    /// 5.3.3: along the tangent at where the foot was.
    fn slide_along_sphere(&mut self, meeting: &Meeting) -> TransitionState {
        let Some(normal) = self.before_from_centre(meeting, 0).normalized() else {
            return TransitionState::Collided;
        };
        self.info.set_collision_normal(normal);
        let ground = self.info.ground_normal();
        let wanted = self.path.moved(0);
        let crease = normal.cross(ground);
        if crease.length_squared() >= EPS {
            return self.slide_along(crease, wanted);
        }
        if ground.dot(meeting.apart[0]) < 0.0 {
            return TransitionState::Collided;
        }
        self.path.add_offset(normal * -wanted.dot(normal));
        TransitionState::Slid
    }

    /// 5.3.4.
    fn slide_head_along_sphere(&mut self, meeting: &Meeting) -> TransitionState {
        match self.before_from_centre(meeting, 1).normalized() {
            Some(normal) => self.slide(1, normal),
            None => TransitionState::Collided,
        }
    }

    /// 5.3.5.
    fn step_down_onto_sphere(&mut self, meeting: &Meeting) -> TransitionState {
        let left = self.path.step_left();
        if left.abs() < EPS {
            return TransitionState::Collided;
        }
        let (touching, apart) = (meeting.touching(), meeting.apart[0]);
        let above = touching * touching - apart.x * apart.x - apart.y * apart.y;
        let part = (above.max(0.0).sqrt() - apart.z) / left;
        let Some(interp) = self.path.shrunk_step(part) else { return TransitionState::Collided };
        let lift = UP * (left * part);
        let normal = (apart + lift) * (1.0 / touching);
        if normal.z <= self.path.walkable_allowance {
            return TransitionState::Ok;
        }
        let top = meeting.target.origin + normal * meeting.target.radius;
        self.info.set_contact(Plane::through(top, normal), true, self.path.check.cell);
        self.path.walk_interp = interp;
        self.path.add_offset(lift);
        TransitionState::Adjusted
    }

    /// 5.3.6: a hard stop; the camera goes on to where it touches.
    fn stop_at_sphere(&mut self, meeting: &Meeting, index: usize) -> TransitionState {
        let offset = self.before_from_centre(meeting, index);
        if !self.is(MoverFlags::PERFECT_CLIP) {
            if let Some(normal) = offset.normalized() {
                self.info.set_collision_normal(normal);
            }
            return TransitionState::Collided;
        }
        let movement = self.path.moved(index);
        let time = time_of_collision(movement, offset, meeting.touching());
        let Some(time) = time.filter(|time| (EPS..=1.0).contains(time)) else {
            return TransitionState::Collided;
        };
        let back = movement * time - movement;
        self.info.set_collision_normal((meeting.apart[index] + back) * (1.0 / meeting.touching()));
        self.path.add_offset(back);
        TransitionState::Adjusted
    }

    /// 5.3.7.
    fn touch_sphere_in_the_air(&mut self, meeting: &Meeting) -> TransitionState {
        let Some(normal) = self.before_from_centre(meeting, 0).normalized() else {
            return TransitionState::Collided;
        };
        self.path.set_collide(normal);
        self.path.walkable_allowance = LANDING_Z;
        TransitionState::Adjusted
    }

    /// 5.3.8: back along its way until the foot touches.
    fn land_back_on_sphere(&mut self, meeting: &Meeting) -> TransitionState {
        let back = -self.path.moved(0);
        let (touching, apart) = (meeting.touching(), meeting.apart[0]);
        let square = back.length_squared();
        if square < EPS {
            return TransitionState::Collided;
        }
        let towards = -back.dot(apart);
        let gap = apart.length_squared() - touching * touching;
        let mut root = (towards * towards - gap * square).max(0.0).sqrt() + towards;
        if root > 1.0 {
            // Compared before it is divided, as in the original.
            root = towards * 2.0 - root;
        }
        let part = root / square;
        let Some(interp) = self.path.shrunk_step(part) else { return TransitionState::Collided };
        let moved = back * part;
        let normal = (apart + moved) * (1.0 / touching);
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

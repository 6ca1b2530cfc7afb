//! A body against an upright cylinder of an obstacle (`docs/collision.md` 5.4).

use acmotion_dat::CylSphere;
use acmotion_types::{EPS, Quat, Vec3};

use super::transition::{Transition, TransitionState, UP};
use super::{InsertType, LANDING_Z, MoverFlags, Plane};

/// A cylinder in the way, in the axes of the place that is tried, and the body's spheres as seen from its base.
#[derive(Clone, Copy)]
struct Meeting {
    cylinder: CylSphere,
    /// How the obstacle is turned.
    rotation: Quat,
    /// From its base to the centres of the body's spheres.
    apart: [Vec3; 2],
    radius: [f32; 2],
    /// The sum of the radii, less EPS; the foot's radius counts for the head too.
    reach: f32,
    has_head: bool,
}

/// Where a body came from when it met a cylinder (`docs/collision.md` 5.4.1).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct CylinderNormal {
    /// From the barrel or the caps outwards, of any length.
    pub normal: Vec3,
    /// Is it sure that it came from there?
    pub is_definite: bool,
}

impl Meeting {
    fn hits(&self, index: usize) -> bool {
        (index == 0 || self.has_head)
            && flat_square(self.apart[index]) <= self.reach * self.reach
            && self.is_level(self.apart[index].z, self.radius[index])
    }

    /// Is a sphere, taken as a box, neither above nor below?
    fn is_level(&self, z: f32, radius: f32) -> bool {
        let half = self.cylinder.height * 0.5;
        radius - EPS + half >= (half - z).abs()
    }

    /// How far the foot has to be lifted to stand on top.
    fn lift(&self) -> f32 {
        self.cylinder.height + self.radius[0] - self.apart[0].z
    }

    /// The sum of the radii.
    fn touching(&self) -> f32 {
        self.reach + EPS
    }

    fn normal(&self, index: usize, before: Vec3) -> CylinderNormal {
        // The foot's, for the head too, as in the original.
        let apart = self.apart[0];
        if flat_square(before) > self.reach * self.reach {
            let level = self.is_level(before.z, self.radius[index]) || (before.z - apart.z).abs() <= EPS;
            return CylinderNormal { normal: Vec3 { z: 0.0, ..before }, is_definite: level };
        }
        let normal = if apart.z - before.z <= 0.0 { UP } else { -UP };
        CylinderNormal { normal, is_definite: true }
    }

    /// When a sphere that moves so from `before` on meets the cap that it moves towards.
    fn cap_time(&self, movement: Vec3, before: Vec3, radius: f32) -> f32 {
        if movement.z > 0.0 {
            -(before.z + radius) / movement.z
        } else {
            (radius + self.cylinder.height - before.z) / movement.z
        }
    }

    /// When it meets the barrel, and the normal there.
    fn barrel_time(&self, movement: Vec3, before: Vec3) -> Option<(f32, Vec3)> {
        let square = flat_square(movement);
        let towards = -(before.x * movement.x + before.y * movement.y);
        let gap = flat_square(before) - self.touching() * self.touching();
        let discriminant = towards * towards - gap * square;
        if square < EPS || discriminant < 0.0 {
            return None;
        }
        let root = discriminant.sqrt();
        let time = if towards - root < 0.0 { (towards + root) / square } else { (towards - root) / square };
        let there = before + movement * time;
        Some((time, Vec3 { z: 0.0, ..there } * (1.0 / self.touching())))
    }
}

fn flat_square(v: Vec3) -> f32 {
    v.x * v.x + v.y * v.y
}

impl Transition<'_> {
    fn meet_cylinder(&self, cylinder: &CylSphere, rotation: Quat) -> Meeting {
        let [foot, head] = self.path.global;
        Meeting {
            cylinder: *cylinder,
            rotation,
            apart: [foot.origin - cylinder.origin, head.origin - cylinder.origin],
            radius: [foot.radius, head.radius],
            reach: cylinder.radius - EPS + foot.radius,
            has_head: self.path.has_head(),
        }
    }

    /// Does the foot overlap a cylinder, and where did it come from?
    #[doc(alias = "normal_of_collision")]
    pub fn cylinder_normal(&self, cylinder: &CylSphere) -> (bool, CylinderNormal) {
        let meeting = self.meet_cylinder(cylinder, Quat::IDENTITY);
        (meeting.hits(0), meeting.normal(0, self.before_from_base(&meeting, 0)))
    }

    /// Tests the body against a cylinder in the axes of the place that is tried; it stands upright however its obstacle is
    /// turned.
    #[doc(alias = "CCylSphere::intersects_sphere")]
    pub fn test_cylinder(&mut self, cylinder: &CylSphere, rotation: Quat) -> TransitionState {
        let meeting = self.meet_cylinder(cylinder, rotation);
        let (foot, head) = (meeting.hits(0), meeting.hits(1));
        if !(foot || head) {
            return TransitionState::Ok;
        }
        let path = &self.path;
        if path.obstruction_ethereal || path.insert_type == InsertType::Placement {
            return TransitionState::Collided;
        }
        if path.step_down {
            return self.step_down_onto_cylinder(&meeting);
        }
        if path.check_walkable {
            return TransitionState::Collided;
        }
        if path.collide {
            return self.land_back_on_cylinder(&meeting);
        }
        if self.flags.intersects(MoverFlags::CONTACT | MoverFlags::ON_WALKABLE) {
            return if foot {
                self.step_up_cylinder(&meeting)
            } else {
                self.slide_along_cylinder(&meeting, 1)
            };
        }
        if self.is(MoverFlags::PATH_CLIPPED) {
            return if foot { self.stop_at_cylinder(&meeting, 0) } else { TransitionState::Ok };
        }
        if foot { self.touch_cylinder_in_the_air(&meeting) } else { self.stop_at_cylinder(&meeting, 1) }
    }

    /// From the middle of the base to where a sphere of the body was last. Not brought into the axes of one landblock, as in
    /// the original.
    fn before_from_base(&self, meeting: &Meeting, index: usize) -> Vec3 {
        self.path.current_centre[index] - meeting.cylinder.origin
    }

    fn unit_normal(&self, meeting: &Meeting, index: usize) -> Option<Vec3> {
        meeting.normal(index, self.before_from_base(meeting, index)).normal.normalized()
    }

    /// 5.4.2. The normal is turned by the obstacle's rotation although it is in the world's axes already, as in the
    /// original.
    fn step_up_cylinder(&mut self, meeting: &Meeting) -> TransitionState {
        if self.step_up_height < meeting.lift() {
            return self.slide_along_cylinder(meeting, 0);
        }
        let Some(normal) = self.unit_normal(meeting, 0) else { return TransitionState::Collided };
        let turned = acmotion_types::Mat3::from_quat(meeting.rotation).apply(normal);
        if self.step_up(turned) { TransitionState::Ok } else { self.step_up_slide() }
    }

    /// 5.4.3.
    fn slide_along_cylinder(&mut self, meeting: &Meeting, index: usize) -> TransitionState {
        match self.unit_normal(meeting, index) {
            Some(normal) => self.slide(index, normal),
            None => TransitionState::Collided,
        }
    }

    /// 5.4.4.
    fn step_down_onto_cylinder(&mut self, meeting: &Meeting) -> TransitionState {
        let left = self.path.step_left();
        if left.abs() < EPS {
            return TransitionState::Collided;
        }
        let lift = meeting.lift();
        let Some(interp) = self.path.shrunk_step(lift / left) else { return TransitionState::Collided };
        self.stand_on_top(interp, UP * lift)
    }

    /// Moves the foot onto the top.
    fn stand_on_top(&mut self, interp: f32, offset: Vec3) -> TransitionState {
        self.path.walk_interp = interp;
        self.path.add_offset(offset);
        let foot = self.path.global[0];
        let plane = Plane::through(foot.origin - UP * foot.radius, UP);
        self.info.set_contact(plane, true, self.path.check.cell);
        TransitionState::Adjusted
    }

    /// 5.4.5.
    fn touch_cylinder_in_the_air(&mut self, meeting: &Meeting) -> TransitionState {
        let Some(normal) = self.unit_normal(meeting, 0) else { return TransitionState::Collided };
        self.path.set_collide(normal);
        self.path.walkable_allowance = LANDING_Z;
        TransitionState::Adjusted
    }

    /// 5.4.6: back along its way until the foot is on top, if it is above the top then.
    fn land_back_on_cylinder(&mut self, meeting: &Meeting) -> TransitionState {
        let back = -self.path.moved(0);
        if back.z.abs() < EPS {
            return TransitionState::Collided;
        }
        let part = meeting.lift() / back.z;
        let moved = back * part;
        if flat_square(meeting.apart[0] + moved) > meeting.reach * meeting.reach {
            return TransitionState::Ok;
        }
        match self.path.shrunk_step(part) {
            Some(interp) => self.stand_on_top(interp, moved),
            None => TransitionState::Collided,
        }
    }

    /// 5.4.7: a hard stop; the camera goes on to where it touches.
    fn stop_at_cylinder(&mut self, meeting: &Meeting, index: usize) -> TransitionState {
        let found = meeting.normal(index, self.before_from_base(meeting, index));
        let Some(normal) = found.normal.normalized() else { return TransitionState::Collided };
        if !self.is(MoverFlags::PERFECT_CLIP) {
            self.info.set_collision_normal(normal);
            return TransitionState::Collided;
        }
        let before = self.before_from_base(meeting, 0);
        let movement = meeting.apart[index] - before;
        let touch =
            clip(meeting, CylinderNormal { normal, ..found }, movement, before, meeting.radius[index]);
        let Some((time, normal)) = touch.filter(|(time, _)| (0.0..=1.0).contains(time)) else {
            return TransitionState::Collided;
        };
        self.info.set_collision_normal(normal);
        self.path.add_offset(before + movement * time - meeting.apart[index]);
        TransitionState::Adjusted
    }
}

/// When a sphere touches a cylinder, and the normal there; `None` if that cannot be said.
fn clip(
    meeting: &Meeting,
    found: CylinderNormal,
    movement: Vec3,
    before: Vec3,
    radius: f32,
) -> Option<(f32, Vec3)> {
    if found.is_definite && found.normal.z == 0.0 {
        return meeting.barrel_time(movement, before);
    }
    if movement.z.abs() < EPS {
        return None;
    }
    let time = meeting.cap_time(movement, before, radius);
    if found.is_definite {
        return Some((time, found.normal));
    }
    let there = before + movement * time;
    if flat_square(there) < meeting.touching() * meeting.touching() {
        return Some((time, if movement.z > 0.0 { -UP } else { UP }));
    }
    meeting.barrel_time(movement, before)
}

//! The test against an upright cylinder of an obstacle (`docs/collision.md` 5.4).

use acmotion_dat::CylSphere;
use acmotion_types::{EPS, Mat3, Quat, Vec3};

use super::transition::{Transition, TransitionState, UP};
use super::{InsertType, LANDING_Z, MoverFlags, Plane};

/// The cylinder being tested, in the axes of the check position's landblock, and the mover's spheres relative to its base.
#[derive(Clone, Copy)]
struct CylinderTest {
    cylinder: CylSphere,
    /// The rotation of the obstacle.
    rotation: Quat,
    /// The offsets of the mover's sphere centres from the base.
    offsets: [Vec3; 2],
    /// The radii of the mover's spheres.
    radius: [f32; 2],
    /// The sum of the radii less EPS. The foot's radius counts for the head too.
    reach: f32,
    has_head: bool,
}

/// The side of a cylinder that a mover came from (`docs/collision.md` 5.4.1).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct CylinderNormal {
    /// The outward normal of the side or a cap, of any length.
    pub normal: Vec3,
    /// Whether it is certain that the mover came from there.
    pub is_definite: bool,
}

impl CylinderTest {
    /// Returns `true` if a sphere of the mover overlaps the cylinder.
    fn hits(&self, index: usize) -> bool {
        (index == 0 || self.has_head)
            && horizontal_squared(self.offsets[index]) <= self.reach * self.reach
            && self.overlaps_vertically(self.offsets[index].z, self.radius[index])
    }

    /// Returns `true` if a sphere, taken as a box, is neither above nor below the cylinder.
    fn overlaps_vertically(&self, z: f32, radius: f32) -> bool {
        let half = self.cylinder.height * 0.5;
        radius - EPS + half >= (half - z).abs()
    }

    /// Returns how far the foot has to be lifted to stand on top.
    fn lift(&self) -> f32 {
        self.cylinder.height + self.radius[0] - self.offsets[0].z
    }

    /// Returns the sum of the radii.
    fn touch_distance(&self) -> f32 {
        self.reach + EPS
    }

    /// Returns the normal at which a sphere hit; `before` is its offset from the base at the current position.
    fn normal(&self, index: usize, before: Vec3) -> CylinderNormal {
        // The foot's offset also for the head, as in the original.
        let offset = self.offsets[0];
        if horizontal_squared(before) > self.reach * self.reach {
            let is_definite =
                self.overlaps_vertically(before.z, self.radius[index]) || (before.z - offset.z).abs() <= EPS;
            return CylinderNormal { normal: Vec3 { z: 0.0, ..before }, is_definite };
        }
        let normal = if offset.z - before.z <= 0.0 { UP } else { -UP };
        CylinderNormal { normal, is_definite: true }
    }

    /// Returns the time, as a fraction of `movement`, at which a sphere that starts at `before` meets the cap it moves
    /// towards.
    fn cap_time(&self, movement: Vec3, before: Vec3, radius: f32) -> f32 {
        if movement.z > 0.0 {
            -(before.z + radius) / movement.z
        } else {
            (radius + self.cylinder.height - before.z) / movement.z
        }
    }

    /// Returns the time at which it meets the side, and the normal there.
    fn side_time(&self, movement: Vec3, before: Vec3) -> Option<(f32, Vec3)> {
        let square = horizontal_squared(movement);
        let towards = -(before.x * movement.x + before.y * movement.y);
        let gap = horizontal_squared(before) - self.touch_distance() * self.touch_distance();
        let discriminant = towards * towards - gap * square;
        if square < EPS || discriminant < 0.0 {
            return None;
        }
        let root = discriminant.sqrt();
        let time = if towards - root < 0.0 { (towards + root) / square } else { (towards - root) / square };
        let there = before + movement * time;
        Some((time, Vec3 { z: 0.0, ..there } * (1.0 / self.touch_distance())))
    }
}

fn horizontal_squared(v: Vec3) -> f32 {
    v.x * v.x + v.y * v.y
}

impl Transition<'_> {
    fn cylinder_test(&self, cylinder: &CylSphere, rotation: Quat) -> CylinderTest {
        let [foot, head] = self.path.global;
        CylinderTest {
            cylinder: *cylinder,
            rotation,
            offsets: [foot.origin - cylinder.origin, head.origin - cylinder.origin],
            radius: [foot.radius, head.radius],
            reach: cylinder.radius - EPS + foot.radius,
            has_head: self.path.has_head(),
        }
    }

    /// Returns `true` if the foot overlaps a cylinder, and the side it came from.
    #[doc(alias = "normal_of_collision")]
    pub fn cylinder_normal(&self, cylinder: &CylSphere) -> (bool, CylinderNormal) {
        let test = self.cylinder_test(cylinder, Quat::IDENTITY);
        (test.hits(0), test.normal(0, self.previous_offset_from_base(&test, 0)))
    }

    /// Tests a cylinder, given in the axes of the check position's landblock. It is upright whatever the rotation of its
    /// obstacle.
    #[doc(alias = "CCylSphere::intersects_sphere")]
    pub fn test_cylinder(&mut self, cylinder: &CylSphere, rotation: Quat) -> TransitionState {
        let test = self.cylinder_test(cylinder, rotation);
        let (foot, head) = (test.hits(0), test.hits(1));
        if !(foot || head) {
            return TransitionState::Ok;
        }
        let path = &self.path;
        if path.obstruction_ethereal || path.insert_type == InsertType::Placement {
            return TransitionState::Collided;
        }
        if path.step_down {
            return self.step_down_onto_cylinder(&test);
        }
        if path.check_walkable {
            return TransitionState::Collided;
        }
        if path.collide {
            return self.landing_sweep_onto_cylinder(&test);
        }
        if self.flags.intersects(MoverFlags::CONTACT | MoverFlags::ON_WALKABLE) {
            return if foot { self.step_up_cylinder(&test) } else { self.slide_along_cylinder(&test, 1) };
        }
        if self.has(MoverFlags::PATH_CLIPPED) {
            return if foot { self.stop_at_cylinder(&test, 0) } else { TransitionState::Ok };
        }
        if foot { self.land_on_cylinder(&test) } else { self.stop_at_cylinder(&test, 1) }
    }

    /// Returns the offset of a sphere at the current position from the base, without the offset between landblocks, as
    /// in the original.
    fn previous_offset_from_base(&self, test: &CylinderTest, index: usize) -> Vec3 {
        self.path.current_centre[index] - test.cylinder.origin
    }

    /// Returns the unit normal at which a sphere hit; `None` if it has no direction.
    fn unit_normal(&self, test: &CylinderTest, index: usize) -> Option<Vec3> {
        test.normal(index, self.previous_offset_from_base(test, index)).normal.normalized()
    }

    /// Steps over the cylinder, or slides along it (5.4.2). The normal is rotated by the obstacle's rotation although
    /// it is in world axes already, as in the original.
    fn step_up_cylinder(&mut self, test: &CylinderTest) -> TransitionState {
        if self.step_up_height < test.lift() {
            self.note_refused_step(test.lift());
            return self.slide_along_cylinder(test, 0);
        }
        let Some(normal) = self.unit_normal(test, 0) else { return TransitionState::Collided };
        let rotated = Mat3::from_quat(test.rotation).apply(normal);
        if self.step_up(rotated) { TransitionState::Ok } else { self.step_up_slide() }
    }

    /// Slides along the cylinder (5.4.3).
    fn slide_along_cylinder(&mut self, test: &CylinderTest, index: usize) -> TransitionState {
        match self.unit_normal(test, index) {
            Some(normal) => self.slide(index, normal),
            None => TransitionState::Collided,
        }
    }

    /// Lifts the foot onto the top during a step down (5.4.4).
    fn step_down_onto_cylinder(&mut self, test: &CylinderTest) -> TransitionState {
        let left = self.path.remaining_step();
        if left.abs() < EPS {
            return TransitionState::Collided;
        }
        let lift = test.lift();
        let Some(interp) = self.path.step_after(lift / left) else { return TransitionState::Collided };
        self.stand_on_top(interp, UP * lift)
    }

    /// Moves the foot onto the top, and makes that the contact plane.
    fn stand_on_top(&mut self, interp: f32, offset: Vec3) -> TransitionState {
        self.path.walk_interp = interp;
        self.path.add_offset(offset);
        let foot = self.path.global[0];
        let plane = Plane::through(foot.origin - UP * foot.radius, UP);
        self.info.set_contact(plane, true, self.path.check.cell);
        TransitionState::Adjusted
    }

    /// Lets an airborne mover that touches the cylinder try to land (5.4.5).
    fn land_on_cylinder(&mut self, test: &CylinderTest) -> TransitionState {
        let Some(normal) = self.unit_normal(test, 0) else { return TransitionState::Collided };
        self.path.set_collide(normal);
        self.path.walkable_allowance = LANDING_Z;
        TransitionState::Adjusted
    }

    /// Moves back along the path until the foot is on the top, if it is above the top there (5.4.6).
    fn landing_sweep_onto_cylinder(&mut self, test: &CylinderTest) -> TransitionState {
        let back = -self.path.moved(0);
        if back.z.abs() < EPS {
            return TransitionState::Collided;
        }
        let fraction = test.lift() / back.z;
        let moved = back * fraction;
        if horizontal_squared(test.offsets[0] + moved) > test.reach * test.reach {
            return TransitionState::Ok;
        }
        match self.path.step_after(fraction) {
            Some(interp) => self.stand_on_top(interp, moved),
            None => TransitionState::Collided,
        }
    }

    /// Stops at the cylinder; the camera moves to where it touches (5.4.7).
    fn stop_at_cylinder(&mut self, test: &CylinderTest, index: usize) -> TransitionState {
        let found = test.normal(index, self.previous_offset_from_base(test, index));
        let Some(normal) = found.normal.normalized() else { return TransitionState::Collided };
        if !self.has(MoverFlags::PERFECT_CLIP) {
            self.info.set_collision_normal(normal);
            return TransitionState::Collided;
        }
        let before = self.previous_offset_from_base(test, 0);
        let movement = test.offsets[index] - before;
        let touch = clip(test, CylinderNormal { normal, ..found }, movement, before, test.radius[index]);
        let Some((time, normal)) = touch.filter(|(time, _)| (0.0..=1.0).contains(time)) else {
            return TransitionState::Collided;
        };
        self.info.set_collision_normal(normal);
        self.path.add_offset(before + movement * time - test.offsets[index]);
        TransitionState::Adjusted
    }
}

/// Returns the time at which a sphere touches a cylinder, and the normal there; `None` if it moves parallel to it or
/// misses.
fn clip(
    test: &CylinderTest,
    found: CylinderNormal,
    movement: Vec3,
    before: Vec3,
    radius: f32,
) -> Option<(f32, Vec3)> {
    if found.is_definite && found.normal.z == 0.0 {
        return test.side_time(movement, before);
    }
    if movement.z.abs() < EPS {
        return None;
    }
    let time = test.cap_time(movement, before, radius);
    if found.is_definite {
        return Some((time, found.normal));
    }
    let there = before + movement * time;
    if horizontal_squared(there) < test.touch_distance() * test.touch_distance() {
        return Some((time, if movement.z > 0.0 { -UP } else { UP }));
    }
    test.side_time(movement, before)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A cylinder of 1 m height, with a mover of 0.5 m radius. The sum of their radii is 2 m.
    fn test() -> CylinderTest {
        CylinderTest {
            cylinder: CylSphere { origin: Vec3::ZERO, radius: 1.5, height: 1.0 },
            rotation: Quat::IDENTITY,
            offsets: [Vec3::ZERO; 2],
            radius: [0.5; 2],
            reach: 2.0 - EPS,
            has_head: false,
        }
    }

    #[track_caller]
    fn assert_touches(found: Option<(f32, Vec3)>, time: f32, normal: [f32; 3]) {
        let (got, there) = found.expect("it touches the cylinder");
        assert!((got - time).abs() < 1e-4, "{got}");
        assert!((there - Vec3::from(normal)).length() < 1e-3, "{there:?}");
    }

    /// 5.4.7: the first root counts unless it is in the past, as for spheres (5.3.9). The normal is a unit vector.
    #[test]
    fn the_side_is_met_at_the_first_root_that_is_not_in_the_past() {
        let time = |movement: [f32; 3], before: [f32; 3]| test().side_time(movement.into(), before.into());
        assert_touches(time([8.0, 0.0, 0.0], [-6.0, 0.0, 0.5]), 0.5, [-1.0, 0.0, 0.0]);
        assert_touches(time([8.0, 0.0, 0.0], [-6.0, 1.2, 0.5]), 0.55, [-0.8, 0.6, 0.0]);
        // From inside, one metre beside the axis, it leaves on the far side.
        assert_touches(time([2.0, 0.0, 0.0], [1.0, 0.0, 0.5]), 0.5, [1.0, 0.0, 0.0]);
        assert_eq!(time([8.0, 0.0, 0.0], [-6.0, 2.1, 0.5]), None, "it misses");
        assert_eq!(time([0.01, 0.0, 1.0], [-2.005, 0.0, 0.5]), None, "it hardly moves sideways");
    }

    /// 5.4.7: from above or below and beside the barrel at once, it is an end that is met if the mover is above or below the
    /// barrel when it gets there, else the side.
    #[test]
    fn an_end_is_met_if_the_mover_gets_there_within_the_barrel() {
        let side = CylinderNormal { normal: Vec3::new(-1.0, 0.0, 0.0), is_definite: false };
        let touch =
            |movement: [f32; 3], before: [f32; 3]| clip(&test(), side, movement.into(), before.into(), 0.5);
        // Half way it is 0.5 m below the bottom or 0.5 m above the top, and 1.9 m to the west.
        assert_touches(touch([1.0, 0.0, 2.0], [-2.4, 0.0, -1.5]), 0.5, [0.0, 0.0, -1.0]);
        assert_touches(touch([1.0, 0.0, -2.0], [-2.4, 0.0, 2.5]), 0.5, [0.0, 0.0, 1.0]);
        // Half way it is 2.5 m to the west, at the end 2 m.
        assert_touches(touch([1.0, 0.0, -2.0], [-3.0, 0.0, 2.5]), 1.0, [-1.0, 0.0, 0.0]);
        assert_eq!(touch([1.0, 0.0, 0.0], [-2.4, 0.0, 2.5]), None, "level");
    }
}

//! A sweep over one plane: sub-steps, the offset made to follow the ground, and what each sub-step leaves behind
//! (`docs/collision.md` 3.2–3.4, 3.9).

use acmotion_types::{CellPosition, EPS, Quat, Vec3};

use super::super::surroundings::flat_unit;
use super::super::{Arrival, Contact, Mover, MoverFlags, PhysicsState, Plane};
use super::InfinitePlane;

/// More sub-steps than any body of the original needs; only hostile numbers do, and are refused.
const MOST_SUB_STEPS: f32 = 4096.0;

/// What a test of the plane, or a whole insertion, came to (`docs/collision.md` 0.2).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Outcome {
    /// Nothing in the way.
    Ok,
    /// A hard stop.
    Collided,
    /// The place was moved; the tests are to be run again.
    Adjusted,
}

/// A step down that is under way (`docs/collision.md` 4.3).
#[derive(Clone, Copy)]
pub(super) struct StepDown {
    pub(super) amount: f32,
    pub(super) interp: f32,
}

/// A sweep under way: the last accepted place, the one that is tried, and what has been found.
#[doc(alias = "SPHEREPATH")]
pub(super) struct Path<'a> {
    pub(super) ground: &'a InfinitePlane,
    pub(super) mover: &'a Mover<'a>,
    pub(super) flags: MoverFlags,
    /// The foot sphere, scaled.
    pub(super) centre: Vec3,
    pub(super) radius: f32,
    pub(super) current: CellPosition,
    pub(super) check: CellPosition,
    pub(super) contact: Option<Contact>,
    pub(super) last_known: Option<Contact>,
    pub(super) collision_normal: Option<Vec3>,
    pub(super) step_down: Option<StepDown>,
    pub(super) collided_with_environment: bool,
    pub(super) kills_velocity: bool,
    sliding_normal: Option<Vec3>,
    frames_stationary_fall: u8,
}

impl<'a> Path<'a> {
    pub(super) fn new(ground: &'a InfinitePlane, mover: &'a Mover<'a>, from: &CellPosition) -> Self {
        let foot = mover.shape.spheres().first().copied().unwrap_or(DUMMY_SPHERE);
        Self {
            ground,
            mover,
            flags: mover.flags,
            centre: foot.origin * mover.scale,
            radius: foot.radius * mover.scale,
            current: *from,
            check: *from,
            contact: mover.contact,
            last_known: mover.last_known,
            collision_normal: None,
            step_down: None,
            collided_with_environment: false,
            kills_velocity: false,
            sliding_normal: mover.sliding_normal,
            frames_stationary_fall: mover.frames_stationary_fall,
        }
    }

    /// What the body takes over (`docs/collision.md` 9).
    pub(super) fn arrival(&self) -> Arrival {
        Arrival {
            position: self.current,
            in_cell: true,
            contact: self.contact.unwrap_or_default(),
            has_contact: self.contact.is_some(),
            sliding_normal: self.sliding_normal.unwrap_or(Vec3::ZERO),
            is_sliding: self.sliding_normal.is_some(),
            collision_normal: self.collision_normal,
            frames_stationary_fall: self.frames_stationary_fall,
            collided_with_environment: self.collided_with_environment,
        }
    }

    /// The foot sphere's centre at a place, in the axes of its landblock. Spheres of upright bodies lie on the axis, and
    /// need no turning.
    #[inline]
    pub(super) fn centre_at(&self, place: &CellPosition) -> Vec3 {
        let on_axis = self.centre.x == 0.0 && self.centre.y == 0.0;
        let Quat { x, y, .. } = place.frame.rotation;
        if on_axis && x == 0.0 && y == 0.0 {
            return place.frame.origin + self.centre;
        }
        place.frame.local_to_global(self.centre)
    }

    /// Rule 3.3. Says whether it could be done; a body that is pushed straight into what it slides along cannot.
    pub(super) fn find_transitional_position(&mut self, from: &CellPosition, to: &CellPosition) -> bool {
        let offset = from.offset_to(to);
        let Some(count) = self.sub_steps(offset) else { return false };
        let free_rotate = self.flags.contains(MoverFlags::FREE_ROTATE);
        if free_rotate || count == 0 {
            self.current.frame.rotation = to.frame.rotation;
            self.check = self.current;
        }
        let step = if count > 1 { offset * (1.0 / count as f32) } else { offset };
        for index in 0..count {
            let adjusted = self.adjust_offset(step);
            if adjusted.length_squared() < EPS * EPS {
                return index != 0;
            }
            if !free_rotate {
                self.turn(from.frame.rotation, to.frame.rotation, index + 1, count);
            }
            self.sliding_normal = None;
            self.contact = None;
            self.check.frame.origin += adjusted;
            let outcome = self.transitional_insert(NORMAL_ATTEMPTS);
            self.validate(outcome);
            let clipped = self.collision_normal.is_some() && self.flags.contains(MoverFlags::PATH_CLIPPED);
            if self.frames_stationary_fall != 0 || clipped {
                break;
            }
        }
        true
    }

    /// Rule 3.2: one for each radius of the way. `None` if there would be too many, or the way is not finite.
    fn sub_steps(&self, offset: Vec3) -> Option<u32> {
        let ratio = offset.length() / self.radius;
        if self.radius <= 0.0 || ratio <= 1.0 {
            return Some(u32::from(offset != Vec3::ZERO));
        }
        (ratio <= MOST_SUB_STEPS).then(|| ratio.ceil() as u32)
    }

    /// Turns along the way; the last sub-step ends turned as wanted.
    fn turn(&mut self, from: Quat, to: Quat, index: u32, count: u32) {
        if index == count {
            self.check.frame.rotation = to;
        } else {
            self.check.frame.set_rotation(Quat::interpolate(from, to, index as f32 / count as f32));
        }
    }

    /// Rule 3.4: the offset made to follow the ground and what the body slides along. Uphill it is projected onto the
    /// plane, downhill its height follows the plane (rule Q10).
    fn adjust_offset(&mut self, offset: Vec3) -> Vec3 {
        self.sliding_normal = self.sliding_normal.filter(|normal| offset.dot(*normal) < 0.0);
        let Some(contact) = self.contact else {
            return match self.sliding_normal {
                Some(sliding) => offset - sliding * offset.dot(sliding),
                None => offset,
            };
        };
        let normal = contact.plane.normal;
        let off = offset.dot(normal);
        let adjusted = match self.sliding_normal {
            Some(sliding) => match normal.cross(sliding).normalized() {
                Some(crease) => crease * crease.dot(offset),
                None => Vec3::ZERO,
            },
            None if off <= 0.0 => offset - normal * off,
            None if normal.z.abs() > EPS => {
                Vec3 { z: -(offset.x * normal.x + offset.y * normal.y) / normal.z, ..offset }
            }
            None => offset,
        };
        self.unsink(&contact);
        adjusted
    }

    /// Lifts a body whose sphere is deeper in its contact plane than touching; on a slope of terrain it always is.
    fn unsink(&mut self, contact: &Contact) {
        if contact.is_water || contact.cell.0 == 0 {
            return;
        }
        let centre = self.centre_at(&self.check) - self.check.cell.block_offset(contact.cell);
        let distance = contact.plane.distance(centre);
        if distance < self.radius - EPS {
            let lift = (self.radius - distance) / contact.plane.normal.z;
            if lift.abs() < self.radius {
                self.check.frame.origin.z += lift;
            }
        }
    }

    /// Rule 3.9: takes over the place that was tried, or goes back.
    fn validate(&mut self, outcome: Outcome) {
        let mut moved = true;
        if outcome == Outcome::Ok {
            let stays =
                self.check.cell == self.current.cell && self.check.frame.is_close_to(&self.current.frame);
            moved = !stays;
            self.current = self.check;
        } else {
            moved = self.go_back() && moved;
        }
        if let Some(normal) = self.collision_normal {
            self.sliding_normal = Some(flat_unit(normal));
        }
        if self.mover.state.contains(PhysicsState::GRAVITY) {
            self.count_stationary_fall(moved);
        }
        self.last_known = self.contact;
        self.flags.set(MoverFlags::CONTACT, self.contact.is_some());
        let walkable = self.contact.is_some_and(|contact| contact.plane.is_walkable());
        self.flags.set(MoverFlags::ON_WALKABLE, walkable);
    }

    /// A sub-step that was refused: a body that stood on something still does. Says whether that counts as moved.
    fn go_back(&mut self) -> bool {
        let mut moved = false;
        if let Some(last) = self.last_known {
            self.kills_velocity = true;
            let distance = last.plane.distance(self.centre_at(&self.current));
            if distance.abs() < self.radius + EPS {
                self.contact = Some(last);
                moved = self.flags.contains(MoverFlags::ON_WALKABLE);
            }
        }
        self.collision_normal.get_or_insert(UP);
        self.check = self.current;
        moved
    }

    fn count_stationary_fall(&mut self, moved: bool) {
        self.frames_stationary_fall = if moved { 0 } else { (self.frames_stationary_fall + 1).min(3) };
        if self.frames_stationary_fall != 3 {
            return;
        }
        let lowest = self.radius - self.centre_at(&self.check).z;
        let plane = Plane::new(UP, lowest);
        self.contact = Some(Contact { plane, cell: self.check.cell, is_water: false });
        if !self.flags.contains(MoverFlags::CONTACT) {
            self.collision_normal = Some(UP);
            self.collided_with_environment = true;
        }
    }
}

const UP: Vec3 = Vec3::new(0.0, 0.0, 1.0);
const NORMAL_ATTEMPTS: u32 = 3;
/// The sphere of a body that has none (`docs/collision.md` 0.1).
const DUMMY_SPHERE: acmotion_dat::Sphere =
    acmotion_dat::Sphere { origin: Vec3::new(0.0, 0.0, 0.1), radius: 0.1 };

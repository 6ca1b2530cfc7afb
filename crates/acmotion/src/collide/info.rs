//! What a body on its way has found (`docs/collision.md` 1.3).

use acmotion_types::{CellId, Vec3};

use super::{Contact, Plane};

/// What a body on its way has found. Planes and normals keep their values when they count no more, as the original's do.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[doc(alias = "COLLISIONINFO")]
pub struct CollisionInfo {
    /// Does the body stand on `contact`?
    pub contact_valid: bool,
    /// What it stands on, found in the current insertion.
    pub contact: Contact,
    /// Does `last_known` count?
    pub last_known_valid: bool,
    /// What it stood on after the last accepted sub-step.
    pub last_known: Contact,
    /// Does it slide along `sliding_normal`?
    pub sliding_valid: bool,
    /// A horizontal unit vector, or zero.
    pub sliding_normal: Vec3,
    /// Has it hit something?
    pub collision_valid: bool,
    /// A unit vector, or zero.
    pub collision_normal: Vec3,
    /// Did it hit the surroundings, not an object?
    pub collided_with_environment: bool,
    /// How often its fall has been stopped: 0 to 3.
    pub frames_stationary_fall: u8,
    /// Has the way taken the body's velocity (`docs/collision.md` 3.9)?
    pub kills_velocity: bool,
}

impl CollisionInfo {
    /// Finds something to stand on.
    pub(crate) fn set_contact(&mut self, plane: Plane, is_water: bool, cell: CellId) {
        self.contact_valid = true;
        self.contact = Contact { plane, cell, is_water };
    }

    /// Stands on nothing.
    pub(crate) fn clear_contact(&mut self) {
        self.contact_valid = false;
        self.contact.is_water = false;
    }

    /// Has hit something with that normal, of any length.
    pub fn set_collision_normal(&mut self, normal: Vec3) {
        self.collision_valid = true;
        self.collision_normal = normal.normalized().unwrap_or(Vec3::ZERO);
    }

    /// Has hit something with that normal, which is a unit vector.
    pub(crate) fn set_unit_collision_normal(&mut self, normal: Vec3) {
        self.collision_valid = true;
        self.collision_normal = normal;
    }

    /// Slides along something with that normal, of any length; what of it is not horizontal does not count.
    pub fn set_sliding_normal(&mut self, normal: Vec3) {
        self.sliding_valid = true;
        self.sliding_normal = Vec3 { z: 0.0, ..normal }.normalized().unwrap_or(Vec3::ZERO);
    }

    /// The normal of the ground that slides follow: the one stood on, else the last known, whether it counts or not
    /// (`docs/collision.md` 5.2).
    pub(crate) fn ground_normal(&self) -> Vec3 {
        if self.contact_valid { self.contact.plane.normal } else { self.last_known.plane.normal }
    }

    /// Begins anew half-way, as placing does (`docs/collision.md` 1.3, 10.5). What was taken from the body stays taken.
    pub(crate) fn reset(&mut self) {
        self.contact_valid = false;
        self.contact.is_water = false;
        self.contact.cell = CellId::NONE;
        self.last_known_valid = false;
        self.sliding_valid = false;
        self.collision_valid = false;
        self.collided_with_environment = false;
        self.frames_stationary_fall = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `docs/collision.md` 11.15.
    #[test]
    fn normals_are_kept_at_length_one_or_zero() {
        let mut info = CollisionInfo::default();
        info.set_sliding_normal(Vec3::new(0.0, 0.0, 1.0));
        assert_eq!((info.sliding_valid, info.sliding_normal), (true, Vec3::ZERO));
        info.set_collision_normal(Vec3::new(0.0, 0.0, 1e-5));
        assert_eq!((info.collision_valid, info.collision_normal), (true, Vec3::ZERO));
        info.set_sliding_normal(Vec3::new(0.0, -3.0, 4.0));
        assert_eq!(info.sliding_normal, Vec3::new(0.0, -1.0, 0.0));
        info.set_collision_normal(Vec3::new(0.0, 0.0, 4.0));
        assert_eq!(info.collision_normal, Vec3::new(0.0, 0.0, 1.0));
    }
}

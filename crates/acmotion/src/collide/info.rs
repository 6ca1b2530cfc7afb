//! What a transition has found (`docs/collision.md` 1.3).

use acmotion_types::{CellId, Vec3};

use super::{Contact, Plane};

/// What a transition has found. Planes and normals keep their values when they become invalid, as in the original.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[doc(alias = "COLLISIONINFO")]
pub struct CollisionInfo {
    /// Whether the body stands on `contact`.
    pub contact_valid: bool,
    /// The surface the body stands on, found in the current insertion.
    pub contact: Contact,
    /// Whether `last_known` is valid.
    pub last_known_valid: bool,
    /// The surface the body stood on after the last accepted sub-step.
    pub last_known: Contact,
    /// Whether the body slides along `sliding_normal`.
    pub sliding_valid: bool,
    /// The normal of the surface the body slides along: a horizontal unit vector, or zero.
    pub sliding_normal: Vec3,
    /// Whether the body has hit something.
    pub collision_valid: bool,
    /// The normal of what the body hit: a unit vector, or zero.
    pub collision_normal: Vec3,
    /// Whether the body hit the environment rather than an object.
    pub collided_with_environment: bool,
    /// How many sub-steps in a row its fall has been stopped: 0 to 3.
    pub frames_stationary_fall: u8,
    /// Whether the transition stops the body's velocity (`docs/collision.md` 3.9).
    pub kills_velocity: bool,
}

impl CollisionInfo {
    /// Sets the surface the body stands on.
    pub(crate) fn set_contact(&mut self, plane: Plane, is_water: bool, cell: CellId) {
        self.contact_valid = true;
        self.contact = Contact { plane, cell, is_water };
    }

    /// Invalidates the contact plane.
    pub(crate) fn clear_contact(&mut self) {
        self.contact_valid = false;
        self.contact.is_water = false;
    }

    /// Sets the collision normal from a vector of any length.
    pub fn set_collision_normal(&mut self, normal: Vec3) {
        self.collision_valid = true;
        self.collision_normal = normal.normalized().unwrap_or(Vec3::ZERO);
    }

    /// Sets the collision normal from a unit vector, which is stored as it is.
    pub(crate) fn set_unit_collision_normal(&mut self, normal: Vec3) {
        self.collision_valid = true;
        self.collision_normal = normal;
    }

    /// Sets the sliding normal from the horizontal part of a vector of any length.
    pub fn set_sliding_normal(&mut self, normal: Vec3) {
        self.sliding_valid = true;
        self.sliding_normal = Vec3 { z: 0.0, ..normal }.normalized().unwrap_or(Vec3::ZERO);
    }

    /// Returns the normal of the ground that slides follow: the contact plane, else the last known one, valid or not
    /// (`docs/collision.md` 5.2).
    pub(crate) fn ground_normal(&self) -> Vec3 {
        if self.contact_valid { self.contact.plane.normal } else { self.last_known.plane.normal }
    }

    /// Clears everything that was found, as placement does between attempts (`docs/collision.md` 1.3, 10.5). Whether the
    /// velocity is stopped stays.
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
    fn normals_are_stored_as_unit_vectors_or_zero() {
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

    /// Everything is found, in water.
    fn full() -> CollisionInfo {
        let plane = Plane::new(Vec3::new(0.0, 0.0, 1.0), -94.0);
        let contact = Contact { plane, cell: CellId(0xA9B4_0001), is_water: true };
        CollisionInfo {
            contact_valid: true,
            contact,
            last_known_valid: true,
            last_known: contact,
            sliding_valid: true,
            sliding_normal: Vec3::new(1.0, 0.0, 0.0),
            collision_valid: true,
            collision_normal: Vec3::new(1.0, 0.0, 0.0),
            collided_with_environment: true,
            frames_stationary_fall: 2,
            kills_velocity: true,
        }
    }

    /// `docs/collision.md` 3.3e: the plane and its cell keep their values.
    #[test]
    fn contact_ends_together_with_the_water() {
        let mut info = full();
        info.clear_contact();
        let contact = Contact { is_water: false, ..full().contact };
        assert_eq!(info, CollisionInfo { contact_valid: false, contact, ..full() });
    }

    /// `docs/collision.md` 1.3: `init` clears the flags and the cell, but neither planes nor normals.
    #[test]
    fn a_reset_keeps_planes_and_normals_alone() {
        let mut info = full();
        info.reset();
        let contact = Contact { is_water: false, cell: CellId::NONE, ..full().contact };
        let CollisionInfo { last_known, sliding_normal, collision_normal, .. } = full();
        let kept = CollisionInfo {
            contact,
            last_known,
            sliding_normal,
            collision_normal,
            ..CollisionInfo::default()
        };
        assert_eq!(info, CollisionInfo { kills_velocity: true, ..kept });
    }
}

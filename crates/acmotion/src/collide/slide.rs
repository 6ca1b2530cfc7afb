//! Sliding along a surface (`docs/collision.md` 5.2, 5.3.3).

use acmotion_types::{EPS, Vec3};

use super::transition::{Transition, TransitionState};

impl Transition<'_> {
    /// Replaces the wanted offset of a sphere by its part along both the ground and a surface with a normal of any length
    /// (`docs/collision.md` 5.2).
    #[doc(alias = "slide_sphere")]
    pub fn slide(&mut self, index: usize, normal: Vec3) -> TransitionState {
        if normal == Vec3::ZERO {
            // Without the offset between landblocks, as in the original.
            let back = self.path.current_centre[index] - self.path.global[index].origin;
            self.path.add_offset(back * 0.5);
            return TransitionState::Adjusted;
        }
        let wanted = self.path.moved(index);
        self.info.set_collision_normal(normal);
        let ground = self.info.ground_normal();
        let crease = normal.cross(ground);
        if crease.length_squared() >= EPS {
            let outcome = self.slide_along(crease, wanted);
            self.note_slide(index, normal, slid_by(outcome, crease, wanted));
            return outcome;
        }
        if normal.dot(ground) >= 0.0 {
            let along = wanted - normal * wanted.dot(normal);
            self.path.add_offset(normal * -wanted.dot(normal));
            self.note_slide(index, normal, along.length());
            return TransitionState::Slid;
        }
        self.note_slide(index, normal, 0.0);
        if wanted.length() >= EPS {
            self.info.set_collision_normal(-wanted);
        }
        TransitionState::Collided
    }

    /// Moves along a crease, unless that would be less than 1.4 cm. The original compares the squared length with EPS.
    pub(super) fn slide_along(&mut self, crease: Vec3, wanted: Vec3) -> TransitionState {
        let along = crease * (crease.dot(wanted) / crease.length_squared());
        if along.length_squared() < EPS {
            return TransitionState::Collided;
        }
        self.path.add_offset(along - wanted);
        TransitionState::Slid
    }

    /// Slides after a failed step up (`docs/collision.md` 4.8).
    pub(super) fn step_up_slide(&mut self) -> TransitionState {
        self.info.clear_contact();
        self.path.step_up = false;
        self.slide(0, self.path.step_up_normal)
    }
}

/// Returns how far a slide along a crease leads, in metres; 0 if it was refused.
pub(super) fn slid_by(outcome: TransitionState, crease: Vec3, wanted: Vec3) -> f32 {
    if outcome == TransitionState::Slid { (crease.dot(wanted) / crease.length()).abs() } else { 0.0 }
}

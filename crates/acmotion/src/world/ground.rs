//! The ground of a body whose terrain is not at hand: level, at the height at which it was last reported standing.

use acmotion_types::CellPosition;

use super::Resident;
use crate::body::{InfinitePlane, Surroundings as _};

impl Resident {
    /// It was reported standing there. A body that stands, or would be below ground, is set on the new ground at once;
    /// one in the air will land on it.
    pub(super) fn stands_at(&mut self, place: &CellPosition) {
        let shape = &self.entity.shape;
        let body = &mut self.entity.body;
        // The lowest point of the foot's sphere touches the ground, a little below or above the origin.
        let foot = shape.spheres().first().map_or(0.0, |sphere| sphere.origin.z - sphere.radius) * body.scale;
        self.ground = InfinitePlane::level(place.frame.origin.z + foot);
        if !body.is_in_cell() || !(body.is_standing() || body.position.frame.origin.z < place.frame.origin.z)
        {
            return;
        }
        body.position.frame.origin.z = place.frame.origin.z;
        if let Some(contact) = self.ground.ground(&body.position).filter(|_| body.has_contact()) {
            body.contact_plane = contact.plane;
        }
    }
}

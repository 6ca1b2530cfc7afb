//! The ground under a point, found by letting a small sphere fall from there.

use acmotion_dat::Sphere;
use acmotion_types::{CellPosition, EPS, Vec3};

use crate::collide::{Contact, Mover, NoObstacles, Shape, Surroundings};
use crate::entity::Actor;

/// The radius of the sphere, in metres: small, so that it fits below a ceiling.
const RADIUS: f32 = 0.1;
/// The height above the point, in metres, from which the sphere falls, so that it does not start in the floor.
const CLEARANCE: f32 = 0.05;
/// The length of a step of the fall, in metres: short, because a body on a slope slides down for the rest of it.
const FALL_STEP: f32 = 0.5;
/// The maximum length of the fall, in metres.
const MAX_FALL: f32 = 100.0;

impl Actor<'_> {
    /// Returns the height, in metres, of the ground under a point: the floor of a room, a roof or scenery, else the land.
    /// Other entities do not count. `None` if there is no ground under the point.
    pub(super) fn ground_below<S: Surroundings + ?Sized>(
        &self,
        point: &CellPosition,
        surroundings: &S,
    ) -> Option<f32> {
        let land = surroundings.ground(point).and_then(|contact| height_of(&contact, point));
        let land = land.filter(|height| *height <= point.frame.origin.z + EPS);
        if !surroundings.has_obstacles() {
            return land;
        }
        let mut shape = Shape::default();
        shape.set_spheres(&[Sphere { origin: Vec3::new(0.0, 0.0, RADIUS), radius: RADIUS }]);
        let entity = &*self.entity;
        let mover = Mover::new(entity.guid, &shape, 1.0, entity.body.state, entity.mover_flags);
        fall(&mover, point, surroundings).or(land)
    }
}

/// Lets a body fall from a point. Returns the height at which it comes to stand.
fn fall<S: Surroundings + ?Sized>(mover: &Mover<'_>, point: &CellPosition, surroundings: &S) -> Option<f32> {
    let mut from = *point;
    from.frame.origin.z += CLEARANCE;
    from = match surroundings.room_at(&from) {
        Some(room) => {
            from.frame.origin += room.block_offset(from.cell);
            CellPosition::new(room, from.frame)
        }
        None => from.adjusted_to_outside()?,
    };
    let mut touched = Vec::new();
    for _ in 0..(MAX_FALL / FALL_STEP) as u32 {
        let mut to = from;
        to.frame.origin.z -= FALL_STEP;
        let arrival = surroundings.sweep(mover, &from, &to, &NoObstacles, &mut touched).arrival?;
        let fallen = from.frame.origin.z - arrival.position.frame.origin.z;
        if arrival.has_contact {
            return Some(arrival.position.frame.origin.z);
        }
        if !arrival.in_cell || fallen < EPS {
            return None;
        }
        from = arrival.position;
    }
    None
}

/// Returns the height of a plane at a point of the contact's landblock or another.
fn height_of(contact: &Contact, point: &CellPosition) -> Option<f32> {
    let Vec3 { x, y, .. } = point.frame.origin + contact.cell.block_offset(point.cell);
    let normal = contact.plane.normal;
    (normal.z > EPS).then(|| -(normal.x * x + normal.y * y + contact.plane.d) / normal.z)
}

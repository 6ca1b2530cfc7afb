//! The commonest sweep of all, without the detours: a walker goes on over the level ground that he stands on.

use acmotion_types::{CellPosition, EPS, Vec3};

use super::super::surroundings::{is_within_cell, settled};
use super::super::{Arrival, Contact, Mover, MoverFlags, PhysicsState};
use super::InfinitePlane;

const UP: Vec3 = Vec3::new(0.0, 0.0, 1.0);

impl InfinitePlane {
    /// Where a walker gets in one sub-step on level ground. `None` wherever anything is out of the ordinary, and the whole
    /// sweep is to be made; otherwise this is what that would give, to the bit.
    pub(super) fn stride(
        &self,
        mover: &Mover<'_>,
        from: &CellPosition,
        to: &CellPosition,
    ) -> Option<Arrival> {
        let contact = mover.contact.filter(|contact| contact.plane.normal == UP)?;
        let stands = mover.flags.contains(MoverFlags::CONTACT | MoverFlags::ON_WALKABLE);
        let plane = self.seen_from(from.cell);
        if !stands || mover.sliding_normal.is_some() || plane.normal != UP || from.cell != to.cell {
            return None;
        }
        let (centre, radius) = upright_foot(mover, from, to)?;
        let wanted = to.frame.origin - from.frame.origin;
        // The ground takes what leads into it or off it (3.4); a longer way takes more sub-steps (3.2).
        let way = Vec3 { z: 0.0, ..wanted };
        if wanted.length_squared() > radius * radius || way.length_squared() < EPS * EPS {
            return None;
        }
        let foot = from.frame.origin + centre - from.cell.block_offset(contact.cell);
        let sinks = !contact.is_water && contact.cell.0 != 0 && contact.plane.distance(foot) < radius - EPS;
        let mut check = CellPosition { frame: to.frame, ..*from };
        check.frame.origin = from.frame.origin + way;
        let low = check.frame.origin + centre - Vec3::new(0.0, 0.0, radius);
        if sinks || plane.distance(low).abs() > EPS {
            return None;
        }
        let cell = check.cell;
        if !is_within_cell(&check) {
            check = settled(&check)?;
        }
        let falls = mover.state.contains(PhysicsState::GRAVITY);
        if falls && check.cell == cell && check.frame.is_close_to(&from.frame) {
            return None;
        }
        Some(Arrival {
            contact: Contact { plane, cell, is_water: false },
            has_contact: true,
            frames_stationary_fall: if falls { 0 } else { mover.frames_stationary_fall },
            ..Arrival::in_the_open(check)
        })
    }
}

/// The foot sphere of a body that stands upright before and after, scaled; its centre is on the body's axis.
#[inline]
fn upright_foot(mover: &Mover<'_>, from: &CellPosition, to: &CellPosition) -> Option<(Vec3, f32)> {
    let foot = mover.shape.spheres().first()?;
    let upright = [from, to].into_iter().all(|place| {
        let rotation = place.frame.rotation;
        rotation.x == 0.0 && rotation.y == 0.0
    });
    let on_axis = foot.origin.x == 0.0 && foot.origin.y == 0.0;
    (upright && on_axis).then(|| (foot.origin * mover.scale, foot.radius * mover.scale))
}

#[cfg(test)]
mod tests {
    use acmotion_types::{CellId, Guid, Quat};
    use proptest::prelude::*;

    use super::super::super::{Body, Shape, TransientState};
    use super::super::path::Path;
    use super::*;

    proptest! {
        /// The short way gives what the whole sweep gives, over cell and landblock borders, off the ground and into it.
        #[test]
        fn a_stride_is_a_sweep(
            x in 0.0_f32..192.0, y in 0.0_f32..192.0, off in prop_oneof![3 => Just(0.0_f32), 1 => -0.01_f32..0.01],
            by in prop::array::uniform3(-0.5_f32..0.5), turn in 0.0_f32..6.0, gravity: bool, stopped in 0_u8..3,
        ) {
            let ground = InfinitePlane::level(94.0);
            let shape = Shape::human();
            let from = CellPosition::at(CellId(0xA9B4_0001), Vec3::new(x, y, 94.005 + off));
            let from = from.adjusted_to_outside().unwrap();
            let mut body = Body::new(from);
            body.transient = TransientState::CONTACT | TransientState::ON_WALKABLE;
            body.contact_plane = ground.plane;
            body.contact_plane_cell = from.cell;
            body.state.set(PhysicsState::GRAVITY, gravity);
            let mut mover = Mover::of_body(Guid(1), &body, &shape, MoverFlags::empty());
            mover.frames_stationary_fall = stopped;
            let mut to = from;
            to.frame.origin += Vec3::new(by[0], by[1], by[2] * 0.1);
            to.frame.set_rotation(Quat { w: libm::cosf(turn), x: 0.0, y: 0.0, z: libm::sinf(turn) });
            if let Some(short) = ground.stride(&mover, &from, &to) {
                let mut path = Path::new(&ground, &mover, &from);
                prop_assert!(path.find_transitional_position(&from, &to));
                prop_assert_eq!(short, path.arrival());
            } else {
                prop_assert!(off != 0.0 || by[0].hypot(by[1]) > 0.4 || by[0].hypot(by[1]) < 0.01);
            }
        }
    }
}

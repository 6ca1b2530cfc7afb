//! A body as a sweep sees it (`docs/collision.md` 2.2, 2.6, 10.1).

use acmotion_types::{CellId, Guid, Vec3};

use super::{Body, PhysicsState, TransientState};
use crate::collide::{Contact, Mover, MoverFlags, Shape};

impl Body {
    /// Returns the body as a sweep sees it, with what it knows about its contact (`docs/collision.md` 2.2, 2.6). `flags`
    /// are those that do not follow from the body itself: player, player killer, impenetrable.
    pub fn mover<'a>(&self, guid: Guid, shape: &'a Shape, flags: MoverFlags) -> Mover<'a> {
        let mut mover = self.placement_mover(guid, shape, flags);
        mover.flags.set(MoverFlags::EDGE_SLIDE, self.state.contains(PhysicsState::EDGE_SLIDE));
        mover.flags.set(MoverFlags::FREE_ROTATE, shape.free_heading);
        mover.flags.set(MoverFlags::PATH_CLIPPED, self.state.contains(PhysicsState::MISSILE));
        if self.has_contact() {
            self.seed_contact(&mut mover);
        }
        if self.transient.contains(TransientState::SLIDING) {
            let horizontal = Vec3 { z: 0.0, ..self.sliding_normal };
            mover.sliding_normal = Some(horizontal.normalized().unwrap_or(Vec3::ZERO));
        }
        mover.frames_stationary_fall = match self.transient {
            bits if bits.contains(TransientState::STATIONARY_STUCK) => 3,
            bits if bits.contains(TransientState::STATIONARY_STOP) => 2,
            bits if bits.contains(TransientState::STATIONARY_FALL) => 1,
            _ => 0,
        };
        mover
    }

    /// Returns the body as placement sees it: without contact (`docs/collision.md` 10.1).
    pub fn placement_mover<'a>(&self, guid: Guid, shape: &'a Shape, flags: MoverFlags) -> Mover<'a> {
        Mover::new(guid, shape, self.scale, self.state, flags)
    }

    /// Gives a mover the contact plane. A body that moves off it has only a last known plane, without its cell
    /// (rule S1).
    fn seed_contact(&self, mover: &mut Mover<'_>) {
        let is_water = self.transient.contains(TransientState::WATER_CONTACT);
        let contact = Contact { plane: self.contact_plane, cell: self.contact_plane_cell, is_water };
        if self.check_contact(true) {
            mover.contact = Some(contact);
            mover.last_known = Some(contact);
            mover.flags.insert(MoverFlags::CONTACT);
            mover.flags.set(MoverFlags::ON_WALKABLE, self.is_on_walkable());
        } else {
            mover.last_known = Some(Contact { cell: CellId::NONE, ..contact });
        }
    }
}

//! The body that is swept or placed, as a transition sees it (`docs/collision.md` 1.1, 2.2–2.7).

use acmotion_types::{Guid, Vec3};
use acmotion_wire::PhysicsState;
use bitflags::bitflags;

use super::path::DUMMY_SPHERE;
use super::{Contact, Shape};

bitflags! {
    /// What a mover is, and how it stands (`docs/collision.md` 1.1).
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
    #[doc(alias = "OBJECTINFO")]
    pub struct MoverFlags: u16 {
        /// It touches ground and does not move off it.
        const CONTACT = 0x001;
        /// The ground it touches is walkable.
        const ON_WALKABLE = 0x002;
        /// It is the camera.
        const IS_VIEWER = 0x004;
        /// It stops where it hits something.
        const PATH_CLIPPED = 0x008;
        /// It takes its final rotation at once, not along the path.
        const FREE_ROTATE = 0x010;
        /// It stops exactly where it touches something.
        const PERFECT_CLIP = 0x040;
        /// Nothing passes through it.
        const IS_IMPENETRABLE = 0x080;
        /// It is a player.
        const IS_PLAYER = 0x100;
        /// It slides along edges instead of walking off them.
        const EDGE_SLIDE = 0x200;
        /// Creatures do not block it.
        const IGNORE_CREATURES = 0x400;
        /// It is a player killer.
        const IS_PK = 0x800;
        /// It is a lite player killer.
        const IS_PKLITE = 0x1000;
        /// It enters restricted cells (`docs/collision.md` 8.7). The original asks the weenie and has no bit for it.
        #[doc(alias = "CanBypassMoveRestrictions")]
        const BYPASSES_RESTRICTIONS = 0x2000;
        /// It is a hook, storage or a corpse, which is put into its cell without looking for room
        /// (`docs/collision.md` 10.2). The original asks the weenie and has no bit for it.
        const IS_FORCED_INTO_CELL = 0x4000;
    }
}

/// The body that is swept or placed (`docs/collision.md` 1.1, 2.2–2.7).
///
/// [`Body::mover`](crate::body::Body::mover) makes one of a body that moves,
/// [`Body::placement_mover`](crate::body::Body::placement_mover) one of a body that is placed.
#[derive(Clone, Copy, PartialEq, Debug)]
#[doc(alias = "OBJECTINFO")]
pub struct Mover<'a> {
    /// The guid of the body. The obstacle with this guid does not block it.
    pub guid: Guid,
    /// The spheres and step heights, unscaled.
    pub shape: &'a Shape,
    /// The scale of the body, applied to `shape`.
    pub scale: f32,
    /// What the body is, and how it stands.
    pub flags: MoverFlags,
    /// The physics state, of which ethereal, missile and gravity count.
    pub state: PhysicsState,
    /// The surface the body stands on, unless it is moving off it.
    pub contact: Option<Contact>,
    /// The surface the body stood on last.
    pub last_known: Option<Contact>,
    /// The horizontal normal of the surface the body slides along.
    pub sliding_normal: Option<Vec3>,
    /// How many sub-steps in a row its fall has been stopped: 0 to 3.
    pub frames_stationary_fall: u8,
}

impl<'a> Mover<'a> {
    /// Creates a mover that has no contact, as placement starts with (`docs/collision.md` 10.1).
    pub fn new(guid: Guid, shape: &'a Shape, scale: f32, state: PhysicsState, flags: MoverFlags) -> Self {
        Self {
            guid,
            shape,
            scale,
            flags,
            state,
            contact: None,
            last_known: None,
            sliding_normal: None,
            frames_stationary_fall: 0,
        }
    }

    /// Returns the centre of the foot sphere, scaled, in the body's own axes.
    pub(super) fn foot(&self) -> Vec3 {
        self.shape.spheres().first().map_or(DUMMY_SPHERE.origin, |sphere| sphere.origin * self.scale)
    }

    /// Returns `true` if the body keeps to the ground by stepping down. Missiles do not.
    #[inline]
    pub fn steps_down(&self) -> bool {
        !self.state.contains(PhysicsState::MISSILE)
    }
}

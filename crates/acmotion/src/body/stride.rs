//! A step of a walker over level ground, without a sweep.

use acmotion_types::{Frame, Vec3};

use super::{Body, BodyFlags, PhysicsState};
use crate::collide::{Contact, InfinitePlane, Shape, SteadyStride, Stride};

impl Body {
    /// Returns `true` if the body touches an object, or did a moment ago.
    #[inline]
    pub(crate) fn has_touches(&self) -> bool {
        self.touches.is_some()
    }

    /// Moves a body to a frame over level ground, if that is a [stride](InfinitePlane::stride_end), and returns the way
    /// that it covered. Returns `None`, with nothing done, if it takes a sweep.
    ///
    /// The body must stand on walkable ground, without velocity and touches, and must neither slide nor be in water. A
    /// sweep and [`commit`](super::commit) then leave it as this does: they store the plane that it stands on, and clear
    /// what says that it collides. Everything else stays as it is.
    #[inline]
    pub(crate) fn stride(
        &mut self,
        shape: &Shape,
        target: &Frame,
        quantum: f32,
        ground: &InfinitePlane,
    ) -> Option<Vec3> {
        let from = &self.position;
        let contact = self.dry_contact();
        let end = ground.stride_end(&self.stride_to(target, shape, &contact)?)?;
        let covered = from.offset_to(&end);
        self.contact_plane = ground.seen_from(from.cell);
        self.contact_plane_cell = from.cell;
        self.cached_velocity = covered * (1.0 / quantum);
        self.position = end;
        self.sliding_normal = Vec3::ZERO;
        self.flags.remove(BodyFlags::TOUCHES_ENVIRONMENT);
        Some(covered)
    }

    /// Returns what the strides of a body have in common from where it stands, if they change nothing but its position and
    /// its cached velocity. The body is as [`stride`](Self::stride) requires it.
    pub(crate) fn steady_stride(&self, shape: &Shape, ground: &InfinitePlane) -> Option<SteadyStride> {
        let contact = self.dry_contact();
        let stride = self.stride_to(&self.position.frame, shape, &contact)?;
        let Vec3 { x, y, z } = self.sliding_normal;
        let is_clear = x.to_bits() | y.to_bits() | z.to_bits() == 0;
        let collides = self.flags.contains(BodyFlags::TOUCHES_ENVIRONMENT);
        ground.steady_stride(&stride).filter(|_| is_clear && !collides)
    }

    #[inline(always)]
    fn dry_contact(&self) -> Contact {
        Contact { plane: self.contact_plane, cell: self.contact_plane_cell, is_water: false }
    }

    #[inline(always)]
    fn stride_to<'a>(
        &'a self,
        target: &'a Frame,
        shape: &'a Shape,
        contact: &'a Contact,
    ) -> Option<Stride<'a>> {
        Some(Stride {
            from: &self.position,
            target,
            contact,
            foot: shape.spheres().first()?,
            scale: self.scale,
            falls: self.state.contains(PhysicsState::GRAVITY),
        })
    }
}

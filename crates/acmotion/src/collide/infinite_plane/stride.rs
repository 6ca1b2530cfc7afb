//! The most common sweep, without the detours: a walker goes on over the level ground it stands on.

use acmotion_dat::Sphere;
use acmotion_types::{CELL_LENGTH, CellPosition, EPS, Frame, Vec3};
use acmotion_wire::PhysicsState;

use super::InfinitePlane;
use crate::collide::{Arrival, Contact, Mover, MoverFlags, Plane};
use crate::interior::Interior;

/// How far from the west and south borders of its cell a stride must end, in metres. Nearer than that the full sweep
/// decides which cell it is.
const BORDER: f32 = 0.01;

/// What a stride depends on: a walker that stands and does not slide, and the frame that it wants to get to.
pub(crate) struct Stride<'a> {
    pub(crate) from: &'a CellPosition,
    pub(crate) target: &'a Frame,
    /// What it stands on.
    pub(crate) contact: &'a Contact,
    /// Its lowest sphere, not scaled.
    pub(crate) foot: &'a Sphere,
    pub(crate) scale: f32,
    /// Whether gravity acts on it.
    pub(crate) falls: bool,
}

impl InfinitePlane {
    /// Returns where a walker gets in one sub-step on level ground, bit for bit as the full sweep would. `None` wherever
    /// anything is out of the ordinary, and the full sweep is needed.
    #[inline]
    pub(super) fn stride(
        &self,
        mover: &Mover<'_>,
        from: &CellPosition,
        to: &CellPosition,
    ) -> Option<Arrival> {
        let stands = mover.flags.contains(MoverFlags::CONTACT | MoverFlags::ON_WALKABLE);
        if !stands || mover.sliding_normal.is_some() || from.cell != to.cell {
            return None;
        }
        let falls = mover.state.contains(PhysicsState::GRAVITY);
        let (contact, foot) = (&mover.contact?, mover.shape.spheres().first()?);
        let stride = Stride { from, target: &to.frame, contact, foot, scale: mover.scale, falls };
        let end = self.stride_end(&stride)?;
        Some(Arrival {
            contact: Contact { plane: self.seen_from(from.cell), cell: from.cell, is_water: false },
            has_contact: true,
            frames_stationary_fall: if falls { 0 } else { mover.frames_stationary_fall },
            ..Arrival::without_contact(end)
        })
    }

    /// Returns where a stride ends. `None` if it takes the full sweep.
    #[inline]
    pub(crate) fn stride_end(&self, stride: &Stride<'_>) -> Option<CellPosition> {
        let Stride { from, target, contact, foot, scale, falls } = *stride;
        let plane = self.seen_from(from.cell);
        if !is_up(contact.plane.normal) || !is_up(plane.normal) || !stride.is_upright() {
            return None;
        }
        let origin = end_of_step(from.frame.origin, target.origin, foot.radius * scale)?;
        if !stride.is_supported(plane, origin.z) {
            return None;
        }
        let mut end = CellPosition::new(from.cell, Frame::new(origin, target.rotation));
        if !is_inside_cell(&end) {
            end = across_border(&end)?;
        }
        let stays = falls && end.cell == from.cell && end.frame.is_close_to(&from.frame);
        (!stays).then_some(end)
    }
}

impl Stride<'_> {
    /// Returns `true` if the foot neither sinks into what it stands on nor hangs above or below level ground at a height of
    /// the body's origin, in metres. The distances depend on heights alone.
    #[inline(always)]
    fn is_supported(&self, ground: Plane, z: f32) -> bool {
        let Self { from, contact, foot, scale, .. } = *self;
        let (height, radius) = (foot.origin.z * scale, foot.radius * scale);
        let above_contact = from.frame.origin.z + height + contact.plane.d;
        let sinks = !contact.is_water && contact.cell.0 != 0 && above_contact < radius - EPS;
        let above_ground = z + height - radius + ground.d;
        !sinks && above_ground.abs() <= EPS
    }

    /// Returns `true` if the body stands upright before and after, and the centre of its foot is on its axis.
    #[inline]
    fn is_upright(&self) -> bool {
        let (own, turned, foot) = (self.from.frame.rotation, self.target.rotation, self.foot.origin);
        are_zero(own.x, own.y) && are_zero(turned.x, turned.y) && are_zero(foot.x, foot.y)
    }
}

/// Returns where a sub-step over level ground ends, of a walker with a foot of that radius. `None` if the way takes several,
/// or is so short that it may count as none.
#[inline(always)]
fn end_of_step(from: Vec3, target: Vec3, radius: f32) -> Option<Vec3> {
    let wanted = target - from;
    // The ground takes the vertical part (3.4); a longer offset takes more sub-steps (3.2).
    let offset = Vec3 { z: 0.0, ..wanted };
    let is_one_step = wanted.length_squared() <= radius * radius;
    (is_one_step && offset.length_squared() >= EPS * EPS).then(|| from + offset)
}

/// Returns `true` if a normal points straight up: if it equals [`UP`](crate::collide::transition::UP).
#[inline]
fn is_up(Vec3 { x, y, z }: Vec3) -> bool {
    are_zero(x, y) && z == 1.0
}

/// Returns `true` if both numbers are 0 or −0.
#[inline]
fn are_zero(a: f32, b: f32) -> bool {
    (a.to_bits() | b.to_bits()) << 1 == 0
}

/// Returns a position in the outdoor cell it lies in, if it is clear of the borders, or unchanged if it is not outdoors.
#[inline(never)]
fn across_border(position: &CellPosition) -> Option<CellPosition> {
    if !position.cell.is_outdoor() {
        return Some(*position);
    }
    position.adjusted_to_outside().filter(is_inside_cell)
}

/// Returns `true` if a position lies in the outdoor cell it names, clear of the borders.
#[inline(always)]
fn is_inside_cell(position: &CellPosition) -> bool {
    let index = position.cell.low() - 1;
    let is_inside = |v: f32, cell: u16| {
        let from_border = v - f32::from(cell) * CELL_LENGTH;
        (BORDER..CELL_LENGTH).contains(&from_border)
    };
    is_inside(position.frame.origin.x, index >> 3) && is_inside(position.frame.origin.y, index & 7)
}

/// What the strides of a walker over level ground have in common, as long as they end inside of its cell.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct SteadyStride {
    /// The radius of the foot, in metres.
    radius: f32,
    interior: Interior,
}

impl SteadyStride {
    /// No stride.
    pub(crate) const NONE: Self = Self { radius: 0.0, interior: Interior::NONE };

    /// Returns where a stride ends, as [`stride_end`](InfinitePlane::stride_end) does. `None` if that cannot be told: if it
    /// leads to a border of the cell or further, for example.
    #[inline(always)]
    pub(crate) fn end(&self, from: Vec3, target: Vec3) -> Option<Vec3> {
        let end = end_of_step(from, target, self.radius)?;
        let stays = (end.x - from.x).abs() <= EPS && (end.y - from.y).abs() <= EPS;
        (!stays && self.interior.contains_point(end)).then_some(end)
    }
}

impl InfinitePlane {
    /// Returns what the strides of a walker have in common from where it stands, inside of a land cell. `None` if they are
    /// none, or if a stride would change what it stands on.
    ///
    /// They have everything in common but their length and direction, because a stride keeps the height of the walker.
    pub(crate) fn steady_stride(&self, stride: &Stride<'_>) -> Option<SteadyStride> {
        let Stride { from, contact, foot, scale, .. } = *stride;
        let (plane, origin) = (self.seen_from(from.cell), from.frame.origin);
        let is_kept = bits(contact.plane) == bits(plane) && contact.cell == from.cell;
        let is_level = is_up(plane.normal) && stride.is_upright() && stride.is_supported(plane, origin.z);
        let interior = Interior::of(from.cell);
        (is_kept && is_level && interior.contains(from))
            .then_some(SteadyStride { radius: foot.radius * scale, interior })
    }
}

/// The bits of a plane: −0 counts as another number than 0.
fn bits(Plane { normal, d }: Plane) -> [u32; 4] {
    [normal.x, normal.y, normal.z, d].map(f32::to_bits)
}

#[cfg(test)]
mod tests {
    use acmotion_types::{CellId, Guid, Quat};
    use proptest::prelude::*;

    use super::*;
    use crate::collide::Shape;

    /// Coordinates anywhere in a landblock, often close to the border of a cell or on it.
    fn coordinate() -> impl Strategy<Value = f32> {
        let near_border = (0_u8..=8, -0.3_f32..0.3).prop_map(|(cell, off)| f32::from(cell) * 24.0 + off);
        let on_border = (0_u8..=8).prop_map(|cell| f32::from(cell) * 24.0);
        prop_oneof![4 => 0.0_f32..192.0, 4 => near_border, 1 => on_border]
    }

    /// Steps of a walk, now and then onto the border of a cell.
    fn step(from: f32) -> impl Strategy<Value = f32> {
        let to_border = (from / 24.0).round() * 24.0 - from;
        prop_oneof![8 => -0.5_f32..0.5, 1 => Just(0.0), 1 => Just(to_border), 1 => (-3e-4_f32..3e-4).prop_map(move |off| to_border + off)]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4096))]

        /// Across borders of cells and landblocks, in rooms, off the ground and into it.
        #[test]
        fn a_stride_equals_the_full_sweep(
            ((x, dx), (y, dy)) in (coordinate(), coordinate())
                .prop_flat_map(|(x, y)| ((Just(x), step(x)), (Just(y), step(y)))),
            off in prop_oneof![3 => Just(0.0_f32), 1 => -0.01_f32..0.01], dz in -0.05_f32..0.05,
            turn in 0.0_f32..6.0, gravity: bool, stopped in 0_u8..3, in_room in prop::bool::weighted(0.2),
        ) {
            let ground = InfinitePlane::level(94.0);
            let shape = Shape::human();
            let from = CellPosition::at(CellId(0xA9B4_0001), Vec3::new(x, y, 94.005 + off));
            let mut from = from.adjusted_to_outside().unwrap();
            if in_room {
                from.cell = CellId(from.cell.0 & 0xFFFF_0000 | 0x0123);
            }
            let mut state = PhysicsState::EDGE_SLIDE;
            state.set(PhysicsState::GRAVITY, gravity);
            let flags = MoverFlags::CONTACT | MoverFlags::ON_WALKABLE | MoverFlags::EDGE_SLIDE;
            let contact = Some(Contact { plane: ground.plane, cell: from.cell, is_water: false });
            let mover = Mover {
                contact,
                last_known: contact,
                frames_stationary_fall: stopped,
                ..Mover::new(Guid(1), &shape, 1.0, state, flags)
            };
            let mut to = from;
            to.frame.origin += Vec3::new(dx, dy, dz);
            to.frame.set_rotation(Quat { w: libm::cosf(turn), x: 0.0, y: 0.0, z: libm::sinf(turn) });
            if let Some(stride) = ground.stride(&mover, &from, &to) {
                prop_assert_eq!(Some(stride), ground.full_sweep(&mover, &from, &to).arrival);
            } else {
                let length = libm::hypotf(dx, dy);
                let end = to.frame.origin;
                let distance = |v: f32| (v - (v / 24.0).round() * 24.0).abs();
                let near_border = distance(end.x).min(distance(end.y)) < 0.011;
                let is_ordinary = off == 0.0 && (0.01..=0.4).contains(&length);
                prop_assert!(!is_ordinary || near_border && !in_room, "no stride, but nothing unusual");
            }
        }
    }

    /// A walker of half the human size: its foot has a radius of 0.24 m and is 0.2375 m above its origin.
    const SCALE: f32 = 0.5;
    /// The height of its origin when it stands on the ground of 94 m.
    const STANDING: f32 = 94.0025;

    /// What the strides of the walker have in common that stands, or is said to stand, on some ground.
    fn steady(ground: &InfinitePlane, z: f32, rotation: Quat) -> Option<(Vec3, SteadyStride)> {
        let cell = CellId(0xA9B4_0001);
        let from = CellPosition::new(cell, Frame::new(Vec3::new(12.0, 12.0, z), rotation));
        let contact = Contact { plane: ground.seen_from(cell), cell, is_water: false };
        let (shape, target) = (Shape::human(), from.frame);
        let foot = &shape.spheres()[0];
        let stride =
            Stride { from: &from, target: &target, contact: &contact, foot, scale: SCALE, falls: true };
        ground.steady_stride(&stride).map(|steady| (from.frame.origin, steady))
    }

    /// 3.2: no longer than the radius of the foot. 3.9: what is no more than EPS along each axis does not count as moved.
    #[test]
    fn steady_strides_are_one_sub_step_long() {
        let ground = InfinitePlane::level(94.0);
        let (from, steady) = steady(&ground, STANDING, Quat::IDENTITY).expect("it stands on level ground");
        let end = |x: f32, y: f32| steady.end(from, from + Vec3::new(x, y, 0.0));
        for (x, y) in [(0.2, 0.0), (0.0, 0.2), (-0.1, 0.1), (3e-4, 0.0), (0.0, 3e-4)] {
            assert_eq!(end(x, y), Some(from + Vec3::new(x, y, 0.0)));
        }
        for (x, y) in [(0.25, 0.0), (0.0, 0.25), (0.2, 0.2), (0.0, 0.0), (1.5e-4, 1.5e-4), (-1.5e-4, 1.5e-4)]
        {
            assert_eq!(end(x, y), None, "({x}, {y})");
        }
    }

    #[test]
    fn only_an_upright_walker_on_level_ground_has_steady_strides() {
        let level = InfinitePlane::level(94.0);
        let tilted = Quat { w: 0.8, x: 0.6, y: 0.0, z: 0.0 };
        assert!(steady(&level, STANDING, Quat::IDENTITY).is_some());
        assert!(steady(&level, STANDING + 1.0, Quat::IDENTITY).is_none(), "in the air");
        assert!(steady(&level, STANDING - 0.1, Quat::IDENTITY).is_none(), "in the ground");
        assert!(steady(&level, STANDING, tilted).is_none(), "tilted");
        // As far from the corner of the landblock as the level ground: by heights alone the walker would stand on it.
        let slope = InfinitePlane { plane: Plane::new(Vec3::new(0.0, 0.6, 0.8), -94.0), ..level };
        assert!(steady(&slope, STANDING, Quat::IDENTITY).is_none(), "on a slope");
    }
}

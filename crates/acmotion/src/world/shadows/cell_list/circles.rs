//! The search among few entities: the circles of all of them are compared with that of the body, several at a time.

use super::super::{Bounds, MapReach};
use super::CHUNK;

/// The number of circles that are turned into bits at a time.
const GROUP: usize = 8;

/// The circles of up to 64 entities, in the order of the list. Those behind its end are left over. Kept as three lists of
/// numbers, so that the compiler can compute with several at a time.
#[derive(Clone)]
pub(super) struct Circles {
    x: [f32; CHUNK],
    y: [f32; CHUNK],
    radius: [f32; CHUNK],
}

impl Default for Circles {
    fn default() -> Self {
        Self { x: [0.0; CHUNK], y: [0.0; CHUNK], radius: [0.0; CHUNK] }
    }
}

impl Circles {
    /// Sets the circle of the entity at an index.
    #[inline]
    pub(super) fn set(&mut self, index: usize, bounds: &Bounds) {
        (self.x[index], self.y[index], self.radius[index]) = (bounds.x, bounds.y, bounds.radius);
    }

    /// Returns those among the first `count` that the circle of a reach meets, as bits. NaN meets everything, as in
    /// [`MapReach::misses`].
    #[inline]
    pub(super) fn near(&self, reach: &MapReach, count: usize) -> u64 {
        let mut near = [0_u8; CHUNK];
        let groups = count.div_ceil(GROUP).min(CHUNK / GROUP);
        let circles = self.x.iter().zip(&self.y).zip(&self.radius).take(groups * GROUP);
        for (near, ((x, y), radius)) in near.iter_mut().zip(circles) {
            let (east, north, apart) = (x - reach.centre.x, y - reach.centre.y, radius + reach.radius);
            let is_missed = east * east + north * north > apart * apart;
            *near = u8::from(!is_missed);
        }
        let bits = near
            .chunks_exact(GROUP)
            .take(groups)
            .enumerate()
            .fold(0, |bits, (group, near)| bits | u64::from(lowest_bits(near)) << (group * GROUP));
        // Without those that are left over.
        if count < CHUNK { bits & ((1 << count) - 1) } else { bits }
    }
}

/// Returns the lowest bit of each of eight bytes, the first one lowest.
#[inline]
fn lowest_bits(bytes: &[u8]) -> u8 {
    let bytes = bytes.try_into().map_or(0, u64::from_le_bytes);
    (bytes.wrapping_mul(0x0102_0408_1020_4080) >> 56) as u8
}

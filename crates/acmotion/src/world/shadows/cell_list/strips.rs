//! The search among many entities.
//!
//! The map is cut into strips along both axes, and for each strip there is the set of the entities whose bounds reach into
//! it. The entities near a body are in the sets of its own strips.

use super::super::{Bounds, MapReach};
use super::{CHUNK, bit_of};

/// The number of strips along an axis. Those farther away share the sets of the first ones again.
const STRIPS: usize = 16;
/// The inverse of the width of a strip, 1.5 m: 16 strips are as wide as a land cell.
const STRIPS_A_METRE: f32 = 1.0 / 1.5;
/// The margin around a reach, in metres: more than rounding can shift the sides of bounds on the map.
const MARGIN: f32 = 0.02;
/// A number so large that numbers of half its size have no fraction.
const ROUND: f32 = 12_582_912.0;
/// The largest map coordinate for which the margin is large enough.
const MAX_COORDINATE: f32 = 65_536.0;

/// The strips that something reaches into, as bits: along the x axis in the lower half, along the y axis in the upper.
#[derive(Clone, Copy)]
pub(super) struct Strips(u32);

impl Strips {
    /// Returns the strips in which entities within a reach are found.
    pub(super) fn of_reach(reach: &MapReach) -> Self {
        Self::of(reach.centre.x, reach.centre.y, reach.radius + MARGIN)
    }

    /// Returns the strips of a circle. All of them, if it is too wide or off the map, its radius is negative or a number is
    /// not finite.
    fn of(x: f32, y: f32, radius: f32) -> Self {
        match (along(x, radius), along(y, radius)) {
            (Some(x), Some(y)) => Self(u32::from(x) | u32::from(y) << STRIPS),
            _ => Self(u32::MAX),
        }
    }

    fn x(self) -> u16 {
        self.0 as u16
    }

    fn y(self) -> u16 {
        (self.0 >> STRIPS) as u16
    }
}

/// Returns the strips between `centre - radius` and `centre + radius`; `None` if they cannot be told.
fn along(centre: f32, radius: f32) -> Option<u16> {
    let (low, high) = ((centre - radius) * STRIPS_A_METRE, (centre + radius) * STRIPS_A_METRE);
    // NaN fails this test.
    let is_on_map = low > -MAX_COORDINATE && high < MAX_COORDINATE;
    if !(is_on_map && radius >= 0.0 && high - low < (STRIPS - 2) as f32) {
        return None;
    }
    // Strips are numbered by rounding: the last bits of this sum are the nearest whole number.
    let rounded = |v: f32| (v + ROUND).to_bits();
    let (first, last) = (rounded(low), rounded(high));
    let count = last.wrapping_sub(first).wrapping_add(1).clamp(1, STRIPS as u32);
    let mask = u16::MAX >> (STRIPS as u32 - count);
    Some(mask.rotate_left(first % STRIPS as u32))
}

/// The sets of 64 entities that follow each other in the list.
#[derive(Clone, Default)]
struct Chunk {
    /// For each strip along the x axis, those whose bounds reach into it.
    x: [u64; STRIPS],
    /// For each strip along the y axis, those whose bounds reach into it.
    y: [u64; STRIPS],
}

impl Chunk {
    fn insert(&mut self, bit: u64, strips: Strips) {
        for_each_bit(strips.x(), |strip| self.x[strip] |= bit);
        for_each_bit(strips.y(), |strip| self.y[strip] |= bit);
    }

    fn remove(&mut self, bit: u64, strips: Strips) {
        for_each_bit(strips.x(), |strip| self.x[strip] &= !bit);
        for_each_bit(strips.y(), |strip| self.y[strip] &= !bit);
    }

    /// Returns those that reach into one of the strips along each axis.
    fn reaching(&self, strips: Strips) -> u64 {
        let (mut x, mut y) = (0, 0);
        for_each_bit(strips.x(), |strip| x |= self.x[strip]);
        for_each_bit(strips.y(), |strip| y |= self.y[strip]);
        x & y
    }
}

#[inline]
fn for_each_bit(mut bits: u16, mut action: impl FnMut(usize)) {
    while bits != 0 {
        action(bits.trailing_zeros() as usize % STRIPS);
        bits &= bits - 1;
    }
}

/// The sets of the entities of a list.
#[derive(Clone, Default)]
pub(super) struct StripIndex {
    /// The strips of each entity, in the order of the list.
    strips: Vec<Strips>,
    /// The sets of each 64 of them. There may be more, which are empty.
    chunks: Vec<Chunk>,
}

impl StripIndex {
    /// Adds an entity at the end of the list.
    pub(super) fn push(&mut self, bounds: &Bounds) {
        let index = self.strips.len();
        let strips = Strips::of(bounds.x, bounds.y, bounds.radius);
        self.strips.push(strips);
        if self.chunks.len() * CHUNK <= index {
            self.chunks.push(Chunk::default());
        }
        self.chunks[index / CHUNK].insert(bit_of(index), strips);
    }

    /// Removes an entity; the last one moves to its index.
    pub(super) fn swap_remove(&mut self, index: usize) {
        let last = self.strips.len() - 1;
        let moved = self.strips[last];
        let own = self.strips.swap_remove(index);
        self.chunks[index / CHUNK].remove(bit_of(index), own);
        if index != last {
            self.chunks[last / CHUNK].remove(bit_of(last), moved);
            self.chunks[index / CHUNK].insert(bit_of(index), moved);
        }
    }

    /// Returns the entities of a chunk that reach into one of the strips along each axis.
    pub(super) fn reaching(&self, chunk: usize, strips: Strips) -> u64 {
        self.chunks[chunk].reaching(strips)
    }
}

impl<'a> FromIterator<&'a Bounds> for StripIndex {
    fn from_iter<I: IntoIterator<Item = &'a Bounds>>(entities: I) -> Self {
        let mut index = Self::default();
        entities.into_iter().for_each(|bounds| index.push(bounds));
        index
    }
}

//! Lists of distances, which keep every distance or evenly spaced ones for percentiles. There is a list for each pair of
//! views, and together they take most of the memory of a simulation, so they share one pool, and two bytes hold a distance.

use super::Spread;

/// A distance in 15 bits: those of a single-precision number with fewer exponents and ten digits of its fraction. Rounding
/// changes it by at most 0.05 %.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Rounded(u16);

impl Rounded {
    /// The number of digits that are rounded away.
    const DROPPED: u32 = 13;
    /// The smallest distance that is told apart from 0: 2⁻¹¹ m, or half a millimetre.
    const LEAST: u32 = 0x3A00_0000;
    const LARGEST: u32 = (REPEATS - 1) as u32;

    fn new(distance: f32) -> Self {
        let above = distance.abs().to_bits().saturating_sub(Self::LEAST);
        let rounded = (above + (1 << (Self::DROPPED - 1))) >> Self::DROPPED;
        Self(rounded.min(Self::LARGEST) as u16)
    }

    fn metres(self) -> f32 {
        if self.0 == 0 { 0.0 } else { f32::from_bits((u32::from(self.0) << Self::DROPPED) + Self::LEAST) }
    }
}

/// The highest bit of an item that is not a distance, but the number of times that the distance before it was repeated.
const REPEATS: u16 = 1 << 15;
/// The index of no chunk.
const NO_CHUNK: u32 = u32::MAX;
/// The number of items of a chunk, which with its link fills a line of the cache.
const CHUNK_ITEMS: usize = 30;
/// The number of chunks that are allocated together.
const BLOCK_CHUNKS: usize = 1024;

#[derive(Clone, Copy, Debug)]
struct Chunk {
    items: [u16; CHUNK_ITEMS],
    /// The next chunk of the list, or of those that are free.
    next: u32,
}

/// The memory of many lists.
#[derive(Clone, Debug)]
pub(super) struct Pool {
    /// All are full but the last one. They do not move, however many there are.
    blocks: Vec<Vec<Chunk>>,
    free: u32,
}

impl Default for Pool {
    fn default() -> Self {
        Self { blocks: Vec::new(), free: NO_CHUNK }
    }
}

impl Pool {
    fn chunk(&self, index: u32) -> &Chunk {
        &self.blocks[index as usize / BLOCK_CHUNKS][index as usize % BLOCK_CHUNKS]
    }

    fn chunk_mut(&mut self, index: u32) -> &mut Chunk {
        &mut self.blocks[index as usize / BLOCK_CHUNKS][index as usize % BLOCK_CHUNKS]
    }

    /// Returns the index of an unused chunk.
    fn allocate(&mut self) -> u32 {
        if self.free != NO_CHUNK {
            let index = self.free;
            self.free = std::mem::replace(&mut self.chunk_mut(index).next, NO_CHUNK);
            return index;
        }
        if self.blocks.last().is_none_or(|block| block.len() == BLOCK_CHUNKS) {
            self.blocks.push(Vec::with_capacity(BLOCK_CHUNKS));
        }
        let before = (self.blocks.len() - 1) * BLOCK_CHUNKS;
        let block = &mut self.blocks[before / BLOCK_CHUNKS];
        block.push(Chunk { items: [0; CHUNK_ITEMS], next: NO_CHUNK });
        (before + block.len() - 1) as u32
    }
}

/// Distances in the order in which they were added, in chunks of a pool.
#[derive(Clone, Debug)]
struct List {
    first: u32,
    last: u32,
    /// The number of items in the last chunk.
    used: u16,
    /// The number of times that the distance that was added last was repeated since its last item.
    repeats: u16,
    value: Rounded,
}

impl Default for List {
    fn default() -> Self {
        Self { first: NO_CHUNK, last: NO_CHUNK, used: 0, repeats: 0, value: Rounded::default() }
    }
}

impl List {
    /// Adds a distance. Of an entity that stands still it is always the same, which takes no memory.
    fn push(&mut self, pool: &mut Pool, distance: f32) {
        let value = Rounded::new(distance);
        if self.first != NO_CHUNK && self.value == value && self.repeats < REPEATS - 1 {
            self.repeats += 1;
            return;
        }
        if self.repeats > 0 {
            self.append(pool, REPEATS | self.repeats);
            self.repeats = 0;
        }
        self.append(pool, value.0);
        self.value = value;
    }

    fn append(&mut self, pool: &mut Pool, item: u16) {
        if self.first == NO_CHUNK || self.used as usize == CHUNK_ITEMS {
            let chunk = pool.allocate();
            if self.first == NO_CHUNK {
                self.first = chunk;
            } else {
                pool.chunk_mut(self.last).next = chunk;
            }
            (self.last, self.used) = (chunk, 0);
        }
        pool.chunk_mut(self.last).items[self.used as usize] = item;
        self.used += 1;
    }

    /// Returns all distances, rounded, in their order.
    fn values(&self, pool: &Pool) -> Vec<f32> {
        let mut values = Vec::new();
        let mut repeat = |value: Rounded, count: u16| {
            values.extend(std::iter::repeat_n(value.metres(), count.into()));
        };
        let (mut index, mut value) = (self.first, Rounded::default());
        while index != NO_CHUNK {
            let chunk = pool.chunk(index);
            let used = if index == self.last { self.used as usize } else { CHUNK_ITEMS };
            for item in &chunk.items[..used] {
                if item & REPEATS == 0 {
                    value = Rounded(*item);
                    repeat(value, 1);
                } else {
                    repeat(value, item & !REPEATS);
                }
            }
            index = chunk.next;
        }
        repeat(value, self.repeats);
        values
    }

    /// Removes all distances and gives their memory back to the pool.
    fn clear(&mut self, pool: &mut Pool) {
        if self.first != NO_CHUNK {
            pool.chunk_mut(self.last).next = pool.free;
            pool.free = self.first;
        }
        *self = Self::default();
    }
}

/// Distances, of which every one or evenly spaced ones are kept.
#[derive(Clone, Debug, Default)]
pub(super) struct Distances {
    sum: f64,
    count: u32,
    worst: f32,
    kept: List,
}

impl Distances {
    /// Adds a distance. Every `stride`-th is kept; returns `true` if this one is.
    pub(super) fn push(&mut self, pool: &mut Pool, distance: f32, stride: usize) -> bool {
        let is_kept = (self.count as usize).is_multiple_of(stride);
        if is_kept {
            self.kept.push(pool, distance);
        }
        self.count += 1;
        self.sum += f64::from(distance);
        self.worst = self.worst.max(distance);
        is_kept
    }

    /// Forgets every second one of those that are kept. Returns how many are left.
    pub(super) fn thin(&mut self, pool: &mut Pool) -> usize {
        let values = self.kept.values(pool);
        self.kept.clear(pool);
        let left = values.iter().step_by(2);
        let count = left.len();
        for value in left {
            self.kept.push(pool, *value);
        }
        count
    }

    pub(super) fn spread(&self, pool: &Pool) -> Spread {
        let mut sorted = self.kept.values(pool);
        sorted.sort_unstable_by(f32::total_cmp);
        let Some(highest) = sorted.len().checked_sub(1) else { return Spread::default() };
        let count = self.count as usize;
        let rank = highest as f64 * 0.95;
        let (below, above) = (sorted[rank.floor() as usize], sorted[rank.ceil() as usize]);
        let p95 = (below + (above - below) * rank.fract() as f32).min(self.worst);
        Spread { count, mean: (self.sum / count as f64) as f32, p95, worst: self.worst }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs of every length across the ends of chunks, in two lists that take turns.
    #[test]
    fn lists_return_what_was_added() {
        let (mut pool, mut lists) = (Pool::default(), [List::default(), List::default()]);
        let mut expected = [Vec::new(), Vec::new()];
        for step in 0..4_000_u16 {
            let which = usize::from(step % 3 == 0);
            let value = f32::from(step / (1 + step % 7) / 5);
            lists[which].push(&mut pool, value);
            expected[which].push(value);
        }
        for (list, expected) in lists.iter().zip(&expected) {
            assert_eq!(&list.values(&pool), expected);
        }
        lists[0].clear(&mut pool);
        let chunks = pool.blocks.iter().map(Vec::len).sum::<usize>();
        lists[0] = List::default();
        for value in &expected[0] {
            lists[0].push(&mut pool, *value);
        }
        assert_eq!(lists[0].values(&pool), expected[0]);
        assert_eq!(lists[1].values(&pool), expected[1], "other lists are not affected");
        assert_eq!(pool.blocks.iter().map(Vec::len).sum::<usize>(), chunks, "chunks are used again");
    }

    #[test]
    fn distances_are_rounded_by_little() {
        let rounded = |distance: f32| Rounded::new(distance).metres();
        for exact in [0.0, 0.25, 1.0, 1.5, 64.0, 65_536.0] {
            assert_eq!(rounded(exact), exact);
        }
        let mut distance = 0.001_f32;
        while distance < 1e5 {
            let error = (rounded(distance) - distance).abs();
            assert!(error <= 0.000_5 * distance, "{distance} m became {}", rounded(distance));
            distance *= 1.003;
        }
        assert!(rounded(0.000_4) <= 0.001, "less than a millimetre stays less");
        assert!(
            rounded(f32::MAX) > 1e6 && rounded(f32::INFINITY) > 1e6,
            "more than the largest is the largest"
        );
    }

    #[test]
    fn a_distance_that_stays_the_same_takes_no_memory() {
        let (mut pool, mut list) = (Pool::default(), List::default());
        for _ in 0..100_000 {
            list.push(&mut pool, 0.25);
        }
        assert_eq!(pool.blocks.iter().map(Vec::len).sum::<usize>(), 1);
        assert_eq!(list.values(&pool), [0.25; 100_000]);
    }
}

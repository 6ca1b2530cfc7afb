//! The inside of a land cell.

use acmotion_types::{CELL_LENGTH, CellId, CellPosition, Vec3};

/// How far the inside is from the sides of a cell, in metres: more than rounding can shift a position.
pub(crate) const MARGIN: f32 = 0.05;

/// The points of a land cell that are clear of its sides by [`MARGIN`], in the axes of its landblock, at any height. Nearly
/// every position is in the interior of the cell that it was in before, which takes fewer instructions to find than the
/// cell itself.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Interior {
    /// The landblock in the upper half, as in cell ids.
    block: u32,
    /// The south-west corner; NaN contains no point.
    low: [f32; 2],
}

impl Interior {
    /// Contains no point.
    pub(crate) const NONE: Self = Self { block: 0, low: [f32::NAN; 2] };

    /// Returns the interior of the cell at global cell coordinates, counted from the south-west corner of the map. Empty if
    /// they are off the map.
    pub(crate) fn new(x: i32, y: i32) -> Self {
        let blocks = 0..0x100;
        let (block_x, block_y) = (x >> 3, y >> 3);
        if !blocks.contains(&block_x) || !blocks.contains(&block_y) {
            return Self::NONE;
        }
        let low = [x & 7, y & 7].map(|cell| cell as f32 * CELL_LENGTH);
        Self { block: (block_x as u32) << 24 | (block_y as u32) << 16, low }
    }

    /// Returns the interior of a land cell; empty if the cell is another.
    pub(crate) fn of(cell: CellId) -> Self {
        if !cell.is_outdoor() {
            return Self::NONE;
        }
        let index = i32::from(cell.low()) - 1;
        Self::new(i32::from(cell.block_x()) << 3 | index >> 3, i32::from(cell.block_y()) << 3 | index & 7)
    }

    /// Returns `true` if a position is in the interior.
    #[inline]
    pub(crate) fn contains(&self, position: &CellPosition) -> bool {
        position.cell.0 & 0xFFFF_0000 == self.block && self.contains_point(position.frame.origin)
    }

    /// Returns `true` if a point in the axes of the landblock is in the interior.
    #[inline(always)]
    pub(crate) fn contains_point(&self, Vec3 { x, y, .. }: Vec3) -> bool {
        let is_between = |offset: f32| offset > MARGIN && offset < CELL_LENGTH - MARGIN;
        is_between(x - self.low[0]) && is_between(y - self.low[1])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_land_cell_has_an_interior_that_is_clear_of_its_sides() {
        for low in 1..=0x40_u32 {
            let cell = CellId(0xA9B4_0000 | low);
            let corner = Vec3::new(((low - 1) >> 3) as f32 * 24.0, ((low - 1) & 7) as f32 * 24.0, 94.0);
            let contains = |x: f32, y: f32| {
                let position = CellPosition::at(cell, corner + Vec3::new(x, y, 0.0));
                assert_eq!(
                    position.adjusted_to_outside().map(|at| at.cell == cell),
                    Some(x >= 0.0 && y < 24.0)
                );
                Interior::of(cell).contains(&position)
            };
            assert!(contains(12.0, 12.0) && contains(0.06, 23.94));
            assert!(
                !contains(0.04, 12.0)
                    && !contains(12.0, 23.96)
                    && !contains(-0.1, 12.0)
                    && !contains(12.0, 24.1)
            );
        }
        let elsewhere = CellPosition::at(CellId(0xA9B5_0001), Vec3::new(12.0, 12.0, 94.0));
        assert!(!Interior::of(CellId(0xA9B4_0001)).contains(&elsewhere), "another landblock");
    }

    #[test]
    fn nothing_is_inside_of_what_is_not_a_land_cell() {
        for cell in [0xA9B4_0000, 0xA9B4_0041, 0xA9B4_0100, 0xA9B4_FFFF].map(CellId) {
            assert!(
                !Interior::of(cell).contains(&CellPosition::at(cell, Vec3::new(12.0, 12.0, 94.0))),
                "{cell}"
            );
        }
        assert!(!Interior::new(-1, 5).contains_point(Vec3::ZERO) && Interior::new(0, 2048).low[0].is_nan());
    }
}

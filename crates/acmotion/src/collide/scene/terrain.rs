//! The land of one landblock: heights, triangles and water (`docs/collision.md` 6).

use acmotion_types::{CELL_LENGTH, Vec3};

use crate::collide::Plane;
use crate::collide::geometry::plane_through;

/// The height in metres of each height byte.
#[doc(alias = "Land_Height_Table")]
pub type HeightTable = [f32; 256];

/// The number of corners along a side of a landblock.
const CORNERS: usize = 9;
/// The number of land cells along a side of a landblock.
const CELLS: usize = 8;

/// How much of a cell or a landblock is water.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
#[doc(alias = "WaterType")]
pub enum Water {
    /// None of it.
    #[default]
    Not,
    /// Some of it.
    Partially,
    /// All of it.
    Entirely,
}

/// The land above or below a point.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Ground {
    /// The plane, in the axes of the landblock.
    pub plane: Plane,
    /// Whether the cell has water.
    pub is_water: bool,
    /// How deep bodies sink into it, in metres.
    pub depth: f32,
}

/// The land of one landblock: 64 cells of two triangles each.
#[derive(Clone, PartialEq, Debug)]
#[doc(alias = "CLandBlockStruct")]
pub struct Terrain {
    /// The heights of the corners in metres, at index 9 x + y.
    heights: [f32; CORNERS * CORNERS],
    /// A bit for each cell that is cut from the south-west corner.
    cut_from_south_west: u64,
    planes: [[Plane; 2]; CELLS * CELLS],
    /// A bit for each corner under water.
    wet: u128,
    cell_waters: [Water; CELLS * CELLS],
    water: Water,
}

/// Returns `true` if a cell, given by its global coordinates, is cut into triangles from its south-west to its north-east
/// corner (`docs/collision.md` 6.2).
pub fn is_cut_from_south_west(x: u32, y: u32) -> bool {
    split_hash(x, y) & 0x8000_0000 != 0
}

fn split_hash(x: u32, y: u32) -> u32 {
    let slope = x.wrapping_mul(214_614_067).wrapping_add(1_813_693_831);
    let product = y.wrapping_mul(slope);
    product.wrapping_sub(x.wrapping_mul(1_109_124_029)).wrapping_sub(1_369_149_221)
}

impl Terrain {
    /// Creates the land of a landblock from a height byte and the terrain type of each corner, at index 9 x + y
    /// (`docs/collision.md` 6.1).
    pub fn new(
        block: u16,
        heights: &[u8; 81],
        grounds: &[acmotion_dat::Terrain; 81],
        table: &HeightTable,
    ) -> Self {
        let mut terrain = Self {
            heights: heights.map(|height| table[usize::from(height)]),
            cut_from_south_west: 0,
            planes: [[Plane::default(); 2]; CELLS * CELLS],
            wet: 0,
            cell_waters: [Water::Not; CELLS * CELLS],
            water: Water::Not,
        };
        for (corner, ground) in grounds.iter().enumerate() {
            terrain.wet |= u128::from(ground.is_water()) << corner;
        }
        let (x0, y0) = (u32::from(block >> 8) * 8, u32::from(block & 0xFF) * 8);
        for cell in 0..CELLS * CELLS {
            let (x, y) = (cell / CELLS, cell % CELLS);
            let cut = is_cut_from_south_west(x0 + x as u32, y0 + y as u32);
            terrain.cut_from_south_west |= u64::from(cut) << cell;
            for which in 0..2 {
                let plane = plane_through(&terrain.triangle(cell, which));
                terrain.planes[cell][which] = plane.unwrap_or(Plane::new(Vec3::new(0.0, 0.0, 1.0), 0.0));
            }
            terrain.cell_waters[cell] = terrain.water_of_corners(x, y);
        }
        terrain.water = water_of_cells(&terrain.cell_waters);
        terrain
    }

    /// Returns a corner in the axes of the landblock.
    fn corner(&self, x: usize, y: usize) -> Vec3 {
        let z = self.heights[x * CORNERS + y];
        Vec3::new(x as f32 * CELL_LENGTH, y as f32 * CELL_LENGTH, z)
    }

    fn is_corner_wet(&self, x: usize, y: usize) -> bool {
        self.wet >> (x * CORNERS + y) & 1 != 0
    }

    fn water_of_corners(&self, x: usize, y: usize) -> Water {
        let corners = [(x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1)];
        match corners.into_iter().filter(|(x, y)| self.is_corner_wet(*x, *y)).count() {
            0 => Water::Not,
            4 => Water::Entirely,
            _ => Water::Partially,
        }
    }

    /// Returns `true` if a cell is cut from its south-west corner. `cell` is 8 x + y.
    #[inline]
    pub fn is_cut_from_south_west(&self, cell: usize) -> bool {
        self.cut_from_south_west >> (cell & 63) & 1 != 0
    }

    /// Returns the corners of a cell's first or second triangle, counter-clockwise seen from above (`docs/collision.md`
    /// 6.2).
    pub fn triangle(&self, cell: usize, which: usize) -> [Vec3; 3] {
        let (x, y) = (cell / CELLS % CELLS, cell % CELLS);
        let corners = match (self.is_cut_from_south_west(cell), which) {
            (true, 0) => [(x, y), (x + 1, y), (x + 1, y + 1)],
            (true, _) => [(x, y), (x + 1, y + 1), (x, y + 1)],
            (false, 0) => [(x, y), (x + 1, y), (x, y + 1)],
            (false, _) => [(x + 1, y + 1), (x, y + 1), (x + 1, y)],
        };
        corners.map(|(x, y)| self.corner(x, y))
    }

    /// Returns the plane of a triangle.
    #[inline]
    pub fn plane(&self, cell: usize, which: usize) -> Plane {
        self.planes[cell & 63][which & 1]
    }

    /// Returns which triangle of a cell is above or below a point; `None` outside of the cell. Edges belong to a
    /// triangle, and the cut to the first (`docs/collision.md` 6.3).
    #[inline]
    pub fn triangle_at(&self, cell: usize, point: Vec3) -> Option<usize> {
        let west = (cell / CELLS % CELLS) as f32 * CELL_LENGTH;
        let south = (cell % CELLS) as f32 * CELL_LENGTH;
        let inside = |v: f32, low: f32| v >= low && v <= low + CELL_LENGTH;
        if !(inside(point.x, west) && inside(point.y, south)) {
            return None;
        }
        // The edge test of the first triangle along the cut, in the axes of the landblock as for any polygon. The order of
        // operations decides how points next to the cut are rounded.
        let (x, y) = (point.x * CELL_LENGTH, point.y * CELL_LENGTH);
        let (west, south) = (west * CELL_LENGTH, south * CELL_LENGTH);
        let depth = if self.is_cut_from_south_west(cell) {
            (south - west - y) + x
        } else {
            (west + south + CELL_LENGTH * CELL_LENGTH - y) - x
        };
        let is_first = depth >= 0.0;
        Some(usize::from(!is_first))
    }

    /// Returns the ground of a cell above or below a point; `None` outside of the cell.
    #[inline]
    pub fn ground_at(&self, cell: usize, point: Vec3) -> Option<Ground> {
        let which = self.triangle_at(cell, point)?;
        Some(Ground {
            plane: self.plane(cell, which),
            is_water: self.cell_water(cell) != Water::Not,
            depth: self.depth_at(cell, point),
        })
    }

    /// Returns how deep bodies sink at a point, in metres: into water, and a little into the shore (`docs/collision.md`
    /// 6.4).
    #[doc(alias = "get_water_depth")]
    #[inline]
    pub fn depth_at(&self, cell: usize, point: Vec3) -> f32 {
        match self.cell_water(cell) {
            Water::Not => 0.0,
            Water::Entirely => 0.9,
            Water::Partially => {
                let (x, y) = (cell / CELLS % CELLS, cell % CELLS);
                let beyond = |v: f32, cell: usize| usize::from(v > (cell as f32 + 0.5) * CELL_LENGTH);
                let is_wet = self.is_corner_wet(x + beyond(point.x, x), y + beyond(point.y, y));
                if is_wet { 0.45 } else { 0.1 }
            }
        }
    }

    /// Returns how much of a cell is water.
    #[inline]
    pub fn cell_water(&self, cell: usize) -> Water {
        self.cell_waters[cell & 63]
    }

    /// Returns how much of the landblock is water.
    #[inline]
    pub fn water(&self) -> Water {
        self.water
    }
}

fn water_of_cells(cells: &[Water]) -> Water {
    if cells.iter().all(|water| *water == Water::Not) {
        Water::Not
    } else if cells.iter().all(|water| *water == Water::Entirely) {
        Water::Entirely
    } else {
        Water::Partially
    }
}

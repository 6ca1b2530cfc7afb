//! Cells, and positions on the map (rules A12–A17).

use std::fmt;

use crate::frame::Frame;
use crate::vector::{EPS, Vec3};

/// The side length of a landblock, in metres.
pub const BLOCK_LENGTH: f32 = 192.0;
/// The side length of an outdoor cell, in metres.
pub const CELL_LENGTH: f32 = 24.0;
/// The number of outdoor cells along one side of a landblock.
const CELLS_PER_BLOCK: i64 = 8;
/// The number of outdoor cells along one side of the map, which is 255 landblocks.
const CELLS_PER_MAP: i64 = 255 * CELLS_PER_BLOCK;

/// The id of a cell: the column and row of its landblock in the upper two bytes, the number of the cell within the
/// landblock in the low word (rule A12).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[doc(alias = "objcell_id")]
pub struct CellId(pub u32);

impl CellId {
    /// The id that stands for no cell.
    pub const NONE: Self = Self(0);

    /// Returns the outdoor cell at global cell coordinates, counted from west to east and from south to north, or
    /// `None` if they are off the map.
    pub fn outdoor(x: i64, y: i64) -> Option<Self> {
        let on_map = 0..CELLS_PER_MAP;
        if !on_map.contains(&x) || !on_map.contains(&y) {
            return None;
        }
        let block = ((x / CELLS_PER_BLOCK) << 24) | ((y / CELLS_PER_BLOCK) << 16);
        let low = 1 + (x % CELLS_PER_BLOCK) * CELLS_PER_BLOCK + y % CELLS_PER_BLOCK;
        Some(Self((block | low) as u32))
    }

    /// Returns the column of the landblock, counted from west to east.
    pub const fn block_x(self) -> u8 {
        (self.0 >> 24) as u8
    }

    /// Returns the row of the landblock, counted from south to north.
    pub const fn block_y(self) -> u8 {
        (self.0 >> 16) as u8
    }

    /// Returns the landblock: the upper 16 bits.
    pub const fn block(self) -> u16 {
        (self.0 >> 16) as u16
    }

    /// Returns the number of the cell within the landblock: 1 to 0x40 outdoors, from 0x100 indoors.
    pub const fn low(self) -> u16 {
        self.0 as u16
    }

    /// Returns `true` if this is a cell of the landscape.
    pub const fn is_outdoor(self) -> bool {
        matches!(self.low(), 1..=0x40)
    }

    /// Returns `true` if this is an indoor cell. The two highest numbers, which stand for the landblock itself, count
    /// as indoors too; [`is_room`](Self::is_room) excludes them.
    pub const fn is_indoor(self) -> bool {
        self.low() >= 0x100
    }

    /// Returns `true` if this can be the id of a room. The two highest numbers stand for the landblock itself.
    pub const fn is_room(self) -> bool {
        matches!(self.low(), 0x100..=0xFFFD)
    }

    /// Returns `true` if this can be the id of a cell, or is that of a whole landblock (0xFFFF).
    #[doc(alias = "inbound_valid_cellid")]
    pub const fn is_valid(self) -> bool {
        self.is_outdoor() || self.is_room() || self.low() == 0xFFFF
    }

    /// Returns the offset from the origin of this cell's landblock to that of `to`, in metres. It is zero within one
    /// landblock (rule A12).
    #[doc(alias = "get_block_offset")]
    #[inline]
    pub fn block_offset(self, to: Self) -> Vec3 {
        if self.block() == to.block() {
            return Vec3::ZERO;
        }
        let along = |from: u8, to: u8| (f32::from(to) - f32::from(from)) * BLOCK_LENGTH;
        Vec3::new(along(self.block_x(), to.block_x()), along(self.block_y(), to.block_y()), 0.0)
    }
}

impl fmt::Display for CellId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "0x{:08X}", self.0)
    }
}

impl fmt::Debug for CellId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "CellId(0x{:08X})", self.0)
    }
}

/// The bounding cylinder of a body, for distances. The body's scale is already applied (rule A16).
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Cylinder {
    /// The radius, in metres.
    pub radius: f32,
    /// The height, in metres.
    pub height: f32,
}

/// A position on the map: a cell, and a frame relative to that cell's landblock (rule A12).
///
/// ```
/// use acmotion_types::{CellId, CellPosition, Vec3};
///
/// let west = CellPosition::at(CellId(0xA9B4_0001), Vec3::new(191.0, 10.0, 0.0));
/// let east = CellPosition::at(CellId(0xAAB4_0001), Vec3::new(1.0, 10.0, 0.0));
/// assert_eq!(west.offset_to(&east), Vec3::new(2.0, 0.0, 0.0));
/// assert_eq!(west.heading_to(&east), 90.0);
/// ```
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[doc(alias = "Position")]
pub struct CellPosition {
    /// The cell.
    pub cell: CellId,
    /// The origin and rotation relative to the cell's landblock.
    pub frame: Frame,
}

impl CellPosition {
    /// Creates a position from its parts.
    pub const fn new(cell: CellId, frame: Frame) -> Self {
        Self { cell, frame }
    }

    /// Creates a position with the identity rotation.
    pub const fn at(cell: CellId, origin: Vec3) -> Self {
        Self::new(cell, Frame::from_origin(origin))
    }

    /// Returns the offset from this position to `other` in metres, across landblocks (rule A12).
    #[doc(alias = "get_offset")]
    #[inline(always)]
    pub fn offset_to(&self, other: &Self) -> Vec3 {
        self.cell.block_offset(other.cell) + other.frame.origin - self.frame.origin
    }

    /// Returns the distance to `other` in three dimensions, in metres (rule A12).
    #[inline]
    pub fn distance_to(&self, other: &Self) -> f32 {
        self.offset_to(other).length()
    }

    /// Returns the compass heading from this position to `other` in degrees, ignoring height. It is 0 if the two are
    /// closer than [`EPS`] (rule A14).
    #[doc(alias = "heading_from_position")]
    #[inline]
    pub fn heading_to(&self, other: &Self) -> f32 {
        let flat = Vec3 { z: 0.0, ..self.offset_to(other) };
        flat.normalized().map_or(0.0, Vec3::heading)
    }

    /// Transforms this position into the local space of `base`, across landblocks (rule A8).
    #[doc(alias = "subtract2")]
    #[inline]
    pub fn relative_to(&self, base: &Self) -> Frame {
        let mut shifted = self.frame;
        shifted.origin += base.cell.block_offset(self.cell);
        shifted.subtract2(&base.frame)
    }

    /// Returns the signed distance between two upright cylinders, `own` at this position and `other_size` at `other`,
    /// in metres. It is negative if they overlap (rule A15).
    pub fn cylinder_distance(&self, own: Cylinder, other: &Self, other_size: Cylinder) -> f32 {
        let reach = self.cylinder_distance_no_z(own, other, other_size);
        let (z, other_z) = (self.frame.origin.z, other.frame.origin.z);
        let gap = if z <= other_z { other_z - (z + own.height) } else { z - (other_z + other_size.height) };
        match (gap > 0.0, reach > 0.0) {
            (true, true) => (gap * gap + reach * reach).sqrt(),
            (true, false) => gap,
            (false, true) => reach,
            (false, false) => -(gap * gap + reach * reach).sqrt(),
        }
    }

    /// Returns the distance between the positions less both radii, in metres. Despite its name in the original client,
    /// the distance is three-dimensional (rule A15).
    #[inline]
    pub fn cylinder_distance_no_z(&self, own: Cylinder, other: &Self, other_size: Cylinder) -> f32 {
        self.distance_to(other) - (own.radius + other_size.radius)
    }

    /// Returns the same position relative to the outdoor cell that contains it, with the origin inside that cell's
    /// landblock, or `None` if it is off the map (rule A13).
    #[doc(alias = "adjust_to_outside")]
    pub fn adjusted_to_outside(&self) -> Option<Self> {
        let snap = |v: f32| if v.abs() < EPS { 0.0 } else { v };
        let (x, y) = (snap(self.frame.origin.x), snap(self.frame.origin.y));
        if !self.cell.is_valid() || !x.is_finite() || !y.is_finite() {
            return None;
        }
        let coordinate = |block: u8, v: f32| {
            let cells = f64::from(v / CELL_LENGTH).floor() as i64;
            cells.saturating_add(i64::from(block) * CELLS_PER_BLOCK)
        };
        let cell = CellId::outdoor(coordinate(self.cell.block_x(), x), coordinate(self.cell.block_y(), y))?;
        let within = |v: f32| v - BLOCK_LENGTH * (v / BLOCK_LENGTH).floor();
        let mut out = Self::new(cell, self.frame);
        (out.frame.origin.x, out.frame.origin.y) = (within(x), within(y));
        Some(out)
    }
}

//! Named positions of the town.

use acmotion_types::{BLOCK_LENGTH, CELL_LENGTH, CellId, CellPosition, Frame, Vec3};

use super::super::rig::about_z;
use super::land::{HILL_LEVEL, LAKE_LEVEL, LEVEL, TABLE_LEVEL};
use super::layout::PIER;
use super::{FIRST_HOUSE_CELL, FIRST_SHED_CELL, HOME_BLOCK, house, shed};

macro_rules! landmarks {
    ($($(#[doc = $text:literal])+ $name:ident = $position:expr;)*) => {
        /// The named positions of the town, each for the origin of a standing human. They face north unless stated
        /// otherwise.
        #[derive(Clone, Copy, PartialEq, Debug)]
        pub struct Landmarks {
            $($(#[doc = $text])+ pub $name: CellPosition,)*
        }

        impl Landmarks {
            /// Iterates over all positions and their names.
            pub fn iter(&self) -> impl Iterator<Item = (&'static str, CellPosition)> {
                [$((stringify!($name), self.$name),)*].into_iter()
            }

            /// Returns the position with this name, or `None` if there is none.
            pub fn get(&self, name: &str) -> Option<CellPosition> {
                self.iter().find(|(known, _)| *known == name).map(|(_, position)| position)
            }
        }

        /// Returns the named positions of the town.
        pub fn landmarks() -> Landmarks {
            Landmarks { $($name: $position,)* }
        }
    };
}

landmarks! {
    /// On the path in front of the house.
    spawn = yard(108.0, 90.0, 0.0);
    /// In front of the front door, on the ground.
    doorstep = yard(108.0, 101.5, 0.0);
    /// The position for the front [door](super::super::DOOR_SETUP).
    door = in_house(house::rooms::DOORWAY, 0.0, -4.8, house::HALL_FLOOR - REST);
    /// In the hall, behind the door.
    hall = in_house(house::rooms::HALL, 0.0, -2.4, house::HALL_FLOOR);
    /// At the foot of the stairs to the loft.
    stairs_foot = in_house(house::rooms::STAIRS_UP, 4.7, -3.5, house::HALL_FLOOR);
    /// At the top of the stairs to the loft.
    stairs_top = in_house(house::rooms::LANDING, 4.7, 3.3, house::LOFT_FLOOR);
    /// In the loft.
    loft = in_house(house::rooms::LOFT, 0.0, 3.4, house::LOFT_FLOOR);
    /// Below the landing, at the top of the stairs to the cellar, which lead down to the south.
    cellar_stairs_top = in_house(house::rooms::BELOW_LANDING, 4.7, 3.3, house::HALL_FLOOR);
    /// At the foot of the stairs to the cellar.
    cellar_stairs_foot = in_house(house::rooms::CELLAR_FOOT, 4.7, -3.5, house::CELLAR_FLOOR);
    /// In the cellar.
    cellar = in_house(house::rooms::CELLAR, 1.0, -3.5, house::CELLAR_FLOOR);
    /// In front of the ramp, which rises 2 m over 6 m to the north.
    ramp_foot = yard(70.0, 82.5, 0.0);
    /// On the platform of the ramp, 2 m above the ground.
    ramp_top = yard(70.0, 92.0, 2.0);
    /// In front of the ramp of 55 degrees, which is too steep to walk up.
    steep_ramp_foot = yard(60.0, 82.5, 0.0);
    /// On the platform of the steep ramp, 2.5 m above the ground.
    steep_ramp_top = yard(60.0, 87.5, 2.5);
    /// In front of the free-standing stairs, ten steps of 0.25 m to the north.
    outdoor_stairs_foot = yard(80.0, 82.5, 0.0);
    /// On the platform of the free-standing stairs, 2.5 m above the ground.
    outdoor_stairs_top = yard(80.0, 89.0, 2.5);
    /// South of the wall, which is 8 m long and 3 m high.
    wall = yard(70.0, 102.0, 0.0);
    /// On the ledge, a block 4 m wide and 1.4 m high.
    ledge = yard(56.0, 102.0, 1.4);
    /// South of the ledge, on the ground.
    ledge_foot = yard(56.0, 98.5, 0.0);
    /// South of a row of blocks of 0.3, 0.5, 0.7 and 0.95 m.
    steps = yard(86.0, 95.5, 0.0);
    /// In the opening of the wedge between two walls that meet to the north.
    wedge = yard(60.0, 119.0, 0.0);
    /// South of a beam at head height.
    beam = yard(80.0, 118.0, 0.0);
    /// South of three pillars.
    pillars = yard(131.5, 97.5, 0.0);
    /// South of a boulder.
    boulder = yard(130.0, 111.0, 0.0);
    /// In front of the shed's doorway, facing it.
    shed_door = at_shed(None, -4.0);
    /// In the shed.
    shed = at_shed(Some(1), 0.0);
    /// At the eastern border of the home block; the next cell to the east belongs to another block.
    border = outdoors(BLOCK_LENGTH - 1.0, 84.0, LEVEL + REST);
    /// In front of the pier, which leads east over the lake, facing east.
    pier_foot = turned(outdoors(PIER.x - 2.0, PIER.y, LEVEL - 7.0 / CELL_LENGTH - WET + REST), -90.0);
    /// At the end of the pier, facing east.
    pier_end = turned(outdoors(PIER.x + 34.0, PIER.y, PIER.z + REST), -90.0);
    /// In the lake, where a body sinks 0.9 m.
    lake = in_cell(12, 3, LAKE_LEVEL - 0.9);
    /// At the foot of the hill, which can be climbed from all sides, facing its top.
    hill_foot = turned(in_cell(7, 8, LEVEL), -45.0);
    /// On top of the hill.
    hill_top = in_cell(11, 11, HILL_LEVEL);
    /// At the foot of the table mountain, where it is too steep to climb, facing it.
    cliff_foot = turned(in_cell(6, 12, LEVEL), 90.0);
    /// On top of the table mountain.
    cliff_top = in_cell(4, 11, TABLE_LEVEL);
    /// At the foot of the only path up the table mountain.
    cliff_path = outdoors(CELL_LENGTH * 4.5, CELL_LENGTH * 8.0 - 4.0, LEVEL + REST);
    /// On the southern beach, facing the open sea, which blocks movement.
    beach = turned(in_cell(7, 1, 0.75 * LEVEL), 180.0);
}

/// The height of a standing human's origin above level ground, in metres: the lower sphere's radius minus its height.
const REST: f32 = 0.005;
/// The depth in metres to which a body sinks at the dry corners of a cell that is partly water (`docs/collision.md`
/// 6.4).
const WET: f32 = 0.1;

/// Returns a position on the town's level ground, or `above` metres over it.
fn yard(x: f32, y: f32, above: f32) -> CellPosition {
    outdoors(x, y, LEVEL + above + REST)
}

/// Returns an outdoor position; `x` and `y` are metres east and north of the home block's south-west corner.
fn outdoors(x: f32, y: f32, z: f32) -> CellPosition {
    let cell = |metres: f32, block: u16| i64::from(block) * 8 + (metres / CELL_LENGTH) as i64;
    let cell = CellId::outdoor(cell(x, HOME_BLOCK >> 8), cell(y, HOME_BLOCK & 0xFF)).unwrap_or_default();
    CellPosition::at(cell, Vec3::new(x % BLOCK_LENGTH, y % BLOCK_LENGTH, z))
}

/// Returns the middle of a land cell, counted from the home block's south-west corner, on ground at height `ground`.
fn in_cell(x: u8, y: u8, ground: f32) -> CellPosition {
    let middle = |cell: u8| CELL_LENGTH * (f32::from(cell) + 0.5);
    outdoors(middle(x), middle(y), ground + REST)
}

fn in_house(room: usize, x: f32, y: f32, floor: f32) -> CellPosition {
    CellPosition::at(home_cell(FIRST_HOUSE_CELL + room as u16), house::ORIGIN + Vec3::new(x, y, floor + REST))
}

/// Returns a position on the shed's middle line, facing inward, in one of its rooms or outside.
fn at_shed(room: Option<u16>, y: f32) -> CellPosition {
    let z = if room.is_some() { shed::FLOOR } else { 0.0 };
    let frame = shed::frame().combine(&Frame::from_origin(Vec3::new(0.0, y, z + REST)));
    let outside = outdoors(frame.origin.x, frame.origin.y, frame.origin.z);
    let cell = room.map_or(outside.cell, |room| home_cell(FIRST_SHED_CELL + room));
    CellPosition::new(cell, frame)
}

/// Returns the id of a cell of the home block.
fn home_cell(low: u16) -> CellId {
    CellId(u32::from(HOME_BLOCK) << 16 | u32::from(low))
}

/// Returns the position turned `left` degrees to the left of north.
fn turned(position: CellPosition, left: f32) -> CellPosition {
    CellPosition::new(position.cell, Frame::new(position.frame.origin, about_z(left)))
}

//! The house: a shell, a doorway, a hall, stairs to a loft and stairs to a cellar below them.
//!
//! In its axes, the door is in the south wall and the ground is at z 0. The two flights of stairs lie one above the
//! other along the east wall and rise to the north.
//!
//! ```text
//!            cellar (-3.0)             ground (0.2)               above (3.4)
//!                               ┌────────────────┬───┐     ┌────────────────┬───┐
//!                               │                  5 │     │                  3 │
//!           ┌─────────┬───┐     │                ├───┤     │                ├───┤
//!           │         │ 6 │     │       1        │ 2 │     │       4        │ 2 │
//!           │    8    ├───┤     │                │   │     │                │   │
//!           │           7 │     │                    │     │                │   │
//!           └─────────┴───┘     └──────┤0├───────┴───┘     └────────────────┴───┘
//! ```

use acmotion_types::{Frame, Vec3};

use super::room::{Interior, Opening, RoomSpec, RoomSurfaces, StairFlight, WallRect, opening_x, opening_y};
use super::{FIRST_HOUSE_CELL, HOME_BLOCK, HOUSE_ENVIRONMENT, HOUSE_SHELL, models, surfaces};
use crate::builder::{MeshFace, MeshKind, Plane, gfx_obj_with_decoration};
use crate::id::DataId;
use crate::objects::{GfxObj, StaticObject};

/// The position of the house in the home block: the middle of a land cell, within which the house fits.
pub(super) const ORIGIN: Vec3 = Vec3::new(108.0, 108.0, super::land::LEVEL);

/// The rooms, in the order of their cells.
pub(super) mod rooms {
    pub(in super::super) const DOORWAY: usize = 0;
    pub(in super::super) const HALL: usize = 1;
    pub(in super::super) const STAIRS_UP: usize = 2;
    pub(in super::super) const LANDING: usize = 3;
    pub(in super::super) const LOFT: usize = 4;
    pub(in super::super) const BELOW_LANDING: usize = 5;
    pub(in super::super) const STAIRS_DOWN: usize = 6;
    pub(in super::super) const CELLAR_FOOT: usize = 7;
    pub(in super::super) const CELLAR: usize = 8;
}

/// Half the outer width and depth of the house, and half the inner ones, in metres.
const OUTER: [f32; 2] = [6.0, 5.0];
const INNER: [f32; 2] = [5.6, 4.6];
/// The heights of the floors. Each ceiling is 0.2 m below the floor above.
pub(super) const CELLAR_FLOOR: f32 = -3.0;
pub(super) const HALL_FLOOR: f32 = 0.2;
pub(super) const LOFT_FLOOR: f32 = 3.4;
const LOFT_CEILING: f32 = 6.4;
const THICKNESS: f32 = 0.2;
/// The x coordinate of the wall between the rooms and the stairs.
const STAIR_WALL: f32 = 3.8;
/// The y coordinates at which the flights begin and end.
pub(super) const FLIGHT: [f32; 2] = [-2.6, 2.2];
/// Half the width of the front door's opening, and its height. The door with its posts fills the opening.
const DOOR: [f32; 2] = [0.86, 2.66];
const EAVES: f32 = 6.6;
const RIDGE: f32 = 9.4;
/// The z coordinate of the shell's lower edge, below the ground.
const FOUNDATION: f32 = -0.6;
/// The distance in metres by which decoration stands out.
const RELIEF: f32 = 0.03;

fn v(x: f32, y: f32, z: f32) -> Vec3 {
    Vec3::new(x, y, z)
}

fn flight(floor: f32) -> StairFlight {
    const STEPS: usize = 16;
    StairFlight {
        low: v(STAIR_WALL, FLIGHT[0], floor),
        right: INNER[0],
        rise: (LOFT_FLOOR - HALL_FLOOR) / STEPS as f32,
        tread: (FLIGHT[1] - FLIGHT[0]) / STEPS as f32,
        steps: STEPS,
    }
}

fn front_door() -> Vec<Vec3> {
    opening_y(-OUTER[1], [-DOOR[0], DOOR[0]], [HALL_FLOOR, HALL_FLOOR + DOOR[1]], false)
}

fn openings() -> Vec<Opening> {
    use rooms::*;
    let door = |floor: f32| [floor, floor + 2.5];
    let between = |from, to, corners| Opening { from, to: Some(to), corners };
    let stairs = [STAIR_WALL, INNER[0]];
    let (south, north) = ([-4.4, -2.8], [2.4, 4.4]);
    let inner_door = opening_y(-INNER[1], [-DOOR[0], DOOR[0]], [HALL_FLOOR, HALL_FLOOR + DOOR[1]], true);
    vec![
        Opening { from: DOORWAY, to: None, corners: front_door() },
        between(DOORWAY, HALL, inner_door),
        between(HALL, STAIRS_UP, opening_x(STAIR_WALL, south, door(HALL_FLOOR), true)),
        between(HALL, BELOW_LANDING, opening_x(STAIR_WALL, north, door(HALL_FLOOR), true)),
        between(STAIRS_UP, LANDING, opening_y(FLIGHT[1], stairs, [LOFT_FLOOR, LOFT_CEILING], true)),
        between(LOFT, LANDING, opening_x(STAIR_WALL, north, door(LOFT_FLOOR), true)),
        between(
            STAIRS_DOWN,
            BELOW_LANDING,
            opening_y(FLIGHT[1], stairs, [HALL_FLOOR, LOFT_FLOOR - THICKNESS], true),
        ),
        between(
            CELLAR_FOOT,
            STAIRS_DOWN,
            opening_y(FLIGHT[0], stairs, [CELLAR_FLOOR, HALL_FLOOR - THICKNESS], true),
        ),
        between(CELLAR, CELLAR_FOOT, opening_x(STAIR_WALL, south, door(CELLAR_FLOOR), true)),
    ]
}

const PLASTERED: RoomSurfaces =
    RoomSurfaces { wall: surfaces::PLASTER, floor: surfaces::PLANKS, ceiling: surfaces::BEAMS };
const VAULT: RoomSurfaces =
    RoomSurfaces { wall: surfaces::STONE, floor: surfaces::FLAGSTONES, ceiling: surfaces::STONE };

/// Returns the room of the stairs to the loft: open to the roof, closed below by the flight.
fn stairs_up() -> RoomSpec {
    let flight = flight(HALL_FLOOR);
    let low = v(STAIR_WALL, -INNER[1], HALL_FLOOR);
    let mut room = RoomSpec::new(low, v(INNER[0], FLIGHT[1], LOFT_CEILING), PLASTERED);
    room.cuts = vec![flight.slope_plane(0.0)];
    room.built_in = flight.faces(surfaces::PLANKS, surfaces::BEAMS);
    room
}

/// Returns the room of the stairs to the cellar, between the two flights.
fn stairs_down() -> RoomSpec {
    let flight = flight(CELLAR_FLOOR);
    let low = v(STAIR_WALL, FLIGHT[0], CELLAR_FLOOR);
    let mut room = RoomSpec::new(low, v(INNER[0], FLIGHT[1], LOFT_FLOOR - THICKNESS), VAULT);
    let height = LOFT_FLOOR - THICKNESS - HALL_FLOOR;
    let above = flight.slope_plane(-height);
    room.cuts = vec![flight.slope_plane(0.0), Plane { normal: -above.normal, distance: -above.distance }];
    let [south, north] = FLIGHT;
    let (bottom, top) = (HALL_FLOOR - THICKNESS, LOFT_FLOOR - THICKNESS);
    let slope = [
        v(STAIR_WALL, south, bottom),
        v(STAIR_WALL, north, top),
        v(INNER[0], north, top),
        v(INNER[0], south, bottom),
    ];
    room.built_in = vec![MeshFace::new(surfaces::BEAMS, slope)];
    room.built_in.extend(flight.faces(surfaces::FLAGSTONES, surfaces::STONE));
    room
}

/// Returns the rooms. The frames of the objects in them are in the landblock's axes, which differ from the house's
/// only by the origin.
pub(super) fn interior() -> Interior {
    let [wide, deep] = INNER;
    let [south, north] = FLIGHT;
    let (hall_ceiling, cellar_ceiling) = (LOFT_FLOOR - THICKNESS, HALL_FLOOR - THICKNESS);
    let object = |model, x, y, z| StaticObject { model, frame: Frame::from_origin(ORIGIN + v(x, y, z)) };
    let doorway = RoomSpec::new(
        v(-DOOR[0], -OUTER[1], HALL_FLOOR),
        v(DOOR[0], -deep, HALL_FLOOR + DOOR[1]),
        RoomSurfaces { wall: surfaces::STONE, floor: surfaces::FLAGSTONES, ceiling: surfaces::BEAMS },
    );
    let mut hall = RoomSpec::new(v(-wide, -deep, HALL_FLOOR), v(STAIR_WALL, deep, hall_ceiling), PLASTERED);
    hall.objects =
        vec![object(models::TABLE, -2.8, 1.2, HALL_FLOOR), object(models::PILLAR, 0.6, 2.6, HALL_FLOOR)];
    let mut loft = RoomSpec::new(v(-wide, -deep, LOFT_FLOOR), v(STAIR_WALL, deep, LOFT_CEILING), PLASTERED);
    loft.objects =
        vec![object(models::CRATE, -4.4, 3.4, LOFT_FLOOR), object(models::CRATE, -4.6, 2.1, LOFT_FLOOR)];
    let mut cellar = RoomSpec::new(v(-2.4, -deep, CELLAR_FLOOR), v(STAIR_WALL, north, cellar_ceiling), VAULT);
    cellar.objects = vec![
        object(models::BARREL, -1.7, 1.4, CELLAR_FLOOR),
        object(models::BARREL, -1.7, 0.4, CELLAR_FLOOR),
        object(models::CRATE, 3.0, 1.4, CELLAR_FLOOR),
    ];
    Interior {
        environment: HOUSE_ENVIRONMENT,
        block: HOME_BLOCK,
        first_cell: FIRST_HOUSE_CELL,
        frame: Frame::from_origin(ORIGIN),
        rooms: vec![
            doorway,
            hall,
            stairs_up(),
            RoomSpec::new(v(STAIR_WALL, north, LOFT_FLOOR), v(wide, deep, LOFT_CEILING), PLASTERED),
            loft,
            RoomSpec::new(v(STAIR_WALL, north, HALL_FLOOR), v(wide, deep, hall_ceiling), PLASTERED),
            stairs_down(),
            RoomSpec::new(v(STAIR_WALL, -deep, CELLAR_FLOOR), v(wide, south, cellar_ceiling), VAULT),
            cellar,
        ],
        openings: openings(),
    }
}

/// Returns the outer walls with the door's opening, the gables and the roof: a convex solid except for the opening.
fn shell_faces() -> Vec<MeshFace> {
    let [wide, deep] = OUTER;
    let height = EAVES - FOUNDATION;
    let wall = |x, y, dx: f32, dy: f32, length| {
        let from = v(x, y, FOUNDATION);
        WallRect { from, along: v(dx, dy, 0.0), length, height }.wall(surfaces::PLASTER, &[front_door()])
    };
    let mut faces = [
        wall(-wide, -deep, 1.0, 0.0, 2.0 * wide),
        wall(wide, deep, -1.0, 0.0, 2.0 * wide),
        wall(wide, -deep, 0.0, 1.0, 2.0 * deep),
        wall(-wide, deep, 0.0, -1.0, 2.0 * deep),
    ]
    .concat();
    let corner = |x, y| v(x, y, EAVES);
    let ridge = |x| v(x, 0.0, RIDGE);
    let roof = |corners: [Vec3; 4]| MeshFace::new(surfaces::TILES, corners);
    faces.push(roof([corner(-wide, -deep), corner(wide, -deep), ridge(wide), ridge(-wide)]));
    faces.push(roof([corner(wide, deep), corner(-wide, deep), ridge(-wide), ridge(wide)]));
    faces.push(MeshFace::new(surfaces::PLASTER, [corner(wide, -deep), corner(wide, deep), ridge(wide)]));
    faces.push(MeshFace::new(surfaces::PLASTER, [corner(-wide, deep), corner(-wide, -deep), ridge(-wide)]));
    faces
}

/// Returns the faces of a board on a wall, given by its extent along the wall and its heights. It is only drawn.
fn board(wall: &WallRect, surface: DataId, along: [f32; 2], up: [f32; 2]) -> Vec<MeshFace> {
    let out = Vec3::new(wall.along.y, -wall.along.x, 0.0) * RELIEF;
    let from = wall.from + wall.along * along[0] + v(0.0, 0.0, up[0]) + out;
    let part = WallRect { from, along: wall.along, length: along[1] - along[0], height: up[1] - up[0] };
    part.wall(surface, &[])
}

fn window(wall: &WallRect, middle: f32, low: f32) -> Vec<MeshFace> {
    let mut faces = board(wall, surfaces::TIMBER, [middle - 0.62, middle + 0.62], [low, low + 1.4]);
    let pane = WallRect { from: wall.from + Vec3::new(wall.along.y, -wall.along.x, 0.0) * RELIEF, ..*wall };
    for side in [-0.52, 0.04] {
        let across = [middle + side, middle + side + 0.48];
        faces.extend(board(&pane, surfaces::GLASS, across, [low + 0.1, low + 0.66]));
        faces.extend(board(&pane, surfaces::GLASS, across, [low + 0.74, low + 1.3]));
    }
    faces
}

/// Returns the decoration: timber, windows, plinth, the roof's overhang and a chimney.
fn decoration() -> Vec<MeshFace> {
    let [wide, deep] = OUTER;
    let wall = |x, y, dx: f32, dy: f32, length| WallRect {
        from: v(x, y, 0.0),
        along: v(dx, dy, 0.0),
        length,
        height: EAVES,
    };
    let (w, d) = (2.0 * wide, 2.0 * deep);
    let walls = [
        (wall(-wide, -deep, 1.0, 0.0, w), vec![[2.6, 1.0], [9.4, 1.0], [2.6, 4.3], [6.0, 4.3], [9.4, 4.3]]),
        (wall(wide, deep, -1.0, 0.0, w), vec![[5.0, 1.0], [9.4, 1.0], [5.0, 4.3], [9.4, 4.3]]),
        (wall(wide, -deep, 0.0, 1.0, d), vec![[1.4, 4.3], [8.4, 4.3]]),
        (wall(-wide, deep, 0.0, -1.0, d), vec![[2.5, 1.0], [7.5, 1.0], [2.5, 4.3], [7.5, 4.3]]),
    ];
    let mut faces = Vec::new();
    for (index, (wall, windows)) in walls.iter().enumerate() {
        let length = wall.length;
        let posts = if index < 2 { [0.0, 4.2, 7.5, length - 0.3] } else { [0.0, 3.2, 6.5, length - 0.3] };
        for post in posts {
            faces.extend(board(wall, surfaces::TIMBER, [post, post + 0.3], [0.4, EAVES]));
        }
        for beam in [3.15, EAVES - 0.3] {
            faces.extend(board(wall, surfaces::TIMBER, [0.0, length], [beam, beam + 0.3]));
        }
        // The plinth leaves a gap for the door.
        let plinths =
            if index == 0 { vec![[0.0, wide - 0.9], [wide + 0.9, length]] } else { vec![[0.0, length]] };
        for across in plinths {
            faces.extend(board(wall, surfaces::STONE, across, [0.0, 0.4]));
        }
        for [middle, low] in windows {
            faces.extend(window(wall, *middle, *low));
        }
    }
    faces.extend(overhang());
    faces.extend(MeshFace::cuboid(surfaces::STONE, v(-3.6, 1.2, 7.0), v(-2.6, 2.2, 10.0)));
    faces
}

/// Returns the tiles of the roof, slightly larger and higher than the shell's, visible from above and below.
fn overhang() -> Vec<MeshFace> {
    let [wide, deep] = [OUTER[0] + 0.45, OUTER[1] + 0.6];
    let slope = (RIDGE - EAVES) / OUTER[1];
    let (eaves, ridge) = (RIDGE + 0.08 - slope * deep, RIDGE + 0.08);
    let side = |sign: f32| {
        let near = [v(-sign * wide, -sign * deep, eaves), v(sign * wide, -sign * deep, eaves)];
        MeshFace::new(
            surfaces::TILES,
            [near[0], near[1], v(sign * wide, 0.0, ridge), v(-sign * wide, 0.0, ridge)],
        )
    };
    let [south, north] = [side(1.0), side(-1.0)];
    vec![south.clone(), north.clone(), south.flipped(), north.flipped()]
}

pub(super) fn shell() -> GfxObj {
    gfx_obj_with_decoration(HOUSE_SHELL, &shell_faces(), &decoration(), MeshKind::Closed)
}

//! The shed: one room behind a doorway, rotated relative to the land's axes.

use acmotion_types::{Frame, Vec3};

use super::super::rig::about_z;
use super::room::{Interior, Opening, RoomSpec, RoomSurfaces, WallRect, opening_y};
use super::{FIRST_SHED_CELL, HOME_BLOCK, SHED_ENVIRONMENT, SHED_SHELL, models, surfaces};
use crate::builder::{MeshFace, MeshKind, gfx_obj};
use crate::objects::{GfxObj, StaticObject};

/// Returns the frame of the shed in the home block. Its door faces south-west.
pub(super) fn frame() -> Frame {
    Frame::new(Vec3::new(156.0, 84.0, super::land::LEVEL), about_z(-35.0))
}

/// Half the outer width and depth, and half the inner ones, in metres.
const OUTER: [f32; 2] = [2.6, 2.4];
const INNER: [f32; 2] = [2.4, 2.2];
pub(super) const FLOOR: f32 = 0.1;
const CEILING: f32 = 3.0;
/// Half the width of the doorway, and the height of its upper edge.
const DOOR: [f32; 2] = [0.75, 2.6];
const TOP: f32 = 3.2;
const FOUNDATION: f32 = -0.5;

fn opening(y: f32, from_south: bool) -> Vec<Vec3> {
    opening_y(y, [-DOOR[0], DOOR[0]], [FLOOR, DOOR[1]], from_south)
}

pub(super) fn interior() -> Interior {
    let [wide, deep] = INNER;
    let surfaces =
        RoomSurfaces { wall: surfaces::OAK_LIGHT, floor: surfaces::PLANKS, ceiling: surfaces::BEAMS };
    let doorway =
        RoomSpec::new(Vec3::new(-DOOR[0], -OUTER[1], FLOOR), Vec3::new(DOOR[0], -deep, DOOR[1]), surfaces);
    let mut room = RoomSpec::new(Vec3::new(-wide, -deep, FLOOR), Vec3::new(wide, deep, CEILING), surfaces);
    let object = |model, x, y| {
        let local = Frame::from_origin(Vec3::new(x, y, FLOOR));
        StaticObject { model, frame: frame().combine(&local) }
    };
    room.objects = vec![object(models::BARREL, -1.7, 1.5), object(models::CRATE, 1.6, 1.4)];
    Interior {
        environment: SHED_ENVIRONMENT,
        block: HOME_BLOCK,
        first_cell: FIRST_SHED_CELL,
        frame: frame(),
        rooms: vec![doorway, room],
        openings: vec![
            Opening { from: 0, to: None, corners: opening(-OUTER[1], false) },
            Opening { from: 0, to: Some(1), corners: opening(-deep, true) },
        ],
    }
}

/// Returns the mesh of the shell: four walls and a flat roof.
pub(super) fn shell() -> GfxObj {
    let [wide, deep] = OUTER;
    let wall = |x, y, dx: f32, dy: f32, length| {
        let from = Vec3::new(x, y, FOUNDATION);
        let wall = WallRect { from, along: Vec3::new(dx, dy, 0.0), length, height: TOP - FOUNDATION };
        wall.wall(surfaces::OAK, &[opening(-deep, false)])
    };
    let mut faces = [
        wall(-wide, -deep, 1.0, 0.0, 2.0 * wide),
        wall(wide, deep, -1.0, 0.0, 2.0 * wide),
        wall(wide, -deep, 0.0, 1.0, 2.0 * deep),
        wall(-wide, deep, 0.0, -1.0, 2.0 * deep),
    ]
    .concat();
    let corners = [[-wide, -deep], [wide, -deep], [wide, deep], [-wide, deep]];
    faces.push(MeshFace::new(surfaces::TILES, corners.map(|[x, y]| Vec3::new(x, y, TOP))));
    gfx_obj(SHED_SHELL, &faces, MeshKind::Closed)
}

//! The shed: one room behind a doorway, turned against the land's axes, its rooms turned with it.

use acmotion_types::{Frame, Vec3};

use super::super::rig::about_z;
use super::room::{Interior, Opening, Paint, Room, Upright, opening_y};
use super::{HOME, SHED_CELLS, SHED_ENVIRONMENT, SHED_SHELL, models, surfaces};
use crate::builder::{Body, Face, gfx_obj};
use crate::objects::{GfxObj, StaticObject};

/// Where it stands in the home block, and how it is turned: its door looks to the south-west.
pub(super) fn frame() -> Frame {
    Frame::new(Vec3::new(156.0, 84.0, super::land::LEVEL), about_z(-35.0))
}

/// Half the outer width and depth.
const OUTER: [f32; 2] = [2.6, 2.4];
const INNER: [f32; 2] = [2.4, 2.2];
pub(super) const FLOOR: f32 = 0.1;
const CEILING: f32 = 3.0;
/// Half the width of the doorway, and its upper edge.
const DOOR: [f32; 2] = [0.75, 2.6];
const TOP: f32 = 3.2;
const FOUNDATION: f32 = -0.5;

fn opening(y: f32, from_south: bool) -> Vec<Vec3> {
    opening_y(y, [-DOOR[0], DOOR[0]], [FLOOR, DOOR[1]], from_south)
}

pub(super) fn interior() -> Interior {
    let [wide, deep] = INNER;
    let paint = Paint { wall: surfaces::OAK_LIGHT, floor: surfaces::PLANKS, ceiling: surfaces::BEAMS };
    let doorway = Room::new(Vec3::new(-DOOR[0], -OUTER[1], FLOOR), Vec3::new(DOOR[0], -deep, DOOR[1]), paint);
    let mut room = Room::new(Vec3::new(-wide, -deep, FLOOR), Vec3::new(wide, deep, CEILING), paint);
    let thing = |model, x, y| {
        let local = Frame::from_origin(Vec3::new(x, y, FLOOR));
        StaticObject { model, frame: frame().combine(&local) }
    };
    room.objects = vec![thing(models::BARREL, -1.7, 1.5), thing(models::CRATE, 1.6, 1.4)];
    Interior {
        environment: SHED_ENVIRONMENT,
        block: HOME,
        first: SHED_CELLS,
        frame: frame(),
        rooms: vec![doorway, room],
        openings: vec![
            Opening { from: 0, to: None, corners: opening(-OUTER[1], false) },
            Opening { from: 0, to: Some(1), corners: opening(-deep, true) },
        ],
    }
}

/// Four walls and a flat roof.
pub(super) fn shell() -> GfxObj {
    let [wide, deep] = OUTER;
    let wall = |x, y, dx: f32, dy: f32, length| {
        let from = Vec3::new(x, y, FOUNDATION);
        let wall = Upright { from, along: Vec3::new(dx, dy, 0.0), length, height: TOP - FOUNDATION };
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
    faces.push(Face::new(surfaces::TILES, corners.map(|[x, y]| Vec3::new(x, y, TOP))));
    gfx_obj(SHED_SHELL, &faces, Body::Closed)
}

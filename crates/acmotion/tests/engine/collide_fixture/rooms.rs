//! Rooms and meshes in the tests' coordinates.

use std::sync::Arc;

use acmotion::dat::DataId;
use acmotion::dat::builder::{self, MeshFace, MeshKind};
use acmotion::scene::geometry::{CellTree, Solid};
use acmotion::scene::{Plane, Portal, Room, Scene, SceneBuilder};
use acmotion::types::{CellId, CellPosition, Frame, Vec3};

use super::{ORIGIN, UP};

pub(crate) const PAINT: DataId = DataId(0x0800_0001);
pub(crate) const FRONT: CellId = CellId(0x7F7F_0100);
pub(crate) const BACK: CellId = CellId(0x7F7F_0101);
pub(crate) const UNLOADED: CellId = CellId(0x7F7F_01FF);

pub(crate) fn mesh(faces: &[MeshFace], kind: MeshKind) -> Option<Arc<Solid>> {
    let mesh = builder::gfx_obj(DataId(0x0100_0001), faces, kind);
    Some(Arc::new(Solid::from_gfx_obj(&mesh).unwrap()))
}

pub(crate) fn block(low: [f32; 3], high: [f32; 3]) -> Option<Arc<Solid>> {
    mesh(&MeshFace::cuboid(PAINT, low.into(), high.into()), MeshKind::Closed)
}

/// A level square from (`west`, −3) to (`east`, 3).
pub(crate) fn floor(west: f32, east: f32, z: f32) -> MeshFace {
    let corners = [[west, -3.0, z], [east, -3.0, z], [east, 3.0, z], [west, 3.0, z]];
    MeshFace::new(PAINT, corners.map(Vec3::from).to_vec())
}

/// A room in the tests' coordinates, inside of these planes, with a portal to another.
pub(crate) fn room(id: CellId, inside: &[Plane], solid: Option<Arc<Solid>>, other: CellId) -> Room {
    let mut room = Room::new(id, Frame::from_origin(ORIGIN));
    room.inside = CellTree::new(inside);
    room.solid = solid;
    // Out of reach: only the rooms themselves decide what is listed.
    room.portals = vec![Portal { other: Some(other), plane: Plane::new(UP, -1000.0), side: true }];
    room.visible = vec![other];
    room
}

pub(crate) fn scene_of(rooms: impl IntoIterator<Item = Room>) -> Scene {
    let mut builder = SceneBuilder::new(&[0.0; 256]);
    for room in rooms {
        builder.add_room(room).unwrap();
    }
    builder.finish()
}

pub(crate) fn west_of(x: f32) -> Plane {
    Plane::new(Vec3::new(-1.0, 0.0, 0.0), x)
}

pub(crate) fn east_of(x: f32) -> Plane {
    Plane::new(Vec3::new(1.0, 0.0, 0.0), -x)
}

pub(crate) fn in_cell(cell: CellId, at: [f32; 3]) -> CellPosition {
    CellPosition::at(cell, ORIGIN + Vec3::from(at))
}

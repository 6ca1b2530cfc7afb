//! Any bytes as the mesh of an obstacle: either rejected, or a body is swept past it and placed beside it in bounded
//! time, ends at a valid position, and does the same twice.
#![no_main]

use acmotion::components::{Body, PhysicsState, TransientState};
use acmotion::dat::{DatObject, GfxObj};
use acmotion::scene::geometry::Solid;
use acmotion::scene::{
    Arrival, MoverFlags, Obstacle, ObstacleFlags, ObstacleList, Part, Scene, Shape, Surroundings,
};
use acmotion::types::{CellPosition, Frame, Guid, Vec3};
use libfuzzer_sys::fuzz_target;
use std::sync::{Arc, LazyLock};

static TOWN: LazyLock<Scene> = LazyLock::new(|| {
    Scene::load(&acmotion::dat::Assets::mannequin(), &acmotion::dat::Assets::town())
        .expect("the built-in town loads")
});

fuzz_target!(|input: &[u8]| {
    let Some((moves, bytes)) = input.split_first_chunk::<6>() else { return };
    let Ok(mesh) = GfxObj::decode(bytes) else { return };
    let Ok(solid) = Solid::from_gfx_obj(&mesh) else { return };
    let spawn = acmotion::dat::mannequin::town::landmarks().spawn;
    let part = Part { solid: Arc::new(solid), frame: Frame::IDENTITY, scale: 1.0 };
    let mut position = spawn;
    position.frame.origin += Vec3::new(1.0, 0.0, 0.0);
    let obstacle = Obstacle {
        guid: Guid(2),
        position,
        scale: 1.0,
        state: PhysicsState::HAS_PHYSICS_BSP | PhysicsState::STATIC,
        flags: ObstacleFlags::empty(),
        parts: std::slice::from_ref(&part),
        cylinders: &[],
        spheres: &[],
    };
    let first = walk(spawn, moves, &obstacle);
    assert_eq!(first, walk(spawn, moves, &obstacle), "a second walk differs");
});

/// Sweeps a body by a few displacements, standing or falling, and places it at each end. Returns where it was each time.
fn walk(spawn: CellPosition, moves: &[u8; 6], obstacle: &Obstacle<'_>) -> Vec<Option<CellPosition>> {
    let shape = Shape::human();
    let obstacles = ObstacleList(std::slice::from_ref(obstacle));
    let mut body = Body::new(spawn);
    let mut positions = Vec::new();
    for pair in moves.windows(2) {
        let metres = |byte: u8| (f32::from(byte) - 128.0) / 64.0;
        let mover = body.mover(Guid(1), &shape, MoverFlags::empty());
        let mut to = body.position;
        to.frame.origin += Vec3::new(metres(pair[0]), metres(pair[1]), -metres(pair[0]) * 0.1);
        let sweep = TOWN.sweep(&mover, &body.position, &to, &obstacles, &mut Vec::new());
        positions.push(apply(&mut body, sweep.arrival));
        let mover = body.placement_mover(Guid(1), &shape, MoverFlags::empty());
        let placed = TOWN.place(&mover, &to, true, &obstacles, &mut Vec::new());
        positions.push(apply(&mut body, placed.ok()));
    }
    positions
}

/// Moves the body to where a sweep or placement ended, with the contact found there.
fn apply(body: &mut Body, arrival: Option<Arrival>) -> Option<CellPosition> {
    let arrival = arrival?;
    assert!(arrival.position.frame.is_valid() && arrival.position.frame.origin.is_finite());
    body.position = arrival.position;
    body.contact_plane = arrival.contact.plane;
    body.contact_plane_cell = arrival.contact.cell;
    body.transient.set(TransientState::CONTACT, arrival.has_contact);
    let walkable = arrival.has_contact && arrival.contact.plane.is_walkable();
    body.transient.set(TransientState::ON_WALKABLE, walkable);
    Some(arrival.position)
}

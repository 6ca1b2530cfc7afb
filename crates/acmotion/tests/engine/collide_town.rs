//! The mannequin's town as a scene: it loads without problems, and bodies that wander about in it never end up in a
//! wall, below the ground or outside of the world.

use std::sync::OnceLock;

use acmotion::components::{Body, PhysicsState, TransientState};
use acmotion::dat::mannequin::town;
use acmotion::dat::{Assets, DataId, PortalFlags, Sphere};
use acmotion::internals::body::{BodyFlags, BodyHost, commit};
use acmotion::scene::geometry::{PolygonId, Solid};
use acmotion::scene::{
    Cell, CellArray, MoverFlags, NoObstacles, Room, RoomSearch, Scene, SceneLoader, Shape, Surroundings,
    Touch,
};
use acmotion::types::{CELL_LENGTH, CellPosition, Frame, Guid, Vec3};

fn scene() -> Scene {
    static LOADED: OnceLock<Scene> = OnceLock::new();
    LOADED
        .get_or_init(|| {
            let mut loader = SceneLoader::new(&Assets::mannequin(), &Assets::town()).unwrap();
            loader.load_around(town::HOME_BLOCK, 1);
            assert_eq!(loader.problems(), []);
            loader.scene()
        })
        .clone()
}

#[test]
fn every_named_position_of_the_town_is_in_its_cell() {
    let scene = scene();
    assert!(scene.rooms(town::HOME_BLOCK).len() >= 11, "rooms of the house and the shed");
    for (name, position) in town::landmarks().iter() {
        let mut adjusted = position;
        let foot = Vec3::new(0.0, 0.0, 0.475);
        let cell = scene.adjust_position(&mut adjusted, foot, RoomSearch::Visible);
        assert_eq!(cell.map(|cell| cell.id()), Some(position.cell), "{name}");
        let mut cells = CellArray::default();
        let sphere = Sphere { origin: position.frame.local_to_global(foot), radius: 0.48 };
        let found = scene.find_cell_list(&position, &[sphere], &mut cells);
        // On a border the last of the cells that share it wins (`docs/collision.md` 7.1).
        let Vec3 { x, y, .. } = position.frame.origin;
        if position.cell.is_indoor() || (x % CELL_LENGTH != 0.0 && y % CELL_LENGTH != 0.0) {
            assert_eq!(found.cell, Some(position.cell), "{name}");
        }
        assert!(cells.contains(position.cell), "{name}");
    }
}

/// The side of a portal is the inverse of its bit in the file (`docs/collision.md` 7.3); the other bits do not count.
#[test]
fn the_side_of_a_portal_is_the_inverse_of_its_bit() {
    let mut cell = (*Assets::town().env_cell(DataId(town::landmarks().hall.cell.0)).unwrap()).clone();
    let environment = Assets::mannequin().environment(cell.environment_id()).unwrap();
    let shape = environment.structures.get(cell.structure.into()).unwrap();
    for (flags, side) in [
        (PortalFlags::empty(), true),
        (PortalFlags::PORTAL_SIDE, false),
        (PortalFlags::EXACT_MATCH | PortalFlags::TO_OUTSIDE, true),
        (PortalFlags::EXACT_MATCH | PortalFlags::PORTAL_SIDE, false),
    ] {
        cell.portals[0].flags = flags;
        let room = Room::from_env_cell(&cell, shape, None).unwrap();
        assert_eq!(room.portals[0].side, side, "{flags:?}");
    }
}

/// A human body that wanders about at random.
struct Wanderer {
    body: Body,
    shape: Shape,
    random: u64,
    heading: f32,
    touched: Vec<Touch>,
    is_stuck: bool,
}

impl BodyHost for Wanderer {
    fn body(&mut self) -> &mut Body {
        &mut self.body
    }
    fn hit_ground(&mut self) {}
    fn leave_ground(&mut self) {}
}

impl Wanderer {
    fn at(position: CellPosition, seed: u64, scene: &Scene) -> Self {
        let mut body = Body::new(position);
        body.state.insert(PhysicsState::GRAVITY | PhysicsState::EDGE_SLIDE);
        body.flags.insert(BodyFlags::MANAGED);
        let shape = Shape::human();
        let (random, touched) = (seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1, Vec::new());
        let mut wanderer = Self { body, shape, random, heading: 0.0, touched, is_stuck: false };
        let mover = wanderer.body.placement_mover(Guid(1), &wanderer.shape, MoverFlags::empty());
        let arrival = scene.place(&mover, &position, true, &NoObstacles, &mut wanderer.touched).unwrap();
        commit(&mut wanderer, &arrival, &[], 0.0);
        wanderer
    }

    fn next_random(&mut self) -> f32 {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        (self.random >> 40) as f32 / (1u64 << 24) as f32
    }

    /// Moves for one tick: walking or running, with a new heading now and then; falling if airborne.
    fn tick(&mut self, scene: &Scene, now: f64) {
        if self.is_stuck || self.next_random() < 0.04 {
            self.heading = self.next_random() * 360.0;
        }
        let mut frame = self.body.position.frame;
        self.body.calc_acceleration();
        if self.body.is_standing() {
            let length = 0.05 + 0.25 * self.next_random();
            let (sin, cos) = self.heading.to_radians().sin_cos();
            frame.origin += Vec3::new(sin, cos, 0.0) * length;
        }
        self.body.update_physics(1.0 / 30.0, &mut frame);
        if frame.origin.is_close_to(self.body.position.frame.origin) {
            return;
        }
        let from = self.body.position;
        let to = CellPosition::new(from.cell, Frame::new(frame.origin, from.frame.rotation));
        let mover = self.body.mover(Guid(1), &self.shape, MoverFlags::empty());
        let mut touched = std::mem::take(&mut self.touched);
        let sweep = scene.sweep(&mover, &from, &to, &NoObstacles, &mut touched);
        if sweep.kills_velocity {
            self.body.set_velocity(Vec3::ZERO, now);
        }
        self.is_stuck = sweep.arrival.is_none();
        if let Some(arrival) = &sweep.arrival {
            commit(self, arrival, &touched, now);
        }
        self.touched = touched;
    }

    fn spheres(&self) -> [Sphere; 2] {
        let frame = &self.body.position.frame;
        [0.475, 1.35].map(|z| Sphere { origin: frame.local_to_global(Vec3::new(0.0, 0.0, z)), radius: 0.48 })
    }
}

/// Returns a polygon of a solid that the body's spheres hit even if they are smaller by `less`.
fn touches(
    solid: &Solid,
    position: &CellPosition,
    scale: f32,
    wanderer: &Wanderer,
    less: f32,
) -> Option<PolygonId> {
    let offset = position.cell.block_offset(wanderer.body.position.cell);
    let ids = || (0..solid.polygon_count() as u32).map(PolygonId);
    wanderer.spheres().iter().find_map(|sphere| {
        let origin = position.frame.global_to_local(sphere.origin + offset) * (1.0 / scale);
        let local = Sphere { origin, radius: (sphere.radius - less) / scale };
        ids().find(|id| solid.polygon(*id).hits_sphere(&local))
    })
}

/// Asserts that the body overlaps nothing in the scene by more than 2 mm.
fn assert_free(scene: &Scene, wanderer: &Wanderer, name: &str, tick: u32) {
    let mut cells = CellArray::default();
    let at = wanderer.body.position;
    scene.find_cell_list(&at, &wanderer.spheres(), &mut cells);
    let check = |solid: &Solid, position: &CellPosition, scale: f32, what: &str| {
        if let Some(id) = touches(solid, position, scale, wanderer, 0.002) {
            let plane = solid.polygon(id).plane;
            panic!("{name}, tick {tick}: {at:?} overlaps {what} at {position:?}, {plane:?}");
        }
    };
    for cell in cells.iter().filter_map(|id| scene.cell(id)) {
        match cell {
            Cell::Land(land) => {
                if let Some(building) = land.building() {
                    let solid = building.solid.as_deref().unwrap();
                    check(solid, &building.position, building.scale, "a building");
                }
            }
            Cell::Room(room) => check(room.solid.as_deref().unwrap(), room.position(), 1.0, "a room"),
        }
        for scenery in scene.scenery(cell.id()) {
            for part in &scenery.parts {
                let position = CellPosition::new(
                    scenery.position.cell,
                    scenery.position.frame.combine_scaled(&part.frame, Vec3::ONE * scenery.scale),
                );
                check(&part.solid, &position, part.scale * scenery.scale, "scenery");
            }
        }
    }
}

#[test]
fn wandering_bodies_stay_out_of_walls_and_in_the_world() {
    let scene = scene();
    let (mut seen, mut moved) = (std::collections::BTreeSet::new(), 0);
    for (seed, (name, position)) in (1..).zip(town::landmarks().iter()) {
        let mut wanderer = Wanderer::at(position, seed, &scene);
        for tick in 0..400 {
            let before = wanderer.body.position;
            wanderer.tick(&scene, f64::from(tick) / 30.0);
            let body = &wanderer.body;
            assert!(
                body.flags.contains(BodyFlags::IN_CELL),
                "{name}, tick {tick}: lost at {:?}",
                body.position
            );
            assert!(body.position.frame.origin.is_finite());
            let on_walkable = body.transient.contains(TransientState::ON_WALKABLE);
            assert!(!on_walkable || body.has_contact(), "{name}, tick {tick}");
            seen.insert(body.position.cell);
            moved += u32::from(before != body.position);
            assert_free(&scene, &wanderer, name, tick);
        }
    }
    assert!(moved > 8_000, "only {moved} ticks moved a body");
    let rooms = seen.iter().filter(|cell| cell.is_indoor()).count();
    assert!(rooms >= 8 && seen.len() > 40, "only {rooms} rooms and {} cells visited", seen.len());
}

#[test]
fn wandering_does_not_allocate() {
    let scene = scene();
    for position in [town::landmarks().hall, town::landmarks().spawn, town::landmarks().steps] {
        let mut wanderer = Wanderer::at(position, 7, &scene);
        for tick in 0..50 {
            wanderer.tick(&scene, f64::from(tick) / 30.0);
        }
        let allocations = allocation_counter::measure(|| {
            for tick in 50..300 {
                wanderer.tick(&scene, f64::from(tick) / 30.0);
            }
        });
        assert_eq!(allocations.count_total, 0, "{position:?}");
    }
}

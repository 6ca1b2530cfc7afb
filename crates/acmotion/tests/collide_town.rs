//! The mannequin's town as a scene: everything of it can be loaded, and bodies that stray about in it never end in a wall,
//! below the ground or out of the world.

use std::sync::OnceLock;

use acmotion::body::{Body, BodyFlags, BodyHost, PhysicsState, TransientState, commit};
use acmotion::collide::geometry::{PolygonId, Solid};
use acmotion::collide::scene::{Cell, CellArray, RoomSearch, Scene, SceneLoader};
use acmotion::collide::{MoverFlags, NoObstacles, Shape, Surroundings, Touch};
use acmotion::dat::mannequin::town;
use acmotion::dat::{Assets, Sphere};
use acmotion::types::{CELL_LENGTH, CellPosition, Frame, Guid, Vec3};

fn scene() -> Scene {
    static LOADED: OnceLock<Scene> = OnceLock::new();
    LOADED
        .get_or_init(|| {
            let mut loader = SceneLoader::new(&Assets::mannequin(), &Assets::town()).unwrap();
            loader.load_around(town::HOME, 1);
            assert_eq!(loader.problems(), []);
            loader.scene()
        })
        .clone()
}

#[test]
fn every_place_of_the_town_is_in_the_cell_that_it_names() {
    let scene = scene();
    assert!(scene.rooms(town::HOME).len() >= 11, "house and shed");
    for (name, place) in town::places().all() {
        let mut adjusted = place;
        let foot = Vec3::new(0.0, 0.0, 0.475);
        let cell = scene.adjust_position(&mut adjusted, foot, RoomSearch::Visible);
        assert_eq!(cell.map(|cell| cell.id()), Some(place.cell), "{name}");
        let mut cells = CellArray::default();
        let sphere = Sphere { origin: place.frame.local_to_global(foot), radius: 0.48 };
        let found = scene.find_cell_list(&place, &[sphere], &mut cells);
        // On a border the last of the cells that share it counts (`docs/collision.md` 7.1).
        let Vec3 { x, y, .. } = place.frame.origin;
        if place.cell.is_indoor() || (x % CELL_LENGTH != 0.0 && y % CELL_LENGTH != 0.0) {
            assert_eq!(found.cell, Some(place.cell), "{name}");
        }
        assert!(cells.contains(place.cell), "{name}");
    }
}

/// A human who strays about.
struct Stray {
    body: Body,
    shape: Shape,
    random: u64,
    heading: f32,
    touched: Vec<Touch>,
    is_stuck: bool,
}

impl BodyHost for Stray {
    fn body(&mut self) -> &mut Body {
        &mut self.body
    }
    fn hit_ground(&mut self) {}
    fn leave_ground(&mut self) {}
}

impl Stray {
    fn at(place: CellPosition, seed: u64, scene: &Scene) -> Self {
        let mut body = Body::new(place);
        body.state.insert(PhysicsState::GRAVITY | PhysicsState::EDGE_SLIDE);
        body.flags.insert(BodyFlags::MANAGED);
        let shape = Shape::human();
        let (random, touched) = (seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1, Vec::new());
        let mut stray = Self { body, shape, random, heading: 0.0, touched, is_stuck: false };
        let mover = stray.body.placement_mover(Guid(1), &stray.shape, MoverFlags::empty());
        let arrival = scene.place(&mover, &place, true, &NoObstacles, &mut stray.touched).unwrap();
        commit(&mut stray, &arrival, &[], 0.0);
        stray
    }

    fn next_random(&mut self) -> f32 {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        (self.random >> 40) as f32 / (1u64 << 24) as f32
    }

    /// One tick: mostly on, sometimes another way, at a walk or at a run; in the air as it comes.
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

/// A polygon of a solid at a place that a body's spheres touch, also if they are so much smaller.
fn touches(solid: &Solid, place: &CellPosition, scale: f32, stray: &Stray, by: f32) -> Option<PolygonId> {
    let offset = place.cell.block_offset(stray.body.position.cell);
    let ids = || (0..solid.polygon_count() as u32).map(PolygonId);
    stray.spheres().iter().find_map(|sphere| {
        let origin = place.frame.global_to_local(sphere.origin + offset) * (1.0 / scale);
        let local = Sphere { origin, radius: (sphere.radius - by) / scale };
        ids().find(|id| solid.polygon(*id).hits_sphere(&local))
    })
}

/// Nothing that stands still overlaps a body by more than two millimetres.
fn assert_free(scene: &Scene, stray: &Stray, name: &str, tick: u32) {
    let mut cells = CellArray::default();
    let at = stray.body.position;
    scene.find_cell_list(&at, &stray.spheres(), &mut cells);
    let check = |solid: &Solid, place: &CellPosition, scale: f32, what: &str| {
        if let Some(id) = touches(solid, place, scale, stray, 0.002) {
            let plane = solid.polygon(id).plane;
            panic!("{name}, tick {tick}: {at:?} overlaps {what} at {place:?}, {plane:?}");
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
                let place = CellPosition::new(
                    scenery.position.cell,
                    scenery.position.frame.combine_scaled(&part.frame, Vec3::ONE * scenery.scale),
                );
                check(&part.solid, &place, part.scale * scenery.scale, "scenery");
            }
        }
    }
}

#[test]
fn bodies_that_stray_about_stay_out_of_walls_and_in_the_world() {
    let scene = scene();
    let (mut seen, mut moved) = (std::collections::BTreeSet::new(), 0);
    for (seed, (name, place)) in (1..).zip(town::places().all()) {
        let mut stray = Stray::at(place, seed, &scene);
        for tick in 0..400 {
            let before = stray.body.position;
            stray.tick(&scene, f64::from(tick) / 30.0);
            let body = &stray.body;
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
            assert_free(&scene, &stray, name, tick);
        }
    }
    assert!(moved > 8_000, "they did stray: {moved} ticks");
    let rooms = seen.iter().filter(|cell| cell.is_indoor()).count();
    assert!(rooms >= 8 && seen.len() > 40, "into {rooms} rooms of {} cells", seen.len());
}

#[test]
fn straying_about_asks_for_no_memory() {
    let scene = scene();
    for place in [town::places().hall, town::places().spawn, town::places().steps] {
        let mut stray = Stray::at(place, 7, &scene);
        for tick in 0..50 {
            stray.tick(&scene, f64::from(tick) / 30.0);
        }
        let asked = allocation_counter::measure(|| {
            for tick in 50..300 {
                stray.tick(&scene, f64::from(tick) / 30.0);
            }
        });
        assert_eq!(asked.count_total, 0, "{place:?}");
    }
}

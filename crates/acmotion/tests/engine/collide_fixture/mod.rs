//! The fixture of the collision tests: some land, obstacles, and one body that is moved step by step.

#![allow(dead_code, reason = "each test file uses a part of it")]

pub(crate) mod rooms;

use std::sync::Arc;

use acmotion::components::{Body, PhysicsState, TransientState};
use acmotion::dat::builder::{self, MeshFace, MeshKind as MeshBody};
use acmotion::dat::{CylSphere, DataId, Sphere, Terrain};
use acmotion::internals::body::{BodyFlags, BodyHost, commit};
use acmotion::scene::geometry::Solid;
use acmotion::scene::{
    Arrival, MoverFlags, Obstacle, ObstacleFlags, ObstacleList, Part, Plane, Scene, SceneBuilder, Shape,
    Surroundings, Touch,
};
use acmotion::types::{CellId, CellPosition, EPS, Frame, Guid, Vec3};

const BLOCK: u16 = 0x7F7F;
const CELL: CellId = CellId(0x7F7F_0001);
/// The origin of the tests' coordinates: on a border of cells, so that the land to the east can have its own slope.
pub(crate) const ORIGIN: Vec3 = Vec3::new(96.0, 108.0, 0.0);
pub(crate) const UP: Vec3 = Vec3::new(0.0, 0.0, 1.0);

/// Land through height 0 at x = 0 that rises eastwards by `west` degrees before it and by `east` degrees beyond it.
pub(crate) fn slopes(west: f32, east: f32) -> Scene {
    let rise = |degrees: f32| 24.0 * libm::tanf(degrees.to_radians());
    let heights: [f32; 9] = std::array::from_fn(|column| match column as f32 - 4.0 {
        before if before < 0.0 => before * rise(west),
        after => after * rise(east),
    });
    let mut table = [0.0; 256];
    table[..9].copy_from_slice(&heights);
    let mut builder = SceneBuilder::new(&table);
    let columns = std::array::from_fn(|corner| (corner / 9) as u8);
    builder.add_land(BLOCK, &columns, &[Terrain(0); 81]);
    builder.finish()
}

pub(crate) fn level() -> Scene {
    slopes(0.0, 0.0)
}

/// Level land far below everything.
pub(crate) fn abyss() -> Scene {
    let mut builder = SceneBuilder::new(&[-50.0; 256]);
    builder.add_land(BLOCK, &[0; 81], &[Terrain(0); 81]);
    builder.finish()
}

/// An obstacle that owns its shapes.
pub(crate) struct TestObstacle {
    pub(crate) guid: Guid,
    pub(crate) position: CellPosition,
    pub(crate) state: PhysicsState,
    pub(crate) flags: ObstacleFlags,
    parts: Vec<Part>,
    cylinders: Vec<CylSphere>,
    spheres: Vec<Sphere>,
}

impl TestObstacle {
    fn new() -> Self {
        Self {
            guid: Guid(0x7000_0001),
            position: CellPosition::at(CELL, ORIGIN),
            state: PhysicsState::STATIC,
            flags: ObstacleFlags::empty(),
            parts: Vec::new(),
            cylinders: Vec::new(),
            spheres: Vec::new(),
        }
    }

    /// Creates an obstacle of polygons whose corners are counter-clockwise seen from the front.
    pub(crate) fn polygons(faces: &[&[[f32; 3]]], body: MeshBody) -> Self {
        let paint = DataId(0x0800_0001);
        let faces: Vec<_> = faces
            .iter()
            .map(|corners| MeshFace::new(paint, corners.iter().copied().map(Vec3::from).collect::<Vec<_>>()))
            .collect();
        Self::of_faces(&faces, body)
    }

    pub(crate) fn of_faces(faces: &[MeshFace], body: MeshBody) -> Self {
        let mesh = builder::gfx_obj(DataId(0x0100_0001), faces, body);
        let solid = Arc::new(Solid::from_gfx_obj(&mesh).unwrap());
        let mut obstacle = Self::new();
        obstacle.state |= PhysicsState::HAS_PHYSICS_BSP;
        obstacle.parts.push(Part { solid, frame: Frame::IDENTITY, scale: 1.0 });
        obstacle
    }

    /// Creates an axis-aligned block.
    pub(crate) fn block(low: [f32; 3], high: [f32; 3]) -> Self {
        Self::of_faces(&MeshFace::cuboid(DataId(0x0800_0001), low.into(), high.into()), MeshBody::Closed)
    }

    pub(crate) fn sphere(centre: [f32; 3], radius: f32) -> Self {
        let mut obstacle = Self::new();
        obstacle.spheres.push(Sphere { origin: centre.into(), radius });
        obstacle
    }

    pub(crate) fn cylinder(base: [f32; 3], radius: f32, height: f32) -> Self {
        let mut obstacle = Self::new();
        obstacle.cylinders.push(CylSphere { origin: base.into(), radius, height });
        obstacle
    }

    /// Makes it a creature.
    pub(crate) fn into_creature(mut self) -> Self {
        self.state =
            PhysicsState::REPORT_COLLISIONS | PhysicsState::GRAVITY | (self.state - PhysicsState::STATIC);
        self.flags = ObstacleFlags::WEENIE | ObstacleFlags::CREATURE;
        self
    }

    pub(crate) fn solid(&self) -> &Solid {
        &self.parts[0].solid
    }

    pub(crate) fn obstacle(&self) -> Obstacle<'_> {
        Obstacle {
            guid: self.guid,
            position: self.position,
            scale: 1.0,
            state: self.state,
            flags: self.flags,
            parts: &self.parts,
            cylinders: &self.cylinders,
            spheres: &self.spheres,
        }
    }
}

/// One body among obstacles.
pub(crate) struct Fixture {
    pub(crate) scene: Scene,
    pub(crate) obstacles: Vec<TestObstacle>,
    pub(crate) shape: Shape,
    pub(crate) flags: MoverFlags,
    pub(crate) body: Body,
    pub(crate) touched: Vec<Touch>,
    /// The result of the last sweep; `None` if it failed.
    pub(crate) last: Option<Arrival>,
    /// What the body's host was notified of.
    pub(crate) reports: Vec<&'static str>,
    now: f64,
}

impl BodyHost for Fixture {
    fn body(&mut self) -> &mut Body {
        &mut self.body
    }
    fn hit_ground(&mut self) {}
    fn leave_ground(&mut self) {}
    fn hit_environment(&mut self) {
        self.reports.push("environment");
    }
    fn on_touch_begin(&mut self, _touch: &Touch) {
        self.reports.push("touch");
    }
    fn on_touch_end(&mut self, _guid: Guid) {
        self.reports.push("touch ended");
    }
}

pub(crate) const GUID: Guid = Guid(0x5000_0001);

/// The body of the examples in `docs/collision.md` 11 with human step heights (*H* there).
pub(crate) fn human() -> Shape {
    Shape::human()
}

/// The same body with step heights of 0.4 m (*Q* there).
pub(crate) fn short_legged() -> Shape {
    let mut shape = Shape::human();
    (shape.step_up, shape.step_down) = (0.4, 0.4);
    shape
}

impl Fixture {
    /// Creates a body in the air.
    pub(crate) fn new(scene: Scene, obstacles: Vec<TestObstacle>, shape: Shape, at: [f32; 3]) -> Self {
        let position = CellPosition::at(CELL, ORIGIN + Vec3::from(at)).adjusted_to_outside().unwrap();
        let mut body = Body::new(position);
        body.state = PhysicsState::EDGE_SLIDE | PhysicsState::GRAVITY | PhysicsState::REPORT_COLLISIONS;
        body.flags.insert(BodyFlags::IN_CELL | BodyFlags::MANAGED);
        let flags = MoverFlags::empty();
        Self {
            scene,
            obstacles,
            shape,
            flags,
            body,
            touched: Vec::new(),
            last: None,
            reports: Vec::new(),
            now: 0.0,
        }
    }

    /// Makes the body stand on a plane through a point.
    pub(crate) fn standing_on(mut self, normal: Vec3, through: [f32; 3]) -> Self {
        self.body.contact_plane = Plane::through(ORIGIN + Vec3::from(through), normal);
        self.body.contact_plane_cell = self.body.position.cell;
        self.body.transient = TransientState::CONTACT;
        self.body.transient.set(TransientState::ON_WALKABLE, self.body.contact_plane.is_walkable());
        self
    }

    /// Makes the body stand on level ground at its feet.
    pub(crate) fn standing(self) -> Self {
        let height = self.at()[2] - 0.005;
        self.standing_on(UP, [0.0, 0.0, height])
    }

    /// Gives the body a velocity.
    pub(crate) fn falling(mut self, velocity: [f32; 3]) -> Self {
        self.body.velocity = velocity.into();
        self
    }

    /// Returns the position of the body in the tests' coordinates.
    pub(crate) fn at(&self) -> [f32; 3] {
        (self.body.position.frame.origin - ORIGIN).into()
    }

    /// Sweeps the body by a displacement. Returns `false` if the sweep failed.
    pub(crate) fn push(&mut self, by: [f32; 3]) -> bool {
        let from = self.body.position;
        let mut to = from;
        to.frame.origin += Vec3::from(by);
        let mover = self.body.mover(GUID, &self.shape, self.flags);
        let obstacles: Vec<_> = self.obstacles.iter().map(TestObstacle::obstacle).collect();
        let sweep = self.scene.sweep(&mover, &from, &to, &ObstacleList(&obstacles), &mut self.touched);
        if sweep.kills_velocity {
            self.body.set_velocity(Vec3::ZERO, self.now);
        }
        self.last = sweep.arrival;
        self.now += 1.0 / 30.0;
        let Some(arrival) = sweep.arrival else { return false };
        let (touched, now) = (std::mem::take(&mut self.touched), self.now);
        commit(self, &arrival, &touched, now);
        self.touched = touched;
        true
    }

    /// Moves the body for one tick by its velocity and gravity.
    pub(crate) fn fall(&mut self) {
        self.last = None;
        self.body.calc_acceleration();
        let mut frame = self.body.position.frame;
        self.body.update_physics(1.0 / 30.0, &mut frame);
        let by = frame.origin - self.body.position.frame.origin;
        if [by.x, by.y, by.z].into_iter().any(|along| along.abs() > EPS) {
            self.push(by.into());
        }
    }

    /// Returns the normal of the surface it slides along, if it slides.
    pub(crate) fn slides(&self) -> Option<[f32; 3]> {
        let is_sliding = self.body.transient.contains(TransientState::SLIDING);
        is_sliding.then(|| self.body.sliding_normal.into())
    }

    #[track_caller]
    pub(crate) fn assert_at(&self, expected: [f32; 3]) {
        let at = self.at();
        let is_near = at.iter().zip(expected).all(|(a, b)| (a - b).abs() < 3e-4);
        assert!(is_near, "expected {expected:?}, got {at:?}");
    }

    /// Moves the body by the same displacement tick by tick, and expects these positions.
    #[track_caller]
    pub(crate) fn assert_walks(&mut self, by: [f32; 3], positions: &[[f32; 3]]) {
        for (tick, expected) in positions.iter().enumerate() {
            assert!(self.push(by), "tick {tick} fails at {:?}", self.at());
            let at = self.at();
            let is_near = at.iter().zip(expected).all(|(a, b)| (a - b).abs() < 3e-4);
            assert!(is_near, "tick {tick}: expected {expected:?}, got {at:?}");
        }
    }

    /// Expects the next sweep to change nothing but the sliding normal, and those after it to fail.
    #[track_caller]
    pub(crate) fn assert_held(&mut self, by: [f32; 3], along: [f32; 3]) {
        let before = self.at();
        assert!(self.push(by), "the first sweep slides");
        self.assert_at(before);
        self.assert_slides(along);
        assert!(self.body.is_standing());
        assert!(!self.push(by) && !self.push(by), "later sweeps fail");
        self.assert_at(before);
    }

    #[track_caller]
    pub(crate) fn assert_slides(&self, along: [f32; 3]) {
        let got = self.slides().expect("the body slides");
        let is_near = got.iter().zip(along).all(|(a, b)| (a - b).abs() < 1e-3);
        assert!(is_near, "expected to slide along {along:?}, got {got:?}");
    }
}

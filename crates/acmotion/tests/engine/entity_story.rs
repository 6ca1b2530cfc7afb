//! The update of one entity in a world, tick by tick (`docs/behaviour.md` B4, B5).

use crate::town_support;
use crate::world_support;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use acmotion::components::TransientState;
use acmotion::dat::mannequin::{self, town::landmarks};
use acmotion::scene::{
    Arrival, Contact, InfinitePlane, Mover, Obstacles, PlacementError, Surroundings, SweepResult, Touch,
};
use acmotion::types::{CellPosition, Guid, MotionCommand, Vec3};
use acmotion::wire::{InterpretedState, PhysicsState};
use town_support::*;
use world_support::*;

/// A run at speed 1 crosses one frame a tick and moves by 4/30 m (rule H10).
const RUN_STEP: f32 = 4.0 / 30.0;
/// An object with a motion table that is not a creature.
const MACHINE: ObjectKind = ObjectKind { item_type: 1, ..CREATURE };
/// An object without spheres and without a motion table.
const SWORD: ObjectKind = ObjectKind { item_type: 1, setup: mannequin::SWORD_SETUP, table: None, ..CREATURE };

/// Level ground that counts how often it is asked to sweep a body.
struct CountingGround {
    plane: InfinitePlane,
    sweeps: AtomicUsize,
    /// Whether every sweep fails and stops the velocity.
    refuses: AtomicBool,
}

impl CountingGround {
    /// A world on such ground, and the ground.
    fn world() -> (TestWorld, Arc<Self>) {
        let plane = InfinitePlane::level(GROUND);
        let ground = Self { plane, sweeps: AtomicUsize::new(0), refuses: AtomicBool::new(false) };
        let ground = Arc::new(ground);
        let surroundings = Arc::clone(&ground);
        (TestWorld::with(settings(|settings| settings.surroundings = Some(surroundings))), ground)
    }
}

impl Surroundings for CountingGround {
    fn sweep(
        &self,
        mover: &Mover<'_>,
        from: &CellPosition,
        to: &CellPosition,
        obstacles: &dyn Obstacles,
        touched: &mut Vec<Touch>,
    ) -> SweepResult {
        self.sweeps.fetch_add(1, Ordering::Relaxed);
        if self.refuses.load(Ordering::Relaxed) {
            return SweepResult { arrival: None, kills_velocity: true, barrier: None };
        }
        self.plane.sweep(mover, from, to, obstacles, touched)
    }

    fn place(
        &self,
        mover: &Mover<'_>,
        at: &CellPosition,
        slide: bool,
        obstacles: &dyn Obstacles,
        touched: &mut Vec<Touch>,
    ) -> Result<Arrival, PlacementError> {
        self.plane.place(mover, at, slide, obstacles, touched)
    }

    fn is_free(&self, body: Guid, at: &CellPosition, obstacles: &dyn Obstacles) -> bool {
        self.plane.is_free(body, at, obstacles)
    }

    fn ground(&self, at: &CellPosition) -> Option<Contact> {
        self.plane.ground(at)
    }

    fn has_obstacles(&self) -> bool {
        false
    }
}

fn horizontal(offset: Vec3) -> f32 {
    offset.x.hypot(offset.y)
}

fn frame_number(scene: &TestWorld) -> f64 {
    scene.world.find(REMOTE).unwrap().entity().animator.sequence().frame()
}

fn heading(scene: &TestWorld) -> f32 {
    scene.body(REMOTE).position.frame.heading()
}

fn is_active(scene: &TestWorld) -> bool {
    scene.body(REMOTE).transient.contains(TransientState::ACTIVE)
}

/// A world with one object of a kind at (96, 96).
fn with(kind: &ObjectKind) -> TestWorld {
    let mut scene = TestWorld::new();
    scene.add(REMOTE, &at(96.0, 96.0), kind);
    scene.ticks(2);
    scene
}

/// A machine runs and turns. It is thrown up: what is not a creature keeps its cycles in the air (rule F14), but only the
/// rotation of their root motion counts there. Where it lands it runs on.
#[test]
fn b5_2_in_the_air_root_motion_turns_but_does_not_move() {
    let mut scene = with(&MACHINE);
    let state = InterpretedState { turn_command: Some(MotionCommand::TURN_RIGHT), ..running(1.0) };
    scene.send(&motion(REMOTE, state, 1));
    scene.ticks(60);
    scene.send(&vector(REMOTE, Vec3::new(0.0, 0.0, 5.0), 1));
    let (mut airborne, mut grounded) = (0, 0);
    for tick in 0..60 {
        let (before, stood) = (scene.body(REMOTE).position.frame, scene.body(REMOTE).is_on_walkable());
        scene.tick();
        let after = scene.body(REMOTE).position.frame;
        let moved = horizontal(after.origin - before.origin);
        if stood {
            grounded += 1;
            assert!((moved - RUN_STEP).abs() < 1e-3, "tick {tick}: on the ground it moved {moved} m");
        } else {
            airborne += 1;
            assert_eq!(moved, 0.0, "tick {tick}: in the air");
        }
        let turned = (after.heading() - before.heading()).rem_euclid(360.0);
        assert!((1.0..10.0).contains(&turned), "tick {tick}: turned by {turned} degrees");
    }
    assert!(airborne > 25 && grounded > 20, "5 m/s take it up for a second: {airborne} ticks");
}

/// A runner is hidden: its animation and its root motion stop (rule B5.1). A new velocity does not move it, and friction does
/// not slow it down (rule B5.5). When it is shown, everything goes on from where it was.
#[test]
fn b5_a_hidden_body_neither_animates_nor_moves() {
    let mut scene = with(&CREATURE);
    scene.send(&motion(REMOTE, running(1.0), 1));
    scene.ticks(60);
    let before = scene.origin(REMOTE);
    scene.tick();
    assert!((scene.origin(REMOTE).y - before.y - RUN_STEP).abs() < 1e-3, "it runs");

    scene.send(&set_state(REMOTE, SOLID | PhysicsState::HIDDEN, 1));
    let (hidden, frame) = (scene.origin(REMOTE), frame_number(&scene));
    for tick in 0..5 {
        scene.tick();
        assert_eq!(scene.origin(REMOTE), hidden, "tick {tick}: no root motion");
        assert_eq!(frame_number(&scene), frame, "tick {tick}: no animation");
    }
    scene.send(&vector(REMOTE, Vec3::new(3.0, 0.0, 0.0), 1));
    for tick in 0..5 {
        scene.tick();
        assert_eq!(scene.origin(REMOTE), hidden, "tick {tick}: the velocity is not integrated");
        assert_eq!(scene.body(REMOTE).velocity.x, 3.0, "tick {tick}: nor is there friction");
    }

    scene.send(&set_state(REMOTE, SOLID, 2));
    scene.tick();
    let moved = scene.origin(REMOTE) - hidden;
    assert!((moved.y - RUN_STEP).abs() < 1e-3, "root motion again: {moved:?}");
    assert!((0.08..0.1).contains(&moved.x), "3 m/s less the friction of one tick: {moved:?}");
    assert!(frame_number(&scene) != frame);
}

/// Of a runner a thousand times smaller than a human a frame's root motion is 0.13 mm, which is below EPS. It is
/// discarded each time without a sweep and does not add up; its turns are not. One of three times that size moves.
#[test]
fn b4_4b_a_motion_below_eps_is_discarded_and_does_not_add_up() {
    let run = |scale: f32| {
        let (mut scene, ground) = CountingGround::world();
        scene.send(&describe_scaled(REMOTE, &at(96.0, 96.0), &CREATURE, scale));
        scene.ticks(60);
        assert!(scene.body(REMOTE).is_standing());
        let state = InterpretedState { turn_command: Some(MotionCommand::TURN_RIGHT), ..running(1.0) };
        scene.send(&motion(REMOTE, state, 1));
        scene.ticks(60);
        ground.sweeps.store(0, Ordering::Relaxed);
        let start = scene.origin(REMOTE);
        for tick in 0..30 {
            let (before, frame) = (heading(&scene), frame_number(&scene));
            scene.tick();
            assert!(frame_number(&scene) != frame, "tick {tick}: the run plays");
            assert!(heading(&scene) != before, "tick {tick}: it turns");
        }
        let sweeps = ground.sweeps.load(Ordering::Relaxed);
        (scene.origin(REMOTE) != start, scene.body(REMOTE).cached_velocity != Vec3::ZERO, sweeps)
    };
    assert_eq!(run(0.001), (false, false, 0));
    assert_eq!(run(0.003), (true, true, 30));
}

/// EPS is compared along each axis. A run of a quarter of a millimetre a tick to the north-east is 0.18 mm along each and
/// is discarded; the same run to the north is not.
#[test]
fn b4_4b_a_motion_is_compared_with_eps_along_each_axis() {
    // Where the ground is not known a run takes a shorter way through the engine, to the same end.
    for knows_ground in [true, false] {
        let step = |heading: f32| {
            let mut scene = if knows_ground { CountingGround::world().0 } else { TestWorld::new() };
            scene.send(&describe_scaled(REMOTE, &facing(at(96.0, 96.0), heading), &CREATURE, 0.0019));
            scene.ticks(60);
            scene.send(&motion(REMOTE, running(1.0), 1));
            scene.ticks(60);
            let before = scene.origin(REMOTE);
            scene.tick();
            scene.origin(REMOTE) - before
        };
        assert_eq!(step(45.0), Vec3::ZERO, "{knows_ground}");
        let north = step(0.0);
        assert!((north.y - 0.0019 * RUN_STEP).abs() < 2e-5, "{knows_ground}: {north:?}");
    }
}

/// A standing body is given an omega. As long as it does not move it is not swept, so nothing resets the omega and it
/// spins (rules C3, D10). Its first step of a run is committed, and contact with the ground ends the spin.
#[test]
fn b4_4b_a_body_at_rest_is_not_swept_and_keeps_spinning() {
    let mut scene = with(&CREATURE);
    scene.ticks(60);
    scene.send(&vector_and_omega(REMOTE, Vec3::ZERO, Vec3::new(0.0, 0.0, -1.0), 1));
    for tick in 1..=30 {
        scene.tick();
        let expected = (1.0 * TICK as f32 * tick as f32).to_degrees();
        assert!((heading(&scene) - expected).abs() < 0.05, "tick {tick}: {}", heading(&scene));
    }
    let spun = heading(&scene);
    scene.send(&motion(REMOTE, running(1.0), 1));
    let start = scene.origin(REMOTE);
    while scene.origin(REMOTE) == start {
        assert!(scene.now < 20.0, "it never starts to run");
        scene.tick();
    }
    assert_eq!(scene.body(REMOTE).omega, Vec3::ZERO, "the commit of the first step");
    let stopped = heading(&scene);
    assert!(stopped > spun);
    scene.ticks(5);
    assert!((heading(&scene) - stopped).abs() < 0.01, "it runs straight on");
}

/// A sword has no spheres: nothing moves it, whatever its velocity, but it turns. On the ground, and without a movement
/// manager, every step also puts it to rest. The next tick wakes it and takes its time from then (rule B3), so that it
/// turns only in every second tick.
#[test]
fn b4_4c_a_body_without_spheres_only_turns_and_rests_on_the_ground() {
    let mut scene = with(&SWORD);
    assert!(scene.body(REMOTE).is_on_walkable());
    if !is_active(&scene) {
        scene.tick();
    }
    let start = scene.origin(REMOTE);
    let thrown = vector_and_omega(REMOTE, Vec3::new(0.0, 3.0, 0.0), Vec3::new(0.0, 0.0, -1.0), 1);
    scene.send(&thrown);
    for tick in 0..20 {
        let before = heading(&scene);
        let was_active = is_active(&scene);
        scene.tick();
        assert_eq!(scene.origin(REMOTE), start, "tick {tick}: it is not moved");
        assert_eq!(scene.body(REMOTE).cached_velocity, Vec3::ZERO, "tick {tick}");
        assert_eq!(is_active(&scene), !was_active, "tick {tick}: a step ends in rest, a rest in waking");
        let turned = heading(&scene) - before;
        let expected = if was_active { (1.0 * TICK as f32).to_degrees() } else { 0.0 };
        assert!((turned - expected).abs() < 0.01, "tick {tick}: turned by {turned} degrees");
    }
}

/// The same sword with a movement manager, and one in the air, stay active.
#[test]
fn b4_4c_a_body_without_spheres_goes_on_in_the_air_or_with_a_movement_manager() {
    let managed = ObjectKind { table: Some(mannequin::HUMAN_TABLE), ..SWORD };
    let mut scene = with(&managed);
    assert!(scene.body(REMOTE).is_on_walkable());
    for tick in 0..5 {
        scene.tick();
        assert!(is_active(&scene), "tick {tick}: it has a movement manager");
    }
    // A body that came to rest after every step would turn only in every second tick.
    scene.send(&vector_and_omega(REMOTE, Vec3::ZERO, Vec3::new(0.0, 0.0, -1.0), 1));
    for tick in 0..5 {
        let before = heading(&scene);
        scene.tick();
        let turned = heading(&scene) - before;
        assert!((turned - (1.0 * TICK as f32).to_degrees()).abs() < 0.01, "tick {tick}: {turned} degrees");
    }
    let flying = ObjectKind { state: SOLID | PhysicsState::MISSILE, ..SWORD };
    let mut scene = with(&flying);
    assert!(!scene.body(REMOTE).is_on_walkable());
    for tick in 0..5 {
        scene.tick();
        assert!(is_active(&scene), "tick {tick}: it is in the air");
    }
}

/// A barrel has spheres but no movement manager. It slides, and its first step is so short that it leads less than EPS
/// far: that step is discarded, and the barrel slides on. Only bodies without spheres are put to rest here.
#[test]
fn b4_4b_a_step_that_is_too_short_does_not_put_a_body_with_spheres_to_rest() {
    let barrel = ObjectKind { item_type: 1, table: None, ..CREATURE };
    let mut scene = TestWorld::new();
    scene.add(REMOTE, &at(96.0, 96.0), &barrel);
    scene.send(&vector(REMOTE, Vec3::new(0.0, 0.5, 0.0), 1));
    assert!(scene.body(REMOTE).is_on_walkable());
    let start = scene.origin(REMOTE);
    scene.now += 0.0003;
    scene.world.tick(scene.now);
    assert_eq!(scene.origin(REMOTE), start, "0.15 mm at 0.5 m/s");
    assert!(is_active(&scene));
    scene.tick();
    assert!((scene.origin(REMOTE).y - start.y - 0.5 / 30.0).abs() < 2e-3, "{:?}", scene.origin(REMOTE));
}

/// The cached velocity is that of the last step: of a run the run's, and zero as soon as the body stays where it is.
#[test]
fn b4_4b_the_cached_velocity_of_a_body_that_stays_is_zero() {
    let mut scene = with(&CREATURE);
    scene.send(&motion(REMOTE, running(1.0), 1));
    scene.ticks(60);
    let speed = scene.body(REMOTE).cached_velocity.length();
    assert!((speed - 4.0).abs() < 0.01, "a run at 4 m/s, not {speed}");
    scene.send(&motion(REMOTE, InterpretedState::default(), 2));
    let mut rested = 0;
    for tick in 0..60 {
        let before = scene.origin(REMOTE);
        scene.tick();
        let moved = scene.origin(REMOTE) - before;
        let expected = moved * (1.0 / TICK as f32);
        let cached = scene.body(REMOTE).cached_velocity;
        assert!((cached - expected).length() < 0.02, "tick {tick}: {cached:?}, not {expected:?}");
        rested += usize::from(cached == Vec3::ZERO);
    }
    assert!(rested > 20, "it has come to rest");
}

/// A creature slides over the ground against a wall, head-on. Bodies on the ground do not bounce (rule C11): the sweep
/// that the wall refuses stops the velocity (`docs/collision.md` 3.9).
#[test]
fn b4_4_a_wall_stops_the_velocity_of_a_sliding_body() {
    let mut scene = in_town();
    let wall = landmarks().wall;
    scene.add(REMOTE, &facing(beside(wall, 0.0, 0.3, 0.0), 0.0), &CREATURE);
    scene.ticks(2);
    scene.send(&vector(REMOTE, Vec3::new(0.0, 10.0, 0.0), 1));
    let mut speed = 10.0;
    for tick in 0..60 {
        let before = scene.origin(REMOTE).y;
        scene.tick();
        let body = scene.body(REMOTE);
        assert!(body.is_standing(), "tick {tick}: it stays on the ground");
        if body.position.frame.origin.y == before {
            assert_eq!(body.velocity, Vec3::ZERO, "tick {tick}: stopped at the wall");
            assert!(speed > 5.0, "by the wall and not by friction: {speed} m/s");
            return;
        }
        speed = body.velocity.length();
    }
    panic!("it never reached the wall");
}

/// A sweep that fails leaves the body where it is, but its heading is the new one. If the sweep stops the velocity, that
/// counts all the same (`docs/collision.md` 2.10, 3.9).
#[test]
fn b4_4_a_sweep_that_fails_stops_the_velocity() {
    let (mut scene, ground) = CountingGround::world();
    scene.add(REMOTE, &at(96.0, 96.0), &CREATURE);
    scene.ticks(60);
    scene.send(&vector_and_omega(REMOTE, Vec3::new(0.0, 3.0, 0.0), Vec3::new(0.0, 0.0, -1.0), 1));
    scene.tick();
    assert!(scene.body(REMOTE).velocity.y > 2.0, "it slides: {:?}", scene.body(REMOTE).velocity);
    let before = scene.body(REMOTE).position;
    scene.send(&vector_and_omega(REMOTE, Vec3::new(0.0, 3.0, 0.0), Vec3::new(0.0, 0.0, -1.0), 2));
    ground.refuses.store(true, Ordering::Relaxed);
    scene.tick();
    let body = scene.body(REMOTE);
    assert_eq!(body.position.frame.origin, before.frame.origin);
    assert!(body.position.frame.heading() != before.frame.heading(), "it turns");
    assert_eq!((body.velocity, body.cached_velocity), (Vec3::ZERO, Vec3::ZERO));
}

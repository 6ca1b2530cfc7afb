//! More details of the sweep and of placement, one test for each (`docs/collision.md`): borders of landblocks, turns, what
//! counts as an obstacle, and what the record of a sweep tells.

use crate::{collide_fixture, collide_hamlet};

use std::cell::{Cell, RefCell};
use std::ops::ControlFlow;

use acmotion::Barrier;
use acmotion::components::PhysicsState;
use acmotion::dat::builder::MeshKind;
use acmotion::dat::{CylSphere, Sphere, Terrain};
use acmotion::explain::{SweepNote, SweepTrace};
use acmotion::internals::collide::scene::sweep_inspected;
use acmotion::internals::collide::{InsertType, SubSteps, Transition, TransitionState};
use acmotion::limits::MAX_TOUCHES;
use acmotion::scene::{
    Contact, InfinitePlane, Mover, MoverFlags, NoObstacles, Obstacle, ObstacleFlags, ObstacleList, Obstacles,
    Part, PlacementError, Plane, Scene, SceneBuilder, SearchCylinder, Shape, Surroundings, SweepResult,
};
use acmotion::types::{CellId, CellPosition, Frame, Guid, Quat, Vec3};
use collide_fixture::rooms::{BACK, FRONT, UNLOADED, block, east_of, in_cell, room, scene_of, west_of};
use collide_fixture::{Fixture, GUID, ORIGIN, TestObstacle, UP, human, level, slopes};

const EAST: [f32; 3] = [0.1, 0.0, 0.0];
const WEST: Vec3 = Vec3::new(-1.0, 0.0, 0.0);
/// The guid of the fixture's obstacles.
const OTHER: Guid = Guid(0x7000_0001);
/// The cell to the west of the tests' origin, and the one to the east.
const WEST_CELL: CellId = CellId(0x7F7F_001D);
const EAST_CELL: CellId = CellId(0x7F7F_0025);

/// A wall in the plane x = 0 that faces west, without thickness.
fn wall() -> TestObstacle {
    let corners = [[0.0, -9.0, 0.0], [0.0, -9.0, 5.0], [0.0, 9.0, 5.0], [0.0, 9.0, 0.0]];
    TestObstacle::polygons(&[&corners], MeshKind::Open)
}

/// A deck at a height that ends at x = 0, open below.
fn deck(height: f32) -> TestObstacle {
    let corners = [[-9.0, -9.0, height], [0.0, -9.0, height], [0.0, 9.0, height], [-9.0, 9.0, height]];
    TestObstacle::polygons(&[&corners], MeshKind::Open)
}

/// A landblock of level land, and the one to the east of it.
fn two_blocks() -> Scene {
    let mut builder = SceneBuilder::new(&[0.0; 256]);
    for block in [0x7F7F, 0x807F] {
        builder.add_land(block, &[0; 81], &[Terrain(0); 81]);
    }
    builder.finish()
}

fn moved(position: &CellPosition, by: [f32; 3]) -> CellPosition {
    let mut moved = *position;
    moved.frame.origin += Vec3::from(by);
    moved
}

/// Sweeps a body past obstacles, without moving it.
fn sweep(body: &Fixture, by: [f32; 3], obstacles: &[Obstacle<'_>]) -> SweepResult {
    let mover = body.body.mover(GUID, &body.shape, body.flags);
    let (from, to) = (body.body.position, moved(&body.body.position, by));
    body.scene.sweep(&mover, &from, &to, &ObstacleList(obstacles), &mut Vec::new())
}

/// Records a sweep of a body past its obstacles.
fn trace(body: &Fixture, by: [f32; 3]) -> SweepTrace {
    let mover = body.body.mover(GUID, &body.shape, body.flags);
    let obstacles: Vec<_> = body.obstacles.iter().map(TestObstacle::obstacle).collect();
    let (from, to) = (body.body.position, moved(&body.body.position, by));
    body.scene.trace_sweep(&mover, &from, &to, &ObstacleList(&obstacles)).expect("scenes record sweeps")
}

#[track_caller]
fn assert_near(got: f32, expected: f32) {
    assert!((got - expected).abs() < 3e-4, "expected {expected}, got {got}");
}

/// Compares a point with one in the tests' coordinates.
#[track_caller]
fn assert_point(got: Vec3, expected: [f32; 3]) {
    let got = got - ORIGIN;
    assert!((got - Vec3::from(expected)).length() < 5e-4, "expected {expected:?}, got {got:?}");
}

/// 1.5, 4.7: the edge of a deck, 0.2 m west of the border of a landblock. The walker wants to get beyond the border, and
/// slides back along the edge.
#[test]
fn an_edge_at_the_border_of_a_landblock_holds_a_walker() {
    let deck = || {
        let mut deck = deck(3.0);
        deck.position.frame.origin.x = 191.8;
        deck
    };
    let walker = || Fixture::new(two_blocks(), vec![deck()], human(), [95.95, 0.0, 3.005]).standing();
    let mut slides = walker();
    slides.assert_walks([0.1, 0.05, 0.0], &[[95.95, 0.05, 3.005]]);
    slides.assert_slides([-1.0, 0.0, 0.0]);
    assert_eq!(slides.body.position.cell, CellId(0x7F7F_003D));
    // 4.5e: the search for the polygon that it stands on takes no account of the border, and finds none.
    let mut leaps = walker();
    assert_eq!(
        sweep(&leaps, [0.45, 0.1, 0.0], &[deck().obstacle()]).barrier,
        Some(Barrier::Drop(CellId(0x7F7F_003D)))
    );
    leaps.assert_walks([0.45, 0.1, 0.0], &[[95.95, 0.0, 3.005]]);
}

/// 4.5e: a walker that is past the edge by more than its radius finds the polygon that it stood on from where it was.
#[test]
fn a_long_step_past_an_edge_slides_along_it() {
    let mut walker = Fixture::new(level(), vec![deck(3.0)], human(), [0.15, 0.0, 3.005]).standing();
    walker.assert_walks([0.45, 0.1, 0.0], &[[0.15, 0.1, 3.005]]);
    walker.assert_slides([-1.0, 0.0, 0.0]);
    assert!(walker.body.is_standing());
}

/// 6.5: the land of another landblock is tested in its own axes.
#[test]
fn a_body_lands_beyond_the_border_of_a_landblock() {
    let mut falling = Fixture::new(two_blocks(), vec![], human(), [95.9, 0.0, 0.1]);
    assert!(falling.push([0.3, 0.0, -0.2]));
    let CellPosition { cell, frame } = falling.body.position;
    assert_eq!(cell, CellId(0x807F_0005));
    assert_near(frame.origin.x, 0.2);
    assert_near(frame.origin.z, 0.005);
    assert!(falling.body.is_standing());
    // 6.6: and back, in three sub-steps.
    assert!(falling.push([-1.2, 0.0, 0.0]));
    let CellPosition { cell, frame } = falling.body.position;
    assert_eq!(cell, CellId(0x7F7F_003D));
    assert_near(frame.origin.x, 191.0);
}

/// 3.4: a body that stands on a slope of the landblock behind it is lifted out of that slope.
#[test]
fn the_contact_plane_keeps_the_axes_of_its_landblock() {
    let (scene, shape) = (two_blocks(), human());
    let plane = Plane::through(Vec3::new(192.5, 108.0, 0.0), Vec3::new(-0.5, 0.0, 0.866_025_4));
    let contact = Some(Contact { plane, cell: CellId(0x7F7F_003D), is_water: false });
    let flags = MoverFlags::CONTACT | MoverFlags::ON_WALKABLE;
    let mover =
        Mover { contact, last_known: contact, ..Mover::new(GUID, &shape, 1.0, PhysicsState::GRAVITY, flags) };
    let from = CellPosition::at(CellId(0x807F_0005), Vec3::new(0.5, 108.0, 0.005));
    let mut touched = Vec::new();
    let to = moved(&from, EAST);
    let mut transition = Transition::for_sweep(&scene, &NoObstacles, &mover, &from, &to, &mut touched);
    let adjusted = transition.adjust_offset(EAST.into());
    assert!((adjusted - Vec3::new(0.075, 0.0, 0.043_301)).length() < 1e-4, "{adjusted:?}");
    assert_near(transition.path().check().frame.origin.z, 0.005 + 0.074_256);
}

/// 5.3, 5.4, 1.6: an obstacle whose position is given in the axes of another landblock blocks as any other.
#[test]
fn obstacles_may_be_given_in_the_axes_of_another_landblock() {
    let abroad = |mut obstacle: TestObstacle| {
        obstacle.position = CellPosition::at(CellId(0x807F_0001), ORIGIN - Vec3::new(192.0, 0.0, 0.0));
        vec![obstacle]
    };
    let creature = TestObstacle::sphere([0.0, 0.3, 0.48], 0.48).into_creature();
    let mut walker = Fixture::new(level(), abroad(creature), human(), [-1.0, 0.0, 0.005]).standing();
    walker.assert_walks(EAST, &[[-0.991_743, -0.027_523, 0.005]]);
    let stump = TestObstacle::cylinder([0.0; 3], 0.3, 0.59);
    let mut walker = Fixture::new(level(), abroad(stump), human(), [-0.9, 0.0, 0.005]).standing();
    walker.assert_walks(EAST, &[[-0.8, 0.0, 0.005], [-0.7, 0.0, 0.595]]);
    let mut walker = Fixture::new(level(), abroad(wall()), human(), [-0.5, 0.0, 0.005]).standing();
    walker.assert_walks([0.1, 0.02, 0.0], &[[-0.5, 0.02, 0.005]]);
    walker.assert_slides([-1.0, 0.0, 0.0]);
    // What it stands on, too: 5.6.5.
    let mut walker = Fixture::new(level(), abroad(deck(0.5)), human(), [-0.5, 0.0, 0.505]).standing();
    walker.assert_walks(EAST, &[[-0.4, 0.0, 0.505]]);
    assert_near(walker.body.contact_plane.d, -0.5);
}

/// 5.3, 5.4, 8.3.6: the shapes of an obstacle and their offsets are multiplied by its scale, and that of a part by both.
#[test]
fn obstacles_are_scaled() {
    let walker = |x: f32| Fixture::new(level(), vec![], human(), [x, 0.0, 0.005]).standing();
    let nothing = TestObstacle::sphere([0.0; 3], 0.0);
    let scaled = |state, parts, cylinders, spheres| Obstacle {
        scale: 2.0,
        state: PhysicsState::STATIC | state,
        parts,
        cylinders,
        spheres,
        ..nothing.obstacle()
    };
    let ends_at = |x: f32, obstacle: &Obstacle<'_>| {
        let arrival =
            sweep(&walker(x), EAST, std::slice::from_ref(obstacle)).arrival.expect("it does not slide");
        (arrival.position.frame.origin.x - ORIGIN.x, arrival.collision_normal)
    };
    // Twice 0.5 m to the east, a cylinder of 0.3 m radius and 1 m height: reached at 1 - 0.78 m.
    let post = [CylSphere { origin: Vec3::new(0.5, 0.0, 0.0), radius: 0.15, height: 0.5 }];
    let post = scaled(PhysicsState::empty(), &[], &post, &[]);
    let (x, normal) = ends_at(0.1, &post);
    assert_near(x, 0.2);
    assert_eq!(normal, None);
    let (x, normal) = ends_at(0.2, &post);
    assert_near(x, 0.2);
    assert_eq!(normal, Some(WEST));
    // A ball of 0.48 m at the same place: reached at 1 - 0.96 m.
    let ball = [Sphere { origin: Vec3::new(0.5, 0.0, 0.24), radius: 0.24 }];
    let ball = scaled(PhysicsState::empty(), &[], &[], &ball);
    assert_near(ends_at(-0.1, &ball).0, 0.0);
    let (x, normal) = ends_at(0.0, &ball);
    assert_near(x, 0.0);
    assert!((normal.unwrap() - WEST).length() < 1e-3);
    // A block that is halved by its part and doubled by the obstacle, again 1 m to the east.
    let frame = Frame::from_origin(Vec3::new(0.5, 0.0, 0.0));
    let solid = block([0.0, -1.0, 0.0], [1.0, 1.0, 2.0]).unwrap();
    let parts = [Part { solid, frame, scale: 0.5 }];
    let parts = scaled(PhysicsState::HAS_PHYSICS_BSP, &parts, &[], &[]);
    assert_near(ends_at(0.4, &parts).0, 0.5);
    let (x, normal) = ends_at(0.5, &parts);
    assert_near(x, 0.5);
    assert_eq!(normal, Some(WEST));
}

/// Records the reach of a mover at every cell that is tested.
#[derive(Default)]
struct Reaches(RefCell<Vec<SearchCylinder>>);

impl Obstacles for Reaches {
    fn visit<'a>(&'a self, _cell: CellId, _visitor: &mut dyn FnMut(&Obstacle<'a>) -> ControlFlow<()>) {}

    fn visit_near<'a>(
        &'a self,
        _cell: CellId,
        reach: &Cell<SearchCylinder>,
        _visitor: &mut dyn FnMut(&Obstacle<'a>) -> ControlFlow<()>,
    ) {
        self.0.borrow_mut().push(reach.get());
    }
}

/// 8.2: the cylinder in which obstacles are searched for holds both spheres, and where a turn takes them.
#[test]
fn the_reach_holds_both_spheres() {
    let reach = |spheres: &[Sphere], heading: f32| {
        let mut shape = human();
        shape.set_spheres(spheres);
        let body = Fixture::new(level(), vec![], shape, [6.0, 0.0, 5.0]);
        let mut to = moved(&body.body.position, [0.0, 0.05, 0.0]);
        to.frame.set_heading(heading);
        let mover = body.body.mover(GUID, &body.shape, MoverFlags::empty());
        let reaches = Reaches::default();
        body.scene.sweep(&mover, &body.body.position, &to, &reaches, &mut Vec::new());
        let reaches = reaches.0.into_inner();
        assert_eq!(reaches.len(), 1, "one cell, tested once");
        assert_eq!(reaches[0].cell, body.body.position.cell);
        reaches[0]
    };
    let foot = Sphere { origin: Vec3::new(0.6, 0.0, 0.5), radius: 0.3 };
    let head = Sphere { origin: Vec3::new(-0.2, 0.1, 1.5), radius: 0.5 };
    // The centres are 0.8 m, 0.1 m and 1 m apart.
    let both = reach(&[foot, head], 0.0);
    assert_point(both.centre, [6.2, 0.1, 6.0]);
    assert_near(both.radius, 0.5 + 0.45);
    assert_near(both.half_height, 0.5 + 0.5);
    // A turn to the south takes the foot 1.2 m away, and the head less.
    let turned = reach(&[foot, head], 180.0);
    assert_point(turned.centre, [6.2, 0.1, 6.0]);
    assert_near(turned.radius, 0.5 + 0.45 + 1.2);
    assert_near(turned.half_height, 0.5 + 0.5 + 1.2);
    let alone = reach(&[foot], 0.0);
    assert_point(alone.centre, [6.6, 0.05, 5.5]);
    assert_near(alone.radius, 0.3);
    assert_near(alone.half_height, 0.3);
}

/// Sweeps a body by the full rules. Returns where it ends, its heading, and the number of sub-steps.
fn in_sub_steps(body: &Fixture, by: [f32; 3], heading: f32) -> ([f32; 3], f32, SubSteps) {
    let mut to = moved(&body.body.position, by);
    to.frame.set_heading(heading);
    let mover = body.body.mover(GUID, &body.shape, body.flags);
    let obstacles: Vec<_> = body.obstacles.iter().map(TestObstacle::obstacle).collect();
    let mut sub_steps = SubSteps::default();
    let ends = [&body.body.position, &to];
    let result = sweep_inspected(
        &body.scene,
        &mover,
        ends,
        &ObstacleList(&obstacles),
        &mut Vec::new(),
        |transition| {
            sub_steps = transition.sub_steps();
            assert!(transition.cells().contains(body.body.position.cell));
        },
    );
    let frame = result.arrival.expect("it succeeds").position.frame;
    ((frame.origin - ORIGIN).into(), frame.heading(), sub_steps)
}

/// 3.3: a body turns along its path. If it is stopped on the way, it has turned as far as it came; one that rotates freely
/// has turned at once.
#[test]
fn a_body_that_is_stopped_has_turned_as_far_as_it_came() {
    let mut walker = Fixture::new(level(), vec![wall()], human(), [-1.0, 0.0, 0.005]).standing();
    // Three sub-steps of 0.4 m, of which the second is refused and the third is nil.
    let (at, heading, sub_steps) = in_sub_steps(&walker, [1.2, 0.0, 0.0], 90.0);
    assert_near(at[0], -0.6);
    assert!((heading - 30.0).abs() < 0.01, "{heading}");
    assert_eq!(sub_steps, SubSteps { planned: 3, done: 2 });
    walker.shape.free_heading = true;
    let (at, heading, _) = in_sub_steps(&walker, [1.2, 0.0, 0.0], 90.0);
    assert_near(at[0], -0.6);
    assert!((heading - 90.0).abs() < 0.01, "{heading}");
    // 3.3.2: without a displacement it turns, too.
    for free_heading in [true, false] {
        walker.shape.free_heading = free_heading;
        let (at, heading, sub_steps) = in_sub_steps(&walker, [0.0; 3], 45.0);
        assert_eq!((at, sub_steps), ([-1.0, 0.0, 0.005], SubSteps { planned: 0, done: 0 }));
        assert!((heading - 45.0).abs() < 0.01, "{heading}");
    }
}

/// 3.3f: the sweep of a falling body ends with the sub-step that stops its fall.
#[test]
fn a_fall_that_is_stopped_ends_the_sweep() {
    let along = 1.2 * std::f32::consts::FRAC_1_SQRT_2;
    let flying = Fixture::new(level(), vec![wall()], human(), [-1.0, 0.0, 2.0]);
    let (at, _, sub_steps) = in_sub_steps(&flying, [along, along, 0.0], 0.0);
    assert_near(at[0], -1.0 + along / 3.0);
    assert_near(at[1], along / 3.0);
    assert_eq!(sub_steps, SubSteps { planned: 3, done: 2 });
    // A walker goes on along the wall.
    let walker = Fixture::new(level(), vec![wall()], human(), [-1.0, 0.0, 0.005]).standing();
    let (at, _, sub_steps) = in_sub_steps(&walker, [along, along, 0.0], 0.0);
    assert_near(at[1], along);
    assert_eq!(sub_steps, SubSteps { planned: 3, done: 3 });
}

/// 8.3, 8.4: what an obstacle is decides whether it is passed through, and whether it is touched.
#[test]
fn obstacles_block_or_are_touched_by_what_they_are() {
    use PhysicsState as State;
    let walk = |walker: &dyn Fn(&mut Fixture), state: State, flags: ObstacleFlags| {
        let mut other = TestObstacle::sphere([0.0, 0.0, 0.48], 0.48);
        (other.state, other.flags) = (state, flags);
        let mut body = Fixture::new(level(), vec![other], human(), [-1.0, 0.0, 0.005]).standing();
        walker(&mut body);
        body.push(EAST);
        (body.at()[0] > -0.95, !body.touched.is_empty())
    };
    let (none, creature) = (ObstacleFlags::empty(), ObstacleFlags::WEENIE | ObstacleFlags::CREATURE);
    let plain = |_: &mut Fixture| {};
    assert_eq!(walk(&plain, State::empty(), none), (false, true));
    assert_eq!(walk(&plain, State::STATIC, none), (false, false), "scenery is not touched");
    assert_eq!(walk(&plain, State::ETHEREAL, none), (true, true));
    assert_eq!(walk(&plain, State::IGNORE_COLLISIONS, none), (false, true));
    assert_eq!(walk(&plain, State::ETHEREAL | State::IGNORE_COLLISIONS, none), (true, false));
    assert_eq!(walk(&plain, State::MISSILE, none), (true, false), "nothing collides with missiles");
    let ethereal = |body: &mut Fixture| body.body.state |= State::ETHEREAL;
    assert_eq!(walk(&ethereal, State::empty(), none), (true, true));
    assert_eq!(walk(&ethereal, State::STATIC, none), (false, false));
    let fearless = |body: &mut Fixture| body.flags = MoverFlags::IGNORE_CREATURES;
    assert_eq!(walk(&fearless, State::empty(), creature), (true, true));
    assert_eq!(walk(&fearless, State::empty(), none), (false, true));
    assert_eq!(walk(&plain, State::empty(), creature), (false, true));
}

/// 8.4: a missile passes through ethereal objects of the game without touching them.
#[test]
fn missiles_ignore_ethereal_objects_of_the_game() {
    let fly = |state: PhysicsState, flags: ObstacleFlags| {
        let mut other = TestObstacle::sphere([0.0, 0.0, 1.0], 0.48);
        (other.state, other.flags) = (state, flags);
        let mut shape = Shape::default();
        shape.set_spheres(&[Sphere { origin: Vec3::ZERO, radius: 0.1 }]);
        let mut dart = Fixture::new(level(), vec![other], shape, [-0.6, 0.0, 1.0]);
        dart.body.state = PhysicsState::MISSILE;
        dart.push([0.09, 0.0, 0.0]);
        (dart.at()[0] > -0.55, !dart.touched.is_empty())
    };
    let (scenery, thing) = (ObstacleFlags::empty(), ObstacleFlags::WEENIE);
    assert_eq!(fly(PhysicsState::empty(), thing), (false, true));
    assert_eq!(fly(PhysicsState::ETHEREAL, thing), (true, false));
    assert_eq!(fly(PhysicsState::ETHEREAL, scenery), (true, true));
    assert_eq!(fly(PhysicsState::MISSILE, thing), (true, false));
}

/// 1.3: an obstacle is recorded once, and no more than [`MAX_TOUCHES`] are.
#[test]
fn each_obstacle_is_touched_once_up_to_a_limit() {
    let touches = |count: u32, distinct: bool| {
        let obstacles = (0..count).map(|number| {
            let mut other = TestObstacle::sphere([0.0, 0.0, 0.48], 0.48);
            other.guid = Guid(OTHER.0 + if distinct { number } else { 0 });
            other.state = PhysicsState::ETHEREAL;
            other
        });
        let mut walker = Fixture::new(level(), obstacles.collect(), human(), [-1.0, 0.0, 0.005]).standing();
        assert!(walker.push(EAST));
        walker.touched.iter().map(|touch| touch.guid.0 - OTHER.0).collect::<Vec<_>>()
    };
    assert_eq!(touches(3, true), [0, 1, 2]);
    assert_eq!(touches(3, false), [0]);
    assert_eq!(touches(MAX_TOUCHES as u32 + 2, true).len(), MAX_TOUCHES);
}

/// 8.7: a restricted room has no normal to slide along. Players that may bypass restrictions enter, and so does everyone
/// else than players.
#[test]
fn a_restricted_room_keeps_players_out() {
    let guard = Guid(0x7000_0009);
    let enter = |flags: MoverFlags| {
        let mut back = room(BACK, &[east_of(0.0)], None, FRONT);
        back.restriction = Some(guard);
        let scene = scene_of([room(FRONT, &[west_of(0.0)], None, BACK), back]);
        let mut body = Fixture::new(scene, vec![], human(), [-0.6, 0.0, 1.0]);
        body.body.position = in_cell(FRONT, [-0.6, 0.0, 1.0]);
        body.flags = flags;
        let result = sweep(&body, [0.3, 0.0, 0.0], &[]);
        let arrival = result.arrival.unwrap();
        let x = arrival.position.frame.origin.x - ORIGIN.x;
        (x > -0.35, arrival.collision_normal, result.barrier)
    };
    let refused = (false, Some(UP), Some(Barrier::Guarded { cell: BACK, guard }));
    assert_eq!(enter(MoverFlags::IS_PLAYER), refused);
    assert_eq!(enter(MoverFlags::IS_PLAYER | MoverFlags::BYPASSES_RESTRICTIONS), (true, None, None));
    assert_eq!(enter(MoverFlags::empty()), (true, None, None));
}

/// 7.4: nothing that a room is made of can be passed through, whatever was tested before it.
#[test]
fn a_room_is_never_ethereal() {
    let scene = scene_of([room(FRONT, &[], block([0.0, -5.0, 0.0], [1.0, 5.0, 5.0]), UNLOADED)]);
    let shape = human();
    let mover = Mover::new(GUID, &shape, 1.0, PhysicsState::GRAVITY, MoverFlags::PATH_CLIPPED);
    let (from, to) = (in_cell(FRONT, [-0.6, 0.0, 1.0]), in_cell(FRONT, [-0.3, 0.0, 1.0]));
    let mut touched = Vec::new();
    let mut transition = Transition::for_sweep(&scene, &NoObstacles, &mover, &from, &to, &mut touched);
    transition.path_mut().obstruction_ethereal = true;
    assert!(transition.sweep());
    assert_eq!(transition.arrival().collision_normal, Some(WEST));
    assert!(!transition.path().obstruction_ethereal);
}

/// 6.5: the open sea is a wall, but not for missiles and cameras.
#[test]
fn the_open_sea_stops_walkers() {
    let mut builder = SceneBuilder::new(&[0.0; 256]);
    builder.add_land(0x7F7F, &[0; 81], &[Terrain::from_kind(17); 81]);
    let sea = builder.finish();
    let walker = Fixture::new(sea.clone(), vec![], human(), [-0.5, 0.0, 0.005]).standing();
    let result = sweep(&walker, EAST, &[]);
    assert_eq!(result.barrier, Some(Barrier::Sea(WEST_CELL)));
    assert_point(result.arrival.unwrap().position.frame.origin, [-0.5, 0.0, 0.005]);
    let mut dart = Fixture::new(sea.clone(), vec![], human(), [-0.5, 0.0, 1.0]);
    dart.body.state |= PhysicsState::MISSILE;
    let result = sweep(&dart, EAST, &[]);
    assert_eq!(result.barrier, None);
    assert_point(result.arrival.unwrap().position.frame.origin, [-0.4, 0.0, 1.0]);
    let at = |x: f32| moved(&walker.body.position, [x, 0.0, 1.5]);
    let view = sea.camera_view(&walker.body.position, &at(0.0), &at(-2.0), &NoObstacles);
    assert_point(view.eye.frame.origin, [-2.5, 0.0, 1.505]);
}

/// 7.5, 5.6.1: while a body is in a room, the solid inside of the building around it does not count. Anything else solid
/// does.
#[test]
fn the_shell_of_a_building_is_not_solid_inside() {
    let (scene, _) = collide_hamlet::hamlet();
    let shape = human();
    let mover = Mover::new(GUID, &shape, 1.0, PhysicsState::GRAVITY, MoverFlags::empty());
    // So near the door that the land outside is tested, and the building on it.
    let inside = collide_hamlet::HOUSE + Vec3::new(3.0, 0.3, 0.005);
    let place = |cell: u32, at: Vec3, obstacles: &[Obstacle<'_>]| {
        let at = CellPosition::at(CellId(cell), at);
        scene.place(&mover, &at, false, &ObstacleList(obstacles), &mut Vec::new())
    };
    let placed = place(collide_hamlet::ROOM, inside, &[]).expect("there is room in the doorway");
    assert!((placed.position.frame.origin - inside).length() < 1e-3, "{placed:?}");
    assert_eq!(placed.position.cell, CellId(collide_hamlet::ROOM));
    // A block in which the body is without touching its sides. It is tested after the shell.
    let mut crate_ = TestObstacle::block([-3.0; 3], [3.0; 3]);
    crate_.position = CellPosition::at(CellId(collide_hamlet::ROOM), inside);
    let refused = place(collide_hamlet::ROOM, inside, &[crate_.obstacle()]);
    assert!(matches!(refused, Err(PlacementError::NoRoom(_))), "{refused:?}");
}

/// 10.5: what a position that was refused touched is forgotten if the search goes on, and reported if it does not.
#[test]
fn a_search_for_a_place_forgets_what_it_touched() {
    let creature = TestObstacle::sphere([0.0, 0.0, 0.48], 0.48).into_creature();
    let body = Fixture::new(level(), vec![], human(), [0.2, 0.0, 0.005]);
    let mover = body.body.placement_mover(GUID, &body.shape, MoverFlags::empty());
    let place = |slide: bool| {
        let mut touched = Vec::new();
        let list = [creature.obstacle()];
        let placed = body.scene.place(&mover, &body.body.position, slide, &ObstacleList(&list), &mut touched);
        (placed, touched.len())
    };
    let (placed, touched) = place(true);
    let at = placed.expect("there is room beside it").position.frame.origin - ORIGIN;
    // On the first two rings nothing is free to the north; on the second ring, 0.89 m away, the first free probe is.
    assert!(at.x.hypot(at.y) > 0.96 && at.x.hypot(at.y) < 1.5, "{at:?}");
    assert_eq!(touched, 0);
    let (placed, touched) = place(false);
    assert!(matches!(placed, Err(PlacementError::NoRoom(_))));
    assert_eq!(touched, 1);
}

/// Something huge in every cell, and how often it was looked at.
struct Everywhere<'o>(Obstacle<'o>, Cell<u32>);

impl Obstacles for Everywhere<'_> {
    fn visit<'a>(&'a self, _cell: CellId, visitor: &mut dyn FnMut(&Obstacle<'a>) -> ControlFlow<()>) {
        self.1.set(self.1.get() + 1);
        let _ = visitor(&self.0);
    }
}

/// 10.5: a body of no size would search on for hours. The number of places that it tries is limited.
#[test]
fn the_search_for_a_place_ends() {
    let giant = TestObstacle::sphere([0.0; 3], 50.0);
    let mut shape = Shape::default();
    shape.set_spheres(&[Sphere { origin: Vec3::new(0.0, 0.0, 0.015), radius: 0.015 }]);
    let body = Fixture::new(level(), vec![], shape, [6.0, 0.0, 0.005]);
    let mover = body.body.placement_mover(GUID, &body.shape, MoverFlags::empty());
    let everywhere = Everywhere(giant.obstacle(), Cell::new(0));
    let placed = body.scene.place(&mover, &body.body.position, true, &everywhere, &mut Vec::new());
    assert!(matches!(placed, Err(PlacementError::NoRoom(_))));
    // At the wanted position, and then at 16,384 of the 56,000 around it.
    assert_eq!(everywhere.1.get(), 1 + acmotion::internals::collide::MAX_PROBES);
}

/// 1.2: a body of one sphere has no head anywhere, not even at the corner of the landblock.
#[test]
fn a_body_of_one_sphere_has_no_head() {
    let (scene, mut shape) = (level(), human());
    shape.set_spheres(&[Sphere { origin: Vec3::new(0.0, 0.0, 0.5), radius: 0.5 }]);
    let mover = Mover::new(GUID, &shape, 1.0, PhysicsState::GRAVITY, MoverFlags::empty());
    let at = moved(&CellPosition::at(EAST_CELL, ORIGIN), [6.0, 0.0, 3.0]);
    let mut touched = Vec::new();
    let mut transition = Transition::for_sweep(&scene, &NoObstacles, &mover, &at, &at, &mut touched);
    transition.path_mut().insert_type = InsertType::Placement;
    let ball = |origin| Sphere { origin, radius: 1.0 };
    assert_eq!(transition.test_sphere(&ball(Vec3::ZERO), false), TransitionState::Ok);
    assert_eq!(transition.test_sphere(&ball(at.frame.origin), false), TransitionState::Collided);
    let post = |origin| CylSphere { origin, radius: 1.0, height: 1.0 };
    assert_eq!(transition.test_cylinder(&post(Vec3::ZERO), Quat::IDENTITY), TransitionState::Ok);
    assert_eq!(transition.test_cylinder(&post(at.frame.origin), Quat::IDENTITY), TransitionState::Collided);
}

/// 8.3.7: a sphere that cannot be climbed, with its height, and the slide around it.
#[test]
fn the_record_of_a_sweep_tells_of_a_creature_in_the_way() {
    let creature = TestObstacle::sphere([0.0, 0.3, 0.48], 0.48).into_creature();
    let walker = Fixture::new(level(), vec![creature], human(), [-1.0, 0.0, 0.005]).standing();
    let trace = trace(&walker, EAST);
    let [step, SweepNote::Contact { barrier, normal: Some(normal), point, slid }] = trace.notes() else {
        panic!("{trace:?}")
    };
    let SweepNote::StepUp { climbed: false, rise: Some(rise), limit, blocked_by: None } = step else {
        panic!("{step:?}")
    };
    assert_near(*rise, 0.96);
    assert_eq!(*limit, 0.6);
    assert_eq!((*barrier, trace.result.barrier), (Barrier::Entity(OTHER), Some(Barrier::Entity(OTHER))));
    assert!((*normal - Vec3::new(-0.957_826, -0.287_348, 0.0)).length() < 1e-4, "{normal:?}");
    assert_near(*slid, 0.028_735);
    assert_near(trace.covered(), 0.028_735);
    assert_eq!(point.cell, WEST_CELL);
    assert_point(point.frame.origin, [-0.531_987, 0.110_404, 0.48]);
    assert!(trace.stood);
    assert_eq!((trace.from, trace.to), (walker.body.position, moved(&walker.body.position, EAST)));
}

/// 5.4.2, 5.4.3: the same of a cylinder.
#[test]
fn the_record_of_a_sweep_tells_of_a_post_in_the_way() {
    let post = TestObstacle::cylinder([0.0; 3], 0.3, 1.0);
    let walker = Fixture::new(level(), vec![post], human(), [-0.8, 0.0, 0.005]).standing();
    let trace = trace(&walker, [0.1, 0.05, 0.0]);
    let [step, SweepNote::Contact { normal: Some(normal), slid, .. }] = trace.notes() else {
        panic!("{trace:?}")
    };
    let SweepNote::StepUp { climbed: false, rise: Some(rise), blocked_by: None, .. } = step else {
        panic!("{step:?}")
    };
    assert_near(*rise, 1.0);
    assert_eq!(*normal, WEST);
    assert_near(*slid, 0.05);
}

/// 5.6.2, 5.2: a wall that is no step, and the slide along it.
#[test]
fn the_record_of_a_sweep_tells_of_a_wall() {
    let walker = Fixture::new(level(), vec![wall()], human(), [-0.5, 0.0, 0.005]).standing();
    let trace = trace(&walker, [0.1, 0.1, 0.0]);
    let [step, SweepNote::Contact { barrier, normal, point, slid }] = trace.notes() else {
        panic!("{trace:?}")
    };
    assert_eq!(*step, SweepNote::StepUp { climbed: false, rise: None, limit: 0.6, blocked_by: None });
    assert_eq!((*barrier, *normal), (Barrier::Entity(OTHER), Some(WEST)));
    assert_near(*slid, 0.1);
    assert_point(point.frame.origin, [-0.02, 0.1, 0.48]);
}

/// 4.1: a step that is climbed tells its height; one that is too high too; one with something on top does not.
#[test]
fn the_record_of_a_sweep_tells_how_high_a_step_is() {
    let step_up = |height: f32, obstacles: Vec<TestObstacle>| {
        let mut obstacles = obstacles;
        obstacles.push(TestObstacle::block([0.0, -6.0, 0.0], [8.0, 6.0, height]));
        let walker = Fixture::new(level(), obstacles, human(), [-0.5, 0.0, 0.005]).standing();
        let trace = trace(&walker, EAST);
        let found = trace.notes().iter().find_map(|note| match note {
            SweepNote::StepUp { climbed, rise, limit, .. } => Some((*climbed, *rise, *limit)),
            _ => None,
        });
        found.expect("it tries to climb")
    };
    let (climbed, rise, limit) = step_up(0.35, vec![]);
    assert_eq!((climbed, limit), (true, 0.6));
    assert_near(rise.unwrap(), 0.35);
    // Seen from the walker, whose origin is 5 mm above the ground.
    let (climbed, rise, _) = step_up(0.75, vec![]);
    assert!(!climbed);
    assert_near(rise.unwrap(), 0.745);
    let ceiling = TestObstacle::block([-2.0, -6.0, 1.9], [8.0, 6.0, 2.5]);
    let (climbed, rise, _) = step_up(0.35, vec![ceiling]);
    assert_eq!((climbed, rise), (false, None), "the step is not what is too high");
}

/// 4.5, 4.7: an edge is named with the cell of the walker.
#[test]
fn the_record_of_a_sweep_tells_of_an_edge() {
    let walker = Fixture::new(level(), vec![deck(3.0)], human(), [0.15, 0.0, 3.005]).standing();
    let trace = trace(&walker, [0.1, 0.05, 0.0]);
    let [SweepNote::Contact { barrier, normal, point, slid }] = trace.notes() else { panic!("{trace:?}") };
    assert_eq!((*barrier, *normal), (Barrier::Drop(EAST_CELL), Some(WEST)));
    assert_eq!(trace.result.barrier, Some(Barrier::Drop(EAST_CELL)));
    assert_near(*slid, 0.05);
    assert_point(point.frame.origin, [0.63, 0.05, 3.48]);
}

/// 4.6: a cliff, with the normal of the ground that is too steep and how far the body glides along its brink.
#[test]
fn the_record_of_a_sweep_tells_of_a_cliff() {
    let walker = Fixture::new(slopes(0.0, -50.0), vec![], human(), [-0.05, 0.0, 0.005]).standing();
    let trace = trace(&walker, [0.1, 0.05, 0.0]);
    let [SweepNote::Contact { barrier, normal: Some(normal), slid, .. }] = trace.notes() else {
        panic!("{trace:?}")
    };
    assert_eq!(
        (*barrier, trace.result.barrier),
        (Barrier::Slope(EAST_CELL), Some(Barrier::Slope(EAST_CELL)))
    );
    let (sin, cos) = libm::sincosf(50f32.to_radians());
    assert!((*normal - Vec3::new(sin, 0.0, cos)).length() < 1e-4, "{normal:?}");
    assert_near(*slid, 0.05);
}

/// 3.5.8.
#[test]
fn the_record_of_a_sweep_tells_of_a_step_down() {
    let walker = Fixture::new(level(), vec![deck(0.7)], human(), [0.35, 0.0, 0.705]).standing();
    let trace = trace(&walker, EAST);
    let [SweepNote::StepDown { drop }] = trace.notes() else { panic!("{trace:?}") };
    assert_near(*drop, 0.7);
}

/// 3.3, 3.4: a body that is pressed against what it slides along, and one that glides along it.
#[test]
fn the_record_of_a_sweep_tells_what_a_body_slides_along() {
    let mut walker = Fixture::new(level(), vec![wall()], human(), [-0.5, 0.0, 0.005]).standing();
    assert!(walker.push(EAST));
    walker.assert_slides([-1.0, 0.0, 0.0]);
    let pressed = trace(&walker, EAST);
    let [SweepNote::Pressed { normal }, SweepNote::StepUp { .. }, SweepNote::Contact { barrier, slid, .. }] =
        pressed.notes()
    else {
        panic!("{pressed:?}")
    };
    assert_eq!((*normal, *barrier, *slid), (WEST, Barrier::Entity(OTHER), 0.0));
    assert_eq!((pressed.covered(), pressed.result.arrival), (0.0, None));

    let glides = trace(&walker, [0.1, 0.02, 0.0]);
    let [SweepNote::Slide { barrier, normal, point, slid }] = glides.notes() else { panic!("{glides:?}") };
    assert_eq!((*barrier, *normal), (Some(Barrier::Entity(OTHER)), WEST));
    assert_near(*slid, 0.02);
    // Where the foot strikes the wall if it is moved 0.1 m into it.
    assert_point(point.frame.origin, [0.08, 0.0, 0.48]);
    // Away from the wall it does not slide.
    assert_eq!(trace(&walker, [-0.1, 0.02, 0.0]).notes(), []);
    // If the wall has gone, nothing is known but the normal.
    walker.obstacles.clear();
    let gone = trace(&walker, [0.1, 0.02, 0.0]);
    let [SweepNote::Slide { barrier: None, point, .. }] = gone.notes() else { panic!("{gone:?}") };
    assert_eq!(*point, walker.body.position);
}

/// 5.6.1.7, 5.8: the normal of what a flying body runs into, by its foot or by its head.
#[test]
fn the_record_of_a_sweep_tells_what_a_flying_body_hits() {
    let beam = TestObstacle::block([0.0, -5.0, 2.2], [1.0, 5.0, 2.4]);
    for obstacle in [wall(), beam] {
        let flying = Fixture::new(level(), vec![obstacle], human(), [-0.5, 0.0, 1.0]);
        let trace = trace(&flying, [0.1, 0.03, 0.0]);
        let [SweepNote::Contact { barrier, normal, slid, .. }] = trace.notes() else { panic!("{trace:?}") };
        assert_eq!((*barrier, *normal, *slid), (Barrier::Entity(OTHER), Some(WEST), 0.0));
        assert!(!trace.stood);
    }
}

/// The record of a sweep over one plane knows no obstacles, only slopes.
#[test]
fn the_record_of_a_sweep_over_a_plane_tells_of_its_slope() {
    let from = CellPosition::at(EAST_CELL, ORIGIN + Vec3::new(6.0, 0.0, 0.005));
    let (sin, cos) = libm::sincosf(60f32.to_radians());
    let steep = InfinitePlane::through(&moved(&from, [0.0, 0.0, -0.005]), Vec3::new(-sin, 0.0, cos)).unwrap();
    let walker = Fixture::new(level(), vec![], human(), [6.0, 0.0, 0.005]).standing();
    let mover = walker.body.mover(GUID, &walker.shape, MoverFlags::empty());
    let trace = steep.trace_sweep(&mover, &from, &moved(&from, EAST), &NoObstacles).unwrap();
    assert_eq!(trace.result.barrier, Some(Barrier::Slope(EAST_CELL)));
    let is_slope = |note: &SweepNote| {
        matches!(note, SweepNote::Contact { barrier: Barrier::Slope(_), normal: Some(_), .. })
    };
    assert!(!trace.notes().is_empty() && trace.notes().iter().all(is_slope), "{trace:?}");
}

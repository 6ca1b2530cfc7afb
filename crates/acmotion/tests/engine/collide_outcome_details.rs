//! Details of what a sweep and a placement leave behind, one test for each (`docs/collision.md` 1 to 5, 10): polygons that are
//! named, bodies that get lost, falls that are stopped, and what a search for a place forgets.

use crate::collide_fixture;

use std::cell::{Cell, RefCell};
use std::ops::ControlFlow;

use acmotion::Barrier;
use acmotion::components::PhysicsState;
use acmotion::dat::builder::{MeshFace, MeshKind};
use acmotion::dat::{DataId, Sphere, Terrain};
use acmotion::internals::collide::scene::{place_inspected, sweep_inspected};
use acmotion::internals::collide::{CollisionInfo, SubStepPlan};
use acmotion::scene::{
    Building, Contact, Mover, MoverFlags, NoObstacles, Obstacle, ObstacleFlags, ObstacleList, Obstacles,
    PlacementError, Plane, Scene, SceneBuilder, SearchCylinder, Shape, Surroundings, Touch,
};
use acmotion::types::{CellId, CellPosition, Guid, Vec3};
use collide_fixture::rooms::{FRONT, PAINT, UNLOADED, block, floor, in_cell, mesh, room, scene_of, west_of};
use collide_fixture::{Fixture, GUID, ORIGIN, TestObstacle, UP, human, level};

const EAST: [f32; 3] = [0.1, 0.0, 0.0];
const WEST: Vec3 = Vec3::new(-1.0, 0.0, 0.0);
const WEST_CELL: CellId = CellId(0x7F7F_001D);
const EAST_CELL: CellId = CellId(0x7F7F_0025);

fn moved(position: &CellPosition, by: [f32; 3]) -> CellPosition {
    let mut moved = *position;
    moved.frame.origin += Vec3::from(by);
    moved
}

/// An upright square in the plane x = 0 between two heights that faces west.
fn wall(low: f32, high: f32) -> MeshFace {
    let corners = [[0.0, -3.0, low], [0.0, -3.0, high], [0.0, 3.0, high], [0.0, 3.0, low]];
    MeshFace::new(PAINT, corners.map(Vec3::from).to_vec())
}

/// A body before a wall or a beam.
fn before(scene: &Scene, cell: CellId, at: [f32; 3], change: impl FnOnce(&mut Fixture)) -> Option<Barrier> {
    let mut body = Fixture::new(scene.clone(), vec![], human(), at);
    body.body.position = CellPosition::at(cell, ORIGIN + Vec3::from(at));
    change(&mut body);
    let mover = body.body.mover(GUID, &body.shape, MoverFlags::empty());
    let (from, to) = (body.body.position, moved(&body.body.position, EAST));
    scene.sweep(&mover, &from, &to, &NoObstacles, &mut Vec::new()).barrier
}

fn stand(body: &mut Fixture) {
    let taken = std::mem::replace(body, Fixture::new(level(), vec![], human(), [0.0; 3]));
    *body = taken.standing();
}

fn fly(body: &mut Fixture) {
    body.body.state |= PhysicsState::MISSILE;
}

/// 5.6.1: the polygon of a room that is in the way is named, whichever sphere hits it and however the body moves.
#[test]
fn the_polygon_in_the_way_is_named() {
    // The floor, a wall, and a lintel that only a head hits.
    let faces = |blocked: MeshFace| [floor(-3.0, 3.0, 0.0), floor(-3.0, 3.0, -9.0), blocked];
    let scene = |blocked| scene_of([room(FRONT, &[], mesh(&faces(blocked), MeshKind::Open), UNLOADED)]);
    let named = Some(Barrier::Room { cell: FRONT, polygon: Some(2) });
    let (at_foot, at_head) = (scene(wall(0.0, 2.0)), scene(wall(1.3, 1.7)));
    assert_eq!(before(&at_foot, FRONT, [-0.5, 0.0, 0.005], stand), named, "the foot of a walker");
    assert_eq!(before(&at_head, FRONT, [-0.5, 0.0, 0.005], stand), named, "its head");
    assert_eq!(before(&at_foot, FRONT, [-0.5, 0.0, 0.2], |_| ()), named, "the foot of a flying body");
    assert_eq!(before(&at_head, FRONT, [-0.5, 0.0, 0.2], |_| ()), named, "its head");
    assert_eq!(before(&at_foot, FRONT, [-0.5, 0.0, 0.2], fly), named, "a missile");
    assert_eq!(before(&at_head, FRONT, [-0.5, 0.0, 0.2], fly), None, "which has no head");
    assert_eq!(before(&at_foot, FRONT, [-1.5, 0.0, 0.005], stand), None, "out of reach");
    // 5.7: from behind, a walker that moves away from it.
    let behind = |low, high| MeshFace::flipped(wall(low, high));
    assert_eq!(before(&scene(behind(0.0, 2.0)), FRONT, [-0.5, 0.0, 0.005], stand), named);
    assert_eq!(before(&scene(behind(1.3, 1.7)), FRONT, [-0.5, 0.0, 0.005], stand), named);
}

/// 7.5: the same of a building, with its model and the cell that it stands on.
#[test]
fn the_polygon_of_a_building_is_named() {
    let mut builder = SceneBuilder::new(&[0.0; 256]);
    builder.add_land(0x7F7F, &[0; 81], &[Terrain(0); 81]);
    let model = Some(DataId(0x0100_0001));
    let solid = mesh(&[floor(-3.0, 3.0, -9.0), wall(0.0, 2.0)], MeshKind::Open);
    let position = CellPosition::at(EAST_CELL, ORIGIN);
    let building = Building { position, model, solid, scale: 1.0, portals: vec![], visible: vec![] };
    builder.add_building(EAST_CELL, building).unwrap();
    let scene = builder.finish();
    let named = Some(Barrier::Building { cell: EAST_CELL, model, polygon: Some(1) });
    assert_eq!(before(&scene, WEST_CELL, [-0.5, 0.0, 0.005], stand), named);
    assert_eq!(before(&scene, WEST_CELL, [-0.5, 0.0, 0.2], |_| ()), named);
    assert_eq!(before(&scene, WEST_CELL, [-1.0, 0.0, 0.005], stand), None);
}

/// 7.4, 7.5: a body in the air that hits a room or a building has hit the environment, a walker has not.
#[test]
fn a_flying_body_hits_the_environment() {
    let solid = mesh(&[floor(-3.0, 3.0, 0.0), wall(0.0, 2.0)], MeshKind::Open);
    let scene = scene_of([room(FRONT, &[], solid, UNLOADED)]);
    let hits = |z: f32, stands: bool| {
        let mut body = Fixture::new(scene.clone(), vec![], human(), [-0.5, 0.0, z]);
        body.body.position = in_cell(FRONT, [-0.5, 0.0, z]);
        if stands {
            stand(&mut body);
        }
        body.push([0.1, 0.05, 0.0]);
        body.last.unwrap().collided_with_environment
    };
    assert!(hits(0.2, false) && !hits(0.005, true));
}

/// 3.7.4: a body that leaves all cells that are loaded is lost where it is; its sweep goes on without collisions.
#[test]
fn a_body_that_leaves_the_loaded_land_is_lost() {
    let mut walker = Fixture::new(level(), vec![], human(), [95.5, 0.0, 0.005]).standing();
    assert!(walker.push([1.2, 0.0, 0.0]));
    let arrival = walker.last.unwrap();
    assert!(!arrival.in_cell && !arrival.has_contact);
    assert_eq!(arrival.position.cell, CellId(0x807F_0005));
    let Vec3 { x, z, .. } = arrival.position.frame.origin;
    assert!((x - 0.7).abs() < 1e-3 && z == 0.005, "{arrival:?}");
    // Indoors it keeps the id of the room that it was in.
    let scene = scene_of([room(FRONT, &[west_of(0.0)], None, UNLOADED)]);
    let mut body = Fixture::new(scene, vec![], human(), [-0.2, 0.0, 1.0]);
    body.body.position = in_cell(FRONT, [-0.2, 0.0, 1.0]);
    assert!(body.push([0.4, 0.0, 0.0]));
    let arrival = body.last.unwrap();
    assert_eq!((arrival.in_cell, arrival.position.cell), (false, FRONT));
    assert!((arrival.position.frame.origin.x - ORIGIN.x - 0.2).abs() < 1e-3);
    // 3.7.4: off the map there is not even a position.
    let mut builder = SceneBuilder::new(&[0.0; 256]);
    builder.add_land(0x0000, &[0; 81], &[Terrain(0); 81]);
    let corner = builder.finish();
    let mut walker = Fixture::new(corner.clone(), vec![], human(), [0.0, 0.0, 0.005]);
    walker.body.position = CellPosition::at(CellId(0x0000_0001), Vec3::new(0.3, 12.0, 0.005));
    stand(&mut walker);
    let mover = walker.body.mover(GUID, &walker.shape, MoverFlags::empty());
    let from = walker.body.position;
    let result = corner.sweep(&mover, &from, &moved(&from, [-0.4, 0.0, 0.0]), &NoObstacles, &mut Vec::new());
    assert_eq!(result.barrier, Some(Barrier::NoCell));
    assert_eq!(result.arrival.unwrap().position.frame.origin.x, 0.3);
}

/// 3.9.2: after a refused sub-step the cells are those of the position that the body is back at.
#[test]
fn a_refused_step_reaches_into_no_other_cell() {
    let wall = TestObstacle::of_faces(&[wall(0.0, 3.0)], MeshKind::Open);
    let cells = |obstacles: &[Obstacle<'_>]| {
        let walker = Fixture::new(level(), vec![], human(), [-0.5, 0.0, 0.005]).standing();
        let mover = walker.body.mover(GUID, &walker.shape, MoverFlags::empty());
        let (from, to) = (walker.body.position, moved(&walker.body.position, EAST));
        let mut cells = Vec::new();
        sweep_inspected(
            &walker.scene,
            &mover,
            [&from, &to],
            &ObstacleList(obstacles),
            &mut Vec::new(),
            |t| {
                cells = t.cells().iter().collect();
            },
        );
        cells
    };
    assert_eq!(cells(&[]), [WEST_CELL, EAST_CELL]);
    assert_eq!(cells(&[wall.obstacle()]), [WEST_CELL]);
}

/// 3.9.5: at the third stop in a row, a body is given a floor under its foot. In the air that counts as hitting the
/// environment.
#[test]
fn a_fall_that_is_stopped_three_times_ends_on_a_floor() {
    let mut door = TestObstacle::of_faces(&[wall(0.0, 3.0)], MeshKind::Open);
    door.state -= PhysicsState::STATIC;
    let body = Fixture::new(level(), vec![], human(), [-0.5, 0.0, 1.0]);
    let stop = |stopped: u8, state: PhysicsState| {
        let mover = Mover {
            frames_stationary_fall: stopped,
            ..Mover::new(GUID, &body.shape, 1.0, state, MoverFlags::empty())
        };
        let (from, to) = (body.body.position, moved(&body.body.position, EAST));
        let list = [door.obstacle()];
        body.scene.sweep(&mover, &from, &to, &ObstacleList(&list), &mut Vec::new()).arrival.unwrap()
    };
    for stopped in [0, 1] {
        let arrival = stop(stopped, PhysicsState::GRAVITY);
        assert_eq!((arrival.frames_stationary_fall, arrival.has_contact), (stopped + 1, false));
        assert_eq!((arrival.collision_normal, arrival.collided_with_environment), (Some(WEST), false));
    }
    for stopped in [2, 3] {
        let arrival = stop(stopped, PhysicsState::GRAVITY);
        assert_eq!((arrival.frames_stationary_fall, arrival.has_contact), (3, true));
        assert_eq!((arrival.collision_normal, arrival.collided_with_environment), (Some(UP), true));
        // The centre of the foot is at 1.475 m, its radius 0.48 m.
        let Contact { plane, cell, is_water } = arrival.contact;
        assert!(plane.normal == UP && (plane.d + 0.995).abs() < 1e-4, "{plane:?}");
        assert_eq!((cell, is_water), (WEST_CELL, false));
        // 3.9.4 comes before: the body slides along the door.
        assert_eq!((arrival.is_sliding, arrival.sliding_normal), (true, WEST));
    }
    let floating = stop(2, PhysicsState::empty());
    assert_eq!(
        (floating.frames_stationary_fall, floating.has_contact),
        (2, false),
        "without gravity none counts"
    );
}

/// 1.3, 10.5: a search for a place forgets everything that it found at the places before.
#[test]
fn a_search_for_a_place_starts_afresh_each_time() {
    let giant = TestObstacle::sphere([0.0; 3], 50.0);
    let body = Fixture::new(level(), vec![], human(), [6.0, 0.0, -0.5]);
    let contact = Some(Contact { plane: Plane::new(UP, 0.0), cell: EAST_CELL, is_water: true });
    let mover = Mover {
        contact,
        last_known: contact,
        sliding_normal: Some(WEST),
        frames_stationary_fall: 2,
        ..Mover::new(GUID, &body.shape, 1.0, PhysicsState::GRAVITY, MoverFlags::empty())
    };
    let place = |slide: bool| {
        let mut info = CollisionInfo::default();
        let list = [giant.obstacle()];
        let at = (&body.body.position, slide);
        let placed =
            place_inspected(&body.scene, &mover, at, &ObstacleList(&list), &mut Vec::new(), |transition| {
                info = *transition.info();
            });
        assert!(matches!(placed, Err(PlacementError::NoRoom(_))), "{placed:?}");
        info
    };
    let searched = place(true);
    assert!(!searched.contact_valid && !searched.last_known_valid && !searched.sliding_valid);
    assert!(!searched.collision_valid && !searched.collided_with_environment);
    assert_eq!((searched.contact.cell, searched.contact.is_water), (CellId::NONE, false));
    assert_eq!(searched.frames_stationary_fall, 0);
    let refused = place(false);
    assert!(refused.last_known_valid && refused.collision_valid && refused.collided_with_environment);
    assert_eq!((refused.contact_valid, refused.contact.cell), (true, EAST_CELL));
    assert_eq!(refused.frames_stationary_fall, 2);
}

/// 10.3: the tolerance of a placement without sliding, to the north and to the south.
#[test]
fn the_tolerance_of_a_placement_is_signed_to_the_north_too() {
    let scene = scene_of([room(FRONT, &[], block([-9.0, -2.0, -9.0], [9.0, 2.0, 9.0]), UNLOADED)]);
    let shape = human();
    let mover = Mover::new(GUID, &shape, 1.0, PhysicsState::GRAVITY, MoverFlags::empty());
    let place = |y: f32, slide: bool| {
        let at = in_cell(FRONT, [0.0, y, 0.0]);
        let placed = scene.place(&mover, &at, slide, &NoObstacles, &mut Vec::new());
        placed.ok().map(|arrival| arrival.position.frame.origin.y - ORIGIN.y)
    };
    assert!(place(-1.9, false).is_some_and(|y| y < -2.4));
    assert_eq!(place(1.9, false), None);
    assert!(place(1.9, true).is_some_and(|y| y > 2.4));
}

/// 10.4: missiles are not set down on the ground.
#[test]
fn a_missile_is_placed_in_the_air() {
    let shape = human();
    let place = |state: PhysicsState| {
        let mover = Mover::new(GUID, &shape, 1.0, state, MoverFlags::empty());
        let at = CellPosition::at(EAST_CELL, ORIGIN + Vec3::new(6.0, 0.0, 0.5));
        let arrival = level().place(&mover, &at, true, &NoObstacles, &mut Vec::new()).unwrap();
        (arrival.has_contact, arrival.position.frame.origin.z)
    };
    assert_eq!(place(PhysicsState::GRAVITY | PhysicsState::MISSILE), (false, 0.5));
    let (stands, z) = place(PhysicsState::GRAVITY);
    assert!(stands && (z - 0.005).abs() < 1e-3, "{z}");
}

/// 2.4, 0.1: a body without spheres is placed as one of 0.1 m, and is not scaled.
#[test]
fn a_body_without_spheres_is_placed_as_a_small_one() {
    let mut shape = Shape::default();
    shape.step_down = 0.3;
    let post = TestObstacle::cylinder([6.3, 0.0, 0.0], 0.25, 2.0);
    let place = |x: f32, scale: f32| {
        let mover = Mover::new(GUID, &shape, scale, PhysicsState::GRAVITY, MoverFlags::empty());
        let at = CellPosition::at(EAST_CELL, ORIGIN + Vec3::new(x, 0.0, -0.05));
        let list = [post.obstacle()];
        let placed = level().place(&mover, &at, false, &ObstacleList(&list), &mut Vec::new());
        placed.ok().map(|arrival| (arrival.has_contact, (arrival.position.frame.origin.z * 1000.0).round()))
    };
    assert_eq!(place(5.94, 1.0), Some((true, 0.0)), "0.36 m from the axis");
    assert_eq!(place(5.94, 3.0), Some((true, 0.0)));
    assert_eq!(place(5.96, 1.0), None, "0.34 m from the axis");
}

/// What was touched before a sweep is not touched by it.
#[test]
fn a_sweep_forgets_what_was_touched_before() {
    let stale = || vec![Touch { guid: Guid(1), state: PhysicsState::empty(), flags: ObstacleFlags::empty() }];
    // On open land, in one go, and past something that is out of reach, in full.
    let post = TestObstacle::cylinder([0.9, 0.0, 0.0], 0.25, 2.0);
    for obstacles in [vec![], vec![post]] {
        let mut walker = Fixture::new(level(), obstacles, human(), [-6.0, 0.0, 0.005]).standing();
        walker.touched = stale();
        assert!(walker.push(EAST));
        assert_eq!(walker.touched, []);
    }
}

/// Records the reach of a mover at every test.
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

/// 1.4, 3.9.3: an accepted sub-step ends with the spheres where the body has turned to.
#[test]
fn the_spheres_follow_a_turn_after_each_sub_step() {
    let mut shape = human();
    shape.set_spheres(&[Sphere { origin: Vec3::new(0.6, 0.0, 0.5), radius: 0.3 }]);
    let body = Fixture::new(level(), vec![], shape, [6.0, 0.0, 5.0]);
    let mover = body.body.mover(GUID, &body.shape, MoverFlags::empty());
    // Two sub-steps of 0.25 m, each with a turn by 60 degrees.
    let mut to = moved(&body.body.position, [0.0, 0.5, 0.0]);
    to.frame.set_heading(120.0);
    let reaches = Reaches::default();
    body.scene.sweep(&mover, &body.body.position, &to, &reaches, &mut Vec::new());
    let centres: Vec<Vec3> = reaches.0.into_inner().iter().map(|reach| reach.centre - ORIGIN).collect();
    let [first, second] = centres[..] else { panic!("{centres:?}") };
    assert!((first - Vec3::new(6.6, 0.25, 5.5)).length() < 1e-3, "{first:?}");
    // 0.6 m to the right of a body that faces 60 degrees.
    assert!((second - Vec3::new(6.3, 0.5 - 0.519_6, 5.5)).length() < 1e-3, "{second:?}");
}

/// 3.2: bodies without a size are moved in one step, cameras without one not at all.
#[test]
fn a_body_without_a_size_moves_in_one_step() {
    let plan = |length: f32, radius: f32, is_viewer: bool| {
        SubStepPlan::new(Vec3::new(length, 0.0, 0.0), radius, is_viewer).map(|plan| (plan.count, plan.step.x))
    };
    assert_eq!(plan(0.5, 0.0, false), Some((1, 0.5)));
    assert_eq!(plan(0.5, -1.0, false), Some((1, 0.5)));
    assert_eq!(plan(0.5, 0.0, true), Some((0, 0.5)));
    assert_eq!(plan(0.0, 0.5, false), Some((0, 0.0)));
    assert_eq!(plan(0.5, 1e-9, false), None);
    // The steps of a camera are one radius long, the last is what is left.
    let camera = SubStepPlan::new(Vec3::new(0.0, 1.0, 0.0), 0.3, true).unwrap();
    assert_eq!(camera.count, 4);
    assert!((camera.step.y - 0.3).abs() < 1e-6 && (camera.last_step.y - 0.1).abs() < 1e-6, "{camera:?}");
}

//! Details of the collision rules that show only in special situations, one test for each (`docs/collision.md`).

use crate::collide_fixture;

use std::cell::{Cell, RefCell};
use std::ops::ControlFlow;
use std::sync::Arc;

use acmotion::components::{PhysicsState, TransientState};
use acmotion::dat::builder::{self, MeshFace, MeshKind};
use acmotion::dat::{BspKind, BspLeaf, BspNode, BspTree, DataId, PlaneNode, Sphere, Terrain};
use acmotion::scene::geometry::Solid;
use acmotion::scene::{
    Building, BuildingPortal, CellArray, MoverFlags, NoObstacles, Obstacle, ObstacleFlags, Obstacles,
    PlacementError, Plane, Portal, Scene, SceneBuilder, SearchCylinder, Surroundings,
};
use acmotion::types::{CellId, CellPosition, Guid, Vec3};
use collide_fixture::rooms::{
    BACK, FRONT, PAINT, UNLOADED, block, east_of, floor, in_cell, mesh, room, scene_of, west_of,
};
use collide_fixture::{Fixture, GUID, ORIGIN, TestObstacle, UP, human, level, short_legged};

const EAST: [f32; 3] = [0.1, 0.0, 0.0];

/// A body in a room.
fn inside(scene: Scene, cell: CellId, at: [f32; 3]) -> Fixture {
    let mut fixture = Fixture::new(scene, vec![], human(), at);
    fixture.body.position = in_cell(cell, at);
    fixture
}

/// 3.5.4: an airborne body that fails to land on what it hit, but has a last known plane, loses its velocity.
#[test]
fn a_jump_into_a_wall_from_the_ground_is_stopped() {
    let wall = || TestObstacle::block([0.0, -5.0, 0.0], [1.0, 5.0, 5.0]);
    let jump = |fixture: Fixture| {
        let mut fixture = fixture.falling([1.0, 0.0, 3.0]);
        fixture.push([0.1, 0.0, 0.1]);
        fixture.body.velocity
    };
    let on_ground = Fixture::new(level(), vec![wall()], human(), [-0.5, 0.0, 0.005]).standing();
    assert_eq!(jump(on_ground), Vec3::ZERO, "it moves off a plane that it knew");
    let in_air = Fixture::new(level(), vec![wall()], human(), [-0.5, 0.0, 1.0]);
    assert!(jump(in_air).z > 2.9, "without one it only bounces off the wall");
}

/// 3.7.4: a step down that leads out of all cells is no step. The lower floor is within a step, but not in the room.
#[test]
fn a_step_down_out_of_all_cells_fails() {
    let walk = |lowest: f32| {
        let floors = [floor(-3.0, 0.0, 0.0), floor(0.0, 3.0, -0.3)];
        let inside_of = [Plane::new(UP, -lowest)];
        let scene = scene_of([room(FRONT, &inside_of, mesh(&floors, MeshKind::Open), UNLOADED)]);
        let mut walker = inside(scene, FRONT, [-0.6, 0.0, 0.005]).standing();
        walker.shape = short_legged();
        for _ in 0..12 {
            walker.push(EAST);
            assert!(walker.last.is_none_or(|arrival| arrival.in_cell), "never lost: {:?}", walker.at());
        }
        walker
    };
    let lower = walk(-5.0);
    assert!(lower.at()[0] > 0.3 && lower.at()[2] < -0.2, "a room that reaches down: {:?}", lower.at());
    let edge = walk(0.2);
    assert!(edge.at()[0] < 0.45 && edge.at()[2] > -0.1, "it stays on the edge: {:?}", edge.at());
}

/// A guard that lets no player in.
struct Closed;

impl Obstacles for Closed {
    fn visit<'a>(&'a self, _cell: CellId, _visitor: &mut dyn FnMut(&Obstacle<'a>) -> ControlFlow<()>) {}
}

/// 8.7: the border of a restricted land cell is a wall that faces the side from which the player comes.
#[test]
fn restricted_land_is_a_wall_on_each_side() {
    let mut builder = SceneBuilder::new(&[0.0; 256]);
    builder.add_land(0x7F7F, &[0; 81], &[Terrain(0); 81]);
    // From (96, 96) to (120, 120).
    builder.set_restriction(CellId(0x7F7F_0025), Guid(1));
    let scene = builder.finish();
    let normal = |at: [f32; 2], by: [f32; 2]| {
        let position = CellPosition::at(CellId(0x7F7F_0001), Vec3::new(at[0], at[1], 0.005));
        let mut walker = Fixture::new(scene.clone(), vec![], human(), [0.0, 0.0, 0.005]).standing();
        walker.body.position = position.adjusted_to_outside().unwrap();
        let mover = walker.body.mover(GUID, &walker.shape, MoverFlags::IS_PLAYER);
        let mut to = walker.body.position;
        to.frame.origin += Vec3::new(by[0], by[1], 0.0);
        let sweep = scene.sweep(&mover, &walker.body.position, &to, &Closed, &mut Vec::new());
        sweep.arrival.unwrap().collision_normal.map(<[f32; 3]>::from)
    };
    assert_eq!(normal([108.0, 95.4], [0.0, 0.3]), Some([0.0, -1.0, 0.0]), "from the south");
    assert_eq!(normal([108.0, 120.6], [0.0, -0.3]), Some([0.0, 1.0, 0.0]), "from the north");
    assert_eq!(normal([95.4, 108.0], [0.3, 0.0]), Some([-1.0, 0.0, 0.0]), "from the west");
    assert_eq!(normal([120.6, 108.0], [-0.3, 0.0]), Some([1.0, 0.0, 0.0]), "from the east");
    assert_eq!(
        normal([95.4, 95.4], [0.3, 0.3]),
        Some([0.0, -1.0, 0.0]),
        "at a corner, south comes before west"
    );
}

/// 5.3.8: the larger root of a landing sweep is replaced if it exceeds 1, before it is divided by the square of the
/// displacement. A large body that sinks deep into a sphere in one long sub-step is therefore refused and bounces, as in
/// the original; at a lower speed it lands.
#[test]
fn a_large_body_that_sinks_deep_into_a_sphere_bounces() {
    let fall = |speed: f32| {
        let ball = TestObstacle::sphere([0.0, 0.0, 2.0], 2.0);
        let mut giant = Fixture::new(level(), vec![ball], human(), [0.0, 0.0, 4.2]);
        giant.body.set_scale(3.0);
        let mut giant = giant.falling([0.0, 0.0, speed]);
        giant.fall();
        (giant.body.is_standing(), giant.at()[2], giant.body.velocity.z)
    };
    // The spheres touch at a height of 4.015 m. 1.44 m is the longest sub-step of this body.
    let (stands, height, _) = fall(-20.0);
    assert!(stands && (height - 4.015).abs() < 1e-3, "a root of 0.33: {height}");
    let (stands, height, velocity) = fall(-36.0);
    assert!(!stands && height == 4.2 && velocity > 1.0, "a root of 1.2: {height}, {velocity}");
}

/// 8.2: an obstacle that is attached to another is passed through, wherever it is listed.
#[test]
fn an_attached_obstacle_does_not_block() {
    let walk = |flags: ObstacleFlags| {
        let mut other = TestObstacle::sphere([0.0, 0.0, 0.475], 0.48).into_creature();
        other.flags |= flags;
        let mut walker = Fixture::new(level(), vec![other], human(), [-1.2, 0.0, 0.005]).standing();
        for _ in 0..24 {
            walker.push(EAST);
        }
        (walker.at()[0] > 1.0, walker.reports)
    };
    assert_eq!(walk(ObstacleFlags::PARENTED), (true, vec![]));
    assert_eq!(walk(ObstacleFlags::empty()), (false, vec!["touch"]));
}

/// Places a body in a room without sliding, or with it. Returns where it is, `None` if it was refused.
fn place(scene: &Scene, cell: CellId, x: f32, slide: bool) -> Option<[f32; 3]> {
    let shape = human();
    let body = acmotion::components::Body::new(CellPosition::default());
    let mover = body.placement_mover(GUID, &shape, MoverFlags::empty());
    match scene.place(&mover, &in_cell(cell, [x, 0.0, 0.0]), slide, &NoObstacles, &mut Vec::new()) {
        Ok(arrival) => Some((arrival.position.frame.origin - ORIGIN).into()),
        Err(PlacementError::NoRoom(_)) => None,
        Err(PlacementError::NoCell) => panic!("there is a cell"),
    }
}

/// 10.3: without sliding, a body may be pushed any distance to the west and south, but only 0.05 m to the east and
/// north, and not into another cell.
#[test]
fn the_tolerance_of_a_placement_is_signed() {
    let scene = scene_of([room(FRONT, &[], block([-2.0, -9.0, -9.0], [2.0, 9.0, 9.0]), UNLOADED)]);
    let pushed_west = place(&scene, FRONT, -1.9, false).expect("pushed to the west");
    assert!(pushed_west[0] < -2.4, "{pushed_west:?}");
    assert_eq!(place(&scene, FRONT, 1.9, false), None, "it would be pushed to the east");
    assert!(place(&scene, FRONT, 1.9, true).expect("with sliding")[0] > 2.4);

    let solid = block([-2.0, -9.0, -9.0], [2.0, 9.0, 9.0]);
    let two = scene_of([
        room(FRONT, &[east_of(-2.2)], solid.clone(), BACK),
        room(BACK, &[west_of(-2.2)], None, FRONT),
    ]);
    assert_eq!(place(&two, FRONT, -1.9, false), None, "it would be pushed into the other room");
    assert!(place(&two, FRONT, -1.9, true).expect("with sliding")[0] < -2.4);
}

/// 10.4.2: a body that is pushed out of the walls of another room is tested once more.
#[test]
fn a_placement_is_retried_after_a_push() {
    let scene = scene_of([
        room(FRONT, &[west_of(0.0)], None, BACK),
        room(BACK, &[east_of(0.0)], block([-0.4, -9.0, -9.0], [3.0, 9.0, 9.0]), FRONT),
    ]);
    let pushed = place(&scene, FRONT, -0.2, false).expect("pushed to the west, then free");
    assert!((pushed[0] + 0.88).abs() < 0.02, "{pushed:?}");
}

/// A square across the x axis. It faces west, or else east.
fn upright(x: f32, faces_west: bool) -> MeshFace {
    let mut corners = [[x, -9.0, -9.0], [x, -9.0, 9.0], [x, 9.0, 9.0], [x, 9.0, -9.0]].map(Vec3::from);
    if !faces_west {
        corners.reverse();
    }
    MeshFace::new(PAINT, corners.to_vec())
}

/// A solid leaf in front of the plane x = 0.5 and an open one behind it, each with one polygon.
fn split_solid(front: MeshFace, back: MeshFace) -> Option<Arc<Solid>> {
    let sphere = Sphere { origin: Vec3::ZERO, radius: 100.0 };
    let leaf =
        |is_solid, key| BspNode::Leaf(BspLeaf { index: 0, physics: Some((is_solid, sphere, vec![key])) });
    let root = BspNode::Plane(PlaneNode {
        tag: 0x4250_494E,
        normal: Vec3::new(1.0, 0.0, 0.0),
        distance: -0.5,
        positive: Some(1),
        negative: Some(2),
        sphere: Some(sphere),
        polygons: vec![],
        portals: vec![],
    });
    let mut mesh = builder::gfx_obj(DataId(0x0100_0001), &[front, back], MeshKind::Closed);
    if let Some(physics) = &mut mesh.physics {
        physics.bsp = BspTree { kind: BspKind::Physics, nodes: vec![root, leaf(1, 0), leaf(0, 1)] };
    }
    Some(Arc::new(Solid::from_gfx_obj(&mesh).unwrap()))
}

/// 5.6.8: the radius of the search is doubled in a solid leaf without a polygon near, and is that of the foot again after
/// a push.
#[test]
fn a_push_resets_the_radius_of_the_search() {
    // At x = 1.2 the foot is 0.7 m in front of the root: only a search with twice its radius visits the back leaf, where
    // it finds the polygon at 0.9. It is pushed 0.96 m to the west of it, to −0.06, which is 0.56 m behind the root: a
    // search with its own radius does not visit the front leaf again, with a polygon within reach.
    let solid = split_solid(upright(-0.3, false), upright(0.9, true));
    let scene = scene_of([room(FRONT, &[], solid, UNLOADED)]);
    let pushed = place(&scene, FRONT, 1.2, false).expect("free to the west");
    assert!((pushed[0] + 0.06).abs() < 1e-3, "{pushed:?}");
}

/// 2.8: indoors the camera starts in the cell of its pivot; outdoors, and if that is in none, in the body's.
#[test]
fn the_camera_starts_in_the_cell_of_its_pivot() {
    let scene =
        scene_of([room(FRONT, &[west_of(0.0)], None, BACK), room(BACK, &[east_of(0.0)], None, FRONT)]);
    let (body, pivot) = (in_cell(FRONT, [-0.2, 0.0, 0.0]), in_cell(FRONT, [0.2, 0.0, 1.5]));
    let view = scene.camera_view(&body, &pivot, &pivot, &NoObstacles);
    assert_eq!((view.in_cell, view.eye.cell), (true, BACK));
    let view = scene.camera_view(&body, &body, &body, &NoObstacles);
    assert_eq!((view.in_cell, view.eye.cell), (true, FRONT));
}

/// 2.8: the cell of the pivot is enough. A body in a room that is not loaded has a camera that walls stop.
#[test]
fn the_camera_of_a_body_in_no_cell_starts_at_its_pivot() {
    let wall = block([1.0, -3.0, 0.0], [2.0, 3.0, 3.0]);
    let scene = scene_of([room(FRONT, &[], wall, BACK)]);
    let body = in_cell(UNLOADED, [0.0; 3]);
    let (pivot, eye) = (in_cell(FRONT, [0.0, 0.0, 1.5]), in_cell(FRONT, [5.0, 0.0, 1.5]));
    let view = scene.camera_view(&body, &pivot, &eye, &NoObstacles);
    assert_eq!((view.in_cell, view.eye.cell), (true, FRONT));
    // The radius of the camera is 0.3 m.
    let east = view.eye.frame.origin.x - ORIGIN.x;
    assert!((0.6..0.701).contains(&east), "{east}");
}

/// 2.8: a camera whose sweep fails is at the wanted position if that is in a cell, else at the body.
#[test]
fn a_camera_that_cannot_be_swept_jumps_to_its_eye() {
    let scene = level();
    let nowhere = CellPosition::at(CellId(0x1010_0001), Vec3::new(5.0, 5.0, 1.0));
    let eye = CellPosition::at(CellId(0x7F7F_0001), ORIGIN + Vec3::new(1.0, 1.0, 2.0));
    let view = scene.camera_view(&nowhere, &nowhere, &eye, &NoObstacles);
    assert_eq!((view.in_cell, view.eye), (true, eye.adjusted_to_outside().unwrap()));
    let view = scene.camera_view(&nowhere, &nowhere, &nowhere, &NoObstacles);
    assert_eq!((view.in_cell, view.eye), (false, nowhere));
}

/// The low words of the cells that a sphere reaches into.
fn listed(scene: &Scene, from: CellId, at: [f32; 3]) -> Vec<u16> {
    let mut cells = CellArray::default();
    let position = in_cell(from, at);
    let sphere = Sphere { origin: position.frame.origin, radius: 0.48 };
    scene.find_cell_list(&position, &[sphere], &mut cells);
    cells.iter().map(CellId::low).collect()
}

/// 7.3: a portal of a building that has no counterpart in the room leads nowhere.
#[test]
fn a_building_portal_without_counterpart_leads_nowhere() {
    let land = CellId(0x7F7F_0025);
    let rooms = |other_portal| {
        let mut builder = SceneBuilder::new(&[0.0; 256]);
        builder.add_land(0x7F7F, &[0; 81], &[Terrain(0); 81]);
        builder.add_room(room(FRONT, &[], None, UNLOADED)).unwrap();
        let building = Building {
            position: in_cell(land, [2.0, 2.0, 0.0]),
            model: None,
            solid: None,
            scale: 1.0,
            portals: vec![BuildingPortal { room: FRONT, other_portal }],
            visible: vec![FRONT],
        };
        builder.add_building(land, building).unwrap();
        listed(&builder.finish(), land, [2.0, 2.0, 0.5])
    };
    assert_eq!((rooms(0), rooms(-1)), (vec![0x25, 0x100], vec![0x25]));
}

/// 7.3: a room that is not loaded is listed by its id if a sphere touches its portal or is beyond it.
#[test]
fn an_unloaded_room_is_listed_beyond_its_portal() {
    let beyond = |side: bool| {
        let mut front = room(FRONT, &[], None, UNLOADED);
        front.portals[0] = Portal { other: Some(UNLOADED), plane: east_of(0.0), side };
        let scene = scene_of([front]);
        [-1.0, -0.3, 0.3, 1.0].map(|x| listed(&scene, FRONT, [x, 0.0, 0.0]).contains(&UNLOADED.low()))
    };
    assert_eq!(beyond(true), [false, true, true, true], "the front of the plane is beyond");
    assert_eq!(beyond(false), [true, true, true, false], "the back of the plane is beyond");
}

/// 5.6.1.5: a walker whose head hits a beam slides along it; its foot hits nothing.
#[test]
fn a_head_slides_along_a_beam() {
    let beam = TestObstacle::block([0.0, -5.0, 1.2], [1.0, 5.0, 1.6]);
    let mut walker = Fixture::new(level(), vec![beam], human(), [-0.55, 0.0, 0.005]).standing();
    assert!(walker.push([0.1, 0.1, 0.0]));
    walker.assert_slides([-1.0, 0.0, 0.0]);
    walker.assert_at([-0.55, 0.1, 0.005]);
}

/// 4.8: a step up that finds a top to stand on, but no room there, leaves no contact behind: the slide follows the ground,
/// which is level, and not the top, which slopes along the wall.
#[test]
fn a_slide_after_a_failed_step_up_follows_the_ground() {
    let face = [[0.0, -0.8, 0.0], [0.0, -0.8, 0.06], [0.0, 0.8, 0.54], [0.0, 0.8, 0.0]];
    let top = [[0.0, -0.8, 0.06], [1.0, -0.8, 0.06], [1.0, 0.8, 0.54], [0.0, 0.8, 0.54]];
    let step = || TestObstacle::polygons(&[&face, &top], MeshKind::Open);
    let ceiling = TestObstacle::block([-1.5, -3.0, 1.9], [1.5, 3.0, 2.3]);
    let walker = |obstacles| Fixture::new(level(), obstacles, human(), [-0.5, 0.0, 0.005]).standing();
    let mut blocked = walker(vec![step(), ceiling]);
    assert!(blocked.push([0.1, 0.1, 0.0]));
    blocked.assert_slides([-1.0, 0.0, 0.0]);
    blocked.assert_at([-0.5, 0.1, 0.005]);
    let mut free = walker(vec![step()]);
    assert!(free.push([0.1, 0.1, 0.0]));
    assert!(free.at()[2] > 0.2, "without the ceiling it climbs: {:?}", free.at());
}

/// Obstacles that are each listed in one cell only.
struct Listed<'o>(&'o [(CellId, Obstacle<'o>)]);

impl Obstacles for Listed<'_> {
    fn visit<'a>(&'a self, cell: CellId, visitor: &mut dyn FnMut(&Obstacle<'a>) -> ControlFlow<()>) {
        for (listed, obstacle) in self.0 {
            if *listed == cell && visitor(obstacle).is_break() {
                return;
            }
        }
    }
}

/// 3.5.2: a polygon that a body overlaps from behind counts only if nothing in the other cells moves the body on in the
/// same pass. Here a beam in the next cell makes it slide out of the polygon again.
#[test]
fn a_back_face_does_not_count_if_another_cell_moves_the_body() {
    // A wall through (0.08, 0) whose back faces the walker, turned by 20 degrees.
    let (sin, cos) = libm::sincosf(20f32.to_radians());
    let corner = |t: f32, z: f32| [0.08 - sin * t, cos * t, z];
    let back = [corner(-5.0, 0.0), corner(5.0, 0.0), corner(5.0, 3.0), corner(-5.0, 3.0)];
    let back = TestObstacle::polygons(&[&back], MeshKind::Open);
    let beam = [[0.0, -5.0, 1.2], [0.0, -5.0, 1.6], [0.0, 5.0, 1.6], [0.0, 5.0, 1.2]];
    let beam = TestObstacle::polygons(&[&beam], MeshKind::Open);
    let (own, next) = (CellId(0x7F7F_001D), CellId(0x7F7F_0025));
    let walk = |beam_cell: CellId| {
        let walker = Fixture::new(level(), vec![], human(), [-0.5, 0.0, 0.005]).standing();
        assert_eq!(walker.body.position.cell, own);
        let listed = [(own, back.obstacle()), (beam_cell, beam.obstacle())];
        let mut to = walker.body.position;
        to.frame.origin += Vec3::new(0.1, 0.1, 0.0);
        let mover = walker.body.mover(GUID, &walker.shape, MoverFlags::empty());
        let sweep = walker.scene.sweep(&mover, &walker.body.position, &to, &Listed(&listed), &mut Vec::new());
        let arrival = sweep.arrival.unwrap();
        let slides = arrival.is_sliding.then_some(arrival.sliding_normal);
        (<[f32; 3]>::from(arrival.position.frame.origin - ORIGIN), slides)
    };
    let (at, slides) = walk(next);
    assert!((at[0] + 0.5).abs() < 1e-3 && (at[1] - 0.1).abs() < 1e-3, "{at:?}");
    assert_eq!(slides, Some(Vec3::new(-1.0, 0.0, 0.0)), "along the beam");
    // Within one cell the insertion goes on, and the polygon counts.
    let (_, slides) = walk(own);
    assert!(slides.is_some_and(|normal| normal.y < -0.3), "along the polygon: {slides:?}");
}

/// One obstacle, and the reach of the mover before and after each test of it.
struct Reached<'o>(Obstacle<'o>, RefCell<Vec<[SearchCylinder; 2]>>);

impl Obstacles for Reached<'_> {
    fn visit<'a>(&'a self, _cell: CellId, visitor: &mut dyn FnMut(&Obstacle<'a>) -> ControlFlow<()>) {
        let _ = visitor(&self.0);
    }

    fn visit_near<'a>(
        &'a self,
        cell: CellId,
        reach: &Cell<SearchCylinder>,
        visitor: &mut dyn FnMut(&Obstacle<'a>) -> ControlFlow<()>,
    ) {
        let before = reach.get();
        self.visit(cell, visitor);
        self.1.borrow_mut().push([before, reach.get()]);
    }
}

/// Moves a body by an offset to another heading, past an obstacle. Returns the reach before and after each test.
fn reaches(
    walker: &Fixture,
    by: [f32; 3],
    heading: f32,
    obstacle: &TestObstacle,
) -> Vec<[SearchCylinder; 2]> {
    let mut to = walker.body.position;
    to.frame.origin += Vec3::from(by);
    to.frame.set_heading(heading);
    let mover = walker.body.mover(GUID, &walker.shape, MoverFlags::empty());
    let reached = Reached(obstacle.obstacle(), RefCell::default());
    walker.scene.sweep(&mover, &walker.body.position, &to, &reached, &mut Vec::new());
    reached.1.into_inner()
}

/// 8.2: the test of a step lifts the body onto it; what is visited next is what it reaches from there.
#[test]
fn the_reach_follows_a_body_that_a_test_moves() {
    let step = TestObstacle::block([0.0, -1.0, 0.0], [1.0, 1.0, 0.3]);
    let walker = Fixture::new(level(), vec![], human(), [-0.5, 0.0, 0.005]).standing();
    let reaches = reaches(&walker, EAST, 0.0, &step);
    let is_lifted = |[before, after]: &[SearchCylinder; 2]| after.centre.z > before.centre.z + 0.2;
    assert!(reaches.iter().any(is_lifted), "{reaches:?}");
}

/// 8.2, 5.6: the tests of polygons take the spheres from the frame, which has turned already. The reach of a body with a
/// sphere beside its axis includes where that sphere comes to be.
#[test]
fn the_reach_includes_spheres_that_turn() {
    let post = TestObstacle::block([9.0, -1.0, 0.0], [10.0, 1.0, 0.3]);
    let mut arm = human();
    let sphere = Sphere { origin: Vec3::new(0.6, 0.0, 0.5), radius: 0.3 };
    arm.set_spheres(&[sphere]);
    let body = Fixture::new(level(), vec![], arm, [0.0, 0.0, 1.0]);
    let reaches = reaches(&body, [0.0, 0.05, 0.0], 180.0, &post);
    let turned = body.body.position.frame.origin + Vec3::new(-0.6, 0.05, 0.5);
    assert!(!reaches.is_empty());
    for [reach, _] in reaches {
        let apart = turned - reach.centre;
        assert!(apart.x.hypot(apart.y) < reach.radius - 0.2, "{reach:?} does not reach {turned:?}");
    }
}

/// 9.2, 9.3: a renewed touch replaces the whole record, so that the touch of a door that has opened ends as soon as it is
/// left, not a second later.
#[test]
fn a_renewed_touch_records_whether_the_obstacle_is_ethereal() {
    let ticks_to_the_end = |opens: bool| {
        let mut door = TestObstacle::block([-0.05, -1.0, 0.0], [0.05, 1.0, 2.5]);
        door.state -= PhysicsState::STATIC;
        door.flags = ObstacleFlags::WEENIE;
        let mut walker = Fixture::new(level(), vec![door], human(), [-0.6, 0.0, 0.005]).standing();
        walker.push(EAST);
        assert_eq!(walker.reports, ["touch"], "the closed door");
        if opens {
            walker.obstacles[0].state |= PhysicsState::ETHEREAL;
            walker.body.transient.remove(TransientState::SLIDING);
            assert!(walker.push(EAST), "into the open door");
        }
        for tick in 1..60 {
            walker.push([-0.1, 0.0, 0.0]);
            if walker.reports.len() > 1 {
                assert_eq!(walker.reports, ["touch", "touch ended"]);
                return tick;
            }
        }
        60
    };
    assert_eq!((ticks_to_the_end(true), ticks_to_the_end(false)), (1, 31));
}

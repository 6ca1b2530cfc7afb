//! The functions of a transition one by one, in the middle of a sub-step: what they leave behind in its state.

#![cfg(test)]

use std::cell::Cell;
use std::ops::ControlFlow;
use std::sync::Arc;

use acmotion_dat::builder::{self, MeshFace, MeshKind};
use acmotion_dat::{DataId, Sphere, Terrain};
use acmotion_types::{CellId, CellPosition, Frame, Guid, Vec3};
use acmotion_wire::PhysicsState;

use super::geometry::{Polygon, PolygonId, Solid};
use super::scene::SceneBuilder;
use super::transition::UP;
use super::*;

const CELL: CellId = CellId(0x7F7F_0025);
/// The middle of the cell, and the origin of the tests' coordinates.
const ORIGIN: Vec3 = Vec3::new(108.0, 108.0, 0.0);
const EAST: Vec3 = Vec3::new(1.0, 0.0, 0.0);
const WEST: Vec3 = Vec3::new(-1.0, 0.0, 0.0);
const PAINT: DataId = DataId(0x0800_0001);
const HUMAN: Guid = Guid(0x5000_0001);
const AIRBORNE: MoverFlags = MoverFlags::empty();
const WALKER: MoverFlags = MoverFlags::CONTACT.union(MoverFlags::ON_WALKABLE);
const CAREFUL: MoverFlags = WALKER.union(MoverFlags::EDGE_SLIDE);
/// A normal of ground that is too steep to walk on: it falls by 53° to the east.
const STEEP: Vec3 = Vec3::new(0.8, 0.0, 0.6);
/// The corners of a deck 1 m above the land, that ends at x = 0.
const DECK: [Vec3; 4] = [
    Vec3::new(-3.0, -3.0, 1.0),
    Vec3::new(0.0, -3.0, 1.0),
    Vec3::new(0.0, 3.0, 1.0),
    Vec3::new(-3.0, 3.0, 1.0),
];
/// The height of the origin of a body whose foot, 0.475 m above it and 0.48 m wide, stands on the deck.
const ON_DECK: f32 = 1.005;

fn at(x: f32, y: f32, z: f32) -> CellPosition {
    CellPosition::at(CELL, ORIGIN + Vec3::new(x, y, z))
}

/// A landblock of land at one height.
fn land(height: f32) -> SceneBuilder {
    let mut builder = SceneBuilder::new(&[height; 256]);
    builder.add_land(CELL.block(), &[0; 81], &[Terrain(0); 81]);
    builder
}

fn contact(normal: Vec3) -> Contact {
    Contact { plane: Plane::through(ORIGIN, normal), cell: CELL, is_water: false }
}

/// A body that stands on level ground, if its flags say that it stands.
fn mover(shape: &Shape, flags: MoverFlags) -> Mover<'_> {
    let contact = flags.contains(MoverFlags::CONTACT).then_some(contact(UP));
    Mover { contact, last_known: contact, ..Mover::new(HUMAN, shape, 1.0, PhysicsState::GRAVITY, flags) }
}

/// Polygons as a part of an obstacle, in the tests' coordinates.
fn part(faces: &[MeshFace], kind: MeshKind) -> Part {
    let mesh = builder::gfx_obj(DataId(0x0100_0001), faces, kind);
    let solid = Arc::new(Solid::from_gfx_obj(&mesh).expect("the mesh has collision polygons"));
    Part { solid, frame: Frame::IDENTITY, scale: 1.0 }
}

/// An axis-aligned block.
fn block(low: [f32; 3], high: [f32; 3]) -> Part {
    part(&MeshFace::cuboid(PAINT, low.into(), high.into()), MeshKind::Closed)
}

fn deck() -> Part {
    part(&[MeshFace::new(PAINT, DECK.to_vec())], MeshKind::Open)
}

/// A static obstacle of polygons, or else of spheres, in the tests' coordinates.
fn obstacle<'a>(parts: &'a [Part], spheres: &'a [Sphere]) -> Obstacle<'a> {
    let mut state = PhysicsState::STATIC;
    state.set(PhysicsState::HAS_PHYSICS_BSP, !parts.is_empty());
    Obstacle {
        guid: Guid(0x7000_0001),
        position: at(0.0, 0.0, 0.0),
        scale: 1.0,
        state,
        flags: ObstacleFlags::empty(),
        parts,
        cylinders: &[],
        spheres,
    }
}

/// A creature, on which no body can stand.
fn creature(spheres: &[Sphere]) -> Obstacle<'_> {
    let flags = ObstacleFlags::WEENIE | ObstacleFlags::CREATURE;
    Obstacle { state: PhysicsState::GRAVITY, flags, ..obstacle(&[], spheres) }
}

fn ball(x: f32, y: f32, z: f32, radius: f32) -> Sphere {
    Sphere { origin: Vec3::new(x, y, z), radius }
}

/// The deck as the polygon that a foot stands on, or stood on: its centre is at these coordinates, on the deck's height.
fn standing_on_deck(x: f32, y: f32) -> Option<WalkablePolygon<'static>> {
    let polygon = Polygon { plane: Plane::new(UP, -1.0), corners: &DECK, is_one_sided: true };
    let (id, sphere, position) = (PolygonId(0), ball(x, y, 1.48, 0.48), at(0.0, 0.0, 0.0));
    Some(WalkablePolygon { polygon, id, sphere, up: UP, position, scale: 1.0 })
}

/// Expects the check position at these coordinates.
#[track_caller]
fn assert_check(transition: &Transition<'_>, x: f32, y: f32, z: f32) {
    let found = transition.path.check.frame.origin - ORIGIN;
    assert!((found - Vec3::new(x, y, z)).length() < 3e-4, "expected ({x}, {y}, {z}), got {found:?}");
}

/// 4.5a: it walks off, with all that was found while it looked for ground forgotten.
#[test]
fn a_walker_without_edge_slide_leaves_an_edge_as_it_wanted() {
    let (scene, shape, mut touched) = (land(-50.0).finish(), Shape::human(), Vec::new());
    let (mover, from, to) = (mover(&shape, WALKER), at(-0.1, 0.0, ON_DECK), at(0.3, 0.0, ON_DECK));
    let mut transition = Transition::for_sweep(&scene, &NoObstacles, &mover, &from, &to, &mut touched);
    transition.path.set_check(to, Some(CELL));
    transition.path.save_check();
    transition.path.add_offset(Vec3::new(0.0, 0.0, -1.5));
    transition.path.walkable = standing_on_deck(0.3, 0.0);
    assert!(transition.info.contact_valid, "the contact it brought along");
    assert_eq!(transition.edge_slide(0.75, FLOOR_Z), (TransitionState::Ok, true));
    assert_check(&transition, 0.3, 0.0, ON_DECK);
    assert!(transition.path.walkable.is_none() && !transition.info.contact_valid);
}

/// 4.5b: moving by (0.1, 0.05), a walker keeps the part along the brink.
#[test]
fn a_walker_at_a_brink_forgets_the_polygon_and_the_slope_below() {
    let (scene, shape, mut touched) = (land(0.0).finish(), Shape::human(), Vec::new());
    let (mover, from, to) = (mover(&shape, CAREFUL), at(0.0, 0.0, 0.005), at(0.1, 0.05, 0.005));
    let mut transition = Transition::for_sweep(&scene, &NoObstacles, &mover, &from, &to, &mut touched);
    transition.path.set_check(to, Some(CELL));
    transition.path.save_check();
    transition.path.add_offset(Vec3::new(0.0, 0.0, -0.3));
    transition.path.walkable = standing_on_deck(0.1, 0.05);
    transition.info.set_contact(contact(STEEP).plane, false, CELL);
    assert_eq!(transition.edge_slide(0.75, FLOOR_Z), (TransitionState::Adjusted, false));
    assert_check(&transition, 0.0, 0.05, 0.005);
    assert!(transition.path.walkable.is_none() && !transition.info.contact_valid);
    assert_eq!(transition.info.collision_normal, WEST);
}

/// 4.5c, 4.7: the edge runs along y, so the part along y is left of the way.
#[test]
fn a_slide_along_a_known_edge_ends_a_step_up() {
    let (scene, shape, mut touched) = (land(-50.0).finish(), Shape::human(), Vec::new());
    let (mover, from, to) = (mover(&shape, CAREFUL), at(0.1, 0.0, ON_DECK), at(0.3, 0.1, ON_DECK));
    let mut transition = Transition::for_sweep(&scene, &NoObstacles, &mover, &from, &to, &mut touched);
    transition.path.set_check(to, Some(CELL));
    transition.path.save_check();
    transition.path.walkable = standing_on_deck(0.3, 0.1);
    transition.path.step_up = true;
    transition.info.contact_valid = false;
    assert_eq!(transition.edge_slide(0.75, FLOOR_Z), (TransitionState::Slid, false));
    assert_check(&transition, 0.1, 0.1, ON_DECK);
    assert!(transition.path.walkable.is_none() && !transition.path.step_up);
}

/// 4.5e: a walker 2 cm inside of the edge wants to get 43 cm beyond it, where its foot, lowered by 0.75 m, is 0.51 m from the
/// edge and finds nothing. The deck is found from where it was, its edge is crossed by where it wants to be.
#[test]
fn a_walker_that_leaps_over_an_edge_slides_along_the_polygon_it_stood_on() {
    let (scene, shape, mut touched) = (land(-50.0).finish(), Shape::human(), Vec::new());
    let parts = [deck()];
    let obstacles = [obstacle(&parts, &[])];
    let list = ObstacleList(&obstacles);
    let (mover, from, to) = (mover(&shape, CAREFUL), at(-0.02, 0.0, ON_DECK), at(0.43, 0.1, ON_DECK));
    let mut transition = Transition::for_sweep(&scene, &list, &mover, &from, &to, &mut touched);
    transition.path.set_check(to, Some(CELL));
    transition.path.save_check();
    transition.info.contact_valid = false;
    assert_eq!(transition.edge_slide(0.75, FLOOR_Z), (TransitionState::Slid, false));
    assert_check(&transition, -0.02, 0.1, ON_DECK);
    assert!(!transition.info.contact_valid, "what it stood on is forgotten");
    assert_eq!(transition.info.collision_normal, WEST);
}

/// 5.1, viewer: its sphere of 0.3 m ends 0.1 m above the land, so it is 0.2 m too deep. From a room it goes back only as far
/// as it came, and only along the way down.
#[test]
fn a_camera_from_a_room_is_moved_back_by_the_land_only_along_its_way() {
    use TransitionState::{Adjusted, Ok};
    let (scene, mut shape) = (land(0.0).finish(), Shape::default());
    shape.set_spheres(&[ball(0.0, 0.0, 0.0, 0.3)]);
    let flags = MoverFlags::IS_VIEWER | MoverFlags::PATH_CLIPPED | MoverFlags::PERFECT_CLIP;
    let mover = mover(&shape, flags);
    let land = Land { plane: Plane::new(UP, 0.0), is_water: false, depth: 0.0, cell: CELL };
    let test = |begin: CellId, from: f32| {
        let (from, mut touched) = (at(0.0, 0.0, from), Vec::new());
        let path = (Some(CellPosition::new(begin, from.frame)), at(0.0, 0.0, 0.1));
        let mut transition = Transition::new(&scene, &NoObstacles, &mover, path, Some(begin), &mut touched);
        transition.path.set_check(path.1, Some(CELL));
        let outcome = transition.test_land(path.1.frame.origin, &land);
        (outcome, transition.path.check.frame.origin.z)
    };
    let room = CellId(0x7F7F_0100);
    let is_lifted = |(outcome, z): (TransitionState, f32)| outcome == Adjusted && (z - 0.3).abs() < 1e-5;
    assert!(is_lifted(test(room, 0.5)), "half of the way back");
    assert!(is_lifted(test(room, 0.3)), "all of the way back");
    assert_eq!(test(room, 0.2), (Ok, 0.1), "twice the way back");
    assert_eq!(test(room, 0.0), (Ok, 0.1), "twice the way ahead");
    for from in [0.5, 0.3, 0.2, 0.0] {
        assert!(is_lifted(test(CELL, from)), "outdoors, from {from}");
    }
}

/// A ball 1 m to the east, as high as the foot of a body 1 m above the land. The sum of the radii is 0.98 m, and the ball is
/// too high for a step: a body that moves by (0.1, 0.1) slides to the north, where it is free.
const BALL: Sphere = Sphere { origin: Vec3::new(1.0, 0.0, 1.475), radius: 0.5 };

/// 3.5.1: in the tests of its own cell.
#[test]
fn a_slide_in_the_cell_of_a_body_ends_its_contact() {
    let (scene, shape, mut touched) = (land(0.0).finish(), Shape::human(), Vec::new());
    let obstacles = [obstacle(&[], &[BALL])];
    let list = ObstacleList(&obstacles);
    let (mover, from, to) = (mover(&shape, WALKER), at(0.0, 0.0, 1.0), at(0.1, 0.1, 1.0));
    let mut transition = Transition::for_sweep(&scene, &list, &mover, &from, &to, &mut touched);
    transition.path.set_check(to, Some(CELL));
    assert!(transition.info.contact_valid, "the contact it brought along");
    assert_eq!(transition.insert_into_cell(3), TransitionState::Ok, "free once it has slid");
    assert_check(&transition, 0.0, 0.1, 1.0);
    assert!(!transition.info.contact_valid, "in the air there is no other");
}

/// 3.7.2: in the tests of the cell to the east, which its foot reaches into.
#[test]
fn a_slide_in_another_cell_ends_the_contact() {
    let (scene, shape, mut touched) = (land(0.0).finish(), Shape::human(), Vec::new());
    let ball = Sphere { origin: BALL.origin + EAST * 11.7, ..BALL };
    let obstacles = [obstacle(&[], std::slice::from_ref(&ball))];
    let list = ObstacleList(&obstacles);
    let (mover, from, to) = (mover(&shape, WALKER), at(11.7, 0.0, 1.0), at(11.8, 0.1, 1.0));
    let mut transition = Transition::for_sweep(&scene, &list, &mover, &from, &to, &mut touched);
    transition.path.set_check(to, Some(CELL));
    assert!(transition.info.contact_valid, "the contact it brought along");
    assert_eq!(transition.check_other_cells(), TransitionState::Slid);
    assert_check(&transition, 11.7, 0.1, 1.0);
    assert!(!transition.info.contact_valid);
}

/// 3.7.4: in a room that is not there a body is lost, unless its position is none at all.
#[test]
fn a_body_in_no_cell_keeps_its_room_only_at_a_finite_position() {
    let (scene, shape) = (land(0.0).finish(), Shape::human());
    let (mover, room) = (mover(&shape, AIRBORNE), CellId(0x7F7F_0100));
    let test = |x: f32| {
        let (at, mut touched) = (CellPosition::at(room, Vec3::new(x, 0.0, 0.0)), Vec::new());
        let path = (Some(at), at);
        let mut transition = Transition::new(&scene, &NoObstacles, &mover, path, Some(room), &mut touched);
        let outcome = transition.check_other_cells();
        (outcome, transition.path.check_cell, transition.path.check.cell, transition.barrier())
    };
    assert_eq!(test(1.0), (TransitionState::Ok, None, room, None));
    for nowhere in [f32::NAN, f32::INFINITY] {
        assert_eq!(test(nowhere), (TransitionState::Collided, None, room, Some(Barrier::NoCell)));
    }
}

/// 8.7: a player that is already inside is beyond no border, and the last case is the eastern one.
#[test]
fn a_player_inside_of_a_guarded_cell_is_pushed_to_the_east() {
    let (guard, shape) = (Guid(0x7000_0009), Shape::human());
    let mut builder = land(0.0);
    builder.set_restriction(CELL, guard);
    let scene = builder.finish();
    let mover = mover(&shape, WALKER | MoverFlags::IS_PLAYER);
    for (x, normal) in [(-11.0, EAST), (0.0, EAST), (11.0, EAST), (-12.1, WEST), (12.1, EAST)] {
        let (from, mut touched) = (at(x, 0.0, 0.005), Vec::new());
        let path = (Some(from), from);
        let mut transition = Transition::new(&scene, &NoObstacles, &mover, path, Some(CELL), &mut touched);
        assert_eq!(transition.insert_into_cell(3), TransitionState::Collided, "{x}");
        assert_eq!(
            (transition.info.collision_valid, transition.info.collision_normal),
            (true, normal),
            "{x}"
        );
        assert_eq!(transition.barrier(), Some(Barrier::Guarded { cell: CELL, guard }));
    }
}

/// How an airborne body that has touched a wall to the east, and has been moved on by 0.2 m, ends its attempt to land. It
/// stands, if it stands, on what it was told it stands on.
fn landing<'a>(
    scene: &'a Scene,
    list: &'a ObstacleList<'a>,
    mover: &'a Mover<'a>,
    touched: &'a mut Vec<Touch>,
    has_contact: bool,
) -> (Transition<'a>, TransitionState) {
    let from = at(0.0, 0.0, 5.0);
    let mut transition = Transition::for_sweep(scene, list, mover, &from, &from, touched);
    transition.path.set_collide(WEST);
    transition.path.add_offset(EAST * 0.2);
    transition.path.walkable = standing_on_deck(0.0, 0.0);
    if has_contact {
        transition.info.set_contact(contact(UP).plane, false, CELL);
    }
    let outcome = transition.transitional_insert(3);
    assert!(!transition.path.collide && transition.path.walkable.is_none(), "the attempt is over");
    (transition, outcome)
}

/// 3.5.4.
#[test]
fn a_body_has_landed_if_it_stands_and_has_room() {
    let (scene, shape, mut touched) = (land(0.0).finish(), Shape::human(), Vec::new());
    let (mover, list) = (mover(&shape, AIRBORNE), ObstacleList(&[]));
    let (landed, outcome) = landing(&scene, &list, &mover, &mut touched, true);
    assert_eq!(outcome, TransitionState::Ok);
    assert_check(&landed, 0.2, 0.0, 5.0);
    assert!(landed.info.contact_valid && !landed.info.collision_valid);
}

/// 3.5.4, 5.8: a wall gives nothing to stand on.
#[test]
fn a_body_that_found_nothing_to_stand_on_is_blocked_by_what_it_touched() {
    let (scene, shape, mut touched) = (land(0.0).finish(), Shape::human(), Vec::new());
    let (mover, list) = (mover(&shape, AIRBORNE), ObstacleList(&[]));
    let (blocked, outcome) = landing(&scene, &list, &mover, &mut touched, false);
    assert_eq!(outcome, TransitionState::Collided);
    assert_check(&blocked, 0.0, 0.0, 5.0);
    assert_eq!((blocked.info.collision_valid, blocked.info.collision_normal), (true, WEST));
    assert!(!blocked.info.kills_velocity);
}

/// 3.5.4: nothing lands on a creature (8.5), but it takes up room.
#[test]
fn a_body_that_has_no_room_where_it_stands_is_blocked_by_what_it_touched() {
    let (scene, shape, mut touched) = (land(0.0).finish(), Shape::human(), Vec::new());
    let spheres = [ball(0.2, 0.0, 5.5, 0.5)];
    let obstacles = [creature(&spheres)];
    let (mover, list) = (mover(&shape, AIRBORNE), ObstacleList(&obstacles));
    let (blocked, outcome) = landing(&scene, &list, &mover, &mut touched, true);
    assert_eq!(outcome, TransitionState::Collided);
    assert_check(&blocked, 0.0, 0.0, 5.0);
    assert!(!blocked.info.contact_valid);
}

/// 3.5.4: a body that was just standing loses its velocity, and what it stood on, instead of being given a normal.
#[test]
fn a_failed_landing_of_a_body_that_stood_before_kills_its_velocity() {
    let (scene, shape, mut touched) = (land(0.0).finish(), Shape::human(), Vec::new());
    let mover = Mover { last_known: Some(contact(UP)), ..mover(&shape, AIRBORNE) };
    let list = ObstacleList(&[]);
    let (blocked, outcome) = landing(&scene, &list, &mover, &mut touched, false);
    assert_eq!(outcome, TransitionState::Collided);
    assert!(blocked.info.kills_velocity && !blocked.info.last_known_valid && !blocked.info.collision_valid);
}

/// 5.7.
#[test]
fn a_polygon_struck_from_behind_is_ignored_during_a_step() {
    let (scene, shape) = (land(0.0).finish(), Shape::human());
    let mover = mover(&shape, WALKER);
    for (step_up, step_down) in [(false, true), (true, false), (true, true)] {
        let (from, to, mut touched) = (at(0.0, 0.0, 5.0), at(0.1, 0.1, 5.0), Vec::new());
        let mut transition = Transition::for_sweep(&scene, &NoObstacles, &mover, &from, &to, &mut touched);
        transition.path.set_check(to, Some(CELL));
        (transition.path.step_up, transition.path.step_down) = (step_up, step_down);
        transition.path.struck_behind = Some((WEST, false));
        assert_eq!(transition.transitional_insert(1), TransitionState::Ok);
        assert_check(&transition, 0.1, 0.1, 5.0);
        assert!(!transition.info.collision_valid, "up {step_up}, down {step_down}");
    }
}

/// 4.2.
#[test]
fn a_step_down_forgets_a_polygon_struck_from_behind() {
    let (scene, shape, mut touched) = (land(0.0).finish(), Shape::human(), Vec::new());
    let (mover, from) = (mover(&shape, WALKER), at(0.0, 0.0, 0.005));
    let mut transition = Transition::for_sweep(&scene, &NoObstacles, &mover, &from, &from, &mut touched);
    transition.path.struck_behind = Some((WEST, false));
    assert!(transition.step_down(0.75, FLOOR_Z), "it stands on the land");
    assert!(transition.path.struck_behind.is_none());
    assert_check(&transition, 0.0, 0.0, 0.005);
}

/// 4.1: a block 0.3 m high begins 0.2 m ahead of the centre of the foot. The foot ends on its top.
#[test]
fn a_step_up_forgets_the_polygon_it_leads_to() {
    let (scene, shape, mut touched) = (land(0.0).finish(), Shape::human(), Vec::new());
    let parts = [block([0.5, -2.0, 0.0], [2.5, 2.0, 0.3])];
    let obstacles = [obstacle(&parts, &[])];
    let list = ObstacleList(&obstacles);
    let (mover, from, to) = (mover(&shape, WALKER), at(0.0, 0.0, 0.005), at(0.3, 0.0, 0.005));
    let mut transition = Transition::for_sweep(&scene, &list, &mover, &from, &to, &mut touched);
    transition.path.set_check(to, Some(CELL));
    assert!(transition.step_up(WEST));
    assert_check(&transition, 0.3, 0.0, 0.305);
    assert!(transition.path.walkable.is_none() && !transition.path.step_up);
    assert!(transition.info.contact_valid, "it stands on the block");
}

/// 4.4: past the edge of the deck by more than half the radius, ground is looked for below. A slope of 60° is ground for a
/// landing and not for a walker.
#[test]
fn the_probe_for_ground_takes_what_is_as_flat_as_asked_for() {
    let (scene, shape) = (land(-50.0).finish(), Shape::human());
    // It rises to the west through the lowest point of the foot at the end of the probe, at z = 0.25.
    let slope = [[-0.7, -2.0, 1.98], [1.3, -2.0, -1.48], [1.3, 2.0, -1.48], [-0.7, 2.0, 1.98]];
    let face = MeshFace::new(PAINT, slope.map(Vec3::from).to_vec());
    let parts = [part(&[face], MeshKind::Open)];
    let obstacles = [obstacle(&parts, &[])];
    let (mover, list) = (mover(&shape, CAREFUL), ObstacleList(&obstacles));
    for (before, steepest, is_ground) in [(FLOOR_Z, LANDING_Z, true), (LANDING_Z, FLOOR_Z, false)] {
        let (from, mut touched) = (at(0.3, 0.0, ON_DECK), Vec::new());
        let mut transition = Transition::for_sweep(&scene, &list, &mover, &from, &from, &mut touched);
        transition.path.walkable = standing_on_deck(0.3, 0.0);
        transition.path.walkable_allowance = before;
        assert_eq!(transition.check_walkable(steepest), is_ground, "{steepest}");
        assert_check(&transition, 0.3, 0.0, ON_DECK);
    }
}

/// 3.9: that an insertion was not attempted neither accepts nor reverts the sub-step.
#[test]
fn an_invalid_sub_step_stays_invalid() {
    let (scene, shape, mut touched) = (land(0.0).finish(), Shape::human(), Vec::new());
    let (mover, from, to) = (mover(&shape, AIRBORNE), at(0.0, 0.0, 5.0), at(0.1, 0.0, 5.0));
    let mut transition = Transition::for_sweep(&scene, &NoObstacles, &mover, &from, &to, &mut touched);
    transition.path.set_check(to, Some(CELL));
    assert_eq!(transition.validate_transition(TransitionState::Invalid), TransitionState::Invalid);
    assert_check(&transition, 0.1, 0.0, 5.0);
    assert_eq!(transition.path.current, from);
    assert!(!transition.info.collision_valid);
    assert_eq!(transition.info.frames_stationary_fall, 0, "it counts as moved");
}

/// 3.9.6, 3.9.7: `CONTACT` and `ON_WALKABLE` follow what it stands on now, whatever they were before.
#[test]
fn the_next_sub_step_begins_with_the_ground_of_this_one() {
    let (scene, shape) = (land(0.0).finish(), Shape::human());
    let grounds = [(UP, true, WALKER), (STEEP, true, MoverFlags::CONTACT), (UP, false, AIRBORNE)];
    for ((normal, is_valid, flags), before) in grounds.into_iter().flat_map(|g| [(g, WALKER), (g, AIRBORNE)])
    {
        let (mover, mut touched) = (mover(&shape, before), Vec::new());
        let (from, to) = (at(0.0, 0.0, 5.0), at(0.1, 0.0, 5.0));
        let mut transition = Transition::for_sweep(&scene, &NoObstacles, &mover, &from, &to, &mut touched);
        transition.path.set_check(to, Some(CELL));
        let contact = Contact { is_water: true, ..contact(normal) };
        (transition.info.contact_valid, transition.info.contact) = (is_valid, contact);
        assert_eq!(transition.validate_transition(TransitionState::Ok), TransitionState::Ok);
        assert_eq!(transition.path.current, to);
        assert_eq!(transition.flags & WALKER, flags, "{normal:?}, was {before:?}");
        assert_eq!((transition.info.last_known_valid, transition.info.last_known), (is_valid, contact));
    }
}

/// 8.6: a walker would step onto a low ball. Whether it overlaps the ball is another question.
#[test]
fn a_walker_overlaps_what_it_could_step_onto() {
    let (scene, shape, mut touched) = (land(0.0).finish(), Shape::human(), Vec::new());
    // Its top is 0.3 m above the land.
    let spheres = [ball(0.7, 0.0, -0.2, 0.5)];
    let low = obstacle(&[], &spheres);
    let (mover, from, to) = (mover(&shape, WALKER), at(0.0, 0.0, 0.005), at(0.3, 0.0, 0.005));
    let list = ObstacleList(&[]);
    let mut transition = Transition::for_sweep(&scene, &list, &mover, &from, &to, &mut touched);
    transition.path.set_check(to, Some(CELL));
    let origin = ORIGIN + spheres[0].origin;
    assert_eq!(transition.test_sphere(&Sphere { origin, ..spheres[0] }, false), TransitionState::Ok);
    assert!(transition.overlaps(&low));
}

/// 2.7: steps of 0.6 m up and 1.5 m down.
#[test]
fn a_large_body_takes_large_steps() {
    let (scene, shape, mut touched) = (land(0.0).finish(), Shape::human(), Vec::new());
    let (mover, from) = (Mover { scale: 2.0, ..mover(&shape, WALKER) }, at(0.0, 0.0, 0.01));
    let transition = Transition::for_sweep(&scene, &NoObstacles, &mover, &from, &from, &mut touched);
    assert_eq!((transition.step_up_height, transition.step_down_height), (1.2, 3.0));
}

/// 10.4, 10.5: whatever a mover brings along from before is void.
#[test]
fn a_body_placed_in_the_air_neither_stands_nor_slides() {
    let (scene, shape, mut touched) = (land(0.0).finish(), Shape::human(), Vec::new());
    let state = PhysicsState::MISSILE;
    let before = Mover { sliding_normal: Some(WEST), ..mover(&shape, AIRBORNE) };
    let mover = Mover { state, contact: Some(contact(UP)), ..before };
    let path = (None, at(0.0, 0.0, 5.0));
    let mut transition = Transition::new(&scene, &NoObstacles, &mover, path, Some(CELL), &mut touched);
    assert!(transition.info.contact_valid && transition.info.sliding_valid);
    assert!(transition.place());
    let Arrival { has_contact, is_sliding, .. } = transition.arrival();
    assert!(!has_contact && !is_sliding);
    assert_check(&transition, 0.0, 0.0, 5.0);
}

/// 10.4.4: 0.5 m above the deck, it is set down.
#[test]
fn a_body_that_was_set_down_is_ready_for_another_insertion() {
    let (scene, shape, mut touched) = (land(-50.0).finish(), Shape::human(), Vec::new());
    let parts = [deck()];
    let obstacles = [obstacle(&parts, &[])];
    let (mover, list) = (mover(&shape, AIRBORNE), ObstacleList(&obstacles));
    let path = (None, at(-1.5, 0.0, ON_DECK + 0.5));
    let mut transition = Transition::new(&scene, &list, &mover, path, Some(CELL), &mut touched);
    assert!(transition.place());
    assert_check(&transition, -1.5, 0.0, ON_DECK);
    assert!(transition.info.contact_valid && transition.path.walkable.is_none());
    assert_eq!(transition.path.insert_type, InsertType::Placement);
}

/// 10.4.4: a kerb beside the foot is 0.2 m higher than the deck and leans back by 4.6°, too steep to land on. Its top is 0.52 m
/// from the centre of a foot that stands on the deck, so that it is not in the way.
#[test]
fn a_body_is_not_set_down_on_what_is_too_steep_to_land_on() {
    let (scene, shape, mut touched) = (land(-50.0).finish(), Shape::human(), Vec::new());
    let kerb = [[-1.14, 3.0, 0.2], [-1.14, -3.0, 0.2], [-1.06, -3.0, 1.2], [-1.06, 3.0, 1.2]];
    let kerb = [part(&[MeshFace::new(PAINT, kerb.map(Vec3::from).to_vec())], MeshKind::Open)];
    let deck = [deck()];
    let obstacles = [obstacle(&kerb, &[]), obstacle(&deck, &[])];
    let (mover, list) = (mover(&shape, AIRBORNE), ObstacleList(&obstacles));
    let path = (None, at(-1.5, 0.0, ON_DECK + 0.5));
    let mut transition = Transition::new(&scene, &list, &mover, path, Some(CELL), &mut touched);
    assert!(transition.place());
    assert_check(&transition, -1.5, 0.0, ON_DECK);
    assert!(transition.info.contact_valid && transition.info.contact.plane.normal == UP);
}

/// 10.4.1.
#[test]
fn a_placement_begins_at_the_wanted_position() {
    let (scene, shape, mut touched) = (land(0.0).finish(), Shape::human(), Vec::new());
    let (mover, path) = (mover(&shape, AIRBORNE), (None, at(0.0, 0.0, 5.0)));
    let mut transition = Transition::new(&scene, &NoObstacles, &mover, path, Some(CELL), &mut touched);
    transition.path.set_check(at(3.0, 0.0, 5.0), Some(CELL));
    assert!(transition.place());
    assert_eq!(transition.arrival().position, path.1);
}

/// A guard that lets no player in, and counts how often it was asked.
#[derive(Default)]
struct Guard(Cell<u32>);

impl Obstacles for Guard {
    fn visit<'a>(&'a self, _cell: CellId, _visitor: &mut dyn FnMut(&Obstacle<'a>) -> ControlFlow<()>) {}

    fn may_enter(&self, _mover: Guid, _restriction: Guid) -> bool {
        self.0.set(self.0.get() + 1);
        false
    }
}

/// 10.4.2: only what was moved is inserted once more.
#[test]
fn a_placement_that_is_refused_is_not_tried_again() {
    let (guard, shape, mut touched) = (Guard::default(), Shape::human(), Vec::new());
    let mut builder = land(0.0);
    builder.set_restriction(CELL, Guid(0x7000_0009));
    let scene = builder.finish();
    let (mover, path) = (mover(&shape, MoverFlags::IS_PLAYER), (None, at(0.0, 0.0, 5.0)));
    let mut transition = Transition::new(&scene, &guard, &mover, path, Some(CELL), &mut touched);
    assert!(!transition.place());
    assert_eq!(guard.0.get(), 1);
}

/// Records a sweep of a walker of some size, that slides along a normal or not, from a point of the land.
fn traced(
    (from, by): (CellPosition, Vec3),
    scale: f32,
    sliding_normal: Option<Vec3>,
    obstacle: Obstacle<'_>,
) -> SweepTrace {
    let (scene, shape) = (land(0.0).finish(), Shape::human());
    let mover = Mover { scale, sliding_normal, ..mover(&shape, WALKER) };
    let mut to = from;
    to.frame.origin += by;
    scene.trace_sweep(&mover, &from, &to, &ObstacleList(&[obstacle])).expect("scenes record sweeps")
}

/// Fifteen blocks 0.2 m high, 2 m apart: each is a step up and a step down.
fn bumps() -> Vec<Part> {
    (0..15)
        .map(|index| 1.0 + 3.0 * index as f32)
        .map(|x| block([x, -3.0, 0.0], [x + 1.0, 3.0, 0.2]))
        .collect()
}

/// 3.3, 3.4: along a wall that is gone, or straight into it and then without it, it takes 30 steps.
#[test]
fn a_trace_has_24_notes_at_most_with_those_of_the_sweep_without_the_slide() {
    let parts = bumps();
    let start = CellPosition::at(CellId(0x7F7F_0005), Vec3::new(8.0, 108.0, 0.005));
    let bumps =
        Obstacle { position: CellPosition::at(CELL, Vec3::new(8.0, 108.0, 0.0)), ..obstacle(&parts, &[]) };
    let steps = |notes: &[SweepNote]| {
        let is_step =
            |note: &&SweepNote| matches!(note, SweepNote::StepUp { .. } | SweepNote::StepDown { .. });
        notes.iter().filter(is_step).count()
    };
    let along = traced((start, Vec3::new(46.0, 0.5, 0.0)), 1.0, Some(Vec3::new(0.0, -1.0, 0.0)), bumps);
    assert!(matches!(along.notes()[0], SweepNote::Slide { barrier: None, .. }), "{along:?}");
    assert_eq!((along.notes().len(), steps(along.notes())), (24, 23));
    let pressed = traced((start, Vec3::new(46.0, 0.0, 0.0)), 1.0, Some(WEST), bumps);
    assert_eq!(pressed.notes()[0], SweepNote::Pressed { normal: WEST });
    assert_eq!((pressed.notes().len(), steps(pressed.notes())), (24, 23));
}

/// 2.7: half as large, it steps 0.3 m up. What it cannot step onto is looked for 0.1 m ahead of its foot of 0.24 m, and behind
/// the block there is nothing but land.
#[test]
fn the_height_of_a_step_is_looked_for_right_ahead_of_a_small_body() {
    let parts = [block([0.3, -3.0, 0.0], [0.7, 3.0, 0.7])];
    let by = Vec3::new(0.2, 0.0, 0.0);
    let trace = traced((at(0.0, 0.0, 0.0025), by), 0.5, None, obstacle(&parts, &[]));
    let step = trace.notes().iter().find_map(|note| match *note {
        SweepNote::StepUp { climbed, rise, limit, .. } => Some((climbed, rise, limit)),
        _ => None,
    });
    let (climbed, rise, limit) = step.expect("it tries to step onto the block");
    assert!(!climbed && (limit - 0.3).abs() < 1e-6);
    assert!((rise.expect("the top of the block is found") - 0.6975).abs() < 1e-4, "{rise:?}");
}

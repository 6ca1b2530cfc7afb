//! Who is in whose way: doors, players, guarded cells, the camera, room for a body (`docs/collision.md` 2.8, 8, 10).

mod collide_stage;

use std::ops::ControlFlow;

use acmotion::body::{PhysicsState, refuse};
use acmotion::collide::scene::SceneBuilder;
use acmotion::collide::{
    MoverFlags, NoObstacles, Obstacle, ObstacleFlags, ObstacleList, Obstacles, PlacementError, Surroundings,
};
use acmotion::dat::Terrain;
use acmotion::types::{CellId, CellPosition, Guid, Vec3};
use collide_stage::{GUID, ORIGIN, Stage, Thing, human, level};

const EAST: [f32; 3] = [0.1, 0.0, 0.0];
const DOOR: Guid = Guid(0x7000_0001);

/// A door leaf at x = 0, two metres wide.
fn door() -> Thing {
    let mut door = Thing::block([-0.05, -1.0, 0.0], [0.05, 1.0, 2.5]);
    door.state -= PhysicsState::STATIC;
    door.flags = ObstacleFlags::WEENIE;
    door
}

/// Somebody with a human's spheres.
fn somebody(x: f32, flags: ObstacleFlags) -> Thing {
    let mut other = Thing::sphere([0.0, 0.0, 0.475], 0.48).alive();
    other.guid = Guid(0x5000_0002);
    other.position.frame.origin.x += x;
    other.flags |= flags;
    other
}

/// Rule C20, 8.6: a door that closes waits until nobody is in it.
#[test]
fn a_door_does_not_close_on_somebody() {
    let scene = level();
    let is_free = |x: f32, change: &dyn Fn(&mut Thing)| {
        let (mut door, mut other) = (door(), somebody(x, ObstacleFlags::empty()));
        door.state |= PhysicsState::ETHEREAL;
        change(&mut other);
        let things = [door.obstacle(), other.obstacle()];
        scene.is_free(DOOR, &door.position, &ObstacleList(&things))
    };
    assert!(!is_free(0.3, &|_| {}), "in the way");
    assert!(!is_free(-0.52, &|_| {}), "an arm");
    assert!(is_free(0.54, &|_| {}), "just past it");
    assert!(is_free(0.0, &|other| other.state |= PhysicsState::STATIC), "furniture does not count");
    assert!(is_free(0.0, &|other| other.flags |= ObstacleFlags::PARENTED), "nor what somebody carries");
    assert!(is_free(0.0, &|other| other.state |= PhysicsState::ETHEREAL), "nor ghosts");
    assert!(scene.is_free(DOOR, &door().position, &NoObstacles), "a door that nobody lists");
}

/// 8.6, 8.3.7: an open door is touched, but does not block; a closed one blocks.
#[test]
fn an_open_door_is_walked_through() {
    let mut open = door();
    open.state |= PhysicsState::ETHEREAL;
    let mut walker = Stage::new(level(), vec![open], human(), [-0.6, 0.0, 0.005]).standing();
    for _ in 0..12 {
        assert!(walker.push(EAST));
    }
    walker.assert_at([0.6, 0.0, 0.005]);
    assert_eq!(walker.told, ["touch", "parted"], "noticed, once");
    let mut walker = Stage::new(level(), vec![door()], human(), [-0.6, 0.0, 0.005]).standing();
    walker.assert_held(EAST, [-1.0, 0.0, 0.0]);
}

/// 8.5: players walk through players, unless both want to fight or one is made of stone.
#[test]
fn players_pass_each_other() {
    use MoverFlags as Own;
    use ObstacleFlags as Others;
    let passes = |own: Own, others: Others| {
        let other = somebody(0.0, others);
        let mut walker = Stage::new(level(), vec![other], human(), [-1.2, 0.0, 0.005]).standing();
        walker.flags = own;
        for _ in 0..24 {
            walker.push(EAST);
        }
        walker.at()[0] > 1.0
    };
    assert!(passes(Own::IS_PLAYER, Others::PLAYER));
    assert!(!passes(Own::IS_PLAYER, Others::empty()), "monsters block");
    assert!(!passes(Own::empty(), Others::PLAYER), "and are blocked");
    assert!(!passes(Own::IS_PLAYER | Own::IS_PK, Others::PLAYER | Others::PK));
    assert!(passes(Own::IS_PLAYER | Own::IS_PK, Others::PLAYER | Others::PKLITE));
    assert!(!passes(Own::IS_PLAYER | Own::IS_PKLITE, Others::PLAYER | Others::PKLITE));
    assert!(!passes(Own::IS_PLAYER | Own::IS_IMPENETRABLE, Others::PLAYER));
    assert!(!passes(Own::IS_PLAYER, Others::PLAYER | Others::IMPENETRABLE));
}

/// 8.5: nobody stands on a creature made of spheres; one made of cylinders can be stood on.
#[test]
fn creatures_are_stood_on_if_they_are_cylinders() {
    let drop_on = |thing: Thing| {
        let mut falls = Stage::new(level(), vec![thing], human(), [0.0, 0.0, 1.4]).falling([0.0, 0.0, -3.0]);
        for _ in 0..8 {
            falls.fall();
        }
        falls.body.is_standing().then(|| falls.at()[2])
    };
    let top = drop_on(Thing::cylinder([0.0; 3], 0.4, 1.0).alive()).expect("on top");
    assert!((top - 1.005).abs() < 1e-3, "{top}");
    let top = drop_on(Thing::sphere([0.0, 0.0, 0.5], 0.5)).expect("on a stone");
    assert!((top - 1.005).abs() < 1e-3, "{top}");
    assert_eq!(drop_on(Thing::sphere([0.0, 0.0, 0.5], 0.5).alive()), None);
}

/// Lets in those on its list.
struct Guarded(Vec<Guid>);

impl Obstacles for Guarded {
    fn visit<'a>(&'a self, _cell: CellId, _see: &mut dyn FnMut(&Obstacle<'a>) -> ControlFlow<()>) {}

    fn may_enter(&self, mover: Guid, guard: Guid) -> bool {
        guard == DOOR && self.0.contains(&mover)
    }
}

/// 8.7: a guarded piece of land is a wall to players who are not let in.
#[test]
fn guarded_land_is_a_wall_to_strangers() {
    let mut builder = SceneBuilder::new(&[0.0; 256]);
    builder.add_land(0x7F7F, &[0; 81], &[Terrain(0); 81]);
    // The cell east of the stories' origin.
    builder.set_restriction(CellId(0x7F7F_0025), DOOR);
    let scene = builder.finish();
    let goes_in = |flags: MoverFlags, obstacles: &dyn Obstacles| {
        let walker = Stage::new(scene.clone(), vec![], human(), [-0.6, 0.0, 0.005]).standing();
        let mover = walker.body.mover(GUID, &walker.shape, flags);
        let mut to = walker.body.position;
        to.frame.origin.x += 0.3;
        let sweep = scene.sweep(&mover, &walker.body.position, &to, obstacles, &mut Vec::new());
        let arrival = sweep.arrival.unwrap();
        (arrival.position.frame.origin.x > ORIGIN.x - 0.4, arrival.collision_normal)
    };
    let west = Some(Vec3::new(-1.0, 0.0, 0.0));
    assert_eq!(goes_in(MoverFlags::IS_PLAYER, &Guarded(vec![GUID])), (true, None), "at home");
    assert_eq!(goes_in(MoverFlags::IS_PLAYER, &Guarded(vec![])), (false, west), "a stranger");
    assert_eq!(goes_in(MoverFlags::IS_PLAYER, &NoObstacles), (false, west), "the guard is not known");
    assert_eq!(goes_in(MoverFlags::empty(), &NoObstacles), (true, None), "only players are kept out");
}

/// 10: a body is placed where there is room, a little way off if it may slide, and stands if there is ground within a step.
#[test]
fn a_body_finds_room() {
    let stage =
        Stage::new(level(), vec![Thing::block([-1.0, -1.0, 0.0], [1.0, 1.0, 3.0])], human(), [0.0; 3]);
    let things: Vec<_> = stage.things.iter().map(Thing::obstacle).collect();
    let mover = stage.body.placement_mover(GUID, &stage.shape, MoverFlags::empty());
    let place = |x: f32, z: f32, slide| {
        let at = CellPosition::at(CellId(0x7F7F_0025), ORIGIN + Vec3::new(x, 0.0, z));
        stage.scene.place(&mover, &at, slide, &ObstacleList(&things), &mut Vec::new())
    };
    let free = place(3.0, 1.0, false).unwrap();
    assert!(free.has_contact && (free.position.frame.origin.z - 0.005).abs() < 3e-4, "set down: {free:?}");
    assert!(!place(3.0, 1.6, false).unwrap().has_contact, "too high for a step");
    assert!(
        (place(3.0, -2.0, false).unwrap().position.frame.origin.z - 0.005).abs() < 3e-4,
        "out of the ground"
    );
    assert!(matches!(place(0.0, 0.005, false), Err(PlacementError::NoRoom(_))));
    let off = place(0.0, 0.005, true).unwrap();
    let away = off.position.frame.origin - ORIGIN;
    assert!(away.x.abs().max(away.y.abs()) > 1.4 && away.length() < 3.0, "{away:?}");
    let nowhere = CellPosition::at(CellId(0x1010_0025), ORIGIN);
    let lost = stage.scene.place(&mover, &nowhere, true, &NoObstacles, &mut Vec::new()).unwrap();
    assert!(!lost.in_cell, "kept, but in no cell");
}

/// 9.4: what a body hit that was refused is told once.
#[test]
fn a_refusal_is_told_once() {
    let mut stage =
        Stage::new(level(), vec![Thing::block([-1.0; 3], [1.0, 1.0, 3.0])], human(), [4.0, 0.0, 0.005]);
    let mover = stage.body.placement_mover(GUID, &stage.shape, MoverFlags::empty());
    let things: Vec<_> = stage.things.iter().map(Thing::obstacle).collect();
    let at = CellPosition::at(CellId(0x7F7F_0025), ORIGIN);
    let Err(PlacementError::NoRoom(found)) =
        stage.scene.place(&mover, &at, false, &ObstacleList(&things), &mut Vec::new())
    else {
        panic!("there is no room")
    };
    assert!(refuse(&mut stage, &found, &[], 0.0) && !refuse(&mut stage, &found, &[], 0.1));
    assert_eq!(stage.told, ["environment"]);
}

/// 2.8: the camera stops before a wall, before the ground, and behind nobody.
#[test]
fn the_camera_keeps_out_of_walls() {
    let corners = [[0.0, -9.0, 0.0], [0.0, -9.0, 5.0], [0.0, 9.0, 5.0], [0.0, 9.0, 0.0]];
    let wall = Thing::polygons(&[&corners], acmotion::dat::builder::Body::Open);
    let (scene, creature) = (level(), somebody(-1.0, ObstacleFlags::empty()));
    let at = |x: f32, z: f32| {
        let place = CellPosition::at(CellId(0x7F7F_0025), ORIGIN + Vec3::new(x, 0.0, z));
        place.adjusted_to_outside().unwrap()
    };
    let (body, pivot) = (at(-2.0, 0.005), at(-2.0, 1.5));
    let things = [wall.obstacle(), creature.obstacle()];
    let look = |eye| {
        let view = scene.look(&body, &pivot, &eye, &ObstacleList(&things));
        assert!(view.in_cell);
        view.eye.frame.origin - ORIGIN
    };
    let stopped = look(at(2.0, 1.5));
    assert!((-0.32..=-0.299).contains(&stopped.x), "{stopped:?}");
    assert!((look(at(-4.0, 1.5)) - Vec3::new(-4.0, 0.0, 1.5)).length() < 1e-3, "nothing there");
    let down = look(at(-2.0, -1.0));
    assert!((down.z - 0.3).abs() < 1e-3, "{down:?}");
}

/// Numbers that are hostile are refused or do nothing, and end soon.
#[test]
fn hostile_ways_are_refused() {
    for by in [1e30, f32::INFINITY, f32::NAN, 3e6] {
        let mut walker = Stage::new(level(), vec![door()], human(), [-3.0, 0.0, 0.005]).standing();
        assert!(!walker.push([by, 0.0, 0.0]), "{by}");
        walker.assert_at([-3.0, 0.0, 0.005]);
    }
    let mut odd = human();
    for scale in [0.0, -1.0, f32::NAN, f32::INFINITY, 1e-30] {
        odd.step_up = scale;
        let mut walker = Stage::new(level(), vec![door()], odd, [-3.0, 0.0, 0.005]).standing();
        walker.body.scale = scale;
        walker.push([0.5, 0.0, 0.0]);
        walker.push([0.0, 0.5, -0.5]);
    }
}

/// What a steady sweep needs, it has on the stack.
#[test]
fn walking_about_asks_for_no_memory() {
    let things = vec![
        door(),
        Thing::sphere([0.5, 2.0, 0.48], 0.48).alive(),
        Thing::cylinder([-0.5, -2.0, 0.0], 0.3, 1.0),
        Thing::block([1.0, -6.0, 0.0], [8.0, 6.0, 0.3]),
    ];
    let mut walker = Stage::new(level(), things, human(), [-2.0, 0.0, 0.005]).standing();
    let from_things: Vec<_> = walker.things.iter().map(Thing::obstacle).collect();
    let obstacles = ObstacleList(&from_things);
    let mut heading = 0.0f32;
    let mut walk = |ticks: u32| {
        for _ in 0..ticks {
            heading += 0.37;
            let (sin, cos) = libm::sincosf(libm::sinf(heading) * 3.0);
            let from = walker.body.position;
            let mut to = from;
            to.frame.origin += Vec3::new(sin * 0.2, cos * 0.2, 0.0);
            let mover = walker.body.mover(GUID, &walker.shape, walker.flags);
            let sweep = walker.scene.sweep(&mover, &from, &to, &obstacles, &mut walker.touched);
            if let Some(arrival) = sweep.arrival {
                walker.body.position = arrival.position;
            }
        }
    };
    walk(100);
    let asked = allocation_counter::measure(|| walk(400));
    assert_eq!(asked.count_total, 0);
}

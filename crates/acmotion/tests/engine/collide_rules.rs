//! What blocks what: doors, players, restricted cells, the camera, placement (`docs/collision.md` 2.8, 8, 10).

use crate::collide_fixture;

use std::ops::ControlFlow;

use acmotion::components::PhysicsState;
use acmotion::dat::Terrain;
use acmotion::internals::body::handle_failed_placement;
use acmotion::scene::{
    MoverFlags, NoObstacles, Obstacle, ObstacleFlags, ObstacleList, Obstacles, PlacementError, SceneBuilder,
    Surroundings,
};
use acmotion::types::{CellId, CellPosition, Guid, Vec3};
use collide_fixture::{Fixture, GUID, ORIGIN, TestObstacle, human, level};

const EAST: [f32; 3] = [0.1, 0.0, 0.0];
const DOOR: Guid = Guid(0x7000_0001);

/// A door leaf at x = 0, 2 m wide.
fn door() -> TestObstacle {
    let mut door = TestObstacle::block([-0.05, -1.0, 0.0], [0.05, 1.0, 2.5]);
    door.state -= PhysicsState::STATIC;
    door.flags = ObstacleFlags::WEENIE;
    door
}

/// A creature with a human foot sphere.
fn creature(x: f32, flags: ObstacleFlags) -> TestObstacle {
    let mut other = TestObstacle::sphere([0.0, 0.0, 0.475], 0.48).into_creature();
    other.guid = Guid(0x5000_0002);
    other.position.frame.origin.x += x;
    other.flags |= flags;
    other
}

/// Rule C20, 8.6: a closing door waits until nothing overlaps it.
#[test]
fn a_door_does_not_close_on_a_creature() {
    let scene = level();
    let is_free = |x: f32, change: &dyn Fn(&mut TestObstacle)| {
        let (mut door, mut other) = (door(), creature(x, ObstacleFlags::empty()));
        door.state |= PhysicsState::ETHEREAL;
        change(&mut other);
        let obstacles = [door.obstacle(), other.obstacle()];
        scene.is_free(DOOR, &door.position, &ObstacleList(&obstacles))
    };
    assert!(!is_free(0.3, &|_| {}), "in the door");
    assert!(!is_free(-0.52, &|_| {}), "partly in the door");
    assert!(is_free(0.54, &|_| {}), "just beside it");
    assert!(is_free(0.0, &|other| other.state |= PhysicsState::STATIC), "static objects do not count");
    assert!(is_free(0.0, &|other| other.flags |= ObstacleFlags::PARENTED), "attached objects do not count");
    assert!(is_free(0.0, &|other| other.state |= PhysicsState::ETHEREAL), "ethereal objects do not count");
    assert!(scene.is_free(DOOR, &door().position, &NoObstacles), "a door that is not listed");
}

/// 8.6, 8.3.7: an open door is touched but does not block; a closed one blocks.
#[test]
fn an_open_door_does_not_block() {
    let mut open = door();
    open.state |= PhysicsState::ETHEREAL;
    let mut walker = Fixture::new(level(), vec![open], human(), [-0.6, 0.0, 0.005]).standing();
    for _ in 0..12 {
        assert!(walker.push(EAST));
    }
    walker.assert_at([0.6, 0.0, 0.005]);
    assert_eq!(walker.reports, ["touch", "touch ended"], "reported once");
    let mut walker = Fixture::new(level(), vec![door()], human(), [-0.6, 0.0, 0.005]).standing();
    walker.assert_held(EAST, [-1.0, 0.0, 0.0]);
}

/// 8.5: players pass through players, unless both are player killers of the same kind or one is impenetrable.
#[test]
fn players_pass_through_each_other() {
    use MoverFlags as Own;
    use ObstacleFlags as Others;
    let passes = |own: Own, others: Others| {
        let other = creature(0.0, others);
        let mut walker = Fixture::new(level(), vec![other], human(), [-1.2, 0.0, 0.005]).standing();
        walker.flags = own;
        for _ in 0..24 {
            walker.push(EAST);
        }
        walker.at()[0] > 1.0
    };
    assert!(passes(Own::IS_PLAYER, Others::PLAYER));
    assert!(!passes(Own::IS_PLAYER, Others::empty()), "creatures block");
    assert!(!passes(Own::empty(), Others::PLAYER), "creatures are blocked");
    assert!(!passes(Own::IS_PLAYER | Own::IS_PK, Others::PLAYER | Others::PK));
    assert!(passes(Own::IS_PLAYER | Own::IS_PK, Others::PLAYER | Others::PKLITE));
    assert!(!passes(Own::IS_PLAYER | Own::IS_PKLITE, Others::PLAYER | Others::PKLITE));
    assert!(!passes(Own::IS_PLAYER | Own::IS_IMPENETRABLE, Others::PLAYER));
    assert!(!passes(Own::IS_PLAYER, Others::PLAYER | Others::IMPENETRABLE));
}

/// 8.5: a creature made of spheres cannot be stood on; one made of cylinders can.
#[test]
fn creatures_can_be_stood_on_if_they_are_cylinders() {
    let drop_on = |obstacle: TestObstacle| {
        let mut falling =
            Fixture::new(level(), vec![obstacle], human(), [0.0, 0.0, 1.4]).falling([0.0, 0.0, -3.0]);
        for _ in 0..8 {
            falling.fall();
        }
        falling.body.is_standing().then(|| falling.at()[2])
    };
    let top = drop_on(TestObstacle::cylinder([0.0; 3], 0.4, 1.0).into_creature()).expect("stands on top");
    assert!((top - 1.005).abs() < 1e-3, "{top}");
    let top = drop_on(TestObstacle::sphere([0.0, 0.0, 0.5], 0.5)).expect("stands on a static sphere");
    assert!((top - 1.005).abs() < 1e-3, "{top}");
    assert_eq!(drop_on(TestObstacle::sphere([0.0, 0.0, 0.5], 0.5).into_creature()), None);
}

/// A restriction object that lets in the guids on its list.
struct Restricted(Vec<Guid>);

impl Obstacles for Restricted {
    fn visit<'a>(&'a self, _cell: CellId, _visitor: &mut dyn FnMut(&Obstacle<'a>) -> ControlFlow<()>) {}

    fn may_enter(&self, mover: Guid, restriction: Guid) -> bool {
        restriction == DOOR && self.0.contains(&mover)
    }
}

/// 8.7: a restricted land cell is a wall to players that may not enter.
#[test]
fn restricted_land_blocks_players_that_may_not_enter() {
    let mut builder = SceneBuilder::new(&[0.0; 256]);
    builder.add_land(0x7F7F, &[0; 81], &[Terrain(0); 81]);
    // The cell east of the tests' origin.
    builder.set_restriction(CellId(0x7F7F_0025), DOOR);
    let scene = builder.finish();
    let enters = |flags: MoverFlags, obstacles: &dyn Obstacles| {
        let walker = Fixture::new(scene.clone(), vec![], human(), [-0.6, 0.0, 0.005]).standing();
        let mover = walker.body.mover(GUID, &walker.shape, flags);
        let mut to = walker.body.position;
        to.frame.origin.x += 0.3;
        let sweep = scene.sweep(&mover, &walker.body.position, &to, obstacles, &mut Vec::new());
        let arrival = sweep.arrival.unwrap();
        (arrival.position.frame.origin.x > ORIGIN.x - 0.4, arrival.collision_normal)
    };
    let west = Some(Vec3::new(-1.0, 0.0, 0.0));
    assert_eq!(enters(MoverFlags::IS_PLAYER, &Restricted(vec![GUID])), (true, None), "on the list");
    assert_eq!(enters(MoverFlags::IS_PLAYER, &Restricted(vec![])), (false, west), "not on the list");
    assert_eq!(enters(MoverFlags::IS_PLAYER, &NoObstacles), (false, west), "unknown restriction object");
    assert_eq!(enters(MoverFlags::empty(), &NoObstacles), (true, None), "only players are kept out");
}

/// 10: a body is placed where it is free, nearby if it may slide, and stands if there is ground within a step.
#[test]
fn placement_finds_a_free_position() {
    let fixture = Fixture::new(
        level(),
        vec![TestObstacle::block([-1.0, -1.0, 0.0], [1.0, 1.0, 3.0])],
        human(),
        [0.0; 3],
    );
    let obstacles: Vec<_> = fixture.obstacles.iter().map(TestObstacle::obstacle).collect();
    let mover = fixture.body.placement_mover(GUID, &fixture.shape, MoverFlags::empty());
    let place = |x: f32, z: f32, slide| {
        let at = CellPosition::at(CellId(0x7F7F_0025), ORIGIN + Vec3::new(x, 0.0, z));
        fixture.scene.place(&mover, &at, slide, &ObstacleList(&obstacles), &mut Vec::new())
    };
    let free = place(3.0, 1.0, false).unwrap();
    assert!(
        free.has_contact && (free.position.frame.origin.z - 0.005).abs() < 3e-4,
        "not set down: {free:?}"
    );
    assert!(!place(3.0, 1.6, false).unwrap().has_contact, "too high for a step");
    assert!(
        (place(3.0, -2.0, false).unwrap().position.frame.origin.z - 0.005).abs() < 3e-4,
        "not lifted out of the ground"
    );
    assert!(matches!(place(0.0, 0.005, false), Err(PlacementError::NoRoom(_))));
    let nearby = place(0.0, 0.005, true).unwrap();
    let away = nearby.position.frame.origin - ORIGIN;
    assert!(away.x.abs().max(away.y.abs()) > 1.4 && away.length() < 3.0, "{away:?}");
    let nowhere = CellPosition::at(CellId(0x1010_0025), ORIGIN);
    let lost = fixture.scene.place(&mover, &nowhere, true, &NoObstacles, &mut Vec::new()).unwrap();
    assert!(!lost.in_cell, "in no cell");
}

/// 9.4: the collisions of a failed placement are reported once.
#[test]
fn a_failed_placement_is_reported_once() {
    let mut fixture = Fixture::new(
        level(),
        vec![TestObstacle::block([-1.0; 3], [1.0, 1.0, 3.0])],
        human(),
        [4.0, 0.0, 0.005],
    );
    let mover = fixture.body.placement_mover(GUID, &fixture.shape, MoverFlags::empty());
    let obstacles: Vec<_> = fixture.obstacles.iter().map(TestObstacle::obstacle).collect();
    let at = CellPosition::at(CellId(0x7F7F_0025), ORIGIN);
    let Err(PlacementError::NoRoom(found)) =
        fixture.scene.place(&mover, &at, false, &ObstacleList(&obstacles), &mut Vec::new())
    else {
        panic!("placed inside of a block")
    };
    assert!(
        handle_failed_placement(&mut fixture, &found, &[], 0.0)
            && !handle_failed_placement(&mut fixture, &found, &[], 0.1)
    );
    assert_eq!(fixture.reports, ["environment"]);
}

/// 2.8: the camera stops in front of a wall and above the ground, but passes through creatures.
#[test]
fn the_camera_stays_out_of_walls_and_ground() {
    let corners = [[0.0, -9.0, 0.0], [0.0, -9.0, 5.0], [0.0, 9.0, 5.0], [0.0, 9.0, 0.0]];
    let wall = TestObstacle::polygons(&[&corners], acmotion::dat::builder::MeshKind::Open);
    let (scene, creature) = (level(), creature(-1.0, ObstacleFlags::empty()));
    let at = |x: f32, z: f32| {
        let position = CellPosition::at(CellId(0x7F7F_0025), ORIGIN + Vec3::new(x, 0.0, z));
        position.adjusted_to_outside().unwrap()
    };
    let (body, pivot) = (at(-2.0, 0.005), at(-2.0, 1.5));
    let obstacles = [wall.obstacle(), creature.obstacle()];
    let look = |eye| {
        let view = scene.camera_view(&body, &pivot, &eye, &ObstacleList(&obstacles));
        assert!(view.in_cell);
        view.eye.frame.origin - ORIGIN
    };
    let stopped = look(at(2.0, 1.5));
    assert!((-0.32..=-0.299).contains(&stopped.x), "{stopped:?}");
    assert!((look(at(-4.0, 1.5)) - Vec3::new(-4.0, 0.0, 1.5)).length() < 1e-3, "the creature does not block");
    let down = look(at(-2.0, -1.0));
    assert!((down.z - 0.3).abs() < 1e-3, "{down:?}");
}

/// Hostile displacements fail, and hostile sizes end soon.
#[test]
fn non_finite_and_huge_displacements_fail() {
    for by in [1e30, f32::INFINITY, f32::NAN, 3e6] {
        let mut walker = Fixture::new(level(), vec![door()], human(), [-3.0, 0.0, 0.005]).standing();
        assert!(!walker.push([by, 0.0, 0.0]), "{by}");
        walker.assert_at([-3.0, 0.0, 0.005]);
    }
    let mut odd = human();
    for scale in [0.0, -1.0, f32::NAN, f32::INFINITY, 1e-30] {
        odd.step_up = scale;
        let mut walker = Fixture::new(level(), vec![door()], odd, [-3.0, 0.0, 0.005]).standing();
        walker.body.scale = scale;
        walker.push([0.5, 0.0, 0.0]);
        walker.push([0.0, 0.5, -0.5]);
    }
}

#[test]
fn a_steady_sweep_does_not_allocate() {
    let obstacles = vec![
        door(),
        TestObstacle::sphere([0.5, 2.0, 0.48], 0.48).into_creature(),
        TestObstacle::cylinder([-0.5, -2.0, 0.0], 0.3, 1.0),
        TestObstacle::block([1.0, -6.0, 0.0], [8.0, 6.0, 0.3]),
    ];
    let mut walker = Fixture::new(level(), obstacles, human(), [-2.0, 0.0, 0.005]).standing();
    let listed: Vec<_> = walker.obstacles.iter().map(TestObstacle::obstacle).collect();
    let obstacles = ObstacleList(&listed);
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
    let allocations = allocation_counter::measure(|| walk(400));
    assert_eq!(allocations.count_total, 0);
}

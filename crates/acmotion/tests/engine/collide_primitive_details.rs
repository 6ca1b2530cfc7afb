//! The primitives of collision, one call at a time, with figures worked out by hand (`docs/collision.md` 4 and 5).

use crate::collide_fixture;

use acmotion::components::PhysicsState;
use acmotion::dat::builder::MeshKind;
use acmotion::dat::{CylSphere, Sphere, Terrain};
use acmotion::explain::SweepNote;
use acmotion::internals::collide::{
    InsertType, LANDING_Z, Land, Transition, TransitionState, time_of_collision,
};
use acmotion::scene::{
    Contact, Mover, MoverFlags, NoObstacles, ObstacleList, Plane, Scene, SceneBuilder, Surroundings,
};
use acmotion::types::{CellId, CellPosition, Quat, Vec3};
use collide_fixture::{Fixture, GUID, ORIGIN, TestObstacle, UP, human, level, slopes};

const CELL: CellId = CellId(0x7F7F_0025);
const WEST: Vec3 = Vec3::new(-1.0, 0.0, 0.0);
const WALKER: MoverFlags = MoverFlags::CONTACT.union(MoverFlags::ON_WALKABLE);
const AIRBORNE: MoverFlags = MoverFlags::empty();
const MISSILE: MoverFlags = MoverFlags::PATH_CLIPPED;
const CAMERA: MoverFlags =
    MoverFlags::PATH_CLIPPED.union(MoverFlags::PERFECT_CLIP).union(MoverFlags::IS_VIEWER);

/// What a test made of the check position of a human body.
#[derive(Clone, Copy, PartialEq, Debug)]
struct After {
    state: TransitionState,
    /// By how much the test moved the check position.
    moved: Vec3,
    collision: Option<Vec3>,
    contact: Option<Contact>,
    /// Whether it hit the environment.
    environment: bool,
    /// Whether it tries to land, and on what.
    collide: Option<f32>,
    /// What is left of the step.
    interp: f32,
}

fn at(point: [f32; 3]) -> CellPosition {
    CellPosition::at(CELL, ORIGIN + Vec3::new(6.0, 0.0, 0.0) + Vec3::from(point))
}

fn point(point: [f32; 3]) -> Vec3 {
    at(point).frame.origin
}

/// Runs a test in the middle of a sub-step from one point to another.
fn probe(
    flags: MoverFlags,
    [from, to]: [[f32; 3]; 2],
    test: impl FnOnce(&mut Transition<'_>) -> TransitionState,
) -> After {
    let (scene, shape) = (level(), human());
    let ground = Contact { plane: Plane::new(UP, 0.0), cell: CELL, is_water: false };
    let contact = flags.contains(MoverFlags::CONTACT).then_some(ground);
    let mover =
        Mover { contact, last_known: contact, ..Mover::new(GUID, &shape, 1.0, PhysicsState::GRAVITY, flags) };
    let mut touched = Vec::new();
    let mut transition =
        Transition::for_sweep(&scene, &NoObstacles, &mover, &at(from), &at(to), &mut touched);
    transition.path_mut().set_check(at(to), Some(CELL));
    transition.info_mut().contact_valid = false;
    let state = test(&mut transition);
    let (info, path) = (transition.info(), transition.path());
    After {
        state,
        moved: transition.path().check().frame.origin - point(to),
        collision: info.collision_valid.then_some(info.collision_normal),
        contact: info.contact_valid.then_some(info.contact),
        environment: info.collided_with_environment,
        collide: path.collide.then_some(path.walkable_allowance),
        interp: path.walk_interp,
    }
}

#[track_caller]
fn assert_after(after: After, state: TransitionState, moved: [f32; 3], collision: Option<[f32; 3]>) {
    assert_eq!(after.state, state, "{after:?}");
    assert!((after.moved - Vec3::from(moved)).length() < 2e-4, "{after:?}");
    match (after.collision, collision) {
        (Some(got), Some(expected)) => assert!((got - Vec3::from(expected)).length() < 1e-3, "{after:?}"),
        (got, expected) => assert_eq!(got.is_some(), expected.is_some(), "{after:?}"),
    }
}

/// 5.2.
#[test]
fn a_slide_follows_the_crease_of_wall_and_floor() {
    use TransitionState::{Adjusted, Collided, Slid};
    let slide = |to: [f32; 3], normal: [f32; 3]| {
        probe(WALKER, [[0.0, 0.0, 1.0], to], |transition| transition.slide(0, normal.into()))
    };
    // 5.2.1: a normal of no length leads half of the way back.
    assert_after(slide([0.2, 0.1, 1.1], [0.0; 3]), Adjusted, [-0.1, -0.05, -0.05], None);
    // 5.2.4: the length of the normal does not count.
    for length in [0.5, 1.0, 2.0] {
        let after = slide([0.1, 0.1, 1.0], [-length, 0.0, 0.0]);
        assert_after(after, Slid, [-0.1, 0.0, 0.0], Some([-1.0, 0.0, 0.0]));
        let after = slide([0.1, 0.014, 1.0], [-length, 0.0, 0.0]);
        assert_after(after, Collided, [0.0; 3], Some([-1.0, 0.0, 0.0]));
    }
    // 5.2.5: a wall that is parallel to the floor.
    assert_after(slide([0.1, 0.0, 0.8], [0.0, 0.0, 1.0]), Slid, [0.0, 0.0, 0.2], Some([0.0, 0.0, 1.0]));
    let against = slide([0.1, 0.0, 1.2], [0.0, 0.0, -1.0]);
    assert_after(against, Collided, [0.0; 3], Some([-0.447_2, 0.0, -0.894_4]));
    assert_after(slide([0.0, 0.0, 1.0], [0.0, 0.0, -1.0]), Collided, [0.0; 3], Some([0.0, 0.0, -1.0]));
}

/// 5.2: the head slides by its own way, which is that of the body.
#[test]
fn a_slide_of_the_head_moves_the_body() {
    let after = probe(WALKER, [[0.0, 0.0, 0.0], [0.1, 0.1, 0.0]], |transition| transition.slide(1, WEST));
    assert_after(after, TransitionState::Slid, [-0.1, 0.0, 0.0], Some([-1.0, 0.0, 0.0]));
    let after = probe(WALKER, [[0.0; 3], [0.2, 0.1, 0.0]], |transition| transition.slide(1, Vec3::ZERO));
    assert_after(after, TransitionState::Adjusted, [-0.1, -0.05, 0.0], None);
}

/// 4.6: down a cliff the way along its brink is left, up it the step is lengthened and refused later.
#[test]
fn a_cliff_is_slid_along() {
    let steep = Vec3::new(0.766, 0.0, 0.643);
    let slide = |to: [f32; 3]| probe(WALKER, [[0.0; 3], to], |transition| transition.cliff_slide(steep));
    assert_after(
        slide([0.1, 0.05, 0.0]),
        TransitionState::Adjusted,
        [-0.1, 0.0, 0.0],
        Some([-1.0, 0.0, 0.0]),
    );
    assert_after(
        slide([-0.1, 0.05, 0.0]),
        TransitionState::Adjusted,
        [-0.1, 0.0, 0.0],
        Some([1.0, 0.0, 0.0]),
    );
    let level = probe(WALKER, [[0.0; 3], [0.1, 0.0, 0.0]], |transition| transition.cliff_slide(UP));
    assert_after(level, TransitionState::Ok, [0.0; 3], None);
}

/// 5.3.9.
#[test]
fn the_time_of_a_collision_is_the_first_root() {
    let time = |movement: [f32; 3], offset: [f32; 3]| time_of_collision(movement.into(), offset.into(), 1.0);
    let near = |found: Option<f32>, expected: f32| (found.unwrap() - expected).abs() < 1e-5;
    assert!(near(time([4.0, 0.0, 0.0], [-3.0, 0.0, 0.0]), 0.5));
    assert!(near(time([4.0, 0.0, 0.0], [-3.0, 0.6, 0.0]), 0.55));
    // Away from it: both roots are negative, and the later one counts.
    assert!(near(time([4.0, 0.0, 0.0], [3.0, 0.0, 0.0]), -0.5));
    assert_eq!(time([4.0, 0.0, 0.0], [-3.0, 1.1, 0.0]), None, "it misses");
    assert_eq!(time([4.0, 0.0, 0.0], [-0.5, 0.0, 0.0]), None, "inside");
    assert_eq!(time([0.01, 0.0, 0.0], [-1.005, 0.0, 0.0]), None, "hardly any movement");
}

/// A ball of 0.5 m whose centre is 1 m to the east of the body's start and as high as its foot.
fn ball(z: f32) -> Sphere {
    Sphere { origin: point([1.0, 0.0, z]), radius: 0.5 }
}

/// 5.3: what a sphere does to a body depends on how the body moves. The sum of the radii is 0.98 m.
#[test]
fn a_sphere_is_met_by_a_body_that_is() {
    use TransitionState::{Adjusted, Collided, Ok};
    let low = ball(0.475);
    let test =
        |flags, to: [f32; 3]| probe(flags, [[0.0; 3], to], |transition| transition.test_sphere(&low, false));
    assert_after(test(WALKER, [0.01, 0.0, 0.0]), Ok, [0.0; 3], None);
    // 5.3.3: 0.98 m high, so it is no step. Head-on there is no way along it.
    assert_after(test(WALKER, [0.1, 0.0, 0.0]), Collided, [0.0; 3], Some([-1.0, 0.0, 0.0]));
    assert_after(
        test(WALKER, [0.1, 0.1, 0.0]),
        TransitionState::Slid,
        [-0.1, 0.0, 0.0],
        Some([-1.0, 0.0, 0.0]),
    );
    // 5.3.6, 5.3.7.
    assert_after(test(MISSILE, [0.1, 0.0, 0.0]), Collided, [0.0; 3], Some([-1.0, 0.0, 0.0]));
    assert_after(test(AIRBORNE, [0.1, 0.0, 0.0]), Adjusted, [0.0; 3], None);
    assert_eq!(test(AIRBORNE, [0.1, 0.0, 0.0]).collide, Some(LANDING_Z));
    assert_eq!(test(MISSILE, [0.1, 0.0, 0.0]).collide, None);
    // The camera goes on to where it touches: 0.02 m.
    let camera = test(CAMERA, [0.1, 0.0, 0.0]);
    assert_after(camera, Adjusted, [-0.08, 0.0, 0.0], Some([-1.0, 0.0, 0.0]));
    assert_after(test(CAMERA, [0.01, 0.0, 0.0]), Ok, [0.0; 3], None);
}

/// 5.3.2, 5.3.3: a low sphere is climbed; straight above or below one, a slide is a push to the side that it came from.
#[test]
fn a_sphere_is_climbed_or_left_upwards() {
    use TransitionState::{Collided, Ok, Slid};
    let test = |z: f32, from: [f32; 3], to: [f32; 3]| {
        probe(WALKER, [from, to], |transition| transition.test_sphere(&ball(z), false))
    };
    // 0.305 m above the lowest point of the foot, which stands on the land.
    assert_after(test(-0.2, [0.0, 0.0, 0.005], [0.3, 0.0, 0.005]), Ok, [0.0; 3], None);
    // Its foot comes down from 0.5 m to 0.3 m above the centre, which is too deep for a step.
    let above = test(0.475, [1.0, 0.0, 0.5], [1.0, 0.0, 0.3]);
    assert_after(above, Slid, [0.0, 0.0, 0.2], Some([0.0, 0.0, 1.0]));
    let below = test(1.475, [1.0, 0.0, 0.5], [1.0, 0.0, 0.7]);
    assert_after(below, Collided, [0.0; 3], Some([0.0, 0.0, -1.0]));
}

/// 5.3.4, 5.3.6: a sphere that only the head hits, at 1.35 m.
#[test]
fn a_sphere_is_met_by_the_head() {
    use TransitionState::{Collided, Ok, Slid};
    let high = Sphere { origin: point([1.0, 0.0, 1.35 + 0.5]), radius: 0.5 };
    let test =
        |flags, to: [f32; 3]| probe(flags, [[0.0; 3], to], |transition| transition.test_sphere(&high, false));
    // 0.866 m by 0.5 m: the sum of the radii, 0.98 m, is reached at 0.843 m to the west.
    assert_after(test(WALKER, [0.1, 0.0, 0.0]), Ok, [0.0; 3], None);
    let normal = [-0.894_4, 0.0, -0.447_2];
    assert_after(test(WALKER, [0.2, 0.1, 0.0]), Slid, [-0.2, 0.0, 0.0], Some(normal));
    assert_after(test(AIRBORNE, [0.2, 0.0, 0.0]), Collided, [0.0; 3], Some(normal));
    assert_after(test(MISSILE, [0.2, 0.0, 0.0]), Ok, [0.0; 3], None);
}

/// 5.3.1 to 5.3.3 of the dispatch: tests for room, for ground and in a step down.
#[test]
fn a_sphere_is_met_by_a_probe() {
    use TransitionState::{Adjusted, Collided, Ok};
    let test = |to: [f32; 3], is_creature: bool, mode: &dyn Fn(&mut Transition<'_>)| {
        probe(WALKER, [[0.0; 3], to], |transition| {
            mode(transition);
            transition.test_sphere(&ball(0.0), is_creature)
        })
    };
    let overlap: [&dyn Fn(&mut Transition<'_>); 3] = [
        &|transition| transition.path_mut().obstruction_ethereal = true,
        &|transition| transition.path_mut().insert_type = InsertType::Placement,
        &|transition| transition.path_mut().check_walkable = true,
    ];
    for mode in overlap {
        for is_creature in [true, false] {
            assert_after(test([0.3, 0.0, 0.0], is_creature, mode), Collided, [0.0; 3], None);
            assert_after(test([0.1, 0.0, 0.0], is_creature, mode), Ok, [0.0; 3], None);
        }
    }
    // 5.3.5: straight above the ball, the foot is lifted to 0.98 m above its centre.
    let step = |amount: f32| {
        move |transition: &mut Transition<'_>| {
            let path = transition.path_mut();
            (path.step_down, path.step_down_amount, path.walk_interp) = (true, amount, 1.0);
            path.walkable_allowance = LANDING_Z;
        }
    };
    let onto = test([1.0, 0.0, 0.2], false, &step(0.6));
    assert_after(onto, Adjusted, [0.0, 0.0, 0.98 - 0.675], None);
    let contact = onto.contact.unwrap();
    assert!(
        (contact.plane.normal - UP).length() < 1e-4 && (contact.plane.d + 0.5).abs() < 1e-3,
        "{contact:?}"
    );
    assert_eq!((contact.cell, contact.is_water), (CELL, true));
    assert!((onto.interp - (1.0 - 0.305 / 0.6)).abs() < 1e-3, "4.3: {onto:?}");
    assert_after(test([1.0, 0.588, 0.2], false, &step(0.6)), Adjusted, [0.0, 0.0, 0.784 - 0.675], None);
    // Beside it, by 0.588 m: the lift is less, and the top slopes.
    let beside = test([1.588, 0.0, 0.2], false, &step(0.6));
    assert_after(beside, Adjusted, [0.0, 0.0, 0.784 - 0.675], None);
    assert!((beside.contact.unwrap().plane.normal - Vec3::new(0.6, 0.0, 0.8)).length() < 1e-3);
    assert_after(test([1.0, 0.0, 0.2], true, &step(0.6)), Ok, [0.0; 3], None);
    // 4.3: at most 1.1 times the step, and not downwards.
    assert_after(test([1.0, 0.0, 0.2], false, &step(0.27)), Collided, [0.0; 3], None);
    assert_after(test([1.0, 0.0, 0.2], false, &step(0.28)), Adjusted, [0.0, 0.0, 0.305], None);
    assert_after(test([1.0, 0.0, 0.2], false, &step(0.0)), Collided, [0.0; 3], None);
    // Too steep: nothing to stand on, and nothing in the way.
    let steep = test([1.0 + 0.978, 0.0, -0.44], false, &step(0.6));
    assert_after(steep, Ok, [0.0; 3], None);
    assert_eq!(steep.contact, None);
}

/// 5.3.8: a landing leads back along the way to where the foot touches.
#[test]
fn a_body_lands_on_a_sphere() {
    use TransitionState::{Adjusted, Collided, Ok};
    let land = |from: [f32; 3], to: [f32; 3], is_creature: bool| {
        probe(AIRBORNE, [from, to], |transition| {
            let path = transition.path_mut();
            (path.collide, path.walk_interp, path.walkable_allowance) = (true, 1.0, LANDING_Z);
            transition.test_sphere(&ball(0.0), is_creature)
        })
    };
    // The foot, 0.475 m above the origin, touches at a height of 0.98 m.
    let landed = land([1.0, 0.0, 0.6], [1.0, 0.0, 0.3], false);
    assert_after(landed, Adjusted, [0.0, 0.0, 0.98 - 0.775], None);
    let contact = landed.contact.unwrap();
    assert!((contact.plane.normal - UP).length() < 1e-3 && contact.is_water, "{contact:?}");
    assert!((landed.interp - (1.0 - 0.205 / 0.3)).abs() < 1e-3, "{landed:?}");
    // The plane goes through the lowest point before the body is moved.
    assert!((contact.plane.d + 0.775 - 0.48).abs() < 1e-3, "{contact:?}");
    assert_eq!(land([1.0, 0.0, 0.6], [1.0, 0.0, 0.3], true).state, Ok, "not on a creature");
    assert_eq!(land([1.0, 0.0, 0.3], [1.0, 0.0, 0.3], false).state, Collided, "without a way");
    assert_eq!(land([1.0, 0.0, 0.1], [1.0, 0.0, 0.3], false).state, Collided, "upwards");
    let side = land([-0.1, 0.0, -0.475], [0.1, 0.0, -0.475], false);
    assert_after(side, Ok, [0.0; 3], None);
    assert_eq!(side.contact, None, "its side is too steep");
}

/// 5.3.8: where the way back leads through the ball, and the root is greater than 1 before it is divided, the first of both
/// roots counts: it is the underside that the foot touches, on which nothing can stand.
#[test]
fn a_body_that_fell_through_a_sphere_does_not_land_on_it() {
    // Only the head is in the ball: the foot, 0.475 m above the origin, is 1 m below its centre, after 3 m. On the way back
    // it touches the ball after 0.02 m and leaves it after 1.98 m. The greater root is 1.98 m · 3 m.
    let after = probe(AIRBORNE, [[1.0, 0.0, 1.525], [1.0, 0.0, -1.475]], |transition| {
        let path = transition.path_mut();
        (path.collide, path.walk_interp, path.walkable_allowance) = (true, 1.0, LANDING_Z);
        transition.test_sphere(&ball(0.0), false)
    });
    assert_after(after, TransitionState::Ok, [0.0; 3], None);
    assert_eq!(after.contact, None);
}

/// 5.3.6: the normal of a collision of very small spheres is as long as any other: a marble of 5 mm that follows its way to
/// where it touches another one.
#[test]
fn the_normal_at_a_very_small_sphere_has_unit_length() {
    let (scene, mut shape) = (level(), human());
    shape.set_spheres(&[Sphere { origin: Vec3::ZERO, radius: 0.005 }]);
    let mover = Mover::new(GUID, &shape, 1.0, PhysicsState::empty(), CAMERA);
    let (from, to, mut touched) = (at([-0.02, 0.0, 1.0]), at([-0.005, 0.0, 1.0]), Vec::new());
    let mut transition = Transition::for_sweep(&scene, &NoObstacles, &mover, &from, &to, &mut touched);
    transition.path_mut().set_check(to, Some(CELL));
    let marble = Sphere { origin: point([0.0, 0.0, 1.0]), radius: 0.005 };
    assert_eq!(transition.test_sphere(&marble, false), TransitionState::Adjusted);
    assert!((transition.info().collision_normal - WEST).length() < 1e-3, "{:?}", transition.info());
    let stopped = transition.path().check().frame.origin - marble.origin;
    assert!((stopped - WEST * 0.01).length() < 1e-4, "{stopped:?}");
}

/// 5.4.7: the camera does not adjust to a side that it hardly moves towards.
#[test]
fn the_camera_stops_at_a_cylinder_that_it_hardly_approaches() {
    // The sum of the radii, 0.98 m, is reached half way.
    let after = probe(CAMERA, [[0.015, 0.0, 2.0], [0.025, 0.0, 2.0]], |transition| {
        transition.test_cylinder(&post(2.0), Quat::IDENTITY)
    });
    assert_after(after, TransitionState::Collided, [0.0; 3], None);
}

/// A post of 0.5 m radius and 1 m height, 1 m to the east of the body's start.
fn post(z: f32) -> CylSphere {
    CylSphere { origin: point([1.0, 0.0, z]), radius: 0.5, height: 1.0 }
}

/// 5.4: the same of a cylinder.
#[test]
fn a_cylinder_is_met_by_a_body_that_is() {
    use TransitionState::{Adjusted, Collided, Ok, Slid};
    let test = |flags, z: f32, from: [f32; 3], to: [f32; 3]| {
        probe(flags, [from, to], |transition| transition.test_cylinder(&post(z), Quat::IDENTITY))
    };
    let start = [0.0; 3];
    assert_after(test(WALKER, 0.0, start, [0.01, 0.0, 0.0]), Ok, [0.0; 3], None);
    assert_after(test(WALKER, 0.0, start, [0.1, 0.0, 0.0]), Collided, [0.0; 3], Some([-1.0, 0.0, 0.0]));
    assert_after(test(WALKER, 0.0, start, [0.1, 0.1, 0.0]), Slid, [-0.1, 0.0, 0.0], Some([-1.0, 0.0, 0.0]));
    assert_after(test(MISSILE, 0.0, start, [0.1, 0.0, 0.0]), Collided, [0.0; 3], Some([-1.0, 0.0, 0.0]));
    assert_after(test(AIRBORNE, 0.0, start, [0.1, 0.0, 0.0]), Adjusted, [0.0; 3], None);
    assert_eq!(test(AIRBORNE, 0.0, start, [0.1, 0.0, 0.0]).collide, Some(LANDING_Z));
    // Above and below it: the foot reaches from −0.005 to 0.955.
    assert_after(test(WALKER, -1.01, start, [0.1, 0.0, 0.0]), Ok, [0.0; 3], None);
    assert_after(test(MISSILE, -0.99, start, [0.1, 0.0, 0.0]), Collided, [0.0; 3], Some([-1.0, 0.0, 0.0]));
    // The head, up to 1.83 m, does not count for missiles, and slides along.
    assert_after(test(MISSILE, 0.97, start, [0.1, 0.0, 0.0]), Ok, [0.0; 3], None);
    assert_after(test(WALKER, 0.97, start, [0.1, 0.1, 0.0]), Slid, [-0.1, 0.0, 0.0], Some([-1.0, 0.0, 0.0]));
    assert_after(test(AIRBORNE, 0.97, start, [0.1, 0.0, 0.0]), Collided, [0.0; 3], Some([-1.0, 0.0, 0.0]));
    assert_after(test(WALKER, 1.85, start, [0.1, 0.0, 0.0]), Ok, [0.0; 3], None);
    // 5.4.1: from above or from below, the normal is that of the end.
    let above = test(MISSILE, 0.0, [1.0, 0.0, 1.2], [1.0, 0.0, 0.9]);
    assert_after(above, Collided, [0.0; 3], Some([0.0, 0.0, 1.0]));
    let below = test(MISSILE, 1.2, [1.0, 0.0, 0.0], [1.0, 0.0, 0.4]);
    assert_after(below, Collided, [0.0; 3], Some([0.0, 0.0, -1.0]));
}

/// 5.4.7: the camera goes on to where it touches the side or an end.
#[test]
fn the_camera_touches_a_cylinder() {
    use TransitionState::{Adjusted, Collided};
    let test = |from: [f32; 3], to: [f32; 3]| {
        probe(CAMERA, [from, to], |transition| transition.test_cylinder(&post(2.0), Quat::IDENTITY))
    };
    // The side, at a distance of 0.98 m.
    assert_after(test([0.0, 0.0, 2.0], [0.1, 0.0, 2.0]), Adjusted, [-0.08, 0.0, 0.0], Some([-1.0, 0.0, 0.0]));
    // 0.784 m to the south of its axis: it touches 0.588 m to the west.
    let beside = test([0.4, -0.784, 2.0], [0.45, -0.784, 2.0]);
    assert_after(beside, Adjusted, [-0.038, 0.0, 0.0], Some([-0.6, -0.8, 0.0]));
    // The top is at 3 m: the foot, 0.475 m above the origin, stops at 3.48 m. The bottom is at 2 m.
    assert_after(test([1.0, 0.0, 3.2], [1.0, 0.0, 2.9]), Adjusted, [0.0, 0.0, 0.105], Some([0.0, 0.0, 1.0]));
    assert_after(
        test([1.0, 0.0, 0.9], [1.0, 0.0, 1.2]),
        Adjusted,
        [0.0, 0.0, -0.155],
        Some([0.0, 0.0, -1.0]),
    );
    // 5.4.1: from outside of the barrel and above it, it may be either: here the top,
    let slanted = test([-0.2, 0.0, 3.4], [0.6, 0.0, 2.6]);
    let time = (0.48 + 3.0 - 3.875) / -0.8;
    assert_after(slanted, Adjusted, [0.8 * (time - 1.0), 0.0, -0.8 * (time - 1.0)], Some([0.0, 0.0, 1.0]));
    // and here the side.
    let shallow = test([-0.2, 0.0, 3.025], [0.6, 0.0, 2.825]);
    let time = 0.22 / 0.8;
    assert_after(shallow, Adjusted, [0.8 * (time - 1.0), 0.0, -0.2 * (time - 1.0)], Some([-1.0, 0.0, 0.0]));
    // It does not go back behind where it came from.
    assert_after(test([1.0, 0.0, 2.4], [1.0, 0.0, 2.3]), Collided, [0.0; 3], None);
}

/// 5.4.4, 5.4.6: stepping and landing on a cylinder.
#[test]
fn a_body_stands_on_a_cylinder() {
    use TransitionState::{Adjusted, Collided, Ok};
    let step = |to: [f32; 3], amount: f32| {
        probe(WALKER, [[0.0; 3], to], |transition| {
            let path = transition.path_mut();
            (path.step_down, path.step_down_amount, path.walk_interp) = (true, amount, 1.0);
            transition.test_cylinder(&post(-0.5), Quat::IDENTITY)
        })
    };
    // The top is at 0.5 m, the lowest point of the foot 5 mm below the origin.
    let onto = step([1.0, 0.0, 0.2], 0.6);
    assert_after(onto, Adjusted, [0.0, 0.0, 0.305], None);
    let contact = onto.contact.unwrap();
    assert!(contact.plane.normal == UP && (contact.plane.d + 0.5).abs() < 1e-4, "{contact:?}");
    assert_eq!((contact.cell, contact.is_water), (CELL, true));
    assert_eq!(step([1.0, 0.0, 0.2], 0.27).state, Collided, "4.3: more than 1.1 times the step");
    assert_eq!(step([1.0, 0.0, 0.2], 0.28).state, Adjusted);
    assert_eq!(step([1.0, 0.0, 0.2], 0.0).state, Collided);
    assert_eq!(step([1.99, 0.0, 0.2], 0.6).state, Ok, "beside it");

    let land = |from: [f32; 3], to: [f32; 3]| {
        probe(AIRBORNE, [from, to], |transition| {
            let path = transition.path_mut();
            (path.collide, path.walk_interp) = (true, 1.0);
            transition.test_cylinder(&post(-0.5), Quat::IDENTITY)
        })
    };
    let landed = land([0.9, 0.0, 0.6], [1.0, 0.0, 0.3]);
    let share = 0.205 / 0.3;
    assert_after(landed, Adjusted, [-0.1 * share, 0.0, 0.205], None);
    assert!((landed.contact.unwrap().plane.d + 0.5).abs() < 1e-4, "{landed:?}");
    assert_eq!(land([0.9, 0.0, 0.3], [1.0, 0.0, 0.3]).state, Collided, "level");
    assert_eq!(land([1.0, 0.0, 0.1], [1.0, 0.0, 0.3]).state, Collided, "upwards");
    assert_eq!(land([-0.5, 0.0, 0.32], [0.3, 0.0, 0.3]).state, Ok, "back there it is beside the top");
}

/// 5.1: the lowest point of the foot against land.
#[test]
fn land_lifts_a_body() {
    use TransitionState::{Adjusted, Collided, Ok};
    let steep = Vec3::new(0.8, 0.0, 0.6);
    let test = |flags, normal: Vec3, depth: f32, z: f32, mode: &dyn Fn(&mut Transition<'_>)| {
        let plane = Plane::through(point([0.0; 3]), normal);
        probe(flags, [[0.0, 0.0, 1.0], [0.0, 0.0, z]], |transition| {
            mode(transition);
            let land = Land { plane, is_water: depth > 0.0, depth, cell: CELL };
            let centre = transition.path().spheres()[0].origin;
            transition.test_land(centre, &land)
        })
    };
    let plain = |_: &mut Transition<'_>| ();
    assert_after(test(AIRBORNE, UP, 0.0, 0.006, &plain), Ok, [0.0; 3], None);
    let touching = test(AIRBORNE, UP, 0.0, 0.005, &plain);
    assert_after(touching, Ok, [0.0; 3], Some([0.0, 0.0, 1.0]));
    assert!(!touching.contact.unwrap().is_water && touching.environment);
    assert!(!test(WALKER, UP, 0.0, 0.005, &plain).environment);
    assert_after(test(AIRBORNE, UP, 0.0, -0.2, &plain), Adjusted, [0.0, 0.0, 0.205], Some([0.0, 0.0, 1.0]));
    assert_after(test(WALKER, UP, 0.0, -0.2, &plain), Adjusted, [0.0, 0.0, 0.205], None);
    let water = test(WALKER, UP, 0.9, -1.0, &plain);
    assert_after(water, Adjusted, [0.0, 0.0, 0.105], None);
    assert!(water.contact.unwrap().is_water);
    // 5.1.3e: a walker is not lifted out of land that is too steep; others are, straight up.
    let refused = test(WALKER, steep, 0.0, -0.2, &plain);
    assert_after(refused, Ok, [0.0; 3], None);
    assert_eq!(refused.contact, None);
    assert_after(
        test(AIRBORNE, steep, 0.0, -0.2, &plain),
        Adjusted,
        [0.0, 0.0, 0.205],
        Some([0.8, 0.0, 0.6]),
    );
    let sliding = test(MoverFlags::CONTACT, steep, 0.0, -0.2, &plain);
    assert_after(sliding, Adjusted, [0.0, 0.0, 0.205], None);
    // 4.4: a probe for ground ends below it.
    let probing = |transition: &mut Transition<'_>| transition.path_mut().check_walkable = true;
    assert_after(test(WALKER, UP, 0.0, -0.2, &probing), Collided, [0.0; 3], None);
    assert_eq!(test(WALKER, UP, 0.0, 0.005, &probing).state, Ok);
    // 4.3: a step down uses up its height, up to 1.1 times.
    let step = |amount: f32| {
        move |transition: &mut Transition<'_>| {
            let path = transition.path_mut();
            (path.step_down, path.step_down_amount, path.walk_interp) = (true, amount, 1.0);
        }
    };
    let stepped = test(AIRBORNE, UP, 0.0, -0.2, &step(0.2));
    assert_after(stepped, Adjusted, [0.0, 0.0, 0.205], None);
    assert!((stepped.interp + 0.025).abs() < 1e-3 && !stepped.environment, "{stepped:?}");
    let refused = test(AIRBORNE, UP, 0.0, -0.2, &step(0.18));
    assert_after(refused, Collided, [0.0; 3], None);
    assert!(refused.contact.is_some(), "the plane stays");
    assert!(test(WALKER, steep, 0.0, -0.2, &step(0.6)).contact.is_some(), "a step meets steep land, too");
}

/// 5.1: the camera is moved back along its way. Its sphere here is the foot, of 0.48 m.
#[test]
fn land_stops_the_camera() {
    use TransitionState::{Adjusted, Ok};
    let test = |to: [f32; 3]| {
        let land = Land { plane: Plane::new(UP, 0.0), is_water: false, depth: 0.0, cell: CELL };
        probe(CAMERA, [[0.0, 0.0, 0.505], to], |transition| {
            let centre = transition.path().spheres()[0].origin;
            transition.test_land(centre, &land)
        })
    };
    assert_after(test([0.5, 0.0, 0.01]), Ok, [0.0; 3], None);
    // From 0.98 m to 0.38 m: half a metre above the ground is left after five sixths of the way.
    let stopped = test([0.6, 0.0, -0.095]);
    assert_after(stopped, Adjusted, [-0.1, 0.0, 0.1], Some([0.0, 0.0, 1.0]));
}

/// 3.4.
#[test]
fn an_offset_follows_what_the_body_stands_on_and_slides_along() {
    let adjust = |contact: Option<Vec3>, sliding: Option<Vec3>, offset: [f32; 3]| {
        let mut adjusted = Vec3::ZERO;
        let mut valid = false;
        let after = probe(WALKER, [[0.0, 0.0, 0.005]; 2], |transition| {
            let info = transition.info_mut();
            info.contact_valid = contact.is_some();
            info.contact.plane = Plane::new(contact.unwrap_or(UP), -1000.0);
            info.sliding_valid = sliding.is_some();
            info.sliding_normal = sliding.unwrap_or_default();
            adjusted = transition.adjust_offset(offset.into());
            valid = transition.info().sliding_valid;
            TransitionState::Ok
        });
        assert_eq!(after.moved, Vec3::ZERO, "far below the plane it is not lifted");
        (adjusted, valid)
    };
    let near = |(got, _): (Vec3, bool), expected: [f32; 3]| (got - Vec3::from(expected)).length() < 1e-5;
    // 11.15.
    assert!(near(adjust(Some(UP), None, [0.1, 0.0, -0.05]), [0.1, 0.0, 0.0]));
    assert!(near(adjust(Some(UP), None, [0.1, 0.0, 0.05]), [0.1, 0.0, 0.0]));
    assert!(near(adjust(Some(UP), Some(WEST), [1.0, 1.0, 0.0]), [0.0, 1.0, 0.0]));
    assert!(near(adjust(Some(UP), Some(UP), [1.0, 1.0, -1.0]), [0.0; 3]), "no crease");
    assert!(near(adjust(None, Some(WEST), [1.0, 1.0, -0.5]), [0.0, 1.0, -0.5]));
    assert!(near(adjust(None, None, [1.0, 1.0, -0.5]), [1.0, 1.0, -0.5]));
    // Away from the surface it does not slide any more.
    assert_eq!(adjust(None, Some(WEST), [-1.0, 1.0, 0.0]), (Vec3::new(-1.0, 1.0, 0.0), false));
    assert!(adjust(None, Some(WEST), [1.0, 1.0, 0.0]).1);
    // 11.2: uphill it is projected, downhill only its height follows.
    let slope = Vec3::new(-0.6, 0.0, 0.8);
    assert!(near(adjust(Some(slope), None, [0.1, 0.0, 0.0]), [0.064, 0.0, 0.048]));
    assert!(near(adjust(Some(slope), None, [-0.1, 0.0, 0.0]), [-0.1, 0.0, -0.075]));
    assert!(near(adjust(Some(-WEST), None, [0.1, 0.0, 0.05]), [0.1, 0.0, 0.05]), "along no wall");
}

/// 4.1: a curb that is climbed and left again within one sweep: the step up ends before the step down begins.
#[test]
fn a_curb_is_walked_over_in_one_sweep() {
    let curb = TestObstacle::block([0.0, -6.0, 0.0], [0.1, 6.0, 0.3]);
    let mut walker = Fixture::new(level(), vec![curb], human(), [-0.5, 0.0, 0.005]).standing();
    walker.assert_walks([1.2, 0.0, 0.0], &[[0.7, 0.0, 0.005]]);
    assert!(walker.body.is_standing());
}

/// 4.1: a step up that fails leaves nothing behind, not even on a slope: the body slides as along a plain wall.
#[test]
fn a_failed_step_up_on_a_slope_slides_as_along_a_wall() {
    let (sin, cos) = libm::sincosf(20f32.to_radians());
    let walk = |obstacles: Vec<TestObstacle>| {
        let ground = slopes(20.0, 20.0);
        let mut walker = Fixture::new(ground, obstacles, human(), [0.0, -0.5, 0.005])
            .standing_on(Vec3::new(-sin, 0.0, cos), [0.0; 3]);
        assert!(walker.push([0.1, 0.1, 0.0]));
        walker.assert_slides([0.0, -1.0, 0.0]);
        walker.at()
    };
    let wall = || TestObstacle::block([-4.0, 0.0, -2.0], [4.0, 1.0, 4.0]);
    let step = TestObstacle::block([-4.0, 0.0, -2.0], [4.0, 1.0, 0.3]);
    let ceiling = TestObstacle::block([-4.0, -0.3, 2.05], [4.0, 1.0, 3.0]);
    let (plain, refused) = (walk(vec![wall()]), walk(vec![step, ceiling]));
    for axis in 0..3 {
        assert!((plain[axis] - refused[axis]).abs() < 1e-3, "{plain:?}, {refused:?}");
    }
}

/// 4.1, 4.9: what is too steep to walk on is no step, so the top behind a steep edge is what is climbed.
#[test]
fn a_step_with_a_steep_edge_is_climbed() {
    let edge = [[0.0, -3.0, 0.0], [0.15, -3.0, 0.3], [0.15, 3.0, 0.3], [0.0, 3.0, 0.0]];
    let top = [[0.15, -3.0, 0.3], [3.0, -3.0, 0.3], [3.0, 3.0, 0.3], [0.15, 3.0, 0.3]];
    for faces in [[&edge[..], &top[..]], [&top[..], &edge[..]]] {
        let step = TestObstacle::polygons(&faces, MeshKind::Open);
        let mut walker = Fixture::new(level(), vec![step], human(), [-0.5, 0.0, 0.005]).standing();
        for _ in 0..8 {
            walker.push([0.1, 0.0, 0.0]);
            assert!(walker.body.is_standing(), "{:?}", walker.at());
        }
        assert!((walker.at()[2] - 0.305).abs() < 1e-3, "{:?}", walker.at());
    }
}

/// 4.8, 5.3.2: the normal that a sphere is climbed with is not of unit length. The slide after it takes no notice.
#[test]
fn a_slide_along_a_low_sphere_is_as_long_as_its_tangent() {
    let ball = TestObstacle::sphere([0.0, 0.0, 0.2], 0.3);
    let ceiling = TestObstacle::block([-2.0, -6.0, 1.9], [8.0, 6.0, 2.5]);
    let walker = Fixture::new(level(), vec![ball, ceiling], human(), [-0.75, 0.0, 0.005]).standing();
    let mover = walker.body.mover(GUID, &walker.shape, MoverFlags::empty());
    let obstacles: Vec<_> = walker.obstacles.iter().map(TestObstacle::obstacle).collect();
    let mut to = walker.body.position;
    to.frame.origin += Vec3::new(0.1, 0.05, 0.0);
    let trace =
        walker.scene.trace_sweep(&mover, &walker.body.position, &to, &ObstacleList(&obstacles)).unwrap();
    let slid = trace.notes().iter().find_map(|note| match note {
        SweepNote::Contact { normal: Some(normal), slid, .. } => Some((*normal, *slid)),
        _ => None,
    });
    let (normal, slid) = slid.unwrap();
    assert!((slid - 0.05).abs() < 1e-3, "{trace:?}");
    assert!((normal - Vec3::new(-0.75, 0.0, 0.28).normalized().unwrap()).length() < 1e-3, "{normal:?}");
}

/// 3.9.7, 6.2: on the border of two slopes, of which one is too steep, the ground under the foot decides.
#[test]
fn a_body_on_steep_land_is_not_on_walkable_ground() {
    let stand = |scene: &Scene, z: f32| {
        let mut falling =
            Fixture::new(scene.clone(), vec![], human(), [6.0, 0.0, z]).falling([0.0, 0.0, -1.0]);
        falling.fall();
        (falling.body.has_contact(), falling.body.is_on_walkable())
    };
    let rise = |degrees: f32| 6.0 * libm::tanf(degrees.to_radians());
    assert_eq!(stand(&slopes(0.0, 48.0), rise(48.0) + 0.006), (true, true));
    assert_eq!(stand(&slopes(0.0, 49.0), rise(49.0) + 0.006), (true, false));
    let mut builder = SceneBuilder::new(&[0.0; 256]);
    builder.add_land(0x7F7F, &[0; 81], &[Terrain(0); 81]);
    assert_eq!(stand(&builder.finish(), 0.006), (true, true));
}

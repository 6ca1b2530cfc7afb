//! The worked examples of `docs/collision.md` 11, tick by tick.

use crate::collide_fixture;

use acmotion::components::{PhysicsState, TransientState};
use acmotion::dat::Sphere;
use acmotion::dat::builder::MeshKind as MeshBody;
use acmotion::internals::collide::{FLOOR_Z, SearchRings};
use acmotion::scene::Shape;
use acmotion::types::Vec3;
use collide_fixture::{Fixture, TestObstacle, UP, abyss, human, level, short_legged, slopes};

const EAST: [f32; 3] = [0.1, 0.0, 0.0];

/// A wall in the plane x = 0 that faces west, without thickness.
fn wall() -> TestObstacle {
    sheet(0.0)
}

/// The same wall from a height upwards.
fn sheet(low: f32) -> TestObstacle {
    let corners = [[0.0, -9.0, low], [0.0, -9.0, 5.0], [0.0, 9.0, 5.0], [0.0, 9.0, low]];
    TestObstacle::polygons(&[&corners], MeshBody::Open)
}

/// 11.1: in one sub-step or in three, on land and on polygons.
#[test]
fn walking_on_level_ground_keeps_the_full_displacement() {
    let floor = [[-9.0, -9.0, 0.5], [9.0, -9.0, 0.5], [9.0, 9.0, 0.5], [-9.0, 9.0, 0.5]];
    let floor = TestObstacle::polygons(&[&floor], MeshBody::Open);
    for (obstacles, z) in [(Vec::new(), 0.005), (vec![floor], 0.505)] {
        let mut fixture = Fixture::new(level(), obstacles, human(), [0.0, 0.0, z]).standing();
        fixture.assert_walks(EAST, &[[0.1, 0.0, z]]);
        assert_eq!(fixture.body.contact_plane.normal, UP);
        fixture.assert_walks([1.2, 0.0, 0.0], &[[1.3, 0.0, z]]);
        assert!(fixture.body.is_standing());
    }
}

/// 11.2: uphill the displacement shrinks by cos² of the slope, downhill it does not. The first step onto a slope still
/// uses the old plane.
#[test]
fn sloped_land_shortens_the_displacement_uphill_only() {
    let normal = Vec3::new(-0.5, 0.0, 0.866_025_4);
    let on_slope =
        || Fixture::new(slopes(30.0, 30.0), vec![], human(), [0.0, 0.0, 0.005]).standing_on(normal, [0.0; 3]);
    on_slope()
        .assert_walks(EAST, &[[0.075, 0.0, 0.048_301], [0.15, 0.0, 0.091_603], [0.225, 0.0, 0.134_904]]);
    let down = [[-0.1, 0.0, -0.052_735], [-0.2, 0.0, -0.110_470], [-0.3, 0.0, -0.168_205]];
    on_slope().assert_walks([-0.1, 0.0, 0.0], &down);
    let mut walker = Fixture::new(slopes(0.0, 30.0), vec![], human(), [-0.15, 0.0, 0.005]).standing();
    walker.assert_walks(
        EAST,
        &[
            [-0.05, 0.0, 0.005],
            [0.05, 0.0, 0.033_868],
            [0.125, 0.0, 0.077_169],
            [0.2, 0.0, 0.120_470],
            [0.275, 0.0, 0.163_771],
        ],
    );
}

/// In a recording, 43 frames of running up a rise of 0.0707 per metre cover 5.70437 m; downhill they cover as much as
/// on level ground (rule Q10).
#[test]
fn running_uphill_is_as_slow_as_recorded() {
    let degrees = libm::atanf(0.0707).to_degrees();
    let normal = Vec3::new(-0.0707, 0.0, 1.0).normalized().unwrap();
    let stride = 5.704_37 / (normal.z * normal.z) / 43.0;
    for (stride, distance) in [(stride, 5.704_37), (-stride, -43.0 * stride)] {
        let mut runner = Fixture::new(slopes(degrees, degrees), vec![], human(), [0.0, 0.0, 0.005])
            .standing_on(normal, [0.0; 3]);
        for _ in 0..43 {
            assert!(runner.push([stride, 0.0, 0.0]));
        }
        let [x, _, z] = runner.at();
        assert!((x - distance).abs() < 1e-3, "{x}");
        assert!((z - 0.005 - 0.0707 * x).abs() < 1e-3, "not on the ground: {z}");
    }
}

/// 11.3: ground that is too steep acts as a wall uphill, and as an edge to slide along downhill.
#[test]
fn too_steep_ground_holds_a_walker() {
    let west = [-1.0, 0.0, 0.0];
    let start =
        |east| Fixture::new(slopes(0.0, east), vec![], short_legged(), [-0.15, 0.0, 0.005]).standing();
    for east in [50.0, -50.0] {
        let mut walker = start(east);
        walker.assert_walks(EAST, &[[-0.05, 0.0, 0.005]]);
        walker.assert_held(EAST, west);
    }
    let diagonal = [0.1, 0.05, 0.0];
    let mut up = start(50.0);
    for (y, slides) in [(0.05, false), (0.05, true), (0.1, false), (0.1, true), (0.15, false)] {
        up.assert_walks(diagonal, &[[-0.05, y, 0.005]]);
        assert_eq!(up.slides().is_some(), slides, "slides every second tick");
    }
    let mut down = start(-50.0);
    for (y, slides) in [(0.05, false), (0.1, true), (0.15, false), (0.2, true)] {
        down.assert_walks(diagonal, &[[-0.05, y, 0.005]]);
        assert_eq!(down.slides().is_some(), slides, "slides within the tick");
    }
    let (sin, cos) = libm::sincosf(50f32.to_radians());
    assert!(cos < FLOOR_Z);
    let on_it = Fixture::new(slopes(50.0, 50.0), vec![], short_legged(), [0.0, 0.0, 0.005]);
    let mut on_it = on_it.standing_on(Vec3::new(-sin, 0.0, cos), [0.0; 3]);
    on_it.assert_walks(EAST, &[[0.041_318, 0.0, 0.320_988]]);
    assert!(!on_it.body.has_contact(), "lifted off, and the small step down does not reach the ground again");
}

/// A step: a block that starts at x = 0. In the tree of the project's own builder its top comes last.
fn step(height: f32) -> TestObstacle {
    TestObstacle::block([0.0, -6.0, 0.0], [8.0, 6.0, height])
}

/// Walks against a step. Returns the x at which the body is first on top; `None` if it does not climb it.
fn climbs(shape: Shape, height: f32, stride: f32) -> Option<f32> {
    let start = if stride > 0.15 { -0.9 } else { -0.85 };
    let mut walker = Fixture::new(level(), vec![step(height)], shape, [start, 0.0, 0.005]).standing();
    for _ in 0..12 {
        walker.push([stride, 0.0, 0.0]);
        let [x, _, z] = walker.at();
        if z > 0.1 {
            assert!((z - height - 0.005).abs() < 3e-4, "not on top: {z}");
            return Some((x * 100.0).round() / 100.0);
        }
    }
    walker.assert_slides([-1.0, 0.0, 0.0]);
    None
}

/// 11.4: a step is climbed up to one and a half times the step height (4.3), if the foot sphere reaches its top.
#[test]
fn steps_are_climbed_up_to_one_and_a_half_step_heights() {
    assert_eq!(climbs(short_legged(), 0.3, 0.1), Some(-0.35));
    assert_eq!(climbs(short_legged(), 0.39, 0.1), Some(-0.45));
    assert_eq!(climbs(short_legged(), 0.59, 0.1), Some(-0.45), "just below 1.5 times");
    assert_eq!(climbs(short_legged(), 0.61, 0.1), None);
    assert_eq!(climbs(human(), 0.3, 0.1), Some(-0.35));
    assert_eq!(climbs(human(), 0.5, 0.1), Some(-0.45));
    assert_eq!(climbs(human(), 0.75, 0.1), None, "the foot sphere does not reach the top");
    assert_eq!(climbs(human(), 0.75, 0.2), Some(-0.3), "with a longer stride it does");
    assert_eq!(climbs(human(), 0.85, 0.2), Some(-0.3));
    assert_eq!(climbs(human(), 0.89, 0.2), None);
    assert_eq!(climbs(human(), 0.91, 0.2), None);
}

/// 11.4, second half: on a step higher than its step down, a body is held at the edge, because its centre overhangs too
/// far.
#[test]
fn a_body_is_held_at_the_edge_of_a_high_step() {
    let mut walker = Fixture::new(level(), vec![step(0.55)], short_legged(), [-0.55, 0.0, 0.005]).standing();
    walker.assert_walks(EAST, &[[-0.45, 0.0, 0.555]]);
    walker.assert_held(EAST, [-1.0, 0.0, 0.0]);
}

/// 11.5.
#[test]
fn stairs_are_walked_up_and_down() {
    let stairs: Vec<_> = (0..4u8)
        .map(|tread| {
            let (x, z) = (f32::from(tread) * 0.3, f32::from(tread) * 0.2 + 0.2);
            TestObstacle::block([x, -6.0, 0.0], [if tread == 3 { 6.0 } else { x + 0.3 }, 6.0, z])
        })
        .collect();
    let mut walker = Fixture::new(level(), stairs, human(), [-0.6, 0.0, 0.005]).standing();
    let mut heights = Vec::new();
    for _ in 0..16 {
        assert!(walker.push(EAST));
        heights.push((walker.at()[2] * 10.0).round() / 10.0);
    }
    assert!(heights.is_sorted() && heights[15] == 0.8, "{heights:?}");
    for _ in 0..16 {
        assert!(walker.push([-0.1, 0.0, 0.0]));
        assert!(walker.body.is_standing(), "airborne on the stairs");
    }
    walker.assert_at([-0.6, 0.0, 0.005]);
}

/// A deck at a height that ends at x = 0, open below.
fn deck(height: f32) -> TestObstacle {
    let corners = [[-9.0, -9.0, height], [0.0, -9.0, height], [0.0, 9.0, height], [-9.0, 9.0, height]];
    TestObstacle::polygons(&[&corners], MeshBody::Open)
}

fn on_deck(shape: Shape, height: f32) -> Fixture {
    Fixture::new(level(), vec![deck(height)], shape, [-0.15, 0.0, height + 0.005]).standing()
}

/// 11.6: a walker overhangs an edge by at most half its radius, unless there is ground within a step.
#[test]
fn an_edge_holds_a_walker() {
    let mut walker = on_deck(human(), 3.0);
    walker.assert_walks(EAST, &[[-0.05, 0.0, 3.005], [0.05, 0.0, 3.005], [0.15, 0.0, 3.005]]);
    walker.assert_held(EAST, [-1.0, 0.0, 0.0]);

    let mut diagonal = on_deck(human(), 3.0);
    let by = [0.1, 0.05, 0.0];
    diagonal.assert_walks(
        by,
        &[[-0.05, 0.05, 3.005], [0.05, 0.1, 3.005], [0.15, 0.15, 3.005], [0.15, 0.2, 3.005]],
    );
    diagonal.assert_slides([-1.0, 0.0, 0.0]);
    diagonal.assert_walks(by, &[[0.15, 0.25, 3.005]]);
    assert_eq!(diagonal.slides(), None);

    let mut without_edge_slide = on_deck(human(), 3.0);
    without_edge_slide.body.state.remove(PhysicsState::EDGE_SLIDE);
    for x in [-0.05, 0.05, 0.15, 0.25, 0.35] {
        without_edge_slide.assert_walks(EAST, &[[x, 0.0, 3.005]]);
        assert!(without_edge_slide.body.is_standing());
    }
    without_edge_slide.assert_walks(EAST, &[[0.45, 0.0, 3.005]]);
    assert!(!without_edge_slide.body.has_contact(), "still in contact");
}

/// 11.6: the probe for ground is half of a human's step down, because that is higher than the foot sphere.
#[test]
fn an_edge_with_ground_within_the_probe_is_stepped_down() {
    for (shape, height) in [(human(), 0.7), (short_legged(), 0.3)] {
        let mut walker = on_deck(shape, height);
        for x in [-0.05, 0.05, 0.15, 0.25, 0.35] {
            walker.assert_walks(EAST, &[[x, 0.0, height + 0.005]]);
        }
        walker.assert_walks(EAST, &[[0.45, 0.0, 0.005]]);
        assert!(walker.body.is_standing());
    }
    for (shape, height) in [(human(), 0.8), (short_legged(), 0.6)] {
        let mut walker = on_deck(shape, height);
        walker.push(EAST);
        walker.push(EAST);
        walker.push(EAST);
        walker.assert_held(EAST, [-1.0, 0.0, 0.0]);
    }
}

/// 11.7: a walker slides along a wall, but not by less than 1.4 cm, and never closes the last 5 cm to it.
#[test]
fn a_walker_slides_along_a_wall() {
    let west = [-1.0, 0.0, 0.0];
    let along = 0.070_711;
    let by = [along, along, 0.0];
    let mut walker = Fixture::new(level(), vec![wall()], human(), [-0.6, -5.0, 0.005]).standing();
    walker.assert_walks(by, &[[-0.529_289, -4.929_289, 0.005]]);
    for tick in 1..6u8 {
        walker.assert_walks(by, &[[-0.529_289, -4.929_289 + along * f32::from(tick), 0.005]]);
        assert_eq!(walker.slides().is_some(), tick % 2 == 1);
    }
    let mut head_on = Fixture::new(level(), vec![wall()], human(), [-0.6, 0.0, 0.005]).standing();
    head_on.assert_walks(EAST, &[[-0.5, 0.0, 0.005]]);
    head_on.assert_held(EAST, west);

    let at_wall = || Fixture::new(level(), vec![wall()], human(), [-0.5, 0.0, 0.005]).standing();
    at_wall()
        .assert_walks([0.1, 0.02, 0.0], &[[-0.5, 0.02, 0.005], [-0.5, 0.04, 0.005], [-0.5, 0.06, 0.005]]);
    let slow = [[-0.5, 0.0, 0.005], [-0.5, 0.01, 0.005], [-0.5, 0.01, 0.005], [-0.5, 0.02, 0.005]];
    at_wall().assert_walks([0.1, 0.01, 0.0], &slow);

    let far = 1.5 * std::f32::consts::FRAC_1_SQRT_2;
    let mut fast = Fixture::new(level(), vec![wall()], human(), [-0.9, 0.0, 0.005]).standing();
    fast.assert_walks([far, far, 0.0], &[[-0.634_835, 1.060_66, 0.005]]);
    fast.assert_slides(west);

    let mut under = Fixture::new(level(), vec![sheet(1.2)], human(), [-0.6, -5.0, 0.005]).standing();
    under.assert_walks(by, &[[-0.529_289, -4.929_289, 0.005], [-0.529_289, -4.858_578, 0.005]]);
    under.assert_slides(west);
}

/// 11.8: in a corner a walker collides with one wall and the other in turn, and the sweep never fails.
#[test]
fn a_corner_stops_a_walker() {
    let north = [[-9.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 5.0], [-9.0, 0.0, 5.0]];
    let other = TestObstacle::polygons(&[&north], MeshBody::Open);
    let by = [0.070_711, 0.070_711, 0.0];
    let mut walker = Fixture::new(level(), vec![wall(), other], human(), [-0.6, -0.75, 0.005]).standing();
    let path = [[-0.529_289, -0.679_289], [-0.529_289, -0.608_579], [-0.529_289, -0.537_868]];
    walker.assert_walks(by, &path.map(|[x, y]| [x, y, 0.005]));
    for tick in 0..6 {
        walker.assert_walks(by, &[[-0.529_289, -0.537_868, 0.005]]);
        walker.assert_slides(if tick % 2 == 0 { [0.0, -1.0, 0.0] } else { [-1.0, 0.0, 0.0] });
    }
}

/// 11.9: a body that lands on land bounces a little. On polygons it does not, and friction removes the downward
/// velocity in the next tick.
#[test]
fn a_body_bounces_on_land_but_not_on_polygons() {
    let mut falling = Fixture::new(level(), vec![], human(), [0.0, 0.0, 0.305]).falling([0.0, 0.0, -6.0]);
    let expected = [(0.099_556, -6.326_667), (0.005, 0.332_667), (0.016_089, 0.332_667), (0.021_733, 0.006)];
    for (z, speed) in expected {
        falling.fall();
        falling.assert_at([0.0, 0.0, z]);
        assert!((falling.body.velocity.z - speed).abs() < 3e-4, "{:?}", falling.body.velocity);
    }
    let floor = [[-9.0, -9.0, 0.0], [9.0, -9.0, 0.0], [9.0, 9.0, 0.0], [-9.0, 9.0, 0.0]];
    let floor = TestObstacle::polygons(&[&floor], MeshBody::Open);
    let mut falling =
        Fixture::new(abyss(), vec![floor], human(), [0.0, 0.0, 0.305]).falling([1.0, 0.0, -4.0]);
    for position in [[0.033_333, 0.0, 0.166_222], [0.066_667, 0.0, 0.016_556], [0.069_066, 0.0, 0.005]] {
        falling.fall();
        falling.assert_at(position);
    }
    assert!(falling.body.is_standing());
    assert!((falling.body.velocity - Vec3::new(1.0, 0.0, -4.98)).length() < 3e-3, "bounced");
    falling.fall();
    falling.assert_at([0.099_231, 0.0, 0.005]);
    assert!((falling.body.velocity - Vec3::new(0.904_966, 0.0, 0.0)).length() < 3e-3);
}

/// 11.9: an airborne body bounces off a wall with a twentieth of its speed.
#[test]
fn an_airborne_body_bounces_off_a_wall() {
    let mut flying = Fixture::new(level(), vec![wall()], human(), [-0.55, 0.0, 1.0]).falling([3.0, 1.0, 0.0]);
    flying.push([0.1, 0.033_333, 0.0]);
    flying.assert_at([-0.55, 0.0, 1.0]);
    assert!((flying.body.velocity - Vec3::new(-0.15, 1.0, 0.0)).length() < 1e-4);
    assert!(flying.body.transient.contains(TransientState::STATIONARY_FALL));
    flying.assert_slides([-1.0, 0.0, 0.0]);
    flying.push([-0.005, 0.033_333, 0.0]);
    flying.assert_at([-0.555, 0.033_333, 1.0]);
    assert!(!flying.body.transient.intersects(TransientState::STATIONARY));
}

/// 11.9: a body wedged between walls too steep to land on is declared to stand when its fall has been stopped three times.
#[test]
fn a_wedged_body_stands_after_three_stopped_ticks() {
    let left = [[-0.6, -9.0, 3.0], [-0.4, -9.0, -1.0], [-0.4, 9.0, -1.0], [-0.6, 9.0, 3.0]];
    let right = [[0.4, -9.0, -1.0], [0.6, -9.0, 3.0], [0.6, 9.0, 3.0], [0.4, 9.0, -1.0]];
    let shaft = TestObstacle::polygons(&[&left, &right], MeshBody::Open);
    let mut falling = Fixture::new(abyss(), vec![shaft], human(), [0.0, 0.0, 2.0]).falling([0.0, 0.0, -2.0]);
    let mut stopped = Vec::new();
    while !falling.body.is_standing() {
        let before = falling.at();
        falling.fall();
        let count = falling.last.map_or(0, |arrival| arrival.frames_stationary_fall);
        if count > 0 {
            assert_eq!(falling.at(), before);
            stopped.push((count, falling.body.velocity == Vec3::ZERO));
        }
        assert!(stopped.len() < 20, "{stopped:?}");
    }
    assert!(stopped.ends_with(&[(1, false), (2, true), (3, true)]), "{stopped:?}");
    assert_eq!(falling.body.contact_plane.normal, UP);
    assert!(!falling.body.transient.intersects(TransientState::STATIONARY));
}

/// 11.10: a walker slides around a creature along the tangent at its current position.
#[test]
fn a_walker_slides_around_a_creature() {
    let creature = |y| TestObstacle::sphere([0.0, y, 0.48], 0.48).into_creature();
    let mut walker = Fixture::new(level(), vec![creature(0.3)], human(), [-1.1, 0.0, 0.005]).standing();
    walker.assert_walks(EAST, &[[-1.0, 0.0, 0.005], [-0.991_743, -0.027_523, 0.005]]);
    walker.assert_slides([-0.957_826, -0.287_348, 0.0]);
    walker.assert_walks(EAST, &[[-0.983_486, -0.055_046, 0.005], [-0.971_956, -0.086_984, 0.005]]);
    assert_eq!(walker.touched[0].guid, walker.obstacles[0].guid);
    assert_eq!(walker.reports, ["touch"], "reported once");

    let mut head_on = Fixture::new(level(), vec![creature(0.0)], human(), [-1.1, 0.0, 0.005]).standing();
    head_on.assert_walks(EAST, &[[-1.0, 0.0, 0.005]]);
    head_on.assert_held(EAST, [-1.0, 0.0, 0.0]);
}

/// 11.10: static spheres and cylinders are climbed like steps.
#[test]
fn static_spheres_and_cylinders_are_climbed() {
    let mut small = Shape::default();
    small.set_spheres(&[Sphere { origin: Vec3::new(0.0, 0.0, 0.5), radius: 0.5 }]);
    (small.step_up, small.step_down) = (0.6, 0.3);
    for (top, climbs) in [(0.56, true), (0.599, true), (0.64, false)] {
        let dome = TestObstacle::sphere([5.0, 0.0, top - 3.0], 3.0);
        let mut walker = Fixture::new(level(), vec![dome], small, [2.5, 0.0, 0.0]).standing_on(UP, [0.0; 3]);
        for _ in 0..12 {
            walker.push(EAST);
        }
        assert_eq!(walker.at()[2] > 0.03, climbs, "a dome of {top}: {:?}", walker.at());
    }
    for (height, on_top) in [(0.59, Some([-0.7, 0.0, 0.595])), (0.61, None)] {
        let stump = TestObstacle::cylinder([0.0; 3], 0.3, height);
        let mut walker = Fixture::new(level(), vec![stump], human(), [-1.0, 0.0, 0.005]).standing();
        walker.assert_walks(EAST, &[[-0.9, 0.0, 0.005], [-0.8, 0.0, 0.005]]);
        match on_top {
            Some(position) => {
                walker.assert_walks(EAST, &[position]);
                assert!(
                    walker.body.transient.contains(TransientState::WATER_CONTACT),
                    "the top counts as water"
                );
            }
            None => walker.assert_held(EAST, [-1.0, 0.0, 0.0]),
        }
    }
    let post = TestObstacle::cylinder([0.0, 0.1, 0.0], 0.3, 1.0);
    let mut walker = Fixture::new(level(), vec![post], human(), [-0.9, 0.0, 0.005]).standing();
    walker.assert_walks(EAST, &[[-0.8, 0.0, 0.005]]);
    walker.push(EAST);
    walker.assert_slides([-0.992_278, -0.124_035, 0.0]);
}

/// 11.11: a missile stops short of what it hits and loses its missile flags.
#[test]
fn a_missile_stops_short_of_a_wall() {
    let mut dart = Shape::default();
    dart.set_spheres(&[Sphere { origin: Vec3::ZERO, radius: 0.1 }]);
    let mut flying = Fixture::new(level(), vec![wall()], dart, [-0.45, 0.0, 1.5]);
    flying.body.state |= PhysicsState::MISSILE | PhysicsState::ALIGN_PATH | PhysicsState::PATH_CLIPPED;
    assert!(flying.push([0.45, 0.0, 0.0]));
    flying.assert_at([-0.18, 0.0, 1.5]);
    assert_eq!(flying.last.unwrap().collision_normal, Some(Vec3::new(-1.0, 0.0, 0.0)));
    assert!(!flying.body.state.intersects(PhysicsState::MISSILE | PhysicsState::ALIGN_PATH));
    assert_eq!(flying.reports, ["environment"]);
}

/// 11.13: on a sloped polygon the sphere is tangent to the plane, on land its lowest point touches it; the
/// displacements are the same.
#[test]
fn a_polygon_slope_is_walked_like_sloped_land() {
    let rise = 9.0 * libm::tanf(30f32.to_radians());
    let ramp = [[-9.0, -9.0, -rise], [9.0, -9.0, rise], [9.0, 9.0, rise], [-9.0, 9.0, -rise]];
    let on_ramp = || {
        let ramp = TestObstacle::polygons(&[&ramp], MeshBody::Open);
        let normal = Vec3::new(-0.5, 0.0, 0.866_025_4);
        Fixture::new(abyss(), vec![ramp], human(), [0.0, 0.0, 0.079_256]).standing_on(normal, [0.0; 3])
    };
    on_ramp().assert_walks(EAST, &[[0.075, 0.0, 0.122_558], [0.15, 0.0, 0.165_859]]);
    on_ramp().assert_walks([-0.1, 0.0, 0.0], &[[-0.1, 0.0, 0.021_521]]);
}

/// 11.14.
#[test]
fn placement_searches_on_rings() {
    let rings = |radius| {
        let rings = SearchRings::for_radius(radius).unwrap();
        let probes: Vec<u32> = (1..=rings.count).map(|ring| rings.probes(ring)).collect();
        (probes.len(), rings.spacing, probes)
    };
    for radius in [0.125, 0.3, 0.48] {
        let (count, spacing, probes) = rings(radius);
        assert_eq!((count, probes.iter().sum::<u32>()), (9, 270));
        assert!((spacing - 4.0 / 9.0).abs() < 1e-6 && probes[..3] == [6, 12, 18]);
    }
    let (count, spacing, probes) = rings(0.1);
    assert_eq!((count, spacing, probes.iter().sum::<u32>(), probes[19]), (20, 0.1, 1338, 126));
    assert_eq!(rings(1.0), (4, 1.0, vec![8, 14, 20, 26]));
    assert_eq!(rings(0.008).0, 250);
    // A smaller radius than 7.8 mm would need more than 256 rings.
    for radius in [4.0, 9.0, 0.0077, 0.0, -1.0, 1e-30] {
        assert_eq!(SearchRings::for_radius(radius), None, "{radius}");
    }
}

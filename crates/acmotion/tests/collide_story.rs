//! The worked examples of `docs/collision.md` 11, told with a body and the world around it.

mod collide_stage;

use acmotion::body::{PhysicsState, TransientState};
use acmotion::collide::{FLOOR_Z, SearchRings, Shape};
use acmotion::dat::Sphere;
use acmotion::dat::builder::Body as Inside;
use acmotion::types::Vec3;
use collide_stage::{Stage, Thing, UP, abyss, human, level, short_of_leg, slopes};

const EAST: [f32; 3] = [0.1, 0.0, 0.0];

/// A wall along y at x = 0 that faces west, as a sheet.
fn wall() -> Thing {
    sheet(0.0)
}

/// The same from a height on.
fn sheet(low: f32) -> Thing {
    let corners = [[0.0, -9.0, low], [0.0, -9.0, 5.0], [0.0, 9.0, 5.0], [0.0, 9.0, low]];
    Thing::polygons(&[&corners], Inside::Open)
}

/// 11.1: level ground takes nothing, in one sub-step or in three; land and polygons alike.
#[test]
fn level_ground_takes_nothing_from_a_step() {
    let floor = [[-9.0, -9.0, 0.5], [9.0, -9.0, 0.5], [9.0, 9.0, 0.5], [-9.0, 9.0, 0.5]];
    let floor = Thing::polygons(&[&floor], Inside::Open);
    for (things, z) in [(Vec::new(), 0.005), (vec![floor], 0.505)] {
        let mut stage = Stage::new(level(), things, human(), [0.0, 0.0, z]).standing();
        stage.assert_walks(EAST, &[[0.1, 0.0, z]]);
        assert_eq!(stage.body.contact_plane.normal, UP);
        stage.assert_walks([1.2, 0.0, 0.0], &[[1.3, 0.0, z]]);
        assert!(stage.body.is_standing());
    }
}

/// 11.2: uphill costs way (cos² of the slope), downhill does not; the first step onto a slope still has the old plane.
#[test]
fn a_slope_of_land_costs_way_uphill_only() {
    let normal = Vec3::new(-0.5, 0.0, 0.866_025_4);
    let on_slope =
        || Stage::new(slopes(30.0, 30.0), vec![], human(), [0.0, 0.0, 0.005]).standing_on(normal, [0.0; 3]);
    on_slope()
        .assert_walks(EAST, &[[0.075, 0.0, 0.048_301], [0.15, 0.0, 0.091_603], [0.225, 0.0, 0.134_904]]);
    let down = [[-0.1, 0.0, -0.052_735], [-0.2, 0.0, -0.110_470], [-0.3, 0.0, -0.168_205]];
    on_slope().assert_walks([-0.1, 0.0, 0.0], &down);
    let mut walker = Stage::new(slopes(0.0, 30.0), vec![], human(), [-0.15, 0.0, 0.005]).standing();
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

/// Recorded: 43 frames of running up a rise of 0.0707 a metre come 5.70437 m far, and as far as on level ground downhill
/// (rule Q10).
#[test]
fn running_up_a_hill_is_slower_as_it_was_recorded() {
    let degrees = libm::atanf(0.0707).to_degrees();
    let normal = Vec3::new(-0.0707, 0.0, 1.0).normalized().unwrap();
    let stride = 5.704_37 / (normal.z * normal.z) / 43.0;
    for (stride, way) in [(stride, 5.704_37), (-stride, -43.0 * stride)] {
        let mut runner = Stage::new(slopes(degrees, degrees), vec![], human(), [0.0, 0.0, 0.005])
            .standing_on(normal, [0.0; 3]);
        for _ in 0..43 {
            assert!(runner.push([stride, 0.0, 0.0]));
        }
        let [x, _, z] = runner.at();
        assert!((x - way).abs() < 1e-3, "{x}");
        assert!((z - 0.005 - 0.0707 * x).abs() < 1e-3, "on the ground at {z}");
    }
}

/// 11.3: ground that is too steep is a wall uphill, and an edge to glide along downhill.
#[test]
fn ground_too_steep_to_walk_on_holds_a_walker() {
    let west = [-1.0, 0.0, 0.0];
    let start = |east| Stage::new(slopes(0.0, east), vec![], short_of_leg(), [-0.15, 0.0, 0.005]).standing();
    for east in [50.0, -50.0] {
        let mut walker = start(east);
        walker.assert_walks(EAST, &[[-0.05, 0.0, 0.005]]);
        walker.assert_held(EAST, west);
    }
    let aslant = [0.1, 0.05, 0.0];
    let mut up = start(50.0);
    for (y, slides) in [(0.05, false), (0.05, true), (0.1, false), (0.1, true), (0.15, false)] {
        up.assert_walks(aslant, &[[-0.05, y, 0.005]]);
        assert_eq!(up.slides().is_some(), slides, "every second tick");
    }
    let mut down = start(-50.0);
    for (y, slides) in [(0.05, false), (0.1, true), (0.15, false), (0.2, true)] {
        down.assert_walks(aslant, &[[-0.05, y, 0.005]]);
        assert_eq!(down.slides().is_some(), slides, "it glides within the tick");
    }
    let (sin, cos) = libm::sincosf(50f32.to_radians());
    assert!(cos < FLOOR_Z);
    let on_it = Stage::new(slopes(50.0, 50.0), vec![], short_of_leg(), [0.0, 0.0, 0.005]);
    let mut on_it = on_it.standing_on(Vec3::new(-sin, 0.0, cos), [0.0; 3]);
    on_it.assert_walks(EAST, &[[0.041_318, 0.0, 0.320_988]]);
    assert!(!on_it.body.has_contact(), "lifted off, and the small step does not reach the ground again");
}

/// A step: a block from x = 0 on. The tree is that of the project's own builder, in which the top comes last.
fn step(height: f32) -> Thing {
    Thing::block([0.0, -6.0, 0.0], [8.0, 6.0, height])
}

/// Walks against a step; where it is on top for the first time.
fn climbs(shape: Shape, height: f32, stride: f32) -> Option<f32> {
    let start = if stride > 0.15 { -0.9 } else { -0.85 };
    let mut walker = Stage::new(level(), vec![step(height)], shape, [start, 0.0, 0.005]).standing();
    for _ in 0..12 {
        walker.push([stride, 0.0, 0.0]);
        let [x, _, z] = walker.at();
        if z > 0.1 {
            assert!((z - height - 0.005).abs() < 3e-4, "on top at {z}");
            return Some((x * 100.0).round() / 100.0);
        }
    }
    walker.assert_slides([-1.0, 0.0, 0.0]);
    None
}

/// 11.4: how high a step is climbed, up to half as high again as the step height (4.3), if the foot reaches its top.
#[test]
fn steps_are_climbed_up_to_a_height() {
    assert_eq!(climbs(short_of_leg(), 0.3, 0.1), Some(-0.35));
    assert_eq!(climbs(short_of_leg(), 0.39, 0.1), Some(-0.45));
    assert_eq!(climbs(short_of_leg(), 0.59, 0.1), Some(-0.45), "half as high again");
    assert_eq!(climbs(short_of_leg(), 0.61, 0.1), None);
    assert_eq!(climbs(human(), 0.3, 0.1), Some(-0.35));
    assert_eq!(climbs(human(), 0.5, 0.1), Some(-0.45));
    assert_eq!(climbs(human(), 0.75, 0.1), None, "its foot does not reach the top");
    assert_eq!(climbs(human(), 0.75, 0.2), Some(-0.3), "with a longer stride it does");
    assert_eq!(climbs(human(), 0.85, 0.2), Some(-0.3));
    assert_eq!(climbs(human(), 0.89, 0.2), None);
    assert_eq!(climbs(human(), 0.91, 0.2), None);
}

/// 11.4, second half: on a step higher than its own step down a body stands at the edge, where it does not get on: its
/// centre is too far out over the edge.
#[test]
fn a_high_step_is_climbed_but_not_left() {
    let mut walker = Stage::new(level(), vec![step(0.55)], short_of_leg(), [-0.55, 0.0, 0.005]).standing();
    walker.assert_walks(EAST, &[[-0.45, 0.0, 0.555]]);
    walker.assert_held(EAST, [-1.0, 0.0, 0.0]);
}

/// 11.5.
#[test]
fn stairs_are_climbed_and_gone_down() {
    let stairs: Vec<_> = (0..4u8)
        .map(|tread| {
            let (x, z) = (f32::from(tread) * 0.3, f32::from(tread) * 0.2 + 0.2);
            Thing::block([x, -6.0, 0.0], [if tread == 3 { 6.0 } else { x + 0.3 }, 6.0, z])
        })
        .collect();
    let mut walker = Stage::new(level(), stairs, human(), [-0.6, 0.0, 0.005]).standing();
    let mut heights = Vec::new();
    for _ in 0..16 {
        assert!(walker.push(EAST));
        heights.push((walker.at()[2] * 10.0).round() / 10.0);
    }
    assert!(heights.is_sorted() && heights[15] == 0.8, "{heights:?}");
    for _ in 0..16 {
        assert!(walker.push([-0.1, 0.0, 0.0]));
        assert!(walker.body.is_standing(), "step by step, never in the air");
    }
    walker.assert_at([-0.6, 0.0, 0.005]);
}

/// A deck at a height that ends at x = 0, with nothing under it.
fn deck(height: f32) -> Thing {
    let corners = [[-9.0, -9.0, height], [0.0, -9.0, height], [0.0, 9.0, height], [-9.0, 9.0, height]];
    Thing::polygons(&[&corners], Inside::Open)
}

fn on_deck(shape: Shape, height: f32) -> Stage {
    Stage::new(level(), vec![deck(height)], shape, [-0.15, 0.0, height + 0.005]).standing()
}

/// 11.6: a walker stands out over an edge by half its radius, and goes no farther unless there is ground within a step.
#[test]
fn an_edge_holds_a_walker() {
    let mut walker = on_deck(human(), 3.0);
    walker.assert_walks(EAST, &[[-0.05, 0.0, 3.005], [0.05, 0.0, 3.005], [0.15, 0.0, 3.005]]);
    walker.assert_held(EAST, [-1.0, 0.0, 0.0]);

    let mut aslant = on_deck(human(), 3.0);
    let by = [0.1, 0.05, 0.0];
    aslant.assert_walks(
        by,
        &[[-0.05, 0.05, 3.005], [0.05, 0.1, 3.005], [0.15, 0.15, 3.005], [0.15, 0.2, 3.005]],
    );
    aslant.assert_slides([-1.0, 0.0, 0.0]);
    aslant.assert_walks(by, &[[0.15, 0.25, 3.005]]);
    assert_eq!(aslant.slides(), None);

    let mut careless = on_deck(human(), 3.0);
    careless.body.state.remove(PhysicsState::EDGE_SLIDE);
    for x in [-0.05, 0.05, 0.15, 0.25, 0.35] {
        careless.assert_walks(EAST, &[[x, 0.0, 3.005]]);
        assert!(careless.body.is_standing());
    }
    careless.assert_walks(EAST, &[[0.45, 0.0, 3.005]]);
    assert!(!careless.body.has_contact(), "walked off");
}

/// 11.6: the probe for ground is half of a human's step down, for it is deeper than the foot.
#[test]
fn an_edge_with_ground_below_is_stepped_down() {
    for (shape, height) in [(human(), 0.7), (short_of_leg(), 0.3)] {
        let mut walker = on_deck(shape, height);
        for x in [-0.05, 0.05, 0.15, 0.25, 0.35] {
            walker.assert_walks(EAST, &[[x, 0.0, height + 0.005]]);
        }
        walker.assert_walks(EAST, &[[0.45, 0.0, 0.005]]);
        assert!(walker.body.is_standing());
    }
    for (shape, height) in [(human(), 0.8), (short_of_leg(), 0.6)] {
        let mut walker = on_deck(shape, height);
        walker.push(EAST);
        walker.push(EAST);
        walker.push(EAST);
        walker.assert_held(EAST, [-1.0, 0.0, 0.0]);
    }
}

/// 11.7: along a wall a walker goes on at an angle, slides of less than 1.4 cm are refused, and the last 5 cm to the wall are
/// never closed.
#[test]
fn a_wall_is_slid_along() {
    let west = [-1.0, 0.0, 0.0];
    let along = 0.070_711;
    let by = [along, along, 0.0];
    let mut walker = Stage::new(level(), vec![wall()], human(), [-0.6, -5.0, 0.005]).standing();
    walker.assert_walks(by, &[[-0.529_289, -4.929_289, 0.005]]);
    for tick in 1..6u8 {
        walker.assert_walks(by, &[[-0.529_289, -4.929_289 + along * f32::from(tick), 0.005]]);
        assert_eq!(walker.slides().is_some(), tick % 2 == 1);
    }
    let mut head_on = Stage::new(level(), vec![wall()], human(), [-0.6, 0.0, 0.005]).standing();
    head_on.assert_walks(EAST, &[[-0.5, 0.0, 0.005]]);
    head_on.assert_held(EAST, west);

    let at_wall = || Stage::new(level(), vec![wall()], human(), [-0.5, 0.0, 0.005]).standing();
    at_wall()
        .assert_walks([0.1, 0.02, 0.0], &[[-0.5, 0.02, 0.005], [-0.5, 0.04, 0.005], [-0.5, 0.06, 0.005]]);
    let slow = [[-0.5, 0.0, 0.005], [-0.5, 0.01, 0.005], [-0.5, 0.01, 0.005], [-0.5, 0.02, 0.005]];
    at_wall().assert_walks([0.1, 0.01, 0.0], &slow);

    let far = 1.5 * std::f32::consts::FRAC_1_SQRT_2;
    let mut fast = Stage::new(level(), vec![wall()], human(), [-0.9, 0.0, 0.005]).standing();
    fast.assert_walks([far, far, 0.0], &[[-0.634_835, 1.060_66, 0.005]]);
    fast.assert_slides(west);

    let mut under = Stage::new(level(), vec![sheet(1.2)], human(), [-0.6, -5.0, 0.005]).standing();
    under.assert_walks(by, &[[-0.529_289, -4.929_289, 0.005], [-0.529_289, -4.858_578, 0.005]]);
    under.assert_slides(west);
}

/// 11.8: in a corner a walker bumps into one wall after the other, and never fails.
#[test]
fn a_corner_ends_the_way() {
    let north = [[-9.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 5.0], [-9.0, 0.0, 5.0]];
    let other = Thing::polygons(&[&north], Inside::Open);
    let by = [0.070_711, 0.070_711, 0.0];
    let mut walker = Stage::new(level(), vec![wall(), other], human(), [-0.6, -0.75, 0.005]).standing();
    let way = [[-0.529_289, -0.679_289], [-0.529_289, -0.608_579], [-0.529_289, -0.537_868]];
    walker.assert_walks(by, &way.map(|[x, y]| [x, y, 0.005]));
    for tick in 0..6 {
        walker.assert_walks(by, &[[-0.529_289, -0.537_868, 0.005]]);
        walker.assert_slides(if tick % 2 == 0 { [0.0, -1.0, 0.0] } else { [-1.0, 0.0, 0.0] });
    }
}

/// 11.9: a body that lands on land bounces a little; on polygons it does not, and the fall is forgotten with the next
/// friction.
#[test]
fn landings_differ_between_land_and_polygons() {
    let mut lands = Stage::new(level(), vec![], human(), [0.0, 0.0, 0.305]).falling([0.0, 0.0, -6.0]);
    let expected = [(0.099_556, -6.326_667), (0.005, 0.332_667), (0.016_089, 0.332_667), (0.021_733, 0.006)];
    for (z, speed) in expected {
        lands.fall();
        lands.assert_at([0.0, 0.0, z]);
        assert!((lands.body.velocity.z - speed).abs() < 3e-4, "{:?}", lands.body.velocity);
    }
    let floor = [[-9.0, -9.0, 0.0], [9.0, -9.0, 0.0], [9.0, 9.0, 0.0], [-9.0, 9.0, 0.0]];
    let floor = Thing::polygons(&[&floor], Inside::Open);
    let mut lands = Stage::new(abyss(), vec![floor], human(), [0.0, 0.0, 0.305]).falling([1.0, 0.0, -4.0]);
    for place in [[0.033_333, 0.0, 0.166_222], [0.066_667, 0.0, 0.016_556], [0.069_066, 0.0, 0.005]] {
        lands.fall();
        lands.assert_at(place);
    }
    assert!(lands.body.is_standing());
    assert!((lands.body.velocity - Vec3::new(1.0, 0.0, -4.98)).length() < 3e-3, "no bounce");
    lands.fall();
    lands.assert_at([0.099_231, 0.0, 0.005]);
    assert!((lands.body.velocity - Vec3::new(0.904_966, 0.0, 0.0)).length() < 3e-3);
}

/// 11.9: a wall in the air throws back a twentieth of the speed.
#[test]
fn a_wall_in_the_air_is_bounced_off() {
    let mut flies = Stage::new(level(), vec![wall()], human(), [-0.55, 0.0, 1.0]).falling([3.0, 1.0, 0.0]);
    flies.push([0.1, 0.033_333, 0.0]);
    flies.assert_at([-0.55, 0.0, 1.0]);
    assert!((flies.body.velocity - Vec3::new(-0.15, 1.0, 0.0)).length() < 1e-4);
    assert!(flies.body.transient.contains(TransientState::STATIONARY_FALL));
    flies.assert_slides([-1.0, 0.0, 0.0]);
    flies.push([-0.005, 0.033_333, 0.0]);
    flies.assert_at([-0.555, 0.033_333, 1.0]);
    assert!(!flies.body.transient.intersects(TransientState::STATIONARY));
}

/// 11.9: a body wedged between walls that nobody can land on is declared to stand when its fall has been stopped thrice.
#[test]
fn a_wedged_body_stands_in_the_end() {
    let left = [[-0.6, -9.0, 3.0], [-0.4, -9.0, -1.0], [-0.4, 9.0, -1.0], [-0.6, 9.0, 3.0]];
    let right = [[0.4, -9.0, -1.0], [0.6, -9.0, 3.0], [0.6, 9.0, 3.0], [0.4, 9.0, -1.0]];
    let shaft = Thing::polygons(&[&left, &right], Inside::Open);
    let mut falls = Stage::new(abyss(), vec![shaft], human(), [0.0, 0.0, 2.0]).falling([0.0, 0.0, -2.0]);
    let mut stopped = Vec::new();
    while !falls.body.is_standing() {
        let before = falls.at();
        falls.fall();
        let count = falls.last.map_or(0, |arrival| arrival.frames_stationary_fall);
        if count > 0 {
            assert_eq!(falls.at(), before);
            stopped.push((count, falls.body.velocity == Vec3::ZERO));
        }
        assert!(stopped.len() < 20, "{stopped:?}");
    }
    assert!(stopped.ends_with(&[(1, false), (2, true), (3, true)]), "{stopped:?}");
    assert_eq!(falls.body.contact_plane.normal, UP);
    assert!(!falls.body.transient.intersects(TransientState::STATIONARY));
}

/// 11.10: around a creature a walker goes along the tangent of where it is.
#[test]
fn a_creature_is_walked_around() {
    let creature = |y| Thing::sphere([0.0, y, 0.48], 0.48).alive();
    let mut walker = Stage::new(level(), vec![creature(0.3)], human(), [-1.1, 0.0, 0.005]).standing();
    walker.assert_walks(EAST, &[[-1.0, 0.0, 0.005], [-0.991_743, -0.027_523, 0.005]]);
    walker.assert_slides([-0.957_826, -0.287_348, 0.0]);
    walker.assert_walks(EAST, &[[-0.983_486, -0.055_046, 0.005], [-0.971_956, -0.086_984, 0.005]]);
    assert_eq!(walker.touched[0].guid, walker.things[0].guid);
    assert_eq!(walker.told, ["touch"], "told once");

    let mut head_on = Stage::new(level(), vec![creature(0.0)], human(), [-1.1, 0.0, 0.005]).standing();
    head_on.assert_walks(EAST, &[[-1.0, 0.0, 0.005]]);
    head_on.assert_held(EAST, [-1.0, 0.0, 0.0]);
}

/// 11.10: what is round and stands still is climbed like a step.
#[test]
fn domes_and_stumps_are_climbed() {
    let mut small = Shape::default();
    small.set_spheres(&[Sphere { origin: Vec3::new(0.0, 0.0, 0.5), radius: 0.5 }]);
    (small.step_up, small.step_down) = (0.6, 0.3);
    for (top, climbs) in [(0.56, true), (0.599, true), (0.64, false)] {
        let dome = Thing::sphere([5.0, 0.0, top - 3.0], 3.0);
        let mut walker = Stage::new(level(), vec![dome], small, [2.5, 0.0, 0.0]).standing_on(UP, [0.0; 3]);
        for _ in 0..12 {
            walker.push(EAST);
        }
        assert_eq!(walker.at()[2] > 0.03, climbs, "a dome of {top}: {:?}", walker.at());
    }
    for (height, place) in [(0.59, Some([-0.7, 0.0, 0.595])), (0.61, None)] {
        let stump = Thing::cylinder([0.0; 3], 0.3, height);
        let mut walker = Stage::new(level(), vec![stump], human(), [-1.0, 0.0, 0.005]).standing();
        walker.assert_walks(EAST, &[[-0.9, 0.0, 0.005], [-0.8, 0.0, 0.005]]);
        match place {
            Some(place) => {
                walker.assert_walks(EAST, &[place]);
                assert!(
                    walker.body.transient.contains(TransientState::WATER_CONTACT),
                    "its top counts as water"
                );
            }
            None => walker.assert_held(EAST, [-1.0, 0.0, 0.0]),
        }
    }
    let post = Thing::cylinder([0.0, 0.1, 0.0], 0.3, 1.0);
    let mut walker = Stage::new(level(), vec![post], human(), [-0.9, 0.0, 0.005]).standing();
    walker.assert_walks(EAST, &[[-0.8, 0.0, 0.005]]);
    walker.push(EAST);
    walker.assert_slides([-0.992_278, -0.124_035, 0.0]);
}

/// 11.11: a missile stops short of what it hits, and is none any more.
#[test]
fn a_missile_ends_at_a_wall() {
    let mut dart = Shape::default();
    dart.set_spheres(&[Sphere { origin: Vec3::ZERO, radius: 0.1 }]);
    let mut flies = Stage::new(level(), vec![wall()], dart, [-0.45, 0.0, 1.5]);
    flies.body.state |= PhysicsState::MISSILE | PhysicsState::ALIGN_PATH | PhysicsState::PATH_CLIPPED;
    assert!(flies.push([0.45, 0.0, 0.0]));
    flies.assert_at([-0.18, 0.0, 1.5]);
    assert_eq!(flies.last.unwrap().collision_normal, Some(Vec3::new(-1.0, 0.0, 0.0)));
    assert!(!flies.body.state.intersects(PhysicsState::MISSILE | PhysicsState::ALIGN_PATH));
    assert_eq!(flies.told, ["environment"]);
}

/// 11.13: on a slope of polygons the sphere rests on its side, on land on its lowest point; the way is the same.
#[test]
fn a_ramp_is_walked_like_a_hill() {
    let rise = 9.0 * libm::tanf(30f32.to_radians());
    let ramp = [[-9.0, -9.0, -rise], [9.0, -9.0, rise], [9.0, 9.0, rise], [-9.0, 9.0, -rise]];
    let on_ramp = || {
        let ramp = Thing::polygons(&[&ramp], Inside::Open);
        let normal = Vec3::new(-0.5, 0.0, 0.866_025_4);
        Stage::new(abyss(), vec![ramp], human(), [0.0, 0.0, 0.079_256]).standing_on(normal, [0.0; 3])
    };
    on_ramp().assert_walks(EAST, &[[0.075, 0.0, 0.122_558], [0.15, 0.0, 0.165_859]]);
    on_ramp().assert_walks([-0.1, 0.0, 0.0], &[[-0.1, 0.0, 0.021_521]]);
}

/// 11.14.
#[test]
fn room_is_looked_for_on_rings() {
    let rings = |radius| {
        let rings = SearchRings::for_radius(radius).unwrap();
        let places: Vec<u32> = (1..=rings.count).map(|ring| rings.probes(ring)).collect();
        (places.len(), rings.spacing, places)
    };
    for radius in [0.125, 0.3, 0.48] {
        let (count, spacing, places) = rings(radius);
        assert_eq!((count, places.iter().sum::<u32>()), (9, 270));
        assert!((spacing - 4.0 / 9.0).abs() < 1e-6 && places[..3] == [6, 12, 18]);
    }
    let (count, spacing, places) = rings(0.1);
    assert_eq!((count, spacing, places.iter().sum::<u32>(), places[19]), (20, 0.1, 1338, 126));
    assert_eq!(rings(1.0), (4, 1.0, vec![8, 14, 20, 26]));
    for radius in [4.0, 9.0, 0.0, -1.0, 1e-30] {
        assert_eq!(SearchRings::for_radius(radius), None, "{radius}");
    }
}

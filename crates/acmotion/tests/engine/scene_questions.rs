//! Questions to a scene, in the mannequin's town: each answer is compared with one found in another way, by looking at
//! everything there is or by letting a body fall.

use std::sync::{Arc, OnceLock};

use acmotion::dat::mannequin::town::{self, landmarks};
use acmotion::dat::{Assets, CylSphere, Sphere};
use acmotion::scene::geometry::{CellTree, PolygonId, Solid};
use acmotion::scene::{
    Cell, InfinitePlane, NoObstacles, Obstruction, Plane, Portal, Room, Scene, SceneBuilder, Shape,
    StandError, Surface, Surroundings, SweepKind,
};
use acmotion::types::{CellId, CellPosition, Frame, Guid, Vec3};
use acmotion::{Settings, World};

fn scene() -> &'static Scene {
    static LOADED: OnceLock<Scene> = OnceLock::new();
    LOADED.get_or_init(|| Scene::load(&Assets::mannequin(), &Assets::town()).unwrap())
}

struct Random(u64);

impl Random {
    fn next(&mut self) -> f32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 40) as f32 / (1u64 << 24) as f32
    }

    fn between(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * self.next()
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() * bound as f32) as usize
    }
}

fn raised(position: &CellPosition, by: f32) -> CellPosition {
    let mut raised = *position;
    raised.frame.origin.z += by;
    raised
}

/// A point in the yard, up to 7 m above the ground, or around a landmark in the house or the shed, in its cell.
fn random_point(random: &mut Random) -> CellPosition {
    if random.next() < 0.5 {
        let origin = Vec3::new(random.between(50.0, 140.0), random.between(70.0, 150.0), 0.0);
        let at = CellPosition::at(CellId(u32::from(town::HOME_BLOCK) << 16 | 1), origin);
        let height = scene().height_at(&at).unwrap();
        return scene().find_cell(&raised(&at, height + random.between(0.1, 7.0))).unwrap();
    }
    let rooms: Vec<_> = landmarks().iter().filter(|(_, position)| position.cell.is_room()).collect();
    loop {
        let (_, mut position) = rooms[random.below(rooms.len())];
        position.frame.rotation = Frame::IDENTITY.rotation;
        position.frame.origin +=
            Vec3::new(random.between(-4.0, 4.0), random.between(-4.0, 4.0), random.between(0.1, 2.5));
        if let Some(found) = scene().find_cell(&position) {
            return found;
        }
    }
}

/// Two points at the ends of a way through a portal, or `None` if one of them is in no cell.
fn near_a_portal(random: &mut Random) -> Option<(CellPosition, CellPosition)> {
    let town = landmarks();
    let ways = [
        (town.doorstep, town.hall),
        (town.hall, town.stairs_foot),
        (town.stairs_foot, town.stairs_top),
        (town.stairs_top, town.loft),
        (town.hall, town.cellar_stairs_top),
        (town.cellar_stairs_top, town.cellar_stairs_foot),
        (town.cellar_stairs_foot, town.cellar),
    ];
    let (from, to) = ways[random.below(ways.len())];
    let mut near = |mut position: CellPosition| {
        let (x, y, z) = (random.between(-0.7, 0.7), random.between(-0.7, 0.7), random.between(0.3, 2.0));
        position.frame.origin += Vec3::new(x, y, z);
        scene().find_cell(&position)
    };
    Some((near(from)?, near(to)?))
}

/// The polygons of everything in the town as triangles, and its round objects, in the axes of the home block.
struct Everything {
    triangles: Vec<([Vec3; 3], Surface)>,
    cylinders: Vec<CylSphere>,
    spheres: Vec<Sphere>,
}

fn everything() -> &'static Everything {
    static FOUND: OnceLock<Everything> = OnceLock::new();
    FOUND.get_or_init(|| {
        let scene = scene();
        let mut all = Everything { triangles: Vec::new(), cylinders: Vec::new(), spheres: Vec::new() };
        let home = CellId(u32::from(town::HOME_BLOCK) << 16);
        for block in scene.blocks() {
            let land = (1..=64).map(|low| CellId(u32::from(block) << 16 | low));
            let rooms = scene.rooms(block).iter().map(|room| room.id());
            for id in land.chain(rooms) {
                let shift = home.block_offset(id);
                match scene.cell(id) {
                    Some(Cell::Land(land)) => {
                        for which in 0..2 {
                            let corners = land.terrain().triangle(usize::from(id.low()) - 1, which);
                            all.triangles.push((corners.map(|corner| corner + shift), Surface::Land));
                        }
                        if let Some(building) = land.building() {
                            let solid = building.solid.as_deref().unwrap();
                            let place =
                                |p: Vec3| building.position.frame.local_to_global(p * building.scale) + shift;
                            all.add(solid, place, Surface::Building);
                        }
                    }
                    Some(Cell::Room(room)) => {
                        let solid = room.solid.as_deref().unwrap();
                        all.add(solid, |p| room.position().frame.local_to_global(p) + shift, Surface::Room);
                    }
                    None => unreachable!(),
                }
                for scenery in scene.scenery(id) {
                    let shift = home.block_offset(scenery.position.cell);
                    let frame = &scenery.position.frame;
                    for part in &scenery.parts {
                        let place = |p: Vec3| {
                            let own = part.frame.local_to_global(p * part.scale);
                            frame.local_to_global(own * scenery.scale) + shift
                        };
                        all.add(&part.solid, place, Surface::Scenery);
                    }
                    if !scenery.parts.is_empty() {
                        continue;
                    }
                    for cylinder in &scenery.cylinders {
                        let origin = frame.local_to_global(cylinder.origin) + shift;
                        all.cylinders.push(CylSphere { origin, ..*cylinder });
                    }
                    for sphere in scenery.spheres.iter().filter(|_| scenery.cylinders.is_empty()) {
                        all.spheres
                            .push(Sphere { origin: frame.local_to_global(sphere.origin) + shift, ..*sphere });
                    }
                }
            }
        }
        all
    })
}

impl Everything {
    fn add(&mut self, solid: &Solid, place: impl Fn(Vec3) -> Vec3, surface: Surface) {
        for id in (0..solid.polygon_count() as u32).map(PolygonId) {
            let corners = solid.polygon(id).corners;
            for pair in corners[1..].windows(2) {
                self.triangles.push(([place(corners[0]), place(pair[0]), place(pair[1])], surface));
            }
        }
    }

    /// Returns everything that is in the way on a line, the first thing first, with the distance from the start; and how near
    /// the line comes to a decision that rounding could turn, in metres. Land and shells count where one side is outside of
    /// all rooms.
    fn all_on(&self, from: Vec3, to: Vec3) -> (Vec<(f64, Surface)>, f64) {
        let (mut found, mut doubt) = (Vec::new(), f64::INFINITY);
        let along = to - from;
        let length = f64::from(along.length());
        for (corners, surface) in &self.triangles {
            let Some((share, margin)) = triangle_share(corners, from, along) else { continue };
            let distance = (share * length).min((1.0 - share) * length) - 0.01;
            doubt = doubt.min(margin.abs().max(0.0)).min(distance.abs().max(0.0));
            if margin < 0.0 || distance < 0.0 {
                continue;
            }
            let there = from + along * share as f32;
            let nudge = along * (0.02 / length as f32);
            let in_room = is_in_a_room(there - nudge) && is_in_a_room(there + nudge);
            if in_room && matches!(surface, Surface::Land | Surface::Building) {
                continue;
            }
            found.push((share * length, *surface));
        }
        // Round objects by small steps.
        let is_near = |centre: Vec3| {
            let share = ((centre - from).dot(along) / along.length_squared()).clamp(0.0, 1.0);
            (from + along * share - centre).length() < 8.0
        };
        let cylinders: Vec<_> = self.cylinders.iter().filter(|cylinder| is_near(cylinder.origin)).collect();
        let spheres: Vec<_> = self.spheres.iter().filter(|sphere| is_near(sphere.origin)).collect();
        let steps = (length / 0.01) as usize + 1;
        for step in 0..=steps {
            let share = step as f64 / steps as f64;
            let there = from + along * share as f32;
            let depth = |cylinder: &&CylSphere| {
                let (offset, radius) = (there - cylinder.origin, cylinder.radius);
                let flat = radius - offset.x.hypot(offset.y);
                flat.min(offset.z).min(cylinder.height - offset.z)
            };
            let deepest = cylinders.iter().map(depth).fold(f32::MIN, f32::max);
            let ball = |sphere: &&Sphere| sphere.radius - (there - sphere.origin).length();
            let deepest = spheres.iter().map(ball).fold(deepest, f32::max);
            if deepest.abs() < 0.02 {
                doubt = doubt.min(f64::from(deepest.abs()));
            }
            if deepest > 0.0 {
                // A line that starts in a round object is in doubt.
                doubt = if step == 0 { 0.0 } else { doubt };
                found.push((share * length, Surface::Scenery));
                break;
            }
        }
        found.sort_by(|a, b| a.0.total_cmp(&b.0));
        (found, doubt)
    }
}

/// Returns the share of a line at which it meets the plane of a triangle, and by how many metres it is inside.
pub(crate) fn triangle_share(corners: &[Vec3; 3], from: Vec3, along: Vec3) -> Option<(f64, f64)> {
    let double = |v: Vec3| [f64::from(v.x), f64::from(v.y), f64::from(v.z)];
    let minus = |a: [f64; 3], b: [f64; 3]| [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
    let dot = |a: [f64; 3], b: [f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    let cross = |a: [f64; 3], b: [f64; 3]| {
        [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
    };
    let [a, b, c] = corners.map(double);
    let (from, along) = (double(from), double(along));
    let normal = cross(minus(b, a), minus(c, a));
    let share = dot(normal, minus(a, from)) / dot(normal, along);
    if !(0.0..=1.0).contains(&share) {
        return None;
    }
    let there = [from[0] + along[0] * share, from[1] + along[1] * share, from[2] + along[2] * share];
    let inside = |p: [f64; 3], q: [f64; 3]| {
        let inward = cross(normal, minus(q, p));
        dot(inward, minus(there, p)) / dot(inward, inward).sqrt()
    };
    Some((share, inside(a, b).min(inside(b, c)).min(inside(c, a))))
}

/// Returns `true` if a position is in open space: the nearest surfaces above and below show it their fronts.
fn is_in_the_open(position: &CellPosition) -> bool {
    let home = CellId(u32::from(town::HOME_BLOCK) << 16);
    let from = position.frame.origin + home.block_offset(position.cell);
    let is_there = |surface: Surface| {
        position.cell.is_outdoor() || !matches!(surface, Surface::Land | Surface::Building)
    };
    [50.0, -50.0].into_iter().all(|along| {
        let along = Vec3::new(0.0, 0.0, along);
        let hits = everything().triangles.iter().filter(|(_, surface)| is_there(*surface)).filter_map(
            |(corners, _)| {
                let (share, margin) = triangle_share(corners, from, along)?;
                let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
                (margin >= 0.0).then_some((share, normal.dot(along) < 0.0))
            },
        );
        hits.min_by(|a, b| a.0.total_cmp(&b.0)).is_none_or(|(_, is_front)| is_front)
    })
}

/// Returns `true` if any room of the town contains a point of the home block.
fn is_in_a_room(point: Vec3) -> bool {
    scene().rooms(town::HOME_BLOCK).iter().any(|room| room.contains(point))
}

#[test]
fn a_line_of_sight_meets_what_an_exhaustive_search_finds() {
    let mut random = Random(0x1234_5678_9ABC_DEF1);
    let home = CellId(u32::from(town::HOME_BLOCK) << 16);
    let (mut clear, mut clear_through_portals, mut kinds, mut doubtful) = (0, 0, [0; 5], 0);
    for number in 0..3_000 {
        let (mut from, mut to) = (random_point(&mut random), random_point(&mut random));
        if number % 4 == 1 {
            // Through a doorway or up a flight of stairs.
            let ends = [from, to];
            (from, to) = near_a_portal(&mut random).unwrap_or((ends[0], ends[1]));
        } else if number % 2 == 0 {
            // Near each other, so that more of the lines are clear.
            let near = |random: &mut Random| random.between(-5.0, 5.0);
            let offset = Vec3::new(near(&mut random), near(&mut random), near(&mut random) * 0.4);
            let mut beside = from;
            beside.frame.origin += offset;
            let Some(found) = scene().find_cell(&beside) else { continue };
            to = found;
        }
        if !is_in_the_open(&from) || !is_in_the_open(&to) {
            continue;
        }
        let [start, end] = [from, to].map(|p| p.frame.origin + home.block_offset(p.cell));
        let (expected, doubt) = everything().all_on(start, end);
        if doubt < 0.002 {
            doubtful += 1;
            continue;
        }
        let found = scene().line_of_sight(&from, &to);
        let case = format!("{number}: from {from:?} to {to:?}: {found:?}, but {expected:?}");
        match (found, &expected[..]) {
            (Ok(()), []) => {
                clear += 1;
                clear_through_portals += u32::from(from.cell != to.cell && from.cell.is_room());
            }
            (Err(Obstruction::Surface(hit)), [(first, _), ..]) => {
                let distance = f64::from(hit.share * from.distance_to(&to));
                assert!((distance - first).abs() < 0.02, "{case}");
                // Land and the ceiling of a cellar, say, can be in the same plane.
                let is_hit =
                    |(at, surface): &(f64, Surface)| *surface == hit.surface && (at - distance).abs() < 0.02;
                assert!(expected.iter().any(is_hit), "{case}");
                let on_line = start + (end - start) * hit.share;
                let reported = hit.position.frame.origin + home.block_offset(hit.position.cell);
                assert!((on_line - reported).length() < 0.01, "{case}");
                assert!(hit.normal.dot(end - start) <= 0.0, "{case}");
                kinds[match hit.surface {
                    Surface::Land => 0,
                    Surface::Building => 1,
                    Surface::Room => 2,
                    Surface::Scenery => 3,
                    _ => 4,
                }] += 1;
            }
            (Err(Obstruction::Unconnected), [_, ..]) => kinds[4] += 1,
            _ => panic!("{case}"),
        }
        assert_eq!(found.is_ok(), scene().line_of_sight(&to, &from).is_ok(), "{number}: both directions");
    }
    println!(
        "{clear} clear, {clear_through_portals} through portals, {kinds:?} obstructed, {doubtful} in doubt"
    );
    assert!(clear > 500 && clear_through_portals > 100 && doubtful < 400);
    assert!(kinds[..4].iter().all(|count| *count > 12), "{kinds:?}");
    assert!(kinds[4] < 40, "{kinds:?}");
}

/// A body dropped from above comes to rest on what `ground_at` finds, if that is level enough to stand on and wide enough
/// for the body not to touch anything else.
#[test]
fn a_dropped_body_lands_on_the_ground_found_below_it() {
    let settings = Settings { surroundings: Some(Arc::new(scene().clone())), ..Settings::default() };
    let mut world = World::with_settings(Assets::mannequin(), settings);
    let mut random = Random(0xABCD_EF01_2345_6789);
    let body = Guid(0x5000_0001);
    world.add_stand_in(body, &landmarks().spawn, 0.0);
    let (mut tick, mut surfaces, mut sunk) = (0, [0; 4], 0);
    for number in 0..3_000 {
        let mut from = random_point(&mut random);
        let town = landmarks();
        if number % 4 == 0 {
            // On the slopes and in the lake, in other landblocks.
            let around = [town.hill_top, town.lake, town.cliff_top][random.below(3)];
            let offset = Vec3::new(random.between(-30.0, 30.0), random.between(-30.0, 30.0), 3.0);
            from = CellPosition::at(around.cell, around.frame.origin + offset);
        } else if number % 4 == 1 {
            // On scenery and in rooms.
            let around =
                [town.ramp_top, town.outdoor_stairs_top, town.ledge, town.hall, town.loft, town.cellar];
            let around = around[random.below(6)];
            let offset = Vec3::new(random.between(-3.0, 3.0), random.between(-3.0, 3.0), 0.9);
            from = CellPosition::at(around.cell, around.frame.origin + offset);
        }
        let Some(ground) = scene().ground_at(&from) else { continue };
        let is_same = |x: f32, y: f32| {
            let mut beside = from;
            beside.frame.origin += Vec3::new(x, y, 0.0);
            let beside = scene().ground_at(&beside);
            beside.is_some_and(|beside| {
                let offset = ground.position.offset_to(&beside.position);
                beside.surface == ground.surface
                    && beside.depth == ground.depth
                    && beside.plane.normal.is_close_to(ground.plane.normal)
                    && ground.plane.normal.dot(offset).abs() < 0.002
            })
        };
        let is_wide = (0..16).all(|index| {
            let (sin, cos) = (index as f32 * 22.5f32.to_radians()).sin_cos();
            [0.3, 0.6].into_iter().all(|distance| is_same(sin * distance, cos * distance))
        });
        if !is_wide || !ground.is_walkable() || !is_in_the_open(&from) {
            continue;
        }
        let start = scene().find_cell(&from).unwrap();
        let start_time = f64::from(tick) / 30.0;
        let is_placed = world.act(body, start_time, |actor, around| {
            actor.entity.body.set_velocity(Vec3::ZERO, start_time);
            actor.set_position(&start, false, around)
        });
        for _ in 0..100 {
            tick += 1;
            world.tick(f64::from(tick) / 30.0);
        }
        let resident = world.find(body).unwrap();
        let case = format!("{:?} from {start:?}, expected {ground:?}", resident.position());
        let offset = start.offset_to(&resident.position());
        if is_placed != Some(true) || offset.x.hypot(offset.y) > 0.02 || offset.z > 0.02 {
            // There was no room for it, also above, or it fell on the edge of something.
            continue;
        }
        assert!(resident.body().is_standing(), "{case}");
        // The foot sphere, at 0.475 m with a radius of 0.48 m, rests on land with its lowest point, else with the nearest.
        let normal_z = ground.plane.normal.z;
        let lift = if ground.surface == Surface::Land { 0.48 } else { 0.48 / normal_z } - 0.475;
        let height = ground.standing_height() + lift;
        assert!((resident.position().frame.origin.z - height).abs() < 0.01, "{case}");
        surfaces[match ground.surface {
            Surface::Land => 0,
            Surface::Room => 1,
            Surface::Scenery => 2,
            _ => 3,
        }] += 1;
        sunk += u32::from(ground.depth > 0.0);
    }
    println!("{surfaces:?} landed on land, rooms, scenery, buildings; {sunk} in water");
    assert!(surfaces[0] > 300 && surfaces[1] > 100 && surfaces[2] > 50 && sunk > 20);
}

#[test]
fn the_ground_below_each_named_position_is_the_one_it_stands_on() {
    for (name, position) in landmarks().iter() {
        let ground = scene().ground_at(&raised(&position, 0.5)).unwrap_or_else(|| panic!("{name}"));
        if name == "door" {
            continue;
        }
        let gap = position.frame.origin.z - ground.standing_height();
        assert!((-0.001..0.03).contains(&gap), "{name}: {gap} above {ground:?}");
        assert_eq!(ground.position.cell.is_room(), position.cell.is_room(), "{name}");
        // At the feet themselves, and a hand's breadth below them, it is still the same.
        for by in [0.0, -0.04] {
            let again = scene().ground_at(&raised(&position, by)).map(|ground| ground.height());
            assert!(again.is_some_and(|again| (again - ground.height()).abs() < 1e-3), "{name}: {again:?}");
        }
    }
}

#[test]
fn ground_is_found_through_portals_below_and_land_from_below() {
    let town = landmarks();
    // Above the stairs to the cellar, a point of the room at the top drops into the room of the stairs below.
    let mut above = town.cellar_stairs_top;
    above.frame.origin.y -= 2.0;
    let ground = scene().ground_at(&raised(&above, 0.3)).unwrap();
    assert_eq!(ground.surface, Surface::Room);
    let drop = town.cellar_stairs_top.frame.origin.z - ground.height();
    assert!((0.3..2.0).contains(&drop), "a step of the flight, {drop} m down");
    // Named by the land cell, a point in the house is in its room all the same.
    let mut outdoors = town.hall;
    outdoors.cell = town.doorstep.cell;
    assert_eq!(scene().find_cell(&outdoors).map(|found| found.cell), Some(town.hall.cell));
    assert_eq!(scene().ground_at(&raised(&outdoors, 1.0)).map(|ground| ground.surface), Some(Surface::Room));
    // On the roof of the house, and on the land below a point in the ground.
    let mut roof = town.hall;
    roof.cell = town.doorstep.cell;
    let ground = scene().ground_at(&raised(&roof, 12.0)).unwrap();
    assert!(ground.surface == Surface::Building && ground.height() > town.loft.frame.origin.z + 3.0);
    let buried = scene().ground_at(&raised(&town.spawn, -5.0)).unwrap();
    assert_eq!(Some(buried.height()), scene().height_at(&town.spawn));
}

#[test]
fn portals_show_what_is_behind_them() {
    let town = landmarks();
    let eyes = |position: &CellPosition| raised(position, 1.5);
    // Through the open front door.
    assert_eq!(scene().line_of_sight(&eyes(&town.spawn), &eyes(&town.hall)), Ok(()));
    assert_eq!(scene().line_of_sight(&eyes(&town.hall), &eyes(&town.spawn)), Ok(()));
    // The feet in the hall are on its floor, which does not hide them.
    assert_eq!(scene().line_of_sight(&eyes(&town.hall), &town.hall), Ok(()));
    let blocked = scene().line_of_sight(&eyes(&town.hall), &eyes(&town.cellar)).unwrap_err();
    assert_eq!(blocked.surface().map(|hit| hit.surface), Some(Surface::Room));
    assert_eq!(blocked.to_string(), "a wall, floor or ceiling is in the way");
    let hidden = scene().line_of_sight(&eyes(&town.spawn), &eyes(&town.cellar)).unwrap_err();
    assert_eq!(hidden.surface().map(|hit| hit.surface), Some(Surface::Land));
    assert!(scene().line_of_sight(&eyes(&town.wall), &raised(&town.wall, 50.0)).is_ok());
}

/// Two rooms on level land, each with a portal to the other's side, and no building that leads to them.
#[test]
fn a_line_leads_out_of_one_room_and_into_another() {
    let room = |low: u32, west: f32, faces_east: bool| {
        let origin = Vec3::new(west, 60.0, 94.0);
        let mut room = Room::new(CellId(0xA9B4_0000 | low), Frame::from_origin(origin));
        // 6 m wide, 6 m deep and 3 m high.
        let plane = |x: f32, y: f32, z: f32, d: f32| Plane::new(Vec3::new(x, y, z), d);
        room.inside = CellTree::new(vec![
            plane(1.0, 0.0, 0.0, 0.0),
            plane(-1.0, 0.0, 0.0, 6.0),
            plane(0.0, 1.0, 0.0, 0.0),
            plane(0.0, -1.0, 0.0, 6.0),
            plane(0.0, 0.0, 1.0, 0.0),
            plane(0.0, 0.0, -1.0, 3.0),
        ]);
        let wall = if faces_east { plane(-1.0, 0.0, 0.0, 6.0) } else { plane(1.0, 0.0, 0.0, 0.0) };
        room.portals = vec![Portal { other: None, plane: wall, side: false }];
        room
    };
    let mut builder = SceneBuilder::new(&[94.0; 256]);
    builder.add_land(0xA9B4, &[0; 81], &[acmotion::dat::Terrain::from_kind(1); 81]);
    builder.add_room(room(0x100, 60.0, true)).unwrap();
    builder.add_room(room(0x101, 100.0, false)).unwrap();
    let scene = builder.finish();
    let at =
        |low: u32, x: f32, z: f32| CellPosition::at(CellId(0xA9B4_0000 | low), Vec3::new(x, 63.0, 94.0 + z));
    let (west, east) = (at(0x100, 63.0, 1.5), at(0x101, 103.0, 1.5));
    assert_eq!(scene.line_of_sight(&west, &east), Ok(()));
    assert_eq!(scene.line_of_sight(&east, &west), Ok(()));
    let outside = at(0x1B, 80.0, 1.5);
    assert_eq!(scene.line_of_sight(&west, &outside), Ok(()));
    assert_eq!(scene.line_of_sight(&outside, &west), Ok(()));
    // On the side without a portal there is no way, though nothing solid is there.
    let behind = at(0x13, 50.0, 1.5);
    assert_eq!(scene.line_of_sight(&west, &behind), Err(Obstruction::Unconnected));
    assert_eq!(scene.line_of_sight(&behind, &west), Err(Obstruction::Unconnected));
    // Out of a window and down to the land.
    let hit = scene.line_of_sight(&at(0x100, 63.0, 2.5), &at(0x1B, 80.0, -1.0)).unwrap_err();
    assert_eq!(hit.surface().map(|hit| hit.surface), Some(Surface::Land));
}

#[test]
fn lines_cross_landblocks() {
    let town = landmarks();
    assert_ne!(town.hill_top.cell.block(), town.spawn.cell.block());
    let (high, far) = (raised(&town.spawn, 60.0), raised(&town.hill_top, 2.0));
    assert_eq!(scene().line_of_sight(&high, &far), Ok(()));
    assert_eq!(scene().line_of_sight(&far, &high), Ok(()));
    let hit = scene().line_of_sight(&raised(&town.spawn, 0.2), &raised(&town.hill_top, 0.2)).unwrap_err();
    let hit = *hit.surface().unwrap();
    let expected = town.spawn.distance_to(&hit.position) / town.spawn.distance_to(&town.hill_top);
    assert!((hit.share - expected).abs() < 0.01, "{hit:?}");
}

#[test]
fn a_shape_can_stand_where_a_body_could_be_placed() {
    let (town, shape) = (landmarks(), Shape::human());
    for (name, position) in town.iter().filter(|(name, _)| *name != "door") {
        let stood = scene().can_stand_at(&shape, &position).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(stood.distance_to(&position) < 0.06, "{name}: {stood:?}");
    }
    assert_eq!(scene().can_stand_at(&shape, &raised(&town.spawn, 10.0)), Err(StandError::NoGround));
    let mut in_the_wall = town.wall;
    in_the_wall.frame.origin.y += 1.5;
    let blocked = (0..20).any(|step| {
        in_the_wall.frame.origin.y += 0.1 * step as f32 * 0.1;
        scene().can_stand_at(&shape, &in_the_wall) == Err(StandError::NoRoom)
    });
    assert!(blocked, "nothing in the way of {:?}", town.wall);
    let nowhere = CellPosition::at(CellId(0x0101_0001), Vec3::new(1.0, 1.0, 0.0));
    assert_eq!(scene().can_stand_at(&shape, &nowhere), Err(StandError::NoCell));
}

#[test]
fn a_swept_shape_walks_climbs_and_stops() {
    let (town, shape) = (landmarks(), Shape::human());
    let moved = |position: &CellPosition, offset: Vec3| {
        CellPosition::new(position.cell, Frame::new(position.frame.origin + offset, position.frame.rotation))
    };
    // On foot, up the ramp: 4 m to the north it is about 1 m higher.
    let swept = scene().sweep_shape(
        &shape,
        &town.ramp_foot,
        &moved(&town.ramp_foot, Vec3::new(0.0, 4.0, 0.0)),
        SweepKind::Walk,
    );
    let arrival = swept.arrival.unwrap();
    let risen = arrival.position.frame.origin.z - town.ramp_foot.frame.origin.z;
    assert!(arrival.has_contact && risen > 0.5, "{arrival:?}");
    // Flying, the same line ends at the ramp.
    let far = moved(&town.ramp_foot, Vec3::new(0.0, 4.0, 0.3));
    let swept =
        scene().sweep_shape(&shape, &moved(&town.ramp_foot, Vec3::new(0.0, 0.0, 0.3)), &far, SweepKind::Fly);
    let arrival = swept.arrival.unwrap();
    assert!(arrival.collision_normal.is_some() && arrival.position.distance_to(&far) > 1.0, "{arrival:?}");
    // On foot, down from a block of 0.3 m: it keeps to the ground.
    let level = scene().height_at(&town.steps).unwrap();
    let on_block = (0..400)
        .map(|step| {
            moved(&town.steps, Vec3::new((step % 20) as f32 * 0.5 - 5.0, (step / 20) as f32 * 0.3, 3.0))
        })
        .filter_map(|above| scene().ground_at(&above))
        .find(|ground| (ground.height() - level - 0.3).abs() < 0.01)
        .unwrap();
    let start = scene().can_stand_at(&shape, &raised(&on_block.position, 0.01)).unwrap();
    assert!(start.frame.origin.z > level + 0.29, "{start:?}");
    let south = moved(&start, Vec3::new(0.0, -4.0, 0.0));
    let arrival = scene().sweep_shape(&shape, &start, &south, SweepKind::Walk).arrival.unwrap();
    assert!(arrival.has_contact && arrival.position.frame.origin.z < level + 0.01, "{arrival:?}");
    // Into the wall, which is 3 m high.
    let beyond = moved(&town.wall, Vec3::new(0.0, 6.0, 0.0));
    for kind in [SweepKind::Walk, SweepKind::Fly] {
        let end =
            scene().sweep_shape(&shape, &town.wall, &beyond, kind).arrival.map(|arrival| arrival.position);
        assert!(end.is_none_or(|end| end.distance_to(&beyond) > 3.0), "{kind:?}: {end:?}");
    }
}

#[test]
fn visible_cells_are_those_of_the_files() {
    let town = landmarks();
    let (hall, land) = (scene().visible_cells(town.hall.cell), scene().visible_cells(town.doorstep.cell));
    assert!(hall.contains(&town.loft.cell) && hall.contains(&town.cellar.cell));
    assert!(land.contains(&town.hall.cell), "through the door");
    assert_eq!(scene().visible_cells(town.hill_top.cell), []);
    assert_eq!(scene().visible_cells(CellId(0x0101_0100)), []);
    assert!(scene().sees_outside(town.spawn.cell) && !scene().sees_outside(CellId(0x0101_0100)));
    assert_eq!(scene().sees_outside(town.hall.cell), scene().room(town.hall.cell).unwrap().seen_outside);
}

#[test]
fn hostile_positions_are_in_no_cell() {
    let town = landmarks();
    let numbers = [f32::NAN, f32::INFINITY, -1e30, 1e30, 1e6, -50_000.0];
    let empty = SceneBuilder::new(&[0.0; 256]).finish();
    for cell in [town.spawn.cell, town.hall.cell, CellId(0), CellId(0xFFFF_FFFF), CellId(0xA9B4_0050)] {
        for number in numbers {
            for origin in
                [Vec3::new(number, 10.0, 10.0), Vec3::new(10.0, number, 10.0), Vec3::new(10.0, 10.0, number)]
            {
                let position = CellPosition::at(cell, origin);
                for scene in [scene(), &empty] {
                    let _ = scene.ground_at(&position);
                    let _ = scene.height_at(&position);
                    let _ = scene.line_of_sight(&position, &town.spawn);
                    let _ = scene.line_of_sight(&town.spawn, &position);
                    let _ = scene.can_stand_at(&Shape::human(), &position);
                    let _ = scene.sweep_shape(&Shape::human(), &town.spawn, &position, SweepKind::Walk);
                    let _ = scene.sweep_shape(&Shape::default(), &position, &town.spawn, SweepKind::Fly);
                }
                if !number.is_finite() {
                    assert_eq!(scene().line_of_sight(&position, &town.spawn), Err(Obstruction::Unconnected));
                    assert_eq!(scene().ground_at(&position), None);
                }
            }
        }
    }
    assert_eq!(empty.line_of_sight(&town.spawn, &town.spawn), Err(Obstruction::Unconnected));
}

#[test]
fn questions_do_not_allocate() {
    let mut random = Random(77);
    let points: Vec<_> = (0..100).map(|_| random_point(&mut random)).collect();
    let shape = Shape::human();
    let (scene, mut answers) = (scene(), 0);
    let allocations = allocation_counter::measure(|| {
        for pair in points.windows(2) {
            let (from, to) = (&pair[0], &pair[1]);
            answers += usize::from(scene.line_of_sight(from, to).is_ok());
            answers += usize::from(scene.ground_at(from).is_some());
            answers += usize::from(scene.height_at(from).is_some());
            answers += usize::from(scene.can_stand_at(&shape, from).is_ok());
            answers += usize::from(scene.sweep_shape(&shape, from, to, SweepKind::Walk).arrival.is_some());
            answers += usize::from(scene.sweep_shape(&shape, from, to, SweepKind::Fly).arrival.is_some());
            answers += scene.visible_cells(from.cell).len();
        }
    });
    assert_eq!(allocations.count_total, 0);
    assert!(answers > 200, "{answers}");
}

#[test]
fn surroundings_of_one_plane_answer_too() {
    let ground = InfinitePlane::level(94.0);
    let at = |cell: u32, x: f32, z: f32| CellPosition::at(CellId(cell), Vec3::new(x, 10.0, z));
    let found = ground.find_ground(&at(0xA9B4_0001, 5.0, 100.0), &NoObstacles).unwrap();
    assert_eq!((found.height(), found.surface), (94.0, Surface::Land));
    let (here, there) = (at(0xA9B4_0001, 190.0, 96.0), at(0xAAB4_0001, 2.0, 92.0));
    let Some(Obstruction::Surface(hit)) = ground.find_obstruction(&here, &there, &NoObstacles) else {
        panic!("the plane is between them")
    };
    assert!((hit.share - 0.5).abs() < 1e-5 && hit.position.frame.origin.z == 94.0, "{hit:?}");
    assert_eq!(ground.find_obstruction(&here, &at(0xAAB4_0001, 2.0, 95.0), &NoObstacles), None);
}

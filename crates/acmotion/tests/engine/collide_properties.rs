//! Properties of any body among any obstacles: it stays out of them, gains no speed, moves freely where nothing is in
//! the way, and does the same twice.

use crate::collide_fixture;

use acmotion::components::{PhysicsState, TransientState};
use acmotion::dat::builder::{MeshFace, MeshKind as MeshBody};
use acmotion::dat::{DataId, Sphere};
use acmotion::scene::geometry::{PolygonId, Solid};
use acmotion::types::{CellPosition, Frame, Quat, Vec3};
use collide_fixture::{Fixture, TestObstacle, UP, human, level};
use proptest::prelude::*;

/// The maximum depth of a sphere in a polygon, in metres.
const MAX_DEPTH: f32 = 0.003;
const PAINT: DataId = DataId(0x0800_0001);

/// A block, rotated about its vertical axis and possibly tilted.
#[derive(Clone, Debug)]
struct Block {
    low: [f32; 3],
    size: [f32; 3],
    yaw: f32,
    tip: f32,
}

impl Block {
    fn frame(&self) -> Frame {
        let turn =
            Quat::from_axis_angle(UP, self.yaw) * Quat::from_axis_angle(Vec3::new(1.0, 0.0, 0.0), self.tip);
        let mut frame = Frame::from_origin(self.low.into());
        frame.set_rotation(turn);
        frame
    }

    fn obstacle(&self) -> TestObstacle {
        let half = Vec3::new(self.size[0], self.size[1], 0.0) * 0.5;
        let top = Vec3::new(half.x, half.y, self.size[2]);
        let faces =
            MeshFace::cuboid(PAINT, -half, top).into_iter().map(|face| face.transformed(&self.frame()));
        TestObstacle::of_faces(&faces.collect::<Vec<_>>(), MeshBody::Closed)
    }
}

fn block() -> impl Strategy<Value = Block> {
    let tip = prop_oneof![4 => Just(0.0f32), 1 => -0.6f32..0.6];
    let low = (-4.0f32..4.0, -4.0f32..4.0, -0.4f32..0.3).prop_map(|(x, y, z)| [x, y, z]);
    let size = (0.3f32..3.0, 0.3f32..3.0, 0.2f32..3.0).prop_map(|(x, y, z)| [x, y, z]);
    (low, size, 0.0f32..6.3, tip).prop_map(|(low, size, yaw, tip)| Block { low, size, yaw, tip })
}

/// Displacements tick by tick. A heading is kept for some ticks.
fn walk() -> impl Strategy<Value = Vec<[f32; 3]>> {
    let leg = (0.0f32..6.3, 0.02f32..0.9, 1usize..8).prop_map(|(heading, length, ticks)| {
        let (sin, cos) = libm::sincosf(heading);
        vec![[sin * length, cos * length, 0.0]; ticks]
    });
    prop::collection::vec(leg, 1..8).prop_map(|legs| legs.concat())
}

fn fixture(blocks: &[Block], at: [f32; 3]) -> Fixture {
    Fixture::new(level(), blocks.iter().map(Block::obstacle).collect(), human(), at)
}

/// Returns the body's spheres in the axes of an obstacle, with their radius reduced by `less`.
fn spheres_in(fixture: &Fixture, obstacle: &TestObstacle, less: f32) -> impl Iterator<Item = Sphere> {
    let CellPosition { cell, frame } = fixture.body.position;
    let offset = obstacle.position.cell.block_offset(cell) + frame.origin - obstacle.position.frame.origin;
    let spheres = fixture.shape.spheres().to_vec();
    spheres
        .into_iter()
        .map(move |sphere| Sphere { origin: sphere.origin + offset, radius: sphere.radius - less })
}

/// Returns a polygon of a solid that a sphere overlaps.
fn polygon_in(solid: &Solid, sphere: &Sphere) -> Option<u32> {
    (0..solid.polygon_count() as u32).find(|id| solid.polygon(PolygonId(*id)).hits_sphere(sphere))
}

/// Returns a polygon of any obstacle that the body overlaps even if its spheres are smaller by `less`.
fn overlap(fixture: &Fixture, less: f32) -> Option<u32> {
    fixture.obstacles.iter().find_map(|obstacle| {
        spheres_in(fixture, obstacle, less).find_map(|sphere| polygon_in(obstacle.solid(), &sphere))
    })
}

/// Returns `true` if the body overlaps an obstacle or is inside of one.
fn is_buried(fixture: &Fixture) -> bool {
    fixture.obstacles.iter().any(|obstacle| {
        spheres_in(fixture, obstacle, 0.0).any(|sphere| obstacle.solid().intersects_solid(&sphere, true))
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn a_walker_stays_out_of_obstacles(blocks in prop::collection::vec(block(), 0..6), walk in walk()) {
        let mut walker = fixture(&blocks, [0.0, 0.0, 0.005]).standing();
        prop_assume!(!is_buried(&walker));
        for by in walk {
            let before = walker.at();
            let succeeded = walker.push(by);
            prop_assert_eq!(overlap(&walker, MAX_DEPTH), None, "from {:?} by {:?} to {:?}", before, by, walker.at());
            prop_assert!(succeeded || walker.at() == before, "a failed sweep moves nothing");
            let [x, y, z] = walker.at();
            let moved = ((x - before[0]).powi(2) + (y - before[1]).powi(2)).sqrt();
            prop_assert!(moved <= (by[0] * by[0] + by[1] * by[1]).sqrt() + 1e-3, "moved farther than it was pushed");
            prop_assert!(z > -0.001, "below the ground");
            let transient = walker.body.transient;
            prop_assert!(
                transient.contains(TransientState::CONTACT) || !transient.contains(TransientState::ON_WALKABLE)
            );
        }
    }

    #[test]
    fn a_flying_body_stays_out_of_obstacles_and_gains_no_speed(
        blocks in prop::collection::vec(block(), 0..6),
        at in (-3.0f32..3.0, -3.0f32..3.0, 0.1f32..6.0),
        velocity in (-9.0f32..9.0, -9.0f32..9.0, -9.0f32..9.0),
        inelastic in any::<bool>(),
    ) {
        let mut flying = fixture(&blocks, at.into()).falling(velocity.into());
        prop_assume!(!is_buried(&flying));
        flying.body.state.set(PhysicsState::INELASTIC, inelastic);
        for _ in 0..60 {
            let mut frame = flying.body.position.frame;
            flying.body.calc_acceleration();
            flying.body.update_physics(1.0 / 30.0, &mut frame);
            let by = frame.origin - flying.body.position.frame.origin;
            let speed = flying.body.velocity.length();
            flying.push(by.into());
            prop_assert!(flying.body.velocity.length() <= speed * 1.000_01 + 1e-6, "a collision added speed");
            prop_assert_eq!(overlap(&flying, MAX_DEPTH), None, "at {:?}", flying.at());
        }
    }

    #[test]
    fn a_body_with_nothing_in_the_way_moves_by_the_full_displacement(
        at in (-9.0f32..9.0, -9.0f32..9.0, 3.0f32..30.0),
        by in (-2.0f32..2.0, -2.0f32..2.0, -1.0f32..2.0),
    ) {
        let mut flying = fixture(&[], at.into());
        prop_assume!(Vec3::from(<[f32; 3]>::from(by)).length() > 0.01);
        for _ in 0..3 {
            let before = Vec3::from(flying.at());
            prop_assert!(flying.push(by.into()));
            let moved = Vec3::from(flying.at()) - before;
            let has_landed = flying.body.has_contact();
            prop_assert!(has_landed || (moved - Vec3::from(<[f32; 3]>::from(by))).length() < 1e-3, "{:?}", moved);
        }
        let mut walker = fixture(&[], [at.0, at.1, 0.005]).standing();
        let along = [by.0, by.1, 0.0];
        prop_assume!(Vec3::from(along).length() > 0.01);
        for tick in 1..4u8 {
            prop_assert!(walker.push(along));
            walker.assert_at([at.0 + by.0 * f32::from(tick), at.1 + by.1 * f32::from(tick), 0.005]);
        }
    }

    #[test]
    fn the_same_walk_twice_gives_the_same_bits(blocks in prop::collection::vec(block(), 0..6), walk in walk()) {
        let run = || {
            let mut walker = fixture(&blocks, [0.0, 0.0, 0.005]).standing();
            for by in &walk {
                walker.push(*by);
            }
            let bits = walker.at().map(f32::to_bits);
            (bits, walker.body.transient, walker.body.contact_plane.d.to_bits(), walker.last)
        };
        let here = run();
        let on_thread = std::thread::scope(|scope| scope.spawn(run).join().unwrap());
        prop_assert_eq!(here, on_thread);
    }
}

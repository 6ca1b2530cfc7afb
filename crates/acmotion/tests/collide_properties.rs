//! What holds for any body among any things: it stays out of them, gains no speed, is not stuck in the open, and does the
//! same twice.

mod collide_stage;

use acmotion::body::{PhysicsState, TransientState};
use acmotion::collide::geometry::{PolygonId, Solid};
use acmotion::dat::builder::{Body as Inside, Face};
use acmotion::dat::{DataId, Sphere};
use acmotion::types::{CellPosition, Frame, Quat, Vec3};
use collide_stage::{Stage, Thing, UP, human, level};
use proptest::prelude::*;

/// How deep a sphere may be in a polygon, in metres.
const DEPTH: f32 = 0.003;
const PAINT: DataId = DataId(0x0800_0001);

/// A block, turned about its upright axis and perhaps tipped over.
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

    fn thing(&self) -> Thing {
        let half = Vec3::new(self.size[0], self.size[1], 0.0) * 0.5;
        let top = Vec3::new(half.x, half.y, self.size[2]);
        let faces = Face::block(PAINT, -half, top).into_iter().map(|face| face.placed(&self.frame()));
        Thing::of_faces(&faces.collect::<Vec<_>>(), Inside::Closed)
    }
}

fn block() -> impl Strategy<Value = Block> {
    let tip = prop_oneof![4 => Just(0.0f32), 1 => -0.6f32..0.6];
    let low = (-4.0f32..4.0, -4.0f32..4.0, -0.4f32..0.3).prop_map(|(x, y, z)| [x, y, z]);
    let size = (0.3f32..3.0, 0.3f32..3.0, 0.2f32..3.0).prop_map(|(x, y, z)| [x, y, z]);
    (low, size, 0.0f32..6.3, tip).prop_map(|(low, size, yaw, tip)| Block { low, size, yaw, tip })
}

fn way() -> impl Strategy<Value = Vec<[f32; 3]>> {
    // A heading is kept for some ticks.
    let leg = (0.0f32..6.3, 0.02f32..0.9, 1usize..8).prop_map(|(heading, length, ticks)| {
        let (sin, cos) = libm::sincosf(heading);
        vec![[sin * length, cos * length, 0.0]; ticks]
    });
    prop::collection::vec(leg, 1..8).prop_map(|legs| legs.concat())
}

fn stage(blocks: &[Block], at: [f32; 3]) -> Stage {
    Stage::new(level(), blocks.iter().map(Block::thing).collect(), human(), at)
}

/// The body's spheres in the axes of a thing, a little smaller than they are.
fn spheres_in(stage: &Stage, thing: &Thing, less: f32) -> impl Iterator<Item = Sphere> {
    let CellPosition { cell, frame } = stage.body.position;
    let offset = thing.position.cell.block_offset(cell) + frame.origin - thing.position.frame.origin;
    let spheres = stage.shape.spheres().to_vec();
    spheres
        .into_iter()
        .map(move |sphere| Sphere { origin: sphere.origin + offset, radius: sphere.radius - less })
}

fn polygon_in(solid: &Solid, sphere: &Sphere) -> Option<u32> {
    (0..solid.polygon_count() as u32).find(|id| solid.polygon(PolygonId(*id)).hits_sphere(sphere))
}

/// Is the body clear of all things, or inside of none?
fn overlap(stage: &Stage, less: f32) -> Option<u32> {
    stage.things.iter().find_map(|thing| {
        spheres_in(stage, thing, less).find_map(|sphere| polygon_in(thing.solid(), &sphere))
    })
}

fn is_buried(stage: &Stage) -> bool {
    stage.things.iter().any(|thing| {
        spheres_in(stage, thing, 0.0).any(|sphere| thing.solid().intersects_solid(&sphere, true))
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn a_walker_stays_out_of_things(blocks in prop::collection::vec(block(), 0..6), way in way()) {
        let mut walker = stage(&blocks, [0.0, 0.0, 0.005]).standing();
        prop_assume!(!is_buried(&walker));
        for by in way {
            let before = walker.at();
            let done = walker.push(by);
            prop_assert_eq!(overlap(&walker, DEPTH), None, "from {:?} by {:?} to {:?}", before, by, walker.at());
            prop_assert!(done || walker.at() == before, "what fails moves nothing");
            let [x, y, z] = walker.at();
            let far = ((x - before[0]).powi(2) + (y - before[1]).powi(2)).sqrt();
            prop_assert!(far <= (by[0] * by[0] + by[1] * by[1]).sqrt() + 1e-3, "no farther than it was pushed");
            prop_assert!(z > -0.001, "never in the ground");
            let transient = walker.body.transient;
            prop_assert!(
                transient.contains(TransientState::CONTACT) || !transient.contains(TransientState::ON_WALKABLE)
            );
        }
    }

    #[test]
    fn a_thrown_body_stays_out_of_things_and_gains_no_speed(
        blocks in prop::collection::vec(block(), 0..6),
        at in (-3.0f32..3.0, -3.0f32..3.0, 0.1f32..6.0),
        velocity in (-9.0f32..9.0, -9.0f32..9.0, -9.0f32..9.0),
        inelastic in any::<bool>(),
    ) {
        let mut thrown = stage(&blocks, at.into()).falling(velocity.into());
        prop_assume!(!is_buried(&thrown));
        thrown.body.state.set(PhysicsState::INELASTIC, inelastic);
        for _ in 0..60 {
            let mut frame = thrown.body.position.frame;
            thrown.body.calc_acceleration();
            thrown.body.update_physics(1.0 / 30.0, &mut frame);
            let by = frame.origin - thrown.body.position.frame.origin;
            let speed = thrown.body.velocity.length();
            thrown.push(by.into());
            prop_assert!(thrown.body.velocity.length() <= speed * 1.000_01 + 1e-6, "a collision gives no speed");
            prop_assert_eq!(overlap(&thrown, DEPTH), None, "at {:?}", thrown.at());
        }
    }

    #[test]
    fn a_body_in_the_open_goes_where_it_is_pushed(
        at in (-9.0f32..9.0, -9.0f32..9.0, 3.0f32..30.0),
        by in (-2.0f32..2.0, -2.0f32..2.0, -1.0f32..2.0),
    ) {
        let mut flies = stage(&[], at.into());
        prop_assume!(Vec3::from(<[f32; 3]>::from(by)).length() > 0.01);
        for _ in 0..3 {
            let before = Vec3::from(flies.at());
            prop_assert!(flies.push(by.into()));
            let went = Vec3::from(flies.at()) - before;
            let lands = flies.body.has_contact();
            prop_assert!(lands || (went - Vec3::from(<[f32; 3]>::from(by))).length() < 1e-3, "{:?}", went);
        }
        let mut walks = stage(&[], [at.0, at.1, 0.005]).standing();
        let along = [by.0, by.1, 0.0];
        prop_assume!(Vec3::from(along).length() > 0.01);
        for tick in 1..4u8 {
            prop_assert!(walks.push(along));
            walks.assert_at([at.0 + by.0 * f32::from(tick), at.1 + by.1 * f32::from(tick), 0.005]);
        }
    }

    #[test]
    fn the_same_twice_is_the_same_to_the_bit(blocks in prop::collection::vec(block(), 0..6), way in way()) {
        let run = || {
            let mut walker = stage(&blocks, [0.0, 0.0, 0.005]).standing();
            for by in &way {
                walker.push(*by);
            }
            let bits = walker.at().map(f32::to_bits);
            (bits, walker.body.transient, walker.body.contact_plane.d.to_bits(), walker.last)
        };
        let here = run();
        let there = std::thread::scope(|scope| scope.spawn(run).join().unwrap());
        prop_assert_eq!(here, there);
    }
}

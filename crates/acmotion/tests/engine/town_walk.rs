//! Walking through the mannequin's town: in at the door, up to the loft, down to the cellar and out again; up what can be
//! climbed, and not up what cannot.

use std::sync::OnceLock;

use acmotion::components::{Body, PhysicsState, TransientState};
use acmotion::dat::Assets;
use acmotion::dat::mannequin::town::{self, Landmarks};
use acmotion::internals::body::{BodyFlags, BodyHost, commit};
use acmotion::scene::{MoverFlags, NoObstacles, Scene, Shape, Surroundings, Touch};
use acmotion::types::{CellPosition, Frame, Guid, Vec3};

fn scene() -> &'static Scene {
    static LOADED: OnceLock<Scene> = OnceLock::new();
    LOADED.get_or_init(|| Scene::load(&Assets::mannequin(), &Assets::town()).unwrap())
}

/// A human body that walks from position to position, 30 ticks a second.
struct Walker {
    body: Body,
    shape: Shape,
    touched: Vec<Touch>,
    now: f64,
    highest: f32,
}

impl BodyHost for Walker {
    fn body(&mut self) -> &mut Body {
        &mut self.body
    }
    fn hit_ground(&mut self) {}
    fn leave_ground(&mut self) {}
}

/// The length of a tick's displacement in metres, at a run.
const STRIDE: f32 = 4.0 / 30.0;

impl Walker {
    fn at(position: CellPosition) -> Self {
        let mut body = Body::new(position);
        body.state.insert(PhysicsState::GRAVITY | PhysicsState::EDGE_SLIDE);
        body.flags.insert(BodyFlags::MANAGED);
        let mut walker =
            Self { body, shape: Shape::human(), touched: Vec::new(), now: 0.0, highest: f32::MIN };
        let mover = walker.body.placement_mover(Guid(1), &walker.shape, MoverFlags::empty());
        let arrival = scene().place(&mover, &position, true, &NoObstacles, &mut walker.touched).unwrap();
        commit(&mut walker, &arrival, &[], 0.0);
        walker
    }

    fn position(&self) -> CellPosition {
        self.body.position
    }

    fn z(&self) -> f32 {
        self.body.position.frame.origin.z
    }

    fn tick(&mut self, offset: Vec3) {
        let mut frame = self.body.position.frame;
        self.body.calc_acceleration();
        if self.body.is_standing() {
            frame.origin += offset;
        }
        self.body.update_physics(1.0 / 30.0, &mut frame);
        self.now += 1.0 / 30.0;
        let from = self.body.position;
        if frame.origin.is_close_to(from.frame.origin) {
            return;
        }
        let to = CellPosition::new(from.cell, Frame::new(frame.origin, from.frame.rotation));
        let mover = self.body.mover(Guid(1), &self.shape, MoverFlags::empty());
        let mut touched = std::mem::take(&mut self.touched);
        let sweep = scene().sweep(&mover, &from, &to, &NoObstacles, &mut touched);
        if sweep.kills_velocity {
            self.body.set_velocity(Vec3::ZERO, self.now);
        }
        if let Some(arrival) = &sweep.arrival {
            commit(self, arrival, &touched, self.now);
        }
        self.touched = touched;
        self.highest = self.highest.max(self.z());
    }

    /// Walks straight towards a position as far as possible. Returns the remaining distance in metres.
    fn go(&mut self, to: CellPosition) -> f32 {
        for _ in 0..1500 {
            let offset = Vec3 { z: 0.0, ..self.position().offset_to(&to) };
            let left = offset.length();
            if left < 0.01 {
                break;
            }
            self.tick(offset * (STRIDE.min(left) / left));
        }
        for _ in 0..60 {
            self.tick(Vec3::ZERO);
        }
        self.position().distance_to(&to)
    }

    /// Walks straight to a position, and asserts that the body arrives and stands there.
    #[track_caller]
    fn reach(&mut self, to: CellPosition) {
        let (from, left) = (self.position(), self.go(to));
        assert!(left < 0.05, "from {from:?} to {to:?}: {left} m left at {:?}", self.position());
        assert_eq!(self.position().cell, to.cell);
        assert!(self.body.transient.contains(TransientState::ON_WALKABLE));
    }

    /// Walks north, and returns how far the body gets, in metres.
    fn north(&mut self, metres: f32) -> f32 {
        let start = self.position();
        let to = moved(start, 0.0, metres);
        self.go(to);
        start.offset_to(&self.position()).y
    }
}

/// Returns the position at an offset, in the cell that it is in outdoors.
fn moved(mut position: CellPosition, x: f32, y: f32) -> CellPosition {
    position.frame.origin += Vec3::new(x, y, 0.0);
    position.adjusted_to_outside().unwrap_or(position)
}

/// Returns the position at an offset in the same room.
fn beside(mut position: CellPosition, x: f32, y: f32) -> CellPosition {
    position.frame.origin += Vec3::new(x, y, 0.0);
    position
}

fn landmarks() -> Landmarks {
    town::landmarks()
}

#[test]
fn a_walker_gets_through_the_house_from_loft_to_cellar() {
    let at = landmarks();
    let mut walker = Walker::at(at.spawn);
    walker.reach(at.doorstep);
    walker.reach(at.hall);
    walker.reach(beside(at.hall, 2.6, -1.2));
    walker.reach(at.stairs_foot);
    walker.reach(at.stairs_top);
    walker.reach(at.loft);
    walker.reach(at.stairs_top);
    walker.reach(at.stairs_foot);
    walker.reach(beside(at.hall, 2.6, -1.2));
    walker.reach(beside(at.hall, 2.6, 5.7));
    walker.reach(at.cellar_stairs_top);
    walker.reach(at.cellar_stairs_foot);
    walker.reach(at.cellar);
    walker.reach(at.cellar_stairs_foot);
    walker.reach(at.cellar_stairs_top);
    walker.reach(beside(at.hall, 2.6, 5.7));
    walker.reach(beside(at.hall, 2.6, 0.0));
    walker.reach(at.hall);
    walker.reach(at.spawn);
}

#[test]
fn a_walker_gets_into_the_rotated_shed_and_out_again() {
    let at = landmarks();
    let mut walker = Walker::at(at.shed_door);
    walker.reach(at.shed);
    walker.reach(at.shed_door);
}

#[test]
fn a_walker_climbs_the_ramp_and_stops_at_the_edge() {
    let at = landmarks();
    let mut walker = Walker::at(at.ramp_foot);
    walker.reach(at.ramp_top);
    // The platform ends 2 m further on, 2 m above the ground, so a walker stops at the edge.
    let gone = walker.north(6.0);
    assert!((1.9..2.6).contains(&gone), "{gone}");
    assert!((walker.z() - at.ramp_top.frame.origin.z).abs() < 0.001, "{}", walker.z());
}

#[test]
fn too_steep_slopes_are_not_climbed() {
    let at = landmarks();
    let mut walker = Walker::at(at.steep_ramp_foot);
    walker.north(6.0);
    assert!(walker.highest < 10.4, "{}", walker.highest);
    let mut walker = Walker::at(at.cliff_foot);
    walker.go(at.cliff_top);
    assert!(walker.highest < 10.4, "{}", walker.highest);
    let mut walker = Walker::at(at.cliff_path);
    walker.reach(at.cliff_top);
}

#[test]
fn a_walker_climbs_stairs_and_hill_and_walks_along_the_pier() {
    let at = landmarks();
    let mut walker = Walker::at(at.outdoor_stairs_foot);
    walker.reach(at.outdoor_stairs_top);
    let mut walker = Walker::at(at.hill_foot);
    walker.reach(at.hill_top);
    let mut walker = Walker::at(at.pier_foot);
    walker.reach(at.pier_end);
    walker.reach(at.pier_foot);
    walker.go(moved(at.pier_foot, 0.0, -10.0));
    walker.reach(at.lake);
}

#[test]
fn low_steps_are_climbed_and_high_ones_block() {
    for (row, height) in town::models::STEP_HEIGHTS.into_iter().enumerate() {
        let start = moved(landmarks().steps, 0.0, 4.0 * row as f32);
        let mut walker = Walker::at(start);
        let gone = walker.north(2.5);
        let rise = walker.z() - start.frame.origin.z;
        if height < 0.6 {
            assert!((gone - 2.5).abs() < 0.01 && (rise - height).abs() < 0.001, "{height}: {gone}, {rise}");
        } else {
            assert!(gone < 0.85 && rise.abs() < 0.001, "{height}: {gone}, {rise}");
        }
    }
}

/// Each limit is the distance to the obstacle less the radius of a body, in metres.
#[test]
fn obstacles_stop_a_walker() {
    let at = landmarks();
    for (name, start, limit) in [
        ("wall", at.wall, 1.28),
        ("beam", at.beam, 1.38),
        ("wedge", at.wedge, 6.0),
        ("pillar", moved(at.pillars, -1.5, 0.0), 1.63),
        ("boulder", at.boulder, 1.45),
        ("ledge", at.ledge_foot, 1.03),
    ] {
        let gone = Walker::at(start).north(10.0);
        assert!((0.5 * limit..limit).contains(&gone), "{name}: {gone}");
    }
    let between = Walker::at(at.pillars).north(5.0);
    assert!((between - 5.0).abs() < 0.01, "a body fits between two pillars: {between}");
    let to_sea = Walker::at(at.beach).north(-60.0);
    assert!((-36.5..-35.0).contains(&to_sea), "the open sea is a wall: {to_sea}");
}

#[test]
fn a_body_placed_at_a_named_position_stays_there() {
    for (name, position) in landmarks().iter().filter(|(name, _)| *name != "door") {
        let mut walker = Walker::at(position);
        for _ in 0..30 {
            walker.tick(Vec3::ZERO);
        }
        let moved = position.distance_to(&walker.position());
        assert!(moved < 0.002 && walker.body.is_standing(), "{name}: {moved} m to {:?}", walker.position());
    }
}

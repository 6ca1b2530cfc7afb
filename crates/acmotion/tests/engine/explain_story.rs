//! What the explanation of a step tells about collisions: what was in the way, how far the body slid, and which steps it took.

use crate::town_support;
use crate::world_support;

use acmotion::Barrier;
use acmotion::dat::mannequin::town::{HOUSE_SHELL, landmarks, models};
use acmotion::explain::{SweepNote, SweepTrace};
use acmotion::types::{CellPosition, MotionCommand, Vec3};
use town_support::*;
use world_support::{REMOTE, TestWorld};

/// A creature that has been walking in a direction, and its sweeps.
struct Walk {
    scene: TestWorld,
    sweeps: Vec<SweepTrace>,
}

impl Walk {
    fn from(start: CellPosition, heading: f32, ticks: usize) -> Self {
        let mut scene = in_town();
        scene.add(REMOTE, &facing(start, heading), &CREATURE);
        assert!(scene.world.explain(REMOTE, true));
        let mut walk = Self { scene, sweeps: Vec::new() };
        walk.scene.start(REMOTE, MotionCommand::WALK_FORWARD);
        walk.go(ticks);
        walk
    }

    fn go(&mut self, ticks: usize) {
        for _ in 0..ticks {
            self.scene.tick();
            self.sweeps.extend(self.scene.world.explanation(REMOTE).unwrap().sweep.clone());
        }
    }

    fn notes(&self) -> impl Iterator<Item = SweepNote> {
        self.sweeps.iter().flat_map(|sweep| sweep.notes()).copied()
    }

    /// Returns the contacts as barrier, normal and how far the body slid.
    fn contacts(&self) -> impl Iterator<Item = (Barrier, Option<Vec3>, f32)> {
        self.notes().filter_map(|note| match note {
            SweepNote::Contact { barrier, normal, slid, .. } => Some((barrier, normal, slid)),
            _ => None,
        })
    }

    /// Returns the steps up as climbed, rise and limit.
    fn steps_up(&self) -> impl Iterator<Item = (bool, Option<f32>, f32)> {
        self.notes().filter_map(|note| match note {
            SweepNote::StepUp { climbed, rise, limit } => Some((climbed, rise, limit)),
            _ => None,
        })
    }
}

/// A place south of the house, from where its front wall is straight ahead.
fn before_the_house() -> CellPosition {
    beside(landmarks().doorstep, 3.0, -0.5, 0.0)
}

#[test]
fn a_wall_is_named_with_its_polygon_and_normal() {
    let walk = Walk::from(before_the_house(), 0.0, 60);
    let (barrier, normal, slid) = walk.contacts().next().expect("the wall is in the way");
    assert!(
        matches!(barrier, Barrier::Building { model: Some(HOUSE_SHELL), polygon: Some(_), .. }),
        "{barrier:?}"
    );
    let normal = normal.expect("a wall has a normal");
    assert!((normal - Vec3::new(0.0, -1.0, 0.0)).length() < 1e-5, "{normal:?}");
    assert_eq!(slid, 0.0, "it walks straight into it");
    let is_pressed = |note| matches!(note, SweepNote::Pressed { .. });
    assert!(walk.notes().any(is_pressed), "later it is pressed against the wall");
    let last = walk.sweeps.last().expect("it is swept all the time");
    assert!(
        last.covered() == 0.0 && last.notes().iter().any(|note| matches!(note, SweepNote::Contact { .. }))
    );
    assert!(walk.steps_up().all(|(climbed, rise, _)| !climbed && rise.is_none()), "a wall is no step");
}

#[test]
fn a_contact_is_where_the_body_touches_the_wall() {
    let walk = Walk::from(before_the_house(), 30.0, 40);
    let mut slid_along = 0;
    for sweep in &walk.sweeps {
        for note in sweep.notes() {
            if let SweepNote::Contact { point, normal: Some(normal), slid, .. } = note {
                let centre = sweep.from.offset_to(point) - Vec3::new(0.0, 0.0, 0.475);
                assert!((centre.length() - 0.48).abs() < 0.2, "{centre:?}");
                assert!(centre.dot(*normal) < -0.3, "{centre:?}");
                slid_along += usize::from(*slid > 0.01);
            }
        }
    }
    assert!(slid_along > 5, "it slides along the wall");
}

#[test]
fn a_refused_step_tells_how_high_it_is() {
    for (row, height) in models::STEP_HEIGHTS.into_iter().enumerate() {
        let walk = Walk::from(beside(landmarks().steps, 0.0, 4.0 * row as f32, 0.0), 0.0, 45);
        let (climbed, rise, limit) = walk.steps_up().next().expect("there is a step");
        assert_eq!((climbed, limit), (height < 0.6, 0.6), "{height}");
        assert!(rise.is_some_and(|rise| (rise - height).abs() < 0.01), "{height}: {rise:?}");
    }
}

#[test]
fn an_edge_and_a_slope_are_named() {
    let walk = Walk::from(landmarks().ramp_top, 0.0, 90);
    assert!(walk.contacts().any(|(barrier, ..)| matches!(barrier, Barrier::Drop(_))));
    let foot = landmarks().cliff_foot;
    let walk = Walk::from(foot, foot.heading_to(&landmarks().cliff_top), 200);
    let contacts: Vec<_> = walk.contacts().collect();
    let is_slope = |(barrier, normal, _): &(Barrier, Option<Vec3>, f32)| {
        matches!(barrier, Barrier::Slope(_)) && normal.is_some_and(|normal| normal.z > 0.1)
    };
    assert!(contacts.iter().any(is_slope), "{contacts:?}");
}

#[test]
fn a_step_down_tells_how_far() {
    let top = landmarks().outdoor_stairs_top;
    let walk = Walk::from(top, top.heading_to(&landmarks().outdoor_stairs_foot), 60);
    let drops: Vec<f32> = walk
        .notes()
        .filter_map(|note| if let SweepNote::StepDown { drop } = note { Some(drop) } else { None })
        .collect();
    assert!(drops.iter().any(|drop| *drop > 0.1), "{drops:?}");
}

#[test]
fn the_record_of_a_sweep_ends_as_the_sweep() {
    let walk = Walk::from(before_the_house(), 20.0, 60);
    let last = walk.sweeps.last().and_then(|sweep| sweep.result.arrival).expect("it slides");
    assert_eq!(last.position, walk.scene.body(REMOTE).position);
    assert!(walk.sweeps.iter().all(|sweep| sweep.stood));
}

#[test]
fn explaining_changes_nothing() {
    let positions = |explained: bool| -> Vec<CellPosition> {
        let mut scene = in_town();
        scene.add(REMOTE, &facing(before_the_house(), 25.0), &CREATURE);
        scene.world.explain(REMOTE, explained);
        scene.start(REMOTE, MotionCommand::WALK_FORWARD);
        let position = |_| {
            scene.tick();
            scene.body(REMOTE).position
        };
        (0..120).map(position).collect()
    };
    assert_eq!(positions(true), positions(false));
}

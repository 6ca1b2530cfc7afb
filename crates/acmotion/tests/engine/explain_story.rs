//! What the explanation of a step tells about collisions: what was in the way, how far the body slid, and which steps it took.

use crate::town_support;
use crate::world_support;

use acmotion::Barrier;
use acmotion::dat::mannequin::town::{HOUSE_SHELL, landmarks, models};
use acmotion::explain::{Blip, StepExplanation, SweepNote, SweepTrace};
use acmotion::types::{CellPosition, Frame, Guid, MotionCommand, Vec3};
use acmotion::wire::ObjectStamps;
use town_support::*;
use world_support::{REMOTE, TICK, TestWorld, at, create, motion, position, running, stick, vector};

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
            SweepNote::StepUp { climbed, rise, limit, .. } => Some((climbed, rise, limit)),
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

/// A body that hardly slides is not stopped by the wall in every tick, but still slides along it.
#[test]
fn a_wall_that_was_struck_before_is_named() {
    let walk = Walk::from(before_the_house(), 3.0, 90);
    let is_wall = |barrier: &Barrier| matches!(barrier, Barrier::Building { model: Some(HOUSE_SHELL), .. });
    let stopped = |sweep: &SweepTrace| {
        sweep
            .notes()
            .iter()
            .any(|note| matches!(note, SweepNote::Contact { barrier, .. } if is_wall(barrier)))
    };
    let slides = |sweep: &SweepTrace| {
        sweep.notes().iter().any(|note| {
            matches!(note, SweepNote::Slide { barrier: Some(barrier), normal, slid, .. }
                if is_wall(barrier) && normal.y < -0.99 && *slid < 0.02)
        })
    };
    let first = walk.sweeps.iter().position(stopped).expect("the wall is in the way");
    let later = &walk.sweeps[first..];
    assert!(later.iter().any(slides), "it slides without being stopped again");
    for sweep in later {
        assert!(stopped(sweep) || slides(sweep), "{sweep:?}");
        assert!(sweep.covered() < 0.02, "{}", sweep.covered());
    }
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

/// The threshold of the house is a step that could be climbed, but a body that is fast enough is stopped by the closed door
/// behind it at the same time.
#[test]
fn a_door_behind_a_step_is_named() {
    let is_blocked = |note| {
        matches!(note, SweepNote::StepUp { climbed: false, rise: None, blocked_by: Some(Guid(7)), .. })
    };
    let blocked = (0..10).filter(|start| {
        let mut walk = Walk::from(beside(landmarks().doorstep, 0.0, -0.03 * *start as f32, 0.0), 0.0, 0);
        walk.scene.add(Guid(7), &landmarks().door, &DOOR);
        walk.scene.start(REMOTE, MotionCommand::RUN_FORWARD);
        walk.go(30);
        walk.notes().any(is_blocked)
    });
    assert!(blocked.count() > 2, "from some places both are struck in one tick");
    // A wall is not in the way of itself.
    let walk = Walk::from(before_the_house(), 0.0, 60);
    assert!(walk.steps_up().next().is_some());
    assert!(walk.notes().all(|note| !matches!(note, SweepNote::StepUp { blocked_by: Some(_), .. })));
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

const OTHER: Guid = Guid(0x5000_0002);

/// A remote whose steps are recorded, and another ten metres to the east, on unknown land.
fn recorded() -> TestWorld {
    let mut scene = TestWorld::with_remote();
    scene.send(&create(OTHER, &at(106.0, 96.0), ObjectStamps::default(), None));
    scene.ticks(2);
    scene.world.explain(REMOTE, true);
    scene
}

fn explained(scene: &TestWorld) -> &StepExplanation {
    scene.world.explanation(REMOTE).unwrap()
}

/// The record of a step has its length, what the animation wanted and with which velocity and acceleration it began.
#[test]
fn a_step_is_explained_by_what_it_began_with() {
    let mut scene = recorded();
    scene.send(&motion(REMOTE, running(1.0), 1));
    scene.ticks(60);
    let run = explained(&scene);
    assert!((run.quantum - TICK as f32).abs() < 1e-4, "{}", run.quantum);
    assert!((run.root_motion.origin.y - 4.0 / 30.0).abs() < 1e-3, "{:?}", run.root_motion);
    assert_eq!((run.offset, run.velocity), (run.root_motion, Vec3::ZERO));
    scene.send(&vector(REMOTE, Vec3::new(0.0, 0.0, 5.0), 1));
    scene.tick();
    assert_eq!(explained(&scene).velocity.z, 5.0);
    scene.ticks(2);
    let fall = explained(&scene);
    assert!((4.3..4.9).contains(&fall.velocity.z), "{:?}", fall.velocity);
    assert!((fall.acceleration.z + 9.8).abs() < 0.01, "{:?}", fall.acceleration);
    assert_eq!(fall.root_motion.origin, Vec3::ZERO, "nothing but gravity moves it");
}

/// What messages decided belongs to the step after them. The last sixteen actions are kept.
#[test]
fn a_step_is_explained_by_the_messages_before_it() {
    let mut scene = recorded();
    scene.send(&position(REMOTE, &at(96.5, 96.0), 1));
    let newer = explained(&scene).new_decisions().to_vec();
    assert!(!newer.is_empty() && explained(&scene).decisions().is_empty(), "{newer:?}");
    scene.tick();
    assert_eq!(explained(&scene).decisions(), newer);
    assert_eq!(explained(&scene).new_decisions(), []);
    for stamp in 2..40 {
        scene.send(&position(REMOTE, &at(96.5, 96.0), stamp));
    }
    assert_eq!(explained(&scene).new_decisions().len(), 16);
    scene.ticks(2);
    assert_eq!(explained(&scene).decisions(), [], "they were those of the step before");
}

/// The updates of the target since the last step are recorded, and forgotten in the next.
#[test]
fn a_step_is_explained_by_the_updates_of_its_target() {
    let mut scene = recorded();
    scene.send(&stick(REMOTE, OTHER, 1));
    let updates = explained(&scene).target_updates().to_vec();
    assert!(updates.iter().any(|update| update.object == OTHER), "{updates:?}");
    scene.tick();
    assert!(explained(&scene).adjustment.stuck);
    assert!(explained(&scene).target_updates().len() < updates.len() + 1);
    scene.ticks(5);
    assert_eq!(explained(&scene).target_updates(), [], "the target stands");
}

/// A body that sticks to another goes there along the ground, however high the other is, and turns to it by an angle between
/// 0 and 360 degrees to the right (rule I10).
#[test]
fn i10_sticking_leads_along_the_ground_and_turns_to_the_right() {
    let mut scene = recorded();
    scene.turn(REMOTE, 135.0);
    scene.world.act(OTHER, scene.now, |actor, _| actor.entity.body.position.frame.origin.z += 3.0);
    scene.send(&stick(REMOTE, OTHER, 1));
    scene.tick();
    let stuck = explained(&scene);
    assert!(stuck.adjustment.stuck, "{stuck:?}");
    assert_eq!(stuck.offset.origin.z, 0.0);
    assert!(stuck.offset.origin.length() > 0.1, "{:?}", stuck.offset);
    let mut expected = Frame::IDENTITY;
    expected.set_heading(90.0 - 135.0 + 360.0);
    let (turned, expected) = (stuck.offset.rotation, expected.rotation);
    assert!((turned.w - expected.w).abs() < 1e-4 && (turned.z - expected.z).abs() < 1e-4, "{turned:?}");
}

/// A step tells of the snap that ended it, and of the sweep that moved the body, and the next one tells no more of them.
#[test]
fn a_snap_and_a_sweep_belong_to_their_step() {
    let mut scene = recorded();
    scene.send(&position(REMOTE, &at(10.0, 10.0), 1));
    scene.tick();
    let snapped = explained(&scene).snapped.expect("it is farther than 100 m");
    assert!((115.0..125.0).contains(&snapped), "{snapped} m");
    scene.tick();
    assert_eq!(explained(&scene).snapped, None);

    let mut walk = Walk::from(landmarks().spawn, 0.0, 10);
    assert!(walk.scene.world.explanation(REMOTE).unwrap().sweep.is_some(), "it walks");
    walk.scene.start(REMOTE, MotionCommand::READY);
    walk.scene.ticks(60);
    assert!(walk.scene.world.explanation(REMOTE).unwrap().sweep.is_none(), "it stands");
    walk.scene.world.explain(REMOTE, false);
    assert!(walk.scene.world.explanation(REMOTE).is_none());
}

/// Ticks until the remote is moved at once. Returns where to, and by how many metres it was.
fn next_blip(scene: &mut TestWorld) -> (Blip, Option<f32>) {
    for _ in 0..60 {
        scene.tick();
        let explanation = scene.world.explanation(REMOTE).unwrap();
        if let Some(blip) = explanation.blip {
            return (blip, explanation.snapped);
        }
        assert_eq!(explanation.snapped, None);
    }
    panic!("it was never moved at once");
}

/// A report beyond the blip distance is the newest node: the body is moved there, and the next step tells of none.
#[test]
fn i8_a_blip_to_a_far_report_goes_to_the_newest_node() {
    let mut scene = TestWorld::with_remote();
    scene.world.explain(REMOTE, true);
    scene.send(&position(REMOTE, &at(96.0, 96.0 + 110.0), 1));
    let (blip, snapped) = next_blip(&mut scene);
    assert!(!blip.has_no_nodes && blip.target.distance_to(&at(96.0, 206.0)) < 0.01, "{blip:?}");
    assert!(snapped.is_some_and(|distance| (109.0..110.0).contains(&distance)), "less one step: {snapped:?}");
    scene.tick();
    assert_eq!(scene.world.explanation(REMOTE).unwrap().blip, None);
}

/// A wall is in the way of the only node. The body fails to reach it, which leaves none, and is moved to the one it failed at.
#[test]
fn i8_a_blip_without_nodes_goes_to_the_node_that_was_not_reached() {
    let mut scene = in_town();
    let wall = landmarks().wall;
    scene.add(REMOTE, &facing(wall, 0.0), &CREATURE);
    scene.world.explain(REMOTE, true);
    let behind = beside(wall, 0.0, 6.0, 0.0);
    scene.send(&position(REMOTE, &behind, 1));
    let (blip, snapped) = next_blip(&mut scene);
    assert!(blip.has_no_nodes && blip.target.distance_to(&behind) < 0.01, "{blip:?}");
    assert!(snapped.is_some_and(|distance| distance > 4.0), "{snapped:?}");
}

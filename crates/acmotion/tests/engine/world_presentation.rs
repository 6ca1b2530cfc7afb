//! What is drawn between ticks: positions and part matrices of single entities and of all at once.

use crate::town_support;
use crate::world_support;

use acmotion::dat::mannequin::town::landmarks;
use acmotion::types::{CellId, CellPosition, Guid, MotionCommand, Stamp, Vec3};
use acmotion::wire::PhysicsState;
use acmotion::{Matrix, PartPoses, PresentedBody, Settings, View, World};
use town_support::*;
use world_support::{TICK, TestWorld, at, create, held_item, position_with};

const RUNNER: Guid = Guid(0x5000_0001);
const SWORD: Guid = Guid(0x5000_0002);
const SHARES: [f32; 6] = [0.0, 0.2, 0.4, 0.6, 0.8, 1.0];

fn presenting(settings: Settings) -> Settings {
    Settings { presents_between_ticks: true, ..settings }
}

/// A world with a runner that holds a sword.
fn runner_at(position: &CellPosition, heading: f32) -> TestWorld {
    let mut scene = TestWorld::with(presenting(Settings::default()));
    scene.send(&create(RUNNER, &facing(*position, heading), Default::default(), None));
    scene.send(&held_item(SWORD, RUNNER));
    scene.start(RUNNER, MotionCommand::RUN_FORWARD);
    scene
}

fn shown(world: &World, guid: Guid, share: f32) -> CellPosition {
    *world.find(guid).unwrap().present(world, share).unwrap().position()
}

fn matrices(world: &World, guid: Guid, share: f32, poses: PartPoses, origin: CellId) -> Vec<Matrix> {
    let mut out = [Matrix::IDENTITY; 64];
    let presented = world.present(world.find(guid).unwrap().id(), share, poses).unwrap();
    let count = presented.matrices(origin, &mut out);
    assert_eq!(count, presented.part_count());
    out[..count].to_vec()
}

fn apart(a: &[Matrix], b: &[Matrix]) -> f32 {
    assert_eq!(a.len(), b.len());
    let distance = |(a, b): (&Matrix, &Matrix)| (a.origin() - b.origin()).length();
    a.iter().zip(b).map(distance).fold(0.0, f32::max)
}

/// From one landblock into the next, and through the corner of four.
#[test]
fn a_runner_crosses_landblocks_without_a_jump() {
    for (start, heading) in [(at(188.0, 96.0), 90.0), (at(189.0, 189.0), 45.0), (at(3.0, 50.0), 270.0)] {
        let mut scene = runner_at(&start, heading);
        scene.ticks(10);
        let (mut before, mut last) = (shown(&scene.world, RUNNER, 1.0), shown(&scene.world, RUNNER, 1.0));
        let mut blocks = std::collections::BTreeSet::new();
        for _ in 0..60 {
            scene.tick();
            let now = scene.world.find(RUNNER).unwrap().position();
            for share in SHARES {
                let shown = shown(&scene.world, RUNNER, share);
                blocks.insert(shown.cell.block());
                let expected = before.offset_to(&now) * share;
                assert!((before.offset_to(&shown) - expected).length() < 1e-3, "{shown:?} at {share}");
                assert!(last.distance_to(&shown) < 0.08, "a jump from {last:?} to {shown:?}");
                let Vec3 { x, y, .. } = shown.frame.origin;
                assert!((0.0..192.0).contains(&x) && (0.0..192.0).contains(&y), "{shown:?}");
                assert_eq!(shown.adjusted_to_outside().map(|there| there.cell), Some(shown.cell));
                last = shown;
            }
            assert_eq!(shown(&scene.world, RUNNER, 1.0), now, "as after the tick");
            before = now;
        }
        assert!(blocks.len() >= 2, "{blocks:?}");
    }
}

#[test]
fn parts_and_held_objects_move_in_small_steps_across_a_border() {
    let mut scene = runner_at(&at(189.0, 96.0), 90.0);
    scene.ticks(10);
    let home = at(0.0, 0.0).cell;
    let parts = |scene: &TestWorld, guid, share| matrices(&scene.world, guid, share, PartPoses::Smooth, home);
    let mut last = [RUNNER, SWORD].map(|guid| parts(&scene, guid, 1.0));
    let (mut max_step, mut max_tick) = (0.0f32, 0.0f32);
    for _ in 0..60 {
        let at_tick = [RUNNER, SWORD].map(|guid| parts(&scene, guid, 1.0));
        scene.tick();
        for share in SHARES {
            let now = [RUNNER, SWORD].map(|guid| parts(&scene, guid, share));
            for (last, now) in last.iter().zip(&now) {
                max_step = max_step.max(apart(last, now));
            }
            last = now;
        }
        let after = [RUNNER, SWORD].map(|guid| parts(&scene, guid, 1.0));
        max_tick = max_tick.max(apart(&at_tick[0], &after[0])).max(apart(&at_tick[1], &after[1]));
        assert_eq!(scene.world.find(RUNNER).unwrap().position().cell.block(), {
            shown(&scene.world, RUNNER, 1.0).cell.block()
        });
    }
    assert!(max_step < 0.45 * max_tick, "{max_step} m a displayed frame, {max_tick} m a tick");
    assert_ne!(scene.world.find(RUNNER).unwrap().position().cell.block(), home.block());
}

/// The sword is where the hand is shown, with smooth poses and with whole key frames.
#[test]
fn a_held_sword_follows_the_hand_as_it_is_shown() {
    let mut scene = runner_at(&at(90.0, 96.0), 30.0);
    scene.ticks(20);
    for _ in 0..20 {
        scene.tick();
        let world = &scene.world;
        let holder = world.find(RUNNER).unwrap();
        let location = *world.library().model(holder.model().unwrap()).holding_location(1).unwrap();
        for (share, poses) in
            SHARES.into_iter().flat_map(|share| [(share, PartPoses::Smooth), (share, PartPoses::Retail)])
        {
            let hand = &matrices(world, RUNNER, share, poses, holder.position().cell)[location.part as usize];
            let expected = hand.apply(location.frame.origin);
            let sword = world.present(world.find(SWORD).unwrap().id(), share, poses).unwrap();
            let held = sword.position().frame.origin;
            assert!((held - expected).length() < 1e-3, "{held:?}, not {expected:?} at {share}");
            assert!(sword.is_drawn(world));
        }
        // After the tick it is where the engine itself puts it.
        let sword = world.find(SWORD).unwrap();
        let retail = world.present(sword.id(), 1.0, PartPoses::Retail).unwrap();
        assert!(retail.position().frame.is_close_to(&sword.position().frame));
    }
}

#[test]
fn whole_key_frames_are_those_of_the_engine() {
    let mut scene = runner_at(&at(90.0, 96.0), 30.0);
    scene.ticks(20);
    let mut frames_shown = std::collections::BTreeSet::new();
    for _ in 0..20 {
        let before = scene.world.find(RUNNER).unwrap().position();
        let mut earlier = [Matrix::IDENTITY; 64];
        let count = scene.world.find(RUNNER).unwrap().pose(scene.world.library(), &mut earlier);
        scene.tick();
        let resident = scene.world.find(RUNNER).unwrap();
        let mut posed = [Matrix::IDENTITY; 64];
        resident.pose(scene.world.library(), &mut posed);
        let cell = resident.position().cell;
        let end = matrices(&scene.world, RUNNER, 1.0, PartPoses::Retail, cell);
        assert_eq!(end, posed[..count], "after the tick to the bit");
        let start = matrices(&scene.world, RUNNER, 0.0, PartPoses::Retail, before.cell);
        assert_eq!(start, earlier[..count], "and before it");
        // In between only the body moves.
        let between = matrices(&scene.world, RUNNER, 0.5, PartPoses::Retail, before.cell);
        let offsets = between.iter().zip(&start).map(|(now, start)| now.origin() - start.origin());
        let moved = before.offset_to(&resident.position()) * 0.5;
        offsets.for_each(|offset| assert!((offset - moved).length() < 1e-4, "{offset:?}, {moved:?}"));
        frames_shown.insert(format!("{:?}", start[3].rows.map(|row| row[0])));
    }
    assert!(frames_shown.len() > 5, "it runs");
}

#[test]
fn nothing_is_shown_between_both_ends_of_a_teleport() {
    // A metre away, 50 m away, and into another landblock.
    for (number, to) in (1..).zip([at(91.0, 96.0), at(140.0, 96.0), at(192.5, 96.0)]) {
        let mut scene = runner_at(&at(90.0, 96.0), 0.0);
        scene.ticks(5);
        let message = position_with(RUNNER, &to, number, |pack| pack.teleport = Stamp(number));
        scene.send(&message);
        let there = scene.world.find(RUNNER).unwrap().position();
        assert!(there.distance_to(&to) < 0.01, "{there:?}");
        assert_eq!(shown(&scene.world, RUNNER, 0.1), there, "at once");
        scene.tick();
        for share in SHARES {
            let shown = shown(&scene.world, RUNNER, share);
            assert!(shown.distance_to(&to) < 0.3, "{shown:?} on the way to {to:?}");
            let sword = scene.world.find(SWORD).unwrap().present(&scene.world, share).unwrap();
            assert!(sword.position().distance_to(&to) < 2.0, "{sword:?} with it");
        }
        // From then on it moves on smoothly.
        let before = scene.world.find(RUNNER).unwrap().position();
        scene.tick();
        let after = scene.world.find(RUNNER).unwrap().position();
        let half = shown(&scene.world, RUNNER, 0.5);
        assert!((before.offset_to(&half) - before.offset_to(&after) * 0.5).length() < 1e-4);
    }
    // Placed by the caller.
    let mut scene = runner_at(&at(90.0, 96.0), 0.0);
    scene.ticks(5);
    let to = at(92.0, 96.0);
    scene.world.act(RUNNER, scene.now, |actor, around| actor.set_position(&to, true, around));
    scene.tick();
    assert!(SHARES.iter().all(|share| shown(&scene.world, RUNNER, *share).distance_to(&to) < 0.3));
}

/// Through the front door, from land into rooms.
#[test]
fn a_walk_into_a_house_is_shown_in_its_cells() {
    let mut scene = TestWorld::with(presenting(town_settings()));
    let town = landmarks();
    scene.add(RUNNER, &town.doorstep, &CHARACTER);
    scene.start(RUNNER, MotionCommand::WALK_FORWARD);
    scene.turn(RUNNER, 0.0);
    scene.ticks(2);
    let (mut cells, mut last) = (std::collections::BTreeSet::new(), shown(&scene.world, RUNNER, 1.0));
    for _ in 0..40 {
        scene.tick();
        for share in SHARES {
            let shown = shown(&scene.world, RUNNER, share);
            assert!(last.distance_to(&shown) < 0.05, "{last:?} to {shown:?}");
            cells.insert(shown.cell);
            last = shown;
        }
    }
    assert!(cells.contains(&town.door.cell) && cells.contains(&town.hall.cell), "{cells:?}");
}

fn crowd(settings: Settings) -> TestWorld {
    let mut scene = TestWorld::with(settings);
    for number in 0..40 {
        let position = at(180.0 + (number % 8) as f32 * 3.0, 90.0 + (number / 8) as f32 * 3.0);
        let guid = Guid(1 + number);
        scene.send(&create(guid, &facing(position, number as f32 * 20.0), Default::default(), None));
        scene.send(&held_item(Guid(101 + number), guid));
        scene.start(guid, MotionCommand::RUN_FORWARD);
    }
    scene
}

fn batch(world: &World, view: &View) -> (Vec<Matrix>, Vec<PresentedBody>) {
    let (mut matrices, mut bodies) = (vec![Matrix::IDENTITY; 4096], Vec::new());
    let batch = world.present_all(view, &mut matrices, &mut bodies);
    assert_eq!(batch.missing, 0);
    matrices.truncate(batch.written);
    (matrices, bodies)
}

#[test]
fn a_batch_holds_what_each_entity_shows_on_its_own() {
    let mut scene = crowd(presenting(Settings::default()));
    scene.ticks(25);
    let origin = at(0.0, 0.0).cell;
    for poses in [PartPoses::Smooth, PartPoses::Retail] {
        let view = View { poses, ..View::new(origin, 0.3) };
        let (all, bodies) = batch(&scene.world, &view);
        assert_eq!(bodies.len(), 80);
        let mut next = 0;
        for body in &bodies {
            assert_eq!(body.first, next, "one after the other");
            next += body.count;
            let own = &all[body.first as usize..][..body.count as usize];
            assert_eq!(own, matrices(&scene.world, body.guid, 0.3, poses, origin), "{body:?}");
            let presented = scene.world.present(body.id, 0.3, poses).unwrap();
            assert_eq!(body.position, *presented.position());
        }
        assert_eq!(next as usize, all.len());
    }
    let blocks: std::collections::BTreeSet<_> =
        scene.world.entities().map(|resident| resident.position().cell.block()).collect();
    assert!(blocks.len() == 2, "on both sides of a border");
    // All in the axes of one landblock: the other one's are an offset away.
    let east = at(200.0, 10.0).cell;
    let (here, _) = batch(&scene.world, &View::new(origin, 0.3));
    let (there, _) = batch(&scene.world, &View::new(east, 0.3));
    for (here, there) in here.iter().zip(&there) {
        assert!((here.origin() - there.origin() - Vec3::new(192.0, 0.0, 0.0)).length() < 1e-3);
    }
}

#[test]
fn a_batch_leaves_out_what_is_not_drawn_or_too_far() {
    let mut scene = crowd(presenting(Settings::default()));
    scene.ticks(3);
    let origin = at(0.0, 0.0).cell;
    let guids = |scene: &TestWorld, view: &View| -> Vec<Guid> {
        batch(&scene.world, view).1.iter().map(|body| body.guid).collect()
    };
    let view = View::new(origin, 0.5);
    scene.world.act(Guid(3), scene.now, |actor, _| {
        let state = actor.entity.body.state | PhysicsState::HIDDEN;
        actor.set_state(state);
    });
    scene.world.act(Guid(4), scene.now, |actor, _| actor.leave_world());
    scene.world.act(Guid(105), scene.now, |actor, _| {
        actor.entity.body.state.insert(PhysicsState::NO_DRAW);
    });
    let listed = guids(&scene, &view);
    for guid in [3, 103, 4, 104, 105] {
        assert!(!listed.contains(&Guid(guid)), "{guid}");
    }
    assert!(listed.contains(&Guid(5)) && listed.len() == 75, "{}", listed.len());
    let drawn = |guid| {
        let presented = scene.world.find(guid).unwrap().present(&scene.world, 0.5).unwrap();
        presented.is_drawn(&scene.world)
    };
    assert!(drawn(Guid(5)) && ![3, 103, 4, 104, 105].into_iter().any(|guid| drawn(Guid(guid))));

    let centre = scene.world.find(Guid(20)).unwrap().position();
    let near = guids(&scene, &View { within: Some((centre, 4.0)), ..view });
    let mut expected: Vec<Guid> =
        scene.world.who_is_within(&centre, 4.0).map(|resident| resident.guid()).collect();
    expected.extend(expected.clone().iter().map(|guid| Guid(guid.0 + 100)));
    expected.sort();
    let mut sorted = near.clone();
    sorted.sort();
    assert_eq!(sorted, expected);
    let index = near.iter().position(|guid| *guid == Guid(20)).unwrap();
    assert_eq!(near[index + 1], Guid(120), "the sword comes right after its holder");
}

#[test]
fn a_buffer_that_is_too_small_is_filled_with_whole_bodies() {
    let mut scene = crowd(presenting(Settings::default()));
    scene.ticks(3);
    let view = View::new(at(0.0, 0.0).cell, 0.5);
    let (all, bodies) = batch(&scene.world, &view);
    // Room for five runners with their swords, and ten matrices: for a sword, but not for the runner before it.
    let (mut small, mut listed) = (vec![Matrix::IDENTITY; 110], Vec::new());
    let result = scene.world.present_all(&view, &mut small, &mut listed);
    assert_eq!(result.written + result.missing, all.len());
    assert_eq!(listed[..], bodies[..listed.len()]);
    assert!(result.written <= 110 && result.written + bodies[listed.len()].count as usize > 110);
    assert!(result.written < 110, "{result:?}");
    assert_eq!(small[..result.written], all[..result.written]);
    let nothing = scene.world.present_all(&view, &mut [], &mut listed);
    assert_eq!((nothing.written, nothing.missing, listed.len()), (0, all.len(), 0));
}

#[test]
fn presenting_does_not_affect_the_simulation_and_works_in_parallel() {
    let (mut shown, mut plain) = (crowd(presenting(Settings::default())), crowd(Settings::default()));
    let mut parallel = crowd(presenting(Settings::default()));
    let view = |share| View::new(at(0.0, 0.0).cell, share);
    for _ in 0..60 {
        shown.tick();
        plain.tick();
        parallel.now += TICK;
        parallel.world.tick_parallel(parallel.now);
        parallel.world.drain_events().for_each(drop);
        assert!(batch(&shown.world, &view(0.7)) == batch(&parallel.world, &view(0.7)));
    }
    for (one, other) in shown.world.entities().zip(plain.world.entities()) {
        assert_eq!(one.body(), other.body());
    }
    // Without a history everything is shown as it is.
    let (now, _) = batch(&plain.world, &view(0.2));
    assert!(now == batch(&shown.world, &view(1.0)).0);
    assert_eq!(plain.world.presentation_share(plain.now), 1.0);
}

#[test]
fn the_share_runs_from_tick_to_tick() {
    let mut scene = crowd(presenting(Settings::default()));
    assert_eq!(scene.world.presentation_share(scene.now), 1.0);
    scene.ticks(3);
    let at = |later: f64| scene.world.presentation_share(scene.now + later);
    assert_eq!((at(0.0), at(-1.0), at(TICK), at(9.0), at(f64::NAN)), (0.0, 0.0, 1.0, 1.0, 1.0));
    assert!((at(TICK / 4.0) - 0.25).abs() < 1e-3);
}

#[test]
fn presenting_does_not_allocate() {
    let mut scene = crowd(presenting(Settings::default()));
    let (mut matrices, mut bodies) = (vec![Matrix::IDENTITY; 4096], Vec::new());
    let mut frames = |scene: &mut TestWorld, ticks: u32| {
        let mut written = 0;
        for _ in 0..ticks {
            scene.now += TICK;
            scene.world.tick(scene.now);
            scene.world.drain_events().for_each(drop);
            for (share, poses) in [(0.0, PartPoses::Smooth), (0.5, PartPoses::Retail)] {
                let view = View { poses, ..View::new(at(0.0, 0.0).cell, share) };
                written += scene.world.present_all(&view, &mut matrices, &mut bodies).written;
            }
        }
        written
    };
    frames(&mut scene, 120);
    let mut written = 0;
    let allocations = allocation_counter::measure(|| written = frames(&mut scene, 60));
    assert_eq!(allocations.count_total, 0);
    assert!(written > 60 * 2 * 80);
}

#[test]
fn a_new_entity_in_a_reused_slot_has_no_history() {
    let mut scene = crowd(presenting(Settings::default()));
    scene.ticks(3);
    scene.send(&world_support::delete(Guid(7), 0));
    let far = at(20.0, 20.0);
    scene.send(&create(Guid(500), &far, Default::default(), None));
    assert!(shown(&scene.world, Guid(500), 0.0).distance_to(&far) < 0.01);
    scene.tick();
    assert!(shown(&scene.world, Guid(500), 0.0).distance_to(&far) < 0.3);
    assert!(scene.world.find(Guid(7)).is_none());
}

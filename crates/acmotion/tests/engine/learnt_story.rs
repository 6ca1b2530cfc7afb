//! What is learnt from reports: slopes where no land is known, and the pace of creatures with stand-in tables; and keys that are
//! announced when they are resumed.

use crate::world_support;

use acmotion::dat::{Assets, DataId};
use acmotion::types::{CellPosition, Guid, MotionCommand, Stamp};
use acmotion::wire::{C2S, CombatMode, Era, GameActionBody, ObjectStamps, decode_c2s};
use acmotion::{EntitySpec, Identity, Settings, StandIn, World};
use world_support::*;

/// A report on a hill that rises by a quarter towards the north.
fn on_hill(y: f32) -> CellPosition {
    let mut position = at(96.0, y);
    position.frame.origin.z += (y - 96.0) * 0.25;
    position
}

/// Reports a runner on the hill every second; returns how far it is from the height of the hill just before each report.
fn run_uphill(settings: Settings) -> Vec<f32> {
    let mut scene = TestWorld::with(settings);
    scene.send(&create(REMOTE, &on_hill(96.0), ObjectStamps::default(), None));
    scene.send(&motion(REMOTE, running(1.5), 1));
    let mut errors = Vec::new();
    for second in 1..=6_u16 {
        scene.ticks(30);
        let body = scene.origin(REMOTE);
        errors.push((body.z - on_hill(body.y).frame.origin.z).abs());
        scene.send(&position(REMOTE, &on_hill(96.0 + 6.0 * f32::from(second)), second));
    }
    errors
}

#[test]
fn the_ground_slopes_as_reports_say() {
    let level = run_uphill(Settings::default());
    assert!(level.iter().skip(2).all(|error| *error > 1.0), "level ground: {level:?}");
    let learnt = run_uphill(settings(|settings| settings.slope_from_reports = true));
    assert!(learnt.iter().skip(2).all(|error| *error < 0.1), "learnt: {learnt:?}");
}

/// Reports that no ground can explain, and a teleport, make it level again.
#[test]
fn a_slope_that_cannot_be_is_not_believed() {
    let mut scene = TestWorld::with(settings(|settings| settings.slope_from_reports = true));
    scene.send(&create(REMOTE, &at(96.0, 96.0), ObjectStamps::default(), None));
    scene.send(&position(REMOTE, &on_hill(100.0), 1));
    let mut tower = at(96.0, 101.0);
    tower.frame.origin.z += 30.0;
    scene.send(&position(REMOTE, &tower, 2));
    scene.send(&motion(REMOTE, running(1.0), 1));
    scene.ticks(30);
    assert!((scene.origin(REMOTE).z - tower.frame.origin.z).abs() < 0.05, "level at the top");
    scene.send(&position(REMOTE, &on_hill(110.0), 3));
    scene.send(&position_with(REMOTE, &at(20.0, 20.0), 4, |pack| pack.teleport = Stamp(1)));
    scene.ticks(30);
    assert!((scene.origin(REMOTE).z - GROUND).abs() < 0.05, "{:?}", scene.origin(REMOTE));
}

/// A creature whose table is missing runs at 2.5 m/s where the humanoid runs at 4.
fn slow_creature(settings: Settings) -> (TestWorld, Vec<f32>) {
    let mut scene = TestWorld::with(settings);
    let spec =
        EntitySpec { motion_table: Some(DataId(0x0900_1234)), ..EntitySpec::new(REMOTE, at(96.0, 96.0)) };
    let id = scene.world.spawn(&spec, scene.now).unwrap();
    assert!(scene.world.get(id).unwrap().stand_in().contains(StandIn::TABLE));
    scene.ticks(3);
    scene.send(&motion(REMOTE, running(1.0), 1));
    let mut errors = Vec::new();
    for report in 1..=30_u16 {
        scene.ticks(15);
        let true_y = 96.0 + 1.25 * f32::from(report);
        errors.push((scene.origin(REMOTE).y - true_y).abs());
        scene.send(&position(REMOTE, &at(96.0, true_y), report));
    }
    (scene, errors)
}

#[test]
fn a_creature_without_a_table_goes_as_fast_as_reports_say() {
    let (_, plain) = slow_creature(Settings::default());
    assert!(plain[20..].iter().all(|error| *error > 0.45), "as the humanoid: {plain:?}");
    let (mut scene, learnt) = slow_creature(settings(|settings| settings.speeds_from_reports = true));
    assert!(learnt[20..].iter().all(|error| *error < 0.35), "as reported: {learnt:?}");
    scene.world.set_speeds_from_reports(false);
    let before = scene.origin(REMOTE).y;
    scene.ticks(30);
    assert!(scene.origin(REMOTE).y - before > 3.5, "as the humanoid again");
}

/// One whose table is known is not slowed down by reports.
#[test]
fn a_known_table_is_believed() {
    let mut scene = TestWorld::with(settings(|settings| settings.speeds_from_reports = true));
    scene.send(&create(REMOTE, &at(96.0, 96.0), ObjectStamps::default(), None));
    scene.send(&motion(REMOTE, running(1.0), 1));
    for report in 1..=10_u16 {
        scene.ticks(15);
        scene.send(&position(REMOTE, &at(96.0, 96.0 + 1.0 * f32::from(report)), report));
    }
    scene.ticks(30);
    let before = scene.origin(REMOTE).y;
    scene.ticks(30);
    assert!((scene.origin(REMOTE).y - before - 4.0).abs() < 0.2);
}

/// What was learnt is saved, and goes on the same; a world that learns nothing is saved as before.
#[test]
fn what_was_learnt_is_saved() {
    let learning = settings(|settings| {
        settings.speeds_from_reports = true;
        settings.slope_from_reports = true;
    });
    let (mut scene, _) = slow_creature(learning);
    let bytes = scene.world.snapshot();
    let mut restored = World::restore(&bytes, Assets::mannequin(), None).unwrap();
    assert!(restored.snapshot() == bytes);
    for report in 31..=40_u16 {
        let message = position(REMOTE, &on_hill(96.0 + 1.25 * f32::from(report)), report);
        for _ in 0..10 {
            scene.now += TICK;
            scene.world.tick(scene.now);
            restored.tick(scene.now);
        }
        scene.world.receive(&message, scene.now).unwrap();
        restored.receive(&message, scene.now).unwrap();
        assert!(restored.snapshot() == scene.world.snapshot(), "report {report}");
    }
    let learnt = scene.world.snapshot().len();
    scene.world.set_slope_from_reports(false);
    scene.world.set_speeds_from_reports(false);
    assert!(scene.world.snapshot().len() < learnt, "nothing is left of it");
    let torn = &bytes[..bytes.len() - 1];
    assert!(World::restore(torn, Assets::mannequin(), None).is_err());
}

/// The raw states that a player sends while it changes its stance with the forward key held.
fn states_sent(announces: bool) -> Vec<Option<MotionCommand>> {
    let mut scene = TestWorld::with(settings(|settings| {
        settings.player = Identity::Known(PLAYER);
        settings.announces_resumed_keys = announces;
    }));
    scene.send(&create(PLAYER, &at(96.0, 96.0), ObjectStamps::default(), None));
    let mut sent = Vec::new();
    for frame in 0..240_u16 {
        scene.now += 1.0 / 60.0;
        scene.world.tick(scene.now);
        if frame == 30 {
            scene.world.player_mut().press(MotionCommand::WALK_FORWARD, scene.now).unwrap();
        }
        if frame == 60 {
            scene.world.player_mut().set_stance(CombatMode::MELEE).unwrap();
        }
        if frame == 66 {
            let body = acmotion::wire::MovementBody::Interpreted { state: Default::default(), sticky: None };
            let order = movement_with(PLAYER, body, 1, |data| {
                data.server_control = Stamp(1);
                data.movement.style = MotionCommand::HAND_COMBAT;
            });
            scene.world.receive(&order, scene.now).unwrap();
        }
        scene.world.player_mut().use_time(scene.now);
        let messages: Vec<Vec<u8>> = scene.world.drain_outbound().collect();
        for bytes in &messages {
            if let Ok(C2S::GameAction(action)) = decode_c2s(bytes, Era::default())
                && let GameActionBody::MoveToState(state) = &action.action
                && frame > 60
            {
                sent.push(state.raw.forward_command);
            }
        }
    }
    let own = scene.world.find(PLAYER).unwrap().entity();
    assert_eq!(own.interp.interpreted.forward.command, MotionCommand::WALK_FORWARD, "it has resumed the key");
    sent
}

#[test]
fn a_resumed_key_is_announced_only_if_that_is_set() {
    assert_eq!(states_sent(false), [], "the original says nothing (rule K8)");
    assert_eq!(states_sent(true), [Some(MotionCommand::WALK_FORWARD)]);
}

#[test]
fn the_controls_set_whether_resumed_keys_are_announced() {
    let mut world = World::new(Assets::mannequin());
    world.add_stand_in(Guid(1), &at(1.0, 1.0), 0.0);
    let plain = world.snapshot().len();
    world.player_mut().set_announces_resumed_keys(true);
    let restored = World::restore(&world.snapshot(), Assets::mannequin(), None).unwrap();
    assert!(
        world.snapshot().len() > plain && restored.snapshot() == world.snapshot(),
        "the setting is saved"
    );
}

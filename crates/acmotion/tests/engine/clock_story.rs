//! A clock that is set back: whatever waits for a time or measures one goes on as if the clock had not been set. Two worlds
//! with the same past are compared, one of which has its clock set back.

use crate::player_support;
use crate::town_support;
use crate::world_support;

use std::sync::Arc;

use acmotion::components::Order;
use acmotion::dat::mannequin::town::landmarks;
use acmotion::dat::{
    AnimationFrame, Assets, BlockSize, Dat, DatWriter, DataId, DataSet, Hook, HookDirection, HookEffect,
    PhysicsScript, Ramp, ScriptHook, Setup,
};
use acmotion::scene::OpenAir;
use acmotion::types::{Guid, MotionCommand};
use acmotion::wire::{
    AttackHeight, MoveToParams, MovementBody, ObjectStamps, Origin, PlayScriptId, WeenieDesc,
};
use acmotion::{
    Event, EventKind, FollowGoal, MotionEvent, MoveToEvent, Settings, Unreachable, WalkGoal, World,
};
use player_support::{W, stance};
use town_support::{CREATURE, beside, facing, in_town};
use world_support::*;

const OTHER: Guid = Guid(0x5000_0002);
const THIRD: Guid = Guid(0x5000_0003);
const UNKNOWN: Guid = Guid(0x7777_7777);

/// The time between two ticks. It is a multiple of 1/1024 s, as are the start and [`BACK`], so that differences of times
/// are exact in both worlds.
const STEP: f64 = 35.0 / 1024.0;
/// How far the clock is set back, in seconds.
const BACK: f64 = 4096.0;

/// Two worlds with the same past, and how far the clock of each is set back.
struct Pair {
    worlds: [(World, f64); 2],
    now: f64,
}

impl Pair {
    /// Sets back the clock of a copy of a world.
    fn new(world: World, now: f64) -> Self {
        let mut set_back = world.clone();
        assert!(!set_back.tick(now - BACK), "the gate follows the clock");
        let mut pair = Self { worlds: [(world, 0.0), (set_back, BACK)], now };
        // The clocks of bodies are left alone, and follow in the next tick, which is lost (rule B3.4). Here they follow at
        // once, so that both worlds take the same steps.
        for (world, back) in &mut pair.worlds {
            let guids: Vec<Guid> = world.entities().map(|resident| resident.guid()).collect();
            for guid in guids {
                world.act(guid, now - *back, |actor, _| actor.entity.body.clock.update_time -= *back);
            }
            assert!(world.drain_events().count() < 2, "nothing but the fault of the clock");
        }
        pair
    }

    /// Does something in both worlds, at the time of each.
    fn both<T: PartialEq + std::fmt::Debug>(&mut self, mut act: impl FnMut(&mut World, f64) -> T) -> T {
        let now = self.now;
        let [one, two] = self.worlds.each_mut().map(|(world, back)| act(world, now - *back));
        assert_eq!(one, two, "{:.3} s", self.now);
        one
    }

    /// Runs frames of both worlds, in which they must do the same. Returns the events of one of them.
    fn run(&mut self, frames: usize) -> Vec<Event> {
        let mut all = Vec::new();
        for _ in 0..frames {
            self.now += STEP;
            self.both(|world, now| world.advance(now));
            self.both(|world, _| digest(world, 0));
            self.both(|world, now| world.presentation_share(now + STEP / 2.0));
            self.both(|world, _| world.waiting_messages());
            self.both(|world, _| world.drain_outbound().collect::<Vec<_>>());
            self.both(|world, _| {
                let explained = |resident: &acmotion::Resident| resident.entity().explain_move_to();
                world.entities().map(explained).collect::<Vec<_>>()
            });
            let [one, two] = self.worlds.each_mut().map(|(world, back)| {
                let in_time = |event: Event| Event { time: event.time + *back, ..event };
                world.drain_events().map(in_time).collect::<Vec<_>>()
            });
            assert_eq!(one, two, "{:.3} s", self.now);
            all.extend(one);
        }
        all
    }
}

/// Runs a world up to the moment at which the clock is set back.
fn run(scene: &mut TestWorld, frames: usize) {
    scene.now = (scene.now * 1024.0).ceil() / 1024.0;
    for _ in 0..frames {
        scene.now += STEP;
        scene.world.advance(scene.now);
    }
    scene.world.drain_events().for_each(drop);
    scene.world.drain_outbound().for_each(drop);
}

/// A body sticks for a second (I10), one chases a runner and asks it again and again where it is (I11), one waits ten
/// seconds for a target that does not come (I11), and a message waits 25 s for its object (D3).
#[test]
fn what_waits_for_others_goes_on() {
    let change = |settings: &mut Settings| settings.presents_between_ticks = true;
    let mut scene = TestWorld::with(settings(change));
    for (guid, x) in [(REMOTE, 96.0), (OTHER, 99.0), (THIRD, 105.0)] {
        scene.send(&create(guid, &at(x, 96.0), ObjectStamps::default(), None));
    }
    scene.send(&motion(OTHER, running(1.0), 1));
    scene.send(&position(UNKNOWN, &at(96.0, 96.0), 1));
    run(&mut scene, 30);
    let now = scene.now;
    scene.world.act(THIRD, now, |actor, _| actor.order(&Order::chase(UNKNOWN)));
    run(&mut scene, 20);
    scene.send(&stick(REMOTE, OTHER, 1));
    run(&mut scene, 9);
    assert!(scene.entity(REMOTE).correction.is_stuck());
    let mut pair = Pair::new(scene.world, scene.now);
    pair.run(40);
    assert!(!pair.worlds[1].0.find(REMOTE).unwrap().entity().correction.is_stuck(), "a second is over");
    pair.both(|world, now| world.act(REMOTE, now, |actor, _| actor.order(&Order::chase(OTHER))));
    pair.run(750);
    assert!(!pair.worlds[1].0.find(THIRD).unwrap().entity().is_moving_to(), "ten seconds are over");
    assert_eq!(pair.worlds[1].0.waiting_messages(), 0, "25 s are over");
}

/// A creature that is ordered by code to go behind a wall gives up (`OrderLimits`); one behind it, ordered by the server, is
/// checked for progress every second (J17); and one that has touched another leaves it, which is told a second later (C11).
#[test]
fn what_is_judged_by_its_progress_goes_on() {
    let mut scene = in_town();
    let doorstep = landmarks().doorstep;
    let wall = facing(beside(doorstep, 3.0, -1.0, 0.0), 0.0);
    let behind = beside(doorstep, 3.0, 6.0, 0.0);
    scene.add(OTHER, &wall, &CREATURE);
    scene.add(REMOTE, &beside(wall, 0.0, -2.0, 0.0), &CREATURE);
    scene.add(THIRD, &beside(wall, -6.0, -6.0, 0.0), &CREATURE);
    let fourth = Guid(0x5000_0004);
    scene.add(fourth, &beside(wall, -6.0, -4.5, 0.0), &CREATURE);
    run(&mut scene, 5);
    let origin = Origin { cell: behind.cell, point: behind.frame.origin };
    let order = MovementBody::MoveToPosition { origin, params: MoveToParams::default(), run_rate: 1.0 };
    scene.send(&movement_with(REMOTE, order, 1, |_| {}));
    let goal = WalkGoal::new(behind).patience(4.0).timeout(20.0);
    scene.world.act(OTHER, scene.now, |actor, around| actor.walk_to(goal, around));
    scene.send(&motion(THIRD, running(1.0), 1));
    run(&mut scene, 60);
    assert!(scene.entity(OTHER).is_moving_to(), "it has not given up yet");
    let mut pair = Pair::new(scene.world, scene.now);
    pair.run(20);
    pair.both(|world, now| world.receive(&motion(THIRD, running(-0.5), 2), now).is_ok());
    let events = pair.run(300);
    let gives_up =
        |event: &Event| matches!(event.kind, EventKind::Motion(MotionEvent::MoveTo(MoveToEvent::GaveUp(_))));
    assert!(events.iter().any(|event| event.guid == OTHER && gives_up(event)), "{events:?}");
    let parts = EventKind::Motion(MotionEvent::Parted(fourth));
    assert!(events.iter().any(|event| event.guid == THIRD && event.kind == parts), "{events:?}");
}

/// Time limits count from the start of an order.
#[test]
fn an_order_times_out_when_it_would_have() {
    let mut scene = TestWorld::with_remote();
    run(&mut scene, 3);
    let goal = WalkGoal::new(at(96.0, 180.0)).walking().timeout(4.0);
    scene.world.act(REMOTE, scene.now, |actor, around| actor.walk_to(goal, around));
    run(&mut scene, 40);
    let mut pair = Pair::new(scene.world, scene.now);
    let events = pair.run(100);
    let timed_out = EventKind::Motion(MotionEvent::MoveTo(MoveToEvent::GaveUp(Unreachable::TimedOut)));
    assert!(events.iter().any(|event| event.kind == timed_out), "{events:?}");
}

const LAMP: DataId = DataId(0x0200_F102);
const SCRIPT: DataId = DataId(0x3300_0103);

/// A lamp, and a script that lets it fade for a second and makes a sound after two.
fn assets() -> Assets {
    let mut writer = DatWriter::new(BlockSize::Large, DataSet::Portal);
    let placements = vec![(0, AnimationFrame::default())];
    writer.add_object(&Setup { id: LAMP, parts: vec![DataId(0x0100_0001)], placements, ..Setup::default() });
    let fade = HookEffect::Transparent(Ramp { start: 1.0, end: 0.0, time: 1.0 });
    let effects = [(0.0, fade), (2.0, HookEffect::Sound(DataId(0x0A00_0001)))];
    let hooks = effects
        .map(|(start, effect)| ScriptHook { start, hook: Hook { direction: HookDirection::BOTH, effect } });
    writer.add_object(&PhysicsScript { id: SCRIPT, hooks: hooks.to_vec() });
    Assets::new(Dat::from_bytes(writer.finish().unwrap()).unwrap())
}

/// A fade goes on from the transparency that it has reached, and the script waits for its next effect as long as before
/// (R4).
#[test]
fn a_script_and_a_fade_go_on() {
    let settings = Settings { surroundings: Some(Arc::new(OpenAir)), ..Settings::default() };
    let mut scene =
        TestWorld { world: World::with_settings(assets(), settings), now: 10.0, events: Vec::new() };
    let mut weenie = Vec::new();
    WeenieDesc::encode_typed(b"Lamp", 1, 0x80, 0, &mut weenie);
    scene.send(&describe(OTHER, WeenieDesc::decode(&weenie).unwrap(), |physics| {
        physics.setup = Some(LAMP.0);
        physics.position = Some(at(96.0, 96.0));
    }));
    run(&mut scene, 2);
    scene.send(&encode(PlayScriptId { guid: OTHER, script: SCRIPT.0 }));
    run(&mut scene, 12);
    let mut pair = Pair::new(scene.world, scene.now);
    let translucency = |world: &World| world.find(OTHER).unwrap().effects().unwrap().translucency();
    let before = pair.both(|world, _| translucency(world));
    let mut events = Vec::new();
    for _ in 0..60 {
        events.extend(pair.run(1));
        pair.both(|world, _| translucency(world));
    }
    assert_ne!(pair.both(|world, _| translucency(world)), before, "it fades");
    assert!(!events.is_empty(), "the sound, after two seconds");
}

/// The charge of a jump grows with time (C22), reports are sent once a second (K7), and a `MoveToState` twice a second while the
/// mouse turns the player (K5).
#[test]
fn the_keys_of_a_player_go_on() {
    let mut scene = player_support::player();
    run(&mut scene, 2);
    player_support::press(&mut scene, W);
    run(&mut scene, 40);
    let mut pair = Pair::new(scene.world, scene.now);
    pair.run(50);
    pair.both(|world, now| world.player_mut().release(W, now).is_ok());
    pair.run(20);

    let Pair { worlds: [(world, _), _], now } = pair;
    let mut scene = TestWorld { world, now, events: Vec::new() };
    scene.world.player_mut().begin_jump(now).unwrap();
    run(&mut scene, 8);
    let mut pair = Pair::new(scene.world, scene.now);
    let power = pair.both(|world, now| world.player_mut().jump_power(now)).unwrap();
    assert!((0.25..0.35).contains(&power), "{power}");
    pair.run(3);
    pair.both(|world, now| world.player_mut().end_jump(now).is_ok());
    pair.run(60);

    let Pair { worlds: [(world, _), _], now } = pair;
    let mut scene = TestWorld { world, now, events: Vec::new() };
    scene.world.player_mut().set_mouse_look(true, now);
    scene.world.player_mut().mouse_turn(0.3, now);
    run(&mut scene, 5);
    let mut pair = Pair::new(scene.world, scene.now);
    for _ in 0..40 {
        pair.both(|world, now| world.player_mut().mouse_turn(0.3, now));
        pair.run(1);
    }
}

/// The power of an attack grows with time, and requests wait for their answers and time out as long as they would have.
#[test]
fn the_requests_of_a_player_go_on() {
    let mut scene = player_support::player();
    scene.send(&create(OTHER, &at(98.5, 96.5), ObjectStamps::default(), None));
    scene.send(&create(THIRD, &at(90.5, 96.5), ObjectStamps::default(), None));
    scene.send(&stance(MotionCommand::HAND_COMBAT, 1));
    run(&mut scene, 60);
    player_support::press(&mut scene, player_support::D);
    player_support::release(&mut scene, player_support::D);
    run(&mut scene, 60);
    let fighter = scene.world.clone();

    let now = scene.now;
    scene.world.player_mut().begin_attack(OTHER, AttackHeight::MEDIUM, now).unwrap();
    run(&mut scene, 8);
    let mut pair = Pair::new(scene.world, scene.now);
    let power = pair.both(|world, now| world.player_mut().attack_power(now)).unwrap();
    assert!((0.1..0.9).contains(&power), "{power}");
    pair.run(3);
    pair.both(|world, now| world.player_mut().end_attack(now).is_ok());
    pair.run(900);

    let mut scene = TestWorld { world: fighter.clone(), now, events: Vec::new() };
    let goal = FollowGoal::from(1.0).timeout(6.0);
    scene.world.player_mut().follow(THIRD, goal, now).unwrap();
    run(&mut scene, 60);
    let mut pair = Pair::new(scene.world, scene.now);
    let events = pair.run(200);
    assert!(!events.is_empty(), "the time is up");

    let mut scene = TestWorld { world: fighter, now, events: Vec::new() };
    scene.world.player_mut().use_object(OTHER, now).unwrap();
    run(&mut scene, 20);
    Pair::new(scene.world, scene.now).run(1_500);
}

//! Effects in a world: default animations and scripts of setups, static objects, and messages (rules B2, B7, C19, D13,
//! H16).

use crate::world_support;

use std::sync::Arc;

use acmotion::MotionEvent;
use acmotion::World;
use acmotion::dat::hook::Bool32;
use acmotion::dat::{
    Animation, AnimationFrame, Assets, BlockSize, Dat, DatWriter, DataId, DataSet, Hook, HookDirection,
    HookEffect, PartLocation, PhysicsScript, Ramp, ScriptHook, Setup, mannequin,
};
use acmotion::effects::{DefaultScript, EffectEvent, Effects, ScriptType};
use acmotion::scene::OpenAir;
use acmotion::types::{Frame, Guid, MotionCommand, Stamp, Vec3};
use acmotion::wire::{
    Attachment, InterpretedState, ObjectStamps, PhysicsDesc, PhysicsState, PlayScriptId, PlayScriptType,
    SetState, WeenieDesc,
};
use acmotion::{EventKind, Settings};
use world_support::{REMOTE, TICK, TestWorld, at, create, create_with, delete, describe, encode, motion};

const MILL: DataId = DataId(0x0200_F100);
const LANTERN: DataId = DataId(0x0200_F101);
const CLIP: DataId = DataId(0x0300_F100);
const SCRIPT: DataId = DataId(0x3300_0100);
const OTHER_SCRIPT: DataId = DataId(0x3300_0101);
const FADE: DataId = DataId(0x3300_0102);
const WAVE: DataId = DataId(0x0A00_0001);
const FRAMES: usize = 10;
const OBJECT: Guid = Guid(0x7000_0001);

fn hook(effect: HookEffect) -> Hook {
    Hook { direction: HookDirection::BOTH, effect }
}

/// A mill with a default animation that makes a sound in each turn and moves its root, a lantern with a default script, and
/// another script.
fn assets() -> Assets {
    let mut writer = DatWriter::new(BlockSize::Large, DataSet::Portal);
    let frame = |number: usize| AnimationFrame {
        parts: vec![Frame::from_origin(Vec3::new(number as f32, 0.0, 0.0))],
        hooks: if number == 4 { vec![hook(HookEffect::Sound(WAVE))] } else { Vec::new() },
    };
    let roots = vec![Frame::from_origin(Vec3::new(0.0, 1.0, 0.0)); FRAMES];
    writer.add_object(&Animation::new(CLIP, Some(roots), (0..FRAMES).map(frame).collect()));
    let parts = vec![DataId(0x0100_0001)];
    let placement =
        AnimationFrame { parts: vec![Frame::from_origin(Vec3::new(-1.0, 0.0, 0.0))], hooks: Vec::new() };
    let placements = vec![(0, placement)];
    let plain = Setup { parts, placements, ..Setup::default() };
    let hook_on_the_wall = PartLocation { key: 1, part: 0, frame: Frame::IDENTITY };
    writer.add_object(&Setup {
        id: MILL,
        default_animation: CLIP,
        holding_locations: vec![hook_on_the_wall],
        ..plain.clone()
    });
    writer.add_object(&Setup { id: LANTERN, default_script: SCRIPT, ..plain });
    let ramp = Ramp { start: 0.0, end: 1.0, time: 0.2 };
    let script = |id, effects: &[(f64, HookEffect)]| {
        let hooks = effects.iter().map(|&(start, effect)| ScriptHook { start, hook: hook(effect) });
        PhysicsScript { id, hooks: hooks.collect() }
    };
    writer.add_object(&script(SCRIPT, &[(0.1, HookEffect::Luminous(ramp)), (0.2, HookEffect::Sound(WAVE))]));
    let calls = HookEffect::CallPes { script: SCRIPT, pause: 0.0 };
    writer.add_object(&script(OTHER_SCRIPT, &[(0.0, HookEffect::SetLight(Bool32(1))), (0.0, calls)]));
    let fade = HookEffect::Transparent(Ramp { start: 1.0, end: 0.0, time: 0.1 });
    let default = [(0.0, HookEffect::DefaultScript), (0.0, HookEffect::DefaultScriptPart(2))];
    writer.add_object(&script(FADE, &[&[(0.0, fade)], &default[..]].concat()));
    Assets::new(Dat::from_bytes(writer.finish().unwrap()).unwrap())
}

/// A world without any ground.
fn stage() -> TestWorld {
    let settings = Settings { surroundings: Some(Arc::new(OpenAir)), ..Settings::default() };
    TestWorld { world: World::with_settings(assets(), settings), now: 10.0, events: Vec::new() }
}

/// The description of an object that is not a creature and has no motion table.
fn object<'a>(setup: DataId, state: PhysicsState, complete: impl FnOnce(&mut PhysicsDesc<'a>)) -> Vec<u8> {
    let mut weenie = Vec::new();
    WeenieDesc::encode_typed(b"Object", 1, 0x80, 0, &mut weenie);
    describe(OBJECT, WeenieDesc::decode(&weenie).unwrap(), |physics| {
        *physics = PhysicsDesc {
            state,
            setup: Some(setup.0),
            position: Some(at(96.0, 96.0)),
            ..PhysicsDesc::default()
        };
        complete(physics);
    })
}

fn effects_of(stage: &TestWorld) -> &Effects {
    stage.world.find(OBJECT).unwrap().effects().unwrap()
}

fn reported(stage: &mut TestWorld) -> Vec<EffectEvent> {
    let effects = stage.events.drain(..).filter_map(|event| match event.kind {
        EventKind::Motion(MotionEvent::Effect(effect)) => Some(effect),
        _ => None,
    });
    effects.collect()
}

fn shown_x(stage: &TestWorld) -> f32 {
    let resident = stage.world.find(OBJECT).unwrap();
    let mut pose = [acmotion::Matrix::IDENTITY];
    assert_eq!(resident.pose(stage.world.library(), &mut pose), 1);
    pose[0].origin().x - resident.position().frame.origin.x
}

/// H16: the default animation plays at 30 frames a second from the start, in place of the placement. The object hangs
/// in the air, so that the tick keeps it active (C4.2).
#[test]
fn an_object_without_a_motion_table_plays_its_default_animation() {
    let mut stage = stage();
    stage.send(&object(MILL, PhysicsState::empty(), |_| {}));
    assert_eq!(shown_x(&stage), 0.0, "frame 0, not the placement");
    let start = stage.origin(OBJECT);
    let mut frames = Vec::new();
    for _ in 0..11 {
        stage.tick();
        frames.push(shown_x(&stage));
    }
    assert_eq!(frames, [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 0.0, 1.0]);
    assert_eq!(reported(&mut stage).iter().filter(|event| **event == EffectEvent::Sound(WAVE)).count(), 1);
    assert_eq!(stage.origin(OBJECT), start, "without spheres the origin stays (B4.4c)");
}

#[test]
fn a_setup_without_a_default_animation_shows_its_placement() {
    let mut stage = stage();
    stage.send(&object(LANTERN, PhysicsState::empty(), |_| {}));
    stage.ticks(3);
    assert_eq!(shown_x(&stage), -1.0);
}

/// B7: a static object is animated after the others, its root does not move, and it turns by its omega once a call: 0.1
/// rad, not 0.1 rad/s.
#[test]
fn a_static_object_plays_its_default_animation_and_turns_by_omega_each_call() {
    let mut stage = stage();
    stage.send(&object(MILL, PhysicsState::STATIC, |physics| physics.omega = Some(Vec3::new(0.0, 0.0, 0.1))));
    let start = stage.origin(OBJECT);
    for tick in 1..=5 {
        stage.tick();
        let resident = stage.world.find(OBJECT).unwrap();
        assert_eq!(resident.entity().animator.sequence().frame().floor(), f64::from(tick));
        let heading = resident.position().frame.heading();
        let expected = 360.0 - (0.1 * tick as f32).to_degrees();
        assert!((heading - expected).abs() < 1e-3, "{heading} is not {expected}");
    }
    assert_eq!(stage.origin(OBJECT), start);
    assert!(reported(&mut stage).contains(&EffectEvent::Sound(WAVE)), "its hooks fire");
    // A hitch of more than 2 s is discarded.
    let before = stage.world.find(OBJECT).unwrap().position().frame.heading();
    stage.now += 2.5;
    stage.tick();
    assert_eq!(stage.world.find(OBJECT).unwrap().position().frame.heading(), before);
    stage.tick();
    assert_ne!(stage.world.find(OBJECT).unwrap().position().frame.heading(), before);
}

#[test]
fn a_static_object_is_animated_whatever_the_distance_and_until_it_is_deleted() {
    let mut stage = stage();
    stage.world.set_player_position(&at(10.0, 10.0), true, stage.now);
    stage.send(&object(MILL, PhysicsState::STATIC, |physics| physics.position = Some(at(180.0, 180.0))));
    stage.ticks(4);
    assert_eq!(stage.world.find(OBJECT).unwrap().entity().animator.sequence().frame().floor(), 4.0);
    stage.send(&delete(OBJECT, 0));
    stage.ticks(2);
    assert!(stage.world.find(OBJECT).is_none());
}

#[test]
fn an_object_that_becomes_static_is_animated_as_one() {
    let mut stage = stage();
    stage
        .send(&object(MILL, PhysicsState::empty(), |physics| physics.omega = Some(Vec3::new(0.0, 0.0, 0.1))));
    let heading = |stage: &TestWorld| stage.world.find(OBJECT).unwrap().position().frame.heading();
    let set_state = |state, stamp| {
        encode(SetState { guid: OBJECT, state, instance: Stamp(0), state_stamp: Stamp(stamp) })
    };
    stage.tick();
    let first = 360.0 - (0.1 * TICK as f32).to_degrees();
    assert!((heading(&stage) - first).abs() < 1e-3, "0.1 rad/s");
    stage.send(&set_state(PhysicsState::STATIC, 1));
    stage.tick();
    assert!((heading(&stage) - (first - 0.1_f32.to_degrees())).abs() < 1e-3, "0.1 rad a call");
    stage.send(&set_state(PhysicsState::empty(), 2));
    stage.ticks(2);
    let step = heading(&stage) - (first - 0.1_f32.to_degrees());
    assert!(step.abs() < 0.5, "slow again: {step}");
}

/// The setup's script starts when the object is created; static objects run scripts after the loop (B7).
#[test]
fn the_default_script_of_a_setup_starts_when_the_object_is_created() {
    for state in [PhysicsState::empty(), PhysicsState::STATIC] {
        let mut stage = stage();
        stage.send(&object(LANTERN, state, |_| {}));
        let start = stage.now;
        assert_eq!(effects_of(&stage).default_script(), Some(DefaultScript::Setup(SCRIPT)));
        assert_eq!(effects_of(&stage).scripts()[0].start(), start);
        assert!(reported(&mut stage).contains(&EffectEvent::ScriptQueued { script: SCRIPT, start }));
        let sounded = (1..20).find(|_| {
            stage.tick();
            reported(&mut stage).contains(&EffectEvent::Sound(WAVE))
        });
        assert_eq!(sounded, Some(6), "0.2 s, in the first tick after it");
        // The glow began in the third tick, at 0.1 s, and lasts 0.2 s.
        let expected = 3.0 * TICK / 0.2;
        let glow = effects_of(&stage).luminosity().unwrap();
        assert!((f64::from(glow) - expected).abs() < 1e-3, "{glow} is not {expected}");
    }
}

/// The scripts of a held object go on, although it is not updated (B3).
#[test]
fn the_scripts_of_a_held_object_run() {
    const HELD: Guid = Guid(0x7000_0002);
    let mut stage = stage();
    stage.send(&object(MILL, PhysicsState::empty(), |_| {}));
    let mut weenie = Vec::new();
    WeenieDesc::encode_typed(b"Lantern", 1, 0x80, 0, &mut weenie);
    stage.send(&describe(HELD, WeenieDesc::decode(&weenie).unwrap(), |physics| {
        let parent = Some(Attachment { guid: OBJECT, location: 1 });
        *physics = PhysicsDesc { setup: Some(LANTERN.0), parent, ..PhysicsDesc::default() };
    }));
    assert_eq!(stage.world.find(HELD).unwrap().parent(), Some(OBJECT));
    let sounded = (1..20).find(|_| {
        stage.tick();
        let is_sound = |event: &acmotion::Event| {
            event.guid == HELD
                && event.kind == EventKind::Motion(MotionEvent::Effect(EffectEvent::Sound(WAVE)))
        };
        stage.events.iter().any(is_sound)
    });
    assert_eq!(sounded, Some(6), "0.2 s, in the first tick after it");
}

/// D13. The description's default script is a type of the script table: the recordings have 0x56 and 0x58.
#[test]
fn a_description_gives_translucency_and_default_script() {
    let mut stage = stage();
    stage.send(&object(MILL, PhysicsState::empty(), |physics| {
        physics.translucency = Some(0.5);
        physics.default_script = Some(0x58);
        physics.default_script_intensity = Some(0.75);
    }));
    let script = DefaultScript::Type { script: ScriptType(0x58), intensity: 0.75 };
    assert_eq!(effects_of(&stage).default_script(), Some(script));
    assert_eq!((effects_of(&stage).translucency(), effects_of(&stage).part_translucency(0)), (0.5, 0.5));
    assert_eq!(ScriptType(0x58).name(), Some("Create"));
}

/// The body never becomes less translucent than described; the hooks play the default script of the description.
#[test]
fn a_fade_stops_at_the_described_translucency() {
    let mut stage = stage();
    stage.send(&object(MILL, PhysicsState::empty(), |physics| {
        physics.translucency = Some(0.25);
        physics.default_script = Some(0x58);
        physics.default_script_intensity = Some(0.75);
    }));
    stage.send(&encode(PlayScriptId { guid: OBJECT, script: FADE.0 }));
    reported(&mut stage);
    stage.tick();
    let events = reported(&mut stage);
    let played = EffectEvent::ScriptType { script: ScriptType(0x58), intensity: 0.75 };
    assert_eq!(events[1..], [played, EffectEvent::DefaultScriptPart { part: 2 }]);
    assert_eq!(effects_of(&stage).translucency(), 0.25, "the ramp shows from the next tick");
    for expected in [0.667, 0.333, 0.25, 0.25] {
        stage.tick();
        let translucency = effects_of(&stage).translucency();
        assert!((translucency - expected).abs() < 1e-3, "{translucency} is not {expected}");
    }
}

#[test]
fn the_default_script_hook_plays_the_script_of_the_setup() {
    let mut stage = stage();
    stage.send(&object(LANTERN, PhysicsState::empty(), |_| {}));
    stage.ticks(10);
    stage.send(&encode(PlayScriptId { guid: OBJECT, script: FADE.0 }));
    let start = stage.now;
    reported(&mut stage);
    stage.tick();
    assert!(reported(&mut stage).contains(&EffectEvent::ScriptQueued { script: SCRIPT, start }));
}

#[test]
fn the_server_plays_scripts_by_id_and_by_type() {
    let mut stage = stage();
    stage.send(&object(MILL, PhysicsState::empty(), |_| {}));
    reported(&mut stage);
    stage.send(&encode(PlayScriptId { guid: OBJECT, script: OTHER_SCRIPT.0 }));
    let start = stage.now;
    assert_eq!(reported(&mut stage), [EffectEvent::ScriptQueued { script: OTHER_SCRIPT, start }]);
    stage.tick();
    let events = reported(&mut stage);
    assert_eq!(events[0], EffectEvent::Lights(true));
    assert_eq!(
        events[1],
        EffectEvent::ScriptQueued { script: SCRIPT, start },
        "the scripts that it calls were loaded too"
    );
    stage.send(&encode(PlayScriptType { guid: OBJECT, script_type: 0x1D, speed: 0.75 }));
    let played = EffectEvent::ScriptType { script: ScriptType(0x1D), intensity: 0.75 };
    assert_eq!(reported(&mut stage), [played]);
}

#[test]
fn missing_scripts_are_refused_and_unknown_objects_ignored() {
    let mut stage = stage();
    stage.send(&encode(PlayScriptId { guid: OBJECT, script: SCRIPT.0 }));
    stage.send(&encode(PlayScriptType { guid: OBJECT, script_type: 1, speed: 1.0 }));
    assert_eq!((stage.events.len(), stage.world.waiting_messages()), (0, 0));
    stage.send(&object(MILL, PhysicsState::empty(), |_| {}));
    reported(&mut stage);
    for script in [0, 0x3300_9999, 0x0200_F100, u32::MAX] {
        stage.send(&encode(PlayScriptId { guid: OBJECT, script }));
        assert_eq!(reported(&mut stage), [EffectEvent::ScriptRefused { script: DataId(script) }]);
    }
    assert!(stage.world.library().missing().is_empty(), "ids from outside are not remembered");
}

/// The mannequin's healing spell calls a script that makes it glow and calls another one.
#[test]
fn a_spell_of_the_mannequin_runs_its_scripts() {
    let mut stage = TestWorld::new();
    stage.send(&create(REMOTE, &at(96.0, 96.0), ObjectStamps::default(), None));
    stage.ticks(2);
    let casting = InterpretedState {
        current_style: Some(MotionCommand::MAGIC),
        forward_command: Some(MotionCommand::MAGIC_HEAL),
        ..InterpretedState::default()
    };
    stage.send(&motion(REMOTE, casting, 1));
    let mut glows = 0;
    for _ in 0..200 {
        stage.tick();
        let effects = stage.world.find(REMOTE).unwrap().effects();
        glows += u32::from(effects.and_then(Effects::luminosity).is_some_and(|glow| glow > 0.0));
    }
    let events = reported(&mut stage);
    let queued = |wanted| {
        events
            .iter()
            .any(|event| matches!(event, EffectEvent::ScriptQueued { script, .. } if *script == wanted))
    };
    assert!(queued(mannequin::scripts::BLESSING) && queued(mannequin::scripts::BURST));
    assert!((30..60).contains(&glows), "it glows for 1.4 s of the script: {glows} ticks");
    let effects = stage.world.find(REMOTE).unwrap().effects().unwrap();
    assert_eq!(effects.luminosity(), Some(0.0));
    assert!(effects.emitters().is_empty() && effects.scripts().is_empty(), "nothing is left of it");
}

/// A scale in the description is not an effect: the body has none.
#[test]
fn a_described_scale_is_kept() {
    let mut stage = TestWorld::new();
    stage.send(&create_with(REMOTE, ObjectStamps::default(), |physics| {
        physics.position = Some(at(96.0, 96.0));
        physics.scale = Some(1.5);
    }));
    stage.ticks(2);
    assert_eq!(stage.world.find(REMOTE).unwrap().body().scale, 1.5);
    assert!(stage.world.find(REMOTE).unwrap().effects().is_none());
}

//! Effects one by one, played by scripts (rules B4.8, C20, D13, Q13).

use crate::world_support;

use std::sync::Arc;

use acmotion::components::{Actor, Entity, Events, TransientState};
use acmotion::dat::hook::Bool32;
use acmotion::dat::{
    Assets, DataId, Hook, HookDirection, HookEffect, ParticleSpec, PhysicsScript, Ramp, ScriptHook,
};
use acmotion::effects::{
    DefaultScript, EffectEvent, Effects, MAX_SCRIPTS, MAX_TWEENS, ScriptType, TweenKind,
};
use acmotion::internals::body::PhysicsState;
use acmotion::internals::collide::{InfinitePlane, Shape};
use acmotion::types::{CellId, CellPosition, Frame, Guid, Vec3};
use acmotion::wire::{ObjectStamps, PlayScriptType};
use acmotion::{EventKind, Library, MotionEvent};
use world_support::{REMOTE, TestWorld, at, create_with, encode};

const SCRIPT: DataId = DataId(0x3300_0001);
const OTHER_SCRIPT: DataId = DataId(0x3300_0002);
const WAVE: DataId = DataId(0x0A00_0001);
const SOUND: HookEffect = HookEffect::Sound(WAVE);
const PLAYED: EffectEvent = EffectEvent::Sound(WAVE);

fn hook(effect: HookEffect) -> Hook {
    Hook { direction: HookDirection::BOTH, effect }
}

fn script(id: DataId, effects: &[(f64, HookEffect)]) -> PhysicsScript {
    let hooks = effects.iter().map(|&(start, effect)| ScriptHook { start, hook: hook(effect) });
    PhysicsScript { id, hooks: hooks.collect() }
}

fn at_once(value: f32) -> Ramp {
    Ramp { start: 0.0, end: value, time: 0.0 }
}

fn particle(emitter: u32) -> ParticleSpec {
    ParticleSpec { emitter_info: DataId(0x3200_0001), part: 3, offset: Frame::IDENTITY, emitter }
}

/// A body that stands on level ground and plays scripts.
struct Stage {
    library: Library,
    entity: Entity,
    events: Events,
    now: f64,
}

impl Stage {
    fn new(scripts: &[PhysicsScript]) -> Self {
        let mut library = Library::new();
        for script in scripts {
            library.add_script(Arc::new(script.clone()), &Assets::mannequin());
        }
        let mut entity = Entity::new(Guid(0x5000_0001), None);
        entity.shape = Shape::human().into();
        let mut stage = Self { library, entity, events: Events::new(), now: 10.0 };
        let home = CellPosition::at(CellId(0xA9B4_0013), Vec3::new(60.0, 60.0, 0.005));
        assert!(stage.act().enter_world(&home, true, &InfinitePlane::level(0.0)));
        stage.events.clear();
        stage
    }

    /// Plays effects as a script, all at once. Returns the stage and what was reported.
    fn after(effects: &[HookEffect]) -> (Self, Vec<EffectEvent>) {
        let hooks: Vec<_> = effects.iter().map(|effect| (0.0, *effect)).collect();
        let mut stage = Self::new(&[script(SCRIPT, &hooks)]);
        stage.act().play_script(SCRIPT);
        stage.reported();
        let reported = stage.update();
        (stage, reported)
    }

    fn act(&mut self) -> Actor<'_> {
        self.entity.act(&self.library, self.now, &mut self.events)
    }

    /// Executes the hooks that are due. Returns what was reported.
    fn update(&mut self) -> Vec<EffectEvent> {
        self.act().update_scripts();
        self.reported()
    }

    fn reported(&mut self) -> Vec<EffectEvent> {
        let effect = |kind| match kind {
            MotionEvent::Effect(effect) => Some(effect),
            _ => None,
        };
        self.events.drain().filter_map(|event| effect(event.kind)).collect()
    }

    fn effects(&self) -> &Effects {
        self.entity.effects().unwrap()
    }
}

/// A value for the whole body takes the place of those of its parts, for each kind of looks by itself.
#[test]
fn a_value_of_the_whole_body_replaces_those_of_its_parts() {
    let parts = [
        HookEffect::TransparentPart { part: 3, ramp: at_once(0.1) },
        HookEffect::LuminousPart { part: 3, ramp: at_once(0.2) },
        HookEffect::DiffusePart { part: 3, ramp: at_once(0.3) },
        HookEffect::TextureVelocityPart { part: 3, u: 1.0, v: 2.0 },
    ];
    let looks = |effects: &Effects, part| {
        (
            effects.part_translucency(part),
            effects.part_luminosity(part),
            effects.part_diffusion(part),
            effects.texture_velocity(part),
        )
    };
    let (stage, _) = Stage::after(&parts);
    assert_eq!(looks(stage.effects(), 3), (0.1, Some(0.2), Some(0.3), Some([1.0, 2.0])));
    assert_eq!(looks(stage.effects(), 2), (0.0, None, None, None), "another part has those of the body");

    let play = |whole| looks(Stage::after(&[&parts[..], &[whole]].concat()).0.effects(), 3);
    let whole = play(HookEffect::Transparent(at_once(0.6)));
    assert_eq!(whole, (0.6, Some(0.2), Some(0.3), Some([1.0, 2.0])));
    let whole = play(HookEffect::Luminous(at_once(0.7)));
    assert_eq!(whole, (0.1, Some(0.7), Some(0.3), Some([1.0, 2.0])));
    let whole = play(HookEffect::Diffuse(at_once(0.8)));
    assert_eq!(whole, (0.1, Some(0.2), Some(0.8), Some([1.0, 2.0])));
    let whole = play(HookEffect::TextureVelocity { u: 5.0, v: 6.0 });
    assert_eq!(whole, (0.1, Some(0.2), Some(0.3), Some([5.0, 6.0])));
    let (stage, _) = Stage::after(&[HookEffect::Luminous(at_once(0.7)), HookEffect::Diffuse(at_once(0.8))]);
    assert_eq!((stage.effects().luminosity(), stage.effects().diffusion()), (Some(0.7), Some(0.8)));
}

/// Each effect reports itself, with the part that it is for.
#[test]
fn every_change_of_looks_is_reported() {
    let ramp = Ramp { start: 0.25, end: 0.5, time: 1.0 };
    let (stage, events) = Stage::after(&[
        HookEffect::Transparent(ramp),
        HookEffect::TransparentPart { part: 1, ramp },
        HookEffect::Luminous(ramp),
        HookEffect::LuminousPart { part: 2, ramp },
        HookEffect::Diffuse(ramp),
        HookEffect::DiffusePart { part: 3, ramp },
        HookEffect::Scale { end: 2.0, time: 1.0 },
        HookEffect::TextureVelocity { u: 1.0, v: 2.0 },
        HookEffect::SetOmega(Vec3::new(0.0, 0.0, 2.0)),
    ]);
    let expected = [
        EffectEvent::Translucency { part: None, ramp },
        EffectEvent::Translucency { part: Some(1), ramp },
        EffectEvent::Luminosity { part: None, ramp },
        EffectEvent::Luminosity { part: Some(2), ramp },
        EffectEvent::Diffusion { part: None, ramp },
        EffectEvent::Diffusion { part: Some(3), ramp },
        EffectEvent::Scale(Ramp { start: 1.0, end: 2.0, time: 1.0 }),
        EffectEvent::TextureVelocity { part: None, velocity: [1.0, 2.0] },
        EffectEvent::Omega(Vec3::new(0.0, 0.0, 2.0)),
    ];
    assert_eq!(events, expected);
    let kinds: Vec<TweenKind> = stage.effects().tweens().rev().map(|tween| tween.kind).collect();
    assert_eq!(
        kinds,
        [
            TweenKind::Translucency(None),
            TweenKind::Translucency(Some(1)),
            TweenKind::Luminosity(None),
            TweenKind::Luminosity(Some(2)),
            TweenKind::Diffusion(None),
            TweenKind::Diffusion(Some(3)),
            TweenKind::Scale,
        ]
    );
    assert_eq!(stage.entity.body.omega, Vec3::new(0.0, 0.0, 2.0));
}

/// A ramp with one number that is not finite is not a ramp.
#[test]
fn a_ramp_needs_three_finite_numbers() {
    let good = Ramp { start: 0.0, end: 1.0, time: 1.0 };
    for bad in [
        Ramp { start: f32::NAN, ..good },
        Ramp { end: f32::INFINITY, ..good },
        Ramp { time: f32::NAN, ..good },
        Ramp { time: f32::INFINITY, ..good },
    ] {
        let (stage, events) = Stage::after(&[HookEffect::Luminous(bad)]);
        assert!(events.is_empty() && stage.effects().tweens().count() == 0, "{bad:?}: {events:?}");
    }
    for (u, v) in [(f32::NAN, 0.0), (0.0, f32::INFINITY)] {
        let (stage, events) = Stage::after(&[HookEffect::TextureVelocityPart { part: 1, u, v }]);
        assert_eq!((events, stage.effects().texture_velocity(1)), (vec![], None));
    }
}

/// An emitter without a number blocks no other emitter, is blocked by none, and cannot be removed.
#[test]
fn emitters_without_a_number_do_not_block_each_other() {
    let blocking = |id| HookEffect::CreateBlockingParticle(particle(id));
    let (stage, events) = Stage::after(&[
        blocking(0),
        blocking(0),
        blocking(4),
        blocking(5),
        blocking(4),
        HookEffect::StopParticle(0),
        HookEffect::DestroyParticle(5),
        HookEffect::DestroyParticle(0),
    ]);
    let ids: Vec<u32> = stage.effects().emitters().iter().map(|emitter| emitter.id).collect();
    assert_eq!(ids, [0, 0, 4]);
    assert!(events[..4].iter().all(|event| matches!(event, EffectEvent::EmitterCreated(_))), "{events:?}");
    let expected = [
        EffectEvent::EmitterBlocked { id: 4 },
        EffectEvent::EmitterStopped { id: 0 },
        EffectEvent::EmitterDestroyed { id: 5 },
        EffectEvent::EmitterDestroyed { id: 0 },
    ];
    assert_eq!(events[4..], expected);
}

/// A body that has no effects yet has none after an emitter is removed that it does not have.
#[test]
fn removing_an_emitter_that_is_not_there_is_reported() {
    let (stage, events) = Stage::after(&[HookEffect::StopParticle(9), HookEffect::DestroyParticle(9)]);
    assert_eq!(events, [EffectEvent::EmitterStopped { id: 9 }, EffectEvent::EmitterDestroyed { id: 9 }]);
    assert!(stage.effects().emitters().is_empty());
}

/// C20: a hook makes the body ethereal at once, and solid when nothing overlaps it.
#[test]
fn c20_a_hook_makes_a_body_ethereal() {
    let waits = |stage: &Stage| stage.entity.body.transient.contains(TransientState::CHECK_ETHEREAL);
    let (stage, _) = Stage::after(&[HookEffect::Ethereal(Bool32(1))]);
    assert!(stage.entity.body.state.contains(PhysicsState::ETHEREAL) && !waits(&stage));
    let (stage, _) = Stage::after(&[HookEffect::Ethereal(Bool32(1)), HookEffect::Ethereal(Bool32(0))]);
    assert!(stage.entity.body.state.contains(PhysicsState::ETHEREAL) && waits(&stage));
}

/// A hidden body is not drawn either, even without `NO_DRAW`.
#[test]
fn a_hidden_body_is_not_drawn() {
    let (mut stage, _) = Stage::after(&[SOUND]);
    assert!(stage.entity.is_drawn());
    stage.entity.body.state.insert(PhysicsState::HIDDEN);
    assert!(!stage.entity.is_drawn());
}

/// A script without hooks has no time of its own: it is queued and over.
#[test]
fn a_script_without_hooks_is_over_at_once() {
    let mut stage = Stage::new(&[script(SCRIPT, &[]), script(OTHER_SCRIPT, &[(0.0, SOUND)])]);
    stage.act().play_script(SCRIPT);
    assert_eq!(stage.reported(), [EffectEvent::ScriptQueued { script: SCRIPT, start: 10.0 }]);
    assert!(stage.effects().scripts().is_empty());
    stage.act().play_script(OTHER_SCRIPT);
    assert_eq!(stage.update(), [EffectEvent::ScriptQueued { script: OTHER_SCRIPT, start: 10.0 }, PLAYED]);
}

/// A script behind another starts when the last hook of that one is due; its own hooks count from there.
#[test]
fn a_script_starts_at_the_end_of_the_one_before_it() {
    let first = script(SCRIPT, &[(0.5, HookEffect::NoOp), (2.0, HookEffect::NoOp)]);
    let mut stage = Stage::new(&[first, script(OTHER_SCRIPT, &[(0.25, SOUND)])]);
    stage.act().play_script(SCRIPT);
    stage.now = 11.0;
    stage.act().play_script(OTHER_SCRIPT);
    let start = |event: &EffectEvent| match event {
        EffectEvent::ScriptQueued { start, .. } => *start,
        other => panic!("{other:?}"),
    };
    assert_eq!(stage.reported().iter().map(start).collect::<Vec<_>>(), [10.0, 12.0]);
    let running: Vec<_> =
        stage.effects().scripts().iter().map(|it| (it.id(), it.start(), it.executed())).collect();
    assert_eq!(running, [(SCRIPT, 10.0, 0), (OTHER_SCRIPT, 12.0, 0)]);
    for (now, executed) in [(10.4, 0), (10.5, 1), (11.9, 1)] {
        stage.now = now;
        stage.update();
        assert_eq!(stage.effects().scripts()[0].executed(), executed, "{now} s");
    }
    stage.now = 12.2;
    assert!(stage.update().is_empty());
    assert_eq!(stage.effects().scripts()[0].id(), OTHER_SCRIPT, "the first one is over");
    stage.now = 12.25;
    assert_eq!(stage.update(), [PLAYED]);
    assert!(stage.effects().scripts().is_empty());
}

/// A time that is no number would never come. The hook is executed at once instead, so that those behind it are, too.
#[test]
fn a_hook_at_no_time_does_not_block_its_script() {
    let mut stage = Stage::new(&[script(SCRIPT, &[(f64::NAN, SOUND), (0.0, SOUND)])]);
    stage.act().play_script(SCRIPT);
    stage.reported();
    assert_eq!(stage.update(), [PLAYED, PLAYED]);
}

/// The queue takes so many scripts and no more.
#[test]
fn a_queue_that_is_full_refuses_a_script() {
    let mut stage = Stage::new(&[script(SCRIPT, &[(1.0, SOUND)])]);
    for _ in 0..MAX_SCRIPTS {
        stage.act().play_script(SCRIPT);
    }
    let queued = stage.reported();
    assert!(queued.iter().all(|event| matches!(event, EffectEvent::ScriptQueued { .. })), "{queued:?}");
    stage.act().play_script(SCRIPT);
    assert_eq!(stage.reported(), [EffectEvent::ScriptRefused { script: SCRIPT }]);
    assert_eq!(stage.effects().scripts().len(), MAX_SCRIPTS);
}

/// A hook calls a script only where the body is: without a cell it is not played.
#[test]
fn a_body_without_a_cell_calls_no_script() {
    let call = HookEffect::CallPes { script: OTHER_SCRIPT, pause: 0.0 };
    for in_cell in [true, false] {
        let mut stage = Stage::new(&[script(SCRIPT, &[(0.0, call)]), script(OTHER_SCRIPT, &[(0.0, SOUND)])]);
        stage.act().play_script(SCRIPT);
        if !in_cell {
            stage.act().leave_world();
        }
        stage.reported();
        let called = EffectEvent::ScriptQueued { script: OTHER_SCRIPT, start: 10.0 };
        let expected: &[EffectEvent] = if in_cell { &[called, PLAYED] } else { &[] };
        assert_eq!(stage.update(), expected);
    }
}

/// Every pause of a body is drawn anew, and lies within what the hook asks for.
#[test]
fn each_pause_is_another_one() {
    let call = HookEffect::CallPes { script: SCRIPT, pause: 8.0 };
    let (stage, events) = Stage::after(&[call, call, call]);
    let pauses: Vec<f32> = events
        .iter()
        .map(|event| match event {
            EffectEvent::ScriptCalled { script: SCRIPT, pause } => *pause,
            other => panic!("{other:?}"),
        })
        .collect();
    let [first, second, third] = pauses[..] else { panic!("{pauses:?}") };
    assert!(first != second && second != third && first != third, "{pauses:?}");
    assert!(pauses.iter().all(|pause| (0.0..8.0).contains(pause)) && pauses.iter().any(|pause| *pause > 1.0));
    let waiting: Vec<f64> = stage.effects().tweens().rev().map(|tween| tween.duration).collect();
    assert_eq!(waiting, pauses.iter().map(|pause| f64::from(*pause)).collect::<Vec<_>>());
    for pause in [f32::NAN, f32::INFINITY] {
        let (_, events) = Stage::after(&[HookEffect::CallPes { script: SCRIPT, pause }]);
        assert!(events.is_empty(), "{events:?}");
    }
}

/// When there is no room for another tween, the oldest ends. If it waits to call a script, the script is called.
#[test]
fn the_oldest_pause_ends_when_there_is_no_more_room() {
    let call = HookEffect::CallPes { script: OTHER_SCRIPT, pause: 8.0 };
    let glow = HookEffect::Luminous(Ramp { start: 0.0, end: 1.0, time: 8.0 });
    let mut hooks = vec![(0.0, call)];
    hooks.extend([(0.0, glow); MAX_TWEENS - 1]);
    let mut stage = Stage::new(&[script(SCRIPT, &hooks), script(OTHER_SCRIPT, &[(9.0, SOUND)])]);
    stage.act().play_script(SCRIPT);
    stage.reported();
    let is_queued =
        |event: &EffectEvent| matches!(event, EffectEvent::ScriptQueued { script: OTHER_SCRIPT, .. });
    assert!(!stage.update().iter().any(is_queued), "there is room for all of these");
    assert_eq!(stage.effects().tweens().count(), MAX_TWEENS);
    let mut another = Stage::new(&[
        script(SCRIPT, &[&hooks[..], &[(0.0, glow)]].concat()),
        script(OTHER_SCRIPT, &[(9.0, SOUND)]),
    ]);
    another.act().play_script(SCRIPT);
    another.reported();
    assert!(another.update().iter().any(is_queued));
    assert_eq!(another.effects().tweens().count(), MAX_TWEENS);
    assert_eq!(another.effects().luminosity(), None, "the others go on");
}

/// A body without a default script plays none.
#[test]
fn a_body_without_a_default_script_plays_none() {
    let (stage, events) = Stage::after(&[HookEffect::DefaultScript, HookEffect::DefaultScriptPart(4)]);
    assert_eq!(events, [EffectEvent::DefaultScriptPart { part: 4 }]);
    assert_eq!(stage.effects().default_script(), None);
}

/// D13: numbers of a description that are not finite count as none.
#[test]
fn d13_a_description_with_absurd_looks_is_plain() {
    let mut scene = TestWorld::new();
    scene.send(&create_with(REMOTE, ObjectStamps::default(), |physics| {
        physics.position = Some(at(96.0, 96.0));
        physics.translucency = Some(f32::NAN);
        physics.default_script = Some(0x58);
        physics.default_script_intensity = Some(f32::INFINITY);
    }));
    let effects = scene.world.find(REMOTE).unwrap().effects().unwrap();
    assert_eq!((effects.translucency(), effects.part_translucency(2)), (0.0, 0.0));
    let script = ScriptType(0x58);
    assert_eq!(effects.default_script(), Some(DefaultScript::Type { script, intensity: 0.0 }));

    scene.events.clear();
    scene.send(&encode(PlayScriptType { guid: REMOTE, script_type: 0x1D, speed: f32::NAN }));
    let played = EffectEvent::ScriptType { script: ScriptType(0x1D), intensity: 0.0 };
    let kinds: Vec<_> = scene.events.iter().map(|event| event.kind).collect();
    assert_eq!(kinds, [EventKind::Motion(MotionEvent::Effect(played))]);
}

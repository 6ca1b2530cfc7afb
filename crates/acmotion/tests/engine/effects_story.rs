//! Hooks, tweens and scripts of one body, tick by tick (rules B4.8, B5.6, C19, Q13, R4).

use std::sync::Arc;

use acmotion::Library;
use acmotion::MotionEvent;
use acmotion::components::{Actor, Entity, Events};
use acmotion::dat::hook::{Bool32, PackedMeshId};
use acmotion::dat::{
    Animation, AnimationFrame, Assets, DataId, Hook, HookDirection, HookEffect, ParticleSpec, PhysicsScript,
    Ramp, ScriptHook,
};
use acmotion::effects::{
    EffectEvent, Effects, MAX_EMITTERS, MAX_SCRIPT_HOOKS, MAX_SCRIPTS, MAX_TWEENS, ScriptType, SoundKey,
    TweenKind,
};
use acmotion::internals::body::{BodyFlags, PhysicsState};
use acmotion::internals::collide::{InfinitePlane, Shape};
use acmotion::types::{CellId, CellPosition, Frame, Guid, Vec3};

const TICK: f64 = 1.0 / 30.0;
const GUID: Guid = Guid(0x5000_0001);
const CELL: CellId = CellId(0xA9B4_0013);
const HOME: Vec3 = Vec3::new(60.0, 60.0, 0.005);
const EMITTER_INFO: DataId = DataId(0x3200_0001);
const SCRIPT: DataId = DataId(0x3300_0001);
const OTHER_SCRIPT: DataId = DataId(0x3300_0002);

/// A body that plays one looping clip of 200 frames at 30 frames a second. Tick `n` leaves frame `n − 1` and fires its
/// hooks.
struct Stage {
    library: Library,
    entity: Entity,
    events: Events,
    now: f64,
    player: Option<CellPosition>,
}

fn hook(effect: HookEffect) -> Hook {
    Hook { direction: HookDirection::BOTH, effect }
}

fn script(id: DataId, effects: &[(f64, HookEffect)]) -> PhysicsScript {
    let hooks = effects.iter().map(|&(start, effect)| ScriptHook { start, hook: hook(effect) });
    PhysicsScript { id, hooks: hooks.collect() }
}

fn call(script: DataId, pause: f32) -> HookEffect {
    HookEffect::CallPes { script, pause }
}

fn particle(emitter: u32) -> ParticleSpec {
    ParticleSpec { emitter_info: EMITTER_INFO, part: 3, offset: Frame::IDENTITY, emitter }
}

fn ramp(start: f32, end: f32, time: f32) -> Ramp {
    Ramp { start, end, time }
}

impl Stage {
    /// Creates a stage on level ground. `hooks` are pairs of frame and effect.
    fn new(hooks: &[(usize, HookEffect)]) -> Self {
        Self::of(GUID, hooks, &[])
    }

    fn with_scripts(hooks: &[(usize, HookEffect)], scripts: &[PhysicsScript]) -> Self {
        Self::of(GUID, hooks, scripts)
    }

    fn of(guid: Guid, hooks: &[(usize, HookEffect)], scripts: &[PhysicsScript]) -> Self {
        let mut library = Library::new();
        for script in scripts {
            library.add_script(Arc::new(script.clone()), &Assets::mannequin());
        }
        let mut frames = vec![AnimationFrame::default(); 200];
        for (frame, effect) in hooks {
            frames[*frame].hooks.push(hook(*effect));
        }
        let clip = library.add_animation(Arc::new(Animation::new(DataId(0x0300_0001), None, frames)));
        let span = library.span(clip, 0, -1);
        let mut entity = Entity::new(guid, None);
        entity.shape = Shape::human().into();
        entity.body.flags.insert(BodyFlags::MANAGED);
        entity.animator.sequence_mut().append(&library, span, 30.0);
        let mut stage = Self { library, entity, events: Events::new(), now: 0.0, player: None };
        assert!(stage.act().enter_world(&CellPosition::at(CELL, HOME), true, &InfinitePlane::level(0.0)));
        assert!(stage.entity.body.is_standing());
        stage.events.clear();
        stage
    }

    fn act(&mut self) -> Actor<'_> {
        self.entity.act(&self.library, self.now, &mut self.events)
    }

    /// Advances by a tick. Returns the effects that were reported in it.
    fn tick(&mut self) -> Vec<EffectEvent> {
        self.now += TICK;
        let player = self.player;
        self.act().update(player.as_ref(), &InfinitePlane::level(0.0));
        self.effect_events()
    }

    fn effect_events(&mut self) -> Vec<EffectEvent> {
        let effects = self.events.drain().filter_map(|event| match event.kind {
            MotionEvent::Effect(effect) => Some(effect),
            _ => None,
        });
        effects.collect()
    }

    fn ticks(&mut self, count: usize) -> Vec<EffectEvent> {
        (0..count).flat_map(|_| self.tick()).collect()
    }

    fn effects(&self) -> &Effects {
        self.entity.effects().unwrap()
    }
}

fn near(a: f32, b: f32) {
    assert!((a - b).abs() < 1e-4, "{a} is not {b}");
}

#[test]
fn sounds_are_not_kept_as_effects() {
    let mut stage = Stage::new(&[(0, HookEffect::Sound(DataId(0x0A00_0001))), (1, HookEffect::NoOp)]);
    stage.ticks(5);
    assert!(stage.entity.effects().is_none(), "nothing has to be kept");
}

/// The tween starts in the tick of its hook and first shows in the next one (B5.6: tweens run before hooks). Root motion is
/// scaled before hooks run (B5.2), so a tick moves by the scale of the tick before.
#[test]
fn a_growing_body_takes_longer_steps() {
    let mut stage = Stage::new(&[(0, HookEffect::Scale { end: 2.0, time: 0.1 })]);
    stage.entity.animator.sequence_mut().set_physics(Vec3::new(0.0, 3.0, 0.0), Vec3::ZERO);
    let scales = [1.0, 1.333_33, 1.666_67, 2.0, 2.0];
    let moved = [0.1, 0.1, 0.133_33, 0.166_67, 0.2];
    for (tick, (scale, moved)) in scales.into_iter().zip(moved).enumerate() {
        let before = stage.entity.body.position.frame.origin.y;
        let events = stage.tick();
        near(stage.entity.body.scale, scale);
        near(stage.entity.body.position.frame.origin.y - before, moved);
        let reported = events.contains(&EffectEvent::Scale(ramp(1.0, 2.0, 0.1)));
        assert_eq!(reported, tick == 0, "reported once, when it starts");
    }
    assert_eq!(stage.entity.body.scale, 2.0, "the last value is exact");
    assert_eq!(stage.effects().tweens().count(), 0);
    let height = |scale| stage.entity.shape.cylinder(scale).height;
    near(height(stage.entity.body.scale), 2.0 * height(1.0));
}

#[test]
fn a_ramp_shorter_than_epsilon_takes_its_final_value_at_once() {
    let immediate = HookEffect::Transparent(ramp(0.0, 0.75, 0.000_19));
    let mut stage = Stage::new(&[(0, immediate), (1, HookEffect::Scale { end: 0.5, time: 0.0 })]);
    stage.tick();
    assert_eq!(stage.effects().translucency(), 0.75);
    assert_eq!(stage.effects().tweens().count(), 0);
    stage.tick();
    assert_eq!(stage.entity.body.scale, 0.5);
}

/// R4: the newest runs first, so the value of the oldest shows while both are under way.
#[test]
fn of_two_ramps_the_older_one_shows() {
    let older = HookEffect::Luminous(ramp(0.0, 1.0, 0.1));
    let newer = HookEffect::Luminous(ramp(9.0, 5.0, 0.2));
    let mut stage = Stage::new(&[(0, older), (1, newer)]);
    stage.ticks(3);
    near(stage.effects().luminosity().unwrap(), 0.666_67);
    let kinds: Vec<f32> = stage.effects().tweens().map(|tween| tween.to).collect();
    assert_eq!(kinds, [5.0, 1.0], "in the order in which they run");
    stage.tick();
    near(stage.effects().luminosity().unwrap(), 1.0);
    stage.tick();
    // The older one is over. The newer one began in tick 2 and is halfway through in tick 5.
    near(stage.effects().luminosity().unwrap(), 7.0);
}

/// B8, R4: after a hitch, a tween has advanced by the steps that the body has taken, not by the time that has passed.
#[test]
fn tweens_follow_the_clock_of_the_steps() {
    let mut stage = Stage::new(&[(0, HookEffect::Diffuse(ramp(0.0, 1.0, 1.0)))]);
    stage.tick();
    stage.now += 0.21;
    stage.act().update(None, &InfinitePlane::level(0.0));
    // 0.21 s is one step of 0.2 s; the rest waits.
    near(stage.effects().diffusion().unwrap(), 0.2);
}

#[test]
fn parts_differ_until_the_whole_body_changes() {
    let part = HookEffect::TransparentPart { part: 3, ramp: ramp(0.0, 1.0, 0.0) };
    let glow = HookEffect::LuminousPart { part: 3, ramp: ramp(0.0, 0.5, 0.0) };
    let dull = HookEffect::DiffusePart { part: 4, ramp: ramp(0.0, 0.25, 0.0) };
    let whole = HookEffect::Transparent(ramp(0.0, 0.25, 0.0));
    let mut stage = Stage::new(&[(0, part), (0, glow), (0, dull), (1, whole)]);
    stage.tick();
    let effects = stage.effects();
    assert_eq!((effects.part_translucency(3), effects.part_translucency(4)), (1.0, 0.0));
    assert_eq!((effects.part_luminosity(3), effects.part_luminosity(4)), (Some(0.5), None));
    assert_eq!((effects.part_diffusion(3), effects.part_diffusion(4)), (None, Some(0.25)));
    stage.tick();
    let effects = stage.effects();
    assert_eq!((effects.part_translucency(3), effects.translucency()), (0.25, 0.25));
    assert_eq!(effects.part_luminosity(3), Some(0.5), "only the translucency changed");
}

#[test]
fn drawing_and_lights_are_bits_of_the_physics_state() {
    let hooks = [
        (0, HookEffect::NoDraw(Bool32(1))),
        (0, HookEffect::SetLight(Bool32(0))),
        (1, HookEffect::NoDraw(Bool32(0))),
        (1, HookEffect::SetLight(Bool32(7))),
    ];
    let mut stage = Stage::new(&hooks);
    assert!(stage.entity.is_drawn() && stage.entity.has_lights_on());
    assert_eq!(stage.tick(), [EffectEvent::Drawn(false), EffectEvent::Lights(false)]);
    assert!(!stage.entity.is_drawn() && !stage.entity.has_lights_on());
    assert!(stage.entity.body.state.contains(PhysicsState::NO_DRAW));
    assert_eq!(stage.tick(), [EffectEvent::Drawn(true), EffectEvent::Lights(true)]);
    assert!(stage.entity.is_drawn() && stage.entity.has_lights_on());
}

/// C4.5, B5.6: the turn of a tick comes before its hooks, so a body begins to turn in the tick after the hook. C3: on the
/// ground, the next commit of a sweep ends it; a body that stands still is not swept.
#[test]
fn omega_turns_the_body_from_the_next_tick_on() {
    let mut stage = Stage::new(&[(0, HookEffect::SetOmega(Vec3::new(0.0, 0.0, 3.0)))]);
    let heading = |stage: &Stage| stage.entity.body.position.frame.heading();
    stage.tick();
    near(heading(&stage), 0.0);
    for tick in 1..=3 {
        stage.tick();
        near(heading(&stage), 360.0 - (0.1 * tick as f32).to_degrees());
    }
}

#[test]
fn meshes_and_textures_are_kept_for_each_part() {
    let mesh = |part, id| HookEffect::ReplaceObject { part, mesh: PackedMeshId::Short(id), padding: [0; 3] };
    let scroll = HookEffect::TextureVelocityPart { part: 2, u: 0.0, v: 1.0 };
    let hooks = [
        (0, mesh(5, 0xBB4)),
        (0, mesh(0, 0x10)),
        (0, HookEffect::TextureVelocity { u: 0.5, v: -0.5 }),
        (0, scroll),
        (1, mesh(5, 0x11)),
    ];
    let mut stage = Stage::new(&hooks);
    let events = stage.tick();
    assert_eq!(events[0], EffectEvent::MeshReplaced { part: 5, mesh: DataId(0x0100_0BB4) });
    assert_eq!(events[3], EffectEvent::TextureVelocity { part: Some(2), velocity: [0.0, 1.0] });
    let effects = stage.effects();
    assert!(effects.meshes().eq([(0, DataId(0x0100_0010)), (5, DataId(0x0100_0BB4))]));
    assert_eq!(
        (effects.texture_velocity(0), effects.texture_velocity(2)),
        (Some([0.5, -0.5]), Some([0.0, 1.0]))
    );
    stage.tick();
    assert_eq!(stage.effects().mesh(5), Some(DataId(0x0100_0011)));
}

#[test]
fn emitters_are_replaced_blocked_stopped_and_destroyed_by_number() {
    let create = |id| HookEffect::CreateParticle(particle(id));
    let blocking = |id| HookEffect::CreateBlockingParticle(particle(id));
    let hooks = [
        (0, create(1)),
        (0, create(2)),
        (1, create(1)),
        (2, blocking(2)),
        (2, blocking(3)),
        (3, HookEffect::StopParticle(2)),
        (3, blocking(2)),
        (4, HookEffect::DestroyParticle(1)),
        (4, HookEffect::DestroyParticle(99)),
        (5, create(0)),
        (5, create(0)),
    ];
    let mut stage = Stage::new(&hooks);
    let active =
        |stage: &Stage| -> Vec<u32> { stage.effects().emitters().iter().map(|emitter| emitter.id).collect() };
    let events = stage.tick();
    assert!(
        matches!(events[0], EffectEvent::EmitterCreated(emitter) if emitter.info == EMITTER_INFO && emitter.part == 3)
    );
    assert_eq!(active(&stage), [1, 2]);
    stage.tick();
    assert_eq!(active(&stage), [2, 1], "the new emitter replaced the old one");
    let events = stage.tick();
    assert_eq!(events[0], EffectEvent::EmitterBlocked { id: 2 });
    assert_eq!(active(&stage), [2, 1, 3]);
    let events = stage.tick();
    assert_eq!(events[0], EffectEvent::EmitterStopped { id: 2 });
    assert_eq!(active(&stage), [1, 3, 2], "the stopped emitter no longer blocks");
    stage.tick();
    assert_eq!(active(&stage), [3, 2]);
    stage.tick();
    assert_eq!(active(&stage), [3, 2, 0, 0], "emitters without a number do not replace each other");
}

#[test]
fn sounds_are_reported_with_their_names_and_settings() {
    let wave = DataId(0x0A00_0007);
    let tweaked = HookEffect::SoundTweaked { wave, probability: 0.5, priority: 3.0, volume: 0.8 };
    let mut stage =
        Stage::new(&[(0, HookEffect::SoundTable(0x37)), (0, HookEffect::Sound(wave)), (0, tweaked)]);
    let events = stage.tick();
    assert_eq!(events[..2], [EffectEvent::SoundTable(SoundKey(0x37)), EffectEvent::Sound(wave)]);
    assert_eq!(events[2], EffectEvent::SoundTweaked { wave, probability: 0.5, priority: 3.0, volume: 0.8 });
    assert_eq!(SoundKey(0x37).to_string(), "Footstep1");
}

/// The script starts at tick 1, and its hooks fire in the first tick at or after their times.
#[test]
fn a_called_script_runs_on_its_own_clock() {
    let sound = |id: u32| HookEffect::Sound(DataId(0x0A00_0000 + id));
    let called = script(SCRIPT, &[(0.0, sound(0)), (0.05, sound(1)), (0.1, sound(2))]);
    let mut stage = Stage::with_scripts(&[(0, call(SCRIPT, 0.0))], &[called]);
    let wave = |id: u32| EffectEvent::Sound(DataId(0x0A00_0000 + id));
    let events = stage.tick();
    assert_eq!(events, [EffectEvent::ScriptQueued { script: SCRIPT, start: stage.now }, wave(0)]);
    assert_eq!(stage.effects().scripts()[0].executed(), 1);
    assert_eq!(stage.tick(), [], "0.033 s");
    assert_eq!(stage.tick(), [wave(1)], "0.067 s");
    assert_eq!(stage.tick(), [wave(2)], "0.1 s");
    assert!(stage.effects().scripts().is_empty());
}

/// Scripts queue up: the second starts at the end of the first, which is the time of its last hook. A script that calls
/// itself at its end therefore repeats without drift.
#[test]
fn scripts_follow_each_other_without_a_gap() {
    let sound = HookEffect::Sound(DataId(0x0A00_0001));
    let endless = script(SCRIPT, &[(0.0, sound), (0.25, call(SCRIPT, 0.0))]);
    let mut stage = Stage::with_scripts(&[(0, call(SCRIPT, 0.0))], &[endless]);
    let mut starts = Vec::new();
    for _ in 0..40 {
        for event in stage.tick() {
            if let EffectEvent::ScriptQueued { start, .. } = event {
                starts.push(start);
            }
        }
    }
    let expected: Vec<f64> = (0..6).map(|turn| TICK + 0.25 * f64::from(turn)).collect();
    assert_eq!(starts.len(), expected.len());
    for (start, expected) in starts.iter().zip(&expected) {
        assert!((start - expected).abs() < 1e-9, "{start} is not {expected}");
    }
}

/// B3.7, B4.8: more than 96 m from the player, the animation stands still but scripts go on.
#[test]
fn scripts_run_on_an_inactive_body() {
    let late = script(SCRIPT, &[(0.1, HookEffect::Sound(DataId(0x0A00_0001)))]);
    let mut stage = Stage::with_scripts(&[(0, call(SCRIPT, 0.0))], &[late]);
    stage.tick();
    stage.player = Some(CellPosition::at(CELL, HOME + Vec3::new(97.0, 0.0, 0.0)));
    let frame = stage.entity.animator.sequence().frame();
    assert_eq!(stage.ticks(3), [EffectEvent::Sound(DataId(0x0A00_0001))]);
    assert_eq!(stage.entity.animator.sequence().frame(), frame);
}

#[test]
fn a_pause_is_drawn_between_zero_and_its_length() {
    let quiet = script(SCRIPT, &[(0.0, HookEffect::NoOp)]);
    let pauses = |guid| -> Vec<f32> {
        let hooks: Vec<_> = (0..50).map(|frame| (frame, call(SCRIPT, 0.4))).collect();
        let mut stage = Stage::of(Guid(guid), &hooks, std::slice::from_ref(&quiet));
        let events = stage.ticks(50);
        let pauses = events.into_iter().filter_map(|event| match event {
            EffectEvent::ScriptCalled { pause, .. } => Some(pause),
            _ => None,
        });
        pauses.collect()
    };
    let first = pauses(1);
    assert_eq!(first.len(), 50);
    assert!(first.iter().all(|pause| (0.0..0.4).contains(pause)));
    let mean = first.iter().sum::<f32>() / 50.0;
    assert!((0.15..0.25).contains(&mean), "the mean is {mean}");
    assert_eq!(first, pauses(1), "the same body draws the same pauses");
    assert_ne!(first, pauses(2), "bodies differ");
}

#[test]
fn a_script_starts_when_its_pause_is_over() {
    let quiet = script(SCRIPT, &[(0.0, HookEffect::Sound(DataId(0x0A00_0001)))]);
    let mut stage = Stage::with_scripts(&[(0, call(SCRIPT, 0.5))], &[quiet]);
    let events = stage.tick();
    let EffectEvent::ScriptCalled { script: SCRIPT, pause } = events[0] else { panic!("{events:?}") };
    assert!(matches!(stage.effects().tweens().next().unwrap().kind, TweenKind::CallScript(SCRIPT)));
    let called = stage.now;
    let waited = (1..30).find(|_| stage.tick().contains(&EffectEvent::Sound(DataId(0x0A00_0001))));
    let waited = f64::from(waited.unwrap()) * TICK;
    assert!(
        waited >= f64::from(pause) && waited < f64::from(pause) + TICK,
        "called at {called}, {waited} of {pause}"
    );
}

#[test]
fn a_script_of_zero_length_that_calls_itself_does_not_hang() {
    let spin = script(SCRIPT, &[(0.0, call(SCRIPT, 0.0))]);
    let mut stage = Stage::with_scripts(&[(0, call(SCRIPT, 0.0))], &[spin]);
    assert_eq!(stage.tick().len(), 1 + MAX_SCRIPT_HOOKS);
    assert_eq!(stage.tick().len(), MAX_SCRIPT_HOOKS);
    assert!(stage.effects().scripts().len() <= 2);
}

#[test]
fn floods_are_bounded() {
    let long = script(SCRIPT, &[(9e9, HookEffect::NoOp)]);
    let mut hooks = Vec::new();
    for number in 0..500 {
        hooks.push((0, call(SCRIPT, 0.0)));
        hooks.push((0, HookEffect::Luminous(ramp(0.0, number as f32, 9.0))));
        hooks.push((0, HookEffect::CreateParticle(particle(number))));
        hooks.push((0, HookEffect::DiffusePart { part: number, ramp: ramp(0.0, 1.0, 0.0) }));
    }
    let mut stage = Stage::with_scripts(&hooks, &[long]);
    let events = stage.tick();
    let effects = stage.effects();
    assert_eq!(effects.scripts().len(), MAX_SCRIPTS);
    assert_eq!(effects.tweens().count(), MAX_TWEENS);
    assert_eq!(effects.emitters().len(), MAX_EMITTERS);
    let refused = events.iter().filter(|event| matches!(event, EffectEvent::ScriptRefused { .. })).count();
    assert_eq!(refused, 500 - MAX_SCRIPTS);
    let completed = (500 - MAX_TWEENS - 1) as f32;
    assert_eq!(effects.luminosity(), Some(completed), "the oldest tweens were completed");
    assert_eq!(effects.part_diffusion(0), Some(1.0));
    assert_eq!(effects.part_diffusion(499), None, "further parts are ignored");
}

#[test]
fn non_finite_and_absurd_values_are_ignored() {
    let hooks = [
        (0, HookEffect::Scale { end: f32::NAN, time: 0.0 }),
        (0, HookEffect::Scale { end: -1.0, time: 0.0 }),
        (0, HookEffect::Scale { end: 0.0, time: 0.1 }),
        (0, HookEffect::Transparent(ramp(f32::INFINITY, 0.5, 0.0))),
        (0, HookEffect::Luminous(ramp(0.0, 0.5, f32::NAN))),
        (0, HookEffect::SetOmega(Vec3::new(f32::NAN, 0.0, 0.0))),
        (0, HookEffect::TextureVelocity { u: f32::NAN, v: 0.0 }),
        (0, call(SCRIPT, f32::INFINITY)),
    ];
    let mut stage = Stage::new(&hooks);
    stage.ticks(10);
    assert!(stage.entity.body.scale > 0.0 && stage.entity.body.scale <= 1.0);
    assert_eq!(stage.entity.body.omega, Vec3::ZERO);
    assert_eq!((stage.effects().translucency(), stage.effects().luminosity()), (0.0, None));
    assert_eq!(stage.effects().texture_velocity(0), None);
}

#[test]
fn a_missing_script_is_refused() {
    let mut stage = Stage::new(&[(0, call(OTHER_SCRIPT, 0.0))]);
    assert_eq!(stage.tick(), [EffectEvent::ScriptRefused { script: OTHER_SCRIPT }]);
}

/// C19.
#[test]
fn a_new_state_acts_on_lights_drawing_and_hiding() {
    let mut stage = Stage::new(&[]);
    let state = stage.entity.body.state;
    let changed = (state - PhysicsState::LIGHTING_ON) | PhysicsState::NO_DRAW | PhysicsState::HIDDEN;
    stage.act().set_state(changed);
    let hidden = EffectEvent::ScriptType { script: ScriptType::HIDDEN, intensity: 1.0 };
    assert_eq!(stage.effect_events(), [EffectEvent::Lights(false), EffectEvent::Drawn(false), hidden]);
    stage.act().set_state(changed);
    assert_eq!(stage.effect_events(), [], "nothing changed");
    stage.act().set_state(state);
    let shown = EffectEvent::ScriptType { script: ScriptType::UN_HIDE, intensity: 1.0 };
    assert_eq!(stage.effect_events(), [EffectEvent::Lights(true), EffectEvent::Drawn(true), shown]);
}

/// B7: attached bodies are animated and moved without collision, and only after 1/30 s.
#[test]
fn an_update_without_collision_carries_over_short_times_and_discards_long_ones() {
    let mut stage = Stage::new(&[]);
    stage.entity.body.omega = Vec3::new(0.0, 0.0, 3.0);
    let frame = |stage: &Stage| stage.entity.animator.sequence().frame();
    let at = |stage: &mut Stage, now: f64| {
        stage.now = now;
        stage.act().update_without_collision();
    };
    at(&mut stage, 0.02);
    assert_eq!(frame(&stage), 0.0, "too short, so it waits");
    at(&mut stage, 0.04);
    near(frame(&stage) as f32, 1.2);
    near(stage.entity.body.position.frame.heading(), 360.0 - 0.12_f32.to_degrees());
    at(&mut stage, 3.0);
    near(frame(&stage) as f32, 1.2);
    at(&mut stage, 3.1);
    near(frame(&stage) as f32, 4.2);
}

/// B7: the scripts of attached bodies go on, too.
#[test]
fn an_update_without_collision_runs_scripts() {
    let looks = script(SCRIPT, &[(0.05, HookEffect::NoDraw(true.into()))]);
    let mut stage = Stage::with_scripts(&[], &[looks]);
    stage.act().play_script(SCRIPT);
    for now in [0.04, 0.1] {
        stage.now = now;
        stage.act().update_without_collision();
        let is_drawn = !stage.entity.body.state.contains(PhysicsState::NO_DRAW);
        assert_eq!(is_drawn, now < 0.05, "after {now} s");
    }
}

#[test]
fn a_steady_tick_with_effects_allocates_nothing() {
    let hooks = [
        (0, HookEffect::CreateParticle(particle(1))),
        (5, HookEffect::Transparent(ramp(0.0, 1.0, 0.1))),
        (10, HookEffect::LuminousPart { part: 2, ramp: ramp(0.0, 1.0, 0.1) }),
        (15, HookEffect::DestroyParticle(1)),
        (20, call(SCRIPT, 0.1)),
    ];
    let looks = script(SCRIPT, &[(0.0, HookEffect::Diffuse(ramp(0.0, 1.0, 0.2))), (0.3, HookEffect::NoOp)]);
    let mut stage = Stage::with_scripts(&hooks, &[looks]);
    let run = |stage: &mut Stage| {
        for _ in 0..400 {
            stage.now += TICK;
            stage.act().update(None, &InfinitePlane::level(0.0));
            stage.events.clear();
        }
    };
    run(&mut stage);
    let allocations = allocation_counter::measure(|| run(&mut stage));
    assert_eq!(allocations.count_total, 0);
}

//! Carrying out hooks, tweens and scripts (rules B4.8, B5.6, R4).

use acmotion_dat::{DataId, HookEffect, ParticleSpec, Ramp};
use acmotion_types::Vec3;

use super::script::MAX_SCRIPT_HOOKS;
use super::tween::is_immediate;
use super::{DefaultScript, EffectEvent, Effects, MAX_TWEENS, ScriptType, SoundKey, Tween, TweenKind};
use crate::body::PhysicsState;
use crate::entity::{Actor, Entity, MotionEvent};
use crate::random::unit;
use crate::table::animation_done;

impl Entity {
    /// The effects on the entity, `None` if it has had none.
    pub fn effects(&self) -> Option<&Effects> {
        self.effects.as_deref()
    }

    /// Returns `true` if the entity is drawn: neither hidden nor marked as not drawn. A part of translucency 1 is not drawn
    /// either.
    pub fn is_drawn(&self) -> bool {
        !self.body.state.intersects(PhysicsState::NO_DRAW | PhysicsState::HIDDEN)
    }

    /// Returns `true` if the lights of the entity's setup are on.
    pub fn has_lights_on(&self) -> bool {
        self.body.state.contains(PhysicsState::LIGHTING_ON)
    }

    pub(crate) fn effects_mut(&mut self) -> &mut Effects {
        self.effects.get_or_insert_default()
    }
}

/// Returns `true` if an effect is reported and [carried out](Actor::execute) without changing anything of the entity.
pub(crate) fn only_reports(effect: &HookEffect) -> bool {
    use HookEffect::{Attack, DefaultScriptPart, NoOp, Sound, SoundTable, SoundTweaked};
    matches!(effect, NoOp | Sound(_) | SoundTable(_) | SoundTweaked { .. } | Attack(_) | DefaultScriptPart(_))
}

impl Actor<'_> {
    /// Carries out the effect of an animation's or a script's hook.
    #[doc(alias = "Execute")]
    pub(crate) fn execute(&mut self, effect: &HookEffect) {
        match *effect {
            HookEffect::NoOp => {}
            HookEffect::AnimationDone => animation_done(self, true),
            HookEffect::Ethereal(ethereal) => self.hook_ethereal(ethereal.get()),
            HookEffect::Sound(wave) => self.emit_effect(EffectEvent::Sound(wave)),
            HookEffect::SoundTable(sound) => self.emit_effect(EffectEvent::SoundTable(SoundKey(sound))),
            HookEffect::SoundTweaked { wave, probability, priority, volume } => {
                self.emit_effect(EffectEvent::SoundTweaked { wave, probability, priority, volume });
            }
            HookEffect::Attack(cone) => self.emit_effect(EffectEvent::Attack(cone)),
            HookEffect::Scale { end, time } => {
                self.ramp(TweenKind::Scale, Ramp { start: self.entity.body.scale, end, time });
            }
            HookEffect::Transparent(ramp) => self.ramp(TweenKind::Translucency(None), ramp),
            HookEffect::TransparentPart { part, ramp } => {
                self.ramp(TweenKind::Translucency(Some(part)), ramp)
            }
            HookEffect::Luminous(ramp) => self.ramp(TweenKind::Luminosity(None), ramp),
            HookEffect::LuminousPart { part, ramp } => self.ramp(TweenKind::Luminosity(Some(part)), ramp),
            HookEffect::Diffuse(ramp) => self.ramp(TweenKind::Diffusion(None), ramp),
            HookEffect::DiffusePart { part, ramp } => self.ramp(TweenKind::Diffusion(Some(part)), ramp),
            HookEffect::ReplaceObject { part, mesh, .. } => {
                let (part, mesh) = (u32::from(part), mesh.id());
                self.entity.effects_mut().change_part(part, |looks| looks.mesh = Some(mesh));
                self.emit_effect(EffectEvent::MeshReplaced { part, mesh });
            }
            HookEffect::TextureVelocity { u, v } => self.set_texture_velocity(None, [u, v]),
            HookEffect::TextureVelocityPart { part, u, v } => self.set_texture_velocity(Some(part), [u, v]),
            HookEffect::NoDraw(no_draw) => self.set_no_draw(no_draw.get()),
            HookEffect::SetLight(on) => self.set_lights(on.get()),
            HookEffect::SetOmega(omega) => self.hook_omega(omega),
            HookEffect::CreateParticle(spec) => self.create_emitter(&spec, false),
            HookEffect::CreateBlockingParticle(spec) => self.create_emitter(&spec, true),
            HookEffect::StopParticle(id) => {
                self.remove_emitter(id);
                self.emit_effect(EffectEvent::EmitterStopped { id });
            }
            HookEffect::DestroyParticle(id) => {
                self.remove_emitter(id);
                self.emit_effect(EffectEvent::EmitterDestroyed { id });
            }
            HookEffect::CallPes { script, pause } => self.call_script(script, pause),
            HookEffect::DefaultScript => self.play_default_script(),
            HookEffect::DefaultScriptPart(part) => self.emit_effect(EffectEvent::DefaultScriptPart { part }),
        }
    }

    /// Runs the tweens, the newest first, and drops those that have reached their end (rules B5.6, R4).
    pub(crate) fn run_tweens(&mut self) {
        let clock = self.entity.body.clock.update_time;
        let Some(effects) = self.entity.effects.as_deref_mut() else { return };
        if effects.tweens.is_empty() {
            return;
        }
        let mut tweens = std::mem::take(&mut effects.tweens);
        for tween in tweens.iter().rev() {
            self.apply(tween, clock);
        }
        tweens.retain(|tween| !tween.is_complete(clock));
        self.entity.effects_mut().tweens = tweens;
    }

    /// Executes the script hooks that are due, on an inactive body too (rule B4.8). For a body that is attached to
    /// another, call it after moving the body.
    ///
    /// Scripts run on the time of the client frame, not on that of the body's steps.
    #[doc(alias = "UpdateScripts")]
    #[inline]
    pub fn update_scripts(&mut self) {
        if self.entity.effects.is_some() {
            self.run_scripts();
        }
    }

    fn run_scripts(&mut self) {
        for _ in 0..MAX_SCRIPT_HOOKS {
            let Some(effects) = self.entity.effects.as_deref() else { return };
            let Some(effect) = effects.scripts.due(self.now) else { return };
            self.execute(&effect);
            self.entity.effects_mut().scripts.advance();
        }
    }

    /// Plays a script, 0x33, of the library: at once, or when the scripts queued before it are over.
    #[doc(alias = "play_script_internal")]
    pub fn play_script(&mut self, script: DataId) {
        let now = self.now;
        let queued = self.library.script(script).cloned();
        let start = queued.and_then(|queued| self.entity.effects_mut().scripts.add(queued, now));
        self.emit_effect(match start {
            Some(start) => EffectEvent::ScriptQueued { script, start },
            None => EffectEvent::ScriptRefused { script },
        });
    }

    /// Reports that a script of the body's script table is to play. An intensity that is not finite counts as 0.
    pub(crate) fn play_script_type(&mut self, script: ScriptType, intensity: f32) {
        let intensity = if intensity.is_finite() { intensity } else { 0.0 };
        self.emit_effect(EffectEvent::ScriptType { script, intensity });
    }

    /// Plays the default script: the description's, else the setup's.
    pub(crate) fn play_default_script(&mut self) {
        match self.entity.effects.as_deref().and_then(Effects::default_script) {
            Some(DefaultScript::Setup(script)) => self.play_script(script),
            Some(DefaultScript::Type { script, intensity }) => self.play_script_type(script, intensity),
            None => {}
        }
    }

    /// Stops drawing the body if `no_draw` is set, else draws it again.
    #[doc(alias = "set_nodraw")]
    pub(crate) fn set_no_draw(&mut self, no_draw: bool) {
        self.entity.body.state.set(PhysicsState::NO_DRAW, no_draw);
        self.emit_effect(EffectEvent::Drawn(!no_draw));
    }

    /// Switches the lights of the body on or off.
    pub(crate) fn set_lights(&mut self, on: bool) {
        self.entity.body.state.set(PhysicsState::LIGHTING_ON, on);
        self.emit_effect(EffectEvent::Lights(on));
    }

    /// Starts a ramp. A ramp shorter than EPS takes its final value at once (rule Q13); a ramp with a non-finite value
    /// is ignored.
    fn ramp(&mut self, kind: TweenKind, ramp: Ramp) {
        let Ramp { start, end, time } = ramp;
        if !(start.is_finite() && end.is_finite() && time.is_finite()) {
            return;
        }
        self.emit_effect(match kind {
            TweenKind::Translucency(part) => EffectEvent::Translucency { part, ramp },
            TweenKind::Luminosity(part) => EffectEvent::Luminosity { part, ramp },
            TweenKind::Diffusion(part) => EffectEvent::Diffusion { part, ramp },
            TweenKind::Scale | TweenKind::CallScript(_) => EffectEvent::Scale(ramp),
        });
        if is_immediate(time) {
            self.set_value(kind, end);
        } else {
            self.start_tween(kind, start, end, time);
        }
    }

    fn start_tween(&mut self, kind: TweenKind, from: f32, to: f32, seconds: f32) {
        let created = self.entity.body.clock.update_time;
        let effects = self.entity.effects_mut();
        let is_full = effects.tweens.len() >= MAX_TWEENS;
        let oldest = is_full.then(|| effects.tweens.remove(0));
        effects.tweens.push(Tween { kind, from, to, created, duration: seconds.into() });
        if let Some(oldest) = oldest {
            self.apply(&oldest, f64::INFINITY);
        }
    }

    /// Applies the value of a tween at a time of the physics clock.
    fn apply(&mut self, tween: &Tween, clock: f64) {
        match tween.kind {
            TweenKind::CallScript(script) => {
                if tween.is_complete(clock) {
                    self.call_script_now(script);
                }
            }
            kind => self.set_value(kind, tween.value(clock)),
        }
    }

    fn set_value(&mut self, kind: TweenKind, value: f32) {
        if kind == TweenKind::Scale {
            self.entity.body.set_scale(value);
        } else {
            self.entity.effects_mut().set(kind, value);
        }
    }

    fn set_texture_velocity(&mut self, part: Option<u32>, velocity: [f32; 2]) {
        if velocity.iter().all(|speed| speed.is_finite()) {
            self.entity.effects_mut().set_texture_velocity(part, velocity);
            self.emit_effect(EffectEvent::TextureVelocity { part, velocity });
        }
    }

    fn hook_omega(&mut self, omega: Vec3) {
        self.entity.body.set_omega(omega);
        self.emit_effect(EffectEvent::Omega(self.entity.body.omega));
    }

    fn create_emitter(&mut self, spec: &ParticleSpec, blocking: bool) {
        let created = self.entity.effects_mut().emitters.create(spec, blocking);
        self.emit_effect(match created {
            Some(emitter) => EffectEvent::EmitterCreated(emitter),
            None => EffectEvent::EmitterBlocked { id: spec.emitter },
        });
    }

    fn remove_emitter(&mut self, id: u32) {
        if let Some(effects) = self.entity.effects.as_deref_mut() {
            effects.emitters.remove(id);
        }
    }

    /// Calls a script: at once if the pause is shorter than EPS, else after a random time between zero and the pause.
    #[doc(alias = "CallPES")]
    fn call_script(&mut self, script: DataId, pause: f32) {
        if !pause.is_finite() {
            return;
        }
        if is_immediate(pause) {
            return self.call_script_now(script);
        }
        let pause = pause * self.draw();
        self.emit_effect(EffectEvent::ScriptCalled { script, pause });
        self.start_tween(TweenKind::CallScript(script), 0.0, 1.0, pause);
    }

    /// Plays a called script, if the body is in a cell.
    #[doc(alias = "CallPESInternal")]
    fn call_script_now(&mut self, script: DataId) {
        if self.entity.body.is_in_cell() {
            self.play_script(script);
        }
    }

    /// Draws a number between 0 and 1. The same body draws the same numbers in every run.
    fn draw(&mut self) -> f32 {
        let guid = u64::from(self.entity.guid.0);
        let effects = self.entity.effects_mut();
        effects.draws = effects.draws.wrapping_add(1);
        unit(guid << 32 | u64::from(effects.draws))
    }

    pub(crate) fn emit_effect(&mut self, effect: EffectEvent) {
        self.emit(MotionEvent::Effect(effect));
    }
}

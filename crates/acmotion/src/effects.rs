//! What hooks and scripts do to a body beyond its motion: how it looks, sounds and glows (rules B4.8, B5.6, C19, Q13, R4).
//!
//! Two effects change the simulation: `Scale` sets [`Body::scale`](crate::components::Body::scale) and `SetOmega` sets
//! [`Body::omega`](crate::components::Body::omega). Two are bits of the physics state: whether the body is drawn and
//! whether its lights are on. All others are kept in [`Effects`], for a client to draw. Every effect is also an
//! [`EffectEvent`].
//!
//! The engine does not read particle emitters (0x32), sounds (0x0A, 0x20) or script tables (0x34): it reports which of
//! them start and stop.
//!
//! ```
//! use acmotion::effects::{DefaultScript, EffectEvent, Effects, Emitter, RunningScript, Tween, TweenKind};
//!
//! /// Starts what an event asks for.
//! fn on_effect(effect: &EffectEvent) {
//!     match effect {
//!         EffectEvent::Sound(wave) => println!("play wave {wave}"),
//!         EffectEvent::EmitterCreated(Emitter { id, info, part, .. }) => println!("emitter {id}: {info} on part {part}"),
//!         _ => {}
//!     }
//! }
//!
//! /// Returns the opacity to draw a body with, for a client that joined late and has seen no events.
//! fn opacity(effects: Option<&Effects>) -> f32 {
//!     1.0 - effects.map_or(0.0, Effects::translucency)
//! }
//!
//! /// Lists what is under way on a body, for a debugger.
//! fn list(effects: &Effects) -> Vec<String> {
//!     let tween = |tween: &Tween| match tween.kind {
//!         TweenKind::CallScript(script) => format!("script {script} follows"),
//!         _ => format!("{:?} from {} to {}", tween.kind, tween.from, tween.to),
//!     };
//!     let script = |script: &RunningScript| format!("script {} since {:.1} s", script.id(), script.start());
//!     let default = effects.default_script().map(|default| match default {
//!         DefaultScript::Setup(script) => format!("its default is script {script}"),
//!         other => format!("its default is {other:?}"),
//!     });
//!     effects.tweens().map(tween).chain(effects.scripts().iter().map(script)).chain(default).collect()
//! }
//! # on_effect(&EffectEvent::Sound(acmotion::dat::DataId(0x0A00_0001)));
//! # assert_eq!(opacity(None), 1.0);
//! # assert!(list(&Effects::default()).is_empty());
//! ```

mod emitters;
mod event;
mod execute;
mod names;
mod script;
mod tween;

use acmotion_dat::DataId;

pub use emitters::{Emitter, MAX_EMITTERS};
pub use event::EffectEvent;
pub(crate) use execute::only_reports;
pub use names::{ScriptType, SoundKey};
pub use script::{MAX_SCRIPT_HOOKS, MAX_SCRIPTS, RunningScript};
pub use tween::{MAX_TWEENS, Tween, TweenKind};

#[cfg(feature = "serde")]
use crate::library::Library;
#[cfg(feature = "serde")]
use crate::restore::{Checked, require};
use emitters::EmitterList;
use script::ScriptQueue;

/// The maximum number of parts of one body whose looks are kept. Changes of further parts are ignored.
pub const MAX_PARTS: usize = 256;

/// The effects on one body. A body has none until the first effect that has to be kept.
#[derive(Clone, PartialEq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Effects {
    /// The tweens under way, oldest first.
    tweens: Vec<Tween>,
    scripts: ScriptQueue,
    emitters: EmitterList,
    default_script: Option<DefaultScript>,
    /// The looks of the whole body.
    body: Looks,
    /// The translucency given by the server: the body never becomes less translucent.
    original_translucency: f32,
    /// The looks of individual parts, in ascending order of part number.
    parts: Vec<PartLooks>,
    /// The number of random numbers drawn so far.
    draws: u32,
}

/// What a body plays as its default script.
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum DefaultScript {
    /// The script of its setup, 0x33.
    Setup(DataId),
    /// A type of its script table, from the server's description (rule D13).
    Type {
        /// The type.
        script: ScriptType,
        /// The intensity.
        intensity: f32,
    },
}

/// The looks of a body or a part. `None` means unchanged.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Looks {
    translucency: Option<f32>,
    luminosity: Option<f32>,
    diffusion: Option<f32>,
    texture_velocity: Option<[f32; 2]>,
    mesh: Option<DataId>,
}

#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct PartLooks {
    part: u32,
    looks: Looks,
}

impl Effects {
    /// The translucency of the body: 0 is opaque, 1 invisible. Parts can differ, see
    /// [`part_translucency`](Self::part_translucency).
    #[doc(alias = "m_translucency")]
    pub fn translucency(&self) -> f32 {
        self.body.translucency.unwrap_or(self.original_translucency)
    }

    /// The translucency of a part.
    pub fn part_translucency(&self, part: u32) -> f32 {
        self.part(part).and_then(|looks| looks.translucency).unwrap_or_else(|| self.translucency())
    }

    /// The luminosity of the body, `None` if it is that of its materials.
    pub fn luminosity(&self) -> Option<f32> {
        self.body.luminosity
    }

    /// The luminosity of a part, `None` if it is that of its materials.
    pub fn part_luminosity(&self, part: u32) -> Option<f32> {
        self.part(part).and_then(|looks| looks.luminosity).or(self.body.luminosity)
    }

    /// The diffuse factor of the body, `None` if it is that of its materials.
    pub fn diffusion(&self) -> Option<f32> {
        self.body.diffusion
    }

    /// The diffuse factor of a part, `None` if it is that of its materials.
    pub fn part_diffusion(&self, part: u32) -> Option<f32> {
        self.part(part).and_then(|looks| looks.diffusion).or(self.body.diffusion)
    }

    /// The speed at which the textures of a part scroll along u and v, in textures a second; `None` if they do not.
    pub fn texture_velocity(&self, part: u32) -> Option<[f32; 2]> {
        self.part(part).and_then(|looks| looks.texture_velocity).or(self.body.texture_velocity)
    }

    /// The mesh, 0x01, that replaced the setup's mesh of a part; `None` if the part still has the setup's mesh.
    pub fn mesh(&self, part: u32) -> Option<DataId> {
        self.part(part)?.mesh
    }

    /// Iterates over the parts whose mesh was replaced, with the new mesh.
    pub fn meshes(&self) -> impl Iterator<Item = (u32, DataId)> {
        self.parts.iter().filter_map(|entry| Some((entry.part, entry.looks.mesh?)))
    }

    /// The active particle emitters, oldest first. At most [`MAX_EMITTERS`] are kept.
    pub fn emitters(&self) -> &[Emitter] {
        self.emitters.list()
    }

    /// The scripts that run or wait, in the order in which they run.
    pub fn scripts(&self) -> &[RunningScript] {
        self.scripts.list()
    }

    /// Iterates over the tweens under way in the order in which they run: the newest first (rule R4).
    pub fn tweens(&self) -> impl DoubleEndedIterator<Item = &Tween> {
        self.tweens.iter().rev()
    }

    /// The default script, `None` if the body has none.
    pub fn default_script(&self) -> Option<DefaultScript> {
        self.default_script
    }

    /// Returns `true` if a step can change the scale of the body, through a tween or a script.
    #[cfg(feature = "parallel")]
    pub(crate) fn may_scale(&self) -> bool {
        !self.scripts.list().is_empty()
            || self
                .tweens
                .iter()
                .any(|tween| matches!(tween.kind, TweenKind::Scale | TweenKind::CallScript(_)))
    }

    /// Moves the stored times by a number of seconds.
    pub(crate) fn shift_times(&mut self, by: f64) {
        self.tweens.iter_mut().for_each(|tween| tween.created += by);
        self.scripts.shift_times(by);
    }

    /// The heap memory of the lists, in bytes.
    pub(crate) fn side_bytes(&self) -> usize {
        self.tweens.capacity() * size_of::<Tween>()
            + self.scripts.side_bytes()
            + self.emitters.side_bytes()
            + self.parts.capacity() * size_of::<PartLooks>()
    }

    /// Sets the setup's default script.
    pub(crate) fn set_setup_script(&mut self, script: DataId) {
        self.default_script = Some(DefaultScript::Setup(script));
    }

    /// Sets the default script of a description, which is a type of the script table (rule D13). An intensity that is not
    /// finite counts as 0.
    pub(crate) fn set_script_type(&mut self, script: ScriptType, intensity: f32) {
        let intensity = if intensity.is_finite() { intensity } else { 0.0 };
        self.default_script = Some(DefaultScript::Type { script, intensity });
    }

    /// The translucency given by the server, `None` if it is 0.
    pub(crate) fn original_translucency(&self) -> Option<f32> {
        Some(self.original_translucency).filter(|translucency| *translucency != 0.0)
    }

    /// Sets the translucency given by the server (rule D13). Non-finite values are ignored.
    pub(crate) fn set_original_translucency(&mut self, translucency: f32) {
        if translucency.is_finite() {
            self.original_translucency = translucency;
            self.set(TweenKind::Translucency(None), translucency);
        }
    }

    /// Sets the value that a tween changes. A value for the whole body also replaces the values of individual parts.
    fn set(&mut self, kind: TweenKind, value: f32) {
        match kind {
            TweenKind::Translucency(None) => {
                self.body.translucency = Some(value.max(self.original_translucency));
                self.parts.iter_mut().for_each(|entry| entry.looks.translucency = None);
            }
            TweenKind::Luminosity(None) => {
                self.body.luminosity = Some(value);
                self.parts.iter_mut().for_each(|entry| entry.looks.luminosity = None);
            }
            TweenKind::Diffusion(None) => {
                self.body.diffusion = Some(value);
                self.parts.iter_mut().for_each(|entry| entry.looks.diffusion = None);
            }
            TweenKind::Translucency(Some(part)) => {
                self.change_part(part, |looks| looks.translucency = Some(value));
            }
            TweenKind::Luminosity(Some(part)) => {
                self.change_part(part, |looks| looks.luminosity = Some(value));
            }
            TweenKind::Diffusion(Some(part)) => self.change_part(part, |looks| looks.diffusion = Some(value)),
            TweenKind::Scale | TweenKind::CallScript(_) => {}
        }
    }

    fn set_texture_velocity(&mut self, part: Option<u32>, velocity: [f32; 2]) {
        match part {
            Some(part) => self.change_part(part, |looks| looks.texture_velocity = Some(velocity)),
            None => {
                self.body.texture_velocity = Some(velocity);
                self.parts.iter_mut().for_each(|entry| entry.looks.texture_velocity = None);
            }
        }
    }

    fn part(&self, part: u32) -> Option<&Looks> {
        let index = self.parts.binary_search_by_key(&part, |entry| entry.part).ok()?;
        Some(&self.parts[index].looks)
    }

    fn change_part(&mut self, part: u32, change: impl FnOnce(&mut Looks)) {
        let index = match self.parts.binary_search_by_key(&part, |entry| entry.part) {
            Ok(index) => index,
            Err(_) if self.parts.len() >= MAX_PARTS => return,
            Err(index) => {
                self.parts.insert(index, PartLooks { part, looks: Looks::default() });
                index
            }
        };
        change(&mut self.parts[index].looks);
    }
}

#[cfg(feature = "serde")]
impl Effects {
    /// Finds the scripts of effects that were read from a snapshot, and checks them.
    pub(crate) fn resolve(&mut self, library: &Library) -> Checked {
        require(self.tweens.len() <= MAX_TWEENS, "too many tweens")?;
        require(self.emitters.list().len() <= MAX_EMITTERS, "too many emitters")?;
        require(self.parts.len() <= MAX_PARTS, "too many parts with looks of their own")?;
        require(self.parts.is_sorted_by(|a, b| a.part < b.part), "parts out of order")?;
        self.scripts.resolve(library)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use acmotion_dat::{Hook, HookDirection, HookEffect, ParticleSpec, PhysicsScript, ScriptHook};
    use acmotion_types::Frame;

    use super::*;

    fn tween(kind: TweenKind) -> Tween {
        Tween { kind, from: 0.0, to: 1.0, created: 0.0, duration: 1.0 }
    }

    /// Effects with a number of tweens, emitters and parts.
    fn filled(tweens: usize, emitters: usize, parts: usize) -> Effects {
        let mut effects = Effects { tweens: vec![tween(TweenKind::Scale); tweens], ..Effects::default() };
        for _ in 0..emitters {
            let (emitter_info, offset) = (DataId(0x3200_0001), Frame::IDENTITY);
            effects.emitters.create(&ParticleSpec { emitter_info, part: 0, offset, emitter: 0 }, false);
        }
        for part in 0..parts {
            effects.set(TweenKind::Luminosity(Some(part as u32)), 1.0);
        }
        effects
    }

    #[test]
    fn the_memory_of_effects_is_what_they_have_allocated() {
        for (tweens, emitters, parts) in [(0, 0, 0), (5, 0, 0), (0, 7, 0), (0, 0, 9), (5, 7, 9)] {
            let effects = filled(tweens, emitters, parts);
            let mut copy = Effects::default();
            let allocated = allocation_counter::measure(|| copy = effects.clone());
            assert_eq!(copy.side_bytes() as i64, allocated.bytes_current, "{tweens}, {emitters}, {parts}");
        }
    }

    /// A tween for the scale, or a script, which may begin one.
    #[cfg(feature = "parallel")]
    #[test]
    fn only_some_effects_can_change_the_scale() {
        let with = |kind| Effects { tweens: vec![tween(kind)], ..Effects::default() };
        assert!(!Effects::default().may_scale());
        assert!(!with(TweenKind::Luminosity(None)).may_scale());
        assert!(with(TweenKind::Scale).may_scale());
        assert!(with(TweenKind::CallScript(DataId(0x3300_0001))).may_scale());
    }

    /// As many of each as a body can have, and no more.
    #[cfg(feature = "serde")]
    #[test]
    fn a_snapshot_holds_no_more_effects_than_a_body_can_have() {
        let library = Library::new();
        let checked = |mut effects: Effects| effects.resolve(&library);
        assert_eq!(checked(filled(MAX_TWEENS, MAX_EMITTERS, MAX_PARTS)), Ok(()));
        assert_eq!(checked(filled(MAX_TWEENS + 1, 0, 0)), Err("too many tweens"));
        let mut full = filled(0, 0, MAX_PARTS);
        full.parts.push(PartLooks { part: MAX_PARTS as u32, looks: Looks::default() });
        assert_eq!(checked(full), Err("too many parts with looks of their own"));
        let mut twice = filled(0, 0, 2);
        twice.parts[0].part = 1;
        assert_eq!(checked(twice), Err("parts out of order"));
    }

    /// Setting the clock moves every time that is kept.
    #[test]
    fn the_times_of_effects_are_moved_together() {
        let script = PhysicsScript {
            id: DataId(0x3300_0001),
            hooks: vec![ScriptHook {
                start: 1.0,
                hook: Hook { direction: HookDirection::BOTH, effect: HookEffect::NoOp },
            }],
        };
        let mut effects = filled(2, 0, 0);
        assert_eq!(effects.scripts.add(Arc::new(script), 8.0), Some(8.0));
        effects.shift_times(-2.0);
        assert!(effects.tweens.iter().all(|tween| tween.created == -2.0), "{:?}", effects.tweens);
        assert_eq!(effects.scripts()[0].start(), 6.0);
    }

    /// Only what the server gave is described again.
    #[test]
    fn a_body_that_is_opaque_has_no_translucency_of_its_own() {
        let mut effects = Effects::default();
        assert_eq!(effects.original_translucency(), None);
        effects.set(TweenKind::Translucency(None), 0.5);
        assert_eq!(effects.original_translucency(), None);
        effects.set_original_translucency(0.25);
        assert_eq!((effects.original_translucency(), effects.translucency()), (Some(0.25), 0.25));
        effects.set_original_translucency(f32::NAN);
        assert_eq!((effects.original_translucency(), effects.translucency()), (Some(0.25), 0.25));
    }
}

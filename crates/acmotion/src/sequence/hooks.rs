//! Hooks that fired, for the caller to carry out (rules H12, H13).

use std::ops::Range;

use acmotion_dat::{Hook, HookDirection, HookEffect};

use crate::library::{ClipId, Library, Span};

/// A hook that fired. What it does is in the library: [`effect`](Self::effect).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[doc(alias = "CAnimHook")]
pub struct HookEvent {
    /// The body, as the caller numbered it.
    pub entity: u32,
    /// The clip that was played.
    pub clip: ClipId,
    /// The frame that was left.
    pub frame: u32,
    /// Which of the frame's hooks, or [`DONE`].
    index: u32,
}

/// In place of an index: not a hook of the frame but the end of a node.
const DONE: u32 = u32::MAX;

/// What an animation-done event is, written out as a hook.
static ANIMATION_DONE: Hook = Hook { direction: HookDirection::BOTH, effect: HookEffect::AnimationDone };

impl HookEvent {
    /// Does it tell that a node that does not loop was left (rule H13)? Not to be mistaken for an animation's own hook
    /// of that type, which is for the caller to treat the same way.
    pub fn is_node_end(&self) -> bool {
        self.index == DONE
    }

    /// The hook.
    pub fn hook<'l>(&self, library: &'l Library) -> &'l Hook {
        let hooks = library.clip(self.clip).animation().hooks(self.frame as usize);
        hooks.get(self.index as usize).unwrap_or(&ANIMATION_DONE)
    }

    /// What it does.
    pub fn effect<'l>(&self, library: &'l Library) -> &'l HookEffect {
        &self.hook(library).effect
    }

    /// Does it end a motion's animation (rule H13): a node's end, or a hook of that type?
    #[doc(alias = "AnimationDone")]
    pub fn is_animation_done(&self, library: &Library) -> bool {
        self.is_node_end() || matches!(self.effect(library), HookEffect::AnimationDone)
    }

    /// The part it is about, if it is about one.
    pub fn part(&self, library: &Library) -> Option<u32> {
        part_of(self.effect(library))
    }
}

/// The part of the body that an effect is about.
pub(crate) fn part_of(effect: &HookEffect) -> Option<u32> {
    match effect {
        HookEffect::Attack(cone) => Some(cone.part),
        HookEffect::ReplaceObject { part, .. } => Some(u32::from(*part)),
        HookEffect::TransparentPart { part, .. }
        | HookEffect::LuminousPart { part, .. }
        | HookEffect::DiffusePart { part, .. }
        | HookEffect::TextureVelocityPart { part, .. }
        | HookEffect::DefaultScriptPart(part) => Some(*part),
        HookEffect::CreateParticle(spec) | HookEffect::CreateBlockingParticle(spec) => Some(spec.part),
        _ => None,
    }
}

/// Where fired hooks are gathered, in the order in which they fired. It is the caller's: kept and cleared from tick to
/// tick it allocates no more once it has found its size.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct HookBuffer {
    entity: u32,
    events: Vec<HookEvent>,
}

impl HookBuffer {
    /// An empty buffer.
    pub fn new() -> Self {
        Self::default()
    }

    /// An empty buffer with room for so many hooks.
    pub fn with_capacity(hooks: usize) -> Self {
        Self { entity: 0, events: Vec::with_capacity(hooks) }
    }

    /// Says to which body the hooks that follow belong.
    #[inline]
    pub fn set_entity(&mut self, entity: u32) {
        self.entity = entity;
    }

    /// What has fired, in order.
    pub fn events(&self) -> &[HookEvent] {
        &self.events
    }

    /// Takes everything out; its room is kept.
    pub fn drain(&mut self) -> impl Iterator<Item = HookEvent> {
        self.events.drain(..)
    }

    /// Forgets everything; its room is kept.
    pub fn clear(&mut self) {
        self.events.clear();
    }

    /// The hooks of a frame that was left, those that fire in the direction of play.
    #[inline]
    pub(super) fn frame_left(&mut self, clip: ClipId, frame: u32, hooks: &[Hook], direction: HookDirection) {
        for (index, hook) in hooks.iter().enumerate() {
            if hook.direction == HookDirection::BOTH || hook.direction == direction {
                self.events.push(HookEvent { entity: self.entity, clip, frame, index: index as u32 });
            }
        }
    }

    /// Frames that were left forwards.
    #[inline(never)]
    pub(super) fn frames_left(&mut self, library: &Library, span: &Span, frames: Range<u32>) {
        let animation = library.clip(span.clip).animation();
        for frame in frames {
            self.frame_left(span.clip, frame, animation.hooks(frame as usize), HookDirection::FORWARD);
        }
    }

    /// A node that does not loop was left.
    pub(super) fn node_end(&mut self, clip: ClipId, frame: u32) {
        self.events.push(HookEvent { entity: self.entity, clip, frame, index: DONE });
    }
}

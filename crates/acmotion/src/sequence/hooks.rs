//! Hooks that have fired, for the caller to execute (rules H12, H13).

use std::ops::Range;

use acmotion_dat::{Hook, HookDirection, HookEffect};

use crate::library::{ClipId, Library, Span};

/// A hook that has fired. Its [`effect`](Self::effect) is in the library.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[doc(alias = "CAnimHook")]
pub struct HookEvent {
    /// The body, by the caller's number: see [`HookBuffer::set_entity`].
    pub entity: u32,
    /// The clip that was played.
    pub clip: ClipId,
    /// The frame that was left.
    pub frame: u32,
    /// The index of the hook in its frame, or [`NODE_END`].
    index: u32,
}

/// Instead of an index: the event is not a hook of the frame but the end of a node.
const NODE_END: u32 = u32::MAX;

/// The hook that stands for the end of a node.
static ANIMATION_DONE: Hook = Hook { direction: HookDirection::BOTH, effect: HookEffect::AnimationDone };

impl HookEvent {
    /// Returns `true` if the event reports the end of a node that does not loop (rule H13). An animation's own hook of that
    /// type, which the caller has to treat the same way, is not one.
    pub fn is_node_end(&self) -> bool {
        self.index == NODE_END
    }

    /// Returns the hook.
    pub fn hook<'l>(&self, library: &'l Library) -> &'l Hook {
        let hooks = library.clip(self.clip).animation().hooks(self.frame as usize);
        hooks.get(self.index as usize).unwrap_or(&ANIMATION_DONE)
    }

    /// Returns the effect of the hook.
    pub fn effect<'l>(&self, library: &'l Library) -> &'l HookEffect {
        &self.hook(library).effect
    }

    /// Returns `true` if the event counts as the end of an animation (rule H13): the end of a node, or a hook of that type.
    #[doc(alias = "AnimationDone")]
    pub fn is_animation_done(&self, library: &Library) -> bool {
        self.is_node_end() || matches!(self.effect(library), HookEffect::AnimationDone)
    }

    /// Returns the part of the body that the hook affects, or `None` if it affects no single part.
    pub fn part(&self, library: &Library) -> Option<u32> {
        part_of(self.effect(library))
    }
}

/// Returns the part of the body that an effect affects.
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

/// Collects fired hooks in the order in which they fired. The caller owns it; if it is kept and cleared from tick to tick,
/// it soon allocates no more.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct HookBuffer {
    entity: u32,
    events: Vec<HookEvent>,
}

impl HookBuffer {
    /// Creates an empty buffer.
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates an empty buffer with room for a number of hooks.
    pub fn with_capacity(hooks: usize) -> Self {
        Self { entity: 0, events: Vec::with_capacity(hooks) }
    }

    /// Sets the number of the body to which the following hooks belong.
    #[inline]
    pub fn set_entity(&mut self, entity: u32) {
        self.entity = entity;
    }

    /// Returns the fired hooks, in order.
    pub fn events(&self) -> &[HookEvent] {
        &self.events
    }

    /// Removes and returns the fired hooks. The capacity is kept.
    pub fn drain(&mut self) -> impl Iterator<Item = HookEvent> {
        self.events.drain(..)
    }

    /// Removes the fired hooks. The capacity is kept.
    pub fn clear(&mut self) {
        self.events.clear();
    }

    /// Adds the hooks of a frame that was left, if they fire in the direction of play.
    #[inline]
    pub(super) fn frame_left(&mut self, clip: ClipId, frame: u32, hooks: &[Hook], direction: HookDirection) {
        for (index, hook) in hooks.iter().enumerate() {
            if hook.direction == HookDirection::BOTH || hook.direction == direction {
                self.events.push(HookEvent { entity: self.entity, clip, frame, index: index as u32 });
            }
        }
    }

    /// Adds the hooks of frames that were left in forward play.
    #[inline(never)]
    pub(super) fn frames_left(&mut self, library: &Library, span: &Span, frames: Range<u32>) {
        let animation = library.clip(span.clip).animation();
        for frame in frames {
            self.frame_left(span.clip, frame, animation.hooks(frame as usize), HookDirection::FORWARD);
        }
    }

    /// Adds the end of a node that does not loop.
    pub(super) fn node_end(&mut self, clip: ClipId, frame: u32) {
        self.events.push(HookEvent { entity: self.entity, clip, frame, index: NODE_END });
    }
}

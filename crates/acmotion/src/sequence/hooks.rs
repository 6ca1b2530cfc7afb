//! Hooks that have fired, for the caller to execute (rules H12, H13).

use std::ops::Range;

use acmotion_dat::{Hook, HookDirection, HookEffect};

use crate::library::{ClipId, Library, Span};
use crate::limits::MAX_HOOKS;

/// A hook that has fired, with its effect. The body is that of the [`Event`](crate::Event) or
/// [`EntityEvent`](crate::EntityEvent) around it.
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[doc(alias = "CAnimHook")]
pub struct HookEvent {
    /// The clip that was played.
    pub clip: ClipId,
    /// The frame that was left.
    pub frame: u32,
    /// The index of the hook in its frame, or [`NODE_END`].
    index: u32,
    /// The hook: its effect, and the direction of play in which it fires. At the end of a node,
    /// [`HookEffect::AnimationDone`].
    #[cfg_attr(feature = "serde", serde(skip, default = "unresolved"))]
    pub hook: Hook,
}

/// Instead of an index: the event is not a hook of the frame but the end of a node.
const NODE_END: u32 = u32::MAX;

/// The hook of an event that was restored from a snapshot, until [`HookEvent::resolve`].
#[cfg(feature = "serde")]
fn unresolved() -> Hook {
    ANIMATION_DONE
}

/// The hook that stands for the end of a node.
const ANIMATION_DONE: Hook = Hook { direction: HookDirection::BOTH, effect: HookEffect::AnimationDone };

impl HookEvent {
    /// Returns `true` if the event reports the end of a node that does not loop (rule H13). An animation's own hook of that
    /// type, which the caller has to treat the same way, is not one.
    pub fn is_node_end(&self) -> bool {
        self.index == NODE_END
    }

    /// Finds the hook of an event that was restored from a snapshot. Returns `false` if there is none.
    #[cfg(feature = "serde")]
    pub(crate) fn resolve(&mut self, library: &Library) -> bool {
        if !library.has_clip(self.clip) {
            return false;
        }
        let hooks = library.clip(self.clip).animation().hooks(self.frame as usize);
        match hooks.get(self.index as usize) {
            Some(hook) => self.hook = *hook,
            None => return self.is_node_end(),
        }
        true
    }

    /// Returns the effect of the hook.
    pub fn effect(&self) -> &HookEffect {
        &self.hook.effect
    }

    /// Returns `true` if the event counts as the end of an animation (rule H13): the end of a node, or a hook of that type.
    #[doc(alias = "AnimationDone")]
    pub fn is_animation_done(&self) -> bool {
        matches!(self.hook.effect, HookEffect::AnimationDone)
    }

    /// Returns the part of the body that the hook affects, or `None` if it affects no single part.
    pub fn part(&self) -> Option<u32> {
        part_of(&self.hook.effect)
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

/// Returns `true` if a hook fires in a direction of play (rule H12).
#[inline]
pub(crate) fn fires(hook: &Hook, direction: HookDirection) -> bool {
    hook.direction == HookDirection::BOTH || hook.direction == direction
}

/// Collects fired hooks in the order in which they fired. The caller owns it; if it is kept and cleared from tick to tick,
/// it soon allocates no more.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct HookBuffer {
    events: Vec<HookEvent>,
}

impl HookBuffer {
    /// Creates an empty buffer.
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates an empty buffer with room for a number of hooks.
    pub fn with_capacity(hooks: usize) -> Self {
        Self { events: Vec::with_capacity(hooks) }
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

    /// Adds the hooks of a frame that was left, if they fire in the direction of play. Beyond [`MAX_HOOKS`] they do not fire.
    #[inline]
    pub(super) fn frame_left(&mut self, clip: ClipId, frame: u32, hooks: &[Hook], direction: HookDirection) {
        for (index, hook) in hooks.iter().enumerate().take(MAX_HOOKS) {
            if fires(hook, direction) && self.events.len() < MAX_HOOKS {
                self.events.push(HookEvent { clip, frame, index: index as u32, hook: *hook });
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
        self.events.push(HookEvent { clip, frame, index: NODE_END, hook: ANIMATION_DONE });
    }
}

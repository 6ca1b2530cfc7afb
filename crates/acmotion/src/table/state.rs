//! What a body is doing, as its motion table sees it (rule G10).

use acmotion_types::MotionCommand;

use crate::small_list::SmallList;

/// How many modifiers and actions lie in the state itself.
const INLINE_MODIFIERS: usize = 2;
const INLINE_ACTIONS: usize = 3;

/// A motion and how fast.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct MotionSpeed {
    /// The motion.
    pub motion: MotionCommand,
    /// How fast; negative is backwards.
    pub speed: f32,
}

/// Style, substate, modifiers and actions of a body.
#[derive(Clone, PartialEq, Debug)]
pub struct MotionState {
    pub(super) style: MotionCommand,
    pub(super) substate: MotionCommand,
    pub(super) substate_speed: f32,
    modifiers: SmallList<MotionSpeed, INLINE_MODIFIERS>,
    actions: SmallList<MotionSpeed, INLINE_ACTIONS>,
}

impl Default for MotionState {
    fn default() -> Self {
        Self::new()
    }
}

impl MotionState {
    /// Before any table has said what the default is: no style, no substate.
    pub fn new() -> Self {
        Self::standing(MotionCommand::NONE, MotionCommand::NONE, 1.0)
    }

    /// In a substate of a style, with no modifiers or actions.
    pub fn standing(style: MotionCommand, substate: MotionCommand, substate_speed: f32) -> Self {
        Self { style, substate, substate_speed, modifiers: SmallList::new(), actions: SmallList::new() }
    }

    /// The style (stance).
    pub fn style(&self) -> MotionCommand {
        self.style
    }

    /// The substate: what loops.
    pub fn substate(&self) -> MotionCommand {
        self.substate
    }

    /// How fast the substate is played.
    #[doc(alias = "substate_mod")]
    pub fn substate_speed(&self) -> f32 {
        self.substate_speed
    }

    /// What adds to the substate, newest first.
    pub fn modifiers(&self) -> impl ExactSizeIterator<Item = MotionSpeed> {
        self.modifiers.iter()
    }

    /// What is being played once or waits for it, oldest first.
    pub fn actions(&self) -> impl ExactSizeIterator<Item = MotionSpeed> {
        self.actions.iter()
    }

    /// Puts a modifier at the head, unless it is listed or is the substate.
    pub(super) fn add_modifier(&mut self, motion: MotionCommand, speed: f32) -> bool {
        let new = motion != self.substate && self.modifiers.iter().all(|listed| listed.motion != motion);
        if new {
            self.push_modifier(motion, speed);
        }
        new
    }

    /// Puts a modifier at the head whatever is there.
    #[doc(alias = "add_modifier_no_check")]
    pub(super) fn push_modifier(&mut self, motion: MotionCommand, speed: f32) {
        self.modifiers.push_front(MotionSpeed { motion, speed });
    }

    pub(super) fn pop_modifier(&mut self) -> Option<MotionSpeed> {
        self.modifiers.remove_first()
    }

    pub(super) fn first_modifier(&self) -> Option<MotionSpeed> {
        self.modifiers.first()
    }

    /// Where in the list a modifier is, and its speed.
    pub(super) fn find_modifier(&self, motion: MotionCommand) -> Option<(usize, f32)> {
        let index = self.modifiers.iter().position(|listed| listed.motion == motion)?;
        self.modifiers.get(index).map(|found| (index, found.speed))
    }

    pub(super) fn remove_modifier(&mut self, index: usize) {
        self.modifiers.remove(index);
    }

    pub(super) fn clear_modifiers(&mut self) {
        self.modifiers.clear();
    }

    pub(super) fn add_action(&mut self, motion: MotionCommand, speed: f32) {
        self.actions.push(MotionSpeed { motion, speed });
    }

    /// Takes the oldest action off the list.
    pub fn remove_action_head(&mut self) -> Option<MotionSpeed> {
        self.actions.remove_first()
    }

    pub(super) fn clear_actions(&mut self) {
        self.actions.clear();
    }

    /// How many bytes it takes, side storage included.
    pub fn size_in_memory(&self) -> usize {
        size_of::<Self>() + self.modifiers.side_bytes() + self.actions.side_bytes()
    }
}

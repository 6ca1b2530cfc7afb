//! The motion state of a body: style, substate, modifiers and actions (rule G10).

use acmotion_types::MotionCommand;

use crate::limits::{MAX_MODIFIERS, MAX_PENDING_MOTIONS};
#[cfg(feature = "serde")]
use crate::restore::{Checked, require};
use crate::small_list::SmallList;

/// The number of modifiers stored inline.
const INLINE_MODIFIERS: usize = 2;
/// The number of actions stored inline.
const INLINE_ACTIONS: usize = 3;

/// A motion and its speed.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct MotionSpeed {
    /// The motion.
    pub motion: MotionCommand,
    /// The speed; negative is backwards.
    pub speed: f32,
}

/// The style, substate, modifiers and actions of a body.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
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
    /// Creates a state without style and substate, before a table has set its default.
    pub fn new() -> Self {
        Self::standing(MotionCommand::NONE, MotionCommand::NONE, 1.0)
    }

    /// Creates a state in a substate of a style, without modifiers and actions.
    pub fn standing(style: MotionCommand, substate: MotionCommand, substate_speed: f32) -> Self {
        Self { style, substate, substate_speed, modifiers: SmallList::new(), actions: SmallList::new() }
    }

    /// Returns the style (stance).
    pub fn style(&self) -> MotionCommand {
        self.style
    }

    /// Returns the substate: the motion that loops.
    pub fn substate(&self) -> MotionCommand {
        self.substate
    }

    /// Returns the speed of the substate.
    #[doc(alias = "substate_mod")]
    pub fn substate_speed(&self) -> f32 {
        self.substate_speed
    }

    /// Iterates over the modifiers, newest first.
    pub fn modifiers(&self) -> impl ExactSizeIterator<Item = MotionSpeed> {
        self.modifiers.iter()
    }

    /// Iterates over the actions, oldest first.
    pub fn actions(&self) -> impl ExactSizeIterator<Item = MotionSpeed> {
        self.actions.iter()
    }

    /// Adds a modifier to the head, unless it is listed or is the substate. Returns `true` if it was added.
    pub(super) fn add_modifier(&mut self, motion: MotionCommand, speed: f32) -> bool {
        let is_new = motion != self.substate && self.modifiers.iter().all(|listed| listed.motion != motion);
        if is_new {
            self.push_modifier(motion, speed);
        }
        is_new
    }

    /// Adds a modifier to the head without checking for duplicates. If there are [`MAX_MODIFIERS`], the oldest is
    /// forgotten.
    #[doc(alias = "add_modifier_no_check")]
    pub(super) fn push_modifier(&mut self, motion: MotionCommand, speed: f32) {
        self.modifiers.truncate(MAX_MODIFIERS - 1);
        self.modifiers.push_front(MotionSpeed { motion, speed });
    }

    pub(super) fn pop_modifier(&mut self) -> Option<MotionSpeed> {
        self.modifiers.remove_first()
    }

    pub(super) fn first_modifier(&self) -> Option<MotionSpeed> {
        self.modifiers.first()
    }

    /// Returns the index of a modifier in the list, and its speed.
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
        self.actions.push_bounded(MotionSpeed { motion, speed }, MAX_PENDING_MOTIONS);
    }

    /// Removes and returns the oldest action.
    pub fn remove_action_head(&mut self) -> Option<MotionSpeed> {
        self.actions.remove_first()
    }

    pub(super) fn clear_actions(&mut self) {
        self.actions.clear();
    }

    /// Removes the actions and frees their memory.
    pub(super) fn reset_actions(&mut self) {
        self.actions.reset();
    }

    /// Returns the memory use in bytes, heap included.
    pub fn size_in_memory(&self) -> usize {
        size_of::<Self>() + self.modifiers.side_bytes() + self.actions.side_bytes()
    }
}

#[cfg(feature = "serde")]
impl MotionState {
    /// Checks a state that was read from a snapshot.
    pub(super) fn check(&self) -> Checked {
        require(self.modifiers.len() <= MAX_MODIFIERS, "too many modifiers")?;
        require(self.actions.len() <= MAX_PENDING_MOTIONS, "too many actions")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_04_modifiers_and_actions_are_bounded() {
        let mut state = MotionState::new();
        for number in 0..2 * MAX_PENDING_MOTIONS {
            state.push_modifier(MotionCommand(number as u32), 1.0);
            state.add_action(MotionCommand(number as u32), 1.0);
        }
        let newest = MotionCommand(2 * MAX_PENDING_MOTIONS as u32 - 1);
        assert_eq!((state.modifiers().len(), state.actions().len()), (MAX_MODIFIERS, MAX_PENDING_MOTIONS));
        assert_eq!(state.modifiers().next().map(|first| first.motion), Some(newest), "newest first");
        assert_eq!(state.actions().last().map(|last| last.motion), Some(newest), "newest last");
    }
}

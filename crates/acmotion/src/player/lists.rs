//! The held commands, newest first (rules K1, K3).

use acmotion_types::MotionCommand;

/// One of the three lists of held commands (rule K1).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[doc(alias = "WhichList")]
pub enum ListKind {
    /// Walking and running, forwards and backwards.
    Substate,
    /// Turning.
    Turn,
    /// Sidestepping.
    Sidestep,
}

impl ListKind {
    /// Returns the list of a command. Most commands have none.
    pub const fn of(command: MotionCommand) -> Option<Self> {
        match command {
            MotionCommand::TURN_RIGHT | MotionCommand::TURN_LEFT => Some(Self::Turn),
            MotionCommand::SIDE_STEP_RIGHT | MotionCommand::SIDE_STEP_LEFT => Some(Self::Sidestep),
            _ if command.is_substate() && command.is_toggle() => Some(Self::Substate),
            _ => None,
        }
    }
}

/// A command that is held.
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[doc(alias = "CommandListElement")]
pub struct HeldCommand {
    /// The command.
    pub command: MotionCommand,
    /// The speed; 1 for keys.
    pub speed: f32,
    /// Whether the mouse, not a key, holds it.
    pub by_mouse: bool,
}

/// The held commands of one kind, newest first. At most one is the mouse's (rule K1).
#[derive(Clone, PartialEq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CommandList {
    held: Vec<HeldCommand>,
}

impl CommandList {
    /// Iterates over the held commands, newest first.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = HeldCommand> {
        self.held.iter().copied()
    }

    /// Returns the newest held command.
    pub fn head(&self) -> Option<HeldCommand> {
        self.held.first().copied()
    }

    /// Returns `true` if no command is held.
    pub fn is_empty(&self) -> bool {
        self.held.is_empty()
    }

    /// Adds a command to the front. A key that is in the list already moves there, so that one release removes it; so does
    /// the mouse's entry.
    #[doc(alias = "AddCommand")]
    pub(super) fn add(&mut self, held: HeldCommand) {
        let is_same = |other: &HeldCommand| {
            other.by_mouse == held.by_mouse && (held.by_mouse || other.command == held.command)
        };
        self.held.retain(|other| !is_same(other));
        self.held.insert(0, held);
    }

    /// Removes a key's command. Returns `true` if it was the newest.
    #[doc(alias = "NukeCommand")]
    pub(super) fn remove(&mut self, command: MotionCommand) -> bool {
        self.remove_where(|held| !held.by_mouse && held.command == command)
    }

    /// Removes the mouse's command. Returns `true` if it was the newest.
    pub(super) fn remove_mouse(&mut self) -> bool {
        self.remove_where(|held| held.by_mouse)
    }

    pub(super) fn clear(&mut self) {
        self.held.clear();
    }

    fn remove_where(&mut self, is_wanted: impl Fn(&HeldCommand) -> bool) -> bool {
        let Some(index) = self.held.iter().position(is_wanted) else { return false };
        self.held.remove(index);
        index == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(command: MotionCommand) -> HeldCommand {
        HeldCommand { command, speed: 1.0, by_mouse: false }
    }

    #[test]
    fn only_walks_turns_and_sidesteps_have_lists() {
        for (command, list) in [
            (MotionCommand::WALK_FORWARD, Some(ListKind::Substate)),
            (MotionCommand::WALK_BACKWARDS, Some(ListKind::Substate)),
            (MotionCommand::RUN_FORWARD, Some(ListKind::Substate)),
            (MotionCommand::TURN_LEFT, Some(ListKind::Turn)),
            (MotionCommand::SIDE_STEP_RIGHT, Some(ListKind::Sidestep)),
            (MotionCommand::CROUCH, None),
            (MotionCommand::READY, None),
            (MotionCommand::WAVE, None),
            (MotionCommand::NON_COMBAT, None),
        ] {
            assert_eq!(ListKind::of(command), list, "{command}");
        }
    }

    #[test]
    fn a_repeating_key_is_held_once() {
        let mut list = CommandList::default();
        for command in [MotionCommand::WALK_FORWARD, MotionCommand::WALK_BACKWARDS] {
            list.add(key(command));
            list.add(key(command));
        }
        assert_eq!(list.iter().len(), 2);
        assert!(!list.remove(MotionCommand::WALK_FORWARD), "it is not the newest");
        assert!(list.remove(MotionCommand::WALK_BACKWARDS) && list.is_empty());
        assert!(!list.remove(MotionCommand::WALK_BACKWARDS));
    }

    #[test]
    fn the_mouse_holds_one_command_at_a_time() {
        let mut list = CommandList::default();
        list.add(key(MotionCommand::TURN_LEFT));
        for command in [MotionCommand::TURN_LEFT, MotionCommand::TURN_RIGHT] {
            list.add(HeldCommand { by_mouse: true, ..key(command) });
        }
        assert_eq!(list.iter().len(), 2);
        assert!(list.remove_mouse());
        assert_eq!(list.head(), Some(key(MotionCommand::TURN_LEFT)));
    }
}

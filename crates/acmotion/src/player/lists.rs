//! The keys that are held, newest first (rules K1, K3).

use acmotion_types::MotionCommand;

/// Which of the three lists a command is kept in (rule K1).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[doc(alias = "WhichList")]
pub enum ListKind {
    /// Walking forward and back.
    Substate,
    /// Turning.
    Turn,
    /// Stepping aside.
    Sidestep,
}

impl ListKind {
    /// The list of a command; most commands have none.
    pub const fn of(command: MotionCommand) -> Option<Self> {
        match command {
            MotionCommand::TURN_RIGHT | MotionCommand::TURN_LEFT => Some(Self::Turn),
            MotionCommand::SIDE_STEP_RIGHT | MotionCommand::SIDE_STEP_LEFT => Some(Self::Sidestep),
            _ if command.is_substate() && command.is_toggle() => Some(Self::Substate),
            _ => None,
        }
    }
}

/// One thing that is held.
#[derive(Clone, Copy, PartialEq, Debug)]
#[doc(alias = "CommandListElement")]
pub struct Held {
    /// The command.
    pub command: MotionCommand,
    /// How fast it is to be done.
    pub speed: f32,
    /// Is it the mouse that asks for it?
    pub by_mouse: bool,
}

/// What is held of one kind, newest first; at most one entry is the mouse's (rule K1).
#[derive(Clone, PartialEq, Debug, Default)]
pub struct CommandList {
    held: Vec<Held>,
}

impl CommandList {
    /// What is held, newest first.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Held> {
        self.held.iter().copied()
    }

    /// The newest.
    pub fn head(&self) -> Option<Held> {
        self.held.first().copied()
    }

    /// Is nothing held?
    pub fn is_empty(&self) -> bool {
        self.held.is_empty()
    }

    /// Puts one in front. A key that is there already moves there, so that one release takes it out; so does the mouse's
    /// entry.
    pub fn add(&mut self, held: Held) {
        let is_same = |other: &Held| {
            other.by_mouse == held.by_mouse && (held.by_mouse || other.command == held.command)
        };
        self.held.retain(|other| !is_same(other));
        self.held.insert(0, held);
    }

    /// Takes a key out; says whether it was the newest.
    pub fn remove(&mut self, command: MotionCommand) -> bool {
        self.take_out(|held| !held.by_mouse && held.command == command)
    }

    /// Takes the mouse's entry out; says whether it was the newest.
    pub fn remove_mouse(&mut self) -> bool {
        self.take_out(|held| held.by_mouse)
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.held.clear();
    }

    fn take_out(&mut self, is_it: impl Fn(&Held) -> bool) -> bool {
        let Some(place) = self.held.iter().position(is_it) else { return false };
        self.held.remove(place);
        place == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(command: MotionCommand) -> Held {
        Held { command, speed: 1.0, by_mouse: false }
    }

    #[test]
    fn every_command_has_its_list() {
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
    fn a_key_that_repeats_is_held_once() {
        let mut list = CommandList::default();
        for command in [MotionCommand::WALK_FORWARD, MotionCommand::WALK_BACKWARDS] {
            list.add(key(command));
            list.add(key(command));
        }
        assert_eq!(list.iter().len(), 2);
        assert!(!list.remove(MotionCommand::WALK_FORWARD), "not the newest");
        assert!(list.remove(MotionCommand::WALK_BACKWARDS) && list.is_empty());
        assert!(!list.remove(MotionCommand::WALK_BACKWARDS));
    }

    #[test]
    fn the_mouse_has_one_entry() {
        let mut list = CommandList::default();
        list.add(key(MotionCommand::TURN_LEFT));
        for command in [MotionCommand::TURN_LEFT, MotionCommand::TURN_RIGHT] {
            list.add(Held { by_mouse: true, ..key(command) });
        }
        assert_eq!(list.iter().len(), 2);
        assert!(list.remove_mouse());
        assert_eq!(list.head(), Some(key(MotionCommand::TURN_LEFT)));
    }
}

//! What a key does: the bookkeeping of the command interpreter, before anything moves (rules K1–K3, R8).

use acmotion_types::MotionCommand;

use super::lists::{CommandList, Held, ListKind};

/// What a key event comes to.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum KeyEffect {
    /// Nobody is at the keys, or the command is the user interface's.
    Ignored,
    /// A motion is to be begun.
    Start(Held),
    /// A motion is to be ended.
    Stop(MotionCommand),
    /// There is nothing to apply, but the server is told all the same.
    Nothing,
    /// The server moves the player: the key was only taken out of its list (rule Q9).
    RemovedOnly,
    /// The run key is held, or let go.
    HoldRun,
    /// The key that makes sidesteps of turns is held, or let go.
    HoldSidestep,
    /// Running by itself was switched on or off.
    AutoRun,
}

/// What is to be done about a key event, in the order of the fields.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct KeyResponse {
    /// Control is taken back from the server first (rule K8).
    pub takes_control: bool,
    /// Running by itself ends, and what is held instead goes on (rule K3).
    #[doc(alias = "HandleNewForwardMovement")]
    pub ends_auto_run: bool,
    /// What then.
    pub effect: KeyEffect,
}

impl KeyResponse {
    /// Is the server told (rule K2)? `None` if only while the player is not standing still.
    pub fn is_sent(&self) -> Option<bool> {
        match self.effect {
            KeyEffect::Ignored | KeyEffect::RemovedOnly => Some(false),
            KeyEffect::HoldRun | KeyEffect::HoldSidestep => None,
            KeyEffect::Start(held) => Some(held.command != MotionCommand::JUMP),
            KeyEffect::Stop(command) => Some(command != MotionCommand::JUMP),
            KeyEffect::Nothing | KeyEffect::AutoRun => Some(true),
        }
    }
}

/// The keys that are held, and what they mean together (rule K1).
#[derive(Clone, PartialEq, Debug)]
#[doc(alias = "CommandInterpreter")]
pub struct Keyboard {
    /// Does the server move the player?
    pub controlled_by_server: bool,
    /// Is the run key held?
    pub hold_run: bool,
    /// Does the player run without the run key, and walk with it (rule K5)?
    pub run_by_default: bool,
    /// Are turns sidesteps?
    pub hold_sidestep: bool,
    /// Does the mouse turn the player? Turn keys are sidesteps then (rule K4).
    pub mouse_look: bool,
    /// Did the player take up something that no list keeps, such as crouching?
    #[doc(alias = "transient_state")]
    pub is_transient: bool,
    /// Does the player run by himself?
    pub auto_run: bool,
    /// How fast he does.
    #[doc(alias = "autorun_speed")]
    pub auto_run_speed: f32,
    substates: CommandList,
    turns: CommandList,
    sidesteps: CommandList,
}

impl Default for Keyboard {
    /// As the original begins: the server moves the player.
    fn default() -> Self {
        Self {
            controlled_by_server: true,
            hold_run: false,
            run_by_default: false,
            hold_sidestep: false,
            mouse_look: false,
            is_transient: false,
            auto_run: false,
            auto_run_speed: 1.0,
            substates: CommandList::default(),
            turns: CommandList::default(),
            sidesteps: CommandList::default(),
        }
    }
}

impl Keyboard {
    /// One of the lists.
    pub fn list(&self, kind: ListKind) -> &CommandList {
        match kind {
            ListKind::Substate => &self.substates,
            ListKind::Turn => &self.turns,
            ListKind::Sidestep => &self.sidesteps,
        }
    }

    /// The same, to be changed.
    pub fn list_mut(&mut self, kind: ListKind) -> &mut CommandList {
        match kind {
            ListKind::Substate => &mut self.substates,
            ListKind::Turn => &mut self.turns,
            ListKind::Sidestep => &mut self.sidesteps,
        }
    }

    /// Is anything held, or does the player run by himself (rule Q9)?
    pub fn is_held(&self) -> bool {
        self.auto_run || !(self.substates.is_empty() && self.turns.is_empty() && self.sidesteps.is_empty())
    }

    /// Does the player run (rule K5)?
    pub fn runs(&self) -> bool {
        self.hold_run != self.run_by_default
    }

    /// Are turn keys sidesteps now (rules K2, K4)?
    pub fn swaps_turns(&self) -> bool {
        self.hold_sidestep || self.mouse_look
    }

    /// Lets everything go (rule K4).
    #[doc(alias = "ClearAllCommands")]
    pub fn clear(&mut self) {
        self.substates.clear();
        self.turns.clear();
        self.sidesteps.clear();
        self.auto_run = false;
    }

    /// A key goes down or up (rule K2). `may_take_control` is whether the player can take control back from the server.
    pub fn command(&mut self, command: MotionCommand, down: bool, may_take_control: bool) -> KeyResponse {
        if command == MotionCommand::AUTO_RUN {
            return self.toggle_auto_run(down, may_take_control);
        }
        if command.is_ui() {
            return respond(false, KeyEffect::Ignored);
        }
        if self.controlled_by_server && !down {
            if let Some(kind) = ListKind::of(command) {
                self.list_mut(kind).remove(command);
            }
            return respond(false, KeyEffect::RemovedOnly);
        }
        let takes_control = may_take_control && self.takes_control_on(command, down);
        self.controlled_by_server &= !takes_control;
        match command {
            MotionCommand::HOLD_RUN => {
                self.hold_run = down;
                respond(takes_control, KeyEffect::HoldRun)
            }
            MotionCommand::HOLD_SIDESTEP => {
                self.hold_sidestep = down;
                respond(takes_control, KeyEffect::HoldSidestep)
            }
            _ if down => self.press(command, takes_control),
            _ => respond(takes_control, self.release(command)),
        }
    }

    /// Does that key event take control back from the server, if it may (rules K2, R8)?
    pub fn takes_control_on(&self, command: MotionCommand, down: bool) -> bool {
        let switches_on = command == MotionCommand::AUTO_RUN && !self.auto_run;
        self.controlled_by_server && down && (switches_on || !command.is_ui())
    }

    /// A motion in place of another if turns are sidesteps now (rules K2, K4).
    pub fn substituted(&self, command: MotionCommand) -> MotionCommand {
        match command {
            MotionCommand::TURN_RIGHT if self.swaps_turns() => MotionCommand::SIDE_STEP_RIGHT,
            MotionCommand::TURN_LEFT if self.swaps_turns() => MotionCommand::SIDE_STEP_LEFT,
            _ => command,
        }
    }

    /// Only the key's going down counts; switching on takes control (rule R8).
    fn toggle_auto_run(&mut self, down: bool, may_take_control: bool) -> KeyResponse {
        if !down {
            return respond(false, KeyEffect::Ignored);
        }
        let takes_control = may_take_control && self.takes_control_on(MotionCommand::AUTO_RUN, down);
        self.controlled_by_server &= !takes_control;
        self.auto_run = !self.auto_run;
        respond(takes_control, KeyEffect::AutoRun)
    }

    /// A new command goes to the front of its list (rules K3, R8).
    fn press(&mut self, command: MotionCommand, takes_control: bool) -> KeyResponse {
        let kind = ListKind::of(command);
        let is_forward = kind == Some(ListKind::Substate) || (kind.is_none() && command.is_substate());
        let ends_auto_run = is_forward && std::mem::take(&mut self.auto_run);
        match kind {
            Some(kind) => {
                self.list_mut(kind).add(Held { command, speed: 1.0, by_mouse: false });
                self.is_transient = false;
            }
            None if command.is_substate() => self.is_transient = command != MotionCommand::READY,
            None => {}
        }
        let held = Held { command: self.substituted(command), speed: 1.0, by_mouse: false };
        KeyResponse { takes_control, ends_auto_run, effect: KeyEffect::Start(held) }
    }

    /// The newest that is let go gives way to the one before it, as if that were pressed now (rules K3, Q9).
    fn release(&mut self, command: MotionCommand) -> KeyEffect {
        let Some(kind) = ListKind::of(command) else { return KeyEffect::Nothing };
        let was_head = self.list_mut(kind).remove(command);
        if !was_head || self.is_transient || (self.auto_run && kind == ListKind::Substate) {
            return KeyEffect::Nothing;
        }
        match self.list(kind).head() {
            Some(head) if head.by_mouse => KeyEffect::Start(head),
            Some(head) => KeyEffect::Start(Held { command: self.substituted(head.command), ..head }),
            None => KeyEffect::Stop(self.substituted(command)),
        }
    }
}

fn respond(takes_control: bool, outcome: KeyEffect) -> KeyResponse {
    KeyResponse { takes_control, ends_auto_run: false, effect: outcome }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn start(command: MotionCommand) -> KeyEffect {
        KeyEffect::Start(Held { command, speed: 1.0, by_mouse: false })
    }

    fn free() -> Keyboard {
        Keyboard { controlled_by_server: false, ..Keyboard::default() }
    }

    /// `docs/figures.md` 12.
    #[test]
    fn the_newest_key_counts() {
        let (w, x) = (MotionCommand::WALK_FORWARD, MotionCommand::WALK_BACKWARDS);
        let mut keys = free();
        for (command, down, outcome) in [
            (w, true, start(w)),
            (x, true, start(x)),
            (x, false, start(w)),
            (w, false, KeyEffect::Stop(w)),
            (w, false, KeyEffect::Nothing),
        ] {
            assert_eq!(keys.command(command, down, true).effect, outcome);
        }
        assert!(!keys.is_held());
    }

    /// R8: taking anything up ends crouching, and a turn can then be ended.
    #[test]
    fn any_list_ends_what_no_list_keeps() {
        let mut keys = free();
        keys.command(MotionCommand::CROUCH, true, true);
        assert!(keys.is_transient);
        keys.command(MotionCommand::TURN_LEFT, true, true);
        assert!(!keys.is_transient);
        let outcome = keys.command(MotionCommand::TURN_LEFT, false, true).effect;
        assert_eq!(outcome, KeyEffect::Stop(MotionCommand::TURN_LEFT));
        keys.command(MotionCommand::READY, true, true);
        assert!(!keys.is_transient);
    }

    #[test]
    fn running_by_itself_ends_with_a_new_way_forward() {
        let mut keys = Keyboard::default();
        let response = keys.command(MotionCommand::AUTO_RUN, true, true);
        assert!(response.takes_control && keys.auto_run && keys.is_held());
        assert_eq!(response.is_sent(), Some(true));
        assert!(!keys.command(MotionCommand::TURN_LEFT, true, true).ends_auto_run);
        assert!(keys.command(MotionCommand::WALK_BACKWARDS, true, true).ends_auto_run);
        assert!(!keys.auto_run);
    }

    #[test]
    fn a_dead_player_takes_no_control() {
        let mut keys = Keyboard::default();
        let response = keys.command(MotionCommand::WALK_FORWARD, true, false);
        assert!(!response.takes_control && keys.controlled_by_server);
    }

    #[test]
    fn the_users_interface_is_not_ours() {
        let response = free().command(MotionCommand(0x0C00_00C1), true, true);
        assert_eq!((response.effect, response.is_sent()), (KeyEffect::Ignored, Some(false)));
    }
}

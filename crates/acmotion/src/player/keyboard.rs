//! The command interpreter's bookkeeping of key events, before anything moves (rules K1–K3, R8).

use acmotion_types::MotionCommand;

use super::lists::{CommandList, HeldCommand, ListKind};

/// The effect of a key event on the player (rules K2, K3).
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum KeyEffect {
    /// No player is active, or the command belongs to the user interface.
    Ignored,
    /// A motion starts.
    Start(HeldCommand),
    /// A motion stops.
    Stop(MotionCommand),
    /// No motion starts or stops, but a `MoveToState` is sent all the same.
    Nothing,
    /// The server controls the player: the key was only removed from its list (rule Q9).
    RemovedOnly,
    /// The run key was pressed or released.
    HoldRun,
    /// The key that makes turn keys sidestep was pressed or released.
    HoldSidestep,
    /// Autorun was switched on or off.
    AutoRun,
    /// The jump key was pressed or released (rules C21, C23).
    Jump,
}

impl KeyEffect {
    /// Returns `true` if a `MoveToState` follows the key event (rule K2). The jump key sends its own messages.
    pub(super) fn is_sent(self, is_standing_still: bool) -> bool {
        match self {
            Self::Ignored | Self::RemovedOnly | Self::Jump => false,
            Self::HoldRun | Self::HoldSidestep => !is_standing_still,
            Self::Start(_) | Self::Stop(_) | Self::Nothing | Self::AutoRun => true,
        }
    }
}

/// The bookkeeping of a key event: what [`Controls::handle_key`](super::Controls::handle_key) has to do, in the order
/// of the fields.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Bookkeeping {
    /// Whether autorun ends, so that the held commands apply again (rule K3).
    pub(super) ends_auto_run: bool,
    pub(super) effect: KeyEffect,
}

impl From<KeyEffect> for Bookkeeping {
    fn from(effect: KeyEffect) -> Self {
        Self { ends_auto_run: false, effect }
    }
}

/// The held commands and switches of the local player (rule K1).
///
/// ```
/// use acmotion::components::{CommandList, HeldCommand, Keyboard, ListKind};
/// use acmotion::dat::Assets;
/// use acmotion::types::{CellId, CellPosition, Guid, MotionCommand, Vec3};
/// use acmotion::{Identity, Settings, World};
///
/// /// Returns the commands that a display of the keys highlights: those of keys, not of the mouse.
/// fn highlighted(keyboard: &Keyboard) -> Vec<MotionCommand> {
///     let mut commands = Vec::new();
///     for kind in [ListKind::Substate, ListKind::Turn, ListKind::Sidestep] {
///         let list: &CommandList = keyboard.list(kind);
///         let by_key = |held: HeldCommand| (!held.by_mouse).then_some(held.command);
///         commands.extend(list.iter().filter_map(by_key));
///     }
///     commands
/// }
///
/// # fn main() -> Result<(), acmotion::RequestError> {
/// let guid = Guid(0x5000_0001);
/// let settings = Settings { player: Identity::Known(guid), ..Settings::default() };
/// let mut world = World::with_settings(Assets::mannequin(), settings);
/// world.add_stand_in(guid, &CellPosition::at(CellId(0xA9B4_0001), Vec3::new(12.0, 12.0, 94.0)), 0.0);
/// let mut player = world.player_mut();
/// player.press(MotionCommand::WALK_FORWARD, 1.0)?;
/// player.press(MotionCommand::TURN_LEFT, 1.1)?;
/// assert_eq!(highlighted(player.keyboard()), [MotionCommand::WALK_FORWARD, MotionCommand::TURN_LEFT]);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[doc(alias = "CommandInterpreter")]
pub struct Keyboard {
    /// Whether the server controls the player.
    pub controlled_by_server: bool,
    /// Whether the run key is held.
    pub hold_run: bool,
    /// Whether the player runs without the run key and walks with it (rule K5).
    pub run_by_default: bool,
    /// Whether the key that makes turn keys sidestep is held.
    pub hold_sidestep: bool,
    /// Whether the mouse turns the player. Turn keys then sidestep (rule K4).
    pub mouse_look: bool,
    /// Whether the last substate command was one that no list keeps, such as crouching (rule K3).
    #[doc(alias = "transient_state")]
    pub is_transient: bool,
    /// Whether autorun is on.
    pub auto_run: bool,
    /// The speed of autorun; 1 is the speed of a key.
    #[doc(alias = "autorun_speed")]
    pub auto_run_speed: f32,
    substates: CommandList,
    turns: CommandList,
    sidesteps: CommandList,
}

impl Default for Keyboard {
    /// The original's initial state: the server controls the player.
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
    /// Returns one of the lists of held commands.
    pub fn list(&self, kind: ListKind) -> &CommandList {
        match kind {
            ListKind::Substate => &self.substates,
            ListKind::Turn => &self.turns,
            ListKind::Sidestep => &self.sidesteps,
        }
    }

    pub(super) fn list_mut(&mut self, kind: ListKind) -> &mut CommandList {
        match kind {
            ListKind::Substate => &mut self.substates,
            ListKind::Turn => &mut self.turns,
            ListKind::Sidestep => &mut self.sidesteps,
        }
    }

    /// Returns `true` if any command is held or autorun is on (rule Q9).
    pub fn is_any_held(&self) -> bool {
        self.auto_run || !(self.substates.is_empty() && self.turns.is_empty() && self.sidesteps.is_empty())
    }

    /// Returns `true` if the player moves under the run hold key (rule K5).
    pub fn is_running(&self) -> bool {
        self.hold_run != self.run_by_default
    }

    /// Returns `true` if turn keys sidestep now (rules K2, K4).
    pub fn swaps_turns(&self) -> bool {
        self.hold_sidestep || self.mouse_look
    }

    /// Empties the lists and ends autorun (rule K4).
    #[doc(alias = "ClearAllCommands")]
    pub(super) fn clear(&mut self) {
        self.substates.clear();
        self.turns.clear();
        self.sidesteps.clear();
        self.auto_run = false;
    }

    /// Releases all keys. Autorun, which no key holds, goes on.
    pub(super) fn release_all(&mut self) {
        let auto_run = self.auto_run;
        self.clear();
        self.auto_run = auto_run;
        self.hold_run = false;
        self.hold_sidestep = false;
    }

    /// Records a key event (rules K2, K3). An event that [takes control](Self::takes_control_on) from the server must
    /// have done so before: where that fails (rule K8), the server still controls the player here.
    #[doc(alias = "BookkeepCommandAndModifyIfNecessary")]
    pub(super) fn command(&mut self, command: MotionCommand, is_down: bool) -> Bookkeeping {
        match command {
            MotionCommand::AUTO_RUN if is_down => {
                self.auto_run = !self.auto_run;
                KeyEffect::AutoRun.into()
            }
            _ if command.is_ui() => KeyEffect::Ignored.into(),
            _ if self.controlled_by_server && !is_down => {
                if let Some(kind) = ListKind::of(command) {
                    self.list_mut(kind).remove(command);
                }
                KeyEffect::RemovedOnly.into()
            }
            MotionCommand::HOLD_RUN => {
                self.hold_run = is_down;
                KeyEffect::HoldRun.into()
            }
            MotionCommand::HOLD_SIDESTEP => {
                self.hold_sidestep = is_down;
                KeyEffect::HoldSidestep.into()
            }
            _ if is_down => self.press(command),
            _ => self.release(command).into(),
        }
    }

    /// Returns `true` if a key event takes control from the server where rule K8 allows it (rules K2, R8).
    pub(super) fn takes_control_on(&self, command: MotionCommand, is_down: bool) -> bool {
        let switches_on = command == MotionCommand::AUTO_RUN && !self.auto_run;
        self.controlled_by_server && is_down && (switches_on || !command.is_ui())
    }

    /// Returns the sidestep for a turn command if turn keys sidestep now, else the command itself (rules K2, K4).
    pub fn substituted(&self, command: MotionCommand) -> MotionCommand {
        match command {
            MotionCommand::TURN_RIGHT if self.swaps_turns() => MotionCommand::SIDE_STEP_RIGHT,
            MotionCommand::TURN_LEFT if self.swaps_turns() => MotionCommand::SIDE_STEP_LEFT,
            _ => command,
        }
    }

    /// Adds a pressed command to the front of its list (rules K3, R8).
    fn press(&mut self, command: MotionCommand) -> Bookkeeping {
        let kind = ListKind::of(command);
        let is_forward = kind == Some(ListKind::Substate) || (kind.is_none() && command.is_substate());
        let ends_auto_run = is_forward && std::mem::take(&mut self.auto_run);
        match kind {
            Some(kind) => {
                self.list_mut(kind).add(HeldCommand { command, speed: 1.0, by_mouse: false });
                self.is_transient = false;
            }
            None if command.is_substate() => self.is_transient = command != MotionCommand::READY,
            None => {}
        }
        let held = HeldCommand { command: self.substituted(command), speed: 1.0, by_mouse: false };
        Bookkeeping { ends_auto_run, effect: KeyEffect::Start(held) }
    }

    /// Removes a released command. If it was the newest, the one before it starts as if it were pressed now (rules K3, Q9).
    fn release(&mut self, command: MotionCommand) -> KeyEffect {
        let Some(kind) = ListKind::of(command) else { return KeyEffect::Nothing };
        let was_head = self.list_mut(kind).remove(command);
        if !was_head || self.is_transient || (self.auto_run && kind == ListKind::Substate) {
            return KeyEffect::Nothing;
        }
        match self.list(kind).head() {
            Some(head) if head.by_mouse => KeyEffect::Start(head),
            Some(head) => KeyEffect::Start(HeldCommand { command: self.substituted(head.command), ..head }),
            None => KeyEffect::Stop(self.substituted(command)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn start(command: MotionCommand) -> KeyEffect {
        KeyEffect::Start(HeldCommand { command, speed: 1.0, by_mouse: false })
    }

    fn free() -> Keyboard {
        Keyboard { controlled_by_server: false, ..Keyboard::default() }
    }

    /// Rule K3.
    #[test]
    fn releasing_the_newest_key_restarts_the_older_one() {
        let (w, x) = (MotionCommand::WALK_FORWARD, MotionCommand::WALK_BACKWARDS);
        let mut keys = free();
        for (command, is_down, effect) in [
            (w, true, start(w)),
            (x, true, start(x)),
            (x, false, start(w)),
            (w, false, KeyEffect::Stop(w)),
            (w, false, KeyEffect::Nothing),
        ] {
            assert_eq!(keys.command(command, is_down).effect, effect);
        }
        assert!(!keys.is_any_held());
    }

    /// R8: pressing a turn ends crouching, so that the turn can be stopped.
    #[test]
    fn adding_to_any_list_clears_the_transient_state() {
        let mut keys = free();
        keys.command(MotionCommand::CROUCH, true);
        assert!(keys.is_transient);
        keys.command(MotionCommand::TURN_LEFT, true);
        assert!(!keys.is_transient);
        let effect = keys.command(MotionCommand::TURN_LEFT, false).effect;
        assert_eq!(effect, KeyEffect::Stop(MotionCommand::TURN_LEFT));
        keys.command(MotionCommand::READY, true);
        assert!(!keys.is_transient);
    }

    #[test]
    fn a_new_forward_command_ends_autorun() {
        let mut keys = free();
        assert!(keys.command(MotionCommand::AUTO_RUN, true).effect.is_sent(true));
        assert!(keys.auto_run && keys.is_any_held());
        assert_eq!(keys.command(MotionCommand::AUTO_RUN, false).effect, KeyEffect::Ignored);
        assert!(!keys.command(MotionCommand::TURN_LEFT, true).ends_auto_run);
        assert!(keys.command(MotionCommand::WALK_BACKWARDS, true).ends_auto_run);
        assert!(!keys.auto_run);
    }

    /// K2, R8.
    #[test]
    fn presses_take_control_and_releases_do_not() {
        let mut keys = Keyboard::default();
        let (w, auto_run) = (MotionCommand::WALK_FORWARD, MotionCommand::AUTO_RUN);
        assert!(keys.takes_control_on(w, true) && !keys.takes_control_on(w, false));
        assert!(keys.takes_control_on(auto_run, true) && !keys.takes_control_on(auto_run, false));
        keys.auto_run = true;
        assert!(!keys.takes_control_on(auto_run, true), "switching autorun off does not");
        assert!(!keys.takes_control_on(MotionCommand(0x0C00_00C1), true));
    }

    #[test]
    fn a_user_interface_command_is_ignored() {
        let effect = free().command(MotionCommand(0x0C00_00C1), true).effect;
        assert_eq!(effect, KeyEffect::Ignored);
        assert!(!effect.is_sent(false));
    }

    /// R8: only a forward command ends autorun, and so does a substate that no list keeps.
    #[test]
    fn a_stance_does_not_end_autorun_and_a_crouch_does() {
        let mut keys = Keyboard { auto_run: true, ..free() };
        for command in [MotionCommand::HAND_COMBAT, MotionCommand::WAVE, MotionCommand::SIDE_STEP_LEFT] {
            assert!(!keys.command(command, true).ends_auto_run && keys.auto_run, "{command}");
        }
        assert!(keys.command(MotionCommand::CROUCH, true).ends_auto_run && !keys.auto_run);
        assert!(!keys.command(MotionCommand::CROUCH, true).ends_auto_run, "it has ended already");
    }

    /// K3: during autorun a turn or a sidestep stops with its key, a walk does not.
    #[test]
    fn turns_stop_during_autorun() {
        let mut keys = Keyboard { auto_run: true, ..free() };
        keys.command(MotionCommand::TURN_LEFT, true);
        let effect = keys.command(MotionCommand::TURN_LEFT, false).effect;
        assert_eq!(effect, KeyEffect::Stop(MotionCommand::TURN_LEFT));
        keys.list_mut(ListKind::Substate).add(HeldCommand {
            command: MotionCommand::WALK_FORWARD,
            speed: 1.0,
            by_mouse: false,
        });
        assert_eq!(keys.command(MotionCommand::WALK_FORWARD, false).effect, KeyEffect::Nothing);
    }

    /// K4: with mouse look a key that comes back sidesteps, and the mouse's own turn stays a turn.
    #[test]
    fn only_keys_become_sidesteps() {
        let mut keys = Keyboard { mouse_look: true, ..free() };
        let turn = HeldCommand { command: MotionCommand::TURN_RIGHT, speed: 0.5, by_mouse: true };
        keys.list_mut(ListKind::Turn).add(turn);
        keys.command(MotionCommand::TURN_RIGHT, true);
        keys.command(MotionCommand::TURN_LEFT, true);
        let effect = keys.command(MotionCommand::TURN_LEFT, false).effect;
        assert_eq!(effect, start(MotionCommand::SIDE_STEP_RIGHT), "the older key");
        let effect = keys.command(MotionCommand::TURN_RIGHT, false).effect;
        assert_eq!(effect, KeyEffect::Start(turn));
        assert!(keys.is_any_held());
    }

    /// Q9: a release under the server's control only edits the list of the key.
    #[test]
    fn a_release_under_server_control_only_removes() {
        let mut keys = free();
        keys.command(MotionCommand::TURN_LEFT, true);
        keys.command(MotionCommand::WALK_FORWARD, true);
        keys.controlled_by_server = true;
        assert_eq!(keys.command(MotionCommand::TURN_LEFT, false).effect, KeyEffect::RemovedOnly);
        assert!(keys.list(ListKind::Turn).is_empty() && !keys.list(ListKind::Substate).is_empty());
    }

    /// K4: everything held ends, also in the lists that no key was released of.
    #[test]
    fn clearing_empties_every_list_and_ends_autorun() {
        let all = || {
            let mut keys = Keyboard { hold_run: true, hold_sidestep: true, ..free() };
            for command in
                [MotionCommand::TURN_LEFT, MotionCommand::SIDE_STEP_LEFT, MotionCommand::WALK_FORWARD]
            {
                keys.command(command, true);
            }
            keys.auto_run = true;
            keys
        };
        let kinds = [ListKind::Substate, ListKind::Turn, ListKind::Sidestep];
        let mut keys = all();
        keys.clear();
        assert!(kinds.iter().all(|kind| keys.list(*kind).is_empty()) && !keys.auto_run);
        assert!(keys.hold_run && keys.hold_sidestep);
        let mut keys = all();
        keys.release_all();
        assert!(kinds.iter().all(|kind| keys.list(*kind).is_empty()) && keys.auto_run);
        assert!(!keys.hold_run && !keys.hold_sidestep);
    }
}

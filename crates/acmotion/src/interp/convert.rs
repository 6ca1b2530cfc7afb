//! Conversions between states and their wire form (rules E7, K6).

use acmotion_types::MotionCommand;
use acmotion_wire::{self as wire, ActionItem, HoldKey};

use super::{Action, Axis, InterpretedState, RawAxis, RawState};

impl From<ActionItem> for Action {
    fn from(item: ActionItem) -> Self {
        Self { motion: item.command, speed: item.speed, stamp: item.stamp, autonomous: item.autonomous }
    }
}

impl From<Action> for ActionItem {
    fn from(action: Action) -> Self {
        Self {
            command: action.motion,
            stamp: action.stamp,
            autonomous: action.autonomous,
            speed: action.speed,
        }
    }
}

/// Absent fields take their defaults (rule E7).
impl From<&wire::InterpretedState<'_>> for InterpretedState {
    fn from(wire: &wire::InterpretedState<'_>) -> Self {
        let axis = |command: Option<MotionCommand>, default, speed: Option<f32>| Axis {
            command: command.unwrap_or(default),
            speed: speed.unwrap_or(1.0),
        };
        let mut state = Self {
            style: wire.current_style.unwrap_or(MotionCommand::NON_COMBAT),
            forward: axis(wire.forward_command, MotionCommand::READY, wire.forward_speed),
            sidestep: axis(wire.sidestep_command, MotionCommand::NONE, wire.sidestep_speed),
            turn: axis(wire.turn_command, MotionCommand::NONE, wire.turn_speed),
            ..Self::default()
        };
        wire.actions.iter().for_each(|item| state.actions.push(item.into()));
        state
    }
}

/// Absent fields take their defaults (rule F1).
impl From<&wire::RawMotionState<'_>> for RawState {
    fn from(wire: &wire::RawMotionState<'_>) -> Self {
        let axis =
            |command: Option<MotionCommand>, default, speed: Option<f32>, key: Option<HoldKey>| RawAxis {
                command: command.unwrap_or(default),
                speed: speed.unwrap_or(1.0),
                hold_key: key.unwrap_or(HoldKey::INVALID),
            };
        let (ready, none) = (MotionCommand::READY, MotionCommand::NONE);
        let mut state = Self {
            current_hold_key: wire.current_hold_key.unwrap_or(HoldKey::NONE),
            style: wire.current_style.unwrap_or(MotionCommand::NON_COMBAT),
            forward: axis(wire.forward_command, ready, wire.forward_speed, wire.forward_hold_key),
            sidestep: axis(wire.sidestep_command, none, wire.sidestep_speed, wire.sidestep_hold_key),
            turn: axis(wire.turn_command, none, wire.turn_speed, wire.turn_hold_key),
            ..Self::default()
        };
        wire.actions.iter().for_each(|item| state.actions.push(item.into()));
        state
    }
}

impl InterpretedState {
    /// Returns the wire form, with only the fields that differ from the default. `actions` receives the actions.
    pub fn to_wire<'a>(&self, actions: &'a mut Vec<ActionItem>) -> wire::InterpretedState<'a> {
        actions.clear();
        actions.extend(self.actions.iter().map(ActionItem::from));
        wire::InterpretedState { actions: wire::Actions::new(actions), ..self.to_wire_without_actions() }
    }

    /// Returns the wire form without the actions, with only the fields that differ from the default.
    pub fn to_wire_without_actions(&self) -> wire::InterpretedState<'static> {
        wire::InterpretedState {
            current_style: non_default(self.style, MotionCommand::NON_COMBAT),
            forward_command: non_default(self.forward.command, MotionCommand::READY),
            sidestep_command: non_default(self.sidestep.command, MotionCommand::NONE),
            turn_command: non_default(self.turn.command, MotionCommand::NONE),
            forward_speed: non_default(self.forward.speed, 1.0),
            sidestep_speed: non_default(self.sidestep.speed, 1.0),
            turn_speed: non_default(self.turn.speed, 1.0),
            ..wire::InterpretedState::default()
        }
    }
}

impl RawState {
    /// Returns the wire form, with only the fields that differ from the default (rule K6). `actions` receives the actions.
    pub fn to_wire<'a>(&self, actions: &'a mut Vec<ActionItem>) -> wire::RawMotionState<'a> {
        actions.clear();
        actions.extend(self.actions.iter().map(ActionItem::from));
        wire::RawMotionState {
            current_hold_key: non_default(self.current_hold_key, HoldKey::NONE),
            current_style: non_default(self.style, MotionCommand::NON_COMBAT),
            forward_command: non_default(self.forward.command, MotionCommand::READY),
            forward_hold_key: non_default(self.forward.hold_key, HoldKey::INVALID),
            forward_speed: non_default(self.forward.speed, 1.0),
            sidestep_command: non_default(self.sidestep.command, MotionCommand::NONE),
            sidestep_hold_key: non_default(self.sidestep.hold_key, HoldKey::INVALID),
            sidestep_speed: non_default(self.sidestep.speed, 1.0),
            turn_command: non_default(self.turn.command, MotionCommand::NONE),
            turn_hold_key: non_default(self.turn.hold_key, HoldKey::INVALID),
            turn_speed: non_default(self.turn.speed, 1.0),
            actions: wire::Actions::new(actions),
            ..wire::RawMotionState::default()
        }
    }
}

/// Returns the value, or `None` if it is the default.
fn non_default<T: PartialEq>(value: T, default: T) -> Option<T> {
    (value != default).then_some(value)
}

#[cfg(test)]
mod tests {
    use acmotion_types::ActionStamp;

    use super::*;

    #[test]
    fn both_states_survive_the_wire() {
        let action = Action {
            motion: MotionCommand(0x1300_0087),
            speed: 1.5,
            stamp: ActionStamp::new(7),
            autonomous: true,
        };
        let forward = Axis { command: MotionCommand::RUN_FORWARD, speed: 2.375 };
        let turn = Axis { command: MotionCommand::NONE, speed: -1.5 };
        let mut interpreted = InterpretedState { forward, turn, ..InterpretedState::default() };
        interpreted.push_action(action);
        let turn = RawAxis { command: MotionCommand::TURN_LEFT, speed: 1.5, hold_key: HoldKey::RUN };
        let mut raw = RawState { current_hold_key: HoldKey::RUN, turn, ..RawState::default() };
        raw.push_action(action);
        let mut items = Vec::new();
        assert_eq!(InterpretedState::from(&interpreted.to_wire(&mut items)), interpreted);
        assert_eq!(RawState::from(&raw.to_wire(&mut items)), raw);
        assert_eq!(RawState::default().to_wire(&mut items), wire::RawMotionState::default());
    }
}

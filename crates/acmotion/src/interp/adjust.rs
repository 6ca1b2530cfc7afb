//! Translates requested motions into the motions played, and computes the speeds they give (rules F2, F3, F9, F10).

use acmotion_types::{MotionCommand, Vec3};
use acmotion_wire::HoldKey;

use super::{Axis, InterpretedState, Interpreter, RUN_SPEED, RawAxis, SIDESTEP_SPEED, WALK_SPEED, Weenie};

/// The speed of walking backwards relative to walking forwards.
const BACKWARDS_FACTOR: f32 = 0.65;
/// Makes a sidestep at speed 1 half as fast as a walk: 0.5 · 3.12 / 1.25.
const SIDESTEP_FACTOR: f32 = 0.5 * (WALK_SPEED / SIDESTEP_SPEED);
/// The speed of turning under the run key relative to turning without it.
const RUN_TURN_FACTOR: f32 = 1.5;
/// The maximum speed of a sidestep in either direction.
const MAX_SIDESTEP_RATE: f32 = 3.0;

impl Interpreter {
    /// Returns the interpreted state of the raw one, without its actions: each axis is adjusted with its own hold key (rule
    /// F8).
    pub fn interpret_raw(&self, weenie: Option<&dyn Weenie>) -> InterpretedState {
        let adjusted = |axis: RawAxis| {
            let (command, speed) = self.adjust_motion(weenie, axis.command, axis.speed, axis.hold_key);
            Axis { command, speed }
        };
        let raw = &self.raw;
        InterpretedState {
            style: raw.style,
            forward: adjusted(raw.forward),
            sidestep: adjusted(raw.sidestep),
            turn: adjusted(raw.turn),
            ..InterpretedState::default()
        }
    }

    /// Returns the motion that is played for a requested one, and its speed (rule F2, table O7). `hold_key` is the key held
    /// for it, or [`HoldKey::INVALID`] if the raw state's own counts. Only for creatures and bodies without a weenie are
    /// backward walking, left turns, sidesteps and running translated.
    pub fn adjust_motion(
        &self,
        weenie: Option<&dyn Weenie>,
        motion: MotionCommand,
        speed: f32,
        hold_key: HoldKey,
    ) -> (MotionCommand, f32) {
        if weenie.is_some_and(|weenie| !weenie.is_creature()) || motion == MotionCommand::RUN_FORWARD {
            return (motion, speed);
        }
        let (motion, speed) = match motion {
            MotionCommand::WALK_BACKWARDS => (MotionCommand::WALK_FORWARD, speed * -BACKWARDS_FACTOR),
            MotionCommand::TURN_LEFT => (MotionCommand::TURN_RIGHT, -speed),
            MotionCommand::SIDE_STEP_RIGHT => (motion, speed * SIDESTEP_FACTOR),
            MotionCommand::SIDE_STEP_LEFT => (MotionCommand::SIDE_STEP_RIGHT, -speed * SIDESTEP_FACTOR),
            _ => (motion, speed),
        };
        let key = if hold_key == HoldKey::INVALID { self.raw.current_hold_key } else { hold_key };
        if key == HoldKey::RUN { self.apply_run_to_command(weenie, motion, speed) } else { (motion, speed) }
    }

    /// Returns the motion and speed under the run key (rule F3).
    pub fn apply_run_to_command(
        &self,
        weenie: Option<&dyn Weenie>,
        motion: MotionCommand,
        speed: f32,
    ) -> (MotionCommand, f32) {
        match motion {
            MotionCommand::WALK_FORWARD => {
                let forward = if speed > 0.0 { MotionCommand::RUN_FORWARD } else { motion };
                (forward, speed * self.run_rate(weenie))
            }
            MotionCommand::TURN_RIGHT => (motion, speed * RUN_TURN_FACTOR),
            MotionCommand::SIDE_STEP_RIGHT => {
                let speed = speed * self.run_rate(weenie);
                (motion, speed.clamp(-MAX_SIDESTEP_RATE, MAX_SIDESTEP_RATE))
            }
            _ => (motion, speed),
        }
    }

    /// Returns the run rate: the weenie's, else the one that the server sent last; 1 without a weenie (rule F3).
    pub fn run_rate(&self, weenie: Option<&dyn Weenie>) -> f32 {
        weenie.map_or(1.0, |weenie| weenie.run_rate().unwrap_or(self.my_run_rate))
    }

    /// Returns the velocity of the interpreted state in the body's axes, with which it leaves the ground (rule F9).
    #[doc(alias = "get_state_velocity")]
    pub fn state_velocity(&self, weenie: Option<&dyn Weenie>) -> Vec3 {
        let state = &self.interpreted;
        let mut velocity = Vec3::ZERO;
        if state.sidestep.command == MotionCommand::SIDE_STEP_RIGHT {
            velocity.x = SIDESTEP_SPEED * state.sidestep.speed;
        }
        velocity.y = match state.forward.command {
            MotionCommand::WALK_FORWARD => WALK_SPEED * state.forward.speed,
            MotionCommand::RUN_FORWARD => RUN_SPEED * state.forward.speed,
            _ => 0.0,
        };
        let max = self.max_speed(weenie);
        let speed = velocity.length();
        if speed > max { velocity * (max / speed) } else { velocity }
    }

    /// Returns the speed of a run in metres a second, whatever the body does (rule F10).
    #[doc(alias = "get_max_speed")]
    pub fn max_speed(&self, weenie: Option<&dyn Weenie>) -> f32 {
        RUN_SPEED * self.run_rate(weenie)
    }

    /// Returns the speed of the present run in metres a second, or of a possible one if the body does not run (rule F10).
    #[doc(alias = "get_adjusted_max_speed")]
    pub fn adjusted_max_speed(&self, weenie: Option<&dyn Weenie>) -> f32 {
        let forward = self.interpreted.forward;
        if forward.command == MotionCommand::RUN_FORWARD {
            RUN_SPEED * (forward.speed / self.current_speed_factor)
        } else {
            self.max_speed(weenie)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{PlayerWeenie, RemoteWeenie};
    use super::*;

    /// Table O7: a creature, without the run key and with it at rate 2.
    #[test]
    fn keys_are_adjusted_as_in_table_o7() {
        let mut interpreter = Interpreter { my_run_rate: 2.0, ..Interpreter::default() };
        let rows = [
            (
                MotionCommand::WALK_FORWARD,
                1.0,
                (MotionCommand::WALK_FORWARD, 1.0),
                (MotionCommand::RUN_FORWARD, 2.0),
            ),
            (
                MotionCommand::WALK_FORWARD,
                -1.0,
                (MotionCommand::WALK_FORWARD, -1.0),
                (MotionCommand::WALK_FORWARD, -2.0),
            ),
            (
                MotionCommand::WALK_BACKWARDS,
                1.0,
                (MotionCommand::WALK_FORWARD, -0.65),
                (MotionCommand::WALK_FORWARD, -1.3),
            ),
            (
                MotionCommand::RUN_FORWARD,
                1.0,
                (MotionCommand::RUN_FORWARD, 1.0),
                (MotionCommand::RUN_FORWARD, 1.0),
            ),
            (
                MotionCommand::TURN_RIGHT,
                1.0,
                (MotionCommand::TURN_RIGHT, 1.0),
                (MotionCommand::TURN_RIGHT, 1.5),
            ),
            (
                MotionCommand::TURN_LEFT,
                1.0,
                (MotionCommand::TURN_RIGHT, -1.0),
                (MotionCommand::TURN_RIGHT, -1.5),
            ),
            (
                MotionCommand::SIDE_STEP_RIGHT,
                1.0,
                (MotionCommand::SIDE_STEP_RIGHT, 1.248),
                (MotionCommand::SIDE_STEP_RIGHT, 2.496),
            ),
            (
                MotionCommand::SIDE_STEP_LEFT,
                1.0,
                (MotionCommand::SIDE_STEP_RIGHT, -1.248),
                (MotionCommand::SIDE_STEP_RIGHT, -2.496),
            ),
            (MotionCommand::READY, 1.0, (MotionCommand::READY, 1.0), (MotionCommand::READY, 1.0)),
        ];
        let creature: Option<&dyn Weenie> = Some(&RemoteWeenie::Creature);
        for (requested, speed, walking, running) in rows {
            for (key, expected) in [(HoldKey::NONE, walking), (HoldKey::RUN, running)] {
                let (motion, speed) = interpreter.adjust_motion(creature, requested, speed, key);
                assert_eq!(motion, expected.0, "{requested} {key:?}");
                assert!((speed - expected.1).abs() < 1e-6, "{requested} {key:?}: {speed}");
            }
            let object: Option<&dyn Weenie> = Some(&RemoteWeenie::Object);
            assert_eq!(interpreter.adjust_motion(object, requested, speed, HoldKey::RUN), (requested, speed));
        }
        interpreter.my_run_rate = 3.0;
        let fast = interpreter.adjust_motion(creature, MotionCommand::SIDE_STEP_LEFT, 1.0, HoldKey::RUN);
        assert_eq!(fast, (MotionCommand::SIDE_STEP_RIGHT, -3.0), "the maximum");
        interpreter.raw.current_hold_key = HoldKey::RUN;
        let own = interpreter.adjust_motion(creature, MotionCommand::WALK_FORWARD, 1.0, HoldKey::INVALID);
        assert_eq!(own, (MotionCommand::RUN_FORWARD, 3.0), "the raw state's hold key counts");
    }

    /// An example of section F: running at 2.375 and sidestepping is no faster than running.
    #[test]
    fn the_launch_speed_is_capped_to_a_run() {
        let player = PlayerWeenie { run_skill: 200, ..PlayerWeenie::default() };
        let mut interpreter = Interpreter::default();
        interpreter.interpreted.forward = Axis { command: MotionCommand::RUN_FORWARD, speed: 2.375 };
        interpreter.interpreted.sidestep = Axis { command: MotionCommand::SIDE_STEP_RIGHT, speed: 2.964 };
        let velocity = interpreter.state_velocity(Some(&player));
        assert!((velocity.x - 3.452).abs() < 1e-3 && (velocity.y - 8.851).abs() < 1e-3, "{velocity:?}");
        assert_eq!(interpreter.adjusted_max_speed(Some(&player)), 9.5);
    }
}

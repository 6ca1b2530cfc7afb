//! Differences between headings, and turns by the mouse (rules J5, K5).

use acmotion_types::{EPS, MotionCommand};

/// The minimum mouse movement that turns the player.
const MIN_MOUSE_TURN: f32 = 0.02;
/// The maximum speed of a turn by the mouse.
const MAX_MOUSE_TURN: f32 = 1.5;

/// Returns the angle in degrees from heading `from` to heading `to` in the direction of a turn, within [0, 360) (rule J5).
///
/// ```
/// use acmotion::internals::interp::heading_diff;
/// use acmotion::types::MotionCommand;
///
/// assert_eq!(heading_diff(90.0, 0.0, MotionCommand::TURN_RIGHT), 90.0);
/// assert_eq!(heading_diff(90.0, 0.0, MotionCommand::TURN_LEFT), 270.0);
/// ```
pub fn heading_diff(to: f32, from: f32, turn: MotionCommand) -> f32 {
    let mut diff = to - from;
    if diff.abs() < EPS {
        diff = 0.0;
    }
    if diff < -EPS {
        diff += 360.0;
    }
    if diff > EPS && turn != MotionCommand::TURN_RIGHT {
        diff = 360.0 - diff;
    }
    diff
}

/// Returns `true` if `heading` lies past `goal` in the direction of a turn (rule J5). For a turn to the left, an equal
/// heading does too.
#[doc(alias = "heading_greater")]
pub fn heading_is_past(heading: f32, goal: f32, turn: MotionCommand) -> bool {
    let greater = if (heading - goal).abs() <= 180.0 { heading > goal } else { goal > heading };
    if turn == MotionCommand::TURN_RIGHT { greater } else { !greater }
}

/// Returns the turn for a mouse movement, and its speed, or `None` if the movement is too small (rule K5).
///
/// ```
/// use acmotion::internals::interp::mouse_turn;
/// use acmotion::types::MotionCommand;
///
/// assert_eq!(mouse_turn(-0.5), Some((MotionCommand::TURN_LEFT, 1.0)));
/// assert_eq!(mouse_turn(0.01), None);
/// ```
pub fn mouse_turn(movement: f32) -> Option<(MotionCommand, f32)> {
    if movement.abs() >= MIN_MOUSE_TURN {
        let turn = if movement > 0.0 { MotionCommand::TURN_RIGHT } else { MotionCommand::TURN_LEFT };
        Some((turn, (2.0 * movement.abs()).min(MAX_MOUSE_TURN)))
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rule J5.
    #[test]
    fn headings_are_compared_in_the_direction_of_the_turn() {
        let (right, left) = (MotionCommand::TURN_RIGHT, MotionCommand::TURN_LEFT);
        assert_eq!(heading_diff(0.0, 90.0, right), 270.0);
        assert_eq!((heading_diff(45.0, 45.0, right), heading_diff(45.000_01, 45.0, right)), (0.0, 0.0));
        assert!(heading_is_past(90.0, 45.0, right) && !heading_is_past(30.0, 45.0, right));
        assert!(heading_is_past(30.0, 45.0, left) && !heading_is_past(90.0, 45.0, left));
        assert!(heading_is_past(45.0, 45.0, left) && !heading_is_past(45.0, 45.0, right));
        assert!(heading_is_past(5.0, 355.0, right), "through north");
    }
}

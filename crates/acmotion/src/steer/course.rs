//! The choice of a motion by distance: forward, backward or none, walking or running (rules J3, J4).

use acmotion_types::{EPS, MotionCommand};
use acmotion_wire::{HoldKey, MoveFlags};

use crate::interp::MovementParams;

/// How a body moves to the right distance (rule J3).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Choice {
    /// The motion, before adjustment; `None` if the body is at the right distance.
    pub motion: Option<MotionCommand>,
    /// Whether the body moves away from its target.
    pub moving_away: bool,
    /// Whether the body walks or runs, and why.
    pub gait: Gait,
}

/// Whether a body walks or runs, and why (rule J3).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Gait {
    /// It runs because it may charge.
    Charge,
    /// It runs because it may not walk.
    OnlyRun,
    /// It runs because it is far enough away.
    FarRun,
    /// It walks because it may not run.
    OnlyWalk,
    /// It walks because it is near enough.
    NearWalk,
}

impl Gait {
    /// The hold key of the gait.
    pub const fn hold_key(self) -> HoldKey {
        match self {
            Self::Charge | Self::OnlyRun | Self::FarRun => HoldKey::RUN,
            Self::OnlyWalk | Self::NearWalk => HoldKey::NONE,
        }
    }
}

impl MovementParams {
    /// Chooses the motion at a distance from the target, in metres (rule J3, table O8).
    ///
    /// ```
    /// use acmotion::HoldKey;
    /// use acmotion::components::{Choice, Gait, MovementParams};
    /// use acmotion::types::MotionCommand;
    ///
    /// let Choice { motion, gait, .. } = MovementParams::default().get_command(16.0);
    /// assert_eq!(motion, Some(MotionCommand::WALK_FORWARD));
    /// assert_eq!((gait, gait.hold_key()), (Gait::FarRun, HoldKey::RUN));
    /// assert_eq!(MovementParams::default().get_command(0.5).motion, None);
    /// ```
    pub fn get_command(&self, distance: f32) -> Choice {
        let towards = self.flags.contains(MoveFlags::MOVE_TOWARDS);
        let away = self.flags.contains(MoveFlags::MOVE_AWAY);
        let (motion, moving_away) = match (towards, away) {
            (true, true) => self.towards_and_away(distance),
            (false, true) => (forward_if(distance < self.min_distance), true),
            (_, false) => (forward_if(distance > self.distance_to_object), false),
        };
        Choice { motion, moving_away: moving_away && motion.is_some(), gait: self.gait(distance) }
    }

    /// Chooses the motion if the body is to be neither too far nor too near. Returns it, and `true` if it leads away.
    /// The body backs away without turning (rule J3).
    pub fn towards_and_away(&self, distance: f32) -> (Option<MotionCommand>, bool) {
        if distance > self.distance_to_object {
            (Some(MotionCommand::WALK_FORWARD), false)
        } else if distance - self.min_distance < EPS {
            (Some(MotionCommand::WALK_BACKWARDS), true)
        } else {
            (None, false)
        }
    }

    /// Chooses whether to walk or run at a distance from the target, in metres (rule J3).
    pub fn gait(&self, distance: f32) -> Gait {
        if self.flags.contains(MoveFlags::CAN_CHARGE) {
            Gait::Charge
        } else if !self.flags.contains(MoveFlags::CAN_RUN) {
            Gait::OnlyWalk
        } else if !self.flags.contains(MoveFlags::CAN_WALK) {
            Gait::OnlyRun
        } else if distance - self.distance_to_object > self.walk_run_threshold {
            Gait::FarRun
        } else {
            Gait::NearWalk
        }
    }
}

fn forward_if(condition: bool) -> Option<MotionCommand> {
    condition.then_some(MotionCommand::WALK_FORWARD)
}

/// The angle between a moving body's heading and the bearing of its target, in degrees: 180 if it faces away from the
/// target, else 0 (rule J4).
#[doc(alias = "get_desired_heading")]
pub fn desired_heading(motion: MotionCommand, moving_away: bool) -> f32 {
    let faces_away = match motion {
        MotionCommand::WALK_FORWARD | MotionCommand::RUN_FORWARD => moving_away,
        MotionCommand::WALK_BACKWARDS => !moving_away,
        _ => false,
    };
    if faces_away { 180.0 } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn params(flags: u32) -> MovementParams {
        MovementParams { flags: MoveFlags::from_bits_retain(flags), ..MovementParams::default() }
    }

    /// Table O8.
    #[test]
    fn the_motion_depends_on_distance_and_flags() {
        let (forward, back) = (Some(MotionCommand::WALK_FORWARD), Some(MotionCommand::WALK_BACKWARDS));
        let default = params(0x1EE0F);
        let at = |params: &MovementParams, distance| {
            let choice = params.get_command(distance);
            (choice.motion, choice.gait.hold_key(), choice.moving_away)
        };
        assert_eq!(at(&default, 5.0), (forward, HoldKey::NONE, false));
        assert_eq!(at(&default, 16.0), (forward, HoldKey::RUN, false));
        assert_eq!(at(&default, 0.5).0, None);
        assert_eq!(at(&params(0x1EE1F), 1.0), (forward, HoldKey::RUN, false), "a charge");
        assert_eq!(at(&params(0x1EE0E), 1.0), (forward, HoldKey::RUN, false), "no walking");
        let away = MovementParams { min_distance: 4.0, ..params(0x1ED0F) };
        assert_eq!(at(&away, 3.0), (forward, HoldKey::NONE, true));
        assert_eq!(at(&away, 5.0).0, None);
        let both = MovementParams { distance_to_object: 6.0, min_distance: 4.0, ..params(0x1EF0F) };
        assert_eq!(at(&both, 3.0), (back, HoldKey::NONE, true));
        assert_eq!(at(&both, 5.0).0, None);
        assert_eq!(at(&both, 7.0), (forward, HoldKey::NONE, false));
    }

    /// Rule J4.
    #[test]
    fn a_body_faces_away_only_if_it_walks_away_or_backs_towards() {
        assert_eq!(desired_heading(MotionCommand::RUN_FORWARD, false), 0.0);
        assert_eq!(desired_heading(MotionCommand::WALK_FORWARD, true), 180.0);
        assert_eq!(desired_heading(MotionCommand::WALK_BACKWARDS, true), 0.0);
        assert_eq!(desired_heading(MotionCommand::WALK_BACKWARDS, false), 180.0);
    }
}

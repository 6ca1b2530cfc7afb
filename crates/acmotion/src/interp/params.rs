//! The parameters and kinds of movement requests (rules J1, F19).

use acmotion_types::{ActionStamp, MotionCommand};
use acmotion_wire::{HoldKey, MoveFlags, MoveToParams, TurnToParams};

use super::Action;

/// The parameters of a motion or an order, with the original's defaults (rule J1).
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[doc(alias = "MovementParameters")]
pub struct MovementParams {
    /// The parameter bits.
    pub flags: MoveFlags,
    /// The distance, in metres, at which to stop.
    pub distance_to_object: f32,
    /// The minimum distance, in metres, to keep.
    pub min_distance: f32,
    /// The distance, in metres, after which to give up.
    pub fail_distance: f32,
    /// The final heading, in degrees.
    pub desired_heading: f32,
    /// The speed of the motion; 1 is normal.
    pub speed: f32,
    /// The distance, in metres beyond the stopping distance, from which on to run.
    pub walk_run_threshold: f32,
    /// The context id of the order.
    pub context: u32,
    /// The hold key; [`HoldKey::INVALID`] if the raw state's own counts.
    pub hold_key: HoldKey,
    /// The sender's action stamp.
    pub action_stamp: ActionStamp,
}

impl Default for MovementParams {
    fn default() -> Self {
        Self {
            flags: MoveFlags::default(),
            distance_to_object: 0.6,
            min_distance: 0.0,
            fail_distance: f32::MAX,
            desired_heading: 0.0,
            speed: 1.0,
            walk_run_threshold: 15.0,
            context: 0,
            hold_key: HoldKey::INVALID,
            action_stamp: ActionStamp::default(),
        }
    }
}

impl MovementParams {
    /// Returns the parameters with another speed.
    #[must_use]
    pub const fn at_speed(mut self, speed: f32) -> Self {
        self.speed = speed;
        self
    }

    pub(super) fn has(&self, flag: MoveFlags) -> bool {
        self.flags.contains(flag)
    }

    pub(super) fn action(&self, motion: MotionCommand) -> Action {
        Action {
            motion,
            speed: self.speed,
            stamp: self.action_stamp,
            autonomous: self.has(MoveFlags::AUTONOMOUS),
        }
    }
}

/// From the seven words on the wire, whose bitfield replaces all flags (rule E5).
impl From<&MoveToParams> for MovementParams {
    fn from(wire: &MoveToParams) -> Self {
        Self {
            flags: wire.flags,
            distance_to_object: wire.distance_to_object,
            min_distance: wire.min_distance,
            fail_distance: wire.fail_distance,
            speed: wire.speed,
            walk_run_threshold: wire.walk_run_threshold,
            desired_heading: wire.desired_heading,
            ..Self::default()
        }
    }
}

/// From the three words on the wire, whose bitfield replaces all flags (rule E5).
impl From<&TurnToParams> for MovementParams {
    fn from(wire: &TurnToParams) -> Self {
        Self {
            flags: wire.flags,
            speed: wire.speed,
            desired_heading: wire.desired_heading,
            ..Self::default()
        }
    }
}

/// A request to [`Actor::perform`](crate::entity::Actor::perform) (rule F19). `MoveTo` and `TurnTo` are
/// [orders](crate::steer::Order).
#[derive(Clone, Copy, PartialEq, Debug)]
#[doc(alias = "MovementStruct")]
pub enum MovementRequest {
    /// Type 1: start a motion of the raw state.
    #[doc(alias = "RawCommand")]
    Do(MotionCommand, MovementParams),
    /// Type 2: start a motion of the interpreted state.
    #[doc(alias = "InterpretedCommand")]
    DoInterpreted(MotionCommand, MovementParams),
    /// Type 3: stop a motion of the raw state.
    #[doc(alias = "StopRawCommand")]
    Stop(MotionCommand, MovementParams),
    /// Type 4: stop a motion of the interpreted state.
    #[doc(alias = "StopInterpretedCommand")]
    StopInterpreted(MotionCommand, MovementParams),
    /// Type 5: stop every motion.
    StopCompletely,
}

//! The parameters and kinds of movement requests (rules J1, F19).

use acmotion_types::{ActionStamp, MotionCommand};
use acmotion_wire::{HoldKey, MoveFlags, MoveToParams, TurnToParams};

use super::Action;
use crate::steer::OrderLimits;

/// The parameters of a motion or an order, with the original's defaults (rule J1).
///
/// With the defaults an order goes on for ever if it cannot be completed, as in the original. The constructors of
/// [`Order`](crate::components::Order) set limits.
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[doc(alias = "MovementParameters")]
pub struct MovementParams {
    /// The parameter bits. By default 0x1EE0F: the body may walk, run, sidestep and walk backwards, goes towards its target,
    /// measures distances between hulls (rule J18), sets the hold key, changes the raw and the interpreted state, and
    /// cancels the order before it and stops completely first (rule J1). It neither charges, which is to run at any
    /// distance, nor sticks to its target, nor turns to a final heading.
    pub flags: MoveFlags,
    /// The distance, in metres, at which to stop; by default 0.6. Without `MOVE_TOWARDS` and with `MOVE_AWAY` it has no
    /// effect (rule J3).
    pub distance_to_object: f32,
    /// The minimum distance, in metres, to keep; by default 0. It counts with `MOVE_AWAY` only (rule J3).
    pub min_distance: f32,
    /// The distance from the start, in metres, after which to give up with
    /// [`MotionError::TooFar`](crate::MotionError::TooFar); by default `f32::MAX`, never. It is checked only while the body
    /// makes progress (rule J15).
    pub fail_distance: f32,
    /// The final heading, in degrees; by default 0. An order to go somewhere uses it only with `USE_FINAL_HEADING`: absolute
    /// at a position (rule J8), relative to the bearing of an object (rule J10). An order to turn to an object ignores
    /// it (rule J9).
    pub desired_heading: f32,
    /// The speed of the motion; 1, the default, is normal.
    pub speed: f32,
    /// The distance, in metres beyond the stopping distance, from which on to run; by default 15. It is compared once, when
    /// the body starts to move (rules J3, J12).
    pub walk_run_threshold: f32,
    /// The context id of the order; by default 0.
    pub context: u32,
    /// The hold key; [`HoldKey::INVALID`], the default, if the raw state's own counts.
    pub hold_key: HoldKey,
    /// The sender's action stamp; by default 0.
    pub action_stamp: ActionStamp,
    /// Whether an order measures distances horizontally if the target is less than two metres above or below. The original
    /// never does (rule J18), which is the default.
    pub ignores_height: bool,
    /// When an order is given up. The original never does so, which is the default.
    pub limits: OrderLimits,
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
            ignores_height: false,
            limits: OrderLimits::NONE,
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

/// To the seven words on the wire (rule E5). The rest is not sent.
impl From<&MovementParams> for MoveToParams {
    fn from(params: &MovementParams) -> Self {
        Self {
            flags: params.flags,
            distance_to_object: params.distance_to_object,
            min_distance: params.min_distance,
            fail_distance: params.fail_distance,
            speed: params.speed,
            walk_run_threshold: params.walk_run_threshold,
            desired_heading: params.desired_heading,
        }
    }
}

/// To the three words on the wire (rule E5). The rest is not sent.
impl From<&MovementParams> for TurnToParams {
    fn from(params: &MovementParams) -> Self {
        Self { flags: params.flags, speed: params.speed, desired_heading: params.desired_heading }
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

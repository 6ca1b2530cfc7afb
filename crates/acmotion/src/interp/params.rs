//! How something is asked of a body (rules J1, F19).

use acmotion_types::{ActionStamp, MotionCommand};
use acmotion_wire::{HoldKey, MoveFlags, MoveToParams, TurnToParams};

use super::Action;

/// How a motion is asked for, with the original's defaults (rule J1).
#[derive(Clone, Copy, PartialEq, Debug)]
#[doc(alias = "MovementParameters")]
pub struct MovementParams {
    /// What is allowed and asked for.
    pub flags: MoveFlags,
    /// Stop this near, in metres.
    pub distance_to_object: f32,
    /// Do not come nearer than this.
    pub min_distance: f32,
    /// Give up after travelling this far.
    pub fail_distance: f32,
    /// Where to look at the end, in degrees.
    pub desired_heading: f32,
    /// How fast.
    pub speed: f32,
    /// Run if it is this much farther than the stopping distance.
    pub walk_run_threshold: f32,
    /// Whose order it is.
    pub context: u32,
    /// The key held for it.
    pub hold_key: HoldKey,
    /// The asker's count of actions.
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
    /// The same, at a speed.
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

/// The seven words of the wire; they replace every flag (rule E5).
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

/// The three words of the wire; they replace every flag (rule E5).
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

/// What can be asked of a body at its front door (rule F19). Going and turning to somewhere are orders of their own.
#[derive(Clone, Copy, PartialEq, Debug)]
#[doc(alias = "MovementStruct")]
pub enum MovementRequest {
    /// 1: a motion as keys ask for it.
    #[doc(alias = "RawCommand")]
    Do(MotionCommand, MovementParams),
    /// 2: a motion as it is played.
    #[doc(alias = "InterpretedCommand")]
    DoInterpreted(MotionCommand, MovementParams),
    /// 3: the end of a motion as keys ask for it.
    #[doc(alias = "StopRawCommand")]
    Stop(MotionCommand, MovementParams),
    /// 4: the end of a motion as it is played.
    #[doc(alias = "StopInterpretedCommand")]
    StopInterpreted(MotionCommand, MovementParams),
    /// 5: the end of everything.
    StopCompletely,
}

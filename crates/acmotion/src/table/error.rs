//! Why a movement is refused or ended, with the original's numbers (rule F21).

use thiserror::Error;

/// Why a movement was refused, or why it ended early.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Error)]
#[doc(alias = "WeenieError")]
#[repr(u8)]
pub enum MotionError {
    /// The body has no motion table.
    #[error("the body has no motion table")]
    NoMotionTable = 0x07,
    /// There is no body.
    #[error("there is no body")]
    NoPhysicsObject = 0x08,
    /// There is no interpreter for it.
    #[error("the body has no motion interpreter")]
    NoMotionInterpreter = 0x0B,
    /// The body is not on the ground.
    #[error("the body is not on the ground")]
    NotGrounded = 0x24,
    /// Another order came in between.
    #[error("the movement was cancelled")]
    ActionCancelled = 0x36,
    /// The target was there and is gone.
    #[error("the target is gone")]
    ObjectGone = 0x37,
    /// The target was never there.
    #[error("there is no such target")]
    NoObject = 0x38,
    /// The body was teleported.
    #[error("the body was teleported")]
    Teleported = 0x3C,
    /// The target got too far away.
    #[error("the target is too far away")]
    TooFar = 0x3D,
    /// There is no stamina left for it.
    #[error("the body is too tired")]
    TooTired = 0x3E,
    /// No crouching in combat.
    #[error("no crouching in a combat stance")]
    CannotCrouch = 0x3F,
    /// No sitting in combat.
    #[error("no sitting in a combat stance")]
    CannotSit = 0x40,
    /// No lying down in combat.
    #[error("no lying down in a combat stance")]
    CannotSleep = 0x41,
    /// No emotes in combat.
    #[error("no emotes in a combat stance")]
    CannotEmoteInCombat = 0x42,
    /// The motion table has nothing for it.
    #[error("the motion table has nothing for that motion here")]
    NoMotionData = 0x43,
    /// No emotes in this position.
    #[error("no emotes in this position")]
    CannotEmoteHere = 0x44,
    /// Six actions are waiting already.
    #[error("too many actions are waiting")]
    TooManyActions = 0x45,
    /// Anything else.
    #[error("it failed")]
    Failed = 0x47,
    /// No jumping in this position.
    #[error("no jumping in this position")]
    CannotJumpHere = 0x48,
    /// No jumping with this load.
    #[error("the load is too heavy to jump")]
    LoadedDown = 0x49,
}

impl MotionError {
    /// Every one.
    pub const ALL: [Self; 20] = [
        Self::NoMotionTable,
        Self::NoPhysicsObject,
        Self::NoMotionInterpreter,
        Self::NotGrounded,
        Self::ActionCancelled,
        Self::ObjectGone,
        Self::NoObject,
        Self::Teleported,
        Self::TooFar,
        Self::TooTired,
        Self::CannotCrouch,
        Self::CannotSit,
        Self::CannotSleep,
        Self::CannotEmoteInCombat,
        Self::NoMotionData,
        Self::CannotEmoteHere,
        Self::TooManyActions,
        Self::Failed,
        Self::CannotJumpHere,
        Self::LoadedDown,
    ];

    /// The original's number.
    pub const fn code(self) -> u32 {
        self as u32
    }

    /// The original's number of a result; 0 is success.
    pub fn code_of<T>(result: Result<T, Self>) -> u32 {
        result.err().map_or(0, Self::code)
    }

    /// The error of that number.
    pub fn from_code(code: u32) -> Option<Self> {
        Self::ALL.into_iter().find(|error| error.code() == code)
    }
}

#[cfg(test)]
mod tests {
    use super::MotionError;

    #[test]
    fn numbers_both_ways() {
        for error in MotionError::ALL {
            assert_eq!(MotionError::from_code(error.code()), Some(error));
        }
        assert_eq!(MotionError::code_of::<()>(Err(MotionError::NoMotionData)), 0x43);
        assert_eq!((MotionError::code_of(Ok(())), MotionError::from_code(0)), (0, None));
    }
}

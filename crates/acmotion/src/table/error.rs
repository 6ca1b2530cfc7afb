//! The reasons why a movement is refused or ends early, with the original's codes (rule F21).

use thiserror::Error;

/// Why a movement was refused, or why it ended early.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Error)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[doc(alias = "WeenieError")]
#[repr(u8)]
pub enum MotionError {
    /// The body has no motion table.
    #[error("the body has no motion table")]
    NoMotionTable = 0x07,
    /// There is no body.
    #[error("there is no body")]
    NoPhysicsObject = 0x08,
    /// The body has no motion interpreter.
    #[error("the body has no motion interpreter")]
    NoMotionInterpreter = 0x0B,
    /// The body is not on the ground.
    #[error("the body is not on the ground")]
    NotGrounded = 0x24,
    /// Another movement replaced it.
    #[error("the movement was cancelled")]
    ActionCancelled = 0x36,
    /// The target existed and is gone.
    #[error("the target is gone")]
    ObjectGone = 0x37,
    /// The target never existed.
    #[error("there is no such target")]
    NoObject = 0x38,
    /// The body was teleported.
    #[error("the body was teleported")]
    Teleported = 0x3C,
    /// The fail distance was exceeded.
    #[error("the target is too far away")]
    TooFar = 0x3D,
    /// The body has no stamina left.
    #[error("the body is too tired")]
    TooTired = 0x3E,
    /// A body cannot crouch in a combat stance.
    #[error("no crouching in a combat stance")]
    CannotCrouch = 0x3F,
    /// A body cannot sit in a combat stance.
    #[error("no sitting in a combat stance")]
    CannotSit = 0x40,
    /// A body cannot lie down in a combat stance.
    #[error("no lying down in a combat stance")]
    CannotSleep = 0x41,
    /// A body cannot emote in a combat stance.
    #[error("no emotes in a combat stance")]
    CannotEmoteInCombat = 0x42,
    /// The motion table has no data for the motion in this state.
    #[error("the motion table has nothing for that motion here")]
    NoMotionData = 0x43,
    /// A body cannot emote in this position.
    #[error("no emotes in this position")]
    CannotEmoteHere = 0x44,
    /// Six actions are pending already.
    #[error("too many actions are waiting")]
    TooManyActions = 0x45,
    /// Any other failure.
    #[error("it failed")]
    Failed = 0x47,
    /// A body cannot jump in this position.
    #[error("no jumping in this position")]
    CannotJumpHere = 0x48,
    /// The load is too heavy to jump.
    #[error("the load is too heavy to jump")]
    LoadedDown = 0x49,
}

impl MotionError {
    /// All errors, in the order of their codes.
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

    /// Returns the original's code.
    pub const fn code(self) -> u32 {
        self as u32
    }

    /// Returns the original's code of a result; 0 is success.
    pub fn code_of<T>(result: Result<T, Self>) -> u32 {
        result.err().map_or(0, Self::code)
    }

    /// Returns the error of a code, or `None` for success and unknown codes.
    pub fn from_code(code: u32) -> Option<Self> {
        Self::ALL.into_iter().find(|error| error.code() == code)
    }
}

#[cfg(test)]
mod tests {
    use super::MotionError;

    #[test]
    fn codes_convert_both_ways() {
        for error in MotionError::ALL {
            assert_eq!(MotionError::from_code(error.code()), Some(error));
        }
        assert_eq!(MotionError::code_of::<()>(Err(MotionError::NoMotionData)), 0x43);
        assert_eq!((MotionError::code_of(Ok(())), MotionError::from_code(0)), (0, None));
    }
}

//! What a body may do where and as it stands (rules F11–F14, F17).

use acmotion_types::{Era, MotionCommand};

use super::{Interpreter, Weenie};
use crate::body::{Body, PhysicsState};
use crate::table::MotionError;

/// Commands during which there is no jumping, in every era: first and last of each range (rule F11).
const NO_JUMP: [(u32, u32); 5] = [
    (0x4000_0008, 0x4000_0008),
    (0x4000_0016, 0x4000_0018),
    (0x4000_001E, 0x4000_0039),
    (0x4100_0012, 0x4100_0014),
    (0x1000_006F, 0x1000_0078),
];
/// The purple power-ups of the last client, and of that of 2013.
const NO_JUMP_PURPLE: (u32, u32) = (0x1000_012B, 0x1000_0134);
const NO_JUMP_PURPLE_2013: (u32, u32) = (0x1000_0128, 0x1000_0131);

/// Is there jumping during a motion (rule F11)? Not while reloading, picking up, aiming, casting, crouching, sitting,
/// sleeping, or lying fallen. Whether Sanctuary and `AI_TelegraphCast` belong to these too is open (rule Q7); here they do
/// not.
///
/// # Errors
/// [`MotionError::CannotJumpHere`] if not.
pub fn motion_allows_jump(motion: MotionCommand, era: Era) -> Result<(), MotionError> {
    let purple = match era {
        Era::EndOfRetail => NO_JUMP_PURPLE,
        Era::September2013 => NO_JUMP_PURPLE_2013,
    };
    let within = |(first, last): (u32, u32)| (first..=last).contains(&motion.0);
    if NO_JUMP.into_iter().any(within) || within(purple) { Err(MotionError::CannotJumpHere) } else { Ok(()) }
}

impl Interpreter {
    /// Can that motion be played where the body is (rule F14)? In the air only turns, falling and dying can, unless
    /// there is no gravity or the body is no creature.
    pub fn contact_allows_move(
        &self,
        body: &Body,
        weenie: Option<&dyn Weenie>,
        motion: MotionCommand,
    ) -> bool {
        matches!(
            motion,
            MotionCommand::TURN_RIGHT
                | MotionCommand::TURN_LEFT
                | MotionCommand::FALLING
                | MotionCommand::DEAD
        ) || stands_or_need_not(body, weenie)
    }

    /// Is it standing still (rule F17)?
    pub fn is_standing_still(&self, body: &Body) -> bool {
        let state = &self.interpreted;
        body.is_standing()
            && state.forward.command == MotionCommand::READY
            && state.sidestep.command == MotionCommand::NONE
            && state.turn.command == MotionCommand::NONE
    }

    /// May a jump be charged (rule F12)?
    ///
    /// # Errors
    /// [`MotionError::LoadedDown`], or [`MotionError::CannotJumpHere`] while lying, crouching, sitting or sleeping.
    pub fn jump_charge_is_allowed(&self, weenie: Option<&dyn Weenie>) -> Result<(), MotionError> {
        if weenie.is_some_and(|weenie| !weenie.can_jump(self.jump_extent)) {
            return Err(MotionError::LoadedDown);
        }
        match self.interpreted.forward.command {
            MotionCommand::FALLEN
            | MotionCommand::CROUCH
            | MotionCommand::SITTING
            | MotionCommand::SLEEPING => Err(MotionError::CannotJumpHere),
            _ => Ok(()),
        }
    }

    /// May it jump now (rule F13)? `is_fully_constrained` says that the body is at the end of its leash. The cost is only
    /// looked up, not held against the stamina.
    ///
    /// # Errors
    /// The first reason against it.
    pub fn jump_is_allowed(
        &self,
        body: &Body,
        weenie: Option<&dyn Weenie>,
        extent: f32,
        is_fully_constrained: bool,
    ) -> Result<(), MotionError> {
        if !stands_or_need_not(body, weenie) {
            return Err(MotionError::NotGrounded);
        }
        if is_fully_constrained {
            return Err(MotionError::Failed);
        }
        if let Some(reason) = self.pending.first().and_then(|oldest| oldest.no_jump) {
            return Err(reason);
        }
        self.jump_charge_is_allowed(weenie)?;
        motion_allows_jump(self.interpreted.forward.command, self.era)?;
        match weenie {
            Some(weenie) if weenie.jump_stamina_cost(extent).is_none() => Err(MotionError::Failed),
            _ => Ok(()),
        }
    }

    /// Charges a jump (rule F12): a body that stands still begins a long jump from standing. Being in the air is no reason
    /// against it yet.
    ///
    /// # Errors
    /// As [`jump_charge_is_allowed`](Self::jump_charge_is_allowed).
    pub fn charge_jump(&mut self, body: &Body, weenie: Option<&dyn Weenie>) -> Result<(), MotionError> {
        self.jump_charge_is_allowed(weenie)?;
        if self.is_standing_still(body) {
            self.standing_long_jump = true;
        }
        Ok(())
    }
}

/// Does it stand on ground it can walk on, or is it something that need not?
fn stands_or_need_not(body: &Body, weenie: Option<&dyn Weenie>) -> bool {
    weenie.is_some_and(|weenie| !weenie.is_creature())
        || !body.state.contains(PhysicsState::GRAVITY)
        || body.is_standing()
}

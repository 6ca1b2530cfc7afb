//! Which motions and jumps the state of a body allows (rules F11–F14, F17).

use acmotion_types::{Era, MotionCommand};

use super::{Interpreter, Weenie};
use crate::body::{Body, PhysicsState};
use crate::table::MotionError;

/// The commands during which a body cannot jump, in every era: first and last of each range (rule F11).
const NO_JUMP: [(u32, u32); 5] = [
    (0x4000_0008, 0x4000_0008),
    (0x4000_0016, 0x4000_0018),
    (0x4000_001E, 0x4000_0039),
    (0x4100_0012, 0x4100_0014),
    (0x1000_006F, 0x1000_0078),
];
/// The purple power-ups in the numbering of the last client.
const NO_JUMP_PURPLE: (u32, u32) = (0x1000_012B, 0x1000_0134);
/// The purple power-ups in the numbering of the 2013 client.
const NO_JUMP_PURPLE_2013: (u32, u32) = (0x1000_0128, 0x1000_0131);

/// Checks whether a motion allows a jump (rule F11). Reloading, picking up, aiming, casting, crouching, sitting, sleeping
/// and lying fallen do not. Whether Sanctuary and `AI_TelegraphCast` do is open (rule Q7); here they do.
///
/// # Errors
/// [`MotionError::CannotJumpHere`] if it does not.
pub fn motion_allows_jump(motion: MotionCommand, era: Era) -> Result<(), MotionError> {
    let purple = match era {
        Era::EndOfRetail => NO_JUMP_PURPLE,
        Era::September2013 => NO_JUMP_PURPLE_2013,
    };
    let within = |(first, last): (u32, u32)| (first..=last).contains(&motion.0);
    if NO_JUMP.into_iter().any(within) || within(purple) { Err(MotionError::CannotJumpHere) } else { Ok(()) }
}

impl Interpreter {
    /// Returns `true` if the body's contact with the ground allows a motion (rule F14). In the air only turns, falling and
    /// dying are allowed, unless the body has no gravity or is not a creature.
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
        ) || has_footing(body, weenie)
    }

    /// Returns `true` if the body stands and neither moves, sidesteps nor turns (rule F17).
    pub fn is_standing_still(&self, body: &Body) -> bool {
        let state = &self.interpreted;
        body.is_standing()
            && state.forward.command == MotionCommand::READY
            && state.sidestep.command == MotionCommand::NONE
            && state.turn.command == MotionCommand::NONE
    }

    /// Checks whether a jump may be charged (rule F12).
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

    /// Checks whether the body may jump now (rule F13). `is_fully_constrained` is whether the body is as far from its last
    /// reported position as the constraint allows. The stamina cost is only computed, not compared with the stamina.
    ///
    /// # Errors
    /// The first reason why it may not.
    pub fn jump_is_allowed(
        &self,
        body: &Body,
        weenie: Option<&dyn Weenie>,
        extent: f32,
        is_fully_constrained: bool,
    ) -> Result<(), MotionError> {
        if !has_footing(body, weenie) {
            return Err(MotionError::NotGrounded);
        }
        if is_fully_constrained {
            return Err(MotionError::Failed);
        }
        if let Some(reason) = self.pending.first().and_then(|oldest| oldest.jump_error) {
            return Err(reason);
        }
        self.jump_charge_is_allowed(weenie)?;
        motion_allows_jump(self.interpreted.forward.command, self.era)?;
        match weenie {
            Some(weenie) if weenie.jump_stamina_cost(extent).is_none() => Err(MotionError::Failed),
            _ => Ok(()),
        }
    }

    /// Charges a jump (rule F12). A body that stands still prepares a standing long jump. Being in the air is not an error
    /// yet.
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

/// Returns `true` if the body stands on walkable ground or does not need to (rules F13, F14).
fn has_footing(body: &Body, weenie: Option<&dyn Weenie>) -> bool {
    weenie.is_some_and(|weenie| !weenie.is_creature())
        || !body.state.contains(PhysicsState::GRAVITY)
        || body.is_standing()
}

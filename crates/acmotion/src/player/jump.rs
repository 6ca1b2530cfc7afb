//! The jump key (rules C21–C23, K9).

use acmotion_types::MotionCommand;
use acmotion_wire::{Action, JumpNonAutonomous};

use super::{CancelReason, Controls, RequestError, RequestKind, message};
use crate::interp::jump_level;

impl Controls<'_> {
    /// The jump key goes down: a jump is charged, and the server is told (rule C21).
    ///
    /// # Errors
    /// Why there is no jumping; nothing is sent then.
    #[doc(alias = "CommenceJump")]
    pub fn begin_jump(&mut self, now: f64) -> Result<(), RequestError> {
        self.because(CancelReason::Keys, now, |player| player.charge_up(now))
    }

    fn charge_up(&mut self, now: f64) -> Result<(), RequestError> {
        let guid = self.guid().ok_or(RequestError::NoPlayer)?;
        if self.local().jump_since.is_some() {
            return Ok(());
        }
        let charged = self.world.act(guid, now, |actor, _| actor.charge_jump());
        charged.ok_or(RequestError::NoPlayer)?.map_err(RequestError::Motion)?;
        self.local().jump_since = Some(now);
        self.send_movement(now);
        Ok(())
    }

    /// How far the jump is charged, from 0 to 1; none is if no jump is (rule C22).
    #[doc(alias = "GetJumpPowerLevel")]
    pub fn jump_power(&self, now: f64) -> Option<f32> {
        self.charge(now).map(|(level, _)| level)
    }

    /// The jump key goes up: off the ground (rule C23).
    ///
    /// # Errors
    /// Why there is no jump; nothing is sent then.
    #[doc(alias = "DoJump")]
    pub fn end_jump(&mut self, now: f64) -> Result<(), RequestError> {
        let (_, extent) = self.charge(now).ok_or(RequestError::NotCharged)?;
        self.because(CancelReason::Keys, now, |player| player.launch(extent, now))
    }

    /// A jump of that extent, from 0.001 to 1, without holding the key for it. It is
    /// [done](super::RequestProgress::Done) when he stands again.
    ///
    /// # Errors
    /// Why there is no jump.
    pub fn jump(&mut self, extent: f32, now: f64) -> Result<(), RequestError> {
        let (id, kind) = (self.local().tasks.number(), RequestKind::Jump);
        let (_, least) = jump_level(0.0, false);
        let extent = if extent.is_nan() { least } else { extent.clamp(least, 1.0) };
        let launched = self.because(CancelReason::Request, now, |player| {
            player.charge_up(now)?;
            player.launch(extent, now)
        });
        if let Err(why) = launched {
            return self.refuse(id, kind, why, now);
        }
        self.begun(id, kind, now);
        Ok(())
    }

    fn charge(&self, now: f64) -> Option<(f32, f32)> {
        let since = self.world.local.jump_since?;
        let style = self.own()?.entity().interp.interpreted.style;
        Some(jump_level(now - since, style == MotionCommand::DUAL_WIELD_COMBAT))
    }

    fn launch(&mut self, extent: f32, now: f64) -> Result<(), RequestError> {
        let guid = self.guid().ok_or(RequestError::NoPlayer)?;
        self.finish_jump(now);
        if self.autonomy() == 0 {
            // The charge is over before it is read (rule C23).
            self.local().send(Action::JumpNonAutonomous(JumpNonAutonomous { extent: 0.0 }));
            return Ok(());
        }
        let launched = self.world.act(guid, now, |actor, _| actor.release_jump(extent));
        let velocity = launched.ok_or(RequestError::NoPlayer)?.map_err(RequestError::Motion)?;
        self.world.tell_as_player(guid, |local, own| {
            let stamps = message::echoed(own.stamps());
            local.send(Action::Jump(message::jump(own.entity(), stamps, extent, velocity)));
        });
        Ok(())
    }

    /// The charge is over, whatever comes of it (rules C23, K8).
    #[doc(alias = "FinishJump")]
    pub(super) fn finish_jump(&mut self, now: f64) {
        self.local().jump_since = None;
        if let Some(guid) = self.guid() {
            self.world.act(guid, now, |actor, _| actor.entity.interp.standing_long_jump = false);
        }
    }
}

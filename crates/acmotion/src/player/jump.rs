//! The jump key (rules C21–C23, K9).

use acmotion_types::MotionCommand;
use acmotion_wire::{CancelAttack, GameActionBody, JumpNonAutonomous};

use super::{CancelReason, Controls, RequestError, RequestId, RequestKind, message};
use crate::interp::jump_level;

impl Controls<'_> {
    /// Presses the jump key: starts to charge a jump, cancels the attack and sends a `MoveToState` (rule C21). The
    /// `CancelAttack` is sent even if there is no attack (recorded, 2 of 2).
    ///
    /// # Errors
    /// The reason why the player cannot jump. Nothing is sent then.
    #[doc(alias = "CommenceJump")]
    pub fn begin_jump(&mut self, now: f64) -> Result<(), RequestError> {
        let now = self.world.accept_time(now);
        self.with_cause(CancelReason::Keys, now, |player| player.start_charge(now))
    }

    fn start_charge(&mut self, now: f64) -> Result<(), RequestError> {
        let guid = self.guid().ok_or(RequestError::NoPlayer)?;
        if self.local().jump_start.is_some() {
            return Ok(());
        }
        let charged = self.world.act(guid, now, |actor, _| actor.charge_jump());
        charged.ok_or(RequestError::NoPlayer)?.map_err(RequestError::Motion)?;
        self.local().jump_start = Some(now);
        if self.abort_attack(CancelReason::Keys, now).is_none() {
            self.local().send(GameActionBody::CancelAttack(CancelAttack));
        }
        self.send_movement(now);
        Ok(())
    }

    /// Returns how far the jump is charged, from 0 to 1 (rule C22), or `None` if no jump is being charged.
    #[doc(alias = "GetJumpPowerLevel")]
    pub fn jump_power(&self, now: f64) -> Option<f32> {
        let now = self.world.valid_time(now);
        self.charge(now).map(|(level, _)| level)
    }

    /// Releases the jump key: the player jumps (rule C23).
    ///
    /// # Errors
    /// The reason why the player does not jump. Nothing is sent then.
    #[doc(alias = "DoJump")]
    pub fn end_jump(&mut self, now: f64) -> Result<(), RequestError> {
        let now = self.world.accept_time(now);
        let (_, extent) = self.charge(now).ok_or(RequestError::NotCharged)?;
        self.with_cause(CancelReason::Keys, now, |player| player.launch(extent, now))
    }

    /// Requests a jump of an extent from 0.001 to 1, without holding the key for it. The request is
    /// [done](super::RequestProgress::Done) when the player stands again.
    ///
    /// # Errors
    /// The reason why the player does not jump.
    pub fn jump(&mut self, extent: f32, now: f64) -> Result<RequestId, RequestError> {
        let now = self.world.accept_time(now);
        let (id, kind) = (self.local().requests.next_id(), RequestKind::Jump);
        let (_, min) = jump_level(0.0, false);
        let extent = if extent.is_nan() { min } else { extent.clamp(min, 1.0) };
        let launched = self.with_cause(CancelReason::Request, now, |player| {
            player.start_charge(now)?;
            player.launch(extent, now)
        });
        if let Err(error) = launched {
            return self.refuse(id, kind, error, now);
        }
        self.on_started(id, kind, now);
        Ok(id)
    }

    /// Returns the level and the extent of the jump that is being charged.
    fn charge(&self, now: f64) -> Option<(f32, f32)> {
        let start = self.world.local.jump_start?;
        let style = self.own()?.entity().interp.interpreted.style;
        Some(jump_level(now - start, style == MotionCommand::DUAL_WIELD_COMBAT))
    }

    fn launch(&mut self, extent: f32, now: f64) -> Result<(), RequestError> {
        let guid = self.guid().ok_or(RequestError::NoPlayer)?;
        self.finish_jump(now);
        if self.autonomy() == 0 {
            // The original clears the charge before it computes the extent (rule C23).
            self.local().send(GameActionBody::JumpNonAutonomous(JumpNonAutonomous { extent: 0.0 }));
            return Ok(());
        }
        let launched = self.world.act(guid, now, |actor, _| actor.release_jump(extent));
        let velocity = launched.ok_or(RequestError::NoPlayer)?.map_err(RequestError::Motion)?;
        self.world.send_as_player(guid, |local, own| {
            let stamps = message::echoed(own.stamps());
            local.send(GameActionBody::Jump(message::jump(own.entity(), stamps, extent, velocity)));
        });
        Ok(())
    }

    /// Ends the charge, whether or not a jump follows (rules C23, K8).
    #[doc(alias = "FinishJump")]
    pub(super) fn finish_jump(&mut self, now: f64) {
        self.local().jump_start = None;
        if let Some(guid) = self.guid() {
            self.world.act(guid, now, |actor, _| actor.entity.interp.standing_long_jump = false);
        }
    }
}

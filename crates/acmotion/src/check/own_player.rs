//! The local player of a world that watches its client: a replay's, or a checker's. It is moved by what its own client
//! sent.

use acmotion_types::{ActionStamp, CellPosition, Guid, MotionCommand};
use acmotion_wire::{MovementBody, UpdateMotion};

use super::client_motion::{ClientMotion, ClientMotionKind, launch_velocity};
use crate::World;

/// Moves the local player of a world by the messages of its own client. The world must know the
/// [player](crate::Settings::player).
///
/// ```
/// use acmotion::World;
/// use acmotion::check::{ClientMotion, OwnPlayer};
///
/// /// Shows a recorded client's own player, too: the server does not send it what it reported itself.
/// fn show(world: &mut World, player: &mut OwnPlayer, sent: &[(f64, ClientMotion)]) {
///     for (time, motion) in sent {
///         if let Some((guid, Some(shown))) = player.follow(world, motion, *time) {
///             println!("{time:.2} s: {guid} was shown at {shown:?}");
///         }
///         world.tick(*time);
///     }
/// }
/// # use acmotion::dat::Assets;
/// # show(&mut World::new(Assets::mannequin()), &mut OwnPlayer::default(), &[]);
/// ```
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct OwnPlayer {
    /// The stamp of the newest action that was played; `None` before the first.
    last_action: Option<ActionStamp>,
}

impl OwnPlayer {
    /// Returns the stamp of the newest action that was played; `None` before the first.
    pub(super) fn last_action(&self) -> Option<ActionStamp> {
        self.last_action
    }

    /// Moves the player's body as its client's message describes: first to the position, then by the keys or the jump.
    /// Returns the player, and the position at which its body was shown before, which is `None` if it was not in the
    /// world.
    ///
    /// If the player is not known, the position is only remembered. Messages that the client sent before it had
    /// received the player's last teleport are ignored, as a server ignores them (`docs/wire.md` 5). In both cases the
    /// result is `None`.
    pub fn follow(
        &mut self,
        world: &mut World,
        motion: &ClientMotion,
        now: f64,
    ) -> Option<(Guid, Option<CellPosition>)> {
        let guid = world.player().guid();
        let body = guid.and_then(|guid| world.find(guid)).filter(|own| own.body().is_in_cell());
        if body.is_some_and(|own| own.stamps().teleport.is_newer_than(motion.stamps.teleport)) {
            return None;
        }
        let shown = body.map(|own| own.position());
        if let Some(position) = &motion.position {
            world.add_player_stand_in(position, &motion.stamps, now);
            world.set_player_position(position, motion.has_contact, now);
        }
        let guid = guid?;
        match &motion.kind {
            ClientMotionKind::Position => {}
            ClientMotionKind::State { raw, is_long_jump } => {
                let last = self.last_action;
                let newest =
                    world.act(guid, now, |actor, _| actor.apply_client_state(raw, *is_long_jump, last));
                self.last_action = newest.unwrap_or(last);
            }
            ClientMotionKind::Jump { velocity, .. } => {
                let frame = motion.position.or(shown).map(|position| position.frame);
                if let Some(velocity) = frame.and_then(|frame| launch_velocity(*velocity, &frame)) {
                    world.act(guid, now, |actor, _| actor.apply_client_jump(velocity));
                }
            }
        }
        Some((guid, shown))
    }
}

/// Learns the run rate of a player whose skills are not known from the server's echo of its run. The original ignores the
/// echo, because it knows the skills (rule D9).
pub fn learn_run_rate(world: &mut World, echo: &UpdateMotion<'_>, now: f64) {
    let MovementBody::Interpreted { state, .. } = &echo.data.movement.body else { return };
    let is_own = echo.data.autonomous.get() && world.player().guid() == Some(echo.guid);
    let Some(rate) = state.forward_speed.filter(|rate| is_own && rate.is_finite() && *rate > 0.0) else {
        return;
    };
    if state.forward_command != Some(MotionCommand::RUN_FORWARD) {
        return;
    }
    world.act(echo.guid, now, |actor, _| {
        let is_unknown = actor.entity.weenie().is_some_and(|weenie| weenie.run_rate().is_none());
        if is_unknown && actor.entity.interp.my_run_rate != rate {
            actor.entity.interp.my_run_rate = rate;
            actor.apply_current_movement(false, false);
        }
    });
}

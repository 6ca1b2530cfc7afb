//! What a message of the server changes, and which stamps a client can echo afterwards.

use acmotion_wire::{EchoedStamps, ObjectStamps, UpdateMotion};

use super::{Checker, SETTLING_SECONDS, is_idle};
use crate::body::PhysicsState;
use crate::check::{Finding, ImpossibleFlag, LateReason, ReplayedStamp};
use crate::world::StandIn;

/// What a message of the server can change.
#[derive(Clone, Copy)]
pub(super) struct Known {
    stamps: ObjectStamps,
    rate: f32,
    jump: Option<f32>,
    is_stuck: bool,
    /// Whether no order and no motion of the server is under way.
    is_idle: bool,
    state: PhysicsState,
}

impl Checker {
    pub(super) fn known(&self) -> Option<Known> {
        self.player().map(|player| {
            let weenie = player.entity().weenie();
            Known {
                stamps: *player.stamps(),
                rate: player.entity().interp.run_rate(weenie),
                jump: weenie.and_then(|weenie| weenie.jump_speed(1.0)),
                is_stuck: player.entity().correction.is_stuck(),
                is_idle: is_idle(player),
                state: player.body().state,
            }
        })
    }

    /// Compares what is known of the player with what was known before a message of the server.
    pub(super) fn on_sent(&mut self, before: Option<Known>, update: Option<&UpdateMotion<'_>>) {
        let Some(after) = self.known() else { return };
        let before = before.unwrap_or(after);
        // A player in portal space does not collide; it reappears with a new teleport stamp.
        let is_hidden = |known: &Known| known.state.contains(PhysicsState::HIDDEN);
        let is_portal = is_hidden(&before) != is_hidden(&after);
        let is_other = after.rate != before.rate
            || after.jump != before.jump
            || (after.state != before.state && !is_portal);
        if is_other && self.base.is_some() {
            self.uncertain_until = self.now + self.settings.grace;
            self.recent_rate = (before.rate.max(after.rate), self.now + self.settings.grace);
        }
        if after.stamps.server_control != before.stamps.server_control {
            self.is_ordered = true;
            let stamp = after.stamps.server_control;
            match update.filter(|update| update.data.server_control == stamp) {
                Some(update) => self.orders.add(update, &self.world, self.now, before.is_idle),
                None => self.orders.add_unknown(stamp),
            }
            self.led_by = Some((stamp, self.now));
        }
        if after.is_stuck {
            self.sticky_until = self.now + self.settings.grace;
        }
        let stamps = echo(&after.stamps);
        if stamps.teleport != before.stamps.teleport || stamps.force_position != before.stamps.force_position
        {
            self.lead = 0.0;
            // The client stops its player when it receives the teleport, not when it is sent.
            self.unsettled_until = self.now + self.settings.grace + SETTLING_SECONDS;
            self.rebase(stamps, None);
            self.knows_keys = false;
            self.is_sent_somewhere = false;
            self.orders.clear();
        }
    }

    /// Returns what is wrong with the stamps that a client echoes.
    pub(super) fn check_stamps(&self, echoed: &EchoedStamps) -> Option<Finding> {
        let player = self.player()?;
        let sent = echo(player.stamps());
        // The stamps of a player that was never created are only those that its client once echoed.
        if !player.stand_in().contains(StandIn::WHOLE) {
            let is_unsent = echoed.instance.is_newer_than(sent.instance)
                || echoed.server_control.is_newer_than(sent.server_control)
                || echoed.teleport.is_newer_than(sent.teleport)
                || echoed.force_position.is_newer_than(sent.force_position);
            if is_unsent {
                return Some(Finding::ImpossibleFlags(ImpossibleFlag::UnsentStamp));
            }
        }
        if sent.instance.is_newer_than(echoed.instance) {
            return Some(Finding::Late(LateReason::OldInstance));
        }
        let last = self.base.as_ref()?.stamps;
        if last.server_control.is_newer_than(echoed.server_control) {
            return Some(Finding::StampReplayed(ReplayedStamp::ServerControl));
        }
        let is_late = sent.teleport.is_newer_than(echoed.teleport)
            || sent.force_position.is_newer_than(echoed.force_position);
        is_late.then_some(Finding::Late(LateReason::BeforeTeleport))
    }
}

/// Returns the stamps that a client echoes once it has received these.
fn echo(stamps: &ObjectStamps) -> EchoedStamps {
    EchoedStamps {
        instance: stamps.instance,
        server_control: stamps.server_control,
        teleport: stamps.teleport,
        force_position: stamps.force_position,
    }
}

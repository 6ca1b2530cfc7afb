//! What a message of the server changes, and which stamps a client can echo afterwards.

use acmotion_wire::{EchoedStamps, ObjectStamps, UpdateMotion};

use super::{Checker, SETTLING_SECONDS, is_idle};
use crate::body::PhysicsState;
use crate::check::{Finding, ImpossibleFlag, LateReason, ReplayedStamp};
use crate::world::{Resident, StandIn};

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
            self.update_base();
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

    /// Gives the player of the last report the skills and the state that the server has sent since. A player that stands does
    /// not report for longer than its path is uncertain.
    fn update_base(&mut self) {
        let Some(player) = self.world.find(self.player).map(Resident::entity) else { return };
        let Some(base) = &mut self.base else { return };
        let bounds = base.bounds.iter_mut().flatten().map(|entity| &mut **entity);
        for entity in std::iter::once(&mut base.entity).chain(bounds) {
            entity.set_weenie(player.weenie.clone());
            entity.body.state = player.body.state;
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use acmotion_types::{CellPosition, MotionCommand, Stamp};
    use acmotion_wire::{PositionFlags, PositionPack, UpdatePosition};

    use super::super::fixture::*;
    use super::*;
    use crate::check::Method;
    use crate::interp::PlayerWeenie;

    fn teleport(to: &CellPosition, teleport: u16, force_position: u16) -> Vec<u8> {
        let pack = PositionPack {
            flags: PositionFlags::GROUNDED,
            position: *to,
            velocity: None,
            placement: None,
            instance: Stamp(0),
            position_stamp: Stamp(1),
            teleport: Stamp(teleport),
            force_position: Stamp(force_position),
        };
        encode(UpdatePosition { guid: PLAYER, pack })
    }

    /// Changes the player's skills as a description does.
    fn describe(checker: &mut Checker, run_skill: u32, jump_skill: u32) {
        let before = checker.known();
        let weenie = PlayerWeenie { run_skill, jump_skill, ..PlayerWeenie::default() };
        checker.world.set_player_weenie(Arc::new(weenie));
        checker.on_sent(before, None);
    }

    /// The client needs up to 4 s to receive it.
    #[test]
    fn skills_that_change_leave_the_path_unknown_for_a_while() {
        for (run, jump, is_uncertain) in [(200, 300, false), (100, 300, true), (200, 100, true)] {
            let mut checker = checker();
            describe(&mut checker, run, jump);
            let expected = if is_uncertain { 14.0 } else { f64::NEG_INFINITY };
            assert_eq!(
                (checker.uncertain_until, checker.recent_rate.1),
                (expected, expected),
                "{run} {jump}"
            );
            // Nothing to be uncertain about before the first report.
            let mut new = super::super::fixture::checker();
            new.base = None;
            describe(&mut new, run, jump);
            assert_eq!(new.uncertain_until, f64::NEG_INFINITY);
        }
        // The faster of the two rates counts meanwhile: 2.375 for a skill of 200.
        for skills in [[100, 200], [200, 100]] {
            let mut checker = checker();
            skills.into_iter().for_each(|run| describe(&mut checker, run, 300));
            assert_near(f64::from(checker.recent_rate.0), 2.375, 1e-6);
        }
    }

    /// A player that stands does not report. What was sent meanwhile is not lost when it moves.
    #[test]
    fn skills_and_state_that_were_sent_since_the_last_report_are_those_of_the_next() {
        let mut checker = checker();
        report(&mut checker, at(96.5, 96.5), 11.0);
        let state = checker.player().unwrap().body().state ^ PhysicsState::REPORT_COLLISIONS;
        checker.sent(&set_state(PLAYER, state, 1), 12.0).unwrap();
        describe(&mut checker, 100, 300);
        let rate = checker.known().unwrap().rate;
        assert!(rate < 2.3, "{rate}");
        assert_eq!(report(&mut checker, at(96.5, 96.5), 20.0).method, Method::Predicted);
        let known = checker.known().unwrap();
        assert_eq!((known.rate, known.state), (rate, state));
        // Neither is it lost by a copy that began sooner or later.
        let base = checker.base.as_ref().unwrap();
        let bounds = base.bounds.as_ref().expect("it stood");
        assert!(bounds.iter().all(|entity| entity.body.state == state));
        assert_eq!(report(&mut checker, at(96.5, 96.5), 21.0).method, Method::Predicted);
        describe(&mut checker, 200, 300);
        let base = checker.base.as_ref().unwrap();
        let rates =
            base.bounds.as_ref().unwrap().each_ref().map(|entity| entity.weenie().unwrap().run_rate());
        assert_eq!(rates, [Some(2.375); 2]);
    }

    /// Rule P7: a player in portal space is hidden, and reappears with a new teleport stamp.
    #[test]
    fn a_state_that_changes_leaves_the_path_unknown_unless_it_is_that_of_portal_space() {
        let mut checker = checker();
        let state = checker.player().unwrap().body().state;
        assert!(!state.contains(PhysicsState::HIDDEN));
        checker.sent(&set_state(PLAYER, state, 1), 11.0).unwrap();
        assert_eq!(checker.uncertain_until, f64::NEG_INFINITY, "it is the same");
        checker.sent(&set_state(PLAYER, state | PhysicsState::HIDDEN, 2), 12.0).unwrap();
        assert_eq!(checker.uncertain_until, f64::NEG_INFINITY);
        checker.sent(&set_state(PLAYER, state, 3), 13.0).unwrap();
        assert_eq!(checker.uncertain_until, f64::NEG_INFINITY);
        checker.sent(&set_state(PLAYER, state ^ PhysicsState::REPORT_COLLISIONS, 4), 14.0).unwrap();
        assert_eq!(checker.uncertain_until, 18.0);
        assert_eq!((checker.is_ordered, checker.led_by), (false, None));
    }

    #[test]
    fn an_order_leads_the_shadow_from_the_time_at_which_it_is_sent() {
        let mut checker = checker();
        checker.sent(&go(PLAYER, &at(96.5, 110.0), 1.0, 1), 11.0).unwrap();
        assert_eq!((checker.is_ordered, checker.led_by), (true, Some((Stamp(1), 11.0))));
        assert_eq!(checker.orders.goals().count(), 1);
        assert!(checker.orders.interrupted_nothing(Stamp(0), Stamp(1)), "the player did nothing before");
        let deviation = |checker: &Checker, newest: u16| {
            checker.orders.deviation(&at(96.5, 96.5), (Stamp(0), Stamp(newest)), &at(96.5, 100.0))
        };
        assert!(deviation(&checker, 1).is_some());
        checker.sent(&go(PLAYER, &at(96.5, 115.0), 1.0, 2), 11.5).unwrap();
        assert!(!checker.orders.interrupted_nothing(Stamp(1), Stamp(2)), "it was on its way");
        // An order of another stamp, to another entity, is not the player's.
        let mut other = super::super::fixture::checker();
        other.world.add_stand_in(OTHER, &at(90.0, 90.0), 10.0);
        other.sent(&go(OTHER, &at(96.5, 110.0), 1.0, 1), 11.0).unwrap();
        assert_eq!((other.is_ordered, other.led_by, other.orders.goals().count()), (false, None, 0));
    }

    #[test]
    fn a_player_that_sticks_to_an_entity_may_do_so_for_a_while() {
        let mut checker = checker();
        checker.world.add_stand_in(OTHER, &at(96.5, 98.5), 10.0);
        checker.sent(&stance(PLAYER, MotionCommand::NON_COMBAT, None, 1), 11.0).unwrap();
        assert_eq!(checker.sticky_until, f64::NEG_INFINITY);
        checker.sent(&stance(PLAYER, MotionCommand::NON_COMBAT, Some(OTHER), 2), 12.0).unwrap();
        assert_eq!(checker.sticky_until, 16.0);
    }

    /// The client stops its player when it receives the teleport: within 4 s, and its animations end within 2.5 s.
    #[test]
    fn a_teleport_or_a_forced_position_begins_anew() {
        for (stamp, forced) in [(1, 0), (0, 1)] {
            let mut checker = checker();
            checker.sent(&go(PLAYER, &at(96.5, 110.0), 1.0, 1), 10.5).unwrap();
            checker.lead = 1.5;
            assert!(checker.knows_keys && checker.is_sent_somewhere);
            checker.sent(&teleport(&at(50.0, 60.0), stamp, forced), 11.0).unwrap();
            assert_eq!((checker.lead, checker.unsettled_until), (0.0, 17.5));
            assert_eq!((checker.knows_keys, checker.is_sent_somewhere), (false, false));
            assert_eq!(checker.orders.goals().count(), 0);
            let base = checker.base.as_ref().unwrap();
            assert_near(f64::from(base.entity.body.position.distance_to(&at(50.0, 60.0))), 0.0, 0.01);
            let echoed = (base.stamps.teleport, base.stamps.force_position, base.at);
            assert_eq!(echoed, (Stamp(stamp), Stamp(forced), 11.0));
        }
        let mut plain = checker();
        plain.lead = 1.5;
        plain.sent(&teleport(&at(96.5, 97.5), 0, 0), 11.0).unwrap();
        assert_eq!((plain.lead, plain.knows_keys, plain.base.as_ref().unwrap().at), (1.5, true, 10.0));
    }

    /// What a player that was never created echoes is all that is known of its stamps.
    #[test]
    fn the_stamps_of_a_stand_in_are_those_that_its_client_echoes() {
        let checker = checker();
        assert!(checker.player().unwrap().stand_in().contains(StandIn::WHOLE));
        let echoed = |server_control: u16, teleport: u16| EchoedStamps {
            server_control: Stamp(server_control),
            teleport: Stamp(teleport),
            ..EchoedStamps::default()
        };
        assert_eq!(checker.check_stamps(&echoed(5, 5)), None);
        let replayed = Finding::StampReplayed(ReplayedStamp::ServerControl);
        assert_eq!(checker.check_stamps(&echoed(u16::MAX, 0)), Some(replayed));
        let late = Finding::Late(LateReason::BeforeTeleport);
        assert_eq!(checker.check_stamps(&echoed(0, u16::MAX)), Some(late));
        let old = EchoedStamps { instance: Stamp(u16::MAX), ..EchoedStamps::default() };
        assert_eq!(checker.check_stamps(&old), Some(Finding::Late(LateReason::OldInstance)));
    }
}

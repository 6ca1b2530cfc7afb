//! The decisions on messages, case by case (rules D3–D12).

use acmotion::explain::{Action, Stale};
use acmotion::internals::gate::{
    self, CreateVerdict, InstanceVerdict, MotionReport, PositionReport, Situation, StateReport,
};
use acmotion::types::Stamp;
use acmotion::wire::ObjectStamps;
use proptest::prelude::*;

fn near_remote() -> Situation {
    Situation { has_cell: true, player_distance: 40.0, ..Situation::default() }
}

fn player() -> Situation {
    Situation { is_player: true, has_cell: true, player_distance: 0.0, ..Situation::default() }
}

fn report(position: u16) -> PositionReport {
    PositionReport { position: Stamp(position), has_contact: true, ..PositionReport::default() }
}

/// The examples of section D: a remote at 40 m with contact interpolates; without contact only the stamp advances.
#[test]
fn a_near_remote_interpolates_only_to_reports_with_contact() {
    let mut stamps = ObjectStamps::default();
    let actions = gate::position(&mut stamps, report(1), near_remote());
    assert_eq!(*actions, [Action::Unparent, Action::Interpolate, Action::ConstrainToOwn]);
    let in_the_air = PositionReport { has_contact: false, ..report(2) };
    assert_eq!(*gate::position(&mut stamps, in_the_air, near_remote()), [Action::Unparent]);
    assert_eq!(stamps.position, Stamp(2));
    assert_eq!(gate::position(&mut stamps, report(2), near_remote()).stale(), Some(Stale::Position));
}

/// Exactly 96 m is far. A remote that follows an order keeps its heading.
#[test]
fn a_far_remote_is_moved_at_once() {
    let mut stamps = ObjectStamps::default();
    for (position, distance, expected) in [
        (1, 95.9, Action::Interpolate),
        (2, 96.0, Action::StopInterpolating),
        (3, f32::MAX, Action::StopInterpolating),
    ] {
        let situation = Situation { player_distance: distance, ..near_remote() };
        assert_eq!(gate::position(&mut stamps, report(position), situation)[1], expected);
    }
    let ordered = Situation { is_moving_to: true, ..near_remote() };
    assert_eq!(gate::position(&mut stamps, report(4), ordered)[1], Action::InterpolateKeepHeading);
}

/// A report with an older teleport stamp is dropped.
#[test]
fn a_newer_teleport_stamp_teleports_a_remote_even_without_contact() {
    let mut stamps = ObjectStamps::default();
    let teleport = PositionReport { teleport: Stamp(1), has_contact: false, ..report(1) };
    let actions = gate::position(&mut stamps, teleport, near_remote());
    assert_eq!(
        *actions,
        [Action::Unparent, Action::TeleportHook, Action::SetPositionTeleport, Action::ConstrainToOwn]
    );
    assert_eq!(stamps.teleport, Stamp(1));
    let from_before = report(2);
    assert_eq!(gate::position(&mut stamps, from_before, near_remote()).stale(), Some(Stale::Teleport));
    assert_eq!(stamps.position, Stamp(1), "the position stamp is restored");
    let nowhere = Situation { has_cell: false, ..near_remote() };
    let again = PositionReport { teleport: Stamp(1), ..report(2) };
    assert_eq!(
        gate::position(&mut stamps, again, nowhere)[1],
        Action::TeleportHook,
        "a remote without a cell is teleported"
    );
}

/// Any other position only constrains it. A forced position moves it whatever the position stamp.
#[test]
fn at_full_autonomy_the_player_is_moved_only_by_force_or_teleport() {
    let mut stamps = ObjectStamps { position: Stamp(9), ..ObjectStamps::default() };
    let actions = gate::position(&mut stamps, report(10), player());
    assert_eq!(*actions, [Action::Unparent, Action::ConstrainToMessage]);
    let forced = PositionReport { force_position: Stamp(1), ..report(3) };
    let actions = gate::position(&mut stamps, forced, player());
    assert_eq!(*actions, [Action::BlipKeepHeading, Action::SendAutonomousPosition]);
    assert_eq!((stamps.position, stamps.force_position), (Stamp(3), Stamp(1)));
    let teleport = PositionReport { force_position: Stamp(1), teleport: Stamp(1), ..report(4) };
    let actions = gate::position(&mut stamps, teleport, player());
    assert_eq!(
        *actions,
        [Action::Unparent, Action::TeleportPlayer, Action::ConstrainToMessage, Action::ZeroVelocity]
    );
    let before_the_teleport = PositionReport { force_position: Stamp(2), ..report(5) };
    assert_eq!(gate::position(&mut stamps, before_the_teleport, player()).stale(), Some(Stale::Teleport));
    assert_eq!(stamps.force_position, Stamp(2), "stored at once");
}

#[test]
fn at_lower_autonomy_the_player_takes_positions_and_velocities_from_the_server() {
    for (autonomy, expected) in [(0, Action::Interpolate), (1, Action::InterpolateKeepHeading)] {
        let situation = Situation { autonomy, ..player() };
        let actions = gate::position(&mut ObjectStamps::default(), report(1), situation);
        assert_eq!(*actions, [Action::Unparent, Action::ConstrainToMessage, expected]);
        let actions = gate::vector(&mut ObjectStamps::default(), Stamp(1), situation);
        assert_eq!(*actions, [Action::SetVelocity, Action::SetOmega]);
    }
    assert_eq!(*gate::vector(&mut ObjectStamps::default(), Stamp(1), player()), [Action::IgnoreOwn]);
}

/// The movement stamp advances even then; an equal server-control stamp is accepted.
#[test]
fn a_movement_with_an_older_server_control_stamp_is_rejected() {
    let mut stamps = ObjectStamps { server_control: Stamp(5), ..ObjectStamps::default() };
    let of = |movement, server_control, autonomous| MotionReport {
        movement: Stamp(movement),
        server_control: Stamp(server_control),
        autonomous,
    };
    let remote = near_remote();
    assert_eq!(gate::motion(&mut stamps, of(1, 4, false), remote).stale(), Some(Stale::ServerControl));
    assert_eq!((stamps.movement, stamps.server_control), (Stamp(1), Stamp(5)));
    assert_eq!(gate::motion(&mut stamps, of(1, 5, false), remote).stale(), Some(Stale::Movement));
    let actions = gate::motion(&mut stamps, of(2, 5, true), remote);
    assert_eq!(*actions, [Action::LastMoveAutonomous(true), Action::UnpackMovement]);
    assert_eq!(*gate::motion(&mut stamps, of(3, 6, true), player()), [Action::IgnoreOwnEcho]);
    let actions = gate::motion(&mut stamps, of(4, 6, false), player());
    assert_eq!(
        *actions,
        [Action::LastMoveAutonomous(false), Action::UnpackMovement, Action::LoseControlToServer]
    );
}

/// Scenario P7.
#[test]
fn portal_space_begins_with_the_announcement_and_ends_when_the_player_is_shown() {
    let mut stamps = ObjectStamps { teleport: Stamp(3), ..ObjectStamps::default() };
    assert_eq!(*gate::player_teleport(&stamps, Stamp(3)), [Action::EnterPortalSpace]);
    assert_eq!(*gate::player_teleport(&stamps, Stamp(4)), [Action::EnterPortalSpace]);
    assert_eq!(gate::player_teleport(&stamps, Stamp(2)).stale(), Some(Stale::Teleport));
    assert_eq!(stamps.teleport, Stamp(3), "compared only");
    let of = |state, hidden| StateReport { state: Stamp(state), hidden };
    assert_eq!(*gate::state(&mut stamps, of(1, true), true, true), [Action::SetState]);
    let shown = gate::state(&mut stamps, of(2, false), true, true);
    assert_eq!(*shown, [Action::SetState, Action::ClearWaitingForTeleport]);
    assert_eq!(*gate::state(&mut stamps, of(3, false), false, true), [Action::SetState]);
    assert_eq!(gate::state(&mut stamps, of(3, false), true, true).stale(), Some(Stale::State));
}

/// Rule D4.
#[test]
fn parent_and_pickup_events_share_the_position_stamp() {
    let mut stamps = ObjectStamps::default();
    assert_eq!(*gate::parent_event(&mut stamps, Stamp(1)), [Action::SetParent]);
    assert_eq!(gate::pickup_event(&mut stamps, Stamp(1)).stale(), Some(Stale::Position));
    assert_eq!(*gate::pickup_event(&mut stamps, Stamp(2)), [Action::Unparent, Action::LeaveWorld]);
    assert_eq!(*gate::obj_desc(&mut stamps, Stamp(1)), [Action::SetVisualDesc]);
    assert_eq!(gate::obj_desc(&mut stamps, Stamp(1)).stale(), Some(Stale::VisualDesc));
}

/// Rules D3, D11 and D12.
#[test]
fn the_instance_decides_whether_a_message_is_processed_queued_or_dropped() {
    let known = Some(Stamp(5));
    assert_eq!(gate::check_instance(None, Stamp(5)), InstanceVerdict::Queue);
    assert_eq!(gate::check_instance(known, Stamp(6)), InstanceVerdict::Queue);
    assert_eq!(gate::check_instance(known, Stamp(5)), InstanceVerdict::Process);
    assert_eq!(gate::check_instance(known, Stamp(4)), InstanceVerdict::Drop);
    assert_eq!(gate::check_create(None, Stamp(5), true), CreateVerdict::Create);
    assert_eq!(gate::check_create(known, Stamp(5), false), CreateVerdict::Update);
    assert_eq!(gate::check_create(known, Stamp(5), true), CreateVerdict::Recreate);
    assert_eq!(gate::check_create(known, Stamp(6), false), CreateVerdict::Recreate);
    assert_eq!(gate::check_create(known, Stamp(4), true), CreateVerdict::Drop(Stale::Instance));
    assert!(gate::may_delete(Stamp(5), Stamp(5), false));
    assert!(!gate::may_delete(Stamp(5), Stamp(5), true), "never the player");
    assert!(!gate::may_delete(Stamp(5), Stamp(6), false));
}

fn stamp() -> impl Strategy<Value = Stamp> {
    any::<u16>().prop_map(Stamp)
}

proptest! {
    /// Except that a forced position sets the position stamp. A repeated message is dropped.
    #[test]
    fn stamps_only_advance(
        before in [stamp(), stamp(), stamp()],
        message in [stamp(), stamp(), stamp()],
        (is_player, has_contact, has_cell) in any::<(bool, bool, bool)>(),
        autonomy in 0..3u32,
    ) {
        let [position, teleport, force_position] = before;
        let mut stamps = ObjectStamps { position, teleport, force_position, ..ObjectStamps::default() };
        let [position, teleport, force_position] = message;
        let report = PositionReport { position, teleport, force_position, has_contact };
        let situation = Situation { is_player, autonomy, has_cell, ..Situation::default() };
        let old = stamps;
        let actions = gate::position(&mut stamps, report, situation);
        let forced = actions.first() == Some(&Action::BlipKeepHeading);
        prop_assert!(forced || !old.position.is_newer_than(stamps.position));
        prop_assert!(!old.teleport.is_newer_than(stamps.teleport));
        prop_assert!(!old.force_position.is_newer_than(stamps.force_position));
        if actions.stale().is_some() {
            prop_assert_eq!((stamps.position, stamps.teleport), (old.position, old.teleport));
        }
        let again = gate::position(&mut stamps, report, situation);
        prop_assert!(again.stale().is_some());
    }
}

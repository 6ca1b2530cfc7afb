//! Decisions on reported positions (rules D6, D7).

use acmotion_types::Stamp;
use acmotion_wire::{ObjectStamps, PositionPack};

use super::{Action, Actions, Situation, Stale, advance};
use crate::body::PLAYER_FAR;

/// The stamps and the contact flag of a reported position.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct PositionReport {
    /// The position stamp.
    pub position: Stamp,
    /// The teleport stamp.
    pub teleport: Stamp,
    /// The force-position stamp.
    pub force_position: Stamp,
    /// Whether the body touches ground there.
    pub has_contact: bool,
}

impl From<&PositionPack> for PositionReport {
    fn from(pack: &PositionPack) -> Self {
        Self {
            position: pack.position_stamp,
            teleport: pack.teleport,
            force_position: pack.force_position,
            has_contact: pack.is_grounded(),
        }
    }
}

/// Decides on a reported position (rule D6). The instance has been checked before.
#[doc(alias = "HandleReceivedPosition")]
#[inline]
pub fn position(stamps: &mut ObjectStamps, report: PositionReport, situation: Situation) -> Actions {
    let teleport_is_older = stamps.teleport.is_newer_than(report.teleport);
    if situation.is_player && advance(&mut stamps.force_position, report.force_position) && !teleport_is_older
    {
        stamps.position = report.position;
        return Actions::of(&[Action::BlipKeepHeading, Action::SendAutonomousPosition]);
    }
    if !report.position.is_newer_than(stamps.position) {
        return Actions::dropped(Stale::Position);
    }
    if teleport_is_older {
        return Actions::dropped(Stale::Teleport);
    }
    stamps.position = report.position;
    let teleports = advance(&mut stamps.teleport, report.teleport);
    if situation.is_player {
        for_player(teleports, report.has_contact, situation)
    } else {
        move_or_teleport(teleports, report.has_contact, situation)
    }
}

/// The player follows a teleport. Any other position only constrains it, unless the server moves the player (rule D6).
fn for_player(teleports: bool, has_contact: bool, situation: Situation) -> Actions {
    use Action::{
        ConstrainToMessage, Interpolate, InterpolateKeepHeading, TeleportPlayer, Unparent, ZeroVelocity,
    };
    if teleports {
        return Actions::of(&[Unparent, TeleportPlayer, ConstrainToMessage, ZeroVelocity]);
    }
    if !(situation.uses_position_from_server() && has_contact) {
        return Actions::of(&[Unparent, ConstrainToMessage]);
    }
    if situation.autonomy != 0 {
        return Actions::of(&[Unparent, ConstrainToMessage, InterpolateKeepHeading]);
    }
    Actions::of(&[Unparent, ConstrainToMessage, Interpolate])
}

/// A remote follows a teleport, ignores positions in the air, is moved at once if it is far from the player, and else
/// interpolates (rule D7).
#[doc(alias = "MoveOrTeleport")]
#[inline]
fn move_or_teleport(teleports: bool, has_contact: bool, situation: Situation) -> Actions {
    use Action::{
        ConstrainToOwn, Interpolate, InterpolateKeepHeading, SetPositionSimple, SetPositionTeleport,
        StopInterpolating, TeleportHook, Unparent,
    };
    if teleports || !situation.has_cell {
        Actions::of(&[Unparent, TeleportHook, SetPositionTeleport, ConstrainToOwn])
    } else if !has_contact {
        Actions::of(&[Unparent])
    } else if situation.player_distance >= PLAYER_FAR {
        Actions::of(&[Unparent, StopInterpolating, SetPositionSimple, ConstrainToOwn])
    } else if situation.is_moving_to {
        Actions::of(&[Unparent, InterpolateKeepHeading, ConstrainToOwn])
    } else {
        Actions::of(&[Unparent, Interpolate, ConstrainToOwn])
    }
}

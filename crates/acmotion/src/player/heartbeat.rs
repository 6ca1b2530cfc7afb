//! When the player's position is reported to the server (rules K7, Q8).

use acmotion_types::{CellPosition, EPS};

use crate::body::Body;
use crate::collide::Plane;
use crate::gate::FULL_AUTONOMY;

/// The time, in seconds, after which a changed position is reported.
const INTERVAL: f64 = 1.0;

/// The part of the player's body that decides whether a report is due.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct HeartbeatState {
    position: CellPosition,
    /// The contact plane.
    plane: Plane,
    /// Whether the player has contact with walkable ground.
    is_standing: bool,
    /// Whether the position is finite and in a cell, so that it can be sent.
    is_valid: bool,
}

impl From<&Body> for HeartbeatState {
    fn from(body: &Body) -> Self {
        let position = body.position;
        let is_finite = position.frame.is_valid() && position.frame.origin.is_finite();
        Self {
            position,
            plane: body.contact_plane,
            is_standing: body.is_standing(),
            is_valid: is_finite && body.is_in_cell() && position.cell.low() != 0,
        }
    }
}

/// The last position report, and when the server was last sent a report or a `MoveToState` (rule K1).
///
/// ```
/// use acmotion::components::Heartbeat;
/// use acmotion::dat::Assets;
/// use acmotion::types::{CellId, CellPosition, Guid, MotionCommand, Vec3};
/// use acmotion::{Identity, Settings, World};
///
/// /// Returns the distance of the player from the position that was last reported, in metres.
/// fn unreported(heartbeat: &Heartbeat, position: &CellPosition) -> f32 {
///     heartbeat.last_sent_position.distance_to(position)
/// }
///
/// # fn main() -> Result<(), acmotion::RequestError> {
/// let guid = Guid(0x5000_0001);
/// let settings = Settings { player: Identity::Known(guid), ..Settings::default() };
/// let mut world = World::with_settings(Assets::mannequin(), settings);
/// let start = CellPosition::at(CellId(0xA9B4_0001), Vec3::new(12.0, 4.0, 94.0));
/// world.add_stand_in(guid, &start, 0.0);
/// world.player_mut().press(MotionCommand::WALK_FORWARD, 0.0)?;
/// for frame in 1..=90 {
///     world.advance(f64::from(frame) / 30.0);
/// }
/// let position = world.find(guid).expect("it was added").position();
/// assert!(position.distance_to(&start) > 5.0);
/// assert!(unreported(world.player_mut().heartbeat(), &position) < 4.0, "it is reported once a second");
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Heartbeat {
    /// The time, in seconds, of the last `AutonomousPosition` or `MoveToState`.
    #[doc(alias = "last_sent_position_time")]
    pub last_sent_time: f64,
    /// The position that was last reported.
    pub last_sent_position: CellPosition,
    /// The contact plane when the position was last reported.
    #[doc(alias = "last_sent_contact_plane")]
    pub last_sent_plane: Plane,
}

impl Heartbeat {
    /// Returns `true` if a report is due (rule K7): whenever the cell has changed; within [`INTERVAL`] of the last message
    /// if the contact plane has changed; after it if the frame has changed.
    #[doc(alias = "ShouldSendPositionEvent")]
    pub(super) fn is_due(&self, now: f64, state: &HeartbeatState, autonomy: u32) -> bool {
        if autonomy != FULL_AUTONOMY {
            return false;
        }
        let last = &self.last_sent_position;
        state.position.cell != last.cell
            || if now > self.last_sent_time + INTERVAL {
                !state.position.frame.is_close_to(&last.frame)
            } else {
                !is_same_plane(&state.plane, &self.last_sent_plane)
            }
    }

    /// Records a report and returns `true` if the player stands at a valid position (rules K7, R7). Otherwise the report
    /// stays due.
    #[doc(alias = "SendPositionEvent")]
    pub(super) fn try_send(&mut self, now: f64, state: &HeartbeatState) -> bool {
        let is_sent = state.is_standing && state.is_valid;
        if is_sent {
            *self = Self {
                last_sent_time: now,
                last_sent_position: state.position,
                last_sent_plane: state.plane,
            };
        }
        is_sent
    }

    /// Restarts the interval after a `MoveToState`, which does not count as a position report (rules K6, Q8).
    pub(super) fn on_move_to_state(&mut self, now: f64) {
        self.last_sent_time = now;
    }
}

/// Compares planes with the tolerance of positions (rule A17).
fn is_same_plane(a: &Plane, b: &Plane) -> bool {
    a.normal.is_close_to(b.normal) && (a.d - b.d).abs() <= EPS
}

#[cfg(test)]
mod tests {
    use acmotion_types::{CellId, Vec3};

    use super::*;

    const CELL: CellId = CellId(0xA9B4_0001);

    fn at(x: f32) -> HeartbeatState {
        HeartbeatState {
            position: CellPosition::at(CELL, Vec3::new(x, 10.0, 20.0)),
            plane: Plane::new(Vec3::new(0.0, 0.0, 1.0), -20.0),
            is_standing: true,
            is_valid: true,
        }
    }

    fn is_sent(heart: &mut Heartbeat, now: f64, state: &HeartbeatState) -> bool {
        heart.is_due(now, state, 2) && heart.try_send(now, state)
    }

    /// Rule K7.
    #[test]
    fn a_moving_player_is_reported_once_a_second() {
        let mut heart = Heartbeat::default();
        assert!(is_sent(&mut heart, 0.0, &at(0.0)), "the first cell differs from the initial one");
        for (time, x, expected) in [
            (0.1, 1.0, false),
            (0.999, 5.0, false),
            (1.0, 6.0, false),
            (1.0001, 6.1, true),
            (1.9, 7.0, false),
        ] {
            assert_eq!(is_sent(&mut heart, time, &at(x)), expected, "at {time} s");
        }
        assert!(is_sent(&mut heart, 2.0002, &at(8.0)));
        assert!((3..600).all(|time| !is_sent(&mut heart, f64::from(time), &at(8.0))), "no reports at rest");
    }

    #[test]
    fn a_new_plane_or_cell_is_reported_at_once() {
        let mut heart = Heartbeat::default();
        is_sent(&mut heart, 0.0, &at(0.0));
        let mut ground = at(0.0);
        ground.plane.d = -20.0001;
        assert!(!is_sent(&mut heart, 0.1, &ground));
        ground.plane.d = -20.5;
        assert!(is_sent(&mut heart, 0.2, &ground));
        let mut elsewhere = ground;
        elsewhere.position.cell = CellId(0xA9B4_0002);
        assert!(is_sent(&mut heart, 0.3, &elsewhere));
    }

    #[test]
    fn a_report_stays_due_until_it_can_be_sent() {
        let mut heart = Heartbeat::default();
        let air = HeartbeatState { is_standing: false, ..at(0.0) };
        assert!(heart.is_due(0.0, &air, 2) && !heart.try_send(0.0, &air));
        let nowhere = HeartbeatState { is_valid: false, ..at(0.0) };
        assert!(heart.is_due(0.05, &nowhere, 2) && !heart.try_send(0.05, &nowhere));
        assert!(is_sent(&mut heart, 0.1, &at(0.0)));
        assert!(!heart.is_due(5.0, &at(3.0), 1) && heart.is_due(5.0, &at(3.0), 2));
    }

    #[test]
    fn a_move_to_state_postpones_the_report() {
        let mut heart = Heartbeat::default();
        is_sent(&mut heart, 0.0, &at(0.0));
        heart.on_move_to_state(0.5);
        assert!(!heart.is_due(1.02, &at(1.0), 2) && heart.is_due(1.51, &at(1.0), 2));
    }
}

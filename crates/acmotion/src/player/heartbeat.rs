//! When the server is told where the player is (rules K7, Q8).

use acmotion_types::{CellPosition, EPS};

use crate::body::{Body, Plane};
use crate::gate::FULL_AUTONOMY;

/// After so many seconds a changed place is told.
const INTERVAL: f64 = 1.0;

/// Where the player is, as far as telling it goes.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct HeartbeatState {
    position: CellPosition,
    /// The contact plane.
    plane: Plane,
    /// Whether the player has contact with walkable ground.
    stands: bool,
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
            stands: body.is_standing(),
            is_valid: is_finite && body.is_in_cell() && position.cell.low() != 0,
        }
    }
}

/// What was last told, and when (rule K1).
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Heartbeat {
    /// When the server last heard of the player.
    #[doc(alias = "last_sent_position_time")]
    pub last_time: f64,
    /// The place that was last told.
    #[doc(alias = "last_sent_position")]
    pub last_position: CellPosition,
    /// The ground under it.
    #[doc(alias = "last_sent_contact_plane")]
    pub last_plane: Plane,
}

impl Heartbeat {
    /// Is it time to tell the place (rule K7)? Another cell counts at once, another ground within the second, another
    /// place after it.
    #[doc(alias = "ShouldSendPositionEvent")]
    pub(super) fn is_due(&self, now: f64, stand: &HeartbeatState, autonomy: u32) -> bool {
        if autonomy != FULL_AUTONOMY {
            return false;
        }
        let last = &self.last_position;
        stand.position.cell != last.cell
            || if now > self.last_time + INTERVAL {
                !stand.position.frame.is_close_to(&last.frame)
            } else {
                !is_same_plane(&stand.plane, &self.last_plane)
            }
    }

    /// Tells the place if the player stands, and says whether it does (rules K7, R7). What is refused is tried again.
    #[doc(alias = "SendPositionEvent")]
    pub(super) fn tell(&mut self, now: f64, stand: &HeartbeatState) -> bool {
        let tells = stand.stands && stand.is_valid;
        if tells {
            *self = Self { last_time: now, last_position: stand.position, last_plane: stand.plane };
        }
        tells
    }

    /// A `MoveToState` went out: the second begins anew, the place stays untold (rules K6, Q8).
    pub(super) fn moved(&mut self, now: f64) {
        self.last_time = now;
    }
}

/// Planes are compared as places are (rule A17).
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
            stands: true,
            is_valid: true,
        }
    }

    fn beats(heart: &mut Heartbeat, now: f64, stand: &HeartbeatState) -> bool {
        heart.is_due(now, stand, 2) && heart.tell(now, stand)
    }

    /// `docs/figures.md` 12.
    #[test]
    fn once_a_second_while_moving() {
        let mut heart = Heartbeat::default();
        assert!(beats(&mut heart, 0.0, &at(0.0)), "the first cell is a new one");
        for (time, x, told) in [
            (0.1, 1.0, false),
            (0.999, 5.0, false),
            (1.0, 6.0, false),
            (1.0001, 6.1, true),
            (1.9, 7.0, false),
        ] {
            assert_eq!(beats(&mut heart, time, &at(x)), told, "{time}");
        }
        assert!(beats(&mut heart, 2.0002, &at(8.0)));
        assert!((3..600).all(|time| !beats(&mut heart, f64::from(time), &at(8.0))), "nothing at rest");
    }

    #[test]
    fn new_ground_and_new_cells_are_told_at_once() {
        let mut heart = Heartbeat::default();
        beats(&mut heart, 0.0, &at(0.0));
        let mut ground = at(0.0);
        ground.plane.d = -20.0001;
        assert!(!beats(&mut heart, 0.1, &ground));
        ground.plane.d = -20.5;
        assert!(beats(&mut heart, 0.2, &ground));
        let mut elsewhere = ground;
        elsewhere.position.cell = CellId(0xA9B4_0002);
        assert!(beats(&mut heart, 0.3, &elsewhere));
    }

    #[test]
    fn a_refused_place_is_told_later() {
        let mut heart = Heartbeat::default();
        let air = HeartbeatState { stands: false, ..at(0.0) };
        assert!(heart.is_due(0.0, &air, 2) && !heart.tell(0.0, &air));
        let nowhere = HeartbeatState { is_valid: false, ..at(0.0) };
        assert!(heart.is_due(0.05, &nowhere, 2) && !heart.tell(0.05, &nowhere));
        assert!(beats(&mut heart, 0.1, &at(0.0)));
        assert!(!heart.is_due(5.0, &at(3.0), 1) && heart.is_due(5.0, &at(3.0), 2));
    }

    #[test]
    fn a_movement_event_postpones() {
        let mut heart = Heartbeat::default();
        beats(&mut heart, 0.0, &at(0.0));
        heart.moved(0.5);
        assert!(!heart.is_due(1.02, &at(1.0), 2) && heart.is_due(1.51, &at(1.0), 2));
    }
}

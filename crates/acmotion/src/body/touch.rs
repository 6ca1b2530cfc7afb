//! The objects a body is touching, so that each touch is reported once (`docs/collision.md` 9.2, 9.3).

use acmotion_types::Guid;

use super::{BodyHost, PhysicsState};
use crate::collide::{ObstacleFlags, Touch};
use crate::limits::MAX_TOUCHES;

/// How long a touch lasts after the last contact, in seconds.
const TOUCH_DURATION: f64 = 1.0;

/// The objects a body is touching.
#[derive(Clone, PartialEq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[doc(alias = "collision_table")]
pub(super) struct Touches {
    list: Vec<TouchRecord>,
}

#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct TouchRecord {
    guid: Guid,
    /// The time of the last contact, in seconds.
    last_contact: f64,
    /// Whether the object is ethereal. The touch then ends as soon as there is no contact.
    is_ethereal: bool,
}

#[cfg(feature = "serde")]
impl Touches {
    pub(super) fn len(&self) -> usize {
        self.list.len()
    }
}

impl Touches {
    /// Moves the times of the last contacts by a number of seconds.
    pub(super) fn shift_times(&mut self, by: f64) {
        self.list.iter_mut().for_each(|record| record.last_contact += by);
    }
}

/// Records what was touched. Returns `true` if any of it was reported.
pub(super) fn track(host: &mut impl BodyHost, touched: &[Touch], now: f64) -> bool {
    let mut reported = false;
    let mut expected = 0;
    for touch in touched {
        if touch.state.intersects(PhysicsState::STATIC | PhysicsState::REPORT_COLLISIONS_AS_ENVIRONMENT) {
            let is_new =
                touch.state.contains(PhysicsState::STATIC) || record_touch(host, touch, now, &mut expected);
            reported |= is_new && super::commit::report_environment(host);
        } else if record_touch(host, touch, now, &mut expected) {
            reported |= report(host, touch);
        }
    }
    reported
}

/// Records a contact, replacing the whole record of an earlier one. Returns `true` if it is a new touch. A body that touches
/// [`MAX_TOUCHES`] objects touches no more.
///
/// The search starts at the index `expected` and sets it to the one after the record: sweeps mostly find the same objects
/// in the same order.
fn record_touch(host: &mut impl BodyHost, touch: &Touch, now: f64, expected: &mut usize) -> bool {
    let list = &mut host.body().touches.get_or_insert_default().list;
    let is_ethereal = touch.state.contains(PhysicsState::ETHEREAL);
    let record = TouchRecord { guid: touch.guid, last_contact: now, is_ethereal };
    let start = (*expected).min(list.len());
    let is_same = |known: &TouchRecord| known.guid == touch.guid;
    let found = list[start..].iter().position(is_same).map(|offset| start + offset);
    if let Some(index) = found.or_else(|| list[..start].iter().position(is_same)) {
        list[index] = record;
        *expected = index + 1;
        return false;
    }
    if list.len() >= MAX_TOUCHES {
        return false;
    }
    list.push(record);
    true
}

/// Reports a new touch if either side reports collisions and the other does not ignore them. Returns `true` if it was
/// reported.
#[doc(alias = "report_object_collision")]
fn report(host: &mut impl BodyHost, touch: &Touch) -> bool {
    let (reports, ignores) = (PhysicsState::REPORT_COLLISIONS, PhysicsState::IGNORE_COLLISIONS);
    let own = host.body().state;
    let own_reports = own.contains(reports) && !touch.state.contains(ignores);
    let has_weenie = touch.flags.contains(ObstacleFlags::WEENIE);
    let other_reports = touch.state.contains(reports) && has_weenie && !own.contains(ignores);
    if own_reports || other_reports {
        host.on_touch_begin(touch);
    }
    if !touch.state.contains(ignores) {
        host.body().clear_missile_state();
    }
    own_reports || other_reports
}

/// Ends the touches that have timed out.
#[doc(alias = "report_collision_end")]
pub(super) fn expire(host: &mut impl BodyHost, now: f64) {
    end_if(host, |touching| {
        let elapsed = now - touching.last_contact;
        elapsed > TOUCH_DURATION || (touching.is_ethereal && elapsed > 0.0)
    });
}

/// Ends all touches of a body that is moved elsewhere, hidden or removed (rules C14–C16, C19).
pub fn end_touches(host: &mut impl BodyHost) {
    end_if(host, |_| true);
}

fn end_if(host: &mut impl BodyHost, is_over: impl Fn(&TouchRecord) -> bool) {
    let mut index = 0;
    loop {
        let Some(touches) = &mut host.body().touches else { return };
        let Some(touching) = touches.list.get(index) else { return };
        if is_over(touching) {
            let guid = touches.list.remove(index).guid;
            host.on_touch_end(guid);
        } else {
            index += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use acmotion_types::CellPosition;

    use super::super::Body;
    use super::*;

    struct Host {
        body: Body,
        begun: usize,
        ended: usize,
    }

    impl BodyHost for Host {
        fn body(&mut self) -> &mut Body {
            &mut self.body
        }

        fn hit_ground(&mut self) {}

        fn leave_ground(&mut self) {}

        fn on_touch_begin(&mut self, _: &Touch) {
            self.begun += 1;
        }

        fn on_touch_end(&mut self, _: Guid) {
            self.ended += 1;
        }
    }

    #[test]
    fn hostile_16_touches_of_many_sweeps_are_bounded() {
        let mut host = Host { body: Body::new(CellPosition::default()), begun: 0, ended: 0 };
        let touch = |number| Touch {
            guid: Guid(number),
            state: PhysicsState::REPORT_COLLISIONS,
            flags: ObstacleFlags::WEENIE,
        };
        for number in 0..2 * MAX_TOUCHES as u32 {
            track(&mut host, &[touch(number)], 1.0);
        }
        assert_eq!(host.begun, MAX_TOUCHES);
        assert!(!track(&mut host, &[touch(0)], 1.5), "a known one is still known");
        expire(&mut host, 2.1);
        assert_eq!(host.ended, MAX_TOUCHES - 1, "and its touch goes on");
        assert!(track(&mut host, &[touch(u32::MAX)], 2.2), "there is room again");
    }
}

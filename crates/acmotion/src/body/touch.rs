//! What a body touches just now, so that each touch is told once (`docs/collision.md` 9.2, 9.3).

use acmotion_types::Guid;

use super::{BodyHost, PhysicsState};
use crate::collide::{ObstacleFlags, Touch};

/// How long a touch lasts after it was last felt, in seconds.
const LASTS: f64 = 1.0;

/// What a body touches just now.
#[derive(Clone, PartialEq, Debug, Default)]
#[doc(alias = "collision_table")]
pub(super) struct Touches {
    list: Vec<Touching>,
}

#[derive(Clone, Copy, PartialEq, Debug)]
struct Touching {
    guid: Guid,
    /// When it was last felt.
    at: f64,
    /// Does it let things through? Then the touch is over as soon as it is not felt.
    is_ethereal: bool,
}

/// Notes what was touched; says whether any of it was told to somebody.
pub(super) fn track(host: &mut impl BodyHost, touched: &[Touch], now: f64) -> bool {
    let mut told = false;
    for touch in touched {
        if touch.state.intersects(PhysicsState::STATIC | PhysicsState::REPORT_COLLISIONS_AS_ENVIRONMENT) {
            let is_new = touch.state.contains(PhysicsState::STATIC) || note(host, touch, now);
            told |= is_new && super::commit::report_environment(host);
        } else if note(host, touch, now) {
            told |= report(host, touch);
        }
    }
    told
}

/// Says whether the touch is a new one.
fn note(host: &mut impl BodyHost, touch: &Touch, now: f64) -> bool {
    let list = &mut host.body().touches.get_or_insert_default().list;
    if let Some(known) = list.iter_mut().find(|known| known.guid == touch.guid) {
        known.at = now;
        return false;
    }
    let is_ethereal = touch.state.contains(PhysicsState::ETHEREAL);
    list.push(Touching { guid: touch.guid, at: now, is_ethereal });
    true
}

/// Both sides are told that want to know, unless the other ignores collisions.
#[doc(alias = "report_object_collision")]
fn report(host: &mut impl BodyHost, touch: &Touch) -> bool {
    let (wants, ignores) = (PhysicsState::REPORT_COLLISIONS, PhysicsState::IGNORE_COLLISIONS);
    let own = host.body().state;
    let tells_own = own.contains(wants) && !touch.state.contains(ignores);
    let is_somebody = touch.flags.contains(ObstacleFlags::WEENIE);
    let tells_other = touch.state.contains(wants) && is_somebody && !own.contains(ignores);
    if tells_own || tells_other {
        host.touch_begins(touch);
    }
    if !touch.state.contains(ignores) {
        host.body().end_flight();
    }
    tells_own || tells_other
}

/// Touches that are not felt any more are over.
#[doc(alias = "report_collision_end")]
pub(super) fn expire(host: &mut impl BodyHost, now: f64) {
    end_if(host, |touching| {
        let since = now - touching.at;
        since > LASTS || (touching.is_ethereal && since > 0.0)
    });
}

/// All touches are over: the body is taken elsewhere (rules C14–C16, C19).
pub fn end_touches(host: &mut impl BodyHost) {
    end_if(host, |_| true);
}

fn end_if(host: &mut impl BodyHost, is_over: impl Fn(&Touching) -> bool) {
    let mut place = 0;
    loop {
        let Some(touches) = &mut host.body().touches else { return };
        let Some(touching) = touches.list.get(place) else { return };
        if is_over(touching) {
            let guid = touches.list.remove(place).guid;
            host.touch_ends(guid);
        } else {
            place += 1;
        }
    }
}

//! What a body takes over from a sweep, and how it answers what it hit (rules C9–C12, C14).

use acmotion_types::{Guid, Vec3};

use super::{Body, BodyFlags, PhysicsState, TransientState, touch};
use crate::collide::{Arrival, Touch};

/// Who owns a [`Body`] and is told when it lands, leaves the ground or hits something.
///
/// Being told, it may give the body a velocity: the bounce comes after that (rule C10).
pub trait BodyHost {
    /// Its body.
    fn body(&mut self) -> &mut Body;

    /// The body has come to stand on ground that it can walk on. Called only for a body that can be asked to move.
    #[doc(alias = "HitGround")]
    fn hit_ground(&mut self);

    /// The body does not stand any more. Called only for a body that can be asked to move.
    #[doc(alias = "LeaveGround")]
    fn leave_ground(&mut self);

    /// The body has hit the surroundings; told once while it keeps touching them (rule C11).
    #[doc(alias = "report_environment_collision")]
    fn hit_environment(&mut self) {}

    /// The body touches something that it did not touch before, and one of the two wants to know
    /// (`docs/collision.md` 9.2).
    #[doc(alias = "report_object_collision")]
    fn touch_begins(&mut self, touch: &Touch) {
        let _ = touch;
    }

    /// The body does not touch something any more (`docs/collision.md` 9.3).
    #[doc(alias = "report_object_collision_end")]
    fn touch_ends(&mut self, guid: Guid) {
        let _ = guid;
    }
}

/// Makes a body stand, or not; told if that changes something (rule C9).
pub fn set_on_walkable(host: &mut impl BodyHost, walkable: bool) {
    let body = host.body();
    let was = body.is_on_walkable();
    let is_managed = body.flags.contains(BodyFlags::MANAGED);
    body.transient.set(TransientState::ON_WALKABLE, walkable);
    if is_managed && was != walkable {
        if walkable {
            host.hit_ground();
        } else {
            host.leave_ground();
        }
    }
    host.body().calc_acceleration();
}

/// Takes over where a sweep ended and what it touched (rules C10, C11). Landing and leaving the ground are told before the body bounces.
#[doc(alias = "SetPositionInternal")]
pub fn commit(host: &mut impl BodyHost, arrival: &Arrival, touched: &[Touch], now: f64) {
    let body = host.body();
    body.position = arrival.position;
    if !arrival.in_cell {
        body.flags.remove(BodyFlags::IN_CELL);
        body.transient.remove(TransientState::ACTIVE);
        return;
    }
    body.flags.insert(BodyFlags::IN_CELL);
    let was_on_walkable = body.is_on_walkable();
    body.contact_plane = arrival.contact.plane;
    body.contact_plane_cell = arrival.contact.cell;
    body.transient.set(TransientState::CONTACT, arrival.has_contact);
    body.calc_acceleration();
    body.transient.set(TransientState::WATER_CONTACT, arrival.has_contact && arrival.contact.is_water);
    if arrival.has_contact {
        let walkable = arrival.contact.plane.is_walkable();
        if walkable != was_on_walkable {
            set_on_walkable(host, walkable);
        }
    } else if was_on_walkable {
        set_on_walkable(host, false);
    }
    let body = host.body();
    body.sliding_normal = arrival.sliding_normal;
    body.transient.set(TransientState::SLIDING, arrival.is_sliding);
    handle_all_collisions(host, arrival, (touched, now), was_on_walkable);
}

/// Answers what a body hit and touched that could not be placed; it stays where it is. Says whether that was told
/// (`docs/collision.md` 9.4).
pub fn refuse(host: &mut impl BodyHost, arrival: &Arrival, touched: &[Touch], now: f64) -> bool {
    handle_all_collisions(host, arrival, (touched, now), false)
}

/// How a body answers what it hit; says whether that was told (rule C11, `docs/collision.md` 9.1).
fn handle_all_collisions(
    host: &mut impl BodyHost,
    arrival: &Arrival,
    (touched, now): (&[Touch], f64),
    was_on_walkable: bool,
) -> bool {
    let body = host.body();
    let stands = body.is_on_walkable();
    let bounces = !(was_on_walkable && stands && !body.state.contains(PhysicsState::SLEDDING));
    let mut told = touch::track(host, touched, now);
    touch::expire(host, now);
    let facts = &mut host.body().flags;
    if facts.contains(BodyFlags::TOUCHES_ENVIRONMENT) {
        facts.set(BodyFlags::TOUCHES_ENVIRONMENT, arrival.collided_with_environment);
    } else if arrival.collided_with_environment || (!was_on_walkable && stands) {
        told |= report_environment(host);
    }
    host.body().answer(arrival, bounces);
    told
}

/// The surroundings are hit; told once while they are touched. Says whether it was told.
pub(super) fn report_environment(host: &mut impl BodyHost) -> bool {
    let body = host.body();
    if body.flags.contains(BodyFlags::TOUCHES_ENVIRONMENT) {
        return false;
    }
    body.flags.insert(BodyFlags::TOUCHES_ENVIRONMENT);
    body.end_flight();
    host.hit_environment();
    true
}

/// The body leaves everything it touched (rule C14).
pub fn clear_transient_states(host: &mut impl BodyHost) {
    let body = host.body();
    body.transient.remove(TransientState::CONTACT);
    body.calc_acceleration();
    let stood = body.is_on_walkable();
    body.transient.remove(TransientState::ON_WALKABLE | TransientState::WATER_CONTACT);
    if stood && body.flags.contains(BodyFlags::MANAGED) {
        host.leave_ground();
    }
    let body = host.body();
    body.calc_acceleration();
    body.transient.remove(
        TransientState::SLIDING
            | TransientState::STATIONARY
            | TransientState::ACTIVE
            | TransientState::CHECK_ETHEREAL,
    );
}

impl Body {
    /// A missile that hits something is none any more (rule C11).
    pub(super) fn end_flight(&mut self) {
        if self.state.contains(PhysicsState::MISSILE) {
            self.state.remove(PhysicsState::MISSILE | PhysicsState::ALIGN_PATH | PhysicsState::PATH_CLIPPED);
        }
    }

    fn answer(&mut self, arrival: &Arrival, bounces: bool) {
        let stopped = arrival.frames_stationary_fall;
        if stopped > 1 {
            self.velocity = Vec3::ZERO;
        } else if let Some(normal) = arrival.collision_normal.filter(|_| bounces) {
            self.bounce(normal);
        }
        match stopped {
            0 | 3 => self.transient.remove(TransientState::STATIONARY),
            1 => self.transient.insert(TransientState::STATIONARY_FALL),
            2 => self.transient.insert(TransientState::STATIONARY_STOP),
            _ => self.transient.insert(TransientState::STATIONARY_STUCK),
        }
    }

    fn bounce(&mut self, normal: Vec3) {
        if self.state.contains(PhysicsState::INELASTIC) {
            self.velocity = Vec3::ZERO;
            return;
        }
        let into = self.velocity.dot(normal);
        if into < 0.0 {
            self.velocity += normal * (-into * (1.0 + self.elasticity()));
        }
    }
}

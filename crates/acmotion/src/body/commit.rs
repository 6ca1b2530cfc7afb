//! Applying the result of a sweep to a body, and its response to collisions (rules C9–C12, C14).

use acmotion_types::{CellPosition, Guid, Vec3};

use super::{Body, BodyFlags, PhysicsState, TransientState, touch};
use crate::collide::{Arrival, Touch};

/// The owner of a [`Body`], which is notified when the body lands, leaves the ground or hits something.
///
/// [`hit_ground`](Self::hit_ground) and [`leave_ground`](Self::leave_ground) may set the body's velocity: the bounce comes
/// after them (rule C10).
pub trait BodyHost {
    /// Returns the body.
    fn body(&mut self) -> &mut Body;

    /// Called when the body has come to stand on walkable ground. Only called for a body that can be asked to move.
    #[doc(alias = "HitGround")]
    fn hit_ground(&mut self);

    /// Called when the body no longer stands on walkable ground. Only called for a body that can be asked to move.
    #[doc(alias = "LeaveGround")]
    fn leave_ground(&mut self);

    /// Called when the body hits the environment, once for as long as it keeps touching it (rule C11).
    #[doc(alias = "report_environment_collision")]
    fn hit_environment(&mut self) {}

    /// Called when the body begins to touch an object and one of the two reports collisions (`docs/collision.md` 9.2).
    #[doc(alias = "report_object_collision")]
    fn on_touch_begin(&mut self, touch: &Touch) {
        let _ = touch;
    }

    /// Called when the body no longer touches an object (`docs/collision.md` 9.3).
    #[doc(alias = "report_object_collision_end")]
    fn on_touch_end(&mut self, guid: Guid) {
        let _ = guid;
    }
}

/// Sets whether a body stands on walkable ground, and notifies its host if that changes (rule C9).
pub fn set_on_walkable(host: &mut impl BodyHost, walkable: bool) {
    let body = host.body();
    let was_walkable = body.is_on_walkable();
    let is_managed = body.flags.contains(BodyFlags::MANAGED);
    body.transient.set(TransientState::ON_WALKABLE, walkable);
    if is_managed && was_walkable != walkable {
        if walkable {
            host.hit_ground();
        } else {
            host.leave_ground();
        }
    }
    host.body().calc_acceleration();
}

/// Moves a body to where a sweep ended, with the contact found there, and applies its collisions (rules C10, C11). The host
/// is notified of landing and leaving the ground before the body bounces.
#[doc(alias = "SetPositionInternal")]
pub fn commit(host: &mut impl BodyHost, arrival: &Arrival, touched: &[Touch], now: f64) {
    let body = host.body();
    if touched.is_empty() && body.walk_on(arrival) {
        return;
    }
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

/// Applies the collisions of a placement that failed; the body stays where it is. Returns `true` if a collision was
/// reported (`docs/collision.md` 9.4).
pub fn handle_failed_placement(
    host: &mut impl BodyHost,
    arrival: &Arrival,
    touched: &[Touch],
    now: f64,
) -> bool {
    handle_all_collisions(host, arrival, (touched, now), false)
}

/// Reports what a body hit and touched, and lets it bounce. Returns `true` if anything was reported (rule C11,
/// `docs/collision.md` 9.1).
fn handle_all_collisions(
    host: &mut impl BodyHost,
    arrival: &Arrival,
    (touched, now): (&[Touch], f64),
    was_on_walkable: bool,
) -> bool {
    let body = host.body();
    let is_on_walkable = body.is_on_walkable();
    let bounces = !(was_on_walkable && is_on_walkable && !body.state.contains(PhysicsState::SLEDDING));
    let mut reported = touch::track(host, touched, now);
    touch::expire(host, now);
    let flags = &mut host.body().flags;
    if flags.contains(BodyFlags::TOUCHES_ENVIRONMENT) {
        flags.set(BodyFlags::TOUCHES_ENVIRONMENT, arrival.collided_with_environment);
    } else if arrival.collided_with_environment || (!was_on_walkable && is_on_walkable) {
        reported |= report_environment(host);
    }
    host.body().apply_collision(arrival, bounces);
    reported
}

/// Reports that the environment was hit, unless the body was touching it already. Returns `true` if it was reported.
pub(super) fn report_environment(host: &mut impl BodyHost) -> bool {
    let body = host.body();
    if body.flags.contains(BodyFlags::TOUCHES_ENVIRONMENT) {
        return false;
    }
    body.flags.insert(BodyFlags::TOUCHES_ENVIRONMENT);
    body.clear_missile_state();
    host.hit_environment();
    true
}

/// Clears contact, sliding and activity of a body that leaves the world (rule C14).
pub fn clear_transient_states(host: &mut impl BodyHost) {
    let body = host.body();
    body.transient.remove(TransientState::CONTACT);
    body.calc_acceleration();
    let was_on_walkable = body.is_on_walkable();
    body.transient.remove(TransientState::ON_WALKABLE | TransientState::WATER_CONTACT);
    if was_on_walkable && body.flags.contains(BodyFlags::MANAGED) {
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
    /// Does what [`commit`] does for a body that goes on over walkable ground, in fewer instructions. Returns `false`, with
    /// nothing done, unless it stands before and after, and neither touches nor hits anything: then nothing is reported, it
    /// does not bounce, and its velocity stays as it is.
    #[inline]
    fn walk_on(&mut self, arrival: &Arrival) -> bool {
        let contact = &arrival.contact;
        let stands =
            arrival.in_cell && arrival.has_contact && contact.plane.is_walkable() && !contact.is_water;
        let hits =
            arrival.is_sliding || arrival.collided_with_environment || arrival.frames_stationary_fall != 0;
        let walks = self.is_standing() && !self.state.contains(PhysicsState::SLEDDING) && !self.has_touches();
        if !stands || hits || !walks {
            return false;
        }
        self.position = arrival.position;
        self.contact_plane = contact.plane;
        self.contact_plane_cell = contact.cell;
        self.sliding_normal = arrival.sliding_normal;
        self.calc_acceleration();
        self.transient.remove(
            TransientState::WATER_CONTACT.union(TransientState::SLIDING).union(TransientState::STATIONARY),
        );
        self.flags.insert(BodyFlags::IN_CELL);
        self.flags.remove(BodyFlags::TOUCHES_ENVIRONMENT);
        true
    }

    /// Puts the body into a cell as it is: contact, velocity and touches stay (`docs/collision.md` 10.2).
    pub(crate) fn set_in_cell(&mut self, position: &CellPosition) {
        self.position = *position;
        self.flags.insert(BodyFlags::IN_CELL);
    }

    /// Clears the missile flags after an impact (rule C11).
    pub(super) fn clear_missile_state(&mut self) {
        if self.state.contains(PhysicsState::MISSILE) {
            self.state.remove(PhysicsState::MISSILE | PhysicsState::ALIGN_PATH | PhysicsState::PATH_CLIPPED);
        }
    }

    /// Stops or reflects the velocity, and stores how often the fall has been stopped.
    fn apply_collision(&mut self, arrival: &Arrival, bounces: bool) {
        let stationary_frames = arrival.frames_stationary_fall;
        if stationary_frames > 1 {
            self.velocity = Vec3::ZERO;
        } else if let Some(normal) = arrival.collision_normal.filter(|_| bounces) {
            self.bounce(normal);
        }
        match stationary_frames {
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

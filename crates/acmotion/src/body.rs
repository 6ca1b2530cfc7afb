//! The physics of one body: position, velocity, clock, and what it does with the result of a sweep (rules B2, B3, C1–C14).
//!
//! Walking is not part of it. That is root motion (rule B6) and comes from the animation that plays; [`Body::velocity`] is
//! only for falling, jumping, sliding and bouncing. The sweep itself is in [`collide`](crate::collide), which knows nothing
//! of bodies: [`Body::mover`] describes a body to it, and [`commit`] applies what comes back.

mod clock;
mod commit;
mod flags;
mod friction;
mod integrate;
mod mover;
#[cfg(feature = "serde")]
mod saved;
mod stride;
mod touch;

use acmotion_types::{CellId, CellPosition, EPS, Vec3};
pub use acmotion_wire::PhysicsState;

pub use clock::{HUGE_QUANTUM, MAX_QUANTUM, MIN_QUANTUM, ObjectClock, PhysicsGate, Quanta, Quantum};
pub use commit::{BodyHost, clear_transient_states, commit, handle_failed_placement, set_on_walkable};
pub use flags::TransientState;
pub use touch::end_touches;

use crate::collide::Plane;
#[cfg(feature = "serde")]
use crate::limits::MAX_TOUCHES;
use crate::limits::{MAX_SCALE, MIN_SCALE};
#[cfg(feature = "serde")]
use crate::restore::{Checked, require, require_finite};

/// The maximum speed of a body, in metres a second (rule C6).
pub const MAX_VELOCITY: f32 = 50.0;
/// The acceleration of gravity along z, in metres a second squared.
pub const GRAVITY: f32 = -9.8;
/// The speed, in metres a second, below which a body comes to rest (rule C4). Friction also removes a speed away from the
/// surface that is below it (rule C5).
pub const SMALL_VELOCITY: f32 = 0.25;
/// The friction of a new body.
pub const DEFAULT_FRICTION: f32 = 0.95;
/// The elasticity of a new body.
pub const DEFAULT_ELASTICITY: f32 = 0.05;
/// The maximum elasticity (rule C7).
pub(crate) const MAX_ELASTICITY: f32 = 0.1;
/// The distance from the player, in metres, beyond which bodies are not moved (rule B3) and reported positions are
/// snapped to (rule D7).
pub const PLAYER_FAR: f32 = 96.0;

/// One body: where it is, how it moves on its own, and what it stands on.
///
/// ```
/// use acmotion::components::{Body, PhysicsState, TransientState};
/// use acmotion::types::{CellId, CellPosition, Frame, Vec3};
///
/// // Thrown straight up at five metres a second.
/// let position = CellPosition::at(CellId(0xA9B4_0001), Vec3::new(10.0, 10.0, 0.0));
/// let mut body = Body::new(position);
/// body.set_velocity(Vec3::new(0.0, 0.0, 5.0), 0.0);
/// body.calc_acceleration();
/// let mut frame = body.position.frame;
/// body.update_physics(1.0 / 30.0, &mut frame);
/// assert!((frame.origin.z - (5.0 / 30.0 - 0.5 * 9.8 / 900.0)).abs() < 1e-6);
/// ```
#[derive(Clone, PartialEq, Debug)]
#[doc(alias = "CPhysicsObj")]
#[repr(C)]
pub struct Body {
    // What a tick changes of a body that only moves comes first, and shares a cache line.
    /// The cell the body is in, and its frame in the axes of that cell's landblock.
    #[doc(alias = "m_position")]
    pub position: CellPosition,
    /// The time up to which the body has been simulated.
    pub clock: ObjectClock,
    /// The velocity the body actually moved with in the last step, in metres a second.
    #[doc(alias = "get_velocity")]
    pub cached_velocity: Vec3,
    /// The distance from the player at the last update, in metres (rule B3).
    pub player_distance: f32,
    /// The velocity, in metres a second in the landblock's axes. Walking is not part of it (rule B6).
    #[doc(alias = "m_velocityVector")]
    pub velocity: Vec3,
    /// The acceleration, in metres a second squared (rule C3).
    pub acceleration: Vec3,
    /// The angular velocity, in radians a second in the landblock's axes.
    #[doc(alias = "m_omegaVector")]
    pub omega: Vec3,
    /// The physics state set by the server.
    pub state: PhysicsState,
    /// The state that follows from the last sweep: contact, sliding, active.
    pub transient: TransientState,
    /// Further yes-or-no properties.
    pub flags: BodyFlags,
    /// How often it has been placed somewhere, modulo 256. Its path from one tick to the next is broken if this changed.
    pub(crate) placements: u8,
    /// The size of the body relative to its setup.
    pub scale: f32,
    /// The plane the body stands on, or stood on last.
    pub contact_plane: Plane,
    /// The cell in whose landblock's axes the contact plane is given.
    pub contact_plane_cell: CellId,
    /// The normal of the surface the body slides along. Only valid with [`TransientState::SLIDING`].
    pub sliding_normal: Vec3,
    /// The share of the speed that friction takes in a second, 0 to 1.
    friction: f32,
    /// The share of the speed that comes back from an impact, 0 to 0.1.
    elasticity: f32,
    /// The objects the body is touching. Boxed because most bodies touch nothing.
    touches: Option<Box<touch::Touches>>,
}

bitflags::bitflags! {
    /// Yes-or-no properties of a body that are neither sent by the server nor found by a sweep.
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
    pub struct BodyFlags: u8 {
        /// The body is in a cell of the world.
        const IN_CELL = 1;
        /// The body is attached to another.
        const HAS_PARENT = 2;
        /// The body has an interpreter and can be asked to move (rule C4).
        #[doc(alias = "movement_manager")]
        const MANAGED = 4;
        /// The velocity was set in this step.
        #[doc(alias = "jumped_this_frame")]
        const JUMPED = 8;
        /// The last movement was ordered by the body's own client (rule F8).
        #[doc(alias = "last_move_was_autonomous")]
        const AUTONOMOUS = 16;
        /// The body touches the environment, and that has been reported (rule C11).
        #[doc(alias = "colliding_with_environment")]
        const TOUCHES_ENVIRONMENT = 32;
        /// The server has set the velocity since the last step, so leaving the ground does not replace it (rule N1).
        const THROWN = 64;
    }
}

impl Body {
    /// Moves the stored times by a number of seconds, except the clock.
    pub(crate) fn shift_times(&mut self, by: f64) {
        if let Some(touches) = &mut self.touches {
            touches.shift_times(by);
        }
    }

    /// Creates a body at a position, not yet in the world (rules C1, C2).
    pub fn new(position: CellPosition) -> Self {
        Self {
            clock: ObjectClock::default(),
            position,
            velocity: Vec3::ZERO,
            acceleration: Vec3::ZERO,
            omega: Vec3::ZERO,
            cached_velocity: Vec3::ZERO,
            state: Self::INITIAL_STATE,
            transient: TransientState::empty(),
            flags: BodyFlags::empty(),
            placements: 0,
            contact_plane: Plane::default(),
            contact_plane_cell: CellId::NONE,
            sliding_normal: Vec3::ZERO,
            friction: DEFAULT_FRICTION,
            elasticity: DEFAULT_ELASTICITY,
            scale: 1.0,
            player_distance: f32::MAX,
            touches: None,
        }
    }

    /// The physics state of a body that has not received one from the server: 0x400C08 (rule C1).
    pub const INITIAL_STATE: PhysicsState = PhysicsState::EDGE_SLIDE
        .union(PhysicsState::LIGHTING_ON)
        .union(PhysicsState::GRAVITY)
        .union(PhysicsState::REPORT_COLLISIONS);

    /// Returns `true` if the body touches ground.
    pub fn has_contact(&self) -> bool {
        self.transient.contains(TransientState::CONTACT)
    }

    /// Returns `true` if the ground it touches is flat enough to walk on.
    pub fn is_on_walkable(&self) -> bool {
        self.transient.contains(TransientState::ON_WALKABLE)
    }

    /// Returns `true` if the body touches ground and can walk on it.
    pub fn is_standing(&self) -> bool {
        self.transient.contains(TransientState::CONTACT.union(TransientState::ON_WALKABLE))
    }

    /// Returns `true` if the body is in a cell of the world.
    pub fn is_in_cell(&self) -> bool {
        self.flags.contains(BodyFlags::IN_CELL)
    }

    /// Returns the share of the speed that friction takes in a second, 0 to 1.
    pub fn friction(&self) -> f32 {
        self.friction
    }

    /// Sets the friction. Values outside 0..=1 are ignored (rule C7).
    pub fn set_friction(&mut self, friction: f32) {
        if (0.0..=1.0).contains(&friction) {
            self.friction = friction;
        }
    }

    /// Returns the share of the speed that comes back from an impact, 0 to 0.1.
    pub fn elasticity(&self) -> f32 {
        self.elasticity
    }

    /// Sets the elasticity, clamped to 0..=0.1 (rule C7). NaN is ignored.
    pub fn set_elasticity(&mut self, elasticity: f32) {
        if !elasticity.is_nan() {
            self.elasticity = elasticity.clamp(0.0, MAX_ELASTICITY);
        }
    }

    /// Sets the scale, clamped to [`MIN_SCALE`]..=[`MAX_SCALE`]. A scale that is not finite or not above 0 is ignored.
    #[doc(alias = "SetScaleStatic")]
    pub fn set_scale(&mut self, scale: f32) {
        if scale.is_finite() && scale > 0.0 {
            self.scale = scale.clamp(MIN_SCALE, MAX_SCALE);
        }
    }

    /// Sets the velocity, clamped to [`MAX_VELOCITY`], if it differs from the current one by more than EPS in a component,
    /// and activates the body (rule C6). A velocity that is not finite is ignored.
    pub fn set_velocity(&mut self, velocity: Vec3, now: f64) {
        if velocity.is_finite() && !velocity.is_close_to(self.velocity) {
            self.velocity = clamp_speed(velocity);
            self.flags.insert(BodyFlags::JUMPED);
        }
        self.set_active(now);
    }

    /// Sets the velocity as [`set_velocity`](Self::set_velocity) does, given in the body's own axes (rule C6).
    pub fn set_local_velocity(&mut self, velocity: Vec3, now: f64) {
        self.set_velocity(self.position.frame.local_to_global_vec(velocity), now);
    }

    /// Returns the velocity in the body's own axes.
    pub fn local_velocity(&self) -> Vec3 {
        self.position.frame.global_to_local_vec(self.velocity)
    }

    /// Sets the angular velocity (rule C6). A value that is not finite is ignored.
    pub fn set_omega(&mut self, omega: Vec3) {
        if omega.is_finite() {
            self.omega = omega;
        }
    }

    /// Activates the body unless it is static. If it was not active, its clock starts at `now` (rule B3).
    pub fn set_active(&mut self, now: f64) {
        if self.state.contains(PhysicsState::STATIC) {
            return;
        }
        if !self.transient.contains(TransientState::ACTIVE) {
            self.clock.update_time = now;
            self.transient.insert(TransientState::ACTIVE);
        }
    }

    /// Recomputes the acceleration (rule C3). A body that stands and is not sledding has none and stops spinning; any other
    /// body falls if it has gravity.
    #[inline]
    pub fn calc_acceleration(&mut self) {
        if self.is_standing() && !self.state.contains(PhysicsState::SLEDDING) {
            self.acceleration = Vec3::ZERO;
            self.omega = Vec3::ZERO;
        } else {
            let pull = if self.state.contains(PhysicsState::GRAVITY) { GRAVITY } else { 0.0 };
            self.acceleration = Vec3::new(0.0, 0.0, pull);
        }
    }

    /// Returns `contact`, or `false` if the body moves off the surface it touches (rule C8).
    #[inline]
    pub fn check_contact(&self, contact: bool) -> bool {
        contact && !(self.has_contact() && speed_off_contact(self) > EPS)
    }
}

/// Returns the speed at which a body moves off its contact plane, in metres a second; negative if it moves into it.
#[inline]
pub fn speed_off_contact(body: &Body) -> f32 {
    body.velocity.dot(body.contact_plane.normal)
}

/// Clamps a velocity to [`MAX_VELOCITY`]. The length is computed in double precision, so that it does not overflow for any
/// finite velocity.
fn clamp_speed(velocity: Vec3) -> Vec3 {
    let [x, y, z] = <[f32; 3]>::from(velocity).map(f64::from);
    let square = x * x + y * y + z * z;
    let limit = f64::from(MAX_VELOCITY);
    if square <= limit * limit {
        return velocity;
    }
    let factor = limit / square.sqrt();
    Vec3::new((x * factor) as f32, (y * factor) as f32, (z * factor) as f32)
}

#[cfg(feature = "serde")]
impl Body {
    /// Checks a body that was read from a snapshot.
    pub(crate) fn check(&self) -> Checked {
        require_finite(self, "a body with a number that is not finite")?;
        require(self.position.frame.is_valid(), "a body with a rotation that is none")?;
        require(!self.is_in_cell() || self.position.cell.low() != 0, "a body in a cell that is none")?;
        require((MIN_SCALE..=MAX_SCALE).contains(&self.scale), "a scale out of range")?;
        let shares = [self.friction, self.elasticity];
        require(
            shares.iter().all(|share| (0.0..=1.0).contains(share)),
            "a friction or elasticity out of range",
        )?;
        let touches = self.touches.as_ref().map_or(0, |touches| touches.len());
        require(touches <= MAX_TOUCHES, "too many touches")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn body() -> Body {
        Body::new(CellPosition::at(CellId(0xA9B4_0001), Vec3::ZERO))
    }

    #[test]
    fn velocity_is_clamped_and_small_changes_are_ignored() {
        let mut body = body();
        body.set_velocity(Vec3::new(100.0, 0.0, 0.0), 0.0);
        assert_eq!(body.velocity, Vec3::new(50.0, 0.0, 0.0));
        body.set_velocity(Vec3::new(300.0, 400.0, 0.0), 0.0);
        assert!((body.velocity.length() - 50.0).abs() < 1e-4);
        assert!((body.velocity.x / body.velocity.y - 0.75).abs() < 1e-6);
        body.velocity = Vec3::new(1.0, 0.0, 0.0);
        body.flags.remove(BodyFlags::JUMPED);
        body.set_velocity(Vec3::new(1.0001, 0.0, 0.0), 0.0);
        assert!(!body.flags.contains(BodyFlags::JUMPED) && body.velocity.x == 1.0);
        body.set_velocity(Vec3::new(1.001, 0.0, 0.0), 0.0);
        assert!(body.flags.contains(BodyFlags::JUMPED) && body.velocity.x == 1.001);
    }

    #[test]
    fn non_finite_values_are_ignored() {
        let mut body = body();
        body.set_velocity(Vec3::new(1e30, 1e30, -1e30), 0.0);
        assert!((body.velocity.length() - 50.0).abs() < 1e-3);
        for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            body.set_velocity(Vec3::new(bad, 0.0, 0.0), 0.0);
            body.set_omega(Vec3::new(0.0, bad, 0.0));
            body.set_friction(bad);
        }
        body.set_elasticity(f32::NAN);
        assert!(body.velocity.is_finite() && body.omega == Vec3::ZERO);
        assert_eq!((body.friction(), body.elasticity()), (DEFAULT_FRICTION, DEFAULT_ELASTICITY));
    }

    #[test]
    fn setting_a_velocity_activates_a_body_unless_it_is_static() {
        let mut awake = body();
        awake.set_velocity(Vec3::ZERO, 7.0);
        assert!(awake.transient.contains(TransientState::ACTIVE));
        assert_eq!(awake.clock.update_time, 7.0);
        awake.set_velocity(Vec3::new(1.0, 0.0, 0.0), 8.0);
        assert_eq!(awake.clock.update_time, 7.0, "already active");
        let mut fixed = body();
        fixed.state.insert(PhysicsState::STATIC);
        fixed.set_velocity(Vec3::new(1.0, 0.0, 0.0), 7.0);
        assert!(!fixed.transient.contains(TransientState::ACTIVE));
    }
}

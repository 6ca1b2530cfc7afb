//! Where a body is and how it falls, slides and bounces (rules B2, B3, C1–C14), and what it asks of the world around it.
//!
//! Everything here is about one body as a physical thing. Walking is not: that is root motion (rule B6), and comes from
//! what plays. [`Body::velocity`] is for falling, being thrown, sliding and bouncing only.

mod clock;
mod commit;
mod flags;
mod friction;
mod integrate;
mod mover;
mod touch;

use acmotion_types::{CellId, CellPosition, EPS, Vec3};
pub use acmotion_wire::PhysicsState;

pub use clock::{HUGE_QUANTUM, MAX_QUANTUM, MIN_QUANTUM, ObjectClock, PhysicsGate, Quanta, Quantum};
pub use commit::{BodyHost, clear_transient_states, commit, refuse, set_on_walkable};
pub use flags::TransientState;
pub use touch::end_touches;

use crate::collide::Plane;

/// The most a body can move, in metres a second (rule C6).
pub const MAX_VELOCITY: f32 = 50.0;
/// What pulls a body down, in metres a second squared.
pub const GRAVITY: f32 = -9.8;
/// Below this speed a body comes to rest (rule C4), and below it friction takes what leaves the surface (rule C5).
pub const SMALL_VELOCITY: f32 = 0.25;
/// The friction of a body that nobody gave another.
pub const DEFAULT_FRICTION: f32 = 0.95;
/// The elasticity of a body that nobody gave another.
pub const DEFAULT_ELASTICITY: f32 = 0.05;
/// The highest elasticity (rule C7).
const MAX_ELASTICITY: f32 = 0.1;
/// How far from the player a body still moves (rule B3); it is also where positions begin to be snapped to (rule D7).
pub const PLAYER_FAR: f32 = 96.0;

/// One body: where it is, how it moves by itself, what it stands on.
///
/// ```
/// use acmotion::body::{Body, PhysicsState, TransientState};
/// use acmotion::types::{CellId, CellPosition, Frame, Vec3};
///
/// // Thrown straight up at five metres a second.
/// let place = CellPosition::at(CellId(0xA9B4_0001), Vec3::new(10.0, 10.0, 0.0));
/// let mut body = Body::new(place);
/// body.set_velocity(Vec3::new(0.0, 0.0, 5.0), 0.0);
/// body.calc_acceleration();
/// let mut frame = body.position.frame;
/// body.update_physics(1.0 / 30.0, &mut frame);
/// assert!((frame.origin.z - (5.0 / 30.0 - 0.5 * 9.8 / 900.0)).abs() < 1e-6);
/// ```
#[derive(Clone, PartialEq, Debug)]
#[doc(alias = "CPhysicsObj")]
pub struct Body {
    /// When it was last moved.
    pub clock: ObjectClock,
    /// The cell it is in, and its frame in that cell's landblock.
    #[doc(alias = "m_position")]
    pub position: CellPosition,
    /// Its own velocity, metres a second in the landblock's axes; walking is not in it (rule B6).
    #[doc(alias = "m_velocityVector")]
    pub velocity: Vec3,
    /// What changes the velocity (rule C3).
    pub acceleration: Vec3,
    /// How it spins by itself, radians a second in the landblock's axes.
    #[doc(alias = "m_omegaVector")]
    pub omega: Vec3,
    /// How it really moved in the last tick, metres a second.
    #[doc(alias = "get_velocity")]
    pub cached_velocity: Vec3,
    /// What the server says of it.
    pub state: PhysicsState,
    /// How it is placed just now.
    pub transient: TransientState,
    /// Plain facts about it.
    pub flags: BodyFlags,
    /// What it stands on, or last stood on.
    pub contact_plane: Plane,
    /// The cell of the contact plane.
    pub contact_plane_cell: CellId,
    /// What it slides along, if it does.
    pub sliding_normal: Vec3,
    /// How much is lost to friction: 0 none, 1 all.
    friction: f32,
    /// How much of the speed comes back from a hit.
    elasticity: f32,
    /// Its size against the setup's.
    pub scale: f32,
    /// How far from the player it was when last looked at (rule B3).
    pub player_distance: f32,
    /// What it touches just now; behind a pointer, because most bodies touch nothing.
    touches: Option<Box<touch::Touches>>,
}

bitflags::bitflags! {
    /// Plain facts about a body, each a yes or no.
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
    pub struct BodyFlags: u8 {
        /// It is in a cell of the world.
        const IN_CELL = 1;
        /// It hangs on another body.
        const HAS_PARENT = 2;
        /// It can be asked to move: it has an interpreter (rule C4).
        #[doc(alias = "movement_manager")]
        const MANAGED = 4;
        /// Its velocity was set in this tick.
        #[doc(alias = "jumped_this_frame")]
        const JUMPED = 8;
        /// Its last movement was its own client's doing (rule F8).
        #[doc(alias = "last_move_was_autonomous")]
        const AUTONOMOUS = 16;
        /// It touches the surroundings, and that has been told (rule C11).
        #[doc(alias = "colliding_with_environment")]
        const TOUCHES_ENVIRONMENT = 32;
        /// The server gave it its velocity since its last step: leaving the ground does not take that away (rule N1).
        const THROWN = 64;
    }
}

impl Body {
    /// A body at a place, not yet in the world (rules C1, C2).
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

    /// What a new body is before the server has said anything: 0x400C08 (rule C1).
    pub const INITIAL_STATE: PhysicsState = PhysicsState::EDGE_SLIDE
        .union(PhysicsState::LIGHTING_ON)
        .union(PhysicsState::GRAVITY)
        .union(PhysicsState::REPORT_COLLISIONS);

    /// Does it touch ground?
    pub fn has_contact(&self) -> bool {
        self.transient.contains(TransientState::CONTACT)
    }

    /// Is that ground flat enough to walk on?
    pub fn is_on_walkable(&self) -> bool {
        self.transient.contains(TransientState::ON_WALKABLE)
    }

    /// Does it stand on ground that it can walk on?
    pub fn is_standing(&self) -> bool {
        self.transient.contains(TransientState::CONTACT.union(TransientState::ON_WALKABLE))
    }

    /// Is it in a cell of the world?
    pub fn is_in_cell(&self) -> bool {
        self.flags.contains(BodyFlags::IN_CELL)
    }

    /// How much is lost to friction: 0 none, 1 all.
    pub fn friction(&self) -> f32 {
        self.friction
    }

    /// Takes a friction between 0 and 1; others are ignored (rule C7).
    pub fn set_friction(&mut self, friction: f32) {
        if (0.0..=1.0).contains(&friction) {
            self.friction = friction;
        }
    }

    /// How much of the speed comes back from a hit.
    pub fn elasticity(&self) -> f32 {
        self.elasticity
    }

    /// Takes an elasticity, brought between 0 and 0.1 (rule C7).
    pub fn set_elasticity(&mut self, elasticity: f32) {
        if !elasticity.is_nan() {
            self.elasticity = elasticity.clamp(0.0, MAX_ELASTICITY);
        }
    }

    /// Takes a velocity if it differs by more than EPS in a component, no faster than [`MAX_VELOCITY`], and wakes the
    /// body (rule C6). A velocity that is not finite is ignored.
    pub fn set_velocity(&mut self, velocity: Vec3, now: f64) {
        if velocity.is_finite() && !velocity.is_close_to(self.velocity) {
            self.velocity = clamp_speed(velocity);
            self.flags.insert(BodyFlags::JUMPED);
        }
        self.set_active(now);
    }

    /// As [`set_velocity`](Self::set_velocity), given in the body's own axes (rule C6).
    pub fn set_local_velocity(&mut self, velocity: Vec3, now: f64) {
        self.set_velocity(self.position.frame.local_to_global_vec(velocity), now);
    }

    /// Its own velocity in its own axes.
    pub fn local_velocity(&self) -> Vec3 {
        self.position.frame.global_to_local_vec(self.velocity)
    }

    /// Takes a spin (rule C6). One that is not finite is ignored.
    pub fn set_omega(&mut self, omega: Vec3) {
        if omega.is_finite() {
            self.omega = omega;
        }
    }

    /// Wakes the body, unless it is static; time begins to count now (rule B3).
    pub fn set_active(&mut self, now: f64) {
        if self.state.contains(PhysicsState::STATIC) {
            return;
        }
        if !self.transient.contains(TransientState::ACTIVE) {
            self.clock.update_time = now;
            self.transient.insert(TransientState::ACTIVE);
        }
    }

    /// Nothing pulls a body that stands and does not sled, and it stops spinning; all others fall if they have gravity
    /// (rule C3).
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

    /// `contact`, unless the body moves off what it touches (rule C8).
    #[inline]
    pub fn check_contact(&self, contact: bool) -> bool {
        contact && !(self.has_contact() && self.velocity.dot(self.contact_plane.normal) > EPS)
    }
}

/// The same direction, no faster than [`MAX_VELOCITY`]. Lengths are taken in double precision, so that no finite
/// velocity is too fast to be measured.
fn clamp_speed(velocity: Vec3) -> Vec3 {
    let [x, y, z] = <[f32; 3]>::from(velocity).map(f64::from);
    let square = x * x + y * y + z * z;
    let most = f64::from(MAX_VELOCITY);
    if square <= most * most {
        return velocity;
    }
    let factor = most / square.sqrt();
    Vec3::new((x * factor) as f32, (y * factor) as f32, (z * factor) as f32)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn body() -> Body {
        Body::new(CellPosition::at(CellId(0xA9B4_0001), Vec3::ZERO))
    }

    #[test]
    fn velocity_is_clamped_and_small_changes_are_not_taken() {
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
    fn numbers_that_are_none_are_not_taken() {
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
    fn a_velocity_wakes_a_body_unless_it_is_static() {
        let mut awake = body();
        awake.set_velocity(Vec3::ZERO, 7.0);
        assert!(awake.transient.contains(TransientState::ACTIVE));
        assert_eq!(awake.clock.update_time, 7.0);
        awake.set_velocity(Vec3::new(1.0, 0.0, 0.0), 8.0);
        assert_eq!(awake.clock.update_time, 7.0, "awake already");
        let mut fixed = body();
        fixed.state.insert(PhysicsState::STATIC);
        fixed.set_velocity(Vec3::new(1.0, 0.0, 0.0), 7.0);
        assert!(!fixed.transient.contains(TransientState::ACTIVE));
    }
}

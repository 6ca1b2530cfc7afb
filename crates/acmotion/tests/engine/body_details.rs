//! What a body takes from its surroundings and its description: activity, ground, collisions, touches and friction, and what it
//! loses when it leaves the world (rules B3, C4–C14).

use acmotion::components::{Body, PhysicsState, TransientState};
use acmotion::internals::body::{
    BodyFlags, BodyHost, clear_transient_states, commit, handle_failed_placement, set_on_walkable,
};
use acmotion::internals::collide::{Arrival, Contact, MoverFlags, ObstacleFlags, Plane, Shape, Touch};
use acmotion::types::{CellId, CellPosition, Frame, Guid, Vec3};

const CELL: CellId = CellId(0xA9B4_0001);
const UP: Vec3 = Vec3::new(0.0, 0.0, 1.0);
const STANDS: TransientState = TransientState::CONTACT.union(TransientState::ON_WALKABLE);

/// A body that counts how often it hit and left the ground, and what it was told of collisions.
struct Host {
    body: Body,
    hit_ground: usize,
    left_ground: usize,
    hit_environment: usize,
    touched: Vec<Guid>,
    parted: Vec<Guid>,
}

impl Host {
    fn new(body: Body) -> Self {
        Self {
            body,
            hit_ground: 0,
            left_ground: 0,
            hit_environment: 0,
            touched: Vec::new(),
            parted: Vec::new(),
        }
    }
}

impl BodyHost for Host {
    fn body(&mut self) -> &mut Body {
        &mut self.body
    }
    fn hit_ground(&mut self) {
        self.hit_ground += 1;
    }
    fn hit_environment(&mut self) {
        self.hit_environment += 1;
    }
    fn on_touch_begin(&mut self, touch: &Touch) {
        self.touched.push(touch.guid);
    }
    fn on_touch_end(&mut self, guid: Guid) {
        self.parted.push(guid);
    }
    fn leave_ground(&mut self) {
        assert!(!self.body.is_on_walkable(), "the flag is cleared before");
        self.left_ground += 1;
    }
}

fn body(transient: TransientState, flags: BodyFlags) -> Host {
    let mut body = Body::new(CellPosition::at(CELL, Vec3::new(10.0, 10.0, 0.0)));
    body.state.insert(PhysicsState::GRAVITY);
    (body.transient, body.flags) = (transient, flags);
    body.contact_plane = Plane::new(UP, 0.0);
    Host::new(body)
}

/// A managed body that stands.
fn standing() -> Host {
    body(STANDS | TransientState::ACTIVE, BodyFlags::MANAGED | BodyFlags::IN_CELL)
}

fn cleared(transient: TransientState, flags: BodyFlags) -> Host {
    let mut host = body(transient, flags);
    clear_transient_states(&mut host);
    host
}

/// An arrival on the ground, one metre on.
fn on_ground(normal: Vec3) -> Arrival {
    let position = CellPosition::at(CELL, Vec3::new(10.0, 11.0, 0.0));
    let contact = Contact { plane: Plane::new(normal, 0.0), cell: CELL, is_water: false };
    Arrival { contact, has_contact: true, ..Arrival::without_contact(position) }
}

fn touch(number: u32, state: PhysicsState) -> Touch {
    Touch { guid: Guid(number), state, flags: ObstacleFlags::WEENIE }
}

/// All transient flags go, ACTIVE included, and gravity counts again.
#[test]
fn a_body_that_leaves_the_world_keeps_no_transient_state() {
    let host = cleared(TransientState::all(), BodyFlags::MANAGED);
    assert_eq!(host.body.transient, TransientState::empty());
    assert!(host.body.acceleration.z < 0.0, "without contact it would fall");
    for flag in TransientState::all().iter() {
        assert_eq!(cleared(flag, BodyFlags::MANAGED).body.transient, TransientState::empty(), "{flag:?}");
    }
}

/// The ground is left only by a body that stood on it, and that can be asked to move.
#[test]
fn only_a_managed_body_that_stood_leaves_the_ground() {
    let standing = TransientState::CONTACT | TransientState::ON_WALKABLE;
    assert_eq!(cleared(standing, BodyFlags::MANAGED).left_ground, 1);
    assert_eq!(cleared(standing, BodyFlags::empty()).left_ground, 0, "without a movement manager");
    assert_eq!(
        cleared(TransientState::CONTACT, BodyFlags::MANAGED).left_ground,
        0,
        "on a slope, or in the air"
    );
}

/// Friction counts from 0 to 1, elasticity is limited to 0.1, and a scale must be positive (C7).
#[test]
fn c7_friction_elasticity_and_scale_are_taken_within_their_limits() {
    let mut body = standing().body;
    for (friction, expected) in [(0.5, 0.5), (1.1, 0.5), (-0.1, 0.5), (0.0, 0.0), (1.0, 1.0)] {
        body.set_friction(friction);
        assert_eq!(body.friction(), expected, "{friction}");
    }
    for (elasticity, expected) in [(0.02, 0.02), (0.5, 0.1), (-1.0, 0.0)] {
        body.set_elasticity(elasticity);
        assert_eq!(body.elasticity(), expected, "{elasticity}");
    }
    for (scale, expected) in
        [(2.0, 2.0), (0.0, 2.0), (-1.0, 2.0), (f32::INFINITY, 2.0), (f32::NAN, 2.0), (0.5, 0.5)]
    {
        body.set_scale(scale);
        assert_eq!(body.scale, expected, "{scale}");
    }
}

/// A parent, no cell, or being frozen: each alone keeps a body from being updated, and ends its activity (B3.1).
#[test]
fn b3_a_held_lost_or_frozen_body_is_not_active() {
    let updated = |change: fn(&mut Body)| {
        let mut body = standing().body;
        change(&mut body);
        let updated = body.update_activity(Some(10.0), 5.0);
        (updated, body.transient.contains(TransientState::ACTIVE))
    };
    assert_eq!(updated(|_| {}), (true, true));
    assert_eq!(updated(|body| body.flags.insert(BodyFlags::HAS_PARENT)), (false, false));
    assert_eq!(updated(|body| body.flags.remove(BodyFlags::IN_CELL)), (false, false));
    assert_eq!(updated(|body| body.state.insert(PhysicsState::FROZEN)), (false, false));
    assert_eq!(updated(|body| body.player_distance = 200.0), (true, true), "what was is over");
    let mut far = standing().body;
    assert!(far.update_activity(Some(96.1), 5.0) && !far.transient.contains(TransientState::ACTIVE));
}

/// The ground is hit and left when the bit changes, and by a body with a movement manager only (C9).
#[test]
fn c9_only_a_change_of_the_ground_is_told() {
    for (transient, walkable, expected) in [
        (STANDS, true, (0, 0)),
        (STANDS, false, (0, 1)),
        (TransientState::CONTACT, true, (1, 0)),
        (TransientState::CONTACT, false, (0, 0)),
    ] {
        for flags in [BodyFlags::MANAGED, BodyFlags::empty()] {
            let mut host = body(transient, flags);
            set_on_walkable(&mut host, walkable);
            let expected = if flags.is_empty() { (0, 0) } else { expected };
            assert_eq!((host.hit_ground, host.left_ground), expected, "{transient:?} {walkable} {flags:?}");
            assert_eq!(host.body.is_on_walkable(), walkable);
        }
    }
}

/// A body that hits a wall in the air bounces, and one that walks into it does not, unless it is on a sled. An inelastic one
/// stops, and so does one that was stationary for more than a frame (C11).
#[test]
fn c11_a_collision_turns_the_velocity_round() {
    let wall = Vec3::new(-1.0, 0.0, 0.0);
    let after = |state: PhysicsState, transient: TransientState, stationary: u8| {
        let mut host = body(transient | TransientState::ACTIVE, BodyFlags::MANAGED | BodyFlags::IN_CELL);
        host.body.state |= state;
        host.body.velocity = Vec3::new(5.0, 0.0, 0.0);
        let arrival = Arrival {
            collision_normal: Some(wall),
            frames_stationary_fall: stationary,
            collided_with_environment: true,
            has_contact: transient.contains(TransientState::CONTACT),
            ..on_ground(UP)
        };
        commit(&mut host, &arrival, &[], 1.0);
        (host.body.velocity.x, host.body.transient & TransientState::STATIONARY)
    };
    let (none, air) = (PhysicsState::empty(), TransientState::empty());
    let clear = TransientState::empty();
    // 5 m/s turned round leave 5 − 1.05 · 5.
    for (state, transient, stationary, speed, bits) in [
        (none, air, 0, -0.25, clear),
        (none, STANDS, 0, 5.0, clear),
        (PhysicsState::SLEDDING, STANDS, 0, -0.25, clear),
        (PhysicsState::INELASTIC, air, 0, 0.0, clear),
        (none, air, 1, -0.25, TransientState::STATIONARY_FALL),
        (none, air, 2, 0.0, TransientState::STATIONARY_STOP),
        (none, air, 3, 0.0, clear),
        (none, air, 4, 0.0, TransientState::STATIONARY_STUCK),
    ] {
        let (x, stationary_bits) = after(state, transient, stationary);
        assert!((x - speed).abs() < 1e-5, "{state:?} {transient:?} {stationary}: {x} m/s");
        assert_eq!(stationary_bits, bits, "{stationary}");
    }
}

/// A touch is reported if either side reports collisions and the other does not ignore them, and the other side only if it
/// is an object of the game. Static objects count as the environment, and so do those that say so, once.
#[test]
fn c11_touches_are_reported_to_either_side() {
    let (reports, ignores) = (PhysicsState::REPORT_COLLISIONS, PhysicsState::IGNORE_COLLISIONS);
    let none = PhysicsState::empty();
    let reported = |own: PhysicsState, other: Touch| {
        let mut host = standing();
        host.body.state = own;
        let reported = handle_failed_placement(&mut host, &on_ground(UP), &[other], 1.0);
        (reported, host.touched.len(), host.hit_environment)
    };
    // A body that is put on the ground has hit the environment before.
    let reported = |own, other| {
        let (is_reported, touched, environment) = reported(own, other);
        assert_eq!(environment, 1);
        (is_reported, touched)
    };
    assert_eq!(reported(reports, touch(7, none)).1, 1);
    assert_eq!(reported(reports, touch(7, ignores)).1, 0);
    assert_eq!(reported(none, touch(7, reports)).1, 1);
    assert_eq!(reported(ignores, touch(7, reports)).1, 0);
    assert_eq!(reported(none, Touch { flags: ObstacleFlags::empty(), ..touch(7, reports) }).1, 0);
    assert_eq!(reported(reports | ignores, touch(7, reports | ignores)).1, 0);
    assert_eq!(reported(none, touch(7, none)).1, 0);

    let touching = |state: PhysicsState| {
        let mut host = standing();
        host.body.flags.insert(BodyFlags::TOUCHES_ENVIRONMENT);
        let first = handle_failed_placement(&mut host, &on_ground(UP), &[touch(7, state)], 1.0);
        (first, host.touched.len(), host.hit_environment)
    };
    assert_eq!(touching(reports), (true, 1, 0));
    assert_eq!(touching(none), (true, 1, 0), "the body reports");
    for state in [PhysicsState::STATIC, PhysicsState::REPORT_COLLISIONS_AS_ENVIRONMENT] {
        assert_eq!(touching(state | reports), (false, 0, 0), "{state:?}: it touches the environment already");
        // On no ground that could be hit.
        let mut host = body(TransientState::CONTACT, BodyFlags::MANAGED | BodyFlags::IN_CELL);
        let arrival = Arrival::without_contact(host.body.position);
        assert!(handle_failed_placement(&mut host, &arrival, &[touch(7, state | reports)], 1.0), "{state:?}");
        assert_eq!((host.touched.len(), host.hit_environment), (0, 1), "{state:?}");
    }
}

/// A touch goes on while it is renewed, and ends a second after the last contact (C11); that of an ethereal object at once.
/// The order in which objects are found does not matter.
#[test]
fn c11_touches_begin_and_end_once() {
    let mut host = standing();
    let state = PhysicsState::REPORT_COLLISIONS;
    let three = [touch(1, state), touch(2, state), touch(3, state)];
    commit(&mut host, &on_ground(UP), &three, 1.0);
    assert_eq!(host.touched, [Guid(1), Guid(2), Guid(3)]);
    for order in [[1, 2, 0], [2, 1, 0], [0, 1, 2]] {
        let touched = order.map(|index: usize| three[index]);
        commit(&mut host, &on_ground(UP), &touched, 1.5);
        assert_eq!(host.touched.len(), 3, "they are known");
    }
    commit(&mut host, &on_ground(UP), &[touch(2, state), touch(4, state | PhysicsState::ETHEREAL)], 2.0);
    assert_eq!((host.touched.len(), host.parted.len()), (4, 0));
    commit(&mut host, &on_ground(UP), &[touch(2, state)], 2.1);
    assert_eq!(host.parted, [Guid(4)], "ethereal");
    commit(&mut host, &on_ground(UP), &[], 2.6);
    assert_eq!(host.parted, [Guid(4), Guid(1), Guid(3)], "more than a second after 1.5");
    commit(&mut host, &on_ground(UP), &[], 3.2);
    assert_eq!(host.parted.len(), 4);
}

/// The speed from before friction decides how a sled brakes (C5), also through [`Body::update_physics`], which limits it to
/// 50 m/s first (C4).
#[test]
fn c4_and_c5_a_sled_brakes_by_its_speed() {
    let slope = Vec3::new(0.0, 0.435_889_9, 0.9);
    let after = |speed: f32| {
        let mut body = standing().body;
        body.state.insert(PhysicsState::SLEDDING);
        body.contact_plane = Plane::new(slope, 0.0);
        body.velocity = Vec3::new(speed, 0.0, 0.0);
        body.update_physics(1.0, &mut Frame::IDENTITY.clone());
        body.velocity.x
    };
    for (speed, expected) in [(60.0, 40.0), (40.0, 32.0), (3.0, 2.4), (2.0, 0.1), (1.2, 0.0)] {
        assert!((after(speed) - expected).abs() < 1e-4, "{speed} m/s: {}", after(speed));
    }
}

/// A sweep is told whether a body slides off edges, may turn freely and is a missile (C8).
#[test]
fn c8_a_sweep_knows_the_kind_of_body() {
    let flags_of = |state: PhysicsState, free_heading: bool| {
        let mut body = standing().body;
        body.state = state;
        let mut shape = Shape::human();
        shape.free_heading = free_heading;
        body.mover(Guid(1), &shape, MoverFlags::empty()).flags
    };
    let kinds = MoverFlags::EDGE_SLIDE | MoverFlags::FREE_ROTATE | MoverFlags::PATH_CLIPPED;
    assert_eq!(flags_of(PhysicsState::empty(), false) & kinds, MoverFlags::empty());
    assert_eq!(flags_of(PhysicsState::EDGE_SLIDE, false) & kinds, MoverFlags::EDGE_SLIDE);
    assert_eq!(flags_of(PhysicsState::empty(), true) & kinds, MoverFlags::FREE_ROTATE);
    assert_eq!(flags_of(PhysicsState::MISSILE, false) & kinds, MoverFlags::PATH_CLIPPED);
}

/// A walker is committed in a shorter way. A body that has touched something takes the general one ever after: both must
/// end the same, wherever they arrive.
#[test]
fn c10_the_short_commit_of_a_walker_equals_the_general_one() {
    let slope = Vec3::new(0.0, 0.6, 0.8);
    let mut arrivals = Vec::new();
    for normal in [UP, slope, Vec3::new(0.0, 0.8, 0.6)] {
        for bits in 0..128_u32 {
            let has = |bit: u32| bits >> bit & 1 != 0;
            let mut arrival = on_ground(normal);
            arrival.has_contact = !has(0);
            arrival.contact.is_water = has(1);
            arrival.is_sliding = has(2);
            arrival.sliding_normal = if has(6) { Vec3::new(1.0, 0.0, 0.0) } else { Vec3::ZERO };
            arrival.collided_with_environment = has(3);
            arrival.frames_stationary_fall = u8::from(has(4)) * 2;
            arrival.collision_normal = has(5).then_some(Vec3::new(0.0, -1.0, 0.0));
            arrival.contact.cell = CellId(0xA9B4_0002);
            arrivals.push(arrival);
        }
    }
    let special = [
        (TransientState::empty(), PhysicsState::empty(), BodyFlags::empty()),
        (TransientState::WATER_CONTACT, PhysicsState::empty(), BodyFlags::TOUCHES_ENVIRONMENT),
        (TransientState::SLIDING, PhysicsState::empty(), BodyFlags::empty()),
        (TransientState::STATIONARY_STOP, PhysicsState::empty(), BodyFlags::empty()),
        (TransientState::empty(), PhysicsState::SLEDDING, BodyFlags::empty()),
        (TransientState::empty(), PhysicsState::empty(), BodyFlags::IN_CELL),
    ];
    for (transient, state, flags) in special {
        for arrival in &arrivals {
            let committed = |touched_before: bool| {
                let mut host = standing();
                if touched_before {
                    commit(&mut host, &on_ground(UP), &[touch(9, PhysicsState::empty())], 1.0);
                    commit(&mut host, &on_ground(UP), &[], 9.0);
                } else {
                    commit(&mut host, &on_ground(UP), &[], 9.0);
                }
                host.body.transient |= transient;
                host.body.state |= state;
                // What was in a cell may have lost it since, by a placement.
                host.body.flags ^= flags;
                host.body.velocity = Vec3::new(0.0, 0.3, -0.1);
                host.body.omega = Vec3::new(0.0, 0.0, 1.0);
                (host.hit_ground, host.left_ground, host.hit_environment) = (0, 0, 0);
                commit(&mut host, arrival, &[], 9.1);
                let Host { body, hit_ground, left_ground, hit_environment, .. } = host;
                let ground = (body.contact_plane, body.contact_plane_cell, body.sliding_normal);
                let motion = (body.velocity, body.acceleration, body.omega);
                let bits = (body.transient, body.state, body.flags);
                (body.position, ground, motion, bits, [hit_ground, left_ground, hit_environment])
            };
            assert_eq!(committed(false), committed(true), "{transient:?} {state:?}: {arrival:?}");
        }
    }
}

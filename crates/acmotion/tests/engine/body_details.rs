//! What a body that leaves the world loses (rule C14).

use acmotion::components::{Body, PhysicsState, TransientState};
use acmotion::internals::body::{BodyFlags, BodyHost, clear_transient_states};
use acmotion::types::{CellId, CellPosition, Vec3};

/// A body that counts how often it left the ground.
struct Host {
    body: Body,
    left_ground: usize,
}

impl BodyHost for Host {
    fn body(&mut self) -> &mut Body {
        &mut self.body
    }
    fn hit_ground(&mut self) {}
    fn leave_ground(&mut self) {
        assert!(!self.body.has_contact() && !self.body.is_on_walkable(), "the flags are cleared before");
        self.left_ground += 1;
    }
}

fn cleared(transient: TransientState, flags: BodyFlags) -> Host {
    let mut body = Body::new(CellPosition::at(CellId(0xA9B4_0001), Vec3::new(10.0, 10.0, 0.0)));
    body.state.insert(PhysicsState::GRAVITY);
    (body.transient, body.flags) = (transient, flags);
    let mut host = Host { body, left_ground: 0 };
    clear_transient_states(&mut host);
    host
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

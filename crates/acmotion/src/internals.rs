//! Everything that the modules of the engine offer each other, for the conformance vectors, tests, benchmarks and fuzz
//! targets of this repository. Not covered by semantic versioning.

pub mod body {
    pub use crate::body::*;
}
pub mod collide {
    pub use crate::collide::*;
}
pub mod correction {
    pub use crate::correction::*;

    use acmotion_types::{CellPosition, Frame, Guid};

    use crate::entity::{Actor, Entity};

    /// Applies the corrections to the offset of a step (rule I1).
    pub fn adjust_offset(actor: &mut Actor<'_>, offset: &mut Frame, quantum: f32) {
        actor.adjust_offset(offset, quantum);
    }

    /// Queues a position for a body to interpolate to (rule I4).
    pub fn interpolate_to(entity: &mut Entity, position: &CellPosition, keep_heading: bool, is_player: bool) {
        entity.interpolate_to(position, keep_heading, is_player);
    }

    /// Sticks to an object (rules I10, Q5).
    pub fn stick_to_object(actor: &mut Actor<'_>, object: Guid) {
        actor.stick_to(object);
    }
}
pub mod entity {
    pub use crate::entity::*;

    use acmotion_types::{CellPosition, Frame};

    use crate::body::{PhysicsState, Quantum};

    /// Advances an entity to now as [`Actor::update`] does, with another step (rule B3).
    pub fn update_in_steps(
        actor: &mut Actor<'_>,
        player: Option<&CellPosition>,
        step: impl FnMut(&mut Actor<'_>, Quantum),
    ) {
        actor.update_in_steps(player, step);
    }

    /// Returns the frame that an offset by root motion leads to, after corrections and velocity (rules B5.3–B5.5).
    pub fn displace(actor: &mut Actor<'_>, offset: Frame, quantum: f32) -> Frame {
        let is_hidden = actor.entity.body.state.contains(PhysicsState::HIDDEN);
        actor.displace(offset, quantum, is_hidden)
    }
}
pub mod gate {
    pub use crate::gate::*;
}
pub mod interp {
    pub use crate::interp::*;
}
pub mod library {
    pub use crate::library::*;
}
pub mod player {
    pub use crate::player::*;
}
pub mod pose {
    pub use crate::pose::*;
}
pub mod sequence {
    pub use crate::sequence::*;
}
pub mod steer {
    pub use crate::steer::*;
}
pub mod table {
    pub use crate::table::*;
}
pub mod world {
    pub use crate::world::*;
}

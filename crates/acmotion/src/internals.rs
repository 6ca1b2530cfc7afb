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
}
pub mod entity {
    pub use crate::entity::*;
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

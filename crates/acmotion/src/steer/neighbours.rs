//! What a body sees of others.

use std::fmt;

use acmotion_types::{CellPosition, Cylinder, Guid};

/// Another body, as seen by a body that goes to it.
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Neighbour {
    /// The object it is attached to, if any.
    pub parent: Option<Guid>,
    /// Its position.
    pub position: CellPosition,
    /// Its bounding cylinder, scaled (rule A16).
    pub size: Cylinder,
}

/// A source of other bodies.
///
/// ```
/// use acmotion::components::{Neighbours, NoNeighbours};
/// use acmotion::types::Guid;
///
/// assert!(NoNeighbours.neighbour(Guid(0x5000_0001)).is_none());
/// ```
pub trait Neighbours {
    /// Returns the body with a guid, `None` if it is unknown.
    #[doc(alias = "GetObjectA")]
    fn neighbour(&self, guid: Guid) -> Option<Neighbour>;
}

impl fmt::Debug for dyn Neighbours + '_ {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Neighbours")
    }
}

/// No other bodies.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct NoNeighbours;

impl Neighbours for NoNeighbours {
    fn neighbour(&self, _guid: Guid) -> Option<Neighbour> {
        None
    }
}

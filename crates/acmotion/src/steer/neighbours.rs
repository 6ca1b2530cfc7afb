//! What a body can know about others.

use std::fmt;

use acmotion_types::{CellPosition, Cylinder, Guid};

/// Another body, as one that goes to it sees it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Neighbour {
    /// On what it hangs, if it does.
    pub parent: Option<Guid>,
    /// Where it is.
    pub position: CellPosition,
    /// Its round size, scaled (rule A16).
    pub size: Cylinder,
}

/// Who else is there.
///
/// ```
/// use acmotion::steer::{Alone, Neighbours};
/// use acmotion::types::Guid;
///
/// assert!(Alone.neighbour(Guid(0x5000_0001)).is_none());
/// ```
pub trait Neighbours {
    /// Another body, if it is known.
    #[doc(alias = "GetObjectA")]
    fn neighbour(&self, guid: Guid) -> Option<Neighbour>;
}

impl fmt::Debug for dyn Neighbours + '_ {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Neighbours")
    }
}

/// Nobody else is there.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Alone;

impl Neighbours for Alone {
    fn neighbour(&self, _guid: Guid) -> Option<Neighbour> {
        None
    }
}

//! Buildings: shells on the land, with rooms inside (`docs/collision.md` 7.5).

use std::sync::Arc;

use acmotion_types::{CellId, CellPosition};

use crate::collide::geometry::Solid;

/// A building: what of it stands on the land, and its doors.
#[derive(Clone, Debug)]
#[doc(alias = "CBuildingObj")]
pub struct Building {
    /// Where its shell is: the first of its parts.
    pub position: CellPosition,
    /// Its shell.
    pub solid: Option<Arc<Solid>>,
    /// The size of the shell against its polygons.
    pub scale: f32,
    /// Its ways in.
    pub portals: Vec<BuildingPortal>,
}

/// A way into a building.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[doc(alias = "CBldPortal")]
pub struct BuildingPortal {
    /// The room behind it.
    pub room: CellId,
    /// Which of the room's ways out it is; none below zero.
    pub other_portal: i16,
}

//! Buildings: shells on the land that lead to rooms (`docs/collision.md` 7.5).

use std::sync::Arc;

use acmotion_dat::DataId;
use acmotion_types::{CellId, CellPosition};

use crate::collide::geometry::Solid;

/// A building: its shell on the land, and its portals to the rooms inside.
#[derive(Clone, Debug)]
#[doc(alias = "CBuildingObj")]
pub struct Building {
    /// The position of the shell, which is the first part of the model.
    pub position: CellPosition,
    /// The model of the building, a setup or a mesh; `None` for a building that is not from a dat file.
    pub model: Option<DataId>,
    /// The polygons of the shell, if it has any.
    pub solid: Option<Arc<Solid>>,
    /// The scale of the shell.
    pub scale: f32,
    /// The portals into the building.
    pub portals: Vec<BuildingPortal>,
    /// The rooms that are visible through its portals, each once, in order.
    #[doc(alias = "stab_list")]
    pub visible: Vec<CellId>,
}

/// A portal into a building.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[doc(alias = "CBldPortal")]
pub struct BuildingPortal {
    /// The room behind the portal.
    pub room: CellId,
    /// The index of the same portal in that room. A portal with a negative index leads nowhere.
    pub other_portal: i16,
}

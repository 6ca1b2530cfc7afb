//! The obstacles in a snapshot.
//!
//! Most of an obstacle follows from its entity. Saved are the cells it is listed in, because the order of the lists decides
//! what a body hits first, the frames of its parts, and everything else only where the entity has changed since.

use std::collections::BTreeMap;

use acmotion_types::{CellId, CellPosition, Frame, Guid};
use serde::{Deserialize, Serialize};

use super::{Bounds, Resident, Shadow, Shadows, flags_of};
use crate::body::PhysicsState;
use crate::collide::ObstacleFlags;
use crate::collide::scene::CellArray;
use crate::library::{ClipId, Library};
use crate::restore::{Checked, require, require_finite};

/// The slots listed in each cell, in order.
pub(in crate::world) type SavedCells = BTreeMap<CellId, Vec<u32>>;

/// An entity as an obstacle.
#[derive(Serialize, Deserialize)]
pub(in crate::world) struct SavedShadow {
    cells: Vec<CellId>,
    /// The frames of its parts, if they collide.
    frames: Vec<Frame>,
    shown: Option<(ClipId, u32)>,
    outdated: Option<Outdated>,
}

/// What others collide with, if it differs from the entity.
#[derive(PartialEq, Serialize, Deserialize)]
struct Outdated {
    guid: Guid,
    position: CellPosition,
    scale: f32,
    state: PhysicsState,
    flags: ObstacleFlags,
}

impl Outdated {
    fn of_shadow(shadow: &Shadow) -> Self {
        let Shadow { guid, position, scale, state, flags, .. } = *shadow;
        Self { guid, position, scale, state, flags }
    }

    /// What the obstacle of an entity would be if it were refreshed.
    fn of_entity(resident: &Resident) -> Self {
        let body = resident.body();
        Self {
            guid: resident.guid(),
            position: body.position,
            scale: body.scale,
            state: body.state,
            flags: flags_of(resident),
        }
    }
}

impl Shadows {
    pub(in crate::world) fn saved_cells(&self) -> SavedCells {
        self.cells.iter().map(|(cell, list)| (*cell, list.slots().to_vec())).collect()
    }

    /// The obstacle of an entity, `None` if entities do not collide.
    pub(in crate::world) fn saved(&self, resident: &Resident) -> Option<SavedShadow> {
        let slot = resident.id().slot as usize;
        let (shadow, cells) = (self.shadows.get(slot)?, self.listed.get(slot)?);
        let seen = Outdated::of_shadow(shadow);
        let is_outdated = seen != Outdated::of_entity(resident);
        Some(SavedShadow {
            cells: cells.iter().collect(),
            frames: shadow.parts.iter().map(|part| part.frame).collect(),
            shown: shadow.shown.map(|(clip, frame)| (clip, frame as u32)),
            outdated: is_outdated.then_some(seen),
        })
    }

    /// Restores the obstacle of an entity that has been [added](Self::add).
    pub(in crate::world) fn restore(
        &mut self,
        resident: &Resident,
        saved: SavedShadow,
        library: &Library,
    ) -> Checked {
        require_finite(&saved, "an obstacle with a number that is not finite")?;
        let slot = resident.id().slot as usize;
        let Some(shadow) = self.shadows.get_mut(slot) else { return Err("an obstacle without a slot") };
        let Outdated { guid, position, scale, state, flags } =
            saved.outdated.unwrap_or_else(|| Outdated::of_entity(resident));
        (shadow.guid, shadow.position, shadow.scale, shadow.state, shadow.flags) =
            (guid, position, scale, state, flags);
        shadow.set_has_parts(!saved.frames.is_empty());
        require(shadow.parts.len() == saved.frames.len(), "an obstacle with a wrong number of parts")?;
        for (part, frame) in shadow.parts.iter_mut().zip(saved.frames) {
            part.frame = frame;
        }
        let is_known = saved.shown.is_none_or(|(clip, _)| library.has_clip(clip));
        require(is_known, "an obstacle posed by an animation that is not loaded")?;
        shadow.shown = saved.shown.map(|(clip, frame)| (clip, frame as usize));
        let mut cells = CellArray::default();
        saved.cells.iter().for_each(|cell| cells.add(*cell));
        require(cells.len() == saved.cells.len(), "an obstacle listed twice in a cell")?;
        self.bounds[slot] = if cells.is_empty() { Bounds::default() } else { shadow.bounds() };
        self.listed[slot] = cells;
        Ok(())
    }

    /// Restores the lists of the cells, after all obstacles.
    pub(in crate::world) fn restore_cells(&mut self, saved: SavedCells) -> Checked {
        let mut count = 0;
        for (cell, slots) in &saved {
            require(!slots.is_empty(), "a cell with an empty list of obstacles")?;
            let is_listed =
                |slot: &u32| self.listed.get(*slot as usize).is_some_and(|cells| cells.contains(*cell));
            let mut sorted = slots.clone();
            sorted.sort_unstable();
            require(sorted.is_sorted_by(|a, b| a < b), "an obstacle listed twice in a cell")?;
            require(slots.iter().all(is_listed), "an obstacle in a cell that it does not reach")?;
            count += slots.len();
        }
        let listed: usize = self.listed.iter().map(CellArray::len).sum();
        require(count == listed, "an obstacle that is missing from a cell")?;
        let entry = |slot: u32| {
            let (bounds, shadow) = (self.bounds[slot as usize], &self.shadows[slot as usize]);
            (slot, bounds, shadow.flags.blocks_plain_players())
        };
        let list = |(cell, slots): (CellId, Vec<u32>)| (cell, slots.into_iter().map(entry).collect());
        self.cells = saved.into_iter().map(list).collect();
        Ok(())
    }
}

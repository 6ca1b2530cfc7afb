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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use acmotion_dat::Assets;
    use acmotion_dat::mannequin::{self, town::landmarks};
    use acmotion_types::Vec3;

    use super::*;
    use crate::collide::Scene;
    use crate::world::{EntitySpec, Settings, World};

    const CREATURE: Guid = Guid(1);
    const DOOR: Guid = Guid(2);

    /// The town with a creature and a door beside it.
    fn town() -> World {
        let scene = Scene::load(&Assets::mannequin(), &Assets::town()).expect("the town loads");
        let settings = Settings { surroundings: Some(Arc::new(scene)), ..Settings::default() };
        let mut world = World::with_settings(Assets::mannequin(), settings);
        let mut beside = landmarks().spawn;
        beside.frame.origin += Vec3::new(3.0, 0.0, 0.0);
        world.spawn(&EntitySpec::new(CREATURE, landmarks().spawn), 0.0).expect("there is room");
        let door = EntitySpec {
            position: Some(beside),
            motion_table: Some(mannequin::DOOR_TABLE),
            state: PhysicsState::REPORT_COLLISIONS | PhysicsState::HAS_PHYSICS_BSP,
            ..EntitySpec::item(DOOR, mannequin::DOOR_SETUP)
        };
        world.spawn(&door, 0.0).expect("there is room");
        world
    }

    /// Restores the obstacle of an entity after a change, in a world in which it is as before.
    fn restored(guid: Guid, change: impl FnOnce(&mut SavedShadow)) -> Checked {
        let mut world = town();
        let library = Arc::clone(&world.library);
        let resident = world.find(guid).expect("it exists").clone();
        let mut saved = world.store.shadows().saved(&resident).expect("entities collide");
        change(&mut saved);
        world.store.shadows_mut().1.restore(&resident, saved, &library)
    }

    #[test]
    fn an_obstacle_that_contradicts_itself_is_refused() {
        for guid in [CREATURE, DOOR] {
            assert_eq!(restored(guid, |_| {}), Ok(()));
            assert!(restored(guid, |saved| saved.frames.push(Frame::IDENTITY)).is_err(), "too many parts");
            assert!(restored(guid, |saved| saved.cells.push(saved.cells[0])).is_err(), "a cell twice");
            // The number of a clip that is not loaded.
            let clip = postcard::from_bytes::<ClipId>(&[0xFF, 0x7F]).expect("a number");
            assert!(restored(guid, |saved| saved.shown = Some((clip, 0))).is_err(), "an unknown animation");
        }
        let broken = Frame { origin: Vec3::new(f32::NAN, 0.0, 0.0), ..Frame::IDENTITY };
        assert!(restored(DOOR, |saved| saved.frames[0] = broken).is_err(), "not a number");
        assert_eq!(restored(DOOR, |saved| saved.shown = None), Ok(()), "not posed yet");
    }

    /// What others collide with is saved if the entity has changed since, and only then.
    #[test]
    fn an_obstacle_that_is_outdated_is_saved_as_it_is() {
        let world = town();
        let resident = world.find(CREATURE).expect("it exists");
        let shadows = world.store.shadows();
        assert!(shadows.saved(resident).is_some_and(|saved| saved.outdated.is_none()));
        let mut moved = resident.clone();
        moved.entity.body.position.frame.origin.x += 1.0;
        let saved = shadows.saved(&moved).expect("entities collide");
        let seen = saved.outdated.as_ref().map(|outdated| outdated.position);
        assert_eq!(seen, Some(resident.position()));
        let mut restored = town();
        let library = Arc::clone(&restored.library);
        let (_, shadows) = restored.store.shadows_mut();
        assert_eq!(shadows.restore(&moved, saved, &library), Ok(()));
        let slot = resident.id().slot;
        assert_eq!(shadows.shadows[slot as usize].position, resident.position());
        let bounds = shadows.bounds[slot as usize];
        assert!(bounds.radius > 0.1, "{bounds:?}");
    }

    /// Restores the lists of the cells after a change.
    fn restored_cells(change: impl FnOnce(&mut SavedCells)) -> Checked {
        let mut world = town();
        let mut cells = world.store.shadows().saved_cells();
        change(&mut cells);
        world.store.shadows_mut().1.restore_cells(cells)
    }

    #[test]
    fn lists_of_cells_that_contradict_the_obstacles_are_refused() {
        assert_eq!(restored_cells(|_| {}), Ok(()));
        let cell = landmarks().spawn.cell;
        let slots = town().store.shadows().saved_cells().get(&cell).cloned().expect("both are listed here");
        assert_eq!(slots.len(), 2);
        let list = |slots: Vec<u32>| move |cells: &mut SavedCells| drop(cells.insert(cell, slots));
        assert_eq!(restored_cells(list(vec![slots[1], slots[0]])), Ok(()), "in another order");
        assert!(restored_cells(list(vec![])).is_err(), "an empty list");
        assert!(restored_cells(list(vec![slots[0]])).is_err(), "one is missing");
        assert!(restored_cells(list(vec![slots[0], slots[0]])).is_err(), "one is there twice");
        assert!(restored_cells(list(vec![slots[0], slots[1], 9])).is_err(), "an unknown one");
        assert!(restored_cells(|cells| drop(cells.insert(CellId(0x1234_0001), vec![slots[0]]))).is_err());
    }

    /// The order of the lists is what a body hits first, so it comes back.
    #[test]
    fn lists_come_back_in_their_order() {
        let mut world = town();
        let cell = landmarks().spawn.cell;
        let mut cells = world.store.shadows().saved_cells();
        if let Some(slots) = cells.get_mut(&cell) {
            slots.reverse();
        }
        let reversed = cells.get(&cell).cloned();
        assert_eq!(world.store.shadows_mut().1.restore_cells(cells), Ok(()));
        assert_eq!(world.store.shadows().saved_cells().get(&cell).cloned(), reversed);
    }
}

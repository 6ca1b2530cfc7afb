//! The settings that the original does not have, and what was learnt by them, as they are written after the rest of a world. A world
//! without such settings has no such part.

use serde::{Deserialize, Serialize};

use super::{RestoreError, World, require};
use crate::entity::RootPace;
use crate::world::Resident;
use crate::world::learnt::{Entry, Learnt, MAX_PACE, MIN_PACE};

/// What is written after the state of a world.
#[derive(Serialize, Deserialize)]
pub(super) struct SavedExtras {
    slope_from_reports: bool,
    speeds_from_reports: bool,
    announces_resumed_keys: bool,
    learnt: Vec<Entry>,
    /// Of all entities, in their order.
    paces: Vec<f32>,
}

impl SavedExtras {
    /// Returns the extras of a world; `None` if it has none.
    pub(super) fn of(world: &World) -> Option<Self> {
        let settings = &world.settings;
        let extras = Self {
            slope_from_reports: settings.slope_from_reports,
            speeds_from_reports: settings.speeds_from_reports,
            announces_resumed_keys: settings.announces_resumed_keys,
            learnt: world.learnt.as_ref().map_or_else(Vec::new, |learnt| learnt.saved(world)),
            paces: world.entities().map(|resident: &Resident| resident.entity.pace.factor()).collect(),
        };
        extras.has_settings().then_some(extras)
    }

    fn has_settings(&self) -> bool {
        self.slope_from_reports || self.speeds_from_reports || self.announces_resumed_keys
    }

    /// Reads the bytes after the state of a world.
    pub(super) fn read(bytes: &[u8]) -> Result<Option<Self>, RestoreError> {
        if bytes.is_empty() {
            return Ok(None);
        }
        let read = postcard::take_from_bytes::<Self>(bytes).ok();
        let Some((extras, _)) = read.filter(|(_, rest)| rest.is_empty()) else {
            return Err("bytes after the state".into());
        };
        require(extras.has_settings(), "settings that are all off")?;
        Ok(Some(extras))
    }

    /// Restores the extras of a world.
    pub(super) fn restore(self, world: &mut World) -> Result<(), RestoreError> {
        require(self.paces.len() == world.store.len(), "a pace of no entity, or an entity without one")?;
        require(self.paces.iter().all(|pace| (MIN_PACE..=MAX_PACE).contains(pace)), "a pace out of range")?;
        for (index, pace) in self.paces.into_iter().enumerate() {
            if let Some(resident) = world.store.at_mut(index) {
                resident.entity.pace = RootPace::new(pace);
            }
        }
        world.settings.slope_from_reports = self.slope_from_reports;
        world.settings.speeds_from_reports = self.speeds_from_reports;
        world.settings.announces_resumed_keys = self.announces_resumed_keys;
        world.begin_learning();
        if world.learnt.is_some() {
            world.learnt = Some(Box::new(Learnt::restore(self.learnt, world)?));
        }
        Ok(())
    }
}

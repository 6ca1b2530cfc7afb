//! The same tick on many cores (feature `parallel`).

use acmotion_types::{CellPosition, Guid};
use rayon::prelude::*;

use super::store::Store;
use super::{Happening, Resident, Settings, World};
use crate::body::Surroundings;
use crate::entity::Events;
use crate::library::Library;

/// Entities that one core takes at a time.
const CHUNK: usize = 128;

/// What the entities of one chunk did, and where in it each one's part ends.
#[derive(Default)]
pub(super) struct Lane {
    events: Events,
    ends: Vec<usize>,
}

/// What is kept from tick to tick so that a steady one allocates little.
#[derive(Default)]
pub(super) struct Lanes {
    lanes: Vec<Lane>,
    /// Who acts in the ordinary way, after the others.
    entangled: Vec<bool>,
}

impl World {
    /// As [`tick`](Self::tick), on all cores of the current rayon pool, with the same result to the bit and the same
    /// events in the same order.
    ///
    /// Bodies that look at others, or are looked at (orders to go to an object, sticking, targets), act one after the
    /// other as ever; all the rest do not depend on each other and are brought up to `now` side by side first.
    pub fn tick_parallel(&mut self, now: f64) -> bool {
        if !self.begin_tick(now) {
            return false;
        }
        let player = self.player_place();
        let mut lanes = std::mem::take(&mut self.lanes);
        mark_entangled(&self.store, &mut lanes.entangled);
        lanes.lanes.resize_with(self.store.len().div_ceil(CHUNK), Lane::default);
        let (library, settings) = (&self.library, &self.settings);
        self.store
            .list_mut()
            .par_chunks_mut(CHUNK)
            .zip(lanes.entangled.par_chunks(CHUNK))
            .zip(lanes.lanes.par_iter_mut())
            .for_each(|((residents, entangled), lane)| {
                lane.run(residents, entangled, library, settings, player, now);
            });
        for place in 0..self.store.len() {
            if lanes.entangled[place] {
                self.update_at(place, player, now);
            } else {
                self.store.refresh(place);
                self.take_part(&lanes.lanes[place / CHUNK], place % CHUNK, now);
            }
        }
        self.lanes = lanes;
        true
    }

    fn take_part(&mut self, lane: &Lane, index: usize, now: f64) {
        let start = index.checked_sub(1).map_or(0, |before| lane.ends[before]);
        for event in &lane.events.list()[start..lane.ends[index]] {
            self.events.push(now, event.guid, Happening::Moved(event.kind));
        }
    }
}

impl Lane {
    fn run(
        &mut self,
        residents: &mut [Resident],
        entangled: &[bool],
        library: &Library,
        settings: &Settings,
        player: Option<CellPosition>,
        now: f64,
    ) {
        self.events.clear();
        self.ends.clear();
        for (resident, entangled) in residents.iter_mut().zip(entangled) {
            if !entangled {
                let surroundings: &dyn Surroundings = match &settings.surroundings {
                    Some(surroundings) => &**surroundings,
                    None => &resident.ground,
                };
                let player = player.unwrap_or(resident.entity.body.position);
                resident.entity.act(library, now, &mut self.events).update(Some(&player), surroundings);
            }
            self.ends.push(self.events.list().len());
        }
    }
}

/// Who looks at others, and at whom: their ends meet in one tick.
fn mark_entangled(store: &Store, entangled: &mut Vec<bool>) {
    entangled.clear();
    entangled.extend(store.iter().map(Resident::is_entangled));
    for (place, resident) in store.iter().enumerate() {
        if !entangled[place] {
            continue;
        }
        let looked_at = resident.looks_at().into_iter().flatten();
        for other in looked_at.filter_map(|guid| store.place_of(guid)) {
            entangled[other] = true;
            let parent = store.at(other).and_then(Resident::parent);
            if let Some(parent) = parent.and_then(|guid| store.place_of(guid)) {
                entangled[parent] = true;
            }
        }
    }
}

impl Resident {
    fn is_entangled(&self) -> bool {
        let entity = &self.entity;
        entity.move_to.is_some() || entity.targets.is_some() || entity.correction.is_stuck()
    }

    fn looks_at(&self) -> [Option<Guid>; 3] {
        let entity = &self.entity;
        [
            entity.move_to().and_then(|order| order.object()),
            entity.targets().and_then(|targets| targets.target()).map(|target| target.object),
            entity.correction.sticky_target(),
        ]
    }
}

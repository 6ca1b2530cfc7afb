//! The same tick on many cores (feature `parallel`).

use acmotion_types::CellPosition;
use rayon::prelude::*;

use super::serial_set::SerialSet;
use super::shadows::Shadows;
use super::{EventKind, Resident, Settings, World};
use crate::entity::Events;
use crate::library::Library;

/// Entities that one core takes at a time.
const CHUNK: usize = 128;

/// What the entities of one chunk did, and where in it each one's part ends.
#[derive(Default)]
pub(super) struct ChunkEvents {
    events: Events,
    ends: Vec<usize>,
}

/// What is kept from tick to tick so that a steady one allocates little.
#[derive(Default)]
pub(super) struct ParallelBuffers {
    lanes: Vec<ChunkEvents>,
    /// Who acts in the ordinary way, after the others.
    entangled: SerialSet,
}

impl World {
    /// As [`tick`](Self::tick), on all cores of the current rayon pool, with the same result to the bit and the same
    /// events in the same order.
    ///
    /// Bodies that look at others, or are looked at (orders to go to an object, sticking, targets), and those that could
    /// bump into each other in this tick act one after the other as ever; all the rest do not depend on each other and are brought up to `now` side by side first.
    pub fn tick_parallel(&mut self, now: f64) -> bool {
        if !self.begin_tick(now) {
            return false;
        }
        let player = self.player_position();
        let mut lanes = std::mem::take(&mut self.lanes);
        lanes.entangled.find(&self.store, self.collides, now);
        lanes.lanes.resize_with(self.store.len().div_ceil(CHUNK), ChunkEvents::default);
        let (residents, others) = self.store.list_mut();
        let obstacles = self.collides.then_some(&others.shadows);
        let stage = TickContext { library: &self.library, settings: &self.settings, obstacles, player, now };
        residents
            .par_chunks_mut(CHUNK)
            .zip(lanes.entangled.marks().par_chunks(CHUNK))
            .zip(lanes.lanes.par_iter_mut())
            .for_each(|((residents, entangled), lane)| lane.run(residents, entangled, &stage));
        for place in 0..self.store.len() {
            if lanes.entangled.marks()[place] {
                self.update_at(place, player, now);
            } else {
                self.refresh(place);
                self.take_part(&lanes.lanes[place / CHUNK], place % CHUNK, now);
            }
        }
        self.lanes = lanes;
        true
    }

    fn take_part(&mut self, lane: &ChunkEvents, index: usize, now: f64) {
        let start = index.checked_sub(1).map_or(0, |before| lane.ends[before]);
        for event in &lane.events.list()[start..lane.ends[index]] {
            self.events.push(now, event.guid, EventKind::Motion(event.kind));
        }
    }
}

/// What is the same for everybody in a tick.
struct TickContext<'a> {
    library: &'a Library,
    settings: &'a Settings,
    obstacles: Option<&'a Shadows>,
    player: Option<CellPosition>,
    now: f64,
}

impl TickContext<'_> {
    fn update(&self, resident: &mut Resident, events: &mut Events) {
        let mut partly = None;
        let surroundings = self.settings.surroundings_of(&resident.ground, &mut partly);
        let player = self.player.unwrap_or(resident.entity.body.position);
        let mut actor = resident.entity.act(self.library, self.now, events);
        if let Some(obstacles) = self.obstacles {
            actor = actor.past(obstacles);
        }
        actor.update(Some(&player), surroundings);
    }
}

impl ChunkEvents {
    fn run(&mut self, residents: &mut [Resident], entangled: &[bool], stage: &TickContext<'_>) {
        self.events.clear();
        self.ends.clear();
        for (resident, entangled) in residents.iter_mut().zip(entangled) {
            if !entangled {
                stage.update(resident, &mut self.events);
            }
            self.ends.push(self.events.list().len());
        }
    }
}

//! The tick on several cores, with the same result as on one (feature `parallel`).

use acmotion_types::CellPosition;
use rayon::prelude::*;

use super::obstacles::WorldObstacles;
use super::serial_set::SerialSet;
use super::{EventKind, Resident, Settings, World};
use crate::entity::Events;
use crate::library::Library;

/// The number of entities that a core updates at a time.
const CHUNK: usize = 128;

/// The events of the entities of one chunk.
#[derive(Default)]
pub(super) struct ChunkEvents {
    events: Events,
    /// The end of each entity's events in the list.
    ends: Vec<usize>,
}

/// Buffers kept from tick to tick, so that a steady tick allocates little.
#[derive(Default)]
pub(super) struct ParallelBuffers {
    chunks: Vec<ChunkEvents>,
    /// The entities that are updated one after the other.
    serial: SerialSet,
}

/// A copy starts without buffers.
impl Clone for ParallelBuffers {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl World {
    /// Like [`tick`](Self::tick), on all cores of the current rayon pool. The result is the same to the bit, and the events
    /// come in the same order.
    ///
    /// Bodies that depend on others, or others on them (by an order to go to an object, sticking or a target), and those
    /// that could collide with each other in this tick are updated one after the other. All others are independent and are
    /// updated in parallel before them.
    pub fn tick_parallel(&mut self, now: f64) -> bool {
        if !self.begin_tick(now) {
            return false;
        }
        let player = self.player_position();
        let mut buffers = std::mem::take(&mut self.parallel);
        buffers.serial.find(&self.store, &self.library, self.collides, now);
        buffers.chunks.resize_with(self.store.len().div_ceil(CHUNK), ChunkEvents::default);
        let (residents, others) = self.store.list_mut();
        let guard = self.settings.house_guard.as_deref();
        let obstacles = self.collides.then(|| others.obstacles(guard));
        let context =
            TickContext { library: &self.library, settings: &self.settings, obstacles, player, now };
        residents
            .par_chunks_mut(CHUNK)
            .zip(buffers.serial.marks().par_chunks(CHUNK))
            .zip(buffers.chunks.par_iter_mut())
            .for_each(|((residents, serial), chunk)| chunk.update(residents, serial, &context));
        for index in 0..self.store.len() {
            if buffers.serial.marks()[index] {
                self.update_at(index, player, now);
            } else {
                self.refresh(index);
                self.collect_events(&buffers.chunks[index / CHUNK], index % CHUNK, now);
            }
        }
        self.parallel = buffers;
        self.animate_static_objects(now);
        self.record_presentation(now);
        true
    }

    /// Collects the events of the entity at an index of a chunk.
    fn collect_events(&mut self, chunk: &ChunkEvents, index: usize, now: f64) {
        let start = index.checked_sub(1).map_or(0, |previous| chunk.ends[previous]);
        for event in &chunk.events.list()[start..chunk.ends[index]] {
            self.events.push(now, event.guid, EventKind::Motion(event.kind));
        }
    }
}

/// What all entities share in a tick.
struct TickContext<'a> {
    library: &'a Library,
    settings: &'a Settings,
    obstacles: Option<WorldObstacles<'a>>,
    player: Option<CellPosition>,
    now: f64,
}

impl TickContext<'_> {
    fn update(&self, resident: &mut Resident, events: &mut Events) {
        let mut partial = None;
        let surroundings = self.settings.surroundings_of(&resident.ground, &mut partial);
        let player = self.player.unwrap_or(resident.entity.body.position);
        let mut actor = resident.entity.act(self.library, self.now, events);
        if let Some(obstacles) = &self.obstacles {
            actor = actor.with_obstacles(obstacles);
        }
        actor.update(Some(&player), surroundings);
    }
}

impl ChunkEvents {
    /// Updates the entities of a chunk that are not in the serial set.
    fn update(&mut self, residents: &mut [Resident], serial: &[bool], context: &TickContext<'_>) {
        self.events.clear();
        self.ends.clear();
        for (resident, serial) in residents.iter_mut().zip(serial) {
            if !serial {
                context.update(resident, &mut self.events);
            }
            self.ends.push(self.events.list().len());
        }
    }
}

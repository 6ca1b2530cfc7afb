//! The tick on several cores, with the same result as on one (feature `parallel`).

use acmotion_types::CellPosition;
use rayon::prelude::*;

use super::awake::{WORD, Word};
use super::grid::Grid;
use super::obstacles::WorldObstacles;
use super::serial_set::SerialSet;
use super::store::Residents;
use super::{EventKind, Resident, Settings, World, distance_from};
use crate::entity::{EntityEvent, Events, SteadyCruise};
use crate::library::Library;
use crate::sequence::Rest;
use crate::steer::Neighbour;

/// The number of entities that a core updates at a time.
const CHUNK: usize = u128::BITS as usize;
/// The number of words of the set of entities that are awake for a chunk.
const WORDS: usize = CHUNK / WORD;
/// If more than one entity in so many depends on others, a tick on several cores is not worth its preparation.
const MIN_PER_DEPENDENT: usize = 4;
/// The number of ticks on one core after which it is tried again whether several would pay: a second at first. Each time that
/// they do not, it is twice as many, up to eight seconds, because finding out costs about as much as a tick.
const TICKS_ON_ONE_CORE: u8 = 30;
const MAX_TICKS_ON_ONE_CORE: u8 = 240;

/// The entities of one chunk after their update.
#[derive(Default)]
pub(super) struct Chunk {
    events: Events,
    /// The end of each entity's events in the list.
    ends: Vec<usize>,
    /// A bit for each entity that was updated.
    updated: u128,
    /// A bit for each entity that is to be refreshed in its turn.
    unrefreshed: u128,
}

/// Buffers kept from tick to tick, so that a steady tick allocates little.
#[derive(Default)]
pub(super) struct ParallelBuffers {
    chunks: Vec<Chunk>,
    /// The entities that are updated one after the other.
    serial: SerialSet,
    /// The number of ticks for which one core is used without trying several.
    ticks_on_one_core: u8,
    /// The number of such ticks after the last try; 0 if several cores paid.
    last_pause: u8,
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
    /// Independent bodies are updated in parallel. The others follow one after the other: bodies that depend on others, or
    /// others on them (by an order to go to an object, sticking or a target), and those that could collide with each other
    /// in this tick, or with several objects at once. If too few are independent, one core updates all bodies for a second, and
    /// for up to eight seconds if it stays so. One core also does all the work after a pause of more than 0.2 s, which takes several steps.
    ///
    /// Call it from a thread of the pool, with
    /// [`use_current_thread`](rayon::ThreadPoolBuilder::use_current_thread): waking another thread to do its part costs more
    /// than a small tick gains.
    pub fn tick_parallel(&mut self, now: f64) -> bool {
        if !self.begin_tick(now) {
            return false;
        }
        let player = self.player_position();
        let mut buffers = std::mem::take(&mut self.parallel);
        if self.is_worth_several_cores(&mut buffers, now) {
            self.update_chunks(&mut buffers, player, now);
        } else {
            self.update_in_order(player.as_ref(), now);
        }
        self.parallel = buffers;
        self.animate_static_objects(now);
        self.update_comfort(now);
        self.record_shown(now);
        true
    }

    /// Finds the entities that depend on each other. Returns `false` if they are too many, or if there is only one core.
    /// This decides only how the result is computed, not what it is.
    fn is_worth_several_cores(&mut self, buffers: &mut ParallelBuffers, now: f64) -> bool {
        if buffers.ticks_on_one_core > 0 || rayon::current_num_threads() < 2 {
            buffers.ticks_on_one_core = buffers.ticks_on_one_core.saturating_sub(1);
            return false;
        }
        buffers.serial.find(&mut self.store, &self.library, self.collides, now);
        let pays = buffers.serial.len() * MIN_PER_DEPENDENT <= self.store.len();
        let twice = buffers.last_pause.saturating_mul(2);
        let pause = twice.clamp(TICKS_ON_ONE_CORE, MAX_TICKS_ON_ONE_CORE);
        buffers.last_pause = if pays { 0 } else { pause };
        buffers.ticks_on_one_core = buffers.last_pause;
        pays
    }

    /// Updates the independent entities in parallel, then the others one after the other.
    fn update_chunks(&mut self, buffers: &mut ParallelBuffers, player: Option<CellPosition>, now: f64) {
        let ParallelBuffers { chunks, serial, .. } = buffers;
        chunks.resize_with(self.store.len().div_ceil(CHUNK), Chunk::default);
        let marks = serial.marks();
        let (library, settings) = (&*self.library, &self.settings);
        // If no entity looks at another, what others see of it can be refreshed at once. Otherwise an entity must not be seen
        // where it is after the tick by one that is updated before it.
        if self.collides || serial.len() > 0 {
            let (residents, others) = self.store.list_mut();
            let guard = settings.house_guard.as_deref();
            let obstacles = self.collides.then(|| others.obstacles(guard));
            let context = TickContext { library, settings, obstacles, player, now };
            let entities = residents.par_chunks().zip(marks.par_chunks(CHUNK)).zip(chunks.par_iter_mut());
            entities.for_each(|((residents, serial), chunk)| chunk.update(residents, serial, &context));
        } else {
            let (residents, neighbours, grid) = self.store.parts_mut();
            let context = TickContext { library, settings, obstacles: None, player, now };
            let entities = residents.par_chunks().zip(neighbours.par_chunks_mut(CHUNK));
            entities.zip(chunks.par_iter_mut()).for_each(|((residents, neighbours), chunk)| {
                chunk.update_and_refresh(residents, neighbours, grid, &context);
            });
        }
        let has_serial = serial.len() > 0;
        for (number, chunk) in chunks.iter().enumerate() {
            if chunk.unrefreshed == 0 && !has_serial {
                self.collect_events(chunk.events.list(), now);
                continue;
            }
            for (index, end) in chunk.ends.iter().enumerate() {
                let entity = number * CHUNK + index;
                if chunk.updated >> index & 1 == 0 {
                    // It is one of those that depend on others, or was asleep until another woke it.
                    if self.store.is_awake(entity) {
                        self.update_at(entity, player.as_ref(), now);
                    }
                } else {
                    if chunk.unrefreshed >> index & 1 != 0 {
                        self.refresh(entity);
                    }
                    self.collect_events(chunk.events_of(index, *end), now);
                }
            }
        }
    }

    /// Collects events of entities.
    fn collect_events(&mut self, events: &[EntityEvent], now: f64) {
        for event in events {
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
    /// Updates the entities of a chunk that are awake, except those in the serial set, and calls `then` with each that does
    /// more than rest, and its index in the chunk. Entities that are dormant fall asleep.
    #[inline]
    fn update_awake(
        &self,
        residents: Residents<'_>,
        chunk: &mut Chunk,
        serial: impl Fn(usize) -> bool,
        mut then: impl FnMut(&mut Chunk, usize, &Resident),
    ) {
        chunk.clear();
        let kept = residents.rests.iter_mut().zip(residents.cruises);
        for (index, (resident, (rest, cruise))) in residents.list.iter_mut().zip(kept).enumerate() {
            let (word, bit) = (&mut residents.words[index / WORD], 1 << (index % WORD));
            if word.awake & bit != 0 && !serial(index) {
                chunk.updated |= 1 << index;
                let player = self.player.as_ref();
                let rests = word.resting & bit != 0 && resident.rest(rest, player, self.now);
                if !rests {
                    let cruises = word.cruising & bit != 0
                        && resident.cruise_steadily(cruise, self.library, player, self.now);
                    if !cruises {
                        self.update_otherwise((resident, rest, cruise), (word, bit), &mut chunk.events);
                    }
                    then(chunk, index, resident);
                }
            }
            chunk.ends.push(chunk.events.list().len());
        }
    }

    /// Updates an entity of which it is not known that it rests or cruises on. A dormant one falls asleep.
    fn update_otherwise(
        &self,
        (resident, rest, cruise): (&mut Resident, &mut Rest, &mut SteadyCruise),
        (word, bit): (&mut Word, u64),
        events: &mut Events,
    ) {
        let was_cruising = word.cruising & bit != 0;
        word.resting &= !bit;
        word.cruising &= !bit;
        if was_cruising && let Some(cruises) = self.cruise_past_event(resident, cruise, events) {
            if cruises {
                word.cruising |= bit;
            }
        } else if let Some(found) = self.begin_rest(resident) {
            word.resting |= bit;
            *rest = found;
        } else if self.cruise(resident, events) {
            if let Some(found) = self.find_steady_cruise(resident) {
                word.cruising |= bit;
                *cruise = found;
            }
        } else {
            self.update_generally(resident, events);
            if resident.is_dormant() {
                word.awake &= !bit;
            }
        }
    }

    /// Updates an entity that cruises, by a step that does more than to move it straight ahead. See
    /// [`Actor::cruise_past_event`](crate::entity::Actor::cruise_past_event).
    fn cruise_past_event(
        &self,
        resident: &mut Resident,
        kept: &mut SteadyCruise,
        events: &mut Events,
    ) -> Option<bool> {
        let ground = self.settings.level_ground_of(&resident.ground)?;
        let distance = distance_from(self.player.as_ref(), &resident.entity.body.position);
        resident.entity.act(self.library, self.now, events).cruise_past_event(kept, Some(distance), ground)
    }

    /// Returns how an entity that has just cruised goes on, if it cruises straight ahead.
    #[inline]
    fn find_steady_cruise(&self, resident: &Resident) -> Option<SteadyCruise> {
        let ground = self.settings.level_ground_of(&resident.ground)?;
        let is_alone = self.obstacles.is_none() && !resident.has_links();
        is_alone.then(|| resident.entity.find_steady_cruise(self.library, ground))?
    }

    #[inline]
    fn begin_rest(&self, resident: &mut Resident) -> Option<Rest> {
        resident.begin_rest(self.library, self.obstacles.is_some(), self.player.as_ref(), self.now)
    }

    /// Updates an entity, if it [cruises](crate::entity::Actor::cruise) on level ground. Returns `false`, with nothing
    /// done, if it does not.
    #[inline]
    fn cruise(&self, resident: &mut Resident, events: &mut Events) -> bool {
        let Some(ground) = self.settings.level_ground_of(&resident.ground) else { return false };
        let entity = &mut resident.entity;
        let distance = Some(distance_from(self.player.as_ref(), &entity.body.position));
        entity.act(self.library, self.now, events).cruise(distance, ground)
    }

    #[inline(never)]
    fn update_generally(&self, resident: &mut Resident, events: &mut Events) {
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

impl Chunk {
    fn clear(&mut self) {
        self.events.clear();
        self.ends.clear();
        (self.updated, self.unrefreshed) = (0, 0);
    }

    /// The events of the entity at an index, which end at `end` in the list.
    fn events_of(&self, index: usize, end: usize) -> &[EntityEvent] {
        let start = index.checked_sub(1).map_or(0, |previous| self.ends[previous]);
        &self.events.list()[start..end]
    }

    /// Updates the entities of a chunk that are not in the serial set. All are to be refreshed in their turn.
    fn update(&mut self, residents: Residents<'_>, serial: &[bool], context: &TickContext<'_>) {
        context.update_awake(
            residents,
            self,
            |index| serial[index],
            |chunk, index, _| chunk.unrefreshed |= 1 << index,
        );
    }

    /// Updates all entities of a chunk, and refreshes what others see of them. Those that are attached to others, and those
    /// that come to another square of the grid, are still to be refreshed in their turn.
    fn update_and_refresh(
        &mut self,
        residents: Residents<'_>,
        neighbours: &mut [Neighbour],
        grid: &Grid,
        context: &TickContext<'_>,
    ) {
        context.update_awake(
            residents,
            self,
            |_| false,
            |chunk, index, resident| {
                let body = resident.body();
                let position = body.is_in_cell().then_some(&body.position);
                let is_unrefreshed = resident.has_links() || grid.needs_update(resident.id().slot, position);
                if is_unrefreshed {
                    chunk.unrefreshed |= 1 << index;
                } else {
                    neighbours[index] = resident.as_neighbour();
                }
            },
        );
    }
}

impl<'a> Residents<'a> {
    /// Iterates over chunks of [`CHUNK`] entities.
    fn par_chunks(self) -> impl IndexedParallelIterator<Item = Residents<'a>> {
        let lists = self.list.par_chunks_mut(CHUNK).zip(self.words.par_chunks_mut(WORDS));
        let kept = self.rests.par_chunks_mut(CHUNK).zip(self.cruises.par_chunks_mut(CHUNK));
        let chunks = lists.zip(kept);
        chunks.map(|((list, words), (rests, cruises))| Residents { list, words, rests, cruises })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use acmotion_dat::mannequin::town::landmarks;
    use acmotion_dat::{Assets, mannequin};
    use acmotion_types::{CellId, Guid, MotionCommand, Stamp, Vec3};
    use acmotion_wire::{PositionFlags, PositionPack, S2C, UpdatePosition};

    use super::*;
    use crate::body::{PhysicsState, TransientState};
    use crate::collide::{Scene, Surroundings};
    use crate::interp::MovementParams;
    use crate::steer::Order;
    use crate::world::EntitySpec;

    fn guid(number: u32) -> Guid {
        Guid(1 + number)
    }

    /// Where the entity with a number starts: on the hill of the town or on level ground, most of them far apart.
    fn start(number: u32, in_town: bool) -> CellPosition {
        let (column, row) = ((number % 13) as f32, (number / 13) as f32);
        if !in_town {
            let origin = Vec3::new(4.0 + 11.0 * column, 4.0 + 11.0 * row, 94.0);
            return CellPosition::at(CellId(0xA9B4_0001), origin).adjusted_to_outside().expect("on the map");
        }
        let mut position = landmarks().hill_top;
        position.frame.origin += Vec3::new(14.0 * column - 60.0, 14.0 * row - 60.0, 0.0);
        position.frame.origin.z = 40.0;
        position.adjusted_to_outside().expect("on the map")
    }

    fn perform(world: &mut World, number: u32, motion: MotionCommand, now: f64) {
        world.act(guid(number), now, |actor, _| {
            let _ = actor.do_interpreted_motion(motion, &MovementParams::default());
        });
    }

    fn report(world: &mut World, number: u32, position: CellPosition, now: f64) {
        let Some(stamps) = world.find(guid(number)).map(|resident| *resident.stamps()) else { return };
        let pack = PositionPack {
            flags: PositionFlags::GROUNDED,
            position,
            velocity: None,
            placement: None,
            instance: stamps.instance,
            position_stamp: Stamp(stamps.position.0.wrapping_add(1)),
            teleport: stamps.teleport,
            force_position: stamps.force_position,
        };
        world.receive_message(&S2C::from(UpdatePosition { guid: guid(number), pack }), now);
    }

    /// Runners, walkers and bodies that stand, some of which hold swords, wave, are stored, frozen, followed or in each
    /// other's way, in a list of several chunks.
    fn crowd(count: u32, in_town: bool) -> World {
        let town = || Scene::load(&Assets::mannequin(), &Assets::town()).expect("the town loads");
        let surroundings = in_town.then(|| Arc::new(town()) as Arc<dyn Surroundings + Send + Sync>);
        let settings = Settings { surroundings, ..Settings::default() };
        let mut world = World::with_settings(Assets::mannequin(), settings);
        for number in 0..count {
            let position = start(number, in_town);
            let spec = match number % 20 {
                4 => EntitySpec::item(guid(number), mannequin::SWORD_SETUP),
                7 => EntitySpec {
                    state: PhysicsState::FROZEN | PhysicsState::GRAVITY,
                    ..EntitySpec::new(guid(number), position)
                },
                _ => EntitySpec::new(guid(number), position),
            };
            // In the town a few have no room, in both worlds.
            let _ = world.spawn(&spec, 0.0);
            if number % 20 == 9 {
                let sword = EntitySpec::item(Guid(1000 + number), mannequin::SWORD_SETUP);
                let _ = world.spawn(&sword.held_by(guid(number), 1), 0.0);
            }
        }
        world
    }

    /// What is done before a tick.
    fn before(world: &mut World, tick: u32, count: u32, in_town: bool, now: f64) {
        if tick == 2 {
            for number in 0..count {
                match number % 20 {
                    0 | 9 | 12 => perform(world, number, MotionCommand::RUN_FORWARD, now),
                    1 | 13 => perform(world, number, MotionCommand::WALK_FORWARD, now),
                    2 => perform(world, number, MotionCommand::TURN_RIGHT, now),
                    5 => perform(world, number, MotionCommand::WAVE, now),
                    _ => {}
                }
            }
        }
        if tick == 12 {
            for number in (0..count).filter(|number| number % 40 == 14) {
                world.act(guid(number), now, |actor, _| actor.order(&Order::chase(guid(number + 2))));
                perform(world, number + 2, MotionCommand::RUN_FORWARD, now);
            }
        }
        if tick % 7 == 3 {
            let number = tick * 11 % count;
            let mut there = start(number, in_town);
            there.frame.origin += Vec3::new(0.6, 1.1, 0.0);
            report(world, number, there.adjusted_to_outside().unwrap_or(there), now);
            // Beside another, which it may touch.
            report(world, (number + 5) % count, start(number, in_town), now);
        }
        if tick % 10 == 6
            && let Some(id) = world.id_of(guid(4))
        {
            // Put down, and stored again.
            let _ = world.drop_at(id, &start(3, in_town), 0, now);
        } else if tick % 10 == 9
            && let Some(id) = world.id_of(guid(4))
        {
            world.pick_up(id, now);
        }
    }

    fn assert_same(count: u32, ticks: u32, in_town: bool) {
        let mut one = crowd(count, in_town);
        let mut several = one.clone();
        let mut paid = 0;
        for tick in 1..=ticks {
            let now = f64::from(tick) * 0.034;
            for world in [&mut one, &mut several] {
                before(world, tick, count, in_town, now - 0.01);
            }
            assert!(one.tick(now) && several.tick_parallel(now));
            paid += u32::from(several.parallel.ticks_on_one_core == 0);
            assert!(one.drain_events().eq(several.drain_events()), "the events of tick {tick}");
            #[cfg(feature = "serde")]
            assert!(one.snapshot() == several.snapshot(), "tick {tick}");
        }
        assert!(paid * 2 > ticks, "several cores were used in {paid} ticks of {ticks}");
    }

    #[test]
    fn a_tick_on_several_cores_ends_as_one_on_one_core() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().expect("threads");
        pool.install(|| {
            assert_same(300, 40, false);
            assert_same(100, 40, true);
        });
    }

    /// A door that was made static while it was active opens in front of a runner that is updated after it.
    #[test]
    fn a_door_that_opens_is_seen_by_the_runner_behind_it_in_the_same_tick() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().expect("threads");
        pool.install(|| {
            let mut one = crowd(0, true);
            let spawn = landmarks().spawn;
            let door = EntitySpec {
                setup: Some(mannequin::DOOR_SETUP),
                motion_table: Some(mannequin::DOOR_TABLE),
                state: PhysicsState::HAS_PHYSICS_BSP | PhysicsState::GRAVITY,
                is_creature: false,
                ..EntitySpec::new(guid(0), spawn)
            };
            one.spawn(&door, 0.0).expect("there is room");
            one.act(guid(0), 0.0, |actor, _| actor.entity.body.state.insert(PhysicsState::STATIC));
            let mut behind = spawn;
            behind.frame.origin.y -= 2.0;
            // Head on it would be stuck until it turns (`docs/collision.md` 2.10).
            behind.frame.set_heading(3.0);
            one.spawn(&EntitySpec::new(guid(1), behind), 0.0).expect("there is room");
            for number in 2..20 {
                // A few have no room.
                let _ = one.spawn(&EntitySpec::new(guid(number), start(number, true)), 0.0);
            }
            let mut several = one.clone();
            let mut stopped = false;
            for tick in 1..=90 {
                let now = f64::from(tick) * 0.034;
                for world in [&mut one, &mut several] {
                    match tick {
                        2 => perform(world, 1, MotionCommand::RUN_FORWARD, now - 0.01),
                        30 => perform(world, 0, MotionCommand::ON, now - 0.01),
                        _ => {}
                    }
                    let door = world.find(guid(0)).expect("it exists");
                    assert!(door.body().transient.contains(TransientState::ACTIVE));
                }
                assert!(one.tick(now) && several.tick_parallel(now));
                assert_eq!(several.parallel.ticks_on_one_core, 0, "several cores are used in tick {tick}");
                let runner = |world: &World| world.find(guid(1)).expect("it exists").position();
                assert_eq!(runner(&one), runner(&several), "tick {tick}");
                stopped |= tick == 29 && runner(&one).frame.origin.y < spawn.frame.origin.y;
            }
            assert!(stopped, "by the closed door");
            assert!(one.find(guid(1)).expect("it exists").position().frame.origin.y > spawn.frame.origin.y);
            assert!(one.drain_events().eq(several.drain_events()));
        });
    }

    /// One core is used where most depend on each other: for a second after that has been found, and for twice as long each
    /// time that it is found again, up to eight seconds.
    #[test]
    fn one_core_is_used_where_most_depend_on_each_other() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().expect("threads");
        let mut world = crowd(40, false);
        let mut buffers = ParallelBuffers::default();
        pool.install(|| {
            assert!(world.is_worth_several_cores(&mut buffers, 0.0), "nobody follows another");
            assert_eq!(buffers.ticks_on_one_core, 0);
            for number in (0..9).map(|number| 2 * number) {
                let target = guid(number + 1);
                world.act(guid(number), 0.0, |actor, _| actor.order(&Order::chase(target)));
            }
            for pause in [30, 60, 120, 240, 240] {
                assert!(!world.is_worth_several_cores(&mut buffers, 0.1), "tried");
                for left in (0..pause).rev() {
                    assert_eq!(buffers.ticks_on_one_core, left + 1);
                    assert!(!world.is_worth_several_cores(&mut buffers, 0.1));
                }
                assert_eq!(buffers.ticks_on_one_core, 0);
            }
            for number in 0..18 {
                let id = world.id_of(guid(number)).expect("it exists");
                assert!(world.despawn(id, 0.2));
            }
            assert!(world.is_worth_several_cores(&mut buffers, 0.2), "no entity follows another any more");
            for number in (20..40).step_by(2) {
                let target = guid(number + 1);
                world.act(guid(number), 0.2, |actor, _| actor.order(&Order::chase(target)));
            }
            assert!(!world.is_worth_several_cores(&mut buffers, 0.3));
            assert_eq!(buffers.ticks_on_one_core, 30, "after several cores paid");
        });
        let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
        let mut world = crowd(40, false);
        assert!(!alone.install(|| world.is_worth_several_cores(&mut ParallelBuffers::default(), 0.0)));
    }
}

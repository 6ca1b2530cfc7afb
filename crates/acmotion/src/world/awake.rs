//! Which entities a tick visits.
//!
//! A visit to an entity that is in no cell, or frozen, changes nothing until something else changes the entity: it is not
//! updated (rule B3), others already see it as it is, and it neither holds anything nor is held. Most entities of a client
//! are like that, such as the contents of packs and shops. A tick that finds such an entity skips it from then on. Every
//! access that can change an entity makes ticks visit it again, so the result is the same to the bit as if all were
//! visited.
//!
//! Most of the others stand. A tick that has found an entity [at rest](crate::entity::Entity::find_rest) keeps how far its animation can
//! go on like that. Until then, or until the entity is changed, a visit does little more than to advance two clocks, which
//! can be read at any time.
//!
//! Most of those that move cruise straight ahead. What a tick needs to know about such an entity [stays the
//! same](SteadyCruise), and is kept in the same way.
//!
//! The set is not part of the world's state: it is not in snapshots, and a restored world visits all entities at first.

use acmotion_types::CellPosition;

use super::{Resident, distance_from};
use crate::body::{BodyFlags, PhysicsState, TransientState};
use crate::entity::SteadyCruise;
use crate::library::Library;
use crate::sequence::Rest;

/// The number of entities in a word of the set.
pub(super) const WORD: usize = u64::BITS as usize;

/// The entities that ticks visit, by their indices in the list.
#[derive(Clone, Default)]
pub(super) struct AwakeSet {
    words: Vec<Word>,
    /// How each entity rests, if it does.
    rests: Vec<Rest>,
    /// How each entity cruises, if it does; empty if none ever did.
    cruises: Vec<SteadyCruise>,
}

/// A word of the set: a bit for each entity.
#[derive(Clone, Copy, Default)]
pub(super) struct Word {
    /// The entities that ticks visit.
    pub(super) awake: u64,
    /// Those among them that a tick has found [at rest](crate::entity::Entity::find_rest) and nothing has changed since.
    pub(super) resting: u64,
    /// Those among them that a tick has found to [cruise](SteadyCruise) and nothing has changed since.
    pub(super) cruising: u64,
    /// Those that were woken since a tick on several cores last looked for entities that depend on others.
    #[cfg(feature = "parallel")]
    woken: u64,
}

impl Word {
    /// Returns the first entity that ticks visit among those that are not in `passed`, as its index in the word and a bit.
    #[inline]
    pub(super) fn next(self, passed: u64) -> Option<(usize, u64)> {
        let left = self.awake & !passed;
        (left != 0).then(|| (left.trailing_zeros() as usize, left & left.wrapping_neg()))
    }
}

impl AwakeSet {
    /// Adds an entity that may be changed.
    #[inline]
    pub(super) fn wake(&mut self, index: usize) {
        if let Some(word) = self.words.get_mut(index / WORD) {
            let bit = 1 << (index % WORD);
            word.awake |= bit;
            word.resting &= !bit;
            word.cruising &= !bit;
            #[cfg(feature = "parallel")]
            {
                word.woken |= bit;
            }
        }
    }

    /// Calls `found` with every entity that was woken since the last call.
    #[cfg(feature = "parallel")]
    pub(super) fn take_woken(&mut self, mut found: impl FnMut(usize)) {
        for (number, word) in self.words.iter_mut().enumerate() {
            let mut woken = std::mem::take(&mut word.woken);
            while woken != 0 {
                found(number * WORD + woken.trailing_zeros() as usize);
                woken &= woken - 1;
            }
        }
    }

    /// Returns a word of the set, which is empty behind the last entity.
    #[inline]
    pub(super) fn word(&self, number: usize) -> Word {
        self.words.get(number).copied().unwrap_or_default()
    }

    /// Returns how an entity rests, if it is among those that do.
    #[inline]
    pub(super) fn rest(&self, index: usize) -> Option<&Rest> {
        self.rests.get(index)
    }

    /// Keeps how an entity rests until it is woken, or the rest ends.
    pub(super) fn begin_rest(&mut self, index: usize, rest: Rest) {
        if let (Some(word), Some(kept)) = (self.words.get_mut(index / WORD), self.rests.get_mut(index)) {
            word.resting |= 1 << (index % WORD);
            *kept = rest;
        }
    }

    /// Returns how an entity cruises, if it is among those that do.
    #[inline]
    pub(super) fn cruise(&mut self, index: usize) -> Option<&mut SteadyCruise> {
        self.cruises.get_mut(index)
    }

    /// Keeps how an entity cruises until it is woken, or the cruise ends.
    #[inline]
    pub(super) fn begin_cruise(&mut self, index: usize, cruise: SteadyCruise) {
        if self.cruises.len() <= index {
            self.cruises.resize(self.rests.len(), SteadyCruise::default());
        }
        if let (Some(word), Some(kept)) = (self.words.get_mut(index / WORD), self.cruises.get_mut(index)) {
            word.cruising |= 1 << (index % WORD);
            *kept = cruise;
        }
    }

    /// Forgets how an entity rests or cruises.
    #[inline]
    pub(super) fn forget(&mut self, index: usize) {
        if let Some(word) = self.words.get_mut(index / WORD) {
            word.resting &= !(1 << (index % WORD));
            word.cruising &= !(1 << (index % WORD));
        }
    }

    /// Reserves memory for some more entities.
    pub(super) fn reserve(&mut self, entities: usize) {
        self.words.reserve_exact(entities.div_ceil(WORD));
        self.rests.reserve_exact(entities);
    }

    /// Adds the entity at an index that was the length of the list.
    pub(super) fn push(&mut self, index: usize) {
        self.words.resize(index / WORD + 1, Word::default());
        self.rests.resize(index + 1, Rest::default());
        self.wake(index);
    }

    /// Removes an entity.
    pub(super) fn sleep(&mut self, index: usize) {
        if let Some(word) = self.words.get_mut(index / WORD) {
            word.awake &= !(1 << (index % WORD));
        }
    }

    /// Moves the last entity of the list to the index of one that is removed.
    pub(super) fn swap_remove(&mut self, index: usize, last: usize) {
        let is_awake = self.contains(last);
        self.wake(index);
        if !is_awake {
            self.sleep(index);
        }
        self.sleep(last);
        self.forget(last);
        self.rests.truncate(last);
        self.cruises.truncate(last);
    }

    /// The words of the set, and how each entity rests and cruises, for a tick that visits entities in chunks.
    #[cfg(feature = "parallel")]
    pub(super) fn parts_mut(&mut self) -> (&mut [Word], &mut [Rest], &mut [SteadyCruise]) {
        self.cruises.resize(self.rests.len(), SteadyCruise::default());
        (&mut self.words, &mut self.rests, &mut self.cruises)
    }

    /// Returns `true` if an entity is in the set.
    pub(super) fn contains(&self, index: usize) -> bool {
        self.words.get(index / WORD).is_some_and(|word| word.awake >> (index % WORD) & 1 != 0)
    }
}

impl Resident {
    /// Returns `true` if a tick that has just visited the entity need not visit it again until it is changed.
    #[inline]
    pub(super) fn is_dormant(&self) -> bool {
        let body = self.body();
        let is_held_back = !body.is_in_cell() || body.state.contains(PhysicsState::FROZEN);
        is_held_back
            && !body.transient.contains(TransientState::ACTIVE)
            && !body.flags.contains(BodyFlags::HAS_PARENT)
            && !self.has_links()
    }

    /// Advances an entity to now that nothing has changed since it was found at rest. Returns `false`, with nothing done, if
    /// the step may do more.
    #[inline(always)]
    pub(super) fn rest(&mut self, rest: &Rest, player: Option<&CellPosition>, now: f64) -> bool {
        let distance = distance_from(player, &self.entity.body.position);
        self.entity.rest(rest, now, Some(distance))
    }

    /// Advances an entity to now that nothing has changed since it was found to cruise. Returns `false`, with nothing done,
    /// if the step may do more than to move it straight ahead.
    #[inline(always)]
    pub(super) fn cruise_steadily(
        &mut self,
        kept: &SteadyCruise,
        library: &Library,
        player: Option<&CellPosition>,
        now: f64,
    ) -> bool {
        let distance = distance_from(player, &self.entity.body.position);
        self.entity.cruise_steadily(kept, library, now, Some(distance))
    }

    /// Advances an entity to now, if it is at rest. Returns how it rests from then on, and `None`, with nothing done, if the
    /// step may do more. `collides` says whether entities collide with each other.
    ///
    /// Such a step looks at neither the surroundings nor other entities. What others see of the entity does not change
    /// either, unless it collides by its animated parts, or holds something or is held.
    #[inline]
    pub(super) fn begin_rest(
        &mut self,
        library: &Library,
        collides: bool,
        player: Option<&CellPosition>,
        now: f64,
    ) -> Option<Rest> {
        let rest = self.entity.find_rest(library)?;
        let is_posed = collides && self.entity.body.state.contains(PhysicsState::HAS_PHYSICS_BSP);
        (!is_posed && !self.has_links() && self.rest(&rest, player, now)).then_some(rest)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use acmotion_dat::mannequin::town::landmarks;
    use acmotion_dat::{Assets, mannequin};
    use acmotion_types::{CellId, CellPosition, Guid, MotionCommand, Stamp, Vec3};
    use acmotion_wire::{PositionFlags, PositionPack, S2C, UpdatePosition};
    use proptest::prelude::*;

    use super::*;
    use crate::collide::{Scene, Surroundings};
    use crate::entity::Entity;
    use crate::interp::MovementParams;
    use crate::steer::Neighbours;
    use crate::world::{EntitySpec, Identity, Settings, World};

    #[test]
    fn what_is_stored_is_left_out_until_it_is_changed() {
        let mut world = World::new(Assets::mannequin());
        let sword =
            world.spawn(&EntitySpec::item(Guid(1), mannequin::SWORD_SETUP), 0.0).expect("there is room");
        assert_eq!(world.store.awake_word(0).awake, 1, "it is new");
        world.tick(1.0);
        assert_eq!(world.store.awake_word(0).awake, 0);
        let position = CellPosition::at(CellId(0xA9B4_0001), Vec3::new(12.0, 12.0, 94.0));
        assert!(world.drop_at(sword, &position, 0, 1.0).is_ok());
        world.tick(2.0);
        assert_eq!(world.store.awake_word(0).awake, 1, "its clock goes on");
        world.pick_up(sword, 2.0);
        assert_eq!(world.store.awake_word(0).awake, 1, "it has changed");
        world.tick(3.0);
        assert_eq!(world.store.awake_word(0).awake, 0);
    }

    /// Advances all entities in the general way, whether anything can happen to them or not.
    fn tick_generally(world: &mut World, now: f64) {
        assert!(world.begin_tick(now));
        let player = world.player_position();
        for index in 0..world.store.len() {
            world.update_generally_at(index, player.as_ref(), now);
        }
        world.animate_static_objects(now);
    }

    /// What a tick can change, and what entities see of each other.
    fn seen(world: &mut World) -> String {
        let guids: Vec<Guid> = world.entities().map(Resident::guid).collect();
        let others = world.store.visit(0).map(|(_, others)| guids.iter().map(|guid| others.neighbour(*guid)));
        let neighbours: Vec<_> = others.into_iter().flatten().collect();
        let entities = world.entities().map(|resident| {
            let Entity { body, interp, animator, correction, .. } = resident.entity();
            let bounds = world.store.shadows().bounds(resident.id().slot);
            format!("{body:?} {interp:?} {animator:?} {correction:?} {bounds:?}\n")
        });
        format!("{neighbours:?} {}", entities.collect::<String>())
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

        /// Bodies that stand about in the town, some on slopes, or on level ground, and now and then walk, turn, wave or are
        /// reported elsewhere.
        #[test]
        fn a_tick_ends_as_if_all_were_visited_in_the_general_way(
            changes in proptest::collection::vec((0..40_usize, 0..6_usize), 1..60),
            (in_town, has_player, parallel) in any::<(bool, bool, bool)>(),
        ) {
            const MOTIONS: [MotionCommand; 5] = [
                MotionCommand::READY,
                MotionCommand::WALK_FORWARD,
                MotionCommand::RUN_FORWARD,
                MotionCommand::TURN_RIGHT,
                MotionCommand::WAVE,
            ];
            let town = || Scene::load(&Assets::mannequin(), &Assets::town()).expect("the built-in town loads");
            let player = if has_player { Identity::Known(Guid(1)) } else { Identity::default() };
            let surroundings = in_town.then(|| Arc::new(town()) as Arc<dyn Surroundings + Send + Sync>);
            let settings = Settings { player, surroundings, ..Settings::default() };
            let mut short = World::with_settings(Assets::mannequin(), settings);
            for number in 0..12_u16 {
                let mut at = landmarks().spawn;
                at.frame.origin += Vec3::new(f32::from(number % 4) * 9.0, f32::from(number / 4) * 9.0, 0.0);
                let at = at.adjusted_to_outside().unwrap_or(at);
                short.add_stand_in(Guid(u32::from(number) + 1), &at, 0.0);
            }
            let mut general = short.clone();
            let (mut now, mut rested, mut cruised) = (0.0, 0, 0);
            for (entity, change) in changes {
                let guid = Guid(entity as u32 + 1);
                for world in [&mut short, &mut general] {
                    if let Some(motion) = MOTIONS.get(change) {
                        world.act(guid, now, |actor, _| {
                            let _ = actor.do_interpreted_motion(*motion, &MovementParams::default());
                        });
                    } else {
                        report(world, guid, now);
                    }
                }
                for _ in 0..8 {
                    now += 0.034;
                    rested += short.store.awake_word(0).resting.count_ones();
                    cruised += short.store.awake_word(0).cruising.count_ones();
                    if parallel { short.tick_parallel(now) } else { short.tick(now) };
                    tick_generally(&mut general, now);
                    prop_assert_eq!(seen(&mut short), seen(&mut general));
                    prop_assert!(short.drain_events().eq(general.drain_events()));
                }
            }
            prop_assert!(rested > 0 || now < 1.0, "nothing rested in {} s", now);
            prop_assert!(cruised == 0 || !in_town, "the town is not level");
        }
    }

    /// Reports an entity a little ahead of where it is.
    fn report(world: &mut World, guid: Guid, now: f64) {
        let Some(resident) = world.find(guid) else { return };
        let (mut position, stamps) = (resident.position(), *resident.stamps());
        position.frame.origin += Vec3::new(0.3, 0.4, 0.0);
        let pack = PositionPack {
            flags: PositionFlags::GROUNDED,
            position: position.adjusted_to_outside().unwrap_or(position),
            velocity: None,
            placement: None,
            instance: stamps.instance,
            position_stamp: Stamp(stamps.position.0.wrapping_add(1)),
            teleport: stamps.teleport,
            force_position: stamps.force_position,
        };
        world.receive_message(&S2C::from(UpdatePosition { guid, pack }), now);
    }

    fn running_on_level_ground() -> World {
        let mut world = World::new(Assets::mannequin());
        let at = CellPosition::at(CellId(0xA9B4_0001), Vec3::new(12.0, 4.0, 94.0));
        world.add_stand_in(Guid(1), &at, 0.0);
        world.act(Guid(1), 0.0, |actor, _| {
            let _ = actor.do_interpreted_motion(MotionCommand::RUN_FORWARD, &MovementParams::default());
        });
        for tick in 1..=60 {
            world.tick(f64::from(tick) * 0.034);
        }
        assert_eq!(world.store.awake_word(0).cruising, 1, "it runs straight ahead");
        world
    }

    #[test]
    fn a_body_that_runs_is_known_to_cruise_until_it_is_changed() {
        let mut world = running_on_level_ground();
        report(&mut world, Guid(1), 2.04);
        assert_eq!(world.store.awake_word(0).cruising, 0);
    }

    #[test]
    fn a_body_that_cruises_falls_if_the_ground_is_taken_away() {
        let mut world = running_on_level_ground();
        world.set_surroundings(Some(Arc::new(crate::collide::OpenAir)));
        for tick in 61..70 {
            world.tick(f64::from(tick) * 0.034);
        }
        assert!(world.find(Guid(1)).is_some_and(|entity| entity.position().frame.origin.z < 93.9));
    }

    proptest! {
        /// Compares the set with a plain list of yes and no, over pushes, removals, sleeping and waking.
        #[test]
        fn the_set_follows_the_list(edits in proptest::collection::vec((0..5_u8, any::<usize>()), 0..400)) {
            let (mut set, mut plain) = (AwakeSet::default(), Vec::new());
            for (edit, number) in edits {
                let index = if plain.is_empty() { 0 } else { number % plain.len() };
                match edit {
                    0 | 1 => {
                        set.push(plain.len());
                        plain.push(true);
                    }
                    _ if plain.is_empty() => {}
                    2 => {
                        set.swap_remove(index, plain.len() - 1);
                        plain.swap_remove(index);
                    }
                    3 => {
                        set.sleep(index);
                        plain[index] = false;
                    }
                    _ => {
                        set.wake(index);
                        plain[index] = true;
                    }
                }
                let visited: Vec<bool> = (0..plain.len()).map(|index| set.contains(index)).collect();
                prop_assert_eq!(visited, plain.clone());
                let beyond = (plain.len()..plain.len() + 2 * WORD).any(|index| set.contains(index));
                prop_assert!(!beyond, "behind the last of {}", plain.len());
            }
        }
    }
}

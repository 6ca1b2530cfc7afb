//! Learns from reports what is missing: the slope of the ground where no land is known, and the speed of creatures whose
//! motion tables are missing.
//!
//! Both are off unless [`Settings::slope_from_reports`](super::Settings::slope_from_reports) and
//! [`Settings::speeds_from_reports`](super::Settings::speeds_from_reports) switch them on. The original always has its data,
//! and without these estimates a simulation is the same to the bit on every machine that lacks the same data.

use acmotion_types::{CellId, CellPosition, Vec3};

use super::{EntityId, Resident, StandIn, World};
use crate::comfort::Flat;
use crate::entity::RootPace;
use crate::library::Library;
#[cfg(feature = "serde")]
use crate::restore::{Checked, require, require_finite};

/// The minimum distance over the ground, in metres, between two reports that tell a slope.
const MIN_WAY: f32 = 0.5;
/// The steepest slope, in metres a metre, that is believed: less than a body can stand on.
const MAX_SLOPE: f32 = 1.0;
/// The height, in metres, by which reports on level ground may differ.
const TOLERANCE: f32 = 0.1;
/// The time, in seconds, up to which two reports are compared, and from which on they tell a speed.
const MAX_SECONDS: f64 = 5.0;
const MIN_SECONDS: f64 = 0.15;
/// The minimum speed of a motion that is compared, in metres a second.
const MIN_SPEED: f32 = 0.3;
/// The share of the difference by which an estimate follows a report.
const FOLLOW: f32 = 0.3;
/// The limits of a pace: how much slower or faster than the humanoid a creature is.
pub(super) const MIN_PACE: f32 = 0.25;
pub(super) const MAX_PACE: f32 = 255.0 / 64.0;

/// What is learnt of all entities.
#[derive(Clone, Default)]
pub(super) struct Learnt {
    /// By slot.
    entries: Vec<Entry>,
}

/// What is learnt of one entity.
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Entry {
    id: EntityId,
    /// Where it was last reported standing, and when, in seconds.
    cell: CellId,
    origin: Vec3,
    at: f64,
    /// When another motion was last announced, in seconds.
    announced_at: f64,
    /// How much the ground rises towards east and north, in metres a metre.
    slope: [f32; 2],
}

impl Learnt {
    fn get_mut(&mut self, id: EntityId) -> Option<&mut Entry> {
        self.entries.get_mut(id.slot()).filter(|entry| entry.id == id)
    }

    /// Replaces what is known of a slot.
    fn set(&mut self, entry: Entry) {
        let slot = entry.id.slot();
        if self.entries.len() <= slot {
            self.entries.resize(slot + 1, entry);
        }
        self.entries[slot] = entry;
    }

    /// Moves the stored times by a number of seconds.
    pub(super) fn shift_times(&mut self, by: f64) {
        for entry in &mut self.entries {
            entry.at += by;
            entry.announced_at += by;
        }
    }

    /// Returns what is known of the entities that exist.
    #[cfg(feature = "serde")]
    pub(super) fn saved(&self, world: &World) -> Vec<Entry> {
        self.entries.iter().filter(|entry| world.get(entry.id).is_some()).copied().collect()
    }

    /// Restores what is known of entities.
    #[cfg(feature = "serde")]
    pub(super) fn restore(saved: Vec<Entry>, world: &World) -> Result<Self, &'static str> {
        let mut learnt = Self::default();
        for entry in saved {
            entry.check()?;
            require(world.get(entry.id).is_some(), "a report of an entity that does not exist")?;
            learnt.set(entry);
        }
        Ok(learnt)
    }
}

#[cfg(feature = "serde")]
impl Entry {
    fn check(&self) -> Checked {
        require_finite(self, "a report that is not finite")?;
        require(self.slope.iter().all(|slope| slope.abs() <= MAX_SLOPE), "a slope that is too steep")
    }
}

impl Entry {
    /// Takes another report into account that tells how the ground rises along a way.
    fn learn_slope(&mut self, way: Flat, rise: f32) {
        let length = way.length();
        if length < MIN_WAY {
            return;
        }
        if rise.abs() > MAX_SLOPE * length + TOLERANCE {
            self.slope = [0.0; 2];
            return;
        }
        let along = way * (1.0 / length);
        let slope = Flat { x: self.slope[0], y: self.slope[1] };
        let found = (rise / length).clamp(-MAX_SLOPE, MAX_SLOPE);
        let slope = (slope + along * (found - slope.dot(along))).limited(MAX_SLOPE);
        self.slope = [slope.x, slope.y];
    }
}

/// Returns the speed of the motion that loops, in metres a second and without the pace; `None` if another plays or the body does
/// not move by its motion.
fn speed_of_cycle(resident: &Resident, library: &Library) -> Option<f32> {
    let sequence = resident.entity.animator.sequence();
    let loops =
        sequence.current_index().is_some() && sequence.current_index() == sequence.first_cyclic_index();
    let body = resident.body();
    if !loops || !body.is_on_walkable() {
        return None;
    }
    let speed = Flat::from(sequence.root_velocity(library)).length() * body.scale;
    (speed > MIN_SPEED).then_some(speed)
}

/// Learns how fast a creature with a stand-in table goes, from the way between two reports, in metres and seconds, between
/// which no other motion was announced.
fn learn_pace(resident: &mut Resident, way: f32, seconds: f64, library: &Library) {
    let has_stand_in = resident.stand_in.intersects(StandIn::TABLE | StandIn::WHOLE);
    let speed = speed_of_cycle(resident, library).filter(|_| has_stand_in && seconds >= MIN_SECONDS);
    if let Some(speed) = speed {
        let pace = resident.entity.pace.factor();
        let found = way / (speed * seconds as f32);
        resident.entity.pace = RootPace::new((pace + (found - pace) * FOLLOW).clamp(MIN_PACE, MAX_PACE));
    }
}

impl World {
    /// Starts or stops taking the slope of unknown ground from the reports of the bodies on it; see
    /// [`Settings::slope_from_reports`](super::Settings::slope_from_reports).
    pub fn set_slope_from_reports(&mut self, learns: bool) {
        self.settings.slope_from_reports = learns;
        self.begin_learning();
    }

    /// Starts or stops taking the speed of creatures with stand-in tables from their reports; see
    /// [`Settings::speeds_from_reports`](super::Settings::speeds_from_reports).
    pub fn set_speeds_from_reports(&mut self, learns: bool) {
        self.settings.speeds_from_reports = learns;
        self.begin_learning();
        for index in 0..self.store.len() {
            if let Some(resident) = self.store.at_mut(index).filter(|_| !learns) {
                resident.entity.pace = RootPace::USUAL;
            }
        }
    }

    /// Prepares what the settings need, or drops what they no longer need.
    pub(super) fn begin_learning(&mut self) {
        let learns = self.settings.slope_from_reports || self.settings.speeds_from_reports;
        self.learnt = if learns { self.learnt.take().or_else(|| Some(Box::default())) } else { None };
    }

    /// Learns from a position at which the entity at an index is reported standing. Returns the slope of the ground there,
    /// `None` if it counts as level.
    pub(super) fn learn(&mut self, index: usize, position: &CellPosition, now: f64) -> Option<[f32; 2]> {
        let learnt = self.learnt.as_mut()?;
        let resident = self.store.woken_mut(index)?;
        let (id, origin) = (resident.id(), position.frame.origin);
        let fresh = Entry { id, cell: position.cell, origin, at: now, announced_at: now, slope: [0.0; 2] };
        let Some(entry) = learnt.get_mut(id) else {
            learnt.set(fresh);
            return None;
        };
        let offset = CellPosition::at(entry.cell, entry.origin).offset_to(position);
        let seconds = now - entry.at;
        if (0.0..=MAX_SECONDS).contains(&seconds) {
            if self.settings.slope_from_reports {
                entry.learn_slope(offset.into(), offset.z);
            }
            if self.settings.speeds_from_reports && entry.announced_at <= entry.at {
                learn_pace(resident, Flat::from(offset).length(), seconds, &self.library);
            }
        }
        (entry.cell, entry.origin, entry.at) = (position.cell, origin, now);
        Some(entry.slope).filter(|slope| *slope != [0.0; 2])
    }

    /// Notes that another motion of the entity at an index has been announced.
    pub(super) fn learn_motion(&mut self, index: usize, now: f64) {
        let id = self.store.at(index).map(Resident::id);
        if let Some(entry) = id.and_then(|id| self.learnt.as_mut()?.get_mut(id)) {
            entry.announced_at = now;
        }
    }

    /// Forgets the reports of the entity at an index, which has been teleported.
    pub(super) fn forget_reports(&mut self, index: usize) {
        let id = self.store.at(index).map(Resident::id);
        if let Some(entry) = id.and_then(|id| self.learnt.as_mut()?.get_mut(id)) {
            (entry.slope, entry.at) = ([0.0; 2], f64::MIN);
        }
    }
}

#[cfg(test)]
mod tests {
    use acmotion_dat::{Assets, DataId};
    use acmotion_types::{Guid, MotionCommand, Stamp};
    use acmotion_wire::{PositionFlags, PositionPack, S2C, UpdatePosition};

    use super::*;
    use crate::interp::MovementParams;
    use crate::world::{EntitySpec, Settings};

    const TICK: f64 = 0.034;

    fn at(x: f32, y: f32, z: f32) -> CellPosition {
        CellPosition::at(CellId(0xA9B4_0001), Vec3::new(x, y, z))
    }

    fn learning(slope: bool, speeds: bool) -> World {
        let settings =
            Settings { slope_from_reports: slope, speeds_from_reports: speeds, ..Settings::default() };
        World::with_settings(Assets::mannequin(), settings)
    }

    fn report(world: &mut World, guid: Guid, position: CellPosition, teleport: u16, now: f64) {
        let stamps = *world.find(guid).expect("it exists").stamps();
        let pack = PositionPack {
            flags: PositionFlags::GROUNDED,
            position,
            velocity: None,
            placement: None,
            instance: stamps.instance,
            position_stamp: Stamp(stamps.position.0.wrapping_add(1)),
            teleport: Stamp(teleport),
            force_position: stamps.force_position,
        };
        world.receive_message(&S2C::from(UpdatePosition { guid, pack }), now);
    }

    /// What is learnt of an entity.
    fn entry(world: &World, guid: Guid) -> Option<Entry> {
        let id = world.id_of(guid)?;
        world.learnt.as_ref()?.entries.get(id.slot()).copied().filter(|entry| entry.id == id)
    }

    fn assert_slope(entry: &Entry, expected: [f32; 2]) {
        let is_close =
            entry.slope.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < 1e-5);
        assert!(is_close, "{:?}, not {expected:?}", entry.slope);
    }

    /// Each way tells the slope along itself and leaves what is known across it.
    #[test]
    fn a_slope_is_learnt_along_the_way() {
        let mut world = learning(true, false);
        world.add_stand_in(Guid(1), &at(12.0, 12.0, 94.0), 0.0);
        report(&mut world, Guid(1), at(12.0, 12.0, 94.0), 0, 0.0);
        let mut entry = entry(&world, Guid(1)).expect("it was reported");
        assert_slope(&entry, [0.0, 0.0]);
        entry.learn_slope(Flat { x: 0.0, y: 0.4 }, 0.4);
        assert_slope(&entry, [0.0, 0.0]);
        // Three metres on four to the north, half a metre on two to the east.
        entry.learn_slope(Flat { x: 0.0, y: 4.0 }, 3.0);
        assert_slope(&entry, [0.0, 0.75]);
        entry.learn_slope(Flat { x: 2.0, y: 0.0 }, 0.5);
        assert_slope(&entry, [0.25, 0.75]);
        // Known are 0.25 * 0.6 + 0.75 * 0.8 = 0.75 along this way, told is 0.5: 0.25 less along (0.6, 0.8).
        entry.learn_slope(Flat { x: 3.0, y: 4.0 }, 2.5);
        assert_slope(&entry, [0.1, 0.55]);
        // Down to the south is up to the north.
        entry.learn_slope(Flat { x: 0.0, y: -2.0 }, -1.4);
        assert_slope(&entry, [0.1, 0.7]);
        // A tenth of a metre more than the steepest slope is believed, as the steepest.
        entry.learn_slope(Flat { x: -2.0, y: 0.0 }, 0.0);
        entry.learn_slope(Flat { x: 0.0, y: 2.0 }, 2.05);
        assert_slope(&entry, [0.0, 1.0]);
        entry.learn_slope(Flat { x: 0.0, y: 2.0 }, -2.05);
        assert_slope(&entry, [0.0, -1.0]);
        entry.learn_slope(Flat { x: 0.0, y: 2.0 }, 2.2);
        assert_slope(&entry, [0.0, 0.0]);
    }

    /// From a level field onto a hill: each report is compared with the one before it, if that is at most five seconds old.
    #[test]
    fn a_report_is_compared_with_the_one_before() {
        let mut world = learning(true, false);
        world.add_stand_in(Guid(1), &at(12.0, 12.0, 94.0), 0.0);
        let slope = |world: &World| entry(world, Guid(1)).expect("it was reported").slope;
        for (seconds, y, z, expected) in [
            (1.0, 12.0, 94.0, 0.0),
            (2.0, 16.0, 94.0, 0.0),
            (3.0, 18.0, 95.0, 0.5),
            (8.5, 22.0, 94.0, 0.5),
            (9.5, 24.0, 94.5, 0.25),
            (14.5, 28.0, 94.0, -0.125),
        ] {
            report(&mut world, Guid(1), at(12.0, y, z), 0, seconds);
            assert!((slope(&world)[1] - expected).abs() < 1e-5, "{seconds} s: {:?}", slope(&world));
        }
        // A teleport tells nothing, and neither does the first report after it.
        report(&mut world, Guid(1), at(12.0, 40.0, 99.0), 1, 15.0);
        assert_eq!(slope(&world), [0.0, 0.0]);
        report(&mut world, Guid(1), at(12.0, 44.0, 98.0), 1, 15.5);
        assert_eq!(slope(&world), [0.0, 0.0], "the way before the teleport");
        report(&mut world, Guid(1), at(12.0, 48.0, 99.0), 1, 16.0);
        assert!((slope(&world)[1] - 0.25).abs() < 1e-5);
    }

    /// What is learnt of one entity is not lost because another was reported first, and not taken for a later one.
    #[test]
    fn every_entity_has_an_entry_of_its_own() {
        let mut world = learning(true, false);
        for number in 1..4_u8 {
            world.add_stand_in(Guid(number.into()), &at(12.0 * f32::from(number), 12.0, 94.0), 0.0);
        }
        for number in [3, 1, 2_u8] {
            let (guid, x) = (Guid(number.into()), 12.0 * f32::from(number));
            report(&mut world, guid, at(x, 12.0, 94.0), 0, 1.0);
            report(&mut world, guid, at(x, 16.0, 94.0 + f32::from(number)), 0, 2.0);
            let learnt = entry(&world, guid).expect("it was reported");
            assert_slope(&learnt, [0.0, f32::from(number) / 4.0]);
        }
        let id = world.id_of(Guid(2)).expect("it exists");
        world.despawn(id, 3.0);
        world.add_stand_in(Guid(9), &at(24.0, 12.0, 94.0), 3.0);
        assert_eq!(world.id_of(Guid(9)).map(EntityId::slot), Some(id.slot()), "in the same slot");
        assert_eq!(entry(&world, Guid(9)), None);
        assert_eq!(world.learnt.as_ref().expect("it learns").saved(&world).len(), 2, "those that exist");
        report(&mut world, Guid(9), at(24.0, 12.0, 94.0), 0, 3.5);
        assert_slope(&entry(&world, Guid(9)).expect("it was reported"), [0.0, 0.0]);
    }

    /// A clock that is set back does not make reports older or younger.
    #[test]
    fn a_clock_that_is_set_back_does_not_interrupt_learning() {
        let mut world = learning(true, false);
        world.add_stand_in(Guid(1), &at(12.0, 12.0, 94.0), 4096.0);
        world.tick(4096.5);
        report(&mut world, Guid(1), at(12.0, 12.0, 94.0), 0, 4097.0);
        world.tick(4097.25);
        world.learn_motion(0, 4096.75);
        world.tick(1.25);
        let kept = entry(&world, Guid(1)).expect("it was reported");
        assert_eq!((kept.at, kept.announced_at), (1.0, 0.75));
        report(&mut world, Guid(1), at(12.0, 16.0, 95.0), 0, 2.0);
        assert_slope(&entry(&world, Guid(1)).expect("it was reported"), [0.0, 0.25]);
    }

    /// A runner with a stand-in table, at its full speed of 4 m/s.
    fn runner(scale: f32) -> World {
        let mut world = learning(false, true);
        let spec = EntitySpec {
            motion_table: Some(DataId(0x0900_1234)),
            scale,
            ..EntitySpec::new(Guid(1), at(12.0, 12.0, 94.0))
        };
        world.spawn(&spec, 0.0).expect("there is room");
        run(&mut world, 0.0);
        for tick in 1..=60 {
            world.tick(f64::from(tick) * TICK);
        }
        world
    }

    fn run(world: &mut World, now: f64) {
        world.act(Guid(1), now, |actor, _| {
            let _ = actor.do_interpreted_motion(MotionCommand::RUN_FORWARD, &MovementParams::default());
        });
    }

    fn speed(world: &World) -> Option<f32> {
        speed_of_cycle(world.find(Guid(1)).expect("it exists"), world.library())
    }

    /// The speed of a motion counts while it loops and the body stands on the ground, and grows with the body.
    #[test]
    fn a_speed_is_that_of_the_motion_that_loops() {
        for scale in [1.0, 2.0] {
            let world = runner(scale);
            let speed = speed(&world).expect("it runs");
            assert!((speed - 4.0 * scale).abs() < 0.05, "{speed} m/s at scale {scale}");
        }
        let mut world = runner(1.0);
        world.act(Guid(1), 2.04, |actor, _| {
            actor.entity.body.transient.remove(crate::body::TransientState::ON_WALKABLE)
        });
        assert_eq!(speed(&world), None, "in the air");
        let mut world = learning(false, true);
        world.add_stand_in(Guid(1), &at(12.0, 12.0, 94.0), 0.0);
        for tick in 1..=30 {
            world.tick(f64::from(tick) * TICK);
        }
        assert_eq!(speed(&world), None, "it stands");
        run(&mut world, 1.05);
        let sequence = world.find(Guid(1)).expect("it exists").entity.animator.sequence();
        assert_ne!(sequence.current_index(), sequence.first_cyclic_index(), "the link plays");
        assert_eq!(speed(&world), None);
    }

    /// A way of 2.5 m in a second at 4 m/s is 0.625 of it; the pace follows by three tenths of the difference, in steps of
    /// 1/64. Ways of less than 0.15 s tell nothing, and the pace stays within its limits.
    #[test]
    fn a_pace_follows_what_is_reported() {
        let pace = |world: &World| world.find(Guid(1)).expect("it exists").entity.pace.factor();
        let learn = |world: &mut World, way: f32, seconds: f64| {
            let library = std::sync::Arc::clone(&world.library);
            let resident = world.store.find_mut(Guid(1)).expect("it exists");
            learn_pace(resident, way, seconds, &library);
        };
        let mut world = runner(1.0);
        learn(&mut world, 2.5, 1.0);
        assert!((pace(&world) - 0.8875).abs() < 1.0 / 64.0, "{}", pace(&world));
        let mut world = runner(1.0);
        learn(&mut world, 5.0, 2.0);
        assert!((pace(&world) - 0.8875).abs() < 1.0 / 64.0, "{}", pace(&world));
        learn(&mut world, 0.1, 0.14);
        assert!((pace(&world) - 0.8875).abs() < 1.0 / 64.0, "too short: {}", pace(&world));
        for _ in 0..30 {
            learn(&mut world, 0.0, 1.0);
        }
        assert_eq!(pace(&world), MIN_PACE);
        for _ in 0..60 {
            learn(&mut world, 100.0, 1.0);
        }
        assert_eq!(pace(&world), MAX_PACE);
        let mut world = runner(1.0);
        world.store.find_mut(Guid(1)).expect("it exists").stand_in = StandIn::SETUP;
        learn(&mut world, 2.5, 1.0);
        assert_eq!(pace(&world), 1.0, "its own table is believed");
    }

    /// Only the way after the last announcement tells a speed, and only if that is wanted.
    #[test]
    fn a_way_with_another_motion_in_it_tells_no_speed() {
        let pace = |world: &World| world.find(Guid(1)).expect("it exists").entity.pace.factor();
        let reported = |speeds: bool, announced: Option<f64>| {
            let mut world = runner(1.0);
            world.set_slope_from_reports(true);
            world.set_speeds_from_reports(speeds);
            report(&mut world, Guid(1), at(12.0, 12.0, 94.0), 0, 2.1);
            if let Some(now) = announced {
                world.learn_motion(0, now);
            }
            report(&mut world, Guid(1), at(12.0, 14.5, 94.0), 0, 3.1);
            world
        };
        assert!((pace(&reported(true, None)) - 0.8875).abs() < 1.0 / 64.0);
        assert_eq!(pace(&reported(true, Some(2.5))), 1.0, "announced in between");
        assert_eq!(pace(&reported(false, None)), 1.0, "not wanted");
        let mut world = reported(true, None);
        world.set_speeds_from_reports(true);
        assert!(pace(&world) < 0.95, "what was learnt stays");
        world.set_speeds_from_reports(false);
        assert_eq!(pace(&world), 1.0);
        assert!(entry(&world, Guid(1)).is_some(), "slopes are still learnt");
        world.set_slope_from_reports(false);
        assert!(world.learnt.is_none());
    }

    /// Entries of a snapshot are checked.
    #[test]
    #[cfg(feature = "serde")]
    fn entries_that_cannot_be_are_refused() {
        let mut world = learning(true, false);
        world.add_stand_in(Guid(1), &at(12.0, 12.0, 94.0), 0.0);
        report(&mut world, Guid(1), at(12.0, 12.0, 94.0), 0, 0.0);
        let good = entry(&world, Guid(1)).expect("it was reported");
        let steep = Entry { slope: [0.0, -1.5], ..good };
        let broken = Entry { at: f64::NAN, ..good };
        assert!(Learnt::restore(vec![good], &world).is_ok());
        assert!(Learnt::restore(vec![Entry { slope: [-1.0, 1.0], ..good }], &world).is_ok());
        assert!(Learnt::restore(vec![steep], &world).is_err());
        assert!(Learnt::restore(vec![broken], &world).is_err());
        let id = good.id;
        world.despawn(id, 1.0);
        assert!(Learnt::restore(vec![good], &world).is_err(), "of no entity");
    }
}

//! What reports tell about what is missing: the slope of the ground where no land is known, and the speed of creatures whose
//! motion tables are missing.
//!
//! Both are off unless [`Settings::slope_from_reports`](super::Settings::slope_from_reports) and
//! [`Settings::speeds_from_reports`](super::Settings::speeds_from_reports) say otherwise: the original has its data, and a
//! simulation without these estimates is the same to the bit on every machine that lacks the same data.

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
    /// Lets the ground under bodies slope as their reports say, from now on or no longer; see
    /// [`Settings::slope_from_reports`](super::Settings::slope_from_reports).
    pub fn set_slope_from_reports(&mut self, learns: bool) {
        self.settings.slope_from_reports = learns;
        self.begin_learning();
    }

    /// Lets creatures with stand-in tables go as fast as their reports say, from now on or no longer; see
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

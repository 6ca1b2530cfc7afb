//! Comfort: where remotes are shown, apart from where they are simulated ([`crate::comfort`]).
//!
//! Like everything that is shown, this is no state of the simulation: it is in no snapshot, and nothing of the simulation
//! depends on it.

use acmotion_types::{CellPosition, Vec3};

use super::awake::WORD;
use super::{EntityId, Resident, Settings, World};
use crate::body::{BodyFlags, HUGE_QUANTUM, MAX_QUANTUM, PhysicsState, TransientState};
use crate::collide::{InfinitePlane, MoverFlags, Plane, Touch};
use crate::comfort::{Announced, ComfortSettings, Goal, Presentation, Remote};
use crate::correction::blip_distance;
use crate::library::Library;
use crate::world::obstacles::WorldObstacles;

/// The maximum round-trip time that is believed, in seconds.
const MAX_ROUND_TRIP: f64 = 2.0;
/// The minimum length of a step along an axis, in metres, that is swept.
const MIN_STEP: f32 = 5e-4;

/// The height, in metres, from which on a body that is below its remote has fallen off an edge.
const MIN_FALL: f32 = 0.5;

/// All remotes.
#[derive(Clone)]
pub(super) struct Comfort {
    settings: ComfortSettings,
    /// By slot.
    remotes: Vec<Remote>,
    /// The time of the last tick, in seconds; `None` before the first.
    last: Option<f64>,
    /// The number of ticks, modulo 65,536.
    tick: u16,
    /// A buffer for sweeps.
    touched: Vec<Touch>,
}

/// What comfort knows of a remote, for plots and tools.
///
/// ```
/// use acmotion::dat::Assets;
/// use acmotion::types::{CellId, CellPosition, Guid, Vec3};
/// use acmotion::{ComfortSettings, ComfortState, Presentation, World};
///
/// let mut world = World::new(Assets::mannequin());
/// world.set_presentation(Presentation::Comfort(ComfortSettings::default()));
/// let position = CellPosition::at(CellId(0xA9B4_0001), Vec3::new(12.0, 12.0, 94.0));
/// let id = world.add_stand_in(Guid(0x5000_0001), &position, 0.0);
/// world.tick(1.0 / 30.0);
/// let Some(ComfortState { lead, rate, .. }) = world.comfort(id) else { panic!("it is shown by comfort") };
/// assert_eq!((lead, rate), (0.0, 1.0));
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ComfortState {
    /// Where it is shown.
    pub position: CellPosition,
    /// Where it is estimated to have been one message delay ago.
    pub known: CellPosition,
    /// The time, in seconds, by which its motion is shown ahead of that of the simulated body.
    pub lead: f32,
    /// The rate at which its motion is played, 1 for the usual one.
    pub rate: f32,
    /// The time, in seconds, that a message about it takes from its owner, as far as that is known.
    pub delay: f32,
    /// The mean time, in seconds, by which reports about it are early or late.
    pub jitter: f32,
}

impl Comfort {
    /// Creates what a presentation needs; `None` if that is nothing.
    pub(super) fn new(presentation: Presentation) -> Option<Box<Self>> {
        let Presentation::Comfort(settings) = presentation else { return None };
        let settings = settings.clamped();
        Some(Box::new(Self { settings, remotes: Vec::new(), last: None, tick: 0, touched: Vec::new() }))
    }

    /// Returns the remote of an entity; `None` if the entity is shown where it is simulated.
    pub(super) fn get(&self, id: EntityId) -> Option<&Remote> {
        self.remotes.get(id.slot()).filter(|remote| remote.is_of(id.generation()))
    }

    fn get_mut(&mut self, id: EntityId) -> Option<&mut Remote> {
        self.remotes.get_mut(id.slot()).filter(|remote| remote.is_of(id.generation()))
    }

    /// Moves the time of the last tick by a number of seconds.
    pub(super) fn shift_times(&mut self, by: f64) {
        self.last = self.last.map(|last| last + by);
    }

    /// Begins a tick. Returns the time since the last one, in seconds; `None` if that is unknown or so long that bodies have
    /// lost it, too (rule B3).
    fn begin_tick(&mut self, now: f64) -> Option<f32> {
        let last = self.last.replace(now);
        self.tick = self.tick.wrapping_add(1);
        let elapsed = last.map(|last| now - last).filter(|elapsed| (0.0..=HUGE_QUANTUM).contains(elapsed))?;
        Some(elapsed.min(MAX_QUANTUM) as f32)
    }

    /// Updates the remote of an entity. `elapsed` is the time since the last tick, in seconds.
    fn update(&mut self, resident: &Resident, around: &Around<'_>, elapsed: Option<f32>) {
        let (id, body) = (resident.id(), resident.body());
        if self.remotes.len() <= id.slot() {
            self.remotes.resize(id.slot() + 1, Remote::NONE);
        }
        let remote = &mut self.remotes[id.slot()];
        if !is_remote(resident, around.player) {
            *remote = Remote::NONE;
            return;
        }
        let is_known = remote.is_of(id.generation()) && remote.visit(body, self.tick);
        let Some(seconds) = elapsed.filter(|_| is_known) else {
            *remote = Remote::new(id.generation(), body, self.tick);
            return;
        };
        if body.state.contains(PhysicsState::HIDDEN) {
            return remote.teleport(body);
        }
        let is_far = |remote: &Remote| {
            remote.offset_to(&body.position).length() > blip_distance(body.position.cell, false)
        };
        if (remote.take_placement(body) || !remote.is_settled()) && is_far(remote) {
            return remote.snap(body);
        }
        if remote.is_settled() && resident.entity.correction.interpolation.is_idle() && rests(resident) {
            return;
        }
        let announced = around.announced(resident, remote, seconds);
        let step = remote.step(&announced, &self.settings);
        let (to, is_in_air) = around.sweep(resident, remote, step.by, &mut self.touched);
        let to = if remote.turns_back(&to) { remote.place() } else { to };
        if !remote.arrive(&to, is_in_air, &step, &announced) {
            remote.snap(body);
        }
    }
}

/// What all remotes share in a tick.
struct Around<'a> {
    library: &'a Library,
    settings: &'a Settings,
    obstacles: WorldObstacles<'a>,
    player: Option<EntityId>,
    round_trip: f32,
}

impl Around<'_> {
    /// Returns what is known of a remote.
    fn announced<'a>(&'a self, resident: &'a Resident, remote: &Remote, seconds: f32) -> Announced<'a> {
        let entity = resident.entity();
        let order = entity.move_to.as_ref().filter(|order| order.is_under_way());
        let goal = order.filter(|order| !order.is_moving_away()).map(|order| Goal {
            offset: entity.body.position.offset_to(order.target_position()).into(),
            reach: order.arrival_distance(entity),
        });
        // The server's own messages make half the round trip. Those of a client come from as far away as the server is, as
        // far as anything is known.
        let delay = if remote.has_client() { self.round_trip } else { 0.5 * self.round_trip };
        Announced {
            body: &entity.body,
            animator: &entity.animator,
            library: self.library,
            pace: entity.body.scale * entity.pace.factor(),
            goal,
            is_ordered: order.is_some(),
            is_stuck: entity.correction.is_stuck(),
            is_idle: entity.correction.interpolation.is_idle(),
            delay,
            seconds,
        }
    }

    /// Sweeps a remote by a step through the surroundings of its body. Creatures do not block it. Returns where it ends, and
    /// whether that is in the air.
    fn sweep(
        &self,
        resident: &Resident,
        remote: &Remote,
        by: Vec3,
        touched: &mut Vec<Touch>,
    ) -> (CellPosition, bool) {
        let body = resident.body();
        if let Some(ground) = self.settings.level_ground_of(&resident.ground) {
            let is_in_air = remote.is_in_air() || !body.is_on_walkable();
            let mut to = remote.place();
            to.frame.origin += by;
            return on_plane(to, ground, resident.entity.shape.foot() * body.scale, is_in_air);
        }
        let from = remote.position();
        let mut to = from;
        to.frame.origin += by;
        let is_short = [by.x, by.y, by.z].iter().all(|length| length.abs() < MIN_STEP);
        if is_short {
            return (from, remote.is_in_air());
        }
        let entity = resident.entity();
        let mut partial = None;
        let surroundings = self.settings.surroundings_of(&resident.ground, &mut partial);
        let flags = entity.mover_flags | MoverFlags::IGNORE_CREATURES;
        let mut mover = body.mover(entity.guid, &entity.shape, flags);
        // It follows its body over an edge.
        let is_below = body.position.frame.origin.z < from.frame.origin.z - MIN_FALL;
        if is_below || !body.is_on_walkable() {
            mover.flags.remove(MoverFlags::EDGE_SLIDE);
            (mover.sliding_normal, mover.frames_stationary_fall) = (None, 0);
        }
        touched.clear();
        let sweep = surroundings.sweep(&mover, &from, &to, &self.obstacles, touched);
        match sweep.arrival.filter(|arrival| arrival.in_cell) {
            Some(arrival) => (arrival.position, !arrival.has_contact),
            None => (from, remote.is_in_air()),
        }
    }
}

/// Returns a position on the ground of a plane, or above it in the air, and whether it is in the air. `foot` is the height of
/// the lowest point of a body above its origin, in metres.
fn on_plane(
    mut to: CellPosition,
    ground: &InfinitePlane,
    foot: f32,
    is_in_air: bool,
) -> (CellPosition, bool) {
    to = if to.cell.is_outdoor() { to.adjusted_to_outside().unwrap_or(to) } else { to };
    let Plane { normal, d } = ground.seen_from(to.cell);
    let Vec3 { x, y, z } = to.frame.origin;
    let height = -(normal.x * x + normal.y * y + d) / normal.z - foot;
    let is_above = is_in_air && z > height;
    to.frame.origin.z = if is_above { z } else { height };
    (to, is_above)
}

/// Returns `true` if an entity is shown by comfort: one that can be asked to move, near enough to be updated, and not the local
/// player.
fn is_remote(resident: &Resident, player: Option<EntityId>) -> bool {
    const SPECIAL: PhysicsState = PhysicsState::MISSILE
        .union(PhysicsState::STATIC)
        .union(PhysicsState::FROZEN)
        .union(PhysicsState::SLEDDING);
    let body = resident.body();
    body.transient.contains(TransientState::ACTIVE)
        && body.flags & (BodyFlags::IN_CELL | BodyFlags::MANAGED | BodyFlags::HAS_PARENT)
            == BodyFlags::IN_CELL | BodyFlags::MANAGED
        && !body.state.intersects(SPECIAL)
        && Some(resident.id()) != player
}

/// Returns `true` if a body stands, and nothing moves it.
fn rests(resident: &Resident) -> bool {
    let body = resident.body();
    body.is_on_walkable() && body.velocity == Vec3::ZERO && body.cached_velocity == Vec3::ZERO
}

impl World {
    /// Returns how remotes are shown.
    pub fn presentation(&self) -> Presentation {
        self.settings.presentation
    }

    /// Chooses how remotes are shown from now on. Comfort starts from where they are simulated. The simulation is not
    /// affected.
    pub fn set_presentation(&mut self, presentation: Presentation) {
        self.settings.presentation = presentation;
        match (Comfort::new(presentation), &mut self.comfort) {
            // Other settings do not interrupt it.
            (Some(new), Some(comfort)) => comfort.settings = new.settings,
            (new, comfort) => *comfort = new,
        }
    }

    /// Sets the time that a message takes to the server and back, in seconds, for [comfort](Presentation::Comfort). The
    /// protocol measures it with echo requests (`docs/wire.md` 1.1). `None` if it is not known: remotes are then not shown
    /// ahead of what is known of them. Times that are not finite count as unknown, and are at most two seconds.
    pub fn set_round_trip(&mut self, seconds: Option<f64>) {
        let seconds = seconds.filter(|seconds| seconds.is_finite());
        self.round_trip = seconds.map_or(0.0, |seconds| seconds.clamp(0.0, MAX_ROUND_TRIP)) as f32;
    }

    /// Returns the position at which an entity is shown after the last tick: where comfort shows it, or where it is simulated.
    /// `None` if it does not exist. Held objects are simulated where their holders are; see [`present`](Self::present).
    pub fn shown_position(&self, id: EntityId) -> Option<CellPosition> {
        let resident = self.get(id)?;
        let remote = self.comfort.as_ref().and_then(|comfort| comfort.get(id));
        Some(remote.map_or_else(|| resident.position(), Remote::position))
    }

    /// Returns what comfort knows of an entity; `None` if it does not exist or is shown where it is simulated.
    pub fn comfort(&self, id: EntityId) -> Option<ComfortState> {
        let (resident, remote) = (self.get(id)?, self.comfort.as_ref()?.get(id)?);
        let mut known = remote.known_position();
        known.frame.origin.z = resident.position().frame.origin.z;
        Some(ComfortState {
            position: remote.position(),
            known: known.adjusted_to_outside().unwrap_or(known),
            lead: remote.lead(),
            rate: remote.rate(),
            delay: if remote.has_client() { self.round_trip } else { 0.5 * self.round_trip },
            jitter: remote.jitter(),
        })
    }

    /// Shows all remotes where they are after a tick.
    pub(super) fn update_comfort(&mut self, now: f64) {
        let Some(mut comfort) = self.comfort.take() else { return };
        let elapsed = comfort.begin_tick(now);
        let around = self.around();
        for number in 0..self.store.len().div_ceil(WORD) {
            let (word, mut passed) = (self.store.awake_word(number), 0);
            while let Some((index, bit)) = word.next(passed) {
                passed |= bit;
                if let Some(resident) = self.store.at(number * WORD + index) {
                    comfort.update(resident, &around, elapsed);
                }
            }
        }
        self.comfort = Some(comfort);
    }

    fn around(&self) -> Around<'_> {
        Around {
            library: &self.library,
            settings: &self.settings,
            obstacles: self.store.obstacles(self.settings.house_guard.as_deref()),
            player: self.player.guid().and_then(|guid| self.id_of(guid)),
            round_trip: self.round_trip,
        }
    }

    /// Calls `change` with the remote of the entity at an index, what is known of it, and the time since the last tick.
    fn change_remote(
        &mut self,
        index: usize,
        now: f64,
        change: impl FnOnce(&mut Remote, &Announced<'_>, f32),
    ) {
        let Some(mut comfort) = self.comfort.take() else { return };
        if let Some(resident) = self.store.at(index) {
            let elapsed = comfort.last.map_or(0.0, |last| (now - last).clamp(0.0, HUGE_QUANTUM)) as f32;
            if let Some(remote) = comfort.get_mut(resident.id()) {
                let around = self.around();
                let announced = around.announced(resident, remote, 0.0);
                change(remote, &announced, elapsed);
            }
        }
        self.comfort = Some(comfort);
    }

    /// Tells comfort that the entity at an index has been teleported.
    pub(super) fn comfort_teleport(&mut self, index: usize, now: f64) {
        self.change_remote(index, now, |remote, announced, _| remote.teleport(announced.body));
    }

    /// Tells comfort where the entity at an index was reported standing.
    pub(super) fn comfort_report(&mut self, index: usize, position: &CellPosition, now: f64) {
        self.change_remote(index, now, |remote, announced, elapsed| {
            remote.on_report(position, announced, elapsed);
        });
    }

    /// Tells comfort that another motion of the entity at an index has been announced, before it begins. `is_order` says
    /// whether the server ordered it.
    pub(super) fn comfort_motion(&mut self, index: usize, is_order: bool, now: f64) {
        self.change_remote(index, now, |remote, announced, _| remote.on_motion(announced, is_order));
    }
}

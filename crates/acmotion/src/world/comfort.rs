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
use crate::interior::Interior;
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

    /// Returns the remote of an entity; `None` if the entity is shown where it is simulated, such as after a tick that has not
    /// visited it.
    pub(super) fn get(&self, id: EntityId) -> Option<&Remote> {
        let remote = self.remotes.get(id.slot())?;
        (remote.is_of(id.generation()) && remote.was_visited(self.tick)).then_some(remote)
    }

    fn get_mut(&mut self, id: EntityId) -> Option<&mut Remote> {
        let remote = self.remotes.get_mut(id.slot())?;
        (remote.is_of(id.generation()) && remote.was_visited(self.tick)).then_some(remote)
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
        if self.tick == 0 {
            // What no tick visits any more must not count as visited when the count comes round.
            let unvisited = self.remotes.iter_mut().filter(|remote| !remote.was_visited(u16::MAX));
            unvisited.for_each(|remote| *remote = Remote::NONE);
        }
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
        let is_idle = resident.entity.correction.interpolation.is_idle();
        if remote.is_settled() && is_idle && rests(resident) && remote.is_turned_as(body) {
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
    // A step rarely leads into another cell.
    if to.cell.is_outdoor() && !Interior::of(to.cell).contains(&to) {
        to = to.adjusted_to_outside().unwrap_or(to);
    }
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use acmotion_dat::Assets;
    use acmotion_dat::mannequin::town::landmarks;
    use acmotion_types::{CellId, Guid, MotionCommand};

    use super::*;
    use crate::collide::Scene;
    use crate::interp::MovementParams;
    use crate::world::EntitySpec;

    const TICK: f64 = 0.034;

    fn at(x: f32, y: f32) -> CellPosition {
        CellPosition::at(CellId(0xA9B4_0001), Vec3::new(x, y, 94.0))
    }

    /// A world with comfort and a creature, after some ticks.
    fn with_creature(surroundings: bool, spec: &EntitySpec) -> World {
        let town = || Arc::new(Scene::load(&Assets::mannequin(), &Assets::town()).expect("the town loads"));
        let settings = Settings {
            presentation: Presentation::Comfort(ComfortSettings::default()),
            surroundings: surroundings.then(|| town() as _),
            ..Settings::default()
        };
        let mut world = World::with_settings(Assets::mannequin(), settings);
        world.spawn(spec, 0.0).expect("there is room");
        for tick in 1..=5 {
            world.tick(f64::from(tick) * TICK);
        }
        world
    }

    /// Where a step leads the remote of the first creature, from where it is, and whether that is in the air.
    fn sweep(world: &World, by: Vec3) -> (Vec3, bool) {
        let resident = world.find(Guid(1)).expect("it exists");
        let remote = world.comfort.as_ref().and_then(|comfort| comfort.get(resident.id())).expect("a remote");
        let (to, is_in_air) = world.around().sweep(resident, remote, by, &mut Vec::new());
        (remote.offset_to(&to), is_in_air)
    }

    fn is_near(one: Vec3, other: Vec3) -> bool {
        (one - other).length() < 1e-3
    }

    /// On level ground a step leads along the ground, or up from it, at any scale.
    #[test]
    fn a_step_on_level_ground_ends_on_the_ground_or_above_it() {
        for scale in [1.0, 3.0] {
            let spec = EntitySpec { scale, ..EntitySpec::new(Guid(1), at(12.0, 12.0)) };
            let mut world = with_creature(false, &spec);
            let (east, up) = (Vec3::new(0.3, 0.0, 0.0), Vec3::new(0.3, 0.0, 0.5));
            let (moved, is_in_air) = sweep(&world, east);
            assert!(is_near(moved, east) && !is_in_air, "{moved:?} at scale {scale}");
            let (moved, is_in_air) = sweep(&world, up);
            assert!(is_near(moved, east) && !is_in_air, "it does not fly: {moved:?}");
            world.act(Guid(1), 0.2, |actor, _| {
                actor.entity.body.transient.remove(TransientState::ON_WALKABLE)
            });
            let (moved, is_in_air) = sweep(&world, up);
            assert!(is_near(moved, up) && is_in_air, "with its body in the air it does: {moved:?}");
            let (moved, is_in_air) = sweep(&world, Vec3::new(0.3, 0.0, -0.5));
            assert!(is_near(moved, east) && !is_in_air, "but not into the ground: {moved:?}");
        }
    }

    /// The plane of the ground tells the height of the feet, in the axes of any landblock; rooms keep their cell.
    #[test]
    fn a_position_on_a_plane_has_its_height() {
        let slope = InfinitePlane::through(&at(12.0, 12.0), Vec3::new(0.0, -0.5, 1.0)).expect("it points up");
        let (to, is_in_air) = on_plane(at(12.0, 16.0), &slope, 0.25, false);
        assert!(is_near(to.frame.origin, Vec3::new(12.0, 16.0, 94.0 + 2.0 - 0.25)) && !is_in_air, "{to:?}");
        let mut above = at(12.0, 16.0);
        above.frame.origin.z = 96.0;
        let (to, is_in_air) = on_plane(above, &slope, 0.25, true);
        assert!(is_near(to.frame.origin, above.frame.origin) && is_in_air, "{to:?}");
        assert!(!on_plane(at(12.0, 16.0), &slope, 0.25, true).1, "below the ground nothing flies");
        // 4 m beyond the northern border of the landblock.
        let (to, _) = on_plane(at(12.0, 196.0), &slope, 0.0, false);
        assert_eq!(to.cell, CellId(0xA9B5_0001));
        assert!(is_near(to.frame.origin, Vec3::new(12.0, 4.0, 94.0 + 92.0)), "{to:?}");
        let room = CellPosition::at(CellId(0xA9B4_0100), Vec3::new(-5.0, 12.0, 94.0));
        let (to, _) = on_plane(room, &InfinitePlane::level(95.0), 0.5, false);
        assert_eq!((to.cell, to.frame.origin), (room.cell, Vec3::new(-5.0, 12.0, 94.5)));
        // A slope to the east, too.
        let slope =
            InfinitePlane::through(&at(12.0, 12.0), Vec3::new(-0.25, -0.5, 1.0)).expect("it points up");
        let (to, _) = on_plane(at(16.0, 14.0), &slope, 0.0, false);
        assert!(is_near(to.frame.origin, Vec3::new(16.0, 14.0, 96.0)), "{to:?}");
    }

    /// Within a cell that is so without a look at its sides.
    #[test]
    fn a_position_on_a_plane_is_in_the_cell_that_contains_it() {
        let ground = InfinitePlane::level(94.0);
        for x in 0..80 {
            for offset in [-0.06_f32, -0.04, -0.0001, 0.0, 0.0001, 0.04, 0.06, 12.0] {
                let position = at((x as f32 - 4.0) * 3.0 + offset, 36.0 - offset);
                let (to, _) = on_plane(position, &ground, 0.0, false);
                assert_eq!(Some(to), position.adjusted_to_outside(), "{position:?}");
            }
        }
    }

    /// In the town a step is swept: over the ground, along it and not through walls. What is shorter than half a millimetre
    /// is left out.
    #[test]
    fn a_step_in_the_town_is_swept() {
        let town = landmarks();
        let world = with_creature(true, &EntitySpec::new(Guid(1), town.spawn));
        let east = Vec3::new(0.3, 0.0, 0.0);
        let (moved, is_in_air) = sweep(&world, east);
        assert!(is_near(moved, east) && !is_in_air, "{moved:?}");
        let (moved, is_in_air) = sweep(&world, Vec3::new(0.0, 0.001, 0.0));
        assert!((moved.y - 0.001).abs() < 1e-4 && !is_in_air, "a millimetre: {moved:?}");
        let (moved, _) = sweep(&world, Vec3::new(0.0, 4e-4, 4e-4));
        assert_eq!(moved, Vec3::ZERO, "less than half of one");
        // A body that has left the ground flies, and is in the air.
        let mut world = world;
        world.act(Guid(1), 0.2, |actor, _| actor.entity.body.transient = TransientState::ACTIVE);
        let (moved, is_in_air) = sweep(&world, Vec3::new(0.0, 0.0, 1.0));
        assert!(moved.z > 0.9 && is_in_air, "{moved:?}");

        let mut before_wall = town.wall;
        before_wall.frame.origin.y += 0.5;
        let world = with_creature(true, &EntitySpec::new(Guid(1), before_wall));
        let mut moved = Vec3::ZERO;
        for length in 1..=8 {
            (moved, _) = sweep(&world, Vec3::new(0.0, f32::from(length as u8), 0.0));
        }
        assert!(moved.y < 2.0, "not through the wall: {moved:?}");
    }

    /// Creatures are no obstacle to what is shown.
    #[test]
    fn a_step_in_the_town_passes_creatures() {
        let spawn = landmarks().spawn;
        let mut world = with_creature(true, &EntitySpec::new(Guid(1), spawn));
        let mut ahead = spawn;
        ahead.frame.origin.y += 1.2;
        world.spawn(&EntitySpec::new(Guid(2), ahead), 0.2).expect("there is room");
        let (moved, _) = sweep(&world, Vec3::new(0.0, 0.9, 0.0));
        assert!(moved.y > 0.5, "{moved:?}");
    }

    /// A body slides along an edge and does not step over it. Its remote follows it when it has fallen more than half a metre, or
    /// is in the air.
    #[test]
    fn a_step_leads_over_an_edge_only_after_the_body() {
        let mut ledge = landmarks().ledge;
        ledge.frame.set_heading(180.0);
        let steps = |change: &dyn Fn(&mut crate::body::Body)| {
            let mut world = with_creature(true, &EntitySpec::new(Guid(1), ledge));
            world.act(Guid(1), 0.2, |actor, _| change(&mut actor.entity.body));
            let falls = (1..=12).map(|step| {
                let (moved, is_in_air) = sweep(&world, Vec3::new(0.0, -0.25 * f32::from(step as u8), 0.0));
                is_in_air || moved.z < -0.5
            });
            falls.filter(|falls| *falls).count()
        };
        let on_ledge = steps(&|_| {});
        assert_eq!(
            steps(&|body| body.position.frame.origin.z -= 0.4),
            on_ledge,
            "a little below is not fallen"
        );
        let below = steps(&|body| body.position.frame.origin.z -= 0.6);
        assert!(below > on_ledge, "with its body below: {below} steps, {on_ledge} with it on the ledge");
        let in_air = steps(&|body| body.transient.remove(TransientState::ON_WALKABLE));
        assert!(
            in_air > on_ledge,
            "with its body in the air: {in_air} steps, {on_ledge} with it on the ledge"
        );
    }

    /// Comfort shows what is active, in a cell and can be asked to move, and nothing special.
    #[test]
    fn a_remote_is_active_in_a_cell_and_moves_by_itself() {
        let spec = EntitySpec::new(Guid(1), at(12.0, 12.0));
        let world = with_creature(false, &spec);
        let resident = world.find(Guid(1)).expect("it exists");
        assert!(is_remote(resident, None));
        assert!(!is_remote(resident, Some(resident.id())), "the local player");
        let changed = |change: &dyn Fn(&mut crate::body::Body)| {
            let mut changed = resident.clone();
            change(&mut changed.entity.body);
            is_remote(&changed, None)
        };
        assert!(!changed(&|body| body.transient.remove(TransientState::ACTIVE)));
        assert!(!changed(&|body| body.flags.remove(BodyFlags::IN_CELL)));
        assert!(!changed(&|body| body.flags.remove(BodyFlags::MANAGED)));
        assert!(!changed(&|body| body.flags.insert(BodyFlags::HAS_PARENT)));
        assert!(changed(&|body| body.flags.insert(BodyFlags::AUTONOMOUS)));
        for state in
            [PhysicsState::MISSILE, PhysicsState::STATIC, PhysicsState::FROZEN, PhysicsState::SLEDDING]
        {
            assert!(!changed(&|body| body.state.insert(state)), "{state:?}");
        }
        assert!(changed(&|body| body.state.insert(PhysicsState::ETHEREAL)));
    }

    #[test]
    fn a_body_rests_if_it_stands_and_nothing_moves_it() {
        let world = with_creature(false, &EntitySpec::new(Guid(1), at(12.0, 12.0)));
        let resident = world.find(Guid(1)).expect("it exists");
        assert!(rests(resident));
        let changed = |change: &dyn Fn(&mut crate::body::Body)| {
            let mut changed = resident.clone();
            change(&mut changed.entity.body);
            rests(&changed)
        };
        assert!(!changed(&|body| body.transient.remove(TransientState::ON_WALKABLE)));
        assert!(!changed(&|body| body.velocity.z = 1.0));
        assert!(!changed(&|body| body.cached_velocity.z = 1.0));
    }

    fn shown(world: &World, guid: Guid) -> CellPosition {
        let id = world.id_of(guid).expect("it exists");
        world.comfort(id).expect("it is shown by comfort").position
    }

    /// The creature stands, and is put 150 m away at once: it is shown there with the next tick. Nearer it is not a jump.
    #[test]
    fn a_body_at_rest_that_is_placed_far_away_is_shown_there() {
        let mut world = with_creature(false, &EntitySpec::new(Guid(1), at(12.0, 12.0)));
        for tick in 6..=30 {
            world.tick(f64::from(tick) * TICK);
        }
        let id = world.id_of(Guid(1)).expect("it exists");
        assert!(world.comfort.as_ref().and_then(|comfort| comfort.get(id)).is_some_and(Remote::is_settled));
        let far = at(12.0, 162.0);
        world.act(Guid(1), 1.03, |actor, around| actor.set_position(&far, true, around));
        world.tick(31.0 * TICK);
        assert!(shown(&world, Guid(1)).distance_to(&far) < 0.01, "{:?}", shown(&world, Guid(1)));
    }

    /// An entity in the slot of another is shown where it is, from its first tick on.
    #[test]
    fn a_new_entity_in_a_used_slot_has_a_remote_of_its_own() {
        let mut world = with_creature(false, &EntitySpec::new(Guid(1), at(12.0, 12.0)));
        let old = world.id_of(Guid(1)).expect("it exists");
        world.despawn(old, 0.2);
        let new = world.spawn(&EntitySpec::new(Guid(2), at(150.0, 12.0)), 0.2).expect("there is room");
        assert_eq!(old.slot(), new.slot());
        assert!(world.comfort(new).is_none(), "not yet");
        world.tick(6.0 * TICK);
        assert!(shown(&world, Guid(2)).distance_to(&at(150.0, 12.0)) < 0.01);
        assert!(world.comfort(old).is_none());
    }

    /// What is taken in hand is no longer shown by comfort, nor is what stands still for good.
    #[test]
    fn a_held_body_has_no_remote() {
        let mut world = with_creature(false, &EntitySpec::new(Guid(1), at(12.0, 12.0)));
        let id = world.spawn(&EntitySpec::new(Guid(2), at(14.0, 12.0)), 0.2).expect("there is room");
        world.tick(6.0 * TICK);
        assert!(world.comfort(id).is_some());
        let held_by = crate::world::HeldBy { parent: Guid(1), location: 1 };
        world.set_parent(id, held_by, 0, 0.21).expect("it can be held");
        world.tick(7.0 * TICK);
        assert!(world.comfort(id).is_none());
    }

    /// Ticks are counted modulo 65,536. A frozen body that none of them visits is not shown where it once was when the count
    /// comes round.
    #[test]
    fn a_remote_that_is_not_visited_stays_away() {
        let mut world = with_creature(false, &EntitySpec::new(Guid(1), at(12.0, 12.0)));
        let id = world.id_of(Guid(1)).expect("it exists");
        assert!(world.comfort(id).is_some());
        world.act(Guid(1), 0.2, |actor, _| actor.entity.body.state.insert(PhysicsState::FROZEN));
        let mut now = 5.0 * TICK;
        for _ in 0..=u32::from(u16::MAX) + 2 {
            now += TICK;
            world.tick(now);
            assert!(world.comfort(id).is_none(), "after {now} s");
        }
    }

    /// All of a hundred remotes are shown ahead, wherever they are in the list.
    #[test]
    fn every_remote_of_a_crowd_is_shown() {
        let settings = Settings {
            presentation: Presentation::Comfort(ComfortSettings::default()),
            ..Settings::default()
        };
        let mut world = World::with_settings(Assets::mannequin(), settings);
        for number in 0..100_u8 {
            let position = at(1.5 * f32::from(number), 12.0);
            let position = position.adjusted_to_outside().expect("on the map");
            world.spawn(&EntitySpec::new(Guid(1 + u32::from(number)), position), 0.0).expect("there is room");
        }
        world.tick(TICK);
        world.tick(2.0 * TICK);
        assert!(world.entities().all(|resident| world.comfort(resident.id()).is_some()));
    }

    /// A runner of twice the size runs twice as fast and is shown twice as far ahead, with its feet on the ground. When the
    /// clock is set back, it stays there.
    #[test]
    fn a_large_runner_is_shown_ahead_by_its_own_speed() {
        let ahead = |scale: f32| {
            let spec = EntitySpec { scale, ..EntitySpec::new(Guid(1), at(12.0, 12.0)) };
            let mut world = with_creature(false, &spec);
            world.set_round_trip(Some(0.4));
            world.act(Guid(1), 0.2, |actor, _| {
                let _ = actor.do_interpreted_motion(MotionCommand::RUN_FORWARD, &MovementParams::default());
            });
            let mut now = 5.0 * TICK;
            let offset = |world: &World| {
                let own = world.find(Guid(1)).expect("it exists").position();
                own.offset_to(&shown(world, Guid(1)))
            };
            now += 4096.0;
            for _ in 0..90 {
                now += TICK;
                world.tick(now);
            }
            let before = offset(&world);
            world.tick(now - 4000.0);
            world.tick(now - 4000.0 + TICK);
            let after = offset(&world);
            assert!(
                (after.y - before.y).abs() < 0.5 * before.y,
                "{before:?}, {after:?} when the clock is set back"
            );
            before
        };
        let (usual, large) = (ahead(1.0), ahead(2.0));
        assert!(usual.y > 0.4, "{usual:?}");
        assert!((large.y / usual.y - 2.0).abs() < 0.3, "{large:?}, {usual:?}");
        assert!(usual.z.abs() < 1e-3 && large.z.abs() < 1e-3, "{large:?}, {usual:?}");
    }

    /// What is known of a body is at the height of the body, wherever it is shown.
    #[test]
    fn what_is_known_of_a_jump_is_at_the_height_of_the_body() {
        let mut world = with_creature(false, &EntitySpec::new(Guid(1), at(12.0, 12.0)));
        world.set_round_trip(Some(0.8));
        let id = world.id_of(Guid(1)).expect("it exists");
        world.set_velocity(id, Vec3::new(0.0, 0.0, 8.0), Vec3::ZERO, 0.2);
        let mut apart = 0.0_f32;
        for tick in 6..=20 {
            world.tick(f64::from(tick) * TICK);
            let state = world.comfort(id).expect("it is shown by comfort");
            let own = world.get(id).expect("it exists").position().frame.origin.z;
            assert_eq!(state.known.frame.origin.z, own);
            apart = apart.max((state.position.frame.origin.z - own).abs());
        }
        assert!(apart > 0.2, "shown ahead: {apart} m");
    }
}

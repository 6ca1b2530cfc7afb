//! Records what each method shows, in a simulation.

use acmotion::components::PhysicsState;
use acmotion::types::{CellPosition, Era, Guid, Stamp, Vec3};
use acmotion::wire::{PositionPack, S2C, decode_s2c};
use acmotion::{Event, EventKind, Matrix, MotionEvent, PartPoses, PoseInput, Resident, World};
use rustc_hash::FxHashMap;

use super::Method;
use super::baseline::Baselines;
use super::comparison::Comparison;
use super::feet::{Feet, MAX_PARTS};
use super::path::Path;
use crate::measure::Place;
use crate::simulation::Simulation;
use crate::view::{ClientId, Delivered, EventHandler, View};

/// The minimum way, in metres, of remotes that count. Those that stand are shown alike by all methods.
pub(super) const MIN_WAY: f64 = 1.0;

/// The path on which an entity is shown, and its feet.
#[derive(Default)]
pub(super) struct Track {
    pub(super) path: Path,
    feet: Feet,
}

impl Track {
    /// Adds where it is shown. `parts` are those of its pose if it is on the ground.
    fn push(&mut self, time: f64, position: &CellPosition, motion: f32, parts: Option<&[Matrix]>) {
        if self.path.was_placed {
            self.feet.lift();
        }
        self.path.push(time, position, motion);
        match parts {
            Some(parts) => self.path.smoothness.slid += f64::from(self.feet.step(position, parts)),
            None => self.feet.lift(),
        }
    }

    /// Adds where the simulated body itself is.
    fn push_body(&mut self, time: f64, resident: &Resident, world: &World) {
        let mut parts = [Matrix::IDENTITY; MAX_PARTS];
        let count = resident.pose(world.library(), &mut parts);
        let parts = resident.body().is_on_walkable().then_some(&parts[..count]);
        self.push(time, &resident.position(), speed_of_motion(resident, world), parts);
    }
}

/// What each method shows of one remote.
#[derive(Default)]
pub(super) struct Watched {
    pub(super) baselines: Baselines,
    /// By method.
    pub(super) tracks: [Track; Method::ALL.len()],
    /// The newest position and teleport stamps.
    stamps: Option<(Stamp, Stamp)>,
    /// Whether the original has snapped the simulated body since the last tick.
    has_snapped: bool,
}

impl Watched {
    /// Records what methods show after a tick. Nothing is shown of a hidden entity.
    pub(super) fn tick(&mut self, time: f64, resident: &Resident, world: &World, methods: &[Method]) {
        let body = resident.body();
        let has_snapped = std::mem::take(&mut self.has_snapped);
        let baselines = self.baselines.tick(resident, world.library(), time);
        let motion = speed_of_motion(resident, world);
        let mut parts = [Matrix::IDENTITY; MAX_PARTS];
        let pose = |position: &CellPosition, parts: &mut [Matrix]| {
            let (sequence, scale) = (resident.entity().animator.sequence(), Vec3::ONE * body.scale);
            PoseInput { sequence, frame: &position.frame, scale }.matrices(world.library(), parts)
        };
        for method in methods {
            let (position, count) = match method {
                Method::Faithful => (body.position, pose(&body.position, &mut parts)),
                Method::Snap => (baselines.snap, pose(&baselines.snap, &mut parts)),
                Method::Interpolate => (baselines.interpolate, pose(&baselines.interpolate, &mut parts)),
                Method::DeadReckon => (baselines.dead_reckon, pose(&baselines.dead_reckon, &mut parts)),
                Method::Comfort | Method::Behind => {
                    let Some(shown) = world.present(resident.id(), 1.0, PartPoses::Smooth) else { continue };
                    (*shown.position(), shown.matrices(shown.position().cell, &mut parts))
                }
            };
            let parts = body.is_on_walkable().then_some(&parts[..count]);
            let track = &mut self.tracks[*method as usize];
            // Comfort blends most of the original's snaps away. Where it is shown at the body at once, it goes along with one.
            let is_at_body = Place::new(&position) == Place::new(&body.position);
            let is_comfort = matches!(method, Method::Comfort | Method::Behind);
            track.path.was_placed |= has_snapped && is_comfort && is_at_body;
            track.push(time, &position, motion, parts);
        }
    }

    /// Notes that the simulated body was placed somewhere: by a teleport, which all methods show, or by a snap of the
    /// original, with which comfort may go along.
    pub(super) fn on_placed(&mut self, is_teleport: bool) {
        self.has_snapped |= !is_teleport;
        for (index, track) in self.tracks.iter_mut().enumerate() {
            track.path.was_placed |= is_teleport || index == Method::Faithful as usize;
        }
    }
}

/// Returns how fast the motion that plays carries a body over the ground, in metres a second.
fn speed_of_motion(resident: &Resident, world: &World) -> f32 {
    let body = resident.body();
    let velocity = if body.is_on_walkable() {
        resident.entity().animator.sequence().root_velocity(world.library()) * body.scale
    } else {
        body.velocity
    };
    Vec3 { z: 0.0, ..velocity }.length()
}

/// Returns `true` if an entity is shown at all.
pub(super) fn is_shown(resident: &Resident) -> bool {
    let body = resident.body();
    body.is_in_cell() && !body.state.contains(PhysicsState::HIDDEN)
}

/// Returns whether an event is a placement, and whether that is a teleport.
pub(super) fn placement(event: &Event) -> Option<bool> {
    match event.kind {
        EventKind::Motion(MotionEvent::Snapped { .. }) => Some(false),
        EventKind::Motion(MotionEvent::Teleported { .. }) => Some(true),
        _ => None,
    }
}

/// Records what methods show of every player and creature. Pass it to [`Simulation::step`].
pub struct MethodRecorder {
    methods: Vec<Method>,
    /// The views that are the truth about players and creatures.
    owners: FxHashMap<Guid, View>,
    truth: FxHashMap<Guid, Track>,
    watched: FxHashMap<(ClientId, Guid), Watched>,
}

impl MethodRecorder {
    /// Creates a recorder of some methods for a simulation that has not begun. Of those that the engine has, clients must
    /// [present](Simulation::set_presentation) remotes by the one that is not the original's.
    pub fn new(simulation: &Simulation, methods: &[Method]) -> Self {
        let players = simulation.clients().iter().filter(|client| !client.is_observer());
        let players = players.map(|client| (client.guid(), View::Client(client.id())));
        let creatures = simulation.server().objects().iter().map(|object| (object.guid, View::Server));
        Self {
            methods: methods.to_vec(),
            owners: players.chain(creatures).collect(),
            truth: FxHashMap::default(),
            watched: FxHashMap::default(),
        }
    }

    /// Returns what was found. Entities that hardly move do not count.
    pub fn finish(&self, simulation: &Simulation) -> Comparison {
        let mut found = Comparison::default();
        let mut guids: Vec<Guid> = self.truth.keys().copied().collect();
        guids.sort_unstable();
        for guid in guids {
            let truth = &self.truth[&guid].path;
            let way = truth.length();
            if way < MIN_WAY {
                continue;
            }
            let mut views = 0;
            for client in simulation.clients() {
                let Some(watched) = self.watched.get(&(client.id(), guid)) else { continue };
                views += 1;
                let delay = simulation.delay(View::Client(client.id()), guid);
                for method in &self.methods {
                    let path = &watched.tracks[*method as usize].path;
                    let tally = found.tally(*method);
                    for (time, place) in &path.samples {
                        let distance = |time: f64| Some(truth.at(time)?.offset_to(place).length());
                        tally.errors.extend(distance(*time));
                        tally.delayed.extend(distance(time - delay));
                    }
                    tally.smoothness.merge(&path.smoothness);
                }
            }
            if self.methods.contains(&Method::Faithful) {
                found.add_truth(&truth.smoothness, way, views);
            }
        }
        found
    }

    fn on_report(&mut self, client: ClientId, guid: Guid, pack: &PositionPack, now: f64) {
        if self.owners.get(&guid).is_none_or(|owner| *owner == View::Client(client)) {
            return;
        }
        let watched = self.watched.entry((client, guid)).or_default();
        let (is_fresh, is_teleport) = match watched.stamps {
            Some((position, teleport)) => {
                (pack.position_stamp.is_newer_than(position), pack.teleport.is_newer_than(teleport))
            }
            None => (true, false),
        };
        if !is_fresh {
            return;
        }
        watched.stamps = Some((pack.position_stamp, pack.teleport));
        if is_teleport {
            watched.baselines.on_teleport(pack.position, now);
        } else {
            watched.baselines.on_report(pack.position, now);
        }
    }
}

impl EventHandler for MethodRecorder {
    fn on_tick(&mut self, view: View, world: &World, now: f64) {
        for resident in world.entities().filter(|resident| is_shown(resident)) {
            let guid = resident.guid();
            let Some(owner) = self.owners.get(&guid) else { continue };
            if *owner == view {
                self.truth.entry(guid).or_default().push_body(now, resident, world);
            } else if let View::Client(client) = view {
                let watched = self.watched.entry((client, guid)).or_default();
                watched.tick(now, resident, world, &self.methods);
            }
        }
    }

    fn on_event(&mut self, view: View, event: &Event, _world: &World) {
        let Some(is_teleport) = placement(event) else { return };
        if self.owners.get(&event.guid) == Some(&view) {
            self.truth.entry(event.guid).or_default().path.was_placed = true;
        } else if let View::Client(client) = view {
            self.watched.entry((client, event.guid)).or_default().on_placed(is_teleport);
        }
    }

    fn on_delivered(&mut self, message: &Delivered<'_>) {
        let View::Client(client) = message.to else { return };
        match decode_s2c(message.bytes, Era::default()) {
            Ok(S2C::UpdatePosition(report)) => {
                self.on_report(client, report.guid, &report.pack, message.time);
            }
            Ok(S2C::PositionAndMovement(report)) => {
                self.on_report(client, report.guid, &report.pack, message.time);
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use acmotion::dat::Assets;
    use acmotion::types::CellId;
    use acmotion::wire::UpdatePosition;
    use acmotion::{ComfortSettings, Presentation};

    use super::*;

    const GUID: Guid = Guid(0x5000_0001);

    fn at(y: f32) -> CellPosition {
        CellPosition::at(CellId(0xA9B4_0001), Vec3::new(12.0, y, 94.0)).adjusted_to_outside().unwrap()
    }

    /// Returns the greatest jump by which comfort shows a body that stands at 12 m and is then reported elsewhere.
    fn jump(reported: f32, is_told_of_snaps: bool) -> f32 {
        let mut world = World::new(Assets::mannequin());
        world.set_presentation(Presentation::Comfort(ComfortSettings::default()));
        let id = world.add_stand_in(GUID, &at(12.0), 0.0);
        let mut watched = Watched::default();
        for tick in 1..=40 {
            let now = f64::from(tick) * 0.034;
            if tick == 10 {
                let pack = PositionPack { position_stamp: Stamp(1), ..PositionPack::grounded(at(reported)) };
                world.receive(&S2C::from(UpdatePosition { guid: GUID, pack }).to_bytes(), now).unwrap();
            }
            world.tick(now);
            for is_teleport in world.drain_events().filter_map(|event| placement(&event)) {
                if is_told_of_snaps {
                    watched.on_placed(is_teleport);
                }
            }
            watched.tick(now, world.get(id).unwrap(), &world, &[Method::Comfort]);
        }
        watched.tracks[Method::Comfort as usize].path.smoothness.jump
    }

    /// Beyond 100 m the original snaps, and comfort goes along. Nearer than that comfort must not jump.
    #[test]
    fn comfort_that_goes_along_with_a_snap_of_the_original_does_not_jump() {
        assert!(jump(150.0, false) > 100.0, "it is shown there at once");
        assert!(jump(150.0, true) < 0.05, "that is no jump");
        assert!(jump(52.0, true) < 0.05, "it goes there");
    }
}

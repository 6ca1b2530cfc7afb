//! Records what each method shows in a simulation.

use acmotion::components::PhysicsState;
use acmotion::types::{CellPosition, Era, Guid, Stamp, Vec3};
use acmotion::wire::{PositionPack, S2C, decode_s2c};
use acmotion::{Event, EventKind, Matrix, MotionEvent, PartPoses, PoseInput, Resident, World};
use rustc_hash::FxHashMap;

use super::baseline::Baselines;
use super::comparison::Comparison;
use super::feet::{Feet, MAX_PARTS};
use super::path::Path;
use super::Method;
use crate::simulation::Simulation;
use crate::view::{ClientId, Delivered, EventHandler, View};

/// What each method shows of one entity in one view.
#[derive(Default)]
struct Watched {
    baselines: Baselines,
    stamps: Option<(Stamp, Stamp)>,
    shown: [Track; Method::ALL.len()],
    snaps: u64,
}

#[derive(Default)]
struct Track {
    path: Path,
    feet: Feet,
}

impl Track {
    fn push(&mut self, time: f64, position: &CellPosition, motion: f32, parts: Option<&[Matrix]>, label: &str) {
        if self.path.was_placed {
            self.feet.lift();
        }
        self.path.push(time, position, motion);
        match parts {
            Some(parts) => {
                let slid = f64::from(self.feet.step(position, parts));
                self.path.smoothness.slid += slid;
                if slid > 0.01 && std::env::var_os("SLIDE").is_some() {
                    eprintln!("SLIDE {label} {time:.3} {slid:.3} motion {motion:.2} h{:.0}", position.frame.heading());
                }
                if motion < 0.3 {
                    self.path.smoothness.slid_still += slid;
                }
            }
            None => self.feet.lift(),
        }
    }

    fn place(&mut self) {
        self.path.was_placed = true;
    }
}

/// Records what each method shows of every player and creature. Pass it to [`Simulation::step`], whose clients must show
/// remotes by comfort.
#[derive(Default)]
pub struct MethodRecorder {
    truth: FxHashMap<Guid, Track>,
    watched: FxHashMap<(ClientId, Guid), Watched>,
    /// The views that are the truth about players and creatures.
    owners: FxHashMap<Guid, View>,
}

impl MethodRecorder {
    /// Creates a recorder of a simulation that has not begun.
    pub fn new(simulation: &Simulation) -> Self {
        let clients = simulation.clients().iter().filter(|client| !client.is_observer());
        let players = clients.map(|client| (client.guid(), View::Client(client.id())));
        let creatures = simulation.server().objects().iter().map(|object| (object.guid, View::Server));
        Self { owners: players.chain(creatures).collect(), ..Self::default() }
    }

    /// Returns what was found.
    pub fn finish(&self, simulation: &Simulation) -> Comparison {
        let mut found = Comparison::default();
        let mut keys: Vec<_> = self.watched.keys().copied().collect();
        keys.sort_unstable();
        let mut guids: Vec<Guid> = Vec::new();
        for key in keys {
            let (Some(watched), Some(truth)) = (self.watched.get(&key), self.truth.get(&key.1)) else { continue };
            let way = way(&truth.path);
            if way < MIN_WAY {
                continue;
            }
            if !guids.contains(&key.1) {
                guids.push(key.1);
                found.truth.merge(&truth.path.smoothness);
                found.truth_way += way;
            }
            found.way += way;
            let delay = simulation.delay(View::Client(key.0), key.1);
            for (tally, track) in found.methods.iter_mut().zip(&watched.shown) {
                for (time, place) in &track.path.samples {
                    let distance = |time: f64| Some(truth.path.at(time)?.offset_to(place).length());
                    let Some(error) = distance(*time) else { continue };
                    tally.errors.push(error);
                    tally.delayed.extend(distance(time - delay));
                }
                tally.smoothness.merge(&track.path.smoothness);
            }
            found.methods[Method::Faithful as usize].snaps += watched.snaps;
        }
        found
    }
}

/// The minimum way, in metres, of entities that count. Those that stand are shown alike by all methods.
const MIN_WAY: f64 = 1.0;

fn way(path: &Path) -> f64 {
    let steps = path.samples.windows(2).map(|pair| {
        let step = Vec3 { z: 0.0, ..pair[0].1.offset_to(&pair[1].1) };
        f64::from(step.length())
    });
    // What is longer was placed.
    steps.filter(|step| *step < 2.0).sum()
}

fn motion(resident: &Resident, world: &World) -> f32 {
    let body = resident.body();
    if body.is_on_walkable() {
        let root = resident.entity().animator.sequence().root_velocity(world.library());
        Vec3 { z: 0.0, ..root }.length() * body.scale
    } else {
        Vec3 { z: 0.0, ..body.velocity }.length()
    }
}

impl EventHandler for MethodRecorder {
    fn on_tick(&mut self, view: View, world: &World, now: f64) {
        let mut parts = [Matrix::IDENTITY; MAX_PARTS];
        for resident in world.entities() {
            let guid = resident.guid();
            let Some(owner) = self.owners.get(&guid) else { continue };
            let body = resident.body();
            if !body.is_in_cell() || body.state.contains(PhysicsState::HIDDEN) {
                continue;
            }
            let motion = motion(resident, world);
            let is_grounded = body.is_on_walkable();
            if *owner == view {
                let count = resident.pose(world.library(), &mut parts);
                let parts = is_grounded.then_some(&parts[..count]);
                self.truth.entry(guid).or_default().push(now, &body.position, motion, parts, "truth");
                continue;
            }
            let View::Client(client) = view else { continue };
            let watched = self.watched.entry((client, guid)).or_default();
            let [snap, between, reckoned] = watched.baselines.tick(resident, world.library(), now);
            let comfort = world.present(resident.id(), 1.0, PartPoses::Smooth);
            for method in Method::ALL {
                let (position, count) = match (method, &comfort) {
                    (Method::Comfort, Some(presented)) => {
                        (*presented.position(), presented.matrices(presented.position().cell, &mut parts))
                    }
                    _ => {
                        let position = match method {
                            Method::Snap => snap,
                            Method::Interpolate => between,
                            Method::DeadReckon => reckoned,
                            Method::Faithful | Method::Comfort => body.position,
                        };
                        let sequence = resident.entity().animator.sequence();
                        let scale = Vec3::ONE * body.scale;
                        let input = PoseInput { sequence, frame: &position.frame, scale };
                        (position, input.matrices(world.library(), &mut parts))
                    }
                };
                let parts = is_grounded.then_some(&parts[..count]);
                watched.shown[method as usize].push(now, &position, motion, parts, method.name());
            }
        }
    }

    fn on_event(&mut self, view: View, event: &Event, _world: &World) {
        let EventKind::Motion(motion) = event.kind else { return };
        let (is_snap, is_teleport) =
            (matches!(motion, MotionEvent::Snapped { .. }), matches!(motion, MotionEvent::Teleported { .. }));
        if !is_snap && !is_teleport {
            return;
        }
        if self.owners.get(&event.guid) == Some(&view) {
            self.truth.entry(event.guid).or_default().place();
        } else if let View::Client(client) = view {
            let watched = self.watched.entry((client, event.guid)).or_default();
            watched.snaps += u64::from(is_snap);
            for (index, track) in watched.shown.iter_mut().enumerate() {
                if is_teleport || index == Method::Faithful as usize {
                    track.place();
                }
            }
        }
    }

    fn on_delivered(&mut self, message: &Delivered<'_>) {
        let View::Client(client) = message.to else { return };
        let Ok(decoded) = decode_s2c(message.bytes, Era::default()) else { return };
        match &decoded {
            S2C::UpdatePosition(report) => self.on_report(client, report.guid, &report.pack, message.time),
            S2C::PositionAndMovement(report) => self.on_report(client, report.guid, &report.pack, message.time),
            _ => {}
        }
    }
}

impl MethodRecorder {
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
        if is_fresh {
            watched.stamps = Some((pack.position_stamp, pack.teleport));
            watched.baselines.on_report(pack.position, is_teleport, now);
        }
    }
}

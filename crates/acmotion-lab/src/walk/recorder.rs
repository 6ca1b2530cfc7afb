//! Records a simulation: the truth about every entity, and what each client shows of the others.

use std::collections::{BTreeSet, HashMap};

use acmotion::World;
use acmotion::types::{Guid, Vec3};
use acmotion_sim::scenario::CreatureKind;
use acmotion_sim::{Client, ClientId, Simulation, View as WorldView};

use super::buffer::TickBuffer;
use super::town::Town;
use super::{OBSERVED, TRUTH};
use crate::record::{
    Body, BodyFlags, BodyKey, BodyObserver, EntityInfo, EntityKind, EventRecord, SharedTimeline,
    Surroundings, Tick, View, Witness, explanation_json, read, write,
};
use crate::values::Origin;

/// The maximum number of bodies that are all explained. With more, only the player and the selected body are.
const MAX_EXPLAINED: usize = 48;
/// The maximum number of client frames to wait for a tick.
const MAX_FRAMES: u32 = 4096;

/// Writes the ticks of a simulation to a timeline.
#[derive(Clone)]
pub(crate) struct Recorder {
    pub(super) buffer: TickBuffer,
    observer: BodyObserver,
    /// The clients whose views are shown beside the truth: the first is view 1.
    views: Vec<ClientId>,
    /// The view of what the client of view 1 shows with comfort; `None` if it is not recorded.
    comfort: Option<View>,
    /// The client whose ticks are recorded.
    pacer: ClientId,
    origin: Origin,
    /// The number of the last tick.
    number: u32,
    /// The bodies that are explained.
    explained: BTreeSet<BodyKey>,
}

impl Recorder {
    /// Creates a recorder that shows the views of `views` and ticks with `pacer`.
    pub(crate) fn new(views: Vec<ClientId>, pacer: ClientId, origin: Origin) -> Self {
        Self {
            buffer: TickBuffer::new(pacer),
            observer: BodyObserver::default(),
            views,
            comfort: None,
            pacer,
            origin,
            number: 0,
            explained: BTreeSet::new(),
        }
    }

    /// Records what the client of view 1 shows with comfort, too, as another view. It must
    /// [present](Simulation::set_presentation) remotes so.
    pub(super) fn with_comfort(self, view: View) -> Self {
        Self { comfort: Some(view), ..self }
    }

    /// Returns the number of the last tick.
    pub(super) fn tick(&self) -> u32 {
        self.number
    }

    /// Simulates up to the next tick and records it. Returns its time.
    pub(crate) fn advance(
        &mut self,
        simulation: &mut Simulation,
        timeline: &SharedTimeline,
        selected: Option<BodyKey>,
    ) -> f64 {
        for _ in 0..MAX_FRAMES {
            let due = simulation.next_frame();
            simulation.step(due, &mut self.buffer);
            if self.buffer.take_ticked() {
                self.record(simulation, timeline, selected, due);
                return due;
            }
        }
        simulation.now()
    }

    fn record(
        &mut self,
        simulation: &mut Simulation,
        timeline: &SharedTimeline,
        selected: Option<BodyKey>,
        now: f64,
    ) {
        self.number += 1;
        let number = self.number;
        let reported = self.buffer.take_events();
        let shown = |(world, event): (WorldView, EventRecord)| {
            let view = self.view_of(simulation, world, event.guid.guid())?;
            Some(event.stamp(number, view))
        };
        let events: Box<[EventRecord]> = reported.into_iter().filter_map(shown).collect();
        let player = simulation.client(self.pacer).map(Client::guid).unwrap_or_default();
        let mut bodies = self.bodies(simulation, now, &events);
        mark_player_and_errors(&mut bodies, player);
        self.list_entities(simulation, timeline, &bodies);
        let explanations = self.explanations(simulation, &bodies, player, selected);
        let charge =
            simulation.controls(self.pacer).and_then(|controls| controls.jump_power(now)).unwrap_or(-1.0);
        let mut timeline = write(timeline);
        self.buffer.take_messages(number, &mut timeline.messages);
        let messages_end = timeline.messages.end();
        timeline.push(Tick {
            number,
            t: now,
            charge,
            bodies: bodies.into(),
            events,
            explanations,
            messages_end,
        });
    }

    fn bodies(&mut self, simulation: &Simulation, now: f64, events: &[EventRecord]) -> Vec<Body> {
        let clients = simulation.clients().iter().map(|client| WorldView::Client(client.id()));
        let mut bodies = Vec::new();
        for world_view in std::iter::once(WorldView::Server).chain(clients) {
            let Some(world) = simulation.world(world_view) else { continue };
            for resident in world.entities() {
                let guid = resident.guid();
                if let Some(view) = self.view_of(simulation, world_view, guid) {
                    let key = BodyKey { guid, view };
                    let body = self.observer.body(now, key, resident, world.library(), self.origin, events);
                    bodies.push(body);
                    if let Some(view) = self.comfort.filter(|_| view == OBSERVED) {
                        let key = BodyKey { guid, view };
                        bodies.extend(self.observer.shown(now, key, &body, world, self.origin));
                    }
                }
            }
        }
        self.observer.forget(now);
        bodies
    }

    /// Returns the view in which an entity of a world is shown, or `None` if it is not shown.
    fn view_of(&self, simulation: &Simulation, world: WorldView, guid: Guid) -> Option<View> {
        let owner = simulation.server().owner_of(guid).unwrap_or(guid);
        let own = simulation.clients().iter().find(|client| client.guid() == owner);
        if own.is_some_and(Client::is_observer) {
            return None;
        }
        if world == own.map_or(WorldView::Server, |client| WorldView::Client(client.id())) {
            return Some(TRUTH);
        }
        let WorldView::Client(client) = world else { return None };
        let index = self.views.iter().position(|view| *view == client)?;
        View::try_from(index + 1).ok()
    }

    fn is_comfort(&self, key: BodyKey) -> bool {
        Some(key.view) == self.comfort
    }

    /// Returns the world of a body.
    fn world_view(&self, simulation: &Simulation, key: BodyKey) -> WorldView {
        let view = if self.is_comfort(key) { OBSERVED } else { key.view };
        let client = usize::from(view).checked_sub(1).and_then(|index| self.views.get(index));
        client.map_or_else(|| simulation.truth_view(key.guid), |client| WorldView::Client(*client))
    }

    fn world<'s>(&self, simulation: &'s Simulation, key: BodyKey) -> Option<&'s World> {
        simulation.world(self.world_view(simulation, key))
    }

    /// Returns the serialised explanations of all bodies, or of the player and the selected body if there are too many.
    fn explanations(
        &mut self,
        simulation: &mut Simulation,
        bodies: &[Body],
        player: Guid,
        selected: Option<BodyKey>,
    ) -> Box<[(BodyKey, Box<str>)]> {
        let all = bodies.iter().filter(|body| !self.is_comfort(body.key)).count() <= MAX_EXPLAINED;
        let mut list = Vec::new();
        for Body { key, error, .. } in bodies {
            if !(all || key.guid == player || Some(*key) == selected) {
                continue;
            }
            if self.explained.insert(*key) {
                let world = self.world_view(simulation, *key);
                simulation.explain(world, key.guid, true);
            }
            if let Some(world) = self.world(simulation, *key)
                && let Some(resident) = world.find(key.guid)
            {
                let around = Surroundings { origin: self.origin, has_land: true };
                let witness = Witness { now: simulation.now(), error: *error, reports: None, messages: &[] };
                let explanation = explanation_json(resident, world.library(), around, witness);
                list.push((*key, explanation.into()));
            }
        }
        list.into()
    }

    /// Adds the entities that are new, or were attached or detached, to the timeline's list.
    fn list_entities(&self, simulation: &Simulation, timeline: &SharedTimeline, bodies: &[Body]) {
        let new: Vec<&Body> = {
            let timeline = read(timeline);
            bodies.iter().filter(|body| !timeline.entities.is_current(body.key, body.parent)).collect()
        };
        for body in new {
            let info = self.entity_info(simulation, body);
            write(timeline).entities.update(body.key, &info);
        }
    }

    fn entity_info(&self, simulation: &Simulation, body: &Body) -> EntityInfo {
        let guid = body.key.guid;
        let name = simulation.name_of(guid).unwrap_or_default();
        let object = simulation.server().objects().iter().find(|object| object.guid == guid);
        let kind = match object.map(|object| (object.kind, object.client())) {
            Some((_, Some(_))) => EntityKind::Player,
            Some((CreatureKind::Door, _)) => EntityKind::Door,
            None if simulation.server().is_missile(guid) => EntityKind::Missile,
            None => EntityKind::Object,
            _ if Town::is_walker(name) => EntityKind::Crowd,
            _ => EntityKind::Creature,
        };
        let table = self.world(simulation, body.key).and_then(|world| {
            let table = world.find(guid)?.entity().animator.table()?;
            Some(world.library().table(table).id())
        });
        EntityInfo {
            name: name.into(),
            kind,
            setup: body.setup,
            table: table.unwrap_or_default(),
            stand_in: body.flags.contains(BodyFlags::STAND_IN),
            parent: body.parent,
        }
    }
}

/// Flags the player's bodies, and sets how far the bodies of other views are from the truth.
fn mark_player_and_errors(bodies: &mut [Body], player: Guid) {
    let truths: HashMap<Guid, Vec3> = bodies
        .iter()
        .filter(|body| body.key.view == TRUTH)
        .map(|body| (body.key.guid, body.position))
        .collect();
    for body in bodies {
        body.flags.set(BodyFlags::PLAYER, body.key.guid == player);
        if body.key.view != TRUTH
            && let Some(truth) = truths.get(&body.key.guid)
        {
            body.error = (body.position - *truth).length();
        }
    }
}

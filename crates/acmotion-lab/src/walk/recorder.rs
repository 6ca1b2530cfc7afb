//! From a simulation onto a tape: the truth about everybody, and what each client shows of the others.

use std::collections::{BTreeSet, HashMap};

use acmotion::World;
use acmotion::types::Guid;
use acmotion_sim::{Client, ClientId, Simulation, View as Eyes};

use super::notebook::Notebook;
use super::town::Town;
use crate::record::{Body, BodyFlags, Event, Key, Kind, Person, Tick, View, Watcher, why};
use crate::session::{SharedTape, read, write};
use crate::values::Origin;

/// The truth about a body: a player's own client about him, the server about all others.
pub(super) const TRUTH: View = 0;
/// With more bodies than this, why they move is only kept of the player and of whom the page has selected.
const MOST_EXPLAINED: usize = 48;
/// So many frames without a tick, and nobody waits for one any more.
const MOST_FRAMES: u32 = 4096;

/// Writes down what a simulation does.
pub(crate) struct Recorder {
    pub(super) notebook: Notebook,
    watcher: Watcher,
    /// Whose views are shown beside the truth: the first is view 1.
    views: Vec<ClientId>,
    /// Whose ticks are the tape's.
    pacer: ClientId,
    origin: Origin,
    number: u32,
    /// Whose explanations are kept.
    explained: BTreeSet<Key>,
}

impl Recorder {
    /// One that shows the views of these clients, and ticks with that one.
    pub(crate) fn new(views: Vec<ClientId>, pacer: ClientId, origin: Origin) -> Self {
        Self {
            notebook: Notebook::new(pacer),
            watcher: Watcher::default(),
            views,
            pacer,
            origin,
            number: 0,
            explained: BTreeSet::new(),
        }
    }

    /// The next tick, and everything before it; when it was.
    pub(crate) fn advance(
        &mut self,
        simulation: &mut Simulation,
        tape: &SharedTape,
        selected: Option<Key>,
    ) -> f64 {
        for _ in 0..MOST_FRAMES {
            let due = simulation.next_frame();
            simulation.step(due, &mut self.notebook);
            if self.notebook.take_ticked() {
                self.record(simulation, tape, selected, due);
                return due;
            }
        }
        simulation.now()
    }

    fn record(&mut self, simulation: &mut Simulation, tape: &SharedTape, selected: Option<Key>, now: f64) {
        self.number += 1;
        let number = self.number;
        let happened = self.notebook.take_events();
        let shown = |(eyes, event): (Eyes, Event)| {
            let view = self.view_of(simulation, eyes, event.key.guid)?;
            Some(event.stamp(number, view))
        };
        let events: Box<[Event]> = happened.into_iter().filter_map(shown).collect();
        let player = simulation.client(self.pacer).map(Client::guid).unwrap_or_default();
        let mut bodies = self.bodies(simulation, now, &events);
        mark(&mut bodies, player);
        note_people(simulation, tape, &bodies, self);
        let why = self.whys(simulation, &bodies, player, selected);
        let charge =
            simulation.controls(self.pacer).and_then(|controls| controls.jump_power(now)).unwrap_or(-1.0);
        let mut tape = write(tape);
        self.notebook.take_letters(number, &mut tape.mail);
        let mail_end = tape.mail.end();
        tape.push(Tick { number, t: now, charge, bodies: bodies.into(), events, why, mail_end });
    }

    fn bodies(&mut self, simulation: &Simulation, now: f64, events: &[Event]) -> Vec<Body> {
        let clients = simulation.clients().iter().map(|client| Eyes::Client(client.id()));
        let mut bodies = Vec::new();
        for eyes in std::iter::once(Eyes::Server).chain(clients) {
            let Some(world) = simulation.world(eyes) else { continue };
            for resident in world.entities() {
                let guid = resident.guid();
                if let Some(view) = self.view_of(simulation, eyes, guid) {
                    let key = Key { guid, view };
                    bodies.push(self.watcher.body(now, key, resident, world.library(), self.origin, events));
                }
            }
        }
        self.watcher.forget(now);
        bodies
    }

    /// As which view somebody in a world is shown; not at all if nobody is meant to see him there.
    fn view_of(&self, simulation: &Simulation, eyes: Eyes, guid: Guid) -> Option<View> {
        let own = simulation.clients().iter().find(|client| client.guid() == guid);
        if own.is_some_and(Client::is_observer) {
            return None;
        }
        if eyes == own.map_or(Eyes::Server, |client| Eyes::Client(client.id())) {
            return Some(TRUTH);
        }
        let Eyes::Client(client) = eyes else { return None };
        let place = self.views.iter().position(|view| *view == client)?;
        View::try_from(place + 1).ok()
    }

    /// Whose world a body of a view is in.
    fn eyes(&self, simulation: &Simulation, key: Key) -> Eyes {
        let client = usize::from(key.view).checked_sub(1).and_then(|place| self.views.get(place));
        client.map_or_else(|| simulation.truth_view(key.guid), |client| Eyes::Client(*client))
    }

    fn world<'s>(&self, simulation: &'s Simulation, key: Key) -> Option<&'s World> {
        simulation.world(self.eyes(simulation, key))
    }

    /// Why bodies moved as they did: all, or of too many the player and who is selected.
    fn whys(
        &mut self,
        simulation: &mut Simulation,
        bodies: &[Body],
        player: Guid,
        selected: Option<Key>,
    ) -> Box<[(Key, Box<str>)]> {
        let all = bodies.len() <= MOST_EXPLAINED;
        let mut list = Vec::new();
        for Body { key, error, .. } in bodies {
            if !(all || key.guid == player || Some(*key) == selected) {
                continue;
            }
            if !self.explained.contains(key) {
                let eyes = self.eyes(simulation, *key);
                simulation.explain(eyes, key.guid, true);
                self.explained.insert(*key);
            }
            if let Some(world) = self.world(simulation, *key)
                && let Some(resident) = world.find(key.guid)
            {
                let why = why(resident, world.library(), self.origin, *error);
                list.push((*key, why.to_string().into()));
            }
        }
        list.into()
    }
}

/// Who is the player, and how far everybody is shown from where he is.
fn mark(bodies: &mut [Body], player: Guid) {
    let truths: HashMap<Guid, _> =
        bodies.iter().filter(|body| body.key.view == TRUTH).map(|body| (body.key.guid, body.place)).collect();
    for body in bodies {
        body.flags.set(BodyFlags::PLAYER, body.key.guid == player);
        if body.key.view != TRUTH
            && let Some(truth) = truths.get(&body.key.guid)
        {
            body.error = (body.place - *truth).length();
        }
    }
}

/// Whoever is there for the first time is put on the roster.
fn note_people(simulation: &Simulation, tape: &SharedTape, bodies: &[Body], recorder: &Recorder) {
    let new: Vec<&Body> = {
        let tape = read(tape);
        bodies.iter().filter(|body| !tape.knows(body.key)).collect()
    };
    for body in new {
        let person = person(simulation, body, recorder);
        write(tape).roster.note(body.key, &person);
    }
}

fn person(simulation: &Simulation, body: &Body, recorder: &Recorder) -> Person {
    let guid = body.key.guid;
    let name = simulation.name_of(guid).unwrap_or_default();
    let thing = simulation.server().objects().iter().find(|thing| thing.guid == guid);
    let kind = match thing.map(|thing| (thing.kind, thing.client())) {
        Some((_, Some(_))) => Kind::Player,
        Some((acmotion_sim::scenario::CreatureKind::Door, _)) => Kind::Door,
        _ if Town::is_crowd(name) => Kind::Crowd,
        _ => Kind::Creature,
    };
    let table = recorder.world(simulation, body.key).and_then(|world| {
        let table = world.find(guid)?.entity().animator.table()?;
        Some(world.library().table(table).id())
    });
    Person {
        name: name.into(),
        kind,
        setup: body.setup,
        table: table.unwrap_or_default(),
        stand_in: body.flags.contains(BodyFlags::STAND_IN),
        parent: body.parent,
    }
}

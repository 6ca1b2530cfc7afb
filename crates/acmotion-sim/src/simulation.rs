//! A scenario that runs: the server, its clients, and the network between them.

use std::collections::VecDeque;
use std::sync::Arc;

use acmotion::dat::{Assets, mannequin};
use acmotion::scene::Scene;
use acmotion::types::Guid;
use acmotion::{Controls, Event, Presentation, Resident, World};

use crate::cheat::{Cheat, Cheater, Effect};
use crate::client::{self, Client};
use crate::due::take_due;
use crate::frames::Frames;
use crate::measure::{Accuracy, MAX_KEPT, Measures};
use crate::network::{NetworkSettings, Received};
use crate::scenario::{
    CreatureOrder, Input, Scenario, ScenarioError, ServerEvent, ServerSettings, SharedSurroundings, Timed,
};
use crate::server::{Server, ServerObject, creature_guid, item_guid, player_guid, player_index};
use crate::solids::{InSolids, Solids};
use crate::view::{ClientId, Delivered, EventHandler, RefusedInput, Sent, View};

/// The maximum number of bodies in all worlds of a simulation: each client and the server have one of each player and
/// creature. It is enough for 315 players that all see each other.
pub const MAX_BODIES: usize = 100_000;

/// Something that the server is to do, from the scenario or from a live call.
#[derive(Clone, PartialEq, Debug)]
enum ServerCommand {
    Order(Guid, CreatureOrder),
    Event(ServerEvent),
}

/// A scenario that runs.
///
/// Time is an argument: [`step`](Self::step) runs everything that is due, in the order of time, whether it is called a
/// thousand times a second or once for the whole scenario. The same scenario with the same inputs at the same times gives
/// the same bytes.
///
/// A clone is an independent simulation in the same state: its worlds, the messages in flight and the server are copied; the
/// assets, the ground and the scenario are shared. Both have the same future if they get the same inputs at the same times.
///
/// ```
/// use acmotion::types::MotionCommand;
/// use acmotion_sim::scenario::{ClientSpec, Input, Scenario};
/// use acmotion_sim::{ClientId, Simulation};
///
/// let asha = ClientSpec { name: "Asha".into(), ..ClientSpec::default() };
/// let watcher = ClientSpec { name: "Watcher".into(), is_observer: true, ..ClientSpec::default() };
/// let scenario = Scenario { clients: vec![asha, watcher], ..Scenario::default() };
/// let mut simulation = Simulation::new(&scenario)?;
///
/// simulation.step(1.0, &mut ());
/// simulation.input(ClientId(0), Input::Press(MotionCommand::WALK_FORWARD));
/// simulation.step(3.0, &mut ());
///
/// let asha = simulation.guid_of("Asha").unwrap();
/// let truth = simulation.truth(asha).unwrap().position();
/// let seen = simulation.client(ClientId(1)).unwrap().world().find(asha).unwrap().position();
/// assert!(truth.frame.origin.y > 101.0 && truth.distance_to(&seen) < 1.0);
/// # Ok::<(), acmotion_sim::scenario::ScenarioError>(())
/// ```
#[derive(Clone)]
pub struct Simulation {
    pub(crate) scenario: Arc<Scenario>,
    /// The world of a client before it is connected. Clones of it share what is loaded.
    pub(crate) new_world: World,
    now: f64,
    pub(crate) server: Server,
    server_frames: Frames,
    pub(crate) clients: Vec<Client>,
    /// The frames of the clients. They lie side by side, because the next one of all is searched for again and again.
    client_frames: Vec<Frames>,
    /// The scenario's commands for the server, ordered by time.
    commands: VecDeque<Timed<ServerCommand>>,
    /// Commands for the server's next frame, from live calls.
    live_commands: Vec<ServerCommand>,
    /// `None` if the accuracy is not measured.
    measures: Option<Measures>,
    solids: Option<Solids>,
    /// A buffer for the events of one world.
    events: Vec<Event>,
    /// The index of the next creature that is added.
    pub(crate) next_creature: usize,
}

impl Simulation {
    /// Creates a simulation with the built-in mannequin on the scenario's own ground.
    ///
    /// # Errors
    /// If an entity starts outside of the map, the ground cannot be built, or there are more than [`MAX_BODIES`].
    pub fn new(scenario: &Scenario) -> Result<Self, ScenarioError> {
        Self::with_assets(scenario, Assets::mannequin, None)
    }

    /// Creates a simulation with other assets, of which one copy is requested for the server and one that all clients share.
    /// `surroundings` replace the scenario's ground.
    ///
    /// # Errors
    /// If an entity starts outside of the map, the ground cannot be built, or there are more than [`MAX_BODIES`].
    pub fn with_assets(
        scenario: &Scenario,
        assets: impl Fn() -> Assets,
        surroundings: Option<SharedSurroundings>,
    ) -> Result<Self, ScenarioError> {
        let land = if surroundings.is_none() { scenario.ground.land() } else { None };
        let surroundings = surroundings
            .or_else(|| land.clone().map(|land| Arc::new(land) as SharedSurroundings))
            .or_else(|| scenario.ground.surroundings(scenario.landblock))
            .ok_or_else(|| ScenarioError::new(scenario.ground.problem()))?;
        check_size(scenario)?;
        let off_the_map = |name: &str| {
            ScenarioError::new(format!("`{name}` starts off the map or where there is no ground"))
        };
        let mut server = Server::new(scenario, assets(), Arc::clone(&surroundings));
        let mut commands = Vec::new();
        for (index, spec) in scenario.creatures.iter().enumerate() {
            let guid = creature_guid(index);
            if !server.add_creature(spec, guid, 0.0) {
                return Err(off_the_map(&spec.name));
            }
            let command = |timed: &Timed<CreatureOrder>| Timed {
                at: timed.at,
                value: ServerCommand::Order(guid, timed.value.clone()),
            };
            commands.extend(spec.orders.iter().map(command));
        }
        for (index, spec) in scenario.items.iter().enumerate() {
            if !server.add_ground_item(spec, item_guid(index), 0.0) {
                return Err(off_the_map(&spec.name));
            }
        }
        let events = scenario.events.iter();
        commands.extend(
            events.map(|timed| Timed { at: timed.at, value: ServerCommand::Event(timed.value.clone()) }),
        );
        commands.sort_by(|a, b| a.at.total_cmp(&b.at));
        let mut new_world = client::new_world(assets(), Arc::clone(&surroundings));
        for kind in scenario.creatures.iter().map(|spec| spec.kind) {
            new_world.preload(kind.setup(), Some(kind.motion_table()));
        }
        if scenario.clients.iter().any(|spec| spec.has_sword) {
            new_world.preload(mannequin::SWORD_SETUP, None);
        }
        // Each client is sent all of them, unless they are too far away.
        let seen = scenario.clients.len() + scenario.creatures.len() + scenario.items.len();
        let seen = if scenario.server.view_distance.is_none() { seen } else { 0 };
        let mut clients = Vec::new();
        for (index, spec) in scenario.clients.iter().enumerate() {
            if server.resolve(&spec.position).is_none() {
                return Err(off_the_map(&spec.name));
            }
            let (id, guid) = (ClientId(index), player_guid(index));
            let mut world = new_world.clone();
            world.reserve(seen);
            clients.push(Client::new(id, guid, spec, world, scenario.seed));
        }
        Ok(Self {
            scenario: Arc::new(scenario.clone()),
            new_world,
            now: 0.0,
            server,
            server_frames: Frames::new(scenario.server.tick_rate, 0),
            client_frames: clients.iter().map(|client: &Client| client.frames()).collect(),
            clients,
            commands: commands.into(),
            live_commands: Vec::new(),
            measures: Some(Measures::new(MAX_KEPT)),
            solids: land.map(Solids::new),
            events: Vec::new(),
            next_creature: scenario.creatures.len(),
        })
    }

    /// From now on, checks in every tick of the truth whether entities are [inside](Self::in_solids) something solid of
    /// `land`. The town of a scenario is checked anyway; land that is given as surroundings only if it is given here too.
    pub fn check_solids(&mut self, land: Scene) {
        self.solids = Some(Solids::new(land));
    }

    /// From now on, does not check whether entities are inside something solid, nor measure how accurately they are shown.
    /// A simulation that runs for long without it takes less time and no growing memory.
    pub fn disable_checks(&mut self) {
        (self.measures, self.solids) = (None, None);
    }

    /// Returns the land whose solids are checked; `None` if none are.
    pub fn land(&self) -> Option<&Scene> {
        self.solids.as_ref().map(Solids::land)
    }

    /// Returns how often an entity truly was inside something solid; `None` if it was not checked.
    pub fn in_solids(&self, guid: Guid) -> Option<InSolids> {
        self.solids.as_ref()?.get(guid)
    }

    /// Stops measuring how [accurately](Self::accuracies) entities are shown, and drops what was measured. The measured
    /// errors are all kept and take memory for as long as a simulation runs, so one without an end should not measure them.
    pub fn stop_measuring(&mut self) {
        self.measures = None;
    }

    /// Returns the ground that all worlds share.
    pub fn surroundings(&self) -> SharedSurroundings {
        self.server.surroundings()
    }

    /// Lets a client cheat. Returns `false` if there is no such client.
    pub fn set_cheat(&mut self, client: ClientId, cheat: Cheat) -> bool {
        let surroundings = self.surroundings();
        let cheater = Cheater::new(cheat, surroundings);
        self.clients.get_mut(client.0).map(|client| client.cheater = Some(cheater)).is_some()
    }

    /// Returns the time, in seconds, at which a client's cheat first had an effect; `None` if it had none.
    pub fn cheat_onset(&self, client: ClientId) -> Option<f64> {
        self.client(client)?.cheater.as_ref()?.onset()
    }

    /// Returns `true` if the player of a client was under its own control when its cheat first had an effect.
    pub(crate) fn began_cheat_free(&self, client: ClientId) -> bool {
        let cheater = self.client(client).and_then(|client| client.cheater.as_ref());
        cheater.is_none_or(Cheater::began_free)
    }

    /// Returns the effect that a client's cheat had had when the messages that it had sent by a time left it; none for an
    /// honest client.
    pub(crate) fn cheat_effect(&self, client: ClientId, sent: f64) -> Effect {
        let cheater = self.client(client).and_then(|client| client.cheater.as_ref());
        cheater.map_or_else(Effect::default, |cheater| cheater.effect(sent))
    }

    /// Returns the scenario as it was at the start.
    pub fn scenario(&self) -> &Scenario {
        &self.scenario
    }

    /// Returns the time, in seconds since the start of the scenario.
    pub fn now(&self) -> f64 {
        self.now
    }

    /// Returns `true` if the scenario's time has passed. The simulation can go on all the same.
    pub fn is_over(&self) -> bool {
        self.now >= self.scenario.seconds
    }

    /// Returns the server.
    pub fn server(&self) -> &Server {
        &self.server
    }

    /// Changes the server's settings. Its tick rate stays.
    pub fn set_server_settings(&mut self, settings: ServerSettings) {
        self.server.set_settings(settings);
    }

    /// Returns all clients, players first.
    pub fn clients(&self) -> &[Client] {
        &self.clients
    }

    /// Returns a client; `None` if there is no such client.
    pub fn client(&self, id: ClientId) -> Option<&Client> {
        self.clients.get(id.0)
    }

    /// Returns the id of the player, observer or creature with a name.
    pub fn guid_of(&self, name: &str) -> Option<Guid> {
        guid_of(&self.scenario, name)
    }

    /// Returns the name of an entity.
    pub fn name_of(&self, guid: Guid) -> Option<&str> {
        let client = self.client_of(guid).map(Client::name);
        let object = || self.server.object(guid).map(|object| object.name.as_str());
        client.or_else(object).or_else(|| self.server.item_name(guid))
    }

    /// Returns the view that is the truth about an entity: of a player and what it has its own client's, otherwise the
    /// server's.
    pub fn truth_view(&self, guid: Guid) -> View {
        truth_view(&self.server, self.clients.len(), guid)
    }

    /// Returns the client whose player has an id.
    fn client_of(&self, guid: Guid) -> Option<&Client> {
        self.client(ClientId(player_index(guid)?))
    }

    /// Returns the truth about an entity.
    pub fn truth(&self, guid: Guid) -> Option<&Resident> {
        self.world(self.truth_view(guid))?.find(guid)
    }

    /// Returns the world of a view.
    pub fn world(&self, view: View) -> Option<&World> {
        match view {
            View::Server => Some(self.server.world()),
            View::Client(id) => self.client(id).map(Client::world),
        }
    }

    /// Iterates over how accurately each entity was shown in each view so far, in the order in which they were first
    /// seen. The view that is the truth about an entity is left out, and so are observers. There are none after
    /// [`stop_measuring`](Self::stop_measuring).
    pub fn accuracies(&self) -> impl Iterator<Item = (View, Guid, Accuracy<'_>)> {
        let list = self.measures.iter().flat_map(Measures::list);
        list.filter(|(view, guid, _)| *view != self.truth_view(*guid) && self.is_seen(*guid))
    }

    /// Returns `true` if an entity is shown to other clients. Observers are not.
    pub fn is_seen(&self, guid: Guid) -> bool {
        self.server.object(guid).is_some_and(ServerObject::is_seen)
    }

    /// Returns how accurately an entity was shown in a view so far; `None` if it was not shown or not measured.
    pub fn accuracy(&self, view: View, guid: Guid) -> Option<Accuracy<'_>> {
        self.measures.as_ref()?.get(view, guid)
    }

    /// Returns the mean time, in seconds, that a message about an entity takes to reach a view: from the entity's client
    /// to the server and on.
    pub fn delay(&self, view: View, guid: Guid) -> f64 {
        delay_between(&self.clients, self.truth_view(guid), view)
    }

    /// Gives a player an input for its client's next frame. Returns `false` if there is no such client.
    pub fn input(&mut self, client: ClientId, input: Input) -> bool {
        self.clients.get_mut(client.0).map(|client| client.live_inputs.push_back(input)).is_some()
    }

    /// Returns the controls of a client's player, to query or use them immediately. Messages that result are sent with
    /// the client's next frame.
    pub fn controls(&mut self, client: ClientId) -> Option<Controls<'_>> {
        self.clients.get_mut(client.0).map(|client| client.world.player_mut())
    }

    /// Gives a creature an order, in the server's next frame.
    pub fn order(&mut self, creature: Guid, order: CreatureOrder) {
        self.live_commands.push(ServerCommand::Order(creature, order));
    }

    /// Lets the server do something to a player, in its next frame.
    pub fn event(&mut self, event: ServerEvent) {
        self.live_commands.push(ServerCommand::Event(event));
    }

    /// Chooses how a client shows remotes from now on. Returns `false` if there is no such client.
    ///
    /// With comfort it measures its round trip by echo requests, which travel beside its messages. The simulation itself
    /// stays the same; [`World::shown_position`] and [`World::comfort`] tell where remotes are shown.
    pub fn set_presentation(&mut self, client: ClientId, presentation: Presentation) -> bool {
        let now = self.now;
        self.clients.get_mut(client.0).map(|client| client.set_presentation(presentation, now)).is_some()
    }

    /// Changes the connection of a client. Returns `false` if there is no such client.
    pub fn set_network(&mut self, client: ClientId, network: NetworkSettings) -> bool {
        self.clients.get_mut(client.0).map(|client| client.set_network(network)).is_some()
    }

    /// Starts or stops keeping why an entity moves as it does in a view: see [`World::explain`].
    pub fn explain(&mut self, view: View, guid: Guid, explained: bool) -> bool {
        match view {
            View::Server => self.server.explain(guid, explained),
            View::Client(id) => {
                self.clients.get_mut(id.0).is_some_and(|client| client.world.explain(guid, explained))
            }
        }
    }

    /// Runs every frame that is due by `now`, in seconds since the start of the scenario.
    pub fn step(&mut self, now: f64, watch: &mut dyn EventHandler) {
        loop {
            let clients = self.client_frames.iter().map(Frames::next).zip((0..).map(ClientId));
            let client = clients.min_by(|(a, _), (b, _)| a.total_cmp(b));
            let server = self.server_frames.next();
            match client.filter(|(time, _)| *time < server) {
                Some((time, id)) if time <= now => self.client_frame(id, time, watch),
                None if server <= now => self.server_frame(server, watch),
                _ => break,
            }
        }
        self.now = self.now.max(now);
    }

    /// Returns the time of the next frame of any client or the server.
    pub fn next_frame(&self) -> f64 {
        let clients = self.client_frames.iter().map(Frames::next);
        clients.fold(self.server_frames.next(), f64::min)
    }

    /// Handles messages, runs commands, updates the world, then sends.
    fn server_frame(&mut self, now: f64, watch: &mut dyn EventHandler) {
        self.server_frames.advance();
        self.now = now;
        for index in 0..self.clients.len() {
            let id = ClientId(index);
            if !self.clients[index].has_entered && self.clients[index].spec.enters <= now {
                self.clients[index].has_entered = true;
                self.server.enter(id, &self.scenario.clients[index], now);
            }
        }
        for echo in self.clients.iter_mut().filter_map(|client| client.echo.as_mut()) {
            echo.answer(now);
        }
        for (id, message) in self.take_arrived(now) {
            let from = View::Client(id);
            watch.on_delivered(&Delivered {
                time: now,
                sent: message.sent,
                arrived: message.arrived,
                from,
                to: View::Server,
                is_duplicate: message.is_duplicate,
                is_injected: message.is_injected,
                bytes: &message.bytes,
            });
            self.server.receive(id, &message.bytes, now);
        }
        while let Some(timed) = take_due(&mut self.commands, |timed| timed.at <= now) {
            self.run_command(&timed.value, now);
        }
        for command in std::mem::take(&mut self.live_commands) {
            self.run_command(&command, now);
        }
        let ticked = self.server.tick(now);
        for event in self.server.drain_events() {
            if let Some(measures) = &mut self.measures {
                measures.on_event(View::Server, &event);
            }
            watch.on_event(View::Server, &event, self.server.world());
        }
        for message in self.server.take_messages() {
            let Some(client) = self.clients.get_mut(message.to.0) else { continue };
            let fate = client.down.send(Arc::clone(&message.bytes), now, message.must_arrive);
            let (from, to) = (View::Server, View::Client(message.to));
            watch.on_sent(&Sent { time: now, from, to, delivery: fate, bytes: &message.bytes });
        }
        if ticked {
            watch.on_tick(View::Server, self.server.world(), now);
            self.measure(View::Server, now, watch);
        }
    }

    /// Takes the messages of all clients that have arrived, in the order of their arrival; those that arrived at the same
    /// time, in the order of the clients.
    fn take_arrived(&mut self, now: f64) -> Vec<(ClientId, Received)> {
        let mut arrived = Vec::new();
        for client in &mut self.clients {
            let id = client.id();
            arrived.extend(std::iter::from_fn(|| client.up.receive(now)).map(|message| (id, message)));
        }
        arrived.sort_by(|(_, a), (_, b)| a.arrived.total_cmp(&b.arrived));
        arrived
    }

    fn run_command(&mut self, command: &ServerCommand, now: f64) {
        match command {
            ServerCommand::Order(guid, order) => {
                let scenario = &self.scenario;
                self.server.order(*guid, order, |name| guid_of(scenario, name), now);
            }
            ServerCommand::Event(ServerEvent::Teleport { player: who, to }) => {
                if let Some((guid, position)) = self.guid_of(who).zip(self.server.resolve(to)) {
                    self.server.teleport(guid, position, now);
                }
            }
            ServerCommand::Event(ServerEvent::Kill { player: who }) => {
                if let Some(guid) = self.guid_of(who) {
                    self.server.kill(guid, now);
                }
            }
            ServerCommand::Event(ServerEvent::MoveTo { player: who, to }) => {
                if let Some((guid, target)) = self.guid_of(who).zip(self.guid_of(to)) {
                    self.server.move_player_to(guid, target, now);
                }
            }
        }
    }

    /// Updates the world, handles the server's messages, then lets the player act (rule B1).
    fn client_frame(&mut self, id: ClientId, now: f64, watch: &mut dyn EventHandler) {
        let view = View::Client(id);
        self.client_frames[id.0].advance();
        let client = &mut self.clients[id.0];
        self.now = now;
        if client.has_left {
            return;
        }
        client.use_echo(now);
        // Only a cheat makes the clock of a client differ.
        let local = client.local_time(now);
        // All worlds collect the events of a tick in the same buffer, which grows to hundreds of kilobytes in a crowd.
        client.world.swap_events(&mut self.events);
        report_events(client, &mut self.events, self.measures.as_mut(), watch);
        let ticked = client.world.tick(local);
        client.world.swap_events(&mut self.events);
        report_events(client, &mut self.events, self.measures.as_mut(), watch);
        if ticked {
            watch.on_tick(view, &self.clients[id.0].world, now);
            self.measure(view, now, watch);
        }
        let client = &mut self.clients[id.0];
        while let Some(message) = client.down.receive(now) {
            watch.on_delivered(&Delivered {
                time: now,
                sent: message.sent,
                arrived: message.arrived,
                from: View::Server,
                to: view,
                is_duplicate: message.is_duplicate,
                is_injected: message.is_injected,
                bytes: &message.bytes,
            });
            client.receive(&message.bytes, local);
            // A world that was sent a crowd would otherwise keep the memory of all its events for good.
            self.events.extend(client.world.drain_events());
        }
        while let Some(input) = client.next_input(now) {
            let server = &self.server;
            if let Err(why) = client.perform(&input, |position| server.resolve(position), local) {
                watch.on_refused(&RefusedInput {
                    time: now,
                    client: id,
                    guid: client.guid(),
                    input,
                    error: why,
                });
            }
        }
        client.world.player_mut().use_time(local);
        self.events.extend(client.world.drain_events());
        report_events(client, &mut self.events, self.measures.as_mut(), watch);
        let messages = client.take_messages(now);
        for bytes in messages {
            let fate = client.up.send(Arc::clone(&bytes), now, false);
            watch.on_sent(&Sent { time: now, from: view, to: View::Server, delivery: fate, bytes: &bytes });
        }
    }

    /// Records the positions of all entities in a view that was just updated, unless nothing is measured or checked.
    fn measure(&mut self, view: View, now: f64, watch: &mut dyn EventHandler) {
        let Self { server, clients, measures, solids, .. } = self;
        if measures.is_none() && solids.is_none() {
            return;
        }
        let world = match view {
            View::Server => server.world(),
            View::Client(id) => clients[id.0].world(),
        };
        for resident in world.entities().filter(|resident| resident.body().is_in_cell()) {
            let (guid, position) = (resident.guid(), resident.position());
            if !server.object(guid).is_some_and(ServerObject::is_seen) {
                continue;
            }
            let truth = truth_view(server, clients.len(), guid);
            if truth != view {
                if let Some(measures) = measures {
                    let delay = delay_between(clients, truth, view);
                    measures.record_shown(view, guid, now, &position, delay);
                }
                continue;
            }
            if let Some(solids) = solids {
                solids.check(resident, now);
            }
            if let Some(measures) = measures {
                measures.record_truth(guid, now, &position, |measured| watch.on_measured(measured));
            }
        }
    }
}

/// Reports events of a client's world, and removes them from the list.
fn report_events(
    client: &Client,
    events: &mut Vec<Event>,
    mut measures: Option<&mut Measures>,
    watch: &mut dyn EventHandler,
) {
    let view = View::Client(client.id());
    for event in events.drain(..) {
        if let Some(measures) = &mut measures {
            measures.on_event(view, &event);
        }
        watch.on_event(view, &event, &client.world);
    }
}

/// Returns the view that is the truth about an entity, in a simulation with a number of clients.
fn truth_view(server: &Server, clients: usize, guid: Guid) -> View {
    let owner = server.owner_of(guid).unwrap_or(guid);
    let index = player_index(owner).filter(|index| *index < clients);
    index.map_or(View::Server, |index| View::Client(ClientId(index)))
}

/// Returns the mean time, in seconds, that a message about an entity takes from one view to another.
fn delay_between(clients: &[Client], from: View, to: View) -> f64 {
    let latency = |view: View, of: fn(&Client) -> f64| match view {
        View::Server => 0.0,
        View::Client(id) => clients.get(id.0).map_or(0.0, of),
    };
    let up = latency(from, |client| client.up.settings().latency);
    let down = latency(to, |client| client.down.settings().latency);
    if from == to { 0.0 } else { up + down }
}

/// Returns an error if a simulation would have more than [`MAX_BODIES`].
fn check_size(scenario: &Scenario) -> Result<(), ScenarioError> {
    let clients = scenario.clients.len();
    let entities = clients + scenario.creatures.len();
    let bodies = (clients + 1) * entities;
    if bodies <= MAX_BODIES {
        return Ok(());
    }
    Err(ScenarioError::new(format!(
        "{clients} clients and the server that each have {entities} players and creatures are {bodies} bodies; expected at \
         most {MAX_BODIES}"
    )))
}

fn guid_of(scenario: &Scenario, name: &str) -> Option<Guid> {
    let creature = || scenario.creature(name).map(creature_guid);
    scenario.client(name).map(player_guid).or_else(creature)
}

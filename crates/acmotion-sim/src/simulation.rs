//! Everything together: a server, its clients, and the network between, at any rhythm.

use std::collections::VecDeque;
use std::sync::Arc;

use acmotion::World;
use acmotion::collide;
use acmotion::dat::Assets;
use acmotion::player::Controls;
use acmotion::types::Guid;
use acmotion::world::Resident;

use crate::client::Client;
use crate::due::take_due;
use crate::frames::Frames;
use crate::measure::{Accuracy, Measures};
use crate::network::NetworkSettings;
use crate::scenario::{
    CreatureOrder, Input, Scenario, ScenarioError, ServerEvent, ServerSettings, SharedSurroundings, Timed,
};
use crate::server::{Server, creature_guid, player_guid};
use crate::solids::{InSolids, Solids};
use crate::view::{ClientId, Delivered, Refused, Sent, View, Watch};

/// Something that the server is told, by the scene or by hand.
#[derive(Clone, PartialEq, Debug)]
enum ServerCommand {
    Order(Guid, CreatureOrder),
    Event(ServerEvent),
}

/// A scene that runs.
///
/// Time is an argument: [`step`](Self::step) lets everything happen that is due, in the order of time, whether it is
/// called a thousand times a second or once for all. The same scene with the same inputs at the same times gives the
/// same bytes.
///
/// ```
/// use acmotion_sim::scene::{ClientRole, Input, Scene, Spot};
/// use acmotion_sim::{ClientId, Simulation};
/// use acmotion::types::MotionCommand;
///
/// let asha = ClientRole { name: "Asha".into(), spot: Spot::new(96.0, 90.0), ..ClientRole::default() };
/// let watcher = ClientRole { name: "Watcher".into(), is_observer: true, ..ClientRole::default() };
/// let scene = Scene { clients: vec![asha, watcher], ..Scene::default() };
/// let mut simulation = Simulation::new(&scene)?;
///
/// simulation.step(1.0, &mut ());
/// simulation.input(ClientId(0), Input::Press(MotionCommand::WALK_FORWARD));
/// simulation.step(3.0, &mut ());
///
/// let asha = simulation.guid_of("Asha").unwrap();
/// let truth = simulation.truth(asha).unwrap().position();
/// let seen = simulation.client(ClientId(1)).unwrap().world().find(asha).unwrap().position();
/// assert!(truth.frame.origin.y > 95.0 && truth.distance_to(&seen) < 1.0);
/// # Ok::<(), acmotion_sim::scene::SceneError>(())
/// ```
pub struct Simulation {
    scene: Scenario,
    now: f64,
    server: Server,
    server_frames: Frames,
    clients: Vec<Client>,
    /// What the server is told, in the order of time.
    deeds: VecDeque<Timed<ServerCommand>>,
    live: Vec<ServerCommand>,
    measures: Measures,
    solids: Option<Solids>,
}

impl Simulation {
    /// A scene with the built-in mannequin on the scene's own ground.
    ///
    /// # Errors
    /// When somebody stands where there is no place.
    pub fn new(scene: &Scenario) -> Result<Self, ScenarioError> {
        Self::with(scene, Assets::mannequin, None)
    }

    /// A scene with other assets, asked for once for each world, and perhaps other surroundings.
    ///
    /// # Errors
    /// When somebody stands where there is no place.
    pub fn with(
        scene: &Scenario,
        assets: impl Fn() -> Assets,
        surroundings: Option<SharedSurroundings>,
    ) -> Result<Self, ScenarioError> {
        let land = if surroundings.is_none() { scene.ground.land() } else { None };
        let surroundings = surroundings
            .or_else(|| land.clone().map(|land| Arc::new(land) as SharedSurroundings))
            .or_else(|| scene.ground.surroundings(scene.landblock))
            .ok_or_else(|| ScenarioError::new("ground: no ground is that steep"))?;
        let mut server = Server::new(scene, assets(), Arc::clone(&surroundings));
        let mut deeds = Vec::new();
        for (index, role) in scene.creatures.iter().enumerate() {
            let guid = creature_guid(index);
            if !server.add_creature(role, guid, 0.0) {
                return Err(ScenarioError::new(format!("`{}` stands off the map", role.name)));
            }
            let order = |timed: &Timed<CreatureOrder>| Timed {
                at: timed.at,
                value: ServerCommand::Order(guid, timed.value.clone()),
            };
            deeds.extend(role.orders.iter().map(order));
        }
        deeds.extend(
            scene
                .events
                .iter()
                .map(|timed| Timed { at: timed.at, value: ServerCommand::Event(timed.value.clone()) }),
        );
        deeds.sort_by(|a, b| a.at.total_cmp(&b.at));
        let mut clients = Vec::new();
        for (index, role) in scene.clients.iter().enumerate() {
            if server.place(&role.spot).is_none() {
                return Err(ScenarioError::new(format!("`{}` stands off the map", role.name)));
            }
            let around = Arc::clone(&surroundings);
            clients.push(Client::new(
                ClientId(index),
                player_guid(index),
                role,
                assets(),
                around,
                scene.seed,
            ));
        }
        Ok(Self {
            scene: scene.clone(),
            now: 0.0,
            server,
            server_frames: Frames::new(scene.server.tick_rate, 0),
            clients,
            deeds: deeds.into(),
            live: Vec::new(),
            measures: Measures::default(),
            solids: land.map(Solids::new),
        })
    }

    /// From now on the truth about everybody is looked at in a land: is he [inside](Self::in_solids) something solid? The
    /// town of a scene is looked at in any case; land that is given as surroundings is, if it is given here too.
    pub fn look_for_solids(&mut self, land: collide::Scene) {
        self.solids = Some(Solids::new(land));
    }

    /// The land in which it is looked at.
    pub fn land(&self) -> Option<&collide::Scene> {
        self.solids.as_ref().map(Solids::land)
    }

    /// How often somebody truly was inside something solid; none where nobody looked.
    pub fn in_solids(&self, guid: Guid) -> Option<InSolids> {
        self.solids.as_ref()?.get(guid)
    }

    /// The scene as it began.
    pub fn scene(&self) -> &Scenario {
        &self.scene
    }

    /// What time it is, in seconds of the scene.
    pub fn now(&self) -> f64 {
        self.now
    }

    /// Has the scene's time passed? It can go on all the same.
    pub fn is_over(&self) -> bool {
        self.now >= self.scene.seconds
    }

    /// The server.
    pub fn server(&self) -> &Server {
        &self.server
    }

    /// The server takes other habits.
    pub fn set_server(&mut self, settings: ServerSettings) {
        self.server.set_settings(settings);
    }

    /// All clients, players first.
    pub fn clients(&self) -> &[Client] {
        &self.clients
    }

    /// One client.
    pub fn client(&self, id: ClientId) -> Option<&Client> {
        self.clients.get(id.0)
    }

    /// Whoever has that name.
    pub fn guid_of(&self, name: &str) -> Option<Guid> {
        let creature = || self.scene.creature(name).map(creature_guid);
        self.scene.client(name).map(player_guid).or_else(creature)
    }

    /// The name of somebody.
    pub fn name_of(&self, guid: Guid) -> Option<&str> {
        let client = self.clients.iter().find(|client| client.guid() == guid);
        let creature = || self.server.objects().iter().find(|thing| thing.guid == guid);
        client.map(Client::name).or_else(|| creature().map(|thing| thing.name.as_str()))
    }

    /// Whose view is the truth about somebody: a player's own, and the server's about everything else.
    pub fn truth_view(&self, guid: Guid) -> View {
        let client = self.clients.iter().find(|client| client.guid() == guid);
        client.map_or(View::Server, |client| View::Client(client.id()))
    }

    /// The truth about somebody.
    pub fn truth(&self, guid: Guid) -> Option<&Resident> {
        self.world(self.truth_view(guid))?.find(guid)
    }

    /// What a view shows.
    pub fn world(&self, view: View) -> Option<&World> {
        match view {
            View::Server => Some(self.server.world()),
            View::Client(id) => self.client(id).map(Client::world),
        }
    }

    /// How well everybody was shown to everybody else so far, in the order in which they were first seen. Nobody is
    /// measured in the view that is the truth about him, and observers are not measured.
    pub fn accuracies(&self) -> impl Iterator<Item = (View, Guid, &Accuracy)> {
        let list = self.measures.list().iter();
        list.filter(|((view, guid), _)| *view != self.truth_view(*guid) && self.is_seen(*guid))
            .map(|((view, guid), accuracy)| (*view, *guid, accuracy))
    }

    /// Is somebody shown to others? Observers are not.
    pub fn is_seen(&self, guid: Guid) -> bool {
        self.server.objects().iter().any(|thing| thing.guid == guid && thing.is_seen())
    }

    /// How well somebody was shown in a view so far.
    pub fn accuracy(&self, view: View, guid: Guid) -> Option<&Accuracy> {
        self.measures.get(view, guid)
    }

    /// How long news of somebody takes on average to reach a view, in seconds: from his client to the server and on.
    pub fn delay(&self, view: View, guid: Guid) -> f64 {
        let truth = self.truth_view(guid);
        let (up, down) = (self.latency(truth, true), self.latency(view, false));
        if truth == view { 0.0 } else { up + down }
    }

    fn latency(&self, view: View, up: bool) -> f64 {
        match view {
            View::Server => 0.0,
            View::Client(id) => self.client(id).map_or(0.0, |client| {
                let network = client.network();
                if up { network.up.latency } else { network.down.latency }
            }),
        }
    }

    /// Somebody does something, at his client's next frame. Says whether he is there.
    pub fn input(&mut self, client: ClientId, input: Input) -> bool {
        self.clients.get_mut(client.0).map(|client| client.live.push(input)).is_some()
    }

    /// The controls of somebody's client, to be asked or used at once; what he sends goes out with the next frame.
    pub fn controls(&mut self, client: ClientId) -> Option<Controls<'_>> {
        self.clients.get_mut(client.0).map(|client| client.world.player_mut())
    }

    /// A creature is told something, at the server's next frame.
    pub fn order(&mut self, creature: Guid, order: CreatureOrder) {
        self.live.push(ServerCommand::Order(creature, order));
    }

    /// The server does something to a player, at its next frame.
    pub fn event(&mut self, event: ServerEvent) {
        self.live.push(ServerCommand::Event(event));
    }

    /// A connection behaves otherwise from now on. Says whether it is there.
    pub fn set_network(&mut self, client: ClientId, network: NetworkSettings) -> bool {
        self.clients.get_mut(client.0).map(|client| client.set_network(network)).is_some()
    }

    /// Keeps why somebody moves as he does in a view, or does not any more: see [`World::explain`].
    pub fn explain(&mut self, view: View, guid: Guid, explained: bool) -> bool {
        match view {
            View::Server => self.server.explain(guid, explained),
            View::Client(id) => {
                self.clients.get_mut(id.0).is_some_and(|client| client.world.explain(guid, explained))
            }
        }
    }

    /// Lets everything happen that is due by now.
    pub fn step(&mut self, now: f64, watch: &mut dyn Watch) {
        loop {
            let client = self.clients.iter().min_by(|a, b| a.frames.next().total_cmp(&b.frames.next()));
            let client = client.map(|client| (client.frames.next(), client.id()));
            let server = self.server_frames.next();
            match client.filter(|(time, _)| *time < server) {
                Some((time, id)) if time <= now => self.client_frame(id, time, watch),
                None if server <= now => self.server_frame(server, watch),
                _ => break,
            }
        }
        self.now = self.now.max(now);
    }

    /// When something is due next.
    pub fn next_frame(&self) -> f64 {
        let clients = self.clients.iter().map(|client| client.frames.next());
        clients.fold(self.server_frames.next(), f64::min)
    }

    /// Messages, what is to be done, then the world; then everything that is to be told sets out.
    fn server_frame(&mut self, now: f64, watch: &mut dyn Watch) {
        self.server_frames.advance();
        self.now = now;
        for index in 0..self.clients.len() {
            let id = ClientId(index);
            if !self.clients[index].has_entered && self.clients[index].role.enters <= now {
                self.clients[index].has_entered = true;
                self.server.enter(id, &self.scene.clients[index], now);
            }
        }
        while let Some((index, message)) = self.next_message(now) {
            let from = View::Client(ClientId(index));
            watch.delivered(&Delivered {
                time: now,
                sent: message.sent,
                arrived: message.arrived,
                from,
                to: View::Server,
                is_duplicate: message.is_duplicate,
                bytes: &message.bytes,
            });
            self.server.hear(ClientId(index), &message.bytes, now);
        }
        while let Some(timed) = take_due(&mut self.deeds, |timed| timed.at <= now) {
            self.do_deed(&timed.value, now);
        }
        for deed in std::mem::take(&mut self.live) {
            self.do_deed(&deed, now);
        }
        let ticked = self.server.tick(now);
        for event in self.server.drain_events() {
            self.measures.happened(View::Server, &event);
            watch.happened(View::Server, &event, self.server.world());
        }
        for letter in self.server.take_messages() {
            let Some(client) = self.clients.get_mut(letter.to.0) else { continue };
            let fate = client.down.send(Arc::clone(&letter.bytes), now, letter.must_arrive);
            let (from, to) = (View::Server, View::Client(letter.to));
            watch.sent(&Sent { time: now, from, to, fate, bytes: &letter.bytes });
        }
        if ticked {
            watch.ticked(View::Server, self.server.world(), now);
            self.measure(View::Server, now, watch);
        }
    }

    /// The message that has arrived first of all clients'.
    fn next_message(&mut self, now: f64) -> Option<(usize, crate::network::Received)> {
        let arrivals = self.clients.iter().enumerate();
        let arrivals = arrivals.filter_map(|(index, client)| Some((client.up.next_arrival()?, index)));
        let (_, index) = arrivals.min_by(|a, b| a.0.total_cmp(&b.0))?;
        let message = self.clients[index].up.receive(now)?;
        Some((index, message))
    }

    fn do_deed(&mut self, deed: &ServerCommand, now: f64) {
        match deed {
            ServerCommand::Order(guid, order) => {
                let scene = &self.scene;
                let who = |name: &str| {
                    let creature = || scene.creature(name).map(creature_guid);
                    scene.client(name).map(player_guid).or_else(creature)
                };
                self.server.order(*guid, order, who, now);
            }
            ServerCommand::Event(ServerEvent::Teleport { who, to }) => {
                if let Some((guid, place)) = self.guid_of(who).zip(self.server.place(to)) {
                    self.server.teleport(guid, place, now);
                }
            }
            ServerCommand::Event(ServerEvent::Kill { who }) => {
                if let Some(guid) = self.guid_of(who) {
                    self.server.kill(guid, now);
                }
            }
            ServerCommand::Event(ServerEvent::MoveTo { who, to }) => {
                if let Some((guid, target)) = self.guid_of(who).zip(self.guid_of(to)) {
                    self.server.send_player(guid, target, now);
                }
            }
        }
    }

    /// The tick, the server's messages, the player (rule B1).
    fn client_frame(&mut self, id: ClientId, now: f64, watch: &mut dyn Watch) {
        let view = View::Client(id);
        let client = &mut self.clients[id.0];
        client.frames.advance();
        self.now = now;
        let ticked = client.world.tick(now);
        Self::drain(client, &mut self.measures, watch);
        if ticked {
            watch.ticked(view, &self.clients[id.0].world, now);
            self.measure(view, now, watch);
        }
        let client = &mut self.clients[id.0];
        while let Some(message) = client.down.receive(now) {
            watch.delivered(&Delivered {
                time: now,
                sent: message.sent,
                arrived: message.arrived,
                from: View::Server,
                to: view,
                is_duplicate: message.is_duplicate,
                bytes: &message.bytes,
            });
            client.take(&message.bytes, now);
        }
        while let Some(input) = client.next_input(now) {
            let server = &self.server;
            if let Err(why) = client.perform(&input, |spot| server.place(spot), now) {
                watch.refused(&Refused { time: now, client: id, guid: client.guid(), input, why });
            }
        }
        client.world.player_mut().use_time(now);
        Self::drain(client, &mut self.measures, watch);
        let letters: Vec<Arc<[u8]>> = client.world.drain_outbound().map(Arc::from).collect();
        for bytes in letters {
            let fate = client.up.send(Arc::clone(&bytes), now, false);
            watch.sent(&Sent { time: now, from: view, to: View::Server, fate, bytes: &bytes });
        }
    }

    fn drain(client: &mut Client, measures: &mut Measures, watch: &mut dyn Watch) {
        let view = View::Client(client.id());
        let events: Vec<_> = client.world.drain_events().collect();
        for event in events {
            measures.happened(view, &event);
            watch.happened(view, &event, &client.world);
        }
    }

    /// Writes down where everybody is in a view that has just moved.
    fn measure(&mut self, view: View, now: f64, watch: &mut dyn Watch) {
        let Some(world) = self.world(view) else { return };
        let there = world.entities().filter(|resident| resident.body().is_in_cell());
        let list: Vec<_> = there
            .map(|resident| (resident.guid(), resident.position()))
            .filter(|(guid, _)| self.is_seen(*guid))
            .map(|(guid, place)| (guid, place, self.truth_view(guid) == view, self.delay(view, guid)))
            .collect();
        for (guid, place, is_truth, delay) in list {
            if is_truth {
                self.look_at(view, guid, now);
                self.measures.is_there(guid, now, place, |measured| watch.measured(measured));
            } else {
                self.measures.shown(view, guid, now, place, delay);
            }
        }
    }

    fn look_at(&mut self, view: View, guid: Guid, now: f64) {
        let world = match view {
            View::Server => self.server.world(),
            View::Client(id) => self.clients[id.0].world(),
        };
        if let Some((solids, resident)) = self.solids.as_mut().zip(world.find(guid)) {
            solids.look(resident, now);
        }
    }
}

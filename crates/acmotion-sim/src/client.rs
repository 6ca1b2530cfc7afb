//! A client: a world that receives the server's messages over the network, and a player that follows a script.

use std::collections::VecDeque;
use std::sync::Arc;

use acmotion::dat::Assets;
use acmotion::types::{CellPosition, Guid};
use acmotion::{Controls, Identity, Presentation, RequestError, Resident, Settings, World};

use crate::cheat::{Cheater, Control};
use crate::due::take_due;
use crate::echo::Echo;
use crate::frames::Frames;
use crate::network::{Link, NetworkSettings};
use crate::scenario::{ClientSpec, Input, LocalPosition, SharedSurroundings, Timed};
use crate::view::ClientId;

/// The time, in seconds, after an order or a teleport of the server during which a player does not count as under its own
/// control: the server does not know when the order was received and how far its animations have got. It is the sum of
/// [`CheckSettings::grace`](acmotion::check::CheckSettings::grace) and the time in which a checker's animations settle.
const FREE_SECONDS: f64 = 6.5;

/// Creates the world of a client: its player is the one that the server names.
pub(crate) fn new_world(assets: Assets, surroundings: SharedSurroundings) -> World {
    let settings =
        Settings { player: Identity::Awaited, surroundings: Some(surroundings), ..Settings::default() };
    World::with_settings(assets, settings)
}

/// A client with its world and its connection.
#[derive(Clone)]
pub struct Client {
    id: ClientId,
    guid: Guid,
    pub(crate) spec: ClientSpec,
    pub(crate) world: World,
    /// The link to the server.
    pub(crate) up: Link,
    /// The link from the server.
    pub(crate) down: Link,
    /// The echo requests that measure the round trip; `None` if that is not needed.
    pub(crate) echo: Option<Echo>,
    seed: u64,
    pub(crate) has_entered: bool,
    /// Whether its player has left the world. It then runs no frames.
    pub(crate) has_left: bool,
    /// Whether a frame has been run since the player was created.
    accepts_input: bool,
    /// The scenario's inputs, ordered by time.
    script: VecDeque<Timed<Input>>,
    /// Inputs for the next frame, from [`Simulation::input`](crate::Simulation::input).
    pub(crate) live_inputs: VecDeque<Input>,
    /// What makes its messages dishonest; `None` for an honest client.
    pub(crate) cheater: Option<Cheater>,
    /// The stamps of the server's newest order to the player; `None` before the first frame.
    orders: Option<[u16; 3]>,
    /// Whether the server has taken control with an order.
    is_ordered: bool,
    /// The time, in seconds, from which on the player counts as under its own control.
    free_from: f64,
    unreadable: u64,
}

impl Client {
    pub(crate) fn new(id: ClientId, guid: Guid, spec: &ClientSpec, world: World, seed: u64) -> Self {
        let mut script: Vec<Timed<Input>> = spec.inputs.clone();
        script.sort_by(|a, b| a.at.total_cmp(&b.at));
        let seed = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(2 * id.0 as u64);
        Self {
            id,
            guid,
            spec: spec.clone(),
            world,
            up: Link::new(spec.network.up, seed),
            down: Link::new(spec.network.down, seed.wrapping_add(1)),
            echo: None,
            seed,
            has_entered: false,
            has_left: false,
            accepts_input: false,
            script: script.into(),
            live_inputs: VecDeque::new(),
            cheater: None,
            orders: None,
            is_ordered: false,
            free_from: 0.0,
            unreadable: 0,
        }
    }

    /// Returns the times at which it runs frames, from the start of the scenario.
    pub(crate) fn frames(&self) -> Frames {
        Frames::new(self.spec.frame_rate, self.id.0 + 1)
    }

    /// Forgets everything in flight and inputs that were not carried out, and starts over with a new world.
    pub(crate) fn leave(&mut self, world: World) {
        self.has_left = true;
        let presentation = self.world.presentation();
        self.world = world;
        self.world.set_presentation(presentation);
        self.up.clear();
        self.down.clear();
        self.accepts_input = false;
        self.live_inputs.clear();
        (self.orders, self.is_ordered, self.free_from) = (None, false, 0.0);
    }

    /// Returns the client's id.
    pub fn id(&self) -> ClientId {
        self.id
    }

    /// Returns the id of its player's body.
    pub fn guid(&self) -> Guid {
        self.guid
    }

    /// Returns its entry in the scenario.
    pub fn spec(&self) -> &ClientSpec {
        &self.spec
    }

    /// Returns the name of its player.
    pub fn name(&self) -> &str {
        &self.spec.name
    }

    /// Returns `true` if its player only watches.
    pub fn is_observer(&self) -> bool {
        self.spec.is_observer
    }

    /// Returns its world.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// Returns its own player; `None` until the server has created it.
    pub fn player(&self) -> Option<&Resident> {
        self.world.find(self.guid)
    }

    /// Returns the settings of its connection.
    pub fn network(&self) -> NetworkSettings {
        NetworkSettings { up: self.up.settings(), down: self.down.settings() }
    }

    /// Returns the number of messages that it could not decode.
    pub fn unreadable(&self) -> u64 {
        self.unreadable
    }

    pub(crate) fn set_network(&mut self, network: NetworkSettings) {
        self.up.set_settings(network.up);
        self.down.set_settings(network.down);
        if let Some(echo) = &mut self.echo {
            echo.set_network(network);
        }
    }

    /// Chooses how it shows remotes. Comfort needs the round trip, which it measures.
    pub(crate) fn set_presentation(&mut self, presentation: Presentation, now: f64) {
        self.world.set_presentation(presentation);
        self.echo = match presentation {
            Presentation::Faithful => None,
            Presentation::Comfort(_) => {
                self.echo.take().or_else(|| Some(Echo::new(self.network(), self.seed, now)))
            }
        };
    }

    /// Measures the round trip, if that is needed.
    pub(crate) fn use_echo(&mut self, now: f64) {
        let round_trip = self.echo.as_mut().and_then(|echo| echo.use_time(now));
        if round_trip.is_some() {
            self.world.set_round_trip(round_trip);
        }
    }

    /// Returns the time on the client's own clock, and starts a cheat that is due.
    pub(crate) fn local_time(&mut self, now: f64) -> f64 {
        self.cheater.as_mut().map_or(now, |cheater| cheater.begin_frame(&mut self.world, now))
    }

    /// Removes and returns the messages to be sent, as the cheat has changed them.
    pub(crate) fn take_messages(&mut self, now: f64) -> Vec<Arc<[u8]>> {
        let control = if self.cheater.is_some() { self.control(now) } else { Control::Other };
        let messages = self.world.drain_outbound();
        match &mut self.cheater {
            Some(cheater) => {
                cheater.end_frame();
                messages.flat_map(|bytes| cheater.edit(bytes, now, control)).map(Arc::from).collect()
            }
            None => messages.map(Arc::from).collect(),
        }
    }

    /// Returns what moves the player. Its own control is settled after [`FREE_SECONDS`].
    fn control(&mut self, now: f64) -> Control {
        let is_controlled = self.world.player_mut().keyboard().controlled_by_server;
        let Some(player) = self.player() else { return Control::Other };
        let stamps = player.stamps();
        let orders = [stamps.server_control.0, stamps.teleport.0, stamps.force_position.0];
        let (is_standing, is_moving) = (player.body().is_standing(), player.entity().is_moving_to());
        // The stamps that the player was created with belong to no order.
        let has_order = self.orders.replace(orders).is_some_and(|last| last != orders);
        self.is_ordered = has_order || (self.is_ordered && is_controlled);
        let is_led = self.is_ordered || is_moving;
        if is_led {
            self.free_from = now + FREE_SECONDS;
        }
        match (is_standing && !is_led, now >= self.free_from) {
            (false, _) => Control::Other,
            (true, false) => Control::Own,
            (true, true) => Control::Settled,
        }
    }

    pub(crate) fn receive(&mut self, bytes: &[u8], now: f64) {
        let was_created = self.player().is_some();
        if self.world.receive(bytes, now).is_err() {
            self.unreadable += 1;
        }
        if !was_created && self.player().is_some() {
            let runs = self.spec.run_by_default;
            self.world.player_mut().set_run_by_default(runs, now);
        }
    }

    /// Returns the next input of this frame: first those of the scenario, then live ones. There are none in the frame in
    /// which the player is created: it has not entered the world yet.
    pub(crate) fn next_input(&mut self, now: f64) -> Option<Input> {
        self.player()?;
        if !std::mem::replace(&mut self.accepts_input, true) {
            return None;
        }
        if let Some(timed) = take_due(&mut self.script, |timed| timed.at <= now) {
            return Some(timed.value);
        }
        self.live_inputs.pop_front()
    }

    /// Carries out an input. `resolve` turns a position of the scenario into one of the world.
    pub(crate) fn perform(
        &mut self,
        input: &Input,
        resolve: impl Fn(&LocalPosition) -> Option<CellPosition>,
        now: f64,
    ) -> Result<(), RequestError> {
        let own = self.guid;
        let mut player: Controls<'_> = self.world.player_mut();
        match input {
            Input::Press(command) => player.press(*command, now),
            Input::Release(command) => player.release(*command, now),
            Input::Tap(command) => player.tap(*command, now),
            Input::HoldRun(held) => {
                player.set_hold_run(*held, now);
                Ok(())
            }
            Input::Jump(extent) => player.jump(*extent, now).map(drop),
            Input::WalkTo(target, options) => match resolve(target) {
                Some(position) => player.walk_to(options.goal(position), now).map(drop),
                None => Err(RequestError::InvalidTarget),
            },
            Input::TurnTo(heading) => player.turn_to(*heading, now).map(drop),
            Input::Emote(action) => player.emote(*action, now).map(drop),
            Input::Stance(mode) => player.set_stance(*mode).map(drop),
            Input::Attack { target, height, power } => player.attack(*target, *height, *power, now).map(drop),
            Input::Cast { spell, target } => player.cast(*spell, *target, now).map(drop),
            Input::BeginAttack { target, height } => player.begin_attack(*target, *height, now).map(drop),
            Input::EndAttack => player.end_attack(now).map(drop),
            Input::CancelAttack => player.cancel_attack(now).map(drop),
            Input::Use(object) => player.use_object(*object, now).map(drop),
            Input::PickUp(item) => player.pick_up(*item, own, 0, now).map(drop),
            Input::Drop(item) => player.drop_item(*item, now).map(drop),
            Input::Wield { item, location } => player.wield(*item, *location, now).map(drop),
            Input::MouseLook(turns) => {
                player.set_mouse_look(*turns, now);
                Ok(())
            }
            Input::MouseTurn(movement) => {
                player.mouse_turn(*movement, now);
                Ok(())
            }
            Input::StopCompletely => {
                player.stop_completely(now);
                Ok(())
            }
        }
    }
}

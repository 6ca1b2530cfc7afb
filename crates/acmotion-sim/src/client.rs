//! A client: a world that hears the server over the network, and a player at the keys.

use std::collections::VecDeque;

use acmotion::World;
use acmotion::dat::Assets;
use acmotion::player::{Controls, RequestError};
use acmotion::types::{CellPosition, Guid};
use acmotion::world::{Identity, Resident, Settings};

use crate::due::take_due;
use crate::frames::Frames;
use crate::network::{Link, NetworkSettings};
use crate::scenario::{ClientSpec, Input, LocalPosition, SharedSurroundings, Timed};
use crate::view::ClientId;

/// A client with its world and its connection.
pub struct Client {
    id: ClientId,
    guid: Guid,
    pub(crate) role: ClientSpec,
    pub(crate) world: World,
    pub(crate) frames: Frames,
    /// To the server.
    pub(crate) up: Link,
    /// From the server.
    pub(crate) down: Link,
    pub(crate) has_entered: bool,
    /// What the scene has him do, in the order of time.
    pub(crate) script: VecDeque<Timed<Input>>,
    /// What he is told by hand, for his next frame.
    pub(crate) live: Vec<Input>,
    unreadable: u64,
}

impl Client {
    pub(crate) fn new(
        id: ClientId,
        guid: Guid,
        role: &ClientSpec,
        assets: Assets,
        surroundings: SharedSurroundings,
        seed: u64,
    ) -> Self {
        let settings =
            Settings { player: Identity::Awaited, surroundings: Some(surroundings), ..Settings::default() };
        let mut script: Vec<Timed<Input>> = role.inputs.clone();
        script.sort_by(|a, b| a.at.total_cmp(&b.at));
        let seed = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(2 * id.0 as u64);
        Self {
            id,
            guid,
            role: role.clone(),
            world: World::with_settings(assets, settings),
            frames: Frames::new(role.frame_rate, id.0 + 1),
            up: Link::new(role.network.up, seed),
            down: Link::new(role.network.down, seed.wrapping_add(1)),
            has_entered: false,
            script: script.into(),
            live: Vec::new(),
            unreadable: 0,
        }
    }

    /// Which it is.
    pub fn id(&self) -> ClientId {
        self.id
    }

    /// Its player.
    pub fn guid(&self) -> Guid {
        self.guid
    }

    /// Who it is.
    pub fn role(&self) -> &ClientSpec {
        &self.role
    }

    /// The name of its player.
    pub fn name(&self) -> &str {
        &self.role.name
    }

    /// Does its player only watch?
    pub fn is_observer(&self) -> bool {
        self.role.is_observer
    }

    /// What it shows.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// Its own player's body, once he is there.
    pub fn player(&self) -> Option<&Resident> {
        self.world.find(self.guid)
    }

    /// Its connection.
    pub fn network(&self) -> NetworkSettings {
        NetworkSettings { up: self.up.settings(), down: self.down.settings() }
    }

    /// How many messages it could not read.
    pub fn unreadable(&self) -> u64 {
        self.unreadable
    }

    pub(crate) fn set_network(&mut self, network: NetworkSettings) {
        self.up.set_settings(network.up);
        self.down.set_settings(network.down);
    }

    pub(crate) fn take(&mut self, bytes: &[u8], now: f64) {
        let was_there = self.player().is_some();
        if self.world.receive(bytes, now).is_err() {
            self.unreadable += 1;
        }
        if !was_there && self.player().is_some() {
            let runs = self.role.run_by_default;
            self.world.player_mut().set_run_by_default(runs, now);
        }
    }

    /// What he does this frame: by the scene, then by hand.
    pub(crate) fn next_input(&mut self, now: f64) -> Option<Input> {
        self.player()?;
        if let Some(timed) = take_due(&mut self.script, |timed| timed.at <= now) {
            return Some(timed.value);
        }
        (!self.live.is_empty()).then(|| self.live.remove(0))
    }

    /// Does something.
    pub(crate) fn perform(
        &mut self,
        input: &Input,
        place: impl Fn(&LocalPosition) -> Option<CellPosition>,
        now: f64,
    ) -> Result<(), RequestError> {
        let mut player: Controls<'_> = self.world.player_mut();
        match input {
            Input::Press(command) => player.press(*command, now),
            Input::Release(command) => player.release(*command, now),
            Input::Tap(command) => player.tap(*command, now),
            Input::HoldRun(held) => {
                player.set_hold_run(*held, now);
                Ok(())
            }
            Input::Jump(extent) => player.jump(*extent, now),
            Input::WalkTo(spot) => match place(spot) {
                Some(place) => player.walk_to(&place, now),
                None => Err(RequestError::Nowhere),
            },
            Input::TurnTo(heading) => player.turn_to(*heading, now),
            Input::Emote(action) => player.emote(*action, now).map(drop),
            Input::Stance(mode) => player.set_stance(*mode).map(drop),
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

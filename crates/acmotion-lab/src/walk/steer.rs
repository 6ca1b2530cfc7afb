//! What the page does in a walk: keys, requests, the network, creatures.

use acmotion::dat::DataId;
use acmotion::types::{Guid, MotionCommand, Vec3};
use acmotion_sim::network::{LinkSettings, NetworkSettings};
use acmotion_sim::scenario::{CreatureOrder, Input, ServerEvent, ServerSettings};
use serde_json::{Value, json};

use super::town::{OBSERVER, PLAYER};
use super::{MOST_CROWD, STANCES, Town, Walk};
use crate::session::{Command, KEYS, Network, ORDERS};
use crate::values::parse_command;

/// How the network behaves and how often the server tells where players are.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Connection {
    latency_ms: f64,
    jitter_ms: f64,
    loss: f64,
    duplicate: f64,
    update_hz: f64,
}

impl Default for Connection {
    /// As over a decent line to a community server, which tells of players once a second.
    fn default() -> Self {
        Self { latency_ms: 100.0, jitter_ms: 20.0, loss: 0.0, duplicate: 0.0, update_hz: 1.0 }
    }
}

impl Connection {
    fn change(&mut self, network: Network) -> Result<(), String> {
        let mut changed = *self;
        for (name, given, own, least, most) in [
            ("latency_ms", network.latency_ms, &mut changed.latency_ms, 0.0, 2000.0),
            ("jitter_ms", network.jitter_ms, &mut changed.jitter_ms, 0.0, 1000.0),
            ("loss", network.loss, &mut changed.loss, 0.0, 0.9),
            ("duplicate", network.duplicate, &mut changed.duplicate, 0.0, 0.9),
            ("update_hz", network.update_hz, &mut changed.update_hz, 0.2, 30.0),
        ] {
            match given {
                Some(value) if (least..=most).contains(&value) => *own = value,
                Some(value) => return Err(format!("{name} is {value}: from {least} to {most}")),
                None => {}
            }
        }
        *self = changed;
        Ok(())
    }

    pub(super) fn json(&self) -> Value {
        json!({
            "latency_ms": self.latency_ms, "jitter_ms": self.jitter_ms, "loss": self.loss,
            "duplicate": self.duplicate, "update_hz": self.update_hz,
        })
    }

    /// What the server sends takes its time; what it is sent arrives at once, so that one way is looked at.
    fn settings(&self) -> NetworkSettings {
        let down = LinkSettings {
            latency: self.latency_ms / 1000.0,
            jitter: self.jitter_ms / 1000.0,
            loss: self.loss,
            duplicate: self.duplicate,
            ..LinkSettings::PERFECT
        };
        NetworkSettings { up: LinkSettings::PERFECT, down }
    }
}

impl Walk {
    /// Sets the connections to what they should be.
    pub(super) fn connect(&mut self) {
        let settings = self.connection.settings();
        for client in [PLAYER, OBSERVER] {
            self.simulation.set_network(client, settings);
        }
        let server = self.simulation.server().settings();
        let position_interval = 1.0 / self.connection.update_hz;
        let creature_interval = server.creature_interval.min(position_interval);
        self.simulation.set_server(ServerSettings { position_interval, creature_interval, ..server });
    }

    /// Does what the page asks.
    ///
    /// # Errors
    /// Why not.
    pub(crate) fn obey(&mut self, command: &Command) -> Result<(), String> {
        match command {
            Command::Key { key, down } => self.key(key, *down)?,
            Command::ReleaseAll => self.release_all(),
            Command::Jump { extent } => self.input(Input::Jump(finite("extent", *extent)?.clamp(0.0, 1.0))),
            Command::Emote { motion } => {
                let action = parse_command(motion)?;
                if !action.is_action() {
                    return Err(format!("{action} is no action"));
                }
                self.input(Input::Emote(action));
            }
            Command::Stance { stance } => {
                let found = STANCES.iter().find(|(name, _)| name == stance);
                let (_, mode) =
                    found.ok_or_else(|| unknown("stance", stance, STANCES.map(|(name, _)| name)))?;
                self.input(Input::Stance(*mode));
            }
            Command::Autorun => self.input(Input::Press(MotionCommand::AUTO_RUN)),
            Command::MouseLook { on } => self.input(Input::MouseLook(*on)),
            Command::MouseTurn { movement } => {
                self.input(Input::MouseTurn(finite("movement", *movement)?.clamp(-1000.0, 1000.0)));
            }
            Command::Face { heading } => self.input(Input::TurnTo(finite("heading", *heading)?)),
            Command::WalkTo { place: [x, y, z] } => {
                for value in [*x, *y, *z] {
                    finite("place", value)?;
                }
                self.input(Input::WalkTo(self.town.spot_at(Vec3::new(*x, *y, *z))));
            }
            Command::Home => {
                let (who, to) = (Town::player_name().into(), self.town.start());
                self.simulation.event(ServerEvent::Teleport { who, to });
            }
            Command::Network(network) => {
                self.connection.change(*network)?;
                self.connect();
            }
            Command::Creature { guid, order, target } => self.order(guid, order, target.as_deref())?,
            Command::Use { guid } => self.use_door(guid)?,
            Command::Crowd { count } if *count <= MOST_CROWD => self.begin_again(*count, true)?,
            Command::Crowd { .. } => return Err(format!("at most {MOST_CROWD} fit in")),
            Command::Reset => self.begin_again(0, false)?,
            _ => return Err(String::from("that cannot be done in a walk")),
        }
        Ok(())
    }

    fn input(&mut self, input: Input) {
        self.simulation.input(PLAYER, input);
    }

    fn key(&mut self, key: &str, down: bool) -> Result<(), String> {
        let found = KEYS.iter().find(|(name, _)| *name == key);
        let (name, command) = found.ok_or_else(|| unknown("key", key, KEYS.map(|(name, _)| name)))?;
        let is_news = if down { self.keys.insert(name) } else { self.keys.remove(name) };
        if is_news {
            self.input(if down { Input::Press(*command) } else { Input::Release(*command) });
        }
        Ok(())
    }

    fn release_all(&mut self) {
        for (name, command) in KEYS {
            if self.keys.remove(name) {
                self.input(Input::Release(command));
            }
        }
    }

    fn order(&mut self, guid: &str, order: &str, target: Option<&str>) -> Result<(), String> {
        let (guid, name) = self.creature(guid)?;
        let target = match target {
            Some(target) => {
                let target = Guid(target.parse::<DataId>()?.0);
                let name = self.simulation.name_of(target).map(String::from);
                name.ok_or_else(|| format!("nobody has the id {target}"))?
            }
            None => Town::player_name().into(),
        };
        let order =
            ORDERS.into_iter().find(|own| *own == order).ok_or_else(|| unknown("order", order, ORDERS))?;
        let told = match order {
            "chase" => CreatureOrder::Chase(target),
            "stick" => CreatureOrder::Attack(target),
            "patrol" => CreatureOrder::Patrol(self.town.beat(&name)),
            _ => CreatureOrder::Stand,
        };
        self.simulation.order(guid, told);
        self.orders.insert(guid, order);
        Ok(())
    }

    fn use_door(&mut self, guid: &str) -> Result<(), String> {
        let (guid, name) = self.creature(guid)?;
        let things = self.simulation.server().objects();
        let is_door = |thing: &acmotion_sim::server::ServerObject| {
            thing.guid == guid && thing.kind == acmotion_sim::scenario::CreatureKind::Door
        };
        if !things.iter().any(is_door) {
            return Err(format!("{name} is no door"));
        }
        let opens = self.open_doors.insert(guid);
        if !opens {
            self.open_doors.remove(&guid);
        }
        self.simulation.order(guid, if opens { CreatureOrder::Open } else { CreatureOrder::Close });
        Ok(())
    }

    /// Something that the server moves, by id.
    fn creature(&self, guid: &str) -> Result<(Guid, String), String> {
        let guid = Guid(guid.parse::<DataId>()?.0);
        let things = self.simulation.server().objects();
        let found = things.iter().find(|thing| thing.guid == guid && thing.client().is_none());
        found
            .map(|thing| (guid, thing.name.clone()))
            .ok_or_else(|| format!("the server moves nothing with id {guid}"))
    }
}

fn finite(name: &str, value: f32) -> Result<f32, String> {
    if value.is_finite() { Ok(value) } else { Err(format!("{name} is not a number")) }
}

fn unknown<const N: usize>(what: &str, word: &str, known: [&str; N]) -> String {
    let word: String = word.chars().take(40).collect();
    format!("`{word}` is no {what}: expected one of {}", known.join(", "))
}

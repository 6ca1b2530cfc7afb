//! The commands of a walk: keys, requests, the network, creatures.

use acmotion::types::{Guid, MotionCommand, Vec3};
use acmotion_sim::network::{self, LinkSettings};
use acmotion_sim::scenario::{self, CreatureKind, Input, ServerEvent, ServerSettings, WalkOptions};
use acmotion_sim::server::{Item, ServerObject};

use super::moment::Moment;
use super::town::{OBSERVER, PLAYER, Town};
use crate::protocol::{Command, CreatureOrder, HexId, Key, NetworkChange, NetworkSettings, Spell};
use crate::values::parse_command;

/// A good connection to a community server, which sends the position of each player once a second.
pub(super) const DEFAULT_NETWORK: NetworkSettings =
    NetworkSettings { latency_ms: 100.0, jitter_ms: 20.0, loss: 0.0, duplicate: 0.0, update_hz: 1.0 };

/// The maximum length of the name of a motion, in bytes.
const MAX_MOTION_LENGTH: usize = 64;

impl From<NetworkSettings> for NetworkChange {
    fn from(settings: NetworkSettings) -> Self {
        let NetworkSettings { latency_ms, jitter_ms, loss, duplicate, update_hz } = settings;
        Self {
            latency_ms: Some(latency_ms),
            jitter_ms: Some(jitter_ms),
            loss: Some(loss),
            duplicate: Some(duplicate),
            update_hz: Some(update_hz),
        }
    }
}

impl NetworkSettings {
    /// Applies a change. Nothing is changed if one of its values is out of range.
    fn apply(&mut self, change: NetworkChange) -> Result<(), String> {
        let mut changed = *self;
        for (name, given, value, min, max) in [
            ("latency_ms", change.latency_ms, &mut changed.latency_ms, 0.0, 2000.0),
            ("jitter_ms", change.jitter_ms, &mut changed.jitter_ms, 0.0, 1000.0),
            ("loss", change.loss, &mut changed.loss, 0.0, 0.9),
            ("duplicate", change.duplicate, &mut changed.duplicate, 0.0, 0.9),
            ("update_hz", change.update_hz, &mut changed.update_hz, 0.2, 30.0),
        ] {
            match given {
                Some(given) if (min..=max).contains(&given) => *value = given,
                Some(given) => return Err(format!("{name} is {given}: {min} to {max} is expected")),
                None => {}
            }
        }
        *self = changed;
        Ok(())
    }

    /// Returns the settings of the simulation. Messages to the server arrive at once, so that only one direction is
    /// affected.
    fn simulated(&self) -> network::NetworkSettings {
        let down = LinkSettings {
            latency: self.latency_ms / 1000.0,
            jitter: self.jitter_ms / 1000.0,
            loss: self.loss,
            duplicate: self.duplicate,
            ..LinkSettings::PERFECT
        };
        network::NetworkSettings { up: LinkSettings::PERFECT, down }
    }
}

impl Moment {
    /// Applies the network settings to the simulation.
    pub(super) fn apply_network(&mut self) {
        let settings = self.network.simulated();
        for client in [PLAYER, OBSERVER] {
            self.simulation.set_network(client, settings);
        }
        let server = self.simulation.server().settings();
        let position_interval = 1.0 / self.network.update_hz;
        let creature_interval = server.creature_interval.min(position_interval);
        self.simulation.set_server_settings(ServerSettings {
            position_interval,
            creature_interval,
            ..server
        });
    }

    /// Carries out a command. Returns `false` if it changes nothing.
    ///
    /// # Errors
    ///
    /// Returns the reason why it is refused.
    pub(super) fn execute(&mut self, town: &Town, command: &Command) -> Result<bool, String> {
        match command {
            Command::Key { key, down } => return Ok(self.set_key(*key, *down)),
            Command::ReleaseAll => {
                let released = Key::ALL.into_iter().filter(|key| self.set_key(*key, false)).count();
                return Ok(released > 0);
            }
            Command::Jump { extent } => self.input(Input::Jump(finite("extent", *extent)?.clamp(0.0, 1.0))),
            Command::Emote { motion } => {
                if motion.len() > MAX_MOTION_LENGTH {
                    return Err(format!(
                        "the name of a motion has {} bytes: {MAX_MOTION_LENGTH} is the maximum",
                        motion.len()
                    ));
                }
                let action = parse_command(motion)?;
                if !action.is_action() {
                    return Err(format!("{action} is not an action"));
                }
                self.input(Input::Emote(action));
            }
            Command::Stance { stance } => self.input(Input::Stance(stance.combat_mode())),
            Command::Autorun => self.input(Input::Press(MotionCommand::AUTO_RUN)),
            Command::MouseLook { on } => {
                self.mouse_look = *on;
                self.input(Input::MouseLook(*on));
            }
            Command::MouseTurn { movement } => {
                self.input(Input::MouseTurn(finite("movement", *movement)?.clamp(-1000.0, 1000.0)));
            }
            Command::Face { heading } => self.input(Input::TurnTo(finite("heading", *heading)?)),
            Command::WalkTo { position: [x, y, z] } => {
                for value in [*x, *y, *z] {
                    finite("position", value)?;
                }
                let target = town.local_position(Vec3::new(*x, *y, *z));
                self.input(Input::WalkTo(target, WalkOptions::default()));
            }
            Command::Home => {
                let (who, to) = (Town::player_name().into(), town.start());
                self.simulation.event(ServerEvent::Teleport { player: who, to });
            }
            Command::Network(change) => {
                self.network.apply(*change)?;
                self.apply_network();
            }
            Command::Creature { guid, order, target } => self.order(town, *guid, *order, *target)?,
            Command::Attack { target, height, power } => {
                let power = finite("power", *power)?.clamp(0.0, 1.0);
                let height = height.attack_height();
                self.input(Input::Attack { target: guid_or_none(*target), height, power });
            }
            Command::BeginAttack { target, height } => {
                let height = height.attack_height();
                self.input(Input::BeginAttack { target: guid_or_none(*target), height });
            }
            Command::EndAttack => self.input(Input::EndAttack),
            Command::CancelAttack => self.cancel_attack(),
            Command::Cast { spell, target } => self.cast(*spell, *target)?,
            Command::Use { guid } => self.input(Input::Use(self.creature(*guid)?.guid)),
            Command::PickUp { guid } => self.input(Input::PickUp(self.item(*guid)?.guid)),
            Command::Drop { guid } => self.input(Input::Drop(self.item(*guid)?.guid)),
            Command::Wield { guid } => {
                let item = self.item(*guid)?;
                let location = item.kind.wield_location();
                self.input(Input::Wield { item: item.guid, location });
            }
            Command::Door { guid } => self.use_door(*guid)?,
            _ => return Err(String::from("this cannot be done in a walk")),
        }
        Ok(true)
    }

    fn input(&mut self, input: Input) {
        self.simulation.input(PLAYER, input);
    }

    /// Presses or releases a key. Returns `false` if it was so already.
    fn set_key(&mut self, key: Key, down: bool) -> bool {
        let has_changed = if down { self.keys.insert(key) } else { self.keys.remove(&key) };
        if has_changed {
            let motion = key.motion();
            self.input(if down { Input::Press(motion) } else { Input::Release(motion) });
        }
        has_changed
    }

    fn order(
        &mut self,
        town: &Town,
        guid: HexId,
        order: CreatureOrder,
        target: Option<HexId>,
    ) -> Result<(), String> {
        let creature = self.creature(guid)?;
        let (guid, name) = (creature.guid, creature.name.clone());
        let target = match target {
            Some(target) => self.name_of(target.guid())?,
            None => Town::player_name().into(),
        };
        let given = match order {
            CreatureOrder::Chase => scenario::CreatureOrder::Chase(target),
            CreatureOrder::Stick => scenario::CreatureOrder::Attack(target),
            CreatureOrder::Patrol => scenario::CreatureOrder::Patrol(town.round(&name)),
            CreatureOrder::Stay => scenario::CreatureOrder::Stand,
        };
        self.simulation.order(guid, given);
        self.orders.insert(guid, order);
        Ok(())
    }

    fn name_of(&self, guid: Guid) -> Result<String, String> {
        let name = self.simulation.name_of(guid).map(String::from);
        name.ok_or_else(|| format!("there is no entity {guid}"))
    }

    fn use_door(&mut self, guid: HexId) -> Result<(), String> {
        let object = self.creature(guid)?;
        if object.kind != CreatureKind::Door {
            return Err(format!("{} is not a door", object.name));
        }
        let (guid, is_open) = (object.guid, object.is_open());
        let order = if is_open { scenario::CreatureOrder::Close } else { scenario::CreatureOrder::Open };
        self.simulation.order(guid, order);
        Ok(())
    }

    /// Cancels the attack, and stops the player if it charges.
    fn cancel_attack(&mut self) {
        self.input(Input::CancelAttack);
        if self.simulation.truth(self.player()).is_some_and(|own| own.entity().is_moving_to()) {
            self.input(Input::StopCompletely);
        }
    }

    /// Casts a spell. Without a target that it needs, the client refuses, as the original's does.
    fn cast(&mut self, spell: Spell, target: Option<HexId>) -> Result<(), String> {
        let target = target.filter(|_| spell.needs_target());
        if spell.needs_target() && target.is_none() {
            let error = String::from("there is no target");
            self.requests.refuse(spell, &error, self.simulation.now());
            return Err(error);
        }
        self.input(Input::Cast { spell: spell.id(), target: target.map(HexId::guid) });
        Ok(())
    }

    fn item(&self, guid: HexId) -> Result<&Item, String> {
        let mut items = self.simulation.server().items();
        items.find(|item| item.guid == guid.guid()).ok_or_else(|| format!("there is no item {guid}"))
    }

    /// Returns a creature or door that the server controls.
    fn creature(&self, guid: HexId) -> Result<&ServerObject, String> {
        let mut objects = self.simulation.server().objects().iter();
        objects
            .find(|object| object.guid == guid.guid() && object.client().is_none())
            .ok_or_else(|| format!("the server controls no object {guid}"))
    }
}

fn guid_or_none(target: Option<HexId>) -> Guid {
    target.map_or(Guid::NONE, HexId::guid)
}

fn finite(name: &str, value: f32) -> Result<f32, String> {
    if value.is_finite() { Ok(value) } else { Err(format!("{name} is not finite")) }
}

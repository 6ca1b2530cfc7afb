//! Builds a scenario from the tables of a file.

use std::collections::{HashMap, HashSet};

use acmotion::types::Guid;
use acmotion::wire::AttackHeight;
use toml::Spanned;

use super::table::{
    ClientTable, CreatureTable, EventTable, GroundTable, InputTable, LinkTable, NetworkTable, OrderTable,
    Retransmit, ScenarioTable, ServerTable,
};
use super::{
    ClientSpec, CreatureKind, CreatureOrder, CreatureSpec, Ground, Input, LocalPosition, Scenario,
    ScenarioError, ServerEvent, ServerSettings, Timed, WalkOptions, keys,
};
use crate::network::{LinkSettings, NetworkSettings};
use crate::server::{creature_guid, player_guid};

/// The maximum duration of a scenario, in seconds: an hour.
const MAX_SECONDS: f64 = 3_600.0;
/// The maximum number of entries in a list.
const MAX_ENTRIES: usize = 1_000;
/// The maximum length of a name, in bytes.
const MAX_NAME: usize = 40;
/// The maximum run and jump skill. Higher ones count as this.
const MAX_SKILL: u32 = 10_000;

type Parsed<T> = Result<T, String>;

/// Parses a scenario.
pub(super) fn scenario(text: &str) -> Result<Scenario, ScenarioError> {
    let table: ScenarioTable = toml::from_str(text).map_err(|error| {
        let at = error.span().map_or(text.len(), |span| span.start);
        ScenarioError::at(text, at, error.message())
    })?;
    let guids = guids(&table);
    Reader { text, guids }.scenario(table)
}

/// Returns the ids of all entities by their names.
fn guids(table: &ScenarioTable) -> HashMap<String, Guid> {
    let clients = table.players.iter().chain(&table.observers).enumerate();
    let clients = clients.map(|(index, client)| (client.get_ref().name.clone(), player_guid(index)));
    let creatures = table.creatures.iter().enumerate();
    let creatures =
        creatures.map(|(index, creature)| (creature.get_ref().name.clone(), creature_guid(index)));
    clients.chain(creatures).collect()
}

/// Reads tables, with the text at hand to find the lines of errors.
struct Reader<'a> {
    text: &'a str,
    guids: HashMap<String, Guid>,
}

impl Reader<'_> {
    /// Reads a value. An error gets the line of the value.
    fn read<T, R>(&self, value: Spanned<T>, read: impl FnOnce(T) -> Parsed<R>) -> Result<R, ScenarioError> {
        let at = value.span().start;
        read(value.into_inner()).map_err(|message| ScenarioError::at(self.text, at, message))
    }

    fn list<T, R>(
        &self,
        name: &str,
        list: Vec<Spanned<T>>,
        read: impl Fn(T) -> Parsed<R>,
    ) -> Result<Vec<R>, ScenarioError> {
        self.check_length(name, &list)?;
        list.into_iter().map(|table| self.read(table, &read)).collect()
    }

    fn check_length<T>(&self, name: &str, list: &[Spanned<T>]) -> Result<(), ScenarioError> {
        let Some(excess) = list.get(MAX_ENTRIES) else { return Ok(()) };
        let message = format!(
            "{name}: expected at most {MAX_ENTRIES} entries, found {}; this is the first too many",
            list.len()
        );
        Err(ScenarioError::at(self.text, excess.span().start, message))
    }

    fn scenario(&self, table: ScenarioTable) -> Result<Scenario, ScenarioError> {
        let mut scenario = Scenario { title: table.title, seed: table.seed, ..Scenario::default() };
        scenario.seconds = self.read(table.seconds, |value| within("seconds", value, 0.1, MAX_SECONDS))?;
        if let Some(landblock) = table.landblock {
            scenario.landblock = self.read(landblock, |text| {
                let digits = text.strip_prefix("0x").unwrap_or(&text);
                u16::from_str_radix(digits, 16).map_err(|_| {
                    format!("landblock: expected four hexadecimal digits such as A9B4, found `{text}`")
                })
            })?;
        }
        if let Some(table) = table.ground {
            scenario.ground = self.read(table, |table| ground(table, scenario.landblock))?;
        }
        if let Some(table) = table.server {
            scenario.server = self.read(table, server)?;
        }
        let mut network = NetworkSettings::default();
        if let Some(table) = table.network {
            network = self.read(table, |table| connection(table, network))?;
        }
        for (name, list, is_observer) in
            [("player", table.players, false), ("observer", table.observers, true)]
        {
            self.check_length(name, &list)?;
            for table in list {
                scenario.clients.push(self.client(table, network, is_observer)?);
            }
        }
        self.check_length("creature", &table.creatures)?;
        for table in table.creatures {
            scenario.creatures.push(self.creature(table)?);
        }
        scenario.events = self.list("event", table.events, event)?;
        check_names(&scenario).map_err(ScenarioError::new)?;
        Ok(scenario)
    }

    fn client(
        &self,
        table: Spanned<ClientTable>,
        network: NetworkSettings,
        is_observer: bool,
    ) -> Result<ClientSpec, ScenarioError> {
        let at = table.span().start;
        let mut table = table.into_inner();
        let inputs = self.list("input", std::mem::take(&mut table.input), |table| {
            input(table, |name| {
                let found = self.guids.get(name).copied();
                found.ok_or_else(|| format!("no player, observer or creature is called `{name}`"))
            })
        })?;
        if is_observer && !inputs.is_empty() {
            return Err(ScenarioError::at(self.text, at, "an observer cannot have input: make it a player"));
        }
        for (has_it, weapon) in [(table.sword, "sword"), (table.bow, "bow")] {
            if is_observer && has_it {
                let message = format!("an observer cannot have a {weapon}: make it a player");
                return Err(ScenarioError::at(self.text, at, message));
            }
        }
        let read = |table: ClientTable| {
            let default = ClientSpec::default();
            let frame_rate = table.frame_rate.unwrap_or(default.frame_rate);
            Ok(ClientSpec {
                name: name(table.name)?,
                position: position("at", &table.at, table.heading)?,
                is_observer,
                enters: within("enters", table.enters, 0.0, MAX_SECONDS)?,
                run_skill: table.run_skill.unwrap_or(default.run_skill).min(MAX_SKILL),
                jump_skill: table.jump_skill.unwrap_or(default.jump_skill).min(MAX_SKILL),
                load: number("load", table.load.unwrap_or(default.load))?,
                run_by_default: table.run_by_default.unwrap_or(default.run_by_default),
                has_sword: table.sword,
                has_bow: table.bow,
                frame_rate: within("frame_rate", frame_rate, 1.0, 1_000.0)?,
                network: match table.network {
                    Some(table) => connection(table, network)?,
                    None => network,
                },
                inputs,
            })
        };
        read(table).map_err(|message: String| ScenarioError::at(self.text, at, message))
    }

    fn creature(&self, table: Spanned<CreatureTable>) -> Result<CreatureSpec, ScenarioError> {
        let at = table.span().start;
        let mut table = table.into_inner();
        let orders = self.list("order", std::mem::take(&mut table.order), order)?;
        let read = |table: CreatureTable| {
            let default = CreatureSpec::default();
            let kind = match table.kind.as_deref() {
                None | Some("human") => CreatureKind::Human,
                Some("beast") => CreatureKind::Beast,
                Some("door") => CreatureKind::Door,
                Some(other) => return Err(format!("kind: expected human, beast or door, found `{other}`")),
            };
            let run_rate = number("run_rate", table.run_rate.unwrap_or(default.run_rate))?;
            let spot = position("at", &table.at, table.heading)?;
            Ok(CreatureSpec { name: name(table.name)?, kind, position: spot, run_rate, orders })
        };
        read(table).map_err(|message| ScenarioError::at(self.text, at, message))
    }
}

fn within(name: &str, value: f64, min: f64, max: f64) -> Parsed<f64> {
    let message = || format!("{name}: expected {min} to {max}, found {}", short(value));
    (min..=max).contains(&value).then_some(value).ok_or_else(message)
}

fn number(name: &str, value: f32) -> Parsed<f32> {
    let message = || format!("{name}: expected -100000 to 100000, found {}", short(value.into()));
    (value.abs() <= 100_000.0).then_some(value).ok_or_else(message)
}

/// Formats a number for an error, without hundreds of digits.
fn short(value: f64) -> String {
    let is_long = value.is_finite() && value != 0.0 && !(1e-6..1e15).contains(&value.abs());
    if is_long { format!("{value:e}") } else { value.to_string() }
}

fn name(name: String) -> Parsed<String> {
    let is_printable = name.bytes().all(|byte| (b' '..=b'~').contains(&byte));
    if is_printable && (1..=MAX_NAME).contains(&name.len()) {
        return Ok(name);
    }
    let start: String = name.chars().take(MAX_NAME).collect();
    let rest = if start.len() < name.len() { "…" } else { "" };
    Err(format!("name: expected 1 to {MAX_NAME} printable ASCII characters, found `{start}{rest}`"))
}

fn position(name: &str, parts: &[f32], heading: f32) -> Parsed<LocalPosition> {
    for part in parts {
        number(name, *part)?;
    }
    let heading = number("heading", heading)?;
    match *parts {
        [x, y] => Ok(LocalPosition { heading, ..LocalPosition::new(x, y) }),
        [x, y, z] => Ok(LocalPosition { z: Some(z), heading, ..LocalPosition::new(x, y) }),
        _ => Err(format!(
            "{name}: expected [east, north] or [east, north, up] in metres, found {} numbers",
            parts.len()
        )),
    }
}

fn ground(table: GroundTable, landblock: u16) -> Parsed<Ground> {
    if let Some(town) = table.town {
        if table.height.is_some() || table.slope.is_some() {
            return Err(String::from("ground: the town has its own heights; leave out height and slope"));
        }
        return only_true("town", town, Ground::Town);
    }
    let height = table.height.unwrap_or(94.0);
    let ground = match table.slope {
        None => Ground::Level { height },
        Some(slope) => Ground::Slope { height, rise: slope.rise, towards: slope.towards },
    };
    if ground.surroundings(landblock).is_some() { Ok(ground) } else { Err(ground.problem()) }
}

fn server(table: ServerTable) -> Parsed<ServerSettings> {
    let default = ServerSettings::default();
    let interval =
        |name, value: Option<f64>, default: f64| within(name, value.unwrap_or(default), 0.01, MAX_SECONDS);
    Ok(ServerSettings {
        tick_rate: within("tick_rate", table.tick_rate.unwrap_or(default.tick_rate), 1.0, 1_000.0)?,
        position_interval: interval("position_interval", table.position_interval, default.position_interval)?,
        creature_interval: interval("creature_interval", table.creature_interval, default.creature_interval)?,
        portal_seconds: interval("portal_seconds", table.portal_seconds, default.portal_seconds)?,
        view_distance: default.view_distance,
    })
}

/// Reads a connection. Keys that are left out keep the values of `base`.
fn connection(table: NetworkTable, base: NetworkSettings) -> Parsed<NetworkSettings> {
    let NetworkTable { latency, jitter, loss, duplicate, reorder, retransmit, up, down } = table;
    let both = LinkTable { latency, jitter, loss, duplicate, reorder, retransmit };
    Ok(NetworkSettings {
        up: link(&up.unwrap_or_default(), link(&both, base.up)?)?,
        down: link(&down.unwrap_or_default(), link(&both, base.down)?)?,
    })
}

fn link(table: &LinkTable, base: LinkSettings) -> Parsed<LinkSettings> {
    let seconds = |name, value: Option<f64>, base: f64| within(name, value.unwrap_or(base), 0.0, 60.0);
    let share = |name, value: Option<f64>, base: f64| within(name, value.unwrap_or(base), 0.0, 1.0);
    let retransmit = match table.retransmit {
        None => base.retransmit,
        Some(Retransmit::Switch(false)) => None,
        Some(Retransmit::Switch(true)) => LinkSettings::PERFECT.retransmit,
        Some(Retransmit::After(after)) => Some(within("retransmit", after, 0.0, 60.0)?),
    };
    Ok(LinkSettings {
        latency: seconds("latency", table.latency, base.latency)?,
        jitter: seconds("jitter", table.jitter, base.jitter)?,
        loss: share("loss", table.loss, base.loss)?,
        duplicate: share("duplicate", table.duplicate, base.duplicate)?,
        reorder: share("reorder", table.reorder, base.reorder)?,
        retransmit,
    })
}

/// Returns the only value that is given, of several keys of which exactly one is expected.
fn one_of<T>(expected: &str, values: Vec<Option<Parsed<T>>>) -> Parsed<T> {
    let mut given = values.into_iter().flatten();
    match (given.next(), given.next()) {
        (Some(value), None) => value,
        (None, _) => Err(format!("expected `at` and one of {expected}, found only `at`")),
        (Some(_), Some(_)) => Err(format!("expected `at` and only one of {expected}, found several")),
    }
}

fn timed<T>(at: f64, value: T) -> Parsed<Timed<T>> {
    Ok(Timed { at: within("at", at, 0.0, MAX_SECONDS)?, value })
}

/// Returns `meaning` for a key that can only be true.
fn only_true<T>(name: &str, value: bool, meaning: T) -> Parsed<T> {
    value
        .then_some(meaning)
        .ok_or_else(|| format!("{name}: expected true, found false; leave the key out instead"))
}

/// The maximum distance, in metres, and time, in seconds, of a walk.
const MAX_WALK_OPTION: f64 = 1e6;
/// The power of an attack if none is given: half the power bar.
const ATTACK_POWER: f32 = 0.5;

fn input(table: InputTable, guid_of: impl Fn(&str) -> Parsed<Guid>) -> Parsed<Timed<Input>> {
    if table.attack.is_none() && (table.height.is_some() || table.power.is_some()) {
        return Err(String::from("height and power belong to `attack`, which is missing"));
    }
    if table.cast.is_none() && table.target.is_some() {
        return Err(String::from("target belongs to `cast`, which is missing"));
    }
    let (run, distance, timeout) = (table.run, table.distance, table.timeout);
    if table.walk_to.is_none() && (run.is_some() || distance.is_some() || timeout.is_some()) {
        return Err(String::from("run, distance and timeout belong to `walk_to`, which is missing"));
    }
    let walk_to = |target: Vec<f32>| {
        let length = |name, value: Option<f32>| {
            value.map(|value| within(name, value.into(), 0.0, MAX_WALK_OPTION).map(|v| v as f32)).transpose()
        };
        let options = WalkOptions {
            run,
            distance: length("distance", distance)?,
            timeout: length("timeout", timeout)?,
        };
        Ok(Input::WalkTo(position("walk_to", &target, 0.0)?, options))
    };
    let attack = |name: String| {
        let height = table.height.as_deref().map_or(Ok(AttackHeight::MEDIUM), keys::attack_height)?;
        let power = within("power", table.power.unwrap_or(ATTACK_POWER).into(), 0.0, 1.0)? as f32;
        Ok(Input::Attack { target: guid_of(&name)?, height, power })
    };
    let cast = |spell| {
        let target = table.target.as_deref().map(&guid_of).transpose()?;
        Ok(Input::Cast { spell, target })
    };
    let input = one_of(
        "press, release, tap, jump, walk_to, turn_to, emote, stance, mouse_look, mouse_turn, stop, attack, cast, use",
        vec![
            table.press.map(|word| keys::key(&word).map(Input::Press)),
            table.release.map(|word| keys::key(&word).map(Input::Release)),
            table.tap.map(|word| keys::key(&word).map(Input::Tap)),
            table.jump.map(|extent| within("jump", extent.into(), 0.0, 1.0).map(|e| Input::Jump(e as f32))),
            table.walk_to.map(walk_to),
            table.turn_to.map(|heading| number("turn_to", heading).map(Input::TurnTo)),
            table.emote.map(|word| keys::action(&word).map(Input::Emote)),
            table.stance.map(|word| keys::combat_mode(&word).map(Input::Stance)),
            table.mouse_look.map(|turns| Ok(Input::MouseLook(turns))),
            table.mouse_turn.map(|movement| number("mouse_turn", movement).map(Input::MouseTurn)),
            table.stop.map(|stop| only_true("stop", stop, Input::StopCompletely)),
            table.attack.map(attack),
            table.cast.map(cast),
            table.use_object.map(|name| guid_of(&name).map(Input::Use)),
        ],
    )?;
    timed(table.at, input)
}

fn order(table: OrderTable) -> Parsed<Timed<CreatureOrder>> {
    let patrol = |positions: Vec<Vec<f32>>| {
        if positions.len() < 2 {
            return Err(format!("patrol: expected at least two positions, found {}", positions.len()));
        }
        if positions.len() > MAX_ENTRIES {
            let found = positions.len();
            return Err(format!("patrol: expected at most {MAX_ENTRIES} positions, found {found}"));
        }
        let route: Parsed<_> = positions.iter().map(|parts| position("patrol", parts, 0.0)).collect();
        route.map(CreatureOrder::Patrol)
    };
    let order = one_of(
        "stand, go_to, patrol, turn_to, face, chase, attack, emote, stance, die, open",
        vec![
            table.stand.map(|stand| only_true("stand", stand, CreatureOrder::Stand)),
            table.go_to.map(|target| position("go_to", &target, 0.0).map(CreatureOrder::GoTo)),
            table.patrol.map(patrol),
            table.turn_to.map(|heading| number("turn_to", heading).map(CreatureOrder::TurnTo)),
            table.face.map(|target| Ok(CreatureOrder::Face(target))),
            table.chase.map(|target| Ok(CreatureOrder::Chase(target))),
            table.attack.map(|target| Ok(CreatureOrder::Attack(target))),
            table.emote.map(|word| keys::action(&word).map(CreatureOrder::Emote)),
            table.stance.map(|word| keys::style(&word).map(CreatureOrder::Stance)),
            table.die.map(|die| only_true("die", die, CreatureOrder::Die)),
            table.open.map(|open| Ok(if open { CreatureOrder::Open } else { CreatureOrder::Close })),
        ],
    )?;
    timed(table.at, order)
}

fn event(table: EventTable) -> Parsed<Timed<ServerEvent>> {
    let EventTable { at, teleport, to, heading, kill, send, target } = table;
    let to = to.map(|parts| position("to", &parts, heading.unwrap_or(0.0))).transpose()?;
    let (has_to, has_target) = (to.is_some(), target.is_some());
    let (is_teleport, is_send) = (teleport.is_some(), send.is_some());
    let event = one_of(
        "teleport, kill, send",
        vec![
            teleport.map(|player| match to {
                Some(to) => Ok(ServerEvent::Teleport { player, to }),
                None => Err(String::from("teleport: expected `to`, a position")),
            }),
            kill.map(|player| Ok(ServerEvent::Kill { player })),
            send.map(|player| match target {
                Some(to) => Ok(ServerEvent::MoveTo { player, to }),
                None => Err(String::from("send: expected `target`, a name")),
            }),
        ],
    )?;
    if has_to != is_teleport || has_target != is_send {
        return Err(String::from("`to` belongs to teleport only, `target` to send only"));
    }
    timed(at, event)
}

/// Checks that all names are different, and that those of targets exist.
fn check_names(scenario: &Scenario) -> Parsed<()> {
    let clients = scenario.clients.iter().map(|spec| spec.name.as_str());
    let names = clients.chain(scenario.creatures.iter().map(|spec| spec.name.as_str()));
    let mut known = HashSet::new();
    for name in names {
        if !known.insert(name) {
            return Err(format!(
                "the name `{name}` is used twice: each player, observer and creature needs its own"
            ));
        }
    }
    let check_target = |name: &str| {
        let message = || format!("there is no player, observer or creature named `{name}`");
        known.contains(name).then_some(()).ok_or_else(message)
    };
    for timed in scenario.creatures.iter().flat_map(|spec| &spec.orders) {
        match &timed.value {
            CreatureOrder::Face(target) | CreatureOrder::Chase(target) | CreatureOrder::Attack(target) => {
                check_target(target)?;
            }
            _ => {}
        }
    }
    for timed in &scenario.events {
        let (player, target) = match &timed.value {
            ServerEvent::Teleport { player: who, .. } | ServerEvent::Kill { player: who } => (who, None),
            ServerEvent::MoveTo { player: who, to } => (who, Some(to)),
        };
        target.map_or(Ok(()), |target| check_target(target))?;
        if scenario.client(player).is_none() {
            return Err(format!("there is no player named `{player}`"));
        }
    }
    Ok(())
}

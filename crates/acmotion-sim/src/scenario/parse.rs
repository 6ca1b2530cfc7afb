//! From the tables of a file to a scene.

use std::collections::HashSet;

use toml::Spanned;

use super::table::{
    ClientTable, CreatureTable, EventTable, GroundTable, InputTable, LinkTable, NetworkTable, OrderTable,
    Retransmit, SceneTable, ServerTable,
};
use super::{
    ClientSpec, CreatureKind, CreatureOrder, CreatureSpec, Ground, Input, LocalPosition, Scenario,
    ScenarioError, ServerEvent, ServerSettings, Timed, keys,
};
use crate::network::{LinkSettings, NetworkSettings};

/// Scenes longer than this are refused: an hour.
const LONGEST: f64 = 3_600.0;
/// How many of a kind there may be.
const MOST: usize = 1_000;

type Parsed<T> = Result<T, String>;

/// Reads a scene.
pub(super) fn scene(text: &str) -> Result<Scenario, ScenarioError> {
    let table: SceneTable = toml::from_str(text).map_err(|error| {
        let at = error.span().map_or(text.len(), |span| span.start);
        ScenarioError::at(text, at, error.message())
    })?;
    Reader { text }.scene(table)
}

/// The text, to say in which line something is wrong.
struct Reader<'a> {
    text: &'a str,
}

impl Reader<'_> {
    /// Reads one table; what is wrong with it is told with its line.
    fn each<T, R>(&self, table: Spanned<T>, read: impl FnOnce(T) -> Parsed<R>) -> Result<R, ScenarioError> {
        let at = table.span().start;
        read(table.into_inner()).map_err(|message| ScenarioError::at(self.text, at, message))
    }

    fn list<T, R>(
        &self,
        list: Vec<Spanned<T>>,
        read: impl Fn(T) -> Parsed<R>,
    ) -> Result<Vec<R>, ScenarioError> {
        list.into_iter().take(MOST).map(|table| self.each(table, &read)).collect()
    }

    fn scene(&self, table: SceneTable) -> Result<Scenario, ScenarioError> {
        let mut scene = Scenario { title: table.title, seed: table.seed, ..Scenario::default() };
        scene.seconds = self.each(table.seconds, |value| within("seconds", value, 0.1, LONGEST))?;
        if let Some(landblock) = table.landblock {
            scene.landblock = self.each(landblock, |text| {
                let digits = text.strip_prefix("0x").unwrap_or(&text);
                u16::from_str_radix(digits, 16)
                    .map_err(|_| format!("landblock: `{text}` is not four hexadecimal digits such as A9B4"))
            })?;
        }
        if let Some(table) = table.ground {
            scene.ground = self.each(table, |table| ground(table, scene.landblock))?;
        }
        if let Some(table) = table.server {
            scene.server = self.each(table, server)?;
        }
        let mut network = NetworkSettings::default();
        if let Some(table) = table.network {
            network = self.each(table, |table| connection(table, network))?;
        }
        for (list, is_observer) in [(table.players, false), (table.observers, true)] {
            for table in list.into_iter().take(MOST) {
                scene.clients.push(self.client(table, network, is_observer)?);
            }
        }
        for table in table.creatures.into_iter().take(MOST) {
            scene.creatures.push(self.creature(table)?);
        }
        scene.events = self.list(table.events, event)?;
        check(&scene).map_err(ScenarioError::new)?;
        Ok(scene)
    }

    fn client(
        &self,
        table: Spanned<ClientTable>,
        network: NetworkSettings,
        is_observer: bool,
    ) -> Result<ClientSpec, ScenarioError> {
        let at = table.span().start;
        let mut table = table.into_inner();
        let inputs = self.list(std::mem::take(&mut table.input), input)?;
        if is_observer && !inputs.is_empty() {
            return Err(ScenarioError::at(self.text, at, "an observer has no input: make it a player"));
        }
        let read = |table: ClientTable| {
            let usual = ClientSpec::default();
            let role = ClientSpec {
                name: name(table.name)?,
                spot: spot("at", &table.at, table.heading)?,
                is_observer,
                enters: within("enters", table.enters, 0.0, LONGEST)?,
                run_skill: table.run_skill.unwrap_or(usual.run_skill).min(10_000),
                jump_skill: table.jump_skill.unwrap_or(usual.jump_skill).min(10_000),
                load: number("load", table.load.unwrap_or(usual.load))?,
                run_by_default: table.run_by_default.unwrap_or(usual.run_by_default),
                frame_rate: within("frame_rate", table.frame_rate.unwrap_or(usual.frame_rate), 1.0, 1_000.0)?,
                network: match table.network {
                    Some(table) => connection(table, network)?,
                    None => network,
                },
                inputs,
            };
            Ok(role)
        };
        read(table).map_err(|message: String| ScenarioError::at(self.text, at, message))
    }

    fn creature(&self, table: Spanned<CreatureTable>) -> Result<CreatureSpec, ScenarioError> {
        let at = table.span().start;
        let mut table = table.into_inner();
        let orders = self.list(std::mem::take(&mut table.order), order)?;
        let read = |table: CreatureTable| {
            let usual = CreatureSpec::default();
            let kind = match table.kind.as_deref() {
                None | Some("human") => CreatureKind::Human,
                Some("beast") => CreatureKind::Beast,
                Some("door") => CreatureKind::Door,
                Some(other) => return Err(format!("kind: `{other}` is not one of human, beast, door")),
            };
            let run_rate = number("run_rate", table.run_rate.unwrap_or(usual.run_rate))?;
            let spot = spot("at", &table.at, table.heading)?;
            Ok(CreatureSpec { name: name(table.name)?, kind, spot, run_rate, orders })
        };
        read(table).map_err(|message| ScenarioError::at(self.text, at, message))
    }
}

fn within(what: &str, value: f64, least: f64, most: f64) -> Parsed<f64> {
    let message = || format!("{what}: {value} is not from {least} to {most}");
    (least..=most).contains(&value).then_some(value).ok_or_else(message)
}

fn number(what: &str, value: f32) -> Parsed<f32> {
    let sound = value.is_finite() && value.abs() <= 100_000.0;
    sound.then_some(value).ok_or_else(|| format!("{what}: {value} is out of range"))
}

fn name(name: String) -> Parsed<String> {
    let sound =
        !name.is_empty() && name.len() <= 40 && name.bytes().all(|byte| (b' '..=b'~').contains(&byte));
    let message = format!("name: `{name}` is not 1 to 40 plain letters");
    sound.then_some(name).ok_or(message)
}

fn spot(what: &str, parts: &[f32], heading: f32) -> Parsed<LocalPosition> {
    for part in parts {
        number(what, *part)?;
    }
    let heading = number("heading", heading)?;
    match *parts {
        [x, y] => Ok(LocalPosition { heading, ..LocalPosition::new(x, y) }),
        [x, y, z] => Ok(LocalPosition { z: Some(z), heading, ..LocalPosition::new(x, y) }),
        _ => Err(format!("{what}: a place is [east, north] or [east, north, up] in metres")),
    }
}

fn ground(table: GroundTable, landblock: u16) -> Parsed<Ground> {
    if let Some(town) = table.town {
        if table.height.is_some() || table.slope.is_some() {
            return Err(String::from("ground: the town has its own heights and slopes"));
        }
        return only_true("town", town, Ground::Town);
    }
    let height = table.height.unwrap_or(94.0);
    let ground = match table.slope {
        None => Ground::Level { height },
        Some(slope) => Ground::Slope { height, rise: slope.rise, towards: slope.towards },
    };
    let possible = ground.surroundings(landblock).is_some();
    possible.then_some(ground).ok_or_else(|| String::from("ground: no ground is that steep"))
}

fn server(table: ServerTable) -> Parsed<ServerSettings> {
    let usual = ServerSettings::default();
    let interval = |what, value: Option<f64>, usual: f64| within(what, value.unwrap_or(usual), 0.01, LONGEST);
    Ok(ServerSettings {
        tick_rate: within("tick_rate", table.tick_rate.unwrap_or(usual.tick_rate), 1.0, 1_000.0)?,
        position_interval: interval("position_interval", table.position_interval, usual.position_interval)?,
        creature_interval: interval("creature_interval", table.creature_interval, usual.creature_interval)?,
        portal_seconds: interval("portal_seconds", table.portal_seconds, usual.portal_seconds)?,
    })
}

/// A connection; what is left out is as before.
fn connection(table: NetworkTable, before: NetworkSettings) -> Parsed<NetworkSettings> {
    let NetworkTable { latency, jitter, loss, duplicate, reorder, retransmit, up, down } = table;
    let both = LinkTable { latency, jitter, loss, duplicate, reorder, retransmit };
    Ok(NetworkSettings {
        up: link(&up.unwrap_or_default(), link(&both, before.up)?)?,
        down: link(&down.unwrap_or_default(), link(&both, before.down)?)?,
    })
}

fn link(table: &LinkTable, before: LinkSettings) -> Parsed<LinkSettings> {
    let seconds = |what, value: Option<f64>, before: f64| within(what, value.unwrap_or(before), 0.0, 60.0);
    let share = |what, value: Option<f64>, before: f64| within(what, value.unwrap_or(before), 0.0, 1.0);
    let retransmit = match table.retransmit {
        None => before.retransmit,
        Some(Retransmit::Switch(false)) => None,
        Some(Retransmit::Switch(true)) => LinkSettings::PERFECT.retransmit,
        Some(Retransmit::After(after)) => Some(within("retransmit", after, 0.0, 60.0)?),
    };
    Ok(LinkSettings {
        latency: seconds("latency", table.latency, before.latency)?,
        jitter: seconds("jitter", table.jitter, before.jitter)?,
        loss: share("loss", table.loss, before.loss)?,
        duplicate: share("duplicate", table.duplicate, before.duplicate)?,
        reorder: share("reorder", table.reorder, before.reorder)?,
        retransmit,
    })
}

/// Exactly one of the keys that say what.
fn one_of<T>(expected: &str, found: Vec<Option<Parsed<T>>>) -> Parsed<T> {
    let mut found = found.into_iter().flatten();
    match (found.next(), found.next()) {
        (Some(what), None) => what,
        (None, _) => Err(format!("nothing to do: expected `at` and one of {expected}")),
        (Some(_), Some(_)) => Err(format!("too much at once: expected `at` and only one of {expected}")),
    }
}

fn timed<T>(at: f64, what: T) -> Parsed<Timed<T>> {
    Ok(Timed { at: within("at", at, 0.0, LONGEST)?, value: what })
}

/// Only `true` means anything.
fn only_true<T>(what: &str, value: bool, meaning: T) -> Parsed<T> {
    value.then_some(meaning).ok_or_else(|| format!("{what} = false means nothing: leave it out"))
}

fn input(table: InputTable) -> Parsed<Timed<Input>> {
    let what = one_of(
        "press, release, tap, jump, walk_to, turn_to, emote, stance, mouse_look, mouse_turn, stop",
        vec![
            table.press.map(|word| keys::key(&word).map(Input::Press)),
            table.release.map(|word| keys::key(&word).map(Input::Release)),
            table.tap.map(|word| keys::key(&word).map(Input::Tap)),
            table.jump.map(|extent| within("jump", extent.into(), 0.0, 1.0).map(|e| Input::Jump(e as f32))),
            table.walk_to.map(|place| spot("walk_to", &place, 0.0).map(Input::WalkTo)),
            table.turn_to.map(|heading| number("turn_to", heading).map(Input::TurnTo)),
            table.emote.map(|word| keys::action(&word).map(Input::Emote)),
            table.stance.map(|word| keys::combat_mode(&word).map(Input::Stance)),
            table.mouse_look.map(|turns| Ok(Input::MouseLook(turns))),
            table.mouse_turn.map(|movement| number("mouse_turn", movement).map(Input::MouseTurn)),
            table.stop.map(|stop| only_true("stop", stop, Input::StopCompletely)),
        ],
    )?;
    timed(table.at, what)
}

fn order(table: OrderTable) -> Parsed<Timed<CreatureOrder>> {
    let round = |places: Vec<Vec<f32>>| {
        let places: Parsed<Vec<LocalPosition>> =
            places.iter().map(|place| spot("patrol", place, 0.0)).collect();
        let places = places?;
        (places.len() >= 2)
            .then_some(CreatureOrder::Patrol(places))
            .ok_or_else(|| String::from("patrol: expected at least two places"))
    };
    let what = one_of(
        "stand, go_to, patrol, turn_to, face, chase, attack, emote, stance, die, open",
        vec![
            table.stand.map(|stand| only_true("stand", stand, CreatureOrder::Stand)),
            table.go_to.map(|place| spot("go_to", &place, 0.0).map(CreatureOrder::GoTo)),
            table.patrol.map(round),
            table.turn_to.map(|heading| number("turn_to", heading).map(CreatureOrder::TurnTo)),
            table.face.map(|who| Ok(CreatureOrder::Face(who))),
            table.chase.map(|who| Ok(CreatureOrder::Chase(who))),
            table.attack.map(|who| Ok(CreatureOrder::Attack(who))),
            table.emote.map(|word| keys::action(&word).map(CreatureOrder::Emote)),
            table.stance.map(|word| keys::style(&word).map(CreatureOrder::Stance)),
            table.die.map(|die| only_true("die", die, CreatureOrder::Die)),
            table.open.map(|open| Ok(if open { CreatureOrder::Open } else { CreatureOrder::Close })),
        ],
    )?;
    timed(table.at, what)
}

fn event(table: EventTable) -> Parsed<Timed<ServerEvent>> {
    let EventTable { at, teleport, to, heading, kill, send, target } = table;
    let place = to.map(|place| spot("to", &place, heading.unwrap_or(0.0))).transpose()?;
    let (has_to, has_target) = (place.is_some(), target.is_some());
    let is_teleport = teleport.is_some();
    let is_send = send.is_some();
    let what = one_of(
        "teleport, kill, send",
        vec![
            teleport.map(|who| match place {
                Some(to) => Ok(ServerEvent::Teleport { who, to }),
                None => Err(String::from("teleport: expected `to`, a place")),
            }),
            kill.map(|who| Ok(ServerEvent::Kill { who })),
            send.map(|who| match target {
                Some(to) => Ok(ServerEvent::MoveTo { who, to }),
                None => Err(String::from("send: expected `target`, a name")),
            }),
        ],
    )?;
    if has_to != is_teleport || has_target != is_send {
        return Err(String::from("`to` goes with teleport, `target` with send"));
    }
    timed(at, what)
}

/// Names are all different, and whoever is meant is there.
fn check(scene: &Scenario) -> Parsed<()> {
    let clients = scene.clients.iter().map(|role| role.name.as_str());
    let names = clients.chain(scene.creatures.iter().map(|role| role.name.as_str()));
    let mut known = HashSet::new();
    for name in names {
        if !known.insert(name) {
            return Err(format!("two are called `{name}`"));
        }
    }
    let meant =
        |name: &str| known.contains(name).then_some(()).ok_or_else(|| format!("nobody is called `{name}`"));
    for timed in scene.creatures.iter().flat_map(|role| &role.orders) {
        match &timed.value {
            CreatureOrder::Face(who) | CreatureOrder::Chase(who) | CreatureOrder::Attack(who) => meant(who)?,
            _ => {}
        }
    }
    for timed in &scene.events {
        let (who, to) = match &timed.value {
            ServerEvent::Teleport { who, .. } | ServerEvent::Kill { who } => (who, None),
            ServerEvent::MoveTo { who, to } => (who, Some(to)),
        };
        to.map_or(Ok(()), |to| meant(to))?;
        if scene.client(who).is_none() {
            return Err(format!("no player is called `{who}`"));
        }
    }
    Ok(())
}

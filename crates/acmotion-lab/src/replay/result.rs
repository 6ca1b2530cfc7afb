//! What `replay --json` or `simulate --json` wrote, put back onto a tape.

use std::collections::{BTreeMap, HashMap};

use acmotion::dat::{Assets, DataId, ObjectKind, mannequin};
use acmotion::types::{CellId, CellPosition, Frame, Guid, MotionCommand, Quat, Vec3};
use serde_json::{Value, json};

use super::{LIMITS, Origins, Recording};
use crate::record::{Body, BodyFlags, Event, Key, Kind, Person, Tape, Tick};
use crate::values::{Origin, command};

/// Ticks a second.
const RATE: f64 = 30.0;
/// Who is not heard of for so many ticks is not there any more.
const FORGOTTEN: u32 = 15;
/// More ticks than this are not taken: four hours.
const MOST_TICKS: u32 = 4 * 3600 * 30;
/// More views than this are not shown.
const MOST_VIEWS: usize = 200;

/// Is it such a file? Its first line tells.
pub(super) fn is_result(bytes: &[u8]) -> bool {
    let line = bytes.split(|byte| *byte == b'\n').find(|line| !line.trim_ascii().is_empty());
    let value = line.and_then(|line| serde_json::from_slice::<Value>(line).ok());
    value.is_some_and(|value| {
        let has = |name: &str| value.get(name).is_some();
        has("t") && (has("event") || (has("guid") && has("origin") && has("cell")))
    })
}

pub(super) fn open(assets: &Assets, name: &str, bytes: &[u8]) -> Result<Recording, String> {
    let mut lines = Vec::new();
    let mut unreadable = 0u64;
    for line in bytes.split(|byte| *byte == b'\n').filter(|line| !line.trim_ascii().is_empty()) {
        match serde_json::from_slice::<Value>(line) {
            Ok(line) => lines.push(line),
            Err(_) => unreadable += 1,
        }
    }
    let views = Views::of(&lines);
    let mut player = Player::new(assets, &views);
    let mut skipped = 0u64;
    for line in &lines {
        skipped += u64::from(!player.line(line));
    }
    player.finish();
    if player.tape.len() == 0 {
        return Err(String::from("no line of the file says where anybody is"));
    }
    player.tape.has_ended = true;
    let mut recording = Recording::new(name, Origins::Result, player.tape);
    if !views.names.is_empty() {
        recording.views = vec![(0, "truth".into(), "everybody as he is".into())];
        let seen =
            views.names.iter().zip(1..).map(|(name, at)| (at, name.clone(), format!("what {name} shows")));
        recording.views.extend(seen);
    }
    for (count, words) in [(unreadable, "lines that are not JSON"), (skipped, "lines that could not be used")]
    {
        if count > 0 {
            recording.notes.push(format!("{words}: {count}"));
        }
    }
    Ok(recording)
}

/// Whose views the lines are about, and which of them is the truth about whom.
struct Views {
    names: Vec<String>,
    truths: HashMap<String, String>,
}

impl Views {
    fn of(lines: &[Value]) -> Self {
        let mut names: Vec<String> = Vec::new();
        let mut truths = HashMap::new();
        for line in lines {
            let word = |name: &str| line.get(name).and_then(Value::as_str);
            if let Some(view) = word("view")
                && names.len() < MOST_VIEWS
                && !names.iter().any(|name| name == view)
            {
                names.push(view.into());
            }
            if let (Some(guid), Some(truth)) = (word("guid"), word("truth")) {
                truths.insert(guid.into(), truth.into());
            }
        }
        Self { names, truths }
    }

    /// As which view somebody's line counts.
    fn of_line(&self, guid: &str, view: Option<&str>) -> Option<u8> {
        let Some(view) = view else { return Some(0) };
        if self.truths.get(guid).is_some_and(|truth| truth == view) {
            return Some(0);
        }
        let place = self.names.iter().position(|name| name == view)?;
        u8::try_from(place + 1).ok()
    }
}

/// Plays lines onto a tape.
struct Player<'a> {
    assets: &'a Assets,
    views: &'a Views,
    tape: Tape,
    start: Option<f64>,
    number: u32,
    /// Who was where when last heard of, in which tick, and what else the line said.
    known: BTreeMap<Key, (u32, Body, Box<str>)>,
    events: Vec<Event>,
    setups: HashMap<DataId, DataId>,
}

impl<'a> Player<'a> {
    fn new(assets: &'a Assets, views: &'a Views) -> Self {
        Self {
            assets,
            views,
            tape: Tape::new(LIMITS),
            start: None,
            number: 0,
            known: BTreeMap::new(),
            events: Vec::new(),
            setups: HashMap::new(),
        }
    }

    /// Takes a line; says whether it could be used.
    fn line(&mut self, line: &Value) -> bool {
        let Some(t) = line.get("t").and_then(Value::as_f64).filter(|t| t.is_finite()) else { return false };
        let start = *self.start.get_or_insert(t);
        let number = ((t - start) * RATE).round();
        if !(0.0..f64::from(MOST_TICKS)).contains(&number) {
            return false;
        }
        while self.number < number as u32 {
            self.tick();
        }
        match line.get("event").and_then(Value::as_str) {
            Some(name) => self.event(line, name),
            None => self.state(line).is_some(),
        }
    }

    fn finish(&mut self) {
        if !self.known.is_empty() {
            self.tick();
        }
    }

    fn event(&mut self, line: &Value, name: &str) -> bool {
        let Some(name) = NAMES.iter().find(|known| **known == name) else { return false };
        let Some(key) = self.key(line) else { return false };
        let mut line = line.clone();
        line["tick"] = self.number.into();
        line["view"] = key.view.into();
        self.events.push(Event { key, name, text: line.to_string().into() });
        true
    }

    fn key(&self, line: &Value) -> Option<Key> {
        let guid = line.get("guid")?.as_str()?;
        let view = self.views.of_line(guid, line.get("view").and_then(Value::as_str))?;
        Some(Key { guid: Guid(hex(guid)?), view })
    }

    fn state(&mut self, line: &Value) -> Option<()> {
        let key = self.key(line)?;
        let numbers = |name: &str| -> Option<Vec<f32>> {
            line.get(name)?.as_array()?.iter().map(|one| one.as_f64().map(|one| one as f32)).collect()
        };
        let &[x, y, z] = numbers("origin")?.first_chunk()?;
        let &[w, qx, qy, qz] = numbers("rotation")?.first_chunk()?;
        let cell = CellId(hex(line.get("cell")?.as_str()?)?);
        let position = CellPosition::new(cell, Frame::new(Vec3::new(x, y, z), Quat::new(w, qx, qy, qz)));
        if self.known.is_empty() && self.tape.len() == 0 {
            self.tape.origin = Origin::of(cell);
        }
        let word = |name: &str| line.get(name).and_then(Value::as_str).and_then(hex);
        let bit = |name: &str| line.get(name).and_then(Value::as_bool).unwrap_or(false);
        let animation = word("animation").map(DataId);
        let frame = line.get("frame").and_then(Value::as_f64).unwrap_or(0.0);
        let place = self.tape.origin.place(&position);
        let before = self.known.get(&key).map(|(_, body, _)| body.place);
        let mut flags = BodyFlags::SHOWN;
        flags.set(BodyFlags::CONTACT, bit("contact"));
        flags.set(BodyFlags::WALKABLE, bit("on_walkable"));
        flags.set(BodyFlags::PUT, self.is_put(key) || before.is_none());
        let mut body = Body {
            key,
            setup: self.setup_for(animation),
            flags,
            substate: word("substate").map_or(0, |command| command as u16),
            style: word("style").map_or(0, |command| command as u16),
            place,
            rotation: position.frame.rotation,
            speed: before.map_or(0.0, |before| (place - before).length() * RATE as f32),
            frame: frame as f32,
            nodes: line.pointer("/interpolation/nodes").and_then(Value::as_u64).unwrap_or(0) as u16,
            ..Body::default()
        };
        (body.pose, body.next, body.between) = self.pose(animation, frame);
        if !self.tape.knows(key) {
            let person = Person {
                name: String::new(),
                kind: Kind::Object,
                setup: body.setup,
                table: DataId(0),
                stand_in: false,
                parent: Guid(0),
            };
            self.tape.roster.note(key, &person);
        }
        let why = why(line, place).to_string().into();
        self.known.insert(key, (self.number, body, why));
        Some(())
    }

    fn is_put(&self, key: Key) -> bool {
        self.events
            .iter()
            .any(|event| event.key == key && matches!(event.name, "snap" | "teleport" | "created"))
    }

    /// The setup that an animation poses, by its number of parts.
    fn setup_for(&mut self, animation: Option<DataId>) -> DataId {
        let Some(id) = animation else { return mannequin::HUMAN_SETUP };
        if let Some(known) = self.setups.get(&id) {
            return *known;
        }
        let parts = self.assets.animation(id).map_or(0, |animation| animation.part_count());
        let dat = self.assets.dat();
        let mut setups =
            dat.entries().filter_map(Result::ok).filter(|entry| dat.kind_of(entry.id) == ObjectKind::Setup);
        let fits = |id: DataId| self.assets.setup(id).is_ok_and(|setup| setup.parts.len() == parts);
        let found = setups.find(|entry| fits(entry.id)).map_or(mannequin::HUMAN_SETUP, |entry| entry.id);
        self.setups.insert(id, found);
        found
    }

    fn pose(&self, animation: Option<DataId>, frame: f64) -> ((DataId, u16), (DataId, u16), f32) {
        let Some(id) = animation else { return Default::default() };
        let count = self.assets.animation(id).map_or(0, |animation| animation.frame_count());
        let at = (frame.floor().max(0.0) as usize).min(count.saturating_sub(1));
        let next = (at + 1).min(count.saturating_sub(1));
        ((id, at as u16), (id, next as u16), (frame - frame.floor()) as f32)
    }

    /// A tick is over.
    fn tick(&mut self) {
        let number = self.number;
        self.known.retain(|_, (heard, ..)| number.saturating_sub(*heard) < FORGOTTEN);
        let truths: HashMap<Guid, Vec3> = self
            .known
            .iter()
            .filter(|(key, _)| key.view == 0)
            .map(|(key, (_, body, _))| (key.guid, body.place))
            .collect();
        let error = |body: &Body| match truths.get(&body.key.guid) {
            Some(truth) if body.key.view != 0 => (body.place - *truth).length(),
            _ => f32::NAN,
        };
        let bodies = self.known.values().map(|(_, body, _)| Body { error: error(body), ..*body }).collect();
        let why = self.known.iter().map(|(key, (_, _, why))| (*key, why.clone())).collect();
        let t = self.start.unwrap_or(0.0) + f64::from(number) / RATE;
        let events = std::mem::take(&mut self.events).into();
        self.tape.push(Tick { number, t, charge: -1.0, bodies, events, why, mail_end: 0 });
        self.number += 1;
    }
}

/// What the page shows of a body, as far as a line has it.
fn why(line: &Value, place: Vec3) -> Value {
    let named = |value: &Value| value.as_str().and_then(hex).map(|id| command(MotionCommand(id)));
    let listed = |name: &str| -> Vec<Value> {
        let one = |pair: &Value| json!([named(&pair[0]), pair[1]]);
        line[name].as_array().map(|list| list.iter().map(one).collect()).unwrap_or_default()
    };
    json!({
        "cell": line["cell"], "origin": line["origin"], "place": <[f32; 3]>::from(place), "heading": line["heading"],
        "rotation": line["rotation"], "velocity": line["velocity"], "shown_velocity": line["shown_velocity"],
        "contact": line["contact"], "on_walkable": line["on_walkable"], "style": named(&line["style"]),
        "substate": named(&line["substate"]), "substate_speed": line["substate_speed"],
        "modifiers": listed("modifiers"), "actions": listed("actions"), "animation": line["animation"],
        "frame": line["frame"], "leash": line["constraint"],
        "interpolation": { "nodes": [], "fails": line["interpolation"]["fails"] },
    })
}

fn hex(text: &str) -> Option<u32> {
    text.parse::<DataId>().ok().map(|id| id.0)
}

/// The events that are told.
const NAMES: [&str; 17] = [
    "hook",
    "motion_done",
    "snap",
    "teleport",
    "hit_ground",
    "leave_ground",
    "hit_environment",
    "touched",
    "parted",
    "hidden",
    "moveto",
    "created",
    "deleted",
    "rejected",
    "portal_space",
    "control_lost",
    "position_wanted",
];

//! `docs/json.md` lists the fields that `--json` prints: those of every kind of message, of the state of a body, and of every
//! kind of event.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use acmotion::dat::Assets;
use acmotion::json::event;
use acmotion::types::{Era, Guid, MotionCommand};
use acmotion::{
    ClockFault, DeleteReason, Event, EventKind, MotionEvent, MoveToEvent, PlacementFailure, Rejection,
    RequestEvent, RequestId, RequestKind, RequestProgress, World,
};
use acmotion_wire::json::message_json;
use acmotion_wire::{GameActionBody, GameEventBody, S2C};
use serde_json::Value;
use tempfile::tempdir;

use crate::common::{json_lines, run, stdout};
use crate::messages_common::samples;

const END: &str = "<!-- end -->\n";

fn page_path() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/json.md")
}

/// Returns the line before a part of the page that is made here.
fn start(what: &str) -> String {
    format!(
        "<!-- {what}: written by ACMOTION_WRITE_DOCS=1 cargo test -p acmotion-cli --test command docs_json -->\n"
    )
}

/// Compares a part of the page with what it has to be, or writes it.
fn check(what: &str, expected: &str) {
    let page = fs::read_to_string(page_path()).unwrap();
    let start = start(what);
    let (before, rest) = page.split_once(&start).unwrap_or_else(|| panic!("no {start}"));
    let (written, after) = rest.split_once(END).unwrap_or_else(|| panic!("no {END}"));
    if std::env::var_os("ACMOTION_WRITE_DOCS").is_some() {
        fs::write(page_path(), format!("{before}{start}{expected}{END}{after}")).unwrap();
        return;
    }
    assert_eq!(
        written, expected,
        "run ACMOTION_WRITE_DOCS=1 cargo test -p acmotion-cli --test command docs_json"
    );
}

/// The fields of objects in their order, and the types that each was seen with.
#[derive(Default)]
struct Fields(Vec<(String, BTreeSet<&'static str>)>);

impl Fields {
    /// Adds the fields of an object, but not what is in those whose paths are in `whole`.
    fn add(&mut self, object: &Value, whole: &[&str]) {
        for (name, value) in object.as_object().unwrap() {
            self.add_value(name.clone(), value, whole);
        }
    }

    fn add_value(&mut self, path: String, value: &Value, whole: &[&str]) {
        let kind = match value {
            Value::Object(_) if whole.contains(&path.as_str()) => "object",
            Value::Object(fields) => {
                fields
                    .iter()
                    .for_each(|(name, value)| self.add_value(format!("{path}.{name}"), value, whole));
                return;
            }
            Value::Array(items) if !items.is_empty() => {
                items.iter().for_each(|item| self.add_value(format!("{path}[]"), item, whole));
                return;
            }
            Value::Array(_) => {
                let item = format!("{path}[]");
                if !self.0.iter().any(|(known, _)| known.starts_with(&item)) {
                    self.0.push((item, BTreeSet::new()));
                }
                return;
            }
            Value::Null => "null",
            Value::Bool(_) => "boolean",
            Value::Number(number) if number.is_f64() => "number",
            Value::Number(_) => "integer",
            Value::String(text) if text.starts_with("0x") => "hex",
            Value::String(_) => "text",
        };
        match self.0.iter_mut().find(|(known, _)| *known == path) {
            Some((_, kinds)) => {
                kinds.insert(kind);
            }
            None => {
                // Beside the field that has the most in common with it: not every object has all fields.
                let common =
                    |other: &str| path.bytes().zip(other.bytes()).take_while(|(a, b)| a == b).count();
                let parent = path.rfind('.').map_or(0, |at| at + 1);
                let after = self.0.iter().rposition(|(other, _)| parent > 0 && common(other) >= parent);
                let at = after.map_or(self.0.len(), |at| at + 1);
                self.0.insert(at, (path, BTreeSet::from([kind])));
            }
        }
    }

    fn text(&self) -> String {
        // A list that was empty has no types of its own, and may have had items elsewhere.
        let is_list_of_more =
            |path: &str| self.0.iter().any(|(other, _)| other.len() > path.len() && other.starts_with(path));
        let fields = self.0.iter().filter(|(path, kinds)| !(kinds.is_empty() && is_list_of_more(path)));
        let fields = fields.map(|(path, kinds)| {
            let kinds: Vec<&str> = kinds.iter().copied().collect();
            format!("`{path}` {}", kinds.join(" or ")).trim_end().to_owned()
        });
        let text = fields.collect::<Vec<_>>().join(", ");
        if text.is_empty() { String::from("–") } else { text }
    }
}

/// Returns a table with a row for each kind.
fn table<'a>(head: &str, kinds: impl IntoIterator<Item = (&'a str, &'a Fields)>) -> String {
    let mut text = format!("\n| {head} | fields |\n|---|---|\n");
    for (name, fields) in kinds {
        writeln!(text, "| `{name}` | {} |", fields.text()).unwrap();
    }
    text + "\n"
}

/// The objects that several kinds of messages have.
const OBJECTS: [&str; 2] = ["movement", "position"];
/// Objects that have the fields of `MagicUpdateEnchantment`.
const LISTS: [&str; 4] = [
    "enchantments.multiplicative[]",
    "enchantments.additive[]",
    "enchantments.cooldowns[]",
    "enchantments.vitae",
];

#[test]
fn the_page_has_every_field_of_every_message() {
    let mut kinds = BTreeMap::<String, (bool, Fields)>::new();
    let mut objects = OBJECTS.map(|object| (object, Fields::default()));
    for (direction, bytes) in samples() {
        let line = message_json(0.0, direction, &bytes, Era::default(), true).unwrap();
        let (is_movement, fields) = kinds.entry(line["name"].as_str().unwrap().into()).or_default();
        *is_movement = acmotion_wire::is_movement(direction, &bytes);
        fields.add(&line["decoded"], &[&OBJECTS[..], &LISTS].concat());
        for (object, fields) in &mut objects {
            if line["decoded"][*object].is_object() {
                fields.add(&line["decoded"][*object], &[]);
            }
        }
    }
    let mut text = String::new();
    for (head, names) in [
        ("from the server", [S2C::NAMES, GameEventBody::NAMES].concat()),
        ("from the client", GameActionBody::NAMES.to_vec()),
    ] {
        for (is_movement, note) in [(true, ""), (false, ", with `--all`")] {
            // The envelope has the name of what it contains.
            let names = names.iter().filter(|name| **name != "GameEvent");
            let rows = names.filter_map(|name| {
                let (found, fields) = kinds.get(*name).unwrap_or_else(|| panic!("no sample of {name}"));
                (*found == is_movement).then_some((*name, fields))
            });
            let rows: Vec<_> = rows.collect();
            if !rows.is_empty() {
                text += &table(&format!("{head}{note}"), rows);
            }
        }
    }
    text += &table("object in them", objects.iter().map(|(object, fields)| (*object, fields)));
    check("messages", &text);
}

/// No sample may lack a field that the code can write.
#[test]
fn the_page_has_every_name_that_the_code_writes() {
    let page = fs::read_to_string(page_path()).unwrap();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../acmotion-wire/src/json");
    let mut count = 0;
    for file in ["server.rs", "client.rs", "object.rs", "value.rs", "character.rs"] {
        let code = fs::read_to_string(folder.join(file)).unwrap();
        for call in ["put(\"", "put_some(\""] {
            for (at, _) in code.match_indices(call) {
                let name = code[at + call.len()..].split('"').next().unwrap();
                let is_there = ["`", "."].iter().any(|before| {
                    ["`", ".", "["].iter().any(|after| page.contains(&format!("{before}{name}{after}")))
                });
                assert!(is_there, "{file}: no sample has `{name}`");
                count += 1;
            }
        }
    }
    assert!(count > 150, "{count} names");
}

/// Returns what `replay --json` prints of a scenario.
fn replayed(scene: &str) -> Vec<Value> {
    let folder = tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let scene = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../scenes/{scene}.toml"));
    stdout(["simulate", scene.to_str().unwrap(), "--pcap", &path("scene.pcap")]);
    json_lines(&run(0, ["replay", &path("scene.pcap"), "--json"]).stdout)
}

#[test]
fn the_page_has_every_field_of_states_and_events() {
    let (mut state, mut events) = (Fields::default(), BTreeMap::<String, Fields>::new());
    let mut add = |line: &Value| match line["event"].as_str() {
        // What a payload contains depends on the hook.
        Some(name) => events.entry(name.into()).or_default().add(line, &["payload"]),
        None => state.add(line, &[]),
    };
    for scene in ["laggy_duel", "chase", "teleport"] {
        replayed(scene).iter().for_each(&mut add);
    }
    // What these scenes do not have.
    let (world, guid) = (World::new(Assets::mannequin()), Guid(0x5000_0001));
    let motions = [
        MotionEvent::MotionDone { motion: MotionCommand::READY, success: true },
        MotionEvent::HitGround,
        MotionEvent::LeaveGround,
        MotionEvent::HitEnvironment,
        MotionEvent::Touched(guid),
        MotionEvent::Parted(guid),
        MotionEvent::Hidden(true),
        MotionEvent::Snapped { distance: 1.5 },
        MotionEvent::Teleported { distance: 1.5 },
        MotionEvent::Lost,
        MotionEvent::QueueOverflow { motions: 1 },
        MotionEvent::Parented { parent: guid, location: 1 },
        MotionEvent::Unparented { parent: guid },
        MotionEvent::MoveTo(MoveToEvent::Arrived),
    ];
    let others = [
        EventKind::Created,
        EventKind::Deleted(DeleteReason::Deleted),
        EventKind::PortalSpace(true),
        EventKind::NotPlaced(PlacementFailure::NoRoom),
        EventKind::Rejected(Rejection::BadPosition),
        EventKind::ControlLost,
        EventKind::Clock(ClockFault::Invalid),
        EventKind::Request(RequestEvent {
            id: RequestId(1),
            kind: RequestKind::Jump,
            progress: RequestProgress::Started,
        }),
        EventKind::PositionRequested,
    ];
    for kind in motions.into_iter().map(EventKind::Motion).chain(others) {
        add(&event(&Event { time: 0.5, guid, kind }, world.library()));
    }
    // Effects are not printed; their hooks are.
    let code =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../acmotion/src/json.rs")).unwrap();
    let (_, kinds) = code.split_once("fn put_kind(").unwrap();
    let (kinds, _) = kinds.split_once("pub fn move_to_text(").unwrap();
    // An arm of a match is the name of a kind, or ends with it.
    let ends = kinds.lines().filter(|line| !line.contains("DeleteReason::"));
    let ends =
        ends.filter_map(|line| line.rsplit("=> ").next()?.trim().trim_end_matches(',').strip_prefix('"'));
    let written = ends.filter_map(|end| end.strip_suffix('"')).filter(|name| *name != "effect");
    let written: BTreeSet<&str> = written.collect();
    assert!(written.len() > 20, "{written:?}");
    let missing: Vec<_> = written.into_iter().filter(|name| !events.contains_key(*name)).collect();
    assert!(missing.is_empty(), "no sample of {missing:?}");
    let rows = events.iter().map(|(name, fields)| (name.as_str(), fields));
    check("replay", &[table("of a body", [("state", &state)]), table("event", rows)].concat());
}

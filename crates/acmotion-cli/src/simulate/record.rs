//! What is recorded while a scenario runs.

use std::collections::{BTreeMap, HashMap};

use acmotion::{Event, World};
use acmotion_sim::{Delivered, EventHandler, Measured, RefusedInput, Sent, Simulation, View};
use acmotion_types::{Era, Guid};
use acmotion_wire::json::{JsonWriter, ToJson as _};
use acmotion_wire::{S2C, decode_c2s, decode_s2c};
use serde_json::Value;

use super::lines;
use crate::replay::track::Tracks;

/// The time at which an entity was shown, its distance from the truth then, and from the truth one mean message delay
/// earlier; in seconds and metres.
pub(super) type Error = (f64, f32, Option<f32>);

/// The maximum number of messages that the page lists.
const MAX_MESSAGES: usize = 20_000;

/// A message, for the page.
pub(super) struct Message {
    pub(super) time: f64,
    pub(super) from: View,
    pub(super) to: View,
    pub(super) name: &'static str,
    pub(super) guid: Option<Guid>,
    pub(super) arrives: Option<f64>,
    pub(super) losses: u32,
}

/// Everything that is recorded.
pub(super) struct Record {
    wants_lines: bool,
    wants_page: bool,
    /// Lines of JSON that are still to be printed.
    lines: Vec<u8>,
    names: Names,
    pub(super) message_count: u64,
    /// For the page, as are the errors and the messages.
    pub(super) tracks: BTreeMap<View, Tracks>,
    pub(super) errors: HashMap<(View, Guid), Vec<Error>>,
    pub(super) messages: Vec<Message>,
    pub(super) refused: Vec<String>,
    pub(super) lost: u64,
    pub(super) late: u64,
}

/// The names of views and entities.
pub(super) struct Names {
    views: HashMap<View, String>,
    guids: HashMap<Guid, String>,
}

impl Names {
    fn new(simulation: &Simulation) -> Self {
        let mut views = HashMap::from([(View::Server, String::from("server"))]);
        let mut guids = HashMap::new();
        for client in simulation.clients() {
            let name = client.name();
            let view = if client.is_observer() { String::from(name) } else { format!("self {name}") };
            views.insert(View::Client(client.id()), view);
            guids.insert(client.guid(), String::from(name));
        }
        guids.extend(simulation.server().objects().iter().map(|object| (object.guid, object.name.clone())));
        Self { views, guids }
    }

    pub(super) fn view(&self, view: View) -> &str {
        self.views.get(&view).map_or("", String::as_str)
    }

    pub(super) fn guid(&self, guid: Guid) -> &str {
        self.guids.get(&guid).map_or("", String::as_str)
    }
}

impl Record {
    /// Creates an empty record: of lines for `--json`, and of what the page of `--report` shows, if they are wanted.
    pub(super) fn new(simulation: &Simulation, wants_lines: bool, wants_page: bool) -> Self {
        Self {
            wants_lines,
            wants_page,
            message_count: 0,
            lines: Vec::new(),
            names: Names::new(simulation),
            tracks: BTreeMap::new(),
            errors: HashMap::new(),
            messages: Vec::new(),
            refused: Vec::new(),
            lost: 0,
            late: 0,
        }
    }

    pub(super) fn names(&self) -> &Names {
        &self.names
    }

    /// Returns the lines of `--json` since the last call of [`clear_lines`](Self::clear_lines).
    pub(super) fn lines(&self) -> &[u8] {
        &self.lines
    }

    pub(super) fn clear_lines(&mut self) {
        self.lines.clear();
    }

    /// Adds a line with the fields that `put_fields` adds and the name of the view, if lines are wanted.
    fn line(&mut self, view: View, put_fields: impl FnOnce(&mut JsonWriter<'_>, &Names)) {
        if self.wants_lines {
            JsonWriter::new(&mut self.lines).object(|json| {
                put_fields(json, &self.names);
                json.put("view", self.names.view(view));
            });
            self.lines.push(b'\n');
        }
    }

    /// Adds a line with the fields of an object and the name of the view, if lines are wanted.
    fn line_of(&mut self, view: View, make: impl FnOnce() -> Value) {
        if self.wants_lines {
            let mut line = make();
            line["view"] = self.names.view(view).into();
            (&line).write_json(&mut JsonWriter::new(&mut self.lines));
            self.lines.push(b'\n');
        }
    }

    /// Records a position that the server reported to a client.
    fn on_report(&mut self, message: &Delivered<'_>) {
        let Ok(S2C::UpdatePosition(report)) = decode_s2c(message.bytes, Era::default()) else { return };
        let tracks = self.tracks.entry(message.to).or_insert_with(Tracks::with_samples);
        tracks.report(report.guid, message.time, &report.pack.position, None);
    }
}

impl EventHandler for Record {
    fn on_tick(&mut self, view: View, world: &World, now: f64) {
        if !self.wants_page && !self.wants_lines {
            return;
        }
        if self.wants_page {
            self.tracks.entry(view).or_insert_with(Tracks::with_samples).tick(now, world);
        }
        for resident in world.entities() {
            self.line(view, |json, _| acmotion::json::put_state(json, now, resident, world.library()));
        }
    }

    fn on_event(&mut self, view: View, event: &Event, world: &World) {
        if self.wants_page {
            self.tracks.entry(view).or_insert_with(Tracks::with_samples).event(event);
        }
        if acmotion::json::is_listed(event) {
            self.line(view, |json, _| {
                acmotion::json::put_event(json, event, world.library());
            });
        }
    }

    fn on_sent(&mut self, message: &Sent<'_>) {
        self.message_count += 1;
        self.lost += u64::from(message.delivery.arrives.is_none());
        self.late += u64::from(message.delivery.losses > 0 && message.delivery.arrives.is_some());
        if self.wants_page && self.messages.len() < MAX_MESSAGES {
            let (name, guid) = if message.to == View::Server {
                (decode_c2s(message.bytes, Era::default()).map_or("?", |message| message.name()), None)
            } else {
                decode_s2c(message.bytes, Era::default())
                    .map_or(("?", None), |message| (message.name(), message.guid()))
            };
            self.messages.push(Message {
                time: message.time,
                from: message.from,
                to: message.to,
                name,
                guid,
                arrives: message.delivery.arrives,
                losses: message.delivery.losses,
            });
        }
        self.line(message.from, |json, names| lines::put_sent(json, message, names.view(message.to)));
    }

    fn on_delivered(&mut self, message: &Delivered<'_>) {
        if message.to != View::Server && self.wants_page {
            self.on_report(message);
        }
        self.line(message.to, |json, names| lines::put_received(json, message, names.view(message.from)));
    }

    fn on_refused(&mut self, refused: &RefusedInput) {
        let RefusedInput { time, client, guid, input, error: why } = refused;
        let name = self.names.guid(*guid);
        self.refused.push(format!("{time:.2} s: {name} does not do {input:?}: {why}"));
        self.line_of(View::Client(*client), || lines::refused(refused));
    }

    fn on_measured(&mut self, measured: &Measured) {
        if !self.wants_page {
            return;
        }
        let errors = self.errors.entry((measured.view, measured.guid)).or_default();
        errors.push((measured.time, measured.error, measured.delayed));
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use acmotion_sim::ClientId;
    use acmotion_sim::network::Delivery;
    use acmotion_sim::scenario::Scenario;

    use super::*;

    #[test]
    fn the_messages_that_a_page_lists_are_bounded_and_all_are_counted() {
        let simulation = Simulation::new(&Scenario::default()).unwrap();
        let mut record = Record::new(&simulation, false, true);
        let bytes: Arc<[u8]> = Arc::from(&[1, 2, 3][..]);
        let count = MAX_MESSAGES as u64 + 100;
        for _ in 0..count {
            record.on_sent(&Sent {
                time: 0.0,
                from: View::Server,
                to: View::Client(ClientId(0)),
                delivery: Delivery { arrives: Some(1.0), losses: 0, duplicate_arrives: None },
                bytes: &bytes,
            });
        }
        assert_eq!((record.messages.len(), record.message_count), (MAX_MESSAGES, count));
    }
}

//! The page of `--report`: the truth about each entity and every view of it.

use acmotion_sim::json::{in_solids, spread};
use acmotion_sim::{Simulation, View};
use acmotion_types::Guid;
use serde_json::{Value, json};

use super::outlines::{Window, outlines};
use super::record::{Message, Record};
use crate::page::{self, number, thinned};
use crate::replay::track::Track;

/// Returns the page as HTML.
pub(super) fn page(name: &str, summary: &str, simulation: &Simulation, record: &Record) -> String {
    let scenario = simulation.scenario();
    let objects = simulation.server().objects().iter().filter(|object| object.is_seen());
    let actors: Vec<Value> = objects.map(|object| actor(object.guid, simulation, record)).collect();
    let messages: Vec<Value> = record.messages.iter().map(|message| listed(message, record)).collect();
    let samples = record.tracks.values().flat_map(|tracks| &tracks.list).flat_map(|track| &track.samples);
    let window = Window::around(samples.map(|sample| sample.position));
    let around = simulation.land().zip(window).map(|(land, window)| outlines(land, &window));
    let data = json!({
        "name": name,
        "title": scenario.title,
        "seconds": scenario.seconds,
        "summary": summary,
        "around": around,
        "actors": actors,
        "messages": messages,
    });
    page::page(include_str!("report/page.html"), include_str!("report/page.js"), &data)
}

/// Returns an entity: its truth, and every view of it.
fn actor(guid: Guid, simulation: &Simulation, record: &Record) -> Value {
    let truth = simulation.truth_view(guid);
    let seen: Vec<Value> = simulation
        .accuracies()
        .filter(|(_, shown, _)| *shown == guid)
        .map(|(view, _, accuracy)| {
            let mut shown = shown(view, guid, record);
            let errors = record.errors.get(&(view, guid)).map_or(&[][..], Vec::as_slice);
            let errors = thinned(errors, |error| error.0);
            let point = |(time, now, then): &super::record::Error| {
                json!([number(*time), number((*now).into()), then.map(|then| number(then.into()))])
            };
            shown["errors"] = errors.iter().map(point).collect();
            shown["error"] = spread(&accuracy.error());
            shown["delayed"] = spread(&accuracy.delayed());
            shown["delay"] = simulation.delay(view, guid).into();
            shown["snaps"] = accuracy.snaps.into();
            shown["teleports"] = accuracy.teleports.into();
            shown["backward"] = accuracy.backward.into();
            shown["moving"] = accuracy.moving.into();
            shown
        })
        .collect();
    json!({
        "guid": guid.to_string(),
        "name": record.names().guid(guid),
        "truth": shown(truth, guid, record),
        "solids": in_solids(simulation, guid),
        "seen": seen,
    })
}

/// Returns an entity as a view shows it.
fn shown(view: View, guid: Guid, record: &Record) -> Value {
    let track =
        record.tracks.get(&view).and_then(|tracks| tracks.list.iter().find(|track| track.guid == guid));
    let list = |make: fn(&Track) -> Vec<Value>| track.map_or_else(Vec::new, make);
    json!({
        "view": record.names().view(view),
        "path": list(page::path),
        "reports": list(page::reports),
        "states": list(|track| page::states(&track.samples)),
        "marks": list(page::marks),
    })
}

fn listed(message: &Message, record: &Record) -> Value {
    let names = record.names();
    json!([
        number(message.time),
        names.view(message.from),
        names.view(message.to),
        message.name,
        message.guid.map(|guid| names.guid(guid)),
        message.arrives.map(number),
        message.losses,
    ])
}

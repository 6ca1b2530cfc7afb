//! The JSON objects that `simulate --json` ends with. Other tools use them too.

use acmotion::types::Guid;
use serde_json::{Value, json};

use crate::{ClientId, Simulation, Spread, View};

/// Returns the names of the views, in the order of [`view_index`]: `server`, each observer, and `self NAME` for the client
/// of a player, which is not the player.
pub fn view_names(simulation: &Simulation) -> Vec<String> {
    let clients = simulation.clients().iter().map(|client| match client.is_observer() {
        true => String::from(client.name()),
        false => format!("self {}", client.name()),
    });
    std::iter::once(String::from("server")).chain(clients).collect()
}

/// Returns the index of a view in [`view_names`].
pub fn view_index(view: View) -> usize {
    match view {
        View::Server => 0,
        View::Client(ClientId(index)) => 1 + index,
    }
}

/// Returns how accurately each view showed each entity: one object for each.
pub fn summary(simulation: &Simulation) -> Vec<Value> {
    let views = view_names(simulation);
    let view_name = |view| views.get(view_index(view)).map_or("", String::as_str);
    let lines = simulation.accuracies().map(|(view, guid, accuracy)| {
        json!({
            "t": simulation.now(),
            "event": "summary",
            "view": view_name(view),
            "guid": guid.to_string(),
            "name": simulation.name_of(guid).unwrap_or_default(),
            "truth": view_name(simulation.truth_view(guid)),
            "error": spread(&accuracy.error()),
            "delay": simulation.delay(view, guid),
            "error_delayed": spread(&accuracy.delayed()),
            "moving": accuracy.moving,
            "backward": accuracy.backward,
            "snaps": accuracy.snaps,
            "teleports": accuracy.teleports,
            "in_solids": in_solids(simulation, guid),
        })
    });
    lines.collect()
}

/// Returns the mean, the 95th percentile and the maximum of distances, in metres.
pub fn spread(spread: &Spread) -> Value {
    json!({ "ticks": spread.count, "mean": spread.mean, "p95": spread.p95, "worst": spread.worst })
}

/// Returns how often an entity was inside something solid; null if it was not checked.
pub fn in_solids(simulation: &Simulation, guid: Guid) -> Value {
    let found = simulation.in_solids(guid);
    found.map_or(Value::Null, |found| json!({ "inside": found.inside, "ticks": found.ticks }))
}

//! What is open, and what can be done with it.

use acmotion::dat::mannequin;
use acmotion::query::motions;
use acmotion::types::{Era, MotionCommand};
use serde_json::{Value, json};

use super::MOST_BYTES;
use crate::server::{MOST_SESSIONS, Shared};
use crate::session::{HISTORY_SECONDS, KEYS, ORDERS};
use crate::values::command;
use crate::walk::{MOST_CROWD, STANCES};

pub(super) fn about(shared: &Shared) -> Value {
    let source = shared.source();
    json!({
        "version": env!("CARGO_PKG_VERSION"),
        "dat": { "name": source.name, "built_in": source.built_in, "objects": shared.objects() },
        "cell": source.cell_name,
        "tick_seconds": 1.0 / 30.0,
        "limits": {
            "upload_bytes": MOST_BYTES, "sessions": MOST_SESSIONS, "history_seconds": HISTORY_SECONDS,
            "crowd": MOST_CROWD,
        },
        "recordings": shared.recordings().list(),
        "keys": KEYS.map(|(name, _)| name),
        "emotes": emotes(shared),
        "stances": STANCES.map(|(name, _)| name),
        "creature_orders": ORDERS,
    })
}

/// What the player's table can do from standing, beside moving.
fn emotes(shared: &Shared) -> Vec<Value> {
    let Ok((library, table)) = shared.shelf().resolved(mannequin::HUMAN_TABLE) else { return Vec::new() };
    let known = motions(library.table(table), MotionCommand::NON_COMBAT, Era::default());
    let mut actions: Vec<MotionCommand> = known.actions(MotionCommand::READY).collect();
    actions.sort_unstable_by_key(|action| action.name());
    actions.dedup();
    actions.into_iter().map(command).collect()
}

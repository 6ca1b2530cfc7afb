//! How well everybody saw everybody, in a table and as lines.

use std::fmt::Write as _;

use acmotion_sim::{Accuracy, Simulation, Spread};
use serde_json::{Value, json};

use super::record::Record;
use crate::output::{Align, Table, thousands};

/// The table and what is to be said with it.
pub(super) fn text(simulation: &Simulation, record: &Record) -> String {
    let scene = simulation.scene();
    let mut text = String::new();
    // Writing to a string cannot fail.
    let title = if scene.title.is_empty() { "Scene" } else { &scene.title };
    let _ = writeln!(
        text,
        "{title}: {} s, seed {}, {} messages, {} sent again, {} lost for good",
        scene.seconds,
        scene.seed,
        thousands(record.messages.len() as u64),
        record.late,
        record.lost,
    );
    for line in &record.refused {
        let _ = writeln!(text, "refused at {line}");
    }
    text.push('\n');
    let columns = [
        ("who", Align::Left),
        ("seen by", Align::Left),
        ("off: mean", Align::Right),
        ("95 %", Align::Right),
        ("worst", Align::Right),
        ("news takes", Align::Right),
        ("off then: mean", Align::Right),
        ("95 %", Align::Right),
        ("worst", Align::Right),
        ("backward", Align::Right),
        ("snaps", Align::Right),
        ("teleports", Align::Right),
    ];
    let mut table = Table::new(&columns);
    let metres = |value: f32| format!("{value:.2} m");
    for (view, guid, accuracy) in simulation.accuracies() {
        let (now, then) = (accuracy.error(), accuracy.delayed());
        table.row(vec![
            String::from(record.names().guid(guid)),
            String::from(record.names().view(view)),
            metres(now.mean),
            metres(now.p95),
            metres(now.worst),
            format!("{:.0} ms", 1000.0 * simulation.delay(view, guid)),
            metres(then.mean),
            metres(then.p95),
            metres(then.worst),
            backward(accuracy),
            accuracy.snaps.to_string(),
            accuracy.teleports.to_string(),
        ]);
    }
    text.push_str(&table.text(""));
    text.push_str("\noff: from the truth at the same time; off then: from the truth as long ago as news takes on average\n");
    text
}

fn backward(accuracy: &Accuracy) -> String {
    match accuracy.backward {
        0 => String::from("0"),
        ticks => format!("{ticks} of {}", accuracy.moving),
    }
}

/// One object for each view of each entity.
pub(super) fn lines(simulation: &Simulation, record: &Record) -> Vec<Value> {
    let line = |(view, guid, accuracy): (acmotion_sim::View, acmotion_types::Guid, &Accuracy)| {
        json!({
            "t": simulation.now(),
            "event": "summary",
            "view": record.names().view(view),
            "guid": guid.to_string(),
            "name": record.names().guid(guid),
            "truth": record.names().view(simulation.truth_view(guid)),
            "error": spread(&accuracy.error()),
            "delay": simulation.delay(view, guid),
            "error_delayed": spread(&accuracy.delayed()),
            "moving": accuracy.moving,
            "backward": accuracy.backward,
            "snaps": accuracy.snaps,
            "teleports": accuracy.teleports,
        })
    };
    simulation.accuracies().map(line).collect()
}

/// Metres.
pub(super) fn spread(spread: &Spread) -> Value {
    json!({ "ticks": spread.count, "mean": spread.mean, "p95": spread.p95, "worst": spread.worst })
}

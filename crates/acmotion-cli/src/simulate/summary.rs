//! How accurately each view showed each entity, as a table.

use std::fmt::Write as _;

use acmotion_sim::{Accuracy, InSolids, Simulation, Spread};
use acmotion_types::Vec3;

use super::record::Record;
use crate::numbers::{Line, push_fixed};
use crate::output::{Align, Table, counted, thousands};

/// Returns the table and the sentences around it.
pub(super) fn text(simulation: &Simulation, record: &Record) -> String {
    let scenario = simulation.scenario();
    let mut text = String::new();
    // Writing to a string cannot fail.
    let title: String = scenario.title.chars().filter(|character| !character.is_control()).collect();
    let title = if title.is_empty() { "Scenario" } else { &title };
    let _ = writeln!(
        text,
        "{title}: {} s, seed {}, {}, {} sent again, {} lost for good",
        scenario.seconds,
        scenario.seed,
        counted(record.message_count, "message"),
        record.late,
        record.lost,
    );
    for line in &record.refused {
        let _ = writeln!(text, "refused at {line}");
    }
    text.push('\n');
    let columns = [
        ("entity", Align::Left),
        ("seen by", Align::Left),
        ("error: mean", Align::Right),
        ("95 %", Align::Right),
        ("worst", Align::Right),
        ("delay", Align::Right),
        ("delayed: mean", Align::Right),
        ("95 %", Align::Right),
        ("worst", Align::Right),
        ("backward", Align::Right),
        ("snaps", Align::Right),
        ("teleports", Align::Right),
    ];
    let mut table = Table::new(&columns);
    for (view, guid, accuracy) in simulation.accuracies() {
        table.cell(|text| text.push_str(record.names().guid(guid)));
        table.cell(|text| text.push_str(record.names().view(view)));
        put_spread(&mut table, &accuracy.error());
        table.cell(|text| {
            push_fixed(text, 1000.0 * simulation.delay(view, guid), 0);
            text.push_str(" ms");
        });
        put_spread(&mut table, &accuracy.delayed());
        table.cell(|text| put_backward(text, &accuracy));
        for count in [accuracy.snaps, accuracy.teleports] {
            table.cell(|text| push_fixed(text, count as f64, 0));
        }
    }
    text.push_str(&table.text(""));
    drop(table);
    for object in simulation.server().objects() {
        if let Some(found) = simulation.in_solids(object.guid) {
            let _ = writeln!(text, "\n{}: {}", object.name, in_solids(&found));
        }
    }
    text.push_str("\nerror: distance from the truth at the same time; delayed: from the truth one mean message delay earlier\n");
    text
}

/// Returns how often an entity was inside something solid, as a sentence.
fn in_solids(found: &InSolids) -> String {
    let mut text = format!("in solids: {} of {}", thousands(found.inside), counted(found.ticks, "tick"));
    if let Some((time, position)) = found.first {
        let Vec3 { x, y, z } = position.frame.origin;
        // Writing to a string cannot fail.
        let _ = write!(text, ", first at {time:.2} s, in {} at {x:.2} {y:.2} {z:.2}", position.cell);
    }
    text
}

/// Adds the mean, the 95th percentile and the maximum of distances to the last row of a table.
fn put_spread(table: &mut Table, spread: &Spread) {
    for value in [spread.mean, spread.p95, spread.worst] {
        table.cell(|text| {
            push_fixed(text, value.into(), 2);
            text.push_str(" m");
        });
    }
}

fn put_backward(text: &mut Line, accuracy: &Accuracy<'_>) {
    push_fixed(text, accuracy.backward as f64, 0);
    if accuracy.backward > 0 {
        text.push_str(" of ");
        push_fixed(text, accuracy.moving as f64, 0);
    }
}

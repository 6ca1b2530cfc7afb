//! How accurately each view showed each entity, as a table.

use std::fmt::Write as _;

use acmotion_sim::{Accuracy, InSolids, Simulation, Spread, View};
use acmotion_types::{Guid, Vec3};

use super::record::Record;
use crate::numbers::{Line, push_fixed};
use crate::output::{Align, Table, counted, thousands};

/// Calls `put` with each line of the table and of the sentences around it.
///
/// With hundreds of clients the lines take megabytes, so they are composed one at a time, in two passes: the first finds the
/// widths of the columns.
///
/// # Errors
/// Returns the first error of `put`.
pub(super) fn for_each_line(
    simulation: &Simulation,
    record: &Record,
    mut put: impl FnMut(&str) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    heading(simulation, record).lines().try_for_each(&mut put)?;
    let mut table = Table::new(&COLUMNS);
    for row in simulation.accuracies() {
        put_row(&mut table, row, simulation, record);
        table.forget_rows();
    }
    put(&table.line(0, ""))?;
    for row in simulation.accuracies() {
        put_row(&mut table, row, simulation, record);
        put(&table.line(1, ""))?;
        table.forget_rows();
    }
    remarks(simulation).lines().try_for_each(put)
}

const COLUMNS: [(&str, Align); 12] = [
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

/// Returns the sentences before the table.
fn heading(simulation: &Simulation, record: &Record) -> String {
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
    text
}

/// Adds the row of an entity in a view.
fn put_row(
    table: &mut Table,
    (view, guid, accuracy): (View, Guid, Accuracy<'_>),
    simulation: &Simulation,
    record: &Record,
) {
    table.cell(|text| text.push_str(record.names().guid(guid)));
    table.cell(|text| text.push_str(record.names().view(view)));
    put_spread(table, &accuracy.error());
    table.cell(|text| {
        push_fixed(text, 1000.0 * simulation.delay(view, guid), 0);
        text.push_str(" ms");
    });
    put_spread(table, &accuracy.delayed());
    table.cell(|text| put_backward(text, &accuracy));
    for count in [accuracy.snaps, accuracy.teleports] {
        table.cell(|text| push_fixed(text, count as f64, 0));
    }
}

/// Returns the sentences after the table.
fn remarks(simulation: &Simulation) -> String {
    let mut text = String::new();
    for object in simulation.server().objects() {
        if let Some(found) = simulation.in_solids(object.guid) {
            // Writing to a string cannot fail.
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

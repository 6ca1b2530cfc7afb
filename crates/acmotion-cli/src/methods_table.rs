//! How well methods show remotes, as rows of a table and as JSON.

use acmotion_sim::Spread;
use acmotion_sim::methods::{Comparison, Method, MethodQuality};
use serde_json::{Value, json};

use crate::output::{Align, Table};

/// The columns after those that name a row.
const COLUMNS: [&str; 10] =
    ["error: mean", "95 %", "worst", "delayed: mean", "95 %", "worst", "backward", "jump", "jerk", "sliding"];

/// What the columns of errors mean where the truth is known.
pub(crate) const ERROR_LEGEND: &str = "error: distance in metres from the truth at the same time; delayed: from the truth one mean message delay earlier\n";
/// What the other columns mean.
pub(crate) const LEGEND: &str = concat!(
    "backward: share of the moving ticks in which a remote moves against its last step\n",
    "jump: by how many metres a step is longer than the last step and than the motion that plays, at most; teleports do not count\n",
    "jerk: root mean square, in metres a second cubed; sliding: of planted feet, in metres for each metre of the way\n",
);

/// Returns a table whose rows begin with some columns of text.
pub(crate) fn table(names: &[&'static str]) -> Table {
    let names = names.iter().map(|name| (*name, Align::Left));
    let columns: Vec<_> = names.chain(COLUMNS.map(|name| (name, Align::Right))).collect();
    Table::new(&columns)
}

/// Adds a row to a table. Distances that are not known are left out.
pub(crate) fn put_row(table: &mut Table, names: &[&str], quality: &MethodQuality) {
    let metres = |spread: &Spread| {
        [spread.mean, spread.p95, spread.worst].map(|value| match spread.count {
            0 => String::from("-"),
            _ => format!("{value:.2}"),
        })
    };
    let backward = 100.0 * quality.backward as f64 / quality.moving.max(1) as f64;
    let rest = [
        format!("{backward:.1} %"),
        format!("{:.3}", quality.jump),
        format!("{:.0}", quality.jerk),
        format!("{:.3}", quality.sliding),
    ];
    let names = names.iter().map(|name| String::from(*name));
    table.row(names.chain(metres(&quality.error)).chain(metres(&quality.delayed)).chain(rest));
}

/// Adds a row for the truth and one for each method to a table.
pub(crate) fn put_methods(table: &mut Table, names: &[&str], found: &Comparison) {
    let mut put = |method: &'static str, quality: &MethodQuality| {
        let names: Vec<&str> = names.iter().copied().chain([method]).collect();
        put_row(table, &names, quality);
    };
    put("truth", &found.truth());
    for method in Method::ALL {
        put(method.name(), &found.quality(method));
    }
}

/// Returns the measures of a method as JSON.
pub(crate) fn json(quality: &MethodQuality) -> Value {
    let spread = |spread: &Spread| match spread.count {
        0 => Value::Null,
        count => json!({ "count": count, "mean": spread.mean, "p95": spread.p95, "worst": spread.worst }),
    };
    json!({
        "error": spread(&quality.error),
        "error_delayed": spread(&quality.delayed),
        "moving": quality.moving,
        "backward": quality.backward,
        "jump": quality.jump,
        "jerk": quality.jerk,
        "sliding": quality.sliding,
    })
}

//! `acmotion replay --compare`: how well methods show the remotes of a capture.

use acmotion_sim::methods::{Comparison, Method};
use serde_json::{Value, json};

use crate::methods_table::{LEGEND, json as quality_json, put_row, table};
use crate::output::counted;

/// The methods that are compared. Without a round trip, comfort is behind anyway.
const METHODS: [Method; 5] =
    [Method::Faithful, Method::Comfort, Method::Snap, Method::Interpolate, Method::DeadReckon];

/// Returns the table.
pub(super) fn text(found: &Comparison) -> String {
    let mut table = table(&["method"]);
    for method in METHODS {
        put_row(&mut table, &[method.name()], &found.quality(method));
    }
    let reports = found.quality(Method::Faithful).error.count;
    format!(
        "\nways of showing the bodies that the server moves; {} of those that moved\n{}\n\
         error: distance in metres from each reported position just before the report\n{LEGEND}",
        counted(reports, "report"),
        table.text("")
    )
}

/// Returns one object for each method.
pub(super) fn lines(found: &Comparison) -> Vec<Value> {
    let line = |method: Method| {
        let mut line = json!({ "event": "compare", "method": method.name() });
        if let (Some(line), Value::Object(quality)) =
            (line.as_object_mut(), quality_json(&found.quality(method)))
        {
            line.extend(quality);
        }
        line
    };
    METHODS.map(line).to_vec()
}

//! The page of `--report`.

use acmotion_sim::replay::percentile;
use serde_json::{Value, json};

use super::track::{Track, Tracks};
use crate::page::{self, number};

/// Returns the page as HTML.
pub(crate) fn page(name: &str, summary: &str, tracks: &Tracks) -> String {
    let entities: Vec<Value> =
        tracks.list.iter().filter(|track| track.is_of_interest()).map(entity).collect();
    let data = json!({ "name": name, "summary": summary, "entities": entities });
    page::page(include_str!("report/page.html"), include_str!("report/page.js"), &data)
}

fn entity(track: &Track) -> Value {
    let errors = track.agreement.sorted_errors();
    json!({
        "guid": track.guid.to_string(),
        "name": track.name,
        "distance": number(track.distance),
        "snaps": track.snaps,
        "teleports": track.teleports,
        "stalls": track.stalls,
        "backward": track.backward,
        "jumped": track.jumped,
        "moving": track.moving,
        "median": percentile(&errors, 0.5),
        "p95": percentile(&errors, 0.95),
        "worst": errors.last(),
        "gap": track.agreement.longest_gap(),
        "path": page::path(track),
        "reports": page::reports(track),
        "states": page::states(&track.samples),
        "marks": page::marks(track),
    })
}

//! The summary of a replay.

use std::fmt::Write as _;

use acmotion::StandIn;
use acmotion_sim::replay::{Replay, percentile};

use super::track::{Track, Tracks};
use crate::output::counted;

/// What the columns mean.
const LEGEND: &str = "\
error: how far each reported position is from where the body was shown just before it; gap: the longest time between reports
snaps, teleports: how often it was put elsewhere; stalls: how often it could not get closer to what was reported
backward, too far: share of the moving ticks that went against the last step, or farther than its speed allows
";

/// Returns the summary, with a table of the entities that moved or were reported.
pub(super) fn text(tracks: &Tracks, replay: &Replay) -> String {
    let mut text = String::new();
    let shown: Vec<_> = tracks.list.iter().filter(|track| track.is_of_interest()).collect();
    let stand_in = |part| tracks.list.iter().filter(|track| track.stand_in.contains(part)).count() as u64;
    // Writing to a string cannot fail.
    let _ = match (tracks.list.len(), shown.len()) {
        (1, 0) => writeln!(text, "1 entity, which neither moved nor was reported"),
        (1, _) => writeln!(text, "1 entity, which moved or was reported"),
        (count, 1) => writeln!(text, "{count} entities, 1 of them moved or was reported"),
        (count, shown) => writeln!(text, "{count} entities, {shown} of them moved or were reported"),
    };
    let (whole, table, setup) =
        (stand_in(StandIn::WHOLE), stand_in(StandIn::TABLE), stand_in(StandIn::SETUP));
    if whole + table + setup > 0 {
        let _ = writeln!(
            text,
            "stand-ins from the humanoid: {} never created, {} and {} missing",
            counted(whole, "entity"),
            counted(table, "motion table"),
            counted(setup, "setup"),
        );
    }
    if tracks.is_full() {
        let _ = writeln!(text, "entities after the first {} are not listed", tracks.list.len());
    }
    if replay.totals().rejected > 0 {
        let _ = writeln!(text, "{} rejected", counted(replay.totals().rejected, "message"));
    }
    for problem in replay.totals().problems() {
        let _ = writeln!(text, "{problem}");
    }
    if replay.world().lost_events() > 0 {
        let _ = writeln!(text, "{} lost", counted(replay.world().lost_events(), "event"));
    }
    if shown.is_empty() {
        return text;
    }
    text.push('\n');
    let head = [
        "entity",
        "moved",
        "reports",
        "error: median",
        "95 %",
        "most",
        "gap",
        "snaps",
        "teleports",
        "stalls",
    ];
    let mut rows = vec![head.map(String::from).to_vec()];
    rows[0].extend(["backward", "too far"].map(String::from));
    rows.extend(shown.iter().map(|track| row(track)));
    let widths: Vec<usize> = (0..rows[0].len())
        .map(|column| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0))
        .collect();
    for row in &rows {
        let mut line = format!("{:<width$}", row[0], width = widths[0]);
        for (cell, width) in row.iter().zip(&widths).skip(1) {
            let _ = write!(line, "  {cell:>width$}");
        }
        let _ = writeln!(text, "{line}");
    }
    let _ = write!(text, "\n{LEGEND}");
    text
}

fn row(track: &Track) -> Vec<String> {
    let errors = track.agreement.sorted_errors();
    let metres =
        |value: Option<f32>| value.map_or_else(|| String::from("-"), |value| format!("{value:.2} m"));
    let share = |ticks: u64| {
        if ticks == 0 {
            String::from("0")
        } else {
            format!("{:.1} %", 100.0 * ticks as f64 / track.moving.max(1) as f64)
        }
    };
    vec![
        format!("{} {}", track.guid, track.name),
        format!("{:.1} m", track.distance),
        track.agreement.reports().to_string(),
        metres(percentile(&errors, 0.5)),
        metres(percentile(&errors, 0.95)),
        metres(errors.last().copied()),
        track.agreement.longest_gap().map_or_else(|| String::from("-"), |gap| format!("{gap:.1} s")),
        track.snaps.to_string(),
        track.teleports.to_string(),
        track.stalls.to_string(),
        share(track.backward),
        share(track.jumped),
    ]
}

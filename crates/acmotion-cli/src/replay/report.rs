//! The page of `--report`: one file, nothing from outside, everything drawn from the data in it.

use acmotion_types::MotionCommand;
use serde_json::{Value, json};

use super::summary::percentile;
use super::track::{Sample, Track, Tracks};

/// More points of a path than this are thinned out: nobody sees them, and pages of an hour stay small.
const MOST_SAMPLES: usize = 6_000;
/// The same for marks of one kind.
const MOST_MARKS: usize = 2_000;

/// The whole page.
pub(crate) fn page(name: &str, summary: &str, tracks: &Tracks) -> String {
    let entities: Vec<Value> =
        tracks.list.iter().filter(|track| track.is_of_interest()).map(entity).collect();
    let data = json!({ "name": name, "summary": summary, "entities": entities });
    // A script's end inside the data would end the script.
    let data = data.to_string().replace("</", "<\\/");
    include_str!("report/page.html")
        .replace("/*STYLE*/", include_str!("report/page.css"))
        .replace("/*SCRIPT*/", include_str!("report/page.js"))
        .replace("/*DATA*/", &data)
}

fn entity(track: &Track) -> Value {
    let errors = track.sorted_errors();
    let samples = thinned(&track.samples);
    let number = |value: f64| (value * 1000.0).round() / 1000.0;
    let path: Vec<Value> = samples
        .iter()
        .map(|sample| {
            let [x, y, z] = sample.place.map(number);
            json!([number(sample.time), x, y, z, number(sample.heading.into()), number(sample.speed.into())])
        })
        .collect();
    let reports: Vec<Value> = track
        .reports
        .iter()
        .map(|report| {
            let [x, y, z] = report.place.map(number);
            json!([number(report.time), x, y, z, report.error.map(|error| number(error.into()))])
        })
        .collect();
    let marks: Vec<Value> = track
        .marks
        .iter()
        .take(MOST_MARKS)
        .map(|mark| json!([number(mark.time), mark.kind.name(), mark.text]))
        .collect();
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
        "gap": track.longest_gap(),
        "path": path,
        "reports": reports,
        "states": states(&track.samples),
        "marks": marks,
    })
}

/// Runs of the same substate: from when, until when, what.
fn states(samples: &[Sample]) -> Vec<Value> {
    let mut runs: Vec<(f64, f64, MotionCommand)> = Vec::new();
    for sample in samples {
        match runs.last_mut() {
            Some((_, until, substate)) if *substate == sample.substate => *until = sample.time,
            Some((_, until, _)) => {
                *until = sample.time;
                runs.push((sample.time, sample.time, sample.substate));
            }
            None => runs.push((sample.time, sample.time, sample.substate)),
        }
    }
    runs.into_iter().map(|(from, until, substate)| json!([from, until, substate.to_string()])).collect()
}

fn thinned(samples: &[Sample]) -> Vec<Sample> {
    let step = samples.len().div_ceil(MOST_SAMPLES).max(1);
    let mut kept: Vec<Sample> = samples.iter().step_by(step).copied().collect();
    if let Some(last) = samples.last()
        && kept.last().is_some_and(|kept| kept.time < last.time)
    {
        kept.push(*last);
    }
    kept
}

//! What the pages of `--report` share: one file, nothing from outside, everything drawn from the data in it.

use acmotion_types::MotionCommand;
use serde_json::{Value, json};

use crate::replay::track::{Sample, Track};

/// More points of a path than this are thinned out: nobody sees them, and pages of an hour stay small.
pub(crate) const MOST_SAMPLES: usize = 6_000;
/// The same for marks of one entity.
const MOST_MARKS: usize = 2_000;

/// The whole page: a layout with its style, its script, and the data that the script shows.
pub(crate) fn page(layout: &str, script: &str, data: &Value) -> String {
    // A script's end inside the data would end the script.
    let data = data.to_string().replace("</", "<\\/");
    let script = [include_str!("page/common.js"), script].concat();
    layout
        .replace("/*STYLE*/", include_str!("page/common.css"))
        .replace("/*SCRIPT*/", &script)
        .replace("/*DATA*/", &data)
}

/// To the millimetre or millisecond.
pub(crate) fn number(value: f64) -> f64 {
    (value * 1000.0).round() / 1000.0
}

/// Where it was shown: time, place, heading, speed.
pub(crate) fn path(track: &Track) -> Vec<Value> {
    let point = |sample: &Sample| {
        let [x, y, z] = sample.place.map(number);
        json!([number(sample.time), x, y, z, number(sample.heading.into()), number(sample.speed.into())])
    };
    thinned(&track.samples, |sample| sample.time).iter().map(point).collect()
}

/// Where it was reported, and how far off that was.
pub(crate) fn reports(track: &Track) -> Vec<Value> {
    let reports = track.reports.iter().map(|report| {
        let [x, y, z] = report.place.map(number);
        json!([number(report.time), x, y, z, report.error.map(|error| number(error.into()))])
    });
    reports.collect()
}

/// What happened to it.
pub(crate) fn marks(track: &Track) -> Vec<Value> {
    let marks = track.marks.iter().take(MOST_MARKS);
    marks.map(|mark| json!([number(mark.time), mark.kind.name(), mark.text])).collect()
}

/// Runs of the same substate: from when, until when, what.
pub(crate) fn states(samples: &[Sample]) -> Vec<Value> {
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
    let run = |(from, until, substate): (f64, f64, MotionCommand)| {
        json!([number(from), number(until), substate.to_string()])
    };
    runs.into_iter().map(run).collect()
}

/// Every so many of a list, and the last.
pub(crate) fn thinned<T: Copy>(list: &[T], time: impl Fn(&T) -> f64) -> Vec<T> {
    let step = list.len().div_ceil(MOST_SAMPLES).max(1);
    let mut kept: Vec<T> = list.iter().step_by(step).copied().collect();
    if let Some(last) = list.last()
        && kept.last().is_some_and(|kept| time(kept) < time(last))
    {
        kept.push(*last);
    }
    kept
}

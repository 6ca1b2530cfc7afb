//! What the pages of `--report` share. A page is one file that loads nothing, and draws everything from the data in it.

use acmotion_types::MotionCommand;
use serde_json::{Value, json};

use crate::replay::track::{Sample, Track};

/// The maximum number of points of a path. More would not be visible, and pages of an hour stay small.
const MAX_SAMPLES: usize = 6_000;

/// Returns a page as HTML: the layout with the common style, the scripts, and the data that they show.
pub(crate) fn page(layout: &str, script: &str, data: &Value) -> String {
    // In the data, `</script>` would end the script and `<!--<script>` hide its end. JSON has `<` only in strings.
    let data = data.to_string().replace('<', "\\u003c");
    let script = [include_str!("page/common.js"), script].concat();
    layout
        .replace("/*STYLE*/", include_str!("page/common.css"))
        .replace("/*SCRIPT*/", &script)
        .replace("/*DATA*/", &data)
}

/// Rounds to a thousandth: metres to millimetres, seconds to milliseconds.
pub(crate) fn number(value: f64) -> f64 {
    (value * 1000.0).round() / 1000.0
}

/// Returns where an entity was shown: time, position, heading, speed.
pub(crate) fn path(track: &Track) -> Vec<Value> {
    let point = |sample: &Sample| {
        let [x, y, z] = sample.position.map(number);
        json!([number(sample.time), x, y, z, number(sample.heading.into()), number(sample.speed.into())])
    };
    thinned(&track.samples, |sample| sample.time).iter().map(point).collect()
}

/// Returns where an entity was reported: time, position, error.
pub(crate) fn reports(track: &Track) -> Vec<Value> {
    let reports = track.reports.iter().map(|report| {
        let [x, y, z] = report.position.map(number);
        json!([number(report.time), x, y, z, report.error.map(|error| number(error.into()))])
    });
    reports.collect()
}

/// Returns what happened to an entity: time, kind, text.
pub(crate) fn marks(track: &Track) -> Vec<Value> {
    let marks = track.marks.iter();
    marks.map(|mark| json!([number(mark.time), mark.kind.name(), mark.text])).collect()
}

/// Returns runs of the same substate: start, end, substate.
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

/// Returns at most about [`MAX_SAMPLES`] items of a list, evenly spaced, and the last.
pub(crate) fn thinned<T: Copy>(list: &[T], time: impl Fn(&T) -> f64) -> Vec<T> {
    let step = list.len().div_ceil(MAX_SAMPLES).max(1);
    let mut kept: Vec<T> = list.iter().step_by(step).copied().collect();
    if let Some(last) = list.last()
        && kept.last().is_some_and(|kept| time(kept) < time(last))
    {
        kept.push(*last);
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::{MAX_SAMPLES, thinned};

    #[test]
    fn the_points_of_a_path_are_bounded_and_end_with_the_last() {
        for count in [0, 1, MAX_SAMPLES, MAX_SAMPLES + 1, 10 * MAX_SAMPLES + 7] {
            let list: Vec<f64> = (0..count).map(|index| index as f64).collect();
            let kept = thinned(&list, |time| *time);
            assert!(kept.len() <= MAX_SAMPLES + 1, "{} of {count}", kept.len());
            assert_eq!(kept.last(), list.last());
        }
    }
}

//! The table `reports`.

use acmotion_sim::replay::report_error;
use acmotion_types::{CellPosition, Guid};

use crate::column::{Name, Optional, Required, Timestamp};
use crate::table::{Rows as _, table};
use crate::time::Moment;

table! {
    /// One row for each position that is reported of an entity, with where the engine showed it at that moment.
    Reports = "reports" {
        /// The message that reports it.
        message: Required<i64>,
        /// Seconds since the first message of the capture.
        t: Required<f64>,
        /// The time, where the capture's clock is that of the calendar.
        time: Optional<Timestamp>,
        /// The entity.
        guid: Required<u32>,
        /// `server`, or `client` for what the local player's own client sent.
        source: Required<Name>,
        /// The cell of the position that is reported.
        cell: Required<u32>,
        /// Metres east of the south-west corner of the landblock.
        x: Required<f32>,
        /// Metres north of it.
        y: Required<f32>,
        /// The height in metres.
        z: Required<f32>,
        /// The compass heading in degrees.
        heading: Required<f32>,
        /// The cell in which the engine showed the entity; missing if it was not in the world.
        shown_cell: Optional<u32>,
        /// Where the engine showed it: metres east.
        shown_x: Optional<f32>,
        /// Where the engine showed it: metres north.
        shown_y: Optional<f32>,
        /// Where the engine showed it: its height.
        shown_z: Optional<f32>,
        /// The compass heading in which the engine showed it.
        shown_heading: Optional<f32>,
        /// How fast the engine showed it moving, in metres a second, without its rise or fall.
        shown_speed: Optional<f32>,
        /// The horizontal distance from where it was shown, in metres. Missing if it was not shown, if the report teleported it, and where the server only echoes what the local player's own client sent.
        error: Optional<f32>,
        /// How much higher it is reported than shown, in metres. Missing where `error` is.
        height_error: Optional<f32>,
        /// How far it has to turn from the heading shown to the one reported, in degrees from -180 to 180; positive is to the right. Missing where `error` is.
        heading_error: Optional<f32>,
        /// Seconds since the last report of the same entity from the same source: what the prediction had to bridge.
        age: Optional<f64>,
        /// How fast it went from the last report of the same source to this one, in metres a second, without its rise or fall. Missing if it was teleported in between.
        speed: Optional<f32>,
        /// Whether the entity was snapped since its last report, or by this one.
        snap: Required<bool>,
        /// Whether the report teleported it.
        teleport: Required<bool>,
    }
}

/// Where a report comes from.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Source {
    Server,
    /// The local player's own client.
    Client,
}

/// What later reports of the same source are compared with.
#[derive(Clone, Copy)]
pub(crate) struct LastReport {
    /// Seconds since the first message.
    pub(crate) t: f64,
    pub(crate) position: CellPosition,
    /// Whether the entity was teleported since then, by something else.
    pub(crate) was_elsewhere: bool,
}

/// A report whose consequences are still to come: events of the same moment tell whether it snapped or teleported the
/// entity.
pub(crate) struct PendingReport {
    pub(crate) message: i64,
    pub(crate) moment: Moment,
    /// The time on the clock of the replay.
    pub(crate) time: f64,
    pub(crate) guid: Guid,
    pub(crate) source: Source,
    pub(crate) position: CellPosition,
    pub(crate) shown: Option<CellPosition>,
    pub(crate) shown_speed: Option<f32>,
    /// The report before, of the same entity from the same source.
    pub(crate) before: Option<LastReport>,
    /// Whether the error says something about the prediction.
    pub(crate) counts: bool,
    pub(crate) snap: bool,
    pub(crate) teleport: bool,
}

impl PendingReport {
    /// Returns the horizontal distance from where it was shown, in metres; `None` if it does not count.
    pub(crate) fn error(&self) -> Option<f32> {
        self.prediction().map(|shown| report_error(&shown, &self.position))
    }

    /// Returns where it was shown, if that was a prediction of this report.
    fn prediction(&self) -> Option<CellPosition> {
        self.shown.filter(|_| self.counts && !self.teleport)
    }
}

impl Reports {
    /// Sets the values of a row.
    pub(crate) fn push(&mut self, report: &PendingReport) {
        let row = self.len();
        let PendingReport { moment, position, .. } = report;
        let heading = position.frame.heading();
        self.message.push(report.message);
        self.t.push(moment.t);
        self.time.set_some(row, moment.micros);
        self.guid.push(report.guid.0);
        self.source.push(match report.source {
            Source::Server => "server",
            Source::Client => "client",
        });
        self.cell.push(position.cell.0);
        self.x.push(position.frame.origin.x);
        self.y.push(position.frame.origin.y);
        self.z.push(position.frame.origin.z);
        self.heading.push(heading);
        if let Some(shown) = &report.shown {
            self.shown_cell.set(row, shown.cell.0);
            self.shown_x.set(row, shown.frame.origin.x);
            self.shown_y.set(row, shown.frame.origin.y);
            self.shown_z.set(row, shown.frame.origin.z);
            self.shown_heading.set(row, shown.frame.heading());
        }
        self.shown_speed.set_some(row, report.shown_speed);
        self.error.set_some(row, report.error());
        if let Some(shown) = report.prediction() {
            self.height_error.set(row, shown.offset_to(position).z);
            self.heading_error.set(row, turn(shown.frame.heading(), heading));
        }
        if let Some(before) = &report.before {
            let age = moment.t - before.t;
            self.age.set(row, age);
            if age > 0.0 && !report.teleport && !before.was_elsewhere {
                self.speed.set(row, (f64::from(report_error(&before.position, position)) / age) as f32);
            }
        }
        self.snap.push(report.snap);
        self.teleport.push(report.teleport);
    }
}

/// Returns the shortest turn from one heading to another, in degrees from -180 to 180.
fn turn(from: f32, to: f32) -> f32 {
    let turn = (to - from).rem_euclid(360.0);
    if turn > 180.0 { turn - 360.0 } else { turn }
}

#[cfg(test)]
mod tests {
    use super::turn;

    #[test]
    fn turns_are_the_shorter_way() {
        assert_eq!(turn(350.0, 10.0), 20.0);
        assert_eq!(turn(10.0, 350.0), -20.0);
        assert_eq!(turn(90.0, 270.0), 180.0);
        assert_eq!(turn(0.0, 0.0), 0.0);
    }
}

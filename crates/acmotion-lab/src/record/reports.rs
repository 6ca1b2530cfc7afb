//! Positions that the server reported.

use std::collections::{HashMap, VecDeque};

use acmotion::types::{CellPosition, Guid, Vec3};
use acmotion_sim::replay::{Agreement, report_error};

use crate::protocol::{Report, ReportedPosition};
use crate::values::{Origin, vector};

/// The maximum number of reports of one recording whose positions are kept.
const MAX_REPORTS: usize = 200_000;
/// The maximum number of reports of one recording that count for the agreement of its entities.
const MAX_COUNTED: usize = 1_000_000;
/// The number of reports from which a movement is estimated.
const MAX_RECENT: usize = 8;
/// The age in seconds from which on a report does not count for that.
const RECENT_SECONDS: f64 = 1.2;
/// The shortest time in seconds over which it is estimated.
const MIN_SECONDS: f64 = 0.35;

/// A position that was just reported.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct NewReport {
    /// Seconds.
    pub(crate) t: f64,
    pub(crate) reported: CellPosition,
    /// Where the body was shown; `None` if it was not in the world.
    pub(crate) shown: Option<CellPosition>,
    /// Whether the local player's own client sent it, and not the server.
    pub(crate) is_own: bool,
}

impl NewReport {
    /// Returns what is kept of the report; `None` if the body was not shown.
    pub(crate) fn record(&self) -> Option<ReportRecord> {
        self.shown.map(|shown| ReportRecord { t: self.t, reported: self.reported, shown })
    }
}

/// A position that was reported, and where the body was shown when the report arrived.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct ReportRecord {
    /// Seconds.
    pub(crate) t: f64,
    pub(crate) reported: CellPosition,
    pub(crate) shown: CellPosition,
}

impl ReportRecord {
    /// Returns how far the body was from the report, in metres.
    pub(crate) fn error(&self) -> f32 {
        report_error(&self.shown, &self.reported)
    }

    pub(crate) fn in_scene(&self, origin: Origin) -> ReportedPosition {
        let place = |position: &CellPosition| vector(origin.scene_position(position));
        ReportedPosition { t: self.t, reported: place(&self.reported), shown: place(&self.shown) }
    }
}

/// The reports of a recording.
#[derive(Debug, Default)]
pub(crate) struct ReportHistory {
    by_guid: HashMap<Guid, EntityReports>,
    /// The number of reports that were counted.
    counted: usize,
    /// The number of reports that are kept.
    kept: usize,
}

/// The reports of one entity.
#[derive(Debug, Default)]
struct EntityReports {
    kept: Vec<ReportRecord>,
    agreement: Agreement,
}

impl ReportHistory {
    /// Adds a report. After too many, nothing changes any more.
    pub(crate) fn push(&mut self, guid: Guid, report: &NewReport) {
        if self.counted == MAX_COUNTED {
            return;
        }
        self.counted += 1;
        let entity = self.by_guid.entry(guid).or_default();
        let NewReport { t, reported, shown, is_own } = report;
        if *is_own {
            entity.agreement.own_report(*t, reported, shown.as_ref());
        } else {
            entity.agreement.report(*t, reported, shown.as_ref());
        }
        if let Some(record) = report.record().filter(|_| self.kept < MAX_REPORTS) {
            self.kept += 1;
            entity.kept.push(record);
        }
    }

    /// Notes that an entity was teleported, perhaps by its last report.
    pub(crate) fn teleported(&mut self, guid: Guid, t: f64) {
        if let Some(entity) = self.by_guid.get_mut(&guid) {
            entity.agreement.teleported(t);
        }
    }

    /// Returns how an entity agrees with its reports; `None` without reports.
    pub(crate) fn agreement(&self, guid: Guid) -> Option<&Agreement> {
        self.by_guid.get(&guid).map(|entity| &entity.agreement)
    }

    /// Returns the reports of an entity that are kept, oldest first.
    pub(crate) fn of(&self, guid: Guid) -> &[ReportRecord] {
        self.by_guid.get(&guid).map_or(&[], |entity| &entity.kept)
    }
}

/// The last reports of an entity.
#[derive(Clone, Debug, Default)]
pub(crate) struct RecentReports {
    list: VecDeque<(f64, CellPosition)>,
    /// How far the body was from the last report when it arrived, in metres.
    error: f32,
}

/// How the reports of an entity have been moving.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct ReportedMovement {
    /// Metres a second, in the axes of the last report's landblock.
    pub(crate) velocity: Vec3,
    /// How fast they approach the target, in metres a second.
    pub(crate) advance: Option<f32>,
}

impl RecentReports {
    pub(crate) fn push(&mut self, report: &ReportRecord) {
        self.list.push_back((report.t, report.reported));
        if self.list.len() > MAX_RECENT {
            self.list.pop_front();
        }
        self.error = report.error();
    }

    pub(crate) fn error(&self) -> f32 {
        self.error
    }

    /// Returns how the reports of about the last second move, and how they approach a target; `None` if there are too few.
    pub(crate) fn movement(&self, now: f64, target: Option<&CellPosition>) -> Option<ReportedMovement> {
        let (end, last) = self.list.back()?;
        let (start, first) = self.list.iter().find(|(t, _)| now - t < RECENT_SECONDS)?;
        let seconds = end - start;
        if seconds < MIN_SECONDS {
            return None;
        }
        let velocity = first.offset_to(last) * (1.0 / seconds as f32);
        let way = target.and_then(|target| Vec3 { z: 0.0, ..last.offset_to(target) }.normalized());
        Some(ReportedMovement { velocity, advance: way.map(|way| velocity.dot(way)) })
    }

    /// Describes the last report for the page. `own` is where the body is now.
    pub(crate) fn describe(
        &self,
        now: f64,
        own: &CellPosition,
        target: Option<&CellPosition>,
        origin: Origin,
    ) -> Option<Report> {
        let (t, last) = self.list.back()?;
        let movement = self.movement(now, target);
        Some(Report {
            position: vector(origin.scene_position(last)),
            age: (now - t) as f32,
            distance: own.distance_to(last),
            speed: movement.map(|movement| movement.velocity.length()),
            advance: movement.and_then(|movement| movement.advance),
        })
    }
}

#[cfg(test)]
mod tests {
    use acmotion::types::CellId;

    use super::*;

    fn at(x: f32, y: f32) -> CellPosition {
        CellPosition::at(CellId(0xA9B4_0001), Vec3::new(x, y, 0.0))
    }

    #[test]
    fn reports_along_a_wall_do_not_approach_the_target() {
        let mut recent = RecentReports::default();
        for number in 0..10 {
            let t = f64::from(number) * 0.2;
            let reported = at(4.0 + 0.1 * number as f32, 10.0);
            recent.push(&ReportRecord { t, reported, shown: at(4.0, 9.0) });
        }
        let movement = recent.movement(1.9, Some(&at(5.0, 0.0))).unwrap();
        assert!((movement.velocity.x - 0.5).abs() < 0.01, "{movement:?}");
        assert!(movement.advance.unwrap().abs() < 0.05, "{movement:?}");
        assert!(recent.movement(9.0, None).is_none(), "they are too old");
        assert!((recent.error() - 1.345).abs() < 0.01, "{}", recent.error());
    }

    #[test]
    fn reports_are_kept_and_counted_up_to_their_limits() {
        let mut history = ReportHistory::default();
        let mut report =
            NewReport { t: 0.0, reported: at(4.0, 9.0), shown: Some(at(4.0, 7.0)), is_own: false };
        for number in 0..MAX_COUNTED + 10 {
            report.t = number as f64;
            history.push(Guid(number as u32 % 20), &report);
        }
        let kept: usize = (0..20).map(|guid| history.of(Guid(guid)).len()).sum();
        let counted: u64 =
            (0..20).filter_map(|guid| history.agreement(Guid(guid))).map(Agreement::reports).sum();
        assert_eq!((kept, counted), (MAX_REPORTS, MAX_COUNTED as u64));
        assert_eq!(history.agreement(Guid(3)).and_then(Agreement::worst), Some((2.0, 999_983.0)));
    }

    #[test]
    fn the_recent_reports_of_an_entity_are_limited() {
        let report = ReportRecord { t: 0.0, reported: at(0.0, 0.0), shown: at(0.0, 0.0) };
        let mut recent = RecentReports::default();
        (0..1_000).for_each(|_| recent.push(&report));
        assert_eq!(recent.list.len(), MAX_RECENT);
    }
}

//! How well an entity of a replay agrees with what was reported of it.

use acmotion::types::{CellPosition, Vec3};

/// The maximum number of reports of one entity whose errors are kept. All are counted.
pub const MAX_REPORTS: usize = 100_000;

/// The errors of the reports of one entity: how far from each reported position it was shown.
///
/// The error of a report that teleported the entity does not count, because it says nothing about how well the entity was
/// followed. What the server reports about the local player is an echo of what its client sent before, so that its errors
/// are those of the client's own positions only, once there are any.
#[derive(Clone, Debug, Default)]
pub struct Agreement {
    count: u64,
    /// The errors of all reports but the last, in metres.
    errors: Vec<f32>,
    /// The greatest of them, and its time.
    worst: Option<(f32, f64)>,
    /// The time of the last report and its error, which a teleport can still take back.
    last: Option<(f64, Option<f32>)>,
    longest_gap: Option<f64>,
    is_own: bool,
}

impl Agreement {
    /// Records a position that the server reported at a time in seconds, and where the entity was shown then. Returns the
    /// error in metres; `None` if it does not count.
    pub fn report(
        &mut self,
        time: f64,
        position: &CellPosition,
        shown: Option<&CellPosition>,
    ) -> Option<f32> {
        let error = shown.filter(|_| !self.is_own).map(|shown| report_error(shown, position));
        self.add(time, error)
    }

    /// Records a position that the local player's own client sent.
    pub fn own_report(
        &mut self,
        time: f64,
        position: &CellPosition,
        shown: Option<&CellPosition>,
    ) -> Option<f32> {
        self.is_own = true;
        self.add(time, shown.map(|shown| report_error(shown, position)))
    }

    fn add(&mut self, time: f64, error: Option<f32>) -> Option<f32> {
        self.count += 1;
        let gap = self.last.map(|(last, _)| time - last);
        self.longest_gap = self.longest_gap.into_iter().chain(gap).max_by(f64::total_cmp);
        self.worst = self.worst();
        let before = self.last.replace((time, error)).and_then(|(_, error)| error);
        if self.errors.len() < MAX_REPORTS {
            self.errors.extend(before);
        }
        error
    }

    /// Drops the error of the last report if it arrived at this time: it teleported the entity. Returns `true` if it did.
    pub fn teleported(&mut self, time: f64) -> bool {
        let last = self.last.as_mut().filter(|(last, _)| *last == time);
        last.map(|(_, error)| *error = None).is_some()
    }

    /// Returns the number of reports.
    pub fn reports(&self) -> u64 {
        self.count
    }

    /// Returns the longest time between two reports in seconds; `None` if there are fewer than two.
    pub fn longest_gap(&self) -> Option<f64> {
        self.longest_gap
    }

    /// Returns the errors in metres, in ascending order: those of the first [`MAX_REPORTS`].
    pub fn sorted_errors(&self) -> Vec<f32> {
        let last = self.last.and_then(|(_, error)| error);
        let mut errors: Vec<f32> = self.errors.iter().copied().chain(last).take(MAX_REPORTS).collect();
        errors.sort_by(f32::total_cmp);
        errors
    }

    /// Returns the greatest error in metres and the time of its report; `None` if no report has an error.
    pub fn worst(&self) -> Option<(f32, f64)> {
        let last = self.last.and_then(|(time, error)| Some((error?, time)));
        self.worst.into_iter().chain(last).max_by(|a, b| a.0.total_cmp(&b.0))
    }
}

/// Returns how far an entity was shown from where it was reported, in metres. Heights do not count: without land, the ground
/// under a body changes from report to report.
pub fn report_error(shown: &CellPosition, reported: &CellPosition) -> f32 {
    Vec3 { z: 0.0, ..shown.offset_to(reported) }.length()
}

/// Returns the value below which a share of a sorted list lies, interpolated; `None` if the list is empty.
pub fn percentile(sorted: &[f32], share: f64) -> Option<f32> {
    let rank = sorted.len().checked_sub(1)? as f64 * share;
    let (below, above) = (sorted.get(rank.floor() as usize)?, sorted.get(rank.ceil() as usize)?);
    Some(below + (above - below) * rank.fract() as f32)
}

#[cfg(test)]
mod tests {
    use acmotion::types::CellId;

    use super::*;

    fn at(x: f32, z: f32) -> CellPosition {
        CellPosition::at(CellId(0xA9B4_0001), Vec3::new(x, 4.0, z))
    }

    #[test]
    fn heights_and_teleports_do_not_count() {
        let mut agreement = Agreement::default();
        assert_eq!(agreement.report(1.0, &at(2.0, 0.0), None), None, "it was not shown");
        assert_eq!(agreement.report(2.0, &at(2.0, 0.0), Some(&at(5.0, 7.0))), Some(3.0));
        agreement.report(4.0, &at(20.0, 0.0), Some(&at(2.0, 0.0)));
        assert_eq!(agreement.worst(), Some((18.0, 4.0)));
        assert!(agreement.teleported(4.0) && !agreement.teleported(3.0));
        assert_eq!(agreement.report(5.0, &at(2.0, 0.0), Some(&at(3.0, 0.0))), Some(1.0));
        assert_eq!((agreement.reports(), agreement.longest_gap()), (4, Some(2.0)));
        assert_eq!(agreement.sorted_errors(), [1.0, 3.0]);
        assert_eq!(agreement.worst(), Some((3.0, 2.0)));
        assert_eq!(percentile(&agreement.sorted_errors(), 0.5), Some(2.0), "halfway between the two");
    }

    #[test]
    fn the_server_only_echoes_what_the_own_client_sent() {
        let mut agreement = Agreement::default();
        assert_eq!(agreement.own_report(1.0, &at(1.0, 0.0), Some(&at(3.0, 0.0))), Some(2.0));
        assert_eq!(agreement.report(1.1, &at(9.0, 0.0), Some(&at(3.0, 0.0))), None);
        assert_eq!((agreement.reports(), agreement.sorted_errors()), (2, vec![2.0]));
    }

    #[test]
    fn the_errors_of_an_entity_are_bounded_and_its_reports_counted() {
        let mut agreement = Agreement::default();
        for time in 0..150_000 {
            agreement.report(f64::from(time), &at(1.0, 0.0), Some(&at(1.0, 0.0)));
        }
        assert_eq!(agreement.sorted_errors().len(), MAX_REPORTS);
        assert_eq!((agreement.reports(), agreement.longest_gap()), (150_000, Some(1.0)));
    }
}

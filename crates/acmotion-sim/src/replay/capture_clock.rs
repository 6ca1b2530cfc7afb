//! Maps the times of a capture to the clock of a replay.

use super::Totals;

/// The maximum time, in seconds, by which the clock advances from one message to the next: an hour. A longer gap is
/// shortened to this, and all later times move up.
pub const MAX_GAP: f64 = 3_600.0;
/// The maximum time, in seconds before or after 0, at which the clock may start: 2³², the year 2106 as Unix time. The
/// times of frames are then exact to a microsecond.
pub const MAX_START: f64 = 4_294_967_296.0;

/// The time of the last message, on both clocks.
#[derive(Clone, Copy, Debug)]
struct Last {
    /// In the capture; `None` until a time was finite.
    capture: Option<f64>,
    /// On the clock of the replay.
    replay: f64,
}

/// Turns untrusted times into times that are finite, never go back, and advance by a bounded amount.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct CaptureClock {
    last: Option<Last>,
    /// Whether the two clocks differ.
    is_shifted: bool,
}

impl CaptureClock {
    /// Returns the time on the clock of the replay at which a message arrives.
    pub(super) fn read(&mut self, time: f64, totals: &mut Totals) -> f64 {
        let next = match self.last {
            None => self.start(time, totals),
            Some(last) => self.follow(last, time, totals),
        };
        self.last = Some(next);
        next.replay
    }

    fn start(&mut self, time: f64, totals: &mut Totals) -> Last {
        if !time.is_finite() {
            totals.clamped_times += 1;
            self.is_shifted = true;
            return Last { capture: None, replay: 0.0 };
        }
        if time.abs() > MAX_START {
            totals.shifted_start = Some(time);
            self.is_shifted = true;
            return Last { capture: Some(time), replay: 0.0 };
        }
        Last { capture: Some(time), replay: time }
    }

    fn follow(&mut self, last: Last, time: f64, totals: &mut Totals) -> Last {
        let gap = match last.capture {
            None if time.is_finite() => 0.0,
            Some(capture) if time.is_finite() && time >= capture => time - capture,
            _ => {
                totals.clamped_times += 1;
                return last;
            }
        };
        if gap > MAX_GAP {
            totals.shortened_gaps += 1;
            self.is_shifted = true;
            return Last { capture: Some(time), replay: last.replay + MAX_GAP };
        }
        // As long as nothing has been shifted, both clocks are equal to the bit.
        let replay = if self.is_shifted { last.replay + gap } else { time };
        Last { capture: Some(time), replay }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(times: &[f64]) -> (Vec<f64>, Totals) {
        let (mut clock, mut totals) = (CaptureClock::default(), Totals::default());
        (times.iter().map(|time| clock.read(*time, &mut totals)).collect(), totals)
    }

    #[test]
    fn ordinary_times_are_not_changed() {
        for start in [-0.045_657, 0.0, 718.442_823, 1_766_693_906.388_087] {
            let times: Vec<f64> = (0..100).map(|step| start + 36.4 * f64::from(step)).collect();
            assert_eq!(read(&times), (times, Totals::default()));
        }
    }

    #[test]
    fn times_that_go_back_are_clamped() {
        let (read, totals) = read(&[10.0, 12.0, 11.0, 3.0, 12.0, 12.5]);
        assert_eq!(read, [10.0, 12.0, 12.0, 12.0, 12.0, 12.5]);
        assert_eq!(totals, Totals { clamped_times: 2, ..Totals::default() });
    }

    #[test]
    fn non_finite_times_are_clamped() {
        let (times, totals) = read(&[5.0, f64::NAN, f64::INFINITY, 6.0, f64::NEG_INFINITY]);
        assert_eq!(times, [5.0, 5.0, 5.0, 6.0, 6.0]);
        assert_eq!(totals.clamped_times, 3);
        let (times, totals) = read(&[f64::NAN, f64::NAN, 815.0, 816.0]);
        assert_eq!(times, [0.0, 0.0, 0.0, 1.0], "time is counted from the first finite time");
        assert_eq!(totals.clamped_times, 2);
    }

    #[test]
    fn huge_times_are_counted_from_the_first_message() {
        for start in [1.7e12, 1.7e15, 5e15, -5e15, 1e300] {
            let (times, totals) = read(&[start, start]);
            assert_eq!((times, totals.shifted_start), (vec![0.0, 0.0], Some(start)));
        }
        assert_eq!(read(&[1.7e15, 1.7e15 + 2.0]).0, [0.0, 2.0]);
    }

    #[test]
    fn a_gap_of_more_than_an_hour_counts_as_an_hour() {
        let (times, totals) = read(&[0.0, MAX_GAP, 3.0 * MAX_GAP, 3.0 * MAX_GAP + 0.5, f64::MAX]);
        assert_eq!(times, [0.0, 3_600.0, 7_200.0, 7_200.5, 10_800.5]);
        assert_eq!(totals, Totals { shortened_gaps: 2, ..Totals::default() });
        let (times, _) = read(&[f64::MIN, f64::MAX, f64::MAX]);
        assert_eq!(times, [0.0, 3_600.0, 3_600.0]);
    }
}

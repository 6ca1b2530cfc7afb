//! The time of a capture: seconds since its first message, and the calendar where its clock is one.

use std::io::Write as _;

use acmotion_wire::capture::MIN_CALENDAR_TIME;
use chrono::DateTime;

/// The end of what counts as a time of the calendar, in seconds since 1970: the year 2106, where 32 bits end.
const CALENDAR_END: f64 = 4_294_967_296.0;

/// The clock of a capture.
#[derive(Clone, Copy, Default)]
pub(crate) struct CaptureTime {
    /// The time of the first message, on the capture's clock.
    start: Option<f64>,
}

/// A moment of a capture.
#[derive(Clone, Copy)]
pub(crate) struct Moment {
    /// Seconds since the first message.
    pub(crate) t: f64,
    /// Microseconds since 1970; `None` if the capture's clock is not that of the calendar.
    pub(crate) micros: Option<i64>,
}

impl CaptureTime {
    /// Notes the time of a message. The first is the start.
    #[inline]
    pub(crate) fn note(&mut self, time: f64) {
        if self.start.is_none() && time.is_finite() {
            self.start = Some(time);
        }
    }

    /// Returns the seconds from the first message to a time.
    #[inline]
    pub(crate) fn since_start(&self, time: f64) -> f64 {
        time - self.start.unwrap_or(time)
    }

    /// Returns the microseconds from 1970 to a time; `None` if the capture's clock is not that of the calendar.
    #[inline]
    pub(crate) fn micros(&self, time: f64) -> Option<i64> {
        let is_calendar = |time: f64| (MIN_CALENDAR_TIME..CALENDAR_END).contains(&time);
        self.start.filter(|start| is_calendar(*start) && is_calendar(time)).map(|_| (time * 1e6 + 0.5) as i64)
    }

    /// Returns the moment of a time on the capture's clock.
    pub(crate) fn moment(&self, time: f64) -> Moment {
        Moment { t: self.since_start(time), micros: self.micros(time) }
    }

    /// Returns the time of the first message in microseconds since 1970.
    pub(crate) fn start_micros(&self) -> Option<i64> {
        self.start.and_then(|start| self.micros(start))
    }
}

/// Appends a time, in microseconds since 1970, as in `2017-01-24T20:15:00.000000Z`. Appends nothing if it is too far off.
pub(crate) fn put_iso(micros: i64, out: &mut Vec<u8>) {
    if let Some(time) = DateTime::from_timestamp_micros(micros) {
        // Writing to memory cannot fail.
        let _ = write!(out, "{}", time.format("%Y-%m-%dT%H:%M:%S%.6fZ"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn iso(micros: i64) -> String {
        let mut out = Vec::new();
        put_iso(micros, &mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn times_are_written_as_dates() {
        assert_eq!(iso(0), "1970-01-01T00:00:00.000000Z");
        assert_eq!(iso(951_782_399_999_999), "2000-02-28T23:59:59.999999Z");
        assert_eq!(iso(951_782_400_000_000), "2000-02-29T00:00:00.000000Z");
        assert_eq!(iso(1_485_216_000_123_456), "2017-01-24T00:00:00.123456Z");
        assert_eq!(iso(4_107_542_400_000_000), "2100-03-01T00:00:00.000000Z");
        assert_eq!(iso(-1), "1969-12-31T23:59:59.999999Z");
    }

    #[test]
    fn clocks_that_do_not_show_the_calendar_have_no_timestamps() {
        let mut recording = CaptureTime::default();
        recording.note(-0.045_657);
        assert_eq!((recording.micros(941.0), recording.since_start(0.0)), (None, 0.045_657));
        let mut capture = CaptureTime::default();
        capture.note(1_485_216_000.5);
        capture.note(1_485_216_009.0);
        assert_eq!(capture.micros(1_485_216_001.0), Some(1_485_216_001_000_000));
        assert_eq!(capture.since_start(1_485_216_001.0), 0.5);
        assert_eq!((capture.micros(5e15), capture.micros(f64::NAN)), (None, None));
    }
}

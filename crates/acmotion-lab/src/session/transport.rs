//! The clock of a session. It reads no clock itself: the caller says what time it is.

use crate::protocol::TransportMode;

/// How far a session may fall behind, in seconds of its own time at normal speed, before it skips the time.
const MAX_LAG: f64 = 0.25;
/// The maximum time, in seconds, that a session sleeps before it looks at its clock again.
const MAX_WAIT: f64 = 10.0;

/// The mode and speed of a session's clock, and how its time maps to real time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Transport {
    mode: TransportMode,
    /// The speed at which new ticks are simulated.
    speed: f64,
    /// The speed at which recorded ticks are played, negative for backwards.
    rate: f64,
    /// The real time, in seconds, as the caller has given it last.
    real_time: f64,
    /// A point in real time and the session's time at that point.
    anchor: (f64, f64),
}

impl Transport {
    pub(super) fn live() -> Self {
        Self { mode: TransportMode::Live, speed: 1.0, rate: 1.0, real_time: 0.0, anchor: (0.0, 0.0) }
    }

    pub(super) fn paused() -> Self {
        Self { mode: TransportMode::Paused, ..Self::live() }
    }

    pub(super) fn mode(&self) -> TransportMode {
        self.mode
    }

    pub(super) fn speed(&self) -> f64 {
        self.speed
    }

    /// Returns the speed of the clock in the current mode.
    pub(super) fn rate(&self) -> f64 {
        match self.mode {
            TransportMode::Recorded => self.rate,
            TransportMode::Live | TransportMode::Paused => self.speed,
        }
    }

    /// Sets the real time, in seconds since any fixed moment. A time before the last one does not count.
    pub(super) fn set_real_time(&mut self, now: f64) {
        self.real_time = self.real_time.max(now);
    }

    /// Returns the real time, in seconds.
    pub(super) fn real_time(&self) -> f64 {
        self.real_time
    }

    /// Sets the session's time at this moment.
    pub(super) fn anchor(&mut self, t: f64) {
        self.anchor = (self.real_time, t);
    }

    /// Returns the session's time.
    pub(super) fn now(&self) -> f64 {
        let (real_time, t) = self.anchor;
        t + (self.real_time - real_time) * self.rate()
    }

    /// Returns `true` if the session's time has reached `t`. If it is past `t` by more than [`MAX_LAG`], the clock is
    /// set back to `t`.
    pub(super) fn is_due(&mut self, t: f64) -> bool {
        let now = self.now();
        if now - t > MAX_LAG * self.speed.max(1.0) {
            self.anchor(t);
            return true;
        }
        now >= t
    }

    /// Returns the real time at which the session's time reaches `t`, from now to [`MAX_WAIT`] from now.
    pub(super) fn when(&self, t: f64) -> f64 {
        let seconds = (t - self.now()) / self.rate();
        self.real_time + if seconds.is_finite() { seconds.clamp(0.0, MAX_WAIT) } else { 0.0 }
    }

    pub(super) fn go_live(&mut self, t: f64) {
        self.mode = TransportMode::Live;
        self.anchor(t);
    }

    pub(super) fn pause(&mut self) {
        self.mode = TransportMode::Paused;
    }

    /// Plays recorded ticks, starting at time `t`.
    pub(super) fn play(&mut self, t: f64, rate: f64) {
        self.mode = TransportMode::Recorded;
        self.rate = rate;
        self.anchor(t);
    }

    /// Sets the speed. Recorded ticks keep the direction in which they are played.
    pub(super) fn set_speed(&mut self, speed: f64) {
        let now = self.now();
        self.speed = speed;
        self.rate = speed.copysign(self.rate);
        self.anchor(now);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Entry 2 of the list of hostile inputs: a walk that had run for longer than the maximum wait kept a core busy.
    #[test]
    fn hostile_02_a_session_sleeps_between_ticks_however_long_it_has_run() {
        let mut transport = Transport::live();
        for seconds in [1.0, 15.0, 75.0, 3675.0] {
            transport.set_real_time(seconds);
            let wait = transport.when(transport.now() + 1.0 / 30.0) - seconds;
            assert!((wait - 1.0 / 30.0).abs() < 1e-6, "after {seconds} s: {wait}");
        }
    }

    #[test]
    fn a_time_in_the_past_is_due_at_once_and_a_far_one_after_the_maximum_wait() {
        let mut transport = Transport::live();
        transport.set_real_time(30.0);
        assert_eq!(transport.when(29.0), 30.0);
        assert_eq!(transport.when(1e9), 30.0 + MAX_WAIT);
        assert_eq!(transport.when(f64::NAN), 30.0);
    }

    #[test]
    fn a_clock_that_goes_back_or_is_broken_does_not_move_the_session() {
        let mut transport = Transport::live();
        transport.set_real_time(30.0);
        for time in [12.0, f64::NAN] {
            transport.set_real_time(time);
            assert_eq!(transport.now(), 30.0);
        }
    }
}

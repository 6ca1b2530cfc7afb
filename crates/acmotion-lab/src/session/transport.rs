//! The clock of a session.

use std::time::Duration;

use tokio::time::Instant;

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
    /// A point in real time and the session's time at that point.
    anchor: (Instant, f64),
}

impl Transport {
    pub(super) fn live() -> Self {
        Self { mode: TransportMode::Live, speed: 1.0, rate: 1.0, anchor: (Instant::now(), 0.0) }
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

    /// Sets the session's time at this moment.
    pub(super) fn anchor(&mut self, t: f64) {
        self.anchor = (Instant::now(), t);
    }

    /// Returns the session's time.
    pub(super) fn now(&self) -> f64 {
        let (instant, t) = self.anchor;
        t + instant.elapsed().as_secs_f64() * self.rate()
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
    pub(super) fn when(&self, t: f64) -> Instant {
        let seconds = (t - self.now()) / self.rate();
        let seconds = if seconds.is_finite() { seconds.clamp(0.0, MAX_WAIT) } else { 0.0 };
        Instant::now() + Duration::from_secs_f64(seconds)
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
    #[tokio::test(start_paused = true)]
    async fn hostile_2_a_session_sleeps_between_ticks_however_long_it_has_run() {
        let transport = Transport::live();
        for seconds in [1, 14, 60, 3600] {
            tokio::time::advance(Duration::from_secs(seconds)).await;
            let next_tick = transport.now() + 1.0 / 30.0;
            let wait = transport.when(next_tick) - Instant::now();
            assert!((wait.as_secs_f64() - 1.0 / 30.0).abs() < 1e-6, "after {seconds} s more: {wait:?}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_time_in_the_past_is_due_at_once_and_a_far_one_after_the_maximum_wait() {
        let transport = Transport::live();
        tokio::time::advance(Duration::from_secs(30)).await;
        assert_eq!(transport.when(29.0), Instant::now());
        assert_eq!(transport.when(1e9), Instant::now() + Duration::from_secs_f64(MAX_WAIT));
        assert_eq!(transport.when(f64::NAN), Instant::now());
    }
}

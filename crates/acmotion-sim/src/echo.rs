//! Echo requests, by which a client measures its round trip (`docs/wire.md` 1.1).

use std::sync::Arc;

use crate::network::{Link, NetworkSettings};

/// The time between two requests, in seconds.
const INTERVAL: f64 = 2.0;
/// The number of answers whose median is the round trip.
const ANSWERS: usize = 9;

/// The echo requests of a client. They travel beside its messages, over a network of the same settings.
#[derive(Clone)]
pub(crate) struct Echo {
    up: Link,
    down: Link,
    /// The time of the next request, in seconds.
    next: f64,
    /// The last round trips, in seconds, the newest last.
    answers: Vec<f64>,
}

impl Echo {
    pub(crate) fn new(network: NetworkSettings, seed: u64, now: f64) -> Self {
        let seed = seed ^ 0x6563_686F;
        Self {
            up: Link::new(network.up, seed),
            down: Link::new(network.down, seed.wrapping_add(1)),
            next: now,
            answers: Vec::new(),
        }
    }

    pub(crate) fn set_network(&mut self, network: NetworkSettings) {
        self.up.set_settings(network.up);
        self.down.set_settings(network.down);
    }

    /// Sends a request if one is due, and takes the answers that have arrived. Returns the round trip in seconds, if there is
    /// a new answer.
    pub(crate) fn use_time(&mut self, now: f64) -> Option<f64> {
        if now >= self.next {
            self.next = now + INTERVAL;
            self.up.send(Arc::from(now.to_le_bytes()), now, false);
        }
        let mut is_new = false;
        while let Some(answer) = self.down.receive(now) {
            let Some(sent) = answer.bytes.first_chunk::<8>() else { continue };
            if self.answers.len() == ANSWERS {
                self.answers.remove(0);
            }
            self.answers.push(now - f64::from_le_bytes(*sent));
            is_new = true;
        }
        let mut sorted = self.answers.clone();
        sorted.sort_unstable_by(f64::total_cmp);
        sorted.get(sorted.len() / 2).copied().filter(|_| is_new)
    }

    /// Answers the requests that have arrived at the server.
    pub(crate) fn answer(&mut self, now: f64) {
        while let Some(request) = self.up.receive(now) {
            self.down.send(request.bytes, now, false);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::LinkSettings;

    #[test]
    fn the_round_trip_is_found_despite_jitter_and_loss() {
        let link = LinkSettings { latency: 0.15, jitter: 0.05, loss: 0.1, ..LinkSettings::PERFECT };
        let mut echo = Echo::new(link.into(), 7, 0.0);
        let mut found = None;
        for frame in 0..3_600 {
            let now = f64::from(frame) / 60.0;
            echo.answer(now);
            found = echo.use_time(now).or(found);
        }
        let found = found.unwrap();
        assert!((0.28..0.36).contains(&found), "{found} s");
    }
}

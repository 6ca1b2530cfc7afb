//! A virtual network: latency, jitter, loss, duplicates and reordering, all determined by a seed.
//!
//! The game's protocol numbers its packets and requests lost ones again (`docs/wire.md` 1.1, 1.2). A lost message
//! therefore arrives late, and those behind it wait: [`LinkSettings::retransmit`] models that. Without it a lost message
//! never arrives. Jitter alone does not change the order of messages, as in the queues of real routers; only duplicates
//! and the messages selected by [`LinkSettings::reorder`] arrive out of order.

pub(crate) mod random;

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;

use random::Random;

/// The maximum number of times a message is sent again. A real connection would be closed then.
const MAX_RETRIES: u32 = 20;

/// The number of messages in flight for which a connection always keeps memory.
const MIN_SPARE: usize = 64;

/// The behaviour of one direction of a connection.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct LinkSettings {
    /// The mean time from one end to the other, in seconds.
    pub latency: f64,
    /// The maximum deviation from the latency, up or down, in seconds, uniformly distributed.
    pub jitter: f64,
    /// The share of messages that are lost, from 0 to 1.
    pub loss: f64,
    /// The share of messages that arrive twice, from 0 to 1.
    pub duplicate: f64,
    /// The share of messages that are delayed by up to another latency and jitter, so that others overtake them, from 0
    /// to 1.
    pub reorder: f64,
    /// The time in seconds after which a lost message is sent again, while those behind it wait. With `None` it is lost
    /// for good.
    pub retransmit: Option<f64>,
}

impl LinkSettings {
    /// Every message arrives immediately.
    pub const PERFECT: Self =
        Self { latency: 0.0, jitter: 0.0, loss: 0.0, duplicate: 0.0, reorder: 0.0, retransmit: Some(0.3) };

    /// An ordinary connection: 100 ms each way, some jitter, 2 % loss.
    pub const TYPICAL: Self = Self { latency: 0.1, jitter: 0.03, loss: 0.02, ..Self::PERFECT };

    /// A connection that is hardly usable: 450 ms each way, 250 ms of jitter, 15 % loss.
    pub const TERRIBLE: Self = Self { latency: 0.45, jitter: 0.25, loss: 0.15, ..Self::PERFECT };

    /// The presets with their names, from good to bad.
    pub const PRESETS: [(&'static str, Self); 3] =
        [("perfect", Self::PERFECT), ("typical", Self::TYPICAL), ("terrible", Self::TERRIBLE)];

    /// Returns the settings with every value clamped: times to 0..=60 seconds, shares to 0..=1. Values that are not finite
    /// become 0.
    #[must_use]
    pub fn clamped(self) -> Self {
        let clamp = |value: f64, max: f64| if value.is_finite() { value.clamp(0.0, max) } else { 0.0 };
        Self {
            latency: clamp(self.latency, 60.0),
            jitter: clamp(self.jitter, 60.0),
            loss: clamp(self.loss, 1.0),
            duplicate: clamp(self.duplicate, 1.0),
            reorder: clamp(self.reorder, 1.0),
            retransmit: self.retransmit.map(|after| clamp(after, 60.0)),
        }
    }
}

impl Default for LinkSettings {
    fn default() -> Self {
        Self::PERFECT
    }
}

/// The behaviour of a client's connection, in both directions.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct NetworkSettings {
    /// From the client to the server.
    pub up: LinkSettings,
    /// From the server to the client.
    pub down: LinkSettings,
}

impl From<LinkSettings> for NetworkSettings {
    /// Uses the same settings in both directions.
    fn from(both: LinkSettings) -> Self {
        Self { up: both, down: both }
    }
}

/// What the network does with a message.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Delivery {
    /// The time at which it arrives; `None` if it is lost for good.
    pub arrives: Option<f64>,
    /// The number of times it was lost.
    pub losses: u32,
    /// The time at which its duplicate arrives; `None` if there is none.
    pub duplicate_arrives: Option<f64>,
}

/// A message that has arrived.
#[derive(Clone, PartialEq, Debug)]
pub struct Received {
    /// The time at which it was sent, in seconds.
    pub sent: f64,
    /// The time at which it arrived, in seconds.
    pub arrived: f64,
    /// Whether it is the second copy of a message.
    pub is_duplicate: bool,
    /// Whether neither end has sent it: see [`Link::inject`].
    pub is_injected: bool,
    /// The message, from its opcode on.
    pub bytes: Arc<[u8]>,
}

/// One direction of a connection.
///
/// ```
/// use acmotion_sim::network::{Link, LinkSettings};
///
/// let settings = LinkSettings { latency: 0.1, jitter: 0.03, ..LinkSettings::PERFECT };
/// let mut link = Link::new(settings, 7);
/// let delivery = link.send(b"hello".as_slice().into(), 1.0, false);
/// let arrives = delivery.arrives.unwrap();
/// assert!((1.07..=1.13).contains(&arrives));
/// assert!(link.receive(arrives - 0.001).is_none());
/// assert_eq!(&*link.receive(arrives).unwrap().bytes, b"hello");
/// ```
#[derive(Clone, Debug)]
pub struct Link {
    settings: LinkSettings,
    random: Random,
    in_flight: BinaryHeap<Reverse<InFlight>>,
    /// The arrival of the last message that was not reordered; later ones do not arrive before it.
    not_before: f64,
    serial: u64,
}

#[derive(Clone, Debug)]
struct InFlight {
    message: Received,
    serial: u64,
}

impl Link {
    /// Creates a link. The same seed and messages give the same deliveries.
    pub fn new(settings: LinkSettings, seed: u64) -> Self {
        Self {
            settings: settings.clamped(),
            random: Random::new(seed),
            in_flight: BinaryHeap::new(),
            not_before: f64::NEG_INFINITY,
            serial: 0,
        }
    }

    /// Returns the settings.
    pub fn settings(&self) -> LinkSettings {
        self.settings
    }

    /// Changes the settings. Messages in flight are not affected.
    pub fn set_settings(&mut self, settings: LinkSettings) {
        self.settings = settings.clamped();
    }

    /// Sends a message. With `must_arrive` it is sent again when it is lost, even if [`LinkSettings::retransmit`] is
    /// `None`.
    pub fn send(&mut self, bytes: Arc<[u8]>, now: f64, must_arrive: bool) -> Delivery {
        let LinkSettings { latency, jitter, loss, duplicate, reorder, retransmit } = self.settings;
        // The same number of draws for every message, so that one setting does not change the effects of the others.
        let mut draw = self.random.split();
        let [spread, reordered, delay, duplicated, duplicate_spread] = [(); 5].map(|()| draw.next());
        let retransmit = retransmit.or_else(|| must_arrive.then_some(LinkSettings::PERFECT.retransmit?));
        let mut losses = 0;
        while losses < MAX_RETRIES && draw.next() < loss {
            losses += 1;
            if retransmit.is_none() {
                return Delivery { arrives: None, losses, duplicate_arrives: None };
            }
        }
        let travel = |spread: f64| (latency + jitter * (2.0 * spread - 1.0)).max(0.0);
        let mut arrives = now + travel(spread) + f64::from(losses) * retransmit.unwrap_or(0.0);
        if reordered < reorder {
            arrives += delay * (latency + jitter);
        } else {
            arrives = arrives.max(self.not_before);
            self.not_before = arrives;
        }
        let message = Received {
            sent: now,
            arrived: arrives,
            is_duplicate: false,
            is_injected: false,
            bytes: Arc::clone(&bytes),
        };
        self.push(message);
        let duplicate_arrives = (duplicated < duplicate).then(|| arrives.max(now + travel(duplicate_spread)));
        if let Some(arrived) = duplicate_arrives {
            self.push(Received { sent: now, arrived, is_duplicate: true, is_injected: false, bytes });
        }
        Delivery { arrives: Some(arrives), losses, duplicate_arrives }
    }

    /// Adds a message that the sender has not sent. It arrives after the latency, and is never lost.
    pub fn inject(&mut self, bytes: Arc<[u8]>, now: f64) {
        let arrived = now + self.settings.latency;
        self.push(Received { sent: now, arrived, is_duplicate: false, is_injected: true, bytes });
    }

    /// Loses all messages in flight.
    pub(crate) fn clear(&mut self) {
        self.in_flight.clear();
        self.not_before = f64::NEG_INFINITY;
    }

    fn push(&mut self, message: Received) {
        self.serial += 1;
        self.in_flight.push(Reverse(InFlight { message, serial: self.serial }));
    }

    /// Removes and returns the next message that has arrived by `now`.
    pub fn receive(&mut self, now: f64) -> Option<Received> {
        if self.next_arrival()? > now {
            return None;
        }
        let next = self.in_flight.pop();
        // A connection that has carried a crowd would otherwise keep the memory for good.
        let capacity = self.in_flight.capacity();
        if capacity > MIN_SPARE && self.in_flight.len() < capacity / 8 {
            self.in_flight.shrink_to(capacity / 4);
        }
        next.map(|next| next.0.message)
    }

    /// Returns the time at which the next message in flight arrives.
    pub fn next_arrival(&self) -> Option<f64> {
        self.in_flight.peek().map(|next| next.0.message.arrived)
    }

    /// Returns the number of messages in flight.
    pub fn in_flight(&self) -> usize {
        self.in_flight.len()
    }
}

impl Ord for InFlight {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        let time = self.message.arrived.total_cmp(&other.message.arrived);
        time.then(self.serial.cmp(&other.serial))
    }
}

impl PartialOrd for InFlight {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for InFlight {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for InFlight {}

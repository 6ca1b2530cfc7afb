//! A network that is not there: latency, jitter, loss, duplicates and disorder, all from a seed.
//!
//! The protocol of the game numbers its packets and asks for lost ones again (`docs/wire.md` 1.1, 1.2), so that what is
//! lost comes late, and what follows it waits: that is what [`LinkSettings::retransmit`] stands for. Without it a lost
//! message never arrives. Jitter alone does not change the order of messages, as in the queues of real routers; only a
//! message that [`LinkSettings::reorder`] picks, or a duplicate, comes out of order.

mod random;

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;

use random::Random;

/// How often a message is sent again before the other side would hang up.
const MAX_RETRIES: u32 = 20;

/// How one direction of a connection behaves.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct LinkSettings {
    /// Seconds from one end to the other.
    pub latency: f64,
    /// Up to so many seconds more or less, evenly spread.
    pub jitter: f64,
    /// The share of messages that is lost on the way, from 0 to 1.
    pub loss: f64,
    /// The share that arrives twice.
    pub duplicate: f64,
    /// The share that is held back, by up to another latency and jitter, so that others overtake it.
    pub reorder: f64,
    /// After how many seconds a lost message is sent again, while what follows waits; if never, it is lost for good.
    pub retransmit: Option<f64>,
}

impl LinkSettings {
    /// Everything arrives at once.
    pub const PERFECT: Self =
        Self { latency: 0.0, jitter: 0.0, loss: 0.0, duplicate: 0.0, reorder: 0.0, retransmit: Some(0.3) };

    /// The same within what makes sense: no time below zero or beyond a minute, no share beyond 0 to 1.
    #[must_use]
    pub fn sound(self) -> Self {
        let within = |value: f64, most: f64| if value.is_finite() { value.clamp(0.0, most) } else { 0.0 };
        Self {
            latency: within(self.latency, 60.0),
            jitter: within(self.jitter, 60.0),
            loss: within(self.loss, 1.0),
            duplicate: within(self.duplicate, 1.0),
            reorder: within(self.reorder, 1.0),
            retransmit: self.retransmit.map(|after| within(after, 60.0)),
        }
    }
}

impl Default for LinkSettings {
    fn default() -> Self {
        Self::PERFECT
    }
}

/// How the connection of one client behaves.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct NetworkSettings {
    /// From the client to the server.
    pub up: LinkSettings,
    /// From the server to the client.
    pub down: LinkSettings,
}

impl From<LinkSettings> for NetworkSettings {
    /// The same both ways.
    fn from(both: LinkSettings) -> Self {
        Self { up: both, down: both }
    }
}

/// What becomes of a message.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Delivery {
    /// When it arrives; never if it is lost for good.
    pub arrives: Option<f64>,
    /// How often it was lost on the way.
    pub losses: u32,
    /// When it arrives once more.
    pub again: Option<f64>,
}

/// A message at the other end.
#[derive(Clone, PartialEq, Debug)]
pub struct Received {
    /// When it was sent.
    pub sent: f64,
    /// When it arrived.
    pub arrived: f64,
    /// Has it arrived before?
    pub is_duplicate: bool,
    /// The message, number first.
    pub bytes: Arc<[u8]>,
}

/// One direction of a connection.
///
/// ```
/// use acmotion_sim::network::{Link, LinkSettings};
///
/// let settings = LinkSettings { latency: 0.1, jitter: 0.03, ..LinkSettings::PERFECT };
/// let mut link = Link::new(settings, 7);
/// let fate = link.send(b"hello".as_slice().into(), 1.0, false);
/// let arrives = fate.arrives.unwrap();
/// assert!((1.07..=1.13).contains(&arrives));
/// assert!(link.receive(arrives - 0.001).is_none());
/// assert_eq!(&*link.receive(arrives).unwrap().bytes, b"hello");
/// ```
#[derive(Clone, Debug)]
pub struct Link {
    settings: LinkSettings,
    random: Random,
    on_the_way: BinaryHeap<Reverse<InFlight>>,
    /// What keeps its order does not arrive before this.
    not_before: f64,
    serial: u64,
}

#[derive(Clone, Debug)]
struct InFlight {
    message: Received,
    serial: u64,
}

impl Link {
    /// A link that will behave the same for the same seed.
    pub fn new(settings: LinkSettings, seed: u64) -> Self {
        Self {
            settings: settings.sound(),
            random: Random::new(seed),
            on_the_way: BinaryHeap::new(),
            not_before: f64::NEG_INFINITY,
            serial: 0,
        }
    }

    /// How it behaves.
    pub fn settings(&self) -> LinkSettings {
        self.settings
    }

    /// It behaves otherwise from now on; what is on the way already is not touched.
    pub fn set_settings(&mut self, settings: LinkSettings) {
        self.settings = settings.sound();
    }

    /// A message sets out. What `must_arrive` is sent again when it is lost, whatever the settings.
    pub fn send(&mut self, bytes: Arc<[u8]>, now: f64, must_arrive: bool) -> Delivery {
        let LinkSettings { latency, jitter, loss, duplicate, reorder, retransmit } = self.settings;
        // As many draws for every message, so that one setting does not change the luck of the others.
        let mut draw = self.random.split();
        let [spread, held, held_for, twice, spread_again] = [(); 5].map(|()| draw.next());
        let retransmit = retransmit.or_else(|| must_arrive.then_some(LinkSettings::PERFECT.retransmit?));
        let mut losses = 0;
        while losses < MAX_RETRIES && draw.next() < loss {
            losses += 1;
            if retransmit.is_none() {
                return Delivery { arrives: None, losses, again: None };
            }
        }
        let travel = |spread: f64| (latency + jitter * (2.0 * spread - 1.0)).max(0.0);
        let is_held = held < reorder;
        let mut arrives = now + travel(spread) + f64::from(losses) * retransmit.unwrap_or(0.0);
        if is_held {
            arrives += held_for * (latency + jitter);
        } else {
            arrives = arrives.max(self.not_before);
            self.not_before = arrives;
        }
        self.put(Received { sent: now, arrived: arrives, is_duplicate: false, bytes: Arc::clone(&bytes) });
        let again = (twice < duplicate).then(|| arrives.max(now + travel(spread_again)));
        if let Some(arrived) = again {
            self.put(Received { sent: now, arrived, is_duplicate: true, bytes });
        }
        Delivery { arrives: Some(arrives), losses, again }
    }

    fn put(&mut self, message: Received) {
        self.serial += 1;
        self.on_the_way.push(Reverse(InFlight { message, serial: self.serial }));
    }

    /// The next message that has arrived by now.
    pub fn receive(&mut self, now: f64) -> Option<Received> {
        if self.next_arrival()? > now {
            return None;
        }
        self.on_the_way.pop().map(|next| next.0.message)
    }

    /// When the next message arrives, of those on the way.
    pub fn next_arrival(&self) -> Option<f64> {
        self.on_the_way.peek().map(|next| next.0.message.arrived)
    }

    /// How many messages are on the way.
    pub fn in_flight(&self) -> usize {
        self.on_the_way.len()
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

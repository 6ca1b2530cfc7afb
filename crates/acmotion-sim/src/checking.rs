//! Checks the clients of a simulation as a server would.

use std::collections::BTreeMap;

use acmotion::check::{CheckSettings, Checker, Method, Verdict};
use acmotion::dat::Assets;

use crate::simulation::Simulation;
use crate::view::{ClientId, Delivered, EventHandler, Sent, View};

/// The alarms that are kept for each client. Later ones are only counted.
const MAX_ALARMS: usize = 100;

/// An alarm about a client.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Alarm {
    /// The time, in seconds, at which the server handled the message.
    pub time: f64,
    /// The time, in seconds, at which the client sent it.
    pub sent: f64,
    /// What was found.
    pub verdict: Verdict,
}

/// What was found about a client.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ClientChecks {
    /// The number of messages that were judged.
    pub reports: u64,
    /// The number that were ok.
    pub ok: u64,
    /// The number that came too late to count.
    pub late: u64,
    /// The number judged by the predicted path.
    pub predicted: u64,
    /// The number of alarms of each kind, by name.
    pub findings: BTreeMap<&'static str, u64>,
    /// The first alarms.
    pub alarms: Vec<Alarm>,
    /// The distances, in metres, from the predicted path of those that were ok.
    pub errors: Vec<f32>,
    /// The maximum lead, in seconds.
    pub max_lead: f64,
    /// The maximum time, in seconds, that the predicted motion between two reports took.
    pub max_needed: f64,
}

impl ClientChecks {
    fn add(&mut self, (time, sent): (f64, f64), verdict: Verdict) {
        self.reports += 1;
        self.predicted += u64::from(verdict.method == Method::Predicted);
        if verdict.is_alarm() {
            *self.findings.entry(verdict.finding.name()).or_default() += 1;
            if self.alarms.len() < MAX_ALARMS {
                self.alarms.push(Alarm { time, sent, verdict });
            }
            return;
        }
        let is_ok = verdict.finding == acmotion::check::Finding::Ok;
        self.ok += u64::from(is_ok);
        self.late += u64::from(!is_ok);
        self.max_lead = self.max_lead.max(verdict.lead);
        if verdict.method == Method::Predicted {
            self.errors.push(verdict.error);
            self.max_needed = self.max_needed.max(verdict.needed);
        }
    }

    /// Returns the number of alarms.
    pub fn alarm_count(&self) -> u64 {
        self.findings.values().sum()
    }
}

/// A checker for each client of a simulation. Pass it to [`Simulation::step`].
pub struct Checking {
    checkers: Vec<Checker>,
    checks: Vec<ClientChecks>,
}

impl Checking {
    /// Creates the checkers, with the land of the simulation. One copy of the assets is requested for each.
    pub fn new(simulation: &Simulation, assets: impl Fn() -> Assets, settings: &CheckSettings) -> Self {
        let settings = CheckSettings { surroundings: Some(simulation.surroundings()), ..settings.clone() };
        let clients = simulation.clients().iter();
        let checkers: Vec<Checker> =
            clients.map(|client| Checker::new(assets(), client.guid(), settings.clone())).collect();
        let checks = vec![ClientChecks::default(); checkers.len()];
        Self { checkers, checks }
    }

    /// Returns what was found about each client, in the order of the scenario.
    pub fn checks(&self) -> &[ClientChecks] {
        &self.checks
    }

    /// Returns what was found about a client; `None` if there is no such client.
    pub fn client(&self, id: ClientId) -> Option<&ClientChecks> {
        self.checks.get(id.0)
    }
}

impl EventHandler for Checking {
    fn on_sent(&mut self, message: &Sent<'_>) {
        if let (View::Server, View::Client(id)) = (message.from, message.to)
            && let Some(checker) = self.checkers.get_mut(id.0)
        {
            // What the server encoded can be decoded.
            let _ = checker.sent(message.bytes, message.time);
        }
    }

    fn on_delivered(&mut self, message: &Delivered<'_>) {
        let (View::Client(id), View::Server) = (message.from, message.to) else { return };
        let Some((checker, checks)) = self.checkers.get_mut(id.0).zip(self.checks.get_mut(id.0)) else {
            return;
        };
        if let Ok(Some(verdict)) = checker.receive(message.bytes, message.time) {
            checks.add((message.time, message.sent), verdict);
        }
    }
}

//! Checks the clients of a simulation as a server would.

use std::collections::BTreeMap;

use acmotion::check::{CheckSettings, Checker, Finding, Method, Verdict};
use acmotion::dat::Assets;

use crate::cheat::Cheat;
use crate::scenario::{Scenario, ScenarioError};
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
        let is_ok = verdict.finding == Finding::Ok;
        self.ok += u64::from(is_ok);
        self.late += u64::from(!is_ok);
        self.max_lead = self.max_lead.max(verdict.lead);
        if verdict.method == Method::Predicted {
            self.errors.push(verdict.error);
            self.max_needed = self.max_needed.max(verdict.needed);
        }
    }

    /// Adds what was found in another run.
    pub fn merge(&mut self, other: &Self) {
        self.reports += other.reports;
        self.ok += other.ok;
        self.late += other.late;
        self.predicted += other.predicted;
        for (kind, count) in &other.findings {
            *self.findings.entry(kind).or_default() += count;
        }
        let room = MAX_ALARMS.saturating_sub(self.alarms.len());
        self.alarms.extend(other.alarms.iter().take(room));
        self.errors.extend_from_slice(&other.errors);
        self.max_lead = self.max_lead.max(other.max_lead);
        self.max_needed = self.max_needed.max(other.max_needed);
    }

    /// Returns quantiles of the errors, each given as a share from 0 to 1; 0 if there are no errors.
    pub fn error_quantiles<const N: usize>(&self, shares: [f32; N]) -> [f32; N] {
        let mut sorted = self.errors.clone();
        sorted.sort_by(f32::total_cmp);
        let last = sorted.len().saturating_sub(1) as f32;
        shares.map(|share| sorted.get((last * share) as usize).copied().unwrap_or(0.0))
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

/// The run of a scenario in which the clients were checked.
#[derive(Clone, PartialEq, Debug)]
pub struct CheckedRun {
    /// What was found about each client, in the order of the scenario.
    pub checks: Vec<ClientChecks>,
    /// How the cheat was found; `None` if no client cheated, or the cheat had no effect.
    pub cheat: Option<CheatResult>,
}

/// How well a cheat was found.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct CheatResult {
    /// The time, in seconds, at which the cheat first had an effect.
    pub onset: f64,
    /// Whether the player was under its own control then: it is not while it follows an order of the server, nor in the
    /// 6.5 s after an order or a teleport.
    pub is_free: bool,
    /// The number of seconds for which it had an effect in the whole run. Of the speed cheats only the seconds count in
    /// which the player moves on the ground under its own control, and which end with the report of a timer (rule K7): at
    /// most one for each of these reports. A motion that ends sooner ends with a key, and how long it took is known only
    /// from arrival times.
    pub seconds: f64,
    /// The first alarm, and the number of seconds for which the cheat had had an effect when the message that caused it
    /// was sent; `None` if there was no alarm.
    pub detection: Option<(Alarm, f64)>,
    /// As `seconds`, but of a speed cheat every second counts in which the player moves on the ground under its own control,
    /// however the motion ends, and however long ago the last order was.
    pub motion_seconds: f64,
    /// The part of `motion_seconds` after which the cheat was found; `None` if it was not.
    pub found_after_motion: Option<f64>,
}

impl CheatResult {
    /// The number of seconds of effect within which a cheat should be found.
    pub const TARGET: f64 = 2.0;

    /// Returns `true` if the cheat was found in time.
    pub fn is_in_time(&self) -> bool {
        self.detection.is_some_and(|(_, seconds)| seconds <= Self::TARGET)
    }

    /// Returns `true` if the cheat was found in time by `motion_seconds`.
    pub fn is_in_time_of_motion(&self) -> bool {
        self.found_after_motion.is_some_and(|seconds| seconds <= Self::TARGET)
    }

    /// Returns `true` if by `motion_seconds` the cheat had an effect for so short a time that it need not be found.
    pub fn is_short_motion(&self) -> bool {
        self.found_after_motion.is_none() && self.motion_seconds < Self::TARGET
    }

    /// Returns `true` if the cheat had an effect for so short a time that it need not be found.
    pub fn is_short(&self) -> bool {
        self.detection.is_none() && self.seconds < Self::TARGET
    }
}

/// Seconds after the end of a scenario in which messages still arrive.
const TAIL: f64 = 3.0;

/// Runs a scenario with the built-in mannequin and checks its clients, of which one may cheat.
///
/// # Errors
/// If the scenario cannot be run.
pub fn check_scenario(
    scenario: &Scenario,
    settings: &CheckSettings,
    cheat: Option<(ClientId, Cheat)>,
) -> Result<CheckedRun, ScenarioError> {
    let mut simulation = Simulation::new(scenario)?;
    if let Some((client, cheat)) = cheat {
        simulation.set_cheat(client, cheat);
    }
    simulation.disable_checks();
    let mut checking = Checking::new(&simulation, Assets::mannequin, settings);
    simulation.step(scenario.seconds + TAIL, &mut checking);
    let result = cheat.and_then(|(client, _)| {
        let onset = simulation.cheat_onset(client)?;
        let alarms = &checking.client(client)?.alarms;
        let detection = alarms.iter().find(|alarm| alarm.time >= onset);
        let effect = |sent: f64| simulation.cheat_effect(client, sent);
        Some(CheatResult {
            onset,
            is_free: simulation.began_cheat_free(client),
            seconds: effect(f64::INFINITY).visible,
            detection: detection.map(|alarm| (*alarm, effect(alarm.sent).visible)),
            motion_seconds: effect(f64::INFINITY).plain,
            found_after_motion: detection.map(|alarm| effect(alarm.sent).plain),
        })
    });
    Ok(CheckedRun { checks: checking.checks, cheat: result })
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

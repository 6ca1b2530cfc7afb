//! `acmotion simulate --check`: what a server's checks say about the clients, as a table and as lines of `--json`.

use std::fmt::Write as _;

use acmotion::check::CheckSettings;
use acmotion_sim::cheat::{Cheat, CheatKind};
use acmotion_sim::network::LinkSettings;
use acmotion_sim::scenario::Scenario;
use acmotion_sim::{CheatResult, ClientChecks, ClientId, check_scenario};
use anyhow::Context as _;
use serde_json::{Value, json};

use crate::output::{Align, Progress, Table, counted, thousands};

/// The number of times, spread over the scenario, at which each cheat is started.
const STARTS: u32 = 10;

/// What was found about a client over a network, in all runs.
struct Row {
    network: &'static str,
    client: String,
    checks: ClientChecks,
}

/// How well a cheat was found over a network, in all runs.
struct CheatRow {
    network: &'static str,
    kind: CheatKind,
    results: Vec<CheatResult>,
}

/// The results of `--check`.
pub(super) struct Report {
    seeds: u64,
    rows: Vec<Row>,
    cheats: Vec<CheatRow>,
}

/// Returns the scenario over its own network and over each preset.
fn over_networks(scenario: &Scenario) -> impl Iterator<Item = (&'static str, Scenario)> + '_ {
    let preset = |(name, link): (&'static str, LinkSettings)| {
        let mut scenario = scenario.clone();
        scenario.clients.iter_mut().for_each(|client| client.network = link.into());
        (name, scenario)
    };
    std::iter::once(("own", scenario.clone())).chain(LinkSettings::PRESETS.into_iter().map(preset))
}

impl Report {
    /// Runs the scenario `seeds` times over every network, then with each of `cheats`.
    pub(super) fn run(scenario: &Scenario, seeds: u64, cheats: &[CheatKind]) -> anyhow::Result<Self> {
        let settings = CheckSettings::default();
        let players: Vec<ClientId> = (0..scenario.clients.len())
            .filter(|index| !scenario.clients[*index].is_observer)
            .map(ClientId)
            .collect();
        let mut report = Self { seeds, rows: Vec::new(), cheats: Vec::new() };
        let networks = 1 + LinkSettings::PRESETS.len() as u64;
        let cheat_runs = (cheats.len() * players.len()) as u64 * u64::from(STARTS);
        let progress = Progress::new(networks * (seeds + cheat_runs), "checking");
        for (network, mut scenario) in over_networks(scenario) {
            let mut rows: Vec<Row> = scenario
                .clients
                .iter()
                .map(|client| Row { network, client: client.name.clone(), checks: ClientChecks::default() })
                .collect();
            let seed = scenario.seed;
            for offset in 0..seeds {
                scenario.seed = seed.wrapping_add(offset);
                let run = check_scenario(&scenario, &settings, None).context("the scenario")?;
                rows.iter_mut().zip(&run.checks).for_each(|(row, checks)| row.checks.merge(checks));
                progress.step();
            }
            scenario.seed = seed;
            report.rows.extend(rows);
            for kind in cheats {
                let mut results = Vec::new();
                for start in 0..STARTS {
                    let from = 1.0 + (scenario.seconds - 1.0) * f64::from(start) / f64::from(STARTS);
                    for player in &players {
                        let cheat = Cheat { kind: *kind, from };
                        let run = check_scenario(&scenario, &settings, Some((*player, cheat)))?;
                        results.extend(run.cheat);
                        progress.step();
                    }
                }
                report.cheats.push(CheatRow { network, kind: *kind, results });
            }
        }
        Ok(report)
    }

    /// Returns the tables.
    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        let names = ["network", "client", "reports", "ok", "late", "alarms", "predicted"];
        let errors = ["error: median", "99 %", "max", "allowed", "max lead"];
        let left = |name: &'static str| (name, Align::Left);
        let right = |name: &'static str| (name, Align::Right);
        let columns: Vec<_> = names[..2]
            .iter()
            .map(|name| left(name))
            .chain(names[2..].iter().chain(&errors).map(|name| right(name)))
            .collect();
        let mut table = Table::new(&columns);
        let settings = CheckSettings::default();
        for row in &self.rows {
            let checks = &row.checks;
            let [median, most, max] = checks.error_quantiles([0.5, 0.99, 1.0]);
            table.row(vec![
                String::from(row.network),
                row.client.clone(),
                thousands(checks.reports),
                thousands(checks.ok),
                thousands(checks.late),
                alarms(checks),
                thousands(checks.predicted),
                format!("{median:.3} m"),
                format!("{most:.3} m"),
                format!("{max:.3} m"),
                format!("{:.2} m", settings.tolerance),
                format!("{:.2} s", checks.max_lead),
            ]);
        }
        // Writing to a string cannot fail.
        let _ = writeln!(text, "\nchecked over {} and every network", counted(self.seeds, "seed"));
        text.push_str(&table.text(""));
        if !self.cheats.is_empty() {
            let columns = [
                left("cheat"),
                left("network"),
                right("runs"),
                right("found"),
                right("within 2 s"),
                right("slowest of these"),
                right("of all motion"),
                right("under orders"),
            ];
            let mut table = Table::new(&columns);
            for row in &self.cheats {
                table.row(vec![
                    String::from(row.kind.name()),
                    String::from(row.network),
                    row.free().count().to_string(),
                    row.found().to_string(),
                    row.in_time().to_string(),
                    format!("{:.2} s", row.slowest()),
                    format!(
                        "{} of {}",
                        row.motion().filter(|result| result.is_in_time_of_motion()).count(),
                        row.motion().count()
                    ),
                    format!(
                        "{} of {}",
                        row.ordered().filter(|result| result.is_in_time()).count(),
                        row.ordered().count()
                    ),
                ]);
            }
            text.push('\n');
            text.push_str(&table.text(""));
            text.push_str(concat!(
                "seconds are those in which the cheat had an effect; shorter cheats that were not found are left out\n",
                "of all motion: speed cheats found within 2 s of any motion under the player's own control\n",
                "under orders: found within 2 s though the cheat began while the server moved the player; not among the runs\n",
            ));
        }
        text
    }

    /// Returns the lines of `--json`.
    pub(super) fn lines(&self) -> Vec<Value> {
        let clients = self.rows.iter().map(|row| {
            let checks = &row.checks;
            let [median, most, max] = checks.error_quantiles([0.5, 0.99, 1.0]);
            json!({
                "event": "check", "network": row.network, "client": row.client, "seeds": self.seeds,
                "reports": checks.reports, "ok": checks.ok, "late": checks.late,
                "predicted": checks.predicted, "findings": checks.findings,
                "error": {"median": median, "p99": most, "max": max},
                "allowed": CheckSettings::default().tolerance, "max_lead": checks.max_lead,
            })
        });
        let cheats = self.cheats.iter().map(|row| {
            json!({
                "event": "cheat", "network": row.network, "cheat": row.kind.name(),
                "runs": row.free().count(), "found": row.found(), "within_2_s": row.in_time(),
                "slowest": row.slowest(),
                "motion_runs": row.motion().count(),
                "motion_within_2_s": row.motion().filter(|result| result.is_in_time_of_motion()).count(),
                "ordered_runs": row.ordered().count(),
                "ordered_found": row.ordered().filter(|result| result.detection.is_some()).count(),
                "ordered_within_2_s": row.ordered().filter(|result| result.is_in_time()).count(),
            })
        });
        clients.chain(cheats).collect()
    }
}

impl CheatRow {
    /// Returns the runs in which the cheat had an effect for long enough.
    fn long(&self) -> impl Iterator<Item = &CheatResult> {
        self.results.iter().filter(|result| !result.is_short())
    }

    /// Returns the runs in which the player was under its own control when the cheat began.
    fn free(&self) -> impl Iterator<Item = &CheatResult> {
        self.long().filter(|result| result.is_free)
    }

    /// Returns the runs in which the server moved the player when the cheat began.
    fn ordered(&self) -> impl Iterator<Item = &CheatResult> {
        self.long().filter(|result| !result.is_free)
    }

    /// Returns the runs in which the player moved for long enough, however its motions ended.
    fn motion(&self) -> impl Iterator<Item = &CheatResult> {
        self.results.iter().filter(|result| !result.is_short_motion())
    }

    fn found(&self) -> usize {
        self.free().filter(|result| result.detection.is_some()).count()
    }

    fn in_time(&self) -> usize {
        self.free().filter(|result| result.is_in_time()).count()
    }

    /// Returns the longest time, in seconds, after which a cheat was found in time.
    fn slowest(&self) -> f64 {
        let in_time = self.free().filter(|result| result.is_in_time());
        in_time.filter_map(|result| result.detection).map(|(_, seconds)| seconds).fold(0.0, f64::max)
    }
}

/// Returns the number of alarms of each kind.
fn alarms(checks: &ClientChecks) -> String {
    if checks.findings.is_empty() {
        return String::from("0");
    }
    let kinds: Vec<String> = checks.findings.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
    kinds.join(", ")
}

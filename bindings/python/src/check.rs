//! The check of what clients report.

use acmotion::check::{self, CheckSettings, Method};
use acmotion::types::Guid;
use acmotion_sim::cheat::{Cheat, CheatKind};
use acmotion_sim::{Alarm, CheckedRun, ClientChecks, ClientId};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use serde_json::{Value, json};

use crate::assets::{Assets, assets_or_mannequin};
use crate::convert::{Bytes, EraName, json_to_py};
use crate::errors::{decode_error, scenario_error};
use crate::locked::Locked;
use crate::position::Position;
use crate::scenario::ScenarioSource;
use crate::scene::Land;

/// Checks the messages of one client, for servers.
#[pyclass(frozen, module = "acmotion")]
pub(crate) struct Checker {
    checker: Locked<check::Checker>,
}

fn positive(name: &str, number: f64) -> PyResult<f64> {
    if number.is_finite() && number >= 0.0 {
        return Ok(number);
    }
    Err(PyValueError::new_err(format!("{name} is {number}, expected a number of at least 0")))
}

#[pymethods]
impl Checker {
    /// Creates a checker for the player with a guid. Without surroundings only speed, jumps, fields and stamps are checked.
    #[new]
    #[pyo3(
        signature = (
            player, assets = None, *, surroundings = Land::NONE, era = EraName::default(), tolerance = None,
            reach_tolerance = None, latency_spread = None, max_frame = None, grace = None,
        ),
        text_signature = "(player, assets=None, *, surroundings=None, era='retail', tolerance=None, reach_tolerance=None, latency_spread=None, max_frame=None, grace=None)"
    )]
    #[expect(clippy::too_many_arguments, reason = "they are named in Python")]
    fn new(
        py: Python<'_>,
        player: u32,
        assets: Option<&Assets>,
        surroundings: Land<'_>,
        era: EraName,
        tolerance: Option<f64>,
        reach_tolerance: Option<f64>,
        latency_spread: Option<f64>,
        max_frame: Option<f64>,
        grace: Option<f64>,
    ) -> PyResult<Self> {
        let assets = py.detach(|| assets_or_mannequin(assets));
        let default = CheckSettings::default();
        let settings = CheckSettings {
            surroundings: surroundings.surroundings(py, &assets)?,
            era: era.0,
            tolerance: positive("tolerance", tolerance.unwrap_or_else(|| default.tolerance.into()))? as f32,
            reach_tolerance: positive(
                "reach_tolerance",
                reach_tolerance.unwrap_or_else(|| default.reach_tolerance.into()),
            )? as f32,
            latency_spread: positive("latency_spread", latency_spread.unwrap_or(default.latency_spread))?,
            max_frame: positive("max_frame", max_frame.unwrap_or(default.max_frame))?,
            grace: positive("grace", grace.unwrap_or(default.grace))?,
        };
        let checker = check::Checker::new(assets, Guid(player), settings);
        Ok(Self { checker: Locked::new(checker) })
    }

    /// Records a message that the server sends to the client, at the time of sending.
    fn sent(&self, py: Python<'_>, message: Bytes, now: f64) -> PyResult<()> {
        let sent = self.checker.with_detached(py, |checker| checker.sent(&message.0, now))?;
        sent.map_err(|error| decode_error(py, &error))
    }

    /// Checks a message of the client, at the time of its arrival. Returns `None` if it does not concern the player's
    /// motion.
    fn receive(&self, py: Python<'_>, message: Bytes, now: f64) -> PyResult<Option<Verdict>> {
        let received = self.checker.with_detached(py, |checker| checker.receive(&message.0, now))?;
        received.map(|verdict| verdict.map(Verdict)).map_err(|error| decode_error(py, &error))
    }

    /// Where the client's player was last reported; `None` before.
    #[getter]
    fn position(&self, py: Python<'_>) -> PyResult<Option<Position>> {
        self.checker.with(py, |checker| checker.player().map(|player| Position(player.position())))
    }
}

/// What a checker says about a message. Its text says what was found.
#[pyclass(frozen, module = "acmotion")]
pub(crate) struct Verdict(check::Verdict);

fn method_name(method: Method) -> &'static str {
    match method {
        Method::None => "none",
        Method::Predicted => "predicted",
        Method::Ordered => "ordered",
        Method::Reach => "reach",
        _ => "other",
    }
}

#[pymethods]
impl Verdict {
    /// What was found: `ok`, `late`, `too_fast`, `through_wall`, `teleported`, `jump_too_high`, `in_air`,
    /// `impossible_flags` or `stamp_replayed`.
    #[getter]
    fn finding(&self) -> &'static str {
        self.0.finding.name()
    }

    /// Whether an honest client could not have sent the message.
    #[getter]
    fn is_alarm(&self) -> bool {
        self.0.is_alarm()
    }

    /// How the position was judged: `none`, `predicted`, `ordered` or `reach`.
    #[getter]
    fn method(&self) -> &'static str {
        method_name(self.0.method)
    }

    /// The distance, in metres, to the nearest position that an honest client could have reported.
    #[getter]
    fn error(&self) -> f32 {
        self.0.error
    }

    /// The error, in metres, up to which a report is honest.
    #[getter]
    fn allowed(&self) -> f32 {
        self.0.allowed
    }

    /// The time, in seconds, that an honest client needs since its last report.
    #[getter]
    fn needed(&self) -> f64 {
        self.0.needed
    }

    /// The time, in seconds, by which the client is ahead of the arrival of its messages.
    #[getter]
    fn lead(&self) -> f64 {
        self.0.lead
    }

    fn __str__(&self) -> String {
        self.0.finding.to_string()
    }

    fn __repr__(&self) -> String {
        format!("<Verdict: {}>", self.0.finding)
    }
}

fn alarm(alarm: &Alarm) -> Value {
    let Alarm { time, sent, verdict } = alarm;
    json!({
        "time": time,
        "sent": sent,
        "finding": verdict.finding.name(),
        "text": verdict.finding.to_string(),
        "method": method_name(verdict.method),
        "error": verdict.error,
        "allowed": verdict.allowed,
    })
}

fn checks(name: &str, checks: &ClientChecks) -> Value {
    let [median, most, max] = checks.error_quantiles([0.5, 0.99, 1.0]);
    json!({
        "client": name,
        "reports": checks.reports,
        "ok": checks.ok,
        "late": checks.late,
        "alarms": checks.alarm_count(),
        "findings": checks.findings,
        "first_alarms": checks.alarms.iter().map(alarm).collect::<Vec<_>>(),
        "predicted": checks.predicted,
        "error_median": median,
        "error_p99": most,
        "error_max": max,
        "max_lead": checks.max_lead,
    })
}

/// Runs a scenario with the built-in mannequin and checks its clients as a server would. Returns a dict for each client.
///
/// With `cheat`, the client with the name `client` cheats from the second `start` on: `speed`, `clock`,
/// `wall_clip`, `air_walk`, `long_jump`, `stamp_replay` or `offset`.
#[pyfunction]
#[pyo3(signature = (scenario, *, cheat = None, client = None, start = 1.0))]
pub(crate) fn check_scenario<'py>(
    py: Python<'py>,
    scenario: ScenarioSource,
    cheat: Option<&str>,
    client: Option<&str>,
    start: f64,
) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let scenario = scenario.0;
    let cheat = cheat.map(|name| {
        let names = CheatKind::ALL.map(CheatKind::name).join(", ");
        let kind = CheatKind::from_name(name).ok_or_else(|| {
            PyValueError::new_err(format!("`{name}` is not a cheat: expected one of {names}"))
        })?;
        let index = match client {
            Some(client) => scenario.clients.iter().position(|spec| spec.name == client),
            None => Some(0).filter(|_| !scenario.clients.is_empty()),
        };
        let index = index.ok_or_else(|| PyValueError::new_err("the scenario has no such client"))?;
        Ok::<_, PyErr>((ClientId(index), Cheat { kind, from: positive("start", start)? }))
    });
    let cheat = cheat.transpose()?;
    let run = py.detach(|| acmotion_sim::check_scenario(&scenario, &CheckSettings::default(), cheat));
    let CheckedRun { checks: found, .. } = run.map_err(|error| scenario_error(py, &error))?;
    let lines = scenario.clients.iter().zip(&found).map(|(client, found)| checks(&client.name, found));
    lines.map(|line| json_to_py(py, &line)).collect()
}

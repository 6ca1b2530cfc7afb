//! Family `clock`: when bodies are simulated, and in which time steps (rules B2, B3).

use acmotion::components::{Body, PhysicsState, TransientState};
use acmotion::internals::body::{BodyFlags, PhysicsGate};
use acmotion::types::CellPosition;
use serde_json::{Value, json};

use super::check::{CheckResult, Difference, Field, Steps, exact, near};
use super::{CaseResult, Family};

/// The tolerance for times, which are doubles: far below the precision of the vectors.
const TIME_TOLERANCE: f64 = 1e-9;

pub(super) struct ClockFamily;

impl Family for ClockFamily {
    fn run_line(&mut self, line: &Value) -> Result<CaseResult, Difference> {
        let case = Field::line(line);
        let start = case.get("start")?.double()?;
        let mut gate = PhysicsGate::new(start);
        let mut body = Body::new(CellPosition::default());
        body.clock.update_time = start;
        body.state.set(PhysicsState::STATIC, case.get("static")?.boolean()?);
        body.transient.set(TransientState::ACTIVE, case.get("active")?.boolean()?);
        // `Steps` expects the frames of a case under the name `steps`.
        let frames = json!({ "steps": case.get("frames")?.value() });
        Steps::of(Field::line(&frames))?.check(|frame| check_frame(frame, &mut gate, &mut body))
    }
}

fn check_frame(frame: Field<'_>, gate: &mut PhysicsGate, body: &mut Body) -> CheckResult {
    let now = frame.get("now")?.double()?;
    body.flags.set(BodyFlags::HAS_PARENT, frame.get("has_parent")?.boolean()?);
    body.flags.set(BodyFlags::IN_CELL, frame.get("has_cell")?.boolean()?);
    body.state.set(PhysicsState::FROZEN, frame.get("frozen")?.boolean()?);
    let tick = gate.opens(now);
    exact("tick", frame.get("tick")?.boolean()?, tick)?;
    let distance = frame.get("player_distance")?.float()?;
    let mut steps = Vec::new();
    if tick && body.update_activity(Some(distance), now) {
        let mut quanta = body.clock.quanta(now);
        steps.extend(quanta.by_ref().map(|quantum| quantum.seconds));
        body.clock.update_time = quanta.clock();
    }
    let expected = frame.get("steps")?.elements()?;
    exact("steps.length", expected.len(), steps.len())?;
    for (index, (expected, got)) in expected.zip(steps).enumerate() {
        near(&format!("steps[{index}]"), expected.double()?, got, TIME_TOLERANCE)?;
    }
    exact("active", frame.get("active")?.boolean()?, body.transient.contains(TransientState::ACTIVE))?;
    near("update_time", frame.get("update_time")?.double()?, body.clock.update_time, TIME_TOLERANCE)
}

//! Family `clock`: when bodies are simulated, and in which time steps (rules B2, B3).
//!
//! The world ticks. Its player is as far from the object as the vector says.

use acmotion::World;
use acmotion::components::{Entity, PhysicsState, TransientState};
use acmotion::dat::Assets;
use acmotion::internals::body::BodyFlags;
use acmotion::internals::entity::update_in_steps;
use acmotion::types::{CellId, CellPosition, Guid, Vec3};
use serde_json::Value;

use super::check::{CheckResult, Difference, Field, exact, within};
use super::stage::Stage;
use super::steps::Steps;
use super::{CaseResult, Family};

/// The tolerance for times, which are doubles: far below the precision of the vectors.
const TIME_TOLERANCE: f64 = 1e-9;
const CELL: CellId = CellId(0xA9B4_0001);
const OBJECT: Guid = Guid(0x8000_0001);

pub(super) struct ClockFamily;

impl Family for ClockFamily {
    fn run_line(&mut self, line: &Value) -> Result<CaseResult, Difference> {
        let case = Field::line(line);
        let start = case.get("start")?.double()?;
        let mut world = World::new(Assets::mannequin());
        // The gate opens at the start, whatever the time is.
        world.tick(start - 1.0);
        world.tick(start);
        let mut stage = Stage::new(world);
        stage.add(read_object(case, start)?)?;
        Steps::listed(case, "frames")?.check(|frame| check_frame(frame, &mut stage))
    }
}

fn read_object(case: Field<'_>, start: f64) -> CheckResult<Entity> {
    let mut object = Entity::new(OBJECT, None);
    let body = &mut object.body;
    body.position = CellPosition::at(CELL, Vec3::ZERO);
    body.clock.update_time = start;
    body.state = PhysicsState::empty();
    body.state.set(PhysicsState::STATIC, case.get("static")?.boolean()?);
    body.transient.set(TransientState::ACTIVE, case.get("active")?.boolean()?);
    Ok(object)
}

fn check_frame(frame: Field<'_>, stage: &mut Stage) -> CheckResult {
    let now = frame.get("now")?.double()?;
    let (parent, cell) = (frame.get("has_parent")?.boolean()?, frame.get("has_cell")?.boolean()?);
    let frozen = frame.get("frozen")?.boolean()?;
    stage.act(OBJECT, now, |actor| {
        let body = &mut actor.entity.body;
        body.flags.set(BodyFlags::HAS_PARENT, parent);
        body.flags.set(BodyFlags::IN_CELL, cell);
        body.state.set(PhysicsState::FROZEN, frozen);
    })?;
    let distance = frame.get("player_distance")?.float()?;
    let player = CellPosition::at(CELL, Vec3::new(distance, 0.0, 0.0));
    stage.world.set_player_position(&player, true, now);

    // Nothing shows the steps of an inactive body, so a copy of the world lists them.
    let mut copy = Stage::new(stage.world.clone());
    let tick = stage.world.tick(now);
    exact("tick", frame.get("tick")?.boolean()?, tick)?;
    let mut steps = Vec::new();
    if tick {
        copy.act(OBJECT, now, |actor| {
            update_in_steps(actor, Some(&player), |_, quantum| steps.push(quantum.seconds));
        })?;
    }
    let expected = frame.get("steps")?.elements()?;
    exact("steps.length", expected.len(), steps.len())?;
    for (index, (expected, got)) in expected.zip(steps).enumerate() {
        within(&format!("steps[{index}]"), expected.double()?, got, TIME_TOLERANCE)?;
    }
    let body = &stage.entity(OBJECT)?.body;
    exact("active", frame.get("active")?.boolean()?, body.transient.contains(TransientState::ACTIVE))?;
    within("update_time", frame.get("update_time")?.double()?, body.clock.update_time, TIME_TOLERANCE)
}

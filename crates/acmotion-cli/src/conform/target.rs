//! Family `target`: a body that tracks another one, in a world that delivers their notices (rule I11).

use acmotion::World;
use acmotion::components::{Entity, TargetInfo, TargetStatus};
use acmotion::dat::Assets;
use acmotion::explain::StepExplanation;
use acmotion::internals::body::BodyFlags;
use acmotion::internals::steer::{clear_target, notify_voyeurs, set_target, set_target_quantum};
use acmotion::types::{CellId, CellPosition, Guid};
use serde_json::Value;

use super::check::{CheckResult, Difference, Field, exact, near, near_vector, within};
use super::stage::{Space, Stage};
use super::steps::Steps;
use super::{CaseResult, Family};

const TOLERANCE: f64 = 1e-4;
/// The tolerance for times, in seconds: far less than a tick.
const TIME_TOLERANCE: f64 = 1e-6;
const CELL: CellId = CellId(0xA9B4_0001);
const OWN: Guid = Guid(1);
const TARGET: Guid = Guid(2);
const UNKNOWN: Guid = Guid(3);

pub(super) struct TargetFamily;

impl Family for TargetFamily {
    fn run_line(&mut self, line: &Value) -> Result<CaseResult, Difference> {
        let case = Field::line(line);
        let steps = Steps::of(case)?;
        let mut stage = Stage::new(World::new(Assets::mannequin()));
        for (guid, start) in [(OWN, "own"), (TARGET, "target_start")] {
            let mut entity = Entity::new(guid, None);
            entity.body.position = CellPosition::at(CELL, case.get(start)?.vector()?);
            entity.body.flags.insert(BodyFlags::IN_CELL);
            stage.add(entity)?;
        }
        let mut pair = Pair { stage, dt: case.get("dt")?.float()?, now: 0.0 };
        steps.check(|step| pair.step(step))
    }
}

/// A body and its target, which moves at a constant velocity.
struct Pair {
    stage: Stage,
    dt: f32,
    now: f64,
}

impl Pair {
    fn step(&mut self, step: Field<'_>) -> CheckResult {
        // The record of the updates begins anew.
        self.stage.world.explain(OWN, false);
        self.stage.world.explain(OWN, true);
        let (stage, now) = (&mut self.stage, self.now);
        match step.get("op")?.text()? {
            "set_target" => {
                let info = TargetInfo {
                    object: read_object(step.get("id")?)?,
                    radius: step.get("radius")?.float()?,
                    quantum: step.get("quantum")?.double()?,
                    ..TargetInfo::default()
                };
                stage.act(OWN, now, |actor| set_target(actor, info, now))?;
            }
            "set_quantum" => {
                let quantum = step.get("quantum")?.double()?;
                stage.act(OWN, now, |actor| set_target_quantum(actor, quantum))?;
            }
            "clear" => stage.act(OWN, now, |actor| clear_target(actor))?,
            "notify" => {
                let status = read_status(step.get("status")?)?;
                stage.act(TARGET, now, |actor| notify_voyeurs(actor, status))?;
            }
            "velocity" => {
                let velocity = step.get("v")?.vector()?;
                stage.act(TARGET, now, |actor| actor.entity.body.cached_velocity = velocity)?;
            }
            "tick" => self.tick()?,
            other => return Err(Difference::new("op", "an operation of this family", other)),
        }
        self.check(step)
    }

    /// Moves the target and ends the step of both.
    fn tick(&mut self) -> CheckResult {
        self.now += f64::from(self.dt);
        let (now, dt) = (self.now, self.dt);
        self.stage.act(TARGET, now, |actor| {
            let body = &mut actor.entity.body;
            body.position.frame.origin += body.cached_velocity * dt;
        })?;
        for guid in [TARGET, OWN] {
            self.stage.act(guid, now, |actor| {
                actor.entity.body.clock.update_time = now;
                actor.use_time(&Space::OPEN);
            })?;
        }
        Ok(())
    }

    fn check(&self, step: Field<'_>) -> CheckResult {
        let (own, target) = (self.stage.entity(OWN)?, self.stage.entity(TARGET)?);
        within("t", step.get("t")?.double()?, self.now, TIME_TOLERANCE)?;
        near_vector("target", step.get("target")?.vector()?, target.body.position.frame.origin, TOLERANCE)?;
        let explanation = self.stage.world.explanation(OWN);
        let got = explanation.map_or(&[][..], StepExplanation::target_updates);
        let updates = step.get("updates")?.elements()?;
        exact("updates.length", updates.len(), got.len())?;
        for (index, (update, got)) in updates.zip(got).enumerate() {
            check_update(update, got)
                .map_err(|difference| difference.within(format_args!("updates[{index}]")))?;
        }
        let has_target = own.targets().is_some_and(|targets| targets.target().is_some());
        exact("has_target", step.get("has_target")?.boolean()?, has_target)?;
        let voyeurs = target.targets().map_or(0, |targets| targets.voyeurs().len());
        exact("voyeurs", step.get("voyeurs")?.unsigned()?, voyeurs as u64)
    }
}

fn check_update(update: Field<'_>, got: &TargetInfo) -> CheckResult {
    exact("id", read_object(update.get("id")?)?, got.object)?;
    exact("status", read_status(update.get("status")?)?, got.status)?;
    for (name, got) in [
        ("target_position", got.target_position.frame.origin),
        ("interpolated_position", got.interpolated_position.frame.origin),
        ("heading", got.heading),
        ("velocity", got.velocity),
    ] {
        if let Some(expected) = update.find(name) {
            near_vector(name, expected.vector()?, got, TOLERANCE)?;
        }
    }
    for (name, got) in [("radius", f64::from(got.radius)), ("quantum", got.quantum)] {
        if let Some(expected) = update.find(name) {
            near(name, expected.double()?, got, TOLERANCE)?;
        }
    }
    Ok(())
}

fn read_object(id: Field<'_>) -> CheckResult<Guid> {
    Ok(match id.text()? {
        "none" => Guid::NONE,
        "target" => TARGET,
        "unknown" => UNKNOWN,
        other => return Err(Difference::new("id", "none, target or unknown", other)),
    })
}

fn read_status(code: Field<'_>) -> CheckResult<TargetStatus> {
    let code = code.unsigned()?;
    let known = TargetStatus::ALL.into_iter().find(|status| u64::from(status.code()) == code);
    known.ok_or_else(|| Difference::new("status", "0 to 6", code))
}

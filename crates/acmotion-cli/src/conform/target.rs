//! Family `target`: a body that tracks another one (rule I11).

use acmotion::components::{Notice, TargetInfo, TargetManager, TargetStatus};
use acmotion::internals::steer::{
    TargetHost, clear_target, handle_targeting, notify_voyeurs, receive, set_target, set_target_quantum,
};
use acmotion::types::{CellId, CellPosition, Guid, Vec3};
use serde_json::Value;

use super::check::{CheckResult, Difference, Field, Steps, exact, near, near_vector};
use super::{CaseResult, Family};

const TOLERANCE: f64 = 1e-4;
const CELL: CellId = CellId(0xA9B4_0001);
const OWN: Guid = Guid(1);
const TARGET: Guid = Guid(2);
const UNKNOWN: Guid = Guid(3);

pub(super) struct TargetFamily;

impl Family for TargetFamily {
    fn run_line(&mut self, line: &Value) -> Result<CaseResult, Difference> {
        let case = Field::line(line);
        let steps = Steps::of(case)?;
        let mut pair = Pair {
            bodies: [
                Body::new(OWN, case.get("own")?.vector()?),
                Body::new(TARGET, case.get("target_start")?.vector()?),
            ],
            dt: case.get("dt")?.float()?,
            now: 0.0,
        };
        steps.check(|step| pair.step(step))
    }
}

/// A body that has a target, has voyeurs, and moves at a constant velocity.
struct Body {
    guid: Guid,
    position: CellPosition,
    velocity: Vec3,
    /// Created on first use, so that its first check is due at once.
    targets: Option<TargetManager>,
    sent: Vec<Notice>,
    /// The updates that the body received in this step.
    updates: Vec<TargetInfo>,
}

impl Body {
    fn new(guid: Guid, origin: Vec3) -> Self {
        let position = CellPosition::at(CELL, origin);
        Self { guid, position, velocity: Vec3::ZERO, targets: None, sent: Vec::new(), updates: Vec::new() }
    }

    /// Runs the checks of its target manager, if it has one.
    fn check_targets(&mut self, now: f64) {
        if self.targets.is_some() {
            handle_targeting(self, now, now);
        }
    }
}

impl TargetHost for Body {
    fn guid(&self) -> Guid {
        self.guid
    }

    fn motion(&self) -> (CellPosition, Vec3) {
        (self.position, self.velocity)
    }

    fn targets(&mut self) -> &mut TargetManager {
        self.targets.get_or_insert_default()
    }

    fn send_notice(&mut self, notice: Notice) {
        self.sent.push(notice);
    }

    fn on_target_update(&mut self, info: &TargetInfo) {
        self.updates.push(*info);
    }
}

struct Pair {
    /// The body with the target, and the target.
    bodies: [Body; 2],
    dt: f32,
    now: f64,
}

impl Pair {
    fn step(&mut self, step: Field<'_>) -> CheckResult {
        let [own, target] = &mut self.bodies;
        own.updates.clear();
        match step.get("op")?.text()? {
            "set_target" => {
                let info = TargetInfo {
                    object: read_object(step.get("id")?)?,
                    radius: step.get("radius")?.float()?,
                    quantum: step.get("quantum")?.double()?,
                    ..TargetInfo::default()
                };
                set_target(own, info, self.now);
            }
            "set_quantum" if own.targets.is_some() => {
                set_target_quantum(own, step.get("quantum")?.double()?);
            }
            "clear" if own.targets.is_some() => clear_target(own),
            "notify" if target.targets.is_some() => notify_voyeurs(target, read_status(step.get("status")?)?),
            "set_quantum" | "clear" | "notify" => {}
            "velocity" => target.velocity = step.get("v")?.vector()?,
            "tick" => self.tick(),
            other => return Err(Difference::new("op", "an operation of this family", other)),
        }
        self.deliver();
        self.check(step)
    }

    fn tick(&mut self) {
        self.now += f64::from(self.dt);
        let target = &mut self.bodies[1];
        target.position.frame.origin += target.velocity * self.dt;
        target.check_targets(self.now);
        self.deliver();
        self.bodies[0].check_targets(self.now);
    }

    fn deliver(&mut self) {
        while let Some(notice) = self.next_notice() {
            if let Some(body) = self.bodies.iter_mut().find(|body| body.guid == notice.to) {
                receive(body, &notice, self.now);
            }
        }
    }

    fn next_notice(&mut self) -> Option<Notice> {
        let sender = self.bodies.iter_mut().find(|body| !body.sent.is_empty())?;
        Some(sender.sent.remove(0))
    }

    fn check(&self, step: Field<'_>) -> CheckResult {
        let [own, target] = &self.bodies;
        near("t", step.get("t")?.double()?, self.now, TOLERANCE)?;
        near_vector("target", step.get("target")?.vector()?, target.position.frame.origin, TOLERANCE)?;
        let updates = step.get("updates")?.elements()?;
        exact("updates.length", updates.len(), own.updates.len())?;
        for (index, (update, got)) in updates.zip(&own.updates).enumerate() {
            check_update(update, got)
                .map_err(|difference| difference.within(format_args!("updates[{index}]")))?;
        }
        let has_target = own.targets.as_ref().is_some_and(|targets| targets.target().is_some());
        exact("has_target", step.get("has_target")?.boolean()?, has_target)?;
        let voyeurs = target.targets.as_ref().map_or(0, |targets| targets.voyeurs().len());
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

//! Family `gate`: which messages are accepted, and their effects (rules D3, D6, D7, D9–D11).

use acmotion::internals::gate::{self, Actions, MotionReport, PositionReport, Situation, StateReport};
use acmotion::types::Stamp;
use acmotion::wire::ObjectStamps;
use serde_json::Value;

use super::check::{CheckResult, Difference, Field, exact};
use super::{CaseResult, Family};

pub(super) struct GateFamily;

impl Family for GateFamily {
    fn run_line(&mut self, line: &Value) -> Result<CaseResult, Difference> {
        let case = Field::line(line);
        if is_open(case) {
            return Ok(CaseResult::Skipped);
        }
        let mut stamps = read_stamps(case.get("before")?)?;
        let actions = decide(case, &mut stamps)?;
        let expected: Vec<_> =
            case.get("actions")?.elements()?.map(Field::text).collect::<CheckResult<_>>()?;
        exact("actions", expected, actions)?;
        check_stamps(case.get("after")?, &stamps)?;
        Ok(CaseResult::Passed)
    }
}

/// Returns `true` if the rules do not decide the case.
fn is_open(case: Field<'_>) -> bool {
    let tags = case.find("tags").and_then(|tags| tags.value().as_array());
    tags.is_some_and(|tags| tags.iter().any(|tag| tag == "open"))
}

/// Runs the gate and returns the names of the actions it decides on.
fn decide(case: Field<'_>, stamps: &mut ObjectStamps) -> CheckResult<Vec<&'static str>> {
    let actions = match case.get("msg")?.text()? {
        "instance" => {
            let known = case.get("known")?.boolean()?.then_some(stamps.instance);
            return Ok(vec![gate::check_instance(known, stamp(case, "instance")?).name()]);
        }
        "update_position" => update_position(case, stamps)?,
        "update_motion" => {
            let report = MotionReport {
                movement: stamp(case, "movement")?,
                server_control: stamp(case, "server_control")?,
                autonomous: case.get("autonomous")?.boolean()?,
            };
            gate::motion(stamps, report, situation(case)?)
        }
        "vector_update" => gate::vector(stamps, stamp(case, "vector")?, situation(case)?),
        "set_state" => {
            let hidden = case.get("new_state_hidden")?.boolean()?;
            let report = StateReport { state: stamp(case, "state")?, hidden };
            let is_waiting = case.get("waiting_for_teleport")?.boolean()?;
            gate::state(stamps, report, situation(case)?.is_player, is_waiting)
        }
        "player_teleport" => gate::player_teleport(stamps, stamp(case, "teleport")?),
        other => return Err(Difference::new("msg", "a message of this family", other)),
    };
    Ok(actions.iter().map(|action| action.name()).collect())
}

fn update_position(case: Field<'_>, stamps: &mut ObjectStamps) -> CheckResult<Actions> {
    let report = PositionReport {
        position: stamp(case, "position")?,
        teleport: stamp(case, "teleport")?,
        force_position: stamp(case, "force_position")?,
        has_contact: case.get("has_contact")?.boolean()?,
    };
    let situation = Situation {
        has_cell: case.get("has_cell")?.boolean()?,
        is_moving_to: case.get("is_moving_to")?.boolean()?,
        player_distance: case.get("player_distance")?.float()?,
        ..situation(case)?
    };
    Ok(gate::position(stamps, report, situation))
}

fn situation(case: Field<'_>) -> CheckResult<Situation> {
    Ok(Situation {
        is_player: case.get("is_player")?.boolean()?,
        autonomy: case.get("autonomy")?.unsigned()? as u32,
        ..Situation::default()
    })
}

fn stamp<'a>(field: Field<'a>, name: &'a str) -> CheckResult<Stamp> {
    let number = field.get(name)?.unsigned()?;
    u16::try_from(number).map(Stamp).map_err(|_| Difference::new(name, "16 bits in the vector", number))
}

fn read_stamps(field: Field<'_>) -> CheckResult<ObjectStamps> {
    Ok(ObjectStamps {
        position: stamp(field, "position")?,
        movement: stamp(field, "movement")?,
        state: stamp(field, "state")?,
        vector: stamp(field, "vector")?,
        teleport: stamp(field, "teleport")?,
        server_control: stamp(field, "server_control")?,
        force_position: stamp(field, "force_position")?,
        visual_desc: Stamp::default(),
        instance: stamp(field, "instance")?,
    })
}

fn check_stamps(field: Field<'_>, got: &ObjectStamps) -> CheckResult {
    for (name, got) in [
        ("position", got.position),
        ("movement", got.movement),
        ("state", got.state),
        ("vector", got.vector),
        ("teleport", got.teleport),
        ("server_control", got.server_control),
        ("force_position", got.force_position),
        ("instance", got.instance),
    ] {
        exact(name, stamp(field, name)?, got).map_err(|difference| difference.within("after"))?;
    }
    Ok(())
}

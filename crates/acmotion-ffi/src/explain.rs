//! Why a body moved as it did, as JSON.

use std::ffi::c_char;

use acmotion::explain::{ConstraintStep, InterpolationStep, StepExplanation, SweepNote, SweepTrace};
use acmotion::types::{CellPosition, Frame, Guid, Vec3};
use serde_json::{Value, json};

use crate::memory::{Out, OutList};
use crate::status::{AcmStatus, Failure, guard};
use crate::world::{AcmWorld, with_world};

/// Starts (`is_on` is not 0) or stops recording why an entity moves as it does.
#[unsafe(no_mangle)]
pub extern "C" fn acm_world_explain(world: AcmWorld, guid: u32, is_on: u32) -> AcmStatus {
    guard(|| {
        with_world(world, |state| {
            if state.world.explain(Guid(guid), is_on != 0) { Ok(()) } else { Err(Failure::NO_ENTITY) }
        })
    })
}

/// Writes why an entity moved as it did in its last step, as a JSON object. `ACM_STATUS_NOTHING` if that is not recorded.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn acm_world_explanation_json(
    world: AcmWorld,
    guid: u32,
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> AcmStatus {
    guard(|| {
        // SAFETY: the caller's memory is as the crate's rules say.
        let (buffer, length) =
            unsafe { (OutList::<u8>::new(buffer.cast(), capacity, "buffer")?, Out::new(length, "length")?) };
        let text = with_world(world, |state| {
            let step = state.world.explanation(Guid(guid)).ok_or(Failure::NOTHING)?;
            let order = state.world.find(Guid(guid)).and_then(|own| own.entity().explain_move_to());
            let order = order.map(|order| {
                json!({
                    "kind": acmotion::json::move_kind_name(order.kind),
                    "distance": order.distance,
                    "heading_error": order.heading_error,
                    "runs": order.runs,
                    "waits": order.waits.map(|waits| format!("{waits:?}")),
                })
            });
            Ok(explanation(step, order).to_string())
        })?;
        buffer.fill(text.as_bytes(), &length)
    })
}

/// Writes the state of an entity as the JSON object that `acmotion replay --json` prints for a tick.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn acm_world_state_json(
    world: AcmWorld,
    guid: u32,
    now: f64,
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> AcmStatus {
    guard(|| {
        // SAFETY: the caller's memory is as the crate's rules say.
        let (buffer, length) =
            unsafe { (OutList::<u8>::new(buffer.cast(), capacity, "buffer")?, Out::new(length, "length")?) };
        let text = with_world(world, |state| {
            let resident = state.world.find(Guid(guid)).ok_or(Failure::NO_ENTITY)?;
            Ok(acmotion::json::state(now, resident, state.world.library()).to_string())
        })?;
        buffer.fill(text.as_bytes(), &length)
    })
}

fn explanation(step: &StepExplanation, order: Option<Value>) -> Value {
    let adjustment = &step.adjustment;
    let interpolation = match adjustment.interpolation {
        InterpolationStep::Idle => json!({ "step": "idle" }),
        InterpolationStep::NoContact => json!({ "step": "no_contact" }),
        InterpolationStep::Reached => json!({ "step": "reached" }),
        InterpolationStep::Stalled => json!({ "step": "stalled" }),
        InterpolationStep::Toward { distance, speed } => {
            json!({ "step": "toward", "distance": distance, "speed": speed })
        }
    };
    let constraint = match adjustment.constraint {
        ConstraintStep::Off => json!({ "step": "off" }),
        ConstraintStep::Slack => json!({ "step": "slack" }),
        ConstraintStep::Scaled(factor) => json!({ "step": "scaled", "factor": factor }),
    };
    let names = |actions: &[acmotion::explain::Action]| -> Vec<_> {
        actions.iter().map(|action| action.name()).collect()
    };
    json!({
        "quantum": step.quantum,
        "root_motion": frame(&step.root_motion),
        "interpolation": interpolation,
        "stuck": adjustment.stuck,
        "constraint": constraint,
        "offset": frame(&step.offset),
        "velocity": vector(step.velocity),
        "acceleration": vector(step.acceleration),
        "sweep": step.sweep.as_ref().map(sweep),
        "snapped": step.snapped,
        "decisions": names(step.decisions()),
        "new_decisions": names(step.new_decisions()),
        "order": order,
    })
}

fn sweep(trace: &SweepTrace) -> Value {
    json!({
        "from": position(&trace.from),
        "to": position(&trace.to),
        "stood": trace.stood,
        "covered": trace.covered(),
        "notes": trace.notes().iter().map(note).collect::<Vec<_>>(),
    })
}

fn note(note: &SweepNote) -> Value {
    match note {
        SweepNote::Contact { barrier, normal, slid, .. } => {
            json!({ "contact": barrier.to_string(), "normal": normal.map(vector), "slid": slid })
        }
        SweepNote::StepUp { climbed, rise, limit, blocked_by } => {
            let blocked_by = blocked_by.map(|guid| guid.to_string());
            json!({ "step_up": climbed, "rise": rise, "limit": limit, "blocked_by": blocked_by })
        }
        SweepNote::StepDown { drop } => json!({ "step_down": drop }),
        SweepNote::Pressed { normal } => json!({ "pressed": vector(*normal) }),
        other => json!({ "other": format!("{other:?}") }),
    }
}

fn position(position: &CellPosition) -> Value {
    json!({ "cell": position.cell.to_string(), "origin": vector(position.frame.origin) })
}

fn frame(frame: &Frame) -> Value {
    json!({ "origin": vector(frame.origin), "rotation": <[f32; 4]>::from(frame.rotation) })
}

fn vector(vector: Vec3) -> [f32; 3] {
    vector.into()
}

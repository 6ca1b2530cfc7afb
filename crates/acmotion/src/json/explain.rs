//! Why a body moved as it did.

use acmotion_types::{CellPosition, Frame};
use serde_json::{Value, json};

use super::{move_kind_name, vector};
use crate::components::{MoveToNode, TargetInfo};
use crate::explain::{
    Action, ConstraintStep, InterpolationStep, MoveToExplanation, StepExplanation, SweepNote, SweepTrace,
    WaitReason,
};

/// Returns the explanation of a step, and of the order that the body follows.
pub fn explanation(step: &StepExplanation, order: Option<&MoveToExplanation>) -> Value {
    let names = |actions: &[Action]| actions.iter().map(|action| action.name()).collect::<Vec<_>>();
    let interpolation = match step.adjustment.interpolation {
        InterpolationStep::Idle => json!({ "kind": "idle" }),
        InterpolationStep::NoContact => json!({ "kind": "no_contact" }),
        InterpolationStep::Reached => json!({ "kind": "reached" }),
        InterpolationStep::Stalled => json!({ "kind": "stalled" }),
        InterpolationStep::Toward { distance, speed } => {
            json!({ "kind": "toward", "distance": distance, "speed": speed })
        }
    };
    let constraint = match step.adjustment.constraint {
        ConstraintStep::Off => json!({ "kind": "off" }),
        ConstraintStep::Slack => json!({ "kind": "slack" }),
        ConstraintStep::Scaled(factor) => json!({ "kind": "scaled", "factor": factor }),
    };
    json!({
        "quantum": step.quantum,
        "root_motion": frame(&step.root_motion),
        "offset": frame(&step.offset),
        "velocity": vector(step.velocity),
        "acceleration": vector(step.acceleration),
        "interpolation": interpolation,
        "stuck": step.adjustment.stuck,
        "constraint": constraint,
        "sweep": step.sweep.as_ref().map(sweep),
        "snapped": step.snapped,
        "decisions": names(step.decisions()),
        "new_decisions": names(step.new_decisions()),
        "target_updates": step.target_updates().iter().map(target).collect::<Vec<_>>(),
        "moveto": order.map(move_to),
    })
}

fn sweep(trace: &SweepTrace) -> Value {
    json!({
        "from": position(&trace.from),
        "to": position(&trace.to),
        "stood": trace.stood,
        "covered": trace.covered(),
        "barrier": trace.result.barrier.map(|barrier| barrier.to_string()),
        "notes": trace.notes().iter().map(note).collect::<Vec<_>>(),
    })
}

fn note(note: &SweepNote) -> Value {
    match note {
        SweepNote::Contact { barrier, normal, point, slid } => json!({
            "kind": "contact",
            "barrier": barrier.to_string(),
            "normal": normal.map(vector),
            "point": position(point),
            "slid": slid,
        }),
        SweepNote::StepUp { climbed, rise, limit, blocked_by } => json!({
            "kind": "step_up",
            "climbed": climbed,
            "rise": rise,
            "limit": limit,
            "blocked_by": blocked_by.map(|guid| guid.to_string()),
        }),
        SweepNote::StepDown { drop } => json!({ "kind": "step_down", "drop": drop }),
        SweepNote::Pressed { normal } => json!({ "kind": "pressed", "normal": vector(*normal) }),
        other => json!({ "kind": "other", "text": format!("{other:?}") }),
    }
}

fn move_to(order: &MoveToExplanation) -> Value {
    let node = order.node.map(|node| match node {
        MoveToNode::Turn(heading) => json!({ "kind": "turn", "heading": heading }),
        MoveToNode::Move => json!({ "kind": "move" }),
    });
    let waits = order.waits.map(|reason| match reason {
        WaitReason::Target => String::from("target"),
        WaitReason::Ground => String::from("ground"),
        WaitReason::Motion(motion) => format!("motion {motion}"),
        WaitReason::Progress => String::from("progress"),
    });
    json!({
        "kind": move_kind_name(order.kind),
        "node": node,
        "distance": order.distance,
        "measure": format!("{:?}", order.measure).to_lowercase(),
        "heading_error": order.heading_error,
        "runs": order.runs,
        "waits": waits,
    })
}

fn target(info: &TargetInfo) -> Value {
    json!({ "object": info.object.to_string(), "status": format!("{:?}", info.status).to_lowercase() })
}

fn frame(frame: &Frame) -> Value {
    json!({ "origin": vector(frame.origin), "rotation": <[f32; 4]>::from(frame.rotation) })
}

fn position(position: &CellPosition) -> Value {
    json!({ "cell": position.cell.to_string(), "origin": vector(position.frame.origin) })
}

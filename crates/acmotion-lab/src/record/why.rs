//! Why a body is where it is and does what it does, as JSON.

use acmotion::correction::{ConstraintStep, InterpolationStep, StepExplanation};
use acmotion::entity::Entity;
use acmotion::gate::Action;
use acmotion::interp::HoldKey;
use acmotion::json::kind_name;
use acmotion::library::Library;
use acmotion::steer::{DistanceMeasure, MoveToNode, WaitReason};
use acmotion::table::MotionSpeed;
use acmotion::types::MotionCommand;
use acmotion::wire::ObjectStamps;
use acmotion::world::Resident;
use serde_json::{Value, json};

use crate::values::{Origin, command, vector};

/// Everything that the page shows of one body. `error` is how far it is from the truth.
pub(crate) fn why(resident: &Resident, library: &Library, origin: Origin, error: f32) -> Value {
    let (body, entity) = (resident.body(), resident.entity());
    let (state, frame) = (entity.animator.state(), &body.position.frame);
    let sequence = entity.animator.sequence();
    json!({
        "cell": body.position.cell.to_string(),
        "origin": vector(frame.origin),
        "place": vector(origin.place(&body.position)),
        "heading": frame.heading(),
        "rotation": <[f32; 4]>::from(frame.rotation),
        "velocity": vector(body.velocity),
        "shown_velocity": vector(body.cached_velocity),
        "contact": body.has_contact(),
        "on_walkable": body.is_on_walkable(),
        "style": command(state.style()),
        "substate": command(state.substate()),
        "substate_speed": state.substate_speed(),
        "modifiers": state.modifiers().map(motion).collect::<Vec<_>>(),
        "actions": state.actions().map(motion).collect::<Vec<_>>(),
        "raw": raw(entity),
        "interpreted": interpreted(entity),
        "pending": entity.animator.pending()
            .map(|one| json!({ "motion": command(one.motion), "ticks": one.num_anims }))
            .collect::<Vec<_>>(),
        "animation": sequence.current(library).map(|playing| playing.id().to_string()),
        "frame": sequence.frame(),
        "queue": queue(entity, library),
        "stamps": stamps(resident.stamps()),
        "interpolation": interpolation(entity, origin),
        "sticky": entity.correction.sticky_target().map(|guid| guid.to_string()),
        "leash": leash(entity),
        "moveto": move_to(entity, origin),
        "explain": entity.correction.explanation().map(explain),
        "error": error.is_finite().then_some(error),
    })
}

fn motion(one: MotionSpeed) -> Value {
    json!([command(one.motion), one.speed])
}

fn raw(entity: &Entity) -> Value {
    let raw = &entity.interp.raw;
    let axis = |command_of: MotionCommand, speed: f32| json!([command(command_of), speed]);
    json!({
        "style": command(raw.style),
        "forward": axis(raw.forward.command, raw.forward.speed),
        "sidestep": axis(raw.sidestep.command, raw.sidestep.speed),
        "turn": axis(raw.turn.command, raw.turn.speed),
        "hold_run": raw.current_hold_key == HoldKey::RUN,
    })
}

fn interpreted(entity: &Entity) -> Value {
    let state = &entity.interp.interpreted;
    let axis = |command_of: MotionCommand, speed: f32| json!([command(command_of), speed]);
    json!({
        "style": command(state.style),
        "forward": axis(state.forward.command, state.forward.speed),
        "sidestep": axis(state.sidestep.command, state.sidestep.speed),
        "turn": axis(state.turn.command, state.turn.speed),
    })
}

/// What plays and what waits behind it.
fn queue(entity: &Entity, library: &Library) -> Vec<Value> {
    let sequence = entity.animator.sequence();
    let (current, cyclic) = (sequence.current_index(), sequence.first_cyclic_index());
    let node = |(at, playing): (usize, acmotion::sequence::PlayingNode<'_>)| {
        json!({
            "animation": playing.id().to_string(), "low": playing.low, "high": playing.high,
            "framerate": playing.framerate, "cyclic": cyclic.is_some_and(|cyclic| at >= cyclic),
            "current": current == Some(at),
        })
    };
    sequence.nodes(library).enumerate().map(node).collect()
}

fn stamps(stamps: &ObjectStamps) -> Value {
    json!({
        "position": stamps.position.0, "movement": stamps.movement.0, "state": stamps.state.0,
        "vector": stamps.vector.0, "teleport": stamps.teleport.0, "server_control": stamps.server_control.0,
        "force_position": stamps.force_position.0, "visual_desc": stamps.visual_desc.0,
        "instance": stamps.instance.0,
    })
}

fn interpolation(entity: &Entity, origin: Origin) -> Value {
    let interpolation = &entity.correction.interpolation;
    let node = |node: acmotion::types::CellPosition| {
        let [x, y, z] = vector(origin.place(&node));
        [x, y, z, node.frame.heading()]
    };
    json!({
        "nodes": interpolation.nodes().map(node).collect::<Vec<_>>(),
        "fails": interpolation.fails(),
        "keeps_heading": interpolation.keeps_heading(),
    })
}

fn leash(entity: &Entity) -> Option<Value> {
    let constraint = &entity.correction.constraint;
    let length = constraint.length();
    constraint
        .is_active()
        .then(|| json!({ "offset": constraint.pos_offset(), "start": length.start, "max": length.max }))
}

fn move_to(entity: &Entity, origin: Origin) -> Option<Value> {
    let (order, why) = (entity.move_to()?, entity.explain_move_to()?);
    let waits = why.waits.map(|wait| match wait {
        WaitReason::Target => String::from("its target has not told where it is"),
        WaitReason::Ground => String::from("it is not on the ground"),
        WaitReason::Motion(motion) => format!("{motion} has to end first"),
        WaitReason::Progress => String::from("it does not get on"),
    });
    let node = why.node.map(|node| match node {
        MoveToNode::Move => String::from("comes to the right distance"),
        MoveToNode::Turn(heading) => format!("turns to {heading:.1}°"),
    });
    let measure = match why.measure {
        DistanceMeasure::Hulls => "hulls",
        DistanceMeasure::Centres => "centres",
    };
    Some(json!({
        "kind": kind_name(why.kind), "distance": why.distance, "measure": measure,
        "heading_error": why.heading_error, "runs": why.runs, "waits": waits, "node": node,
        "target": vector(origin.place(order.target_position())),
    }))
}

fn explain(why: &StepExplanation) -> Value {
    let (catching, distance, speed) = match why.adjustment.interpolation {
        InterpolationStep::Idle => ("idle", None, None),
        InterpolationStep::NoContact => ("no_contact", None, None),
        InterpolationStep::Reached => ("reached", None, None),
        InterpolationStep::Stalled => ("stalled", None, None),
        InterpolationStep::Toward { distance, speed } => ("toward", Some(distance), Some(speed)),
    };
    let leash = match why.adjustment.constraint {
        ConstraintStep::Off => json!("off"),
        ConstraintStep::Slack => json!("slack"),
        ConstraintStep::Scaled(share) => json!(share),
    };
    json!({
        "quantum": why.quantum,
        "root_motion": vector(why.root_motion.origin),
        "root_turn": turn(&why.root_motion),
        "catching": catching, "distance": distance, "speed": speed,
        "stuck": why.adjustment.stuck, "leash": leash,
        "offset": vector(why.offset.origin),
        "turn": turn(&why.offset),
        "velocity": vector(why.velocity),
        "decisions": why.decisions().iter().map(|action| action.name()).collect::<Vec<_>>(),
        "words": sentences(why),
    })
}

/// A turn to the right in degrees, from −180 to 180.
fn turn(frame: &acmotion::types::Frame) -> f32 {
    let heading = frame.heading();
    if heading > 180.0 { heading - 360.0 } else { heading }
}

/// The same in sentences.
fn sentences(why: &StepExplanation) -> Vec<String> {
    let mut words = Vec::new();
    let carried = why.root_motion.origin.length();
    words.push(match carried {
        carried if carried > 0.0005 => format!("The animation wants to carry it {carried:.3} m."),
        _ => String::from("The animation does not carry it."),
    });
    match why.adjustment.interpolation {
        InterpolationStep::Idle => {}
        InterpolationStep::NoContact => words.push(String::from("It is in the air: reports wait.")),
        InterpolationStep::Reached => words.push(String::from("It has reached where it was reported.")),
        InterpolationStep::Stalled => {
            words.push(String::from("It does not get nearer to where it was reported."))
        }
        InterpolationStep::Toward { distance, speed } => words.push(format!(
            "It goes to where it was reported instead, {distance:.2} m away, at up to {speed:.2} m/s."
        )),
    }
    if why.adjustment.stuck {
        words.push(String::from("It sticks to its target."));
    }
    match why.adjustment.constraint {
        ConstraintStep::Scaled(share) => {
            words.push(format!("The leash leaves {:.0} % of that.", share * 100.0))
        }
        ConstraintStep::Off | ConstraintStep::Slack => {}
    }
    if why.velocity.length() > 0.0005 {
        let [x, y, z] = vector(why.velocity);
        words.push(format!("Its own velocity of ({x:.2}, {y:.2}, {z:.2}) m/s is added."));
    }
    words.extend(why.decisions().iter().filter_map(decision));
    words
}

/// What a message did, where that says more than its name.
fn decision(action: &Action) -> Option<String> {
    Some(match action {
        Action::Drop(stale) => format!("A message was dropped: {stale}."),
        Action::SetPositionTeleport | Action::TeleportPlayer => String::from("A message teleported it."),
        Action::SetPositionSimple => String::from("A message put it where the server has it."),
        Action::Interpolate | Action::InterpolateKeepHeading => {
            String::from("A report of where it is was noted, to be caught up with.")
        }
        Action::UnpackMovement => String::from("A message told it how to move."),
        Action::LoseControlToServer => String::from("The server took over."),
        Action::IgnoreOwnEcho => String::from("Its own movement came back and was ignored."),
        _ => return None,
    })
}

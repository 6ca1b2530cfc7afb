//! Explains where a body is, what it does, and why it moved as it did.

use acmotion::components::{Entity, MotionSpeed, MoveToNode, PlayingNode};
use acmotion::explain::{
    Action, ConstraintStep, DistanceMeasure, InterpolationStep, StepExplanation, WaitReason,
};
use acmotion::json::move_kind_name;
use acmotion::types::{CellPosition, Frame, MotionCommand};
use acmotion::wire::ObjectStamps;
use acmotion::{HoldKey, Library, Resident};

use crate::protocol::{self, Explanation, MotionInput, MoveTo, PendingMotion, QueuedAnimation, Stamps, Step};
use crate::values::{Origin, vector};

/// The distance in metres, or speed in metres a second, below which a movement is not mentioned.
const MIN_MENTIONED: f32 = 0.0005;

/// Returns the explanation of a body as JSON. `error` is its distance from the truth in metres, NaN if unknown.
pub(crate) fn explanation_json(resident: &Resident, library: &Library, origin: Origin, error: f32) -> String {
    to_json(&explanation(resident, library, origin, error))
}

/// Serialises an explanation for a tick.
pub(crate) fn to_json(explanation: &Explanation) -> String {
    // Structs with text keys always serialise.
    serde_json::to_string(explanation).unwrap_or_default()
}

fn explanation(resident: &Resident, library: &Library, origin: Origin, error: f32) -> Explanation {
    let (body, entity) = (resident.body(), resident.entity());
    let (state, frame) = (entity.animator.state(), &body.position.frame);
    let sequence = entity.animator.sequence();
    let pending = entity.animator.pending();
    Explanation {
        cell: body.position.cell.into(),
        origin: vector(frame.origin),
        position: vector(origin.scene_position(&body.position)),
        heading: Some(frame.heading()),
        rotation: frame.rotation.into(),
        velocity: Some(vector(body.velocity)),
        shown_velocity: Some(vector(body.cached_velocity)),
        contact: body.has_contact(),
        on_walkable: body.is_on_walkable(),
        style: Some(state.style().into()),
        substate: Some(state.substate().into()),
        substate_speed: Some(state.substate_speed()),
        modifiers: state.modifiers().map(Into::into).collect(),
        actions: state.actions().map(Into::into).collect(),
        raw: Some(raw(entity)),
        interpreted: Some(interpreted(entity)),
        pending: pending
            .map(|one| PendingMotion { motion: one.motion.into(), animations: one.num_anims })
            .collect(),
        animation: sequence.current(library).map(|playing| playing.id().into()),
        frame: Some(sequence.frame()),
        queue: queue(entity, library),
        stamps: Some(stamps(resident.stamps())),
        interpolation: Some(interpolation(entity, origin)),
        sticky: entity.correction.sticky_target().map(Into::into),
        constraint: constraint(entity),
        move_to: move_to(entity, origin),
        step: entity.correction.explanation().map(step),
        error: error.is_finite().then_some(error),
    }
}

impl From<MotionSpeed> for protocol::MotionSpeed {
    fn from(one: MotionSpeed) -> Self {
        axis(one.motion, one.speed)
    }
}

fn axis(motion: MotionCommand, speed: f32) -> protocol::MotionSpeed {
    protocol::MotionSpeed { motion: motion.into(), speed }
}

fn raw(entity: &Entity) -> MotionInput {
    let raw = &entity.interp.raw;
    MotionInput {
        style: raw.style.into(),
        forward: axis(raw.forward.command, raw.forward.speed),
        sidestep: axis(raw.sidestep.command, raw.sidestep.speed),
        turn: axis(raw.turn.command, raw.turn.speed),
        hold_run: raw.current_hold_key == HoldKey::RUN,
    }
}

fn interpreted(entity: &Entity) -> MotionInput {
    let state = &entity.interp.interpreted;
    MotionInput {
        style: state.style.into(),
        forward: axis(state.forward.command, state.forward.speed),
        sidestep: axis(state.sidestep.command, state.sidestep.speed),
        turn: axis(state.turn.command, state.turn.speed),
        hold_run: false,
    }
}

fn queue(entity: &Entity, library: &Library) -> Vec<QueuedAnimation> {
    let sequence = entity.animator.sequence();
    let (current, first_cyclic) = (sequence.current_index(), sequence.first_cyclic_index());
    let node = |(index, node): (usize, PlayingNode<'_>)| QueuedAnimation {
        animation: node.id().into(),
        low: node.low,
        high: node.high,
        framerate: node.framerate,
        cyclic: first_cyclic.is_some_and(|first| index >= first),
        current: current == Some(index),
    };
    sequence.nodes(library).enumerate().map(node).collect()
}

fn stamps(stamps: &ObjectStamps) -> Stamps {
    Stamps {
        position: stamps.position.0,
        movement: stamps.movement.0,
        state: stamps.state.0,
        vector: stamps.vector.0,
        teleport: stamps.teleport.0,
        server_control: stamps.server_control.0,
        force_position: stamps.force_position.0,
        visual_desc: stamps.visual_desc.0,
        instance: stamps.instance.0,
    }
}

fn interpolation(entity: &Entity, origin: Origin) -> protocol::Interpolation {
    let interpolation = &entity.correction.interpolation;
    let node = |node: CellPosition| {
        let [x, y, z] = vector(origin.scene_position(&node));
        [x, y, z, node.frame.heading()]
    };
    protocol::Interpolation {
        nodes: interpolation.nodes().map(node).collect(),
        fails: interpolation.fail_count(),
        keeps_heading: interpolation.keeps_heading(),
    }
}

fn constraint(entity: &Entity) -> Option<protocol::Constraint> {
    let constraint = &entity.correction.constraint;
    let range = constraint.range();
    constraint.is_active().then(|| protocol::Constraint {
        offset: constraint.pos_offset(),
        start: Some(range.start),
        max: Some(range.max),
    })
}

fn move_to(entity: &Entity, origin: Origin) -> Option<MoveTo> {
    let (order, explanation) = (entity.move_to()?, entity.explain_move_to()?);
    let waits_for = explanation.waits.map(|wait| match wait {
        WaitReason::Target => String::from("its target's position is not known yet"),
        WaitReason::Ground => String::from("it is not on the ground"),
        WaitReason::Motion(motion) => format!("{motion} has to end first"),
        WaitReason::Progress => String::from("it is making no progress"),
    });
    let node = explanation.node.map(|node| match node {
        MoveToNode::Move => String::from("moves to the right distance"),
        MoveToNode::Turn(heading) => format!("turns to {heading:.1}°"),
    });
    Some(MoveTo {
        kind: move_kind_name(explanation.kind).into(),
        distance: explanation.distance,
        measure: match explanation.measure {
            DistanceMeasure::Hulls => protocol::DistanceMeasure::Hulls,
            DistanceMeasure::Centres => protocol::DistanceMeasure::Centres,
            DistanceMeasure::Level => protocol::DistanceMeasure::Level,
        },
        heading_error: explanation.heading_error,
        runs: explanation.runs,
        waits_for,
        node,
        target: vector(origin.scene_position(order.target_position())),
    })
}

fn step(step: &StepExplanation) -> Step {
    Step {
        quantum: step.quantum,
        root_motion: vector(step.root_motion.origin),
        root_turn: turn(&step.root_motion),
        interpolation: match step.adjustment.interpolation {
            InterpolationStep::Idle => protocol::InterpolationStep::Idle,
            InterpolationStep::NoContact => protocol::InterpolationStep::NoContact,
            InterpolationStep::Reached => protocol::InterpolationStep::Reached,
            InterpolationStep::Stalled => protocol::InterpolationStep::Stalled,
            InterpolationStep::Toward { distance, speed } => {
                protocol::InterpolationStep::Toward { distance, speed }
            }
        },
        is_sticky: step.adjustment.stuck,
        constraint: match step.adjustment.constraint {
            ConstraintStep::Off => protocol::ConstraintStep::Off,
            ConstraintStep::Slack => protocol::ConstraintStep::Slack,
            ConstraintStep::Scaled(factor) => protocol::ConstraintStep::Scaled { factor },
        },
        offset: vector(step.offset.origin),
        turn: turn(&step.offset),
        velocity: vector(step.velocity),
        decisions: step.decisions().iter().map(|action| action.name()).collect(),
        sentences: sentences(step),
    }
}

/// Returns the turn of an offset in degrees, −180…180, positive to the right.
fn turn(offset: &Frame) -> f32 {
    let heading = offset.heading();
    if heading > 180.0 { heading - 360.0 } else { heading }
}

fn sentences(step: &StepExplanation) -> Vec<String> {
    let moved = step.root_motion.origin.length();
    let mut sentences = vec![match moved {
        moved if moved > MIN_MENTIONED => format!("The animation moves it {moved:.3} m."),
        _ => String::from("The animation does not move it."),
    }];
    match step.adjustment.interpolation {
        InterpolationStep::Idle => {}
        InterpolationStep::NoContact => {
            sentences.push(String::from("It is in the air, so position reports have to wait."));
        }
        InterpolationStep::Reached => sentences.push(String::from("It has reached the reported position.")),
        InterpolationStep::Stalled => {
            sentences.push(String::from("It is not getting closer to the reported position."));
        }
        InterpolationStep::Toward { distance, speed } => sentences.push(format!(
            "Instead, it moves towards the reported position, {distance:.2} m away, at up to {speed:.2} m/s."
        )),
    }
    if step.adjustment.stuck {
        sentences.push(String::from("It sticks to its target."));
    }
    if let ConstraintStep::Scaled(factor) = step.adjustment.constraint {
        sentences.push(format!("The constraint reduces the movement to {:.0} %.", factor * 100.0));
    }
    if step.velocity.length() > MIN_MENTIONED {
        let [x, y, z] = vector(step.velocity);
        sentences.push(format!("Its own velocity of ({x:.2}, {y:.2}, {z:.2}) m/s is added."));
    }
    sentences.extend(step.decisions().iter().filter_map(decision));
    sentences
}

/// Describes what a message did, or returns `None` if its name says enough.
fn decision(action: &Action) -> Option<String> {
    Some(match action {
        Action::Drop(stale) => format!("A message was dropped: {stale}."),
        Action::SetPositionTeleport | Action::TeleportPlayer => String::from("A message teleported it."),
        Action::SetPositionSimple => String::from("A message moved it to the server's position."),
        Action::Interpolate | Action::InterpolateKeepHeading => {
            String::from("A position report was added to the interpolation queue.")
        }
        Action::UnpackMovement => String::from("A message changed its motion."),
        Action::LoseControlToServer => String::from("The server took control."),
        Action::IgnoreOwnEcho => String::from("The echo of its own movement was ignored."),
        _ => return None,
    })
}

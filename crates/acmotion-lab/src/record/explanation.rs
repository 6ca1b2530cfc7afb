//! Explains where a body is, what it does, and why it moved as it did.

use acmotion::components::{Entity, MotionSpeed, MoveToNode, PhysicsState, PlayingNode};
use acmotion::dat::Sphere;
use acmotion::effects::Effects;
use acmotion::explain::{ConstraintStep, DistanceMeasure, InterpolationStep, StepExplanation, WaitReason};
use acmotion::json::move_kind_name;
use acmotion::types::{CellPosition, Frame, MotionCommand};
use acmotion::wire::ObjectStamps;
use acmotion::{HoldKey, Library, Resident};

use super::reports::RecentReports;
use super::sentences::{contacts, sentences};
use crate::protocol::{
    self, Explanation, Ground, HexId, MotionInput, MoveTo, PendingMotion, QueuedAnimation, Stamps, Step,
    TakenMessage,
};
use crate::values::{Origin, vector};

/// What is known about a body besides its own state.
#[derive(Clone, Copy)]
pub(crate) struct Surroundings {
    pub(crate) origin: Origin,
    /// Whether the land is loaded.
    pub(crate) has_land: bool,
}

/// What the server has said about a body.
#[derive(Clone, Copy)]
pub(crate) struct Witness<'a> {
    /// The time of the tick in seconds.
    pub(crate) now: f64,
    /// The distance from the truth in metres, NaN if unknown.
    pub(crate) error: f32,
    /// The last reports; `None` in a walk.
    pub(crate) reports: Option<&'a RecentReports>,
    /// What the messages of a capture since the tick before did to it.
    pub(crate) messages: &'a [TakenMessage],
}

/// Returns the explanation of a body as JSON.
pub(crate) fn explanation_json(
    resident: &Resident,
    library: &Library,
    around: Surroundings,
    witness: Witness<'_>,
) -> String {
    to_json(&explanation(resident, library, around, witness))
}

/// Serialises an explanation for a tick.
pub(crate) fn to_json(explanation: &Explanation) -> String {
    // Structs with text keys always serialise.
    serde_json::to_string(explanation).unwrap_or_default()
}

fn explanation(
    resident: &Resident,
    library: &Library,
    around: Surroundings,
    witness: Witness<'_>,
) -> Explanation {
    let (body, entity) = (resident.body(), resident.entity());
    let Surroundings { origin, .. } = around;
    let Witness { now, error, reports, messages } = witness;
    let target = entity.move_to().map(|order| order.target_position());
    let report = reports.and_then(|reports| reports.describe(now, &body.position, target, origin));
    let movement = reports.and_then(|reports| reports.movement(now, target));
    let order = move_to(entity, origin);
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
        omega: Some(vector(body.omega)),
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
        step: entity.correction.explanation().map(|explained| Step {
            sentences: sentences(
                explained,
                order.as_ref(),
                report.as_ref().map(|report| (report, movement)),
                around,
            ),
            ..step(explained, origin)
        }),
        move_to: order,
        scale: Some(body.scale),
        physics: Some(physics(body.state)),
        holder: resident.parent().map(Into::into),
        setup: resident.model().map(|model| library.model(model).id().into()),
        table: entity.animator.table().map(|table| library.table(table).id().into()),
        scripts: resident.effects().map_or_else(Vec::new, scripts),
        messages: messages.to_vec(),
        spheres: spheres(entity),
        ground: ground(entity, origin),
        report,
        error: error.is_finite().then_some(error),
    }
}

impl From<MotionSpeed> for protocol::MotionSpeed {
    fn from(one: MotionSpeed) -> Self {
        axis(one.motion, one.speed)
    }
}

/// Names the bits of a physics state: `"ethereal, gravity"`.
fn physics(state: PhysicsState) -> String {
    let names = state.iter_names().map(|(name, _)| name.to_ascii_lowercase().replace('_', " "));
    let unknown = state.difference(PhysicsState::all()).bits();
    let unknown = (unknown != 0).then(|| format!("0x{unknown:X}"));
    names.chain(unknown).collect::<Vec<_>>().join(", ")
}

fn scripts(effects: &Effects) -> Vec<HexId> {
    effects.scripts().iter().map(|script| script.id().into()).collect()
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

/// Returns the spheres that a body collides with, scaled, in its own axes.
fn spheres(entity: &Entity) -> Vec<[f32; 4]> {
    let scale = entity.body.scale;
    let sphere = |sphere: &Sphere| {
        let [x, y, z] = vector(sphere.origin * scale);
        [x, y, z, sphere.radius * scale]
    };
    entity.shape.spheres().iter().map(sphere).collect()
}

/// Returns the plane that a body stands on, at the body.
fn ground(entity: &Entity, origin: Origin) -> Option<Ground> {
    let (body, plane) = (&entity.body, entity.body.contact_plane);
    if !body.has_contact() || plane.normal.z.abs() < f32::EPSILON {
        return None;
    }
    let cell = body.contact_plane_cell;
    let mut own = body.position.frame.origin - body.position.cell.block_offset(cell);
    own.z = -(plane.normal.x * own.x + plane.normal.y * own.y + plane.d) / plane.normal.z;
    let point = vector(origin.scene_position(&CellPosition::at(cell, own)));
    Some(Ground { point, normal: vector(plane.normal), cell: cell.into() })
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

fn step(step: &StepExplanation, origin: Origin) -> Step {
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
        contacts: step.sweep.as_ref().map_or_else(Vec::new, |sweep| contacts(sweep, origin)),
        sentences: Vec::new(),
    }
}

/// Returns the turn of an offset in degrees, −180…180, positive to the right.
fn turn(offset: &Frame) -> f32 {
    let heading = offset.heading();
    if heading > 180.0 { heading - 360.0 } else { heading }
}

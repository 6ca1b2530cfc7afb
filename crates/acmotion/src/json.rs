//! The JSON objects that the command prints: those of `replay --json`, one for each entity and tick and one for each event,
//! those of `motion --json`, and explanations. Other tools can use them too.

mod explain;
mod timing;

use acmotion_types::{MotionCommand, Vec3};
use acmotion_wire::json::{Hex, JsonWriter, list, object};
use serde_json::Value;

pub use explain::explanation;
pub use timing::{segment, timed_hook, timing};

use crate::entity::MotionEvent;
use crate::library::Library;
use crate::player::RequestEvent;
use crate::steer::{MoveKind, MoveToEvent};
use crate::table::MotionSpeed;
use crate::world::{DeleteReason, Event, EventKind, Resident};

/// Returns the state of an entity after a tick, as [`put_state`] writes it.
pub fn state(now: f64, resident: &Resident, library: &Library) -> Value {
    let mut text = Vec::new();
    JsonWriter::new(&mut text).object(|json| put_state(json, now, resident, library));
    serde_json::from_slice(&text).unwrap_or_default()
}

/// Adds the state of an entity after a tick to a JSON object. Allocates nothing but space in the writer's buffer.
pub fn put_state(json: &mut JsonWriter<'_>, now: f64, resident: &Resident, library: &Library) {
    let (body, entity) = (resident.body(), resident.entity());
    let (state, sequence) = (entity.animator.state(), entity.animator.sequence());
    let frame = &body.position.frame;
    let correction = &entity.correction;
    let interpolation = |json: &mut JsonWriter<'_>| {
        json.put("nodes", correction.interpolation.nodes().len())
            .put("fails", correction.interpolation.fail_count());
    };
    let constraint = correction.constraint.is_active().then(|| {
        object(|json| {
            json.put("offset", correction.constraint.pos_offset());
        })
    });
    json.put("t", now)
        .put("guid", Hex::word(resident.guid().0))
        .put("cell", Hex::word(body.position.cell.0))
        .put("origin", vector(frame.origin))
        .put("heading", frame.heading())
        .put("rotation", <[f32; 4]>::from(frame.rotation))
        .put("velocity", vector(body.velocity))
        .put("shown_velocity", vector(body.cached_velocity))
        .put("contact", body.has_contact())
        .put("on_walkable", body.is_on_walkable())
        .put("style", hex(state.style()))
        .put("substate", hex(state.substate()))
        .put("substate_speed", state.substate_speed())
        .put("modifiers", list(state.modifiers().map(motion)))
        .put("actions", list(state.actions().map(motion)))
        .put("animation", sequence.current(library).map(|playing| Hex::word(playing.id().0)))
        .put("frame", sequence.frame())
        .put("interpolation", object(interpolation))
        .put("constraint", constraint)
        .put("moveto", entity.move_to().map(|order| move_kind_name(order.kind())))
        .put("pending", entity.animator.pending().len());
}

/// Returns an event.
pub fn event(event: &Event, library: &Library) -> Value {
    named_event(event, library).1
}

/// Returns `true` if `replay --json` and `simulate --json` list an event. They leave out effects, whose hooks they list.
pub fn is_listed(event: &Event) -> bool {
    !matches!(event.kind, EventKind::Motion(MotionEvent::Effect(_)))
}

/// Returns an event together with its name, the value of its field `event`.
pub fn named_event(event: &Event, library: &Library) -> (&'static str, Value) {
    let (mut text, mut name) = (Vec::new(), "");
    JsonWriter::new(&mut text).object(|json| name = put_event(json, event, library));
    (name, serde_json::from_slice(&text).unwrap_or_default())
}

/// Adds an event to a JSON object. Returns its name, the value of its field `event`.
pub fn put_event(json: &mut JsonWriter<'_>, event: &Event, library: &Library) -> &'static str {
    let name = put_kind(json, &event.kind, library);
    json.put("t", event.time).put("guid", Hex::word(event.guid.0)).put("event", name);
    name
}

/// Adds what only events of a kind have. Returns the name of the kind.
fn put_kind(json: &mut JsonWriter<'_>, kind: &EventKind, library: &Library) -> &'static str {
    match kind {
        EventKind::Motion(kind) => put_motion_event(json, kind, library),
        EventKind::Created => "created",
        EventKind::Deleted(reason) => {
            let how = match reason {
                DeleteReason::Deleted => "deleted",
                DeleteReason::Replaced => "replaced",
                DeleteReason::Despawned => "despawned",
            };
            json.put("how", how);
            "deleted"
        }
        EventKind::NotPlaced(reason) => {
            json.put("reason", reason.to_string());
            "not_placed"
        }
        EventKind::Rejected(reason) => {
            json.put("reason", reason.to_string());
            "rejected"
        }
        EventKind::PortalSpace(inside) => {
            json.put("inside", *inside);
            "portal_space"
        }
        EventKind::ControlLost => "control_lost",
        EventKind::PositionRequested => "position_wanted",
        EventKind::Clock(fault) => {
            json.put("fault", fault.to_string());
            "clock"
        }
        EventKind::Request(RequestEvent { id, kind, progress }) => {
            json.put("id", id.0).put("request", kind.to_string()).put("progress", progress.to_string());
            "request"
        }
    }
}

fn put_motion_event(json: &mut JsonWriter<'_>, kind: &MotionEvent, library: &Library) -> &'static str {
    match kind {
        MotionEvent::Hook(hook) => {
            let fired = &hook.hook;
            json.put("animation", Hex::word(library.clip(hook.clip).animation().id().0))
                .put("frame", hook.frame)
                .put("hook", fired.effect.name())
                .put("direction", fired.direction.0)
                .put("payload", &acmotion_dat::json::hook_payload(&fired.effect));
            "hook"
        }
        MotionEvent::Effect(effect) => {
            json.put("what", format!("{effect:?}"));
            "effect"
        }
        MotionEvent::MotionDone { motion, success } => {
            json.put("motion", hex(*motion)).put("success", *success);
            "motion_done"
        }
        MotionEvent::HitGround => "hit_ground",
        MotionEvent::LeaveGround => "leave_ground",
        MotionEvent::HitEnvironment => "hit_environment",
        MotionEvent::Touched(other) => {
            json.put("other", Hex::word(other.0));
            "touched"
        }
        MotionEvent::Parted(other) => {
            json.put("other", Hex::word(other.0));
            "parted"
        }
        MotionEvent::Hidden(hidden) => {
            json.put("hidden", *hidden);
            "hidden"
        }
        MotionEvent::Snapped { distance } => {
            json.put("distance", *distance);
            "snap"
        }
        MotionEvent::Teleported { distance } => {
            json.put("distance", *distance);
            "teleport"
        }
        MotionEvent::Lost => "lost",
        MotionEvent::QueueOverflow { motions } => {
            json.put("motions", *motions);
            "queue_overflow"
        }
        MotionEvent::Parented { parent, location } => {
            json.put("parent", Hex::word(parent.0)).put("location", *location);
            "parented"
        }
        MotionEvent::Unparented { parent } => {
            json.put("parent", Hex::word(parent.0));
            "unparented"
        }
        MotionEvent::MoveTo(event) => {
            json.put("what", move_to_text(event));
            "moveto"
        }
    }
}

/// Describes the progress of an order in words.
pub fn move_to_text(event: &MoveToEvent) -> String {
    match event {
        MoveToEvent::Started(kind) => format!("starts {}", move_kind_name(*kind)),
        MoveToEvent::Turns { turn, heading } => format!("{turn} to {heading:.1}°"),
        MoveToEvent::Faces(heading) => format!("faces {heading:.1}°"),
        MoveToEvent::Moves { motion, away, .. } => format!("{motion}{}", if *away { ", away" } else { "" }),
        MoveToEvent::Veers(Some(turn)) => format!("veers, {turn}"),
        MoveToEvent::Veers(None) => String::from("goes straight"),
        MoveToEvent::Waits(motion) => format!("waits for {motion} to end"),
        MoveToEvent::TargetUpdated(status) => format!("target: {status:?}"),
        MoveToEvent::Arrived => String::from("arrives"),
        MoveToEvent::Sticks(target) => format!("sticks to {target}"),
        MoveToEvent::Failed(error) => format!("ends: {error}"),
        MoveToEvent::GaveUp(reason) => format!("gives up: {reason}"),
    }
}

/// Returns the name of an order's kind.
pub fn move_kind_name(kind: MoveKind) -> &'static str {
    match kind {
        MoveKind::Idle => "idle",
        MoveKind::MoveToObject => "MoveToObject",
        MoveKind::MoveToPosition => "MoveToPosition",
        MoveKind::TurnToObject => "TurnToObject",
        MoveKind::TurnToHeading => "TurnToHeading",
    }
}

fn motion(one: MotionSpeed) -> (Hex, f32) {
    (hex(one.motion), one.speed)
}

fn hex(command: MotionCommand) -> Hex {
    Hex::word(command.0)
}

fn command(command: MotionCommand) -> String {
    format!("0x{:08X}", command.0)
}

fn vector(v: Vec3) -> [f32; 3] {
    v.into()
}

#[cfg(test)]
mod tests {
    use acmotion_dat::Assets;
    use acmotion_types::{CellId, CellPosition, Guid};
    use serde_json::json;

    use super::*;
    use crate::World;
    use crate::correction::ConstraintRange;
    use crate::effects::EffectEvent;
    use crate::steer::Order;

    const GUID: Guid = Guid(0x5000_0001);

    /// A body that walks north, one second after it was ordered to.
    fn walker() -> World {
        let mut world = World::new(Assets::mannequin());
        let start = CellPosition::at(CellId(0xA9B4_0001), Vec3::new(12.0, 4.0, 94.0));
        world.add_stand_in(GUID, &start, 0.0);
        let goal = CellPosition::at(start.cell, Vec3::new(12.0, 23.0, 94.0));
        world.act(GUID, 0.0, |actor, _| actor.order(&Order::walk_to(goal)));
        for frame in 1..=30 {
            world.tick(f64::from(frame) / 29.9);
        }
        world
    }

    #[test]
    fn a_state_has_all_that_a_tick_leaves() {
        let mut world = walker();
        let value = |world: &World| state(1.5, world.find(GUID).unwrap(), world.library());
        let line = value(&world);
        let own = world.find(GUID).unwrap();
        assert_eq!((&line["t"], &line["guid"]), (&json!(1.5), &json!("0x50000001")));
        assert_eq!(line["cell"], json!("0xA9B40001"));
        let y = line["origin"][1].as_f64().unwrap();
        assert!((y - f64::from(own.position().frame.origin.y)).abs() < 1e-4 && y > 5.0, "{y}");
        assert_eq!((&line["contact"], &line["on_walkable"]), (&json!(true), &json!(true)));
        assert_eq!(line["substate"], json!("0x45000005"), "it walks");
        assert_eq!((&line["moveto"], &line["constraint"]), (&json!("MoveToPosition"), &Value::Null));
        assert_eq!(line["interpolation"], json!({ "nodes": 0, "fails": 0 }));
        world.act(GUID, 1.1, |actor, _| {
            let (own, range) = (actor.entity.body.position, ConstraintRange { start: 10.0, max: 50.0 });
            actor.entity.correction.constraint.constrain_to(&own, &own, range);
        });
        assert_eq!(value(&world)["constraint"], json!({ "offset": 0.0 }));
    }

    #[test]
    fn an_event_has_its_name_its_time_and_its_entity() {
        let world = walker();
        let event = |kind| Event { time: 2.5, guid: GUID, kind };
        let hit = event(EventKind::Motion(MotionEvent::HitGround));
        let (name, line) = named_event(&hit, world.library());
        assert_eq!(
            (name, line),
            ("hit_ground", json!({ "t": 2.5, "guid": GUID.to_string(), "event": name }))
        );
        assert_eq!(super::event(&hit, world.library())["event"], json!("hit_ground"));
        let lights = event(EventKind::Motion(MotionEvent::Effect(EffectEvent::Lights(true))));
        assert!(is_listed(&hit) && !is_listed(&lights));
    }
}

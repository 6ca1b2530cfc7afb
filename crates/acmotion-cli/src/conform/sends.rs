//! Family `sends`: what the player's keys come to, and what the server is told (rules K2, K3, K6, K7).

use acmotion::body::{Plane, TransientState};
use acmotion::entity::Entity;
use acmotion::interp::{Action, HoldKey, RawAxis, RawState};
use acmotion::player::{Heartbeat, HeartbeatState, KeyEffect, Keyboard, ListKind, move_to_state};
use acmotion::types::{ActionStamp, CellId, CellPosition, Frame, Guid, MotionCommand};
use acmotion::wire::{EchoedStamps, Message as _};
use serde_json::{Value, json};

use super::check::{Checked, Difference, Field, exact, near};
use super::{Family, Verdict};

/// Times are doubles; this is far below what the vectors print.
const TIME: f64 = 1e-9;
/// What follows the raw state in a `MoveToState`: a position, four stamps, the tail byte and its padding.
const BEHIND_RAW: usize = 32 + 8 + 4;

pub(super) struct Sends;

impl Family for Sends {
    fn case(&mut self, line: &Value) -> Result<Verdict, Difference> {
        let case = Field::line(line);
        match case.get("kind")?.text()? {
            "autonomous_position" => check_heartbeat(case)?,
            "raw_state" => check_raw_state(case)?,
            "keys" => check_keys(case)?,
            other => return Err(Difference::new("kind", "a kind that is known", other)),
        }
        Ok(Verdict::Passed)
    }
}

fn check_heartbeat(case: Field<'_>) -> Checked {
    let autonomy = case.get("autonomy")?.unsigned()? as u32;
    let mut heart = Heartbeat::default();
    for (index, frame) in case.get("frames")?.elements()?.enumerate() {
        check_frame(frame, autonomy, &mut heart)
            .map_err(|difference| difference.within(format_args!("frames[{index}]")))?;
    }
    Ok(())
}

fn check_frame(frame: Field<'_>, autonomy: u32, heart: &mut Heartbeat) -> Checked {
    let now = frame.get("now")?.double()?;
    let active = frame.get("active")?.truth()?;
    let place = Frame::new(frame.get("o")?.vector()?, frame.get("q")?.quat()?);
    let [x, y, z, d] = frame.get("plane")?.array::<4>()?;
    let stand = HeartbeatState {
        position: CellPosition::new(CellId(frame.get("cell")?.hex()?), place),
        plane: Plane::new([x.float()?, y.float()?, z.float()?].into(), d.float()?),
        stands: frame.get("contact")?.truth()? && frame.get("on_walkable")?.truth()?,
        is_valid: frame.get("position_valid")?.truth()?,
    };
    let moved = active && frame.get("movement_event")?.truth()? && autonomy != 0;
    exact("move_to_state", frame.get("move_to_state")?.truth()?, moved)?;
    if moved {
        heart.moved(now);
    }
    let due = active && heart.is_due(now, &stand, autonomy);
    exact("due", frame.get("due")?.truth()?, due)?;
    exact("sent", frame.get("sent")?.truth()?, due && heart.tell(now, &stand))?;
    near("last_sent_time", frame.get("last_sent_time")?.double()?, heart.last_time, TIME)
}

fn check_raw_state(case: Field<'_>) -> Checked {
    let mut entity = Entity::new(Guid(1), None);
    entity.interp.raw = raw_state(case.get("raw")?)?;
    entity.interp.standing_long_jump = case.get("standing_longjump")?.truth()?;
    let transient = &mut entity.body.transient;
    transient.set(TransientState::CONTACT, case.get("contact")?.truth()?);
    transient.set(TransientState::ON_WALKABLE, case.get("on_walkable")?.truth()?);
    let (mut actions, mut bytes) = (Vec::new(), Vec::new());
    move_to_state(&entity, EchoedStamps::default(), &mut actions).encode_body(&mut bytes);
    let raw = &bytes[..bytes.len() - BEHIND_RAW];
    let flags = raw.first_chunk().map(|word| u32::from_le_bytes(*word)).unwrap_or_default();
    exact("flags", case.get("flags")?.hex()?, flags)?;
    let hex: String = raw.iter().map(|byte| format!("{byte:02x}")).collect();
    exact("raw_hex", case.get("raw_hex")?.text()?, &hex)?;
    exact("tail_byte", case.get("tail_byte")?.unsigned()?, u64::from(bytes[bytes.len() - 4]))
}

fn raw_state(raw: Field<'_>) -> Checked<RawState> {
    let axis = |command, speed, key| -> Checked<RawAxis> {
        Ok(RawAxis {
            command: MotionCommand(raw.get(command)?.hex()?),
            speed: raw.get(speed)?.float()?,
            hold_key: HoldKey(raw.get(key)?.unsigned()? as u32),
        })
    };
    let mut state = RawState::default();
    state.current_hold_key = HoldKey(raw.get("hold")?.unsigned()? as u32);
    state.style = MotionCommand(raw.get("style")?.hex()?);
    state.forward = axis("fwd", "fwd_speed", "fwd_hold")?;
    state.sidestep = axis("side", "side_speed", "side_hold")?;
    state.turn = axis("turn", "turn_speed", "turn_hold")?;
    for action in raw.get("actions")?.elements()? {
        let [command, speed, stamp, autonomous] = action.array::<4>()?;
        state.push_action(Action {
            motion: MotionCommand(command.hex()?),
            speed: speed.float()?,
            stamp: ActionStamp::new(stamp.unsigned()? as u16),
            autonomous: autonomous.truth()?,
        });
    }
    Ok(state)
}

/// A step tagged `open` is not compared, and from there on neither is what it left behind in `transient_state`: it is
/// taken over from the vector, so that the rest of every step can be.
fn check_keys(case: Field<'_>) -> Checked {
    let mut keys = Keyboard::default();
    keys.controlled_by_server = case.get("controlled_by_server")?.truth()?;
    let mut contested = false;
    for (index, step) in case.get("steps")?.elements()?.enumerate() {
        let is_open = step.find("tags").is_some();
        contested |= is_open;
        let checked = check_key(step, &mut keys, contested);
        if contested {
            keys.is_transient = step.get("transient_state")?.truth()?;
        }
        if !is_open {
            checked.map_err(|difference| difference.within(format_args!("steps[{index}]")))?;
        }
    }
    Ok(())
}

fn check_key(step: Field<'_>, keys: &mut Keyboard, contested: bool) -> Checked {
    let command = MotionCommand(step.get("cmd")?.hex()?);
    let response = keys.command(command, step.get("start")?.truth()?, true);
    let pre = if response.takes_control { json!(["take_control"]) } else { json!([]) };
    exact("pre", step.get("pre")?.value(), &pre)?;
    let (result, applied) = match response.effect {
        KeyEffect::Start(held) => ("start", held.command),
        KeyEffect::Stop(command) => ("stop", command),
        KeyEffect::Nothing => ("none", MotionCommand::NONE),
        KeyEffect::RemovedOnly => ("removed_only", MotionCommand::NONE),
        KeyEffect::HoldSidestep => ("hold_sidestep", MotionCommand::NONE),
        KeyEffect::HoldRun => ("hold_run", MotionCommand::NONE),
        KeyEffect::AutoRun => ("auto_run", MotionCommand::NONE),
        KeyEffect::Ignored => ("ignored", MotionCommand::NONE),
    };
    exact("result", step.get("result")?.text()?, result)?;
    exact("applied", step.get("applied")?.hex()?, applied.0)?;
    let sends = response.is_sent().map_or_else(|| json!("if_not_standing_still"), Value::Bool);
    exact("sends_move_to_state", step.get("sends_move_to_state")?.value(), &sends)?;
    if !contested {
        exact("transient_state", step.get("transient_state")?.truth()?, keys.is_transient)?;
    }
    let [substates, turns, sidesteps] = step.get("lists")?.array::<3>()?;
    for (kind, expected) in
        [(ListKind::Substate, substates), (ListKind::Turn, turns), (ListKind::Sidestep, sidesteps)]
    {
        let expected =
            expected.elements()?.map(|id| Ok(MotionCommand(id.hex()?))).collect::<Checked<Vec<_>>>()?;
        let got: Vec<_> = keys.list(kind).iter().map(|held| held.command).collect();
        exact(&format!("lists.{kind:?}"), expected, got)?;
    }
    Ok(())
}

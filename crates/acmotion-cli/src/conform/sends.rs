//! Family `sends`: what the player's keys lead to, and what the server is sent (rules K2, K3, K6–K8).
//!
//! Every case runs through the controls of a player in a world, as in a client: this module sets up the body and the keys
//! that a vector describes and compares the messages and the state that come out.

use acmotion::components::{Action, Actor, KeyEffect, ListKind, RawAxis, RawState, TransientState};
use acmotion::dat::Assets;
use acmotion::internals::body::BodyFlags;
use acmotion::scene::Plane;
use acmotion::types::{ActionStamp, CellId, CellPosition, Era, Frame, Guid, MotionCommand, Vec3};
use acmotion::wire::{C2S, GameActionBody as ClientAction, decode_c2s};
use acmotion::{Controls, HoldKey, Identity, Settings, World};
use serde_json::{Value, json};

use super::check::{CheckResult, Difference, Field, exact, within};
use super::steps::Steps;
use super::{CaseResult, Family};

/// Times are doubles; this is far below what the vectors print.
const TIME: f64 = 1e-9;
/// The bytes before the raw state in a `MoveToState` message: opcode, sequence number, action opcode.
const BEFORE_RAW: usize = 4 + 4 + 4;
/// The bytes after the raw state in a `MoveToState` message: a position, four stamps, the tail byte and its padding.
const AFTER_RAW: usize = 32 + 8 + 4;
const PLAYER: Guid = Guid(0x5000_0001);

pub(super) struct SendsFamily;

impl Family for SendsFamily {
    fn run_line(&mut self, line: &Value) -> Result<CaseResult, Difference> {
        let case = Field::line(line);
        let mut client = Client::new();
        match case.get("kind")?.text()? {
            "autonomous_position" => check_positions(case, &mut client),
            "raw_state" => check_raw_state(case, &mut client).map(|()| CaseResult::Passed),
            "keys" => check_keys(case, &mut client),
            other => Err(Difference::new("kind", "autonomous_position, raw_state or keys", other)),
        }
    }
}

/// A world with a standing player in it, whose client has reported its entry.
struct Client {
    world: World,
}

impl Client {
    fn new() -> Self {
        let settings = Settings { player: Identity::Known(PLAYER), ..Settings::default() };
        let mut world = World::with_settings(Assets::mannequin(), settings);
        let position = CellPosition::at(CellId(0xA9B4_0001), Vec3::new(12.0, 12.0, 20.0));
        world.add_stand_in(PLAYER, &position, 0.0);
        let mut client = Self { world };
        // The first frame reports the entry. In the air it does not report the position (rule K7).
        let contact = TransientState::CONTACT | TransientState::ON_WALKABLE;
        client.edit(|actor| actor.entity.body.transient.remove(contact));
        client.player().use_time(0.0);
        client.edit(|actor| actor.entity.body.transient.insert(contact));
        client.drain();
        client
    }

    fn player(&mut self) -> Controls<'_> {
        self.world.player_mut()
    }

    fn edit(&mut self, edit: impl FnOnce(&mut Actor<'_>)) {
        self.world.act(PLAYER, 0.0, |actor, _| edit(actor));
    }

    /// Returns `true` if the player stands and neither moves nor turns (rule F17).
    fn is_standing_still(&self) -> bool {
        let player = self.world.find(PLAYER).map(|player| player.entity());
        player.is_some_and(|entity| entity.interp.is_standing_still(&entity.body))
    }

    /// Removes and returns the messages to the server.
    fn drain(&mut self) -> Vec<Vec<u8>> {
        self.world.drain_outbound().collect()
    }
}

fn is_move_to_state(message: &[u8]) -> bool {
    matches!(action(message), Some(ClientAction::MoveToState(_)))
}

fn is_autonomous_position(message: &[u8]) -> bool {
    matches!(action(message), Some(ClientAction::AutonomousPosition(_)))
}

fn action(message: &[u8]) -> Option<ClientAction<'_>> {
    match decode_c2s(message, Era::default()) {
        Ok(C2S::GameAction(action)) => Some(action.action),
        _ => None,
    }
}

fn check_positions(case: Field<'_>, client: &mut Client) -> CheckResult<CaseResult> {
    client.player().set_autonomy(case.get("autonomy")?.unsigned()? as u32);
    Steps::listed(case, "frames")?.check(|frame| check_frame(frame, client))
}

fn check_frame(frame: Field<'_>, client: &mut Client) -> CheckResult {
    let now = frame.get("now")?.double()?;
    let own_frame = Frame::new(frame.get("o")?.vector()?, frame.get("q")?.quat()?);
    let position = CellPosition::new(CellId(frame.get("cell")?.hex()?), own_frame);
    let [x, y, z, d] = frame.get("plane")?.array::<4>()?;
    let plane = Plane::new([x.float()?, y.float()?, z.float()?].into(), d.float()?);
    let (contact, on_walkable) = (frame.get("contact")?.boolean()?, frame.get("on_walkable")?.boolean()?);
    let is_valid = frame.get("position_valid")?.boolean()?;
    client.edit(|actor| {
        let body = &mut actor.entity.body;
        body.position = position;
        body.contact_plane = plane;
        body.transient.set(TransientState::CONTACT, contact);
        body.transient.set(TransientState::ON_WALKABLE, on_walkable);
        body.flags.set(BodyFlags::IN_CELL, is_valid);
    });
    client.drain();
    let mut player = client.player();
    player.set_enabled(frame.get("active")?.boolean()?);
    if frame.get("movement_event")?.boolean()? {
        player.send_movement(now);
    }
    exact("due", frame.get("due")?.boolean()?, player.should_send_position(now))?;
    player.use_time(now);
    within(
        "last_sent_time",
        frame.get("last_sent_time")?.double()?,
        player.heartbeat().last_sent_time,
        TIME,
    )?;
    let messages = client.drain();
    let has = |kind: fn(&[u8]) -> bool| messages.iter().any(|message| kind(message));
    exact("move_to_state", frame.get("move_to_state")?.boolean()?, has(is_move_to_state))?;
    exact("sent", frame.get("sent")?.boolean()?, has(is_autonomous_position))
}

fn check_raw_state(case: Field<'_>, client: &mut Client) -> CheckResult {
    let raw = raw_state(case.get("raw")?)?;
    let standing_long_jump = case.get("standing_longjump")?.boolean()?;
    let (contact, on_walkable) = (case.get("contact")?.boolean()?, case.get("on_walkable")?.boolean()?);
    client.edit(|actor| {
        actor.entity.interp.raw = raw;
        actor.entity.interp.standing_long_jump = standing_long_jump;
        actor.entity.body.transient.set(TransientState::CONTACT, contact);
        actor.entity.body.transient.set(TransientState::ON_WALKABLE, on_walkable);
    });
    client.player().send_movement(0.0);
    let messages = client.drain();
    let sent = messages.first().map(Vec::as_slice).unwrap_or_default();
    let raw = sent.len().checked_sub(AFTER_RAW).and_then(|end| sent.get(BEFORE_RAW..end));
    let raw = raw.ok_or_else(|| Difference::new("raw_hex", "a MoveToState", "nothing sent"))?;
    let flags = raw.first_chunk().map(|word| u32::from_le_bytes(*word)).unwrap_or_default();
    exact("flags", case.get("flags")?.hex()?, flags)?;
    let hex: String = raw.iter().map(|byte| format!("{byte:02x}")).collect();
    exact("raw_hex", case.get("raw_hex")?.text()?, &hex)?;
    exact("tail_byte", case.get("tail_byte")?.unsigned()?, u64::from(sent[sent.len() - 4]))
}

fn raw_state(raw: Field<'_>) -> CheckResult<RawState> {
    let axis = |command, speed, key| -> CheckResult<RawAxis> {
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
            autonomous: autonomous.boolean()?,
        });
    }
    Ok(state)
}

fn check_keys(case: Field<'_>, client: &mut Client) -> CheckResult<CaseResult> {
    if !case.get("controlled_by_server")?.boolean()? {
        client.player().take_control(0.0);
    }
    Steps::of(case)?.check(|step| check_key(step, client))
}

fn check_key(step: Field<'_>, client: &mut Client) -> CheckResult {
    let (command, is_down) = (MotionCommand(step.get("cmd")?.hex()?), step.get("start")?.boolean()?);
    client.drain();
    let was_controlled = client.player().keyboard().controlled_by_server;
    let effect = client.player().handle_key(command, is_down, 0.0).effect;
    let took_control = was_controlled && !client.player().keyboard().controlled_by_server;
    let pre = if took_control { json!(["take_control"]) } else { json!([]) };
    exact("pre", step.get("pre")?.value(), &pre)?;
    let (result, applied) = match effect {
        KeyEffect::Start(held) => ("start", held.command),
        KeyEffect::Stop(command) => ("stop", command),
        KeyEffect::Nothing => ("none", MotionCommand::NONE),
        KeyEffect::RemovedOnly => ("removed_only", MotionCommand::NONE),
        KeyEffect::HoldSidestep => ("hold_sidestep", MotionCommand::NONE),
        KeyEffect::HoldRun => ("hold_run", MotionCommand::NONE),
        KeyEffect::AutoRun => ("auto_run", MotionCommand::NONE),
        KeyEffect::Jump => ("jump", MotionCommand::NONE),
        KeyEffect::Ignored => ("ignored", MotionCommand::NONE),
    };
    exact("result", step.get("result")?.text()?, result)?;
    exact("applied", step.get("applied")?.hex()?, applied.0)?;
    let sends = step.get("sends_move_to_state")?;
    let sends = match sends.value().as_str() {
        Some("if_not_standing_still") => !client.is_standing_still(),
        _ => sends.boolean()?,
    };
    let sent = client.drain().iter().filter(|message| is_move_to_state(message)).count();
    exact("sends_move_to_state", usize::from(sends), sent)?;
    let player = client.player();
    let keys = player.keyboard();
    exact("transient_state", step.get("transient_state")?.boolean()?, keys.is_transient)?;
    let [substates, turns, sidesteps] = step.get("lists")?.array::<3>()?;
    for (kind, expected) in
        [(ListKind::Substate, substates), (ListKind::Turn, turns), (ListKind::Sidestep, sidesteps)]
    {
        let expected =
            expected.elements()?.map(|id| Ok(MotionCommand(id.hex()?))).collect::<CheckResult<Vec<_>>>()?;
        let got: Vec<_> = keys.list(kind).iter().map(|held| held.command).collect();
        exact(&format!("lists.{kind:?}"), expected, got)?;
    }
    Ok(())
}

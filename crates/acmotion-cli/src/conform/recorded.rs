//! Family `recorded`: figures measured on the original client (`docs/recorded.md`), played through a world and the controls
//! of its player.
//!
//! Every case runs as in a client: this module presses the keys, sends the messages and creates the objects that a vector
//! describes, and compares the messages, speeds and positions that come out.

mod rooms;

use std::sync::Arc;

use acmotion::components::{PhysicsState, TransientState};
use acmotion::dat::Assets;
use acmotion::scene::InfinitePlane;
use acmotion::types::{CellId, CellPosition, Era, Frame, Guid, MotionCommand, Quat, Stamp, Vec3};
use acmotion::wire::{
    Attribute, C2S, GameActionBody, InterpretedState, MotionFlags, MoveFlags, MoveToParams, Movement,
    MovementBody, MovementData, Origin, Pad, PrivateUpdateAttribute, PrivateUpdatePropertyInt,
    PrivateUpdateSkill, S2C, Skill, TurnToParams, UpdateMotion, decode_c2s,
};
use acmotion::{EntitySpec, Identity, MotionState, PlayerWeenie, Sequence, Settings, TableDriver, World};
use serde_json::Value;

use super::check::{CheckResult, Difference, Field, exact, near, within};
use super::motion_table::Tables;
use super::sends::SendsFamily;
use super::{CaseResult, Family};
use rooms::Rooms;

const PLAYER: Guid = Guid(0x5000_0001);
/// The object of an order to go to one.
const TARGET: Guid = Guid(0x7000_0001);
/// The number of bytes before the content of an action: opcode, sequence number, action opcode.
const BEFORE_CONTENT: usize = 4 + 4 + 4;
const MISSILE: Guid = Guid(0x8000_0001);
/// The time from tick to tick, in seconds, in cases with one tick a frame.
const TICK: f64 = 1.0 / 30.0 + 1e-7;
/// The maximum number of frames and ticks of a case.
const MAX_FRAMES: u64 = 100_000;
/// The tolerance of lengths in metres and angles in radians that the recordings give exactly.
const EXACT: f64 = 1e-4;
/// The difference, in frames, up to which a number of frames counts as whole.
const WHOLE: f64 = 0.01;
/// The relative tolerance of a launch speed: recorded extents are printed with eight digits.
const SPEED: f64 = 1e-7;
/// The tolerance of a jump's extent: the recorded times of keys are rounded to a millisecond.
const EXTENT: f64 = 1e-3;
/// The tolerance of a heading, in degrees: recorded headings are printed with four decimals.
const HEADING: f64 = 1e-3;
/// The tolerance of a jump's launch speed in metres a second, for the same reason.
const LAUNCH: f64 = 5e-3;

#[derive(Default)]
pub(super) struct RecordedFamily {
    tables: Tables,
    rooms: Rooms,
}

impl Family for RecordedFamily {
    fn run_line(&mut self, line: &Value) -> Result<CaseResult, Difference> {
        let case = Field::line(line);
        case.get("source")?.text()?;
        match case.get("kind")?.text()? {
            "table" => return self.tables.add(case),
            "rooms" => self.rooms.define(case)?,
            "cell_pick" => self.rooms.check_pick(case)?,
            "run_rate" => run_rate(case)?,
            "jump" => jump(case)?,
            "turn" => turn(case, &self.tables)?,
            "script" => script(case)?,
            "missile" => missile(case)?,
            "autonomous_position" => return SendsFamily.run_line(line),
            other => return Err(Difference::new("kind", "a kind of this family", other)),
        }
        Ok(CaseResult::Passed)
    }
}

/// Checks the run rate of a player by its strength, burden and run skill, to the bit (rule K10).
fn run_rate(case: Field<'_>) -> CheckResult {
    let world = described_player(case)?;
    let got = world.find(PLAYER).and_then(|player| player.entity().weenie()?.run_rate());
    exact("rate", Some(case.get("rate")?.float()?), got)
}

/// Checks the launch speed of a jump (rule C25).
fn jump(case: Field<'_>) -> CheckResult {
    let (world, extent) = (described_player(case)?, case.get("extent")?.float()?);
    let speed = world.find(PLAYER).and_then(|player| player.entity().weenie()?.jump_speed(extent));
    let speed = speed.ok_or_else(|| Difference::new("speed", "a launch speed", "none"))?;
    near("speed", case.get("speed")?.double()?, speed.into(), SPEED)
}

/// Creates a world whose player the server has described: first without any qualities, then the given ones, each in its
/// own message.
fn described_player(case: Field<'_>) -> CheckResult<World> {
    let settings = Settings { player: Identity::Known(PLAYER), ..Settings::default() };
    let mut world = World::with_settings(Assets::mannequin(), settings);
    world.add_stand_in(PLAYER, &CellPosition::at(CellId(0xA9B4_0012), Vec3::new(60.0, 25.0, 94.005)), 0.0);
    let description = [0xF7B0, PLAYER.0, 1, 0x0013, 0, 10, 0, 1].map(u32::to_le_bytes);
    let received = world.receive(description.as_flattened(), 0.0);
    received.map_err(|error| Difference::new("PlayerDescription", "a message", error))?;
    if let Some(points) = case.find("strength") {
        let value = Attribute { start: points.unsigned()? as u32, ..Attribute::default() };
        let attribute = Attribute::STRENGTH;
        send(&mut world, PrivateUpdateAttribute { sequence: 0, attribute, value }, 0.0);
    }
    if let Some(burden) = case.find("burden") {
        let (property, value) = (PrivateUpdatePropertyInt::BURDEN, burden.signed()? as i32);
        send(&mut world, PrivateUpdatePropertyInt { sequence: 0, property, value }, 0.0);
    }
    for (name, skill) in [("run_skill", Skill::RUN), ("jump_skill", Skill::JUMP)] {
        if let Some(points) = case.find(name) {
            let value = Skill { ranks: points.unsigned()? as u16, ..Skill::default() };
            send(&mut world, PrivateUpdateSkill { sequence: 0, skill, value }, 0.0);
        }
    }
    Ok(world)
}

/// Gives a world a message of the server.
fn send<'a>(world: &mut World, message: impl Into<S2C<'a>>, now: f64) {
    let mut bytes = Vec::new();
    message.into().encode(&mut bytes);
    // What was just encoded can be decoded.
    let _ = world.receive(&bytes, now);
}

fn player(case: Field<'_>) -> CheckResult<PlayerWeenie> {
    let skill = |name| case.find(name).map_or(Ok(0), Field::unsigned);
    let (run_skill, jump_skill) = (skill("run_skill")? as u32, skill("jump_skill")? as u32);
    Ok(PlayerWeenie { run_skill, jump_skill, ..PlayerWeenie::default() })
}

/// Checks how far a body turns in each frame of the animation that plays: the motions of `do` one after the other, then
/// `frames` frames at the rate `fps` (rules G5, H9).
fn turn(case: Field<'_>, tables: &Tables) -> CheckResult {
    let table = tables.find(case)?;
    let library = table.library();
    let (mut state, mut sequence) = (MotionState::new(), Sequence::new());
    let mut driver = TableDriver::new(library, library.table(table.id), &mut state, &mut sequence);
    driver.set_default();
    for request in case.get("do")?.elements()? {
        let [motion, speed] = request.array()?;
        let motion = MotionCommand(motion.hex()?);
        if driver.request(motion, speed.float()?).is_none() {
            return Err(Difference::new("do", format_args!("{motion} in the table"), "none"));
        }
    }
    let frames = count(case, "frames")?;
    let quantum = (1.0 / case.get("fps")?.double()?) as f32;
    let expected = case.get("angle")?.double()?;
    // The first update ends in the middle of a frame, so each later one crosses exactly one frame boundary.
    sequence.update(library, 0.5 * quantum, None, None);
    for number in 0..frames {
        let mut offset = Frame::IDENTITY;
        sequence.update(library, quantum, Some(&mut offset), None);
        let Quat { w, z, .. } = offset.rotation;
        within(&format!("angle of frame {number}"), expected, 2.0 * f64::from(z).atan2(w.into()), EXACT)?;
    }
    Ok(())
}

/// A client whose keys are pressed at given times, and what it sends.
struct Client {
    world: World,
    sent: Vec<(f64, Vec<u8>)>,
    stamp: u16,
}

impl Client {
    fn begin(case: Field<'_>) -> CheckResult<Self> {
        let start = case.get("start")?;
        let now = start.get("t")?.double()?;
        let mut settings = Settings { player: Identity::Known(PLAYER), ..Settings::default() };
        if let Some(normal) = start.find("ground_normal") {
            let ground = InfinitePlane::through(&position(start)?, normal.vector()?);
            let ground = ground.ok_or_else(|| Difference::new("ground_normal", "a normal", "none"))?;
            settings.surroundings = Some(Arc::new(ground));
        }
        let mut world = World::with_settings(Assets::mannequin(), settings);
        world.add_stand_in(PLAYER, &position(start)?, now);
        let mut client = Self { world, sent: Vec::new(), stamp: 0 };
        client.world.player_mut().set_weenie(player(case)?, now);
        if start.find("grounded").is_some() {
            client.world.act(PLAYER, now, |actor, _| {
                actor.entity.body.transient.remove(TransientState::CONTACT | TransientState::ON_WALKABLE);
            });
        }
        client.world.player_mut().use_time(now);
        client.take(now);
        client.world.player_mut().set_run_by_default(case.get("run_by_default")?.boolean()?, now);
        Ok(client)
    }

    fn take(&mut self, now: f64) {
        self.sent.extend(self.world.drain_outbound().map(|bytes| (now, bytes)));
    }

    fn frame(&mut self, now: f64) {
        self.world.tick(now);
        self.world.player_mut().use_time(now);
        self.take(now);
    }

    /// Runs a step: presses or releases a key, or receives a stance or an order from the server.
    fn step(&mut self, step: Field<'_>, now: f64) -> CheckResult {
        if let Some(style) = step.find("stance") {
            let style = MotionCommand(style.hex()?);
            let state = InterpretedState { current_style: Some(style), ..InterpretedState::default() };
            self.receive_movement(style, MovementBody::Interpreted { state, sticky: None }, now);
        } else if let Some(heading) = step.find("turn_to") {
            let params = TurnToParams { flags: flags(step)?, speed: 1.0, desired_heading: heading.float()? };
            self.receive_movement(MotionCommand::NON_COMBAT, MovementBody::TurnToHeading { params }, now);
        } else if let Some(target) = step.find("move_to_object") {
            let body = self.order_to(position(target)?, step, now)?;
            self.receive_movement(MotionCommand::NON_COMBAT, body, now);
        } else {
            let (key, is_down) = (MotionCommand(step.get("key")?.hex()?), step.get("down")?.boolean()?);
            self.world.player_mut().handle_key(key, is_down, now);
        }
        self.take(now);
        Ok(())
    }

    fn receive_movement(&mut self, style: MotionCommand, body: MovementBody<'_>, now: f64) {
        self.stamp += 1;
        let data = MovementData {
            movement_stamp: Stamp(self.stamp),
            server_control: Stamp(self.stamp),
            autonomous: false.into(),
            pad: Pad::ZERO,
            movement: Movement { flags: MotionFlags::empty(), style, body },
        };
        send(&mut self.world, UpdateMotion { guid: PLAYER, instance: Stamp(0), data }, now);
    }

    /// Creates an object and returns the order to go to it.
    fn order_to(
        &mut self,
        target: CellPosition,
        step: Field<'_>,
        now: f64,
    ) -> CheckResult<MovementBody<'static>> {
        let spec = EntitySpec { motion_table: None, is_creature: false, ..EntitySpec::new(TARGET, target) };
        let spawned = self.world.spawn(&spec, now);
        spawned.map_err(|error| Difference::new("move_to_object", "an object", error))?;
        let params = MoveToParams {
            flags: flags(step)?,
            distance_to_object: step.get("distance")?.float()?,
            fail_distance: step.get("fail_distance")?.float()?,
            speed: step.get("speed")?.float()?,
            ..MoveToParams::default()
        };
        let origin = Origin { cell: target.cell, point: target.frame.origin };
        let run_rate = step.get("run_rate")?.float()?;
        Ok(MovementBody::MoveToObject { target: TARGET, origin, params, run_rate })
    }
}

/// Reads the options of an order (rule J1).
fn flags(step: Field<'_>) -> CheckResult<MoveFlags> {
    Ok(MoveFlags::from_bits_retain(step.get("flags")?.hex()?))
}

fn position(field: Field<'_>) -> CheckResult<CellPosition> {
    let rotation = field.find("q").map_or(Ok(Quat::IDENTITY), Field::quat)?;
    let frame = Frame::new(field.get("o")?.vector()?, rotation);
    Ok(CellPosition::new(CellId(field.get("cell")?.hex()?), frame))
}

/// Presses keys at given times and checks the messages of the kinds that `sends` lists, in order.
fn script(case: Field<'_>) -> CheckResult {
    let mut client = Client::begin(case)?;
    let (start, frame) = (case.get("start")?, case.find("frame").map_or(Ok(TICK), Field::double)?);
    let mut now = start.get("t")?.double()?;
    if let Some(grounded) = start.find("grounded") {
        now = grounded.double()?;
        let position = position(start)?;
        client.world.act(PLAYER, now, |actor, ground| actor.set_position(&position, true, ground));
    }
    let mut steps = case.get("steps")?.elements()?.peekable();
    let end = case.get("end")?.double()?;
    let frames = (end - now) / frame;
    if frame <= 0.0 || frames.is_nan() || frames > MAX_FRAMES as f64 {
        return Err(Difference::new(
            "end",
            format_args!("at most {MAX_FRAMES} frames in the vector"),
            frames,
        ));
    }
    while now < end {
        client.frame(now);
        let next = now + frame;
        while let Some(step) = steps.next_if(|step| time_of(*step).is_ok_and(|time| time < next)) {
            client.step(step, time_of(step)?)?;
        }
        now = next;
    }
    exact("steps after the end", 0, steps.count())?;
    let tick = (1.0 / 30.0 / frame).ceil() * frame;
    compare_sends(case.get("sends")?, &client.sent, tick)
}

/// Returns a number of frames or ticks.
fn count<'a>(case: Field<'a>, name: &'a str) -> CheckResult<u64> {
    let count = case.get(name)?.unsigned()?;
    if count > MAX_FRAMES {
        return Err(Difference::new(name, format_args!("at most {MAX_FRAMES} in the vector"), count));
    }
    Ok(count)
}

fn time_of(step: Field<'_>) -> CheckResult<f64> {
    step.get("t")?.double()
}

fn compare_sends(expected: Field<'_>, sent: &[(f64, Vec<u8>)], tick: f64) -> CheckResult {
    let mut names = Vec::new();
    for send in expected.elements()? {
        names.push(send.get("msg")?.text()?);
    }
    let actions = sent.iter().filter_map(|(time, bytes)| match decode_c2s(bytes, Era::default()) {
        Ok(C2S::GameAction(action)) => Some(Sent { time: *time, bytes, action: action.action }),
        _ => None,
    });
    let listed: Vec<Sent<'_>> = actions.filter(|sent| names.contains(&sent.action.name())).collect();
    exact("sends", names, listed.iter().map(|sent| sent.action.name()).collect())?;
    let mut before = None;
    for (index, (expected, sent)) in expected.elements()?.zip(&listed).enumerate() {
        let at = position_of(&sent.action);
        within("t", time_of(expected)?, sent.time, tick)
            .and_then(|()| compare_send(expected, sent, before.zip(at)))
            .map_err(|difference| difference.within(format_args!("sends[{index}]")))?;
        before = at;
    }
    Ok(())
}

/// A message that the client sent.
struct Sent<'a> {
    time: f64,
    bytes: &'a [u8],
    action: GameActionBody<'a>,
}

/// Returns the first word of an action's content: in a `MoveToState`, its flags and the number of its actions.
fn first_word(message: &[u8]) -> u32 {
    let word = message.get(BEFORE_CONTENT..).and_then(|rest| rest.first_chunk());
    word.map_or(0, |word| u32::from_le_bytes(*word))
}

fn position_of(action: &GameActionBody<'_>) -> Option<CellPosition> {
    match action {
        GameActionBody::MoveToState(message) => Some(message.position),
        GameActionBody::AutonomousPosition(message) => Some(message.position),
        GameActionBody::Jump(message) => message.position,
        _ => None,
    }
}

/// Compares a message with what the vector expects of it. `path` holds the positions of the message before it and of
/// this one.
fn compare_send(
    expected: Field<'_>,
    sent: &Sent<'_>,
    path: Option<(CellPosition, CellPosition)>,
) -> CheckResult {
    if let GameActionBody::MoveToState(message) = &sent.action {
        if let Some(flags) = expected.find("flags") {
            exact("flags", flags.hex()?, first_word(sent.bytes))?;
        }
        if let Some(tail) = expected.find("tail") {
            exact("tail", tail.unsigned()?, message.contact.bits().into())?;
        }
    }
    if let GameActionBody::Jump(message) = &sent.action {
        if let Some(extent) = expected.find("extent") {
            within("extent", extent.double()?, message.extent.into(), EXTENT)?;
        }
        if let Some(speed) = expected.find("up") {
            within("up", speed.double()?, message.velocity.z.into(), LAUNCH)?;
        }
        if let Some(speed) = expected.find("forward") {
            within("forward", speed.double()?, message.velocity.y.into(), EXACT)?;
        }
    }
    if let Some(heading) = expected.find("heading") {
        let got = position_of(&sent.action).map_or(f64::NAN, |position| position.frame.heading().into());
        within("heading", heading.double()?, got, HEADING)?;
    }
    let Some((from, to)) = path else { return Ok(()) };
    if let Some(moved) = expected.find("moved") {
        let distance = Vec3 { z: 0.0, ..from.offset_to(&to) }.length();
        compare_frames("moved", moved, distance.into())?;
    }
    if let Some(turned) = expected.find("turned") {
        let right = f64::from(to.frame.heading()) - f64::from(from.frame.heading());
        let left = 180.0 - (right + 180.0).rem_euclid(360.0);
        compare_frames("turned", turned, left.to_radians())?;
    }
    Ok(())
}

/// Compares a length or an angle: a number, or `base` and a whole number of frames. The number of frames may differ by
/// `slack`, because the key may have been pressed at any time within a tick.
fn compare_frames(path: &str, expected: Field<'_>, got: f64) -> CheckResult {
    let Some(frame) = expected.find("frame") else { return within(path, expected.double()?, got, EXACT) };
    let base = expected.find("base").map_or(Ok(0.0), Field::double)?;
    let frames = (got - base) / frame.double()?;
    within(path, frames.round(), frames, WHOLE)?;
    let slack = expected.find("slack").map_or(Ok(0), Field::unsigned)?;
    within(&format!("{path} frames"), expected.get("frames")?.double()?, frames.round(), slack as f64)
}

/// Checks that an object without gravity is, at every tick, where its velocity takes it in a straight line.
fn missile(case: Field<'_>) -> CheckResult {
    let (start, velocity) = (position(case)?, case.get("velocity")?.vector()?);
    let ground = InfinitePlane::level(case.get("ground")?.float()?);
    let settings = Settings { surroundings: Some(Arc::new(ground)), ..Settings::default() };
    let mut world = World::with_settings(Assets::mannequin(), settings);
    let spec = EntitySpec {
        motion_table: None,
        state: PhysicsState::from_bits_retain(case.get("state")?.hex()?),
        velocity: Some(velocity),
        is_creature: false,
        ..EntitySpec::new(MISSILE, start)
    };
    world.spawn(&spec, 0.0).map_err(|error| Difference::new("missile", "an object", error))?;
    let tolerance = case.get("distance")?.double()?;
    for tick in 1..=count(case, "ticks")? {
        let now = tick as f64 * TICK;
        world.tick(now);
        let Some(missile) = world.find(MISSILE) else {
            return Err(Difference::new("missile", "an object", "none"));
        };
        let way = start.offset_to(&missile.position());
        let off = (way - velocity * now as f32).length();
        within(&format!("offset at tick {tick}"), 0.0, off.into(), tolerance)?;
    }
    Ok(())
}

//! Family `gate`: which messages are accepted, and their effects (rules D3, D6, D7, D9–D11).
//!
//! A world receives the message. Its own record of the decisions is compared with the vector, and then what became of the
//! object: each action has an effect, which must be there if the vector lists the action and must not be otherwise.

use acmotion::components::{Entity, MovementParams, Order, PhysicsState};
use acmotion::dat::Assets;
use acmotion::explain::{Stale, StepExplanation};
use acmotion::internals::body::BodyFlags;
use acmotion::internals::correction::interpolate_to;
use acmotion::types::{CellId, CellPosition, Era, Guid, MotionCommand, Stamp, Vec3};
use acmotion::wire::{
    C2S, GameActionBody, InterpretedState, MotionFlags, Movement, MovementBody, MovementData, ObjectStamps,
    Pad, PlayerTeleport, PositionFlags, PositionPack, S2C, SetState, UpdateMotion, UpdatePosition,
    VectorUpdate, decode_c2s,
};
use acmotion::{EntitySpec, EventKind, Identity, MotionEvent, Rejection, Settings, World};
use serde_json::Value;

use super::check::{CheckResult, Difference, Field, exact, near_length};
use super::stage::Stage;
use super::{CaseResult, Family};

const PLAYER: Guid = Guid(0x5000_0001);
const OBJECT: Guid = Guid(0x8000_0001);
const CELL: CellId = CellId(0xA9B4_0001);
/// Where the object is before the message.
const START: Vec3 = Vec3::new(12.0, 12.0, 20.0);
/// Where the message puts it: too far to be there already, and near enough not to be snapped to (rule I4).
const REPORTED: Vec3 = Vec3::new(15.0, 12.0, 20.0);
/// The heading that the message gives it, in degrees. Before, it is 0.
const HEADING: f32 = 90.0;
/// The velocity of the object before the message.
const VELOCITY: Vec3 = Vec3::new(1.0, 0.0, 0.0);
/// The velocity and the angular velocity that the message gives it.
const NEW_VELOCITY: Vec3 = Vec3::new(0.0, 3.0, 0.0);
const NEW_OMEGA: Vec3 = Vec3::new(0.0, 0.0, 2.0);
/// A state that the message gives it, which it does not have before.
const NEW_STATE: PhysicsState = PhysicsState::SCRIPTED_COLLISION;

pub(super) struct GateFamily;

impl Family for GateFamily {
    fn run_line(&mut self, line: &Value) -> Result<CaseResult, Difference> {
        let case = Field::line(line);
        let mut scene = Scene::begin(case)?;
        if case.get("msg")?.text()? == "instance" {
            scene.check_instance(case)?;
        } else {
            scene.check_message(case)?;
        }
        Ok(CaseResult::Passed)
    }
}

/// A world with the player, and with the object of the case if that is another.
struct Scene {
    stage: Stage,
    /// The object of the case.
    guid: Guid,
}

impl Scene {
    fn begin(case: Field<'_>) -> CheckResult<Self> {
        let settings = Settings { player: Identity::Known(PLAYER), ..Settings::default() };
        let mut world = World::with_settings(Assets::mannequin(), settings);
        let is_player = case.get("is_player")?.boolean()?;
        let has_cell = case.find("has_cell").map_or(Ok(true), Field::boolean)?;
        let stamps = read_stamps(case.get("before")?)?;
        let position = CellPosition::at(CELL, START);
        let is_known = case.find("known").map_or(Ok(true), Field::boolean)?;
        let own = |guid| EntitySpec { stamps, ..EntitySpec::new(guid, position) };
        if !is_player {
            spawn(&mut world, &EntitySpec::new(PLAYER, position))?;
        }
        if is_known && is_player {
            spawn(&mut world, &own(PLAYER))?;
        } else if is_known && has_cell {
            spawn(&mut world, &own(OBJECT))?;
        } else if is_known {
            // Without a cell it is in the hand of the player.
            spawn(&mut world, &EntitySpec { position: None, ..own(OBJECT) }.held_by(PLAYER, 1))?;
        }
        let guid = if is_player { PLAYER } else { OBJECT };
        world.player_mut().take_control(0.0);
        world.player_mut().set_autonomy(case.get("autonomy")?.unsigned()? as u32);
        if case.find("waiting_for_teleport").map_or(Ok(false), Field::boolean)? {
            let teleport = if is_player { stamps.teleport } else { Stamp(0) };
            world.receive_message(&S2C::from(PlayerTeleport { teleport, pad: Pad::ZERO }), 0.0);
        }
        let mut scene = Self { stage: Stage::new(world), guid };
        if scene.stage.world.find(guid).is_some() {
            scene.prepare(case, has_cell)?;
        }
        scene.stage.clear_events();
        scene.stage.world.drain_outbound().for_each(drop);
        scene.stage.world.explain(guid, true);
        Ok(scene)
    }

    /// Puts the object into the state that the vector describes.
    fn prepare(&mut self, case: Field<'_>, has_cell: bool) -> CheckResult {
        let is_moving_to = case.find("is_moving_to").map_or(Ok(false), Field::boolean)?;
        let distance = case.find("player_distance").map_or(Ok(0.0), Field::float)?;
        self.stage.act(self.guid, 0.0, |actor| {
            if is_moving_to {
                let position = CellPosition::at(CELL, Vec3::new(12.0, 180.0, 20.0));
                actor.order(&Order::MoveToPosition { position, params: MovementParams::default() });
            }
            let near = CellPosition::at(CELL, Vec3::new(13.0, 12.0, 20.0));
            interpolate_to(actor.entity, &near, false, false);
            if !has_cell && !actor.entity.body.flags.contains(BodyFlags::HAS_PARENT) {
                actor.leave_world();
            }
            let body = &mut actor.entity.body;
            body.player_distance = distance;
            body.velocity = VELOCITY;
        })
    }

    /// Checks which instance a message is for. It has a stale stamp, so that it has no effect even if it is processed.
    fn check_instance(&mut self, case: Field<'_>) -> CheckResult {
        let before = read_stamps(case.get("before")?)?;
        let stale = VectorUpdate {
            guid: self.guid,
            velocity: NEW_VELOCITY,
            omega: NEW_OMEGA,
            instance: stamp(case, "instance")?,
            vector: before.vector,
        };
        let world = &mut self.stage.world;
        world.receive_message(&S2C::from(stale), 0.0);
        let is_waiting = world.waiting_messages() > 0;
        let kinds: Vec<_> = world.drain_events().map(|event| event.kind).collect();
        let rejects = |stale| kinds.contains(&EventKind::Rejected(Rejection::Stale(stale)));
        let results =
            [("queue", is_waiting), ("process", rejects(Stale::Vector)), ("drop", rejects(Stale::Instance))];
        let results = results.into_iter().filter_map(|(name, is_so)| is_so.then_some(name));
        exact("actions", expected_actions(case)?, results.collect())?;
        match world.find(self.guid) {
            Some(object) => check_stamps(case.get("after")?, object.stamps()),
            None => Ok(()),
        }
    }

    fn check_message(&mut self, case: Field<'_>) -> CheckResult {
        let was_waiting = self.stage.world.player().is_waiting_for_teleport();
        let before = self.receive(case)?;
        let expected = expected_actions(case)?;
        let world = &mut self.stage.world;
        let decisions = world.explanation(self.guid).map_or(&[][..], StepExplanation::new_decisions);
        exact("actions", &expected, &decisions.iter().map(|action| action.name()).collect())?;
        let Some(object) = world.find(self.guid) else {
            return Err(Difference::new("object", self.guid, "none"));
        };
        check_stamps(case.get("after")?, object.stamps())?;
        let outcome = Outcome {
            before,
            after: object.entity().clone(),
            was_waiting,
            is_waiting: world.player().is_waiting_for_teleport(),
            autonomy: world.player().autonomy,
            is_controlled: world.player_mut().keyboard().controlled_by_server,
            events: world.drain_events().map(|event| event.kind).collect(),
            sent: world.drain_outbound().collect(),
        };
        outcome.check(&expected)
    }

    /// Sends the message of the case to the world. Returns the object as it was before.
    fn receive(&mut self, case: Field<'_>) -> CheckResult<Entity> {
        let (guid, instance) = (self.guid, read_stamps(case.get("before")?)?.instance);
        let message = match case.get("msg")?.text()? {
            "update_position" | "position" => {
                S2C::from(UpdatePosition { guid, pack: read_report(case, instance)? })
            }
            "update_motion" | "motion" => return self.receive_motion(case, instance),
            "vector_update" | "vector" => S2C::from(VectorUpdate {
                guid,
                velocity: NEW_VELOCITY,
                omega: NEW_OMEGA,
                instance,
                vector: stamp(case, "vector")?,
            }),
            "set_state" | "state" => {
                let mut state = self.stage.entity(guid)?.body.state | NEW_STATE;
                state.set(PhysicsState::HIDDEN, case.get("new_state_hidden")?.boolean()?);
                S2C::from(SetState { guid, state, instance, state_stamp: stamp(case, "state")? })
            }
            "player_teleport" => {
                S2C::from(PlayerTeleport { teleport: stamp(case, "teleport")?, pad: Pad::ZERO })
            }
            other => return Err(Difference::new("msg", "a message of this family", other)),
        };
        let before = self.stage.entity(guid)?.clone();
        self.stage.world.receive_message(&message, 0.0);
        Ok(before)
    }

    fn receive_motion(&mut self, case: Field<'_>, instance: Stamp) -> CheckResult<Entity> {
        let style = self.stage.entity(self.guid)?.interp.interpreted.style;
        let state = InterpretedState {
            current_style: Some(style),
            forward_command: Some(MotionCommand::WALK_FORWARD),
            ..InterpretedState::default()
        };
        let data = MovementData {
            movement_stamp: stamp(case, "movement")?,
            server_control: stamp(case, "server_control")?,
            autonomous: case.get("autonomous")?.boolean()?.into(),
            pad: Pad::ZERO,
            movement: Movement {
                flags: MotionFlags::empty(),
                style,
                body: MovementBody::Interpreted { state, sticky: None },
            },
        };
        // The opposite of what the message will set.
        let is_autonomous = data.autonomous.get();
        self.stage.act(self.guid, 0.0, |actor| {
            actor.entity.body.flags.set(BodyFlags::AUTONOMOUS, !is_autonomous);
        })?;
        let before = self.stage.entity(self.guid)?.clone();
        let update = UpdateMotion { guid: self.guid, instance, data };
        self.stage.world.receive_message(&S2C::from(update), 0.0);
        Ok(before)
    }
}

fn spawn(world: &mut World, spec: &EntitySpec) -> CheckResult {
    world.spawn(spec, 0.0).map_err(|error| Difference::new("object", "an object", error))?;
    Ok(())
}

fn expected_actions(case: Field<'_>) -> CheckResult<Vec<&str>> {
    case.get("actions")?.elements()?.map(Field::text).collect()
}

fn read_report(case: Field<'_>, instance: Stamp) -> CheckResult<PositionPack> {
    let mut position = CellPosition::at(CELL, REPORTED);
    position.frame.set_heading(HEADING);
    let mut flags = PositionFlags::empty();
    flags.set(PositionFlags::GROUNDED, case.get("has_contact")?.boolean()?);
    Ok(PositionPack {
        flags,
        position,
        velocity: None,
        placement: None,
        instance,
        position_stamp: stamp(case, "position")?,
        teleport: stamp(case, "teleport")?,
        force_position: stamp(case, "force_position")?,
    })
}

/// The object before and after the message, and what else came of it.
struct Outcome {
    before: Entity,
    after: Entity,
    was_waiting: bool,
    is_waiting: bool,
    autonomy: u32,
    /// Whether the server has control of the player, which had it itself before.
    is_controlled: bool,
    events: Vec<EventKind>,
    sent: Vec<Vec<u8>>,
}

impl Outcome {
    fn check(&self, actions: &[&str]) -> CheckResult {
        for (names, is_seen) in self.effects().into_iter().chain(self.motion_effects()) {
            let is_expected = names.iter().any(|name| actions.contains(name));
            exact(&format!("effect of {}", names.join(" or ")), is_expected, is_seen)?;
        }
        let (own, message) = (self.after.body.position, CellPosition::at(CELL, REPORTED));
        let anchor = if actions.contains(&"constrain_to_message") { message } else { own };
        let constraint = &self.after.correction.constraint;
        if constraint.is_active() {
            near_length("pos_offset", anchor.distance_to(&own).into(), constraint.pos_offset().into(), 1e-4)?;
        }
        Ok(())
    }

    /// Returns the effects on where the object is and on its corrections: the actions that have each, and whether it is
    /// seen.
    fn effects(&self) -> Vec<(&'static [&'static str], bool)> {
        let Self { before, after, .. } = self;
        let moved = |event: fn(&MotionEvent) -> bool| {
            self.events.iter().any(|kind| matches!(kind, EventKind::Motion(motion) if event(motion)))
        };
        let snapped = moved(|event| matches!(event, MotionEvent::Snapped { .. }));
        let teleported = moved(|event| matches!(event, MotionEvent::Teleported { .. }));
        let frame = &after.body.position.frame;
        let interpolation = &after.correction.interpolation;
        let is_queued = interpolation.nodes().len() > before.correction.interpolation.nodes().len();
        let mut effects: Vec<(&'static [&'static str], bool)> = vec![
            (&["set_position_0x1012", "teleport_player"], teleported),
            (&["set_position_simple", "blip_keep_heading"], snapped),
            (&PLACEMENTS, frame.origin.is_close_to(REPORTED)),
            (&PLACEMENTS[..3], (frame.heading() - HEADING).abs() < 0.1),
            (&["interpolate"], is_queued && !interpolation.keeps_heading()),
            (&["interpolate_keep_heading"], is_queued && interpolation.keeps_heading()),
            (&["constrain_to_own", "constrain_to_message"], after.correction.constraint.is_active()),
            (&["send_autonomous_position"], self.events.contains(&EventKind::PositionRequested)),
            (&["send_autonomous_position"], self.sent.iter().any(|message| is_position(message))),
        ];
        if before.body.flags.contains(BodyFlags::HAS_PARENT) {
            effects.push((&["unparent"], !after.body.flags.contains(BodyFlags::HAS_PARENT)));
        }
        if before.is_moving_to() {
            effects.push((&["teleport_hook", "teleport_player"], !after.is_moving_to()));
        }
        if !before.correction.interpolation.is_idle() {
            let names = &["stop_interpolating", "teleport_hook", "teleport_player"];
            effects.push((names, interpolation.is_idle()));
        }
        effects
    }

    /// Returns the effects on what the object does, like [`effects`](Self::effects).
    fn motion_effects(&self) -> Vec<(&'static [&'static str], bool)> {
        let (before, after) = (&self.before, &self.after);
        let was_autonomous = before.body.flags.contains(BodyFlags::AUTONOMOUS);
        let is_autonomous = after.body.flags.contains(BodyFlags::AUTONOMOUS);
        let walks = after.interp.interpreted.forward.command == MotionCommand::WALK_FORWARD;
        let is_dropped = |kind: &EventKind| matches!(kind, EventKind::Rejected(Rejection::Stale(_)));
        let mut effects: Vec<(&'static [&'static str], bool)> = vec![
            (&["drop"], self.events.iter().any(is_dropped)),
            (&["last_move_autonomous_0"], was_autonomous && !is_autonomous),
            (&["last_move_autonomous_1"], !was_autonomous && is_autonomous),
            (&["unpack_movement"], walks),
            (&["lose_control_to_server"], self.events.contains(&EventKind::ControlLost)),
            (&["set_velocity"], after.body.velocity == NEW_VELOCITY),
            (&["set_omega"], after.body.omega == NEW_OMEGA),
            (&["set_state"], after.body.state.contains(NEW_STATE)),
            (&["clear_waiting_for_teleport"], self.was_waiting && !self.is_waiting),
            (&["enter_portal_space"], !self.was_waiting && self.is_waiting),
        ];
        // At autonomy 0 there is no control to lose (rule K8).
        if self.autonomy != 0 {
            effects.push((&["lose_control_to_server"], self.is_controlled));
        }
        if after.guid == PLAYER {
            effects.push((&["zero_velocity"], after.body.velocity == Vec3::ZERO));
        }
        effects
    }
}

/// The actions that move the object at once. The last keeps its heading.
const PLACEMENTS: [&str; 4] =
    ["set_position_0x1012", "set_position_simple", "teleport_player", "blip_keep_heading"];

fn is_position(message: &[u8]) -> bool {
    let decoded = decode_c2s(message, Era::default());
    matches!(decoded, Ok(C2S::GameAction(action)) if matches!(action.action, GameActionBody::AutonomousPosition(_)))
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

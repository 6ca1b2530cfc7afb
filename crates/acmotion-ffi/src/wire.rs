//! Messages: decoded to JSON and to a plain structure, and encoded.

use std::ffi::c_char;

use acmotion::types::{ActionStamp, CellId, Guid, MotionCommand, Stamp};
use acmotion::wire::json::write_message;
use acmotion::wire::{
    ActionItem, Actions, AutonomousPosition, C2S, ContactFlags, DeleteObject, EchoedStamps, GameAction,
    GameActionBody, HoldKey, InterpretedState, Jump, MotionFlags, MoveFlags, MoveToParams, MoveToState,
    Movement, MovementBody, MovementData, Origin, Pad, PhysicsState, PlayerCreate, PlayerTeleport,
    PositionAndMovement, PositionFlags, PositionPack, RawMotionState, S2C, SetState, TurnToParams,
    UpdateMotion, UpdatePosition, VectorUpdate, WireBool, decode_c2s, decode_s2c,
};

use crate::memory::{Out, OutList, Versioned, inputs, sized};
use crate::status::{AcmStatus, Failure, Outcome, guard};
use crate::types::{ACM_DIRECTION_C2S, ACM_DIRECTION_S2C, AcmPosition, AcmVec3, direction, era};

/// From the server: the movement of a body.
pub const ACM_MESSAGE_UPDATE_MOTION: u32 = 0xF74C;
/// From the server: the position of a body.
pub const ACM_MESSAGE_UPDATE_POSITION: u32 = 0xF748;
/// From the server: the velocity of a body.
pub const ACM_MESSAGE_VECTOR_UPDATE: u32 = 0xF74E;
/// From the server: the physics state of a body.
pub const ACM_MESSAGE_SET_STATE: u32 = 0xF74B;
/// From the server: the position and the movement of a body.
pub const ACM_MESSAGE_POSITION_AND_MOVEMENT: u32 = 0xF619;
/// From the server: an object is deleted.
pub const ACM_MESSAGE_DELETE_OBJECT: u32 = 0xF747;
/// From the server: the id of the client's own player.
pub const ACM_MESSAGE_PLAYER_CREATE: u32 = 0xF746;
/// From the server: the player enters portal space.
pub const ACM_MESSAGE_PLAYER_TELEPORT: u32 = 0xF751;
/// From the client: what the player's keys ask for.
pub const ACM_MESSAGE_MOVE_TO_STATE: u32 = 0xF61C;
/// From the client: the player's position.
pub const ACM_MESSAGE_AUTONOMOUS_POSITION: u32 = 0xF753;
/// From the client: the player jumps.
pub const ACM_MESSAGE_JUMP: u32 = 0xF61B;

/// `AcmMessage::fields`: `velocity` is present in a position report.
pub const ACM_FIELD_VELOCITY: u32 = 1;
/// `AcmMessage::fields`: `placement` is present in a position report.
pub const ACM_FIELD_PLACEMENT: u32 = 2;
/// `AcmMessage::fields`: `position` is present in a jump.
pub const ACM_FIELD_POSITION: u32 = 4;
/// `AcmMessage::fields`: the two numbers at the end of a short jump are present.
pub const ACM_FIELD_JUMP_TAIL: u32 = 8;

/// `AcmMessage::state_fields`: `current_style` is present.
pub const ACM_STATE_STYLE: u32 = 0x01;
/// `AcmMessage::state_fields`: `forward_command` is present.
pub const ACM_STATE_FORWARD: u32 = 0x02;
/// `AcmMessage::state_fields`: `forward_speed` is present.
pub const ACM_STATE_FORWARD_SPEED: u32 = 0x04;
/// `AcmMessage::state_fields`: `sidestep_command` is present.
pub const ACM_STATE_SIDESTEP: u32 = 0x08;
/// `AcmMessage::state_fields`: `sidestep_speed` is present.
pub const ACM_STATE_SIDESTEP_SPEED: u32 = 0x10;
/// `AcmMessage::state_fields`: `turn_command` is present.
pub const ACM_STATE_TURN: u32 = 0x20;
/// `AcmMessage::state_fields`: `turn_speed` is present.
pub const ACM_STATE_TURN_SPEED: u32 = 0x40;
/// `AcmMessage::state_fields`: `hold_key` is present (only in `ACM_MESSAGE_MOVE_TO_STATE`, as the next three).
pub const ACM_STATE_HOLD_KEY: u32 = 0x80;
/// `AcmMessage::state_fields`: `forward_hold_key` is present.
pub const ACM_STATE_FORWARD_HOLD_KEY: u32 = 0x100;
/// `AcmMessage::state_fields`: `sidestep_hold_key` is present.
pub const ACM_STATE_SIDESTEP_HOLD_KEY: u32 = 0x200;
/// `AcmMessage::state_fields`: `turn_hold_key` is present.
pub const ACM_STATE_TURN_HOLD_KEY: u32 = 0x400;

/// `AcmMessage::movement_type`: a motion state.
pub const ACM_MOVEMENT_STATE: u32 = 0;
/// `AcmMessage::movement_type`: an order to move to an object.
pub const ACM_MOVEMENT_TO_OBJECT: u32 = 6;
/// `AcmMessage::movement_type`: an order to move to a position.
pub const ACM_MOVEMENT_TO_POSITION: u32 = 7;
/// `AcmMessage::movement_type`: an order to turn to an object.
pub const ACM_MOVEMENT_TURN_TO_OBJECT: u32 = 8;
/// `AcmMessage::movement_type`: an order to turn to a heading.
pub const ACM_MOVEMENT_TURN_TO_HEADING: u32 = 9;

/// The maximum number of actions in a message.
pub const ACM_MAX_ACTIONS: u32 = 31;

/// One of the movement messages. Fields that its type does not have are 0 when it is decoded, and ignored when it is
/// encoded. What is not of interest to motion, such as padding, is not in it and is written as 0.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct AcmMessage {
    /// `sizeof(AcmMessage)`.
    pub struct_size: u32,
    /// The type: one of `ACM_MESSAGE_…`. That of the action, if it is a client's.
    pub opcode: u32,
    /// `ACM_DIRECTION_S2C` or `ACM_DIRECTION_C2S`.
    pub direction: u32,
    /// The sequence number of a client's action.
    pub sequence: u32,
    /// The object that the message is about; 0 if it names none.
    pub guid: u32,
    /// Which optional fields are present: `ACM_FIELD_…`.
    pub fields: u32,
    /// The instance stamp.
    pub instance: u16,
    /// The position stamp.
    pub position_stamp: u16,
    /// The movement stamp.
    pub movement_stamp: u16,
    /// The stamp of movements that the server imposes.
    pub server_control: u16,
    /// The teleport stamp.
    pub teleport: u16,
    /// The stamp of forced positions.
    pub force_position: u16,
    /// The state stamp.
    pub state_stamp: u16,
    /// The vector stamp.
    pub vector_stamp: u16,
    /// The position.
    pub position: AcmPosition,
    /// The flags of a position report as they are on the wire; 4 is grounded. Those of `fields` and of rotation components
    /// that are not 0 are set when it is encoded.
    pub position_flags: u32,
    /// The placement frame.
    pub placement: u32,
    /// The velocity in metres a second. Of a jump, in the player's own axes.
    pub velocity: AcmVec3,
    /// The angular velocity in radians a second.
    pub omega: AcmVec3,
    /// The physics state.
    pub physics_state: u32,
    /// Whether the client of the body started the movement: 0 or 1.
    pub autonomous: u32,
    /// The contact byte of a client's message; 1 is contact.
    pub contact: u32,
    /// The charge of a jump.
    pub extent: f32,
    /// The two numbers at the end of a short jump.
    pub tail: [u32; 2],
    /// The kind of the movement: one of `ACM_MOVEMENT_…`.
    pub movement_type: u32,
    /// The flags of the movement; 2 is a standing long jump.
    pub motion_flags: u32,
    /// The style to change to first.
    pub style: u32,
    /// Which fields of the motion state are present: `ACM_STATE_…`.
    pub state_fields: u32,
    /// Bits of the motion state without a known meaning.
    pub unknown_bits: u32,
    /// The hold key: 1 walk, 2 run.
    pub hold_key: u32,
    /// The style of the motion state.
    pub current_style: u32,
    /// The forward command.
    pub forward_command: u32,
    /// Its hold key.
    pub forward_hold_key: u32,
    /// Its speed.
    pub forward_speed: f32,
    /// The sidestep command.
    pub sidestep_command: u32,
    /// Its hold key.
    pub sidestep_hold_key: u32,
    /// Its speed.
    pub sidestep_speed: f32,
    /// The turn command.
    pub turn_command: u32,
    /// Its hold key.
    pub turn_hold_key: u32,
    /// Its speed.
    pub turn_speed: f32,
    /// The object to stick to; 0 for none.
    pub sticky: u32,
    /// The object to move or turn to.
    pub target: u32,
    /// The cell to move to.
    pub goal_cell: u32,
    /// The point to move to.
    pub goal: AcmVec3,
    /// The heading to turn to if the receiver does not know the object, in degrees.
    pub heading: f32,
    /// The flags of an order.
    pub move_flags: u32,
    /// The distance at which an order has arrived, in metres.
    pub distance_to_object: f32,
    /// The distance below which the body moves away, in metres.
    pub min_distance: f32,
    /// The distance at which an order fails, in metres.
    pub fail_distance: f32,
    /// The speed of an order.
    pub speed: f32,
    /// The distance from which on the body runs, in metres.
    pub walk_run_threshold: f32,
    /// The heading on arrival, or to turn to, in degrees.
    pub desired_heading: f32,
    /// The run rate of the body.
    pub run_rate: f32,
}

// SAFETY: `struct_size` comes first, and all fields are numbers.
unsafe impl Versioned for AcmMessage {}

/// An action in a motion state: a motion that plays once.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct AcmAction {
    /// The motion.
    pub command: u32,
    /// The 15-bit stamp of the action.
    pub stamp: u32,
    /// Whether the client started it itself: 0 or 1.
    pub autonomous: u32,
    /// The speed.
    pub speed: f32,
}

/// Writes a message as the JSON object that `acmotion decode --json` prints, in UTF-8. One that cannot be decoded has the
/// field `error`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn acm_wire_decode_json(
    direction: u32,
    era: u32,
    bytes: *const u8,
    length: usize,
    buffer: *mut c_char,
    capacity: usize,
    written: *mut usize,
) -> AcmStatus {
    guard(|| {
        // SAFETY: the caller's memory is as the crate's rules say.
        let (bytes, buffer, written) = unsafe {
            (
                inputs(bytes, length, "bytes")?,
                OutList::<u8>::new(buffer.cast(), capacity, "buffer")?,
                Out::new(written, "written")?,
            )
        };
        let (direction, era, mut json) = (self::direction(direction)?, self::era(era)?, Vec::new());
        write_message(&mut json, 0.0, direction, bytes, era, true);
        buffer.fill(&json, &written)
    })
}

/// Decodes one of the movement messages, and its actions into a buffer of their own. `ACM_STATUS_NOTHING` if it is another
/// message; `opcode` and `guid` are set all the same. `ACM_STATUS_BAD_DATA` if it cannot be decoded.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn acm_wire_decode(
    direction: u32,
    era: u32,
    bytes: *const u8,
    length: usize,
    message: *mut AcmMessage,
    actions: *mut AcmAction,
    capacity: usize,
    count: *mut usize,
) -> AcmStatus {
    guard(|| {
        // SAFETY: the caller's memory is as the crate's rules say.
        let (bytes, out, actions, count) = unsafe {
            (
                inputs(bytes, length, "bytes")?,
                Out::new(message, "message")?,
                OutList::new(actions, capacity, "actions")?,
                Out::new(count, "count")?,
            )
        };
        let mut list = Vec::new();
        let mut message =
            AcmMessage { struct_size: size_of::<AcmMessage>() as u32, direction, ..AcmMessage::default() };
        let era = self::era(era)?;
        let is_known = match self::direction(direction)? {
            acmotion::wire::Direction::S2C => {
                let decoded = decode_s2c(bytes, era).map_err(Failure::bad_data)?;
                message.opcode = decoded.opcode();
                message.guid = decoded.guid().map_or(0, |guid| guid.0);
                message.take_s2c(&decoded, &mut list)
            }
            acmotion::wire::Direction::C2S => {
                let decoded = decode_c2s(bytes, era).map_err(Failure::bad_data)?;
                message.opcode = decoded.sub_opcode().unwrap_or_else(|| decoded.opcode());
                message.guid = decoded.guid().map_or(0, |guid| guid.0);
                message.take_c2s(&decoded, &mut list)
            }
        };
        actions.fill(&list, &count)?;
        out.set(message);
        if is_known { Ok(()) } else { Err(Failure::NOTHING) }
    })
}

/// Encodes one of the movement messages, with its actions, as bytes that start with the opcode.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn acm_wire_encode(
    message: *const AcmMessage,
    actions: *const AcmAction,
    action_count: usize,
    buffer: *mut u8,
    capacity: usize,
    written: *mut usize,
) -> AcmStatus {
    guard(|| {
        // SAFETY: the caller's memory is as the crate's rules say.
        let (message, actions, buffer, written) = unsafe {
            (
                sized(message, "message")?,
                inputs(actions, action_count, "actions")?,
                OutList::new(buffer, capacity, "buffer")?,
                Out::new(written, "written")?,
            )
        };
        let mut bytes = Vec::new();
        message.encode(&action_items(actions)?, &mut bytes)?;
        buffer.fill(&bytes, &written)
    })
}

/// Translates the actions of a message.
pub(crate) fn action_items(actions: &[AcmAction]) -> Outcome<Vec<ActionItem>> {
    if actions.len() > ACM_MAX_ACTIONS as usize {
        return Err(Failure::bad_argument(format_args!("more than {ACM_MAX_ACTIONS} actions")));
    }
    let item = |action: &AcmAction| ActionItem {
        command: MotionCommand(action.command),
        stamp: ActionStamp::new(action.stamp as u16),
        autonomous: action.autonomous != 0,
        speed: action.speed,
    };
    Ok(actions.iter().map(item).collect())
}

impl AcmMessage {
    fn take_s2c(&mut self, message: &S2C<'_>, actions: &mut Vec<AcmAction>) -> bool {
        match message {
            S2C::UpdateMotion(update) => {
                self.instance = update.instance.0;
                self.take_movement(&update.data, actions);
            }
            S2C::UpdatePosition(update) => self.take_pack(&update.pack),
            S2C::PositionAndMovement(update) => {
                self.take_pack(&update.pack);
                self.take_movement(&update.data, actions);
            }
            S2C::VectorUpdate(update) => {
                (self.velocity, self.omega) = (update.velocity.into(), update.omega.into());
                (self.instance, self.vector_stamp) = (update.instance.0, update.vector.0);
            }
            S2C::SetState(update) => {
                self.physics_state = update.state.bits();
                (self.instance, self.state_stamp) = (update.instance.0, update.state_stamp.0);
            }
            S2C::DeleteObject(delete) => self.instance = delete.instance.0,
            S2C::PlayerCreate(_) => {}
            S2C::PlayerTeleport(teleport) => self.teleport = teleport.teleport.0,
            _ => return false,
        }
        true
    }

    fn take_c2s(&mut self, message: &C2S<'_>, actions: &mut Vec<AcmAction>) -> bool {
        let C2S::GameAction(action) = message else { return false };
        self.sequence = action.sequence;
        let stamps = match &action.action {
            GameActionBody::MoveToState(state) => {
                self.position = state.position.into();
                self.contact = state.contact.bits().into();
                self.take_raw(&state.raw, actions);
                state.stamps
            }
            GameActionBody::AutonomousPosition(report) => {
                self.position = report.position.into();
                self.contact = report.contact.0.into();
                report.stamps
            }
            GameActionBody::Jump(jump) => {
                (self.extent, self.velocity) = (jump.extent, jump.velocity.into());
                if let Some(position) = jump.position {
                    self.fields |= ACM_FIELD_POSITION;
                    self.position = position.into();
                }
                if let Some(tail) = jump.tail {
                    self.fields |= ACM_FIELD_JUMP_TAIL;
                    self.tail = tail;
                }
                jump.stamps
            }
            _ => return false,
        };
        (self.instance, self.server_control) = (stamps.instance.0, stamps.server_control.0);
        (self.teleport, self.force_position) = (stamps.teleport.0, stamps.force_position.0);
        true
    }

    fn take_pack(&mut self, pack: &PositionPack) {
        (self.position, self.position_flags) = (pack.position.into(), pack.flags.bits());
        if let Some(velocity) = pack.velocity {
            self.fields |= ACM_FIELD_VELOCITY;
            self.velocity = velocity.into();
        }
        if let Some(placement) = pack.placement {
            self.fields |= ACM_FIELD_PLACEMENT;
            self.placement = placement;
        }
        (self.instance, self.position_stamp) = (pack.instance.0, pack.position_stamp.0);
        (self.teleport, self.force_position) = (pack.teleport.0, pack.force_position.0);
    }

    fn take_movement(&mut self, data: &MovementData<'_>, actions: &mut Vec<AcmAction>) {
        (self.movement_stamp, self.server_control) = (data.movement_stamp.0, data.server_control.0);
        self.autonomous = data.autonomous.0.into();
        let Movement { flags, style, body } = &data.movement;
        (self.motion_flags, self.style) = (flags.bits().into(), style.0);
        self.movement_type = body.movement_type().into();
        match body {
            MovementBody::Interpreted { state, sticky } => {
                self.sticky = sticky.map_or(0, |sticky| sticky.0);
                self.take_interpreted(state, actions);
            }
            MovementBody::MoveToObject { target, origin, params, run_rate } => {
                self.target = target.0;
                self.take_move_to(origin, params, *run_rate);
            }
            MovementBody::MoveToPosition { origin, params, run_rate } => {
                self.take_move_to(origin, params, *run_rate);
            }
            MovementBody::TurnToObject { target, heading, params } => {
                (self.target, self.heading) = (target.0, *heading);
                self.take_turn_to(params);
            }
            MovementBody::TurnToHeading { params } => self.take_turn_to(params),
        }
    }

    fn take_move_to(&mut self, origin: &Origin, params: &MoveToParams, run_rate: f32) {
        (self.goal_cell, self.goal, self.run_rate) = (origin.cell.0, origin.point.into(), run_rate);
        self.move_flags = params.flags.bits();
        self.distance_to_object = params.distance_to_object;
        (self.min_distance, self.fail_distance) = (params.min_distance, params.fail_distance);
        (self.speed, self.walk_run_threshold) = (params.speed, params.walk_run_threshold);
        self.desired_heading = params.desired_heading;
    }

    fn take_turn_to(&mut self, params: &TurnToParams) {
        (self.move_flags, self.speed) = (params.flags.bits(), params.speed);
        self.desired_heading = params.desired_heading;
    }

    fn take_interpreted(&mut self, state: &InterpretedState<'_>, actions: &mut Vec<AcmAction>) {
        self.unknown_bits = state.unknown_bits;
        self.take_commands([
            state.current_style,
            state.forward_command,
            state.sidestep_command,
            state.turn_command,
        ]);
        self.take_speeds([state.forward_speed, state.sidestep_speed, state.turn_speed]);
        actions.extend(state.actions.iter().map(|item| action(&item)));
    }

    fn take_raw(&mut self, raw: &RawMotionState<'_>, actions: &mut Vec<AcmAction>) {
        self.unknown_bits = raw.unknown_bits;
        self.take_commands([raw.current_style, raw.forward_command, raw.sidestep_command, raw.turn_command]);
        self.take_speeds([raw.forward_speed, raw.sidestep_speed, raw.turn_speed]);
        let keys = [raw.current_hold_key, raw.forward_hold_key, raw.sidestep_hold_key, raw.turn_hold_key];
        let [hold_key, forward, sidestep, turn] = keys.map(|key| key.map_or(0, |key| key.0));
        (self.hold_key, self.forward_hold_key) = (hold_key, forward);
        (self.sidestep_hold_key, self.turn_hold_key) = (sidestep, turn);
        for (bit, key) in HOLD_KEYS.into_iter().zip(keys) {
            self.state_fields |= if key.is_some() { bit } else { 0 };
        }
        actions.extend(raw.actions.iter().map(|item| action(&item)));
    }

    fn take_commands(&mut self, commands: [Option<MotionCommand>; 4]) {
        for (bit, command) in COMMANDS.into_iter().zip(commands) {
            self.state_fields |= if command.is_some() { bit } else { 0 };
        }
        let [style, forward, sidestep, turn] = commands.map(|command| command.map_or(0, |command| command.0));
        (self.current_style, self.forward_command) = (style, forward);
        (self.sidestep_command, self.turn_command) = (sidestep, turn);
    }

    fn take_speeds(&mut self, speeds: [Option<f32>; 3]) {
        for (bit, speed) in SPEEDS.into_iter().zip(speeds) {
            self.state_fields |= if speed.is_some() { bit } else { 0 };
        }
        [self.forward_speed, self.sidestep_speed, self.turn_speed] = speeds.map(Option::unwrap_or_default);
    }

    fn encode(&self, actions: &[ActionItem], out: &mut Vec<u8>) -> Outcome {
        let (guid, instance) = (Guid(self.guid), Stamp(self.instance));
        let message = match (self.direction, self.opcode) {
            (ACM_DIRECTION_C2S, opcode) => return self.encode_c2s(opcode, actions, out),
            (ACM_DIRECTION_S2C, ACM_MESSAGE_UPDATE_MOTION) => {
                S2C::from(UpdateMotion { guid, instance, data: self.movement_data(actions)? })
            }
            (ACM_DIRECTION_S2C, ACM_MESSAGE_UPDATE_POSITION) => {
                S2C::from(UpdatePosition { guid, pack: self.pack() })
            }
            (ACM_DIRECTION_S2C, ACM_MESSAGE_POSITION_AND_MOVEMENT) => {
                let data = self.movement_data(actions)?;
                S2C::from(PositionAndMovement { guid, pack: self.pack(), data })
            }
            (ACM_DIRECTION_S2C, ACM_MESSAGE_VECTOR_UPDATE) => S2C::from(VectorUpdate {
                guid,
                velocity: self.velocity.into(),
                omega: self.omega.into(),
                instance,
                vector: Stamp(self.vector_stamp),
            }),
            (ACM_DIRECTION_S2C, ACM_MESSAGE_SET_STATE) => S2C::from(SetState {
                guid,
                state: PhysicsState::from_bits_retain(self.physics_state),
                instance,
                state_stamp: Stamp(self.state_stamp),
            }),
            (ACM_DIRECTION_S2C, ACM_MESSAGE_DELETE_OBJECT) => {
                S2C::from(DeleteObject { guid, instance, pad: Pad::ZERO })
            }
            (ACM_DIRECTION_S2C, ACM_MESSAGE_PLAYER_CREATE) => S2C::from(PlayerCreate { guid }),
            (ACM_DIRECTION_S2C, ACM_MESSAGE_PLAYER_TELEPORT) => {
                S2C::from(PlayerTeleport { teleport: Stamp(self.teleport), pad: Pad::ZERO })
            }
            (_, opcode) => return Err(not_encoded(opcode)),
        };
        message.encode(out);
        Ok(())
    }

    fn encode_c2s(&self, opcode: u32, actions: &[ActionItem], out: &mut Vec<u8>) -> Outcome {
        let stamps = EchoedStamps {
            instance: Stamp(self.instance),
            server_control: Stamp(self.server_control),
            teleport: Stamp(self.teleport),
            force_position: Stamp(self.force_position),
        };
        let position = self.position.into();
        let action = match opcode {
            ACM_MESSAGE_MOVE_TO_STATE => GameActionBody::from(MoveToState {
                raw: self.raw_state(actions),
                position,
                stamps,
                contact: ContactFlags::from_bits_retain(self.contact as u8),
                pad: Pad::ZERO,
            }),
            ACM_MESSAGE_AUTONOMOUS_POSITION => GameActionBody::from(AutonomousPosition {
                position,
                stamps,
                contact: WireBool(self.contact as u8),
                pad: Pad::ZERO,
            }),
            ACM_MESSAGE_JUMP => GameActionBody::from(Jump {
                extent: self.extent,
                velocity: self.velocity.into(),
                position: (self.fields & ACM_FIELD_POSITION != 0).then_some(position),
                stamps,
                tail: (self.fields & ACM_FIELD_JUMP_TAIL != 0).then_some(self.tail),
            }),
            other => return Err(not_encoded(other)),
        };
        C2S::from(GameAction { sequence: self.sequence, action }).encode(out);
        Ok(())
    }

    fn pack(&self) -> PositionPack {
        PositionPack {
            flags: PositionFlags::from_bits_retain(self.position_flags),
            position: self.position.into(),
            velocity: (self.fields & ACM_FIELD_VELOCITY != 0).then(|| self.velocity.into()),
            placement: (self.fields & ACM_FIELD_PLACEMENT != 0).then_some(self.placement),
            instance: Stamp(self.instance),
            position_stamp: Stamp(self.position_stamp),
            teleport: Stamp(self.teleport),
            force_position: Stamp(self.force_position),
        }
    }

    fn movement_data<'a>(&self, actions: &'a [ActionItem]) -> Outcome<MovementData<'a>> {
        Ok(MovementData {
            movement_stamp: Stamp(self.movement_stamp),
            server_control: Stamp(self.server_control),
            autonomous: WireBool(self.autonomous as u8),
            pad: Pad::ZERO,
            movement: self.movement(actions)?,
        })
    }

    /// Returns the movement in the message.
    pub(crate) fn movement<'a>(&self, actions: &'a [ActionItem]) -> Outcome<Movement<'a>> {
        let origin = Origin { cell: CellId(self.goal_cell), point: self.goal.into() };
        let flags = MoveFlags::from_bits_retain(self.move_flags);
        let (speed, desired_heading, run_rate) = (self.speed, self.desired_heading, self.run_rate);
        let move_to = MoveToParams {
            flags,
            distance_to_object: self.distance_to_object,
            min_distance: self.min_distance,
            fail_distance: self.fail_distance,
            speed,
            walk_run_threshold: self.walk_run_threshold,
            desired_heading,
        };
        let turn_to = TurnToParams { flags, speed, desired_heading };
        let target = Guid(self.target);
        let body = match self.movement_type {
            ACM_MOVEMENT_STATE => MovementBody::Interpreted {
                state: self.interpreted_state(actions),
                sticky: Some(Guid(self.sticky)).filter(|sticky| !sticky.is_none()),
            },
            ACM_MOVEMENT_TO_OBJECT => {
                MovementBody::MoveToObject { target, origin, params: move_to, run_rate }
            }
            ACM_MOVEMENT_TO_POSITION => MovementBody::MoveToPosition { origin, params: move_to, run_rate },
            ACM_MOVEMENT_TURN_TO_OBJECT => {
                MovementBody::TurnToObject { target, heading: self.heading, params: turn_to }
            }
            ACM_MOVEMENT_TURN_TO_HEADING => MovementBody::TurnToHeading { params: turn_to },
            other => return Err(Failure::bad_argument(format_args!("{other} is not a type of movement"))),
        };
        let flags = MotionFlags::from_bits_retain(self.motion_flags as u8);
        Ok(Movement { flags, style: MotionCommand(self.style), body })
    }

    fn has(&self, bit: u32) -> bool {
        self.state_fields & bit != 0
    }

    fn commands(&self) -> [Option<MotionCommand>; 4] {
        let commands = [self.current_style, self.forward_command, self.sidestep_command, self.turn_command];
        std::array::from_fn(|index| self.has(COMMANDS[index]).then_some(MotionCommand(commands[index])))
    }

    fn speeds(&self) -> [Option<f32>; 3] {
        let speeds = [self.forward_speed, self.sidestep_speed, self.turn_speed];
        std::array::from_fn(|index| self.has(SPEEDS[index]).then_some(speeds[index]))
    }

    fn interpreted_state<'a>(&self, actions: &'a [ActionItem]) -> InterpretedState<'a> {
        let [current_style, forward_command, sidestep_command, turn_command] = self.commands();
        let [forward_speed, sidestep_speed, turn_speed] = self.speeds();
        InterpretedState {
            current_style,
            forward_command,
            sidestep_command,
            turn_command,
            forward_speed,
            sidestep_speed,
            turn_speed,
            actions: Actions::new(actions),
            unknown_bits: self.unknown_bits,
            pad: Pad::ZERO,
        }
    }

    fn raw_state<'a>(&self, actions: &'a [ActionItem]) -> RawMotionState<'a> {
        let [current_style, forward_command, sidestep_command, turn_command] = self.commands();
        let [forward_speed, sidestep_speed, turn_speed] = self.speeds();
        let keys = [self.hold_key, self.forward_hold_key, self.sidestep_hold_key, self.turn_hold_key];
        let [current_hold_key, forward_hold_key, sidestep_hold_key, turn_hold_key] =
            std::array::from_fn(|index| self.has(HOLD_KEYS[index]).then_some(HoldKey(keys[index])));
        RawMotionState {
            current_hold_key,
            current_style,
            forward_command,
            forward_hold_key,
            forward_speed,
            sidestep_command,
            sidestep_hold_key,
            sidestep_speed,
            turn_command,
            turn_hold_key,
            turn_speed,
            actions: Actions::new(actions),
            unknown_bits: self.unknown_bits,
        }
    }
}

/// The bits of the style and of the three commands.
const COMMANDS: [u32; 4] = [ACM_STATE_STYLE, ACM_STATE_FORWARD, ACM_STATE_SIDESTEP, ACM_STATE_TURN];
/// The bits of the three speeds.
const SPEEDS: [u32; 3] = [ACM_STATE_FORWARD_SPEED, ACM_STATE_SIDESTEP_SPEED, ACM_STATE_TURN_SPEED];
/// The bits of the four hold keys.
const HOLD_KEYS: [u32; 4] =
    [ACM_STATE_HOLD_KEY, ACM_STATE_FORWARD_HOLD_KEY, ACM_STATE_SIDESTEP_HOLD_KEY, ACM_STATE_TURN_HOLD_KEY];

fn not_encoded(opcode: u32) -> Failure {
    Failure::bad_argument(format_args!("messages of type 0x{opcode:04X} are not encoded from AcmMessage"))
}

fn action(item: &ActionItem) -> AcmAction {
    AcmAction {
        command: item.command.0,
        stamp: item.stamp.get().into(),
        autonomous: item.autonomous.into(),
        speed: item.speed,
    }
}

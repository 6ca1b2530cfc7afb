//! The table `messages`.

use acmotion_types::{CellPosition, Guid, MotionCommand, Stamp, Vec3};
use acmotion_wire::fields::{AxisMotion, FieldVisitor, Head, Stamps, visit_c2s, visit_s2c};
use acmotion_wire::{
    ActionItem, Actions, Attribute, C2S, DecodeError, Direction, GameActionBody, GameEventBody,
    InitialMovement, MoveToParams, Movement, MovementBody, ObjectDesc, Origin, PrivateUpdatePropertyInt, S2C,
    Skill, TurnToParams,
};

use crate::column::{Bytes, Name, Optional, Required, Text, Timestamp};
use crate::table::{Rows as _, table};
use crate::time::CaptureTime;

table! {
    /// One row for each message of the capture, in its order, with the fields of the kinds that are about movement.
    Messages = "messages" {
        /// The number of the message in its capture, from 0. Other tables refer to it.
        message: Required<i64>,
        /// Seconds since the first message of the capture.
        t: Required<f64>,
        /// The time, where the capture's clock is that of the calendar.
        time: Optional<Timestamp>,
        /// `S2C` from the server, `C2S` from the client.
        direction: Required<Name>,
        /// The opcode; missing if the message is too short to have one.
        opcode: Optional<u32>,
        /// The opcode of the game event or action that the message contains.
        sub_opcode: Optional<u32>,
        /// The client's sequence number of a game action.
        action_sequence: Optional<u32>,
        /// The name of the message, or of the event or action that it contains; `Unknown` if it is not one of the known kinds.
        name: Required<Name>,
        /// The object that the message is about.
        guid: Optional<u32>,
        /// Whether it is about movement: `acmotion decode` prints these, and the others only with `--all`.
        is_movement: Required<bool>,
        /// Why it could not be decoded.
        error: Optional<Text>,
        /// The stamp that counts the instances of the object.
        instance_seq: Optional<u16>,
        /// The stamp that counts its positions.
        position_seq: Optional<u16>,
        /// The stamp that counts its movements.
        movement_seq: Optional<u16>,
        /// The stamp that counts changes of its physics state.
        state_seq: Optional<u16>,
        /// The stamp that counts its velocities.
        vector_seq: Optional<u16>,
        /// The stamp that counts its teleports.
        teleport_seq: Optional<u16>,
        /// The stamp that counts the movements that the server imposed.
        server_control_seq: Optional<u16>,
        /// The stamp that counts the positions that the server forced on the player.
        force_position_seq: Optional<u16>,
        /// The stamp that counts changes of its appearance.
        visual_desc_seq: Optional<u16>,
        /// The cell of the position.
        cell: Optional<u32>,
        /// Metres east of the south-west corner of the landblock.
        x: Optional<f32>,
        /// Metres north of it.
        y: Optional<f32>,
        /// The height in metres.
        z: Optional<f32>,
        /// The compass heading in degrees.
        heading: Optional<f32>,
        /// The rotation as a quaternion, as it was sent: its real part.
        qw: Optional<f32>,
        /// The rotation: the part along x.
        qx: Optional<f32>,
        /// The rotation: the part along y.
        qy: Optional<f32>,
        /// The rotation: the part along z.
        qz: Optional<f32>,
        /// The velocity in metres a second: east. That of a jump is in the body's own axes.
        vx: Optional<f32>,
        /// The velocity: north.
        vy: Optional<f32>,
        /// The velocity: up.
        vz: Optional<f32>,
        /// The angular velocity in radians a second, around x.
        omega_x: Optional<f32>,
        /// The angular velocity around y.
        omega_y: Optional<f32>,
        /// The angular velocity around z.
        omega_z: Optional<f32>,
        /// Whether the object stands on something.
        grounded: Optional<bool>,
        /// The placement frame.
        placement: Optional<u32>,
        /// The physics state, as flags.
        physics_state: Optional<u32>,
        /// The kind of a movement: 0 a state, 6 and 7 move to an object or a position, 8 and 9 turn to an object or a heading.
        movement_type: Optional<u8>,
        /// Whether the moving client itself started the movement.
        autonomous: Optional<bool>,
        /// The options of a movement: 1 it sticks to an object, 2 a standing long jump.
        motion_flags: Optional<u8>,
        /// The motion command of the style.
        style: Optional<u32>,
        /// The motion command forward or backward, which is also that of attacks and emotes.
        forward_command: Optional<u32>,
        /// Its speed; for a running player, the run rate.
        forward_speed: Optional<f32>,
        /// The motion command to the side.
        sidestep_command: Optional<u32>,
        /// Its speed.
        sidestep_speed: Optional<f32>,
        /// The motion command of the turn.
        turn_command: Optional<u32>,
        /// Its speed.
        turn_speed: Optional<f32>,
        /// The key held, in what a client sends: 1 none, 2 run.
        hold_key: Optional<u32>,
        /// The number of actions: motions that play once.
        actions: Optional<u8>,
        /// The motion command of the newest action.
        action_command: Optional<u32>,
        /// The sequence number of the newest action.
        action_stamp: Optional<u16>,
        /// Whether the client started the newest action itself.
        action_autonomous: Optional<bool>,
        /// The speed of the newest action.
        action_speed: Optional<f32>,
        /// The object that a movement, an attack, a spell or a use is aimed at.
        target: Optional<u32>,
        /// The cell of the point to move to.
        target_cell: Optional<u32>,
        /// The point to move to: metres east.
        target_x: Optional<f32>,
        /// The point to move to: metres north.
        target_y: Optional<f32>,
        /// The point to move to: its height.
        target_z: Optional<f32>,
        /// The options of an order to move or turn.
        move_flags: Optional<u32>,
        /// The distance at which to stop, in metres.
        distance_to_object: Optional<f32>,
        /// The distance below which not to approach, in metres.
        min_distance: Optional<f32>,
        /// The distance travelled after which to give up, in metres.
        fail_distance: Optional<f32>,
        /// The speed factor of an order.
        move_speed: Optional<f32>,
        /// The distance beyond the stopping distance from which to run, in metres.
        walk_run_threshold: Optional<f32>,
        /// The heading to turn to, in degrees.
        desired_heading: Optional<f32>,
        /// The run rate of the body that is ordered to move.
        run_rate: Optional<f32>,
        /// The motion command that a client starts or stops (`DoMovementCommand`, `StopMovementCommand`).
        motion: Optional<u32>,
        /// The charge of a jump, 0 to 1.
        extent: Optional<f32>,
        /// The object that this one is attached to.
        parent: Optional<u32>,
        /// The attachment point on it.
        location: Optional<u32>,
        /// The sound: the key in the object's sound table.
        sound: Optional<u32>,
        /// The script, or the key in the object's physics script table.
        script: Optional<u32>,
        /// The volume of a sound, or the speed of a script.
        intensity: Optional<f32>,
        /// The name of an object that is created.
        object_name: Optional<Text>,
        /// The class id of an object that is created.
        wcid: Optional<u32>,
        /// Its setup.
        setup: Optional<u32>,
        /// Its motion table.
        motion_table: Optional<u32>,
        /// Its scale.
        scale: Optional<f32>,
        /// The integer property that changes.
        property: Optional<u32>,
        /// Its new value.
        value: Optional<i32>,
        /// The attribute, the vital or the skill that changes, by its number among its kind.
        quality: Optional<u32>,
        /// Its points bought with experience; of a vital, its current value.
        ranks: Optional<u32>,
        /// The points that it started with.
        start: Optional<u32>,
        /// The player's burden, where a message tells it.
        burden: Optional<i32>,
        /// The player's strength without enchantments, where a message tells it.
        strength: Optional<u32>,
        /// The player's points in running, where a message tells them.
        run_skill: Optional<u32>,
        /// The size of the message in bytes.
        size: Required<u32>,
        /// The message, from its opcode on.
        raw: Required<Bytes>,
    }
}

/// A message as it was decoded.
#[derive(Clone, Copy)]
pub(crate) enum Decoded<'m, 'a> {
    Server(&'m S2C<'a>),
    Client(&'m C2S<'a>),
    Undecodable(&'m DecodeError),
}

/// Where a message is in its capture.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    pub(crate) number: i64,
    /// The time on the capture's clock.
    pub(crate) time: f64,
    pub(crate) direction: Direction,
}

impl Messages {
    /// Sets the values of a row.
    pub(crate) fn push(&mut self, place: Place, clock: &CaptureTime, bytes: &[u8], decoded: Decoded<'_, '_>) {
        let row = self.len();
        self.message.push(place.number);
        self.t.push(clock.since_start(place.time));
        self.time.set_some(row, clock.micros(place.time));
        self.direction.push(place.direction.name());
        self.size.push(bytes.len() as u32);
        self.raw.push(bytes);
        match decoded {
            Decoded::Server(message) => {
                self.opcode.set(row, message.opcode());
                self.sub_opcode.set_some(row, message.sub_opcode());
                self.name.push(message.name());
                self.guid.set_some(row, message.guid().map(|guid| guid.0));
                self.is_movement.push(message.is_movement());
                visit_s2c(message, &mut Row { columns: self, row });
                self.put_server(row, message);
            }
            Decoded::Client(message) => {
                self.opcode.set(row, message.opcode());
                self.sub_opcode.set_some(row, message.sub_opcode());
                self.name.push(message.name());
                self.guid.set_some(row, message.guid().map(|guid| guid.0));
                self.is_movement.push(message.is_movement());
                visit_c2s(message, &mut Row { columns: self, row });
                self.put_client(row, message);
            }
            Decoded::Undecodable(error) => {
                let head = Head::peek(place.direction, bytes);
                self.opcode.set_some(row, head.opcode);
                self.sub_opcode.set_some(row, head.sub_opcode);
                self.action_sequence.set_some(row, head.action_sequence);
                self.name.push(head.name);
                self.is_movement.push(acmotion_wire::is_movement(place.direction, bytes));
                self.error.set(row, &error.to_string());
            }
        }
    }

    /// Sets what only some messages of the server have.
    fn put_server(&mut self, row: usize, message: &S2C<'_>) {
        match message {
            S2C::UpdatePosition(report) => self.placement.set_some(row, report.pack.placement),
            S2C::UpdateMotion(update) => {
                self.autonomous.set(row, update.data.autonomous.get());
                self.put_movement(row, &update.data.movement);
            }
            S2C::PositionAndMovement(report) => {
                self.placement.set_some(row, report.pack.placement);
                self.autonomous.set(row, report.data.autonomous.get());
                self.put_movement(row, &report.data.movement);
            }
            S2C::VectorUpdate(update) => self.put_omega(row, update.omega),
            S2C::SetState(update) => self.physics_state.set(row, update.state.bits()),
            S2C::CreateObject(object) => self.put_object(row, &object.0),
            S2C::UpdateObject(object) => self.put_object(row, &object.0),
            S2C::ParentEvent(event) => {
                // The message is about the parent.
                self.target.set(row, event.child.0);
                self.location.set(row, event.location);
                self.placement.set(row, event.placement);
            }
            S2C::Sound(message) => {
                self.sound.set(row, message.sound);
                self.intensity.set(row, message.volume);
            }
            S2C::PlayScriptId(message) => self.script.set(row, message.script),
            S2C::PlayScriptType(message) => {
                self.script.set(row, message.script_type);
                self.intensity.set(row, message.speed);
            }
            S2C::GameEvent(event) => self.put_event(row, &event.event),
            _ => self.put_quality(row, message),
        }
    }

    /// Sets what a change of a property, an attribute, a vital or a skill has.
    fn put_quality(&mut self, row: usize, message: &S2C<'_>) {
        match message {
            S2C::PrivateUpdatePropertyInt(update) => {
                self.property.set(row, update.property);
                self.value.set(row, update.value);
                if update.property == PrivateUpdatePropertyInt::BURDEN {
                    self.burden.set(row, update.value);
                }
            }
            S2C::PublicUpdatePropertyInt(update) => {
                self.property.set(row, update.property);
                self.value.set(row, update.value);
            }
            S2C::PrivateUpdateAttribute(update) => {
                self.quality.set(row, update.attribute);
                self.ranks.set(row, update.value.ranks);
                self.start.set(row, update.value.start);
                if update.attribute == Attribute::STRENGTH {
                    self.strength.set(row, points(&update.value));
                }
            }
            S2C::PrivateUpdateAttribute2ndLevel(update) => {
                self.quality.set(row, update.vital);
                self.ranks.set(row, update.current);
            }
            S2C::PrivateUpdateSkill(update) => self.put_skill(row, update.skill, &update.value),
            S2C::PublicUpdateSkill(update) => {
                self.quality.set(row, update.skill);
                self.ranks.set(row, update.value.ranks.into());
                self.start.set(row, update.value.init_level);
            }
            S2C::PrivateUpdateSkillLevel(update) => {
                self.quality.set(row, update.skill);
                self.ranks.set(row, update.ranks);
            }
            S2C::PublicUpdateSkillLevel(update) => {
                self.quality.set(row, update.skill);
                self.ranks.set(row, update.ranks);
            }
            _ => {}
        }
    }

    fn put_skill(&mut self, row: usize, number: u32, skill: &Skill) {
        self.quality.set(row, number);
        self.ranks.set(row, skill.ranks.into());
        self.start.set(row, skill.init_level);
        if number == Skill::RUN {
            self.run_skill.set(row, u32::from(skill.ranks).saturating_add(skill.init_level));
        }
    }

    fn put_event(&mut self, row: usize, event: &GameEventBody<'_>) {
        if let GameEventBody::PlayerDescription(player) = event {
            self.burden.set_some(row, player.burden());
            let strength = player.attributes().and_then(|attributes| attributes.strength);
            self.strength.set_some(row, strength.map(|strength| points(&strength)));
            let run = player.run().map(|run| u32::from(run.ranks).saturating_add(run.init_level));
            self.run_skill.set_some(row, run);
        }
    }

    /// Sets what only some messages of the client have.
    fn put_client(&mut self, row: usize, message: &C2S<'_>) {
        let C2S::GameAction(action) = message else { return };
        self.action_sequence.set(row, action.sequence);
        match &action.action {
            GameActionBody::MoveToState(state) => {
                self.hold_key.set_some(row, state.raw.current_hold_key.map(|key| key.0));
                self.put_actions(row, &state.raw.actions);
            }
            GameActionBody::Jump(jump) => self.extent.set(row, jump.extent),
            GameActionBody::JumpNonAutonomous(jump) => self.extent.set(row, jump.extent),
            GameActionBody::DoMovementCommand(command) => {
                self.motion.set(row, command.motion.0);
                self.move_speed.set(row, command.speed);
                self.hold_key.set(row, command.hold_key.0);
            }
            GameActionBody::StopMovementCommand(command) => {
                self.motion.set(row, command.motion.0);
                self.hold_key.set(row, command.hold_key.0);
            }
            GameActionBody::TurnTo(turn) => self.desired_heading.set(row, turn.heading),
            GameActionBody::TargetedMeleeAttack(attack) => self.target.set(row, attack.target.0),
            GameActionBody::TargetedMissileAttack(attack) => self.target.set(row, attack.target.0),
            GameActionBody::CastTargetedSpell(spell) => self.target.set(row, spell.target.0),
            GameActionBody::Use(action) => self.target.set(row, action.object.0),
            GameActionBody::UseWithTarget(action) => self.target.set(row, action.target.0),
            _ => {}
        }
    }

    fn put_object(&mut self, row: usize, object: &ObjectDesc<'_>) {
        let physics = &object.physics;
        self.object_name.set(row, &object.weenie.name().to_string());
        self.wcid.set(row, object.weenie.class_id());
        self.physics_state.set(row, physics.state.bits());
        self.placement.set_some(row, physics.placement);
        self.setup.set_some(row, physics.setup);
        self.motion_table.set_some(row, physics.motion_table);
        self.scale.set_some(row, physics.scale);
        if let Some(parent) = physics.parent {
            self.parent.set(row, parent.guid.0);
            self.location.set(row, parent.location);
        }
        if let Some(omega) = physics.omega {
            self.put_omega(row, omega);
        }
        if let Some(InitialMovement::Movement { movement, autonomous }) = &physics.movement {
            self.autonomous.set(row, autonomous.get());
            self.put_movement(row, movement);
            if movement.style.wire_index() != 0 {
                self.style.set(row, movement.style.0);
            }
            if let MovementBody::Interpreted { state, .. } = &movement.body {
                self.put_axes(
                    row,
                    [
                        (state.forward_command, state.forward_speed),
                        (state.sidestep_command, state.sidestep_speed),
                        (state.turn_command, state.turn_speed),
                    ],
                );
            }
        }
    }

    /// Sets what a movement has besides its style and the motions along its axes.
    fn put_movement(&mut self, row: usize, movement: &Movement<'_>) {
        self.movement_type.set(row, movement.body.movement_type());
        self.motion_flags.set(row, movement.wire_flags().bits());
        match &movement.body {
            MovementBody::Interpreted { state, sticky } => {
                self.target.set_some(row, sticky.map(|Guid(target)| target));
                self.put_actions(row, &state.actions);
            }
            MovementBody::MoveToObject { target, origin, params, run_rate } => {
                self.target.set(row, target.0);
                self.put_move(row, origin, params, *run_rate);
            }
            MovementBody::MoveToPosition { origin, params, run_rate } => {
                self.put_move(row, origin, params, *run_rate);
            }
            MovementBody::TurnToObject { target, params, .. } => {
                self.target.set(row, target.0);
                self.put_turn(row, params);
            }
            MovementBody::TurnToHeading { params } => self.put_turn(row, params),
        }
    }

    fn put_move(&mut self, row: usize, origin: &Origin, params: &MoveToParams, run_rate: f32) {
        self.target_cell.set(row, origin.cell.0);
        self.target_x.set(row, origin.point.x);
        self.target_y.set(row, origin.point.y);
        self.target_z.set(row, origin.point.z);
        self.move_flags.set(row, params.flags.bits());
        self.distance_to_object.set(row, params.distance_to_object);
        self.min_distance.set(row, params.min_distance);
        self.fail_distance.set(row, params.fail_distance);
        self.move_speed.set(row, params.speed);
        self.walk_run_threshold.set(row, params.walk_run_threshold);
        self.desired_heading.set(row, params.desired_heading);
        self.run_rate.set(row, run_rate);
    }

    fn put_turn(&mut self, row: usize, params: &TurnToParams) {
        self.move_flags.set(row, params.flags.bits());
        self.move_speed.set(row, params.speed);
        self.desired_heading.set(row, params.desired_heading);
    }

    #[inline]
    fn put_actions(&mut self, row: usize, actions: &Actions<'_>) {
        let Some(ActionItem { command, stamp, autonomous, speed }) = actions.iter().last() else { return };
        self.actions.set(row, actions.len() as u8);
        self.action_command.set(row, command.0);
        self.action_stamp.set(row, stamp.get());
        self.action_autonomous.set(row, autonomous);
        self.action_speed.set(row, speed);
    }

    #[inline]
    fn put_axes(&mut self, row: usize, [forward, sidestep, turn]: [AxisMotion; 3]) {
        let id = |command: Option<MotionCommand>| command.map(|command| command.0);
        self.forward_command.set_some(row, id(forward.0));
        self.forward_speed.set_some(row, forward.1);
        self.sidestep_command.set_some(row, id(sidestep.0));
        self.sidestep_speed.set_some(row, sidestep.1);
        self.turn_command.set_some(row, id(turn.0));
        self.turn_speed.set_some(row, turn.1);
    }

    fn put_omega(&mut self, row: usize, omega: Vec3) {
        self.omega_x.set(row, omega.x);
        self.omega_y.set(row, omega.y);
        self.omega_z.set(row, omega.z);
    }
}

/// Returns the points of an attribute.
fn points(attribute: &Attribute) -> u32 {
    attribute.ranks.saturating_add(attribute.start)
}

/// The row that a message is written to.
struct Row<'a> {
    columns: &'a mut Messages,
    row: usize,
}

impl FieldVisitor for Row<'_> {
    #[inline(always)]
    fn position(&mut self, position: &CellPosition) {
        let (columns, row, frame) = (&mut *self.columns, self.row, &position.frame);
        columns.cell.set(row, position.cell.0);
        columns.x.set(row, frame.origin.x);
        columns.y.set(row, frame.origin.y);
        columns.z.set(row, frame.origin.z);
        columns.heading.set(row, frame.heading());
        columns.qw.set(row, frame.rotation.w);
        columns.qx.set(row, frame.rotation.x);
        columns.qy.set(row, frame.rotation.y);
        columns.qz.set(row, frame.rotation.z);
    }

    #[inline]
    fn velocity(&mut self, velocity: Vec3) {
        self.columns.vx.set(self.row, velocity.x);
        self.columns.vy.set(self.row, velocity.y);
        self.columns.vz.set(self.row, velocity.z);
    }

    #[inline]
    fn grounded(&mut self, grounded: bool) {
        self.columns.grounded.set(self.row, grounded);
    }

    #[inline]
    fn style(&mut self, style: MotionCommand) {
        self.columns.style.set(self.row, style.0);
    }

    #[inline]
    fn axes(&mut self, axes: [AxisMotion; 3]) {
        self.columns.put_axes(self.row, axes);
    }

    #[inline(always)]
    fn stamps(&mut self, stamps: Stamps) {
        let (columns, row) = (&mut *self.columns, self.row);
        let number = |stamp: Option<Stamp>| stamp.map(|Stamp(number)| number);
        columns.instance_seq.set_some(row, number(stamps.instance));
        columns.position_seq.set_some(row, number(stamps.position));
        columns.movement_seq.set_some(row, number(stamps.movement));
        columns.state_seq.set_some(row, number(stamps.state));
        columns.vector_seq.set_some(row, number(stamps.vector));
        columns.teleport_seq.set_some(row, number(stamps.teleport));
        columns.server_control_seq.set_some(row, number(stamps.server_control));
        columns.force_position_seq.set_some(row, number(stamps.force_position));
        columns.visual_desc_seq.set_some(row, number(stamps.visual_desc));
    }
}

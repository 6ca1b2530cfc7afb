//! The table `sends`.

use acmotion_sim::replay::report_error;
use acmotion_types::{CellPosition, MotionCommand, Vec3};
use acmotion_wire::fields::{AxisMotion, FieldVisitor, Stamps, visit_c2s};
use acmotion_wire::{C2S, GameActionBody};

use crate::column::{Name, Optional, Required, Timestamp};
use crate::table::{Rows as _, table};
use crate::time::Moment;

table! {
    /// One row for each message about movement that the client sent, with what changed since the last one: when a client
    /// sends what.
    Sends = "sends" {
        /// The message.
        message: Required<i64>,
        /// Seconds since the first message of the capture.
        t: Required<f64>,
        /// The time, where the capture's clock is that of the calendar.
        time: Optional<Timestamp>,
        /// The name of the action, such as `MoveToState`, `AutonomousPosition` or `Jump`.
        name: Required<Name>,
        /// The client's sequence number of the action.
        action_sequence: Required<u32>,
        /// Seconds since the client last sent a message about movement.
        since_last: Optional<f64>,
        /// The cell of the position that it sent.
        cell: Optional<u32>,
        /// Metres east of the south-west corner of the landblock.
        x: Optional<f32>,
        /// Metres north of it.
        y: Optional<f32>,
        /// The height in metres.
        z: Optional<f32>,
        /// The compass heading in degrees.
        heading: Optional<f32>,
        /// How far it is from the position sent before, in metres, without its rise or fall.
        moved: Optional<f32>,
        /// Whether it is in another cell than the position sent before.
        new_cell: Optional<bool>,
        /// Whether the player stands on something.
        contact: Optional<bool>,
        /// The key held: 1 none, 2 run.
        hold_key: Optional<u32>,
        /// The motion command of the style.
        style: Optional<u32>,
        /// The motion command forward or backward.
        forward_command: Optional<u32>,
        /// Its speed.
        forward_speed: Optional<f32>,
        /// The motion command to the side.
        sidestep_command: Optional<u32>,
        /// Its speed.
        sidestep_speed: Optional<f32>,
        /// The motion command of the turn.
        turn_command: Optional<u32>,
        /// Its speed.
        turn_speed: Optional<f32>,
        /// The charge of a jump, 0 to 1.
        extent: Optional<f32>,
        /// The velocity of a jump in metres a second, in the body's own axes: to the right.
        vx: Optional<f32>,
        /// The velocity of a jump: forward.
        vy: Optional<f32>,
        /// The velocity of a jump: up.
        vz: Optional<f32>,
    }
}

/// What a client sent last.
#[derive(Default)]
pub(crate) struct LastSend {
    t: Option<f64>,
    position: Option<CellPosition>,
}

impl Sends {
    /// Sets the values of a row. Returns `false` if the message has none, because it is not about movement.
    pub(crate) fn push(
        &mut self,
        number: i64,
        moment: Moment,
        message: &C2S<'_>,
        last: &mut LastSend,
    ) -> bool {
        let C2S::GameAction(action) = message else { return false };
        if !message.is_movement() {
            return false;
        }
        let row = self.len();
        self.message.push(number);
        self.t.push(moment.t);
        self.time.set_some(row, moment.micros);
        self.name.push(message.name());
        self.action_sequence.push(action.sequence);
        self.since_last.set_some(row, last.t.map(|before| moment.t - before));
        last.t = Some(moment.t);
        match &action.action {
            GameActionBody::MoveToState(state) => {
                self.hold_key.set_some(row, state.raw.current_hold_key.map(|key| key.0));
            }
            GameActionBody::Jump(jump) => self.extent.set(row, jump.extent),
            GameActionBody::JumpNonAutonomous(jump) => self.extent.set(row, jump.extent),
            GameActionBody::DoMovementCommand(command) => {
                self.forward_command.set(row, command.motion.0);
                self.forward_speed.set(row, command.speed);
                self.hold_key.set(row, command.hold_key.0);
            }
            GameActionBody::StopMovementCommand(command) => {
                self.forward_command.set(row, command.motion.0);
                self.hold_key.set(row, command.hold_key.0);
            }
            _ => {}
        }
        visit_c2s(message, &mut Row { columns: self, row, last });
        true
    }
}

/// The row that a message is written to.
struct Row<'a> {
    columns: &'a mut Sends,
    row: usize,
    last: &'a mut LastSend,
}

impl FieldVisitor for Row<'_> {
    fn position(&mut self, position: &CellPosition) {
        let (columns, row) = (&mut *self.columns, self.row);
        columns.cell.set(row, position.cell.0);
        columns.x.set(row, position.frame.origin.x);
        columns.y.set(row, position.frame.origin.y);
        columns.z.set(row, position.frame.origin.z);
        columns.heading.set(row, position.frame.heading());
        if let Some(before) = self.last.position.replace(*position) {
            columns.moved.set(row, report_error(&before, position));
            columns.new_cell.set(row, before.cell != position.cell);
        }
    }

    fn velocity(&mut self, velocity: Vec3) {
        self.columns.vx.set(self.row, velocity.x);
        self.columns.vy.set(self.row, velocity.y);
        self.columns.vz.set(self.row, velocity.z);
    }

    fn grounded(&mut self, grounded: bool) {
        self.columns.contact.set(self.row, grounded);
    }

    fn style(&mut self, style: MotionCommand) {
        self.columns.style.set(self.row, style.0);
    }

    fn axes(&mut self, [forward, sidestep, turn]: [AxisMotion; 3]) {
        let (columns, row) = (&mut *self.columns, self.row);
        let id = |command: Option<MotionCommand>| command.map(|command| command.0);
        columns.forward_command.set_some(row, id(forward.0));
        columns.forward_speed.set_some(row, forward.1);
        columns.sidestep_command.set_some(row, id(sidestep.0));
        columns.sidestep_speed.set_some(row, sidestep.1);
        columns.turn_command.set_some(row, id(turn.0));
        columns.turn_speed.set_some(row, turn.1);
    }

    fn stamps(&mut self, _stamps: Stamps) {}
}

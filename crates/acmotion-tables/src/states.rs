//! The table `states`.

use acmotion::components::MoveKind;
use acmotion::json::move_kind_name;
use acmotion::{Library, Resident};
use acmotion_types::{CellPosition, Guid, MotionCommand, Vec3};

use crate::column::{Name, Optional, Required, Timestamp};
use crate::table::{Rows as _, table};
use crate::time::Moment;

table! {
    /// The state of an entity after a tick of the engine, as in `acmotion replay --json`. A row holds until the next row of
    /// the same guid: a tick after which nothing but `frame` has changed has none, unless `--every-tick` is given.
    States = "states" {
        /// Seconds since the first message of the capture.
        t: Required<f64>,
        /// The time, where the capture's clock is that of the calendar.
        time: Optional<Timestamp>,
        /// The entity.
        guid: Required<u32>,
        /// Whether it is in a cell. Held objects are not.
        in_cell: Required<bool>,
        /// The cell of its position.
        cell: Required<u32>,
        /// Metres east of the south-west corner of the landblock.
        x: Required<f32>,
        /// Metres north of it.
        y: Required<f32>,
        /// The height in metres.
        z: Required<f32>,
        /// The compass heading in degrees.
        heading: Required<f32>,
        /// The rotation as a quaternion: its real part.
        qw: Required<f32>,
        /// The rotation: the part along x.
        qx: Required<f32>,
        /// The rotation: the part along y.
        qy: Required<f32>,
        /// The rotation: the part along z.
        qz: Required<f32>,
        /// The velocity of falling and flying in metres a second: east. Walking is not part of it.
        vx: Required<f32>,
        /// The velocity of falling and flying: north.
        vy: Required<f32>,
        /// The velocity of falling and flying: up.
        vz: Required<f32>,
        /// How fast it moved in its last step, in metres a second: east.
        shown_vx: Required<f32>,
        /// How fast it moved in its last step: north.
        shown_vy: Required<f32>,
        /// How fast it moved in its last step: up.
        shown_vz: Required<f32>,
        /// Whether it touches the ground.
        contact: Required<bool>,
        /// Whether it touches ground that it can stand on.
        on_walkable: Required<bool>,
        /// The motion command of its style.
        style: Required<u32>,
        /// The motion command that loops.
        substate: Required<u32>,
        /// The name of the motion that loops.
        substate_name: Optional<Name>,
        /// Its speed.
        substate_speed: Required<f32>,
        /// The number of modifiers: motions on top of the substate, such as a turn while running.
        modifiers: Required<u32>,
        /// The motion command of the newest modifier.
        modifier: Optional<u32>,
        /// The number of actions: motions that play once, such as attacks.
        actions: Required<u32>,
        /// The motion command of the oldest action, which is the one that plays.
        action: Optional<u32>,
        /// The animation that plays.
        animation: Optional<u32>,
        /// The animation frame, with its fraction.
        frame: Required<f64>,
        /// The number of reported positions that it still interpolates to.
        interpolation_nodes: Required<u32>,
        /// How often in a row interpolation made too little progress.
        interpolation_fails: Required<u32>,
        /// How far it is from where the server has it, in metres, while it is constrained to stay near that.
        constraint_offset: Optional<f32>,
        /// The kind of the order that it carries out.
        moveto: Optional<Name>,
        /// The number of motions that have not ended yet.
        pending: Required<u32>,
    }
}

/// The values of a row, but for its time and the animation frame. A row is written when they change.
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct State {
    guid: Guid,
    in_cell: bool,
    position: CellPosition,
    velocity: Vec3,
    shown_velocity: Vec3,
    contact: bool,
    on_walkable: bool,
    style: MotionCommand,
    substate: MotionCommand,
    substate_speed: f32,
    modifiers: (u32, Option<MotionCommand>),
    actions: (u32, Option<MotionCommand>),
    animation: Option<u32>,
    interpolation_nodes: u32,
    interpolation_fails: u32,
    constraint_offset: Option<f32>,
    moveto: Option<MoveKind>,
    pending: u32,
}

impl State {
    pub(crate) fn new(resident: &Resident, library: &Library) -> Self {
        let (body, entity) = (resident.body(), resident.entity());
        let (playing, correction) = (entity.animator.state(), &entity.correction);
        let constraint = Some(&correction.constraint).filter(|constraint| constraint.is_active());
        let (mut modifiers, mut actions) = (playing.modifiers(), playing.actions());
        Self {
            guid: resident.guid(),
            in_cell: body.is_in_cell(),
            position: body.position,
            velocity: body.velocity,
            shown_velocity: body.cached_velocity,
            contact: body.has_contact(),
            on_walkable: body.is_on_walkable(),
            style: playing.style(),
            substate: playing.substate(),
            substate_speed: playing.substate_speed(),
            modifiers: (modifiers.len() as u32, modifiers.next().map(|newest| newest.motion)),
            actions: (actions.len() as u32, actions.next().map(|oldest| oldest.motion)),
            animation: entity.animator.sequence().current(library).map(|playing| playing.id().0),
            interpolation_nodes: correction.interpolation.nodes().len() as u32,
            interpolation_fails: correction.interpolation.fail_count(),
            constraint_offset: constraint.map(|constraint| constraint.pos_offset()),
            moveto: entity.move_to().map(|order| order.kind()),
            pending: entity.animator.pending().len() as u32,
        }
    }
}

impl States {
    /// Sets the values of a row.
    pub(crate) fn push(&mut self, moment: Moment, state: &State, frame: f64) {
        let row = self.len();
        let rotation = state.position.frame.rotation;
        let origin = state.position.frame.origin;
        let id = |command: Option<MotionCommand>| command.map(|command| command.0);
        self.t.push(moment.t);
        self.time.set_some(row, moment.micros);
        self.guid.push(state.guid.0);
        self.in_cell.push(state.in_cell);
        self.cell.push(state.position.cell.0);
        self.x.push(origin.x);
        self.y.push(origin.y);
        self.z.push(origin.z);
        self.heading.push(state.position.frame.heading());
        self.qw.push(rotation.w);
        self.qx.push(rotation.x);
        self.qy.push(rotation.y);
        self.qz.push(rotation.z);
        self.vx.push(state.velocity.x);
        self.vy.push(state.velocity.y);
        self.vz.push(state.velocity.z);
        self.shown_vx.push(state.shown_velocity.x);
        self.shown_vy.push(state.shown_velocity.y);
        self.shown_vz.push(state.shown_velocity.z);
        self.contact.push(state.contact);
        self.on_walkable.push(state.on_walkable);
        self.style.push(state.style.0);
        self.substate.push(state.substate.0);
        self.substate_name.set_some(row, state.substate.name());
        self.substate_speed.push(state.substate_speed);
        self.modifiers.push(state.modifiers.0);
        self.modifier.set_some(row, id(state.modifiers.1));
        self.actions.push(state.actions.0);
        self.action.set_some(row, id(state.actions.1));
        self.animation.set_some(row, state.animation);
        self.frame.push(frame);
        self.interpolation_nodes.push(state.interpolation_nodes);
        self.interpolation_fails.push(state.interpolation_fails);
        self.constraint_offset.set_some(row, state.constraint_offset);
        self.moveto.set_some(row, state.moveto.map(move_kind_name));
        self.pending.push(state.pending);
    }
}

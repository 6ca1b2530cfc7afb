//! What messages have in common, whatever their type: opcodes and a name, a position, a motion, stamps. Tables and data
//! frames have a column for each of these.

use acmotion_types::{CellPosition, MotionCommand, Stamp, Vec3};

use crate::direction::Direction;
use crate::flags::{ContactFlags, PositionFlags};
use crate::message::{
    C2S, GameAction, GameActionBody, GameEvent, GameEventBody, Message as _, ObjectDesc, S2C,
};
use crate::parts::{EchoedStamps, MovementBody, MovementData, ObjectStamps, PositionPack};

/// The opcodes of a message and its name, as far as they are present. They can be read from a message that cannot be decoded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Head {
    /// The opcode; `None` if the message is too short to have one.
    pub opcode: Option<u32>,
    /// The client's sequence number of a game action; `None` for other messages.
    pub action_sequence: Option<u32>,
    /// The opcode of the game event or action that the message contains; `None` if it contains none.
    pub sub_opcode: Option<u32>,
    /// The name of the message, or of the event or action that it contains; `Unknown` if its opcode is not known.
    pub name: &'static str,
    /// The size of these fields in bytes.
    pub size: usize,
}

impl Head {
    /// Reads the opcodes at the start of a message.
    ///
    /// ```
    /// use acmotion_wire::Direction;
    /// use acmotion_wire::fields::Head;
    ///
    /// let head = Head::peek(Direction::S2C, &[0x48, 0xF7, 0, 0, 1]);
    /// assert_eq!((head.opcode, head.name), (Some(0xF748), "UpdatePosition"));
    /// ```
    pub fn peek(direction: Direction, bytes: &[u8]) -> Self {
        let word = |offset: usize| bytes.get(offset..)?.first_chunk().map(|chunk| u32::from_le_bytes(*chunk));
        let opcode = word(0);
        let mut head = Self { opcode, action_sequence: None, sub_opcode: None, name: "Unknown", size: 4 };
        let name = match (direction, opcode) {
            (Direction::S2C, Some(GameEvent::OPCODE)) => {
                (head.sub_opcode, head.size) = (word(12), 16);
                head.sub_opcode.and_then(GameEventBody::name_of)
            }
            (Direction::C2S, Some(GameAction::OPCODE)) => {
                (head.action_sequence, head.sub_opcode, head.size) = (word(4), word(8), 12);
                head.sub_opcode.and_then(GameActionBody::name_of)
            }
            (Direction::S2C, Some(opcode)) => S2C::name_of(opcode),
            (Direction::C2S, _) | (_, None) => None,
        };
        head.name = name.unwrap_or(head.name);
        head.size = head.size.min(bytes.len());
        head
    }
}

/// The stamps of a message, as far as it has them (rule D1).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Stamps {
    /// Counts position updates.
    pub position: Option<Stamp>,
    /// Counts movements.
    pub movement: Option<Stamp>,
    /// Counts changes of the physics state.
    pub state: Option<Stamp>,
    /// Counts velocity updates.
    pub vector: Option<Stamp>,
    /// Counts teleports.
    pub teleport: Option<Stamp>,
    /// Counts movements imposed by the server.
    pub server_control: Option<Stamp>,
    /// Counts positions that the server forced on the player.
    pub force_position: Option<Stamp>,
    /// Counts changes of the appearance.
    pub visual_desc: Option<Stamp>,
    /// Counts the instances of the object.
    pub instance: Option<Stamp>,
}

impl Stamps {
    /// No stamp at all.
    pub const NONE: Self = Self {
        position: None,
        movement: None,
        state: None,
        vector: None,
        teleport: None,
        server_control: None,
        force_position: None,
        visual_desc: None,
        instance: None,
    };

    const fn instance(stamp: Stamp) -> Self {
        Self { instance: Some(stamp), ..Self::NONE }
    }
}

impl From<ObjectStamps> for Stamps {
    fn from(stamps: ObjectStamps) -> Self {
        Self {
            position: Some(stamps.position),
            movement: Some(stamps.movement),
            state: Some(stamps.state),
            vector: Some(stamps.vector),
            teleport: Some(stamps.teleport),
            server_control: Some(stamps.server_control),
            force_position: Some(stamps.force_position),
            visual_desc: Some(stamps.visual_desc),
            instance: Some(stamps.instance),
        }
    }
}

impl From<EchoedStamps> for Stamps {
    fn from(stamps: EchoedStamps) -> Self {
        Self {
            teleport: Some(stamps.teleport),
            server_control: Some(stamps.server_control),
            force_position: Some(stamps.force_position),
            ..Self::instance(stamps.instance)
        }
    }
}

/// A motion along one axis and its speed, as far as a message has them.
pub type AxisMotion = (Option<MotionCommand>, Option<f32>);

/// Receives the fields of a message from [`visit_s2c`] or [`visit_c2s`]. What a message does not have is not called.
pub trait FieldVisitor {
    /// The position of the object.
    fn position(&mut self, position: &CellPosition);
    /// Its velocity, in metres a second.
    fn velocity(&mut self, velocity: Vec3);
    /// Whether it stands on something.
    fn grounded(&mut self, grounded: bool);
    /// The style that it changes to.
    fn style(&mut self, style: MotionCommand);
    /// Its motion forward, to the side, and its turn.
    fn axes(&mut self, axes: [AxisMotion; 3]);
    /// Its stamps. Called twice for a message that has a position and a movement, with different stamps.
    fn stamps(&mut self, stamps: Stamps);
}

/// Passes the fields of a message from the server to a visitor.
#[inline]
pub fn visit_s2c(message: &S2C<'_>, visitor: &mut impl FieldVisitor) {
    match message {
        S2C::UpdatePosition(report) => visit_pack(&report.pack, visitor),
        S2C::UpdateMotion(update) => {
            visitor.stamps(Stamps::instance(update.instance));
            visit_movement(&update.data, visitor);
        }
        S2C::PositionAndMovement(report) => {
            visit_pack(&report.pack, visitor);
            visit_movement(&report.data, visitor);
        }
        S2C::VectorUpdate(update) => {
            visitor.velocity(update.velocity);
            visitor.stamps(Stamps { vector: Some(update.vector), ..Stamps::instance(update.instance) });
        }
        S2C::SetState(update) => {
            visitor.stamps(Stamps { state: Some(update.state_stamp), ..Stamps::instance(update.instance) });
        }
        S2C::CreateObject(object) => visit_object(&object.0, visitor),
        S2C::UpdateObject(object) => visit_object(&object.0, visitor),
        S2C::DeleteObject(message) => visitor.stamps(Stamps::instance(message.instance)),
        S2C::PickupEvent(message) => {
            visitor.stamps(Stamps { position: Some(message.position), ..Stamps::instance(message.instance) });
        }
        S2C::ObjDescEvent(message) => {
            let visual_desc = Some(message.visual_desc);
            visitor.stamps(Stamps { visual_desc, ..Stamps::instance(message.instance) });
        }
        S2C::PlayerTeleport(message) => {
            visitor.stamps(Stamps { teleport: Some(message.teleport), ..Stamps::NONE });
        }
        _ => {}
    }
}

/// Passes the fields of a message from the client to a visitor.
pub fn visit_c2s(message: &C2S<'_>, visitor: &mut impl FieldVisitor) {
    let C2S::GameAction(action) = message else { return };
    match &action.action {
        GameActionBody::MoveToState(state) => {
            let raw = &state.raw;
            visitor.position(&state.position);
            visitor.grounded(state.contact.contains(ContactFlags::CONTACT));
            if let Some(style) = raw.current_style {
                visitor.style(style);
            }
            visitor.axes([
                (raw.forward_command, raw.forward_speed),
                (raw.sidestep_command, raw.sidestep_speed),
                (raw.turn_command, raw.turn_speed),
            ]);
            visitor.stamps(state.stamps.into());
        }
        GameActionBody::AutonomousPosition(report) => {
            visitor.position(&report.position);
            visitor.grounded(report.contact.get());
            visitor.stamps(report.stamps.into());
        }
        GameActionBody::Jump(jump) => {
            if let Some(position) = &jump.position {
                visitor.position(position);
            }
            visitor.velocity(jump.velocity);
            visitor.stamps(jump.stamps.into());
        }
        _ => {}
    }
}

#[inline]
fn visit_pack(pack: &PositionPack, visitor: &mut impl FieldVisitor) {
    visitor.position(&pack.position);
    if let Some(velocity) = pack.velocity {
        visitor.velocity(velocity);
    }
    visitor.grounded(pack.flags.contains(PositionFlags::GROUNDED));
    visitor.stamps(Stamps {
        position: Some(pack.position_stamp),
        teleport: Some(pack.teleport),
        force_position: Some(pack.force_position),
        ..Stamps::instance(pack.instance)
    });
}

#[inline]
fn visit_movement(data: &MovementData<'_>, visitor: &mut impl FieldVisitor) {
    visitor.stamps(Stamps {
        movement: Some(data.movement_stamp),
        server_control: Some(data.server_control),
        ..Stamps::NONE
    });
    // The style of index 0 means that it does not change.
    if data.movement.style.wire_index() != 0 {
        visitor.style(data.movement.style);
    }
    if let MovementBody::Interpreted { state, .. } = &data.movement.body {
        visitor.axes([
            (state.forward_command, state.forward_speed),
            (state.sidestep_command, state.sidestep_speed),
            (state.turn_command, state.turn_speed),
        ]);
    }
}

fn visit_object(object: &ObjectDesc<'_>, visitor: &mut impl FieldVisitor) {
    let physics = &object.physics;
    if let Some(position) = &physics.position {
        visitor.position(position);
    }
    if let Some(velocity) = physics.velocity {
        visitor.velocity(velocity);
    }
    visitor.stamps(physics.stamps.into());
}

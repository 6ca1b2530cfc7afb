//! A movement: a motion state, or a move-to or turn-to order.

use acmotion_types::{Guid, MotionCommand};

use super::interpreted_state::InterpretedState;
use super::move_params::{MoveToParams, TurnToParams};
use super::origin::Origin;
use crate::cursor::{FixedSize, ReadResult, Reader, Writer};
use crate::error::DecodeErrorKind;
use crate::flags::MotionFlags;

/// A movement the server imposes on a body (rules E1–E5, `docs/wire.md` §2.3).
#[derive(Clone, Copy, PartialEq, Debug)]
#[doc(alias = "unpack_movement")]
pub struct Movement<'a> {
    /// The options. When an interpreted state is encoded, [`MotionFlags::STICK_TO_OBJECT`] is set from the body
    /// instead.
    pub flags: MotionFlags,
    /// The style (stance) to change to first. [`MotionCommand::INVALID`] keeps the current one (rule E3).
    pub style: MotionCommand,
    /// The state or order.
    pub body: MovementBody<'a>,
}

/// The five kinds of movement that are sent. The numbers are those of the original client.
#[derive(Clone, Copy, PartialEq, Debug)]
#[doc(alias = "MovementType")]
pub enum MovementBody<'a> {
    /// 0: a motion state (rule E4).
    #[doc(alias = "Invalid")]
    Interpreted {
        /// The state.
        state: InterpretedState<'a>,
        /// The object to stick to.
        sticky: Option<Guid>,
    },
    /// 6: move to an object.
    MoveToObject {
        /// The object.
        target: Guid,
        /// The position to move to if the receiver does not know the object.
        origin: Origin,
        /// The parameters of the move.
        params: MoveToParams,
        /// The run rate of the body.
        #[doc(alias = "my_run_rate")]
        run_rate: f32,
    },
    /// 7: move to a position.
    MoveToPosition {
        /// The position.
        origin: Origin,
        /// The parameters of the move.
        params: MoveToParams,
        /// The run rate of the body.
        run_rate: f32,
    },
    /// 8: turn to an object.
    TurnToObject {
        /// The object.
        target: Guid,
        /// The heading in degrees to turn to if the receiver does not know the object.
        heading: f32,
        /// The parameters of the turn.
        params: TurnToParams,
    },
    /// 9: turn to a heading.
    TurnToHeading {
        /// The parameters of the turn, including the heading.
        params: TurnToParams,
    },
}

impl MovementBody<'_> {
    /// Returns the number of the kind: 0, 6, 7, 8 or 9.
    pub const fn movement_type(&self) -> u8 {
        match self {
            Self::Interpreted { .. } => 0,
            Self::MoveToObject { .. } => 6,
            Self::MoveToPosition { .. } => 7,
            Self::TurnToObject { .. } => 8,
            Self::TurnToHeading { .. } => 9,
        }
    }
}

impl<'a> Movement<'a> {
    /// Returns `true` if the body is preparing a standing long jump.
    #[doc(alias = "standing_longjump")]
    pub fn is_standing_long_jump(&self) -> bool {
        self.flags.contains(MotionFlags::STANDING_LONG_JUMP)
    }

    /// Returns the options as they are encoded.
    pub fn wire_flags(&self) -> MotionFlags {
        let mut flags = self.flags;
        if let MovementBody::Interpreted { sticky, .. } = &self.body {
            flags.set(MotionFlags::STICK_TO_OBJECT, sticky.is_some());
        }
        flags
    }

    #[inline(always)]
    pub(crate) fn read(reader: &mut Reader<'a>) -> ReadResult<Self> {
        let (movement_type, flags, style): (u8, u8, u16) =
            reader.group(&["movement.type", "movement.flags", "movement.style"])?;
        let flags = MotionFlags::from_bits_retain(flags);
        let style = reader.expand(style, "movement.style")?;
        let body = match movement_type {
            0 => MovementBody::read_interpreted(reader, flags)?,
            6 => MovementBody::read_move_to_object(reader)?,
            7 => MovementBody::read_move_to_position(reader)?,
            8 => MovementBody::read_turn_to_object(reader)?,
            9 => MovementBody::TurnToHeading { params: TurnToParams::read(reader)? },
            other => {
                let kind = DecodeErrorKind::NotAllowed { value: other.into() };
                return Err(reader.field_error("movement.type", 4, 1, kind));
            }
        };
        Ok(Self { flags, style, body })
    }

    #[inline]
    pub(crate) fn write(&self, writer: &mut Writer<'_>) {
        let head = (self.body.movement_type(), self.wire_flags().bits(), self.style.wire_index());
        self.body.write(head, writer);
    }
}

impl<'a> MovementBody<'a> {
    #[inline(always)]
    fn read_interpreted(reader: &mut Reader<'a>, flags: MotionFlags) -> ReadResult<Self> {
        let state = InterpretedState::read(reader)?;
        let sticks = flags.contains(MotionFlags::STICK_TO_OBJECT);
        let sticky = sticks.then(|| reader.guid("movement.sticky_object")).transpose()?;
        Ok(Self::Interpreted { state, sticky })
    }

    #[inline(always)]
    fn read_move_to_object(reader: &mut Reader<'a>) -> ReadResult<Self> {
        Ok(Self::MoveToObject {
            target: reader.guid("movement.target")?,
            origin: Origin::read(reader)?,
            params: MoveToParams::read(reader)?,
            run_rate: reader.f32("movement.run_rate")?,
        })
    }

    #[inline(always)]
    fn read_move_to_position(reader: &mut Reader<'a>) -> ReadResult<Self> {
        Ok(Self::MoveToPosition {
            origin: Origin::read(reader)?,
            params: MoveToParams::read(reader)?,
            run_rate: reader.f32("movement.run_rate")?,
        })
    }

    #[inline(always)]
    fn read_turn_to_object(reader: &mut Reader<'a>) -> ReadResult<Self> {
        let (target, heading) = reader.group(&["movement.target", "movement.heading"])?;
        Ok(Self::TurnToObject { target, heading, params: TurnToParams::read(reader)? })
    }

    /// Appends `head` and the body.
    #[inline]
    fn write(&self, head: impl FixedSize, writer: &mut Writer<'_>) {
        match self {
            Self::Interpreted { state, sticky } => {
                state.write(head, writer);
                if let Some(sticky) = sticky {
                    writer.guid(*sticky);
                }
            }
            Self::MoveToObject { target, origin, params, run_rate } => {
                writer.fixed((head, *target, origin.fields(), params.fields(), *run_rate));
            }
            Self::MoveToPosition { origin, params, run_rate } => {
                writer.fixed((head, origin.fields(), params.fields(), *run_rate));
            }
            Self::TurnToObject { target, heading, params } => {
                writer.fixed((head, *target, *heading, params.fields()));
            }
            Self::TurnToHeading { params } => writer.fixed((head, params.fields())),
        }
    }
}

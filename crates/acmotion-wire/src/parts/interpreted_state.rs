//! What a body does, as everybody is told.

use acmotion_types::MotionCommand;

use super::action::Actions;
use crate::cursor::{Pad, Reader, Writer};
use crate::error::DecodeError;
use crate::flags::InterpretedFlags as Flags;

/// What a body does (rule E7, `docs/wire.md` §2.4): only what differs from standing at peace is sent. An absent field
/// means its default, never "as before".
///
/// On the wire all commands come first and then all speeds, each 16-bit command without padding behind it.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[doc(alias = "InterpretedMotionState")]
pub struct InterpretedState<'a> {
    /// The stance; [`MotionCommand::NON_COMBAT`] if absent.
    pub current_style: Option<MotionCommand>,
    /// Forward or back, an attack, an emote …; [`MotionCommand::READY`] if absent.
    pub forward_command: Option<MotionCommand>,
    /// To the side; none if absent.
    pub sidestep_command: Option<MotionCommand>,
    /// Turning; none if absent.
    pub turn_command: Option<MotionCommand>,
    /// 1 if absent; below zero is backwards.
    pub forward_speed: Option<f32>,
    /// 1 if absent; below zero is to the left.
    pub sidestep_speed: Option<f32>,
    /// 1 if absent; below zero is to the left.
    pub turn_speed: Option<f32>,
    /// What is done once, oldest first.
    pub actions: Actions<'a>,
    /// The bits of the leading word that have no meaning, as they came.
    pub unknown_bits: u32,
    /// The bytes at the end.
    pub pad: Pad,
}

const COUNT_SHIFT: u32 = 7;
const UNKNOWN_BITS: u32 = 0xFFFF_F000;

impl<'a> InterpretedState<'a> {
    /// The same state with every default filled in.
    #[must_use]
    pub fn with_defaults(mut self) -> Self {
        self.current_style.get_or_insert(MotionCommand::NON_COMBAT);
        self.forward_command.get_or_insert(MotionCommand::READY);
        self.sidestep_command.get_or_insert(MotionCommand::NONE);
        self.turn_command.get_or_insert(MotionCommand::NONE);
        self.forward_speed.get_or_insert(1.0);
        self.sidestep_speed.get_or_insert(1.0);
        self.turn_speed.get_or_insert(1.0);
        self
    }

    #[inline]
    pub(crate) fn read(reader: &mut Reader<'a>) -> Result<Self, DecodeError> {
        let word = reader.u32("state.flags")?;
        let flags = Flags::from_bits_truncate(word);
        let mut command = |flag, field| flags.contains(flag).then(|| reader.command_index(field)).transpose();
        let current_style = command(Flags::CURRENT_STYLE, "state.current_style")?;
        let forward_command = command(Flags::FORWARD_COMMAND, "state.forward_command")?;
        let sidestep_command = command(Flags::SIDESTEP_COMMAND, "state.sidestep_command")?;
        let turn_command = command(Flags::TURN_COMMAND, "state.turn_command")?;
        let mut speed = |flag, field| flags.contains(flag).then(|| reader.f32(field)).transpose();
        let forward_speed = speed(Flags::FORWARD_SPEED, "state.forward_speed")?;
        let sidestep_speed = speed(Flags::SIDESTEP_SPEED, "state.sidestep_speed")?;
        let turn_speed = speed(Flags::TURN_SPEED, "state.turn_speed")?;
        let count = (word >> COUNT_SHIFT) as usize & Actions::MAX;
        let actions = Actions::read(reader, count, "state.actions")?;
        let pad = reader.align()?;
        Ok(Self {
            current_style,
            forward_command,
            sidestep_command,
            turn_command,
            forward_speed,
            sidestep_speed,
            turn_speed,
            actions,
            unknown_bits: word & UNKNOWN_BITS,
            pad,
        })
    }

    fn wire_word(&self) -> u32 {
        let mut flags = Flags::empty();
        flags.set(Flags::CURRENT_STYLE, self.current_style.is_some());
        flags.set(Flags::FORWARD_COMMAND, self.forward_command.is_some());
        flags.set(Flags::SIDESTEP_COMMAND, self.sidestep_command.is_some());
        flags.set(Flags::TURN_COMMAND, self.turn_command.is_some());
        flags.set(Flags::FORWARD_SPEED, self.forward_speed.is_some());
        flags.set(Flags::SIDESTEP_SPEED, self.sidestep_speed.is_some());
        flags.set(Flags::TURN_SPEED, self.turn_speed.is_some());
        flags.bits() | self.actions.wire_count() << COUNT_SHIFT | self.unknown_bits & UNKNOWN_BITS
    }

    #[inline]
    pub(crate) fn write(&self, writer: &mut Writer<'_>) {
        writer.u32(self.wire_word());
        let commands = [self.current_style, self.forward_command, self.sidestep_command, self.turn_command];
        for command in commands.into_iter().flatten() {
            writer.command_index(command);
        }
        for speed in [self.forward_speed, self.sidestep_speed, self.turn_speed].into_iter().flatten() {
            writer.f32(speed);
        }
        self.actions.write(writer, Actions::MAX);
        writer.align(self.pad);
    }
}

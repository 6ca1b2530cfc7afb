//! The interpreted motion state, which the server sends to all observers.

use acmotion_types::MotionCommand;

use super::action::Actions;
use crate::cursor::{FixedSize, Pad, ReadResult, Reader, Writer};
use crate::flags::InterpretedFlags as Flags;

/// The motion of a body (rule E7, `docs/wire.md` §2.4). Only what differs from standing in the non-combat stance is
/// sent: an absent field means its default, never "unchanged".
///
/// On the wire all commands precede all speeds. The 16-bit commands are not padded.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[doc(alias = "InterpretedMotionState")]
pub struct InterpretedState<'a> {
    /// The style (stance). Default: [`MotionCommand::NON_COMBAT`].
    pub current_style: Option<MotionCommand>,
    /// The forward motion: walking, running, an attack, an emote … Default: [`MotionCommand::READY`].
    pub forward_command: Option<MotionCommand>,
    /// The sidestep. Default: none.
    pub sidestep_command: Option<MotionCommand>,
    /// The turn. Default: none.
    pub turn_command: Option<MotionCommand>,
    /// The speed factor of the forward motion. Negative is backwards. Default: 1.
    pub forward_speed: Option<f32>,
    /// The speed factor of the sidestep. Negative is to the left. Default: 1.
    pub sidestep_speed: Option<f32>,
    /// The speed factor of the turn. Negative is to the left. Default: 1.
    pub turn_speed: Option<f32>,
    /// The actions, oldest first.
    pub actions: Actions<'a>,
    /// The bits of the leading word that have no known meaning.
    pub unknown_bits: u32,
    /// The padding at the end.
    pub pad: Pad,
}

const COUNT_SHIFT: u32 = 7;
const UNKNOWN_BITS: u32 = 0xFFFF_F000;

impl<'a> InterpretedState<'a> {
    #[inline(always)]
    pub(crate) fn read(reader: &mut Reader<'a>) -> ReadResult<Self> {
        let word = reader.u32("state.flags")?;
        let flags = Flags::from_bits_truncate(word);
        let mut state = Self { unknown_bits: word & UNKNOWN_BITS, ..Self::default() };
        if flags.contains(Flags::CURRENT_STYLE) {
            state.current_style = Some(reader.command_index("state.current_style")?);
        }
        if flags.contains(Flags::FORWARD_COMMAND) {
            state.forward_command = Some(reader.command_index("state.forward_command")?);
        }
        if flags.contains(Flags::SIDESTEP_COMMAND) {
            state.sidestep_command = Some(reader.command_index("state.sidestep_command")?);
        }
        if flags.contains(Flags::TURN_COMMAND) {
            state.turn_command = Some(reader.command_index("state.turn_command")?);
        }
        if flags.contains(Flags::FORWARD_SPEED) {
            state.forward_speed = Some(reader.f32("state.forward_speed")?);
        }
        if flags.contains(Flags::SIDESTEP_SPEED) {
            state.sidestep_speed = Some(reader.f32("state.sidestep_speed")?);
        }
        if flags.contains(Flags::TURN_SPEED) {
            state.turn_speed = Some(reader.f32("state.turn_speed")?);
        }
        let count = (word >> COUNT_SHIFT) as usize & Actions::MAX;
        state.actions = Actions::read(reader, count, "state.actions")?;
        state.pad = reader.align()?;
        Ok(state)
    }

    #[inline]
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

    /// Appends `head`, which has at most four bytes, and the state.
    #[inline]
    pub(crate) fn write(&self, head: impl FixedSize, writer: &mut Writer<'_>) {
        let index = |command: Option<MotionCommand>| command.map(MotionCommand::wire_index);
        writer.block::<28>((head, self.wire_word()), |block| {
            block.put(index(self.current_style));
            block.put(index(self.forward_command));
            block.put(index(self.sidestep_command));
            block.put(index(self.turn_command));
            block.put(self.forward_speed);
            block.put(self.sidestep_speed);
            block.put(self.turn_speed);
        });
        self.actions.write(writer, Actions::MAX);
        writer.align(self.pad);
    }
}

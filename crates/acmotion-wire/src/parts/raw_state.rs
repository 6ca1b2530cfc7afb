//! The raw motion state, which the client sends to the server.

use acmotion_types::MotionCommand;

use super::action::Actions;
use crate::cursor::{ReadResult, Reader, Writer};
use crate::flags::{HoldKey, RawFlags as Flags};

/// The motion the player's keys request (rule K6, `docs/wire.md` §3). Only what differs from the default is sent, in
/// the order of the fields here. Commands are full 32-bit ids.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct RawMotionState<'a> {
    /// The key held. Default: [`HoldKey::NONE`].
    pub current_hold_key: Option<HoldKey>,
    /// The style (stance). Default: [`MotionCommand::NON_COMBAT`].
    pub current_style: Option<MotionCommand>,
    /// The forward or backward motion. Default: [`MotionCommand::READY`].
    pub forward_command: Option<MotionCommand>,
    /// The key held for the forward motion. Default: [`HoldKey::INVALID`].
    pub forward_hold_key: Option<HoldKey>,
    /// The speed factor of the forward motion. Default: 1.
    pub forward_speed: Option<f32>,
    /// The sidestep. Default: none.
    pub sidestep_command: Option<MotionCommand>,
    /// The key held for the sidestep. Default: [`HoldKey::INVALID`].
    pub sidestep_hold_key: Option<HoldKey>,
    /// The speed factor of the sidestep. Default: 1.
    pub sidestep_speed: Option<f32>,
    /// The turn. Default: none.
    pub turn_command: Option<MotionCommand>,
    /// The key held for the turn. Default: [`HoldKey::INVALID`].
    pub turn_hold_key: Option<HoldKey>,
    /// The speed factor of the turn. Default: 1.
    pub turn_speed: Option<f32>,
    /// The actions, oldest first.
    pub actions: Actions<'a>,
    /// The upper half of the leading word, which has no known meaning.
    pub unknown_bits: u32,
}

const COUNT_SHIFT: u32 = 11;
const UNKNOWN_BITS: u32 = 0xFFFF_0000;

impl<'a> RawMotionState<'a> {
    #[inline(always)]
    pub(crate) fn read(reader: &mut Reader<'a>) -> ReadResult<Self> {
        let word = reader.u32("raw.flags")?;
        let flags = Flags::from_bits_truncate(word);
        let mut state = Self { unknown_bits: word & UNKNOWN_BITS, ..Self::default() };
        if flags.contains(Flags::CURRENT_HOLD_KEY) {
            state.current_hold_key = Some(HoldKey(reader.u32("raw.current_hold_key")?));
        }
        if flags.contains(Flags::CURRENT_STYLE) {
            state.current_style = Some(reader.command("raw.current_style")?);
        }
        if flags.contains(Flags::FORWARD_COMMAND) {
            state.forward_command = Some(reader.command("raw.forward_command")?);
        }
        if flags.contains(Flags::FORWARD_HOLD_KEY) {
            state.forward_hold_key = Some(HoldKey(reader.u32("raw.forward_hold_key")?));
        }
        if flags.contains(Flags::FORWARD_SPEED) {
            state.forward_speed = Some(reader.f32("raw.forward_speed")?);
        }
        if flags.contains(Flags::SIDESTEP_COMMAND) {
            state.sidestep_command = Some(reader.command("raw.sidestep_command")?);
        }
        if flags.contains(Flags::SIDESTEP_HOLD_KEY) {
            state.sidestep_hold_key = Some(HoldKey(reader.u32("raw.sidestep_hold_key")?));
        }
        if flags.contains(Flags::SIDESTEP_SPEED) {
            state.sidestep_speed = Some(reader.f32("raw.sidestep_speed")?);
        }
        if flags.contains(Flags::TURN_COMMAND) {
            state.turn_command = Some(reader.command("raw.turn_command")?);
        }
        if flags.contains(Flags::TURN_HOLD_KEY) {
            state.turn_hold_key = Some(HoldKey(reader.u32("raw.turn_hold_key")?));
        }
        if flags.contains(Flags::TURN_SPEED) {
            state.turn_speed = Some(reader.f32("raw.turn_speed")?);
        }
        let count = (word >> COUNT_SHIFT) as usize & Actions::MAX;
        state.actions = Actions::read(reader, count, "raw.actions")?;
        Ok(state)
    }

    /// Returns every field with its flag, in wire order.
    #[inline]
    fn fields(&self) -> [(Flags, Option<u32>); 11] {
        let key = |key: Option<HoldKey>| key.map(|key| key.0);
        let command = |command: Option<MotionCommand>| command.map(|command| command.0);
        let speed = |speed: Option<f32>| speed.map(f32::to_bits);
        [
            (Flags::CURRENT_HOLD_KEY, key(self.current_hold_key)),
            (Flags::CURRENT_STYLE, command(self.current_style)),
            (Flags::FORWARD_COMMAND, command(self.forward_command)),
            (Flags::FORWARD_HOLD_KEY, key(self.forward_hold_key)),
            (Flags::FORWARD_SPEED, speed(self.forward_speed)),
            (Flags::SIDESTEP_COMMAND, command(self.sidestep_command)),
            (Flags::SIDESTEP_HOLD_KEY, key(self.sidestep_hold_key)),
            (Flags::SIDESTEP_SPEED, speed(self.sidestep_speed)),
            (Flags::TURN_COMMAND, command(self.turn_command)),
            (Flags::TURN_HOLD_KEY, key(self.turn_hold_key)),
            (Flags::TURN_SPEED, speed(self.turn_speed)),
        ]
    }

    /// Returns the leading word as it is encoded.
    pub(crate) fn wire_word(&self) -> u32 {
        let present = self.fields().into_iter().filter(|(_, field)| field.is_some());
        let flags = present.map(|(flag, _)| flag).collect::<Flags>();
        flags.bits() | self.actions.wire_count() << COUNT_SHIFT | self.unknown_bits & UNKNOWN_BITS
    }

    #[inline]
    pub(crate) fn write(&self, writer: &mut Writer<'_>) {
        writer.block::<48>(self.wire_word(), |block| {
            for (_, field) in self.fields() {
                block.put(field);
            }
        });
        self.actions.write(writer, Actions::MAX);
    }
}
